//! `falsum coverage`: how much of an instrumented solver's code sets of formulas reach.
//!
//! Every path is one set: a file, or a folder of `.smt2` files in the order of their names. The solver must be built
//! with `-fsanitize-coverage=trace-pc` and falsum's runtime (`--runtime` prints it); functions and blocks (branches are
//! blocks) are counted, in all and per component, and how they grow from formula to formula.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use crate::panel::SolverArgs;
use campaign::spread::{cores, jobs, spread};
use corpus::{Found, ScanLimits, SkipReason, Skipped, walk};
use report::coverage::{Part, Reach, Step, csv, page, table};
use smtlib::shown;
use solver::QueryLimits;
use solver::coverage::{Hit, Instrumented, RUNTIME};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Sets of formulas: files, or folders of .smt2 files
    #[arg(value_name = "SET", required_unless_present = "runtime")]
    sets: Vec<PathBuf>,
    /// Print the runtime to compile and link with a solver, and how
    #[arg(long)]
    runtime: bool,
    /// Where to write it: a line per formula (.csv), a page with a plot (.html) or everything (.json)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many components to list
    #[arg(long, default_value_t = 20, value_name = "N")]
    components: usize,
    /// Workers; without it, one per core
    #[arg(short = 'j', long, value_parser = jobs, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    solvers: SolverArgs,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    if args.runtime {
        print!("{RUNTIME}");
        return Ok(Exit::Fine);
    }
    args.solvers.protection.apply()?;
    let (targets, _) = args.solvers.resolve()?;
    let found = targets.iter().find_map(Instrumented::of);
    let solver = found.ok_or_else(|| {
        Failure::usage("no solver is instrumented").hint(
            "build one with -fsanitize-coverage=trace-pc, link what `falsum coverage --runtime` prints, and name it with -s",
        )
    })?;
    super::corpus::must_exist(&args.sets)?;
    let mut all = vec![];
    for set in &args.sets {
        all.push(reach(&args, &solver, set)?);
    }
    match &args.out {
        None => print!("{}", table(&all, args.components)),
        Some(path) => {
            let text = match path.extension().and_then(|end| end.to_str()) {
                Some("csv") => csv(&all),
                Some("html" | "htm") => page(&all, args.components),
                Some("json") => serde_json::to_string_pretty(&all)? + "\n",
                _ => {
                    let message = format!("{} is neither .csv, .html nor .json", shown::path(path));
                    return Err(Failure::usage(message).into());
                }
            };
            std::fs::write(path, text).map_err(|error| Failure::io(shown::path(path), &error))?;
            println!("{}", shown::path(path));
        }
    }
    Ok(Exit::Fine)
}

/// The formulas of a set, in order. Pipes, devices and links that lead in circles are skipped, with a message.
fn formulas(set: &Path) -> Vec<Found> {
    let mut files = vec![];
    for found in walk(&[set], &LIMITS) {
        match found {
            Ok(found) => files.push(found),
            Err(Skipped { reason: SkipReason::NotSmt2 | SkipReason::Hidden, .. }) => {}
            Err(Skipped { path, reason }) => eprintln!("note: {} is skipped: {reason}", shown::path(&path)),
        }
    }
    files
}

const LIMITS: ScanLimits = ScanLimits { file_bytes: 64 << 20, total_bytes: u64::MAX, depth: 64 };

/// Runs the solver on every formula of a set.
fn reach(args: &Args, solver: &Instrumented, set: &Path) -> anyhow::Result<Reach> {
    let files = formulas(set);
    let SolverArgs { timeout, memory, .. } = args.solvers;
    let limits = QueryLimits { wall: timeout, cpu: None, memory: Some(memory) };
    let work = |_: &mut (), (n, found): (usize, Found)| {
        let hits = found.read(LIMITS.file_bytes).map(|script| solver.hits(&script, &limits));
        let wrong = |reason| Failure::usage(format!("{}: {reason}", shown::path(&found.path)));
        (n, hits.map_err(wrong))
    };
    let mut read = vec![];
    spread(args.jobs.unwrap_or_else(cores), files.into_iter().enumerate(), &|| false, work, |one| {
        read.push(one);
        Ok(())
    })?;
    let all = read.into_iter().map(|(n, hits)| Ok((n, hits?)));
    let done: BTreeMap<usize, Vec<Hit>> = all.collect::<anyhow::Result<_>>()?;
    let mut seen = Seen::default();
    let steps = done.values().map(|hits| seen.add(hits)).collect();
    let name = set.file_name().map_or_else(|| shown::path(set), |name| name.to_string_lossy().into_owned());
    Ok(Reach {
        name,
        solver: solver.target().name.clone(),
        functions: solver.map().functions().len(),
        blocks: solver.map().len(),
        steps,
        parts: parts(solver, &seen),
    })
}

#[derive(Default)]
struct Seen {
    functions: BTreeSet<u32>,
    blocks: BTreeSet<u32>,
}

impl Seen {
    fn add(&mut self, hits: &[Hit]) -> Step {
        self.functions.extend(hits.iter().map(|hit| hit.0));
        self.blocks.extend(hits.iter().map(|hit| hit.1));
        Step { functions: self.functions.len(), blocks: self.blocks.len(), own: hits.len() }
    }
}

/// Coverage by component: the class or namespace of a function, or the function itself.
fn parts(solver: &Instrumented, seen: &Seen) -> Vec<Part> {
    let names: Vec<&str> = solver.map().functions().iter().map(|name| component(name)).collect();
    let mut all: BTreeMap<&str, Part> = BTreeMap::new();
    let new = |name: &str| Part { name: name.to_owned(), ..Part::default() };
    for (n, name) in names.iter().enumerate() {
        let part = all.entry(name).or_insert_with(|| new(name));
        part.functions += 1;
        part.functions_reached += usize::from(seen.functions.contains(&(n as u32)));
    }
    for (block, function) in solver.map().blocks().enumerate() {
        let Some(name) = names.get(function as usize) else { continue };
        let part = all.entry(name).or_insert_with(|| new(name));
        part.blocks += 1;
        part.blocks_reached += usize::from(seen.blocks.contains(&(block as u32)));
    }
    all.into_values().collect()
}

/// What stands before the last `::` of a function's name.
fn component(function: &str) -> &str {
    function.rsplit_once("::").map_or(function, |(component, _)| component)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_pipes_and_links_in_circles_is_read_and_does_not_wait() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        std::fs::write(path.join("a.smt2"), "(check-sat)").unwrap();
        std::os::unix::fs::symlink(path, path.join("again")).unwrap();
        std::os::unix::fs::symlink(path, path.join("and-again")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path.join("zero.smt2")).unwrap();
        let pipe = std::process::Command::new("mkfifo").arg(path.join("pipe.smt2")).status().unwrap();
        assert!(pipe.success());
        let found: Vec<PathBuf> = formulas(path).into_iter().map(|found| found.path).collect();
        assert_eq!(found, [path.join("a.smt2")]);
    }
}
