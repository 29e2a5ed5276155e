//! The parser: tokens to a typed script in one pass.
//!
//! Terms are parsed with an explicit stack, so nesting uses heap memory, never the call stack. Names are resolved and
//! sorts are checked while parsing: the result is typed, or there is an error with a position.
//!
//! `scope.rs` knows what names mean, `sorts.rs` reads sorts, `terms.rs` reads terms (with `literals.rs`,
//! `identifiers.rs`, `binders.rs`, `annotations.rs` and `matches.rs`), `apply.rs` determines the meaning of an
//! application (with `rows.rs`; `explain.rs` has the errors), `commands.rs` reads commands and `datatypes.rs` the
//! largest of them.

mod algebraic;
mod annotations;
mod apply;
mod binders;
mod commands;
mod datatypes;
mod explain;
mod identifiers;
mod literals;
mod matches;
mod rows;
pub mod scope;
mod sorts;
mod terms;

use crate::error::{Error, ErrorKind};
use crate::free::FreeVariables;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::limits::ReadLimits;
use crate::script::Script;
use crate::sort::{SortDeclId, SortId};
use crate::span::Span;
use crate::symbol::Symbol;
use crate::term::{DeclId, Pool, TermId};
use scope::Scope;

pub(crate) fn parse(source: &[u8], limits: ReadLimits) -> Result<Script, Error> {
    let mut parser = Parser::new(source, limits)?;
    parser.script()
}

/// Reads a term in the context of a script, with the declarations that are in scope at the script's end.
pub fn parse_term(script: &mut Script, source: &[u8]) -> Result<TermId, Error> {
    with_script(script, source, |parser| {
        let term = parser.term()?;
        parser.expect_end()?;
        Ok(term)
    })
}

/// Reads a sort in the context of a script.
pub fn parse_sort(script: &mut Script, source: &[u8]) -> Result<SortId, Error> {
    with_script(script, source, |parser| {
        let sort = parser.sort()?;
        parser.expect_end()?;
        Ok(sort)
    })
}

