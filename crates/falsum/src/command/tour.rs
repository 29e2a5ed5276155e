//! `falsum tour`: a three-minute introduction, from nothing to the report of a real bug.
//!
//! It installs an old release with many bugs beside the newest ones and hunts until the first bug that a certificate
//! proves in the old one. It then reduces the bug, bisects it (installing only the releases that the bisection needs) and reports it.
//! Nothing is staged: the result is the campaign folder of an ordinary hunt, and the tour ends by listing the files
//! and the commands that produced them. Bugs that only a majority vote supports are skipped, and so are bugs of the newest
//! releases, which are in the campaign all the same: they have no release in which they are fixed.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::command::hunt::bank;
use crate::command::{show_progress, solver_failure};
use crate::exit::{Exit, Failure};
use crate::listeners::Drafts;
use crate::panel::{SolverArgs, duration};
use crate::protection::Protection;
use crate::pulse::{Pulse, wrapped};
use crate::releases::Question;
use crate::strategies;
use campaign::crew::Crew;
use campaign::queue::{Job, Learnt, learn, look_again};
use campaign::spread::jobs;
use campaign::{Assignment, Budget, CampaignEnd, Ledger, Listener, Mix, Policy, Schedule};
use report::{BugReport, Report};
use smtlib::Parsed;
use smtlib::shown as names;
use solver::version::VersionRange;
use solver::{Home, Spec, install};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{FindingId, Store};
use strategy::{CampaignKey, Settings};
use triage::bisect::Row;
use triage::goal::{Goal, Pinned};
use triage::reduce::{Improvement, Options, Reduced, reduce};
use triage::{Bisection, Panel};

#[derive(clap::Args)]
pub struct Args {
    /// The campaign folder
    #[arg(long, default_value = "falsum-tour", value_name = "DIR")]
    out: PathBuf,
    /// The old release to hunt in
    #[arg(long, default_value = "z3@4.8.9", value_name = "SPEC")]
    old: String,
    /// The newest releases, which give second opinions
    #[arg(long, default_values = ["z3", "cvc5"], value_name = "SPEC")]
    new: Vec<String>,
    /// The campaign key: another key gives other cases
    #[arg(long, default_value = "tour", value_name = "K")]
    key: String,
    /// How long to hunt for the first certified bug
    #[arg(long = "for", default_value = "2m", value_parser = duration, value_name = "TIME")]
    time: Duration,
    /// Workers; without it, one per core
    #[arg(short = 'j', long, value_parser = jobs, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    protection: Protection,
}

/// The time limit of the reduction.
const REDUCING: Duration = Duration::from_secs(60);

/// The width of the text.
const WIDTH: usize = 76;

/// The releases of z3 to bisect over: older ones use another dialect.
const Z3_RELEASES: &str = "4.8.5..";

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let began = Instant::now();
    let Crew { workers, idle, short } = Crew::muster(args.jobs, args.new.len() + 1);
    if let Some(short) = short {
        println!("note: {short}");
    }
    refuse_to_repeat(&args)?;
    println!("falsum tour ⊥  from nothing to the report of a real bug\n");
    let _pulse = Pulse::begin();
    let setup = Arc::new(prepare(&args, idle)?);
    let Some(bug) = first_bug(&args, &setup, workers)? else {
        println!("    no certified bug within {}; try another key: falsum tour --key K", clock(args.time));
        return Ok(Exit::Fine);
    };
    let view = Store::read(&args.out)?;
    let id = view.finding(&bug.finding)?.id;
    let Some(job) = Job::read(&view, &id)? else {
        return Err(Failure::usage("the finding has no symptom to look for").into());
    };
    let goal = Goal::of_kind(job.symptom.kind);
    let cancel = Some(setup.cancel.clone());
    let pinned = Pinned::observe(&setup.panel, goal, &job.script, &setup.limits, cancel)
        .map_err(|error| Failure::usage(error.to_string()))?;
    let reduced = shrink(&job, &pinned, workers)?;
    let script = Parsed::read(reduced.text.as_slice())?;
    let Some((seen, symptom)) = look_again(&pinned, &script) else {
        return Err(Failure::usage("the reduced form does not show the bug again").into());
    };
    let question =
        Question { culprit: pinned.accused(), script: &script, symptom: &symptom, limits: pinned.limits() };
    let releases = bisect(&question)?;
    let shown = triage::demonstrate(pinned.accused(), &script, &symptom, pinned.limits(), None);
    let learnt = learn(&job, reduced, &script, Some((seen, symptom)), Some(releases));
    let learnt = Learnt { shown, ..learnt };
    let budget = budget(&args, workers, 0);
    let mut ledger = Ledger::open(&args.out, true, &setup, &budget, drafts(&args, &setup))?;
    ledger.reduced(&learnt)?;
    ledger.close()?;
    tell(&args, &job.id, began)?;
    Ok(Exit::Fine)
}

