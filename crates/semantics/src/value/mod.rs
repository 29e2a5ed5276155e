//! Values: what a closed term of each sort can mean, exactly.
//!
//! One file per kind of value; each knows only numbers, bits or characters and nothing of terms. `Value` is
//! their sum. Equality, order and hash of a `Value` are structural, total and never recurse on the depth of a
//! datatype value. For most sorts structural equality is the sort's own equality; where it is not (regular
//! languages, reals known only by enclosure, functions given by a body) `eval` decides or says unknown.
//!
//! Arrays are kept canonical by the evaluator (see `ArrayValue`), so that extensional equality is structural.

pub mod algebraic;
pub mod bitvec;
pub mod enclosed;
pub mod factor;
mod fixed;
pub mod float;
pub mod int;
pub mod interval;
mod order;
pub mod polynomial;
pub mod rational;
pub mod real;
pub mod regex;
pub mod sequence;
pub mod show;
pub mod text;
pub mod transcendental;

use bitvec::BitVec;
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

/// What a closed term means. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Value {
    Bool(bool),
    Int(Int),
    Real(Real),
    /// A real number without exact form, such as `(sin 1.0)`.
    Enclosed(Arc<Enclosed>),
    BitVec(BitVec),
    Float(Float),
    RoundingMode(RoundingMode),
    String(Text),
    RegLan(Regex),
    /// z3's characters.
    Char(u32),
    /// Arrays, and functions as values: both are maps.
    Array(Arc<ArrayValue>),
    Seq(Arc<[Value]>),
    Set(Arc<BTreeSet<Value>>),
    /// Each element with how often it occurs, at least once.
    Bag(Arc<BTreeMap<Value, Int>>),
    /// An element of a prime field: the number, below the order, and the order.
    Field(Arc<(Int, Int)>),
    Datatype(Arc<DatatypeValue>),
    Tuple(Arc<[Value]>),
    Nullable(Option<Arc<Value>>),
    /// An element of a declared sort, known by its name only.
    Abstract {
        sort: SortId,
        name: Symbol,
    },
    /// An arbitrary value unlike every one it has been compared with. It exists while a quantifier, a function
    /// body or a free choice is examined, and never in a result.
    Generic(u32),
}

/// A map: a base and the places where it differs from it.
///
/// With a constant base it is canonical: no exception equals the base, and over a finite index space the base
/// is the value taken most often (the least such value if several are), so that equal maps look equal.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    /// The sorts of the indices; a key of several indices is a tuple.
    pub index: Arc<[SortId]>,
    pub base: Base,
    pub exceptions: BTreeMap<Value, Value>,
}

#[derive(Clone, Debug)]
pub enum Base {
    Constant(Value),
    /// Computed on demand.
    Closure(Closure),
}

/// A function given by something to run, with the arguments it has already got.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Closure {
    pub code: Code,
    pub given: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A lambda with the values of the variables around it.
    Lambda { binders: BindersId, body: TermId, captured: Arc<[(Symbol, Value)]> },
    /// A function of the script.
    Function(DeclId),
    /// An operator, with the sort of its result.
    Operator { op: OpId, indices: IndicesId, result: SortId },
}

/// A constructor applied.
pub struct DatatypeValue {
    constructor: DeclId,
    args: Box<[Value]>,
    hash: u64,
}

impl DatatypeValue {
    pub fn new(constructor: DeclId, args: Box<[Value]>) -> DatatypeValue {
        let hash = order::datatype_hash(constructor, &args);
        DatatypeValue { constructor, args, hash }
    }

    pub fn constructor(&self) -> DeclId {
        self.constructor
    }

    pub fn args(&self) -> &[Value] {
        &self.args
    }
}

impl std::fmt::Debug for DatatypeValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Not its arguments: they may be nested without bound.
        write!(f, "Datatype({:?}, {} arguments)", self.constructor, self.args.len())
    }
}

/// Takes a value apart on the heap, so that dropping a long list needs no stack.
impl Drop for DatatypeValue {
    fn drop(&mut self) {
        let mut waiting: Vec<Value> = std::mem::take(&mut self.args).into_vec();
        while let Some(mut value) = waiting.pop() {
            match &mut value {
                Value::Datatype(inner) => {
                    if let Some(inner) = Arc::get_mut(inner) {
                        waiting.append(&mut std::mem::take(&mut inner.args).into_vec());
                    }
                }
                Value::Seq(parts) | Value::Tuple(parts) => {
                    if let Some(parts) = Arc::get_mut(parts) {
                        waiting.extend(parts.iter_mut().map(|p| std::mem::replace(p, Value::Bool(false))));
                    }
                }
                _ => {}
            }
        }
    }
}

impl Value {
    pub fn datatype(constructor: DeclId, args: Vec<Value>) -> Value {
        Value::Datatype(Arc::new(DatatypeValue::new(constructor, args.into())))
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

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
