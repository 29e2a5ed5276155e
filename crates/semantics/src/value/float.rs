//! Floating-point numbers of any format: the values of `(_ FloatingPoint eb sb)` and `RoundingMode`.
//!
//! In: bit patterns, rationals, bit-vectors and other floats. Out: the same and truth values. A value is NaN (only
//! one, as in SMT-LIB), an infinity, a zero, or a significand times a power of two. It is kept in that unpacked form
//! because every operation needs it, and it is canonical (see [`Datum`]), so that the equality of representations is
//! SMT-LIB's `=`; IEEE equality is [`Float::fp_eq`].
//!
//! All rounding is done in one place, [`mod@round`]; [`mod@arith`] and [`mod@convert`] only build exact results for
//! it. Nothing here may use the hardware's floating point, depend on its modes, or choose a value where the standard
//! leaves one open: those points are `None` or [`MinMax::EitherZero`].

use std::cmp::Ordering;
use std::fmt;

use dashu_base::BitTest;
use dashu_int::UBig;

use super::bitvec::BitVec;

mod arith;
mod convert;
mod round;

pub use convert::NotReal;
pub use round::{RoundingMode, Unrounded};

/// A floating-point sort: `eb` exponent bits, `sb` significand bits with the hidden one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Format {
    eb: u32,
    sb: u32,
}

impl Format {
    pub const HALF: Format = Format { eb: 5, sb: 11 };
    pub const SINGLE: Format = Format { eb: 8, sb: 24 };
    pub const DOUBLE: Format = Format { eb: 11, sb: 53 };
    pub const QUAD: Format = Format { eb: 15, sb: 113 };

    /// Exponents, sums and differences included, stay well inside 64 bits.
    pub const MAX_EB: u32 = 60;
    /// A megabit of significand: more is a denial of service, not a formula.
    pub const MAX_SB: u32 = 1 << 20;

    /// `None` unless both are at least 2 (the standard's bound) and at most our limits.
    pub const fn new(eb: u32, sb: u32) -> Option<Format> {
        if eb < 2 || sb < 2 || eb > Self::MAX_EB || sb > Self::MAX_SB {
            return None;
        }
        Some(Format { eb, sb })
    }

    /// Exponent bits.
    pub const fn eb(self) -> u32 {
        self.eb
    }

    /// Significand bits, the hidden one included.
    pub const fn sb(self) -> u32 {
        self.sb
    }

    /// Bits of the IEEE interchange form.
    pub const fn width(self) -> u32 {
        self.eb + self.sb
    }

    /// Largest exponent of a finite number written 1.xxx; also the bias.
    pub const fn emax(self) -> i64 {
        (1 << (self.eb - 1)) - 1
    }

    /// Smallest exponent of a normal number written 1.xxx.
    pub const fn emin(self) -> i64 {
        1 - self.emax()
    }

    /// Exponent of the last place of subnormal numbers: the weight of the least positive number.
    const fn last_place(self) -> i64 {
        self.emin() - (self.sb as i64 - 1)
    }

    /// Whether the greatest finite number is an integer. Where it is not (as in `(_ FloatingPoint 2 3)`,
    /// which ends at 3.5) `fp.roundToIntegral` can leave the format; see [`Float::round_to_integral`].
    pub const fn greatest_is_integral(self) -> bool {
        self.emax() >= self.sb as i64 - 1
    }

    /// The words of all values; the format has at most 63 bits.
    pub(crate) fn words(self) -> impl Iterator<Item = u64> {
        let fraction = (1u64 << (self.sb - 1)) - 1;
        let exponent = ((1u64 << self.eb) - 1) << (self.sb - 1);
        let nan = exponent | 1;
        (0..1u64 << self.width())
            .filter(move |word| word & exponent != exponent || word & fraction == 0 || *word == nan)
    }

    fn make(self, datum: Datum) -> Float {
        Float { format: self, datum }
    }

    /// `(_ NaN eb sb)`
    pub fn nan(self) -> Float {
        self.make(Datum::NaN)
    }

    /// `(_ +oo eb sb)` or `(_ -oo eb sb)`
    pub fn infinity(self, negative: bool) -> Float {
        self.make(Datum::Inf { negative })
    }

