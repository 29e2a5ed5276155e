//! Core, except the connectives: those are in `machine`, because they need not wait for all arguments.

use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::int::Int;

pub(super) const FUNCTIONS: Functions = &[
    ("core_true", |_, _| Ok(Value::Bool(true))),
    ("core_false", |_, _| Ok(Value::Bool(false))),
    ("core_not", core_not),
    // These five have their own codes; they are listed as functions only so that their names are known.
    ("core_implies", connective),
    ("core_and", connective),
    ("core_or", connective),
    ("core_ite", connective),
    ("core_eq", core_eq),
    ("core_xor", core_xor),
    ("core_distinct", core_distinct),
    ("core_at_most", at_most),
    ("core_at_least", at_least),
    ("core_pb_le", |cx, args| weighted(cx, args, |sum, k| sum <= k)),
    ("core_pb_ge", |cx, args| weighted(cx, args, |sum, k| sum >= k)),
    ("core_pb_eq", |cx, args| weighted(cx, args, |sum, k| sum == k)),
];

fn connective(cx: &mut Cx<'_, '_>, _: &[Value]) -> Outcome {
    Err(Unknown::NotEvaluated(cx.op))
}

pure! {
    core_not(Bool(a)) => !*a;
    core_xor(Bool(a), Bool(b)) => *a != *b;
}

fn core_eq(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    cx.eval.all_equal(args)
}

fn core_distinct(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    cx.eval.all_distinct(args)
}

fn count(args: &[Value]) -> u64 {
    args.iter().filter(|arg| **arg == Value::Bool(true)).count() as u64
}

fn at_most(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    Ok(Value::Bool(count(args) <= cx.index(0)?))
}

fn at_least(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    Ok(Value::Bool(count(args) >= cx.index(0)?))
}

/// z3's pseudo-Boolean sums: the first index is the bound, the others are weights, in the arguments' order.
fn weighted(cx: &mut Cx<'_, '_>, args: &[Value], holds: fn(&Int, &Int) -> bool) -> Outcome {
    let numbers = cx.all_indices()?;
    let (bound, weights) = numbers.split_first().ok_or(Unknown::TooLarge)?;
    if weights.len() != args.len() {
        return Err(Unknown::TooLarge);
    }
    let mut sum = Int::ZERO;
    for (weight, arg) in weights.iter().zip(args) {
        if *arg == Value::Bool(true) {
            sum = sum + Int::from(*weight);
        }
    }
    Ok(Value::Bool(holds(&sum, &Int::from(*bound))))
}
