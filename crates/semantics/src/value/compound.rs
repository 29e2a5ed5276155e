//! Compound values: their parts, and properties of all parts together.
//!
//! A few lines of script can nest a value sixty times in itself, two copies at a time: sixty nodes in memory, but 2^60
//! parts when walked as a tree. So a compound value is shared, and when it is made its hash, its weight (the number of
//! parts as a tree), its depth and its marks are computed once from those of its parts. Hashing, "does it mention an
//! arbitrary value?" and "is it too large to print?" then need only one node. Walks that cannot be avoided (`order`,
//! `mentions`) visit each node once.
//!
//! Parts never change after that, except when the value is dropped: the parts of a deep value are moved to a list on
//! the heap first, so that dropping a long list needs no call stack.

use super::{ArrayValue, Base, Code, DatatypeValue, Value};
use crate::value::int::Int;
use rustc_hash::{FxHashSet, FxHasher};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A shared compound value.
pub type Shared<T> = Arc<Compound<T>>;

/// Parts and their properties. See the head of this file.
pub struct Compound<T: Parts> {
    parts: T,
    facts: Facts,
}

/// Properties of a value and everything inside it.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub hash: u64,
    /// The number of parts, shared ones counted each time; a large number counts by its words. Saturates.
    pub weight: u64,
    pub marks: u8,
    depth: u32,
}

/// Structurally different values may be equal: it contains a regular language, an enclosure, a function given by its
/// body, or a map over a sort of unknown size.
pub const NOT_PLAIN: u8 = 1;
/// An arbitrary value occurs.
pub const GENERIC: u8 = 2;
pub const HAS_SET: u8 = 4;
pub const HAS_MAP: u8 = 8;
/// An element of a declared sort occurs.
pub const ABSTRACT: u8 = 16;

/// Values up to this depth are dropped by plain recursion.
const SHALLOW: u32 = 64;

/// The parts of compound values.
pub trait Parts {
    /// Marks of the node itself, in addition to those of its parts.
    fn own_marks(&self) -> u8 {
        0
    }
    /// Hashes everything that is not a value.
    fn salt(&self, _: &mut FxHasher) {}
    fn each<'v>(&'v self, visit: &mut dyn FnMut(&'v Value));
    /// Moves all parts out.
    fn release(&mut self, waiting: &mut Vec<Value>);
}

impl<T: Parts> Compound<T> {
    pub fn share(parts: T) -> Shared<T> {
        let mut hasher = FxHasher::default();
        parts.salt(&mut hasher);
        let mut facts = Facts { hash: 0, weight: 1, marks: parts.own_marks(), depth: 0 };
        parts.each(&mut |part| {
            let part = part.facts();
            hasher.write_u64(part.hash);
            facts.weight = facts.weight.saturating_add(part.weight);
            facts.marks |= part.marks;
            facts.depth = facts.depth.max(part.depth);
        });
        facts.depth = facts.depth.saturating_add(1);
        facts.hash = hasher.finish();
        Arc::new(Compound { parts, facts })
    }

    pub fn facts(&self) -> Facts {
        self.facts
    }
}

impl<T: Parts> Deref for Compound<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.parts
    }
}

impl<T: Parts> std::fmt::Debug for Compound<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The parts are not compared: they may be nested without bound.
        write!(f, "({} parts, #{:x})", self.facts.weight, self.facts.hash)
    }
}

impl<T: Parts> Drop for Compound<T> {
    fn drop(&mut self) {
        if self.facts.depth <= SHALLOW {
            return;
        }
        let mut waiting = vec![];
        self.parts.release(&mut waiting);
        while let Some(mut value) = waiting.pop() {
            value.release(&mut waiting);
        }
    }
}

fn release<T: Parts>(shared: &mut Shared<T>, waiting: &mut Vec<Value>) {
    if let Some(compound) = Arc::get_mut(shared) {
        compound.parts.release(waiting);
    }
}

