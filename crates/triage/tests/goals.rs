//! A goal holds for the bug that it was pinned to, and for no other.

#![allow(clippy::unwrap_used)]

mod scene;

use oracle::FindingKind;
use scene::{fake, limits, panel, right, wrong};
use smtlib::Parsed;
use triage::reduce::{Options, reduce};
use triage::{Goal, Interesting, Panel, Pinned, Sign, signature};

const NOISE: &str = "(set-logic ALL)(set-info :source |noise|)(declare-const p Bool)(declare-const unused Int)\
    (assert (or p (not p)))(assert (= (mod 7 2) 1))(assert (=> p (= (+ 1 1) 2)))(check-sat)";

fn reduced(panel: &Panel, goal: Option<Goal>) -> (String, String) {
    let pinned = Pinned::observe(panel, goal, NOISE.as_bytes(), &limits(), None).unwrap();
    let text = reduce(NOISE.as_bytes(), &pinned, &Options::default()).unwrap().text;
    (pinned.describe(), String::from_utf8(text).unwrap())
}

fn not_shown(panel: &Panel, goal: Goal) -> String {
    match Pinned::observe(panel, Some(goal), NOISE.as_bytes(), &limits(), None) {
        Err(error) => error.to_string(),
        Ok(pinned) => panic!("pinned {}", pinned.describe()),
    }
}

#[test]
fn a_crash_is_reduced_to_what_makes_it_crash() {
    let panel = panel(vec![wrong("bad", "crash", "mod")], vec![right("right")]);
    let (about, text) = reduced(&panel, Some(Goal::Crash));
    assert!(about.starts_with("bad crashes"), "{about}");
    assert!(text.contains("mod") && !text.contains("noise") && !text.contains("unused"), "{text}");
    assert!(text.len() <= 50, "{text}");
}

#[test]
fn corrupt_memory_is_reduced_and_named_alike_wherever_it_is_noticed() {
    let panel = panel(vec![wrong("bad", "corrupt", "mod")], vec![]);
    let mut names = std::collections::BTreeSet::new();
    let mut noticed = std::collections::BTreeSet::new();
    for more in 0..6 {
        // Each is noticed in another way, and so is nearly every candidate.
        let script = NOISE.replace("unused", &format!("unused{}", "x".repeat(more)));
        let seen = Pinned::observe(&panel, Some(Goal::Crash), script.as_bytes(), &limits(), None);
        let mut pinned = seen.unwrap();
        let Sign::Dies(site) = &pinned.symptom().sign else { panic!("{}", pinned.describe()) };
        noticed.insert(site.to_string());
        // A segmentation fault of this program has no stack of interest, so nothing says that it is corruption.
        if !site.corruption {
            continue;
        }
        let reduced = pinned.reduce(script.as_bytes(), &Options::default()).unwrap();
        assert!(reduced.text.len() <= 50, "{}", String::from_utf8_lossy(&reduced.text));
        let script = Parsed::read(reduced.text).unwrap();
        names.insert(signature::exact(pinned.symptom(), &script, &[]).to_string());
    }
    assert_eq!(noticed.len(), 6, "{noticed:?}");
    let names: Vec<String> = names.into_iter().collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(names[0].starts_with("crash (memory corruption)") && names[0].ends_with(" mod"), "{names:?}");
}

#[test]
fn a_wrong_answer_must_stay_that_of_the_same_solver() {
    let panel = panel(vec![right("right"), wrong("bad", "refute", "mod")], vec![]);
    let (about, text) = reduced(&panel, Some(Goal::Wrong));
    assert_eq!(about, "bad says unsat, but the formula is satisfiable (unsat)");
    assert!(text.contains("mod") && text.len() <= 50, "{text}");
}

#[test]
fn without_a_goal_the_worst_finding_is_pinned() {
    let panel = panel(vec![wrong("crasher", "crash", "mod"), wrong("refuter", "refute", "mod")], vec![]);
    let pinned = Pinned::observe(&panel, None, NOISE.as_bytes(), &limits(), None).unwrap();
    assert_eq!((pinned.kind(), pinned.culprit()), (FindingKind::RefutationUnsound, "refuter"));
}

