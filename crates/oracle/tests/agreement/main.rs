//! Ground terms over every row of every theory table: our value against z3's and cvc5's.
//!
//! For each row and each solver that supports it, random distinct terms with boundary values are made, evaluated here,
//! and given to the solver as `(= term value)`: it must not say false. What the solver leaves undecided, rejects or
//! may choose freely is counted and does not fail the test. Disagreements that have been settled are listed in
//! `settled.txt`, each with the reason; `docs/guarantees/semantics.md` explains them and has the result of the long run
//! (`--ignored`).
//!
//! `FALSUM_AGREEMENT_TERMS` sets the number of terms per row of the long run and `FALSUM_AGREEMENT_THEORY` that per
//! theory, `FALSUM_AGREEMENT_KEY` takes other terms, `FALSUM_AGREEMENT_ROWS` restricts to the rows of a theory
//! or to those whose name contains it, `FALSUM_AGREEMENT_REPORT` names a file for the results.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "this is a test, and one that reports")]

#[path = "../installed/mod.rs"]
mod installed;
mod make;
mod solver;

use installed::number;
use make::Maker;
use semantics::eval::{Evaluator, Unknown};
use semantics::model::Model;
use semantics::value::Value;
use semantics::value::show::value_text;
use smtlib::parser::parse_term;
use smtlib::theory::{OpId, Row, rows};
use smtlib::{Pool, Script, TermId};
use solver::{Answer, Solver};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Instant;

/// A settled disagreement: its solver, the name of its row, a part of the term or of one of the two values (`*`: any),
/// and why our value is right. Columns are separated by ` | `. With `crash` for the part, the solver crashes on such
/// terms: only a few are run, since every one costs a process.
struct Settled {
    solver: &'static str,
    row: &'static str,
    part: &'static str,
}

fn settled() -> Vec<Settled> {
    let lines = include_str!("settled.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split(" | ").collect();
            let [solver, row, part, _why] = columns[..] else { panic!("four columns: {line}") };
            Settled { solver, row, part }
        })
        .collect()
}

#[derive(Default)]
struct Tally {
    agree: usize,
    disagree: Vec<String>,
    /// The solver's evaluation gives another value, its solving does not.
    fickle: Vec<String>,
    /// Ours is an open point.
    open: usize,
    /// Ours is unknown for another reason.
    unknown: Vec<String>,
    undecided: Vec<String>,
    slow: Vec<String>,
    rejected: Vec<String>,
    /// Our own parser rejects it.
    untyped: Vec<String>,
}

struct Question {
    term: String,
    value: String,
    /// That the term has the value.
    formula: String,
}

impl Question {
    /// A value as text, or bounds where there is no exact form.
    fn new(pool: &Pool, id: TermId, term: String, value: &Value) -> Option<Question> {
        if let Value::Enclosed(number) = value {
            let bounds = number.enclose(12).ok()?;
            let (lo, hi) = (bounds.lo().smt().to_string(), bounds.hi().smt().to_string());
            let formula = format!("(and (<= {lo} {term}) (<= {term} {hi}))");
            return Some(Question { term, value: format!("between {lo} and {hi}"), formula });
        }
        let value = value_text(pool, pool.sort_of(id), value);
        Some(Question { formula: format!("(= {term} {value})"), term, value })
    }
}

/// How many terms to make.
struct Amount {
    per_row: usize,
    per_theory: usize,
    /// Of the terms of a row that a solver's evaluation leaves open, how many it has to prove.
    proofs: usize,
    /// Rows run together: if a proof takes too long, all of them are given up at once.
    together: usize,
    key: u64,
}

/// A row with its terms.
struct Work {
    row: usize,
    tally: Tally,
    questions: Vec<Question>,
}

#[test]
fn two_hundred_ground_terms_of_every_row_have_the_values_that_solvers_give_them() {
    agree(&Amount { per_row: 200, per_theory: 0, proofs: 0, together: 16, key: 0 });
}

#[test]
#[ignore = "long; its result is in docs/guarantees/semantics.md"]
fn twenty_thousand_ground_terms_of_every_theory_have_the_values_that_solvers_give_them() {
    agree(&Amount {
        per_row: number("FALSUM_AGREEMENT_TERMS", 200),
        per_theory: number("FALSUM_AGREEMENT_THEORY", 20_000),
        proofs: number("FALSUM_AGREEMENT_PROOFS", 20),
        together: 1,
        key: number("FALSUM_AGREEMENT_KEY", 1) as u64,
    });
}

