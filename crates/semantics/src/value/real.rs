//! Exact real numbers as they occur in models: rational or real algebraic.
//!
//! Values of the sort `Real` come from literals and models, and the field operations compute with them. The two forms
//! never overlap (an [`Alg`] is irrational by construction), so equality and hashing are structural. Two operations
//! may fail: arithmetic on irrational numbers, because degrees multiply, and comparison of irrational numbers that are
//! very close together. Then the answer is [`TooHard`], never an approximation. Transcendental numbers have no exact
//! form here; see `interval`.

use super::algebraic::{Alg, MAX_DEGREE};
use super::factor::TooHard;
use super::int::Int;
use super::interval::Interval;
use super::rational::Rat;
use std::cmp::Ordering;
use std::fmt;

/// An exact real number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Real {
    Rat(Rat),
    /// Never rational.
    Alg(Alg),
}

impl Real {
    pub const ZERO: Real = Real::Rat(Rat::ZERO);
    pub const ONE: Real = Real::Rat(Rat::ONE);

    pub fn to_rat(&self) -> Option<&Rat> {
        match self {
            Real::Rat(r) => Some(r),
            Real::Alg(_) => None,
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self, Real::Rat(r) if r.is_zero())
    }

    /// SMT-LIB `is_int`.
    pub fn is_int(&self) -> bool {
        matches!(self, Real::Rat(r) if r.is_int())
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self {
            Real::Rat(r) => r.signum(),
            Real::Alg(a) => a.signum(),
        }
    }

    /// SMT-LIB `to_int`.
    pub fn floor(&self) -> Result<Int, TooHard> {
        match self {
            Real::Rat(r) => Ok(r.floor()),
            Real::Alg(a) => a.floor(),
        }
    }

    pub fn neg(&self) -> Real {
        match self {
            Real::Rat(r) => Real::Rat(-r),
            Real::Alg(a) => a.neg(),
        }
    }

    pub fn abs(&self) -> Real {
        if self.signum() < 0 { self.neg() } else { self.clone() }
    }

    pub fn add(&self, other: &Real) -> Result<Real, TooHard> {
        match (self, other) {
            (Real::Rat(a), Real::Rat(b)) => Ok(Real::Rat(a + b)),
            (Real::Alg(a), Real::Rat(r)) | (Real::Rat(r), Real::Alg(a)) => a.add_rat(r),
            (Real::Alg(a), Real::Alg(b)) => a.add(b),
        }
    }

    pub fn sub(&self, other: &Real) -> Result<Real, TooHard> {
        match (self, other) {
            (Real::Rat(a), Real::Rat(b)) => Ok(Real::Rat(a - b)),
            _ if self == other => Ok(Real::ZERO),
            _ => self.add(&other.neg()),
        }
    }

    pub fn mul(&self, other: &Real) -> Result<Real, TooHard> {
        match (self, other) {
            (Real::Rat(a), Real::Rat(b)) => Ok(Real::Rat(a * b)),
            (Real::Alg(a), Real::Rat(r)) | (Real::Rat(r), Real::Alg(a)) => a.mul_rat(r),
            (Real::Alg(a), Real::Alg(b)) => a.mul(b),
        }
    }

    /// `None` for zero.
    pub fn recip(&self) -> Result<Option<Real>, TooHard> {
        match self {
            Real::Rat(r) => Ok(r.recip().map(Real::Rat)),
            Real::Alg(a) => a.recip().map(Some),
        }
    }

    /// SMT-LIB `/`; `Ok(None)` when the divisor is zero, where a model chooses.
    pub fn div(&self, other: &Real) -> Result<Option<Real>, TooHard> {
        if let (Real::Rat(a), Real::Rat(b)) = (self, other) {
            return Ok(a.div(b).map(Real::Rat));
        }
        if self == other {
            return Ok(Some(Real::ONE));
        }
        match other.recip()? {
            None => Ok(None),
            Some(r) => self.mul(&r).map(Some),
        }
    }

