//! `falsum corpus list|import|remove|stats`: the seeds this machine has, and how to get more.
//!
//! In: the embedded seeds, the collections below falsum's home, folders to import. Out: lists and tables on stdout (or
//! one JSON document); skipped files and the reason on stderr. Imported seeds are first run on the installed solvers: a
//! seed that they disagree about is a finding and is quarantined. All decisions are made in the crates `corpus` and
//! `triage`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use corpus::import::{collections, import, load, quarantine_file};
use corpus::{Origin, Quarantine, ScanLimits, Seed, SeedCheck, Skipped, Stats, scan};
use serde::Serialize;
use triage::{Plan, Vetted, vet};

use crate::exit::{Exit, Failure};
use crate::panel::SolverArgs;

/// What to do with seeds.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Show the embedded and imported seeds, one per line
    List {
        #[command(flatten)]
        which: Which,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Copy scripts into a collection, named by hash, with their provenance
    Import {
        /// Files and folders; `<LOGIC>/{sat,unsat}/*.smt2` and `(set-info :status …)` are understood
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// The collection to add to
        #[arg(long, default_value = "imported")]
        name: String,
        /// Skip files larger than this many bytes
        #[arg(long, default_value_t = ScanLimits::default().file_bytes, value_name = "BYTES")]
        max_bytes: u64,
        /// Do not run solvers on the seeds first
        #[arg(long)]
        no_vet: bool,
        #[command(flatten)]
        solvers: SolverArgs,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Delete an imported collection, or some of its seeds
    Remove {
        /// The collection
        name: String,
        /// Only these seeds, by the beginning of their ids as `falsum corpus list` prints them
        #[arg(value_name = "ID")]
        seeds: Vec<String>,
    },
    /// Count seeds by logic, status, source of status and theory
    Stats {
        #[command(flatten)]
        which: Which,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

/// Which seeds to use; all by default.
#[derive(clap::Args)]
pub struct Which {
    /// Files and folders to use instead of the embedded and imported seeds
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only the embedded seeds (`embedded`) or one collection
    #[arg(long, conflicts_with = "paths")]
    name: Option<String>,
    /// Only seeds of this logic
    #[arg(long)]
    logic: Option<String>,
}

/// Runs one of them.
pub fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::List { which, json } => list(&which.seeds()?, json),
        Command::Stats { which, json } => stats(&which.seeds()?, json),
        Command::Remove { name, seeds } => remove(&name, &seeds),
        Command::Import { paths, name, max_bytes, no_vet, solvers, json } => {
            solvers.protection.apply()?;
            take(&paths, &name, max_bytes, (!no_vet).then_some(&solvers), json)
        }
    }
}

impl Which {
    fn seeds(&self) -> anyhow::Result<Vec<Seed>> {
        let mut seeds = if self.paths.is_empty() { self.stored()? } else { scanned(&self.paths)? };
        if let Some(logic) = &self.logic {
            seeds.retain(|seed| seed.logic.as_ref() == Some(logic));
        }
        Ok(seeds)
    }

    fn stored(&self) -> anyhow::Result<Vec<Seed>> {
        let home = home()?;
        let wanted = |name: &str| self.name.as_deref().is_none_or(|n| n == name);
        let mut seeds = Vec::new();
        if wanted("embedded") {
            seeds.extend(corpus::embedded());
        }
        let names = collections(&home).map_err(failure)?;
        if let Some(name) = self.name.as_deref().filter(|n| *n != "embedded" && !names.iter().any(|m| m == n))
        {
            let known =
                std::iter::once("embedded").chain(names.iter().map(String::as_str)).collect::<Vec<_>>();
            let problem = Failure::usage(format!("there is no collection `{name}`"));
            return Err(problem.hint(format!("one of: {}", known.join(", "))).into());
        }
        for name in names.iter().filter(|n| wanted(n)) {
            seeds.extend(collection(&home, name)?);
        }
        Ok(seeds)
    }
}

/// The seeds of every collection, without quarantined ones.
pub fn imported() -> anyhow::Result<Vec<Seed>> {
    let home = home()?;
    let mut seeds = Vec::new();
    for name in collections(&home).map_err(failure)? {
        seeds.extend(collection(&home, &name)?);
    }
    Ok(seeds)
}

fn collection(home: &Path, name: &str) -> anyhow::Result<Vec<Seed>> {
    let quarantine = quarantined(home, name)?;
    let found = load(home, name, &ScanLimits::default(), &quarantine).map_err(failure)?;
    explain(&found.skipped);
    Ok(found.seeds)
}

/// The decisions about a collection so far.
fn quarantined(home: &Path, name: &str) -> anyhow::Result<Quarantine> {
    let file = quarantine_file(home, name).map_err(failure)?;
    let (quarantine, bad) = Quarantine::load(&file).map_err(failure)?;
    for line in bad {
        eprintln!("note: {}, line {}: {}", smtlib::shown::path(&file), line.number, line.message);
    }
    Ok(quarantine)
}

fn home() -> anyhow::Result<PathBuf> {
    let home = solver::Home::from_env().map_err(super::solvers::failure)?;
    Ok(home.root().to_owned())
}

fn scanned(paths: &[PathBuf]) -> anyhow::Result<Vec<Seed>> {
    must_exist(paths)?;
    let found = scan(paths, &ScanLimits::default(), &Quarantine::default());
    explain(&found.skipped);
    Ok(found.seeds)
}

/// A path that the user named and that does not exist is an error; files inside a folder may be skipped.
pub fn must_exist(paths: &[PathBuf]) -> anyhow::Result<()> {
    for path in paths {
        std::fs::metadata(path)
            .map_err(|error| Failure::usage(format!("{}: {error}", smtlib::shown::path(path))))?;
    }
    Ok(())
}

fn failure(error: corpus::Error) -> Failure {
    let text = error.to_string();
    match text.split_once("\nhint: ") {
        Some((message, hint)) => Failure::usage(message).hint(hint),
        None => Failure::usage(text),
    }
}

/// Reasons that repeat for every unrelated file of a folder are counted, not listed.
pub fn explain(skipped: &[Skipped]) {
    let is_quarantined = |skip: &&Skipped| matches!(skip.reason, corpus::SkipReason::Quarantined(_));
    let quarantined = skipped.iter().filter(is_quarantined).count();
    if quarantined > 0 {
        eprintln!(
            "skipped {} in quarantine, see the file quarantine of the collection",
            count(quarantined, "seed")
        );
    }
    let (dull, telling): (Vec<_>, Vec<_>) = skipped
        .iter()
        .filter(|skip| !is_quarantined(skip))
        .partition(|s| matches!(s.reason, corpus::SkipReason::NotSmt2 | corpus::SkipReason::Hidden));
    for skip in &telling {
        eprintln!("skipped {}: {}", smtlib::shown::path(&skip.path), skip.reason);
    }
    if !dull.is_empty() {
        eprintln!("skipped {} paths that are hidden or do not end in .smt2", dull.len());
    }
}

/// Deletes a collection, or seeds of it.
fn remove(name: &str, ids: &[String]) -> anyhow::Result<Exit> {
    let home = home()?;
    let names = collections(&home).map_err(failure)?;
    if !names.iter().any(|known| known == name) {
        let hint = match &names[..] {
            [] => "nothing is imported; the seeds inside falsum cannot be removed".to_owned(),
            names => format!("one of: {}", names.join(", ")),
        };
        return Err(Failure::usage(format!("there is no collection `{name}`")).hint(hint).into());
    }
    let folder = corpus::import::folder(&home, name).map_err(failure)?;
    if ids.is_empty() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| Failure::io(smtlib::shown::path(&folder), &error))?;
        eprintln!("{name}: removed");
        return Ok(Exit::Fine);
    }
    let found = load(&home, name, &ScanLimits::default(), &Quarantine::default()).map_err(failure)?;
    for id in ids {
        let mut seeds = found.seeds.iter().filter(|seed| seed.id.to_string().starts_with(id.as_str()));
        let (Some(seed), None) = (seeds.next(), seeds.next()) else {
            let message = format!("`{id}` is not the beginning of exactly one seed of {name}");
            return Err(Failure::usage(message).hint(format!("falsum corpus list --name {name}")).into());
        };
        let file = folder.join(format!("{}.smt2", seed.id));
        std::fs::remove_file(&file).map_err(|error| Failure::io(smtlib::shown::path(&file), &error))?;
        eprintln!("{}: removed from {name}", seed.id.short());
    }
    Ok(Exit::Fine)
}

