//! Decides whether a formula without quantifiers has a solution, and finds one.
//!
//! All variables are existential here, so the disjunction of all cases is never built: disjunctions are tried part by
//! part, variables are removed as in `eliminate.rs` but case by case, and the first case that becomes true ends the
//! search. Then every removed variable gets a value, in reverse order. The formula that it was removed from, with the
//! values of all other variables, changes its truth only at finitely many numbers, so the numbers at, between and
//! beyond them contain a solution if there is one. A solution is checked against the formula before it is used. A
//! formula has no solution if every case became false.

use super::Reason;
use super::eliminate::Eliminator;
use super::formula::{Atom, F, FALSE, Formulas, Node, Relation, Sort, Step, TRUE};
use super::linear::{Linear, Var};
use crate::value::int::Int;
use crate::value::rational::Rat;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Values of variables; Booleans are zero or one.
pub(super) type Solution = HashMap<Var, Rat, FxBuildHasher>;

/// Maximum nesting of cases.
const MAX_DEPTH: usize = 1500;
/// Maximum number of values tried for one integer variable.
const MAX_SAMPLES: u64 = 100_000;

impl Eliminator<'_, '_> {
    /// A solution, or `None` if there is provably none.
    pub fn search(&mut self, f: F, depth: usize) -> Step<Option<Solution>> {
        let f = self.formulas.simplify(f)?;
        if f == TRUE || f == FALSE {
            return Ok((f == TRUE).then(Solution::default));
        }
        if depth > MAX_DEPTH {
            return Err(Reason::TooDeep);
        }
        let node = self.formulas.node(f);
        if let Node::Or(parts) = &*node {
            let mut order = parts.to_vec();
            order.sort_by_key(|&part| self.formulas.size(part));
            return self.first(&order, depth);
        }
        if let Some((x, value)) = self.forced_truth(f) {
            let left = self.formulas.with_truth(f, x, value)?;
            let found = self.search(left, depth + 1)?;
            return Ok(found.map(|solution| with(solution, x, truth(value))));
        }
        let vars = self.formulas.vars(f);
        let (x, cost) = self.cheapest(&vars, f)?;
        if cost > 1
            && let Some(split) = self.smallest_disjunction(f)?
        {
            return self.first(&split, depth);
        }
        if self.formulas.sort(x) == Sort::Bool {
            for value in [true, false] {
                let left = self.formulas.with_truth(f, x, value)?;
                if let Some(solution) = self.search(left, depth + 1)? {
                    return Ok(Some(with(solution, x, truth(value))));
                }
            }
            return Ok(None);
        }
        let pieces = self.remove(x, f)?;
        match self.first(&pieces, depth)? {
            Some(solution) => self.extend(f, x, solution).map(Some),
            None => Ok(None),
        }
    }

    /// The solution of the first formula that has one. A formula that cannot be decided is skipped if a later one has
    /// a solution.
    fn first(&mut self, parts: &[F], depth: usize) -> Step<Option<Solution>> {
        let mut trouble = None;
        for &part in parts {
            match self.search(part, depth + 1) {
                Ok(Some(solution)) => return Ok(Some(solution)),
                Ok(None) => {}
                Err(Reason::Exhausted(spent)) => return Err(Reason::Exhausted(spent)),
                Err(reason) => trouble = Some(reason),
            }
        }
        trouble.map_or(Ok(None), Err)
    }

    fn forced_truth(&self, f: F) -> Option<(Var, bool)> {
        let of = |f: F| match *self.formulas.node(f) {
            Node::Literal(x, value) => Some((x, value)),
            _ => None,
        };
        match &*self.formulas.node(f) {
            Node::And(parts) => parts.iter().find_map(|&part| of(part)),
            _ => of(f),
        }
    }

    /// A conjunction with its smallest disjunction replaced by each of its parts in turn; earlier parts that are
    /// leaves are negated.
    fn smallest_disjunction(&mut self, f: F) -> Step<Option<Vec<F>>> {
        let node = self.formulas.node(f);
        let Node::And(parts) = &*node else { return Ok(None) };
        let choices = |part: F| match &*self.formulas.node(part) {
            Node::Or(choices) => Some(choices.clone()),
            _ => None,
        };
        let smallest = parts
            .iter()
            .filter_map(|&part| {
                choices(part).map(|choices| (choices.len(), self.formulas.size(part), part, choices))
            })
            .min_by_key(|(count, size, ..)| (*count, *size));
        let Some((_, _, chosen, choices)) = smallest else { return Ok(None) };
        let mut rest: Vec<F> = parts.iter().copied().filter(|&part| part != chosen).collect();
        let mut split = vec![];
        for &choice in choices.iter() {
            let mut case = rest.clone();
            case.push(choice);
            split.push(self.formulas.and(case)?);
            if self.formulas.is_leaf(choice) {
                rest.push(self.formulas.negate(choice)?);
            }
        }
        Ok(Some(split))
    }

