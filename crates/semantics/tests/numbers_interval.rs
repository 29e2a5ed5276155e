//! Every transcendental function against the machine's doubles, against itself at other
//! precisions, and against identities; and the edges of its domain.

#![allow(clippy::unwrap_used)]

use semantics::value::interval::{Interval, NoEnclosure, decide};
use semantics::value::rational::Rat;
use semantics::value::transcendental as t;
use semantics::value::transcendental::{FUNCTIONS, Function};

type Double = fn(f64) -> f64;

fn double(name: &str) -> Double {
    match name {
        "exp" => f64::exp,
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "cot" => |x| 1.0 / x.tan(),
        "sec" => |x| 1.0 / x.cos(),
        "csc" => |x| 1.0 / x.sin(),
        "arcsin" | "asin" => f64::asin,
        "arccos" | "acos" => f64::acos,
        "arctan" | "atan" => f64::atan,
        "arccot" => |x| std::f64::consts::FRAC_PI_2 - x.atan(),
        "arcsec" => |x| (1.0 / x).acos(),
        "arccsc" => |x| (1.0 / x).asin(),
        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        "tanh" => f64::tanh,
        "asinh" => f64::asinh,
        "acosh" => f64::acosh,
        "atanh" => f64::atanh,
        "sqrt" => f64::sqrt,
        "ln" => f64::ln,
        other => panic!("no double for {other}"),
    }
}

fn at(n: i64, d: i64) -> Interval {
    Interval::point(Rat::ratio(n, d))
}

/// Sample points, dyadic so that a double is the same number.
fn samples() -> Vec<(i64, i64)> {
    let mut points = vec![(1 << 20, 1), (-(1 << 20), 1), (1, 1 << 30)];
    points.extend((-40..=40).map(|n| (n, 8)));
    points.extend((-12..=12).map(|n| (n * 37, 4)));
    points
}

fn defined(name: &str, f: Function, n: i64, d: i64, bits: u32) -> Option<Interval> {
    let expected = double(name)(n as f64 / d as f64);
    match f(&at(n, d), bits) {
        Ok(i) => Some(i),
        Err(NoEnclosure::TooLarge) => {
            assert!(n.abs() / d > 1 << 14, "{name} {n}/{d}");
            None
        }
        Err(e) => {
            assert!(!expected.is_finite() || expected.abs() > 1e15, "{name} {n}/{d}: {e} not {expected}");
            None
        }
    }
}

#[test]
fn every_function_encloses_what_the_machine_computes() {
    for (name, f) in FUNCTIONS {
        let mut seen = 0;
        for (n, d) in samples() {
            let expected = double(name)(n as f64 / d as f64);
            let Some(i) = defined(name, *f, n, d, 80) else { continue };
            let (lo, hi) = (i.lo().to_f64(), i.hi().to_f64());
            let margin = 1e-13 * (1.0 + expected.abs()) * (1.0 + (n as f64 / d as f64).abs());
            assert!(
                lo - margin <= expected && expected <= hi + margin,
                "{name} {n}/{d}: {lo} {expected} {hi}"
            );
            seen += 1;
        }
        assert!(seen >= 15, "{name}: only {seen} samples were defined");
    }
}

#[test]
fn more_bits_give_narrower_intervals_around_the_same_number() {
    for (name, f) in FUNCTIONS {
        for (n, d) in [(3, 8), (5, 4), (-3, 8), (7, 1), (-19, 2), (1, 1), (0, 1)] {
            let mut last: Option<Interval> = None;
            for bits in [8, 30, 64, 200] {
                let Some(i) = defined(name, *f, n, d, bits) else { continue };
                assert!(i.width() <= Rat::two_to(2 - i64::from(bits)), "{name} {n}/{d} {bits}: {i:?}");
                let both = last.map_or(Some(i.clone()), |l| l.intersection(&i));
                assert!(both.is_some(), "{name} {n}/{d} {bits}");
                last = both;
            }
        }
    }
}

