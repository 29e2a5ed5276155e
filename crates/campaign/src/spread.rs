//! Work distributed over threads, with the results received in one place.
//!
//! A free thread takes the next unit, which is made only then, so that there may be any number of them; each thread has
//! a state of its own (a live solver process) that it keeps between units. Results come back to the calling thread,
//! which alone may write. When `stop` returns true, units that were not begun are dropped; those that were begun are
//! finished.

use crate::error::Error;
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};

/// Evaluation and printing do not recurse on depth, but formulas may be handed to code that does.
const STACK: usize = 64 << 20;

/// More workers than any machine can use.
const MOST: usize = 1024;

/// What `-j` may be, for every command.
pub fn jobs(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.ok_or_else(|| format!("`{text}` is not a number of workers\nhint: write 1 to {MOST}"))
}

/// How many workers there are without `-j`: one per core.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does all units; the first error of `take` ends the work.
pub fn spread<S: Default, U: Send, R: Send, E: From<Error>>(
    workers: usize,
    units: impl IntoIterator<Item = U, IntoIter: Send>,
    stop: &(impl Fn() -> bool + Sync),
    work: impl Fn(&mut S, U) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let units = Mutex::new(units.into_iter());
    let next = || if stop() { None } else { units.lock().unwrap_or_else(PoisonError::into_inner).next() };
    std::thread::scope(|scope| {
        let (sink, results) = channel();
        for n in 0..workers.max(1) {
            let (sink, next, work) = (sink.clone(), &next, &work);
            let serve = move || {
                let mut state = S::default();
                while let Some(unit) = next() {
                    if sink.send(work(&mut state, unit)).is_err() {
                        return;
                    }
                }
            };
            match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, serve) {
                // Out of threads: fewer workers do the same units, only later.
                Err(_) if n > 0 => break,
                spawned => drop(spawned.map_err(Error::machine("no thread for a worker"))?),
            }
        }
        drop(sink);
        // An error drops `results`, and the workers end after their current unit.
        results.into_iter().try_for_each(&mut take)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_done_once_whatever_the_number_of_workers() {
        for workers in [1, 4] {
            let mut sum = 0;
            let work = |_: &mut (), unit: u64| unit;
            spread(workers, 0..100, &|| false, work, |unit| {
                sum += unit;
                Ok::<(), Error>(())
            })
            .expect("work");
            assert_eq!(sum, 4950);
        }
    }

    #[test]
    fn the_number_of_workers_must_be_in_a_sensible_range() {
        assert_eq!((jobs("1"), jobs("1024")), (Ok(1), Ok(1024)));
        for wrong in ["0", "1025", "-1", "1000000000000", "x", ""] {
            assert!(jobs(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_stop_drops_units_that_were_not_begun_and_an_error_is_returned() {
        let mut seen = 0;
        let count = |_| {
            seen += 1;
            Ok::<(), Error>(())
        };
        spread(2, vec![1, 2, 3], &|| true, |_: &mut (), unit: u8| unit, count).expect("nothing to do");
        assert_eq!(seen, 0);
        let fails = |_| Err(Error::Closed);
        assert!(spread(2, vec![1, 2, 3], &|| false, |_: &mut (), unit: u8| unit, fails).is_err());
    }
}
