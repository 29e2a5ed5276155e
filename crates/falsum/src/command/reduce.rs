//! `falsum reduce`: finds the smallest script that still shows the bug.
//!
//! What must stay true is a goal that falsum derives from the input (`--goal`; without one, the worst finding), or the
//! behaviour of a command (`-- CMD`), or the exit code of a script (`--script`). Once a smaller script is
//! found, the output file holds the best so far, so an interrupt loses nothing; until then an existing file is kept.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::command::check::{parse, read};
use crate::exit::{Exit, Failure};
use crate::panel::SolverArgs;
use campaign::crew::Crew;
use campaign::interrupt::Interrupts;
use campaign::spread::jobs;
use solver::Pool;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use strategy::RuleUse;
use strategy::weaken::rules::Rules;
use triage::instep::InStep;
use triage::reduce::{Improvement, Interesting, Options, ReduceError, Reduced, Stats};
use triage::{Goal, Golden, Matching, Pinned};

#[derive(clap::Args)]
pub struct Args {
    /// The script to shrink; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What must stay true; without it, the worst finding that the input shows
    #[arg(long, value_parser = goal, value_name = "wrong|crash|invalid-model|invalid-value|invalid-core|unknown|slow|disagree|rejects")]
    goal: Option<Goal>,
    /// A program that exits with 0 for interesting files
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["goal", "command"])]
    script: Option<OsString>,
    /// Where the result goes; NAME.reduced.smt2 in the current folder if not given
    #[arg(short = 'o', long = "out", value_name = "OUT")]
    out: Option<PathBuf>,
    /// How many checks run in parallel; the result does not depend on it
    #[arg(short = 'j', long = "jobs", value_parser = jobs, value_name = "N")]
    jobs: Option<usize>,
    /// With a command: standard output must contain this text
    #[arg(long, value_name = "TEXT")]
    match_out: Option<String>,
    /// With a command: standard error must contain this text
    #[arg(long, value_name = "TEXT")]
    match_err: Option<String>,
    /// With a command: only the exit code must stay
    #[arg(long)]
    ignore_output: bool,
    /// With a command: a second command whose behaviour must stay the same, too
    #[arg(short = 'c', long, value_name = "CMD", requires = "command")]
    cross_check: Option<String>,
    /// The standard output of the second command must contain this text
    #[arg(long, value_name = "TEXT", requires = "cross_check")]
    match_out_cc: Option<String>,
    /// The standard error of the second command must contain this text
    #[arg(long, value_name = "TEXT", requires = "cross_check")]
    match_err_cc: Option<String>,
    /// Only the exit code of the second command must stay
    #[arg(long, requires = "cross_check")]
    ignore_output_cc: bool,
    /// With `--goal unknown`: a second script that the solver decides; both shrink in step, this one to OUT.pair
    #[arg(long, value_name = "FILE")]
    pair: Option<PathBuf>,
    /// With `--pair`: the rule of `weaken` that makes FILE of the pair; it is applied again after every reduction
    #[arg(long, value_name = "NAME", requires = "pair")]
    rule: Option<String>,
    #[command(flatten)]
    solvers: SolverArgs,
    /// Print the numbers as one JSON object
    #[arg(long)]
    json: bool,
    /// A command whose behaviour on the input must stay the same; the file is appended, or replaces `{}` or `@@`
    #[arg(last = true, value_name = "CMD", conflicts_with = "goal")]
    command: Vec<OsString>,
}

fn goal(word: &str) -> Result<Goal, String> {
    Goal::from_word(word).ok_or_else(|| {
        let words: Vec<&str> = Goal::ALL.iter().map(|(word, _)| *word).collect();
        format!("`{word}` is not a goal\nhint: one of {}", words.join(", "))
    })
}

/// What a reduction needs besides its check.
struct Job<'a> {
    out: &'a Path,
    workers: usize,
    interrupts: Interrupts,
    cancel: run::Cancel,
    before: usize,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let text = parse(&args.file, read(&args.file)?)?.text().to_vec();
    let out = args.out.clone().unwrap_or_else(|| default_out(&args.file));
    let Crew { workers, short, .. } = Crew::muster(args.jobs, 1);
    if let Some(short) = short {
        eprintln!("note: {short}");
    }
    let cancel = run::Cancel::new()?;
    let at_once = cancel.clone();
    let interrupts = Interrupts::listen_and(move || at_once.raise())?;
    let job = Job { out: &out, workers, interrupts, cancel, before: text.len() };
    probe(&out)?;
    let reduced = match reduce_by(&args, &job, &text) {
        // A check that was interrupted says nothing about the input.
        Err(_) if job.interrupts.stop() => return Ok(Exit::Interrupted),
        outcome => outcome?,
    };
    save(&out, &reduced.text)?;
    tell(&args, &out, &reduced)?;
    Ok(if reduced.interrupted { Exit::Interrupted } else { Exit::Fine })
}

