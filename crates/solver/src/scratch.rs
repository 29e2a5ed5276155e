//! A script in a file of its own, for solvers that read files; gone when it is dropped.
//!
//! Names are our process id and a counter, never anything from a script, so no symbol or file name of a formula
//! reaches a path. Memory-backed folders are preferred: a fresh query should not wait for a disk.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file that is removed at the end of its life.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
}

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    if std::env::var_os("TMPDIR").is_some() {
        return std::env::temp_dir();
    }
    let shm = Path::new("/dev/shm");
    let probe = shm.join(format!("falsum-{}-probe", std::process::id()));
    let usable = File::create(&probe).is_ok();
    let _ = std::fs::remove_file(&probe);
    if usable { shm.to_owned() } else { std::env::temp_dir() }
});

/// Where scripts are put.
pub(crate) fn folder() -> &'static Path {
    &FOLDER
}

impl Scratch {
    /// Writes a new file.
    pub(crate) fn write(bytes: &[u8]) -> std::io::Result<Scratch> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = FOLDER.join(format!("falsum-{}-{number}.smt2", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let scratch = Scratch { path };
                    file.write_all(bytes)?;
                    return Ok(scratch);
                }
                // Left over from an earlier process with our number.
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => std::fs::remove_file(&path)?,
                Err(e) => return Err(e),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
