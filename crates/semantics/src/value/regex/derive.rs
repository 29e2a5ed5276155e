//! Derivatives, and membership by folding them over a word.
//!
//! The derivative of a language by a character c is the language of the words that may follow c (Brzozowski 1964). A
//! word is a member if the language left after its last character contains the empty word. Derivatives are cached per
//! (node, character) and computed with an explicit stack, because expressions can be deep. A loop is reduced by one
//! iteration at a time and is never unrolled.

use super::Regex;
use super::pool::{ALL, EPSILON, Id, NONE, Node, RegexPool, StepLimit};
use crate::value::text::{MAX_CHAR, Text};
use rustc_hash::FxHashSet;

impl RegexPool {
    /// `str.in_re`.
    pub fn accepts(&mut self, regex: &Regex, word: &Text) -> Result<bool, StepLimit> {
        self.begin();
        let mut state = self.import(regex)?;
        for &c in word.codes() {
            if state == NONE || state == ALL {
                break;
            }
            state = self.derive(state, c)?;
        }
        Ok(self.nullable(state))
    }

    /// The language of the words that may follow `c` (z3's `re.derivative`). It is empty if the number is not a
    /// character.
    pub fn derivative(&mut self, regex: &Regex, c: u32) -> Result<Regex, StepLimit> {
        self.begin();
        if c > MAX_CHAR {
            return Ok(Regex::none());
        }
        let id = self.import(regex)?;
        let id = self.derive(id, c)?;
        self.export(id)
    }

    pub(super) fn derive(&mut self, id: Id, c: u32) -> Result<Id, StepLimit> {
        self.charge(1)?;
        if let Some(known) = self.known(id, c) {
            return Ok(known);
        }
        let mut pending = vec![id];
        let mut needed = Vec::new();
        while let Some(&top) = pending.last() {
            if self.known(top, c).is_some() {
                pending.pop();
                continue;
            }
            needed.clear();
            self.needs(top, &mut needed);
            self.charge(1 + needed.len())?;
            let before = pending.len();
            pending.extend(needed.iter().filter(|&&kid| self.known(kid, c).is_none()));
            if pending.len() == before {
                let derivative = self.combine(top, c);
                self.derivatives.insert((top, c), derivative);
                pending.pop();
            }
        }
        Ok(self.after(id, c))
    }

    /// The derivative, if it is cached.
    fn known(&self, id: Id, c: u32) -> Option<Id> {
        match self.node(id) {
            _ if id == ALL => Some(ALL),
            Node::None | Node::Epsilon => Some(NONE),
            Node::Class(ranges) => Some(if RegexPool::in_class(ranges, c) { EPSILON } else { NONE }),
            _ => self.derivatives.get(&(id, c)).copied(),
        }
    }

    fn after(&self, id: Id, c: u32) -> Id {
        match self.known(id, c) {
            Some(derivative) => derivative,
            None => unreachable!("operands are derived before the node that needs them"),
        }
    }

    /// The nodes whose derivatives are needed for that of `id`.
    fn needs(&self, id: Id, out: &mut Vec<Id>) {
        match self.node(id) {
            Node::None | Node::Epsilon | Node::Class(_) => {}
            Node::Concat(..) => self.chain(id, |head, _| out.push(head)),
            Node::Union(kids) | Node::Inter(kids) => out.extend_from_slice(kids),
            Node::Star(r) | Node::Loop(r, ..) | Node::Comp(r) => out.push(*r),
        }
    }

    /// The parts of a concatenation that can read the first character, each with its continuation: the leading
    /// nullable ones and the one after.
    fn chain(&self, id: Id, mut visit: impl FnMut(Id, Id)) {
        let mut rest = id;
        loop {
            let Node::Concat(head, tail) = *self.node(rest) else {
                return visit(rest, EPSILON);
            };
            visit(head, tail);
            if !self.nullable(head) {
                return;
            }
            rest = tail;
        }
    }