fn reduce_by(args: &Args, job: &Job<'_>, text: &[u8]) -> anyhow::Result<Reduced> {
    let cancel = Some(job.cancel.clone());
    let limits = run::Limits {
        wall: Some(args.solvers.timeout),
        memory: Some(args.solvers.memory),
        ..run::Limits::default()
    };
    if let Some(script) = &args.script {
        let check = Golden::of_script(script.clone(), limits, cancel);
        return job.attempt(text, &check).map_err(|error| match error {
            ReduceError::NotInteresting => uninteresting(check.refusal(text)).into(),
            error => uninteresting(error).into(),
        });
    }
    if !args.command.is_empty() {
        let matching = Matching {
            out: args.match_out.clone(),
            err: args.match_err.clone(),
            ignore_output: args.ignore_output,
        };
        let check = Golden::of_command(args.command.clone(), text, matching, limits.clone(), cancel.clone())
            .map_err(uninteresting)?;
        if check.ignores_numbers() {
            eprintln!(
                "note: the output has line numbers, so numbers in it are not compared (--ignore-output: only exit codes)"
            );
        }
        let Some(second) = &args.cross_check else { return job.reduce(text, &check) };
        let words = solver::spec::split_words(second).map_err(uninteresting)?;
        let matching = Matching {
            out: args.match_out_cc.clone(),
            err: args.match_err_cc.clone(),
            ignore_output: args.ignore_output_cc,
        };
        let words = words.into_iter().map(OsString::from).collect();
        let other = Golden::of_command(words, text, matching, limits, cancel).map_err(uninteresting)?;
        return job.reduce(text, &|text: &[u8]| check.holds(text) && other.holds(text));
    }
    let panel = args.solvers.panel(job.workers)?;
    let pinned =
        Pinned::observe(&panel, args.goal, text, &args.solvers.limits(), cancel).map_err(|error| {
            uninteresting(error).hint(match args.goal {
                Some(_) => {
                    "without --goal the worst finding that it shows is kept; falsum check FILE -s … lists all"
                }
                None => "see what it shows: falsum check FILE -s …",
            })
        })?;
    if let Some(pair) = &args.pair {
        return reduce_pair(args, job, text, pair, &pinned);
    }
    eprintln!("keeping: {}", pinned.describe());
    let all = pinned.accused().args.clone();
    let mut pinned = pinned.without_needless_options(text);
    let reduced = match job.attempt(text, &pinned) {
        // Corrupt memory is noticed elsewhere as soon as a blank moves.
        Err(ReduceError::NotInteresting) if pinned.go_deeper() => job.reduce(text, &pinned)?,
        Err(error) => return Err(job.refused(error)),
        Ok(reduced) => reduced,
    };
    // The reduced script may not need every option that the original needed.
    let pinned = pinned.without_needless_options(&reduced.text);
    if pinned.accused().args != all {
        let left = &pinned.accused().args;
        let left = if left.is_empty() { "none".to_owned() } else { left.join(" ") };
        eprintln!("of the options {} it needs {left}", all.join(" "));
    }
    Ok(reduced)
}

/// Two scripts in step: the culprit says unknown to the first and decides the second.
fn reduce_pair(
    args: &Args,
    job: &Job<'_>,
    text: &[u8],
    pair: &Path,
    pinned: &Pinned<'_>,
) -> anyhow::Result<Reduced> {
    if args.goal != Some(Goal::Unknown) {
        return Err(Failure::usage("--pair goes with --goal unknown").into());
    }
    let second = parse(pair, read(pair)?)?.text().to_vec();
    if let Some(rule) = &args.rule {
        return in_step(args, job, &second, pinned, rule);
    }
    let joined = triage::pair::join(text, &second).map_err(uninteresting)?;
    eprintln!("keeping: {} says unknown to FILE and decides {}", pinned.culprit(), smtlib::shown::path(pair));
    let check =
        |text: &[u8]| triage::pair::split(text).is_some_and(|(a, b)| pinned.is_undecided_beside(&a, &b));
    // During the reduction the file on disk is the joined script; it is split at the end.
    let reduced = job.reduce(&joined, &check)?;
    let halves = triage::pair::split(&reduced.text);
    let (first, second) = halves.ok_or_else(|| Failure::usage("the result has no halves"))?;
    let mut beside = job.out.as_os_str().to_owned();
    beside.push(".pair");
    save(Path::new(&beside), &second)?;
    let stats = Stats { bytes_before: text.len(), bytes_after: first.len(), ..reduced.stats };
    Ok(Reduced { text: first, stats, ..reduced })
}

