//! A suspicion that every fresh process shows is confirmed; one that only some show, or only a session, is not.

#![allow(clippy::unwrap_used)]

mod scene;

use oracle::FindingKind;
use scene::{case, panel, plan, right, wrong};
use std::time::Duration;
use triage::{
    Confirmed, CoreOperator, KnownBug, Rate, Repetitions, Sign, confirm, confirm_suspicion, inquire,
};

const CLOSED: &str = "(assert (= (mod 7 2) 1))(check-sat)";

fn few() -> Repetitions {
    Repetitions { least: 3, most: 6, share: 6, patience: Duration::from_secs(60) }
}

#[test]
fn a_crash_in_every_run_is_confirmed_with_the_place_where_it_dies() {
    let panel = panel(vec![wrong("bad", "crash", "mod")], vec![]);
    let Confirmed::Yes(inquiry) = confirm(&panel, &case(CLOSED), &plan(), few()) else {
        panic!("it crashes every time");
    };
    let [accusation] = inquiry.verdict.findings() else { panic!("{:?}", inquiry.verdict) };
    assert_eq!((accusation.kind, accusation.culprit.as_deref()), (FindingKind::Crash, Some("bad")));
    let (symptom, _) = triage::confirm::symptom(accusation, &inquiry).unwrap();
    assert!(matches!(symptom.sign, Sign::Dies(_)), "{symptom:?}");
}

#[test]
fn a_wrong_answer_is_confirmed_without_a_second_solver_where_the_formula_can_be_evaluated() {
    let panel = panel(vec![wrong("bad", "refute", "mod")], vec![]);
    let Confirmed::Yes(inquiry) = confirm(&panel, &case(CLOSED), &plan(), few()) else {
        panic!("it is wrong every time");
    };
    assert_eq!(inquiry.verdict.findings()[0].kind, FindingKind::RefutationUnsound);
    assert!(inquiry.verdict.is_certified());
}

#[test]
fn a_solver_whose_answers_vary_is_never_accused() {
    let panel = panel(vec![wrong("dice", "flaky", "mod")], vec![right("right")]);
    for _ in 0..8 {
        match confirm(&panel, &case(CLOSED), &plan(), Repetitions::default()) {
            Confirmed::Yes(inquiry) => panic!("{:?}", inquiry.verdict.findings()),
            Confirmed::Flaky { rate, .. } => assert!(rate.shown < rate.runs, "{rate}"),
            Confirmed::No(_) => {}
        }
    }
}

#[test]
fn a_suspicion_that_only_a_session_shows_is_not_confirmed_by_a_fresh_process() {
    let panel = panel(vec![wrong("bad", "incremental-only", "mod")], vec![]);
    assert!(matches!(confirm(&panel, &case(CLOSED), &plan(), few()), Confirmed::No(_)));
}

#[test]
fn of_two_accused_solvers_only_the_one_with_steady_answers_stays_accused() {
    let panel = panel(vec![wrong("dice", "flaky", "mod"), wrong("bad", "refute", "mod")], vec![]);
    for _ in 0..4 {
        let Confirmed::Yes(inquiry) = confirm(&panel, &case(CLOSED), &plan(), Repetitions::default()) else {
            panic!("one of them is wrong every time");
        };
        let culprits: Vec<_> =
            inquiry.verdict.findings().iter().filter_map(|a| a.culprit.as_deref()).collect();
        assert_eq!(culprits, ["bad"]);
    }
}

#[test]
fn an_accusation_that_was_confirmed_often_is_repeated_less_often() {
    let panel = panel(vec![wrong("bad", "refute", "mod")], vec![]);
    assert!(!panel.is_familiar("refutation-unsound bad"));
    for _ in 0..6 {
        assert!(matches!(confirm(&panel, &case(CLOSED), &plan(), few()), Confirmed::Yes(_)));
    }
    assert!(panel.is_familiar("refutation-unsound bad") && !panel.is_familiar("crash bad"));
}

#[test]
fn a_rate_says_how_many_runs_there_were_and_whether_limits_are_the_reason() {
    assert_eq!(Rate { shown: 1, runs: 4 }.to_string(), "1 of 4 fresh runs");
    assert!(Rate { shown: 1, runs: 1 }.to_string().contains("limit"));
}

#[test]
fn what_looks_like_a_triaged_bug_is_confirmed_once_unless_such_accusations_vary() {
    let panel = panel(vec![wrong("bad", "refute", "mod")], vec![right("right")]);
    let suspicion = inquire(&panel, &case(CLOSED), &plan());
    let rates = |panel: &triage::Panel| match confirm_suspicion(
        panel,
        &panel.known,
        &suspicion,
        &case(CLOSED),
        &plan(),
        few(),
    ) {
        Confirmed::Yes(inquiry) => {
            let only_the_culprit = inquiry.heard.iter().all(|heard| heard.name() == "bad");
            (inquiry.rates, only_the_culprit)
        }
        _ => panic!("it is wrong every time"),
    };
    assert_eq!(rates(&panel), (vec![Rate { shown: 6, runs: 6 }], false), "nothing is known yet");
    let (symptom, _) =
        triage::confirm::symptom(&suspicion.verdict.findings()[0], &suspicion).expect("a symptom");
    let other = CoreOperator::of(b"(declare-const x Int)(assert (= (div x 2) 1))(check-sat)").unwrap();
    let bug = |operator| KnownBug { symptom: symptom.clone(), operator, signature: "s".into(), span: None };
    panel.known.add(bug(other));
    assert_eq!(rates(&panel).0, [Rate { shown: 6, runs: 6 }], "it is about another operator");
    panel.known.add(bug(CoreOperator::of(CLOSED.as_bytes()).unwrap()));
    assert_eq!(rates(&panel).0, [Rate { shown: 1, runs: 1 }], "one run");
    panel.was_flaky("refutation-unsound bad".into());
    assert_eq!(rates(&panel).0, [Rate { shown: 6, runs: 6 }]);
}

#[test]
fn a_solver_on_which_nothing_rests_cannot_make_a_confirmation_wait_for_the_full_limit() {
    let panel = panel(vec![wrong("bad", "refute", "mod")], vec![wrong("slow", "hang", "mod")]);
    let alone = scene::panel(vec![wrong("bad", "refute", "mod")], vec![]);
    let suspicion = inquire(&alone, &case(CLOSED), &plan());
    let confirmed = confirm_suspicion(&panel, &panel.known, &suspicion, &case(CLOSED), &plan(), few());
    let Confirmed::Yes(inquiry) = confirmed else { panic!("it is wrong every time") };
    let slow = inquiry.heard.iter().find(|heard| heard.name() == "slow").expect("its silence is shown");
    assert!(slow.reply.wall < plan().limits.wall / 4, "{:?}", slow.reply.wall);
}
