//! Linear inequalities over the rationals, exactly.
//!
//! In: constraints `sum of coefficient * unknown (<=, <, =) constant`. Out: an assignment, or a *Farkas combination*:
//! multipliers with which the constraints add up to `0 < 0` or worse. The combination is checked by adding it up
//! (`adds_up`) before it is returned, so a mistake in the search cannot make a wrong refutation.
//!
//! The method is the general simplex of Dutertre and de Moura (CAV 2006): one slack per constraint, bounds on slacks
//! only, Bland's rule, strict bounds by an infinitesimal. Tables are dense; formulas here are small.

use crate::budget::{Budget, Exhausted};
use crate::value::rational::Rat;
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Relation {
    AtMost,
    Below,
    Equal,
}

/// `form relation bound`, where the form is a list of unknowns with nonzero coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Constraint {
    pub form: Vec<(usize, Rat)>,
    pub relation: Relation,
    pub bound: Rat,
}

pub(super) enum Outcome {
    /// Values of the unknowns.
    Solved(Vec<Rat>),
    /// Constraints with multipliers (nonnegative for inequalities) whose sum is a contradiction.
    Contradiction(Vec<(usize, Rat)>),
}

/// A number plus a multiple of an infinitesimal.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Near(Rat, Rat);

impl Near {
    fn plus(&self, factor: &Rat, other: &Near) -> Near {
        Near(&self.0 + &(factor * &other.0), &self.1 + &(factor * &other.1))
    }

    fn order(&self, other: &Near) -> Ordering {
        self.0.cmp(&other.0).then_with(|| self.1.cmp(&other.1))
    }
}

struct Tableau {
    unknowns: usize,
    /// One row per constraint: the basic variable in terms of all columns.
    rows: Vec<Vec<Rat>>,
    /// The variable of each row and column; slack n is `unknowns + n`.
    basic: Vec<usize>,
    free: Vec<usize>,
    value: Vec<Near>,
    lower: Vec<Option<Near>>,
    upper: Vec<Option<Near>>,
}

/// Decides constraints over unknowns `0..unknowns`.
pub(super) fn solve(
    unknowns: usize,
    constraints: &[Constraint],
    budget: &Budget,
) -> Result<Outcome, Exhausted> {
    let mut tableau = Tableau::new(unknowns, constraints);
    loop {
        budget.spend(10 + tableau.rows.len() as u64)?;
        let Some((row, rising)) = tableau.violated() else {
            return Ok(Outcome::Solved(tableau.concrete()));
        };
        match tableau.entering(row, rising) {
            Some(column) => {
                budget.spend((tableau.rows.len() * tableau.free.len()) as u64)?;
                tableau.pivot(row, column, rising);
            }
            None => return Ok(Outcome::Contradiction(tableau.combination(row, rising))),
        }
    }
}

impl Tableau {
    fn new(unknowns: usize, constraints: &[Constraint]) -> Tableau {
        let zero = || Near(Rat::ZERO, Rat::ZERO);
        let total = unknowns + constraints.len();
        let mut tableau = Tableau {
            unknowns,
            rows: vec![],
            basic: (unknowns..total).collect(),
            free: (0..unknowns).collect(),
            value: (0..total).map(|_| zero()).collect(),
            lower: vec![None; total],
            upper: vec![None; total],
        };
        for (n, constraint) in constraints.iter().enumerate() {
            let mut row = vec![Rat::ZERO; unknowns];
            for (unknown, factor) in &constraint.form {
                row[*unknown] = &row[*unknown] + factor;
            }
            tableau.rows.push(row);
            let slip = if constraint.relation == Relation::Below { -Rat::ONE } else { Rat::ZERO };
            tableau.upper[unknowns + n] = Some(Near(constraint.bound.clone(), slip));
            if constraint.relation == Relation::Equal {
                tableau.lower[unknowns + n] = Some(Near(constraint.bound.clone(), Rat::ZERO));
            }
        }
        tableau
    }

    /// The row of the first variable outside its bounds, and whether it must increase.
    fn violated(&self) -> Option<(usize, bool)> {
        let mut best: Option<(usize, usize, bool)> = None;
        for (row, &var) in self.basic.iter().enumerate() {
            let below = self.lower[var].as_ref().is_some_and(|l| self.value[var].order(l) == Ordering::Less);
            let above =
                self.upper[var].as_ref().is_some_and(|u| self.value[var].order(u) == Ordering::Greater);
            if (below || above) && best.is_none_or(|(least, ..)| var < least) {
                best = Some((var, row, below));
            }
        }
        best.map(|(_, row, rising)| (row, rising))
    }

