//! ArraysEx, z3's array operators, and z3's sets, which are arrays to Bool.
//!
//! Pointwise operators work on maps with constant bases: the bases give the new base, and the result is computed at
//! every index where one of the maps has an exception. A map given by a body that could not be tabulated is unknown
//! here.

use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::compound::Shared;
use crate::value::int::Int;
use crate::value::{ArrayValue, Base, Value};
use smtlib::sort::SortId;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FUNCTIONS: Functions = &[
    ("array_select", array_select),
    ("array_store", array_store),
    ("array_const", array_const),
    ("array_eqrange", array_eqrange),
    ("array_default", array_default),
    ("array_map", array_map),
    ("array_of_function", array_of_function),
    ("array_ext", array_ext),
    ("array_set_union", |cx, a| boolean(cx, a, |x, y| x | y)),
    ("array_set_inter", |cx, a| boolean(cx, a, |x, y| x & y)),
    ("array_set_minus", |cx, a| boolean(cx, a, |x, y| x & !y)),
    ("array_set_complement", complement),
    ("array_set_subset", subset),
    ("array_set_has_size", has_size),
    ("array_set_card", card),
];

fn array_select(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let (array, index) = args.split_first().ok_or(Unknown::Generic)?;
    cx.eval.apply_value(array, index.to_vec())
}

/// The value as a map, whatever its representation. `sort` is the sort of a map like it.
fn as_map(cx: &mut Cx<'_, '_>, value: &Value, sort: SortId) -> Result<Shared<ArrayValue>, Unknown> {
    match value {
        Value::Array(array) => Ok(array.clone()),
        Value::Set(set) => {
            let index = cx.eval.index_of(sort).ok_or(Unknown::NoValue(sort))?;
            Ok(cx.eval.set_as_array(set, index))
        }
        _ => Err(Unknown::Generic),
    }
}

fn array_store(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [array, index @ .., value] = args else { return Err(Unknown::Generic) };
    let array = as_map(cx, array, cx.sort)?;
    let key = match index {
        [key] => key.clone(),
        keys => Value::tuple(keys),
    };
    cx.eval.store(&array, key, value.clone())
}

fn array_const(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [value] = args else { return Err(Unknown::Generic) };
    let index = cx.eval.index_of(cx.sort).ok_or(Unknown::NoValue(cx.sort))?;
    Ok(cx.eval.map(index, value.clone(), BTreeMap::new()))
}

fn array_of_function(cx: &mut Cx<'_, '_>, _: &[Value]) -> Outcome {
    let element = cx.element_sort().ok_or(Unknown::NoValue(cx.sort))?;
    let index = cx.eval.index_of(cx.sort).ok_or(Unknown::NoValue(cx.sort))?;
    let named = *cx.eval.pool.index_list(cx.indices).first().ok_or(Unknown::Function)?;
    match cx.eval.indexed_function(named, index.len(), element)? {
        crate::value::Code::Function(decl) => cx.eval.function_value(decl, vec![], cx.sort),
        code => {
            let base = Base::Closure(crate::value::Closure { code, given: vec![] });
            let exceptions = BTreeMap::new();
            Ok(Value::array(ArrayValue { index, base, exceptions, canonical: false }))
        }
    }
}

/// The base of a map that has a constant one.
fn base(map: &ArrayValue) -> Result<&Value, Unknown> {
    match &map.base {
        Base::Constant(base) => Ok(base),
        Base::Closure(_) => Err(Unknown::Function),
    }
}

/// Applies a function to maps index by index.
fn pointwise(
    cx: &mut Cx<'_, '_>,
    maps: &[Shared<ArrayValue>],
    mut operate: impl FnMut(&mut Cx<'_, '_>, Vec<Value>) -> Outcome,
) -> Outcome {
    let bases: Vec<Value> = maps.iter().map(|map| base(map).cloned()).collect::<Result<_, _>>()?;
    let keys: BTreeSet<&Value> = maps.iter().flat_map(|map| map.exceptions.keys()).collect();
    let mut exceptions = BTreeMap::new();
    for key in keys {
        cx.eval.budget.spend(1)?;
        let values =
            maps.iter().zip(&bases).map(|(map, base)| map.exceptions.get(key).unwrap_or(base).clone());
        let value = operate(cx, values.collect())?;
        exceptions.insert(key.clone(), value);
    }
    let index = maps.first().ok_or(Unknown::Generic)?.index.clone();
    let base = operate(cx, bases)?;
    Ok(cx.eval.map(index, base, exceptions))
}

fn array_map(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let element = cx.element_sort().ok_or(Unknown::NoValue(cx.sort))?;
    let named = *cx.eval.pool.index_list(cx.indices).first().ok_or(Unknown::Function)?;
    let code = cx.eval.indexed_function(named, args.len(), element)?;
    let maps: Vec<_> = args.iter().map(|arg| as_map(cx, arg, cx.sort)).collect::<Result<_, _>>()?;
    pointwise(cx, &maps, |cx, values| cx.eval.apply_code(&code, values))
}