impl Value {
    /// Moves the parts out of a value that is not shared.
    fn release(&mut self, waiting: &mut Vec<Value>) {
        match self {
            Value::Array(c) => release(c, waiting),
            Value::Seq(c) | Value::Tuple(c) => release(c, waiting),
            Value::Set(c) => release(c, waiting),
            Value::Bag(c) => release(c, waiting),
            Value::Datatype(c) => release(c, waiting),
            Value::Nullable(Some(c)) => release(c, waiting),
            _ => {}
        }
    }

    /// The properties of a compound value, and its address.
    pub(super) fn node(&self) -> Option<(Facts, usize)> {
        fn of<T: Parts>(shared: &Shared<T>) -> Option<(Facts, usize)> {
            Some((shared.facts, Arc::as_ptr(shared).addr()))
        }
        match self {
            Value::Array(c) => of(c),
            Value::Seq(c) | Value::Tuple(c) => of(c),
            Value::Set(c) => of(c),
            Value::Bag(c) => of(c),
            Value::Datatype(c) => of(c),
            Value::Nullable(Some(c)) => of(c),
            _ => None,
        }
    }

    pub fn facts(&self) -> Facts {
        if let Some((facts, _)) = self.node() {
            return facts;
        }
        let mut hasher = FxHasher::default();
        self.hash(&mut hasher);
        Facts { hash: hasher.finish(), weight: self.weight(), marks: self.marks(), depth: 0 }
    }

    /// The number of parts, shared ones counted each time; long strings and numbers count by their words.
    pub fn weight(&self) -> u64 {
        match self {
            Value::Int(n) => 1 + n.words(),
            Value::Real(r) => 1 + r.words(),
            Value::BitVec(b) => 1 + u64::from(b.width() / 64),
            Value::Float(f) => 1 + u64::from(f.format().width() / 64),
            Value::Field(pair) => 1 + pair.0.words() + pair.1.words(),
            Value::String(s) => 1 + s.len() as u64 / 2,
            Value::RegLan(r) => r.weight(),
            Value::Enclosed(e) => u64::from(e.weight()),
            _ => self.node().map_or(1, |(facts, _)| facts.weight),
        }
    }

    #[inline]
    pub fn marks(&self) -> u8 {
        match self {
            Value::RegLan(_) | Value::Enclosed(_) => NOT_PLAIN,
            Value::Generic(_) => NOT_PLAIN | GENERIC,
            Value::Abstract { .. } => ABSTRACT,
            _ => self.node().map_or(0, |(facts, _)| facts.marks),
        }
    }

    /// The bytes of this value alone, without those of its parts.
    pub fn own_bytes(&self) -> u64 {
        const PART: u64 = size_of::<Value>() as u64;
        match self {
            Value::Bool(_) | Value::Char(_) | Value::RoundingMode(_) | Value::Abstract { .. } => 0,
            Value::Generic(_) | Value::Nullable(None) => 0,
            Value::Int(n) => n.words() * 8,
            Value::Real(r) => r.words() * 8,
            Value::BitVec(b) => u64::from(b.width() / 64) * 8,
            Value::String(s) => s.len() as u64 * 4,
            // A map's node holds up to eleven entries and is half empty.
            Value::Array(a) => 128 + a.exceptions.len() as u64 * PART * 4,
            Value::Set(s) => 64 + s.len() as u64 * PART * 2,
            Value::Bag(b) => 64 + b.len() as u64 * PART * 4,
            Value::Seq(p) | Value::Tuple(p) => 64 + p.len() as u64 * PART,
            Value::Datatype(d) => 64 + d.args.len() as u64 * PART,
            Value::Float(_) | Value::Field(_) | Value::RegLan(_) | Value::Enclosed(_) => 128,
            Value::Nullable(Some(_)) => 64,
        }
    }

    /// Whether some part with one of these marks satisfies the predicate. Visits every node once.
    pub fn mentions(&self, marks: u8, what: impl Fn(&Value) -> bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![self];
        while let Some(value) = waiting.pop() {
            if value.marks() & marks == 0 {
                continue;
            }
            if what(value) {
                return true;
            }
            let Some((_, address)) = value.node() else { continue };
            if seen.insert(address) {
                value.each_part(&mut |part| waiting.push(part));
            }
        }
        false
    }

