//! The arena: normalised, hash-consed nodes and their constructors.
//!
//! Nodes with one id denote one language. The converse is only approximated: union and intersection are flattened,
//! sorted, without repeats; character classes are merged; neutral and absorbing elements are removed; concatenation is
//! right-associated. That is enough to make the set of derivatives of any expression finite and, in practice, small.
//!
//! Ids never leave `RegexPool`, so none can be used with the wrong arena. When the arena has grown large it is emptied
//! between two questions, so that a long run does not use more and more memory.

use super::Regex;
use crate::value::text::MAX_CHAR;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

pub(super) type Id = u32;

pub(super) const NONE: Id = 0;
pub(super) const EPSILON: Id = 1;
pub(super) const ALL_CHAR: Id = 2;
pub(super) const ALL: Id = 3;

/// Number of steps for a question unless the pool was made with another limit.
const DEFAULT_STEPS: u64 = 2_000_000;

/// The arena is emptied before a question when it has more nodes than this.
const KEEP_NODES: usize = 1 << 18;

/// A longer chain on the left of a concatenation is kept instead of being rebuilt.
const ROTATE: usize = 64;

/// The question needs more steps than its limit; the answer is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("regular expression needs more than the allowed number of steps")]
pub struct StepLimit;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Node {
    None,
    Epsilon,
    /// Non-empty, sorted, disjoint, not adjacent.
    Class(Box<[(u32, u32)]>),
    Concat(Id, Id),
    /// Two or more, sorted, no unions, at most one class.
    Union(Box<[Id]>),
    Inter(Box<[Id]>),
    Star(Id),
    /// `lo <= hi` and `hi >= 2`.
    Loop(Id, u64, u64),
    Comp(Id),
}

#[derive(Debug, Clone, Copy)]
struct Facts {
    nullable: bool,
    /// Whether it is built without complement and intersection: then it is not empty unless it is `NONE` itself.
    positive: bool,
}

/// Answers questions about regular languages. See the head of this file.
pub struct RegexPool {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    table: HashTable<Id>,
    pub(super) derivatives: FxHashMap<(Id, u32), Id>,
    /// By address of the term's node and whether it was read backwards.
    pub(super) imported: FxHashMap<(usize, bool), Id>,
    /// Keeps the terms alive, so that other terms cannot reuse the addresses above.
    pub(super) kept: Vec<Regex>,
    limit: u64,
    left: u64,
}

impl Default for RegexPool {
    fn default() -> RegexPool {
        RegexPool::with_limit(DEFAULT_STEPS)
    }
}

impl RegexPool {
    /// A pool that allows this many steps for every question.
    pub fn with_limit(limit: u64) -> RegexPool {
        let mut pool = RegexPool {
            nodes: Vec::new(),
            facts: Vec::new(),
            table: HashTable::new(),
            derivatives: FxHashMap::default(),
            imported: FxHashMap::default(),
            kept: Vec::new(),
            limit,
            left: limit,
        };
        pool.clear();
        pool
    }

    /// Sets the number of steps for each following question.
    pub(crate) fn allow(&mut self, steps: u64) {
        (self.limit, self.left) = (steps, steps);
    }

    /// The steps that the last question took.
    pub(crate) fn spent(&self) -> u64 {
        self.limit - self.left
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.facts.clear();
        self.table.clear();
        self.derivatives.clear();
        self.imported.clear();
        self.kept.clear();
        // In the order of the constants.
        self.intern(Node::None);
        self.intern(Node::Epsilon);
        self.intern(Node::Class([(0, MAX_CHAR)].into()));
        self.intern(Node::Star(ALL_CHAR));
    }

    /// Begins a question with a full budget, and with an empty arena if the old one is large.
    pub(super) fn begin(&mut self) {
        self.left = self.limit;
        if self.nodes.len() > KEEP_NODES || self.derivatives.len() > 4 * KEEP_NODES {
            self.clear();
        }
    }

    pub(super) fn charge(&mut self, steps: usize) -> Result<(), StepLimit> {
        self.left = self.left.checked_sub(steps as u64).ok_or(StepLimit)?;
        Ok(())
    }

