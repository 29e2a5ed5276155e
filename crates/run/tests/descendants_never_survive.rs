//! Processes that a solver leaves behind are found, reported and killed, and no other process ever is.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod scene;

use run::{Containment, Exit, Limits, Why};
use scene::{Scene, act, fake, ms};
use std::time::Instant;

#[test]
fn a_grandchild_that_keeps_stdout_open_is_noted_and_the_answer_kept() {
    let _scene = Scene::new();
    let started = Instant::now();
    let outcome = act(&fake("leak-grandchild"));
    assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Code(0)));
    assert_eq!(outcome.stdout.head, b"sat\n");
    assert_eq!(outcome.leak.killed.len(), 1, "{:?}", outcome.leak);
    assert!(outcome.leak.survivors.is_empty() && !outcome.leak.pipe_held);
    assert!(started.elapsed() < ms(1000));
}

#[test]
fn a_grandchild_that_floods_the_pipe_of_a_dead_leader_is_cut() {
    let _scene = Scene::new();
    let mut spec = fake("leak-flooding-grandchild");
    spec.limits = Limits { output: 8 << 20, ..spec.limits };
    let outcome = act(&spec);
    assert!(outcome.leaked() && outcome.leak.survivors.is_empty());
    assert!(outcome.stdout.total < 64 << 20, "{}", outcome.stdout.total);
}

#[test]
fn a_descendant_that_outlives_the_leader_only_for_a_moment_is_not_a_leak() {
    let _scene = Scene::new();
    let late = "(sleep 0.1; echo late) & echo early";
    let mut spec = run::Spec::new("/bin/sh").args(["-c", late]);
    spec.limits.linger = ms(1000);
    let outcome = act(&spec);
    assert_eq!(outcome.stdout.text(), "early\nlate\n");
    assert!(!outcome.leaked());
}

#[test]
fn a_double_fork_into_a_new_session_is_found_and_killed() {
    let _scene = Scene::new();
    let outcome = act(&fake("double-fork"));
    assert!(outcome.containment >= Containment::Subreaper);
    assert_eq!(outcome.stdout.head, b"sat\n");
    assert_eq!(outcome.leak.killed.len(), 1, "{:?}", outcome.leak);
    assert!(outcome.leak.survivors.is_empty());
}

#[test]
fn a_double_fork_that_also_clears_its_environment_is_killed_or_reported() {
    let _scene = Scene::new();
    let outcome = act(&fake("double-fork-without-environment,sleep:300"));
    let found = outcome.leak.killed.len() + outcome.leak.survivors.len();
    assert_eq!(found, 1, "{:?}", outcome.leak);
    // In either case, this test must not leave it running.
    for pid in outcome.leak.survivors {
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        std::thread::sleep(ms(50));
        act(&fake("say:sweep"));
    }
}

#[test]
fn an_orphan_that_dies_unseen_leaves_no_zombie() {
    let _scene = Scene::new();
    for _ in 0..3 {
        act(&fake("brief-orphan"));
    }
}

#[test]
fn a_double_forked_descendant_dies_when_the_wall_limit_passes() {
    let _scene = Scene::new();
    let outcome = act(&fake("double-fork,leak-grandchild,sleep").wall(ms(400)));
    assert_eq!(outcome.why, Why::Wall);
    assert!(outcome.leak.survivors.is_empty());
}

#[test]
fn twenty_trees_at_once_do_not_affect_each_other() {
    let _scene = Scene::new();
    let plans = ["double-fork", "leak-grandchild", "say:x", "segv", "double-fork,sleep:200"];
    for _ in 0..2 {
        let runs: Vec<_> =
            (0..20).map(|n| std::thread::spawn(move || (n, act(&fake(plans[n % plans.len()]))))).collect();
        for run in runs {
            let (n, outcome) = run.join().unwrap();
            let leaks = usize::from(plans[n % plans.len()].contains('k') && n % plans.len() != 2);
            assert_eq!(outcome.leak.killed.len(), leaks, "{}: {outcome:?}", plans[n % plans.len()]);
            assert_eq!(outcome.why, Why::ByItself);
        }
    }
}

#[test]
fn a_child_that_other_code_waits_for_is_not_reaped() {
    let _scene = Scene::new();
    let mut own = std::process::Command::new("/bin/sh").args(["-c", "exit 7"]).spawn().unwrap();
    std::thread::sleep(ms(50));
    // The leak makes the runner search for zombies; our own dead child is one and must not be reaped.
    act(&fake("leak-grandchild,double-fork"));
    assert_eq!(own.wait().unwrap().code(), Some(7));
}

#[test]
fn a_slow_tree_of_several_processes_is_contained_by_a_cgroup_where_there_is_one() {
    let _scene = Scene::new();
    // A child without our mark, started after the tree was collected, in a session of its own.
    let escape = "sleep 5 & sleep 0.4; env -i setsid sleep 6 & sleep 0.03; echo sat";
    let outcome = act(&run::Spec::new("/bin/sh").args(["-c", escape]));
    assert_eq!(outcome.stdout.text(), "sat\n");
    let (killed, survivors) = (outcome.leak.killed.len(), outcome.leak.survivors);
    if outcome.containment == Containment::Cgroup {
        assert_eq!((killed, survivors.len()), (2, 0), "{survivors:?}");
    }
    assert_eq!(killed + survivors.len(), 2);
    for pid in survivors {
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        std::thread::sleep(ms(50));
        act(&fake("say:sweep"));
    }
    let groups = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    if let Some(mount) = groups.lines().find(|l| l.contains(" - cgroup2 ")) {
        let folder = mount.split(' ').nth(4).unwrap();
        let mine = format!("falsum-{}-", std::process::id());
        let left = std::fs::read_dir(folder).unwrap().flatten();
        assert!(!left.into_iter().any(|e| e.file_name().to_string_lossy().starts_with(&mine)));
    }
}

/// A process that dies between two scans is still reaped: the order of deaths in a killed tree is not fixed.
#[test]
fn a_killed_tree_leaves_no_zombie_in_any_order_of_deaths() {
    for round in 0..40 {
        let _scene = Scene::new();
        let family = "for i in 1 2 3; do (\"$0\" --behave spin & \"$0\" --behave spin & wait) & done; wait";
        let spec = run::Spec::new("/bin/sh").args(["-c", family]).arg(testkit::fake_solver());
        let outcome = act(&spec.wall(ms(20 + round % 20)));
        assert_eq!(outcome.why, Why::Wall);
    }
}
