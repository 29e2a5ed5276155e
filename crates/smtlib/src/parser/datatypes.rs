//! Datatype declarations: parametric, mutually recursive, and in the old syntax that real files still use.
//!
//! All names of a block are declared before any constructor is read, so that they can refer to one another. z3's old
//! syntax `(declare-datatypes (T) ((List nil (cons (hd T) (tl List)))))` is accepted and printed in the standard
//! syntax.

use super::Parser;
use super::scope::SortMeaning;
use crate::error::{Error, ErrorKind};
use crate::lexer::TokenKind;
use crate::script::Command;
use crate::sort::{Sort, SortDeclId, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{Constructor, Datatype, Decl, DeclId, Role};

impl Parser<'_> {
    pub(super) fn declare_datatype(&mut self, open: Span, coinductive: bool) -> Result<Command, Error> {
        let (name, span) = self.new_datatype()?;
        let arity = self.count_params()?;
        let sort = self.add_sort(name, arity, span);
        self.datatype_body(sort, coinductive, None)?;
        self.check_well_founded(&[sort], open)?;
        Ok(Command::DeclareDatatypes { sorts: [sort].into(), single: true })
    }

    /// The name of a datatype that can be declared here.
    fn new_datatype(&mut self) -> Result<(Symbol, Span), Error> {
        let (name, span) = self.expect_name("the name of a datatype")?;
        self.check_new_sort(name, span)?;
        Ok((name, span))
    }

    /// Looks ahead at `(par (A B) …)` to know how many parameters there are.
    fn count_params(&mut self) -> Result<u32, Error> {
        let mut ahead = self.lexer.clone();
        if let Some(token) = self.peeked {
            ahead.seek(token.span.start as usize);
        }
        let mut kinds = vec![];
        for _ in 0..2 {
            let token = ahead.next_token()?;
            kinds.push((token.kind, ahead.text(token)));
        }
        if kinds[0].0 != TokenKind::Open || kinds[1] != (TokenKind::Symbol, b"par") {
            return Ok(0);
        }
        ahead.next_token()?;
        let mut count = 0;
        while matches!(ahead.next_token()?.kind, TokenKind::Symbol | TokenKind::Quoted) {
            count += 1;
        }
        Ok(count)
    }

    pub(super) fn declare_datatypes(&mut self, open: Span, coinductive: bool) -> Result<Command, Error> {
        self.expect(TokenKind::Open, "the names of the datatypes")?;
        let first = self.peek()?;
        if first.kind != TokenKind::Open {
            return self.old_datatypes(open, coinductive);
        }
        let mut sorts = vec![];
        self.each_list("a name with its arity, such as (List 1)", |parser, _| {
            let (name, span) = parser.new_datatype()?;
            let arity = parser.expect_small("the arity of a datatype")?;
            parser.expect(TokenKind::Close, "`)` after the arity")?;
            sorts.push(parser.add_sort(name, arity, span));
            Ok(())
        })?;
        self.expect(TokenKind::Open, "the constructors of the datatypes")?;
        let mut bodies = 0;
        while self.peek()?.kind != TokenKind::Close {
            let Some(&sort) = sorts.get(bodies) else {
                let at = self.peek()?.span;
                return Err(ErrorKind::DatatypeCount { names: sorts.len(), bodies: bodies + 1 }.at(at));
            };
            self.datatype_body(sort, coinductive, None)?;
            bodies += 1;
        }
        self.next()?;
        if let Some(&missing) = sorts.get(bodies) {
            let at = self.pool.sort_decl(missing).span;
            return Err(ErrorKind::DatatypeCount { names: sorts.len(), bodies }.at(at));
        }
        self.check_well_founded(&sorts, open)?;
        Ok(Command::DeclareDatatypes { sorts: sorts.into(), single: false })
    }

    /// z3's old syntax: shared parameters first, then `(Name constructor…)` for each datatype.
    fn old_datatypes(&mut self, open: Span, coinductive: bool) -> Result<Command, Error> {
        let params = self.sort_params()?;
        self.expect(TokenKind::Open, "the datatypes")?;
        let start = self.peek()?.span.start as usize;
        let mut sorts = vec![];
        // First pass: the names. Second pass: the constructors.
        self.each_list("a datatype such as (Color red green)", |parser, open| {
            let (name, span) = parser.new_datatype()?;
            sorts.push(parser.add_sort(name, params.len() as u32, span));
            parser.rest_of_list(open).map(|_| ())
        })?;
        self.peeked = None;
        self.lexer.seek(start);
        let param_sorts = params.iter().map(|&param| self.pool.sort_id(Sort::Param(param))).collect();
        self.implied = Some((sorts.clone(), param_sorts));
        for &sort in &sorts {
            self.expect(TokenKind::Open, "a datatype")?;
            self.expect_name("the name of a datatype")?;
            self.datatype_body(sort, coinductive, Some(&params))?;
        }
        self.implied = None;
        self.expect(TokenKind::Close, "`)`")?;
        self.check_well_founded(&sorts, open)?;
        Ok(Command::DeclareDatatypes { sorts: sorts.into(), single: false })
    }

    /// After `(`: names up to `)`.
    pub(super) fn sort_params(&mut self) -> Result<Vec<Symbol>, Error> {
        let mut params = vec![];
        while self.peek()?.kind != TokenKind::Close {
            params.push(self.expect_name("a sort parameter")?.0);
        }
        self.next()?;
        Ok(params)
    }

    /// Reads the constructors of a datatype: `((nil) (cons …))` or `(par (T) (…))`. In the old syntax the opening
    /// parenthesis and the name have been consumed already.
    fn datatype_body(
        &mut self,
        sort: SortDeclId,
        coinductive: bool,
        old: Option<&[Symbol]>,
    ) -> Result<(), Error> {
        let checkpoint = self.scope.checkpoint();
        let mut params: Vec<Symbol> = old.map(<[Symbol]>::to_vec).unwrap_or_default();
        let mut has_par = false;
        if old.is_none() {
            let open = self.expect(TokenKind::Open, "the constructors of the datatype")?;
            let first = self.peek()?;
            if first.kind == TokenKind::Symbol && self.text(first) == b"par" {
                self.next()?;
                has_par = true;
                self.expect(TokenKind::Open, "the sort parameters")?;
                params = self.sort_params()?;
                self.expect(TokenKind::Open, "the constructors of the datatype")?;
            }
            self.check_param_count(sort, params.len(), open.span)?;
        }
        for &param in &params {
            self.scope.declare_sort(&self.pool, param, SortMeaning::Param);
        }
        let described = self.constructors(sort);
        self.scope.rewind(checkpoint);
        let described = described?;
        if has_par {
            self.expect(TokenKind::Close, "`)` after (par …)")?;
        }
        self.add_constructors(sort, params, described, coinductive)
    }

    fn check_param_count(&mut self, sort: SortDeclId, found: usize, span: Span) -> Result<(), Error> {
        let decl = self.pool.sort_decl(sort);
        if decl.arity as usize != found {
            let (name, there) = (self.owned_name(decl.name), decl.span);
            let kind = ErrorKind::SortArity { name, expected: decl.arity as usize, found };
            return Err(kind
                .at(span)
                .related(there, "its arity is declared")
                .hint("parameters are named by (par (T) …)"));
        }
        Ok(())
    }

    /// The constructors up to the closing parenthesis, not yet declared.
    fn constructors(&mut self, sort: SortDeclId) -> Result<Vec<Described>, Error> {
        let mut described = vec![];
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Close => break,
                TokenKind::Symbol | TokenKind::Quoted => {
                    described.push(Described { name: self.name(token)?, span: token.span, fields: vec![] });
                }
                TokenKind::Open => described.push(self.constructor()?),
                _ => {
                    return Err(self.unexpected(token, "a constructor such as (cons (head Int) (tail List))"));
                }
            }
        }
        if described.is_empty() {
            let decl = self.pool.sort_decl(sort);
            return Err(ErrorKind::EmptyDatatype { name: self.owned_name(decl.name) }.at(decl.span));
        }
        Ok(described)
    }

    fn constructor(&mut self) -> Result<Described, Error> {
        let (name, span) = self.expect_name("the name of a constructor")?;
        let mut fields = vec![];
        self.each_list("a field such as (head Int)", |parser, _| {
            let (field, span) = parser.expect_name("the name of a selector")?;
            let sort = parser.sort()?;
            parser.expect(TokenKind::Close, "`)` after the sort of a field")?;
            fields.push((field, sort, span));
            Ok(())
        })?;
        Ok(Described { name, span, fields })
    }

    fn add_constructors(
        &mut self,
        sort: SortDeclId,
        params: Vec<Symbol>,
        described: Vec<Described>,
        coinductive: bool,
    ) -> Result<(), Error> {
        let param_sorts: Box<[SortId]> = params.iter().map(|&p| self.pool.sort_id(Sort::Param(p))).collect();
        let own = self.pool.sort_id(Sort::Declared(sort, param_sorts));
        let params: Box<[Symbol]> = params.into();
        let mut constructors = vec![];
        for (index, constructor) in described.into_iter().enumerate() {
            self.check_new(constructor.name, constructor.span)?;
            let role = Role::Constructor { datatype: sort, index: index as u32 };
            let fields: Box<[SortId]> = constructor.fields.iter().map(|&(_, sort, _)| sort).collect();
            let decl = self.add_member(constructor.name, &params, fields, own, role, constructor.span);
            let mut selectors = vec![];
            for (field, &(name, result, span)) in constructor.fields.iter().enumerate() {
                let role = Role::Selector { datatype: sort, constructor: decl, field: field as u32 };
                selectors.push(self.add_member(name, &params, [own].into(), result, role, span));
            }
            constructors.push(Constructor { decl, selectors: selectors.into() });
        }
        self.pool.sort_decls[sort.0 as usize].datatype = Some(Datatype { params, constructors, coinductive });
        Ok(())
    }

    fn add_member(
        &mut self,
        name: Symbol,
        sort_params: &[Symbol],
        params: Box<[SortId]>,
        result: SortId,
        role: Role,
        span: Span,
    ) -> DeclId {
        let decl = self.pool.add_decl(Decl {
            name,
            sort_params: sort_params.into(),
            params,
            result,
            role,
            span,
            of_model: false,
        });
        self.scope.declare(&self.pool, name, decl);
        decl
    }

    /// Every datatype needs a finite value. A field of another sort, or of an array, counts as inhabited.
    fn check_well_founded(&mut self, sorts: &[SortDeclId], open: Span) -> Result<(), Error> {
        let mut founded: Vec<bool> = vec![false; sorts.len()];
        loop {
            let mut changed = false;
            for (n, &sort) in sorts.iter().enumerate() {
                if founded[n] {
                    continue;
                }
                let Some(datatype) = &self.pool.sort_decl(sort).datatype else { continue };
                let is_founded = |field: &SortId| match self.pool.sort(*field) {
                    Sort::Declared(decl, _) => {
                        sorts.iter().position(|s| s == decl).is_none_or(|at| founded[at])
                    }
                    _ => true,
                };
                let finite = datatype.coinductive
                    || datatype
                        .constructors
                        .iter()
                        .any(|c| self.pool.decl(c.decl).params.iter().all(is_founded));
                if finite {
                    founded[n] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        match founded.iter().position(|&is| !is) {
            None => Ok(()),
            Some(n) => {
                let decl = self.pool.sort_decl(sorts[n]);
                let span = if decl.span == Span::default() { open } else { decl.span };
                Err(ErrorKind::NotWellFounded { name: self.owned_name(decl.name) }.at(span))
            }
        }
    }
}

/// A constructor as read, before it is declared.
struct Described {
    name: Symbol,
    span: Span,
    fields: Vec<(Symbol, SortId, Span)>,
}
