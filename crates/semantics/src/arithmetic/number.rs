//! Numeric terms as they are parsed: linear fractions by cases, with quotients as extra variables.
//!
//! `(ite c s t)` and `(abs t)` have two cases each; the guards of the cases exclude each other and one of them holds.
//! `(div t k)`, `(mod t k)` and `(to_int t)` are written with an integer variable `q` and a definition that exactly
//! one `q` satisfies. So an atom over such a number means "some q satisfies the definition and the atom", and its
//! negation means "some q satisfies the definition and not the atom": a quotient never needs a universal quantifier.

use super::Reason;
use super::formula::{F, Formulas, Quantifier, Relation, Sort, Step, TRUE};
use super::linear::{Linear, Var};
use crate::value::int::Int;
use crate::value::rational::Rat;

/// `numerator / denominator` with a positive denominator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fraction {
    pub numerator: Linear,
    pub denominator: Int,
}

#[derive(Clone, Debug)]
pub(super) struct Number {
    /// Guards and values.
    pub cases: Vec<(F, Fraction)>,
    /// Quotients with their definitions.
    pub quotients: Vec<(Var, F)>,
    pub sort: Sort,
}

/// A formula and its negation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Both {
    pub yes: F,
    pub no: F,
}

/// Maximum number of cases of one number; a number with more cases gets its own variable.
const MAX_CASES: usize = 32;

impl Fraction {
    pub fn constant(value: &Rat) -> Fraction {
        Fraction { numerator: Linear::constant(value.numerator()), denominator: value.denominator() }
    }

    pub fn to_constant(&self) -> Option<Rat> {
        Rat::new(self.numerator.to_constant()?, &self.denominator)
    }

    /// `a * self + b * other`.
    fn combine(&self, a: i64, other: &Fraction, b: i64) -> Fraction {
        let numerator = self.numerator.combine(
            &(&Int::from(a) * &other.denominator),
            &other.numerator,
            &(&Int::from(b) * &self.denominator),
        );
        Fraction { numerator, denominator: &self.denominator * &other.denominator }.reduced()
    }

    fn times(&self, factor: &Rat) -> Fraction {
        let numerator = self.numerator.scaled(&factor.numerator());
        Fraction { numerator, denominator: &self.denominator * &factor.denominator() }.reduced()
    }

    fn reduced(self) -> Fraction {
        let common = self.numerator.content().gcd(self.numerator.rest()).gcd(&self.denominator);
        if common.is_one() || common.is_zero() {
            return self;
        }
        let denominator = self.denominator.div(&common).unwrap_or(Int::ONE);
        Fraction { numerator: self.numerator.divided(&common), denominator }
    }
}

impl Number {
    pub fn single(value: Fraction, sort: Sort) -> Number {
        Number { cases: vec![(TRUE, value)], quotients: vec![], sort }
    }

    pub fn variable(x: Var, sort: Sort) -> Number {
        Number::single(Fraction { numerator: Linear::variable(x), denominator: Int::ONE }, sort)
    }

    pub fn constant(value: &Rat, sort: Sort) -> Number {
        Number::single(Fraction::constant(value), sort)
    }

    pub fn to_constant(&self) -> Option<Rat> {
        match &self.cases[..] {
            [(_, value)] => value.to_constant(),
            _ => None,
        }
    }
}

