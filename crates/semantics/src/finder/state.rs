//! An assignment with the values of all nodes, kept up to date.
//!
//! After a change of one symbol, only the nodes that depend on it are evaluated again, and among those only the ones
//! whose arguments really changed. Each truth value is stored with its cost (`distance`). Overwritten values are
//! recorded, so that trying and undoing a move costs only what it touches. Every evaluation spends from the budget of
//! the whole search.

use super::distance::{self, Cost};
use super::graph::{Graph, Node, NodeId, VarId};
use super::weight;
use crate::budget::{Budget, Exhausted};
use crate::eval::{Evaluator, Outcome, Unknown};
use crate::value::Value;
use smtlib::sort::SortId;

pub(super) struct State<'a, 'p> {
    pub graph: &'a Graph,
    pub eval: &'a mut Evaluator<'p>,
    budget: &'a Budget,
    assignment: Vec<Value>,
    values: Vec<Outcome>,
    costs: Vec<Cost>,
    dependents: &'a [Vec<NodeId>],
    /// The change in which a node last got another value.
    changed: Vec<u32>,
    change: u32,
    nodes_before: Vec<(NodeId, Outcome, Cost)>,
    vars_before: Vec<(VarId, Value)>,
}

/// A position in the record of changes.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize, usize);

impl<'a, 'p> State<'a, 'p> {
    /// Evaluates everything under an assignment, one value per symbol.
    pub fn new(
        graph: &'a Graph,
        dependents: &'a [Vec<NodeId>],
        eval: &'a mut Evaluator<'p>,
        budget: &'a Budget,
        assignment: Vec<Value>,
    ) -> Result<State<'a, 'p>, Exhausted> {
        let mut state = State {
            graph,
            eval,
            budget,
            assignment,
            values: vec![Err(Unknown::Generic); graph.len()],
            costs: vec![Cost::default(); graph.len()],
            dependents,
            changed: vec![0; graph.len()],
            change: 0,
            nodes_before: vec![],
            vars_before: vec![],
        };
        state.evaluate_all()?;
        Ok(state)
    }

    fn evaluate_all(&mut self) -> Result<(), Exhausted> {
        for n in 0..self.graph.len() {
            let id = NodeId(n as u32);
            let value = self.evaluate(id)?;
            self.costs[n] = self.cost_of(id, &value);
            self.values[n] = value;
        }
        Ok(())
    }

    pub fn value(&self, id: NodeId) -> &Outcome {
        &self.values[id.0 as usize]
    }

    pub fn cost(&self, id: NodeId) -> Cost {
        self.costs[id.0 as usize]
    }

    pub fn assigned(&self, var: VarId) -> &Value {
        &self.assignment[var.0 as usize]
    }

    pub fn assignment(&self) -> &[Value] {
        &self.assignment
    }

    pub fn steps_left(&self) -> u64 {
        self.budget.steps_left()
    }

    /// The symbols that a conjunct depends on, in order.
    pub fn vars_of(&self, conjunct: NodeId) -> Vec<VarId> {
        let depends = |nodes: &Vec<NodeId>| nodes.binary_search(&conjunct).is_ok();
        let vars = self.dependents.iter().enumerate().filter(|(_, nodes)| depends(nodes));
        vars.map(|(n, _)| VarId(n as u32)).collect()
    }

