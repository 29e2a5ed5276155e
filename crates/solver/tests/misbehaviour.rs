//! Solvers that misbehave: each row of the reliability table that concerns answers and sessions.

mod home;

use home::{fake, show};
use solver::{Answer, Ended, Extras, Pool, Profile, Query, QueryLimits, SessionKind, Target};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

const SCRIPT: &[u8] = b"(declare-const x Bool)(assert x)(check-sat)";
const KINDS: [SessionKind; 4] =
    [SessionKind::Fresh, SessionKind::Forked, SessionKind::Reset, SessionKind::Scoped];

fn ask(args: &[&str], kind: SessionKind) -> solver::Reply {
    let limits = QueryLimits { wall: Duration::from_millis(1500), cpu: None, memory: None };
    Pool::new(fake(args), 2).ask(&Query::new(SCRIPT).limits(limits), kind)
}

/// Misbehaves just before its first answer, in the middle of a conversation.
fn at_check(behaviour: &str, kind: SessionKind) -> solver::Reply {
    ask(&["--behave", behaviour, "--at-check", "1"], kind)
}

#[test]
fn row_13_bytes_that_are_not_text_are_kept_and_the_answer_is_read() {
    for kind in KINDS {
        let reply = at_check("garbage", kind);
        assert_eq!(reply.answer(), Some(Answer::Sat), "{}", show(&reply));
        assert!(reply.stray.starts_with(b"\xff\xfe\x00sat\x00\x1b[31m"), "{}", show(&reply));
    }
}

#[test]
fn row_14_an_error_and_then_sat_is_an_error() {
    for kind in KINDS {
        let reply = ask(&["--behave", "say:(error \"line 1 column 1: what\")", "--at-check", "1"], kind);
        assert_eq!((reply.answer(), reply.session), (None, SessionKind::Fresh), "{}", show(&reply));
    }
    let reply = ask(&["--behave", "error-then-sat,exit"], SessionKind::Fresh);
    assert_eq!(reply.answer(), None, "{}", show(&reply));
    assert!(matches!(reply.ended, Ended::Unsupported(_)), "{}", show(&reply));
    assert!(reply.checks[0].void.is_some());
}

#[test]
fn row_15_sat_in_an_echo_a_model_or_a_warning_is_not_an_answer() {
    let reply = ask(&["--behave", "sat-in-echo,exit"], SessionKind::Fresh);
    assert_eq!(reply.answer(), Some(Answer::Unsat), "{}", show(&reply));
    for kind in KINDS {
        let reply = at_check("say:WARNING: maybe sat", kind);
        assert_eq!(reply.answer(), Some(Answer::Sat), "{}", show(&reply));
        assert_eq!(reply.stray, b"WARNING: maybe sat\n");
    }
}

#[test]
fn row_16_an_incomplete_answer_is_not_an_answer() {
    for kind in KINDS {
        let reply = at_check("partial,sleep", kind);
        assert_eq!((reply.answer(), &reply.ended), (None, &Ended::Wall), "{}", show(&reply));
        assert_eq!(reply.stray, b"uns\n");
    }
}

#[test]
fn row_17_an_answer_and_then_a_crash_are_both_kept() {
    let reply = ask(&["--behave", "answer-then-crash"], SessionKind::Fresh);
    assert_eq!(reply.answer(), Some(Answer::Sat), "{}", show(&reply));
    assert!(matches!(reply.ended, Ended::Crash { signal: Some(11), .. }), "{}", show(&reply));
    for kind in [SessionKind::Reset, SessionKind::Scoped] {
        let reply = at_check("answer-then-crash", kind);
        assert_eq!(reply.answer(), Some(Answer::Sat), "{}", show(&reply));
        assert!(matches!(reply.ended, Ended::Crash { signal: Some(11), .. }), "{}", show(&reply));
    }
}

