//! Quantified statements: instances of universal statements, witnesses of existential ones.
//!
//! `(=> (forall ((x S)) P) P[t])` is valid for every ground term t. `(=> (exists ((x S)) P) P[c])` defines a fresh
//! symbol c: every model can be extended to one in which the definition holds, because c occurs nowhere else. Each
//! quantified statement gets its witnesses once. If a sort has no ground term, an arbitrary element gets a name: sorts
//! are not empty.
//!
//! The terms for instances are: for a variable that is a direct argument of a function, the other terms at that
//! position; then terms of its sort, those of the formula first; for numbers also the terms that the statement itself
//! compares with. Only statements that the assignment needs are used.

use super::congruence::Truth;
use super::engine::Engine;
use super::skeleton::relevant;
use super::{Reason, Status, build, plain};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{Kind, Quantifier, TermId};

/// Maximum number of instances of one statement in one round.
const INSTANCES: usize = 24;
/// Maximum number of candidates for one variable.
const CANDIDATES: usize = 24;

type Variables = Vec<(Symbol, SortId)>;

#[derive(Default)]
pub(super) struct Memory {
    /// Statements that have their witnesses.
    witnessed: HashSet<TermId, FxBuildHasher>,
    instances: HashSet<(TermId, Vec<TermId>), FxBuildHasher>,
    arbitrary: HashMap<SortId, TermId, FxBuildHasher>,
}

