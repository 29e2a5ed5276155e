//! What a campaign is about: which logics, theories and operators its cases have, and which kinds of findings count.
//!
//! Without any restriction everything is admitted. Seeds outside the focus are not used; a case that a strategy makes
//! outside of it is not run and not counted. A finding of another kind is not confirmed and not stored.

use oracle::rank::{Rank, operators, theories};
use oracle::{Accusation, FindingKind};
use serde::{Deserialize, Serialize};
use smtlib::logic::Features;
use smtlib::term::{Kind as Node, TermId};
use smtlib::theory::{self, Row};
use smtlib::{Pool, Script};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Focus {
    /// Logics by name.
    pub logics: Vec<String>,
    /// Theories of the tables, at least one of which a case must use.
    pub theories: Vec<String>,
    /// Operators, theories or ranks that no case may use.
    pub without: Vec<String>,
    /// Kinds of findings, by their words.
    pub only: Vec<String>,
}

/// Short words for theories, as people say them.
const SHORT: [(&str, &str); 13] = [
    ("bv", "FixedSizeBitVectors"),
    ("bitvectors", "FixedSizeBitVectors"),
    ("fp", "FloatingPoint"),
    ("floats", "FloatingPoint"),
    ("arrays", "ArraysEx"),
    ("int", "Ints"),
    ("real", "Reals"),
    ("string", "Strings"),
    ("seq", "Sequences"),
    ("datatype", "Datatypes"),
    ("set", "Sets"),
    ("bag", "Bags"),
    ("ff", "FiniteFields"),
];

/// The name of a group of kinds, and which belong to it.
type Group = (&'static str, fn(FindingKind) -> bool);

const GROUPS: [Group; 3] = [
    ("soundness", FindingKind::is_soundness),
    ("incompleteness", FindingKind::is_incompleteness),
    ("performance", FindingKind::is_slowness),
];

/// The theory that a user means, in any spelling.
pub fn theory_named(word: &str) -> Result<&'static str, String> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
    let all = theories();
    let short = SHORT.iter().find(|(short, _)| *short == plain(word)).map(|&(_, name)| name);
    let found = all.iter().find(|name| plain(name) == plain(word)).copied().or(short);
    found.ok_or_else(|| format!("there is no theory `{word}`\nhint: one of {}", all.join(", ")))
}

/// What `--without-operator` takes: an operator, a theory, or `exotic` or `extension`.
pub fn operators_named(word: &str) -> Result<String, String> {
    if ["exotic", "extension"].contains(&word) || theory::rows().iter().any(|row| row.name == word) {
        return Ok(word.to_owned());
    }
    theory_named(word).map(str::to_owned).map_err(|_| {
        format!("`{word}` is neither an operator nor a theory\nhint: also `exotic`, or `extension` for all that the standard does not have")
    })
}

/// What `--only` takes: a kind of finding or a group of kinds.
pub fn kinds_named(word: &str) -> Result<String, String> {
    let known = FindingKind::from_word(word).is_some() || GROUPS.iter().any(|(group, _)| *group == word);
    let words: Vec<&str> = GROUPS
        .iter()
        .map(|(group, _)| *group)
        .chain(FindingKind::ALL.iter().map(|kind| kind.word()))
        .collect();
    let hint = || format!("there is no kind of finding `{word}`\nhint: one of {}", words.join(", "));
    if known { Ok(word.to_owned()) } else { Err(hint()) }
}

impl Focus {
    /// Whether it admits every case and every finding.
    pub fn is_everything(&self) -> bool {
        *self == Focus::default()
    }

    /// Whether it admits every case.
    pub fn takes_all_cases(&self) -> bool {
        self.logics.is_empty() && self.theories.is_empty() && self.without.is_empty()
    }

    /// Whether a case with this script is run.
    pub fn admits(&self, script: &Script) -> bool {
        if self.takes_all_cases() {
            return true;
        }
        let excluded = |row: &Row| self.without.iter().any(|word| means(word, row));
        let wanted = |row: &Row| self.theories.iter().any(|theory| theory == row.theory);
        !operators(script).any(excluded)
            && (self.theories.is_empty() || operators(script).any(wanted) || sorts_of(script, &self.theories))
            && (self.logics.is_empty() || self.logics.iter().any(|logic| fits(script, logic)))
    }

    /// Whether a script as text is run; one that cannot be read is left to the type checker.
    pub fn admits_text(&self, text: &[u8]) -> bool {
        self.takes_all_cases() || Script::parse(text).map_or(true, |script| self.admits(&script))
    }

    /// Whether findings of a kind count.
    pub fn wants(&self, kind: FindingKind) -> bool {
        let group = |word: &str| GROUPS.iter().any(|(name, has)| *name == word && has(kind));
        self.only.is_empty() || self.only.iter().any(|word| word == kind.word() || group(word))
    }

    /// Whether nothing but slowness counts.
    pub fn is_slowness_alone(&self) -> bool {
        !self.only.is_empty() && FindingKind::ALL.iter().all(|kind| kind.is_slowness() || !self.wants(*kind))
    }

