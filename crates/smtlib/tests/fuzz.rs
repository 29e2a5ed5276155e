//! Fuzzing of lexer, parser and printer: nothing panics, and every script that parses is printed so that it is parsed
//! again as the same terms, in both formats.
//!
//! `parser` is the target that `fuzz/run` gives more time; the others are properties.
//!
//! The test is deterministic: a run with more cases (`FALSUM_FUZZ_CASES=100000`) begins with those of a run with
//! fewer.

#![allow(clippy::unwrap_used)]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use smtlib::lexer::{Lexer, TokenKind};
use smtlib::printer::Format;
use smtlib::round_trip::{self, Broken};
use smtlib::{ReadLimits, Script};
use std::cell::Cell;
use std::path::Path;

fn runner(share: u32) -> TestRunner {
    let cases = std::env::var("FALSUM_FUZZ_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000u32);
    let config = Config { cases: (cases / share).max(1), failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Parses and, if that works, round-trips. Returns whether it parsed.
fn holds(source: &[u8]) -> Result<bool, TestCaseError> {
    let show = || String::from_utf8_lossy(source).into_owned();
    let script = match Script::parse(source) {
        Ok(script) => script,
        Err(error) => {
            let shown = error.render("fuzz.smt2", source);
            prop_assert!(shown.starts_with("error: "));
            return Ok(false);
        }
    };
    for format in [Format::Faithful, Format::Canonical] {
        let broken = match round_trip::check(&script, format, ReadLimits::default()) {
            Ok(()) => continue,
            Err(Broken::Rejected(error, printed)) => error.render("printed", &printed),
            Err(other) => other.to_string(),
        };
        return Err(TestCaseError::fail(format!("{format:?}: {broken}\nsource: {}", show())));
    }
    Ok(true)
}

#[test]
fn no_bytes_make_it_panic() {
    runner(1).run(&vec(any::<u8>(), 0..300), |bytes| holds(&bytes).map(|_| ())).unwrap();
}

const WORDS: &str = "( ( ( ( ) ) ) ) assert declare-const declare-fun define-fun check-sat push pop set-logic let \
    forall exists match ! _ as par lambda x y z f Int Bool Real String Array BitVec Set (_ true false = and or not ite \
    + - * / < <= div mod bvadd concat extract select store const str.++ str.len seq.unit seq.empty is update 0 1 2 \
    3.5 #x0f #b1 #f3m7 \"a\" \"\" |q s| :named :pattern ; | \" # : @ . ~ bv3 (x Int) ((x Int)) (assert (let ((x \
    (declare-const x Int) (declare-fun f (Int Bool) Real) (declare-datatypes ((L 0)) (((nil)(cons(h Int)(t L))))) \
    (define-sort S (T) (Array T T)) (push 1) (pop 1) (reset) (check-sat) declare-datatype ALL QF_LRA HO_ALL";

#[test]
fn no_sequence_of_random_tokens_makes_it_panic() {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let soup = vec((select(words), select(vec![" ", " ", " ", "\n", ""])), 0..60);
    runner(1)
        .run(&soup, |parts| {
            let text: String = parts.iter().flat_map(|&(word, gap)| [word, gap]).collect();
            holds(text.as_bytes()).map(|_| ())
        })
        .unwrap();
}

/// Scripts to start from: those of this crate's tests and the seeds of the repository.
fn scripts() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pending = vec![root.join("tests/accepts"), root.join("../corpus/seeds")];
    let mut paths = vec![];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// The tokens of a script as texts.
fn tokens(source: &[u8]) -> Vec<Vec<u8>> {
    let mut lexer = Lexer::new(source);
    let mut found = vec![];
    loop {
        let token = lexer.next_token().unwrap();
        if token.kind == TokenKind::End {
            return found;
        }
        found.push(source[token.span.range()].to_vec());
    }
}

#[derive(Clone, Debug)]
enum Edit {
    Delete(Index),
    Double(Index),
    Swap(Index, Index),
    Copy(Index, Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let one = prop_oneof![
        any::<Index>().prop_map(Edit::Delete),
        any::<Index>().prop_map(Edit::Double),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Edit::Swap(a, b)),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Edit::Copy(a, b)),
    ];
    vec(one, 1..3)
}

fn edited(mut tokens: Vec<Vec<u8>>, edits: &[Edit]) -> Vec<u8> {
    for edit in edits {
        if tokens.is_empty() {
            break;
        }
        let len = tokens.len();
        match edit {
            Edit::Delete(at) => drop(tokens.remove(at.index(len))),
            Edit::Double(at) => tokens.insert(at.index(len), tokens[at.index(len)].clone()),
            Edit::Swap(a, b) => tokens.swap(a.index(len), b.index(len)),
            Edit::Copy(from, to) => tokens[to.index(len)] = tokens[from.index(len)].clone(),
        }
    }
    tokens.join(&b' ')
}

#[test]
fn edited_scripts_still_round_trip_or_are_rejected() {
    let scripts: Vec<_> = scripts().iter().map(|source| tokens(source)).collect();
    assert!(scripts.len() > 100);
    let accepted = Cell::new(0);
    let input = (any::<Index>(), edits());
    let mut runner = runner(1);
    let cases = runner.config().cases;
    runner
        .run(&input, |(script, edits)| {
            let source = edited(scripts[script.index(scripts.len())].clone(), &edits);
            accepted.set(accepted.get() + u32::from(holds(&source)?));
            Ok(())
        })
        .unwrap();
    // If almost nothing parsed, the printer would not be tested.
    assert!(accepted.get() > cases / 20, "only {} of {cases} edits still parse", accepted.get());
}

#[test]
fn parser() {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let fuzz = testkit::Fuzz {
        name: "parser",
        seeds: scripts().into_iter().filter(|text| text.len() < 3000).collect(),
        dictionary: &words,
        most: std::time::Duration::from_secs(10),
    };
    fuzz.run(|input| match (holds(input), Script::parse(input)) {
        (Err(broken), _) => panic!("{broken}"),
        (_, Ok(script)) => format!("{} {}", script.commands.len().min(20), script.pool.len().min(200) / 8),
        (_, Err(error)) => {
            let said = error.render("fuzz.smt2", input);
            said.lines().next().unwrap_or_default().chars().filter(|c| !c.is_ascii_digit()).take(60).collect()
        }
    });
}
