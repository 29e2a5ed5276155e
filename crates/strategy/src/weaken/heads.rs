//! The kind of a node of a formula as one number: an operator by its name, or one of a few other kinds.
//!
//! Rows of the tables that share a name (`<` of Int and of Real) share the number; which one is meant follows from the
//! sorts of the arguments.

use smtlib::theory::{self, OpId};
use std::sync::LazyLock;

/// A number that no operator has.
pub const OTHER: u16 = u16::MAX;
pub const LITERAL: u16 = u16::MAX - 1;
pub const VARIABLE: u16 = u16::MAX - 2;
/// A declared function, a selector, or a constant.
pub const FUNCTION: u16 = u16::MAX - 3;
pub const CONSTRUCTOR: u16 = u16::MAX - 4;
pub const TESTER: u16 = u16::MAX - 5;
pub const LET: u16 = u16::MAX - 6;
pub const FORALL: u16 = u16::MAX - 7;
pub const EXISTS: u16 = u16::MAX - 8;
pub const MATCH: u16 = u16::MAX - 9;
pub const ANNOTATION: u16 = u16::MAX - 10;
/// A quantifier of another kind.
pub const BINDER: u16 = u16::MAX - 11;

struct Names {
    names: Vec<&'static str>,
    of_row: Vec<u16>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut names: Vec<&'static str> = theory::rows().iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    let number = |name| names.binary_search(&name).map_or(OTHER, |number| number as u16);
    let of_row = theory::rows().iter().map(|row| number(row.name)).collect();
    Names { names, of_row }
});

/// The number of a row of the tables.
pub fn of(op: OpId) -> u16 {
    NAMES.of_row[op.0 as usize]
}

/// The operator of this name.
pub fn named(name: &str) -> Option<(&'static str, u16)> {
    let number = NAMES.names.binary_search(&name).ok()?;
    Some((NAMES.names[number], number as u16))
}

/// The name of an operator.
pub fn name(op: u16) -> Option<&'static str> {
    NAMES.names.get(op as usize).copied()
}

/// Whether a node of this kind binds variables.
pub fn binds(op: u16) -> bool {
    matches!(op, LET | FORALL | EXISTS | MATCH | BINDER)
}
