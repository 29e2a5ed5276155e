//! The meaning of an application: a variable, a function of the script, or a row of a theory table.
//!
//! The order is that of SMT-LIB's scoping: bound variables shadow functions of the script, which shadow theory
//! symbols. Among functions with one name, and among rows with one name, the first that accepts the argument sorts is
//! used. If none does, Int arguments may be promoted to Real. If that fails too, it is an error.
//!
//! This file handles variables, functions of the script and terms that are functions themselves; `rows.rs` has the
//! theory tables, `identifiers.rs` the heads that are more than a name, and `explain.rs` the messages.

use super::Parser;
use super::rows::Application;
use crate::error::{Error, ErrorKind};
use crate::sort::{Sort, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{DeclId, IndicesId, Kind, Pool, Spelling, TermId};
use crate::theory;

/// What is in function position.
#[derive(Clone, Copy)]
pub(super) enum Head {
    Name(Symbol),
    Indexed(Symbol, IndicesId),
    Qualified(Symbol, IndicesId, SortId),
    /// The first value is the function.
    Term,
}

/// An argument and its position.
pub(super) type Arg = (TermId, Span);

impl Parser<'_> {
    /// The term for a head and its arguments.
    pub(super) fn apply(
        &mut self,
        head: Head,
        head_span: Span,
        args: &[Arg],
        span: Span,
    ) -> Result<TermId, Error> {
        if self.pool.len() > self.limits.nodes {
            return Err(ErrorKind::TooManyTerms { limit: self.limits.nodes }.at(span));
        }
        self.check_sorts(span)?;
        let is_call = span != head_span;
        match head {
            Head::Name(name) => {
                if is_call && args.is_empty() {
                    return Err(self.empty_application(name, head_span, span));
                }
                self.apply_name(name, head_span, args)
            }
            Head::Indexed(name, indices) => self.apply_indexed(name, indices, head_span, args),
            Head::Qualified(name, indices, sort) => {
                self.apply_qualified(name, indices, sort, head_span, args)
            }
            Head::Term => self.apply_term(args, span),
        }
    }

    fn apply_name(&mut self, name: Symbol, span: Span, args: &[Arg]) -> Result<TermId, Error> {
        let entry = self.scope.entry(&self.pool, name);
        if let Some(variable) = entry.var {
            let var = self.pool.term(Kind::Var(name), variable.sort, &[]);
            if args.is_empty() {
                return Ok(var);
            }
            return self.apply_value(var, args, span);
        }
        let operators = entry.operators.map(|rows| Application {
            name,
            rows,
            indices: IndicesId::NONE,
            given: None,
            span,
            args,
        });
        let applied = match entry.decls[..] {
            [] => None,
            [only] => Some(self.apply_decls(&[only], None, span, args)),
            _ => {
                let decls = entry.decls.clone();
                Some(self.apply_decls(&decls, None, span, args))
            }
        };
        match (applied, operators) {
            // A redeclared theory symbol: the theory's own ranks remain.
            (Some(Err(error)), Some(operators)) => return self.apply_rows(&operators).map_err(|_| error),
            (Some(done), _) => return done,
            (None, Some(operators)) => return self.apply_rows(&operators),
            (None, None) => {}
        }
        if let Some(term) = self.dashed_tester(name, args) {
            return Ok(term);
        }
        Err(self.unknown_name(name, span))
    }

    /// z3's and cvc4's `is-cons`.
    fn dashed_tester(&mut self, name: Symbol, args: &[Arg]) -> Option<TermId> {
        let constructor = self.pool.bytes(name).strip_prefix(b"is-")?.to_vec();
        let &[(arg, _)] = args else { return None };
        let symbol = self.pool.symbols.find(&constructor)?;
        let constructor = self.constructor_named(symbol, self.pool.sort_of(arg))?;
        Some(self.pool.term(Kind::Tester { constructor, dashed: true }, SortId::BOOL, &[arg]))
    }

    /// Applies a term whose sort is a function sort (or an array, as z3 allows).
    fn apply_value(&mut self, function: TermId, args: &[Arg], span: Span) -> Result<TermId, Error> {
        let mut function = function;
        for &(arg, arg_span) in args {
            let sort = self.pool.sort_of(function);
            let (op, expected, result) = match self.pool.sort(sort).clone() {
                Sort::Fun(sorts) => {
                    let rest = &sorts[1..];
                    let result =
                        if rest.len() == 1 { rest[0] } else { self.pool.sort_id(Sort::Fun(rest.into())) };
                    ("@", sorts[0], result)
                }
                Sort::Array(index, element) => ("select", index, element),
                _ => return Err(ErrorKind::NotAFunction { name: self.show_term(function) }.at(span)),
            };
            let Some(&(op, spelling)) = theory::lookup(op.as_bytes()).and_then(|rows| rows.first()) else {
                return Err(ErrorKind::NotAFunction { name: self.show_term(function) }.at(span));
            };
            let arg = self.coerce(arg, expected).ok_or_else(|| {
                let found = self.show_sort(self.pool.sort_of(arg));
                let kind =
                    ErrorKind::WrongSort { what: "the argument", expected: self.show_sort(expected), found };
                kind.at(arg_span)
            })?;
            let kind = Kind::Op { op, spelling, indices: IndicesId::NONE, qualified: false };
            function = self.pool.term(kind, result, &[function, arg]);
        }
        Ok(function)
    }

    fn apply_term(&mut self, args: &[Arg], span: Span) -> Result<TermId, Error> {
        match args {
            [(function, function_span), rest @ ..] if !rest.is_empty() => {
                self.apply_value(*function, rest, *function_span)
            }
            [(function, _), ..] => {
                Err(ErrorKind::EmptyApplication { name: self.show_term(*function) }.at(span))
            }
            [] => Err(ErrorKind::EmptyTerm.at(span)),
        }
    }

    // Functions of the script.

    pub(super) fn apply_decls(
        &mut self,
        decls: &[DeclId],
        given: Option<SortId>,
        span: Span,
        args: &[Arg],
    ) -> Result<TermId, Error> {
        for promote in [false, true] {
            for &decl in decls.iter().rev() {
                if let Some(term) = self.apply_decl(decl, given, args, promote) {
                    return Ok(term);
                }
            }
        }
        Err(self.decl_error(decls[decls.len() - 1], given, span, args))
    }

    fn apply_decl(
        &mut self,
        decl: DeclId,
        given: Option<SortId>,
        args: &[Arg],
        promote: bool,
    ) -> Option<TermId> {
        let declared = &self.pool.decls[decl.0 as usize];
        if declared.sort_params.is_empty() {
            let (count, result) = (declared.params.len(), declared.result);
            if given.is_some_and(|given| given != result) {
                return None;
            }
            if count != args.len() {
                return self.curried(decl, args);
            }
            let mut terms = std::mem::take(&mut self.scratch);
            terms.clear();
            for (n, &(arg, _)) in args.iter().enumerate() {
                let expected = self.pool.decls[decl.0 as usize].params[n];
                let found = self.pool.sort_of(arg);
                let fits = if found == expected {
                    Some(arg)
                } else if promote {
                    self.coerce(arg, expected)
                } else {
                    None
                };
                terms.push(fits?);
            }
            let kind = Kind::Fun { decl, qualified: given.is_some() };
            let term = self.pool.term(kind, result, &terms);
            self.scratch = terms;
            return Some(term);
        }
        self.apply_parametric(decl, given, args)
    }

    /// The same for a function with sort parameters, which are found by matching.
    fn apply_parametric(&mut self, decl: DeclId, given: Option<SortId>, args: &[Arg]) -> Option<TermId> {
        let declared = self.pool.decl(decl).clone();
        if declared.params.len() != args.len() {
            return None;
        }
        let mut bound = vec![None; declared.sort_params.len()];
        if let Some(given) = given
            && !unify_sort(&self.pool, declared.result, given, &declared.sort_params, &mut bound)
        {
            return None;
        }
        for (&param, &(arg, _)) in declared.params.iter().zip(args) {
            let sort = self.pool.sort_of(arg);
            if !unify_sort(&self.pool, param, sort, &declared.sort_params, &mut bound) {
                return None;
            }
        }
        let bound: Vec<SortId> = bound.into_iter().collect::<Option<_>>()?;
        let result = self.pool.substitute_sort(declared.result, &declared.sort_params, &bound);
        let terms: Vec<TermId> = args.iter().map(|&(arg, _)| arg).collect();
        Some(self.pool.term(Kind::Fun { decl, qualified: given.is_some() }, result, &terms))
    }

    /// A function as a value (no arguments given), or a constant of function sort applied.
    fn curried(&mut self, decl: DeclId, args: &[Arg]) -> Option<TermId> {
        let declared = &self.pool.decls[decl.0 as usize];
        let kind = Kind::Fun { decl, qualified: false };
        if args.is_empty() {
            let sorts: Box<[SortId]> = declared.params.iter().copied().chain([declared.result]).collect();
            let sort = self.pool.sort_id(Sort::Fun(sorts));
            return Some(self.pool.term(kind, sort, &[]));
        }
        if declared.params.is_empty() && matches!(self.pool.sort(declared.result), Sort::Fun(_)) {
            let constant = self.pool.term(kind, declared.result, &[]);
            return self.apply_value(constant, args, args[0].1).ok();
        }
        if args.len() < declared.params.len() && self.is_higher_order() {
            let function = self.curried(decl, &[])?;
            return self.apply_value(function, args, args[0].1).ok();
        }
        None
    }

    /// Whether the logic allows partial application of functions.
    fn is_higher_order(&self) -> bool {
        self.logic.is_some_and(|logic| self.pool.bytes(logic).starts_with(b"HO_"))
    }

    /// The argument as a term of the expected sort, if it has that sort or can be promoted.
    pub(super) fn coerce(&mut self, arg: TermId, expected: SortId) -> Option<TermId> {
        let found = self.pool.sort_of(arg);
        if found == expected || self.fits(found, expected) {
            return Some(arg);
        }
        (found == SortId::INT && expected == SortId::REAL).then(|| self.promote(arg))
    }

    /// Whether solvers treat two sorts as one: a lambda where an array is expected, a z3 set as an array to Bool.
    fn fits(&self, found: SortId, expected: SortId) -> bool {
        match (self.pool.sort(found), self.pool.sort(expected)) {
            (Sort::Fun(sorts), Sort::Array(index, element))
            | (Sort::Array(index, element), Sort::Fun(sorts)) => **sorts == [*index, *element],
            (Sort::Fun(sorts), Sort::MultiArray(parts)) => sorts == parts,
            (Sort::Set(element), Sort::Array(index, SortId::BOOL))
            | (Sort::Array(index, SortId::BOOL), Sort::Set(element)) => element == index,
            _ => false,
        }
    }

    /// An Int as a Real, by an implicit conversion that is not printed.
    pub(super) fn promote(&mut self, arg: TermId) -> TermId {
        let op = theory::constant("to_real");
        let kind = Kind::Op { op, spelling: Spelling::Implicit, indices: IndicesId::NONE, qualified: false };
        self.pool.term(kind, SortId::REAL, &[arg])
    }
}

