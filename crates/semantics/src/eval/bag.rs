//! Bags and tables of cvc5: finite multisets.

use super::cost::check_bits;
use super::equal::is_plain;
use super::relation::{agree, joined};
use super::set::{elements, fold, holds, made};
use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::int::Int;
use std::collections::{BTreeMap, BTreeSet};

type Counts = BTreeMap<Value, Int>;

/// Maximum number of elements that are visited one by one.
const MAX_VISITED: u64 = 1 << 10;

pub(super) const FUNCTIONS: Functions = &[
    ("bag_empty", |_, _| Ok(bag(Counts::new()))),
    ("bag_make", bag_make),
    ("bag_count", bag_count),
    ("bag_member", bag_member),
    ("bag_union_max", |_, a| combine(a, |a, b| a.max(b).clone())),
    ("bag_union_disjoint", |_, a| combine(a, |a, b| a + b)),
    ("bag_inter_min", |_, a| combine(a, |a, b| a.min(b).clone())),
    ("bag_difference_subtract", |_, a| combine(a, |a, b| a - b)),
    ("bag_difference_remove", |_, a| combine(a, |a, b| if b.is_zero() { a.clone() } else { Int::ZERO })),
    ("bag_subbag", bag_subbag),
    ("bag_setof", bag_setof),
    ("bag_card", bag_card),
    ("bag_choose", bag_choose),
    ("bag_map", bag_map),
    ("bag_filter", bag_filter),
    ("bag_all", |cx, a| quantified(cx, a, false)),
    ("bag_some", |cx, a| quantified(cx, a, true)),
    ("bag_fold", bag_fold),
    ("bag_partition", bag_partition),
    ("bag_is_singleton", bag_is_singleton),
    ("bag_from_set", bag_from_set),
    ("bag_to_set", |_, a| made(counts(&a[0])?.keys().cloned())),
    ("table_product", table_product),
    ("table_group", table_group),
    ("table_aggr", table_aggr),
    ("table_project", table_project),
    ("table_join", table_join),
];

fn bag(mut counts: Counts) -> Value {
    counts.retain(|_, n| n.signum() > 0);
    Value::bag(counts)
}

fn counts(value: &Value) -> Result<&Counts, Unknown> {
    match value {
        Value::Bag(counts) => Ok(counts),
        _ => Err(Unknown::Generic),
    }
}

fn add(counts: &mut Counts, element: Value, times: &Int) -> Result<(), Unknown> {
    if !is_plain(&element) {
        return Err(Unknown::Function);
    }
    let entry = counts.entry(element).or_insert(Int::ZERO);
    *entry = &*entry + times;
    Ok(())
}

/// The elements, each as often as it occurs.
fn spread(counts: &Counts) -> Result<Vec<Value>, Unknown> {
    let mut all = vec![];
    for (element, times) in counts {
        let times = times
            .to_u64()
            .filter(|&n| n.saturating_add(all.len() as u64) <= MAX_VISITED)
            .ok_or(Unknown::TooLarge)?;
        all.extend(std::iter::repeat_n(element.clone(), times as usize));
    }
    Ok(all)
}

fn bag_make(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [element, Value::Int(times)] = args else { return Err(Unknown::Generic) };
    let mut made = Counts::new();
    add(&mut made, element.clone(), times)?;
    Ok(bag(made))
}

fn bag_count(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    if !is_plain(&args[0]) {
        return Err(Unknown::Function);
    }
    Ok(Value::Int(counts(&args[1])?.get(&args[0]).cloned().unwrap_or(Int::ZERO)))
}

fn bag_member(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    if !is_plain(&args[0]) {
        return Err(Unknown::Function);
    }
    Ok(Value::Bool(counts(&args[1])?.contains_key(&args[0])))
}

fn combine(args: &[Value], operate: fn(&Int, &Int) -> Int) -> Outcome {
    let [a, b] = args else { return Err(Unknown::Generic) };
    let (a, b) = (counts(a)?, counts(b)?);
    let keys: BTreeSet<&Value> = a.keys().chain(b.keys()).collect();
    let zero = Int::ZERO;
    let count = |counts: &Counts, key: &Value| counts.get(key).unwrap_or(&zero).clone();
    Ok(bag(keys.into_iter().map(|key| (key.clone(), operate(&count(a, key), &count(b, key)))).collect()))
}

fn bag_subbag(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let (a, b) = (counts(&args[0])?, counts(&args[1])?);
    Ok(Value::Bool(a.iter().all(|(key, n)| b.get(key).is_some_and(|m| n <= m))))
}

fn bag_setof(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    Ok(bag(counts(&args[0])?.keys().map(|key| (key.clone(), Int::ONE)).collect()))
}

fn bag_card(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    Ok(Value::Int(counts(&args[0])?.values().fold(Int::ZERO, |sum, n| &sum + n)))
}

fn bag_choose(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let all: Vec<Value> = counts(&args[0])?.keys().cloned().collect();
    match all.as_slice() {
        [] => cx.open(args),
        [only] => Ok(only.clone()),
        _ => cx.open_among(args, Some(all)),
    }
}

fn bag_map(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, all] = args else { return Err(Unknown::Generic) };
    let mut mapped = Counts::new();
    for (element, times) in counts(all)? {
        let image = cx.eval.apply_value(function, vec![element.clone()])?;
        add(&mut mapped, image, times)?;
    }
    Ok(bag(mapped))
}

