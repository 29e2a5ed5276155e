//! Models as solvers print them: the values of all symbols of a script.
//!
//! In: the text of a solver, and a script. Out: a `Model`: one definition per declared function, as a typed term over
//! the script's own pool, which the evaluator then evaluates. Functions that exist only in the model (z3's `k!0`)
//! become defined functions of the pool, and elements of a sort's universe become abstract literals, so the evaluator
//! needs no special case for either.
//!
//! It must never guess. If a definition cannot be read (a body of the wrong sort, an undeclared name), occurs twice,
//! or has a value that the solver only approximated, its symbol becomes opaque: everything that depends on it is
//! unknown, and the rest of the model is used. A text of which nothing can be read is an error with a position;
//! skipped parts are recorded in notes.
//!
//! `outline.rs` finds the definitions in the text, `yices.rs` converts that solver's own notation to the usual one,
//! `qualify.rs` adds qualifiers that z3 leaves out, `element.rs` finds the elements of declared sorts, `read.rs`
//! resolves the definitions, `algebraic.rs` reads irrational numbers.

pub mod algebraic;
mod element;
mod outline;
mod qualify;
mod read;
mod yices;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::error::Error;
use smtlib::script::Script;
use smtlib::sort::SortId;
use smtlib::span::position;
use smtlib::symbol::Symbol;
use smtlib::term::{DeclId, TermId};

/// The definition of one function in a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub vars: Vec<(Symbol, SortId)>,
    pub body: TermId,
}

/// A model of a script.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The functions that the script declares.
    pub functions: HashMap<DeclId, Definition, FxBuildHasher>,
    /// Functions whose definition in the model cannot be used (yices rounds irrational numbers; a definition is
    /// ill-typed), with the reason. Everything that depends on one of them is unknown.
    pub opaque: HashMap<DeclId, String, FxBuildHasher>,
    /// The values that a solver chose where an operator is under-specified, under the solver's own name for it (`/0`,
    /// `div0`, `seq.nth_u`, …), in the order of the text.
    pub under: Vec<(String, Definition)>,
    /// The elements of declared sorts, where the model lists them all, as `Lit::Abstract` terms.
    pub universe: HashMap<SortId, Vec<TermId>, FxBuildHasher>,
    /// Functions that exist in this model only, such as z3's `k!0`: defined functions of the pool.
    pub auxiliary: Vec<DeclId>,
    /// The skipped parts, and why.
    pub notes: Vec<String>,
}

/// How a solver writes values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notation {
    pub escapes: Escapes,
    /// Whether a decimal with more digits than `.0` is a rounded irrational number; exact values are integers and
    /// fractions.
    pub rounds: bool,
}

impl From<Escapes> for Notation {
    fn from(escapes: Escapes) -> Notation {
        Notation { escapes, ..Notation::default() }
    }
}

/// How string literals spell characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Escapes {
    /// `\u{…}`, as SMT-LIB 2.6 says.
    #[default]
    Standard,
    /// `\x41`, `\n`, `\\`: z3 before 4.8.10 and cvc4 before 1.8.
    Legacy,
}

/// Why a text could not be read as a model of a script.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ModelError {
    /// The text has no definitions at all, such as an error message.
    #[error("this is not a model: {0}")]
    NotAModel(String),
    /// The text is not made of S-expressions.
    #[error("line {line}, column {column} of the model: {error}")]
    Text { line: usize, column: usize, error: Error },
    /// A definition is ill-typed, or uses an undeclared name.
    #[error("line {line}, column {column} of the model, in the definition of `{name}`: {error}")]
    Definition { name: String, line: usize, column: usize, error: Error },
    /// The definition has another rank than the script's declaration.
    #[error(
        "line {line}, column {column} of the model: `{name}` is declared as {declared}, not as {defined}"
    )]
    Rank { name: String, line: usize, column: usize, declared: String, defined: String },
}

impl ModelError {
    fn text(source: &[u8], error: Error) -> ModelError {
        let place = position(source, error.span.start as usize);
        ModelError::Text { line: place.line, column: place.column, error }
    }

    fn definition(source: &[u8], name: &[u8], error: Error) -> ModelError {
        let place = position(source, error.span.start as usize);
        let name = String::from_utf8_lossy(name).into_owned();
        ModelError::Definition { name, line: place.line, column: place.column, error }
    }
}

impl Model {
    /// Reads the model that a solver printed after the script's last check. The script's pool grows; its commands do
    /// not change.
    pub fn parse(script: &mut Script, text: &[u8]) -> Result<Model, ModelError> {
        Model::parse_with(script, text, Escapes::Standard)
    }

    pub fn parse_with(
        script: &mut Script,
        text: &[u8],
        notation: impl Into<Notation>,
    ) -> Result<Model, ModelError> {
        let last = script.commands.iter().rposition(|command| command.is_check());
        Model::parse_at(script, last.unwrap_or(script.commands.len()), text, notation)
    }

    /// Reads a model for the declarations in scope before command number `command`.
    pub fn parse_at(
        script: &mut Script,
        command: usize,
        text: &[u8],
        notation: impl Into<Notation>,
    ) -> Result<Model, ModelError> {
        read::model(script, command, text, notation.into())
    }
}
