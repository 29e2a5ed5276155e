//! `strings`: formulas over strings and sequences that are satisfiable or unsatisfiable by construction.
//!
//! Idea. Satisfiable: execute an operation on boundary constants or on terms of them, and turn constants into
//! variables. Unsatisfiable: deny one side of an equivalence, and hide the contradiction behind equalities.
//! From: Bugariu and Müller, "Automatically Testing String Solvers" (ICSE 2020), all categories of the paper, with its
//! tables in `tables.txt`; beyond it, regular expressions, `replace_all`, `replace_re`, the order of strings, code
//! points, digits, and sequences.
//! Expectation: sat with its model; unsat with its only minimal core.
//! Sound because: models are executions of our evaluator, which checks them again before a solver is asked; rows of the
//! tables are used only in the direction that holds (E4, E5 and E6 from right to left), and a row that reaches only
//! some values (NC1) is not put under a quantifier; every row is tested against our evaluator, and every core by
//! leaving out each of its members.
//! Cost: some microseconds a formula. The lists of the paper are gone through in order, each formula once; then come
//! deeper terms and stacked changes, without end.
//! Settings: `--part` names categories, or `paper` for what the paper has; `--depth` is how deep terms are and how many
//! changes are stacked; `--tables` gives other tables, `--semantics` other meanings of operations.
//! Differs from the paper: its tests were written for two random seeds; seeds are options of solvers here.

pub mod reference;
pub mod satisfiable;
pub mod tables;
pub mod tree;
pub mod unsatisfiable;

use crate::{Draft, Ground, Plain, Propose, Rng, Settings, Skip, Strategy};
use reference::Reference;
use satisfiable::{Desk, Satisfiable};
use tables::{Family, TABLES, Tables};
use unsatisfiable::{Change, Formula};

pub const STRATEGY: Strategy = Strategy {
    name: "strings",
    about: "strings by construction: operations, synthesised terms, denied equivalences",
    source: include_str!("mod.rs"),
    begin: |_, settings| Ok(Box::new(Plain(Strings::new(settings)?))),
};

/// Formulas of one unit, all of one category.
const PER_UNIT: u64 = 8;
/// How deep terms are and how many changes are stacked, unless the user says.
const DEPTH: u32 = 3;

/// A kind of formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    Operation,
    ConstantAssignment,
    TermSynthesis,
    EquivalentFormula,
    LargerCore,
    Noise,
    Reversed,
    DeepSynthesis,
    Stacked,
}

impl Category {
    pub const ALL: [Category; 9] = [
        Category::Operation,
        Category::ConstantAssignment,
        Category::TermSynthesis,
        Category::EquivalentFormula,
        Category::LargerCore,
        Category::Noise,
        Category::Reversed,
        Category::DeepSynthesis,
        Category::Stacked,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Category::Operation => "operation",
            Category::ConstantAssignment => "constant-assignment",
            Category::TermSynthesis => "term-synthesis",
            Category::EquivalentFormula => "equivalent-formula",
            Category::LargerCore => "larger-core",
            Category::Noise => "noise",
            Category::Reversed => "reversed",
            Category::DeepSynthesis => "deep-synthesis",
            Category::Stacked => "stacked",
        }
    }

    fn is_random(self) -> bool {
        matches!(self, Category::DeepSynthesis | Category::Stacked)
    }
}

/// A list of formulas: a category over a family, with or without patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    pub category: Category,
    pub family: Family,
    pub patterns: bool,
}

impl List {
    /// As `--part` calls it.
    pub fn name(self) -> String {
        format!("{}{}", self.category.name(), if self.patterns { "+p" } else { "" })
    }
}

/// The strategy, begun.
pub struct Strings {
    tables: Tables,
    reference: Reference,
    paper: Satisfiable,
    more: Satisfiable,
    lists: Vec<Prepared>,
    depth: u32,
}

/// A list to go through.
pub struct Prepared {
    pub list: List,
    /// How many formulas it has; `None` if it has no end.
    pub length: Option<u64>,
    /// An equivalence and a change, for lists of unsatisfiable formulas.
    denied: Vec<(usize, Option<Change>)>,
}

