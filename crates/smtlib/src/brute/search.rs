//! The search: assignments in blocks, dropped as soon as they falsify a conjunct.
//!
//! Conjuncts that share variables, directly or through others, form a component; components are decided one after
//! the other. Within a component variables are ordered so that conjuncts are complete early: always next those of
//! the conjunct that needs the fewest further assignments. A block of partial assignments is extended by all
//! values of the next variable, cut into blocks again, filtered by the conjuncts that are complete now, and
//! followed depth first.

use super::answer;
use super::column::{Columns, LANES, Program};
use super::graph::{NodeId, VarId};
use super::lower::{Function, Origin, Problem};
use super::simplify::{self, Simplified, simplify};
use super::Reason;
use crate::sort::{Sort, SortId};
use crate::value::Value;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

pub(super) enum Outcome {
    /// A model as text.
    Sat(String),
    Unsat,
    Unknown(Reason),
}

/// What is known about the variables, by number.
pub(super) type Assignment = HashMap<VarId, u64, FxBuildHasher>;

/// The values that a variable may have.
#[derive(Clone, Debug)]
enum Domain {
    Range(i64, u64),
    List(Vec<u64>),
}

impl Domain {
    fn len(&self) -> u64 {
        match self {
            Domain::Range(_, count) => *count,
            Domain::List(codes) => codes.len() as u64,
        }
    }

    fn code(&self, n: u64) -> u64 {
        match self {
            Domain::Range(first, _) => first.wrapping_add(n as i64) as u64,
            Domain::List(codes) => codes[n as usize],
        }
    }
}

pub(super) fn solve(mut problem: Problem<'_>) -> Outcome {
    let simplified = simplify(&mut problem);
    if simplified.is_false {
        return Outcome::Unsat;
    }
    let mut solver = Solver::new(problem, &simplified);
    let mut unknown = None;
    // Small components first: a contradiction there saves the large ones.
    let mut components = solver.components(&simplified.conjuncts);
    components.sort_by_key(|component| component.len());
    for component in components {
        match solver.component(&component) {
            Found::Sat => {}
            Found::Unsat => return Outcome::Unsat,
            Found::Unknown(reason) => unknown = unknown.or(Some(reason)),
        }
    }
    match unknown {
        Some(reason) => Outcome::Unknown(reason),
        None => solver.finish(&simplified),
    }
}

enum Found {
    Sat,
    Unsat,
    Unknown(Reason),
}

struct Solver<'p> {
    problem: Problem<'p>,
    vars_of: HashMap<NodeId, Vec<VarId>, FxBuildHasher>,
    bounds: HashMap<VarId, (Option<i64>, Option<i64>), FxBuildHasher>,
    /// How many variables of each declared sort have a domain already.
    elements_used: HashMap<SortId, usize, FxBuildHasher>,
    assignment: Assignment,
    work: u64,
}

