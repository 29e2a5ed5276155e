//! Irrational real algebraic numbers, as solvers print them in models of nonlinear formulas.
//!
//! z3 writes `(root-obj (+ (^ x 2) (- 2)) 1)`: the first real root, counted upwards, of a polynomial.
//! cvc5 writes a polynomial and an open interval that contains one root. In: both forms, through [`Alg::root`] and
//! [`Alg::root_in`]. Out: a [`Real`], because a root may turn out to be rational. An [`Alg`] itself is never rational,
//! and is stored canonically: its minimal polynomial and the rank of the root, plus an isolating interval that only
//! locates it. So equality and hashing are structural, and every comparison terminates: the intervals of different
//! numbers become disjoint when they shrink. That can take very long, so each operation has a budget for it.
//!
//! Sums and products are computed through power sums of the roots (Newton's identities): the sums of k-th powers over
//! all `α_i + β_j` and `α_i · β_j` follow from those of `α` and `β`, which gives the same polynomial as a Sylvester
//! resultant without its determinants. The right irreducible factor is then found by shrinking the intervals. Costs
//! are limited: [`TooHard`] says by which limit.

use super::factor::{TooHard, factor};
use super::int::Int;
use super::polynomial::{Poly, Sturm};
use super::rational::Rat;
use super::real::Real;
use crate::budget::{Budget, Exhausted};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The largest degree of a polynomial given or computed.
pub const MAX_DEGREE: usize = 36;
/// The largest product of degree and coefficient bits, given or computed. It is the size of the largest number in a
/// remainder sequence, which dominates the time.
pub const MAX_BITS: u64 = 1 << 14;

/// The work that one operation may spend on separating roots, in products of machine words: below a second.
const MAX_WORK: u64 = 1 << 26;

fn work() -> Budget {
    Budget::new(MAX_WORK, 0)
}

/// An irrational real algebraic number. See the head of this file.
#[derive(Clone)]
pub struct Alg {
    /// Irreducible, primitive, positive leading coefficient, degree at least 2.
    poly: Arc<Poly>,
    /// 1 for the smallest real root of `poly`.
    index: usize,
    /// Ends of an open interval that contains this root of `poly` and no other.
    lo: Rat,
    hi: Rat,
}

impl PartialEq for Alg {
    fn eq(&self, other: &Alg) -> bool {
        self.index == other.index && self.poly == other.poly
    }
}

impl Eq for Alg {}

impl Hash for Alg {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.poly.hash(state);
        self.index.hash(state);
    }
}

impl Alg {
    /// Root number `index` (1-based, ascending, each root counted once) of the polynomial with these
    /// coefficients, constant first. `None` when there is no such root or the polynomial is zero.
    pub fn root(coefficients: &[Rat], index: usize) -> Result<Option<Real>, TooHard> {
        let p = checked(Poly::from_rationals(coefficients))?.square_free();
        let Some(at) = index.checked_sub(1) else {
            return Ok(None);
        };
        let work = work();
        match Sturm::new(&p).isolate(&work)?.into_iter().nth(at) {
            None => Ok(None),
            Some((lo, hi)) if lo == hi => Ok(Some(Real::Rat(lo))),
            Some((lo, hi)) => select(&factor(&p)?, &work, || Ok((lo.clone(), hi.clone()))).map(Some),
        }
    }

    /// The root in the open interval `(lo, hi)`; `None` unless there is exactly one.
    pub fn root_in(coefficients: &[Rat], lo: &Rat, hi: &Rat) -> Result<Option<Real>, TooHard> {
        let p = checked(Poly::from_rationals(coefficients))?.square_free();
        if lo >= hi || p.degree() == 0 {
            return Ok(None);
        }
        let at_hi = usize::from(p.sign_at(hi) == 0);
        if Sturm::new(&p).count(lo, hi) != 1 + at_hi {
            return Ok(None);
        }
        // The ends may be roots themselves; the open interval of the chosen factor has ends that are not.
        for g in factor(&p)? {
            let chain = Sturm::new(&g);
            if chain.count(lo, hi) == usize::from(g.sign_at(hi) == 0) {
                continue;
            }
            if g.degree() == 1 {
                return Ok(linear_root(&g).map(Real::Rat));
            }
            return Ok(Some(Alg::of_irreducible(g, lo.clone(), hi.clone())));
        }
        Ok(None)
    }

    /// `poly` irreducible of degree 2 or more with one root between `lo` and `hi`.
    fn of_irreducible(poly: Poly, lo: Rat, hi: Rat) -> Real {
        let below = -&poly.root_bound();
        let chain = Sturm::new(&poly);
        let index = if below < hi { chain.count(&below, &hi) } else { 1 };
        Real::Alg(Alg { poly: Arc::new(poly), index, lo, hi })
    }