#[test]
fn a_crash_without_a_message_is_identified_by_its_place_where_that_is_requested() {
    if !autopsy::is_allowed() {
        return testkit::tell("tracing is not allowed here");
    }
    let crash = |behaviour: &str, locate: bool| {
        let pool = Pool::new(fake(&["--behave", behaviour]), 0);
        let reply = pool.ask(&Query { locate, ..Query::new(SCRIPT) }, SessionKind::Fresh);
        match reply.ended {
            Ended::Crash { signal: Some(_), message, .. } => message,
            _ => panic!("{}", show(&reply)),
        }
    };
    assert_eq!(crash("answer-then-crash", false), "");
    let place = crash("answer-then-crash", true);
    assert!(place.starts_with(solver::PLACE) && place.contains("endings::signal_self"), "{place}");
    assert_eq!(crash("answer-then-crash", true), place);
}

#[test]
fn crashes_limits_and_signals_from_outside_are_distinguished_in_every_kind() {
    for kind in KINDS {
        let crash = at_check("abort", kind).ended;
        assert!(matches!(crash, Ended::Crash { signal: Some(6), wrapped: false, .. }), "{kind:?} {crash:?}");
        assert_eq!(at_check("sleep", kind).ended, Ended::Wall);
        assert_eq!(at_check("kill9-self", kind).ended, Ended::Killed { signal: 9 });
        let wrapped = at_check("exit139", kind).ended;
        assert!(
            matches!(wrapped, Ended::Crash { signal: Some(11), wrapped: true, .. }),
            "{kind:?} {wrapped:?}"
        );
        assert_eq!(at_check("exit137", kind).ended, Ended::Killed { signal: 9 });
    }
    let spin =
        QueryLimits { wall: Duration::from_secs(20), cpu: Some(Duration::from_millis(300)), memory: None };
    let pool = Pool::new(fake(&["--behave", "spin:2", "--at-check", "1"]), 1);
    assert_eq!(pool.ask(&Query::new(SCRIPT).limits(spin), SessionKind::Scoped).ended, Ended::Cpu);
}

#[test]
fn row_9_a_solver_killed_from_outside_is_retried_exactly_once() {
    // The solver writes the counts itself.
    let folder = tempfile::tempdir_in(solver::confine::writable().unwrap()).unwrap();
    for kind in KINDS {
        let file = folder.path().join(kind.name());
        let reply = at_check(&format!("kill9-once:{}", file.display()), kind);
        assert_eq!((reply.answer(), &reply.ended), (Some(Answer::Sat), &Ended::ByItself), "{}", show(&reply));
        let file = folder.path().join(format!("{}-always", kind.name()));
        let reply = at_check(&format!("count:{},kill9-self", file.display()), kind);
        assert_eq!((reply.answer(), &reply.ended), (None, &Ended::Killed { signal: 9 }), "{}", show(&reply));
        assert_eq!(std::fs::read(&file).unwrap().len(), 2, "{kind:?}");
    }
}

