//! `falsum bisect`: which releases are wrong; first bad, last bad, fixed in.
//!
//! Every installed release of the solver is asked. What is right comes from the oracle (a certified model, exact
//! enumeration), from all solvers together, or, as a last resort, from the script's own status; the output says
//! which.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command speaks to the user")]

use crate::command::check::{parse, read};
use crate::exit::{Exit, Failure};
use crate::panel::SolverArgs;
use crate::releases::Question;
use oracle::{EvidenceKind, Finding, Kind};
use serde::Serialize;
use smtlib::Script;
use solver::version::Want;
use solver::{Answer, Home, Profiles, Target};
use std::path::PathBuf;
use strategy::Expectation;
use triage::{Bisection, Inquiry, Panel, Plan, Symptom, bisect, inquire};

#[derive(clap::Args)]
pub struct Args {
    /// The script that some release gets wrong
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which releases: `4.8.5..4.12`, or with the solver's name, `z3@4.8.5..4.12`
    #[arg(long, value_name = "RANGE")]
    releases: Option<String>,
    /// Install the missing releases that halving needs, between one that is bad and one that is not
    #[arg(long)]
    install: bool,
    #[command(flatten)]
    solvers: SolverArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    bisection: &'a Bisection,
    /// Null if no release is wrong.
    kind: Option<&'static str>,
    because: &'a str,
}

/// What is wrong, and how that is known.
struct Blame {
    symptom: Symptom,
    kind: Kind,
    because: String,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let text = read(&args.file)?;
    let script = parse(&args.file, &text)?;
    let releases = releases(&args)?;
    let references = references(&args, &releases)?;
    let limits = args.solvers.limits();
    let panel = Panel::new(releases.clone(), references, 0);
    let plan = Plan { flatten: false, cores: false, ..Plan::thorough(limits.clone()) };
    let inquiry = inquire(&panel, &text, script.clone(), Expectation::any(), &plan);
    let blame = blame(&inquiry, &script, &releases);
    // Nobody crashed if nobody is to blame, so that every release comes out good.
    let symptom = blame.as_ref().map_or(&Symptom::Crash, |blame| &blame.symptom);
    let bisection = if args.install && blame.is_some() {
        let culprit = releases.first().ok_or_else(|| Failure::usage("no release is installed"))?;
        let question = Question { culprit, text: &text, script: &script, symptom, limits: &limits };
        question.over_all(&range(&args)?, &|row, installed| {
            if installed {
                eprintln!("installed {} and asked it: {}", row.release, row.answer);
            }
        })?
    } else {
        bisect(&releases, &text, &script, symptom, &limits)
    };
    let nobody = format!("no release of {} is wrong about it", solver_of(&releases));
    if args.json {
        let kind = blame.as_ref().map(|blame| blame.kind.word());
        let because = blame.as_ref().map_or(&nobody, |blame| &blame.because);
        let report = Report { bisection: &bisection, kind, because };
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print!("{}", rows(&bisection));
        match &blame {
            Some(blame) => print!("{}", conclusion(&bisection, blame)),
            None => println!("{nobody}"),
        }
    }
    Ok(if bisection.first_bad.is_some() { Exit::Findings } else { Exit::Fine })
}

fn solver_of(releases: &[Target]) -> &str {
    releases.first().map_or("the solver", |target| target.profile.name.as_str())
}

/// The releases to ask: of the solver of `--releases` or of the first `--solver`, else of z3.
fn releases(args: &Args) -> anyhow::Result<Vec<Target>> {
    let home = Home::from_env().map_err(crate::command::solver_failure)?;
    let named = args.releases.as_deref().and_then(|range| range.split_once('@'));
    let from_spec = |spec: &String| spec.split(['@', ' ']).next().unwrap_or(spec).to_owned();
    let solver = named
        .map(|(solver, _)| solver.to_owned())
        .or_else(|| args.solvers.solvers.first().map(from_spec))
        .unwrap_or_else(|| "z3".into());
    let want = range(args)?;
    let profiles = Profiles::embedded();
    let found = want.choose(home.releases_of(&solver), |release| &release.version);
    if found.is_empty() {
        let message = format!("no release of {solver} is installed in this range");
        let range = args.releases.as_deref().unwrap_or("..");
        let hint = format!("falsum solvers add {solver}@{}", range.rsplit('@').next().unwrap_or(range));
        return Err(Failure { exit: Exit::NoSolver, message, hint: Some(hint) }.into());
    }
    Ok(found.iter().map(|release| Target::of_release(&profiles, release)).collect())
}

