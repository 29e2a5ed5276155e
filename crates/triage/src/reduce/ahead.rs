//! Checks made ahead of time on idle cores.
//!
//! The search hands in the candidates that it will ask about if all before them fail, and takes the results in that
//! order, as if it had made one check after the other: what it does, and how many checks it counts, does not depend on
//! the number of workers. As soon as a candidate holds, those behind it are forgotten. One that is being checked
//! already runs to its end on its own thread, and nobody waits for it.
//!
//! Every worker is a thread, and all checks are made by workers, so there are never more at a time than workers. A
//! single worker is the thread of the search itself.

use super::Interesting;
use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Candidates to check, and the results that nobody has taken yet.
pub struct Ahead<'a> {
    check: &'a dyn Interesting,
    workers: usize,
    state: Mutex<State>,
    news: Condvar,
}

/// The number of a candidate, in the order in which they were handed in.
pub type Ticket = u64;

#[derive(Default)]
struct State {
    waiting: VecDeque<(Ticket, Vec<u8>)>,
    results: HashMap<Ticket, bool>,
    next: Ticket,
    /// Candidates before this one are forgotten.
    wanted: Ticket,
    closed: bool,
}

/// Records the result of a check, even of one that panics.
struct Verdict<'s, 'a> {
    ahead: &'s Ahead<'a>,
    ticket: Ticket,
    holds: bool,
}

impl Drop for Verdict<'_, '_> {
    fn drop(&mut self) {
        let mut state = self.ahead.lock();
        if self.ticket >= state.wanted {
            state.results.insert(self.ticket, self.holds);
            // The search ends here or before: what is behind is not begun any more.
            if self.holds {
                state.waiting.retain(|(waiting, _)| *waiting < self.ticket);
            }
        }
        self.ahead.news.notify_all();
    }
}

/// Ends the workers, even if the search panics.
pub struct Closing<'s, 'a>(pub &'s Ahead<'a>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.waiting.clear();
        state.closed = true;
        self.0.news.notify_all();
    }
}

impl<'a> Ahead<'a> {
    pub fn new(check: &'a dyn Interesting, workers: usize) -> Ahead<'a> {
        Ahead { check, workers, state: Mutex::default(), news: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many threads must call `work`.
    pub fn threads(&self) -> usize {
        if self.workers > 1 { self.workers } else { 0 }
    }

    /// How many candidates to hand in at a time: one for every worker, and one that it can go on with.
    pub fn most(&self) -> usize {
        if self.workers > 1 { 2 * self.workers } else { 1 }
    }

    /// Hands in a candidate.
    pub fn submit(&self, text: Vec<u8>) -> Ticket {
        let mut state = self.lock();
        let ticket = state.next;
        state.next += 1;
        state.waiting.push_back((ticket, text));
        self.news.notify_all();
        ticket
    }

    /// Whether a candidate holds.
    pub fn result(&self, ticket: Ticket) -> bool {
        let mut state = self.lock();
        loop {
            if let Some(holds) = state.results.remove(&ticket) {
                return holds;
            }
            if self.threads() == 0
                && let Some((_, text)) = state.waiting.pop_front()
            {
                drop(state);
                return self.check.holds(&text);
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Forgets every candidate handed in so far.
    pub fn forget(&self) {
        let mut state = self.lock();
        state.waiting.clear();
        state.results.clear();
        state.wanted = state.next;
    }

    /// Makes checks until there will be no more.
    pub fn work(&self) {
        let mut state = self.lock();
        loop {
            if let Some((ticket, text)) = state.waiting.pop_front() {
                drop(state);
                let mut verdict = Verdict { ahead: self, ticket, holds: false };
                verdict.holds = self.check.holds(&text);
                drop(verdict);
                state = self.lock();
            } else if state.closed {
                return;
            } else {
                state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}
