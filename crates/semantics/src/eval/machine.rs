//! Runs terms: one loop over a stack of steps, so that deep terms use the heap and not the call stack.
//!
//! A term is evaluated by pushing the steps that follow its arguments, then its arguments. Variables are bound by name
//! in a stack of bindings, with the innermost one per symbol, so that the cost of a chain of 100,000 `let`s is
//! proportional to its length. Values of shared terms are cached (`memory.rs`); functions are called in `call.rs`.
//!
//! Rust's call stack is used only for nested quantifiers and functions as values, to a bounded depth.

use super::table::{Code, EvalFn, OPERATORS};
use super::{Cx, Evaluator, Family, Outcome, SHARED, TermMap, Unknown};
use crate::value::Value;
use crate::value::order::take_visits;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{Kind, Quantifier, Role, TermId};

/// Maximum nesting of quantifiers and function values.
const MAX_DEPTH: u32 = 48;
/// Maximum number of pending steps, which limits the memory of endless recursion.
const MAX_WAITING: usize = 1_000_000;

const UNBOUND: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Eval(TermId),
    /// All arguments are on the value stack.
    Apply(TermId),
    /// `and`, `or`, `=>`: the argument before `next` is on the value stack.
    Junction {
        term: TermId,
        next: u32,
        waiting: Option<Unknown>,
    },
    /// The condition of an `ite` is on the value stack.
    Branch(TermId),
    /// Both branches of an `ite` are on the value stack, and its condition was unknown.
    Merge(Unknown),
    /// The values of a `let` are on the value stack.
    Bind(TermId),
    /// The scrutinee of a `match` is on the value stack.
    Case(TermId),
    /// Ends a scope.
    Leave {
        bindings: u32,
        recursive: bool,
    },
    Remember(TermId),
    /// Caches the value of a call.
    Return,
}

#[derive(Clone, Debug)]
pub(super) struct Binding {
    symbol: Symbol,
    previous: u32,
    value: Outcome,
}

