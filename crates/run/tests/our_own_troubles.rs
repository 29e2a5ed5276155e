//! What happens when falsum itself is suspended, killed, or out of descriptors.
//!
//! The tests marked as parts are processes of their own: the test starts this same test binary again and does to it
//! what a user, a kernel or a cluster would do.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod scene;

use run::{Error, Input, Interactive, NONCE_VARIABLE, Resource, Why, once, owner_nonce, until_line};
use rustix::process::{Pid, Signal, kill_process};
use scene::{SCRIPT, Scene, act, fake, ms};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

fn start_part(name: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    (child, out)
}

/// The rest of the first line that holds `key`.
fn value_of(out: &mut impl BufRead, key: &str) -> String {
    let mut line = String::new();
    while out.read_line(&mut line).unwrap() > 0 {
        if let Some((_, value)) = line.split_once(key) {
            return value.trim().to_string();
        }
        line.clear();
    }
    panic!("{key} was never printed");
}

/// Waits for a part and for its guard, which we adopt; the next run reaps it like any orphan.
fn finish(mut part: Child) {
    part.wait().unwrap();
    // On a busy machine the guard takes a while to end.
    let patience = Instant::now() + ms(5000);
    while has_guard_of_a_part() && Instant::now() < patience {
        std::thread::sleep(ms(20));
    }
    std::thread::sleep(ms(200));
    act(&fake("say:sweep"));
}

/// Whether a guard that was forked by a part is still a child of ours; it has the command line of the part.
fn has_guard_of_a_part() -> bool {
    let own = format!(" {} ", std::process::id());
    let is_one = |folder: std::path::PathBuf| {
        let line = std::fs::read(folder.join("cmdline")).unwrap_or_default();
        let stat = std::fs::read_to_string(folder.join("stat")).unwrap_or_default();
        let parent =
            stat.rsplit(')').next().unwrap_or_default().get(2..).is_some_and(|rest| rest.starts_with(&own));
        parent && line.split(|&byte| byte == 0).any(|word| word == b"--ignored")
    };
    std::fs::read_dir("/proc").is_ok_and(|all| all.flatten().any(|entry| is_one(entry.path())))
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
}

#[test]
#[ignore = "a part of the test about suspension"]
fn part_that_is_suspended() {
    run::prepare();
    println!("READY:");
    let outcome = once(&fake("sleep:2200").wall(ms(1500)), Input::Bytes(SCRIPT)).unwrap();
    println!("OUTCOME:{:?} {} {}", outcome.why, outcome.wall.as_millis(), outcome.paused.as_millis());
}

#[test]
fn time_spent_suspended_is_not_counted() {
    let _scene = Scene::new();
    let (part, mut out) = start_part("part_that_is_suspended");
    value_of(&mut out, "READY:");
    std::thread::sleep(ms(300));
    signal(&part, Signal::STOP);
    std::thread::sleep(ms(1500));
    signal(&part, Signal::CONT);
    let outcome = value_of(&mut out, "OUTCOME:");
    finish(part);
    let words: Vec<&str> = outcome.split(' ').collect();
    assert_eq!(words[0], "ByItself", "{outcome}");
    let (wall, paused): (u64, u64) = (words[1].parse().unwrap(), words[2].parse().unwrap());
    assert!(wall < 1400 && (1000..2000).contains(&paused), "{outcome}");
}

#[test]
#[ignore = "a part of the test about sudden death"]
fn part_that_is_killed() {
    run::prepare();
    let mut session = Interactive::start(&fake("ignore-term,double-fork,leak-grandchild,say:up")).unwrap();
    session.ask(b"", until_line("up"));
    println!("OWNER:{}", owner_nonce());
    let _ = once(&fake("ignore-term,spin:2").wall(ms(20_000)), Input::Nothing);
}

