//! Fuzzing of what decides: the model reader, the evaluator under a budget, and all our own procedures against each
//! other. Nothing panics, everything ends within its budget, and no two procedures contradict each other.
#![allow(clippy::unwrap_used, reason = "a test")]

use semantics::budget::Budget;
use semantics::eval::{self, Verdict};
use semantics::model::Model;
use semantics::{arithmetic, brute, finder, refute};
use smtlib::Script;
use std::path::Path;
use std::time::Duration;
use testkit::Fuzz;

const WORDS: &[&str] = &[
    "(assert",
    "(check-sat)",
    "true",
    "false",
    "=",
    "distinct",
    "and",
    "or",
    "not",
    "=>",
    "ite",
    "let",
    "forall",
    "exists",
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "abs",
    "to_real",
    "to_int",
    "<",
    "<=",
    "bvadd",
    "bvmul",
    "bvudiv",
    "bvurem",
    "bvshl",
    "concat",
    "(_ extract 3 0)",
    "#b0101",
    "#xff",
    "(_ bv5 8)",
    "fp.add",
    "fp.div",
    "RNE",
    "(_ NaN 5 11)",
    "(_ to_fp 5 11)",
    "str.++",
    "str.len",
    "str.at",
    "str.substr",
    "str.indexof",
    "str.replace",
    "str.in_re",
    "re.*",
    "re.++",
    "re.union",
    "re.comp",
    "(re.range \"a\" \"z\")",
    "\"ab\"",
    "select",
    "store",
    "((as const (Array Int Int)) 0)",
    "seq.unit",
    "seq.++",
    "(as seq.empty (Seq Int))",
    "set.singleton",
    "set.union",
    "(define-fun",
    "(declare-const",
    "(_ as-array f)",
    "(x Int)",
    "Int",
    "Real",
    "Bool",
    "String",
    "(- 1)",
    "(/ 1 3)",
    "(root-obj (+ (^ x 2) (- 2)) 2)",
    "(lambda",
    "k!0",
    "(as @a Int)",
];

fn small() -> eval::EvalLimits {
    eval::EvalLimits {
        steps: 100_000,
        bytes: 1 << 24,
        instances: 256,
        trials: 20,
        regex_steps: 50_000,
        ..eval::EvalLimits::DEFAULT
    }
}

/// Small scripts of this repository.
fn scripts(below: &str) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(below)];
    let mut found = vec![];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                let text = std::fs::read(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found.retain(|(_, text)| text.len() < 1500);
    found
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::True => "true",
        Verdict::False => "false",
        Verdict::Unknown(_) => "unknown",
    }
}

/// What each procedure says about the first check-sat: sat, unsat or nothing. What rests on a choice at a point that
/// the standard leaves open says nothing here.
fn opinions(script: &Script) -> Vec<(&'static str, Option<bool>)> {
    let budget = || Budget::new(60_000, 1 << 24);
    let mut all = vec![];
    let tried = brute::BruteLimits { work: 1 << 18, ..brute::BruteLimits::default() };
    all.push((
        "enumeration",
        match brute::decide(&mut script.clone(), 0, tried) {
            brute::Verdict::Sat(witness) => (!witness.underspecified).then_some(true),
            brute::Verdict::Unsat => Some(false),
            brute::Verdict::Unknown(_) => None,
        },
    ));
    all.push((
        "elimination",
        match arithmetic::decide(&mut script.clone(), 0, &budget()) {
            arithmetic::Decision::Sat(_) => Some(true),
            arithmetic::Decision::Unsat(_) => Some(false),
            arithmetic::Decision::Unknown(_) => None,
        },
    ));
    all.push((
        "finder",
        match finder::find(&mut script.clone(), 0, &[], &budget()) {
            finder::Found::Model(witness) => (!witness.underspecified).then_some(true),
            finder::Found::Unknown(_) => None,
        },
    ));
    let refuted = refute::refute(&mut script.clone(), 0, &Budget::new(120_000, 1 << 24));
    all.push(("refutation", refuted.ok().map(|_| false)));
    all
}

#[test]
fn evaluator() {
    let seeds = scripts("../corpus/seeds").into_iter().map(|(_, text)| text).collect();
    let fuzz = Fuzz { name: "evaluator", seeds, dictionary: WORDS, most: Duration::from_secs(20) };
    fuzz.run(|input| {
        let Ok(script) = Script::parse(input) else { return "does not parse".into() };
        if script.understood_checks() == 0 {
            return "asks nothing".into();
        }
        let report = eval::check::check_with(&script, &Model::default(), 0, small());
        let truths: Vec<&str> = report.assertions.iter().take(4).map(|a| word(&a.truth.value)).collect();
        let all = opinions(&script);
        let said =
            |answer: bool| all.iter().filter(move |(_, said)| *said == Some(answer)).map(|(who, _)| *who);
        let (sat, unsat): (Vec<_>, Vec<_>) = (said(true).collect(), said(false).collect());
        assert!(sat.is_empty() || unsat.is_empty(), "{sat:?} say sat and {unsat:?} say unsat");
        format!("{truths:?} {sat:?} {unsat:?} {}", script.commands.len().min(12))
    });
}

/// Between a script and a model of it.
const HERE: &[u8] = b"\n;;;model\n";

#[test]
fn model() {
    let mut seeds = vec![];
    for (path, text) in scripts("tests/models") {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        for entry in std::fs::read_dir(path.parent().unwrap()).unwrap() {
            let other = entry.unwrap().path();
            let name = other.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with(&format!("{stem}.")) && name.ends_with(".model") {
                seeds.push([&text, HERE, &std::fs::read(other).unwrap()].concat());
            }
        }
    }
    assert!(seeds.len() > 20, "{}", seeds.len());
    let fuzz = Fuzz { name: "model", seeds, dictionary: WORDS, most: Duration::from_secs(20) };
    fuzz.run(|input| {
        let at = input.windows(HERE.len()).position(|window| window == HERE).unwrap_or(input.len());
        let text = input.get(at + HERE.len()..).unwrap_or_default();
        let Ok(mut script) = Script::parse(&input[..at]) else { return "does not parse".into() };
        let model = match Model::parse(&mut script, text) {
            Ok(model) => model,
            Err(error) => {
                return error.to_string().chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
            }
        };
        let report = eval::check::check_with(&script, &model, 0, small());
        format!(
            "{} {} {}",
            word(&report.overall.value),
            model.notes.len().min(5),
            report.assertions.len().min(5)
        )
    });
}
