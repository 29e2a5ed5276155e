//! The writer: the one object that changes a campaign folder.
//!
//! One thread owns it. Every method does everything or nothing, and may be repeated after an error.
//! The order in a hunt: `add_finding` for each finding of a unit, then `commit` with the unit. After a kill between the
//! two, the unit is done again and its findings are there already.

use crate::bug::{self, Bug, BugId, BugUpdate};
use crate::campaign::{Campaign, Shard};
use crate::commit::{self, Batch, Counters};
use crate::cursor::Ranges;
use crate::database;
use crate::disk::{self, Disk, Files, RealDisk};
use crate::error::{Error, Problem, Result};
use crate::event::{Event, Stamped, now_ms};
use crate::finding::{self, Finding, FindingId, NewFinding};
use crate::folder;
use crate::journal::Journal;
use crate::lock::Lock;
use crate::state::State;
use crate::status::{Progress, Summary};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How much of a campaign is stored case by case. Counters are always stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Record {
    /// Cases with a finding.
    Findings,
    /// Every case with its hash and verdict.
    #[default]
    Cases,
    /// Also every answer.
    All,
}

impl Record {
    /// All of them by name.
    pub const ALL: [(&str, Record); 3] =
        [("findings", Record::Findings), ("cases", Record::Cases), ("all", Record::All)];
}

/// Settings of a store.
#[derive(Clone)]
pub struct Options {
    pub record: Record,
    /// How many findings with one coarse signature get a folder, for each bug that they turn out to be.
    pub samples: u64,
    /// How many findings of a bug get at least a row.
    pub rows: u64,
    /// Of a merge: only findings and bugs, no cases and counters; for a copy to triage.
    pub only_findings: bool,
    pub disk: Arc<dyn Disk>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            record: Record::default(),
            samples: 5,
            rows: 1000,
            only_findings: false,
            disk: Arc::new(RealDisk),
        }
    }
}

/// The result of adding a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    pub id: FindingId,
    pub bug: BugId,
    pub kept: Kept,
    /// Whether the bug is new.
    pub new_bug: bool,
    /// How often the bug was hit so far, this one included.
    pub hits: u64,
}

/// How a finding is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// As a folder.
    Folder,
    /// As a row with its recipe: the bug has enough samples.
    Row,
    /// As one more hit.
    Counted,
    /// It was there already.
    Before,
}

impl Kept {
    /// One word for the event stream.
    pub fn word(self) -> &'static str {
        match self {
            Kept::Folder => "folder",
            Kept::Row => "row",
            Kept::Counted => "counted",
            Kept::Before => "before",
        }
    }
}

/// A campaign folder, open for writing.
pub struct Store {
    pub(crate) dir: PathBuf,
    pub(crate) files: Files,
    pub(crate) db: Connection,
    pub(crate) journal: Journal,
    pub(crate) state: State,
    pub(crate) campaign: Campaign,
    pub(crate) options: Options,
    pub(crate) problems: Vec<Problem>,
    /// Hits that are only counted, until the next commit: how many, and when the last was.
    pub(crate) hits: BTreeMap<BugId, (u64, u64)>,
    pub(crate) totals: Totals,
    /// Commands to paste, for the event about the next new bug.
    pub(crate) follow_up: Vec<String>,
    /// Dropped last: a process that waits for the lock finds everything closed.
    pub(crate) _lock: Lock,
}

/// Ids of findings and bugs that are in the event stream.
pub(crate) type Said = BTreeSet<String>;

/// Findings and bugs so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub findings: u64,
    pub bugs: u64,
    /// Bugs by the strategy of their representative finding.
    pub by_strategy: BTreeMap<String, u64>,
    /// Failures of falsum itself.
    pub our_bugs: u64,
}

impl Store {
    /// Starts a campaign in a folder that holds none.
    pub fn create(dir: &Path, campaign: &Campaign) -> Result<Store> {
        Store::create_with(dir, campaign, Options::default())
    }

    /// Resumes the campaign of a folder, repairing what can be repaired (see [`Store::problems`]).
    pub fn resume(dir: &Path) -> Result<Store> {
        Store::resume_with(dir, None, Options::default())
    }

