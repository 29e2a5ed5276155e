//! A list of units distributed over threads by the loop of `dispatch`, with the results received in one place.
//!
//! Units are made when they are handed out, so there may be any number of them; each thread has a state of its own (a
//! live solver process) that it keeps between units. Results come back to the calling thread, which alone may write.
//! When `stop` returns true, units that were not begun are dropped; those that were begun are finished.

use crate::dispatch::{Desk, Turn, dispatch, serve};
use crate::error::{Error, Result};
use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::mpsc::channel;

/// Evaluation and printing do not recurse on depth, but formulas may be handed to code that does.
const STACK: usize = 64 << 20;

/// More workers than any machine can use.
const MOST: usize = 1024;

/// What `-j` may be, for every command.
pub fn jobs(text: &str) -> std::result::Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.ok_or_else(|| format!("`{text}` is not a number of workers\nhint: write 1 to {MOST}"))
}

/// How many workers there are without `-j`: one per core.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The desk of a list of units.
struct List<'s, I, T> {
    units: I,
    stop: &'s (dyn Fn() -> bool + Sync),
    take: T,
}

impl<I: Iterator, R, T: FnMut(R) -> Result<()>> Desk for List<'_, I, (T, PhantomData<R>)> {
    type Unit = I::Item;
    /// `None`: it was not begun, because the work was stopped.
    type Done = Option<R>;

    fn next(&mut self, _: usize) -> Result<Turn<I::Item>> {
        let unit = if (self.stop)() { None } else { self.units.next() };
        Ok(unit.map_or(Turn::End, Turn::Unit))
    }

    fn take(&mut self, done: Option<R>) -> Result<()> {
        done.map_or(Ok(()), &mut self.take.0)
    }
}

/// Does all units; the first error of `take` ends the work.
pub fn spread<S: Default, U: Send, R: Send>(
    workers: usize,
    units: impl IntoIterator<Item = U>,
    stop: &(impl Fn() -> bool + Sync),
    work: impl Fn(&mut S, U) -> R + Sync,
    take: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let workers = workers.max(1);
    let ((jobs, source), (sink, results)) = (channel::<U>(), channel());
    let source = Mutex::new(source);
    std::thread::scope(|scope| {
        // Dropped at the end of the work, also by an error: the workers end after their current unit.
        let (jobs, results) = (jobs, results);
        for n in 0..workers {
            let (sink, source, work) = (sink.clone(), &source, &work);
            let serve = move || {
                let mut state = S::default();
                serve(source, &sink, |unit| (!stop()).then(|| work(&mut state, unit)));
            };
            match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, serve) {
                // Out of threads: fewer workers do the same units, only later.
                Err(_) if n > 0 => break,
                spawned => drop(spawned.map_err(Error::machine("no thread for a worker"))?),
            }
        }
        drop(sink);
        let mut desk = List { units: units.into_iter(), stop, take: (take, PhantomData) };
        dispatch(&mut desk, workers, None, (&jobs, &results)).map(|_| ())
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
                Ok(())
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
            Ok(())
        };
        spread(2, vec![1, 2, 3], &|| true, |_: &mut (), unit: u8| unit, count).expect("nothing to do");
        assert_eq!(seen, 0);
        let fails = |_| Err(Error::Closed);
        assert!(spread(2, vec![1, 2, 3], &|| false, |_: &mut (), unit: u8| unit, fails).is_err());
    }
}
