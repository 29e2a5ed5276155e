//! Every write of the store goes through here, so that a test can make each of them fail.
//!
//! An important file is written under a temporary name, synced and renamed: it exists completely or not at all. This
//! file does not depend on the meaning of the bytes.

use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Nothing is written through a link.
pub(crate) const NO_LINK: i32 = rustix::fs::OFlags::NOFOLLOW.bits() as i32;

/// Called before every write. The real disk always permits it (and may fail later by itself); a test may refuse.
pub trait Disk: Send + Sync {
    /// `write` says what is about to be written. The write fails with the error that this returns.
    fn before(&self, write: &str) -> io::Result<()>;
}

/// The disk as it is.
pub struct RealDisk;

impl Disk for RealDisk {
    fn before(&self, _write: &str) -> io::Result<()> {
        Ok(())
    }
}

/// Writes files in ways that survive a kill.
#[derive(Clone)]
pub(crate) struct Files {
    disk: Arc<dyn Disk>,
}

impl Files {
    pub fn new(disk: Arc<dyn Disk>) -> Files {
        Files { disk }
    }

    /// Requests permission for a write that is done elsewhere (by the database).
    pub fn permit(&self, path: &Path, write: &str) -> Result<()> {
        self.disk.before(write).map_err(|error| Error::io(path, error))
    }

    pub fn make_folder(&self, path: &Path) -> Result<()> {
        self.permit(path, "folder")?;
        fs::create_dir_all(path).map_err(|error| Error::io(path, error))
    }

    /// Writes a new file and waits until it is on disk.
    pub fn write(&self, path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
        let open = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(mode)
            .custom_flags(NO_LINK)
            .open(path);
        let mut file = open.map_err(|error| Error::io(path, error))?;
        self.put(&mut file, bytes).and_then(|()| file.sync_all()).map_err(|error| Error::io(path, error))
    }

    /// Appends to an open file. On failure some of the bytes may have been written.
    pub fn put(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        if let Err(refused) = self.disk.before("file") {
            // A disk that fills up accepts some of the bytes first.
            file.write_all(&bytes[..bytes.len() / 2])?;
            return Err(refused);
        }
        file.write_all(bytes)
    }

    /// Replaces a whole file: a reader sees the old one or the new one.
    pub fn replace(&self, path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
        let beside = beside(path);
        let done = self.write(&beside, bytes, mode).and_then(|()| self.rename(&beside, path));
        if done.is_err() {
            let _ = fs::remove_file(&beside);
        }
        done
    }

    /// Renames and waits until the new name is on disk.
    pub fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.permit(to, "rename")?;
        fs::rename(from, to).map_err(|error| Error::io(to, error))?;
        to.parent().map_or(Ok(()), sync_folder)
    }
}

fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.new"))
}

/// Waits until the names in a folder are on disk.
pub(crate) fn sync_folder(path: &Path) -> Result<()> {
    let folder = File::open(path).map_err(|error| Error::io(path, error))?;
    folder.sync_all().map_err(|error| Error::io(path, error))
}

/// The first `NAME.corrupt-N` (or another such ending) that is free.
pub(crate) fn free_name(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    (1u64..)
        .map(|n| path.with_file_name(format!("{name}.{ending}-{n}")))
        .find(|path| !path.exists())
        .unwrap_or_else(|| unreachable!("a folder has fewer than 2^64 names"))
}

/// How many bytes a user may still write to the file system that holds `path`.
pub(crate) fn free_bytes(path: &Path) -> Result<u64> {
    let space = rustix::fs::statvfs(path).map_err(|error| Error::io(path, error.into()))?;
    Ok(space.f_bavail.saturating_mul(space.f_frsize))
}
