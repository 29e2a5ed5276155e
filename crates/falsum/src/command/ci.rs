//! `falsum ci`: a gate for a solver project.
//!
//! Half of the budget goes to enumeration: the smallest formulas of each theory run on the solver under test and are
//! compared with a reference. The reference's answers are cached in a folder that a CI system keeps between runs, so
//! that only the solver under test costs time. The other half is a hunt. Proven findings go into one campaign folder
//! and from there into JUnit and SARIF; a baseline lists the known ones. The exit code is 10 only if there is a new
//! finding that evidence proves, 11 if all findings are known, 0 otherwise. A majority vote never fails the gate.
//! A target that is slow or undecided where another release or solver is not (references may be older releases) is
//! listed, and fails the gate only with `--gate-slow`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::command::evolution::theories;
use crate::command::hunt::{bank, listeners, say_short, warn};
use crate::exit::{Exit, Failure};
use crate::panel::{SolverArgs, duration};
use crate::strategies;
use ::report::{Due, Known, Options, Report};
use ::strategy::{CampaignKey, Case, Draft, Recipe, Settings};
use campaign::crew::Crew;
use campaign::evolution::{Evolution, Measurement};
use campaign::spread::jobs;
use campaign::{Assignment, Budget, Ledger, Mix, Policy, Schedule};
use oracle::Effort;
use solver::{QueryLimits, SessionKind};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use triage::{Confirmed, Panel, Plan, Repetitions, confirm};

#[derive(clap::Args)]
pub struct Args {
    /// Seed files and folders for the hunt; without any, the seeds inside falsum and the imported ones
    #[arg(value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    #[command(flatten)]
    solvers: SolverArgs,
    /// The budget; running work and triage end at most 10 s and a fifth of the time later
    #[arg(long = "for", value_parser = duration, value_name = "TIME", default_value = "10m")]
    time: Duration,
    /// How much of the budget goes to enumeration, in percent
    #[arg(long, value_name = "P", default_value_t = 50, value_parser = clap::value_parser!(u8).range(0..=100))]
    enumerate_share: u8,
    /// Grammars to enumerate, separated by commas; without any, the eight theories of the standard
    #[arg(long, value_delimiter = ',', value_name = "G")]
    grammar: Vec<String>,
    /// How many formulas of each grammar at most
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    take: u64,
    /// Strategies of the hunt, separated by commas; without any, all that apply
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    strategy: Vec<String>,
    /// The campaign key of the hunt; a new key every night covers more
    #[arg(long, default_value = "ci", value_name = "K")]
    key: String,
    /// Fail for what is slow or undecided as well, not only for what is wrong
    #[arg(long)]
    gate_slow: bool,
    /// Known findings, one per line: PATTERN, or PATTERN => WHERE
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Add new findings to the baseline, so that the next run treats them as known
    #[arg(long, requires = "baseline")]
    update_baseline: bool,
    /// Where answers are cached between runs, each under the hash of the solver that gave it
    #[arg(long, default_value = "falsum-cache", value_name = "DIR")]
    cache: PathBuf,
    /// The campaign folder; it must be new
    #[arg(long, default_value = "falsum-out", value_name = "DIR")]
    out: PathBuf,
    /// Write JUnit XML [default: OUT/junit.xml]
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write SARIF [default: OUT/falsum.sarif]
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Workers; without it, one per core
    #[arg(short = 'j', long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    if args.solvers.solvers.is_empty() {
        return Err(Failure::usage("no solver under test").hint("add --solver SPEC").into());
    }
    let known = baseline(&args)?;
    let began = Instant::now();
    let (targets, references) = args.solvers.resolve()?;
    let Crew { workers, idle, short } = Crew::muster(args.jobs, targets.len() + references.len());
    let bank = bank(&args.seeds, true)?;
    let setup = Arc::new(Assignment {
        strategies: strategies::begin(&args.strategy, &bank, &Settings::default())?,
        bank,
        key: CampaignKey(args.key.clone()),
        panel: Panel::new(targets.clone(), references.clone(), idle),
        limits: args.solvers.limits(),
        policy: Policy::hunt(Mix::Mixed),
        turns: None,
        focus: campaign::Focus::default(),
        tilts: campaign::learned::Tilts::default(),
        covered: None,
        ration: campaign::Ration::default(),
        spending: campaign::Spending::default(),
        cancel: run::Cancel::new()?,
    });
    let mut budget = Budget {
        time: None,
        cases: None,
        stop_after: None,
        workers,
        schedule: Schedule::Yield,
        shard: (0, 1),
        reduce: true,
        record: store::Record::default(),
        triage_share: campaign::TRIAGE_SHARE,
        sharing: campaign::Sharing::default(),
    };
    // Report a path that cannot be written before any budget is spent.
    let (junit, sarif) = outputs(&args);
    [&junit, &sarif].into_iter().try_for_each(|file| refuse_unwritable(file, &args.out))?;
    let listeners = listeners(&args.out, args.quiet, false, &setup);
    let opened = Ledger::open(&args.out, false, &setup, &budget, listeners);
    let mut ledger = opened.map_err(|error| without_resume(error.into()))?;
    warn(&ledger);
    say_short(&mut ledger, short)?;
    let share = args.time * u32::from(args.enumerate_share) / 100;
    let suspects = if share.is_zero() {
        vec![]
    } else {
        // Targets last: their suspicions are compared with the references before them.
        let releases = references.iter().chain(&targets).cloned().collect();
        enumerated(&args, releases, &targets, workers, share.saturating_sub(began.elapsed()))?
    };
    // With 100 percent for enumeration, the hunt does not inherit the remaining time.
    let left = args.time.saturating_sub(began.elapsed());
    budget.time = Some(if args.enumerate_share == 100 { Duration::ZERO } else { left });
    for (name, number, text) in &suspects {
        keep(&setup, &mut ledger, name, *number, text)?;
    }
    let exit: Exit = campaign::hunt(setup, &budget, ledger)?.into();
    let verdict = conclude(&args, known)?;
    Ok(if matches!(exit, Exit::Internal | Exit::Interrupted | Exit::NoSolver) { exit } else { verdict })
}

