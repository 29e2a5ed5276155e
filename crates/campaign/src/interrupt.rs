//! Interrupts: once means finish what was begun and save; twice means stop at once.
//!
//! SIGINT, SIGTERM and SIGHUP count alike. Whoever works looks at the count now and then. After the second one there
//! is a moment to save, and then the program ends, whatever its threads compute and whoever they wait for. What a
//! campaign has written by then is in its database, which survives far worse.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How long saving may take after the second interrupt.
const TO_SAVE: Duration = Duration::from_millis(800);

/// How long to wait for workers after the second interrupt, so that there is time to save.
pub const TO_WAIT: Duration = Duration::from_millis(300);

/// What a program that was interrupted exits with: 128 and the number of SIGINT.
const EXIT: i32 = 130;

/// How often the user asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupts(Arc<AtomicUsize>);

impl Interrupts {
    /// Listens to signals from now on.
    pub fn listen() -> Result<Interrupts> {
        Interrupts::listen_and(|| {})
    }

    /// Listens to signals from now on; the second one also does this.
    pub fn listen_and(at_once: impl Fn() + Send + 'static) -> Result<Interrupts> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let machine = Error::machine("signals cannot be caught");
        let mut signals = match signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) {
            Ok(signals) => signals,
            Err(error) => return Err(machine(error)),
        };
        let interrupts = Interrupts::default();
        let count = Arc::clone(&interrupts.0);
        let thread = std::thread::Builder::new().name("signals".into());
        let spawned = thread.spawn(move || {
            for _ in signals.forever() {
                if count.fetch_add(1, Ordering::SeqCst) == 1 {
                    at_once();
                    end();
                }
            }
        });
        spawned.map(|_| interrupts).map_err(Error::machine("no thread for signals"))
    }

    /// The user wants it to end.
    pub fn stop(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }

    /// The user wants it to end at once.
    pub fn at_once(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 1
    }
}

/// Ends the program, if it has not ended by then.
fn end() {
    std::thread::sleep(TO_SAVE);
    solver::clear_scratch();
    std::process::exit(EXIT);
}