/// One element of `list --json`.
#[derive(Serialize)]
struct Row<'a> {
    id: String,
    name: &'a str,
    origin: &'a Origin,
    logic: Option<&'a str>,
    bytes: usize,
    conflict: bool,
    status: Vec<corpus::Status>,
    checks: &'a [SeedCheck],
}

fn list(seeds: &[Seed], json: bool) -> anyhow::Result<Exit> {
    if json {
        let rows: Vec<Row<'_>> = seeds.iter().map(row).collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(Exit::Fine);
    }
    for seed in seeds {
        let status = seed.statuses().map(|s| s.to_string()).collect::<Vec<_>>().join(",");
        let note = if seed.conflict() { "  (claims conflict)" } else { "" };
        let logic = seed.logic.as_deref().unwrap_or("-");
        println!("{}  {logic:<12} {status:<8} {}{note}", seed.id.short(), seed.name.escape_debug());
    }
    Ok(Exit::Fine)
}

fn row(seed: &Seed) -> Row<'_> {
    Row {
        id: seed.id.to_string(),
        name: &seed.name,
        origin: &seed.origin,
        logic: seed.logic.as_deref(),
        bytes: seed.text.len(),
        conflict: seed.conflict(),
        status: seed.statuses().collect(),
        checks: &seed.checks,
    }
}

/// The document of `stats --json`.
#[derive(Serialize)]
struct Summary {
    seeds: usize,
    checks: usize,
    bytes: usize,
    conflicts: usize,
    status: BTreeMap<String, usize>,
    source: BTreeMap<String, usize>,
    logic: BTreeMap<String, usize>,
    theory: BTreeMap<String, usize>,
}

