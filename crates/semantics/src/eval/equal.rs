//! `=`: decides whether two values of one sort are equal.
//!
//! For almost all sorts, structural equality decides. It does not decide for regular languages (derivatives do), for
//! reals known by an enclosure (intervals do, or the result is unknown), for functions given by a body (compared at
//! the arguments where they might differ, or over the whole of a small index space), and for maps over a declared sort
//! whose elements the model does not list: two different tables may cover the whole sort and be the same map. If
//! equality cannot be decided, the result is unknown.
//!
//! An arbitrary value is different from everything it is compared with. The compared values are recorded, so that the
//! code that made it can try those values one by one.

use super::{Evaluator, Outcome, Unknown};
use crate::value::compound::{ABSTRACT, GENERIC, HAS_MAP, HAS_SET, NOT_PLAIN, Shared};
use crate::value::enclosed::Enclosed;
use crate::value::{ArrayValue, Base, Value};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Evaluator<'_> {
    /// Whether two values are equal.
    pub(crate) fn same(&mut self, a: &Value, b: &Value) -> Result<bool, Unknown> {
        match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
            (Value::Int(a), Value::Int(b)) => Ok(a == b),
            (Value::BitVec(a), Value::BitVec(b)) => Ok(a == b),
            (Value::Real(a), Value::Real(b)) => Ok(a == b),
            (Value::String(a), Value::String(b)) => Ok(a == b),
            (Value::Generic(m), Value::Generic(n)) if m == n => Ok(true),
            (Value::Generic(m), Value::Generic(n)) => {
                let (older, younger) = if m < n { (a, *n) } else { (b, *m) };
                self.generics[younger as usize].insert(older.clone());
                Ok(false)
            }
            (Value::Generic(n), other) | (other, Value::Generic(n)) => {
                if mentions_generic(other) {
                    return Err(Unknown::Generic);
                }
                self.generics[*n as usize].insert(other.clone());
                Ok(false)
            }
            (Value::RegLan(a), Value::RegLan(b)) => self.ask_regex(|pool| pool.equal(a, b)),
            (Value::Enclosed(_), _) | (_, Value::Enclosed(_)) => {
                compare_reals(a, b).map(Ordering::is_eq).ok_or(Unknown::Undecided)
            }
            (Value::Set(set), Value::Array(array)) | (Value::Array(array), Value::Set(set)) => {
                let set = self.set_as_array(set, array.index.clone());
                self.same_arrays(&set, array)
            }
            (Value::Array(a), Value::Array(b)) => self.same_arrays(a, b),
            _ if a == b => Ok(true),
            _ if is_plain_pair(a, b) => Ok(false),
            (Value::Tuple(_) | Value::Seq(_) | Value::Datatype(_) | Value::Nullable(_), _) => {
                self.same_parts(a, b)
            }
            _ => Err(Unknown::Function),
        }
    }

    /// Compares structured values part by part. An undecided part matters only if no other part differs.
    fn same_parts(&mut self, a: &Value, b: &Value) -> Result<bool, Unknown> {
        let mut waiting = vec![(a, b)];
        let mut unknown = None;
        while let Some((a, b)) = waiting.pop() {
            self.budget.spend(1)?;
            let (a, b): (&[Value], &[Value]) = match (a, b) {
                (Value::Tuple(a), Value::Tuple(b)) | (Value::Seq(a), Value::Seq(b)) => (a, b),
                (Value::Datatype(a), Value::Datatype(b)) if a.constructor() != b.constructor() => {
                    return Ok(false);
                }
                (Value::Datatype(a), Value::Datatype(b)) => (a.args(), b.args()),
                (Value::Nullable(a), Value::Nullable(b)) => (parts(a), parts(b)),
                _ => match self.same(a, b) {
                    Ok(true) => continue,
                    Ok(false) => return Ok(false),
                    Err(reason) => {
                        unknown = Some(reason);
                        continue;
                    }
                },
            };
            if a.len() != b.len() {
                return Ok(false);
            }
            waiting.extend(a.iter().zip(b));
        }
        unknown.map_or(Ok(true), Err)
    }

    fn same_arrays(&mut self, a: &Shared<ArrayValue>, b: &Shared<ArrayValue>) -> Result<bool, Unknown> {
        let (left, right) = (Value::Array(a.clone()), Value::Array(b.clone()));
        if left == right {
            return Ok(true);
        }
        if is_plain_pair(&left, &right) {
            return Ok(false);
        }
        if let (Base::Constant(x), Base::Constant(y)) = (&a.base, &b.base)
            && a.exceptions.is_empty()
            && b.exceptions.is_empty()
        {
            // Every sort has an element, so they differ there or nowhere.
            return self.same(x, y);
        }
        self.nested_same(&left, &right, a, b)
    }

    /// Whether the number of keys is known, so that a map has one canonical form.
    pub(super) fn is_sized(&mut self, index: &[SortId]) -> bool {
        index.iter().all(|&sort| match self.sized.get(&sort) {
            Some(&known) => known,
            None => {
                let sized = self.size(sort).is_some() || self.is_vast(sort);
                self.sized.insert(sort, sized);
                sized
            }
        })
    }

    /// A set as the map that z3 uses for it.
    pub(super) fn set_as_array(&mut self, set: &BTreeSet<Value>, index: Arc<[SortId]>) -> Shared<ArrayValue> {
        let members = set.iter().map(|element| (element.clone(), Value::Bool(true))).collect();
        match self.map(index, Value::Bool(false), members) {
            Value::Array(array) => array,
            _ => unreachable!("a map is an array"),
        }
    }

    /// Looks for an index where two maps differ.
    fn nested_same(
        &mut self,
        left: &Value,
        right: &Value,
        a: &ArrayValue,
        b: &ArrayValue,
    ) -> Result<bool, Unknown> {
        let outcome = self.nested(|eval| {
            let whole = eval.keys(&a.index);
            let keys: Vec<Value> = match &whole {
                Some(keys) => keys.to_vec(),
                None => a.exceptions.keys().chain(b.exceptions.keys()).cloned().collect(),
            };
            let mut unknown = None;
            for key in keys {
                eval.budget.spend(1)?;
                let (x, y) = (eval.at_key(left, &key), eval.at_key(right, &key));
                match x.and_then(|x| y.and_then(|y| eval.same(&x, &y))) {
                    Ok(false) => return Ok(Value::Bool(false)),
                    Ok(true) => {}
                    Err(reason) => unknown = Some(reason),
                }
            }
            match unknown {
                Some(reason) => Err(reason),
                None if whole.is_some() => Ok(Value::Bool(true)),
                None => Err(Unknown::Function),
            }
        });
        outcome.map(|value| value == Value::Bool(true))
    }

    pub(super) fn all_equal(&mut self, args: &[Value]) -> Outcome {
        if let [a, b] = args {
            return self.same(a, b).map(Value::Bool);
        }
        let mut unknown = None;
        for pair in args.windows(2) {
            match self.same(&pair[0], &pair[1]) {
                Ok(true) => {}
                Ok(false) => return Ok(Value::Bool(false)),
                Err(reason) => unknown = Some(reason),
            }
        }
        unknown.map_or(Ok(Value::Bool(true)), Err)
    }

    /// Structure distinguishes most pairs, so values are first compared by structure: plain values need nothing else,
    /// and all others are compared with every value.
    pub(super) fn all_distinct(&mut self, args: &[Value]) -> Outcome {
        if args.len() > 8 {
            self.budget.spend(args.len() as u64)?;
            let mut marks = 0;
            let mut seen: HashSet<&Value, FxBuildHasher> = HashSet::default();
            for arg in args {
                marks |= arg.marks();
                // Equal structure means equal values.
                if !seen.insert(arg) {
                    return Ok(Value::Bool(false));
                }
            }
            if marks & (NOT_PLAIN | HAS_MAP) == 0 {
                return Ok(Value::Bool(true));
            }
        }
        let mut unknown = None;
        for (n, a) in args.iter().enumerate() {
            for b in &args[n + 1..] {
                self.budget.spend(1)?;
                match self.same(a, b) {
                    Ok(false) => {}
                    Ok(true) => return Ok(Value::Bool(false)),
                    Err(reason) => unknown = Some(reason),
                }
            }
        }
        unknown.map_or(Ok(Value::Bool(true)), Err)
    }
}

