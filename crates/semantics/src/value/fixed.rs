//! Intervals in fixed point, for the inner loops of `transcendental`.
//!
//! A rational interval is correct but slow in a series: every product is reduced to lowest terms by a gcd. Here both
//! ends are integer multiples of `2^-w` for one `w`, so a product is a multiplication and a shift. In and out:
//! rational intervals. The lower end is always rounded down and the upper end up, so an enclosed number stays
//! enclosed. Values with different `w` are never mixed.

use super::int::Int;
use super::interval::Interval;
use super::rational::Rat;
use dashu_base::{Abs, DivEuclid, Signed};
use dashu_int::IBig;

/// `lo * 2^-w ..= hi * 2^-w`.
#[derive(Clone)]
pub(super) struct Fixed {
    lo: IBig,
    hi: IBig,
    w: u32,
}

impl Fixed {
    pub fn new(x: &Interval, w: u32) -> Fixed {
        Fixed { lo: x.lo().scaled_floor(w).to_ibig(), hi: -(-x.hi()).scaled_floor(w).to_ibig(), w }
    }

    pub fn one(w: u32) -> Fixed {
        let one = IBig::ONE << w as usize;
        Fixed { lo: one.clone(), hi: one, w }
    }

    pub fn to_interval(&self) -> Interval {
        let end = |n: &IBig| -> Rat { Int::from(n.clone()).over_two_to(self.w) };
        Interval::hull(end(&self.lo), end(&self.hi))
    }

    pub fn neg(&self) -> Fixed {
        Fixed { lo: -&self.hi, hi: -&self.lo, w: self.w }
    }

    pub fn add(&self, other: &Fixed) -> Fixed {
        Fixed { lo: &self.lo + &other.lo, hi: &self.hi + &other.hi, w: self.w }
    }

    pub fn mul(&self, other: &Fixed) -> Fixed {
        let mut ends =
            [&self.lo * &other.lo, &self.lo * &other.hi, &self.hi * &other.lo, &self.hi * &other.hi];
        ends.sort();
        let [lo, _, _, hi] = ends;
        self.shifted(lo, hi)
    }

    /// Never negative, unlike a product with itself.
    pub fn square(&self) -> Fixed {
        let (a, b) = ((&self.lo).abs(), (&self.hi).abs());
        let (small, large) = if a < b { (a, b) } else { (b, a) };
        let straddles = self.lo.is_negative() && self.hi.is_positive();
        let small = if straddles { IBig::ZERO } else { small };
        self.shifted(&small * &small, &large * &large)
    }

    /// From `2^-2w` back to `2^-w`, rounded outwards.
    fn shifted(&self, lo: IBig, hi: IBig) -> Fixed {
        let w = self.w as usize;
        Fixed { lo: lo >> w, hi: -((-hi) >> w), w: self.w }
    }

    /// Divided by a positive integer.
    pub fn div(&self, n: u64) -> Fixed {
        let n = IBig::from(n.max(1));
        Fixed { lo: (&self.lo).div_euclid(&n), hi: -((-&self.hi).div_euclid(&n)), w: self.w }
    }

    /// Whether no value inside exceeds `2^-w`, the unit, in magnitude.
    pub fn is_tiny(&self) -> bool {
        self.lo >= IBig::NEG_ONE && self.hi <= IBig::ONE
    }

    /// Widened on both sides by `times` the largest magnitude in `term`.
    pub fn widened(&self, term: &Fixed, times: u64) -> Fixed {
        let size = (&term.lo).abs().max((&term.hi).abs()) * IBig::from(times);
        Fixed { lo: &self.lo - &size, hi: &self.hi + &size, w: self.w }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_goes_outwards_on_both_sides_of_zero() {
        for n in -20i64..20 {
            for m in -20i64..20 {
                let (x, y) = (Rat::ratio(n, 7), Rat::ratio(m, 5));
                let fx = Fixed::new(&Interval::point(x.clone()), 6);
                let fy = Fixed::new(&Interval::point(y.clone()), 6);
                assert!(fx.to_interval().contains(&x));
                assert!(fx.mul(&fy).to_interval().contains(&(&x * &y)));
                assert!(fx.square().to_interval().contains(&(&x * &x)));
                assert!(fx.square().to_interval().lo() >= &Rat::ZERO);
                let third = &x * &Rat::ratio(1, 3);
                assert!(fx.div(3).to_interval().contains(&third));
                assert!(fx.div(3).to_interval().width() <= Rat::ratio(2, 64));
                assert!(fx.mul(&fy).to_interval().width() <= Rat::ratio(10, 64));
            }
        }
    }
}
