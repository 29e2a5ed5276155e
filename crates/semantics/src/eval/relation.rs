//! Relations of cvc5: sets of tuples.

use super::datatype::project;
use super::set::{elements, fold, made, set};
use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::int::Int;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of tuples of a product or closure.
const MAX_ROWS: usize = 1 << 18;

pub(super) const FUNCTIONS: Functions = &[
    ("rel_transpose", rel_transpose),
    ("rel_tclosure", rel_tclosure),
    ("rel_iden", rel_iden),
    ("rel_join_image", rel_join_image),
    ("rel_join", rel_join),
    ("rel_product", rel_product),
    ("rel_group", rel_group),
    ("rel_aggr", rel_aggr),
    ("rel_project", rel_project),
    ("rel_table_join", rel_table_join),
];

pub(super) fn columns(tuple: &Value) -> Result<&[Value], Unknown> {
    match tuple {
        Value::Tuple(parts) => Ok(parts),
        _ => Err(Unknown::Generic),
    }
}

fn tuple(parts: Vec<Value>) -> Value {
    Value::tuple(parts)
}

/// Two tuples one after the other.
pub(super) fn joined(a: &Value, b: &Value) -> Outcome {
    Ok(tuple(columns(a)?.iter().chain(columns(b)?.iter()).cloned().collect()))
}

fn rel_transpose(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let rows = elements(&args[0])?;
    let turned: Result<Vec<Value>, Unknown> =
        rows.iter().map(|row| Ok(tuple(columns(row)?.iter().rev().cloned().collect()))).collect();
    made(turned?)
}

fn rel_iden(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let rows = elements(&args[0])?;
    let pairs: Result<Vec<Value>, Unknown> = rows.iter().map(|row| joined(row, row)).collect();
    made(pairs?)
}

fn rel_tclosure(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let rows = elements(&args[0])?;
    let mut next: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for row in rows.iter() {
        let [from, to] = columns(row)? else { return Err(Unknown::Generic) };
        next.entry(from.clone()).or_default().push(to.clone());
    }
    let mut closure = BTreeSet::new();
    for start in next.keys() {
        let mut waiting = next[start].clone();
        while let Some(end) = waiting.pop() {
            cx.eval.budget.spend(2)?;
            if closure.insert(tuple(vec![start.clone(), end.clone()])) {
                waiting.extend(next.get(&end).into_iter().flatten().cloned());
            }
            if closure.len() > MAX_ROWS {
                return Err(Unknown::TooLarge);
            }
        }
    }
    Ok(set(closure))
}

/// The elements related to at least this many others.
fn rel_join_image(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [relation, Value::Int(least)] = args else { return Err(Unknown::Generic) };
    let rows = elements(relation)?;
    let mut counts: BTreeMap<Value, u64> = BTreeMap::new();
    for row in rows.iter() {
        let first = columns(row)?.first().ok_or(Unknown::Generic)?;
        *counts.entry(first.clone()).or_default() += 1;
    }
    if least.signum() <= 0 {
        // Every element of the sort is related to at least zero others, and the sort may be infinite.
        return Err(Unknown::Undecided);
    }
    made(counts.into_iter().filter(|(_, n)| Int::from(*n) >= *least).map(|(value, _)| tuple(vec![value])))
}

fn rel_join(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let (a, b) = (elements(&args[0])?, elements(&args[1])?);
    cx.eval.budget.spend((a.len() as u64).saturating_mul(b.len() as u64))?;
    let mut rows = BTreeSet::new();
    for left in a.iter() {
        for right in b.iter() {
            let (left, right) = (columns(left)?, columns(right)?);
            if left.last() == right.first() && !left.is_empty() {
                rows.insert(tuple(left[..left.len() - 1].iter().chain(&right[1..]).cloned().collect()));
            }
        }
    }
    Ok(set(rows))
}

fn rel_product(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    side_by_side(cx, args, |_, _| Ok(true))
}

/// Each row of one relation joined with each row of the other that matches it.
fn side_by_side(
    cx: &Cx<'_, '_>,
    args: &[Value],
    fits: impl Fn(&Value, &Value) -> Result<bool, Unknown>,
) -> Outcome {
    let (a, b) = (elements(&args[0])?, elements(&args[1])?);
    if a.len() * b.len() > MAX_ROWS {
        return Err(Unknown::TooLarge);
    }
    cx.eval.budget.spend(a.len() as u64 * b.len() as u64)?;
    let mut rows = BTreeSet::new();
    for left in a.iter() {
        for right in b.iter() {
            if fits(left, right)? {
                rows.insert(cx.eval.made(joined(left, right))?);
            }
        }
    }
    Ok(set(rows))
}

/// Groups rows with the same values in the given columns.
pub(super) fn grouped<'v>(
    rows: impl Iterator<Item = &'v Value>,
    by: &[u64],
) -> Result<BTreeMap<Value, Vec<Value>>, Unknown> {
    let mut groups: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for row in rows {
        groups.entry(project(row, by)?).or_default().push(row.clone());
    }
    Ok(groups)
}

fn rel_group(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let rows = elements(&args[0])?;
    if rows.is_empty() {
        return Ok(set(BTreeSet::from([set(BTreeSet::new())])));
    }
    let groups = grouped(rows.iter(), &cx.all_indices()?)?;
    Ok(set(groups.into_values().map(|group| set(group.into_iter().collect())).collect()))
}

fn rel_aggr(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [function, first, relation] = args else { return Err(Unknown::Generic) };
    let rows = elements(relation)?;
    let groups = if rows.is_empty() {
        vec![vec![]]
    } else {
        grouped(rows.iter(), &cx.all_indices()?)?.into_values().collect()
    };
    let mut results = vec![];
    for group in groups {
        results.push(fold(cx, function, first, group)?);
    }
    made(results)
}

fn rel_project(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let by = cx.all_indices()?;
    let rows = elements(&args[0])?;
    let projected: Result<Vec<Value>, Unknown> = rows.iter().map(|row| project(row, &by)).collect();
    made(projected?)
}

/// Whether two rows agree on pairs of columns: the indices are left, right, left, right, …
pub(super) fn agree(a: &Value, b: &Value, pairs: &[u64]) -> Result<bool, Unknown> {
    let (a, b) = (columns(a)?, columns(b)?);
    Ok(pairs.chunks_exact(2).all(|pair| a.get(pair[0] as usize) == b.get(pair[1] as usize)))
}

fn rel_table_join(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let pairs = cx.all_indices()?;
    side_by_side(cx, args, |left, right| agree(left, right, &pairs))
}
