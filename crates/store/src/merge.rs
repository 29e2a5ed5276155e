//! Merging the shards of a campaign.
//!
//! Shards do disjoint units, so their cases are collected and their counters added (seconds too: they are the time of
//! all machines together). Findings are named by content, so one that two shards found becomes one. The folders may
//! come from strangers: ids, checksums, sizes and links are checked, and one finding that does not match its record
//! refuses the whole merge. The result is built under a temporary name and renamed: it exists completely or not at all.
//! It can be resumed like any other.

use crate::bug::{self, Bug};
use crate::campaign::{Campaign, Shard};
use crate::commit;
use crate::epoch;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::finding;
use crate::folder;
use crate::inside;
use crate::lock::Lock;
use crate::panics::PanicId;
use crate::state::State;
use crate::status::Summary;
use crate::store::{Options, Store};
use crate::unconfirmed::UNCONFIRMED;
use crate::view::View;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Merges campaign folders into a new one.
pub fn merge(dirs: &[PathBuf], out: &Path) -> Result<Summary> {
    if out.exists() {
        return Err(Error::Exists { dir: out.to_owned() });
    }
    let mut views = dirs.iter().map(|dir| View::open(dir)).collect::<Result<Vec<_>>>()?;
    for view in &views {
        if let Some(pid) = Lock::holder(view.dir()) {
            return Err(Error::Locked { dir: view.dir().to_owned(), pid });
        }
    }
    views.sort_by_key(|view| view.campaign.shard);
    let campaign = together(&views)?;
    let partial = out.with_file_name(format!(
        ".{}.merging-{}",
        out.file_name().unwrap_or_default().to_string_lossy(),
        std::process::id()
    ));
    let done = fill(&views, &partial, &campaign).and_then(|summary| {
        fs::rename(&partial, out).map_err(|error| Error::io(out, error))?;
        Ok(summary)
    });
    if done.is_err() {
        let _ = fs::remove_dir_all(&partial);
    }
    done
}

/// The campaign of which all folders are shards.
fn together(views: &[View]) -> Result<Campaign> {
    let first = views.first().ok_or_else(|| Error::Merge("no folders were given".to_owned()))?;
    for pair in views.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        let (here, there) = (smtlib::shown::path(a.dir()), smtlib::shown::path(b.dir()));
        if let Some(difference) = a.campaign.difference_of_cases(&b.campaign) {
            return Err(Error::Merge(format!("{here} and {there} are different campaigns: {difference}")));
        }
        if a.campaign.lanes != b.campaign.lanes || a.campaign.shard.count != b.campaign.shard.count {
            let (a, b) = (a.campaign.lanes, b.campaign.lanes);
            return Err(Error::Merge(format!("{here} is one of {a} shards, {there} is one of {b}")));
        }
        if a.campaign.shard == b.campaign.shard {
            return Err(Error::Merge(format!("{here} and {there} are both shard {}", a.campaign.shard)));
        }
    }
    let mut campaign = Campaign { shard: Shard::WHOLE, ..first.campaign.clone() };
    for view in views {
        campaign.started = campaign.started.min(view.campaign.started);
        for (all, some) in [
            (&mut campaign.targets, &view.campaign.targets),
            (&mut campaign.references, &view.campaign.references),
        ] {
            let new: Vec<_> = some.iter().filter(|target| !all.contains(target)).cloned().collect();
            all.extend(new);
        }
    }
    Ok(campaign)
}

fn fill(views: &[View], partial: &Path, campaign: &Campaign) -> Result<Summary> {
    let _ = fs::remove_dir_all(partial);
    let mut store = Store::create_with(partial, campaign, Options::default())?;
    let mut bugs: BTreeMap<bug::BugId, Bug> = BTreeMap::new();
    for view in views {
        let old = State::load(&view.db)?;
        let mut state = store.state.clone();
        state.absorb(&old)?;
        let tx = store.begin()?;
        if commit::copy_rows(&view.db, &old, &tx, &mut state)?.broken {
            return Err(Error::damaged(view.dir(), "not all of its cases can be read"));
        }
        state.save(&tx)?;
        for row in view.findings()? {
            let known = finding::find(&tx, &row.id)?;
            let kept = row.kept && copy_folder(view, partial, &row)?;
            if known.as_ref().is_none_or(|known| !known.kept && kept) {
                finding::put(&tx, &finding::Finding { kept, ..row })?;
            }
        }
        for (coarse, bug) in bug::coarse_names(&view.db)? {
            bug::name(&tx, &coarse, &bug)?;
        }
        copy_panics(view, partial, &tx)?;
        copy_unconfirmed(view, partial)?;
        for bug in view.bugs()? {
            add_bug(&mut bugs, bug);
        }
        put_bugs(&tx, &mut bugs)?;
        store.end(tx)?;
        store.state = state;
    }
    epoch::merge(views, &mut store)?;
    let text = format!("merged from {} shards", views.len());
    store.say(Event::Note { text })?;
    store.totals = crate::reconcile::totals(&store.db)?;
    for row in store.findings()?.iter().filter(|row| row.kept) {
        store.say(crate::store::finding_event(row, false))?;
    }
    store.finish()
}

