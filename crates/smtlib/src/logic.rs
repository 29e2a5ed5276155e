//! The meaning of a logic's name: which sorts and operators a script with that logic may use.
//!
//! A name is a sequence of words in a fixed order (`QF_`, `A` or `AX`, `UF`, `BV`, `FP`, `DT`, `S`, then arithmetic
//! and `T` for transcendental functions), so it is read word by word into a set of features. A larger set allows more,
//! and two scripts together need the union of their features. A name with any other word has the feature `OTHER`,
//! which no word stands for. `ALL` has all features but functions as values (`HO_`).
//!
//! In: a name. Out: a set. This file does not decide which names solvers know or what to do about a term outside.

use crate::{Pool, Sort, SortId};

/// What a logic allows, or what a term requires of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features(u32);

impl Features {
    pub const QUANTIFIERS: Features = Features(1);
    pub const ARRAYS: Features = Features(1 << 1);
    /// Arrays over other sorts than bit-vectors, which z3 refuses in logics such as QF_ABV.
    pub const ANY_ARRAYS: Features = Features(1 << 2);
    pub const FUNCTIONS: Features = Features(1 << 3);
    pub const BITVECTORS: Features = Features(1 << 4);
    /// Bit-vector literals, which floats are made of.
    pub const BITS: Features = Features(1 << 5);
    pub const FLOATS: Features = Features(1 << 6);
    pub const DATATYPES: Features = Features(1 << 7);
    pub const STRINGS: Features = Features(1 << 8);
    /// The sort itself, which strings have without any arithmetic.
    pub const INTS: Features = Features(1 << 9);
    pub const REALS: Features = Features(1 << 10);
    /// Differences and their comparison.
    pub const DIFFERENCES: Features = Features(1 << 11);
    /// Sums and multiples.
    pub const LINEAR: Features = Features(1 << 12);
    pub const NONLINEAR: Features = Features(1 << 13);
    pub const TRANSCENDENTAL: Features = Features(1 << 14);
    /// A feature that no word of a name stands for.
    pub const OTHER: Features = Features(1 << 15);
    /// All features except functions as values, which `ALL` does not allow.
    pub const ALL: Features = Features((1 << 16) - 1);
    pub const HIGHER_ORDER: Features = Features(1 << 16);

    pub const fn with(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    pub const fn has(self, other: Features) -> bool {
        self.0 & other.0 == other.0
    }

    /// The number of features.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// What a logic allows. A script that sets none may use everything.
    pub fn of_logic(name: Option<&str>) -> Features {
        let Some(name) = name else { return Features::ALL };
        let (order, name) = optional(name, "HO_", Features::HIGHER_ORDER);
        if matches!(name, "ALL" | "ALL_SUPPORTED" | "QF_ALL") {
            return order.with(Features::ALL);
        }
        let (quantifiers, rest) = match name.strip_prefix("QF_") {
            Some(rest) => (Features::default(), rest),
            None => (Features::QUANTIFIERS, name),
        };
        let (arithmetic, mut rest) = arithmetic(rest);
        let mut found = order.with(quantifiers).with(arithmetic);
        for (word, features) in WORDS {
            let read = optional(rest, word, *features);
            (found, rest) = (found.with(read.0), read.1);
        }
        if found.has(Features::ARRAYS) && !found.has(Features::BITVECTORS) {
            found = found.with(Features::ANY_ARRAYS);
        }
        if rest.is_empty() { found } else { found.with(Features::OTHER) }
    }

    /// The features by the words that theory tables use for them.
    pub fn named(word: &str) -> Option<Features> {
        Some(match word {
            "ints" => Features::INTS,
            "reals" => Features::REALS,
            "differences" => Features::DIFFERENCES,
            "bitvectors" => Features::BITVECTORS,
            "floats" => Features::FLOATS,
            "strings" => Features::STRINGS,
            "arrays" => Features::ARRAYS,
            "transcendental" => Features::TRANSCENDENTAL,
            _ => return None,
        })
    }

    /// What a logic must allow for terms of a sort.
    pub fn of_sort(pool: &Pool, sort: SortId) -> Features {
        let narrow = |sort: SortId| matches!(pool.sort(sort), Sort::BitVec(_));
        match pool.sort(sort) {
            Sort::Bool => Features::default(),
            Sort::Int => Features::INTS,
            Sort::Real => Features::REALS,
            Sort::String | Sort::RegLan => Features::STRINGS,
            Sort::BitVec(_) => Features::BITVECTORS,
            Sort::Float { .. } | Sort::RoundingMode => Features::FLOATS,
            Sort::Array(index, element) => {
                let over = Features::of_sort(pool, *index).with(Features::of_sort(pool, *element));
                let any = !narrow(*index) || !narrow(*element);
                over.with(if any { ANY_ARRAYS } else { Features::ARRAYS })
            }
            _ => Features::OTHER,
        }
    }

    /// What a logic must allow for a word of the language, as far as the word alone determines it: the name of a sort,
    /// or of an operator of one theory. Arithmetic is left out, because `+` alone does not determine its sort.
    pub fn of_word(word: &[u8]) -> Features {
        match word {
            b"Int" => Features::INTS,
            b"Real" => Features::REALS,
            b"BitVec" => Features::BITVECTORS,
            b"FloatingPoint" | b"RoundingMode" => Features::FLOATS,
            b"Array" => Features::ARRAYS,
            b"String" | b"RegLan" => Features::STRINGS,
            b"Seq" | b"Set" | b"FiniteSet" | b"Bag" | b"FiniteField" => Features::OTHER,
            _ => match crate::theory::lookup(word).and_then(|rows| rows.first()) {
                Some((op, _)) if op.row().is_arithmetic() => Features::default(),
                Some((op, _)) => op.row().logic.unwrap_or(Features::OTHER),
                None => Features::default(),
            },
        }
    }

    /// Whether `1` is a Real: if the logic has Reals and no integers.
    pub const fn numerals_are_real(self) -> bool {
        self.has(Features::REALS) && !self.has(Features::INTS)
    }
}

const ANY_ARRAYS: Features = Features::ARRAYS.with(Features::ANY_ARRAYS);

/// The words before arithmetic, in their order.
const WORDS: &[(&str, Features)] = &[
    ("AX", ANY_ARRAYS.with(Features::FUNCTIONS)),
    ("A", Features::ARRAYS),
    ("UF", Features::FUNCTIONS),
    ("BV", Features::BITVECTORS.with(Features::BITS)),
    ("FP", Features::FLOATS.with(Features::BITS)),
    ("DT", Features::DATATYPES),
    ("S", Features::STRINGS.with(Features::INTS)),
];

const DIFFERENCE: Features = Features::DIFFERENCES;
const LINEAR: Features = DIFFERENCE.with(Features::LINEAR);
const NONLINEAR: Features = LINEAR.with(Features::NONLINEAR);
const BOTH: Features = Features::INTS.with(Features::REALS);

/// Arithmetic, the longer words first.
const ARITHMETIC: &[(&str, Features)] = &[
    ("LIRA", LINEAR.with(BOTH)),
    ("NIRA", NONLINEAR.with(BOTH)),
    ("IDL", DIFFERENCE.with(Features::INTS)),
    ("RDL", DIFFERENCE.with(Features::REALS)),
    ("LIA", LINEAR.with(Features::INTS)),
    ("LRA", LINEAR.with(Features::REALS)),
    ("NIA", NONLINEAR.with(Features::INTS)),
    ("NRA", NONLINEAR.with(Features::REALS)),
];

fn optional<'a>(name: &'a str, word: &str, features: Features) -> (Features, &'a str) {
    match name.strip_prefix(word) {
        Some(rest) => (features, rest),
        None => (Features::default(), name),
    }
}

