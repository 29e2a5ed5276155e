//! `falsum parse FILE|DIR…`: read, type-check and print scripts, or only report.
//!
//! In: files and folders (folders in the order of names). Out: on stdout the printed scripts, or with `--check` and
//! `--round-trip` one report; on stderr each error with its source line, and each skipped path with the reason.
//! A path that the user named and that cannot be read is an error; one found inside a folder is only mentioned.
//! `seconds` and `mb_per_s` measure reading and type-checking alone, not the disk and not the printer.
#![allow(clippy::print_stderr, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use corpus::{Found, ScanLimits, SkipReason};
use serde::Serialize;
use smtlib::printer::{Format, print};
use smtlib::round_trip::{self, Broken};
use smtlib::{ReadLimits, Script};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Flags of `parse`.
#[derive(clap::Args)]
pub struct Args {
    /// Scripts, or folders with scripts
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Print no script, only report what was accepted, and how fast
    #[arg(long)]
    check: bool,
    /// Also print each script, parse that again and compare the terms; accepted then means round-tripped
    #[arg(long)]
    round_trip: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = Style::Faithful)]
    format: Style,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The printer's two modes.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Style {
    /// As written: spelling of literals and operators, comments at the head
    Faithful,
    /// Stable, for hashing and comparing
    Canonical,
}

impl From<Style> for Format {
    fn from(style: Style) -> Format {
        match style {
            Style::Faithful => Format::Faithful,
            Style::Canonical => Format::Canonical,
        }
    }
}

/// What `--json` prints.
#[derive(Default, Serialize)]
struct Report {
    files: usize,
    accepted: usize,
    rejected: usize,
    bytes: u64,
    seconds: f64,
    mb_per_s: f64,
    errors: Vec<Problem>,
    skipped: Vec<Skip>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scripts: Vec<Printed>,
}

/// One rejected file.
#[derive(Serialize)]
struct Problem {
    file: String,
    line: usize,
    column: usize,
    message: String,
}

/// One path that was skipped.
#[derive(Serialize)]
struct Skip {
    file: String,
    reason: String,
}

/// One printed script.
#[derive(Serialize)]
struct Printed {
    file: String,
    script: String,
}

/// Deep input uses heap, not stack; the large stack is a safety margin.
const STACK: usize = 256 << 20;

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let worker = std::thread::Builder::new().name("parse".into()).stack_size(STACK);
    let worker = worker.spawn(move || parse_all(&args))?;
    match worker.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn parse_all(args: &Args) -> anyhow::Result<Exit> {
    let limits = ReadLimits::default();
    let walk_limits = ScanLimits { file_bytes: limits.bytes as u64, total_bytes: u64::MAX, depth: 64 };
    smtlib::theory::rows();
    let mut session = Session { args, limits, report: Report::default(), time: Duration::ZERO };
    for found in corpus::walk(&args.paths, &walk_limits) {
        let outcome = match found {
            Ok(found) => session.file(&found),
            Err(skipped) => session.skip(&skipped.path, &skipped.reason),
        };
        match outcome {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Exit::Fine),
            other => other?,
        }
    }
    if session.report.files == 0 && session.report.rejected == 0 {
        return Err(Failure::usage("no script was found")
            .hint("inside folders, only files whose names end in .smt2 are read")
            .into());
    }
    session.finish()
}

struct Session<'a> {
    args: &'a Args,
    limits: ReadLimits,
    report: Report,
    time: Duration,
}

impl Session<'_> {
    fn only_reports(&self) -> bool {
        self.args.check || self.args.round_trip
    }

    fn file(&mut self, found: &Found) -> io::Result<()> {
        let source = match found.read(self.limits.bytes as u64) {
            Ok(source) => source,
            Err(reason) => return self.skip(&found.path, &reason),
        };
        self.report.files += 1;
        self.report.bytes += source.len() as u64;
        let begun = Instant::now();
        let parsed = Script::parse_with(&source, self.limits);
        self.time += begun.elapsed();
        let name = found.path.display().to_string();
        match parsed {
            Err(error) => {
                eprint!("{}", error.render(&name, &source));
                let place = error.position(&source);
                self.reject(name, place.line, place.column, error.to_string());
            }
            Ok(script) => match self.broken(&script) {
                Some(message) => {
                    eprintln!("error: {} does not round-trip: {message}", smtlib::shown::text(&name));
                    self.reject(name, 1, 1, message);
                }
                None => {
                    self.report.accepted += 1;
                    self.show(name, &script)?;
                }
            },
        }
        Ok(())
    }

    /// Why the script fails to round-trip, if that is checked and it does.
    fn broken(&self, script: &Script) -> Option<String> {
        if !self.args.round_trip {
            return None;
        }
        match round_trip::check(script, self.args.format.into(), self.limits) {
            Ok(()) => None,
            Err(Broken::Rejected(error, printed)) => Some(error.render("printed text", &printed)),
            Err(other) => Some(other.to_string()),
        }
    }

    fn reject(&mut self, file: String, line: usize, column: usize, message: String) {
        self.report.rejected += 1;
        self.report.errors.push(Problem { file, line, column, message });
    }

    fn show(&mut self, file: String, script: &Script) -> io::Result<()> {
        if self.only_reports() {
            return Ok(());
        }
        let text = print(script, self.args.format.into());
        if self.args.json {
            let script = String::from_utf8_lossy(&text).into_owned();
            self.report.scripts.push(Printed { file, script });
            return Ok(());
        }
        io::stdout().lock().write_all(&text)
    }

    /// A path without a script: an error if the user named it, a note if it was found in a folder.
    fn skip(&mut self, path: &Path, reason: &SkipReason) -> io::Result<()> {
        let file = path.display().to_string();
        if self.args.paths.iter().any(|named| named == path) {
            eprintln!("error: {}: {reason}", smtlib::shown::path(path));
            self.report.files += 1;
            self.reject(file, 1, 1, reason.to_string());
        } else if !matches!(reason, SkipReason::NotSmt2 | SkipReason::Hidden) {
            eprintln!("skipped {}: {reason}", smtlib::shown::path(path));
            self.report.skipped.push(Skip { file, reason: reason.to_string() });
        }
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<Exit> {
        let seconds = self.time.as_secs_f64();
        let megabytes = self.report.bytes as f64 / 1e6;
        self.report.seconds = seconds;
        self.report.mb_per_s = if seconds > 0.0 { megabytes / seconds } else { 0.0 };
        let report = &self.report;
        let mut text = String::new();
        if self.args.json {
            text = serde_json::to_string_pretty(report)? + "\n";
        } else if self.only_reports() {
            let word = if self.args.round_trip { "round-tripped" } else { "accepted" };
            text = format!(
                "{} files, {} {word}, {} rejected, {} skipped, {megabytes:.1} MB in {seconds:.2} s, {:.0} MB/s\n",
                report.files,
                report.accepted,
                report.rejected,
                report.skipped.len(),
                report.mb_per_s
            );
        }
        match io::stdout().lock().write_all(text.as_bytes()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
            _ => {}
        }
        Ok(if report.rejected > 0 { Exit::Usage } else { Exit::Fine })
    }
}
