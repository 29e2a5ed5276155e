//! What the evaluator remembers, and when it forgets.
//!
//! The value of a closed term that several terms share is kept for good, that of an open one for as long as the
//! bindings it was evaluated under are in force, and that of a call under its arguments. What was found while open
//! points were filled on trial is kept apart: it holds for that trial only.

use super::machine::Step;
use super::{Evaluator, Filling, HAS_VARIABLE, NO_SLOT, Outcome, SHARED};
use crate::value::Value;
use smtlib::term::{DeclId, TermId};

impl Evaluator<'_> {
    /// Changes how open points are treated; forgets what depended on that.
    pub(super) fn refill(&mut self, filling: Filling) {
        if self.filling != filling {
            self.filling = filling;
            self.forget_unknown();
        }
    }

    /// Keeps only what is certain whatever the open points are. Call it before open points are first filled.
    pub(super) fn forget_unknown(&mut self) {
        let kept = std::mem::take(&mut self.kept);
        for &(term, _) in &kept {
            self.slots[term.0 as usize] = NO_SLOT;
        }
        // What was found while points were filled is not certain.
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

    /// Forgets everything found since points were filled.
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

    /// Gives the value of a call that is known; else sees to it that it will be.
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
