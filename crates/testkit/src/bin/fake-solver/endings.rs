//! Ways to end, or not to end: signals, exit codes, sleep, and random outcomes.

use rustix::process::{Signal, getpid, kill_process};
use std::fs::OpenOptions;
use std::io::Write;
use std::time::{Duration, SystemTime};

/// No behaviour of this program lasts longer.
const LONGEST: Duration = Duration::from_secs(60);

pub fn sleep(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds).min(LONGEST));
}

/// The signal is sent twice, because the Rust runtime's handler for SIGSEGV ignores the first one that is not a real
/// fault.
pub fn signal_self(signal: Signal) {
    let _ = kill_process(getpid(), signal);
    if signal != Signal::STOP {
        let _ = kill_process(getpid(), signal);
    }
}

pub fn exit(code: i32) -> ! {
    std::process::exit(code)
}

/// One of three answers, or a crash, depending on the clock: two runs may differ.
pub fn flaky() {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    match now.as_micros() % 4 {
        0 => crate::output::say("sat\n"),
        1 => crate::output::say("unsat\n"),
        2 => crate::output::say("unknown\n"),
        _ => signal_self(Signal::SEGV),
    }
    exit(0);
}

/// Adds a byte to a file that all runs share, and returns how many there are now.
pub fn count(path: &str) -> u64 {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let Ok(mut file) = file else { exit(64) };
    let _ = file.write_all(b".");
    file.metadata().map_or(0, |data| data.len())
}

/// Unsat in odd runs, sat in even ones: flaky in a deterministic way.
pub fn alternate(path: &str) {
    crate::output::say(if count(path) % 2 == 1 { "unsat\n" } else { "sat\n" });
    exit(0);
}

/// Unsat in so many of ten runs, sat in the others. Runs that only ask for the version do not come here.
pub fn unsat_in(path: &str, of_ten: u64) {
    crate::output::say(if count(path) % 10 < of_ten { "unsat\n" } else { "sat\n" });
    exit(0);
}
