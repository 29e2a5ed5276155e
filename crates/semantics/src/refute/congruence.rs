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
//!
//! Classes are made anew for every assignment, so none of a term's lists is an allocation of its own: members of a class
//! are linked in a ring, uses in a chain, and the arguments of all terms are in one list.

use super::build;
use crate::budget::{Budget, Exhausted};
use crate::value::Value;
use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::term::{DeclId, IndicesId, Kind, Pool, TermId};
use std::hash::BuildHasher;

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
    applied: Vec<Applied>,
    /// The places of the arguments of all terms.
    args: Vec<u32>,
    /// Union-find.
    parent: Vec<u32>,
    /// The next member of the same class; the last is followed by the first.
    next: Vec<u32>,
    /// The number of members of a class, by its root.
    size: Vec<u32>,
    /// Applications that a class occurs in, by its root: the first and the last link of a chain.
    uses: Vec<Option<(u32, u32)>>,
    links: Vec<Use>,
    /// The forest of reasons.
    edge: Vec<Option<(u32, Step)>>,
    /// Applications by what is applied and the classes of the arguments, with the hash of both.
    signatures: HashTable<(u64, u32)>,
    /// A member of the class whose value is known.
    valued: Vec<Option<u32>>,
    values: &'p HashMap<TermId, Value, FxBuildHasher>,
    by_value: HashMap<&'p Value, u32, FxBuildHasher>,
    pending: Vec<(u32, u32, Step)>,
    conflicts: Vec<Conflict>,
}

/// A term as an application, if it is one of terms that have places.
#[derive(Clone, Copy)]
struct Applied {
    head: Option<(Head, SortId)>,
    /// Where its arguments begin and end.
    args: (u32, u32),
}

#[derive(Clone, Copy)]
struct Use {
    user: u32,
    next: Option<u32>,
}

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
        let mut places = HashMap::with_capacity_and_hasher(count, FxBuildHasher);
        places.extend(terms.iter().enumerate().map(|(n, &term)| (term, n as u32)));
        let mut classes = Classes {
            pool,
            terms: terms.to_vec(),
            places,
            applied: Vec::with_capacity(count),
            args: vec![],
            parent: (0..count as u32).collect(),
            next: (0..count as u32).collect(),
            size: vec![1; count],
            uses: vec![None; count],
            links: vec![],
            edge: vec![None; count],
            signatures: HashTable::with_capacity(count),
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
            self.apply(term);
            self.file(n);
            let (first, end) = self.applied[n as usize].args;
            for at in first..end {
                let link = self.links.len() as u32;
                self.links.push(Use { user: n, next: None });
                self.chain(self.args[at as usize], (link, link));
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

    /// Enters a term's head and the places of its arguments.
    fn apply(&mut self, term: TermId) {
        let first = self.args.len() as u32;
        let given = self.pool.args(term);
        self.args.extend(given.iter().filter_map(|arg| self.places.get(arg)));
        let args = (first, self.args.len() as u32);
        let all = (args.1 - args.0) as usize == given.len();
        let head = head(self.pool, term).filter(|_| all);
        self.applied.push(Applied { head: head.map(|head| (head, self.pool.sort_of(term))), args });
    }

    /// Adds links to the end of a class's chain.
    fn chain(&mut self, root: u32, links: (u32, u32)) {
        let uses = &mut self.uses[root as usize];
        match uses {
            None => *uses = Some(links),
            Some((_, last)) => {
                self.links[*last as usize].next = Some(links.0);
                *last = links.1;
            }
        }
    }

    /// The classes of the arguments.
    fn arg_classes(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        let (first, end) = self.applied[place as usize].args;
        self.args[first as usize..end as usize].iter().map(|&arg| self.find(arg))
    }

    /// Enters an application under its signature; another one with the same signature is equal.
    fn file(&mut self, place: u32) {
        let Some(head) = self.applied[place as usize].head else { return };
        let start = FxBuildHasher.hash_one(head);
        let hash = self.arg_classes(place).fold(start, |hash, class| FxBuildHasher.hash_one((hash, class)));
        let same = |&(_, other): &(u64, u32)| {
            self.applied[other as usize].head == Some(head)
                && self.arg_classes(other).eq(self.arg_classes(place))
        };
        match self.signatures.find(hash, same) {
            Some(&(_, other)) if self.find(other) != self.find(place) => {
                self.pending.push((place, other, Step::Arguments));
            }
            Some(_) => {}
            None => {
                self.signatures.insert_unique(hash, (hash, place), |&(hash, _)| hash);
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
        if self.size[small as usize] > self.size[large as usize] {
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
        let mut member = small;
        loop {
            self.parent[member as usize] = large;
            member = self.next[member as usize];
            if member == small {
                break;
            }
        }
        budget.spend(u64::from(self.size[small as usize]))?;
        self.next.swap(small as usize, large as usize);
        self.size[large as usize] += self.size[small as usize];
        if let Some(uses) = self.uses[small as usize].take() {
            let mut at = Some(uses.0);
            while let Some(Use { user, next }) = at.map(|link| self.links[link as usize]) {
                budget.spend(1)?;
                self.file(user);
                at = next;
            }
            self.chain(large, uses);
        }
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
        for root in 0..self.terms.len() as u32 {
            if self.parent[root as usize] == root && self.size[root as usize] > 1 {
                let mut members = vec![root];
                let mut member = self.next[root as usize];
                while member != root {
                    members.push(member);
                    member = self.next[member as usize];
                }
                members.sort_unstable();
                groups.push(members.into_iter().map(|m| self.terms[m as usize]).collect());
            }
        }
        groups
    }
}
