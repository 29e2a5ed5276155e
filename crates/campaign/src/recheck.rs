//! Open bugs, looked at again after a solver was built anew.
//!
//! A developer hunts in `./build/z3`, mends a bug, builds, and hunts again in the same folder. The program has changed under
//! the same name, so the first question is what came of the open bugs. In: the campaign as it was recorded, and the solvers
//! as they are now. Out: for each bug of a changed program, whether it is still there. What is known about releases is
//! not touched: a build is no release.

use crate::assignment::Assignment;
use crate::error::Result;
use smtlib::Parsed;
use solver::Target;
use std::collections::BTreeMap;
use std::path::Path;
use store::{Bug, Campaign, View};
use triage::Symptom;
use triage::bisect::ask;

/// What came of a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    StillThere,
    /// The new build answers and does not show it.
    Fixed,
    /// The new build does not answer.
    Undecided,
}

/// A bug of a program that has changed.
pub struct Rechecked {
    pub bug: Bug,
    /// The program, with the version that it reports.
    pub build: String,
    pub fate: Fate,
}

/// The hashes of the solvers that a campaign ran last, by their names.
pub type Hashes = BTreeMap<String, String>;

/// The file in a campaign's folder with the hashes of the last run.
const LAST: &str = "solvers.json";

/// The solvers that ran last in a folder; before any was recorded, those of the campaign.
pub fn last(folder: &Path, campaign: &Campaign) -> Hashes {
    let text = store::read_file(&folder.join(LAST)).ok().filter(|text| text.len() < MOST);
    text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_else(|| {
        let all = campaign.targets.iter().chain(&campaign.references);
        all.map(|record| (record.name.clone(), record.hash.clone())).collect()
    })
}

/// Records which solvers run now. Nothing is written through a link, and what cannot be written is looked at again.
pub fn remember(folder: &Path, assignment: &Assignment) {
    let all = assignment.panel.all().map(solver::Pool::target);
    let now: Hashes = all.map(|target| (target.name.clone(), target.hash.clone())).collect();
    if let Ok(text) = serde_json::to_vec_pretty(&now) {
        let _ = store::write_file(&folder.join(LAST), &text);
    }
}

/// A larger file is not ours.
const MOST: usize = 1 << 20;

/// The solvers that are other programs now under the same name.
pub fn changed<'a>(before: &Hashes, assignment: &'a Assignment) -> Vec<&'a Target> {
    let differs = |target: &&Target| before.get(&target.name).is_some_and(|hash| *hash != target.hash);
    assignment.panel.all().map(solver::Pool::target).filter(differs).collect()
}

/// Runs every open bug of a changed program on the program as it is now.
pub fn recheck(view: &View, assignment: &Assignment, changed: &[&Target]) -> Result<Vec<Rechecked>> {
    let mut all = vec![];
    for bug in view.bugs()? {
        let accused = |target: &&&Target| bug.culprits.contains(&target.name);
        let Some(target) = changed.iter().find(accused) else { continue };
        if bug.triage.known.is_some() {
            continue;
        }
        let Some((script, symptom)) = question(view, &bug) else { continue };
        let row = ask(target, &script, &symptom, &assignment.limits);
        let fate = match (row.bad, row.decides) {
            (true, _) => Fate::StillThere,
            (false, true) => Fate::Fixed,
            (false, false) => Fate::Undecided,
        };
        let hash: String = target.hash.chars().take(12).collect();
        let build = format!("{} {hash}", target.described());
        all.push(Rechecked { bug, build, fate });
    }
    Ok(all)
}

/// The script of a bug and what must show: the reduced form where there is one.
fn question(view: &View, bug: &Bug) -> Option<(Parsed, Symptom)> {
    let meta = view.meta(bug.shown()).ok()?;
    let reduced = store::Reduction::read(&view.folder(bug.shown()));
    let file = if reduced.is_some() { "reduced.smt2" } else { "formula.smt2" };
    let script = Parsed::read(view.file(bug.shown(), file).ok()?).ok()?;
    let check = reduced.map_or(meta.check, |reduced| reduced.check);
    Some((script, Symptom { check, ..meta.symptom? }))
}
