//! Formats that no hardware and no reference implementation has: huge exponents, long significands, and roots by
//! definition.
//!
//! Exponent gaps of 2^59 must have no cost: these tests would not end if an operation shifted by a gap.

#![allow(clippy::unwrap_used)]

use dashu_int::UBig;
use semantics::value::bitvec::BitVec;
use semantics::value::float::{Float, Format, NotReal, RoundingMode, Unrounded};
use semantics::value::int::Int;
use semantics::value::rational::Rat;
use testkit::SplitMix as Rng;

use RoundingMode::{NearestEven, TowardNegative, TowardPositive, TowardZero};

/// `significand * 2^exponent`, which the format must hold exactly.
fn exact(format: Format, negative: bool, significand: u64, exponent: i64) -> Float {
    let value = Unrounded::exact(negative, UBig::from(significand), exponent);
    let (low, high) = (format.round(TowardNegative, value.clone()), format.round(TowardPositive, value));
    assert_eq!(low, high, "representable");
    low
}

/// The next number away from zero.
fn above(x: &Float) -> Float {
    let bits = x.to_ieee_bv().unwrap();
    Float::from_bits(x.format(), &bits.inc()).unwrap()
}

fn below(x: &Float) -> Float {
    let bits = x.to_ieee_bv().unwrap();
    Float::from_bits(x.format(), &bits.dec()).unwrap()
}

#[test]
fn a_distant_addend_only_affects_the_rounding() {
    for eb in [30, 60] {
        let f = Format::new(eb, 24).unwrap();
        let (one, tiny) = (exact(f, false, 1, 0), f.least(false));
        assert_eq!(one.add(NearestEven, &tiny), one);
        assert_eq!(one.add(TowardPositive, &tiny), above(&one));
        assert_eq!(one.sub(TowardZero, &tiny), below(&one));
        assert_eq!(one.sub(TowardPositive, &tiny), one);
        assert_eq!(one.sub(NearestEven, &tiny), one);
        // Halfway between 2^24 and its neighbour the distant addend decides. The product needs one bit more than the
        // format has, so only the fused operation has access to both.
        let even = exact(f, false, 1, 24);
        let (x, y) = (exact(f, false, 257, 0), exact(f, false, 65281, 0)); // their product is 2^24 + 1
        assert_eq!(x.fma(NearestEven, &y, &tiny.neg()), even);
        assert_eq!(x.fma(NearestEven, &y, &f.zero(false)), even);
        assert_eq!(x.fma(NearestEven, &y, &tiny), above(&even));
        let greatest = f.greatest(false);
        assert_eq!(greatest.fma(NearestEven, &greatest, &tiny), f.infinity(false));
        assert_eq!(greatest.fma(TowardZero, &greatest, &f.greatest(true)), greatest);
        assert_eq!(tiny.fma(TowardPositive, &tiny, &one), above(&one));
        assert_eq!(tiny.fma(TowardNegative, &tiny.neg(), &one), below(&one));
        assert_eq!(tiny.fma(TowardPositive, &tiny, &f.zero(true)), tiny);
        assert_eq!(tiny.mul(NearestEven, &tiny), f.zero(false));
        assert_eq!(greatest.div(NearestEven, &tiny), f.infinity(false));
        assert_eq!(tiny.div(TowardPositive, &greatest), tiny);
    }
}

#[test]
fn a_remainder_over_a_gap_matches_repeated_doubling() {
    let (mut rng, f) = (Rng(7), Format::new(24, 30).unwrap());
    for _ in 0..40 {
        let (s, t) = (rng.below(1 << 30) | 1 << 29, rng.below(1 << 30) | 1 << 29);
        let gap = rng.below(100_000) as i64;
        let e = rng.below(1000) as i64 - 500;
        // s * 2^gap modulo 2t by doubling once per step.
        let doubled = (0..gap).fold(s % (2 * t), |r, _| 2 * r % (2 * t));
        let (odd, r) = (doubled >= t, doubled % t);
        let up = 2 * r > t || (2 * r == t && odd);
        let (negative, magnitude) = if up { (true, t - r) } else { (false, r) };
        let want = if magnitude == 0 { f.zero(false) } else { exact(f, negative, magnitude, e) };
        let (x, y) = (exact(f, false, s, e + gap), exact(f, false, t, e));
        assert_eq!(x.rem(&y), want, "{s} * 2^{gap} rem {t}");
        assert_eq!(x.neg().rem(&y), want.neg());
        assert_eq!(x.rem(&y.neg()), want);
    }
}

#[test]
fn a_remainder_over_a_huge_gap_is_fast() {
    let f = Format::new(60, 53).unwrap();
    let x = f.greatest(false);
    // The order of 2 modulo 3 and 7 divides 6, so powers repeat: 2^emax and 2^(emax mod 6) agree.
    for t in [3u64, 7] {
        let small = exact(f, false, (1 << 53) - 1, (f.emax() - 52) % 6);
        let y = exact(f, false, t, 0);
        // x = y * n + r in both cases; parity of n matters only for ties, which odd t excludes.
        assert_eq!(x.rem(&y), small.rem(&y), "modulo {t}");
    }
    assert_eq!(f.least(false).rem(&x), f.least(false));
    assert_eq!(x.rem(&f.least(true)), f.zero(false));
    assert_eq!(x.neg().rem(&f.least(true)), f.zero(true));
}

