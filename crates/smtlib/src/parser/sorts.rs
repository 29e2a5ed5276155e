//! Sorts as the source writes them.
//!
//! In real files sorts have few levels, so the parser of sorts is recursive with a fixed limit.

use super::Parser;
use super::scope::SortMeaning;
use crate::error::{Error, ErrorKind};
use crate::lexer::TokenKind;
use crate::limits::{SORT_DEPTH, SORT_NESTING, SORT_PARTS};
use crate::sort::{Sort, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;

impl Parser<'_> {
    pub(super) fn sort(&mut self) -> Result<SortId, Error> {
        let at = self.peek()?.span;
        let sort = self.nested_sort(0)?;
        self.check_sorts(at)?;
        Ok(sort)
    }

    /// Checks the limits for sorts. A few nested abbreviations can name a sort of 2^60 parts.
    pub(super) fn check_sorts(&self, at: Span) -> Result<(), Error> {
        let largest = self.pool.largest_sort();
        if largest.parts > SORT_PARTS || largest.depth > SORT_NESTING {
            return Err(ErrorKind::TooLarge { what: "a sort" }.at(at));
        }
        Ok(())
    }

    fn nested_sort(&mut self, depth: usize) -> Result<SortId, Error> {
        let token = self.next()?;
        if depth > SORT_DEPTH {
            return Err(ErrorKind::TooDeep { limit: SORT_DEPTH }.at(token.span));
        }
        match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => {
                let name = self.name(token)?;
                self.plain_sort(name, token.span)
            }
            TokenKind::Open => self.compound_sort(token.span, depth),
            _ => Err(self.unexpected(token, "a sort")),
        }
    }

    fn plain_sort(&mut self, name: Symbol, span: Span) -> Result<SortId, Error> {
        if let Some(meaning) = self.scope.entry(&self.pool, name).sort.clone() {
            return self.declared_sort(name, meaning, &[], span);
        }
        match plain_builtin(self.pool.bytes(name)) {
            Some(sort) => Ok(self.pool.sort_id(sort)),
            None if compound_builtin(self.pool.bytes(name)) => {
                let sort = self.builtin_sort(name, &[], span)?;
                Ok(self.pool.sort_id(sort))
            }
            None => Err(self.unknown_sort(name, span)),
        }
    }

    fn unknown_sort(&self, name: Symbol, span: Span) -> Error {
        ErrorKind::UnknownSort { name: self.owned_name(name) }.at(span)
    }

    fn declared_sort(
        &mut self,
        name: Symbol,
        meaning: SortMeaning,
        args: &[SortId],
        span: Span,
    ) -> Result<SortId, Error> {
        let expected = match &meaning {
            SortMeaning::Declared(decl) => self.pool.sort_decl(*decl).arity as usize,
            SortMeaning::Alias(params, _) => params.len(),
            SortMeaning::Param => 0,
        };
        if expected != args.len() {
            if let (SortMeaning::Declared(decl), [], Some((sorts, params))) = (&meaning, args, &self.implied)
                && sorts.contains(decl)
            {
                let sort = Sort::Declared(*decl, params.as_slice().into());
                return Ok(self.pool.sort_id(sort));
            }
            let name = self.owned_name(name);
            return Err(ErrorKind::SortArity { name, expected, found: args.len() }.at(span));
        }
        Ok(match meaning {
            SortMeaning::Declared(decl) => self.pool.sort_id(Sort::Declared(decl, args.into())),
            SortMeaning::Alias(params, sort) => self.pool.substitute_sort(sort, &params, args),
            SortMeaning::Param => self.pool.sort_id(Sort::Param(name)),
        })
    }

    fn compound_sort(&mut self, open: Span, depth: usize) -> Result<SortId, Error> {
        let token = self.next()?;
        if token.kind == TokenKind::Symbol && self.text(token) == b"_" {
            return self.indexed_sort(open);
        }
        if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            return Err(self.unexpected(token, "the name of a sort"));
        }
        let name = self.name(token)?;
        let mut args = vec![];
        while self.peek()?.kind != TokenKind::Close {
            args.push(self.nested_sort(depth + 1)?);
        }
        let close = self.next()?;
        let span = open.to(close.span);
        if args.is_empty() && name_is_simple(self, name) {
            return Err(ErrorKind::SortInParentheses { name: self.owned_name(name) }.at(span));
        }
        if let Some(meaning) = self.scope.entry(&self.pool, name).sort.clone() {
            return self.declared_sort(name, meaning, &args, span);
        }
        let sort = self.builtin_sort(name, &args, span)?;
        Ok(self.pool.sort_id(sort))
    }

    fn builtin_sort(&mut self, name: Symbol, args: &[SortId], span: Span) -> Result<Sort, Error> {
        let arity = |expected: usize| ErrorKind::SortArity {
            name: self.owned_name(name),
            expected,
            found: args.len(),
        };
        Ok(match (self.pool.bytes(name), args) {
            (b"Array", &[index, element]) => Sort::Array(index, element),
            (b"Array", [_, _, _, ..]) => Sort::MultiArray(args.into()),
            (b"Array", _) => return Err(arity(2).at(span)),
            (b"Seq", &[element]) => Sort::Seq(element),
            (b"Set", &[element]) => Sort::Set(element),
            (b"FiniteSet", &[element]) => Sort::FiniteSet(element),
            (b"Bag", &[element]) => Sort::Bag(element),
            (b"Nullable", &[element]) => Sort::Nullable(element),
            (b"RegEx", &[SortId::STRING]) => Sort::RegLan,
            (b"Seq" | b"Set" | b"FiniteSet" | b"Bag" | b"Nullable" | b"RegEx", _) => {
                return Err(arity(1).at(span));
            }
            (b"Tuple", _) => Sort::Tuple(args.into()),
            (b"Relation", _) => Sort::Set(self.pool.sort_id(Sort::Tuple(args.into()))),
            (b"Table", _) => Sort::Bag(self.pool.sort_id(Sort::Tuple(args.into()))),
            (b"->", [_, _, ..]) => Sort::Fun(args.into()),
            (b"->", _) => return Err(arity(2).at(span)),
            (other, _) if plain_builtin(other).is_some() => return Err(arity(0).at(span)),
            _ => return Err(self.unknown_sort(name, span)),
        })
    }

    fn indexed_sort(&mut self, open: Span) -> Result<SortId, Error> {
        let (name, name_span) = self.expect_name("the name of a sort")?;
        let mut numbers = vec![];
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Numeral => numbers.push(token),
                TokenKind::Close => break,
                _ => return Err(self.unexpected(token, "a numeral")),
            }
        }
        let span = open.to(Span::new(self.lexer.offset(), self.lexer.offset()));
        let count =
            |expected| ErrorKind::IndexCount { name: self.owned_name(name), expected, found: numbers.len() };
        let sort = match (self.pool.bytes(name), &numbers[..]) {
            (b"BitVec", &[width]) => Sort::BitVec(self.width(width)?),
            (b"FloatingPoint", &[eb, sb]) => {
                let (eb, sb) = (self.width(eb)?, self.width(sb)?);
                if eb < 2 || sb < 2 {
                    return Err(ErrorKind::BadFormat.at(span));
                }
                Sort::Float { eb, sb }
            }
            (b"FiniteField", &[order]) => self.field_sort(order)?,
            (b"BitVec" | b"FiniteField", _) => return Err(count(1).at(span)),
            (b"FloatingPoint", _) => return Err(count(2).at(span)),
            _ => return Err(self.unknown_sort(name, name_span)),
        };
        Ok(self.pool.sort_id(sort))
    }

    fn field_sort(&mut self, order: crate::lexer::Token) -> Result<Sort, Error> {
        let text = self.text(order);
        self.check_digits(text.len(), order.span)?;
        if !is_prime(text) {
            let found = String::from_utf8_lossy(text).into_owned();
            return Err(ErrorKind::BadFieldOrder { found }.at(order.span));
        }
        Ok(Sort::Field(self.pool.symbol(text)))
    }

    fn width(&mut self, token: crate::lexer::Token) -> Result<u32, Error> {
        let text = self.text(token);
        match super::parse_u64(text) {
            Some(0) => Err(ErrorKind::ZeroWidth.at(token.span)),
            Some(width) if width <= u64::from(self.limits.width) => Ok(width as u32),
            _ => {
                let found = self.show(token).trim_matches('`').to_owned();
                Err(ErrorKind::TooWide { found, limit: self.limits.width }.at(token.span))
            }
        }
    }
}

