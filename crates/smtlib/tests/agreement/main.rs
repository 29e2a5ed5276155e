//! Ground terms over every row of every theory table: our value against z3's and cvc5's.
//!
//! For each row and each solver that takes it, random terms with boundary values are made, evaluated here, and
//! given to the solver as `(= term value)`: it must not say false. What the solver leaves undecided, rejects or
//! may choose freely is counted, not blamed. Disagreements that have been settled are listed in `SETTLED`, each
//! with the reason; `docs/semantics.md` tells more.
//!
//! Needs releases under `$FALSUM_HOME` (see `falsum solvers add`); without that it fails.
//! `FALSUM_AGREEMENT_TERMS` sets the number of terms per row, `FALSUM_AGREEMENT_ROWS` restricts to rows whose name
//! contains it, `FALSUM_AGREEMENT_REPORT` names a file for the table of results.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "this is a test, and one that reports")]

mod make;
mod solver;

use make::Maker;
use smtlib::Script;
use smtlib::eval::{Evaluator, Unknown};
use smtlib::model::Model;
use smtlib::parser::parse_term;
use smtlib::theory::{OpId, Row, rows};
use smtlib::value::Value;
use smtlib::value::show::value_text;
use solver::{Answer, Solver};
use std::fmt::Write;

/// Settled disagreements: solver, evaluation, why ours stands.
const SETTLED: &[(&str, &str, &str)] = &[];

#[derive(Default)]
struct Tally {
    agree: usize,
    disagree: Vec<String>,
    /// The solver's evaluation says another value, its solving does not.
    fickle: Vec<String>,
    /// Ours is an open point.
    open: usize,
    /// Ours is unknown for another reason.
    unknown: Vec<String>,
    undecided: usize,
    rejected: Vec<String>,
    /// Our own parser refuses.
    untyped: Vec<String>,
}

struct Question {
    term: String,
    value: String,
}

#[test]
#[ignore = "long, and needs solvers under $FALSUM_HOME: run it by name"]
fn ground_terms_have_the_values_that_solvers_give_them() {
    let home =
        std::env::var_os("FALSUM_HOME").unwrap_or_else(|| panic!("set FALSUM_HOME to where releases are"));
    let terms = number("FALSUM_AGREEMENT_TERMS", 20);
    let only = std::env::var("FALSUM_AGREEMENT_ROWS").unwrap_or_default();
    let mut report = String::new();
    let mut wrong = String::new();
    let mut totals = Totals::default();
    for solver in Solver::all(home.as_ref()) {
        let mut open_terms = vec![];
        for (n, row) in rows().iter().enumerate() {
            if !row.name.contains(&only) || !solver.takes(row) || !smtlib::eval::has_function(OpId(n as u16))
            {
                continue;
            }
            let (tally, questions) = prepare(row, &solver, n as u64, terms);
            open_terms.push((n, tally, questions));
        }
        for chunk in open_terms.chunks_mut(12) {
            ask(&solver, chunk);
        }
        for (n, tally, _) in &open_terms {
            show(&mut report, &solver, &rows()[*n], tally);
            totals.add(&solver, &rows()[*n], tally);
            let settled =
                SETTLED.iter().any(|(s, eval, _)| *s == solver.name && rows()[*n].eval == Some(eval));
            if !settled {
                for line in &tally.disagree {
                    let _ = writeln!(wrong, "{}: {line}", solver.name);
                }
            }
        }
    }
    report.push_str(&totals.text());
    if let Some(path) = std::env::var_os("FALSUM_AGREEMENT_REPORT") {
        std::fs::write(path, &report).unwrap();
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Sums over the rows of each theory, for the table in `docs/semantics.md`.
#[derive(Default)]
struct Totals(std::collections::BTreeMap<(String, String), [usize; 8]>);

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
            tally.undecided,
            tally.rejected.len(),
        ];
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }

    fn text(&self) -> String {
        let mut text = "\n| theory | solver | rows | agree | disagree | fickle | open | unknown | undecided | rejected |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n".to_owned();
        for ((theory, solver), sums) in &self.0 {
            let sums: Vec<String> = sums.iter().map(usize::to_string).collect();
            let _ = writeln!(text, "| {theory} | {solver} | {} |", sums.join(" | "));
        }
        text
    }
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Makes terms of a row and evaluates them.
fn prepare(row: &'static Row, solver: &Solver, key: u64, terms: usize) -> (Tally, Vec<Question>) {
    let mut tally = Tally::default();
    let mut maker = Maker::new(key, solver.is_z3());
    let mut script = Script::parse(b"").unwrap();
    let mut made = vec![];
    let mut attempts = 0;
    while made.len() < terms && attempts < terms * 20 {
        attempts += 1;
        let Some(text) = maker.term(row) else { continue };
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
            Ok(Value::Enclosed(_)) => tally.unknown.push(format!("{term}: enclosed")),
            Ok(value) => {
                let value = value_text(&script.pool, script.pool.sort_of(id), &value);
                questions.push(Question { term, value });
            }
            Err(Unknown::Open(_)) => tally.open += 1,
            Err(reason) => tally.unknown.push(format!("{term}: {reason}")),
        }
    }
    (tally, questions)
}

fn ask(solver: &Solver, rows: &mut [(usize, Tally, Vec<Question>)]) {
    let texts: Vec<String> = rows
        .iter()
        .flat_map(|(_, _, questions)| questions.iter().map(|q| format!("(= {} {})", q.term, q.value)))
        .collect();
    let mut answers = solver.truths(&texts).into_iter();
    for (_, tally, questions) in rows {
        for question in questions {
            match answers.next() {
                Some(Answer::True) => tally.agree += 1,
                Some(Answer::False) => {
                    let theirs = solver.value(&question.term);
                    let line = format!(
                        "{}\n      ours:   {}\n      theirs: {theirs}",
                        question.term, question.value
                    );
                    let refuted = solver.refutes(&format!("(= {} {})", question.term, question.value));
                    if refuted { tally.disagree.push(line) } else { tally.fickle.push(line) }
                }
                Some(Answer::Other) => tally.undecided += 1,
                Some(Answer::Error(text)) => tally.rejected.push(format!("{}: {text}", question.term)),
                None => tally.rejected.push("no answer".to_owned()),
            }
        }
    }
}

fn show(report: &mut String, solver: &Solver, row: &Row, tally: &Tally) {
    let _ = writeln!(
        report,
        "{:5} {:24} {:24} agree {:5} disagree {:3} fickle {:3} open {:4} unknown {:4} undecided {:4} rejected {:4} untyped {}",
        solver.name,
        row.name,
        row.eval.unwrap_or(""),
        tally.agree,
        tally.disagree.len(),
        tally.fickle.len(),
        tally.open,
        tally.unknown.len(),
        tally.undecided,
        tally.rejected.len(),
        tally.untyped.len(),
    );
    let few = |list: &[String]| list.iter().take(2).cloned().collect::<Vec<_>>();
    for (what, list) in [
        ("unknown", &tally.unknown),
        ("rejected", &tally.rejected),
        ("disagree", &tally.disagree),
        ("fickle", &tally.fickle),
    ] {
        for line in few(list) {
            let _ = writeln!(report, "        {what}: {line}");
        }
    }
    if tally.agree == 0 {
        for line in few(&tally.untyped) {
            let _ = writeln!(report, "        untyped: {line}");
        }
    }
}
