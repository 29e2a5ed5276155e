//! Operator applications per second: a large ground term per sort, evaluated from scratch each time. The goal is a
//! million per second on one core; `items` is applications.

use divan::Bencher;
use divan::counter::ItemsCount;
use semantics::eval::Evaluator;
use semantics::model::Model;
use smtlib::Script;
use smtlib::term::TermId;

fn main() {
    divan::main();
}

const APPLICATIONS: usize = 20_000;

/// A script that asserts a term of many applications over variables, so that nothing is shared.
fn script(sort: &str, values: &[&str], operators: &[&str], join: &str) -> (Script, Model) {
    let mut text = String::new();
    for (n, value) in values.iter().enumerate() {
        text.push_str(&format!("(define-fun v{n} () {sort} {value})\n"));
    }
    let mut state = 1u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    text.push_str(&format!("(assert (not ({join}"));
    for _ in 0..APPLICATIONS / 2 {
        let operator = operators[next(operators.len())];
        let (a, b) = (next(values.len()), next(values.len()));
        text.push_str(&format!(" ({operator} v{a} (ite true v{b} v{a}))"));
    }
    text.push_str("))))(check-sat)");
    let script = Script::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    (script, Model::default())
}

fn run(bencher: Bencher<'_, '_>, (script, model): (Script, Model)) {
    let term: TermId = script.assertions().next().unwrap_or(TermId(0));
    bencher.counter(ItemsCount::new(APPLICATIONS)).bench_local(|| {
        let mut evaluator = Evaluator::new(&script.pool, &model);
        evaluator.eval_term(term).is_ok()
    });
}

/// Values whose pairs differ, so that thousands of distinct terms remain after hash-consing.
fn many(make: impl Fn(usize) -> String) -> Vec<String> {
    (0..200).map(make).collect()
}

fn strings(values: &[String]) -> Vec<&str> {
    values.iter().map(String::as_str).collect()
}

#[divan::bench]
fn small_integers(bencher: Bencher<'_, '_>) {
    let values = many(|n| n.to_string());
    run(bencher, script("Int", &strings(&values), &["+", "-", "*"], "= 0 (+"));
}

#[divan::bench]
fn bit_vectors_of_32_bits(bencher: Bencher<'_, '_>) {
    let values = many(|n| format!("#x{:08x}", n * 7919));
    let operators = ["bvadd", "bvmul", "bvudiv", "bvand", "bvshl", "bvxor"];
    run(bencher, script("(_ BitVec 32)", &strings(&values), &operators, "= v0 (bvadd"));
}

#[divan::bench]
fn bit_vectors_of_128_bits(bencher: Bencher<'_, '_>) {
    let values = many(|n| format!("#x{:032x}", n * 7919));
    let operators = ["bvadd", "bvmul", "bvudiv", "bvand", "bvshl", "bvxor"];
    run(bencher, script("(_ BitVec 128)", &strings(&values), &operators, "= v0 (bvadd"));
}

#[divan::bench]
fn rationals(bencher: Bencher<'_, '_>) {
    let values = many(|n| format!("{n}.25"));
    run(bencher, script("Real", &strings(&values), &["+", "-", "*"], "= 0.0 (+"));
}

#[divan::bench]
fn short_strings(bencher: Bencher<'_, '_>) {
    let values = many(|n| format!("\"s{n}\""));
    run(bencher, script("String", &strings(&values), &["str.++"], "= v0 (str.++"));
}

#[divan::bench]
fn floats_of_32_bits(bencher: Bencher<'_, '_>) {
    let values = many(|n| format!("((_ to_fp 8 24) RNE {n}.125)"));
    let operators = ["fp.add RNE", "fp.mul RNE", "fp.div RNE"];
    run(bencher, script("Float32", &strings(&values), &operators, "and (fp.leq"));
}
