//! A script in a file of its own, for solvers that read files; gone when it is dropped.
//!
//! Names are our process id and a counter, never anything from a script, so no symbol or file name of a formula
//! reaches a path. Memory-backed folders are preferred: a fresh query should not wait for a disk. What a run that was
//! killed left behind takes memory until somebody removes it, so the first use sweeps: files of this name and this user
//! whose process is gone. Nothing else is ever touched.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A file that is removed at the end of its life.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
}

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = choose();
    sweep(&folder, |pid| pid != std::process::id() && !is_alive(pid), PATIENCE);
    USED.store(true, Ordering::SeqCst);
    folder
});

/// Whether there may be files of ours.
static USED: AtomicBool = AtomicBool::new(false);

/// So young a file is left alone: its process may be one of another container, whose numbers mean nothing here.
const PATIENCE: Duration = Duration::from_secs(60);

fn choose() -> PathBuf {
    if std::env::var_os("TMPDIR").is_some() {
        return std::env::temp_dir();
    }
    let shm = Path::new("/dev/shm");
    let probe = shm.join(format!("falsum-{}-probe", std::process::id()));
    let usable = File::create(&probe).is_ok();
    let _ = std::fs::remove_file(&probe);
    if usable { shm.to_owned() } else { std::env::temp_dir() }
}

/// Removes the scripts that this process still has on disk: for the end of a run, whose threads may be at work.
pub fn clear() {
    if USED.load(Ordering::SeqCst) {
        sweep(&FOLDER, |pid| pid == std::process::id(), Duration::ZERO);
    }
}

/// Removes files of ours whose process is meant.
fn sweep(folder: &Path, is_meant: impl Fn(u32) -> bool, age: Duration) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let me = rustix::process::geteuid().as_raw();
    for entry in entries.flatten() {
        let meant = entry.file_name().to_str().and_then(owner).is_some_and(&is_meant);
        // The entry itself, not what a link points to.
        let Some(found) = entry.metadata().ok().filter(|found| meant && found.is_file()) else { continue };
        let old = found.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        if found.uid() == me && old.unwrap_or_default() >= age {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The process that a file of ours belongs to: `falsum-<pid>-<number>.smt2`.
fn owner(name: &str) -> Option<u32> {
    let (pid, number) = name.strip_prefix("falsum-")?.strip_suffix(".smt2")?.split_once('-')?;
    number.parse::<u64>().ok()?;
    pid.parse().ok()
}

fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    // Somebody else's process is alive, too.
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_takes_files_of_dead_processes_and_nothing_else() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let (dead, alive) = (child.id(), std::process::id());
        child.wait().unwrap();
        assert!(is_alive(alive) && !is_alive(dead));
        let folder = tempfile::tempdir().unwrap();
        let gone = format!("falsum-{dead}-0.smt2");
        let stays =
            [format!("falsum-{alive}-0.smt2"), format!("falsum-{dead}-x.smt2"), format!("z3-{dead}-0.smt2")];
        for name in stays.iter().chain([&gone]) {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let gone = folder.path().join(gone);
        sweep(folder.path(), |pid| !is_alive(pid), PATIENCE);
        assert!(gone.exists(), "it is young");
        sweep(folder.path(), |pid| !is_alive(pid), Duration::ZERO);
        assert!(!gone.exists() && stays.iter().all(|name| folder.path().join(name).exists()));
    }
}
