//! Watching a process, its threads and its children until a fatal signal arrives.
//!
//! Everything that the process starts is traced as well and dies with us (`EXITKILL`). One thread of ours does nothing
//! else and waits for everything that it traces (`__WNOTHREAD`: never for the children of other runs). The event of a
//! new process may be lost when its parent is killed, but the new process itself stops and is found. The process stays
//! in our process group, so that the search for orphans of other runs does not take it for one.
//!
//! A solver that catches the fault, prints a message and aborts gets two fatal signals; the first is where it happened.
#![allow(unsafe_code)]

use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The limits of the second run.
#[derive(Clone, Copy)]
pub struct TraceLimits<'a> {
    pub wall: Duration,
    /// Resident bytes of any one process. (A limit of address space would change the behaviour of a build with
    /// sanitizers.)
    pub memory: Option<u64>,
    /// Whether to give up.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called by the thread that will start the process, which inherits the restrictions of the thread.
    pub prepare: &'a (dyn Fn() -> io::Result<()> + Sync),
}

/// Signals that end a process: of a fault, or of an abort.
const FAULTS: [i32; 6] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGSYS, libc::SIGTRAP];

/// The code of a fault whose address is not known.
const BY_KERNEL: i32 = 128;

/// How long to sleep when nothing has happened.
const PAUSE: Duration = Duration::from_millis(1);
/// How long a killed process may take to disappear.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs the command; `look` is called with the thread that a fatal signal is about to reach and with the address that
/// it tried to use, while its memory and registers can still be read.
pub(crate) fn until_death<T: Send>(
    command: Command,
    limits: TraceLimits<'_>,
    look: impl Fn(i32, Option<u64>) -> Option<T> + Send,
) -> Option<T> {
    std::thread::scope(|scope| scope.spawn(|| watched(command, limits, look)).join().ok().flatten())
}

/// When a running process is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    /// After how long for the first time.
    pub after: Duration,
    pub every: Duration,
    pub count: usize,
}

/// Runs the command and calls `look` with its first thread at several moments; then ends it. What it does in between
/// is not disturbed, so that what is seen is where it spends its time.
pub(crate) fn at_moments<T: Send>(
    command: Command,
    limits: TraceLimits<'_>,
    moments: Moments,
    look: impl Fn(i32, Option<u64>) -> Option<T> + Send,
) -> Vec<T> {
    let watch = || sampled(command, limits, moments, look).unwrap_or_default();
    std::thread::scope(|scope| scope.spawn(watch).join().unwrap_or_default())
}

fn sampled<T>(
    command: Command,
    limits: TraceLimits<'_>,
    moments: Moments,
    look: impl Fn(i32, Option<u64>) -> Option<T>,
) -> Option<Vec<T>> {
    let mut traced = Traced::start(command, &limits)?;
    let began = Instant::now();
    let mut next = moments.after;
    let goes_on = || began.elapsed() < limits.wall && !(limits.stop)();
    while !traced.ended && traced.samples.len() < moments.count && goes_on() {
        if traced.turn(&look) {
            continue;
        }
        if began.elapsed() >= next && !traced.is_awaited {
            next = began.elapsed() + moments.every;
            traced.is_awaited = true;
            // SAFETY: no pointers; the process is ours and not reaped.
            unsafe { libc::kill(traced.child.id() as i32, libc::SIGSTOP) };
        }
        std::thread::sleep(PAUSE);
    }
    Some(std::mem::take(&mut traced.samples))
}

fn watched<T>(
    command: Command,
    limits: TraceLimits<'_>,
    look: impl Fn(i32, Option<u64>) -> Option<T>,
) -> Option<T> {
    let mut traced = Traced::start(command, &limits)?;
    let deadline = Instant::now() + limits.wall;
    let goes_on = || Instant::now() < deadline && !(limits.stop)();
    while !traced.ended && goes_on() && !traced.weighs_more_than(limits.memory) {
        if !traced.turn(&look) {
            std::thread::sleep(PAUSE);
        }
    }
    // A process that is still running did not crash.
    traced.found.take().filter(|_| traced.ended)
}

/// Whether this machine lets us trace our own children.
pub fn is_allowed() -> bool {
    let mut command = Command::new("/proc/self/exe");
    // SAFETY: as above; the child exits before it becomes another program.
    unsafe {
        command.pre_exec(|| {
            prepare()?;
            libc::_exit(0)
        });
    }
    // The child exits before exec, which looks like success to `spawn`; a refusal is returned as an error.
    command.spawn().is_ok_and(|mut child| child.wait().is_ok_and(|status| status.success()))
}