/// The decided script shrinks, and the rule makes the undecided one of it again, in whichever direction shows it.
fn in_step(
    args: &Args,
    job: &Job<'_>,
    decided: &[u8],
    pinned: &Pinned<'_>,
    rule: &str,
) -> anyhow::Result<Reduced> {
    let rules = Rules::embedded().map_err(uninteresting)?;
    let pool = Pool::new(pinned.accused().clone(), job.workers);
    let both = [true, false].map(|forward| RuleUse { rule: rule.to_owned(), forward });
    let checks = both
        .iter()
        .map(|used| InStep::new(&pool, &rules, used, &args.solvers.limits(), Some(job.cancel.clone())));
    let checks: Option<Vec<InStep<'_>>> = checks.collect();
    let Some(checks) = checks else {
        let failure = Failure::usage(format!("there is no rule `{}`", smtlib::shown::text(rule)));
        return Err(failure.hint("falsum strategy show weaken --rules").into());
    };
    let Some(check) = checks.iter().find(|check| check.holds(decided)) else {
        let who = pinned.culprit();
        return Err(uninteresting(format!("{who} decides whatever {rule} makes of the pair")).into());
    };
    let reduced = job.reduce(decided, check)?;
    let partner = check.partner(&reduced.text).ok_or_else(|| uninteresting("the result does not show it"))?;
    let mut beside = job.out.as_os_str().to_owned();
    beside.push(".pair");
    save(Path::new(&beside), &reduced.text)?;
    let stats = Stats { bytes_after: partner.script.len(), ..reduced.stats };
    Ok(Reduced { text: partner.script, stats, ..reduced })
}

fn uninteresting(error: impl std::fmt::Display) -> Failure {
    Failure::usage(error.to_string())
}

impl Job<'_> {
    fn reduce(&self, text: &[u8], check: &dyn Interesting) -> anyhow::Result<Reduced> {
        self.attempt(text, check).map_err(|error| self.refused(error))
    }

    fn refused(&self, error: ReduceError) -> anyhow::Error {
        match error {
            ReduceError::NotInteresting => {
                Failure::usage("the bug disappears after a parse/print round trip").into()
            }
            error => uninteresting(error).into(),
        }
    }

    fn attempt(&self, text: &[u8], check: &dyn Interesting) -> Result<Reduced, ReduceError> {
        let stop = || {
            let stop = self.interrupts.stop();
            if stop {
                self.cancel.raise();
            }
            stop
        };
        let improved = |step: &Improvement<'_>| {
            // A folder that disappears meanwhile is reported when the result is saved.
            let _ = save(self.out, step.text);
            let share = 100.0 * step.text.len() as f64 / self.before.max(1) as f64;
            let (bytes, checks, seconds) = (step.text.len(), step.checks, step.seconds);
            eprintln!("{seconds:7.2} s  {checks:6} checks  {bytes:7} bytes  {share:5.1} %");
        };
        let options = Options { workers: self.workers, stop: &stop, improved: &improved };
        triage::reduce(text, check, &options)
    }
}

fn default_out(file: &Path) -> PathBuf {
    let stem = file
        .file_stem()
        .filter(|stem| *stem != "-" && file.is_file())
        .map_or_else(|| "script".into(), |stem| stem.to_string_lossy().into_owned());
    PathBuf::from(format!("{stem}.reduced.smt2"))
}

/// Checks before the work whether the result can be saved. An existing file is kept: it may be an earlier result.
fn probe(out: &Path) -> anyhow::Result<()> {
    let open = |path: &Path, new: bool| {
        let opened = std::fs::OpenOptions::new().write(true).create(new).truncate(false).open(path);
        opened.map_err(|error| unwritable(out, &error))
    };
    if is_special(out) {
        open(out, false)?;
        return Ok(());
    }
    let part = part_of(out);
    open(&part, true)?;
    std::fs::remove_file(&part).map_err(|error| unwritable(out, &error))?;
    Ok(())
}

/// Replaces the file atomically, so that a concurrent reader sees a complete script.
fn save(out: &Path, text: &[u8]) -> anyhow::Result<()> {
    let said = |error: std::io::Error| unwritable(out, &error);
    if is_special(out) {
        std::fs::write(out, text).map_err(said)?;
        return Ok(());
    }
    let part = part_of(out);
    std::fs::write(&part, text).map_err(said)?;
    std::fs::rename(&part, out).map_err(said)?;
    Ok(())
}

/// A pipe or a device, which cannot be replaced atomically.
fn is_special(out: &Path) -> bool {
    out.exists() && !out.is_file()
}

fn part_of(out: &Path) -> PathBuf {
    let mut part = out.as_os_str().to_owned();
    part.push(".part");
    PathBuf::from(part)
}

fn unwritable(out: &Path, error: &std::io::Error) -> Failure {
    Failure::io(smtlib::shown::path(out), error)
}

fn tell(args: &Args, out: &Path, reduced: &Reduced) -> anyhow::Result<()> {
    if args.json {
        println!("{}", serde_json::to_string(&reduced.stats)?);
        return Ok(());
    }
    let Stats { bytes_before, bytes_after, nodes_before, nodes_after, checks, seconds } = &reduced.stats;
    eprintln!(
        "{bytes_before} to {bytes_after} bytes, {nodes_before} to {nodes_after} nodes, {checks} checks, {seconds:.2} s: {}",
        smtlib::shown::path(out)
    );
    print!("{}", String::from_utf8_lossy(&reduced.text));
    Ok(())
}