    fn combine(&mut self, id: Id, c: u32) -> Id {
        match *self.node(id) {
            Node::None | Node::Epsilon | Node::Class(_) => self.after(id, c),
            Node::Concat(..) => {
                let mut parts = Vec::new();
                self.chain(id, |head, tail| parts.push((head, tail)));
                let mut out = Vec::with_capacity(parts.len());
                for (head, tail) in parts {
                    let first = self.after(head, c);
                    out.push(self.concat(first, tail));
                }
                self.union(out)
            }
            Node::Union(ref kids) => {
                let out = kids.iter().map(|&kid| self.after(kid, c)).collect();
                self.union(out)
            }
            Node::Inter(ref kids) => {
                let out = kids.iter().map(|&kid| self.after(kid, c)).collect();
                self.inter(out)
            }
            Node::Star(r) => {
                let first = self.after(r, c);
                self.concat(first, id)
            }
            Node::Loop(r, lo, hi) => {
                let first = self.after(r, c);
                let rest = self.repeat(r, lo.saturating_sub(1), hi - 1);
                self.concat(first, rest)
            }
            Node::Comp(r) => {
                let inner = self.after(r, c);
                self.comp(inner)
            }
        }
    }

    /// One character for each way in which the given nodes can begin. Characters that the nodes do not distinguish
    /// have the same derivative, so a search has to try only these. Letters and digits are preferred, so that the
    /// words found are readable.
    pub(super) fn representatives(&mut self, roots: &[Id]) -> Result<Vec<u32>, StepLimit> {
        let mut seen: FxHashSet<Id> = roots.iter().copied().collect();
        let mut pending = roots.to_vec();
        let mut classes = Vec::new();
        let mut needed = Vec::new();
        while let Some(id) = pending.pop() {
            if matches!(self.node(id), Node::Class(_)) {
                classes.push(id);
            }
            needed.clear();
            self.needs(id, &mut needed);
            self.charge(1 + needed.len())?;
            pending.extend(needed.iter().filter(|&&kid| seen.insert(kid)));
        }
        classes.sort_unstable();
        classes.dedup();
        self.split(&classes)
    }

    /// One character for each combination of classes that some character is in.
    pub(super) fn split(&mut self, classes: &[Id]) -> Result<Vec<u32>, StepLimit> {
        let mut cuts = vec![0];
        for &id in classes {
            for &(lo, hi) in self.ranges(id) {
                cuts.extend([lo, hi + 1]);
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts.retain(|&cut| cut <= MAX_CHAR);
        // With few classes, intervals that are in the same classes are one choice.
        let few = classes.len() <= 64;
        self.charge(cuts.len() * if few { classes.len() } else { 1 })?;
        let mut choices = Vec::with_capacity(cuts.len());
        for (i, &lo) in cuts.iter().enumerate() {
            let hi = cuts.get(i + 1).map_or(MAX_CHAR, |next| next - 1);
            let within = |&id: &Id| RegexPool::in_class(self.ranges(id), lo);
            let mask =
                classes.iter().filter(|_| few).fold(0u64, |mask, id| mask << 1 | u64::from(within(id)));
            let group = if few { (mask, 0) } else { (0, lo) };
            choices.push((group, nicest(lo, hi)));
        }
        choices.sort_unstable();
        choices.dedup_by_key(|&mut (group, _)| group);
        let mut out: Vec<u32> = choices.into_iter().map(|(_, (_, c))| c).collect();
        out.sort_unstable();
        Ok(out)
    }
}

/// The most readable character of a range, with its rank.
fn nicest(lo: u32, hi: u32) -> (usize, u32) {
    let tastes = [('a', 'z'), ('A', 'Z'), ('0', '9'), (' ', '~')];
    for (rank, &(from, to)) in tastes.iter().enumerate() {
        let c = lo.max(u32::from(from));
        if c <= hi.min(u32::from(to)) {
            return (rank, c);
        }
    }
    (tastes.len(), lo)
}