    /// `(_ +zero eb sb)` or `(_ -zero eb sb)`
    pub fn zero(self, negative: bool) -> Float {
        self.make(Datum::Zero { negative })
    }

    /// The finite number of greatest magnitude.
    pub fn greatest(self, negative: bool) -> Float {
        let exponent = self.emax() - (self.sb as i64 - 1);
        let significand = UBig::ones(self.sb as usize);
        self.make(Datum::Finite { negative, exponent, significand })
    }

    /// The finite number of least magnitude above zero.
    pub fn least(self, negative: bool) -> Float {
        self.make(Datum::Finite { negative, exponent: self.last_place(), significand: UBig::ONE })
    }
}

/// A floating-point value. Equality is SMT-LIB's `=`; the order is for containers and has no numeric meaning.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Float {
    format: Format,
    datum: Datum,
}

/// The parts of a float. `Finite` is `significand * 2^exponent`, never zero, with exactly `sb` bits of significand, or
/// fewer if the exponent is that of the last place of subnormals: one representation per number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Datum {
    NaN,
    Inf { negative: bool },
    Zero { negative: bool },
    Finite { negative: bool, exponent: i64, significand: UBig },
}

/// The result of `fp.min` and `fp.max`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MinMax {
    /// The standard gives this value.
    Is(Float),
    /// The arguments are zeros of opposite sign: either zero may be the result.
    EitherZero,
}

#[cold]
#[inline(never)]
fn mismatch(left: Format, right: Format) -> ! {
    unreachable!("operands of formats {left:?} and {right:?}: not a well-sorted term")
}

impl Float {
    pub fn format(&self) -> Format {
        self.format
    }

    /// `fp`: from a sign bit, `eb` exponent bits and `sb - 1` significand bits; `None` if the widths
    /// make no format.
    pub fn from_fields(sign: &BitVec, exponent: &BitVec, significand: &BitVec) -> Option<Float> {
        let format = Format::new(exponent.width(), significand.width().checked_add(1)?)?;
        if sign.width() != 1 {
            return None;
        }
        Some(Self::unpack(format, sign.bit(0), exponent.to_u64()?, significand.to_unsigned()))
    }

    /// `(_ to_fp eb sb)` of a bit-vector in IEEE interchange form; `None` if its width is not the format's.
    pub fn from_bits(format: Format, bits: &BitVec) -> Option<Float> {
        if bits.width() != format.width() {
            return None;
        }
        let exponent = bits.extract(format.width() - 2, format.sb - 1)?.to_u64()?;
        let fraction = bits.extract(format.sb - 2, 0)?.to_unsigned();
        Some(Self::unpack(format, bits.top_bit(), exponent, fraction))
    }

    /// The interchange form as a machine word, one for each value: NaN is the one whose last bit alone is set in its
    /// fraction. `None` if it has more than 64 bits.
    pub(crate) fn to_word(&self) -> Option<u64> {
        let format = self.format;
        let fraction_bits = format.sb - 1;
        if format.width() > 64 {
            return None;
        }
        let special = (1u64 << format.eb) - 1;
        let (negative, biased, fraction) = match &self.datum {
            Datum::NaN => (false, special, 1),
            Datum::Inf { negative } => (*negative, special, 0),
            Datum::Zero { negative } => (*negative, 0, 0),
            Datum::Finite { negative, exponent, significand } => {
                let significand = u64::try_from(significand).ok()?;
                let subnormal = self.is_subnormal();
                let biased = if subnormal { 0 } else { (exponent - format.last_place() + 1) as u64 };
                (*negative, biased, significand & ((1 << fraction_bits) - 1))
            }
        };
        Some(u64::from(negative) << (format.width() - 1) | biased << fraction_bits | fraction)
    }

    /// The value of such a word, or of another one of NaN.
    pub(crate) fn from_word(format: Format, word: u64) -> Float {
        let fraction_bits = format.sb - 1;
        let biased = word >> fraction_bits & ((1 << format.eb) - 1);
        let fraction = word & ((1 << fraction_bits) - 1);
        Self::unpack(format, word >> (format.width() - 1) & 1 == 1, biased, UBig::from(fraction))
    }

