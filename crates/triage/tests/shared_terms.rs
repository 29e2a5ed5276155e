//! Terms that are small as a graph and have 2^60 nodes when written out: reducing, naming and masking see the graph.
#![allow(clippy::unwrap_used, reason = "a test")]

use oracle::FindingKind;
use smtlib::Script;
use std::time::{Duration, Instant};
use strategy::Role;
use triage::reduce::{Options, reduce};
use triage::{CoreOperator, Sign, Symptom, signature};

/// A term with so many lets, each the double of the one before.
fn chain(levels: usize) -> String {
    let mut text = String::new();
    for n in 1..=levels {
        let before = if n == 1 { "x".to_owned() } else { format!("v{}", n - 1) };
        text += &format!("(let ((v{n} (+ {before} {before}))) ");
    }
    format!("(declare-const x Int)(assert {text}(= v{levels} (* x x)){})(check-sat)", ")".repeat(levels))
}

#[test]
fn a_script_of_two_to_the_sixty_nodes_is_reduced_named_and_masked_soon() {
    let (script, began) = (chain(60), Instant::now());
    let symptom = Symptom {
        kind: FindingKind::SolutionUnsound,
        culprit: Some("z3".into()),
        role: Role::Formula,
        check: 0,
        sign: Sign::Says(solver::Answer::Sat),
    };
    let parsed = Script::parse(script.as_bytes()).unwrap();
    let coarse = signature::coarse(&symptom, &parsed).to_string();
    let exact =
        signature::exact(&symptom, &smtlib::Parsed::read(script.as_bytes()).unwrap(), &[]).to_string();
    assert!(coarse.len() < 10_000 && exact.len() < 10_000, "{} {}", coarse.len(), exact.len());
    let _ = CoreOperator::of(script.as_bytes()).and_then(|operator| operator.mask(script.as_bytes()));
    let holds = |text: &[u8]| text.windows(3).any(|part| part == b"(* ");
    let stop = || began.elapsed() > Duration::from_secs(40);
    let options = Options { workers: 1, stop: &stop, improved: &|_| {} };
    let reduced = reduce(script.as_bytes(), &holds, &options).unwrap();
    assert!(
        reduced.text.len() < script.len() && began.elapsed() < Duration::from_secs(90),
        "{:?}",
        began.elapsed()
    );
}
