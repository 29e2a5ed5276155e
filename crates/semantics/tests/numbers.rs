//! `Int` and `Rat` against dashu, which shares no code with the small paths: every operation is run
//! on numbers near zero, near the edge of `i64`, and far beyond it, where the forms change.

use dashu_base::{DivRemEuclid, Gcd};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use proptest::prelude::*;
use semantics::value::int::Int;
use semantics::value::rational::Rat;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 400,
        failure_persistence: None,
        rng_algorithm: proptest::test_runner::RngAlgorithm::ChaCha,
        rng_seed: proptest::test_runner::RngSeed::Fixed(0x5eed),
        ..ProptestConfig::default()
    }
}

fn integer() -> impl Strategy<Value = IBig> {
    let edge =
        prop_oneof![Just(0i128), Just(i128::from(i64::MAX)), Just(i128::from(i64::MIN)), Just(1i128 << 64)];
    prop_oneof![
        (-20i64..20).prop_map(IBig::from),
        any::<i64>().prop_map(IBig::from),
        any::<i128>().prop_map(IBig::from),
        (edge, -3i128..4).prop_map(|(e, d)| IBig::from(e + d)),
        (any::<i128>(), any::<i128>()).prop_map(|(a, b)| IBig::from(a) * IBig::from(b)),
    ]
}

fn fraction() -> impl Strategy<Value = RBig> {
    (integer(), integer()).prop_map(|(n, d)| {
        let d = if d == IBig::ZERO { IBig::ONE } else { d };
        RBig::from_parts_signed(n, d)
    })
}

fn int(n: &IBig) -> Int {
    Int::from(n.clone())
}

fn rat(r: &RBig) -> Rat {
    Rat::from(r.clone())
}

fn hash<T: Hash>(t: &T) -> u64 {
    let mut h = DefaultHasher::new();
    t.hash(&mut h);
    h.finish()
}

