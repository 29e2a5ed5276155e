//! A bug: all findings with one signature.
//!
//! A finding has a *coarse* signature, which names its bug until triage has reduced the finding and found the exact
//! one. From then on hits with that coarse signature count as hits of the exact bug; the samples that are stored of
//! them are each triaged, and one that turns out to be another bug is moved there. So a flood of one bug stays one bug,
//! before and after it was reduced.
//!
//! Its first hits are stored as findings with folders, some more as rows, and the rest only as a count, so that a bug
//! that is hit 100,000 times takes no more space than one that is hit a thousand times. What triage learns later is
//! stored in the database and, as `bug.json`, in the folder of the representative, from which it is restored if the
//! database is lost.

use crate::error::{Error, Result};
use crate::finding::FindingId;
use crate::inside::is_id;
use oracle::FindingKind;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

pub(crate) const TRIAGE_FILE: &str = "bug.json";

/// `b-` and 16 hexadecimal digits of the hash of the signature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BugId(pub(crate) String);

impl TryFrom<String> for BugId {
    type Error = String;

    fn try_from(name: String) -> std::result::Result<BugId, String> {
        if is_id(&name, "b-") { Ok(BugId(name)) } else { Err(format!("{name:?} is not the id of a bug")) }
    }
}

impl From<BugId> for String {
    fn from(id: BugId) -> String {
        id.0
    }
}

impl BugId {
    pub fn of(signature: &str) -> BugId {
        BugId(format!("b-{}", &blake3::hash(signature.as_bytes()).to_hex()[..16]))
    }

    /// The id in a column of the database.
    pub(crate) fn stored(text: String) -> Result<BugId> {
        BugId::try_from(text).map_err(|why| Error::damaged(Path::new("falsum.db"), why))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BugId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is known about a bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bug {
    pub id: BugId,
    pub kind: FindingKind,
    pub culprits: Vec<String>,
    pub signature: String,
    /// How often it was hit.
    pub count: u64,
    /// Hits that have a row.
    #[serde(skip)]
    pub rows: u64,
    /// Milliseconds since 1970.
    pub first: u64,
    pub last: u64,
    /// The smallest finding that has a folder.
    pub representative: FindingId,
    #[serde(flatten)]
    pub triage: BugUpdate,
}

impl Bug {
    /// The finding to show: the one that was reduced, else the smallest.
    pub fn shown(&self) -> &FindingId {
        self.triage.reduced_in.as_ref().unwrap_or(&self.representative)
    }
}

/// What triage learns about a bug. `None` means no change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BugUpdate {
    /// Size of the reduced form, which is `reduced.smt2` beside the representative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduced_bytes: Option<u64>,
    /// The finding that was reduced to it, which becomes the representative of the bug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduced_in: Option<FindingId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_bad: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_bad: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_in: Option<String>,
    /// Where it is known: an issue, a baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// The culprit with the options that the bug needs, where it was found with more of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub culprit: Option<String>,
}

impl Bug {
    /// Takes up what triage learnt. A bug belongs to a release and the options that it needs, whichever target showed it.
    pub(crate) fn learn(&mut self, news: &BugUpdate) {
        self.triage.absorb(news);
        if let Some(culprit) = &news.culprit {
            self.culprits = vec![culprit.clone()];
        }
    }

    /// The join with another record of the same bug: which of the two comes first does not matter.
    pub(crate) fn join(&mut self, other: Bug) {
        (self.kind, self.culprits) = (self.kind, self.culprits.clone()).min((other.kind, other.culprits));
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        self.representative = self.representative.clone().min(other.representative);
        self.triage.join(other.triage);
    }
}

impl BugUpdate {
    /// The join with what another triage learnt: the smallest reduced form; releases that no release has fixed; and the
    /// rest by the order of their names.
    fn join(&mut self, other: BugUpdate) {
        let form = |update: &BugUpdate| {
            (update.reduced_bytes.is_none(), update.reduced_bytes, update.reduced_in.clone())
        };
        if form(&other) < form(self) {
            (self.reduced_bytes, self.reduced_in) = (other.reduced_bytes, other.reduced_in.clone());
        }
        let span = |update: &BugUpdate| {
            let BugUpdate { first_bad, last_bad, fixed_in, .. } = update.clone();
            (first_bad.is_none() && fixed_in.is_none(), fixed_in.is_some(), first_bad, last_bad, fixed_in)
        };
        if span(&other) < span(self) {
            (self.first_bad, self.last_bad, self.fixed_in) =
                (other.first_bad.clone(), other.last_bad.clone(), other.fixed_in.clone());
        }
        self.known = self.known.take().max(other.known);
        self.culprit = [self.culprit.take(), other.culprit].into_iter().flatten().min();
    }

