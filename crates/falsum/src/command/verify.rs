//! `falsum strategy verify`: checks the rules that strategies rely on.
//!
//! Fusion functions: each must be well-typed, no value may refute its inversions in our evaluator, and solvers decide
//! whether an inversion can fail at all. Operator classes: each name must be an operator, and a pair that never has a
//! common type is reported. Rules of `weaken` and `skeleton` are checked by `verify_rules`. The rules come from files,
//! embedded or the user's; this command contains no rule itself.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use super::verify_rules::{self, RuleReport};
use crate::exit::{Exit, Failure};
use crate::panel::SolverArgs;
use serde::Serialize;
use solver::{Answer, Query, SessionKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use strategy::classes::Classes;
use strategy::fusion::verify::{Instance, Trial, instances};
use strategy::fusion::{Function, Functions, Trust};
use strategy::weaken::rules::{RuleError, Rules};
use triage::Panel;

/// Prove or refute the rules of strategies
#[derive(clap::Args)]
pub struct Args {
    /// Fusion functions to check instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    functions: Option<PathBuf>,
    /// Operator classes to check
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,
    /// Rules of `weaken` or `skeleton` to check instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// What to check; without it, everything
    #[arg(long, value_name = "fusion|weaken|skeleton", value_parser = ["fusion", "weaken", "skeleton"])]
    strategy: Option<String>,
    /// Check only rules whose name contains this
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// How many values to try per function and choice of sorts
    #[arg(long, value_name = "N", default_value_t = 100)]
    values: u64,
    /// Do not run solvers
    #[arg(long)]
    no_solvers: bool,
    #[command(flatten)]
    solvers: SolverArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What is known about one function after checking.
#[derive(Serialize)]
struct Report {
    function: String,
    claims: &'static str,
    values: u64,
    undecided: u64,
    refuted_by_values: bool,
    ill_typed: Option<String>,
    solvers: Vec<Opinions>,
    /// Whether it fails although it is not marked as partial.
    wrong: bool,
    #[serde(skip)]
    counterexample: Option<String>,
}

/// One solver's results on the obligations of a function.
#[derive(Serialize)]
struct Opinions {
    target: String,
    asked: usize,
    proved: usize,
    refuted: usize,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let sets = rule_sets(&args)?;
    let read = functions(&args, &sets)?;
    let mut wrong = match &args.classes {
        Some(path) => check_classes(path)?,
        None => false,
    };
    for refused in &read.refused {
        wrong = true;
        eprintln!("refused: {refused}");
    }
    let panel = if args.no_solvers { None } else { Some(args.solvers.panel(1)?) };
    let mut reports = vec![];
    for function in read.functions.iter().filter(|function| is_wanted(&args, function)) {
        let report = check(function, &args, panel.as_ref());
        if !args.json {
            println!("{}", report.line());
        }
        if let Some(example) = report.counterexample.as_ref().filter(|_| report.wrong) {
            eprintln!("{}: this should hold and does not:\n{example}", report.function);
        }
        wrong |= report.wrong;
        reports.push(report);
    }
    let mut rules = vec![];
    for (name, set) in &sets {
        let tell = |report: &RuleReport| {
            if !args.json {
                println!("{}", report.line());
            }
            for note in &report.notes {
                eprintln!("{}: {note}", report.rule);
            }
            if let Some(example) = report.counterexample.as_ref().filter(|_| report.wrong) {
                eprintln!("{}: this should hold and does not:\n{example}", report.rule);
            }
        };
        let all =
            verify_rules::check(set, args.only.as_deref(), args.values, panel.as_ref(), &args.solvers, tell);
        wrong |= all.iter().any(|report| report.wrong);
        eprintln!("{}", rules_line(name, &all));
        rules.extend(all);
    }
    if args.json && sets.is_empty() {
        println!("{}", serde_json::to_string_pretty(&reports)?);
    } else if args.json {
        println!(
            "{}",
            serde_json::to_string_pretty(&serde_json::json!({ "functions": reports, "rules": rules }))?
        );
    }
    if reports.is_empty() && !sets.is_empty() {
        return Ok(if wrong { Exit::Findings } else { Exit::Fine });
    }
    let count = |trust: &str| reports.iter().filter(|report| report.claims == trust).count();
    eprintln!(
        "{}: {} total, {} partial, {} without a claim; {} wrong",
        ::report::count(reports.len() as u64, "function"),
        count("total"),
        count("partial"),
        count("nothing"),
        reports.iter().filter(|report| report.wrong).count()
    );
    Ok(if wrong { Exit::Findings } else { Exit::Fine })
}

/// What came of a set of rules, in a line.
fn rules_line(name: &str, all: &[RuleReport]) -> String {
    let sum = |of: fn(&RuleReport) -> usize| all.iter().map(of).sum::<usize>();
    format!(
        "{name}: {}, {} wrong; {} with every instance proved; {} of {} instances proved, {} by two solvers",
        ::report::count(all.len() as u64, "rule"),
        all.iter().filter(|report| report.wrong).count(),
        all.iter().filter(|report| report.is_proved()).count(),
        sum(|report| report.proved),
        sum(|report| report.instances),
        sum(|report| report.proved_twice),
    )
}

/// The sets of rules to check, each with a name.
fn rule_sets(args: &Args) -> anyhow::Result<Vec<(String, Arc<Rules>)>> {
    let wrong = |error: RuleError| Failure::usage(error.to_string());
    if let Some(path) = &args.rules {
        let rules = Rules::read(&read(path)?).map_err(wrong)?;
        return Ok(vec![(smtlib::shown::path(path), Arc::new(rules))]);
    }
    // A user who names functions or classes wants those checked and no others.
    if args.strategy.is_none() && (args.functions.is_some() || args.classes.is_some()) {
        return Ok(vec![]);
    }
    let wanted = |name: &str| args.strategy.as_deref().is_none_or(|strategy| strategy == name);
    let mut sets = vec![];
    if wanted("weaken") {
        sets.push(("weaken".to_owned(), Rules::embedded().map_err(wrong)?));
    }
    if wanted("skeleton") {
        sets.push(("skeleton".to_owned(), strategy::skeleton::embedded().map_err(wrong)?));
    }
    Ok(sets)
}

/// The functions to check. Nothing to check would look like nothing wrong, so it is a mistake.
fn functions(args: &Args, sets: &[(String, Arc<Rules>)]) -> anyhow::Result<Functions> {
    if args.rules.is_some() || args.strategy.as_deref().is_some_and(|strategy| strategy != "fusion") {
        return Ok(Functions::default());
    }
    let found = match &args.functions {
        Some(path) => Functions::read(&read(path)?),
        None => Functions::embedded(),
    };
    if let Some(path) =
        args.functions.as_ref().filter(|_| found.functions.is_empty() && found.refused.is_empty())
    {
        return Err(Failure::usage(format!("{} has no fusion function", smtlib::shown::path(path)))
            .hint("a function is between #begin and #end")
            .into());
    }
    let named = |word: &String| {
        sets.iter().any(|(_, set)| set.rules.iter().any(|rule| rule.name.contains(word.as_str())))
    };
    let none = !found.functions.iter().any(|function| is_wanted(args, function))
        && !args.only.as_ref().is_some_and(named);
    if let Some(word) = args.only.as_ref().filter(|_| none && args.classes.is_none()) {
        return Err(Failure::usage(format!("no rule has a name that contains `{word}`"))
            .hint("without --only all are checked and listed")
            .into());
    }
    Ok(found)
}

fn is_wanted(args: &Args, function: &Function) -> bool {
    args.only.as_ref().is_none_or(|word| function.name.contains(word))
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", smtlib::shown::path(path))).into())
}

fn check(function: &Function, args: &Args, panel: Option<&Panel>) -> Report {
    let instances = instances(function);
    let trials: Vec<Trial> = instances.iter().map(|instance| instance.try_values(args.values)).collect();
    let refuted = trials.iter().find_map(|trial| trial.refuted.clone());
    let ill_typed = trials.iter().find_map(|trial| trial.ill_typed.clone());
    let claims = match function.trust {
        Trust::Total | Trust::Tested => "total",
        Trust::Partial => "partial",
        Trust::Unchecked => "nothing",
    };
    let solvers = match panel {
        Some(panel) if ill_typed.is_none() && function.trust != Trust::Partial => {
            ask(panel, &instances, args)
        }
        _ => vec![],
    };
    let fails = refuted.is_some() || solvers.iter().any(|opinions| opinions.refuted > 0);
    Report {
        function: function.name.clone(),
        claims,
        values: trials.iter().map(|trial| trial.tried).sum(),
        undecided: trials.iter().map(|trial| trial.undecided).sum(),
        refuted_by_values: refuted.is_some(),
        // A partial function is known to fail somewhere; every other one must hold.
        wrong: ill_typed.is_some() || (function.trust != Trust::Partial && fails),
        ill_typed,
        solvers,
        counterexample: refuted,
    }
}

/// For how many choices of parameters solvers are run; the evaluator tries all.
const ASKED: usize = 4;

/// Runs every solver on whether an inversion can fail.
fn ask(panel: &Panel, instances: &[Instance<'_>], args: &Args) -> Vec<Opinions> {
    let step = instances.len().div_ceil(ASKED).max(1);
    let chosen: Vec<Vec<u8>> = instances.iter().step_by(step).map(Instance::obligation).collect();
    let mut all = vec![];
    for pool in panel.all() {
        let target = pool.target().name.clone();
        let mut opinions = Opinions { target, asked: chosen.len(), proved: 0, refuted: 0 };
        for script in &chosen {
            let reply = pool.ask(&Query::new(script).limits(args.solvers.limits()), SessionKind::Fresh);
            match reply.answer() {
                Some(Answer::Unsat) => opinions.proved += 1,
                Some(Answer::Sat) => opinions.refuted += 1,
                _ => {}
            }
        }
        all.push(opinions);
    }
    all
}

impl Report {
    fn line(&self) -> String {
        let values = match (&self.ill_typed, self.refuted_by_values) {
            (Some(why), _) => format!("ill-typed: {why}"),
            (None, true) => "refuted by values".to_owned(),
            (None, false) if self.undecided > 0 => {
                format!("{} values, {} undecided", self.values, self.undecided)
            }
            (None, false) => format!("{} values", self.values),
        };
        let said: Vec<String> = self
            .solvers
            .iter()
            .filter(|opinions| opinions.proved + opinions.refuted > 0)
            .map(|opinions| {
                let refuted = match opinions.refuted {
                    0 => String::new(),
                    n => format!(", REFUTED {n}"),
                };
                format!("{} proves {} of {}{refuted}", opinions.target, opinions.proved, opinions.asked)
            })
            .collect();
        let verdict = if self.wrong { "WRONG" } else { "ok" };
        let line =
            format!("{verdict:<6}{:<20} {:<8} {values:<18} {}", self.function, self.claims, said.join("; "));
        line.trim_end().to_owned()
    }
}

/// Checks a file of operator classes; returns whether it has mistakes.
fn check_classes(path: &Path) -> anyhow::Result<bool> {
    let classes = Classes::read(&read(path)?).map_err(|error| Failure::usage(error.to_string()))?;
    let mut wrong = false;
    for name in classes.names() {
        if !is_operator(name) {
            wrong = true;
            println!("WRONG {name:<20} is not an operator of any theory table");
        }
    }
    let pairs = classes.pairs();
    let barren: Vec<&(&str, &str)> = pairs.iter().filter(|(from, to)| !ever_fits(from, to)).collect();
    for (from, to) in &barren {
        println!("note  {from} -> {to}: no types in common, so it never applies");
    }
    eprintln!("{} classes, {} pairs, {} of them without effect", classes.len(), pairs.len(), barren.len());
    Ok(wrong)
}

fn is_operator(name: &str) -> bool {
    matches!(name, "forall" | "exists") || smtlib::theory::lookup(name.as_bytes()).is_some()
}

/// Whether some row of one operator has the arguments of some row of the other and a result that fits.
fn ever_fits(from: &str, to: &str) -> bool {
    use smtlib::theory::{Pat, Row, lookup};
    let rows = |name: &str| -> Vec<&'static Row> {
        lookup(name.as_bytes()).map_or(vec![], |all| all.iter().map(|(op, _)| op.row()).collect())
    };
    let below = |small: &Pat, large: &Pat| small == large || (*small == Pat::Int && *large == Pat::Real);
    let generic = |pat: &Pat| matches!(pat, Pat::Var(_));
    let fits = |one: &Row, other: &Row| {
        let arguments = one.args.iter().zip(&other.args);
        (one.args.len() == other.args.len())
            && arguments.clone().all(|(a, b)| below(a, b) || generic(a) || generic(b))
            && (below(&other.result, &one.result) || generic(&one.result) || generic(&other.result))
    };
    let quantifiers = is_quantifier(from) && is_quantifier(to);
    quantifiers || rows(from).iter().any(|one| rows(to).iter().any(|other| fits(one, other)))
}

fn is_quantifier(name: &str) -> bool {
    matches!(name, "forall" | "exists")
}
