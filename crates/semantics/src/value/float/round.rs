//! Rounding: the only place where an exact result becomes a floating-point number.
//!
//! In: an [`Unrounded`]: a sign, a natural number times a power of two, and a sticky flag that means "and a little
//! more, less than one unit". Out: the neighbour in the format that the rounding mode selects, with overflow and
//! gradual underflow as in IEEE 754. Operations never round twice and never round themselves, so a mistake here shows
//! in every test, and a mistake elsewhere shows as an inexact result.
//!
//! It must never build a number much longer than its inputs: a much smaller operand is passed as sticky.

use std::fmt;

use dashu_base::BitTest;
use dashu_int::UBig;

use super::{Datum, Float, Format};

/// The values of `RoundingMode`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RoundingMode {
    /// `RNE`: to nearest, ties to even.
    NearestEven,
    /// `RNA`: to nearest, ties away from zero.
    NearestAway,
    /// `RTP`: towards plus infinity.
    TowardPositive,
    /// `RTN`: towards minus infinity.
    TowardNegative,
    /// `RTZ`: towards zero.
    TowardZero,
}

impl RoundingMode {
    /// All five, in the order of the standard.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];

    /// `RNE`, `RNA`, `RTP`, `RTN` or `RTZ`.
    pub const fn short(self) -> &'static str {
        match self {
            RoundingMode::NearestEven => "RNE",
            RoundingMode::NearestAway => "RNA",
            RoundingMode::TowardPositive => "RTP",
            RoundingMode::TowardNegative => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
    }

    /// The name in full, as in `roundNearestTiesToEven`.
    pub const fn long(self) -> &'static str {
        match self {
            RoundingMode::NearestEven => "roundNearestTiesToEven",
            RoundingMode::NearestAway => "roundNearestTiesToAway",
            RoundingMode::TowardPositive => "roundTowardPositive",
            RoundingMode::TowardNegative => "roundTowardNegative",
            RoundingMode::TowardZero => "roundTowardZero",
        }
    }

    /// Reads either name.
    pub fn parse(name: &str) -> Option<RoundingMode> {
        Self::ALL.into_iter().find(|mode| mode.short() == name || mode.long() == name)
    }

    /// Whether the magnitude is rounded up, given the removed bits: the first one and whether any other is set.
    fn increments(self, negative: bool, odd: bool, half: bool, more: bool) -> bool {
        match self {
            RoundingMode::NearestEven => half && (more || odd),
            RoundingMode::NearestAway => half,
            RoundingMode::TowardPositive => !negative && (half || more),
            RoundingMode::TowardNegative => negative && (half || more),
            RoundingMode::TowardZero => false,
        }
    }

    /// Whether an overflow of this sign gives infinity rather than the greatest finite number.
    fn overflows_to_infinity(self, negative: bool) -> bool {
        match self {
            RoundingMode::NearestEven | RoundingMode::NearestAway => true,
            RoundingMode::TowardPositive => !negative,
            RoundingMode::TowardNegative => negative,
            RoundingMode::TowardZero => false,
        }
    }
}

impl fmt::Display for RoundingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short())
    }
}

/// An exact result, or enough of it for rounding: `±(significand + d) * 2^exponent` where `d` is 0, or with `sticky` a
/// number strictly between 0 and 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unrounded {
    pub negative: bool,
    pub significand: UBig,
    pub exponent: i64,
    /// Only with a significand of at least `sb + 2` bits: the flag represents bits below the rounding bit.
    pub sticky: bool,
}

impl Unrounded {
    /// An exact number.
    pub fn exact(negative: bool, significand: UBig, exponent: i64) -> Unrounded {
        Unrounded { negative, significand, exponent, sticky: false }
    }

    /// Exponent of the leading bit; the significand is not zero.
    pub(super) fn top(&self) -> i64 {
        self.exponent + self.significand.bit_len() as i64 - 1
    }

    /// The multiple of `2^place` that the mode selects, divided by `2^place`. The place must be above the exponent.
    pub(super) fn at_place(&self, place: i64, mode: RoundingMode) -> UBig {
        let (bits, cut) = (self.significand.bit_len() as i64, place - self.exponent);
        if cut > bits {
            let more = bits > 0 || self.sticky;
            return UBig::from(mode.increments(self.negative, false, false, more));
        }
        let half = self.significand.bit(cut as usize - 1);
        let zeros = self.significand.trailing_zeros().map_or(i64::MAX, |n| n as i64);
        let more = self.sticky || zeros < cut - 1;
        let quotient = &self.significand >> cut as usize;
        let up = mode.increments(self.negative, quotient.bit(0), half, more);
        if up { quotient + UBig::ONE } else { quotient }
    }
}

impl Format {
    /// The correctly rounded value.
    pub fn round(self, mode: RoundingMode, value: Unrounded) -> Float {
        let (negative, sb) = (value.negative, self.sb as i64);
        if value.significand.is_zero() {
            debug_assert!(!value.sticky, "sticky needs a long significand");
            return self.zero(negative);
        }
        debug_assert!(!value.sticky || value.significand.bit_len() as i64 >= sb + 2);
        let place = (value.top() - (sb - 1)).max(self.last_place());
        let significand = if place <= value.exponent {
            value.significand << (value.exponent - place) as usize
        } else {
            value.at_place(place, mode)
        };
        self.assemble(mode, negative, significand, place)
    }

    /// The canonical float for a rounded significand of at most `sb` bits, or exactly `2^sb`.
    fn assemble(self, mode: RoundingMode, negative: bool, mut significand: UBig, mut exponent: i64) -> Float {
        if significand.is_zero() {
            return self.zero(negative);
        }
        if significand.bit_len() > self.sb as usize {
            significand >>= 1usize;
            exponent += 1;
        }
        if exponent + self.sb as i64 - 1 > self.emax() {
            return if mode.overflows_to_infinity(negative) {
                self.infinity(negative)
            } else {
                self.greatest(negative)
            };
        }
        self.make(Datum::Finite { negative, exponent, significand })
    }
}
