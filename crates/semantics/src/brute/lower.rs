//! Translates terms to the graph.
//!
//! The meaning of a term follows from its kind and the name of its evaluation in the theory tables: a few operators
//! have machine operations, all others become calls of the evaluator. Symbols become variables. A function or a large
//! array becomes one variable per application, with a condition for each pair; so does an operator at the points where
//! it is under-specified, if its result has finitely many values. Quantifiers over few values are expanded. Anything
//! else is refused with a reason.

use super::array::{Arr, ArrId, Low, Polarity};
use super::call::{Answer, Call, Calls};
use super::graph::{Graph, NodeId, Prim, VarId};
use super::{BruteLimits, Reason, Setting};
use crate::eval::Operation;
use crate::model::Model;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::printer::sort_text;
use smtlib::script::Script;
use smtlib::sort::{Sort, SortDeclId, SortId};
use smtlib::symbol::Symbol;
use smtlib::term::{BindersId, CasesId, DeclId, IndicesId, Kind, Lit, Pool, Quantifier, Role, TermId};
use smtlib::theory::OpId;

/// Maximum nesting of terms; the translation is recursive.
const DEPTH: usize = 1_500;
/// Maximum number of combinations of values for the variables of one quantifier.
const INSTANCES: u64 = 1 << 12;
/// Number of names for elements of a declared sort.
const ELEMENTS: usize = 12;

pub(super) type Lowered<T> = Result<T, Reason>;

/// What a variable represents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// A symbol of the script without arguments.
    Symbol(DeclId),
    /// An application of a function, or a read of an array.
    Applied(Function, Box<[NodeId]>),
    /// An index at which two arrays differ.
    Difference(u32),
}

/// What can be applied.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Function {
    Declared(DeclId),
    Selector(DeclId),
    /// An under-specified operator, by the name of its evaluation.
    Operator(&'static str, IndicesId),
}

/// For each function, the arguments of its applications and the variables for their results.
type Applications = HashMap<Rank, Vec<(Box<[NodeId]>, VarId)>, FxBuildHasher>;

#[derive(Clone, Debug)]
pub(super) struct Var {
    pub sort: SortId,
    pub origin: Origin,
}

/// A formula ready for search.
pub(super) struct Problem<'p> {
    pub graph: Graph,
    pub calls: Calls<'p>,
    pub vars: Vec<Var>,
    /// All must hold.
    pub conjuncts: Vec<NodeId>,
    /// Codes for elements of declared sorts.
    pub elements: Elements,
    /// Whether these are all the elements of the sorts.
    pub listed: bool,
    pub limits: BruteLimits,
}

/// Names of elements, by sort.
pub(super) type Elements = HashMap<SortDeclId, Vec<Symbol>, FxBuildHasher>;

/// Names for elements of every declared sort: the given number, or the maximum. They must exist before the pool is
/// borrowed.
pub(super) fn element_names(script: &mut Script, count: Option<usize>) -> Elements {
    let mut names = HashMap::default();
    for n in 0..script.pool.sort_decls.len() {
        if script.pool.sort_decls[n].datatype.is_none() {
            let sort = script.pool.name(script.pool.sort_decls[n].name).into_owned();
            let names_of = (0..count.unwrap_or(ELEMENTS))
                .map(|k| script.pool.symbol(format!("@{sort}_{k}").as_bytes()))
                .collect();
            names.insert(SortDeclId(n as u32), names_of);
        }
    }
    names
}

/// A model that only says that these are all the elements of their sorts.
pub(super) fn universe(script: &mut Script, elements: &Elements) -> Model {
    let mut model = Model::default();
    for (&decl, names) in elements {
        if script.pool.sort_decl(decl).arity != 0 {
            continue;
        }
        let sort = script.pool.sort_id(Sort::Declared(decl, [].into()));
        let literal = |&name: &Symbol| script.pool.term(Kind::Lit(Lit::Abstract, name), sort, &[]);
        let all = names.iter().map(literal).collect();
        model.universe.insert(sort, all);
    }
    model
}

