//! Polynomials in one variable with integer coefficients, and where their real roots are.
//!
//! In: coefficients. Out: gcds, square-free parts, exact signs at rationals, and isolating intervals for the real
//! roots (Sturm's theorem: the number of roots between two points is the loss of sign changes along one remainder
//! sequence). Denominators of rational coefficients are removed on entry: only the roots matter here, and integers
//! keep the remainder sequences free of gcds of fractions. Nothing in this file is approximate, and nothing recurses.
//! The longer a polynomial, the closer together its roots can be, so every search for them spends from a budget.

use super::int::Int;
use super::rational::Rat;
use crate::budget::{Budget, Exhausted};

/// Coefficients from the constant upwards; the last one is never zero. Zero has none.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Poly(Vec<Int>);

impl Poly {
    /// From coefficients, constant first.
    pub fn new(mut coefficients: Vec<Int>) -> Poly {
        while coefficients.last().is_some_and(Int::is_zero) {
            coefficients.pop();
        }
        Poly(coefficients)
    }

    /// The integer polynomial with the same roots as these rational coefficients, constant first.
    pub fn from_rationals(coefficients: &[Rat]) -> Poly {
        let mut common = Int::ONE;
        for c in coefficients {
            let d = c.denominator();
            let g = common.gcd(&d);
            common = &common * &exact(&d, &g);
        }
        let scaled = coefficients.iter().map(|c| &c.numerator() * &exact(&common, &c.denominator()));
        Poly::new(scaled.collect())
    }

    pub fn coefficients(&self) -> &[Int] {
        &self.0
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The degree; 0 for constants, including zero.
    pub fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub fn lead(&self) -> Int {
        self.0.last().cloned().unwrap_or(Int::ZERO)
    }

    /// The largest bit length of a coefficient.
    pub fn bits(&self) -> u64 {
        self.0.iter().map(Int::bit_len).max().unwrap_or(0)
    }

    /// Without common integer factor and with positive leading coefficient.
    pub fn primitive(&self) -> Poly {
        let p = self.without_content();
        if p.lead().is_negative() { p.neg() } else { p }
    }

    /// Divided by the positive gcd of its coefficients: the signs of values do not change.
    fn without_content(&self) -> Poly {
        let mut content = Int::ZERO;
        for c in &self.0 {
            content = content.gcd(c);
            if content.is_one() {
                return self.clone();
            }
        }
        if content.is_zero() {
            return self.clone();
        }
        Poly(self.0.iter().map(|c| exact(c, &content)).collect())
    }

    pub fn neg(&self) -> Poly {
        Poly(self.0.iter().map(|c| -c).collect())
    }

    pub fn add(&self, other: &Poly) -> Poly {
        let n = self.0.len().max(other.0.len());
        Poly::new((0..n).map(|i| &self.at(i) + &other.at(i)).collect())
    }

    pub fn mul(&self, other: &Poly) -> Poly {
        if self.is_zero() || other.is_zero() {
            return Poly::default();
        }
        let mut out = vec![Int::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                out[i + j] = &out[i + j] + &(a * b);
            }
        }
        Poly::new(out)
    }

    fn at(&self, i: usize) -> Int {
        self.0.get(i).cloned().unwrap_or(Int::ZERO)
    }

    pub fn derivative(&self) -> Poly {
        let terms = self.0.iter().enumerate().skip(1);
        Poly::new(terms.map(|(i, c)| c * &Int::from(i)).collect())
    }

    /// The value at a rational.
    pub fn eval(&self, x: &Rat) -> Rat {
        let mut sum = Rat::ZERO;
        for c in self.0.iter().rev() {
            sum = &(&sum * x) + &Rat::from(c);
        }
        sum
    }

    /// The sign of the value at `n / d`: Horner's rule on `d^degree * p(n/d)`, which stays integral.
    pub fn sign_at(&self, x: &Rat) -> i32 {
        let (n, d) = (x.numerator(), x.denominator());
        let mut sum = Int::ZERO;
        let mut power = Int::ONE;
        for c in self.0.iter().rev() {
            sum = &(&sum * &n) + &(c * &power);
            power = &power * &d;
        }
        sum.signum()
    }

    /// The approximate cost of `sign_at` for this polynomial and a number of this many words, in products of words.
    fn sign_cost(&self, words: u64) -> u64 {
        let degree = self.degree() as u64 + 1;
        (degree * (self.bits() / 64 + 1 + degree * words)).saturating_mul(words.isqrt())
    }

