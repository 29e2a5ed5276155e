//! What to run: program, arguments, environment, limits, and a way to cancel it.
//!
//! Plain data that a caller fills in. No field is ever interpreted by a shell; arguments reach the program unchanged.

use crate::error::Error;
use crate::sandbox::Sandbox;
use rustix::event::{EventfdFlags, eventfd};
use std::ffi::OsString;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How much one process tree may use. `None` means no limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Wall time, without the time that we were suspended.
    pub wall: Option<Duration>,
    /// Processor time, summed over the whole tree.
    pub cpu: Option<Duration>,
    /// Resident memory in bytes, summed over the whole tree (shared pages are counted once when it matters).
    pub memory: Option<u64>,
    /// Address space of each process in bytes (`RLIMIT_AS`). The solver sees failing allocations, so the effect of "out
    /// of memory" depends on the solver; off unless requested.
    pub address_space: Option<u64>,
    /// Processes alive at the same time.
    pub processes: Option<u32>,
    /// Bytes on standard output plus standard error before the run is cut.
    pub output: u64,
    /// Bytes kept from the beginning of each stream.
    pub head: usize,
    /// Bytes kept from the end of each stream, beyond the head.
    pub tail: usize,
    /// How long a tree may continue after a SIGTERM before SIGKILL.
    pub grace: Duration,
    /// How long to wait for descendants that outlive the leader before they count as leaked.
    pub linger: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            wall: Some(Duration::from_secs(10)),
            cpu: None,
            memory: None,
            address_space: None,
            processes: Some(64),
            output: 64 << 20,
            head: 1 << 20,
            tail: 64 << 10,
            grace: Duration::from_millis(200),
            linger: Duration::from_millis(50),
        }
    }
}

/// One program with its arguments and limits.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// The program: a path, or a name that is looked up on PATH.
    pub program: PathBuf,
    /// Its arguments, without the program itself.
    pub args: Vec<OsString>,
    /// Environment variables to set (`Some`) or remove (`None`) on top of our own.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Start from an empty environment instead of our own.
    pub clear_env: bool,
    /// The working directory; ours if `None`.
    pub cwd: Option<PathBuf>,
    /// The limits of the run (for a session: of each request without its own).
    pub limits: Limits,
    /// Ends the run early when it is raised.
    pub cancel: Option<Cancel>,
    /// The sandbox of the process and its descendants.
    pub sandbox: Option<Arc<Sandbox>>,
}

impl Spec {
    /// A spec with default limits.
    pub fn new(program: impl Into<PathBuf>) -> Spec {
        Spec { program: program.into(), ..Spec::default() }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Spec {
        self.args.push(arg.into());
        self
    }

    /// Adds several arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Spec {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Spec {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Spec {
        self.limits = limits;
        self
    }

    /// Sets the wall limit.
    pub fn wall(mut self, wall: Duration) -> Spec {
        self.limits.wall = Some(wall);
        self
    }

    /// Sets the token that can end the run early.
    pub fn cancel(mut self, cancel: &Cancel) -> Spec {
        self.cancel = Some(cancel.clone());
        self
    }
}

/// What the process reads.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// Standard input is empty.
    Nothing,
    /// These bytes on standard input, then end of file.
    Bytes(&'a [u8]),
    /// Standard input is this descriptor.
    Descriptor(BorrowedFd<'a>),
    /// Standard input is this file.
    File(&'a Path),
    /// Standard input is empty and this path is the last argument. A path that starts with `-` gets `./`
    /// in front, so that a file can never be taken for an option.
    Argument(&'a Path),
}

/// A switch shared by many runs: raise it once and all of them end with `Why::Cancelled`.
#[derive(Debug, Clone)]
pub struct Cancel {
    inner: Arc<Switch>,
}

#[derive(Debug)]
struct Switch {
    raised: AtomicBool,
    bell: OwnedFd,
}

impl Cancel {
    /// A switch that is not raised.
    pub fn new() -> Result<Cancel, Error> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|e| Error::of_call("eventfd", e.into()))?;
        Ok(Cancel { inner: Arc::new(Switch { raised: AtomicBool::new(false), bell }) })
    }

    /// Ends every run that holds this switch, now and from now on.
    pub fn raise(&self) {
        self.inner.raised.store(true, Ordering::SeqCst);
        // The counter of an eventfd only fails to grow when it is full, and then it is readable anyway.
        let _ = rustix::io::write(&self.inner.bell, &1u64.to_ne_bytes());
    }

    /// Whether it has been raised.
    pub fn is_raised(&self) -> bool {
        self.inner.raised.load(Ordering::SeqCst)
    }

    /// Becomes readable, for every waiter at once, when the switch is raised.
    pub(crate) fn bell(&self) -> BorrowedFd<'_> {
        self.inner.bell.as_fd()
    }
}
