//! Tests that need what this machine may not have: another program, or the right to mount.
//!
//! A test that cannot say anything must not look like one that passed: it says why it was left out, past the capture
//! of the test harness, and where `CI` is `true` it fails.

use std::io::Write;
use std::process::Output;

/// Says why a test is left out; its caller returns.
///
/// # Panics
/// In CI, where no test may be left out.
pub fn skip(why: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "CI must not leave out this test: {why}");
    let thread = std::thread::current();
    let _ = writeln!(std::io::stderr(), "skipped {}: {why}", thread.name().unwrap_or("a test"));
}

/// What a command gave that ran in `unshare` with a file system of its own, and was to exit with 77 if it could not
/// mount that; `None` where nobody may mount.
///
/// # Panics
/// In CI, if it could not be mounted.
pub fn mounted(run: std::io::Result<Output>) -> Option<Output> {
    match run {
        Ok(run) if run.status.code() != Some(77) && !run.stderr.starts_with(b"unshare: ") => Some(run),
        Ok(run) => {
            skip(&format!("nothing can be mounted here: {}", String::from_utf8_lossy(&run.stderr).trim()));
            None
        }
        Err(error) => {
            skip(&format!("cannot run unshare: {error}"));
            None
        }
    }
}
