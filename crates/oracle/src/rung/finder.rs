//! Our own model finder on an `unsat` without a certificate: one model refutes it (`semantics::finder`).
//!
//! Tried once per check-sat, and only where a target says `unsat`, because only that can be refuted by a model. The
//! search begins with models that targets printed for other questions of the case. Every model found has been confirmed
//! by the evaluator; a model that needs a choice where the standard leaves something open supports no accusation.

use crate::certify::{Certificate, shown_model};
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};
use semantics::finder::{Found, find};
use solver::Answer;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for at in hearing.uncertified() {
        let recursive = hearing.script(at.question).is_recursive();
        if recursive || !hearing.has_answer(at, Answer::Unsat) || !hearing.tries(at, "finder") {
            continue;
        }
        let budget = hearing.effort.budget(hearing.effort.finder);
        let script = hearing.script_mut(at.question);
        let Found::Model(witness) = find(script, at.check, &[], &budget) else { continue };
        if witness.underspecified {
            continue;
        }
        let evidence = Evidence::new(EvidenceKind::Model, "falsum", shown_model(script, &witness.model));
        steps.push(Step::Fact(at, Certificate { satisfiable: true, evidence }));
    }
    steps
}