impl Strings {
    pub fn new(settings: &Settings) -> Result<Strings, Skip> {
        let tables = Tables::read(settings.tables.as_deref().unwrap_or(TABLES)).map_err(Skip::Setting)?;
        let reference = Reference::new(&tables, settings.semantics.as_deref()).map_err(Skip::Setting)?;
        let paper = Satisfiable::new(&tables, &reference, Family::Paper);
        let more = Satisfiable::new(&tables, &reference, Family::More);
        let depth = settings.depth.unwrap_or(DEPTH).max(1);
        let mut strings = Strings { tables, reference, paper, more, lists: vec![], depth };
        strings.lists = strings.chosen(settings.part.as_deref().unwrap_or(""))?;
        Ok(strings)
    }

    /// The lists that a setting names; all without one.
    fn chosen(&self, parts: &str) -> Result<Vec<Prepared>, Skip> {
        let parts: Vec<&str> = parts.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let all = all_lists();
        let known =
            |part: &&str| *part == "paper" || *part == "more" || all.iter().any(|list| list.name() == **part);
        if let Some(part) = parts.iter().find(|part| !known(part)) {
            let mut names: Vec<String> = all.iter().map(|list| list.name()).collect();
            names.dedup();
            let hint = names.join(", ");
            return Err(Skip::Setting(format!("`strings` has no part `{part}`\nhint: paper, more, {hint}")));
        }
        let families: Vec<Family> = [("paper", Family::Paper), ("more", Family::More)]
            .into_iter()
            .filter(|(name, _)| parts.contains(name))
            .map(|(_, family)| family)
            .collect();
        let named: Vec<&str> =
            parts.iter().copied().filter(|part| *part != "paper" && *part != "more").collect();
        let wanted = |list: &List| {
            (families.is_empty() || families.contains(&list.family))
                && (named.is_empty() || named.iter().any(|name| list.name() == *name))
                // What the paper does not have is not asked for by its name.
                && (!named.is_empty() || families != [Family::Paper] || !is_beyond(list.category))
        };
        let prepared = all.into_iter().filter(wanted).map(|list| self.prepared(list));
        Ok(prepared.filter(|prepared| prepared.length != Some(0)).collect())
    }

    /// The lists that are gone through.
    pub fn lists(&self) -> &[Prepared] {
        &self.lists
    }

    fn prepared(&self, list: List) -> Prepared {
        let satisfiable = self.satisfiable(list.family);
        let denied = self.denied(list);
        let length = match list.category {
            Category::Operation => Some(satisfiable.operation_count()),
            Category::ConstantAssignment => Some(satisfiable.assignment_count()),
            Category::TermSynthesis => Some(satisfiable.shape_count()),
            category if category.is_random() => None,
            _ => Some(denied.len() as u64),
        };
        Prepared { list, length, denied }
    }

    fn satisfiable(&self, family: Family) -> &Satisfiable {
        if family == Family::Paper { &self.paper } else { &self.more }
    }

