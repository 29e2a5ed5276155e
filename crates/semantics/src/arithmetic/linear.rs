//! Linear terms: a sum of variables with integer coefficients, plus a constant.
//!
//! All atoms of this module compare such terms with zero, also those over the reals: an atom stays the same when it is
//! multiplied by a positive number, so denominators are removed when a term is read. Variables are sorted and no
//! coefficient is zero; hence equal terms have equal representations. Small numbers stay machine words (`value::int`).

use crate::value::int::Int;

/// A variable: a free constant of the script, a bound variable, or a variable for a quotient. Each belongs to one
/// binder only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    terms: Box<[(Var, Int)]>,
    constant: Int,
}

impl Linear {
    pub fn constant(constant: Int) -> Linear {
        Linear { terms: Box::new([]), constant }
    }

    pub fn variable(x: Var) -> Linear {
        Linear { terms: Box::new([(x, Int::ONE)]), constant: Int::ZERO }
    }

    pub fn terms(&self) -> &[(Var, Int)] {
        &self.terms
    }

    /// The constant part.
    pub fn rest(&self) -> &Int {
        &self.constant
    }

    /// The value, if there is no variable.
    pub fn to_constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    pub fn coefficient(&self, x: Var) -> Option<&Int> {
        let at = self.terms.binary_search_by_key(&x, |(y, _)| *y).ok()?;
        Some(&self.terms[at].1)
    }

    /// The term with this variable left out.
    pub fn without(&self, x: Var) -> Linear {
        let terms = self.terms.iter().filter(|(y, _)| *y != x).cloned().collect();
        Linear { terms, constant: self.constant.clone() }
    }

    /// `a * self + b * other`.
    pub fn combine(&self, a: &Int, other: &Linear, b: &Int) -> Linear {
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        loop {
            let (x, c) = match (left.peek(), right.peek()) {
                (Some((x, c)), Some((y, d))) if x == y => {
                    let sum = &(a * c) + &(b * d);
                    left.next();
                    right.next();
                    (*x, sum)
                }
                (Some((x, c)), right) if right.is_none_or(|(y, _)| x < y) => {
                    left.next();
                    (*x, a * c)
                }
                (_, Some((y, d))) => {
                    right.next();
                    (*y, b * d)
                }
                _ => break,
            };
            if !c.is_zero() {
                terms.push((x, c));
            }
        }
        Linear { terms: terms.into(), constant: &(a * &self.constant) + &(b * &other.constant) }
    }

    pub fn scaled(&self, a: &Int) -> Linear {
        if a.is_zero() {
            return Linear::constant(Int::ZERO);
        }
        self.map(|c| c * a)
    }

    pub fn negated(&self) -> Linear {
        self.map(|c| -c)
    }

    pub fn plus(&self, c: &Int) -> Linear {
        Linear { terms: self.terms.clone(), constant: &self.constant + c }
    }

    /// The same variables with another constant.
    pub fn with_rest(&self, constant: Int) -> Linear {
        Linear { terms: self.terms.clone(), constant }
    }

    /// The greatest common divisor of the coefficients; zero if there is no variable.
    pub fn content(&self) -> Int {
        let mut gcd = Int::ZERO;
        for (_, c) in &self.terms {
            gcd = gcd.gcd(c);
            if gcd.is_one() {
                break;
            }
        }
        gcd
    }

    /// Changes coefficients and constant one by one; the change must not make a coefficient zero.
    pub fn map(&self, change: impl Fn(&Int) -> Int) -> Linear {
        let terms = self.terms.iter().map(|(x, c)| (*x, change(c))).collect();
        Linear { terms, constant: change(&self.constant) }
    }

    /// All of it modulo a positive number.
    pub fn modulo(&self, m: &Int) -> Linear {
        let reduce = |c: &Int| c.modulo(m).unwrap_or(Int::ZERO);
        let terms = self.terms.iter().map(|(x, c)| (*x, reduce(c))).filter(|(_, c)| !c.is_zero()).collect();
        Linear { terms, constant: reduce(&self.constant) }
    }

    /// Divided by a number that divides every coefficient and the constant.
    pub fn divided(&self, d: &Int) -> Linear {
        if d.is_one() { self.clone() } else { self.map(|c| c.div(d).unwrap_or(Int::ZERO)) }
    }

    pub fn leads_negative(&self) -> bool {
        self.terms.first().is_some_and(|(_, c)| c.is_negative())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_cancel_are_removed() {
        let (x, y) = (Linear::variable(Var(0)), Linear::variable(Var(1)));
        let sum = x.combine(&Int::from(2), &y, &Int::from(3)).plus(&Int::ONE);
        let back = sum.combine(&Int::ONE, &y, &Int::from(-3));
        assert_eq!(back, x.scaled(&Int::from(2)).plus(&Int::ONE));
        assert_eq!(sum.combine(&Int::ONE, &sum, &Int::from(-1)), Linear::constant(Int::ZERO));
        assert_eq!(sum.coefficient(Var(1)), Some(&Int::from(3)));
        assert_eq!(sum.without(Var(1)), back);
    }
}
