//! `falsum generate`: the cases of a strategy, without asking any solver.
//!
//! Cases go to stdout, to a folder (`<number>.smt2` beside one `recipes.jsonl`) or nowhere (`--null`, to measure).
//! The cases are a function of the seeds, the strategy and the key; this file only reads seeds and writes bytes.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command speaks to the user")]

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use corpus::{Quarantine, ScanLimits, Seed};
use serde::Serialize;
use strategy::{Bank, CampaignKey, Case, Recipe, Strategy, registry};

use crate::exit::{Exit, Failure};

/// Write the cases of a strategy without asking any solver
#[derive(clap::Args)]
pub struct Args {
    /// Files and folders of seeds; the embedded seeds if none are given
    #[arg(value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// The strategy; `falsum strategy list` shows them
    #[arg(long, value_name = "S")]
    strategy: String,
    /// How many cases
    #[arg(long, value_name = "N", default_value_t = 100)]
    cases: u64,
    /// The key that all choices derive from
    #[arg(long, value_name = "K", default_value = "falsum")]
    key: String,
    /// Write cases into this folder, with their recipes
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Make the cases and throw them away, to measure
    #[arg(long, conflicts_with = "out")]
    null: bool,
    /// Operator classes to use instead of the tables' (`bvnot,bvneg`; `abs -> -`)
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,
    /// Operators to grow instead of all that the tables have (`(str.at String Int String)`)
    #[arg(long, value_name = "FILE")]
    signatures: Option<PathBuf>,
    /// Fusion functions to use instead of the embedded ones, in yinyang's format
    #[arg(long, value_name = "FILE")]
    functions: Option<PathBuf>,
    /// Let `fusion` put seeds together and fuse nothing (the baseline ConcatFuzz)
    #[arg(long)]
    concat_only: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let strategy = chosen(&args)?;
    let bank = bank(&args.seeds)?;
    let key = CampaignKey(args.key.clone());
    match (&args.out, args.null) {
        (_, true) => measure(&args, &*strategy, &bank, &key),
        (Some(folder), _) => to_folder(&args, &*strategy, &bank, &key, folder),
        (None, _) => to_stdout(&args, &*strategy, &bank, &key),
    }
}

fn chosen(args: &Args) -> anyhow::Result<Box<dyn Strategy>> {
    let mut settings = registry::Settings { concat_only: args.concat_only, ..Default::default() };
    if let Some(path) = &args.functions {
        settings.functions = Some(functions(path)?);
    }
    if let Some(path) = &args.classes {
        let classes = strategy::classes::Classes::read(&read(path)?);
        settings.classes = Some(classes.map_err(|error| mistake(path, &error.to_string()))?);
    }
    if let Some(path) = &args.signatures {
        let signatures = strategy::regrow::signatures::Signatures::read(&read(path)?);
        settings.signatures = Some(signatures.map_err(|error| mistake(path, &error.to_string()))?);
    }
    registry::find_with(&args.strategy, &settings).ok_or_else(|| {
        let names: Vec<&str> = registry::all().iter().map(|strategy| strategy.name()).collect();
        Failure::usage(format!("there is no strategy `{}`", args.strategy))
            .hint(format!("one of: {}", names.join(", ")))
            .into()
    })
}

/// A mistake in a file of the user, with the hint that its message ends with.
fn mistake(path: &Path, message: &str) -> Failure {
    match message.split_once("\nhint: ") {
        Some((what, hint)) => Failure::usage(format!("{}: {what}", path.display())).hint(hint),
        None => Failure::usage(format!("{}: {message}", path.display())),
    }
}

/// The fusion functions of a user's file; blocks that cannot be used are said on stderr.
pub fn functions(path: &Path) -> anyhow::Result<Vec<strategy::fusion::Function>> {
    let mut found = strategy::fusion::Functions::read(&read(path)?);
    for refused in &found.refused {
        eprintln!("{}: refused: {refused}", path.display());
    }
    if found.functions.is_empty() {
        return Err(Failure::usage(format!("{} has no usable fusion function", path.display()))
            .hint("`falsum strategy verify --functions FILE` says what is wrong with each")
            .into());
    }
    strategy::fusion::verify::test_unchecked(&mut found.functions, 100);
    Ok(found.functions)
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())).into())
}

/// The seeds of a command line as a bank; those that cannot be used are said on stderr.
pub fn bank(paths: &[PathBuf]) -> anyhow::Result<Bank> {
    let seeds: Vec<Seed> = if paths.is_empty() {
        corpus::embedded().collect()
    } else {
        super::corpus::must_exist(paths)?;
        let found = corpus::scan(paths, &ScanLimits::default(), &Quarantine::default());
        super::corpus::explain(&found.skipped);
        found.seeds
    };
    let (bank, rejected) = Bank::new(seeds);
    for seed in &rejected {
        eprintln!("rejected {}", seed.why.trim_end());
    }
    if bank.is_empty() {
        return Err(Failure::usage("no usable seed was found")
            .hint("a seed is a .smt2 file that `falsum parse --check` accepts; without paths the embedded seeds are used")
            .into());
    }
    Ok(bank)
}