impl Formulas<'_> {
    /// Combines two numbers case by case.
    fn pairwise(
        &mut self,
        a: &Number,
        b: &Number,
        operate: impl Fn(&Fraction, &Fraction) -> Option<Fraction>,
    ) -> Step<Number> {
        let mut cases: Vec<(F, Fraction)> = vec![];
        for (g, x) in &a.cases {
            for (h, y) in &b.cases {
                self.budget.spend(1 + (x.numerator.terms().len() + y.numerator.terms().len()) as u64)?;
                let guard = self.and(vec![*g, *h])?;
                if guard == super::formula::FALSE {
                    continue;
                }
                cases.push((guard, operate(x, y).ok_or(Reason::NotLinear)?));
            }
        }
        let mut quotients = a.quotients.clone();
        for quotient in &b.quotients {
            if !quotients.contains(quotient) {
                quotients.push(*quotient);
            }
        }
        self.tidy(Number { cases, quotients, sort: a.sort })
    }

    /// Merges cases with the same value; too many cases become a variable.
    fn tidy(&mut self, mut number: Number) -> Step<Number> {
        let mut joined: Vec<(F, Fraction)> = vec![];
        for (guard, value) in std::mem::take(&mut number.cases) {
            match joined.iter_mut().find(|(_, other)| *other == value) {
                Some((other, _)) => *other = self.or(vec![*other, guard])?,
                None => joined.push((guard, value)),
            }
        }
        number.cases = joined;
        if number.cases.len() > MAX_CASES {
            let x = self.defined_variable(number.sort, "case");
            let mut parts = vec![];
            for (guard, value) in &number.cases {
                let term = Linear::variable(x).combine(&value.denominator, &value.numerator, &Int::from(-1));
                let same = self.atom(Relation::Equal, term)?;
                parts.push(self.and(vec![*guard, same])?);
            }
            let definition = self.or(parts)?;
            number.quotients.push((x, definition));
            number.cases = Number::variable(x, number.sort).cases;
        }
        Ok(number)
    }

    pub(super) fn add(&mut self, a: &Number, b: &Number) -> Step<Number> {
        self.pairwise(a, b, |x, y| Some(x.combine(1, y, 1)))
    }

    pub(super) fn subtract(&mut self, a: &Number, b: &Number) -> Step<Number> {
        self.pairwise(a, b, |x, y| Some(x.combine(1, y, -1)))
    }

    pub(super) fn multiply(&mut self, a: &Number, b: &Number) -> Step<Number> {
        self.pairwise(a, b, |x, y| match (x.to_constant(), y.to_constant()) {
            (Some(c), _) => Some(y.times(&c)),
            (_, Some(c)) => Some(x.times(&c)),
            _ => None,
        })
    }

    /// Division of reals by numbers that are constants other than zero.
    pub(super) fn divide(&mut self, a: &Number, b: &Number) -> Step<Number> {
        for (_, value) in &b.cases {
            match value.to_constant() {
                None => return Err(Reason::NotLinear),
                Some(zero) if zero.is_zero() => return Err(Reason::UnderSpecified),
                Some(_) => {}
            }
        }
        self.pairwise(a, b, |x, y| Some(x.times(&y.to_constant()?.recip()?)))
    }

    pub(super) fn scale(&mut self, a: &Number, factor: &Rat) -> Step<Number> {
        let factor = Number::constant(factor, a.sort);
        self.multiply(a, &factor)
    }

    pub(super) fn choose(&mut self, condition: Both, a: &Number, b: &Number) -> Step<Number> {
        let mut cases = vec![];
        for (condition, number) in [(condition.yes, a), (condition.no, b)] {
            for (guard, value) in &number.cases {
                let guard = self.and(vec![condition, *guard])?;
                if guard != super::formula::FALSE {
                    cases.push((guard, value.clone()));
                }
            }
        }
        let mut quotients = a.quotients.clone();
        quotients.extend(b.quotients.iter().filter(|q| !a.quotients.contains(q)).copied());
        self.tidy(Number { cases, quotients, sort: a.sort })
    }

    pub(super) fn absolute(&mut self, a: &Number) -> Step<Number> {
        let zero = Number::constant(&Rat::ZERO, a.sort);
        let negative = self.compare(a, &Relation::Below, &zero)?;
        let opposite = self.scale(a, &-Rat::ONE)?;
        self.choose(negative, &opposite, a)
    }

    /// The largest integer that is at most the number divided by a positive one.
    pub(super) fn floor(&mut self, a: &Number, divisor: &Rat) -> Step<Number> {
        let scaled = self.scale(a, &divisor.recip().ok_or(Reason::UnderSpecified)?)?;
        let mut cases = vec![];
        let mut quotients = scaled.quotients.clone();
        for (guard, value) in scaled.cases {
            if let Some(constant) = value.to_constant() {
                cases.push((guard, Fraction::constant(&Rat::from(constant.floor()))));
                continue;
            }
            if value.denominator.is_one() && self.is_whole(&value.numerator) {
                cases.push((guard, value));
                continue;
            }
            let q = self.defined_variable(Sort::Int, "quotient");
            let rest = value.numerator.combine(&Int::ONE, &Linear::variable(q), &-&value.denominator);
            let above = self.atom(Relation::AtMost, rest.negated())?;
            let below = self.atom(Relation::Below, rest.plus(&-&value.denominator))?;
            quotients.push((q, self.and(vec![above, below])?));
            cases.push((guard, Fraction { numerator: Linear::variable(q), denominator: Int::ONE }));
        }
        self.tidy(Number { cases, quotients, sort: Sort::Int })
    }

    /// Whether the difference of two numbers has this relation to zero.
    pub(super) fn compare(&mut self, a: &Number, relation: &Relation, b: &Number) -> Step<Both> {
        let difference = self.subtract(a, b)?;
        self.relate(&difference, relation)
    }

    pub(super) fn relate(&mut self, number: &Number, relation: &Relation) -> Step<Both> {
        let (mut yes, mut no) = (vec![], vec![]);
        for (guard, value) in &number.cases {
            let atom = match relation {
                Relation::Divisible(_) | Relation::Indivisible(_)
                    if !value.denominator.is_one() || !self.is_whole(&value.numerator) =>
                {
                    return Err(Reason::Mixed);
                }
                _ => self.atom(relation.clone(), value.numerator.clone())?,
            };
            let denied = self.negate(atom)?;
            yes.push(self.and(vec![*guard, atom])?);
            no.push(self.and(vec![*guard, denied])?);
        }
        let (yes, no) = (self.or(yes)?, self.or(no)?);
        Ok(Both { yes: self.defined(number, yes)?, no: self.defined(number, no)? })
    }

    /// A formula over a number, together with the definitions of the quotients in it.
    fn defined(&mut self, number: &Number, f: F) -> Step<F> {
        let mut f = f;
        // A definition may mention quotients that were defined before it.
        for &(q, definition) in number.quotients.iter().rev() {
            if self.mentions(f, q) {
                let both = self.and(vec![definition, f])?;
                f = self.quantify(Quantifier::Exists, &[q], both)?;
            }
        }
        Ok(f)
    }

    /// Whether a real number is an integer.
    pub(super) fn is_integer(&mut self, a: &Number) -> Step<Both> {
        let floor = self.floor(a, &Rat::ONE)?;
        self.compare(a, &Relation::Equal, &floor)
    }
}
