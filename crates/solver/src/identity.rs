//! Checks that the program of a target is the one that was installed, and still the one that the campaign began with.
//!
//! In: a target, once at the beginning and then before every query. Out: nothing, or why the target cannot be trusted
//! any more. First the metadata from `stat` is compared (a microsecond each), including the inode's change time, which
//! no program can set back; only if that differs is the content hashed, so a file that was merely touched is still
//! accepted. For an installed release the first query compares with its record: the metadata at the time when the
//! content was last found right is stored in the home, so that a release of 50 MB is hashed once after it was installed
//! and not in every run. An answer of another program must never be recorded under this hash.

use crate::home::Release;
use crate::target::Target;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The program at the beginning.
#[derive(Debug)]
pub(crate) struct Identity {
    files: Vec<PathBuf>,
    seen: Mutex<Vec<Option<Stamp>>>,
    /// The record of an installed release, with which its content is compared at the first query.
    release: Option<Release>,
    checked: std::sync::atomic::AtomicBool,
}

/// Enough to notice a file that was written, replaced or moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
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
            changed: (data.ctime(), data.ctime_nsec()),
            mode: data.mode(),
        })
    }
}

impl Identity {
    pub(crate) fn of(target: &Target) -> Identity {
        let release = target.path.parent().and_then(|folder| Release::open(folder).ok());
        let files =
            release.as_ref().and_then(|r| r.files().ok()).unwrap_or_else(|| vec![target.path.clone()]);
        let seen = Mutex::new(files.iter().map(|f| Stamp::of(f)).collect());
        Identity { files, seen, release, checked: false.into() }
    }

    /// Why the target has changed; `None` while it has not.
    pub(crate) fn changed(&self, target: &Target) -> Option<String> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = || self.files.iter().map(|f| Stamp::of(f)).collect::<Vec<_>>();
        let first = !self.checked.swap(true, std::sync::atomic::Ordering::SeqCst);
        let same = now() == *seen;
        if same && !first {
            return None;
        }
        if let Some(gone) = self.files.iter().find(|f| !f.exists()) {
            return Some(format!("{} is gone", gone.display()));
        }
        if Stamp::of(&target.path).is_some_and(|s| s.mode & 0o111 == 0) {
            return Some(format!("{} cannot be executed any more", target.path.display()));
        }
        let stamps = now();
        match &self.release {
            Some(release) if release.record.hash == target.hash && is_noted(release, &stamps) => {}
            Some(release) => {
                if !release.current_hash().is_ok_and(|hash| hash == target.hash) {
                    return Some(format!("{} is not what was installed", target.path.display()));
                }
                note(release, &stamps);
            }
            None if !same && !target.is_unchanged() => {
                return Some(format!("{} was replaced while it was in use", target.path.display()));
            }
            None => {}
        }
        *seen = stamps;
        None
    }
}

/// Where it is noted that a release was found right: beside the folder of releases, which are never written to.
fn note_file(release: &Release) -> Option<PathBuf> {
    let name = release.folder.file_name()?;
    Some(release.folder.parent()?.parent()?.join("checked").join(name))
}

fn noted(release: &Release, stamps: &[Option<Stamp>]) -> String {
    format!("{} {stamps:?}", release.record.hash)
}

fn is_noted(release: &Release, stamps: &[Option<Stamp>]) -> bool {
    let text = note_file(release).and_then(|path| std::fs::read_to_string(path).ok());
    text.is_some_and(|text| text == noted(release, stamps))
}

/// If the note cannot be written, the next run takes a moment longer.
fn note(release: &Release, stamps: &[Option<Stamp>]) {
    let Some(path) = note_file(release) else { return };
    let draft = path.with_file_name(format!(".{}-{}", release.label(), std::process::id()));
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
        std::fs::write(&draft, noted(release, stamps))?;
        std::fs::rename(&draft, &path)
    };
    let _ = write();
}