/// Makes up to `count` cases and hands each on; tells how many there were.
fn each(
    strategy: &dyn Strategy,
    bank: &Bank,
    key: &CampaignKey,
    count: u64,
    mut take: impl FnMut(Case) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    // A bank in which nothing can be done must not make us search forever.
    const PATIENCE: u64 = 10_000;
    let (mut made, mut unit, mut barren) = (0, 0, 0);
    while made < count && barren < PATIENCE {
        let cases = strategy.propose(bank, key, unit).unwrap_or_default();
        barren = if cases.is_empty() { barren + 1 } else { 0 };
        unit += 1;
        for case in cases.into_iter().take((count - made) as usize) {
            take(case)?;
            made += 1;
        }
    }
    if made < count {
        eprintln!(
            "note: only {}: {} finds nothing more to do on these seeds",
            ::report::count(made, "case"),
            strategy.name()
        );
    }
    Ok(made)
}

#[derive(Serialize)]
struct Measured {
    cases: u64,
    bytes: u64,
    seconds: f64,
    cases_per_s: f64,
    /// Processor time: on a loaded machine only this tells how fast a core is.
    cpu_seconds: f64,
    cases_per_cpu_s: f64,
}

fn measure(args: &Args, strategy: &dyn Strategy, bank: &Bank, key: &CampaignKey) -> anyhow::Result<Exit> {
    let (begin, cpu_before) = (Instant::now(), run::used_cpu());
    let mut bytes = 0;
    let cases = each(strategy, bank, key, args.cases, |case| {
        bytes += case.script.len() as u64;
        Ok(())
    })?;
    let seconds = begin.elapsed().as_secs_f64();
    let cpu_seconds = run::used_cpu().saturating_sub(cpu_before).as_secs_f64();
    let per = |seconds: f64| cases as f64 / seconds.max(1e-9);
    let (cases_per_s, cases_per_cpu_s) = (per(seconds), per(cpu_seconds));
    let measured = Measured { cases, bytes, seconds, cases_per_s, cpu_seconds, cases_per_cpu_s };
    if args.json {
        println!("{}", serde_json::to_string(&measured)?);
    } else {
        println!("cases {}", measured.cases);
        println!("bytes {}", measured.bytes);
        println!("seconds {:.6}", measured.seconds);
        println!("cases_per_s {:.0}", measured.cases_per_s);
        println!("cpu_seconds {:.6}", measured.cpu_seconds);
        println!("cases_per_cpu_s {:.0}", measured.cases_per_cpu_s);
    }
    Ok(Exit::Fine)
}

fn unwritable(path: &Path, error: &io::Error) -> anyhow::Error {
    Failure::io(format!("cannot write {}", path.display()), error).into()
}

fn to_folder(
    args: &Args,
    strategy: &dyn Strategy,
    bank: &Bank,
    key: &CampaignKey,
    folder: &Path,
) -> anyhow::Result<Exit> {
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let path = folder.join("recipes.jsonl");
    let file = std::fs::File::create(&path).map_err(|error| unwritable(&path, &error))?;
    let mut recipes = BufWriter::new(file);
    let (mut number, mut bytes) = (0u64, 0);
    let cases = each(strategy, bank, key, args.cases, |case| {
        let script = folder.join(format!("{number:06}.smt2"));
        std::fs::write(&script, &case.script).map_err(|error| unwritable(&script, &error))?;
        let line =
            serde_json::json!({ "case": number, "recipe": case.recipe, "expectation": case.expectation });
        writeln!(recipes, "{line}").map_err(|error| unwritable(&path, &error))?;
        number += 1;
        bytes += case.script.len() as u64;
        Ok(())
    })?;
    recipes.flush().map_err(|error| unwritable(&path, &error))?;
    if args.json {
        println!("{}", serde_json::json!({ "cases": cases, "bytes": bytes, "folder": folder }));
    } else {
        let (cases, bytes) = (::report::count(cases, "case"), ::report::count(bytes, "byte"));
        eprintln!("{cases}, {bytes}, in {}", folder.display());
    }
    Ok(Exit::Fine)
}

/// One element of `generate --json`.
#[derive(Serialize)]
struct Row<'a> {
    case: u64,
    script: std::borrow::Cow<'a, str>,
    expectation: &'a strategy::Expectation,
    recipe: &'a Recipe,
}

fn to_stdout(args: &Args, strategy: &dyn Strategy, bank: &Bank, key: &CampaignKey) -> anyhow::Result<Exit> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut number = 0u64;
    if args.json {
        out.write_all(b"[")?;
    }
    let done = each(strategy, bank, key, args.cases, |case| {
        if args.json {
            let script = String::from_utf8_lossy(&case.script);
            let row = Row { case: number, script, expectation: &case.expectation, recipe: &case.recipe };
            out.write_all(if number > 0 { b",\n" } else { b"\n" })?;
            serde_json::to_writer(&mut out, &row)?;
        } else {
            let Recipe { strategy, seeds, unit, step, rules, .. } = &case.recipe;
            let seeds: Vec<String> = seeds.iter().map(|seed| seed.short()).collect();
            writeln!(
                out,
                "; case {number}: {strategy} unit {unit} step {step} of seed {}",
                seeds.join(" and ")
            )?;
            for rule in rules {
                writeln!(out, ";   {}", rule.replace(['\n', '\r'], " "))?;
            }
            out.write_all(&case.script)?;
            out.write_all(b"\n")?;
        }
        number += 1;
        Ok(())
    });
    let finished = done.and_then(|_| {
        out.write_all(if args.json { b"\n]\n" } else { b"" })?;
        Ok(out.flush()?)
    });
    match finished {
        // The reader has seen enough.
        Err(error)
            if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) =>
        {
            Ok(Exit::Fine)
        }
        Err(error) => Err(error),
        Ok(()) => Ok(Exit::Fine),
    }
}
