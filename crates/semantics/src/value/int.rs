//! Exact integers of any size: the sort `Int`.
//!
//! Almost every integer in a formula or a model fits in a machine word, so an [`Int`] is an `i64` if it fits, and
//! otherwise a shared bignum. In: decimal text, machine words and bignums. Out: exact results. Two rules hold
//! everywhere:
//!
//! * a value that fits in `i64` is *always* `Small`, so equality and hashing never see two representations of one
//!   number;
//! * an operation whose result could be enormous (`pow`, `pow2`, `mod 2^k` of a negative) takes a maximum size from
//!   the caller and returns `None` above it, so no formula can exhaust the memory.
//!
//! Where SMT-LIB leaves the result open (division by zero), it is `None`; this file never invents a value.

use dashu_base::{BitTest, DivRemEuclid, Gcd, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

/// An exact integer. Cheap to clone; see the head of this file for the normal form.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Int {
    /// Every value of `i64`.
    Small(i64),
    /// Only values outside `i64`.
    Big(Arc<IBig>),
}

impl Int {
    pub const ZERO: Int = Int::Small(0);
    pub const ONE: Int = Int::Small(1);

    /// Reads decimal digits, optionally after one `-`. Leading zeros are accepted because some
    /// solvers print them; anything else is `None`. Sub-quadratic in the number of digits.
    pub fn parse(text: &[u8]) -> Option<Int> {
        let (negative, digits) = match text.split_first() {
            Some((b'-', rest)) => (true, rest),
            _ => (false, text),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        if digits.len() <= 18 {
            let n = digits.iter().fold(0i64, |n, d| n * 10 + i64::from(d - b'0'));
            return Some(Int::Small(if negative { -n } else { n }));
        }
        let text = std::str::from_utf8(digits).ok()?;
        let magnitude = UBig::from_str_radix(text, 10).ok()?;
        let n = IBig::from(magnitude);
        Some(Int::from(if negative { -n } else { n }))
    }

    /// The value as a bignum (a copy; the small case allocates nothing).
    pub fn to_ibig(&self) -> IBig {
        match self {
            Int::Small(n) => IBig::from(*n),
            Int::Big(n) => IBig::clone(n),
        }
    }

    /// The absolute value as an unsigned bignum.
    pub fn magnitude(&self) -> UBig {
        match self {
            Int::Small(n) => UBig::from(n.unsigned_abs()),
            Int::Big(n) => n.as_ref().clone().unsigned_abs(),
        }
    }

    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Int::Small(n) => Some(*n),
            Int::Big(_) => None,
        }
    }

    pub fn to_u64(&self) -> Option<u64> {
        match self {
            Int::Small(n) => u64::try_from(*n).ok(),
            Int::Big(n) => u64::try_from(n.as_ref()).ok(),
        }
    }

    pub fn to_u32(&self) -> Option<u32> {
        self.to_i64().and_then(|n| u32::try_from(n).ok())
    }

    pub fn is_zero(&self) -> bool {
        matches!(self, Int::Small(0))
    }

    pub fn is_one(&self) -> bool {
        matches!(self, Int::Small(1))
    }

    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    pub fn is_even(&self) -> bool {
        match self {
            Int::Small(n) => n & 1 == 0,
            Int::Big(n) => !n.bit(0),
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self {
            Int::Small(n) => n.signum() as i32,
            Int::Big(n) if n.is_negative() => -1,
            Int::Big(_) => 1,
        }
    }

    /// Number of bits of the absolute value; 0 for zero.
    pub fn bit_len(&self) -> u64 {
        match self {
            Int::Small(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
            Int::Big(n) => n.bit_len() as u64,
        }
    }

    /// Machine words in addition to the value itself: none for a small one.
    #[inline]
    pub fn words(&self) -> u64 {
        match self {
            Int::Small(_) => 0,
            Int::Big(n) => n.bit_len() as u64 / 64 + 1,
        }
    }

    pub fn abs(&self) -> Int {
        if self.signum() < 0 { -self } else { self.clone() }
    }

    /// SMT-LIB `div` and `mod` together: `self = d * q + r` with `0 <= r < |d|`. `None` when `d` is
    /// zero, where the standard lets a model choose.
    pub fn div_mod(&self, d: &Int) -> Option<(Int, Int)> {
        if d.is_zero() {
            return None;
        }
        if let (Int::Small(a), Int::Small(b)) = (self, d)
            && let (Some(q), Some(r)) = (a.checked_div_euclid(*b), a.checked_rem_euclid(*b))
        {
            return Some((Int::Small(q), Int::Small(r)));
        }
        let (q, r) = self.to_ibig().div_rem_euclid(d.to_ibig());
        Some((Int::from(q), Int::from(r)))
    }

    /// SMT-LIB `div`.
    pub fn div(&self, d: &Int) -> Option<Int> {
        self.div_mod(d).map(|(q, _)| q)
    }

    /// SMT-LIB `mod`.
    pub fn modulo(&self, d: &Int) -> Option<Int> {
        self.div_mod(d).map(|(_, r)| r)
    }

    /// `(_ divisible n)`; `None` for `n = 0`, which is not an index the standard allows.
    pub fn divisible_by(&self, n: &Int) -> Option<bool> {
        self.modulo(n).map(|r| r.is_zero())
    }

    /// Greatest common divisor, never negative; `gcd(0, 0) = 0`.
    pub fn gcd(&self, other: &Int) -> Int {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => Int::from(gcd_u64(a.unsigned_abs(), b.unsigned_abs())),
            _ if self.is_zero() => other.abs(),
            _ if other.is_zero() => self.abs(),
            _ => Int::from(self.magnitude().gcd(other.magnitude())),
        }
    }

    /// `self` to the power `exp` (with `x^0 = 1`), or `None` if the result has more than `max_bits` bits. It never
    /// uses more than about twice that size.
    pub fn pow(&self, exp: u64, max_bits: u64) -> Option<Int> {
        match self {
            _ if exp == 0 => return Some(Int::ONE),
            Int::Small(0 | 1) => return Some(self.clone()),
            Int::Small(-1) => return Some(Int::Small(if exp & 1 == 0 { 1 } else { -1 })),
            _ => {}
        }
        let at_least = (self.bit_len() - 1).checked_mul(exp)?;
        if at_least >= max_bits {
            return None;
        }
        if let (Int::Small(n), Ok(e)) = (self, u32::try_from(exp))
            && let Some(r) = n.checked_pow(e)
        {
            return Some(Int::Small(r)).filter(|r| r.bit_len() <= max_bits);
        }
        let exp = usize::try_from(exp).ok()?;
        Some(Int::from(self.to_ibig().pow(exp))).filter(|r| r.bit_len() <= max_bits)
    }

    /// cvc5's `int.pow2`: `2^self`, and 0 for a negative argument. `None` above `max_bits`.
    pub fn pow2(&self, max_bits: u64) -> Option<Int> {
        if self.is_negative() {
            return Some(Int::ZERO);
        }
        let k = self.to_u64().filter(|k| *k < max_bits)?;
        Some(Int::two_to(usize::try_from(k).ok()?))
    }

    /// cvc5's `int.log2`: the largest `k` with `2^k <= self`, and 0 for arguments below 1.
    pub fn log2(&self) -> Int {
        if self.signum() <= 0 {
            return Int::ZERO;
        }
        Int::from(self.bit_len() - 1)
    }

    /// cvc5's `int.ispow2`: whether this is 1, 2, 4, 8, …
    pub fn is_pow2(&self) -> bool {
        match self {
            Int::Small(n) => *n > 0 && n.count_ones() == 1,
            Int::Big(n) => n.as_ubig().is_some_and(|n| n.count_ones() == 1),
        }
    }

    /// `self mod 2^k`, in `0 .. 2^k`. A negative number needs `k` bits, hence `max_bits`.
    pub fn mod_pow2(&self, k: u64, max_bits: u64) -> Option<Int> {
        if !self.is_negative() && self.bit_len() <= k {
            return Some(self.clone());
        }
        if let Int::Small(n) = self
            && k < 64
        {
            return Some(Int::from(*n as u64 & ((1u64 << k) - 1)));
        }
        if k > max_bits.max(self.bit_len()) {
            return None;
        }
        let k = usize::try_from(k).ok()?;
        let (low, _) = self.magnitude().split_bits(k);
        if self.is_negative() && !low.is_zero() {
            return Some(Int::from((UBig::ONE << k) - low));
        }
        Some(Int::from(low))
    }

    /// cvc5's `(_ iand k)`: the conjunction of the low `k` bits of both in two's complement.
    pub fn iand(&self, other: &Int, k: u64, max_bits: u64) -> Option<Int> {
        let both = match (self, other) {
            (Int::Small(a), Int::Small(b)) => Int::Small(a & b),
            _ => Int::from(self.to_ibig() & other.to_ibig()),
        };
        both.mod_pow2(k, max_bits)
    }

    /// `2^k`, for a `k` that the caller has already checked against its limits.
    pub fn two_to(k: usize) -> Int {
        if k < 63 {
            return Int::Small(1 << k);
        }
        Int::from(UBig::ONE << k)
    }

    /// The exact `n`-th root, if there is one.
    pub fn exact_root(&self, n: u32) -> Option<Int> {
        if n == 0 || (self.is_negative() && n.is_multiple_of(2)) {
            return None;
        }
        if matches!(self, Int::Small(-1..=1)) || n == 1 {
            return Some(self.clone());
        }
        if u64::from(n) >= self.bit_len() {
            return None;
        }
        let value = self.to_ibig();
        let root = value.nth_root(n as usize);
        (root.pow(n as usize) == value).then(|| Int::from(root))
    }

    /// The SMT-LIB spelling: `7`, `(- 7)`.
    pub fn smt(&self) -> impl fmt::Display + '_ {
        SmtInt(self)
    }
}