    /// A value for a variable, given a solution of the formula without it.
    pub fn extend(&mut self, f: F, x: Var, mut solution: Solution) -> Step<Solution> {
        for &y in self.formulas.vars(f).iter().filter(|y| **y != x) {
            solution.entry(y).or_insert(Rat::ZERO);
        }
        for value in self.formulas.samples(f, x, &solution)? {
            solution.insert(x, value);
            if self.formulas.holds_at(f, &solution)? {
                return Ok(solution);
            }
        }
        Err(Reason::NoSample)
    }
}

fn truth(value: bool) -> Rat {
    if value { Rat::ONE } else { Rat::ZERO }
}

fn with(mut solution: Solution, x: Var, value: Rat) -> Solution {
    solution.insert(x, value);
    solution
}

impl Formulas<'_> {
    /// Numbers that include a value of the variable that satisfies the formula, if there is any.
    fn samples(&self, f: F, x: Var, others: &Solution) -> Step<Vec<Rat>> {
        let mut ends = vec![];
        let mut period = Int::ONE;
        for leaf in self.atoms_with(f, x)? {
            let Node::Atom(Atom { relation, term }) = &*self.node(leaf) else { continue };
            let Some(a) = term.coefficient(x) else { continue };
            match relation {
                Relation::Divisible(d) | Relation::Indivisible(d) => {
                    period = &period * &d.div(&period.gcd(d)).unwrap_or(Int::ONE);
                }
                _ => {
                    let rest = value_of(&term.without(x), others);
                    ends.extend((-rest).div(&Rat::from(a)));
                }
            }
        }
        ends.sort();
        ends.dedup();
        if ends.is_empty() {
            ends.push(Rat::ZERO);
        }
        if self.sort(x) == Sort::Int { self.whole_samples(&ends, &period) } else { Ok(between(&ends)) }
    }

    /// A full period on both sides of every number.
    fn whole_samples(&self, ends: &[Rat], period: &Int) -> Step<Vec<Rat>> {
        let reach = period.to_u64().filter(|&p| p <= MAX_SAMPLES).ok_or(Reason::TooManyPoints)?;
        self.budget.spend(reach.saturating_mul(2 * ends.len() as u64))?;
        let mut all: Vec<Int> = vec![];
        for end in ends {
            let middle = end.floor();
            for step in 0..=reach {
                all.push(&middle - &Int::from(step));
                all.push(&(&middle + &Int::ONE) + &Int::from(step));
            }
        }
        all.sort();
        all.dedup();
        // Small numbers first, because people read the model.
        all.sort_by_key(Int::abs);
        Ok(all.into_iter().map(Rat::from).collect())
    }

    /// Whether a formula without quantifiers holds when every variable has a value.
    pub(super) fn holds_at(&self, f: F, solution: &Solution) -> Step<bool> {
        let mut done = HashMap::default();
        self.holds_in(f, solution, &mut done)
    }

    fn holds_in(&self, f: F, solution: &Solution, done: &mut HashMap<F, bool, FxBuildHasher>) -> Step<bool> {
        if let Some(&known) = done.get(&f) {
            return Ok(known);
        }
        self.budget.spend(1)?;
        let value = match &*self.node(f) {
            Node::Truth(value) => *value,
            Node::Literal(x, positive) => solution.get(x).is_some_and(|v| !v.is_zero()) == *positive,
            Node::Atom(atom) => relates(&atom.relation, &value_of(&atom.term, solution)),
            Node::And(parts) => {
                let mut all = true;
                for &part in parts {
                    all = all && self.holds_in(part, solution, done)?;
                }
                all
            }
            Node::Or(parts) => {
                let mut any = false;
                for &part in parts {
                    any = any || self.holds_in(part, solution, done)?;
                }
                any
            }
            Node::Quantified(..) => return Err(Reason::Unsupported("a quantifier in a solution".into())),
        };
        done.insert(f, value);
        Ok(value)
    }
}

/// The numbers, one between each two neighbours, and one beyond each end.
fn between(ends: &[Rat]) -> Vec<Rat> {
    let mut all = ends.to_vec();
    all.extend(ends.windows(2).map(|pair| pair[0].midpoint(&pair[1])));
    all.extend(ends.first().map(|least| least - &Rat::ONE));
    all.extend(ends.last().map(|greatest| greatest + &Rat::ONE));
    all
}

pub(super) fn value_of(term: &Linear, solution: &Solution) -> Rat {
    let mut sum = Rat::from(term.rest());
    for (x, c) in term.terms() {
        if let Some(value) = solution.get(x) {
            sum = &sum + &(&Rat::from(c) * value);
        }
    }
    sum
}

pub(super) fn relates(relation: &Relation, value: &Rat) -> bool {
    let divided = |d: &Int| value.to_int().is_some_and(|n| n.modulo(d) == Some(Int::ZERO));
    match relation {
        Relation::AtMost => value.signum() <= 0,
        Relation::Below => value.signum() < 0,
        Relation::Equal => value.is_zero(),
        Relation::Different => !value.is_zero(),
        Relation::Divisible(d) => divided(d),
        Relation::Indivisible(d) => !divided(d),
    }
}
