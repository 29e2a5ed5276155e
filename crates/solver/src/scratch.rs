//! Temporary files for scripts, for solvers that read files; deleted when they are dropped.
//!
//! All files are in one folder per process that no other user can read or prepare: made by a `mkdir` of mode 0700,
//! which fails if the name exists, even as a link. Names are our process id and random digits for the folder and a
//! counter for the files, never anything from a script, so no symbol or file name of a formula reaches a path.
//! Memory-backed folders are preferred: a fresh query should not wait for a disk. Solvers may write into one subfolder
//! and nowhere else, so no solver can change the input of another.
//!
//! The files of a killed run take memory until they are removed, so the first use removes them: folders of this name
//! and this user whose process is gone. Nothing else is ever removed.

use std::fs::OpenOptions;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A file that is removed when it is dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();

/// A younger folder is not removed: its process may run in another container, whose process ids mean nothing here.
const PATIENCE: Duration = Duration::from_secs(60);

/// The subfolder that solvers may write into.
const FOR_SOLVERS: &str = "tmp";

/// The private folder of this process, made at the first use.
pub(crate) fn folder() -> io::Result<&'static Path> {
    let made = FOLDER.get_or_init(|| {
        let places = match std::env::var_os("TMPDIR") {
            Some(_) => vec![std::env::temp_dir()],
            None => vec![PathBuf::from("/dev/shm"), std::env::temp_dir()],
        };
        let mut made = Err("there is no folder for temporary files".to_owned());
        for place in places {
            sweep(&place, |pid| pid != std::process::id() && !is_alive(pid), PATIENCE);
            made = make(&place).map_err(|error| format!("{}: {error}", place.display()));
            if made.is_ok() {
                break;
            }
        }
        made
    });
    made.as_deref().map_err(|why| io::Error::other(why.clone()))
}

/// Where solvers may write files.
pub(crate) fn for_solvers() -> io::Result<PathBuf> {
    folder().map(|folder| folder.join(FOR_SOLVERS))
}

/// The folder of this process.
fn make(place: &Path) -> io::Result<PathBuf> {
    let path = private_in(place)?;
    std::fs::DirBuilder::new().mode(0o700).create(path.join(FOR_SOLVERS))?;
    Ok(path)
}

/// A new folder inside another that no other user can read, and whose name cannot be prepared. The caller removes it.
pub fn private_in(place: &Path) -> io::Result<PathBuf> {
    loop {
        let random = std::hash::RandomState::new().build_hasher().finish();
        let path = place.join(format!("falsum-{}-{random:016x}", std::process::id()));
        match std::fs::DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Removes the files of this process: for the end of a run, whose threads may still be working.
pub fn clear() {
    if let Some(Ok(folder)) = FOLDER.get() {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Removes folders of ours whose process satisfies the condition.
fn sweep(place: &Path, is_meant: impl Fn(u32) -> bool, age: Duration) {
    let Ok(entries) = std::fs::read_dir(place) else { return };
    let me = rustix::process::geteuid().as_raw();
    for entry in entries.flatten() {
        let meant = entry.file_name().to_str().and_then(owner).is_some_and(&is_meant);
        // The entry itself, not what a link points to.
        let Some(found) = entry.metadata().ok().filter(|found| meant && found.is_dir()) else { continue };
        let old = found.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        if found.uid() == me && old.unwrap_or_default() >= age {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The process that a folder of ours belongs to: `falsum-<pid>-<16 hexadecimal digits>`.
fn owner(name: &str) -> Option<u32> {
    let (pid, random) = name.strip_prefix("falsum-")?.split_once('-')?;
    (random.len() == 16 && random.bytes().all(|b| b.is_ascii_hexdigit())).then(|| pid.parse().ok())?
}

fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    // Another user's process is alive, too.
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

impl Scratch {
    /// Writes a new file that only its owner can read.
    pub fn write(bytes: &[u8]) -> io::Result<Scratch> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder()?.join(format!("{number}.smt2"));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        let scratch = Scratch { path };
        file.write_all(bytes)?;
        Ok(scratch)
    }

    pub fn path(&self) -> &Path {
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
    fn a_sweep_removes_folders_of_dead_processes_and_nothing_else() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let (dead, alive) = (child.id(), std::process::id());
        child.wait().unwrap();
        assert!(is_alive(alive) && !is_alive(dead));
        let place = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("kept"), "").unwrap();
        let gone = place.path().join(format!("falsum-{dead}-0123456789abcdef"));
        let stays = [
            format!("falsum-{alive}-0123456789abcdef"),
            format!("falsum-{dead}-x"),
            format!("z3-{dead}-0123456789abcdef"),
        ];
        std::fs::create_dir_all(gone.join("tmp")).unwrap();
        std::os::unix::fs::symlink(outside.path(), gone.join("tmp/link")).unwrap();
        let link = place.path().join(format!("falsum-{dead}-fedcba9876543210"));
        std::os::unix::fs::symlink(outside.path(), &link).unwrap();
        stays.iter().for_each(|name| std::fs::create_dir(place.path().join(name)).unwrap());
        sweep(place.path(), |pid| !is_alive(pid), PATIENCE);
        assert!(gone.exists(), "it is young");
        sweep(place.path(), |pid| !is_alive(pid), Duration::ZERO);
        assert!(!gone.exists() && stays.iter().all(|name| place.path().join(name).exists()));
        assert!(outside.path().join("kept").exists() && link.exists(), "links are not followed");
    }

    #[test]
    fn scripts_are_in_a_private_folder_and_readable_by_their_owner_alone() {
        let scratch = Scratch::write(b"(check-sat)").unwrap();
        let folder = scratch.path().parent().unwrap();
        let mode = |path: &Path| path.symlink_metadata().unwrap().mode() & 0o777;
        assert_eq!((mode(folder), mode(scratch.path())), (0o700, 0o600));
        assert_eq!(mode(&for_solvers().unwrap()), 0o700);
        assert_ne!(make(folder).unwrap(), make(folder).unwrap());
    }
}
