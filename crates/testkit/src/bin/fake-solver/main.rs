//! `fake-solver`: a solver for tests that misbehaves exactly as its options say.
//!
//!     fake-solver [--behave A,B,...] [--at-check N] [--answer sat|unsat|unknown] [FILE]
//!     fake-solver --instant sat|unsat|unknown [FILE]
//!     fake-solver --real "z3 -in" --wrong flip|refute|model|core|crash|corrupt|hang|flaky|incremental-only
//!                 [--wrong-when TEXT] [FILE]
//!     fake-solver --real "z3 -in" --plant refute:bvmul,model:bvor,... [FILE]
//!
//! It reads SMT-LIB from FILE or standard input. Without options it behaves well: it answers unsat if the asserted
//! text contains `false`, else sat. `--behave` runs the named behaviours first (or, with `--at-check N`, just before
//! the answer to check-sat number N), in order; see `endings`, `trees`, `output` and `input` for the names. `--real`
//! runs a real solver and forwards its answers, except where options say to distort them (see `planted`). Unknown
//! options are ignored, so that the fake can be called with the options of a real solver.
//!
//! Tests must not endanger the machine: every loop ends by itself within 60 seconds and all memory use is bounded,
//! even if no caller enforces a limit.

mod answers;
mod behave;
mod endings;
mod input;
mod output;
mod planted;
mod reader;
mod trees;

use std::fs::File;
use std::io::{Read, Write};
use std::process::ExitCode;

/// The parsed command line.
#[derive(Debug, Default, Clone)]
pub struct Options {
    behave: Vec<String>,
    at_check: Option<u64>,
    answer: Option<String>,
    real: Option<String>,
    wrong: Option<String>,
    wrong_when: Option<String>,
    /// Pairs of a distortion and the text that triggers it; the first pair that applies is used.
    plants: Vec<(String, String)>,
    file: Option<String>,
    version: bool,
}

fn parse(args: impl Iterator<Item = String>) -> Options {
    let mut options = Options::default();
    let mut args = args.peekable();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--behave" => {
                options.behave.extend(args.next().iter().flat_map(|l| l.split(',')).map(Into::into))
            }
            "--at-check" => options.at_check = args.next().and_then(|n| n.parse().ok()),
            "--answer" | "--instant" => options.answer = args.next(),
            "--real" => options.real = args.next(),
            "--wrong" => options.wrong = args.next(),
            "--wrong-when" => options.wrong_when = args.next(),
            "--plant" => {
                let plants = args.next().unwrap_or_default();
                let pairs = plants.split(',').filter_map(|plant| plant.split_once(':'));
                options.plants.extend(pairs.map(|(wrong, when)| (wrong.to_owned(), when.to_owned())));
            }
            "--version" | "-version" => options.version = true,
            other if other.starts_with('-') => {}
            _ if options.file.is_some() => std::process::exit(64),
            _ => options.file = Some(arg),
        }
    }
    options
}

fn main() -> ExitCode {
    let options = parse(std::env::args().skip(1));
    if options.version && options.real.is_none() {
        let _ = writeln!(std::io::stdout(), "fake-solver version {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    if options.at_check.is_none() {
        behave::all(&options.behave);
    }
    let source: Box<dyn Read> = match &options.file {
        None => Box::new(std::io::stdin()),
        Some(path) => match File::open(path) {
            Ok(file) => Box::new(file),
            Err(error) => {
                let _ = writeln!(std::io::stdout(), "(error \"{path}: {error}\")");
                return ExitCode::FAILURE;
            }
        },
    };
    match &options.real {
        Some(real) => planted::serve(real, &options, source),
        None => answers::serve(&options, source),
    }
}
