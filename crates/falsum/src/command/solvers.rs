//! `falsum solvers list|add|lock|remove|path`: the releases this machine has, and how to get more.
//!
//! Lists go to stdout (one line per release, or one JSON document), progress to stderr. All decisions are made in the
//! crate `solver`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use campaign::spread::cores;
use serde::Serialize;
use smtlib::shown;
use solver::install::{self, Progress};
use solver::instrument;
use solver::spec::Program;
use solver::{Home, Release, Spec};
use std::path::{Path, PathBuf};

/// What to do with releases.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Show the installed releases, or those that can be installed
    List {
        /// Show the releases that can be installed instead
        #[arg(long)]
        available: bool,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Install releases: `z3`, `z3@4.8.6`, `z3@4.8.5..4.12`, `cvc5`, `bitwuzla`, `yices`, …
    Add {
        /// Solvers, with a release or a range after `@`
        #[arg(required = true, value_name = "SPEC")]
        specs: Vec<String>,
        /// Build them from source so that they count which of their code runs, for `falsum coverage` and `--schedule
        /// coverage`; `z3@5.4.0` becomes `z3@5.4.0+coverage`. Takes the better part of an hour and continues where it
        /// was interrupted
        #[arg(long)]
        coverage: bool,
        /// Compilers at once with --coverage; without it, one per core
        #[arg(short = 'j', long, value_parser = campaign::spread::jobs, value_name = "N", requires = "coverage")]
        jobs: Option<usize>,
    },
    /// Write the hashes of the installed releases to a file, for `add` on other machines to compare
    Lock {
        /// The file; `add` looks for this one in the current folder
        #[arg(long, value_name = "FILE", default_value = solver::lock::PROJECT)]
        file: PathBuf,
    },
    /// Delete installed releases
    Remove {
        #[arg(required = true, value_name = "SPEC")]
        specs: Vec<String>,
    },
    /// Print the path of the program of an installed release
    Path {
        #[arg(value_name = "SPEC")]
        spec: String,
    },
}

/// Runs one of them.
pub fn run(command: Command) -> anyhow::Result<Exit> {
    let home = Home::from_env().map_err(failure)?;
    match command {
        Command::List { available: true, json } => list_available(json),
        Command::List { available: false, json } => list(&home, json),
        Command::Add { specs, coverage, jobs } => add(&home, &specs, coverage, jobs.unwrap_or_else(cores)),
        Command::Lock { file } => lock(&home, &file),
        Command::Remove { specs } => remove(&home, &specs),
        Command::Path { spec } => path(&home, &spec),
    }
}

/// An error of the solver crate as a foreseen failure with its hint.
pub fn failure(error: solver::Error) -> Failure {
    let exit = match error {
        solver::Error::NotInstalled { .. }
        | solver::Error::NoProgram { .. }
        | solver::Error::NoAnswer { .. }
        | solver::Error::Verification { .. } => Exit::NoSolver,
        _ => Exit::Usage,
    };
    Failure { exit, message: error.to_string(), hint: error.hint() }
}

/// One row of `list --json`.
#[derive(Serialize)]
struct Row {
    name: String,
    version: String,
    path: String,
    origin: String,
    hash: String,
}

impl Row {
    fn of(release: &Release) -> Row {
        Row {
            name: release.record.name.clone(),
            version: release
                .label()
                .split_once('@')
                .map_or_else(String::new, |(_, version)| version.to_owned()),
            path: release.program().display().to_string(),
            origin: release.record.origin.clone(),
            hash: release.record.hash.clone(),
        }
    }
}

fn list(home: &Home, json: bool) -> anyhow::Result<Exit> {
    let (releases, broken) = home.releases();
    let mut rows: Vec<Row> = releases.iter().map(Row::of).collect();
    rows.extend(home.instrumented().iter().map(Row::of));
    for found in solver::discover::on_path() {
        rows.push(Row {
            name: found.solver.to_owned(),
            version: found.version.map(|v| v.to_string()).unwrap_or_default(),
            path: found.path.display().to_string(),
            origin: "PATH".into(),
            hash: found.hash,
        });
    }
    if json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else {
        for row in &rows {
            let release = format!("{}@{}", row.name, row.version);
            println!("{release:<20} {:<34} {}  {}", row.origin, row.hash.get(..12).unwrap_or(""), row.path);
        }
    }
    for folder in &broken {
        eprintln!("warning: {} cannot be used: {}", smtlib::shown::path(&folder.folder), folder.why);
    }
    if rows.is_empty() && !json {
        eprintln!("no solver is installed in {} and none is on PATH", smtlib::shown::path(home.root()));
        eprintln!("  = hint: falsum solvers add z3 cvc5");
    }
    Ok(Exit::Fine)
}

