//! Merging the shards of a campaign.
//!
//! A merge is a join: it does not matter in which order folders are merged, how they are grouped, or whether one is merged
//! twice or is an older copy of another. Numbers are sums over the shards' parts (`part.rs`); cases are collected by unit
//! and step; of two rows of one finding, and of two states of triage of one bug, a fixed order says which counts; of every
//! bug the smallest samples are kept as folders and some more as rows, however many the shards have. So the merged folder
//! is small, and nothing is held in memory but one row at a time, the bugs, and the parts of one folder.
//!
//! The folders may come from strangers: ids, checksums, sizes and links are checked, a shard may only have done its own
//! units, and one finding that does not match its record refuses the whole merge. The result is built under a temporary
//! name and renamed: it exists completely or not at all. It can be resumed, triaged and merged like any other. While a
//! merge adds to a folder it holds the folder's lock, so that nothing that triage writes there meanwhile is lost.

use crate::bug::{self, Bug, BugId};
use crate::campaign::{Campaign, Shard, TargetRecord};
use crate::commit;
use crate::epoch;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::exchange;
use crate::finding;
use crate::folder;
use crate::inside;
use crate::lock::Lock;
use crate::panics::PanicId;
use crate::part::{self, Hits};
use crate::rebuild;
use crate::sampling::Sampling;
use crate::state::State;
use crate::status::Summary;
use crate::store::{Options, Store};
use crate::unconfirmed::{self, UNCONFIRMED};
use crate::view::View;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Merges campaign folders into one. If `out` holds a merge already, it is merged too and replaced.
pub fn merge(dirs: &[PathBuf], out: &Path) -> Result<Summary> {
    merge_with(dirs, out, Options::default())
}

/// The same, with the numbers of samples and rows per bug in the options.
pub fn merge_with(dirs: &[PathBuf], out: &Path, options: Options) -> Result<Summary> {
    let place = Place::of(out)?;
    place.recover()?;
    let mut dirs = dirs.to_vec();
    if place.out.join(rebuild::CAMPAIGN).exists() {
        dirs.push(place.out.clone());
    } else if place.out.exists() {
        return Err(Error::Exists { dir: out.to_owned() });
    }
    let campaign = together(&dirs)?;
    let lock = place.out.exists().then(|| Lock::take(&place.out)).transpose()?;
    let done = fill(&dirs, &place.partial, &campaign, options).and_then(|summary| {
        place.put()?;
        Ok(summary)
    });
    // A file that is open cannot be removed completely on NFS. What is left of the old folder, the next merge removes.
    drop(lock);
    let _ = fs::remove_dir_all(if done.is_ok() { &place.old } else { &place.partial });
    done
}

/// Where a merge goes: its name, the name under which it is built, and that of the merge which it replaces.
struct Place {
    out: PathBuf,
    partial: PathBuf,
    old: PathBuf,
}

impl Place {
    fn of(out: &Path) -> Result<Place> {
        // A link to a folder on another disk stays one.
        let out = match fs::canonicalize(out) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => out.to_owned(),
            found => found.map_err(|error| Error::io(out, error))?,
        };
        let name = out.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let partial = out.with_file_name(format!(".{name}.merging-{}", std::process::id()));
        let old = out.with_file_name(format!(".{name}.replaced"));
        Ok(Place { out, partial, old })
    }

    /// Mends what a merge that was killed between its last steps has left: the old folder returns to its name if there is
    /// no new one, and is removed otherwise.
    fn recover(&self) -> Result<()> {
        match (inside::no_link(&self.old).is_ok() && self.old.exists(), self.out.exists()) {
            (false, _) => Ok(()),
            (true, false) => rename(&self.old, &self.out),
            (true, true) => folder::remove(&self.old),
        }
    }

    /// Gives the finished folder its name, and the folder that had it another one.
    fn put(&self) -> Result<()> {
        if !self.out.exists() {
            return rename(&self.partial, &self.out);
        }
        rename(&self.out, &self.old)?;
        if let Err(error) = rename(&self.partial, &self.out) {
            let _ = fs::rename(&self.old, &self.out);
            return Err(error);
        }
        Ok(())
    }
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| Error::io(to, error))
}

