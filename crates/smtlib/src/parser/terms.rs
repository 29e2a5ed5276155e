//! Terms, with an explicit stack.
//!
//! A frame is a construct that has been opened and not yet closed; finished terms are on a value stack. Reading an
//! atom or closing an application gives a value. A value may advance the frame below it (the next binding of a `let`,
//! the end of a quantifier), which may give another value, until more text is needed.
//!
//! This file has the frames, the loop, and the opening and closing of applications; `literals.rs`, `identifiers.rs`,
//! `binders.rs`, `annotations.rs` and `matches.rs` read the constructs they are named after.

use super::Parser;
use super::apply::Head;
use crate::error::{Error, ErrorKind};
use crate::lexer::{Token, TokenKind};
use crate::sort::SortId;
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{Attr, AttrValue, BindersId, Case, Lit, Quantifier, TermId};

/// An opened construct. `base` is the height of the value stack when it was opened.
pub(super) enum Frame {
    App {
        head: Head,
        head_span: Span,
        base: usize,
        open: Span,
    },
    /// Reading the values of a `let`.
    LetValues {
        names: Vec<(Symbol, Span)>,
        base: usize,
        open: Span,
    },
    LetBody {
        binders: BindersId,
        mark: usize,
        base: usize,
        open: Span,
    },
    Quant {
        quantifier: Quantifier,
        binders: BindersId,
        mark: usize,
        base: usize,
        open: Span,
    },
    /// `!`: `pattern` counts the terms of the pattern that is being read.
    Annot {
        attrs: Vec<Attr>,
        pattern: Option<(Symbol, u32)>,
        base: usize,
        open: Span,
    },
    /// Reading the matched term.
    Match {
        base: usize,
        open: Span,
    },
    /// Reading the body of the last case.
    MatchBody {
        cases: Vec<Case>,
        sort: SortId,
        mark: usize,
        base: usize,
        open: Span,
    },
}

impl Frame {
    /// The start of the construct.
    pub(super) fn open(&self) -> Span {
        match self {
            Frame::App { open, .. }
            | Frame::LetValues { open, .. }
            | Frame::LetBody { open, .. }
            | Frame::Quant { open, .. }
            | Frame::Annot { open, .. }
            | Frame::Match { open, .. }
            | Frame::MatchBody { open, .. } => *open,
        }
    }
}

