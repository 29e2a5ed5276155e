//! Starting a leader: pipes, process group, nonce, limits, pidfd.
//!
//! `Command` without `pre_exec` goes through `posix_spawn`, whose cost does not grow with our memory (a plain `fork`
//! with 1 GB resident takes over 100 ms). So everything that must hold for the child is set from outside: the process
//! group by `posix_spawn` itself, limits through `prlimit` on its pid.
//!
//! Each leader gets `FALSUM_RUN=<our pid>.<our start>.<number>` in its environment. Descendants inherit it, so /proc
//! shows to which run they belong, whatever group or session they move to.

use crate::error::Error;
use crate::guard;
use crate::outcome::Containment;
use crate::proc_files;
use crate::spec::{Input, Limits, Spec};
use crate::sys;
use crate::tree::{self, SPAWNING, Tree};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal, pidfd_open, pidfd_send_signal, prlimit};
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError};

/// The environment variable that marks every process of a run.
pub const NONCE_VARIABLE: &str = "FALSUM_RUN";

/// The common prefix of the nonces of all runs of this process: `<pid>.<start>.`.
pub fn owner_nonce() -> &'static str {
    static OWNER: OnceLock<String> = OnceLock::new();
    OWNER.get_or_init(|| {
        let own = std::process::id();
        let start = proc_files::stat(own as i32).map_or(0, |s| s.start);
        format!("{own}.{start}.")
    })
}

/// Prepares this process to run others: orphans will be adopted, closed pipes survived, and a guard will end all trees
/// if we are killed. Called by the first run; a program that grows large should call it early, since the guard is a
/// fork and keeps the pages of that moment.
pub fn prepare() -> Containment {
    static READY: OnceLock<Containment> = OnceLock::new();
    *READY.get_or_init(|| {
        sys::survive_closed_pipes();
        let own_start = proc_files::stat(std::process::id() as i32).map_or(u64::MAX, |s| s.start);
        if let Some(pid) = guard::start(&format!("{NONCE_VARIABLE}={}", owner_nonce()), own_start) {
            tree::register(pid);
        }
        match rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
            Ok(()) => Containment::Subreaper,
            Err(_) => Containment::ProcessGroup,
        }
    })
}

/// A started process: its pid, a handle that cannot be reused, its pipes and its tree.
#[derive(Debug)]
pub(crate) struct Leader {
    pub(crate) pid: i32,
    pub(crate) pidfd: OwnedFd,
    pub(crate) tree: Tree,
    containment: Containment,
}

impl Leader {
    /// A child of ours with a mark of its own, to be reaped by the owner of this value.
    pub(crate) fn new(pid: i32, pidfd: OwnedFd, nonce: &str) -> Leader {
        let tree = Tree::new(pid, format!("{NONCE_VARIABLE}={nonce}").into_bytes());
        Leader { pid, pidfd, tree, containment: prepare() }
    }

    /// How descendants are contained now.
    pub(crate) fn containment(&self) -> Containment {
        if self.tree.is_gathered() { Containment::Cgroup } else { self.containment }
    }

    /// Signals the leader and its process group. Only valid until the leader is reaped: until then the number of the
    /// group is not given to others.
    pub(crate) fn signal(&self, signal: Signal) {
        // Failure means that it has ended already.
        let _ = pidfd_send_signal(&self.pidfd, signal);
        if let Some(group) = Pid::from_raw(self.pid) {
            let _ = rustix::process::kill_process_group(group, signal);
        }
    }
}

/// Our ends of the pipes, all non-blocking.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(crate) stdin: Option<OwnedFd>,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
}

impl Pipes {
    /// Makes our ends non-blocking; the flag does not reach the other ends, which are open files of their own.
    pub(crate) fn never_block(&self) -> Result<(), Error> {
        for fd in self.stdin.iter().chain([&self.stdout, &self.stderr]) {
            fcntl_setfl(fd, OFlags::NONBLOCK).map_err(|e| Error::of_call("fcntl", e.into()))?;
        }
        Ok(())
    }
}

/// Digits at the end of a nonce: always as many, so that a copied process can put its own in their place.
pub(crate) const DIGITS: usize = 12;

