//! How a process exited is read from its wait status, and is separate from why it ended.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod scene;

use run::{Error, Exit, Input, Spec, Why, once};
use scene::{SCRIPT, Scene, act, fake, ms};
use std::os::unix::fs::PermissionsExt;

#[test]
fn sigkill_from_outside_is_by_itself_and_flagged_as_from_outside() {
    let _scene = Scene::new();
    let outcome = act(&fake("kill9-self"));
    assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Signal(9)));
    assert!(outcome.killed_from_outside() && outcome.crash_signal().is_none());
}

#[test]
fn crashes_are_classed_by_their_signal() {
    let _scene = Scene::new();
    for (behaviour, signal) in [("segv", 11), ("abort", 6)] {
        let outcome = act(&fake(behaviour));
        assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Signal(signal)));
        assert_eq!(outcome.crash_signal(), Some(signal));
        assert!(!outcome.killed_from_outside() && outcome.wrapper_signal.is_none());
    }
}

#[test]
fn codes_of_wrappers_are_flagged_and_not_taken_for_signals() {
    let _scene = Scene::new();
    for (behaviour, code, signal) in [("exit137", 137, 9), ("exit139", 139, 11)] {
        let outcome = act(&fake(behaviour));
        assert_eq!((outcome.exit, outcome.wrapper_signal), (Exit::Code(code), Some(signal)));
        assert_eq!(outcome.crash_signal(), None);
    }
    assert!(act(&fake("exit137")).killed_from_outside());
    assert_eq!(act(&fake("exit:1")).wrapper_signal, None);
}

#[test]
fn an_answer_and_the_crash_after_it_are_both_recorded() {
    let _scene = Scene::new();
    let outcome = act(&fake("answer-then-crash"));
    assert_eq!((outcome.stdout.head.as_slice(), outcome.exit), (&b"sat\n"[..], Exit::Signal(11)));
}

#[test]
fn an_incomplete_answer_before_the_wall_limit_is_recorded_unchanged() {
    let _scene = Scene::new();
    let outcome = act(&fake("partial,sleep").wall(ms(200)));
    assert_eq!((outcome.why, outcome.stdout.head.as_slice()), (Why::Wall, &b"uns"[..]));
}

#[test]
fn a_missing_program_is_named() {
    let _scene = Scene::new();
    let error = once(&Spec::new("/nowhere/z3"), Input::Nothing).unwrap_err();
    assert!(matches!(&error, Error::Missing { program } if program.ends_with("z3")), "{error}");
    assert!(!error.is_transient());
}

#[test]
fn a_program_that_cannot_be_executed_is_distinguished_from_a_missing_one() {
    let _scene = Scene::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solver");
    std::fs::write(&file, "#!/bin/sh\necho sat\n").unwrap();
    let error = once(&Spec::new(&file), Input::Nothing).unwrap_err();
    assert!(matches!(error, Error::NotExecutable { .. }), "{error}");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(once(&Spec::new(&file), Input::Nothing).unwrap().stdout.text(), "sat\n");
    let error = once(&Spec::new(folder.path()), Input::Nothing).unwrap_err();
    assert!(matches!(error, Error::NotExecutable { .. }), "{error}");
}

#[test]
fn a_program_that_is_being_written_is_worth_a_retry() {
    let _scene = Scene::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solver");
    std::fs::copy("/bin/true", &file).unwrap();
    let writing = std::fs::OpenOptions::new().append(true).open(&file).unwrap();
    let error = once(&Spec::new(&file), Input::Nothing).unwrap_err();
    assert!(matches!(error, Error::BeingReplaced { .. }) && error.is_transient(), "{error}");
    drop(writing);
    assert!(once(&Spec::new(&file), Input::Nothing).unwrap().exit.is_success());
}

#[test]
fn a_script_file_whose_name_looks_like_an_option_is_still_a_file() {
    let _scene = Scene::new();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("-rf.smt2"), SCRIPT).unwrap();
    let mut spec = Spec::new(testkit::fake_solver());
    spec.cwd = Some(folder.path().into());
    let outcome = once(&spec, Input::Argument("-rf.smt2".as_ref())).unwrap();
    assert_eq!(outcome.stdout.text(), "sat\n");
    let outcome = once(&spec, Input::File(&folder.path().join("-rf.smt2"))).unwrap();
    assert_eq!(outcome.stdout.text(), "sat\n");
    let error = once(&spec, Input::File("/nowhere".as_ref())).unwrap_err();
    assert!(matches!(error, Error::Input { .. }), "{error}");
}

#[test]
fn the_environment_and_the_folder_are_as_requested() {
    let _scene = Scene::new();
    let mut spec = Spec::new(testkit::fake_solver()).args(["--behave", "print-environment"]).env("A", "b c");
    spec.clear_env = true;
    spec.cwd = Some("/".into());
    let text = once(&spec, Input::Nothing).unwrap().stdout.text();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!((lines[0], lines[2]), ("A=b c", "cwd=/"));
    assert!(lines[1].starts_with(&format!("{}={}", run::NONCE_VARIABLE, run::owner_nonce())));
}

#[test]
fn a_flaky_solver_gives_different_outcomes_for_the_same_script() {
    let _scene = Scene::new();
    let outcomes: std::collections::BTreeSet<_> =
        (0..40).map(|_| act(&fake("flaky"))).map(|o| (o.stdout.text(), format!("{:?}", o.exit))).collect();
    assert!(outcomes.len() >= 2, "{outcomes:?}");
}
