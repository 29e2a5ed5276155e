//! Sequences: the operations of strings, over any element sort. `seq.nth` at an index outside is an open point.

use super::string::position;
use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::compound::{NOT_PLAIN, Shared};
use crate::value::int::Int;
use crate::value::sequence::{self, clamp};

type List = Shared<Box<[Value]>>;

/// Maximum length of a sequence.
const MAX_LEN: usize = 1 << 20;

pub(super) const FUNCTIONS: Functions = &[
    ("seq_empty", |_, _| Ok(Value::seq([]))),
    ("seq_unit", |_, args| Ok(Value::seq([args[0].clone()]))),
    ("seq_concat", seq_concat),
    ("seq_len", seq_len),
    ("seq_at", seq_at),
    ("seq_nth", seq_nth),
    ("seq_extract", seq_extract),
    ("seq_contains", seq_contains),
    ("seq_prefixof", seq_prefixof),
    ("seq_suffixof", seq_suffixof),
    ("seq_indexof", seq_indexof),
    ("seq_indexof_start", seq_indexof_start),
    ("seq_last_indexof", seq_last_indexof),
    ("seq_replace", seq_replace),
    ("seq_replace_all", seq_replace_all),
    ("seq_rev", seq_rev),
    ("seq_update", seq_update),
    ("seq_power", seq_power),
    ("seq_map", seq_map),
    ("seq_mapi", seq_mapi),
    ("seq_foldl", seq_foldl),
    ("seq_foldli", seq_foldli),
];

/// Fails unless comparing elements by structure decides their equality.
fn compared_by_structure(cx: &Cx<'_, '_>, parts: &[&List]) -> Result<(), Unknown> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    cx.eval.budget.spend(length as u64 / 4)?;
    let all = parts.iter().all(|part| part.facts().marks & NOT_PLAIN == 0);
    if all { Ok(()) } else { Err(Unknown::Function) }
}

fn list(parts: Option<Vec<Value>>) -> Outcome {
    parts.map(Value::seq).ok_or(Unknown::TooLarge)
}

fn answer(cx: &Cx<'_, '_>, a: &List, b: &List, holds: fn(&[Value], &[Value]) -> bool) -> Outcome {
    compared_by_structure(cx, &[a, b])?;
    Ok(Value::Bool(holds(a, b)))
}

with_context! {
    seq_len(_cx, _args, Seq(a)) => Ok(Value::Int(Int::from(a.len() as u64)));
    seq_at(_cx, _args, Seq(a), Int(i)) => Ok(Value::seq(sequence::at(a, clamp(i))));
    seq_nth(cx, args, Seq(a), Int(i)) => match sequence::nth(a, clamp(i)) {
        Some(value) => Ok(value.clone()),
        None => cx.open(args),
    };
    seq_extract(_cx, _args, Seq(a), Int(i), Int(n)) => {
        Ok(Value::seq(sequence::extract(a, clamp(i), clamp(n))))
    };
    seq_contains(cx, _args, Seq(a), Seq(b)) => answer(cx, a, b, sequence::contains);
    seq_prefixof(cx, _args, Seq(a), Seq(b)) => answer(cx, a, b, sequence::prefixof);
    seq_suffixof(cx, _args, Seq(a), Seq(b)) => answer(cx, a, b, sequence::suffixof);
    seq_indexof(cx, _args, Seq(a), Seq(b), Int(i)) => {
        compared_by_structure(cx, &[a, b])?;
        Ok(Value::Int(position(sequence::indexof(a, b, clamp(i)))))
    };
    seq_indexof_start(cx, _args, Seq(a), Seq(b)) => {
        compared_by_structure(cx, &[a, b])?;
        Ok(Value::Int(position(sequence::indexof(a, b, 0))))
    };
    seq_last_indexof(cx, _args, Seq(a), Seq(b)) => {
        compared_by_structure(cx, &[a, b])?;
        Ok(Value::Int(position(sequence::last_indexof(a, b))))
    };
    seq_replace(cx, _args, Seq(s), Seq(t), Seq(u)) => {
        compared_by_structure(cx, &[s, t])?;
        list(sequence::replace(s, t, u, MAX_LEN))
    };
    seq_replace_all(cx, _args, Seq(s), Seq(t), Seq(u)) => {
        compared_by_structure(cx, &[s, t])?;
        list(sequence::replace_all(s, t, u, MAX_LEN))
    };
    seq_rev(_cx, _args, Seq(s)) => list(Some(sequence::reversed(s)));
    seq_update(_cx, _args, Seq(s), Int(i), Seq(t)) => list(Some(sequence::update(s, clamp(i), t)));
    seq_power(_cx, _args, Seq(s), Int(n)) => {
        if s.is_empty() || n.signum() <= 0 {
            return Ok(Value::seq([]));
        }
        let times = n.to_u64().filter(|&n| n.saturating_mul(s.len() as u64) <= MAX_LEN as u64);
        list(times.map(|times| s.iter().cycle().take(s.len() * times as usize).cloned().collect()))
    };
}

fn seq_concat(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let parts: Option<Vec<&[Value]>> = args
        .iter()
        .map(|arg| match arg {
            Value::Seq(parts) => Some(&parts[..]),
            _ => None,
        })
        .collect();
    list(sequence::concat(&parts.ok_or(Unknown::Generic)?, MAX_LEN))
}

fn seq_map(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, Value::Seq(s)] = args else { return Err(Unknown::Generic) };
    let mapped: Result<Vec<Value>, Unknown> =
        s.iter().map(|value| cx.eval.apply_value(function, vec![value.clone()])).collect();
    Ok(Value::seq(mapped?))
}

fn seq_mapi(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, Value::Int(first), Value::Seq(s)] = args else { return Err(Unknown::Generic) };
    let mut mapped = vec![];
    for (n, value) in s.iter().enumerate() {
        let index = Value::Int(first + &Int::from(n as u64));
        mapped.push(cx.eval.apply_value(function, vec![index, value.clone()])?);
    }
    Ok(Value::seq(mapped))
}

fn seq_foldl(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, first, Value::Seq(s)] = args else { return Err(Unknown::Generic) };
    s.iter().try_fold(first.clone(), |sum, value| cx.eval.apply_value(function, vec![sum, value.clone()]))
}

fn seq_foldli(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, Value::Int(start), first, Value::Seq(s)] = args else { return Err(Unknown::Generic) };
    let mut sum = first.clone();
    for (n, value) in s.iter().enumerate() {
        let index = Value::Int(start + &Int::from(n as u64));
        sum = cx.eval.apply_value(function, vec![index, sum, value.clone()])?;
    }
    Ok(sum)
}
