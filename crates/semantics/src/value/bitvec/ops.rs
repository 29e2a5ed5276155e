//! The operators of FixedSizeBitVectors and QF_BV, and further total operators of solvers.
//!
//! In: bit-vectors whose widths agree (the type checker ensures that). Out: bit-vectors and booleans. Every operator
//! is total, as in the standard: dividing by zero gives all ones, its remainder is the dividend, and the signed forms
//! follow from the unsigned ones by the standard's own case split rather than by our own rule. The result is `None`
//! only if the requested *width* does not exist. It must never loop over single bits: solvers are tested at width 2^16
//! and more.

use std::cmp::Ordering;

use dashu_base::DivRem;
use dashu_int::UBig;

use super::{BitVec, Bits};

#[cold]
#[inline(never)]
fn mismatch(left: &BitVec, right: &BitVec) -> ! {
    unreachable!("operands of widths {} and {}: not a well-sorted term", left.width, right.width)
}

impl BitVec {
    #[inline]
    fn zip(
        &self,
        other: &BitVec,
        small: impl FnOnce(u64, u64) -> u64,
        wide: impl FnOnce(&UBig, &UBig) -> UBig,
    ) -> BitVec {
        if self.width != other.width {
            mismatch(self, other);
        }
        match (&self.bits, &other.bits) {
            (Bits::Word(a), Bits::Word(b)) => Self::small(self.width, small(*a, *b)),
            (Bits::Wide(a), Bits::Wide(b)) => Self::wide(self.width, wide(a, b)),
            _ => mismatch(self, other),
        }
    }

    fn modulus(&self) -> UBig {
        UBig::ONE << self.width as usize
    }

    // ---- bitwise

    /// `bvnot`
    #[inline]
    pub fn not(&self) -> BitVec {
        match &self.bits {
            Bits::Word(a) => Self::small(self.width, !a),
            Bits::Wide(a) => Self::wide(self.width, UBig::ones(self.width as usize) ^ a),
        }
    }

