//! What one shard contributes to a merged campaign: its counters, its cursors and how often it hit each bug.
//!
//! Numbers that are added up cannot be merged twice without counting twice. So a merged folder keeps the contribution of
//! every shard apart, in `parts/000003.json`, and its numbers are the sums over these files. If two folders have a
//! contribution of the same shard, one is an older copy of the other, and the one that did more counts. In: a folder of a
//! shard, or a merged one. Out: its parts, each under the number of its shard; work that was done in a merged folder
//! itself is one more part, after the last shard.

use crate::bug::{self, BugId};
use crate::campaign::Shard;
use crate::commit::counter;
use crate::error::{Error, Result};
use crate::inside;
use crate::state::{Scope, State};
use crate::view::View;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const PARTS: &str = "parts";

/// How often something was hit, and when first and last, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Hits {
    pub count: u64,
    pub first: u64,
    pub last: u64,
}

impl Hits {
    pub fn add(&mut self, other: Hits) {
        self.first = if self.count == 0 { other.first } else { self.first.min(other.first) };
        self.last = self.last.max(other.last);
        // Parts are files that may be another user's.
        self.count = self.count.saturating_add(other.count);
    }
}

/// The contribution of one shard.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Part {
    /// Scope, name, counter, value.
    pub counters: Vec<(i64, String, String, u64)>,
    /// Strategy, lane, units.
    pub cursors: Vec<(String, u64, String)>,
    pub bugs: BTreeMap<BugId, Hits>,
    pub panics: BTreeMap<String, Hits>,
}

impl Part {
    /// Everything in a folder that is no merge.
    fn of(view: &View, state: &State) -> Result<Part> {
        let (counters, cursors) = state.named()?;
        let mut part = Part { counters, cursors, ..Part::default() };
        for bug in bug::all(&view.db)? {
            part.bugs.insert(bug.id, Hits { count: bug.count, first: bug.first, last: bug.last });
        }
        let mut panics = view.db.prepare("SELECT id, count, first, last FROM panics")?;
        let mut rows = panics.query([])?;
        while let Some(row) = rows.next()? {
            let number = |column| -> Result<u64> { Ok(row.get::<_, i64>(column)? as u64) };
            part.panics.insert(row.get(0)?, Hits { count: number(1)?, first: number(2)?, last: number(3)? });
        }
        Ok(part)
    }

    /// How much was done, to tell an older copy from a newer one.
    fn weight(&self) -> (u64, u64) {
        let of = |wanted: Scope, name: &str| -> u64 {
            let all = self
                .counters
                .iter()
                .filter(|(scope, _, counter, _)| *scope == wanted as i64 && counter == name);
            all.fold(0, |sum: u64, (.., value)| sum.saturating_add(*value))
        };
        (of(Scope::Strategy, counter::UNITS), of(Scope::Campaign, counter::ACTIVE))
    }

    /// What is left of it without other parts.
    fn without(mut self, parts: &[Part]) -> Part {
        let mut sums: BTreeMap<(i64, &str, &str), u64> = BTreeMap::new();
        for (scope, name, counter, value) in parts.iter().flat_map(|part| &part.counters) {
            let sum = sums.entry((*scope, name, counter)).or_default();
            *sum = sum.saturating_add(*value);
        }
        for (scope, name, counter, value) in &mut self.counters {
            *value = value.saturating_sub(sums.get(&(*scope, name, counter)).copied().unwrap_or(0));
        }
        self.counters.retain(|(.., value)| *value > 0);
        // The cursors of a merged folder hold those of its parts.
        self
    }
}

/// The parts of a folder, by shard. Its counters must match their checksum.
pub(crate) fn of(view: &View) -> Result<Vec<(u64, Part)>> {
    let state = State::load_sealed(&view.db)?;
    let stored = files(view.dir())?;
    let whole = Part::of(view, &state)?;
    if stored.is_empty() {
        return Ok(vec![(view.campaign.shard.index, whole)]);
    }
    let lanes = view.campaign.lanes;
    if view.campaign.shard != Shard::WHOLE || stored.iter().any(|(index, _)| *index > lanes) {
        return Err(Error::damaged(view.dir(), "its parts are not those of its shards"));
    }
    let mut parts =
        stored.iter().map(|(index, path)| Ok((*index, read(path)?))).collect::<Result<Vec<_>>>()?;
    let known: Vec<Part> = parts.iter().map(|(_, part)| part.clone()).collect();
    let more = whole.without(&known);
    if more.weight().0 > 0 {
        let mut more = Part { panics: BTreeMap::new(), bugs: own_hits(&more.bugs, &known), ..more };
        if let Some(at) = parts.iter().position(|(index, _)| *index == lanes) {
            let (_, before) = parts.remove(at);
            more = more.with(before);
        }
        parts.push((lanes, more));
    }
    Ok(parts)
}

impl Part {
    /// Adds what the merged folder itself had done before.
    fn with(mut self, before: Part) -> Part {
        for (scope, name, counter, value) in before.counters {
            match self.counters.iter_mut().find(|(s, n, c, _)| *s == scope && *n == name && *c == counter) {
                Some((.., here)) => *here = here.saturating_add(value),
                None => self.counters.push((scope, name, counter, value)),
            }
        }
        self.counters.sort();
        for (bug, hits) in before.bugs {
            self.bugs.entry(bug).or_default().add(hits);
        }
        self
    }
}

/// Hits that no part has.
fn own_hits(all: &BTreeMap<BugId, Hits>, parts: &[Part]) -> BTreeMap<BugId, Hits> {
    let in_parts = |bug: &BugId| -> u64 {
        let hits = parts.iter().filter_map(|part| part.bugs.get(bug));
        hits.fold(0, |sum: u64, hits| sum.saturating_add(hits.count))
    };
    let own = all.iter().map(|(bug, hits)| {
        let count = hits.count.saturating_sub(in_parts(bug));
        (bug.clone(), Hits { count, ..*hits })
    });
    own.filter(|(_, hits)| hits.count > 0).collect()
}

/// Stores a part, unless a newer one of the same shard is there.
pub(crate) fn put(dir: &Path, index: u64, part: &Part) -> Result<()> {
    let folder = dir.join(PARTS);
    std::fs::create_dir_all(&folder).map_err(|error| Error::io(&folder, error))?;
    let path = folder.join(format!("{index:06}.json"));
    if path.exists() {
        let known = read(&path)?;
        if (known.weight(), &known) >= (part.weight(), part) {
            return Ok(());
        }
    }
    inside::write_file(&path, bug::json(part).as_bytes())
}

fn read(path: &Path) -> Result<Part> {
    serde_json::from_slice(&inside::read_file(path)?).map_err(|error| Error::damaged(path, error))
}

/// The files of a merged folder's parts, by shard.
fn files(dir: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let folder = dir.join(PARTS);
    let entries = match std::fs::read_dir(&folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
        entries => entries.map_err(|error| Error::io(&folder, error))?,
    };
    let mut all = vec![];
    for path in entries.flatten().map(|entry| entry.path()) {
        let name =
            path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".json"));
        if let Some(index) = name.and_then(|name| name.parse().ok()) {
            all.push((index, path));
        }
    }
    all.sort();
    Ok(all)
}

/// Visits the parts of a merged folder one by one.
pub(crate) fn each(dir: &Path, mut visit: impl FnMut(Part) -> Result<()>) -> Result<()> {
    files(dir)?.iter().try_for_each(|(_, path)| visit(read(path)?))
}