    /// The problems of the folder and how they were repaired.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn folder(&self, id: &FindingId) -> PathBuf {
        folder::path(&self.dir, id)
    }

    /// How many bytes can still be written.
    pub fn free_bytes(&self) -> Result<u64> {
        disk::free_bytes(&self.dir)
    }

    /// The units of this shard that are done, numbered within the shard: unit `n` is `campaign().shard.unit(n)`.
    pub fn cursor(&self, strategy: &str) -> Ranges {
        self.state.cursor(strategy, self.campaign.shard.index)
    }

    /// Whether a unit is done, by any shard.
    pub fn is_done(&self, strategy: &str, unit: u64) -> bool {
        let lane = Shard { index: unit % self.campaign.lanes, count: self.campaign.lanes };
        self.state.cursor(strategy, lane.index).contains(unit / lane.count)
    }

    /// Stores finished work. When this returns, it survives everything but a power cut (after which the last units are
    /// done again).
    pub fn commit(&mut self, batch: &Batch) -> Result<()> {
        let result = self.try_commit(batch);
        self.settle(result)
    }

    fn try_commit(&mut self, batch: &Batch) -> Result<()> {
        self.journal.flush(&self.files)?;
        let mut state = self.state.clone();
        let tx = self.begin()?;
        commit::apply(&tx, &mut state, batch, self.campaign.lanes, self.options.record)?;
        put_hits(&tx, &self.hits)?;
        self.end(tx)?;
        self.state = state;
        self.hits.clear();
        for event in &batch.events {
            self.journal.say(event.clone());
        }
        self.speak();
        Ok(())
    }

    /// Stores a finding. When this returns, it is on disk.
    pub fn add_finding(&mut self, new: &NewFinding) -> Result<Added> {
        let result = self.try_add_finding(new);
        self.settle(result)
    }

    fn try_add_finding(&mut self, new: &NewFinding) -> Result<Added> {
        self.journal.flush(&self.files)?;
        let (id, coarse) = (new.id(), BugId::of(&new.signature));
        let row = finding::find(&self.db, &id)?;
        let bug_id = match &row {
            Some(row) => row.bug.clone(),
            None => bug::named(&self.db, &coarse)?.unwrap_or_else(|| coarse.clone()),
        };
        let bug = bug::find(&self.db, &bug_id)?;
        let pending = self.hits.get(&bug_id).map_or(0, |hits| hits.0);
        let hits = bug.as_ref().map_or(0, |bug| bug.count) + pending;
        let (samples, bugs) = finding::samples(&self.db, &coarse)?;
        let enough = samples >= self.options.samples.saturating_mul(bugs.max(1));
        let kept = match (&row, &bug) {
            (Some(row), _) if row.kept || enough => Kept::Before,
            (None, Some(bug)) if enough => {
                if bug.rows < self.options.rows {
                    Kept::Row
                } else {
                    Kept::Counted
                }
            }
            _ => Kept::Folder,
        };
        let hits = hits + u64::from(row.is_none());
        let added = Added { id, bug: bug_id, kept, new_bug: bug.is_none(), hits };
        match kept {
            Kept::Before => {}
            Kept::Counted => self.count(&added.bug),
            Kept::Folder => {
                // The folder names the current bug: the row is restored from it.
                let signature = bug.as_ref().map_or(&new.signature, |bug| &bug.signature);
                let meta = folder::write(&self.dir, &self.files, new, signature)?;
                self.follow_up.clone_from(&new.follow_up);
                self.insert(&meta.row(), signature, &said(&added))?;
            }
            Kept::Row => self.insert(&unkept(new, &added), &new.signature, &said(&added))?,
        }
        Ok(added)
    }

    fn count(&mut self, bug: &BugId) {
        let hits = self.hits.entry(bug.clone()).or_default();
        *hits = (hits.0 + 1, now_ms());
        self.totals.findings += 1;
    }

    /// Writes the row of a finding, updates its bug and emits the events that were not emitted before.
    pub(crate) fn insert(&mut self, row: &Finding, signature: &str, said: &Said) -> Result<()> {
        let tx = self.begin()?;
        let fresh = finding::find(&tx, &row.id)?.is_none();
        finding::put(&tx, row)?;
        let new_bug = hit(&tx, row, signature, fresh)?;
        self.end(tx)?;
        self.totals.findings += u64::from(fresh);
        self.totals.bugs += u64::from(new_bug);
        if row.kept || new_bug {
            self.announce_finding(row, signature, said);
        }
        self.speak();
        Ok(())
    }

    pub(crate) fn announce_finding(&mut self, row: &Finding, signature: &str, said: &Said) {
        if !said.contains(&row.id.0) {
            self.journal.say(finding_event(row, !said.contains(&row.bug.0)));
        }
        if !said.contains(&row.bug.0) {
            let follow_up = std::mem::take(&mut self.follow_up);
            self.journal.say(bug_event(row, signature, follow_up));
        }
    }

    /// Stores what triage learnt about a bug.
    pub fn update_bug(&mut self, id: &BugId, news: &BugUpdate) -> Result<()> {
        let mut bug = self.bug(id)?;
        bug.learn(news);
        let folder = self.folder(&bug.representative);
        if folder.is_dir() {
            let text = serde_json::to_vec_pretty(&bug.triage).unwrap_or_default();
            self.files.replace(&folder.join(bug::TRIAGE_FILE), &text, 0o644)?;
        }
        let tx = self.begin()?;
        bug::put(&tx, &bug)?;
        self.end(tx)
    }

    /// Gives a finding the signature that triage found for it, and so moves it to another bug. If the old bug had only
    /// a coarse signature, everything else with that signature is moved too.
    pub fn resign(&mut self, id: &FindingId, signature: &str) -> Result<BugId> {
        self.journal.flush(&self.files)?;
        let row = finding::find(&self.db, id)?.ok_or_else(|| Error::Unknown(format!("no finding {id}")))?;
        let bug = BugId::of(signature);
        if row.bug == bug {
            return Ok(bug);
        }
        // The signature of a crash with a known place is final from the beginning; once it was triaged it is no longer
        // coarse.
        let only_coarse = row.bug == row.coarse && self.bug(&row.bug)?.triage.reduced_bytes.is_none();
        let all = if only_coarse {
            finding::of_coarse(&self.db, &row.bug, &row.coarse)?
        } else {
            vec![row.clone()]
        };
        for row in all.iter().filter(|row| row.kept) {
            let meta = match folder::read(&self.folder(&row.id)) {
                // Its folder or a part of it was deleted: only its row is left.
                Err(Error::Damaged { .. }) => continue,
                meta => meta?,
            };
            let (signature, bug) = (signature.to_owned(), bug.clone());
            folder::rewrite_meta(&self.dir, &self.files, crate::Meta { signature, bug, ..meta })?;
        }
        self.move_rows(&all, signature, only_coarse)?;
        Ok(bug)
    }

    /// Deletes the folder of a finding if its bug has enough others; its row and its recipe stay. Returns whether it
    /// did.
    pub fn slim(&mut self, id: &FindingId) -> Result<bool> {
        let row = finding::find(&self.db, id)?.ok_or_else(|| Error::Unknown(format!("no finding {id}")))?;
        let bug = self.bug(&row.bug)?;
        let kept = finding::kept(&self.db, &row.bug)?;
        let needed = bug.representative == *id || bug.shown() == id;
        if !row.kept || needed || kept <= self.options.samples {
            return Ok(false);
        }
        let tx = self.begin()?;
        finding::put(&tx, &Finding { kept: false, ..row })?;
        self.end(tx)?;
        folder::remove(&self.folder(id))?;
        Ok(true)
    }

    /// Moves rows of one bug to another; with `hits`, also the hits that were only counted.
    pub(crate) fn move_rows(&mut self, rows: &[Finding], signature: &str, hits: bool) -> Result<()> {
        let Some(first) = rows.first() else { return Ok(()) };
        let (mut old, to) = (self.bug(&first.bug)?, BugId::of(signature));
        let tx = self.begin()?;
        let mut new_bug = false;
        for row in rows {
            let moved = Finding { bug: to.clone(), ..row.clone() };
            finding::put(&tx, &moved)?;
            new_bug |= hit(&tx, &moved, signature, true)?;
        }
        let gone = rows.len() as u64;
        (old.count, old.rows) = (old.count.saturating_sub(gone), old.rows.saturating_sub(gone));
        let others: i64 =
            tx.query_row("SELECT count(*) FROM findings WHERE bug = ?1", [&old.id.0], |row| row.get(0))?;
        let counted = old.count.saturating_sub(others as u64);
        if hits && counted > 0 {
            old.count -= counted;
            put_hits(&tx, &BTreeMap::from([(to.clone(), (counted, old.last))]))?;
        }
        if old.count == 0 {
            tx.execute("DELETE FROM bugs WHERE id = ?1", [&old.id.0])?;
        } else {
            old.representative = finding::smallest(&tx, &old.id)?.unwrap_or(old.representative);
            bug::put(&tx, &old)?;
        }
        self.end(tx)?;
        if hits && let Some((pending, last)) = self.hits.remove(&old.id) {
            let here = self.hits.entry(to.clone()).or_default();
            *here = (here.0 + pending, here.1.max(last));
        }
        self.totals.bugs = self.totals.bugs + u64::from(new_bug) - u64::from(old.count == 0);
        if new_bug {
            let moved = Finding { bug: to, ..first.clone() };
            self.journal.say(bug_event(&moved, signature, vec![]));
            self.speak();
        }
        Ok(())
    }

    /// Adds a file to a finding's folder (`reduced.smt2`, `REPORT.md`, …), or replaces one that was added.
    pub fn attach(&mut self, id: &FindingId, name: &str, bytes: &[u8]) -> Result<()> {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        let ours = ["meta.json", "formula.smt2", "run.sh", bug::TRIAGE_FILE].contains(&name);
        if !plain || ours || name.starts_with('.') || name.is_empty() {
            return Err(Error::Unknown(format!("`{name}` cannot be added to a finding")));
        }
        let folder = self.folder(id);
        if !folder.is_dir() {
            return Err(Error::Unknown(format!("finding {id} has no folder")));
        }
        self.files.replace(&folder.join(name), bytes, 0o644)
    }

    /// Appends an event to the stream, or refuses if older ones are pending because there is no space.
    pub fn say(&mut self, event: Event) -> Result<()> {
        self.journal.flush(&self.files)?;
        self.journal.say(event);
        self.speak();
        Ok(())
    }

    /// A copy of the stored counters.
    pub fn counters(&self) -> Counters {
        Counters::of(self.state.clone())
    }

    /// Findings and bugs so far.
    pub fn totals(&self) -> Result<Totals> {
        let counted = crate::reconcile::totals(&self.db)?;
        Ok(Totals { findings: self.totals.findings, bugs: self.totals.bugs, ..counted })
    }

    /// The state of the campaign, in a few numbers.
    pub fn progress(&self) -> Progress {
        Progress::of(&self.state, &self.totals)
    }

    /// The state of the campaign, by strategy and by target.
    pub fn summary(&self) -> Result<Summary> {
        Summary::of(&self.state, &self.totals()?)
    }

    pub fn bugs(&self) -> Result<Vec<Bug>> {
        bug::all(&self.db)
    }

    pub fn bug(&self, id: &BugId) -> Result<Bug> {
        bug::find(&self.db, id)?.ok_or_else(|| Error::Unknown(format!("no bug {id}")))
    }

    pub fn findings(&self) -> Result<Vec<Finding>> {
        finding::all(&self.db)
    }

    /// The events that were emitted since the last call, for listeners.
    pub fn drain_events(&mut self) -> Vec<Stamped> {
        self.journal.drain()
    }

    /// Ends a run: emits the summary and waits until everything is on disk.
    pub fn finish(self) -> Result<Summary> {
        self.finish_with_events().map(|(summary, _)| summary)
    }

    /// The same; returns the last events for listeners.
    pub fn finish_with_events(mut self) -> Result<(Summary, Vec<Stamped>)> {
        self.commit(&Batch::default())?;
        let summary = self.summary()?;
        self.say(Event::Summary(summary.clone()))?;
        self.journal.flush(&self.files)?;
        self.journal.sync()?;
        self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok((summary, self.journal.drain()))
    }

    /// Begins a transaction. A test may refuse it here, or at its end.
    pub(crate) fn begin(&self) -> Result<Transaction<'_>> {
        self.files.permit(Path::new(database::NAME), "rows")?;
        Ok(Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?)
    }

    pub(crate) fn end(&self, tx: Transaction<'_>) -> Result<()> {
        self.files.permit(Path::new(database::NAME), "commit")?;
        Ok(tx.commit()?)
    }

    /// Writes pending events now if possible; otherwise the next call does, before anything else.
    fn speak(&mut self) {
        let _ = self.journal.flush(&self.files);
    }

    /// SQLite reports some full disks as an input/output error.
    fn settle<T>(&self, result: Result<T>) -> Result<T> {
        const TIGHT: u64 = 256 * 1024;
        result.map_err(|error| match error {
            Error::Database(why)
                if why.sqlite_error_code() == Some(rusqlite::ErrorCode::SystemIoFailure)
                    && self.free_bytes().is_ok_and(|free| free < TIGHT) =>
            {
                Error::DiskFull { path: database::path(&self.dir), why: why.to_string() }
            }
            error => error,
        })
    }
}

