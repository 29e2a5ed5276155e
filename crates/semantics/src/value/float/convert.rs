//! Conversions between floats, bit-vectors and reals: `to_fp`, `fp.to_ubv`, `fp.to_real` and the like.
//!
//! Inputs are turned into an exact number and rounded once; outputs are exact. If the standard leaves the result open
//! (NaN, infinities, integers out of range) the answer is `None`, and if it would be extremely long (a real with 2^29
//! digits) the error says so: this file must never guess.

use dashu_base::{BitTest, UnsignedAbs};
use dashu_int::UBig;

use super::arith::quotient;
use super::{Datum, Float, Format, RoundingMode, Unrounded};
use crate::value::bitvec::BitVec;
use crate::value::int::Int;
use crate::value::rational::Rat;

/// Why `fp.to_real` returned no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotReal {
    /// NaN or an infinity: the standard leaves the result open.
    #[error("fp.to_real of NaN or an infinity is under-specified")]
    NotFinite,
    /// The number is defined but longer than [`Float::MAX_REAL_BITS`].
    #[error("the exact value of this floating-point number is too long to write down")]
    TooLong,
}

/// Exponents beyond this are out of every format's range, however long the significand.
const FAR: i64 = 1 << 61;

impl Format {
    /// `(_ to_fp eb sb)` of a mode and a real.
    pub fn from_real(self, mode: RoundingMode, value: &Rat) -> Float {
        self.from_scaled_real(mode, value, 0)
    }

    /// `(_ to_fp eb sb)` of a mode, a real and a binary exponent (z3): `value * 2^exponent`.
    pub fn from_scaled_real(self, mode: RoundingMode, value: &Rat, exponent: i64) -> Float {
        if value.is_zero() {
            return self.zero(false);
        }
        let (n, d) = (value.numerator().magnitude(), value.denominator().magnitude());
        let exponent = exponent.clamp(-FAR, FAR);
        self.round(mode, quotient(value.is_negative(), &n, &d, exponent, self.sb))
    }

    /// An integer, correctly rounded.
    pub fn from_int(self, mode: RoundingMode, value: &Int) -> Float {
        self.round(mode, Unrounded::exact(value.is_negative(), value.magnitude(), 0))
    }

    /// `(_ to_fp eb sb)` of a mode and a bit-vector read as signed.
    pub fn from_signed(self, mode: RoundingMode, bits: &BitVec) -> Float {
        self.round(mode, Unrounded::exact(bits.top_bit(), bits.to_signed().unsigned_abs(), 0))
    }

    /// `(_ to_fp_unsigned eb sb)`
    pub fn from_unsigned(self, mode: RoundingMode, bits: &BitVec) -> Float {
        self.round(mode, Unrounded::exact(false, bits.to_unsigned(), 0))
    }
}

impl Float {
    /// Maximum length of a numerator or denominator that [`Float::to_real`] returns.
    pub const MAX_REAL_BITS: u64 = 1 << 22;

    /// `(_ to_fp eb sb)` of a mode and a float.
    pub fn to_format(&self, mode: RoundingMode, format: Format) -> Float {
        match &self.datum {
            _ if self.format == format => self.clone(),
            Datum::NaN => format.nan(),
            Datum::Inf { negative } => format.infinity(*negative),
            Datum::Zero { negative } => format.zero(*negative),
            Datum::Finite { negative, exponent, significand } => {
                format.round(mode, Unrounded::exact(*negative, significand.clone(), *exponent))
            }
        }
    }

    /// The sign and magnitude of the integer chosen by the mode; `None` if there is none or its magnitude has more
    /// than `bits` bits.
    fn to_magnitude(&self, mode: RoundingMode, bits: u32) -> Option<(bool, UBig)> {
        match &self.datum {
            Datum::NaN | Datum::Inf { .. } => None,
            Datum::Zero { .. } => Some((false, UBig::ZERO)),
            Datum::Finite { negative, exponent, significand } => {
                let value = Unrounded::exact(*negative, significand.clone(), *exponent);
                if value.top() >= bits as i64 {
                    return None;
                }
                let magnitude = if *exponent < 0 {
                    value.at_place(0, mode)
                } else {
                    value.significand << *exponent as usize
                };
                (magnitude.bit_len() <= bits as usize).then_some((*negative, magnitude))
            }
        }
    }

    /// `(_ fp.to_ubv width)`; `None` where under-specified: NaN, infinities, and integers (after
    /// rounding) that the width cannot hold.
    pub fn to_ubv(&self, mode: RoundingMode, width: u32) -> Option<BitVec> {
        let (negative, magnitude) = self.to_magnitude(mode, width)?;
        if negative && !magnitude.is_zero() {
            return None;
        }
        BitVec::from_ubig(width, magnitude)
    }

    /// `(_ fp.to_sbv width)`; `None` where under-specified, as for [`Float::to_ubv`].
    pub fn to_sbv(&self, mode: RoundingMode, width: u32) -> Option<BitVec> {
        let (negative, magnitude) = self.to_magnitude(mode, width)?;
        let bits = BitVec::from_ubig(width, magnitude)?;
        // A magnitude with the top bit set is out of range, except for the least number itself.
        if bits.top_bit() && !(negative && bits.is_min_signed()) {
            return None;
        }
        Some(if negative { bits.neg() } else { bits })
    }

    /// `fp.to_real`, exactly.
    pub fn to_real(&self) -> Result<Rat, NotReal> {
        match &self.datum {
            Datum::NaN | Datum::Inf { .. } => Err(NotReal::NotFinite),
            Datum::Zero { .. } => Ok(Rat::ZERO),
            Datum::Finite { negative, exponent, significand } => {
                if exponent.unsigned_abs() > Self::MAX_REAL_BITS {
                    return Err(NotReal::TooLong);
                }
                let shift = exponent.unsigned_abs() as usize;
                let (n, d) = if *exponent >= 0 {
                    (significand << shift, UBig::ONE)
                } else {
                    (significand.clone(), UBig::ONE << shift)
                };
                let magnitude = Int::from(n);
                let numerator = if *negative { -magnitude } else { magnitude };
                match Rat::new(&numerator, &Int::from(d)) {
                    Some(value) => Ok(value),
                    None => unreachable!("a power of two is not zero"),
                }
            }
        }
    }
}
