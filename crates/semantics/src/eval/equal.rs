//! `=`: whether two values of one sort are the same.
//!
//! Structure decides for nearly all sorts. It does not for regular languages (derivatives decide), for reals
//! known by enclosure (intervals decide, or do not) and for functions given by a body (compared at the places
//! where they might differ, or over the whole of a small index space). What cannot be decided is unknown.
//!
//! An arbitrary value is different from everything it is compared with; what that was is written down, so that
//! whoever made it can look at those values one by one.

use super::{Evaluator, Outcome, Unknown};
use crate::value::enclosed::Enclosed;
use crate::value::{ArrayValue, Base, Value};
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Evaluator<'_> {
    /// Whether two values are the same.
    pub(super) fn same(&mut self, a: &Value, b: &Value) -> Result<bool, Unknown> {
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
            (Value::RegLan(a), Value::RegLan(b)) => self.regex.equal(a, b).map_err(|_| Unknown::Regex),
            (Value::Enclosed(_), _) | (_, Value::Enclosed(_)) => {
                compare_reals(a, b).map(Ordering::is_eq).ok_or(Unknown::Undecided)
            }
            (Value::Set(set), Value::Array(array)) | (Value::Array(array), Value::Set(set)) => {
                let set = self.set_as_array(set, array.index.clone());
                self.same_arrays(&set, array)
            }
            (Value::Array(a), Value::Array(b)) => self.same_arrays(a, b),
            (Value::Tuple(a), Value::Tuple(b)) | (Value::Seq(a), Value::Seq(b)) => self.same_lists(a, b),
            _ if a == b => Ok(true),
            _ if is_plain_pair(a, b) => Ok(false),
            _ => Err(Unknown::Function),
        }
    }

    fn same_lists(&mut self, a: &[Value], b: &[Value]) -> Result<bool, Unknown> {
        if a.len() != b.len() {
            return Ok(false);
        }
        let mut unknown = None;
        for (a, b) in a.iter().zip(b) {
            match self.same(a, b) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(reason) => unknown = Some(reason),
            }
        }
        unknown.map_or(Ok(true), Err)
    }

    fn same_arrays(&mut self, a: &Arc<ArrayValue>, b: &Arc<ArrayValue>) -> Result<bool, Unknown> {
        let (left, right) = (Value::Array(a.clone()), Value::Array(b.clone()));
        if left == right {
            return Ok(true);
        }
        let constant = |array: &ArrayValue| matches!(array.base, Base::Constant(_));
        if constant(a) && constant(b) && is_plain_pair(&left, &right) && self.is_sized(&a.index) {
            return Ok(false);
        }
        self.nested_same(&left, &right, a, b)
    }

    /// Whether it is known how many keys there are, so that a map has one canonical form.
    fn is_sized(&mut self, index: &[SortId]) -> bool {
        index.iter().all(|&sort| self.size(sort).is_some() || self.is_vast(sort))
    }

    /// A set as the map that z3 takes it for.
    pub(super) fn set_as_array(&mut self, set: &BTreeSet<Value>, index: Arc<[SortId]>) -> Arc<ArrayValue> {
        let members = set.iter().map(|element| (element.clone(), Value::Bool(true))).collect();
        match self.map(index, Value::Bool(false), members) {
            Value::Array(array) => array,
            _ => unreachable!("a map is an array"),
        }
    }

    /// Looks for a place where two maps differ.
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

    pub(super) fn all_distinct(&mut self, args: &[Value]) -> Outcome {
        if args.len() > 8 && args.iter().all(|arg| is_plain(arg) && !mentions(arg, is_map)) {
            let set: std::collections::BTreeSet<&Value> = args.iter().collect();
            return Ok(Value::Bool(set.len() == args.len()));
        }
        let mut unknown = None;
        for (n, a) in args.iter().enumerate() {
            for b in &args[n + 1..] {
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

/// How two reals compare, if that can be found out.
pub(super) fn compare_reals(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Real(a), Value::Real(b)) => Some(a.cmp(b)),
        _ => enclosed(a)?.compare(&*enclosed(b)?),
    }
}

/// Whether structural difference means difference, all through the value.
pub(super) fn is_plain(value: &Value) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::RegLan(_) | Value::Enclosed(_) | Value::Generic(_) => return false,
            Value::Array(array) => {
                let Base::Constant(base) = &array.base else { return false };
                waiting.push(base);
            }
            _ => {}
        }
        push_parts(value, &mut waiting);
    }
    true
}

/// Whether structural difference of two values means difference. One set can be a set in one of them and a map in the
/// other, and then it does not.
fn is_plain_pair(a: &Value, b: &Value) -> bool {
    let is_set = |value: &Value| matches!(value, Value::Set(_));
    let mixed = |a, b| mentions(a, is_set) && mentions(b, is_map);
    is_plain(a) && is_plain(b) && !mixed(a, b) && !mixed(b, a)
}

fn is_map(value: &Value) -> bool {
    matches!(value, Value::Array(_))
}

/// Whether an element of a declared sort occurs that is not among these: made up, or another model's.
pub(super) fn mentions_stranger(value: &Value, own: &BTreeSet<Symbol>) -> bool {
    mentions(value, |value| matches!(value, Value::Abstract { name, .. } if !own.contains(name)))
}

/// The values that a value is made of; of an array, what differs from its base.
fn push_parts<'v>(value: &'v Value, waiting: &mut Vec<&'v Value>) {
    match value {
        Value::Array(array) => waiting.extend(array.exceptions.iter().flat_map(|(k, v)| [k, v])),
        Value::Seq(parts) | Value::Tuple(parts) => waiting.extend(parts.iter()),
        Value::Set(parts) => waiting.extend(parts.iter()),
        Value::Bag(parts) => waiting.extend(parts.keys()),
        Value::Datatype(data) => waiting.extend(data.args()),
        Value::Nullable(Some(inner)) => waiting.push(inner),
        _ => {}
    }
}

/// Whether an arbitrary value occurs in a value.
pub(super) fn mentions_generic(value: &Value) -> bool {
    mentions(value, |value| matches!(value, Value::Generic(_)))
}

fn mentions(value: &Value, what: impl Fn(&Value) -> bool) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if what(value) {
            return true;
        }
        if let Value::Array(array) = value {
            match &array.base {
                Base::Constant(base) => waiting.push(base),
                Base::Closure(closure) => {
                    waiting.extend(&closure.given);
                    if let crate::value::Code::Lambda { captured, .. } = &closure.code {
                        waiting.extend(captured.iter().map(|(_, value)| value));
                    }
                }
            }
        }
        push_parts(value, &mut waiting);
    }
    false
}