fn said(added: &Added) -> Said {
    if added.new_bug { Said::new() } else { Said::from([added.bug.0.clone()]) }
}

pub(crate) fn finding_event(row: &Finding, new_bug: bool) -> Event {
    Event::Finding {
        id: row.id.clone(),
        bug: row.bug.clone(),
        kind: row.kind,
        culprits: row.culprits.clone(),
        strategy: row.recipe.strategy.clone(),
        new_bug,
        kept: if row.kept { Kept::Folder } else { Kept::Row }.word().into(),
    }
}

fn bug_event(row: &Finding, signature: &str, follow_up: Vec<String>) -> Event {
    Event::Bug {
        id: row.bug.clone(),
        kind: row.kind,
        culprits: row.culprits.clone(),
        finding: row.id.clone(),
        signature: signature.to_owned(),
        follow_up,
    }
}

fn unkept(new: &NewFinding, added: &Added) -> Finding {
    Finding {
        id: added.id.clone(),
        bug: added.bug.clone(),
        coarse: BugId::of(&new.signature),
        kind: new.accusation.kind,
        culprits: new.accusation.culprits().to_vec(),
        recipe: new.case.recipe.clone(),
        bytes: new.script().len() as u64,
        found: now_ms(),
        kept: false,
    }
}

/// Counts a finding for its bug; returns whether the bug is new. The row exists already.
fn hit(db: &Connection, row: &Finding, signature: &str, fresh: bool) -> Result<bool> {
    let known = bug::find(db, &row.bug)?;
    let new = known.is_none();
    let mut bug = known.unwrap_or_else(|| Bug {
        id: row.bug.clone(),
        kind: row.kind,
        culprits: row.culprits.clone(),
        signature: signature.to_owned(),
        count: 0,
        rows: 0,
        first: row.found,
        last: row.found,
        representative: row.id.clone(),
        triage: BugUpdate::default(),
    });
    bug.count += u64::from(fresh);
    bug.rows += u64::from(fresh);
    bug.first = bug.first.min(row.found);
    bug.last = bug.last.max(row.found);
    bug.representative = finding::smallest(db, &row.bug)?.unwrap_or(bug.representative);
    bug::put(db, &bug)?;
    bug::name(db, &row.coarse, &row.bug)?;
    Ok(new)
}

fn put_hits(db: &Connection, hits: &BTreeMap<BugId, (u64, u64)>) -> Result<()> {
    let mut count =
        db.prepare_cached("UPDATE bugs SET count = count + ?2, last = max(last, ?3) WHERE id = ?1")?;
    for (bug, (hits, last)) in hits {
        count.execute((&bug.0, *hits as i64, *last as i64))?;
    }
    Ok(())
}
