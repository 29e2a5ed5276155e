//! What can be wrong with a script, and how it is shown.
//!
//! Every error has a place. A rendered error quotes the line, points at the place, points at related places
//! (such as a declaration) and gives a hint where there is something to do:
//!
//! ```text
//! error: sort mismatch in argument 2 of `bvadd`: expected (_ BitVec 16), found (_ BitVec 8)
//!   ┌─ a.smt2:4:22
//! 4 │ (assert (= (bvadd x #x0f) y))
//!   │                     ^^^^ this has sort (_ BitVec 8)
//! ```

use crate::span::{Position, Span, line_at, position};
use std::fmt::Write;

/// A positioned error.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{kind}")]
pub struct Error {
    pub kind: Box<ErrorKind>,
    pub span: Span,
    /// What to write under the place itself.
    pub label: Option<String>,
    /// Other places that explain it.
    pub related: Vec<(Span, String)>,
}

/// Everything the reader can complain about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    // Characters and tokens.
    #[error("unexpected {}", show_byte(*byte))]
    BadCharacter { byte: u8 },
    #[error("a number runs into letters")]
    NumberThenLetters,
    #[error("`#` does not begin a literal here")]
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
    #[error("this parenthesis closes nothing")]
    UnexpectedClose,
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
    #[error("an index must be a numeral or a symbol")]
    BadIndex,
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
    #[error("an application needs at least one argument: write `{name}` without parentheses")]
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
    #[error("datatype `{name}` has no finite value: every constructor needs one already")]
    NotWellFounded { name: String },
    #[error("{names} datatype{} declared, {bodies} described", plural(*names))]
    DatatypeCount { names: usize, bodies: usize },
    // Commands.
    #[error("a command must begin with `(`, found {found}")]
    NotACommand { found: String },
    #[error("a command needs a name, found {found}")]
    NoCommandName { found: String },
    #[error("`{command}` is not complete")]
    Incomplete { command: String },
    #[error("`pop` of {found} level{}, but only {open} {} open", plural(*found), if *open == 1 { "is" } else { "are" })]
    PopTooFar { found: usize, open: usize },
    #[error("the body has sort {found}, but `{name}` was declared with result {expected}")]
    BodySort { name: String, expected: String, found: String },
    #[error("{names} function{} declared, {bodies} defined", plural(*names))]
    FunctionCount { names: usize, bodies: usize },
    #[error("an assumption must be a Bool, found {found}")]
    AssumptionSort { found: String },
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

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn plural_text(count: &str) -> &'static str {
    if count == "1" { "" } else { "s" }
}

impl ErrorKind {
    pub fn at(self, span: Span) -> Error {
        Error { kind: Box::new(self), span, label: None, related: vec![] }
    }

    /// What the user can do, where there is something to say.
    pub fn hint(&self) -> Option<String> {
        use ErrorKind::*;
        Some(match self {
            BadCharacter { byte: b'\\' } | BackslashInSymbol => "write the name without `\\`".into(),
            BadCharacter { byte: 0 } => "is this really a text file?".into(),
            BadCharacter { .. } => "put names with unusual characters between bars: |…|".into(),
            NumberThenLetters => "separate them with a blank, or quote the name: |…|".into(),
            BadHash => "hexadecimal literals look like #x0f, binary ones like #b01".into(),
            UnterminatedString => "inside a string, a quote is written twice: \"\"".into(),
            UnterminatedSymbol => "a quoted symbol ends with `|`".into(),
            UnclosedParenthesis => "add the missing `)`".into(),
            UnexpectedClose => "remove it, or add the `(` it belongs to".into(),
            TooManyBytes { .. }
            | TooDeep { .. }
            | TooManyTerms { .. }
            | TooManyDigits { .. }
            | TooWide { .. } => {
                "falsum's limits keep one bad file from stopping a campaign; they are in `smtlib::Limits`"
                    .into()
            }
            Reserved { name } => format!("quote it: |{name}|"),
            DeclaredTwice { .. } => "rename one of them, or put one between (push 1) and (pop 1)".into(),
            NeedsQualifier { name } => format!("say which sort it has, such as (as {name} (Seq Int))"),
            ZeroWidth => "the smallest width is 1".into(),
            EmptyApplication { name } => format!("`{name}` without parentheses is the constant itself"),
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

fn conversion_hint(expected: &str, found: &str) -> Option<String> {
    let width = |sort: &str| sort.strip_prefix("(_ BitVec ")?.strip_suffix(')')?.parse::<u32>().ok();
    match (expected, found) {
        ("Int", "Real") => Some("convert it: (to_int …)".into()),
        ("Real", "Int") => Some("convert it: (to_real …)".into()),
        ("Bool", "(_ BitVec 1)") => Some("compare it: (= … #b1)".into()),
        ("RegLan", "String") => Some("make it a regular expression: (str.to_re …)".into()),
        _ => match (width(expected)?, width(found)?) {
            (e, f) if e > f => Some(format!("extend it: ((_ zero_extend {}) …)", e - f)),
            (e, _) => Some(format!("take its low bits: ((_ extract {} 0) …)", e - 1)),
        },
    }
}

impl Error {
    pub fn label(mut self, label: impl Into<String>) -> Error {
        self.label = Some(label.into());
        self
    }

    pub fn related(mut self, span: Span, what: impl Into<String>) -> Error {
        self.related.push((span, what.into()));
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
        let gutter = place.line.to_string().len();
        let _ = writeln!(out, "{:gutter$} ┌─ {}:{}:{}", "", name, place.line, place.column);
        quote(&mut out, source, self.span, '^', self.label.as_deref().unwrap_or(""), gutter);
        for (span, what) in &self.related {
            let there = position(source, span.start as usize);
            let text = format!("{what} at {}:{}", there.line, there.column);
            quote(&mut out, source, *span, '-', &text, gutter);
        }
        if let Some(hint) = self.kind.hint() {
            let _ = writeln!(out, "{:gutter$} = hint: {hint}", "");
        }
        out
    }
}

const SHOWN_COLUMNS: usize = 160;

/// Quotes the line of a span with marks under it; long lines are cut around the place.
fn quote(out: &mut String, source: &[u8], span: Span, mark: char, text: &str, gutter: usize) {
    let place = position(source, span.start as usize);
    let line: Vec<char> = String::from_utf8_lossy(line_at(source, span.start as usize))
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let column = place.column - 1;
    let first = column.saturating_sub(SHOWN_COLUMNS / 2);
    let shown: String = line.iter().skip(first).take(SHOWN_COLUMNS).collect();
    let width = ((span.end - span.start) as usize).clamp(1, (line.len().saturating_sub(column)).clamp(1, 60));
    let _ = writeln!(out, "{:>gutter$} │ {}", place.line, shown.trim_end());
    let marks: String = std::iter::repeat_n(mark, width).collect();
    let under = format!("{:gutter$} │ {:pad$}{marks} {text}", "", "", pad = column - first);
    let _ = writeln!(out, "{}", under.trim_end());
}