fn agree(amount: &Amount) {
    let mut report = String::new();
    let mut wrong = String::new();
    let mut totals = Totals::default();
    let settled = settled();
    for solver in Solver::all() {
        for work in prepare_all(&solver, amount, &settled).chunks_mut(amount.together) {
            let began = Instant::now();
            ask(&solver, work, amount.proofs);
            let _ = writeln!(report, "{} rows in {:?}", work.len(), began.elapsed());
            for Work { row, tally, .. } in work {
                let row = &rows()[*row];
                show(&mut report, &solver, row, tally);
                totals.add(&solver, row, tally);
                let known = |line: &str| {
                    let of = |s: &&Settled| s.solver == solver.name && s.row == row.name;
                    settled.iter().filter(of).any(|s| s.part == "*" || line.contains(s.part))
                };
                for line in tally.disagree.iter().chain(&tally.fickle).filter(|line| !known(line)) {
                    let _ = writeln!(wrong, "{}: {line}", solver.name);
                }
            }
            save(&report);
        }
    }
    report.push_str(&totals.text());
    save(&report);
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(!totals.0.is_empty(), "no row was compared");
}

/// Written continuously, so that an interrupted run has reported what it saw.
fn save(report: &str) {
    if let Some(path) = std::env::var_os("FALSUM_AGREEMENT_REPORT") {
        std::fs::write(path, report).unwrap();
    }
}

/// The rows that a solver supports, with their terms.
fn prepare_all(solver: &Solver, amount: &Amount, settled: &[Settled]) -> Vec<Work> {
    let only = std::env::var("FALSUM_AGREEMENT_ROWS").unwrap_or_default();
    let is_taken = |n: &usize| {
        let row = &rows()[*n];
        (row.name.contains(&only) || row.theory == only)
            && solver.takes(row)
            && semantics::eval::has_function(OpId(*n as u16))
    };
    let taken: Vec<usize> = (0..rows().len()).filter(is_taken).collect();
    taken
        .iter()
        .map(|&row| {
            let siblings = taken.iter().filter(|&&n| rows()[n].theory == rows()[row].theory).count();
            let terms = amount.per_row.max(amount.per_theory.div_ceil(siblings));
            let key = (amount.key << 32) + row as u64 + 1;
            let deadly =
                |s: &Settled| s.solver == solver.name && s.row == rows()[row].name && s.part == "crash";
            let terms = if settled.iter().any(deadly) { 3 } else { terms };
            let (tally, questions) = prepare(&rows()[row], solver, key, terms);
            Work { row, tally, questions }
        })
        .collect()
}

/// Makes terms of a row and evaluates them.
fn prepare(row: &'static Row, solver: &Solver, key: u64, terms: usize) -> (Tally, Vec<Question>) {
    let mut tally = Tally::default();
    let mut maker = Maker::new(key, solver.is_z3());
    let mut script = Script::parse(make::PRELUDE.as_bytes()).unwrap();
    let mut made = vec![];
    let mut seen = BTreeSet::new();
    let mut attempts = 0;
    while made.len() < terms && attempts < terms * 20 {
        attempts += 1;
        let Some(text) = maker.term(row).filter(|text| seen.insert(text.clone())) else { continue };
        match parse_term(&mut script, text.as_bytes()) {
            Ok(term) => made.push((text, term)),
            Err(error) => tally.untyped.push(format!("{text}: {error}")),
        }
    }
    let model = Model::default();
    let mut evaluator = Evaluator::new(&script.pool, &model);
    let mut questions = vec![];
    for (term, id) in made {
        match evaluator.eval_open(id) {
            Ok(value) => match Question::new(&script.pool, id, term.clone(), &value) {
                Some(question) => questions.push(question),
                None => tally.unknown.push(format!("{term}: no bounds")),
            },
            Err(Unknown::Open(_)) => tally.open += 1,
            Err(reason) => tally.unknown.push(format!("{term}: {reason}")),
        }
    }
    (tally, questions)
}

/// Disagreements of one row that are examined in detail; the others are only listed.
const CLOSELY: usize = 12;

