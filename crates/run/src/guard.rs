//! The guard: a small process that outlives us for a moment and ends our trees if we are killed.
//!
//! No handler runs on SIGKILL, and a solver in the middle of a hard query does not notice that nobody
//! reads its pipe. So the first run forks one guard, which waits on a pipe whose other end only we hold.
//! When the kernel closes that end, however we died, the guard looks through /proc for processes whose
//! environment carries our nonce, kills them and ends itself. (`PR_SET_PDEATHSIG` would need code between
//! fork and exec, fires when the spawning *thread* ends, and does not reach grandchildren.)
//!
//! The guard is a fork of a process that may have threads, so it must neither allocate nor lock: it uses
//! system calls and stack buffers only. It holds none of our descriptors, so no lock file and no pipe of
//! ours stays open through it.
#![allow(unsafe_code)]

use std::os::fd::{IntoRawFd, OwnedFd};

/// Longest `NAME=value` beginning that the guard looks for.
const ENTRY_ROOM: usize = 128;

/// Forks the guard; `entry` is the beginning of the environment entry that marks our processes. `None`
/// when the machine refuses: the trees are then only safe as long as we end in order.
pub(crate) fn start(entry: &str) -> Option<i32> {
    if entry.len() > ENTRY_ROOM {
        return None;
    }
    let mut copy = [0u8; ENTRY_ROOM];
    copy[..entry.len()].copy_from_slice(entry.as_bytes());
    let (wait_end, our_end) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).ok()?;
    let our_end: OwnedFd = our_end;
    // SAFETY: the child only makes system calls on its own stack and leaves with _exit.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        // SAFETY: we are the forked child.
        unsafe { stand_guard(std::os::fd::AsRawFd::as_raw_fd(&wait_end), &copy[..entry.len()]) }
    }
    if pid < 0 {
        return None;
    }
    // Never closed by us: the end of this process closes it.
    let _ = our_end.into_raw_fd();
    Some(pid)
}

/// The life of the guard. Must only be called in a forked child.
unsafe fn stand_guard(wait_end: i32, entry: &[u8]) -> ! {
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
            clean = if sweep(entry) == 0 { clean + 1 } else { 0 };
            if clean == 2 {
                break;
            }
            let moment = libc::timespec { tv_sec: 0, tv_nsec: 10_000_000 };
            libc::nanosleep(&moment, std::ptr::null_mut());
        }
        libc::_exit(0)
    }
}

/// Kills every process marked with `entry`; returns how many there were.
unsafe fn sweep(entry: &[u8]) -> usize {
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
                    && is_marked(pid, entry)
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
    write_path(pid, &mut path);
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

/// Writes `/proc/<pid>/environ` and a zero byte without allocating.
fn write_path(pid: i32, path: &mut [u8; 32]) {
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
    let pieces = b"/proc/".iter().chain(digits[..count].iter().rev()).chain(b"/environ\0");
    path.iter_mut().zip(pieces).for_each(|(to, from)| *to = *from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_numbers_are_written_and_read_without_allocating() {
        let mut path = [0u8; 32];
        write_path(4194303, &mut path);
        assert!(path.starts_with(b"/proc/4194303/environ\0"));
        assert_eq!(number(b"123\0xx"), Some(123));
        assert_eq!(number(b"12a\0"), None);
        assert_eq!(number(b"\0"), None);
        assert_eq!(number(b"99999999999\0"), None);
    }
}
