//! How much of a campaign goes to measuring what looks slow.
//!
//! One measurement takes seconds, as much as thousands of cases, and a bank of hard seeds has something slow in every
//! other unit. So measurements get a share of the time: one is begun only when the share has room for it, the shortest
//! (three runs of two seconds) after two minutes. What is not measured gives no accusation. What is found slow depends on the
//! clock anyway, and so does this. A campaign that looks for nothing but slowness has no such limit.

use crate::focus::Focus;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// One part in so many of the time that has passed.
const SHARE: u32 = 20;

pub struct Ration {
    began: Instant,
    /// Milliseconds.
    spent: AtomicU64,
}

impl Default for Ration {
    fn default() -> Ration {
        Ration { began: Instant::now(), spent: AtomicU64::new(0) }
    }
}

/// A measurement under way; it counts until it is dropped.
pub struct Share<'r> {
    ration: &'r Ration,
    began: Instant,
}

impl Ration {
    /// Leave to measure for at most so long, if there is room for it or the campaign is about nothing else.
    pub fn take(&self, longest: Duration, focus: &Focus) -> Option<Share<'_>> {
        let spent = Duration::from_millis(self.spent.load(Ordering::Relaxed));
        let room = spent + longest <= self.began.elapsed() / SHARE;
        (room || focus.is_slowness_alone()).then(|| Share { ration: self, began: Instant::now() })
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        let millis = self.began.elapsed().as_millis() as u64;
        self.ration.spent.fetch_add(millis, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORTEST: Duration = Duration::from_secs(6);

    fn ago(seconds: u64) -> Instant {
        Instant::now().checked_sub(Duration::from_secs(seconds)).expect("the machine is up as long")
    }

    fn everything() -> Focus {
        Focus::default()
    }

    #[test]
    fn a_campaign_about_slowness_measures_all_that_looks_slow() {
        let ration = Ration { began: ago(120), spent: AtomicU64::new(100_000) };
        let only =
            |words: &[&str]| Focus { only: words.iter().map(|w| (*w).into()).collect(), ..everything() };
        assert!(ration.take(SHORTEST, &only(&["performance"])).is_some());
        assert!(ration.take(SHORTEST, &only(&["performance", "crash"])).is_none());
    }

    #[test]
    fn a_measurement_waits_until_the_share_has_room_for_it_and_takes_the_room() {
        for (length, enough) in [(SHORTEST, 120), (Duration::from_secs(150), 3600)] {
            let early = Ration { began: ago(enough / 2), spent: AtomicU64::new(0) };
            assert!(early.take(length, &everything()).is_none());
            let late = Ration { began: ago(enough), spent: AtomicU64::new(0) };
            assert!(late.take(length, &everything()).is_some());
            late.spent.store(length.as_millis() as u64, Ordering::Relaxed);
            assert!(late.take(length, &everything()).is_none());
        }
    }
}