pub(super) fn lower<'p>(
    pool: &'p Pool,
    terms: &[TermId],
    elements: &Elements,
    universe: &'p Model,
    setting: Setting,
) -> Lowered<Problem<'p>> {
    let limits = setting.limits;
    let mut lowering = Lowering {
        pool,
        graph: Graph::default(),
        calls: Calls::new(pool, universe, limits.work),
        open_points: setting.open_points,
        vars: vec![],
        var_ids: HashMap::default(),
        arrays: vec![],
        array_ids: HashMap::default(),
        applications: HashMap::default(),
        conditions: vec![],
        bound: HashMap::default(),
        memory: vec![HashMap::default()],
        limits,
        spent: 0,
        depth: 0,
    };
    let mut conjuncts = vec![];
    for &term in terms {
        conjuncts.push(lowering.scalar(term, Polarity::Positive)?);
    }
    lowering.congruence()?;
    let Lowering { graph, calls, vars, conditions, .. } = lowering;
    conjuncts.extend(conditions);
    let listed = setting.elements.is_some();
    Ok(Problem { graph, calls, vars, conjuncts, elements: elements.clone(), listed, limits })
}

/// A function with the sorts of its arguments and of its value; one operator may have several.
type Rank = (Function, Box<[SortId]>, SortId);

/// The cost of translating one term, in operations on single assignments.
const TERM: u64 = 100;

pub(super) struct Lowering<'p> {
    pub pool: &'p Pool,
    pub graph: Graph,
    pub calls: Calls<'p>,
    pub vars: Vec<Var>,
    var_ids: HashMap<Origin, VarId, FxBuildHasher>,
    pub arrays: Vec<Arr>,
    pub array_ids: HashMap<Arr, ArrId, FxBuildHasher>,
    /// For each function, its applications.
    applications: Applications,
    /// Conditions that must hold in addition to the assertions.
    conditions: Vec<NodeId>,
    /// Variables in scope, innermost last.
    bound: HashMap<Symbol, Vec<Low>, FxBuildHasher>,
    /// The terms that have been translated in each scope.
    memory: Vec<HashMap<(TermId, Polarity), Low, FxBuildHasher>>,
    pub limits: BruteLimits,
    /// Whether values may be chosen at under-specified points.
    open_points: bool,
    /// Work done so far. The number of nodes does not show it if everything is folded to constants.
    spent: u64,
    depth: usize,
}