fn stats(seeds: &[Seed], json: bool) -> anyhow::Result<Exit> {
    let stats = Stats::of(seeds);
    let summary = Summary {
        seeds: stats.seeds,
        checks: stats.checks,
        bytes: stats.bytes,
        conflicts: stats.conflicts,
        status: named(&stats.by_status),
        source: named(&stats.by_source),
        logic: named(&stats.by_logic),
        theory: named(&stats.by_feature),
    };
    if json {
        println!("{}", serde_json::to_string_pretty(&summary)?);
        return Ok(Exit::Fine);
    }
    let Summary { seeds, checks, bytes, conflicts, .. } = summary;
    let (seeds, checks) = (count(seeds, "seed"), count(checks, "check-sat"));
    println!("{seeds}, {checks}, {bytes} bytes, {conflicts} with conflicting claims");
    for (title, table) in [
        ("status", &summary.status),
        ("source of status", &summary.source),
        ("theory or use", &summary.theory),
        ("logic", &summary.logic),
    ] {
        println!("\n{title}");
        table.iter().for_each(|(name, count)| println!("  {name:<18} {count:>6}"));
    }
    Ok(Exit::Fine)
}

/// `1 seed`, `2 seeds`.
fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn named<K: Display>(table: &BTreeMap<K, usize>) -> BTreeMap<String, usize> {
    table.iter().map(|(key, count)| (key.to_string(), *count)).collect()
}

fn take(
    paths: &[PathBuf],
    name: &str,
    max_bytes: u64,
    solvers: Option<&SolverArgs>,
    json: bool,
) -> anyhow::Result<Exit> {
    must_exist(paths)?;
    let limits = ScanLimits { file_bytes: max_bytes, ..ScanLimits::default() };
    let home = home()?;
    let found = scan(paths, &limits, &quarantined(&home, name)?);
    if found.seeds.is_empty() {
        explain(&found.skipped);
        return Err(Failure::usage("no seeds were found")
            .hint("a seed is a .smt2 file with a check-sat")
            .into());
    }
    let seeds = found.seeds.clone();
    let done = import(found, &home, name).map_err(failure)?;
    explain(&done.skipped);
    for seed in &done.conflicts {
        eprintln!("note: claims about {seed} conflict; its status is not used");
    }
    let left_out = solvers.map_or(Ok(vec![]), |solvers| vet_all(&seeds, solvers))?;
    let file = quarantine_file(&home, name).map_err(failure)?;
    for vetted in &left_out {
        vetted.entry.iter().try_for_each(|entry| Quarantine::append(&file, entry)).map_err(failure)?;
    }
    let findings = left_out.iter().map(|vetted| vetted.findings.len()).sum::<usize>();
    let (added, already, conflicts, skipped) =
        (done.added, done.already, done.conflicts.len(), done.skipped.len());
    if json {
        let quarantined: Vec<serde_json::Value> = left_out
            .iter()
            .map(|vetted| serde_json::json!({ "entry": vetted.entry, "findings": vetted.findings }))
            .collect();
        let document = serde_json::json!({
            "collection": name, "added": added, "already": already, "conflicts": conflicts, "skipped": skipped,
            "findings": findings, "quarantined": quarantined,
        });
        println!("{document}");
    } else {
        left_out.iter().for_each(show_vetted);
        println!(
            "{name}: {added} added, {already} there already, {skipped} skipped, {conflicts} with conflicting claims, \
             {} in quarantine, {findings} findings",
            left_out.len()
        );
    }
    Ok(if findings > 0 { Exit::Findings } else { Exit::Fine })
}

/// Runs the solvers on every seed; returns those that must not be used.
fn vet_all(seeds: &[Seed], solvers: &SolverArgs) -> anyhow::Result<Vec<Vetted>> {
    let workers = campaign::spread::cores();
    let panel = solvers.panel(workers)?;
    let effort = oracle::Effort { enumerate_always: false, regressions: false, ..oracle::Effort::thorough() };
    let plan = Plan { effort, ..Plan::thorough(solvers.limits()) };
    let next = AtomicUsize::new(0);
    let mut all: Vec<(usize, Vetted)> = std::thread::scope(|scope| {
        let worker = || {
            let mut own = vec![];
            while let Some((n, seed)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, seeds.get(n)?)))
            {
                let vetted = vet(&panel, seed, &plan);
                if vetted.entry.is_some() {
                    own.push((n, vetted));
                }
            }
            own
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap_or_default()).collect()
    });
    all.sort_by_key(|(n, _)| *n);
    Ok(all.into_iter().map(|(_, vetted)| vetted).collect())
}

fn show_vetted(vetted: &Vetted) {
    let Some(entry) = &vetted.entry else { return };
    println!("quarantined  {}   {}", entry.name.escape_debug(), entry.reason);
    for finding in &vetted.findings {
        let culprits = finding.culprit.as_deref().unwrap_or("?");
        println!("  finding: {}   culprit: {culprits}", finding.kind.word());
        for evidence in &finding.evidence {
            println!("    {} ({}): {}", evidence.kind.word(), evidence.by, evidence.detail.escape_debug());
        }
    }
}
