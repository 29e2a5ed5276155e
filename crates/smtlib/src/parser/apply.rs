//! What an application means: a variable, a function of the script, or a row of a theory table.
//!
//! The order is that of SMT-LIB's scoping: bound variables shadow functions of the script, which shadow theory
//! symbols. Among functions with one name, and among rows with one name, the first that takes the argument sorts
//! wins; if none does, Int arguments may be promoted to Real. Only then is it an error, and the message speaks
//! about the candidate that came closest.

use super::{Parser, shortened};
use crate::error::{Error, ErrorKind};
use crate::sort::{Sort, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{DeclId, Index, IndicesId, Kind, Lit, Pool, Role, Spelling, TermId};
use crate::theory::rank::{self, Mismatch};
use crate::theory::{self, Assoc, OpId, Overloads, Row};

/// What stands in function position.
#[derive(Clone, Copy)]
pub(super) enum Head {
    Name(Symbol),
    Indexed(Symbol, IndicesId),
    Qualified(Symbol, IndicesId, SortId),
    /// The first value is the function.
    Term,
}

type Arg = (TermId, Span);

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
        let operators = entry.operators;
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
            (Some(Err(error)), Some(rows)) => {
                let found = self.apply_rows(name, rows, IndicesId::NONE, None, span, args);
                return found.map_err(|_| error);
            }
            (Some(done), _) => return done,
            (None, _) => {}
        }
        if let Some(rows) = operators {
            return self.apply_rows(name, rows, IndicesId::NONE, None, span, args);
        }
        if let Some(term) = self.dashed_tester(name, args) {
            return Ok(term);
        }
        Err(self.unknown_name(name, span))
    }

    fn empty_application(&mut self, name: Symbol, head_span: Span, span: Span) -> Error {
        let entry = self.scope.entry(&self.pool, name);
        if entry.var.is_none() && entry.decls.is_empty() && entry.operators.is_none() {
            return self.unknown_name(name, head_span);
        }
        ErrorKind::EmptyApplication { name: self.owned_name(name) }.at(span)
    }

    /// A name that means nothing here: says why, if there is a likely reason.
    pub(super) fn unknown_name(&mut self, name: Symbol, span: Span) -> Error {
        let shown = self.owned_name(name);
        if super::commands::is_command(shown.as_bytes()) && !self.frames.is_empty() {
            let error = ErrorKind::CommandInCommand { name: shown }.at(span);
            return error.related(self.command, "the command that is not closed begins");
        }
        let error = ErrorKind::UnknownName { name: shown.clone() }.at(span);
        if self.is_bound_by_an_open_let(name) {
            return error.hint("the bindings of one `let` do not see each other; use a second `let` inside");
        }
        if let Some(decl) = self.pool.decls.iter().rev().find(|decl| decl.name == name) {
            return error.related(decl.span, format!("`{shown}` is declared in a scope that has ended,"));
        }
        match self.nearest_name(&shown) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        }
    }

    /// The name in scope that is most like this one; an operator if no name of the script is.
    fn nearest_name(&self, name: &str) -> Option<String> {
        let names = self.scope.names().map(|symbol| self.pool.name(symbol));
        let near = theory::nearest_of(name, names);
        near.or_else(|| theory::nearest(name).map(str::to_owned))
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

    fn show_term(&self, term: TermId) -> String {
        let text = crate::printer::term_text(&self.pool, term);
        if text.len() > 60 { "…".to_owned() } else { text }
    }

    // Functions of the script.

    fn apply_decls(
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
        let qualified = given.is_some();
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
            let term = self.pool.term(Kind::Fun { decl, qualified }, result, &terms);
            self.scratch = terms;
            return Some(term);
        }
        let declared = declared.clone();
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
        Some(self.pool.term(Kind::Fun { decl, qualified }, result, &terms))
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

    /// Whether the logic lets functions be applied to some of their arguments.
    fn is_higher_order(&self) -> bool {
        self.logic.is_some_and(|logic| self.pool.bytes(logic).starts_with(b"HO_"))
    }

    fn decl_error(&mut self, decl: DeclId, given: Option<SortId>, span: Span, args: &[Arg]) -> Error {
        let declared = self.pool.decl(decl).clone();
        let name = self.owned_name(declared.name);
        let note = format!("`{name}` is declared");
        if declared.params.len() != args.len() {
            let kind =
                ErrorKind::Arity { name, expected: declared.params.len().to_string(), found: args.len() };
            return kind.at(span).related(declared.span, note);
        }
        if let Some(given) = given.filter(|_| args.is_empty()) {
            let kind = ErrorKind::BadQualifier { name, sort: self.show_sort(given) };
            return kind.at(span).related(declared.span, note);
        }
        for (n, (&param, &(arg, arg_span))) in declared.params.iter().zip(args).enumerate() {
            let found = self.pool.sort_of(arg);
            let mut open = vec![None; declared.sort_params.len()];
            if !unify_sort(&self.pool, param, found, &declared.sort_params, &mut open) {
                let (expected, found) = (self.show_sort(param), self.show_sort(found));
                let label = format!("this has sort {found}");
                let kind = ErrorKind::ArgumentSort { name, argument: n + 1, expected, found };
                return kind.at(arg_span).label(label).related(declared.span, note);
            }
        }
        if args.is_empty() {
            let hint = format!("say which sort it has: (as {name} {})", self.show_sort(declared.result));
            return ErrorKind::NeedsQualifier { name }.at(span).related(declared.span, note).hint(hint);
        }
        let arguments = self.show_arg_sorts(args);
        ErrorKind::NoRank { name, arguments }.at(span).related(declared.span, note)
    }

    fn show_arg_sorts(&self, args: &[Arg]) -> String {
        let sorts: Vec<SortId> = args.iter().map(|&(arg, _)| self.pool.sort_of(arg)).collect();
        self.show_sorts(&sorts)
    }

    /// The argument as a term of the expected sort, if it is one or can be promoted.
    pub(super) fn coerce(&mut self, arg: TermId, expected: SortId) -> Option<TermId> {
        let found = self.pool.sort_of(arg);
        if found == expected || self.fits(found, expected) {
            return Some(arg);
        }
        (found == SortId::INT && expected == SortId::REAL).then(|| self.promote(arg))
    }

    /// Sorts that solvers treat as one: a lambda where an array is wanted, a z3 set as an array to Bool.
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

    /// An Int as a Real, by a conversion that does not print.
    pub(super) fn promote(&mut self, arg: TermId) -> TermId {
        let op = theory::constant("to_real");
        let kind = Kind::Op { op, spelling: Spelling::Implicit, indices: IndicesId::NONE, qualified: false };
        self.pool.term(kind, SortId::REAL, &[arg])
    }

    // Theory rows.

    fn apply_rows(
        &mut self,
        name: Symbol,
        rows: &Overloads,
        indices: IndicesId,
        given: Option<SortId>,
        span: Span,
        args: &[Arg],
    ) -> Result<TermId, Error> {
        let mut buffer = [SortId::BOOL; 8];
        let heap: Vec<SortId>;
        let sorts: &[SortId] = if args.len() <= 8 {
            for (slot, &(arg, _)) in buffer.iter_mut().zip(args) {
                *slot = self.pool.sort_of(arg);
            }
            &buffer[..args.len()]
        } else {
            heap = args.iter().map(|&(arg, _)| self.pool.sort_of(arg)).collect();
            &heap
        };
        for promote in [false, true] {
            for &(op, spelling) in rows {
                if self.pool.has_finite_sets() && makes_set(op.row()) {
                    continue;
                }
                if let Some(term) = self.apply_row(op, spelling, indices, given, sorts, args, promote)? {
                    return Ok(term);
                }
            }
        }
        if let Some(term) = self.apply_row_to_functions(rows, indices, given, args)? {
            return Ok(term);
        }
        Err(self.row_error(name, rows, indices, given, span, args))
    }

    #[allow(clippy::too_many_arguments, reason = "one call site; a struct would only rename them")]
    fn apply_row(
        &mut self,
        op: OpId,
        spelling: Spelling,
        indices: IndicesId,
        given: Option<SortId>,
        sorts: &[SortId],
        args: &[Arg],
        promote: bool,
    ) -> Result<Option<TermId>, Error> {
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
        let mut resolve = |pool: &mut Pool, index: Index, known: &[Option<SortId>]| {
            function_rank(pool, scope, index, known)
        };
        let matched = rank::apply(&mut self.pool, row, index_slice, sorts, given, promote, &mut resolve);
        let Ok((result, binding)) = matched else { return Ok(None) };
        self.check_width(result, args)?;
        if let Some(sort) = uniform {
            self.ranks.remember(op, sort, sorts.len(), result);
        }
        let mut terms = std::mem::take(&mut self.scratch);
        terms.clear();
        terms.extend(args.iter().map(|&(arg, _)| arg));
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

    fn operator_term(&mut self, kind: Kind, sort: SortId, args: &[Arg]) -> TermId {
        let mut terms = std::mem::take(&mut self.scratch);
        terms.clear();
        terms.extend(args.iter().map(|&(arg, _)| arg));
        let term = self.pool.term(kind, sort, &terms);
        self.scratch = terms;
        term
    }

    /// A lambda or a function where a row wants an array: the function's sort is read as an array's.
    fn apply_row_to_functions(
        &mut self,
        rows: &Overloads,
        indices: IndicesId,
        given: Option<SortId>,
        args: &[Arg],
    ) -> Result<Option<TermId>, Error> {
        let mut sorts: Vec<SortId> = args.iter().map(|&(arg, _)| self.pool.sort_of(arg)).collect();
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
        for &(op, spelling) in rows {
            if let Some(term) = self.apply_row(op, spelling, indices, given, &sorts, args, false)? {
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

    fn row_error(
        &mut self,
        name: Symbol,
        rows: &Overloads,
        indices: IndicesId,
        given: Option<SortId>,
        span: Span,
        args: &[Arg],
    ) -> Error {
        let shown = self.owned_name(name);
        let found = args.len();
        let index_list = self.pool.index_list(indices).to_vec();
        if index_list.is_empty() && rows.iter().all(|(op, _)| is_numbered(op.row())) {
            let expected = rows[0].0.row().indices.len();
            let numbers = &"i j k l"[..(2 * expected - 1).min(7)];
            let error = ErrorKind::IndexCount { name: shown.clone(), expected, found: 0 }.at(span);
            return error.hint(format!("indices are written ((_ {shown} {numbers}) …)"));
        }
        let candidates: Vec<&Row> =
            rows.iter().map(|(op, _)| op.row()).filter(|row| row.takes(found)).collect();
        if candidates.is_empty() {
            let error = ErrorKind::Arity { name: shown, expected: arities(rows), found }.at(span);
            let wants_mode =
                rows.iter().all(|(op, _)| op.row().args.first() == Some(&theory::Pat::RoundingMode));
            let has_mode = args.first().is_some_and(|a| self.pool.sort_of(a.0) == SortId::ROUNDING_MODE);
            let lacks_mode = wants_mode && !has_mode;
            return if lacks_mode {
                error.hint("the first argument is a rounding mode, such as RNE")
            } else {
                error
            };
        }
        if given.is_none() && candidates.iter().all(|row| row.qualified) {
            let sort = rank::example(&mut self.pool, candidates[0]).map(|sort| self.show_sort(sort));
            let hint = format!("say which sort it has, such as (as {shown} {})", sort.unwrap_or_default());
            return ErrorKind::NeedsQualifier { name: shown }.at(span).hint(hint);
        }
        let indexed: Vec<&&Row> =
            candidates.iter().filter(|row| row.indices.len() == index_list.len()).collect();
        if indexed.is_empty()
            && !candidates.iter().any(|row| row.indices.contains(&theory::row::IndexVar::Rest))
        {
            let expected = candidates[0].indices.len();
            if expected == 0 {
                return ErrorKind::NotIndexed { name: shown }.at(span);
            }
            return ErrorKind::IndexCount { name: shown, expected, found: index_list.len() }.at(span);
        }
        let arguments = self.show_arg_sorts(args);
        if let (Some(given), true) = (given, args.is_empty()) {
            return ErrorKind::BadQualifier { name: shown, sort: self.show_sort(given) }.at(span);
        }
        // Speak about the candidate that accepts the longest prefix of the arguments.
        let sorts: Vec<SortId> = args.iter().map(|&(arg, _)| self.pool.sort_of(arg)).collect();
        let mut best: Option<(usize, &Row)> = None;
        for row in candidates {
            let mut never = |_: &mut Pool, _: Index, _: &[Option<SortId>]| None;
            match rank::apply(&mut self.pool, row, &index_list, &sorts, given, true, &mut never) {
                Err(Mismatch::Argument(n)) if best.is_none_or(|(most, _)| n > most) => best = Some((n, row)),
                Err(Mismatch::Guard | Mismatch::Result) => {
                    return ErrorKind::IndexRange { name: shown, arguments }.at(span);
                }
                _ => {}
            }
        }
        match best {
            Some((n, row)) if rows.len() == 1 || n > 0 => {
                self.argument_error(shown, row, n, &index_list, args)
            }
            _ => ErrorKind::NoRank { name: shown, arguments }.at(span),
        }
    }

    fn argument_error(
        &mut self,
        name: String,
        row: &Row,
        n: usize,
        indices: &[Index],
        args: &[Arg],
    ) -> Error {
        let sorts: Vec<SortId> = args.iter().map(|&(arg, _)| self.pool.sort_of(arg)).collect();
        let (arg, span) = args[n];
        let found = self.show_sort(self.pool.sort_of(arg));
        let wanted = rank::expected(&mut self.pool, row, indices, &sorts, n);
        let expected = wanted.map_or_else(|| "another sort".to_owned(), |sort| self.show_sort(sort));
        let label = format!("this has sort {found}");
        let error = ErrorKind::ArgumentSort { name, argument: n + 1, expected, found }.at(span).label(label);
        // What the sort was wanted for: an argument before it that is a declared constant and involves that sort.
        for &(other, _) in &args[..n] {
            let sort = self.pool.sort_of(other);
            let explains =
                Some(sort) == wanted || self.pool.sort(sort).parts().iter().any(|&p| Some(p) == wanted);
            if let (true, Kind::Fun { decl, .. }) = (explains, self.pool.kind(other)) {
                let (name, sort) = (self.owned_name(self.pool.decl(decl).name), self.show_sort(sort));
                let note = format!("`{name}` has sort {sort}, declared");
                return error.related(self.pool.decl(decl).span, note);
            }
        }
        error
    }

    // Indexed and qualified identifiers.

    fn apply_indexed(
        &mut self,
        name: Symbol,
        indices: IndicesId,
        span: Span,
        args: &[Arg],
    ) -> Result<TermId, Error> {
        let list = self.pool.index_list(indices).to_vec();
        let text = self.pool.bytes(name);
        if let (Some(digits), true) = (text.strip_prefix(b"bv"), args.is_empty())
            && !digits.is_empty()
            && digits.iter().all(u8::is_ascii_digit)
        {
            let digits = digits.to_vec();
            return self.bv_literal(&digits, &list, span);
        }
        match text {
            b"is" => return self.tester(&list, span, args),
            b"update" => return self.updater(&list, span, args),
            b"char" => {
                if let [Index::Text(code)] = list[..] {
                    let sort = SortId::STRING;
                    return Ok(self.pool.term(Kind::Lit(Lit::Char, code), sort, &[]));
                }
            }
            _ => {}
        }
        match self.scope.entry(&self.pool, name).operators {
            Some(rows) => self.apply_rows(name, rows, indices, None, span, args),
            None => Err(self.unknown_name(name, span)),
        }
    }

    /// `(_ bv13 8)`.
    fn bv_literal(&mut self, digits: &[u8], indices: &[Index], span: Span) -> Result<TermId, Error> {
        let width = match *indices {
            [Index::Num(0)] => return Err(ErrorKind::ZeroWidth.at(span)),
            [Index::Num(width)] if width <= u64::from(self.limits.width) => width as u32,
            [Index::Num(width)] => {
                return Err(
                    ErrorKind::TooWide { found: width.to_string(), limit: self.limits.width }.at(span)
                );
            }
            _ => {
                let name = format!("bv{}", String::from_utf8_lossy(&digits[..digits.len().min(20)]));
                let kind = match indices {
                    [_] => ErrorKind::BadIndex { name, expected: "a width, a numeral" },
                    _ => ErrorKind::IndexCount { name, expected: 1, found: indices.len() },
                };
                return Err(kind.at(span).hint("a literal such as (_ bv5 8) has a value and a width"));
            }
        };
        self.check_digits(digits.len(), span)?;
        if !fits_width(digits, width) {
            let value = shortened(String::from_utf8_lossy(digits).into_owned());
            return Err(ErrorKind::DoesNotFit { value, width }.at(span));
        }
        let symbol = self.pool.symbol(digits);
        let sort = self.pool.bitvec(width);
        Ok(self.pool.term(Kind::Lit(Lit::BvDecimal, symbol), sort, &[]))
    }

    /// The name inside an index: `f`, or z3's `(f (Int) Int)`.
    fn index_name(&mut self, index: Index) -> Option<Symbol> {
        let Index::Text(text) = index else { return None };
        Some(index_symbol(&mut self.pool, text))
    }

    fn tester(&mut self, indices: &[Index], span: Span, args: &[Arg]) -> Result<TermId, Error> {
        let name = match indices {
            &[index] => self.index_name(index),
            _ => None,
        };
        let Some(name) = name else {
            let kind = ErrorKind::BadIndex { name: "is".into(), expected: "the name of a constructor" };
            return Err(kind.at(span));
        };
        let &[(arg, _)] = args else {
            return Err(
                ErrorKind::Arity { name: "is".into(), expected: "1".into(), found: args.len() }.at(span)
            );
        };
        let sort = self.pool.sort_of(arg);
        let Some(constructor) = self.constructor_named(name, sort) else {
            let kind = ErrorKind::NotAConstructor { name: self.owned_name(name), sort: self.show_sort(sort) };
            return Err(kind.at(span));
        };
        Ok(self.pool.term(Kind::Tester { constructor, dashed: false }, SortId::BOOL, &[arg]))
    }

    fn updater(&mut self, indices: &[Index], span: Span, args: &[Arg]) -> Result<TermId, Error> {
        let name = match indices {
            &[index] => self.index_name(index),
            _ => None,
        };
        let Some(name) = name else {
            let kind = ErrorKind::BadIndex { name: "update".into(), expected: "the name of a selector" };
            return Err(kind.at(span));
        };
        let &[(record, _), (value, value_span)] = args else {
            return Err(
                ErrorKind::Arity { name: "update".into(), expected: "2".into(), found: args.len() }.at(span)
            );
        };
        let sort = self.pool.sort_of(record);
        let decls = self.scope.entry(&self.pool, name).decls.clone();
        let selector = decls.into_iter().rev().find(|&decl| match self.pool.decl(decl).role {
            Role::Selector { datatype, .. } => {
                matches!(self.pool.sort(sort), Sort::Declared(d, _) if *d == datatype)
            }
            _ => false,
        });
        let Some(selector) = selector else {
            return Err(ErrorKind::NotASelector { name: self.owned_name(name) }.at(span));
        };
        let declared = self.pool.decl(selector).clone();
        let sort_args = self.pool.datatype(sort).map(|(_, args)| args.to_vec()).unwrap_or_default();
        let expected = self.pool.substitute_sort(declared.result, &declared.sort_params, &sort_args);
        let Some(value) = self.coerce(value, expected) else {
            let (expected, found) = (self.show_sort(expected), self.show_sort(self.pool.sort_of(value)));
            return Err(ErrorKind::WrongSort { what: "the new value", expected, found }.at(value_span));
        };
        Ok(self.pool.term(Kind::Updater { selector }, sort, &[record, value]))
    }

    fn apply_qualified(
        &mut self,
        name: Symbol,
        indices: IndicesId,
        sort: SortId,
        span: Span,
        args: &[Arg],
    ) -> Result<TermId, Error> {
        let text = self.pool.bytes(name);
        if let (Sort::Field(_), Some(value)) = (self.pool.sort(sort), text.strip_prefix(b"ff"))
            && args.is_empty()
        {
            let value = value.to_vec();
            let symbol = self.pool.symbol(&value);
            return Ok(self.pool.term(Kind::Lit(Lit::Field, symbol), sort, &[]));
        }
        let is_abstract = text.starts_with(b"@") && text.len() > 1;
        let entry = self.scope.entry(&self.pool, name);
        let operators = entry.operators;
        if !entry.decls.is_empty() && indices == IndicesId::NONE {
            let decls = entry.decls.clone();
            return self.apply_decls(&decls, Some(sort), span, args);
        }
        match operators {
            Some(rows) => self.apply_rows(name, rows, indices, Some(sort), span, args),
            None if is_abstract && args.is_empty() => {
                Ok(self.pool.term(Kind::Lit(Lit::Abstract, name), sort, &[]))
            }
            None => Err(self.unknown_name(name, span)),
        }
    }
}

/// The sort of all arguments, if they have one and the same.
fn uniform_sort(sorts: &[SortId]) -> Option<SortId> {
    let (&first, rest) = sorts.split_first()?;
    rest.iter().all(|&sort| sort == first).then_some(first)
}

/// What rows gave for arguments of one sort, for the last few that were asked: most of a script is a few operators
/// over a few sorts, and matching a row again costs ten times as much as looking it up here.
pub(super) struct Ranks([(OpId, SortId, u32, SortId); Ranks::SLOTS]);

impl Ranks {
    const SLOTS: usize = 64;

    pub(super) fn new() -> Ranks {
        // No application has no arguments here, so an empty slot is never found.
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

/// Whether a row cannot be used without numeric indices.
fn is_numbered(row: &Row) -> bool {
    matches!(row.indices.first(), Some(theory::row::IndexVar::Num(_)))
}

/// Whether a row makes one of cvc5's sets from arguments that are none, so that only its name could tell.
fn makes_set(row: &Row) -> bool {
    use theory::Pat;
    matches!(row.result, Pat::Set(_))
        && row.name.starts_with("set.")
        && !row.args.iter().any(|arg| matches!(arg, Pat::Set(_) | Pat::Bag(_)))
}

fn arities(rows: &Overloads) -> String {
    let mut counts: Vec<String> = vec![];
    for (op, _) in rows {
        let row = op.row();
        let count = match row.assoc {
            Assoc::Fixed => row.args.len().to_string(),
            _ => format!("{} or more", row.min),
        };
        if !counts.contains(&count) {
            counts.push(count);
        }
    }
    counts.join(" or ")
}

/// Whether a decimal fits this many bits, without reading all of a long one.
fn fits_width(digits: &[u8], width: u32) -> bool {
    let digits = &digits[digits.iter().position(|&d| d != b'0').unwrap_or(digits.len())..];
    if let (Some(value), true) = (super::parse_u64(digits), width < 64) {
        return value >> width == 0;
    }
    // 10^n has at least 3n bits and at most 4n.
    if digits.len() * 4 <= width as usize {
        return true;
    }
    if digits.len().saturating_sub(1) * 3 > width as usize {
        return false;
    }
    std::str::from_utf8(digits)
        .ok()
        .and_then(|text| text.parse::<dashu_int::UBig>().ok())
        .is_some_and(|value| dashu_base::BitTest::bit_len(&value) <= width as usize)
}

/// The symbol that an index text names.
fn index_symbol(pool: &mut Pool, text: Symbol) -> Symbol {
    let bytes = pool.bytes(text);
    let Some(inner) = bytes.strip_prefix(b"(") else { return text };
    let inner = inner.trim_ascii_start();
    let end =
        inner.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'(').unwrap_or(inner.len());
    let name = inner[..end].to_vec();
    pool.symbol(&name)
}

/// The rank of a function that an operator is indexed by: its parameters, then its result.
fn function_rank(
    pool: &mut Pool,
    scope: &mut super::scope::Scope,
    index: Index,
    known: &[Option<SortId>],
) -> Option<Vec<SortId>> {
    let Index::Text(text) = index else { return None };
    let name = index_symbol(pool, text);
    let entry = scope.entry(pool, name);
    let operators = entry.operators;
    for &decl in entry.decls.iter().rev() {
        let declared = pool.decl(decl);
        let fits =
            declared.params.iter().zip(known).all(|(param, known)| known.is_none_or(|sort| sort == *param));
        if fits && declared.params.len() == known.len() && declared.sort_params.is_empty() {
            return Some(declared.params.iter().copied().chain([declared.result]).collect());
        }
    }
    let args: Vec<SortId> = known.iter().copied().collect::<Option<_>>()?;
    for (op, _) in operators? {
        let mut never = |_: &mut Pool, _: Index, _: &[Option<SortId>]| None;
        if let Ok((result, _)) = rank::apply(pool, op.row(), &[], &args, None, false, &mut never) {
            return Some(args.iter().copied().chain([result]).collect());
        }
    }
    None
}

/// Matches the sort of a parametric declaration against a concrete one.
fn unify_sort(
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
