//! The elementary functions of z3 and cvc5, on intervals, with guaranteed enclosure.
//!
//! In: an interval and a number of bits. Out: an interval that contains every value of the function on it, its ends
//! rounded outwards to multiples of `2^-bits`. For a point argument the result is about that wide; a wider argument
//! gives a wider result. The method is always the same: reduce the argument until a series converges fast, sum it in
//! interval arithmetic, add the remainder's bound, and undo the reduction. Monotone functions are evaluated at the two
//! ends; for sine and cosine, extrema inside are considered too.
//!
//! If a function has no value (`arcsin 2`, `sqrt -1`, `csc 0`) the answer is `Undefined`: solvers allow any value
//! there. If only part of the argument is outside the domain, or a pole may be inside, it is `Undecided`. The inverse
//! functions have the usual ranges, which are also cvc5's (`arccot` in `(0, π)`), except that cvc5 leaves out the end
//! `arcsin -1 = -π/2`, `arccos -1 = π` and leaves `arcsec ±1`, `arccsc ±1` open; a caller that judges cvc5 must not
//! depend on those points.

use super::fixed::Fixed;
use super::int::Int;
use super::interval::{Interval, NoEnclosure};
use super::rational::Rat;
use std::sync::OnceLock;

/// A function of one real argument, evaluated to a number of bits after the point.
pub type Function = fn(&Interval, u32) -> Result<Interval, NoEnclosure>;

type Enclosed = Result<Interval, NoEnclosure>;

/// Every function under the names that solvers give it.
pub const FUNCTIONS: &[(&str, Function)] = &[
    ("exp", exp),
    ("sin", sin),
    ("cos", cos),
    ("tan", tan),
    ("cot", cot),
    ("sec", sec),
    ("csc", csc),
    ("arcsin", arcsin),
    ("arccos", arccos),
    ("arctan", arctan),
    ("arccot", arccot),
    ("arcsec", arcsec),
    ("arccsc", arccsc),
    ("asin", arcsin),
    ("acos", arccos),
    ("atan", arctan),
    ("sinh", sinh),
    ("cosh", cosh),
    ("tanh", tanh),
    ("asinh", asinh),
    ("acosh", acosh),
    ("atanh", atanh),
    ("sqrt", sqrt),
    ("ln", ln),
];

/// Largest argument of `exp` in absolute value: its result has about 24,000 bits.
const MAX_EXPONENT: i64 = 1 << 14;
/// Largest number of integer bits of an argument of `sin` and `cos`.
const MAX_ANGLE_BITS: u64 = 4096;

pub fn by_name(name: &str) -> Option<Function> {
    let row = FUNCTIONS.iter().find(|(n, _)| *n == name)?;
    Some(row.1)
}

/// π to 512, 1024, … bits, computed once. The precisions are fixed, so that the order of requests cannot change the
/// results.
static PI: [OnceLock<Interval>; 4] = [const { OnceLock::new() }; 4];

/// π, to within `2^-bits`.
pub fn pi(bits: u32) -> Interval {
    for (i, known) in PI.iter().enumerate() {
        let step = 512 << i;
        if bits < step {
            return known.get_or_init(|| machin(step)).rounded(bits);
        }
    }
    machin(bits)
}

/// Machin: π = 16 arctan(1/5) - 4 arctan(1/239).
fn machin(bits: u32) -> Interval {
    let w = bits + 16;
    let of = |n: i64, times: i64| {
        let z = Interval::point(Rat::ratio(1, n));
        arctan_series(&z, w).scale(&Rat::from(times))
    };
    of(5, 16).sub(&of(239, 4)).rounded(bits)
}

pub fn exp(x: &Interval, bits: u32) -> Enclosed {
    increasing(x, bits, exp_at)
}

/// The natural logarithm; `Undefined` if no value of the argument is positive.
pub fn ln(x: &Interval, bits: u32) -> Enclosed {
    within(x.hi().signum() > 0, x.lo().signum() > 0)?;
    increasing(x, bits, ln_at)
}

pub fn sqrt(x: &Interval, bits: u32) -> Enclosed {
    x.root(2, bits)
}

pub fn sin(x: &Interval, bits: u32) -> Enclosed {
    // Maxima at π/2 and minima at -π/2, plus full turns.
    wave(x, bits, Rat::ratio(1, 4), |(s, _)| s)
}

