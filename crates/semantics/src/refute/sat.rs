//! A small solver for propositional clauses: conflict-driven clause learning with two watched literals.
//!
//! In: clauses, one at a time, also between two calls. Out: "satisfiable" with an assignment, or "unsatisfiable" with
//! the assumptions that were used. It is the search engine of refutations, and its answers are not trusted: every
//! clause that it learns is kept in order, and `proof` checks them again by unit propagation alone. So a mistake here
//! can lose a refutation but cannot make a wrong one.
//!
//! It is deterministic: decisions follow activity, ties are broken by the smaller variable; restarts follow the Luby
//! sequence; there is no randomness and no clock.

use crate::budget::{Budget, Exhausted};

/// A variable or its negation: twice the variable, plus one if negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Lit(pub u32);

pub(super) type Var = u32;

impl Lit {
    pub fn new(var: Var, positive: bool) -> Lit {
        Lit(var * 2 + u32::from(!positive))
    }

    pub fn var(self) -> Var {
        self.0 / 2
    }

    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

pub(super) enum Answer {
    Sat,
    /// The assumptions that cannot hold together.
    Unsat(Vec<Lit>),
}

const NONE: u32 = u32::MAX;
/// Conflicts before the first restart.
const RESTART: u64 = 64;

#[derive(Default)]
pub(super) struct Solver {
    clauses: Vec<Vec<Lit>>,
    watches: Vec<Vec<u32>>,
    /// Per variable: 0 open, 1 true, -1 false.
    assigned: Vec<i8>,
    level: Vec<u32>,
    reason: Vec<u32>,
    phase: Vec<bool>,
    activity: Vec<f64>,
    seen: Vec<bool>,
    trail: Vec<Lit>,
    limits: Vec<usize>,
    head: usize,
    heap: Heap,
    bump: f64,
    /// Whether the empty clause has been derived.
    broken: bool,
    /// Every clause learned, in order.
    pub learned: Vec<Vec<Lit>>,
}

impl Solver {
    pub fn new() -> Solver {
        Solver { bump: 1.0, ..Solver::default() }
    }

    pub fn new_var(&mut self) -> Var {
        let var = self.assigned.len() as Var;
        self.assigned.push(0);
        self.level.push(0);
        self.reason.push(NONE);
        self.phase.push(false);
        self.activity.push(0.0);
        self.seen.push(false);
        self.watches.push(vec![]);
        self.watches.push(vec![]);
        self.heap.insert(var, &self.activity);
        var
    }

    pub fn vars(&self) -> usize {
        self.assigned.len()
    }

