//! Each limit ends the tree, is named as the reason, and is reached in time.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod scene;

use run::{Cancel, Exit, Limits, Why};
use scene::{Scene, act, fake, ms};
use std::time::Instant;

#[test]
fn a_solver_that_ignores_sigterm_is_killed_after_the_grace() {
    let _scene = Scene::new();
    let mut spec = fake("ignore-term,sleep").wall(ms(400));
    spec.limits.grace = ms(200);
    let outcome = act(&spec);
    assert_eq!((outcome.why, outcome.exit), (Why::Wall, Exit::Signal(9)));
    assert!(outcome.wall >= ms(600) && outcome.wall < ms(1100), "{:?}", outcome.wall);
}

#[test]
fn a_solver_that_sleeps_ends_at_the_wall_and_not_at_the_cpu_limit() {
    let _scene = Scene::new();
    let mut spec = fake("sleep").wall(ms(300));
    spec.limits.cpu = Some(ms(200));
    let outcome = act(&spec);
    assert_eq!((outcome.why, outcome.exit), (Why::Wall, Exit::Signal(15)));
    assert!(outcome.wall < ms(800) && outcome.cpu < ms(200), "{outcome:?}");
}

#[test]
fn eight_spinning_threads_end_at_the_cpu_limit_of_their_sum() {
    let _scene = Scene::new();
    let mut spec = fake("spin:8");
    spec.limits.cpu = Some(ms(400));
    let outcome = act(&spec);
    assert_eq!(outcome.why, Why::Cpu);
    assert!(outcome.cpu >= ms(400) && outcome.cpu < ms(900), "{:?}", outcome.cpu);
}

#[test]
fn cpu_is_summed_over_children_too() {
    let _scene = Scene::new();
    let fake = testkit::fake_solver();
    let twice = "\"$0\" --behave spin & \"$0\" --behave spin & wait";
    let mut spec = run::Spec::new("/bin/sh").args(["-c", twice]).arg(fake).wall(ms(8000));
    spec.limits.cpu = Some(ms(400));
    let outcome = act(&spec);
    assert_eq!(outcome.why, Why::Cpu);
    assert!(outcome.cpu >= ms(400) && outcome.cpu < ms(1200), "{:?}", outcome.cpu);
}

#[test]
fn a_fork_bomb_reaches_the_process_limit_within_a_second_and_other_runs_are_not_affected() {
    let _scene = Scene::new();
    let neighbour = std::thread::spawn(|| act(&fake("sleep:700,say:done")));
    let mut spec = fake("fork-bomb:200");
    spec.limits.processes = Some(20);
    let started = Instant::now();
    let outcome = act(&spec);
    assert_eq!(outcome.why, Why::Processes);
    assert!(started.elapsed() < ms(1500), "{:?}", started.elapsed());
    assert!(outcome.leak.survivors.is_empty());
    let neighbour = neighbour.join().unwrap();
    assert_eq!((neighbour.why, neighbour.exit), (Why::ByItself, Exit::Code(0)));
    assert_eq!(neighbour.stdout.head, b"done\nsat\n");
}

#[test]
fn a_solver_that_stops_itself_ends_at_the_wall() {
    let _scene = Scene::new();
    let outcome = act(&fake("stop-self,sleep").wall(ms(300)));
    assert_eq!(outcome.why, Why::Wall);
    assert!(outcome.wall < ms(900));
}

#[test]
fn a_stopped_solver_that_ignores_sigterm_is_killed_too() {
    let _scene = Scene::new();
    let outcome = act(&fake("ignore-term,stop-self,sleep").wall(ms(300)));
    assert_eq!((outcome.why, outcome.exit), (Why::Wall, Exit::Signal(9)));
}

#[test]
fn a_solver_that_allocates_without_bound_ends_at_the_memory_limit() {
    let _scene = Scene::new();
    let mut spec = fake("allocate:3000");
    spec.limits.memory = Some(200 << 20);
    let outcome = act(&spec);
    assert_eq!((outcome.why, outcome.exit), (Why::Memory, Exit::Signal(9)));
    assert!(outcome.peak_memory > 200 << 20, "{}", outcome.peak_memory);
    assert_eq!(outcome.crash_signal(), None);
}

#[test]
fn pages_shared_by_forked_children_count_once() {
    let _scene = Scene::new();
    // Five shells share some 40 MB: about 200 MB by the sum of resident sizes.
    let script = "x=$(head -c 40000000 /dev/zero | tr '\\0' a); \
                  for i in 1 2 3 4; do (sleep 0.5; :) & done; wait; echo done";
    let mut spec = run::Spec::new("/bin/sh").args(["-c", script]).wall(ms(8000));
    spec.limits.memory = Some(150 << 20);
    let outcome = act(&spec);
    assert_eq!((outcome.why, outcome.stdout.text().as_str()), (Why::ByItself, "done\n"), "{outcome:?}");
}

#[test]
fn an_address_space_limit_makes_allocation_fail_in_the_solver() {
    let _scene = Scene::new();
    let mut spec = fake("sleep:100,allocate:3000");
    spec.limits.address_space = Some(300 << 20);
    let outcome = act(&spec);
    assert_eq!((outcome.why, outcome.exit), (Why::ByItself, Exit::Signal(6)));
}

#[test]
fn ten_gigabytes_on_stdout_are_cut_and_only_head_and_tail_are_kept() {
    let _scene = Scene::new();
    let mut spec = fake("say:sat,flood-stdout:10000");
    spec.limits = Limits { output: 50 << 20, head: 1000, tail: 500, ..spec.limits };
    let outcome = act(&spec);
    assert_eq!(outcome.why, Why::Output);
    assert_eq!((outcome.stdout.head.len(), outcome.stdout.tail.len()), (1000, 500));
    assert!(outcome.stdout.head.starts_with(b"sat\nxxx") && outcome.stdout.is_cut());
    assert!(outcome.stdout.total > 50 << 20 && outcome.stdout.total < 60 << 20);
}

#[test]
fn a_raised_switch_ends_every_run_that_holds_it() {
    let _scene = Scene::new();
    let cancel = Cancel::new().unwrap();
    let spec = fake("sleep").cancel(&cancel);
    let started = Instant::now();
    let runs: Vec<_> = (0..4).map(|_| spec.clone()).map(|s| std::thread::spawn(move || act(&s))).collect();
    std::thread::sleep(ms(150));
    cancel.raise();
    for run in runs {
        assert_eq!(run.join().unwrap().why, Why::Cancelled);
    }
    assert!(started.elapsed() < ms(1000));
    assert_eq!(act(&spec).why, Why::Cancelled);
    drop((spec, cancel));
}