    /// The minimal polynomial.
    pub fn polynomial(&self) -> &Poly {
        &self.poly
    }

    /// The rank of this root among the real roots of the minimal polynomial, from 1.
    pub fn index(&self) -> usize {
        self.index
    }

    /// An open interval that contains the number and no other root of its minimal polynomial.
    pub fn interval(&self) -> (&Rat, &Rat) {
        (&self.lo, &self.hi)
    }

    /// The number of machine words of the polynomial.
    pub fn words(&self) -> u64 {
        (self.poly.bits() / 64 + 1) * (self.poly.degree() as u64 + 1)
    }

    /// An order by polynomial and rank, which is unrelated to the numeric order.
    pub fn structural_order(&self, other: &Alg) -> Ordering {
        let key = |a: &Alg| (a.poly.degree(), a.index);
        key(self).cmp(&key(other)).then_with(|| self.poly.coefficients().cmp(other.poly.coefficients()))
    }

    /// Halves the interval. The midpoint is never the root: the root is irrational.
    fn refine(&mut self, work: &Budget) -> Result<(), TooHard> {
        let mid = self.lo.midpoint(&self.hi);
        if self.poly.sign_within(&mid, work)? == self.poly.sign_within(&self.lo, work)? {
            self.lo = mid;
        } else {
            self.hi = mid;
        }
        Ok(())
    }

    /// The same number with an interval no wider than `2^-bits`.
    pub fn refined(&self, bits: u32) -> Result<Alg, TooHard> {
        self.refined_within(bits, &work())
    }

    fn refined_within(&self, bits: u32, work: &Budget) -> Result<Alg, TooHard> {
        let mut a = self.clone();
        let width = Rat::two_to(-i64::from(bits));
        while &a.hi - &a.lo > width {
            a.refine(work)?;
        }
        Ok(a)
    }

    /// -1 or 1: zero is rational.
    pub fn signum(&self) -> i32 {
        match (self.lo.signum(), self.hi.signum()) {
            (0.., _) => 1,
            (_, ..=0) => -1,
            // Zero is inside and is not a root: the sign of the polynomial there shows on which side the root is.
            _ if self.poly.sign_at(&Rat::ZERO) != self.poly.sign_at(&self.lo) => -1,
            _ => 1,
        }
    }

    /// The largest integer below.
    pub fn floor(&self) -> Result<Int, TooHard> {
        let work = work();
        let mut a = self.clone();
        loop {
            let floor = a.lo.floor();
            if a.hi <= Rat::from(&floor + &Int::ONE) {
                return Ok(floor);
            }
            a.refine(&work)?;
        }
    }

    /// Never `Equal`.
    pub fn compare_rat(&self, r: &Rat) -> Result<Ordering, TooHard> {
        if r <= &self.lo {
            return Ok(Ordering::Greater);
        }
        let work = work();
        let above =
            r >= &self.hi || self.poly.sign_within(r, &work)? != self.poly.sign_within(&self.lo, &work)?;
        Ok(if above { Ordering::Less } else { Ordering::Greater })
    }

    /// The order of two numbers. The longer their polynomials, the closer together they can be.
    pub fn compare(&self, other: &Alg) -> Result<Ordering, TooHard> {
        if self == other {
            return Ok(Ordering::Equal);
        }
        if self.poly == other.poly {
            return Ok(self.index.cmp(&other.index));
        }
        let work = work();
        let (mut a, mut b) = (self.clone(), other.clone());
        loop {
            if a.hi <= b.lo {
                return Ok(Ordering::Less);
            }
            if b.hi <= a.lo {
                return Ok(Ordering::Greater);
            }
            a.refine(&work)?;
            b.refine(&work)?;
        }
    }

    pub fn neg(&self) -> Real {
        Alg::of_irreducible(self.poly.mirrored(), -&self.hi, -&self.lo)
    }

    pub fn add_rat(&self, r: &Rat) -> Result<Real, TooHard> {
        self.check_rat(r)?;
        let poly = checked(self.poly.shifted_roots(r))?;
        Ok(Real::Alg(Alg { poly: Arc::new(poly), index: self.index, lo: &self.lo + r, hi: &self.hi + r }))
    }

    pub fn mul_rat(&self, r: &Rat) -> Result<Real, TooHard> {
        if r.is_zero() {
            return Ok(Real::Rat(Rat::ZERO));
        }
        self.check_rat(r)?;
        let poly = checked(self.poly.scaled_roots(r))?;
        let (a, b) = (&self.lo * r, &self.hi * r);
        let (lo, hi) = if r.is_negative() { (b, a) } else { (a, b) };
        Ok(Alg::of_irreducible(poly, lo, hi))
    }

