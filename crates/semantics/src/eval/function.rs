//! Functions as values: explicit application.

use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;

pub(super) const FUNCTIONS: Functions = &[("fun_apply", fun_apply)];

fn fun_apply(cx: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let (function, args) = args.split_first().ok_or(Unknown::Generic)?;
    cx.eval.apply_value(function, args.to_vec())
}