#[test]
fn values_that_are_too_long_are_errors() {
    let f = Format::new(30, 24).unwrap();
    assert_eq!(f.greatest(false).to_real(), Err(NotReal::TooLong));
    assert_eq!(f.least(true).to_real(), Err(NotReal::TooLong));
    assert_eq!(f.infinity(true).to_real(), Err(NotReal::NotFinite));
    assert_eq!(f.greatest(false).to_ubv(NearestEven, 64), None);
    assert_eq!(f.least(false).to_ubv(TowardPositive, 1), BitVec::one(1));
    assert_eq!(f.least(true).to_sbv(TowardNegative, 8), BitVec::ones(8));
    assert_eq!(f.greatest(true).round_to_integral(NearestEven), f.greatest(true));
    assert_eq!(f.least(true).round_to_integral(NearestEven), f.zero(true));
    let one = Rat::from(Int::from(1));
    assert_eq!(f.from_scaled_real(NearestEven, &one, i64::MAX), f.infinity(false));
    assert_eq!(f.from_scaled_real(TowardPositive, &one, i64::MIN), f.least(false));
}

/// `x`'s exact square compared with `y`, as reals.
fn square(x: &Float) -> Rat {
    let x = x.to_real().unwrap();
    &x * &x
}

#[test]
fn roots_bracket_the_exact_root_at_every_width() {
    let mut rng = Rng(9);
    for (eb, sb) in [(5, 11), (8, 24), (11, 53), (15, 113), (7, 64), (9, 65), (10, 200)] {
        let f = Format::new(eb, sb).unwrap();
        for round in 0..150u64 {
            let mut pattern = UBig::ZERO;
            for _ in 0..6 {
                pattern = (pattern << 64usize) | UBig::from(rng.next());
            }
            let mut bits = BitVec::from_ubig(f.width() - 1, pattern).unwrap();
            if round % 5 == 0 {
                // A subnormal: clear the exponent.
                bits = bits.extract(sb - 2, 0).unwrap().zero_extend(eb).unwrap();
            }
            let x = Float::from_bits(f, &bits.zero_extend(1).unwrap()).unwrap();
            if x.is_nan() || x.is_infinite() || x.is_zero() {
                continue;
            }
            let value = x.to_real().unwrap();
            let (down, up) = (x.sqrt(TowardNegative), x.sqrt(TowardPositive));
            assert!(square(&down) <= value && value <= square(&up), "{x}");
            assert!(up == down || up == above(&down), "{x}");
            assert_eq!(up == down, square(&down) == value, "{x}");
            assert_eq!(x.sqrt(TowardZero), down);
            let middle = down.to_real().unwrap().midpoint(&up.to_real().unwrap());
            let nearest = if &middle * &middle < value { up } else { down };
            assert_eq!(x.sqrt(NearestEven), nearest, "{x}");
        }
    }
}

#[test]
fn exact_squares_have_exact_roots() {
    let (mut rng, f) = (Rng(11), Format::new(20, 64).unwrap());
    for _ in 0..300 {
        let (n, e) = (rng.below(1 << 32) | 1, rng.below(2000) as i64 - 1000);
        let x = exact(f, false, n, e);
        for mode in RoundingMode::ALL {
            assert_eq!(x.mul(mode, &x).sqrt(mode), x);
        }
    }
}

#[test]
fn arithmetic_at_odd_formats_matches_rationals_rounded_once() {
    let mut rng = Rng(13);
    for (eb, sb) in [(4, 61), (6, 64), (6, 65), (7, 129), (9, 40)] {
        let f = Format::new(eb, sb).unwrap();
        let mut random = || {
            let bits = (0..4).fold(UBig::ZERO, |n, _| (n << 64usize) | UBig::from(rng.next()));
            let x = Float::from_bits(f, &BitVec::from_ubig(f.width(), bits).unwrap()).unwrap();
            if x.is_nan() || x.is_infinite() || x.is_zero() { f.greatest(true) } else { x }
        };
        for _ in 0..150 {
            let (x, y, z) = (random(), random(), random());
            let [u, v, w] = [&x, &y, &z].map(|a| a.to_real().unwrap());
            for mode in RoundingMode::ALL {
                let check = |what: &str, got: Float, want: Rat| {
                    if !want.is_zero() {
                        assert_eq!(got, f.from_real(mode, &want), "{what} {mode} {x} {y} {z}");
                    }
                };
                check("add", x.add(mode, &y), &u + &v);
                check("sub", x.sub(mode, &y), &u - &v);
                check("mul", x.mul(mode, &y), &u * &v);
                check("div", x.div(mode, &y), u.div(&v).unwrap());
                check("fma", x.fma(mode, &y, &z), &(&u * &v) + &w);
            }
        }
    }
}
