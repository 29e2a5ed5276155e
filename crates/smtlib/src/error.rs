//! Errors in scripts, and how they are shown.
//!
//! Every error has a position. A rendered error quotes the line, marks the position, marks related positions (such as
//! a declaration) and gives a hint if there is one:
//!
//! ```text
//! error: sort mismatch in argument 2 of `bvadd`: expected (_ BitVec 16), found (_ BitVec 8)
//!   ┌─ a.smt2:4:22
//! 4 │ (assert (= (bvadd x #x0f) y))
//!   │                     ^^^^ this has sort (_ BitVec 8)
//! ```

use crate::span::{Position, Span, position};
use std::fmt::Write;
use std::ops::{Deref, Range};

/// An error with its position. It is one machine word, so that functions that rarely fail do not pay for it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", .0.kind)]
pub struct Error(Box<Details>);

/// The contents of an error.
#[derive(Clone, Debug)]
pub struct Details {
    pub kind: ErrorKind,
    pub span: Span,
    /// The text under the marked position.
    pub label: Option<String>,
    /// Other positions that explain it.
    pub related: Vec<(Span, String)>,
    /// A hint that depends on the position; otherwise the hint depends on the kind.
    pub hint: Option<String>,
}

impl Deref for Error {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

/// All errors that the parser reports.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    // Characters and tokens.
    #[error("unexpected {}", show_byte(*byte))]
    BadCharacter { byte: u8 },
    #[error("this is neither a number nor a name")]
    NumberThenLetters,
    #[error("invalid `#` literal")]
    BadHash,
    #[error("this string is never closed")]
    UnterminatedString,
    #[error("this quoted symbol is never closed")]
    UnterminatedSymbol,
    #[error("quoted symbols may not contain a backslash")]
    BackslashInSymbol,
    #[error("this name is not valid UTF-8")]
    NotUtf8,
    #[error("this parenthesis is never closed")]
    UnclosedParenthesis,
    #[error("this parenthesis has no matching `(`")]
    UnexpectedClose,
    #[error("`{name}` is a command, but the command before it is not closed")]
    CommandInCommand { name: String },
    #[error("expected {expected}, found {found}")]
    Expected { expected: &'static str, found: String },
    // Limits.
    #[error("the script has {found} bytes, the limit is {limit}")]
    TooManyBytes { found: usize, limit: usize },
    #[error("nesting is deeper than the limit of {limit}")]
    TooDeep { limit: usize },
    #[error("this literal has {found} digits, the limit is {limit}")]
    TooManyDigits { found: usize, limit: usize },
    #[error("width {found} is over the limit of {limit}")]
    TooWide { found: String, limit: u32 },
    #[error("the script has more than {limit} distinct terms")]
    TooManyTerms { limit: usize },
    // Names.
    #[error("`{name}` is not declared")]
    UnknownName { name: String },
    #[error("`{name}` is a reserved word")]
    Reserved { name: String },
    #[error("`{name}` is declared twice")]
    DeclaredTwice { name: String },
    #[error("`{name}` is a theory symbol and cannot be declared")]
    TheorySymbol { name: String },
    #[error("variable `{name}` is bound twice")]
    BoundTwice { name: String },
    #[error("the sort `{name}` is not declared")]
    UnknownSort { name: String },
    #[error("the sort `{name}` is written without parentheses")]
    SortInParentheses { name: String },
    #[error("the sort `{name}` takes {expected} parameter{}, not {found}", plural(*expected))]
    SortArity { name: String, expected: usize, found: usize },
    // Ranks.
    #[error("`{name}` takes {expected} argument{}, not {found}", plural_text(expected))]
    Arity { name: String, expected: String, found: usize },
    #[error("sort mismatch in argument {argument} of `{name}`: expected {expected}, found {found}")]
    ArgumentSort { name: String, argument: usize, expected: String, found: String },
    #[error("no rank of `{name}` takes ({arguments})")]
    NoRank { name: String, arguments: String },
    #[error("`{name}` needs {expected} ind{}, not {found}", if *expected == 1 { "ex" } else { "ices" })]
    IndexCount { name: String, expected: usize, found: usize },
    #[error("the indices of `{name}` are out of range for ({arguments})")]
    IndexRange { name: String, arguments: String },
    #[error("`{name}` is not an indexed operator")]
    NotIndexed { name: String },
    #[error("`{name}` must be qualified: (as {name} Sort)")]
    NeedsQualifier { name: String },
    #[error("`{name}` cannot have the sort {sort}")]
    BadQualifier { name: String, sort: String },
    #[error("{what} must have sort {expected}, found {found}")]
    WrongSort { what: &'static str, expected: String, found: String },
    #[error("`{name}` is a variable, not a function")]
    NotAFunction { name: String },
    // Indices, literals.
    #[error("the index of `{name}` must be {expected}")]
    BadIndex { name: String, expected: &'static str },
    #[error("a bit-vector has at least one bit")]
    ZeroWidth,
    #[error("{value} does not fit in {width} bit{}", plural(*width as usize))]
    DoesNotFit { value: String, width: u32 },
    #[error("a floating-point format needs at least 2 exponent bits and 2 significand bits")]
    BadFormat,
    #[error("a finite field needs a prime order, found {found}")]
    BadFieldOrder { found: String },
    // Binders and terms.
    #[error("`let` binds nothing")]
    EmptyLet,
    #[error("`{binder}` binds no variable")]
    EmptyBinder { binder: &'static str },
    #[error("`{name}` is applied to no arguments")]
    EmptyApplication { name: String },
    #[error("`()` is not a term")]
    EmptyTerm,
    #[error("a term cannot begin with {found}")]
    BadTermStart { found: String },
    #[error("an annotation needs at least one attribute")]
    EmptyAnnotation,
    #[error("`:named` needs a symbol")]
    BadName,
    #[error("a `:named` term may not have free variables, and this one uses `{name}`")]
    OpenNamedTerm { name: String },
    // Match and datatypes.
    #[error("`match` needs a datatype, found {found}")]
    MatchSort { found: String },
    #[error("`match` has no cases")]
    EmptyMatch,
    #[error("`{name}` is not a constructor of {sort}")]
    NotAConstructor { name: String, sort: String },
    #[error("constructor `{name}` has {expected} field{}, the pattern has {found}", plural(*expected))]
    PatternArity { name: String, expected: usize, found: usize },
    #[error("this match does not cover `{name}`")]
    MatchNotExhaustive { name: String },
    #[error("the cases of this match have different sorts: {first} and {other}")]
    CaseSorts { first: String, other: String },
    #[error("`{name}` is not a selector")]
    NotASelector { name: String },
    #[error("datatype `{name}` has no constructors")]
    EmptyDatatype { name: String },
    #[error("datatype `{name}` has no finite value: every constructor needs another value of it")]
    NotWellFounded { name: String },
    #[error("{names} datatype{} declared, {bodies} described", plural(*names))]
    DatatypeCount { names: usize, bodies: usize },
    // Commands.
    #[error("a command must begin with `(`, found {found}")]
    NotACommand { found: String },
    #[error("a command needs a name, found {found}")]
    NoCommandName { found: String },
    #[error("`pop` of {found} level{}, but {} open", plural(*found), open_levels(*open))]
    PopTooFar { found: usize, open: usize },
    #[error("the body has sort {found}, but `{name}` was declared with result {expected}")]
    BodySort { name: String, expected: String, found: String },
    #[error("{names} function{} declared, {bodies} defined", plural(*names))]
    FunctionCount { names: usize, bodies: usize },
    #[error("{what} is too large")]
    TooLarge { what: &'static str },
}

fn show_byte(byte: u8) -> String {
    match byte {
        0 => "NUL byte".to_owned(),
        b'\\' => "backslash".to_owned(),
        0x21..=0x7e => format!("character `{}`", byte as char),
        _ => format!("byte 0x{byte:02x}"),
    }
}

fn open_levels(open: usize) -> String {
    match open {
        0 => "none is".to_owned(),
        1 => "only 1 is".to_owned(),
        _ => format!("only {open} are"),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn plural_text(count: &str) -> &'static str {
    if count == "1" { "" } else { "s" }
}

impl ErrorKind {
    pub fn at(self, span: Span) -> Error {
        Error(Box::new(Details { kind: self, span, label: None, related: vec![], hint: None }))
    }

    /// A hint for the user, if there is one.
    pub fn hint(&self) -> Option<String> {
        use ErrorKind::*;
        Some(match self {
            BadCharacter { byte: b'\\' } | BackslashInSymbol => "write the name without `\\`".into(),
            BadCharacter { byte: 0..=0x20 | 0x7f } => "is this really a text file?".into(),
            BadCharacter { .. } => "put names with unusual characters between bars: |…|".into(),
            NumberThenLetters => {
                "a decimal has digits on both sides of its point; a name that begins with a digit needs bars: |…|"
                    .into()
            }
            BadHash => "literals look like #x0f (hexadecimal), #b01 (binary) or #f3m7 (finite field)".into(),
            NotUtf8 => "names are UTF-8 text; convert the file".into(),
            UnterminatedString => "inside a string, a quote is written twice: \"\"".into(),
            UnterminatedSymbol => "a quoted symbol ends with `|`".into(),
            UnclosedParenthesis => "add the missing `)`".into(),
            CommandInCommand { .. } => "a `)` is missing above".into(),
            UnexpectedClose => "remove it, or add the `(` it belongs to".into(),
            TooManyBytes { .. }
            | TooDeep { .. }
            | TooManyTerms { .. }
            | TooManyDigits { .. }
            | TooWide { .. } => {
                "falsum's limits keep one bad file from stopping a campaign; they are in `smtlib::ReadLimits`"
                    .into()
            }
            Reserved { name } => format!("quote it: |{name}|"),
            DeclaredTwice { .. } => "rename one of them, or put one between (push 1) and (pop 1)".into(),
            TheorySymbol { .. } => "choose another name".into(),
            SortInParentheses { name } => format!("write {name}"),
            UnknownSort { name } => format!("did you mean `{}`?", nearest_sort(name)?),
            IndexRange { name, .. } if name == "extract" => {
                "the higher index comes first, and both are below the width".into()
            }
            BadFieldOrder { .. } => "solvers take fields of prime order only".into(),
            PatternArity { .. } => "write `_` for a field that does not matter".into(),
            MatchSort { .. } => "only datatypes have constructors to match".into(),
            OpenNamedTerm { .. } => "name a term outside the quantifier".into(),
            ZeroWidth => "the smallest width is 1".into(),
            EmptyApplication { name } => format!("write `{name}` without parentheses, or give it arguments"),
            PopTooFar { .. } => "each `pop` must undo a `push`".into(),
            MatchNotExhaustive { name } => {
                format!("add a case for `{name}`, or a variable that takes the rest")
            }
            UnknownName { name } => unknown_name_hint(name)?,
            ArgumentSort { expected, found, .. } | WrongSort { expected, found, .. } => {
                conversion_hint(expected, found)?
            }
            NotWellFounded { .. } => "add a constructor whose fields do not need this datatype".into(),
            _ => return None,
        })
    }
}

fn unknown_name_hint(name: &str) -> Option<String> {
    let near = crate::theory::nearest(name)?;
    Some(format!("did you mean `{near}`?"))
}

/// The sort that a user of another language may have meant.
fn nearest_sort(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    Some(match lower.as_str() {
        "integer" | "int" | "nat" => "Int",
        "boolean" | "bool" => "Bool",
        "real" | "rational" => "Real",
        "string" | "str" => "String",
        "float" | "single" => "Float32",
        "double" => "Float64",
        "bitvector" | "bitvec" | "bv" => "BitVec",
        "floatingpoint" | "fp" => "FloatingPoint",
        "regex" | "reglan" => "RegLan",
        "array" | "map" => "Array",
        "list" | "sequence" | "seq" => "Seq",
        _ => return None,
    })
}

fn conversion_hint(expected: &str, found: &str) -> Option<String> {
    let width = |sort: &str| sort.strip_prefix("(_ BitVec ")?.strip_suffix(')')?.parse::<u32>().ok();
    match (expected, found) {
        ("Int", "Real") => Some("convert it: (to_int …)".into()),
        ("Real", "Int") => Some("convert it: (to_real …)".into()),
        ("Bool", "(_ BitVec 1)") => Some("compare it: (= … #b1)".into()),
        ("Int", "Bool") => Some("convert it to a number: (ite … 1 0)".into()),
        ("Bool", "Int") => Some("compare it: (distinct … 0)".into()),
        ("Int", "String") => Some("convert it to a number: (str.to_int …)".into()),
        ("String", "Int") => Some("convert it to a string: (str.from_int …)".into()),
        ("RoundingMode", _) => Some("the first argument is a rounding mode, such as RNE".into()),
        ("Int", _) if width(found).is_some() => Some("convert it to a number: (bv2nat …)".into()),
        (_, "Int") if width(expected).is_some() => {
            Some(format!("convert it to a bit-vector: ((_ int2bv {}) …)", width(expected)?))
        }
        ("RegLan", "String") => Some("convert it to a regular expression: (str.to_re …)".into()),
        _ if found.starts_with("(_ FloatingPoint ") && expected.starts_with("(_ FloatingPoint ") => {
            let format = expected.strip_prefix("(_ FloatingPoint ")?.strip_suffix(')')?;
            Some(format!("convert it: ((_ to_fp {format}) RNE …)"))
        }
        _ => match (width(expected)?, width(found)?) {
            (e, f) if e > f => Some(format!("extend it: ((_ zero_extend {}) …)", e - f)),
            (e, _) => Some(format!("take its low bits: ((_ extract {} 0) …)", e - 1)),
        },
    }
}

impl Error {
    pub fn label(mut self, label: impl Into<String>) -> Error {
        self.0.label = Some(label.into());
        self
    }

    pub fn related(mut self, span: Span, what: impl Into<String>) -> Error {
        self.0.related.push((span, what.into()));
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        self.0.hint = Some(hint.into());
        self
    }

    /// The line and column of the place.
    pub fn position(&self, source: &[u8]) -> Position {
        position(source, self.span.start as usize)
    }

    /// The message as a person sees it. `name` is the file's name.
    pub fn render(&self, name: &str, source: &[u8]) -> String {
        let mut out = format!("error: {}\n", self.kind);
        let place = position(source, self.span.start as usize);
        let lines = self.related.iter().map(|(span, _)| position(source, span.start as usize).line);
        let gutter = lines.chain([place.line]).max().unwrap_or(1).to_string().len();
        let _ =
            writeln!(out, "{:gutter$} ┌─ {}:{}:{}", "", crate::shown::text(name), place.line, place.column);
        let label = self.label.as_deref().unwrap_or("");
        let mut shown = mark(&mut out, source, (self.span, '^', label), gutter, None);
        for (span, what) in &self.related {
            let there = position(source, span.start as usize);
            let text = format!("{what} at {}:{}", there.line, there.column);
            shown = mark(&mut out, source, (*span, '-', &text), gutter, Some(shown));
        }
        if let Some(hint) = self.hint.clone().or_else(|| self.kind.hint()) {
            let _ = writeln!(out, "{:gutter$} = hint: {hint}", "");
        }
        out
    }
}

/// The maximum length of the quoted part of a line, and how much of that is before the position.
const SHOWN: usize = 160;
const SHOWN_BEFORE: usize = 80;

/// The quoted part of a line: its number and its bytes.
#[derive(Clone, PartialEq, Eq)]
struct Window {
    line: usize,
    bytes: Range<usize>,
}

/// The part of the line around a byte offset. The cost does not depend on the length of the line.
fn window(source: &[u8], at: usize) -> Window {
    let begins_character = |byte: u8| byte & 0xc0 != 0x80;
    let at = at.min(source.len());
    let mut start = at;
    let mut count = 0;
    while start > 0 && source[start - 1] != b'\n' && count < SHOWN_BEFORE {
        start -= 1;
        count += usize::from(begins_character(source[start]));
    }
    let mut end = start;
    count = 0;
    while end < source.len() && !matches!(source[end], b'\n' | b'\r') {
        count += usize::from(begins_character(source[end]));
        if count > SHOWN {
            break;
        }
        end += 1;
    }
    Window { line: position(source, at).line, bytes: start..end.max(at) }
}

/// Text for a terminal, one column per character.
fn visible(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Marks a span under its line. The line itself is quoted unless it is already shown.
fn mark(
    out: &mut String,
    source: &[u8],
    (span, sign, text): (Span, char, &str),
    gutter: usize,
    on_show: Option<Window>,
) -> Window {
    let Range { start, end } = span.range();
    let shown =
        match on_show.filter(|w| w.bytes.contains(&start) && w.bytes.contains(&(end.max(start + 1) - 1))) {
            Some(shown) => shown,
            None => {
                let shown = window(source, start);
                let line = visible(&source[shown.bytes.clone()]);
                let _ = writeln!(out, "{:>gutter$} │ {}", shown.line, line.trim_end());
                shown
            }
        };
    let pad =
        visible(&source[shown.bytes.start..start.clamp(shown.bytes.start, source.len())]).chars().count();
    let covered = start.min(shown.bytes.end)..end.clamp(start, shown.bytes.end.max(start));
    let width = visible(&source[covered]).chars().count().clamp(1, 60);
    let signs: String = std::iter::repeat_n(sign, width).collect();
    let under = format!("{:gutter$} │ {:pad$}{signs} {text}", "", "");
    let _ = writeln!(out, "{}", under.trim_end());
    shown
}
