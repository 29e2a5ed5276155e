//! Algebraic numbers against identities that hold exactly, and against doubles for their approximate value.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use semantics::value::algebraic::Alg;
use semantics::value::factor::TooHard;
use semantics::value::int::Int;
use semantics::value::polynomial::{Poly, Sturm};
use semantics::value::rational::Rat;
use semantics::value::real::Real;
use std::cmp::Ordering;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 64,
        failure_persistence: None,
        rng_algorithm: proptest::test_runner::RngAlgorithm::ChaCha,
        rng_seed: proptest::test_runner::RngSeed::Fixed(0x5eed),
        ..ProptestConfig::default()
    }
}

fn poly(c: &[i64]) -> Poly {
    Poly::new(c.iter().map(|c| Int::from(*c)).collect())
}

fn rats(c: &[i64]) -> Vec<Rat> {
    c.iter().map(|c| Rat::from(*c)).collect()
}

fn root(c: &[i64], index: usize) -> Real {
    Alg::root(&rats(c), index).unwrap().unwrap()
}

fn sqrt(n: i64) -> Real {
    Real::from(n).nth_root(2).unwrap().unwrap()
}

fn rational(n: i64, d: i64) -> Real {
    Real::from(Rat::ratio(n, d))
}

fn near(r: &Real, f: f64) -> bool {
    let i = r.enclose(60).unwrap();
    (i.lo().to_f64() - f).abs() < 1e-9 * (1.0 + f.abs())
}

/// `a + b√d`, exactly and as a double.
fn surd(a: i64, b: i64, d: i64) -> (Real, f64) {
    let exact = sqrt(d).mul(&Real::from(b)).unwrap().add(&Real::from(a));
    (exact.unwrap(), a as f64 + b as f64 * (d as f64).sqrt())
}

#[test]
fn sums_of_square_roots_have_the_known_minimal_polynomial() {
    let sum = sqrt(2).add(&sqrt(3)).unwrap();
    assert_eq!(sum, root(&[1, 0, -10, 0, 1], 4));
    assert_eq!(sum.to_string(), "(root-obj (+ (^ x 4) (* (- 10) (^ x 2)) 1) 4)");
    let three = sum.add(&sqrt(5)).unwrap();
    assert_eq!(three, root(&[576, 0, -960, 0, 352, 0, -40, 0, 1], 8));
    assert!(near(&three, 2f64.sqrt() + 3f64.sqrt() + 5f64.sqrt()));
}

#[test]
fn computations_that_cancel_return_the_original_number() {
    let (a, b) = (sqrt(2), sqrt(3));
    let sum = a.add(&b).unwrap();
    assert_eq!(sum.sub(&b).unwrap(), a);
    assert_eq!(a.mul(&b).unwrap(), sqrt(6));
    assert_eq!(a.mul(&a).unwrap(), Real::from(2));
    assert_eq!(a.sub(&a).unwrap(), Real::ZERO);
    assert_eq!(a.neg().neg(), a);
    assert_eq!(a.add(&a.neg()).unwrap(), Real::ZERO);
    assert_eq!(a.recip().unwrap().unwrap(), a.mul(&rational(1, 2)).unwrap());
    assert_eq!(a.div(&a).unwrap().unwrap(), Real::ONE);
    assert_eq!(sqrt(8).div(&a).unwrap().unwrap(), Real::from(2));
    assert_eq!(a.pow(10, 1 << 16).unwrap().unwrap(), Real::from(32));
    assert_eq!(a.pow(-2, 1 << 16).unwrap().unwrap(), rational(1, 2));
    assert_eq!(a.pow(0, 1 << 16).unwrap().unwrap(), Real::ONE);
    let golden = root(&[-1, -1, 1], 2);
    assert_eq!(golden.mul(&golden).unwrap(), golden.add(&Real::ONE).unwrap());
    let cube = Real::from(-2).nth_root(3).unwrap().unwrap();
    assert_eq!(cube.pow(3, 1 << 16).unwrap().unwrap(), Real::from(-2));
    assert_eq!(a.nth_root(2).unwrap().unwrap().pow(4, 99).unwrap().unwrap(), Real::from(2));
    assert_eq!(a.neg().nth_root(2).unwrap(), None);
}

