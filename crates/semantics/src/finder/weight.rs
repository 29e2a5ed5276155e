//! The cost of computing with a value, in steps.
//!
//! One step is one operation on small numbers. Large values cost more, so that a budget of steps limits the time:
//! operations on algebraic numbers and regular languages cost most. Operations on several algebraic numbers of high
//! degree are not computed at all.

use crate::value::Value;
use crate::value::real::Real;

/// The maximum product of the degrees of the different algebraic numbers in one operation.
const MAX_DEGREES: usize = 8;
/// The longest polynomial of an algebraic number, in words.
const MAX_WORDS: u64 = 24;

pub(super) fn steps(value: &Value) -> u64 {
    match value {
        Value::Int(n) => n.bit_len() / 256,
        Value::Real(Real::Rat(r)) => r.bit_len() / 128,
        Value::Real(Real::Alg(a)) => 400 * a.polynomial().degree() as u64,
        Value::Enclosed(_) => 2000,
        Value::BitVec(b) => u64::from(b.width() / 256),
        Value::Float(f) => 1 + u64::from(f.format().width() / 128),
        Value::String(text) => text.len() as u64 / 16,
        Value::RegLan(_) => 100,
        Value::Seq(parts) | Value::Tuple(parts) => parts.len() as u64 / 4,
        Value::Set(parts) => parts.len() as u64 / 4,
        Value::Bag(parts) => parts.len() as u64 / 4,
        Value::Array(map) => 1 + map.exceptions.len() as u64 / 4,
        _ => 0,
    }
}

/// Whether an operation on these values would take too long.
pub(super) fn is_too_much<'v>(values: impl Iterator<Item = &'v Value>) -> bool {
    let mut degrees = 1;
    let mut before: Vec<&Value> = vec![];
    for value in values {
        match value {
            Value::Real(Real::Alg(_)) if value.weight() > MAX_WORDS => return true,
            Value::Real(Real::Alg(a)) if !before.contains(&value) => {
                degrees *= a.polynomial().degree();
                before.push(value);
            }
            Value::Int(n) if n.bit_len() > 4096 => return true,
            Value::Real(Real::Rat(r)) if r.bit_len() > 4096 => return true,
            _ => {}
        }
    }
    degrees > MAX_DEGREES
}
