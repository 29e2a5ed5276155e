//! `enumerate`: the formulas of a grammar as cases, block by block.
//!
//! Idea. Walk all formulas of a grammar, smallest first, and ask every solver about each. When all blocks are done, a
//! bounded guarantee can be stated. A unit is a block of consecutive indices, so that blocks can be divided among
//! shards and a run can be resumed after a kill.
//! Expectation: any; nothing is known about the answer.
//! Sound because: it claims nothing.
//! Cost: one descent to the block's first index, then well under a microsecond per formula.

use super::{Classes, Enumeration, Formula, Grammar, GrammarError, Layout, Symmetry, catalog};
use crate::{CampaignKey, Draft, Plain, Propose, Rng, Settings, Skip, Strategy};
use dashu_int::UBig;
use std::sync::{Mutex, OnceLock, PoisonError};

pub const STRATEGY: Strategy = Strategy {
    name: "enumerate",
    about: "the formulas of a grammar, smallest first",
    source: include_str!("cases.rs"),
    begin: |_, settings| {
        if settings.grammar.is_none() {
            return Ok(Box::new(Plain(Samples::default())));
        }
        let range = Enumerate::of(settings).map_err(|error| Skip::Setting(error.to_string()))?;
        Ok(Box::new(Plain(range)))
    },
};

/// How many indices a block covers.
pub const BLOCK: u64 = 32;

/// The range of formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first index.
    pub from: UBig,
    /// Number of indices; the language may end before.
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

/// The contents of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Each with its place in the block as its step.
    pub drafts: Vec<Draft>,
    /// How many formulas were left out because an equivalent one comes earlier.
    pub skipped: u64,
    /// Whether the language ended in this block.
    pub ended: bool,
}

impl Enumerate {
    /// A grammar from any source. `origin` must identify it permanently.
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

    /// The whole enumeration that settings describe.
    pub fn of(settings: &Settings) -> Result<Enumerate, GrammarError> {
        let name = settings.grammar.as_deref().unwrap_or_default();
        let (origin, text, classes, usual) = match catalog::find(name) {
            Some(embedded) => (embedded.name, embedded.text, embedded.classes, embedded.variables),
            None => ("grammar", name, settings.grammar_classes.as_deref().unwrap_or("{}"), 2),
        };
        let classes = Classes::parse(classes)?;
        let grammar = Grammar::parse_with(text, &classes, settings.variables.unwrap_or(usual))?;
        let from = settings.from.as_deref().and_then(|from| from.parse().ok()).unwrap_or(UBig::ZERO);
        let range = Range { from, take: u64::MAX, modulo_symmetry: settings.modulo_symmetry };
        Enumerate::new(grammar, origin.to_owned(), settings.variables, range)
    }

    /// How many blocks the range has.
    pub fn blocks(&self) -> u64 {
        self.range.take.div_ceil(BLOCK)
    }

    /// Number of indices of a block; the last block may be shorter.
    pub fn len_of(&self, number: u64) -> u64 {
        self.range.take.saturating_sub(number.saturating_mul(BLOCK)).min(BLOCK)
    }

    /// One block.
    pub fn block(&self, number: u64) -> Result<Block, GrammarError> {
        self.rest_of_block(number, 0)
    }

    /// One block without its first indices, which were done by an earlier run that ended there.
    pub fn rest_of_block(&self, number: u64, done: u64) -> Result<Block, GrammarError> {
        let take = self.len_of(number).saturating_sub(done);
        let first = &self.range.from + UBig::from(number.saturating_mul(BLOCK)) + UBig::from(done);
        let mut enumeration = self.enumeration.lock().unwrap_or_else(PoisonError::into_inner);
        let mut symmetry =
            self.range.modulo_symmetry.then(|| Symmetry::of(&self.grammar, enumeration.tree()));
        let mut block = Block::default();
        let mut met = 0;
        let draft = |step: u64, formula: &Formula<'_>| {
            let number = &first + UBig::from(step);
            let rule = format!("{} formula {number}, size {}", self.origin, formula.size);
            let draft = Draft::of(format!("{}\n", formula.text).into_bytes()).rules([rule]);
            Draft { step: Some(done + step), ..draft }
        };
        // Skipped formulas count too: a block covers indices, not formulas that remain.
        let walked = enumeration.walk_span(&first, take, symmetry.as_mut(), |formula| {
            met = formula.number + formula.skipped;
            block.drafts.push(draft(met, &formula));
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

impl Propose for Enumerate {
    fn unit_len(&self) -> u64 {
        BLOCK
    }

    fn propose(&self, unit: u64, _: &mut Rng) -> Result<Vec<Draft>, Skip> {
        Ok(self.block(unit).map_err(|_| Skip::NoSeed("the grammar has no such formula"))?.drafts)
    }
}

/// Without a grammar: random blocks of all embedded grammars in turn, small formulas more often.
#[derive(Default)]
struct Samples {
    grammars: [OnceLock<Option<Enumerate>>; catalog::EMBEDDED.len()],
}

/// Blocks are drawn among this many, as a power of two: formulas of some 10 to 20 operators.
const BITS: usize = 24;

impl Samples {
    fn grammar(&self, number: usize) -> Option<&Enumerate> {
        let of = || {
            let grammar = Some(catalog::EMBEDDED[number].name.to_owned());
            Enumerate::of(&Settings { grammar, ..Settings::default() }).ok()
        };
        self.grammars[number].get_or_init(of).as_ref()
    }
}

impl Propose for Samples {
    fn unit_len(&self) -> u64 {
        BLOCK
    }

    fn propose(&self, unit: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let number = (unit % self.grammars.len() as u64) as usize;
        let none = Skip::NoSeed("the grammar has no such formula");
        let range = self.grammar(number).ok_or(none)?;
        let bits = rng.below(BITS + 1);
        let block = rng.bits() & ((1 << bits) - 1);
        range.propose(block.min(range.blocks().saturating_sub(1)), rng)
    }
}
