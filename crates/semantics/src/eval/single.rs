//! Single operations on values, for callers that decide themselves what to evaluate when.

use super::{Evaluator, Filling, Outcome};
use crate::value::Value;
use smtlib::sort::SortId;
use smtlib::term::{DeclId, IndicesId, TermId};
use smtlib::theory::OpId;

/// Maximum number of steps of one application.
const MOST_STEPS: u64 = 1_000_000;

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
    /// Applies an operation with no point filled in. `sort` is the sort of the result. All such applications share one
    /// budget, that of the evaluator's limits, and each may use a part of it.
    pub(crate) fn single(&mut self, operation: Operation, sort: SortId, args: &[Value]) -> Outcome {
        self.refill(Filling::None);
        self.budget = self.whole.part(MOST_STEPS);
        let given = self.budget.steps_left();
        let outcome = self.operation(operation, sort, args);
        self.whole.settle(given, &self.budget);
        outcome
    }

    /// The same, but each application has the whole budget of the evaluator's limits.
    pub fn apply_alone(&mut self, operation: Operation, sort: SortId, args: &[Value]) -> Outcome {
        self.whole = self.limits.budget(1);
        self.single(operation, sort, args)
    }

    /// The value of a closed term with no point filled in, charged to the same budget.
    pub(crate) fn single_term(&mut self, term: TermId) -> Outcome {
        self.refill(Filling::None);
        self.root(term)
    }

    /// The remaining steps of that budget.
    pub(crate) fn steps_left(&self) -> u64 {
        self.whole.steps_left()
    }

    fn operation(&mut self, operation: Operation, sort: SortId, args: &[Value]) -> Outcome {
        match operation {
            Operation::Operator(op, indices) => self.operate(op, indices, sort, args),
            // One operation alone: no other point can be taken for it.
            Operation::Structure(decl) => self.structure(decl, args, sort, Some(sort)),
            Operation::Tester(constructor) => self.is_made_by(constructor, args),
            Operation::Updater(selector) => self.update_field(selector, args),
            Operation::Function(decl) => self.call(decl, args.to_vec(), sort),
        }
    }
}
