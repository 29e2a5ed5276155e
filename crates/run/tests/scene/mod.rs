//! What all tests of misbehaving processes share: the fake solver, and a check afterwards for remaining processes,
//! zombies and descriptors.

#![allow(dead_code)]

use run::{Input, Limits, NONCE_VARIABLE, Outcome, Spec, once, owner_nonce};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// One test at a time, so that leftovers have one possible cause.
static STAGE: Mutex<()> = Mutex::new(());

/// Holds the lock; checks for leftovers when it is dropped.
pub struct Scene {
    _stage: MutexGuard<'static, ()>,
    descriptors: usize,
}

impl Scene {
    pub fn new() -> Scene {
        let stage = STAGE.lock().unwrap_or_else(PoisonError::into_inner);
        testkit::fake_solver();
        run::prepare();
        Scene { _stage: stage, descriptors: testkit::open_descriptors() }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let survivors = testkit::processes_marked(NONCE_VARIABLE, owner_nonce());
        assert_eq!(survivors, Vec::<i32>::new(), "processes survive");
        assert_eq!(testkit::zombie_children(), Vec::<i32>::new(), "zombies stay");
        assert_eq!(testkit::open_descriptors(), self.descriptors, "descriptors leak");
    }
}

/// The fake solver with these behaviours and a wall limit of five seconds.
pub fn fake(behaviours: &str) -> Spec {
    let spec = Spec::new(testkit::fake_solver()).args(["--behave", behaviours]);
    spec.limits(Limits { wall: Some(Duration::from_secs(5)), ..Limits::default() })
}

pub const SCRIPT: &[u8] = b"(assert true)\n(check-sat)\n";

/// Runs it on a small script.
pub fn act(spec: &Spec) -> Outcome {
    once(spec, Input::Bytes(SCRIPT)).unwrap()
}

pub fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}
