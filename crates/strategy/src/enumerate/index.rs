//! Random access: index to derivation and back.
//!
//! In: an index of any size, or a derivation. Out: the other one. The idea is FEAT's (Duregård,
//! Jansson, Wang: *Feat: functional enumeration of algebraic types*): find the size class, then
//! subtract the counts of earlier alternatives, then split the rest of the index among the
//! children by division.
//!
//! The order inside a size class is the lexicographic order of the decisions left to right:
//! alternative; then for each child its size (ascending) and its content. The stream follows the
//! same order by stepping instead of dividing. When the size of a child is looked for, the search
//! runs from both ends at once, so a node costs products in proportion to its *smaller* child;
//! that keeps the whole descent at O(n log n) products in the worst case and makes formula number
//! 10^1700 a matter of milliseconds. Descent and ascent use explicit stacks: formulas may be deep.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem};

use super::count::{Estimate, Scaled, exact, fill};
use super::error::GrammarError;
use super::tree::{Factor, Tree};

/// The largest size for which counts are built: 10^1700 needs about 1500 even in the Core grammar.
pub const SIZE_LIMIT: usize = 6000;

/// One node of a derivation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// The rule.
    pub rule: u32,
    /// Which of its alternatives.
    pub alternative: u32,
    /// The size of the subtree.
    pub size: u32,
}

/// Exact counts up to some size.
#[derive(Debug, Clone)]
pub struct Counts {
    rows: Vec<Vec<UBig>>,
    /// `below[k]` = how many formulas are smaller than k.
    below: Vec<UBig>,
}

/// What remains to be decoded: a node, or an alternative's children from a slot on.
enum Task {
    Node { rule: usize, size: usize, index: UBig },
    Slots { rule: usize, alternative: usize, slot: usize, budget: usize, index: UBig },
}

impl Counts {
    /// Counts all sizes up to `upto`.
    pub fn upto(tree: &Tree, upto: usize) -> Result<Counts, GrammarError> {
        if upto > SIZE_LIMIT {
            return Err(GrammarError::TooLarge { limit: SIZE_LIMIT });
        }
        let rows = exact(&tree.plan, upto);
        let mut counts = Counts { rows, below: vec![UBig::ZERO] };
        for size in 0..=upto {
            let next = &counts.below[size] + counts.of_rule(tree, tree.start, size);
            counts.below.push(next);
        }
        Ok(counts)
    }

    /// The largest size counted.
    #[must_use]
    pub fn largest(&self) -> usize {
        self.below.len() - 2
    }

    /// How many formulas have this size, if counted.
    #[must_use]
    pub fn of_size(&self, size: usize) -> Option<UBig> {
        Some(self.below.get(size + 1)? - self.below.get(size)?)
    }

    /// How many formulas are smaller than this size, if counted.
    #[must_use]
    pub fn below(&self, size: usize) -> Option<&UBig> {
        self.below.get(size)
    }

    fn of_rule(&self, tree: &Tree, rule: usize, size: usize) -> UBig {
        let rule = &tree.rules[rule];
        match rule.series {
            Some(series) => self.rows[series][size].clone(),
            None if size == 0 => UBig::from(rule.alternatives.len()),
            None => UBig::ZERO,
        }
    }

    fn of_factor(&self, factor: Factor, size: usize) -> UBig {
        match factor.series {
            Some(series) if factor.scale == 1 => self.rows[series][size].clone(),
            Some(series) => &self.rows[series][size] * UBig::from(factor.scale),
            None if size == 0 => UBig::from(factor.scale),
            None => UBig::ZERO,
        }
    }

    fn of_alternative(&self, tree: &Tree, rule: usize, alternative: usize, size: usize) -> UBig {
        let alternative = &tree.rules[rule].alternatives[alternative];
        match size.checked_sub(alternative.cost()) {
            Some(budget) => self.of_factor(alternative.suffixes[0], budget),
            None => UBig::ZERO,
        }
    }

    /// The size class of an index and the index within it; `None` if it lies beyond the counts.
    #[must_use]
    pub fn locate(&self, index: &UBig) -> Option<(usize, UBig)> {
        let size = self.below.partition_point(|below| below <= index) - 1;
        (size + 1 < self.below.len()).then(|| (size, index - &self.below[size]))
    }