#[test]
fn two_contradicting_answers_are_reduced_without_deciding_which_is_right() {
    let panel = panel(vec![wrong("bad", "flip", "mod")], vec![right("right")]);
    let (about, text) = reduced(&panel, Some(Goal::Disagree));
    assert_eq!(about, "bad says unsat, right the opposite");
    assert!(text.contains("mod"), "{text}");
}

#[test]
fn a_wrong_answer_without_evidence_is_pinned_as_a_contradiction() {
    let text = "(declare-fun f (Int) Int)(assert (forall ((x Int)) (exists ((y Int)) (= (f (* x y)) (f (f x))))))\
        (assert (exists ((x Int)) (> (f (* x x)) (f x))))(check-sat)";
    let panel = panel(vec![fake("one", &["--answer", "unsat"])], vec![fake("other", &["--answer", "sat"])]);
    let pinned = Pinned::observe(&panel, Some(Goal::Wrong), text.as_bytes(), &limits(), None).unwrap();
    assert_eq!(pinned.describe(), "one says unsat, other the opposite");
    assert!(Pinned::observe(&panel, Some(Goal::Crash), text.as_bytes(), &limits(), None).is_err());
}

#[test]
fn an_unknown_is_pinned_together_with_a_solver_that_decides() {
    let panel = panel(vec![fake("lazy", &["--answer", "unknown"])], vec![right("right")]);
    let pinned = Pinned::observe(&panel, Some(Goal::Unknown), NOISE.as_bytes(), &limits(), None).unwrap();
    assert_eq!(pinned.culprit(), "lazy");
    assert!(pinned.holds(b"(assert true)(check-sat)"));
    assert!(!pinned.holds(b"(assert"), "a script that cannot be parsed shows nothing");
}

#[test]
fn a_goal_that_the_input_does_not_show_is_refused_with_the_reason() {
    let panel = panel(vec![right("a"), right("b")], vec![]);
    assert!(not_shown(&panel, Goal::Crash).contains("the verdict is fine"));
    assert!(not_shown(&panel, Goal::Unknown).contains("no solver says unknown"));
    assert!(not_shown(&panel, Goal::Disagree).contains("no two answers contradict each other"));
}

#[test]
fn a_candidate_on_which_another_solver_is_wrong_does_not_hold() {
    let panel = panel(vec![wrong("bad", "refute", "mod"), wrong("other", "refute", "div")], vec![]);
    let pinned = Pinned::observe(&panel, Some(Goal::Wrong), NOISE.as_bytes(), &limits(), None).unwrap();
    assert_eq!(pinned.culprit(), "bad");
    assert!(pinned.holds(b"(assert (= (mod 7 2) 1))(check-sat)"));
    assert!(!pinned.holds(b"(assert (= (div 7 2) 3))(check-sat)"));
}

#[test]
fn options_that_the_bug_does_not_need_are_removed() {
    let mut bad = wrong("bad", "crash", "mod");
    bad.args.push("--some-option".into());
    let panel = panel(vec![bad], vec![]);
    let pinned = Pinned::observe(&panel, Some(Goal::Crash), NOISE.as_bytes(), &limits(), None).unwrap();
    let light = pinned.without_needless_options(NOISE.as_bytes());
    let left = &light.accused().args;
    assert!(!left.contains(&"--some-option".to_owned()) && left.contains(&"crash".to_owned()), "{left:?}");
}

#[test]
fn every_goal_has_a_word_and_every_kind_of_wrong_answer_a_goal() {
    for (word, goal) in Goal::ALL {
        assert_eq!((goal.word(), Goal::from_word(word)), (word, Some(goal)));
    }
    assert_eq!(Goal::from_word("wrng"), None);
    for (kind, goal) in [
        (FindingKind::RefutationUnsound, Goal::Wrong),
        (FindingKind::SolutionUnsound, Goal::Wrong),
        (FindingKind::InvalidModel, Goal::InvalidModel),
        (FindingKind::InvalidValue, Goal::InvalidValue),
        (FindingKind::InvalidCore, Goal::InvalidCore),
        (FindingKind::Crash, Goal::Crash),
        (FindingKind::Inconsistent, Goal::Disagree),
    ] {
        assert_eq!(Goal::of_kind(kind), Some(goal));
    }
}
