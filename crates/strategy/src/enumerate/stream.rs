//! Streams formulas in order, fast.
//!
//! In: a compiled grammar and a first derivation. Out: one formula after the other, in the order of [`super::index`],
//! as text in a buffer that is reused. Stepping works like an odometer over the derivation in preorder: the last node
//! that can move to its next choice moves, everything behind it is rebuilt with first choices, and the text in front
//! of it is kept. There is no big integer, no allocation and no decoding per formula. The stream only needs to know
//! *which* counts are above zero. Must never leave the order or skip a formula.

use super::count::{Possible, fill};
use super::error::GrammarError;
use super::index::{SIZE_LIMIT, Step};
use super::tree::{Alternative, Factor, Tree};

/// The position of a node in the derivation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) rule: u32,
    pub(super) alternative: u32,
    pub(super) size: u32,
    /// Frame number of the parent (the root is its own).
    pub(super) parent: u32,
    /// Which child of the parent.
    pub(super) slot: u32,
    /// The size that this child and its later siblings share.
    budget: u32,
    /// Where its text begins.
    text: u32,
}

/// A position in the enumeration.
#[derive(Debug)]
pub struct Stream<'t> {
    tree: &'t Tree,
    possible: Vec<Vec<bool>>,
    frames: Vec<Frame>,
    text: String,
    done: bool,
}

