//! Which solvers a case runs on, and the results.

#![allow(clippy::unwrap_used)]

mod scene;

use oracle::{FindingKind, Verdict};
use scene::{case, fake, panel, plan, right, wrong};
use solver::Answer;
use triage::{Plan, inquire};

fn asked(inquiry: &triage::Inquiry) -> Vec<&str> {
    inquiry.heard.iter().map(|heard| heard.name()).collect()
}

#[test]
fn a_thorough_plan_runs_every_target_and_then_every_reference() {
    let panel = panel(vec![right("a"), right("b")], vec![right("c")]);
    let inquiry = inquire(&panel, &case("(assert (= 1 1))(check-sat)"), &plan().as_asked());
    assert_eq!(asked(&inquiry)[..3], ["a", "b", "c"]);
    assert!(matches!(inquiry.verdict, Verdict::Fine { certified: true }), "{:?}", inquiry.verdict);
}

#[test]
fn the_primary_target_runs_first() {
    let panel = panel(vec![right("a"), right("b")], vec![]);
    let inquiry = inquire(&panel, &case("(assert (= 1 1))(check-sat)"), &Plan { primary: 1, ..plan() });
    assert_eq!(asked(&inquiry)[..2], ["b", "a"]);
}

#[test]
fn every_wrong_solver_of_a_case_is_accused_separately() {
    let targets = vec![wrong("refuter", "refute", "mod"), wrong("crasher", "crash", "mod"), right("right")];
    let inquiry = inquire(&panel(targets, vec![]), &case("(assert (= (mod 7 2) 1))(check-sat)"), &plan());
    let mut found: Vec<(FindingKind, &str)> = inquiry
        .verdict
        .findings()
        .iter()
        .map(|accusation| (accusation.kind, accusation.culprit.as_deref().unwrap_or_default()))
        .collect();
    found.sort_by_key(|(_, culprit)| *culprit);
    assert_eq!(found, [(FindingKind::Crash, "crasher"), (FindingKind::RefutationUnsound, "refuter")]);
}

#[test]
fn references_are_run_and_not_treated_as_targets() {
    let panel = panel(vec![right("a")], vec![wrong("b", "refute", "mod")]);
    let inquiry = inquire(&panel, &case("(assert (= (mod 7 2) 1))(check-sat)"), &plan());
    let reference = inquiry.heard.iter().find(|heard| heard.name() == "b").unwrap();
    assert!(!reference.under_test);
    assert_eq!(reference.answer(0), Some(Answer::Unsat));
}

#[test]
fn answers_that_contradict_each_other_are_inconsistent_where_nothing_decides() {
    // A sum of unknown functions of unknown numbers: nothing of ours decides it, and no solver prints a model.
    let text = "(declare-fun f (Real) Real)(declare-const x Real)\
        (assert (= (f (* x (f x))) (+ 2.0 (f (* x x x (f (f x)))))))(check-sat)";
    let panel = panel(vec![fake("yes", &["--answer", "sat"]), fake("no", &["--answer", "unsat"])], vec![]);
    let inquiry = inquire(&panel, &case(text), &plan());
    for accusation in inquiry.verdict.findings() {
        assert!(
            accusation.kind == FindingKind::Inconsistent || !accusation.is_only_a_vote(),
            "a vote of one against one names no culprit: {accusation:?}"
        );
    }
}

#[test]
fn facts_that_a_strategy_may_see_have_answers_and_no_times() {
    let panel = panel(vec![right("a")], vec![]);
    let facts = inquire(&panel, &case("(assert false)(check-sat)"), &plan()).facts;
    let text = serde_json::to_string(&facts).unwrap();
    assert!(text.contains("unsat") && !text.contains("seconds") && !text.contains("cpu"), "{text}");
}
