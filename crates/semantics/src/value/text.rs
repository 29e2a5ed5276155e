//! `Text`: a value of sort String, a finite word over the code points 0 to 0x2FFFF.
//!
//! SMT-LIB characters are numbers, not Unicode scalars: surrogates are characters, planes 3 and up do not exist. So
//! this is a shared slice of `u32` and not a Rust string. Cloning only increments a reference count; equality, order
//! (`str.<`) and hash are those of the slice.
//!
//! This file has every operator of the Strings theory that needs no regular expression, with the solvers' extensions;
//! those with a RegLan argument are in `regex`. All are total, as the standard requires; only a result that would be
//! longer than `MAX_LEN` is refused, with an error, so that a small script cannot use up the machine's memory. Nothing
//! here ever truncates.

use super::int::Int;
use super::sequence;
use smtlib::escape;
use std::sync::Arc;

pub use smtlib::escape::MAX_CHAR;

/// The longest string an operation may produce.
pub const MAX_LEN: usize = 1 << 24;

/// A result that is well-defined but too large to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("string longer than {MAX_LEN} characters")]
pub struct TooLong;

/// A string value. See the head of this file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text(Arc<[u32]>);

impl Text {
    /// From code points that are known to be in range.
    pub(crate) fn from_codes(codes: Vec<u32>) -> Text {
        debug_assert!(codes.iter().all(|&c| c <= MAX_CHAR));
        if codes.is_empty() { Text::default() } else { Text(codes.into()) }
    }

    /// From any numbers; `None` if one is not a code point of the theory.
    pub fn try_from_codes(codes: Vec<u32>) -> Option<Text> {
        codes.iter().all(|&c| c <= MAX_CHAR).then(|| Text::from_codes(codes))
    }

    fn bounded(codes: Option<Vec<u32>>) -> Result<Text, TooLong> {
        codes.map(Text::from_codes).ok_or(TooLong)
    }

    /// A part of `self`; shared instead of copied if the part is the whole.
    fn part(&self, codes: &[u32]) -> Text {
        if codes.len() == self.len() { self.clone() } else { Text::from_codes(codes.to_vec()) }
    }

    pub fn codes(&self) -> &[u32] {
        &self.0
    }

    /// `str.len`.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The only character, if there is exactly one.
    pub fn single(&self) -> Option<u32> {
        match *self.0 {
            [code] => Some(code),
            _ => None,
        }
    }

    /// `str.++`.
    pub fn concat(parts: &[Text]) -> Result<Text, TooLong> {
        if let [only] = parts {
            return Ok(only.clone());
        }
        let slices: Vec<&[u32]> = parts.iter().map(Text::codes).collect();
        Text::bounded(sequence::concat(&slices, MAX_LEN))
    }

    /// `str.at`.
    pub fn at(&self, index: i64) -> Text {
        self.part(sequence::at(&self.0, index))
    }

    /// `str.substr`.
    pub fn substr(&self, start: i64, count: i64) -> Text {
        self.part(sequence::extract(&self.0, start, count))
    }

    /// `(str.prefixof self whole)`.
    pub fn prefixof(&self, whole: &Text) -> bool {
        sequence::prefixof(&self.0, &whole.0)
    }

    /// `(str.suffixof self whole)`.
    pub fn suffixof(&self, whole: &Text) -> bool {
        sequence::suffixof(&self.0, &whole.0)
    }

    /// `(str.contains self part)`.
    pub fn contains(&self, part: &Text) -> bool {
        sequence::contains(&self.0, &part.0)
    }

    /// `str.indexof`; `None` is -1.
    pub fn indexof(&self, part: &Text, from: i64) -> Option<usize> {
        sequence::indexof(&self.0, &part.0, from)
    }

    /// z3's `seq.last_indexof` on strings; `None` is -1.
    pub fn last_indexof(&self, part: &Text) -> Option<usize> {
        sequence::last_indexof(&self.0, &part.0)
    }

    /// `str.replace`.
    pub fn replace(&self, pattern: &Text, by: &Text) -> Result<Text, TooLong> {
        Text::bounded(sequence::replace(&self.0, &pattern.0, &by.0, MAX_LEN))
    }

