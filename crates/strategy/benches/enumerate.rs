//! The cost of enumeration: streaming a million formulas per grammar, building the counts for formula 10^1700 with
//! five variables, and jumping there.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed bench")]

use dashu_int::UBig;
use strategy::enumerate::{Enumeration, Layout, Symmetry, catalog};

fn main() {
    divan::main();
}

fn names() -> Vec<&'static str> {
    catalog::EMBEDDED.iter().map(|embedded| embedded.name).collect()
}

fn open(name: &str, variables: Option<usize>) -> Enumeration {
    let grammar = catalog::find(name).unwrap().grammar(variables).unwrap();
    Enumeration::new(&grammar, Layout::OneLine).unwrap()
}

#[divan::bench(args = names(), sample_count = 5)]
fn stream_a_million(bencher: divan::Bencher<'_, '_>, name: &str) {
    let mut enumeration = open(name, None);
    let mut out = Vec::with_capacity(1 << 16);
    bencher.bench_local(|| {
        let mut bytes = 0;
        let walked = enumeration.walk(&UBig::ZERO, 1_000_000, None, |formula| {
            if out.len() > 60_000 {
                bytes += out.len();
                out.clear();
            }
            out.extend_from_slice(formula.text.as_bytes());
            true
        });
        (walked.unwrap(), bytes)
    });
}

#[divan::bench(args = names(), sample_count = 2)]
fn stream_modulo_symmetry(bencher: divan::Bencher<'_, '_>, name: &str) {
    let grammar = catalog::find(name).unwrap().grammar(None).unwrap();
    let mut enumeration = Enumeration::new(&grammar, Layout::OneLine).unwrap();
    let mut symmetry = Symmetry::of(&grammar, enumeration.tree());
    bencher.bench_local(|| enumeration.walk(&UBig::ZERO, 300_000, Some(&mut symmetry), |_| true).unwrap());
}

#[divan::bench(args = names(), sample_count = 1)]
fn count_for_ten_to_the_1700(bencher: divan::Bencher<'_, '_>, name: &str) {
    let index = UBig::from(10u8).pow(1700);
    bencher
        .with_inputs(|| open(name, Some(5)))
        .bench_local_refs(|enumeration| enumeration.reach(&index).unwrap());
}

#[divan::bench(args = names(), sample_count = 5)]
fn jump_to_ten_to_the_1700(bencher: divan::Bencher<'_, '_>, name: &str) {
    let index = UBig::from(10u8).pow(1700);
    let mut enumeration = open(name, Some(5));
    enumeration.reach(&index).unwrap();
    bencher.bench_local(|| enumeration.formula(&index).unwrap().len());
}
