//! Where a rung ends: the neighbour of every case that it accuses in, and what is said to a reader. Each test was written
//! for a mutant of the code that no other test noticed.

use super::*;

/// A hearing about a formula that nothing of ours decides, with the answers of some targets.
fn heard(script: &str, said: &[(&str, Said)]) -> Court {
    said.iter().fold(Court::of(script), |court, (name, said)| court.hears(name, &[*said]))
}

#[test]
fn a_release_between_others_that_say_the_opposite_is_accused() {
    let others = [("z3@4.8.6", UNSAT), ("z3@4.8.12", UNSAT), ("z3@5.4.0", UNSAT)];
    let finding = heard(OPAQUE, &[&[("z3@4.8.9", SAT)][..], &others].concat()).accuses();
    assert_accusation(&finding, FindingKind::Inconsistent, &["z3@4.8.9"], EvidenceKind::Release);
    assert_eq!(finding.evidence[0].by, "z3@4.8.6, z3@4.8.12, z3@5.4.0");
    let others = [("z3@4.8.6", SAT), ("z3@4.8.12", SAT), ("z3@5.4.0", SAT)];
    let finding = heard(OPAQUE, &[&[("z3@4.8.9", UNSAT)][..], &others].concat()).accuses();
    assert_accusation(&finding, FindingKind::Inconsistent, &["z3@4.8.9"], EvidenceKind::Release);
}

#[test]
fn the_oldest_and_the_newest_release_may_be_right_against_all_others() {
    let others = [("z3@4.8.6", UNSAT), ("z3@4.8.9", UNSAT), ("z3@4.8.12", UNSAT)];
    for alone in ["z3@4.8.4", "z3@5.4.0"] {
        let finding = heard(OPAQUE, &[&[(alone, SAT)][..], &others].concat()).accuses();
        assert_accusation(&finding, FindingKind::Inconsistent, &[], EvidenceKind::Majority);
    }
}

#[test]
fn a_release_is_no_outlier_if_another_solver_agrees_with_it_or_few_releases_oppose_it() {
    let others = [("z3@4.8.6", UNSAT), ("z3@4.8.12", UNSAT), ("z3@5.4.0", UNSAT)];
    let agreed = [("z3@4.8.9", SAT), ("cvc5@1.4.2", SAT)];
    let finding = heard(OPAQUE, &[&agreed[..], &others].concat()).accuses();
    assert_accusation(&finding, FindingKind::Inconsistent, &[], EvidenceKind::Majority);
    let finding = heard(OPAQUE, &[&[("z3@4.8.9", SAT)][..], &others[..2]].concat()).accuses();
    assert_accusation(&finding, FindingKind::Inconsistent, &[], EvidenceKind::Majority);
    // Releases of another solver are neither before nor after it.
    let strangers = [("cvc5@1.0.0", UNSAT), ("cvc5@1.1.0", UNSAT), ("cvc5@1.4.2", UNSAT)];
    let finding = heard(OPAQUE, &[&[("z3@4.8.9", SAT)][..], &strangers].concat()).accuses();
    assert_accusation(&finding, FindingKind::Inconsistent, &[], EvidenceKind::Majority);
}

#[test]
fn those_who_give_the_right_answer_are_named_beside_the_certificate() {
    let model = with_model("((define-fun x () Int 1))");
    let said = [("z3@4.8.6", UNSAT), ("cvc5@1.4.2", model), ("bitwuzla@0.8.0", SAT), ("yices@2.6.4", UNSAT)];
    for finding in heard(POSITIVE, &said).accusations() {
        let vote = finding.evidence.iter().find(|evidence| evidence.kind == EvidenceKind::Majority).unwrap();
        assert_eq!((&*vote.by, &*vote.detail), ("cvc5@1.4.2, bitwuzla@0.8.0", "also say sat"));
    }
    let finding =
        heard(IMPOSSIBLE, &[("z3@4.8.6", SAT), ("cvc5@1.4.2", UNSAT), ("yices@2.6.4", UNSAT)]).accuses();
    let vote = finding.evidence.iter().find(|evidence| evidence.kind == EvidenceKind::Majority).unwrap();
    assert_eq!((&*vote.by, &*vote.detail), ("cvc5@1.4.2, yices@2.6.4", "also say unsat"));
}

