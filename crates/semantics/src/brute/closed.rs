//! Formulas without free symbols: there is only one assignment to try, and the evaluator tries it.
//!
//! In: the assertions in force. Out: sat or unsat, if they contain no declared symbol and the evaluator decides them.
//! A formula that depends on an under-specified operator or on a recursive function is not decided here: a solver may
//! choose any value for the first, and the second may not exist.

use super::{BruteLimits, Verdict, Witness};
use crate::eval::{self, Evaluator};
use crate::model::Model;
use smtlib::script::Script;
use smtlib::term::{Kind, Lit, Pool, Role, TermId};

/// How many operations of the search cost as much as one step of the evaluator.
const STEP: u64 = 64;

pub(super) fn decide(script: &Script, in_force: &[(usize, TermId)], limits: BruteLimits) -> Option<Verdict> {
    let roots: Vec<TermId> = in_force.iter().map(|&(_, term)| term).collect();
    if script.is_recursive() || !is_closed(&script.pool, roots) {
        return None;
    }
    let steps = limits.work / STEP;
    let limits =
        eval::EvalLimits { steps, instances: steps.min(1 << 16), regex_steps: steps, ..Default::default() };
    let model = Model::default();
    let truth = Evaluator::with_limits(&script.pool, &model, limits).check(in_force).overall;
    match truth.value {
        _ if truth.underspecified || truth.completed => None,
        eval::Verdict::True => {
            Some(Verdict::Sat(Box::new(Witness { model, text: "()\n".to_owned(), underspecified: false })))
        }
        eval::Verdict::False => Some(Verdict::Unsat),
        eval::Verdict::Unknown(_) => None,
    }
}

/// Whether neither these terms nor the functions they call contain a free symbol.
fn is_closed(pool: &Pool, roots: Vec<TermId>) -> bool {
    let mut seen = hashbrown::HashSet::new();
    let mut waiting = roots;
    while let Some(root) = waiting.pop() {
        for term in pool.subterms(root).into_iter().chain([root]) {
            match pool.kind(term) {
                Kind::Fun { decl, .. } => match pool.decl(decl).role {
                    Role::Declared => return false,
                    Role::Defined { body, .. } | Role::Named(body) if seen.insert(body) => waiting.push(body),
                    _ => {}
                },
                // The index of `(_ map f)` may name a function of the script.
                Kind::Op { indices, .. } if names_something(pool, indices) => return false,
                Kind::Lit(Lit::Abstract, _) => return false,
                _ => {}
            }
        }
    }
    true
}

fn names_something(pool: &Pool, indices: smtlib::term::IndicesId) -> bool {
    use smtlib::term::Index;
    pool.index_list(indices).iter().any(|index| matches!(index, Index::Text(_) | Index::Fun(_)))
}