    fn unpack(format: Format, negative: bool, biased: u64, fraction: UBig) -> Float {
        let special = (1u64 << format.eb) - 1;
        let datum = match (biased, fraction.is_zero()) {
            (0, true) => Datum::Zero { negative },
            (0, false) => Datum::Finite { negative, exponent: format.last_place(), significand: fraction },
            (b, true) if b == special => Datum::Inf { negative },
            (b, false) if b == special => Datum::NaN,
            (b, _) => {
                let hidden = UBig::ONE << (format.sb as usize - 1);
                let exponent = format.last_place() + (b as i64 - 1);
                Datum::Finite { negative, exponent, significand: fraction + hidden }
            }
        };
        format.make(datum)
    }

    /// The three fields of the interchange form; `None` for NaN, which has many.
    pub fn to_fields(&self) -> Option<(BitVec, BitVec, BitVec)> {
        let format = self.format;
        let special = (1u64 << format.eb) - 1;
        let (negative, biased, fraction) = match &self.datum {
            Datum::NaN => return None,
            Datum::Inf { negative } => (*negative, special, UBig::ZERO),
            Datum::Zero { negative } => (*negative, 0, UBig::ZERO),
            Datum::Finite { negative, significand, .. } if self.is_subnormal() => {
                (*negative, 0, significand.clone())
            }
            // The hidden bit is dropped because the field is one bit narrower.
            Datum::Finite { negative, exponent, significand } => {
                (*negative, (exponent - format.last_place() + 1) as u64, significand.clone())
            }
        };
        let exponent = BitVec::from_u64(format.eb, biased)?;
        Some((BitVec::from_bool(negative), exponent, BitVec::from_ubig(format.sb - 1, fraction)?))
    }

    /// `fp.to_ieee_bv` (z3): the interchange form; `None` for NaN, whose bits are under-specified.
    pub fn to_ieee_bv(&self) -> Option<BitVec> {
        let (sign, exponent, fraction) = self.to_fields()?;
        sign.concat(&exponent)?.concat(&fraction)
    }

    // ---- classes

    /// `fp.isNaN`
    pub fn is_nan(&self) -> bool {
        matches!(self.datum, Datum::NaN)
    }

    /// `fp.isInfinite`
    pub fn is_infinite(&self) -> bool {
        matches!(self.datum, Datum::Inf { .. })
    }

    /// `fp.isZero`
    pub fn is_zero(&self) -> bool {
        matches!(self.datum, Datum::Zero { .. })
    }

    /// `fp.isSubnormal`
    pub fn is_subnormal(&self) -> bool {
        match &self.datum {
            Datum::Finite { significand, .. } => significand.bit_len() < self.format.sb as usize,
            _ => false,
        }
    }

    /// `fp.isNormal`
    pub fn is_normal(&self) -> bool {
        matches!(self.datum, Datum::Finite { .. }) && !self.is_subnormal()
    }

    /// `fp.isNegative`: the sign bit, false for NaN.
    pub fn is_negative(&self) -> bool {
        self.sign() == Some(true)
    }

    /// `fp.isPositive`: no sign bit, false for NaN.
    pub fn is_positive(&self) -> bool {
        self.sign() == Some(false)
    }

    /// Whether negative; `None` for NaN.
    fn sign(&self) -> Option<bool> {
        match self.datum {
            Datum::NaN => None,
            Datum::Inf { negative } | Datum::Zero { negative } | Datum::Finite { negative, .. } => {
                Some(negative)
            }
        }
    }

    fn with_sign(&self, sign: bool) -> Float {
        let mut result = self.clone();
        match &mut result.datum {
            Datum::NaN => {}
            Datum::Inf { negative } | Datum::Zero { negative } | Datum::Finite { negative, .. } => {
                *negative = sign;
            }
        }
        result
    }

    /// `fp.abs`
    pub fn abs(&self) -> Float {
        self.with_sign(false)
    }

    /// `fp.neg`
    pub fn neg(&self) -> Float {
        self.with_sign(!self.is_negative())
    }

    // ---- order

    fn magnitude_cmp(&self, other: &Float) -> Ordering {
        let rank = |d: &Datum| match d {
            Datum::Zero { .. } => 0,
            Datum::Finite { .. } => 1,
            Datum::Inf { .. } => 2,
            Datum::NaN => 3,
        };
        match (&self.datum, &other.datum) {
            (
                Datum::Finite { exponent: e, significand: s, .. },
                Datum::Finite { exponent: f, significand: t, .. },
            ) => e.cmp(f).then_with(|| s.cmp(t)),
            (a, b) => rank(a).cmp(&rank(b)),
        }
    }

