//! Bounds on sums of variables, and simplification by the bounds that hold around a formula.
//!
//! Every comparison is a bound on its key: the sum of its variables divided by the greatest common divisor of the
//! coefficients, first coefficient positive. Within a conjunction all bounds on one key are merged into one interval
//! with holes; within a disjunction the same happens to their negations. `simplify` passes these intervals inwards: a
//! leaf of a conjunction holds for its siblings, and the negation of a leaf of a disjunction holds for its siblings. A
//! leaf that the intervals decide becomes a truth value. Each rule replaces a formula by one that is equivalent under
//! these assumptions, so the whole stays equivalent.

use super::formula::{Atom, F, FALSE, Formulas, Node, Relation, Step, TRUE};
use super::linear::Var;
use crate::value::int::Int;
use crate::value::rational::Rat;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::cmp::Ordering;

/// Larger trees are not simplified: simplification walks the tree, not the graph.
const MAX_TREE: u32 = 400_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Upper,
    Lower,
    Exactly,
    Not,
}

/// The bound that an atom puts on its key.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub key: u32,
    pub side: Side,
    pub strict: bool,
    pub value: Rat,
}

/// The known interval of a key. An end is its value and whether it is excluded.
#[derive(Clone, Default, Debug)]
struct Interval {
    low: Option<(Rat, bool)>,
    high: Option<(Rat, bool)>,
    holes: Vec<Rat>,
}

/// Maximum number of holes of one interval.
const MAX_HOLES: usize = 16;

impl Interval {
    fn take(&mut self, bound: &Bound) {
        let end = || Some((bound.value.clone(), bound.strict));
        match bound.side {
            Side::Upper => {
                if !self.ends_before(&bound.value, bound.strict) {
                    self.high = end();
                }
            }
            Side::Lower => {
                if !self.begins_after(&bound.value, bound.strict) {
                    self.low = end();
                }
            }
            Side::Exactly => {
                if !self.ends_before(&bound.value, false) {
                    self.high = end();
                }
                if !self.begins_after(&bound.value, false) {
                    self.low = end();
                }
            }
            Side::Not => {
                if self.holes.len() < MAX_HOLES && !self.holes.contains(&bound.value) {
                    self.holes.push(bound.value.clone());
                }
            }
        }
    }

    /// Whether all its values are at most the given one (less than it, if strict).
    fn ends_before(&self, value: &Rat, strict: bool) -> bool {
        self.high.as_ref().is_some_and(|(high, excluded)| match high.cmp(value) {
            Ordering::Less => true,
            Ordering::Equal => *excluded || !strict,
            Ordering::Greater => false,
        })
    }

    fn begins_after(&self, value: &Rat, strict: bool) -> bool {
        self.low.as_ref().is_some_and(|(low, excluded)| match low.cmp(value) {
            Ordering::Greater => true,
            Ordering::Equal => *excluded || !strict,
            Ordering::Less => false,
        })
    }

