//! Local search: starting from an assignment, one move after the other towards fewer and less false conjuncts.
//!
//! While some conjunct is not true, one of them is picked at random, moves that may make it true are proposed
//! (`moves`), each is tried, and the one with the least total cost is made if that is an improvement. If there is
//! none, the false conjuncts get a higher weight from now on, and sometimes a move is made although it increases the
//! cost. That is how the search leaves a local minimum. After a number of moves it restarts from another assignment.

use super::answer::{self, Witness};
use super::candidates::Candidates;
use super::chance::Chance;
use super::distance::OPEN;
use super::graph::{Graph, NodeId, Var, VarId};
use super::moves::{Move, propose, random_function};
use super::solve;
use super::state::State;
use crate::budget::Exhausted;
use crate::eval::{Evaluator, Unknown};
use crate::model::Model;
use crate::value::Value;
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// Number of moves from one start; later starts get more.
const FIRST_RUN: usize = 60;
/// Number of assignments that the evaluator does not confirm before the search gives up.
const MAX_REFUSALS: usize = 12;
/// Maximum number of kept assignments that leave only under-specified points open.
const MAX_OPEN: usize = 3;

/// The function that confirms an assignment.
pub(super) type Confirm<'c> = dyn FnMut(String) -> Option<Witness> + 'c;

pub(super) struct Search<'s, 'a, 'p> {
    pub state: State<'a, 'p>,
    pub model: &'p Model,
    pub candidates: &'s mut Candidates,
    pub chance: &'s mut Chance,
    pub confirm: &'s mut Confirm<'s>,
    weights: Vec<u64>,
    refused: HashSet<String>,
    /// Assignments that hold for some choice at under-specified points; they are offered if nothing better is found.
    open: Vec<String>,
    /// Whether any value depended on an under-specified point.
    pub met_open: bool,
}

/// How a search ended before its budget did.
pub(super) enum SearchEnd {
    Found(Box<Witness>),
    /// The evaluator did not confirm the assignments found, or one is too long to be written.
    Refused,
    /// Every assignment that this part tries has been tried.
    Tried,
}

