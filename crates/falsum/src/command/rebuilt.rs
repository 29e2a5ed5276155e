//! The formulas of a campaign, made again from its key: a campaign folder stores which cases there were, not their text.
//!
//! In: a campaign folder and the seeds it was given. Out: per strategy, the formulas in the order of their units. No
//! solver is asked. A case whose text depends on what solvers answered, or to which the hunt added names or requests, does
//! not come out the same; its hash shows that, and it is left out and counted.

use super::hunt::bank;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::{CaseHash, CaseRow, Store, View};
use strategy::{Bank, CampaignKey, Rng, Settings, Source, unheard};

/// The cases of one strategy.
pub struct Rebuilt {
    pub strategy: String,
    pub scripts: Vec<Vec<u8>>,
    /// Cases that cannot be made again.
    pub missing: usize,
}

/// Whether a folder is a campaign's.
pub fn is_campaign(dir: &Path) -> bool {
    dir.is_dir() && Store::read(dir).is_ok()
}

/// All cases of a campaign, by strategy.
pub fn rebuilt(dir: &Path, seeds: &[PathBuf]) -> anyhow::Result<Vec<Rebuilt>> {
    let view = Store::read(dir)?;
    let bank = bank(seeds, true)?;
    let mut rows: BTreeMap<String, BTreeMap<u64, Vec<CaseRow>>> = BTreeMap::new();
    for row in view.cases()? {
        rows.entry(row.strategy.to_string()).or_default().entry(row.unit).or_default().push(row);
    }
    rows.into_iter().map(|(strategy, units)| of_strategy(&view, &bank, strategy, &units)).collect()
}

fn of_strategy(
    view: &View,
    bank: &Bank,
    name: String,
    units: &BTreeMap<u64, Vec<CaseRow>>,
) -> anyhow::Result<Rebuilt> {
    let recorded = view.campaign().settings.get(&name).map(|text| serde_json::from_str::<Settings>(text));
    let settings = recorded.transpose()?.unwrap_or_default();
    let mut out = Rebuilt { strategy: name, scripts: vec![], missing: 0 };
    let strategy = crate::strategies::find(&out.strategy)?;
    let Ok(mut source) = (strategy.begin)(bank, &settings) else {
        out.missing = units.values().map(Vec::len).sum();
        return Ok(out);
    };
    let epochs = if source.learns() { view.epochs(strategy.name)? } else { vec![] };
    let mut learnt = epochs.iter();
    let mut known = 0;
    for (&unit, rows) in units {
        // A stranger's folder may name any unit; there is no more to learn than the epochs that it holds.
        while known < unit / source.epoch_len().max(1)
            && let Some(epoch) = learnt.next()
        {
            source.learn(epoch);
            known += 1;
        }
        let made = of_unit(&*source, &view.campaign().key, strategy.name, unit);
        for row in rows {
            match made.iter().find(|script| CaseHash::of(script) == row.hash) {
                Some(script) => out.scripts.push(script.clone()),
                None => out.missing += 1,
            }
        }
    }
    Ok(out)
}

fn of_unit(source: &dyn Source, key: &str, strategy: &str, unit: u64) -> Vec<Vec<u8>> {
    let rng = Rng::of(&CampaignKey(key.to_owned()), strategy, unit);
    let drafts = unheard(source, unit, rng).unwrap_or_default();
    drafts.iter().map(|draft| draft.script().to_vec()).collect()
}
