//! Tries all assignments to a few variables, in blocks, and drops each as soon as it falsifies a conjunct.
//!
//! Variables are ordered so that conjuncts are complete early: next are always those of the conjunct that needs the
//! fewest further assignments. A block of partial assignments is extended by all values of the next variable, split
//! into blocks again, filtered by the conjuncts that are complete now, and explored depth first.

use super::call::{Calls, TO_COMPUTE};
use super::column::{Columns, LANES, Program};
use super::graph::{Graph, NodeId, VarId};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// The values that a variable may have.
#[derive(Clone, Debug)]
pub(super) enum Domain {
    Range(i64, u64),
    List(Vec<u64>),
}

impl Domain {
    pub fn len(&self) -> u64 {
        match self {
            Domain::Range(_, count) => *count,
            Domain::List(codes) => codes.len() as u64,
        }
    }

    pub fn code(&self, n: u64) -> u64 {
        match self {
            Domain::Range(first, _) => first.wrapping_add(n as i64) as u64,
            Domain::List(codes) => codes[n as usize],
        }
    }

    pub fn bits(&self) -> f64 {
        (self.len().max(1) as f64).log2()
    }
}

pub(super) enum Flow {
    /// Values for the variables in the plan's order.
    Found(Vec<u64>),
    Exhausted,
    /// As `Exhausted`, but some remaining assignment could not be computed.
    Poisoned,
    /// The work limit is reached.
    Limit,
}

pub(super) type Domains = HashMap<VarId, Domain, FxBuildHasher>;
pub(super) type VarsOf = HashMap<NodeId, Vec<VarId>, FxBuildHasher>;

pub(super) struct BlockPlan {
    pub order: Vec<VarId>,
    domains: Vec<Domain>,
    /// The conjuncts that are complete after this many variables.
    checks: Vec<Vec<Program>>,
    assigned: Columns,
    poisoned: bool,
    /// The number of assignments in a block.
    lanes: u64,
    pub work: u64,
    limit: u64,
}

/// A block costs at most one part in so many of the limit, which is only looked at between blocks.
const BLOCKS: u64 = 16;

/// With fewer assignments the block itself costs more than what is done in it.
const LEAST_LANES: u64 = 8;

impl BlockPlan {
    pub fn new(
        graph: &Graph,
        conjuncts: &[NodeId],
        vars_of: &VarsOf,
        domains: &Domains,
        limit: u64,
    ) -> BlockPlan {
        let order = order(conjuncts, vars_of, domains);
        let assigned: Columns = order.iter().enumerate().map(|(n, &var)| (var, n)).collect();
        let mut checks: Vec<Vec<Program>> = (0..=order.len()).map(|_| vec![]).collect();
        for conjunct in conjuncts {
            let last = vars_of[conjunct].iter().map(|var| assigned[var] + 1).max().unwrap_or(0);
            checks[last].push(Program::compile(graph, *conjunct));
        }
        // Short programs first: they drop assignments at lower cost.
        for programs in &mut checks {
            programs.sort_by_key(Program::len);
        }
        let calls: usize = checks.iter().flatten().map(Program::calls).sum();
        let most = limit / BLOCKS / (TO_COMPUTE * calls.max(1) as u64);
        let all = order.iter().fold(1u64, |all, var| all.saturating_mul(domains[var].len()));
        let lanes = most.clamp(LEAST_LANES, LANES as u64).min(all.max(1));
        for program in checks.iter_mut().flatten() {
            program.make_columns(lanes as usize);
        }
        let domains = order.iter().map(|var| domains[var].clone()).collect();
        BlockPlan { order, domains, checks, assigned, poisoned: false, lanes, work: 0, limit }
    }

    pub fn run(&mut self, calls: &mut Calls<'_>) -> Flow {
        let start = Block { columns: vec![], tainted: vec![false], lanes: 1 };
        match self.step(calls, 0, start) {
            Flow::Exhausted if self.poisoned => Flow::Poisoned,
            flow => flow,
        }
    }

    /// Filters a block of assignments to the first `depth` variables, then extends it.
    fn step(&mut self, calls: &mut Calls<'_>, depth: usize, mut block: Block) -> Flow {
        for program in &mut self.checks[depth] {
            self.work += (program.len() * block.lanes) as u64;
            let (truth, poison) = program.run(calls, &self.assigned, &block.columns, block.lanes);
            block.filter(truth, poison);
            self.work += calls.spent();
            if block.lanes == 0 {
                return Flow::Exhausted;
            }
        }
        self.work += (block.lanes * (depth + 1)) as u64;
        if self.work > self.limit {
            return Flow::Limit;
        }
        if depth == self.order.len() {
            if let Some(lane) = block.tainted.iter().position(|tainted| !tainted) {
                return Flow::Found(block.columns.iter().map(|column| column[lane]).collect());
            }
            self.poisoned = true;
            return Flow::Exhausted;
        }
        let values = self.domains[depth].len();
        let total = block.lanes as u64 * values;
        let mut first = 0;
        while first < total {
            let count = (total - first).min(self.lanes);
            let next = block.extended(&self.domains[depth], values, first, count as usize);
            match self.step(calls, depth + 1, next) {
                // Also where no assignment of a block is left.
                Flow::Exhausted if self.work > self.limit => return Flow::Limit,
                Flow::Exhausted => {}
                done => return done,
            }
            first += count;
        }
        Flow::Exhausted
    }
}

/// The order of assignment.
fn order(conjuncts: &[NodeId], vars_of: &VarsOf, domains: &Domains) -> Vec<VarId> {
    let cost = |var: &VarId| domains[var].bits();
    let mut order: Vec<VarId> = vec![];
    let mut placed: HashSet<VarId, FxBuildHasher> = HashSet::default();
    let mut waiting: Vec<&Vec<VarId>> = conjuncts.iter().map(|c| &vars_of[c]).collect();
    while !waiting.is_empty() {
        let missing = |vars: &Vec<VarId>| vars.iter().filter(|v| !placed.contains(*v)).map(cost).sum::<f64>();
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

/// Partial assignments: a column per assigned variable.
struct Block {
    columns: Vec<Vec<u64>>,
    /// Whether some conjunct could not be computed, per assignment.
    tainted: Vec<bool>,
    lanes: usize,
}

impl Block {
    /// Keeps assignments that are true, and marks poisoned ones as tainted.
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

    /// The assignments from number `first` on, among those that extend this block by one more variable.
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
