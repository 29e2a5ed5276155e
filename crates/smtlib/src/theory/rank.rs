//! Decides whether a row accepts given arguments, and computes its result sort.
//!
//! Matching binds the row's numeric variables and sort parameters from the indices and the argument sorts, left to
//! right, checks the guard and builds the result sort. With `promote`, an Int is accepted where a Real is expected, as
//! solvers allow; the caller then wraps that argument in an implicit `to_real`.

use super::row::{Assoc, Cond, IndexVar, Num, Pat, Row};
use crate::sort::{Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{Index, Pool};

const NUMS: usize = 8;
const SORTS: usize = 8;

/// The bindings so far.
#[derive(Clone, Copy)]
pub struct Binding {
    nums: [Option<u64>; NUMS],
    sorts: [Option<SortId>; SORTS],
    /// The order of a finite field.
    field: Option<Symbol>,
    /// A tuple sort matched by `(Tuple *)`.
    tuple: Option<SortId>,
    promote: bool,
}

/// How a function index is resolved: name of the index, argument sorts where known → its rank, result last.
pub type Resolve<'r> = &'r mut dyn FnMut(&mut Pool, Index, &[Option<SortId>]) -> Option<Vec<SortId>>;

/// Why a row does not accept the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    Count,
    Indices,
    Argument(usize),
    Guard,
    Result,
}

/// Matches a row against indices and argument sorts; on success returns the result sort and the binding. `given` is
/// the sort of an `as` qualifier.
pub fn apply(
    pool: &mut Pool,
    row: &Row,
    indices: &[Index],
    args: &[SortId],
    given: Option<SortId>,
    promote: bool,
    resolve: Resolve<'_>,
) -> Result<(SortId, Binding), Mismatch> {
    if !row.takes(args.len()) {
        return Err(Mismatch::Count);
    }
    let mut binding = Binding { nums: [None; NUMS], sorts: [None; SORTS], field: None, tuple: None, promote };
    bind_indices(row, indices, &mut binding)?;
    if let Some(given) = given
        && !row.result.unify(pool, given, &mut binding)
    {
        return Err(Mismatch::Result);
    }
    if row.assoc == Assoc::Left && args.len() > 2 && matches!(row.result, Pat::BitVec(Num::Add(..))) {
        return concat_width(pool, args).map(|sort| (sort, binding));
    }
    for (n, &arg) in args.iter().enumerate() {
        if !row.arg_pattern(n, args.len()).unify(pool, arg, &mut binding) {
            return Err(Mismatch::Argument(n));
        }
    }
    if let Some(guard) = &row.guard
        && !guard.holds(pool, indices, &mut binding, resolve)
    {
        return Err(Mismatch::Guard);
    }
    let result = row.result.build(pool, &binding).ok_or(Mismatch::Result)?;
    Ok((result, binding))
}

/// The sort that a row expects for its n-th argument, given the arguments before it.
pub fn expected(pool: &mut Pool, row: &Row, indices: &[Index], args: &[SortId], n: usize) -> Option<SortId> {
    let mut binding =
        Binding { nums: [None; NUMS], sorts: [None; SORTS], field: None, tuple: None, promote: true };
    bind_indices(row, indices, &mut binding).ok()?;
    for (m, &arg) in args[..n].iter().enumerate() {
        row.arg_pattern(m, args.len()).unify(pool, arg, &mut binding);
    }
    row.arg_pattern(n, args.len()).build(pool, &binding)
}

/// A possible result sort of the row, for messages: parameters are Int, numbers are 8.
pub fn example(pool: &mut Pool, row: &Row) -> Option<SortId> {
    let field = pool.symbol(b"7");
    let binding = Binding {
        nums: [Some(8); NUMS],
        sorts: [Some(SortId::INT); SORTS],
        field: Some(field),
        tuple: None,
        promote: false,
    };
    row.result.build(pool, &binding)
}

/// `concat` of more than two arguments: the widths add up.
fn concat_width(pool: &mut Pool, args: &[SortId]) -> Result<SortId, Mismatch> {
    let mut total = 0u32;
    for (n, &arg) in args.iter().enumerate() {
        let Sort::BitVec(width) = *pool.sort(arg) else { return Err(Mismatch::Argument(n)) };
        total = total.checked_add(width).ok_or(Mismatch::Result)?;
    }
    Ok(pool.bitvec(total))
}