    /// As `sign_at`, charged before it is computed.
    pub fn sign_within(&self, x: &Rat, budget: &Budget) -> Result<i32, Exhausted> {
        budget.spend(self.sign_cost(x.bit_len() / 64 + 1))?;
        Ok(self.sign_at(x))
    }

    /// A positive multiple of the remainder of `self` by `d`, so its signs are the remainder's.
    fn signed_remainder(&self, d: &Poly) -> Poly {
        let lead = d.lead();
        let (scale, sign) = (lead.abs(), Int::from(lead.signum()));
        let mut r = self.0.clone();
        while r.len() >= d.0.len() {
            let Some(top) = r.pop() else { break };
            let factor = &top * &sign;
            let shift = r.len() + 1 - d.0.len();
            for c in &mut r {
                *c = &*c * &scale;
            }
            for (i, c) in d.0[..d.0.len() - 1].iter().enumerate() {
                r[shift + i] = &r[shift + i] - &(&factor * c);
            }
            while r.last().is_some_and(Int::is_zero) {
                r.pop();
            }
        }
        Poly(r).without_content()
    }

    /// The quotient when `d` divides `self` in the integers; `None` otherwise.
    pub fn divide_exactly(&self, d: &Poly) -> Option<Poly> {
        let lead = d.0.last()?;
        let mut r = self.0.clone();
        let mut quotient = vec![Int::ZERO; (r.len() + 1).saturating_sub(d.0.len())];
        while r.len() >= d.0.len() {
            let shift = r.len() - d.0.len();
            let (q, rest) = r.last()?.div_mod(lead)?;
            if !rest.is_zero() {
                return None;
            }
            for (i, c) in d.0.iter().enumerate() {
                r[shift + i] = &r[shift + i] - &(&q * c);
            }
            quotient[shift] = q;
            while r.last().is_some_and(Int::is_zero) {
                r.pop();
            }
        }
        r.is_empty().then(|| Poly::new(quotient))
    }

    /// The primitive greatest common divisor.
    pub fn gcd(&self, other: &Poly) -> Poly {
        let (mut a, mut b) = (self.primitive(), other.primitive());
        while !b.is_zero() {
            let r = a.signed_remainder(&b).primitive();
            (a, b) = (b, r);
        }
        a
    }

    /// The primitive polynomial with the same roots, each once.
    pub fn square_free(&self) -> Poly {
        let p = self.primitive();
        let g = p.gcd(&p.derivative());
        if g.degree() == 0 {
            return p;
        }
        match p.divide_exactly(&g) {
            Some(q) => q.primitive(),
            None => unreachable!("Gauss: a primitive divisor divides in the integers"),
        }
    }

    /// `p(-x)`, made primitive: the negated roots.
    pub fn mirrored(&self) -> Poly {
        let flip = |(i, c): (usize, &Int)| if i % 2 == 1 { -c } else { c.clone() };
        Poly(self.0.iter().enumerate().map(flip).collect()).primitive()
    }

    /// `x^n p(1/x)`: the inverted roots (the constant must not be zero).
    pub fn reversed(&self) -> Poly {
        Poly::new(self.0.iter().rev().cloned().collect()).primitive()
    }

    /// The polynomial whose roots are `root * r`, for `r` not zero.
    pub fn scaled_roots(&self, r: &Rat) -> Poly {
        let (n, d) = (r.numerator(), r.denominator());
        let degree = self.degree();
        let (mut down, mut up) = (vec![Int::ONE], vec![Int::ONE]);
        for i in 0..degree {
            down.push(&down[i] * &d);
            up.push(&up[i] * &n);
        }
        let terms = self.0.iter().enumerate();
        Poly::new(terms.map(|(i, c)| &(c * &down[i]) * &up[degree - i]).collect()).primitive()
    }

    /// The polynomial whose roots are `root + r`: Horner's rule in `x - r`, denominators cleared.
    pub fn shifted_roots(&self, r: &Rat) -> Poly {
        let step = Poly::new(vec![-r.numerator(), r.denominator()]);
        let mut out = Poly::default();
        let mut power = Poly::new(vec![Int::ONE]);
        let d = Poly::new(vec![r.denominator()]);
        for c in self.0.iter().rev() {
            out = out.mul(&step).add(&power.mul(&Poly::new(vec![c.clone()])));
            power = power.mul(&d);
        }
        out.primitive()
    }

