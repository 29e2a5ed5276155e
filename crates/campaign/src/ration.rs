//! How much of a campaign goes to measuring what looks slow.
//!
//! One measurement takes seconds, as much as thousands of cases, and a bank of hard seeds has something slow in every
//! other unit. So measurements get a share of the time: one is begun only while less than that share has gone to them, and
//! one that may take minutes only when the share has room for it. What is not measured gives no accusation. What is found
//! slow depends on the clock anyway, and so does this. A campaign that looks for nothing but slowness has no such limit.

use crate::focus::Focus;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// To begin with, and then one part in so many of the time that has passed.
const BEFOREHAND: Duration = Duration::from_secs(2);
const SHARE: u32 = 20;

/// A measurement of this length, the shortest there is, may exceed the share, or a short campaign would measure nothing.
const SHORT: Duration = Duration::from_secs(6);

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
        let room = spent + longest.saturating_sub(SHORT) < BEFOREHAND + self.began.elapsed() / SHARE;
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

    fn everything() -> Focus {
        Focus::default()
    }

    #[test]
    fn a_campaign_about_slowness_measures_all_that_looks_slow() {
        let ration = Ration { began: Instant::now(), spent: AtomicU64::new(100_000) };
        let only =
            |words: &[&str]| Focus { only: words.iter().map(|w| (*w).into()).collect(), ..everything() };
        assert!(ration.take(SHORT, &only(&["performance"])).is_some());
        assert!(ration.take(SHORT, &only(&["performance", "crash"])).is_none());
    }

    #[test]
    fn nothing_is_measured_once_the_share_is_used_up() {
        let ration = Ration::default();
        assert!(ration.take(SHORT, &everything()).is_some());
        ration.spent.store(BEFOREHAND.as_millis() as u64 + 10_000, Ordering::Relaxed);
        assert!(ration.take(SHORT, &everything()).is_none());
    }

    #[test]
    fn a_measurement_of_minutes_waits_until_the_share_has_room_for_it() {
        assert!(Ration::default().take(Duration::from_secs(150), &everything()).is_none());
        let long_ago = Instant::now().checked_sub(Duration::from_secs(3600)).expect("an hour ago");
        let ration = Ration { began: long_ago, spent: AtomicU64::new(0) };
        assert!(ration.take(Duration::from_secs(150), &everything()).is_some());
    }
}
