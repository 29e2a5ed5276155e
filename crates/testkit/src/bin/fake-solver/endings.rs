//! Ways to end, or not to: signals, exit codes, sleep, and luck.

use rustix::process::{Signal, getpid, kill_process};
use std::time::{Duration, SystemTime};

/// No plan of this program lasts longer.
const LONGEST: Duration = Duration::from_secs(60);

pub fn sleep(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds).min(LONGEST));
}

/// Twice, because the Rust runtime's handler for SIGSEGV swallows the first one that is no real fault.
pub fn signal_self(signal: Signal) {
    let _ = kill_process(getpid(), signal);
    if signal != Signal::STOP {
        let _ = kill_process(getpid(), signal);
    }
}

pub fn exit(code: i32) {
    std::process::exit(code);
}

/// One of three answers, or a crash, by the clock: no two runs need agree.
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
