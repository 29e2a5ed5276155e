//! A hunt in a folder that holds a campaign goes on with it.
//!
//! Its key, its solvers, its strategies and its focus are taken from the folder unless the user gives them; other solvers
//! without `--resume`, or another key, are a mistake, and the message says how to start anew. A new campaign gets a new
//! key, so that tonight's hunt is not last night's.
#![allow(clippy::print_stderr, reason = "a command prints to the user")]

use super::hunt::Args;
use crate::exit::Failure;
use crate::recorded;
use campaign::focus::theory_named;
use campaign::recheck::{self, Fate, Rechecked};
use campaign::{Assignment, Focus, Ledger};
use smtlib::shown;
use solver::{Home, Target};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;
use store::{Campaign, Event, Store, TargetRecord};

/// The campaign in a folder, if it holds one. A damaged database is repaired when the folder is opened; until then the
/// record beside it is enough.
pub fn campaign_in(folder: &Path) -> anyhow::Result<Option<Campaign>> {
    if !folder.join("falsum.db").exists() && !folder.join("campaign.toml").exists() {
        return Ok(None);
    }
    match Store::read(folder) {
        Ok(view) => Ok(Some(view.campaign().clone())),
        Err(error) => Campaign::read(folder).map(Some).map_err(|_| error.into()),
    }
}

/// Fills in what the user did not give.
pub fn take_over(args: &mut Args, campaign: &Campaign) -> Result<(), Failure> {
    let folder = shown::path(&args.out);
    match &args.key {
        Some(key) if *key != campaign.key => {
            let message = format!(
                "{folder} holds a campaign with the key {}, and you gave {}",
                shown::text(&campaign.key),
                shown::text(key)
            );
            return Err(Failure::usage(message).hint(anew("leave out --key to go on with it")));
        }
        _ => args.key = Some(campaign.key.clone()),
    }
    if args.strategy.is_empty() {
        args.strategy.clone_from(&campaign.strategies);
    }
    if args.shard == (0, 1) {
        args.shard = (campaign.shard.index, campaign.shard.count);
    }
    args.epoch = args.epoch.or(Some(campaign::epoch_of(campaign)));
    let untouched = args.logic.is_empty() && args.theory.is_empty();
    if untouched && args.only.is_empty() && args.without_operator.is_empty() {
        let focus = campaign::focus_of(campaign);
        (args.logic, args.only, args.without_operator) = (focus.logics, focus.only, focus.without);
        args.theory = focus.theories.iter().filter_map(|name| theory_named(name).ok()).collect();
    }
    if args.solvers.solvers.is_empty() && args.solvers.references.is_empty() {
        let home = Home::from_env().map_err(super::solver_failure)?;
        let again = format!("falsum hunt --out {}", shown::word(&args.out));
        let (solvers, references) = recorded::specs(campaign, &home, &again)?;
        (args.solvers.solvers, args.solvers.references) = (solvers, references);
    }
    Ok(())
}

fn anew(instead: &str) -> String {
    format!("{instead}, or start anew in another folder with --out DIR")
}

/// Refuses to go on with other solvers than the campaign has: its numbers would be about neither.
pub fn refuse_other_solvers(
    folder: &Path,
    campaign: &Campaign,
    targets: &[Target],
    references: &[Target],
) -> Result<(), Failure> {
    let now = |all: &[Target]| all.iter().map(|target| target.name.clone()).collect::<BTreeSet<_>>();
    let then = |all: &[TargetRecord]| all.iter().map(|target| target.name.clone()).collect::<BTreeSet<_>>();
    if now(targets) == then(&campaign.targets) && now(references) == then(&campaign.references) {
        return Ok(());
    }
    let list = |targets: BTreeSet<String>, references: BTreeSet<String>| {
        let references = references.into_iter().map(|name| format!("{name} (reference)"));
        shown::text(&targets.into_iter().chain(references).collect::<Vec<_>>().join(", "))
    };
    let message = format!(
        "{} holds a campaign with other solvers: it has {}, and you gave {}",
        shown::path(folder),
        list(then(&campaign.targets), then(&campaign.references)),
        list(now(targets), now(references)),
    );
    Err(Failure::usage(message)
        .hint(anew("leave out -s and -r to go on with it (--resume goes on with yours)")))
}

/// A key that no other campaign has; shards share one without being told.
pub fn fresh_key(shard: (u64, u64)) -> String {
    if shard.1 > 1 {
        return "falsum".to_owned();
    }
    let random = std::hash::RandomState::new().build_hasher().finish();
    format!("{:08x}", random >> 32)
}

/// If a program was built anew since the last hunt: what came of its open bugs.
pub fn look_again(
    folder: &Path,
    before: &Campaign,
    assignment: &Assignment,
    ledger: &mut Ledger,
) -> anyhow::Result<()> {
    let changed = recheck::changed(&recheck::last(folder, before), assignment);
    if changed.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = changed.iter().map(|target| target.described()).collect();
    eprintln!("changed     {}: its open bugs are looked at first", names.join(", "));
    let view = Store::read(folder)?;
    let all = recheck::recheck(&view, assignment, &changed)?;
    for Rechecked { bug, build, fate } in &all {
        let word = match fate {
            Fate::StillThere => "still there",
            Fate::Fixed => "fixed by this build",
            Fate::Undecided => "not decided: this build gives no answer",
        };
        let line = format!("{}  {} of {}: {word}", bug.id, bug.kind.word(), shown::text(build));
        ledger.say(Event::Note { text: format!("            {line}") })?;
    }
    let count = |fate| all.iter().filter(|one| one.fate == fate).count();
    eprintln!(
        "            {} still there, {} fixed, {} not decided",
        count(Fate::StillThere),
        count(Fate::Fixed),
        count(Fate::Undecided)
    );
    Ok(())
}

/// Says which campaign it is and what it is about.
pub fn announce(key: &str, focus: &Focus, going_on: bool) {
    let again = if going_on { "going on with the campaign in the folder" } else { "a new campaign" };
    eprintln!("key         {}   ({again}; --key makes the same cases again)", shown::text(key));
    for (what, words) in [
        ("logics", &focus.logics),
        ("theories", &focus.theories),
        ("without", &focus.without),
        ("only", &focus.only),
    ] {
        if !words.is_empty() {
            eprintln!("{what:<11} {}", shown::text(&words.join(" ")));
        }
    }
}
