//! Heads that are more than a name: `(_ extract 3 0)`, `(as nil (List Int))`, and similar syntax.
//!
//! Some indexed names are not operators of a table: `(_ bv5 8)` and `(_ char #x41)` are literals, `(_ is cons)` and
//! `(_ update head)` are members of a datatype that only the script knows. After parsing they are distinguished here
//! by their name. All others are looked up in the rows of that name.

use super::Parser;
use super::apply::{Arg, Head};
use super::rows::Application;
use crate::error::{Error, ErrorKind};
use crate::lexer::TokenKind;
use crate::sort::{Sort, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{Index, IndicesId, Kind, Lit, Pool, Role, TermId};

impl Parser<'_> {
    // Reading.

    /// After `(_`: name and indices, through the closing parenthesis.
    pub(super) fn indexed_identifier(&mut self, open: Span) -> Result<Head, Error> {
        let (name, _) = self.expect_name("the name of an indexed operator")?;
        let mut indices = vec![];
        loop {
            let token = self.peek()?;
            match token.kind {
                TokenKind::Close => break,
                TokenKind::Numeral => {
                    self.next()?;
                    let text = self.text(token);
                    self.check_digits(text.len(), token.span)?;
                    let number = super::parse_u64(text).map(Index::Num);
                    indices.push(number.unwrap_or_else(|| Index::Text(self.pool.symbol(text))));
                }
                TokenKind::Symbol | TokenKind::Quoted => {
                    self.next()?;
                    indices.push(Index::Text(self.name(token)?));
                }
                TokenKind::Hex | TokenKind::Open => {
                    let (text, _) = self.raw()?;
                    indices.push(Index::Text(self.pool.symbol(text)));
                }
                TokenKind::End => return Err(ErrorKind::UnclosedParenthesis.at(open)),
                _ => {
                    let name = self.owned_name(name);
                    return Err(
                        ErrorKind::BadIndex { name, expected: "a numeral or a symbol" }.at(token.span)
                    );
                }
            }
        }
        self.next()?;
        let indices = self.pool.indices(indices.into());
        Ok(Head::Indexed(name, indices))
    }

    /// After `(as`: identifier and sort, through the closing parenthesis.
    pub(super) fn qualified_identifier(&mut self, open: Span) -> Result<Head, Error> {
        let token = self.next()?;
        let (name, indices) = match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => (self.name(token)?, IndicesId::NONE),
            TokenKind::Open => {
                self.expect(TokenKind::Symbol, "`_`")?;
                match self.indexed_identifier(open)? {
                    Head::Indexed(name, indices) => (name, indices),
                    _ => unreachable!("an indexed identifier is indexed"),
                }
            }
            _ => return Err(self.unexpected(token, "an identifier")),
        };
        let sort = self.sort()?;
        self.expect(TokenKind::Close, "`)`")?;
        Ok(Head::Qualified(name, indices, sort))
    }

    // Meaning.

    pub(super) fn apply_indexed(
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
            Some(rows) => self.apply_rows(&Application { name, rows, indices, given: None, span, args }),
            None => Err(self.unknown_name(name, span)),
        }
    }

    /// The index of `is` or `update` (`f`, or z3's `(f (Int) Int)`), and its arguments.
    fn member_and_arguments<const N: usize>(
        &mut self,
        operator: &str,
        member: &'static str,
        indices: &[Index],
        span: Span,
        args: &[Arg],
    ) -> Result<(Symbol, [Arg; N]), Error> {
        let &[Index::Text(text)] = indices else {
            return Err(ErrorKind::BadIndex { name: operator.into(), expected: member }.at(span));
        };
        let Ok(taken) = <[Arg; N]>::try_from(args) else {
            let kind = ErrorKind::Arity { name: operator.into(), expected: N.to_string(), found: args.len() };
            return Err(kind.at(span));
        };
        Ok((index_symbol(&mut self.pool, text), taken))
    }

    fn tester(&mut self, indices: &[Index], span: Span, args: &[Arg]) -> Result<TermId, Error> {
        let (name, [(arg, _)]) =
            self.member_and_arguments("is", "the name of a constructor", indices, span, args)?;
        let sort = self.pool.sort_of(arg);
        let Some(constructor) = self.constructor_named(name, sort) else {
            let kind = ErrorKind::NotAConstructor { name: self.owned_name(name), sort: self.show_sort(sort) };
            return Err(kind.at(span));
        };
        Ok(self.pool.term(Kind::Tester { constructor, dashed: false }, SortId::BOOL, &[arg]))
    }

    fn updater(&mut self, indices: &[Index], span: Span, args: &[Arg]) -> Result<TermId, Error> {
        let (name, [(record, _), (value, value_span)]) =
            self.member_and_arguments("update", "the name of a selector", indices, span, args)?;
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

    pub(super) fn apply_qualified(
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
            Some(rows) => {
                self.apply_rows(&Application { name, rows, indices, given: Some(sort), span, args })
            }
            None if is_abstract && args.is_empty() => {
                Ok(self.pool.term(Kind::Lit(Lit::Abstract, name), sort, &[]))
            }
            None => Err(self.unknown_name(name, span)),
        }
    }
}

/// The symbol that an index text names.
pub(super) fn index_symbol(pool: &mut Pool, text: Symbol) -> Symbol {
    let bytes = pool.bytes(text);
    let Some(inner) = bytes.strip_prefix(b"(") else { return text };
    let inner = inner.trim_ascii_start();
    let end =
        inner.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'(').unwrap_or(inner.len());
    let name = inner[..end].to_vec();
    pool.symbol(&name)
}
