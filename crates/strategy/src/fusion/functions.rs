//! Fusion functions, and how one is written as text.
//!
//! A function has sorts with parameters, the definition of z, and the two inversions, as small trees (`expr.rs`).
//! `blocks.rs` reads files of them. A function is matched against the sorts of two variables and then written with
//! names in place of x, y, z and the constants.

use super::expr::{Bindings, Expr, Names};
use super::sorts::Shape;
use crate::Rng;
use rustc_hash::FxHashSet;
use smtlib::logic::Features;

/// One fusion function with its inversions.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Why the inversions hold, according to the file.
    pub about: String,
    /// Whether the inversions hold for all values. Partial ones are used only where they are also asserted.
    pub trust: Trust,
    /// The line of its `#begin`.
    pub line: usize,
    pub(super) sorts: [Expr; 3],
    pub(super) constants: Vec<Constant>,
    /// Fresh symbols: name, argument sorts, result sort.
    pub(super) fresh: Vec<Fresh>,
    pub(super) datatypes: Vec<Expr>,
    /// f(x, y), the inversion for x, the inversion for y.
    pub(super) terms: [Expr; 3],
    pub(super) params: usize,
    pub(super) widths: usize,
    pub(super) features: Features,
}

impl Trust {
    /// Whether fusions may rely on the inversions without asserting them.
    pub fn relied_on(self) -> bool {
        matches!(self, Trust::Total | Trust::Tested)
    }
}

/// What is known about the inversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// They hold for all values. The file says so, and `verify` proves it.
    Total,
    /// They fail for some values.
    Partial,
    /// No value that was tried refutes them, but there is no proof.
    Tested,
    /// Nothing is known. A caller who wants to use it as total must check it first.
    Unchecked,
}

#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub sort: Expr,
    pub draw: Draw,
    pub name: String,
}

/// Which values a random constant may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    Any,
    Nonzero,
    Odd,
    /// The inverse, modulo the width, of another constant.
    InverseOf(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Fresh {
    pub name: String,
    pub args: Vec<Expr>,
    pub result: Expr,
}

/// A block that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Refused {
    pub line: usize,
    pub why: String,
}

/// The contents of a file.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    pub functions: Vec<Function>,
    pub refused: Vec<Refused>,
}

macro_rules! embedded {
    ($($file:literal),* $(,)?) => { &[$(($file, include_str!(concat!("../../fusion/", $file)))),*] };
}

/// The embedded files.
pub const FILES: &[(&str, &str)] = embedded![
    "arithmetic.txt",
    "booleans.txt",
    "bitvectors.txt",
    "floats.txt",
    "strings.txt",
    "containers.txt",
];

impl Functions {
    /// The embedded functions. A test checks every block.
    pub fn embedded() -> Functions {
        let mut all = Functions::default();
        for (_, text) in FILES {
            let mut read = Functions::read(text);
            for function in &mut read.functions {
                if function.trust == Trust::Unchecked {
                    function.trust = Trust::Total;
                }
            }
            all.functions.append(&mut read.functions);
            all.refused.append(&mut read.refused);
        }
        all
    }
}

impl Function {
    /// Whether it can fuse variables of these sorts, and the bindings of its parameters if so.
    pub(super) fn matches<'s>(&self, x: &'s Shape, y: &'s Shape) -> Option<Bindings<'s>> {
        let mut bindings = Bindings::default();
        let fits = bindings.unify(&self.sorts[0], x, 0) && bindings.unify(&self.sorts[1], y, 1);
        (fits && self.writable(&bindings)).then_some(bindings)
    }

    /// What a logic must support for it.
    pub(super) fn features(&self) -> Features {
        self.features
    }

    /// The function together with what a logic must support for it.
    pub(super) fn with_features(mut self) -> Function {
        let mut found = Features::default();
        let fresh = self.fresh.iter().flat_map(|fresh| fresh.args.iter().chain([&fresh.result]));
        for expr in self.sorts.iter().chain(&self.terms).chain(fresh) {
            found = expr.features(found);
        }
        // Strings have lengths, but a logic of strings alone has no arithmetic on them.
        let mut words = FxHashSet::default();
        self.terms.iter().for_each(|term| term.words(&mut words));
        let mut calculates = ["+", "-", "*", "/", "div", "mod", "abs", "<", "<=", ">", ">="].iter();
        if calculates.any(|op| words.contains(op.as_bytes())) {
            found = found.with(Features::LINEAR);
        }
        // Arrays in the sorts of x and y are part of their seeds' logic; a new array can have any of the sorts of x
        // and y.
        if !self.mentions(b"Array") && found.has(Features::ARRAYS) {
            found = found.with(Features::ANY_ARRAYS);
        }
        if !self.datatypes.is_empty() {
            found = found.with(Features::DATATYPES);
        }
        if self.fresh.iter().any(|fresh| !fresh.args.is_empty()) {
            found = found.with(Features::FUNCTIONS);
        }
        self.features = found;
        self
    }

