//! The graph of a formula: hash-consed operations over 64-bit codes.
//!
//! For Booleans, bit-vectors of up to 64 bits and integers that fit, a code is the value itself; for every other sort
//! it is the number of an interned value. Equal nodes are one node. When a node is made, constants are folded and
//! conjunctions are flattened. This file does not know what an operation computes; that is in `native.rs` and
//! `call.rs`.
//!
//! Walking over the graph is what simplifying costs, so two things are kept for it. Every node has a *mask*: one bit per
//! variable below it, where variables 64 numbers apart share a bit. A walk that looks for a variable passes by nodes whose
//! mask does not have its bit; while there are at most 64 variables, the mask is the set of them and needs no walk. And
//! the graph counts the nodes that were visited and made, which the search charges to its budget
//! ([`Graph::take_effort`]).
//!
//! Nodes are made and removed by the million, so none is an allocation of its own: the arguments of all nodes are in one
//! list, in the order of the nodes, and the table of nodes holds only their numbers.

use super::native;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use std::cell::Cell;
use std::hash::BuildHasher;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct VarId(pub u32);

/// The number of an entry of `call::Calls`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallId(pub u32);

/// What a node computes from its arguments. Widths are numbers of low bits of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Prim {
    Not,
    And,
    Or,
    Xor,
    Eq,
    Ite,
    BvNot(u8),
    BvNeg(u8),
    BvAnd,
    BvOr,
    BvXor,
    BvAdd(u8),
    BvSub(u8),
    BvMul(u8),
    BvUdiv(u8),
    BvUrem(u8),
    BvShl(u8),
    BvLshr(u8),
    BvAshr(u8),
    BvUlt,
    BvUle,
    BvSlt(u8),
    BvSle(u8),
    /// The width of the lower part.
    Concat(u8),
    /// Shift right by the first number, keep as many bits as the second.
    Extract(u8, u8),
    /// From the first width to the second.
    SignExtend(u8, u8),
    IntAdd,
    IntSub,
    IntMul,
    IntNeg,
    IntLe,
    IntLt,
    /// Computed by the evaluator.
    Call(CallId),
    /// Whether the operation is under-specified at this point, according to the evaluator.
    IsOpen(CallId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node<'g> {
    Const(u64),
    Var(VarId),
    Apply(Prim, &'g [NodeId]),
}

/// A node as it is stored.
struct Stored {
    kind: Kind,
    sort: SortId,
    /// The variables below it, one bit each.
    mask: u64,
    hash: u64,
    /// Where its arguments begin and end.
    args: (u32, u32),
}

#[derive(Clone, Copy)]
enum Kind {
    Const(u64),
    Var(VarId),
    Apply(Prim),
}

#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Stored>,
    /// The arguments of all nodes.
    parts: Vec<NodeId>,
    ids: HashTable<NodeId>,
    /// One more than the largest number of a variable.
    vars: u32,
    /// What walking and making nodes has cost since it was taken last.
    effort: Cell<u64>,
    /// Memory of a walk and of a junction, empty between them.
    seen: Cell<Vec<u64>>,
    stack: Cell<Vec<NodeId>>,
    flat: Vec<NodeId>,
}

/// What it costs to visit a node, and to make one, in operations on single assignments.
const VISIT: u64 = 8;
const MAKE: u64 = 64;

impl Graph {
    /// What was spent on the graph since this was asked last.
    pub fn take_effort(&self) -> u64 {
        self.effort.take()
    }

    fn spend(&self, effort: u64) {
        self.effort.set(self.effort.get() + effort);
    }

    /// Whether a variable may occur in a node; if this is false it does not.
    pub fn may_mention(&self, id: NodeId, var: VarId) -> bool {
        self.stored(id).mask & bit(var) != 0
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    fn stored(&self, id: NodeId) -> &Stored {
        &self.nodes[id.0 as usize]
    }

    /// Removes the nodes made since there were this many.
    pub fn truncate(&mut self, len: usize) {
        for n in len..self.nodes.len() {
            let id = NodeId(n as u32);
            if let Ok(entry) = self.ids.find_entry(self.nodes[n].hash, |&other| other == id) {
                entry.remove();
            }
        }
        self.nodes.truncate(len);
        self.parts.truncate(self.nodes.last().map_or(0, |last| last.args.1 as usize));
    }

    pub fn node(&self, id: NodeId) -> Node<'_> {
        match self.stored(id).kind {
            Kind::Const(code) => Node::Const(code),
            Kind::Var(var) => Node::Var(var),
            Kind::Apply(prim) => Node::Apply(prim, self.args(id)),
        }
    }

