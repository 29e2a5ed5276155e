//! What a process inside the sandbox cannot do, tried with a shell; and that the cost for a session is negligible.
//!
//! Where the kernel has no Landlock, the tests end at once; `doctor` reports that too.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod scene;

use run::{Input, Interactive, Level, Outcome, Sandbox, Spec, held, once, until_line};
use scene::Scene;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn shell(sandbox: &Arc<Sandbox>, script: &str) -> Outcome {
    let mut spec = Spec::new("/bin/bash").args(["-c", script]);
    spec.sandbox = Some(sandbox.clone());
    once(&spec, Input::Nothing).unwrap()
}

/// A sandbox in which one folder can be written; `None` where there is none.
fn sandbox(level: Level, writable: &Path) -> Option<Arc<Sandbox>> {
    Sandbox::new(level, vec![writable.to_owned()]).map(Arc::new)
}

#[test]
fn files_can_be_written_in_the_one_folder_and_nowhere_else() {
    let _scene = Scene::new();
    let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let Some(sandbox) = sandbox(Level::Files, inside.path()) else { return };
    let victim = outside.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    let (i, o) = (inside.path().display(), outside.path().display());
    for attack in [
        format!("echo x > {o}/new"),
        format!("echo x >> {o}/victim"),
        format!("rm {o}/victim"),
        format!("mv {o}/victim {i}/stolen"),
        format!("ln -s /etc {o}/link"),
        format!("mkdir {o}/folder"),
        format!("ln -s {o}/victim {i}/way; echo x > {i}/way"),
        format!("(setsid bash -c 'echo x > {o}/new' &) ; sleep 0.2; false"),
        format!("truncate -s 0 {o}/victim"),
    ] {
        if attack.starts_with("truncate") && !held().truncation {
            continue;
        }
        let outcome = shell(&sandbox, &attack);
        assert!(!outcome.exit.is_success(), "{attack}");
        assert_eq!(std::fs::read(&victim).unwrap(), b"precious", "{attack}");
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1, "{attack}");
    }
    let fine = shell(&sandbox, &format!("echo x > {i}/own && cat {o}/victim > /dev/null && cat {i}/own"));
    assert_eq!((fine.exit.is_success(), fine.stdout.text().trim()), (true, "x"));
    std::fs::write(outside.path().join("ours"), "").unwrap();
}

#[test]
fn no_connection_and_no_signal_leaves_the_full_sandbox() {
    let _scene = Scene::new();
    let inside = tempfile::tempdir().unwrap();
    let Some(sandbox) = sandbox(Level::Full, inside.path()) else { return };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let connect = format!("exec 3<>/dev/tcp/127.0.0.1/{}", listener.local_addr().unwrap().port());
    let bare = once(&Spec::new("/bin/bash").args(["-c", &connect]), Input::Nothing).unwrap();
    assert!(bare.exit.is_success(), "outside it works");
    if held().network {
        assert!(!shell(&sandbox, &connect).exit.is_success());
    }
    if held().signals {
        let us = std::process::id();
        assert!(!shell(&sandbox, &format!("kill -0 {us}")).exit.is_success());
    }
    assert_eq!(shell(&sandbox, "kill -ABRT $$").crash_signal(), Some(6), "a process can still signal itself");
}

#[test]
fn a_missing_program_is_reported_as_outside_the_sandbox() {
    let _scene = Scene::new();
    let inside = tempfile::tempdir().unwrap();
    let Some(sandbox) = sandbox(Level::Full, inside.path()) else { return };
    let mut spec = Spec::new("/nowhere/solver");
    spec.sandbox = Some(sandbox);
    assert!(matches!(once(&spec, Input::Nothing), Err(run::Error::Missing { .. })));
}

/// Seconds for some requests to a session, and for some whole runs.
fn cost(sandbox: Option<&Arc<Sandbox>>) -> (f64, f64) {
    let mut spec = Spec::new(testkit::fake_solver()).args(["--behave", "echo"]);
    spec.sandbox = sandbox.cloned();
    let mut session = Interactive::start(&spec).unwrap();
    let request = b"(check-sat)\n(echo \"done\")\n";
    session.ask(request, until_line("done"));
    let began = Instant::now();
    (0..400).for_each(|_| drop(session.ask(request, until_line("done"))));
    let asked = began.elapsed();
    session.kill();
    let mut spec = Spec::new(testkit::fake_solver()).args(["--instant", "sat"]);
    spec.sandbox = sandbox.cloned();
    let began = Instant::now();
    (0..40).for_each(|_| drop(once(&spec, Input::Nothing).unwrap()));
    (asked.as_secs_f64(), began.elapsed().as_secs_f64())
}

#[test]
#[ignore = "measures time: for a quiet machine"]
fn sessions_pay_less_than_five_per_cent() {
    let _scene = Scene::new();
    let inside = tempfile::tempdir().unwrap();
    let Some(sandbox) = sandbox(Level::Full, inside.path()) else { return };
    let (mut with, mut without) = (vec![], vec![]);
    for _ in 0..15 {
        with.push(cost(Some(&sandbox)));
        without.push(cost(None));
    }
    let best =
        |all: &[(f64, f64)], pick: fn(&(f64, f64)) -> f64| all.iter().map(pick).fold(f64::MAX, f64::min);
    let session = best(&with, |c| c.0) / best(&without, |c| c.0);
    let fresh = best(&with, |c| c.1) / best(&without, |c| c.1);
    println!("a request to a session: {session:.3}; a process: {fresh:.3}");
    assert!(session < 1.05, "{session}");
    assert!(Duration::from_secs_f64(best(&with, |c| c.1)) < Duration::from_secs(60));
}
