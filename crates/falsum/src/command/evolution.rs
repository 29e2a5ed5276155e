//! `falsum evolution`: how correct and how fast releases are, theory by theory.
//!
//! Turns flags into a grid and writes the results: tables on stdout, and `evolution.csv`, `evolution.json` and
//! `evolution.html` in the folder, rewritten whenever the grid is complete for a larger number of formulas. The folder
//! stores every answer, so that a killed run resumes where it was and adding a release runs only that release.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::command::ci::progress;
use crate::command::enumerate::parse_index;
use crate::command::solver_failure;
use crate::exit::{Exit, Failure};
use crate::panel::{bytes, duration, resolve_all};
use crate::protection::Protection;
use ::report::evolution::{Axes, Evolution as Document, Release, csv, page, table};
use ::strategy::enumerate::catalog::{self, Embedded};
use campaign::evolution::{Evolution, Measurement};
use campaign::spread::jobs;
use dashu_int::UBig;
use solver::{Home, Profiles, SessionKind, Target};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Releases, separated by commas: `z3@4.8.5..5.4`, `cvc5@1.4.2`; without any, all installed ones of z3 and cvc5
    #[arg(long, value_delimiter = ',', value_name = "SPEC")]
    releases: Vec<String>,
    /// Embedded grammars, separated by commas; without any, the eight theories of the standard
    #[arg(long, value_delimiter = ',', value_name = "G")]
    grammar: Vec<String>,
    /// How many formulas of each grammar, smallest first
    #[arg(long, value_name = "N", default_value_t = 1000)]
    take: u64,
    /// Index of the first formula of each grammar: digits, or a power such as 10^1700
    #[arg(long, value_name = "INDEX", default_value = "0", value_parser = parse_index)]
    from: UBig,
    /// How many variables each class of a grammar has
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=100))]
    variables: Option<u16>,
    /// How often every formula runs on every release; times are means
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Timeouts in seconds of processor time, separated by commas; formulas run under the largest
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "T",
        default_value = "0.015625,0.03125,0.0625,0.125,0.25,0.5,1,2,4,8"
    )]
    timeouts: Vec<f64>,
    /// How solver processes are reused between formulas
    #[arg(long, default_value = "reset")]
    session: Session,
    /// Run one formula in this many in a fresh process as well; 0 for none
    #[arg(long, value_name = "N", default_value_t = 40)]
    fresh_every: u64,
    /// How much memory a solver may use
    #[arg(long, default_value = "2G", value_parser = bytes, value_name = "SIZE")]
    memory: u64,
    /// Workers
    #[arg(short = 'j', long, value_parser = jobs, value_name = "N", default_value = "1")]
    jobs: usize,
    /// Stop after this time; running work ends at most 10 s and a fifth of the time later; the same command continues
    #[arg(long = "for", value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    /// The folder with the grid and the results
    #[arg(long, default_value = "falsum-evolution", value_name = "DIR")]
    out: PathBuf,
    /// Run no solver: make tables and page from the answers in the folder
    #[arg(long)]
    no_solve: bool,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    protection: Protection,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Session {
    /// A new process for every formula, as a user would
    Fresh,
    /// One process, `(reset)` between formulas: the same engine as in a fresh process
    Reset,
    /// One process, push and pop around formulas: the incremental engine
    Scoped,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.protection.apply()?;
    let (mut timeouts, theories) = (args.timeouts.clone(), theories(&args.grammar)?);
    timeouts.sort_by(f64::total_cmp);
    let largest = timeouts.last().copied().and_then(|t| Duration::try_from_secs_f64(t).ok());
    let Some(limit) = largest.filter(|limit| !limit.is_zero()) else {
        return Err(Failure::usage("--timeouts needs positive numbers").into());
    };
    let setup = Measurement {
        releases: releases(&args.releases)?,
        theories,
        take: args.take,
        from: args.from.clone(),
        variables: args.variables.map(usize::from),
        repetitions: args.repeat,
        limit,
        memory: args.memory,
        session: match args.session {
            Session::Fresh => SessionKind::Fresh,
            Session::Reset => SessionKind::Reset,
            Session::Scoped => SessionKind::Scoped,
        },
        fresh_every: args.fresh_every,
        workers: args.jobs,
        out: args.out.clone(),
        progress: progress(args.quiet),
        time: args.time,
    };
    let mut evolution = Evolution::open(setup)?;
    let exit: Exit = if args.no_solve {
        Exit::Fine
    } else {
        evolution.run(|evolution| write(evolution, &timeouts, &args.out).map(|_| ()))?.into()
    };
    let document = write(&evolution, &timeouts, &args.out)?;
    if args.json {
        println!("{}", serde_json::to_string(&document)?);
    } else {
        print!("{}", table(&document));
        eprintln!("{}", smtlib::shown::path(&args.out.join("evolution.html")));
    }
    let bugs = document.families.iter().flat_map(|f| &f.figures).flatten().any(|figures| figures.bugs() > 0);
    Ok(if exit == Exit::Fine && bugs { Exit::Findings } else { exit })
}

