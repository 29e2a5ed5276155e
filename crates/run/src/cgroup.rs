//! A cgroup v2 for a tree, where the machine permits one.
//!
//! A cgroup contains its processes and all their descendants, even if they change their group, session, parent or
//! environment, and `cgroup.kill` ends all of them at once. But moving a process into one makes the kernel wait for all
//! processors: 5 to 20 ms on the machine where it was measured, as much as a whole query. So a tree is moved only once
//! it is slow (the first measurement) *and* has more than one process; a solver that never forks needs no cgroup, and a
//! fast run pays nothing.
//!
//! We only create groups below our own, only move processes of our own trees, and remove each group with its tree.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Set when the machine has refused once: it will refuse again.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// A cgroup of one tree.
#[derive(Debug)]
pub(crate) struct Group {
    path: PathBuf,
}

impl Group {
    /// Creates an empty group; `None` where that is not possible.
    pub(crate) fn create() -> Option<Group> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        if REFUSED.load(Ordering::Relaxed) {
            return None;
        }
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = home()?.join(format!("falsum-{}-{number}", std::process::id()));
        let made = fs::create_dir(&path).is_ok();
        let group = made.then_some(Group { path });
        // Without the file that kills a whole group (Linux 5.14) a cgroup has little benefit.
        let group = group.filter(|g| g.path.join("cgroup.kill").exists());
        REFUSED.store(group.is_none(), Ordering::Relaxed);
        group
    }

    /// Moves a process in. False if it is gone or the machine refuses.
    pub(crate) fn enter(&self, pid: i32) -> bool {
        match self.write("cgroup.procs", &pid.to_string()) {
            Ok(()) => true,
            Err(error) => {
                let gone = error.raw_os_error() == Some(libc::ESRCH);
                REFUSED.fetch_or(!gone, Ordering::Relaxed);
                false
            }
        }
    }

    /// The processes in it.
    pub(crate) fn members(&self) -> Vec<i32> {
        let text = fs::read_to_string(self.path.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).filter(|&pid| pid > 0).collect()
    }

    /// Kills all processes in it.
    pub(crate) fn kill(&self) {
        // Remaining processes are found and killed one by one.
        let _ = self.write("cgroup.kill", "1");
    }

    fn write(&self, file: &str, text: &str) -> std::io::Result<()> {
        fs::OpenOptions::new().write(true).open(self.path.join(file))?.write_all(text.as_bytes())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The last process may still be exiting.
        for attempt in 0..6 {
            if fs::remove_dir(&self.path).is_ok() || !self.path.exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1 << attempt));
        }
    }
}

/// Whether trees can have a cgroup here.
pub fn has_cgroups() -> bool {
    Group::create().is_some()
}

/// The folder of our own cgroup. Searched once; groups that a dead falsum left there are removed.
fn home() -> Option<&'static Path> {
    static HOME: OnceLock<Option<PathBuf>> = OnceLock::new();
    HOME.get_or_init(|| {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let home = locate(&mounts, &own)?;
        remove_stale(&home);
        Some(home)
    })
    .as_deref()
}

/// Our folder, from the mount table and the line of the unified hierarchy in /proc/self/cgroup.
fn locate(mounts: &str, own: &str) -> Option<PathBuf> {
    let inside = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    let line = mounts.lines().find(|l| l.split(" - ").nth(1).is_some_and(|t| t.starts_with("cgroup2 ")))?;
    let fields: Vec<&str> = line.split(' ').collect();
    let (root, point) = (fields.get(3)?, fields.get(4)?);
    // A container may see only a part of the hierarchy.
    let below = inside.strip_prefix(root.trim_end_matches('/')).unwrap_or(inside);
    Some(Path::new(point).join(below.trim_start_matches('/')))
}

fn remove_stale(home: &Path) {
    let Ok(entries) = fs::read_dir(home) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|n| n.strip_prefix("falsum-")?.split_once('-')).map(|p| p.0);
        let dead = |pid: &str| pid.parse::<u32>().is_ok() && !Path::new("/proc").join(pid).exists();
        if owner.is_some_and(dead) {
            // Refused, rightly, if a process is still in it.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_cgroup_is_found_in_plain_hybrid_and_container_layouts() {
        let plain = "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n";
        let session = "0::/user.slice/user-1000.slice/session-2.scope\n";
        let found = locate(plain, session).unwrap();
        assert_eq!(found, Path::new("/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope"));
        let hybrid = "29 23 0:25 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                      30 23 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        assert_eq!(locate(hybrid, "1:cpu:/x\n0::/\n").unwrap(), Path::new("/sys/fs/cgroup/unified"));
        let container = "30 23 0:26 /box/7 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        assert_eq!(locate(container, "0::/box/7/job\n").unwrap(), Path::new("/sys/fs/cgroup/job"));
        assert_eq!(locate("", "0::/\n"), None);
        assert_eq!(locate(plain, "1:cpu:/x\n"), None);
    }
}
