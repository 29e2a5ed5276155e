//! A small finite space is decided by enumeration (`semantics::brute`).
//!
//! Once per check-sat, since it costs milliseconds: where answers contradict each other or a fact, where a definite
//! answer has no certificate, and always where the effort says so.

use crate::certify::decide;
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::EvidenceKind;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let effort = hearing.effort;
    let suspicious = effort.enumerate_always || hearing.is_suspicious();
    let lone = hearing.uncertified();
    let mut steps = vec![];
    for at in hearing.considered() {
        let by_model = hearing.truth(at).is_some_and(|fact| fact.evidence.kind == EvidenceKind::Model);
        if by_model || !(suspicious || lone.contains(&at)) || !hearing.tries(at, "enumeration") {
            continue;
        }
        if let Some(certificate) = decide(hearing.script_mut(at.question), at.check, effort.enumeration) {
            steps.push(Step::Fact(at, certificate));
        }
    }
    steps
}
