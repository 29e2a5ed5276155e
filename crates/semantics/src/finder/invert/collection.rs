//! Inverts operations on sets and bags.
//!
//! Sets that are maps (z3's `Set`) are in `map`. To reach a size, elements that occur in the script or fresh integers
//! are added, or elements are removed.

use super::{Ask, Tools};
use crate::value::Value;
use crate::value::int::Int;
use smtlib::sort::{Sort, SortId};
use std::collections::{BTreeMap, BTreeSet};

type Members = BTreeSet<Value>;

pub(super) fn argument(name: &str, ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    match &ask.args[ask.at] {
        Value::Set(now) => {
            let found = set(name, ask, now, tools);
            found.into_iter().map(Value::set).collect()
        }
        Value::Bag(now) => {
            let found = bag(name, ask, now, tools);
            found.into_iter().map(Value::bag).collect()
        }
        _ => element(name, ask),
    }
}

fn set(name: &str, ask: &Ask<'_>, now: &Members, tools: &mut Tools<'_, '_, '_>) -> Vec<Members> {
    let other: Members = ask
        .args
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != ask.at)
        .flat_map(|(_, arg)| if let Value::Set(set) = arg { set.iter().cloned().collect() } else { vec![] })
        .collect();
    let with = |more: &Members| -> Members { now.union(more).cloned().collect() };
    let without = |less: &Members| -> Members { now.difference(less).cloned().collect() };
    match (name, ask.target) {
        ("set_union", Value::Set(target)) => {
            let rest: Members = target.difference(&other).cloned().collect();
            let kept: Members = target.intersection(&with(&rest)).cloned().collect();
            vec![kept, rest, (**target).clone()]
        }
        ("set_inter", Value::Set(target)) => {
            let outside: Members = now.difference(&other).cloned().collect();
            vec![outside.union(target).cloned().collect(), (**target).clone()]
        }
        ("set_minus", Value::Set(target)) if ask.at == 0 => {
            vec![(**target).clone(), target.union(&other).cloned().collect()]
        }
        ("set_minus", Value::Set(target)) => vec![other.difference(target).cloned().collect()],
        ("set_insert", Value::Set(target)) => vec![(**target).clone()],
        ("set_card", Value::Int(n)) => sized(ask, now, n, tools),
        ("set_member", Value::Bool(truth)) => {
            let one: Members = ask.args.first().cloned().into_iter().collect();
            if *truth { vec![with(&one), one] } else { vec![without(&one)] }
        }
        ("set_subset", Value::Bool(true)) if ask.at == 0 => {
            vec![now.intersection(&other).cloned().collect(), Members::new(), other]
        }
        ("set_subset", Value::Bool(true)) => vec![with(&other), other],
        ("set_is_empty", Value::Bool(true)) => vec![Members::new()],
        ("set_is_singleton", Value::Bool(true)) => sized(ask, now, &Int::ONE, tools),
        (_, Value::Bool(_)) => sized(ask, now, &Int::from(now.len() as i64 + 1), tools),
        (_, Value::Set(target)) => vec![(**target).clone()],
        (_, target) if name == "set_choose" => vec![Members::from([target.clone()])],
        _ => vec![],
    }
}

fn element_sort(ask: &Ask<'_>, tools: &Tools<'_, '_, '_>) -> Option<SortId> {
    match *tools.eval.pool().sort(ask.sort) {
        Sort::Set(element) | Sort::FiniteSet(element) | Sort::Bag(element) => Some(element),
        _ => None,
    }
}