impl Parser<'_> {
    /// Reads one term.
    pub(crate) fn term(&mut self) -> Result<TermId, Error> {
        self.term_with_span().map(|(term, _)| term)
    }

    pub(super) fn term_with_span(&mut self) -> Result<(TermId, Span), Error> {
        let floor = self.frames.len();
        loop {
            let token = self.next()?;
            let has_value = match token.kind {
                TokenKind::Open => self.open(token.span)?,
                TokenKind::Close => self.close(token, floor)?,
                TokenKind::End => return Err(self.unexpected(token, "a term")),
                _ => {
                    self.atom(token)?;
                    true
                }
            };
            if has_value && let Some(value) = self.settle(floor)? {
                return Ok(value);
            }
        }
    }

    pub(super) fn push_frame(&mut self, frame: Frame, open: Span) -> Result<(), Error> {
        if self.frames.len() >= self.limits.depth {
            return Err(ErrorKind::TooDeep { limit: self.limits.depth }.at(open));
        }
        self.frames.push(frame);
        Ok(())
    }

    pub(super) fn give(&mut self, term: TermId, span: Span) {
        self.values.push((term, span));
    }

    /// After a value: advances the frames below. Returns the term when all frames above `floor` are closed.
    fn settle(&mut self, floor: usize) -> Result<Option<(TermId, Span)>, Error> {
        loop {
            if self.frames.len() == floor {
                return Ok(self.values.pop());
            }
            let more = match self.frames.last_mut() {
                Some(Frame::App { .. }) | None => return Ok(None),
                Some(Frame::Annot { pattern: Some((_, count)), .. }) => {
                    *count += 1;
                    return Ok(None);
                }
                Some(Frame::LetValues { .. }) => self.next_binding()?,
                Some(Frame::LetBody { .. }) => self.end_let()?,
                Some(Frame::Quant { .. }) => self.end_quantifier()?,
                Some(Frame::Annot { .. }) => self.attributes()?,
                Some(Frame::Match { .. }) => self.first_case()?,
                Some(Frame::MatchBody { .. }) => self.next_case()?,
            };
            if !more {
                return Ok(None);
            }
        }
    }

    // Atoms.

    fn atom(&mut self, token: Token) -> Result<(), Error> {
        let literal = match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => {
                let name = self.name(token)?;
                let term = self.apply(Head::Name(name), token.span, &[], token.span)?;
                self.give(term, token.span);
                return Ok(());
            }
            TokenKind::Numeral => Lit::Numeral,
            TokenKind::Decimal => Lit::Decimal,
            TokenKind::Hex => Lit::Hex,
            TokenKind::Binary => Lit::Binary,
            TokenKind::String => Lit::String,
            TokenKind::Field => return self.field_literal(token),
            TokenKind::Keyword => {
                let error = ErrorKind::BadTermStart { found: self.show(token) }.at(token.span);
                return Err(error.hint("attributes stand inside an annotation: (! term :named a)"));
            }
            _ => return Err(ErrorKind::BadTermStart { found: self.show(token) }.at(token.span)),
        };
        let term = self.literal(literal, token)?;
        self.give(term, token.span);
        Ok(())
    }

    // Opening.

    /// After `(`: opens a frame, or reads an identifier such as `(_ bv3 8)` to its end. Returns which one happened.
    fn open(&mut self, open: Span) -> Result<bool, Error> {
        let token = self.next()?;
        let base = self.values.len();
        match token.kind {
            TokenKind::Symbol => match self.text(token) {
                b"let" => self.open_let(open),
                b"forall" => self.open_quantifier(Quantifier::Forall, open),
                b"exists" => self.open_quantifier(Quantifier::Exists, open),
                b"lambda" if self.is_binder(b"lambda")? => self.open_quantifier(Quantifier::Lambda, open),
                b"choice" | b"witness" if self.is_binder(self.text(token))? => {
                    self.open_quantifier(Quantifier::Choice, open)
                }
                b"set.comprehension" => self.open_quantifier(Quantifier::Comprehension, open),
                b"!" => self
                    .push_frame(Frame::Annot { attrs: vec![], pattern: None, base, open }, open)
                    .map(|()| false),
                b"root-obj" => self.root_object(open),
                b"match" => self.push_frame(Frame::Match { base, open }, open).map(|()| false),
                b"_" if self.is_algebraic()? => self.algebraic_number(open),
                b"_" if self.is_explicit_application()? => {
                    let frame = Frame::App { head: Head::Term, head_span: token.span, base, open };
                    self.push_frame(frame, open).map(|()| false)
                }
                b"_" => self.identifier_term(open, Self::indexed_identifier),
                b"as" => self.identifier_term(open, Self::qualified_identifier),
                _ => self.open_application(token, open),
            },
            TokenKind::Quoted => self.open_application(token, open),
            TokenKind::Open => self.open_compound_head(open, token.span),
            TokenKind::Close => Err(ErrorKind::EmptyTerm.at(open.to(token.span))),
            TokenKind::End => Err(ErrorKind::UnclosedParenthesis.at(open)),
            _ => {
                let error = ErrorKind::BadTermStart { found: self.show(token) }.at(token.span);
                Err(error.hint("after `(` comes the name of a function"))
            }
        }
    }

    /// Whether `lambda` or `choice` is the binder here: a list of variables follows, and the script has not
    /// declared a function of that name (the 2.6 standard does not reserve these words, and real files use them).
    fn is_binder(&mut self, word: &[u8]) -> Result<bool, Error> {
        let name = self.pool.symbol(word);
        let entry = self.scope.entry(&self.pool, name);
        let free = entry.var.is_none() && entry.decls.is_empty();
        Ok(free && self.peek()?.kind == TokenKind::Open)
    }

    /// After `(_`: whether SMT-LIB 2.7's application `(_ f x)` follows. Its `f` is a variable, a function of the
    /// script or a term; an operator's name would make it an indexed identifier.
    fn is_explicit_application(&mut self) -> Result<bool, Error> {
        let token = self.peek()?;
        match token.kind {
            TokenKind::Open => Ok(true),
            TokenKind::Symbol | TokenKind::Quoted => {
                let Some(name) = self.pool.symbols.find(self.text(token)) else { return Ok(false) };
                let entry = self.scope.entry(&self.pool, name);
                let declared = entry.var.is_some() || !entry.decls.is_empty();
                Ok(declared && entry.operators.is_none())
            }
            _ => Ok(false),
        }
    }

    fn open_application(&mut self, token: Token, open: Span) -> Result<bool, Error> {
        let head = Head::Name(self.name(token)?);
        let base = self.values.len();
        self.push_frame(Frame::App { head, head_span: token.span, base, open }, open)?;
        Ok(false)
    }

    /// `((_ f 1) …)`, `((as f S) …)`, or a function that is itself a term.
    fn open_compound_head(&mut self, open: Span, inner: Span) -> Result<bool, Error> {
        let token = self.next()?;
        let base = self.values.len();
        let head = match (token.kind, self.text(token)) {
            (TokenKind::Symbol, b"_") => self.indexed_identifier(inner)?,
            (TokenKind::Symbol, b"as") => self.qualified_identifier(inner)?,
            _ => {
                // A term in head position: it is read next, and then applied to the other terms.
                self.push_frame(Frame::App { head: Head::Term, head_span: inner, base, open }, open)?;
                self.peeked = None;
                self.lexer.seek(inner.start as usize);
                return Ok(false);
            }
        };
        let head_span = Span::new(inner.start as usize, self.lexer.offset());
        self.push_frame(Frame::App { head, head_span, base, open }, open)?;
        Ok(false)
    }

    fn identifier_term(
        &mut self,
        open: Span,
        read: fn(&mut Self, Span) -> Result<Head, Error>,
    ) -> Result<bool, Error> {
        let head = read(self, open)?;
        let span = Span::new(open.start as usize, self.lexer.offset());
        let term = self.apply(head, span, &[], span)?;
        self.give(term, span);
        Ok(true)
    }

    // Closing.

    fn close(&mut self, token: Token, floor: usize) -> Result<bool, Error> {
        if self.frames.len() == floor {
            return Err(self.unexpected(token, "a term"));
        }
        match self.frames.pop() {
            Some(Frame::App { head, head_span, base, open }) => {
                let span = open.to(token.span);
                // The arguments stay on the stack while the application is built from them.
                let values = std::mem::take(&mut self.values);
                let term = self.apply(head, head_span, &values[base..], span);
                self.values = values;
                self.values.truncate(base);
                self.give(term?, span);
                Ok(true)
            }
            Some(Frame::Annot { mut attrs, pattern: Some((key, count)), base, open }) => {
                attrs.push(Attr { key, value: AttrValue::Terms(count, true) });
                self.frames.push(Frame::Annot { attrs, pattern: None, base, open });
                self.attributes()
            }
            _ => Err(self.unexpected(token, "a term")),
        }
    }
}