/// The tour needs a new folder; this is checked before anything is downloaded.
fn refuse_to_repeat(args: &Args) -> anyhow::Result<()> {
    let out = &args.out;
    if !args.out.join("campaign.toml").exists() && !args.out.join("falsum.db").exists() {
        return Ok(());
    }
    let hint = format!(
        "see what it found with `falsum report {}`; for another tour remove the folder, or add --out OTHER",
        names::word(out)
    );
    let message = format!("{} already holds a tour or another campaign", names::path(out));
    Err(Failure::usage(message).hint(hint).into())
}

fn clock(time: Duration) -> String {
    crate::screen::clock(time)
}

/// Step 1: the solvers.
fn prepare(args: &Args, idle: usize) -> anyhow::Result<Assignment> {
    let began = Instant::now();
    println!("1/5 solvers   an old release to hunt in, the newest ones as references");
    let solvers = SolverArgs {
        solvers: vec![args.old.clone()],
        references: newest(&args.new)?,
        timeout: Duration::from_secs(5),
        memory: 2 << 30,
        checkers: vec![],
        protection: args.protection.clone(),
    };
    solvers.protection.apply()?;
    let (targets, references) = solvers.resolve()?;
    let names = |all: &[solver::Target]| all.iter().map(|t| t.name.clone()).collect::<Vec<_>>().join(" ");
    println!("    {} · {}   ({})\n", names(&targets), names(&references), clock(began.elapsed()));
    let bank = bank(&[], true)?;
    Ok(Assignment {
        strategies: strategies::begin(&[], &bank, &Settings::default())?,
        bank,
        key: CampaignKey(args.key.clone()),
        panel: Panel::new(targets, references, idle),
        limits: solvers.limits(),
        policy: Policy::hunt(Mix::Mixed),
        turns: None,
        focus: campaign::Focus::default(),
        tilts: campaign::learned::Tilts::default(),
        covered: None,
        ration: campaign::Ration::default(),
        spending: campaign::Spending::default(),
        cancel: run::Cancel::new()?,
    })
}

/// The newest releases that exist, not only the newest installed here; they are installed if needed.
fn newest(specs: &[String]) -> anyhow::Result<Vec<String>> {
    let home = Home::from_env().map_err(solver_failure)?;
    let mut names = vec![];
    for text in specs {
        let spec = Spec::parse(text).map_err(solver_failure)?;
        match install::add(&home, &spec, &show_progress) {
            Ok(releases) => names.extend(releases.iter().map(solver::Release::label)),
            // A command line, or no newer release can be reached: used as it is.
            Err(error) => {
                eprintln!("note: {text} is used as installed here: {error}");
                names.push(text.clone());
            }
        }
    }
    Ok(names)
}

/// Reports only each bug: the tour prints everything else itself.
fn drafts(args: &Args, setup: &Assignment) -> Vec<Box<dyn Listener>> {
    vec![Box::new(Drafts::new(
        &args.out,
        setup.panel.all().map(|pool| pool.target().clone()).collect(),
        setup.limits.clone(),
    ))]
}

fn budget(args: &Args, workers: usize, bugs: u64) -> Budget {
    Budget {
        time: Some(args.time),
        cases: None,
        stop_after: Some(bugs),
        workers,
        schedule: Schedule::Yield,
        shard: (0, 1),
        reduce: false,
        record: store::Record::default(),
        triage_share: campaign::TRIAGE_SHARE,
        sharing: campaign::Sharing::default(),
    }
}

/// Step 2: a hunt until the first bug of the old release with a certificate.
fn first_bug(args: &Args, setup: &Arc<Assignment>, workers: usize) -> anyhow::Result<Option<BugReport>> {
    let began = Instant::now();
    println!(
        "2/5 hunt      {}, strategies {}, until something is proved wrong",
        ::report::count(setup.bank.len() as u64, "seed"),
        setup.strategies.iter().map(|begun| begun.name()).collect::<Vec<_>>().join(" ")
    );
    for bugs in 1.. {
        let budget = budget(args, workers, bugs);
        let ledger = Ledger::open(&args.out, bugs > 1, setup, &budget, drafts(args, setup))?;
        let ended = campaign::hunt(Arc::clone(setup), &budget, ledger)?;
        let view = Store::read(&args.out)?;
        let report = Report::read(&view, &report::Options::default())?;
        let old = setup.panel.targets.iter().map(|pool| &pool.target().name).collect::<Vec<_>>();
        let of_old = |bug: &&BugReport| bug.culprits.iter().any(|culprit| old.contains(&culprit));
        let proven = report.bugs.iter().filter(|bug| bug.is_proven()).find(of_old).cloned();
        let progress = &report.summary.progress;
        if let Some(bug) = proven {
            println!(
                "    {} cases, {} tests in {}: {} {}",
                progress.cases,
                progress.tests,
                clock(began.elapsed()),
                bug.culprits.join(", "),
                bug.kind.meaning()
            );
            for evidence in bug.evidence.iter().take(1) {
                let text = format!("evidence: {} ({})", shown(&evidence.detail), evidence.by);
                wrapped(&text, WIDTH).iter().for_each(|line| println!("    {line}"));
                println!();
            }
            return Ok(Some(bug));
        }
        if ended == CampaignEnd::Interrupted || began.elapsed() >= args.time {
            return Ok(None);
        }
    }
    Ok(None)
}

