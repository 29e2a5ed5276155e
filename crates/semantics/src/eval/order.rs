//! z3's special relations: orders that a formula constrains and does not define.
//!
//! `((_ partial-order 0) a b)` says that a is below b in some partial order, which is the same one wherever it is named. A
//! model does not print the order. So an application to two different values is an open point, as a division by zero is; but
//! not every choice of truth values is possible: what is said to be below, and what is said not to be, must fit into one
//! order of the kind. That is decided over the values that occur. Axioms of orders are about all elements, so the part of an
//! order on some of them is one too, and an order of these can be extended to the whole sort: other values are
//! comparable with nothing but themselves, or come after all of these in a linear order.
//!
//! A value is below itself in each of the four kinds. Where no order fits, the choice is dropped and nothing is concluded:
//! relations of one number over two sorts are two relations, and values do not always say which sort they are of. So an
//! order helps to certify a model and never refutes one.

use super::point::Points;
use super::{Evaluator, Family, Outcome, PointId};
use crate::value::Value;
use smtlib::sort::SortId;
use smtlib::term::IndicesId;
use smtlib::theory::{OpId, Row};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Partial,
    /// Any two elements are comparable.
    Linear,
    /// What is below one element is linear.
    Tree,
    /// What is below one element is linear, and so is what is above it.
    PiecewiseLinear,
}

const KINDS: &[(&str, Kind)] = &[
    ("partial-order", Kind::Partial),
    ("linear-order", Kind::Linear),
    ("tree-order", Kind::Tree),
    ("piecewise-linear-order", Kind::PiecewiseLinear),
];

/// The kind of order that a row names, with its number: without one it is another spelling of number 0, which would be
/// a second relation here.
pub(super) fn kind(row: &Row) -> Option<Kind> {
    let (_, kind) = KINDS.iter().find(|(name, _)| *name == row.name)?;
    (!row.indices.is_empty()).then_some(*kind)
}

/// With more values, or after more attempts, no order is found. The budget does not count this work, so it is held to a
/// tenth of a millisecond for a choice; formulas have two or three values.
const MOST_VALUES: usize = 16;
const MOST_ATTEMPTS: u32 = 32;

impl Evaluator<'_> {
    /// Whether one value is below another.
    pub(super) fn below(&mut self, op: OpId, indices: IndicesId, args: &[Value], sort: SortId) -> Outcome {
        if let [a, b] = args
            && a == b
        {
            return Ok(Value::Bool(true));
        }
        self.constrained(Family::Row(op, indices), args, sort)
    }

    /// Whether the choices made so far leave an order of this point's relation; true of points of anything else.
    pub(super) fn leaves_an_order(&self, point: PointId) -> bool {
        let family = self.points.get(point).family;
        let Family::Row(op, _) = family else { return true };
        kind(op.row()).is_none_or(|kind| is_possible(kind, &self.points, family))
    }
}

fn is_possible(kind: Kind, points: &Points, family: Family) -> bool {
    let mut values: Vec<&Value> = vec![];
    let mut number = |value| {
        let at = values.iter().position(|&known| known == value);
        at.unwrap_or_else(|| {
            values.push(value);
            values.len() - 1
        })
    };
    let (mut below, mut not_below) = (vec![], vec![]);
    for (point, chosen) in points.chosen().filter(|(point, _)| point.family == family) {
        let [a, b] = &*point.args else { return false };
        let pair = (number(a), number(b));
        match chosen {
            Value::Bool(true) => below.push(pair),
            Value::Bool(false) => not_below.push(pair),
            _ => return false,
        }
    }
    let count = values.len();
    count <= MOST_VALUES && fits(kind, count, &below, &not_below)
}

/// Whether there is an order of so many elements with these pairs and without those.
fn fits(kind: Kind, count: usize, below: &[(usize, usize)], not_below: &[(usize, usize)]) -> bool {
    let mut order = Relation::identity(count);
    below.iter().for_each(|&(a, b)| order.add(a, b));
    if kind == Kind::Linear {
        not_below.iter().for_each(|&(a, b)| order.add(b, a));
    }
    order.grows(kind, not_below, &mut { MOST_ATTEMPTS })
}

#[derive(Clone)]
struct Relation {
    count: usize,
    has: Vec<bool>,
}

impl Relation {
    fn identity(count: usize) -> Relation {
        let has = (0..count * count).map(|at| at / count == at % count).collect();
        Relation { count, has }
    }

    fn add(&mut self, a: usize, b: usize) {
        self.has[a * self.count + b] = true;
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.has[a * self.count + b]
    }

    fn comparable(&self, a: usize, b: usize) -> bool {
        self.has(a, b) || self.has(b, a)
    }

