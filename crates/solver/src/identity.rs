//! Whether the program of a target is still the one that the campaign began with.
//!
//! Comes in: a target, once at the beginning and then before every question. Goes out: nothing, or why the target
//! cannot be trusted any more. What is compared first is what a `stat` tells (a microsecond each); only if that
//! differs is the content hashed, so a file that was merely touched stays. It must never let an answer of another
//! program pass under the recorded hash.

use crate::home::{LIBRARIES, Release};
use crate::target::Target;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What runs, as it was.
#[derive(Debug)]
pub(crate) struct Identity {
    files: Vec<PathBuf>,
    seen: Mutex<Vec<Option<Stamp>>>,
}

/// Enough to notice a file that was written, replaced or moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    mode: u32,
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let data = std::fs::metadata(path).ok()?;
        Some(Stamp {
            device: data.dev(),
            inode: data.ino(),
            size: data.size(),
            modified: (data.mtime(), data.mtime_nsec()),
            mode: data.mode(),
        })
    }
}

impl Identity {
    pub(crate) fn of(target: &Target) -> Identity {
        let mut files = vec![target.path.clone()];
        files.extend(libraries(&target.path));
        let seen = Mutex::new(files.iter().map(|f| Stamp::of(f)).collect());
        Identity { files, seen }
    }

    /// Why the target is not what it was; `None` while it is.
    pub(crate) fn changed(&self, target: &Target) -> Option<String> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = || self.files.iter().map(|f| Stamp::of(f));
        if now().eq(seen.iter().copied()) {
            return None;
        }
        if let Some(gone) = self.files.iter().find(|f| !f.exists()) {
            return Some(format!("{} is gone", gone.display()));
        }
        if Stamp::of(&target.path).is_some_and(|s| s.mode & 0o111 == 0) {
            return Some(format!("{} cannot be executed any more", target.path.display()));
        }
        if !target.is_unchanged() {
            return Some(format!("{} was replaced while it was in use", target.path.display()));
        }
        *seen = now().collect();
        None
    }
}

/// The libraries of a release that has its solver in them.
fn libraries(program: &Path) -> Vec<PathBuf> {
    let release = program.parent().filter(|f| Release::open(f).is_ok());
    let folder = release.map(|f| f.join(LIBRARIES)).unwrap_or_default();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|f| f.is_file());
    files.sort();
    files
}
