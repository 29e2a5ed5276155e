//! The speed of the evaluator and of the exact verdicts, in processor time, so that the load of the machine does not
//! matter.
//!
//! The goals: a million operator applications per second on small integers, words of 8 to 64 bits and short strings;
//! 16 bits of state in 50 ms for a formula of 30 nodes. Results are in `docs/measurements/speed.md`.
//!
//! ```text
//! cargo test --profile quick -p smtlib --test speed -- --ignored --nocapture --test-threads 1
//! ```

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement prints its results")]

use semantics::brute::{BruteLimits, Verdict, decide};
use semantics::eval::Evaluator;
use semantics::model::Model;
use smtlib::Script;
use std::time::Duration;

/// Processor time of this thread so far.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % below
    }
}

const APPLICATIONS: usize = 20_000;

/// Asserts an equation of two sums of applications, all different: `OPERATOR` with `A` and `B` for its arguments.
fn script(sort: &str, value: impl Fn(usize) -> String, operators: &[&str], join: &str) -> Script {
    let mut dice = Dice(1);
    let mut text = String::new();
    for n in 0..200 {
        text += &format!("(define-fun v{n} () {sort} {})", value(n));
    }
    text += &format!("(assert (= v0 ({join}");
    for _ in 0..APPLICATIONS {
        let operator = operators[dice.roll(operators.len())];
        let (a, b) = (format!("v{}", dice.roll(200)), format!("v{}", dice.roll(200)));
        text += &format!(" ({})", operator.replace('A', &a).replace('B', &b));
    }
    text += ")))(check-sat)";
    Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// The clock of processor time advances by a few milliseconds at once, so many runs are measured together.
const RUNS: u32 = 100;

/// Applications per second of processor time.
fn applications(what: &str, script: &Script) -> f64 {
    let model = Model::default();
    let term = script.assertions().next().unwrap();
    let distinct = script.pool.len() - 400;
    assert!(distinct > APPLICATIONS / 2, "{what}: only {distinct} different applications");
    let before = processor_time();
    for _ in 0..RUNS {
        let mut evaluator = Evaluator::new(&script.pool, &model);
        assert!(evaluator.eval_term(term).is_ok(), "{what}");
    }
    let rate = (RUNS as usize * distinct) as f64 / (processor_time() - before).as_secs_f64();
    println!("{what}: {:.1} million applications/s", rate / 1e6);
    rate
}

#[test]
#[ignore = "a measurement: run it with optimisation"]
fn a_million_applications_take_less_than_a_second() {
    let words = ["bvadd A B", "bvmul A B", "bvudiv A B", "bvand A B", "bvshl A B", "bvsrem A B", "bvxor A B"];
    let mut rates = vec![];
    let integers = ["+ A B", "- A B", "* A B", "div A (+ B 1)", "mod A (+ B 1)", "ite (< A B) A B"];
    rates.push(applications("small integers", &script("Int", |n| n.to_string(), &integers, "+")));
    for width in [8, 16, 32, 64] {
        let value = |n: usize| format!("(_ bv{} {width})", (n * 7919) % (1 << width.min(20)));
        let script = script(&format!("(_ BitVec {width})"), value, &words, "bvadd");
        rates.push(applications(&format!("{width}-bit vectors"), &script));
    }
    let strings = ["str.++ A B", "str.replace A B \"x\"", "str.substr A 1 2", "str.at B (str.len A)"];
    rates.push(applications("short strings", &script("String", |n| format!("\"s{n}\""), &strings, "str.++")));
    assert!(rates.iter().all(|rate| *rate >= 1e6), "{rates:?}");
}

/// Formulas of about 30 nodes over 16 bits that no equation simplifies: every assignment must be tried.
const SIXTEEN_BITS: &[&str] = &[
    "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))
     (assert (let ((a (bvadd (bvmul x y) (bvlshr x #x03))) (b (bvxor (bvshl y #x01) (bvnot x))))
       (and (bvult (bvurem a (bvor b #x01)) #x02) (bvugt (bvudiv b (bvor a #x10)) #x0e)
            (= (bvand a b) (bvor (bvmul b b) #x81)) (distinct (bvadd a b) #x00))))",
    "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))(declare-const z (_ BitVec 4))(declare-const w (_ BitVec 4))
     (assert (let ((a (bvmul (bvadd x y) (bvsub z w))) (b (bvxor (bvmul x z) (bvmul y w))))
       (and (distinct (bvadd (bvmul x z) (bvmul y z)) (bvadd a (bvmul x w) (bvmul y w))) (bvule b (bvadd a b)))))",
    "(declare-const x (_ FloatingPoint 3 4))(declare-const y (_ FloatingPoint 3 4))(declare-const r RoundingMode)
     (assert (let ((s (fp.add r x y)) (d (fp.sub r y x)))
       (and (fp.lt (fp.mul r s s) (fp.mul r d d)) (fp.gt x (_ +zero 3 4)) (fp.gt y (_ +zero 3 4)) (not (fp.isInfinite s)))))",
];

#[test]
#[ignore = "a measurement: run it with optimisation"]
fn sixteen_bits_take_under_fifty_milliseconds() {
    for text in SIXTEEN_BITS {
        let before = processor_time();
        for _ in 0..RUNS {
            let mut script = Script::parse(text.as_bytes()).unwrap();
            let verdict = decide(&mut script, 0, BruteLimits::default());
            assert!(!matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
        }
        let mean = (processor_time() - before) / RUNS;
        println!("16 bits, reading included: {mean:?}");
        assert!(mean.as_millis() < 50, "{mean:?}");
    }
}
