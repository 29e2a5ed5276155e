//! Suspicions that accuse no solver: they show only sometimes, or only in a session that cannot be replayed.
//!
//! One folder below `flaky/` for each formula and suspicion, with the formula, the session's input and the output, so
//! that a person can examine it. The first few hundred are stored; the others are a line in the event stream. None of
//! them is a finding or counted as one. A report has one entry for all suspicions of one kind against one solver, with
//! the share of the runs that show it.

use crate::bug::json;
use crate::error::Result;
use crate::folder;
use crate::inside::{self, Inside};
use crate::store::Store;
use crate::view::View;
use serde::{Deserialize, Serialize};
use solver::Reply;
use std::collections::BTreeMap;
use std::path::PathBuf;
use triage::Rate;

/// What is stored of one.
#[derive(Clone, Debug)]
pub struct NewUnconfirmed {
    pub script: Vec<u8>,
    /// Everything that was sent to the process.
    pub session: Option<Vec<u8>>,
    pub replies: Vec<Reply>,
    /// What was suspected, and why it is in doubt.
    pub about: serde_json::Value,
}

/// The folder.
pub(crate) const UNCONFIRMED: &str = "flaky";

/// The maximal number of stored suspicions.
pub(crate) const MOST: usize = 300;

impl Store {
    /// Stores an unconfirmed suspicion; returns its path, unless there are enough.
    pub fn keep_unconfirmed(&mut self, new: &NewUnconfirmed) -> Result<Option<PathBuf>> {
        let all = self.dir.join(UNCONFIRMED);
        self.files.make_folder(&all)?;
        let name = format!("f-{}", &blake3::hash(&new.script).to_hex()[..16]);
        let last = all.join(&name);
        let kept = std::fs::read_dir(&all).map_or(0, Iterator::count);
        if last.exists() || kept >= MOST {
            return Ok(None);
        }
        let mut contents = vec![
            ("formula.smt2".to_owned(), new.script.clone()),
            ("about.json".to_owned(), json(&new.about).into_bytes()),
        ];
        contents.extend(new.session.clone().map(|session| ("session.smt2".to_owned(), session)));
        for (n, reply) in new.replies.iter().enumerate() {
            contents.push((format!("{n}.out"), reply.stdout()));
        }
        folder::place(&self.files, &all.join(format!(".new-{name}")), &last, &contents)?;
        Ok(Some(last))
    }
}

/// All suspicions of one kind against the same solvers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flaky {
    pub kind: String,
    pub suspected: Vec<String>,
    /// The formulas that are kept below `flaky/`.
    pub formulas: u64,
    /// In how many fresh runs it showed, over all formulas that were repeated.
    pub rate: Rate,
}

/// What `about.json` says, as far as a report needs it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct About {
    kind: String,
    suspected: Vec<String>,
    rate: Option<Rate>,
}

impl View {
    /// What is kept below `flaky/`, by kind and solver, the most frequent first. What cannot be read is left out:
    /// nothing rests on it.
    pub fn flaky(&self) -> Vec<Flaky> {
        let Some(file) = Inside::parse("about.json") else { return vec![] };
        let mut all: BTreeMap<(String, Vec<String>), Flaky> = BTreeMap::new();
        for entry in
            std::fs::read_dir(self.dir().join(UNCONFIRMED)).into_iter().flatten().flatten().take(2 * MOST)
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            let text = inside::is_id(&name, "f-").then(|| inside::read(&entry.path(), &file).ok()).flatten();
            let Some(about) = text.and_then(|text| serde_json::from_slice::<About>(&text).ok()) else {
                continue;
            };
            let key = (about.kind.clone(), about.suspected.clone());
            let (formulas, rate) = (0, Rate::default());
            let fresh = Flaky { kind: about.kind, suspected: about.suspected, formulas, rate };
            let flaky = all.entry(key).or_insert(fresh);
            let rate = about.rate.unwrap_or_default();
            flaky.formulas += 1;
            flaky.rate.shown = flaky.rate.shown.saturating_add(rate.shown);
            flaky.rate.runs = flaky.rate.runs.saturating_add(rate.runs);
        }
        let mut all: Vec<Flaky> = all.into_values().collect();
        all.sort_by_key(|flaky| std::cmp::Reverse(flaky.formulas));
        all
    }
}
