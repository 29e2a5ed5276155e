//! Values: the exact meaning of closed terms of each sort.
//!
//! There is one file per kind of value; each handles only numbers, bits or characters and does not depend on terms.
//! `Value` is their sum type. Equality, order and hash of a `Value` are structural and total, never recurse on the
//! depth of a value, and never walk a shared part twice (`compound`, `order`). For most sorts structural equality is
//! the sort's own equality; where it is not (regular languages, reals known only by an enclosure, functions given by a
//! body) `eval` decides or returns unknown.
//!
//! Arrays are kept canonical by the evaluator (see `ArrayValue`), so that extensional equality is structural.

pub mod algebraic;
pub mod bitvec;
pub mod compound;
pub mod enclosed;
pub mod factor;
mod fixed;
pub mod float;
pub mod int;
pub mod interval;
pub(crate) mod order;
pub mod polynomial;
pub mod rational;
pub mod real;
pub mod regex;
pub mod sequence;
pub mod show;
pub mod text;
pub mod transcendental;

use bitvec::BitVec;
use compound::{Compound, Shared};
use enclosed::Enclosed;
use float::{Float, RoundingMode};
use int::Int;
use real::Real;
use regex::Regex;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{BindersId, DeclId, IndicesId, TermId};
use smtlib::theory::OpId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use text::Text;

/// The value of a closed term. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Value {
    Bool(bool),
    Int(Int),
    Real(Real),
    /// A real number without an exact form, such as `(sin 1.0)`.
    Enclosed(Arc<Enclosed>),
    BitVec(BitVec),
    Float(Float),
    RoundingMode(RoundingMode),
    String(Text),
    RegLan(Regex),
    /// z3's characters.
    Char(u32),
    /// Arrays, and functions as values: both are maps.
    Array(Shared<ArrayValue>),
    Seq(Shared<Box<[Value]>>),
    Set(Shared<BTreeSet<Value>>),
    /// Each element with its number of occurrences, at least one.
    Bag(Shared<BTreeMap<Value, Int>>),
    /// An element of a prime field: the number, below the order, and the order.
    Field(Arc<(Int, Int)>),
    Datatype(Shared<DatatypeValue>),
    Tuple(Shared<Box<[Value]>>),
    Nullable(Option<Shared<Value>>),
    /// An element of a declared sort, known by its name only.
    Abstract {
        sort: SortId,
        name: Symbol,
    },
    /// An arbitrary value that differs from every value it has been compared with. It is used while a quantifier, a
    /// function body or a free choice is examined, and never occurs in a result.
    Generic(u32),
}

/// A map: a base and the keys where it differs from the base.
///
/// With a constant base it is canonical: no exception equals the base, and over a finite index space the base is the
/// most frequent value (the least such value if there are several), so that equal maps have equal representations.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    /// The sorts of the indices; a key of several indices is a tuple.
    pub index: Arc<[SortId]>,
    pub base: Base,
    pub exceptions: BTreeMap<Value, Value>,
    /// Whether the representation is unique: its base is constant, and the number of keys is known.
    pub canonical: bool,
}

#[derive(Clone, Debug)]
pub enum Base {
    Constant(Value),
    /// Computed on demand.
    Closure(Closure),
}

/// A function given by code to run, with the arguments it already has.
#[derive(Clone, Debug)]
pub struct Closure {
    pub code: Code,
    pub given: Vec<Value>,
}

#[derive(Clone, Debug)]
pub enum Code {
    /// A lambda with the values of the variables around it.
    Lambda { binders: BindersId, body: TermId, captured: Arc<[(Symbol, Value)]> },
    /// A function of the script.
    Function(DeclId),
    /// An operator, with the sort of its result.
    Operator { op: OpId, indices: IndicesId, result: SortId },
}

/// The code of a function without the values in it.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Shape {
    Lambda(BindersId, TermId, Vec<Symbol>),
    Function(DeclId),
    Operator(OpId, IndicesId, SortId),
}

impl Code {
    fn captured(&self) -> &[(Symbol, Value)] {
        match self {
            Code::Lambda { captured, .. } => captured,
            Code::Function(_) | Code::Operator { .. } => &[],
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Code::Lambda { binders, body, captured } => {
                Shape::Lambda(*binders, *body, captured.iter().map(|(name, _)| *name).collect())
            }
            Code::Function(decl) => Shape::Function(*decl),
            Code::Operator { op, indices, result } => Shape::Operator(*op, *indices, *result),
        }
    }
}

/// A constructor applied.
pub struct DatatypeValue {
    constructor: DeclId,
    args: Box<[Value]>,
}

impl DatatypeValue {
    pub fn constructor(&self) -> DeclId {
        self.constructor
    }

    pub fn args(&self) -> &[Value] {
        &self.args
    }
}

impl Value {
    pub fn datatype(constructor: DeclId, args: Vec<Value>) -> Value {
        Value::Datatype(Compound::share(DatatypeValue { constructor, args: args.into() }))
    }

    pub fn seq(parts: impl Into<Box<[Value]>>) -> Value {
        Value::Seq(Compound::share(parts.into()))
    }

    pub fn tuple(parts: impl Into<Box<[Value]>>) -> Value {
        Value::Tuple(Compound::share(parts.into()))
    }

    pub fn set(elements: BTreeSet<Value>) -> Value {
        Value::Set(Compound::share(elements))
    }

    /// Every count must be at least one.
    pub fn bag(counts: BTreeMap<Value, Int>) -> Value {
        Value::Bag(Compound::share(counts))
    }

    pub fn array(array: ArrayValue) -> Value {
        Value::Array(Compound::share(array))
    }

    pub fn some(value: Value) -> Value {
        Value::Nullable(Some(Compound::share(value)))
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    #[inline]
    pub fn is_generic(&self) -> bool {
        matches!(self, Value::Generic(_))
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<Int> for Value {
    fn from(n: Int) -> Value {
        Value::Int(n)
    }
}

impl From<Real> for Value {
    fn from(r: Real) -> Value {
        Value::Real(r)
    }
}

impl From<BitVec> for Value {
    fn from(b: BitVec) -> Value {
        Value::BitVec(b)
    }
}

impl From<Float> for Value {
    fn from(f: Float) -> Value {
        Value::Float(f)
    }
}

impl From<Text> for Value {
    fn from(s: Text) -> Value {
        Value::String(s)
    }
}

impl From<Regex> for Value {
    fn from(r: Regex) -> Value {
        Value::RegLan(r)
    }
}
