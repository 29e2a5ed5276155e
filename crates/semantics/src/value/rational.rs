//! Exact rationals: all literals of sort `Real` and the values in most models.
//!
//! A [`Rat`] is a pair of machine words in lowest terms if both fit, and otherwise a shared big rational; products of
//! two words are computed in 128 bits, so the fast path is exact. In: decimals, numerals and integers. Out: exact
//! results, and SMT-LIB text.
//!
//! Invariants: the denominator is positive, the fraction is in lowest terms, and a number that fits the small form is
//! in the small form, so equality and hashing are structural. Division by zero is `None`: the standard leaves it to
//! the model, so this file must not choose.

use super::int::{Int, gcd_u64};
use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

/// An exact rational. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat(Form);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    /// Numerator and positive denominator without common factor.
    Small(i64, i64),
    /// Only fractions whose lowest terms do not both fit `i64`.
    Big(Arc<RBig>),
}

impl Rat {
    pub const ZERO: Rat = Rat(Form::Small(0, 1));
    pub const ONE: Rat = Rat(Form::Small(1, 1));

    /// `numerator / denominator`; `None` when the denominator is zero.
    pub fn new(numerator: &Int, denominator: &Int) -> Option<Rat> {
        if denominator.is_zero() {
            return None;
        }
        if let (Int::Small(n), Int::Small(d)) = (numerator, denominator) {
            return Some(Rat::reduce(i128::from(*n), i128::from(*d)));
        }
        Some(Rat::from(RBig::from_parts_signed(numerator.to_ibig(), denominator.to_ibig())))
    }

    /// `n / d` for literals in code.
    ///
    /// # Panics
    /// When `d` is zero, which in a literal is a mistake of the programmer.
    pub fn ratio(n: i64, d: i64) -> Rat {
        assert!(d != 0, "a literal fraction needs a non-zero denominator");
        Rat::reduce(i128::from(n), i128::from(d))
    }

    /// Reads an SMT-LIB numeral or decimal (`12`, `1.50`), optionally after one `-`.
    pub fn parse(text: &[u8]) -> Option<Rat> {
        let Some(dot) = text.iter().position(|b| *b == b'.') else {
            return Int::parse(text).map(Rat::from);
        };
        let (whole, fraction) = (&text[..dot], &text[dot + 1..]);
        if fraction.is_empty() || !fraction.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let kept = fraction.iter().rposition(|b| *b != b'0').map_or(0, |i| i + 1);
        if kept == 0 {
            return Int::parse(whole).map(Rat::from);
        }
        if matches!(whole, [] | [b'-']) {
            return None;
        }
        let mut digits = Vec::with_capacity(whole.len() + kept);
        digits.extend_from_slice(whole);
        digits.extend_from_slice(&fraction[..kept]);
        let numerator = Int::parse(&digits)?;
        let denominator = Int::from(UBig::from(10u8).pow(kept));
        Rat::new(&numerator, &denominator)
    }

    /// Lowest terms of `n / d`, `d` not zero, both within the product of two words.
    fn reduce(n: i128, d: i128) -> Rat {
        let negative = (n < 0) != (d < 0);
        let (mut n, mut d) = (n.unsigned_abs(), d.unsigned_abs());
        if let (Ok(short_n), Ok(short_d)) = (u64::try_from(n), u64::try_from(d)) {
            // 128-bit division is several times slower than 64-bit division.
            let g = gcd_u64(short_n, short_d);
            (n, d) = (u128::from(short_n / g), u128::from(short_d / g));
        } else if d != 1 {
            let g = gcd_u128(n, d);
            (n, d) = (n / g, d / g);
        }
        let small_n = if negative {
            0i128.checked_sub_unsigned(n).and_then(|n| i64::try_from(n).ok())
        } else {
            i64::try_from(n).ok()
        };
        if let (Some(n), Ok(d)) = (small_n, i64::try_from(d)) {
            return Rat(Form::Small(n, d));
        }
        let n = if negative { -IBig::from(n) } else { IBig::from(n) };
        Rat(Form::Big(Arc::new(RBig::from_parts(n, UBig::from(d)))))
    }

    fn to_rbig(&self) -> RBig {
        match &self.0 {
            Form::Small(n, d) => RBig::from_parts(IBig::from(*n), UBig::from(d.unsigned_abs())),
            Form::Big(r) => RBig::clone(r),
        }
    }

    pub fn numerator(&self) -> Int {
        match &self.0 {
            Form::Small(n, _) => Int::Small(*n),
            Form::Big(r) => Int::from(r.numerator().clone()),
        }
    }

    /// Always positive.
    pub fn denominator(&self) -> Int {
        match &self.0 {
            Form::Small(_, d) => Int::Small(*d),
            Form::Big(r) => Int::from(r.denominator().clone()),
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self.0, Form::Small(0, _))
    }

