//! Open points, a solver's complaints about itself, refused proofs, and scripts in another solver's words: what
//! convicts and what does not.

#![allow(clippy::unwrap_used, reason = "tests")]

use oracle::{Effort, EvidenceKind, FindingKind, Hearing, ProofChecked, Verdict, Whom};
use smtlib::Parsed;
use solver::{Answer, Check, Ended, Profiles, ProofVerdict, Reply, Target, Version};
use strategy::{At, Case, Role};

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

fn hearing(script: &str) -> Hearing {
    let case = Case::of_script(Parsed::read(script.as_bytes()).unwrap());
    Hearing::new(&case, Effort { enumerate_always: false, finder: 0, refutation: 0, ..Effort::thorough() })
}

fn reply(name: &str, answer: Answer, model: Option<&str>) -> Reply {
    let model = model.map(|text| text.as_bytes().to_vec());
    let check = Check { answer: Some(answer), model, ..Check::default() };
    Reply { checks: vec![check], target: name.into(), ..Reply::default() }
}

fn says(hearing: &mut Hearing, name: &str, answer: Answer, model: Option<&str>) {
    hearing.hear(&target(name), reply(name, answer, model), true);
}

const DIVISION: &str = "(declare-const x Int)(declare-const y Int)\
    (assert (= (div x 0) 3))(assert (= (div y 0) 4))(check-sat)";

#[test]
fn a_model_that_holds_for_one_consistent_choice_is_fine_and_certified() {
    let mut hearing = hearing(DIVISION);
    says(&mut hearing, "z3@5.4.0", Answer::Sat, Some("((define-fun x () Int 1)(define-fun y () Int 2))"));
    hearing.climb();
    assert_eq!(hearing.verdict(), Verdict::Fine { certified: true });
    assert!(hearing.truth(At { question: 0, check: 0 }).unwrap().evidence.detail.contains("(div 1 0) = 3"));
}

#[test]
fn a_model_for_which_no_consistent_choice_exists_is_refuted_and_the_reason_names_the_point() {
    let mut hearing = hearing(DIVISION);
    says(&mut hearing, "z3@5.4.0", Answer::Sat, Some("((define-fun x () Int 1)(define-fun y () Int 1))"));
    hearing.climb();
    let Verdict::Findings(found) = hearing.verdict() else { panic!("{:?}", hearing.verdict()) };
    assert_eq!((found[0].kind, found[0].culprit.as_deref()), (FindingKind::InvalidModel, Some("z3@5.4.0")));
    let detail = &found[0].evidence[0].detail;
    assert!(detail.contains("whatever is chosen for") && detail.contains("(div 1 0)"), "{detail}");
}

#[test]
fn what_a_solver_tells_of_its_own_function_at_an_open_point_does_not_make_its_model_wrong() {
    let mut hearing = hearing("(declare-const x Real)(assert (= (/ x 0.0) 3.0))(check-sat)");
    let model = "((define-fun x () Real 1.0)(define-fun /0 ((a Real)) Real 7.0))";
    says(&mut hearing, "z3@5.4.0", Answer::Sat, Some(model));
    hearing.climb();
    assert_eq!(hearing.verdict(), Verdict::Fine { certified: true });
}

#[test]
fn a_model_that_needs_a_choice_does_not_convict_where_solvers_choose_in_their_own_ways() {
    let text = "(declare-const s (Seq Int))(assert (= (seq.nth s 5) 3))(assert (= (seq.len s) 0))(check-sat)";
    let mut hearing = hearing(text);
    says(
        &mut hearing,
        "z3@5.4.0",
        Answer::Sat,
        Some("((define-fun s () (Seq Int) (as seq.empty (Seq Int))))"),
    );
    says(&mut hearing, "cvc5@1.4.2", Answer::Unsat, None);
    hearing.climb();
    assert!(matches!(hearing.verdict(), Verdict::Inconclusive(_)), "{:?}", hearing.verdict());
}

const POSITIVE: &str = "(declare-const x Int)(assert (> x 0))(check-sat)";
const COMPLAINT: &str = "line 3 column 10: an invalid model was generated";

fn complains(hearing: &mut Hearing, model: &str) {
    let name = "z3@5.4.0";
    let mut said = reply(name, Answer::Sat, Some(model));
    said.checks[0].complaint = Some(COMPLAINT.into());
    hearing.hear_self_check(&target(name), &said);
}

#[test]
fn a_complaint_that_the_evaluator_confirms_is_a_finding_with_both_as_evidence() {
    let mut hearing = hearing(POSITIVE);
    says(&mut hearing, "z3@5.4.0", Answer::Sat, None);
    complains(&mut hearing, "((define-fun x () Int 0))");
    hearing.climb();
    let Verdict::Findings(found) = hearing.verdict() else { panic!("{:?}", hearing.verdict()) };
    let kinds: Vec<EvidenceKind> = found[0].evidence.iter().map(|evidence| evidence.kind).collect();
    assert_eq!(kinds, [EvidenceKind::RefutedModel, EvidenceKind::SelfCheck]);
    assert!(hearing.unconfirmed().is_empty());
}