impl Evaluator<'_> {
    /// Evaluates a closed term with a new budget.
    pub(super) fn root(&mut self, term: TermId) -> Outcome {
        self.budget = self.whole.part(self.limits.steps);
        let given = self.budget.steps_left();
        self.empty_stacks();
        let outcome = self.run(term);
        self.whole.settle(given, &self.budget);
        outcome
    }

    pub(super) fn empty_stacks(&mut self) {
        self.steps.clear();
        self.values.clear();
        self.returns.clear();
        self.unbind(self.bindings.len());
        self.frames.truncate(1);
        self.frames[0].clear();
        (self.depth, self.recursion) = (0, 0);
    }

    /// Evaluates a term under the current bindings.
    pub(super) fn run(&mut self, term: TermId) -> Outcome {
        let floor = self.steps.len();
        self.steps.push(Step::Eval(term));
        self.finish(floor)
    }

    /// Runs until the steps above the floor are done; their result is the top value.
    pub(super) fn finish(&mut self, floor: usize) -> Outcome {
        while self.steps.len() > floor {
            if self.steps.len() > MAX_WAITING {
                self.budget.end();
            }
            if let Err(exhausted) = self.budget.spend(1) {
                self.abandon(floor);
                return Err(exhausted.into());
            }
            if let Some(step) = self.steps.pop() {
                self.step(step);
            }
        }
        self.values.pop().unwrap_or(Err(Unknown::Fuel))
    }

    /// Drops the steps above the floor and ends the scopes that they would have ended.
    fn abandon(&mut self, floor: usize) {
        while self.steps.len() > floor {
            match self.steps.pop() {
                Some(Step::Leave { bindings, recursive }) => self.leave(bindings as usize, recursive),
                Some(Step::Return) => {
                    self.returns.pop();
                }
                _ => {}
            }
        }
    }

    /// Runs code that uses Rust's call stack, if there is room.
    pub(super) fn nested(&mut self, run: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        if self.depth >= MAX_DEPTH {
            return Err(Unknown::TooDeep);
        }
        self.depth += 1;
        let outcome = run(self);
        self.depth -= 1;
        outcome
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Eval(term) => self.eval(term),
            Step::Apply(term) => self.apply(term),
            Step::Junction { term, next, waiting } => self.junction(term, next, waiting),
            Step::Branch(term) => self.branch(term),
            Step::Merge(unknown) => self.merge(unknown),
            Step::Bind(term) => self.bind_let(term),
            Step::Case(term) => self.case(term),
            Step::Leave { bindings, recursive } => self.leave(bindings as usize, recursive),
            Step::Remember(term) => self.remember(term),
            Step::Return => self.remember_call(),
        }
    }

    // Scopes.

    pub(super) fn enter(&mut self) {
        self.frames.push(TermMap::default());
    }

    pub(super) fn bind(&mut self, symbol: Symbol, value: Outcome) {
        let n = symbol.0 as usize;
        if n >= self.bound.len() {
            self.bound.resize(self.pool.symbols.len().max(n + 1), UNBOUND);
        }
        let previous = std::mem::replace(&mut self.bound[n], self.bindings.len() as u32);
        self.bindings.push(Binding { symbol, previous, value });
    }

    /// Evaluates a body with its variables bound; a later step unbinds them.
    pub(super) fn begin_body(
        &mut self,
        vars: &[(Symbol, SortId)],
        body: TermId,
        args: Vec<Outcome>,
        recursive: bool,
    ) {
        self.enter();
        self.recursion += u32::from(recursive);
        for (&(name, _), value) in vars.iter().zip(args) {
            self.bind(name, value);
        }
        self.steps.push(Step::Leave { bindings: vars.len() as u32, recursive });
        self.steps.push(Step::Eval(body));
    }

    fn unbind(&mut self, count: usize) {
        for _ in 0..count {
            if let Some(binding) = self.bindings.pop() {
                self.bound[binding.symbol.0 as usize] = binding.previous;
            }
        }
    }

    pub(super) fn leave(&mut self, bindings: usize, recursive: bool) {
        self.unbind(bindings);
        if self.frames.len() > 1 {
            self.frames.pop();
        }
        self.recursion -= u32::from(recursive);
    }

    pub(super) fn lookup(&self, symbol: Symbol) -> Option<&Outcome> {
        let at = *self.bound.get(symbol.0 as usize)?;
        self.bindings.get(at as usize).map(|binding| &binding.value)
    }

    // Terms.

    fn eval(&mut self, term: TermId) {
        if let Some(outcome) = self.remembered(term) {
            let outcome = outcome.clone();
            self.values.push(outcome);
            return;
        }
        let pool = self.pool;
        let kind = pool.kind(term);
        let args = pool.args(term);
        match kind {
            Kind::Lit(lit, text) => {
                let value = self.literal(lit, text, pool.sort_of(term));
                self.values.push(value);
                return self.remember(term);
            }
            Kind::Var(name) => {
                let value = self.lookup(name).cloned().unwrap_or(Err(Unknown::Generic));
                return self.values.push(value);
            }
            Kind::Annot(_) => return self.steps.push(Step::Eval(args[0])),
            _ => {}
        }
        if self.facts[term.0 as usize] & SHARED != 0 || matches!(kind, Kind::Fun { .. } if args.is_empty()) {
            self.steps.push(Step::Remember(term));
        }
        match kind {
            Kind::Op { op, .. } => self.eval_op(term, op, args),
            Kind::Fun { decl, .. } if args.is_empty() => self.begin_call(decl, vec![], pool.sort_of(term)),
            Kind::Fun { .. } | Kind::Tester { .. } | Kind::Updater { .. } => {
                self.steps.push(Step::Apply(term));
                self.push_args(args);
            }
            Kind::Let(_) => {
                self.steps.push(Step::Bind(term));
                self.push_args(&args[..args.len() - 1]);
            }
            Kind::Match(_) => {
                self.steps.push(Step::Case(term));
                self.steps.push(Step::Eval(args[0]));
            }
            Kind::Quant(Quantifier::Lambda, binders) => {
                let value = self.nested(|eval| eval.lambda(binders, args[0]));
                self.values.push(value);
            }
            Kind::Quant(quantifier, binders) => {
                let value = self.nested(|eval| eval.quantify(quantifier, binders, args));
                self.values.push(value);
            }
            Kind::Lit(..) | Kind::Var(_) | Kind::Annot(_) => {}
        }
    }

    fn push_args(&mut self, args: &[TermId]) {
        self.steps.extend(args.iter().rev().map(|&arg| Step::Eval(arg)));
    }

    fn eval_op(&mut self, term: TermId, op: smtlib::theory::OpId, args: &[TermId]) {
        match OPERATORS[op.0 as usize].code {
            Code::And | Code::Or | Code::Implies => {
                self.steps.push(Step::Junction { term, next: 1, waiting: None });
                self.steps.push(Step::Eval(args[0]));
            }
            Code::Ite => {
                self.steps.push(Step::Branch(term));
                self.steps.push(Step::Eval(args[0]));
            }
            // A term equals itself, whatever its value.
            Code::Equal if args.iter().all(|&arg| arg == args[0]) => {
                self.values.push(Ok(Value::Bool(true)));
            }
            _ => {
                self.steps.push(Step::Apply(term));
                self.push_args(args);
            }
        }
    }

    fn junction(&mut self, term: TermId, next: u32, waiting: Option<Unknown>) {
        let Kind::Op { op, .. } = self.pool.kind(term) else { return };
        let code = OPERATORS[op.0 as usize].code;
        let args = self.pool.args(term);
        let last = next as usize == args.len();
        let mut waiting = waiting;
        // The value of an argument that decides the junction, and the value of the junction then.
        let (decisive, decided) = match code {
            Code::And => (false, false),
            Code::Or => (true, true),
            _ if last => (true, true),
            _ => (false, true),
        };
        match self.values.pop() {
            Some(Ok(Value::Bool(b))) if b == decisive => {
                return self.values.push(Ok(Value::Bool(decided)));
            }
            Some(Ok(Value::Bool(_))) => {}
            Some(Err(unknown)) => waiting = Some(waiting.map_or(unknown, |w| w.or(unknown))),
            _ => waiting = Some(waiting.unwrap_or(Unknown::Generic)),
        }
        if !last {
            self.steps.push(Step::Junction { term, next: next + 1, waiting });
            return self.steps.push(Step::Eval(args[next as usize]));
        }
        self.values.push(match waiting {
            Some(unknown) => Err(unknown),
            None => Ok(Value::Bool(code == Code::And)),
        });
    }

    fn branch(&mut self, term: TermId) {
        let args = self.pool.args(term);
        match self.values.pop() {
            Some(Ok(Value::Bool(b))) => self.steps.push(Step::Eval(args[if b { 1 } else { 2 }])),
            Some(Err(unknown)) if self.recursion == 0 => {
                self.steps.push(Step::Merge(unknown));
                self.push_args(&args[1..]);
            }
            Some(Err(unknown)) => self.values.push(Err(unknown)),
            _ => self.values.push(Err(Unknown::Generic)),
        }
    }

    /// With an unknown condition, an `ite` is known if its branches agree.
    fn merge(&mut self, unknown: Unknown) {
        let (b, a) = (self.values.pop(), self.values.pop());
        let outcome = match (a, b) {
            (Some(Ok(a)), Some(Ok(b))) if matches!(self.same(&a, &b), Ok(true)) => Ok(a),
            _ => Err(unknown),
        };
        self.values.push(outcome);
    }

    fn bind_let(&mut self, term: TermId) {
        let Kind::Let(binders) = self.pool.kind(term) else { return };
        let vars = self.pool.binder_list(binders);
        let args = self.pool.args(term);
        let from = self.values.len() - vars.len();
        let values: Vec<Outcome> = self.values.drain(from..).collect();
        self.begin_body(vars, args[vars.len()], values, false);
    }

    fn case(&mut self, term: TermId) {
        let Kind::Match(cases) = self.pool.kind(term) else { return };
        let args = self.pool.args(term);
        let scrutinee = match self.values.pop() {
            Some(Ok(value)) => value,
            Some(Err(unknown)) => return self.values.push(Err(unknown)),
            None => return,
        };
        for (n, case) in self.pool.case_list(cases).iter().enumerate() {
            let parts: Vec<Outcome> = match (&scrutinee, case.constructor) {
                (_, None) => vec![Ok(scrutinee.clone())],
                (Value::Datatype(data), Some(constructor)) if data.constructor() == constructor => {
                    data.args().iter().cloned().map(Ok).collect()
                }
                (Value::Datatype(_), Some(_)) => continue,
                // An arbitrary value may or may not be made by this constructor.
                _ => break,
            };
            return self.begin_body(&case.vars, args[n + 1], parts, false);
        }
        self.values.push(Err(Unknown::Generic));
    }

    // Applications.

    fn apply(&mut self, term: TermId) {
        let pool = self.pool;
        let count = pool.args(term).len();
        let sort = pool.sort_of(term);
        let from = self.values.len() - count;
        let kind = pool.kind(term);
        if let Kind::Fun { decl, .. } = kind
            && !matches!(pool.decl(decl).role, Role::Constructor { .. } | Role::Selector { .. })
        {
            let args: Vec<Outcome> = self.values.drain(from..).collect();
            return self.begin_call(decl, args, sort);
        }
        let mut args = self.scratch.pop().unwrap_or_default();
        let mut unknown: Option<Unknown> = None;
        for outcome in self.values.drain(from..) {
            match outcome {
                Ok(value) => args.push(value),
                Err(other) => unknown = Some(unknown.map_or(other, |first| first.or(other))),
            }
        }
        let outcome = match (unknown, kind) {
            (Some(unknown), _) => Err(unknown),
            (None, Kind::Op { op, indices, .. }) => self.operate(op, indices, sort, &args),
            (None, Kind::Fun { decl, .. }) => {
                let of = pool.args(term).first().map(|&arg| pool.sort_of(arg));
                self.structure(decl, &args, sort, of)
            }
            (None, Kind::Tester { constructor, .. }) => self.is_made_by(constructor, &args),
            (None, Kind::Updater { selector }) => self.update_field(selector, &args),
            _ => Err(Unknown::Generic),
        };
        args.clear();
        self.scratch.push(args);
        self.values.push(outcome);
    }

    /// Applies an operator to values.
    pub(super) fn operate(
        &mut self,
        op: smtlib::theory::OpId,
        indices: smtlib::term::IndicesId,
        sort: SortId,
        args: &[Value],
    ) -> Outcome {
        let operator = &OPERATORS[op.0 as usize];
        if !operator.takes_generic && args.iter().any(Value::is_generic) {
            return Err(Unknown::Generic);
        }
        self.pay_for(args)?;
        let mut cx = Cx { eval: self, op, indices, sort };
        match operator.code {
            Code::Strict(function) => {
                let outcome = function(&mut cx, args);
                self.made(outcome)
            }
            Code::Equal => {
                let outcome = cx.eval.all_equal(args);
                self.budget.spend(take_visits())?;
                outcome
            }
            Code::Left(function) => {
                if args.len() == 2 {
                    let outcome = function(&mut cx, args);
                    return self.made(outcome);
                }
                let Some((first, rest)) = args.split_first() else { return Err(Unknown::NotEvaluated(op)) };
                rest.iter().try_fold(first.clone(), |sum, next| cx.once(function, [sum, next.clone()]))
            }
            Code::Right(function) => {
                let Some((last, rest)) = args.split_last() else { return Err(Unknown::NotEvaluated(op)) };
                rest.iter().rev().try_fold(last.clone(), |sum, next| cx.once(function, [next.clone(), sum]))
            }
            Code::Chain(function) => {
                if args.len() == 2 {
                    return function(&mut cx, args);
                }
                chain(args, |pair| function(&mut cx, pair))
            }
            Code::Open => self.open(Family::Row(op, indices), args, sort, None),
            Code::Order => self.below(op, indices, args, sort),
            Code::None => Err(Unknown::NotEvaluated(op)),
            Code::And | Code::Or | Code::Implies | Code::Ite => self.logic(operator.code, args),
        }
    }

    /// The connectives on values, for when they are passed as functions.
    fn logic(&self, code: Code, args: &[Value]) -> Outcome {
        let truths: Option<Vec<bool>> = args.iter().map(Value::as_bool).collect();
        match (code, truths) {
            (Code::Ite, _) => match args {
                [Value::Bool(c), a, b] => Ok(if *c { a.clone() } else { b.clone() }),
                _ => Err(Unknown::Generic),
            },
            (Code::And, Some(t)) => Ok(Value::Bool(t.iter().all(|&b| b))),
            (Code::Or, Some(t)) => Ok(Value::Bool(t.iter().any(|&b| b))),
            (_, Some(t)) => {
                let (last, rest) = t.split_last().unwrap_or((&true, &[]));
                Ok(Value::Bool(*last || rest.iter().any(|&b| !b)))
            }
            _ => Err(Unknown::Generic),
        }
    }
}

impl Cx<'_, '_> {
    /// One of several binary applications that a longer one consists of.
    fn once(&mut self, function: EvalFn, args: [Value; 2]) -> Outcome {
        self.eval.pay_for(&args)?;
        let outcome = function(self, &args);
        self.eval.made(outcome)
    }
}

/// Whether all neighbours are related; unknown only if no pair is known to be unrelated.
fn chain(args: &[Value], mut related: impl FnMut(&[Value]) -> Outcome) -> Outcome {
    let mut unknown = None;
    for pair in args.windows(2) {
        match related(pair) {
            Ok(Value::Bool(true)) => {}
            Ok(other) => return Ok(other),
            Err(reason) => unknown = Some(reason),
        }
    }
    match unknown {
        Some(reason) => Err(reason),
        None => Ok(Value::Bool(true)),
    }
}
