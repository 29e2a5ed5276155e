//! What can be wrong with a grammar or with a question about it.
//!
//! In: mistakes found while reading, compiling or indexing. Out: messages that say what is wrong, where, and what to
//! do about it. A mistake in a grammar file always has a position, because the person who reads the message is editing
//! that file. Must never lose the position, or blame the grammar for a limit of falsum.

use std::fmt;

use dashu_int::UBig;

/// A place in a grammar file, both parts counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}

/// Everything that `enumerate` refuses, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    /// The grammar text is not of the form `grammar Name; rule : alt | alt ; …`.
    #[error("{at}: {what}\nhint: {hint}")]
    Syntax {
        /// Where.
        at: Position,
        /// What was found and what was expected.
        what: String,
        /// What to write instead.
        hint: &'static str,
    },
    /// A rule or class is used but defined nowhere.
    #[error("{at}: nothing defines `{name}`\nhint: {hint}")]
    Undefined {
        /// Where it is used.
        at: Position,
        /// The name.
        name: String,
        /// A close name, or what to add.
        hint: String,
    },
    /// Two rules, or a rule and a class, share a name.
    #[error(
        "{at}: `{name}` is defined twice\nhint: the first definition is at {first}; join the alternatives with `|`"
    )]
    Twice {
        /// The second definition.
        at: Position,
        /// The name.
        name: String,
        /// The first definition.
        first: Position,
    },
    /// There is no rule to begin with.
    #[error("the grammar has no rule `start`\nhint: add `start : … ;`, the rule that yields a whole script")]
    NoStart,
    /// A rule never ends.
    #[error(
        "{at}: `{name}` derives no finite text\nhint: give it an alternative that does not lead back to itself"
    )]
    Endless {
        /// The rule.
        at: Position,
        /// Its name.
        name: String,
    },
    /// A rule derives itself and nothing else, so one text has infinitely many derivations.
    #[error(
        "{at}: infinite chain {chain}\nhint: a rule must not derive itself without adding text; remove one of these steps"
    )]
    InfiniteChain {
        /// A rule of the chain.
        at: Position,
        /// The chain, `a -> b -> a`.
        chain: String,
    },
    /// The class file (JSON) is malformed.
    #[error(
        "{at}: {what}\nhint: expected {{\"variables\": {{\"INT_VAR\": \"(declare-const {{}} Int)\"}}, \"constants\": {{\"ICONST\": [\"0\", \"1\"]}}}}"
    )]
    Classes {
        /// Where in the JSON text.
        at: Position,
        /// What is wrong.
        what: String,
    },
    /// A product of plain alternatives does not fit a machine word.
    #[error(
        "rule `{name}` has more than 2^64 terminal combinations in one alternative\nhint: split the alternative"
    )]
    TooWide {
        /// The rule.
        name: String,
    },
    /// The language is finite and the index lies beyond it.
    #[error("index {index} is past the end: the grammar has only {total} formulas")]
    PastEnd {
        /// The index asked for.
        index: UBig,
        /// How many formulas there are.
        total: UBig,
    },
    /// The counts needed are larger than the limit that keeps memory and time bounded.
    #[error("this needs formulas of size above {limit}\nhint: use a smaller index or size")]
    TooLarge {
        /// The largest size for which counts are built.
        limit: usize,
    },
    /// No formula has this size.
    #[error("no formula has size {size}")]
    EmptySize {
        /// The size.
        size: usize,
    },
    /// A derivation handed in does not belong to this grammar.
    #[error("the derivation does not belong to this grammar")]
    ForeignDerivation,
}
