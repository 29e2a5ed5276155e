//! Which constants are defined by conjuncts, and how.
//!
//! `x = t` defines `x` if `x` does not occur in `t`. So does `t + x - 3 = u` after solving for `x`: the operations
//! between the equation and `x` are undone one by one, as far as each of them can be undone for all values of the
//! others (sums and differences, products of reals with a nonzero number, negation, exclusive or). Definitions are
//! never circular.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use smtlib::term::{DeclId, Index, Kind, Lit, Pool, Role, TermId};

/// How a constant is defined.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Truth(bool),
    /// The other side of an equation, with these operations undone, outermost first: a term and the argument of it
    /// that leads to the constant.
    Solved {
        other: TermId,
        undo: Vec<(TermId, usize)>,
    },
}

pub(super) type Definitions = HashMap<DeclId, Meaning, FxBuildHasher>;

/// Maximum number of operations between an equation and a constant.
const MAX_WAY: usize = 8;

/// Constants that a conjunct defines; conjuncts are given with the truth value they must have.
pub(super) fn definitions(pool: &Pool, conjuncts: &[(TermId, bool)]) -> Definitions {
    let mut found = Definitions::default();
    for &(term, truth) in conjuncts {
        if let Some(decl) = declared_constant(pool, term) {
            found.entry(decl).or_insert(Meaning::Truth(truth));
        }
    }
    // Plain definitions first: they make no term larger.
    for way in [0, MAX_WAY] {
        for &(term, truth) in conjuncts {
            let Kind::Op { op, .. } = pool.kind(term) else { continue };
            let (true, Some("core_eq"), &[a, b]) = (truth, op.row().eval, pool.args(term)) else { continue };
            for (side, other) in [(a, b), (b, a)] {
                if let Some((decl, undo)) = solved(pool, side, other, way, &found) {
                    found.insert(decl, Meaning::Solved { other, undo });
                    break;
                }
            }
        }
    }
    found
}

/// A constant on one side that can be solved for, and the path to it.
fn solved(
    pool: &Pool,
    side: TermId,
    other: TermId,
    longest: usize,
    known: &Definitions,
) -> Option<(DeclId, Vec<(TermId, usize)>)> {
    let mut waiting = vec![(side, vec![])];
    while let Some((term, undo)) = waiting.pop() {
        if let Some(decl) = declared_constant(pool, term) {
            let rest = undo.iter().flat_map(|&(term, at): &(TermId, usize)| siblings(pool, term, at));
            let free = |term: TermId| !mentions(pool, term, decl, known);
            if !known.contains_key(&decl) && free(other) && rest.clone().all(free) {
                return Some((decl, undo));
            }
            continue;
        }
        if undo.len() >= longest {
            continue;
        }
        for (at, &arg) in pool.args(term).iter().enumerate() {
            if can_be_undone(pool, term, at) {
                let mut further = undo.clone();
                further.push((term, at));
                waiting.push((arg, further));
            }
        }
    }
    None
}

/// The other arguments.
pub(super) fn siblings(pool: &Pool, term: TermId, at: usize) -> Vec<TermId> {
    pool.args(term).iter().enumerate().filter(|(n, _)| *n != at).map(|(_, &arg)| arg).collect()
}

fn can_be_undone(pool: &Pool, term: TermId, at: usize) -> bool {
    let Kind::Op { op, .. } = pool.kind(term) else { return false };
    match op.row().eval.unwrap_or("") {
        "int_add" | "int_sub" | "int_neg" | "real_add" | "real_sub" | "real_neg" => true,
        "bv_add" | "bv_sub" | "bv_neg" | "bv_not" | "bv_xor" => true,
        "real_mul" => siblings(pool, term, at).into_iter().all(|other| is_nonzero(pool, other)),
        _ => false,
    }
}

/// Whether a term is a nonzero literal number.
fn is_nonzero(pool: &Pool, term: TermId) -> bool {
    match pool.kind(term) {
        Kind::Lit(Lit::Numeral | Lit::Decimal, text) => {
            pool.bytes(text).iter().any(|digit| (b'1'..=b'9').contains(digit))
        }
        Kind::Op { op, .. } if matches!(op.row().eval, Some("real_neg" | "int_to_real" | "int_neg")) => {
            pool.args(term).iter().all(|&arg| is_nonzero(pool, arg))
        }
        _ => false,
    }
}

fn declared_constant(pool: &Pool, term: TermId) -> Option<DeclId> {
    match pool.kind(term) {
        Kind::Fun { decl, .. } => {
            let declared = pool.decl(decl);
            (matches!(declared.role, Role::Declared) && declared.params.is_empty()).then_some(decl)
        }
        Kind::Annot(_) => declared_constant(pool, *pool.args(term).first()?),
        _ => None,
    }
}

/// Whether a constant occurs in a term, with definitions unfolded.
fn mentions(pool: &Pool, term: TermId, sought: DeclId, known: &Definitions) -> bool {
    let mut seen = HashSet::new();
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        for decl in named_by(pool, term) {
            if decl == sought {
                return true;
            }
            match (pool.decl(decl).role.clone(), known.get(&decl)) {
                (Role::Defined { body, .. } | Role::Named(body), _) => waiting.push(body),
                (_, Some(Meaning::Solved { other, undo })) => {
                    waiting.push(*other);
                    waiting.extend(undo.iter().flat_map(|&(term, at)| siblings(pool, term, at)));
                }
                _ => {}
            }
        }
        waiting.extend(pool.args(term));
    }
    false
}

/// The functions that a node itself mentions.
pub(super) fn named_by(pool: &Pool, term: TermId) -> Vec<DeclId> {
    match pool.kind(term) {
        Kind::Fun { decl, .. } => vec![decl],
        Kind::Op { indices, .. } => {
            let mut found = vec![];
            for index in pool.index_list(indices) {
                match index {
                    Index::Fun(decl) => found.push(*decl),
                    Index::Text(name) => {
                        let all = pool.decls.iter().enumerate().filter(|(_, decl)| decl.name == *name);
                        found.extend(all.map(|(n, _)| DeclId(n as u32)));
                    }
                    _ => {}
                }
            }
            found
        }
        _ => vec![],
    }
}
