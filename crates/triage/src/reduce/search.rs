//! The search: which edits can be made together while the check still holds.
//!
//! A pass proposes edits of one snapshot; `Search::minimise` makes as many of them as it can, large groups first.
//! Several workers try candidates ahead of time (`ahead`), but results are taken in order, so the result and the number
//! of checks do not depend on the number of workers. No text is checked twice, not even in another spelling, a text that is not
//! smaller than the best is never checked at all, and every text checked is well-typed.

use super::ahead::{Ahead, Ticket};
use super::edit::Edit;
use super::pass::names;
use super::snapshot::{Dialect, Snapshot};
use super::{Improvement, Options};
use std::cell::{Cell, RefCell};
use std::collections::{HashSet, VecDeque};

/// How large the first groups of edits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    /// All at once, then halves, and so on down to one: for texts of which most can be removed.
    Halving,
    /// The same without the first step: for edits of which some certainly fail.
    Halves,
    /// One at a time: for texts of which most is needed.
    Single,
}

/// A candidate without what makes no difference to its check, hashed.
type Key = [u8; 16];

/// A candidate that was handed in to be checked.
struct Begun {
    nth: usize,
    text: Vec<u8>,
    key: Key,
    ticket: Ticket,
}

pub struct Search<'a> {
    ahead: &'a Ahead<'a>,
    options: &'a Options<'a>,
    dialect: Dialect,
    /// Whether unused declarations are removed from every candidate.
    tidy: bool,
    best: Vec<u8>,
    /// Whether texts that differ only in spelling are distinguished.
    spellings: bool,
    /// On a detour: the best here may be larger than the best that was reported.
    away: bool,
    failed: RefCell<HashSet<Key>>,
    checks: Cell<u64>,
    started: std::time::Instant,
}