/// The campaign of which all folders are parts.
fn together(dirs: &[PathBuf]) -> Result<Campaign> {
    let mut all: Vec<(String, Campaign)> = vec![];
    for dir in dirs {
        let view = View::open(dir)?;
        if let Some(pid) = Lock::holder(view.dir()) {
            return Err(Error::Locked { dir: view.dir().to_owned(), pid });
        }
        let (here, campaign) = (smtlib::shown::path(view.dir()), view.campaign.clone());
        if let Some((there, first)) = all.first() {
            if let Some(difference) = first.difference_of_cases(&campaign) {
                return Err(Error::Merge(format!(
                    "{there} and {here} are different campaigns: {difference}"
                )));
            }
            if first.lanes != campaign.lanes {
                let (a, b) = (first.lanes, campaign.lanes);
                return Err(Error::Merge(format!("{there} is one of {a} shards, {here} is one of {b}")));
            }
        }
        all.push((here, campaign));
    }
    let started = all.iter().map(|(_, campaign)| campaign.started).min().unwrap_or_default();
    let alike = |(_, campaign): (String, Campaign)| Campaign { shard: Shard::WHOLE, started, ..campaign };
    let mut all: Vec<Campaign> = all.into_iter().map(alike).collect();
    all.sort_by_cached_key(bug::json);
    let union = |of: fn(&Campaign) -> &Vec<TargetRecord>| -> Vec<TargetRecord> {
        if all.windows(2).all(|pair| of(&pair[0]) == of(&pair[1])) {
            return all.first().map_or_else(Vec::new, |campaign| of(campaign).clone());
        }
        let named = all.iter().flat_map(of).map(|target| (bug::json(target), target.clone()));
        named.collect::<BTreeMap<_, _>>().into_values().collect()
    };
    let (targets, references) = (union(|campaign| &campaign.targets), union(|campaign| &campaign.references));
    let first = all.into_iter().next().ok_or_else(|| Error::Merge("no folders were given".to_owned()))?;
    Ok(Campaign { targets, references, ..first })
}

fn fill(dirs: &[PathBuf], partial: &Path, campaign: &Campaign, options: Options) -> Result<Summary> {
    let _ = fs::remove_dir_all(partial);
    let mut store = Store::create_with(partial, campaign, options)?;
    let mut sampling = Sampling::new(partial, &store.options, &store.db)?;
    for dir in dirs {
        let view = View::open(dir)?;
        for (index, part) in part::of(&view)?.into_iter().filter(|_| !store.options.only_findings) {
            part::put(partial, index, &part)?;
        }
        take(&view, &mut store, &mut sampling)?;
        copy_unconfirmed(&view, partial)?;
    }
    settle(&mut store, &mut sampling)?;
    epoch::merge(dirs, &mut store)?;
    if !exchange::merge(dirs, partial)? {
        let text =
            "the shards followed different schedules: together they are not the campaign of one machine";
        store.say(Event::Note { text: text.to_owned() })?;
    }
    let text = format!("merged from {} folders", dirs.len());
    store.say(Event::Note { text })?;
    store.totals = crate::reconcile::totals(&store.db)?;
    let mut events = vec![];
    finding::each_kept(&store.db, &mut |row| {
        events.push(crate::store::finding_event(&row, false));
        Ok(())
    })?;
    events.into_iter().try_for_each(|event| store.say(event))?;
    store.finish()
}

/// Takes over the rows of one folder, in one transaction.
fn take(view: &View, store: &mut Store, sampling: &mut Sampling) -> Result<()> {
    let old = State::load_sealed(&view.db)?;
    let mut state = store.state.clone();
    let tx = store.begin()?;
    let ours = |unit: u64| view.campaign.shard == Shard::WHOLE || view.campaign.shard.owns(unit);
    if !store.options.only_findings && commit::copy_rows_of(&view.db, &old, &tx, &mut state, &ours)?.broken {
        return Err(Error::damaged(
            view.dir(),
            "not all of its cases can be read, or some are of other shards",
        ));
    }
    state.save(&tx)?;
    let shown = take_bugs(view, &tx)?;
    sampling.take_all(view, &tx, &shown)?;
    for (coarse, bug) in bug::coarse_names(&view.db)? {
        bug::name_least(&tx, &coarse, &bug)?;
    }
    copy_panics(view, &store.dir, &tx)?;
    store.end(tx)?;
    store.state = state;
    Ok(())
}

/// Joins what is known about bugs; their hits are counted at the end. Returns the findings that reports show.
fn take_bugs(view: &View, db: &rusqlite::Connection) -> Result<BTreeSet<finding::FindingId>> {
    for mut bug in bug::all(&view.db)? {
        if let Some(known) = bug::find(db, &bug.id)? {
            bug.join(known);
        }
        (bug.count, bug.rows) = (0, 0);
        bug::put(db, &bug)?;
    }
    Ok(bug::all(db)?.into_iter().filter_map(|bug| bug.triage.reduced_in).collect())
}

