//! Real numbers without an exact form: small expressions that can be enclosed to any precision.
//!
//! The evaluator builds one when a transcendental function is applied, and extends it when arithmetic is done on it. A
//! question (sign, order, floor) is answered by enclosing the expression in smaller and smaller intervals; if the
//! limit on bits is reached first, the answer is unknown. So `(< (sin 1.0) 0.85)` is decided by intervals, and `(=
//! (sin 1.0) (sin 1.0))` only by structure. The depth is limited, because enclosing is recursive.

use super::int::Int;
use super::interval::{Interval, NoEnclosure, decide};
use super::rational::Rat;
use super::real::Real;
use super::transcendental;
use std::cmp::Ordering;
use std::sync::Arc;

/// Maximum nesting of operations.
const MAX_DEPTH: u32 = 64;
/// Maximum number of operations, shared ones counted each time, because enclosing computes them each time.
const MAX_WEIGHT: u32 = 512;
/// Maximum number of bits of an enclosure.
const MAX_BITS: u32 = 1024;

/// An expression for a real number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enclosed {
    node: Node,
    depth: u32,
    weight: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Known(Real),
    Pi,
    /// A function by its name in `transcendental::FUNCTIONS`.
    Apply(&'static str, Arc<Enclosed>),
    Add(Arc<Enclosed>, Arc<Enclosed>),
    Mul(Arc<Enclosed>, Arc<Enclosed>),
    Div(Arc<Enclosed>, Arc<Enclosed>),
}

impl Enclosed {
    pub fn known(value: Real) -> Arc<Enclosed> {
        // Enclosing an algebraic number evaluates its polynomial repeatedly.
        let weight = match &value {
            Real::Rat(_) => 1,
            Real::Alg(a) => 1 + (a.polynomial().degree() as u32).pow(2) / 4,
        };
        Arc::new(Enclosed { node: Node::Known(value), depth: 0, weight })
    }

    pub fn pi() -> Arc<Enclosed> {
        Arc::new(Enclosed { node: Node::Pi, depth: 0, weight: 1 })
    }

    fn make(node: Node, parts: &[&Arc<Enclosed>]) -> Option<Arc<Enclosed>> {
        let depth = parts.iter().map(|part| part.depth).max().unwrap_or(0) + 1;
        let weight = parts.iter().map(|part| part.weight).sum::<u32>() + 1;
        (depth <= MAX_DEPTH && weight <= MAX_WEIGHT).then(|| Arc::new(Enclosed { node, depth, weight }))
    }

    /// `None` when the expression would become too deep or too large.
    pub fn apply(function: &'static str, arg: &Arc<Enclosed>) -> Option<Arc<Enclosed>> {
        Enclosed::make(Node::Apply(function, arg.clone()), &[arg])
    }

    pub fn add(a: &Arc<Enclosed>, b: &Arc<Enclosed>) -> Option<Arc<Enclosed>> {
        Enclosed::make(Node::Add(a.clone(), b.clone()), &[a, b])
    }

    pub fn mul(a: &Arc<Enclosed>, b: &Arc<Enclosed>) -> Option<Arc<Enclosed>> {
        Enclosed::make(Node::Mul(a.clone(), b.clone()), &[a, b])
    }

    pub fn div(a: &Arc<Enclosed>, b: &Arc<Enclosed>) -> Option<Arc<Enclosed>> {
        Enclosed::make(Node::Div(a.clone(), b.clone()), &[a, b])
    }

    pub fn neg(a: &Arc<Enclosed>) -> Option<Arc<Enclosed>> {
        Enclosed::mul(&Enclosed::known(Real::from(-1)), a)
    }

    /// The number of operations, shared ones counted each time.
    pub fn weight(&self) -> u32 {
        self.weight
    }

    /// An order of expressions, which is unrelated to the numeric order.
    pub fn structural_order(&self, other: &Enclosed) -> Ordering {
        fn rank(node: &Node) -> (u8, &'static str) {
            match node {
                Node::Known(_) => (0, ""),
                Node::Pi => (1, ""),
                Node::Apply(name, _) => (2, name),
                Node::Add(..) => (3, ""),
                Node::Mul(..) => (4, ""),
                Node::Div(..) => (5, ""),
            }
        }
        match (&self.node, &other.node) {
            (Node::Known(a), Node::Known(b)) => a.structural_order(b),
            (Node::Apply(f, a), Node::Apply(g, b)) => f.cmp(g).then_with(|| a.structural_order(b)),
            (Node::Add(a, b), Node::Add(c, d))
            | (Node::Mul(a, b), Node::Mul(c, d))
            | (Node::Div(a, b), Node::Div(c, d)) => a.structural_order(c).then_with(|| b.structural_order(d)),
            (a, b) => rank(a).cmp(&rank(b)),
        }
    }

    /// An interval that contains the number.
    pub fn enclose(&self, bits: u32) -> Result<Interval, NoEnclosure> {
        match &self.node {
            Node::Known(value) => value.enclose(bits).map_err(|_| NoEnclosure::TooLarge),
            Node::Pi => Ok(transcendental::pi(bits)),
            Node::Apply(name, arg) => {
                let function = transcendental::by_name(name).ok_or(NoEnclosure::Undefined)?;
                function(&arg.enclose(bits + 8)?, bits)
            }
            Node::Add(a, b) => Ok(a.enclose(bits + 1)?.add(&b.enclose(bits + 1)?).rounded(bits + 4)),
            Node::Mul(a, b) => Ok(a.enclose(bits + 8)?.mul(&b.enclose(bits + 8)?).rounded(bits + 4)),
            Node::Div(a, b) => Ok(a.enclose(bits + 8)?.div(&b.enclose(bits + 8)?)?.rounded(bits + 4)),
        }
    }

    fn ask<T>(&self, read: impl Fn(&Interval) -> Option<T>) -> Option<T> {
        decide(MAX_BITS, |bits| Ok(read(&self.enclose(bits)?))).ok().flatten()
    }

    /// The order of the two numbers, if intervals decide it.
    pub fn compare(&self, other: &Enclosed) -> Option<Ordering> {
        if self == other {
            return Some(Ordering::Equal);
        }
        decide(MAX_BITS, |bits| Ok(self.enclose(bits)?.compare(&other.enclose(bits)?))).ok().flatten()
    }

    pub fn sign(&self) -> Option<i32> {
        self.ask(Interval::sign)
    }

    /// The largest integer that is not above it, if intervals decide it.
    pub fn floor(&self) -> Option<Int> {
        self.ask(|interval| {
            let (lo, hi) = (interval.lo().floor(), interval.hi().floor());
            (lo == hi).then_some(lo)
        })
    }

    /// Whether it is an integer: only "no" can be determined.
    pub fn is_int(&self) -> Option<bool> {
        self.ask(|interval| {
            let floor = interval.lo().floor();
            (&Rat::from(&floor) < interval.lo() && interval.hi() < &Rat::from(&floor + &Int::ONE))
                .then_some(false)
        })
    }

    /// Whether the expression has no value: an argument outside a function's domain.
    pub fn is_undefined(&self) -> bool {
        matches!(self.enclose(128), Err(NoEnclosure::Undefined))
    }
}
