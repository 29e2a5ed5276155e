//! The few system calls that have no safe wrapper: `wait4`, processor clocks, our own usage, signals.
//!
//! Every `unsafe` of this crate is here or in `guard`. Each function takes and returns plain values, so
//! nothing unsafe can leak out.
#![allow(unsafe_code)]

use crate::outcome::Exit;
use rustix::io::Errno;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

/// A reaped process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reaped {
    pub(crate) exit: Exit,
    /// Processor time of the process and of the descendants it waited for.
    pub(crate) cpu: Duration,
    /// Largest resident memory of one process of them, in bytes. Beware: through `vfork` it is at least
    /// the peak of *our* memory at the time of the spawn.
    pub(crate) max_rss: u64,
}

/// Reaps one child of ours, by pid. `Ok(None)`: it still runs (only with `block == false`).
pub(crate) fn reap(pid: i32, block: bool) -> io::Result<Option<Reaped>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let flags = if block { 0 } else { libc::WNOHANG };
    loop {
        // SAFETY: both pointers are valid for writes for the length of the call.
        let got = unsafe { libc::wait4(pid, &mut status, flags, usage.as_mut_ptr()) };
        match got {
            0 => return Ok(None),
            -1 => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
            _ => break,
        }
    }
    // SAFETY: zeroed is a valid rusage, and wait4 has filled it in.
    let usage = unsafe { usage.assume_init() };
    Ok(Some(Reaped { exit: exit_of(status), cpu: cpu_of(&usage), max_rss: (usage.ru_maxrss as u64) << 10 }))
}

fn exit_of(status: i32) -> Exit {
    if libc::WIFEXITED(status) {
        Exit::Code(libc::WEXITSTATUS(status))
    } else if libc::WIFSIGNALED(status) {
        Exit::Signal(libc::WTERMSIG(status))
    } else {
        Exit::Unknown
    }
}

fn cpu_of(usage: &libc::rusage) -> Duration {
    duration_of(usage.ru_utime) + duration_of(usage.ru_stime)
}

fn duration_of(time: libc::timeval) -> Duration {
    Duration::new(time.tv_sec.max(0) as u64, (time.tv_usec.clamp(0, 999_999) as u32) * 1000)
}

/// Our own largest resident memory so far, in bytes.
pub(crate) fn own_max_rss() -> u64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is valid for writes; zeroed is a valid rusage if the call fails.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    (usage.ru_maxrss as u64) << 10
}

/// Processor time used so far by this process and by all the children it has waited for. Exact, but without children
/// that still run.
pub fn used_cpu() -> Duration {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN].into_iter().map(usage_of).sum()
}

fn usage_of(who: libc::c_int) -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is valid for writes; zeroed is a valid rusage if the call fails.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    cpu_of(&usage)
}

/// Processor time of a living process (all its threads, no children), to the nanosecond and without
/// touching /proc. `None` when it is gone.
pub(crate) fn process_cpu(pid: i32) -> Option<Duration> {
    let mut clock: libc::clockid_t = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both pointers are valid for writes for the length of the calls.
    let ok = unsafe {
        libc::clock_getcpuclockid(pid, &mut clock) == 0 && libc::clock_gettime(clock, &mut time) == 0
    };
    ok.then(|| Duration::new(time.tv_sec.max(0) as u64, time.tv_nsec.clamp(0, 999_999_999) as u32))
}

/// Makes a write to a pipe without readers an error instead of a fatal signal. A handler that other code has
/// installed on purpose is not changed. (Children get the default disposition back from `Command`.)
pub(crate) fn survive_closed_pipes() {
    // SAFETY: reading and setting a signal disposition; no handler of ours is involved.
    unsafe {
        let mut current = MaybeUninit::<libc::sigaction>::zeroed();
        if libc::sigaction(libc::SIGPIPE, std::ptr::null(), current.as_mut_ptr()) == 0
            && current.assume_init().sa_sigaction == libc::SIG_DFL
        {
            libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        }
    }
}

/// Bytes written to a socket that its other end has not read yet.
pub(crate) fn unread_by_peer(socket: BorrowedFd<'_>) -> usize {
    let mut bytes: libc::c_int = 0;
    // SAFETY: the pointer is valid for writes for the length of the call.
    let done = unsafe { libc::ioctl(socket.as_raw_fd(), libc::TIOCOUTQ, &mut bytes) };
    if done == 0 { usize::try_from(bytes).unwrap_or(0) } else { 0 }
}

/// Two sockets that are connected to each other.
pub(crate) fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut pair = [-1; 2];
    let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
    // SAFETY: the array has room for both; once the call has succeeded they have no other owner.
    unsafe {
        if libc::socketpair(libc::AF_UNIX, kind, 0, pair.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(pair[0]), OwnedFd::from_raw_fd(pair[1])))
    }
}

/// The most descriptors that are sent at once.
const MOST_FILES: usize = 4;

/// A control message with descriptors, laid out as the kernel wants it.
#[repr(C)]
struct Rights {
    head: libc::cmsghdr,
    files: [libc::c_int; MOST_FILES],
}

/// Sends bytes, with descriptors if there are any, without waiting; says how many bytes went.
pub(crate) fn send(socket: BorrowedFd<'_>, bytes: &[u8], files: &[BorrowedFd<'_>]) -> Result<usize, Errno> {
    let count = files.len().min(MOST_FILES);
    let length = size_of::<libc::cmsghdr>() + count * size_of::<libc::c_int>();
    // SAFETY: zeroed headers are valid; every pointer is to a live local or to the caller's bytes, with its length. On
    // 64-bit Linux the descriptors follow the header without a gap.
    let sent = unsafe {
        let mut rights: Rights = std::mem::zeroed();
        rights.head.cmsg_len = length as _;
        rights.head.cmsg_level = libc::SOL_SOCKET;
        rights.head.cmsg_type = libc::SCM_RIGHTS;
        for (to, from) in rights.files.iter_mut().zip(files) {
            *to = from.as_raw_fd();
        }
        let mut slice = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &mut slice;
        message.msg_iovlen = 1;
        if count > 0 {
            message.msg_control = (&raw mut rights).cast();
            message.msg_controllen = length as _;
        }
        libc::sendmsg(socket.as_raw_fd(), &message, libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT)
    };
    usize::try_from(sent).map_err(|_| last_errno())
}

/// Receives bytes without waiting; says how many came.
pub(crate) fn receive(socket: BorrowedFd<'_>, bytes: &mut [u8]) -> Result<usize, Errno> {
    // SAFETY: the pointer is valid for writes of that length.
    let got =
        unsafe { libc::recv(socket.as_raw_fd(), bytes.as_mut_ptr().cast(), bytes.len(), libc::MSG_DONTWAIT) };
    usize::try_from(got).map_err(|_| last_errno())
}

fn last_errno() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}

/// Clock ticks per second, the unit of processor times in /proc.
pub(crate) fn ticks_per_second() -> u64 {
    // SAFETY: no pointers.
    (unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).max(1) as u64
}

/// Bytes per page, the unit of resident memory in /proc.
pub(crate) fn page_size() -> u64 {
    // SAFETY: no pointers.
    (unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).max(1) as u64
}
