//! Constants as the source writes them: numerals, decimals, bit-vectors, strings and field elements.
//!
//! A literal is kept as it is spelled, interned. This file only determines its sort, and whether it is within the
//! limits and, for `(_ bv5 8)`, within its width. The evaluator computes its value.

use super::{Parser, shortened};
use crate::error::{Error, ErrorKind};
use crate::escape;
use crate::lexer::Token;
use crate::sort::{Sort, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{Index, Kind, Lit, TermId};

impl Parser<'_> {
    pub(super) fn literal(&mut self, literal: Lit, token: Token) -> Result<TermId, Error> {
        let text = self.text(token);
        let (text, sort) = match literal {
            Lit::Numeral if self.numerals_are_real => (text, SortId::REAL),
            Lit::Numeral => (text, SortId::INT),
            Lit::Decimal => (text, SortId::REAL),
            Lit::Hex => (text, self.literal_width(token, (text.len() - 2) * 4)?),
            Lit::Binary => (text, self.literal_width(token, text.len() - 2)?),
            _ => (&text[1..text.len() - 1], SortId::STRING),
        };
        if literal != Lit::String {
            self.check_digits(text.len(), token.span)?;
        }
        let symbol = match literal {
            Lit::String if self.legacy_strings => self.standard_spelling(text),
            _ => self.pool.symbol(text),
        };
        Ok(self.pool.term(Kind::Lit(literal, symbol), sort, &[]))
    }

    /// A string in the old spelling, converted to the standard spelling.
    fn standard_spelling(&mut self, text: &[u8]) -> Symbol {
        let mut literal = String::new();
        match escape::write_literal(&escape::parse_legacy(text), &mut literal) {
            Ok(()) => self.pool.symbol(&literal.as_bytes()[1..literal.len() - 1]),
            Err(_) => unreachable!("writing to a String does not fail"),
        }
    }

    pub(super) fn check_digits(&self, found: usize, span: Span) -> Result<(), Error> {
        let limit = self.limits.digits;
        if found <= limit {
            return Ok(());
        }
        let first = Span::new(span.start as usize, span.start as usize + 1);
        Err(ErrorKind::TooManyDigits { found, limit }.at(first))
    }

    fn literal_width(&mut self, token: Token, width: usize) -> Result<SortId, Error> {
        if width > self.limits.width as usize {
            let kind = ErrorKind::TooWide { found: width.to_string(), limit: self.limits.width };
            return Err(kind.at(Span::new(token.span.start as usize, token.span.start as usize + 1)));
        }
        Ok(self.pool.bitvec(width as u32))
    }

    /// `#f3m7`: value and order.
    pub(super) fn field_literal(&mut self, token: Token) -> Result<(), Error> {
        let text = &self.text(token)[2..];
        self.check_digits(text.len(), token.span)?;
        let Some(m) = text.iter().position(|&byte| byte == b'm').filter(|&m| m > 0 && m + 1 < text.len())
        else {
            return Err(ErrorKind::BadHash.at(token.span));
        };
        let order = self.pool.symbol(&text[m + 1..]);
        let sort = self.pool.sort_id(Sort::Field(order));
        let value = self.pool.symbol(&text[..m]);
        let term = self.pool.term(Kind::Lit(Lit::Field, value), sort, &[]);
        self.give(term, token.span);
        Ok(())
    }

    /// `(_ bv13 8)`.
    pub(super) fn bv_literal(
        &mut self,
        digits: &[u8],
        indices: &[Index],
        span: Span,
    ) -> Result<TermId, Error> {
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
}

/// Whether a decimal fits in this many bits, without reading all digits of a long one.
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
