//! Equality with functions: which terms are equal because others are, and why.
//!
//! In: terms, the current truth of atoms, and the values of closed terms. Out: classes of equal terms, for every
//! equality the atoms that it depends on, and the first contradictions: two terms that must be equal and must not be,
//! or two different values that must be equal.
//!
//! It is sound because only these steps are used: a true equation merges its sides; a true atom is equal to `true`, a
//! false one to `false`; applications of one function to equal arguments are equal; closed terms with equal values are
//! equal. An operator is a function of its arguments here, also where the standard leaves its value open, because
//! every model fixes it. The explanation of an equality is found in a forest of these steps, so the clause "not all of
//! these atoms, or the conclusion" is valid by itself.

use super::build;
use crate::budget::{Budget, Exhausted};
use crate::value::Value;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::term::{DeclId, IndicesId, Kind, Pool, TermId};

/// What is applied: equal arguments give equal results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Head {
    Operator(&'static str, IndicesId),
    Function(DeclId),
    Tester(DeclId),
    Updater(DeclId),
}

/// An atom with its truth.
pub(super) type Truth = (TermId, bool);

#[derive(Clone, Copy, Debug)]
enum Step {
    /// An atom implies it.
    Atom(Truth),
    /// The arguments are equal one by one.
    Arguments,
    /// Both evaluate to the same value.
    Value,
}

/// A contradiction: atoms that cannot all have their current truth.
pub(super) type Conflict = Vec<Truth>;

pub(super) struct Classes<'p> {
    pool: &'p Pool,
    terms: Vec<TermId>,
    places: HashMap<TermId, u32, FxBuildHasher>,
    /// Union-find.
    parent: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// Applications that a class occurs in, by its root.
    uses: Vec<Vec<u32>>,
    /// The forest of reasons.
    edge: Vec<Option<(u32, Step)>>,
    signatures: HashMap<Signature, u32, FxBuildHasher>,
    /// A member of the class whose value is known.
    valued: Vec<Option<u32>>,
    values: &'p HashMap<TermId, Value, FxBuildHasher>,
    by_value: HashMap<&'p Value, u32, FxBuildHasher>,
    pending: Vec<(u32, u32, Step)>,
    conflicts: Vec<Conflict>,
}

type Signature = (Head, SortId, Vec<u32>);

fn head(pool: &Pool, term: TermId) -> Option<Head> {
    match pool.kind(term) {
        _ if pool.args(term).is_empty() => None,
        Kind::Op { op, indices, .. } => Some(Head::Operator(build::meaning(op), indices)),
        Kind::Fun { decl, .. } => Some(Head::Function(decl)),
        Kind::Tester { constructor, .. } => Some(Head::Tester(constructor)),
        Kind::Updater { selector } => Some(Head::Updater(selector)),
        _ => None,
    }
}

