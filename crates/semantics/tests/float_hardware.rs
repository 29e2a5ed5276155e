//! Random floats at 16, 32, 64 and 128 bits against rustc_apfloat in all five rounding modes, and against
//! the machine's own f32 and f64 in its default mode.
//!
//! Inputs are often special cases: zeros, subnormals, powers of two, all-ones significands, neighbours of the first
//! operand and exponents that nearly cancel, because uniform random bits almost never give these.

#![allow(clippy::unwrap_used)]

use dashu_int::UBig;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single};
use rustc_apfloat::{Float as Reference, FloatConvert, Round, Status};
use semantics::value::bitvec::BitVec;
use semantics::value::float::{Float, Format, RoundingMode};
use semantics::value::rational::Rat;
use testkit::SplitMix as Rng;

fn reference_mode(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::TowardPositive => Round::TowardPositive,
        RoundingMode::TowardNegative => Round::TowardNegative,
        RoundingMode::TowardZero => Round::TowardZero,
    }
}

/// A bit pattern, usually near an edge of the format.
fn pattern(rng: &mut Rng, format: Format, near: Option<u128>) -> u128 {
    let (eb, fraction_bits) = (format.eb(), format.sb() - 1);
    let (top_exponent, fraction_mask) = ((1u128 << eb) - 1, (1u128 << fraction_bits) - 1);
    let bias = top_exponent >> 1;
    let near_exponent = near.map_or(bias, |n| n >> fraction_bits & top_exponent);
    let exponent = match rng.below(10) {
        0 => 0,
        1 => 1,
        2 => top_exponent - 1,
        3 if rng.below(4) == 0 => top_exponent,
        4 | 5 => (near_exponent + rng.below(5) as u128).saturating_sub(2).min(top_exponent),
        6 => (near_exponent + rng.below(2 * format.sb() as u64 + 8) as u128)
            .saturating_sub(format.sb() as u128 + 4)
            .min(top_exponent),
        7 => (bias + rng.below(2 * format.sb() as u64) as u128).min(top_exponent),
        _ => rng.wide() % (top_exponent + 1),
    };
    let fraction = match rng.below(8) {
        0 => 0,
        1 => 1,
        2 => fraction_mask,
        3 => 1 << rng.below(fraction_bits as u64),
        4 => fraction_mask << rng.below(fraction_bits as u64),
        5 => near.map_or(0, |n| n ^ 1),
        _ => rng.wide(),
    } & fraction_mask;
    (rng.below(2) as u128) << (format.width() - 1) | exponent << fraction_bits | fraction
}

fn float(format: Format, bits: u128) -> Float {
    Float::from_bits(format, &BitVec::from_ubig(format.width(), UBig::from(bits)).unwrap()).unwrap()
}

/// The bits, or `None` for NaN.
fn bits(x: &Float) -> Option<u128> {
    x.to_ieee_bv().map(|b| u128::try_from(&b.to_unsigned()).unwrap())
}

fn reference_bits<F: Reference>(x: F) -> Option<u128> {
    (!x.is_nan()).then(|| x.to_bits())
}

#[track_caller]
fn same<F: Reference>(what: &str, mode: RoundingMode, args: &[&Float], got: Float, want: F) {
    assert_eq!(bits(&got), reference_bits(want), "{what} {mode} of {args:?}: got {got}, want {want}");
}

fn agrees<F: Reference>(format: Format, key: u64, rounds: usize) {
    let mut rng = Rng(key);
    for _ in 0..rounds {
        let a = pattern(&mut rng, format, None);
        let b = pattern(&mut rng, format, Some(a));
        let c = pattern(&mut rng, format, Some(a));
        agrees_on::<F>(format, a, b, c);
    }
}

fn agrees_on<F: Reference>(format: Format, a: u128, b: u128, c: u128) {
    let (x, y, z) = (float(format, a), float(format, b), float(format, c));
    let (u, v, w) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
    for mode in RoundingMode::ALL {
        let r = reference_mode(mode);
        same("add", mode, &[&x, &y], x.add(mode, &y), u.add_r(v, r).value);
        same("sub", mode, &[&x, &y], x.sub(mode, &y), u.sub_r(v, r).value);
        same("mul", mode, &[&x, &y], x.mul(mode, &y), u.mul_r(v, r).value);
        same("div", mode, &[&x, &y], x.div(mode, &y), u.div_r(v, r).value);
        same("fma", mode, &[&x, &y, &z], x.fma(mode, &y, &z), u.mul_add_r(v, w, r).value);
        same("roundToIntegral", mode, &[&x], x.round_to_integral(mode), u.round_to_integral(r).value);
    }
    same("rem", RoundingMode::NearestEven, &[&x, &y], x.rem(&y), u.ieee_rem(v).value);
    assert_eq!(x.compare(&y), u.partial_cmp(&v), "{x} {y}");
    assert_eq!(x.is_subnormal(), u.is_denormal());
    assert_eq!(x.is_normal(), u.is_normal());
}

