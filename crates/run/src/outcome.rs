//! How a run ended, and what it left.
//!
//! Why it ended (decided by us: by itself, or which limit made us end it) is separate from how it exited (reported by
//! the kernel: a code or a signal). A solver that we killed at the wall limit has exit `Signal(15)` and why `Wall`; one
//! that the kernel's OOM killer ended has `Signal(9)` and `ByItself`: only the pair distinguishes the two.

use crate::capture::Captured;
use std::time::Duration;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    /// We did not end it: it exited, crashed, or was killed from outside.
    ByItself,
    /// The wall limit.
    Wall,
    /// The processor-time limit of the tree.
    Cpu,
    /// The memory limit of the tree.
    Memory,
    /// Too many bytes of output.
    Output,
    /// Too many processes.
    Processes,
    /// The caller cancelled it.
    Cancelled,
}

/// How the leader exited, from its wait status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
    /// The status was lost: other code in this program reaped it. Never guess an exit from it.
    Unknown,
}

impl Exit {
    /// The signal that a wrapper (a shell, `timeout`, a container) reports as code 128 + n.
    ///
    /// A flag and not a fact: a program may return 139 by its own choice.
    pub fn wrapper_signal(self) -> Option<i32> {
        match self {
            Exit::Code(code) if (129..=128 + 64).contains(&code) => Some(code - 128),
            _ => None,
        }
    }

    /// Whether it is code 0.
    pub fn is_success(self) -> bool {
        self == Exit::Code(0)
    }
}

/// The strongest means by which descendants were contained in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Containment {
    /// Only the process group: a descendant that leaves it and clears its environment can escape.
    ProcessGroup,
    /// Orphans are adopted by us (child subreaper) and recognised by their nonce.
    Subreaper,
    /// A cgroup v2 of its own, killed as a whole.
    Cgroup,
}

/// Processes that were found, and ended, after the leader had ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Leak {
    /// Processes that outlived the leader and had to be killed.
    pub killed: Vec<i32>,
    /// Processes that could not be killed or could not be distinguished from others: uncontained.
    pub survivors: Vec<i32>,
    /// A pipe was still open although no process of the tree was left: an unrelated process holds it.
    pub pipe_held: bool,
}

impl Leak {
    /// Whether nothing was left behind.
    pub fn is_none(&self) -> bool {
        self.killed.is_empty() && self.survivors.is_empty() && !self.pipe_held
    }
}

/// Everything known about a finished run.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Why it ended.
    pub why: Why,
    /// How the leader exited.
    pub exit: Exit,
    /// The signal a wrapper may have meant by its exit code; see [`Exit::wrapper_signal`].
    pub wrapper_signal: Option<i32>,
    /// Standard output (of a session: what no request has taken).
    pub stdout: Captured,
    /// Standard error.
    pub stderr: Captured,
    /// Time on the wall, paused time excluded.
    pub wall: Duration,
    /// Time we were suspended and did not count.
    pub paused: Duration,
    /// Processor time of the tree, as far as it was reaped or sampled.
    pub cpu: Duration,
    /// The largest resident memory of the tree that was measured, in bytes; a lower bound, and 0 for a
    /// process that ended within milliseconds or before the first measurement.
    pub peak_memory: u64,
    /// What outlived the leader.
    pub leak: Leak,
    /// How descendants were contained.
    pub containment: Containment,
}

impl Outcome {
    /// Whether anything outlived the leader.
    pub fn leaked(&self) -> bool {
        !self.leak.is_none()
    }

    /// The signal of a crash by itself (segmentation fault, abort, ...), wrapper codes not included.
    /// SIGKILL and SIGTERM are not crashes: another process sent them.
    pub fn crash_signal(&self) -> Option<i32> {
        match (self.why, self.exit) {
            (Why::ByItself, Exit::Signal(n)) if n != libc::SIGKILL && n != libc::SIGTERM => Some(n),
            _ => None,
        }
    }

    /// Whether it was killed from outside (most often by the kernel, out of memory): worth one retry,
    /// never a verdict.
    pub fn killed_from_outside(&self) -> bool {
        self.why == Why::ByItself
            && (self.exit == Exit::Signal(libc::SIGKILL)
                || self.exit == Exit::Signal(libc::SIGTERM)
                || self.wrapper_signal == Some(libc::SIGKILL)
                || self.wrapper_signal == Some(libc::SIGTERM))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_codes_above_128_that_name_a_signal_are_flagged() {
        assert_eq!(Exit::Code(137).wrapper_signal(), Some(9));
        assert_eq!(Exit::Code(139).wrapper_signal(), Some(11));
        assert_eq!(Exit::Code(128).wrapper_signal(), None);
        assert_eq!(Exit::Code(255).wrapper_signal(), None);
        assert_eq!(Exit::Signal(9).wrapper_signal(), None);
    }
}
