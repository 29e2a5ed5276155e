//! `falsum status [DIR]`: the state of a campaign, also while it runs.
//!
//! In: a campaign folder. Out: a page of numbers, or the same as one JSON document. It takes no lock and changes
//! nothing; every number is counted by `store`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use std::fmt::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use store::{Bug, Status, StrategyStatus, TargetStatus, TheoryStatus};

use super::cluster_status;
use crate::exit::Exit;
use smtlib::shown;

/// Show the state of a campaign
#[derive(clap::Args)]
pub struct Args {
    /// The campaign folder, or that of a cluster campaign
    #[arg(value_name = "DIR", default_value = "falsum-out")]
    dir: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// How many bugs the page shows; the JSON document has all.
const SHOWN: usize = 20;

pub fn run(args: Args) -> anyhow::Result<Exit> {
    if let Some(cluster) = cluster_status::of(&args.dir) {
        match args.json {
            true => println!("{}", serde_json::to_string_pretty(&cluster)?),
            false => print!("{}", cluster_status::page(&cluster)),
        }
        return Ok(Exit::Fine);
    }
    let status = store::status(&args.dir)?;
    for problem in &status.problems {
        eprintln!("note: {}", shown::text(&problem.to_string()));
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&status)?);
    } else {
        print!("{}", page(&status, now()));
    }
    Ok(Exit::Fine)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn page(status: &Status, now: u64) -> String {
    let mut text = String::new();
    let progress = &status.summary.progress;
    let state = match (status.running, status.pid) {
        (true, Some(pid)) => format!("running as process {pid}"),
        (true, None) => "running".to_owned(),
        (false, _) => "not running".to_owned(),
    };
    let age = duration(now.saturating_sub(status.started) as f64);
    let _ = writeln!(
        text,
        "campaign  key {}, shard {}, started {age} ago, {state}",
        shown::text(&status.key),
        status.shard
    );
    let _ = writeln!(
        text,
        "cases     {} in {} ({:.1}/s), {} tests ({:.1}/s)",
        progress.cases,
        duration(progress.seconds),
        progress.cases_per_s,
        progress.tests,
        progress.tests_per_s
    );
    let _ = writeln!(text, "findings  {} in {}", progress.findings, report::count(progress.bugs, "bug"));
    if let Some(line) = crate::screen::classes(&status.fixing_releases) {
        let _ = writeln!(text, "{}", shown::text(&line));
    }
    if status.panics > 0 {
        let _ = writeln!(text, "panics    {} of falsum itself; see the folder panics", status.panics);
    }
    strategies(&mut text, status);
    theories(&mut text, status);
    targets(&mut text, status);
    bugs(&mut text, &status.bug_list);
    text
}

fn strategies(text: &mut String, status: &Status) {
    if status.summary.strategies.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n{:<16} {:>10} {:>10} {:>8} {:>13} {:>9} {:>10}",
        "strategy", "units", "cases", "valid %", "inconclusive", "accused", "per 1000"
    );
    for (name, s) in &status.summary.strategies {
        let StrategyStatus { units, cases, valid_percent, inconclusive, findings, yields, .. } = s;
        let name = shown::text(name);
        let _ = writeln!(
            text,
            "{name:<16} {units:>10} {cases:>10} {valid_percent:>8.1} {inconclusive:>13} {findings:>9} {yields:>10.2}"
        );
    }
}

/// How much of what solvers said falsum's own evidence decides.
fn theories(text: &mut String, status: &Status) {
    if status.summary.theories.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n{:<20} {:>10} {:>10} {:>10} {:>8}",
        "theory", "cases", "answered", "certified", "share %"
    );
    for (name, row) in &status.summary.theories {
        let share = row.certified_percent().map_or_else(|| "-".to_owned(), |share| format!("{share:.1}"));
        let (name, TheoryStatus { cases, answered, certified }) = (shown::text(name), row);
        let _ = writeln!(text, "{name:<20} {cases:>10} {answered:>10} {certified:>10} {share:>8}");
    }
}

fn targets(text: &mut String, status: &Status) {
    if status.summary.targets.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n{:<16} {:>10} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8} {:>9}",
        "target", "tests", "sat", "unsat", "unknown", "timeouts", "crashes", "valid %", "seconds"
    );
    for (name, t) in &status.summary.target_rows() {
        let TargetStatus { tests, timeouts, crashes, valid_percent, seconds, .. } = t;
        let answer = |word: &str| t.answers.get(word).copied().unwrap_or(0);
        let (name, sat, unsat, unknown) =
            (shown::text(name), answer("sat"), answer("unsat"), answer("unknown"));
        let _ = writeln!(
            text,
            "{name:<16} {tests:>10} {sat:>9} {unsat:>9} {unknown:>9} {timeouts:>9} {crashes:>8} {valid_percent:>8.1} {seconds:>9.1}"
        );
    }
}

fn bugs(text: &mut String, bugs: &[Bug]) {
    if bugs.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nbugs, worst first");
    for bug in bugs.iter().take(SHOWN) {
        let culprits =
            if bug.culprits.is_empty() { "?".to_owned() } else { shown::text(&bug.culprits.join(", ")) };
        let hits = if bug.count == 1 { "1 hit".to_owned() } else { format!("{} hits", bug.count) };
        let _ = write!(
            text,
            "  {}  {}  {culprits}  {hits}  findings/{}",
            bug.id,
            bug.kind.word(),
            bug.representative
        );
        if let Some(first) = &bug.triage.first_bad {
            let _ = write!(text, "  bad since {}", shown::text(first));
        }
        if let Some(fixed) = &bug.triage.fixed_in {
            let _ = write!(text, "  fixed in {}", shown::text(fixed));
        }
        if let Some(known) = &bug.triage.known {
            let _ = write!(text, "  known: {}", shown::text(known));
        }
        text.push('\n');
    }
    if bugs.len() > SHOWN {
        let _ = writeln!(text, "  and {} more (--json shows all)", bugs.len() - SHOWN);
    }
}

fn duration(seconds: f64) -> String {
    let whole = seconds as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        3600..86400 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} d {} h", whole / 86400, whole % 86400 / 3600),
    }
}
