//! Which operators of the theory tables accept given arguments.
//!
//! A name is resolved exactly as the parser resolves it: the first row of that name that accepts the argument sorts,
//! then the first that accepts them with Ints promoted. So no operator is offered that would be parsed as another row
//! than intended.

use super::logic::{Logic, Reach};
use super::places::{Number, Places, solvers};
use smtlib::term::Index;
use smtlib::theory::row::IndexVar;
use smtlib::theory::{self, Arith, OpId, Pat, Row, rank};
use smtlib::{Pool, Sort, SortId};
use std::sync::LazyLock;

/// The names that mutators may write, each once, in table order.
static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let mut names: Vec<Name> = vec![];
    for row in theory::rows().iter().filter(|row| is_writable(row)) {
        match names.iter_mut().find(|name| name.text == row.name) {
            Some(name) => name.rows.push(row),
            None => names.push(Name { text: row.name, rows: vec![row] }),
        }
    }
    names
});

/// An operator's name with the rows that mutators may write under it.
pub struct Name {
    pub text: &'static str,
    pub rows: Vec<&'static Row>,
}

pub fn names() -> &'static [Name] {
    &NAMES
}

/// Whether mutators write this row at all: its indices must be numerals, and it must be identified by its name alone.
pub fn is_writable(row: &Row) -> bool {
    let plain = row.indices.iter().all(|index| matches!(index, IndexVar::Num(_)));
    // A new argument may be any term, so a row that requires a constant is left out.
    row.mutable
        && !row.qualified
        && plain
        && row.constant.is_none()
        && !row.by.as_ref().is_some_and(Vec::is_empty)
}

/// The row that a name with indices means on arguments of these sorts, and its result sort.
pub fn resolve(pool: &mut Pool, name: &str, indices: &[Index], args: &[SortId]) -> Option<(OpId, SortId)> {
    let rows = theory::lookup(name.as_bytes())?;
    let mut never = |_: &mut Pool, _: Index, _: &[Option<SortId>]| None;
    for promote in [false, true] {
        for &(op, _) in rows {
            let row = op.row();
            if row.qualified || !row.takes(args.len()) {
                continue;
            }
            if let Ok((sort, _)) = rank::apply(pool, row, indices, args, None, promote, &mut never) {
                return Some((op, sort));
            }
        }
    }
    None
}

/// Whether a sort can match a pattern. Only the outermost constructor is considered.
pub fn could_be(pool: &Pool, pattern: &Pat, sort: SortId) -> bool {
    match (pattern, pool.sort(sort)) {
        (Pat::Var(_), _) => true,
        (Pat::Bool, found) => *found == Sort::Bool,
        (Pat::Int, found) => *found == Sort::Int,
        // An Int may be promoted.
        (Pat::Real, found) => matches!(found, Sort::Real | Sort::Int),
        (Pat::String, found) => *found == Sort::String,
        (Pat::RegLan, found) => *found == Sort::RegLan,
        (Pat::RoundingMode, found) => *found == Sort::RoundingMode,
        (Pat::Char, found) => *found == Sort::Char,
        (Pat::BitVec(_), Sort::BitVec(_))
        | (Pat::Float(..), Sort::Float { .. })
        | (Pat::Array(..), Sort::Array(..) | Sort::Set(_))
        | (Pat::MultiArray(_), Sort::MultiArray(_))
        | (Pat::Seq(_), Sort::Seq(_))
        | (Pat::Set(_), Sort::Set(_))
        | (Pat::FiniteSet(_), Sort::FiniteSet(_))
        | (Pat::Bag(_), Sort::Bag(_))
        | (Pat::Nullable(_), Sort::Nullable(_))
        | (Pat::Field(_), Sort::Field(_))
        | (Pat::Tuple(_) | Pat::AnyTuple, Sort::Tuple(_))
        | (Pat::Fun(_), Sort::Fun(_)) => true,
        _ => false,
    }
}

/// Which rows a seed's mutants may use.
#[derive(Clone, Copy, Debug)]
pub struct Admission {
    /// The solvers that must accept every operator, unless the seed already uses one that they lack.
    pub solvers: u8,
}

impl Default for Admission {
    fn default() -> Admission {
        Admission { solvers: solvers::BOTH }
    }
}

impl Admission {
    /// Whether a row may be written into a mutant of this seed, and how far outside the seed's logic it is.
    pub fn admits(&self, places: &Places, row: &Row) -> Option<Reach> {
        let wanted = match self.solvers & places.takers {
            0 => places.takers,
            wanted => wanted,
        };
        if !is_writable(row)
            || solvers::of(row.by.as_deref()) & wanted != wanted
            || places.is_taken(row.name.as_bytes())
        {
            return None;
        }
        places.logic.reach(row, &places.theories)
    }
}

/// Whether an application is linear. A division by zero is not, because its value is unspecified.
pub fn is_linear(row: &Row, args: &[Number]) -> bool {
    match row.arith {
        Some(Arith::Product) => args.iter().filter(|arg| **arg == Number::Not).count() <= 1,
        Some(Arith::Quotient) => args.iter().skip(1).all(|arg| *arg == Number::Other),
        _ => true,
    }
}

/// How far an application is outside a linear logic.
pub fn linear_reach(logic: &Logic, row: &Row, args: &[Number]) -> Reach {
    if !logic.is_linear() || !row.is_arithmetic() {
        return Reach::Inside;
    }
    if logic.is_difference() && row.arith != Some(Arith::Comparison) {
        return Reach::Nonlinear;
    }
    if is_linear(row, args) { Reach::Inside } else { Reach::Nonlinear }
}

/// The head of an application as text: the name, with its indices if there are any.
pub fn head_text(name: &str, indices: &[Index]) -> Option<Vec<u8>> {
    if indices.is_empty() {
        return Some(name.as_bytes().to_vec());
    }
    let mut text = format!("(_ {name}");
    for index in indices {
        let Index::Num(number) = index else { return None };
        text.push(' ');
        text.push_str(&number.to_string());
    }
    text.push(')');
    Some(text.into_bytes())
}

/// Lists of indices worth trying for a row: the given ones, if their number is right; else small numbers and `hints`.
pub fn index_choices(row: &Row, given: &[Index], hints: &[u64]) -> Vec<Vec<Index>> {
    let count = row.indices.len();
    if count == 0 {
        return vec![vec![]];
    }
    if given.len() == count && given.iter().all(|index| matches!(index, Index::Num(_))) {
        return vec![given.to_vec()];
    }
    let mut numbers: Vec<u64> = vec![0, 1, 2];
    numbers.extend_from_slice(hints);
    numbers.sort_unstable();
    numbers.dedup();
    let mut lists: Vec<Vec<Index>> = vec![vec![]];
    for _ in 0..count {
        lists = lists
            .iter()
            .flat_map(|list| {
                numbers.iter().map(move |&number| {
                    let mut longer = list.clone();
                    longer.push(Index::Num(number));
                    longer
                })
            })
            .collect();
    }
    lists
}

/// Numbers that occur in a sort and are worth trying as indices.
pub fn numbers_of(pool: &Pool, sort: SortId) -> Vec<u64> {
    match *pool.sort(sort) {
        Sort::BitVec(width) => vec![u64::from(width), u64::from(width - 1), u64::from(width / 2)],
        Sort::Float { eb, sb } => vec![u64::from(eb), u64::from(sb)],
        _ => vec![],
    }
}
