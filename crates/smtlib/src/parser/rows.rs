//! Operators: which row of the theory tables accepts the arguments.
//!
//! Rows of one name are tried in the order of the table, first unchanged, then with Int promoted to Real, then with
//! functions read as arrays. The first row that accepts the arguments determines the sort of the result. This is the
//! innermost part of parsing, so the results for arguments of one sort are cached ([`Ranks`]), and buffers are reused
//! instead of allocating lists.

use super::Parser;
use super::apply::Arg;
use super::identifiers::index_symbol;
use crate::error::{Error, ErrorKind};
use crate::sort::{Sort, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{DeclId, Index, IndicesId, Kind, Pool, Spelling, TermId};
use crate::theory::{self, OpId, Overloads, Row, rank};

/// An application of an operator, as the source writes it: the name with its indices and its `(as … sort)`, the
/// arguments, and the rows that have this name.
pub(super) struct Application<'a> {
    pub(super) name: Symbol,
    pub(super) rows: &'a Overloads,
    pub(super) indices: IndicesId,
    /// The sort of the qualifier.
    pub(super) given: Option<SortId>,
    pub(super) span: Span,
    pub(super) args: &'a [Arg],
}

impl Parser<'_> {
    pub(super) fn apply_rows(&mut self, application: &Application<'_>) -> Result<TermId, Error> {
        let args = application.args;
        let mut buffer = [SortId::BOOL; 8];
        let heap: Vec<SortId>;
        let sorts: &[SortId] = if args.len() <= buffer.len() {
            for (slot, &(arg, _)) in buffer.iter_mut().zip(args) {
                *slot = self.pool.sort_of(arg);
            }
            &buffer[..args.len()]
        } else {
            heap = self.sorts_of(args);
            &heap
        };
        for promote in [false, true] {
            for &(op, spelling) in application.rows {
                if self.pool.has_finite_sets() && makes_set(op.row()) {
                    continue;
                }
                if let Some(term) = self.apply_row(op, spelling, application, sorts, promote)? {
                    return Ok(term);
                }
            }
        }
        if let Some(term) = self.apply_rows_to_functions(application)? {
            return Ok(term);
        }
        Err(self.row_error(application))
    }

    /// The term, if the row accepts arguments of these sorts.
    fn apply_row(
        &mut self,
        op: OpId,
        spelling: Spelling,
        application: &Application<'_>,
        sorts: &[SortId],
        promote: bool,
    ) -> Result<Option<TermId>, Error> {
        let &Application { indices, given, args, .. } = application;
        let row = op.row();
        if !row.takes(args.len()) || (row.qualified && given.is_none()) {
            return Ok(None);
        }
        let uniform =
            uniform_sort(sorts).filter(|_| indices == IndicesId::NONE && given.is_none() && !promote);
        if let Some(result) = uniform.and_then(|sort| self.ranks.find(op, sort, sorts.len())) {
            let kind = Kind::Op { op, spelling, indices, qualified: false };
            return Ok(Some(self.operator_term(kind, result, args)));
        }
        let index_list: Vec<Index>;
        let index_slice: &[Index] = if indices == IndicesId::NONE {
            &[]
        } else {
            index_list = self.pool.index_list(indices).to_vec();
            &index_list
        };
        let scope = &mut self.scope;
        let mut meant: Option<(Index, DeclId)> = None;
        let mut resolve = |pool: &mut Pool, index: Index, known: &[Option<SortId>]| {
            let (rank, decl) = function_rank(pool, scope, index, known)?;
            meant = decl.map(|decl| (index, decl));
            Some(rank)
        };
        let matched = rank::apply(&mut self.pool, row, index_slice, sorts, given, promote, &mut resolve);
        let Ok((result, binding)) = matched else { return Ok(None) };
        let indices = match meant {
            Some(meant) => self.with_function(indices, meant),
            None => indices,
        };
        self.check_width(result, args)?;
        if let Some(sort) = uniform {
            self.ranks.remember(op, sort, sorts.len(), result);
        }
        let mut terms = self.argument_list(args);
        if promote {
            for n in 0..terms.len() {
                let expected = binding.sort(&mut self.pool, row.arg_pattern(n, args.len()));
                if expected == Some(SortId::REAL) && sorts[n] == SortId::INT {
                    terms[n] = self.promote(terms[n]);
                }
            }
        }
        let kind = Kind::Op { op, spelling, indices, qualified: given.is_some() };
        let term = self.pool.term(kind, result, &terms);
        self.scratch = terms;
        Ok(Some(term))
    }

    /// Indices with the function that one of them names: another one may have that name elsewhere. A name with its rank
    /// stays as it is written.
    fn with_function(&mut self, indices: IndicesId, (index, decl): (Index, DeclId)) -> IndicesId {
        let plain = matches!(index, Index::Text(text) if !self.pool.bytes(text).starts_with(b"("));
        let own = |&other: &Index| if other == index { Index::Fun(decl) } else { other };
        let list: Box<[Index]> = self.pool.index_list(indices).iter().map(own).collect();
        if plain { self.pool.indices(list) } else { indices }
    }

    fn operator_term(&mut self, kind: Kind, sort: SortId, args: &[Arg]) -> TermId {
        let terms = self.argument_list(args);
        let term = self.pool.term(kind, sort, &terms);
        self.scratch = terms;
        term
    }

    pub(super) fn sorts_of(&self, args: &[Arg]) -> Vec<SortId> {
        args.iter().map(|&(arg, _)| self.pool.sort_of(arg)).collect()
    }

    /// The arguments without their positions, in the buffer. The caller must return the buffer.
    fn argument_list(&mut self, args: &[Arg]) -> Vec<TermId> {
        let mut terms = std::mem::take(&mut self.scratch);
        terms.clear();
        terms.extend(args.iter().map(|&(arg, _)| arg));
        terms
    }

    /// A lambda or a function where a row expects an array: the function's sort is read as an array sort.
    fn apply_rows_to_functions(&mut self, application: &Application<'_>) -> Result<Option<TermId>, Error> {
        let mut sorts = self.sorts_of(application.args);
        let mut changed = false;
        for sort in &mut sorts {
            let array = match self.pool.sort(*sort) {
                Sort::Fun(parts) if parts.len() == 2 => Sort::Array(parts[0], parts[1]),
                Sort::Fun(parts) => Sort::MultiArray(parts.clone()),
                Sort::Set(element) => Sort::Array(*element, SortId::BOOL),
                _ => continue,
            };
            *sort = self.pool.sort_id(array);
            changed = true;
        }
        if !changed {
            return Ok(None);
        }
        for &(op, spelling) in application.rows {
            if let Some(term) = self.apply_row(op, spelling, application, &sorts, false)? {
                return Ok(Some(term));
            }
        }
        Ok(None)
    }

    fn check_width(&self, result: SortId, args: &[Arg]) -> Result<(), Error> {
        if let Sort::BitVec(width) = *self.pool.sort(result)
            && width > self.limits.width
        {
            let span = args.first().map_or_else(Span::default, |&(_, span)| span);
            return Err(ErrorKind::TooWide { found: width.to_string(), limit: self.limits.width }.at(span));
        }
        Ok(())
    }
}

