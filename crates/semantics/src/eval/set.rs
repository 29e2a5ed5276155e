//! Finite sets: cvc5's `(Set T)` and z3's `(FiniteSet T)`.
//!
//! `set.universe` is some set that contains all others of its sort in a problem, and a complement is relative to it.
//! Neither is determined by a model of the other symbols, so both are unknown. If a result depends on the order in
//! which elements are visited (`set.fold`), it is known only if every order gives the same.

use super::equal::is_plain;
use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::int::Int;
use crate::value::{Base, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Maximum number of elements of a set.
const MAX_SIZE: u64 = 1 << 20;
/// Maximum number of elements for which all orders are tried.
const MAX_ORDERED: usize = 5;

pub(super) const FUNCTIONS: Functions = &[
    ("set_empty", |_, _| Ok(set(BTreeSet::new()))),
    ("set_universe", |_, _| Err(Unknown::Undecided)),
    ("set_complement", |_, _| Err(Unknown::Undecided)),
    ("set_singleton", set_of),
    ("set_insert", set_insert),
    ("set_union", |_, a| combine(a, |a, b| a.union(b).cloned().collect())),
    ("set_inter", |_, a| combine(a, |a, b| a.intersection(b).cloned().collect())),
    ("set_minus", |_, a| combine(a, |a, b| a.difference(b).cloned().collect())),
    ("set_member", set_member),
    ("set_subset", set_subset),
    ("set_card", set_card),
    ("set_choose", set_choose),
    ("set_is_empty", |_, a| Ok(Value::Bool(elements(&a[0])?.is_empty()))),
    ("set_is_singleton", |_, a| Ok(Value::Bool(elements(&a[0])?.len() == 1))),
    ("set_map", set_map),
    ("set_filter", set_filter),
    ("set_all", set_all),
    ("set_some", set_some),
    ("set_fold", set_fold),
    ("set_range", set_range),
    ("set_diff_witness", set_diff_witness),
];

pub(super) fn set(elements: BTreeSet<Value>) -> Value {
    Value::set(elements)
}

/// The elements of a set, also of one that is represented as a map to Bool.
pub(super) fn elements(value: &Value) -> Result<Cow<'_, BTreeSet<Value>>, Unknown> {
    match value {
        Value::Set(set) => Ok(Cow::Borrowed(set)),
        Value::Array(map) => match &map.base {
            Base::Constant(Value::Bool(false)) => Ok(Cow::Owned(map.exceptions.keys().cloned().collect())),
            _ => Err(Unknown::Undecided),
        },
        _ => Err(Unknown::Generic),
    }
}

/// A set of given elements, which must be values whose equality is structural.
pub(super) fn made(elements: impl IntoIterator<Item = Value>) -> Outcome {
    let mut all = BTreeSet::new();
    for element in elements {
        if !is_plain(&element) {
            return Err(Unknown::Function);
        }
        all.insert(element);
    }
    Ok(set(all))
}

fn set_of(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    made(args.iter().cloned())
}

fn set_insert(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [element, rest] = args else { return Err(Unknown::Generic) };
    made(elements(rest)?.iter().chain([element]).cloned())
}

fn combine(args: &[Value], operate: fn(&BTreeSet<Value>, &BTreeSet<Value>) -> BTreeSet<Value>) -> Outcome {
    let [a, b] = args else { return Err(Unknown::Generic) };
    let (a, b) = (elements(a)?, elements(b)?);
    Ok(set(operate(a.as_ref(), b.as_ref())))
}

fn set_member(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [element, set] = args else { return Err(Unknown::Generic) };
    if !is_plain(element) {
        return Err(Unknown::Function);
    }
    Ok(Value::Bool(elements(set)?.contains(element)))
}

fn set_subset(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [a, b] = args else { return Err(Unknown::Generic) };
    let (a, b) = (elements(a)?, elements(b)?);
    Ok(Value::Bool(a.is_subset(b.as_ref())))
}

fn set_card(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    Ok(Value::Int(Int::from(elements(&args[0])?.len() as u64)))
}

fn set_choose(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let all: Vec<Value> = elements(&args[0])?.iter().cloned().collect();
    match all.as_slice() {
        [] => cx.open(args),
        [only] => Ok(only.clone()),
        _ => cx.open_among(args, Some(all)),
    }
}

fn set_diff_witness(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [a, b] = args else { return Err(Unknown::Generic) };
    let (a, b) = (elements(a)?, elements(b)?);
    let differ: Vec<Value> = a.symmetric_difference(b.as_ref()).cloned().collect();
    match differ.as_slice() {
        [] => cx.open(args),
        [only] => Ok(only.clone()),
        _ => cx.open_among(args, Some(differ)),
    }
}

fn set_map(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, set] = args else { return Err(Unknown::Generic) };
    let mut mapped = vec![];
    for element in elements(set)?.iter() {
        mapped.push(cx.eval.apply_value(function, vec![element.clone()])?);
    }
    made(mapped)
}

/// The value of a predicate for one element.
pub(super) fn holds(cx: &mut Cx<'_, '_>, predicate: &Value, element: &Value) -> Result<bool, Unknown> {
    cx.eval.apply_value(predicate, vec![element.clone()])?.as_bool().ok_or(Unknown::Generic)
}

fn set_filter(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [predicate, all] = args else { return Err(Unknown::Generic) };
    let mut kept = BTreeSet::new();
    for element in elements(all)?.iter() {
        if holds(cx, predicate, element)? {
            kept.insert(element.clone());
        }
    }
    Ok(set(kept))
}

fn set_all(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [predicate, all] = args else { return Err(Unknown::Generic) };
    for element in elements(all)?.iter() {
        if !holds(cx, predicate, element)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn set_some(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [predicate, all] = args else { return Err(Unknown::Generic) };
    for element in elements(all)?.iter() {
        if holds(cx, predicate, element)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn set_fold(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, first, all] = args else { return Err(Unknown::Generic) };
    let all: Vec<Value> = elements(all)?.iter().cloned().collect();
    fold(cx, function, first, all)
}

/// Folds elements in every order; known if all orders agree.
pub(super) fn fold(cx: &mut Cx<'_, '_>, function: &Value, first: &Value, elements: Vec<Value>) -> Outcome {
    if elements.len() > MAX_ORDERED {
        return Err(Unknown::Order);
    }
    let mut result: Option<Value> = None;
    let mut waiting = vec![(first.clone(), elements)];
    while let Some((sum, rest)) = waiting.pop() {
        if rest.is_empty() {
            match &result {
                Some(other) if !cx.eval.same(other, &sum)? => return Err(Unknown::Order),
                _ => result = Some(sum),
            }
            continue;
        }
        for n in 0..rest.len() {
            // Exchanging equal neighbours gives the same order.
            if n > 0 && rest[n] == rest[n - 1] {
                continue;
            }
            let mut others = rest.clone();
            let element = others.remove(n);
            let next = cx.eval.apply_value(function, vec![element, sum.clone()])?;
            waiting.push((next, others));
        }
    }
    result.ok_or(Unknown::Order)
}

fn set_range(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [Value::Int(low), Value::Int(high)] = args else { return Err(Unknown::Generic) };
    let count = &(high - low) + &Int::ONE;
    if count.signum() <= 0 {
        return Ok(set(BTreeSet::new()));
    }
    let count = count.to_u64().filter(|&n| n <= MAX_SIZE).ok_or(Unknown::TooLarge)?;
    Ok(set((0..count).map(|n| Value::Int(low + &Int::from(n))).collect()))
}
