//! How many solver processes all pools together keep while no query uses them.
//!
//! A pool limits its own, but a campaign has a pool for every solver and every set of options, and each may keep hosts
//! beside its idle sessions. They cost descriptors, so the sum has a limit of its own: whoever wants to keep a process
//! takes a [`Held`] first, and ends the process if there is none. No answer depends on it.

use std::sync::atomic::{AtomicUsize, Ordering};

static ALL: Count = Count { most: AtomicUsize::new(usize::MAX), now: AtomicUsize::new(0) };

struct Count {
    most: AtomicUsize,
    now: AtomicUsize,
}

impl Count {
    fn take(&self) -> bool {
        let most = self.most.load(Ordering::SeqCst);
        let one_more = |now: usize| (now < most).then_some(now + 1);
        self.now.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_more).is_ok()
    }

    fn give_back(&self) {
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// From now on all pools together keep at most so many processes.
pub fn keep_at_most(processes: usize) {
    ALL.most.store(processes, Ordering::SeqCst);
}

/// The right to keep one process.
#[derive(Debug)]
pub(super) struct Held(());

impl Held {
    pub(super) fn take() -> Option<Held> {
        ALL.take().then_some(Held(()))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        ALL.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_never_more_than_allowed_and_what_is_given_back_can_be_taken_again() {
        let count = Count { most: AtomicUsize::new(2), now: AtomicUsize::new(0) };
        assert_eq!([count.take(), count.take(), count.take()], [true, true, false]);
        count.give_back();
        assert_eq!([count.take(), count.take()], [true, false]);
        count.most.store(0, Ordering::SeqCst);
        count.give_back();
        assert!(!count.take());
    }
}
