//! The variants of the search: the rows of the paper's Table I.
//!
//! A variant says which objectives there are, which time counts, and how crowding is measured. *Only time* changes the
//! time objective to the target's own time and keeps the others: the paper says that its other policies are the
//! default's, and its complexity in Table I is that of the variants with three objectives. The two variants of
//! StringFuzz have one objective, so dominance is a plain order.

/// Which time is maximised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Eq. 1: the target's time and its lead over the reference.
    Score,
    /// The target's time.
    Target,
    /// The target's time without the reference's.
    Difference,
}

/// A row of Table I.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    pub name: &'static str,
    pub time: Time,
    pub coverage: bool,
    pub complexity: bool,
    /// Crowding by similarity of traces; otherwise by distance of scores, as in NSGA-II.
    pub by_trace: bool,
}

const DEFAULT: Variant =
    Variant { name: "default", time: Time::Score, coverage: true, complexity: true, by_trace: true };

const ONE: Variant = Variant { coverage: false, complexity: false, by_trace: false, ..DEFAULT };

pub const VARIANTS: [Variant; 7] = [
    DEFAULT,
    Variant { name: "only-time", time: Time::Target, ..DEFAULT },
    Variant { name: "no-coverage", coverage: false, ..DEFAULT },
    Variant { name: "no-complexity", complexity: false, ..DEFAULT },
    Variant { name: "default-crowding", by_trace: false, ..DEFAULT },
    Variant { name: "stringfuzz", time: Time::Target, ..ONE },
    Variant { name: "stringfuzz-difference", time: Time::Difference, ..ONE },
];

impl Variant {
    pub fn find(name: &str) -> Option<Variant> {
        VARIANTS.into_iter().find(|variant| variant.name == name)
    }
}