fn bind_indices(row: &Row, indices: &[Index], binding: &mut Binding) -> Result<(), Mismatch> {
    let open = row.indices.last() == Some(&IndexVar::Rest);
    let fixed = row.indices.len() - usize::from(open);
    if indices.len() < fixed || (!open && indices.len() > fixed) {
        return Err(Mismatch::Indices);
    }
    for (var, index) in row.indices.iter().zip(indices) {
        match (var, index) {
            (IndexVar::Num(n), Index::Num(value)) => binding.nums[*n as usize] = Some(*value),
            (IndexVar::Num(_), _) | (IndexVar::Sym(_), Index::Num(_)) => return Err(Mismatch::Indices),
            (IndexVar::Sym(_) | IndexVar::Rest, _) => {}
        }
    }
    Ok(())
}

impl Binding {
    /// The sort that a pattern denotes under this binding.
    pub fn sort(&self, pool: &mut Pool, pattern: &Pat) -> Option<SortId> {
        pattern.build(pool, self)
    }
}

impl Num {
    fn value(&self, binding: &Binding) -> Option<u64> {
        match self {
            Num::Const(value) => Some(*value),
            Num::Var(n) => binding.nums[*n as usize],
            Num::Add(a, b) => a.value(binding)?.checked_add(b.value(binding)?),
            Num::Sub(a, b) => a.value(binding)?.checked_sub(b.value(binding)?),
            Num::Mul(a, b) => a.value(binding)?.checked_mul(b.value(binding)?),
        }
    }

    fn unify(&self, number: u64, binding: &mut Binding) -> bool {
        match self {
            Num::Var(n) => match binding.nums[*n as usize] {
                Some(bound) => bound == number,
                None => {
                    binding.nums[*n as usize] = Some(number);
                    true
                }
            },
            _ => self.value(binding) == Some(number),
        }
    }
}

impl Cond {
    fn holds(&self, pool: &mut Pool, indices: &[Index], binding: &mut Binding, resolve: Resolve<'_>) -> bool {
        let pair = |a: &Num, b: &Num, binding: &Binding| Some((a.value(binding)?, b.value(binding)?));
        match self {
            Cond::Eq(a, b) => pair(a, b, binding).is_some_and(|(a, b)| a == b),
            Cond::Lt(a, b) => pair(a, b, binding).is_some_and(|(a, b)| a < b),
            Cond::Le(a, b) => pair(a, b, binding).is_some_and(|(a, b)| a <= b),
            Cond::And(parts) => parts.iter().all(|part| part.holds(pool, indices, binding, resolve)),
            Cond::Or(parts) => parts.iter().any(|part| part.holds(pool, indices, binding, resolve)),
            Cond::Not(part) => !part.holds(pool, indices, binding, resolve),
            Cond::Fun(index, patterns) => {
                let Some(&index) = indices.get(*index as usize) else { return false };
                let Some((result, params)) = patterns.split_last() else { return false };
                let known: Vec<_> = params.iter().map(|p| p.build(pool, binding)).collect();
                let Some(rank) = resolve(pool, index, &known) else { return false };
                rank.len() == patterns.len()
                    && patterns[..params.len()]
                        .iter()
                        .chain([result])
                        .zip(rank)
                        .all(|(pattern, sort)| pattern.unify(pool, sort, binding))
            }
        }
    }
}

impl Pat {
    /// Whether a sort matches; binds the unbound variables.
    pub fn unify(&self, pool: &Pool, sort: SortId, binding: &mut Binding) -> bool {
        match self {
            Pat::Bool => sort == SortId::BOOL,
            Pat::Int => sort == SortId::INT,
            Pat::Real => sort == SortId::REAL || (binding.promote && sort == SortId::INT),
            Pat::String => sort == SortId::STRING,
            Pat::RegLan => sort == SortId::REGLAN,
            Pat::RoundingMode => sort == SortId::ROUNDING_MODE,
            Pat::Var(n) => unify_param(*n as usize, sort, binding),
            _ => self.unify_compound(pool, sort, binding),
        }
    }

