//! Which findings of the shards become rows and folders of their merge.
//!
//! Findings that came with one coarse signature are a group. Of every group the smallest ones that have a folder in some
//! shard keep it, more of the smallest keep a row, and so does the one that reports show; all others are only counted. The
//! limits depend on nothing but which findings there are, so a finding that is left out of a part of the shards is left
//! out of all of them, and the order of merging does not matter. For that, a folder that was left out is remembered
//! (`thinned`). Of two records of one finding the join is kept: the bug that triage found, the earlier time and recipe;
//! of two folders the one with a reduced form, else the first by its contents.

use crate::bug::{BugId, json};
use crate::disk::{Files, RealDisk};
use crate::error::{Error, Result};
use crate::finding::{self, Finding, FindingId};
use crate::folder;
use crate::inside;
use crate::store::Options;
use crate::view::View;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Size and id: the order of samples.
type Place = (u64, FindingId);

/// The last of the samples and of the rows of a group that is full, and how many came since that was looked up.
#[derive(Clone, Debug, Default)]
struct Limits {
    samples: Option<Place>,
    rows: Option<Place>,
    new_samples: u64,
    new_rows: u64,
}

pub(crate) struct Sampling {
    to: PathBuf,
    files: Files,
    samples: u64,
    rows: u64,
    limits: BTreeMap<BugId, Limits>,
}

/// The table of findings whose folders were left out; only merged campaigns have it.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS thinned (id TEXT PRIMARY KEY) WITHOUT ROWID";

impl Sampling {
    pub fn new(to: &Path, options: &Options, db: &Connection) -> Result<Sampling> {
        db.execute(TABLE, [])?;
        let files = Files::new(Arc::new(RealDisk));
        Ok(Sampling {
            to: to.to_owned(),
            files,
            samples: options.samples,
            rows: options.rows,
            limits: BTreeMap::new(),
        })
    }

    /// Takes over the findings of one folder. `shown` are those whose reduced forms are the smallest of their bugs so far.
    pub fn take_all(&mut self, view: &View, db: &Connection, shown: &BTreeSet<FindingId>) -> Result<()> {
        let has_thinned = view.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'thinned'")?.exists([])?;
        let mut full = BTreeSet::new();
        finding::each(&view.db, &mut |row| {
            let there = row.kept && verify(view, &row)?;
            let was = has_thinned
                && view
                    .db
                    .prepare_cached("SELECT 1 FROM thinned WHERE id = ?1")?
                    .exists([row.id.as_str()])?;
            let row = Finding { kept: there, ..row };
            let coarse = row.coarse.clone();
            self.take(view, db, row, was, shown)?;
            // Not for every finding: some more than enough do no harm until then.
            let limits = self.limits.entry(coarse.clone()).or_default();
            if limits.new_samples >= self.samples || limits.new_rows >= self.rows.div_ceil(2) {
                full.insert(coarse);
            }
            Ok(())
        })?;
        full.iter().try_for_each(|coarse| self.thin_out(db, coarse, shown))
    }

    /// Takes a row. `was`: a folder of it was left out before.
    fn take(
        &mut self,
        view: &View,
        db: &Connection,
        row: Finding,
        was: bool,
        shown: &BTreeSet<FindingId>,
    ) -> Result<()> {
        let known = finding::find(db, &row.id)?;
        let place = (row.bytes, row.id.clone());
        let limits = self.limits.get(&row.coarse);
        let beyond = |limit: Option<&Place>| limit.is_some_and(|last| place > *last);
        let no_sample = beyond(limits.and_then(|limits| limits.samples.as_ref())) && !shown.contains(&row.id);
        let no_row = beyond(limits.and_then(|limits| limits.rows.as_ref())) && !shown.contains(&row.id);
        if known.is_none() && no_row && (no_sample || !(row.kept || was)) {
            return Ok(());
        }
        let (there, is_new) = (known.as_ref().is_some_and(|known| known.kept), known.is_none());
        let joined = known.map_or_else(|| row.clone(), |known| join(known, &row));
        let to = folder::path(&self.to, &row.id);
        let copies = row.kept && !no_sample && (!there || content(&view.folder(&row.id)) < content(&to));
        if copies {
            folder::remove(&to)?;
            inside::copy(&view.folder(&row.id), &to)?;
            // The copied bytes are the bytes that were checked.
            folder::read(&to)?;
        }
        let kept = there || copies;
        if was || (row.kept && !kept) {
            db.prepare_cached("INSERT OR IGNORE INTO thinned VALUES (?1)")?.execute([row.id.as_str()])?;
        }
        let joined = Finding { kept, ..joined };
        if kept {
            self.rename(db, view, &joined)?;
        }
        let limits = self.limits.entry(row.coarse.clone()).or_default();
        limits.new_samples += u64::from(copies);
        limits.new_rows += u64::from(is_new);
        finding::put(db, &joined)
    }

    /// Writes the joined record into the folder.
    fn rename(&self, db: &Connection, view: &View, row: &Finding) -> Result<()> {
        let meta = folder::read(&folder::path(&self.to, &row.id))?;
        if meta.row() == *row {
            return Ok(());
        }
        let named = |db: &Connection| crate::bug::find(db, &row.bug).map(|bug| bug.map(|bug| bug.signature));
        let signature = match named(db)? {
            Some(signature) => signature,
            None => named(&view.db)?.ok_or_else(|| Error::Unknown(format!("no bug {}", row.bug)))?,
        };
        let (bug, coarse, recipe) = (row.bug.clone(), row.coarse.clone(), row.recipe.clone());
        let meta = crate::Meta { signature, bug, coarse, recipe, found: row.found, ..meta };
        folder::rewrite_meta(&self.to, &self.files, meta).map(|_| ())
    }

