//! The loop: asks for an assignment and adds lemmas that exclude it, until there is none.
//!
//! The engine owns all data: the asserted terms, the lemmas, the ground terms with the number of instantiations that
//! led to them (their generation), the values of closed terms. A lemma is added once; adding it registers its ground
//! terms and its clauses. The loop ends if there is no assignment (a refutation), if there is no further lemma, or if
//! the budget is used up.

use super::sat::{Answer, Lit, Solver};
use super::schema::{self, Ground};
use super::skeleton::{Shape, Skeleton, shape};
use super::{Lemma, Premise, Reason, Status, build, plain};
use crate::budget::Budget;
use crate::eval::{self, Evaluator};
use crate::model::Model;
use crate::value::Value;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use smtlib::script::Script;
use smtlib::sort::{Sort, SortId};
use smtlib::term::{Decl, DeclId, Kind, Lit as Literal, Pool, Quantifier, Role, TermId};
use std::sync::LazyLock;

/// Maximum number of instantiations that may lead to a term.
const GENERATIONS: u32 = 4;
/// Maximum number of lemmas from the table in one round.
const BATCH: usize = 100;
/// Maximum number of matches of one schema.
const MATCHES: usize = 1_600;
/// Maximum number of ground terms and lemmas in total.
const TERMS: usize = 6_000;
const LEMMAS: usize = 8_000;
/// Maximum number of evaluator steps for one closed term.
const EVALUATION: u64 = 20_000;

static NO_MODEL: LazyLock<Model> = LazyLock::new(Model::default);

pub(super) struct Engine<'a> {
    pub script: &'a mut Script,
    pub budget: &'a Budget,
    pub premises: Vec<Premise>,
    pub lemmas: Vec<Lemma>,
    stated: HashSet<TermId, FxBuildHasher>,
    pub skeleton: Skeleton,
    pub sat: Solver,
    fed: usize,
    /// Ground terms, arguments first.
    pub terms: Vec<TermId>,
    pub generation: HashMap<TermId, u32, FxBuildHasher>,
    /// Boolean terms that are arguments of something other than a connective.
    pub flags: Vec<TermId>,
    ground: Ground,
    /// Terms whose value does not depend on a model.
    closed: HashSet<TermId, FxBuildHasher>,
    pub values: HashMap<TermId, Value, FxBuildHasher>,
    evaluated: usize,
    instances: HashSet<(usize, Vec<Option<TermId>>), FxBuildHasher>,
    /// Fresh symbols.
    pub symbols: Vec<DeclId>,
    pub quantifiers: super::quantifier::Memory,
    pub axioms: HashSet<TermId, FxBuildHasher>,
    pub splits: usize,
    /// Atoms that are bits of words; the other theories ignore them.
    pub bits: HashSet<TermId, FxBuildHasher>,
    /// Terms whose bits have lemmas.
    pub worded: HashSet<TermId, FxBuildHasher>,
}

