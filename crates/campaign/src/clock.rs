//! How long a campaign lasts: the time that it was given, a stated grace, and no more.
//!
//! When the time is over, no unit of work is begun. What was begun then has a grace: for a quarter of it further cases
//! of a unit are begun, at half of it every solver that is still asked is ended and the answers are dropped, and
//! triage of what was found has the rest. After that the campaign saves and ends, whatever solvers and threads of ours
//! do. The same holds after a first interrupt. What was not finished is not recorded as done: `--resume` begins with it.
//!
//! Time in which we were stopped ourselves (Ctrl-Z, SIGSTOP) does not count. We know of it because we are told when we
//! go on; how long it was follows from a thread that looks at the clock all the time and adds up what passed. A gap
//! is added a moment later, when it is clear that it was only a busy machine. A solver that is stopped is another
//! matter: its time counts.

use crate::error::{Error, Result};
use crate::interrupt::Interrupts;
use run::Cancel;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

/// The least grace; a fifth of the time comes on top of it.
const GRACE: Duration = Duration::from_secs(10);
const SHARE: u32 = 5;

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(50);

/// A look that comes so late means a busy machine, or that we were stopped.
const LATE: Duration = Duration::from_millis(500);

/// How many looks later it is clear which of the two it was.
const CLEAR: u32 = 10;

/// The time of one campaign. Clones show the same time.
#[derive(Clone, Debug)]
pub struct Clock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    time: Option<Duration>,
    /// Microseconds that have passed and count.
    passed: AtomicU64,
    /// When the user wanted it to end.
    called_off: OnceLock<Duration>,
    /// The user asked twice: no grace.
    at_once: AtomicBool,
}

impl Clock {
    /// Begins now. At the middle of the grace `cancel` is raised.
    pub fn begin(time: Option<Duration>, interrupts: &Interrupts, cancel: &Cancel) -> Result<Clock> {
        let clock = Clock(Arc::new(Inner::new(time)));
        let (inner, interrupts, cancel) = (Arc::downgrade(&clock.0), interrupts.clone(), cancel.clone());
        let thread = std::thread::Builder::new().name("clock".into());
        let spawned = thread.spawn(move || look(&inner, &interrupts, &cancel));
        spawned.map(|_| clock).map_err(Error::machine("no thread for the clock"))
    }

    /// How long it has lasted, without the time in which we were stopped.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// What is left of the time, if it was given one.
    pub fn left(&self) -> Option<Duration> {
        self.0.time.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// Whether no further unit is begun.
    pub fn is_over(&self) -> bool {
        self.0.overtime().is_some()
    }

    /// Whether no further case of a unit that was begun is begun.
    pub fn is_closing(&self) -> bool {
        let is_late = |over| over >= self.0.grace() / 4;
        self.0.at_once.load(Ordering::SeqCst) || self.0.overtime().is_some_and(is_late)
    }

    /// Whether everything has to end.
    pub fn is_spent(&self) -> bool {
        self.until_spent().is_some_and(|left| left.is_zero())
    }

    /// How long anything may go on; `None` if nothing limits it.
    pub fn until_spent(&self) -> Option<Duration> {
        if let Some(over) = self.0.overtime() {
            return Some(self.0.grace().saturating_sub(over));
        }
        self.left().map(|left| left + self.0.grace())
    }
}

impl Inner {
    fn new(time: Option<Duration>) -> Inner {
        let (passed, called_off, at_once) = (AtomicU64::new(0), OnceLock::new(), AtomicBool::new(false));
        Inner { time, passed, called_off, at_once }
    }

    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.passed.load(Ordering::SeqCst))
    }

    fn grace(&self) -> Duration {
        GRACE + self.time.unwrap_or_default() / SHARE
    }

    /// How long ago the time ended, or the user wanted it to end.
    fn overtime(&self) -> Option<Duration> {
        let elapsed = self.elapsed();
        let ends = [self.time, self.called_off.get().copied()];
        ends.into_iter().flatten().filter_map(|end| elapsed.checked_sub(end)).max()
    }
}

