//! `falsum coverage`: how much of an instrumented solver's code sets of formulas reach.
//!
//! Every path is one set: a file, or a folder of `.smt2` files in the order of their names; a campaign folder is a set per
//! strategy. The solver is one that
//! `falsum solvers add --coverage` built, or any that was built with falsum's runtime (`--runtime` prints it). Lines,
//! functions and blocks (every direction of a branch is a block) are counted, in all and per component, and how they grow
//! from formula to formula.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use super::rebuilt::{Rebuilt, is_campaign, rebuilt};
use super::solvers::failure;
use crate::exit::{Exit, Failure};
use crate::panel::SolverArgs;
use campaign::spread::{cores, jobs, spread};
use corpus::{Found, ScanLimits, SkipReason, Skipped, walk};
use report::coverage::{Part, Reach, Step, csv, page, table};
use smtlib::shown;
use solver::coverage::{Counted, Instrumented, Lines, RUNTIME};
use solver::{Home, Profiles, QueryLimits, Target};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Sets of formulas: files, folders of .smt2 files, or campaign folders, of which every strategy is a set
    #[arg(value_name = "SET", required_unless_present = "runtime")]
    sets: Vec<PathBuf>,
    /// The seeds that the campaigns were given; without any, those inside falsum and the imported ones
    #[arg(long, value_name = "PATH")]
    seeds: Vec<PathBuf>,
    /// Print the runtime to compile and link with a solver, and how
    #[arg(long)]
    runtime: bool,
    /// Count at most so many formulas of each set, evenly spread over it
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    most: Option<u32>,
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
    let solver = instrumented(&args)?;
    let lines = solver.lines().unwrap_or_default();
    let subject = Subject { solver, lines };
    super::corpus::must_exist(&args.sets)?;
    let (mut all, mut union) = (vec![], Seen::new(&subject));
    for path in &args.sets {
        for mut set in sets(&args, path)? {
            if let Some(most) = args.most {
                thin(&mut set.formulas, most as usize);
            }
            let reach = reach(&args, &subject, set, &mut union)?;
            // A set takes minutes; the tables come at the end.
            eprintln!("{}: {} formulas counted", shown::text(&reach.name), reach.formulas);
            all.push(reach);
        }
    }
    if all.len() > 1 {
        let formulas = all.iter().map(|reach| reach.formulas).sum();
        all.push(union.reach(&subject, "together".into(), formulas, vec![]));
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

/// The first solver that counts, of those that are named; without any name, of those that were built for it.
fn instrumented(args: &Args) -> anyhow::Result<Instrumented> {
    let named = match args.solvers.solvers.is_empty() {
        false => args.solvers.resolve()?.0,
        true => {
            let (home, profiles) = (Home::from_env().map_err(failure)?, Profiles::embedded());
            home.instrumented().iter().rev().map(|release| Target::of_release(&profiles, release)).collect()
        }
    };
    let found = named.iter().find_map(Instrumented::of);
    let hint = "build one (falsum solvers add z3 --coverage) and name it (-s z3+coverage); any other solver works if it is \
                built with what `falsum coverage --runtime` prints";
    Ok(found.ok_or_else(|| Failure::usage("no solver is instrumented").hint(hint))?)
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

/// A set of formulas.
struct Set {
    name: String,
    formulas: Vec<Formula>,
}

enum Formula {
    File(Found),
    Text(Vec<u8>),
}

impl Formula {
    fn read(&self) -> Result<Vec<u8>, Failure> {
        match self {
            Formula::Text(text) => Ok(text.clone()),
            Formula::File(found) => found
                .read(LIMITS.file_bytes)
                .map_err(|reason| Failure::usage(format!("{}: {reason}", shown::path(&found.path)))),
        }
    }
}

/// The sets that a path stands for.
fn sets(args: &Args, path: &Path) -> anyhow::Result<Vec<Set>> {
    let name = path.file_name().map_or_else(|| shown::path(path), |name| name.to_string_lossy().into_owned());
    if !is_campaign(path) {
        let formulas = formulas(path).into_iter().map(Formula::File).collect();
        return Ok(vec![Set { name, formulas }]);
    }
    let mut all = vec![];
    for Rebuilt { strategy, scripts, missing } in rebuilt(path, &args.seeds)? {
        if missing > 0 {
            let cases = scripts.len() + missing;
            eprintln!("note: {missing} of {cases} cases of {strategy} followed answers and are left out");
        }
        let name = if args.sets.len() > 1 { format!("{name} {strategy}") } else { strategy };
        all.push(Set { name, formulas: scripts.into_iter().map(Formula::Text).collect() });
    }
    Ok(all)
}

/// Keeps at most so many, evenly spread.
fn thin<T>(items: &mut Vec<T>, most: usize) {
    let (all, most) = (items.len(), most.min(items.len()));
    let mut n = 0;
    items.retain(|_| {
        n += 1;
        // One is kept wherever the share of kept ones passes a whole number.
        n * most / all > (n - 1) * most / all
    });
}

/// Runs the solver on every formula of a set; `union` takes in what all sets reach.
fn reach(
    args: &Args,
    subject: &Subject,
    Set { name, formulas }: Set,
    union: &mut Seen,
) -> anyhow::Result<Reach> {
    let SolverArgs { timeout, memory, .. } = args.solvers;
    let limits = QueryLimits { wall: timeout, cpu: None, memory: Some(memory) };
    let work = |_: &mut (), (n, formula): (usize, Formula)| {
        (n, formula.read().map(|script| subject.solver.count(&script, &limits)))
    };
    let mut seen = Seen::new(subject);
    let mut steps = vec![];
    // Results come in any order and are taken in the order of the set; only those that must wait are kept.
    let mut waiting: BTreeMap<usize, Counted> = BTreeMap::new();
    let mut wrong = None;
    spread(
        args.jobs.unwrap_or_else(cores),
        formulas.into_iter().enumerate(),
        &|| false,
        work,
        |(n, counted)| {
            match counted {
                Ok(counted) => drop(waiting.insert(n, counted)),
                Err(error) => wrong = Some(error),
            }
            while let Some(counted) = waiting.remove(&steps.len()) {
                steps.push(seen.add(subject, &counted));
                union.add(subject, &counted);
            }
            Ok(())
        },
    )?;
    if let Some(wrong) = wrong {
        return Err(wrong.into());
    }
    Ok(seen.reach(subject, name, steps.len(), steps))
}

/// An instrumented solver and its source lines, if its build has them.
struct Subject {
    solver: Instrumented,
    lines: Lines,
}

/// What was reached so far.
struct Seen {
    functions: Vec<bool>,
    blocks: Vec<bool>,
    lines: Vec<bool>,
    so_far: Step,
}

impl Seen {
    fn new(subject: &Subject) -> Seen {
        let map = subject.solver.map();
        Seen {
            functions: vec![false; map.functions().len()],
            blocks: vec![false; map.len()],
            lines: vec![false; subject.lines.len()],
            so_far: Step::default(),
        }
    }

    fn add(&mut self, subject: &Subject, counted: &Counted) -> Step {
        let first = |seen: &mut [bool], n: u32| usize::from(!std::mem::replace(&mut seen[n as usize], true));
        for &(function, block, _) in &counted.hits {
            if first(&mut self.blocks, block) == 0 {
                continue;
            }
            self.so_far.blocks += 1;
            self.so_far.functions += first(&mut self.functions, function);
            for &line in subject.lines.of_block(block as usize) {
                self.so_far.lines += first(&mut self.lines, line);
            }
        }
        self.so_far.own = counted.hits.len();
        self.so_far.seconds += counted.cpu.as_secs_f64();
        self.so_far
    }

    fn reach(&self, subject: &Subject, name: String, formulas: usize, steps: Vec<Step>) -> Reach {
        let map = subject.solver.map();
        Reach {
            name,
            solver: subject.solver.target().name.clone(),
            functions: map.functions().len(),
            blocks: map.len(),
            lines: subject.lines.len(),
            formulas,
            reached: self.so_far,
            steps,
            parts: parts(subject, self),
        }
    }
}

/// What the functions of library headers are listed under.
const LIBRARY: &str = "(headers of libraries)";

/// Coverage by component: the folder of the source file in which a function begins, or without line tables its class or
/// namespace.
fn parts(subject: &Subject, seen: &Seen) -> Vec<Part> {
    let (map, lines) = (subject.solver.map(), &subject.lines);
    let mut entries: Vec<Option<(u64, usize)>> = vec![None; map.functions().len()];
    for (n, block) in map.blocks().iter().enumerate() {
        let entry = entries[block.function as usize].get_or_insert((block.address, n));
        *entry = (*entry).min((block.address, n));
    }
    let named = entries.into_iter().zip(map.functions()).map(|(entry, function)| match lines.is_empty() {
        true => component(function),
        false => entry.and_then(|(_, block)| lines.home(block)).map_or(LIBRARY, folder),
    });
    let names: Vec<&str> = named.collect();
    let mut all: BTreeMap<&str, Part> = BTreeMap::new();
    for (n, &name) in names.iter().enumerate() {
        let part = part_of(&mut all, name);
        part.functions += 1;
        part.functions_reached += usize::from(seen.functions[n]);
    }
    for (n, block) in map.blocks().iter().enumerate() {
        let part = part_of(&mut all, names[block.function as usize]);
        part.blocks += 1;
        part.blocks_reached += usize::from(seen.blocks[n]);
    }
    for (n, &reached) in seen.lines.iter().enumerate() {
        let part = part_of(&mut all, folder(lines.file(n as u32)));
        part.lines += 1;
        part.lines_reached += usize::from(reached);
    }
    all.into_values().collect()
}

fn part_of<'a, 'n>(all: &'a mut BTreeMap<&'n str, Part>, name: &'n str) -> &'a mut Part {
    all.entry(name).or_insert_with(|| Part { name: name.to_owned(), ..Part::default() })
}

/// The folder of a source file.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
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

    #[test]
    fn so_many_are_kept_evenly_spread() {
        let kept = |count: usize, most| {
            let mut items: Vec<usize> = (1..=count).collect();
            thin(&mut items, most);
            items
        };
        assert_eq!(kept(9, 3), [3, 6, 9]);
        assert_eq!(kept(10, 4), [3, 5, 8, 10]);
        assert_eq!(kept(3, 5), [1, 2, 3]);
        assert!(kept(0, 2).is_empty());
    }
}