impl<'a> Engine<'a> {
    pub fn new(script: &'a mut Script, budget: &'a Budget) -> Engine<'a> {
        Engine {
            script,
            budget,
            premises: vec![],
            lemmas: vec![],
            stated: HashSet::default(),
            skeleton: Skeleton::default(),
            sat: Solver::new(),
            fed: 0,
            terms: vec![],
            generation: HashMap::default(),
            flags: vec![],
            ground: Ground::default(),
            closed: HashSet::default(),
            values: HashMap::default(),
            evaluated: 0,
            instances: HashSet::default(),
            symbols: vec![],
            quantifiers: Default::default(),
            axioms: HashSet::default(),
            splits: 0,
            bits: HashSet::default(),
            worded: HashSet::default(),
        }
    }

    pub fn pool(&mut self) -> &mut Pool {
        &mut self.script.pool
    }

    /// Adds the assertions in force at a check.
    pub fn assert(&mut self, check: usize) -> Result<(), Reason> {
        for value in [false, true] {
            let term = self.pool().bool_literal(value);
            self.register(term, 0)?;
        }
        for (command, term) in self.script.in_force(check) {
            let plain = plain::plain(&mut self.script.pool, self.budget, term)?;
            self.premises.push(Premise { command, term, plain });
            self.register(plain, 0)?;
            let lit = self.skeleton.lit(&self.script.pool, plain);
            self.feed();
            self.sat.add(&[lit]);
        }
        Ok(())
    }

    pub fn run(&mut self) -> Result<(), Reason> {
        let mut depth = 0;
        loop {
            self.feed();
            if let Answer::Unsat(_) = self.sat.solve(&[], self.budget)? {
                return Ok(());
            }
            if self.refine()? {
                continue;
            }
            if depth > GENERATIONS || self.terms.len() > TERMS || self.lemmas.len() > LEMMAS {
                return Err(Reason::Survives);
            }
            let before = self.lemmas.len();
            self.instantiate(depth)?;
            if self.lemmas.len() == before {
                depth += 1;
            }
        }
    }

    /// Gives the solver the new clauses.
    pub fn feed(&mut self) {
        while self.sat.vars() < self.skeleton.vars() as usize {
            self.sat.new_var();
        }
        for clause in &self.skeleton.clauses[self.fed..] {
            self.sat.add(clause);
        }
        self.fed = self.skeleton.clauses.len();
    }

    /// Adds a lemma in plain form whose new terms have the given generation; returns whether it is new.
    pub fn state(
        &mut self,
        schema: &'static str,
        why: impl Into<String>,
        term: TermId,
        status: Status,
        generation: u32,
    ) -> Result<bool, Reason> {
        self.budget.spend(5)?;
        if !self.stated.insert(term) || matches!(shape(&self.script.pool, term), Shape::Constant(true)) {
            return Ok(false);
        }
        self.register(term, generation)?;
        let lit = self.skeleton.lit(&self.script.pool, term);
        self.feed();
        self.sat.add(&[lit]);
        self.lemmas.push(Lemma { schema, why: why.into(), term, status });
        Ok(true)
    }

    /// Brings a lemma into plain form and adds it.
    pub fn state_valid(
        &mut self,
        schema: &'static str,
        why: &str,
        term: TermId,
        generation: u32,
    ) -> Result<bool, Reason> {
        let term = plain::plain(&mut self.script.pool, self.budget, term)?;
        self.state(schema, why, term, Status::Valid, generation)
    }

    /// Registers the ground terms of a plain term, arguments first.
    pub fn register(&mut self, root: TermId, generation: u32) -> Result<(), Reason> {
        let mut waiting = vec![(root, false)];
        while let Some((term, ready)) = waiting.pop() {
            if self.generation.contains_key(&term) || self.bits.contains(&term) {
                continue;
            }
            if !ready {
                waiting.push((term, true));
                if !matches!(self.script.pool.kind(term), Kind::Quant(..)) {
                    waiting.extend(self.script.pool.args(term).iter().map(|&arg| (arg, false)));
                }
                continue;
            }
            self.budget.spend(2)?;
            self.generation.insert(term, generation);
            self.terms.push(term);
            self.enter(term);
        }
        Ok(())
    }

    fn enter(&mut self, term: TermId) {
        let pool = &self.script.pool;
        self.ground.add(pool, term);
        if self.is_closed(term) {
            self.closed.insert(term);
        }
        let is_atom = matches!(shape(pool, term), Shape::Atom);
        if is_atom && !matches!(pool.kind(term), Kind::Quant(..)) {
            let flags: Vec<TermId> =
                pool.args(term).iter().copied().filter(|&arg| pool.sort_of(arg) == SortId::BOOL).collect();
            for flag in flags {
                self.skeleton.lit(&self.script.pool, flag);
                if !self.flags.contains(&flag) {
                    self.flags.push(flag);
                }
            }
        }
        if self.script.pool.sort_of(term) == SortId::BOOL && is_atom {
            self.skeleton.lit(&self.script.pool, term);
        }
    }

    /// Whether the value of a term does not depend on the model.
    fn is_closed(&self, term: TermId) -> bool {
        let pool = &self.script.pool;
        match pool.kind(term) {
            Kind::Lit(kind, _) => !matches!(kind, Literal::Abstract),
            Kind::Fun { decl, .. } => {
                pool.args(term).iter().all(|arg| self.closed.contains(arg)) && is_given(pool, decl)
            }
            Kind::Op { .. } | Kind::Tester { .. } | Kind::Updater { .. } => {
                pool.args(term).iter().all(|arg| self.closed.contains(arg))
            }
            Kind::Quant(..) => is_free_of_symbols(pool, term),
            _ => false,
        }
    }

    /// Evaluates the new closed terms; returns whether there were values.
    pub fn evaluate(&mut self) -> Result<bool, Reason> {
        let new: Vec<TermId> =
            self.terms[self.evaluated..].iter().copied().filter(|term| self.closed.contains(term)).collect();
        self.evaluated = self.terms.len();
        if new.is_empty() {
            return Ok(false);
        }
        self.budget.spend(self.script.pool.len() as u64 / 16 + 1)?;
        let limits = limits();
        let mut evaluator = Evaluator::with_limits(&self.script.pool, &NO_MODEL, limits);
        let before = self.values.len();
        for term in new {
            self.budget.spend(20)?;
            if let Ok(value) = evaluator.eval_open(term)
                && is_exact(&value)
            {
                self.values.insert(term, value);
            }
        }
        Ok(self.values.len() > before)
    }

    /// The truth of a closed term that is needed once and not stored.
    pub fn truth_of(&self, term: TermId) -> Result<Option<bool>, Reason> {
        self.budget.spend(self.script.pool.len() as u64 / 16 + 50)?;
        let limits = limits();
        let outcome = Evaluator::with_limits(&self.script.pool, &NO_MODEL, limits).eval_open(term);
        Ok(outcome.ok().and_then(|value| value.as_bool()))
    }

    pub fn is_known_closed(&self, term: TermId) -> bool {
        self.closed.contains(&term)
    }

    /// A symbol that does not occur in the script.
    pub fn fresh(&mut self, stem: &str, sort: SortId) -> TermId {
        let name = (self.symbols.len()..)
            .map(|n| format!("{stem}!{n}"))
            .find(|name| self.script.pool.symbols.find(name.as_bytes()).is_none())
            .unwrap_or_default();
        let name = self.pool().symbol(name.as_bytes());
        let decl = Decl {
            name,
            sort_params: Box::new([]),
            params: Box::new([]),
            result: sort,
            role: Role::Declared,
            span: Default::default(),
            // A model that prints the same name means something of its own.
            of_model: true,
        };
        let decl = self.pool().add_decl(decl);
        self.symbols.push(decl);
        build::call(self.pool(), decl, sort, &[])
    }

    /// The literal of a term, and whether it is true in the last assignment.
    pub fn truth(&self, term: TermId) -> bool {
        let lit: Option<Lit> = self.skeleton.known(term);
        lit.is_some_and(|lit| self.sat.value(lit) == Some(true))
    }

    /// Adds instances of schemas and axioms for terms of at most the given generation.
    pub fn instantiate(&mut self, depth: u32) -> Result<(), Reason> {
        let stop = self.lemmas.len() + BATCH;
        self.word_axioms(depth)?;
        self.datatype_axioms(depth)?;
        self.definitions(depth)?;
        self.named_values(depth)?;
        for (number, schema) in schema::schemas().iter().enumerate() {
            self.schema_instances(number, schema, depth, stop)?;
        }
        self.quantifier_instances(depth)
    }

    /// Adds the lemma that a term of a sort with few values equals one of them.
    fn named_values(&mut self, depth: u32) -> Result<(), Reason> {
        for n in 0..self.terms.len() {
            let term = self.terms[n];
            let generation = self.generation[&term];
            let sort = self.script.pool.sort_of(term);
            if generation > depth || self.closed.contains(&term) {
                continue;
            }
            let Some(values) = super::words::few_values(&mut self.script.pool, sort) else { continue };
            let pool = &mut self.script.pool;
            let equations: Vec<TermId> =
                values.into_iter().map(|value| build::equal(pool, term, value)).collect();
            let lemma = build::or(pool, &equations);
            self.state_valid("values", "the sort has no other values", lemma, generation + 1)?;
        }
        Ok(())
    }

    fn schema_instances(
        &mut self,
        number: usize,
        schema: &'static schema::Schema,
        depth: u32,
        stop: usize,
    ) -> Result<(), Reason> {
        let mut found = vec![(vec![None; schema.variables], 0u32)];
        for trigger in &schema.triggers {
            let candidates = self.ground.candidates(trigger);
            if candidates.is_empty() {
                return Ok(());
            }
            let mut next = vec![];
            for (binding, oldest) in &found {
                for &term in &candidates {
                    let generation = self.generation.get(&term).copied().unwrap_or(0);
                    self.budget.spend(1)?;
                    if generation > depth || next.len() > MATCHES {
                        continue;
                    }
                    let ways = schema::matches(&self.script.pool, trigger, term, binding);
                    next.extend(ways.into_iter().map(|b| (b, generation.max(*oldest))));
                }
            }
            found = next;
        }
        for (binding, generation) in found {
            if self.lemmas.len() >= stop {
                return Ok(());
            }
            if self.instances.insert((number, binding.clone()))
                && let Some(term) = schema::instantiate(&mut self.script.pool, &schema.body, &binding)
            {
                self.state_valid(schema.name, schema.why, term, generation + 1)?;
            }
        }
        Ok(())
    }

    /// Adds the definitions of recursive functions for their applications.
    fn definitions(&mut self, depth: u32) -> Result<(), Reason> {
        for n in 0..self.terms.len() {
            let term = self.terms[n];
            let generation = self.generation[&term];
            self.application_of_lambda(term, generation, depth)?;
            let Kind::Fun { decl, .. } = self.script.pool.kind(term) else { continue };
            let Role::Defined { vars, body, .. } = self.script.pool.decl(decl).role else { continue };
            let names: Vec<_> = self.script.pool.binder_list(vars).iter().map(|&(name, _)| name).collect();
            let args = self.script.pool.args(term).to_vec();
            if generation > depth || names.len() != args.len() || !self.axioms.insert(term) {
                continue;
            }
            let values: Vec<_> = names.into_iter().zip(args).collect();
            let body = plain::plain_under(&mut self.script.pool, self.budget, body, &values)?;
            let equation = build::equal(self.pool(), term, body);
            let why = "the script defines the function so";
            self.state("definition", why, equation, Status::Definition, generation + 1)?;
        }
        Ok(())
    }

    /// Adds the lemma that an applied lambda equals its body.
    fn application_of_lambda(&mut self, term: TermId, generation: u32, depth: u32) -> Result<(), Reason> {
        let pool = &self.script.pool;
        let Some((&function, values)) = pool.args(term).split_first() else { return Ok(()) };
        let Kind::Quant(Quantifier::Lambda, binders) = pool.kind(function) else { return Ok(()) };
        let applies = matches!(build::operator(pool, term), Some("array_select" | "fun_apply"));
        let names: Vec<_> = pool.binder_list(binders).iter().map(|&(name, _)| name).collect();
        if !applies || names.len() != values.len() || generation > depth || !self.axioms.insert(term) {
            return Ok(());
        }
        let values: Vec<_> = names.into_iter().zip(values.iter().copied()).collect();
        let body = pool.args(function)[0];
        let body = plain::plain_under(&mut self.script.pool, self.budget, body, &values)?;
        let equation = build::equal(self.pool(), term, body);
        self.state("lambda", "a lambda applied is its body", equation, Status::Valid, generation + 1)?;
        Ok(())
    }
}

