//! Counts seeds by logic, by status and by the features they use.
//!
//! In: seeds. Out: [`Stats`], sorted tables. The features of a seed are determined by its words (`FEATURES` below): a
//! sort, an operator prefix or a command belongs to a theory. That is enough to see what a corpus lacks, and to choose
//! seeds for a strategy that needs, say, strings. It is not a type check and must never be used as one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use smtlib::lexer::{Lexer, TokenKind};

use crate::seed::{Seed, Status, StatusSource};

/// A theory, or a way of using a solver, that occurs in a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    Core,
    Ints,
    Reals,
    BitVectors,
    FloatingPoint,
    Strings,
    Regex,
    Sequences,
    Arrays,
    Uninterpreted,
    Datatypes,
    Quantifiers,
    Recursion,
    HigherOrder,
    Let,
    Incremental,
    UnsatCores,
    Sets,
    FiniteSets,
    Bags,
    FiniteFields,
    Transcendentals,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// The words of each feature: exact words, and prefixes ending in `*`.
const FEATURES: &[(Feature, &str)] = &[
    (Feature::Core, "and or xor not => distinct ite"),
    (Feature::Ints, "Int div mod abs int.pow2 iand str.len to_int divisible"),
    (Feature::Reals, "Real to_real fp.to_real"),
    (Feature::BitVectors, "BitVec bv* #b* #x* concat extract ubv_to_int sbv_to_int int_to_bv"),
    (
        Feature::FloatingPoint,
        "FloatingPoint Float16 Float32 Float64 Float128 RoundingMode fp fp.* to_fp* +zero -zero",
    ),
    (Feature::Strings, "String str.*"),
    (Feature::Regex, "RegLan re.* str.in_re str.to_re"),
    (Feature::Sequences, "Seq seq.*"),
    (Feature::Arrays, "Array select store"),
    (Feature::Uninterpreted, "declare-sort"),
    (Feature::Datatypes, "declare-datatype declare-datatypes declare-codatatypes match"),
    (Feature::Quantifiers, "forall exists"),
    (Feature::Recursion, "define-fun-rec define-funs-rec"),
    (Feature::HigherOrder, "-> lambda"),
    (Feature::Let, "let"),
    (Feature::Incremental, "push pop check-sat-assuming reset-assertions reset"),
    (Feature::UnsatCores, ":named get-unsat-core get-unsat-assumptions"),
    (Feature::Sets, "Set set.member set.card set.inter set.minus set.complement rel.* Relation"),
    (Feature::FiniteSets, "FiniteSet set.in set.size set.intersect set.difference set.range"),
    (Feature::Bags, "Bag bag bag.*"),
    (Feature::FiniteFields, "FiniteField ff.*"),
    (Feature::Transcendentals, "sin cos tan exp sqrt arcsin arccos arctan csc sec cot real.pi"),
];

/// The features that follow from the words of a seed, plus functions with arguments and several check-sats.
pub fn features(seed: &Seed) -> BTreeSet<Feature> {
    let words = words(&seed.text);
    let has = |pattern: &str| match pattern.strip_suffix('*') {
        Some(prefix) => {
            words.range(prefix.as_bytes()..).next().is_some_and(|w| w.starts_with(prefix.as_bytes()))
        }
        None => words.contains(pattern.as_bytes()),
    };
    let mut found: BTreeSet<Feature> =
        FEATURES.iter().filter(|(_, names)| names.split(' ').any(has)).map(|(feature, _)| *feature).collect();
    if seed.checks.len() > 1 {
        found.insert(Feature::Incremental);
    }
    if words.contains(&b"declare-fun"[..]) && !only_constants(seed) {
        found.insert(Feature::Uninterpreted);
    }
    found
}

/// All words except parentheses and strings, up to the first invalid token.
fn words(text: &[u8]) -> BTreeSet<&[u8]> {
    let mut lexer = Lexer::new(text);
    let mut words = BTreeSet::new();
    while let Ok(token) = lexer.next_token() {
        match token.kind {
            TokenKind::End => break,
            TokenKind::Open | TokenKind::Close | TokenKind::String => {}
            _ => drop(words.insert(&text[token.span.range()])),
        }
    }
    words
}

/// Whether every `declare-fun` has an empty argument list.
fn only_constants(seed: &Seed) -> bool {
    let text = String::from_utf8_lossy(&seed.text);
    text.split("(declare-fun ").skip(1).all(|rest| {
        rest.trim_start()
            .split_once(char::is_whitespace)
            .is_some_and(|(_, tail)| tail.trim_start().starts_with("()"))
    })
}

/// The number of seeds of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub seeds: usize,
    pub bytes: usize,
    pub checks: usize,
    pub conflicts: usize,
    pub by_logic: BTreeMap<String, usize>,
    /// Check-sats by agreed status.
    pub by_status: BTreeMap<Status, usize>,
    /// Claims by the kind of their source.
    pub by_source: BTreeMap<&'static str, usize>,
    pub by_feature: BTreeMap<Feature, usize>,
}

impl Stats {
    pub fn of<'a>(seeds: impl IntoIterator<Item = &'a Seed>) -> Stats {
        let mut stats = Stats::default();
        seeds.into_iter().for_each(|seed| stats.add(seed));
        stats
    }

    pub fn add(&mut self, seed: &Seed) {
        self.seeds += 1;
        self.bytes += seed.text.len();
        self.checks += seed.checks.len();
        self.conflicts += usize::from(seed.conflict());
        *self.by_logic.entry(seed.logic.clone().unwrap_or_else(|| "(none)".into())).or_default() += 1;
        for status in seed.statuses() {
            *self.by_status.entry(status).or_default() += 1;
        }
        for claim in seed.checks.iter().flat_map(|c| &c.claims) {
            *self.by_source.entry(source_name(&claim.source)).or_default() += 1;
        }
        for feature in features(seed) {
            *self.by_feature.entry(feature).or_default() += 1;
        }
    }
}

fn source_name(source: &StatusSource) -> &'static str {
    match source {
        StatusSource::Folder => "folder",
        StatusSource::SetInfo => "set-info",
        StatusSource::Expect => "expect",
        StatusSource::SolverConfirmed(_) => "solver-confirmed",
        StatusSource::Construction(_) => "construction",
    }
}

impl Feature {
    /// All of them, in order.
    pub const ALL: [Feature; FEATURES.len()] = {
        let mut all = [Feature::Core; FEATURES.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] = FEATURES[i].0;
            i += 1;
        }
        all
    };
}
