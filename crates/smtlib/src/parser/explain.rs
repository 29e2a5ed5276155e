//! Error messages for applications that have no meaning.
//!
//! No valid script reaches this code, so it may repeat all attempts without regard to speed. A message is about the
//! candidate that came closest: the most similar name, or the rank that accepts the longest prefix of the arguments.
//! It also shows the declaration that made a sort expected.

use super::Parser;
use super::apply::{Arg, unify_sort};
use super::rows::Application;
use crate::error::{Error, ErrorKind};
use crate::sort::SortId;
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{DeclId, Index, Kind, Pool, TermId};
use crate::theory::rank::{self, Mismatch};
use crate::theory::row::IndexVar;
use crate::theory::{self, Assoc, Overloads, Pat, Row};

impl Parser<'_> {
    // Names.

    pub(super) fn empty_application(&mut self, name: Symbol, head_span: Span, span: Span) -> Error {
        let entry = self.scope.entry(&self.pool, name);
        if entry.var.is_none() && entry.decls.is_empty() && entry.operators.is_none() {
            return self.unknown_name(name, head_span);
        }
        ErrorKind::EmptyApplication { name: self.owned_name(name) }.at(span)
    }

    /// The error for an undeclared name, with a likely reason if there is one.
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

    /// The most similar name in scope; an operator if no name of the script is similar.
    fn nearest_name(&self, name: &str) -> Option<String> {
        let names = self.scope.names().map(|symbol| self.pool.name(symbol));
        let near = theory::nearest_of(name, names);
        near.or_else(|| theory::nearest(name).map(str::to_owned))
    }

    // Functions of the script.

    pub(super) fn decl_error(
        &mut self,
        decl: DeclId,
        given: Option<SortId>,
        span: Span,
        args: &[Arg],
    ) -> Error {
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
        let arguments = self.show_sorts(&self.sorts_of(args));
        ErrorKind::NoRank { name, arguments }.at(span).related(declared.span, note)
    }

    // Rows of the theory tables.

    /// Why none of the rows accepts the arguments.
    pub(super) fn row_error(&mut self, application: &Application<'_>) -> Error {
        let &Application { name, rows, given, span, args, .. } = application;
        let name = self.owned_name(name);
        let indices = self.pool.index_list(application.indices).to_vec();
        if indices.is_empty() && rows.iter().all(|(op, _)| is_numbered(op.row())) {
            return missing_indices(name, rows[0].0.row(), span);
        }
        let candidates: Vec<&Row> =
            rows.iter().map(|(op, _)| op.row()).filter(|row| row.takes(args.len())).collect();
        if candidates.is_empty() {
            return self.arity_error(name, application);
        }
        if given.is_none() && candidates.iter().all(|row| row.qualified) {
            let sort = rank::example(&mut self.pool, candidates[0]).map(|sort| self.show_sort(sort));
            let hint = format!("say which sort it has, such as (as {name} {})", sort.unwrap_or_default());
            return ErrorKind::NeedsQualifier { name }.at(span).hint(hint);
        }
        let takes_as_many =
            |row: &&Row| row.indices.len() == indices.len() || row.indices.contains(&IndexVar::Rest);
        if !candidates.iter().any(takes_as_many) {
            let kind = match candidates[0].indices.len() {
                0 => ErrorKind::NotIndexed { name },
                expected => ErrorKind::IndexCount { name, expected, found: indices.len() },
            };
            return kind.at(span);
        }
        if let (Some(given), true) = (given, args.is_empty()) {
            return ErrorKind::BadQualifier { name, sort: self.show_sort(given) }.at(span);
        }
        self.rank_error(name, application, &indices, &candidates)
    }

    fn arity_error(&self, name: String, application: &Application<'_>) -> Error {
        let &Application { rows, span, args, .. } = application;
        let error = ErrorKind::Arity { name, expected: arities(rows), found: args.len() }.at(span);
        let wants_mode = rows.iter().all(|(op, _)| op.row().args.first() == Some(&Pat::RoundingMode));
        let has_mode = args.first().is_some_and(|&(arg, _)| self.pool.sort_of(arg) == SortId::ROUNDING_MODE);
        if wants_mode && !has_mode {
            return error.hint("the first argument is a rounding mode, such as RNE");
        }
        error
    }

    /// The error for the candidate that accepts the longest prefix of the arguments.
    fn rank_error(
        &mut self,
        name: String,
        application: &Application<'_>,
        indices: &[Index],
        candidates: &[&Row],
    ) -> Error {
        let &Application { rows, given, span, args, .. } = application;
        let sorts = self.sorts_of(args);
        let mut best: Option<(usize, &Row)> = None;
        for &row in candidates {
            let mut never = |_: &mut Pool, _: Index, _: &[Option<SortId>]| None;
            match rank::apply(&mut self.pool, row, indices, &sorts, given, true, &mut never) {
                Err(Mismatch::Argument(n)) if best.is_none_or(|(most, _)| n > most) => best = Some((n, row)),
                Err(Mismatch::Guard | Mismatch::Result) => {
                    return ErrorKind::IndexRange { name, arguments: self.show_sorts(&sorts) }.at(span);
                }
                _ => {}
            }
        }
        match best {
            Some((n, row)) if rows.len() == 1 || n > 0 => self.argument_error(name, row, n, indices, args),
            _ => ErrorKind::NoRank { name, arguments: self.show_sorts(&sorts) }.at(span),
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
        let sorts = self.sorts_of(args);
        let span = args[n].1;
        let found = self.show_sort(sorts[n]);
        let wanted = rank::expected(&mut self.pool, row, indices, &sorts, n);
        let expected = wanted.map_or_else(|| "another sort".to_owned(), |sort| self.show_sort(sort));
        let label = format!("this has sort {found}");
        let error = ErrorKind::ArgumentSort { name, argument: n + 1, expected, found }.at(span).label(label);
        // Why the sort was expected: an earlier argument that is a declared constant and involves that sort.
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

    // How things are shown.

    pub(super) fn show_term(&self, term: TermId) -> String {
        let text = crate::printer::term_text(&self.pool, term);
        if text.len() > 60 { "…".to_owned() } else { text }
    }
}

fn missing_indices(name: String, row: &Row, span: Span) -> Error {
    let expected = row.indices.len();
    let numbers = &"i j k l"[..(2 * expected - 1).min(7)];
    let hint = format!("indices are written ((_ {name} {numbers}) …)");
    ErrorKind::IndexCount { name, expected, found: 0 }.at(span).hint(hint)
}

/// Whether a row cannot be used without numeric indices.
fn is_numbered(row: &Row) -> bool {
    matches!(row.indices.first(), Some(IndexVar::Num(_)))
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
