//! `falsum triage DIR`: reduce, name and bisect what a campaign folder holds, each bug once.
//!
//! In: a campaign folder, usually merged from shards that hunted with `--no-reduce`. Out: the same folder; or, with
//! `--shard i/n --out DIR`, a folder with the bugs of this shard triaged, and `falsum merge` adds these to the first one.
//! No program is started because the folder names it: its solvers are used if they are installed releases, others must be
//! given with `-s`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use super::{going_on, hunt};
use crate::exit::{Exit, Failure};
use crate::panel::{SolverArgs, duration};
use crate::recorded;
use ::triage::Panel;
use campaign::crew::Crew;
use campaign::spread::jobs;
use campaign::triage_only::{remember, triage, untriaged};
use campaign::{Assignment, Budget, Ledger, Mix, Policy, Schedule, Sharing};
use smtlib::shown;
use solver::Home;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::Store;
use strategy::{Bank, CampaignKey};

#[derive(clap::Args)]
pub struct Args {
    /// The campaign folder
    #[arg(value_name = "DIR", default_value = "falsum-out")]
    dir: PathBuf,
    /// Triage only the bugs that fall to this part: `0/4` is the first of four; needs --out
    #[arg(long, default_value = "0/1", value_parser = hunt::shard, value_name = "I/N", requires = "out")]
    shard: (u64, u64),
    /// Write into this folder and leave DIR as it is; `falsum merge` puts them together
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Stop after this time
    #[arg(long = "for", value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    /// Findings that are triaged at the same time; without it, one per core
    #[arg(short = 'j', long, value_parser = jobs, value_name = "N")]
    jobs: Option<usize>,
    /// The options that the campaign varied, as `falsum hunt --options` takes them
    #[arg(long, default_value = "regular", value_name = "none|regular|all|FILE")]
    options: String,
    #[command(flatten)]
    solvers: SolverArgs,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
    /// Print events as JSON Lines; the last one is the summary
    #[arg(long)]
    json: bool,
}

pub fn run(mut args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let folder = folder(&args)?;
    let campaign = going_on::campaign_in(&folder)?
        .ok_or_else(|| Failure::usage(format!("{} holds no campaign", shown::path(&folder))))?;
    if args.solvers.solvers.is_empty() && args.solvers.references.is_empty() {
        let home = Home::from_env().map_err(super::solver_failure)?;
        let again = format!("falsum triage {}", shown::word(&args.dir));
        (args.solvers.solvers, args.solvers.references) = recorded::specs(&campaign, &home, &again)?;
    }
    let (targets, references) = args.solvers.resolve()?;
    let Crew { workers, idle, short } = Crew::muster(args.jobs, targets.len() + references.len());
    let key = CampaignKey(campaign.key.clone());
    let sets = hunt::variation(&args.options)?.sets(&args.solvers.home()?, &targets, &key);
    let panel = Panel::new(targets, references, idle).with_variants(&sets);
    let budget = Budget {
        time: args.time,
        cases: Some(0),
        stop_after: None,
        workers,
        schedule: Schedule::Fixed,
        shard: (campaign.shard.index, campaign.shard.count),
        reduce: true,
        record: store::Record::default(),
        triage_share: 1.0,
        sharing: Sharing::default(),
    };
    let assignment = Arc::new(Assignment {
        bank: Bank::new([]).0,
        strategies: vec![],
        key,
        panel,
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
    let view = Store::read(&folder)?;
    let known = remember(&view, &assignment.panel.known)?;
    let mut samples = untriaged(&view, args.shard)?;
    drop(view);
    let everything = samples.len();
    // What a solver that is not here is accused of cannot be looked at.
    let is_here = |name: &str| assignment.panel.owning(Some(name)).find(name).is_some();
    samples.retain(|_, jobs| jobs.iter().all(|job| job.symptom.culprit.as_deref().is_none_or(is_here)));
    if !args.quiet {
        let there = report::count(samples.len() as u64, "bug");
        eprintln!("triage      {there} to triage in {}, {known} triaged before", shown::path(&folder));
        if samples.len() < everything {
            let left = everything - samples.len();
            eprintln!("            {left} more accuse solvers or options that are not here (-s, --options)");
        }
    }
    let listeners = hunt::listeners(&folder, args.quiet || args.json, args.json, &assignment);
    let mut ledger = Ledger::reopen(&folder, listeners)?;
    hunt::warn(&ledger);
    hunt::say_short(&mut ledger, short)?;
    Ok(triage(&assignment, &budget, ledger, samples)?.into())
}

/// The folder to write: the campaign's own, or a copy of what there is to triage in it.
fn folder(args: &Args) -> anyhow::Result<PathBuf> {
    let Some(out) = &args.out else { return Ok(args.dir.clone()) };
    if !Path::new(out).join("campaign.toml").exists() {
        let options = store::Options { only_findings: true, ..store::Options::default() };
        store::merge_with(std::slice::from_ref(&args.dir), out, options)?;
    }
    Ok(out.clone())
}