/// What counts of the time that passes.
#[derive(Default)]
struct Ticker {
    /// A gap that may be a stop.
    held: Duration,
    /// Looks until it is clear that it was none.
    until_clear: u32,
    continued: usize,
}

impl Ticker {
    /// How much of the time since the last look counts, now that we have gone on so often.
    fn counts(&mut self, slept: Duration, continued: usize) -> Duration {
        let was_stopped = std::mem::replace(&mut self.continued, continued) != continued;
        let mut counts = slept;
        if slept > LATE {
            counts = TICK;
            (self.held, self.until_clear) = (self.held + (slept - TICK), CLEAR);
        }
        if was_stopped {
            self.held = Duration::ZERO;
        } else if self.until_clear == 0 {
            counts += std::mem::take(&mut self.held);
        }
        self.until_clear = self.until_clear.saturating_sub(1);
        counts
    }
}

/// Looks at the clock until the campaign has gone.
fn look(inner: &Weak<Inner>, interrupts: &Interrupts, cancel: &Cancel) {
    let mut ticker = Ticker { continued: interrupts.continued(), ..Ticker::default() };
    let mut last = Instant::now();
    loop {
        std::thread::sleep(TICK);
        let Some(inner) = inner.upgrade() else { return };
        let now = Instant::now();
        let counts = ticker.counts(now - std::mem::replace(&mut last, now), interrupts.continued());
        inner.passed.fetch_add(u64::try_from(counts.as_micros()).unwrap_or(0), Ordering::SeqCst);
        if interrupts.stop() {
            inner.called_off.get_or_init(|| inner.elapsed());
        }
        inner.at_once.store(interrupts.at_once(), Ordering::SeqCst);
        if interrupts.at_once() || inner.overtime().is_some_and(|over| over >= inner.grace() / 2) {
            cancel.raise();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(time: Option<u64>, elapsed: u64) -> Inner {
        let inner = Inner::new(time.map(Duration::from_secs));
        inner.passed.store(elapsed * 1_000_000, Ordering::SeqCst);
        inner
    }

    #[test]
    fn the_grace_is_ten_seconds_and_a_fifth_of_the_time_and_has_its_parts() {
        let stages = |elapsed| {
            let clock = Clock(Arc::new(of(Some(50), elapsed)));
            (clock.is_over(), clock.is_closing(), clock.is_spent())
        };
        assert_eq!(stages(49), (false, false, false));
        assert_eq!(stages(51), (true, false, false));
        assert_eq!(stages(56), (true, true, false));
        assert_eq!(stages(71), (true, true, true));
        assert_eq!(Clock(Arc::new(of(None, 1000))).until_spent(), None);
    }

    #[test]
    fn an_interrupt_begins_the_grace_whatever_the_time_is() {
        let inner = of(None, 100);
        inner.called_off.set(Duration::from_secs(94)).expect("once");
        let clock = Clock(Arc::new(inner));
        assert_eq!((clock.is_over(), clock.is_closing(), clock.is_spent()), (true, true, false));
    }

    #[test]
    fn time_in_which_we_were_stopped_does_not_count_and_that_of_a_busy_machine_does() {
        let sum = |looks: &[(u64, usize)]| {
            let mut ticker = Ticker::default();
            let all = looks
                .iter()
                .map(|&(slept, continued)| ticker.counts(Duration::from_millis(slept), continued));
            all.sum::<Duration>().as_millis()
        };
        // The news may come with the late look or after it.
        assert_eq!(sum(&[(50, 0), (60_000, 1), (50, 1), (50, 1)]), 200);
        assert_eq!(sum(&[(50, 0), (60_000, 0), (50, 0), (50, 1), (50, 1)]), 250);
        let busy: Vec<(u64, usize)> = std::iter::once((3_000, 0)).chain([(50, 0); 20]).collect();
        assert_eq!(sum(&busy), 4_000);
    }
}
