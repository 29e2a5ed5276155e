//! Reading a campaign, also while another process hunts in it. Takes no lock and writes nothing.

use crate::bug::{self, Bug};
use crate::campaign::Campaign;
use crate::commit::{ALL, CaseHash};
use crate::cursor::Ranges;
use crate::database;
use crate::error::{Error, Problem, Result};
use crate::event::Stamped;
use crate::finding::{self, Finding, FindingId, Meta};
use crate::folder;
use crate::inside::{self, Inside};
use crate::journal;
use crate::rebuild;
use crate::state::{Scope, State};
use crate::store::Store;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A campaign folder, open for reading.
pub struct View {
    pub(crate) dir: PathBuf,
    pub(crate) db: Connection,
    pub(crate) campaign: Campaign,
    pub(crate) problems: Vec<Problem>,
}

/// A case that was judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseRow {
    pub strategy: Arc<str>,
    pub unit: u64,
    pub step: u64,
    pub hash: CaseHash,
    pub verdict: Arc<str>,
}

impl Store {
    /// Opens a folder for reading. Works while another process writes, and on a newer format as far as it can be
    /// understood.
    pub fn read(dir: &Path) -> Result<View> {
        View::open(dir)
    }
}

impl View {
    pub fn open(dir: &Path) -> Result<View> {
        inside::own(dir)?;
        let written = rebuild::read_campaign(dir);
        if !database::path(dir).exists() {
            return match written {
                Ok(_) => Err(Error::damaged(&database::path(dir), "it is missing")),
                Err(_) => Err(Error::Missing { dir: dir.to_owned() }),
            };
        }
        let db = database::open_to_read(dir)?;
        let mut problems = Vec::new();
        let campaign = match written {
            Ok(campaign) => campaign,
            Err(error) => {
                problems.push(Problem::new(rebuild::CAMPAIGN, error.to_string(), "read from the database"));
                rebuild::stored_campaign(&db)?
            }
        };
        Ok(View { dir: dir.to_owned(), db, campaign, problems })
    }

    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Problems of the folder.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// All bugs, worst first.
    pub fn bugs(&self) -> Result<Vec<Bug>> {
        bug::all(&self.db)
    }

    /// All findings with a row, oldest first.
    pub fn findings(&self) -> Result<Vec<Finding>> {
        finding::all(&self.db)
    }

    /// The one finding whose id has this prefix; for a bug's id, its representative.
    pub fn finding(&self, prefix: &str) -> Result<Finding> {
        let mut matches: Vec<Finding> =
            self.findings()?.into_iter().filter(|finding| finding.id.0.starts_with(prefix)).collect();
        if matches.is_empty() {
            let bugs = self.bugs()?.into_iter().filter(|bug| bug.id.0.starts_with(prefix));
            for bug in bugs {
                matches.extend(finding::find(&self.db, &bug.representative)?);
            }
        }
        match (matches.pop(), matches.len()) {
            (Some(finding), 0) => Ok(finding),
            (Some(_), more) => Err(Error::Unknown(format!("{} findings begin with `{prefix}`", more + 1))),
            (None, _) => Err(Error::Unknown(format!("no finding begins with `{prefix}`"))),
        }
    }

    pub fn folder(&self, id: &FindingId) -> PathBuf {
        folder::path(&self.dir, id)
    }

    /// The other scripts of a finding's case, each with its role.
    pub fn partners(&self, meta: &Meta) -> Result<Vec<(strategy::Role, Vec<u8>)>> {
        let folder = self.folder(&meta.id);
        let read = |partner: &crate::finding::Partner| {
            Ok((partner.role.clone(), inside::read(&folder, &partner.file)?))
        };
        meta.partners.iter().map(read).collect()
    }

    /// All information about a finding with a folder.
    pub fn meta(&self, id: &FindingId) -> Result<Meta> {
        folder::read(&self.folder(id))
    }

    /// A file in the folder of a finding. A name that leads outside, a link or a file that is too large is an error.
    pub fn file(&self, id: &FindingId, name: &str) -> Result<Vec<u8>> {
        let inside = Inside::parse(name);
        let name = inside.ok_or_else(|| Error::Unknown(format!("a finding has no file {name:?}")))?;
        inside::read(&self.folder(id), &name)
    }

    /// The recorded cases, by strategy, unit and step.
    pub fn cases(&self) -> Result<Vec<CaseRow>> {
        let state = State::load(&self.db)?;
        let mut all = self.db.prepare("SELECT strategy, unit, step, hash, verdict FROM cases")?;
        let mut rows = all.query([])?;
        let mut cases = Vec::new();
        while let Some(row) = rows.next()? {
            cases.push(CaseRow {
                strategy: state.words.word(row.get(0)?)?.clone(),
                unit: row.get::<_, i64>(1)? as u64,
                step: row.get::<_, i64>(2)? as u64,
                hash: CaseHash(row.get(3)?),
                verdict: state.words.word(row.get(4)?)?.clone(),
            });
        }
        cases.sort();
        Ok(cases)
    }

    /// A counter of the command's own.
    pub fn count(&self, name: &str) -> Result<u64> {
        Ok(State::load(&self.db)?.counter(Scope::Campaign, ALL, name))
    }

    /// The units of one lane of a strategy that are done, as numbers within the lane.
    pub fn cursor(&self, strategy: &str, lane: u64) -> Result<Ranges> {
        Ok(State::load(&self.db)?.cursor(strategy, lane))
    }

    /// Visits the events, oldest first; returns how many lines were not events.
    pub fn events(&self, each: impl FnMut(Stamped)) -> Result<u64> {
        journal::read(&self.dir, each)
    }
}
