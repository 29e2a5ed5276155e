//! Finds changes that may make a conjunct true: goals are passed down the graph until they reach symbols.
//!
//! A false conjunct should become true. Going down, each node turns its goal into a goal for one of its arguments,
//! with the others unchanged (`invert`). A symbol at the end of the path gives a move: a symbol and a value. A move is
//! only a proposal; the search tries it and compares the costs. Several paths are followed, in a random order and up
//! to a limit, so that a large formula costs no more than a small one.

use super::candidates::{Candidates, neighbours};
use super::chance::Chance;
use super::graph::{Node, NodeId, VarId};
use super::invert::{self, Ask};
use super::state::State;
use crate::budget::Exhausted;
use crate::value::Value;
use smtlib::sort::SortId;

/// Maximum number of nodes visited for one proposal, and of its moves.
const MAX_VISITS: u32 = 160;
const MAX_MOVES: usize = 40;

pub(super) type Move = (VarId, Value);

pub(super) struct Proposer<'s, 'a, 'p> {
    pub state: &'s mut State<'a, 'p>,
    pub candidates: &'s mut Candidates,
    pub chance: &'s mut Chance,
    moves: Vec<Move>,
    visits: u32,
    /// Steps that inversions used beyond the usual.
    steps: u64,
}

/// Moves that may make a conjunct true.
pub(super) fn propose(
    state: &mut State<'_, '_>,
    candidates: &mut Candidates,
    chance: &mut Chance,
    conjunct: NodeId,
) -> Result<Vec<Move>, Exhausted> {
    let mut proposer = Proposer { state, candidates, chance, moves: vec![], visits: 0, steps: 0 };
    proposer.aim(conjunct, true);
    proposer.state.spend(u64::from(proposer.visits) + proposer.steps)?;
    Ok(proposer.moves)
}

