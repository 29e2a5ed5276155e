//! `falsum eval FILE --model FILE`: evaluates each assertion in force at a check under a given model.
//!
//! In: a script and a model as a solver prints it. Out: true, false or unknown (with the reason) per assertion and
//! for all together, or with `--term` the value of one term. No solver is run. The exit code is 10 if an
//! assertion or the term is false, as for any other finding, and 0 if it is true or unknown.
#![allow(clippy::print_stdout, reason = "a command prints to the user")]

use super::check::{parse, read};
use crate::exit::{Exit, Failure};
use semantics::eval::{self, Evaluator, Outcome, Truth, Verdict};
use semantics::model::{Escapes, Model};
use semantics::value::show::value_text;
use serde::Serialize;
use smtlib::script::Command;
use smtlib::span::position;
use smtlib::{Script, TermId};
use std::path::{Path, PathBuf};

/// Flags of `eval`.
#[derive(clap::Args)]
pub struct Args {
    /// The script; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The model, as a solver prints it
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Evaluate this term instead of the assertions
    #[arg(long, value_name = "TERM")]
    term: Option<String>,
    /// Which check-sat of the script the model is for, counted from 1 (default: the last)
    #[arg(long, value_name = "N")]
    check: Option<usize>,
    /// Strings in the model use the escapes of old releases: \x41, \n
    #[arg(long)]
    legacy_strings: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    value: &'static str,
    asserts: Vec<Line>,
    underspecified: bool,
    /// Symbols that the model leaves out had to be given values.
    completed: bool,
    /// What was chosen where the standard or the model leaves a choice: point and value.
    choices: Vec<(String, String)>,
    /// What the reader of the model skipped.
    notes: Vec<String>,
}

/// One assertion.
#[derive(Serialize)]
struct Line {
    /// Its number among those in force, from 0; assumptions of the check come last.
    index: usize,
    line: usize,
    value: &'static str,
    reason: Option<String>,
}

/// What `--term --json` prints.
#[derive(Serialize)]
struct TermReport {
    value: String,
    sort: String,
    reason: Option<String>,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let source = read(&args.file)?;
    let mut script = parse(&args.file, source.clone())?.to_script();
    let (check, command) = the_check(&script, args.check)?;
    let text = read(&args.model)?;
    let escapes = if args.legacy_strings { Escapes::Legacy } else { Escapes::Standard };
    let model = Model::parse_at(&mut script, command, &text, escapes)
        .map_err(|error| Failure::usage(format!("{}: {error}", smtlib::shown::path(&args.model))))?;
    refuse_other_symbols(&script, &model, &args.model)?;
    match &args.term {
        Some(term) => show_term(&mut script, &model, term, args.json),
        None => show_asserts(&script, &model, check, &source, args.json),
    }
}

/// A model that has no symbol of the script is the model of another script.
fn refuse_other_symbols(script: &Script, model: &Model, file: &Path) -> anyhow::Result<()> {
    let declared: Vec<String> = script
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::DeclareFun { decl, .. } => {
                Some(script.pool.name(script.pool.decl(*decl).name).into_owned())
            }
            _ => None,
        })
        .collect();
    if !declared.is_empty() && model.functions.is_empty() && !model.auxiliary.is_empty() {
        let some: Vec<&str> = declared.iter().map(String::as_str).take(5).collect();
        let message = format!(
            "{} has no value for any symbol of the script ({}{})",
            smtlib::shown::path(file),
            some.join(", "),
            if declared.len() > 5 { ", …" } else { "" }
        );
        return Err(Failure::usage(message).hint("is it the model of another script?").into());
    }
    Ok(())
}

/// The selected check: its number from 0 and its command.
fn the_check(script: &Script, wanted: Option<usize>) -> anyhow::Result<(usize, usize)> {
    let checks: Vec<usize> = (0..script.commands.len()).filter(|&n| script.commands[n].is_check()).collect();
    let Some(wanted) = wanted else {
        let last = checks.len().saturating_sub(1);
        return Ok((last, checks.last().copied().unwrap_or(script.commands.len())));
    };
    match checks.get(wanted.wrapping_sub(1)) {
        Some(&command) => Ok((wanted - 1, command)),
        None => {
            let failure = Failure::usage(format!("there is no check-sat number {wanted}"));
            Err(failure.hint(format!("the script has {}", checks.len())).into())
        }
    }
}

fn show_asserts(
    script: &Script,
    model: &Model,
    check: usize,
    source: &[u8],
    json: bool,
) -> anyhow::Result<Exit> {
    let result = eval::check(script, model, check);
    let lines = result
        .assertions
        .iter()
        .enumerate()
        .map(|(index, assertion)| {
            let start = script.spans.get(assertion.command).map_or(0, |span| span.start as usize);
            let (value, reason) = shown(assertion.truth);
            Line { index, line: position(source, start).line, value, reason }
        })
        .collect();
    let report = Report {
        value: shown(result.overall).0,
        asserts: lines,
        underspecified: result.overall.underspecified,
        completed: result.overall.completed,
        choices: result.choices,
        notes: model.notes.clone(),
    };
    if json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", text(&report));
    }
    Ok(exit_of(report.value))
}

fn exit_of(value: &str) -> Exit {
    if value == "false" { Exit::Findings } else { Exit::Fine }
}

/// A truth value and, if it is unknown, why.
fn shown(truth: Truth) -> (&'static str, Option<String>) {
    match truth.value {
        Verdict::True => ("true", None),
        Verdict::False => ("false", None),
        Verdict::Unknown(reason) => ("unknown", Some(reason.to_string())),
    }
}

fn text(report: &Report) -> String {
    let mut out = String::new();
    for line in &report.asserts {
        let reason = line.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
        out += &format!("line {}: {}{reason}\n", line.line, line.value);
    }
    out += &format!("all: {}", report.value);
    if report.completed {
        out += ", with values for symbols that the model leaves out";
    }
    if report.underspecified {
        out += ", with choices where the standard leaves one";
    }
    out.push('\n');
    for (point, value) in &report.choices {
        out += &format!("  chosen: {point} is {value}\n");
    }
    for note in &report.notes {
        out += &format!("  note: {note}\n");
    }
    out
}

fn show_term(script: &mut Script, model: &Model, text: &str, json: bool) -> anyhow::Result<Exit> {
    let term: TermId = smtlib::parser::parse_term(script, text.as_bytes()).map_err(|error| {
        let rendered = error.render("--term", text.as_bytes());
        Failure::usage(rendered.trim_start_matches("error: ").trim_end())
    })?;
    let sort = script.pool.sort_of(term);
    let outcome: Outcome = Evaluator::new(&script.pool, model).eval_term(term);
    let report = TermReport {
        value: outcome.as_ref().map_or("unknown".to_owned(), |v| value_text(&script.pool, sort, v)),
        sort: smtlib::printer::sort_text(&script.pool, sort),
        reason: outcome.as_ref().err().map(ToString::to_string),
    };
    let exit = exit_of(&report.value);
    if json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        let reason = report.reason.map_or(String::new(), |reason| format!(": {reason}"));
        println!("{}{reason}", report.value);
    }
    Ok(exit)
}
