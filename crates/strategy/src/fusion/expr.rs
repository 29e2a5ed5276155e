//! Sorts and terms with holes: the parts of fusion functions.
//!
//! A pattern for the sorts of x and y is matched against the sorts of two variables. That binds sort parameters and
//! widths. With those, and with names for x, y, z and the constants, an expression becomes text.

use super::sorts::Shape;
use rustc_hash::FxHashSet;
use smtlib::logic::Features;
use smtlib::theory::{self, Arith};

/// A sort or a term with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expr {
    Text(Box<[u8]>),
    List(Vec<Expr>),
    /// x, y or z.
    Role(usize),
    Constant(usize),
    /// A name that the block declares; it is made fresh.
    Local(Box<[u8]>),
    Param(usize),
    Width(usize),
    /// A sum, difference or product of widths and numerals.
    Number(Op, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
}

/// The values of a function's sort parameters and widths.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings<'s> {
    /// The sort, and whether it comes from the variable in role x (0) or y (1).
    params: [Option<(&'s Shape, usize)>; MOST],
    widths: [Option<&'s [u8]>; MOST],
}

/// How many sort parameters and how many widths a function may have.
pub(super) const MOST: usize = 4;

impl<'s> Bindings<'s> {
    /// Bindings that do not come from a seed.
    pub(super) fn fixed(params: &'s [Shape], widths: &[&'s str]) -> Bindings<'s> {
        let mut bindings = Bindings::default();
        for (slot, shape) in bindings.params.iter_mut().zip(params) {
            *slot = Some((shape, 0));
        }
        for (slot, width) in bindings.widths.iter_mut().zip(widths) {
            *slot = Some(width.as_bytes());
        }
        bindings
    }

    pub(super) fn unify(&mut self, pattern: &Expr, shape: &'s Shape, role: usize) -> bool {
        match (pattern, shape) {
            (Expr::Param(n), _) => match self.params[*n] {
                None => {
                    self.params[*n] = Some((shape, role));
                    true
                }
                // Sorts that the two seeds declare are different even if their names agree.
                Some((known, of)) => known == shape && (of == role || !shape.declared()),
            },
            (Expr::Width(n), Shape::Atom { text, .. }) => match self.widths[*n] {
                None => {
                    self.widths[*n] = Some(text);
                    true
                }
                Some(known) => known == &**text,
            },
            (Expr::Text(expected), Shape::Atom { text, declared: false }) => expected == text,
            (Expr::List(patterns), Shape::List(shapes)) => {
                patterns.len() == shapes.len()
                    && patterns.iter().zip(shapes).all(|(pattern, shape)| self.unify(pattern, shape, role))
            }
            _ => false,
        }
    }

    fn number(&self, expr: &Expr) -> Option<u64> {
        match expr {
            Expr::Text(text) => std::str::from_utf8(text).ok()?.parse().ok(),
            Expr::Width(n) => std::str::from_utf8(self.widths[*n]?).ok()?.parse().ok(),
            Expr::Number(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match op {
                    Op::Add => a.checked_add(b),
                    Op::Sub => a.checked_sub(b),
                    Op::Mul => a.checked_mul(b),
                }
            }
            _ => None,
        }
    }
}

/// The widest bit-vector that a fusion may make.
const WIDEST: u64 = 4096;

impl Expr {
    pub(super) fn bind(&self, bound: &mut (Vec<bool>, Vec<bool>)) {
        match self {
            Expr::Param(n) => bound.0[*n] = true,
            Expr::Width(n) => bound.1[*n] = true,
            Expr::List(items) => items.iter().for_each(|item| item.bind(bound)),
            _ => {}
        }
    }

    pub(super) fn mentions_role(&self, role: usize) -> bool {
        match self {
            Expr::Role(n) => *n == role,
            Expr::List(items) => items.iter().any(|item| item.mentions_role(role)),
            _ => false,
        }
    }

    fn mentions_variables(&self) -> bool {
        (0..3).any(|role| self.mentions_role(role))
    }

    pub(super) fn features(&self, found: Features) -> Features {
        match self {
            Expr::Text(word) => found.with(Features::of_word(word)),
            Expr::List(items) => {
                let variables = items.iter().skip(1).filter(|item| item.mentions_variables()).count();
                let nonlinear = match items.first().and_then(Expr::arith) {
                    Some(Arith::Product) => variables > 1,
                    Some(Arith::Quotient) => items.iter().skip(2).any(Expr::mentions_variables),
                    _ => false,
                };
                let found = if nonlinear { found.with(Features::NONLINEAR) } else { found };
                items.iter().fold(found, |found, item| item.features(found))
            }
            _ => found,
        }
    }

    /// What the operator of an arithmetic term does.
    fn arith(&self) -> Option<Arith> {
        let Expr::Text(name) = self else { return None };
        theory::lookup(name)?.iter().find_map(|(op, _)| op.row().arith)
    }

    pub(super) fn words(&self, into: &mut FxHashSet<Box<[u8]>>) {
        match self {
            Expr::Text(text) => {
                into.insert(text.clone());
            }
            Expr::List(items) => items.iter().for_each(|item| item.words(into)),
            _ => {}
        }
    }

    pub(super) fn sizes_are_fine(&self, bindings: &Bindings<'_>) -> bool {
        match self {
            Expr::Number(..) => bindings.number(self).is_some_and(|size| (1..=WIDEST).contains(&size)),
            Expr::List(items) => items.iter().all(|item| item.sizes_are_fine(bindings)),
            _ => true,
        }
    }

    /// Writes the sort or term.
    pub(super) fn write(&self, out: &mut Vec<u8>, names: &Names<'_>) {
        match self {
            Expr::Text(text) => out.extend_from_slice(text),
            Expr::Role(role) => out.extend_from_slice(names.roles[*role]),
            Expr::Constant(n) => out.extend_from_slice(&names.constants[*n]),
            Expr::Local(name) => {
                out.extend_from_slice(name);
                out.extend_from_slice(names.local);
            }
            Expr::Param(n) => {
                if let Some((shape, role)) = names.bindings.params[*n] {
                    shape.write(out, names.suffixes[role]);
                }
            }
            Expr::Width(n) => out.extend_from_slice(names.bindings.widths[*n].unwrap_or_default()),
            Expr::Number(..) => {
                let number = names.bindings.number(self).unwrap_or_default();
                out.extend_from_slice(number.to_string().as_bytes());
            }
            Expr::List(items) => {
                out.push(b'(');
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        out.push(b' ');
                    }
                    item.write(out, names);
                }
                out.push(b')');
            }
        }
    }
}

/// The texts for the holes of a function.
pub(super) struct Names<'s> {
    pub roles: [&'s [u8]; 3],
    pub constants: &'s [Vec<u8>],
    /// The suffix that makes the block's own names fresh.
    pub local: &'s [u8],
    pub bindings: &'s Bindings<'s>,
    /// The suffixes that make the declared sorts of x's seed and of y's seed different.
    pub suffixes: [&'s [u8]; 2],
}
