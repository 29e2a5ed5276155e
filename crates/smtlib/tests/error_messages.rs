//! Every error message, as the user sees it: `errors/NAME.smt2` must be rejected with exactly `errors/NAME.expect`.
//!
//! Run with `FALSUM_BLESS=1` to write the expectations, then read the difference as a user would: what is wrong,
//! where, why, and what to do about it.

#![allow(clippy::unwrap_used)]

use smtlib::{ErrorKind, ReadLimits, Script};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "smt2")).collect();
    cases.sort();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    cases
}

fn name(case: &Path) -> String {
    case.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn every_message_is_the_expected_one() {
    let bless = std::env::var_os("FALSUM_BLESS").is_some();
    let mut wrong = vec![];
    for case in cases() {
        let source = std::fs::read(&case).unwrap();
        let found = match Script::parse(&source) {
            Ok(_) => "accepted\n".to_owned(),
            Err(error) => error.render(&name(&case), &source),
        };
        let expect = case.with_extension("expect");
        if bless {
            std::fs::write(&expect, &found).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&expect).unwrap_or_default();
        if found != expected {
            wrong.push(format!("--- {} expected\n{expected}--- found\n{found}", name(&case)));
        }
    }
    assert!(wrong.is_empty(), "{} messages differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_script_with_an_error_is_rejected() {
    for case in cases() {
        let source = std::fs::read(&case).unwrap();
        assert!(Script::parse(&source).is_err(), "{} is accepted", name(&case));
    }
}

/// The name of a variant, without its fields.
fn variant(kind: &ErrorKind) -> String {
    let debug = format!("{kind:?}");
    debug.split([' ', '(', '{']).next().unwrap().to_owned()
}

#[test]
fn every_kind_of_error_has_an_expected_message() {
    // These need an input that is too large to check in, or limits other than the default.
    let elsewhere = ["TooManyBytes", "TooDeep", "TooManyDigits", "TooManyTerms"];
    let mut seen: BTreeSet<String> = elsewhere.into_iter().map(str::to_owned).collect();
    for case in cases() {
        if let Err(error) = Script::parse(&std::fs::read(&case).unwrap()) {
            seen.insert(variant(&error.kind));
        }
    }
    let source = include_str!("../src/error.rs");
    let body = source.split("pub enum ErrorKind {").nth(1).unwrap().split("\n}").next().unwrap();
    let all: BTreeSet<String> = body
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|line| line.split([' ', ',', '(', '{']).next().unwrap().to_owned())
        .collect();
    let unseen: Vec<_> = all.difference(&seen).collect();
    assert!(all.len() > 40 && unseen.is_empty(), "no case shows {unseen:?}");
}

#[test]
fn input_over_a_limit_is_an_error_with_a_position_and_a_hint() {
    let limits = ReadLimits { bytes: 60, depth: 5, digits: 4, width: 8, nodes: 6 };
    let cases = [
        ("(check-sat) ; a comment that makes this script longer than the limit", "TooManyBytes", (1, 1)),
        ("(assert\n(not (not (not (not (not (not true)))))))", "TooDeep", (2, 26)),
        ("(assert (= 1 12345))", "TooManyDigits", (1, 14)),
        ("(assert (= #x000 #x000))", "TooWide", (1, 12)),
        ("(assert\n(= 1 2 3 4 5 6 7 8))", "TooManyTerms", (2, 1)),
    ];
    for (source, kind, (line, column)) in cases {
        let error = Script::parse_with(source.as_bytes(), limits).err().unwrap();
        assert_eq!(variant(&error.kind), kind, "{source}");
        let place = error.position(source.as_bytes());
        assert_eq!((place.line, place.column), (line, column), "{source}");
        assert!(error.render("x.smt2", source.as_bytes()).contains("hint: "), "{source}");
    }
}
