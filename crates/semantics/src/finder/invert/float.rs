//! Inverts floating-point operations, by the opposite operation in the same rounding mode.
//!
//! Rounding makes that inexact, so the neighbouring floats are proposed too.

use super::super::candidates::next_float;
use super::{Ask, Tools};
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::float::{Float, Format, RoundingMode};
use crate::value::real::Real;

pub(super) fn argument(name: &str, ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    let mode =
        ask.args.iter().find_map(|arg| if let Value::RoundingMode(mode) = arg { Some(*mode) } else { None });
    let mode = mode.unwrap_or(RoundingMode::NearestEven);
    match (&ask.args[ask.at], ask.target) {
        (Value::Float(now), Value::Bool(truth)) => predicate(name, ask, now, *truth, tools),
        (Value::Float(_), Value::Float(target)) => with_neighbours(arithmetic(name, ask, mode, target)),
        (Value::Float(now), Value::BitVec(bits)) => from_bits(name, now.format(), mode, bits),
        (Value::Float(now), Value::Real(Real::Rat(r))) => vec![Value::Float(now.format().from_real(mode, r))],
        (Value::Real(_), Value::Float(target)) => {
            target.to_real().ok().map(|r| Value::Real(r.into())).into_iter().collect()
        }
        (Value::BitVec(now), Value::Float(target)) => to_bits(name, ask, now, mode, target),
        (Value::Int(_), Value::Float(target)) => {
            target.to_real().ok().map(|r| Value::Int(r.floor())).into_iter().collect()
        }
        _ => tools.some(ask.sort, 2),
    }
}

fn with_neighbours(found: Vec<Float>) -> Vec<Value> {
    let mut all = found.clone();
    for float in &found {
        all.extend(next_float(float, true));
        all.extend(next_float(float, false));
    }
    all.into_iter().map(Value::Float).collect()
}

fn arithmetic(name: &str, ask: &Ask<'_>, mode: RoundingMode, target: &Float) -> Vec<Float> {
    let Value::Float(now) = &ask.args[ask.at] else { return vec![] };
    let others: Vec<&Float> = ask
        .args
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != ask.at)
        .filter_map(|(_, arg)| if let Value::Float(f) = arg { Some(f) } else { None })
        .collect();
    let is_first = ask.at <= 1;
    match (name, &others[..]) {
        ("fp_neg", _) => vec![target.neg()],
        ("fp_abs", _) => vec![target.clone(), target.neg()],
        ("fp_add", [y]) => vec![target.sub(mode, y)],
        ("fp_sub", [y]) if is_first => vec![target.add(mode, y)],
        ("fp_sub", [x]) => vec![x.sub(mode, target)],
        ("fp_mul", [y]) => vec![target.div(mode, y)],
        ("fp_div", [y]) if is_first => vec![target.mul(mode, y)],
        ("fp_div", [x]) => vec![x.div(mode, target)],
        ("fp_sqrt", _) => vec![target.mul(mode, target)],
        ("fp_fma", [x, y]) if ask.at == 3 => vec![target.sub(mode, &x.mul(mode, y))],
        ("fp_fma", [x, z]) => vec![target.sub(mode, z).div(mode, x)],
        ("fp_from_fp", _) => vec![target.to_format(mode, now.format())],
        ("fp_min" | "fp_max" | "fp_round_to_integral" | "fp_rem", _) => vec![target.clone()],
        _ => vec![],
    }
}

fn predicate(
    name: &str,
    ask: &Ask<'_>,
    now: &Float,
    truth: bool,
    tools: &mut Tools<'_, '_, '_>,
) -> Vec<Value> {
    let format = now.format();
    let other = match ask.args {
        [Value::Float(a), Value::Float(b)] => Some(if ask.at == 0 { b } else { a }),
        _ => None,
    };
    let sided = |below: bool, strict: bool, other: &Float| {
        let below = (below == (ask.at == 0)) == truth;
        let mut found = if strict == truth { vec![] } else { vec![other.clone()] };
        found.extend(next_float(other, !below));
        found.push(format.infinity(below));
        if other.is_nan() {
            found.push(format.zero(false));
        }
        found
    };
    let found = match (name, other) {
        ("fp_lt", Some(other)) => sided(true, true, other),
        ("fp_leq", Some(other)) => sided(true, false, other),
        ("fp_gt", Some(other)) => sided(false, true, other),
        ("fp_geq", Some(other)) => sided(false, false, other),
        ("fp_eq", Some(other)) if truth => vec![other.clone(), format.zero(false)],
        ("fp_is_nan", _) if truth => vec![format.nan()],
        ("fp_is_infinite", _) if truth => vec![format.infinity(false), format.infinity(true)],
        ("fp_is_zero", _) if truth => vec![format.zero(false), format.zero(true)],
        ("fp_is_subnormal", _) if truth => vec![format.least(false), format.least(true)],
        ("fp_is_negative", _) => vec![now.neg(), format.zero(truth)],
        ("fp_is_positive", _) => vec![now.neg(), format.zero(!truth)],
        _ => return tools.some(ask.sort, 4),
    };
    found.into_iter().map(Value::Float).collect()
}

/// The float that a word is made from.
fn from_bits(name: &str, format: Format, mode: RoundingMode, bits: &BitVec) -> Vec<Value> {
    let float = match name {
        "fp_to_ubv" => Some(format.from_unsigned(mode, bits)),
        "fp_to_sbv" => Some(format.from_signed(mode, bits)),
        _ => Float::from_bits(format, bits),
    };
    float.map(Value::Float).into_iter().collect()
}

/// The word that a float is made from.
fn to_bits(name: &str, ask: &Ask<'_>, now: &BitVec, mode: RoundingMode, target: &Float) -> Vec<Value> {
    let word = match name {
        "fp_from_bits" => target.to_ieee_bv().or_else(|| nan_bits(target.format())),
        "fp_from_ubv" => target.to_ubv(mode, now.width()),
        "fp_from_sbv" => target.to_sbv(mode, now.width()),
        "fp_fp" => target.to_fields().map(|(sign, exponent, significand)| match ask.at {
            0 => sign,
            1 => exponent,
            _ => significand,
        }),
        _ => None,
    };
    word.map(Value::BitVec).into_iter().collect()
}

fn nan_bits(format: Format) -> Option<BitVec> {
    BitVec::ones(format.width())
}
