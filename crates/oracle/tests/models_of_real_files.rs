//! Models that z3 and cvc5 print for the files of the corpus, evaluated: the share that is true, false, unknown.
//!
//! In: the corpus (beside the repository or where `$FALSUM_CORPUS` says) and the newest releases, installed by name.
//! Out: a table by logic and solver. CI uses a sample of the quantifier-free files and allows no false model at all;
//! the long run (`--ignored`) uses every file and writes its table to `$FALSUM_MODELS_REPORT` and every script whose
//! model is not true, with the model, into the folder `$FALSUM_MODELS_KEEP`; `$FALSUM_MODELS_ONLY` selects files by a
//! part of their names, `$FALSUM_MODELS_CPU` is the time limit of a solver in seconds. Its result is in
//! `docs/guarantees/models.md`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that prints what it saw")]

mod installed;

use installed::{NEWEST, number, target};
use semantics::eval::{Truth, Verdict, check};
use semantics::model::{Escapes, Model};
use smtlib::Script;
use solver::session::Fresh;
use solver::{Answer, Extras, Query, QueryLimits};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The results on the files of one logic with one solver.
#[derive(Default)]
struct Shares {
    files: usize,
    /// The solver said sat and printed something for a model.
    models: usize,
    yes: usize,
    /// Of these: only with choices where the standard leaves one.
    chosen: usize,
    no: usize,
    unknown: usize,
    longest: Duration,
}

impl Shares {
    fn add(&mut self, other: &Shares) {
        self.files += other.files;
        self.models += other.models;
        self.yes += other.yes;
        self.chosen += other.chosen;
        self.no += other.no;
        self.unknown += other.unknown;
        self.longest = self.longest.max(other.longest);
    }

    fn row(&self, logic: &str, solver: &str) -> String {
        let share = |n: usize| 100.0 * n as f64 / self.models.max(1) as f64;
        let Shares { files, models, yes, chosen, no, unknown, longest } = self;
        let (t, f, u, ms) = (share(*yes), share(*no), share(*unknown), longest.as_millis());
        format!(
            "| {logic} | {solver} | {files} | {models} | {yes} ({t:.1} %) | {chosen} | {no} ({f:.1} %) | {unknown} ({u:.1} %) | {ms} |\n"
        )
    }
}

const HEAD: &str = "| logic | solver | files | models | true | of these by choice | false | unknown | longest ms |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n";

/// A model and the result of its evaluation.
struct Judged {
    truth: Result<Truth, String>,
    took: Duration,
}

fn judge(source: &[u8], at: usize, model: &[u8]) -> Judged {
    let began = Instant::now();
    let mut script = Script::parse(source).unwrap();
    let command = (0..script.commands.len()).filter(|&n| script.commands[n].is_check()).nth(at).unwrap();
    let truth = Model::parse_at(&mut script, command, model, Escapes::Standard)
        .map(|model| check(&script, &model, at).overall)
        .map_err(|error| error.to_string());
    Judged { truth, took: began.elapsed() }
}

struct Run {
    table: BTreeMap<(String, &'static str), Shares>,
    /// What is not true, with the reason.
    rest: Vec<String>,
    limits: QueryLimits,
    keep: Option<PathBuf>,
}

impl Run {
    /// Processor time is limited, wall time only loosely: a loaded machine must not change the table.
    fn new(cpu: Duration) -> Run {
        let keep = std::env::var_os("FALSUM_MODELS_KEEP").map(PathBuf::from);
        let limits = QueryLimits { cpu: Some(cpu), ..QueryLimits::wall(cpu * 20) };
        Run { table: BTreeMap::new(), rest: vec![], limits, keep }
    }

