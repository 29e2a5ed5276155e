//! How far a formula is from being true: a number that the search minimises.
//!
//! Zero means true. An atom that is false costs at least `FALSE`, and more the farther its sides are from values that
//! would make it true. For numbers the cost grows with the logarithm, so that halving a distance always has the same
//! benefit; for words and collections it grows with the number of differences. Wrong distances only cost time, because
//! the evaluator confirms every model.

use crate::eval::Operation;
use crate::value::bitvec::BitVec;
use crate::value::float::Float;
use crate::value::int::Int;
use crate::value::rational::Rat;
use crate::value::real::Real;
use crate::value::{ArrayValue, Base, Value};

/// The cost of not being true, and of not being false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    pub to_be_true: u32,
    pub to_be_false: u32,
}

/// The least cost of a false atom.
pub(super) const FALSE: u32 = 16;
/// The cost of an unknown value.
const UNKNOWN: u32 = 400;
/// The cost of a value that depends on an under-specified point.
pub(super) const OPEN: u32 = 2;
/// The maximum cost.
const MOST: u32 = 1 << 20;

impl Cost {
    pub const UNKNOWN: Cost = Cost { to_be_true: UNKNOWN, to_be_false: UNKNOWN };
    pub const OPEN: Cost = Cost { to_be_true: OPEN, to_be_false: OPEN };

    /// The cost of an atom with a truth value and a distance to the other.
    pub fn atom(truth: bool, distance: u32) -> Cost {
        let far = FALSE + distance.min(UNKNOWN);
        if truth {
            Cost { to_be_true: 0, to_be_false: far }
        } else {
            Cost { to_be_true: far, to_be_false: 0 }
        }
    }

    pub fn flipped(self) -> Cost {
        Cost { to_be_true: self.to_be_false, to_be_false: self.to_be_true }
    }

    pub fn and(parts: impl Iterator<Item = Cost>) -> Cost {
        let mut all = Cost { to_be_true: 0, to_be_false: MOST };
        for part in parts {
            all.to_be_true = (all.to_be_true + part.to_be_true).min(MOST);
            all.to_be_false = all.to_be_false.min(part.to_be_false);
        }
        all
    }

    pub fn or(parts: impl Iterator<Item = Cost>) -> Cost {
        Cost::and(parts.map(Cost::flipped)).flipped()
    }

    pub fn ite(condition: Cost, then: Cost, otherwise: Cost) -> Cost {
        let either = |then: u32, otherwise: u32| {
            (condition.to_be_true + then).min(condition.to_be_false + otherwise).min(MOST)
        };
        Cost {
            to_be_true: either(then.to_be_true, otherwise.to_be_true),
            to_be_false: either(then.to_be_false, otherwise.to_be_false),
        }
    }

    /// The cost of two truth values being equal.
    pub fn same(a: Cost, b: Cost) -> Cost {
        Cost::ite(a, b, b.flipped())
    }
}

/// The distance of an operation with a truth value from the other truth value.
pub(super) fn of_atom(operation: Operation, args: &[Value]) -> u32 {
    let Operation::Operator(op, _) = operation else { return 8 };
    match (op.row().eval.unwrap_or(""), args) {
        ("set_subset", [Value::Set(a), Value::Set(b)]) => 8 * a.difference(b).count() as u32,
        ("str_prefixof" | "str_suffixof" | "str_contains", [a, b]) => between(a, b).min(64),
        (_, [a, b]) if is_number(a) && is_number(b) => between(a, b) / 2,
        _ => 8,
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Real(_) | Value::BitVec(_) | Value::Float(_))
}