/// In the child: request tracing, fixed addresses and no core file. All signals but that of the first stop are blocked
/// before it: they would stop a child that its parent still waits to see started.
fn prepare() -> io::Result<()> {
    // SAFETY: the pointers are valid for their calls, and all bits of a signal set are valid.
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::sigdelset(&mut all, libc::SIGTRAP);
        libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
        libc::setrlimit(libc::RLIMIT_CORE, &libc::rlimit { rlim_cur: 0, rlim_max: 0 });
        libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        let nothing = std::ptr::null_mut::<libc::c_void>();
        match libc::ptrace(libc::PTRACE_TRACEME, 0, nothing, nothing) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

struct Traced<T> {
    child: Child,
    /// Alive and past its first stop.
    known: BTreeSet<i32>,
    /// Threads whose death was reported.
    dead: Vec<i32>,
    /// The result of `look` at a fatal signal.
    found: Option<T>,
    /// What was seen while it ran.
    samples: Vec<T>,
    /// It was told to stop, to be looked at.
    is_awaited: bool,
    /// The first process is gone.
    ended: bool,
}

impl<T> Traced<T> {
    /// Starts a command, traced, without a word on its outputs.
    fn start(mut command: Command, limits: &TraceLimits<'_>) -> Option<Traced<T>> {
        (limits.prepare)().ok()?;
        command.stdout(Stdio::null()).stderr(Stdio::null());
        // SAFETY: between fork and exec only system calls are made, and nothing is allocated.
        unsafe { command.pre_exec(prepare) };
        let child = command.spawn().ok()?;
        let (known, dead, samples) = (BTreeSet::new(), vec![], vec![]);
        Some(Traced { child, known, dead, found: None, samples, is_awaited: false, ended: false })
    }

    /// Handles one event; returns whether there was any.
    fn turn(&mut self, look: &impl Fn(i32, Option<u64>) -> Option<T>) -> bool {
        match wait() {
            (_, Waited::Nothing) => return false,
            (_, Waited::Gone) => self.ended = true,
            (id, Waited::Exited(code)) => self.leave(id, code < 128),
            (id, Waited::Killed) => self.leave(id, false),
            (id, Waited::Stopped { signal, event }) => self.stopped(id, signal, event, look),
        }
        true
    }

    fn weighs_more_than(&self, limit: Option<u64>) -> bool {
        let Some(limit) = limit else { return false };
        self.known.iter().any(|id| {
            let pages = std::fs::read_to_string(format!("/proc/{id}/statm")).unwrap_or_default();
            let resident = pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
            resident.is_some_and(|pages| pages << 12 > limit)
        })
    }

    /// A thread has ended. If it was the first process and it ended normally, there was no crash.
    fn leave(&mut self, id: i32, in_peace: bool) {
        self.known.remove(&id);
        self.dead.push(id);
        if id == self.child.id() as i32 {
            self.ended = true;
            if in_peace {
                self.found = None;
            }
        }
    }

    fn stopped(&mut self, id: i32, signal: i32, event: i32, look: &impl Fn(i32, Option<u64>) -> Option<T>) {
        // The first stop of a new process, or of the program that has just been started.
        if self.known.insert(id) {
            if id == self.child.id() as i32 {
                let follow = libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_TRACEFORK | libc::PTRACE_O_TRACEVFORK;
                let options = follow | libc::PTRACE_O_TRACEEXEC | libc::PTRACE_O_EXITKILL;
                request(libc::PTRACE_SETOPTIONS, id, options);
                let_signals_in(id);
            }
            return resume(id, 0);
        }
        if event != 0 {
            return resume(id, 0);
        }
        if signal == libc::SIGSTOP && self.is_awaited {
            self.is_awaited = false;
            self.samples.extend(look(id, None));
            return resume(id, 0);
        }
        if FAULTS.contains(&signal) || (signal == libc::SIGABRT && self.found.is_none()) {
            self.found = look(id, fault_address(id)).or(self.found.take());
        }
        resume(id, signal);
    }
}

impl<T> Drop for Traced<T> {
    /// Ends all remaining processes, and reaps them.
    fn drop(&mut self) {
        let end = Instant::now() + PATIENCE;
        'all: while Instant::now() < end {
            for id in &self.known {
                // SAFETY: no pointers. The number is that of a thread we trace and have not reaped.
                unsafe { libc::kill(*id, libc::SIGKILL) };
            }
            loop {
                match wait() {
                    (_, Waited::Nothing) => break,
                    (_, Waited::Gone) => break 'all,
                    (id, Waited::Stopped { .. }) => {
                        self.known.insert(id);
                        resume(id, libc::SIGKILL);
                    }
                    (id, _) => self.leave(id, false),
                }
            }
            std::thread::sleep(PAUSE);
        }
        // A process that died before its parent was given to us after we had seen it die.
        for id in self.dead.drain(..) {
            let mut status = 0;
            // SAFETY: the pointer is valid for writes for the length of the call.
            unsafe { libc::waitpid(id, &mut status, libc::WNOHANG | libc::__WALL) };
        }
    }
}