/// Where JUnit and SARIF go.
fn outputs(args: &Args) -> (PathBuf, PathBuf) {
    let junit = args.junit.clone().unwrap_or_else(|| args.out.join("junit.xml"));
    (junit, args.sarif.clone().unwrap_or_else(|| args.out.join("falsum.sarif")))
}

/// A file can only be written at the end if its folder exists or is created by us.
fn refuse_unwritable(file: &Path, out: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder == out || folder.is_dir() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{}: there is no folder {}",
        smtlib::shown::path(file),
        smtlib::shown::path(folder)
    )))
}

/// A gate always starts a new campaign; it never resumes.
fn without_resume(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<campaign::Error>() {
        Some(campaign::Error::Store(store::Error::Exists { .. })) => {
            Failure::usage(error.to_string()).hint("give a new folder with --out").into()
        }
        _ => error,
    }
}

fn baseline(args: &Args) -> anyhow::Result<Known> {
    let Some(path) = &args.baseline else { return Ok(Known::default()) };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if !args.update_baseline {
                eprintln!(
                    "note: {} does not exist yet: all findings count as new",
                    smtlib::shown::path(path)
                );
            }
            String::new()
        }
        Err(error) => return Err(trouble(path, &error).into()),
    };
    Ok(Known::parse(&text)
        .map_err(|error| Failure::usage(format!("{}: {error}", smtlib::shown::path(path))))?)
}

