//! Which values of a variable must be tried, and what a formula becomes at each of them.
//!
//! **Reals** (Loos and Weispfenning's virtual substitution). The values of `x` that satisfy a formula form finitely
//! many intervals whose ends are among the values at which some atom changes. Every nonempty interval contains its
//! left end, or values just above it, or reaches down to minus infinity. So these are enough: minus infinity, `t` for
//! every atom `x >= t` or `x = t`, and "just above t" for every atom `x > t` or `x != t`. By symmetry one may go up
//! instead of down; the side with fewer points is used. "Just above t" and "minus infinity" are never built: each atom
//! `a*x + r` is replaced by its truth there, which depends only on the signs of `a` and of its value at `t`.
//!
//! **Integers** (Cooper). Let `P` be the least common period of the divisibility atoms in `x`. If the formula holds at
//! `x` and not at `x - P`, some atom holds at `x` and not at `x - P`, and it is not a divisibility: for `a*x >= t`
//! then `a*x = t + j` with `0 <= j < a*P`; for `a*x = t` it is `a*x = t`; for `a*x != t` it is `a*x = t + a*P`. If it
//! holds at `x - kP` for all `k`, it holds at a residue modulo `P` once every bound is replaced by what it says at
//! minus infinity. A value `(t + j)/a` is put into `b*x + r` as `b*(t + j) + a*r`, together with `a | t + j`.
//! If the conjunction bounds `x` by two numbers that are close together, each of the values between is tried.
//!
//! **Equations first.** In a conjunction with the conjunct `a*x + r = 0` the value `-r/a` alone is enough.
//!
//! **Only the parts that belong to the point.** If the formula holds at `x`, choose one true part in every
//! disjunction: the chosen leaves already imply the formula, and the argument above applies to them alone. So a point
//! that comes from a leaf inside a disjunction may be tried without the other parts of this disjunction. Each case
//! then implies the formula at its point, and the case of the right choice holds, so the disjunction of all cases is
//! equivalent.

use super::Reason;
use super::bounds::range;
use super::formula::{Atom, F, FALSE, Formulas, Node, Relation, Sort, Step};
use super::linear::{Linear, Var};
use crate::value::int::Int;
use std::cmp::Ordering;

/// Maximum number of integer points per variable; with more points the work would take too long.
const MAX_POINTS: u64 = 1 << 16;

/// A value to try. The denominator is positive.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Point {
    /// Infinity in this direction; for integers with the given residue.
    Infinity(Ordering, Int),
    /// `numerator / denominator`, or just above (below) it.
    At { numerator: Linear, denominator: Int, nudge: Ordering },
}

/// Points, each with the formula to be tried there.
pub(super) type Cases = Vec<(Point, F)>;

/// Leaves, each with the formula that remains when only this leaf is chosen in its disjunctions.
type Positions = Vec<(F, F)>;

