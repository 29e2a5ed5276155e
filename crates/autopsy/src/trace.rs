//! Watching a process, its threads and its children until a fatal signal arrives.
//!
//! Everything that the process starts is traced as well and dies with us (`EXITKILL`). Each traced thread is waited
//! for by its own number, never for "any child", since other runs of ours have children too. The process stays in our
//! process group, so that whoever looks for orphans of other runs does not take it for one.
//!
//! A solver that catches the fault, says a word and aborts gets two fatal signals; the first is where it happened.
#![allow(unsafe_code)]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How much the second run may use.
#[derive(Clone, Debug)]
pub struct Limits {
    pub wall: Duration,
    /// Resident bytes of the first process. (A limit of address space would change what a build with sanitizers does.)
    pub memory: Option<u64>,
}

/// Signals whose arrival is the end: of a fault, or of an abort.
const FAULTS: [i32; 6] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGSYS, libc::SIGTRAP];

/// How long to sleep when nothing has happened.
const PAUSE: Duration = Duration::from_millis(1);
/// How long a killed process may take to be gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs the command; `look` is called with the thread that a fatal signal is about to reach, while everything else it
/// did can still be read.
pub(crate) fn until_death<T>(
    mut command: Command,
    limits: &Limits,
    look: impl Fn(i32) -> Option<T>,
) -> Option<T> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: between fork and exec only system calls are made, and nothing is allocated.
    unsafe { command.pre_exec(prepare) };
    let mut traced = Traced { child: command.spawn().ok()?, threads: vec![], found: None, ended: false };
    traced.threads.push(Thread { id: traced.child.id() as i32, begun: false });
    let deadline = Instant::now() + limits.wall;
    while !traced.ended && Instant::now() < deadline && !traced.weighs_more_than(limits.memory) {
        if !traced.turn(&look) {
            std::thread::sleep(PAUSE);
        }
    }
    // Who is still there at the deadline did not crash.
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
    // The child leaves before exec, which looks like success to `spawn`; a refusal comes back as an error.
    command.spawn().is_ok_and(|mut child| child.wait().is_ok_and(|status| status.success()))
}