impl<'p> Classes<'p> {
    /// Classes of the terms (arguments before applications) under the atoms.
    pub fn new(
        pool: &'p Pool,
        terms: &[TermId],
        atoms: &[Truth],
        values: &'p HashMap<TermId, Value, FxBuildHasher>,
        budget: &Budget,
    ) -> Result<Classes<'p>, Exhausted> {
        let count = terms.len();
        let mut classes = Classes {
            pool,
            terms: terms.to_vec(),
            places: terms.iter().enumerate().map(|(n, &t)| (t, n as u32)).collect(),
            parent: (0..count as u32).collect(),
            members: (0..count as u32).map(|n| vec![n]).collect(),
            uses: vec![vec![]; count],
            edge: vec![None; count],
            signatures: HashMap::default(),
            valued: vec![None; count],
            values,
            by_value: HashMap::default(),
            pending: vec![],
            conflicts: vec![],
        };
        classes.fill(budget)?;
        classes.assume(atoms);
        classes.close(budget)?;
        Ok(classes)
    }

    fn fill(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        budget.spend(self.terms.len() as u64)?;
        for n in 0..self.terms.len() as u32 {
            let term = self.terms[n as usize];
            if let Some(value) = self.values.get(&term) {
                self.valued[n as usize] = Some(n);
                match self.by_value.get(value) {
                    Some(&same)
                        if self.pool.sort_of(self.terms[same as usize]) == self.pool.sort_of(term) =>
                    {
                        self.pending.push((n, same, Step::Value));
                    }
                    Some(_) => {}
                    None => {
                        self.by_value.insert(value, n);
                    }
                }
            }
            self.file(n);
            for arg in self.pool.args(term) {
                if let Some(&place) = self.places.get(arg) {
                    self.uses[place as usize].push(n);
                }
            }
        }
        Ok(())
    }

    /// Every atom merges its sides, or is merged with its truth value.
    fn assume(&mut self, atoms: &[Truth]) {
        for &(atom, truth) in atoms {
            if truth && let Some((a, b)) = self.equation(atom) {
                self.pending.push((a, b, Step::Atom((atom, truth))));
            }
            let value = self.by_value.get(&Value::Bool(truth)).copied();
            if let (Some(&place), Some(value)) = (self.places.get(&atom), value) {
                self.pending.push((place, value, Step::Atom((atom, truth))));
            }
        }
    }

    fn equation(&self, atom: TermId) -> Option<(u32, u32)> {
        if build::operator(self.pool, atom) != Some("core_eq") {
            return None;
        }
        let args = self.pool.args(atom);
        Some((*self.places.get(&args[0])?, *self.places.get(&args[1])?))
    }

    fn signature(&self, place: u32) -> Option<Signature> {
        let term = self.terms[place as usize];
        let head = head(self.pool, term)?;
        let args: Option<Vec<u32>> =
            self.pool.args(term).iter().map(|arg| self.places.get(arg).map(|&p| self.find(p))).collect();
        Some((head, self.pool.sort_of(term), args?))
    }

    /// Enters an application under its signature; another one with the same signature is equal.
    fn file(&mut self, place: u32) {
        let Some(signature) = self.signature(place) else { return };
        match self.signatures.get(&signature) {
            Some(&other) if self.find(other) != self.find(place) => {
                self.pending.push((place, other, Step::Arguments));
            }
            Some(_) => {}
            None => {
                self.signatures.insert(signature, place);
            }
        }
    }

    fn find(&self, mut place: u32) -> u32 {
        while self.parent[place as usize] != place {
            place = self.parent[place as usize];
        }
        place
    }

    fn close(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let mut next = 0;
        while next < self.pending.len() {
            let (a, b, step) = self.pending[next];
            next += 1;
            budget.spend(1)?;
            self.join(a, b, step, budget)?;
        }
        self.pending.clear();
        Ok(())
    }

    fn join(&mut self, a: u32, b: u32, step: Step, budget: &Budget) -> Result<(), Exhausted> {
        let (mut small, mut large) = (self.find(a), self.find(b));
        if small == large {
            return Ok(());
        }
        let (mut a, mut b) = (a, b);
        if self.members[small as usize].len() > self.members[large as usize].len() {
            std::mem::swap(&mut small, &mut large);
            std::mem::swap(&mut a, &mut b);
        }
        self.reroot(a);
        self.edge[a as usize] = Some((b, step));
        if let (Some(x), Some(y)) = (self.valued[small as usize], self.valued[large as usize]) {
            if self.values[&self.terms[x as usize]] != self.values[&self.terms[y as usize]] {
                let conflict = self.why(x, y);
                self.conflicts.push(conflict);
            }
        } else if self.valued[large as usize].is_none() {
            self.valued[large as usize] = self.valued[small as usize];
        }
        let members = std::mem::take(&mut self.members[small as usize]);
        for &member in &members {
            self.parent[member as usize] = large;
        }
        budget.spend(members.len() as u64)?;
        self.members[large as usize].extend(members);
        let uses = std::mem::take(&mut self.uses[small as usize]);
        for &user in &uses {
            budget.spend(1)?;
            self.file(user);
        }
        self.uses[large as usize].extend(uses);
        Ok(())
    }

    /// Reverses the edges on the path from a node to its root.
    fn reroot(&mut self, place: u32) {
        let mut carried = self.edge[place as usize].take();
        let mut from = place;
        while let Some((to, step)) = carried {
            carried = self.edge[to as usize].replace((from, step));
            from = to;
        }
    }

    /// The atoms that make two nodes equal. They must be in one class.
    fn why(&self, a: u32, b: u32) -> Conflict {
        let mut atoms = vec![];
        let mut waiting = vec![(a, b)];
        let mut done: Vec<(u32, u32)> = vec![];
        while let Some((a, b)) = waiting.pop() {
            if a == b || done.contains(&(a, b)) {
                continue;
            }
            done.push((a, b));
            let (mut x, mut y) = (self.path(a), self.path(b));
            while x.len() > 1 && y.len() > 1 && x[x.len() - 2] == y[y.len() - 2] {
                x.pop();
                y.pop();
            }
            for side in [x, y] {
                for &place in &side[..side.len() - 1] {
                    let Some((to, step)) = self.edge[place as usize] else { continue };
                    match step {
                        Step::Atom(truth) => atoms.push(truth),
                        Step::Value => {}
                        Step::Arguments => {
                            let left = self.pool.args(self.terms[place as usize]);
                            let right = self.pool.args(self.terms[to as usize]);
                            let place = |t: &TermId| self.places[t];
                            waiting.extend(left.iter().map(place).zip(right.iter().map(place)));
                        }
                    }
                }
            }
        }
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The path from a node to the root of its tree of reasons.
    fn path(&self, place: u32) -> Vec<u32> {
        let mut path = vec![place];
        let mut at = place;
        while let Some((to, _)) = self.edge[at as usize] {
            path.push(to);
            at = to;
        }
        path
    }

    /// Contradictions, shortest first; none if the atoms are consistent with respect to equality.
    pub fn conflicts(&self, atoms: &[Truth]) -> Vec<Conflict> {
        let mut found = self.conflicts.clone();
        for &(atom, truth) in atoms {
            if !truth
                && let Some((a, b)) = self.equation(atom)
                && self.find(a) == self.find(b)
            {
                let mut conflict = self.why(a, b);
                conflict.push((atom, truth));
                conflict.sort_unstable();
                conflict.dedup();
                found.push(conflict);
            }
        }
        found.sort_by_key(Vec::len);
        found.dedup();
        found
    }

    pub fn same(&self, a: TermId, b: TermId) -> bool {
        match (self.places.get(&a), self.places.get(&b)) {
            (Some(&a), Some(&b)) => self.find(a) == self.find(b),
            _ => a == b,
        }
    }

    /// The atoms that make two equal terms equal.
    pub fn explain(&self, a: TermId, b: TermId) -> Conflict {
        match (self.places.get(&a), self.places.get(&b)) {
            (Some(&a), Some(&b)) => self.why(a, b),
            _ => vec![],
        }
    }

    /// A closed term with a known value that is equal to this one.
    pub fn valued(&self, term: TermId) -> Option<TermId> {
        let &place = self.places.get(&term)?;
        self.valued[self.find(place) as usize].map(|n| self.terms[n as usize])
    }

    /// The classes with more than one member, members oldest first.
    pub fn groups(&self) -> Vec<Vec<TermId>> {
        let mut groups = vec![];
        for (n, members) in self.members.iter().enumerate() {
            if self.parent[n] == n as u32 && members.len() > 1 {
                let mut members: Vec<u32> = members.clone();
                members.sort_unstable();
                groups.push(members.into_iter().map(|m| self.terms[m as usize]).collect());
            }
        }
        groups
    }
}
