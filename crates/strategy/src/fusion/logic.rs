//! The logic of a fused script: the smallest one that both seeds and the fusion functions fit in.
//!
//! In: names of logics. Out: a name that z3 and cvc5 know. A logic's name lists what it allows, so names are read into
//! features and united; the result is the smallest known logic that has them all, or `ALL`. It must never name a
//! logic that is too small: a solver may then reject the script or, worse, answer without looking at all of it.

use std::sync::LazyLock;

/// What a logic allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features(u16);

impl Features {
    pub const QUANTIFIERS: Features = Features(1);
    pub const ARRAYS: Features = Features(2);
    pub const FUNCTIONS: Features = Features(4);
    pub const BITVECTORS: Features = Features(8);
    pub const FLOATS: Features = Features(16);
    pub const DATATYPES: Features = Features(32);
    pub const STRINGS: Features = Features(64);
    pub const INTS: Features = Features(128);
    pub const REALS: Features = Features(256);
    pub const NONLINEAR: Features = Features(512);
    /// Something that only `ALL` has.
    pub const OTHER: Features = Features(1024);
    /// Arrays over other sorts than bit-vectors, which z3 refuses in logics such as QF_ABV.
    pub const ANY_ARRAYS: Features = Features(2048);

    pub fn with(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    pub(super) fn has(self, other: Features) -> bool {
        self.0 & other.0 == other.0
    }

    /// What the logic of a seed allows; no logic and unknown ones count as everything.
    pub fn of_logic(name: Option<&str>) -> Features {
        name.and_then(read).unwrap_or(Features::OTHER)
    }
}

fn read(name: &str) -> Option<Features> {
    let (mut found, mut rest) = match name.strip_prefix("QF_") {
        Some(rest) => (Features::default(), rest),
        None => (Features::QUANTIFIERS, name),
    };
    if rest == "AX" {
        return Some(found.with(Features::ARRAYS).with(Features::ANY_ARRAYS).with(Features::FUNCTIONS));
    }
    let parts = [
        ("A", Features::ARRAYS),
        ("UF", Features::FUNCTIONS),
        ("BV", Features::BITVECTORS),
        ("FP", Features::FLOATS),
        ("DT", Features::DATATYPES),
        ("S", Features::STRINGS),
    ];
    for (word, feature) in parts {
        if let Some(after) = rest.strip_prefix(word).filter(|_| rest != "ALL") {
            (found, rest) = (found.with(feature), after);
        }
    }
    let arithmetic = match rest {
        "" => Features::default(),
        "IDL" | "LIA" => Features::INTS,
        "RDL" | "LRA" => Features::REALS,
        "LIRA" => Features::INTS.with(Features::REALS),
        "NIA" => Features::INTS.with(Features::NONLINEAR),
        "NRA" => Features::REALS.with(Features::NONLINEAR),
        "NIRA" => Features::INTS.with(Features::REALS).with(Features::NONLINEAR),
        _ => return None,
    };
    let any_arrays = found.has(Features::ARRAYS) && !found.has(Features::BITVECTORS);
    let arrays = if any_arrays { Features::ANY_ARRAYS } else { Features::default() };
    Some(found.with(arithmetic).with(arrays))
}

/// Logics that z3 and cvc5 both know, smaller ones first among those of one size.
const KNOWN: &[&str] = &[
    "QF_LIA",
    "QF_LRA",
    "QF_BV",
    "QF_UF",
    "QF_AX",
    "QF_FP",
    "QF_S",
    "QF_DT",
    "QF_NIA",
    "QF_NRA",
    "QF_LIRA",
    "QF_NIRA",
    "QF_SLIA",
    "QF_SNIA",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_UFNIA",
    "QF_UFNRA",
    "QF_UFBV",
    "QF_UFDT",
    "QF_UFDTLIA",
    "QF_ALIA",
    "QF_ANIA",
    "QF_ABV",
    "QF_BVFP",
    "QF_ABVFP",
    "QF_FPLRA",
    "QF_BVFPLRA",
    "QF_ABVFPLRA",
    "QF_AUFLIA",
    "QF_AUFNIA",
    "QF_AUFBV",
    "QF_UFFP",
    "LIA",
    "LRA",
    "BV",
    "UF",
    "NIA",
    "NRA",
    "FP",
    "BVFP",
    "UFLIA",
    "UFLRA",
    "UFNIA",
    "UFBV",
    "ALIA",
    "AUFLIA",
    "AUFLIRA",
    "AUFNIRA",
    "AUFDTLIA",
];

static BY_FEATURES: LazyLock<Vec<(Features, &str)>> =
    LazyLock::new(|| KNOWN.iter().filter_map(|name| Some((read(name)?, *name))).collect());

/// The logic for two seeds and what their fusion needs besides; `None` if nothing is fused. Fused differences are
/// no differences any more, so difference logics then become linear ones.
pub fn join<'a>(first: Option<&'a str>, second: Option<&'a str>, fusion: Option<Features>) -> &'a str {
    let extra = fusion.unwrap_or_default();
    let (a, b) = (Features::of_logic(first), Features::of_logic(second));
    if let (Some(one), Some(other)) = (first, second) {
        let difference = fusion.is_some() && one.ends_with("DL");
        let known = !a.has(Features::OTHER);
        let enough = one.ends_with("ALL") || extra == Features::default() || (known && a.has(extra));
        if one == other && enough && !difference {
            return one;
        }
        if one.starts_with("HO_") || other.starts_with("HO_") {
            return "HO_ALL";
        }
    }
    let wanted = a.with(b).with(extra);
    if wanted.has(Features::OTHER) {
        return "ALL";
    }
    let fitting = BY_FEATURES.iter().filter(|(has, _)| has.has(wanted));
    fitting.min_by_key(|(has, _)| has.0.count_ones()).map_or("ALL", |(_, name)| name)
}

/// Whether a numeral is a Real in this logic.
pub fn numerals_are_real(logic: &str) -> bool {
    let found = Features::of_logic(Some(logic));
    !found.has(Features::OTHER) && found.has(Features::REALS) && !found.has(Features::INTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joined_logic_has_what_both_have() {
        let none = Some(Features::default());
        assert_eq!(join(Some("QF_IDL"), Some("QF_IDL"), None), "QF_IDL");
        assert_eq!(join(Some("QF_IDL"), Some("QF_IDL"), none), "QF_LIA");
        assert_eq!(join(Some("QF_LIA"), Some("QF_LIA"), none), "QF_LIA");
        assert_eq!(
            join(Some("QF_LIA"), Some("QF_LIA"), Some(Features::INTS.with(Features::NONLINEAR))),
            "QF_NIA"
        );
        assert_eq!(join(Some("QF_IDL"), Some("QF_UF"), none), "QF_UFLIA");
        assert_eq!(join(Some("QF_LRA"), Some("QF_LIA"), none), "QF_LIRA");
        assert_eq!(join(Some("QF_AX"), Some("QF_AX"), none), "QF_AX");
        assert_eq!(join(Some("LIA"), Some("QF_BV"), none), "ALL");
        assert_eq!(join(Some("QF_ABV"), Some("QF_BV"), none), "QF_ABV");
        assert_eq!(join(Some("QF_ALIA"), Some("QF_LIA"), none), "QF_ALIA");
        assert_eq!(join(Some("QF_ABV"), Some("QF_AX"), none), "ALL");
        let indexed_by_bool = Some(Features::ARRAYS.with(Features::ANY_ARRAYS));
        assert_eq!(join(Some("QF_ABV"), Some("QF_ABV"), indexed_by_bool), "ALL");
        assert_eq!(join(Some("QF_LIA"), Some("QF_LIA"), indexed_by_bool), "QF_ALIA");
        assert_eq!(join(Some("QF_S"), Some("QF_S"), none), "QF_S");
        assert_eq!(join(Some("QF_S"), Some("QF_S"), Some(Features::INTS)), "QF_SLIA");
        assert_eq!(join(Some("QF_FF"), Some("QF_FF"), none), "QF_FF");
        assert_eq!(join(Some("QF_FF"), Some("QF_FF"), Some(Features::DATATYPES)), "ALL");
        assert_eq!(join(Some("QF_NRAT"), Some("QF_NRAT"), Some(Features::OTHER)), "ALL");
        assert_eq!(join(Some("ALL"), Some("QF_LIA"), none), "ALL");
        assert_eq!(join(None, Some("QF_LIA"), none), "ALL");
        assert_eq!(join(Some("HO_ALL"), Some("QF_LIA"), none), "HO_ALL");
    }

    #[test]
    fn every_known_logic_is_understood() {
        assert!(KNOWN.iter().all(|name| read(name).is_some()));
    }

    #[test]
    fn numerals_are_reals_only_where_there_are_no_integers() {
        assert!(numerals_are_real("QF_LRA"));
        assert!(!numerals_are_real("QF_LIRA"));
        assert!(!numerals_are_real("ALL"));
    }
}
