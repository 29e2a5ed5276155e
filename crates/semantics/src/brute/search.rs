//! The search: splits the problem as far as possible and tries all assignments where there are few enough.
//!
//! Conjuncts that share variables, directly or through others, form a component; components are decided one after the
//! other. For a component of few bits all assignments are tried in blocks. In a larger one, a variable that occurs
//! often is set to each of its values in turn; the rest is then split into smaller components or becomes a constant.

use super::Reason;
use super::answer;
use super::block::{BlockPlan, Domain, Domains, Flow, VarsOf};
use super::column::{Columns, Program};
use super::graph::{NodeId, VarId};
use super::lower::{Function, Origin, Problem};
use super::simplify::{self, Simplified, simplify};
use crate::value::Value;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::{Sort, SortId};

/// Components of at most this many bits are tried in blocks.
const BITS: f64 = 17.0;

pub(super) enum Outcome {
    /// A model as text.
    Sat(String),
    Unsat,
    Unknown(Reason),
}

/// The values of variables, by number.
type Assignment = HashMap<VarId, u64, FxBuildHasher>;

enum Found {
    Sat,
    Unsat,
    Unknown(Reason),
}

pub(super) fn solve(problem: Problem<'_>) -> Outcome {
    let conjuncts = problem.conjuncts.clone();
    let mut solver = Solver {
        problem,
        domains: HashMap::default(),
        elements_used: HashMap::default(),
        assignment: Assignment::default(),
        work: 0,
    };
    match solver.all(&conjuncts) {
        Found::Unsat => Outcome::Unsat,
        Found::Unknown(reason) => Outcome::Unknown(reason),
        Found::Sat => match solver.model() {
            Some(text) => Outcome::Sat(text),
            None => Outcome::Unknown(Reason::Poisoned),
        },
    }
}

struct Solver<'p> {
    problem: Problem<'p>,
    /// Computed once; `None` for a variable without a domain.
    domains: HashMap<VarId, Option<Domain>, FxBuildHasher>,
    /// The number of variables of each declared sort that have a domain already.
    elements_used: HashMap<SortId, usize, FxBuildHasher>,
    assignment: Assignment,
    work: u64,
}

