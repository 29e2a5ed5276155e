//! A session: many requests to one process, each with its own limits, and an end that can be distinguished.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod scene;

use run::{Exit, Interactive, Limits, Reply, Spec, Why, until_line};
use scene::{Scene, ms};

fn session(args: &[&str]) -> Interactive {
    let spec = Spec::new(testkit::fake_solver()).args(args.iter().copied()).wall(ms(3000));
    Interactive::start(&spec).unwrap()
}

/// One check-sat, closed by an echoed nonce.
fn check(session: &mut Interactive, number: u32) -> Reply {
    let nonce = format!("nonce-{number}");
    let request = format!("(push 1)(assert true)(check-sat)(pop 1)\n(echo \"{nonce}\")\n");
    session.ask(request.as_bytes(), until_line(&nonce))
}

#[test]
fn a_thousand_requests_get_a_thousand_answers() {
    let _scene = Scene::new();
    let mut session = session(&["--instant", "sat"]);
    for number in 0..1000 {
        assert_eq!(check(&mut session, number), Reply::Complete(b"sat\n".to_vec()));
    }
    assert!(session.memory() > 0 && session.cpu() > ms(0));
    let outcome = session.finish();
    assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Code(0)));
    assert_eq!(outcome.stdout.total, 0);
}

#[test]
fn a_request_larger_than_the_pipe_whose_reply_is_larger_too_does_not_deadlock() {
    let _scene = Scene::new();
    let mut session = session(&["--instant", "unsat"]);
    let mut request = "(check-sat)".repeat(60_000);
    request.push_str("(echo \"end\")");
    let reply = session.ask(request.as_bytes(), until_line("end"));
    assert_eq!(reply, Reply::Complete(b"unsat\n".repeat(60_000)));
    assert_eq!(check(&mut session, 1), Reply::Complete(b"unsat\n".to_vec()));
}

#[test]
fn output_after_the_nonce_belongs_to_the_next_reply() {
    let _scene = Scene::new();
    let mut session = session(&["--instant", "sat"]);
    let reply = session.ask(b"(echo \"a\")(check-sat)(echo \"b\")(echo \"late\")", until_line("a"));
    assert_eq!(reply, Reply::Complete(Vec::new()));
    let reply = session.ask(b"", until_line("b"));
    assert_eq!(reply, Reply::Complete(b"sat\n".to_vec()));
    let outcome = session.finish();
    assert_eq!(outcome.stdout.text(), "late\n");
}

#[test]
fn a_hang_in_the_third_request_ends_at_the_wall_limit_of_that_request() {
    let _scene = Scene::new();
    let mut session = session(&["--behave", "partial,sleep", "--at-check", "3"]);
    assert_eq!(check(&mut session, 1), Reply::Complete(b"sat\n".to_vec()));
    assert_eq!(check(&mut session, 2), Reply::Complete(b"sat\n".to_vec()));
    let limits = Limits { wall: Some(ms(200)), ..Limits::default() };
    let reply = session.ask_within(b"(check-sat)(echo \"n\")", until_line("n"), &limits);
    assert_eq!(reply, Reply::Over(Why::Wall, b"uns".to_vec()));
    assert_eq!(session.kill().why, Why::Wall);
}

#[test]
fn a_crash_in_the_second_request_ends_the_reply_and_shows_in_the_outcome() {
    let _scene = Scene::new();
    let mut session = session(&["--behave", "answer-then-crash", "--at-check", "2"]);
    assert_eq!(check(&mut session, 1), Reply::Complete(b"sat\n".to_vec()));
    assert_eq!(check(&mut session, 2), Reply::Ended(b"sat\n".to_vec()));
    assert!(session.has_ended());
    assert_eq!(check(&mut session, 3), Reply::Ended(Vec::new()));
    let outcome = session.finish();
    assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Signal(11)));
}