#[test]
fn a_complaint_about_a_model_that_is_true_accuses_nobody_and_is_kept_with_both_sides() {
    let mut hearing = hearing(POSITIVE);
    says(&mut hearing, "z3@5.4.0", Answer::Sat, Some("((define-fun x () Int 1))"));
    complains(&mut hearing, "((define-fun x () Int 1))");
    hearing.climb();
    assert_eq!(hearing.verdict(), Verdict::Fine { certified: true });
    let [kept] = hearing.unconfirmed() else { panic!("{:?}", hearing.unconfirmed()) };
    assert_eq!(kept.kind, FindingKind::InvalidModel);
    assert!(kept.evidence[0].detail.contains("invalid model") && kept.evidence[1].detail.contains("x = 1"));
}

#[test]
fn an_abort_in_a_solvers_own_check_is_a_complaint_and_no_crash() {
    let mut hearing = hearing(POSITIVE);
    says(&mut hearing, "cvc5@1.4.2", Answer::Sat, Some("((define-fun x () Int 1))"));
    let message =
        "Fatal failure within void cvc5::internal::smt::CheckModels::checkModel(TheoryModel*)".to_owned();
    let mut said = reply("cvc5@1.4.2", Answer::Sat, None);
    said.ended = Ended::Crash { signal: Some(6), message, wrapped: false };
    hearing.hear_self_check(&target("cvc5@1.4.2"), &said);
    hearing.climb();
    assert_eq!(hearing.verdict(), Verdict::Fine { certified: true });
    assert_eq!(hearing.unconfirmed().len(), 1);
}

fn checked(verdict: ProofVerdict) -> Verdict {
    let mut hearing = hearing(
        "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) (f (+ x 1)))))(assert (= (f 0) (f 1)))(check-sat)",
    );
    says(&mut hearing, "cvc5@1.4.2", Answer::Unsat, None);
    let at = At { question: 0, check: 0 };
    let (target, checker, format) = ("cvc5@1.4.2".into(), "carcara".into(), "alethe".into());
    hearing.hear_proof(ProofChecked { target, at, checker, format, verdict });
    hearing.climb();
    hearing.verdict()
}

#[test]
fn a_proof_that_a_checker_refuses_is_a_finding_and_one_that_it_cannot_read_is_not() {
    let Verdict::Findings(found) = checked(ProofVerdict::Invalid("step t3".into())) else { panic!() };
    assert_eq!(
        (found[0].kind, found[0].evidence[0].kind),
        (FindingKind::InvalidProof, EvidenceKind::ProofChecker)
    );
    for fine in [ProofVerdict::Valid, ProofVerdict::Incomplete, ProofVerdict::Undecided("?".into())] {
        assert_eq!(checked(fine), Verdict::Fine { certified: false });
    }
}

const SETS: &str = "(declare-const s (FiniteSet Int))(assert (= (set.size s) 2))(check-sat)";

#[test]
fn a_solver_that_refuses_the_words_of_a_script_is_asked_in_its_own_and_its_model_is_put_back() {
    let mut hearing = hearing(SETS);
    says(&mut hearing, "z3@5.4.0", Answer::Unsat, None);
    let refused = Ended::Unsupported("Symbol 'FiniteSet' not declared as a type".into());
    let none = Reply { checks: vec![Check::default()], ended: refused, ..Reply::default() };
    hearing.hear(&target("cvc5@1.4.2"), Reply { target: "cvc5@1.4.2".into(), ..none }, false);
    let asks = hearing.climb();
    let ask = asks.iter().find(|ask| ask.question.role == Role::Translated("cvc5".into())).unwrap();
    assert_eq!(ask.whom, Whom::Solver("cvc5".into()));
    assert!(ask.question.script.text().starts_with(b"(declare-const s (Set Int))"));
    let question = hearing.add(ask);
    let model = "((define-fun s () (Set Int) (set.union (set.singleton 1) (set.singleton 2))))";
    let said = reply("cvc5@1.4.2", Answer::Sat, Some(model));
    hearing.hear(&target("cvc5@1.4.2"), Reply { question, ..said }, false);
    assert!(hearing.climb().is_empty());
    let Verdict::Findings(found) = hearing.verdict() else { panic!("{:?}", hearing.verdict()) };
    let first = (found[0].kind, found[0].culprit.as_deref(), found[0].at.question);
    assert_eq!(first, (FindingKind::RefutationUnsound, Some("z3@5.4.0"), 0));
    assert_eq!(found[0].evidence[0].kind, EvidenceKind::Model);
}
