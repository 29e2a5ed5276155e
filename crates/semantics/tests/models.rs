//! Models as solvers really print them: every file of `tests/models/` parses, and its definitions have the expected
//! meaning.
//!
//! `x.smt2` is a script, `x.z3-4.8.5.model` the output of that release for it. The folder was made by running the
//! releases in the file names, with the arguments of their profiles; `yices` is that solver's own notation, and
//! `yices_smt2` its output with its profile's arguments. If a model cannot be read exactly, its notes say so.

#![allow(clippy::unwrap_used, reason = "tests")]

use semantics::eval::Verdict;
use semantics::model::{Escapes, Model, ModelError, Notation};
use smtlib::Script;
use smtlib::printer::term_text;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")
}

/// Every golden model: its name, script and text.
fn golden() -> Vec<(String, Script, Vec<u8>)> {
    let mut all = vec![];
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if let Some(stem) = name.strip_suffix(".model") {
            let script = folder().join(format!("{}.smt2", stem.split('.').next().unwrap()));
            let script = Script::parse(&std::fs::read(script).unwrap()).unwrap();
            all.push((stem.to_owned(), script, std::fs::read(&path).unwrap()));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// How a release writes values.
fn notation(name: &str) -> Notation {
    let old = ["z3-4.8.5", "z3-4.8.6", "z3-4.8.9"];
    let legacy = old.iter().any(|release| name.ends_with(release));
    let escapes = if legacy { Escapes::Legacy } else { Escapes::Standard };
    Notation { escapes, rounds: name.contains("yices") }
}

#[test]
fn every_golden_model_parses() {
    let golden = golden();
    assert!(golden.len() > 150, "only {} models found", golden.len());
    let mut failures = vec![];
    for (name, mut script, text) in golden {
        match Model::parse_with(&mut script, &text, notation(&name)) {
            Ok(model) if model.functions.is_empty() && model.opaque.is_empty() => {
                failures.push(format!("{name}: defines nothing: {:?}", model.notes));
            }
            Ok(_) => {}
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Golden models that are not models, or not models of the script as it is, with the reason.
const FALSE: &[(&str, &str)] = &[
    ("sequences.cvc5-1.1.2", "a bug of that release: it prints the elements of a sequence in reverse"),
    ("strings.z3-4.8.9", "that release reads \\u{1F600} in the script as nine characters"),
    ("strings_old.z3-4.8.5", "the script's escapes had another meaning before 4.8.10"),
    ("strings_old.z3-4.8.6", "the script's escapes had another meaning before 4.8.10"),
    ("strings_old.z3-4.8.9", "the script's escapes had another meaning before 4.8.10"),
];

#[test]
fn the_evaluator_refutes_no_golden_model() {
    let mut failures = vec![];
    let (mut sure, mut all) = (0, 0);
    for (name, mut script, text) in golden() {
        let model = Model::parse_with(&mut script, &text, notation(&name)).unwrap();
        let report = semantics::eval::check(&script, &model, script.checks() - 1);
        all += 1;
        sure += usize::from(report.overall.value == Verdict::True);
        let known = FALSE.iter().any(|(known, _)| *known == name);
        if (report.overall.value == Verdict::False) != known {
            failures.push(format!("{name}: {:?}", report.overall.value));
        }
        if let Verdict::Unknown(reason) = report.overall.value {
            println!("{name}: {reason}");
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    // The others have quantifiers over infinite sorts, rounded numbers or algebraic numbers beyond the limits.
    assert!(sure * 100 >= all * 87, "only {sure} of {all} are confirmed");
}

#[test]
fn every_golden_model_defines_every_symbol_that_its_asserts_need() {
    // A solver may leave out irrelevant symbols, so this checks only the releases that never do.
    for (name, mut script, text) in golden() {
        if !(name.contains("cvc5") || name.contains("cvc4") || name.contains("bitwuzla")) {
            continue;
        }
        let model = Model::parse(&mut script, &text).unwrap();
        for command in &script.commands {
            if let smtlib::Command::DeclareFun { decl, .. } = command
                && !name.starts_with("scopes")
            {
                let symbol = script.pool.name(script.pool.decl(*decl).name).into_owned();
                assert!(model.functions.contains_key(decl), "{name} says nothing about {symbol}");
            }
        }
    }
}

fn script(text: &str) -> Script {
    Script::parse(text.as_bytes()).unwrap()
}

/// The body of a symbol's definition as text.
fn body(script: &Script, model: &Model, name: &str) -> String {
    let (_, definition) = model
        .functions
        .iter()
        .find(|(decl, _)| script.pool.name(script.pool.decl(**decl).name) == name)
        .unwrap_or_else(|| panic!("no definition of {name}"));
    term_text(&script.pool, definition.body)
}

#[test]
fn a_function_of_the_model_may_be_used_before_its_definition() {
    let mut script = script("(declare-fun f (Int) Int)(declare-fun a () (Array Int Int))(check-sat)");
    let text = b"(model (define-fun a () (Array Int Int) (_ as-array k!0))
        (define-fun f ((x!0 Int)) Int (k!1 (k!0 x!0)))
        (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 3) 4 5))
        (define-fun k!1 ((x!0 Int)) Int (+ x!0 1)))";
    let model = Model::parse(&mut script, text).unwrap();
    assert_eq!(body(&script, &model, "f"), "(k!1 (k!0 x!0))");
    assert_eq!(body(&script, &model, "a"), "(_ as-array k!0)");
}

#[test]
fn names_are_resolved_by_rank() {
    let mut script = script("(declare-fun f (Int) Int)(declare-fun f (Bool) Int)(check-sat)");
    let text = b"((define-fun f ((x Bool)) Int 1) (define-fun f ((x Int)) Int 2))";
    let model = Model::parse(&mut script, text).unwrap();
    let mut values: Vec<(usize, String)> = model
        .functions
        .iter()
        .map(|(_, d)| (d.vars[0].1.0 as usize, term_text(&script.pool, d.body)))
        .collect();
    values.sort();
    assert_eq!(values, [(0, "1".to_owned()), (1, "2".to_owned())]);
}

#[test]
fn qualifiers_that_z3_leaves_out_are_put_back() {
    let mut script = script(
        "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))
         (declare-fun l () (L (L Int)))(declare-fun f ((L Int)) Bool)(check-sat)",
    );
    let text = b"((define-fun l () (L (L Int)) (let ((a!1 (cons 1 nil))) (cons a!1 (cons nil nil))))
        (define-fun f ((x!0 (L Int))) Bool (ite (= x!0 (cons 2 nil)) false true)))";
    let model = Model::parse(&mut script, text).unwrap();
    let (list, lists) = ("(as nil (L Int))", "(as nil (L (L Int)))");
    let (one, many) = ("(as cons (L Int))", "(as cons (L (L Int)))");
    assert_eq!(body(&script, &model, "l"), format!("({many} ({one} 1 {list}) ({many} {list} {lists}))"));
    assert_eq!(body(&script, &model, "f"), format!("(ite (= x!0 ({one} 2 {list})) false true)"));
}

#[test]
fn choices_at_under_specified_points_are_kept_separately() {
    let mut script = script("(declare-fun x () Int)(check-sat)");
    let text = b"((define-fun x () Int 1) (define-fun div0 ((a Int) (b Int)) Int 7)
        (define-fun fp.to_ubv_unspecified ((a (_ BitVec 3)) (b (_ BitVec 8))) (_ BitVec 8) b))";
    let model = Model::parse(&mut script, text).unwrap();
    let names: Vec<&str> = model.under.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["div0", "fp.to_ubv_unspecified"]);
    assert_eq!(model.functions.len(), 1);
}

#[test]
fn the_model_of_a_check_uses_the_scope_of_that_check() {
    let text = "(declare-fun y () Int)(push 1)(declare-fun x () Bool)(assert x)(check-sat)(pop 1)";
    let mut script = script(text);
    let model = Model::parse(&mut script, b"((define-fun x () Bool true))").unwrap();
    assert_eq!(body(&script, &model, "x"), "true");
}

#[test]
fn old_escapes_are_read_as_the_release_meant_them() {
    let mut script = script("(declare-fun s () String)(check-sat)");
    let text = br#"(model (define-fun s () String "\x41\n\\u"))"#;
    let model = Model::parse_with(&mut script, text, Escapes::Legacy).unwrap();
    assert_eq!(body(&script, &model, "s"), r#""A\u{a}\u{5c}u""#);
    let model = Model::parse(&mut script, text).unwrap();
    assert_eq!(body(&script, &model, "s"), r#""\x41\n\\u""#);
}

#[test]
fn rounded_values_make_a_symbol_opaque_and_nothing_else() {
    let mut script = script("(declare-fun x () Real)(declare-fun y () Real)(check-sat)");
    let model = Model::parse(&mut script, b"(= x -1.414214)\n(= y (/ 1 3))").unwrap();
    assert_eq!(model.opaque.len(), 1);
    assert_eq!(body(&script, &model, "y"), "(/ 1 3)");
}

#[test]
fn tables_of_yices_become_stores_and_cases() {
    let mut script = script("(declare-fun a () (Array Int Int))(declare-fun f (Int Int) Bool)(check-sat)");
    let text =
        b"(= a @fun_1)(= f @fun_2)(function @fun_1 (type (Array Int Int)) (= (@fun_1 1) 5) (default 6))
        (function @fun_2 (type (FunType2 Int Int Bool)) (= (@fun_2 1 2) true) (default false))";
    let model = Model::parse(&mut script, text).unwrap();
    assert_eq!(body(&script, &model, "a"), "(store ((as const (Array Int Int)) 6) 1 5)");
    assert_eq!(body(&script, &model, "f"), "(ite (and true (= x!0 1) (= x!1 2)) true false)");
}

#[test]
fn an_algebraic_number_is_one_literal() {
    let mut script = script("(declare-fun x () Real)(declare-fun y () Real)(check-sat)");
    let text = b"((define-fun x () Real (+ 1.0 (root-obj (+ (^ x 2) (- 2)) 1)))
        (define-fun y () Real (_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)))";
    let model = Model::parse(&mut script, text).unwrap();
    assert_eq!(body(&script, &model, "x"), "(+ 1.0 (root-obj (+ (^ x 2) (- 2)) 1))");
    assert_eq!(body(&script, &model, "y"), "(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)");
}

#[test]
fn text_that_is_not_a_model_is_an_error() {
    for text in ["(error \"line 3: model is not available\")", "unsat", "", "timeout", "(a b c)"] {
        let error = Model::parse(&mut script("(declare-fun x () Int)"), text.as_bytes()).unwrap_err();
        assert!(matches!(error, ModelError::NotAModel(_)), "{text}: {error}");
    }
}

#[test]
fn mistakes_are_reported_with_their_position() {
    let cases = [
        (
            "(\n(define-fun x () Int (foo 1)))",
            "line 2, column 23 of the model, in the definition of `x`: `foo` is not declared",
        ),
        (
            "((define-fun x () Int true))",
            "line 1, column 23 of the model, in the definition of `x`: the body has sort Bool, but `x` was declared with result Int",
        ),
        (
            "((define-fun x () Real 1.0))",
            "line 1, column 2 of the model: `x` is declared as Int, not as Real",
        ),
        ("((define-fun x () Int 1)", "line 1, column 1 of the model: this parenthesis is never closed"),
    ];
    for (text, message) in cases {
        let error = Model::parse(&mut script("(declare-fun x () Int)"), text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn definitions_of_the_script_itself_are_skipped_with_a_note() {
    let mut script = script("(define-fun f ((x Int)) Int x)(declare-fun y () Int)(check-sat)");
    let model =
        Model::parse(&mut script, b"((define-fun f ((x Int)) Int 3)(define-fun y () Int 1))").unwrap();
    assert_eq!(model.functions.len(), 1);
    assert_eq!(model.notes, ["`f` is defined by the script itself"]);
}

/// As Yices prints with its profile's option for the standard's notation.
const ROUNDS: Notation = Notation { escapes: Escapes::Standard, rounds: true };

#[test]
fn rounded_decimals_are_opaque_in_the_standards_notation_too() {
    let text =
        "(declare-fun x () Real)(declare-fun y () Real)(declare-fun z () Real)(declare-fun f (Real) Real)
        (declare-fun n () Real)(assert (= (* x x) 2.0))(check-sat)";
    let model = b"(model (define-fun x () Real 1.414214)(define-fun y () Real (- 3.0))
        (define-fun z () Real (/ (- 1) 3))(define-fun n () Real 3.000000)
        (define-fun f ((x!0 Real)) Real (ite (= x!0 -1.414214) (/ 5 2) 0.0)))";
    let mut rounding = script(text);
    let read = Model::parse_with(&mut rounding, model, ROUNDS).unwrap();
    let names = |script: &Script, model: &Model| {
        let mut names: Vec<String> =
            model.opaque.keys().map(|&d| script.pool.name(script.pool.decl(d).name).into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&rounding, &read), ["f", "n", "x"]);
    assert_eq!(body(&rounding, &read, "y"), "(- 3.0)");
    let verdict = semantics::eval::check(&rounding, &read, 0).overall.value;
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    // The same text from a solver that does not round is exact.
    let mut exact = script(text);
    let read = Model::parse(&mut exact, model).unwrap();
    assert_eq!(semantics::eval::check(&exact, &read, 0).overall.value, Verdict::False);
}

#[test]
fn arrays_printed_as_functions_are_arrays() {
    let mut script = script(
        "(declare-const a (Array Int Int))(declare-const b (Array Int (Array Int Int)))
         (declare-fun f (Int) (Array Int Int))
         (assert (= (select a 3) 4))(assert (= a (store a 3 4)))(assert (= (select (select b 1) 2) 7))
         (assert (= (select (f 1) 2) 9))(assert (distinct a (select b 1)))(check-sat)",
    );
    let text = b"((define-fun a ((x!0 Int)) Int (ite (= x!0 3) 4 0))
        (define-fun b ((x!0 Int) (x!1 Int)) Int (ite (= x!0 1) 7 8))
        (define-fun f ((x!0 Int) (x!1 Int)) Int (ite (= x!0 1) 9 8)))";
    let model = Model::parse(&mut script, text).unwrap();
    assert_eq!(semantics::eval::check(&script, &model, 0).overall.value, Verdict::True);
    let wrong = b"((define-fun a ((x!0 Int)) Int 0))";
    let model = Model::parse(&mut script, wrong).unwrap();
    assert_eq!(semantics::eval::check(&script, &model, 0).overall.value, Verdict::False);
}

/// The truth of each assertion.
fn truths(script: &Script, model: &Model) -> Vec<Verdict> {
    semantics::eval::check(script, model, 0).assertions.iter().map(|a| a.truth.value).collect()
}

#[test]
fn a_bad_definition_affects_only_what_depends_on_it() {
    let mut script = script(
        "(declare-const x Int)(declare-const y Int)(declare-const z Int)
         (assert (> x 0))(assert (> y 0))(assert (> z 0))(check-sat)",
    );
    let text = b"((define-fun x () Int 0)(define-fun y () Int (nobody 1))(define-fun z () Int (k!1 1))
        (define-fun k!1 ((n Int)) Int (nobody n)))";
    let model = Model::parse(&mut script, text).unwrap();
    let [x, y, z] = truths(&script, &model)[..] else { panic!() };
    assert_eq!(x, Verdict::False);
    assert!(matches!((y, z), (Verdict::Unknown(_), Verdict::Unknown(_))), "{y:?} {z:?}");
}

#[test]
fn an_element_of_any_other_name_makes_the_list_of_elements_incomplete() {
    let mut script = script(
        "(declare-sort U 0)(declare-const a U)(declare-const b U)
         (assert (forall ((x U)) (= x a)))(assert (distinct a b))(check-sat)",
    );
    for stranger in ["(as @default U)", "(as @U U)", "(as @V_0 U)"] {
        let text = format!("((declare-fun e () U)(define-fun a () U e)(define-fun b () U {stranger}))");
        let model = Model::parse(&mut script, text.as_bytes()).unwrap();
        let [all, distinct] = truths(&script, &model)[..] else { panic!() };
        assert!(all != Verdict::True && distinct != Verdict::False, "{stranger}: {all:?} {distinct:?}");
    }
}

#[test]
fn an_element_that_z3_does_not_declare_is_an_element() {
    let mut script = script(
        "(declare-sort U 0)(declare-const u U)(declare-const v U)(declare-const n Int)
         (assert (= u v))(assert (> n 0))(assert (forall ((x U)) (= x u)))(check-sat)",
    );
    let text = b"((declare-fun U!val!1 () U)(define-fun u () U U!val!0)(define-fun v () U U!val!1)
        (define-fun n () Int 1))";
    let model = Model::parse(&mut script, text).unwrap();
    assert!(model.universe.is_empty(), "the list was not complete");
    let [equal, positive, all] = truths(&script, &model)[..] else { panic!() };
    assert_eq!((equal, positive), (Verdict::False, Verdict::True));
    assert!(all != Verdict::True, "{all:?}");
}

#[test]
fn a_symbol_that_a_model_defines_twice_is_opaque() {
    let mut script =
        script("(declare-const x Int)(declare-const y Int)(assert (= x 1))(assert (= y 2))(check-sat)");
    let text = b"((define-fun x () Int 1)(define-fun x () Int 2)(define-fun y () Int (k!0 0))
        (define-fun k!0 ((n Int)) Int 2)(define-fun k!0 ((n Int)) Int 3))";
    let model = Model::parse(&mut script, text).unwrap();
    assert!(truths(&script, &model).iter().all(|truth| matches!(truth, Verdict::Unknown(_))));
    let same = b"((define-fun x () Int 1)(define-fun x () Int 1)(define-fun y () Int 2))";
    let model = Model::parse(&mut script, same).unwrap();
    assert_eq!(truths(&script, &model), [Verdict::True; 2]);
}

#[test]
fn functions_of_one_model_are_not_those_of_another() {
    let mut script = script("(declare-const a (Array Int Int))(assert (= (select a 0) 1))(check-sat)");
    let text = |value: u8| {
        format!(
            "((define-fun a () (Array Int Int) (_ as-array k!0))
              (define-fun k!0 ((x Int)) Int (ite (= x 0) {value} 5)))"
        )
    };
    for (value, truth) in [(1, Verdict::True), (2, Verdict::False), (1, Verdict::True)] {
        let model = Model::parse(&mut script, text(value).as_bytes()).unwrap();
        assert_eq!(truths(&script, &model), [truth], "{value}");
    }
    // A name that only an earlier model defines is undeclared in this one.
    let dangling = b"((define-fun a () (Array Int Int) (_ as-array k!0)))";
    if let Ok(model) = Model::parse(&mut script, dangling) {
        let [truth] = truths(&script, &model)[..] else { panic!() };
        assert!(matches!(truth, Verdict::Unknown(_)), "{truth:?}");
    }
}
