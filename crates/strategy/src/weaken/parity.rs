//! Parity: whether a weaker subterm makes the whole formula weaker or stronger, or whether that is unknown.
//!
//! Definition 6.3.2 of the thesis, for the whole language. Three sorts are ordered: Bool by implication, RegLan and
//! sets by inclusion. An operator that is not listed, the condition of an `ite`, what a `let` binds and the body of a
//! defined function have unknown parity: only an equivalence may be applied there.

use super::heads;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    Positive,
    Negative,
    Unknown,
}

/// How an operator maps the order of an argument to the order of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variance {
    Keeps,
    Reverses,
    Loses,
}

use Variance::{Keeps, Loses, Reverses};

/// Per operator the variance of its first arguments, and of all further ones.
const TABLE: &[(&str, &[Variance], Variance)] = &[
    ("and", &[], Keeps),
    ("or", &[], Keeps),
    ("not", &[Reverses], Loses),
    ("ite", &[Loses], Keeps),
    ("str.in_re", &[Loses, Keeps], Loses),
    ("re.++", &[], Keeps),
    ("re.union", &[], Keeps),
    ("re.inter", &[], Keeps),
    ("re.*", &[Keeps], Loses),
    ("re.+", &[Keeps], Loses),
    ("re.opt", &[Keeps], Loses),
    ("re.^", &[Keeps], Loses),
    ("re.loop", &[Keeps], Loses),
    ("re.comp", &[Reverses], Loses),
    ("re.diff", &[Keeps], Reverses),
    ("set.member", &[Loses, Keeps], Loses),
    ("set.subset", &[Reverses, Keeps], Loses),
    ("set.is_empty", &[Reverses], Loses),
    ("set.union", &[], Keeps),
    ("set.inter", &[], Keeps),
    ("set.minus", &[Keeps], Reverses),
];

/// An operator's row: the variance of its first arguments, and of all further ones.
type Row = (&'static [Variance], Variance);

static BY_OP: LazyLock<FxHashMap<u16, Row>> = LazyLock::new(|| {
    let known = |&(name, first, rest): &(&str, &'static [Variance], Variance)| {
        heads::named(name).map(|(_, op)| (op, (first, rest)))
    };
    TABLE.iter().filter_map(known).collect()
});

static IMPLIES: LazyLock<u16> = LazyLock::new(|| heads::named("=>").map_or(heads::OTHER, |(_, op)| op));

/// The variance of the n-th of `count` arguments.
pub fn variance(op: u16, n: usize, count: usize) -> Variance {
    match op {
        heads::FORALL | heads::EXISTS => Keeps,
        heads::LET if n + 1 == count => Keeps,
        heads::MATCH if n > 0 => Keeps,
        heads::ANNOTATION if n == 0 => Keeps,
        _ if op == *IMPLIES => {
            if n + 1 == count {
                Keeps
            } else {
                Reverses
            }
        }
        _ => BY_OP.get(&op).map_or(Loses, |&(first, rest)| first.get(n).copied().unwrap_or(rest)),
    }
}

impl Parity {
    /// The parity of an argument, given that of the application.
    pub fn under(self, variance: Variance) -> Parity {
        match (self, variance) {
            (Parity::Unknown, _) | (_, Loses) => Parity::Unknown,
            (parity, Keeps) => parity,
            (Parity::Positive, Reverses) => Parity::Negative,
            (Parity::Negative, Reverses) => Parity::Positive,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_of_the_table_exists() {
        assert_eq!(BY_OP.len(), TABLE.len());
        assert_ne!(*IMPLIES, heads::OTHER);
    }

    #[test]
    fn premises_reverse_parity_and_the_conclusion_preserves_it() {
        let parts: Vec<Variance> = (0..3).map(|n| variance(*IMPLIES, n, 3)).collect();
        assert_eq!(parts, [Reverses, Reverses, Keeps]);
    }
}
