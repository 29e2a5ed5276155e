//! `falsum opfuzz`, `falsum typefuzz`, `falsum yinyang`: the command lines of yinyang 0.3, on falsum's engine.
//!
//! A user of those tools switches by adding one word: the flags, the printed lines, the layout of `bugs/` and the exit
//! codes (0, 10 bugs, 2 usage, 3 internal, 4 solver, 5 disk) are theirs. The engine is not: mutants are well-typed over
//! every theory, solvers run in sessions, and a solver is accused only by evidence that was reproduced in a fresh
//! process. This file defines the flags and checks them.
//!
//! `janus` adds the command line of janus, which grew out of yinyang: one seed, two formulas, incompleteness.
//!
//! `settings` reads the lists of a `Config.py`, `fuzz` is the loop, `bugs` writes the bugs, `log` prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

mod bugs;
mod fuzz;
mod janus;
mod log;
mod settings;

pub use janus::{JanusArgs, janus, spelled_out};

use crate::exit::Exit;
use fuzz::{Fuzzer, Job};
use settings::Lists;
use solver::{Home, Profiles, Spec, Target};
use std::path::{Path, PathBuf};
use strategy::fusion::{self, Fusion};
use strategy::{Settings, Strategy};
use triage::Panel;

/// What `--version` prints: whose command line this is, and what runs behind it.
pub const VERSION: &str = concat!("0.3.0 (falsum ", env!("CARGO_PKG_VERSION"), ")");

/// The flags that all three tools have.
#[derive(clap::Args, Clone, Debug)]
pub struct Common {
    /// Command lines of solvers, separated by `;`
    #[arg(value_name = "SOLVER_CLIS")]
    solvers: String,
    /// Seeds: files and folders
    #[arg(value_name = "SEEDS", required = true)]
    seeds: Vec<PathBuf>,
    /// Seconds that a solver may take [default: 8; janus: 10]
    #[arg(short, long, alias = "t", value_name = "SECS", allow_negative_numbers = true)]
    timeout: Option<i64>,
    /// Where bugs go
    #[arg(short, long = "bugsfolder", value_name = "DIR", default_value = "bugs")]
    bugs: PathBuf,
    /// Folder for logs
    #[arg(short, long = "logfolder", value_name = "DIR", default_value = "logs")]
    logs: PathBuf,
    /// Folder for kept mutants
    #[arg(short, long = "scratchfolder", alias = "s", value_name = "DIR", default_value = "scratch")]
    scratch: PathBuf,
    /// Print no statistics
    #[arg(short, long)]
    quiet: bool,
    /// Write no log
    #[arg(short, long)]
    no_log: bool,
    /// Skip seeds of this many bytes and more
    #[arg(
        short = 'L',
        long = "file-size-limit",
        alias = "limit",
        value_name = "BYTES",
        default_value_t = 100_000
    )]
    limit: u64,
    /// Keep mutants in the scratch folder
    #[arg(short, long)]
    keep_mutants: bool,
    /// The seed of all random choices; different each time without it
    #[arg(long, value_name = "N")]
    seed: Option<String>,
    #[command(flatten)]
    protection: crate::protection::Protection,
    /// A solver beside those under test, for `janus`.
    #[arg(skip)]
    baseline: Option<String>,
    /// What the user says about all seeds, for `janus`.
    #[arg(skip)]
    claim: Option<corpus::Status>,
    /// Show the version
    #[arg(short, long, action = clap::ArgAction::Version)]
    version: Option<bool>,
}

impl Common {
    /// The seconds that a solver may take.
    fn seconds(&self, tool: &str) -> i64 {
        self.timeout.unwrap_or(if tool == "janus" { 10 } else { 8 })
    }

    /// The default folders with absolute paths, as yinyang prints them; those that the user names are not changed.
    fn placed(mut self) -> Common {
        let here = std::env::current_dir().unwrap_or_default();
        for (folder, usual) in
            [(&mut self.bugs, "bugs"), (&mut self.logs, "logs"), (&mut self.scratch, "scratch")]
        {
            if folder.as_os_str() == usual {
                *folder = here.join(usual);
            }
        }
        self
    }
}

/// The flags that both mutation tools have.
#[derive(clap::Args)]
struct Mutation {
    #[command(flatten)]
    common: Common,
    /// Mutants per seed
    #[arg(short, long, value_name = "N", default_value_t = 300, allow_negative_numbers = true)]
    iterations: i64,
}

