//! Planted bugs: a check that holds exactly when a small pattern occurs, so the smallest script is known.
//!
//! Each row of `planted.txt` has the pattern, the line that contains it, and the minimum. The line is inserted in the
//! middle of `noise.smt2`. A pattern is an s-expression in which `?` matches anything; it must occur in the text.

use smtlib::Script;
use smtlib::sexp::{Forest, Sexp, View};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use triage::reduce::{Options, reduce};

const NOISE: &str = include_str!("noise.smt2");
const ROWS: &str = include_str!("planted.txt");

struct Row {
    shows: Vec<String>,
    script: String,
    minimum: String,
}

fn rows() -> Vec<Row> {
    let block = |block: &str| {
        let field = |name: &str| -> Vec<String> {
            block.lines().filter_map(|line| Some(line.strip_prefix(name)?.trim().to_owned())).collect()
        };
        let line = field("in:").join("\n");
        Row {
            shows: field("shows:"),
            script: NOISE.replace(";; planted here", &line),
            minimum: field("out:").join("\n") + "\n",
        }
    };
    ROWS.split("\n\n").filter(|text| text.contains("shows:")).map(block).collect()
}

fn matches(pattern: &Forest<'_>, p: Sexp, text: &Forest<'_>, t: Sexp) -> bool {
    match (pattern.view(p), text.view(t)) {
        (View::Atom(b"?"), _) => true,
        (View::Atom(a), View::Atom(b)) => a == b,
        (View::List(a), View::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| matches(pattern, a, text, b))
        }
        _ => false,
    }
}

fn occurs(pattern: &str, text: &[u8]) -> bool {
    let (Ok(pattern), Ok(text)) = (Forest::read(pattern.as_bytes()), Forest::read(text)) else {
        return false;
    };
    let mut stack = text.roots().to_vec();
    while let Some(sexp) = stack.pop() {
        if matches(&pattern, pattern.roots()[0], &text, sexp) {
            return true;
        }
        stack.extend(text.list(sexp));
    }
    false
}

impl Row {
    fn holds(&self, text: &[u8]) -> bool {
        self.shows.iter().all(|pattern| occurs(pattern, text)) && occurs("(check-sat)", text)
    }
}

#[test]
fn forty_planted_bugs_are_reduced_to_their_known_minimum() {
    let rows = rows();
    assert!(rows.len() >= 40, "{} rows", rows.len());
    let mut wrong = vec![];
    for row in &rows {
        assert!(row.holds(row.minimum.as_bytes()), "the minimum shows it: {:?}", row.shows);
        let ill_typed = AtomicBool::new(false);
        let check = |text: &[u8]| {
            ill_typed.fetch_or(Script::parse(text).is_err(), Ordering::SeqCst);
            row.holds(text)
        };
        let reduced = reduce(row.script.as_bytes(), &check, &Options::default()).unwrap();
        assert!(!ill_typed.load(Ordering::SeqCst), "an ill-typed candidate was tried for {:?}", row.shows);
        let text = String::from_utf8(reduced.text).unwrap();
        // Other scripts may be as small; none is smaller.
        if text.len() != row.minimum.len() {
            wrong.push(format!(
                "{:?} ({} checks)\n{text}instead of\n{}",
                row.shows, reduced.stats.checks, row.minimum
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn the_result_does_not_depend_on_the_number_of_workers() {
    for row in rows().iter().step_by(7) {
        let by = |workers| {
            let check = |text: &[u8]| row.holds(text);
            let options = Options { workers, ..Options::default() };
            reduce(row.script.as_bytes(), &check, &options).unwrap().text
        };
        let alone = by(1);
        assert_eq!(alone, by(3));
        assert_eq!(alone, by(8));
    }
}

#[test]
fn an_interrupted_reduction_keeps_the_best_that_was_announced() {
    let row = &rows()[0];
    for allowed in [1, 5, 15] {
        let asked = AtomicUsize::new(0);
        let best: Mutex<Vec<u8>> = Mutex::new(vec![]);
        let check = |text: &[u8]| {
            asked.fetch_add(1, Ordering::SeqCst);
            row.holds(text)
        };
        let stop = || asked.load(Ordering::SeqCst) >= allowed;
        let improved = |step: &triage::reduce::Improvement<'_>| *best.lock().unwrap() = step.text.to_vec();
        let options = Options { workers: 1, stop: &stop, improved: &improved };
        let reduced = reduce(row.script.as_bytes(), &check, &options).unwrap();
        assert!(reduced.interrupted && row.holds(&reduced.text));
        let best = best.into_inner().unwrap();
        assert!(best.is_empty() || best == reduced.text);
    }
}

#[test]
fn a_script_that_does_not_show_the_bug_is_refused() {
    let never = |_: &[u8]| false;
    let result = reduce(b"(assert true)(check-sat)", &never, &Options::default());
    assert!(matches!(result, Err(triage::reduce::ReduceError::NotInteresting)));
}

#[test]
fn a_check_that_no_smaller_script_passes_changes_only_the_layout() {
    let text = b"(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";
    let same = |candidate: &[u8]| candidate == text;
    assert_eq!(reduce(text, &same, &Options::default()).unwrap().text, text);
}