#[test]
fn cpu_limits_count_from_the_start_of_the_request() {
    let _scene = Scene::new();
    let mut session = session(&["--behave", "spin:2", "--at-check", "3"]);
    let limits = Limits { cpu: Some(ms(300)), wall: Some(ms(5000)), ..Limits::default() };
    for _ in 0..2 {
        let reply = session.ask_within(b"(check-sat)(echo \"n\")", until_line("n"), &limits);
        assert_eq!(reply, Reply::Complete(b"sat\n".to_vec()));
    }
    let reply = session.ask_within(b"(check-sat)(echo \"n\")", until_line("n"), &limits);
    assert_eq!(reply, Reply::Over(Why::Cpu, Vec::new()));
    let outcome = session.kill();
    assert_eq!(outcome.why, Why::Cpu);
    assert!(outcome.cpu >= ms(300) && outcome.cpu < ms(900), "{:?}", outcome.cpu);
}

#[test]
fn a_request_that_allocates_without_bound_ends_at_the_memory_limit() {
    let _scene = Scene::new();
    let mut session = session(&["--behave", "allocate:2000", "--at-check", "1"]);
    let limits = Limits { memory: Some(150 << 20), wall: Some(ms(5000)), ..Limits::default() };
    let reply = session.ask_within(b"(check-sat)(echo \"n\")", until_line("n"), &limits);
    assert_eq!(reply, Reply::Over(Why::Memory, Vec::new()));
    assert_eq!(session.kill().exit, Exit::Signal(9));
}

#[test]
fn a_flood_in_reply_to_a_request_is_cut() {
    let _scene = Scene::new();
    let mut session = session(&["--behave", "flood-stdout:1000", "--at-check", "1"]);
    let limits = Limits { output: 4 << 20, ..Limits::default() };
    let reply = session.ask_within(b"(check-sat)(echo \"n\")", until_line("n"), &limits);
    assert!(matches!(&reply, Reply::Over(Why::Output, bytes) if bytes.len() < 5 << 20));
    assert_eq!(session.kill().why, Why::Output);
}

#[test]
fn stderr_is_drained_during_requests_and_can_be_taken() {
    let _scene = Scene::new();
    let mut session = session(&["--behave", "flood-stderr:5", "--at-check", "1"]);
    assert_eq!(check(&mut session, 1), Reply::Complete(b"sat\n".to_vec()));
    assert_eq!(session.take_stderr().total, 5 << 20);
    assert_eq!(session.take_stderr().total, 0);
}

#[test]
fn a_session_that_is_dropped_is_ended_with_all_its_descendants() {
    let _scene = Scene::new();
    let mut session = session(&["--behave", "double-fork,leak-grandchild", "--at-check", "1"]);
    assert_eq!(check(&mut session, 1), Reply::Complete(b"sat\n".to_vec()));
    assert!(!testkit::processes_marked(run::NONCE_VARIABLE, run::owner_nonce()).is_empty());
    drop(session);
}

#[test]
fn a_session_killed_from_outside_between_requests_ends_by_itself() {
    let _scene = Scene::new();
    let mut session = session(&["--instant", "sat"]);
    assert_eq!(check(&mut session, 1), Reply::Complete(b"sat\n".to_vec()));
    let pid = rustix::process::Pid::from_raw(session.pid()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    assert_eq!(check(&mut session, 2), Reply::Ended(Vec::new()));
    let outcome = session.kill();
    assert!(outcome.killed_from_outside(), "{outcome:?}");
}

#[test]
fn a_session_may_move_between_threads_and_outlive_the_one_that_started_it() {
    let _scene = Scene::new();
    let mut session = std::thread::spawn(|| session(&["--instant", "sat"])).join().unwrap();
    assert_eq!(check(&mut session, 1), Reply::Complete(b"sat\n".to_vec()));
    let outcome = std::thread::spawn(move || session.finish()).join().unwrap();
    assert_eq!(outcome.exit, Exit::Code(0));
}
