//! A small finite space is decided by enumeration (`semantics::brute`).
//!
//! Once per check-sat, since it costs milliseconds: where answers contradict each other or a fact, and always where the
//! effort says so (`climb`). Where a definite answer has no certificate it comes last (`left`), after the finder and the
//! refutation, which need a tenth of its time and certify nine of ten such answers.

use crate::certify::decide;
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::EvidenceKind;
use strategy::At;

/// Where something is suspicious, or always.
pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let all = if hearing.effort.enumerate_always || hearing.is_suspicious() {
        hearing.considered()
    } else {
        vec![]
    };
    decided(hearing, all)
}

/// Where nothing else certifies a definite answer.
pub fn left(hearing: &mut Hearing) -> Vec<Step> {
    let left = hearing.uncertified();
    decided(hearing, left)
}

fn decided(hearing: &mut Hearing, wanted: Vec<At>) -> Vec<Step> {
    let mut steps = vec![];
    for at in wanted {
        let by_model = hearing.truth(at).is_some_and(|fact| fact.evidence.kind == EvidenceKind::Model);
        if by_model || !hearing.tries(at, "enumeration") {
            continue;
        }
        let work = hearing.effort.enumeration;
        if let Some(certificate) = decide(hearing.script_mut(at.question), at.check, work) {
            steps.push(Step::Fact(at, certificate));
        }
    }
    steps
}