/// Sets of a size, as close to the current one as possible.
fn sized(ask: &Ask<'_>, now: &Members, n: &Int, tools: &mut Tools<'_, '_, '_>) -> Vec<Members> {
    let (Some(n), Some(element)) = (n.to_u32().filter(|&n| n <= 200), element_sort(ask, tools)) else {
        return vec![];
    };
    let n = n as usize;
    let (mut first, mut last) = (now.clone(), now.clone());
    while first.len() > n {
        first.pop_first();
        last.pop_last();
    }
    let known = tools.candidates.of(tools.eval, element);
    let mut others = known.iter().cloned().chain(fresh(tools, element));
    while first.len() < n {
        let Some(element) = others.next() else { break };
        first.insert(element);
    }
    if first.len() == n { vec![first, last] } else { vec![] }
}

/// More elements than the candidates, if the sort is simple.
fn fresh(tools: &Tools<'_, '_, '_>, sort: SortId) -> Vec<Value> {
    match tools.eval.pool().sort(sort) {
        Sort::Int => (0..200).map(|n| Value::Int(Int::from(1000 + n))).collect(),
        Sort::Real => (0..200).map(|n| Value::Real(1000.max(n).into())).collect(),
        _ => vec![],
    }
}

type Counts = BTreeMap<Value, Int>;

fn bag(name: &str, ask: &Ask<'_>, now: &Counts, tools: &mut Tools<'_, '_, '_>) -> Vec<Counts> {
    let other: Counts = ask
        .args
        .iter()
        .enumerate()
        .find_map(|(n, arg)| match arg {
            Value::Bag(bag) if n != ask.at => Some((**bag).clone()),
            _ => None,
        })
        .unwrap_or_default();
    let set_count = |element: &Value, count: &Int| -> Counts {
        let mut counts = now.clone();
        if count.signum() > 0 {
            counts.insert(element.clone(), count.clone());
        } else {
            counts.remove(element);
        }
        counts
    };
    match (name, ask.target) {
        ("bag_count", Value::Int(n)) => vec![set_count(&ask.args[0], n)],
        ("bag_member", Value::Bool(truth)) => {
            vec![set_count(&ask.args[0], if *truth { &Int::ONE } else { &Int::ZERO })]
        }
        ("bag_card", Value::Int(n)) => {
            let Some(element) = element_sort(ask, tools) else { return vec![] };
            let known = tools.some(element, 2);
            let mut found: Vec<Counts> = known.iter().map(|e| [(e.clone(), n.clone())].into()).collect();
            found.retain(|_| n.signum() > 0);
            if n.is_zero() {
                found.push(Counts::new());
            }
            found
        }
        ("bag_subbag", Value::Bool(true)) => vec![other],
        ("bag_union_disjoint", Value::Bag(target)) => {
            let left = |(element, count): (&Value, &Int)| {
                let rest = count - other.get(element).unwrap_or(&Int::ZERO);
                (rest.signum() > 0).then(|| (element.clone(), rest))
            };
            vec![target.iter().filter_map(left).collect(), (**target).clone()]
        }
        (_, Value::Bag(target)) => vec![(**target).clone()],
        _ => vec![],
    }
}

/// The element of a set or bag.
fn element(name: &str, ask: &Ask<'_>) -> Vec<Value> {
    match (name, ask.target, ask.args) {
        ("set_singleton", Value::Set(target), _) => target.iter().take(2).cloned().collect(),
        ("set_insert", Value::Set(target), _) => target.iter().take(3).cloned().collect(),
        ("set_member", Value::Bool(true), [_, Value::Set(set)]) => set.iter().take(4).cloned().collect(),
        ("bag_member" | "bag_count", _, [_, Value::Bag(bag)]) => bag.keys().take(4).cloned().collect(),
        ("bag_make", Value::Bag(target), _) => match (ask.at, target.first_key_value()) {
            (0, Some((element, _))) => vec![element.clone()],
            (_, Some((_, count))) => vec![Value::Int(count.clone())],
            _ => vec![Value::Int(Int::ZERO)],
        },
        ("set_range", Value::Set(target), _) => {
            let end = if ask.at == 0 { target.first() } else { target.last() };
            end.cloned().into_iter().collect()
        }
        _ => vec![],
    }
}