#[test]
fn a_number_that_only_an_equation_describes_exists_or_does_not() {
    let root = |sort: &str, value: &str| {
        format!("(declare-const x {sort})(assert (= (* x x x) {value}))(check-sat)")
    };
    let finding = heard(&root("Real", "2.0"), &[("z3@4.8.6", UNSAT)]).accuses();
    assert_accusation(&finding, FindingKind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Evaluation);
    assert_eq!(finding.evidence[0].detail, "a number with these properties exists");
    let never = "(declare-const x Real)(assert (< (+ (* x x x x) 1.0) (* 1.5 x x)))(check-sat)";
    let finding = heard(never, &[("z3@4.8.6", SAT)]).accuses();
    assert_accusation(&finding, FindingKind::SolutionUnsound, &["z3@4.8.6"], EvidenceKind::Evaluation);
    assert_eq!(finding.evidence[0].detail, "no number has these properties");
}

#[test]
fn a_refutation_of_ours_accuses_a_lone_sat_and_certifies_a_lone_unsat() {
    let longer = "(declare-const s String)(declare-const t String)\
        (assert (str.prefixof s t))(assert (> (str.len s) (str.len t)))(check-sat)";
    let finding = heard(longer, &[("z3@4.8.6", SAT)]).accuses();
    assert_accusation(&finding, FindingKind::SolutionUnsound, &["z3@4.8.6"], EvidenceKind::Refutation);
    let mut court = heard(longer, &[("z3@4.8.6", UNSAT)]);
    court.0.climb();
    assert_eq!(court.0.verdict(), Verdict::Fine { certified: true });
    let fact = court.0.truth(At { question: 0, check: 0 }).unwrap();
    assert_eq!(fact.evidence.kind, EvidenceKind::Refutation);
}

#[test]
fn a_search_begins_with_models_of_neighbours_and_of_seeds() {
    // No search of ours finds such a pair without being told one that nearly fits.
    let script = "(declare-const x Int)(declare-const y Int)\
        (assert (= (* x y) 1000036000099))(assert (> x 1))(assert (> y 1))(assert (> y x))(check-sat)";
    let near = "((define-fun x () Int 1000003)(define-fun y () Int 1000033))";
    let alone = Court::of(script).hears("z3@4.8.6", &[UNSAT]);
    assert_eq!(alone.says().findings(), [], "the test is about what the neighbour knows");
    let mut case = Case::of_script(Parsed::read(script.as_bytes()).unwrap());
    case.hints = vec![near.into()];
    let finding = Court::of_case(&case).hears("z3@4.8.6", &[UNSAT]).accuses();
    assert_accusation(&finding, FindingKind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Model);
    // The same model, printed for another question of the case.
    case.hints = vec![];
    let other = "(declare-const x Int)(declare-const y Int)(assert (< 1 x y))(check-sat)";
    let script = Parsed::read(other.as_bytes()).unwrap();
    case.questions.push(Question { role: Role::Before, script, expects: vec![] });
    let court = Court::of_case(&case).hears("z3@4.8.6", &[UNSAT]);
    let finding = court.hears_about(1, "cvc5@1.4.2", reply(&[with_model(near)], Ended::ByItself)).accuses();
    assert_accusation(&finding, FindingKind::RefutationUnsound, &["z3@4.8.6"], EvidenceKind::Model);
}

#[test]
fn a_target_that_gives_up_by_itself_is_undecided_and_not_slow() {
    let took = |said: Said, ended: Ended, seconds: u64| Reply {
        cpu: Duration::from_secs(seconds),
        wall: Duration::from_secs(seconds),
        ..reply(&[said], ended)
    };
    let judged = |slow: Reply| {
        let fast = Reply { cpu: Duration::from_millis(5), ..reply(&[UNSAT], Ended::ByItself) };
        Court::of(OPAQUE).hears_about(0, "z3@5.4.0", slow).hears_about(0, "cvc5@1.4.2", fast).says()
    };
    let slow = judged(took(UNSAT, Ended::ByItself, 9));
    assert_accusation(&slow.findings()[0], FindingKind::Performance, &["z3@5.4.0"], EvidenceKind::Time);
    let late = judged(took(NOTHING, Ended::Cpu, 9));
    assert_accusation(&late.findings()[0], FindingKind::Performance, &["z3@5.4.0"], EvidenceKind::Time);
    assert_eq!(judged(took(UNKNOWN, Ended::ByItself, 9)).findings(), []);
    assert_eq!(judged(took(NOTHING, Ended::Memory, 9)).findings(), []);
}