    /// The polynomial of a sum or product with a rational has coefficients that are longer by up to the degree times
    /// as many bits. Fails before it is computed if that is too long.
    fn check_rat(&self, r: &Rat) -> Result<(), TooHard> {
        let bits = r.bit_len().saturating_mul(self.poly.degree() as u64);
        if bits > 2 * MAX_BITS { Err(TooHard::Bits(bits)) } else { Ok(()) }
    }

    /// `1 / self`, which always exists.
    pub fn recip(&self) -> Result<Real, TooHard> {
        let work = work();
        let mut a = self.clone();
        loop {
            let ends = (a.lo.recip(), a.hi.recip());
            if let (Some(lo), Some(hi)) = ends
                && a.lo.is_negative() == a.hi.is_negative()
            {
                return Ok(Alg::of_irreducible(a.poly.reversed(), hi, lo));
            }
            a.refine(&work)?;
        }
    }

    pub fn add(&self, other: &Alg) -> Result<Real, TooHard> {
        if self == other {
            return self.mul_rat(&Rat::from(2));
        }
        let degree = self.joint_degree(other)?;
        let (a, b) = (self.power_sums(degree), other.power_sums(degree));
        let sums = (0..=degree).map(|k| {
            let mut binomial = Int::ONE;
            let mut sum = Rat::ZERO;
            for i in 0..=k {
                let term = &(&a[i] * &b[k - i]) * &Rat::from(&binomial);
                sum = &sum + &term;
                let next = &binomial * &Int::from(k - i);
                binomial = next.div(&Int::from(i + 1)).unwrap_or(Int::ZERO);
            }
            sum
        });
        let factors = factor(&checked(from_power_sums(&sums.collect::<Vec<_>>()))?)?;
        let (mut a, mut b) = (self.clone(), other.clone());
        let work = work();
        select(&factors, &work, || {
            a.refine(&work)?;
            b.refine(&work)?;
            Ok((&a.lo + &b.lo, &a.hi + &b.hi))
        })
    }

    pub fn mul(&self, other: &Alg) -> Result<Real, TooHard> {
        if self == other {
            return self.pow(2);
        }
        let degree = self.joint_degree(other)?;
        let (a, b) = (self.power_sums(degree), other.power_sums(degree));
        let sums: Vec<Rat> = a.iter().zip(&b).map(|(x, y)| x * y).collect();
        let factors = factor(&checked(from_power_sums(&sums))?)?;
        let (mut a, mut b) = (self.clone(), other.clone());
        let work = work();
        select(&factors, &work, || {
            a.refine(&work)?;
            b.refine(&work)?;
            Ok(hull([&a.lo * &b.lo, &a.lo * &b.hi, &a.hi * &b.lo, &a.hi * &b.hi]))
        })
    }

    /// `self^exp`.
    pub fn pow(&self, exp: u32) -> Result<Real, TooHard> {
        if exp <= 1 {
            let alone = Real::Alg(self.clone());
            return Ok(if exp == 0 { Real::Rat(Rat::ONE) } else { alone });
        }
        let degree = self.poly.degree();
        let bits = self.poly.bits().saturating_mul(u64::from(exp));
        if bits > MAX_BITS {
            return Err(TooHard::Bits(bits));
        }
        let all = self.power_sums(degree * exp as usize);
        let sums: Vec<Rat> = all.into_iter().step_by(exp as usize).collect();
        let factors = factor(&checked(from_power_sums(&sums))?)?;
        let mut a = self.clone();
        let power = |r: &Rat| r.pow(i64::from(exp), u64::MAX).unwrap_or(Rat::ZERO);
        let work = work();
        select(&factors, &work, || {
            // Away from zero the power is monotone, so its values at the ends bound it.
            loop {
                a.refine(&work)?;
                if a.lo.signum() * a.hi.signum() > 0 {
                    let (x, y) = (power(&a.lo), power(&a.hi));
                    return Ok(if x < y { (x, y) } else { (y, x) });
                }
            }
        })
    }

    /// The real `n`-th root; `None` for an even root of a negative number.
    pub fn nth_root(&self, n: u32) -> Result<Option<Real>, TooHard> {
        if n == 0 || (n.is_multiple_of(2) && self.signum() < 0) {
            return Ok(None);
        }
        let poly = self.poly.degree().saturating_mul(n as usize);
        if poly > MAX_DEGREE {
            return Err(TooHard::Degree(poly));
        }
        let factors = factor(&self.poly.of_power(n as usize))?;
        let (mut a, mut bits) = (self.clone(), 8);
        let work = work();
        let root = select(&factors, &work, || {
            bits += 8;
            a = a.refined_within(bits, &work)?;
            Ok((root_below(&a.lo, n, bits), root_above(&a.hi, n, bits)))
        });
        root.map(Some)
    }

    fn joint_degree(&self, other: &Alg) -> Result<usize, TooHard> {
        let degree = self.poly.degree() * other.poly.degree();
        if degree > MAX_DEGREE {
            return Err(TooHard::Degree(degree));
        }
        Ok(degree)
    }

