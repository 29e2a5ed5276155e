//! `corpus`: the sources of formulas.
//!
//! In: the seeds embedded in the program, folders that a user names, collections imported earlier. Out: [`Seed`]s,
//! each with its text, its logic, the claims about every `check-sat` in it and *the source of each claim*. It must
//! never trust a status without recording its source, never choose between two claims that contradict each other,
//! never read a file without knowing that reading it ends, and never solve anything: answers of solvers are passed to
//! this crate as arguments (see [`quarantine::judge`]).
//!
//! The files, in the order in which a seed passes through them: `outline` (logic and statuses from the text), `seed`
//! (the types), `embedded` and, on top of `walk`, `scan` (two ways to get seeds), `import` (keeping them),
//! `quarantine` (leaving some out), `stats` (counting them).

pub mod embedded;
pub mod import;
pub mod outline;
pub mod quarantine;
pub mod scan;
pub mod seed;
pub mod stats;
pub mod walk;

use std::path::PathBuf;

pub use embedded::embedded;
pub use quarantine::Quarantine;
pub use scan::{Scan, ScanLimits, SkipReason, Skipped, scan};
pub use seed::{Claim, Origin, Seed, SeedCheck, SeedId, Status, StatusSource};
pub use stats::{Feature, Stats};
pub use walk::{Found, walk};

/// An error that does not concern a single seed; a problem with one file is a [`SkipReason`] instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A path given by the user cannot be accessed.
    #[error("cannot read {}: {source}", smtlib::shown::path(path))]
    Read { path: PathBuf, source: std::io::Error },
    /// A collection or quarantine file cannot be written.
    #[error("cannot write {}: {source}", smtlib::shown::path(path))]
    Write { path: PathBuf, source: std::io::Error },
    /// The name of a collection becomes a folder name, so only plain names are accepted.
    #[error(
        "`{0}` cannot name a collection\nhint: use letters, digits, `_`, `-` and `.`, beginning with a letter or digit"
    )]
    CollectionName(String),
    /// A record could not be turned into JSON.
    #[error("cannot write a record as JSON: {0}")]
    Json(#[from] serde_json::Error),
}