impl<'p> Solver<'p> {
    fn new(problem: Problem<'p>, simplified: &Simplified) -> Solver<'p> {
        let vars_of = simplified.conjuncts.iter().map(|&c| (c, problem.graph.vars(c))).collect();
        let bounds = simplify::bounds(&problem, &simplified.conjuncts);
        Solver {
            problem,
            vars_of,
            bounds,
            elements_used: HashMap::default(),
            assignment: Assignment::default(),
            work: 0,
        }
    }

    /// Conjuncts grouped by shared variables.
    fn components(&self, conjuncts: &[NodeId]) -> Vec<Vec<NodeId>> {
        let mut leader: Vec<usize> = (0..self.problem.vars.len()).collect();
        fn find(leader: &mut [usize], mut at: usize) -> usize {
            while leader[at] != at {
                leader[at] = leader[leader[at]];
                at = leader[at];
            }
            at
        }
        for conjunct in conjuncts {
            let vars = &self.vars_of[conjunct];
            for pair in vars.windows(2) {
                let (a, b) =
                    (find(&mut leader, pair[0].0 as usize), find(&mut leader, pair[1].0 as usize));
                leader[a.max(b)] = a.min(b);
            }
        }
        let mut groups: std::collections::BTreeMap<usize, Vec<NodeId>> = std::collections::BTreeMap::new();
        for &conjunct in conjuncts {
            // A conjunct without variables cannot be computed; it stands alone.
            let group = self.vars_of[&conjunct].first().map_or(usize::MAX, |var| {
                find(&mut leader, var.0 as usize)
            });
            groups.entry(group).or_default().push(conjunct);
        }
        groups.into_values().collect()
    }

    // Domains.

    fn domain(&mut self, var: VarId) -> Result<Domain, Reason> {
        let sort = self.problem.vars[var.0 as usize].sort;
        let most = self.problem.limits.domain;
        let pool = self.problem.calls.pool();
        let domain = match pool.sort(sort) {
            Sort::Bool => Some(Domain::Range(0, 2)),
            Sort::BitVec(width) => (*width < 63).then(|| Domain::Range(0, 1 << width)),
            Sort::Int => self.int_domain(var),
            _ => match simplify::declared(&self.problem, sort) {
                Some(_) => self.element_domain(sort),
                None => self.problem.calls.members(sort).map(Domain::List),
            },
        };
        match domain {
            Some(domain) if domain.len() <= most => Ok(domain),
            _ => Err(Reason::Domain(self.name(var))),
        }
    }

    fn int_domain(&self, var: VarId) -> Option<Domain> {
        let &(low, high) = self.bounds.get(&var)?;
        let (low, high) = (low?, high?);
        let count = if high < low { 0 } else { high.checked_sub(low)?.checked_add(1)? as u64 };
        Some(Domain::Range(low, count))
    }

    /// Elements of a declared sort have no names that matter: the first variable may as well be the first element,
    /// the second the first or the second, and so on.
    fn element_domain(&mut self, sort: SortId) -> Option<Domain> {
        let decl = simplify::declared(&self.problem, sort)?;
        let names = self.problem.elements.get(&decl)?.clone();
        let used = self.elements_used.entry(sort).or_default();
        *used += 1;
        let names = names.get(..*used)?;
        let codes: Option<Vec<u64>> = names
            .iter()
            .map(|&name| self.problem.calls.code(&Value::Abstract { sort, name }, sort))
            .collect();
        codes.map(Domain::List)
    }

    fn name(&self, var: VarId) -> String {
        let pool = self.problem.calls.pool();
        match &self.problem.vars[var.0 as usize].origin {
            Origin::Symbol(decl) => pool.name(pool.decl(*decl).name).into_owned(),
            Origin::Applied(Function::Declared(decl), _) => {
                pool.name(pool.decl(*decl).name).into_owned()
            }
            Origin::Applied(..) => "an under-specified point".to_owned(),
            Origin::Difference(_) => "an index where arrays differ".to_owned(),
        }
    }

    // Components.

    fn component(&mut self, conjuncts: &[NodeId]) -> Found {
        let mut vars: Vec<VarId> = conjuncts.iter().flat_map(|c| self.vars_of[c].clone()).collect();
        vars.sort_unstable();
        vars.dedup();
        let mut domains: HashMap<VarId, Domain, FxBuildHasher> = HashMap::default();
        for &var in &vars {
            match self.domain(var) {
                Ok(domain) => {
                    domains.insert(var, domain);
                }
                Err(reason) => return Found::Unknown(reason),
            }
        }
        let order = self.order(conjuncts, &domains);
        let plan = self.plan(conjuncts, order, &domains);
        self.explore(plan)
    }

    /// The order of assignment.
    fn order(&self, conjuncts: &[NodeId], domains: &HashMap<VarId, Domain, FxBuildHasher>) -> Vec<VarId> {
        let cost = |var: &VarId| (domains[var].len().max(1) as f64).log2();
        let mut order: Vec<VarId> = vec![];
        let mut placed: HashSet<VarId, FxBuildHasher> = HashSet::default();
        let mut waiting: Vec<&Vec<VarId>> = conjuncts.iter().map(|c| &self.vars_of[c]).collect();
        while !waiting.is_empty() {
            let missing =
                |vars: &Vec<VarId>| vars.iter().filter(|v| !placed.contains(*v)).map(cost).sum::<f64>();
            let next = waiting
                .iter()
                .enumerate()
                .min_by(|(_, a), (_, b)| missing(a).total_cmp(&missing(b)))
                .map_or(0, |(n, _)| n);
            let mut vars: Vec<VarId> =
                waiting.swap_remove(next).iter().copied().filter(|var| !placed.contains(var)).collect();
            vars.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.cmp(b)));
            placed.extend(vars.iter().copied());
            order.extend(vars);
        }
        order
    }

    fn plan(
        &self,
        conjuncts: &[NodeId],
        order: Vec<VarId>,
        domains: &HashMap<VarId, Domain, FxBuildHasher>,
    ) -> Plan {
        let assigned: Columns = order.iter().enumerate().map(|(n, &var)| (var, n)).collect();
        let mut checks: Vec<Vec<Program>> = (0..=order.len()).map(|_| vec![]).collect();
        for conjunct in conjuncts {
            let last = self.vars_of[conjunct].iter().map(|var| assigned[var] + 1).max().unwrap_or(0);
            checks[last].push(Program::compile(&self.problem.graph, *conjunct));
        }
        // Short programs first: they drop assignments for less.
        for programs in &mut checks {
            programs.sort_by_key(Program::len);
        }
        let domains = order.iter().map(|var| domains[var].clone()).collect();
        Plan { order, domains, checks, assigned, poisoned: false }
    }

    fn explore(&mut self, mut plan: Plan) -> Found {
        let start = Block { columns: vec![], tainted: vec![false], lanes: 1 };
        match self.step(&mut plan, 0, start) {
            Flow::Found(codes) => {
                self.assignment.extend(plan.order.iter().copied().zip(codes));
                Found::Sat
            }
            Flow::Limit => Found::Unknown(Reason::Work),
            Flow::Exhausted if plan.poisoned => Found::Unknown(Reason::Poisoned),
            Flow::Exhausted => Found::Unsat,
        }
    }

    /// Filters a block of assignments to the first `depth` variables, then extends it.
    fn step(&mut self, plan: &mut Plan, depth: usize, mut block: Block) -> Flow {
        for program in &mut plan.checks[depth] {
            self.work += (program.len() * block.lanes) as u64;
            let (truth, poison) =
                program.run(&mut self.problem.calls, &plan.assigned, &block.columns, block.lanes);
            block.filter(truth, poison);
            if block.lanes == 0 {
                return Flow::Exhausted;
            }
        }
        self.work += (block.lanes * (depth + 1)) as u64;
        if self.work > self.problem.limits.work {
            return Flow::Limit;
        }
        if depth == plan.order.len() {
            if let Some(lane) = block.tainted.iter().position(|tainted| !tainted) {
                return Flow::Found(block.columns.iter().map(|column| column[lane]).collect());
            }
            plan.poisoned = true;
            return Flow::Exhausted;
        }
        let values = plan.domains[depth].len();
        let total = block.lanes as u64 * values;
        let mut first = 0;
        while first < total {
            let count = (total - first).min(LANES as u64);
            let next = block.extended(&plan.domains[depth], values, first, count as usize);
            match self.step(plan, depth + 1, next) {
                Flow::Exhausted => {}
                done => return done,
            }
            first += count;
        }
        Flow::Exhausted
    }

    // The end.

    /// Values for what the search did not need, and the model as text.
    fn finish(mut self, simplified: &Simplified) -> Outcome {
        let defined: HashSet<VarId, FxBuildHasher> = simplified.defined.iter().map(|&(var, _)| var).collect();
        for n in 0..self.problem.vars.len() {
            let var = VarId(n as u32);
            if defined.contains(&var) || self.assignment.contains_key(&var) {
                continue;
            }
            match self.any_value(var) {
                Some(code) => {
                    self.assignment.insert(var, code);
                }
                None => return Outcome::Unknown(Reason::Domain(self.name(var))),
            }
        }
        for &(var, value) in simplified.defined.iter().rev() {
            let Some(code) = self.evaluate(value) else { return Outcome::Unknown(Reason::Poisoned) };
            self.assignment.insert(var, code);
        }
        match self.entries().and_then(|entries| answer::text(&mut self.problem, &entries)) {
            Some(text) => Outcome::Sat(text),
            None => Outcome::Unknown(Reason::Poisoned),
        }
    }

    /// What the assignment says about the functions of the script.
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
        let vars = self.problem.graph.vars(node);
        let mut assigned = Columns::default();
        let mut columns = vec![];
        for var in vars {
            assigned.insert(var, columns.len());
            columns.push(vec![*self.assignment.get(&var)?]);
        }
        let (value, poison) = program.run(&mut self.problem.calls, &assigned, &columns, 1);
        (!poison[0]).then_some(value[0])
    }
}

