//! Reads algebraic numbers from the text of a model.
//!
//! z3 writes `(root-obj (+ (^ x 2) (- 2)) 1)`: a polynomial in prefix notation and which of its real roots.
//! cvc5 writes `(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)`: a polynomial in infix notation and the interval
//! that contains the root. In: text. Out: an exact `Real`. A number that is too complex for our exact arithmetic is
//! `TooHard`, and a text that has neither form, or names no root, is `Malformed`.

use crate::value::algebraic::{Alg, MAX_BITS, MAX_DEGREE};
use crate::value::factor::TooHard;
use crate::value::rational::Rat;
use crate::value::real::Real;
use smtlib::sexp::{Forest, Sexp, View};

#[derive(Clone, Debug, thiserror::Error)]
pub enum AlgebraicError {
    #[error("this is not an algebraic number as z3 or cvc5 write it")]
    Malformed,
    #[error(transparent)]
    TooHard(#[from] TooHard),
}

/// Polynomials over the rationals, constant first. They are few and small, so plain vectors are enough.
type Coefficients = Vec<Rat>;

/// Parentheses inside a polynomial have only a few levels; both parsers below are recursive.
const DEPTH: usize = 64;

/// The number that a `Lit::Algebraic` text denotes.
pub fn real(text: &[u8]) -> Result<Real, AlgebraicError> {
    let root = match text.iter().position(|&byte| byte == b'<') {
        Some(open) if text.starts_with(b"(_") => in_interval(&text[open + 1..])?,
        _ => numbered(text)?,
    };
    root.ok_or(AlgebraicError::Malformed)
}

/// z3: polynomial and rank.
fn numbered(text: &[u8]) -> Result<Option<Real>, AlgebraicError> {
    let forest = Forest::read(text).map_err(|_| AlgebraicError::Malformed)?;
    let &[root] = forest.roots() else { return Ok(None) };
    let &[head, polynomial, rank] = forest.list(root) else { return Ok(None) };
    if forest.atom(head) != Some(b"root-obj") {
        return Ok(None);
    }
    let rank = forest.atom(rank).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    let (Some(rank), Some(polynomial)) = (rank, prefix(&forest, polynomial, 0)) else { return Ok(None) };
    Ok(Alg::root(&polynomial, rank)?)
}

fn prefix(forest: &Forest<'_>, sexp: Sexp, depth: usize) -> Option<Coefficients> {
    if depth > DEPTH {
        return None;
    }
    let list = match forest.view(sexp) {
        View::Atom(atom) if atom.first()?.is_ascii_digit() => return Some(vec![number(atom)?]),
        View::Atom(_) => return Some(vec![Rat::ratio(0, 1), Rat::ratio(1, 1)]),
        View::List(list) => list,
    };
    let (&head, args) = list.split_first()?;
    let mut values = args.iter().map(|&arg| prefix(forest, arg, depth + 1)).collect::<Option<Vec<_>>>()?;
    match (forest.atom(head)?, &values[..]) {
        (b"-", [one]) => Some(negated(one)),
        (b"-", [first, rest @ ..]) => {
            rest.iter().try_fold(first.clone(), |sum, next| added(&sum, &negated(next)))
        }
        (b"+", [first, rest @ ..]) => rest.iter().try_fold(first.clone(), |sum, next| added(&sum, next)),
        (b"*", _) => values.into_iter().try_fold(vec![Rat::ratio(1, 1)], |p, q| multiplied(&p, &q)),
        (b"/", [_, divisor]) => {
            let [divisor] = &divisor[..] else { return None };
            let factor = divisor.recip()?;
            multiplied(&values.swap_remove(0), &[factor])
        }
        (b"^", [base, exponent]) => {
            let [exponent] = &exponent[..] else { return None };
            power(base, exponent.to_int()?.to_u32()? as usize)
        }
        _ => None,
    }
}

/// cvc5: polynomial and interval, after the `<`.
fn in_interval(text: &[u8]) -> Result<Option<Real>, AlgebraicError> {
    let mut reader = Infix { text, at: 0 };
    let read = (|| {
        let polynomial = reader.sum(0)?;
        reader.expect(b',')?;
        reader.expect(b'(')?;
        let low = constant(reader.sum(0)?)?;
        reader.expect(b',')?;
        let high = constant(reader.sum(0)?)?;
        reader.expect(b')')?;
        reader.expect(b'>')?;
        Some((polynomial, low, high))
    })();
    match read {
        Some((polynomial, low, high)) => Ok(Alg::root_in(&polynomial, &low, &high)?),
        None => Ok(None),
    }
}

struct Infix<'t> {
    text: &'t [u8],
    at: usize,
}

