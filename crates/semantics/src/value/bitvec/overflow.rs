//! Overflow predicates: `bvnego` … `bvsdivo` of SMT-LIB 2.7 and z3's `…_noovfl`, `…_noudfl`.
//!
//! Each says whether the exact integer result is outside the range of the width, signed or unsigned. They are
//! implemented here by that definition (compute exactly, compare with the bounds), never by the circuits that solvers
//! use, so that the two are independent.

use std::cmp::Ordering;

use dashu_base::BitTest;
use dashu_int::IBig;

use super::{BitVec, Bits, mask, sign_extended};

/// The position of an exact signed result: below the range, inside, or above.
fn signed_range(width: u32, exact: &IBig) -> Ordering {
    // -2^(w-1) <= v < 2^(w-1) holds exactly when v, or its complement if negative, has w-1 bits at most.
    let negative = *exact < IBig::ZERO;
    let magnitude = if negative { -exact - IBig::ONE } else { exact.clone() };
    match (magnitude.bit_len() < width as usize, negative) {
        (true, _) => Ordering::Equal,
        (false, true) => Ordering::Less,
        (false, false) => Ordering::Greater,
    }
}

/// [`signed_range`] for results that a double word holds.
#[inline]
fn signed_range_small(width: u32, exact: i128) -> Ordering {
    let limit = 1i128 << (width - 1);
    if exact < -limit {
        Ordering::Less
    } else if exact >= limit {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}

impl BitVec {
    /// The position of the exact signed result of `small`/`wide`.
    #[inline]
    fn signed_result(
        &self,
        other: &BitVec,
        small: impl FnOnce(i128, i128) -> i128,
        wide: impl FnOnce(IBig, IBig) -> IBig,
    ) -> Ordering {
        let width = self.width;
        match (&self.bits, &other.bits) {
            (Bits::Word(a), Bits::Word(b)) if width == other.width => {
                let (a, b) = (sign_extended(*a, width) as i128, sign_extended(*b, width) as i128);
                signed_range_small(width, small(a, b))
            }
            _ => signed_range(width, &wide(self.to_signed(), other.to_signed())),
        }
    }

    /// `bvnego`
    pub fn nego(&self) -> bool {
        self.is_min_signed()
    }

    /// `bvuaddo`
    pub fn uaddo(&self, other: &BitVec) -> bool {
        // The wrapped sum is below an operand exactly when a carry was lost.
        self.add(other).ult(self)
    }

    /// `bvsaddo`
    pub fn saddo(&self, other: &BitVec) -> bool {
        self.signed_result(other, |a, b| a + b, |a, b| a + b).is_ne()
    }

    /// `bvumulo`
    pub fn umulo(&self, other: &BitVec) -> bool {
        match (&self.bits, &other.bits) {
            (Bits::Word(a), Bits::Word(b)) => *a as u128 * *b as u128 > mask(self.width) as u128,
            _ => (self.to_unsigned() * other.to_unsigned()).bit_len() > self.width as usize,
        }
    }

    /// `bvsmulo`
    pub fn smulo(&self, other: &BitVec) -> bool {
        self.smul_range(other).is_ne()
    }

    /// `bvusubo`
    pub fn usubo(&self, other: &BitVec) -> bool {
        self.ult(other)
    }

    /// `bvssubo`
    pub fn ssubo(&self, other: &BitVec) -> bool {
        self.signed_result(other, |a, b| a - b, |a, b| a - b).is_ne()
    }

    /// `bvsdivo`: only the least number divided by minus one.
    pub fn sdivo(&self, other: &BitVec) -> bool {
        self.is_min_signed() && other.is_ones()
    }

    /// `bvumul_noovfl` (z3)
    pub fn umul_noovfl(&self, other: &BitVec) -> bool {
        !self.umulo(other)
    }

    /// `bvsmul_noovfl` (z3): the exact signed product is not too large.
    pub fn smul_noovfl(&self, other: &BitVec) -> bool {
        self.smul_range(other).is_le()
    }

    /// `bvsmul_noudfl` (z3): the exact signed product is not too small.
    pub fn smul_noudfl(&self, other: &BitVec) -> bool {
        self.smul_range(other).is_ge()
    }

    fn smul_range(&self, other: &BitVec) -> Ordering {
        self.signed_result(other, |a, b| a * b, |a, b| a * b)
    }
}