    fn each_part<'v>(&'v self, visit: &mut dyn FnMut(&'v Value)) {
        match self {
            Value::Array(c) => c.each(visit),
            Value::Seq(c) | Value::Tuple(c) => c.each(visit),
            Value::Set(c) => c.each(visit),
            Value::Bag(c) => c.each(visit),
            Value::Datatype(c) => c.each(visit),
            Value::Nullable(Some(c)) => c.each(visit),
            _ => {}
        }
    }
}

impl Parts for Box<[Value]> {
    fn each<'v>(&'v self, visit: &mut dyn FnMut(&'v Value)) {
        self.iter().for_each(visit);
    }

    fn release(&mut self, waiting: &mut Vec<Value>) {
        waiting.append(&mut std::mem::take(self).into_vec());
    }
}

impl Parts for BTreeSet<Value> {
    fn own_marks(&self) -> u8 {
        HAS_SET
    }

    fn each<'v>(&'v self, visit: &mut dyn FnMut(&'v Value)) {
        self.iter().for_each(visit);
    }

    fn release(&mut self, waiting: &mut Vec<Value>) {
        waiting.extend(std::mem::take(self));
    }
}

impl Parts for BTreeMap<Value, Int> {
    fn salt(&self, hasher: &mut FxHasher) {
        self.values().for_each(|count| count.hash(hasher));
    }

    fn each<'v>(&'v self, visit: &mut dyn FnMut(&'v Value)) {
        self.keys().for_each(visit);
    }

    fn release(&mut self, waiting: &mut Vec<Value>) {
        waiting.extend(std::mem::take(self).into_keys());
    }
}

impl Parts for DatatypeValue {
    fn salt(&self, hasher: &mut FxHasher) {
        self.constructor.hash(hasher);
    }

    fn each<'v>(&'v self, visit: &mut dyn FnMut(&'v Value)) {
        self.args.iter().for_each(visit);
    }

    fn release(&mut self, waiting: &mut Vec<Value>) {
        waiting.append(&mut std::mem::take(&mut self.args).into_vec());
    }
}

impl Parts for Value {
    fn each<'v>(&'v self, visit: &mut dyn FnMut(&'v Value)) {
        visit(self);
    }

    fn release(&mut self, waiting: &mut Vec<Value>) {
        waiting.push(std::mem::replace(self, Value::Bool(false)));
    }
}

impl Parts for ArrayValue {
    fn own_marks(&self) -> u8 {
        if self.canonical { HAS_MAP } else { HAS_MAP | NOT_PLAIN }
    }

    fn salt(&self, hasher: &mut FxHasher) {
        if let Base::Closure(closure) = &self.base {
            closure.code.shape().hash(hasher);
        }
    }

    fn each<'v>(&'v self, visit: &mut dyn FnMut(&'v Value)) {
        match &self.base {
            Base::Constant(base) => visit(base),
            Base::Closure(closure) => {
                closure.given.iter().for_each(&mut *visit);
                closure.code.captured().iter().for_each(|(_, value)| visit(value));
            }
        }
        for (key, value) in &self.exceptions {
            visit(key);
            visit(value);
        }
    }

    fn release(&mut self, waiting: &mut Vec<Value>) {
        match std::mem::replace(&mut self.base, Base::Constant(Value::Bool(false))) {
            Base::Constant(base) => waiting.push(base),
            Base::Closure(mut closure) => {
                waiting.append(&mut closure.given);
                if let Code::Lambda { captured, .. } = &mut closure.code
                    && let Some(captured) = Arc::get_mut(captured)
                {
                    let taken = captured.iter_mut().map(|(_, v)| std::mem::replace(v, Value::Bool(false)));
                    waiting.extend(taken);
                }
            }
        }
        waiting.extend(std::mem::take(&mut self.exceptions).into_iter().flat_map(|(k, v)| [k, v]));
    }
}
