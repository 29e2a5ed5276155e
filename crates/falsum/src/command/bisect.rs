//! `falsum bisect`: which releases are wrong; first bad, last bad, fixed in.
//!
//! Every installed release of the solver runs the script. What the right answer is comes from the oracle (a certified
//! model, exact enumeration), from all solvers together, or, as a last resort, from the script's own status; the
//! output says which.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::command::bisect_git;
use crate::command::check::{parse, read};
use crate::exit::{Exit, Failure};
use crate::panel::SolverArgs;
use crate::releases::Question;
use oracle::{Accusation, EvidenceKind, FindingKind};
use serde::Serialize;
use smtlib::{Parsed, shown};
use solver::version::VersionRange;
use solver::{Answer, Home, Profiles, Spec, Target};
use std::path::{Path, PathBuf};
use strategy::{Case, Role};
use triage::{Bisection, Inquiry, Panel, Plan, Sign, Symptom, bisect, inquire};

#[derive(clap::Args)]
pub struct Args {
    /// The script that some release gets wrong
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which releases: `4.8.5..4.12`, or with the solver's name, `z3@4.8.5..4.12`
    #[arg(long, value_name = "RANGE")]
    releases: Option<String>,
    /// Install missing releases where bisection needs them, between one that is bad and one that is good
    #[arg(long)]
    install: bool,
    /// Find the commit in this repository instead of a release; `-s` is the program that the build makes, relative to it
    #[arg(long, value_name = "DIR", requires = "build", requires = "good")]
    git: Option<PathBuf>,
    /// How a commit is built, for a shell in the repository
    #[arg(long, value_name = "CMD", requires = "git")]
    build: Option<String>,
    /// How long one build may take; a commit whose build takes longer is left out
    #[arg(long, default_value = "1h", value_parser = crate::panel::some_time, value_name = "TIME")]
    build_time: std::time::Duration,
    /// A commit that is right
    #[arg(long, value_name = "COMMIT", requires = "git")]
    good: Option<String>,
    /// A commit that is wrong
    #[arg(long, value_name = "COMMIT", default_value = "HEAD")]
    bad: String,
    /// Judge one program for `git bisect run`: exit 0 if it is right, 101 if it is wrong, 125 if that cannot be decided
    #[arg(long, conflicts_with = "git")]
    git_run: bool,
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
    because: String,
}

impl std::fmt::Display for Blame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let culprit = self.symptom.culprit.as_deref().unwrap_or("some release");
        write!(f, "{} of {culprit}", self.symptom.kind.word())
    }
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let script = parse(&args.file, read(&args.file)?)?;
    if let Some(repo) = &args.git {
        return over_commits(&args, repo, &script);
    }
    if args.git_run {
        return Ok(for_git(&args, script).unwrap_or(Exit::GitSkip));
    }
    let releases = releases(&args)?;
    let references = references(&args, &releases)?;
    let limits = args.solvers.limits();
    let panel = Panel::new(releases.clone(), references, 0);
    let plan = Plan::thorough(limits.clone()).as_asked();
    let inquiry = inquire(&panel, &Case::of_script(script.clone()), &plan);
    let all = blames(&inquiry, &releases, &asked_for(&args, &releases));
    let blame = all.first();
    let nothing = Symptom {
        kind: FindingKind::RejectsValidInput,
        culprit: None,
        role: Role::Formula,
        check: 0,
        sign: Sign::CoreHolds(vec![]),
    };
    // If no release is to blame, every release counts as good.
    let symptom = blame.map_or(&nothing, |blame| &blame.symptom);
    let bisection = if args.install && blame.is_some() {
        let culprit = releases.first().ok_or_else(|| Failure::usage("no release is installed"))?;
        let question = Question { culprit, script: &script, symptom, limits: &limits };
        question.over_all(&range(&args)?, &|row, installed| {
            if installed {
                eprintln!("installed {} and ran it: {}", row.release, row.answer);
            }
        })?
    } else {
        bisect(&releases, &script, symptom, &limits)
    };
    let none = format!("no release of {} is wrong about it", solver_of(&releases));
    if args.json {
        let kind = blame.map(|blame| blame.symptom.kind.word());
        let because = blame.map_or(&none, |blame| &blame.because);
        let report = Report { bisection: &bisection, kind, because };
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print!("{}", rows(&bisection));
        match blame {
            Some(blame) => print!("{}", conclusion(&bisection, blame)),
            None => println!("{none}"),
        }
        let others: Vec<String> = all.iter().skip(1).map(Blame::to_string).collect();
        if !others.is_empty() {
            println!("other symptoms, not bisected: {}", others.join("; "));
        }
    }
    Ok(if bisection.first_bad.is_some() { Exit::Findings } else { Exit::Fine })
}

/// Bisects the commits of a repository.
fn over_commits(args: &Args, repo: &Path, script: &Parsed) -> anyhow::Result<Exit> {
    let [program] = &args.solvers.solvers[..] else {
        let wrong = Failure::usage("--git needs one program");
        return Err(wrong.hint("-s build/z3, relative to the repository").into());
    };
    let references = SolverArgs { solvers: args.solvers.references.clone(), ..args.solvers.clone() };
    let commits = bisect_git::Commits {
        repo,
        build: args.build.as_deref().unwrap_or("true"),
        patience: args.build_time,
        good: args.good.as_deref().unwrap_or_default(),
        bad: &args.bad,
        program,
        references: references.resolve()?.0,
        limits: args.solvers.limits(),
    };
    bisect_git::run(&commits, script)
}

