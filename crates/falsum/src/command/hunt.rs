//! `falsum hunt`: a campaign that runs until its budget is spent.
//!
//! This file turns flags into a setup and a budget; the campaign itself is in the crate `campaign`. What happens in a
//! folder that holds a campaign already is in `going_on.rs`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use super::going_on;
use crate::exit::{Exit, Failure};
use crate::like;
use crate::listeners::{Drafts, Json};
use crate::panel::{SolverArgs, duration};
use crate::screen::Screen;
use crate::strategies::{self, SettingArgs};
use campaign::crew::Crew;
use campaign::spread::jobs;
use campaign::turns::Turns;
use campaign::variation::Variation;
use campaign::{Assignment, Begun, Budget, Focus, Ledger, Listener, Mix, Policy, Schedule, Sharing, focus};
use smtlib::shown;
use solver::coverage::Instrumented;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::Record;
use strategy::{Bank, CampaignKey};
use triage::Panel;

#[derive(clap::Args)]
pub struct Args {
    /// Seed files and folders; without any, the seeds inside falsum and the imported ones
    #[arg(value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// Strategies to use, separated by commas; without any, all that apply
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub(super) strategy: Vec<String>,
    /// Make cases as a published tool does: opfuzz, typefuzz, fuzzchick, data-driven, yinyang, concatfuzz, et, janus,
    /// sparrow, strings, optfuzz; other flags go before its settings
    #[arg(long, value_name = "NAME", conflicts_with = "strategy")]
    like: Option<String>,
    #[command(flatten)]
    settings: SettingArgs,
    /// How time is shared: equal shares of strategies in turn, by what each finds, or learned: by what is new per
    /// processor second, for strategies, theories, sessions, solvers and seeds; coverage: the same, where new code of
    /// an instrumented solver counts too
    #[arg(long, default_value = "yield", value_parser = schedule, value_name = "fixed|yield|learned|coverage")]
    schedule: Schedule,
    /// Stop after this time; running work and triage end at most 10 s and a fifth of the time later
    #[arg(long = "for", value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    /// Stop when the whole campaign has this many cases, of all shards and with those of earlier runs in the folder; a
    /// unit of work that was begun is finished
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// Stop after this many bugs
    #[arg(long, value_name = "N")]
    stop_after: Option<u64>,
    /// The campaign key: the same key gives the same cases. Without it a new campaign gets a new key, which is printed;
    /// shards, which need one key, get `falsum`
    #[arg(long, value_name = "K")]
    pub(super) key: Option<String>,
    /// Hunt only in these logics (`QF_BV,QF_ABV`)
    #[arg(long, value_delimiter = ',', value_name = "LOGIC")]
    pub(super) logic: Vec<String>,
    /// Hunt only in cases that use one of these theories (`strings,bv`)
    #[arg(long, value_delimiter = ',', value_parser = focus::theory_named, value_name = "THEORY")]
    pub(super) theory: Vec<&'static str>,
    /// Look only for these kinds of findings (`soundness,crash`). With `performance` alone every solver runs in a fresh
    /// process, the limit is one of processor time, and everything that looks slow is measured
    #[arg(long, value_delimiter = ',', value_parser = focus::kinds_named, value_name = "KIND")]
    pub(super) only: Vec<String>,
    /// Run no case with these operators: an operator, a theory (`special-relations`), `exotic`, or `extension` for
    /// everything that the standard does not have
    #[arg(long, value_delimiter = ',', value_parser = focus::operators_named, value_name = "OPERATOR")]
    pub(super) without_operator: Vec<String>,
    /// A list of known bugs, as `falsum ci --baseline` and `falsum report --known` take it: if nothing else is found, the
    /// exit code is 11
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Workers; without it, one per core
    #[arg(short = 'j', long, value_parser = jobs, value_name = "N")]
    pub(super) jobs: Option<usize>,
    /// How solver processes are reused between cases
    #[arg(long, default_value = "mixed", value_parser = mix, value_name = "fresh|forked|reset|scoped|mixed")]
    session: Mix,
    /// Give every case the full time limit at once: slower, but `unknown` answers and slowness take their time
    #[arg(long)]
    full_limit: bool,
    /// Options of solvers to vary in a third of the cases: none, the regular ones, all but those to avoid, or those of a file
    /// in yinyang's format; without the flag, the regular ones in an eighth of the cases
    #[arg(long, value_name = "none|regular|all|FILE")]
    options: Option<String>,
    /// The campaign folder. A folder that holds a campaign is gone on with: its key, its solvers, its strategies
    #[arg(long, default_value = "falsum-out", value_name = "DIR")]
    pub(super) out: PathBuf,
    /// Go on with the campaign in the folder, and refuse if there is none; other solvers than before are permitted
    #[arg(long)]
    resume: bool,
    /// Do only this part of the work: `0/4` is the first of four. All shards together are the campaign
    #[arg(long, default_value = "0/1", value_parser = shard, value_name = "I/N")]
    pub(super) shard: (u64, u64),
    /// A folder that all shards see. Through it they follow one schedule; without it every shard follows its own finds
    #[arg(long, value_name = "DIR")]
    exchange: Option<PathBuf>,
    /// Units of work between two changes of the schedule; shards that share a folder wait for each other so often
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1 << 40), value_name = "N")]
    pub(super) epoch: Option<u64>,
    /// How long a shard waits for what the others have found, before it goes on with what is known
    #[arg(long, default_value = "60s", value_parser = duration, value_name = "TIME")]
    shard_patience: Duration,
    #[command(flatten)]
    pub(super) solvers: SolverArgs,
    /// Reduce and deduplicate bugs during the hunt (the default)
    #[arg(long, overrides_with = "no_reduce")]
    reduce: bool,
    /// Do not reduce and deduplicate bugs during the hunt
    #[arg(long, overrides_with = "reduce")]
    no_reduce: bool,
    /// How much time triage may take beside the hunt, in percent of the workers' time; cores that the workers leave idle
    /// may be used in any case
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u8).range(0..=100), value_name = "PERCENT")]
    triage_share: u8,
    /// What the database holds about single cases: only those with a finding, every case with its verdict, or also every
    /// answer. Counters are complete in any case; a campaign of a billion cases is small with `findings`
    #[arg(long, default_value = "cases", value_parser = record, value_name = "findings|cases|all")]
    record: Record,
    /// Print no progress
    #[arg(short, long)]
    pub(super) quiet: bool,
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

