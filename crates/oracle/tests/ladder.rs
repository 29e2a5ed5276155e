//! The ladder, rung by rung: the verdict for given replies.
//!
//! The judge is pure, so each test is a script, what is known of it, and the replies of some targets; no solver runs.
//! There are as many tests for what must never happen as for what must: an accusation needs evidence, and the culprit
//! is the one the evidence names.

#![allow(clippy::unwrap_used, reason = "a test")]

use oracle::{Accusation, Ask, Effort, EvidenceKind, FindingKind, Hearing, Verdict, Whom};
use smtlib::Parsed;
use solver::{Answer, Check, Ended, Profiles, Reply, Target, Version};
use std::time::Duration;
use strategy::{At, Case, Expect, Expected, Ground, Question, Relation, Role};

#[path = "ladder/borders.rs"]
mod borders;

const POSITIVE: &str = "(declare-const x Int)(assert (> x 0))(check-sat)";
const IMPOSSIBLE: &str = "(declare-const p Bool)(assert p)(assert (not p))(check-sat)";
const OPAQUE: &str = "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) (f (+ x 1)))))(check-sat)";

/// The reply of a target to one check-sat: its answer, and a model if it prints one.
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
        wall: Duration::from_millis(20),
        cpu: Duration::from_millis(20),
        ..Reply::default()
    }
}

/// A case with its hearing.
struct Court(Hearing);

impl Court {
    fn of(script: &str) -> Court {
        Court::expecting(script, None)
    }

    fn expecting(script: &str, expect: Option<Expect>) -> Court {
        let case = Case::of_script(Parsed::read(script.as_bytes()).unwrap()).expecting(vec![expect]);
        Court::of_case(&case)
    }

    fn of_case(case: &Case) -> Court {
        Court::with(case, Effort { enumerate_always: false, ..Effort::thorough() })
    }

    fn with(case: &Case, effort: Effort) -> Court {
        Court(Hearing::new(case, effort))
    }

    fn hears(self, name: &str, said: &[Said]) -> Court {
        self.hears_ending(name, said, Ended::ByItself)
    }

    fn hears_ending(self, name: &str, said: &[Said], ended: Ended) -> Court {
        self.hears_about(0, name, reply(said, ended))
    }

    fn hears_about(mut self, question: usize, name: &str, reply: Reply) -> Court {
        let target = target(name);
        self.0.hear(&target, Reply { question, target: name.into(), ..reply }, true);
        self
    }

    /// Adds one check-sat alone, as the ladder requests it.
    fn hears_alone(self, name: &str, check: usize, said: Said) -> Court {
        self.hears_alone_ending(name, check, said, Ended::ByItself)
    }

    fn hears_alone_ending(mut self, name: &str, check: usize, said: Said, ended: Ended) -> Court {
        let role = Role::OneCheck(check);
        let asked = self.0.questions().iter().position(|question| question.role == role);
        let question = asked.unwrap_or_else(|| {
            let asks = self.0.climb();
            self.0.add(asks.iter().find(|ask| ask.question.role == role).unwrap())
        });
        self.hears_about(question, name, reply(&[said], ended))
    }

    fn asks(mut self) -> Vec<Ask> {
        self.0.climb()
    }

    fn says(mut self) -> Verdict {
        self.0.climb();
        self.0.verdict()
    }

    fn accusations(self) -> Vec<Accusation> {
        match self.says() {
            Verdict::Findings(all) => all,
            other => panic!("expected accusations, not {other:?}"),
        }
    }

