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
        of(pool, values, term, 0)
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

fn of(pool: &Pool, values: &Values, term: TermId, depth: u32) -> Polynomial {
    if let Some(number) = known_number(values, term) {
        return Polynomial::number(number);
    }
    if depth > DEPTH {
        return Polynomial::leaf(term);
    }
    let args = pool.args(term);
    let sum = |first: Rat, rest: Rat| {
        let mut whole = Polynomial::default();
        for (n, &arg) in args.iter().enumerate() {
            whole.plus(if n == 0 { &first } else { &rest }, &of(pool, values, arg, depth + 1));
        }
        whole
    };
    match build::operator(pool, term) {
        Some("int_add" | "real_add") => sum(Rat::ONE, Rat::ONE),
        Some("int_sub" | "real_sub") => sum(Rat::ONE, -Rat::ONE),
        Some("int_neg" | "real_neg") => sum(-Rat::ONE, Rat::ONE),
        Some("int_to_real" | "real_id" | "int_id") => sum(Rat::ONE, Rat::ONE),
        Some("int_mul" | "real_mul") => {
            let mut parts = args.iter().map(|&arg| of(pool, values, arg, depth + 1));
            let product = parts.try_fold(Polynomial::number(Rat::ONE), |whole, part| whole.times(&part));
            product.unwrap_or_else(|| Polynomial::leaf(term))
        }
        Some("real_div") if args.len() == 2 => match known_number(values, args[1]).and_then(|d| d.recip()) {
            Some(inverse) => {
                let mut whole = Polynomial::default();
                whole.plus(&inverse, &of(pool, values, args[0], depth + 1));
                whole
            }
            None => Polynomial::leaf(term),
        },
        _ => Polynomial::leaf(term),
    }
}

/// Whether a monomial is an integer in every model.
pub(super) fn is_integer(pool: &Pool, monomial: &Monomial) -> bool {
    monomial.iter().all(|&leaf| pool.sort_of(leaf) == SortId::INT)
}