    /// `bvand`
    #[inline]
    pub fn and(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a & b, |a, b| a & b)
    }

    /// `bvor`
    #[inline]
    pub fn or(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a | b, |a, b| a | b)
    }

    /// `bvxor`
    #[inline]
    pub fn xor(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `bvnand`
    #[inline]
    pub fn nand(&self, other: &BitVec) -> BitVec {
        self.and(other).not()
    }

    /// `bvnor`
    #[inline]
    pub fn nor(&self, other: &BitVec) -> BitVec {
        self.or(other).not()
    }

    /// `bvxnor`
    #[inline]
    pub fn xnor(&self, other: &BitVec) -> BitVec {
        self.xor(other).not()
    }

    /// `bvredor`: one bit, whether some bit is 1.
    pub fn redor(&self) -> BitVec {
        BitVec::from_bool(!self.is_zero())
    }

    /// `bvredand`: one bit, whether every bit is 1.
    pub fn redand(&self) -> BitVec {
        BitVec::from_bool(self.is_ones())
    }

    /// `bvredxor`: one bit, the parity.
    pub fn redxor(&self) -> BitVec {
        let ones = match &self.bits {
            Bits::Word(a) => a.count_ones() as usize,
            Bits::Wide(a) => a.count_ones(),
        };
        BitVec::from_bool(ones % 2 == 1)
    }

    /// `bvcomp`: one bit, whether both are equal.
    pub fn comp(&self, other: &BitVec) -> BitVec {
        if self.width != other.width {
            mismatch(self, other);
        }
        BitVec::from_bool(self == other)
    }

    /// `bvite` (cvc5): `self` is the one-bit condition.
    pub fn ite<'a>(&self, then: &'a BitVec, otherwise: &'a BitVec) -> &'a BitVec {
        if self.is_zero() { otherwise } else { then }
    }

    // ---- arithmetic

    /// `bvneg`
    #[inline]
    pub fn neg(&self) -> BitVec {
        match &self.bits {
            Bits::Word(a) => Self::small(self.width, a.wrapping_neg()),
            Bits::Wide(a) => Self::wide(self.width, self.modulus() - a),
        }
    }

    /// `bvadd`
    #[inline]
    pub fn add(&self, other: &BitVec) -> BitVec {
        self.zip(other, u64::wrapping_add, |a, b| a + b)
    }

    /// `bvsub`
    #[inline]
    pub fn sub(&self, other: &BitVec) -> BitVec {
        self.zip(other, u64::wrapping_sub, |a, b| if a >= b { a - b } else { self.modulus() + a - b })
    }

    /// `bvmul`
    #[inline]
    pub fn mul(&self, other: &BitVec) -> BitVec {
        self.zip(other, u64::wrapping_mul, |a, b| a * b)
    }

    /// `bvudiv`; all ones when dividing by zero.
    #[inline]
    pub fn udiv(&self, other: &BitVec) -> BitVec {
        self.zip(
            other,
            |a, b| a.checked_div(b).unwrap_or(u64::MAX),
            |a, b| if b.is_zero() { UBig::ones(self.width as usize) } else { a / b },
        )
    }

    /// `bvurem`; the dividend when dividing by zero.
    #[inline]
    pub fn urem(&self, other: &BitVec) -> BitVec {
        self.zip(
            other,
            |a, b| a.checked_rem(b).unwrap_or(a),
            |a, b| if b.is_zero() { a.clone() } else { a % b },
        )
    }

    /// `bvudiv` and `bvurem` at once.
    pub fn udiv_urem(&self, other: &BitVec) -> (BitVec, BitVec) {
        if let (Bits::Wide(a), Bits::Wide(b)) = (&self.bits, &other.bits)
            && self.width == other.width
            && !b.is_zero()
        {
            let (quotient, remainder) = a.div_rem(b);
            return (Self::wide(self.width, quotient), Self::wide(self.width, remainder));
        }
        (self.udiv(other), self.urem(other))
    }

    /// The magnitude as an unsigned number; the smallest signed number is its own.
    fn magnitude(&self) -> BitVec {
        if self.top_bit() { self.neg() } else { self.clone() }
    }

    /// `bvsdiv`: truncating; by zero 1 for a negative dividend, else minus one.
    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.top_bit() == other.top_bit() { quotient } else { quotient.neg() }
    }

    /// `bvsrem`: sign of the dividend; by zero the dividend.
    pub fn srem(&self, other: &BitVec) -> BitVec {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.top_bit() { remainder.neg() } else { remainder }
    }

    /// `bvsmod`: sign of the divisor; by zero the dividend.
    pub fn smod(&self, other: &BitVec) -> BitVec {
        let remainder = self.magnitude().urem(&other.magnitude());
        if remainder.is_zero() {
            return remainder;
        }
        match (self.top_bit(), other.top_bit()) {
            (false, false) => remainder,
            (true, false) => other.sub(&remainder),
            (false, true) => remainder.add(other),
            (true, true) => remainder.neg(),
        }
    }

    /// `bvinc` (bitwuzla)
    pub fn inc(&self) -> BitVec {
        self.add(&Self::word(self.width, 1))
    }

    /// `bvdec` (bitwuzla)
    pub fn dec(&self) -> BitVec {
        self.sub(&Self::word(self.width, 1))
    }

    // ---- shifts and rotations

    /// The amount if it is below the width.
    #[inline]
    fn shift_amount(&self, amount: &BitVec) -> Option<u32> {
        if self.width != amount.width {
            mismatch(self, amount);
        }
        amount.to_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n < self.width)
    }

    /// Shifted left by a number of places; 0 from the width on.
    #[inline]
    pub fn shl_by(&self, places: u32) -> BitVec {
        if places >= self.width {
            return Self::word(self.width, 0);
        }
        match &self.bits {
            Bits::Word(a) => Self::small(self.width, a << places),
            Bits::Wide(a) => Self::wide(self.width, a << places as usize),
        }
    }

    /// Shifted right by a number of places, zeros from above; 0 from the width on.
    #[inline]
    pub fn lshr_by(&self, places: u32) -> BitVec {
        if places >= self.width {
            return Self::word(self.width, 0);
        }
        match &self.bits {
            Bits::Word(a) => Self::small(self.width, a >> places),
            Bits::Wide(a) => Self::wide(self.width, a >> places as usize),
        }
    }

    /// `bvshl`
    #[inline]
    pub fn shl(&self, amount: &BitVec) -> BitVec {
        self.shl_by(self.shift_amount(amount).unwrap_or(self.width))
    }

    /// `bvlshr`
    #[inline]
    pub fn lshr(&self, amount: &BitVec) -> BitVec {
        self.lshr_by(self.shift_amount(amount).unwrap_or(self.width))
    }

    /// `bvashr`: a negative number shifts as the complement of its complement.
    #[inline]
    pub fn ashr(&self, amount: &BitVec) -> BitVec {
        if self.top_bit() { self.not().lshr(amount).not() } else { self.lshr(amount) }
    }

    /// `(_ rotate_left places)`
    pub fn rotate_left(&self, places: u64) -> BitVec {
        let places = (places % self.width as u64) as u32;
        if places == 0 {
            return self.clone();
        }
        self.shl_by(places).or(&self.lshr_by(self.width - places))
    }

    /// `(_ rotate_right places)`
    pub fn rotate_right(&self, places: u64) -> BitVec {
        let places = places % self.width as u64;
        self.rotate_left(self.width as u64 - places)
    }

    /// The amount modulo the width.
    fn rotation(&self, amount: &BitVec) -> u64 {
        match &amount.bits {
            Bits::Word(n) => n % self.width as u64,
            Bits::Wide(n) => n % self.width as u64,
        }
    }

    /// `ext_rotate_left` (z3), `bvrol` (bitwuzla): by an unsigned amount modulo the width.
    pub fn ext_rotate_left(&self, amount: &BitVec) -> BitVec {
        self.rotate_left(self.rotation(amount))
    }

    /// `ext_rotate_right` (z3), `bvror` (bitwuzla)
    pub fn ext_rotate_right(&self, amount: &BitVec) -> BitVec {
        self.rotate_right(self.rotation(amount))
    }

    // ---- cutting and joining

    /// `concat`, `self` on top; `None` if the result is too wide.
    pub fn concat(&self, low: &BitVec) -> Option<BitVec> {
        let width = self.width.checked_add(low.width).filter(|w| Self::is_width(*w))?;
        Some(match (&self.bits, &low.bits) {
            (Bits::Word(a), Bits::Word(b)) if width <= 64 => Self::small(width, (a << low.width) | b),
            _ => Self::wide(width, (self.to_unsigned() << low.width as usize) | low.to_unsigned()),
        })
    }

    /// `(_ extract high low)`, both ends included; `None` unless low <= high < width.
    pub fn extract(&self, high: u32, low: u32) -> Option<BitVec> {
        if low > high || high >= self.width {
            return None;
        }
        let width = high - low + 1;
        Some(match &self.bits {
            Bits::Word(a) => Self::small(width, a >> low),
            Bits::Wide(a) => Self::wide(width, a >> low as usize),
        })
    }

    /// `(_ repeat times)`; `None` for zero times or a result that is too wide.
    pub fn repeat(&self, times: u32) -> Option<BitVec> {
        let width = self.width.checked_mul(times).filter(|w| Self::is_width(*w))?;
        // Doubling keeps the number of joins logarithmic.
        let (mut result, mut block, mut left) = (None::<UBig>, self.to_unsigned(), times);
        let mut block_width = self.width as usize;
        while left > 0 {
            if left % 2 == 1 {
                result = Some(match result {
                    Some(high) => (high << block_width) | &block,
                    None => block.clone(),
                });
            }
            left /= 2;
            if left > 0 {
                block = (&block << block_width) | &block;
                block_width *= 2;
            }
        }
        result.map(|bits| Self::wide(width, bits))
    }

    /// `(_ zero_extend extra)`; `None` if the result is too wide.
    pub fn zero_extend(&self, extra: u32) -> Option<BitVec> {
        let width = self.width.checked_add(extra).filter(|w| Self::is_width(*w))?;
        Some(match &self.bits {
            Bits::Word(a) => Self::word(width, *a),
            Bits::Wide(a) => Self::wide(width, a.clone()),
        })
    }

    /// `(_ sign_extend extra)`; `None` if the result is too wide.
    pub fn sign_extend(&self, extra: u32) -> Option<BitVec> {
        if !self.top_bit() {
            return self.zero_extend(extra);
        }
        Some(self.not().zero_extend(extra)?.not())
    }

    // ---- comparisons

    /// As unsigned numbers.
    #[inline]
    pub fn ucmp(&self, other: &BitVec) -> Ordering {
        if self.width != other.width {
            mismatch(self, other);
        }
        self.bits.cmp(&other.bits)
    }

    /// As two's complement numbers.
    #[inline]
    pub fn scmp(&self, other: &BitVec) -> Ordering {
        // A set sign bit makes a number smaller; with equal signs the unsigned order is correct.
        other.top_bit().cmp(&self.top_bit()).then_with(|| self.ucmp(other))
    }

    /// `bvult`
    #[inline]
    pub fn ult(&self, other: &BitVec) -> bool {
        self.ucmp(other).is_lt()
    }

    /// `bvule`
    #[inline]
    pub fn ule(&self, other: &BitVec) -> bool {
        self.ucmp(other).is_le()
    }

    /// `bvugt`
    #[inline]
    pub fn ugt(&self, other: &BitVec) -> bool {
        self.ucmp(other).is_gt()
    }

    /// `bvuge`
    #[inline]
    pub fn uge(&self, other: &BitVec) -> bool {
        self.ucmp(other).is_ge()
    }

    /// `bvslt`
    #[inline]
    pub fn slt(&self, other: &BitVec) -> bool {
        self.scmp(other).is_lt()
    }

    /// `bvsle`
    #[inline]
    pub fn sle(&self, other: &BitVec) -> bool {
        self.scmp(other).is_le()
    }

    /// `bvsgt`
    #[inline]
    pub fn sgt(&self, other: &BitVec) -> bool {
        self.scmp(other).is_gt()
    }

    /// `bvsge`
    #[inline]
    pub fn sge(&self, other: &BitVec) -> bool {
        self.scmp(other).is_ge()
    }

    /// `bvultbv` (cvc5)
    pub fn ultbv(&self, other: &BitVec) -> BitVec {
        BitVec::from_bool(self.ult(other))
    }

    /// `bvsltbv` (cvc5)
    pub fn sltbv(&self, other: &BitVec) -> BitVec {
        BitVec::from_bool(self.slt(other))
    }
}
