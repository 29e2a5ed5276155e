//! `falsum stability`: does a solver answer the same when the same is said in other words?
//!
//! A table like Mariposa's, per solver and release: how many seeds are stable, unstable or unsolvable under shuffled
//! assertions, new names, new random seeds, and all ways together; answers, `unknown`s and times beside it. Name several
//! releases to compare them. Exit 10 if a solver says both sat and unsat to the same.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::command::generate::bank;
use crate::exit::{Exit, Failure};
use crate::panel::{SolverArgs, duration};
use campaign::spread::{cores, jobs};
use campaign::stability::{Stability, table};
use solver::Pool;
use std::path::PathBuf;
use std::time::Duration;
use strategy::reseed::Move;
use strategy::{Bank, CampaignKey};

#[derive(clap::Args)]
pub struct Args {
    /// Seed files and folders; the embedded seeds if none are given
    #[arg(value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// Ways to say the same, each measured alone, separated by commas: shuffle, rename, notation, push, detour, assume, seed, all
    #[arg(long, value_delimiter = ',', default_value = "shuffle,rename,seed,all", value_name = "WAY")]
    ways: Vec<String>,
    /// Mutants per seed and way
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    mutants: u32,
    /// Take only this many seeds, spread over all
    #[arg(long, value_name = "N")]
    take: Option<usize>,
    /// What all choices derive from
    #[arg(long, default_value = "falsum", value_name = "K")]
    key: String,
    /// Begin no new seed after this time
    #[arg(long = "for", value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    /// Workers; without it, one per core
    #[arg(short = 'j', long, value_parser = jobs, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    solvers: SolverArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let ways = args.ways.iter().map(|way| named(way)).collect::<Result<Vec<_>, Failure>>()?;
    let workers = args.jobs.unwrap_or_else(cores);
    let (targets, references) = args.solvers.resolve()?;
    let pools = targets.into_iter().chain(references).map(|target| Pool::new(target, 1)).collect();
    let bank = some(bank(&args.seeds)?, args.take);
    let stability = Stability {
        bank,
        targets: pools,
        ways,
        mutants: args.mutants,
        limit: args.solvers.timeout,
        memory: args.solvers.memory,
        key: CampaignKey(args.key),
        workers,
        time: args.time,
    };
    let all = (stability.bank.len() * stability.targets.len()) as u64;
    let rows = stability.measure(|done| {
        if done.is_multiple_of(50) {
            eprintln!("{done} of {all} (seed, solver)");
        }
    })?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else {
        print!("{}", table(&rows));
    }
    let contradicts = rows.iter().any(|row| row.contradictions > 0);
    Ok(if contradicts { Exit::Findings } else { Exit::Fine })
}

/// A way to say the same, by its word.
fn named(way: &str) -> Result<(String, Vec<Move>), Failure> {
    let moves = match way {
        "all" => Move::ALL.to_vec(),
        word => vec![Move::named(word).map_err(|error| Failure::usage(error.to_string()))?],
    };
    Ok((way.to_owned(), moves))
}

/// So many seeds, spread over the bank.
fn some(bank: Bank, take: Option<usize>) -> Bank {
    let Some(take) = take.filter(|&take| take < bank.len()) else { return bank };
    let step = bank.len().div_ceil(take.max(1));
    Bank::new(bank.seeds().iter().step_by(step).map(|prepared| prepared.seed.clone())).0
}
