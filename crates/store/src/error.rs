//! Errors of a campaign folder, and problems that were found and repaired.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call of the store failed. A call that returns one of these has changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another process is writing in this folder.
    #[error("{} is in use by {}", smtlib::shown::path(dir), owner(*pid))]
    Locked { dir: PathBuf, pid: Option<u32> },
    /// A new campaign may not be started in the folder of another.
    #[error("{} already holds a campaign", smtlib::shown::path(dir))]
    Exists { dir: PathBuf },
    /// There is nothing to resume or read.
    #[error("{} holds no campaign", smtlib::shown::path(dir))]
    Missing { dir: PathBuf },
    /// The campaign to resume is another one.
    #[error("cannot resume: {0}")]
    Differs(crate::Difference),
    /// Written by a newer falsum.
    #[error(
        "{} has format {found}; this falsum knows formats up to {known} and will not write there",
        smtlib::shown::path(path)
    )]
    Newer { path: PathBuf, found: u32, known: u32 },
    /// The disk is full. The call may be repeated once there is space.
    #[error("no space to write {}: {why}", smtlib::shown::path(path))]
    DiskFull { path: PathBuf, why: String },
    /// A file or folder cannot be read or written for another reason.
    #[error("{}: {source}", smtlib::shown::path(path))]
    Io { path: PathBuf, source: io::Error },
    /// The contents differ from what falsum wrote. Opening the folder again for writing repairs what can be repaired.
    #[error("{} is damaged: {why}", smtlib::shown::path(path))]
    Damaged { path: PathBuf, why: String },
    /// Something that falsum never writes and does not follow: a link, a pipe, a file that is too large.
    #[error("{} is refused: {why}", smtlib::shown::path(path))]
    Refused { path: PathBuf, why: &'static str },
    /// The database fails for a reason that is neither lack of space nor damage.
    #[error("falsum.db: {0}")]
    Database(rusqlite::Error),
    /// No finding or bug has this id, or several do.
    #[error("{0}")]
    Unknown(String),
    /// The folders to merge do not belong together.
    #[error("cannot merge: {0}")]
    Merge(String),
}

fn owner(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}

impl Error {
    pub(crate) fn io(path: &Path, source: io::Error) -> Error {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        match source.kind() {
            StorageFull | QuotaExceeded => Error::DiskFull { path: path.to_owned(), why: source.to_string() },
            _ => Error::Io { path: path.to_owned(), source },
        }
    }

    pub(crate) fn damaged(path: &Path, why: impl fmt::Display) -> Error {
        Error::Damaged { path: path.to_owned(), why: why.to_string() }
    }

    /// Whether waiting for space and repeating the call may help.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Error::DiskFull { .. })
    }
}

impl From<rusqlite::Error> for Error {
    fn from(source: rusqlite::Error) -> Error {
        use rusqlite::Error as E;
        let path = PathBuf::from("falsum.db");
        match &source {
            E::SqliteFailure(failure, _) => match failure.code {
                rusqlite::ErrorCode::DiskFull => Error::DiskFull { path, why: source.to_string() },
                rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase => {
                    Error::Damaged { path, why: source.to_string() }
                }
                _ => Error::Database(source),
            },
            // Values of a wrong type or out of range were not written by us.
            E::FromSqlConversionFailure(..)
            | E::IntegralValueOutOfRange(..)
            | E::InvalidColumnType(..)
            | E::Utf8Error(..)
            | E::QueryReturnedNoRows => Error::Damaged { path, why: source.to_string() },
            _ => Error::Database(source),
        }
    }
}

/// A problem of a folder that was found when it was opened, and how it was repaired.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// Relative to the campaign folder.
    pub path: String,
    pub what: String,
    pub done: String,
}

impl Problem {
    pub(crate) fn new(path: impl Into<String>, what: impl Into<String>, done: impl Into<String>) -> Problem {
        Problem { path: path.into(), what: what.into(), done: done.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.path, self.what, self.done)
    }
}
