//! Datatypes, tuples and nullables.
//!
//! A selector on a value of another constructor is an open point of that selector and value. An update of a field that
//! the value does not have does not change the value.

use super::table::Functions;
use super::{Cx, Evaluator, Family, Outcome, Unknown};
use crate::value::{Code, Value};
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{DeclId, Index, Role};

pub(super) const FUNCTIONS: Functions = &[
    ("dt_is", dt_is),
    ("dt_update", dt_update),
    ("tuple_unit", |_, _| Ok(Value::tuple([]))),
    ("tuple_make", |_, args| Ok(Value::tuple(args))),
    ("tuple_select", tuple_select),
    ("tuple_update", tuple_update),
    ("tuple_project", tuple_project),
    ("nullable_null", |_, _| Ok(Value::Nullable(None))),
    ("nullable_some", |_, args| Ok(Value::some(args[0].clone()))),
    ("nullable_val", nullable_val),
    ("nullable_is_null", |_, args| Ok(Value::Bool(args[0] == Value::Nullable(None)))),
    ("nullable_is_some", |_, args| Ok(Value::Bool(args[0] != Value::Nullable(None)))),
    ("nullable_lift", nullable_lift),
];

impl Evaluator<'_> {
    /// Applies a constructor or a selector to a value of the sort `of`, where that is known.
    pub(super) fn structure(
        &mut self,
        decl: DeclId,
        args: &[Value],
        sort: SortId,
        of: Option<SortId>,
    ) -> Outcome {
        if args.iter().any(Value::is_generic) {
            return Err(Unknown::Generic);
        }
        match self.pool.decl(decl).role {
            Role::Constructor { datatype, .. } => {
                if self.pool.sort_decl(datatype).datatype.as_ref().is_some_and(|d| d.coinductive) {
                    return Err(Unknown::Coinductive);
                }
                self.made(Ok(Value::datatype(decl, args.to_vec())))
            }
            Role::Selector { constructor, field, .. } => {
                let [Value::Datatype(data)] = args else { return Err(Unknown::Generic) };
                match data.args().get(field as usize) {
                    Some(value) if data.constructor() == constructor => Ok(value.clone()),
                    // One selector of a parametric datatype is a function for each instance. The value alone does not
                    // say which: `none` is in all of them.
                    _ if self.is_settled(decl) => self.open(Family::Selector(decl, None), args, sort, None),
                    _ if of.is_some() => self.open(Family::Selector(decl, of), args, sort, None),
                    _ => Err(Unknown::Function),
                }
            }
            _ => Err(Unknown::Generic),
        }
    }

    /// Whether the sort of a selector's value says which instance of the datatype is meant.
    fn is_settled(&self, selector: DeclId) -> bool {
        let Role::Selector { datatype, .. } = self.pool.decl(selector).role else { return false };
        let Some(datatype) = &self.pool.sort_decl(datatype).datatype else { return false };
        let result = self.pool.decl(selector).result;
        let occurs = |&param: &Symbol| self.pool.instance(result, &[param], &[SortId::BOOL]) != Some(result);
        datatype.params.iter().all(occurs)
    }

    pub(super) fn is_made_by(&self, constructor: DeclId, args: &[Value]) -> Outcome {
        match args {
            [Value::Datatype(data)] => Ok(Value::Bool(data.constructor() == constructor)),
            _ => Err(Unknown::Generic),
        }
    }

    pub(super) fn update_field(&self, selector: DeclId, args: &[Value]) -> Outcome {
        let [Value::Datatype(data), value] = args else { return Err(Unknown::Generic) };
        let Role::Selector { constructor, field, .. } = self.pool.decl(selector).role else {
            return Err(Unknown::Generic);
        };
        if value.is_generic() {
            return Err(Unknown::Generic);
        }
        if data.constructor() != constructor {
            return Ok(args[0].clone());
        }
        let mut fields = data.args().to_vec();
        fields[field as usize] = value.clone();
        self.made(Ok(Value::datatype(constructor, fields)))
    }
}

/// The functions that an index names.
fn named(cx: &mut Cx<'_, '_>) -> Vec<DeclId> {
    match cx.eval.pool.index_list(cx.indices).first() {
        Some(Index::Text(name)) => cx.eval.declared_as(*name),
        Some(Index::Fun(decl)) => vec![*decl],
        _ => vec![],
    }
}

fn dt_is(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let names = named(cx);
    match args {
        [Value::Datatype(data)] => Ok(Value::Bool(names.contains(&data.constructor()))),
        _ => Err(Unknown::Generic),
    }
}

fn dt_update(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [Value::Datatype(data), _] = args else { return Err(Unknown::Generic) };
    let datatype = match cx.eval.pool.decl(data.constructor()).role {
        Role::Constructor { datatype, .. } => datatype,
        _ => return Err(Unknown::Generic),
    };
    let selector = named(cx).into_iter().find(
        |&decl| matches!(cx.eval.pool.decl(decl).role, Role::Selector { datatype: d, .. } if d == datatype),
    );
    cx.eval.update_field(selector.ok_or(Unknown::Function)?, args)
}

fn tuple_select(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [Value::Tuple(parts)] = args else { return Err(Unknown::Generic) };
    parts.get(cx.index(0)? as usize).cloned().ok_or(Unknown::TooLarge)
}

fn tuple_update(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [Value::Tuple(parts), value] = args else { return Err(Unknown::Generic) };
    let mut parts = parts.to_vec();
    *parts.get_mut(cx.index(0)? as usize).ok_or(Unknown::TooLarge)? = value.clone();
    Ok(Value::tuple(parts))
}

fn tuple_project(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let [tuple] = args else { return Err(Unknown::Generic) };
    project(tuple, &cx.all_indices()?)
}

/// The tuple of some columns.
pub(super) fn project(tuple: &Value, columns: &[u64]) -> Outcome {
    let Value::Tuple(parts) = tuple else { return Err(Unknown::Generic) };
    let chosen: Option<Vec<Value>> = columns.iter().map(|&n| parts.get(n as usize).cloned()).collect();
    Ok(Value::tuple(chosen.ok_or(Unknown::TooLarge)?))
}

fn nullable_val(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    match args {
        [Value::Nullable(Some(value))] => Ok(Value::clone(value)),
        [Value::Nullable(None)] => cx.open(args),
        _ => Err(Unknown::Generic),
    }
}

fn nullable_lift(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let index = cx.eval.pool.index_list(cx.indices).first().copied();
    let (function, args) = match (index, args.split_first()) {
        (None, Some((function, rest))) => (Some(function), rest),
        _ => (None, args),
    };
    let mut inner = vec![];
    for arg in args {
        match arg {
            Value::Nullable(Some(value)) => inner.push(Value::clone(value)),
            Value::Nullable(None) => return Ok(Value::Nullable(None)),
            _ => return Err(Unknown::Generic),
        }
    }
    let value = match (function, index) {
        (Some(function), _) => cx.eval.apply_value(function, inner)?,
        (None, Some(index)) => {
            let result = cx.element_sort().ok_or(Unknown::NoValue(cx.sort))?;
            let code: Code = cx.eval.indexed_function(index, inner.len(), result)?;
            cx.eval.apply_code(&code, inner)?
        }
        (None, None) => return Err(Unknown::Function),
    };
    Ok(Value::some(value))
}