/// The bytes are a format and three patterns. Run for longer by `fuzz/run`.
#[test]
fn fuzzed_patterns_agree_with_apfloat() {
    let mut rng = Rng(99);
    let seeds = (0..60)
        .map(|n| {
            let mut bytes = vec![n as u8];
            (0..3).for_each(|_| bytes.extend(pattern(&mut rng, Format::QUAD, None).to_be_bytes()));
            bytes
        })
        .collect();
    let fuzz =
        testkit::Fuzz { name: "float", seeds, dictionary: &[], most: std::time::Duration::from_secs(20) };
    fuzz.run(|input| {
        let mut bytes = [0; 49];
        bytes.iter_mut().zip(input).for_each(|(to, from)| *to = *from);
        // The leading bits of each pattern, so that a byte means the same in every format.
        let number = |at: usize, width: u32| {
            let mut part = [0; 16];
            part.copy_from_slice(&bytes[at..at + 16]);
            u128::from_be_bytes(part) >> (128 - width)
        };
        let on = |format: Format| {
            (number(1, format.width()), number(17, format.width()), number(33, format.width()))
        };
        let kind = bytes[0] % 5;
        match kind {
            0 => {
                let (a, b, c) = on(Format::HALF);
                agrees_on::<Half>(Format::HALF, a, b, c);
            }
            1 => {
                let (a, b, c) = on(Format::SINGLE);
                agrees_on::<Single>(Format::SINGLE, a, b, c);
            }
            2 => {
                let (a, b, c) = on(Format::DOUBLE);
                agrees_on::<Double>(Format::DOUBLE, a, b, c);
            }
            3 => {
                let (a, b, c) = on(Format::QUAD);
                agrees_on::<Quad>(Format::QUAD, a, b, c);
            }
            _ => {
                let bfloat = Format::new(8, 8).unwrap();
                let (a, b, c) = on(bfloat);
                agrees_on::<BFloat>(bfloat, a, b, c);
            }
        }
        format!("{kind} {} {}", bytes[1] >> 4, bytes[17] >> 4)
    });
}

#[test]
fn half_agrees_with_apfloat() {
    agrees::<Half>(Format::HALF, 16, 4000);
    agrees::<BFloat>(Format::new(8, 8).unwrap(), 17, 1500);
}

#[test]
fn single_agrees_with_apfloat() {
    agrees::<Single>(Format::SINGLE, 32, 4000);
}

#[test]
fn double_agrees_with_apfloat() {
    agrees::<Double>(Format::DOUBLE, 64, 4000);
}

#[test]
fn quad_agrees_with_apfloat() {
    agrees::<Quad>(Format::QUAD, 128, 2500);
}

fn integers_agree<F: Reference>(format: Format, key: u64) {
    let mut rng = Rng(key);
    for _ in 0..2000 {
        let a = pattern(&mut rng, format, None);
        let (x, u) = (float(format, a), F::from_bits(a));
        // The reference implementation shifts out of range at signed width 1, which the tiny formats cover.
        let width = 2 + rng.below(100) as u32;
        let number = rng.wide() >> rng.below(128);
        let signed = number as i128;
        let wide = BitVec::from_ubig(128, UBig::from(number)).unwrap();
        for mode in RoundingMode::ALL {
            let r = reference_mode(mode);
            let unsigned = u.to_u128_r(width as usize, r, &mut false);
            let want = (unsigned.status & Status::INVALID_OP == Status::OK).then_some(unsigned.value);
            let got = x.to_ubv(mode, width).map(|b| u128::try_from(&b.to_unsigned()).unwrap());
            assert_eq!(got, want, "to_ubv {mode} {width} {x}");
            let sign = u.to_i128_r(width as usize, r, &mut false);
            let want = (sign.status & Status::INVALID_OP == Status::OK).then_some(sign.value);
            let got = x.to_sbv(mode, width).map(|b| i128::try_from(&b.to_signed()).unwrap());
            assert_eq!(got, want, "to_sbv {mode} {width} {x}");
            same("unsigned", mode, &[], format.from_unsigned(mode, &wide), F::from_u128_r(number, r).value);
            same("signed", mode, &[], format.from_signed(mode, &wide), F::from_i128_r(signed, r).value);
        }
    }
}

#[test]
fn integer_conversions_agree_with_apfloat() {
    integers_agree::<Half>(Format::HALF, 1);
    integers_agree::<Single>(Format::SINGLE, 2);
    integers_agree::<Double>(Format::DOUBLE, 3);
    integers_agree::<Quad>(Format::QUAD, 4);
}

fn formats_agree<F: FloatConvert<G>, G: Reference>(from: Format, to: Format, key: u64) {
    let mut rng = Rng(key);
    for _ in 0..2000 {
        let a = pattern(&mut rng, from, None);
        let x = float(from, a);
        for mode in RoundingMode::ALL {
            let want = F::from_bits(a).convert_r(reference_mode(mode), &mut false).value;
            same("to_fp", mode, &[&x], x.to_format(mode, to), want);
        }
    }
}

