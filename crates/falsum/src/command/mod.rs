//! The commands: one file each, owning its flags (`Args`) and its `run`.
//!
//! To add one: write `command/NAME.rs` with a `clap::Args` struct and `run(args) -> anyhow::Result<Exit>`,
//! then add one variant and one arm here.

mod allow;
mod bisect;
mod bisect_git;
mod check;
mod ci;
mod cluster;
mod cluster_status;
mod corpus;
mod coverage;
mod cvc5_driver;
mod doctor;
mod enumerate;
mod eval;
mod evolution;
mod evolve;
mod explain;
mod generate;
mod generations;
mod going_on;
mod hunt;
mod init;
mod known;
mod manual;
mod merge;
mod parse;
mod rebuilt;
mod reduce;
mod replay;
mod report;
mod sample;
mod solvers;
mod stability;
mod status;
mod strategy;
mod tour;
mod triage;
mod verify;
mod verify_rules;
mod yinyang;

use crate::exit::Exit;

pub use yinyang::spelled_out;

pub use solvers::{failure as solver_failure, show as show_progress};

/// What falsum can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Permit a falsum.toml to name programs, solver options and paths outside its folder, until it changes
    Allow(allow::Args),
    /// Which releases are wrong; first bad, last bad, fixed in
    Bisect(bisect::Args),
    /// One verdict per file, with evidence and blame
    Check(check::Args),
    /// A gate for CI: enumerate and hunt within a budget, compare with a baseline; JUnit and SARIF
    Ci(ci::Args),
    /// Run a campaign on a cluster: Slurm, Kubernetes, or one shard for any other scheduler
    #[command(subcommand)]
    Cluster(cluster::Command),
    /// List, import and count seeds
    #[command(subcommand)]
    Corpus(corpus::Command),
    /// How much of an instrumented solver's code formulas reach: functions, blocks, components, over time
    Coverage(coverage::Args),
    /// Check every solver and the machine; suggest a fix for each problem
    Doctor(doctor::Args),
    /// Enumerate the formulas of a grammar, smallest first
    Enumerate(enumerate::Args),
    /// Evaluate the assertions of a script under a model
    Eval(eval::Args),
    /// Grid of releases and formulas: correctness and performance per theory, tables, CSV, a page
    Evolution(evolution::Args),
    /// Breed formulas that make a solver slow: a search with several objectives
    Evolve(Box<evolve::Args>),
    /// What a word on the screen or in a report means
    Explain(explain::Args),
    /// Write the cases of a strategy without running any solver
    Generate(generate::Args),
    /// How searches by `evolve` converged and what they bred: a table, CSV, a page with plots
    Generations(generations::Args),
    /// Hunt for bugs until a budget is spent
    Hunt(Box<hunt::Args>),
    /// Write a commented falsum.toml
    Init(init::Args),
    /// The list of known bugs: print it, add bugs of a campaign, remove some
    #[command(subcommand)]
    Known(known::Command),
    /// Merge the folders of shards into one
    Merge(merge::Args),
    /// Parse, type-check and print scripts
    Parse(parse::Args),
    /// Shrink a script while it still shows the bug
    Reduce(reduce::Args),
    /// What a campaign found: text, a page, issue drafts, JSON, JUnit, SARIF
    Report(report::Args),
    /// Rebuild a case from its recipe and run it again
    Replay(replay::Args),
    /// Install, list and remove solver releases
    #[command(subcommand)]
    Solvers(solvers::Command),
    /// Does a solver answer the same when the same is said in other words? A table per solver and release
    Stability(stability::Args),
    /// Show the state of a campaign
    Status(status::Args),
    /// List, explain and verify strategies
    #[command(subcommand)]
    Strategy(strategy::Command),
    /// A three-minute introduction: install an old release, find a certified bug, reduce, bisect and report it
    Tour(tour::Args),
    /// Reduce, name and bisect what a (merged) campaign holds, each bug once
    Triage(Box<triage::Args>),
    /// Drop-in replacement for yinyang's opfuzz: operator mutation, `opfuzz "z3;cvc5" seeds`
    #[command(display_name = "opfuzz", version = yinyang::VERSION, disable_version_flag = true, infer_long_args = true)]
    Opfuzz(yinyang::OpfuzzArgs),
    /// Drop-in replacement for yinyang's typefuzz: generative mutation, `typefuzz "z3;cvc5" seeds`
    #[command(display_name = "typefuzz", version = yinyang::VERSION, disable_version_flag = true, infer_long_args = true)]
    Typefuzz(yinyang::TypefuzzArgs),
    /// Drop-in replacement for yinyang's fusion: semantic fusion, `yinyang "z3" -o sat seeds`
    #[command(display_name = "yinyang", version = yinyang::VERSION, disable_version_flag = true, infer_long_args = true)]
    Yinyang(yinyang::YinyangArgs),
    /// Drop-in replacement for janus: weakening and strengthening for incompleteness, `janus "z3" -cr "z3-4.8.10" -o sat seeds`
    #[command(display_name = "janus", version = yinyang::VERSION, disable_version_flag = true, infer_long_args = true)]
    Janus(yinyang::JanusArgs),
    /// Print the completions of a shell
    Completions(manual::CompletionsArgs),
    /// Print the manual page
    Man(manual::ManArgs),
    /// Run the libraries of a cvc5 release as the command line `cvc5`
    #[command(hide = true)]
    Cvc5Driver(cvc5_driver::Args),
}

/// Runs one command.
pub fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Allow(args) => allow::run(args),
        Command::Bisect(args) => bisect::run(args),
        Command::Check(args) => check::run(args),
        Command::Ci(args) => ci::run(args),
        Command::Cluster(command) => cluster::run(command),
        Command::Corpus(command) => corpus::run(command),
        Command::Coverage(args) => coverage::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Enumerate(args) => enumerate::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Evolution(args) => evolution::run(args),
        Command::Evolve(args) => evolve::run(*args),
        Command::Explain(args) => explain::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Generations(args) => generations::run(args),
        Command::Hunt(args) => hunt::run(*args),
        Command::Init(args) => init::run(args),
        Command::Known(command) => known::run(command),
        Command::Merge(args) => merge::run(args),
        Command::Parse(args) => parse::run(args),
        Command::Reduce(args) => reduce::run(args),
        Command::Report(args) => report::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Solvers(command) => solvers::run(command),
        Command::Stability(args) => stability::run(args),
        Command::Status(args) => status::run(args),
        Command::Strategy(command) => strategy::run(command),
        Command::Tour(args) => tour::run(args),
        Command::Triage(args) => triage::run(*args),
        Command::Opfuzz(args) => yinyang::opfuzz(args),
        Command::Typefuzz(args) => yinyang::typefuzz(args),
        Command::Yinyang(args) => yinyang::yinyang(args),
        Command::Janus(args) => yinyang::janus(args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
        Command::Cvc5Driver(args) => cvc5_driver::run(args),
    }
}