#[test]
fn only_an_older_release_with_the_same_arguments_may_outdo_one_that_gave_up() {
    let court = heard(OPAQUE, &[("z3@4.8.9", UNKNOWN)]);
    let outdone = |name: &str| court.0.may_be_outdone_by(&target(name));
    assert!(outdone("z3@4.8.6"));
    for not in ["z3@4.8.9", "z3@5.4.0", "cvc5@1.0.0"] {
        assert!(!outdone(not), "{not}");
    }
    let with_options = Target { args: vec!["smt.arith.solver=2".into()], ..target("z3@4.8.6") };
    assert!(!court.0.may_be_outdone_by(&with_options));
    assert!(!heard(OPAQUE, &[("z3@4.8.9", UNSAT)]).0.may_be_outdone_by(&target("z3@4.8.6")));
}

#[test]
fn a_case_is_suspicious_if_something_contradicts_and_not_otherwise() {
    let is_suspicious = |court: Court| court.0.is_suspicious();
    let (one, zero) = ("((define-fun x () Int 1))", "((define-fun x () Int 0))");
    for quiet in [
        heard(OPAQUE, &[("z3@5.4.0", UNSAT), ("cvc5@1.4.2", UNSAT)]),
        heard(OPAQUE, &[("z3@5.4.0", UNSAT), ("cvc5@1.4.2", UNKNOWN)]),
        heard(POSITIVE, &[("z3@5.4.0", with_model(one)), ("cvc5@1.4.2", SAT)]),
        Court::expecting(OPAQUE, by_label(Expected::Unsat)).hears("z3@5.4.0", &[UNSAT]),
        Court::of(OPAQUE).hears_ending("z3@5.4.0", &[NOTHING], Ended::Wall),
    ] {
        assert!(!is_suspicious(quiet));
    }
    let crash = Ended::Crash { signal: Some(6), message: String::new(), wrapped: false };
    for loud in [
        heard(OPAQUE, &[("z3@5.4.0", UNSAT), ("cvc5@1.4.2", SAT)]),
        heard(POSITIVE, &[("z3@5.4.0", with_model(zero))]),
        heard(POSITIVE, &[("z3@5.4.0", with_model(one)), ("cvc5@1.4.2", UNSAT)]),
        Court::expecting(OPAQUE, by_label(Expected::Sat)).hears("z3@5.4.0", &[UNSAT]),
        Court::of(OPAQUE).hears_ending("z3@5.4.0", &[NOTHING], crash),
    ] {
        assert!(is_suspicious(loud));
    }
}

#[test]
fn a_model_is_described_by_twelve_values_and_the_number_of_the_others() {
    let detail = |constants: usize, value: &str| {
        let declared: String = (0..constants).map(|n| format!("(declare-const c{n} String)")).collect();
        let given: String =
            (0..constants).map(|n| format!("(define-fun c{n} () String \"{value}\")")).collect();
        let mut script =
            smtlib::Script::parse(format!("{declared}(assert true)(check-sat)").as_bytes()).unwrap();
        match oracle::check_model(&mut script, 0, format!("({given})").as_bytes(), Default::default()) {
            oracle::ModelCheck::Confirmed { detail, .. } => detail,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(detail(0, ""), "every assertion is true: nothing needs a value");
    assert_eq!(detail(2, "a"), "every assertion is true: c0 = \"a\", c1 = \"a\"");
    assert!(detail(12, "a").ends_with(", c11 = \"a\""));
    assert!(detail(13, "a").ends_with(", c11 = \"a\", and 1 more"));
    let long = detail(1, &"z".repeat(1000));
    assert!(long.len() < 450 && long.ends_with("zz…"), "{long}");
}

#[test]
fn wrong_is_what_was_said_or_done_and_not_what_is_slow_undecided_or_refused() {
    let harmless: Vec<&str> =
        FindingKind::ALL.into_iter().filter(|kind| !kind.is_soundness()).map(FindingKind::word).collect();
    let expected = [
        "incompleteness-regression",
        "incompleteness-implication",
        "performance-regression",
        "performance",
        "rejects-valid-input",
    ];
    assert_eq!(harmless, expected);
}