    /// The one accusation.
    fn accuses(self) -> Accusation {
        let mut all = self.accusations();
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    /// Why no solver is accused.
    fn doubts(self) -> String {
        match self.says() {
            Verdict::Inconclusive(why) => why,
            other => panic!("expected doubt, not {other:?}"),
        }
    }
}

fn by_construction(answer: Expected) -> Option<Expect> {
    Some(Expect { answer, ground: Ground::Argument("it was made so".into()) })
}

fn by_label(answer: Expected) -> Option<Expect> {
    Some(Expect { answer, ground: Ground::Claim("its status".into()) })
}

#[track_caller]
fn assert_accusation(finding: &Accusation, kind: FindingKind, culprits: &[&str], evidence: EvidenceKind) {
    assert_eq!(finding.kind, kind, "{finding:?}");
    assert_eq!(finding.culprits(), culprits, "{finding:?}");
    assert_eq!(finding.evidence[0].kind, evidence, "{finding:?}");
}

#[test]
fn a_confirmed_model_accuses_every_solver_that_says_unsat() {
    let finding = Court::of(POSITIVE)
        .hears("z3@4.8.6", &[UNSAT])
        .hears("cvc5@1.4.2", &[with_model("((define-fun x () Int 1))")])
        .accuses();
    assert_accusation(&finding, FindingKind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Model);
    assert_eq!(finding.truth, Some(true));
}

#[test]
fn a_confirmed_model_outweighs_any_number_of_votes() {
    let all = Court::of(POSITIVE)
        .hears("z3@4.8.6", &[UNSAT])
        .hears("bitwuzla@0.8.0", &[UNSAT])
        .hears("cvc5@1.4.2", &[with_model("((define-fun x () Int 1))")])
        .accusations();
    assert_eq!(all.len(), 2, "each culprit is accused for itself");
    assert_accusation(&all[0], FindingKind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Model);
    assert_accusation(&all[1], FindingKind::RefutationUnsound, &["bitwuzla@0.8.0"], EvidenceKind::Model);
}

#[test]
fn a_refuted_model_accuses_the_solver_that_printed_it() {
    let finding = Court::of(POSITIVE).hears("z3@4.8.6", &[with_model("((define-fun x () Int 0))")]).accuses();
    assert_accusation(&finding, FindingKind::InvalidModel, &["z3@4.8.6"], EvidenceKind::RefutedModel);
}

#[test]
fn a_refuted_model_and_a_vote_for_unsat_give_an_invalid_model_with_the_vote_as_further_evidence() {
    let script = OPAQUE.replace("(check-sat)", "(declare-const x Int)(assert (< x 0))(check-sat)");
    let finding = Court::of(&script)
        .hears("cvc5@1.4.2", &[UNSAT])
        .hears("z3@4.8.6", &[with_model("((define-fun x () Int 0)(define-fun f ((y Int)) Int 0))")])
        .accuses();
    assert_accusation(&finding, FindingKind::InvalidModel, &["z3@4.8.6"], EvidenceKind::RefutedModel);
    assert_eq!(finding.evidence[1].kind, EvidenceKind::Majority);
}

#[test]
fn a_small_space_is_enumerated_when_answers_disagree() {
    let finding = Court::of(IMPOSSIBLE).hears("z3@4.8.6", &[SAT]).hears("cvc5@1.4.2", &[UNSAT]).accuses();
    assert_accusation(&finding, FindingKind::SolutionUnsound, &["z3@4.8.6"], EvidenceKind::Enumeration);
    assert_eq!(finding.truth, Some(false));
}

#[test]
fn enumeration_can_accuse_all_solvers() {
    let all = Court::expecting(IMPOSSIBLE, by_label(Expected::Unsat))
        .hears("z3@4.8.6", &[SAT])
        .hears("cvc5@1.4.2", &[SAT])
        .accusations();
    assert_eq!(all.len(), 2);
    assert_accusation(&all[0], FindingKind::SolutionUnsound, &["z3@4.8.6"], EvidenceKind::Enumeration);
    assert_accusation(&all[1], FindingKind::SolutionUnsound, &["cvc5@1.4.2"], EvidenceKind::Enumeration);
}

#[test]
fn a_construction_argument_accuses() {
    let finding =
        Court::expecting(OPAQUE, by_construction(Expected::Sat)).hears("z3@4.8.6", &[UNSAT]).accuses();
    assert_accusation(&finding, FindingKind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Construction);
}

#[test]
fn a_model_against_our_own_construction_accuses_no_solver() {
    let verdict = Court::expecting(POSITIVE, by_construction(Expected::Unsat))
        .hears("z3@4.8.6", &[with_model("((define-fun x () Int 1))")])
        .says();
    assert!(matches!(&verdict, Verdict::OurBug(why) if why.contains("contradicts itself")), "{verdict:?}");
}

#[test]
fn a_label_alone_proves_nothing() {
    let doubt = Court::expecting(OPAQUE, by_label(Expected::Sat)).hears("z3@4.8.6", &[UNSAT]).doubts();
    assert!(doubt.contains("own status"), "{doubt}");
}

#[test]
fn two_against_one_accuses_the_one_and_says_that_it_is_a_vote() {
    let finding = Court::of(OPAQUE)
        .hears("z3@4.8.6", &[SAT])
        .hears("z3@5.4.0", &[UNSAT])
        .hears("cvc5@1.4.2", &[UNSAT])
        .accuses();
    assert_accusation(&finding, FindingKind::Inconsistent, &["z3@4.8.6"], EvidenceKind::Majority);
    assert_eq!(finding.truth, None);
}

#[test]
fn one_against_one_names_no_culprit() {
    let finding = Court::of(OPAQUE).hears("z3@4.8.6", &[SAT]).hears("cvc5@1.4.2", &[UNSAT]).accuses();
    assert_accusation(&finding, FindingKind::Inconsistent, &[], EvidenceKind::Majority);
}

#[test]
fn two_releases_of_one_solver_do_not_outvote_another_solver() {
    let finding = Court::of(OPAQUE)
        .hears("z3@4.8.6", &[SAT])
        .hears("z3@4.8.7", &[SAT])
        .hears("cvc5@1.4.2", &[UNSAT])
        .accuses();
    assert_accusation(&finding, FindingKind::Inconsistent, &[], EvidenceKind::Majority);
}

#[test]
fn a_solver_that_fixes_an_open_point_is_not_outvoted() {
    let script = "(declare-const i Int)(assert (distinct (seq.nth (as seq.empty (Seq Int)) i) i))(check-sat)";
    let doubt = Court::of(script)
        .hears("z3@4.8.6", &[UNSAT])
        .hears("z3@5.4.0", &[SAT])
        .hears("cvc5@1.4.2", &[SAT])
        .doubts();
    assert!(doubt.contains("under-specified"), "{doubt}");
}

#[test]
fn a_model_that_needs_a_favourable_open_point_accuses_no_solver() {
    let script = "(declare-const x Int)(assert (= (div x 0) 7))(assert (= x 1))(check-sat)";
    let verdict = Court::of(script)
        .hears("z3@4.8.6", &[UNSAT])
        .hears("cvc5@1.4.2", &[with_model("((define-fun x () Int 1))")])
        .says();
    let culprits = verdict.findings().iter().flat_map(|finding| finding.culprits()).count();
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
fn a_raw_character_accuses_only_where_its_reading_does_not_matter() {
    let model = with_model(r#"((define-fun s () String "a"))"#);
    let court = |assertion: &str| {
        let script = format!("(declare-const s String)(assert {assertion})(check-sat)");
        Court::of(&script).hears("z3@4.8.11", &[UNSAT]).hears("z3@5.4.0", &[model])
    };
    // Satisfiable in every reading, by the same model or by another one.
    let always = [
        r#"(or (= s "é") (= s "a"))"#,
        r#"(or (= s "é") (= s "a") (= s "\x41"))"#,
        r#"(= (str.len s) (str.len "é"))"#,
        r#"(= (+ 1 (str.len s)) (str.len "é"))"#,
    ];
    for assertion in always {
        let finding = court(assertion).accuses();
        let evidence = finding.evidence[0].kind;
        assert_accusation(&finding, FindingKind::RefutationUnsound, &["z3@4.8.11"], evidence);
    }
    let sometimes = [
        (r#"(and (= s "a") (= (str.len "é") 1))"#, "outside ASCII"),
        (r#"(and (= s "a") (= (str.len "\x41") 4))"#, "escapes"),
    ];
    for (assertion, why) in sometimes {
        let doubt = court(assertion).doubts();
        assert!(doubt.contains(why), "{doubt}");
    }
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
    assert_accusation(&finding, FindingKind::InvalidModel, &["z3@4.8.11"], EvidenceKind::RefutedModel);
}

#[test]
fn a_crash_is_a_finding_whatever_the_others_say() {
    let crash = Ended::Crash { signal: Some(11), message: String::new(), wrapped: false };
    let finding =
        Court::of(POSITIVE).hears("cvc5@1.4.2", &[SAT]).hears_ending("z3@4.8.6", &[NOTHING], crash).accuses();
    assert_accusation(&finding, FindingKind::Crash, &["z3@4.8.6"], EvidenceKind::Exit);
}

#[test]
fn limits_missing_features_and_kills_from_outside_are_not_findings() {
    let endings = [
        Ended::Wall,
        Ended::Memory,
        Ended::Killed { signal: 9 },
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
fn each_check_sat_is_judged_separately() {
    let script = "(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(assert (not p))(check-sat)";
    let finding =
        Court::of(script).hears("z3@4.8.6", &[SAT, UNSAT]).hears("cvc5@1.4.2", &[SAT, SAT]).accuses();
    assert_accusation(&finding, FindingKind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Enumeration);
    assert_eq!(finding.at, At { question: 0, check: 1 });
}

#[test]
fn an_incremental_answer_is_compared_with_the_same_assertions_in_a_plain_script() {
    let script = OPAQUE.replace("(check-sat)", "(push 1)(check-sat)");
    let finding = Court::of(&script).hears("z3@4.8.6", &[SAT]).hears_alone("z3@4.8.6", 0, UNSAT).accuses();
    assert_accusation(&finding, FindingKind::Inconsistent, &["z3@4.8.6"], EvidenceKind::SelfContradiction);
}

#[test]
fn a_newer_release_that_gives_up_where_an_older_decides_is_a_regression() {
    let finding = Court::of(OPAQUE).hears("z3@4.8.6", &[UNSAT]).hears("z3@5.4.0", &[UNKNOWN]).accuses();
    assert_accusation(&finding, FindingKind::IncompletenessRegression, &["z3@5.4.0"], EvidenceKind::Release);
}

#[test]
fn agreement_is_fine_and_certified_only_with_a_certificate() {
    let voted = Court::of(OPAQUE).hears("z3@5.4.0", &[UNSAT]).hears("cvc5@1.4.2", &[UNSAT]).says();
    assert_eq!(voted, Verdict::Fine { certified: false });
    let certified = Court::of(POSITIVE).hears("z3@5.4.0", &[with_model("((define-fun x () Int 9))")]).says();
    assert_eq!(certified, Verdict::Fine { certified: true });
}

#[test]
fn no_answers_are_inconclusive_and_the_silent_targets_are_named() {
    let doubt = Court::of(OPAQUE)
        .hears_ending("z3@5.4.0", &[NOTHING], Ended::Wall)
        .hears("cvc5@1.4.2", &[UNKNOWN])
        .doubts();
    assert!(doubt.contains("z3@5.4.0: wall") && doubt.contains("cvc5@1.4.2: unknown"), "{doubt}");
}

#[test]
fn a_false_formula_without_free_symbols_is_unsatisfiable_even_if_a_solver_prints_a_model() {
    let closed = "(assert (forall ((x Int)) (> x 0)))(check-sat)";
    let finding = Court::of(closed).hears("z3@4.8.6", &[with_model("()")]).accuses();
    assert_accusation(&finding, FindingKind::SolutionUnsound, &["z3@4.8.6"], EvidenceKind::Evaluation);
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
fn check_sats_after_a_command_that_may_assert_are_not_judged() {
    let script = "(declare-const b Bool)(assert b)(check-sat)(block-model :values)(check-sat)";
    let model = "((define-fun b () Bool true))";
    let court = Court::of(script)
        .hears("cvc5@1.4.2", &[with_model(model), UNSAT])
        .hears("z3@5.4.0", &[with_model(model), with_model(model)]);
    assert!(court.doubts().contains("does not know what a command"));
}

#[test]
fn a_script_whose_options_change_its_meaning_accuses_no_solver() {
    let script = "(set-option :encoding ascii)(declare-const s String)(assert (= (str.len s) 1))(check-sat)";
    let court = Court::of(script)
        .hears("z3@5.4.0", &[UNSAT])
        .hears("cvc5@1.4.2", &[with_model("((define-fun s () String \"a\"))")]);
    assert!(court.doubts().contains("an option changes what formulas mean"));
}

#[test]
fn a_crash_on_a_check_sat_alone_is_about_that_check_sat() {
    let script = "(declare-const p Bool)(assert p)(check-sat)(check-sat)";
    let crash = Ended::Crash { signal: Some(11), message: String::new(), wrapped: false };
    let court = Court::of(script).hears("z3@5.4.0", &[SAT, SAT]);
    let mut hearing = court.hears_alone_ending("z3@5.4.0", 1, NOTHING, crash).0;
    hearing.climb();
    let at = hearing.accusations()[0].at;
    assert_eq!(hearing.questions()[at.question].role, Role::OneCheck(1));
}

#[test]
fn releases_are_compared_on_the_same_question_only() {
    let script = "(declare-const p Bool)(assert p)(push 1)(check-sat)";
    let court = Court::of(script)
        .hears("z3@4.8.6", &[UNKNOWN])
        .hears("z3@5.4.0", &[UNKNOWN])
        .hears_alone("z3@4.8.6", 0, SAT)
        .hears_alone("z3@5.4.0", 0, SAT);
    assert!(court.says().findings().is_empty());
}

#[test]
fn a_lone_answer_about_a_small_space_is_checked() {
    let word = "(declare-const x (_ BitVec 8))(assert (bvult x #x05))(check-sat)";
    let finding = Court::of(word).hears("z3@5.4.0", &[UNSAT]).accuses();
    assert_accusation(&finding, FindingKind::RefutationUnsound, &["z3@5.4.0"], EvidenceKind::Model);
    // Also where nothing else decides it, and as the first thing where everything is enumerated.
    let thorough = Effort::thorough();
    let others = Effort { enumerate_always: false, arithmetic: 0, finder: 0, refutation: 0, ..thorough };
    for effort in [others, thorough] {
        let case = |text: &str| Case::of_script(Parsed::read(text.as_bytes()).unwrap());
        let finding = Court::with(&case(word), effort).hears("z3@5.4.0", &[UNSAT]).accuses();
        let kind = FindingKind::RefutationUnsound;
        assert_accusation(&finding, kind, &["z3@5.4.0"], EvidenceKind::Enumeration);
        let finding = Court::with(&case(IMPOSSIBLE), effort).hears("z3@5.4.0", &[SAT]).accuses();
        assert_accusation(&finding, FindingKind::SolutionUnsound, &["z3@5.4.0"], EvidenceKind::Enumeration);
    }
    let closed = "(assert (= (str.++ \"a\" \"b\") \"ab\"))(check-sat)";
    let finding = Court::of(closed).hears("z3@5.4.0", &[UNSAT]).accuses();
    assert_accusation(&finding, FindingKind::RefutationUnsound, &["z3@5.4.0"], EvidenceKind::Evaluation);
}

/// A formula and the step before it, which implies it.
fn weakened(before: &str, after: &str) -> Case {
    let question = |role, text: &str| {
        let script = Parsed::read(text.as_bytes()).unwrap();
        Question { role, script, expects: vec![] }
    };
    let (formula, step) = (At { question: 0, check: 0 }, At { question: 1, check: 0 });
    let mut case = Case::of_script(Parsed::read(after.as_bytes()).unwrap());
    case.questions = vec![question(Role::Formula, after), question(Role::Before, before)];
    case.relations = vec![Relation::SatImplies(step, formula), Relation::ShouldDecide(step, formula)];
    case
}

#[test]
fn a_model_of_the_step_before_accuses_a_solver_that_refutes_the_weaker_formula() {
    let case = weakened(POSITIVE, OPAQUE);
    let model = reply(&[with_model("((define-fun x () Int 1))")], Ended::ByItself);
    let court = Court::of_case(&case).hears("z3@4.8.6", &[UNSAT]).hears_about(1, "cvc5@1.4.2", model);
    let accusation = court.accuses();
    assert_accusation(&accusation, FindingKind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Model);
    assert_eq!(accusation.at.question, 0);
    assert!(accusation.evidence[0].detail.starts_with("the step before it; "), "{accusation:?}");
}

#[test]
fn a_relation_does_not_propagate_sat_backwards() {
    let case = weakened(OPAQUE, POSITIVE);
    let unsat = reply(&[UNSAT], Ended::ByItself);
    let court = Court::of_case(&case)
        .hears("cvc5@1.4.2", &[with_model("((define-fun x () Int 1))")])
        .hears_about(1, "z3@4.8.6", unsat);
    assert_eq!(court.says().findings(), []);
}

#[test]
fn unknown_after_a_step_that_the_same_solver_decided_is_incomplete_by_implication() {
    let case = weakened(OPAQUE, OPAQUE);
    let decided = || reply(&[UNSAT], Ended::ByItself);
    let court = Court::of_case(&case).hears("z3@5.4.0", &[UNKNOWN]).hears_about(1, "z3@5.4.0", decided());
    let accusation = court.accuses();
    assert_accusation(
        &accusation,
        FindingKind::IncompletenessImplication,
        &["z3@5.4.0"],
        EvidenceKind::Relation,
    );
    let other = Court::of_case(&case).hears("z3@5.4.0", &[UNKNOWN]).hears_about(1, "cvc5@1.4.2", decided());
    assert_eq!(other.says().findings(), [], "another solver's answer does not count");
}

#[test]
fn a_model_that_a_case_brings_is_checked_before_it_counts() {
    let brings = |model: &str| Some(Expect { answer: Expected::Sat, ground: Ground::Model(model.into()) });
    let right = Court::expecting(POSITIVE, brings("((define-fun x () Int 3))")).hears("z3@4.8.6", &[UNSAT]);
    assert_accusation(&right.accuses(), FindingKind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Model);
    let wrong = Court::expecting(POSITIVE, brings("((define-fun x () Int 0))")).hears("z3@4.8.6", &[UNSAT]);
    assert!(matches!(wrong.says(), Verdict::OurBug(_)), "a strategy that is wrong accuses no solver");
}

#[test]
fn a_satisfiable_core_is_run_again_and_then_accuses() {
    let script = "(declare-const p Bool)(declare-fun f (Int) Int)(assert (! p :named a))\
        (assert (! (forall ((x Int)) (> (f x) (f (+ x 1)))) :named b))(check-sat)";
    let mut unsat = reply(&[UNSAT], Ended::ByItself);
    unsat.checks[0].core = Some(b"(a)".to_vec());
    let court = Court::of(script).hears_about(0, "z3@4.8.6", unsat.clone());
    let asks = court.asks();
    assert_eq!((asks.len(), &asks[0].question.role), (1, &Role::CoreOnly(0)));
    assert_eq!(asks[0].whom, Whom::AllBut("z3@4.8.6".into()));
    let mut court = Court::of(script).hears_about(0, "z3@4.8.6", unsat);
    let question = court.0.add(&asks[0]);
    let model = reply(&[with_model("((define-fun p () Bool true))")], Ended::ByItself);
    let accusation = court.hears_about(question, "cvc5@1.4.2", model).accuses();
    assert_accusation(&accusation, FindingKind::InvalidCore, &["z3@4.8.6"], EvidenceKind::Core);
}

#[test]
fn a_core_that_needs_a_choice_at_an_open_point_convicts_no_solver() {
    let script = "(declare-const x Int)(assert (! (= (div x 0) 1) :named a))(assert (! (= (div x 0) 2) :named b))(check-sat)";
    let mut unsat = reply(&[UNSAT], Ended::ByItself);
    unsat.checks[0].core = Some(b"(a)".to_vec());
    let asks = Court::of(script).hears_about(0, "z3@4.8.6", unsat.clone()).asks();
    let mut court = Court::of(script).hears_about(0, "z3@4.8.6", unsat);
    let question = court.0.add(&asks[0]);
    let model = reply(&[with_model("((define-fun x () Int 0))")], Ended::ByItself);
    let verdict = court.hears_about(question, "cvc5@1.4.2", model).says();
    assert_eq!(verdict.findings(), [], "it may divide by zero in its own way");
}

#[test]
fn a_model_certifies_a_script_whose_recursive_function_plainly_ends_and_no_other() {
    let court = |definition: &str| {
        let script = format!(
            "(define-fun-rec f ((n Int)) Int {definition})(declare-const x Int)(assert (= (f x) 6))(check-sat)"
        );
        let model = with_model("((define-fun x () Int 3))");
        Court::of(&script).hears("cvc5@1.4.2", &[model]).hears("z3@5.4.0", &[UNSAT])
    };
    let accusation = court("(ite (> n 0) (+ n (f (- n 1))) 0)").accuses();
    assert_accusation(&accusation, FindingKind::RefutationUnsound, &["z3@5.4.0"], EvidenceKind::Model);
    let verdict = court("(ite (= n 0) 0 (+ n (f (- n 1))))").says();
    assert_eq!(verdict.findings(), [], "it does not end below zero");
}

#[test]
fn a_selector_of_a_parametric_datatype_is_a_function_for_each_instance() {
    let checked = |other: &str| {
        let text = format!(
            "(declare-datatypes ((P 1)) ((par (T) ((none) (some (n Int) (v T))))))\
             (assert (distinct (n (as none (P Int))) (n (as none (P {other})))))(check-sat)"
        );
        let mut script = smtlib::Script::parse(text.as_bytes()).unwrap();
        oracle::check_model(&mut script, 0, b"()", Default::default())
    };
    assert!(matches!(checked("Int"), oracle::ModelCheck::Refuted { .. }), "one point has one value");
    let other = checked("Bool");
    assert!(
        matches!(other, oracle::ModelCheck::Confirmed { given: oracle::Given::Choices, .. }),
        "{other:?}"
    );
}

#[test]
fn a_mapped_function_is_the_one_that_was_in_scope() {
    let text = b"(push 1)(declare-fun f (Bool) Bool)(pop 1)(declare-fun f (Int) Int)(declare-const a (Array Int Int))\
        (assert (= (select ((_ map f) a) 0) 5))(check-sat)";
    let mut script = smtlib::Script::parse(text).unwrap();
    let constant = "(define-fun a () (Array Int Int) ((as const (Array Int Int)) 1))";
    let mut check = |value: u32| {
        let model = format!("((define-fun f ((x Int)) Int {value}) {constant})");
        oracle::check_model(&mut script, 0, model.as_bytes(), Default::default())
    };
    assert!(matches!(check(5), oracle::ModelCheck::Confirmed { .. }));
    assert!(matches!(check(6), oracle::ModelCheck::Refuted { .. }));
}

// Unsat assumptions.

const ASSUMING: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(declare-fun f (Int) Int)\
    (assert (=> p (forall ((x Int)) (> (f x) (f (+ x 1))))))(assert (=> q (not p)))(push 1)\
    (check-sat-assuming (p q r (not r)))(get-unsat-assumptions)";

/// A target that says unsat and names the assumptions that it needed.
fn needing(assumptions: &str) -> Reply {
    let mut unsat = reply(&[UNSAT], Ended::ByItself);
    unsat.checks[0].assumptions = Some(assumptions.as_bytes().to_vec());
    unsat
}

#[test]
fn satisfiable_unsat_assumptions_are_run_again_and_then_accuse() {
    let mut asks = Court::of(ASSUMING).hears_about(0, "z3@4.8.6", needing("(q r)")).asks();
    // The check alone is asked for as well, because the script has scopes.
    asks.retain(|ask| ask.question.role == Role::CoreOnly(0));
    assert_eq!(asks.len(), 1);
    let text = String::from_utf8_lossy(asks[0].question.script.text()).into_owned();
    assert!(text.contains("(assert q)\n(assert r)\n(check-sat)") && !text.contains("(assert p)"), "{text}");
    let after = |said: Said| {
        let mut court = Court::of(ASSUMING).hears_about(0, "z3@4.8.6", needing("(q r)"));
        let question = court.0.add(&asks[0]);
        court.hears_about(question, "cvc5@1.4.2", reply(&[said], Ended::ByItself))
    };
    let model = "((define-fun p () Bool false)(define-fun q () Bool true)(define-fun r () Bool true))";
    let accusation = after(with_model(model)).accuses();
    assert_accusation(&accusation, FindingKind::InvalidCore, &["z3@4.8.6"], EvidenceKind::Core);
    // Without a model of that solver, falsum finds its own.
    let accusation = after(SAT).accuses();
    assert_accusation(&accusation, FindingKind::InvalidCore, &["z3@4.8.6"], EvidenceKind::Core);
    assert_eq!(accusation.evidence[0].by, "falsum");
    let mut right = Court::of(ASSUMING).hears_about(0, "z3@4.8.6", needing("(p q)"));
    let asks = Court::of(ASSUMING).hears_about(0, "z3@4.8.6", needing("(p q)")).asks();
    let asked = asks.iter().find(|ask| ask.question.role == Role::CoreOnly(0)).map(|ask| right.0.add(ask));
    let right = right.hears_about(asked.unwrap(), "cvc5@1.4.2", reply(&[SAT], Ended::ByItself));
    let accused = |accusation: &oracle::Accusation| accusation.accuses("z3@4.8.6");
    assert!(!right.says().findings().iter().any(accused), "another solver's word alone proves nothing");
}

#[test]
fn an_unsat_assumption_that_was_not_assumed_accuses_and_other_spellings_do_not() {
    let findings = |script: &str, assumptions: &str| {
        Court::of(script).hears_about(0, "z3@4.8.6", needing(assumptions)).says().findings().to_vec()
    };
    let strange = findings(ASSUMING, "((not p))");
    assert_eq!(
        (strange[0].kind, strange[0].evidence[0].kind),
        (FindingKind::InvalidCore, EvidenceKind::SelfContradiction)
    );
    for right in [
        "(r ( not  r ))",
        "(|q| p)",
        "()",
        "(p q r (not r))",
        "((not (not p)))",
        "(true)",
        "(p (> 1 0))",
        "oops",
    ] {
        assert_eq!(findings(ASSUMING, right), [], "{right}");
    }
    let defined = "(declare-const p Bool)(define-fun d () Bool p)(assert (not p))(check-sat-assuming (d))(get-unsat-assumptions)";
    assert_eq!(findings(defined, "(p)"), [], "the definition may be expanded");
    let late = "(declare-const p Bool)(declare-const q Bool)(assert (not p))(check-sat-assuming (p))(assert q)(get-unsat-assumptions)";
    assert_eq!(findings(late, "(q)"), [], "the context has changed");
    let plain = "(declare-const p Bool)(assert p)(assert (not p))(check-sat)(get-unsat-assumptions)";
    assert_eq!(findings(plain, "(p)"), [], "nothing was assumed");
}

// Interpolants.

const HALVES: &str = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (> x (+ y 1)))(assert (= z z))\
    (push 1)(assert (< x y))(check-sat)(pop 1)(get-interpolant I (not (< x y)))";

#[test]
fn an_interpolant_must_follow_suffice_and_have_only_shared_symbols() {
    let said = |body: &str| {
        let mut unsat = reply(&[UNSAT], Ended::ByItself);
        let text = format!("(define-fun I () Bool {body})").into_bytes();
        unsat.checks[0].responses = vec![solver::Response { number: 0, text }];
        unsat
    };
    let court = |body: &str| Court::of(HALVES).hears_about(0, "cvc5@1.4.2", said(body));
    let of_it = |ask: &&oracle::Ask| ask.question.role == Role::Interpolant(0);
    // The questions about it are run on another solver, which says sat to all of them and proves nothing.
    let asked = |body: &str| {
        let mut hearing = court(body);
        for ask in court(body).asks().iter().filter(of_it) {
            let question = hearing.0.add(ask);
            hearing = hearing.hears_about(question, "z3@5.4.0", reply(&[SAT], Ended::ByItself));
        }
        let mut found = hearing.says().findings().to_vec();
        found.retain(|accusation| accusation.accuses("cvc5@1.4.2"));
        found
    };
    assert_eq!(court("(> x y)").asks().iter().filter(of_it).count(), 2);
    assert_eq!(asked("(> x y)"), [], "it is one");
    for (wrong, kind) in [
        ("(> x (+ y 5))", EvidenceKind::Core),
        ("(> x (- y 5))", EvidenceKind::Core),
        ("(and (> x y) (= z z))", EvidenceKind::SelfContradiction),
    ] {
        let found = asked(wrong);
        assert_eq!(found.len(), 1, "{wrong}");
        assert_eq!(
            (found[0].kind, found[0].evidence[0].kind),
            (FindingKind::InvalidInterpolant, kind),
            "{wrong}"
        );
    }
    for other in ["(> x q)", "(oops", "7"] {
        assert_eq!(asked(other), [], "{other} cannot be read");
    }
    let mut none = said("true");
    none.checks[0].responses[0].text = b"fail".to_vec();
    assert_eq!(Court::of(HALVES).hears_about(0, "cvc5@1.4.2", none).says().findings(), []);
}

// Values.

#[test]
fn a_value_that_the_printed_model_contradicts_accuses_and_a_wrong_model_is_accused_instead() {
    let script = "(declare-const x Int)(assert (> x 0))(check-sat)(get-value ((+ x 1)))";
    let says = |model: &'static str, value: &str| {
        let mut said = reply(&[with_model(model)], Ended::ByItself);
        let text = format!("(((+ x 1) {value}))").into_bytes();
        said.checks[0].responses = vec![solver::Response { number: 0, text }];
        Court::of(script).hears_about(0, "cvc5@1.4.2", said)
    };
    let one = "((define-fun x () Int 1))";
    let accusation = says(one, "3").accuses();
    assert_accusation(
        &accusation,
        FindingKind::InvalidValue,
        &["cvc5@1.4.2"],
        EvidenceKind::SelfContradiction,
    );
    assert_eq!(says(one, "2").says().findings(), []);
    assert_eq!(says("((define-fun x () Int 0))", "2").accuses().kind, FindingKind::InvalidModel);
    assert_eq!(says(one, "(lambda ((y Int)) y)").says().findings(), [], "not a value of this sort");
}

// Time, and refusals.

/// What a target says after so much processor time.
fn after(millis: u64, said: Said, ended: Ended) -> Reply {
    Reply { cpu: Duration::from_millis(millis), wall: Duration::from_millis(millis), ..reply(&[said], ended) }
}

#[test]
fn a_target_that_runs_out_of_time_where_another_solver_answers_at_once_is_slow() {
    let court = Court::of(OPAQUE).hears_about(0, "z3@5.4.0", after(40, UNSAT, Ended::ByItself)).hears_about(
        0,
        "cvc5@1.4.2",
        after(5000, NOTHING, Ended::Wall),
    );
    let finding = court.accuses();
    assert_accusation(&finding, FindingKind::Performance, &["cvc5@1.4.2"], EvidenceKind::Time);
    assert!(!finding.is_certified(), "a measurement is no certificate");
}

#[test]
fn a_target_that_answers_after_a_long_time_is_slow_too_and_an_older_release_makes_it_a_regression() {
    let slow = || after(3000, SAT, Ended::ByItself);
    let court = Court::of(OPAQUE)
        .hears_about(0, "cvc5@1.4.2", after(30, SAT, Ended::ByItself))
        .hears_about(0, "z3@4.8.9", after(50, SAT, Ended::ByItself))
        .hears_about(0, "z3@5.4.0", slow());
    let finding = court.accuses();
    assert_eq!(
        (finding.kind, finding.evidence[0].by.as_str()),
        (FindingKind::PerformanceRegression, "z3@4.8.9")
    );
}

#[test]
fn nobody_is_slow_below_the_floor_or_below_ten_times_or_by_giving_up_or_by_waiting() {
    let quick = || after(40, SAT, Ended::ByItself);
    let fine = |slow: Reply| {
        let court = Court::of(OPAQUE).hears_about(0, "z3@5.4.0", quick()).hears_about(0, "cvc5@1.4.2", slow);
        !court.says().findings().iter().any(|finding| finding.kind.is_slowness())
    };
    assert!(fine(after(900, SAT, Ended::ByItself)));
    assert!(fine(after(390, NOTHING, Ended::Wall)), "not long enough to tell");
    let asleep = Reply { wall: Duration::from_secs(5), ..after(10, NOTHING, Ended::Wall) };
    assert!(fine(asleep), "it did not compute");
    assert!(fine(after(3000, UNKNOWN, Ended::ByItself)), "that is giving up");
    assert!(fine(after(3000, NOTHING, Ended::Memory)), "memory is another matter");
    let other_session = Reply { session: solver::SessionKind::Scoped, ..after(3000, SAT, Ended::ByItself) };
    assert!(fine(other_session), "sessions cannot be compared");
}

#[test]
fn slowness_is_not_looked_for_beside_a_wrong_answer() {
    let court = Court::of(POSITIVE)
        .hears_about(0, "z3@5.4.0", after(20, with_model("((define-fun x () Int 1))"), Ended::ByItself))
        .hears_about(0, "cvc5@1.4.2", after(4000, UNSAT, Ended::ByItself));
    assert_eq!(court.accuses().kind, FindingKind::RefutationUnsound);
}

#[test]
fn a_target_that_refuses_what_the_standard_allows_is_accused_and_an_excuse_is_accepted() {
    let refused = || Ended::Error("unexpected token".into());
    let judged = |script: &str, ended: Ended| {
        Court::of(script).hears("z3@5.4.0", &[SAT]).hears_ending("cvc5@1.4.2", &[NOTHING], ended).says()
    };
    let verdict = judged(POSITIVE, refused());
    assert_eq!(verdict.findings()[0].kind, FindingKind::RejectsValidInput);
    assert_eq!(verdict.findings()[0].culprit.as_deref(), Some("cvc5@1.4.2"));
    for (script, ended) in [
        (POSITIVE, Ended::Unsupported("no such thing".into())),
        ("(set-logic QF_LIA)(declare-const x Int)(assert (> (* x x) 0))(check-sat)", refused()),
        ("(set-option :foo true)(declare-const x Int)(assert (> x 0))(check-sat)", refused()),
        ("(declare-const x (Seq Int))(assert (= x x))(check-sat)", refused()),
        ("(define-const x Int 1)(assert (> x 0))(check-sat)", refused()),
    ] {
        assert!(judged(script, ended).findings().is_empty(), "{script}");
    }
}

#[test]
fn a_core_that_lacks_a_promised_member_convicts_once_another_solver_satisfies_it() {
    let script = "(declare-const p Bool)(declare-fun f (Int) Int)(assert (! p :named a))(assert (! (not p) :named c))\
        (assert (! (forall ((x Int)) (> (f x) (f (+ x 1)))) :named b))(check-sat)";
    let names = vec!["a".to_owned(), "c".to_owned()];
    let promised = || {
        let ground = Ground::Core { names: names.clone(), because: "p is asserted and denied".into() };
        Some(Expect { answer: Expected::Unsat, ground })
    };
    let mut unsat = reply(&[UNSAT], Ended::ByItself);
    unsat.checks[0].core = Some(b"(a b)".to_vec());
    let asks = Court::expecting(script, promised()).hears_about(0, "z3@4.8.6", unsat.clone()).asks();
    let after = |said: Said| {
        let mut court = Court::expecting(script, promised()).hears_about(0, "z3@4.8.6", unsat.clone());
        let question = court.0.add(&asks[0]);
        court.hears_about(question, "cvc5@1.4.2", reply(&[said], Ended::ByItself))
    };
    assert_accusation(
        &after(SAT).accuses(),
        FindingKind::InvalidCore,
        &["z3@4.8.6"],
        EvidenceKind::Construction,
    );
    assert!(!matches!(after(UNKNOWN).says(), Verdict::Findings(_)), "a promise alone convicts no solver");
}
