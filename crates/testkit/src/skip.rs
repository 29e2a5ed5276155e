//! Skips tests that need what this machine may not have: another program, or the right to mount.
//!
//! A skipped test must not look like one that passed, so it prints the reason, bypassing the output capture of the
//! test harness. A missing program can be installed, so where `CI` is `true` a test that lacks one fails. The right to
//! mount cannot be installed: containers do not have it. Tests that need it only confirm what other tests check
//! without it.

use std::io::Write;
use std::process::Output;

/// Prints that a test is skipped because a program is missing; its caller returns.
///
/// # Panics
/// In CI, which installs what it needs.
pub fn skip(why: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "CI must not leave out this test: {why}");
    tell(why);
}

/// The result of a command that ran in `unshare` with its own file system. The command exits with 77 if it cannot
/// mount; then the reason is printed and the result is `None`.
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

/// Prints why a test checks nothing, bypassing the output capture of the harness.
pub fn tell(why: &str) {
    let thread = std::thread::current();
    let _ = writeln!(std::io::stderr(), "skipped {}: {why}", thread.name().unwrap_or("a test"));
}