impl Proposer<'_, '_, '_> {
    fn is_done(&mut self) -> bool {
        self.visits += 1;
        self.visits > MAX_VISITS || self.moves.len() >= MAX_MOVES
    }

    fn shuffled<T: Clone>(&mut self, items: &[T]) -> Vec<T> {
        let mut items = items.to_vec();
        for n in (1..items.len()).rev() {
            items.swap(n, self.chance.below(n + 1));
        }
        items
    }

    /// The goal that a truth value becomes this one.
    fn aim(&mut self, id: NodeId, truth: bool) {
        if self.is_done() || matches!(self.state.value(id), Ok(Value::Bool(now)) if *now == truth) {
            return;
        }
        match self.state.graph.node(id).clone() {
            Node::Const(_) => {}
            Node::Not(a) => self.aim(a, !truth),
            Node::And(parts) | Node::Or(parts) => {
                for part in self.shuffled(&parts) {
                    self.aim(part, truth);
                }
            }
            Node::Ite(condition, then, otherwise) => {
                let now = matches!(self.state.value(condition), Ok(Value::Bool(true)));
                self.aim(if now { then } else { otherwise }, truth);
                self.aim(condition, !now);
            }
            Node::Equal(a, b) if self.state.graph.sort(a) == SortId::BOOL => {
                let truth_of = |id| matches!(self.state.value(id), Ok(Value::Bool(true)));
                let (x, y) = (truth_of(a), truth_of(b));
                self.aim(a, y == truth);
                self.aim(b, x == truth);
            }
            Node::Equal(a, b) => self.equate(a, b, truth),
            _ => self.reach(id, &Value::Bool(truth)),
        }
    }

    fn equate(&mut self, a: NodeId, b: NodeId, truth: bool) {
        let (x, y) = (self.state.value(a).clone(), self.state.value(b).clone());
        let sides = if self.chance.once_in(2) { [(a, y), (b, x)] } else { [(b, x), (a, y)] };
        for (side, other) in sides {
            match other {
                Ok(other) if truth => self.reach(side, &other),
                Ok(other) => self.differ(side, &other),
                Err(_) => self.anything(side),
            }
        }
    }

    /// The goal that a value becomes different from this one.
    fn differ(&mut self, id: NodeId, from: &Value) {
        if self.state.graph.constant(id).is_some() {
            return;
        }
        let mut values = neighbours(from);
        let known = self.candidates.of(self.state.eval, self.state.graph.sort(id));
        for _ in 0..4 {
            values.extend(self.chance.pick(&known).cloned());
        }
        for value in values {
            if value != *from {
                self.reach(id, &value);
            }
        }
    }

    /// The goal that a value becomes known.
    fn anything(&mut self, id: NodeId) {
        let known = self.candidates.of(self.state.eval, self.state.graph.sort(id));
        if let Some(value) = self.chance.pick(&known).cloned() {
            self.reach(id, &value);
        }
        for used in self.state.graph.uses(id) {
            if self.state.value(used).is_err() && !self.is_done() {
                self.anything(used);
            }
        }
    }

    /// The goal that a value becomes this one.
    fn reach(&mut self, id: NodeId, target: &Value) {
        if self.is_done() || matches!(self.state.value(id), Ok(now) if now == target) {
            return;
        }
        if self.state.graph.sort(id) == SortId::BOOL
            && let (Value::Bool(truth), false) = (target, self.is_atom(id))
        {
            return self.aim(id, *truth);
        }
        match self.state.graph.node(id).clone() {
            Node::Symbol(var) => self.moves.push((var, target.clone())),
            Node::Call(var, args) => self.reach_call(var, &args, target),
            Node::Ite(condition, then, otherwise) => {
                let now = matches!(self.state.value(condition), Ok(Value::Bool(true)));
                let (taken, other) = if now { (then, otherwise) } else { (otherwise, then) };
                self.reach(taken, target);
                if matches!(self.state.value(other), Ok(value) if value == target) || self.chance.once_in(4) {
                    self.aim(condition, !now);
                }
            }
            Node::Apply(operation, args) => {
                for at in self.shuffled(&(0..args.len()).collect::<Vec<_>>()) {
                    self.reach_argument(operation, &args, at, target);
                }
            }
            Node::Opaque(opaque) => self.reach_whole(&opaque),
            _ => {}
        }
    }

    fn is_atom(&self, id: NodeId) -> bool {
        matches!(
            self.state.graph.node(id),
            Node::Symbol(_) | Node::Call(..) | Node::Apply(..) | Node::Opaque(_)
        )
    }

    fn reach_argument(
        &mut self,
        operation: crate::eval::Operation,
        args: &[NodeId],
        at: usize,
        target: &Value,
    ) {
        if self.state.graph.constant(args[at]).is_some() {
            return;
        }
        let values = match self.state.values_of(args) {
            Ok(values) => values,
            Err(_) => return self.anything(args[at]),
        };
        let sort = self.state.graph.sort(args[at]);
        let ask = Ask { operation, args: &values, at, target, sort };
        let (wanted, steps) = invert::argument(&ask, self.state.eval, self.candidates, self.chance);
        self.steps += steps;
        for value in wanted {
            self.reach(args[at], &value);
        }
    }

    /// The goal that an application has a value: the function changes there, or it is applied elsewhere.
    fn reach_call(&mut self, var: VarId, args: &[NodeId], target: &Value) {
        let Ok(values) = self.state.values_of(args) else {
            args.iter().for_each(|&arg| self.anything(arg));
            return;
        };
        let Value::Array(map) = self.state.assigned(var).clone() else { return };
        let key = key(values);
        if let Ok(changed) = self.state.eval.store(&map, key, target.clone()) {
            self.moves.push((var, changed));
        }
        let elsewhere = map.exceptions.iter().find(|(_, value)| *value == target).map(|(key, _)| key.clone());
        match elsewhere {
            Some(Value::Tuple(keys)) if args.len() > 1 => {
                for (&arg, key) in args.iter().zip(keys.iter()) {
                    self.reach(arg, key);
                }
            }
            Some(key) if args.len() == 1 => self.reach(args[0], &key),
            _ => {
                let arg = args[self.chance.below(args.len())];
                self.anything(arg);
            }
        }
    }

    /// A term that the evaluator evaluates as a whole: a change of anything that it depends on may help.
    fn reach_whole(&mut self, opaque: &super::graph::Opaque) {
        let nodes: Vec<NodeId> = opaque
            .symbols
            .iter()
            .map(|&(_, node)| node)
            .chain(opaque.bound.iter().map(|&(_, n)| n))
            .collect();
        for node in self.shuffled(&nodes).into_iter().take(6) {
            self.differ_at_random(node);
            self.differ_at_random(node);
        }
        for var in self.shuffled(&opaque.functions).into_iter().take(4) {
            if let Some(changed) = random_function(self.state, self.candidates, self.chance, var) {
                self.moves.push((var, changed));
            }
        }
    }

    fn differ_at_random(&mut self, id: NodeId) {
        let known = self.candidates.of(self.state.eval, self.state.graph.sort(id));
        if let Some(value) = self.chance.pick(&known).cloned() {
            self.reach(id, &value);
        }
    }
}

/// The key of a map with one or several indices.
pub(super) fn key(mut args: Vec<Value>) -> Value {
    if args.len() == 1 { args.swap_remove(0) } else { Value::tuple(args) }
}

/// A function with another base, or another value at a point where it is applied.
pub(super) fn random_function(
    state: &mut State<'_, '_>,
    candidates: &mut Candidates,
    chance: &mut Chance,
    var: VarId,
) -> Option<Value> {
    let (params, sort) =
        (state.graph.vars[var.0 as usize].params.clone(), state.graph.vars[var.0 as usize].sort);
    let value = chance.pick(&candidates.of(state.eval, sort))?.clone();
    let Value::Array(map) = state.assigned(var).clone() else { return None };
    if chance.once_in(3) {
        return Some(state.eval.map(params, value, map.exceptions.clone()));
    }
    let mut args = vec![];
    for &param in params.iter() {
        args.push(chance.pick(&candidates.of(state.eval, param))?.clone());
    }
    state.eval.store(&map, key(args), value).ok()
}