    /// Removes what is beyond the limits of a group, and remembers them.
    fn thin_out(&mut self, db: &Connection, coarse: &BugId, shown: &BTreeSet<FindingId>) -> Result<()> {
        const CANDIDATES: &str = "SELECT bytes, id FROM findings WHERE coarse = ?1
             AND (kept = 1 OR id IN (SELECT id FROM thinned)) ORDER BY bytes, id LIMIT ?2";
        const ROWS: &str = "SELECT bytes, id FROM findings WHERE coarse = ?1 ORDER BY bytes, id LIMIT ?2";
        let (samples, rows) =
            (places(db, CANDIDATES, coarse, self.samples)?, places(db, ROWS, coarse, self.rows)?);
        let full = |places: &BTreeSet<Place>, most: u64| {
            places.last().cloned().filter(|_| places.len() as u64 >= most)
        };
        let (last_sample, last_row) = (full(&samples, self.samples), full(&rows, self.rows));
        let limits = Limits { samples: last_sample, rows: last_row, ..Limits::default() };
        let mut all = db.prepare_cached("SELECT bytes, id, kept FROM findings WHERE coarse = ?1")?;
        let all = all.query_map([coarse.as_str()], |row| {
            Ok(((row.get::<_, i64>(0)? as u64, row.get::<_, String>(1)?), row.get::<_, bool>(2)?))
        })?;
        for found in all.collect::<rusqlite::Result<Vec<_>>>()? {
            let ((bytes, id), kept) = found;
            let place = (bytes, FindingId::stored(id)?);
            let is_shown = shown.contains(&place.1);
            let (sample, stays) = (samples.contains(&place) || is_shown, rows.contains(&place) || is_shown);
            if kept && !sample {
                folder::remove(&folder::path(&self.to, &place.1))?;
                db.prepare_cached("UPDATE findings SET kept = 0 WHERE id = ?1")?
                    .execute([place.1.as_str()])?;
                db.prepare_cached("INSERT OR IGNORE INTO thinned VALUES (?1)")?
                    .execute([place.1.as_str()])?;
            }
            if !sample && !stays {
                db.prepare_cached("DELETE FROM findings WHERE id = ?1")?.execute([place.1.as_str()])?;
                db.prepare_cached("DELETE FROM thinned WHERE id = ?1")?.execute([place.1.as_str()])?;
            }
        }
        self.limits.insert(coarse.clone(), limits);
        Ok(())
    }

    /// Removes what is beyond the limits of any group, at the end: what is shown may have changed.
    pub fn finish(&mut self, db: &Connection, shown: &BTreeSet<FindingId>) -> Result<()> {
        let mut all = db.prepare("SELECT DISTINCT coarse FROM findings")?;
        let all = all.query_map([], |row| row.get::<_, String>(0))?;
        for coarse in all.collect::<rusqlite::Result<Vec<_>>>()? {
            self.thin_out(db, &BugId::stored(coarse)?, shown)?;
        }
        Ok(())
    }
}

fn places(db: &Connection, sql: &str, coarse: &BugId, most: u64) -> Result<BTreeSet<Place>> {
    let mut find = db.prepare_cached(sql)?;
    let rows = find.query_map((coarse.as_str(), most as i64), |row| {
        Ok((row.get::<_, i64>(0)? as u64, row.get::<_, String>(1)?))
    })?;
    rows.map(|row| row.map(|(bytes, id)| Ok((bytes, FindingId::stored(id)?)))?).collect()
}

/// Whether the folder of a finding is there. It must be complete and match the database: every finding of a merged
/// campaign was checked.
fn verify(view: &View, row: &Finding) -> Result<bool> {
    let from = view.folder(&row.id);
    if fs::symlink_metadata(&from).is_err() {
        return Ok(false);
    }
    if folder::read(&from)?.row() != *row {
        return Err(Error::damaged(&from, "it does not match the database"));
    }
    Ok(true)
}

/// The join of two records of one finding, without its folder.
fn join(known: Finding, row: &Finding) -> Finding {
    let assigned = |finding: &Finding| (finding.bug == finding.coarse, finding.bug.clone());
    let bug = assigned(&known).min(assigned(row)).1;
    let found = |finding: &Finding| (finding.found, json(&finding.recipe), finding.coarse.clone());
    let first = if found(row) < found(&known) { row.clone() } else { known };
    Finding { bug, ..first }
}

/// The order of two folders of one finding: a reduced form first, then by all files but the record.
fn content(folder: &Path) -> (bool, String) {
    let mut hash = blake3::Hasher::new();
    for path in files_below(folder) {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        if name != "meta.json" {
            hash.update(name.as_bytes()).update(&[0]);
            hash.update(&inside::read_file(&path).unwrap_or_default());
        }
    }
    (!folder.join("reduced.smt2").exists(), hash.finalize().to_hex().to_string())
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => all.extend(files_below(&entry.path())),
            _ => all.push(entry.path()),
        }
    }
    all.sort();
    all
}
