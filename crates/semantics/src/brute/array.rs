//! Arrays with too many values to enumerate.
//!
//! Such an array is never a value of the search. It is traced from where it is read to where it comes from: a store is
//! decided by comparing indices, a constant array has its value, and a symbol read at an index is a separate variable,
//! like a function application. Equality over finitely many indices is expanded, except where only its falsity can
//! help to make the formula true: there one index at which the arrays differ is enough.

use super::graph::NodeId;
use super::lower::{Function, Lowered, Lowering, Origin};
use smtlib::sort::{Sort, SortId};
use smtlib::term::DeclId;

/// Arrays with at most this many values are treated as plain values.
const SMALL: u64 = 256;
/// Maximum number of indices for which an equality is expanded.
const INDICES: u64 = 1 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ArrId(pub u32);

/// A lowered term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Low {
    Scalar(NodeId),
    Array(ArrId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arr {
    /// A symbol, applied to its arguments and read at indices.
    Base {
        decl: DeclId,
        args: Box<[NodeId]>,
    },
    Store(ArrId, NodeId, Low),
    Const(Low),
    Ite(NodeId, ArrId, ArrId),
}

/// Whether a Boolean term can help the formula only by being true, only by being false, or by either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Polarity {
    Positive,
    Negative,
    Both,
}

impl Polarity {
    pub fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Both => Polarity::Both,
        }
    }
}

impl Lowering<'_> {
    /// Whether values of the sort are traced instead of enumerated.
    pub fn is_lazy(&mut self, sort: SortId) -> bool {
        matches!(self.pool.sort(sort), Sort::Array(..))
            && self.calls.size(sort).is_none_or(|size| size > SMALL)
    }

    pub fn array(&mut self, array: Arr) -> ArrId {
        if let Some(&id) = self.array_ids.get(&array) {
            return id;
        }
        let id = ArrId(self.arrays.len() as u32);
        self.arrays.push(array.clone());
        self.array_ids.insert(array, id);
        id
    }

    /// Reads an array of the given element sort.
    pub fn read(&mut self, array: ArrId, index: NodeId, element: SortId) -> Lowered<Low> {
        match self.arrays[array.0 as usize].clone() {
            Arr::Base { decl, args } => {
                let args: Vec<NodeId> = args.iter().copied().chain([index]).collect();
                if self.is_lazy(element) {
                    return Ok(Low::Array(self.array(Arr::Base { decl, args: args.into() })));
                }
                Ok(Low::Scalar(self.application(Function::Declared(decl), args, element)))
            }
            Arr::Const(value) => Ok(value),
            Arr::Store(inner, at, value) => {
                let here = self.equal(index, at)?;
                match self.graph.constant(here) {
                    Some(0) => self.read(inner, index, element),
                    Some(_) => Ok(value),
                    None => {
                        let elsewhere = self.read(inner, index, element)?;
                        self.choose(here, value, elsewhere)
                    }
                }
            }
            Arr::Ite(condition, then, otherwise) => {
                let then = self.read(then, index, element)?;
                let otherwise = self.read(otherwise, index, element)?;
                self.choose(condition, then, otherwise)
            }
        }
    }

    /// One of two lowered terms.
    pub fn choose(&mut self, condition: NodeId, then: Low, otherwise: Low) -> Lowered<Low> {
        match (then, otherwise) {
            (Low::Scalar(a), Low::Scalar(b)) => Ok(Low::Scalar(self.graph.ite(condition, a, b))),
            (Low::Array(a), Low::Array(b)) => match self.graph.constant(condition) {
                Some(0) => Ok(Low::Array(b)),
                Some(_) => Ok(Low::Array(a)),
                None if a == b => Ok(Low::Array(a)),
                None => Ok(Low::Array(self.array(Arr::Ite(condition, a, b)))),
            },
            _ => self.unsupported("arrays of two kinds"),
        }
    }

    /// Equality of lowered terms of a sort.
    pub fn equal_low(&mut self, a: &Low, b: &Low, sort: SortId, polarity: Polarity) -> Lowered<NodeId> {
        match (a, b) {
            (Low::Scalar(a), Low::Scalar(b)) => self.equal(*a, *b),
            (Low::Array(a), Low::Array(b)) if a == b => Ok(self.graph.truth(true)),
            (Low::Array(a), Low::Array(b)) => self.equal_arrays(*a, *b, sort, polarity),
            _ => self.unsupported("arrays of two kinds"),
        }
    }

    fn equal_arrays(&mut self, a: ArrId, b: ArrId, sort: SortId, polarity: Polarity) -> Lowered<NodeId> {
        let Sort::Array(index, element) = *self.pool.sort(sort) else {
            return self.unsupported("equality of maps");
        };
        if self.is_lazy(index) {
            return self.unsupported("arrays indexed by large arrays");
        }
        if polarity == Polarity::Negative {
            let number = self.vars.len() as u32;
            let at = self.variable(Origin::Difference(number), index);
            return self.equal_at(a, b, at, element, polarity);
        }
        let few = self.calls.size(index).is_some_and(|size| size <= INDICES);
        let Some(indices) = few.then(|| self.calls.members(index)).flatten() else {
            return self.unsupported("equality of arrays with many indices");
        };
        let mut parts = vec![];
        for code in indices {
            let at = self.graph.constant_node(code, index);
            parts.push(self.equal_at(a, b, at, element, polarity)?);
        }
        Ok(self.graph.and(&parts))
    }

    fn equal_at(
        &mut self,
        a: ArrId,
        b: ArrId,
        at: NodeId,
        element: SortId,
        polarity: Polarity,
    ) -> Lowered<NodeId> {
        let (x, y) = (self.read(a, at, element)?, self.read(b, at, element)?);
        self.equal_low(&x, &y, element, polarity)
    }
}
