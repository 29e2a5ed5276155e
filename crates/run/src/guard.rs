//! The guard: a small process that outlives us for a moment and ends our trees if we are killed.
//!
//! No handler runs on SIGKILL, and a solver in the middle of a hard query does not notice that its pipe has no reader.
//! So the first run forks one guard, which waits on a pipe whose other end only we hold. When the kernel closes that
//! end, however we died, the guard searches /proc for our processes, kills them and ends itself. A process is ours if
//! it has our nonce in its environment; since a daemon may clear its environment, a process is also ours if it was
//! started after us with our own limit on message queues: a number that no other process has, that every descendant
//! inherits, and that disturbs no program. (`PR_SET_PDEATHSIG` would need code between fork and exec, fires when the
//! spawning *thread* ends, and does not reach grandchildren.)
//!
//! The guard is a fork of a process that may have threads, so it must neither allocate nor lock: it uses
//! system calls and stack buffers only. It holds none of our descriptors, so no lock file and no pipe of
//! ours stays open through it.
#![allow(unsafe_code)]

use std::os::fd::{IntoRawFd, OwnedFd};

/// Longest `NAME=value` prefix that the guard searches for.
const ENTRY_ROOM: usize = 128;

/// Forks the guard; `entry` is the prefix of the environment entry that marks our processes. `None` when the machine
/// refuses: the trees are then ended only if we exit normally.
pub(crate) fn start(entry: &str, our_start: u64) -> Option<i32> {
    if entry.len() > ENTRY_ROOM {
        return None;
    }
    let mut copy = [0u8; ENTRY_ROOM];
    copy[..entry.len()].copy_from_slice(entry.as_bytes());
    let limit = limit_of(std::process::id());
    let (wait_end, our_end) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).ok()?;
    let our_end: OwnedFd = our_end;
    // SAFETY: the child only makes system calls on its own stack and leaves with _exit.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let marks = Marks { entry: &copy[..entry.len()], limit, since: our_start };
        // SAFETY: as above.
        unsafe { stand_guard(std::os::fd::AsRawFd::as_raw_fd(&wait_end), &marks) }
    }
    if pid < 0 {
        return None;
    }
    // After the fork, so that the guard itself is not marked.
    mark_by_limit(limit);
    // Never closed by us: the end of this process closes it.
    let _ = our_end.into_raw_fd();
    Some(pid)
}

/// How our processes are recognised.
struct Marks<'a> {
    /// The prefix of a variable in their environment.
    entry: &'a [u8],
    /// Their soft limit on message queues.
    limit: u64,
    /// None of them is older, in ticks after boot.
    since: u64,
}

/// A limit below what systems allow, and far above what any process here needs.
fn limit_of(pid: u32) -> u64 {
    200_000 + u64::from(pid % 600_000)
}

/// Sets the limit, for ourselves and for all processes that we will start. If it is refused, only the environment is
/// used.
fn mark_by_limit(limit: u64) {
    let resource = libc::RLIMIT_MSGQUEUE;
    let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are to a live local.
    unsafe {
        if libc::getrlimit(resource, &mut now) == 0 && now.rlim_max >= limit {
            now.rlim_cur = limit;
            libc::setrlimit(resource, &now);
        }
    }
}

/// The main loop of the guard. Must only be called in a forked child.
unsafe fn stand_guard(wait_end: i32, marks: &Marks<'_>) -> ! {
    // SAFETY: plain system calls; all pointers are to live locals or to literals.
    unsafe {
        libc::setsid();
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGPIPE] {
            libc::signal(signal, libc::SIG_IGN);
        }
        libc::prctl(libc::PR_SET_NAME, c"falsum-guard".as_ptr());
        libc::chdir(c"/".as_ptr());
        libc::dup2(wait_end, 0);
        libc::syscall(libc::SYS_close_range, 1u32, u32::MAX, 0u32);
        let mut byte = 0u8;
        loop {
            let got = libc::read(0, (&raw mut byte).cast(), 1);
            if got == 0 || (got < 0 && *libc::__errno_location() != libc::EINTR) {
                break;
            }
        }
        let mut clean = 0;
        for _ in 0..100 {
            clean = if sweep(marks) == 0 { clean + 1 } else { 0 };
            if clean == 2 {
                break;
            }
            let moment = libc::timespec { tv_sec: 0, tv_nsec: 10_000_000 };
            libc::nanosleep(&moment, std::ptr::null_mut());
        }
        libc::_exit(0)
    }
}

/// Kills every process that is marked; returns how many there were.
unsafe fn sweep(marks: &Marks<'_>) -> usize {
    let mut killed = 0;
    let mut buffer = [0u64; 1024];
    // SAFETY: the buffer is large enough and aligned for directory entries; see getdents64(2).
    unsafe {
        let proc_dir = libc::open(c"/proc".as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY);
        if proc_dir < 0 {
            return 0;
        }
        loop {
            let room = size_of_val(&buffer);
            let got = libc::syscall(libc::SYS_getdents64, proc_dir, buffer.as_mut_ptr(), room);
            if got <= 0 {
                break;
            }
            let bytes = std::slice::from_raw_parts(buffer.as_ptr().cast::<u8>(), (got as usize).min(room));
            let mut at = 0;
            // d_ino (8), d_off (8), d_reclen (2), d_type (1), then the name, zero-terminated.
            while at + 19 < bytes.len() {
                let length = u16::from_ne_bytes([bytes[at + 16], bytes[at + 17]]) as usize;
                if length == 0 {
                    break;
                }
                if let Some(pid) = number(&bytes[at + 19..(at + length).min(bytes.len())])
                    && (is_marked(pid, marks.entry) || is_limited(pid, marks))
                {
                    libc::kill(pid, libc::SIGKILL);
                    killed += 1;
                }
                at += length;
            }
        }
        libc::close(proc_dir);
    }
    killed
}