/// The releases that `--releases` means; without it, all.
fn range(args: &Args) -> anyhow::Result<Want> {
    let text = args.releases.as_deref().unwrap_or("..");
    let range = text.split_once('@').map_or(text, |(_, range)| range);
    Want::parse(range).ok_or_else(|| {
        let wrong = Failure::usage(format!("`{range}` is not a range of releases"));
        wrong.hint("write 4.8.5..4.12").into()
    })
}

/// Second opinions: those given, or the newest release of every other solver.
fn references(args: &Args, releases: &[Target]) -> anyhow::Result<Vec<Target>> {
    if !args.solvers.references.is_empty() {
        return Ok(args.solvers.resolve()?.1);
    }
    let home = Home::from_env().map_err(crate::command::solver_failure)?;
    let mut others = Target::all(&home, &Profiles::embedded());
    others.retain(|target| target.profile.name != solver_of(releases));
    Ok(others)
}

/// The worst accusation against one of the releases; failing that, the script's own status.
fn blame(inquiry: &Inquiry, script: &Script, releases: &[Target]) -> Option<Blame> {
    let ours = |name: &String| releases.iter().any(|target| target.name == *name);
    let accuses = |finding: &&Finding| finding.culprits.iter().any(ours);
    inquiry
        .verdict
        .findings()
        .iter()
        .filter(accuses)
        .find_map(|finding| by_finding(inquiry, finding, releases))
        .or_else(|| by_status(inquiry, script, releases))
}

fn by_finding(inquiry: &Inquiry, finding: &Finding, releases: &[Target]) -> Option<Blame> {
    let check = finding.check;
    let symptom = match finding.kind {
        Kind::RefutationUnsound => Symptom::Answer { check, wrong: Answer::Unsat },
        Kind::SolutionUnsound => Symptom::Answer { check, wrong: Answer::Sat },
        Kind::Crash => Symptom::Crash,
        Kind::InvalidModel => Symptom::InvalidModel { check },
        Kind::Inconsistent => {
            let culprit = |s: &&triage::Statement| {
                finding.culprits.contains(&s.target) && releases.iter().any(|t| t.name == s.target)
            };
            let said = inquiry.statements.iter().find(culprit)?;
            Symptom::Answer { check, wrong: said.reply.checks.get(check)?.answer? }
        }
        _ => return None,
    };
    let because = match finding.evidence.first() {
        Some(evidence) if evidence.kind == EvidenceKind::Majority => format!("a vote: {}", evidence.detail),
        Some(evidence) => format!("{} ({}): {}", evidence.kind.word(), evidence.by, evidence.detail),
        None => String::new(),
    };
    Some(Blame { symptom, kind: finding.kind, because })
}

fn by_status(inquiry: &Inquiry, script: &Script, releases: &[Target]) -> Option<Blame> {
    let statuses: Vec<&[u8]> = script.statuses().collect();
    for (check, status) in statuses.into_iter().enumerate() {
        let (wrong, kind) = match status {
            b"sat" => (Answer::Unsat, Kind::RefutationUnsound),
            b"unsat" => (Answer::Sat, Kind::SolutionUnsound),
            _ => continue,
        };
        let wrong_there = |s: &triage::Statement| {
            releases.iter().any(|t| t.name == s.target)
                && s.reply.checks.get(check).is_some_and(|said| said.answer == Some(wrong))
        };
        if inquiry.statements.iter().any(wrong_there) {
            let because = "the script's own status, which is somebody's word".to_owned();
            return Some(Blame { symptom: Symptom::Answer { check, wrong }, kind, because });
        }
    }
    None
}

fn rows(bisection: &Bisection) -> String {
    let width = bisection.releases.iter().map(|row| row.release.len()).max().unwrap_or(0);
    let mut out = String::new();
    for row in &bisection.releases {
        let mark = if row.bad { "bad" } else { "" };
        let ended = if row.ended == "ended" { "" } else { &row.ended };
        out += format!("  {:width$}  {:<8} {ended:<6} {mark}", row.release, row.answer).trim_end();
        out += "\n";
    }
    out
}

fn conclusion(bisection: &Bisection, blame: &Blame) -> String {
    let or_none = |name: &Option<String>| name.clone().unwrap_or_else(|| "none".into());
    let ends = format!(
        "{}: first bad {} · last bad {} · fixed in {}{}\n",
        blame.kind.word(),
        or_none(&bisection.first_bad),
        or_none(&bisection.last_bad),
        or_none(&bisection.fixed_in),
        if bisection.monotone { "" } else { " · it came and went" },
    );
    ends + &format!("because: {}\n", blame.because)
}