    /// The truth of a literal in the last assignment.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.assigned[lit.var() as usize] {
            0 => None,
            v => Some((v > 0) == lit.is_positive()),
        }
    }

    /// Adds a clause; the assignment of the last call is discarded.
    pub fn add(&mut self, clause: &[Lit]) {
        self.backtrack(0);
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1])
            || lits.iter().any(|&l| self.value(l) == Some(true))
        {
            return;
        }
        lits.retain(|&l| self.value(l).is_none());
        match lits[..] {
            [] => self.broken = true,
            [unit] => self.assign(unit, NONE),
            _ => {
                self.attach(lits);
            }
        }
    }

    fn attach(&mut self, lits: Vec<Lit>) -> u32 {
        let id = self.clauses.len() as u32;
        self.watches[lits[0].0 as usize].push(id);
        self.watches[lits[1].0 as usize].push(id);
        self.clauses.push(lits);
        id
    }

    fn assign(&mut self, lit: Lit, reason: u32) {
        let var = lit.var() as usize;
        self.assigned[var] = if lit.is_positive() { 1 } else { -1 };
        self.level[var] = self.limits.len() as u32;
        self.reason[var] = reason;
        self.trail.push(lit);
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.limits.get(level) else { return };
        for lit in self.trail.drain(start..) {
            let var = lit.var();
            self.assigned[var as usize] = 0;
            self.phase[var as usize] = lit.is_positive();
            self.heap.insert(var, &self.activity);
        }
        self.limits.truncate(level);
        self.head = self.head.min(start);
    }

    /// Propagates; returns the number of a clause that became false, if there is one.
    fn propagate(&mut self, budget: &Budget) -> Result<Option<u32>, Exhausted> {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            let watching = std::mem::take(&mut self.watches[(!lit).0 as usize]);
            budget.spend(1 + watching.len() as u64)?;
            let mut kept = Vec::with_capacity(watching.len());
            let mut conflict = None;
            for (n, &id) in watching.iter().enumerate() {
                if self.visit(id, !lit, &mut kept) {
                    conflict = Some(id);
                    kept.extend_from_slice(&watching[n + 1..]);
                    break;
                }
            }
            self.watches[(!lit).0 as usize] = kept;
            if conflict.is_some() {
                return Ok(conflict);
            }
        }
        Ok(None)
    }

    /// Updates a clause one of whose watched literals became false; returns whether all its literals are false.
    fn visit(&mut self, id: u32, fallen: Lit, kept: &mut Vec<u32>) -> bool {
        let mut clause = std::mem::take(&mut self.clauses[id as usize]);
        if clause[0] == fallen {
            clause.swap(0, 1);
        }
        let first = clause[0];
        let replacement = match self.value(first) {
            Some(true) => None,
            _ => (2..clause.len()).find(|&k| self.value(clause[k]) != Some(false)),
        };
        let mut conflict = false;
        match replacement {
            Some(k) => {
                clause.swap(1, k);
                self.watches[clause[1].0 as usize].push(id);
            }
            None => {
                kept.push(id);
                match self.value(first) {
                    None => self.assign(first, id),
                    Some(value) => conflict = !value,
                }
            }
        }
        self.clauses[id as usize] = clause;
        conflict
    }

    fn raise(&mut self, var: Var) {
        self.activity[var as usize] += self.bump;
        if self.activity[var as usize] > 1e100 {
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            self.bump *= 1e-100;
        }
        self.heap.raised(var, &self.activity);
    }

    /// The clause to learn from a conflict (first unique implication point) and the level to return to.
    fn analyse(&mut self, conflict: u32) -> (Vec<Lit>, usize) {
        let current = self.limits.len() as u32;
        let mut learned = vec![Lit(0)];
        let mut open = 0usize;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let mut pivot = None;
        loop {
            for k in 0..self.clauses[clause as usize].len() {
                let lit = self.clauses[clause as usize][k];
                let var = lit.var() as usize;
                if Some(lit) == pivot || self.seen[var] || self.level[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                self.raise(lit.var());
                if self.level[var] == current { open += 1 } else { learned.push(lit) }
            }
            let next = loop {
                at -= 1;
                if self.seen[self.trail[at].var() as usize] {
                    break self.trail[at];
                }
            };
            self.seen[next.var() as usize] = false;
            open -= 1;
            if open == 0 {
                learned[0] = !next;
                break;
            }
            clause = self.reason[next.var() as usize];
            pivot = Some(next);
        }
        for lit in &learned[1..] {
            self.seen[lit.var() as usize] = false;
        }
        let deepest = (1..learned.len()).max_by_key(|&k| self.level[learned[k].var() as usize]);
        let back = deepest.map_or(0, |k| {
            learned.swap(1, k);
            self.level[learned[1].var() as usize] as usize
        });
        (learned, back)
    }

    /// The assumptions that falsify `lit`.
    fn blame(&mut self, lit: Lit) -> Vec<Lit> {
        let mut core = vec![lit];
        let mut waiting = vec![lit.var()];
        let mut seen = vec![false; self.vars()];
        while let Some(var) = waiting.pop() {
            if std::mem::replace(&mut seen[var as usize], true) || self.level[var as usize] == 0 {
                continue;
            }
            match self.reason[var as usize] {
                NONE => core.push(Lit::new(var, self.assigned[var as usize] > 0)),
                reason => waiting.extend(self.clauses[reason as usize].iter().map(|l| l.var())),
            }
        }
        core.sort_unstable();
        core.dedup();
        core
    }

    fn learn(&mut self, lits: Vec<Lit>) {
        self.learned.push(lits.clone());
        let first = lits[0];
        let reason = if lits.len() > 1 { self.attach(lits) } else { NONE };
        self.assign(first, reason);
        self.bump *= 1.05;
    }

    fn decide(&mut self) -> Option<Lit> {
        while let Some(var) = self.heap.pop(&self.activity) {
            if self.assigned[var as usize] == 0 {
                return Some(Lit::new(var, self.phase[var as usize]));
            }
        }
        None
    }

    /// Whether the clauses can be satisfied together with the assumptions.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<Answer, Exhausted> {
        self.backtrack(0);
        let (mut conflicts, mut restarts) = (0u64, 0u64);
        loop {
            if self.broken {
                return Ok(Answer::Unsat(vec![]));
            }
            if let Some(conflict) = self.propagate(budget)? {
                if self.limits.is_empty() {
                    self.broken = true;
                    self.learned.push(vec![]);
                    continue;
                }
                conflicts += 1;
                budget.spend(10)?;
                let (learned, back) = self.analyse(conflict);
                self.backtrack(back);
                self.learn(learned);
                if conflicts >= RESTART * luby(restarts) {
                    (conflicts, restarts) = (0, restarts + 1);
                    self.backtrack(0);
                }
                continue;
            }
            let next = match assumptions.get(self.limits.len()) {
                Some(&lit) => match self.value(lit) {
                    Some(false) => return Ok(Answer::Unsat(self.blame(lit))),
                    Some(true) => {
                        self.limits.push(self.trail.len());
                        continue;
                    }
                    None => lit,
                },
                None => match self.decide() {
                    Some(lit) => lit,
                    None => return Ok(Answer::Sat),
                },
            };
            budget.spend(1)?;
            self.limits.push(self.trail.len());
            self.assign(next, NONE);
        }
    }
}