impl<'t> Stream<'t> {
    /// Starts at the first formula.
    pub fn new(tree: &'t Tree) -> Result<Stream<'t>, GrammarError> {
        let mut stream =
            Stream { tree, possible: Vec::new(), frames: Vec::new(), text: String::new(), done: false };
        stream.done = !stream.enter_size(0)?;
        Ok(stream)
    }

    /// Starts at a derivation of this grammar.
    pub fn at(tree: &'t Tree, steps: &[Step]) -> Result<Stream<'t>, GrammarError> {
        let root = steps.first().ok_or(GrammarError::ForeignDerivation)?;
        let mut stream =
            Stream { tree, possible: Vec::new(), frames: Vec::new(), text: String::new(), done: false };
        stream.learn(root.size as usize)?;
        let mut rest = steps.iter();
        stream.open_root(0);
        while let Some(frame) = stream.frames.last_mut() {
            let step = rest.next().ok_or(GrammarError::ForeignDerivation)?;
            let known = tree.rules[frame.rule as usize].alternatives.len();
            if step.rule != frame.rule || step.alternative as usize >= known {
                return Err(GrammarError::ForeignDerivation);
            }
            (frame.alternative, frame.size) = (step.alternative, step.size);
            if !stream.descend() {
                break;
            }
        }
        rest.next().map_or(Ok(stream), |_| Err(GrammarError::ForeignDerivation))
    }

    /// The current formula's text; `None` past the end of a finite language.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        (!self.done).then_some(self.text.as_str())
    }

    /// The current formula's size.
    #[must_use]
    pub fn size(&self) -> usize {
        self.frames.first().map_or(0, |root| root.size as usize)
    }

    /// The current derivation.
    #[must_use]
    pub fn derivation(&self) -> Vec<Step> {
        let step =
            |frame: &Frame| Step { rule: frame.rule, alternative: frame.alternative, size: frame.size };
        self.frames.iter().map(step).collect()
    }

    pub(super) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Moves to the next formula. Past the last one, [`Stream::text`] is `None`.
    pub fn advance(&mut self) -> Result<(), GrammarError> {
        if self.done {
            return Ok(());
        }
        let size = self.size();
        while let Some(mut frame) = self.frames.pop() {
            if let Some(alternative) = self.next_alternative(frame.rule, frame.size, frame.alternative + 1) {
                frame.alternative = alternative;
            } else if let Some(size) = self.next_size(&frame, frame.size + 1) {
                frame.size = size;
                frame.alternative = self.first_alternative(frame.rule, size);
            } else {
                continue;
            }
            self.text.truncate(frame.text as usize);
            self.frames.push(frame);
            self.complete();
            return Ok(());
        }
        self.done = !self.enter_size(size + 1)?;
        Ok(())
    }

    /// Enters the first non-empty size class from `size` on; false if there is none.
    fn enter_size(&mut self, size: usize) -> Result<bool, GrammarError> {
        let end = self.tree.largest.unwrap_or(usize::MAX);
        let rule = self.tree.start as u32;
        for size in size..=end {
            self.learn(size)?;
            if let Some(alternative) = self.next_alternative(rule, size as u32, 0) {
                self.open_root(size as u32);
                self.frames[0].alternative = alternative;
                self.complete();
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn open_root(&mut self, size: u32) {
        self.text.clear();
        self.frames.clear();
        let rule = self.tree.start as u32;
        self.frames.push(Frame { rule, alternative: 0, size, parent: 0, slot: 0, budget: size, text: 0 });
    }

    /// Finds out which counts are above zero up to `size`.
    fn learn(&mut self, size: usize) -> Result<(), GrammarError> {
        if size > SIZE_LIMIT {
            return Err(GrammarError::TooLarge { limit: SIZE_LIMIT });
        }
        let known = self.possible.first().map_or(0, Vec::len);
        if known <= size {
            self.possible = fill(&self.tree.plan, &Possible, (size + size / 2).max(16));
        }
        Ok(())
    }

    fn alternative(&self, frame: &Frame) -> &'t Alternative {
        &self.tree.rules[frame.rule as usize].alternatives[frame.alternative as usize]
    }

    fn can(&self, factor: Factor, budget: u32) -> bool {
        match factor.series {
            Some(series) => self.possible[series][budget as usize],
            None => budget == 0,
        }
    }

    fn next_alternative(&self, rule: u32, size: u32, from: u32) -> Option<u32> {
        let alternatives = &self.tree.rules[rule as usize].alternatives;
        (from..alternatives.len() as u32).find(|&number| {
            let alternative = &alternatives[number as usize];
            let budget = size.checked_sub(alternative.cost() as u32);
            budget.is_some_and(|budget| self.can(alternative.suffixes[0], budget))
        })
    }

    fn first_alternative(&self, rule: u32, size: u32) -> u32 {
        match self.next_alternative(rule, size, 0) {
            Some(alternative) => alternative,
            None => unreachable!("a size is chosen only if the rule has derivations of that size"),
        }
    }

    /// The next size for a child, from `from` on, that its later siblings can complete.
    fn next_size(&self, frame: &Frame, from: u32) -> Option<u32> {
        if self.frames.is_empty() {
            return None;
        }
        let series = self.tree.rules[frame.rule as usize].series?;
        let parent = self.alternative(&self.frames[frame.parent as usize]);
        let rest = parent.suffixes[frame.slot as usize + 1];
        if rest.series.is_none() {
            return (from <= frame.budget).then_some(frame.budget);
        }
        (from..=frame.budget)
            .find(|&size| self.possible[series][size as usize] && self.can(rest, frame.budget - size))
    }

    /// Fills in first choices behind the last frame.
    fn complete(&mut self) {
        while self.descend() {
            let last = self.frames.len() - 1;
            let mut frame = self.frames[last];
            frame.size = match self.tree.rules[frame.rule as usize].series {
                None => 0,
                Some(_) => match self.next_size(&frame, 0) {
                    Some(size) => size,
                    None => unreachable!("an alternative is chosen only if its budget can be spent"),
                },
            };
            frame.alternative = self.first_alternative(frame.rule, frame.size);
            self.frames[last] = frame;
        }
    }

    /// Writes the last frame's text up to the next undecided node and opens that; false if there
    /// is none and the formula is complete.
    fn descend(&mut self) -> bool {
        let mut number = self.frames.len() - 1;
        let mut frame = self.frames[number];
        let mut alternative = self.alternative(&frame);
        let mut slot = 0;
        let mut budget = frame.size - alternative.cost() as u32;
        loop {
            self.text.push_str(&alternative.pieces[slot]);
            if let Some(&rule) = alternative.children.get(slot) {
                let (text, parent) = (self.text.len() as u32, number as u32);
                let slot = slot as u32;
                self.frames.push(Frame {
                    rule: rule as u32,
                    alternative: 0,
                    size: 0,
                    parent,
                    slot,
                    budget,
                    text,
                });
                return true;
            }
            if number == 0 {
                return false;
            }
            slot = frame.slot as usize + 1;
            budget = frame.budget - frame.size;
            number = frame.parent as usize;
            frame = self.frames[number];
            alternative = self.alternative(&frame);
        }
    }
}