/// In the child: be traced, at the same addresses every time, without a core file.
fn prepare() -> io::Result<()> {
    // SAFETY: the one pointer is valid for its call.
    unsafe {
        libc::setrlimit(libc::RLIMIT_CORE, &libc::rlimit { rlim_cur: 0, rlim_max: 0 });
        libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        let nothing = std::ptr::null_mut::<libc::c_void>();
        match libc::ptrace(libc::PTRACE_TRACEME, 0, nothing, nothing) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

struct Thread {
    id: i32,
    /// It has made its first stop, at which options are set or, for one that was born traced, nothing is.
    begun: bool,
}

struct Traced<T> {
    child: Child,
    threads: Vec<Thread>,
    /// What was seen at a fatal signal, and whether that was a fault.
    found: Option<T>,
    /// The first process has died of a signal, or a wrapper's exit code says that it saw one.
    ended: bool,
}

impl<T> Traced<T> {
    /// Deals with what has happened; says whether anything has.
    fn turn(&mut self, look: &impl Fn(i32) -> Option<T>) -> bool {
        let mut something = false;
        for index in (0..self.threads.len()).rev() {
            let id = self.threads[index].id;
            match wait(id) {
                Waited::Nothing => continue,
                Waited::Gone => self.leave(index, true),
                Waited::Exited(code) => self.leave(index, code < 128),
                Waited::Killed => self.leave(index, false),
                Waited::Stopped { signal, event } => self.stopped(index, signal, event, look),
            }
            something = true;
        }
        something
    }

    fn weighs_more_than(&self, limit: Option<u64>) -> bool {
        let Some(limit) = limit else { return false };
        let pages = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap_or_default();
        let resident = pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
        resident.is_some_and(|pages| pages << 12 > limit)
    }

    /// A thread is no more. If it was the first process and ended in peace, what was seen was no crash.
    fn leave(&mut self, index: usize, in_peace: bool) {
        let thread = self.threads.swap_remove(index);
        if thread.id == self.child.id() as i32 {
            self.ended = true;
            if in_peace {
                self.found = None;
            }
        }
    }

    fn stopped(&mut self, index: usize, signal: i32, event: i32, look: &impl Fn(i32) -> Option<T>) {
        let Thread { id, begun } = self.threads[index];
        if !begun {
            self.threads[index].begun = true;
            if id == self.child.id() as i32 {
                let follow = libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_TRACEFORK | libc::PTRACE_O_TRACEVFORK;
                request(
                    libc::PTRACE_SETOPTIONS,
                    id,
                    follow | libc::PTRACE_O_TRACEEXEC | libc::PTRACE_O_EXITKILL,
                );
            }
            return resume(id, 0);
        }
        if event != 0 {
            self.threads.extend(newborn(id, event));
            return resume(id, 0);
        }
        if FAULTS.contains(&signal) || (signal == libc::SIGABRT && self.found.is_none()) {
            self.found = look(id).or(self.found.take());
        }
        resume(id, signal);
    }
}

impl<T> Drop for Traced<T> {
    /// Ends whatever is left, and reaps it.
    fn drop(&mut self) {
        let end = Instant::now() + PATIENCE;
        while !self.threads.is_empty() && Instant::now() < end {
            let mut born = vec![];
            self.threads.retain(|thread| {
                // SAFETY: no pointers. The number is that of a thread we trace and have not reaped.
                unsafe { libc::kill(thread.id, libc::SIGKILL) };
                match wait(thread.id) {
                    Waited::Nothing => true,
                    Waited::Stopped { event, .. } => {
                        born.extend(newborn(thread.id, event));
                        resume(thread.id, libc::SIGKILL);
                        true
                    }
                    Waited::Gone | Waited::Exited(_) | Waited::Killed => false,
                }
            });
            self.threads.extend(born);
            std::thread::sleep(PAUSE);
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

fn wait(thread: i32) -> Waited {
    let mut status = 0;
    // SAFETY: the pointer is valid for writes for the length of the call.
    match unsafe { libc::waitpid(thread, &mut status, libc::WNOHANG | libc::__WALL) } {
        0 => Waited::Nothing,
        -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => Waited::Nothing,
        -1 => Waited::Gone,
        _ if libc::WIFEXITED(status) => Waited::Exited(libc::WEXITSTATUS(status)),
        _ if libc::WIFSIGNALED(status) => Waited::Killed,
        _ => Waited::Stopped { signal: libc::WSTOPSIG(status), event: status >> 16 },
    }
}

fn resume(thread: i32, signal: i32) {
    request(libc::PTRACE_CONT, thread, signal);
}

/// A request whose data is a number. A thread that has died meanwhile refuses it, and is found dead by the next wait.
fn request(what: libc::c_uint, thread: i32, data: i32) {
    // SAFETY: these requests take a number where others take an address.
    unsafe { libc::ptrace(what, thread, std::ptr::null_mut::<libc::c_void>(), data as libc::c_long) };
}

/// The thread or process whose birth an event tells.
fn newborn(thread: i32, event: i32) -> Option<Thread> {
    let births = [libc::PTRACE_EVENT_CLONE, libc::PTRACE_EVENT_FORK, libc::PTRACE_EVENT_VFORK];
    births.contains(&event).then(|| event_message(thread)).flatten().map(|id| Thread { id, begun: false })
}

/// The number that an event is about.
fn event_message(thread: i32) -> Option<i32> {
    let mut message: libc::c_ulong = 0;
    // SAFETY: the pointer is valid for writes for the length of the call.
    let done = unsafe {
        libc::ptrace(
            libc::PTRACE_GETEVENTMSG,
            thread,
            std::ptr::null_mut::<libc::c_void>(),
            &mut message as *mut libc::c_ulong,
        )
    };
    (done != -1).then_some(message as i32)
}

/// The registers that walking a stack begins with.
pub(crate) struct Registers {
    pub(crate) instruction: u64,
    pub(crate) stack: u64,
    pub(crate) frame: u64,
    /// Where the caller is, on machines that keep it in a register.
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