    pub fn desk(&self) -> Desk<'_> {
        Desk { tables: &self.tables, reference: &self.reference, evaluator: self.reference.evaluator() }
    }

    /// The unsatisfiable formulas of a list: an equivalence and a change.
    fn denied(&self, list: List) -> Vec<(usize, Option<Change>)> {
        let mut found = vec![];
        for (n, row) in self.tables.equivalences.iter().enumerate() {
            if list.family == Family::Paper && row.family != Family::Paper {
                continue;
            }
            let formula = Formula::new(&self.tables, row);
            let own = row.family == list.family;
            match list.category {
                Category::EquivalentFormula if own => found.push((n, None)),
                Category::Reversed if own && row.both => found.push((n, None)),
                Category::LargerCore | Category::Noise => {
                    let noise = list.category == Category::Noise;
                    let changes = formula.changes(list.family == Family::More).into_iter();
                    let fits = |change: &Change| change.is_noise() == noise && (own || self.is_more(change));
                    found.extend(changes.filter(fits).map(|change| (n, Some(change))));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a change uses a row that the paper does not have.
    fn is_more(&self, change: &Change) -> bool {
        let (Change::Variable { row, .. }
        | Change::Constant { row, .. }
        | Change::Noise { row, .. }
        | Change::Bound { row, .. }) = change;
        self.tables.equalities[*row].family == Family::More
    }

    /// Formula number `index` of a list; in random lists the number says nothing.
    pub fn formula(
        &self,
        desk: &mut Desk<'_>,
        prepared: &Prepared,
        index: u64,
        round: u64,
        rng: &mut Rng,
    ) -> Option<Draft> {
        let list = prepared.list;
        let satisfiable = self.satisfiable(list.family);
        match list.category {
            Category::Operation => satisfiable.operation(desk, index),
            Category::ConstantAssignment => satisfiable.assignment(desk, index),
            Category::TermSynthesis => satisfiable.synthesis(desk, index, round),
            Category::DeepSynthesis => satisfiable.deep(desk, 1 + rng.below(self.depth as usize) as u32, rng),
            Category::Stacked => self.stacked(list, rng),
            _ => {
                let (row, change) = prepared.denied.get(index as usize)?;
                let row = &self.tables.equivalences[*row];
                let mut formula = match list.category {
                    Category::Reversed => Formula::reversed(&self.tables, row),
                    _ => Formula::new(&self.tables, row),
                };
                if let Some(change) = change {
                    formula.change(change);
                }
                Some(self.vouched(formula.draft(list.patterns)))
            }
        }
    }

    fn stacked(&self, list: List, rng: &mut Rng) -> Option<Draft> {
        let more = list.family == Family::More;
        let rows: Vec<&tables::Equivalence> =
            self.tables.equivalences.iter().filter(|row| more || row.family == Family::Paper).collect();
        let row = rng.pick(&rows)?;
        let mut formula = match row.both && rng.chance(1, 4) {
            true => Formula::reversed(&self.tables, row),
            false => Formula::new(&self.tables, row),
        };
        for _ in 0..1 + rng.below(self.depth as usize + 1) {
            formula.change_somehow(more, rng);
        }
        Some(self.vouched(formula.draft(list.patterns)))
    }

    /// With other meanings of operations, what the tables say is only their word.
    fn vouched(&self, mut draft: Draft) -> Draft {
        if self.reference.is_changed {
            for expect in draft.questions[0].expects.iter_mut().flatten() {
                expect.ground = Ground::Claim(expect.ground.because().to_owned());
            }
        }
        draft
    }
}

/// Categories that the paper does not have.
fn is_beyond(category: Category) -> bool {
    matches!(category, Category::Reversed | Category::DeepSynthesis | Category::Stacked)
}

/// Every list there is.
pub fn all_lists() -> Vec<List> {
    let mut found = vec![];
    for category in Category::ALL {
        let has_patterns = !matches!(
            category,
            Category::Operation
                | Category::ConstantAssignment
                | Category::TermSynthesis
                | Category::DeepSynthesis
        );
        for family in [Family::Paper, Family::More] {
            found.push(List { category, family, patterns: false });
            if has_patterns {
                found.push(List { category, family, patterns: true });
            }
        }
    }
    found
}

impl Propose for Strings {
    fn unit_len(&self) -> u64 {
        PER_UNIT
    }

    /// Units take turns among the lists. A list that is finished gives its turns to the random ones; where there are
    /// none, synthesis begins another round with other constants, and the other lists have no more cases.
    fn propose(&self, unit: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let finished = Skip::NoSeed("the list is finished");
        let count = self.lists.len() as u64;
        if count == 0 {
            return Err(finished);
        }
        let mut prepared = &self.lists[(unit % count) as usize];
        let begin = unit / count * PER_UNIT;
        let is_synthesis = |prepared: &Prepared| prepared.list.category == Category::TermSynthesis;
        if prepared.length.is_some_and(|length| begin >= length) {
            let random: Vec<&Prepared> = self.lists.iter().filter(|l| l.list.category.is_random()).collect();
            match rng.pick(&random) {
                Some(&other) => prepared = other,
                None if is_synthesis(prepared) => {}
                None => return Err(finished),
            }
        }
        let mut desk = self.desk();
        let last = if is_synthesis(prepared) { None } else { prepared.length };
        let numbers = (begin..begin + PER_UNIT).filter(|n| last.is_none_or(|last| *n < last));
        let place = |n: u64| prepared.length.map_or((n, 0), |length| (n % length, n / length));
        let mut draft = |(n, round)| self.formula(&mut desk, prepared, n, round, rng);
        Ok(numbers.map(place).filter_map(&mut draft).collect())
    }
}
