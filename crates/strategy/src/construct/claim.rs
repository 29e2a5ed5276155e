//! Claims: what can be asserted about grown terms, and how much it restricts the models.
//!
//! A claim is true in the chosen world. Its tightness is measured as the share of the other worlds in which it is also
//! true, among those that satisfy everything asserted so far. Several claims are drawn and the tightest is asserted,
//! because a formula that almost every assignment satisfies tests nothing.

use super::grow::{Grove, WORLDS};
use crate::Rng;
use semantics::value::Value;
use semantics::value::real::Real;
use semantics::value::show::value_text;
use smtlib::SortId;

/// Claims that are compared for each assertion.
const COMPARED: usize = 4;
/// Longer values are not written out.
const VALUE_LENGTH: usize = 160;

/// Something that is true in the chosen world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A Bool term has its value.
    Truth(usize),
    /// Two terms are equal.
    Same(usize, usize),
    /// Two terms are different.
    Different(usize, usize),
    /// A term has its value.
    Is(usize),
}

/// Assertions, and how many of the other worlds satisfy all of them.
pub struct Asserted {
    pub texts: Vec<Vec<u8>>,
    pub others: usize,
}

/// Asserts at most this many claims, tight ones first.
pub fn assert(grove: &Grove<'_>, most: usize, rng: &mut Rng) -> Asserted {
    let mut alive = [true; WORLDS];
    let mut texts: Vec<Vec<u8>> = vec![];
    for _ in 0..most {
        let claims = (0..COMPARED).filter_map(|_| draw(grove, rng));
        let Some((claim, _)) = claims
            .map(|claim| (claim, survivors(grove, claim, &alive)))
            .min_by_key(|(_, survivors)| *survivors)
        else {
            continue;
        };
        let Some(text) = text(grove, claim).filter(|text| !texts.contains(text)) else { continue };
        for (world, alive) in alive.iter_mut().enumerate().skip(1) {
            *alive &= holds(grove, claim, world);
        }
        texts.push(text);
    }
    Asserted { texts, others: alive[1..].iter().filter(|alive| **alive).count() }
}

/// Some claim about grown terms; every stage has constants, so there are terms.
pub fn draw(grove: &Grove<'_>, rng: &mut Rng) -> Option<Claim> {
    let items = &grove.items;
    let first = rng.below(items.len()).max(rng.below(items.len()));
    let item = &items[first];
    if !item.grown {
        return None;
    }
    if item.sort == SortId::BOOL && !rng.chance(1, 6) {
        return Some(Claim::Truth(first));
    }
    if item.sort == SortId::REGLAN {
        return None;
    }
    let start = rng.below(items.len());
    let others = (start..items.len()).chain(0..start).filter(|&n| n != first && items[n].sort == item.sort);
    let same = |n: &usize| items[*n].values[0] == item.values[0];
    let roll = rng.below(8);
    let claim = match roll {
        0..4 => others.clone().find(same).map(|n| Claim::Same(first, n)),
        4 => others.clone().find(|n| !same(n)).map(|n| Claim::Different(first, n)),
        _ => None,
    };
    Some(claim.unwrap_or(Claim::Is(first)))
}

/// Whether a claim is true in a world.
pub fn holds(grove: &Grove<'_>, claim: Claim, world: usize) -> bool {
    let value = |n: usize, world: usize| grove.items[n].values[world].as_ref();
    match claim {
        Claim::Truth(n) | Claim::Is(n) => value(n, world).is_some() && value(n, world) == value(n, 0),
        Claim::Same(m, n) => value(m, world).is_some() && value(m, world) == value(n, world),
        Claim::Different(m, n) => {
            value(m, world).is_some() && value(n, world).is_some() && value(m, world) != value(n, world)
        }
    }
}

fn survivors(grove: &Grove<'_>, claim: Claim, alive: &[bool; WORLDS]) -> usize {
    (1..WORLDS).filter(|&world| alive[world] && holds(grove, claim, world)).count()
}

/// `(HEAD ARG …)`.
fn applied(head: &str, args: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::with_capacity(head.len() + 2 + args.iter().map(|arg| arg.len() + 1).sum::<usize>());
    out.push(b'(');
    out.extend_from_slice(head.as_bytes());
    for arg in args {
        out.push(b' ');
        out.extend_from_slice(arg);
    }
    out.push(b')');
    out
}

/// The terms that a claim speaks of.
fn terms(claim: Claim) -> (usize, Option<usize>) {
    match claim {
        Claim::Truth(n) | Claim::Is(n) => (n, None),
        Claim::Same(m, n) | Claim::Different(m, n) => (m, Some(n)),
    }
}

/// The symbols that a claim depends on.
pub fn uses(grove: &Grove<'_>, claim: Claim) -> u64 {
    let (first, second) = terms(claim);
    grove.items[first].uses | second.map_or(0, |n| grove.items[n].uses)
}

/// Whether the terms of a claim have values in all of the first worlds.
pub fn is_defined(grove: &Grove<'_>, claim: Claim, count: usize) -> bool {
    let (first, second) = terms(claim);
    let defined = |n: usize| grove.items[n].values[..=count].iter().all(Option::is_some);
    defined(first) && second.is_none_or(defined)
}

/// The opposite of a claim; `None` if it cannot be written.
pub fn denial(grove: &Grove<'_>, claim: Claim) -> Option<Vec<u8>> {
    let opposite = match claim {
        Claim::Truth(n) if grove.items[n].values[0] != Some(Value::Bool(true)) => {
            return Some(grove.items[n].text.clone());
        }
        Claim::Same(m, n) => Claim::Different(m, n),
        Claim::Different(m, n) => Claim::Same(m, n),
        claim => return text(grove, claim).map(|text| applied("not", &[&text])),
    };
    text(grove, opposite)
}

/// A claim as an assertion; `None` if its value cannot be written.
pub fn text(grove: &Grove<'_>, claim: Claim) -> Option<Vec<u8>> {
    let text = |n: usize| grove.items[n].text.as_slice();
    Some(match claim {
        Claim::Truth(n) if grove.items[n].values[0] == Some(Value::Bool(true)) => text(n).to_vec(),
        Claim::Truth(n) => applied("not", &[text(n)]),
        Claim::Same(m, n) => applied("=", &[text(m), text(n)]),
        Claim::Different(m, n) => applied("distinct", &[text(m), text(n)]),
        Claim::Is(n) => {
            let item = &grove.items[n];
            let value = item.values[0].as_ref().filter(|value| is_writable(value))?;
            let value = value_text(&grove.stage.pool, item.sort, value);
            (value.len() <= VALUE_LENGTH).then(|| applied("=", &[text(n), value.as_bytes()]))?
        }
    })
}

/// Whether a value has a text that every solver reads.
pub fn is_writable(value: &Value) -> bool {
    match value {
        Value::Real(real) => matches!(real, Real::Rat(_)),
        Value::Enclosed(_) | Value::RegLan(_) | Value::Generic(_) | Value::Abstract { .. } => false,
        _ => true,
    }
}