    /// The first column that can change to help a row.
    fn entering(&self, row: usize, rising: bool) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for (column, &var) in self.free.iter().enumerate() {
            let sign = self.rows[row][column].signum();
            if sign == 0 {
                continue;
            }
            let up = (sign > 0) == rising;
            let room = if up {
                self.upper[var].as_ref().is_none_or(|u| self.value[var].order(u) == Ordering::Less)
            } else {
                self.lower[var].as_ref().is_none_or(|l| self.value[var].order(l) == Ordering::Greater)
            };
            if room && best.is_none_or(|(least, _)| var < least) {
                best = Some((var, column));
            }
        }
        best.map(|(_, column)| column)
    }

    /// Exchanges a row's variable with a column's and moves the former to the bound it violates.
    fn pivot(&mut self, row: usize, column: usize, rising: bool) {
        let (leaving, entering) = (self.basic[row], self.free[column]);
        let target = if rising { self.lower[leaving].clone() } else { self.upper[leaving].clone() };
        let Some(target) = target else { return };
        let Some(inverse) = self.rows[row][column].recip() else { return };
        let missing = target.plus(&-Rat::ONE, &self.value[leaving]);
        let step = Near(&missing.0 * &inverse, &missing.1 * &inverse);
        self.value[leaving] = target;
        self.value[entering] = self.value[entering].plus(&Rat::ONE, &step);
        for (other, &var) in self.basic.iter().enumerate() {
            if other != row {
                self.value[var] = self.value[var].plus(&self.rows[other][column], &step);
            }
        }
        self.exchange(row, column, &inverse);
        (self.basic[row], self.free[column]) = (entering, leaving);
    }

    fn exchange(&mut self, row: usize, column: usize, inverse: &Rat) {
        let minus = -inverse;
        for (at, entry) in self.rows[row].iter_mut().enumerate() {
            *entry = if at == column { inverse.clone() } else { &*entry * &minus };
        }
        let pivot = self.rows[row].clone();
        for (other, entries) in self.rows.iter_mut().enumerate() {
            if other == row || entries[column].is_zero() {
                continue;
            }
            let factor = std::mem::replace(&mut entries[column], Rat::ZERO);
            for (entry, part) in entries.iter_mut().zip(&pivot) {
                if !part.is_zero() {
                    *entry = &*entry + &(&factor * part);
                }
            }
        }
    }

    /// The multipliers from a row that cannot be repaired.
    fn combination(&self, row: usize, rising: bool) -> Vec<(usize, Rat)> {
        let sign = if rising { -Rat::ONE } else { Rat::ONE };
        let mut parts = vec![(self.basic[row] - self.unknowns, sign.clone())];
        for (column, &var) in self.free.iter().enumerate() {
            let factor = &self.rows[row][column];
            if !factor.is_zero() && var >= self.unknowns {
                parts.push((var - self.unknowns, -(factor * &sign)));
            }
        }
        parts.sort_by_key(|&(n, _)| n);
        parts
    }

    /// The values of the unknowns, with a sufficiently small number for the infinitesimal.
    fn concrete(&self) -> Vec<Rat> {
        let mut small = Rat::ONE;
        for var in self.unknowns..self.value.len() {
            let Near(value, slope) = &self.value[var];
            for bound in [&self.lower[var], &self.upper[var]].into_iter().flatten() {
                let (gap, closing) = (&bound.0 - value, slope - &bound.1);
                if let Some(most) = gap.div(&closing)
                    && most > Rat::ZERO
                    && most < small
                {
                    small = most;
                }
            }
        }
        self.value[..self.unknowns].iter().map(|Near(value, slope)| value + &(slope * &small)).collect()
    }
}

/// Whether multipliers turn constraints into a contradiction: adds them up.
pub(super) fn adds_up(constraints: &[Constraint], multipliers: &[(usize, Rat)]) -> bool {
    let mut sum: std::collections::BTreeMap<usize, Rat> = std::collections::BTreeMap::new();
    let (mut bound, mut strict) = (Rat::ZERO, false);
    for (n, factor) in multipliers {
        let constraint = &constraints[*n];
        if factor.is_negative() && constraint.relation != Relation::Equal {
            return false;
        }
        for (unknown, coefficient) in &constraint.form {
            let entry = sum.entry(*unknown).or_insert(Rat::ZERO);
            *entry = &*entry + &(factor * coefficient);
        }
        bound = &bound + &(factor * &constraint.bound);
        strict |= constraint.relation == Relation::Below && !factor.is_zero();
    }
    sum.values().all(Rat::is_zero) && (bound.is_negative() || (strict && bound.is_zero()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::SplitMix;

    #[test]
    fn every_outcome_can_be_verified() {
        let mut numbers = SplitMix(3);
        let budget = Budget::new(u64::MAX, 0);
        let (mut solved, mut refuted) = (0, 0);
        for _ in 0..2_000 {
            let unknowns = 1 + numbers.below(4) as usize;
            let mut small = |n: u64| Rat::from(numbers.below(2 * n + 1) as i64 - n as i64);
            let constraints: Vec<Constraint> =
                (0..2 + small(3).to_int().and_then(|n| n.to_i64()).unwrap_or(0).unsigned_abs())
                    .map(|_| Constraint {
                        form: (0..unknowns).map(|n| (n, small(3))).filter(|(_, c)| !c.is_zero()).collect(),
                        relation: [Relation::AtMost, Relation::Below, Relation::Equal]
                            [(small(1).to_int().and_then(|n| n.to_i64()).unwrap_or(0) + 1) as usize],
                        bound: small(4),
                    })
                    .collect();
            match solve(unknowns, &constraints, &budget).unwrap() {
                Outcome::Contradiction(parts) => {
                    refuted += 1;
                    assert!(adds_up(&constraints, &parts), "{constraints:?} {parts:?}");
                }
                Outcome::Solved(values) => {
                    solved += 1;
                    for Constraint { form, relation, bound } in &constraints {
                        let sum = form.iter().fold(Rat::ZERO, |sum, (n, c)| &sum + &(c * &values[*n]));
                        let holds = match relation {
                            Relation::AtMost => sum <= *bound,
                            Relation::Below => sum < *bound,
                            Relation::Equal => sum == *bound,
                        };
                        assert!(holds, "{constraints:?} {values:?}");
                    }
                }
            }
        }
        assert!(solved > 200 && refuted > 200, "{solved} {refuted}");
    }
}
