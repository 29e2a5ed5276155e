//! The theory tables: the only place where operators are defined.
//!
//! Each theory is a text file under `theories/` in SMT-LIB's own signature syntax, with attributes for what the
//! standard's syntax cannot express. The type checker, the printer, the evaluator, the mutators, the generators and
//! the grammar exporter all use these rows; a new operator is one line in one file.
//!
//! `row.rs` defines a row and its parser, `rank.rs` decides whether a row accepts given arguments.

pub mod rank;
pub mod row;

pub use row::{Arith, Assoc, Cond, Num, Pat, Row};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A row of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpId(pub u16);

impl OpId {
    pub fn row(self) -> &'static Row {
        &TABLES.rows[self.0 as usize]
    }
}

macro_rules! embedded {
    ($($file:literal),* $(,)?) => { &[$(($file, include_str!(concat!("../../theories/", $file)))),*] };
}

/// The table files in reading order; where rows overlap, the row of the earlier file is used.
pub const FILES: &[(&str, &str)] = embedded![
    "core.smt",
    "ints.smt",
    "reals.smt",
    "reals_ints.smt",
    "bitvectors.smt",
    "floats.smt",
    "strings.smt",
    "z3_sets.smt",
    "arrays.smt",
    "functions.smt",
    "datatypes.smt",
    "sequences.smt",
    "sets_cvc5.smt",
    "finite_sets_z3.smt",
    "bags.smt",
    "finite_fields.smt",
    "transcendentals.smt",
    "separation.smt",
    "special.smt",
];

/// All rows with an index by name.
pub struct Tables {
    pub rows: Vec<Row>,
    by_name: HashMap<&'static [u8], Overloads, FxBuildHasher>,
}

/// The rows that a name may mean, in order, each with the spelling that the name is.
pub type Overloads = Vec<(OpId, crate::term::Spelling)>;

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    row::read_all(FILES).unwrap_or_else(|error| unreachable!("the embedded tables are tested: {error}"))
});

impl Tables {
    fn new(rows: Vec<Row>) -> Tables {
        use crate::term::Spelling;
        let mut by_name: HashMap<&'static [u8], Overloads, FxBuildHasher> = HashMap::default();
        for (number, row) in rows.iter().enumerate() {
            let op = OpId(number as u16);
            by_name.entry(row.name.as_bytes()).or_default().push((op, Spelling::Canonical));
            for (n, alias) in row.aliases.iter().enumerate() {
                by_name.entry(alias.as_bytes()).or_default().push((op, Spelling::Alias(n as u8)));
            }
        }
        Tables { rows, by_name }
    }
}

/// Every row, in order.
pub fn rows() -> &'static [Row] {
    &TABLES.rows
}

/// The rows that a name may mean as an operator.
pub fn lookup(name: &[u8]) -> Option<&'static Overloads> {
    TABLES.by_name.get(name)
}

/// The first row with this name. For the few operators that the code itself mentions.
pub fn constant(name: &str) -> OpId {
    match TABLES.by_name.get(name.as_bytes()).and_then(|overloads| overloads.first()) {
        Some(&(op, _)) => op,
        None => unreachable!("`{name}` is in the embedded tables"),
    }
}

/// The operator with the most similar name, for hints; `None` if no name is similar.
pub fn nearest(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    if let Some((&(op, _), _)) = lookup(lower.as_bytes()).and_then(|rows| rows.split_first()) {
        return Some(op.row().name);
    }
    closest(name, rows().iter().map(|row| row.name))
}

/// The most similar of the names given.
pub fn nearest_of<'a>(name: &str, names: impl Iterator<Item = Cow<'a, str>>) -> Option<String> {
    closest(name, names).map(Cow::into_owned)
}

fn closest<T: AsRef<str>>(name: &str, names: impl Iterator<Item = T>) -> Option<T> {
    if name.len() < 3 {
        return None;
    }
    let mut best: Option<(usize, T)> = None;
    for other in names {
        let distance = edit_distance(name, other.as_ref());
        if distance <= name.len() / 3 && best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, other));
        }
    }
    best.map(|(_, name)| name)
}

fn edit_distance(a: &str, b: &str) -> usize {
    if a.len().abs_diff(b.len()) > 4 || a.len() > 64 {
        return usize::MAX;
    }
    let b: Vec<u8> = b.bytes().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_table_is_read() {
        if let Err(error) = row::read_all(FILES) {
            panic!("{error}");
        }
    }

    #[test]
    fn old_string_names_lead_to_the_same_row() {
        let (new, _) = lookup(b"str.to_re").unwrap()[0];
        let (old, spelling) = lookup(b"str.to.re").unwrap()[0];
        assert_eq!(new, old);
        assert!(matches!(spelling, crate::term::Spelling::Alias(_)));
    }

    #[test]
    fn a_misspelt_name_gets_a_suggestion() {
        assert_eq!(nearest("str.lenn"), Some("str.len"));
        assert_eq!(nearest("somethingelse"), None);
    }
}
