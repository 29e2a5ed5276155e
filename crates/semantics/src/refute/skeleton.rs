//! The Boolean skeleton: plain Boolean terms as propositional literals and clauses.
//!
//! Every Boolean term has a variable. The clauses that define a connective relate its variable to those of its
//! arguments, in both directions; every other Boolean term is an atom without such clauses. The clauses are
//! definitions, so adding them does not change satisfiability: the asserted terms have an assignment that makes them
//! true exactly if the clauses with those literals have one.
//!
//! `relevant` goes from an assignment back to the atoms that it really needs to make the given terms true. The
//! theories only consider those, so that irrelevant atoms cause no work.

use super::build;
use super::sat::{Lit, Var};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::term::{Pool, TermId};

/// The role of a Boolean term in propositional logic.
pub(super) enum Shape<'p> {
    Constant(bool),
    Not(TermId),
    And(&'p [TermId]),
    Or(&'p [TermId]),
    Implies(TermId, TermId),
    Same(TermId, TermId),
    Differ(TermId, TermId),
    Choice(TermId, TermId, TermId),
    Atom,
}

pub(super) fn shape(pool: &Pool, term: TermId) -> Shape<'_> {
    let args = pool.args(term);
    match (build::operator(pool, term), args) {
        (Some("core_true"), _) => Shape::Constant(true),
        (Some("core_false"), _) => Shape::Constant(false),
        (Some("core_not"), [a]) => Shape::Not(*a),
        (Some("core_and"), _) => Shape::And(args),
        (Some("core_or"), _) => Shape::Or(args),
        (Some("core_implies"), [a, b]) => Shape::Implies(*a, *b),
        (Some("core_xor"), [a, b]) => Shape::Differ(*a, *b),
        (Some("core_eq"), [a, b]) if pool.sort_of(*a) == SortId::BOOL => Shape::Same(*a, *b),
        (Some("core_ite"), [c, a, b]) if pool.sort_of(*a) == SortId::BOOL => Shape::Choice(*c, *a, *b),
        _ => Shape::Atom,
    }
}

/// Boolean terms with their variables, and the clauses that define connectives.
#[derive(Default)]
pub(super) struct Skeleton {
    vars: HashMap<TermId, Var, FxBuildHasher>,
    pub atoms: Vec<TermId>,
    count: Var,
    /// Clauses in the order in which they were made.
    pub clauses: Vec<Vec<Lit>>,
}

impl Skeleton {
    /// The number of variables.
    pub fn vars(&self) -> Var {
        self.count
    }

    pub fn known(&self, term: TermId) -> Option<Lit> {
        self.vars.get(&term).map(|&var| Lit::new(var, true))
    }

    /// A variable without a term.
    pub fn fresh(&mut self) -> Lit {
        self.count += 1;
        Lit::new(self.count - 1, true)
    }

    /// The literal of a plain Boolean term. Iterative: the literals of its parts are made first.
    pub fn lit(&mut self, pool: &Pool, term: TermId) -> Lit {
        let mut waiting = vec![term];
        while let Some(&next) = waiting.last() {
            if self.vars.contains_key(&next) {
                waiting.pop();
                continue;
            }
            let needed = waiting.len();
            for part in parts(pool, next) {
                if !self.vars.contains_key(&part) {
                    waiting.push(part);
                }
            }
            if waiting.len() == needed {
                waiting.pop();
                self.define(pool, next);
            }
        }
        Lit::new(self.vars[&term], true)
    }

    fn define(&mut self, pool: &Pool, term: TermId) {
        let own = self.fresh();
        self.vars.insert(term, own.var());
        let of = |skeleton: &Skeleton, part: TermId| Lit::new(skeleton.vars[&part], true);
        match shape(pool, term) {
            Shape::Atom => self.atoms.push(term),
            Shape::Constant(value) => self.clauses.push(vec![if value { own } else { !own }]),
            Shape::Not(a) => {
                let a = of(self, a);
                self.clauses.push(vec![own, a]);
                self.clauses.push(vec![!own, !a]);
            }
            Shape::And(args) => {
                let args: Vec<Lit> = args.iter().map(|&a| of(self, a)).collect();
                self.conjunction(own, &args);
            }
            Shape::Or(args) => {
                let args: Vec<Lit> = args.iter().map(|&a| !of(self, a)).collect();
                self.conjunction(!own, &args);
            }
            Shape::Implies(a, b) => {
                let args = [of(self, a), !of(self, b)];
                self.conjunction(!own, &args);
            }
            Shape::Same(a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                self.equivalence(own, a, b);
            }
            Shape::Differ(a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                self.equivalence(!own, a, b);
            }
            Shape::Choice(c, a, b) => {
                let (c, a, b) = (of(self, c), of(self, a), of(self, b));
                for (test, branch) in [(c, a), (!c, b)] {
                    self.clauses.push(vec![!test, !branch, own]);
                    self.clauses.push(vec![!test, branch, !own]);
                }
            }
        }
    }

    fn conjunction(&mut self, own: Lit, args: &[Lit]) {
        let mut all = vec![own];
        for &arg in args {
            self.clauses.push(vec![!own, arg]);
            all.push(!arg);
        }
        self.clauses.push(all);
    }

    fn equivalence(&mut self, own: Lit, a: Lit, b: Lit) {
        for (x, y) in [(a, b), (!a, !b)] {
            self.clauses.push(vec![!own, !x, y]);
            self.clauses.push(vec![own, x, y]);
        }
    }
}

/// The Boolean terms that a connective connects.
pub(super) fn parts(pool: &Pool, term: TermId) -> Vec<TermId> {
    match shape(pool, term) {
        Shape::Constant(_) | Shape::Atom => vec![],
        Shape::Not(a) => vec![a],
        Shape::And(args) | Shape::Or(args) => args.to_vec(),
        Shape::Implies(a, b) | Shape::Same(a, b) | Shape::Differ(a, b) => vec![a, b],
        Shape::Choice(c, a, b) => vec![c, a, b],
    }
}

/// The atoms that give the roots their values under an assignment, each with its truth, in the order of the visit.
pub(super) fn relevant(
    pool: &Pool,
    roots: impl Iterator<Item = TermId>,
    value: impl Fn(TermId) -> bool,
) -> Vec<(TermId, bool)> {
    let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
    let mut atoms = vec![];
    let mut waiting: Vec<TermId> = roots.collect();
    waiting.reverse();
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        let truth = value(term);
        let one = |args: &[TermId], wanted: bool| {
            let fits = |&&arg: &&TermId| value(arg) == wanted;
            let known = args.iter().find(|arg| value(**arg) == wanted && seen.contains(*arg));
            known.or_else(|| args.iter().find(fits)).copied()
        };
        match shape(pool, term) {
            Shape::Atom => atoms.push((term, truth)),
            Shape::Constant(_) => {}
            Shape::And(args) if !truth => waiting.extend(one(args, false)),
            Shape::Or(args) if truth => waiting.extend(one(args, true)),
            Shape::Implies(a, b) if truth => waiting.push(if value(b) { b } else { a }),
            Shape::Choice(c, a, b) => waiting.extend([if value(c) { a } else { b }, c]),
            _ => waiting.extend(parts(pool, term)),
        }
    }
    atoms
}
