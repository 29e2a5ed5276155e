//! `falsum replay ID`: rebuild a case from its recipe and put it to the solvers again.
//!
//! The recipe names the strategy, the campaign key and the unit; together with the seeds they give the same bytes.
//! If they do not, the seeds or falsum have changed, and that is said before anything else.
//! The folder may be somebody else's: what it records is shown escaped, and no program is started because it names it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command speaks to the user")]

use crate::command::hunt::bank;
use crate::exit::{Exit, Failure};
use crate::hunt::store_failure;
use crate::hunt::work::{FLAT_RULE, MODEL_RULE, SESSION_RULE};
use crate::panel::SolverArgs;
use crate::recorded;
use smtlib::{Script, shown};
use solver::Home;
use std::path::PathBuf;
use store::{Meta, Store};
use strategy::CampaignKey;
use triage::{Plan, inquire};

#[derive(clap::Args)]
pub struct Args {
    /// A finding's id, or the beginning of one
    id: String,
    /// The seeds of the campaign; without any, those inside falsum
    #[arg(value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// The campaign folder
    #[arg(long, default_value = "falsum-out", value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    solvers: SolverArgs,
}

pub fn run(mut args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let view = Store::read(&args.out).map_err(store_failure)?;
    let found = view.finding(&args.id).map_err(store_failure)?;
    let meta = view.meta(&found.id).map_err(store_failure)?;
    let kept = view.file(&found.id, "formula.smt2").map_err(store_failure)?;
    let text = rebuild(&meta, &args.seeds)?;
    let recipe = &meta.recipe;
    println!("{}   {} unit {} step {}", meta.id, shown::text(&recipe.strategy), recipe.unit, recipe.step);
    for rule in &meta.recipe.rules {
        println!("  {}", shown::text(rule));
    }
    let session = meta.recipe.rules.iter().find(|rule| rule.starts_with(SESSION_RULE));
    let text = match () {
        () if text == kept => {
            println!("  rebuilt: the same bytes");
            text
        }
        () if session.is_some_and(|rule| rule.contains("after 0 earlier cases")) => {
            println!("  the kept script is the case as a session asked it");
            kept
        }
        () if session.is_some() => {
            println!("  the case shows it only at the end of a session: the kept script is that session");
            kept
        }
        () if meta.recipe.rules.iter().any(|rule| rule.starts_with(FLAT_RULE)) => {
            println!("  the case shows it only with one check-sat asked alone: the kept script is that one");
            kept
        }
        () if meta.recipe.rules.iter().any(|rule| rule == MODEL_RULE) => {
            println!("  the case shows it only when models are asked for: the kept script asks");
            kept
        }
        () => {
            println!(
                "  rebuilt: other bytes than were kept (other seeds or another falsum); asking the kept ones"
            );
            kept
        }
    };
    if args.solvers.solvers.is_empty() {
        ask_the_recorded(&mut args, view.campaign())?;
    }
    let panel = args.solvers.panel(1)?;
    let script = Script::parse(&text).map_err(|error| Failure::usage(error.render("case", &text)))?;
    let plan = Plan::thorough(args.solvers.limits());
    let inquiry = inquire(&panel, &text, script, meta.expectation.clone(), &plan);
    for statement in &inquiry.statements {
        let answer = statement.reply.answer().map_or("none", solver::Answer::word);
        println!("  {:<20} {answer:<8} {}", statement.target, statement.reply.ended.word());
    }
    println!("  verdict: {}   (was {})", inquiry.verdict.word(), meta.kind.word());
    Ok(if inquiry.verdict.findings().is_empty() { Exit::Fine } else { Exit::Findings })
}

/// Sets the solvers to those of the campaign, as far as they are releases that are installed here.
fn ask_the_recorded(args: &mut Args, campaign: &store::Campaign) -> anyhow::Result<()> {
    let home = Home::from_env().map_err(crate::command::solver_failure)?;
    let mut again = vec!["falsum replay".to_owned(), shown::word(&args.id)];
    again.extend(args.seeds.iter().map(shown::word));
    again.push(format!("--out {}", shown::word(&args.out)));
    (args.solvers.solvers, args.solvers.references) = recorded::specs(campaign, &home, &again.join(" "))?;
    for name in recorded::other_builds(campaign, &home) {
        eprintln!("note: {name} is installed here as another build than the campaign recorded");
    }
    Ok(())
}

/// The case's bytes, made again.
fn rebuild(meta: &Meta, seeds: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
    let recipe = &meta.recipe;
    if let Some(range) = strategy::enumerate::cases::Enumerate::recall(&recipe.key)
        && recipe.strategy == "enumerate"
    {
        let block = range.block(recipe.unit).map_err(|error| Failure::usage(error.to_string()))?;
        let case = block.cases.into_iter().find(|case| case.recipe.step == recipe.step);
        return Ok(case.ok_or_else(|| Failure::usage("the recipe gives no such formula"))?.script);
    }
    let strategy = strategy::registry::find(&recipe.strategy).ok_or_else(|| {
        Failure::usage(format!("this falsum has no strategy `{}`", shown::text(&recipe.strategy)))
    })?;
    let bank = bank(seeds, true)?;
    for seed in &recipe.seeds {
        if bank.find(seed).is_none() {
            let message = format!("seed {seed} is not among the seeds");
            return Err(Failure::usage(message).hint("name the folders that the hunt was given").into());
        }
    }
    let cases = strategy
        .propose(&bank, &CampaignKey(recipe.key.clone()), recipe.unit)
        .map_err(|skip| Failure::usage(format!("the recipe gives no case: {skip}")))?;
    let case = cases.into_iter().find(|case| case.recipe.step == recipe.step);
    Ok(case.ok_or_else(|| Failure::usage("the recipe gives no such case"))?.script)
}
