//! A sandbox for processes: no writing outside a few folders, no TCP, no signals to other processes. Linux's Landlock.
//!
//! Landlock restricts a *thread* and everything that thread starts, needs no privileges, and cannot be undone. So the
//! restriction is not made between fork and exec (which would cost a real fork, over 100 ms with 1 GB resident) nor by
//! a launcher (a second exec per query): a thread of ours restricts itself once, and from then on starts processes for
//! others. A start through such a thread is a `posix_spawn` as before, plus two messages between threads; a running
//! process pays a check of the rules for each file it opens.
//!
//! In: a [`Level`] and the folders that may be written. Out: processes that are restricted, with all their descendants,
//! or an error; where the kernel lacks a part, [`Sandbox::new`] leaves that part out, and [`held`] says so.
//! It must never start a process unrestricted because a restriction failed.
//!
//! It is not a boundary against a malicious program. Reading is not restricted, nor are UDP and named sockets.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The rights that are known here; a kernel that supports fewer restricts fewer.
const KNOWN: ABI = ABI::V6;

/// How much is restricted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Creating, writing, removing and renaming files.
    Files,
    /// That, TCP connections, and signals to processes outside.
    Full,
}

/// Which restrictions this machine supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Held {
    /// Files cannot be created, written, removed or renamed.
    pub files: bool,
    /// Nor be truncated by their name.
    pub truncation: bool,
    /// No TCP connection is made or accepted.
    pub network: bool,
    /// No signal reaches a process outside.
    pub signals: bool,
}

/// Which restrictions this machine supports, tried once on a thread of its own.
pub fn held() -> Held {
    static HELD: OnceLock<Held> = OnceLock::new();
    *HELD.get_or_init(|| {
        let tried = std::thread::Builder::new().spawn(|| restrict(Level::Full, &[]).unwrap_or_default());
        tried.ok().and_then(|thread| thread.join().ok()).unwrap_or_default()
    })
}

/// A set of restrictions, and the threads that start processes under them.
#[derive(Debug)]
pub struct Sandbox {
    level: Level,
    writable: Vec<PathBuf>,
    idle: Mutex<Vec<Sender<Order>>>,
}

/// A process to start, and where to send the result.
struct Order {
    command: Command,
    answer: Sender<io::Result<Child>>,
}

impl Sandbox {
    /// A sandbox in which only these folders, and `/dev/null`, can be written; `None` where the machine supports
    /// nothing.
    pub fn new(level: Level, writable: Vec<PathBuf>) -> Option<Sandbox> {
        held().files.then(|| Sandbox { level, writable, idle: Mutex::default() })
    }

    /// Restricts the calling thread for the rest of its life, and everything it starts.
    pub fn enter(&self) -> io::Result<()> {
        restrict(self.level, &self.writable).map(drop)
    }

    /// Starts a process inside.
    pub(crate) fn spawn(&self, command: Command) -> io::Result<Child> {
        let starter = self.idle().pop().map_or_else(|| self.new_starter(), Ok)?;
        let (answer, answered) = channel();
        let gone = || io::Error::other("the thread that starts sandboxed processes is gone");
        starter.send(Order { command, answer }).map_err(|_| gone())?;
        let child = answered.recv().map_err(|_| gone())?;
        self.idle().push(starter);
        child
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Sender<Order>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new thread inside; there are as many as there ever were starts at the same time.
    fn new_starter(&self) -> io::Result<Sender<Order>> {
        let (orders, inbox) = channel();
        let (level, writable) = (self.level, self.writable.clone());
        let start = move || serve(restrict(level, &writable), inbox);
        std::thread::Builder::new().name("falsum-start".into()).stack_size(256 << 10).spawn(start)?;
        Ok(orders)
    }
}

/// The main loop of a thread that starts processes. If it could not be restricted, it starts none.
fn serve(restricted: io::Result<Held>, inbox: Receiver<Order>) {
    for Order { mut command, answer } in inbox {
        let child = match &restricted {
            Ok(_) => command.spawn(),
            Err(error) => Err(io::Error::new(error.kind(), format!("cannot be sandboxed: {error}"))),
        };
        // The receiver is always there: the caller waits for the result.
        let _ = answer.send(child);
    }
}

/// Restricts the calling thread; returns what is in force now.
fn restrict(level: Level, writable: &[PathBuf]) -> io::Result<Held> {
    let refused = |error: landlock::RulesetError| io::Error::other(error.to_string());
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_write(KNOWN))
        .map_err(refused)?;
    if level == Level::Full {
        ruleset = ruleset.handle_access(AccessNet::from_all(KNOWN)).map_err(refused)?;
        ruleset = ruleset.scope(Scope::from_all(KNOWN)).map_err(refused)?;
    }
    let mut created = ruleset.create().map_err(refused)?;
    let writing = AccessFs::from_write(KNOWN);
    for path in writable {
        created = created.add_rule(PathBeneath::new(open(path)?, writing)).map_err(refused)?;
    }
    let null = PathBeneath::new(open(Path::new("/dev/null"))?, writing & AccessFs::from_file(KNOWN));
    created = created.add_rule(null).map_err(refused)?;
    let status = created.restrict_self().map_err(refused)?;
    let abi = match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => ABI::Unsupported,
        (_, LandlockStatus::Available { effective_abi, .. }) => effective_abi,
        _ => ABI::Unsupported,
    };
    let full = level == Level::Full;
    Ok(Held {
        files: abi >= ABI::V1,
        truncation: abi >= ABI::V3,
        network: full && abi >= ABI::V4,
        signals: full && abi >= ABI::V6,
    })
}

fn open(path: &Path) -> io::Result<PathFd> {
    PathFd::new(path).map_err(|error| io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_supports_is_detected() {
        let tried = std::thread::spawn(|| restrict(Level::Full, &[])).join().unwrap();
        let version = version_of_the_kernel();
        let expected = Held {
            files: version >= 1,
            truncation: version >= 3,
            network: version >= 4,
            signals: version >= 6,
        };
        assert_eq!(tried.unwrap_or_default(), expected);
    }

    /// The version that the kernel itself reports.
    #[allow(unsafe_code)]
    fn version_of_the_kernel() -> i64 {
        // SAFETY: the pointer is null, as this call wants it.
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, 1u32) }
    }
}
