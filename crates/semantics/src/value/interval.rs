//! Closed intervals with rational ends: the only representation of transcendental numbers here.
//!
//! A number such as `(sin 1.0)` has no exact form, but it can be enclosed between two rationals to any precision. An
//! [`Interval`] always *contains* the number it represents; every operation here and in `transcendental` preserves
//! that, rounding outwards where it rounds at all. So a question is answered only if the interval decides it:
//! `compare` returns `None` rather than guess, and [`decide`] tries again with more bits until it is decided or a
//! limit is reached. The equality of two irrational numbers can never be shown this way; it must stay undecided.

use super::algebraic::{root_above, root_below};
use super::int::Int;
use super::rational::Rat;
use std::cmp::Ordering;
use std::fmt;
use thiserror::Error;

/// Why there is no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoEnclosure {
    /// The function has no value anywhere on the argument: the model defines its meaning.
    #[error("the function is not defined there")]
    Undefined,
    /// A part of the argument's interval is outside the domain or contains a pole: more bits may help.
    #[error("the argument is not known closely enough")]
    Undecided,
    /// The result, or the work for it, would be enormous.
    #[error("the argument is too large to evaluate")]
    TooLarge,
}

/// `lo ..= hi`, with `lo <= hi`.
#[derive(Clone, PartialEq, Eq)]
pub struct Interval {
    lo: Rat,
    hi: Rat,
}

impl Interval {
    pub fn point(r: Rat) -> Interval {
        Interval { lo: r.clone(), hi: r }
    }

    /// The smallest interval with both numbers.
    pub fn hull(a: Rat, b: Rat) -> Interval {
        if a <= b { Interval { lo: a, hi: b } } else { Interval { lo: b, hi: a } }
    }

    /// `-r ..= r` for the magnitude of `r`.
    pub fn around_zero(r: &Rat) -> Interval {
        let r = r.abs();
        Interval { lo: -&r, hi: r }
    }

    pub fn lo(&self) -> &Rat {
        &self.lo
    }

    pub fn hi(&self) -> &Rat {
        &self.hi
    }

    pub fn width(&self) -> Rat {
        &self.hi - &self.lo
    }

    pub fn is_point(&self) -> bool {
        self.lo == self.hi
    }

    pub fn contains(&self, r: &Rat) -> bool {
        &self.lo <= r && r <= &self.hi
    }

    /// The largest absolute value inside.
    pub fn magnitude(&self) -> Rat {
        self.lo.abs().max(self.hi.abs())
    }

    /// The ends moved outwards to multiples of `2^-bits`.
    pub fn rounded(&self, bits: u32) -> Interval {
        Interval { lo: self.lo.round_down(bits), hi: self.hi.round_up(bits) }
    }

    /// The smallest interval that contains both.
    pub fn union(&self, other: &Interval) -> Interval {
        Interval { lo: self.lo.clone().min(other.lo.clone()), hi: self.hi.clone().max(other.hi.clone()) }
    }

    /// The intersection; `None` if they are disjoint and so cannot enclose the same number.
    pub fn intersection(&self, other: &Interval) -> Option<Interval> {
        let lo = self.lo.clone().max(other.lo.clone());
        let hi = self.hi.clone().min(other.hi.clone());
        (lo <= hi).then_some(Interval { lo, hi })
    }

    pub fn neg(&self) -> Interval {
        Interval { lo: -&self.hi, hi: -&self.lo }
    }

    pub fn abs(&self) -> Interval {
        match self.sign() {
            Some(s) if s < 0 => self.neg(),
            Some(_) => self.clone(),
            None => Interval { lo: self.mignitude(), hi: self.magnitude() },
        }
    }

    /// The smallest absolute value inside.
    pub fn mignitude(&self) -> Rat {
        if self.contains(&Rat::ZERO) { Rat::ZERO } else { self.lo.abs().min(self.hi.abs()) }
    }

    pub fn add(&self, other: &Interval) -> Interval {
        Interval { lo: &self.lo + &other.lo, hi: &self.hi + &other.hi }
    }

    pub fn sub(&self, other: &Interval) -> Interval {
        Interval { lo: &self.lo - &other.hi, hi: &self.hi - &other.lo }
    }

    pub fn mul(&self, other: &Interval) -> Interval {
        let mut ends =
            [&self.lo * &other.lo, &self.lo * &other.hi, &self.hi * &other.lo, &self.hi * &other.hi];
        ends.sort();
        let [lo, _, _, hi] = ends;
        Interval { lo, hi }
    }

