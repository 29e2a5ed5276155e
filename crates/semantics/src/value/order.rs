//! The structural order, equality and hash of values.
//!
//! Two values of one sort come in; how they are ordered comes out. The order is for containers and means
//! nothing, except that equal means structurally the same. Pairs that remain to be compared wait on the heap,
//! so that two lists of a million elements compare without recursion; the hash of a datatype value is made once,
//! when it is built.

use super::{ArrayValue, Base, DatatypeValue, Value};
use rustc_hash::FxHasher;
use smtlib::term::DeclId;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(super) fn datatype_hash(constructor: DeclId, args: &[Value]) -> u64 {
    let mut hasher = FxHasher::default();
    constructor.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
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

/// Compares two values; their parts are put on the list instead of being compared.
fn shallow<'v>(a: &'v Value, b: &'v Value, rest: &mut Pairs<'v>) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Real(a), Value::Real(b)) => a.cmp(b),
        (Value::Enclosed(a), Value::Enclosed(b)) => a.cmp(b),
        (Value::BitVec(a), Value::BitVec(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.cmp(b),
        (Value::RoundingMode(a), Value::RoundingMode(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::RegLan(a), Value::RegLan(b)) if a == b => Ordering::Equal,
        (Value::RegLan(a), Value::RegLan(b)) => a.to_string().cmp(&b.to_string()),
        (Value::Char(a), Value::Char(b)) => a.cmp(b),
        (Value::Field(a), Value::Field(b)) => a.cmp(b),
        (Value::Abstract { sort: s, name: m }, Value::Abstract { sort: t, name: n }) => (s, m).cmp(&(t, n)),
        (Value::Generic(a), Value::Generic(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) if !Arc::ptr_eq(a, b) => arrays(a, b, rest),
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) if !Arc::ptr_eq(a, b) => {
            rest.extend(a.iter().zip(b.iter()).rev());
            a.len().cmp(&b.len())
        }
        (Value::Set(a), Value::Set(b)) if !Arc::ptr_eq(a, b) => {
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
        (Value::Datatype(a), Value::Datatype(b)) if !Arc::ptr_eq(a, b) => datatypes(a, b, rest),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn datatypes<'v>(a: &'v DatatypeValue, b: &'v DatatypeValue, rest: &mut Pairs<'v>) -> Ordering {
    rest.extend(a.args.iter().zip(b.args.iter()).rev());
    // Hashes that differ decide at once; which way is of no interest.
    a.constructor.cmp(&b.constructor).then(a.hash.cmp(&b.hash)).then(a.args.len().cmp(&b.args.len()))
}

fn arrays<'v>(a: &'v ArrayValue, b: &'v ArrayValue, rest: &mut Pairs<'v>) -> Ordering {
    let base = match (&a.base, &b.base) {
        (Base::Constant(a), Base::Constant(b)) => {
            rest.push((a, b));
            Ordering::Equal
        }
        (Base::Closure(a), Base::Closure(b)) => a.cmp(b),
        (Base::Constant(_), Base::Closure(_)) => Ordering::Less,
        (Base::Closure(_), Base::Constant(_)) => Ordering::Greater,
    };
    rest.extend(a.exceptions.values().zip(b.exceptions.values()));
    rest.extend(a.exceptions.keys().zip(b.exceptions.keys()));
    base.then(a.exceptions.len().cmp(&b.exceptions.len()))
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        let mut rest = vec![];
        let mut order = shallow(self, other, &mut rest);
        while order.is_eq() {
            let Some((a, b)) = rest.pop() else { break };
            order = shallow(a, b, &mut rest);
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
        self.cmp(other).is_eq()
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
            Value::Array(a) => hash_array(a, state),
            Value::Seq(parts) | Value::Tuple(parts) => parts.hash(state),
            Value::Set(parts) => parts.hash(state),
            Value::Bag(parts) => parts.hash(state),
            Value::Field(f) => f.hash(state),
            Value::Datatype(d) => state.write_u64(d.hash),
            Value::Nullable(inner) => inner.hash(state),
            Value::Abstract { sort, name } => (sort, name).hash(state),
            Value::Generic(n) => n.hash(state),
        }
    }
}

fn hash_array<H: Hasher>(array: &ArrayValue, state: &mut H) {
    match &array.base {
        Base::Constant(value) => value.hash(state),
        Base::Closure(closure) => closure.hash(state),
    }
    array.exceptions.hash(state);
}