    pub fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        self.budget.spend(steps)
    }

    /// Starts from another assignment.
    pub fn restart(&mut self, assignment: Vec<Value>) -> Result<(), Exhausted> {
        self.assignment = assignment;
        self.forget_record();
        self.evaluate_all()
    }

    /// Gives a symbol another value.
    pub fn set(&mut self, var: VarId, value: Value) -> Result<(), Exhausted> {
        let old = std::mem::replace(&mut self.assignment[var.0 as usize], value);
        self.vars_before.push((var, old));
        self.change += 1;
        let dependents = self.dependents;
        for &id in &dependents[var.0 as usize] {
            if self.needs_evaluation(id, var) {
                self.update(id)?;
            }
        }
        Ok(())
    }

    fn needs_evaluation(&self, id: NodeId, var: VarId) -> bool {
        let fresh = |id: &NodeId| self.changed[id.0 as usize] == self.change;
        match self.graph.node(id) {
            Node::Symbol(_) => true,
            Node::Call(function, args) => *function == var || args.iter().any(fresh),
            Node::And(args) | Node::Or(args) | Node::Apply(_, args) => args.iter().any(fresh),
            Node::Not(a) => fresh(a),
            Node::Ite(a, b, c) => fresh(a) || fresh(b) || fresh(c),
            Node::Equal(a, b) => fresh(a) || fresh(b),
            Node::Opaque(opaque) => {
                opaque.functions.contains(&var)
                    || opaque.bound.iter().any(|(_, node)| fresh(node))
                    || opaque.symbols.iter().any(|(_, node)| fresh(node))
            }
            Node::Const(_) => false,
        }
    }

    fn update(&mut self, id: NodeId) -> Result<(), Exhausted> {
        let n = id.0 as usize;
        let value = self.evaluate(id)?;
        let cost = self.cost_of(id, &value);
        if value == self.values[n] && cost == self.costs[n] {
            return Ok(());
        }
        self.changed[n] = self.change;
        let old = std::mem::replace(&mut self.values[n], value);
        self.nodes_before.push((id, old, std::mem::replace(&mut self.costs[n], cost)));
        Ok(())
    }

    // The record of changes.

    pub fn mark(&self) -> Mark {
        Mark(self.nodes_before.len(), self.vars_before.len())
    }

    pub fn undo(&mut self, mark: Mark) {
        for (id, value, cost) in self.nodes_before.drain(mark.0..).rev() {
            self.values[id.0 as usize] = value;
            self.costs[id.0 as usize] = cost;
        }
        for (var, value) in self.vars_before.drain(mark.1..).rev() {
            self.assignment[var.0 as usize] = value;
        }
    }

    pub fn forget_record(&mut self) {
        self.nodes_before.clear();
        self.vars_before.clear();
    }

    // Evaluation.

    fn evaluate(&mut self, id: NodeId) -> Result<Outcome, Exhausted> {
        self.budget.spend(1)?;
        let graph = self.graph;
        Ok(match graph.node(id) {
            Node::Const(value) => Ok(value.clone()),
            Node::Symbol(var) => Ok(self.assignment[var.0 as usize].clone()),
            Node::Call(var, args) => match self.values_of(args) {
                Ok(args) => {
                    let map = self.assignment[var.0 as usize].clone();
                    let (outcome, steps) = self.eval.counted(|eval| eval.apply_value(&map, args));
                    self.budget.spend(steps)?;
                    outcome
                }
                Err(unknown) => Err(unknown),
            },
            Node::Not(a) => match self.value(*a) {
                Ok(Value::Bool(truth)) => Ok(Value::Bool(!truth)),
                other => other.clone(),
            },
            Node::And(args) => self.junction(args, false),
            Node::Or(args) => self.junction(args, true),
            Node::Ite(condition, then, otherwise) => match self.value(*condition) {
                Ok(Value::Bool(true)) => self.value(*then).clone(),
                Ok(_) => self.value(*otherwise).clone(),
                Err(unknown) if self.value(*then) != self.value(*otherwise) => Err(*unknown),
                Err(_) => self.value(*then).clone(),
            },
            Node::Equal(a, b) => match (self.value(*a).clone(), self.value(*b).clone()) {
                (Ok(a), Ok(b)) => {
                    let (outcome, steps) = self.eval.counted(|eval| eval.same(&a, &b));
                    self.budget.spend(steps)?;
                    outcome.map(Value::Bool)
                }
                (Err(unknown), _) | (_, Err(unknown)) => Err(unknown),
            },
            Node::Apply(operation, args) => match self.values_of(args) {
                Ok(args) if weight::is_too_much(args.iter()) => Err(Unknown::TooHard),
                Ok(args) => {
                    self.budget.spend(args.iter().map(weight::steps).sum())?;
                    let sort = graph.sort(id);
                    let (outcome, steps) =
                        self.eval.counted(|eval| eval.try_operation(*operation, sort, &args));
                    self.budget.spend(steps)?;
                    outcome
                }
                Err(unknown) => Err(unknown),
            },
            Node::Opaque(_) => return self.whole(id),
        })
    }

    /// A term that the evaluator evaluates as a whole.
    fn whole(&mut self, id: NodeId) -> Result<Outcome, Exhausted> {
        let graph = self.graph;
        let Node::Opaque(opaque) = graph.node(id) else { return Ok(Err(Unknown::Generic)) };
        let mut bound = vec![];
        for &(name, node) in &opaque.bound {
            match self.value(node) {
                Ok(value) => bound.push((name, value.clone())),
                Err(unknown) => return Ok(Err(*unknown)),
            }
        }
        for &(decl, node) in &opaque.symbols {
            match self.value(node) {
                Ok(value) => self.eval.assign(decl, value.clone()),
                Err(unknown) => return Ok(Err(*unknown)),
            }
        }
        for &var in &opaque.functions {
            let decl = graph.vars[var.0 as usize].decl;
            self.eval.assign(decl, self.assignment[var.0 as usize].clone());
        }
        let (outcome, steps) = self.eval.counted(|eval| eval.try_term(opaque.term, &bound));
        self.budget.spend(steps)?;
        Ok(outcome)
    }

    pub fn values_of(&self, nodes: &[NodeId]) -> Result<Vec<Value>, Unknown> {
        nodes.iter().map(|&node| self.value(node).clone()).collect()
    }

    fn junction(&self, args: &[NodeId], decisive: bool) -> Outcome {
        let mut unknown = None;
        for &arg in args {
            match self.value(arg) {
                Ok(Value::Bool(truth)) if *truth == decisive => return Ok(Value::Bool(decisive)),
                Ok(_) => {}
                Err(reason) if matches!(unknown, Some(Unknown::Open(_)) | None) => unknown = Some(*reason),
                Err(_) => {}
            }
        }
        unknown.map_or(Ok(Value::Bool(!decisive)), Err)
    }

    // Costs.

    fn cost_of(&self, id: NodeId, value: &Outcome) -> Cost {
        if self.graph.sort(id) != SortId::BOOL {
            return Cost::default();
        }
        let cost = |id: &NodeId| self.costs[id.0 as usize];
        match (self.graph.node(id), value) {
            (Node::Not(a), _) => cost(a).flipped(),
            (Node::And(args), _) => Cost::and(args.iter().map(cost)),
            (Node::Or(args), _) => Cost::or(args.iter().map(cost)),
            (Node::Ite(a, b, c), _) => Cost::ite(cost(a), cost(b), cost(c)),
            (Node::Equal(a, b), _) if self.graph.sort(*a) == SortId::BOOL => Cost::same(cost(a), cost(b)),
            (_, Err(Unknown::Open(_))) => Cost::OPEN,
            (_, Err(_)) => Cost::UNKNOWN,
            (Node::Equal(a, b), Ok(Value::Bool(truth))) => {
                let far = match (self.value(*a), self.value(*b)) {
                    (Ok(a), Ok(b)) if !truth => distance::between(a, b),
                    _ => 0,
                };
                Cost::atom(*truth, far)
            }
            (Node::Apply(operation, args), Ok(Value::Bool(truth))) => {
                let far = self.values_of(args).map_or(0, |args| distance::of_atom(*operation, &args));
                Cost::atom(*truth, far)
            }
            (_, Ok(Value::Bool(truth))) => Cost::atom(*truth, 0),
            _ => Cost::UNKNOWN,
        }
    }
}
