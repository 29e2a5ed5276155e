//! A fact about a formula with literals that releases read differently: does it hold in every reading?
//!
//! `"\t"` is two characters today and was a tab once. A solver that contradicts a fact about such a formula may have read
//! it in the other way, so it is not accused, unless the fact is true of every reading. A printed model that holds in
//! all of them shows that at once (`Hearing::hear`); otherwise our own procedures decide each reading. This costs up to
//! five decisions, so it happens only where an answer contradicts the fact, once per check-sat.

use crate::certify::{decide, is_closed_and};
use crate::effort::Effort;
use crate::hearing::Hearing;
use crate::ladder::Step;
use semantics::finder::{Found, find};
use semantics::refute::refute;
use smtlib::Script;
use solver::Answer;
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    for at in hearing.considered() {
        let Some(satisfiable) = hearing.truth(at).filter(|fact| !fact.chosen).map(|fact| fact.satisfiable)
        else {
            continue;
        };
        let wrong = if satisfiable { Answer::Unsat } else { Answer::Sat };
        if hearing.has_answer(at, wrong) && holds_in_all(hearing, at, satisfiable) {
            hearing.settle_readings(at);
        }
    }
    vec![]
}

fn holds_in_all(hearing: &mut Hearing, at: At, satisfiable: bool) -> bool {
    if hearing.unsettled_readings(at).is_empty() || !hearing.tries(at, "readings") {
        return false;
    }
    let effort = hearing.effort;
    hearing.unsettled_readings(at).iter_mut().all(|script| is(script, at.check, satisfiable, &effort))
}

/// Whether our own procedures show that a check-sat has this answer, whatever is chosen at open points.
fn is(script: &mut Script, check: usize, satisfiable: bool, effort: &Effort) -> bool {
    if is_closed_and(script, check, satisfiable, effort.eval) {
        return true;
    }
    if let Some(decided) = decide(script, check, effort.enumeration) {
        return decided.satisfiable == satisfiable && !decided.chosen;
    }
    if !satisfiable {
        return refute(script, check, &effort.budget(effort.refutation)).is_ok();
    }
    let found = find(script, check, &[], &effort.budget(effort.finder));
    !script.may_lack_functions() && matches!(found, Found::Model(witness) if !witness.underspecified)
}
