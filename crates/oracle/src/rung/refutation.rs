//! Our own refutation of a `sat` that nothing certifies: lemmas, each valid by itself, that leave the assertions no
//! assignment (`semantics::refute`).
//!
//! Tried once per check-sat, and only where a target says `sat`. The evidence lists the lemmas, shortest first: anybody
//! can put each to a solver and then check the propositional rest.

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