/// Removes the arithmetic part from the end of a name.
fn arithmetic(name: &str) -> (Features, &str) {
    let (transcendental, plain) = match name.strip_suffix('T') {
        Some(plain) => (Features::TRANSCENDENTAL, plain),
        None => (Features::default(), name),
    };
    let read = |(word, features): &(&str, Features)| {
        Some((features.with(transcendental), plain.strip_suffix(word)?))
    };
    ARITHMETIC.iter().find_map(read).unwrap_or((Features::default(), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Features {
        Features::of_logic(Some(name))
    }

    #[test]
    fn a_name_is_read_word_by_word() {
        assert_eq!(of("QF_UF"), Features::FUNCTIONS);
        assert_eq!(of("QF_IDL"), Features::INTS.with(Features::DIFFERENCES));
        assert_eq!(of("UFLIA"), Features::QUANTIFIERS.with(Features::FUNCTIONS).with(of("QF_LIA")));
        assert_eq!(of("QF_NRAT"), of("QF_NRA").with(Features::TRANSCENDENTAL));
        assert_eq!(
            of("QF_UFDT"),
            Features::FUNCTIONS.with(Features::DATATYPES),
            "no transcendental functions"
        );
        assert_eq!(of("HO_UFLIA"), of("UFLIA").with(Features::HIGHER_ORDER));
        assert_eq!(of("QF_AUFBVDTLIA").with(of("QF_DT")), of("QF_AUFBVDTLIA"));
    }

    #[test]
    fn a_larger_logic_allows_more() {
        let rising = [
            ["QF_IDL", "QF_LIA"],
            ["QF_LIA", "QF_NIA"],
            ["QF_NIA", "NIRA"],
            ["QF_S", "QF_SLIA"],
            ["QF_ABV", "QF_ABVFP"],
            ["QF_AX", "QF_AUFLIA"],
            ["AUFDTNIRA", "ALL"],
        ];
        for [small, large] in rising {
            assert!(of(large).has(of(small)) && !of(small).has(of(large)), "{small} {large}");
        }
    }

    #[test]
    fn no_logic_and_all_allow_everything_and_an_unknown_word_is_the_feature_other() {
        assert_eq!(Features::of_logic(None), Features::ALL);
        assert_eq!(of("HO_ALL"), of("ALL").with(Features::HIGHER_ORDER));
        assert_eq!(of("QF_FF"), Features::OTHER);
        assert!(of("HORN").has(Features::OTHER) && !of("HORN").has(Features::INTS));
    }

    #[test]
    fn numerals_are_reals_only_where_there_are_no_integers() {
        let real = ["QF_LRA", "NRA", "QF_RDL", "QF_UFNRA", "QF_BVFPLRA", "QF_NRAT"];
        assert!(real.iter().all(|name| of(name).numerals_are_real()));
        let not = ["QF_LIRA", "AUFNIRA", "QF_LIA", "QF_S", "ALL", "QF_UF", "LAMBDA"];
        assert!(not.iter().all(|name| !of(name).numerals_are_real()));
    }

    #[test]
    fn arrays_over_bit_vectors_are_allowed_where_others_are_not() {
        let mut pool = Pool::new();
        let bits = pool.sort_id(Sort::BitVec(8));
        let narrow = pool.sort_id(Sort::Array(bits, bits));
        let wide = pool.sort_id(Sort::Array(bits, SortId::BOOL));
        assert!(of("QF_ABV").has(Features::of_sort(&pool, narrow)));
        assert!(!of("QF_ABV").has(Features::of_sort(&pool, wide)));
        let numbers = pool.sort_id(Sort::Array(SortId::INT, SortId::INT));
        assert!(of("QF_ALIA").has(Features::of_sort(&pool, numbers)));
    }
}