/// Type-aware operator mutation
#[derive(clap::Args)]
pub struct OpfuzzArgs {
    #[command(flatten)]
    mutation: Mutation,
    /// Mutations from one mutant to the next
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    modulo: u32,
    /// Operator classes, as in yinyang's operator_mutations.txt; without it, the theory tables
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Generative type-aware mutation
#[derive(clap::Args)]
pub struct TypefuzzArgs {
    #[command(flatten)]
    mutation: Mutation,
    /// Accepted for compatibility; every mutation is tested
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    modulo: u32,
    /// Signatures, as in yinyang's typefuzz_config.txt; without it, the theory tables
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Semantic fusion
#[derive(clap::Args)]
pub struct YinyangArgs {
    #[command(flatten)]
    common: Common,
    /// The status of the seeds: sat or unsat
    #[arg(short, long, value_name = "sat|unsat", default_value = "sat")]
    oracle: Oracle,
    /// Mutants per pair of seeds
    #[arg(short, long, value_name = "N", default_value_t = 30, allow_negative_numbers = true)]
    iterations: i64,
    /// Fuse many pairs of variables
    #[arg(short, long)]
    multiple: bool,
    /// Fusion functions, as in yinyang's fusion_functions.txt; without it, the embedded ones
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Accepted for compatibility, without effect
    #[arg(short, hide = true)]
    generate: bool,
    /// Accepted for compatibility, without effect
    #[arg(short, hide = true)]
    random: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Oracle {
    Sat,
    Unsat,
}

/// How mutants are made.
pub(super) enum Maker {
    /// From one seed.
    Mutate(&'static Strategy, Box<Settings>),
    /// From two.
    Fuse(Box<Fusion>, fusion::Mode),
}

/// A foreseen end: the message on stdout and the exit code, as in yinyang.
#[derive(Debug)]
pub(super) struct Stop {
    said: String,
    exit: Exit,
}

impl Stop {
    fn usage(said: impl Into<String>) -> Stop {
        Stop { said: said.into(), exit: Exit::Usage }
    }

