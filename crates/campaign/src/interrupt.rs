//! Interrupts: the first means finish what was begun and save; the second means stop at once.
//!
//! SIGINT, SIGTERM and SIGHUP count alike. Running work checks the count regularly. After the second interrupt there
//! is a short time to save, and then the program ends, even if threads still compute or wait. What a campaign has
//! written by then is in its database, which also survives a kill. SIGCONT is counted separately: it means that the
//! program had been stopped.

use crate::error::{Error, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How long saving may take after the second interrupt.
const TO_SAVE: Duration = Duration::from_millis(800);

/// How long to wait for workers after the second interrupt, so that there is time to save.
pub const TO_WAIT: Duration = Duration::from_millis(300);

/// The exit code of a program that was interrupted: 128 and the number of SIGINT.
const EXIT: i32 = 130;

static BEFORE_EXIT: OnceLock<fn()> = OnceLock::new();

/// Registers what must be done even if the program is ended by a second interrupt.
pub fn before_exit(undo: fn()) {
    let _ = BEFORE_EXIT.set(undo);
}

/// How often the user interrupted.
#[derive(Clone, Debug, Default)]
pub struct Interrupts(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// Signals that ask to end.
    stop: AtomicUsize,
    /// How often we went on after we had been stopped.
    continued: AtomicUsize,
}

impl Interrupts {
    /// Handles signals from now on.
    pub fn listen() -> Result<Interrupts> {
        Interrupts::listen_and(|| {})
    }

    /// Handles signals from now on; the second one also calls this.
    pub fn listen_and(at_once: impl Fn() + Send + 'static) -> Result<Interrupts> {
        use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM};
        let machine = Error::machine("signals cannot be caught");
        let mut signals = match signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGCONT]) {
            Ok(signals) => signals,
            Err(error) => return Err(machine(error)),
        };
        let interrupts = Interrupts::default();
        let counts = Arc::clone(&interrupts.0);
        let thread = std::thread::Builder::new().name("signals".into());
        let spawned = thread.spawn(move || {
            for signal in signals.forever() {
                if signal == SIGCONT {
                    counts.continued.fetch_add(1, Ordering::SeqCst);
                } else if counts.stop.fetch_add(1, Ordering::SeqCst) == 1 {
                    at_once();
                    end();
                }
            }
        });
        spawned.map(|_| interrupts).map_err(Error::machine("no thread for signals"))
    }

    /// The user wants it to end.
    pub fn stop(&self) -> bool {
        self.0.stop.load(Ordering::SeqCst) > 0
    }

    /// The user wants it to end at once.
    pub fn at_once(&self) -> bool {
        self.0.stop.load(Ordering::SeqCst) > 1
    }

    /// How often we went on after we had been stopped.
    pub fn continued(&self) -> usize {
        self.0.continued.load(Ordering::SeqCst)
    }
}

/// Ends the program after this time, if it has not ended by then.
fn end() {
    std::thread::sleep(TO_SAVE);
    solver::clear_scratch();
    if let Some(undo) = BEFORE_EXIT.get() {
        undo();
    }
    std::process::exit(EXIT);
}