/// Parses one of a list of words.
fn word<T: Copy>(text: &str, all: &[(&str, T)]) -> Result<T, String> {
    let found = all.iter().find(|(word, _)| *word == text).map(|&(_, value)| value);
    found.ok_or_else(|| {
        let words: Vec<&str> = all.iter().map(|(word, _)| *word).collect();
        format!("`{text}` is none of {}", words.join(", "))
    })
}

/// What `--session` takes.
pub fn mix(text: &str) -> Result<Mix, String> {
    word(text, &Mix::ALL)
}

fn record(text: &str) -> Result<Record, String> {
    word(text, &Record::ALL)
}

fn schedule(text: &str) -> Result<Schedule, String> {
    word(text, &Schedule::ALL)
}

pub fn run(mut args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let known = args.known.as_deref().map(super::report::known).transpose()?;
    let before = going_on::campaign_in(&args.out)?;
    if let Some(campaign) = &before {
        going_on::take_over(&mut args, campaign)?;
    }
    let (targets, references) = args.solvers.resolve()?;
    if let Some(campaign) = before.as_ref().filter(|_| !args.resume) {
        going_on::refuse_other_solvers(&args.out, campaign, &targets, &references)?;
    }
    let key = args.key.clone().unwrap_or_else(|| going_on::fresh_key(args.shard));
    let Crew { workers, idle, short } = Crew::muster(args.jobs, targets.len() + references.len());
    let focus = args.focus();
    let bank = within(bank(&args.seeds, args.quiet)?, &focus)?;
    let like = args.like.as_deref().map(like::find).transpose()?;
    let settings = args.settings.settings()?;
    let settings = like.map_or(settings.clone(), |like| like.settings(settings));
    let named: Vec<String> = match like {
        Some(like) => like.strategies.iter().map(|&name| name.to_owned()).collect(),
        None => args.strategy.clone(),
    };
    let strategies = strategies::begin(&named, &bank, &settings)?;
    let covered = covered(&targets, &strategies, args.schedule)?;
    let budget = Budget {
        time: args
            .time
            .or_else(|| (args.cases.is_none() && args.stop_after.is_none()).then_some(DEFAULT_TIME)),
        cases: args.cases,
        stop_after: args.stop_after,
        workers,
        schedule: args.schedule,
        shard: args.shard,
        reduce: args.reduce || !args.no_reduce,
        record: args.record,
        triage_share: f64::from(args.triage_share) / 100.0,
        sharing: Sharing {
            epoch: args.epoch.unwrap_or(campaign::schedule::EPOCH),
            exchange: args.exchange.clone(),
            patience: args.shard_patience,
        },
    };
    if !args.quiet {
        announce(&targets, &references, &bank, &strategies, &args.out, like);
        if args.solvers.solvers.is_empty() {
            eprintln!("            (the newest release of every installed solver; -s z3 -s cvc5 chooses)");
        }
        going_on::announce(&key, &focus, before.is_some());
        let programs: Vec<solver::Target> =
            targets.iter().filter(|target| target.spec() != target.name).cloned().collect();
        for row in solver::doctor::troubles(&programs) {
            eprintln!("note        {}: {}", shown::text(&row.name), shown::text(&row.detail));
        }
    }
    let key = CampaignKey(key);
    let options = args.options.as_deref().unwrap_or_else(|| like.map_or("regular", |like| like.options));
    let sets = variation(options)?.sets(&args.solvers.home()?, &targets, &key);
    let panel = Panel::new(targets, references, idle);
    let assignment = Arc::new(Assignment {
        bank,
        strategies,
        key,
        panel: panel.with_variants(&sets),
        limits: args.solvers.limits(),
        policy: policy(&args, like.is_some()),
        turns: budget.cases.is_none().then(Turns::default),
        focus,
        tilts: campaign::learned::Tilts::default(),
        covered,
        ration: campaign::Ration::default(),
        spending: campaign::Spending::default(),
        cancel: run::Cancel::new()?,
    });
    let listeners = listeners(&args.out, args.quiet || args.json, args.json, &assignment);
    let resume = args.resume || before.is_some();
    let mut ledger = Ledger::open(&args.out, resume, &assignment, &budget, listeners)?;
    warn(&ledger);
    say_short(&mut ledger, short)?;
    if let Some(campaign) = &before {
        going_on::look_again(&args.out, campaign, &assignment, &mut ledger)?;
    }
    campaign::recheck::remember(&args.out, &assignment);
    let exit: Exit = campaign::hunt(assignment, &budget, ledger)?.into();
    if exit == Exit::Interrupted && !args.quiet {
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        // Seeds are no part of the folder, so the command has those that were given.
        let seeds: String =
            args.seeds.iter().map(|seed| format!(" {}", shown::word(absolute(seed)))).collect();
        eprintln!(
            "interrupted: everything is saved in {}; go on with  falsum hunt{seeds} --out {}",
            shown::path(&args.out),
            shown::word(absolute(&args.out))
        );
    }
    Ok(match known {
        Some(known) if exit == Exit::Findings => super::report::known_or_new(&args.out, known)?,
        _ => exit,
    })
}

