//! The assertions as one graph that the search evaluates repeatedly.
//!
//! A node is a constant, a symbol, a connective or an operation on other nodes. Equal nodes are one, and a node comes
//! after the nodes it uses, so that one pass in order evaluates everything. `let`s and non-recursive definitions have
//! been expanded (`lower`). A term that cannot be represented (a quantifier over a large sort, a recursive function)
//! is one opaque node that the evaluator evaluates as a whole.

use crate::eval::Operation;
use crate::value::Value;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{DeclId, TermId};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct VarId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Const(Value),
    /// A declared constant.
    Symbol(VarId),
    /// A declared function applied.
    Call(VarId, Arc<[NodeId]>),
    Not(NodeId),
    And(Arc<[NodeId]>),
    Or(Arc<[NodeId]>),
    /// Of any sort.
    Ite(NodeId, NodeId, NodeId),
    Equal(NodeId, NodeId),
    Apply(Operation, Arc<[NodeId]>),
    Opaque(Arc<Opaque>),
}

/// A term that the evaluator evaluates as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Opaque {
    pub term: TermId,
    /// Its free variables.
    pub bound: Vec<(Symbol, NodeId)>,
    /// The constants that it mentions.
    pub symbols: Vec<(DeclId, NodeId)>,
    /// The functions that it mentions.
    pub functions: Vec<VarId>,
}

/// A symbol to which the search assigns values.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub decl: DeclId,
    /// The sorts of its arguments.
    pub params: Arc<[SortId]>,
    /// The sort of its result.
    pub sort: SortId,
}

#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<(Node, SortId)>,
    ids: HashMap<(Node, SortId), NodeId, FxBuildHasher>,
    pub vars: Vec<Var>,
    pub var_ids: HashMap<DeclId, VarId, FxBuildHasher>,
    /// The conjuncts that must be true.
    pub conjuncts: Vec<NodeId>,
    /// Symbols that are defined by an equation, with the node of their value.
    pub defined: Vec<(DeclId, NodeId)>,
}

impl Graph {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize].0
    }

    pub fn sort(&self, id: NodeId) -> SortId {
        self.nodes[id.0 as usize].1
    }

    pub fn constant(&self, id: NodeId) -> Option<&Value> {
        match self.node(id) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    pub fn add(&mut self, node: Node, sort: SortId) -> NodeId {
        let key = (node, sort);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(key.clone());
        self.ids.insert(key, id);
        id
    }

    pub fn truth(&mut self, truth: bool) -> NodeId {
        self.add(Node::Const(Value::Bool(truth)), SortId::BOOL)
    }

    fn as_truth(&self, id: NodeId) -> Option<bool> {
        self.constant(id).and_then(Value::as_bool)
    }

    pub fn not(&mut self, id: NodeId) -> NodeId {
        match (self.node(id).clone(), self.as_truth(id)) {
            (_, Some(truth)) => self.truth(!truth),
            (Node::Not(inner), _) => inner,
            _ => self.add(Node::Not(id), SortId::BOOL),
        }
    }

    /// A conjunction, or a disjunction if `decisive` is true: the truth value of one part that decides the whole.
    fn junction(&mut self, parts: Vec<NodeId>, decisive: bool) -> NodeId {
        let mut kept = vec![];
        for part in parts {
            match self.as_truth(part) {
                Some(truth) if truth == decisive => return self.truth(decisive),
                Some(_) => {}
                None if kept.contains(&part) => {}
                None => kept.push(part),
            }
        }
        match kept[..] {
            [] => self.truth(!decisive),
            [only] => only,
            _ if decisive => self.add(Node::Or(kept.into()), SortId::BOOL),
            _ => self.add(Node::And(kept.into()), SortId::BOOL),
        }
    }

    pub fn and(&mut self, parts: Vec<NodeId>) -> NodeId {
        self.junction(parts, false)
    }

    pub fn or(&mut self, parts: Vec<NodeId>) -> NodeId {
        self.junction(parts, true)
    }

    pub fn ite(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        match self.as_truth(condition) {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => self.add(Node::Ite(condition, then, otherwise), self.sort(then)),
        }
    }

    pub fn equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == b {
            return self.truth(true);
        }
        match (self.as_truth(a), self.as_truth(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.not(b),
            (_, Some(false)) => self.not(a),
            _ => self.add(Node::Equal(a.min(b), a.max(b)), SortId::BOOL),
        }
    }

    /// The nodes that a node uses.
    pub fn uses(&self, id: NodeId) -> Vec<NodeId> {
        match self.node(id) {
            Node::Const(_) | Node::Symbol(_) => vec![],
            Node::Call(_, args) | Node::And(args) | Node::Or(args) | Node::Apply(_, args) => args.to_vec(),
            Node::Not(a) => vec![*a],
            Node::Ite(a, b, c) => vec![*a, *b, *c],
            Node::Equal(a, b) => vec![*a, *b],
            Node::Opaque(opaque) => {
                let bound = opaque.bound.iter().map(|&(_, node)| node);
                bound.chain(opaque.symbols.iter().map(|&(_, node)| node)).collect()
            }
        }
    }

    /// The symbols that a node itself reads.
    fn reads(&self, id: NodeId) -> &[VarId] {
        match self.node(id) {
            Node::Symbol(var) | Node::Call(var, _) => std::slice::from_ref(var),
            Node::Opaque(opaque) => &opaque.functions,
            _ => &[],
        }
    }

    /// Per symbol, the nodes whose value may depend on it, in order.
    pub fn dependents(&self) -> Vec<Vec<NodeId>> {
        let mut of_node: Vec<Vec<VarId>> = Vec::with_capacity(self.len());
        let mut dependents = vec![vec![]; self.vars.len()];
        for n in 0..self.len() {
            let id = NodeId(n as u32);
            let mut vars: Vec<VarId> = self.reads(id).to_vec();
            for used in self.uses(id) {
                vars.extend(&of_node[used.0 as usize]);
            }
            vars.sort_unstable();
            vars.dedup();
            for var in &vars {
                dependents[var.0 as usize].push(id);
            }
            of_node.push(vars);
        }
        dependents
    }
}
