//! `falsum strategy list|show|verify`: the strategies, what each is for, and what the tables say about operators.
//!
//! Everything shown comes from the registry and the theory tables.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use serde::Serialize;
use smtlib::theory::{self, Row};
use strategy::registry;
use strategy::regrow::productions;

use crate::exit::{Exit, Failure};

/// What to do with strategies.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Show the strategies, one per line
    List {
        /// Show how falsum supports every operator of the theory tables instead
        #[arg(long)]
        operators: bool,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show the page about one strategy: idea, paper, why its expectation is right, what it costs
    Show {
        /// Its name
        name: String,
        /// Show its rule file instead
        #[arg(long)]
        rules: bool,
    },
    /// Prove or refute the rules that strategies rely on: fusion functions, operator classes, rules of implication
    Verify(Box<super::verify::Args>),
}

/// Runs one of them.
pub fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::List { operators: true, json } => operators(json),
        Command::List { operators: false, json } => list(json),
        Command::Show { name, rules: false } => show(&name),
        Command::Show { name, rules: true } => show_rules(&name),
        Command::Verify(args) => super::verify::run(*args),
    }
}

fn list(json: bool) -> anyhow::Result<Exit> {
    if json {
        let row = |s: &&strategy::Strategy| serde_json::json!({ "name": s.name, "about": s.about });
        let rows: Vec<_> = registry::STRATEGIES.iter().map(row).collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else {
        registry::STRATEGIES.iter().for_each(|s| println!("{:<12} {}", s.name, s.about));
    }
    Ok(Exit::Fine)
}

fn show(name: &str) -> anyhow::Result<Exit> {
    print!("{}", crate::strategies::find(name)?.page());
    Ok(Exit::Fine)
}

fn show_rules(name: &str) -> anyhow::Result<Exit> {
    crate::strategies::find(name)?;
    match name {
        "weaken" => print!("{}", strategy::weaken::rules::TEXT),
        "skeleton" => print!("{}", strategy::skeleton::RULES),
        _ => {
            let failure = Failure::usage(format!("{name} has no rules of implication"));
            return Err(failure.hint("weaken and skeleton have").into());
        }
    }
    Ok(Exit::Fine)
}

/// How falsum supports one operator. A row that cannot be typed would not be in the tables.
#[derive(Serialize)]
struct Operator {
    name: &'static str,
    theory: &'static str,
    typed: bool,
    evaluated: bool,
    mutated: bool,
    generated: bool,
}

fn operators(json: bool) -> anyhow::Result<Exit> {
    let rows: Vec<Operator> = theory::rows().iter().map(operator).collect();
    if json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(Exit::Fine);
    }
    println!("{:<24} {:<20} typed evaluated mutated generated", "operator", "theory");
    let mark = |flag: bool| if flag { "yes" } else { "-" };
    for row in &rows {
        let Operator { name, theory, typed, evaluated, mutated, generated } = *row;
        let (typed, evaluated) = (mark(typed), mark(evaluated));
        println!(
            "{name:<24} {theory:<20} {typed:<5} {evaluated:<9} {:<7} {}",
            mark(mutated),
            mark(generated)
        );
    }
    let count = |of: fn(&Operator) -> bool| rows.iter().filter(|row| of(row)).count();
    eprintln!(
        "{} rows: {} evaluated, {} mutated, {} generated",
        rows.len(),
        count(|row| row.evaluated),
        count(|row| row.mutated),
        count(|row| row.generated)
    );
    Ok(Exit::Fine)
}

fn operator(row: &'static Row) -> Operator {
    Operator {
        name: row.name,
        theory: row.theory,
        typed: true,
        evaluated: row.eval.is_some(),
        // Every operator that can be written plainly can be swapped away, whether or not it may be swapped in.
        mutated: !row.qualified,
        generated: productions::is_grown(row),
    }
}