impl<'s, 'a, 'p> Search<'s, 'a, 'p> {
    pub fn new(
        state: State<'a, 'p>,
        model: &'p Model,
        candidates: &'s mut Candidates,
        chance: &'s mut Chance,
        confirm: &'s mut Confirm<'s>,
    ) -> Search<'s, 'a, 'p> {
        let weights = vec![1; state.graph.conjuncts.len()];
        Search {
            state,
            model,
            candidates,
            chance,
            confirm,
            weights,
            refused: HashSet::new(),
            open: vec![],
            met_open: false,
        }
    }

    /// Repairs the given assignments, then others, until the budget ends.
    pub fn run(&mut self, starts: Vec<Vec<Value>>) -> Result<SearchEnd, Exhausted> {
        let mut starts = starts.into_iter();
        for round in 0usize.. {
            let start = starts.next();
            let is_given = start.is_some();
            let start = start.unwrap_or_else(|| self.random_start(round));
            self.state.restart(start)?;
            let moves = if is_given { FIRST_RUN } else { FIRST_RUN * (1 + round / 4).min(10) };
            match self.repair(moves)? {
                SearchEnd::Tried => {}
                ended => return Ok(ended),
            }
            if round == 2 {
                match self.try_combinations(self.state.steps_left() / 3)? {
                    SearchEnd::Tried => {}
                    ended => return Ok(ended),
                }
            }
            if self.state.graph.vars.is_empty() {
                break;
            }
        }
        Ok(SearchEnd::Tried)
    }

    fn random_start(&mut self, round: usize) -> Vec<Value> {
        let first = initial(self.state.eval, self.state.graph, self.candidates);
        let mut start = first;
        for (n, value) in start.iter_mut().enumerate() {
            if round.is_multiple_of(3) && self.chance.once_in(2) {
                continue;
            }
            let var = &self.state.graph.vars[n];
            let known = self.candidates.of(self.state.eval, var.sort);
            // Usually simple values.
            let among = if self.chance.once_in(3) { known.len() } else { known.len().min(6) };
            let Some(chosen) = self.chance.pick(&known[..among]).cloned() else { continue };
            *value = constant_map(self.state.eval, var, &chosen);
        }
        start
    }

    fn is_true(&self, conjunct: NodeId) -> bool {
        matches!(self.state.value(conjunct), Ok(Value::Bool(true)))
    }

    fn is_open(&self, conjunct: NodeId) -> bool {
        matches!(self.state.value(conjunct), Err(Unknown::Open(_)))
    }

    fn total(&self) -> u64 {
        let costs = self.state.graph.conjuncts.iter().zip(&self.weights);
        costs.map(|(&conjunct, weight)| weight * u64::from(self.state.cost(conjunct).to_be_true)).sum()
    }

    /// Makes moves until everything is true or the number of moves is reached.
    fn repair(&mut self, moves: usize) -> Result<SearchEnd, Exhausted> {
        self.weights.fill(1);
        for _ in 0..moves {
            self.state.spend(1 + self.state.graph.conjuncts.len() as u64 / 8)?;
            if let Some(ended) = self.offer_if_good() {
                return Ok(ended);
            }
            let conjuncts = self.state.graph.conjuncts.iter().copied();
            let wrong: Vec<NodeId> = conjuncts.filter(|&conjunct| !self.is_true(conjunct)).collect();
            let Some(&conjunct) = self.chance.pick(&wrong) else { break };
            self.step(conjunct)?;
        }
        Ok(self.offer_open().unwrap_or(SearchEnd::Tried))
    }

    /// Offers the current assignment if everything is true; keeps it for later if the others are open.
    pub fn offer_if_good(&mut self) -> Option<SearchEnd> {
        let conjuncts = &self.state.graph.conjuncts;
        if !conjuncts.iter().all(|&conjunct| self.is_true(conjunct) || self.is_open(conjunct)) {
            return None;
        }
        // Writing one that is too long takes work that no budget counts, so it is not tried again.
        let Some(text) = answer::text(&self.state, self.model) else { return Some(SearchEnd::Refused) };
        if conjuncts.iter().all(|&conjunct| self.is_true(conjunct)) {
            return self.offer(text);
        }
        self.met_open = true;
        if self.open.len() < MAX_OPEN && !self.refused.contains(&text) {
            self.open.push(text);
        }
        None
    }

    fn offer_open(&mut self) -> Option<SearchEnd> {
        std::mem::take(&mut self.open).into_iter().find_map(|text| self.offer(text))
    }

    /// Lets an assignment be confirmed, once.
    fn offer(&mut self, text: String) -> Option<SearchEnd> {
        if self.refused.contains(&text) {
            return None;
        }
        if let Some(witness) = (self.confirm)(text.clone()) {
            return Some(SearchEnd::Found(Box::new(witness)));
        }
        self.refused.insert(text);
        (self.refused.len() >= MAX_REFUSALS).then_some(SearchEnd::Refused)
    }

    /// Makes one move for a conjunct that is not true.
    fn step(&mut self, conjunct: NodeId) -> Result<(), Exhausted> {
        let mut moves = propose(&mut self.state, self.candidates, self.chance, conjunct)?;
        if moves.is_empty() || self.chance.once_in(10) {
            moves.extend(self.random_move());
        }
        let vars = self.state.vars_of(conjunct);
        for _ in 0..vars.len().min(2) {
            let var = vars[self.chance.below(vars.len())];
            moves.extend(solve::zeros(&mut self.state, conjunct, var)?);
        }
        if moves.is_empty() {
            return Ok(());
        }
        let now = self.total();
        let mut best: Option<(u64, usize)> = None;
        for (n, one) in moves.iter().enumerate() {
            let cost = self.cost_of(one)?;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, n));
            }
        }
        let Some((cost, n)) = best else { return Ok(()) };
        if cost < now {
            return self.make(moves.swap_remove(n));
        }
        self.weigh();
        match self.chance.below(10) {
            0..4 => {
                let n = self.chance.below(moves.len());
                self.make(moves.swap_remove(n))
            }
            4..8 => self.make(moves.swap_remove(n)),
            _ => Ok(()),
        }
    }

    fn cost_of(&mut self, (var, value): &Move) -> Result<u64, Exhausted> {
        let mark = self.state.mark();
        let done = self.state.set(*var, value.clone());
        let cost = self.total();
        self.state.undo(mark);
        done.map(|()| cost)
    }

    fn make(&mut self, (var, value): Move) -> Result<(), Exhausted> {
        self.state.set(var, value)?;
        self.state.forget_record();
        Ok(())
    }

    /// Increases the weight of false conjuncts.
    fn weigh(&mut self) {
        for n in 0..self.weights.len() {
            if self.state.cost(self.state.graph.conjuncts[n]).to_be_true > OPEN {
                self.weights[n] += 1;
            }
        }
    }

    fn random_move(&mut self) -> Option<Move> {
        let count = self.state.graph.vars.len();
        if count == 0 {
            return None;
        }
        let n = self.chance.below(count);
        let var = VarId(n as u32);
        if !self.state.graph.vars[n].params.is_empty() {
            let changed = random_function(&mut self.state, self.candidates, self.chance, var)?;
            return Some((var, changed));
        }
        let known = self.candidates.of(self.state.eval, self.state.graph.vars[n].sort);
        Some((var, self.chance.pick(&known)?.clone()))
    }
}

/// A value for a symbol, given one of its result's sort: for a function, a constant function.
pub(super) fn constant_map(eval: &mut Evaluator<'_>, var: &Var, value: &Value) -> Value {
    if var.params.is_empty() {
        return value.clone();
    }
    eval.map(var.params.clone(), value.clone(), BTreeMap::new())
}

/// Every symbol with the first value of its sort.
pub(super) fn initial(eval: &mut Evaluator<'_>, graph: &Graph, candidates: &mut Candidates) -> Vec<Value> {
    graph
        .vars
        .iter()
        .map(|var| {
            let known = candidates.of(eval, var.sort);
            let first = known.first().cloned().unwrap_or(Value::Bool(false));
            constant_map(eval, var, &first)
        })
        .collect()
}
