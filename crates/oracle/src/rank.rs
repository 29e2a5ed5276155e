//! How common an operator is: of the standard, a documented extension, or an exotic one.
//!
//! A bug in an operator of the standard concerns every user of a solver, one in an extension those who chose it, one in an
//! exotic extension few. Maintainers are asked for their time in that order. The standard is known from the theory tables;
//! what is exotic is a list here, with the reason for each entry. Which theories a script uses is told here too.

use smtlib::sort::{Sort, SortId};
use smtlib::term::{Kind as Node, Role};
use smtlib::term::{Pool, TermId};
use smtlib::theory::Row;
use smtlib::{Script, theory};
use std::collections::BTreeSet;

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

/// The theories whose operators occur, but for the connectives, which are everywhere.
pub fn theories_of_operators(script: &Script) -> BTreeSet<&'static str> {
    let of = |term| match script.pool.kind(TermId(term)) {
        Node::Op { op, .. } if op.row().theory != "Core" => Some(op.row().theory),
        Node::Quant(..) => Some("Quantifiers"),
        _ => None,
    };
    (0..script.pool.len() as u32).filter_map(of).collect()
}

/// The theories that a script uses, by its operators, by the sorts of its terms, and by functions of its own.
pub fn theories_of(script: &Script) -> BTreeSet<&'static str> {
    let pool = &script.pool;
    let mut all = theories_of_operators(script);
    for term in (0..pool.len() as u32).map(TermId) {
        all.extend(theory_of_sort(pool, pool.sort_of(term)));
        if let Node::Fun { decl, .. } = pool.kind(term)
            && !pool.args(term).is_empty()
            && matches!(pool.decl(decl).role, Role::Declared)
        {
            all.insert("Functions");
        }
    }
    all
}

/// The theory that a sort belongs to; none for `Bool`, declared sorts, and sorts of several theories.
fn theory_of_sort(pool: &Pool, sort: SortId) -> Option<&'static str> {
    match pool.sort(sort) {
        Sort::Int => Some("Ints"),
        Sort::Real => Some("Reals"),
        Sort::String | Sort::RegLan => Some("Strings"),
        Sort::RoundingMode | Sort::Float { .. } => Some("FloatingPoint"),
        Sort::BitVec(_) => Some("FixedSizeBitVectors"),
        Sort::Array(..) | Sort::MultiArray(_) => Some("ArraysEx"),
        Sort::Seq(_) => Some("Sequences"),
        Sort::FiniteSet(_) => Some("FiniteSets"),
        Sort::Bag(_) => Some("Bags"),
        Sort::Field(_) => Some("FiniteFields"),
        Sort::Fun(_) => Some("HO-Core"),
        Sort::Declared(..) => pool.datatype(sort).map(|_| "Datatypes"),
        Sort::Tuple(_) | Sort::Nullable(_) => Some("Datatypes"),
        Sort::Bool | Sort::Set(_) | Sort::Char | Sort::Param(_) => None,
    }
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
    fn a_script_uses_the_theories_of_its_operators_sorts_and_functions() {
        let used = |text: &str| {
            let script = Script::parse(text.as_bytes()).unwrap();
            theories_of(&script).into_iter().collect::<Vec<_>>()
        };
        assert_eq!(used("(declare-const p Bool)(assert (or p (not p)))(check-sat)"), Vec::<&str>::new());
        assert_eq!(
            used("(declare-const x Real)(declare-const y Real)(assert (= x y))(check-sat)"),
            ["Reals"]
        );
        assert_eq!(
            used("(declare-const s String)(assert (= (str.len s) 1))(check-sat)"),
            ["Ints", "Strings"],
            "a length is a number"
        );
        assert_eq!(
            used(
                "(declare-datatype D ((c)))(declare-fun f (D) Bool)(assert (forall ((x D)) (f x)))(check-sat)"
            ),
            ["Datatypes", "Functions", "Quantifiers"]
        );
        for name in used(
            "(declare-const a (Array Int Real))(declare-const v (_ BitVec 4))(declare-const r RoundingMode)\
             (declare-const s (Seq Int))(declare-const b (Bag Int))\
             (assert (and (= a a) (= v v) (= r r) (= s s) (= b b)))(check-sat)",
        ) {
            assert!(theories().contains(&name), "{name} is a name of the tables");
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