impl<'a> Search<'a> {
    pub fn new(ahead: &'a Ahead<'a>, options: &'a Options<'a>, input: &Snapshot) -> Search<'a> {
        Search {
            ahead,
            options,
            dialect: Dialect::of(&input.script),
            tidy: false,
            best: input.text.clone(),
            spellings: false,
            away: false,
            failed: RefCell::default(),
            checks: Cell::new(0),
            started: std::time::Instant::now(),
        }
    }

    pub fn best(&self) -> &[u8] {
        &self.best
    }

    pub fn checks(&self) -> u64 {
        self.checks.get()
    }

    pub fn is_stopped(&self) -> bool {
        (self.options.stop)()
    }

    /// The best text, ready to be edited.
    pub fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::read(&self.best)
    }

    /// Continues from another text that holds, even if it is larger. Nothing is reported until the detour has found a
    /// smaller text.
    pub fn detour_from(&mut self, text: Vec<u8>) {
        self.best = text;
        self.away = true;
    }

    /// Ends a detour: its result is kept only if it is smaller than the text where it began.
    pub fn come_home(&mut self, home: Vec<u8>) {
        self.away = false;
        if (self.best.len(), &self.best) < (home.len(), &home) {
            self.accept(self.best.clone());
        } else {
            self.best = home;
        }
    }

    /// Whether the input holds in canonical spelling and without unused declarations: nearly always, and one check
    /// instead of three. That spelling may be longer, so the input must be preferred to it in the end (`prefer`).
    pub fn begins_tidy(&mut self, input: &[u8]) -> bool {
        let Some(tidied) = Snapshot::read_canonical(input).and_then(Snapshot::without_unused) else {
            return false;
        };
        if !self.dialect.allows(&tidied.script) || !self.holds(&tidied) {
            return false;
        }
        self.tidy = true;
        self.accept(tidied.text);
        true
    }

    /// Returns to the input if nothing smaller was found.
    pub fn prefer(&mut self, input: &Snapshot) {
        if input.text.len() < self.best.len() && self.holds(input) {
            self.accept(input.text.clone());
        }
    }

    /// Removes unused declarations, from now on in every candidate, if the check allows it.
    pub fn tidy_up(&mut self) {
        let Some(tidied) = self.snapshot().and_then(Snapshot::without_unused) else { return };
        if tidied.text == self.best {
            self.tidy = true;
        } else if self.holds(&tidied) {
            self.tidy = true;
            self.accept(tidied.text);
        }
    }

    /// Tries texts that differ only in spelling, which otherwise count as the same.
    pub fn spelled<T>(&mut self, attempt: impl FnOnce(&mut Search<'a>) -> T) -> T {
        self.spellings = true;
        let result = attempt(self);
        self.spellings = false;
        result
    }

    /// Accepts a text if it is smaller and holds.
    pub fn offer(&mut self, text: &[u8]) -> bool {
        match self.prepare(text) {
            Some(candidate) if self.holds(&candidate) => {
                self.accept(candidate.text);
                true
            }
            _ => false,
        }
    }

    /// Whether a text holds, whatever its size; returns its tidy form.
    pub fn holds_at_any_size(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        let snapshot = Snapshot::read(text)?;
        let snapshot = if self.tidy { snapshot.without_unused()? } else { snapshot };
        (self.dialect.allows(&snapshot.script) && self.holds(&snapshot)).then_some(snapshot.text)
    }

    /// Makes as many of the edits of the best text as hold. Returns whether any did.
    pub fn minimise(&mut self, edits: &[Edit], groups: Groups) -> bool {
        if edits.is_empty() || self.is_stopped() {
            return false;
        }
        let base = self.best.clone();
        let mut made: Vec<usize> = vec![];
        let mut left: Vec<usize> = (0..edits.len()).collect();
        // Of three or fewer, trying them together costs more than it saves.
        let mut size = match groups {
            Groups::Halving if edits.len() > 3 => edits.len(),
            Groups::Halves if edits.len() > 3 => edits.len().div_ceil(2),
            _ => 1,
        };
        loop {
            self.round(&base, edits, &mut made, &mut left, size);
            if size == 1 || left.is_empty() || self.is_stopped() {
                return !made.is_empty();
            }
            size = size.min(left.len()).div_ceil(2);
        }
    }

    /// Tries every group of one size once.
    fn round(
        &mut self,
        base: &[u8],
        edits: &[Edit],
        made: &mut Vec<usize>,
        left: &mut Vec<usize>,
        size: usize,
    ) {
        let mut groups: Vec<Vec<usize>> = left.chunks(size).map(<[usize]>::to_vec).collect();
        // Later parts of a script depend on earlier ones more often than the other way round.
        if size > 1 {
            groups.reverse();
        }
        let mut from = 0;
        while from < groups.len() && !self.is_stopped() {
            let candidate = |n: usize| {
                let together = made.iter().chain(&groups[from + n]).map(|&e| &edits[e]);
                let chosen = Edit::compatible(together);
                self.prepare(&Edit::apply(base, &chosen))
            };
            match self.first_that_holds(groups.len() - from, candidate) {
                None => return,
                Some((n, text)) => {
                    made.extend(&groups[from + n]);
                    left.retain(|e| !groups[from + n].contains(e));
                    self.accept(text);
                    from += n + 1;
                }
            }
        }
    }

    /// The first of `count` candidates, in order, that holds. Those behind it may be checked ahead of time, for nothing.
    fn first_that_holds(
        &self,
        count: usize,
        candidate: impl Fn(usize) -> Option<Snapshot>,
    ) -> Option<(usize, Vec<u8>)> {
        let mut next = 0..count;
        let mut begun: VecDeque<Begun> = VecDeque::new();
        loop {
            while begun.len() < self.ahead.most() && !self.is_stopped() {
                let Some(nth) = next.next() else { break };
                let Some(snapshot) = candidate(nth) else { continue };
                let key = self.key(&snapshot);
                // If an equal one before it fails, it is not tried; if that one holds, it is not reached.
                if !self.has_failed(&key) && begun.iter().all(|other| other.key != key) {
                    let ticket = self.ahead.submit(snapshot.text.clone());
                    begun.push_back(Begun { nth, text: snapshot.text, key, ticket });
                }
            }
            let Begun { nth, text, key, ticket } = begun.pop_front()?;
            if self.count(key, self.ahead.result(ticket)) {
                self.ahead.forget();
                return Some((nth, text));
            }
        }
    }

    /// A candidate as it would be stored; `None` if it is ill-typed, leaves the dialect or is not smaller.
    fn prepare(&self, text: &[u8]) -> Option<Snapshot> {
        let snapshot = Snapshot::read(text)?;
        let snapshot = if self.tidy { snapshot.without_unused()? } else { snapshot };
        let smaller = (snapshot.text.len(), &snapshot.text) < (self.best.len(), &self.best);
        (smaller && self.dialect.allows(&snapshot.script)).then_some(snapshot)
    }

    fn holds(&self, candidate: &Snapshot) -> bool {
        let key = self.key(candidate);
        !self.has_failed(&key) && {
            let ticket = self.ahead.submit(candidate.text.clone());
            self.count(key, self.ahead.result(ticket))
        }
    }

    /// What equal candidates have in common.
    fn key(&self, candidate: &Snapshot) -> Key {
        let shape = if self.spellings { candidate.text.clone() } else { names::shape(candidate) };
        let mut key = [0; 16];
        key.copy_from_slice(&blake3::hash(&shape).as_bytes()[..16]);
        key
    }

    fn has_failed(&self, key: &Key) -> bool {
        self.failed.borrow().contains(key)
    }

    /// Takes note of the result of a check.
    fn count(&self, key: Key, holds: bool) -> bool {
        self.checks.set(self.checks.get() + 1);
        if !holds && !self.is_stopped() {
            self.failed.borrow_mut().insert(key);
        }
        holds
    }

    fn accept(&mut self, text: Vec<u8>) {
        self.best = text;
        if self.away {
            return;
        }
        let seconds = self.started.elapsed().as_secs_f64();
        (self.options.improved)(&Improvement { text: &self.best, checks: self.checks(), seconds });
    }
}