impl Engine<'_> {
    fn parts_of(&self, atom: TermId) -> Option<(bool, Variables, TermId)> {
        match self.script.pool.kind(atom) {
            Kind::Quant(quantifier @ (Quantifier::Forall | Quantifier::Exists), binders) => {
                let vars = self.script.pool.binder_list(binders).to_vec();
                Some((quantifier == Quantifier::Forall, vars, self.script.pool.args(atom)[0]))
            }
            _ => None,
        }
    }

    /// Adds witnesses for the existential statements that are needed; returns whether there were any.
    pub fn skolemise(&mut self, atoms: &[Truth]) -> Result<bool, Reason> {
        let mut new = false;
        for &(atom, truth) in atoms {
            let Some((all, vars, body)) = self.parts_of(atom) else { continue };
            if truth == all || !self.quantifiers.witnessed.insert(atom) {
                continue;
            }
            let generation = self.generation.get(&atom).copied().unwrap_or(0) + 1;
            let mut values = vec![];
            for (name, sort) in vars {
                let stem = self.script.pool.name(name).split('!').next().unwrap_or("x").to_owned();
                values.push((name, self.fresh(&stem, sort)));
            }
            let body = plain::plain_under(&mut self.script.pool, self.budget, body, &values)?;
            let pool = &mut self.script.pool;
            let lemma = if all {
                let fails = build::not(pool, body);
                build::or(pool, &[atom, fails])
            } else {
                build::implies(pool, atom, body)
            };
            let why = "what holds for some value holds for the one that is given a name here";
            new |= self.state("witness", why, lemma, Status::Definition, generation)?;
        }
        Ok(new)
    }

    /// Adds instances of the universal statements that are needed.
    pub fn quantifier_instances(&mut self, depth: u32) -> Result<(), Reason> {
        let premises = self.premises.iter().map(|premise| premise.plain);
        let roots: Vec<TermId> = premises.chain(self.lemmas.iter().map(|lemma| lemma.term)).collect();
        let known: Vec<TermId> = roots.into_iter().filter(|&root| self.truth(root)).collect();
        let atoms = relevant(&self.script.pool, known.into_iter(), |term| self.truth(term));
        for (atom, truth) in atoms {
            let Some((all, vars, body)) = self.parts_of(atom) else { continue };
            if truth == all {
                self.instances_of(atom, all, &vars, body, depth)?;
            }
        }
        Ok(())
    }

    fn instances_of(
        &mut self,
        atom: TermId,
        all: bool,
        vars: &[(Symbol, SortId)],
        body: TermId,
        depth: u32,
    ) -> Result<(), Reason> {
        let mut lists = vec![];
        for &(name, sort) in vars {
            lists.push(self.candidates(name, sort, body, depth)?);
        }
        let mut made = 0;
        for choice in combinations(&lists, INSTANCES * (depth as usize + 1) * 8) {
            self.budget.spend(1)?;
            if made >= INSTANCES * (depth as usize + 1) {
                break;
            }
            if !self.quantifiers.instances.insert((atom, choice.clone())) {
                continue;
            }
            let newest =
                choice.iter().filter_map(|term| self.generation.get(term)).max().copied().unwrap_or(0);
            let own = self.generation.get(&atom).copied().unwrap_or(0);
            let values: Vec<(Symbol, TermId)> = vars.iter().map(|&(name, _)| name).zip(choice).collect();
            let body = plain::plain_under(&mut self.script.pool, self.budget, body, &values)?;
            let pool = &mut self.script.pool;
            let lemma = if all {
                build::implies(pool, atom, body)
            } else {
                let fails = build::not(pool, body);
                build::or(pool, &[atom, fails])
            };
            let why = "what holds for all values holds for this one";
            if self.state("instance", why, lemma, Status::Valid, newest.max(own) + 1)? {
                made += 1;
            }
        }
        Ok(())
    }

    /// Terms for a variable, the most promising first.
    fn candidates(
        &mut self,
        name: Symbol,
        sort: SortId,
        body: TermId,
        depth: u32,
    ) -> Result<Vec<TermId>, Reason> {
        let mut list = self.beside(name, body, depth)?;
        list.extend(self.compared(sort, body, depth)?);
        let pool = &self.script.pool;
        let old = |term: &&TermId| pool.sort_of(**term) == sort && self.generation[*term] <= depth;
        list.extend(self.terms.iter().filter(old).copied());
        let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
        list.retain(|&term| self.script.pool.sort_of(term) == sort && seen.insert(term));
        list.truncate(CANDIDATES * (depth as usize + 1));
        if list.is_empty() {
            list.push(self.arbitrary(sort));
        }
        Ok(list)
    }

    /// If the variable is an argument of a function: the other terms at that position.
    fn beside(&self, name: Symbol, body: TermId, depth: u32) -> Result<Vec<TermId>, Reason> {
        let pool = &self.script.pool;
        let mut places: Vec<(Kind, usize)> = vec![];
        for part in pool.subterms(body) {
            let kind = pool.kind(part);
            if !matches!(kind, Kind::Fun { .. }) && build::operator(pool, part) != Some("array_select") {
                continue;
            }
            for (n, &arg) in pool.args(part).iter().enumerate() {
                if pool.kind(arg) == Kind::Var(name) && !places.contains(&(kind, n)) {
                    places.push((kind, n));
                }
            }
        }
        let mut found = vec![];
        for &term in &self.terms {
            self.budget.spend(1)?;
            for &(kind, n) in &places {
                if pool.kind(term) == kind && self.generation[&term] <= depth + 1 {
                    found.extend(pool.args(term).get(n));
                }
            }
        }
        Ok(found)
    }

    /// The other terms in a statement about numbers, and the integers next to them.
    fn compared(&mut self, sort: SortId, body: TermId, depth: u32) -> Result<Vec<TermId>, Reason> {
        if !matches!(sort, SortId::INT | SortId::REAL) {
            return Ok(vec![]);
        }
        let mut free = smtlib::free::FreeVariables::default();
        let mut found = vec![];
        for part in self.script.pool.subterms(body) {
            self.budget.spend(1)?;
            if self.script.pool.sort_of(part) == sort && free.of(&self.script.pool, part).is_empty() {
                found.push(part);
            }
        }
        let one = build::numeral(&mut self.script.pool, 1, sort);
        if depth > 0 {
            for term in found.clone() {
                found.extend(build::op(&mut self.script.pool, "+", &[term, one]));
                found.extend(build::op(&mut self.script.pool, "-", &[term, one]));
            }
        }
        if found.is_empty() {
            found.push(build::numeral(&mut self.script.pool, 0, sort));
            found.push(one);
        }
        Ok(found)
    }

    /// A name for an arbitrary element of a sort.
    fn arbitrary(&mut self, sort: SortId) -> TermId {
        if let Some(&known) = self.quantifiers.arbitrary.get(&sort) {
            return known;
        }
        let term = self.fresh("any", sort);
        self.quantifiers.arbitrary.insert(sort, term);
        term
    }
}

/// Choices of one from each list, those from the beginning of the lists first, at most `most`.
fn combinations(lists: &[Vec<TermId>], most: usize) -> Vec<Vec<TermId>> {
    let mut choices: Vec<(usize, Vec<TermId>)> = vec![(0, vec![])];
    for list in lists {
        let mut longer = vec![];
        for (weight, choice) in &choices {
            for (n, &term) in list.iter().enumerate() {
                let mut choice = choice.clone();
                choice.push(term);
                longer.push((weight + n, choice));
            }
        }
        longer.sort_by_key(|&(weight, _)| weight);
        longer.truncate(most);
        choices = longer;
    }
    choices.into_iter().map(|(_, choice)| choice).collect()
}
