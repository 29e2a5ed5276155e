//! Inverts operations on arrays, functions as values, tuples and nullables.

use super::super::moves::key;
use super::{Ask, Tools};
use crate::value::{Base, Value};
use smtlib::sort::Sort;

pub(super) fn argument(name: &str, ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    match (name, &ask.args[0]) {
        ("array_select" | "fun_apply", map) if ask.at == 0 => {
            let place = key(ask.args[1..].to_vec());
            changed(map, place, ask.target, tools).into_iter().collect()
        }
        ("array_select" | "fun_apply", Value::Array(map)) => {
            let holds = map.exceptions.iter().filter(|(_, value)| *value == ask.target);
            let keys = holds.map(|(place, _)| match place {
                Value::Tuple(keys) if map.index.len() > 1 => keys.get(ask.at - 1).cloned(),
                place => Some(place.clone()),
            });
            let mut found: Vec<Value> = keys.flatten().take(3).collect();
            found.extend(tools.some(ask.sort, 2));
            found
        }
        ("array_store", _) => stored(ask, tools),
        ("array_const", _) => match ask.target {
            Value::Array(map) => match &map.base {
                Base::Constant(base) => vec![base.clone()],
                Base::Closure(_) => vec![],
            },
            _ => vec![],
        },
        ("array_default", Value::Array(map)) => {
            vec![tools.eval.map(map.index.clone(), ask.target.clone(), map.exceptions.clone())]
        }
        ("array_set_union" | "array_set_inter" | "array_set_minus", _) => vec![ask.target.clone()],
        ("array_set_subset", _) => vec![ask.args[1 - ask.at.min(1)].clone()],
        _ => vec![],
    }
}

/// A map with another value at one key.
fn changed(map: &Value, place: Value, value: &Value, tools: &mut Tools<'_, '_, '_>) -> Option<Value> {
    match map {
        Value::Array(map) => tools.eval.store(map, place, value.clone()).ok(),
        // z3 treats a set as a map to Bool.
        Value::Set(set) => {
            let mut set = (**set).clone();
            if *value == Value::Bool(true) {
                set.insert(place)
            } else {
                set.remove(&place)
            };
            Some(Value::set(set))
        }
        _ => None,
    }
}

/// The argument of a `store`: the array, the index or the value.
fn stored(ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    let Some(last) = ask.args.len().checked_sub(1) else { return vec![] };
    let place = key(ask.args[1..last].to_vec());
    let Value::Array(target) = ask.target else { return vec![] };
    if ask.at == 0 {
        let mut found = vec![ask.target.clone()];
        if let Value::Array(now) = &ask.args[0]
            && let Some(old) = now.exceptions.get(&place)
        {
            found.extend(tools.eval.store(target, place, old.clone()).ok());
        }
        return found;
    }
    if ask.at == last {
        return tools.eval.apply_value(ask.target, ask.args[1..last].to_vec()).ok().into_iter().collect();
    }
    target.exceptions.keys().filter(|place| !matches!(place, Value::Tuple(_))).take(3).cloned().collect()
}

pub(super) fn structured(
    name: &str,
    indices: &[u64],
    ask: &Ask<'_>,
    tools: &mut Tools<'_, '_, '_>,
) -> Vec<Value> {
    let at = indices.first().map_or(0, |&n| n as usize);
    match (name, ask.target, &ask.args[ask.at]) {
        ("tuple_make", Value::Tuple(parts), _) => parts.get(ask.at).cloned().into_iter().collect(),
        ("tuple_select", target, Value::Tuple(now)) if at < now.len() => {
            let mut parts = now.to_vec();
            parts[at] = target.clone();
            vec![Value::tuple(parts)]
        }
        ("tuple_update", target, _) if ask.at == 0 => vec![target.clone()],
        ("tuple_update", Value::Tuple(parts), _) => parts.get(at).cloned().into_iter().collect(),
        ("nullable_some", Value::Nullable(Some(inner)), _) => vec![(**inner).clone()],
        ("nullable_val", target, _) => vec![Value::some(target.clone())],
        ("nullable_is_null", Value::Bool(true), _) | ("nullable_is_some", Value::Bool(false), _) => {
            vec![Value::Nullable(None)]
        }
        ("nullable_is_null" | "nullable_is_some", _, _) => {
            let Sort::Nullable(inner) = *tools.eval.pool().sort(ask.sort) else { return vec![] };
            let known = tools.some(inner, 2);
            known.into_iter().map(Value::some).collect()
        }
        _ => vec![],
    }
}