    /// `str.replace_all`.
    pub fn replace_all(&self, pattern: &Text, by: &Text) -> Result<Text, TooLong> {
        Text::bounded(sequence::replace_all(&self.0, &pattern.0, &by.0, MAX_LEN))
    }

    /// cvc5's `str.update`.
    pub fn update(&self, index: i64, by: &Text) -> Text {
        Text::from_codes(sequence::update(&self.0, index, &by.0))
    }

    /// cvc5's `str.rev`.
    pub fn rev(&self) -> Text {
        Text::from_codes(sequence::reversed(&self.0))
    }

    /// cvc5's `str.to_lower`: ASCII letters only.
    pub fn to_lower(&self) -> Text {
        self.map(|c| if (0x41..=0x5A).contains(&c) { c + 0x20 } else { c })
    }

    /// cvc5's `str.to_upper`: ASCII letters only.
    pub fn to_upper(&self) -> Text {
        self.map(|c| if (0x61..=0x7A).contains(&c) { c - 0x20 } else { c })
    }

    fn map(&self, f: impl Fn(u32) -> u32) -> Text {
        Text(self.0.iter().map(|&c| f(c)).collect())
    }

    /// `str.is_digit`.
    pub fn is_digit(&self) -> bool {
        self.single().is_some_and(is_digit)
    }

    /// `str.to_code`; `None` is -1.
    pub fn to_code(&self) -> Option<u32> {
        self.single()
    }

    /// `str.from_code`.
    pub fn from_code(code: i64) -> Text {
        match u32::try_from(code) {
            Ok(code) if code <= MAX_CHAR => Text::from_codes(vec![code]),
            _ => Text::default(),
        }
    }

    /// `str.to_int`: -1 unless the string consists of one or more digits.
    pub fn to_int(&self) -> Int {
        let digits: Option<Vec<u8>> = self.0.iter().map(|&c| u8::try_from(c).ok()).collect();
        match digits {
            Some(digits) if self.0.iter().all(|&c| is_digit(c)) => Int::parse(&digits),
            _ => None,
        }
        .unwrap_or_else(|| Int::from(-1i64))
    }

    /// `str.from_int`: empty for a negative number. On the unsigned value of a bit-vector
    /// it is z3's `str.from_ubv`.
    pub fn from_int(n: &Int) -> Text {
        if n.is_negative() { Text::default() } else { Text::from_signed(n) }
    }

    /// The decimal spelling with its sign: z3's `str.from_sbv`.
    pub fn from_signed(n: &Int) -> Text {
        Text::from(n.to_string().as_str())
    }

    /// z3's `str.power`: the string that many times; empty for a negative number.
    pub fn power(&self, n: &Int) -> Result<Text, TooLong> {
        if self.is_empty() || n.signum() <= 0 {
            return Ok(Text::default());
        }
        let times = n.to_u64().and_then(|n| usize::try_from(n).ok()).ok_or(TooLong)?;
        match self.len().checked_mul(times) {
            Some(length) if length <= MAX_LEN => Ok(Text::from_codes(self.0.repeat(times))),
            _ => Err(TooLong),
        }
    }
}

/// Literals: `smtlib::escape` implements the notation.
impl Text {
    /// Reads the body of a literal (without the outer quotes) as defined by SMT-LIB 2.6.
    pub fn parse(body: &[u8]) -> Text {
        Text::from_codes(escape::parse(body))
    }

    /// Reads the body of a literal as z3 4.8.x did.
    pub fn parse_legacy(body: &[u8]) -> Text {
        Text::from_codes(escape::parse_legacy(body))
    }

    /// The literal, quotes included, for z3 4.8.x; `None` if a character does not fit in a byte.
    pub fn to_legacy_literal(&self) -> Option<String> {
        escape::to_legacy_literal(&self.0)
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        escape::write_literal(&self.0, f)
    }
}

fn is_digit(code: u32) -> bool {
    (0x30..=0x39).contains(&code)
}

/// Rust text without escapes. A character beyond plane 2 becomes its UTF-8 bytes, one character each, as in literals.
impl From<&str> for Text {
    fn from(text: &str) -> Text {
        let mut codes = Vec::with_capacity(text.len());
        for c in text.chars() {
            if u32::from(c) <= MAX_CHAR {
                codes.push(u32::from(c));
            } else {
                codes.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
        }
        Text::from_codes(codes)
    }
}
