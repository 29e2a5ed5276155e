//! FloatingPoint. The operations are those of the softfloat in `value::float`. Cases that the standard leaves open
//! (`fp.min` of zeros, conversions out of range) become open points; where the result is one of the two zeros, those
//! are the only choices.

use super::equal::enclosed;
use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::float::{Float, Format, MinMax, RoundingMode};
use crate::value::real::Real;
use smtlib::sort::Sort;

/// Maximum number of bits computed of an irrational number; if that is not enough, rounding it is given up.
const MAX_BITS: u32 = 4096;

pub(super) const FUNCTIONS: Functions = &[
    ("rm_rne", |_, _| Ok(Value::RoundingMode(RoundingMode::NearestEven))),
    ("rm_rna", |_, _| Ok(Value::RoundingMode(RoundingMode::NearestAway))),
    ("rm_rtp", |_, _| Ok(Value::RoundingMode(RoundingMode::TowardPositive))),
    ("rm_rtn", |_, _| Ok(Value::RoundingMode(RoundingMode::TowardNegative))),
    ("rm_rtz", |_, _| Ok(Value::RoundingMode(RoundingMode::TowardZero))),
    ("fp_fp", fp_fp),
    ("fp_pos_inf", |cx, _| Ok(Value::Float(format(cx)?.infinity(false)))),
    ("fp_neg_inf", |cx, _| Ok(Value::Float(format(cx)?.infinity(true)))),
    ("fp_pos_zero", |cx, _| Ok(Value::Float(format(cx)?.zero(false)))),
    ("fp_neg_zero", |cx, _| Ok(Value::Float(format(cx)?.zero(true)))),
    ("fp_nan", |cx, _| Ok(Value::Float(format(cx)?.nan()))),
    ("fp_abs", fp_abs),
    ("fp_neg", fp_neg),
    ("fp_add", fp_add),
    ("fp_sub", fp_sub),
    ("fp_mul", fp_mul),
    ("fp_div", fp_div),
    ("fp_fma", fp_fma),
    ("fp_sqrt", fp_sqrt),
    ("fp_rem", fp_rem),
    ("fp_round_to_integral", fp_round_to_integral),
    ("fp_min", |cx, a| extreme(cx, a, Float::fp_min)),
    ("fp_max", |cx, a| extreme(cx, a, Float::fp_max)),
    ("fp_leq", fp_leq),
    ("fp_lt", fp_lt),
    ("fp_geq", fp_geq),
    ("fp_gt", fp_gt),
    ("fp_eq", fp_eq),
    ("fp_is_normal", fp_is_normal),
    ("fp_is_subnormal", fp_is_subnormal),
    ("fp_is_zero", fp_is_zero),
    ("fp_is_infinite", fp_is_infinite),
    ("fp_is_nan", fp_is_nan),
    ("fp_is_negative", fp_is_negative),
    ("fp_is_positive", fp_is_positive),
    ("fp_from_bits", fp_from_bits),
    ("fp_from_fp", fp_from_fp),
    ("fp_from_real", fp_from_real),
    ("fp_from_sbv", fp_from_sbv),
    ("fp_from_ubv", fp_from_ubv),
    ("fp_to_ubv", fp_to_ubv),
    ("fp_to_sbv", fp_to_sbv),
    ("fp_to_real", fp_to_real),
    ("fp_from_int", fp_from_int),
    ("fp_from_int_exp_real", fp_from_int_exp_real),
    ("fp_from_real_exp_int", fp_from_real_exp_int),
    ("fp_to_ieee_bv", fp_to_ieee_bv),
];

/// The format of the result.
fn format(cx: &Cx<'_, '_>) -> Result<Format, Unknown> {
    match *cx.eval.pool.sort(cx.sort) {
        Sort::Float { eb, sb } => Format::new(eb, sb).ok_or(Unknown::TooLarge),
        _ => Err(Unknown::TooLarge),
    }
}

fn width(cx: &Cx<'_, '_>) -> Result<u32, Unknown> {
    match *cx.eval.pool.sort(cx.sort) {
        Sort::BitVec(width) => Ok(width),
        _ => Err(Unknown::TooLarge),
    }
}

pure! {
    fp_abs(Float(a)) => a.abs();
    fp_neg(Float(a)) => a.neg();
    fp_add(RoundingMode(m), Float(a), Float(b)) => a.add(*m, b);
    fp_sub(RoundingMode(m), Float(a), Float(b)) => a.sub(*m, b);
    fp_mul(RoundingMode(m), Float(a), Float(b)) => a.mul(*m, b);
    fp_div(RoundingMode(m), Float(a), Float(b)) => a.div(*m, b);
    fp_fma(RoundingMode(m), Float(a), Float(b), Float(c)) => a.fma(*m, b, c);
    fp_sqrt(RoundingMode(m), Float(a)) => a.sqrt(*m);
    fp_rem(Float(a), Float(b)) => a.rem(b);
    fp_round_to_integral(RoundingMode(m), Float(a)) => a.round_to_integral(*m);
    fp_leq(Float(a), Float(b)) => a.fp_leq(b);
    fp_lt(Float(a), Float(b)) => a.fp_lt(b);
    fp_geq(Float(a), Float(b)) => a.fp_geq(b);
    fp_gt(Float(a), Float(b)) => a.fp_gt(b);
    fp_eq(Float(a), Float(b)) => a.fp_eq(b);
    fp_is_normal(Float(a)) => a.is_normal();
    fp_is_subnormal(Float(a)) => a.is_subnormal();
    fp_is_zero(Float(a)) => a.is_zero();
    fp_is_infinite(Float(a)) => a.is_infinite();
    fp_is_nan(Float(a)) => a.is_nan();
    fp_is_negative(Float(a)) => a.is_negative();
    fp_is_positive(Float(a)) => a.is_positive();
}