/// Limits for the evaluation of one closed term.
fn limits() -> eval::EvalLimits {
    eval::EvalLimits {
        steps: EVALUATION,
        bytes: 1 << 20,
        instances: 512,
        trials: 8,
        regex_steps: EVALUATION,
        ..eval::EvalLimits::default()
    }
}

/// Whether a function is the same in every model: it belongs to a datatype, or is defined by such functions only.
fn is_given(pool: &Pool, decl: DeclId) -> bool {
    let mut seen = vec![decl];
    let mut next = 0;
    while let Some(&decl) = seen.get(next) {
        next += 1;
        match pool.decl(decl).role {
            Role::Constructor { .. } | Role::Selector { .. } => {}
            Role::Defined { body, .. } => {
                for part in pool.subterms(body) {
                    match pool.kind(part) {
                        Kind::Fun { decl, .. } if !seen.contains(&decl) => seen.push(decl),
                        Kind::Lit(Literal::Abstract, _) | Kind::Quant(..) => return false,
                        _ => {}
                    }
                }
            }
            Role::Declared | Role::Named(_) => return false,
        }
    }
    true
}

/// Whether nothing in a quantified term depends on the model.
fn is_free_of_symbols(pool: &Pool, term: TermId) -> bool {
    pool.subterms(term).into_iter().all(|part| match pool.kind(part) {
        Kind::Lit(kind, _) => !matches!(kind, Literal::Abstract),
        Kind::Fun { decl, .. } => {
            matches!(pool.decl(decl).role, Role::Constructor { .. } | Role::Selector { .. })
        }
        Kind::Quant(_, binders) => {
            pool.binder_list(binders).iter().all(|&(_, sort)| is_interpreted(pool, sort, 0))
        }
        _ => true,
    })
}

