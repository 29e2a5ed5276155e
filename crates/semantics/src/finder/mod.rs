//! Our own model finder: one model refutes a wrong `unsat`.
//!
//! In: a script, one of its checks and models of similar formulas. Out: a model that the ordinary evaluator has
//! confirmed, or unknown with a reason. It never answers `unsat`, and it is never wrong about `sat`: every model is
//! parsed and checked by `eval::check` like a solver's model, so it *is* a certificate.
//!
//! How: the assertions become a graph (`graph`, `lower`), in which constants that an equation defines are replaced by
//! their value. A local search (`search`) then changes one symbol at a time. Changes are found by passing goals from a
//! false conjunct down to symbols (`moves`, `invert`), or taken from lists of likely values (`candidates`). The
//! distance of the conjuncts from being true (`distance`) decides whether a change is good. Only the nodes that depend
//! on the changed symbol are evaluated again (`state`). Quantifiers over small sorts are expanded; others are
//! evaluated by the evaluator.
//!
//! Declared sorts get a few elements, one universe size after the other, because the size can decide quantifiers.
//!
//! It is a pure function of its input: steps are counted, no clock is read, and random numbers are seeded by the
//! assertions.

mod answer;
mod candidates;
mod chance;
mod define;
mod distance;
mod graph;
mod invert;
mod lower;
mod moves;
mod search;
mod solve;
mod state;
mod systematic;
mod weight;

pub use answer::Witness;

use crate::budget::{Budget, Exhausted};
use crate::eval::{EvalLimits, Evaluator, mentions_stranger};
use crate::model::Model;
use crate::value::Value;
use candidates::Candidates;
use chance::Chance;
use graph::Graph;
use rustc_hash::FxHasher;
use search::{Search, SearchEnd};
use smtlib::script::Script;
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::Symbol;
use smtlib::term::{Kind, Lit, Pool, TermId};
use state::State;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// The outcome of a search.
#[derive(Clone, Debug)]
pub enum Found {
    Model(Box<Witness>),
    Unknown(Reason),
}

/// Why no model was found. None of these means that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("the search ended without a model: {0}")]
    Budget(Exhausted),
    #[error("the formula is too large or nested too deeply")]
    TooLarge,
    #[error("the evaluator does not confirm the assignments found")]
    Unconfirmed,
    #[error("there is nothing left to try")]
    Tried,
}

/// Maximum cost of one evaluation of a quantifier or of a recursive function.
const MAX_EVALUATION: u64 = 20_000;

/// Looks for a model of the assertions in force at the given check-sat (counted from 0). Hints are models of similar
/// formulas, parsed with this script: the search starts from them. The script's pool grows by the model.
pub fn find(script: &mut Script, check: usize, hints: &[Model], budget: &Budget) -> Found {
    let terms: Vec<TermId> = script.in_force(check).into_iter().map(|(_, term)| term).collect();
    let mut reason = Reason::Tried;
    let sizes = universe_sizes(script, &terms);
    for (n, &size) in sizes.iter().enumerate() {
        for filled in [false, true] {
            // The remaining budget is divided among the remaining attempts; the second way is rarely needed.
            let share = budget.steps_left() / (sizes.len() - n) as u64;
            let given = if filled { share } else { share / 4 * 3 };
            let part = budget.part(given);
            let ended = attempt(script, check, &terms, hints, size, filled, &part);
            budget.settle(given, &part);
            match ended {
                (Found::Unknown(why), met_open) => {
                    reason = why;
                    if !met_open || reason == Reason::TooLarge {
                        break;
                    }
                }
                (found, _) => return found,
            }
        }
    }
    Found::Unknown(reason)
}

