//! Transcendental functions: exact if the value is rational for a simple reason, else an expression that can be
//! enclosed. Arguments outside a function's domain, its poles, and the ends where cvc5 deviates from the usual ranges
//! are open points.

use super::equal::enclosed;
use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::enclosed::Enclosed;
use crate::value::rational::Rat;
use crate::value::real::Real;

pub(super) const FUNCTIONS: Functions = &[
    ("real_sin", |cx, a| apply(cx, a, "sin", &[(0, 0)])),
    ("real_cos", |cx, a| apply(cx, a, "cos", &[(0, 1)])),
    ("real_tan", |cx, a| apply(cx, a, "tan", &[(0, 0)])),
    ("real_exp", |cx, a| apply(cx, a, "exp", &[(0, 1)])),
    ("real_pi", |_, _| Ok(Value::Enclosed(Enclosed::pi()))),
    ("real_e", real_e),
    ("real_sqrt", real_sqrt),
    ("real_csc", |cx, a| apply(cx, a, "csc", &[])),
    ("real_sec", |cx, a| apply(cx, a, "sec", &[(0, 1)])),
    ("real_cot", |cx, a| apply(cx, a, "cot", &[])),
    ("real_asin", |cx, a| bounded(cx, a, "arcsin", &[(0, 0)], -1)),
    ("real_acos", |cx, a| bounded(cx, a, "arccos", &[(1, 0)], -1)),
    ("real_atan", |cx, a| apply(cx, a, "arctan", &[(0, 0)])),
    ("real_acsc", |cx, a| bounded(cx, a, "arccsc", &[], 1)),
    ("real_asec", |cx, a| bounded(cx, a, "arcsec", &[], 1)),
    ("real_acot", real_acot),
    ("real_ln", |cx, a| apply(cx, a, "ln", &[(1, 0)])),
    ("real_sinh", |cx, a| apply(cx, a, "sinh", &[(0, 0)])),
    ("real_cosh", |cx, a| apply(cx, a, "cosh", &[(0, 1)])),
    ("real_tanh", |cx, a| apply(cx, a, "tanh", &[(0, 0)])),
    ("real_asinh", |cx, a| apply(cx, a, "asinh", &[(0, 0)])),
    ("real_acosh", |cx, a| apply(cx, a, "acosh", &[(1, 0)])),
    ("real_atanh", |cx, a| apply(cx, a, "atanh", &[(0, 0)])),
];

/// Applies a function; `exact` lists the arguments with a rational value.
fn apply(cx: &mut Cx<'_, '_>, args: &[Value], name: &'static str, exact: &[(i64, i64)]) -> Outcome {
    if let [Value::Real(Real::Rat(r))] = args
        && let Some(&(_, value)) = exact.iter().find(|(x, _)| *r == Rat::from(*x))
    {
        return Ok(Value::Real(Real::from(value)));
    }
    let arg = enclosed(&args[0]).ok_or(Unknown::Generic)?;
    let value = Enclosed::apply(name, &arg).ok_or(Unknown::TooDeep)?;
    cx.eval.pay_for_enclosing(&value)?;
    if value.is_undefined() {
        return cx.open(args);
    }
    if value.enclose(256).is_err() {
        return Err(Unknown::Undecided);
    }
    Ok(Value::Enclosed(value))
}

/// As `apply`, but open at the ends of the domain: at -1, or at both if `ends` is 1.
fn bounded(
    cx: &mut Cx<'_, '_>,
    args: &[Value],
    name: &'static str,
    exact: &[(i64, i64)],
    ends: i64,
) -> Outcome {
    if let [Value::Real(Real::Rat(r))] = args
        && (*r == Rat::from(-1) || (ends == 1 && *r == Rat::ONE))
    {
        return cx.open(args);
    }
    apply(cx, args, name, exact)
}

fn real_acot(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match enclosed(&args[0]).ok_or(Unknown::Generic)?.sign() {
        Some(1) => apply(cx, args, "arccot", &[]),
        Some(_) => cx.open(args),
        None => Err(Unknown::Undecided),
    }
}

fn real_e(_: &mut Cx<'_, '_>, _: &[Value]) -> Outcome {
    Enclosed::apply("exp", &Enclosed::known(Real::ONE)).map(Value::Enclosed).ok_or(Unknown::TooDeep)
}

fn real_sqrt(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match &args[0] {
        Value::Real(r) if r.signum() < 0 => cx.open(args),
        Value::Real(r) => match r.nth_root(2) {
            Ok(Some(root)) => Ok(Value::Real(root)),
            _ => apply(cx, args, "sqrt", &[]),
        },
        _ => apply(cx, args, "sqrt", &[]),
    }
}
