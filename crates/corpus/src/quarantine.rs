//! Seeds that are left out, and why.
//!
//! If the installed solvers already disagree on a seed, crash on it, or contradict its own status, it is a finding and
//! not a seed: every mutant of it would report the same bug again. In: opinions of solvers, or a file of earlier
//! decisions. Out: [`Quarantine`], keyed by seed id, kept as JSON Lines so that a killed program loses at most one
//! line and a user can delete a line. It must never leave a seed out without evidence, and never lose lines that it
//! could not read: they are returned with their numbers.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::seed::{Seed, SeedId, Status};

/// Why a seed is quarantined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Two targets gave sat and unsat.
    Disagree,
    /// A target crashed.
    Crash,
    /// A target contradicts a status that all claims share.
    AgainstStatus,
    /// The claims about the seed contradict each other.
    ClaimsConflict,
    /// A target is wrong about it in another way, for example with an invalid model or core.
    Wrong,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Disagree => "solvers disagree",
            Reason::Crash => "a solver crashes",
            Reason::AgainstStatus => "a solver contradicts its status",
            Reason::ClaimsConflict => "its claims contradict each other",
            Reason::Wrong => "a solver is wrong about it",
        })
    }
}

/// The reply of one target to an unchanged seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    pub target: String,
    /// One entry per check-sat that it answered, in order.
    pub answers: Vec<Status>,
    /// The crash message or signal, if it crashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<String>,
}

/// One decision, with the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub seed: SeedId,
    pub name: String,
    pub reason: Reason,
    pub evidence: Vec<Opinion>,
}

/// Decides from the answers whether a seed may be used; `None` means it may.
pub fn judge(seed: &Seed, opinions: &[Opinion]) -> Option<Entry> {
    let reason =
        crashes(opinions).or_else(|| disagreement(opinions)).or_else(|| against_status(seed, opinions));
    let reason = reason.or_else(|| seed.conflict().then_some(Reason::ClaimsConflict))?;
    Some(Entry { seed: seed.id, name: seed.name.clone(), reason, evidence: opinions.to_vec() })
}

fn crashes(opinions: &[Opinion]) -> Option<Reason> {
    opinions.iter().any(|o| o.crash.is_some()).then_some(Reason::Crash)
}

fn disagreement(opinions: &[Opinion]) -> Option<Reason> {
    let longest = opinions.iter().map(|o| o.answers.len()).max().unwrap_or(0);
    let split = |check: usize| {
        let said = |status| opinions.iter().any(|o| o.answers.get(check) == Some(&status));
        said(Status::Sat) && said(Status::Unsat)
    };
    (0..longest).any(split).then_some(Reason::Disagree)
}

fn against_status(seed: &Seed, opinions: &[Opinion]) -> Option<Reason> {
    let against =
        |known: Status, said: Status| known != said && known != Status::Unknown && said != Status::Unknown;
    let contradicts =
        |o: &Opinion| seed.statuses().zip(&o.answers).any(|(known, said)| against(known, *said));
    opinions.iter().any(contradicts).then_some(Reason::AgainstStatus)
}

/// The decisions so far.
#[derive(Clone, Debug, Default)]
pub struct Quarantine {
    entries: BTreeMap<SeedId, Entry>,
}

/// A line of a quarantine file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    pub number: usize,
    pub message: String,
}

impl Quarantine {
    /// Reads a file of decisions; a missing file is an empty quarantine.
    pub fn load(path: &Path) -> Result<(Quarantine, Vec<BadLine>), Error> {
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(Error::Read { path: path.to_owned(), source }),
        };
        let (mut quarantine, mut bad) = (Quarantine::default(), Vec::new());
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(entry) => quarantine.insert(entry),
                Err(e) => bad.push(BadLine { number: index + 1, message: e.to_string() }),
            }
        }
        Ok((quarantine, bad))
    }

    /// Adds one decision to the file and waits until it is on disk.
    pub fn append(path: &Path, entry: &Entry) -> Result<(), Error> {
        let mut line = serde_json::to_string(entry)?;
        line.push('\n');
        let write = || {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            file.write_all(line.as_bytes())?;
            file.sync_data()
        };
        write().map_err(|source| Error::Write { path: path.to_owned(), source })
    }

    pub fn insert(&mut self, entry: Entry) {
        self.entries.insert(entry.seed, entry);
    }

    pub fn get(&self, seed: &SeedId) -> Option<&Entry> {
        self.entries.get(seed)
    }

    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
