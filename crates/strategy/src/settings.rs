//! What a user may set: one type for the command line, `falsum.toml`, campaigns and recipes.
//!
//! A setting that names a file holds the file's text, so that a recipe rebuilds its case even if the file is gone.
//! Strategies ignore settings that they do not use; `None` means the default.

use crate::regrow::ChainShape;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// Changes per chain (`opswap`, `regrow`, `weaken`, `skeleton`); cases of a unit (`reseed`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// After how many changes there is a case (`opswap`, `regrow`, `weaken`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u32>,
    /// `weaken`: cases of a unit; the chain begins again from the seed after `steps` changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// `skeleton`: maximum number of literals that change in one round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub literals: Option<u32>,
    /// `skeleton`: transform predicate symbols and inject nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub transform_only: bool,
    /// `skeleton`: inject snippets and transform no predicate symbol.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inject_only: bool,
    /// `skeleton`: every round begins from the seed, not from the last mutant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fresh_rounds: bool,
    /// `skeleton`: seeds that say nothing (all their assertions are constant) too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub all_seeds: bool,
    /// `weaken`, `skeleton`: what decides the direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aim_by: Option<AimBy>,
    /// `reseed`: only these ways to say the same, by their words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// `weaken`, `skeleton`: only these rules, or all of these sections, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule_set: Vec<String>,
    /// `strings`, `construct`, `shapes`, `changes`: the parts to use, separated by commas; all without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// `strings`, `shapes`: how deep terms are; `strings`: how many changes are stacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// `strings`: definitions of operations that mean something else than the standard says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantics: Option<String>,
    /// `strings`: tables instead of the embedded ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// `weaken`, `skeleton`: rules instead of the embedded ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// `opswap`: operator classes instead of those that follow from the tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<String>,
    /// `regrow`: operators to grow instead of all that the tables have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signatures: Option<String>,
    /// `fusion`: functions instead of the embedded ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub functions: Option<String>,
    /// `regrow`: whether later changes fall into earlier ones; both without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<ChainShape>,
    /// `regrow`: only these ways to grow a term, by their words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<String>,
    /// `fusion`: only the published functions, drawn evenly.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub published: bool,
    /// `fusion`: put seeds together and fuse nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub concat_only: bool,
    /// `enumerate`: the name of an embedded grammar, or the text of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grammar: Option<String>,
    /// `enumerate`: the classes of a grammar that is given as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grammar_classes: Option<String>,
    /// `enumerate`: how many variables each class has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables: Option<usize>,
    /// `enumerate`: the index of the first formula, in decimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// `shapes`, `changes`, `evolve`: the notation of strings, `2.6` or `2.5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// `evolve`: a row of the paper's Table I.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// `evolve`: individuals of a generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<u32>,
    /// `evolve`: how often parents exchange assertions, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossover: Option<u32>,
    /// `evolve`: how often a child is changed, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutation: Option<u32>,
    /// `evolve`: how traces are compared, `sketch` or `full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<String>,
    /// `enumerate`: leave out formulas that equal an earlier one up to names and commutativity.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub modulo_symmetry: bool,
}

/// What decides whether a chain weakens or strengthens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AimBy {
    /// What is claimed about the seed; seeds without a claim are left out.
    Status,
    /// What solvers answer to the seed, which is asked first; the relation is the only oracle.
    Answer,
}

impl AimBy {
    pub const ALL: [(&'static str, AimBy); 2] = [("status", AimBy::Status), ("answer", AimBy::Answer)];
}

impl Settings {
    pub fn is_usual(&self) -> bool {
        *self == Settings::default()
    }
}
