//! The ladder, rung by rung: what the judge says when it hears what.
//!
//! The judge is pure, so each test is a script, what is known of it, and what some targets said; no solver runs. What
//! must never happen has as many tests as what must: an accusation needs evidence, and the culprit is the one the
//! evidence names.

#![allow(clippy::unwrap_used, reason = "a test")]

use oracle::{Config, EvidenceKind, Finding, Judge, Kind, Opinion, Verdict};
use smtlib::Script;
use solver::{Answer, Check, Ended, Profiles, Reply, Target, Version};
use std::time::Duration;
use strategy::{Expectation, Expected};

const POSITIVE: &str = "(declare-const x Int)(assert (> x 0))(check-sat)";
const IMPOSSIBLE: &str = "(declare-const p Bool)(assert p)(assert (not p))(check-sat)";
const OPAQUE: &str = "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) (f (+ x 1)))))(check-sat)";

/// What a target says to one check-sat: its answer, and a model if it prints one.
type Said = (Option<Answer>, Option<&'static str>);

const SAT: Said = (Some(Answer::Sat), None);
const UNSAT: Said = (Some(Answer::Unsat), None);
const UNKNOWN: Said = (Some(Answer::Unknown), None);
const NOTHING: Said = (None, None);

fn with_model(model: &'static str) -> Said {
    (Some(Answer::Sat), Some(model))
}

fn target(name: &str) -> Target {
    let (solver, version) = name.split_once('@').unwrap();
    Target {
        name: name.into(),
        profile: Profiles::embedded().get(solver),
        command: vec![],
        args: vec![],
        version: Version::parse(version),
        hash: String::new(),
        path: solver.into(),
    }
}

fn reply(said: &[Said], ended: Ended) -> Reply {
    let check = |&(answer, model): &Said| Check {
        answer,
        model: model.map(|text| text.as_bytes().to_vec()),
        ..Check::default()
    };
    Reply {
        checks: said.iter().map(check).collect(),
        ended,
        kind: solver::Kind::Fresh,
        routed: None,
        wall: Duration::from_millis(20),
        cpu: Duration::from_millis(20),
        memory: 0,
        leak: Default::default(),
        left_out: vec![],
        errors: vec![],
        stray: vec![],
        stderr: vec![],
        history: solver::History::default(),
    }
}

/// A case under judgement.
struct Court(Judge);

impl Court {
    fn of(script: &str) -> Court {
        Court::expecting(script, Expectation::any())
    }

    fn expecting(script: &str, expectation: Expectation) -> Court {
        let script = Script::parse(script.as_bytes()).unwrap();
        Court(Judge::new(script, expectation, Config::default()))
    }

    fn hears(self, name: &str, said: &[Said]) -> Court {
        self.hears_ending(name, said, Ended::ByItself)
    }

    fn hears_ending(self, name: &str, said: &[Said], ended: Ended) -> Court {
        self.hears_reply(name, &reply(said, ended), 0, false)
    }

    fn hears_flattened(self, name: &str, check: usize, said: Said) -> Court {
        self.hears_reply(name, &reply(&[said], Ended::ByItself), check, true)
    }

    fn hears_reply(mut self, name: &str, reply: &Reply, first_check: usize, flattened: bool) -> Court {
        let target = target(name);
        self.0.hear(&Opinion { target: &target, reply, first_check, flattened, under_test: true });
        self
    }

    fn says(mut self) -> Verdict {
        self.0.verdict()
    }

    /// The one accusation.
    fn accuses(self) -> Finding {
        match self.says() {
            Verdict::Findings(findings) if findings.len() == 1 => findings.into_iter().next().unwrap(),
            other => panic!("expected one finding, not {other:?}"),
        }
    }

    /// Why nobody is accused.
    fn doubts(self) -> String {
        match self.says() {
            Verdict::Inconclusive(why) => why,
            other => panic!("expected doubt, not {other:?}"),
        }
    }
}

fn by_construction(expected: Expected) -> Expectation {
    Expectation { checks: vec![expected], because: "it was made so".into(), by_status: false }
}

fn by_label(expected: Expected) -> Expectation {
    Expectation { checks: vec![expected], because: "its status".into(), by_status: true }
}

#[track_caller]
fn assert_accusation(finding: &Finding, kind: Kind, culprits: &[&str], evidence: EvidenceKind) {
    assert_eq!(finding.kind, kind, "{finding:?}");
    assert_eq!(finding.culprits, culprits, "{finding:?}");
    assert_eq!(finding.evidence[0].kind, evidence, "{finding:?}");
}

#[test]
fn a_confirmed_model_convicts_whoever_says_unsat() {
    let finding = Court::of(POSITIVE)
        .hears("z3@4.8.6", &[UNSAT])
        .hears("cvc5@1.4.2", &[with_model("((define-fun x () Int 1))")])
        .accuses();
    assert_accusation(&finding, Kind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Model);
    assert_eq!(finding.truth, Some(true));
}

#[test]
fn a_confirmed_model_outweighs_any_number_of_votes() {
    let finding = Court::of(POSITIVE)
        .hears("z3@4.8.6", &[UNSAT])
        .hears("bitwuzla@0.8.0", &[UNSAT])
        .hears("cvc5@1.4.2", &[with_model("((define-fun x () Int 1))")])
        .accuses();
    assert_accusation(
        &finding,
        Kind::RefutationUnsound,
        &["z3@4.8.6", "bitwuzla@0.8.0"],
        EvidenceKind::Model,
    );
}

#[test]
fn a_refuted_model_convicts_the_one_who_printed_it() {
    let finding = Court::of(POSITIVE).hears("z3@4.8.6", &[with_model("((define-fun x () Int 0))")]).accuses();
    assert_accusation(&finding, Kind::InvalidModel, &["z3@4.8.6"], EvidenceKind::RefutedModel);
}

#[test]
fn a_refuted_model_beside_a_vote_for_unsat_is_an_invalid_model_with_the_vote_beside_it() {
    let finding = Court::of("(declare-const x Int)(assert (< (* x x) 0))(check-sat)")
        .hears("cvc5@1.4.2", &[UNSAT])
        .hears("z3@4.8.6", &[with_model("((define-fun x () Int 0))")])
        .accuses();
    assert_accusation(&finding, Kind::InvalidModel, &["z3@4.8.6"], EvidenceKind::RefutedModel);
    assert_eq!(finding.evidence[1].kind, EvidenceKind::Majority);
}

#[test]
fn a_small_space_is_enumerated_when_answers_disagree() {
    let finding = Court::of(IMPOSSIBLE).hears("z3@4.8.6", &[SAT]).hears("cvc5@1.4.2", &[UNSAT]).accuses();
    assert_accusation(&finding, Kind::SolutionUnsound, &["z3@4.8.6"], EvidenceKind::Enumeration);
    assert_eq!(finding.truth, Some(false));
}

#[test]
fn enumeration_convicts_even_everybody() {
    let finding = Court::expecting(IMPOSSIBLE, by_label(Expected::Unsat))
        .hears("z3@4.8.6", &[SAT])
        .hears("cvc5@1.4.2", &[SAT])
        .accuses();
    assert_accusation(
        &finding,
        Kind::SolutionUnsound,
        &["z3@4.8.6", "cvc5@1.4.2"],
        EvidenceKind::Enumeration,
    );
}

#[test]
fn a_construction_argument_convicts() {
    let finding =
        Court::expecting(OPAQUE, by_construction(Expected::Sat)).hears("z3@4.8.6", &[UNSAT]).accuses();
    assert_accusation(&finding, Kind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Construction);
}

#[test]
fn a_model_against_our_own_construction_accuses_nobody() {
    let doubt = Court::expecting(POSITIVE, by_construction(Expected::Unsat))
        .hears("z3@4.8.6", &[with_model("((define-fun x () Int 1))")])
        .doubts();
    assert!(doubt.starts_with(oracle::OWN_CONTRADICTION), "{doubt}");
}

#[test]
fn a_label_is_only_somebodys_word() {
    let doubt = Court::expecting(OPAQUE, by_label(Expected::Sat)).hears("z3@4.8.6", &[UNSAT]).doubts();
    assert!(doubt.contains("own status"), "{doubt}");
}

#[test]
fn two_against_one_names_the_one_and_says_that_it_is_a_vote() {
    let finding = Court::of(OPAQUE)
        .hears("z3@4.8.6", &[SAT])
        .hears("z3@5.4.0", &[UNSAT])
        .hears("cvc5@1.4.2", &[UNSAT])
        .accuses();
    assert_accusation(&finding, Kind::Inconsistent, &["z3@4.8.6"], EvidenceKind::Majority);
    assert_eq!(finding.truth, None);
}

#[test]
fn one_against_one_names_nobody() {
    let finding = Court::of(OPAQUE).hears("z3@4.8.6", &[SAT]).hears("cvc5@1.4.2", &[UNSAT]).accuses();
    assert_accusation(&finding, Kind::Inconsistent, &[], EvidenceKind::Majority);
}

#[test]
fn two_releases_of_one_solver_do_not_outvote_another_solver() {
    let finding = Court::of(OPAQUE)
        .hears("z3@4.8.6", &[SAT])
        .hears("z3@4.8.7", &[SAT])
        .hears("cvc5@1.4.2", &[UNSAT])
        .accuses();
    assert_accusation(&finding, Kind::Inconsistent, &[], EvidenceKind::Majority);
}

#[test]
fn a_solver_that_fixes_an_open_point_is_not_outvoted() {
    let script =
        "(declare-const s (Seq Int))(declare-const i Int)(assert (distinct (seq.nth s i) i))(check-sat)";
    let doubt = Court::of(script)
        .hears("z3@4.8.6", &[UNSAT])
        .hears("z3@5.4.0", &[SAT])
        .hears("cvc5@1.4.2", &[SAT])
        .doubts();
    assert!(doubt.contains("under-specified"), "{doubt}");
}

#[test]
fn a_model_that_needs_a_favourable_open_point_convicts_nobody() {
    let script = "(declare-const x Int)(assert (= (div x 0) 7))(assert (= x 1))(check-sat)";
    let verdict = Court::of(script)
        .hears("z3@4.8.6", &[UNSAT])
        .hears("cvc5@1.4.2", &[with_model("((define-fun x () Int 1))")])
        .says();
    let culprits = verdict.findings().iter().flat_map(|finding| &finding.culprits).count();
    assert_eq!(culprits, 0, "{verdict:?}");
}

#[test]
fn releases_that_read_escapes_differently_are_not_compared() {
    let script = r#"(declare-const s String)(assert (= (str.len "\u{41}") 1))(assert (= s "a"))(check-sat)"#;
    let doubt = Court::of(script)
        .hears("z3@4.8.6", &[UNSAT])
        .hears("z3@5.4.0", &[with_model(r#"((define-fun s () String "a"))"#)])
        .doubts();
    assert!(doubt.contains("escapes"), "{doubt}");
}

#[test]
fn a_raw_character_convicts_only_where_its_reading_does_not_matter() {
    let model = with_model(r#"((define-fun s () String "a"))"#);
    let court = |assertion: &str| {
        let script = format!("(declare-const s String)(assert {assertion})(check-sat)");
        Court::of(&script).hears("z3@4.8.11", &[UNSAT]).hears("z3@5.4.0", &[model])
    };
    let finding = court(r#"(or (= s "é") (= s "a"))"#).accuses();
    assert_accusation(&finding, Kind::RefutationUnsound, &["z3@4.8.11"], EvidenceKind::Model);
    for assertion in [r#"(= (str.len s) (str.len "é"))"#, r#"(= (+ 1 (str.len s)) (str.len "é"))"#] {
        let doubt = court(assertion).doubts();
        assert!(doubt.contains("outside ASCII"), "{doubt}");
    }
    let doubt = court(r#"(or (= s "é") (= s "a") (= s "\x41"))"#).doubts();
    assert!(doubt.contains("escapes"), "{doubt}");
}

/// Enumerating string formulas accused z3 4.8.10 of ten invalid models; it was our reading of its escapes.
#[test]
fn releases_that_print_old_escapes_are_read_in_them() {
    let script = "(declare-const s String)(assert (str.in_re s re.allchar))(check-sat)";
    let model = with_model(r#"((define-fun s () String "\x00"))"#);
    for release in ["z3@4.8.6", "z3@4.8.9", "z3@4.8.10"] {
        let verdict = Court::of(script).hears(release, &[model]).says();
        assert_eq!(verdict, Verdict::Fine { certified: true }, "{release}");
    }
    let finding = Court::of(script).hears("z3@4.8.11", &[model]).accuses();
    assert_accusation(&finding, Kind::InvalidModel, &["z3@4.8.11"], EvidenceKind::RefutedModel);
}

#[test]
fn a_crash_is_a_finding_whatever_the_others_say() {
    let crash = Ended::Crash { signal: Some(11), message: String::new(), wrapped: false };
    let finding =
        Court::of(POSITIVE).hears("cvc5@1.4.2", &[SAT]).hears_ending("z3@4.8.6", &[NOTHING], crash).accuses();
    assert_accusation(&finding, Kind::Crash, &["z3@4.8.6"], EvidenceKind::Exit);
}

#[test]
fn limits_refusals_and_murders_are_not_findings() {
    let endings = [
        Ended::Wall,
        Ended::Memory,
        Ended::Killed { signal: 9 },
        Ended::Error("no such operator".into()),
        Ended::Unsupported("no such theory".into()),
        Ended::Unavailable("not there".into()),
        Ended::Crash { signal: None, message: "exit 139".into(), wrapped: true },
    ];
    for ended in endings {
        let verdict = Court::of(POSITIVE)
            .hears("cvc5@1.4.2", &[SAT])
            .hears_ending("z3@4.8.6", &[NOTHING], ended)
            .says();
        assert_eq!(verdict.findings(), [], "{verdict:?}");
    }
}

#[test]
fn each_check_sat_is_judged_for_itself() {
    let script = "(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(assert (not p))(check-sat)";
    let finding =
        Court::of(script).hears("z3@4.8.6", &[SAT, UNSAT]).hears("cvc5@1.4.2", &[SAT, SAT]).accuses();
    assert_accusation(&finding, Kind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Enumeration);
    assert_eq!(finding.check, 1);
}

#[test]
fn an_incremental_answer_is_held_against_the_same_assertions_asked_at_once() {
    let script = OPAQUE.replace("(check-sat)", "(push 1)(check-sat)");
    let finding =
        Court::of(&script).hears("z3@4.8.6", &[SAT]).hears_flattened("z3@4.8.6", 0, UNSAT).accuses();
    assert_accusation(&finding, Kind::Inconsistent, &["z3@4.8.6"], EvidenceKind::SelfContradiction);
}

#[test]
fn a_newer_release_that_gives_up_where_an_older_decides_is_a_regression() {
    let finding = Court::of(OPAQUE).hears("z3@4.8.6", &[UNSAT]).hears("z3@5.4.0", &[UNKNOWN]).accuses();
    assert_accusation(&finding, Kind::IncompletenessRegression, &["z3@5.4.0"], EvidenceKind::Release);
}

#[test]
fn agreement_is_fine_and_certified_only_with_a_certificate() {
    let voted = Court::of(OPAQUE).hears("z3@5.4.0", &[UNSAT]).hears("cvc5@1.4.2", &[UNSAT]).says();
    assert_eq!(voted, Verdict::Fine { certified: false });
    let certified = Court::of(POSITIVE).hears("z3@5.4.0", &[with_model("((define-fun x () Int 9))")]).says();
    assert_eq!(certified, Verdict::Fine { certified: true });
}

#[test]
fn silence_is_inconclusive_and_says_who_was_silent() {
    let doubt = Court::of(OPAQUE)
        .hears_ending("z3@5.4.0", &[NOTHING], Ended::Wall)
        .hears("cvc5@1.4.2", &[UNKNOWN])
        .doubts();
    assert!(doubt.contains("z3@5.4.0: wall") && doubt.contains("cvc5@1.4.2: unknown"), "{doubt}");
}

#[test]
fn a_false_formula_without_anything_to_choose_is_unsatisfiable_whoever_prints_a_model() {
    let closed = "(assert (forall ((x Int)) (> x 0)))(check-sat)";
    let finding = Court::of(closed).hears("z3@4.8.6", &[with_model("()")]).accuses();
    assert_accusation(&finding, Kind::SolutionUnsound, &["z3@4.8.6"], EvidenceKind::RefutedModel);
    assert_eq!(finding.truth, Some(false));
}

#[test]
fn a_model_proves_nothing_where_a_function_is_defined_by_itself() {
    let script = "(define-fun-rec f ((x Bool)) Bool (not (f x)))(declare-const b Bool)(assert b)(check-sat)";
    let court = Court::of(script)
        .hears("cvc5@1.4.2", &[UNSAT])
        .hears("z3@5.4.0", &[with_model("((define-fun b () Bool true))")]);
    assert!(court.doubts().contains("a recursive definition may not end"));
}

#[test]
fn a_function_named_by_an_index_is_not_guessed_among_several() {
    let script = "(push 1)(define-fun f ((x Int)) Int (+ x 1))
        (assert (= (select ((_ map f) ((as const (Array Int Int)) 1)) 0) 2))(check-sat)(pop 1)
        (define-fun f ((x Int)) Int (- x 1))
        (assert (= (select ((_ map f) ((as const (Array Int Int)) 1)) 0) 0))(check-sat)";
    let court = Court::of(script).hears("z3@5.4.0", &[with_model("()"), with_model("()")]);
    assert!(court.says().findings().is_empty());
}

#[test]
fn an_element_with_the_name_of_a_constant_refutes_nothing() {
    let script = "(declare-sort U 0)(declare-const U!val!1 U)(declare-const a U)(assert (distinct a U!val!1))(check-sat)";
    let model = "(;; universe for U:\n;;   U!val!0 U!val!1\n;; -----------
        (declare-fun U!val!0 () U)(declare-fun U!val!1 () U)
        (define-fun a () U U!val!1)(define-fun U!val!1 () U U!val!0))";
    let court = Court::of(script).hears("z3@5.4.0", &[with_model(model)]);
    assert!(court.says().findings().is_empty());
}

#[test]
fn options_that_change_what_answers_mean_leave_only_doubts() {
    for (option, script) in [
        (":opt.priority pareto", "(declare-const x Int)(assert (< 0 x 2))(maximize x)(check-sat)"),
        (":smt.bv.enable_int2bv false", "(declare-const x Int)(assert (= ((_ int2bv 1) x) #b1))(check-sat)"),
        (":smt.string_solver none", "(declare-const x String)(assert (= x \"a\"))(check-sat)"),
    ] {
        let script = format!("(set-option {option}){script}");
        let court = Court::of(&script).hears("z3@5.4.0", &[UNSAT]).hears("cvc5@1.4.2", &[SAT]);
        assert!(court.says().findings().is_empty(), "{option}");
    }
}

#[test]
fn nothing_is_said_behind_a_command_that_may_assert() {
    let script = "(declare-const b Bool)(assert b)(check-sat)(block-model :values)(check-sat)";
    let model = "((define-fun b () Bool true))";
    let court = Court::of(script)
        .hears("cvc5@1.4.2", &[with_model(model), UNSAT])
        .hears("z3@5.4.0", &[with_model(model), with_model(model)]);
    assert!(court.doubts().contains("does not know what a command"));
}

#[test]
fn a_script_whose_options_change_its_meaning_accuses_nobody() {
    let script = "(set-option :encoding ascii)(declare-const s String)(assert (= (str.len s) 1))(check-sat)";
    let court = Court::of(script)
        .hears("z3@5.4.0", &[UNSAT])
        .hears("cvc5@1.4.2", &[with_model("((define-fun s () String \"a\"))")]);
    assert!(court.doubts().contains("an option changes what formulas mean"));
}

#[test]
fn a_crash_in_a_question_asked_alone_is_about_that_check_sat() {
    let script = "(declare-const p Bool)(assert p)(check-sat)(check-sat)";
    let crash = Ended::Crash { signal: Some(11), message: String::new(), wrapped: false };
    let court = Court::of(script).hears("z3@5.4.0", &[SAT, SAT]).hears_reply(
        "z3@5.4.0",
        &reply(&[NOTHING], crash),
        1,
        true,
    );
    assert_eq!(court.accuses().check, 1);
}

#[test]
fn releases_are_compared_on_the_same_question_only() {
    let script = "(declare-const p Bool)(assert p)(push 1)(check-sat)";
    let court = Court::of(script)
        .hears("z3@4.8.6", &[UNKNOWN])
        .hears("z3@5.4.0", &[UNKNOWN])
        .hears_flattened("z3@4.8.6", 0, SAT)
        .hears_flattened("z3@5.4.0", 0, SAT);
    assert!(court.says().findings().is_empty());
}

#[test]
fn a_lone_answer_about_a_small_space_is_checked() {
    let word = "(declare-const x (_ BitVec 8))(assert (bvult x #x05))(check-sat)";
    let finding = Court::of(word).hears("z3@5.4.0", &[UNSAT]).accuses();
    assert_accusation(&finding, Kind::RefutationUnsound, &["z3@5.4.0"], EvidenceKind::Enumeration);
    let finding = Court::of(IMPOSSIBLE).hears("z3@5.4.0", &[SAT]).accuses();
    assert_accusation(&finding, Kind::SolutionUnsound, &["z3@5.4.0"], EvidenceKind::Enumeration);
    let closed = "(assert (= (str.++ \"a\" \"b\") \"ab\"))(check-sat)";
    let finding = Court::of(closed).hears("z3@5.4.0", &[UNSAT]).accuses();
    assert_accusation(&finding, Kind::RefutationUnsound, &["z3@5.4.0"], EvidenceKind::Enumeration);
}
