//! Misbehaving processes: threads, memory, and descendants that do not end.
//!
//! Descendants are made by starting this same program again, so no `fork` is needed. Each of them ends by
//! itself after 20 to 30 seconds at the latest.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn again(behaviours: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "fake-solver".into()));
    command.args(["--behave", behaviours]);
    command
}

/// Ignored signals stay ignored across exec, so a shell ignores SIGTERM and starts this program again.
pub fn ignore_term() {
    if std::env::var_os("FAKE_SOLVER_IGNORES_TERM").is_some() {
        return;
    }
    let program = std::env::current_exe().unwrap_or_else(|_| "fake-solver".into());
    let error = Command::new("/bin/sh")
        .args(["-c", "trap '' TERM; exec \"$0\" \"$@\""])
        .arg(program)
        .args(std::env::args_os().skip(1))
        .env("FAKE_SOLVER_IGNORES_TERM", "1")
        .exec();
    crate::output::say(&format!("(error \"{error}\")\n"));
    crate::endings::exit(70);
}

/// Burns processor time in several threads for at most 20 seconds.
pub fn spin(threads: u64) {
    let end = Instant::now() + Duration::from_secs(20);
    let burn = move || {
        while Instant::now() < end {
            std::hint::spin_loop();
        }
    };
    let others: Vec<_> = (1..threads.min(64)).map(|_| std::thread::spawn(burn)).collect();
    burn();
    others.into_iter().for_each(|t| drop(t.join()));
}

/// Allocates and touches memory, up to a bound that is safe for the machine, then holds it for a while.
pub fn allocate(megabytes: u64) {
    let mut hoard: Vec<Vec<u8>> = Vec::new();
    for _ in 0..megabytes.min(4000) {
        hoard.push(vec![1; 1 << 20]);
    }
    crate::endings::sleep(5_000);
    drop(hoard);
}

/// A child that keeps our standard output open after we have ended.
pub fn leak_grandchild(flooding: bool) {
    let _ = again(if flooding { "flood-stdout" } else { "sleep:20000" }).stdin(Stdio::null()).spawn();
}

/// Leaves the process group and the session, with closed pipes.
pub fn double_fork(keep_environment: bool) {
    let mut command = again("daemon:sleep");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if !keep_environment {
        command.env_clear();
    }
    if let Ok(mut child) = command.spawn() {
        let _ = child.wait();
    }
}

/// The middle process of a double fork: starts a new session and a child in it, then ends.
pub fn daemon(plan: &str) {
    let _ = rustix::process::setsid();
    let plan = if plan == "brief" { "sleep:30" } else { "sleep:20000" };
    let _ = again(plan).process_group(0).stdin(Stdio::null()).spawn();
    crate::endings::exit(0);
}

/// A double-forked process that ends by itself soon after.
pub fn brief_orphan() {
    let mut command = again("daemon:brief");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).env_clear();
    if let Ok(mut child) = command.spawn() {
        let _ = child.wait();
    }
    crate::endings::sleep(100);
}

/// Starts processes as fast as it can, up to a bound.
pub fn fork_bomb(processes: u64) {
    for n in 0..processes.min(500) {
        let mut command = again("sleep:20000");
        command.stdin(Stdio::null());
        if n % 2 == 1 {
            command.process_group(0);
        }
        let _ = command.spawn();
    }
    crate::endings::sleep(20_000);
}
