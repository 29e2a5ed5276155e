//! Drops the lemmas that a refutation does not need, and checks the rest.
//!
//! The engine has added many lemmas, and most of them are not needed. Every assertion and lemma gets a switch; the
//! propositional solver names switches that cannot all be on, which drops most. Then each remaining lemma is switched
//! off on trial, the longest first, so that the short ones stay. If the budget ends here, or no accusation rests on the
//! refutation (`Length::Any`), it is longer than necessary. The rest is solved once more from scratch, and the clauses
//! that the solver learns are checked by `proof`. The caller's budget pays for all of it.

use super::engine::Engine;
use super::sat::{Answer, Lit, Solver};
use super::skeleton::Skeleton;
use super::{Lemma, Length, Premise, Reason, Refutation, proof};
use crate::budget::Budget;
use smtlib::printer::term_text;
use smtlib::term::{DeclId, Kind, Pool, TermId};

/// Maximum number of nodes of a refutation when it is written. It is evidence for people; and a term whose parts are
/// shared may be longer than any memory.
const READABLE: u64 = 200_000;

/// Maximum number of trials of leaving out a lemma.
const TRIALS: usize = 400;

pub(super) fn minimise(engine: Engine<'_>, budget: &Budget, length: Length) -> Result<Refutation, Reason> {
    let Engine { script, premises, lemmas, symbols, .. } = engine;
    let pool = &script.pool;
    let mut roots: Vec<TermId> = premises.iter().map(|premise| premise.plain).collect();
    roots.extend(lemmas.iter().map(|lemma| lemma.term));
    // Half is reserved for the check: a found refutation is not lost to making it short.
    let given = budget.steps_left() / 2;
    let own = budget.part(given);
    let needed = core(pool, &roots, length, &own);
    budget.settle(given, &own);
    let needed = needed?;
    let chosen: Vec<TermId> = needed.iter().map(|&n| roots[n]).collect();
    let nodes = chosen.iter().map(|&root| pool.written_nodes(root)).fold(0, u64::saturating_add);
    if nodes > READABLE {
        return Err(Reason::TooLong);
    }
    let learned = verify(pool, &chosen, budget)?;
    let kept = |n: usize| needed.contains(&n);
    let assertions: Vec<Premise> =
        premises.iter().enumerate().filter(|(n, _)| kept(*n)).map(|(_, p)| p.clone()).collect();
    let mut kept_lemmas: Vec<Lemma> = lemmas
        .into_iter()
        .enumerate()
        .filter(|(n, _)| kept(n + premises.len()))
        .map(|(_, lemma)| lemma)
        .collect();
    kept_lemmas.sort_by_cached_key(|lemma| term_text(pool, lemma.term).len());
    let symbols = mentioned(pool, &kept_lemmas, &symbols);
    Ok(Refutation { assertions, lemmas: kept_lemmas, symbols, learned })
}

/// The approximate length of a term as text.
fn size(pool: &Pool, term: TermId) -> usize {
    pool.subterms(term).len()
}

/// The fresh symbols that lemmas mention.
fn mentioned(pool: &Pool, lemmas: &[Lemma], symbols: &[DeclId]) -> Vec<DeclId> {
    let used = |symbol: &DeclId| {
        lemmas.iter().any(|lemma| {
            let is_it = |part: &TermId| matches!(pool.kind(*part), Kind::Fun { decl, .. } if decl == *symbol);
            pool.subterms(lemma.term).iter().any(is_it)
        })
    };
    symbols.iter().copied().filter(used).collect()
}

/// Roots that are contradictory together, as few as the budget allows.
fn core(pool: &Pool, roots: &[TermId], length: Length, budget: &Budget) -> Result<Vec<usize>, Reason> {
    let mut needed: Vec<usize> = (0..roots.len()).collect();
    loop {
        match contradictory(pool, roots, &needed, budget) {
            Ok(fewer) if fewer.len() < needed.len() && length == Length::Short => needed = fewer,
            Ok(fewer) => {
                needed = fewer;
                break;
            }
            // No budget left to make it short.
            Err(Reason::Exhausted(_)) => return Ok(needed),
            Err(why) => return Err(why),
        }
    }
    let mut order = needed.clone();
    if length == Length::Any {
        order.clear();
    }
    order.sort_by_cached_key(|&n| std::cmp::Reverse((size(pool, roots[n]), n)));
    for n in order.into_iter().take(TRIALS) {
        if !needed.contains(&n) {
            continue;
        }
        let without: Vec<usize> = needed.iter().copied().filter(|&other| other != n).collect();
        match contradictory(pool, roots, &without, budget) {
            Ok(fewer) => needed = fewer,
            Err(Reason::Survives) => {}
            Err(_) => break,
        }
    }
    needed.sort_unstable();
    Ok(needed)
}

/// Those of the given roots that the solver needed to contradict them.
fn contradictory(
    pool: &Pool,
    roots: &[TermId],
    among: &[usize],
    budget: &Budget,
) -> Result<Vec<usize>, Reason> {
    let mut skeleton = Skeleton::default();
    let mut switches: Vec<(Lit, usize)> = vec![];
    for &n in among {
        let lit = skeleton.lit(pool, roots[n]);
        let switch = skeleton.fresh();
        skeleton.clauses.push(vec![!switch, lit]);
        switches.push((switch, n));
    }
    let mut solver = filled(&skeleton);
    let assumptions: Vec<Lit> = switches.iter().map(|&(switch, _)| switch).collect();
    match solver.solve(&assumptions, budget)? {
        Answer::Sat => Err(Reason::Survives),
        Answer::Unsat(core) => {
            Ok(switches.iter().filter(|(switch, _)| core.contains(switch)).map(|&(_, n)| n).collect())
        }
    }
}

fn filled(skeleton: &Skeleton) -> Solver {
    let mut solver = Solver::new();
    for _ in 0..skeleton.vars() {
        solver.new_var();
    }
    for clause in &skeleton.clauses {
        solver.add(clause);
    }
    solver
}

/// Solves the chosen roots from scratch and checks the result; returns how many clauses were learned.
fn verify(pool: &Pool, chosen: &[TermId], budget: &Budget) -> Result<usize, Reason> {
    let mut skeleton = Skeleton::default();
    for &root in chosen {
        let lit = skeleton.lit(pool, root);
        skeleton.clauses.push(vec![lit]);
    }
    let mut solver = filled(&skeleton);
    match solver.solve(&[], budget)? {
        Answer::Unsat(_) if proof::check(&skeleton.clauses, &solver.learned, budget)? => {
            Ok(solver.learned.len())
        }
        _ => Err(Reason::Unchecked),
    }
}
