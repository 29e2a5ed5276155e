//! Systematic search: short lists of values for every symbol, all combinations, with increasing lengths.
//!
//! Local search is bad where no distance shows how close a model is (remainders, unusual rounding, rare characters);
//! there it is better to try values. Symbols get their values in order, and a conjunct is evaluated as soon as its
//! last symbol has one: if it is false, no further combination with these values is tried. A round with lists of some
//! length is started only if the number of combinations is acceptable.

use super::graph::{NodeId, VarId};
use super::search::{Search, SearchEnd};
use crate::budget::Exhausted;
use crate::value::Value;
use crate::value::bitvec::BitVec;
use crate::value::int::Int;
use smtlib::sort::Sort;

/// Lengths of the lists, one round after the other.
const WIDTHS: [usize; 7] = [2, 4, 8, 16, 32, 64, 256];
/// Maximum number of combinations of one round, ignoring those that conjuncts rule out.
const MAX_COMBINATIONS: f64 = 1e6;

impl Search<'_, '_, '_> {
    /// Tries combinations until a model is found or this many steps of the budget are spent.
    pub fn try_combinations(&mut self, steps: u64) -> Result<SearchEnd, Exhausted> {
        let lists: Vec<Vec<Value>> = (0..self.state.graph.vars.len()).map(|n| self.list(n)).collect();
        let due = self.due();
        let floor = self.state.steps_left().saturating_sub(steps);
        let mut before = 0.0;
        for width in WIDTHS {
            let combinations: f64 = lists.iter().map(|list| list.len().min(width) as f64).product();
            if combinations > MAX_COMBINATIONS || combinations == before {
                break;
            }
            before = combinations;
            let ended = self.assign_from(0, &lists, width, &due, floor)?;
            if !matches!(ended, SearchEnd::Tried) || self.state.steps_left() <= floor {
                return Ok(ended);
            }
        }
        Ok(SearchEnd::Tried)
    }

    /// Values for a symbol, likely ones first.
    fn list(&mut self, n: usize) -> Vec<Value> {
        let var = self.state.graph.vars[n].clone();
        let known = self.candidates.of(self.state.eval, var.sort);
        if !var.params.is_empty() {
            return known
                .iter()
                .map(|base| super::search::constant_map(self.state.eval, &var, base))
                .collect();
        }
        let mut list = known.to_vec();
        for value in more(self.state.eval.pool().sort(var.sort)) {
            if !list.contains(&value) {
                list.push(value);
            }
        }
        list
    }

    /// The conjuncts that can be decided once a symbol has its value.
    fn due(&self) -> Vec<Vec<NodeId>> {
        let mut due = vec![vec![]; self.state.graph.vars.len()];
        for &conjunct in &self.state.graph.conjuncts {
            if let Some(last) = self.state.vars_of(conjunct).last() {
                due[last.0 as usize].push(conjunct);
            }
        }
        due
    }

    fn assign_from(
        &mut self,
        n: usize,
        lists: &[Vec<Value>],
        width: usize,
        due: &[Vec<NodeId>],
        floor: u64,
    ) -> Result<SearchEnd, Exhausted> {
        if n == lists.len() {
            return Ok(self.offer_if_good().unwrap_or(SearchEnd::Tried));
        }
        for value in lists[n].iter().take(width) {
            if self.state.steps_left() <= floor {
                break;
            }
            let mark = self.state.mark();
            self.state.set(VarId(n as u32), value.clone())?;
            let is_false = |&conjunct: &NodeId| matches!(self.state.value(conjunct), Ok(Value::Bool(false)));
            if !due[n].iter().any(is_false) {
                match self.assign_from(n + 1, lists, width, due, floor)? {
                    SearchEnd::Tried => {}
                    ended => return Ok(ended),
                }
            }
            self.state.undo(mark);
        }
        Ok(SearchEnd::Tried)
    }
}

/// Values beyond the candidates.
fn more(sort: &Sort) -> Vec<Value> {
    match *sort {
        Sort::Int => (1..=100).flat_map(|n| [n, 1 - n]).map(|n| Value::Int(Int::from(n))).collect(),
        Sort::Real => {
            let ratio = |n, d| Value::Real(crate::value::rational::Rat::ratio(n, d).into());
            (1..=8).flat_map(|d| (-8..=8).map(move |n| ratio(n, d))).collect()
        }
        Sort::BitVec(width) if width <= 8 => {
            (0..1u64 << width).filter_map(|n| BitVec::from_u64(width, n)).map(Value::BitVec).collect()
        }
        _ => vec![],
    }
}
