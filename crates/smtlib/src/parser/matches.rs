//! `match`: the cases of a datatype.
//!
//! The matched term is read first, because its datatype decides whether a name in a pattern is a constructor or a
//! variable. The body of each case is read with the variables of its pattern bound. At the end every constructor must
//! have a case, and all bodies must have one sort.

use super::Parser;
use super::terms::Frame;
use crate::error::{Error, ErrorKind};
use crate::lexer::TokenKind;
use crate::sort::SortId;
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{Case, DeclId, Kind, TermId};

impl Parser<'_> {
    pub(super) fn first_case(&mut self) -> Result<bool, Error> {
        let Some(Frame::Match { base, open }) = self.frames.pop() else {
            unreachable!("only a match begins its cases")
        };
        let (scrutinee, span) = self.values[base];
        let sort = self.pool.sort_of(scrutinee);
        if self.pool.datatype(sort).is_none() {
            return Err(ErrorKind::MatchSort { found: self.show_sort(sort) }.at(span));
        }
        self.expect(TokenKind::Open, "the cases of `match`")?;
        let token = self.next()?;
        if token.kind == TokenKind::Close {
            return Err(ErrorKind::EmptyMatch.at(open.to(token.span)));
        }
        if token.kind != TokenKind::Open {
            return Err(self.unexpected(token, "a case such as (nil 0)"));
        }
        let mark = self.scope.mark();
        let case = self.pattern(sort)?;
        self.frames.push(Frame::MatchBody { cases: vec![case], sort, mark, base, open });
        Ok(false)
    }

    pub(super) fn next_case(&mut self) -> Result<bool, Error> {
        let close = self.expect(TokenKind::Close, "`)` after the body of a case")?;
        let Some(Frame::MatchBody { mut cases, sort, mark, base, open }) = self.frames.pop() else {
            unreachable!("only a match has cases")
        };
        self.scope.unbind(mark);
        let (first, other) = (self.values[base + 1], self.values[self.values.len() - 1]);
        let (first_sort, other_sort) = (self.pool.sort_of(first.0), self.pool.sort_of(other.0));
        if first_sort != other_sort {
            let (first, other_text) = (self.show_sort(first_sort), self.show_sort(other_sort));
            return Err(ErrorKind::CaseSorts { first, other: other_text }.at(other.1));
        }
        let token = self.next()?;
        match token.kind {
            TokenKind::Open => {
                cases.push(self.pattern(sort)?);
                self.frames.push(Frame::MatchBody { cases, sort, mark, base, open });
                Ok(false)
            }
            TokenKind::Close => {
                self.expect(TokenKind::Close, "`)` after the cases of `match`")?;
                self.end_match(cases, sort, base, open.to(close.span))
            }
            _ => Err(self.unexpected(token, "another case or `)`")),
        }
    }

    fn end_match(&mut self, cases: Vec<Case>, sort: SortId, base: usize, span: Span) -> Result<bool, Error> {
        let covers_all = cases.iter().any(|case| case.constructor.is_none());
        if let Some((datatype, _)) = self.pool.datatype(sort).filter(|_| !covers_all) {
            let missing = datatype
                .constructors
                .iter()
                .find(|c| !cases.iter().any(|case| case.constructor == Some(c.decl)));
            if let Some(missing) = missing {
                let name = self.owned_name(self.pool.decl(missing.decl).name);
                return Err(ErrorKind::MatchNotExhaustive { name }.at(span));
            }
        }
        let args: Vec<TermId> = self.values.drain(base..).map(|(term, _)| term).collect();
        let result = self.pool.sort_of(args[1]);
        let cases = self.pool.cases(cases.into());
        let term = self.pool.term(Kind::Match(cases), result, &args);
        self.give(term, span);
        Ok(true)
    }

    /// The pattern of a case; binds its variables.
    fn pattern(&mut self, sort: SortId) -> Result<Case, Error> {
        let token = self.next()?;
        if matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            let name = if self.text(token) == b"_" { self.pool.symbol(b"_") } else { self.name(token)? };
            if let Some(constructor) = self.constructor_named(name, sort) {
                return self.constructor_pattern(constructor, sort, &[], token.span);
            }
            self.scope.bind(&self.pool, name, sort);
            return Ok(Case { constructor: None, vars: [(name, sort)].into() });
        }
        if token.kind != TokenKind::Open {
            return Err(self.unexpected(token, "a pattern"));
        }
        let (name, span) = self.expect_name("the name of a constructor")?;
        let mut vars = vec![];
        while self.peek()?.kind != TokenKind::Close {
            let token = self.next()?;
            if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
                return Err(self.unexpected(token, "a variable"));
            }
            let wild = self.text(token) == b"_";
            vars.push((if wild { self.pool.symbol(b"_") } else { self.name(token)? }, token.span));
        }
        self.next()?;
        let Some(constructor) = self.constructor_named(name, sort) else {
            let kind = ErrorKind::NotAConstructor { name: self.owned_name(name), sort: self.show_sort(sort) };
            return Err(kind.at(span));
        };
        self.constructor_pattern(constructor, sort, &vars, span)
    }

    /// The constructor of this name among those of a datatype.
    pub(super) fn constructor_named(&self, name: Symbol, sort: SortId) -> Option<DeclId> {
        let (datatype, _) = self.pool.datatype(sort)?;
        datatype.constructors.iter().map(|c| c.decl).find(|&decl| self.pool.decl(decl).name == name)
    }

    fn constructor_pattern(
        &mut self,
        constructor: DeclId,
        sort: SortId,
        names: &[(Symbol, Span)],
        span: Span,
    ) -> Result<Case, Error> {
        let decl = self.pool.decl(constructor).clone();
        if decl.params.len() != names.len() {
            let name = self.owned_name(decl.name);
            let kind = ErrorKind::PatternArity { name, expected: decl.params.len(), found: names.len() };
            return Err(kind.at(span));
        }
        let wild = self.pool.symbol(b"_");
        let named: Vec<_> = names.iter().copied().filter(|&(name, _)| name != wild).collect();
        self.check_distinct(&named)?;
        let sort_args = self.pool.datatype(sort).map(|(_, args)| args.to_vec()).unwrap_or_default();
        let mut vars = vec![];
        for (&(name, _), &param) in names.iter().zip(&decl.params) {
            let field = self.pool.substitute_sort(param, &decl.sort_params, &sort_args);
            vars.push((name, field));
            self.scope.bind(&self.pool, name, field);
        }
        Ok(Case { constructor: Some(constructor), vars: vars.into() })
    }
}
