//! What is called slow.
//!
//! As Winterer's thesis and its tool ET have it: a formula is slow for a solver if another solver, or an older release,
//! solves it many times faster, and if what the slow one takes is long enough to matter. A limit that both miss says
//! nothing. Processor time is compared and never wall time, which depends on who else uses the machine. A first look
//! lowers the floor to what its short limit can show; what it sees is measured again with the usual floor, at ten times
//! the limit and with several solver seeds (`triage::slow`), before a solver is accused.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How much slower, and from where on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// At least this many times the processor time of the other.
    pub factor: u32,
    /// At least this much processor time.
    pub floor: Duration,
}

impl Pace {
    pub const USUAL: Pace = Pace { factor: 10, floor: Duration::from_secs(1) };

    /// What a first look under a limit can show: most of the limit, if that is less than the usual floor.
    pub fn within(limit: Duration) -> Pace {
        Pace { floor: Pace::USUAL.floor.min(limit * 2 / 3), ..Pace::USUAL }
    }

    /// Whether one time is slow beside another. Below a millisecond clocks say nothing.
    pub fn is_slow(self, slow: Duration, fast: Duration) -> bool {
        slow >= self.floor && slow >= fast.max(Duration::from_millis(1)) * self.factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_is_both_many_times_slower_and_long() {
        let ms = Duration::from_millis;
        assert!(Pace::USUAL.is_slow(ms(1000), ms(100)));
        assert!(!Pace::USUAL.is_slow(ms(999), ms(1)), "below the floor");
        assert!(!Pace::USUAL.is_slow(ms(5000), ms(501)), "less than ten times");
        assert!(Pace::within(ms(150)).is_slow(ms(100), ms(0)));
        assert_eq!(Pace::within(ms(5000)), Pace::USUAL);
    }
}