    fn unify_compound(&self, pool: &Pool, sort: SortId, binding: &mut Binding) -> bool {
        let all = |patterns: &[Pat], sorts: &[SortId], binding: &mut Binding| {
            patterns.len() == sorts.len()
                && patterns.iter().zip(sorts).all(|(pattern, &sort)| pattern.unify(pool, sort, binding))
        };
        match (self, pool.sort(sort)) {
            (Pat::Char, Sort::Char) => true,
            (Pat::BitVec(width), Sort::BitVec(w)) => width.unify(u64::from(*w), binding),
            (Pat::Float(e, s), Sort::Float { eb, sb }) => {
                e.unify(u64::from(*eb), binding) && s.unify(u64::from(*sb), binding)
            }
            (Pat::Array(i, e), Sort::Array(index, element)) => {
                i.unify(pool, *index, binding) && e.unify(pool, *element, binding)
            }
            // z3 reads (Set T) as (Array T Bool).
            (Pat::Array(i, e), Sort::Set(element)) => {
                i.unify(pool, *element, binding) && e.unify(pool, SortId::BOOL, binding)
            }
            (Pat::MultiArray(patterns), Sort::MultiArray(sorts)) => all(patterns, sorts, binding),
            (Pat::Seq(p), Sort::Seq(s))
            | (Pat::Set(p), Sort::Set(s))
            | (Pat::FiniteSet(p), Sort::FiniteSet(s))
            | (Pat::Bag(p), Sort::Bag(s))
            | (Pat::Nullable(p), Sort::Nullable(s)) => p.unify(pool, *s, binding),
            (Pat::Field(_), Sort::Field(order)) => *binding.field.get_or_insert(*order) == *order,
            (Pat::Tuple(patterns), Sort::Tuple(sorts)) | (Pat::Fun(patterns), Sort::Fun(sorts)) => {
                all(patterns, sorts, binding)
            }
            (Pat::AnyTuple, Sort::Tuple(_)) => *binding.tuple.get_or_insert(sort) == sort,
            _ => false,
        }
    }

    /// The sort that the pattern denotes, if all of it is bound.
    pub fn build(&self, pool: &mut Pool, binding: &Binding) -> Option<SortId> {
        let narrow = |number: &Num| u32::try_from(number.value(binding)?).ok();
        let sort = match self {
            Pat::Bool => return Some(SortId::BOOL),
            Pat::Int => return Some(SortId::INT),
            Pat::Real => return Some(SortId::REAL),
            Pat::String => return Some(SortId::STRING),
            Pat::RegLan => return Some(SortId::REGLAN),
            Pat::RoundingMode => return Some(SortId::ROUNDING_MODE),
            Pat::Var(n) => return binding.sorts[*n as usize],
            Pat::AnyTuple => return binding.tuple,
            Pat::Char => Sort::Char,
            Pat::BitVec(width) => Sort::BitVec(narrow(width).filter(|&w| w > 0)?),
            Pat::Float(eb, sb) => Sort::Float { eb: narrow(eb)?, sb: narrow(sb)? },
            Pat::Array(index, element) => {
                Sort::Array(index.build(pool, binding)?, element.build(pool, binding)?)
            }
            Pat::MultiArray(parts) => Sort::MultiArray(build_all(parts, pool, binding)?),
            Pat::Seq(element) => Sort::Seq(element.build(pool, binding)?),
            Pat::Set(element) => Sort::Set(element.build(pool, binding)?),
            Pat::FiniteSet(element) => Sort::FiniteSet(element.build(pool, binding)?),
            Pat::Bag(element) => Sort::Bag(element.build(pool, binding)?),
            Pat::Nullable(element) => Sort::Nullable(element.build(pool, binding)?),
            Pat::Field(_) => Sort::Field(binding.field?),
            Pat::Tuple(parts) => Sort::Tuple(build_all(parts, pool, binding)?),
            Pat::Fun(parts) => Sort::Fun(build_all(parts, pool, binding)?),
        };
        Some(pool.sort_id(sort))
    }
}

fn build_all(parts: &[Pat], pool: &mut Pool, binding: &Binding) -> Option<Box<[SortId]>> {
    parts.iter().map(|part| part.build(pool, binding)).collect()
}

fn unify_param(n: usize, sort: SortId, binding: &mut Binding) -> bool {
    match binding.sorts[n] {
        None => {
            binding.sorts[n] = Some(sort);
            true
        }
        Some(bound) if bound == sort => true,
        Some(SortId::REAL) => binding.promote && sort == SortId::INT,
        Some(SortId::INT) if binding.promote && sort == SortId::REAL => {
            binding.sorts[n] = Some(sort);
            true
        }
        Some(_) => false,
    }
}