    pub fn scale(&self, r: &Rat) -> Interval {
        Interval::hull(&self.lo * r, &self.hi * r)
    }

    /// Tighter than `mul` with itself: never negative.
    pub fn square(&self) -> Interval {
        let (small, large) = (self.mignitude(), self.magnitude());
        Interval { lo: &small * &small, hi: &large * &large }
    }

    /// `1 / x`: `Undefined` for the point zero, `Undecided` when zero is inside.
    pub fn recip(&self) -> Result<Interval, NoEnclosure> {
        if self.is_point() && self.lo.is_zero() {
            return Err(NoEnclosure::Undefined);
        }
        if self.contains(&Rat::ZERO) {
            return Err(NoEnclosure::Undecided);
        }
        match (self.lo.recip(), self.hi.recip()) {
            (Some(hi), Some(lo)) => Ok(Interval { lo, hi }),
            _ => Err(NoEnclosure::Undefined),
        }
    }

    pub fn div(&self, other: &Interval) -> Result<Interval, NoEnclosure> {
        Ok(self.mul(&other.recip()?))
    }

    /// `x^exp` for an integer exponent; `TooLarge` above `max_bits`. `0^0` and `0^-n` are undefined.
    pub fn powi(&self, exp: i64, max_bits: u64) -> Result<Interval, NoEnclosure> {
        if exp < 0 {
            let e = exp.checked_neg().ok_or(NoEnclosure::TooLarge)?;
            return self.recip()?.powi(e, max_bits);
        }
        if exp == 0 {
            return match self.sign() {
                Some(0) => Err(NoEnclosure::Undefined),
                Some(_) => Ok(Interval::point(Rat::ONE)),
                None => Err(NoEnclosure::Undecided),
            };
        }
        let power = |r: &Rat| r.pow(exp, max_bits).ok_or(NoEnclosure::TooLarge);
        if exp % 2 == 0 {
            let (lo, hi) = (power(&self.mignitude())?, power(&self.magnitude())?);
            return Ok(Interval { lo, hi });
        }
        let (lo, hi) = (power(&self.lo)?, power(&self.hi)?);
        Ok(Interval { lo, hi })
    }

    /// The non-negative (for even `n`) or only (for odd `n`) real `n`-th root.
    pub fn root(&self, n: u32, bits: u32) -> Result<Interval, NoEnclosure> {
        if n == 0 {
            return Err(NoEnclosure::Undefined);
        }
        if u64::from(n) * u64::from(bits) > 1 << 24 {
            return Err(NoEnclosure::TooLarge);
        }
        if n.is_multiple_of(2) && self.hi.is_negative() {
            return Err(NoEnclosure::Undefined);
        }
        if n.is_multiple_of(2) && self.lo.is_negative() {
            return Err(NoEnclosure::Undecided);
        }
        Ok(Interval { lo: root_below(&self.lo, n, bits), hi: root_above(&self.hi, n, bits) })
    }

    /// -1, 0 or 1, if it is the same for the whole interval.
    pub fn sign(&self) -> Option<i32> {
        let (a, b) = (self.lo.signum(), self.hi.signum());
        (a == b).then_some(a)
    }

    /// The order of the two numbers, if the intervals decide it; `Equal` only for equal points.
    pub fn compare(&self, other: &Interval) -> Option<Ordering> {
        if self.hi < other.lo {
            Some(Ordering::Less)
        } else if self.lo > other.hi {
            Some(Ordering::Greater)
        } else if self.is_point() && self == other {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    /// The integer below, if it is the same for the whole interval.
    pub fn floor(&self) -> Option<Int> {
        let floor = self.lo.floor();
        (floor == self.hi.floor()).then_some(floor)
    }
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} ≈ {:e}, {} ≈ {:e}]", self.lo, self.lo.to_f64(), self.hi, self.hi.to_f64())
    }
}

/// Calls `attempt` with 64 bits, then twice as many, and so on up to `max_bits`, until it decides. `Undecided` means
/// not yet; `Ok(None)` means the limit was reached.
pub fn decide<T>(
    max_bits: u32,
    mut attempt: impl FnMut(u32) -> Result<Option<T>, NoEnclosure>,
) -> Result<Option<T>, NoEnclosure> {
    let mut bits = 64.min(max_bits);
    loop {
        match attempt(bits) {
            Ok(Some(answer)) => return Ok(Some(answer)),
            Ok(None) | Err(NoEnclosure::Undecided) => {}
            Err(other) => return Err(other),
        }
        if bits >= max_bits {
            return Ok(None);
        }
        bits = bits.saturating_mul(2).min(max_bits);
    }
}