/// One line of text, without terminal control characters.
fn shown(text: &str) -> String {
    let plain = report::escaped(text).replace(['\n', '\t'], " ");
    match plain.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &plain[..end]),
        None => plain,
    }
}

/// Step 3: the smallest script that still shows the bug.
fn shrink(job: &Job, pinned: &Pinned<'_>, workers: usize) -> anyhow::Result<Reduced> {
    println!("3/5 reduce    while {}", pinned.describe());
    let began = Instant::now();
    let stop = || began.elapsed() > REDUCING;
    let last = std::sync::Mutex::new(job.script.len());
    let improved = |step: &Improvement<'_>| {
        let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // A line for every halving, not for every step.
        if step.text.len() * 2 <= *last {
            *last = step.text.len();
            println!("    {:6} bytes  after {} checks", step.text.len(), step.checks);
        }
    };
    let options = Options { workers, stop: &stop, improved: &improved };
    let reduced = reduce(&job.script, pinned, &options).map_err(|error| Failure::usage(error.to_string()))?;
    println!(
        "    {} to {} bytes, {} checks, {}\n",
        reduced.stats.bytes_before,
        reduced.stats.bytes_after,
        reduced.stats.checks,
        clock(began.elapsed())
    );
    for line in String::from_utf8_lossy(&reduced.text).lines() {
        println!("      {}", report::escaped(line));
    }
    println!();
    Ok(reduced)
}

/// Step 4: which releases have it.
fn bisect(question: &Question<'_>) -> anyhow::Result<Bisection> {
    println!("4/5 bisect    installing only the releases that are needed");
    let began = Instant::now();
    let of_z3 = question.culprit.profile.name == "z3";
    let all = VersionRange::Range(None, None);
    let want = VersionRange::parse(Z3_RELEASES).filter(|_| of_z3).unwrap_or(all);
    let say = |row: &Row, installed: bool| {
        let mark = if row.bad { "bad" } else { "" };
        let how = if installed { "installed now" } else { "" };
        println!("{}", format!("    {:<12} {:<8} {mark:<4} {how}", row.release, row.answer).trim_end());
    };
    let releases = question.over_all(&want, &say)?;
    let or_none = |name: &Option<String>| name.clone().unwrap_or_else(|| "none".into());
    println!(
        "    first bad {} · last bad {} · fixed in {}   ({})\n",
        or_none(&releases.first_bad),
        or_none(&releases.last_bad),
        or_none(&releases.fixed_in),
        clock(began.elapsed())
    );
    Ok(releases)
}

/// Step 5: the report, and where the files are.
fn tell(args: &Args, id: &FindingId, began: Instant) -> anyhow::Result<()> {
    let view = Store::read(&args.out)?;
    let folder = view.folder(id);
    let file = folder.join("REPORT.md");
    println!("5/5 report    {}\n", names::path(&file));
    let text = std::fs::read_to_string(&file)
        .map_err(|error| Failure::usage(format!("{}: {error}", names::path(&file))))?;
    for line in text.lines() {
        let line = shown(line);
        // The comment with links is not for reading.
        if line.starts_with("Duplicates: ") || line.starts_with("New issue: ") {
            continue;
        }
        wrapped(&line, WIDTH).iter().for_each(|line| println!("    {line}"));
    }
    let (out, reduced) = (names::path(&args.out), names::word(folder.join("reduced.smt2")));
    let folder = names::path(&folder);
    println!("\nThe tour took {}. The files are:", clock(began.elapsed()));
    println!("    {folder}/    formula.smt2 reduced.smt2 run.sh outputs/ meta.json REPORT.md");
    println!("    {out}/falsum.db, {out}/events.jsonl, {out}/campaign.toml");
    println!("Next:");
    println!("    falsum check {reduced} -s {} -r z3 -r cvc5", names::word(&args.old));
    println!("    falsum report {} --format html --open", names::word(&args.out));
    println!("    falsum hunt --for 10m          the newest releases instead of an old one");
    Ok(())
}
