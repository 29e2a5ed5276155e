//! Makes seeds from the scripts in folders that a user names.
//!
//! In: paths, limits, the quarantine. Out: [`Scan`]: seeds in an order that depends on names only, and every path left
//! out *with its reason*. `walk` reads folders with hostile contents safely; this file decides which files to keep:
//! scripts with a check-sat, each text once, and no quarantined ones.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::outline::Malformed;
use crate::quarantine::Quarantine;
use crate::seed::{Origin, Seed, SeedId};
use crate::walk::{Found, walk};

/// Limits of a scan.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// Larger files are skipped.
    pub file_bytes: u64,
    /// When the seeds have this total size, the rest is skipped.
    pub total_bytes: u64,
    /// Folders nested deeper are skipped.
    pub depth: usize,
}

impl Default for ScanLimits {
    fn default() -> Self {
        ScanLimits { file_bytes: 1 << 20, total_bytes: 1 << 30, depth: 64 }
    }
}

/// Why a path gave no seed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    #[error("not a regular file but a {0}")]
    NotRegular(&'static str),
    #[error("{bytes} bytes, over the limit of {limit}")]
    TooLarge { bytes: u64, limit: u64 },
    #[error("the scan already holds {limit} bytes of seeds")]
    TooMuch { limit: u64 },
    #[error("folders nested deeper than {limit}")]
    TooDeep { limit: usize },
    #[error("a symbolic link that leads back to itself")]
    LinkLoop,
    #[error("a link to a missing file")]
    BrokenLink,
    #[error("the same folder as {}", smtlib::shown::path(.0))]
    SameFolder(PathBuf),
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("the name does not end in .smt2")]
    NotSmt2,
    #[error("hidden")]
    Hidden,
    #[error("not a script: {0}")]
    NotAScript(#[from] Malformed),
    #[error("there is no check-sat")]
    AsksNothing,
    #[error("the same text as {0}")]
    Duplicate(String),
    #[error("quarantined: {0}")]
    Quarantined(String),
}

/// A path that gave no seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    pub path: PathBuf,
    pub reason: SkipReason,
}

/// The result of a scan.
#[derive(Debug, Default)]
pub struct Scan {
    pub seeds: Vec<Seed>,
    pub skipped: Vec<Skipped>,
}

/// Scans files and folders in the order given, each folder in the order of names. A file named explicitly may have any
/// extension; within folders only `.smt2` files are read.
pub fn scan<P: AsRef<Path>>(paths: &[P], limits: &ScanLimits, quarantine: &Quarantine) -> Scan {
    let mut scanner = Scanner { limits, quarantine, out: Scan::default(), by_id: BTreeMap::new(), bytes: 0 };
    for found in walk(paths, limits) {
        let taken = found.and_then(|found| {
            scanner.take(&found).map_err(|reason| Skipped { path: found.path.clone(), reason })
        });
        scanner.out.skipped.extend(taken.err());
    }
    scanner.out
}

struct Scanner<'a> {
    limits: &'a ScanLimits,
    quarantine: &'a Quarantine,
    out: Scan,
    by_id: BTreeMap<SeedId, usize>,
    bytes: u64,
}

impl Scanner<'_> {
    /// Makes a seed from a file.
    fn take(&mut self, found: &Found) -> Result<(), SkipReason> {
        if self.bytes.saturating_add(found.bytes) > self.limits.total_bytes {
            return Err(SkipReason::TooMuch { limit: self.limits.total_bytes });
        }
        let text = found.read(self.limits.file_bytes)?;
        self.bytes += text.len() as u64;
        let name = found.name().to_string_lossy().into_owned();
        let seed = Seed::new(name, Origin::File(found.path.clone()), Cow::Owned(text))?;
        self.keep(seed, &found.path)
    }

    fn keep(&mut self, mut seed: Seed, path: &Path) -> Result<(), SkipReason> {
        if seed.checks.is_empty() {
            return Err(SkipReason::AsksNothing);
        }
        if let Some(entry) = self.quarantine.get(&seed.id) {
            return Err(SkipReason::Quarantined(entry.reason.to_string()));
        }
        seed.claim_by_folder(path);
        if let Some(&earlier) = self.by_id.get(&seed.id) {
            // The copy may be in another folder, which makes another claim: keep its claims, but not its text.
            let first = &mut self.out.seeds[earlier];
            first.merge_claims(&seed.checks);
            return Err(SkipReason::Duplicate(first.name.clone()));
        }
        self.by_id.insert(seed.id, self.out.seeds.len());
        self.out.seeds.push(seed);
        Ok(())
    }
}