    fn absorb(&mut self, news: &BugUpdate) {
        fn take<T: Clone>(old: &mut Option<T>, new: &Option<T>) {
            if new.is_some() {
                old.clone_from(new);
            }
        }
        take(&mut self.reduced_bytes, &news.reduced_bytes);
        take(&mut self.reduced_in, &news.reduced_in);
        // Releases belong together. Hits of one crash may differ in them, so of two samples the one that no release has
        // fixed counts.
        let unfixed = self.first_bad.is_some() && self.fixed_in.is_none();
        let asked = [&news.first_bad, &news.last_bad, &news.fixed_in].iter().any(|news| news.is_some());
        if asked && !(unfixed && news.fixed_in.is_some()) {
            self.first_bad.clone_from(&news.first_bad);
            self.last_bad.clone_from(&news.last_bad);
            self.fixed_in.clone_from(&news.fixed_in);
        }
        take(&mut self.known, &news.known);
        take(&mut self.culprit, &news.culprit);
    }
}

/// Bugs by the release that fixed them: two bugs that one release fixed may be one, so the number of classes is a
/// certain lower bound for the number of bugs (as Dewey counts them, section 5.5.3). Bugs that were not bisected are in
/// no class; those that no release fixed are in one per solver.
pub fn fixing_releases(bugs: &[Bug]) -> BTreeMap<String, u64> {
    let mut classes = BTreeMap::new();
    for bug in bugs {
        let Some(first) = &bug.triage.first_bad else { continue };
        let class = match &bug.triage.fixed_in {
            Some(release) => release.clone(),
            None => format!("{}, not fixed", first.split('@').next().unwrap_or(first)),
        };
        *classes.entry(class).or_default() += 1;
    }
    classes
}

const COLUMNS: &str = "id, signature, kind, culprits, count, rows, first, last, representative, triage";

/// Looks a bug up.
pub(crate) fn find(db: &Connection, id: &BugId) -> Result<Option<Bug>> {
    let mut find = db.prepare_cached(&format!("SELECT {COLUMNS} FROM bugs WHERE id = ?1"))?;
    find.query_row([&id.0], |row| Ok(read(row))).optional()?.transpose()
}

/// All bugs, worst first, then oldest first.
pub(crate) fn all(db: &Connection) -> Result<Vec<Bug>> {
    let mut all = db.prepare_cached(&format!("SELECT {COLUMNS} FROM bugs"))?;
    let mut rows = all.query([])?;
    let mut bugs = Vec::new();
    while let Some(row) = rows.next()? {
        bugs.push(read(row)?);
    }
    bugs.sort_by(|a, b| (a.kind, a.first, &a.id).cmp(&(b.kind, b.first, &b.id)));
    Ok(bugs)
}

/// Writes a bug, replacing its row.
pub(crate) fn put(db: &Connection, bug: &Bug) -> Result<()> {
    let mut put =
        db.prepare_cached("INSERT OR REPLACE INTO bugs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?;
    put.execute((
        &bug.id.0,
        &bug.signature,
        bug.kind.word(),
        json(&bug.culprits),
        bug.count as i64,
        bug.rows as i64,
        bug.first as i64,
        bug.last as i64,
        &bug.representative.0,
        json(&bug.triage),
    ))?;
    Ok(())
}

pub(crate) fn delete(db: &Connection, id: &BugId) -> Result<()> {
    db.prepare_cached("DELETE FROM bugs WHERE id = ?1")?.execute([&id.0])?;
    Ok(())
}

/// The bug to which hits with a coarse signature are assigned.
pub(crate) fn named(db: &Connection, coarse: &BugId) -> Result<Option<BugId>> {
    let mut find = db.prepare_cached("SELECT bug FROM coarse WHERE id = ?1")?;
    find.query_row([&coarse.0], |row| row.get(0)).optional()?.map(BugId::stored).transpose()
}

/// Assigns hits with a coarse signature to a bug, unless triage has assigned them to another.
pub(crate) fn name(db: &Connection, coarse: &BugId, bug: &BugId) -> Result<()> {
    let mut name = db.prepare_cached(
        "INSERT INTO coarse VALUES (?1, ?2)
         ON CONFLICT (id) DO UPDATE SET bug = excluded.bug WHERE bug = id",
    )?;
    name.execute([&coarse.0, &bug.0])?;
    Ok(())
}

/// The same where neither assignment is older: one by triage wins, and of two the first by name.
pub(crate) fn name_least(db: &Connection, coarse: &BugId, bug: &BugId) -> Result<()> {
    let mut name = db.prepare_cached(
        "INSERT INTO coarse VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET bug = excluded.bug
         WHERE (excluded.bug = id, excluded.bug) < (bug = id, bug)",
    )?;
    name.execute([&coarse.0, &bug.0])?;
    Ok(())
}

/// All coarse signatures and the bugs to which their hits are assigned.
pub(crate) fn coarse_names(db: &Connection) -> Result<Vec<(BugId, BugId)>> {
    let mut all = db.prepare("SELECT id, bug FROM coarse ORDER BY id")?;
    let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.map(|row| row.map(|(id, bug)| Ok((BugId::stored(id)?, BugId::stored(bug)?)))?).collect()
}

fn read(row: &Row<'_>) -> Result<Bug> {
    let signature: String = row.get(1)?;
    let id = BugId::stored(row.get(0)?)?;
    if id != BugId::of(&signature) {
        return Err(Error::damaged(Path::new("falsum.db"), format!("{id} does not match its signature")));
    }
    Ok(Bug {
        id,
        kind: kind(&row.get::<_, String>(2)?)?,
        culprits: parse(&row.get::<_, String>(3)?)?,
        signature,
        count: row.get::<_, i64>(4)? as u64,
        rows: row.get::<_, i64>(5)? as u64,
        first: row.get::<_, i64>(6)? as u64,
        last: row.get::<_, i64>(7)? as u64,
        representative: FindingId::stored(row.get(8)?)?,
        triage: parse(&row.get::<_, String>(9)?)?,
    })
}

pub(crate) fn kind(word: &str) -> Result<FindingKind> {
    FindingKind::from_word(word)
        .ok_or_else(|| Error::damaged(Path::new("falsum.db"), format!("there is no kind `{word}`")))
}

pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

pub(crate) fn parse<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::damaged(Path::new("falsum.db"), error))
}
