//! Scripts that solvers interpret differently accuse no solver, and the same scripts without the difference still do.
//!
//! Each row is an answer of real releases: z3 5.4.0 takes `(sin 0)` for its own sine although the script declares a
//! `sin`, reads `|!|` as `!`, and does not take `\u{110000}` for nine characters.

#![allow(clippy::unwrap_used, reason = "a test")]

use oracle::{Effort, Hearing, Verdict};
use smtlib::Parsed;
use solver::{Answer, Check, Profiles, Reply, Target, Version};
use strategy::Case;

fn target(solver: &str, version: &str) -> Target {
    Target {
        name: solver.into(),
        profile: Profiles::embedded().get(solver),
        command: vec![],
        args: vec![],
        version: Version::parse(version),
        hash: String::new(),
        path: solver.into(),
    }
}

fn reply(answer: Answer, model: Option<&str>) -> Reply {
    let model = model.map(|text| text.as_bytes().to_vec());
    let checks = vec![Check { answer: Some(answer), model, ..Check::default() }];
    Reply { checks, ..Reply::default() }
}

/// The verdict when z3 gives one answer, with or without a model, and cvc5 the other.
fn verdict(script: &str, z3: (Answer, Option<&str>), cvc5: (Answer, Option<&str>)) -> Verdict {
    let case = Case::of_script(Parsed::read(script.as_bytes()).unwrap());
    let mut hearing = Hearing::new(&case, Effort { enumerate_always: false, ..Effort::thorough() });
    for (solver, version, (answer, model)) in [("z3", "5.4.0", z3), ("cvc5", "1.4.2", cvc5)] {
        hearing.hear(&target(solver, version), Reply { target: solver.into(), ..reply(answer, model) }, true);
    }
    hearing.climb();
    hearing.verdict()
}

#[track_caller]
fn accuses_no_solver(script: &str, z3: (Answer, Option<&str>), cvc5: (Answer, Option<&str>)) {
    let said = verdict(script, z3, cvc5);
    assert!(matches!(said, Verdict::Inconclusive(_)), "{script}: {said:?}");
}

const UNSAT: (Answer, Option<&str>) = (Answer::Unsat, None);

#[test]
fn an_operator_of_z3_that_overrides_a_declared_function_accuses_no_solver() {
    for name in ["sin", "exp", "ln", "asinh"] {
        let script = format!("(declare-fun {name} (Int) Int)(assert (= ({name} 0) 5))(check-sat)");
        let model = format!("((define-fun {name} ((x Int)) Int 5))");
        accuses_no_solver(&script, UNSAT, (Answer::Sat, Some(&model)));
        let wrong = format!("((define-fun {name} ((x Int)) Int 0))");
        accuses_no_solver(&script, (Answer::Sat, Some(&wrong)), (Answer::Unknown, None));
        // A solver without such an operator is accused as usual.
        let finding = verdict(&script, (Answer::Sat, Some(&model)), UNSAT);
        assert_eq!(finding.findings()[0].culprits(), ["cvc5"], "{name}");
    }
}

#[test]
fn a_reserved_word_in_bars_accuses_no_solver() {
    let function = "(declare-fun |!| (Int) Int)(assert (= (|!| 1) 5))(check-sat)";
    accuses_no_solver(function, UNSAT, (Answer::Sat, Some("((define-fun |!| ((x Int)) Int 5))")));
    let sort = "(declare-sort |as| 0)(declare-const x |as|)(assert (= x x))(check-sat)";
    accuses_no_solver(sort, UNSAT, (Answer::Sat, Some("((define-fun x () |as| (as @a |as|)))")));
    let variable = "(assert (exists ((|_| Bool)) |_|))(check-sat)";
    accuses_no_solver(variable, UNSAT, (Answer::Sat, Some("()")));
}

#[test]
fn an_invalid_escape_accuses_no_solver() {
    for literal in ["\\u{110000}", "\\u{}", "\\u12", "\\u{12", "a\\u{3FFFF}"] {
        let script = format!("(declare-const s String)(assert (= s \"{literal}\"))(check-sat)");
        let model = format!("((define-fun s () String \"{literal}\"))");
        accuses_no_solver(&script, UNSAT, (Answer::Sat, Some(&model)));
    }
    let script = "(declare-const s String)(assert (= s \"\\u{2FFFF}\"))(check-sat)";
    let model = "((define-fun s () String \"\\u{2ffff}\"))";
    assert_eq!(verdict(script, UNSAT, (Answer::Sat, Some(model))).findings()[0].culprits(), ["z3"]);
}

/// The verdict when only an old z3 answers.
fn alone(version: &str, script: &str, answer: (Answer, Option<&str>)) -> Verdict {
    let case = Case::of_script(Parsed::read(script.as_bytes()).unwrap());
    let mut hearing = Hearing::new(&case, Effort::thorough());
    let reply = Reply { target: "z3".into(), ..reply(answer.0, answer.1) };
    hearing.hear(&target("z3", version), reply, true);
    hearing.climb();
    hearing.verdict()
}

#[test]
fn an_old_escape_is_no_excuse_where_every_reading_has_the_same_answer() {
    // From the retrigger test of yinyang: z3 4.8.6 says unsat to fusions of this formula.
    let script = r#"(declare-const m String)(declare-const n String)(declare-const x String)
        (assert (= (str.++ x "a") (str.++ m n)))
        (assert (str.in.re n (re.* (re.union (str.to.re "a") (str.to.re "_o|'\t'}RC+:'\t'\\^S_c")))))
        (assert (> (str.to.int x) (str.len m)))(check-sat)"#;
    let said = alone("4.8.6", script, UNSAT);
    assert_eq!(said.findings()[0].culprits(), ["z3"], "{said:?}");
    // What depends on how the literal is read accuses no solver.
    for script in [
        r#"(assert (= (str.len "\t") 2))(check-sat)"#,
        r#"(declare-const s String)(assert (= s (str.++ s "\n")))(assert (= (str.len "\\") 2))(check-sat)"#,
        r#"(assert (= "\u{41}" "A"))(check-sat)"#,
    ] {
        let said = alone("4.8.6", script, UNSAT);
        assert!(said.findings().is_empty(), "{script}: {said:?}");
    }
    // In every reading there are two or one characters, never three.
    let script = r#"(declare-const s String)(assert (= s "\t"))(assert (= (str.len s) 3))(check-sat)"#;
    let said = alone("4.8.6", script, (Answer::Sat, None));
    assert_eq!(said.findings()[0].culprits(), ["z3"], "{said:?}");
}

#[test]
fn a_model_that_fails_in_every_reading_is_invalid_and_one_that_fails_in_some_is_not() {
    let script = r#"(declare-const s String)(assert (= s "\t"))(check-sat)"#;
    let said = alone("4.8.6", script, (Answer::Sat, Some(r#"((define-fun s () String "ab"))"#)));
    assert_eq!(said.findings()[0].culprits(), ["z3"], "{said:?}");
    let said = alone("4.8.6", script, (Answer::Sat, Some(r#"((define-fun s () String "\x09"))"#)));
    assert!(said.findings().is_empty(), "{said:?}");
}
