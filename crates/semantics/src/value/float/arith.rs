//! Arithmetic: `fp.add` to `fp.roundToIntegral`.
//!
//! In: floats of one format and a rounding mode. Out: the correctly rounded float. Each operation first handles NaN,
//! infinities and zeros by the tables of IEEE 754, then passes an exact [`Unrounded`] to [`mod@super::round`]. No
//! operation may take time or space proportional to an exponent: addition reduces a distant operand to the sticky
//! flag, and the remainder works modulo the divisor.

use std::cmp::Ordering;

use dashu_base::{BitTest, DivRem, SquareRootRem};
use dashu_int::UBig;

use super::{Datum, Float, Format, RoundingMode, Unrounded, mismatch};

/// `2^exponent` modulo a modulus above 1, by squaring.
fn power_of_two_modulo(exponent: u64, modulus: &UBig) -> UBig {
    let mut power = UBig::ONE;
    for i in (0..64 - exponent.leading_zeros()).rev() {
        power = power.sqr() % modulus;
        if (exponent >> i) & 1 == 1 {
            power = (power << 1usize) % modulus;
        }
    }
    power
}

/// The sum of two nonzero exact numbers, good for rounding to `precision` bits; `None` if it is zero.
fn sum(a: Unrounded, b: Unrounded, precision: u32) -> Option<Unrounded> {
    let (mut high, low) = if a.top() >= b.top() { (a, b) } else { (b, a) };
    // Extra bits below the last place, so that a unit of the widened number is far below any rounding bit.
    let spare = (precision as usize + 4).saturating_sub(high.significand.bit_len());
    high.significand <<= spare;
    high.exponent -= spare as i64;
    if low.top() < high.exponent {
        if high.negative != low.negative {
            high.significand -= UBig::ONE;
        }
        high.sticky = true;
        return Some(high);
    }
    let exponent = high.exponent.min(low.exponent);
    let left = high.significand << (high.exponent - exponent) as usize;
    let right = low.significand << (low.exponent - exponent) as usize;
    if high.negative == low.negative {
        return Some(Unrounded::exact(high.negative, left + right, exponent));
    }
    match left.cmp(&right) {
        Ordering::Equal => None,
        Ordering::Greater => Some(Unrounded::exact(high.negative, left - right, exponent)),
        Ordering::Less => Some(Unrounded::exact(low.negative, right - left, exponent)),
    }
}

impl Format {
    /// The zero of an exact cancellation.
    fn cancelled(self, mode: RoundingMode) -> Float {
        self.zero(mode == RoundingMode::TowardNegative)
    }

    fn round_sum(self, mode: RoundingMode, a: Unrounded, b: Unrounded) -> Float {
        match sum(a, b, self.sb) {
            Some(value) => self.round(mode, value),
            None => self.cancelled(mode),
        }
    }

    /// The sum of two zeros.
    fn zero_sum(self, mode: RoundingMode, negative: bool, other: bool) -> Float {
        if negative == other { self.zero(negative) } else { self.cancelled(mode) }
    }
}

/// The quotient of two nonzero naturals times `2^exponent`, good for rounding to `precision` bits.
pub(super) fn quotient(negative: bool, n: &UBig, d: &UBig, exponent: i64, precision: u32) -> Unrounded {
    let wanted = precision as usize + 3 + d.bit_len();
    let spare = wanted.saturating_sub(n.bit_len());
    let (significand, rest) = (n << spare).div_rem(d);
    Unrounded { negative, significand, exponent: exponent - spare as i64, sticky: !rest.is_zero() }
}

impl Float {
    fn same_format(&self, other: &Float) -> Format {
        if self.format != other.format {
            mismatch(self.format, other.format);
        }
        self.format
    }

    /// `fp.add`
    pub fn add(&self, mode: RoundingMode, other: &Float) -> Float {
        let format = self.same_format(other);
        match (&self.datum, &other.datum) {
            (Datum::NaN, _) | (_, Datum::NaN) => format.nan(),
            (Datum::Inf { negative: a }, Datum::Inf { negative: b }) if a != b => format.nan(),
            (Datum::Inf { .. }, _) => self.clone(),
            (_, Datum::Inf { .. }) => other.clone(),
            (Datum::Zero { negative: a }, Datum::Zero { negative: b }) => format.zero_sum(mode, *a, *b),
            (Datum::Zero { .. }, _) => other.clone(),
            (_, Datum::Zero { .. }) => self.clone(),
            (
                Datum::Finite { negative: a, exponent: e, significand: s },
                Datum::Finite { negative: b, exponent: f, significand: t },
            ) => format.round_sum(
                mode,
                Unrounded::exact(*a, s.clone(), *e),
                Unrounded::exact(*b, t.clone(), *f),
            ),
        }
    }

    /// `fp.sub`
    pub fn sub(&self, mode: RoundingMode, other: &Float) -> Float {
        self.add(mode, &other.neg())
    }

    /// `fp.mul`
    pub fn mul(&self, mode: RoundingMode, other: &Float) -> Float {
        let format = self.same_format(other);
        let (Some(a), Some(b)) = (self.sign(), other.sign()) else { return format.nan() };
        let negative = a != b;
        match (&self.datum, &other.datum) {
            (Datum::Inf { .. }, Datum::Zero { .. }) | (Datum::Zero { .. }, Datum::Inf { .. }) => format.nan(),
            (Datum::Inf { .. }, _) | (_, Datum::Inf { .. }) => format.infinity(negative),
            (
                Datum::Finite { exponent: e, significand: s, .. },
                Datum::Finite { exponent: f, significand: t, .. },
            ) => format.round(mode, Unrounded::exact(negative, s * t, e + f)),
            _ => format.zero(negative),
        }
    }