    fn disk(said: impl Into<String>) -> Stop {
        Stop { said: said.into(), exit: Exit::PeerDisk }
    }
}

pub fn opfuzz(args: OpfuzzArgs) -> anyhow::Result<Exit> {
    let OpfuzzArgs { mutation, modulo, config } = args;
    end(mutation.common, "opfuzz", mutation.iterations, |mutants| {
        let classes = config.as_deref().map(read).transpose()?;
        if let (Some(path), Some(text)) = (&config, &classes) {
            let wrong = |error| Stop::usage(format!("error: {}: {error}", smtlib::shown::path(path)));
            strategy::classes::Classes::read(text).map_err(wrong)?;
        }
        let every = modulo.max(1);
        let steps = every.saturating_mul(mutants);
        let settings = Settings { steps: Some(steps), every: Some(every), classes, ..Settings::default() };
        Ok(Maker::Mutate(&strategy::opswap::STRATEGY, Box::new(settings)))
    })
}

pub fn typefuzz(args: TypefuzzArgs) -> anyhow::Result<Exit> {
    let TypefuzzArgs { mutation, modulo: _, config } = args;
    end(mutation.common, "typefuzz", mutation.iterations, |mutants| {
        let settings = settings::typefuzz(config.as_deref(), mutants)?;
        Ok(Maker::Mutate(&strategy::regrow::STRATEGY, Box::new(settings)))
    })
}

pub fn yinyang(args: YinyangArgs) -> anyhow::Result<Exit> {
    let YinyangArgs { common, oracle, iterations, multiple, config, generate, random } = args;
    if generate || random {
        eprintln!("note: -g and -r have no effect here");
    }
    end(common, "yinyang", iterations, |_| {
        let weights =
            if config.is_some() { fusion::FunctionWeights::EVEN } else { fusion::FunctionWeights::default() };
        let functions = match &config {
            None => fusion::Functions::embedded().functions,
            Some(path) => {
                let mut found = fusion::Functions::read(&read(path)?);
                for refused in &found.refused {
                    eprintln!("{}: refused: {refused}", smtlib::shown::path(path));
                }
                if found.functions.is_empty() {
                    let said = format!("error: {} has no usable fusion function", smtlib::shown::path(path));
                    return Err(Stop::usage(said));
                }
                fusion::verify::test_unchecked(&mut found.functions, 100);
                found.functions
            }
        };
        let pairs = if multiple { 12 } else { fusion::Config::default().pairs };
        let mode = match oracle {
            Oracle::Sat => fusion::Mode::Sat,
            Oracle::Unsat => fusion::Mode::Unsat,
        };
        let config = fusion::Config { pairs, modes: vec![mode], weights, ..fusion::Config::default() };
        Ok(Maker::Fuse(Box::new(Fusion::new(config, functions)), mode))
    })
}

pub(super) fn read(path: &Path) -> Result<String, Stop> {
    std::fs::read_to_string(path)
        .map_err(|error| Stop::usage(format!("error: cannot read {}: {error}", smtlib::shown::path(path))))
}

/// Runs, and maps every kind of end to yinyang's exit codes.
fn end(
    common: Common,
    tool: &'static str,
    iterations: i64,
    maker: impl FnOnce(u32) -> Result<Maker, Stop>,
) -> anyhow::Result<Exit> {
    common.protection.apply()?;
    let outcome = prepare(&common.placed(), tool, iterations, maker).and_then(|mut fuzzer| fuzzer.run());
    match outcome {
        Ok(bugs) => Ok(if bugs { Exit::Findings } else { Exit::Fine }),
        Err(stop) => {
            println!("{}", stop.said);
            Ok(stop.exit)
        }
    }
}

/// yinyang's checks, in its order and with its messages.
fn prepare(
    common: &Common,
    tool: &'static str,
    iterations: i64,
    maker: impl FnOnce(u32) -> Result<Maker, Stop>,
) -> Result<Fuzzer, Stop> {
    let lists = Lists::find()?;
    let mut specs: Vec<String> = common.solvers.split(';').map(|cli| cli.trim().to_owned()).collect();
    specs.retain(|cli| !cli.is_empty());
    specs.extend(lists.solvers.iter().cloned());
    if specs.is_empty() {
        return Err(Stop::usage("error: no solver specified"));
    }
    if common.seconds(tool) <= 0 {
        return Err(Stop::usage("error: timeout should not be a negative number or zero"));
    }
    let iterations = match u32::try_from(iterations) {
        Ok(iterations) if iterations > 0 => iterations,
        _ => return Err(Stop::usage("error: iterations should not be a negative number zero")),
    };
    for (folder, what) in [(&common.bugs, "bug"), (&common.logs, "log"), (&common.scratch, "scratch")] {
        if !folder.is_dir() && std::fs::create_dir(folder).is_err() {
            return Err(Stop::disk(format!("error: {what} folder cannot be created")));
        }
    }
    let seeds = seeds(&common.seeds)?;
    let fuses = tool == "yinyang";
    let alone = fuses || tool == "janus";
    if !fuses && seeds.is_empty() {
        return Err(Stop::usage("error: please provide at least one seed"));
    }
    if !alone && specs.len() < 2 {
        return Err(Stop::usage("error: please provide at least two SMT solvers"));
    }
    if fuses && seeds.len() < 2 {
        return Err(Stop::usage("error: please provide at least two seeds for the fusion strategy"));
    }
    let maker = maker(iterations)?;
    let mut tested = targets(&specs)?;
    let baseline = match &common.baseline {
        Some(cli) => janus::baseline(&mut tested, targets(std::slice::from_ref(cli))?.remove(0)),
        None => vec![],
    };
    let panel = Panel::new(tested, baseline, 2);
    let (common, solvers) = (common.clone(), specs.len());
    Fuzzer::new(Job { common, tool, iterations, maker, panel, lists, solvers, seeds })
}

/// The solvers, each named by its command line.
fn targets(clis: &[String]) -> Result<Vec<Target>, Stop> {
    let home = Home::from_env().map_err(|error| Stop::usage(format!("error: {error}")))?;
    let profiles = Profiles::embedded();
    let mut found: Vec<Target> = vec![];
    for cli in clis {
        let program = cli.split_whitespace().next().unwrap_or_default();
        let missing = |_| Stop::usage(format!("error: solver \"{program}\" not found"));
        let spec = Spec::parse(cli).map_err(|error| Stop::usage(format!("error: {error}")))?;
        let mut target = Target::resolve(&home, &profiles, &spec).map_err(missing)?.remove(0);
        target.name.clone_from(cli);
        while found.iter().any(|other| other.name == target.name) {
            target.name.push('\'');
        }
        found.push(target);
    }
    Ok(found)
}

/// The files that the paths select, sorted so that a run can be repeated.
fn seeds(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Stop> {
    let mut found = vec![];
    for path in paths {
        if path.is_file() {
            found.push(path.clone());
        } else if path.is_dir() {
            let walked = corpus::walk(&[path], &corpus::ScanLimits::default());
            found.extend(walked.flatten().map(|file| file.path));
        } else {
            let said = format!("error: folder/file \"{}\" does not exist", smtlib::shown::path(path));
            return Err(Stop::usage(said));
        }
    }
    Ok(found)
}