/// One universe size, with or without default values at under-specified points. Also returns whether such points
/// mattered.
fn attempt(
    script: &mut Script,
    check: usize,
    terms: &[TermId],
    hints: &[Model],
    size: usize,
    filled: bool,
    budget: &Budget,
) -> (Found, bool) {
    let model = Model { universe: universe(&mut script.pool, size), ..Model::default() };
    // The evaluator uses a copy, because the script's own pool grows when a model is parsed.
    let pool = script.pool.clone();
    let limits =
        EvalLimits { steps: MAX_EVALUATION, instances: 2048, regex_steps: 20_000, ..EvalLimits::default() };
    let mut eval = Evaluator::with_limits(&pool, &model, limits);
    eval.fill_open_points(filled);
    let Ok(graph) = lower::lower(&mut eval, terms) else { return (Found::Unknown(Reason::TooLarge), false) };
    let mut candidates = Candidates::default();
    let mut starts = from_hints(&pool, &model, hints, &graph);
    starts.push(search::initial(&mut eval, &graph, &mut candidates));
    let dependents = graph.dependents();
    let mut chance = Chance::new(seed(terms, size, filled));
    let mut confirm = |text| answer::confirm(script, check, text, budget);
    let first = starts[0].clone();
    let state = match State::new(&graph, &dependents, &mut eval, budget, first) {
        Ok(state) => state,
        Err(exhausted) => return (Found::Unknown(Reason::Budget(exhausted)), false),
    };
    let mut search = Search::new(state, &model, &mut candidates, &mut chance, &mut confirm);
    let ended = search.run(starts);
    let met_open = search.met_open;
    let found = match ended {
        Ok(SearchEnd::Found(witness)) => Found::Model(witness),
        Ok(SearchEnd::Refused) => Found::Unknown(Reason::Unconfirmed),
        Ok(SearchEnd::Tried) => Found::Unknown(Reason::Tried),
        Err(exhausted) => Found::Unknown(Reason::Budget(exhausted)),
    };
    (found, met_open)
}

fn seed(terms: &[TermId], size: usize, filled: bool) -> u64 {
    let mut hasher = FxHasher::default();
    (terms, size, filled).hash(&mut hasher);
    hasher.finish()
}

// Declared sorts.

/// The universe sizes for declared sorts, in the order of trying.
fn universe_sizes(script: &Script, terms: &[TermId]) -> Vec<usize> {
    let pool = &script.pool;
    if declared_sorts(pool).is_empty() {
        return vec![0];
    }
    if lower::quantifies_over_declared(pool, terms) { vec![2, 1, 3, 4] } else { vec![5] }
}

fn declared_sorts(pool: &Pool) -> Vec<SortId> {
    let mut found = vec![];
    for term in (0..pool.len() as u32).map(TermId) {
        push_declared(pool, pool.sort_of(term), &mut found);
    }
    for decl in &pool.decls {
        push_declared(pool, decl.result, &mut found);
        decl.params.iter().for_each(|&param| push_declared(pool, param, &mut found));
    }
    found
}

fn push_declared(pool: &Pool, sort: SortId, found: &mut Vec<SortId>) {
    let is_declared = matches!(pool.sort(sort), Sort::Declared(..)) && pool.datatype(sort).is_none();
    if is_declared && !found.contains(&sort) {
        found.push(sort);
    }
    for part in pool.sort(sort).parts() {
        push_declared(pool, part, found);
    }
}

/// Elements for every declared sort.
fn universe(
    pool: &mut Pool,
    size: usize,
) -> hashbrown::HashMap<SortId, Vec<TermId>, rustc_hash::FxBuildHasher> {
    let mut all = hashbrown::HashMap::default();
    for sort in declared_sorts(pool) {
        let text = smtlib::printer::sort_text(pool, sort);
        let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut elements = vec![];
        for n in 0..size {
            let symbol = pool.symbol(format!("{plain}!val!{}!{n}", sort.0).as_bytes());
            elements.push(pool.term(Kind::Lit(Lit::Abstract, symbol), sort, &[]));
        }
        all.insert(sort, elements);
    }
    all
}

// Hints.

/// The assignments from models of similar formulas, as far as these contain values. An element of a declared sort that
/// is not in this universe would be a stranger over which no quantifier ranges.
fn from_hints(pool: &Pool, universe: &Model, hints: &[Model], graph: &Graph) -> Vec<Vec<Value>> {
    let own: BTreeSet<Symbol> =
        universe.universe.values().flatten().filter_map(|&term| symbol_of(pool, term)).collect();
    let mut found = vec![];
    for hint in hints {
        let limits = EvalLimits { steps: MAX_EVALUATION, ..EvalLimits::default() };
        let mut eval = Evaluator::with_limits(pool, hint, limits);
        let values: Option<Vec<Value>> = graph.vars.iter().map(|var| eval.symbol_value(var.decl)).collect();
        found.extend(values.filter(|values| !values.iter().any(|value| mentions_stranger(value, &own))));
    }
    found
}

fn symbol_of(pool: &Pool, element: TermId) -> Option<Symbol> {
    match pool.kind(element) {
        Kind::Lit(Lit::Abstract, symbol) => Some(symbol),
        _ => None,
    }
}
