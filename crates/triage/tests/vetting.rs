//! Seeds on which solvers are already wrong are quarantined, and become findings where that is certain.

#![allow(clippy::unwrap_used)]

mod scene;

use corpus::quarantine::Reason;
use corpus::{Origin, Seed};
use scene::{fake, panel, plan, right, wrong};
use triage::vet;

fn seed(text: &'static str) -> Seed {
    Seed::new("seed".into(), Origin::Embedded, text.as_bytes().into()).unwrap()
}

#[test]
fn a_seed_that_all_solvers_answer_rightly_is_used() {
    let vetted = vet(
        &panel(vec![right("a"), right("b")], vec![]),
        &seed("(set-info :status sat)(assert (= (mod 7 2) 1))(check-sat)"),
        &plan(),
    );
    assert!(vetted.entry.is_none() && vetted.findings.is_empty(), "{vetted:?}");
}

#[test]
fn a_seed_that_crashes_a_solver_is_a_finding_and_not_used() {
    let panel = panel(vec![wrong("bad", "crash", "mod")], vec![right("right")]);
    let vetted = vet(&panel, &seed("(assert (= (mod 7 2) 1))(check-sat)"), &plan());
    assert_eq!(vetted.entry.unwrap().reason, Reason::Crash);
    assert_eq!(vetted.findings.len(), 1);
}

#[test]
fn a_seed_on_which_a_solver_is_certainly_wrong_is_quarantined() {
    let panel = panel(vec![wrong("bad", "refute", "mod")], vec![right("right")]);
    let vetted = vet(&panel, &seed("(assert (= (mod 7 2) 1))(check-sat)"), &plan());
    assert!(vetted.entry.is_some());
    assert_eq!(vetted.findings[0].culprit.as_deref(), Some("bad"));
}

#[test]
fn a_wrong_label_alone_accuses_no_solver() {
    let panel = panel(vec![right("a"), right("b")], vec![]);
    let vetted = vet(&panel, &seed("(set-info :status unsat)(assert (= (mod 7 2) 1))(check-sat)"), &plan());
    assert!(vetted.entry.is_some(), "the label is wrong");
    assert!(vetted.findings.is_empty(), "{:?}", vetted.findings);
}

#[test]
fn a_seed_to_which_a_solver_says_unknown_is_used() {
    let panel = panel(vec![fake("lazy", &["--answer", "unknown"])], vec![]);
    let vetted = vet(&panel, &seed("(assert (= (mod 7 2) 1))(check-sat)"), &plan());
    assert!(vetted.entry.is_none() && vetted.findings.is_empty());
}