#[test]
fn when_we_are_killed_all_our_trees_die_within_a_second() {
    let _scene = Scene::new();
    let (part, mut out) = start_part("part_that_is_killed");
    let owner = value_of(&mut out, "OWNER:");
    std::thread::sleep(ms(300));
    assert!(testkit::processes_marked(NONCE_VARIABLE, &owner).len() >= 4);
    signal(&part, Signal::KILL);
    std::thread::sleep(ms(700));
    finish(part);
    assert_eq!(testkit::processes_marked(NONCE_VARIABLE, &owner), Vec::<i32>::new());
}

#[test]
#[ignore = "a part of the test about daemons"]
fn part_with_a_daemon() {
    run::prepare();
    let mut session =
        Interactive::start(&fake("double-fork-without-environment,say:up,sleep:20000")).unwrap();
    session.ask(b"", until_line("up"));
    println!("READY:");
    std::thread::sleep(ms(20_000));
}

/// All processes whose soft limit on message queues is that number.
fn processes_limited_to(limit: u64) -> Vec<i32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_limited = |pid: &i32| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("Max msgqueue size"));
        line.and_then(|line| line.split_whitespace().next()) == Some(&limit.to_string())
    };
    pids.filter(is_limited).collect()
}

#[test]
fn when_we_are_killed_a_daemon_with_an_empty_environment_dies_too() {
    let _scene = Scene::new();
    let (part, mut out) = start_part("part_with_a_daemon");
    value_of(&mut out, "READY:");
    std::thread::sleep(ms(300));
    let limit = 200_000 + u64::from(part.id() % 600_000);
    let before = processes_limited_to(limit);
    let hides = |pid: &i32| std::fs::read(format!("/proc/{pid}/environ")).is_ok_and(|e| e.is_empty());
    assert!(before.len() >= 3 && before.iter().any(hides), "the part, its solver and the daemon: {before:?}");
    signal(&part, Signal::KILL);
    std::thread::sleep(ms(700));
    finish(part);
    assert_eq!(processes_limited_to(limit), Vec::<i32>::new());
}

#[test]
#[ignore = "a part of the test about descriptors"]
fn part_that_runs_out_of_descriptors() {
    run::prepare();
    testkit::fake_solver();
    let mut hoard = Vec::new();
    while let Ok(file) = std::fs::File::open("/dev/null") {
        hoard.push(file);
        if hoard.len() > 900 {
            break;
        }
    }
    use rustix::process::{Resource as R, Rlimit, setrlimit};
    let most = hoard.len() as u64 + 20;
    setrlimit(R::Nofile, Rlimit { current: Some(most), maximum: Some(most) }).unwrap();
    while let Ok(file) = std::fs::File::open("/dev/null") {
        hoard.push(file);
    }
    // Give back one descriptor at a time: every step of a start fails once for lack of the next one.
    let mut refused = 0;
    let outcome = loop {
        match once(&fake("say:hello"), Input::Bytes(SCRIPT)) {
            Ok(outcome) => break outcome,
            Err(error) => {
                assert!(error.is_transient(), "{error}");
                assert!(matches!(error, Error::Exhausted { resource: Resource::Descriptors, .. }), "{error}");
                refused += 1;
                drop(hoard.pop());
            }
        }
    };
    assert_eq!((outcome.why, outcome.stdout.head.as_slice()), (Why::ByItself, &b"hello\nsat\n"[..]));
    drop(hoard);
    let left =
        testkit::processes_marked(NONCE_VARIABLE, owner_nonce()).len() + testkit::zombie_children().len();
    println!("REFUSED:{refused} {left}");
}

#[test]
fn running_out_of_descriptors_is_a_transient_error_and_leaves_nothing_behind() {
    let _scene = Scene::new();
    let (part, mut out) = start_part("part_that_runs_out_of_descriptors");
    let line = value_of(&mut out, "REFUSED:");
    finish(part);
    let (refused, left) = line.split_once(' ').unwrap();
    assert!(refused.parse::<u32>().unwrap() >= 3, "{line}");
    assert_eq!(left, "0");
}

#[test]
fn a_run_after_all_this_works_like_the_first() {
    let _scene = Scene::new();
    assert_eq!(act(&fake("say:fine")).stdout.head, b"fine\nsat\n");
}