pub fn cos(x: &Interval, bits: u32) -> Enclosed {
    wave(x, bits, Rat::ZERO, |(_, c)| c)
}

pub fn tan(x: &Interval, bits: u32) -> Enclosed {
    // Between two poles, where the cosine does not change its sign, the tangent increases.
    cos(x, bits.max(16))?.recip()?;
    increasing(x, bits, |r, bits| {
        sharpen(bits, |w| {
            let (s, c) = sin_cos_at(r, w)?;
            s.div(&c)
        })
    })
}

pub fn cot(x: &Interval, bits: u32) -> Enclosed {
    sin(x, bits.max(16))?.recip()?;
    decreasing(x, bits, |r, bits| {
        sharpen(bits, |w| {
            let (s, c) = sin_cos_at(r, w)?;
            c.div(&s)
        })
    })
}

pub fn sec(x: &Interval, bits: u32) -> Enclosed {
    Ok(sharpen(bits, |w| cos(x, w)?.recip())?.rounded(bits))
}

pub fn csc(x: &Interval, bits: u32) -> Enclosed {
    Ok(sharpen(bits, |w| sin(x, w)?.recip())?.rounded(bits))
}

pub fn arctan(x: &Interval, bits: u32) -> Enclosed {
    increasing(x, bits, |r, bits| Ok(arctan_at(r, bits)))
}

pub fn arccot(x: &Interval, bits: u32) -> Enclosed {
    let half_pi = pi(bits + 2).scale(&Rat::ratio(1, 2));
    Ok(half_pi.sub(&arctan(x, bits + 2)?).rounded(bits))
}

pub fn arcsin(x: &Interval, bits: u32) -> Enclosed {
    in_unit(x)?;
    increasing(x, bits, arcsin_at)
}

pub fn arccos(x: &Interval, bits: u32) -> Enclosed {
    in_unit(x)?;
    decreasing(x, bits, |r, bits| {
        if *r == Rat::ONE {
            return Ok(Interval::point(Rat::ZERO));
        }
        let half_pi = pi(bits + 2).scale(&Rat::ratio(1, 2));
        Ok(half_pi.sub(&arcsin_at(r, bits + 2)?))
    })
}

pub fn arcsec(x: &Interval, bits: u32) -> Enclosed {
    arccos(&inverse_outside_unit(x)?, bits)
}

pub fn arccsc(x: &Interval, bits: u32) -> Enclosed {
    arcsin(&inverse_outside_unit(x)?, bits)
}

pub fn sinh(x: &Interval, bits: u32) -> Enclosed {
    increasing(x, bits, |r, bits| {
        let (up, down) = (exp_at(r, bits + 2)?, exp_at(&-r, bits + 2)?);
        Ok(up.sub(&down).scale(&Rat::ratio(1, 2)))
    })
}

pub fn cosh(x: &Interval, bits: u32) -> Enclosed {
    increasing(&x.abs(), bits, |r, bits| {
        let (up, down) = (exp_at(r, bits + 2)?, exp_at(&-r, bits + 2)?);
        Ok(up.add(&down).scale(&Rat::ratio(1, 2)))
    })
}

pub fn tanh(x: &Interval, bits: u32) -> Enclosed {
    increasing(x, bits, tanh_at)
}

pub fn asinh(x: &Interval, bits: u32) -> Enclosed {
    increasing(x, bits, |r, bits| {
        let w = bits + 8;
        let a = r.abs();
        let inner = Interval::point(&(&a * &a) + &Rat::ONE).root(2, w)?;
        let value = ln(&inner.add(&Interval::point(a)), w)?;
        let value = if r.is_zero() { Interval::point(Rat::ZERO) } else { value };
        Ok(if r.is_negative() { value.neg() } else { value })
    })
}

pub fn acosh(x: &Interval, bits: u32) -> Enclosed {
    within(*x.hi() >= Rat::ONE, *x.lo() >= Rat::ONE)?;
    increasing(x, bits, |r, bits| {
        let inner = Interval::point(&(r * r) - &Rat::ONE).root(2, bits + 8)?;
        ln(&inner.add(&Interval::point(r.clone())), bits + 8)
    })
}