    /// IEEE comparison: `None` if either is NaN; the zeros are equal.
    pub fn compare(&self, other: &Float) -> Option<Ordering> {
        if self.format != other.format {
            mismatch(self.format, other.format);
        }
        let (negative, other_negative) = (self.sign()?, other.sign()?);
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        Some(match (negative, other_negative) {
            (false, false) => self.magnitude_cmp(other),
            (true, true) => other.magnitude_cmp(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }

    /// `fp.eq`
    pub fn fp_eq(&self, other: &Float) -> bool {
        self.compare(other).is_some_and(Ordering::is_eq)
    }

    /// `fp.lt`
    pub fn fp_lt(&self, other: &Float) -> bool {
        self.compare(other).is_some_and(Ordering::is_lt)
    }

    /// `fp.leq`
    pub fn fp_leq(&self, other: &Float) -> bool {
        self.compare(other).is_some_and(Ordering::is_le)
    }

    /// `fp.gt`
    pub fn fp_gt(&self, other: &Float) -> bool {
        self.compare(other).is_some_and(Ordering::is_gt)
    }

    /// `fp.geq`
    pub fn fp_geq(&self, other: &Float) -> bool {
        self.compare(other).is_some_and(Ordering::is_ge)
    }

    /// `fp.min`; for a NaN, the other argument.
    pub fn fp_min(&self, other: &Float) -> MinMax {
        self.select(other, Ordering::Less)
    }

    /// `fp.max`; for a NaN, the other argument.
    pub fn fp_max(&self, other: &Float) -> MinMax {
        self.select(other, Ordering::Greater)
    }

    /// The argument whose order to the other is `wanted`.
    fn select(&self, other: &Float, wanted: Ordering) -> MinMax {
        if self.is_zero() && other.is_zero() && self != other {
            return MinMax::EitherZero;
        }
        MinMax::Is(match self.compare(other) {
            None if self.is_nan() => other.clone(),
            None => self.clone(),
            Some(order) if order == wanted => self.clone(),
            Some(_) => other.clone(),
        })
    }
}

/// SMT-LIB text: `(fp #b0 #b… #b…)`, `(_ +zero eb sb)`, `(_ -oo eb sb)`, `(_ NaN eb sb)`.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Format { eb, sb } = self.format;
        let sign = |negative: &bool| if *negative { '-' } else { '+' };
        match &self.datum {
            Datum::NaN => write!(f, "(_ NaN {eb} {sb})"),
            Datum::Inf { negative } => write!(f, "(_ {}oo {eb} {sb})", sign(negative)),
            Datum::Zero { negative } => write!(f, "(_ {}zero {eb} {sb})", sign(negative)),
            Datum::Finite { .. } => match self.to_fields() {
                Some((s, e, m)) => write!(f, "(fp {s} {e} {m})"),
                None => unreachable!("a finite number has fields"),
            },
        }
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_interchange_form_and_one_for_each_value() {
        for (eb, sb) in [(2, 2), (2, 3), (3, 3), (4, 2), (2, 6), (5, 5)] {
            let format = Format::new(eb, sb).unwrap();
            let words: Vec<u64> = format.words().collect();
            let nans = (1 << sb) - 2;
            assert_eq!(words.len(), (1 << (eb + sb)) - nans + 1, "{eb} {sb}");
            for &word in &words {
                let float = Float::from_word(format, word);
                assert_eq!(float.to_word(), Some(word), "{eb} {sb}");
                let bits = BitVec::from_u64(eb + sb, word).unwrap();
                assert_eq!(Float::from_bits(format, &bits), Some(float.clone()));
                assert!(float.is_nan() || float.to_ieee_bv() == Some(bits));
            }
        }
        let double = Format::new(11, 53).unwrap();
        for float in [
            double.greatest(true),
            double.least(false),
            double.zero(true),
            double.infinity(true),
            double.nan(),
        ] {
            assert_eq!(float.to_word().map(|word| Float::from_word(double, word)), Some(float));
        }
        assert_eq!(Format::new(15, 113).unwrap().nan().to_word(), None);
    }
}