impl Solver<'_> {
    /// Decides a conjunction. If it is satisfiable, the variables in it are assigned.
    fn all(&mut self, conjuncts: &[NodeId]) -> Found {
        let simplified = simplify(&mut self.problem, conjuncts);
        self.work += self.problem.graph.take_effort() + conjuncts.len() as u64;
        if simplified.is_false {
            return Found::Unsat;
        }
        let vars_of: VarsOf = simplified.conjuncts.iter().map(|&c| (c, self.problem.graph.vars(c))).collect();
        let mut components = components(&simplified.conjuncts, &vars_of);
        let bounds = simplify::bounds(&self.problem, &simplified.conjuncts);
        // Small components first: a contradiction in one makes the large ones unnecessary.
        components.sort_by_key(Vec::len);
        let mut unknown = None;
        for component in components {
            match self.component(&component, &vars_of, &bounds) {
                Found::Sat => {}
                Found::Unsat => return Found::Unsat,
                Found::Unknown(Reason::Work) => return Found::Unknown(Reason::Work),
                Found::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        match unknown {
            Some(reason) => Found::Unknown(reason),
            None => self.define(&simplified),
        }
    }

    /// Computes the variables that are determined by others.
    fn define(&mut self, simplified: &Simplified) -> Found {
        for &(var, value) in simplified.defined.iter().rev() {
            for needed in self.problem.graph.vars(value) {
                if !self.assignment.contains_key(&needed) {
                    match self.any_value(needed) {
                        Some(code) => self.assignment.insert(needed, code),
                        None => return Found::Unknown(Reason::Domain(self.name(needed))),
                    };
                }
            }
            let Some(code) = self.evaluate(value) else { return Found::Unknown(Reason::Poisoned) };
            self.assignment.insert(var, code);
        }
        Found::Sat
    }

    fn component(&mut self, conjuncts: &[NodeId], vars_of: &VarsOf, bounds: &Bounds) -> Found {
        let mut count: HashMap<VarId, u32, FxBuildHasher> = HashMap::default();
        for var in conjuncts.iter().flat_map(|c| &vars_of[c]) {
            *count.entry(*var).or_default() += 1;
        }
        let mut vars: Vec<VarId> = count.keys().copied().collect();
        vars.sort_unstable();
        let mut domains = Domains::default();
        let mut without = None;
        for &var in &vars {
            match self.domain(var, bounds) {
                Some(domain) => {
                    domains.insert(var, domain);
                }
                None => without = without.or(Some(var)),
            }
        }
        let bits: f64 = domains.values().map(Domain::bits).sum();
        if without.is_none() && bits <= BITS {
            return self.try_out(conjuncts, vars_of, &domains);
        }
        // The variable that occurs in most conjuncts, counted per bit.
        let weight = |var: &VarId| f64::from(count[var]) / (domains[var].bits() + 0.5);
        let split = vars
            .iter()
            .copied()
            .filter(|var| domains.contains_key(var))
            .max_by(|a, b| weight(a).total_cmp(&weight(b)).then(b.cmp(a)));
        match (split, without) {
            (Some(var), _) if without.is_none() || vars.len() > 1 => {
                self.split(conjuncts, var, &domains[&var])
            }
            (_, Some(var)) => Found::Unknown(Reason::Domain(self.name(var))),
            _ => self.try_out(conjuncts, vars_of, &domains),
        }
    }

    /// Sets a variable to each of its values.
    fn split(&mut self, conjuncts: &[NodeId], var: VarId, domain: &Domain) -> Found {
        let mut unknown = None;
        for n in 0..domain.len() {
            if self.work > self.problem.limits.work {
                return Found::Unknown(Reason::Work);
            }
            let mark = self.problem.graph.len();
            let code = domain.code(n);
            let fixed = simplify::fixed(&mut self.problem, conjuncts, var, code);
            let found = self.all(&fixed);
            self.problem.graph.truncate(mark);
            match found {
                Found::Sat => {
                    self.assignment.insert(var, code);
                    return Found::Sat;
                }
                Found::Unsat => {}
                Found::Unknown(Reason::Work) => return Found::Unknown(Reason::Work),
                Found::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        unknown.map_or(Found::Unsat, Found::Unknown)
    }

    /// Tries all assignments.
    fn try_out(&mut self, conjuncts: &[NodeId], vars_of: &VarsOf, domains: &Domains) -> Found {
        let left = self.problem.limits.work.saturating_sub(self.work);
        let mut plan = BlockPlan::new(&self.problem.graph, conjuncts, vars_of, domains, left);
        let flow = plan.run(&mut self.problem.calls);
        self.work += plan.work;
        match flow {
            Flow::Found(codes) => {
                self.assignment.extend(plan.order.iter().copied().zip(codes));
                Found::Sat
            }
            Flow::Exhausted => Found::Unsat,
            Flow::Poisoned => Found::Unknown(Reason::Poisoned),
            Flow::Limit => Found::Unknown(Reason::Work),
        }
    }

    // Domains.

    fn domain(&mut self, var: VarId, bounds: &Bounds) -> Option<Domain> {
        let sort = self.problem.vars[var.0 as usize].sort;
        if sort == SortId::INT {
            return self.int_domain(var, bounds).filter(|domain| domain.len() <= self.problem.limits.domain);
        }
        if let Some(known) = self.domains.get(&var) {
            return known.clone();
        }
        let domain = match self.problem.calls.pool().sort(sort) {
            Sort::Bool => Some(Domain::Range(0, 2)),
            Sort::BitVec(width) => (*width < 63).then(|| Domain::Range(0, 1 << width)),
            _ => match simplify::declared(&self.problem, sort) {
                Some(_) => self.element_domain(sort),
                None => self.problem.calls.members(sort).map(Domain::List),
            },
        };
        let domain = domain.filter(|domain| domain.len() <= self.problem.limits.domain);
        self.domains.insert(var, domain.clone());
        domain
    }

    fn int_domain(&self, var: VarId, bounds: &Bounds) -> Option<Domain> {
        let &(low, high) = bounds.get(&var)?;
        let (low, high) = (low?, high?);
        let count = if high < low { 0 } else { high.checked_sub(low)?.checked_add(1)? as u64 };
        Some(Domain::Range(low, count))
    }

    /// The elements of a declared sort are interchangeable: the first variable can be assumed to be the first element,
    /// the second the first or the second, and so on.
    fn element_domain(&mut self, sort: SortId) -> Option<Domain> {
        let decl = simplify::declared(&self.problem, sort)?;
        let names = self.problem.elements.get(&decl)?.clone();
        let used = self.elements_used.entry(sort).or_default();
        *used += 1;
        // A quantifier over listed elements names each of them, so they are not interchangeable.
        let names = if self.problem.listed { &names[..] } else { names.get(..*used)? };
        let codes: Option<Vec<u64>> = names
            .iter()
            .map(|&name| self.problem.calls.code(&Value::Abstract { sort, name }, sort))
            .collect();
        codes.map(Domain::List)
    }

    fn name(&self, var: VarId) -> String {
        let pool = self.problem.calls.pool();
        match &self.problem.vars[var.0 as usize].origin {
            Origin::Symbol(decl) | Origin::Applied(Function::Declared(decl), _) => {
                pool.name(pool.decl(*decl).name).into_owned()
            }
            Origin::Applied(..) => "an under-specified point".to_owned(),
            Origin::Difference(_) => "an index where arrays differ".to_owned(),
        }
    }

    // The result.

    /// Values for the variables that the search did not need, and the model as text.
    fn model(&mut self) -> Option<String> {
        for n in 0..self.problem.vars.len() {
            let var = VarId(n as u32);
            if !self.assignment.contains_key(&var) {
                let code = self.any_value(var)?;
                self.assignment.insert(var, code);
            }
        }
        let entries = self.entries()?;
        answer::text(&mut self.problem, &entries)
    }

    /// The values of the script's functions in the assignment.
    fn entries(&mut self) -> Option<Vec<answer::Entry>> {
        let mut entries = vec![];
        for n in 0..self.problem.vars.len() {
            let value = *self.assignment.get(&VarId(n as u32))?;
            let (decl, args) = match self.problem.vars[n].origin.clone() {
                Origin::Symbol(decl) => (decl, vec![]),
                Origin::Applied(Function::Declared(decl), args) => (decl, args.to_vec()),
                Origin::Applied(..) | Origin::Difference(_) => continue,
            };
            let args = args.into_iter().map(|arg| self.evaluate(arg)).collect::<Option<_>>()?;
            entries.push(answer::Entry { decl, args, value });
        }
        Some(entries)
    }

    fn any_value(&mut self, var: VarId) -> Option<u64> {
        let sort = self.problem.vars[var.0 as usize].sort;
        if let Some(decl) = simplify::declared(&self.problem, sort) {
            let name = *self.problem.elements.get(&decl)?.first()?;
            return self.problem.calls.code(&Value::Abstract { sort, name }, sort);
        }
        self.problem.calls.default(sort)
    }

    fn evaluate(&mut self, node: NodeId) -> Option<u64> {
        let mut program = Program::compile(&self.problem.graph, node);
        program.make_columns(1);
        let mut assigned = Columns::default();
        let mut columns = vec![];
        for var in self.problem.graph.vars(node) {
            assigned.insert(var, columns.len());
            columns.push(vec![*self.assignment.get(&var)?]);
        }
        let (value, poison) = program.run(&mut self.problem.calls, &assigned, &columns, 1);
        (!poison[0]).then_some(value[0])
    }
}

type Bounds = HashMap<VarId, (Option<i64>, Option<i64>), FxBuildHasher>;

/// Conjuncts grouped by shared variables.
fn components(conjuncts: &[NodeId], vars_of: &VarsOf) -> Vec<Vec<NodeId>> {
    let mut leader: HashMap<VarId, VarId, FxBuildHasher> = HashMap::default();
    fn find(leader: &mut HashMap<VarId, VarId, FxBuildHasher>, var: VarId) -> VarId {
        let mut at = var;
        while let Some(&next) = leader.get(&at)
            && next != at
        {
            at = next;
        }
        leader.insert(var, at);
        at
    }
    for conjunct in conjuncts {
        for pair in vars_of[conjunct].windows(2) {
            let (a, b) = (find(&mut leader, pair[0]), find(&mut leader, pair[1]));
            leader.insert(a.max(b), a.min(b));
        }
    }
    let mut groups: std::collections::BTreeMap<Option<VarId>, Vec<NodeId>> =
        std::collections::BTreeMap::new();
    for &conjunct in conjuncts {
        // A conjunct without variables cannot be computed; it is a component of its own.
        let group = vars_of[&conjunct].first().map(|&var| find(&mut leader, var));
        groups.entry(group).or_default().push(conjunct);
    }
    groups.into_values().collect()
}