    /// Whether it is one of Figure 3.5, as published or with a guard.
    pub fn is_published(&self) -> bool {
        self.about.starts_with('[')
    }

    /// Whether it fits variables of any sort.
    pub fn is_wrapper(&self) -> bool {
        self.sorts[..2].iter().any(|sort| matches!(sort, Expr::Param(_)))
    }

    /// How many sort parameters and how many widths it has.
    pub(super) fn parameters(&self) -> (usize, usize) {
        (self.params, self.widths)
    }

    /// Whether a word occurs in the sorts of x and y.
    pub(super) fn mentions(&self, word: &[u8]) -> bool {
        let mut words = FxHashSet::default();
        self.sorts[..2].iter().for_each(|sort| sort.words(&mut words));
        words.contains(word)
    }

    /// A constructor without arguments of its datatypes, if there is one.
    pub(super) fn empty_constructor(&self, names: &Names<'_>) -> Option<Vec<u8>> {
        fn find(expr: &Expr) -> Option<&Expr> {
            match expr {
                Expr::List(items) => match items.as_slice() {
                    [only @ Expr::Local(_)] => Some(only),
                    many => many.iter().find_map(find),
                },
                _ => None,
            }
        }
        let mut out = vec![];
        self.datatypes.iter().find_map(find)?.write(&mut out, names);
        Some(out)
    }

    /// All words that it uses from a theory.
    pub(super) fn words(&self, into: &mut FxHashSet<Box<[u8]>>) {
        for expr in self.sorts.iter().chain(&self.terms) {
            expr.words(into);
        }
    }

    /// Whether all computed widths are positive and small enough.
    fn writable(&self, bindings: &Bindings<'_>) -> bool {
        let sorts = self.sorts.iter().chain(self.fresh.iter().map(|fresh| &fresh.result));
        self.widths == 0 || sorts.clone().all(|sort| sort.sizes_are_fine(bindings))
    }

    /// Declares the datatypes, z and the other fresh symbols, one command per line.
    pub(super) fn write_declarations(&self, out: &mut Vec<u8>, names: &Names<'_>) {
        for datatype in &self.datatypes {
            datatype.write(out, names);
            out.push(b'\n');
        }
        out.extend_from_slice(b"(declare-fun ");
        out.extend_from_slice(names.roles[2]);
        out.extend_from_slice(b" () ");
        self.sorts[2].write(out, names);
        out.extend_from_slice(b")\n");
        for fresh in &self.fresh {
            out.extend_from_slice(b"(declare-fun ");
            out.extend_from_slice(fresh.name.as_bytes());
            out.extend_from_slice(names.local);
            out.extend_from_slice(b" (");
            for (n, arg) in fresh.args.iter().enumerate() {
                if n > 0 {
                    out.push(b' ');
                }
                arg.write(out, names);
            }
            out.extend_from_slice(b") ");
            fresh.result.write(out, names);
            out.extend_from_slice(b")\n");
        }
    }

    /// Random constants for variables of these sorts; `None` if one has a sort without literals.
    pub(super) fn draw_constants(
        &self,
        shapes: [&Shape; 2],
        swapped: bool,
        rng: &mut Rng,
    ) -> Option<Vec<Vec<u8>>> {
        if self.constants.is_empty() {
            return Some(vec![]);
        }
        let (x, y) = if swapped { (1, 0) } else { (0, 1) };
        let bindings = self.matches(shapes[x], shapes[y])?;
        let mut drawn = vec![];
        for constant in &self.constants {
            let mut sort = vec![];
            let roles: [&[u8]; 3] = [b"x", b"y", b"z"];
            let names =
                Names { roles, constants: &[], local: b"", bindings: &bindings, suffixes: [b"", b""] };
            constant.sort.write(&mut sort, &names);
            let value = super::constants::draw(&sort, constant.draw, &drawn, rng)?;
            drawn.push(value);
        }
        Some(drawn)
    }

    /// Asserts the equation for the variable in a role: the definition for z, the inversion for x and y.
    pub(super) fn write_constraint(&self, out: &mut Vec<u8>, names: &Names<'_>, role: usize) {
        out.extend_from_slice(b"(assert (= ");
        out.extend_from_slice(names.roles[role]);
        out.push(b' ');
        self.term_of(role).write(out, names);
        out.extend_from_slice(b"))\n");
    }

    /// The inversion for x (0) or y (1), or the definition of z (2).
    pub(super) fn term_of(&self, role: usize) -> &Expr {
        &self.terms[(role + 1) % 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_block_is_read_and_named_once() {
        let all = Functions::embedded();
        assert_eq!(all.refused, []);
        let mut names: Vec<&str> = all.functions.iter().map(|function| &*function.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(count >= 50, "{count}");
        assert!(all.functions.iter().all(|function| !function.about.is_empty()));
    }
}
