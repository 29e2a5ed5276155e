//! The structural order, equality and hash of values.
//!
//! In: two values of one sort. Out: their order. The order is for containers and has no meaning, except that equal
//! means structurally equal. Pairs that remain to be compared are kept on the heap, so that two lists of a million
//! elements are compared without recursion. Heavy values are ordered first by weight and hash, and a pair of heavy
//! nodes is walked once however often it occurs: two values that share their parts sixty levels deep cost sixty pairs,
//! not 2^60.
//!
//! Containers compare values without access to a budget. So walks over heavy values are counted per thread, and the
//! evaluator charges for them afterwards (`take_visits`).

use super::compound::Facts;
use super::{ArrayValue, Base, DatatypeValue, Value};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Values of at most this many parts are compared part by part.
const LIGHT: u64 = 64;

thread_local! {
    static VISITS: Cell<u64> = const { Cell::new(0) };
}

/// The number of pairs of heavy nodes walked on this thread since the last call.
pub(crate) fn take_visits() -> u64 {
    VISITS.take()
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Bool(_) => 0,
        Value::Int(_) => 1,
        Value::Real(_) => 2,
        Value::Enclosed(_) => 3,
        Value::BitVec(_) => 4,
        Value::Float(_) => 5,
        Value::RoundingMode(_) => 6,
        Value::String(_) => 7,
        Value::RegLan(_) => 8,
        Value::Char(_) => 9,
        Value::Array(_) => 10,
        Value::Seq(_) => 11,
        Value::Set(_) => 12,
        Value::Bag(_) => 13,
        Value::Field(_) => 14,
        Value::Datatype(_) => 15,
        Value::Tuple(_) => 16,
        Value::Nullable(_) => 17,
        Value::Abstract { .. } => 18,
        Value::Generic(_) => 19,
    }
}

type Pairs<'v> = Vec<(&'v Value, &'v Value)>;

/// Compares two values; their parts are added to the list instead of being compared.
fn shallow<'v>(a: &'v Value, b: &'v Value, rest: &mut Pairs<'v>) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Real(a), Value::Real(b)) => a.structural_order(b),
        (Value::Enclosed(a), Value::Enclosed(b)) => a.structural_order(b),
        (Value::BitVec(a), Value::BitVec(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.cmp(b),
        (Value::RoundingMode(a), Value::RoundingMode(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::RegLan(a), Value::RegLan(b)) => a.structural_order(b),
        (Value::Char(a), Value::Char(b)) => a.cmp(b),
        (Value::Field(a), Value::Field(b)) => a.cmp(b),
        (Value::Abstract { sort: s, name: m }, Value::Abstract { sort: t, name: n }) => (s, m).cmp(&(t, n)),
        (Value::Generic(a), Value::Generic(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) => arrays(a, b, rest),
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            rest.extend(a.iter().zip(b.iter()).rev());
            a.len().cmp(&b.len())
        }
        (Value::Set(a), Value::Set(b)) => {
            rest.extend(a.iter().zip(b.iter()).rev());
            a.len().cmp(&b.len())
        }
        (Value::Bag(a), Value::Bag(b)) => {
            rest.extend(a.keys().zip(b.keys()).rev());
            a.len().cmp(&b.len()).then_with(|| a.values().cmp(b.values()))
        }
        (Value::Nullable(Some(a)), Value::Nullable(Some(b))) => {
            rest.push((a, b));
            Ordering::Equal
        }
        (Value::Nullable(a), Value::Nullable(b)) => a.is_some().cmp(&b.is_some()),
        (Value::Datatype(a), Value::Datatype(b)) => datatypes(a, b, rest),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn datatypes<'v>(a: &'v DatatypeValue, b: &'v DatatypeValue, rest: &mut Pairs<'v>) -> Ordering {
    rest.extend(a.args.iter().zip(b.args.iter()).rev());
    a.constructor.cmp(&b.constructor).then(a.args.len().cmp(&b.args.len()))
}

fn arrays<'v>(a: &'v ArrayValue, b: &'v ArrayValue, rest: &mut Pairs<'v>) -> Ordering {
    rest.extend(a.exceptions.values().zip(b.exceptions.values()));
    rest.extend(a.exceptions.keys().zip(b.exceptions.keys()));
    let base = match (&a.base, &b.base) {
        (Base::Constant(a), Base::Constant(b)) => {
            rest.push((a, b));
            Ordering::Equal
        }
        (Base::Closure(a), Base::Closure(b)) => {
            rest.extend(a.given.iter().zip(&b.given));
            let captured = a.code.captured().iter().zip(b.code.captured());
            rest.extend(captured.map(|((_, a), (_, b))| (a, b)));
            a.code.shape().cmp(&b.code.shape()).then(a.given.len().cmp(&b.given.len()))
        }
        (Base::Constant(_), Base::Closure(_)) => Ordering::Less,
        (Base::Closure(_), Base::Constant(_)) => Ordering::Greater,
    };
    base.then(a.exceptions.len().cmp(&b.exceptions.len()))
}

/// Pairs of heavy nodes that are equal or being compared.
type Seen = FxHashSet<(usize, usize)>;

/// Compares two values, first by their properties.
fn step<'v>(a: &'v Value, b: &'v Value, rest: &mut Pairs<'v>, seen: &mut Seen) -> Ordering {
    let (Some((f, at)), Some((g, bt))) = (a.node(), b.node()) else { return shallow(a, b, rest) };
    if at == bt {
        return Ordering::Equal;
    }
    let light = |facts: Facts| facts.weight <= LIGHT;
    if rank(a) != rank(b) || (light(f) && light(g)) {
        return shallow(a, b, rest);
    }
    let by_facts = f.weight.cmp(&g.weight).then(f.hash.cmp(&g.hash));
    if by_facts.is_ne() || !seen.insert((at, bt)) {
        return by_facts;
    }
    VISITS.set(VISITS.get() + 1);
    shallow(a, b, rest)
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        let mut rest = vec![];
        let mut seen = Seen::default();
        let mut order = step(self, other, &mut rest, &mut seen);
        while order.is_eq() {
            let Some((a, b)) = rest.pop() else { break };
            order = step(a, b, &mut rest, &mut seen);
        }
        order
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self.node(), other.node()) {
            (Some((f, _)), Some((g, _))) if f.hash != g.hash || f.weight != g.weight => false,
            _ => self.cmp(other).is_eq(),
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(rank(self));
        match self {
            Value::Bool(b) => b.hash(state),
            Value::Int(n) => n.hash(state),
            Value::Real(r) => r.hash(state),
            Value::Enclosed(e) => e.hash(state),
            Value::BitVec(b) => b.hash(state),
            Value::Float(f) => f.hash(state),
            Value::RoundingMode(m) => m.hash(state),
            Value::String(s) => s.hash(state),
            Value::RegLan(r) => r.hash(state),
            Value::Char(c) => c.hash(state),
            Value::Field(f) => f.hash(state),
            Value::Abstract { sort, name } => (sort, name).hash(state),
            Value::Generic(n) => n.hash(state),
            Value::Nullable(None) => {}
            Value::Array(_) | Value::Seq(_) | Value::Tuple(_) | Value::Set(_) | Value::Bag(_) => {
                self.hash_node(state);
            }
            Value::Datatype(_) | Value::Nullable(Some(_)) => self.hash_node(state),
        }
    }
}

impl Value {
    fn hash_node<H: Hasher>(&self, state: &mut H) {
        if let Some((facts, _)) = self.node() {
            state.write_u64(facts.hash);
        }
    }
}
