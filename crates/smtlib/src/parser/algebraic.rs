//! Irrational numbers as solvers print them in models: `(root-obj (+ (^ x 2) (- 2)) 1)` (z3) and
//! `(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)` (cvc5).
//!
//! Neither consists of ordinary terms, so the text is kept as one literal; `model::algebraic` computes the number.

use super::Parser;
use crate::error::{Error, ErrorKind};
use crate::lexer::TokenKind;
use crate::sort::SortId;
use crate::span::Span;
use crate::term::{Kind, Lit};

impl Parser<'_> {
    /// After `(root-obj`.
    pub(super) fn root_object(&mut self, open: Span) -> Result<bool, Error> {
        self.rest_of_list(open)?;
        self.algebraic_literal(open)
    }

    /// After `(_`: whether an algebraic number of cvc5 follows.
    pub(super) fn is_algebraic(&mut self) -> Result<bool, Error> {
        let token = self.peek()?;
        Ok(token.kind == TokenKind::Symbol && self.text(token) == b"real_algebraic_number")
    }

    /// After `(_`, through `>)`. The text between is not made of SMT-LIB tokens.
    pub(super) fn algebraic_number(&mut self, open: Span) -> Result<bool, Error> {
        self.next()?;
        let start = self.lexer.offset();
        let rest = &self.lexer.source()[start..];
        let Some(angle) = rest.iter().position(|&byte| byte == b'>') else {
            return Err(ErrorKind::UnclosedParenthesis.at(open));
        };
        self.lexer.seek(start + angle + 1);
        self.expect(TokenKind::Close, "`)` after the number")?;
        self.algebraic_literal(open)
    }

    fn algebraic_literal(&mut self, open: Span) -> Result<bool, Error> {
        let span = Span::new(open.start as usize, self.lexer.offset());
        let symbol = self.pool.symbol(&self.lexer.source()[span.range()]);
        let term = self.pool.term(Kind::Lit(Lit::Algebraic, symbol), SortId::REAL, &[]);
        self.give(term, span);
        Ok(true)
    }
}