/// Runs a parser over another text with the script's pool and names.
pub(crate) fn with_script<T>(
    script: &mut Script,
    source: &[u8],
    read: impl FnOnce(&mut Parser<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    with_script_before(script, script.commands.len(), source, read)
}

/// The same with the names that are in scope before command number `command`.
pub fn with_script_before<T>(
    script: &mut Script,
    command: usize,
    source: &[u8],
    read: impl FnOnce(&mut Parser<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut parser = Parser::new(source, ReadLimits::default())?;
    parser.pool = std::mem::take(&mut script.pool);
    parser.adopt(script, command);
    let result = read(&mut parser);
    script.pool = parser.pool;
    result
}

/// A parser for callers that read parts of another text with a script's names: see [`with_script_before`].
pub struct Parser<'a> {
    lexer: Lexer<'a>,
    peeked: Option<Token>,
    pub pool: Pool,
    pub(crate) scope: Scope,
    limits: ReadLimits,
    frames: Vec<terms::Frame>,
    /// Finished terms whose parent is not finished yet, with their positions.
    values: Vec<(TermId, Span)>,
    /// Whether numerals are Reals: the logic has real arithmetic and no integers.
    numerals_are_real: bool,
    /// Whether strings use escapes such as `\x41`, as old solvers print them. They are kept in the standard spelling.
    pub legacy_strings: bool,
    logic: Option<Symbol>,
    /// The start of the command that is being read.
    command: Span,
    /// In the old syntax of datatypes: the names being declared and their parameters, which may be omitted.
    implied: Option<(Vec<SortDeclId>, Vec<SortId>)>,
    free: FreeVariables,
    ranks: rows::Ranks,
    /// A buffer for argument lists.
    scratch: Vec<TermId>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a [u8], limits: ReadLimits) -> Result<Parser<'a>, Error> {
        if source.len() > limits.bytes.min(u32::MAX as usize) {
            let kind = ErrorKind::TooManyBytes { found: source.len(), limit: limits.bytes };
            return Err(kind.at(Span::new(0, 0)));
        }
        Ok(Parser {
            lexer: Lexer::new(source),
            peeked: None,
            pool: Pool::for_source(source.len()),
            scope: Scope::default(),
            limits,
            frames: Vec::with_capacity(32),
            values: Vec::with_capacity(64),
            numerals_are_real: false,
            legacy_strings: false,
            logic: None,
            command: Span::default(),
            implied: None,
            free: FreeVariables::default(),
            ranks: rows::Ranks::new(),
            scratch: vec![],
        })
    }

    // Positions in a text whose outline is known.

    fn begin_at(&mut self, span: Span) {
        self.peeked = None;
        self.frames.clear();
        self.values.clear();
        self.lexer.seek(span.start as usize);
    }

    fn end_at(&mut self, span: Span) -> Result<(), Error> {
        let token = self.peek()?;
        if token.span.start < span.end {
            return Err(self.unexpected(token, "the end of the text"));
        }
        Ok(())
    }

    /// Reads the sort at this position.
    pub fn sort_at(&mut self, span: Span) -> Result<SortId, Error> {
        self.begin_at(span);
        let sort = self.sort()?;
        self.end_at(span)?;
        Ok(sort)
    }

    /// Reads the body of a function at this position.
    pub fn body_at(
        &mut self,
        name: Symbol,
        span: Span,
        vars: &[(Symbol, SortId)],
        result: SortId,
    ) -> Result<TermId, Error> {
        self.begin_at(span);
        let body = self.body_with(name, vars, result)?;
        self.end_at(span)?;
        Ok(body)
    }

    /// The sort without parameters that the script declares under this name.
    pub fn declared_sort_named(&mut self, name: Symbol) -> Option<SortId> {
        match self.scope.entry(&self.pool, name).sort {
            Some(scope::SortMeaning::Declared(decl)) if self.pool.sort_decl(decl).arity == 0 => {
                Some(self.pool.sort_id(crate::sort::Sort::Declared(decl, [].into())))
            }
            _ => None,
        }
    }

    /// The functions that this name can mean here, innermost last.
    pub fn functions_named(&mut self, name: Symbol) -> Vec<DeclId> {
        self.scope.entry(&self.pool, name).decls.clone()
    }

    /// Declares that this name means this function too, from here on.
    pub fn declare(&mut self, name: Symbol, function: DeclId) {
        self.scope.declare(&self.pool, name, function);
    }

    // Tokens.

    #[inline]
    fn next(&mut self) -> Result<Token, Error> {
        match self.peeked.take() {
            Some(token) => Ok(token),
            None => self.lexer.next_token(),
        }
    }

    fn peek(&mut self) -> Result<Token, Error> {
        let token = self.next()?;
        self.peeked = Some(token);
        Ok(token)
    }

    fn text(&self, token: Token) -> &'a [u8] {
        self.lexer.text(token)
    }

    /// The name of a token in messages.
    fn show(&self, token: Token) -> String {
        match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            _ => {
                let text = &self.lexer.source()[token.span.range()];
                let shown = String::from_utf8_lossy(&text[..text.len().min(400)]).into_owned();
                let short: String = shown.chars().take(40).collect();
                if short.len() < shown.len() { format!("`{short}…`") } else { format!("`{short}`") }
            }
        }
    }

    fn unexpected(&self, token: Token, expected: &'static str) -> Error {
        if let (TokenKind::End, Some(open)) = (token.kind, self.innermost_open()) {
            return ErrorKind::UnclosedParenthesis.at(open);
        }
        ErrorKind::Expected { expected, found: self.show(token) }.at(token.span)
    }

    /// The start of the innermost construct that is being read, if there is one.
    fn innermost_open(&self) -> Option<Span> {
        let in_a_command = self.command != Span::default();
        self.frames.last().map(terms::Frame::open).or(in_a_command.then_some(self.command))
    }

    fn expect(&mut self, kind: TokenKind, expected: &'static str) -> Result<Token, Error> {
        let token = self.next()?;
        if token.kind == kind { Ok(token) } else { Err(self.unexpected(token, expected)) }
    }

    fn expect_end(&mut self) -> Result<(), Error> {
        self.expect(TokenKind::End, "the end of the text").map(|_| ())
    }

    /// A name, with or without bars. Without bars it must not be a reserved word.
    fn expect_name(&mut self, expected: &'static str) -> Result<(Symbol, Span), Error> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => Ok((self.name(token)?, token.span)),
            _ => Err(self.unexpected(token, expected)),
        }
    }

    /// Interns the name of a symbol token.
    fn name(&mut self, token: Token) -> Result<Symbol, Error> {
        let text = self.text(token);
        let (symbol, new) = self.pool.symbols.intern(text);
        if new {
            if std::str::from_utf8(text).is_err() {
                return Err(ErrorKind::NotUtf8.at(token.span));
            }
            if token.kind == TokenKind::Quoted && text.contains(&b'\\') {
                return Err(ErrorKind::BackslashInSymbol.at(token.span));
            }
        }
        if token.kind == TokenKind::Symbol && crate::symbol::is_reserved(text) {
            return Err(
                ErrorKind::Reserved { name: String::from_utf8_lossy(text).into_owned() }.at(token.span)
            );
        }
        Ok(symbol)
    }

    /// A numeral that fits 32 bits.
    fn expect_small(&mut self, what: &'static str) -> Result<u32, Error> {
        let token = self.expect(TokenKind::Numeral, "a numeral")?;
        parse_u64(self.text(token))
            .and_then(|value| u32::try_from(value).ok())
            .ok_or_else(|| ErrorKind::TooLarge { what }.at(token.span))
    }

    /// Skips to the parenthesis that closes the current list and returns the text up to it, trimmed. The closing
    /// parenthesis is consumed.
    fn rest_of_list(&mut self, open: Span) -> Result<&'a [u8], Error> {
        let start = match self.peeked {
            Some(token) => token.span.start as usize,
            None => self.lexer.offset(),
        };
        let mut depth = 0usize;
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => {
                    let text = &self.lexer.source()[start..token.span.start as usize];
                    return Ok(text.trim_ascii());
                }
                TokenKind::Close => depth -= 1,
                TokenKind::End => return Err(ErrorKind::UnclosedParenthesis.at(open)),
                _ => {}
            }
        }
    }

    /// Reads lists up to the closing parenthesis of the current list. `read` reads each to its end and gets the
    /// position of its opening parenthesis. Any other token is reported as unexpected.
    #[inline]
    fn each_list(
        &mut self,
        expected: &'static str,
        mut read: impl FnMut(&mut Self, Span) -> Result<(), Error>,
    ) -> Result<(), Error> {
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Close => return Ok(()),
                TokenKind::Open => read(self, token.span)?,
                _ => return Err(self.unexpected(token, expected)),
            }
        }
    }

    /// Reads one S-expression and returns its text.
    fn raw(&mut self) -> Result<(&'a [u8], Span), Error> {
        let first = self.next()?;
        match first.kind {
            TokenKind::Open => {
                self.rest_of_list(first.span)?;
                let span = Span::new(first.span.start as usize, self.lexer.offset());
                Ok((&self.lexer.source()[span.range()], span))
            }
            TokenKind::Close | TokenKind::End => Err(self.unexpected(first, "a value")),
            _ => Ok((&self.lexer.source()[first.span.range()], first.span)),
        }
    }

    // Messages.

    fn show_sort(&self, sort: SortId) -> String {
        shortened(crate::printer::sort_text(&self.pool, sort))
    }

    fn show_sorts(&self, sorts: &[SortId]) -> String {
        sorts.iter().map(|&sort| self.show_sort(sort)).collect::<Vec<_>>().join(" ")
    }

    fn owned_name(&self, symbol: Symbol) -> String {
        shortened(self.pool.name(symbol).into_owned())
    }
}

/// A text shortened to fit in a message.
fn shortened(text: String) -> String {
    const SHOWN: usize = 100;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

pub(crate) fn parse_u64(digits: &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for &digit in digits {
        value = value.checked_mul(10)?.checked_add(u64::from(digit.wrapping_sub(b'0')))?;
    }
    Some(value)
}
