//! `falsum cluster`: a campaign on many machines, by the scheduler that they have.
//!
//! `slurm` submits and watches a job array, `kubernetes` prints an Indexed Job, and `shard` is what either of them runs on
//! a machine: one shard of the campaign, told by the environment which one. docs/guides/cluster.md is the contract, which
//! is all that another scheduler needs. In: the number of shards, a folder that all machines see, and the arguments of
//! `falsum hunt`. Out: that folder, with a folder per shard (`shards/000003`), what they tell each other (`exchange`) and
//! their merge (`merged`).

mod kubernetes;
mod shard;
mod slurm;
mod started;
mod watch;

use super::hunt;
use crate::exit::{Exit, Failure};
use clap::Parser;
use smtlib::shown;
use std::path::{Path, PathBuf};

/// Run a campaign on a cluster.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Submit a job array to Slurm, watch it, start lost shards again, merge
    Slurm(slurm::Args),
    /// Print the manifest of a Kubernetes Job
    Kubernetes(kubernetes::Args),
    /// Run one shard, as the environment says: FALSUM_CAMPAIGN, FALSUM_SHARDS, FALSUM_SHARD
    Shard(shard::Args),
}

pub fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Slurm(args) => slurm::run(args),
        Command::Kubernetes(args) => kubernetes::run(&args),
        Command::Shard(args) => shard::run(&args),
    }
}

/// What every cluster campaign has.
#[derive(clap::Args, Clone, Debug)]
pub struct Common {
    /// How many shards
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000), value_name = "N")]
    pub shards: u64,
    /// Arguments of `falsum hunt`, after `--`
    #[arg(last = true, value_name = "HUNT")]
    pub hunt: Vec<String>,
}

/// Units of an epoch per shard, so that shards do not wait for each other all the time.
const UNITS_PER_SHARD: u64 = 32;

#[derive(clap::Parser)]
#[command(name = "falsum hunt", no_binary_name = true)]
struct HuntLine {
    #[command(flatten)]
    hunt: hunt::Args,
}

/// The arguments of a hunt, read.
fn parse(words: &[String]) -> Result<hunt::Args, Failure> {
    HuntLine::try_parse_from(words).map(|line| line.hunt).map_err(|error| {
        Failure::usage(format!("the arguments after `--` are not those of falsum hunt\n{error}"))
    })
}

/// The complete arguments of a shard's hunt but for the shard itself: with a key and the length of epochs, which all
/// shards share.
pub fn complete(common: &Common) -> Result<Vec<String>, Failure> {
    let mut words = common.hunt.clone();
    for ours in ["--out", "--shard", "--exchange", "--resume", "--json"] {
        if words.iter().any(|word| word == ours || word.starts_with(&format!("{ours}="))) {
            return Err(Failure::usage(format!("{ours} after `--` is set by falsum cluster itself")));
        }
    }
    let hunt = parse(&words)?;
    if hunt.key.is_none() {
        words.extend(["--key".to_owned(), super::going_on::fresh_key((0, 1))]);
    }
    if hunt.epoch.is_none() {
        let epoch = (common.shards * UNITS_PER_SHARD).max(campaign::schedule::EPOCH);
        words.extend(["--epoch".to_owned(), epoch.to_string()]);
    }
    Ok(words)
}

/// The arguments with a number of workers, unless the user gave one.
fn with_workers(hunt: &[String], cpus: u64) -> Result<Vec<String>, Failure> {
    let mut words = hunt.to_vec();
    if parse(hunt)?.jobs.is_none() {
        words.extend(["-j".to_owned(), cpus.to_string()]);
    }
    Ok(words)
}

/// Installs and checks the solvers of a hunt here, once, for machines that have no network.
fn install(words: &[String]) -> anyhow::Result<()> {
    parse(words)?.solvers.resolve().map(|_| ())
}

/// Which shard of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub index: u64,
    pub shards: u64,
}

/// The folder of one shard.
pub fn shard_folder(campaign: &Path, index: u64) -> PathBuf {
    campaign.join(store::SHARDS).join(format!("{index:06}"))
}

/// A word of a shell script.
fn word(text: impl AsRef<std::ffi::OsStr>) -> String {
    shown::word(text.as_ref())
}
