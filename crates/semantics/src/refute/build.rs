//! Builds terms by the names of operators.
//!
//! In: a name and arguments. Out: the typed term, or `None` if no row of the theory tables with that meaning accepts
//! the arguments. A name means what its rows evaluate to: `seq.len` of a string is the row of `str.len`, `set.member`
//! of z3's finite sets is the row of `set.in`. So one lemma schema covers all dialects of an operator, and equal
//! things are built as equal terms. Nothing here decides what is true.

use crate::eval::{SetForm, set_form};
use crate::value::rational::Rat;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::{Sort, SortId};
use smtlib::term::{DeclId, Index, IndicesId, Kind, Lit, Pool, Spelling, TermId};
use smtlib::theory::{self, OpId, rank};
use std::sync::LazyLock;

/// For each evaluation function, the rows that it evaluates.
static BY_EVAL: LazyLock<HashMap<&'static str, Vec<OpId>, FxBuildHasher>> = LazyLock::new(|| {
    let mut map: HashMap<&'static str, Vec<OpId>, FxBuildHasher> = HashMap::default();
    for (n, row) in theory::rows().iter().enumerate() {
        if let Some(eval) = row.eval {
            map.entry(eval).or_default().push(OpId(n as u16));
        }
    }
    map
});

/// For each name, the rows with the same meaning as a row of that name.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<OpId>, FxBuildHasher>> = LazyLock::new(|| {
    let mut map: HashMap<&'static str, Vec<OpId>, FxBuildHasher> = HashMap::default();
    for (n, row) in theory::rows().iter().enumerate() {
        let list = map.entry(row.name).or_default();
        match row.eval {
            Some(eval) => list.extend(&BY_EVAL[eval]),
            None => list.push(OpId(n as u16)),
        }
    }
    for list in map.values_mut() {
        list.sort_unstable();
        list.dedup();
    }
    map
});

/// The rows with the same meaning as a row of that name.
pub(super) fn rows_named(name: &str) -> &'static [OpId] {
    BY_NAME.get(name).map_or(&[], Vec::as_slice)
}

/// The name of the evaluation of an operator; its own name if it has none.
pub(super) fn meaning(op: OpId) -> &'static str {
    let row = op.row();
    row.eval.unwrap_or(row.name)
}

/// The meaning of a term's operator, if it has one.
pub(super) fn operator(pool: &Pool, term: TermId) -> Option<&'static str> {
    match pool.kind(term) {
        Kind::Op { op, .. } => Some(meaning(op)),
        _ => None,
    }
}

/// Whether an operator would give `(Set T)` the other of its two meanings: to z3 it is a map, to cvc5 a finite set. A term
/// of the other kind would make the script unclear to the evaluator, which looks at all terms.
fn is_of_other_sets(pool: &Pool, theory: &str) -> bool {
    match theory {
        "Z3Sets" => set_form(pool) != SetForm::Maps,
        "Sets" => set_form(pool) == SetForm::Maps,
        _ => false,
    }
}

fn apply(
    pool: &mut Pool,
    op: OpId,
    indices: IndicesId,
    args: &[TermId],
    given: Option<SortId>,
) -> Option<TermId> {
    let row = op.row();
    if row.qualified != given.is_some() || is_of_other_sets(pool, row.theory) {
        return None;
    }
    let sorts: Vec<SortId> = args.iter().map(|&a| pool.sort_of(a)).collect();
    let list = pool.index_list(indices).to_vec();
    let (sort, _) = rank::apply(pool, row, &list, &sorts, given, false, &mut |pool, index, _| match index {
        Index::Fun(decl) => {
            let decl = pool.decl(decl);
            Some(decl.params.iter().copied().chain([decl.result]).collect())
        }
        _ => None,
    })
    .ok()?;
    let kind = Kind::Op { op, spelling: Spelling::Canonical, indices, qualified: row.qualified };
    Some(pool.term(kind, sort, args))
}

/// An operator applied to terms.
pub(super) fn op(pool: &mut Pool, name: &str, args: &[TermId]) -> Option<TermId> {
    // Only the other sorts of the script distinguish z3's singletons from cvc5's.
    let z3_sets = name == "set.singleton" && pool.has_finite_sets();
    let mut rows = rows_named(name)
        .iter()
        .filter(|row| !z3_sets || matches!(row.row().result, theory::Pat::FiniteSet(_)));
    rows.find_map(|&row| apply(pool, row, IndicesId::NONE, args, None))
}

/// An operator with numerals as indices applied to terms.
pub(super) fn indexed(pool: &mut Pool, name: &str, indices: &[u64], args: &[TermId]) -> Option<TermId> {
    let indices = pool.indices(indices.iter().map(|&n| Index::Num(n)).collect());
    rows_named(name).iter().find_map(|&row| apply(pool, row, indices, args, None))
}