fn made(result: Option<Float>) -> Outcome {
    result.map(Value::Float).ok_or(Unknown::TooLarge)
}

with_context! {
    fp_fp(_cx, _args, BitVec(s), BitVec(e), BitVec(m)) => made(Float::from_fields(s, e, m));
    fp_from_bits(cx, _args, BitVec(bits)) => made(Float::from_bits(format(cx)?, bits));
    fp_from_fp(cx, _args, RoundingMode(m), Float(a)) => Ok(Value::Float(a.to_format(*m, format(cx)?)));
    fp_from_sbv(cx, _args, RoundingMode(m), BitVec(b)) => Ok(Value::Float(format(cx)?.from_signed(*m, b)));
    fp_from_ubv(cx, _args, RoundingMode(m), BitVec(b)) => Ok(Value::Float(format(cx)?.from_unsigned(*m, b)));
    fp_from_int(cx, _args, RoundingMode(m), Int(n)) => Ok(Value::Float(format(cx)?.from_int(*m, n)));
    fp_from_int_exp_real(cx, _args, RoundingMode(m), Int(e), Real(r)) => scaled(cx, *m, r, e);
    fp_from_real_exp_int(cx, _args, RoundingMode(m), Real(r), Int(e)) => scaled(cx, *m, r, e);
    fp_to_ubv(cx, args, RoundingMode(m), Float(a)) => match a.to_ubv(*m, width(cx)?) {
        Some(bits) => Ok(Value::BitVec(bits)),
        None => cx.open(args),
    };
    fp_to_sbv(cx, args, RoundingMode(m), Float(a)) => match a.to_sbv(*m, width(cx)?) {
        Some(bits) => Ok(Value::BitVec(bits)),
        None => cx.open(args),
    };
    fp_to_real(cx, args, Float(a)) => match a.to_real() {
        Ok(r) => Ok(Value::Real(Real::Rat(r))),
        Err(_) if a.is_nan() || a.is_infinite() => cx.open(args),
        Err(_) => Err(Unknown::TooLarge),
    };
    fp_to_ieee_bv(cx, args, Float(a)) => match a.to_ieee_bv() {
        Some(bits) => Ok(Value::BitVec(bits)),
        None => open_nan(cx, args, a),
    };
}

/// `a * 2^e`, rounded once.
fn scaled(
    cx: &mut Cx<'_, '_>,
    mode: RoundingMode,
    value: &Real,
    exponent: &crate::value::int::Int,
) -> Outcome {
    let (Some(value), Some(exponent)) = (value.to_rat(), exponent.to_i64()) else {
        return Err(Unknown::TooHard);
    };
    Ok(Value::Float(format(cx)?.from_scaled_real(mode, value, exponent)))
}

/// Some pattern of a NaN. The two most likely patterns are offered first, but there are others.
fn open_nan(cx: &mut Cx<'_, '_>, args: &[Value], a: &Float) -> Outcome {
    let format = a.format();
    let bits = |low: u32| -> Option<Value> {
        let ones = BitVec::ones(format.eb())?.zero_extend(1)?;
        let fraction = BitVec::one(format.sb() - 1)?.shl_by(low);
        Some(Value::BitVec(ones.concat(&fraction)?))
    };
    // With one fraction bit there are exactly two patterns, one for each sign.
    if format.sb() == 2 {
        let positive = bits(0);
        let negative = positive.as_ref().and_then(|bits| match bits {
            Value::BitVec(b) => Some(Value::BitVec(b.or(&BitVec::min_signed(b.width())?))),
            _ => None,
        });
        return cx.open_among(args, Some(positive.into_iter().chain(negative).collect()));
    }
    Err(Unknown::Undecided)
}

fn extreme(cx: &mut Cx<'_, '_>, args: &[Value], choose: fn(&Float, &Float) -> MinMax) -> Outcome {
    let [Value::Float(a), Value::Float(b)] = args else { return Err(Unknown::Generic) };
    match choose(a, b) {
        MinMax::Is(float) => Ok(Value::Float(float)),
        MinMax::EitherZero => cx.open_among(args, Some(vec![args[0].clone(), args[1].clone()])),
    }
}

fn fp_from_real(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let format = format(cx)?;
    let [Value::RoundingMode(mode), real] = args else { return Err(Unknown::Generic) };
    if let Value::Real(Real::Rat(r)) = real {
        return Ok(Value::Float(format.from_real(*mode, r)));
    }
    // An irrational number is rounded when both ends of an interval around it round to the same float.
    let number = enclosed(real).ok_or(Unknown::Generic)?;
    let mut bits = 64;
    while bits <= MAX_BITS {
        let interval = number.enclose(bits).map_err(|_| Unknown::Undecided)?;
        let low = format.from_real(*mode, interval.lo());
        if low == format.from_real(*mode, interval.hi()) {
            return Ok(Value::Float(low));
        }
        bits *= 2;
    }
    Err(Unknown::Undecided)
}