/// Hits without rows are added; rows are counted afterwards, because two shards may have found the same finding.
fn add_bug(bugs: &mut BTreeMap<bug::BugId, Bug>, mut bug: Bug) {
    bug.count = bug.count.saturating_sub(bug.rows);
    match bugs.get_mut(&bug.id) {
        None => {
            bugs.insert(bug.id.clone(), bug);
        }
        Some(known) => {
            known.count += bug.count;
            known.first = known.first.min(bug.first);
            known.last = known.last.max(bug.last);
            known.triage.absorb(&bug.triage);
        }
    }
}

fn put_bugs(db: &rusqlite::Connection, bugs: &mut BTreeMap<bug::BugId, Bug>) -> Result<()> {
    for bug in bugs.values_mut() {
        let rows: i64 =
            db.query_row("SELECT count(*) FROM findings WHERE bug = ?1", [&bug.id.0], |row| row.get(0))?;
        let representative = finding::smallest(db, &bug.id)?.unwrap_or_else(|| bug.representative.clone());
        let (rows, count) = (rows as u64, bug.count + rows as u64);
        // Triage in one shard may have moved the findings of a bug to another.
        if count > 0 {
            bug::put(db, &Bug { rows, count, representative, ..bug.clone() })?;
        }
    }
    Ok(())
}

/// Copies the folder of a finding, if there is one. It must be complete and match the database: every finding of a
/// merged campaign was checked.
fn copy_folder(view: &View, to: &Path, row: &finding::Finding) -> Result<bool> {
    let (from, to) = (view.folder(&row.id), folder::path(to, &row.id));
    if fs::symlink_metadata(&from).is_err() {
        return Ok(false);
    }
    if folder::read(&from)?.row() != *row {
        return Err(Error::damaged(&from, "it does not match the database"));
    }
    if !to.exists() {
        inside::copy(&from, &to)?;
        // The copied bytes are the bytes that were checked.
        folder::read(&to)?;
    }
    Ok(true)
}

fn copy_panics(view: &View, to: &Path, db: &rusqlite::Connection) -> Result<()> {
    let mut all = view.db.prepare("SELECT id, place, message, count, first, last FROM panics")?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let PanicId(id) = PanicId::stored(row.get(0)?)?;
        let (place, message): (String, String) = (row.get(1)?, row.get(2)?);
        let (count, first, last): (i64, i64, i64) = (row.get(3)?, row.get(4)?, row.get(5)?);
        let (from, to) = (view.dir().join("panics").join(&id), to.join("panics").join(&id));
        if from.is_dir() && !to.exists() {
            inside::copy(&from, &to)?;
        }
        db.execute(
            "INSERT INTO panics VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET
             count = count + excluded.count, first = min(first, excluded.first), last = max(last, excluded.last)",
            (id, place, message, count, first, last),
        )?;
    }
    Ok(())
}

/// Suspicions are named by their formula, so one that two shards found is stored once.
fn copy_unconfirmed(view: &View, to: &Path) -> Result<()> {
    let Ok(all) = fs::read_dir(view.dir().join(UNCONFIRMED)) else { return Ok(()) };
    for entry in all {
        let entry = entry.map_err(|error| Error::io(view.dir(), error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let to = to.join(UNCONFIRMED).join(&name);
        if name.starts_with('.') || to.exists() {
            continue;
        }
        if !inside::is_id(&name, "f-") {
            let (path, why) = (entry.path(), "it is not the id of a suspicion");
            return Err(Error::Refused { path, why });
        }
        inside::copy(&entry.path(), &to)?;
    }
    Ok(())
}