pub fn atanh(x: &Interval, bits: u32) -> Enclosed {
    let (one, minus) = (Rat::ONE, Rat::from(-1));
    let some = *x.lo() < one && *x.hi() > minus;
    within(some, *x.lo() > minus && *x.hi() < one)?;
    increasing(x, bits, |r, bits| {
        let ratio = (&Rat::ONE + r).div(&(&Rat::ONE - r));
        let log = ln_at(&ratio.ok_or(NoEnclosure::Undefined)?, bits + 1)?;
        Ok(log.scale(&Rat::ratio(1, 2)))
    })
}

/// `x^r` for a rational exponent: exact powers and roots for a small one, else through `exp`.
/// Undefined for `0^r` with `r <= 0` and for negative bases unless `r` is an integer.
pub fn pow_rational(x: &Interval, r: &Rat, bits: u32) -> Enclosed {
    if let Some(n) = r.to_int().and_then(|n| n.to_i64())
        && n.unsigned_abs() <= 1024
    {
        return Ok(x.powi(n, 1 << 20)?.rounded(bits));
    }
    if r.is_int() && x.hi().is_negative() {
        let size = pow_rational(&x.neg(), r, bits)?;
        return Ok(if r.numerator().is_even() { size } else { size.neg() });
    }
    within(x.hi().signum() >= 0, x.lo().signum() >= 0)?;
    if x.lo().is_zero() {
        within(r.signum() > 0 || !x.hi().is_zero(), r.signum() > 0)?;
        let top = match x.hi().is_zero() {
            true => return Ok(Interval::point(Rat::ZERO)),
            false => pow_rational(&Interval::point(x.hi().clone()), r, bits)?,
        };
        return Ok(Interval::hull(Rat::ZERO, top.hi().clone()));
    }
    let (n, d) = (r.numerator().to_i64(), r.denominator().to_u32());
    if let (Some(n), Some(d)) = (n, d)
        && n.unsigned_abs() <= 64
        && d <= 64
    {
        let power = sharpen(bits, |w| x.powi(n, 1 << 20)?.root(d, w))?;
        return Ok(power.rounded(bits));
    }
    pow(x, &Interval::point(r.clone()), bits)
}

/// `x^y` for a positive base and any real exponent: `exp(y ln x)`.
pub fn pow(x: &Interval, y: &Interval, bits: u32) -> Enclosed {
    within(x.hi().signum() > 0, x.lo().signum() > 0)?;
    let size = sharpen(bits, |w| exp(&y.mul(&ln(x, w)?), w))?;
    Ok(size.rounded(bits))
}

/// The error for an argument that is, or may be, outside the domain.
fn within(some: bool, all: bool) -> Result<(), NoEnclosure> {
    match (some, all) {
        (_, true) => Ok(()),
        (true, false) => Err(NoEnclosure::Undecided),
        (false, false) => Err(NoEnclosure::Undefined),
    }
}

fn in_unit(x: &Interval) -> Result<(), NoEnclosure> {
    let (one, minus) = (Rat::ONE, Rat::from(-1));
    let some = *x.lo() <= one && *x.hi() >= minus;
    within(some, *x.lo() >= minus && *x.hi() <= one)
}

fn inverse_outside_unit(x: &Interval) -> Enclosed {
    let (one, minus) = (Rat::ONE, Rat::from(-1));
    let some = *x.hi() >= one || *x.lo() <= minus;
    within(some, *x.lo() >= one || *x.hi() <= minus)?;
    x.recip()
}

fn increasing(x: &Interval, bits: u32, at: impl Fn(&Rat, u32) -> Enclosed) -> Enclosed {
    let low = at(x.lo(), bits + 1)?;
    if x.is_point() {
        return Ok(low.rounded(bits));
    }
    let high = at(x.hi(), bits + 1)?;
    Ok(low.union(&high).rounded(bits))
}

/// The same for decreasing functions: the union of the values at the ends is correct for both.
fn decreasing(x: &Interval, bits: u32, at: impl Fn(&Rat, u32) -> Enclosed) -> Enclosed {
    increasing(x, bits, at)
}

/// Repeats with more working bits until the result is `2^-bits` narrow or more work does not help.
fn sharpen(bits: u32, at: impl Fn(u32) -> Enclosed) -> Enclosed {
    let goal = Rat::two_to(-i64::from(bits) - 1);
    let mut w = bits + 16;
    let mut last = at(w);
    for _ in 0..4 {
        match &last {
            Ok(i) if i.width() <= goal => break,
            Ok(_) | Err(NoEnclosure::Undecided) => {}
            Err(_) => break,
        }
        w *= 2;
        let next = at(w);
        if let (Ok(old), Ok(new)) = (&last, &next)
            && new.width().scaled_by_two() > old.width()
        {
            return next;
        }
        last = next;
    }
    last
}

