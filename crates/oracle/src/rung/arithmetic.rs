//! Linear arithmetic with quantifiers is decided exactly, with no model and no solver (`semantics::arithmetic`).
//!
//! Tried once per check-sat where a definite answer has no certificate yet. A solution that the evaluator confirms is a
//! model like any other; a decision that rests on the elimination of variables alone says so.

use crate::certify::{Certificate, shown_model};
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};
use semantics::arithmetic::{Decision, decide};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for at in hearing.uncertified() {
        // A recursive definition holds everywhere or not at all; this decision considers only some points.
        if hearing.script(at.question).is_recursive() || !hearing.tries(at, "arithmetic") {
            continue;
        }
        let budget = hearing.effort.budget(hearing.effort.arithmetic);
        let script = hearing.script_mut(at.question);
        let (satisfiable, kind, detail) = match decide(script, at.check, &budget) {
            Decision::Unknown(_) => continue,
            Decision::Unsat(why) => (false, EvidenceKind::Elimination, why.to_string()),
            Decision::Sat(proof) => match &proof.witness {
                Some(witness) => (true, EvidenceKind::Model, shown_model(script, &witness.model)),
                None => (true, EvidenceKind::Elimination, proof.explanation.to_string()),
            },
        };
        let evidence = Evidence::new(kind, "falsum", detail);
        steps.push(Step::Fact(at, Certificate::new(satisfiable, evidence)));
    }
    steps
}