/// The sort of all arguments, if they have the same sort.
fn uniform_sort(sorts: &[SortId]) -> Option<SortId> {
    let (&first, rest) = sorts.split_first()?;
    rest.iter().all(|&sort| sort == first).then_some(first)
}

/// A small cache of the results of rows for arguments of one sort. Most of a script consists of a few operators over a
/// few sorts, and matching a row again costs ten times as much as looking it up here.
pub(super) struct Ranks([(OpId, SortId, u32, SortId); Ranks::SLOTS]);

impl Ranks {
    const SLOTS: usize = 64;

    pub(super) fn new() -> Ranks {
        // Applications without arguments are not looked up here, so an empty slot is never found.
        Ranks([(OpId(0), SortId::BOOL, 0, SortId::BOOL); Ranks::SLOTS])
    }

    fn slot(op: OpId, sort: SortId) -> usize {
        (usize::from(op.0) * 31 + sort.0 as usize * 7) % Ranks::SLOTS
    }

    fn find(&self, op: OpId, sort: SortId, count: usize) -> Option<SortId> {
        let (known, of, arguments, result) = self.0[Ranks::slot(op, sort)];
        (known == op && of == sort && arguments as usize == count).then_some(result)
    }

    fn remember(&mut self, op: OpId, sort: SortId, count: usize, result: SortId) {
        self.0[Ranks::slot(op, sort)] = (op, sort, count as u32, result);
    }
}

/// Whether a row makes one of cvc5's sets from arguments that are not sets, so that only its name shows which set is
/// meant.
fn makes_set(row: &Row) -> bool {
    use theory::Pat;
    matches!(row.result, Pat::Set(_))
        && row.name.starts_with("set.")
        && !row.args.iter().any(|arg| matches!(arg, Pat::Set(_) | Pat::Bag(_)))
}

/// The rank of a function that an operator is indexed by: its parameters, then its result. And the function, if it is one
/// of the script.
fn function_rank(
    pool: &mut Pool,
    scope: &mut super::scope::Scope,
    index: Index,
    known: &[Option<SortId>],
) -> Option<(Vec<SortId>, Option<DeclId>)> {
    let Index::Text(text) = index else { return None };
    let name = index_symbol(pool, text);
    let entry = scope.entry(pool, name);
    let operators = entry.operators;
    for &decl in entry.decls.iter().rev() {
        let declared = pool.decl(decl);
        let fits =
            declared.params.iter().zip(known).all(|(param, known)| known.is_none_or(|sort| sort == *param));
        if fits && declared.params.len() == known.len() && declared.sort_params.is_empty() {
            return Some((declared.params.iter().copied().chain([declared.result]).collect(), Some(decl)));
        }
    }
    let args: Vec<SortId> = known.iter().copied().collect::<Option<_>>()?;
    for (op, _) in operators? {
        let mut never = |_: &mut Pool, _: Index, _: &[Option<SortId>]| None;
        if let Ok((result, _)) = rank::apply(pool, op.row(), &[], &args, None, false, &mut never) {
            return Some((args.iter().copied().chain([result]).collect(), None));
        }
    }
    None
}