    /// Sums of the k-th powers of all complex roots, for k = 0 ..= `up_to` (Newton's identities).
    fn power_sums(&self, up_to: usize) -> Vec<Rat> {
        let n = self.poly.degree();
        let lead = Rat::from(self.poly.lead());
        let c: Vec<Rat> = (self.poly.coefficients().iter()).filter_map(|c| Rat::from(c).div(&lead)).collect();
        let mut sums = vec![Rat::from(n as i64)];
        for k in 1..=up_to {
            let mut s = match n.checked_sub(k) {
                Some(i) => &Rat::from(-(k as i64)) * &c[i],
                None => Rat::ZERO,
            };
            for i in 1..=(k - 1).min(n) {
                s = &s - &(&c[n - i] * &sums[k - i]);
            }
            sums.push(s);
        }
        sums
    }
}

/// The polynomial whose roots have these power sums, by Newton's identities read backwards.
fn from_power_sums(sums: &[Rat]) -> Poly {
    let degree = sums.len() - 1;
    let mut c = vec![Rat::ZERO; degree + 1];
    c[degree] = Rat::ONE;
    for k in 1..=degree {
        let mut s = sums[k].clone();
        for i in 1..k {
            s = &s + &(&c[degree - i] * &sums[k - i]);
        }
        c[degree - k] = &s * &Rat::ratio(-1, k as i64);
    }
    Poly::from_rationals(&c)
}

fn checked(p: Poly) -> Result<Poly, TooHard> {
    match (p.degree(), p.bits()) {
        (d, _) if d > MAX_DEGREE => Err(TooHard::Degree(d)),
        (d, b) if b.saturating_mul(d.max(1) as u64) > MAX_BITS => Err(TooHard::Bits(b)),
        _ => Ok(p),
    }
}

fn hull(mut ends: [Rat; 4]) -> (Rat, Rat) {
    ends.sort();
    let [lo, _, _, hi] = ends;
    (lo, hi)
}

fn linear_root(p: &Poly) -> Option<Rat> {
    let [c, a] = p.coefficients() else {
        return None;
    };
    Rat::new(&-c, a)
}

/// The one root, of one of the irreducible `factors`, that is in all the shrinking enclosures.
fn select(
    factors: &[Poly],
    work: &Budget,
    mut enclosure: impl FnMut() -> Result<(Rat, Rat), TooHard>,
) -> Result<Real, TooHard> {
    let chains: Vec<Sturm> = factors.iter().map(Sturm::new).collect();
    loop {
        let (lo, hi) = enclosure()?;
        let counts: Result<Vec<usize>, Exhausted> =
            chains.iter().map(|c| c.count_closed(&lo, &hi, work)).collect();
        let inside: Vec<(usize, usize)> = counts?.into_iter().enumerate().filter(|(_, n)| *n > 0).collect();
        if let [(at, 1)] = inside[..] {
            let p = &factors[at];
            return Ok(match linear_root(p) {
                Some(r) => Real::Rat(r),
                None => Alg::of_irreducible(p.clone(), lo, hi),
            });
        }
    }
}

/// A rational below the `n`-th root, within `2^-bits` of it (of the magnitude, for negatives).
pub(super) fn root_below(r: &Rat, n: u32, bits: u32) -> Rat {
    if r.is_negative() {
        return -root_above(&-r, n, bits);
    }
    let scaled = (r * &Rat::two_to(i64::from(bits) * i64::from(n))).floor();
    Int::from(scaled.magnitude().nth_root(n as usize)).over_two_to(bits)
}

/// A rational above the `n`-th root, within `2^-bits` of it.
pub(super) fn root_above(r: &Rat, n: u32, bits: u32) -> Rat {
    if r.is_negative() {
        return -root_below(&-r, n, bits);
    }
    let low = root_below(r, n, bits);
    if low.pow(i64::from(n), u64::MAX).is_some_and(|p| p == *r) {
        return low;
    }
    &low + &Rat::two_to(-i64::from(bits))
}

/// z3's spelling: `(root-obj (+ (^ x 2) (- 2)) 1)`.
impl fmt::Display for Alg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(root-obj (+")?;
        for (i, c) in self.poly.coefficients().iter().enumerate().rev() {
            match (i, c) {
                (_, c) if c.is_zero() => {}
                (0, c) => write!(f, " {}", c.smt())?,
                (1, c) if c.is_one() => write!(f, " x")?,
                (1, c) => write!(f, " (* {} x)", c.smt())?,
                (_, c) if c.is_one() => write!(f, " (^ x {i})")?,
                (_, c) => write!(f, " (* {} (^ x {i}))", c.smt())?,
            }
        }
        write!(f, ") {})", self.index)
    }
}

impl fmt::Debug for Alg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
