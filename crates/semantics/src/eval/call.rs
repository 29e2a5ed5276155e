//! Calls of functions: defined by the script or by the model.
//!
//! If possible, a call is started and its result is pushed later, so that recursion uses the heap and not the call
//! stack. A function with too few arguments is again a function; a function that the model leaves out is an open
//! point.

use super::machine::Step;
use super::{Evaluator, Family, HAS_VARIABLE, Outcome, Unknown};
use crate::model::Definition;
use crate::value::Value;
use smtlib::free::FreeVariables;
use smtlib::sort::SortId;
use smtlib::term::{DeclId, Role, TermId};

impl Evaluator<'_> {
    /// Calls a function of the script; its value is pushed later.
    pub(super) fn begin_call(&mut self, decl: DeclId, args: Vec<Outcome>, sort: SortId) {
        let pool = self.pool;
        let declared = pool.decl(decl);
        match declared.role {
            Role::Constructor { .. } | Role::Selector { .. } => {
                let args: Result<Vec<Value>, Unknown> = args.into_iter().collect();
                let value = match args {
                    Ok(args) if args.len() < declared.params.len() => self.function_value(decl, args, sort),
                    Ok(args) => self.structure(decl, &args, sort, None),
                    Err(unknown) => Err(unknown),
                };
                self.values.push(value);
            }
            // A named term with a variable of a `let` has the value of the variable at its definition, not at its use.
            Role::Named(term) if self.is_open(term) => self.values.push(Err(Unknown::Generic)),
            Role::Named(term) => self.steps.push(Step::Eval(term)),
            _ if args.len() < declared.params.len() => {
                let args: Result<Vec<Value>, Unknown> = args.into_iter().collect();
                let value = args.and_then(|args| self.function_value(decl, args, sort));
                self.values.push(value);
            }
            Role::Defined { vars, body, recursive } => {
                if self.answer_from_memory(decl, &args) {
                    return;
                }
                let vars = pool.binder_list(vars);
                self.begin_body(vars, body, args, recursive);
            }
            Role::Declared => self.begin_declared(decl, args, sort),
        }
    }

    fn is_open(&self, term: TermId) -> bool {
        self.facts[term.0 as usize] & HAS_VARIABLE != 0
            && !FreeVariables::default().of(self.pool, term).is_empty()
    }

    fn begin_declared(&mut self, decl: DeclId, args: Vec<Outcome>, sort: SortId) {
        if let Some(value) = self.assigned.get(&decl).cloned() {
            let value = if args.is_empty() { Ok(value) } else { self.apply_assigned(&value, args) };
            return self.values.push(value);
        }
        let model = self.model;
        if model.opaque.contains_key(&decl) {
            return self.values.push(Err(Unknown::Opaque(decl)));
        }
        let Some(definition) = model.functions.get(&decl) else {
            let args: Result<Vec<Value>, Unknown> = args.into_iter().collect();
            let value = args.and_then(|args| self.open(Family::Missing(decl), &args, sort, None));
            return self.values.push(value);
        };
        if args.is_empty() && definition.vars.is_empty() {
            return self.steps.push(Step::Eval(definition.body));
        }
        if definition.vars.len() == args.len() {
            if !self.answer_from_memory(decl, &args) {
                self.begin_body(&definition.vars, definition.body, args, false);
            }
            return;
        }
        let value = self.nested(|eval| eval.call_definition(definition, args, Some(decl)));
        self.values.push(value);
    }

    fn apply_assigned(&mut self, map: &Value, args: Vec<Outcome>) -> Outcome {
        let args: Vec<Value> = args.into_iter().collect::<Result<_, Unknown>>()?;
        self.apply_value(map, args)
    }

    /// Calls a function of the script and returns its value.
    pub(super) fn call(&mut self, decl: DeclId, args: Vec<Value>, sort: SortId) -> Outcome {
        let floor = self.steps.len();
        self.begin_call(decl, args.into_iter().map(Ok).collect(), sort);
        self.finish(floor)
    }

    /// Calls a function of a model. Its definition may have fewer parameters than there are arguments: then the body
    /// is itself a function.
    pub(super) fn call_definition(
        &mut self,
        definition: &Definition,
        args: Vec<Outcome>,
        decl: Option<DeclId>,
    ) -> Outcome {
        let mut args = args;
        let rest = args.split_off(definition.vars.len().min(args.len()));
        if args.len() < definition.vars.len() {
            let args: Vec<Value> = args.into_iter().collect::<Result<_, _>>()?;
            let decl = decl.ok_or(Unknown::Function)?;
            return self.function_value(decl, args, self.pool.decl(decl).result);
        }
        let floor = self.steps.len();
        self.begin_body(&definition.vars, definition.body, args, false);
        let value = self.finish(floor)?;
        if rest.is_empty() {
            return Ok(value);
        }
        let rest: Vec<Value> = rest.into_iter().collect::<Result<_, _>>()?;
        self.apply_value(&value, rest)
    }
}
