//! What a shell does to a command line tool: `falsum … | head` is no failure.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::process::{Command, Stdio};

#[test]
fn a_reader_that_has_seen_enough_is_not_an_error() {
    let enumerate = ["enumerate", "--grammar", "Ints", "--take", "100000", "--no-solve", "--out", "-"];
    for args in [&enumerate[..], &["strategy", "list", "--operators"], &["man"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_falsum"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?} {stderr}");
        assert_eq!(stderr, "", "{args:?}");
    }
}
