//! Our own model finder (`semantics::finder`): a model certifies `sat` and refutes `unsat`.
//!
//! Tried once per check-sat without a certificate: first where a target says `sat` and no printed model shows it
//! (`confirm`), and, after refutations have been tried too, where all say `unsat` (`oppose`). The search begins with models
//! that targets printed for other questions of the case, models that the evaluator refuted, and models of the seeds. Every
//! model found has been confirmed by the evaluator.

use crate::certify::Certificate;
use crate::hearing::Hearing;
use crate::ladder::Step;
use semantics::finder::{Found, find};
use solver::Answer;
use strategy::At;

/// Where a solver says `sat`.
pub fn confirm(hearing: &mut Hearing) -> Vec<Step> {
    let said = |at: &At, hearing: &Hearing| hearing.has_answer(*at, Answer::Sat);
    let wanted: Vec<At> = hearing.uncertified().into_iter().filter(|at| said(at, hearing)).collect();
    wanted.into_iter().filter_map(|at| look(hearing, at)).collect()
}

/// Whatever is said.
pub fn oppose(hearing: &mut Hearing) -> Vec<Step> {
    hearing.uncertified().into_iter().filter_map(|at| look(hearing, at)).collect()
}

fn look(hearing: &mut Hearing, at: At) -> Option<Step> {
    if hearing.script(at.question).may_lack_functions() || !hearing.tries(at, "finder") {
        return None;
    }
    let budget = hearing.effort.budget(hearing.effort.finder);
    let hints = hearing.neighbours(at);
    let script = hearing.script_mut(at.question);
    let found = find(script, at.check, &hints, &budget);
    hearing.searched.finder = Some(matches!(found, Found::Model(_)));
    let Found::Model(witness) = found else { return None };
    let script = hearing.script_mut(at.question);
    Some(Step::Fact(at, Certificate::of_witness(script, &witness.model, witness.underspecified)))
}