/// The distance of two values of one sort.
pub(super) fn between(a: &Value, b: &Value) -> u32 {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => of_int(&(a - b)),
        (Value::Real(Real::Rat(a)), Value::Real(Real::Rat(b))) => of_rational(&(a - b)),
        (Value::Real(a), Value::Real(b)) if a != b => of_rational(&(&near(a) - &near(b))).max(1),
        (Value::BitVec(a), Value::BitVec(b)) => of_bits(a, b),
        (Value::Float(a), Value::Float(b)) => of_floats(a, b),
        (Value::String(a), Value::String(b)) => of_words(a.codes(), b.codes(), |x, y| u32::from(x != y)),
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            of_words(a, b, |x, y| between(x, y).div_ceil(8))
        }
        (Value::Set(a), Value::Set(b)) => 6 * a.symmetric_difference(b).count().min(1000) as u32,
        (Value::Bag(a), Value::Bag(b)) => {
            let differs = |x: &Value| a.get(x) != b.get(x);
            6 * a.keys().chain(b.keys()).filter(|x| differs(x)).count().min(1000) as u32
        }
        (Value::Array(a), Value::Array(b)) => of_maps(a, b),
        (Value::Datatype(a), Value::Datatype(b)) if a.constructor() == b.constructor() => {
            a.args().iter().zip(b.args()).map(|(x, y)| between(x, y) / 2).fold(0, u32::saturating_add)
        }
        _ if a == b => 0,
        _ => 24,
    }
}

/// The logarithm in quarters of a bit.
fn of_int(difference: &Int) -> u32 {
    let bits = difference.bit_len();
    if bits <= 2 {
        return 4 * bits as u32;
    }
    let magnitude = difference.abs().to_u64();
    let fine = magnitude.map_or(0, |n| (n >> (bits - 3)) & 3);
    (4 * bits as u32).saturating_add(fine as u32)
}

fn of_rational(difference: &Rat) -> u32 {
    if difference.is_zero() {
        return 0;
    }
    // A difference below one still counts, but less the smaller it is.
    let (n, d) = (difference.numerator().bit_len() as i64, difference.denominator().bit_len() as i64);
    if n > d {
        return of_int(&difference.abs().ceil()).saturating_add(8);
    }
    (8 + (n - d).max(-7)) as u32
}

/// A rational number near a real one: for an irrational number, the lower end of its interval.
fn near(real: &Real) -> Rat {
    match real {
        Real::Rat(r) => r.clone(),
        Real::Alg(a) => a.interval().0.clone(),
    }
}

fn of_bits(a: &BitVec, b: &BitVec) -> u32 {
    let flipped = a.xor(b);
    let count: u32 = match flipped.to_u64() {
        Some(bits) => bits.count_ones(),
        None => (0..flipped.width()).filter(|&n| flipped.bit(n)).count() as u32,
    };
    (4 * count).min(of_int(&(&a.ubv_to_int() - &b.ubv_to_int())))
}

/// The distance of floats in their order as integers; NaN is far from everything.
fn of_floats(a: &Float, b: &Float) -> u32 {
    let place = |x: &Float| {
        let magnitude = x.abs().to_ieee_bv()?.ubv_to_int();
        Some(if x.is_negative() { -&magnitude } else { magnitude })
    };
    match (place(a), place(b)) {
        _ if a == b => 0,
        (Some(a), Some(b)) => of_int(&(&a - &b)).max(2),
        _ => 100,
    }
}

fn of_words<T>(a: &[T], b: &[T], between: impl Fn(&T, &T) -> u32) -> u32 {
    let lengths = 4 * a.len().abs_diff(b.len()).min(1000) as u32;
    let wrong = a.iter().zip(b).map(|(x, y)| 2 * between(x, y)).fold(0, u32::saturating_add);
    lengths.saturating_add(wrong)
}

fn of_maps(a: &ArrayValue, b: &ArrayValue) -> u32 {
    let (Base::Constant(x), Base::Constant(y)) = (&a.base, &b.base) else { return 24 };
    let bases = if x == y { 0 } else { 12 };
    let keys = a.exceptions.keys().chain(b.exceptions.keys());
    let at = |map: &'_ ArrayValue, base: &Value, key: &Value| map.exceptions.get(key).unwrap_or(base).clone();
    let wrong = keys.filter(|key| at(a, x, key) != at(b, y, key)).count();
    bases + 6 * wrong.min(1000) as u32
}
