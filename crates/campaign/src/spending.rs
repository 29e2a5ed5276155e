//! What the threads of a campaign do with their time.
//!
//! Workers make and ask new cases, and run suspicions again; triage threads reduce beside them. Each piece of work is
//! timed where it is done ([`Spending::during`]) and added up here; the dispatcher shows the shares
//! (`store::Division`). Triage may take a bounded share: [`Pace`] says when the next finding may be begun.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A unit: everything that a worker does, suspicions included.
    Units,
    /// Running a suspicion again, and measuring what looks slow.
    Confirming,
    /// Reducing, deduplicating, bisecting.
    Triage,
}

/// Time by kind of work, of all threads together.
#[derive(Debug, Default)]
pub struct Spending {
    /// Microseconds, in the order of [`Work`].
    spent: [AtomicU64; 3],
}

impl Spending {
    /// Does it and adds up how long it took.
    pub fn during<T>(&self, work: Work, act: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let result = act();
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(0);
        self.spent[work as usize].fetch_add(micros, Ordering::Relaxed);
        result
    }

    pub fn of(&self, work: Work) -> Duration {
        Duration::from_micros(self.spent[work as usize].load(Ordering::Relaxed))
    }
}

/// How much time triage may take.
#[derive(Debug)]
pub struct Pace {
    /// Seconds of triage per second of the hunt.
    allowed: f64,
    began: Instant,
    /// The hunt is over or waits for triage: nothing is held back.
    free: AtomicBool,
}

/// The first minutes find most, so this much may be spent in advance.
const ADVANCE: Duration = Duration::from_secs(10);

impl Pace {
    /// A share of the workers' time, or the cores that workers leave idle if these are more.
    pub fn new(share: f64, workers: usize) -> Pace {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let idle = cores.saturating_sub(workers) as f64;
        let allowed = if share == 0.0 { 0.0 } else { idle.max(share * workers as f64) };
        Pace { allowed, began: Instant::now(), free: AtomicBool::new(false) }
    }

    /// How many threads can work at that pace.
    pub fn threads(&self) -> usize {
        (self.allowed.ceil() as usize).max(1)
    }

    /// Whether a further finding may be begun after this much triage.
    pub fn is_due(&self, spent: Duration) -> bool {
        let since = self.began.elapsed() + ADVANCE;
        self.free.load(Ordering::Relaxed) || (self.allowed > 0.0 && spent <= since.mul_f64(self.allowed))
    }

    /// Lifts the bound, or sets it again.
    pub fn set_free(&self, free: bool) {
        self.free.store(free, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_added_up_by_kind_of_work() {
        let spending = Spending::default();
        let nap = || std::thread::sleep(Duration::from_millis(2));
        spending.during(Work::Confirming, nap);
        spending.during(Work::Confirming, nap);
        assert!(spending.of(Work::Confirming) >= Duration::from_millis(4));
        assert_eq!(spending.of(Work::Triage), Duration::ZERO);
    }

    #[test]
    fn triage_waits_once_its_share_is_used_up_and_goes_on_when_the_hunt_waits_for_it() {
        let pace = Pace { allowed: 0.5, began: Instant::now(), free: AtomicBool::new(false) };
        assert!(pace.is_due(Duration::from_secs(4)) && !pace.is_due(Duration::from_secs(8)));
        pace.set_free(true);
        assert!(pace.is_due(Duration::from_secs(8)));
        let none = Pace::new(0.0, 2);
        assert!(!none.is_due(Duration::ZERO), "a share of nothing leaves all triage to the end");
    }
}