    /// SMT-LIB `is_int`.
    pub fn is_int(&self) -> bool {
        match &self.0 {
            Form::Small(_, d) => *d == 1,
            Form::Big(r) => r.is_int(),
        }
    }

    pub fn to_int(&self) -> Option<Int> {
        self.is_int().then(|| self.numerator())
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Form::Small(n, _) => n.signum() as i32,
            Form::Big(_) => self.numerator().signum(),
        }
    }

    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    pub fn abs(&self) -> Rat {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The larger bit length of numerator and denominator, which determines the cost of the value.
    pub fn bit_len(&self) -> u64 {
        match &self.0 {
            Form::Small(n, d) => Int::Small(*n).bit_len().max(Int::Small(*d).bit_len()),
            Form::Big(r) => r.numerator().bit_len().max(r.denominator().bit_len()) as u64,
        }
    }

    /// Machine words of numerator and denominator together; none for a small one.
    #[inline]
    pub fn words(&self) -> u64 {
        match &self.0 {
            Form::Small(..) => 0,
            Form::Big(r) => (r.numerator().bit_len() + r.denominator().bit_len()) as u64 / 64 + 1,
        }
    }

    /// The reciprocal; `None` for zero.
    pub fn recip(&self) -> Option<Rat> {
        match &self.0 {
            Form::Small(0, _) => None,
            Form::Small(n, d) => Some(Rat::reduce(i128::from(*d), i128::from(*n))),
            Form::Big(_) => Rat::new(&self.denominator(), &self.numerator()),
        }
    }

    /// SMT-LIB `/`; `None` when the divisor is zero, where a model chooses.
    pub fn div(&self, other: &Rat) -> Option<Rat> {
        match (&self.0, &other.0) {
            _ if other.is_zero() => None,
            (Form::Small(a, b), Form::Small(c, d)) => {
                let (a, b) = (i128::from(*a), i128::from(*b));
                Some(Rat::reduce(a * i128::from(*d), b * i128::from(*c)))
            }
            _ => Some(Rat::from(self.to_rbig() / other.to_rbig())),
        }
    }

    /// The largest integer not above: SMT-LIB `to_int`.
    pub fn floor(&self) -> Int {
        match &self.0 {
            Form::Small(n, d) => Int::Small(n.div_euclid(*d)),
            Form::Big(_) => match self.numerator().div(&self.denominator()) {
                Some(q) => q,
                None => unreachable!("a rational has a positive denominator"),
            },
        }
    }

    /// The smallest integer not below.
    pub fn ceil(&self) -> Int {
        -(-self).floor()
    }

    /// `self^exp` for any integer exponent. `None` when numerator or denominator would exceed
    /// `max_bits`, and for zero to a negative power; `x^0` is 1.
    pub fn pow(&self, exp: i64, max_bits: u64) -> Option<Rat> {
        let base = if exp < 0 { self.recip()? } else { self.clone() };
        let n = base.numerator().pow(exp.unsigned_abs(), max_bits)?;
        let d = base.denominator().pow(exp.unsigned_abs(), max_bits)?;
        Rat::new(&n, &d)
    }

    /// The exact real `n`-th root, when it is rational.
    pub fn exact_root(&self, n: u32) -> Option<Rat> {
        let d = self.denominator().exact_root(n)?;
        Rat::new(&self.numerator().exact_root(n)?, &d)
    }

    /// `2^k` for any `k`; the caller must ensure that `|k|` is small enough.
    pub fn two_to(k: i64) -> Rat {
        let power = Rat::from(Int::two_to(k.unsigned_abs() as usize));
        match power.recip() {
            Some(r) if k < 0 => r,
            _ => power,
        }
    }

    /// The largest multiple of `2^-bits` not above.
    pub fn round_down(&self, bits: u32) -> Rat {
        self.scaled_floor(bits).over_two_to(bits)
    }

    /// The smallest multiple of `2^-bits` not below.
    pub fn round_up(&self, bits: u32) -> Rat {
        (-(-self).scaled_floor(bits)).over_two_to(bits)
    }

    /// `floor(self * 2^bits)`.
    pub(super) fn scaled_floor(&self, bits: u32) -> Int {
        if self.is_int() {
            return &self.numerator() * &Int::two_to(bits as usize);
        }
        let scaled = self.numerator().to_ibig() << bits as usize;
        match Int::from(scaled).div(&self.denominator()) {
            Some(q) => q,
            None => unreachable!("a rational has a positive denominator"),
        }
    }

    /// The mean of two rationals: strictly between them when they differ.
    pub fn midpoint(&self, other: &Rat) -> Rat {
        &(self + other) * &Rat(Form::Small(1, 2))
    }

    /// The nearest double, for plots and tests only: nothing exact may depend on it.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Form::Small(n, d) => *n as f64 / *d as f64,
            Form::Big(r) => r.to_f64().value(),
        }
    }

    /// The SMT-LIB spelling in lowest terms: `2.0`, `(- 2.0)`, `(/ 3 2)`, `(- (/ 3 2))`.
    pub fn smt(&self) -> impl fmt::Display + '_ {
        SmtRat { value: self, part: "" }
    }

    /// As [`Rat::smt`], with the parts of a fraction as decimals (`(/ 3.0 2.0)`), which is well-sorted also where
    /// numerals have sort `Int` and nothing is promoted.
    pub fn smt_decimal(&self) -> impl fmt::Display + '_ {
        SmtRat { value: self, part: ".0" }
    }
}