#[test]
fn a_wide_argument_encloses_the_values_at_all_its_points() {
    for (name, f) in FUNCTIONS {
        for (lo, hi) in [(-32, 24), (-8, 8), (1, 7), (9, 20), (-30, -9), (8, 90), (-60, 3)] {
            let wide = Interval::hull(Rat::ratio(lo, 8), Rat::ratio(hi, 8));
            let Ok(range) = f(&wide, 40) else { continue };
            for n in lo * 4..=hi * 4 {
                let Ok(i) = f(&at(n, 32), 60) else { panic!("{name} {n}/32 in {wide:?}") };
                assert!(range.intersection(&i).is_some(), "{name} at {n}/32: {i:?} not in {range:?}");
            }
        }
    }
}

#[test]
fn pi_and_e_have_their_known_digits() {
    let digits = |i: &Interval| {
        let scale = Rat::from(10).pow(50, 1 << 20).unwrap();
        i.scale(&scale).floor().unwrap().to_string()
    };
    assert_eq!(digits(&t::pi(200)), "314159265358979323846264338327950288419716939937510");
    assert_eq!(
        digits(&t::exp(&at(1, 1), 200).unwrap()),
        "271828182845904523536028747135266249775724709369995"
    );
    assert_eq!(digits(&t::ln(&at(2, 1), 200).unwrap()), "69314718055994530941723212145817656807550013436025");
}

#[test]
fn identities_hold_to_two_hundred_bits() {
    for (n, d) in [(1, 3), (22, 7), (-5, 2), (1000, 7), (-123456789, 1000)] {
        let x = at(n, d);
        let (s, c) = (t::sin(&x, 210).unwrap(), t::cos(&x, 210).unwrap());
        let one = s.square().add(&c.square());
        assert!(one.contains(&Rat::ONE) && one.width() < Rat::two_to(-200));
        let double = t::sin(&x.scale(&Rat::from(2)), 210).unwrap();
        assert!(s.mul(&c).scale(&Rat::from(2)).intersection(&double).is_some());
        let back = t::tan(&t::arctan(&x, 240).unwrap(), 200).unwrap();
        assert!(back.contains(x.lo()) && back.width() < Rat::two_to(-150), "{back:?}");
    }
    for (n, d) in [(1, 3), (22, 7), (1000, 7), (1, 99999)] {
        let x = at(n, d);
        let back = t::exp(&t::ln(&x, 230).unwrap(), 210).unwrap();
        assert!(back.contains(x.lo()) && back.width() < Rat::two_to(-190));
        let root = t::sqrt(&x, 220).unwrap().square();
        assert!(root.contains(x.lo()) && root.width() < Rat::two_to(-200));
        let cube = t::pow_rational(&x, &Rat::ratio(2, 3), 220).unwrap();
        let slow = t::pow(&x, &Interval::point(Rat::ratio(2, 3)), 220).unwrap();
        assert!(cube.intersection(&slow).is_some() && slow.width() < Rat::two_to(-200));
        assert!(cube.powi(3, 1 << 20).unwrap().contains(&(x.lo() * x.lo())));
    }
}

#[test]
fn rational_values_are_returned_as_points() {
    let zero = at(0, 1);
    for (f, value) in [
        (t::exp as Function, 1),
        (t::sin, 0),
        (t::cos, 1),
        (t::tan, 0),
        (t::arctan, 0),
        (t::arcsin, 0),
        (t::sinh, 0),
        (t::cosh, 1),
        (t::tanh, 0),
        (t::asinh, 0),
        (t::atanh, 0),
        (t::sqrt, 0),
        (t::sec, 1),
    ] {
        assert_eq!(f(&zero, 64).unwrap(), at(value, 1));
    }
    assert_eq!(t::ln(&at(1, 1), 64).unwrap(), zero);
    assert_eq!(t::arccos(&at(1, 1), 64).unwrap(), zero);
    assert_eq!(t::acosh(&at(1, 1), 64).unwrap(), zero);
    assert_eq!(t::sqrt(&at(9, 4), 64).unwrap(), at(3, 2));
}