impl Args {
    /// The same as a search by `evolve` that makes this target slow.
    pub(super) fn breeding(
        mut self,
        target: Option<String>,
        generations: Option<u64>,
    ) -> anyhow::Result<Args> {
        if self.like.is_some() || !self.strategy.is_empty() {
            let message = "`evolve` is the strategy here, so --strategy and --like choose nothing";
            return Err(Failure::usage(message).hint("falsum hunt takes them").into());
        }
        self.strategy = vec!["evolve".to_owned()];
        self.solvers.solvers.splice(0..0, target);
        let population = u64::from(self.settings.population.unwrap_or(::strategy::evolve::POPULATION));
        self.cases = self.cases.or(generations.map(|generations| generations * population));
        Ok(self)
    }

    /// What the flags restrict the hunt to.
    fn focus(&self) -> Focus {
        Focus {
            logics: self.logic.clone(),
            theories: self.theory.iter().map(|&theory| theory.to_owned()).collect(),
            without: self.without_operator.clone(),
            only: self.only.clone(),
        }
    }
}

/// The seeds that are within the focus.
fn within(bank: Bank, focus: &Focus) -> anyhow::Result<Bank> {
    if focus.takes_all_cases() {
        return Ok(bank);
    }
    let bank = bank.only(|seed| focus.admits(&seed.script));
    if bank.is_empty() {
        return Err(Failure::usage("no seed is within the logics, theories and operators that you chose")
            .hint("falsum corpus stats counts the seeds per logic; name files or folders with others")
            .into());
    }
    Ok(bank)
}

