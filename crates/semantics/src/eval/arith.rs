//! Ints, Reals and the conversions between them.
//!
//! All results are exact. A real argument may be rational, algebraic, or known only by an enclosure (see
//! `value::enclosed`); comparisons of the latter are decided by intervals or unknown. Division by zero and the powers
//! that the standard does not define are open points.

use super::cost::{MAX_BITS, check_bits};
use super::equal::{compare_reals, enclosed};
use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::enclosed::Enclosed;
use crate::value::int::Int;
use crate::value::real::Real;
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) const FUNCTIONS: Functions = &[
    ("int_neg", int_neg),
    ("int_sub", int_sub),
    ("int_add", int_add),
    ("int_mul", int_mul),
    ("int_div", int_div),
    ("int_mod", int_mod),
    ("int_rem", int_rem),
    ("int_abs", int_abs),
    ("int_le", int_le),
    ("int_lt", int_lt),
    ("int_ge", int_ge),
    ("int_gt", int_gt),
    ("int_divisible", int_divisible),
    ("int_pow", int_pow),
    ("int_pow2", int_pow2),
    ("int_log2", int_log2),
    ("int_iand", int_iand),
    ("int_piand", int_piand),
    ("int_div_total", int_div_total),
    ("int_mod_total", int_mod_total),
    ("real_neg", real_neg),
    ("real_sub", real_sub),
    ("real_add", real_add),
    ("real_mul", real_mul),
    ("real_div", real_div),
    ("real_le", |_, a| compare(a, Ordering::is_le)),
    ("real_lt", |_, a| compare(a, Ordering::is_lt)),
    ("real_ge", |_, a| compare(a, Ordering::is_ge)),
    ("real_gt", |_, a| compare(a, Ordering::is_gt)),
    ("real_abs", real_abs),
    ("real_pow", real_pow),
    ("real_div_total", real_div_total),
    ("int_to_real", int_to_real),
    ("real_to_int", real_to_int),
    ("real_is_int", real_is_int),
    ("real_id", |_, a| Ok(a[0].clone())),
    ("int_id", |_, a| Ok(a[0].clone())),
    ("int_is_int", |_, _| Ok(Value::Bool(true))),
];

pure! {
    int_neg(Int(a)) => -a;
    int_sub(Int(a), Int(b)) => a - b;
    int_add(Int(a), Int(b)) => a + b;
    int_abs(Int(a)) => a.abs();
    int_le(Int(a), Int(b)) => a <= b;
    int_lt(Int(a), Int(b)) => a < b;
    int_ge(Int(a), Int(b)) => a >= b;
    int_gt(Int(a), Int(b)) => a > b;
    int_log2(Int(a)) => a.log2();
    int_div_total(Int(a), Int(b)) => a.div(b).unwrap_or(Int::ZERO);
    int_mod_total(Int(a), Int(b)) => a.modulo(b).unwrap_or_else(|| a.clone());
    int_to_real(Int(a)) => Real::from(a.clone());
}

fn large(result: Option<Int>) -> Outcome {
    result.map(Value::Int).ok_or(Unknown::TooLarge)
}

with_context! {
    int_mul(_cx, _args, Int(a), Int(b)) => {
        check_bits((a.words() + b.words()) * 64)?;
        Ok(Value::Int(a * b))
    };
    int_div(cx, args, Int(a), Int(b)) => match a.div(b) {
        Some(q) => Ok(Value::Int(q)),
        None => cx.open(args),
    };
    int_mod(cx, args, Int(a), Int(b)) => match a.modulo(b) {
        Some(r) => Ok(Value::Int(r)),
        None => cx.open(args),
    };
    int_rem(cx, args, Int(a), Int(b)) => match a.modulo(b) {
        Some(r) => Ok(Value::Int(if b.is_negative() { -r } else { r })),
        None => cx.open(args),
    };
    int_divisible(cx, args, Int(a)) => {
        let n = Int::from(cx.index(0)?);
        debug_assert_eq!(args.len(), 1);
        a.divisible_by(&n).map(Value::Bool).ok_or(Unknown::TooLarge)
    };
    int_pow(cx, args, Int(a), Int(b)) => {
        if b.is_negative() || (a.is_zero() && b.is_zero()) {
            return cx.open(args);
        }
        if let Int::Small(-1..=1) = a {
            // Any exponent is possible, even one beyond a machine word.
            let odd = !b.is_even();
            return Ok(Value::Int(if b.is_zero() || (*a == Int::from(-1) && !odd) { Int::ONE } else { a.clone() }));
        }
        large(b.to_u64().and_then(|e| a.pow(e, MAX_BITS)))
    };
    int_pow2(cx, _args, Int(a)) => {
        debug_assert!(cx.op.row().args.len() == 1);
        large(a.pow2(MAX_BITS))
    };
    int_iand(cx, _args, Int(a), Int(b)) => large(a.iand(b, cx.index(0)?, MAX_BITS));
    int_piand(cx, args, Int(k), Int(a), Int(b)) => {
        if k.signum() <= 0 {
            return Ok(Value::Int(Int::ZERO));
        }
        debug_assert_eq!((args.len(), cx.op.row().args.len()), (3, 3));
        // A width beyond a machine word matters only for negative numbers, whose result would be that long.
        large(a.iand(b, k.to_u64().unwrap_or(u64::MAX), MAX_BITS))
    };
}

// Reals.

/// The result of an operation on two numbers is about as long as both together.
fn check_reals(a: &Real, b: &Real) -> Result<(), Unknown> {
    check_bits((a.words() + b.words()) * 64)
}