/// A qualified operator, such as `(as set.empty (Set Int))`.
pub(super) fn qualified(pool: &mut Pool, name: &str, args: &[TermId], sort: SortId) -> Option<TermId> {
    rows_named(name).iter().find_map(|&row| apply(pool, row, IndicesId::NONE, args, Some(sort)))
}

/// The same application with the first row that has the same meaning, so that there is one term for it.
pub(super) fn canonical(
    pool: &mut Pool,
    op: OpId,
    indices: IndicesId,
    args: &[TermId],
    sort: SortId,
) -> TermId {
    let row = op.row();
    let given = row.qualified.then_some(sort);
    let same = row.eval.map_or(&[] as &[OpId], |eval| BY_EVAL[eval].as_slice());
    for &candidate in same {
        if let Some(term) = apply(pool, candidate, indices, args, given)
            && pool.sort_of(term) == sort
        {
            return term;
        }
    }
    pool.term(Kind::Op { op, spelling: Spelling::Canonical, indices, qualified: row.qualified }, sort, args)
}

pub(super) fn not(pool: &mut Pool, term: TermId) -> TermId {
    match operator(pool, term) {
        Some("core_not") => pool.args(term)[0],
        Some("core_true") => pool.bool_literal(false),
        Some("core_false") => pool.bool_literal(true),
        _ => core(pool, "not", &[term]),
    }
}

pub(super) fn and(pool: &mut Pool, terms: &[TermId]) -> TermId {
    match terms {
        [] => pool.bool_literal(true),
        [one] => *one,
        _ => core(pool, "and", terms),
    }
}

pub(super) fn or(pool: &mut Pool, terms: &[TermId]) -> TermId {
    match terms {
        [] => pool.bool_literal(false),
        [one] => *one,
        _ => core(pool, "or", terms),
    }
}

pub(super) fn implies(pool: &mut Pool, a: TermId, b: TermId) -> TermId {
    core(pool, "=>", &[a, b])
}

/// An equation of two terms of one sort, the older one first.
pub(super) fn equal(pool: &mut Pool, a: TermId, b: TermId) -> TermId {
    if a == b {
        return pool.bool_literal(true);
    }
    core(pool, "=", &[a.min(b), a.max(b)])
}

fn core(pool: &mut Pool, name: &str, args: &[TermId]) -> TermId {
    let kind = Kind::Op {
        op: theory::constant(name),
        spelling: Spelling::Canonical,
        indices: IndicesId::NONE,
        qualified: false,
    };
    pool.term(kind, SortId::BOOL, args)
}

/// A function of the script applied.
pub(super) fn call(pool: &mut Pool, decl: DeclId, sort: SortId, args: &[TermId]) -> TermId {
    pool.term(Kind::Fun { decl, qualified: false }, sort, args)
}

/// A nonnegative number.
pub(super) fn numeral(pool: &mut Pool, value: u64, sort: SortId) -> TermId {
    if sort == SortId::REAL {
        let text = pool.symbol(format!("{value}.0").as_bytes());
        return pool.term(Kind::Lit(Lit::Decimal, text), sort, &[]);
    }
    let text = pool.symbol(value.to_string().as_bytes());
    pool.term(Kind::Lit(Lit::Numeral, text), SortId::INT, &[])
}

/// The empty value of a sort of collections.
pub(super) fn empty(pool: &mut Pool, sort: SortId) -> Option<TermId> {
    match pool.sort(sort) {
        Sort::String => {
            let text = pool.symbol(b"");
            Some(pool.term(Kind::Lit(Lit::String, text), sort, &[]))
        }
        Sort::Seq(_) => qualified(pool, "seq.empty", &[], sort),
        Sort::Set(_) | Sort::FiniteSet(_) => qualified(pool, "set.empty", &[], sort),
        Sort::Bag(_) => qualified(pool, "bag.empty", &[], sort),
        _ => None,
    }
}

/// A number as a term.
pub(super) fn number(pool: &mut Pool, value: &Rat, sort: SortId) -> Option<TermId> {
    let literal = |pool: &mut Pool, digits: &crate::value::int::Int| {
        let dot = if sort == SortId::REAL { ".0" } else { "" };
        let text = pool.symbol(format!("{}{dot}", digits.abs()).as_bytes());
        let lit = if sort == SortId::REAL { Lit::Decimal } else { Lit::Numeral };
        pool.term(Kind::Lit(lit, text), sort, &[])
    };
    let mut term = literal(pool, &value.numerator());
    if !value.is_int() {
        let below = literal(pool, &value.denominator());
        term = op(pool, "/", &[term, below])?;
    }
    if value.is_negative() { op(pool, "-", &[term]) } else { Some(term) }
}