fn plain_builtin(name: &[u8]) -> Option<Sort> {
    Some(match name {
        b"Bool" => Sort::Bool,
        b"Int" => Sort::Int,
        b"Real" => Sort::Real,
        b"String" => Sort::String,
        b"RegLan" => Sort::RegLan,
        b"RoundingMode" => Sort::RoundingMode,
        b"Float16" => Sort::Float { eb: 5, sb: 11 },
        b"Float32" => Sort::Float { eb: 8, sb: 24 },
        b"Float64" => Sort::Float { eb: 11, sb: 53 },
        b"Float128" => Sort::Float { eb: 15, sb: 113 },
        b"Unicode" => Sort::Char,
        b"UnitTuple" => Sort::Tuple(Box::new([])),
        _ => return None,
    })
}

/// Sorts that need parameters; without parameters they are a mistake, not an unknown name.
fn compound_builtin(name: &[u8]) -> bool {
    matches!(name, b"Array" | b"Seq" | b"Set" | b"FiniteSet" | b"Bag" | b"Nullable" | b"RegEx" | b"->")
}

/// Whether a name is a sort that takes no parameters.
fn name_is_simple(parser: &mut Parser<'_>, name: Symbol) -> bool {
    match &parser.scope.entry(&parser.pool, name).sort {
        Some(SortMeaning::Declared(decl)) => parser.pool.sort_decl(*decl).arity == 0,
        Some(SortMeaning::Alias(params, _)) => params.is_empty(),
        Some(SortMeaning::Param) => true,
        None => plain_builtin(parser.pool.bytes(name)).is_some(),
    }
}

/// The longest order whose primality is checked; longer ones are accepted without a check.
const CHECKED_DIGITS: usize = 400;

/// Whether a decimal is prime, by small divisors and by Fermat's test with several bases. A composite number that
/// passes all of them is accepted; a prime is never rejected.
fn is_prime(decimal: &[u8]) -> bool {
    if decimal.len() > CHECKED_DIGITS {
        return true;
    }
    let Some(order) = std::str::from_utf8(decimal).ok().and_then(|t| t.parse::<UBig>().ok()) else {
        return false;
    };
    const BASES: [u32; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if order <= UBig::from(37u32) {
        return BASES.iter().any(|&base| order == UBig::from(base));
    }
    if BASES.iter().any(|&base| (&order % UBig::from(base)).is_zero()) {
        return false;
    }
    let ring = ConstDivisor::new(order.clone());
    let exponent = order - UBig::ONE;
    BASES.iter().all(|&base| ring.reduce(base).pow(&exponent).residue() == UBig::ONE)
}
