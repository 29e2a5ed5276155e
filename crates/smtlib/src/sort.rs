//! Sorts: interned, so that two equal sorts are the same `SortId`.
//!
//! The six sorts without parameters have fixed ids in every pool. `define-sort` is a macro: its sorts are
//! expanded when they are read, so no later stage has to know about aliases.

use crate::symbol::Symbol;

/// An interned sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortId(pub u32);

impl SortId {
    pub const BOOL: SortId = SortId(0);
    pub const INT: SortId = SortId(1);
    pub const REAL: SortId = SortId(2);
    pub const STRING: SortId = SortId(3);
    pub const REGLAN: SortId = SortId(4);
    pub const ROUNDING_MODE: SortId = SortId(5);
}

/// A declared sort symbol: `declare-sort` or a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortDeclId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Bool,
    Int,
    Real,
    String,
    RegLan,
    RoundingMode,
    BitVec(u32),
    Float {
        eb: u32,
        sb: u32,
    },
    Array(SortId, SortId),
    Seq(SortId),
    /// z3's arrays of several dimensions: the indices, then the element.
    MultiArray(Box<[SortId]>),
    /// cvc5's sets; z3 reads the same name as an array to Bool.
    Set(SortId),
    /// z3's finite sets.
    FiniteSet(SortId),
    Bag(SortId),
    /// The order is a prime, kept in decimal.
    Field(Symbol),
    Tuple(Box<[SortId]>),
    Nullable(SortId),
    /// z3's characters.
    Char,
    /// Functions as values: arguments, then the result.
    Fun(Box<[SortId]>),
    /// A sort or datatype that the script declares.
    Declared(SortDeclId, Box<[SortId]>),
    /// A sort parameter inside a parametric declaration.
    Param(Symbol),
}

impl Sort {
    /// The sorts that it consists of, in order.
    pub fn parts(&self) -> Vec<SortId> {
        match self {
            Sort::Array(index, element) => vec![*index, *element],
            Sort::Seq(part)
            | Sort::Set(part)
            | Sort::FiniteSet(part)
            | Sort::Bag(part)
            | Sort::Nullable(part) => {
                vec![*part]
            }
            Sort::MultiArray(parts) | Sort::Tuple(parts) | Sort::Fun(parts) | Sort::Declared(_, parts) => {
                parts.to_vec()
            }
            _ => vec![],
        }
    }
}
