//! Walks folders a user names and makes seeds of the scripts in them.
//!
//! In: paths, limits, the quarantine. Out: [`Scan`]: seeds in an order that depends on names only, and every path left
//! out *with its reason*. A corpus folder is hostile until proven otherwise: FIFOs, devices, links to `/dev/zero`,
//! link loops and huge files are recognised by looking, before anything is opened; the open itself is non-blocking
//! and checked again, in case the file was swapped in between; reading is cut at the limit in case it grows.
//! It must never hang, never follow a link twice into the same folder, never use a file's name as anything but a path.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::outline::Malformed;
use crate::quarantine::Quarantine;
use crate::seed::{Origin, Seed, SeedId};

/// How much a scan may take in.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// Larger files are skipped.
    pub file_bytes: u64,
    /// Once the seeds hold this much, the rest is skipped.
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
    #[error("a link that leads nowhere")]
    BrokenLink,
    #[error("the same folder as {}", .0.display())]
    SameFolder(PathBuf),
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("the name does not end in .smt2")]
    NotSmt2,
    #[error("hidden")]
    Hidden,
    #[error("not a script: {0}")]
    NotAScript(#[from] Malformed),
    #[error("asks nothing: there is no check-sat")]
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

/// What a walk found.
#[derive(Debug, Default)]
pub struct Scan {
    pub seeds: Vec<Seed>,
    pub skipped: Vec<Skipped>,
}

/// Scans files and folders in the order given, each folder in the order of names. A file named explicitly may have
/// any extension; within folders only `.smt2` counts.
pub fn scan<P: AsRef<Path>>(paths: &[P], limits: &ScanLimits, quarantine: &Quarantine) -> Scan {
    let mut walk = Walk {
        limits,
        quarantine,
        out: Scan::default(),
        by_id: BTreeMap::new(),
        folders: BTreeMap::new(),
        bytes: 0,
    };
    for path in paths {
        walk.root(path.as_ref());
    }
    walk.out
}

struct Walk<'a> {
    limits: &'a ScanLimits,
    quarantine: &'a Quarantine,
    out: Scan,
    by_id: BTreeMap<SeedId, usize>,
    /// Folders entered so far by device and inode: a second way in is a loop or a repetition.
    folders: BTreeMap<(u64, u64), PathBuf>,
    bytes: u64,
}

impl Walk<'_> {
    fn root(&mut self, root: &Path) {
        // Paths still to visit, with their depth; the last is next, so folders are pushed in reverse order.
        let mut pending = vec![(root.to_owned(), 0)];
        while let Some((path, depth)) = pending.pop() {
            let visited = self.visit(root, &path, depth);
            match visited {
                Ok(inside) => pending.extend(inside.into_iter().rev().map(|p| (p, depth + 1))),
                Err(reason) => self.out.skipped.push(Skipped { path, reason }),
            }
        }
    }

    /// Takes one path: a folder gives its sorted contents, a file becomes a seed.
    fn visit(&mut self, root: &Path, path: &Path, depth: usize) -> Result<Vec<PathBuf>, SkipReason> {
        if depth > 0 && path.file_name().is_some_and(|n| n.as_encoded_bytes().starts_with(b".")) {
            return Err(SkipReason::Hidden);
        }
        let meta = fs::metadata(path).map_err(|e| lookup_failure(path, &e))?;
        if meta.is_dir() {
            return self.enter(path, &meta, depth);
        }
        if !meta.is_file() {
            return Err(SkipReason::NotRegular(kind_of(&meta)));
        }
        if depth > 0 && path.extension().is_none_or(|e| e != "smt2") {
            return Err(SkipReason::NotSmt2);
        }
        let text = self.read(path, &meta)?;
        let name = path.strip_prefix(root).ok().filter(|p| !p.as_os_str().is_empty()).unwrap_or(path);
        let seed =
            Seed::new(name.to_string_lossy().into_owned(), Origin::File(path.to_owned()), Cow::Owned(text))?;
        self.keep(seed, path).map(|()| Vec::new())
    }

    fn enter(&mut self, path: &Path, meta: &Metadata, depth: usize) -> Result<Vec<PathBuf>, SkipReason> {
        if depth > self.limits.depth {
            return Err(SkipReason::TooDeep { limit: self.limits.depth });
        }
        if let Some(earlier) = self.folders.get(&(meta.dev(), meta.ino())) {
            let inside = path
                .canonicalize()
                .is_ok_and(|real| path.ancestors().skip(1).any(|a| a == real || same(a, meta)));
            return Err(if inside { SkipReason::LinkLoop } else { SkipReason::SameFolder(earlier.clone()) });
        }
        self.folders.insert((meta.dev(), meta.ino()), path.to_owned());
        let listing = fs::read_dir(path)
            .and_then(|entries| entries.map(|e| Ok(e?.path())).collect::<io::Result<Vec<_>>>());
        let mut inside = listing.map_err(|e| SkipReason::Unreadable(e.to_string()))?;
        inside.sort();
        Ok(inside)
    }

    fn read(&mut self, path: &Path, meta: &Metadata) -> Result<Vec<u8>, SkipReason> {
        let limit = self.limits.file_bytes;
        if meta.len() > limit {
            return Err(SkipReason::TooLarge { bytes: meta.len(), limit });
        }
        if self.bytes.saturating_add(meta.len()) > self.limits.total_bytes {
            return Err(SkipReason::TooMuch { limit: self.limits.total_bytes });
        }
        let file = open(path)?;
        let mut text = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0));
        let read = file.take(limit.saturating_add(1)).read_to_end(&mut text);
        let bytes = read.map_err(|e| SkipReason::Unreadable(e.to_string()))? as u64;
        if bytes > limit {
            return Err(SkipReason::TooLarge { bytes, limit });
        }
        self.bytes += bytes;
        Ok(text)
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
            // The copy may lie in another folder and so claim something else: keep its claims, not its text.
            let first = &mut self.out.seeds[earlier];
            first.merge_claims(&seed.checks);
            return Err(SkipReason::Duplicate(first.name.clone()));
        }
        self.by_id.insert(seed.id, self.out.seeds.len());
        self.out.seeds.push(seed);
        Ok(())
    }
}

/// Opens without waiting for the other end of a FIFO that took the file's place, and looks again.
fn open(path: &Path) -> Result<File, SkipReason> {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path);
    let file = file.map_err(|e| SkipReason::Unreadable(e.to_string()))?;
    let meta = file.metadata().map_err(|e| SkipReason::Unreadable(e.to_string()))?;
    if meta.is_file() { Ok(file) } else { Err(SkipReason::NotRegular(kind_of(&meta))) }
}

fn lookup_failure(path: &Path, error: &io::Error) -> SkipReason {
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        SkipReason::LinkLoop
    } else if error.kind() == io::ErrorKind::NotFound && path.is_symlink() {
        SkipReason::BrokenLink
    } else {
        SkipReason::Unreadable(error.to_string())
    }
}

fn same(path: &Path, meta: &Metadata) -> bool {
    fs::metadata(path).is_ok_and(|m| (m.dev(), m.ino()) == (meta.dev(), meta.ino()))
}

fn kind_of(meta: &Metadata) -> &'static str {
    let kind = meta.file_type();
    if kind.is_fifo() {
        "FIFO"
    } else if kind.is_socket() {
        "socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "device"
    } else {
        "special file"
    }
}
