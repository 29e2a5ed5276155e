//! A finding: one confirmed trigger. Its input, its `meta.json` and its row.
//!
//! Its id is a hash of kind, culprits and script, so that the same finding added twice, before and after a crash or on
//! two machines, is stored once.

use crate::bug::{BugId, json, kind, parse};
use crate::error::{Error, Result};
use crate::inside::{Inside, is_id};
use crate::script::Invocation;
use oracle::{Accusation, Evidence, FindingKind};
use rusqlite::{Connection, OptionalExtension, Row};
use serde::{Deserialize, Serialize};
use solver::Reply;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use strategy::{Case, Expect, Question, Recipe, Relation, Role};
use triage::{Rate, Symptom};

/// `f-` and 16 hexadecimal digits.
///
/// It names a folder, so it is checked whenever it is read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FindingId(pub(crate) String);

impl TryFrom<String> for FindingId {
    type Error = String;

    fn try_from(name: String) -> std::result::Result<FindingId, String> {
        FindingId::parse(&name).ok_or_else(|| format!("{name:?} is not the id of a finding"))
    }
}

impl From<FindingId> for String {
    fn from(id: FindingId) -> String {
        id.0
    }
}

impl FindingId {
    pub fn of(kind: FindingKind, culprits: &[String], script: &[u8]) -> FindingId {
        let mut culprits: Vec<&str> = culprits.iter().map(String::as_str).collect();
        culprits.sort_unstable();
        let mut hash = blake3::Hasher::new();
        for part in [kind.word()].iter().chain(&culprits) {
            hash.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        hash.update(&u64::MAX.to_le_bytes()).update(script);
        FindingId(format!("f-{}", &hash.finalize().to_hex()[..16]))
    }

    /// The id with this text, if it is one.
    pub fn parse(text: &str) -> Option<FindingId> {
        is_id(text, "f-").then(|| FindingId(text.to_owned()))
    }

    /// The id in a column of the database.
    pub(crate) fn stored(text: String) -> Result<FindingId> {
        FindingId::try_from(text).map_err(|why| Error::damaged(Path::new("falsum.db"), why))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A finding to be stored.
#[derive(Clone, Debug)]
pub struct NewFinding {
    pub accusation: Accusation,
    /// The symptom that must show again for it to be the same bug.
    pub symptom: Option<Symptom>,
    /// In how many fresh runs it showed, where it was repeated.
    pub rate: Option<Rate>,
    /// The case with all its questions; the accusation says which one shows it.
    pub case: Case,
    /// The reply of each target to each question.
    pub replies: Vec<Reply>,
    /// The signature of the bug: findings with one signature are one bug.
    pub signature: String,
    /// How each target was called, for `run.sh`.
    pub commands: Vec<Invocation>,
    /// Commands to paste if its bug is new.
    pub follow_up: Vec<String>,
}

impl NewFinding {
    pub fn id(&self) -> FindingId {
        FindingId::of(self.accusation.kind, self.accusation.culprits(), self.script())
    }

    /// The question that shows it.
    pub fn question(&self) -> &Question {
        self.case.questions.get(self.accusation.at.question).unwrap_or_else(|| self.case.formula())
    }

    /// The text of the question that shows it.
    pub fn script(&self) -> &[u8] {
        self.question().script.text()
    }
}

/// The contents of `meta.json`: all information about a finding, except the files beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    pub format: u32,
    pub id: FindingId,
    pub bug: BugId,
    /// The signature before triage.
    pub coarse: BugId,
    pub kind: FindingKind,
    pub culprits: Vec<String>,
    pub signature: String,
    /// Which check-sat of the script.
    pub check: usize,
    /// The right answer, where it is known.
    pub truth: Option<bool>,
    pub evidence: Vec<Evidence>,
    /// The symptom that must show again for it to be the same bug.
    #[serde(default)]
    pub symptom: Option<Symptom>,
    /// In how many fresh runs it showed, where it was repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// The role of `formula.smt2` in its case.
    #[serde(default = "formula")]
    pub role: Role,
    /// The other scripts of the case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<Partner>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<Relation>,
    pub answers: Vec<MetaAnswer>,
    /// What was expected of the formula, per check-sat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expects: Vec<Option<Expect>>,
    pub recipe: Recipe,
    pub commands: Vec<Invocation>,
    /// Milliseconds since 1970.
    pub found: u64,
    /// The version of falsum that found it.
    pub falsum: String,
    /// Size of the formula.
    pub bytes: u64,
    /// BLAKE3 of the files written with it.
    pub files: BTreeMap<Inside, String>,
    /// BLAKE3 of this document with an empty seal.
    pub seal: String,
}

fn formula() -> Role {
    Role::Formula
}

/// Another script of the same case, beside `formula.smt2`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partner {
    pub role: Role,
    /// Its file in the finding's folder.
    pub file: Inside,
}

/// The answer of one target to `formula.smt2`, and the files with its output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetaAnswer {
    pub target: String,
    pub answer: String,
    pub ended: String,
    pub micros: u64,
    pub stdout: Inside,
    pub stderr: Inside,
}

impl Meta {
    /// The document, sealed.
    pub(crate) fn sealed(mut self) -> (Meta, Vec<u8>) {
        self.seal = self.hash();
        let mut text = serde_json::to_vec_pretty(&self).unwrap_or_default();
        text.push(b'\n');
        (self, text)
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.seal == self.hash() && self.bug == BugId::of(&self.signature)
    }

    fn hash(&self) -> String {
        let open = Meta { seal: String::new(), ..self.clone() };
        blake3::hash(&serde_json::to_vec(&open).unwrap_or_default()).to_hex().to_string()
    }

