//! Whatever a process does with its three pipes, neither side waits forever and no byte is lost.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod scene;

use run::{Exit, Input, Limits, Why, once};
use scene::{Scene, act, fake, ms};

/// Larger than any pipe.
fn large_script() -> Vec<u8> {
    let mut script = b"(assert true)\n".repeat(50_000);
    script.extend_from_slice(b"(check-sat)\n");
    script
}

#[test]
fn a_flood_on_stderr_while_stdout_is_read_does_not_deadlock() {
    let _scene = Scene::new();
    let mut spec = fake("flood-stderr:20,say:sat");
    spec.limits = Limits { head: 100, tail: 100, ..spec.limits };
    let outcome = act(&spec);
    assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Code(0)));
    assert_eq!(outcome.stderr.total, 20 << 20);
    assert_eq!(outcome.stdout.head, b"sat\nsat\n");
}

#[test]
fn bytes_that_are_not_text_arrive_unchanged() {
    let _scene = Scene::new();
    let outcome = act(&fake("garbage,exit"));
    assert_eq!(outcome.stdout.head, b"\xff\xfe\x00sat\x00\x1b[31mred\x1b[0m\xc3\x28\n");
}

#[test]
fn errors_and_echoes_with_the_word_sat_arrive_complete_and_in_order() {
    let _scene = Scene::new();
    let outcome = act(&fake("error-then-sat,exit"));
    assert_eq!(outcome.stdout.text(), "(error \"line 1 column 1: unknown constant x\")\nsat\n");
    let outcome = act(&fake("sat-in-echo,exit"));
    assert!(outcome.stdout.text().ends_with("\nunsat\n"));
}

#[test]
fn a_script_larger_than_the_pipe_is_fed_while_output_is_read() {
    let _scene = Scene::new();
    let mut spec = fake("flood-stdout:2");
    spec.limits = Limits { head: 0, tail: 4, ..spec.limits };
    let outcome = once(&spec, Input::Bytes(&large_script())).unwrap();
    assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Code(0)));
    assert_eq!((outcome.stdout.tail.as_slice(), outcome.stdout.total), (&b"sat\n"[..], (2 << 20) + 4));
}

#[test]
fn a_solver_that_closes_stdin_early_does_not_kill_us() {
    let _scene = Scene::new();
    let outcome = once(&fake("close-stdin"), Input::Bytes(&large_script())).unwrap();
    assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Code(0)));
    assert_eq!(outcome.stdout.head, b"unknown\n");
}

#[test]
fn a_solver_that_never_reads_is_not_waited_for() {
    let _scene = Scene::new();
    let outcome = once(&fake("never-read-stdin:300"), Input::Bytes(&large_script())).unwrap();
    assert_eq!((outcome.why, outcome.stdout.head.as_slice()), (Why::ByItself, &b"unknown\n"[..]));
    let outcome = once(&fake("never-read-stdin:9000").wall(ms(300)), Input::Bytes(&large_script())).unwrap();
    assert_eq!(outcome.why, Why::Wall);
}

#[test]
fn hundreds_of_runs_leave_descriptors_and_memory_as_they_were() {
    let _scene = Scene::new();
    let resident = || {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
        statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
    };
    let spec = fake("say:x");
    (0..50).for_each(|_| drop(act(&spec)));
    let before = resident();
    (0..300).for_each(|_| drop(act(&spec)));
    let after = resident();
    assert!(after < before + (2 << 20), "{before} bytes before, {after} after");
}
