//! Runs the commands of drafts that have not been run: of bugs that triage did not reach.
//!
//! Triage runs the command of each bug that it reduces. A hunt without reduction, or one that ends first, leaves bugs
//! without; they are caught up on at the end of the hunt, within a limit, and by `falsum report --format issues`. In: a
//! campaign folder and the solvers that may be run. Out: `bug.smt2` and `shown.json` in the folders of the findings.

use smtlib::Parsed;
use solver::{QueryLimits, Target};
use std::path::Path;
use std::time::{Duration, Instant};
use store::{Bug, Demonstration, View};

/// Runs what is missing, until the time is over.
pub fn catch_up(view: &View, targets: &[Target], limits: &QueryLimits, patience: Duration) {
    let began = Instant::now();
    for bug in view.bugs().unwrap_or_default() {
        if began.elapsed() > patience {
            return;
        }
        let _ = one(view, &bug, targets, limits);
    }
}

fn one(view: &View, bug: &Bug, targets: &[Target], limits: &QueryLimits) -> Option<()> {
    let id = bug.shown();
    let folder = view.folder(id);
    if folder.join(Demonstration::FILE).exists() {
        return None;
    }
    let meta = view.meta(id).ok()?;
    let symptom = meta.symptom.clone()?;
    let target = targets.iter().find(|target| Some(&target.name) == symptom.culprit.as_ref())?;
    let script = Parsed::read(view.file(id, "formula.smt2").ok()?).ok()?;
    let (file, shown) = triage::demonstrate(target, &script, &symptom, limits, None)?;
    write(&folder.join(Demonstration::FORMULA), &file)?;
    write(&folder.join(Demonstration::FILE), &shown.bytes())
}

/// The folder may come from another user: nothing is written through a link or into a pipe.
pub fn write(path: &Path, bytes: &[u8]) -> Option<()> {
    let folder = path.parent()?;
    if !folder.is_dir() || folder.is_symlink() {
        return None;
    }
    store::write_file(path, bytes).ok()
}