    /// `fp.div`
    pub fn div(&self, mode: RoundingMode, other: &Float) -> Float {
        let format = self.same_format(other);
        let (Some(a), Some(b)) = (self.sign(), other.sign()) else { return format.nan() };
        let negative = a != b;
        match (&self.datum, &other.datum) {
            (Datum::Inf { .. }, Datum::Inf { .. }) | (Datum::Zero { .. }, Datum::Zero { .. }) => format.nan(),
            (Datum::Inf { .. }, _) | (_, Datum::Zero { .. }) => format.infinity(negative),
            (
                Datum::Finite { exponent: e, significand: s, .. },
                Datum::Finite { exponent: f, significand: t, .. },
            ) => format.round(mode, quotient(negative, s, t, e - f, format.sb)),
            _ => format.zero(negative),
        }
    }

    /// `fp.fma`: `self * factor + addend`, rounded once.
    pub fn fma(&self, mode: RoundingMode, factor: &Float, addend: &Float) -> Float {
        let format = self.same_format(factor);
        addend.same_format(factor);
        match (&self.datum, &factor.datum, &addend.datum) {
            (
                Datum::Finite { negative: a, exponent: e, significand: s },
                Datum::Finite { negative: b, exponent: f, significand: t },
                Datum::Finite { negative: c, exponent: g, significand: u },
            ) => {
                let product = Unrounded::exact(a != b, s * t, e + f);
                format.round_sum(mode, product, Unrounded::exact(*c, u.clone(), *g))
            }
            // A finite product with an infinite addend must not overflow first.
            (Datum::Finite { .. }, Datum::Finite { .. }, Datum::Inf { .. }) => addend.clone(),
            // Otherwise the product is a NaN, infinite, or zero, hence exact, or the addend is a zero or a NaN:
            // nothing is rounded twice.
            (Datum::Finite { .. }, Datum::Finite { .. }, Datum::Zero { .. }) => self.mul(mode, factor),
            _ => self.mul(mode, factor).add(mode, addend),
        }
    }

    /// `fp.sqrt`
    pub fn sqrt(&self, mode: RoundingMode) -> Float {
        let format = self.format;
        match &self.datum {
            Datum::NaN | Datum::Zero { .. } | Datum::Inf { negative: false } => self.clone(),
            Datum::Inf { negative: true } | Datum::Finite { negative: true, .. } => format.nan(),
            Datum::Finite { exponent, significand, .. } => {
                let wanted = 2 * (format.sb as usize + 3);
                let mut spare = wanted.saturating_sub(significand.bit_len());
                if (exponent - spare as i64) % 2 != 0 {
                    spare += 1;
                }
                let (root, rest) = (significand << spare).sqrt_rem();
                let exponent = (exponent - spare as i64) / 2;
                let sticky = !rest.is_zero();
                format.round(mode, Unrounded { negative: false, significand: root, exponent, sticky })
            }
        }
    }

    /// `fp.rem`, the IEEE remainder `x - y * n` with `n` the integer nearest to `x / y`, ties to even.
    /// It is exact; a zero result has the sign of `self`.
    pub fn rem(&self, other: &Float) -> Float {
        let format = self.same_format(other);
        match (&self.datum, &other.datum) {
            (Datum::NaN, _) | (_, Datum::NaN | Datum::Zero { .. }) | (Datum::Inf { .. }, _) => format.nan(),
            (Datum::Zero { .. }, _) | (_, Datum::Inf { .. }) => self.clone(),
            (
                Datum::Finite { negative, exponent: e, significand: s },
                Datum::Finite { exponent: f, significand: t, .. },
            ) => remainder(format, *negative, (s, *e), (t, *f)).unwrap_or_else(|| self.clone()),
        }
    }

    /// `fp.roundToIntegral`; a zero result has the sign of the argument.
    ///
    /// If the greatest finite number is not an integer ([`Format::greatest_is_integral`]), the chosen integer may be
    /// outside the format. IEEE 754 has no such formats; we round that integer like any other exact result, which
    /// gives an infinity.
    pub fn round_to_integral(&self, mode: RoundingMode) -> Float {
        match &self.datum {
            Datum::Finite { negative, exponent, significand } if *exponent < 0 => {
                let value = Unrounded::exact(*negative, significand.clone(), *exponent);
                let integer = value.at_place(0, mode);
                self.format.round(mode, Unrounded::exact(*negative, integer, 0))
            }
            _ => self.clone(),
        }
    }
}

/// The remainder of finite numbers; `None` if it is the dividend itself.
fn remainder(format: Format, negative: bool, (s, e): (&UBig, i64), (t, f): (&UBig, i64)) -> Option<Float> {
    // In units of the lesser exponent, x modulo 2y: whether it reaches y is the parity of the quotient.
    let (x, y, unit) = if e >= f {
        let modulus = t << 1usize;
        (s * power_of_two_modulo((e - f) as u64, &modulus) % &modulus, t.clone(), f)
    } else {
        let gap = f - e;
        if gap + t.bit_len() as i64 > s.bit_len() as i64 + 1 {
            return None; // |x| < |y| / 2
        }
        let y = t << gap as usize;
        (s % (&y << 1usize), y, e)
    };
    let odd = x >= y;
    let rest = if odd { x - &y } else { x };
    let up = match (&rest << 1usize).cmp(&y) {
        Ordering::Less => false,
        Ordering::Equal => odd,
        Ordering::Greater => true,
    };
    let exact =
        if up { Unrounded::exact(!negative, y - rest, unit) } else { Unrounded::exact(negative, rest, unit) };
    Some(format.round(RoundingMode::NearestEven, exact))
}
