//! The caches of the evaluator, and when their entries are dropped.
//!
//! The value of a closed term that several terms share is kept permanently, that of an open term as long as its
//! bindings are in force, and that of a call under its arguments. Values found while open points were filled in on
//! trial are kept separately, because they hold for that trial only.

use super::machine::Step;
use super::{Evaluator, Filling, HAS_VARIABLE, NO_SLOT, Outcome, SHARED};
use crate::value::Value;
use smtlib::term::{DeclId, TermId};

impl Evaluator<'_> {
    /// Changes how open points are treated, and drops the values that depended on it.
    pub(super) fn refill(&mut self, filling: Filling) {
        if self.filling != filling {
            self.filling = filling;
            self.forget_unknown();
        }
    }

    /// Keeps only the values that do not depend on open points. Must be called before open points are first filled in.
    pub(super) fn forget_unknown(&mut self) {
        let kept = std::mem::take(&mut self.kept);
        for &(term, _) in &kept {
            self.slots[term.0 as usize] = NO_SLOT;
        }
        // Values found while points were filled in are not certain.
        let certain = if self.in_trial { self.trial_floor } else { kept.len() };
        for (term, outcome) in kept.into_iter().take(certain) {
            if outcome.is_ok() {
                self.slots[term.0 as usize] = self.kept.len() as u32;
                self.kept.push((term, outcome));
            }
        }
        self.calls.retain(|_, outcome| outcome.is_ok());
        self.trial_calls.clear();
        self.in_trial = self.filling != Filling::None;
        self.trial_floor = self.kept.len();
    }

    /// Drops everything found since points were filled in.
    pub(super) fn new_trial(&mut self) {
        for (term, _) in self.kept.drain(self.trial_floor..) {
            self.slots[term.0 as usize] = NO_SLOT;
        }
        self.trial_calls.clear();
    }

    pub(super) fn remember(&mut self, term: TermId) {
        let Some(outcome) = self.values.last().cloned() else { return };
        if self.facts[term.0 as usize] & HAS_VARIABLE == 0 {
            self.slots[term.0 as usize] = self.kept.len() as u32;
            self.kept.push((term, outcome));
        } else if let Some(frame) = self.frames.last_mut() {
            frame.insert(term, outcome);
        }
    }

    #[inline]
    pub(super) fn remembered(&self, term: TermId) -> Option<&Outcome> {
        let facts = self.facts[term.0 as usize];
        if facts & HAS_VARIABLE == 0 {
            let slot = self.slots[term.0 as usize];
            return self.kept.get(slot as usize).map(|(_, outcome)| outcome);
        }
        if facts & SHARED == 0 { None } else { self.frames.last()?.get(&term) }
    }

    pub(super) fn remember_call(&mut self) {
        let Some(key) = self.returns.pop() else { return };
        let Some(outcome) = self.values.last().cloned() else { return };
        let calls = if self.in_trial { &mut self.trial_calls } else { &mut self.calls };
        calls.insert(key, outcome);
    }

    /// Pushes the value of a call if it is cached; otherwise arranges that it will be cached.
    pub(super) fn answer_from_memory(&mut self, decl: DeclId, args: &[Outcome]) -> bool {
        if args.is_empty() || args.iter().any(Result::is_err) {
            return false;
        }
        let key: Box<[Value]> = args.iter().flatten().cloned().collect();
        let key = (decl, key);
        let known = self.calls.get(&key).or_else(|| self.trial_calls.get(&key));
        if let Some(outcome) = known {
            let outcome = outcome.clone();
            self.values.push(outcome);
            return true;
        }
        self.returns.push(key);
        self.steps.push(Step::Return);
        false
    }
}
