//! One operation on values, for callers that decide themselves what to evaluate when.

use super::{Evaluator, Filling, Outcome};
use crate::value::Value;
use smtlib::sort::SortId;
use smtlib::term::{DeclId, IndicesId};
use smtlib::theory::OpId;

/// What can be applied to values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Operator(OpId, IndicesId),
    /// A constructor or a selector.
    Structure(DeclId),
    Tester(DeclId),
    /// `(_ update s)`.
    Updater(DeclId),
    /// A function that the script defines.
    Function(DeclId),
}

impl Evaluator<'_> {
    /// Applies an operation with fresh fuel and nothing filled in. The sort is that of the result.
    pub(crate) fn single(&mut self, operation: Operation, sort: SortId, args: &[Value]) -> Outcome {
        self.refill(Filling::None);
        self.budget = self.limits.budget(1);
        match operation {
            Operation::Operator(op, indices) => self.operate(op, indices, sort, args),
            Operation::Structure(decl) => self.structure(decl, args, sort),
            Operation::Tester(constructor) => self.is_made_by(constructor, args),
            Operation::Updater(selector) => self.update_field(selector, args),
            Operation::Function(decl) => self.call(decl, args.to_vec(), sort),
        }
    }
}
