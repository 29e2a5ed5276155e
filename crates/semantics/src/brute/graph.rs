//! The graph of a formula: hash-consed operations over 64-bit codes.
//!
//! For Booleans, bit-vectors of up to 64 bits and integers that fit, a code is the value itself; for every other sort
//! it is the number of an interned value. Equal nodes are one node. When a node is made, constants are folded and
//! conjunctions are flattened. This file does not know what an operation computes; that is in `native.rs` and
//! `call.rs`.
//!
//! Walking over the graph is what simplifying costs, so two things are kept for it. Every node has a *mask*: one bit per
//! variable below it, where variables 64 numbers apart share a bit. A walk that looks for a variable passes by nodes whose
//! mask does not have its bit. And the graph counts the nodes that were visited and made, which the search charges to its
//! budget ([`Graph::take_effort`]).

use super::native;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use std::cell::Cell;

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

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Const(u64),
    Var(VarId),
    Apply(Prim, Box<[NodeId]>),
}

#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<(Node, SortId)>,
    /// The variables below each node, one bit each.
    masks: Vec<u64>,
    ids: HashMap<(Node, SortId), NodeId, FxBuildHasher>,
    /// What walking and making nodes has cost since it was taken last.
    effort: Cell<u64>,
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
        self.masks[id.0 as usize] & bit(var) != 0
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Removes the nodes made since there were this many.
    pub fn truncate(&mut self, len: usize) {
        for key in self.nodes.drain(len..) {
            self.ids.remove(&key);
        }
        self.masks.truncate(len);
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize].0
    }

    pub fn sort(&self, id: NodeId) -> SortId {
        self.nodes[id.0 as usize].1
    }

    pub fn args(&self, id: NodeId) -> &[NodeId] {
        match self.node(id) {
            Node::Apply(_, args) => args,
            _ => &[],
        }
    }

    pub fn constant(&self, id: NodeId) -> Option<u64> {
        match self.node(id) {
            Node::Const(code) => Some(*code),
            _ => None,
        }
    }

    fn intern(&mut self, node: Node, sort: SortId) -> NodeId {
        let key = (node, sort);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        let mask = match &key.0 {
            Node::Const(_) => 0,
            Node::Var(var) => bit(*var),
            Node::Apply(_, args) => args.iter().fold(0, |mask, arg| mask | self.masks[arg.0 as usize]),
        };
        self.spend(MAKE);
        self.masks.push(mask);
        self.nodes.push(key.clone());
        self.ids.insert(key, id);
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
    pub fn apply(&mut self, prim: Prim, args: Vec<NodeId>, sort: SortId) -> NodeId {
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
        let codes: Option<Vec<u64>> = args.iter().map(|&arg| self.constant(arg)).collect();
        if let Some(code) = codes.and_then(|codes| native::once(prim, &codes)) {
            return self.constant_node(code, sort);
        }
        self.intern(Node::Apply(prim, args.into()), sort)
    }

    pub fn not(&mut self, a: NodeId) -> NodeId {
        let opposite = match self.node(a) {
            Node::Const(code) => return self.truth(*code == 0),
            Node::Apply(Prim::Not, args) => return args[0],
            Node::Apply(Prim::IntLe, args) => Some((Prim::IntLt, [args[1], args[0]])),
            Node::Apply(Prim::IntLt, args) => Some((Prim::IntLe, [args[1], args[0]])),
            _ => None,
        };
        match opposite {
            Some((prim, args)) => self.intern(Node::Apply(prim, args.into()), SortId::BOOL),
            None => self.intern(Node::Apply(Prim::Not, [a].into()), SortId::BOOL),
        }
    }

    pub fn and(&mut self, args: Vec<NodeId>) -> NodeId {
        self.junction(args, true)
    }

    pub fn or(&mut self, args: Vec<NodeId>) -> NodeId {
        self.junction(args, false)
    }

    /// A conjunction, or a disjunction.
    fn junction(&mut self, args: Vec<NodeId>, and: bool) -> NodeId {
        let prim = if and { Prim::And } else { Prim::Or };
        let mut flat = vec![];
        for arg in args {
            match self.node(arg) {
                Node::Const(code) if (*code != 0) == and => {}
                Node::Const(_) => return self.truth(!and),
                Node::Apply(inner, parts) if *inner == prim => flat.extend_from_slice(parts),
                _ => flat.push(arg),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for n in 0..flat.len() {
            if let Node::Apply(Prim::Not, args) = self.node(flat[n])
                && flat.binary_search(&args[0]).is_ok()
            {
                return self.truth(!and);
            }
        }
        match flat[..] {
            [] => self.truth(and),
            [only] => only,
            _ => self.intern(Node::Apply(prim, flat.into()), SortId::BOOL),
        }
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
        self.intern(Node::Apply(Prim::Eq, [a, b].into()), SortId::BOOL)
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
                (Some(1), None) => return self.or(vec![condition, otherwise]),
                (Some(_), None) => {
                    let negated = self.not(condition);
                    return self.and(vec![negated, otherwise]);
                }
                (None, Some(0)) => return self.and(vec![condition, then]),
                (None, Some(_)) => {
                    let negated = self.not(condition);
                    return self.or(vec![negated, then]);
                }
                _ => {}
            }
        }
        self.intern(Node::Apply(Prim::Ite, [condition, then, otherwise].into()), sort)
    }

    /// The nodes that a node depends on, each once, arguments first.
    pub fn below(&self, root: NodeId) -> Vec<NodeId> {
        self.walk(root, u64::MAX, true)
    }

    /// The same, without nodes that do not mention a variable.
    pub fn below_mentioning(&self, root: NodeId, var: VarId) -> Vec<NodeId> {
        self.walk(root, bit(var), false)
    }

    /// The variables that a node depends on, in order.
    pub fn vars(&self, root: NodeId) -> Vec<VarId> {
        let var = |id| match self.node(id) {
            Node::Var(var) => Some(*var),
            _ => None,
        };
        let mut vars: Vec<VarId> = self.walk(root, u64::MAX, false).into_iter().filter_map(var).collect();
        vars.sort_unstable();
        vars
    }

    /// The nodes below one whose mask has one of these bits; with `constants` those without any variable too.
    fn walk(&self, root: NodeId, mask: u64, constants: bool) -> Vec<NodeId> {
        let wanted = |id: NodeId| constants || self.masks[id.0 as usize] & mask != 0;
        let mut seen = vec![0u64; root.0 as usize / 64 + 1];
        let mut stack = vec![root];
        let mut count = 0;
        while let Some(id) = stack.pop() {
            let (word, place) = (&mut seen[id.0 as usize / 64], 1 << (id.0 % 64));
            if wanted(id) && *word & place == 0 {
                *word |= place;
                count += 1;
                stack.extend_from_slice(self.args(id));
            }
        }
        self.spend((count + seen.len() / 64) as u64 * VISIT);
        // A node is made after its arguments, so its number is larger than theirs.
        let mut order = Vec::with_capacity(count);
        for (n, mut word) in seen.into_iter().enumerate() {
            while word != 0 {
                order.push(NodeId(n as u32 * 64 + word.trailing_zeros()));
                word &= word - 1;
            }
        }
        order
    }
}

/// The bit of a variable in a mask.
fn bit(var: VarId) -> u64 {
    1 << (var.0 % 64)
}