#[test]
fn roots_are_counted_upwards_and_rational_ones_are_rational() {
    // (2x - 3)(x² - 2)(x² + 1): roots -√2, √2, 3/2.
    let p = poly(&[-3, 2]).mul(&poly(&[-2, 0, 1])).mul(&poly(&[1, 0, 1]));
    let c: Vec<Rat> = p.coefficients().iter().map(Rat::from).collect();
    assert_eq!(Alg::root(&c, 1).unwrap(), Some(sqrt(2).neg()));
    assert_eq!(Alg::root(&c, 2).unwrap(), Some(sqrt(2)));
    assert_eq!(Alg::root(&c, 3).unwrap(), Some(rational(3, 2)));
    assert_eq!(Alg::root(&c, 4).unwrap(), None);
    assert_eq!(Alg::root(&c, 0).unwrap(), None);
    assert_eq!(Alg::root(&[], 1).unwrap(), None);
    assert_eq!(Alg::root(&rats(&[5]), 1).unwrap(), None);
    // A double root counts once, and a factor in front changes nothing.
    assert_eq!(root(&[-12, 0, 24, 0, -15, 0, 3], 3), Real::ONE);
    let half = [Rat::ratio(-1, 3), Rat::ZERO, Rat::ratio(1, 6)];
    assert_eq!(Alg::root(&half, 2).unwrap(), Some(sqrt(2)));
}

#[test]
fn an_open_interval_identifies_a_root_only_if_it_contains_exactly_one() {
    let p = rats(&[0, -2, 0, 1]); // 0, ±√2
    let r = Rat::ratio;
    let inside = |lo, hi| Alg::root_in(&p, &lo, &hi).unwrap();
    assert_eq!(inside(r(1, 1), r(3, 2)), Some(sqrt(2)));
    assert_eq!(inside(r(0, 1), r(3, 2)), Some(sqrt(2)));
    assert_eq!(inside(r(-1, 1), r(1, 1)), Some(Real::ZERO));
    assert_eq!(inside(r(-3, 2), r(0, 1)), Some(sqrt(2).neg()));
    assert_eq!(inside(r(-1, 1), r(3, 2)), None);
    assert_eq!(inside(r(0, 1), r(1, 1)), None);
    assert_eq!(inside(r(3, 2), r(1, 1)), None);
}

#[test]
fn too_costly_operations_are_refused() {
    let seven = |n: i64| root(&[-n, 0, 0, 0, 0, 0, 0, 1], 1);
    assert_eq!(seven(2).add(&seven(3)), Err(TooHard::Degree(49)));
    assert_eq!(seven(2).mul(&seven(3)), Err(TooHard::Degree(49)));
    assert!(matches!(sqrt(2).pow(1 << 40, 1 << 16), Err(TooHard::Bits(_))));
    assert!(matches!(sqrt(2).pow(1 << 20, 1 << 16), Err(TooHard::Bits(_))));
    assert_eq!(Real::from(2).nth_root(1000), Err(TooHard::Degree(1000)));
    assert_eq!(Real::ZERO.pow(-1, 64).unwrap(), None);
    assert_eq!(sqrt(2).div(&Real::ZERO).unwrap(), None);
}

