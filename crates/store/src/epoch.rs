//! The outcomes from which strategies have learnt, epoch by epoch.
//!
//! Answers and processor time depend on the machine, so the outcomes from which a strategy learnt cannot be measured
//! again: they are stored, one file per strategy and epoch, before the strategy continues. A resumed campaign replays
//! them. Of an epoch that has not ended, the outcomes so far are stored too (`STRATEGY-open.json`), so that a resumed
//! campaign learns from all of it. Epochs of shards are put together when they are merged.

use crate::bug::json;
use crate::error::{Error, Result};
use crate::inside;
use crate::store::Store;
use crate::view::View;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use strategy::Outcome;

const EPOCHS: &str = "epochs";

/// The outcomes of some units of an epoch, by unit; a unit may have none.
pub type Units = BTreeMap<u64, Vec<Outcome>>;

fn epoch_file(dir: &Path, strategy: &str, epoch: u64) -> PathBuf {
    dir.join(EPOCHS).join(format!("{strategy}-{epoch:06}.json"))
}

fn open_file(dir: &Path, strategy: &str) -> PathBuf {
    dir.join(EPOCHS).join(format!("{strategy}-open.json"))
}

/// A stored file, if there is one.
fn stored<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    if std::fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    let text = inside::read_file(path)?;
    serde_json::from_slice(&text).map(Some).map_err(|error| Error::damaged(path, error))
}

/// All stored epochs of a strategy, without a gap.
fn epochs(dir: &Path, strategy: &str) -> Result<Vec<Vec<Outcome>>> {
    let mut all = vec![];
    while let Some(epoch) = stored(&epoch_file(dir, strategy, all.len() as u64))? {
        all.push(epoch);
    }
    Ok(all)
}

fn open_epoch(dir: &Path, strategy: &str, epoch: u64) -> Result<Units> {
    let found: Option<(u64, Units)> = stored(&open_file(dir, strategy))?;
    Ok(found.filter(|(number, _)| *number == epoch).map(|(_, units)| units).unwrap_or_default())
}

impl View {
    /// All stored epochs of a strategy, without a gap.
    pub fn epochs(&self, strategy: &str) -> Result<Vec<Vec<Outcome>>> {
        epochs(&self.dir, strategy)
    }

    /// The strategies that have learnt something.
    fn learners(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.dir.join(EPOCHS)).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| Some(name.strip_suffix("-000000.json")?.to_owned())).collect()
    }
}

/// Only campaigns with a strategy that learns are opened again, all at once.
fn has_learners(view: &Result<View>) -> bool {
    view.as_ref().is_ok_and(|view| !view.learners().is_empty() || view.dir().join(EPOCHS).exists())
}

/// Puts the epochs of shards together: epoch by epoch, the outcomes in the order of their units.
pub(crate) fn merge(dirs: &[PathBuf], to: &mut Store) -> Result<()> {
    let views = dirs.iter().map(|dir| View::open(dir)).filter(has_learners).collect::<Result<Vec<_>>>()?;
    let learners: BTreeSet<String> = views.iter().flat_map(View::learners).collect();
    for strategy in learners {
        let all: Vec<Vec<Vec<Outcome>>> =
            views.iter().map(|view| view.epochs(&strategy)).collect::<Result<_>>()?;
        let complete = all.iter().map(Vec::len).min().unwrap_or(0);
        for epoch in 0..complete {
            let mut outcomes: Vec<Outcome> = all.iter().flat_map(|shard| shard[epoch].clone()).collect();
            outcomes.sort_by_key(|outcome| (outcome.unit, outcome.step));
            outcomes.dedup_by_key(|outcome| (outcome.unit, outcome.step));
            to.keep_epoch(&strategy, epoch as u64, &outcomes)?;
        }
        // The next epoch goes on with what some shards have of it.
        let mut next = Units::new();
        for (view, shard) in views.iter().zip(&all) {
            match shard.get(complete) {
                Some(epoch) => {
                    for outcome in epoch {
                        let unit = next.entry(outcome.unit).or_default();
                        if unit.iter().all(|known| known.step != outcome.step) {
                            unit.push(outcome.clone());
                        }
                    }
                }
                None => next.extend(open_epoch(&view.dir, &strategy, complete as u64)?),
            }
        }
        to.keep_open_epoch(&strategy, complete as u64, &next)?;
    }
    Ok(())
}

impl Store {
    /// Stores the outcomes of an epoch.
    pub fn keep_epoch(&mut self, strategy: &str, epoch: u64, outcomes: &[Outcome]) -> Result<()> {
        self.files.make_folder(&self.dir.join(EPOCHS))?;
        self.files.replace(&epoch_file(&self.dir, strategy, epoch), json(outcomes).as_bytes(), 0o644)
    }

    /// Stores the outcomes so far of an epoch that has not ended.
    pub fn keep_open_epoch(&mut self, strategy: &str, epoch: u64, units: &Units) -> Result<()> {
        self.files.make_folder(&self.dir.join(EPOCHS))?;
        self.files.replace(&open_file(&self.dir, strategy), json(&(epoch, units)).as_bytes(), 0o644)
    }

    /// All stored epochs of a strategy, without a gap.
    pub fn epochs(&self, strategy: &str) -> Result<Vec<Vec<Outcome>>> {
        epochs(&self.dir, strategy)
    }

    /// What is stored of this epoch of a strategy, which had not ended.
    pub fn open_epoch(&self, strategy: &str, epoch: u64) -> Result<Units> {
        open_epoch(&self.dir, strategy, epoch)
    }
}
