//! z3 and cvc5 accept what the printer prints wherever they accepted the original.
//!
//! A sample of the corpus, spread over its folders, and every script of the parser's own tests. Only acceptance is
//! tested: commands that start solving (`check-sat` and those that depend on it) are removed from both texts. The
//! corpus is beside the repository or where `$FALSUM_CORPUS` says; missing solvers are installed.

#![allow(clippy::unwrap_used)]

use smtlib::printer::{Format, print};
use smtlib::{Command, Script};
use solver::{Ended, Home, Pool, Profiles, Query, QueryLimits, SessionKind, Spec, Target, install};
use std::path::{Path, PathBuf};
use std::time::Duration;

const SAMPLE: usize = 60;
const TARGETS: [&str; 2] = ["z3@5.4.0", "cvc5@1.4.2"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn scripts_below(folder: &Path) -> Vec<PathBuf> {
    let limits = corpus::ScanLimits { total_bytes: u64::MAX, ..Default::default() };
    corpus::walk(&[folder], &limits).filter_map(|found| found.ok().map(|found| found.path)).collect()
}

/// The same number from every folder, as far as it has that many, evenly spread over its files.
fn sample(folder: &Path) -> Vec<PathBuf> {
    let mut logics: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    logics.retain(|path| path.is_dir());
    logics.sort();
    let share = SAMPLE.div_ceil(logics.len());
    let mut chosen = vec![];
    for logic in logics {
        let files = scripts_below(&logic);
        let step = files.len().div_ceil(share).max(1);
        chosen.extend(files.into_iter().step_by(step));
    }
    assert!(chosen.len() >= SAMPLE, "only {} files", chosen.len());
    chosen
}

fn target(spec: &str) -> Target {
    let own = || Path::new(env!("CARGO_TARGET_TMPDIR")).join("../falsum-home");
    let home = Home::at(std::env::var_os("FALSUM_HOME").map_or_else(own, PathBuf::from));
    let spec = Spec::parse(spec).unwrap();
    let release = install::add(&home, &spec, &|_| {}).unwrap_or_else(|e| panic!("{spec}: {e}")).remove(0);
    Target::of_release(&Profiles::embedded(), &release)
}

/// Whether a command only declares or asserts.
fn is_quiet(script: &Script, command: &Command) -> bool {
    match command {
        Command::Other { name, .. } => script.pool.bytes(*name).starts_with(b"declare-"),
        Command::CheckSat
        | Command::CheckSatAssuming(_)
        | Command::CheckSatUsing(_)
        | Command::GetValue(_)
        | Command::Minimize(..)
        | Command::Maximize(..)
        | Command::AssertSoft(..)
        | Command::Exit => false,
        _ => true,
    }
}

/// The original text and both printed ones, without the commands that start solving.
fn texts(source: &[u8]) -> Option<[Vec<u8>; 3]> {
    let mut script = Script::parse(source).ok()?;
    let mut original = vec![];
    for (command, span) in script.commands.iter().zip(&script.spans) {
        if is_quiet(&script, command) {
            original.extend_from_slice(&source[span.range()]);
            original.push(b'\n');
        }
    }
    let commands = std::mem::take(&mut script.commands);
    script.commands = commands.into_iter().filter(|command| is_quiet(&script, command)).collect();
    Some([original, print(&script, Format::Faithful), print(&script, Format::Canonical)])
}

/// What the solver complains about; nothing if it accepts the text, in the names that its profile says it has.
fn complaint(solver: &Pool, text: &[u8]) -> Option<String> {
    let query = Query { limits: QueryLimits::wall(Duration::from_secs(60)), ..Query::new(text) };
    let reply = solver.ask(&query, SessionKind::Fresh);
    match (reply.errors.first(), &reply.ended) {
        (None, Ended::ByItself) => None,
        (Some(error), _) => Some(error.clone()),
        (None, ended) => Some(format!("{ended:?}")),
    }
}

#[test]
fn solvers_accept_what_is_printed_wherever_they_accepted_the_original() {
    let mut paths = scripts_below(&root().join("crates/smtlib/tests/accepts"));
    paths.extend(testkit::corpus().iter().flat_map(|folder| sample(folder)));
    let mut wrong = vec![];
    for spec in TARGETS {
        let solver = Pool::new(target(spec), 1);
        let mut accepted = 0;
        for path in &paths {
            let source = std::fs::read(path).unwrap();
            let Some([original, printed @ ..]) = texts(&source) else { continue };
            if complaint(&solver, &original).is_some() {
                continue;
            }
            accepted += 1;
            for (format, text) in ["faithful", "canonical"].iter().zip(&printed) {
                if let Some(error) = complaint(&solver, text) {
                    wrong.push(format!("{spec}, {}, {format}: {error}", path.display()));
                }
            }
        }
        assert!(accepted * 3 > paths.len(), "{spec} accepts only {accepted} of {} originals", paths.len());
    }
    assert!(wrong.is_empty(), "{} printed texts are rejected:\n{}", wrong.len(), wrong.join("\n"));
}