impl Rat {
    fn scaled_by_two(&self) -> Rat {
        self * &Rat::from(2)
    }
}

fn exp_at(x: &Rat, bits: u32) -> Enclosed {
    if x.is_negative() {
        if -x >= Rat::from(i64::from(bits)) {
            return Ok(Interval::hull(Rat::ZERO, Rat::two_to(-i64::from(bits))));
        }
        return exp_at(&-x, bits + 2)?.recip();
    }
    if *x > Rat::from(MAX_EXPONENT) {
        return Err(NoEnclosure::TooLarge);
    }
    // exp(x) = exp(x / 2^k)^(2^k), and exp(x) < 2^(3x/2).
    let whole = x.ceil().to_u32().unwrap_or(0);
    let k = 32 - whole.leading_zeros() + 3;
    let w = bits + k + whole + whole / 2 + 8;
    let y = Interval::point(x * &Rat::two_to(-i64::from(k)));
    let y = Fixed::new(&y, w);
    let mut sum = Fixed::one(w);
    let mut term = sum.clone();
    for n in 1.. {
        term = term.mul(&y).div(n);
        sum = sum.add(&term);
        // The tail is below the last term, since y is at most 1/8.
        if term.is_tiny() {
            sum = sum.widened(&term, 1);
            break;
        }
    }
    for _ in 0..k {
        sum = sum.square();
    }
    Ok(sum.to_interval())
}

fn ln_at(x: &Rat, bits: u32) -> Enclosed {
    let k = x.numerator().bit_len() as i64 - x.denominator().bit_len() as i64;
    let w = bits + 8 + (64 - k.unsigned_abs().leading_zeros());
    // x = m 2^k with m between 1/2 and 2, and ln m = 2 artanh((m-1)/(m+1)).
    let m = x * &Rat::two_to(-k);
    let z = (&m - &Rat::ONE).div(&(&m + &Rat::ONE));
    let z = Interval::point(z.ok_or(NoEnclosure::Undefined)?);
    let mut log = artanh_series(&z, w).scale(&Rat::from(2));
    if k != 0 {
        let third = Interval::point(Rat::ratio(1, 3));
        let ln_2 = artanh_series(&third, w).scale(&Rat::from(2));
        log = log.add(&ln_2.scale(&Rat::from(k)));
    }
    Ok(log)
}

/// `z + z^3/3 + z^5/5 + …` for |z| at most 1/3.
fn artanh_series(z: &Interval, w: u32) -> Interval {
    // The tail of the positive series is below the first missing term times 9/8.
    odd_series(z, w, |square| square, 2)
}

/// `z - z^3/3 + z^5/5 - …` for |z| at most 1/2.
fn arctan_series(z: &Interval, w: u32) -> Interval {
    // The tail of an alternating series is below its first missing term.
    odd_series(z, w, |square| square.neg(), 1)
}

fn odd_series(z: &Interval, w: u32, signed: fn(Fixed) -> Fixed, tail: u64) -> Interval {
    let mut power = Fixed::new(z, w);
    let square = signed(power.square());
    let mut sum = power.clone();
    for n in 1.. {
        power = power.mul(&square);
        let term = power.div(2 * n + 1);
        if term.is_tiny() {
            sum = sum.widened(&term, tail);
            break;
        }
        sum = sum.add(&term);
    }
    sum.to_interval()
}

fn arctan_at(x: &Rat, bits: u32) -> Interval {
    if x.is_negative() {
        return arctan_at(&-x, bits).neg();
    }
    if let Some(inverse) = x.recip().filter(|_| *x > Rat::ONE) {
        let half_pi = pi(bits + 2).scale(&Rat::ratio(1, 2));
        return half_pi.sub(&arctan_at(&inverse, bits + 2));
    }
    let w = bits + 12;
    let one = Interval::point(Rat::ONE);
    let mut z = Interval::point(x.clone()).rounded(w);
    // arctan z = 2 arctan(z / (1 + sqrt(1 + z²))): three times brings z below 1/10.
    for _ in 0..3 {
        let root = z.square().add(&one).root(2, w);
        let next = root.and_then(|root| z.div(&one.add(&root)));
        z = match next {
            Ok(next) => next.rounded(w),
            Err(_) => unreachable!("1 + sqrt(1 + z²) is at least 2"),
        };
    }
    arctan_series(&z, w).scale(&Rat::from(8))
}