fn compare(args: &[Value], holds: fn(Ordering) -> bool) -> Outcome {
    let [a, b] = args else { return Err(Unknown::Generic) };
    compare_reals(a, b).map(|order| Value::Bool(holds(order))).ok_or(Unknown::Undecided)
}

/// The exact result, or an enclosure of it if that is too hard; the enclosure still decides most comparisons.
fn exact<E>(
    result: Result<Real, E>,
    args: &[Value],
    operate: fn(&Arc<Enclosed>, &Arc<Enclosed>) -> Option<Arc<Enclosed>>,
) -> Outcome {
    match result {
        Ok(value) => Ok(Value::Real(value)),
        Err(_) => loose(args, operate).map_err(|_| Unknown::TooHard),
    }
}

/// An operation on two reals of which at least one is known only by an enclosure.
fn loose(args: &[Value], operate: fn(&Arc<Enclosed>, &Arc<Enclosed>) -> Option<Arc<Enclosed>>) -> Outcome {
    let [a, b] = args else { return Err(Unknown::Generic) };
    let (Some(a), Some(b)) = (enclosed(a), enclosed(b)) else { return Err(Unknown::Generic) };
    operate(&a, &b).map(Value::Enclosed).ok_or(Unknown::TooDeep)
}

fn real_neg(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [Value::Real(a)] => Ok(Value::Real(a.neg())),
        [Value::Enclosed(a)] => Enclosed::neg(a).map(Value::Enclosed).ok_or(Unknown::TooDeep),
        _ => Err(Unknown::Generic),
    }
}

fn real_add(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [Value::Real(a), Value::Real(b)] => {
            check_reals(a, b)?;
            exact(a.add(b), args, Enclosed::add)
        }
        _ => loose(args, Enclosed::add),
    }
}

fn difference(a: &Arc<Enclosed>, b: &Arc<Enclosed>) -> Option<Arc<Enclosed>> {
    Enclosed::add(a, &Enclosed::neg(b)?)
}

fn real_sub(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [Value::Real(a), Value::Real(b)] => {
            check_reals(a, b)?;
            exact(a.sub(b), args, difference)
        }
        [a, b] if a == b => Ok(Value::Real(Real::ZERO)),
        _ => loose(args, difference),
    }
}

fn real_mul(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [Value::Real(a), Value::Real(b)] => {
            check_reals(a, b)?;
            exact(a.mul(b), args, Enclosed::mul)
        }
        [Value::Real(zero), _] | [_, Value::Real(zero)] if zero.is_zero() => Ok(Value::Real(Real::ZERO)),
        _ => loose(args, Enclosed::mul),
    }
}

fn real_div(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [Value::Real(a), Value::Real(b)] => match check_reals(a, b).map(|()| a.div(b))? {
            Ok(Some(q)) => Ok(Value::Real(q)),
            Ok(None) => cx.open(args),
            // The divisor is not zero; otherwise this code would not be reached.
            Err(_) => loose(args, Enclosed::div).map_err(|_| Unknown::TooHard),
        },
        [_, Value::Real(zero)] if zero.is_zero() => cx.open(args),
        // A divisor that might be zero must not be treated as nonzero.
        [_, Value::Enclosed(b)] if !matches!(b.sign(), Some(1 | -1)) => Err(Unknown::Undecided),
        _ => loose(args, Enclosed::div),
    }
}

fn real_div_total(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [_, Value::Real(zero)] if zero.is_zero() => Ok(Value::Real(Real::ZERO)),
        _ => real_div(cx, args),
    }
}

fn real_abs(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [Value::Real(a)] => Ok(Value::Real(a.abs())),
        [Value::Enclosed(a)] => match a.sign() {
            Some(sign) if sign >= 0 => Ok(args[0].clone()),
            Some(_) => real_neg(cx, args),
            None => Err(Unknown::Undecided),
        },
        _ => Err(Unknown::Generic),
    }
}

fn real_pow(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [base, Value::Real(exponent)] = args else { return Err(Unknown::Undecided) };
    let whole = exponent.to_rat().and_then(|r| r.to_int()).filter(|n| !n.is_negative());
    let Some(whole) = whole else { return cx.open(args) };
    match base {
        Value::Real(b) if b.is_zero() && whole.is_zero() => cx.open(args),
        Value::Real(b) => match whole.to_i64().map(|e| b.pow(e, MAX_BITS)) {
            Some(Ok(Some(power))) => Ok(Value::Real(power)),
            Some(Ok(None)) => cx.open(args),
            Some(Err(_)) if b.to_rat().is_none() => loose_power(&Enclosed::known(b.clone()), &whole),
            Some(Err(_)) => Err(Unknown::TooHard),
            None => Err(Unknown::TooLarge),
        },
        Value::Enclosed(b) => loose_power(b, &whole),
        _ => Err(Unknown::Generic),
    }
}

fn loose_power(base: &Arc<Enclosed>, exponent: &Int) -> Outcome {
    let count = exponent.to_u32().filter(|&n| n <= 32).ok_or(Unknown::TooLarge)?;
    let mut power = Enclosed::known(Real::ONE);
    for _ in 0..count {
        power = Enclosed::mul(&power, base).ok_or(Unknown::TooDeep)?;
    }
    Ok(Value::Enclosed(power))
}

fn real_to_int(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [Value::Real(a)] => a.floor().map(Value::Int).map_err(|_| Unknown::TooHard),
        [Value::Enclosed(a)] => a.floor().map(Value::Int).ok_or(Unknown::Undecided),
        _ => Err(Unknown::Generic),
    }
}

fn real_is_int(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [Value::Real(a)] => Ok(Value::Bool(a.is_int())),
        [Value::Enclosed(a)] => a.is_int().map(Value::Bool).ok_or(Unknown::Undecided),
        _ => Err(Unknown::Generic),
    }
}
