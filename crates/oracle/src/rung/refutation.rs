//! Our own refutation of a `sat` without a certificate: lemmas, each valid by itself, that rule out every assignment
//! (`semantics::refute`).
//!
//! Tried once per check-sat, and only where a target says `sat`. The evidence lists the lemmas, shortest first: a
//! reader can check each with a solver and then check the propositional rest.

use crate::certify::Certificate;
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};
use semantics::refute::refute;
use solver::Answer;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for at in hearing.uncertified() {
        if !hearing.has_answer(at, Answer::Sat) || !hearing.tries(at, "refutation") {
            continue;
        }
        let budget = hearing.effort.budget(hearing.effort.refutation);
        let script = hearing.script_mut(at.question);
        let Ok(refutation) = refute(script, at.check, &budget) else { continue };
        let detail = refutation.text(script).trim_end().to_owned();
        let evidence = Evidence::new(EvidenceKind::Refutation, "falsum", detail);
        steps.push(Step::Fact(at, Certificate { satisfiable: false, evidence }));
    }
    steps
}