enum Waited {
    Nothing,
    Gone,
    Exited(i32),
    Killed,
    Stopped { signal: i32, event: i32 },
}

/// The next event of a child or a traced thread of this thread.
fn wait() -> (i32, Waited) {
    let mut status = 0;
    // SAFETY: the pointer is valid for writes for the length of the call.
    let id = unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG | libc::__WALL | libc::__WNOTHREAD) };
    let what = match id {
        0 => Waited::Nothing,
        -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => Waited::Nothing,
        -1 => Waited::Gone,
        _ if libc::WIFEXITED(status) => Waited::Exited(libc::WEXITSTATUS(status)),
        _ if libc::WIFSIGNALED(status) => Waited::Killed,
        _ => Waited::Stopped { signal: libc::WSTOPSIG(status), event: status >> 16 },
    };
    (id, what)
}

fn resume(thread: i32, signal: i32) {
    request(libc::PTRACE_CONT, thread, signal);
}

/// A request whose data is a number. A thread that has died meanwhile refuses it; the next wait finds it dead.
fn request(what: libc::c_uint, thread: i32, data: i32) {
    // SAFETY: these requests take a number where others take an address.
    unsafe { libc::ptrace(what, thread, std::ptr::null_mut::<libc::c_void>(), data as libc::c_long) };
}

/// Reverts what `prepare` did to the signal mask.
fn let_signals_in(thread: i32) {
    const SET_MASK: libc::c_uint = 0x420b; // PTRACE_SETSIGMASK
    let nothing: u64 = 0;
    // SAFETY: the pointer is valid for the call, and its size is given.
    unsafe { libc::ptrace(SET_MASK, thread, size_of::<u64>(), &nothing as *const u64) };
}

/// The address that could not be accessed, for a fault; `u64::MAX` for one that no memory can have, which the processor
/// does not say. `None` for a signal that was sent.
fn fault_address(thread: i32) -> Option<u64> {
    let mut info = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the pointer is valid for writes; a zeroed record is a valid one.
    unsafe {
        let nothing = std::ptr::null_mut::<libc::c_void>();
        let done = libc::ptrace(libc::PTRACE_GETSIGINFO, thread, nothing, info.as_mut_ptr());
        let info = info.assume_init();
        let is_fault = done != -1 && info.si_signo == libc::SIGSEGV && info.si_code > 0;
        let address = || if info.si_code == BY_KERNEL { u64::MAX } else { info.si_addr() as u64 };
        is_fault.then(address)
    }
}

/// The registers with which walking a stack begins.
pub(crate) struct Registers {
    pub(crate) instruction: u64,
    pub(crate) stack: u64,
    pub(crate) frame: u64,
    /// The return address, on machines that keep it in a register.
    pub(crate) link: Option<u64>,
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) fn registers(thread: i32) -> Option<Registers> {
    const GENERAL: usize = 1; // NT_PRSTATUS
    let mut all = std::mem::MaybeUninit::<libc::user_regs_struct>::zeroed();
    let mut room =
        libc::iovec { iov_base: all.as_mut_ptr().cast(), iov_len: size_of::<libc::user_regs_struct>() };
    // SAFETY: `room` describes `all`, which is valid for writes; zeroed registers are valid ones.
    let all = unsafe {
        if libc::ptrace(libc::PTRACE_GETREGSET, thread, GENERAL, &mut room as *mut libc::iovec) == -1 {
            return None;
        }
        all.assume_init()
    };
    #[cfg(target_arch = "x86_64")]
    return Some(Registers { instruction: all.rip, stack: all.rsp, frame: all.rbp, link: None });
    #[cfg(target_arch = "aarch64")]
    return Some(Registers {
        instruction: all.pc,
        stack: all.sp,
        frame: all.regs[29],
        link: Some(all.regs[30]),
    });
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn registers(_thread: i32) -> Option<Registers> {
    None
}
