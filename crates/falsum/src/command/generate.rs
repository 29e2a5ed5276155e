//! `falsum generate`: the cases of a strategy, without running any solver.
//!
//! Cases go to stdout, to a folder (`<number>.smt2` beside one `recipes.jsonl`) or nowhere (`--null`, to measure).
//! The cases are a function of the seeds, the strategy and the key; this file only reads seeds and writes bytes.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use corpus::{Quarantine, ScanLimits, Seed};
use serde::Serialize;
use strategy::{Bank, CampaignKey, Draft, Recipe, unheard};

use crate::exit::{Exit, Failure};
use crate::strategies::{self, SettingArgs};
use campaign::Begun;

/// Write the cases of a strategy without running any solver
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
    /// Generate the cases and discard them, to measure
    #[arg(long, conflicts_with = "out")]
    null: bool,
    #[command(flatten)]
    settings: SettingArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let strategy = strategies::find(&args.strategy)?;
    let settings = args.settings.settings()?;
    let bank = bank(&args.seeds)?;
    let begun = Begun::new(strategy, &bank, &settings)?;
    let key = CampaignKey(args.key.clone());
    let making = Making { begun, key };
    match (&args.out, args.null) {
        (_, true) => measure(&args, &making),
        (Some(folder), _) => to_folder(&args, &making, folder),
        (None, _) => to_stdout(&args, &making),
    }
}

/// A strategy that was begun, and the key of its choices.
struct Making {
    begun: Begun,
    key: CampaignKey,
}

/// The seeds of a command line as a bank; unusable ones are reported on stderr.
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

impl Making {
    /// Makes up to `count` cases and passes each on with its place; returns how many there were.
    fn each(
        &self,
        count: u64,
        mut take: impl FnMut(Draft, u64, u64) -> anyhow::Result<()>,
    ) -> anyhow::Result<u64> {
        // Seeds on which the strategy finds nothing to do must not cause an endless search.
        const PATIENCE: u64 = 10_000;
        let source = self.begun.source.read().map_err(|_| Failure::usage("the strategy panicked"))?;
        let (mut made, mut unit, mut barren) = (0, 0, 0);
        while made < count && barren < PATIENCE {
            let stamp = self.begun.stamp(&self.key, unit);
            let drafts = unheard(&**source, unit, stamp.rng()).unwrap_or_default();
            barren = if drafts.is_empty() { barren + 1 } else { 0 };
            for (step, draft) in drafts.into_iter().take((count - made) as usize).enumerate() {
                take(draft, unit, step as u64)?;
                made += 1;
            }
            unit += 1;
        }
        if made < count {
            eprintln!(
                "note: only {}: {} finds no further cases on these seeds",
                ::report::count(made, "case"),
                self.begun.name()
            );
        }
        Ok(made)
    }

    fn recipe(&self, draft: &Draft, unit: u64, step: u64) -> Recipe {
        self.begun.stamp(&self.key, unit).recipe(draft, step)
    }
}

#[derive(Serialize)]
struct Measured {
    cases: u64,
    bytes: u64,
    seconds: f64,
    cases_per_s: f64,
    /// Processor time: on a loaded machine only this shows how fast a core is.
    cpu_seconds: f64,
    cases_per_cpu_s: f64,
}

fn measure(args: &Args, making: &Making) -> anyhow::Result<Exit> {
    let (begin, cpu_before) = (Instant::now(), run::used_cpu());
    let mut bytes = 0;
    let cases = making.each(args.cases, |draft, _, _| {
        bytes += draft.script().len() as u64;
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
    Failure::io(format!("cannot write {}", smtlib::shown::path(path)), error).into()
}

fn to_folder(args: &Args, making: &Making, folder: &Path) -> anyhow::Result<Exit> {
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let path = folder.join("recipes.jsonl");
    let file = std::fs::File::create(&path).map_err(|error| unwritable(&path, &error))?;
    let mut recipes = BufWriter::new(file);
    let (mut number, mut bytes) = (0u64, 0);
    let cases = making.each(args.cases, |draft, unit, step| {
        for (n, question) in draft.questions.iter().enumerate() {
            // The formula itself has the plain name; the other questions of its case are written beside it.
            let name = if n == 0 { format!("{number:06}.smt2") } else { format!("{number:06}.{n}.smt2") };
            let script = folder.join(name);
            std::fs::write(&script, &question.script).map_err(|error| unwritable(&script, &error))?;
            bytes += question.script.len() as u64;
        }
        let row = Row::of(number, &draft, making.recipe(&draft, unit, step));
        let line = serde_json::to_string(&Row { script: None, ..row })?;
        writeln!(recipes, "{line}").map_err(|error| unwritable(&path, &error))?;
        number += 1;
        Ok(())
    })?;
    recipes.flush().map_err(|error| unwritable(&path, &error))?;
    if args.json {
        println!("{}", serde_json::json!({ "cases": cases, "bytes": bytes, "folder": folder }));
    } else {
        let (cases, bytes) = (::report::count(cases, "case"), ::report::count(bytes, "byte"));
        eprintln!("{cases}, {bytes}, in {}", smtlib::shown::path(folder));
    }
    Ok(Exit::Fine)
}

/// One element of `generate --json`.
#[derive(Serialize)]
struct Row<'a> {
    case: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<std::borrow::Cow<'a, str>>,
    /// What is expected of each check-sat of the formula.
    expects: &'a [Option<strategy::Expect>],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    relations: &'a [strategy::Relation],
    recipe: Recipe,
}

impl<'a> Row<'a> {
    fn of(case: u64, draft: &'a Draft, recipe: Recipe) -> Row<'a> {
        let script = Some(String::from_utf8_lossy(draft.script()));
        Row { case, script, expects: &draft.questions[0].expects, relations: &draft.relations, recipe }
    }
}

fn to_stdout(args: &Args, making: &Making) -> anyhow::Result<Exit> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut number = 0u64;
    if args.json {
        out.write_all(b"[")?;
    }
    let done = making.each(args.cases, |draft, unit, step| {
        let recipe = making.recipe(&draft, unit, step);
        if args.json {
            out.write_all(if number > 0 { b",\n" } else { b"\n" })?;
            serde_json::to_writer(&mut out, &Row::of(number, &draft, recipe))?;
        } else {
            let Recipe { strategy, seeds, unit, step, rules, .. } = &recipe;
            let seeds: Vec<String> = seeds.iter().map(|seed| seed.short()).collect();
            writeln!(
                out,
                "; case {number}: {strategy} unit {unit} step {step} of seed {}",
                seeds.join(" and ")
            )?;
            for rule in rules {
                writeln!(out, ";   {}", rule.replace(['\n', '\r'], " "))?;
            }
            out.write_all(draft.script())?;
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
        // The reader needs no more output.
        Err(error)
            if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) =>
        {
            Ok(Exit::Fine)
        }
        Err(error) => Err(error),
        Ok(()) => Ok(Exit::Fine),
    }
}
