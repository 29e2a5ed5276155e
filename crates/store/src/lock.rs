//! One writer per folder.
//!
//! A kernel lock on `lock` decides; the number in the file only shows which process holds it, so a number left by a
//! dead process means nothing. The kernel releases the lock with the process, however it ends, and children do not
//! inherit it because the descriptor is closed on exec.

use crate::disk::NO_LINK;
use crate::error::{Error, Result};
use crate::inside;
use rustix::fs::{FlockOperation, flock};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

const NAME: &str = "lock";
/// A process that checks whether a writer is alive holds the lock for a moment; wait for that.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(10);

/// Held as long as it lives.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub fn take(dir: &Path) -> Result<Lock> {
        let path = dir.join(NAME);
        let open = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .custom_flags(NO_LINK)
            .open(&path);
        let mut file = open.map_err(|error| Error::io(&path, error))?;
        for _ in 0..TRIES {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {
                    // Only for information: a full disk must not prevent a campaign from starting here.
                    let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
                    return Ok(Lock { _file: file });
                }
                Err(rustix::io::Errno::WOULDBLOCK) => std::thread::sleep(PAUSE),
                Err(error) => return Err(Error::io(&path, error.into())),
            }
        }
        Err(Error::Locked { dir: dir.to_owned(), pid: written(&path) })
    }

    /// Whether a process holds the lock now, and which, as far as the file says.
    pub fn holder(dir: &Path) -> Option<Option<u32>> {
        let path = dir.join(NAME);
        let file = inside::open(&path).ok()?.0;
        match flock(&file, FlockOperation::NonBlockingLockShared) {
            Err(rustix::io::Errno::WOULDBLOCK) => Some(written(&path)),
            _ => None,
        }
    }
}

fn written(path: &Path) -> Option<u32> {
    let bytes = inside::read_file(path).ok()?;
    std::str::from_utf8(&bytes).ok()?.trim().parse().ok()
}