    pub fn sort(&self, id: NodeId) -> SortId {
        self.stored(id).sort
    }

    pub fn args(&self, id: NodeId) -> &[NodeId] {
        let (first, end) = self.stored(id).args;
        &self.parts[first as usize..end as usize]
    }

    pub fn constant(&self, id: NodeId) -> Option<u64> {
        match self.stored(id).kind {
            Kind::Const(code) => Some(code),
            _ => None,
        }
    }

    /// The values of nodes that are all constants.
    pub fn constants(&self, ids: &[NodeId]) -> Option<Vec<u64>> {
        ids.iter()
            .all(|&id| self.constant(id).is_some())
            .then(|| ids.iter().filter_map(|&id| self.constant(id)).collect())
    }

    fn intern(&mut self, node: Node<'_>, sort: SortId) -> NodeId {
        let hash = FxBuildHasher.hash_one((node, sort));
        if let Some(&id) = self.ids.find(hash, |&id| self.sort(id) == sort && self.node(id) == node) {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        let (kind, args, mask) = match node {
            Node::Const(code) => (Kind::Const(code), &[][..], 0),
            Node::Var(var) => {
                self.vars = self.vars.max(var.0 + 1);
                (Kind::Var(var), &[][..], bit(var))
            }
            Node::Apply(prim, args) => {
                let mask = args.iter().fold(0, |mask, &arg| mask | self.stored(arg).mask);
                (Kind::Apply(prim), args, mask)
            }
        };
        self.spend(MAKE);
        let first = self.parts.len() as u32;
        self.parts.extend_from_slice(args);
        let args = (first, self.parts.len() as u32);
        self.nodes.push(Stored { kind, sort, mask, hash, args });
        let nodes = &self.nodes;
        self.ids.insert_unique(hash, id, |&id| nodes[id.0 as usize].hash);
        id
    }

    pub fn constant_node(&mut self, code: u64, sort: SortId) -> NodeId {
        self.intern(Node::Const(code), sort)
    }

    pub fn truth(&mut self, value: bool) -> NodeId {
        self.constant_node(u64::from(value), SortId::BOOL)
    }

    pub fn var(&mut self, var: VarId, sort: SortId) -> NodeId {
        self.intern(Node::Var(var), sort)
    }

    /// A node for a machine operation or a call that cannot be folded.
    pub fn apply(&mut self, prim: Prim, args: &[NodeId], sort: SortId) -> NodeId {
        match prim {
            Prim::Not => return self.not(args[0]),
            Prim::And => return self.junction(args, true),
            Prim::Or => return self.junction(args, false),
            Prim::Eq => return self.equal(args[0], args[1]),
            Prim::Ite => return self.ite(args[0], args[1], args[2]),
            Prim::Xor => {
                let equal = self.equal(args[0], args[1]);
                return self.not(equal);
            }
            _ => {}
        }
        if let Some(code) = self.constants(args).and_then(|codes| native::once(prim, &codes)) {
            return self.constant_node(code, sort);
        }
        self.intern(Node::Apply(prim, args), sort)
    }

    pub fn not(&mut self, a: NodeId) -> NodeId {
        let opposite = match self.node(a) {
            Node::Const(code) => return self.truth(code == 0),
            Node::Apply(Prim::Not, args) => return args[0],
            Node::Apply(Prim::IntLe, args) => Some((Prim::IntLt, [args[1], args[0]])),
            Node::Apply(Prim::IntLt, args) => Some((Prim::IntLe, [args[1], args[0]])),
            _ => None,
        };
        match opposite {
            Some((prim, args)) => self.intern(Node::Apply(prim, &args), SortId::BOOL),
            None => self.intern(Node::Apply(Prim::Not, &[a]), SortId::BOOL),
        }
    }

    pub fn and(&mut self, args: &[NodeId]) -> NodeId {
        self.junction(args, true)
    }

    pub fn or(&mut self, args: &[NodeId]) -> NodeId {
        self.junction(args, false)
    }

    /// A conjunction, or a disjunction.
    fn junction(&mut self, args: &[NodeId], and: bool) -> NodeId {
        let mut flat = std::mem::take(&mut self.flat);
        let node = match self.flattened(args, and, &mut flat) {
            false => self.truth(!and),
            true => match flat[..] {
                [] => self.truth(and),
                [only] => only,
                _ => self.intern(Node::Apply(junction(and), &flat), SortId::BOOL),
            },
        };
        flat.clear();
        self.flat = flat;
        node
    }

    /// Lists the parts of a junction, each once; false if they decide it.
    fn flattened(&self, args: &[NodeId], and: bool, flat: &mut Vec<NodeId>) -> bool {
        for &arg in args {
            match self.node(arg) {
                Node::Const(code) if (code != 0) == and => {}
                Node::Const(_) => return false,
                Node::Apply(inner, parts) if inner == junction(and) => flat.extend_from_slice(parts),
                _ => flat.push(arg),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        !flat.iter().any(|&part| match self.node(part) {
            Node::Apply(Prim::Not, args) => flat.binary_search(&args[0]).is_ok(),
            _ => false,
        })
    }

    /// Whether two codes are equal; only for sorts whose equality is equality of codes.
    pub fn equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == b {
            return self.truth(true);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => return self.truth(x == y),
            (Some(x), None) if self.sort(a) == SortId::BOOL => return if x != 0 { b } else { self.not(b) },
            (None, Some(y)) if self.sort(a) == SortId::BOOL => return if y != 0 { a } else { self.not(a) },
            _ => {}
        }
        self.intern(Node::Apply(Prim::Eq, &[a, b]), SortId::BOOL)
    }

    pub fn ite(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        if let Some(code) = self.constant(condition) {
            return if code != 0 { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        let sort = self.sort(then);
        if sort == SortId::BOOL {
            match (self.constant(then), self.constant(otherwise)) {
                (Some(t), Some(_)) => return if t != 0 { condition } else { self.not(condition) },
                (Some(1), None) => return self.or(&[condition, otherwise]),
                (Some(_), None) => {
                    let negated = self.not(condition);
                    return self.and(&[negated, otherwise]);
                }
                (None, Some(0)) => return self.and(&[condition, then]),
                (None, Some(_)) => {
                    let negated = self.not(condition);
                    return self.or(&[negated, then]);
                }
                _ => {}
            }
        }
        self.intern(Node::Apply(Prim::Ite, &[condition, then, otherwise]), sort)
    }

    /// The nodes that a node depends on, each once, arguments first.
    pub fn below(&self, root: NodeId) -> Vec<NodeId> {
        self.walk(&[root], u64::MAX, true)
    }

    /// The nodes that some nodes depend on, without those that do not mention a variable.
    pub fn below_mentioning(&self, roots: &[NodeId], var: VarId) -> Vec<NodeId> {
        self.walk(roots, bit(var), false)
    }

    /// The variables that a node depends on, in order.
    pub fn vars(&self, root: NodeId) -> Vec<VarId> {
        if self.vars <= u64::BITS {
            let mask = self.stored(root).mask;
            return (0..self.vars).filter(|n| mask >> n & 1 == 1).map(VarId).collect();
        }
        let var = |id| match self.node(id) {
            Node::Var(var) => Some(var),
            _ => None,
        };
        let mut vars: Vec<VarId> = self.walk(&[root], u64::MAX, false).into_iter().filter_map(var).collect();
        vars.sort_unstable();
        vars
    }

    /// The nodes below some whose mask has one of these bits; with `constants` those without any variable too.
    fn walk(&self, roots: &[NodeId], mask: u64, constants: bool) -> Vec<NodeId> {
        let wanted = |id: NodeId| constants || self.stored(id).mask & mask != 0;
        let (mut seen, mut stack) = (self.seen.take(), self.stack.take());
        let words = roots.iter().map(|root| root.0 as usize / 64 + 1).max().unwrap_or(0);
        if seen.len() < words {
            seen.resize(words, 0);
        }
        stack.extend_from_slice(roots);
        let mut count = 0;
        while let Some(id) = stack.pop() {
            let (word, place) = (&mut seen[id.0 as usize / 64], 1 << (id.0 % 64));
            if *word & place == 0 && wanted(id) {
                *word |= place;
                count += 1;
                stack.extend_from_slice(self.args(id));
            }
        }
        self.spend((count + words / 64) as u64 * VISIT);
        // A node is made after its arguments, so its number is larger than theirs.
        let mut order = Vec::with_capacity(count);
        for (n, word) in seen[..words].iter_mut().enumerate() {
            while *word != 0 {
                order.push(NodeId(n as u32 * 64 + word.trailing_zeros()));
                *word &= *word - 1;
            }
        }
        self.seen.set(seen);
        self.stack.set(stack);
        order
    }
}

fn junction(and: bool) -> Prim {
    if and { Prim::And } else { Prim::Or }
}

/// The bit of a variable in a mask.
fn bit(var: VarId) -> u64 {
    1 << (var.0 % 64)
}