struct Plan {
    order: Vec<VarId>,
    domains: Vec<Domain>,
    /// What is complete after so many variables.
    checks: Vec<Vec<Program>>,
    assigned: Columns,
    /// An assignment survived that could not be computed.
    poisoned: bool,
}

enum Flow {
    Found(Vec<u64>),
    Exhausted,
    Limit,
}

/// Partial assignments: a column per assigned variable.
struct Block {
    columns: Vec<Vec<u64>>,
    /// Whether some conjunct could not be computed.
    tainted: Vec<bool>,
    lanes: usize,
}

impl Block {
    /// Keeps what is true, and what is poisoned as tainted.
    fn filter(&mut self, truth: &[u64], poison: &[bool]) {
        let keep: Vec<bool> = truth.iter().zip(poison).map(|(&t, &p)| p || t != 0).collect();
        for (tainted, &poison) in self.tainted.iter_mut().zip(poison) {
            *tainted |= poison;
        }
        if keep.iter().all(|&kept| kept) {
            return;
        }
        retain(&mut self.tainted, &keep);
        for column in &mut self.columns {
            retain(column, &keep);
        }
        self.lanes = self.tainted.len();
    }

    /// The assignments from number `first` on among those that the values of one more variable give.
    fn extended(&self, domain: &Domain, values: u64, first: u64, count: usize) -> Block {
        let mut columns: Vec<Vec<u64>> =
            (0..=self.columns.len()).map(|_| Vec::with_capacity(count)).collect();
        let mut tainted = Vec::with_capacity(count);
        let (mut lane, mut value) = ((first / values) as usize, first % values);
        let mut left = count;
        while left > 0 {
            let run = (values - value).min(left as u64);
            for (column, new) in self.columns.iter().zip(&mut columns) {
                new.extend(std::iter::repeat_n(column[lane], run as usize));
            }
            tainted.extend(std::iter::repeat_n(self.tainted[lane], run as usize));
            if let Some(last) = columns.last_mut() {
                last.extend((value..value + run).map(|n| domain.code(n)));
            }
            left -= run as usize;
            value = 0;
            lane += 1;
        }
        Block { columns, tainted, lanes: count }
    }
}

fn retain<T: Copy>(items: &mut Vec<T>, keep: &[bool]) {
    let mut at = 0;
    items.retain(|_| {
        at += 1;
        keep[at - 1]
    });
}