/// Binary gcd: no division, which matters because rationals call it on every operation.
pub(super) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

impl From<IBig> for Int {
    fn from(n: IBig) -> Int {
        match i64::try_from(&n) {
            Ok(small) => Int::Small(small),
            Err(_) => Int::Big(Arc::new(n)),
        }
    }
}

impl From<UBig> for Int {
    fn from(n: UBig) -> Int {
        Int::from(IBig::from(n))
    }
}

macro_rules! from_word {
    ($($t:ty),*) => {$(
        impl From<$t> for Int {
            fn from(n: $t) -> Int {
                Int::Small(i64::from(n))
            }
        }
    )*};
}
from_word!(i64, i32, u32, u8);

macro_rules! from_wide {
    ($($t:ty),*) => {$(
        impl From<$t> for Int {
            fn from(n: $t) -> Int {
                match i64::try_from(n) {
                    Ok(small) => Int::Small(small),
                    Err(_) => Int::Big(Arc::new(IBig::from(n))),
                }
            }
        }
    )*};
}
from_wide!(u64, usize, i128, u128);

macro_rules! ring_op {
    ($trait:ident, $method:ident, $checked:ident, $op:tt) => {
        impl $trait<&Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: &Int) -> Int {
                if let (Int::Small(a), Int::Small(b)) = (self, other)
                    && let Some(r) = a.$checked(*b)
                {
                    return Int::Small(r);
                }
                Int::from(self.to_ibig() $op other.to_ibig())
            }
        }
        impl $trait for Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: Int) -> Int {
                &self $op &other
            }
        }
    };
}
ring_op!(Add, add, checked_add, +);
ring_op!(Sub, sub, checked_sub, -);
ring_op!(Mul, mul, checked_mul, *);

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        match self {
            Int::Small(n) => match n.checked_neg() {
                Some(m) => Int::Small(m),
                None => Int::from(-IBig::from(*n)),
            },
            // -(2^63) is the one big number whose negation is small, so normalise.
            Int::Big(n) => Int::from(-IBig::clone(n)),
        }
    }
}

impl Neg for Int {
    type Output = Int;
    fn neg(self) -> Int {
        -&self
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            (Int::Big(a), Int::Big(b)) => a.cmp(b),
            // A big number is outside i64, so its sign decides.
            (Int::Small(_), Int::Big(_)) => 0.cmp(&other.signum()),
            (Int::Big(_), Int::Small(_)) => self.signum().cmp(&0),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::Small(n) => fmt::Display::fmt(n, f),
            Int::Big(n) => fmt::Display::fmt(n.as_ref(), f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

struct SmtInt<'a>(&'a Int);

impl fmt::Display for SmtInt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_negative() { write!(f, "(- {})", self.0.abs()) } else { write!(f, "{}", self.0) }
    }
}
