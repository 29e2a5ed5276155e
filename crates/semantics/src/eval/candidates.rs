//! Values worth trying if a quantifier ranges over too many values to try all.
//!
//! One value that falsifies the body refutes a `forall`, and one that satisfies it proves an `exists`, whatever the
//! other values do. So every candidate may help and none can make the result wrong, as long as it is a value of the
//! sort. Most wrong answers about quantified formulas are found by the obvious candidates: the ends of the sort's
//! range, the literals of the script, their neighbours, and the values of the script's own ground terms in the model.

use super::equal::{mentions_generic, mentions_stranger};
use super::{Evaluator, HAS_VARIABLE};
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::float::{Format, RoundingMode};
use crate::value::int::Int;
use crate::value::rational::Rat;
use crate::value::real::Real;
use crate::value::text::Text;
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::Symbol;
use smtlib::term::{Kind, Lit, Role, TermId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of literals, and of values of ground terms, that are taken from a script.
const MAX_MENTIONED: usize = 24;

impl Evaluator<'_> {
    /// Values worth trying for a sort, each once: its default, the ends of its range, the literals of the script, and
    /// their neighbours.
    pub(super) fn candidates(&mut self, sort: SortId) -> Arc<[Value]> {
        if let Some(known) = self.constants.get(&sort) {
            return known.clone();
        }
        // A declared sort need not contain an element that we invent.
        let own = self.own_elements();
        let default = self.default_value(sort).filter(|value| !mentions_stranger(value, &own));
        let mut found: Vec<Value> = default.into_iter().collect();
        found.extend(extremes(self.pool.sort(sort)));
        let literals: Vec<Value> = self.literals(sort);
        found.extend(literals.iter().flat_map(neighbours));
        found.extend(literals);
        // A ground term may contain a quantifier over this sort; it then uses these candidates.
        self.constants.insert(sort, once_each(found.clone()));
        found.extend(self.ground_values(sort, &own));
        let found = once_each(found);
        self.constants.insert(sort, found.clone());
        found
    }

    /// The elements of declared sorts that occur in this model.
    fn own_elements(&self) -> BTreeSet<Symbol> {
        let model = self.model;
        let bodies = model.functions.values().chain(model.under.iter().map(|(_, definition)| definition));
        let mut waiting: Vec<TermId> = bodies.map(|definition| definition.body).collect();
        waiting.extend(model.universe.values().flatten());
        let (mut seen, mut own) = (BTreeSet::new(), BTreeSet::new());
        while let Some(term) = waiting.pop() {
            match self.pool.kind(term) {
                Kind::Lit(Lit::Abstract, name) => drop(own.insert(name)),
                Kind::Fun { decl, .. } => {
                    if let Role::Named(term) = self.pool.decl(decl).role {
                        waiting.push(term);
                    }
                }
                _ => {}
            }
            waiting.extend(self.pool.args(term).iter().filter(|arg| seen.insert(**arg)));
        }
        own
    }

    pub(crate) fn literals(&mut self, sort: SortId) -> Vec<Value> {
        let terms = (0..self.pool.len()).map(|n| TermId(n as u32));
        let of_sort = terms.filter(|&term| self.pool.sort_of(term) == sort);
        let value = |term| match self.pool.kind(term) {
            // Those may belong to another model that was read into the same pool.
            Kind::Lit(Lit::Abstract, _) => None,
            Kind::Lit(lit, text) => self.literal(lit, text, sort).ok(),
            _ => None,
        };
        of_sort.filter_map(value).take(MAX_MENTIONED).collect()
    }

    /// The values of terms without variables.
    fn ground_values(&mut self, sort: SortId, own: &BTreeSet<Symbol>) -> Vec<Value> {
        let mut found = vec![];
        for n in 0..self.facts.len() {
            let term = TermId(n as u32);
            let is_ground = self.facts[n] & HAS_VARIABLE == 0 && self.pool.sort_of(term) == sort;
            let is_term = matches!(self.pool.kind(term), Kind::Fun { .. } | Kind::Op { .. });
            if !is_ground || !is_term {
                continue;
            }
            let value = self.nested(|eval| eval.run(term));
            found.extend(
                value.ok().filter(|value| !mentions_generic(value) && !mentions_stranger(value, own)),
            );
            if found.len() >= MAX_MENTIONED {
                break;
            }
        }
        found
    }
}

fn once_each(mut values: Vec<Value>) -> Arc<[Value]> {
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.clone()));
    values.into()
}

/// The ends of a sort's range, and values around its middle.
pub(crate) fn extremes(sort: &Sort) -> Vec<Value> {
    match *sort {
        Sort::Int => [1, -1, 2, -2].map(|n| Value::Int(Int::from(n))).into(),
        Sort::Real => {
            let halves = [(1, 1), (-1, 1), (1, 2), (-1, 2), (2, 1)];
            halves.map(|(n, d)| Value::Real(Real::from(Rat::ratio(n, d)))).into()
        }
        Sort::BitVec(width) => bit_vectors(width),
        Sort::Float { eb, sb } => Format::new(eb, sb).map_or(vec![], floats),
        Sort::String => {
            let words = ["a", "b", "0", "-1", "ab", "A"].map(|word| word.chars().map(u32::from).collect());
            words.into_iter().filter_map(Text::try_from_codes).map(Value::String).collect()
        }
        _ => vec![],
    }
}

fn bit_vectors(width: u32) -> Vec<Value> {
    let (Some(zero), Some(one)) = (BitVec::from_u64(width, 0), BitVec::from_u64(width, 1)) else {
        return vec![];
    };
    let ones = zero.not();
    let most = ones.lshr_by(1);
    let least = most.not();
    [one, ones, most, least].map(Value::BitVec).into()
}

fn floats(format: Format) -> Vec<Value> {
    use RoundingMode::{NearestEven, TowardZero};
    let number = |n, d| format.from_real(NearestEven, &Rat::ratio(n, d));
    let largest = format.from_scaled_real(TowardZero, &Rat::ratio(1, 1), 1 << 20);
    let tiniest = format.from_scaled_real(RoundingMode::TowardPositive, &Rat::ratio(1, 1), -(1 << 20));
    let specials = [format.zero(true), format.infinity(false), format.infinity(true), format.nan()];
    let numbers = [number(1, 1), number(-1, 1), number(1, 2), number(3, 2), number(2, 1), largest, tiniest];
    numbers.into_iter().chain(specials).map(Value::Float).collect()
}

fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(n) => [n + &Int::ONE, n - &Int::ONE].map(Value::Int).into(),
        _ => vec![],
    }
}