    fn file(&mut self, folder: &Path, path: &Path, solver: &'static str, fresh: &Fresh) {
        let source = std::fs::read(path).unwrap();
        let name = path.strip_prefix(folder).unwrap().display().to_string();
        let logic = name.split('/').next().unwrap_or_default().to_owned();
        let want = Extras { model: true, ..Extras::default() };
        let reply = fresh.ask(&Query::new(&source).want(want).limits(self.limits.clone()));
        let shares = self.table.entry((logic, solver)).or_default();
        shares.files += 1;
        for (at, answer) in reply.checks.iter().enumerate() {
            let (Some(Answer::Sat), Some(model)) = (answer.answer, &answer.model) else { continue };
            shares.models += 1;
            let judged = judge(&source, at, model);
            shares.longest = shares.longest.max(judged.took);
            let said = match judged.truth {
                Ok(Truth { value: Verdict::True, underspecified, .. }) => {
                    shares.yes += 1;
                    shares.chosen += usize::from(underspecified);
                    continue;
                }
                Ok(Truth { value: Verdict::False, .. }) => {
                    shares.no += 1;
                    "FALSE".to_owned()
                }
                Ok(Truth { value: Verdict::Unknown(reason), .. }) => {
                    shares.unknown += 1;
                    format!("unknown: {reason}")
                }
                Err(error) => {
                    shares.unknown += 1;
                    format!("unreadable: {error}")
                }
            };
            self.rest.push(format!("{solver} {name} check {at}: {said}"));
            if let Some(keep) = &self.keep {
                let stem = format!("{solver}-{}", name.replace('/', "-"));
                std::fs::write(keep.join(&stem), &source).unwrap();
                std::fs::write(keep.join(format!("{stem}.model")), model).unwrap();
            }
        }
    }

    /// The sums over quantifier-free logics, or over the others.
    fn sum(&self, solver: &str, quantifier_free: bool) -> Shares {
        let mut sum = Shares::default();
        for ((logic, of), shares) in &self.table {
            if *of == solver && logic.starts_with("QF_") == quantifier_free {
                sum.add(shares);
            }
        }
        sum
    }

    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for ((logic, solver), shares) in &self.table {
            text += &shares.row(logic, solver);
        }
        for solver in NEWEST {
            text += &self.sum(solver, true).row("quantifier-free", solver);
            text += &self.sum(solver, false).row("quantified", solver);
        }
        text.push('\n');
        for line in &self.rest {
            let _ = writeln!(text, "{line}");
        }
        text
    }
}

#[test]
fn models_of_a_sample_of_quantifier_free_files_are_true() {
    let Some(folder) = testkit::corpus() else { return };
    let mut paths = testkit::scripts_below(&folder);
    paths.retain(|path| {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        name.starts_with("QF_") && name.contains("/sat/")
    });
    let mut run = Run::new(Duration::from_secs(2));
    for solver in NEWEST {
        let fresh = Fresh::new(target(solver));
        for path in paths.iter().step_by(11) {
            run.file(&folder, path, solver, &fresh);
        }
        let sum = run.sum(solver, true);
        let rest = run.rest.join("\n");
        assert!(sum.models >= 15, "{solver}: only {} models from {} files", sum.models, sum.files);
        assert_eq!(sum.no, 0, "a false model: settle it in docs/guarantees/models.md\n{rest}");
        assert!(sum.yes * 100 >= sum.models * 90, "{} of {} are true\n{rest}", sum.yes, sum.models);
    }
}

#[test]
#[ignore = "many minutes; its result is in docs/guarantees/models.md"]
fn models_of_all_files_by_logic() {
    let folder = testkit::corpus().unwrap();
    let paths = testkit::scripts_below(&folder);
    let only = std::env::var("FALSUM_MODELS_ONLY").unwrap_or_default();
    let mut run = Run::new(Duration::from_secs(number("FALSUM_MODELS_CPU", 5) as u64));
    for solver in NEWEST {
        let fresh = Fresh::new(target(solver));
        for path in paths.iter().filter(|path| path.to_string_lossy().contains(&only)) {
            run.file(&folder, path, solver, &fresh);
        }
    }
    let text = run.text();
    match std::env::var_os("FALSUM_MODELS_REPORT") {
        Some(path) => std::fs::write(path, text).unwrap(),
        None => println!("{text}"),
    }
}