    /// The derivation with this index in its size class, in preorder. The index must be below
    /// the class's count.
    #[must_use]
    pub fn derivation(&self, tree: &Tree, size: usize, index: UBig) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut open = vec![Task::Node { rule: tree.start, size, index }];
        while let Some(task) = open.pop() {
            match task {
                Task::Node { rule, size, index } => {
                    let (alternative, index) = self.choose_alternative(tree, rule, size, index);
                    steps.push(Step {
                        rule: rule as u32,
                        alternative: alternative as u32,
                        size: size as u32,
                    });
                    let cost = tree.rules[rule].alternatives[alternative].cost();
                    open.push(Task::Slots { rule, alternative, slot: 0, budget: size - cost, index });
                }
                Task::Slots { rule, alternative, slot, budget, index } => {
                    let Some(&child) = tree.rules[rule].alternatives[alternative].children.get(slot) else {
                        continue;
                    };
                    let factors = &tree.rules[rule].alternatives[alternative].suffixes[slot..];
                    let (size, index) = self.choose_size(tree, child, factors, budget, index);
                    let rest = self.of_factor(factors[1], budget - size);
                    let (own, index) = index.div_rem(&rest);
                    open.push(Task::Slots {
                        rule,
                        alternative,
                        slot: slot + 1,
                        budget: budget - size,
                        index,
                    });
                    open.push(Task::Node { rule: child, size, index: own });
                }
            }
        }
        steps
    }

    fn choose_alternative(&self, tree: &Tree, rule: usize, size: usize, mut index: UBig) -> (usize, UBig) {
        for alternative in 0..tree.rules[rule].alternatives.len() {
            let count = self.of_alternative(tree, rule, alternative, size);
            if index < count {
                return (alternative, index);
            }
            index -= count;
        }
        unreachable!("an index below a rule's count lies in one of its alternatives")
    }

    /// The child's size, found from both ends, and the index among the derivations of that size.
    fn choose_size(
        &self,
        tree: &Tree,
        child: usize,
        factors: &[Factor],
        budget: usize,
        index: UBig,
    ) -> (usize, UBig) {
        let Some(series) = tree.rules[child].series else { return (0, index) };
        if factors[1].series.is_none() {
            return (budget, index);
        }
        let split = |size: usize| &self.rows[series][size] * self.of_factor(factors[1], budget - size);
        let (mut low, mut high) = (tree.plan.least[series], budget - tree.plan.least_of(factors[1]));
        let mut after = self.of_factor(factors[0], budget) - &index;
        let mut before = index;
        loop {
            let count = split(low);
            if before < count {
                return (low, before);
            }
            before -= count;
            low += 1;
            let count = split(high);
            if after <= count {
                return (high, count - after);
            }
            after -= count;
            high -= 1;
        }
    }

    /// The index of a derivation within its size class.
    pub fn rank(&self, tree: &Tree, steps: &[Step]) -> Result<UBig, GrammarError> {
        let known = steps
            .first()
            .is_some_and(|root| root.rule as usize == tree.start && (root.size as usize) <= self.largest());
        if !known {
            return Err(GrammarError::ForeignDerivation);
        }
        // Right to left: when a node is reached, its children's ranks are on the stack, the first child's on top.
        let mut ranks: Vec<(Step, UBig)> = Vec::new();
        for step in steps.iter().rev() {
            let rank = self.rank_node(tree, step, &mut ranks).ok_or(GrammarError::ForeignDerivation)?;
            ranks.push((*step, rank));
        }
        match <[(Step, UBig); 1]>::try_from(ranks) {
            Ok([(_, rank)]) => Ok(rank),
            Err(_) => Err(GrammarError::ForeignDerivation),
        }
    }

    fn rank_node(&self, tree: &Tree, step: &Step, ranks: &mut Vec<(Step, UBig)>) -> Option<UBig> {
        let rule = tree.rules.get(step.rule as usize)?;
        let alternative = rule.alternatives.get(step.alternative as usize)?;
        let size = step.size as usize;
        let first = ranks.len().checked_sub(alternative.children.len())?;
        let mut children = ranks.split_off(first);
        children.reverse();
        let mut left = size.checked_sub(alternative.cost())?;
        let mut rank = UBig::ZERO;
        for earlier in 0..step.alternative as usize {
            rank += self.of_alternative(tree, step.rule as usize, earlier, size);
        }
        for (slot, (child, own)) in children.into_iter().enumerate() {
            if child.rule as usize != alternative.children[slot] {
                return None;
            }
            let factors = &alternative.suffixes[slot..];
            rank += self.smaller_splits(tree, &child, factors, left)?;
            left = left.checked_sub(child.size as usize)?;
            rank += own * self.of_factor(factors[1], left);
        }
        (left == 0).then_some(rank)
    }

    /// How many derivations give the child a smaller size, summed from the nearer end.
    fn smaller_splits(&self, tree: &Tree, child: &Step, factors: &[Factor], budget: usize) -> Option<UBig> {
        let Some(series) = tree.rules[child.rule as usize].series else { return Some(UBig::ZERO) };
        if factors[1].series.is_none() {
            return Some(UBig::ZERO);
        }
        let size = child.size as usize;
        let split = |size: usize| &self.rows[series][size] * self.of_factor(factors[1], budget - size);
        let (low, high) = (tree.plan.least[series], budget.checked_sub(tree.plan.least_of(factors[1]))?);
        if size < low || size > high {
            return None;
        }
        if size - low <= high - size {
            return Some((low..size).map(split).sum());
        }
        let from: UBig = (size..=high).map(split).sum();
        Some(self.of_factor(factors[0], budget) - from)
    }
}

/// The smallest size whose class surely lies beyond the index, by estimate.
pub fn size_for_index(tree: &Tree, index: &UBig) -> Result<usize, GrammarError> {
    let Some(series) = tree.rules[tree.start].series else { return Ok(0) };
    let bits = index.bit_len();
    let limit = tree.largest.map_or(SIZE_LIMIT, |largest| largest.min(SIZE_LIMIT));
    let mut upto = 32.min(limit);
    loop {
        let rows = fill(&tree.plan, &Estimate, upto);
        let mut total = Scaled::ZERO;
        for (size, &count) in rows[series].iter().enumerate() {
            total = total.plus(count);
            if total.surely_exceeds(bits) {
                return Ok(size);
            }
        }
        if upto == limit {
            return if tree.largest == Some(limit) {
                Ok(limit)
            } else {
                Err(GrammarError::TooLarge { limit })
            };
        }
        upto = (upto * 2).min(limit);
    }
}
