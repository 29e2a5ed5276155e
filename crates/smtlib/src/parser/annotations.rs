//! Annotations: `(! term :named a :pattern ((f x)))`.
//!
//! A name makes the term a function of the script from there on, so the term must be closed. Patterns are terms: they
//! are kept on the value stack behind the annotated term, and the attribute has their number. Unknown attributes are
//! kept as text.

use super::Parser;
use super::terms::Frame;
use crate::error::{Error, ErrorKind};
use crate::lexer::{Token, TokenKind};
use crate::symbol::Symbol;
use crate::term::{Attr, AttrValue, Decl, DeclId, Kind, Role, TermId};

impl Parser<'_> {
    /// After the term of `!`, or after a pattern: reads attributes until a pattern's terms are needed or the
    /// annotation ends.
    pub(super) fn attributes(&mut self) -> Result<bool, Error> {
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Keyword => {
                    if self.attribute(token)? {
                        return Ok(false);
                    }
                }
                TokenKind::Close => return self.end_annotation(token),
                _ => return Err(self.unexpected(token, "an attribute such as :named")),
            }
        }
    }

    /// Reads one attribute; returns whether the terms of a pattern must be read first.
    fn attribute(&mut self, token: Token) -> Result<bool, Error> {
        let text = self.text(token);
        let key = self.pool.symbol(text);
        let value = match text {
            b":pattern" | b":no-pattern" if self.peek()?.kind == TokenKind::Open => {
                if text == b":pattern" {
                    self.next()?;
                    if let Some(Frame::Annot { pattern, .. }) = self.frames.last_mut() {
                        *pattern = Some((key, 0));
                    }
                    return Ok(true);
                }
                let (text, _) = self.raw()?;
                AttrValue::Text(self.pool.symbol(text))
            }
            b":named" => AttrValue::Name(self.named()?),
            _ => match self.peek()?.kind {
                TokenKind::Keyword | TokenKind::Close => AttrValue::None,
                _ => {
                    let (text, _) = self.raw()?;
                    AttrValue::Text(self.pool.symbol(text))
                }
            },
        };
        if let Some(Frame::Annot { attrs, .. }) = self.frames.last_mut() {
            attrs.push(Attr { key, value });
        }
        Ok(false)
    }

    fn named(&mut self) -> Result<DeclId, Error> {
        let token = self.next()?;
        if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            return Err(ErrorKind::BadName.at(token.span));
        }
        let name = self.name(token)?;
        self.check_new(name, token.span)?;
        let Some(&Frame::Annot { base, .. }) = self.frames.last() else {
            unreachable!("names are given inside annotations")
        };
        let term = self.values[base].0;
        if let Some(var) = self.open_variable(term) {
            return Err(ErrorKind::OpenNamedTerm { name: self.owned_name(var) }.at(token.span));
        }
        let decl = self.pool.add_decl(Decl {
            name,
            sort_params: [].into(),
            params: [].into(),
            result: self.pool.sort_of(term),
            role: Role::Named(term),
            span: token.span,
            of_model: false,
        });
        self.scope.declare(&self.pool, name, decl);
        Ok(decl)
    }

    /// A free variable of the term, except those bound by `let`, which have a value.
    fn open_variable(&mut self, term: TermId) -> Option<Symbol> {
        if self.scope.mark() == 0 {
            return None;
        }
        let free = self.free.of(&self.pool, term);
        let Parser { scope, pool, .. } = self;
        free.iter().copied().find(|&var| scope.entry(pool, var).var.is_none_or(|var| !var.is_value))
    }

    fn end_annotation(&mut self, close: Token) -> Result<bool, Error> {
        let Some(Frame::Annot { attrs, base, open, .. }) = self.frames.pop() else {
            unreachable!("only annotations end here")
        };
        if attrs.is_empty() {
            return Err(ErrorKind::EmptyAnnotation.at(open.to(close.span)));
        }
        let args: Vec<TermId> = self.values.drain(base..).map(|(term, _)| term).collect();
        let sort = self.pool.sort_of(args[0]);
        let attrs = self.pool.attrs(attrs.into());
        let term = self.pool.term(Kind::Annot(attrs), sort, &args);
        self.give(term, open.to(close.span));
        Ok(true)
    }
}