/// What `--options` takes.
pub fn variation(text: &str) -> anyhow::Result<Variation> {
    Ok(match text {
        "none" => Variation::Nothing,
        "regular" => Variation::Regular,
        "all" => Variation::All,
        path => {
            let read = std::fs::read_to_string(path).map_err(|error| {
                Failure::usage(format!("cannot read {}: {error}", shown::text(path)))
                    .hint("--options takes none, regular, all or a file of options")
            })?;
            let wrong = |why: String| Failure::usage(format!("{}: {why}", shown::text(path)));
            Variation::Listed(solver::options::read_file(&read).map_err(wrong)?)
        }
    })
}

/// How cases are run.
fn policy(args: &Args, published: bool) -> Policy {
    let usual = Policy::hunt(args.session);
    let on_request = args.options.is_some() || published;
    let varied = if on_request { campaign::VARIED_ON_REQUEST } else { usual.varied };
    Policy { tiered: !args.full_limit, varied, ..usual }
}

/// The first target, if it counts its blocks and a strategy or the schedule uses that.
fn covered(
    targets: &[solver::Target],
    strategies: &[Begun],
    schedule: Schedule,
) -> anyhow::Result<Option<Instrumented>> {
    let by_coverage = schedule == Schedule::Coverage;
    if !by_coverage && !strategies.iter().any(Begun::measures) {
        return Ok(None);
    }
    match targets.first().and_then(Instrumented::of) {
        None if by_coverage => {
            let hint = "`falsum coverage --runtime` prints what to build a solver with";
            Err(Failure::usage("--schedule coverage needs an instrumented solver as the first -s")
                .hint(hint)
                .into())
        }
        found => Ok(found),
    }
}

/// The listeners of a campaign.
pub fn listeners(out: &Path, quiet: bool, json: bool, assignment: &Assignment) -> Vec<Box<dyn Listener>> {
    let targets = assignment.panel.all().map(|pool| pool.target().clone()).collect();
    let drafts = Drafts::new(out, targets, assignment.limits.clone());
    let mut all: Vec<Box<dyn Listener>> =
        // Drafts first: the last page of the screen says which bugs have one.
        vec![Box::new(drafts), Box::new(Screen::new(quiet, out.to_owned()))];
    if json {
        all.push(Box::new(Json::default()));
    }
    all
}

/// Reports that there are fewer workers than requested, if so.
pub fn say_short(ledger: &mut Ledger, short: Option<String>) -> campaign::Result<()> {
    short.map_or(Ok(()), |text| ledger.say(store::Event::Note { text }))
}

/// Reports what was wrong with the folder and how it was repaired.
pub fn warn(ledger: &Ledger) {
    for problem in ledger.problems() {
        eprintln!("note: {problem}");
    }
}

/// The duration of a hunt without any budget.
const DEFAULT_TIME: Duration = Duration::from_secs(600);

fn announce(
    targets: &[solver::Target],
    references: &[solver::Target],
    bank: &Bank,
    strategies: &[Begun],
    out: &Path,
    like: Option<&like::Published>,
) {
    let names =
        |all: &[solver::Target]| all.iter().map(solver::Target::described).collect::<Vec<_>>().join(" ");
    let strategies: Vec<&str> = strategies.iter().map(Begun::name).collect();
    eprintln!("targets     {}", names(targets));
    if !references.is_empty() {
        eprintln!("references  {}", names(references));
    }
    eprintln!("seeds       {}", bank.len());
    let like = like.map(|like| format!("   ({})", like.about)).unwrap_or_default();
    eprintln!("strategies  {}{like}", strategies.join(" "));
    eprintln!("folder      {}", shown::path(out));
}

/// The seeds named by the user, or those inside falsum and the imported ones.
pub fn bank(paths: &[PathBuf], quiet: bool) -> anyhow::Result<Bank> {
    let seeds = if paths.is_empty() {
        corpus::embedded().chain(super::corpus::imported()?).collect()
    } else {
        super::corpus::must_exist(paths)?;
        let scan = corpus::scan(paths, &corpus::ScanLimits::default(), &corpus::Quarantine::default());
        for skipped in scan.skipped.iter().filter(|_| !quiet) {
            eprintln!("skipped {}: {}", smtlib::shown::path(&skipped.path), skipped.reason);
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
