//! How the program ends in a shell: `falsum … | head` is not a failure, and a second interrupt ends it at once.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::process::{Command, Stdio};

#[test]
fn a_closed_pipe_is_not_an_error() {
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

/// A check that takes half a minute and ignores interrupts: the program must end even while a worker waits or computes.
#[test]
fn the_second_interrupt_ends_the_program_even_while_it_waits() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.smt2"), "(declare-const x Int)(assert (> x 0))(check-sat)").unwrap();
    let began = path("began");
    let slow = format!("#!/bin/sh\ntrap '' INT TERM HUP\ntouch '{}'\nsleep 30\n", began.display());
    std::fs::write(path("slow.sh"), slow).unwrap();
    std::fs::set_permissions(path("slow.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_falsum"))
        .args(["reduce", "a.smt2", "--script", "./slow.sh", "-o", "b.smt2", "--timeout", "60s"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let patience = std::time::Instant::now();
    while !began.exists() {
        assert!(patience.elapsed().as_secs() < 60, "the check was never run");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let send = |signal: &str| Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(send("-INT").success());
    std::thread::sleep(std::time::Duration::from_millis(300));
    let asked = std::time::Instant::now();
    assert!(send("-TERM").success());
    let code = child.wait().unwrap().code();
    // It promises one second; a busy machine may need a little more.
    assert!(asked.elapsed().as_secs() < 8, "it took {:?}", asked.elapsed());
    assert_eq!(code, Some(130));
}