/// Matches the sort of a parametric declaration against a concrete one.
pub(super) fn unify_sort(
    pool: &Pool,
    pattern: SortId,
    sort: SortId,
    params: &[Symbol],
    bound: &mut [Option<SortId>],
) -> bool {
    if let Sort::Param(name) = pool.sort(pattern)
        && let Some(n) = params.iter().position(|p| p == name)
    {
        return *bound[n].get_or_insert(sort) == sort;
    }
    let mut all = |patterns: &[SortId], sorts: &[SortId]| {
        patterns.len() == sorts.len()
            && patterns.iter().zip(sorts).all(|(&p, &s)| unify_sort(pool, p, s, params, bound))
    };
    match (pool.sort(pattern), pool.sort(sort)) {
        (Sort::Array(i, e), Sort::Array(j, f)) => all(&[*i, *e], &[*j, *f]),
        (Sort::Seq(p), Sort::Seq(s))
        | (Sort::Set(p), Sort::Set(s))
        | (Sort::FiniteSet(p), Sort::FiniteSet(s))
        | (Sort::Bag(p), Sort::Bag(s))
        | (Sort::Nullable(p), Sort::Nullable(s)) => all(&[*p], &[*s]),
        (Sort::Tuple(p), Sort::Tuple(s))
        | (Sort::Fun(p), Sort::Fun(s))
        | (Sort::MultiArray(p), Sort::MultiArray(s)) => all(p, s),
        (Sort::Declared(d, p), Sort::Declared(e, s)) => d == e && all(p, s),
        _ => pattern == sort,
    }
}
