//! Arithmetic terms as polynomials over the terms that arithmetic treats as opaque.
//!
//! `(+ (* 2 x) (* y (f x)) 1)` becomes `2*x + 1*(y * f(x)) + 1`: a number for each monomial, where a monomial is a
//! sorted list of leaves. Leaves are terms of sort Int or Real that are not a sum, difference, product, quotient by a
//! number or conversion of an integer; closed terms with a rational value are numbers. Two terms with one polynomial
//! are equal in every model, so linear reasoning that treats monomials as unknowns is sound.

use super::build;
use crate::value::Value;
use crate::value::rational::Rat;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::term::{Pool, TermId};
use std::collections::BTreeMap;

/// A product of leaves, sorted.
pub(super) type Monomial = Vec<TermId>;

pub(super) type Values = HashMap<TermId, Value, FxBuildHasher>;

/// Maximum length of products and sums that are multiplied out.
const DEGREE: usize = 6;
const TERMS: usize = 40;
/// Maximum nesting that is analysed.
const DEPTH: u32 = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polynomial {
    /// Without zero coefficients.
    pub terms: BTreeMap<Monomial, Rat>,
    pub constant: Rat,
}

impl Default for Polynomial {
    fn default() -> Polynomial {
        Polynomial::number(Rat::ZERO)
    }
}

impl Polynomial {
    pub fn number(value: Rat) -> Polynomial {
        Polynomial { terms: BTreeMap::new(), constant: value }
    }

    fn leaf(term: TermId) -> Polynomial {
        Polynomial { terms: BTreeMap::from([(vec![term], Rat::ONE)]), constant: Rat::ZERO }
    }

    pub fn plus(&mut self, factor: &Rat, other: &Polynomial) {
        self.constant = &self.constant + &(factor * &other.constant);
        for (monomial, coefficient) in &other.terms {
            let entry = self.terms.entry(monomial.clone()).or_insert(Rat::ZERO);
            *entry = &*entry + &(factor * coefficient);
        }
        self.terms.retain(|_, c| !c.is_zero());
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::number(&self.constant * &other.constant);
        for (m, c) in &self.terms {
            product.add_term(m.clone(), c * &other.constant);
        }
        for (m, c) in &other.terms {
            product.add_term(m.clone(), c * &self.constant);
        }
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                let mut both = m.clone();
                both.extend(n);
                both.sort_unstable();
                product.add_term(both, c * d);
                if m.len() + n.len() > DEGREE || product.terms.len() > TERMS {
                    return None;
                }
            }
        }
        Some(product)
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: Rat) {
        let entry = self.terms.entry(monomial.clone()).or_insert(Rat::ZERO);
        *entry = &*entry + &coefficient;
        if entry.is_zero() {
            self.terms.remove(&monomial);
        }
    }

    /// The polynomial of a term of sort Int or Real.
    pub fn of(pool: &Pool, values: &Values, term: TermId) -> Polynomial {
        Reading { pool, values, known: HashMap::default() }.of(term, 0)
    }

    /// Left side minus right side.
    pub fn difference(pool: &Pool, values: &Values, a: TermId, b: TermId) -> Polynomial {
        let mut polynomial = Polynomial::of(pool, values, a);
        polynomial.plus(&-Rat::ONE, &Polynomial::of(pool, values, b));
        polynomial
    }
}

/// The rational value of a closed term, if it is known.
pub(super) fn known_number(values: &Values, term: TermId) -> Option<Rat> {
    match values.get(&term)? {
        Value::Int(n) => Some(Rat::from(n)),
        Value::Real(r) => r.to_rat().cloned(),
        _ => None,
    }
}

/// One term being read. A term that occurs many times is read once: sixty squares of squares have 2^60 occurrences.
struct Reading<'p> {
    pool: &'p Pool,
    values: &'p Values,
    known: HashMap<TermId, Polynomial, FxBuildHasher>,
}

impl Reading<'_> {
    fn of(&mut self, term: TermId, depth: u32) -> Polynomial {
        if let Some(number) = known_number(self.values, term) {
            return Polynomial::number(number);
        }
        if depth > DEPTH || self.pool.args(term).is_empty() {
            return Polynomial::leaf(term);
        }
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let polynomial = self.composed(term, depth + 1);
        self.known.insert(term, polynomial.clone());
        polynomial
    }

    /// The polynomial of an application, from those of its arguments.
    fn composed(&mut self, term: TermId, depth: u32) -> Polynomial {
        match build::operator(self.pool, term) {
            Some("int_add" | "real_add" | "int_to_real" | "real_id" | "int_id") => {
                self.sum(term, depth, &Rat::ONE, &Rat::ONE)
            }
            Some("int_sub" | "real_sub") => self.sum(term, depth, &Rat::ONE, &-Rat::ONE),
            Some("int_neg" | "real_neg") => self.sum(term, depth, &-Rat::ONE, &Rat::ONE),
            Some("int_mul" | "real_mul") => {
                self.product(term, depth).unwrap_or_else(|| Polynomial::leaf(term))
            }
            Some("real_div") => {
                let &[numerator, denominator] = self.pool.args(term) else { return Polynomial::leaf(term) };
                match known_number(self.values, denominator).and_then(|number| number.recip()) {
                    Some(inverse) => {
                        let mut whole = Polynomial::default();
                        whole.plus(&inverse, &self.of(numerator, depth));
                        whole
                    }
                    None => Polynomial::leaf(term),
                }
            }
            _ => Polynomial::leaf(term),
        }
    }

    fn sum(&mut self, term: TermId, depth: u32, first: &Rat, rest: &Rat) -> Polynomial {
        let pool = self.pool;
        let mut whole = Polynomial::default();
        for (n, &arg) in pool.args(term).iter().enumerate() {
            whole.plus(if n == 0 { first } else { rest }, &self.of(arg, depth));
        }
        whole
    }

    fn product(&mut self, term: TermId, depth: u32) -> Option<Polynomial> {
        let pool = self.pool;
        let mut whole = Polynomial::number(Rat::ONE);
        for &arg in pool.args(term) {
            whole = whole.times(&self.of(arg, depth))?;
        }
        Some(whole)
    }
}

/// Whether a monomial is an integer in every model.
pub(super) fn is_integer(pool: &Pool, monomial: &Monomial) -> bool {
    monomial.iter().all(|&leaf| pool.sort_of(leaf) == SortId::INT)
}
