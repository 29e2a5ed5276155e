//! The one loop of every campaign: hand out units, receive what came of them, end in time.
//!
//! A [`Desk`] owns the state: it says which unit comes next and what a result means. Workers only take units and send
//! results. `dispatch` stands between them, for hunts (`hunt`) as for lists of units that are known from the beginning
//! (`spread`: enumerations, grids of releases, measurements). Only the thread that called it writes and emits events.
//!
//! The loop knows nothing of solvers, formulas or the disk. It must never wait for a worker that the campaign has given
//! up, and never hand out more units than workers can begin soon: which units come next may depend on results.

use crate::error::Result;
use crate::interrupt::{Interrupts, TO_WAIT};
use run::Cancel;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long to wait for a result before the desk looks at everything else.
const TO_LOOK: Duration = Duration::from_millis(100);

/// How long to wait for workers whose solvers were ended because time is over.
const TO_END: Duration = Duration::from_secs(1);

/// What is next.
pub enum Turn<U> {
    Unit(U),
    /// Nothing now. A result, or something outside, will change that.
    Wait,
    /// No further unit is begun.
    End,
}

/// The owner of a campaign's state.
pub trait Desk {
    type Unit;
    type Done;

    /// The next unit, while so many are being worked on.
    fn next(&mut self, in_flight: usize) -> Result<Turn<Self::Unit>>;

    /// Receives what came of a unit.
    fn take(&mut self, done: Self::Done) -> Result<()>;

    /// Does what else is due; called after every result and every tenth of a second.
    fn look(&mut self, _in_flight: usize) -> Result<()> {
        Ok(())
    }
}

/// Decides when workers are not waited for any longer.
pub struct Patience<'a> {
    interrupts: &'a Interrupts,
    cancel: &'a Cancel,
    since: Option<Instant>,
}

impl<'a> Patience<'a> {
    pub fn new(interrupts: &'a Interrupts, cancel: &'a Cancel) -> Patience<'a> {
        Patience { interrupts, cancel, since: None }
    }

    /// A second interrupt ends the solvers, as the end of the grace does; a moment later all workers should be done.
    fn is_over(&mut self) -> bool {
        if self.interrupts.at_once() {
            self.cancel.raise();
        }
        // Raised by the clock, too.
        if !self.cancel.is_raised() {
            return false;
        }
        let patience = if self.interrupts.at_once() { TO_WAIT } else { TO_END };
        self.since.get_or_insert_with(Instant::now).elapsed() > patience
    }
}

/// What a worker does: takes units and sends results until the campaign closes one of the two ends.
pub fn serve<U, R>(source: &Mutex<Receiver<U>>, sink: &Sender<R>, mut work: impl FnMut(U) -> R) {
    loop {
        let next = source.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(unit) = next else { return };
        if sink.send(work(unit)).is_err() {
            return;
        }
    }
}

/// Hands out units until the desk ends it and all results are in, or patience is over. Returns how many units were
/// still being worked on.
pub fn dispatch<D: Desk>(
    desk: &mut D,
    workers: usize,
    mut patience: Option<Patience<'_>>,
    (jobs, results): (&Sender<D::Unit>, &Receiver<D::Done>),
) -> Result<usize> {
    let mut in_flight = 0;
    while !patience.as_mut().is_some_and(Patience::is_over) {
        let mut waits = false;
        while in_flight < workers * 2 {
            match desk.next(in_flight)? {
                Turn::Unit(unit) => {
                    if jobs.send(unit).is_err() {
                        return Ok(in_flight);
                    }
                    in_flight += 1;
                }
                Turn::Wait => {
                    waits = true;
                    break;
                }
                Turn::End => break,
            }
        }
        if in_flight == 0 && !waits {
            break;
        }
        match results.recv_timeout(TO_LOOK) {
            Ok(done) => {
                in_flight -= 1;
                desk.take(done)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        desk.look(in_flight)?;
    }
    Ok(in_flight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// Ten units, of which each second one may only begin when nothing else is being worked on.
    #[derive(Default)]
    struct Stepwise {
        begun: u32,
        taken: Vec<u32>,
        looks: u32,
    }

    impl Desk for Stepwise {
        type Unit = u32;
        type Done = u32;

        fn next(&mut self, in_flight: usize) -> Result<Turn<u32>> {
            if self.begun == 10 {
                return Ok(Turn::End);
            }
            if self.begun % 2 == 1 && in_flight > 0 {
                return Ok(Turn::Wait);
            }
            self.begun += 1;
            Ok(Turn::Unit(self.begun))
        }

        fn take(&mut self, done: u32) -> Result<()> {
            self.taken.push(done);
            Ok(())
        }

        fn look(&mut self, _: usize) -> Result<()> {
            self.looks += 1;
            Ok(())
        }
    }

    #[test]
    fn a_desk_that_waits_for_results_gets_them_all_and_the_loop_ends_with_none_in_flight() {
        let ((jobs, units), (sink, results)) = (channel(), channel());
        let worker = std::thread::spawn(move || units.into_iter().try_for_each(|unit| sink.send(unit)));
        let mut desk = Stepwise::default();
        let left = dispatch(&mut desk, 2, None, (&jobs, &results)).expect("no error");
        drop(jobs);
        worker.join().expect("it ends").expect("all were received");
        assert_eq!((left, desk.taken.len()), (0, 10));
        assert!(desk.looks >= 10);
    }

    #[test]
    fn workers_that_never_answer_are_left_when_the_campaign_was_cancelled() {
        let ((jobs, _units), (_sink, results)) = (channel(), channel::<u32>());
        let (interrupts, cancel) = (Interrupts::default(), Cancel::new().expect("a switch"));
        cancel.raise();
        let began = Instant::now();
        let patience = Some(Patience::new(&interrupts, &cancel));
        let left = dispatch(&mut Stepwise::default(), 2, patience, (&jobs, &results)).expect("no error");
        assert!(left > 0 && began.elapsed() >= TO_END);
    }
}