/// The decimal number before the first zero byte, if there is nothing else.
fn number(name: &[u8]) -> Option<i32> {
    let mut value = 0i32;
    let mut digits = 0;
    for &byte in name.iter().take_while(|&&b| b != 0) {
        if !byte.is_ascii_digit() || digits == 9 {
            return None;
        }
        value = value * 10 + i32::from(byte - b'0');
        digits += 1;
    }
    (digits > 0).then_some(value)
}

/// Whether some variable in the environment of `pid` begins with `entry`. Reads in pieces, with a
/// matcher that is at the start of a variable only after a zero byte.
unsafe fn is_marked(pid: i32, entry: &[u8]) -> bool {
    let mut path = [0u8; 32];
    write_path(pid, b"/environ\0", &mut path);
    let mut buffer = [0u8; 4096];
    let mut matched = Some(0usize);
    // SAFETY: the path is zero-terminated and the buffer is as large as stated.
    unsafe {
        let file = libc::open(path.as_ptr().cast(), libc::O_RDONLY);
        if file < 0 {
            return false;
        }
        let mut found = false;
        while !found {
            let got = libc::read(file, buffer.as_mut_ptr().cast(), buffer.len());
            if got <= 0 {
                break;
            }
            for &byte in &buffer[..got as usize] {
                matched = match (byte, matched) {
                    (0, _) => Some(0),
                    (b, Some(n)) if entry[n] == b => Some(n + 1),
                    _ => None,
                };
                if matched == Some(entry.len()) {
                    found = true;
                    break;
                }
            }
        }
        libc::close(file);
        found
    }
}

/// Whether a process was started after us and has our limit.
unsafe fn is_limited(pid: i32, marks: &Marks<'_>) -> bool {
    let mut buffer = [0u8; 4096];
    // SAFETY: we are in the guard, and the buffer is ours.
    let limit = unsafe { read_proc(pid, b"/limits\0", &mut buffer) };
    if soft_limit(&buffer[..limit]) != Some(marks.limit) {
        return false;
    }
    // SAFETY: as above.
    let stat = unsafe { read_proc(pid, b"/stat\0", &mut buffer) };
    start_of(&buffer[..stat]).is_some_and(|start| start >= marks.since)
}

/// The soft limit on message queues, from /proc/PID/limits.
fn soft_limit(text: &[u8]) -> Option<u64> {
    const NAME: &[u8] = b"Max msgqueue size";
    let at = text.windows(NAME.len()).position(|w| w == NAME)?;
    decimal(text[at + NAME.len()..].trim_ascii_start())
}

/// When a process started, from /proc/PID/stat: the 20th word after the name in parentheses.
fn start_of(text: &[u8]) -> Option<u64> {
    let close = text.iter().rposition(|&b| b == b')')?;
    decimal(text.get(close + 2..)?.split(|&b| b == b' ').nth(19)?)
}

/// The decimal number that a text begins with.
fn decimal(text: &[u8]) -> Option<u64> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = |sum: u64, &b: &u8| sum.checked_mul(10)?.checked_add(u64::from(b - b'0'));
    text[..digits].iter().try_fold(0, number).filter(|_| digits > 0)
}

/// Reads the beginning of a file of /proc; 0 bytes if it cannot be read.
unsafe fn read_proc(pid: i32, file: &[u8], buffer: &mut [u8; 4096]) -> usize {
    let mut path = [0u8; 32];
    write_path(pid, file, &mut path);
    // SAFETY: the path is zero-terminated and the buffer is as large as stated.
    unsafe {
        let descriptor = libc::open(path.as_ptr().cast(), libc::O_RDONLY);
        if descriptor < 0 {
            return 0;
        }
        let got = libc::read(descriptor, buffer.as_mut_ptr().cast(), buffer.len());
        libc::close(descriptor);
        got.max(0) as usize
    }
}

/// Writes `/proc/<pid>` and the name of a file, which ends with a zero byte, without allocating.
fn write_path(pid: i32, file: &[u8], path: &mut [u8; 32]) {
    let mut digits = [0u8; 10];
    let mut count = 0;
    let mut rest = pid.unsigned_abs();
    loop {
        digits[count] = b'0' + (rest % 10) as u8;
        count += 1;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let pieces = b"/proc/".iter().chain(digits[..count].iter().rev()).chain(file);
    path.iter_mut().zip(pieces).for_each(|(to, from)| *to = *from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_numbers_are_written_and_read_without_allocating() {
        let mut path = [0u8; 32];
        write_path(4194303, b"/environ\0", &mut path);
        assert!(path.starts_with(b"/proc/4194303/environ\0"));
        assert_eq!(number(b"123\0xx"), Some(123));
        assert_eq!(number(b"12a\0"), None);
        assert_eq!(number(b"\0"), None);
        assert_eq!(number(b"99999999999\0"), None);
        let stat = b"42 (a) b) S 7 8 9 0 -1 4194560 1 0 0 0 100 50 20 30 20 0 3 0 777 1000 25";
        assert_eq!(start_of(stat), Some(777));
        let limits =
            b"Max pending signals  9  9  signals\nMax msgqueue size         819200   900000   bytes\n";
        assert_eq!(soft_limit(limits), Some(819_200));
        assert_eq!((soft_limit(b""), decimal(b"x"), decimal(b"99999999999999999999")), (None, None, None));
    }
}
