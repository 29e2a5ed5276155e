//! `falsum known`: the list of known bugs, which `hunt --known`, `report --known` and `ci --baseline` read.
//!
//! The list is a text file that people edit and commit (`report::known` describes a line). `add` takes bugs from a campaign
//! folder, `remove` takes patterns out, `list` prints the patterns and, for a campaign folder, the bugs that each of them
//! covers. Nothing here runs a solver.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use ::report::known::{lines, without};
use ::report::{BugReport, Known, Options, Report, count};
use smtlib::shown;
use std::path::{Path, PathBuf};

#[derive(clap::Subcommand)]
pub enum Command {
    /// Print the patterns of the list; with a campaign folder, the bugs that each of them covers
    List(ListArgs),
    /// Add bugs of a campaign to the list
    Add(AddArgs),
    /// Remove patterns from the list
    Remove(RemoveArgs),
}

#[derive(clap::Args)]
pub struct ListArgs {
    /// A campaign folder whose bugs are compared with the list
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The list
    #[arg(long, default_value = "known.txt", value_name = "FILE")]
    file: PathBuf,
}

#[derive(clap::Args)]
pub struct AddArgs {
    /// Bugs by the beginnings of their ids, as screens and reports print them (`b-12ab34`)
    #[arg(value_name = "BUG", required_unless_present = "all")]
    bugs: Vec<String>,
    /// Add all bugs of the campaign
    #[arg(long, conflicts_with = "bugs")]
    all: bool,
    /// The campaign folder
    #[arg(long, default_value = "falsum-out", value_name = "DIR")]
    dir: PathBuf,
    /// Where it is known: the address of an issue, or a remark; without it, what is wrong in which solver
    #[arg(long, value_name = "TEXT")]
    place: Option<String>,
    /// The list; it is created if there is none
    #[arg(long, default_value = "known.txt", value_name = "FILE")]
    file: PathBuf,
}

#[derive(clap::Args)]
pub struct RemoveArgs {
    /// Patterns as they stand in the list
    #[arg(value_name = "PATTERN", required = true)]
    patterns: Vec<String>,
    /// The list
    #[arg(long, default_value = "known.txt", value_name = "FILE")]
    file: PathBuf,
}

pub fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::List(args) => list(&args),
        Command::Add(args) => add(&args),
        Command::Remove(args) => remove(&args),
    }
}

fn list(args: &ListArgs) -> anyhow::Result<Exit> {
    let known = super::report::known(&args.file)?;
    let report = args.dir.as_deref().map(|dir| read(dir, known.clone())).transpose()?;
    for (pattern, place) in known.entries() {
        println!("{} => {}", shown::text(pattern), shown::text(place));
        let covered = report.iter().flat_map(|report| &report.bugs).filter(|bug| covers(pattern, place, bug));
        for bug in covered {
            println!("    {}  {}", bug.id, shown::text(&bug.title));
        }
    }
    if let Some(report) = &report {
        let new = report.bugs.iter().filter(|bug| bug.known.is_none());
        for bug in new.clone() {
            println!("not listed: {}  {}", bug.id, shown::text(&bug.title));
        }
        eprintln!("{} not listed", count(new.count() as u64, "bug"));
    }
    Ok(Exit::Fine)
}

/// Whether this pattern of the list is the one that covers a bug.
fn covers(pattern: &str, place: &str, bug: &BugReport) -> bool {
    let alone = Known::parse(&format!("{pattern} => {place}")).unwrap_or_default();
    let names: Vec<&str> = bug.coarse.iter().map(String::as_str).chain([bug.id.as_str()]).collect();
    bug.known.as_deref() == Some(place) && alone.place(&names, &bug.signature).is_some()
}

fn add(args: &AddArgs) -> anyhow::Result<Exit> {
    let old = match std::fs::read_to_string(&args.file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::io(shown::path(&args.file), &error).into()),
    };
    let known = Known::parse(&old).map_err(|error| Failure::usage(error.to_string()))?;
    let report = read(&args.dir, known)?;
    let mut text = old;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let (mut added, mut old) = (0, 0);
    for bug in chosen(args, &report)? {
        if bug.known.is_some() {
            old += 1;
            continue;
        }
        let wrong = || format!("{} of {}", bug.kind.word(), bug.culprits.join(", "));
        text += &lines(bug, &args.place.clone().unwrap_or_else(wrong));
        added += 1;
    }
    write(&args.file, &text)?;
    let already = if old > 0 { format!(", {old} listed already") } else { String::new() };
    eprintln!("{}: {} added{already}", shown::path(&args.file), count(added, "bug"));
    Ok(Exit::Fine)
}

/// The bugs of a campaign that the arguments name.
fn chosen<'r>(args: &AddArgs, report: &'r Report) -> anyhow::Result<Vec<&'r BugReport>> {
    if args.all {
        return Ok(report.bugs.iter().collect());
    }
    let find = |name: &String| {
        let mut found = report.bugs.iter().filter(|bug| bug.id.starts_with(name.as_str()));
        let hint = format!("falsum report {} lists the bugs of the campaign", shown::path(&args.dir));
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => {
                Err(Failure::usage(format!("no bug has an id that begins with `{}`", shown::text(name)))
                    .hint(hint))
            }
            _ => {
                Err(Failure::usage(format!("several bugs have ids that begin with `{}`", shown::text(name)))
                    .hint(hint))
            }
        }
    };
    Ok(args.bugs.iter().map(find).collect::<Result<_, _>>()?)
}

fn remove(args: &RemoveArgs) -> anyhow::Result<Exit> {
    let known = super::report::known(&args.file)?;
    let missing =
        args.patterns.iter().find(|pattern| !known.entries().any(|(listed, _)| listed == **pattern));
    if let Some(pattern) = missing {
        let message = format!("{} has no pattern `{}`", shown::path(&args.file), shown::text(pattern));
        return Err(Failure::usage(message).hint("falsum known list prints the patterns").into());
    }
    let text =
        std::fs::read_to_string(&args.file).map_err(|error| Failure::io(shown::path(&args.file), &error))?;
    write(&args.file, &without(&text, &args.patterns))?;
    eprintln!("{}: {} removed", shown::path(&args.file), count(args.patterns.len() as u64, "pattern"));
    Ok(Exit::Fine)
}

fn read(dir: &Path, known: Known) -> anyhow::Result<Report> {
    let view = store::Store::read(dir)?;
    let options = Options { known, ..Options::default() };
    Ok(Report::read(&view, &options).map_err(|error| Failure::usage(error.to_string()))?)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    Ok(std::fs::write(path, text).map_err(|error| Failure::io(shown::path(path), &error))?)
}