/// The answer for `git bisect run`: wrong only by evidence, right only with an answer.
fn for_git(args: &Args, script: Parsed) -> anyhow::Result<Exit> {
    let panel = args.solvers.panel(0)?;
    let case = Case::of_script(script);
    let inquiry = inquire(&panel, &case, &Plan::thorough(args.solvers.limits()).as_asked());
    let tested = |name: &str| panel.targets.iter().any(|pool| pool.target().name == name);
    if inquiry.verdict.findings().iter().any(|one| one.culprits().iter().any(|name| tested(name))) {
        return Ok(Exit::GitBad);
    }
    let answered = |heard: &oracle::Heard| tested(heard.name()) && heard.reply.is_complete();
    Ok(if inquiry.heard.iter().any(answered) { Exit::Fine } else { Exit::GitSkip })
}

fn solver_of(releases: &[Target]) -> &str {
    releases.first().map_or("the solver", |target| target.profile.name.as_str())
}

/// The releases to run: of the solver of `--releases` or of the first `--solver`, else of z3.
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
        if solver.contains('/') {
            let message = format!(
                "{} is a program and no release, so there is nothing to bisect over",
                shown::text(&solver)
            );
            let command = [std::ffi::OsString::from(&solver)];
            let family = match profiles.recognise(&command) {
                family if family.name != "generic" => family.name.clone(),
                _ => "z3".to_owned(),
            };
            let hint = format!(
                "-s {family} bisects the installed releases; --git REPO --build CMD --good COMMIT finds the commit"
            );
            return Err(Failure::usage(message).hint(hint).into());
        }
        let message = format!("no release of {solver} is installed in this range");
        let range = args.releases.as_deref().unwrap_or("..");
        let hint = format!("falsum solvers add {solver}@{}", range.rsplit('@').next().unwrap_or(range));
        return Err(Failure { exit: Exit::NoSolver, message, hint: Some(hint) }.into());
    }
    // Called as the first `--solver` is, with its options.
    let args = args.solvers.solvers.first().and_then(|spec| Spec::parse(spec).ok()).map(|spec| spec.args);
    let args = args.unwrap_or_default();
    let called = |release: &_| Target { args: args.clone(), ..Target::of_release(&profiles, release) };
    Ok(found.iter().map(called).collect())
}

/// The releases that `--releases` selects; without it, all.
fn range(args: &Args) -> anyhow::Result<VersionRange> {
    let text = args.releases.as_deref().unwrap_or("..");
    let range = text.split_once('@').map_or(text, |(_, range)| range);
    VersionRange::parse(range).ok_or_else(|| {
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

/// The releases that `-s` names: their symptom is bisected first.
fn asked_for(args: &Args, releases: &[Target]) -> Vec<String> {
    let labels = args.solvers.solvers.iter().filter_map(|spec| Spec::parse(spec).ok());
    let named: Vec<String> = labels.map(|spec| spec.to_string()).collect();
    releases.iter().filter(|t| named.contains(&t.name)).map(|t| t.name.clone()).collect()
}

/// What is wrong with the releases, each symptom once: first those of the releases that the user named, then the
/// worst. If there is none, what contradicts the script's own status.
fn blames(inquiry: &Inquiry, releases: &[Target], asked_for: &[String]) -> Vec<Blame> {
    let is_release = |a: &&Accusation| releases.iter().any(|target| a.accuses(&target.name));
    let mut found: Vec<Blame> = vec![];
    let mut accusations: Vec<&Accusation> = inquiry.verdict.findings().iter().filter(is_release).collect();
    accusations.sort_by_key(|a| !asked_for.iter().any(|name| a.accuses(name)));
    for accusation in accusations {
        let Some((symptom, _)) = triage::confirm::symptom(accusation, inquiry) else { continue };
        let same = |other: &Blame| {
            let (a, b) = (&other.symptom, &symptom);
            (a.kind, a.check, &a.sign) == (b.kind, b.check, &b.sign)
        };
        if !found.iter().any(same) {
            found.push(Blame { symptom, because: because(accusation) });
        }
    }
    if found.is_empty() { by_status(inquiry, releases).into_iter().collect() } else { found }
}

fn because(accusation: &Accusation) -> String {
    match accusation.evidence.first() {
        Some(evidence) if evidence.kind == EvidenceKind::Majority => format!("a vote: {}", evidence.detail),
        Some(evidence) => format!("{} ({}): {}", evidence.kind.word(), evidence.by, evidence.brief()),
        None => String::new(),
    }
}

fn by_status(inquiry: &Inquiry, releases: &[Target]) -> Option<Blame> {
    let script = inquiry.case.formula().script.script();
    for (check, status) in script.statuses().enumerate() {
        let (wrong, kind) = match status {
            b"sat" => (Answer::Unsat, FindingKind::RefutationUnsound),
            b"unsat" => (Answer::Sat, FindingKind::SolutionUnsound),
            _ => continue,
        };
        let wrong_there = |h: &&oracle::Heard| {
            releases.iter().any(|t| t.name == h.name()) && h.answer(check) == Some(wrong)
        };
        if let Some(heard) = inquiry.heard.iter().find(wrong_there) {
            let culprit = Some(heard.name().to_owned());
            let symptom = Symptom { kind, culprit, role: Role::Formula, check, sign: Sign::Says(wrong) };
            let because = "the script's own status, an unverified claim".to_owned();
            return Some(Blame { symptom, because });
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
        blame.symptom.kind.word(),
        or_none(&bisection.first_bad),
        or_none(&bisection.last_bad),
        or_none(&bisection.fixed_in),
        if bisection.monotone { "" } else { " · not monotone: some releases in between are good" },
    );
    ends + &format!("because: {}\n", blame.because)
}
