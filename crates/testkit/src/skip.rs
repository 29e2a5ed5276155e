//! Tests that need what this machine may not have: another program, or the right to mount.
//!
//! A test that cannot say anything must not look like one that passed: it says why it was left out, past the capture
//! of the test harness. A program can be installed, so where `CI` is `true` a test that misses one fails. The right to
//! mount cannot: containers do not have it, and such a test is a second look at what others show without it.

use std::io::Write;
use std::process::Output;

/// Says that a test is left out for want of a program; its caller returns.
///
/// # Panics
/// In CI, which installs what it needs.
pub fn skip(why: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "CI must not leave out this test: {why}");
    tell(why);
}

/// What a command gave that ran in `unshare` with a file system of its own, and was to exit with 77 if it could not
/// mount that; `None` where nobody may mount, which is said.
pub fn mounted(run: std::io::Result<Output>) -> Option<Output> {
    match run {
        Ok(run) if run.status.code() != Some(77) && !run.stderr.starts_with(b"unshare: ") => Some(run),
        Ok(run) => {
            tell(&format!("nothing can be mounted here: {}", String::from_utf8_lossy(&run.stderr).trim()));
            None
        }
        Err(error) => {
            tell(&format!("cannot run unshare: {error}"));
            None
        }
    }
}

/// Says why a test says nothing, past the capture of the harness.
pub fn tell(why: &str) {
    let thread = std::thread::current();
    let _ = writeln!(std::io::stderr(), "skipped {}: {why}", thread.name().unwrap_or("a test"));
}