/// Counts everything: hits of bugs, panics, counters and cursors, as sums over the parts.
fn settle(store: &mut Store, sampling: &mut Sampling) -> Result<()> {
    let mut state = store.state.clone();
    state.clear();
    let names: BTreeMap<BugId, BugId> = bug::coarse_names(&store.db)?.into_iter().collect();
    let (mut hits, mut panics) = (BTreeMap::<BugId, Hits>::new(), BTreeMap::<String, Hits>::new());
    part::each(&store.dir, |part| {
        state.absorb_named(&part.counters, &part.cursors)?;
        for (bug, more) in part.bugs {
            hits.entry(names.get(&bug).cloned().unwrap_or(bug)).or_default().add(more);
        }
        for (panic, more) in part.panics {
            panics.entry(panic).or_default().add(more);
        }
        Ok(())
    })?;
    let tx = store.begin()?;
    tx.execute("DELETE FROM counters", [])?;
    tx.execute("DELETE FROM cursors", [])?;
    state.save(&tx)?;
    let shown = bug::all(&tx)?.into_iter().filter_map(|bug| bug.triage.reduced_in).collect();
    sampling.finish(&tx, &shown)?;
    for bug in bug::all(&tx)? {
        count_bug(&tx, bug, &hits)?;
    }
    for (id, Hits { count, first, last }) in panics {
        let numbers = (id, count as i64, first as i64, last as i64);
        tx.execute("UPDATE panics SET count = ?2, first = ?3, last = ?4 WHERE id = ?1", numbers)?;
    }
    store.end(tx)?;
    store.state = state;
    Ok(())
}

fn count_bug(db: &rusqlite::Connection, bug: Bug, hits: &BTreeMap<BugId, Hits>) -> Result<()> {
    let rows: i64 =
        db.query_row("SELECT count(*) FROM findings WHERE bug = ?1", [bug.id.as_str()], |row| row.get(0))?;
    let own = hits.get(&bug.id).copied().unwrap_or(Hits { count: 0, first: bug.first, last: bug.last });
    let count = own.count.max(rows as u64);
    if count == 0 {
        // Triage in one shard may have moved the findings of a bug to another.
        return bug::delete(db, &bug.id);
    }
    let representative = finding::smallest(db, &bug.id)?.unwrap_or_else(|| bug.representative.clone());
    let (rows, first, last) = (rows as u64, own.first.min(bug.first), own.last.max(bug.last));
    bug::put(db, &Bug { rows, count, first, last, representative, ..bug })
}

fn copy_panics(view: &View, to: &Path, db: &rusqlite::Connection) -> Result<()> {
    let mut all = view.db.prepare("SELECT id, place, message FROM panics")?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let PanicId(id) = PanicId::stored(row.get(0)?)?;
        let (place, message): (String, String) = (row.get(1)?, row.get(2)?);
        let (from, to) = (view.dir().join("panics").join(&id), to.join("panics").join(&id));
        if from.is_dir() {
            copy_least(&from, &to, "meta.json")?;
        }
        db.execute("INSERT OR IGNORE INTO panics VALUES (?1, ?2, ?3, 0, 0, 0)", (id, place, message))?;
    }
    Ok(())
}

/// Copies a folder, unless one is there whose description comes first.
fn copy_least(from: &Path, to: &Path, description: &str) -> Result<()> {
    if to.exists() {
        let (here, there) =
            (inside::read_file(&from.join(description)), inside::read_file(&to.join(description)));
        if here.ok().zip(there.ok()).is_none_or(|(here, there)| there <= here) {
            return Ok(());
        }
        folder::remove(to)?;
    }
    inside::copy(from, to)
}

/// Suspicions are named by their formula, so one that two shards found is stored once; of many, the first by name.
fn copy_unconfirmed(view: &View, to: &Path) -> Result<()> {
    let Ok(all) = fs::read_dir(view.dir().join(UNCONFIRMED)) else { return Ok(()) };
    let mut names: BTreeSet<String> = BTreeSet::new();
    for entry in all {
        let entry = entry.map_err(|error| Error::io(view.dir(), error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if !inside::is_id(&name, "f-") {
            let (path, why) = (entry.path(), "it is not the id of a suspicion");
            return Err(Error::Refused { path, why });
        }
        names.insert(name);
        if names.len() > unconfirmed::MOST {
            names.pop_last();
        }
    }
    let to = to.join(UNCONFIRMED);
    for name in &names {
        copy_least(&view.dir().join(UNCONFIRMED).join(name), &to.join(name), "about.json")?;
    }
    let there = fs::read_dir(&to).into_iter().flatten().flatten();
    let there: BTreeSet<String> =
        there.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    there.iter().skip(unconfirmed::MOST).try_for_each(|name| folder::remove(&to.join(name)))
}