/// 1 1 2 1 1 2 4 1 1 2 …
fn luby(index: u64) -> u64 {
    let mut n = index + 1;
    loop {
        let size = 64 - n.leading_zeros();
        if n == (1 << size) - 1 {
            return 1 << (size - 1);
        }
        n -= (1 << (size - 1)) - 1;
    }
}

/// Variables by activity, the most active first.
#[derive(Default)]
struct Heap {
    items: Vec<Var>,
    place: Vec<u32>,
}

impl Heap {
    fn before(a: Var, b: Var, activity: &[f64]) -> bool {
        let (x, y) = (activity[a as usize], activity[b as usize]);
        x > y || (x == y && a < b)
    }

    fn insert(&mut self, var: Var, activity: &[f64]) {
        if self.place.len() <= var as usize {
            self.place.resize(var as usize + 1, NONE);
        }
        if self.place[var as usize] == NONE {
            self.place[var as usize] = self.items.len() as u32;
            self.items.push(var);
            self.up(self.items.len() - 1, activity);
        }
    }

    fn raised(&mut self, var: Var, activity: &[f64]) {
        if self.place[var as usize] != NONE {
            self.up(self.place[var as usize] as usize, activity);
        }
    }

    fn pop(&mut self, activity: &[f64]) -> Option<Var> {
        let last = self.items.len().checked_sub(1)?;
        self.swap(0, last);
        let var = self.items.pop()?;
        self.place[var as usize] = NONE;
        self.down(activity);
        Some(var)
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.items.swap(a, b);
        self.place[self.items[a] as usize] = a as u32;
        self.place[self.items[b] as usize] = b as u32;
    }

    fn up(&mut self, mut at: usize, activity: &[f64]) {
        while at > 0 && Heap::before(self.items[at], self.items[(at - 1) / 2], activity) {
            self.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn down(&mut self, activity: &[f64]) {
        let mut at = 0;
        loop {
            let children = [2 * at + 1, 2 * at + 2].into_iter().filter(|&c| c < self.items.len());
            let best = children
                .reduce(|a, b| if Heap::before(self.items[b], self.items[a], activity) { b } else { a });
            match best {
                Some(child) if Heap::before(self.items[child], self.items[at], activity) => {
                    self.swap(at, child);
                    at = child;
                }
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refute::proof;
    use testkit::SplitMix;

    fn unlimited() -> Budget {
        Budget::new(u64::MAX, 0)
    }

    /// Whether some assignment satisfies all clauses, by trying all.
    fn by_trial(vars: u32, clauses: &[Vec<Lit>]) -> bool {
        (0..1u32 << vars).any(|bits| {
            clauses.iter().all(|c| c.iter().any(|l| (bits >> l.var() & 1 == 1) == l.is_positive()))
        })
    }

    #[test]
    fn answers_agree_with_trying_all_assignments_and_proofs_check() {
        let mut numbers = SplitMix(7);
        let mut below = |n: u64| numbers.below(n);
        let (mut sat, mut unsat) = (0, 0);
        for _ in 0..3_000 {
            let vars = 3 + below(7) as u32;
            let count = (vars as u64) * 3 + below(u64::from(vars) * 3);
            let clauses: Vec<Vec<Lit>> = (0..count)
                .map(|_| {
                    (0..2 + below(2))
                        .map(|_| Lit::new(below(u64::from(vars)) as u32, below(2) == 0))
                        .collect()
                })
                .collect();
            let mut solver = Solver::new();
            (0..vars).for_each(|_| {
                solver.new_var();
            });
            clauses.iter().for_each(|c| solver.add(c));
            match solver.solve(&[], &unlimited()).unwrap() {
                Answer::Sat => {
                    sat += 1;
                    assert!(clauses.iter().all(|c| c.iter().any(|&l| solver.value(l) == Some(true))));
                }
                Answer::Unsat(_) => {
                    unsat += 1;
                    assert!(!by_trial(vars, &clauses));
                    assert!(proof::check(&clauses, &solver.learned, &unlimited()).unwrap());
                }
            }
        }
        assert!(sat > 300 && unsat > 300, "{sat} {unsat}");
    }

    #[test]
    fn assumptions_that_are_not_needed_are_not_blamed() {
        let mut solver = Solver::new();
        let [a, b, c] = [0; 3].map(|_| Lit::new(solver.new_var(), true));
        solver.add(&[!a, !b]);
        let Answer::Unsat(core) = solver.solve(&[c, a, b], &unlimited()).unwrap() else {
            panic!("satisfiable")
        };
        assert!(core.contains(&b) && !core.contains(&c));
        assert!(matches!(solver.solve(&[c, a], &unlimited()).unwrap(), Answer::Sat));
    }
}