/// A real number as an expression that can be enclosed.
pub(super) fn enclosed(value: &Value) -> Option<Arc<Enclosed>> {
    match value {
        Value::Real(r) => Some(Enclosed::known(r.clone())),
        Value::Enclosed(e) => Some(e.clone()),
        _ => None,
    }
}

/// The order of two reals, if it can be determined.
pub(super) fn compare_reals(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Real(a), Value::Real(b)) => a.compare(b).ok(),
        _ => enclosed(a)?.compare(&*enclosed(b)?),
    }
}

/// Whether structural difference means difference for the whole value.
#[inline]
pub(super) fn is_plain(value: &Value) -> bool {
    value.marks() & NOT_PLAIN == 0
}

fn parts(inner: &Option<Shared<Value>>) -> &[Value] {
    inner.as_ref().map_or(&[], |value| std::slice::from_ref(&**value))
}

/// Whether structural difference of two values means difference. A set may be represented as a set in one of them and
/// as a map in the other; then it does not.
fn is_plain_pair(a: &Value, b: &Value) -> bool {
    let mixed = |a: u8, b: u8| a & HAS_SET != 0 && b & HAS_MAP != 0;
    let (a, b) = (a.marks(), b.marks());
    (a | b) & NOT_PLAIN == 0 && !mixed(a, b) && !mixed(b, a)
}

/// Whether an element of a declared sort occurs that is not among these: an invented one, or one of another model.
pub(crate) fn mentions_stranger(value: &Value, own: &BTreeSet<Symbol>) -> bool {
    value.mentions(ABSTRACT, |value| matches!(value, Value::Abstract { name, .. } if !own.contains(name)))
}

/// Whether an arbitrary value occurs in a value.
#[inline]
pub(super) fn mentions_generic(value: &Value) -> bool {
    value.marks() & GENERIC != 0
}
