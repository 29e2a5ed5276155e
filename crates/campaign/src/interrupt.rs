//! Interrupts: once means finish what was begun and save; twice means stop at once.
//!
//! SIGINT, SIGTERM and SIGHUP count alike. Whoever works looks at the count now and then.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often the user asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupts(Arc<AtomicUsize>);

impl Interrupts {
    /// Listens to signals from now on.
    pub fn listen() -> Result<Interrupts> {
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
                count.fetch_add(1, Ordering::SeqCst);
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
