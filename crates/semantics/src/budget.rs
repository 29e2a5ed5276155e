//! Limits for our own work: steps and bytes, counted by the work itself.
//!
//! Formulas and models come from outside, and two kilobytes of repeated squaring have a value of 2^60 digits. So every
//! entry point of this crate takes a `Budget`, every loop spends steps from it, and every value that can be large
//! reserves its bytes before it is built. Running out is an ordinary result, not an error of the program.
//!
//! Steps are the limit that normally decides, because they are the same on every machine: the same question with the
//! same budget has the same answer. The deadline is only a last resort, for work whose steps turn out to be slow; it
//! is checked once in many steps. Callers that need reproducible results must set it far in the future.

use std::cell::Cell;
use std::time::Instant;

/// Number of steps between two checks of the clock.
const STEPS_PER_LOOK: u64 = 1 << 14;

/// The steps and bytes that are left. All code that works on one question shares it by reference.
#[derive(Debug)]
pub struct Budget {
    /// Steps that may be spent before the next check of the clock, and those beyond. So the usual cost of spending is
    /// one comparison and one subtraction.
    near: Cell<u64>,
    far: Cell<u64>,
    bytes: Cell<u64>,
    deadline: Option<Instant>,
}

/// The budget is used up, so the answer is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Exhausted {
    #[error("too many steps")]
    Steps,
    #[error("a value is too large")]
    Bytes,
    #[error("too much time")]
    Time,
}

impl Budget {
    pub fn new(steps: u64, bytes: u64) -> Budget {
        let budget =
            Budget { near: Cell::new(0), far: Cell::new(0), bytes: Cell::new(bytes), deadline: None };
        budget.set_steps(steps);
        budget
    }

    /// The same with a deadline.
    pub fn with_deadline(self, deadline: Instant) -> Budget {
        Budget { near: Cell::new(0), far: Cell::new(self.steps_left()), deadline: Some(deadline), ..self }
    }

    pub fn steps_left(&self) -> u64 {
        self.near.get() + self.far.get()
    }

    pub fn bytes_left(&self) -> u64 {
        self.bytes.get()
    }

    fn set_steps(&self, steps: u64) {
        self.near.set(steps.min(STEPS_PER_LOOK));
        self.far.set(steps.saturating_sub(STEPS_PER_LOOK));
    }

    /// Spends this many steps. Once it has failed it always fails.
    #[inline]
    pub fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        match self.near.get().checked_sub(steps) {
            Some(left) => {
                self.near.set(left);
                Ok(())
            }
            None => self.look(steps),
        }
    }

    #[cold]
    fn look(&self, steps: u64) -> Result<(), Exhausted> {
        let left = self.steps_left().checked_sub(steps);
        self.set_steps(left.unwrap_or(0));
        if left.is_none() {
            return Err(Exhausted::Steps);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.set_steps(0);
            return Err(Exhausted::Time);
        }
        Ok(())
    }

    /// Reserves memory before it is allocated.
    pub fn reserve(&self, bytes: u64) -> Result<(), Exhausted> {
        match self.bytes.get().checked_sub(bytes) {
            Some(left) => self.bytes.set(left),
            None => return Err(Exhausted::Bytes),
        }
        Ok(())
    }

    /// Releases memory.
    pub fn release(&self, bytes: u64) {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
    }

    /// A smaller budget for a part of the work: at most this many of the remaining steps, the same bytes and the same
    /// deadline. `settle` charges what the part has spent.
    pub fn part(&self, steps: u64) -> Budget {
        // It begins with a check of the clock, because many small parts can take as long as one large one.
        Budget {
            near: Cell::new(0),
            far: Cell::new(steps.min(self.steps_left())),
            bytes: self.bytes.clone(),
            deadline: self.deadline,
        }
    }

    /// Charges the steps and bytes that a part has used.
    pub fn settle(&self, given: u64, part: &Budget) {
        self.set_steps(self.steps_left().saturating_sub(given.saturating_sub(part.steps_left())));
        self.bytes.set(part.bytes.get());
    }

    /// Ends the budget: all further requests are refused.
    pub fn end(&self) {
        self.set_steps(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_exhausted_budget_stays_exhausted() {
        let budget = Budget::new(10, 0);
        assert_eq!(budget.spend(7), Ok(()));
        assert_eq!(budget.spend(4), Err(Exhausted::Steps));
        assert_eq!(budget.spend(1), Err(Exhausted::Steps));
    }

    #[test]
    fn released_bytes_can_be_reserved_again() {
        let budget = Budget::new(0, 100);
        assert_eq!(budget.reserve(60), Ok(()));
        assert_eq!(budget.reserve(60), Err(Exhausted::Bytes));
        budget.release(60);
        assert_eq!(budget.reserve(100), Ok(()));
    }

    #[test]
    fn a_deadline_that_has_passed_ends_the_work() {
        let budget = Budget::new(u64::MAX, 0).with_deadline(Instant::now() - Duration::from_secs(1));
        assert_eq!(budget.spend(1), Err(Exhausted::Time));
        assert_eq!(budget.spend(1), Err(Exhausted::Steps));
    }

    #[test]
    fn steps_of_a_part_are_charged_to_the_whole() {
        let whole = Budget::new(100, 0);
        let part = whole.part(30);
        assert_eq!(part.spend(20), Ok(()));
        assert_eq!(part.spend(20), Err(Exhausted::Steps));
        whole.settle(30, &part);
        assert_eq!(whole.steps_left(), 70);
    }
}