/// z3's `default`: the value of an array outside finitely many indices. It is determined only for an infinite index
/// space and an array that has such a value.
fn array_default(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [Value::Array(array)] = args else { return Err(Unknown::Generic) };
    let infinite = array.index.iter().any(|&sort| cx.eval.is_infinite(sort));
    match base(array) {
        Ok(base) if infinite => Ok(base.clone()),
        _ => cx.open(args),
    }
}

/// Some index where two arrays differ.
fn array_ext(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [Value::Array(a), Value::Array(b)] = args else { return Err(Unknown::Generic) };
    let (base_a, base_b) = (base(a)?, base(b)?);
    if !args.iter().all(super::equal::is_plain) {
        return Err(Unknown::Function);
    }
    let differ: Vec<Value> = a
        .exceptions
        .keys()
        .chain(b.exceptions.keys())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .filter(|key| a.exceptions.get(*key).unwrap_or(base_a) != b.exceptions.get(*key).unwrap_or(base_b))
        .cloned()
        .collect();
    if base_a != base_b {
        return Err(Unknown::Function);
    }
    if differ.is_empty() { cx.open(args) } else { cx.open_among(args, Some(differ)) }
}

/// cvc5's `eqrange`: equal at every index from one bound to the other.
fn array_eqrange(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [Value::Array(a), Value::Array(b), low, high] = args else { return Err(Unknown::Generic) };
    let number = |value: &Value| match value {
        Value::Int(n) => Ok(n.clone()),
        Value::BitVec(bits) => Ok(bits.ubv_to_int()),
        _ => Err(Unknown::Generic),
    };
    let (low, high) = (number(low)?, number(high)?);
    let (base_a, base_b) = (base(a)?, base(b)?);
    let mut special = Int::ZERO;
    let keys: BTreeSet<&Value> = a.exceptions.keys().chain(b.exceptions.keys()).collect();
    for key in keys {
        let n = number(key)?;
        if n < low || n > high {
            continue;
        }
        special = special + Int::ONE;
        let (x, y) = (a.exceptions.get(key).unwrap_or(base_a), b.exceptions.get(key).unwrap_or(base_b));
        if !cx.eval.same(x, y)? {
            return Ok(Value::Bool(false));
        }
    }
    let count = &(&high - &low) + &Int::ONE;
    if count > special {
        return cx.eval.same(base_a, base_b).map(Value::Bool);
    }
    Ok(Value::Bool(true))
}

// z3's sets.

fn boolean(cx: &mut Cx<'_, '_>, args: &[Value], operate: fn(bool, bool) -> bool) -> Outcome {
    let maps: Vec<_> = args.iter().map(|arg| as_map(cx, arg, cx.sort)).collect::<Result<_, _>>()?;
    pointwise(cx, &maps, |_, values| match values.as_slice() {
        [Value::Bool(a), Value::Bool(b)] => Ok(Value::Bool(operate(*a, *b))),
        _ => Err(Unknown::Generic),
    })
}

fn complement(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let map = as_map(cx, &args[0], cx.sort)?;
    pointwise(cx, &[map], |_, values| match values.as_slice() {
        [Value::Bool(a)] => Ok(Value::Bool(!a)),
        _ => Err(Unknown::Generic),
    })
}

fn subset(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [a, b] = args else { return Err(Unknown::Generic) };
    if let (Value::Set(a), Value::Set(b)) = (a, b) {
        return Ok(Value::Bool(a.is_subset(b)));
    }
    let like = match (a, b) {
        (Value::Array(array), _) | (_, Value::Array(array)) => array.clone(),
        _ => return Err(Unknown::Generic),
    };
    let mut map = |value: &Value| match value {
        Value::Array(array) => array.clone(),
        Value::Set(set) => cx.eval.set_as_array(set, like.index.clone()),
        _ => like.clone(),
    };
    let both = [map(a), map(b)];
    let outside = pointwise(cx, &both, |_, values| match values.as_slice() {
        [Value::Bool(a), Value::Bool(b)] => Ok(Value::Bool(*a && !b)),
        _ => Err(Unknown::Generic),
    })?;
    match outside {
        Value::Array(map) => Ok(Value::Bool(map.exceptions.is_empty() && *base(&map)? == Value::Bool(false))),
        _ => Err(Unknown::Generic),
    }
}

/// How many elements a set has; `None` for infinitely many.
fn count(cx: &mut Cx<'_, '_>, set: &Value) -> Result<Option<Int>, Unknown> {
    match set {
        Value::Set(set) => Ok(Some(Int::from(set.len() as u64))),
        Value::Array(map) => {
            let others = Int::from(map.exceptions.len() as u64);
            if *base(map)? == Value::Bool(false) {
                return Ok(Some(others));
            }
            match cx.eval.count_keys(&map.index) {
                Some(all) => Ok(Some(&Int::from(all) - &others)),
                None if map.index.iter().any(|&sort| cx.eval.is_infinite(sort)) => Ok(None),
                None => Err(Unknown::TooLarge),
            }
        }
        _ => Err(Unknown::Generic),
    }
}

fn has_size(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [set, Value::Int(n)] = args else { return Err(Unknown::Generic) };
    Ok(Value::Bool(count(cx, set)?.is_some_and(|size| size == *n)))
}

fn card(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match count(cx, &args[0])? {
        Some(size) => Ok(Value::Int(size)),
        None => cx.open(args),
    }
}
