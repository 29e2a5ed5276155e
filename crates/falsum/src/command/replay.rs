//! `falsum replay ID`: rebuild a case from its recipe and run the solvers on it again.
//!
//! The recipe names the strategy, the campaign key and the unit; together with the seeds they give the same bytes.
//! If they do not, the seeds or falsum have changed, and that is reported first.
//! The folder may come from another user: what it records is shown escaped, and no program is started because the
//! folder names it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::command::hunt::bank;
use crate::exit::{Exit, Failure};
use crate::panel::SolverArgs;
use crate::recorded;
use smtlib::{Parsed, shown};
use solver::Home;
use std::path::PathBuf;
use store::{Meta, Store, View};
use strategy::{At, Bank, CampaignKey, Case, Question, Role, Settings, Stamp};
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
    let view = Store::read(&args.out)?;
    let found = view.finding(&args.id)?;
    let meta = view.meta(&found.id)?;
    let kept = view.file(&found.id, "formula.smt2")?;
    let text = rebuild(&view, &meta, &args.seeds)?;
    let recipe = &meta.recipe;
    println!("{}   {} unit {} step {}", meta.id, shown::text(&recipe.strategy), recipe.unit, recipe.step);
    for rule in &meta.recipe.rules {
        println!("  {}", shown::text(rule));
    }
    println!("  {}", told(&meta, &kept, &view.partners(&meta)?, &text));
    if args.solvers.solvers.is_empty() {
        ask_the_recorded(&mut args, view.campaign())?;
        let varied = meta.culprits.iter().filter(|name| is_a_known_variant(name, &args.solvers.solvers));
        let varied: Vec<String> = varied.cloned().collect();
        args.solvers.solvers.extend(varied);
    }
    let panel = args.solvers.panel(1)?;
    let case = case(&meta, &kept, &view.partners(&meta)?)?;
    let plan = Plan::thorough(args.solvers.limits());
    let inquiry = inquire(&panel, &case, &plan);
    let mut printed = vec![];
    for heard in inquiry.heard.iter().filter(|heard| heard.reply.question == 0) {
        // A reply that was repeated is printed once, a differing one again.
        let line = (heard.name(), heard.reply.words(), heard.reply.ended.word());
        if printed.contains(&line) {
            continue;
        }
        printed.push(line);
        let target = shown::text(heard.name());
        println!("  {target:<20} {:<8} {}", heard.reply.words(), heard.reply.ended.word());
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

/// Whether a culprit is a recorded release with options of our own tables: what else a folder says is not run.
fn is_a_known_variant(name: &str, recorded: &[String]) -> bool {
    let Ok(spec) = solver::Spec::parse(name) else { return false };
    let solver::spec::Program::Release { solver, .. } = &spec.program else { return false };
    let release = name.split(' ').next().unwrap_or(name);
    let table = solver::options::table(solver);
    let known = |arg: &String| {
        let mut all = table.iter().flat_map(|choice| choice.values.iter().map(move |value| (choice, value)));
        all.any(|(choice, value)| solver::options::argument(solver, &choice.name, value) == *arg)
    };
    recorded.iter().any(|own| own == release) && !spec.args.is_empty() && spec.args.iter().all(known)
}

/// Whether the recipe gives the stored bytes, and what the stored script is if it is not the formula itself.
fn told(meta: &Meta, kept: &[u8], partners: &[(Role, Vec<u8>)], rebuilt: &[u8]) -> String {
    let formula = match meta.role {
        Role::Formula => Some(kept),
        _ => partners.iter().find(|(role, _)| *role == Role::Formula).map(|(_, text)| text.as_slice()),
    };
    let bytes = match formula {
        Some(formula) if formula == rebuilt => "rebuilt: identical to the stored formula",
        Some(_) => {
            "rebuilt: differs from the stored formula (other seeds or another falsum); using the stored one"
        }
        None => "the formula itself is not stored",
    };
    let what = match meta.role {
        Role::Formula | Role::Before => "",
        Role::Session { before: 0 } => "; the stored script is the case as it was sent in a session",
        Role::Session { .. } => {
            "; the bug shows only at the end of a session; the stored script is that session"
        }
        Role::OneCheck(_) => {
            "; the bug shows only with one check-sat alone; the stored script has only that one"
        }
        Role::CoreOnly(_) => "; the stored script has only the assertions of an unsat core",
        Role::Interpolant(_) => "; the stored script is about an interpolant",
        Role::Translated(_) => "; the stored script is the case translated for this solver",
        Role::WithModels => "; the bug shows only when models are requested; the stored script requests them",
    };
    format!("{bytes}{what}")
}

/// The case as stored: the script that shows the bug first, then its partners, with their relations.
fn case(meta: &Meta, kept: &[u8], partners: &[(Role, Vec<u8>)]) -> anyhow::Result<Case> {
    let parse = |text: &[u8]| Parsed::read(text).map_err(|error| Failure::usage(error.render("case", text)));
    let mut case = Case::of_script(parse(kept)?).expecting(meta.expects.clone());
    case.questions[0].role = meta.role.clone();
    // Roles other than the step before are derived again when the case is run.
    if let Some((role, text)) = partners.iter().find(|(role, _)| *role == Role::Before) {
        case.questions.push(Question { role: role.clone(), script: parse(text)?, expects: vec![] });
        let known = |at: At| at.question < 2;
        let both = |relation: &&strategy::Relation| match **relation {
            strategy::Relation::SameAnswer(a, b)
            | strategy::Relation::SatImplies(a, b)
            | strategy::Relation::ShouldDecide(a, b) => known(a) && known(b),
        };
        case.relations = meta.relations.iter().filter(both).copied().collect();
    }
    Ok(case)
}

/// The formula's bytes, rebuilt.
fn rebuild(view: &View, meta: &Meta, seeds: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
    let recipe = &meta.recipe;
    let strategy = crate::strategies::find(&recipe.strategy)?;
    let needs_seeds = (strategy.begin)(&Bank::default(), &recipe.settings).is_err();
    let bank = if recipe.seeds.is_empty() && !needs_seeds { Bank::default() } else { bank(seeds, true)? };
    for seed in &recipe.seeds {
        if bank.find(seed).is_none() {
            let message = format!("seed {seed} is not among the seeds");
            return Err(Failure::usage(message).hint("name the folders that the hunt was given").into());
        }
    }
    let key = CampaignKey(recipe.key.clone());
    let settings: &Settings = &recipe.settings;
    let stamp = Stamp { strategy: strategy.name, settings, key: &key, unit: recipe.unit };
    let gives_none = |skip| Failure::usage(format!("the recipe gives no case: {skip}"));
    let mut source = (strategy.begin)(&bank, settings).map_err(gives_none)?;
    if source.learns() {
        // It learns again from the epochs before this case.
        let before = (recipe.unit / source.epoch_len().max(1)) as usize;
        view.epochs(strategy.name)?.iter().take(before).for_each(|epoch| source.learn(epoch));
    }
    let mut dialogue = source.unit(recipe.unit, stamp.rng()).map_err(gives_none)?;
    // The strategy receives the recorded outcomes again; no solver is run.
    let (mut told, mut step) = (recipe.told.iter(), 0);
    let mut last = None;
    while let Some(draft) = dialogue.next(last) {
        if draft.step.unwrap_or(step) == recipe.step {
            return Ok(recipe.finish(draft.script().to_vec()));
        }
        step += 1;
        last = told.next();
    }
    Err(Failure::usage("the recipe gives no such case").into())
}