#[test]
fn close_numbers_are_distinguished() {
    // 10^40 √2 rounded down and up to an integer.
    let scale = Rat::from(10).pow(40, 1 << 20).unwrap();
    let big = sqrt(2).mul(&Real::from(scale.clone())).unwrap();
    let floor = big.floor().unwrap();
    assert_eq!(floor.to_string(), "14142135623730950488016887242096980785696");
    let below = Real::from(Rat::from(floor).div(&scale).unwrap());
    assert_eq!(below.compare(&sqrt(2)).unwrap(), Ordering::Less);
    assert_eq!(sqrt(2).compare(&below).unwrap(), Ordering::Greater);
    // Two irrationals that differ by 2^-200.
    let tiny = Real::from(Rat::two_to(-200));
    let moved = sqrt(2).add(&sqrt(3)).unwrap().add(&tiny).unwrap();
    assert_eq!(moved.compare(&sqrt(2).add(&sqrt(3)).unwrap()).unwrap(), Ordering::Greater);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn roots_of_a_product_of_known_factors_are_all_found(
        linear in prop::collection::btree_set((-40i64..40, 1i64..6), 0..5),
        surds in prop::collection::btree_set(prop::sample::select(vec![2i64, 3, 5, 6, 7]), 0..3),
        twice in any::<bool>(),
    ) {
        let mut p = poly(&[3, 0, 1]); // no real root
        let mut expected: Vec<Real> = Vec::new();
        for (n, d) in linear {
            p = p.mul(&poly(&[-n, d]));
            expected.push(rational(n, d));
        }
        for s in surds {
            p = p.mul(&poly(&[-s, 0, 1]));
            expected.push(sqrt(s));
            expected.push(sqrt(s).neg());
        }
        if twice {
            p = p.mul(&poly(&[-1, 1])).mul(&poly(&[-1, 1]));
            expected.push(Real::ONE);
        }
        expected.sort_by(|a, b| a.compare(b).unwrap());
        expected.dedup();
        let found = Sturm::new(&p.square_free()).isolate(&semantics::Budget::new(u64::MAX, 0)).unwrap();
        prop_assert_eq!(found.len(), expected.len());
        for ((lo, hi), root) in found.iter().zip(&expected) {
            let (lo, hi) = (Real::from(lo.clone()), Real::from(hi.clone()));
            prop_assert!(lo.compare(root).unwrap().is_le() && root.compare(&hi).unwrap().is_le());
        }
        let c: Vec<Rat> = p.coefficients().iter().map(Rat::from).collect();
        for (i, root) in expected.iter().enumerate() {
            prop_assert_eq!(&Alg::root(&c, i + 1).unwrap().unwrap(), root);
        }
    }

    #[test]
    fn surds_form_a_field_in_the_right_order(
        (a, b, d) in (-9i64..9, -9i64..9, prop::sample::select(vec![2i64, 3, 5, 12])),
        (p, q, e) in (-9i64..9, -9i64..9, prop::sample::select(vec![2i64, 3, 7, 8])),
    ) {
        let (x, fx) = surd(a, b, d);
        let (y, fy) = surd(p, q, e);
        let sum = x.add(&y).unwrap();
        let product = x.mul(&y).unwrap();
        prop_assert!(near(&sum, fx + fy) && near(&product, fx * fy));
        prop_assert_eq!(&sum, &y.add(&x).unwrap());
        prop_assert_eq!(&product, &y.mul(&x).unwrap());
        prop_assert_eq!(&sum.sub(&y).unwrap(), &x);
        match product.div(&y).unwrap() {
            None => prop_assert!(y.is_zero()),
            Some(back) => prop_assert_eq!(back, x.clone()),
        }
        if x != y {
            prop_assert_eq!(x.compare(&y).unwrap(), fx.partial_cmp(&fy).unwrap());
            prop_assert_eq!(x.sub(&y).unwrap().signum(), (fx - fy).signum() as i32);
        }
        prop_assert_eq!(x.floor().unwrap(), Int::from(fx.floor() as i64));
        prop_assert_eq!(x.is_int(), b == 0);
        let difference = x.sub(&y).unwrap().mul(&sum).unwrap();
        let squares = x.mul(&x).unwrap().sub(&y.mul(&y).unwrap()).unwrap();
        prop_assert_eq!(difference, squares);
    }
}

/// Not a benchmark: numbers to look at, and a guard against a limit that allows minutes of work.
#[test]
#[ignore = "measures, and so depends on the machine"]
fn the_largest_numbers_allowed_take_seconds_at_most() {
    let time = |what: &str, f: &dyn Fn()| {
        let start = std::time::Instant::now();
        f();
        eprintln!("{what}: {:?}", start.elapsed());
        assert!(start.elapsed().as_secs() < 60, "{what}");
    };
    time("√2+√3", &|| drop(sqrt(2).add(&sqrt(3))));
    time("√2·√3", &|| drop(sqrt(2).mul(&sqrt(3))));
    let (a, b) = (root(&[-1, -3, 0, 1, 5, 0, 1], 1), root(&[-7, 1, 2, 0, -1, 0, 3], 1));
    time("degree 6 + degree 6", &|| drop(a.add(&b)));
    time("degree 6 · degree 6", &|| drop(a.mul(&b)));
    let mut state = 1u64;
    for (degree, words) in [(36, 7), (18, 14), (8, 32), (4, 64), (3, 80)] {
        let mut coefficient = |_| {
            let mut c = Int::ZERO;
            for _ in 0..words {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                c = &(&c * &Int::two_to(64)) + &Int::from(state);
            }
            Rat::from(if state >> 40 & 1 == 0 { c } else { -c })
        };
        let c: Vec<Rat> = (0..=degree).map(&mut coefficient).collect();
        let what = format!("root of degree {degree}, {} bits", words * 64);
        time(&what, &|| drop(Alg::root(&c, 1)));
    }
}