    /// `self^exp`, with `x^0 = 1`; `Ok(None)` for zero to a negative power.
    pub fn pow(&self, exp: i64, max_bits: u64) -> Result<Option<Real>, TooHard> {
        match self {
            Real::Rat(r) if r.is_zero() && exp < 0 => Ok(None),
            Real::Rat(r) => match r.pow(exp, max_bits) {
                Some(p) => Ok(Some(Real::Rat(p))),
                None => Err(TooHard::Bits(max_bits)),
            },
            Real::Alg(_) if exp < 0 => match (self.recip()?, exp.checked_neg()) {
                (Some(r), Some(e)) => r.pow(e, max_bits),
                _ => Err(TooHard::Bits(max_bits)),
            },
            Real::Alg(a) => {
                let exp = u32::try_from(exp).map_err(|_| TooHard::Bits(max_bits))?;
                a.pow(exp).map(Some)
            }
        }
    }

    /// The real `n`-th root: the non-negative one for even `n`. `Ok(None)` for `n = 0` and for even
    /// roots of negative numbers.
    pub fn nth_root(&self, n: u32) -> Result<Option<Real>, TooHard> {
        let r = match self {
            Real::Alg(a) => return a.nth_root(n),
            Real::Rat(r) => r,
        };
        if n == 0 || (n.is_multiple_of(2) && r.is_negative()) {
            return Ok(None);
        }
        if let Some(root) = r.exact_root(n) {
            return Ok(Some(Real::Rat(root)));
        }
        if n as usize > MAX_DEGREE {
            return Err(TooHard::Degree(n as usize));
        }
        let mut p = vec![Rat::ZERO; n as usize + 1];
        p[0] = -r;
        p[n as usize] = Rat::ONE;
        Alg::root(&p, if n.is_multiple_of(2) { 2 } else { 1 })
    }

    /// Machine words in addition to the value itself: none for a small rational.
    #[inline]
    pub fn words(&self) -> u64 {
        match self {
            Real::Rat(r) => r.words(),
            Real::Alg(a) => a.words(),
        }
    }

    /// An order unrelated to the numeric order: rationals first, then algebraic numbers by their representation. It is
    /// always cheap, while comparing algebraic numbers is not.
    pub fn structural_order(&self, other: &Real) -> Ordering {
        match (self, other) {
            (Real::Rat(a), Real::Rat(b)) => a.cmp(b),
            (Real::Rat(_), Real::Alg(_)) => Ordering::Less,
            (Real::Alg(_), Real::Rat(_)) => Ordering::Greater,
            (Real::Alg(a), Real::Alg(b)) => a.structural_order(b),
        }
    }

    /// The numeric order of two numbers.
    pub fn compare(&self, other: &Real) -> Result<Ordering, TooHard> {
        match (self, other) {
            (Real::Rat(a), Real::Rat(b)) => Ok(a.cmp(b)),
            (Real::Alg(a), Real::Rat(r)) => a.compare_rat(r),
            (Real::Rat(r), Real::Alg(a)) => a.compare_rat(r).map(Ordering::reverse),
            (Real::Alg(a), Real::Alg(b)) => a.compare(b),
        }
    }

    /// A rational interval no wider than `2^-bits` (a point for a rational) around the number.
    pub fn enclose(&self, bits: u32) -> Result<Interval, TooHard> {
        match self {
            Real::Rat(r) => Ok(Interval::point(r.clone())),
            Real::Alg(a) => {
                let a = a.refined(bits)?;
                let (lo, hi) = a.interval();
                Ok(Interval::hull(lo.clone(), hi.clone()))
            }
        }
    }

    /// SMT-LIB text for a rational, z3's `root-obj` otherwise (the standard has no spelling).
    pub fn smt(&self) -> impl fmt::Display + '_ {
        SmtReal(self)
    }
}

impl From<Rat> for Real {
    fn from(r: Rat) -> Real {
        Real::Rat(r)
    }
}

impl From<Int> for Real {
    fn from(n: Int) -> Real {
        Real::Rat(Rat::from(n))
    }
}

impl From<i64> for Real {
    fn from(n: i64) -> Real {
        Real::Rat(Rat::from(n))
    }
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Real::Rat(r) => fmt::Display::fmt(r, f),
            Real::Alg(a) => fmt::Display::fmt(a, f),
        }
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

struct SmtReal<'a>(&'a Real);

impl fmt::Display for SmtReal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Real::Rat(r) => fmt::Display::fmt(&r.smt(), f),
            Real::Alg(a) => fmt::Display::fmt(a, f),
        }
    }
}
