//! Linear arithmetic for the current truth values of the atoms.
//!
//! In: atoms with their truth, the classes of equal terms, values of closed terms. Out: a set of atoms that cannot all
//! have their current truth, with the combination that shows it; or values for the monomials, from which the engine
//! decides what to ask next (a split on an integer, on two terms that may be equal, a lemma on a product).
//!
//! Comparisons and equations between terms of sort Int and Real become constraints over monomials (`polynomial`);
//! terms that are equal by congruence give equations whose reasons are the atoms behind them. Constraints over
//! integers are divided by the common divisor of their coefficients and rounded, which preserves all integer
//! solutions. A contradiction comes from `simplex` as a combination that has been checked by adding it up. If
//! reasoning over the rationals is not enough, equations over integers with a coefficient of one are solved for that
//! unknown and substituted into the other constraints, which are then rounded again. Each derived constraint carries
//! the reasons of all constraints that it came from.

use super::build;
use super::congruence::{Classes, Conflict, Truth};
use super::polynomial::{Monomial, Polynomial, Values, is_integer};
use super::simplex::{self, Constraint, Outcome, Relation};
use crate::budget::{Budget, Exhausted};
use crate::value::int::Int;
use crate::value::rational::Rat;
use smtlib::sort::SortId;
use smtlib::term::{Pool, TermId};
use std::collections::BTreeMap;

/// `polynomial relation 0`, and the atoms that imply it.
#[derive(Clone)]
struct Fact {
    polynomial: Polynomial,
    relation: Relation,
    reasons: Vec<Truth>,
}

pub(super) enum Verdict {
    /// Atoms that cannot all have their current truth, and the multipliers as text.
    Conflict(Conflict, String),
    /// Values of the monomials.
    Solved(BTreeMap<Monomial, Rat>),
}

pub(super) struct Arith<'a> {
    pub pool: &'a Pool,
    pub values: &'a Values,
    pub budget: &'a Budget,
}