impl Int {
    /// `self / 2^bits`, exactly.
    pub fn over_two_to(&self, bits: u32) -> Rat {
        match Rat::new(self, &Int::two_to(bits as usize)) {
            Some(r) => r,
            None => unreachable!("a power of two is not zero"),
        }
    }
}

fn gcd_u128(mut a: u128, mut b: u128) -> u128 {
    loop {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_u64(a, b));
        }
        if b == 0 {
            return a;
        }
        (a, b) = (b, a % b);
    }
}

impl From<RBig> for Rat {
    fn from(r: RBig) -> Rat {
        match (i64::try_from(r.numerator()), i64::try_from(r.denominator())) {
            (Ok(n), Ok(d)) => Rat(Form::Small(n, d)),
            _ => Rat(Form::Big(Arc::new(r))),
        }
    }
}

impl From<Int> for Rat {
    fn from(n: Int) -> Rat {
        match n {
            Int::Small(n) => Rat(Form::Small(n, 1)),
            Int::Big(n) => Rat(Form::Big(Arc::new(RBig::from(IBig::clone(&n))))),
        }
    }
}

impl From<&Int> for Rat {
    fn from(n: &Int) -> Rat {
        Rat::from(n.clone())
    }
}

impl From<i64> for Rat {
    fn from(n: i64) -> Rat {
        Rat(Form::Small(n, 1))
    }
}

macro_rules! field_op {
    ($trait:ident, $method:ident, $op:tt, $checked:ident, |$a:ident, $b:ident, $c:ident, $d:ident| $n:expr) => {
        impl $trait<&Rat> for &Rat {
            type Output = Rat;
            fn $method(self, other: &Rat) -> Rat {
                let (Form::Small(a, b), Form::Small(c, d)) = (&self.0, &other.0) else {
                    return Rat::from(self.to_rbig() $op other.to_rbig());
                };
                if (*b, *d) == (1, 1)
                    && let Some(n) = a.$checked(*c)
                {
                    return Rat(Form::Small(n, 1));
                }
                let ($a, $b) = (i128::from(*a), i128::from(*b));
                let ($c, $d) = (i128::from(*c), i128::from(*d));
                Rat::reduce($n, $b * $d)
            }
        }
        impl $trait for Rat {
            type Output = Rat;
            fn $method(self, other: Rat) -> Rat {
                &self $op &other
            }
        }
    };
}
// |a·d| and |c·b| are below 2^126, so even their sum stays inside i128.
field_op!(Add, add, +, checked_add, |a, b, c, d| a * d + c * b);
field_op!(Sub, sub, -, checked_sub, |a, b, c, d| a * d - c * b);
field_op!(Mul, mul, *, checked_mul, |a, b, c, d| a * c);

impl Neg for &Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        match &self.0 {
            Form::Small(n, d) if *n != i64::MIN => Rat(Form::Small(-n, *d)),
            _ => Rat::from(-self.to_rbig()),
        }
    }
}

impl Neg for Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        -&self
    }
}

impl Ord for Rat {
    fn cmp(&self, other: &Rat) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Small(a, b), Form::Small(c, d)) if b == d => a.cmp(c),
            (Form::Small(a, b), Form::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => {
                let (s, o) = (self.signum(), other.signum());
                s.cmp(&o).then_with(|| self.to_rbig().cmp(&other.to_rbig()))
            }
        }
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, other: &Rat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `3/2`, `-7`: for people. SMT-LIB text is [`Rat::smt`].
impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Small(n, 1) => write!(f, "{n}"),
            Form::Small(n, d) => write!(f, "{n}/{d}"),
            Form::Big(r) => write!(f, "{r}"),
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

struct SmtRat<'a> {
    value: &'a Rat,
    part: &'static str,
}

impl fmt::Display for SmtRat<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let negative = self.value.is_negative();
        if negative {
            f.write_str("(- ")?;
        }
        let (n, d) = (self.value.numerator().magnitude(), self.value.denominator());
        if d.is_one() {
            write!(f, "{n}.0")?;
        } else {
            write!(f, "(/ {n}{part} {d}{part})", part = self.part)?;
        }
        if negative { f.write_str(")") } else { Ok(()) }
    }
}