fn arcsin_at(x: &Rat, bits: u32) -> Enclosed {
    if x.abs() == Rat::ONE {
        let half = Rat::ratio(i64::from(x.signum()), 2);
        return Ok(pi(bits).scale(&half));
    }
    sharpen(bits, |w| {
        let cosine = Interval::point(&Rat::ONE - &(x * x)).root(2, w)?;
        arctan(&Interval::point(x.clone()).div(&cosine)?, w)
    })
}

fn tanh_at(x: &Rat, bits: u32) -> Enclosed {
    if x.is_negative() {
        return Ok(tanh_at(&-x, bits)?.neg());
    }
    // 1 - tanh x is below 2 exp(-2x).
    if *x > Rat::from(i64::from(bits)) {
        let almost = &Rat::ONE - &Rat::two_to(-i64::from(bits));
        return Ok(Interval::hull(almost, Rat::ONE));
    }
    let one = Interval::point(Rat::ONE);
    let small = exp_at(&-(x * &Rat::from(2)), bits + 4)?;
    one.sub(&small).div(&one.add(&small))
}

/// Sine and cosine of a rational, about `2^-bits` wide.
fn sin_cos_at(x: &Rat, bits: u32) -> Result<(Interval, Interval), NoEnclosure> {
    let size = x.floor().bit_len();
    if size > MAX_ANGLE_BITS {
        return Err(NoEnclosure::TooLarge);
    }
    let w = bits + 8;
    let half_pi = pi(w + size as u32 + 4).scale(&Rat::ratio(1, 2));
    // Any integer near x / (π/2) is possible: the remainder is what gets evaluated.
    let turns = x.div(half_pi.lo()).unwrap_or(Rat::ZERO);
    let k = (&turns + &Rat::ratio(1, 2)).floor();
    let y = Interval::point(x.clone()).sub(&half_pi.scale(&Rat::from(&k)));
    let (s, c) = sin_cos_series(&y, w);
    Ok(match k.modulo(&Int::from(4)).and_then(|q| q.to_i64()) {
        Some(0) => (s, c),
        Some(1) => (c, s.neg()),
        Some(2) => (s.neg(), c.neg()),
        _ => (c.neg(), s),
    })
}

/// Both series for |y| below 1; the remainder is below the first missing term.
fn sin_cos_series(y: &Interval, w: u32) -> (Interval, Interval) {
    let y = Fixed::new(y, w);
    let minus_square = y.square().neg();
    let sum = |first: Fixed, mut n: u64| {
        let mut sum = first.clone();
        let mut term = first;
        loop {
            term = term.mul(&minus_square).div((n + 1) * (n + 2));
            n += 2;
            if term.is_tiny() {
                return sum.widened(&term, 1).to_interval();
            }
            sum = sum.add(&term);
        }
    };
    (sum(y.clone(), 1), sum(Fixed::one(w), 0))
}

/// Sine or cosine on an interval: the values at the ends, and ±1 where an extremum may be inside. `peak` is the
/// position of the maxima, in full turns; the minima are half a turn further.
fn wave(x: &Interval, bits: u32, peak: Rat, pick: impl Fn((Interval, Interval)) -> Interval) -> Enclosed {
    let unit = Interval::around_zero(&Rat::ONE);
    let mut range = pick(sin_cos_at(x.lo(), bits + 1)?);
    if !x.is_point() {
        if x.width() > Rat::from(7) {
            return Ok(unit);
        }
        range = range.union(&pick(sin_cos_at(x.hi(), bits + 1)?));
        let turn = pi(bits + 16 + x.magnitude().floor().bit_len() as u32).scale(&Rat::from(2));
        let turns = x.div(&turn)?;
        let trough = &peak + &Rat::ratio(1, 2);
        for (place, value) in [(peak, Rat::ONE), (trough, Rat::from(-1))] {
            let first = (turns.lo() - &place).ceil();
            if first <= (turns.hi() - &place).floor() {
                range = range.union(&Interval::point(value));
            }
        }
    }
    let clipped = range.rounded(bits).intersection(&unit);
    Ok(clipped.unwrap_or(unit))
}
