//! Binds the rows of the theory tables to evaluation functions, once.
//!
//! Each theory's file lists its functions under the names that `:eval` uses. Here every row gets its function and the
//! way to reduce more than two arguments to it, so that an application is one indexed load. Rows without a function
//! are listed by `unevaluated`, and a test fails if a row names a function that does not exist.

use super::{Cx, Outcome};
use crate::value::Value;
use hashbrown::HashMap;
use smtlib::theory::{Assoc, OpId, Row, rows};
use std::sync::LazyLock;

/// An evaluation function: its arguments are values of the sorts in the row.
pub(crate) type EvalFn = fn(&mut Cx<'_, '_>, &[Value]) -> Outcome;

/// A theory's functions by the names that rows use.
pub(super) type Functions = &'static [(&'static str, EvalFn)];

#[derive(Clone, Copy)]
pub(super) enum Code {
    And,
    Or,
    Implies,
    Ite,
    Equal,
    /// Takes all arguments at once.
    Strict(EvalFn),
    /// Takes two arguments; more are folded from the left.
    Left(EvalFn),
    Right(EvalFn),
    /// Takes two arguments; with more, it must hold between neighbours.
    Chain(EvalFn),
    /// Under-specified everywhere.
    Open,
    /// An order that is constrained and not defined.
    Order,
    None,
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

pub(super) struct Operator {
    pub code: Code,
    /// Whether it can handle an arbitrary value.
    pub takes_generic: bool,
}

const THEORIES: &[Functions] = &[
    super::logic::FUNCTIONS,
    super::arith::FUNCTIONS,
    super::bitvec::FUNCTIONS,
    super::float::FUNCTIONS,
    super::string::FUNCTIONS,
    super::array::FUNCTIONS,
    super::function::FUNCTIONS,
    super::datatype::FUNCTIONS,
    super::seq::FUNCTIONS,
    super::set::FUNCTIONS,
    super::relation::FUNCTIONS,
    super::bag::FUNCTIONS,
    super::field::FUNCTIONS,
    super::transcendental::FUNCTIONS,
];

static BY_NAME: LazyLock<HashMap<&'static str, EvalFn>> =
    LazyLock::new(|| THEORIES.iter().flat_map(|functions| functions.iter().copied()).collect());

/// One entry per row of the tables.
pub(super) static OPERATORS: LazyLock<Vec<Operator>> =
    LazyLock::new(|| rows().iter().map(operator).collect());

/// Functions for two or more arguments.
const NARY: &[&str] = &["str_concat", "seq_concat", "re_concat", "re_union", "re_inter"];

fn operator(row: &Row) -> Operator {
    let takes_generic = matches!(
        row.eval,
        Some("core_eq" | "core_distinct" | "array_select" | "fun_apply" | "core_ite" | "identity")
    );
    Operator { code: code(row), takes_generic }
}

fn code(row: &Row) -> Code {
    let Some(name) = row.eval else {
        return match (row.under, super::order::kind(row)) {
            (Some("always"), _) => Code::Open,
            (_, Some(_)) => Code::Order,
            _ => Code::None,
        };
    };
    match name {
        "core_and" => return Code::And,
        "core_or" => return Code::Or,
        "core_implies" => return Code::Implies,
        "core_ite" => return Code::Ite,
        "core_eq" => return Code::Equal,
        _ => {}
    }
    let Some(&function) = BY_NAME.get(name) else { return Code::None };
    if row.assoc == Assoc::Fixed && row.args.len() == 1 && is_degenerate(row) {
        return Code::Strict(if row.result == row.args[0] { identity } else { trivially });
    }
    match row.assoc {
        // These take any number of arguments at once; otherwise a long concatenation would copy its beginning
        // repeatedly.
        Assoc::Left if NARY.contains(&name) => Code::Strict(function),
        Assoc::Left => Code::Left(function),
        Assoc::Right => Code::Right(function),
        Assoc::Chainable => Code::Chain(function),
        Assoc::Fixed | Assoc::Pairwise | Assoc::Nary => Code::Strict(function),
    }
}

/// Whether a row is the one-argument form of a row for two, such as z3's `(+ x)`.
fn is_degenerate(row: &Row) -> bool {
    rows().iter().any(|other| {
        other.name == row.name
            && other.eval == row.eval
            && other.args.len() == 2
            && matches!(other.assoc, Assoc::Left | Assoc::Chainable | Assoc::Pairwise)
    })
}

fn identity(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
    Ok(args[0].clone())
}

fn trivially(_: &mut Cx<'_, '_>, _: &[Value]) -> Outcome {
    Ok(Value::Bool(true))
}

/// Whether the row's evaluation exists.
pub fn has_function(op: OpId) -> bool {
    !matches!(OPERATORS[op.0 as usize].code, Code::None | Code::Open | Code::Order)
}

/// The rows that cannot be evaluated.
pub fn unevaluated() -> impl Iterator<Item = &'static Row> {
    rows()
        .iter()
        .zip(OPERATORS.iter())
        .filter(|(_, operator)| matches!(operator.code, Code::None | Code::Open | Code::Order))
        .map(|(row, _)| row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_that_names_an_evaluation_has_one() {
        let missing: Vec<&str> = rows()
            .iter()
            .zip(OPERATORS.iter())
            .filter(|(row, op)| row.eval.is_some() && op.code == Code::None)
            .map(|(row, _)| row.eval.unwrap_or(""))
            .collect();
        assert!(missing.is_empty(), "no function for {missing:?}");
    }

    #[test]
    fn no_function_is_registered_twice_or_without_a_row() {
        let mut names: Vec<&str> = THEORIES.iter().flat_map(|f| f.iter().map(|(name, _)| *name)).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        for name in names {
            assert!(rows().iter().any(|row| row.eval == Some(name)), "no row uses `{name}`");
        }
    }

    #[test]
    fn rows_without_evaluation_are_the_known_ones() {
        let names: std::collections::BTreeSet<&str> = unevaluated().map(|row| row.name).collect();
        let known = [
            "/0",
            "as-array",
            "bvsdiv0",
            "bvsmod0",
            "bvsrem0",
            "bvudiv0",
            "bvurem0",
            "div0",
            "linear-order",
            "mod0",
            "partial-order",
            "piecewise-linear-order",
            "pto",
            "re.of.pred",
            "sep",
            "sep.emp",
            "sep.nil",
            "seq.nth_u",
            "set.map.inverse",
            "set.unique",
            "transitive-closure",
            "tree-order",
            "wand",
        ];
        assert_eq!(names, known.into_iter().collect());
    }
}
