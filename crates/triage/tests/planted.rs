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
fn the_result_and_the_number_of_checks_do_not_depend_on_the_number_of_workers() {
    for (n, row) in rows().iter().enumerate().step_by(7) {
        let by = |workers| {
            // Checks end in another order than they begin.
            let check = |text: &[u8]| {
                let pause = (text.len() * 7 + n) % 5;
                std::thread::sleep(std::time::Duration::from_micros(100 * pause as u64));
                row.holds(text)
            };
            let options = Options { workers, ..Options::default() };
            let reduced = reduce(row.script.as_bytes(), &check, &options).unwrap();
            (reduced.text, reduced.stats.checks)
        };
        let alone = by(1);
        assert_eq!(alone, by(2));
        assert_eq!(alone, by(8));
    }
}

#[test]
fn there_are_never_more_checks_at_a_time_than_workers() {
    let row = &rows()[0];
    for workers in [1, 2, 4] {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let check = |text: &[u8]| {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_millis(1));
            now.fetch_sub(1, Ordering::SeqCst);
            row.holds(text)
        };
        let options = Options { workers, ..Options::default() };
        reduce(row.script.as_bytes(), &check, &options).unwrap();
        assert_eq!(most.load(Ordering::SeqCst), workers, "and all workers have work");
    }
}

#[test]
fn a_check_that_panics_ends_the_reduction() {
    let row = &rows()[0];
    let asked = AtomicUsize::new(0);
    let check = |text: &[u8]| {
        assert!(asked.fetch_add(1, Ordering::SeqCst) != 3, "the fourth check");
        row.holds(text)
    };
    let options = Options { workers: 2, ..Options::default() };
    let reduce = || reduce(row.script.as_bytes(), &check, &options).map(|reduced| reduced.text.len());
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(reduce)).is_err());
}

#[test]
fn ten_thousand_lets_in_each_other_are_reduced_in_few_checks() {
    let (mut head, mut tail) = (String::new(), String::new());
    for n in 1..10_000 {
        let value = if n == 5000 { "(div v4999 3)".to_owned() } else { format!("(+ v{} {n})", n - 1) };
        head += &format!("(let ((v{n} {value})) ");
        tail.push(')');
    }
    let script = format!("(declare-const v0 Int)(assert {head}(> (+ v9999 v5000) 0){tail})(check-sat)");
    let check = |text: &[u8]| occurs("(div ? ?)", text);
    let reduced = reduce(script.as_bytes(), &check, &Options::default()).unwrap();
    assert_eq!(reduced.text, b"(assert (> (div 0 0) 0))\n");
    assert!(reduced.stats.checks < 100, "{} checks", reduced.stats.checks);
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
