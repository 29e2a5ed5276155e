//! FiniteFields: arithmetic modulo a prime.

use super::table::Functions;
use super::{Cx, Outcome, Unknown};
use crate::value::Value;
use crate::value::int::Int;
use std::sync::Arc;

pub(super) const FUNCTIONS: Functions =
    &[("ff_add", ff_add), ("ff_mul", ff_mul), ("ff_neg", ff_neg), ("ff_bitsum", ff_bitsum)];

fn reduced(number: Int, order: &Int) -> Outcome {
    let number = number.modulo(order).ok_or(Unknown::TooLarge)?;
    Ok(Value::Field(Arc::new((number, order.clone()))))
}

with_context! {
    ff_add(_cx, _args, Field(a), Field(b)) => reduced(&a.0 + &b.0, &a.1);
    ff_mul(_cx, _args, Field(a), Field(b)) => reduced(&a.0 * &b.0, &a.1);
    ff_neg(_cx, _args, Field(a)) => reduced(-&a.0, &a.1);
}

/// The first argument has weight 1, the second 2, the third 4, …
fn ff_bitsum(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    let mut sum = Int::ZERO;
    let mut order = None;
    for arg in args.iter().rev() {
        let Value::Field(a) = arg else { return Err(Unknown::Generic) };
        sum = (&(&sum + &sum) + &a.0).modulo(&a.1).ok_or(Unknown::TooLarge)?;
        order = Some(&a.1);
    }
    reduced(sum, order.ok_or(Unknown::Generic)?)
}
