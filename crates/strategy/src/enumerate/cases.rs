//! `enumerate`: the formulas of a grammar as cases, block by block.
//!
//! Idea. Walk all formulas of a grammar, smallest first, and put each to every solver; when all blocks are done, a
//! bounded guarantee can be stated. A unit is a block of consecutive indices, so that blocks can be dealt to shards
//! and a run can go on after a kill.
//! Expectation: any; nothing is known about the answer.
//! Sound because: it claims nothing.
//! Cost: one descent to the block's first index, then well under a microsecond per formula.

use super::{Classes, Enumeration, Formula, Grammar, GrammarError, Layout, Symmetry, catalog};
use crate::{Bank, CampaignKey, Case, Expectation, Recipe, Skip, Strategy};
use dashu_int::UBig;
use std::sync::{Mutex, PoisonError};

/// How many indices a block covers.
pub const BLOCK: u64 = 32;

/// Which formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first index.
    pub from: UBig,
    /// How many indices; fewer if the language ends before.
    pub take: u64,
    /// Leave out formulas that equal an earlier one up to names of variables and commutativity.
    pub modulo_symmetry: bool,
}

/// The formulas of one grammar in a range.
pub struct Enumerate {
    /// The grammar's name, or the path and hash of its file.
    origin: String,
    variables: Option<usize>,
    grammar: Grammar,
    enumeration: Mutex<Enumeration>,
    pub range: Range,
}

/// What a block has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub cases: Vec<Case>,
    /// How many formulas were left out because an equivalent one comes earlier.
    pub skipped: u64,
    /// Whether the language ended in this block.
    pub ended: bool,
}

impl Enumerate {
    /// A grammar from anywhere; `origin` must name it for good.
    pub fn new(
        grammar: Grammar,
        origin: String,
        variables: Option<usize>,
        mut range: Range,
    ) -> Result<Enumerate, GrammarError> {
        let mut enumeration = Enumeration::new(&grammar, Layout::Lines)?;
        if let Some(largest) = enumeration.tree().largest.filter(|&size| size <= super::index::SIZE_LIMIT) {
            let total = enumeration.count_upto(largest)?;
            let left = if total > range.from { total - &range.from } else { UBig::ZERO };
            range.take = range.take.min(u64::try_from(left).unwrap_or(u64::MAX));
        }
        let enumeration = Mutex::new(enumeration);
        Ok(Enumerate { origin, variables, grammar, enumeration, range })
    }

    /// The key of a campaign over this range: everything that decides its cases, except how far it goes.
    pub fn key(&self) -> CampaignKey {
        let variables = self.variables.map_or(String::new(), |count| format!(" variables {count}"));
        let modulo = if self.range.modulo_symmetry { " modulo symmetry" } else { "" };
        CampaignKey(format!("{}{variables} from {}{modulo}", self.origin, self.range.from))
    }

    /// The enumeration that a key of an embedded grammar describes.
    pub fn recall(key: &str) -> Option<Enumerate> {
        let (head, modulo_symmetry) = match key.strip_suffix(" modulo symmetry") {
            Some(head) => (head, true),
            None => (key, false),
        };
        let (head, from) = head.rsplit_once(" from ")?;
        let (name, variables) = match head.split_once(" variables ") {
            Some((name, count)) => (name, Some(count.parse().ok()?)),
            None => (head, None),
        };
        let embedded = catalog::find(name)?;
        let classes = Classes::parse(embedded.classes).ok()?;
        let count = variables.unwrap_or(embedded.variables);
        let grammar = Grammar::parse_with(embedded.text, &classes, count).ok()?;
        let range = Range { from: from.parse().ok()?, take: u64::MAX, modulo_symmetry };
        Enumerate::new(grammar, embedded.name.to_owned(), variables, range).ok()
    }

    /// How many blocks the range has.
    pub fn blocks(&self) -> u64 {
        self.range.take.div_ceil(BLOCK)
    }

    /// How many indices a block has: the last one may be short.
    pub fn len_of(&self, number: u64) -> u64 {
        self.range.take.saturating_sub(number.saturating_mul(BLOCK)).min(BLOCK)
    }

    /// One block.
    pub fn block(&self, number: u64) -> Result<Block, GrammarError> {
        self.rest_of_block(number, 0)
    }

    /// One block without its first indices, which were done when the range ended there.
    pub fn rest_of_block(&self, number: u64, done: u64) -> Result<Block, GrammarError> {
        let take = self.len_of(number).saturating_sub(done);
        let first = &self.range.from + UBig::from(number.saturating_mul(BLOCK)) + UBig::from(done);
        let key = self.key();
        let mut enumeration = self.enumeration.lock().unwrap_or_else(PoisonError::into_inner);
        let mut symmetry =
            self.range.modulo_symmetry.then(|| Symmetry::of(&self.grammar, enumeration.tree()));
        let mut block = Block::default();
        let mut met = 0;
        let case = |step: u64, formula: &Formula<'_>| Case {
            script: format!("{}\n", formula.text).into_bytes(),
            expectation: Expectation::any(),
            recipe: Recipe {
                strategy: "enumerate".into(),
                seeds: vec![],
                key: key.0.clone(),
                unit: number,
                step: done + step,
                rules: vec![format!(
                    "{} formula {}, size {}",
                    self.origin,
                    &first + UBig::from(step),
                    formula.size
                )],
            },
        };
        // Skipped formulas count: a block covers indices, not survivors.
        let walked = enumeration.walk_span(&first, take, symmetry.as_mut(), |formula| {
            met = formula.number + formula.skipped;
            block.cases.push(case(met, &formula));
        })?;
        block.skipped = walked.skipped;
        block.ended = walked.ended;
        Ok(block)
    }

    /// The largest size all of whose formulas lie within the range, if it begins at 0, and how many those are.
    pub fn complete(&self, covered: u64) -> Result<Option<(usize, UBig)>, GrammarError> {
        if self.range.from != UBig::ZERO || covered == 0 {
            return Ok(None);
        }
        let mut enumeration = self.enumeration.lock().unwrap_or_else(PoisonError::into_inner);
        let (covered, mut best) = (UBig::from(covered), None);
        let largest = enumeration.tree().largest.unwrap_or(super::index::SIZE_LIMIT);
        for size in 0..=largest {
            let upto = enumeration.count_upto(size)?;
            if upto > covered {
                break;
            }
            if upto > UBig::ZERO && enumeration.count(size)? > UBig::ZERO {
                best = Some((size, upto.clone()));
            }
            if upto == covered {
                break;
            }
        }
        Ok(best)
    }
}

impl Strategy for Enumerate {
    fn name(&self) -> &'static str {
        "enumerate"
    }

    fn about(&self) -> &'static str {
        "all formulas of a grammar, smallest first"
    }

    fn unit_len(&self) -> u64 {
        BLOCK
    }

    fn propose(&self, _: &Bank, _: &CampaignKey, unit: u64) -> Result<Vec<Case>, Skip> {
        Ok(self.block(unit).map_err(|_| Skip::NoSeed("the grammar has no such formula"))?.cases)
    }
}