#[test]
fn rows_1_to_8_hold_for_answers_too_limits_are_not_crashes_and_leaks_keep_the_answer() {
    let limited = |behaviour: &str, limits: QueryLimits, kind| {
        let pool = Pool::new(fake(&["--behave", behaviour, "--at-check", "1"]), 1);
        pool.ask(&Query::new(SCRIPT).limits(limits), kind)
    };
    let wall = |ms| QueryLimits { wall: Duration::from_millis(ms), cpu: None, memory: None };
    for kind in KINDS {
        let slow = ["ignore-term,sleep", "stop-self,sleep", "ignore-term,stop-self,sleep"];
        for behaviour in slow {
            assert_eq!(limited(behaviour, wall(300), kind).ended, Ended::Wall, "{behaviour} {kind:?}");
        }
        let memory = QueryLimits { memory: Some(200 << 20), ..wall(30_000) };
        assert_eq!(limited("allocate:3000", memory, kind).ended, Ended::Memory, "{kind:?}");
        for behaviour in ["leak-grandchild", "double-fork"] {
            let reply = limited(behaviour, wall(30_000), kind);
            assert_eq!(reply.answer(), Some(Answer::Sat), "{behaviour} {}", show(&reply));
        }
        let flood = limited("flood-stdout:10000", wall(30_000), kind).ended;
        assert!(matches!(flood, Ended::Flood(_)), "{kind:?} {flood:?}");
        let noisy = limited("flood-stderr:20", wall(30_000), kind);
        assert_eq!(noisy.answer(), Some(Answer::Sat), "{}", show(&noisy));
    }
    let left = testkit::processes_marked(run::NONCE_VARIABLE, run::owner_nonce());
    let left: Vec<_> = left.into_iter().filter(|pid| leaked(*pid)).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A descendant of the kind that only the test above makes.
fn leaked(pid: i32) -> bool {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    line.windows(11).any(|w| w == b"sleep:20000")
}

#[test]
fn row_18_a_solver_that_closes_or_ignores_its_input_hangs_no_caller() {
    for behaviour in ["close-stdin", "never-read-stdin"] {
        for kind in KINDS {
            let began = Instant::now();
            let reply = ask(&["--behave", behaviour], kind);
            assert!(began.elapsed() < Duration::from_secs(30), "{behaviour} {kind:?}");
            if kind.is_live() {
                assert_eq!(reply.answer(), None, "{behaviour} {}", show(&reply));
            }
        }
    }
}

#[test]
fn row_19_a_program_that_is_missing_or_not_executable_is_unavailable_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    std::fs::write(&plain, "no program").unwrap();
    for (path, kind) in [
        (Path::new("/nowhere/z3"), SessionKind::Fresh),
        (&plain, SessionKind::Fresh),
        (&plain, SessionKind::Scoped),
    ] {
        let target = Target { command: vec![OsString::from(path)], ..fake(&[]) };
        let reply = Pool::new(target, 1).ask(&Query::new(SCRIPT), kind);
        assert!(matches!(&reply.ended, Ended::Unavailable(why) if !why.is_empty()), "{}", show(&reply));
        assert_eq!(reply.checks.len(), 1);
    }
}

#[test]
fn row_19_a_program_that_is_replaced_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("z3");
    std::fs::write(&path, "#!/bin/sh\necho sat\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let target = Target::of_program(&solver::Profiles::embedded(), &path).unwrap();
    assert!(target.is_unchanged());
    std::fs::write(&path, "#!/bin/sh\necho unsat\n").unwrap();
    assert!(!target.is_unchanged());
}

#[test]
fn row_19_a_program_that_is_replaced_or_removed_in_use_disables_its_pool_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str| {
        let path = folder.path().join(name);
        std::fs::copy(testkit::fake_solver(), &path).unwrap();
        Pool::new(Target { path: path.clone(), command: vec![path.into()], ..fake(&[]) }, 2)
    };
    let (replaced, removed, locked, touched) =
        (copy("replaced"), copy("removed"), copy("locked"), copy("touched"));
    let pools = [&replaced, &removed, &locked];
    for pool in pools {
        assert_eq!(pool.ask(&Query::new(SCRIPT), SessionKind::Scoped).answer(), Some(Answer::Sat));
        assert_eq!(pool.disabled(), None);
    }
    let script = folder.path().join("other");
    std::fs::write(&script, "#!/bin/sh\necho unsat\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::rename(&script, &replaced.target().path).unwrap();
    std::fs::remove_file(&removed.target().path).unwrap();
    std::fs::set_permissions(&locked.target().path, std::fs::Permissions::from_mode(0o644)).unwrap();
    for (pool, why) in pools.into_iter().zip(["replaced while", "is gone", "cannot be executed"]) {
        for kind in KINDS {
            let reply = pool.ask(&Query::new(SCRIPT), kind);
            assert_eq!(reply.answer(), None, "{}", show(&reply));
            assert!(matches!(&reply.ended, Ended::Unavailable(w) if w.contains(why)), "{}", show(&reply));
        }
        assert!(pool.disabled().is_some_and(|w| w.contains(why)), "{:?}", pool.disabled());
    }
    let target = Target::of_program(&solver::Profiles::embedded(), &touched.target().path).unwrap();
    let touched = Pool::new(Target { profile: Profile::named("z3"), ..target }, 1);
    let file = std::fs::File::options().append(true).open(&touched.target().path).unwrap();
    file.set_modified(std::time::SystemTime::now() + Duration::from_secs(60)).unwrap();
    drop(file);
    let reply = touched.ask(&Query::new(SCRIPT), SessionKind::Fresh);
    assert_eq!((reply.answer(), touched.disabled()), (Some(Answer::Sat), None), "{}", show(&reply));
}

