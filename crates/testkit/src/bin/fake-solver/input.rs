//! Misbehaviour on standard input.

use std::fs::File;

/// Closes the pipe (by replacing it with /dev/null), then answers without having read.
pub fn close() {
    if let Ok(null) = File::open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
    }
    crate::output::say("unknown\n");
    crate::endings::sleep(200);
}

/// Leaves the pipe open and unread for a while, then answers and exits.
pub fn never_read(milliseconds: u64) {
    crate::endings::sleep(milliseconds);
    crate::output::say("unknown\n");
    crate::endings::exit(0);
}