    /// Whether any of these accusations counts.
    pub fn wants_any(&self, all: &[Accusation]) -> bool {
        all.iter().any(|accusation| self.wants(accusation.kind))
    }
}

/// Whether a word of `without` means an operator.
fn means(word: &str, row: &Row) -> bool {
    match word {
        "exotic" => Rank::of(row) == Rank::Exotic,
        "extension" => Rank::of(row) >= Rank::Extension,
        word => row.name == word || row.theory == word,
    }
}

/// Whether constants of a theory's sorts occur: a script may use a theory by its sorts alone.
fn sorts_of(script: &Script, theories: &[String]) -> bool {
    let words = ["bitvectors", "floats", "strings", "arrays", "ints", "reals"];
    let named = |theory: &String| {
        theory::rows().iter().find(|row| row.theory == theory).and_then(|row| row.logic).filter(|features| {
            words.iter().any(|word| Features::named(word).is_some_and(|named| features.has(named)))
        })
    };
    let wanted: Vec<Features> = theories.iter().filter_map(named).collect();
    let pool = &script.pool;
    let has = |term: TermId| {
        let sort = Features::of_sort(pool, pool.sort_of(term));
        wanted.iter().any(|theory| sort.count() > 0 && theory.has(sort))
    };
    (0..pool.len() as u32).any(|term| has(TermId(term)))
}

/// Whether a script is of a logic: it says so, or says nothing (or `ALL`) and uses nothing else.
fn fits(script: &Script, logic: &str) -> bool {
    match script.logic_name().as_deref() {
        Some(name) if name == logic => true,
        Some(name) if name != "ALL" => false,
        _ => uses(script).is_some_and(|used| Features::of_logic(Some(logic)).has(used)),
    }
}

/// What a script needs of a logic; `None` if no logic has all of it.
fn uses(script: &Script) -> Option<Features> {
    let pool: &Pool = &script.pool;
    let mut used = Features::default();
    for term in (0..pool.len() as u32).map(TermId) {
        used = used.with(Features::of_sort(pool, pool.sort_of(term)));
        used = match pool.kind(term) {
            Node::Quant(..) => used.with(Features::QUANTIFIERS),
            Node::Fun { .. } if !pool.args(term).is_empty() => used.with(Features::FUNCTIONS),
            Node::Op { op, .. } if !op.row().in_logics => return None,
            _ => used,
        };
    }
    Some(used)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Script {
        Script::parse(text.as_bytes()).unwrap()
    }

    const BV: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 4))(assert (= (bvadd x x) x))(check-sat)";
    const LIA: &str = "(declare-const x Int)(assert (> x 0))(check-sat)";
    const ORDER: &str = "(declare-const x Int)(assert ((_ partial-order 0) x x))(check-sat)";

    #[test]
    fn a_logic_admits_what_says_so_and_what_uses_nothing_else() {
        let focus = |logic: &str| Focus { logics: vec![logic.into()], ..Focus::default() };
        assert!(focus("QF_BV").admits(&script(BV)) && !focus("QF_LIA").admits(&script(BV)));
        assert!(focus("QF_LIA").admits(&script(LIA)) && !focus("QF_BV").admits(&script(LIA)));
        let quantified = "(assert (forall ((x Int)) (> x 0)))(check-sat)";
        assert!(focus("LIA").admits(&script(quantified)) && !focus("QF_LIA").admits(&script(quantified)));
    }

    #[test]
    fn a_theory_is_used_by_its_operators_or_its_sorts() {
        let focus =
            |name: &str| Focus { theories: vec![theory_named(name).unwrap().into()], ..Focus::default() };
        assert!(focus("bv").admits(&script(BV)) && !focus("Strings").admits(&script(BV)));
        assert!(focus("ints").admits(&script("(declare-const x Int)(assert (= x x))(check-sat)")));
        assert!(theory_named("nonsense").unwrap_err().contains("hint: one of Core"));
    }

    #[test]
    fn operators_are_excluded_by_name_by_theory_and_by_rank() {
        let focus = |word: &str| Focus { without: vec![operators_named(word).unwrap()], ..Focus::default() };
        for word in ["partial-order", "special-relations", "exotic", "extension"] {
            assert!(!focus(word).admits(&script(ORDER)), "{word}");
            assert!(focus(word).admits(&script(LIA)), "{word}");
        }
        assert!(operators_named("frobnicate").is_err());
    }

    #[test]
    fn kinds_are_chosen_by_word_or_by_group() {
        let focus = |words: &[&str]| Focus {
            only: words.iter().map(|word| kinds_named(word).unwrap()).collect(),
            ..Focus::default()
        };
        assert!(focus(&[]).wants(FindingKind::Performance));
        assert!(
            focus(&["soundness"]).wants(FindingKind::InvalidModel)
                && !focus(&["soundness"]).wants(FindingKind::Performance)
        );
        assert!(
            focus(&["crash"]).wants(FindingKind::Crash)
                && !focus(&["crash"]).wants(FindingKind::InvalidModel)
        );
        assert!(kinds_named("wrong").unwrap_err().contains("soundness"));
    }
}
