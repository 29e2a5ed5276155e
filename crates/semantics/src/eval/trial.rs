//! Evaluation for a search: symbols get values one after the other, and operations are applied to values.
//!
//! A search keeps its own graph of terms and decides what to evaluate when. It asks for one operation on values, or
//! for a whole term (a quantifier, a recursive call) with given variables and symbols. Nothing is cached between two
//! such questions, because the values may have changed.

use super::equal::is_plain;
use super::{Evaluator, Filling, NO_SLOT, Operation, Outcome};
use crate::budget::Budget;
use crate::value::Value;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{DeclId, TermId};

impl Evaluator<'_> {
    /// Sets whether under-specified operators have default values from now on, or are open.
    pub(crate) fn fill_open_points(&mut self, filled: bool) {
        self.refill(if filled { Filling::All } else { Filling::None });
    }

    /// Gives a declared symbol a value that takes precedence over the model; a function is given as a map.
    pub(crate) fn assign(&mut self, decl: DeclId, value: Value) {
        self.assigned.insert(decl, value);
    }

    /// Runs code with a separate budget and returns the number of steps it took.
    pub(crate) fn counted<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, u64) {
        self.budget = Budget::new(self.limits.steps, self.limits.bytes);
        let result = run(self);
        (result, self.limits.steps - self.budget.steps_left())
    }

    /// Applies an operation to values.
    pub(crate) fn try_operation(&mut self, operation: Operation, sort: SortId, args: &[Value]) -> Outcome {
        match operation {
            Operation::Operator(op, indices) => self.operate(op, indices, sort, args),
            // One operation alone: no other point can be taken for it.
            Operation::Structure(decl) => self.structure(decl, args, sort, Some(sort)),
            Operation::Tester(constructor) => self.is_made_by(constructor, args),
            Operation::Updater(selector) => self.update_field(selector, args),
            Operation::Function(decl) => self.call(decl, args.to_vec(), sort),
        }
    }

    /// Evaluates a term with its free variables bound.
    pub(crate) fn try_term(&mut self, term: TermId, bound: &[(Symbol, Value)]) -> Outcome {
        self.forget_everything();
        self.empty_stacks();
        self.enter();
        for (name, value) in bound {
            self.bind(*name, Ok(value.clone()));
        }
        let outcome = self.run(term);
        self.leave(bound.len(), false);
        outcome
    }

    /// The model's value of a declared symbol, if it has one: for a function, a map with a constant base. A symbol
    /// that the model leaves out has its sort's default value.
    pub(crate) fn symbol_value(&mut self, decl: DeclId) -> Option<Value> {
        self.refill(Filling::Missing);
        self.empty_stacks();
        let sort = self.pool.decl(decl).result;
        let (value, _) = self.counted(|eval| eval.call(decl, vec![], sort));
        let value = value.ok()?;
        is_plain(&value).then_some(value)
    }

    fn forget_everything(&mut self) {
        for (term, _) in self.kept.drain(..) {
            self.slots[term.0 as usize] = NO_SLOT;
        }
        self.trial_floor = 0;
        self.calls.clear();
        self.trial_calls.clear();
        self.constants.clear();
        self.generics.clear();
    }
}
