//! How common an operator is: of the standard, a documented extension, or an exotic one.
//!
//! A bug in an operator of the standard concerns every user of a solver, one in an extension those who chose it, one in an
//! exotic extension few. Maintainers are asked for their time in that order. The standard is known from the theory tables;
//! what is exotic is a list here, with the reason for each entry.

use smtlib::term::Kind as Node;
use smtlib::term::TermId;
use smtlib::theory::Row;
use smtlib::{Script, theory};

/// From the most common to the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    Standard,
    Extension,
    Exotic,
}

/// Theories and operators that are exotic, each with the reason.
const EXOTIC: [(&str, &str); 9] = [
    ("SpecialRelations", "z3's special relations are known to be incomplete and rarely used"),
    ("Separation", "cvc5's separation logic is experimental"),
    ("Bags", "cvc5's bags are experimental and not in its default build options"),
    ("FiniteSets", "z3's finite sets are new and not documented yet"),
    ("Z3Sets", "z3's sets are arrays under another name, kept for old files"),
    ("FiniteFields", "finite fields need a build of cvc5 that few have"),
    ("int.pow2", "pow2 and the integer bit operations are experimental"),
    ("iand", "pow2 and the integer bit operations are experimental"),
    ("piand", "pow2 and the integer bit operations are experimental"),
];

impl Rank {
    pub fn word(self) -> &'static str {
        match self {
            Rank::Standard => "standard",
            Rank::Extension => "extension",
            Rank::Exotic => "exotic",
        }
    }

    /// The rank of an operator.
    pub fn of(row: &Row) -> Rank {
        if why_exotic(row).is_some() {
            Rank::Exotic
        } else if row.since.is_some() {
            Rank::Standard
        } else {
            Rank::Extension
        }
    }

    /// The rank of the least common operator of a script, and why if it is exotic.
    pub fn of_script(script: &Script) -> (Rank, Option<&'static str>) {
        let rows = || operators(script);
        let rank = rows().map(Rank::of).max().unwrap_or(Rank::Standard);
        (rank, rows().find_map(why_exotic))
    }
}

/// The operators of a script, with repetitions.
pub fn operators(script: &Script) -> impl Iterator<Item = &'static Row> + '_ {
    (0..script.pool.len() as u32).filter_map(|term| match script.pool.kind(TermId(term)) {
        Node::Op { op, .. } => Some(op.row()),
        _ => None,
    })
}

fn why_exotic(row: &Row) -> Option<&'static str> {
    EXOTIC.iter().find(|(name, _)| [row.name, row.theory].contains(name)).map(|&(_, why)| why)
}

/// The theories of the tables, in their order.
pub fn theories() -> Vec<&'static str> {
    let mut all: Vec<&str> = vec![];
    for row in theory::rows() {
        if !all.contains(&row.theory) {
            all.push(row.theory);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exotic_entry_is_a_theory_or_an_operator() {
        let theories = theories();
        for (name, _) in EXOTIC {
            let known = theories.contains(&name) || theory::rows().iter().any(|row| row.name == name);
            assert!(known, "{name}");
        }
    }

    #[test]
    fn a_script_has_the_rank_of_its_least_common_operator() {
        let rank = |text: &str| Rank::of_script(&Script::parse(text.as_bytes()).unwrap()).0;
        assert_eq!(rank("(declare-const x Int)(assert (= (mod x 2) 1))(check-sat)"), Rank::Standard);
        assert_eq!(rank("(declare-const s (Seq Int))(assert (= (seq.len s) 1))(check-sat)"), Rank::Extension);
        assert_eq!(rank("(declare-const x Int)(assert ((_ partial-order 0) x x))(check-sat)"), Rank::Exotic);
    }
}