fn ask(solver: &Solver, work: &mut [Work], proofs: usize) {
    let texts: Vec<String> =
        work.iter().flat_map(|w| w.questions.iter().map(|q| q.formula.clone())).collect();
    let mut answers = solver.truths(&texts).into_iter();
    let mut open = vec![];
    for (n, Work { tally, questions, .. }) in work.iter_mut().enumerate() {
        let before = open.len();
        for question in questions.iter() {
            let answer = answers.next().unwrap_or(Answer::Slow);
            match answer {
                Answer::Other if open.len() - before < proofs => open.push((n, question.formula.clone())),
                _ => count(solver, tally, question, answer),
            }
        }
    }
    let formulas: Vec<String> = open.iter().map(|(_, formula)| formula.clone()).collect();
    for ((n, formula), answer) in open.iter().zip(solver.proves(&formulas)) {
        let Work { tally, questions, .. } = &mut work[*n];
        let Some(question) = questions.iter().find(|q| q.formula == *formula) else { continue };
        let refuted = matches!(answer, Answer::Other) && solver.refutes(formula);
        count(solver, tally, question, if refuted { Answer::False } else { answer });
    }
}

fn count(solver: &Solver, tally: &mut Tally, question: &Question, answer: Answer) {
    let Question { term, value, formula } = question;
    match answer {
        Answer::True => tally.agree += 1,
        Answer::False => {
            let close = tally.disagree.len() + tally.fickle.len() < CLOSELY;
            let theirs = if close { solver.value(term) } else { "another value".to_owned() };
            let line = format!("{term}\n      ours:   {value}\n      theirs: {theirs}");
            let refuted = !close || solver.refutes(formula);
            if refuted { tally.disagree.push(line) } else { tally.fickle.push(line) }
        }
        Answer::Other => tally.undecided.push(format!("{term}: ours is {value}")),
        Answer::Slow => tally.slow.push(term.clone()),
        Answer::Error(text) => tally.rejected.push(format!("{term}: {text}")),
    }
}

/// Sums over the rows of each theory, for the table in `docs/guarantees/semantics.md`.
#[derive(Default)]
struct Totals(BTreeMap<(String, String), [usize; 9]>);

impl Totals {
    fn add(&mut self, solver: &Solver, row: &Row, tally: &Tally) {
        let sums = self.0.entry((row.theory.to_owned(), solver.name.to_owned())).or_default();
        let counts = [
            1,
            tally.agree,
            tally.disagree.len(),
            tally.fickle.len(),
            tally.open,
            tally.unknown.len(),
            tally.undecided.len(),
            tally.slow.len(),
            tally.rejected.len(),
        ];
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }

    fn text(&self) -> String {
        let mut text = "\n| theory | solver | rows | agree | disagree | fickle | open | unknown | undecided | slow | rejected |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n".to_owned();
        for ((theory, solver), sums) in &self.0 {
            let sums: Vec<String> = sums.iter().map(usize::to_string).collect();
            let _ = writeln!(text, "| {theory} | {solver} | {} |", sums.join(" | "));
        }
        text
    }
}

fn show(report: &mut String, solver: &Solver, row: &Row, tally: &Tally) {
    let _ = writeln!(
        report,
        "{:5} {:24} {:24} agree {:5} disagree {:3} fickle {:3} open {:4} unknown {:4} undecided {:4} slow {:2} rejected {:4} untyped {}",
        solver.name,
        row.name,
        row.eval.unwrap_or(""),
        tally.agree,
        tally.disagree.len(),
        tally.fickle.len(),
        tally.open,
        tally.unknown.len(),
        tally.undecided.len(),
        tally.slow.len(),
        tally.rejected.len(),
        tally.untyped.len(),
    );
    let few = |list: &[String], n: usize| list.iter().take(n).cloned().collect::<Vec<_>>();
    for (what, list, most) in [
        ("unknown", &tally.unknown, 2),
        ("undecided", &tally.undecided, 2),
        ("slow", &tally.slow, 2),
        ("rejected", &tally.rejected, 2),
        ("disagree", &tally.disagree, CLOSELY),
        ("fickle", &tally.fickle, CLOSELY),
    ] {
        for line in few(list, most) {
            let _ = writeln!(report, "        {what}: {line}");
        }
    }
    if tally.agree == 0 {
        for line in few(&tally.untyped, 2) {
            let _ = writeln!(report, "        untyped: {line}");
        }
    }
}