/// Whether a sort has the same elements in every model.
fn is_interpreted(pool: &Pool, sort: SortId, depth: u32) -> bool {
    match pool.sort(sort) {
        Sort::Declared(decl, args) => {
            let Some(datatype) = &pool.sort_decl(*decl).datatype else { return false };
            depth < 4
                && args.iter().all(|&arg| is_interpreted(pool, arg, depth + 1))
                && datatype.constructors.iter().all(|c| {
                    pool.decl(c.decl).params.iter().all(|&p| p == sort || is_interpreted(pool, p, depth + 1))
                })
        }
        other => other.parts().into_iter().all(|part| is_interpreted(pool, part, depth)),
    }
}

/// Whether such values are equal exactly if their representations are.
fn is_exact(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::BitVec(_) | Value::Float(_) | Value::RoundingMode(_) => true,
        Value::String(_) | Value::Char(_) | Value::Field(_) => true,
        Value::Real(real) => real.to_rat().is_some(),
        Value::Seq(parts) | Value::Tuple(parts) => parts.iter().all(is_exact),
        Value::Set(parts) => parts.iter().all(is_exact),
        Value::Bag(parts) => parts.keys().all(is_exact),
        Value::Nullable(part) => part.as_ref().is_none_or(|part| is_exact(part)),
        Value::Datatype(made) => made.args().iter().all(is_exact),
        _ => false,
    }
}