/// Enumerates for a time; returns the formulas on which a solver under test is to blame.
fn enumerated(
    args: &Args,
    releases: Vec<solver::Target>,
    targets: &[solver::Target],
    workers: usize,
    time: Duration,
) -> anyhow::Result<Vec<(&'static str, u64, Box<str>)>> {
    let mut run = Evolution::open(Measurement {
        releases,
        theories: theories(&args.grammar)?,
        take: args.take,
        from: Default::default(),
        variables: None,
        repetitions: 1,
        limit: args.solvers.timeout.min(MOST),
        memory: args.solvers.memory,
        session: SessionKind::Reset,
        fresh_every: 0,
        workers,
        out: args.cache.clone(),
        progress: progress(args.quiet),
        time: Some(time),
    })?;
    run.run(|_| Ok::<(), campaign::Error>(()))?;
    let is_target = |release: &usize| targets.iter().any(|t| t.name == run.setup.releases[*release].name);
    let mut suspects: Vec<(&'static str, u64, Box<str>)> = vec![];
    for theory in &run.theories {
        for release in (0..run.releases.len()).filter(is_target) {
            let trials = run.grid.trials(theory.axis, run.releases[release])?;
            for trial in trials.iter().filter(|trial| trial.certified) {
                // An earlier run may have covered more formulas.
                let Some(text) = theory.formulas.get(trial.number as usize) else { continue };
                if !suspects.iter().any(|(name, number, _)| (*name, *number) == (theory.name, trial.number)) {
                    suspects.push((theory.name, trial.number, text.clone()));
                }
            }
        }
    }
    for (theory, _, number) in run.outdone(is_target, OUTDONE)? {
        let theory = &run.theories[theory];
        let Some(text) = theory.formulas.get(number as usize) else { continue };
        if !suspects.iter().any(|(name, other, _)| (*name, *other) == (theory.name, number)) {
            suspects.push((theory.name, number, text.clone()));
        }
    }
    Ok(suspects)
}

/// How many formulas of a theory are looked at again because another release or solver does better.
const OUTDONE: usize = 8;

/// The time limit for one enumerated formula: small formulas are solved at once or not at all.
const MOST: Duration = Duration::from_secs(2);

/// Prints the progress of an enumeration, unless the user wants quiet.
pub fn progress(quiet: bool) -> Box<dyn Fn(&str) + Send + Sync> {
    Box::new(move |line| {
        if !quiet {
            eprintln!("{line}");
        }
    })
}

/// Reproduces the failure on an enumerated formula, with every solver's output for the report, and stores it.
fn keep(setup: &Assignment, ledger: &mut Ledger, name: &str, number: u64, text: &str) -> anyhow::Result<()> {
    let (block, step) =
        (number / ::strategy::enumerate::cases::BLOCK, number % ::strategy::enumerate::cases::BLOCK);
    let recipe = Recipe {
        strategy: "enumerate".into(),
        settings: Settings { grammar: Some(name.to_owned()), ..Settings::default() },
        unit: block,
        step,
        rules: vec![format!("{name} formula {number}")],
        ..Recipe::default()
    };
    let Ok(case) = Case::new(Draft::of(format!("{text}\n").into_bytes()), recipe) else { return Ok(()) };
    let limits = QueryLimits { cpu: None, ..setup.limits.clone() };
    let plan = Plan { effort: Effort::thorough().as_asked(), ..Plan::thorough(limits) };
    let Confirmed::Yes(inquiry) = confirm(&setup.panel, &case, &plan, Repetitions::default()) else {
        return Ok(());
    };
    ledger.keep_findings(setup, &inquiry)?;
    Ok(())
}

/// Writes the reports and decides.
fn conclude(args: &Args, known: Known) -> anyhow::Result<Exit> {
    let read = |known: Known| -> anyhow::Result<Report> {
        let view = store::Store::read(&args.out)?;
        let options = Options { known, ..Options::default() };
        Report::read(&view, &options).map_err(|error| Failure::usage(error.to_string()).into())
    };
    let report = read(known)?;
    let (junit, sarif) = outputs(args);
    fs::write(&junit, ::report::junit(&report)).map_err(|error| trouble(&junit, &error))?;
    let text = ::report::sarif(&report).map_err(|error| Failure::usage(error.to_string()))?;
    fs::write(&sarif, text).map_err(|error| trouble(&sarif, &error))?;
    let count = |due: Due| report.bugs.iter().filter(|bug| bug.due == due).count();
    let counts = |bug: &&::report::BugReport| args.gate_slow || bug.kind.is_soundness();
    let new = report.bugs.iter().filter(|bug| bug.due.is_new()).filter(counts).count();
    let slow = report.bugs.iter().filter(|bug| bug.due.is_new() && !bug.kind.is_soundness()).count();
    let (old, votes) = (count(Due::Known), count(Due::Unproven));
    for bug in report.bugs.iter().filter(|bug| bug.due.is_new()) {
        println!(
            "{}  {}  {}  {}  findings/{}",
            if counts(&bug) { "new  " } else { "slow " },
            bug.id,
            bug.kind.word(),
            bug.culprits.join(", "),
            bug.finding
        );
    }
    println!(
        "{new} new, {old} known, {votes} only by a vote, {slow} slow or undecided; {} and {}",
        smtlib::shown::path(&junit),
        smtlib::shown::path(&sarif)
    );
    if let Some(path) = args.baseline.as_deref().filter(|_| args.update_baseline && new > 0) {
        extend(path, &report)?;
    }
    Ok(match (new, old) {
        (0, 0) => Exit::Fine,
        (0, _) => Exit::KnownFindings,
        _ => Exit::Findings,
    })
}

/// Adds new bugs to the baseline.
fn extend(path: &Path, report: &Report) -> anyhow::Result<()> {
    let mut text = fs::read_to_string(path).unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for bug in report.bugs.iter().filter(|bug| bug.due.is_new()) {
        let place =
            format!("{} of {}, accepted {}", bug.kind.word(), bug.culprits.join(", "), report.started);
        text += &::report::known::lines(bug, &place);
    }
    Ok(fs::write(path, text).map_err(|error| trouble(path, &error))?)
}

fn trouble(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!("{}: {error}", smtlib::shown::path(path)))
}