fn bag_filter(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [predicate, all] = args else { return Err(Unknown::Generic) };
    let mut kept = Counts::new();
    for (element, times) in counts(all)? {
        if holds(cx, predicate, element)? {
            kept.insert(element.clone(), times.clone());
        }
    }
    Ok(bag(kept))
}

/// Whether some element has the sought truth value.
fn quantified(cx: &mut Cx<'_, '_>, args: &[Value], sought: bool) -> Outcome {
    let [predicate, all] = args else { return Err(Unknown::Generic) };
    for element in counts(all)?.keys() {
        if holds(cx, predicate, element)? == sought {
            return Ok(Value::Bool(sought));
        }
    }
    Ok(Value::Bool(!sought))
}

fn bag_fold(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, first, all] = args else { return Err(Unknown::Generic) };
    let all = spread(counts(all)?)?;
    fold(cx, function, first, all)
}

/// Groups the elements that are related to each other; unknown unless the relation is an equivalence on them.
fn bag_partition(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [relation, all] = args else { return Err(Unknown::Generic) };
    let all = counts(all)?;
    let elements: Vec<&Value> = all.keys().collect();
    if elements.len() > 64 {
        return Err(Unknown::TooLarge);
    }
    let mut related = vec![vec![false; elements.len()]; elements.len()];
    for (i, a) in elements.iter().enumerate() {
        for (j, b) in elements.iter().enumerate() {
            let answer = cx.eval.apply_value(relation, vec![(*a).clone(), (*b).clone()])?;
            related[i][j] = answer.as_bool().ok_or(Unknown::Generic)?;
        }
    }
    let mut parts: BTreeMap<usize, Counts> = BTreeMap::new();
    for (i, row) in related.iter().enumerate() {
        let class = row.iter().position(|&r| r).ok_or(Unknown::Order)?;
        // An equivalence: all related elements have equal rows. Equal to the first of them is not enough: `<=` is that.
        let alike = row.iter().zip(&related).all(|(&is_related, other)| !is_related || other == row);
        if !row[i] || !alike {
            return Err(Unknown::Order);
        }
        parts.entry(class).or_default().insert(elements[i].clone(), all[elements[i]].clone());
    }
    let mut all = Counts::new();
    for part in parts.into_values() {
        add(&mut all, bag(part), &Int::ONE)?;
    }
    Ok(bag(all))
}

fn bag_is_singleton(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let all = counts(&args[0])?;
    Ok(Value::Bool(all.len() == 1 && all.values().all(Int::is_one)))
}

fn bag_from_set(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    Ok(bag(elements(&args[0])?.iter().map(|e| (e.clone(), Int::ONE)).collect()))
}

// Tables.

fn table_product(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    joined_rows(cx, args, &[])
}

fn table_join(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let pairs = cx.all_indices()?;
    joined_rows(cx, args, &pairs)
}

fn joined_rows(cx: &mut Cx<'_, '_>, args: &[Value], pairs: &[u64]) -> Outcome {
    let (a, b) = (counts(&args[0])?, counts(&args[1])?);
    if a.len() * b.len() > 1 << 16 {
        return Err(Unknown::TooLarge);
    }
    let mut rows = Counts::new();
    for (left, m) in a {
        for (right, n) in b {
            if agree(left, right, pairs)? {
                cx.eval.budget.spend(1)?;
                add(&mut rows, cx.eval.made(joined(left, right))?, &times(m, n)?)?;
            }
        }
    }
    Ok(bag(rows))
}

fn times(m: &Int, n: &Int) -> Result<Int, Unknown> {
    check_bits((m.words() + n.words()) * 64)?;
    Ok(m * n)
}

fn table_project(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let by = cx.all_indices()?;
    let mut rows = Counts::new();
    for (row, times) in counts(&args[0])? {
        add(&mut rows, super::datatype::project(row, &by)?, times)?;
    }
    Ok(bag(rows))
}

fn groups(cx: &Cx<'_, '_>, table: &Counts) -> Result<Vec<Counts>, Unknown> {
    let by = cx.all_indices()?;
    let mut groups: BTreeMap<Value, Counts> = BTreeMap::new();
    for (row, times) in table {
        let key = super::datatype::project(row, &by)?;
        groups.entry(key).or_default().insert(row.clone(), times.clone());
    }
    Ok(groups.into_values().collect())
}

fn table_group(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let mut parts = groups(cx, counts(&args[0])?)?;
    if parts.is_empty() {
        // cvc5 groups the empty table into one empty part, though it partitions the empty bag into none.
        parts.push(Counts::new());
    }
    let mut all = Counts::new();
    for part in parts {
        add(&mut all, bag(part), &Int::ONE)?;
    }
    Ok(bag(all))
}

fn table_aggr(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, first, table] = args else { return Err(Unknown::Generic) };
    let mut parts = groups(cx, counts(table)?)?;
    if parts.is_empty() {
        parts.push(Counts::new());
    }
    let mut results = Counts::new();
    for part in parts {
        let rows = spread(&part)?;
        let result = fold(cx, function, first, rows)?;
        add(&mut results, result, &Int::ONE)?;
    }
    Ok(bag(results))
}