/// A nonce that no other run of this process has.
pub(crate) fn new_nonce() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!("{}{number:0DIGITS$}", owner_nonce())
}

/// Starts a process.
pub(crate) fn spawn(spec: &Spec, input: &Input<'_>) -> Result<(Leader, Pipes), Error> {
    prepare();
    let nonce = new_nonce();
    let mut command = command(spec, input, &nonce)?;
    let mut child = {
        let _registering = SPAWNING.read().unwrap_or_else(PoisonError::into_inner);
        let child = match &spec.sandbox {
            Some(sandbox) => sandbox.spawn(command),
            None => command.spawn(),
        };
        let child = child.map_err(|e| Error::of_spawn(&spec.program, e))?;
        tree::register(child.id() as i32);
        child
    };
    let pid = child.id() as i32;
    match adopt(&mut child, spec) {
        Ok((pidfd, pipes)) => Ok((Leader::new(pid, pidfd, &nonce), pipes)),
        Err(error) => {
            // Started, but we cannot watch it (out of descriptors): it must be ended.
            let _ = child.kill();
            let _ = sys::reap(pid, true);
            tree::unregister(pid);
            Err(error)
        }
    }
}

fn command(spec: &Spec, input: &Input<'_>, nonce: &str) -> Result<Command, Error> {
    let mut command = Command::new(&spec.program);
    command.args(&spec.args).process_group(0);
    if spec.clear_env {
        command.env_clear();
    }
    for (name, value) in &spec.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env(NONCE_VARIABLE, nonce);
    if let Some(cwd) = &spec.cwd {
        command.current_dir(cwd);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    match input {
        Input::Nothing => command.stdin(Stdio::null()),
        Input::Bytes(_) => command.stdin(Stdio::piped()),
        Input::Descriptor(descriptor) => {
            let own = descriptor.try_clone_to_owned();
            command.stdin(own.map_err(|source| Error::of_call("dup", source))?)
        }
        Input::File(path) => {
            let open = File::open(path);
            command.stdin(open.map_err(|source| Error::Input { path: path.to_path_buf(), source })?)
        }
        Input::Argument(path) => command.arg(not_an_option(path)).stdin(Stdio::null()),
    };
    Ok(command)
}

/// A path that no program can mistake for an option.
fn not_an_option(path: &Path) -> OsString {
    let bytes = path.as_os_str().as_bytes();
    if bytes.starts_with(b"-") {
        OsString::from_vec([b"./", bytes].concat())
    } else {
        path.as_os_str().to_os_string()
    }
}

/// Prepares a new child: handle, limits, pipes.
fn adopt(child: &mut Child, spec: &Spec) -> Result<(OwnedFd, Pipes), Error> {
    let call = |name| move |e: rustix::io::Errno| Error::of_call(name, e.into());
    let Some(pid) = Pid::from_raw(child.id() as i32) else { unreachable!("a child has a positive pid") };
    let pidfd = pidfd_open(pid, PidfdFlags::empty()).map_err(call("pidfd_open"))?;
    // It may have ended already, and then no limit is needed.
    let _ = prlimit(Some(pid), Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    limit_address_space(pid, &spec.limits);
    let stdin = child.stdin.take().map(OwnedFd::from);
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        unreachable!("both were asked to be pipes")
    };
    let pipes = Pipes { stdin, stdout: stdout.into(), stderr: stderr.into() };
    pipes.never_block()?;
    Ok((pidfd, pipes))
}

/// Limits the address space of a process, which may be gone already.
pub(crate) fn limit_address_space(pid: Pid, limits: &Limits) {
    if let Some(bytes) = limits.address_space {
        let _ = prlimit(Some(pid), Resource::As, Rlimit { current: Some(bytes), maximum: Some(bytes) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_named_like_an_option_gets_a_directory() {
        assert_eq!(not_an_option(Path::new("-rf.smt2")), "./-rf.smt2");
        assert_eq!(not_an_option(Path::new("/tmp/a.smt2")), "/tmp/a.smt2");
        assert_eq!(not_an_option(Path::new("--")), "./--");
    }
}