impl Infix<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.take(byte).then_some(())
    }

    fn sum(&mut self, depth: usize) -> Option<Coefficients> {
        let mut sum = self.product(depth)?;
        loop {
            if self.take(b'+') {
                sum = added(&sum, &self.product(depth)?)?;
            } else if self.take(b'-') {
                sum = added(&sum, &negated(&self.product(depth)?))?;
            } else {
                return Some(sum);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Option<Coefficients> {
        let mut product = self.factor(depth)?;
        loop {
            if self.take(b'*') {
                product = multiplied(&product, &self.factor(depth)?)?;
            } else if self.take(b'/') {
                let divisor = constant(self.factor(depth)?)?.recip()?;
                product = multiplied(&product, &[divisor])?;
            } else {
                return Some(product);
            }
        }
    }

    fn factor(&mut self, depth: usize) -> Option<Coefficients> {
        if depth > DEPTH {
            return None;
        }
        if self.take(b'-') {
            return Some(negated(&self.factor(depth + 1)?));
        }
        let base = if self.take(b'(') {
            let inner = self.sum(depth + 1)?;
            self.expect(b')')?;
            inner
        } else {
            self.word()?
        };
        if !self.take(b'^') {
            return Some(base);
        }
        let exponent = constant(self.word()?)?.to_int()?.to_u32()?;
        power(&base, exponent as usize)
    }

    fn word(&mut self) -> Option<Coefficients> {
        self.peek()?;
        let rest = &self.text[self.at..];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'!');
        let length = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
        self.at += length;
        let word = &rest[..length];
        if word.first()?.is_ascii_digit() {
            return Some(vec![number(word)?]);
        }
        Some(vec![Rat::ratio(0, 1), Rat::ratio(1, 1)])
    }
}

fn number(text: &[u8]) -> Option<Rat> {
    if text.len() > 10_000 {
        return None;
    }
    Rat::parse(text)
}

fn constant(polynomial: Coefficients) -> Option<Rat> {
    match &polynomial[..] {
        [] => Some(Rat::ratio(0, 1)),
        [value] => Some(value.clone()),
        [value, rest @ ..] => rest.iter().all(Rat::is_zero).then(|| value.clone()),
    }
}

fn negated(p: &[Rat]) -> Coefficients {
    p.iter().map(|c| -c).collect()
}

/// `None` for coefficients that are too long for exact arithmetic anyway.
fn added(p: &[Rat], q: &[Rat]) -> Option<Coefficients> {
    let zero = Rat::ratio(0, 1);
    let at = |p: &[Rat], n: usize| p.get(n).unwrap_or(&zero).clone();
    within((0..p.len().max(q.len())).map(|n| at(p, n) + at(q, n)).collect())
}

fn within(p: Coefficients) -> Option<Coefficients> {
    p.iter().all(|c| c.bit_len() <= 4 * MAX_BITS).then_some(p)
}

/// `None` for a degree or coefficients that are too large for exact arithmetic anyway.
fn multiplied(p: &[Rat], q: &[Rat]) -> Option<Coefficients> {
    if p.len() + q.len() > MAX_DEGREE + 2 {
        return None;
    }
    let mut product = vec![Rat::ratio(0, 1); (p.len() + q.len()).saturating_sub(1)];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in q.iter().enumerate() {
            product[i + j] = &product[i + j] + &(a * b);
        }
    }
    within(product)
}

fn power(base: &[Rat], exponent: usize) -> Option<Coefficients> {
    if exponent > MAX_DEGREE {
        return None;
    }
    (0..exponent).try_fold(vec![Rat::ratio(1, 1)], |product, _| multiplied(&product, base))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square_of(text: &str) -> String {
        let root = real(text.as_bytes()).unwrap();
        root.mul(&root).unwrap().smt().to_string()
    }

    #[test]
    fn both_spellings_of_the_root_of_two_square_to_two() {
        assert_eq!(square_of("(root-obj (+ (^ x 2) (- 2)) 1)"), "2.0");
        assert_eq!(square_of("(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)"), "2.0");
    }

    #[test]
    fn the_rank_counts_roots_upwards() {
        let first = real(b"(root-obj (+ (^ x 2) (- 2)) 1)").unwrap();
        let second = real(b"(root-obj (+ (^ x 2) (- 2)) 2)").unwrap();
        assert!(first.signum() < 0 && second.signum() > 0);
        let same = real(b"(_ real_algebraic_number <1*x^2 + (-2), (-3/2, -5/4)>)").unwrap();
        assert_eq!(first, same);
    }

    #[test]
    fn coefficients_may_be_products_fractions_and_differences() {
        let a = real(b"(root-obj (+ (* 2 (^ x 3)) (* (- 3) x) (/ 1 2)) 3)").unwrap();
        let b = real(b"(_ real_algebraic_number <(4*x^3) + (-6*x) + 1, (1, 2)>)").unwrap();
        assert_eq!(a, b);
    }

    #[test]
    fn nonsense_is_malformed_and_not_a_number() {
        for text in ["(root-obj (+ x y z", "(root-obj 3 1)", "(_ real_algebraic_number <x^2, 1>)", "7"] {
            assert!(real(text.as_bytes()).is_err(), "{text}");
        }
    }
}