    /// The row for a finding with a folder.
    pub(crate) fn row(&self) -> Finding {
        Finding {
            id: self.id.clone(),
            bug: self.bug.clone(),
            coarse: self.coarse.clone(),
            kind: self.kind,
            culprits: self.culprits.clone(),
            recipe: self.recipe.clone(),
            bytes: self.bytes,
            found: self.found,
            kept: true,
        }
    }
}

/// A finding as the database knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub id: FindingId,
    pub bug: BugId,
    /// The signature before triage.
    #[serde(skip)]
    pub coarse: BugId,
    pub kind: FindingKind,
    pub culprits: Vec<String>,
    pub recipe: Recipe,
    /// Size of the formula.
    pub bytes: u64,
    /// Milliseconds since 1970.
    pub found: u64,
    /// Whether `findings/<id>/` exists; otherwise it can be rebuilt from the recipe.
    pub kept: bool,
}

const COLUMNS: &str = "id, bug, kind, culprits, recipe, bytes, found, kept, coarse";

pub(crate) fn find(db: &Connection, id: &FindingId) -> Result<Option<Finding>> {
    let mut find = db.prepare_cached(&format!("SELECT {COLUMNS} FROM findings WHERE id = ?1"))?;
    find.query_row([&id.0], |row| Ok(read(row))).optional()?.transpose()
}

/// All findings with a row, oldest first.
pub(crate) fn all(db: &Connection) -> Result<Vec<Finding>> {
    let mut all = db.prepare_cached(&format!("SELECT {COLUMNS} FROM findings ORDER BY found, id"))?;
    let mut rows = all.query([])?;
    let mut findings = Vec::new();
    while let Some(row) = rows.next()? {
        findings.push(read(row)?);
    }
    Ok(findings)
}

/// Visits all findings with a row, one at a time.
pub(crate) fn each(db: &Connection, visit: &mut dyn FnMut(Finding) -> Result<()>) -> Result<()> {
    visit_all(db, "ORDER BY id", visit)
}

/// The same, of those with a folder.
pub(crate) fn each_kept(db: &Connection, visit: &mut dyn FnMut(Finding) -> Result<()>) -> Result<()> {
    visit_all(db, "WHERE kept = 1 ORDER BY found, id", visit)
}

fn visit_all(db: &Connection, which: &str, visit: &mut dyn FnMut(Finding) -> Result<()>) -> Result<()> {
    let mut all = db.prepare(&format!("SELECT {COLUMNS} FROM findings {which}"))?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        visit(read(row)?)?;
    }
    Ok(())
}

pub(crate) fn put(db: &Connection, finding: &Finding) -> Result<()> {
    let mut put =
        db.prepare_cached("INSERT OR REPLACE INTO findings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?;
    put.execute((
        &finding.id.0,
        &finding.bug.0,
        &finding.coarse.0,
        finding.kind.word(),
        json(&finding.culprits),
        json(&finding.recipe),
        finding.bytes as i64,
        finding.found as i64,
        finding.kept,
    ))?;
    Ok(())
}

/// All findings of a bug that came with one coarse signature.
pub(crate) fn of_coarse(db: &Connection, bug: &BugId, coarse: &BugId) -> Result<Vec<Finding>> {
    let sql = format!("SELECT {COLUMNS} FROM findings WHERE bug = ?1 AND coarse = ?2 ORDER BY id");
    let mut all = db.prepare_cached(&sql)?;
    let mut rows = all.query([&bug.0, &coarse.0])?;
    let mut findings = Vec::new();
    while let Some(row) = rows.next()? {
        findings.push(read(row)?);
    }
    Ok(findings)
}

/// How many findings with a coarse signature have a folder, and how many bugs they turned out to be.
pub(crate) fn samples(db: &Connection, coarse: &BugId) -> Result<(u64, u64)> {
    let sql = "SELECT count(*), count(DISTINCT bug) FROM findings WHERE coarse = ?1 AND kept = 1";
    let mut count = db.prepare_cached(sql)?;
    let (kept, bugs): (i64, i64) = count.query_row([&coarse.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((kept as u64, bugs as u64))
}

/// How many findings of a bug have a folder.
pub(crate) fn kept(db: &Connection, bug: &BugId) -> Result<u64> {
    let mut count = db.prepare_cached("SELECT count(*) FROM findings WHERE bug = ?1 AND kept = 1")?;
    Ok(count.query_row([&bug.0], |row| row.get::<_, i64>(0))? as u64)
}

/// The smallest finding of a bug that has a folder.
pub(crate) fn smallest(db: &Connection, bug: &BugId) -> Result<Option<FindingId>> {
    let sql = "SELECT id FROM findings WHERE bug = ?1 AND kept = 1 ORDER BY bytes, id LIMIT 1";
    let mut least = db.prepare_cached(sql)?;
    least.query_row([&bug.0], |row| row.get(0)).optional()?.map(FindingId::stored).transpose()
}

fn read(row: &Row<'_>) -> Result<Finding> {
    Ok(Finding {
        id: FindingId::stored(row.get(0)?)?,
        bug: BugId::stored(row.get(1)?)?,
        kind: kind(&row.get::<_, String>(2)?)?,
        culprits: parse(&row.get::<_, String>(3)?)?,
        recipe: parse(&row.get::<_, String>(4)?)?,
        bytes: row.get::<_, i64>(5)? as u64,
        found: row.get::<_, i64>(6)? as u64,
        kept: row.get(7)?,
        coarse: BugId::stored(row.get(8)?)?,
    })
}