/// The invariant that makes derived equality right.
fn normal(n: &Int) -> bool {
    match n {
        Int::Small(_) => true,
        Int::Big(b) => i64::try_from(b.as_ref()).is_err(),
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn integer_ring_operations_agree_with_dashu(a in integer(), b in integer()) {
        let (x, y) = (int(&a), int(&b));
        for (ours, theirs) in [(&x + &y, &a + &b), (&x - &y, &a - &b), (&x * &y, &a * &b), (-&x, -&a)] {
            prop_assert_eq!(ours.to_ibig(), theirs.clone());
            prop_assert!(normal(&ours));
            prop_assert_eq!(hash(&ours), hash(&Int::from(theirs)));
        }
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(x.abs().magnitude(), x.magnitude());
    }

    #[test]
    fn integer_division_is_euclidean(a in integer(), b in integer()) {
        let (x, y) = (int(&a), int(&b));
        match x.div_mod(&y) {
            None => prop_assert_eq!(&b, &IBig::ZERO),
            Some((q, r)) => {
                let (q2, r2) = a.clone().div_rem_euclid(b.clone());
                prop_assert_eq!((q.to_ibig(), r.to_ibig()), (q2, IBig::from(r2)));
                prop_assert_eq!(&(&y * &q) + &r, x.clone());
                prop_assert!(!r.is_negative() && r < y.abs());
                prop_assert!(normal(&q) && normal(&r));
                prop_assert_eq!(x.divisible_by(&y), Some(r.is_zero()));
            }
        }
        if a != IBig::ZERO || b != IBig::ZERO {
            prop_assert_eq!(x.gcd(&y).magnitude(), a.gcd(b));
        }
    }

    #[test]
    fn integers_are_preserved_by_their_decimal_spelling(a in integer()) {
        let x = int(&a);
        prop_assert_eq!(Int::parse(x.to_string().as_bytes()), Some(x.clone()));
        prop_assert_eq!(x.to_string(), a.to_string());
        let smt = x.smt().to_string();
        if x.is_negative() {
            prop_assert_eq!(smt, format!("(- {})", -&a));
        } else {
            prop_assert_eq!(smt, a.to_string());
        }
    }

    #[test]
    fn bit_operations_follow_their_definitions(a in integer(), b in integer(), k in 0u64..140) {
        let (x, y) = (int(&a), int(&b));
        let two_k = Int::from(UBig::ONE << k as usize);
        let (mx, my) = (x.modulo(&two_k).unwrap(), y.modulo(&two_k).unwrap());
        prop_assert_eq!(x.mod_pow2(k, 4096).unwrap(), mx.clone());
        let and = Int::from(mx.to_ibig() & my.to_ibig());
        prop_assert_eq!(x.iand(&y, k, 4096).unwrap(), and);
        if x.signum() > 0 {
            let l = x.log2();
            let low = l.pow2(100_000).unwrap();
            prop_assert!(low <= x && x < &low + &low);
            prop_assert_eq!(x.is_pow2(), low == x);
        } else {
            prop_assert!(x.log2().is_zero() && !x.is_pow2());
        }
    }

    #[test]
    fn rational_field_operations_agree_with_dashu(a in fraction(), b in fraction()) {
        let (x, y) = (rat(&a), rat(&b));
        prop_assert_eq!(&x + &y, rat(&(&a + &b)));
        prop_assert_eq!(&x - &y, rat(&(&a - &b)));
        prop_assert_eq!(&x * &y, rat(&(&a * &b)));
        prop_assert_eq!(-&x, rat(&-&a));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        match x.div(&y) {
            None => prop_assert!(b.is_zero()),
            Some(q) => {
                prop_assert_eq!(hash(&q), hash(&rat(&(&a / &b))));
                prop_assert_eq!(q, rat(&(&a / &b)));
            }
        }
        prop_assert_eq!(x.floor().to_ibig(), a.floor());
        prop_assert_eq!(x.ceil().to_ibig(), a.ceil());
        prop_assert_eq!(x.is_int(), a.is_int());
    }

    #[test]
    fn outward_rounding_brackets_within_one_step(a in fraction(), bits in 0u32..90) {
        let x = rat(&a);
        let (lo, hi) = (x.round_down(bits), x.round_up(bits));
        prop_assert!(lo <= x && x <= hi);
        prop_assert!(&hi - &lo <= Rat::two_to(-i64::from(bits)));
        prop_assert!((&lo * &Rat::two_to(i64::from(bits))).is_int());
        prop_assert!((&hi * &Rat::two_to(i64::from(bits))).is_int());
    }

    #[test]
    fn powers_are_repeated_products(a in fraction(), e in -5i64..6) {
        let x = rat(&a);
        let mut product = Rat::ONE;
        for _ in 0..e.unsigned_abs() {
            product = &product * &x;
        }
        let expected = if e < 0 { product.recip() } else { Some(product) };
        prop_assert_eq!(x.pow(e, 1 << 20), expected);
        if e > 0 && x.signum() >= 0 {
            prop_assert_eq!(x.pow(e, 1 << 20).unwrap().exact_root(e as u32), Some(x));
        }
    }
}

#[test]
fn decimals_are_read_as_their_exact_value() {
    let cases = [
        ("1.50", Some(Rat::ratio(3, 2))),
        ("0.0", Some(Rat::ZERO)),
        ("00.250", Some(Rat::ratio(1, 4))),
        ("12", Some(Rat::from(12))),
        ("-1.5", Some(Rat::ratio(-3, 2))),
        ("-0.5", Some(Rat::ratio(-1, 2))),
        ("1.", None),
        (".5", None),
        ("", None),
        ("-", None),
        ("-.5", None),
        ("1.5.2", None),
        ("1e5", None),
        ("+1", None),
    ];
    for (text, value) in cases {
        assert_eq!(Rat::parse(text.as_bytes()), value, "{text}");
    }
    let long = format!("0.{}", "3".repeat(60));
    let three = Rat::parse(long.as_bytes()).unwrap();
    assert!(&three * &Rat::from(3) < Rat::ONE);
    assert_eq!(three.denominator().to_string(), format!("1{}", "0".repeat(60)));
}

#[test]
fn rationals_print_as_smt_lib() {
    for (value, text, decimal) in [
        (Rat::from(2), "2.0", "2.0"),
        (Rat::from(-2), "(- 2.0)", "(- 2.0)"),
        (Rat::ratio(6, 4), "(/ 3 2)", "(/ 3.0 2.0)"),
        (Rat::ratio(6, -4), "(- (/ 3 2))", "(- (/ 3.0 2.0))"),
        (Rat::ratio(i64::MIN, 3), "(- (/ 9223372036854775808 3))", "(- (/ 9223372036854775808.0 3.0))"),
    ] {
        assert_eq!(value.smt().to_string(), text);
        assert_eq!(value.smt_decimal().to_string(), decimal);
    }
}

#[test]
fn the_edge_of_the_machine_word_is_crossed_both_ways() {
    let min = Int::from(i64::MIN);
    let big = -&min;
    assert!(matches!(big, Int::Big(_)));
    assert_eq!(-&big, min);
    assert!(matches!(-&big, Int::Small(_)));
    assert_eq!(min.div(&Int::from(-1i64)), Some(big.clone()));
    assert_eq!(min.modulo(&Int::from(-1i64)), Some(Int::ZERO));
    assert_eq!(&big - &Int::ONE, Int::from(i64::MAX));
    assert_eq!(big.to_u64(), Some(1 << 63));
    assert_eq!(Rat::ratio(i64::MIN, -1), Rat::from(big));
    assert_eq!(Rat::ratio(i64::MIN, i64::MIN), Rat::ONE);
    assert_eq!(Rat::ratio(1, i64::MIN).recip(), Some(Rat::from(i64::MIN)));
}

#[test]
fn enormous_results_are_refused_instead_of_computed() {
    assert_eq!(Int::from(3).pow(u64::MAX, 1 << 20), None);
    assert_eq!(Int::from(2).pow(1 << 20, 1 << 20), None);
    assert_eq!(Int::from(2).pow(1023, 1024).map(|n| n.bit_len()), Some(1024));
    assert_eq!(Int::from(3).pow(10, 10), None);
    assert_eq!(Int::from(-1).pow(u64::MAX, 8), Some(Int::from(-1)));
    assert_eq!(Int::ZERO.pow(0, 8), Some(Int::ONE));
    assert_eq!(Int::from(u64::MAX).pow2(1 << 20), None);
    assert_eq!(Int::from(-5).pow2(8), Some(Int::ZERO));
    assert_eq!(Int::from(-1).mod_pow2(1 << 40, 1 << 20), None);
    assert_eq!(Int::from(7).mod_pow2(1 << 40, 1 << 20), Some(Int::from(7)));
    assert_eq!(Rat::from(7).pow(i64::MIN, 1 << 20), None);
    assert_eq!(Rat::ZERO.pow(-1, 1 << 20), None);
}

#[test]
fn exact_roots_exist_only_for_perfect_powers() {
    assert_eq!(Int::from(-27).exact_root(3), Some(Int::from(-3)));
    assert_eq!(Int::from(-4).exact_root(2), None);
    assert_eq!(Int::from(5).exact_root(2), None);
    assert_eq!(Rat::ratio(8, 27).exact_root(3), Some(Rat::ratio(2, 3)));
    assert_eq!(Rat::ratio(8, 25).exact_root(2), None);
}

/// Not a benchmark, only a number to look at. `cargo test --profile quick -- --ignored --nocapture small`
#[test]
#[ignore = "measures, and so depends on the machine"]
fn small_integer_addition_takes_few_nanoseconds() {
    let n = 20_000_000u64;
    let step = std::hint::black_box(Int::from(3));
    let start = std::time::Instant::now();
    let mut sum = Int::ZERO;
    for _ in 0..n {
        sum = &sum + std::hint::black_box(&step);
    }
    let each = start.elapsed().as_secs_f64() * 1e9 / n as f64;
    assert_eq!(sum, Int::from(3 * n));
    let start = std::time::Instant::now();
    let (mut r, third) = (Rat::ZERO, std::hint::black_box(Rat::ratio(1, 3)));
    for _ in 0..n / 10 {
        r = &r + std::hint::black_box(&third);
    }
    let each_rat = start.elapsed().as_secs_f64() * 1e10 / n as f64;
    assert_eq!(r, Rat::ratio(n as i64 / 10, 3));
    eprintln!("Int add {each:.2} ns, Rat add {each_rat:.2} ns");
    assert!(each < 50.0, "{each} ns");
}