impl Arith<'_> {
    pub fn check(&self, atoms: &[Truth], classes: &Classes<'_>) -> Result<Verdict, Exhausted> {
        let facts = self.facts(atoms, classes);
        let first = self.decide(&facts)?;
        match &first {
            Verdict::Solved(model) if model.iter().any(|(m, v)| is_integer(self.pool, m) && !v.is_int()) => {
                match self.decide(&self.eliminate(facts)?)? {
                    conflict @ Verdict::Conflict(..) => Ok(conflict),
                    Verdict::Solved(_) => Ok(first),
                }
            }
            _ => Ok(first),
        }
    }

    fn facts(&self, atoms: &[Truth], classes: &Classes<'_>) -> Vec<Fact> {
        let mut facts: Vec<Fact> = atoms.iter().filter_map(|&atom| self.fact(atom)).collect();
        for group in classes.groups() {
            let sort = self.pool.sort_of(group[0]);
            if sort != SortId::INT && sort != SortId::REAL {
                continue;
            }
            let anchor = classes.valued(group[0]).unwrap_or(group[0]);
            for &member in &group {
                let polynomial = Polynomial::difference(self.pool, self.values, anchor, member);
                if polynomial != Polynomial::default() {
                    let reasons = classes.explain(anchor, member);
                    let direct = reasons.len() == 1
                        && self.fact(reasons[0]).is_some_and(|f| f.polynomial == polynomial);
                    if !direct {
                        facts.push(Fact { polynomial, relation: Relation::Equal, reasons });
                    }
                }
            }
        }
        facts
    }

    fn fact(&self, (atom, truth): Truth) -> Option<Fact> {
        let args = self.pool.args(atom);
        let &[a, b] = args else { return None };
        let sort = self.pool.sort_of(a);
        if sort != SortId::INT && sort != SortId::REAL {
            return None;
        }
        let difference = |a, b| Polynomial::difference(self.pool, self.values, a, b);
        let (polynomial, relation) = match (build::operator(self.pool, atom)?, truth) {
            ("core_eq", true) => (difference(a, b), Relation::Equal),
            ("int_le" | "real_le", true) => (difference(a, b), Relation::AtMost),
            ("int_le" | "real_le", false) => (difference(b, a), Relation::Below),
            ("int_lt" | "real_lt", true) => (difference(a, b), Relation::Below),
            ("int_lt" | "real_lt", false) => (difference(b, a), Relation::AtMost),
            _ => return None,
        };
        Some(Fact { polynomial, relation, reasons: vec![(atom, truth)] })
    }

    fn decide(&self, facts: &[Fact]) -> Result<Verdict, Exhausted> {
        let mut unknowns: BTreeMap<Monomial, usize> = BTreeMap::new();
        for monomial in facts.iter().flat_map(|fact| fact.polynomial.terms.keys()) {
            let next = unknowns.len();
            unknowns.entry(monomial.clone()).or_insert(next);
        }
        let mut constraints = vec![];
        for fact in facts {
            self.budget.spend(1 + fact.polynomial.terms.len() as u64)?;
            let constraint = self.constraint(fact, &unknowns);
            let impossible = self.is_impossible(fact) || empty_and_false(&constraint);
            constraints.push(constraint);
            if impossible {
                return Ok(Verdict::Conflict(fact.reasons.clone(), String::new()));
            }
        }
        match simplex::solve(unknowns.len(), &constraints, self.budget)? {
            Outcome::Contradiction(parts) if simplex::adds_up(&constraints, &parts) => {
                let mut atoms: Conflict = parts.iter().flat_map(|&(n, _)| facts[n].reasons.clone()).collect();
                atoms.sort_unstable();
                atoms.dedup();
                let text: Vec<String> = parts.iter().map(|(_, factor)| factor.to_string()).collect();
                Ok(Verdict::Conflict(atoms, text.join(", ")))
            }
            // A combination that does not add up is not a contradiction; there is no model to use either.
            Outcome::Contradiction(_) => Ok(Verdict::Solved(BTreeMap::new())),
            Outcome::Solved(values) => {
                Ok(Verdict::Solved(unknowns.into_iter().map(|(m, n)| (m, values[n].clone())).collect()))
            }
        }
    }

    fn all_integer(&self, polynomial: &Polynomial) -> bool {
        polynomial.terms.keys().all(|monomial| is_integer(self.pool, monomial))
    }

    /// The factor that makes the coefficients integers without a common divisor.
    fn scale(polynomial: &Polynomial) -> Rat {
        let (mut common, mut divisor) = (Int::from(1), Int::from(0));
        for c in polynomial.terms.values() {
            let d = c.denominator();
            let multiple = &common * &d;
            common = multiple.div(&common.gcd(&d)).unwrap_or(multiple);
        }
        for c in polynomial.terms.values() {
            let scaled = c * &Rat::from(&common);
            divisor = divisor.gcd(&scaled.numerator());
        }
        Rat::new(&common, &divisor).unwrap_or(Rat::ONE)
    }

    /// An equation over integers whose constant is not a multiple of the common divisor of the coefficients.
    fn is_impossible(&self, fact: &Fact) -> bool {
        let polynomial = &fact.polynomial;
        fact.relation == Relation::Equal
            && !polynomial.terms.is_empty()
            && self.all_integer(polynomial)
            && !(&polynomial.constant * &Self::scale(polynomial)).is_int()
    }

    fn constraint(&self, fact: &Fact, unknowns: &BTreeMap<Monomial, usize>) -> Constraint {
        let polynomial = &fact.polynomial;
        let integer = !polynomial.terms.is_empty() && self.all_integer(polynomial);
        let scale = if integer { Self::scale(polynomial) } else { Rat::ONE };
        let form = polynomial.terms.iter().map(|(m, c)| (unknowns[m], c * &scale)).collect();
        let mut bound = -(&polynomial.constant * &scale);
        let mut relation = fact.relation;
        if integer && relation == Relation::Below {
            bound = Rat::from(&bound.ceil() - &Int::from(1));
            relation = Relation::AtMost;
        } else if integer && relation == Relation::AtMost {
            bound = Rat::from(bound.floor());
        }
        Constraint { form, relation, bound }
    }

    /// Solves equations over integers for an unknown with coefficient one and substitutes the solution everywhere.
    fn eliminate(&self, mut facts: Vec<Fact>) -> Result<Vec<Fact>, Exhausted> {
        let mut done: Vec<Monomial> = vec![];
        loop {
            let found = facts.iter().enumerate().find_map(|(n, fact)| {
                let usable = fact.relation == Relation::Equal && self.all_integer(&fact.polynomial);
                let scale = Self::scale(&fact.polynomial);
                let whole = (&fact.polynomial.constant * &scale).is_int();
                let mut terms = fact.polynomial.terms.iter();
                let unit = terms.find(|(m, c)| (*c * &scale).abs() == Rat::ONE && !done.contains(m))?;
                (usable && whole).then(|| (n, unit.0.clone()))
            });
            let Some((n, monomial)) = found else { return Ok(facts) };
            let equation = facts.remove(n);
            let own = equation.polynomial.terms[&monomial].clone();
            for fact in &mut facts {
                let Some(factor) = fact.polynomial.terms.get(&monomial) else { continue };
                self.budget.spend(equation.polynomial.terms.len() as u64)?;
                let Some(times) = factor.div(&own) else { continue };
                fact.polynomial.plus(&-times, &equation.polynomial);
                fact.reasons.extend(&equation.reasons);
                fact.reasons.sort_unstable();
                fact.reasons.dedup();
            }
            done.push(monomial);
        }
    }
}

fn empty_and_false(constraint: &Constraint) -> bool {
    constraint.form.is_empty()
        && match constraint.relation {
            Relation::AtMost => constraint.bound.is_negative(),
            Relation::Below => constraint.bound <= Rat::ZERO,
            Relation::Equal => !constraint.bound.is_zero(),
        }
}

/// The value of a term under values of monomials; monomials without a value are zero.
pub(super) fn value_of(pool: &Pool, values: &Values, model: &BTreeMap<Monomial, Rat>, term: TermId) -> Rat {
    let polynomial = Polynomial::of(pool, values, term);
    polynomial.terms.iter().fold(polynomial.constant.clone(), |sum, (monomial, c)| {
        model.get(monomial).map_or(sum.clone(), |value| &sum + &(c * value))
    })
}