/// Builds the document and writes it in all formats.
fn write(evolution: &Evolution, timeouts: &[f64], out: &Path) -> anyhow::Result<Document> {
    let document = document(evolution, timeouts)?;
    let forms = [
        ("evolution.csv", csv(&document)),
        ("evolution.json", serde_json::to_string_pretty(&document)? + "\n"),
        ("evolution.html", page(&document)),
    ];
    for (name, text) in forms {
        let path = out.join(name);
        std::fs::write(&path, text)
            .map_err(|error| Failure::usage(format!("{}: {error}", smtlib::shown::path(&path))))?;
    }
    Ok(document)
}

fn document(evolution: &Evolution, timeouts: &[f64]) -> anyhow::Result<Document> {
    let release = |target: &Target| Release {
        name: target.name.clone(),
        solver: target.profile.name.clone(),
        version: target.version.as_ref().map_or_else(|| target.name.clone(), ToString::to_string),
    };
    let axes = Axes {
        theories: evolution.theories.iter().map(|theory| (theory.name.to_owned(), theory.axis)).collect(),
        releases: evolution
            .setup
            .releases
            .iter()
            .zip(&evolution.releases)
            .map(|(target, axis)| (release(target), *axis))
            .collect(),
        timeouts: timeouts.to_vec(),
        session: format!("{} sessions", evolution.setup.session.name()),
        machine: machine(),
    };
    Document::read(&evolution.grid, &axes).map_err(|error| anyhow::anyhow!("{error}"))
}

fn machine() -> String {
    let cores = campaign::spread::cores();
    format!("{} {}, {cores} cores", std::env::consts::OS, std::env::consts::ARCH)
}

pub fn theories(names: &[String]) -> anyhow::Result<Vec<&'static Embedded>> {
    if names.is_empty() {
        return Ok(catalog::EMBEDDED.iter().take(8).collect());
    }
    let find = |name: &String| {
        catalog::find(name).ok_or_else(|| {
            let known: Vec<&str> = catalog::EMBEDDED.iter().map(|embedded| embedded.name).collect();
            Failure::usage(format!("no grammar is called `{name}`"))
                .hint(format!("embedded grammars: {}", known.join(", ")))
                .into()
        })
    };
    names.iter().map(find).collect()
}

/// The releases that SPECs select, oldest first within a solver, solvers in the order given.
fn releases(specs: &[String]) -> anyhow::Result<Vec<Target>> {
    let home = Home::from_env().map_err(solver_failure)?;
    let everything = ["z3@..".to_owned(), "cvc5@..".to_owned()];
    let specs = if specs.is_empty() { &everything[..] } else { specs };
    let mut all: Vec<Target> = vec![];
    for target in resolve_all(&home, &Profiles::embedded(), specs)? {
        if !all.iter().any(|known| known.name == target.name) {
            all.push(target);
        }
    }
    let mut order: Vec<String> = vec![];
    for target in &all {
        if !order.contains(&target.profile.name) {
            order.push(target.profile.name.clone());
        }
    }
    let place = |target: &Target| order.iter().position(|solver| *solver == target.profile.name);
    all.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.version.cmp(&b.version)));
    Ok(all)
}