#[test]
fn outside_its_domain_a_function_has_no_value() {
    use NoEnclosure::{TooLarge, Undecided, Undefined};
    let wide = |a: i64, b: i64| Interval::hull(Rat::ratio(a, 2), Rat::ratio(b, 2));
    let cases: &[(Function, Interval, NoEnclosure)] = &[
        (t::arcsin, at(3, 2), Undefined),
        (t::arcsin, wide(1, 3), Undecided),
        (t::arccos, at(-3, 2), Undefined),
        (t::arcsec, at(1, 2), Undefined),
        (t::arccsc, at(0, 1), Undefined),
        (t::arccsc, wide(1, 3), Undecided),
        (t::sqrt, at(-1, 1), Undefined),
        (t::sqrt, wide(-1, 1), Undecided),
        (t::ln, at(0, 1), Undefined),
        (t::ln, wide(0, 1), Undecided),
        (t::acosh, at(1, 2), Undefined),
        (t::atanh, at(1, 1), Undefined),
        (t::atanh, wide(0, 2), Undecided),
        (t::cot, at(0, 1), Undefined),
        (t::csc, at(0, 1), Undefined),
        (t::csc, wide(-1, 1), Undecided),
        (t::tan, wide(3, 4), Undecided),
        (t::exp, at(1 << 20, 1), TooLarge),
    ];
    for (i, (f, x, e)) in cases.iter().enumerate() {
        assert_eq!(f(x, 64), Err(*e), "case {i}");
    }
    let half_pi = t::pi(100).scale(&Rat::ratio(1, 2));
    assert_eq!(t::tan(&half_pi, 64), Err(Undecided));
    assert_eq!(t::pow_rational(&at(-2, 1), &Rat::ratio(1, 2), 64), Err(Undefined));
    assert_eq!(t::pow_rational(&at(0, 1), &Rat::ratio(-1, 2), 64), Err(Undefined));
    assert_eq!(t::pow_rational(&wide(0, 1), &Rat::ratio(-1, 2), 64), Err(Undecided));
    assert_eq!(t::pow_rational(&at(0, 1), &Rat::ZERO, 64), Err(Undefined));
    assert_eq!(t::pow_rational(&at(0, 1), &Rat::ratio(1, 2), 64), Ok(at(0, 1)));
    assert_eq!(t::pow_rational(&at(-2, 1), &Rat::from(3), 64), Ok(at(-8, 1)));
}

#[test]
fn comparisons_are_decided_with_enough_bits_and_never_guessed() {
    // exp(π√163) misses an integer by less than 10^-12.
    let near = |bits: u32| -> Result<Interval, NoEnclosure> {
        let root = t::sqrt(&at(163, 1), bits)?;
        t::exp(&t::pi(bits).mul(&root), bits)
    };
    let integer = Interval::point(Rat::from(262537412640768744));
    let answer = decide(1024, |bits| Ok(near(bits)?.compare(&integer)));
    assert_eq!(answer, Ok(Some(std::cmp::Ordering::Less)));
    // sin²+cos² is 1, which no interval can show.
    let one = |bits: u32| -> Result<Interval, NoEnclosure> {
        Ok(t::sin(&at(1, 1), bits)?.square().add(&t::cos(&at(1, 1), bits)?.square()))
    };
    assert_eq!(decide(512, |bits| Ok(one(bits)?.compare(&at(1, 1)))), Ok(None));
}

/// Not a benchmark, only numbers to look at.
#[test]
#[ignore = "measures, and so depends on the machine"]
fn one_evaluation_takes_well_under_a_millisecond() {
    for (name, f) in FUNCTIONS {
        let x = at(if name.ends_with("sec") || *name == "acosh" { 11 } else { 3 }, 8);
        let start = std::time::Instant::now();
        for _ in 0..20 {
            std::hint::black_box(f(std::hint::black_box(&x), 64)).ok();
        }
        let each = start.elapsed().as_secs_f64() * 1e6 / 20.0;
        eprintln!("{name} {each:.0} µs");
        assert!(each < 1e5, "{name}");
    }
}
