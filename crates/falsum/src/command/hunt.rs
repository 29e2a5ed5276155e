//! `falsum hunt`: a campaign until a budget ends.
//!
//! This file turns flags into a setup and a budget; the campaign itself is in `hunt/`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command speaks to the user")]

use crate::exit::{Exit, Failure};
use crate::hunt::schedule::Schedule;
use crate::hunt::screen::Screen;
use crate::hunt::turns::Turns;
use crate::hunt::{Budget, Ledger, SessionMix, Setup, hunt};
use crate::panel::{SolverArgs, duration};
use crate::spread::{cores, jobs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use strategy::{Bank, CampaignKey, Strategy};
use triage::Panel;

#[derive(clap::Args)]
pub struct Args {
    /// Seed files and folders; without any, the seeds inside falsum and the imported ones
    #[arg(value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// Strategies to use, separated by commas; without any, all that apply
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    strategy: Vec<String>,
    /// How shares are given to strategies
    #[arg(long, default_value = "yield")]
    schedule: Schedule,
    /// Stop after this time; what was found is still looked at closely for up to 90 s, or a fifth of the time
    #[arg(long = "for", value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    /// Stop after this many cases; a unit of work that was begun is finished
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// Stop after this many bugs
    #[arg(long, value_name = "N")]
    stop_after: Option<u64>,
    /// The campaign key: the same key gives the same cases
    #[arg(long, default_value = "falsum", value_name = "K")]
    key: String,
    /// Workers; without it, one per core
    #[arg(short = 'j', long, value_parser = jobs, value_name = "N")]
    jobs: Option<usize>,
    /// How solvers are kept between cases
    #[arg(long, default_value = "mixed")]
    session: SessionMix,
    /// The campaign folder
    #[arg(long, default_value = "falsum-out", value_name = "DIR")]
    out: PathBuf,
    /// Go on with the campaign in the folder
    #[arg(long)]
    resume: bool,
    /// Do only this part of the work: `0/4` is the first of four
    #[arg(long, default_value = "0/1", value_parser = shard, value_name = "I/N")]
    shard: (u64, u64),
    #[command(flatten)]
    solvers: SolverArgs,
    /// Reduce and name bugs beside the hunt (the default)
    #[arg(long, overrides_with = "no_reduce")]
    reduce: bool,
    /// Do not reduce and name bugs beside the hunt
    #[arg(long, overrides_with = "reduce")]
    no_reduce: bool,
    /// Say nothing on the way
    #[arg(short, long)]
    quiet: bool,
    /// Print events as JSON Lines; the last one is the summary
    #[arg(long)]
    json: bool,
}

/// `0/4`.
pub fn shard(text: &str) -> Result<(u64, u64), String> {
    let bad = || format!("`{text}` is not a shard\nhint: write 0/4 for the first of four");
    let (index, count) = text.split_once('/').ok_or_else(bad)?;
    let (index, count) = (index.parse().map_err(|_| bad())?, count.parse().map_err(|_| bad())?);
    if index < count { Ok((index, count)) } else { Err(bad()) }
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let workers = args.jobs.unwrap_or_else(cores);
    let (targets, references) = args.solvers.resolve()?;
    let bank = bank(&args.seeds, args.quiet)?;
    let strategies = strategies(&args.strategy)?;
    let sharded = args.shard.1 > 1;
    let budget = Budget {
        time: args
            .time
            .or_else(|| (args.cases.is_none() && args.stop_after.is_none()).then_some(DEFAULT_TIME)),
        cases: args.cases,
        stop_after: args.stop_after,
        workers,
        // Shards do not see each other's yield.
        schedule: if sharded { Schedule::Fixed } else { args.schedule },
        shard: args.shard,
        reduce: args.reduce || !args.no_reduce,
    };
    if !args.quiet {
        announce(&targets, &references, &bank, &strategies, &args);
    }
    let setup = Arc::new(Setup {
        bank,
        strategies,
        key: CampaignKey(args.key),
        panel: Panel::new(targets, references, workers * 2),
        limits: args.solvers.limits(),
        session: args.session,
        turns: budget.cases.is_none().then(Turns::default),
        cancel: run::Cancel::new()?,
    });
    let ledger = Ledger::open(&args.out, args.resume, &setup, &budget, args.json)?;
    hunt(setup, &budget, ledger, Screen::new(args.quiet || args.json))
}

/// Without any budget a hunt lasts this long.
const DEFAULT_TIME: Duration = Duration::from_secs(600);

fn announce(
    targets: &[solver::Target],
    references: &[solver::Target],
    bank: &Bank,
    strategies: &[Box<dyn Strategy>],
    args: &Args,
) {
    let names = |all: &[solver::Target]| all.iter().map(|t| t.name.as_str()).collect::<Vec<_>>().join(" ");
    let strategies: Vec<&str> = strategies.iter().map(|strategy| strategy.name()).collect();
    eprintln!("targets     {}", names(targets));
    if !references.is_empty() {
        eprintln!("references  {}", names(references));
    }
    eprintln!("seeds       {}", bank.len());
    eprintln!("strategies  {}", strategies.join(" "));
    eprintln!("key         {}   folder {}", args.key, args.out.display());
}

/// The seeds named by the user, or those inside falsum and the imported ones.
pub fn bank(paths: &[PathBuf], quiet: bool) -> anyhow::Result<Bank> {
    let seeds = if paths.is_empty() {
        corpus::embedded().chain(super::corpus::imported()?).collect()
    } else {
        super::corpus::must_exist(paths)?;
        let scan = corpus::scan(paths, &corpus::ScanLimits::default(), &corpus::Quarantine::default());
        for skipped in scan.skipped.iter().filter(|_| !quiet) {
            eprintln!("skipped {}: {}", skipped.path.display(), skipped.reason);
        }
        scan.seeds
    };
    let (bank, rejected) = Bank::new(seeds);
    for rejected in rejected.iter().filter(|_| !quiet) {
        eprintln!("skipped {}: {}", rejected.name, rejected.why.lines().next().unwrap_or_default());
    }
    if bank.is_empty() {
        return Err(Failure::usage("no seed can be used")
            .hint("name files or folders with .smt2 files")
            .into());
    }
    Ok(bank)
}

/// The strategies by name; all of them without names.
pub fn strategies(names: &[String]) -> anyhow::Result<Vec<Box<dyn Strategy>>> {
    let all = strategy::registry::all();
    if names.is_empty() {
        return Ok(all);
    }
    let known: Vec<&str> = all.iter().map(|strategy| strategy.name()).collect();
    for name in names {
        if !known.contains(&name.as_str()) {
            let hint = format!("there are {}", known.join(", "));
            return Err(Failure::usage(format!("no strategy is called `{name}`")).hint(hint).into());
        }
    }
    Ok(all.into_iter().filter(|strategy| names.iter().any(|name| name == strategy.name())).collect())
}
