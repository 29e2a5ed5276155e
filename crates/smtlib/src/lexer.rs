//! Bytes to tokens.
//!
//! A token is a kind and a span; nothing is copied. Comments and blanks are skipped. The lexer never fails on the text
//! it skips (comments may contain any bytes). It reports unterminated strings and quoted symbols at the position where
//! they begin, which is where the user must look.

use crate::error::{Error, ErrorKind};
use crate::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Open,
    Close,
    /// A simple symbol, without bars.
    Symbol,
    /// A symbol between bars; the span includes the bars.
    Quoted,
    /// `:keyword`; the span includes the colon.
    Keyword,
    Numeral,
    Decimal,
    Hex,
    Binary,
    /// The span includes the quotes.
    String,
    /// `#f3m7`: an element of a finite field (cvc5).
    Field,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Clone)]
pub struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Blank,
    Open,
    Close,
    Semicolon,
    Bar,
    Quote,
    Colon,
    Hash,
    Digit,
    Name,
}

const CLASSES: [Class; 256] = classes();
const NAMES: [bool; 256] = names();

/// The bytes that may continue a name.
const fn names() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(CLASSES[byte], Class::Name | Class::Digit);
        byte += 1;
    }
    table
}

const fn classes() -> [Class; 256] {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0c => Class::Blank,
            b'(' => Class::Open,
            b')' => Class::Close,
            b';' => Class::Semicolon,
            b'|' => Class::Bar,
            b'"' => Class::Quote,
            b':' => Class::Colon,
            b'#' => Class::Hash,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Name,
            b'~' | b'!' | b'@' | b'$' | b'%' | b'^' | b'&' | b'*' | b'_' | b'-' | b'+' | b'=' | b'<'
            | b'>' | b'.' | b'?' | b'/' => Class::Name,
            // Solvers accept other characters in simple symbols; real files use these two.
            b'\'' | b',' => Class::Name,
            128..=255 => Class::Name,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
}

fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

fn is_name(byte: u8) -> bool {
    NAMES[byte as usize]
}

impl<'a> Lexer<'a> {
    pub fn new(source: &'a [u8]) -> Lexer<'a> {
        Lexer { source, at: 0 }
    }

    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    /// The byte offset that the next token is searched from.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Moves to another byte offset.
    pub fn seek(&mut self, offset: usize) {
        self.at = offset;
    }

    /// Comment lines and blanks at the very start of the source.
    pub fn head(&self) -> &'a [u8] {
        let mut copy = Lexer::new(self.source);
        copy.skip_blanks();
        &self.source[..copy.at]
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.source.get(self.at) {
            match class(byte) {
                Class::Blank => self.at += 1,
                Class::Semicolon => {
                    let rest = &self.source[self.at..];
                    self.at += rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |n| n + 1);
                }
                _ => return,
            }
        }
    }

    #[inline]
    pub fn next_token(&mut self) -> Result<Token, Error> {
        loop {
            let start = self.at;
            let Some(&first) = self.source.get(start) else {
                return Ok(self.token(TokenKind::End, start));
            };
            return match class(first) {
                Class::Blank | Class::Semicolon => {
                    self.skip_blanks();
                    continue;
                }
                Class::Open => Ok(self.one(TokenKind::Open)),
                Class::Close => Ok(self.one(TokenKind::Close)),
                Class::Name => Ok(self.run(TokenKind::Symbol, is_name)),
                Class::Digit => self.number(),
                Class::Colon => {
                    self.at += 1;
                    Ok(self.run_from(start, TokenKind::Keyword, is_name))
                }
                Class::Hash => self.hash(),
                Class::Quote => self.string(),
                Class::Bar => self.quoted(),
                Class::Other => Err(ErrorKind::BadCharacter { byte: first }.at(Span::new(start, start + 1))),
            };
        }
    }

    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token { kind, span: Span::new(start, self.at) }
    }

    fn one(&mut self, kind: TokenKind) -> Token {
        self.at += 1;
        self.token(kind, self.at - 1)
    }

    fn run(&mut self, kind: TokenKind, accept: impl Fn(u8) -> bool) -> Token {
        self.run_from(self.at, kind, accept)
    }

    #[inline]
    fn run_from(&mut self, start: usize, kind: TokenKind, accept: impl Fn(u8) -> bool) -> Token {
        let rest = &self.source[self.at..];
        self.at += rest.iter().position(|&byte| !accept(byte)).unwrap_or(rest.len());
        self.token(kind, start)
    }

    fn number(&mut self) -> Result<Token, Error> {
        let start = self.at;
        self.run(TokenKind::Numeral, |byte| byte.is_ascii_digit());
        let is_decimal = self.source.get(self.at) == Some(&b'.')
            && self.source.get(self.at + 1).is_some_and(|byte| byte.is_ascii_digit());
        if is_decimal {
            self.at += 1;
            self.run(TokenKind::Decimal, |byte| byte.is_ascii_digit());
        }
        if self.source.get(self.at).is_some_and(|&byte| is_name(byte)) {
            let token = self.run_from(start, TokenKind::Symbol, is_name);
            return Err(ErrorKind::NumberThenLetters.at(token.span));
        }
        Ok(self.token(if is_decimal { TokenKind::Decimal } else { TokenKind::Numeral }, start))
    }

    fn hash(&mut self) -> Result<Token, Error> {
        let start = self.at;
        let (kind, accept): (TokenKind, fn(u8) -> bool) = match self.source.get(start + 1) {
            Some(b'x') => (TokenKind::Hex, |byte| byte.is_ascii_hexdigit()),
            Some(b'b') => (TokenKind::Binary, |byte| matches!(byte, b'0' | b'1')),
            Some(b'f') => (TokenKind::Field, |byte| byte.is_ascii_digit() || byte == b'm' || byte == b'-'),
            _ => return Err(ErrorKind::BadHash.at(Span::new(start, start + 1))),
        };
        self.at += 2;
        let token = self.run_from(start, kind, accept);
        if token.span.end as usize == start + 2 || self.source.get(self.at).is_some_and(|&byte| is_name(byte))
        {
            let whole = self.run_from(start, kind, is_name);
            return Err(ErrorKind::BadHash.at(whole.span));
        }
        Ok(token)
    }

    fn string(&mut self) -> Result<Token, Error> {
        let start = self.at;
        self.at += 1;
        loop {
            let rest = &self.source[self.at..];
            let Some(quote) = rest.iter().position(|&byte| byte == b'"') else {
                return Err(ErrorKind::UnterminatedString.at(Span::new(start, start + 1)));
            };
            self.at += quote + 1;
            if self.source.get(self.at) != Some(&b'"') {
                return Ok(self.token(TokenKind::String, start));
            }
            self.at += 1;
        }
    }

    fn quoted(&mut self) -> Result<Token, Error> {
        let start = self.at;
        let rest = &self.source[start + 1..];
        let Some(bar) = rest.iter().position(|&byte| byte == b'|') else {
            return Err(ErrorKind::UnterminatedSymbol.at(Span::new(start, start + 1)));
        };
        self.at = start + 1 + bar + 1;
        Ok(self.token(TokenKind::Quoted, start))
    }

    /// The text of a token as the source has it; quoted symbols lose their bars.
    pub fn text(&self, token: Token) -> &'a [u8] {
        let range = token.span.range();
        match token.kind {
            TokenKind::Quoted => &self.source[range.start + 1..range.end - 1],
            _ => &self.source[range],
        }
    }
}