fn list_available(json: bool) -> anyhow::Result<Exit> {
    let mut document = serde_json::Map::new();
    eprintln!("querying the package index");
    for install::Available { solver, offers, from_index } in install::all_available() {
        let versions: Vec<String> = offers.iter().map(|o| o.version.to_string()).collect();
        if !from_index && !versions.is_empty() {
            eprintln!("note: the package index did not answer for {solver}; this is the built-in list");
        }
        if json {
            document.insert(solver.to_owned(), versions.into());
        } else if !versions.is_empty() {
            println!("{solver:<12} {}", versions.join(" "));
        }
    }
    if json {
        println!("{}", serde_json::to_string_pretty(&document)?);
    }
    Ok(Exit::Fine)
}

fn add(home: &Home, specs: &[String], coverage: bool, jobs: usize) -> anyhow::Result<Exit> {
    let specs = specs.iter().map(|s| Spec::parse(s)).collect::<Result<Vec<_>, _>>().map_err(failure)?;
    for spec in &specs {
        let counts = coverage || matches!(spec.program, Program::Release { coverage: true, .. });
        match counts {
            true => drop(instrument::add(home, spec, jobs, &show).map_err(failure)?),
            false => drop(install::add(home, spec, &show).map_err(failure)?),
        }
    }
    Ok(Exit::Fine)
}

fn lock(home: &Home, file: &Path) -> anyhow::Result<Exit> {
    let releases = solver::lock::write_project(home, file).map_err(failure)?;
    eprintln!("{}: {releases} releases", shown::path(file));
    Ok(Exit::Fine)
}

/// Shows the progress of an installation, one line per step.
pub fn show(progress: Progress) {
    match progress {
        Progress::Resolving { solver } => eprintln!("{solver}: looking for releases"),
        Progress::Offline { solver } => {
            eprintln!("{solver}: the package index cannot be reached; using the built-in list")
        }
        Progress::Downloading { release, package } => eprintln!("{release}: downloading {package}"),
        Progress::Configuring { release, compiler } => {
            eprintln!("{release}: configuring the build with {}", shown::path(&compiler));
        }
        Progress::Building { release, done, all } => {
            eprintln!("{release}: building, {done} of {all} steps ({} %)", 100 * done / all.max(1));
        }
        Progress::Verifying { release } => eprintln!("{release}: running a sat, an unsat and a model query"),
        Progress::Installed { release } => eprintln!("{release}: installed"),
        Progress::Present { release } => eprintln!("{release}: is installed"),
    }
}

fn remove(home: &Home, specs: &[String]) -> anyhow::Result<Exit> {
    for text in specs {
        let spec = Spec::parse(text).map_err(failure)?;
        for release in installed(home, &spec, text).map_err(|failure| not_here(home, failure))? {
            home.remove(&release).map_err(failure)?;
            eprintln!("{}: removed", release.label());
        }
    }
    Ok(Exit::Fine)
}

/// What could have been meant, for a release that is not installed.
fn not_here(home: &Home, failure: Failure) -> Failure {
    let here: Vec<String> = home.releases().0.iter().map(Release::label).collect();
    let hint = if here.is_empty() {
        "nothing is installed".into()
    } else {
        format!("installed: {}", here.join(", "))
    };
    Failure { exit: Exit::Usage, ..failure }.hint(hint)
}

fn path(home: &Home, text: &str) -> anyhow::Result<Exit> {
    let spec = Spec::parse(text).map_err(failure)?;
    let program = match installed(home, &spec, text) {
        Ok(releases) => releases.last().map(Release::program),
        Err(error) => {
            let found = solver::discover::find(&spec).ok_or(error)?;
            Some(found)
        }
    };
    println!("{}", program.unwrap_or_default().display());
    Ok(Exit::Fine)
}

/// The installed releases that a SPEC selects; at least one.
fn installed(home: &Home, spec: &Spec, text: &str) -> Result<Vec<Release>, Failure> {
    let missing = || failure(solver::Error::NotInstalled { spec: text.to_owned() });
    let chosen = home.chosen(&spec.program);
    if chosen.is_empty() { Err(missing()) } else { Ok(chosen) }
}