#[test]
fn format_conversions_agree_with_apfloat() {
    formats_agree::<Double, Half>(Format::DOUBLE, Format::HALF, 1);
    formats_agree::<Double, Single>(Format::DOUBLE, Format::SINGLE, 2);
    formats_agree::<Single, Half>(Format::SINGLE, Format::HALF, 3);
    formats_agree::<Half, Quad>(Format::HALF, Format::QUAD, 4);
    formats_agree::<Quad, Double>(Format::QUAD, Format::DOUBLE, 5);
    formats_agree::<Quad, Single>(Format::QUAD, Format::SINGLE, 6);
}

fn decimals_agree<F: Reference>(format: Format, key: u64) {
    let mut rng = Rng(key);
    for _ in 0..1500 {
        let digits = rng.below(40) as usize;
        let places = rng.below(12) as usize;
        let whole: String =
            std::iter::once('1').chain((0..digits).map(|_| char::from(b'0' + rng.below(10) as u8))).collect();
        let part: String = (0..=places).map(|_| char::from(b'0' + rng.below(10) as u8)).collect();
        let text = format!("{}{whole}.{part}", if rng.below(2) == 0 { "-" } else { "" });
        let value = Rat::parse(text.as_bytes()).unwrap();
        for mode in RoundingMode::ALL {
            let want = F::from_str_r(&text, reference_mode(mode)).unwrap().value;
            same(&text, mode, &[], format.from_real(mode, &value), want);
        }
    }
}

#[test]
fn decimals_agree_with_apfloat() {
    decimals_agree::<Half>(Format::HALF, 1);
    decimals_agree::<Single>(Format::SINGLE, 2);
    decimals_agree::<Double>(Format::DOUBLE, 3);
    decimals_agree::<Quad>(Format::QUAD, 4);
}

/// Ten thousand operands for the operations that a type has in hardware; `$more` checks the first of them.
macro_rules! agrees_with_the_hardware {
    ($native:ident, $word:ident, $format:expr, $key:expr, $more:expr) => {
        let (mut rng, f, mode) = (Rng($key), $format, RoundingMode::NearestEven);
        for _ in 0..10_000 {
            let a = pattern(&mut rng, f, None);
            let (b, c) = (pattern(&mut rng, f, Some(a)), pattern(&mut rng, f, Some(a)));
            let (x, y, z) = (float(f, a), float(f, b), float(f, c));
            let [u, v, w] = [a, b, c].map(|p| $native::from_bits(p as $word));
            let check = |what: &str, got: Float, want: $native| {
                let want = (!want.is_nan()).then(|| want.to_bits() as u128);
                assert_eq!(bits(&got), want, "{what} {x} {y} {z}");
            };
            check("add", x.add(mode, &y), u + v);
            check("sub", x.sub(mode, &y), u - v);
            check("mul", x.mul(mode, &y), u * v);
            check("div", x.div(mode, &y), u / v);
            check("fma", x.fma(mode, &y, &z), u.mul_add(v, w));
            check("sqrt", x.sqrt(mode), u.sqrt());
            check("roundToIntegral", x.round_to_integral(mode), u.round_ties_even());
            check("rti away", x.round_to_integral(RoundingMode::NearestAway), u.round());
            check("rti floor", x.round_to_integral(RoundingMode::TowardNegative), u.floor());
            check("rti trunc", x.round_to_integral(RoundingMode::TowardZero), u.trunc());
            assert_eq!((x.fp_lt(&y), x.fp_leq(&y), x.fp_eq(&y)), (u < v, u <= v, u == v));
            $more(&mut rng, x, u);
        }
    };
}

#[test]
fn single_agrees_with_the_hardware() {
    agrees_with_the_hardware!(f32, u32, Format::SINGLE, 320, |_: &mut Rng, _: Float, _: f32| ());
}

#[test]
fn double_agrees_with_the_hardware() {
    let (f, mode) = (Format::DOUBLE, RoundingMode::NearestEven);
    let conversions = |rng: &mut Rng, x: Float, u: f64| {
        let single = u as f32;
        let want = (!single.is_nan()).then(|| single.to_bits() as u128);
        assert_eq!(bits(&x.to_format(mode, Format::SINGLE)), want, "to single {x}");
        let n = rng.next() >> rng.below(64);
        let wide = BitVec::from_u64(64, n).unwrap();
        assert_eq!(bits(&f.from_unsigned(mode, &wide)), Some((n as f64).to_bits() as u128));
        assert_eq!(bits(&f.from_signed(mode, &wide)), Some((n as i64 as f64).to_bits() as u128));
    };
    agrees_with_the_hardware!(f64, u64, f, 640, conversions);
}
