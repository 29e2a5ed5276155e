//! Reads of /proc about other processes: state, times, memory, children, environment.
//!
//! A process can disappear between any two reads, so everything returns `None` or nothing instead of an
//! error. Nothing here signals or waits.

use crate::sys;
use std::fs::File;
use std::io::Read;
use std::sync::OnceLock;
use std::time::Duration;

/// The fields of /proc/PID/stat that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) state: u8,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
    /// Processor time of the process itself.
    pub(crate) cpu: Duration,
    /// Processor time of the children it has waited for.
    pub(crate) waited_cpu: Duration,
    pub(crate) threads: u32,
    /// Start, in ticks after boot: with the pid, the identity of a process.
    pub(crate) start: u64,
    /// Resident memory in bytes.
    pub(crate) resident: u64,
}

impl Stat {
    pub(crate) fn is_dead(&self) -> bool {
        matches!(self.state, b'Z' | b'X' | b'x')
    }
}

fn read_into(path: &str, buffer: &mut [u8]) -> Option<usize> {
    let mut file = File::open(path).ok()?;
    let mut len = 0;
    while len < buffer.len() {
        match file.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(n) => len += n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    Some(len)
}

pub(crate) fn stat(pid: i32) -> Option<Stat> {
    let mut buffer = [0u8; 1024];
    let len = read_into(&format!("/proc/{pid}/stat"), &mut buffer)?;
    parse_stat(&buffer[..len])
}

fn parse_stat(text: &[u8]) -> Option<Stat> {
    static UNITS: OnceLock<(u64, u64)> = OnceLock::new();
    let (ticks, page) = *UNITS.get_or_init(|| (sys::ticks_per_second(), sys::page_size()));
    // The name in parentheses may contain anything, parentheses included: count from the last one.
    let close = text.iter().rposition(|&b| b == b')')?;
    let rest = std::str::from_utf8(text.get(close + 2..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    // Field n of proc(5) is fields[n - 3].
    let number = |n: usize| fields.get(n - 3)?.parse::<i64>().ok();
    let time = |a: usize, b: usize| {
        let sum = number(a)?.max(0) as u64 + number(b)?.max(0) as u64;
        Some(Duration::from_nanos((sum as u128 * 1_000_000_000 / ticks as u128) as u64))
    };
    Some(Stat {
        state: *fields.first()?.as_bytes().first()?,
        parent: number(4)? as i32,
        group: number(5)? as i32,
        session: number(6)? as i32,
        cpu: time(14, 15)?,
        waited_cpu: time(16, 17)?,
        threads: number(20)?.max(0) as u32,
        start: number(22)?.max(0) as u64,
        resident: number(24)?.max(0) as u64 * page,
    })
}

/// Proportional memory: each shared page is divided by the number of processes that share it. Slow (the
/// kernel walks the page tables), so only read when the plain sum is over a limit.
pub(crate) fn proportional(pid: i32) -> Option<u64> {
    kilobytes(&format!("/proc/{pid}/smaps_rollup"), "Pss:")
}

/// The largest resident memory of one living process so far.
pub(crate) fn high_water(pid: i32) -> Option<u64> {
    kilobytes(&format!("/proc/{pid}/status"), "VmHWM:")
}

fn kilobytes(path: &str, key: &str) -> Option<u64> {
    let mut buffer = [0u8; 4096];
    let len = read_into(path, &mut buffer)?;
    let text = String::from_utf8_lossy(&buffer[..len]);
    let line = text.lines().find(|l| l.starts_with(key))?;
    line[key.len()..].trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|k| k << 10)
}

/// Whether a process is blocked in a `read` of this descriptor.
pub(crate) fn is_reading(pid: i32, descriptor: i32) -> bool {
    let Ok(line) = std::fs::read_to_string(format!("/proc/{pid}/syscall")) else { return false };
    let mut words = line.split_ascii_whitespace();
    let call = words.next().and_then(|word| word.parse::<libc::c_long>().ok());
    let first = words.next().and_then(|word| i32::from_str_radix(word.strip_prefix("0x")?, 16).ok());
    call == Some(libc::SYS_read) && first == Some(descriptor)
}

/// Whether the kernel lists children by itself (`CONFIG_PROC_CHILDREN`).
fn lists_children() -> bool {
    static LISTS: OnceLock<bool> = OnceLock::new();
    *LISTS.get_or_init(|| {
        let own = std::process::id();
        File::open(format!("/proc/{own}/task/{own}/children")).is_ok()
    })
}

/// The children of a process, of all its threads.
pub(crate) fn children(pid: i32) -> Vec<i32> {
    if !lists_children() {
        return all().into_iter().filter(|&p| stat(p).is_some_and(|s| s.parent == pid)).collect();
    }
    let mut found = Vec::new();
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return found };
    for thread in threads.flatten() {
        if let Some(thread) = thread.file_name().to_str() {
            children_of_thread(pid, thread, &mut found);
        }
    }
    found
}

/// The children of a process's first thread: one small file.
pub(crate) fn first_children(pid: i32) -> Vec<i32> {
    if !lists_children() {
        return children(pid);
    }
    let mut found = Vec::new();
    children_of_thread(pid, &pid.to_string(), &mut found);
    found
}

/// The children that the kernel has given to our main thread. Orphans that a subreaper adopts go to its
/// first living thread, so every adopted orphan is among them.
pub(crate) fn adopted() -> Vec<i32> {
    first_children(std::process::id() as i32)
}

fn children_of_thread(pid: i32, thread: &str, found: &mut Vec<i32>) {
    let Ok(text) = std::fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")) else { return };
    found.extend(text.split_ascii_whitespace().filter_map(|p| p.parse::<i32>().ok()));
}

/// Every process on the system.
pub(crate) fn all() -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|e| e.file_name().to_str()?.parse().ok()).collect()
}

/// Whether the environment with which a process was started has a variable that begins with `entry` (exactly
/// equals it, if `whole`). `None` if it has no environment at all: it cleared it, it is dead, or it is in
/// the middle of an exec, and then it is worth reading again.
pub(crate) fn environment_has(pid: i32, entry: &[u8], whole: bool) -> Option<bool> {
    let bytes = std::fs::read(format!("/proc/{pid}/environ")).ok().filter(|b| !b.is_empty())?;
    Some(bytes.split(|&b| b == 0).any(|e| if whole { e == entry } else { e.starts_with(entry) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_full_of_parentheses_does_not_shift_the_fields() {
        let line = b"42 (a) b (c)) S 7 8 9 0 -1 4194560 1 0 0 0 100 50 20 30 20 0 3 0 777 1000 25 0 0";
        let stat = parse_stat(line).unwrap();
        assert_eq!((stat.state, stat.parent, stat.group, stat.session), (b'S', 7, 8, 9));
        assert_eq!((stat.threads, stat.start), (3, 777));
        assert_eq!(stat.resident, 25 * sys::page_size());
        assert!(stat.cpu > stat.waited_cpu);
    }

    #[test]
    fn our_own_entry_can_be_read() {
        let own = std::process::id() as i32;
        let stat = stat(own).unwrap();
        assert_eq!(stat.parent, std::os::unix::process::parent_id() as i32);
        assert!(stat.resident > 0 && !stat.is_dead());
        assert!(high_water(own).unwrap() >= 1 << 20);
        assert!(proportional(own).unwrap() > 0);
    }
}