    /// Moves ends off holes. Over integers the ends are already integers, because atoms are tightened.
    fn settle(&mut self, whole: bool) {
        for _ in 0..=self.holes.len() {
            let holes = &self.holes;
            let mut moved = false;
            for (end, step) in [(&mut self.low, Rat::ONE), (&mut self.high, -Rat::ONE)] {
                if let Some((value, excluded)) = end
                    && !*excluded
                    && holes.contains(value)
                {
                    if whole {
                        *value = &*value + &step;
                    } else {
                        *excluded = true;
                    }
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
    }

    fn is_empty(&self) -> bool {
        match (&self.low, &self.high) {
            (Some((low, a)), Some((high, b))) => match low.cmp(high) {
                Ordering::Less => false,
                Ordering::Equal => *a || *b,
                Ordering::Greater => true,
            },
            _ => false,
        }
    }

    fn point(&self) -> Option<&Rat> {
        match (&self.low, &self.high) {
            (Some((low, false)), Some((high, false))) if low == high => Some(low),
            _ => None,
        }
    }

    /// Whether the interval decides a bound, and how.
    fn decides(&self, bound: &Bound) -> Option<bool> {
        let (value, strict) = (&bound.value, bound.strict);
        let outside =
            || self.ends_before(value, true) || self.begins_after(value, true) || self.holes.contains(value);
        match bound.side {
            Side::Upper if self.ends_before(value, strict) => Some(true),
            Side::Upper if self.begins_after(value, !strict) => Some(false),
            Side::Lower if self.begins_after(value, strict) => Some(true),
            Side::Lower if self.ends_before(value, !strict) => Some(false),
            Side::Exactly if self.point() == Some(value) => Some(true),
            Side::Exactly if outside() => Some(false),
            Side::Not if self.point() == Some(value) => Some(false),
            Side::Not if outside() => Some(true),
            _ => None,
        }
    }
}

/// The bounds that hold around a formula.
#[derive(Default)]
struct Known {
    intervals: HashMap<u32, Interval, FxBuildHasher>,
    leaves: HashMap<F, bool, FxBuildHasher>,
    undo: Vec<Undo>,
}

enum Undo {
    Interval(u32, Interval),
    Leaf(F),
}

impl Formulas<'_> {
    pub(super) fn bound_of(&mut self, atom: &Atom) -> Option<Bound> {
        let mut side = match atom.relation {
            Relation::AtMost | Relation::Below => Side::Upper,
            Relation::Equal => Side::Exactly,
            Relation::Different => Side::Not,
            _ => return None,
        };
        let mut scale = atom.term.content();
        if atom.term.leads_negative() {
            scale = -scale;
            if side == Side::Upper {
                side = Side::Lower;
            }
        }
        let value = Rat::new(&-atom.term.rest(), &scale)?;
        let sum = atom.term.with_rest(Int::ZERO).divided(&scale.abs());
        let key = self.key(if scale.is_negative() { sum.negated() } else { sum });
        Some(Bound { key, side, strict: atom.relation == Relation::Below, value })
    }

    /// An atom that states this bound on a key.
    fn atom_of(&mut self, key: u32, side: Side, strict: bool, value: &Rat) -> Step<F> {
        let sum = &self.key_terms[key as usize];
        let term = sum.scaled(&value.denominator()).plus(&-value.numerator());
        let (relation, term) = match side {
            Side::Upper | Side::Lower => {
                let relation = if strict { Relation::Below } else { Relation::AtMost };
                (relation, if side == Side::Lower { term.negated() } else { term })
            }
            Side::Exactly => (Relation::Equal, term),
            Side::Not => (Relation::Different, term),
        };
        self.atom(relation, term)
    }

    /// Merges the bounds among the parts of a junction. False if they contradict each other (in a disjunction: if
    /// their negations do).
    pub(super) fn merge_bounds(&mut self, all: &mut Vec<F>, conjunction: bool) -> Step<bool> {
        let mut keys: Vec<u32> = all.iter().filter_map(|&f| self.bound(f).map(|b| b.key)).collect();
        keys.sort_unstable();
        let mut repeated: Vec<u32> =
            keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        repeated.dedup();
        self.budget.spend(keys.len() as u64)?;
        for key in repeated {
            let (mine, others): (Vec<F>, Vec<F>) =
                all.iter().partition(|&&f| self.bound(f).is_some_and(|b| b.key == key));
            self.budget.spend(all.len() as u64)?;
            if mine.len() > MAX_HOLES {
                continue;
            }
            let mut interval = Interval::default();
            for &f in &mine {
                let f = if conjunction { f } else { self.negate(f)? };
                if let Some(bound) = self.bound(f) {
                    interval.take(bound);
                }
            }
            let whole = self.is_whole(&self.key_terms[key as usize].clone());
            interval.settle(whole);
            if interval.is_empty() {
                return Ok(false);
            }
            *all = others;
            for f in self.atoms_of(key, &interval)? {
                all.push(if conjunction { f } else { self.negate(f)? });
            }
            all.sort_unstable();
            all.dedup();
        }
        Ok(true)
    }

    /// An interval as atoms.
    fn atoms_of(&mut self, key: u32, interval: &Interval) -> Step<Vec<F>> {
        if let Some(value) = interval.point() {
            return Ok(vec![self.atom_of(key, Side::Exactly, false, value)?]);
        }
        let mut atoms = vec![];
        if let Some((value, strict)) = &interval.low {
            atoms.push(self.atom_of(key, Side::Lower, *strict, value)?);
        }
        if let Some((value, strict)) = &interval.high {
            atoms.push(self.atom_of(key, Side::Upper, *strict, value)?);
        }
        for hole in &interval.holes {
            if !interval.ends_before(hole, true) && !interval.begins_after(hole, true) {
                atoms.push(self.atom_of(key, Side::Not, false, hole)?);
            }
        }
        Ok(atoms)
    }

    /// An equivalent formula without the leaves that are decided by the formulas around them.
    pub fn simplify(&mut self, f: F) -> Step<F> {
        if self.size(f) > MAX_TREE {
            return Ok(f);
        }
        self.simplify_in(f, &mut Known::default())
    }

    fn simplify_in(&mut self, f: F, known: &mut Known) -> Step<F> {
        self.budget.spend(1)?;
        let node = self.node(f);
        match &*node {
            Node::Truth(_) => Ok(f),
            Node::Literal(..) | Node::Atom(_) => self.known_leaf(f, known),
            Node::And(parts) => self.simplify_junction(parts, true, known),
            Node::Or(parts) => self.simplify_junction(parts, false, known),
            Node::Quantified(quantifier, vars, body) => {
                // Bounds on an outer variable of the same name do not apply to this one.
                let captured = known.undo.iter().any(|undo| match undo {
                    Undo::Leaf(f) => vars.iter().any(|x| self.mentions(*f, *x)),
                    Undo::Interval(..) => false,
                });
                self.budget.spend(known.undo.len() as u64)?;
                let body = match captured {
                    true => self.simplify_in(*body, &mut Known::default())?,
                    false => self.simplify_in(*body, known)?,
                };
                self.quantify(*quantifier, vars, body)
            }
        }
    }

    fn known_leaf(&mut self, f: F, known: &Known) -> Step<F> {
        if let Some(&value) = known.leaves.get(&f) {
            return Ok(self.truth(value));
        }
        let decided = self.bound(f).and_then(|bound| known.intervals.get(&bound.key)?.decides(bound));
        Ok(decided.map_or(f, |value| self.truth(value)))
    }

    fn simplify_junction(&mut self, parts: &[F], conjunction: bool, known: &mut Known) -> Step<F> {
        let decisive = if conjunction { FALSE } else { TRUE };
        let mark = known.undo.len();
        let (leaves, others): (Vec<F>, Vec<F>) = parts.iter().partition(|&&part| self.is_leaf(part));
        let mut result = vec![];
        for leaf in leaves {
            let leaf = self.known_leaf(leaf, known)?;
            result.push(leaf);
            if leaf == decisive || !self.learn(leaf, conjunction, known)? {
                known.undo_to(mark);
                return Ok(decisive);
            }
        }
        for part in others {
            let part = self.simplify_in(part, known)?;
            result.push(part);
            if part == decisive || (self.is_leaf(part) && !self.learn(part, conjunction, known)?) {
                known.undo_to(mark);
                return Ok(decisive);
            }
        }
        known.undo_to(mark);
        if conjunction { self.and(result) } else { self.or(result) }
    }

    /// Assumes a leaf (its negation, in a disjunction) from now on. False if that is impossible.
    fn learn(&mut self, leaf: F, conjunction: bool, known: &mut Known) -> Step<bool> {
        if leaf == TRUE || leaf == FALSE {
            return Ok(true);
        }
        let negated = self.negate(leaf)?;
        let (fact, denied) = if conjunction { (leaf, negated) } else { (negated, leaf) };
        for (f, value) in [(fact, true), (denied, false)] {
            if known.leaves.insert(f, value).is_none() {
                known.undo.push(Undo::Leaf(f));
            }
        }
        let Some(bound) = self.bound(fact).cloned() else { return Ok(true) };
        let whole = self.is_whole(&self.key_terms[bound.key as usize].clone());
        let interval = known.intervals.entry(bound.key).or_default();
        let before = interval.clone();
        interval.take(&bound);
        interval.settle(whole);
        let possible = !interval.is_empty();
        known.undo.push(Undo::Interval(bound.key, before));
        Ok(possible)
    }
}

impl Known {
    fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Interval(key, before)) => {
                    self.intervals.insert(key, before);
                }
                Some(Undo::Leaf(f)) => {
                    self.leaves.remove(&f);
                }
                None => {}
            }
        }
    }
}

/// The constant bounds that the leaves of a conjunction put on an integer variable alone.
pub(super) fn range(formulas: &Formulas<'_>, parts: &[F], x: Var) -> Option<(Int, Int)> {
    let mut interval = Interval::default();
    for &part in parts {
        if let Some(bound) = formulas.bound(part)
            && let [(y, one)] = formulas.key_terms[bound.key as usize].terms()
            && *y == x
            && one.is_one()
        {
            interval.take(bound);
        }
    }
    let (low, high) = (interval.low?.0, interval.high?.0);
    Some((low.ceil(), high.floor()))
}