    /// `p(x^n)`.
    pub fn of_power(&self, n: usize) -> Poly {
        let mut out = vec![Int::ZERO; self.degree() * n + 1];
        for (i, c) in self.0.iter().enumerate() {
            out[i * n] = c.clone();
        }
        Poly::new(out)
    }

    /// A power of two above the absolute value of every root (Cauchy's bound).
    pub fn root_bound(&self) -> Rat {
        let lead = self.lead().bit_len();
        let excess = (self.bits() + 2).saturating_sub(lead).max(1);
        Rat::two_to(excess as i64)
    }
}

/// `a / b` where `b` is known to divide `a`.
fn exact(a: &Int, b: &Int) -> Int {
    match a.div_mod(b) {
        Some((q, _)) => q,
        None => unreachable!("a divisor of something is not zero"),
    }
}

/// Sturm's sequence of a square-free polynomial: counts the real roots in an interval.
pub struct Sturm(Vec<Poly>);

impl Sturm {
    pub fn new(square_free: &Poly) -> Sturm {
        let mut chain = vec![square_free.clone()];
        let mut next = square_free.derivative().without_content();
        while !next.is_zero() {
            let remainder = match chain.last() {
                Some(last) => last.signed_remainder(&next).neg(),
                None => break,
            };
            chain.push(std::mem::replace(&mut next, remainder));
        }
        Sturm(chain)
    }

    /// Number of roots in the half-open `(lo, hi]`.
    pub fn count(&self, lo: &Rat, hi: &Rat) -> usize {
        self.changes(lo).saturating_sub(self.changes(hi))
    }

    /// As `count`, charged before it is computed.
    pub fn count_within(&self, lo: &Rat, hi: &Rat, budget: &Budget) -> Result<usize, Exhausted> {
        let words = lo.bit_len().max(hi.bit_len()) / 64 + 1;
        self.0.iter().try_for_each(|p| budget.spend(2 * p.sign_cost(words)))?;
        Ok(self.count(lo, hi))
    }

    /// Number of roots in the closed `[lo, hi]`.
    pub fn count_closed(&self, lo: &Rat, hi: &Rat, budget: &Budget) -> Result<usize, Exhausted> {
        let at_lo = self.0.first().is_some_and(|p| p.sign_at(lo) == 0);
        Ok(self.count_within(lo, hi, budget)? + usize::from(at_lo))
    }

    fn changes(&self, x: &Rat) -> usize {
        let mut last = 0;
        let mut changes = 0;
        for sign in self.0.iter().map(|p| p.sign_at(x)).filter(|s| *s != 0) {
            changes += usize::from(last == -sign);
            last = sign;
        }
        changes
    }

    /// All real roots in ascending order: a rational one as a point (`lo = hi`), or an open interval that contains
    /// exactly this root and at whose ends the polynomial is not zero.
    pub fn isolate(&self, budget: &Budget) -> Result<Vec<(Rat, Rat)>, Exhausted> {
        let Some(p) = self.0.first().filter(|p| p.degree() > 0) else {
            return Ok(Vec::new());
        };
        let bound = p.root_bound();
        let mut found = Vec::new();
        let mut todo = vec![(-&bound, bound)];
        while let Some((lo, hi)) = todo.pop() {
            match self.count_within(&lo, &hi, budget)? {
                0 => {}
                1 => found.push(self.open_ends(p, lo, hi, budget)?),
                _ => {
                    let mid = lo.midpoint(&hi);
                    todo.push((mid.clone(), hi));
                    todo.push((lo, mid));
                }
            }
        }
        Ok(found)
    }

    /// Turns `(lo, hi]` with one root into a point or an open interval without roots at its ends.
    fn open_ends(
        &self,
        p: &Poly,
        mut lo: Rat,
        mut hi: Rat,
        budget: &Budget,
    ) -> Result<(Rat, Rat), Exhausted> {
        loop {
            if p.sign_at(&hi) == 0 {
                return Ok((hi.clone(), hi));
            }
            if p.sign_at(&lo) != 0 {
                return Ok((lo, hi));
            }
            let mid = lo.midpoint(&hi);
            if self.count_within(&lo, &mid, budget)? == 1 {
                hi = mid;
            } else {
                lo = mid;
            }
        }
    }
}