    fn close(&mut self) {
        for middle in 0..self.count {
            for a in 0..self.count {
                for b in 0..self.count {
                    if self.has(a, middle) && self.has(middle, b) {
                        self.add(a, b);
                    }
                }
            }
        }
    }

    /// Whether it can become an order of the kind by adding pairs other than these.
    fn grows(mut self, kind: Kind, without: &[(usize, usize)], attempts: &mut u32) -> bool {
        if *attempts == 0 {
            return false;
        }
        *attempts -= 1;
        self.close();
        let both = self.pairs().any(|(a, b)| a != b && self.has(a, b) && self.has(b, a));
        if both || without.iter().any(|&(a, b)| self.has(a, b)) {
            return false;
        }
        let Some((a, b)) = self.to_compare(kind) else { return true };
        [(a, b), (b, a)].into_iter().any(|(a, b)| {
            let mut more = self.clone();
            more.add(a, b);
            more.grows(kind, without, attempts)
        })
    }

    /// Two elements that are not comparable and have to be.
    fn to_compare(&self, kind: Kind) -> Option<(usize, usize)> {
        let meet = |a, b| (0..self.count).any(|over| self.has(a, over) && self.has(b, over));
        let part = |a, b| (0..self.count).any(|under| self.has(under, a) && self.has(under, b));
        self.pairs().filter(|&(a, b)| !self.comparable(a, b)).find(|&(a, b)| match kind {
            // A partial order of finitely many elements is part of a linear one.
            Kind::Partial | Kind::Linear => false,
            Kind::Tree => meet(a, b),
            Kind::PiecewiseLinear => meet(a, b) || part(a, b),
        })
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let count = self.count;
        (0..count).flat_map(move |a| (0..count).map(move |b| (a, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 3;

    /// By the axioms, one by one.
    fn is_order(kind: Kind, relation: &Relation) -> bool {
        let r = |a, b| relation.has(a, b);
        let all = |holds: &dyn Fn(usize, usize, usize) -> bool| {
            relation.pairs().all(|(x, y)| (0..COUNT).all(|z| holds(x, y, z)))
        };
        let linear = all(&|x, y, _| r(x, y) || r(y, x));
        let down = all(&|x, y, z| !(r(y, x) && r(z, x)) || r(y, z) || r(z, y));
        let up = all(&|x, y, z| !(r(x, y) && r(x, z)) || r(y, z) || r(z, y));
        let partial = all(&|x, y, z| {
            r(x, x) && (x == y || !(r(x, y) && r(y, x))) && (!(r(x, y) && r(y, z)) || r(x, z))
        });
        partial
            && match kind {
                Kind::Partial => true,
                Kind::Linear => linear,
                Kind::Tree => down,
                Kind::PiecewiseLinear => down && up,
            }
    }

    #[test]
    fn orders_are_found_exactly_where_trying_all_relations_finds_one() {
        let cells = COUNT * COUNT;
        for &(name, kind) in KINDS {
            let all = (0..1usize << cells).map(|bits| Relation {
                count: COUNT,
                has: (0..cells).map(|cell| bits >> cell & 1 == 1).collect(),
            });
            let orders: Vec<Relation> = all.filter(|relation| is_order(kind, relation)).collect();
            let (mut possible, mut impossible) = (0, 0);
            // Every pair of two elements is below, not below, or not mentioned.
            for choice in 0..3usize.pow(6) {
                let pairs = Relation::identity(COUNT).pairs().filter(|(a, b)| a != b);
                let said: Vec<_> =
                    pairs.enumerate().map(|(n, pair)| (pair, choice / 3usize.pow(n as u32) % 3)).collect();
                let of =
                    |what| said.iter().filter(|(_, said)| *said == what).map(|(pair, _)| *pair).collect();
                let (below, not_below): (Vec<_>, Vec<_>) = (of(1), of(2));
                let expected = orders.iter().any(|order| {
                    below.iter().all(|&(a, b)| order.has(a, b))
                        && !not_below.iter().any(|&(a, b)| order.has(a, b))
                });
                assert_eq!(
                    fits(kind, COUNT, &below, &not_below),
                    expected,
                    "{name}: {below:?} {not_below:?}"
                );
                if expected { possible += 1 } else { impossible += 1 }
            }
            assert!(possible > 20 && impossible > 20, "{name}: {possible}, {impossible}");
        }
    }

    #[test]
    fn branches_of_a_tree_may_not_meet_again_and_those_of_a_partial_order_may() {
        let below = [(0, 2), (1, 2)];
        let apart = [(0, 1), (1, 0)];
        assert!(fits(Kind::Partial, 3, &below, &apart));
        assert!(!fits(Kind::Tree, 3, &below, &apart));
        let forked = [(2, 0), (2, 1)];
        assert!(fits(Kind::Tree, 3, &forked, &apart));
        assert!(!fits(Kind::PiecewiseLinear, 3, &forked, &apart));
    }
}