impl Formulas<'_> {
    /// The cases whose disjunction is equivalent to `exists x. f`.
    pub(super) fn cases(&mut self, f: F, x: Var) -> Step<Cases> {
        let node = self.node(f);
        let parts: &[F] = match &*node {
            Node::And(parts) => parts,
            _ => std::slice::from_ref(&f),
        };
        if let Some(point) = self.equation(parts, x) {
            return Ok(vec![(point, f)]);
        }
        let whole = self.sort(x) == Sort::Int;
        if whole {
            self.require_whole(f, x)?;
        }
        let period = if whole { self.period(f, x)? } else { Int::ONE };
        let positions = self.positions(f, x)?;
        let (down, up) = (
            self.count(&positions, x, &period, Ordering::Less),
            self.count(&positions, x, &period, Ordering::Greater),
        );
        let fewest = down.min(up);
        if whole
            && let Some((low, high)) = range(self, parts, x)
            && values_between(&low, &high) <= fewest.min(MAX_POINTS)
        {
            self.budget.spend(values_between(&low, &high))?;
            return Ok(constants(&low, &high).into_iter().map(|point| (point, f)).collect());
        }
        if fewest > MAX_POINTS {
            return Err(Reason::TooManyPoints);
        }
        let direction = if down <= up { Ordering::Less } else { Ordering::Greater };
        let mut cases: Cases = vec![];
        let mut residue = Int::ZERO;
        while residue < period {
            cases.push((Point::Infinity(direction, residue.clone()), f));
            residue = &residue + &Int::ONE;
        }
        for (leaf, restricted) in positions {
            for point in self.points(leaf, x, &period, direction) {
                cases.push((point, restricted));
            }
        }
        self.budget.spend(cases.len() as u64)?;
        Ok(cases)
    }

    /// An estimate of the number of cases; exact where it matters.
    pub(super) fn estimate(&mut self, f: F, x: Var) -> Step<u64> {
        let node = self.node(f);
        let parts: &[F] = match &*node {
            Node::And(parts) => parts,
            _ => std::slice::from_ref(&f),
        };
        if let Some(Point::At { denominator, .. }) = self.equation(parts, x) {
            return Ok(if denominator.is_one() { 0 } else { 1 });
        }
        if self.sort(x) == Sort::Bool {
            return Ok(2);
        }
        let whole = self.sort(x) == Sort::Int;
        let period = if whole { self.period(f, x)? } else { Int::ONE };
        let leaves: Positions = self.atoms_with(f, x)?.into_iter().map(|leaf| (leaf, leaf)).collect();
        let fewest = self.count(&leaves, x, &period, Ordering::Less).min(self.count(
            &leaves,
            x,
            &period,
            Ordering::Greater,
        ));
        if whole && let Some((low, high)) = range(self, parts, x) {
            return Ok(fewest.min(values_between(&low, &high)));
        }
        Ok(fewest)
    }

    fn equation(&self, parts: &[F], x: Var) -> Option<Point> {
        let mut best: Option<(Int, Linear)> = None;
        for &part in parts {
            if let Node::Atom(Atom { relation: Relation::Equal, term }) = &*self.node(part)
                && let Some(a) = term.coefficient(x)
                && (self.sort(x) == Sort::Real || self.is_whole(term))
                && best.as_ref().is_none_or(|(b, _)| a.abs() < *b)
            {
                let rest = term.without(x);
                best = Some((a.abs(), if a.is_negative() { rest } else { rest.negated() }));
            }
        }
        let (denominator, numerator) = best?;
        Some(Point::At { numerator, denominator, nudge: Ordering::Equal })
    }

    /// Fails if an integer variable shares a term with a real one: Cooper's method does not cover that.
    fn require_whole(&self, f: F, x: Var) -> Step<()> {
        for leaf in self.atoms_with(f, x)? {
            if let Node::Atom(atom) = &*self.node(leaf)
                && !self.is_whole(&atom.term)
            {
                return Err(Reason::Mixed);
            }
        }
        Ok(())
    }

    /// The least common period of the divisibility atoms in an integer variable.
    fn period(&self, f: F, x: Var) -> Step<Int> {
        let mut period = Int::ONE;
        for leaf in self.atoms_with(f, x)? {
            if let Node::Atom(Atom { relation: Relation::Divisible(d) | Relation::Indivisible(d), term }) =
                &*self.node(leaf)
                && let Some(a) = term.coefficient(x)
            {
                let own = d.div(&d.gcd(a)).unwrap_or(Int::ONE);
                period = &period * &own.div(&period.gcd(&own)).unwrap_or(Int::ONE);
            }
        }
        Ok(period)
    }

    /// Every leaf that mentions the variable, with the formula that remains when only it is chosen.
    fn positions(&mut self, f: F, x: Var) -> Step<Positions> {
        let leaves = self.atoms_with(f, x)?;
        // If the graph is much smaller than the tree, all points are tried with the whole formula.
        if self.size(f) as usize > 16 * leaves.len() + 1000 {
            return Ok(leaves.into_iter().map(|leaf| (leaf, f)).collect());
        }
        self.positions_in(f, x)
    }

    fn positions_in(&mut self, f: F, x: Var) -> Step<Positions> {
        if !self.mentions(f, x) {
            return Ok(vec![]);
        }
        let node = self.node(f);
        match &*node {
            Node::Or(parts) => {
                let mut all = vec![];
                for &part in parts {
                    all.extend(self.positions_in(part, x)?);
                }
                Ok(all)
            }
            Node::And(parts) => {
                let mut all = vec![];
                for (n, &part) in parts.iter().enumerate() {
                    for (leaf, left) in self.positions_in(part, x)? {
                        let whole = if left == part {
                            f
                        } else {
                            let mut chosen = parts.to_vec();
                            chosen[n] = left;
                            self.and(chosen)?
                        };
                        all.push((leaf, whole));
                    }
                }
                Ok(all)
            }
            _ => Ok(vec![(f, f)]),
        }
    }

    fn count(&self, positions: &Positions, x: Var, period: &Int, direction: Ordering) -> u64 {
        let most = |n: &Int| n.to_u64().unwrap_or(u64::MAX);
        let mut count = most(period);
        for &(leaf, _) in positions {
            let Node::Atom(atom) = &*self.node(leaf) else { continue };
            let Some(a) = atom.term.coefficient(x) else { continue };
            let points = match atom.relation {
                Relation::Equal | Relation::Different => 1,
                Relation::AtMost | Relation::Below if bounds_from(a) == direction => {
                    if self.sort(x) == Sort::Int { most(&(&a.abs() * period)) } else { 1 }
                }
                _ => 0,
            };
            count = count.saturating_add(points);
        }
        count
    }

    /// The points that a leaf contributes.
    fn points(&self, leaf: F, x: Var, period: &Int, direction: Ordering) -> Vec<Point> {
        let Node::Atom(Atom { relation, term }) = &*self.node(leaf) else { return vec![] };
        let Some(a) = term.coefficient(x) else { return vec![] };
        let denominator = a.abs();
        let rest = term.without(x);
        let base = if a.is_negative() { rest } else { rest.negated() };
        let at = |numerator: Linear, nudge| Point::At { numerator, denominator: denominator.clone(), nudge };
        let inwards = direction.reverse();
        let whole = self.sort(x) == Sort::Int;
        let step = if direction == Ordering::Less { Int::ONE } else { Int::from(-1) };
        match relation {
            Relation::Equal => vec![at(base, Ordering::Equal)],
            Relation::Different if whole => {
                let away = &(&denominator * period) * &step;
                vec![at(base.plus(&away), Ordering::Equal)]
            }
            Relation::Different => vec![at(base, inwards)],
            Relation::AtMost | Relation::Below if bounds_from(a) != direction => vec![],
            Relation::AtMost if whole => {
                let count = (&denominator * period).to_u64().unwrap_or(0);
                (0..count).map(|j| at(base.plus(&(&Int::from(j) * &step)), Ordering::Equal)).collect()
            }
            Relation::AtMost => vec![at(base, Ordering::Equal)],
            Relation::Below => vec![at(base, inwards)],
            _ => vec![],
        }
    }

    /// The formula at a point.
    pub(super) fn at_point(&mut self, f: F, x: Var, point: &Point) -> Step<F> {
        let left = self.replace(f, x, &mut |formulas, leaf| {
            let Node::Atom(atom) = leaf else {
                return Err(Reason::Unsupported("a Boolean at a number".into()));
            };
            formulas.atom_at(atom, x, point)
        })?;
        match point {
            Point::At { numerator, denominator, .. }
                if self.sort(x) == Sort::Int && !denominator.is_one() =>
            {
                if left == FALSE {
                    return Ok(FALSE);
                }
                let possible = self.atom(Relation::Divisible(denominator.clone()), numerator.clone())?;
                self.and(vec![possible, left])
            }
            _ => Ok(left),
        }
    }

    fn atom_at(&mut self, atom: &Atom, x: Var, point: &Point) -> Step<F> {
        let Some(a) = atom.term.coefficient(x) else {
            return self.atom(atom.relation.clone(), atom.term.clone());
        };
        let rest = atom.term.without(x);
        match point {
            Point::Infinity(direction, residue) => match &atom.relation {
                Relation::AtMost | Relation::Below => Ok(self.truth(bounds_from(a) != *direction)),
                Relation::Equal => Ok(self.truth(false)),
                Relation::Different => Ok(self.truth(true)),
                periodic => self.atom(periodic.clone(), rest.plus(&(a * residue))),
            },
            Point::At { numerator, denominator, nudge } => {
                let value = numerator.combine(a, &rest, denominator);
                let relation = match &atom.relation {
                    Relation::Divisible(d) => Relation::Divisible(d * denominator),
                    Relation::Indivisible(d) => Relation::Indivisible(d * denominator),
                    Relation::Equal if nudge.is_ne() => return Ok(self.truth(false)),
                    Relation::Different if nudge.is_ne() => return Ok(self.truth(true)),
                    // A step down lowers a*x if a is positive: then zero itself satisfies the atom; otherwise it does
                    // not.
                    Relation::AtMost | Relation::Below if nudge.is_ne() => {
                        if (*nudge == Ordering::Less) == (a.signum() > 0) {
                            Relation::AtMost
                        } else {
                            Relation::Below
                        }
                    }
                    other => other.clone(),
                };
                self.atom(relation, value)
            }
        }
    }
}

/// From which side `a*x + r <= 0` bounds x.
pub(super) fn bounds_from(a: &Int) -> Ordering {
    if a.is_negative() { Ordering::Less } else { Ordering::Greater }
}

/// How many integers there are from one to another; the largest number if there are more.
fn values_between(low: &Int, high: &Int) -> u64 {
    let width = high - low;
    if width.is_negative() { 0 } else { width.to_u64().map_or(u64::MAX, |width| width.saturating_add(1)) }
}

fn constants(low: &Int, high: &Int) -> Vec<Point> {
    let mut points = vec![];
    let mut value = low.clone();
    while value <= *high {
        let numerator = Linear::constant(value.clone());
        points.push(Point::At { numerator, denominator: Int::ONE, nudge: Ordering::Equal });
        value = &value + &Int::ONE;
    }
    points
}