impl Lowering<'_> {
    pub fn unsupported<T>(&self, what: impl Into<String>) -> Lowered<T> {
        Err(Reason::Unsupported(what.into()))
    }

    /// A term whose value has a code.
    pub fn scalar(&mut self, term: TermId, polarity: Polarity) -> Lowered<NodeId> {
        match self.term(term, polarity)? {
            Low::Scalar(node) => Ok(node),
            Low::Array(_) => self.unsupported("an array as a plain value"),
        }
    }

    pub fn term(&mut self, term: TermId, polarity: Polarity) -> Lowered<Low> {
        // Only Boolean terms can depend on the polarity.
        let polarity = if self.pool.sort_of(term) == SortId::BOOL { polarity } else { Polarity::Both };
        if let Some(known) = self.memory.last().and_then(|memory| memory.get(&(term, polarity))) {
            return Ok(known.clone());
        }
        if self.graph.len() + self.arrays.len() > self.limits.nodes {
            return Err(Reason::Nodes);
        }
        self.spent += TERM;
        if self.spent > self.limits.work {
            return Err(Reason::Work);
        }
        if self.depth > DEPTH {
            return self.unsupported("deep nesting");
        }
        self.depth += 1;
        let low = self.dispatch(term, polarity);
        self.depth -= 1;
        let low = low?;
        if let Some(memory) = self.memory.last_mut() {
            memory.insert((term, polarity), low.clone());
        }
        Ok(low)
    }

    fn dispatch(&mut self, term: TermId, polarity: Polarity) -> Lowered<Low> {
        let sort = self.pool.sort_of(term);
        match self.pool.kind(term) {
            Kind::Lit(Lit::Abstract, _) => self.unsupported("a named element"),
            Kind::Lit(..) => match self.calls.literal(term) {
                Some(code) => Ok(Low::Scalar(self.graph.constant_node(code, sort))),
                None => self.unsupported("a literal"),
            },
            Kind::Var(name) => match self.bound.get(&name).and_then(|values| values.last()) {
                Some(value) => Ok(value.clone()),
                None => self.unsupported("a variable without a value"),
            },
            Kind::Op { op, indices, .. } => self.operator(term, op, indices, polarity),
            Kind::Fun { decl, .. } => self.function(term, decl, polarity),
            Kind::Tester { constructor, .. } => self.plain_call(term, Operation::Tester(constructor)),
            Kind::Updater { selector } => self.plain_call(term, Operation::Updater(selector)),
            Kind::Let(binders) => self.binding(term, binders, polarity),
            Kind::Quant(quantifier, binders) => self.quantifier(term, quantifier, binders, polarity),
            Kind::Match(cases) => self.matching(term, cases, polarity),
            Kind::Annot(_) => self.term(self.pool.args(term)[0], polarity),
        }
    }

    // Scopes.

    fn scope<T>(
        &mut self,
        values: Vec<(Symbol, Low)>,
        run: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let names: Vec<Symbol> = values.iter().map(|&(name, _)| name).collect();
        for (name, value) in values {
            self.bound.entry(name).or_default().push(value);
        }
        self.memory.push(HashMap::default());
        let result = run(self);
        self.memory.pop();
        for name in names {
            if let Some(values) = self.bound.get_mut(&name) {
                values.pop();
            }
        }
        result
    }

    fn binding(&mut self, term: TermId, binders: BindersId, polarity: Polarity) -> Lowered<Low> {
        let Some((&body, values)) = self.pool.args(term).split_last() else {
            unreachable!("a let has a body")
        };
        let mut bound = vec![];
        for (&(name, _), &value) in self.pool.binder_list(binders).iter().zip(values) {
            bound.push((name, self.term(value, Polarity::Both)?));
        }
        self.scope(bound, |lowering| lowering.term(body, polarity))
    }

    fn quantifier(
        &mut self,
        term: TermId,
        quantifier: Quantifier,
        binders: BindersId,
        polarity: Polarity,
    ) -> Lowered<Low> {
        let all = match quantifier {
            Quantifier::Forall => true,
            Quantifier::Exists => false,
            _ => return self.unsupported(quantifier.name()),
        };
        let vars = self.pool.binder_list(binders).to_vec();
        let mut domains = vec![];
        let mut instances = 1u64;
        for &(_, sort) in &vars {
            let size = if self.is_lazy(sort) { None } else { self.calls.size(sort) };
            instances = size.map_or(u64::MAX, |size| instances.saturating_mul(size));
            if instances > INSTANCES {
                return self.unsupported(format!("a quantifier over {}", sort_text(self.pool, sort)));
            }
            let Some(members) = self.calls.members(sort) else {
                return self.unsupported("a quantifier");
            };
            domains.push(members);
        }
        let body = self.pool.args(term)[0];
        let mut parts = vec![];
        for number in 0..instances {
            let mut rest = number;
            let mut values = vec![];
            for (&(name, sort), domain) in vars.iter().zip(&domains) {
                let code = domain[(rest % domain.len() as u64) as usize];
                rest /= domain.len() as u64;
                values.push((name, Low::Scalar(self.graph.constant_node(code, sort))));
            }
            parts.push(self.scope(values, |lowering| lowering.scalar(body, polarity))?);
        }
        Ok(Low::Scalar(if all { self.graph.and(&parts) } else { self.graph.or(&parts) }))
    }

    /// The cases of a match, in order.
    fn matching(&mut self, term: TermId, cases: CasesId, polarity: Polarity) -> Lowered<Low> {
        let args = self.pool.args(term).to_vec();
        let subject = self.scalar(args[0], Polarity::Both)?;
        let sort = self.pool.sort_of(args[0]);
        let cases = self.pool.case_list(cases).to_vec();
        let mut result: Option<Low> = None;
        for (case, &body) in cases.iter().zip(&args[1..]).rev() {
            let Some(constructor) = case.constructor else {
                let bound = case.vars.iter().map(|&(name, _)| (name, Low::Scalar(subject))).collect();
                result = Some(self.scope(bound, |lowering| lowering.term(body, polarity))?);
                continue;
            };
            let condition = self.call(Operation::Tester(constructor), vec![subject], SortId::BOOL)?;
            let selectors: Vec<DeclId> = match self.pool.datatype(sort) {
                Some((datatype, _)) => datatype
                    .constructors
                    .iter()
                    .find(|c| c.decl == constructor)
                    .map_or(vec![], |c| c.selectors.to_vec()),
                None => vec![],
            };
            let mut bound = vec![];
            for (&(name, field), &selector) in case.vars.iter().zip(&selectors) {
                // It is only used under the condition, where the selector is defined.
                let value = self.call(Operation::Structure(selector), vec![subject], field)?;
                bound.push((name, Low::Scalar(value)));
            }
            let value = self.scope(bound, |lowering| lowering.term(body, polarity))?;
            result = Some(match result {
                None => value,
                Some(rest) => self.choose(condition, value, rest)?,
            });
        }
        result.map_or_else(|| self.unsupported("a match without cases"), Ok)
    }

    // Functions.

    fn function(&mut self, term: TermId, decl: DeclId, polarity: Polarity) -> Lowered<Low> {
        let declared = self.pool.decl(decl);
        let sort = self.pool.sort_of(term);
        let args = self.pool.args(term).to_vec();
        if args.len() != declared.params.len() || matches!(self.pool.sort(sort), Sort::Fun(_)) {
            return self.unsupported("a function as a value");
        }
        match declared.role {
            Role::Named(named) => {
                let bound = std::mem::take(&mut self.bound);
                let low = self.scope(vec![], |lowering| lowering.term(named, polarity));
                self.bound = bound;
                low
            }
            Role::Defined { vars, body, recursive: false } => {
                let mut values = vec![];
                for (&(name, _), &arg) in self.pool.binder_list(vars).iter().zip(&args) {
                    values.push((name, self.term(arg, Polarity::Both)?));
                }
                let bound = std::mem::take(&mut self.bound);
                let low = self.scope(values, |lowering| lowering.term(body, polarity));
                self.bound = bound;
                low
            }
            Role::Defined { .. } if self.is_closed(decl) => self.plain_call(term, Operation::Function(decl)),
            Role::Defined { .. } => self.unsupported("a recursive function over free symbols"),
            Role::Constructor { .. } => self.plain_call(term, Operation::Structure(decl)),
            Role::Selector { .. } => {
                let args = self.scalars(&args)?;
                let value = self.partial(Operation::Structure(decl), Function::Selector(decl), args, sort)?;
                Ok(Low::Scalar(value))
            }
            Role::Declared => {
                let args = self.scalars(&args)?;
                self.declared(decl, args, sort)
            }
        }
    }

    /// Whether no function that a defined function may call is a free symbol.
    fn is_closed(&self, decl: DeclId) -> bool {
        let mut seen = vec![];
        let mut waiting = vec![decl];
        while let Some(decl) = waiting.pop() {
            if seen.contains(&decl) {
                continue;
            }
            seen.push(decl);
            let body = match self.pool.decl(decl).role {
                Role::Declared => return false,
                Role::Defined { body, .. } | Role::Named(body) => body,
                Role::Constructor { .. } | Role::Selector { .. } => continue,
            };
            for term in self.pool.subterms(body) {
                match self.pool.kind(term) {
                    Kind::Fun { decl, .. } => waiting.push(decl),
                    Kind::Lit(Lit::Abstract, _) => return false,
                    _ => {}
                }
            }
        }
        true
    }

    pub fn scalars(&mut self, terms: &[TermId]) -> Lowered<Vec<NodeId>> {
        terms.iter().map(|&term| self.scalar(term, Polarity::Both)).collect()
    }

    fn declared(&mut self, decl: DeclId, args: Vec<NodeId>, sort: SortId) -> Lowered<Low> {
        if self.is_lazy(sort) {
            return Ok(Low::Array(self.array(Arr::Base { decl, args: args.into() })));
        }
        if args.is_empty() {
            return Ok(Low::Scalar(self.variable(Origin::Symbol(decl), sort)));
        }
        Ok(Low::Scalar(self.application(Function::Declared(decl), args, sort)))
    }

    pub fn variable(&mut self, origin: Origin, sort: SortId) -> NodeId {
        let var = match self.var_ids.get(&origin) {
            Some(&var) => var,
            None => {
                let var = VarId(self.vars.len() as u32);
                self.vars.push(Var { sort, origin: origin.clone() });
                self.var_ids.insert(origin, var);
                var
            }
        };
        self.graph.var(var, sort)
    }

    pub fn application(&mut self, function: Function, args: Vec<NodeId>, sort: SortId) -> NodeId {
        let args: Box<[NodeId]> = args.into();
        let known = self.vars.len();
        let node = self.variable(Origin::Applied(function.clone(), args.clone()), sort);
        if self.vars.len() > known {
            let var = VarId(known as u32);
            let sorts = args.iter().map(|&arg| self.graph.sort(arg)).collect();
            self.applications.entry((function, sorts, sort)).or_default().push((args, var));
        }
        node
    }

    /// Adds the conditions that equal arguments give equal values.
    fn congruence(&mut self) -> Lowered<()> {
        let mut functions: Vec<_> = self.applications.drain().collect();
        functions.sort_by_key(|(_, applications)| applications.first().map(|&(_, var)| var));
        for ((_, _, sort), applications) in functions {
            for (n, (args, var)) in applications.iter().enumerate() {
                for (other_args, other) in &applications[..n] {
                    let mut parts = vec![];
                    for (&a, &b) in args.iter().zip(other_args) {
                        let equal = self.equal(a, b)?;
                        parts.push(self.graph.not(equal));
                    }
                    let (a, b) = (self.graph.var(*var, sort), self.graph.var(*other, sort));
                    parts.push(self.equal(a, b)?);
                    let condition = self.graph.or(&parts);
                    self.conditions.push(condition);
                }
                if self.graph.len() > self.limits.nodes {
                    return Err(Reason::Nodes);
                }
            }
        }
        Ok(())
    }

    pub fn condition(&mut self, node: NodeId) {
        self.conditions.push(node);
    }

    // Calls.

    /// A call on all arguments of a term.
    fn plain_call(&mut self, term: TermId, operation: Operation) -> Lowered<Low> {
        let args = self.scalars(self.pool.args(term))?;
        Ok(Low::Scalar(self.call(operation, args, self.pool.sort_of(term))?))
    }

    pub fn call(&mut self, operation: Operation, args: Vec<NodeId>, sort: SortId) -> Lowered<NodeId> {
        if self.is_lazy(sort) {
            return self.unsupported("an operator on large arrays");
        }
        let sorts: Box<[SortId]> = args.iter().map(|&arg| self.graph.sort(arg)).collect();
        let id = self.calls.id(Call { operation, args: sorts, sort });
        if let Some(codes) = self.graph.constants(&args)
            && let Answer::Code(code) = self.calls.ask(id, &codes)
        {
            return Ok(self.graph.constant_node(code, sort));
        }
        Ok(self.graph.apply(Prim::Call(id), &args, sort))
    }

    /// A call that may reach a point where the operation is under-specified: there it has any value of its sort, the
    /// same for the same arguments.
    pub fn partial(
        &mut self,
        operation: Operation,
        function: Function,
        args: Vec<NodeId>,
        sort: SortId,
    ) -> Lowered<NodeId> {
        let value = self.call(operation, args.clone(), sort)?;
        if !self.open_points || self.graph.constant(value).is_some() || self.calls.size(sort).is_none() {
            return Ok(value);
        }
        let sorts: Box<[SortId]> = args.iter().map(|&arg| self.graph.sort(arg)).collect();
        let id = self.calls.id(Call { operation, args: sorts, sort });
        let open = match self.graph.constants(&args) {
            Some(codes) => {
                let open = self.calls.ask(id, &codes) == Answer::Open;
                self.graph.truth(open)
            }
            None => self.graph.apply(Prim::IsOpen(id), &args, SortId::BOOL),
        };
        if self.graph.constant(open) == Some(0) {
            return Ok(value);
        }
        let choice = self.application(function.clone(), args.clone(), sort);
        if let Function::Operator("fp_min" | "fp_max", _) = function {
            // One of the two zeros.
            let not_open = self.graph.not(open);
            let either = [self.graph.equal(choice, args[0]), self.graph.equal(choice, args[1])];
            let condition = self.graph.or(&[not_open, either[0], either[1]]);
            self.condition(condition);
        }
        Ok(self.graph.ite(open, choice, value))
    }

    /// Equality of two values that have codes.
    pub fn equal(&mut self, a: NodeId, b: NodeId) -> Lowered<NodeId> {
        if a == b || self.calls.has_plain_equality(self.graph.sort(a)) {
            return Ok(self.graph.equal(a, b));
        }
        let op = smtlib::theory::constant("=");
        self.call(Operation::Operator(op, IndicesId::NONE), vec![a, b], SortId::BOOL)
    }

    /// An operator without a machine form.
    pub fn evaluated(
        &mut self,
        op: OpId,
        indices: IndicesId,
        args: Vec<NodeId>,
        sort: SortId,
    ) -> Lowered<NodeId> {
        let operation = Operation::Operator(op, indices);
        let row = op.row();
        match (row.under, row.eval) {
            (None, _) => self.call(operation, args, sort),
            (Some(_), name) => {
                let name = name.unwrap_or(row.name);
                self.partial(operation, Function::Operator(name, indices), args, sort)
            }
        }
    }
}