    /// Counts the work of a constructor, which cannot fail: the next `charge` fails if it was too much.
    fn spend(&mut self, steps: usize) {
        self.left = self.left.saturating_sub(steps as u64);
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn nullable(&self, id: Id) -> bool {
        self.facts[id as usize].nullable
    }

    pub(super) fn positive(&self, id: Id) -> bool {
        self.facts[id as usize].positive
    }

    fn intern(&mut self, node: Node) -> Id {
        let hash = FxBuildHasher.hash_one(&node);
        if let Some(&id) = self.table.find(hash, |&id| self.nodes[id as usize] == node) {
            return id;
        }
        // The step limit keeps the arena far below 2^32 nodes.
        let id = self.nodes.len() as Id;
        self.facts.push(self.facts_of(&node));
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.table.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&nodes[id as usize]));
        id
    }

    fn facts_of(&self, node: &Node) -> Facts {
        let all = |ids: &[Id], f: fn(&Facts) -> bool| ids.iter().all(|&i| f(&self.facts[i as usize]));
        let any = |ids: &[Id]| ids.iter().any(|&i| self.nullable(i));
        let (nullable, positive) = match node {
            Node::None | Node::Class(_) => (false, true),
            Node::Epsilon => (true, true),
            Node::Concat(l, r) => (all(&[*l, *r], |f| f.nullable), all(&[*l, *r], |f| f.positive)),
            Node::Union(kids) => (any(kids), all(kids, |f| f.positive)),
            Node::Inter(kids) => (all(kids, |f| f.nullable), false),
            Node::Star(r) => (true, self.positive(*r)),
            Node::Loop(r, lo, _) => (*lo == 0 || self.nullable(*r), self.positive(*r)),
            Node::Comp(r) => (!self.nullable(*r), false),
        };
        Facts { nullable, positive }
    }

    /// One character out of ranges that may overlap and be in any order.
    pub(super) fn class(&mut self, mut ranges: Vec<(u32, u32)>) -> Id {
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (lo, hi) in ranges {
            match merged.last_mut() {
                Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
                _ => merged.push((lo, hi)),
            }
        }
        if merged.is_empty() { NONE } else { self.intern(Node::Class(merged.into())) }
    }

    pub(super) fn concat(&mut self, l: Id, r: Id) -> Id {
        if l == NONE || r == NONE {
            return NONE;
        }
        if l == EPSILON {
            return r;
        }
        if r == EPSILON {
            return l;
        }
        let mut chain = Vec::new();
        let mut rest = l;
        while let Node::Concat(head, tail) = *self.node(rest) {
            if chain.len() == ROTATE {
                return self.link(l, r);
            }
            chain.push(head);
            rest = tail;
        }
        self.spend(chain.len());
        let mut out = self.link(rest, r);
        while let Some(head) = chain.pop() {
            out = self.link(head, out);
        }
        out
    }

    /// Concatenation without reordering. Adjacent repetitions of one body are merged: `r r{2,3}` is `r{3,4}`, `r* r*`
    /// is `r*`. So a sequence of equal parts costs one node.
    fn link(&mut self, l: Id, r: Id) -> Id {
        let (head, tail) = match *self.node(r) {
            Node::Concat(head, tail) => (head, tail),
            _ => (r, EPSILON),
        };
        match (self.rounds(l), self.rounds(head)) {
            ((a, 0, _), (b, 0, None)) if a == b => r,
            ((a, 0, None), (b, 0, _)) if a == b => self.concat(l, tail),
            ((a, lo, Some(hi)), (b, lo2, Some(hi2))) if a == b => {
                match (lo.checked_add(lo2), hi.checked_add(hi2)) {
                    (Some(lo), Some(hi)) => {
                        let both = self.repeat(a, lo, hi);
                        self.concat(both, tail)
                    }
                    _ => self.intern(Node::Concat(l, r)),
                }
            }
            _ => self.intern(Node::Concat(l, r)),
        }
    }

    /// A node as repetitions of a body: minimum and maximum, the latter `None` for a star.
    fn rounds(&self, id: Id) -> (Id, u64, Option<u64>) {
        match *self.node(id) {
            Node::Star(body) => (body, 0, None),
            Node::Loop(body, lo, hi) => (body, lo, Some(hi)),
            _ => (id, 1, Some(1)),
        }
    }

    pub(super) fn union(&mut self, items: Vec<Id>) -> Id {
        let mut kids = Vec::with_capacity(items.len());
        let mut classes = Vec::new();
        for item in items {
            match self.node(item) {
                Node::Union(inner) => kids.extend_from_slice(inner),
                _ => kids.push(item),
            }
        }
        self.spend(kids.len());
        sort(&mut kids);
        kids.retain(|&id| match self.node(id) {
            Node::None => false,
            Node::Class(_) => {
                classes.push(id);
                false
            }
            _ => true,
        });
        match classes.as_slice() {
            [] => {}
            [only] => kids.push(*only),
            _ => {
                let ranges = classes.iter().flat_map(|&id| self.ranges(id).to_vec()).collect();
                kids.push(self.class(ranges));
            }
        }
        sort(&mut kids);
        if kids.contains(&ALL) || self.has_opposites(&kids) {
            return ALL;
        }
        if kids.iter().any(|&id| id != EPSILON && self.nullable(id)) {
            kids.retain(|&id| id != EPSILON);
        }
        match kids.as_slice() {
            [] => NONE,
            [only] => *only,
            _ => self.intern(Node::Union(kids.into())),
        }
    }

    pub(super) fn inter(&mut self, items: Vec<Id>) -> Id {
        let mut kids = Vec::with_capacity(items.len());
        let mut class: Option<Vec<(u32, u32)>> = None;
        for item in items {
            match self.node(item) {
                Node::Inter(inner) => kids.extend_from_slice(inner),
                _ => kids.push(item),
            }
        }
        self.spend(kids.len());
        sort(&mut kids);
        if kids.contains(&NONE) || self.has_opposites(&kids) {
            return NONE;
        }
        if kids.contains(&EPSILON) {
            return if kids.iter().all(|&id| self.nullable(id)) { EPSILON } else { NONE };
        }
        kids.retain(|&id| match self.node(id) {
            Node::Class(ranges) => {
                class = Some(match &class {
                    None => ranges.to_vec(),
                    Some(met) => meet(met, ranges),
                });
                false
            }
            _ => id != ALL,
        });
        if let Some(ranges) = class {
            let met = self.class(ranges);
            // A class has no empty word and only words of one character.
            if met == NONE {
                return NONE;
            }
            kids.push(met);
            sort(&mut kids);
        }
        match kids.as_slice() {
            [] => ALL,
            [only] => *only,
            _ => self.intern(Node::Inter(kids.into())),
        }
    }

    /// Whether an operand's complement is also an operand.
    fn has_opposites(&self, sorted: &[Id]) -> bool {
        sorted.iter().any(|&id| match *self.node(id) {
            Node::Comp(r) => sorted.binary_search(&r).is_ok(),
            _ => false,
        })
    }

    pub(super) fn comp(&mut self, r: Id) -> Id {
        match (r, self.node(r)) {
            (NONE, _) => ALL,
            (ALL, _) => NONE,
            (_, &Node::Comp(inner)) => inner,
            _ => self.intern(Node::Comp(r)),
        }
    }

    pub(super) fn star(&mut self, r: Id) -> Id {
        let mut inner = r;
        loop {
            match self.node(inner) {
                Node::None | Node::Epsilon => return EPSILON,
                Node::Star(_) => return inner,
                // One of the repetitions may occur alone, so the others add nothing.
                &Node::Loop(body, 0 | 1, _) => inner = body,
                Node::Union(kids) if kids[0] == EPSILON => {
                    let kids = kids[1..].to_vec();
                    inner = self.union(kids);
                }
                _ => return self.intern(Node::Star(inner)),
            }
        }
    }

    pub(super) fn repeat(&mut self, r: Id, lo: u64, hi: u64) -> Id {
        if lo > hi {
            return NONE;
        }
        // If r contains the empty word, fewer repetitions are no restriction.
        let lo = if self.nullable(r) { 0 } else { lo };
        match (r, lo, hi, self.node(r)) {
            (_, _, 0, _) | (EPSILON, ..) | (NONE, 0, ..) => EPSILON,
            (NONE, ..) => NONE,
            (_, _, _, Node::Star(_)) => r,
            (_, 1, 1, _) => r,
            (_, 0, 1, _) => self.union(vec![r, EPSILON]),
            _ => self.intern(Node::Loop(r, lo, hi)),
        }
    }

    pub(super) fn ranges(&self, id: Id) -> &[(u32, u32)] {
        match self.node(id) {
            Node::Class(ranges) => ranges,
            _ => &[],
        }
    }

    pub(super) fn in_class(ranges: &[(u32, u32)], c: u32) -> bool {
        let after = ranges.partition_point(|&(lo, _)| lo <= c);
        after > 0 && c <= ranges[after - 1].1
    }
}

fn sort(ids: &mut Vec<Id>) {
    ids.sort_unstable();
    ids.dedup();
}

/// What two classes have in common.
fn meet(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        let (lo, hi) = (a[i].0.max(b[j].0), a[i].1.min(b[j].1));
        if lo <= hi {
            out.push((lo, hi));
        }
        if a[i].1 < b[j].1 { i += 1 } else { j += 1 }
    }
    out
}