#[test]
fn row_23_nothing_in_a_script_or_a_spec_reaches_a_shell_or_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let bait = folder.path().join("bait");
    let script = format!("(declare-const |../x $(touch {0}) ; `touch {0}`| Bool)(check-sat)", bait.display());
    for kind in KINDS {
        let reply =
            Pool::new(fake(&["-rf.smt2", "$(touch bait)"]), 1).ask(&Query::new(script.as_bytes()), kind);
        assert!(!bait.exists(), "{}", show(&reply));
    }
    let line = format!("{} --answer sat ';touch {}'", testkit::fake_solver().display(), bait.display());
    let spec = solver::Spec::parse(&line).unwrap();
    let home = solver::Home::at(folder.path());
    let target = Target::resolve(&home, &solver::Profiles::embedded(), &spec).unwrap().remove(0);
    Pool::new(target, 1).ask(&Query::new(SCRIPT), SessionKind::Fresh);
    assert!(!bait.exists());
}

#[test]
fn row_32_the_varying_answers_of_a_flaky_solver_are_reported_as_given() {
    let pool = Pool::new(fake(&["--behave", "flaky"]), 1);
    for _ in 0..12 {
        let reply = pool.ask(&Query::new(SCRIPT), SessionKind::Fresh);
        let crashed = matches!(reply.ended, Ended::Crash { .. });
        assert!(crashed || reply.ended == Ended::ByItself, "{}", show(&reply));
        assert_eq!(reply.answer().is_none(), crashed, "{}", show(&reply));
    }
}

#[test]
fn a_process_that_dies_between_two_cases_loses_no_case() {
    // It dies of the pop or the reset that follows its first answer.
    let target = Target { args: vec![], ..fake(&[]) };
    let pool = Pool::new(target, 1);
    for kind in [SessionKind::Reset, SessionKind::Scoped] {
        assert_eq!(pool.ask(&Query::new(SCRIPT), kind).answer(), Some(Answer::Sat));
        let marked = testkit::processes_marked(run::NONCE_VARIABLE, run::owner_nonce());
        let killed = marked.iter().filter(|pid| is_fake(**pid)).map(|pid| kill(*pid)).count();
        assert!(killed > 0, "{kind:?}: there is no idle process to kill");
        let reply = pool.ask(&Query::new(SCRIPT), kind);
        assert_eq!((reply.answer(), &reply.ended), (Some(Answer::Sat), &Ended::ByItself), "{}", show(&reply));
        pool.clear();
    }
}

fn is_fake(pid: i32) -> bool {
    let path = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
    let parent = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let ours = parent.rsplit(')').next().unwrap_or("").split_ascii_whitespace().nth(1)
        == Some(&std::process::id().to_string());
    ours && path.ends_with("fake-solver") && is_idle(pid)
}

/// Other tests of this file run fake solvers at the same time: only one that waits for input without arguments is ours.
fn is_idle(pid: i32) -> bool {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    !line.windows(8).any(|w| w == b"--behave")
}

fn kill(pid: i32) {
    let _ = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status();
    let gone = Instant::now() + Duration::from_secs(5);
    while Path::new(&format!("/proc/{pid}/exe")).read_link().is_ok() && Instant::now() < gone {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn models_are_not_requested_after_unsat() {
    let pool = Pool::new(fake(&["--answer", "unsat"]), 1);
    let want = Extras { model: true, ..Extras::default() };
    let reply = pool.ask(&Query::new(SCRIPT).want(want), SessionKind::Scoped);
    assert_eq!(reply.answer(), Some(Answer::Unsat));
    let sent = String::from_utf8(reply.history.bytes().unwrap()).unwrap();
    assert!(!sent.contains("get-model"), "{sent}");
}
