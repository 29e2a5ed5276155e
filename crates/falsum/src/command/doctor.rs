//! `falsum doctor`: do the solvers answer, and can this machine run a campaign? One row each, a fix per problem.
//!
//! All checks are done by `solver::doctor`; this file only prints. Rows go to stdout, since they are the data.
#![allow(clippy::print_stdout, reason = "a command prints to the user")]

use super::solvers::failure;
use crate::exit::Exit;
use crate::{allowance, config, paint};
use clap::CommandFactory;
use solver::doctor::{Examination, Row, State, examine, examine_targets};
use solver::{Home, Profiles, Spec, Target};

/// Flags of doctor.
#[derive(clap::Args)]
pub struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Look at this solver instead: what it is recognised as, and whether it answers as a hunt will ask it
    #[arg(short = 's', long = "solver", value_name = "SPEC")]
    solvers: Vec<String>,
}

/// Fine if at least one solver can be used.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let home = Home::from_env().map_err(failure)?;
    let mut examination = match &args.solvers[..] {
        [] => examine(&home),
        specs => examine_targets(&named(&home, specs)?),
    };
    examination.rows.extend(configuration());
    if args.json {
        println!("{}", serde_json::to_string_pretty(&examination)?);
    } else {
        print!("{}", screen(&examination));
    }
    Ok(if examination.usable == 0 { Exit::NoSolver } else { Exit::Fine })
}

/// A row about the configuration file, if there is one.
fn configuration() -> Option<Row> {
    let file = config::find()?;
    let name = smtlib::shown::path(&file);
    let read = allowance::read(&file)
        .and_then(|text| config::acting(&text.unwrap_or_default(), &file, &crate::Cli::command()));
    Some(match read {
        Ok(acting) if acting.is_empty() => {
            Row { name, state: State::Ok, detail: "can be read".into(), fix: None }
        }
        Ok(acting) => {
            let detail = format!("names programs or switches protections off: {}", acting.join("; "));
            Row { name, state: State::Ok, detail, fix: None }
        }
        Err(failure) => {
            let fix = failure.hint.unwrap_or_else(|| "mend the line, or falsum init --force".into());
            Row { name, state: State::Bad, detail: failure.message, fix: Some(fix) }
        }
    })
}

/// The targets that SPECs mean, as they are: nothing is installed.
fn named(home: &Home, specs: &[String]) -> anyhow::Result<Vec<Target>> {
    let mut targets = vec![];
    for text in specs {
        let spec = Spec::parse(text).map_err(failure)?;
        targets.extend(Target::resolve(home, &Profiles::embedded(), &spec).map_err(failure)?);
    }
    Ok(targets)
}

/// The rows as a person reads them.
fn screen(examination: &Examination) -> String {
    let width = examination.rows.iter().map(|r| r.name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for row in &examination.rows {
        let stdout = std::io::stdout();
        let word = match row.state {
            State::Ok => paint::fine(&stdout, "ok   "),
            State::Warn => paint::doubtful(&stdout, "warn "),
            State::Bad => paint::wrong(&stdout, "BAD  "),
        };
        let detail = row.detail.replace('\n', "\n      ");
        out += &format!("{word} {:<width$}  {detail}\n", row.name);
        if let Some(fix) = &row.fix {
            out += &format!("      {:<width$}  fix: {fix}\n", "");
        }
    }
    let count = |state| examination.rows.iter().filter(|r| r.state == state).count();
    let plural = |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    out += &format!(
        "{} can be used, {}, {}\n",
        plural(examination.usable, "solver"),
        plural(count(State::Bad), "problem"),
        plural(count(State::Warn), "warning")
    );
    out
}
