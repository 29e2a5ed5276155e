//! What running a process through this crate costs on top of the bare system calls.
//!
//! Bare and ours alternate, medians are compared, and the best of three rounds counts, so that a busy
//! machine affects both alike. The bounds are wider than what is measured (about 0.1 ms on top of a run,
//! 10 to 25 microseconds for a request), and narrow enough that a sleep, a fork or a scan of /proc on the way would
//! break them. They run only on request (`--ignored`): CI does not judge speed.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod scene;

use run::{Input, Interactive, Reply, Spec, once, until_line};
use scene::{SCRIPT, Scene};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn timed(act: impl FnOnce()) -> Duration {
    let started = Instant::now();
    act();
    started.elapsed()
}

fn compare(ours: &mut dyn FnMut(), bare: &mut dyn FnMut()) -> f64 {
    let (mut our_times, mut bare_times) = (Vec::new(), Vec::new());
    for _ in 0..80 {
        our_times.push(timed(&mut *ours));
        bare_times.push(timed(&mut *bare));
    }
    let (ours, bare) = (median(our_times), median(bare_times));
    println!("ours {ours:?}, bare {bare:?}");
    ours.as_secs_f64() / bare.as_secs_f64()
}

#[test]
#[ignore = "measures time: for a quiet machine"]
fn one_run_costs_little_more_than_spawn_and_wait() {
    let _scene = Scene::new();
    let program = testkit::fake_solver();
    let spec = Spec::new(&program).args(["--instant", "sat"]);
    let mut bare = Command::new(&program);
    bare.args(["--instant", "sat"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut ours = || assert!(once(&spec, Input::Bytes(SCRIPT)).unwrap().exit.is_success());
    let mut bare = || assert!(bare.status().unwrap().success());
    let ratio = (0..3).map(|_| compare(&mut ours, &mut bare)).fold(f64::MAX, f64::min);
    println!("ratio {ratio:.3}");
    assert!(ratio < 1.3, "{ratio}");
}

#[test]
#[ignore = "measures time: for a quiet machine"]
fn a_large_memory_of_ours_does_not_make_starts_slow() {
    let _scene = Scene::new();
    let spec = Spec::new("/bin/true");
    let start = || timed(|| assert!(once(&spec, Input::Nothing).unwrap().exit.is_success()));
    let small = median((0..60).map(|_| start()).collect());
    let hoard = vec![1u8; 600 << 20];
    let large = median((0..60).map(|_| start()).collect());
    println!("small {small:?}, with {} MB {large:?}", hoard.len() >> 20);
    assert!(large < small * 3, "{small:?} became {large:?}");
}

#[test]
#[ignore = "measures time: for a quiet machine"]
fn a_request_to_a_session_takes_microseconds() {
    let _scene = Scene::new();
    let mut session =
        Interactive::start(&Spec::new(testkit::fake_solver()).args(["--instant", "sat"])).unwrap();
    let mut times = Vec::new();
    for number in 0..5000 {
        let nonce = format!("n{number}");
        let request = format!("(push 1)(check-sat)(pop 1)(echo \"{nonce}\")\n");
        times.push(timed(|| {
            assert_eq!(
                session.ask(request.as_bytes(), until_line(&nonce)),
                Reply::Complete(b"sat\n".to_vec())
            );
        }));
    }
    let middle = median(times);
    println!("request {middle:?}");
    assert!(middle < Duration::from_micros(200), "{middle:?}");
}
