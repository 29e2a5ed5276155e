//! The grammars that come with falsum.
//!
//! In: a name. Out: a grammar, read from the text files in `grammars/`. Each file says what it covers and, for the
//! eight of Figures 7.4 and 7.5 of Winterer's thesis, what was corrected. Each grammar has its classes (variables and
//! constants) in a JSON file beside it, so the caller chooses the number of variables. A user's grammar file is read
//! by the same reader.

use super::classes::Classes;
use super::error::GrammarError;
use super::grammar::Grammar;

/// One embedded grammar.
#[derive(Debug, Clone, Copy)]
pub struct Embedded {
    /// Its name, as `--grammar` takes it.
    pub name: &'static str,
    /// What it covers, in a few words.
    pub about: &'static str,
    /// The grammar text.
    pub text: &'static str,
    /// The class file.
    pub classes: &'static str,
    /// How many variables each class has by default.
    pub variables: usize,
}

macro_rules! embedded {
    ($($name:literal $variables:literal $about:literal)*) => {
        &[$(Embedded {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../grammars/", $name, ".g4")),
            classes: include_str!(concat!("../../grammars/", $name, ".json")),
            variables: $variables,
        }),*]
    };
}

/// All embedded grammars: first the eight of the thesis, then ours.
pub const EMBEDDED: &[Embedded] = embedded! {
    "Core" 2 "booleans"
    "Ints" 2 "integer arithmetic"
    "Reals" 2 "real arithmetic with sine, cosine and tangent"
    "RealInts" 1 "mixed real and integer arithmetic"
    "Bitvectors" 2 "bit-vectors of width 64"
    "Arrays" 1 "arrays of bit-vectors"
    "FP" 2 "double-precision floating point"
    "Strings" 2 "strings and regular expressions"
    "Quantifiers" 1 "two levels of quantifiers over integers"
    "UF" 2 "uninterpreted sorts, functions and predicates"
    "Datatypes" 1 "lists, trees and an enumeration"
    "Incremental" 2 "several check-sats between push and pop"
    "MixedArrays" 1 "arrays indexed by floats, rounding modes and booleans, arrays in arrays"
    "Seqs" 1 "sequences of integers"
    "Sets" 1 "sets of bit-vectors, as cvc5 writes them"
};

/// The embedded grammar of this name, in any letter case.
#[must_use]
pub fn find(name: &str) -> Option<&'static Embedded> {
    EMBEDDED.iter().find(|embedded| embedded.name.eq_ignore_ascii_case(name))
}

impl Embedded {
    /// Reads it with this many variables per class, or the default.
    pub fn grammar(&self, variables: Option<usize>) -> Result<Grammar, GrammarError> {
        let classes = Classes::parse(self.classes)?;
        Grammar::parse_with(self.text, &classes, variables.unwrap_or(self.variables))
    }
}
