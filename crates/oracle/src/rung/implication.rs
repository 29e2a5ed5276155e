//! A solver that decides one formula should decide another that is no harder (Winterer's thesis, chapter 6).
//!
//! The case says so with the relation `ShouldDecide(A, B)`. If the solver itself decided A and gives `unknown` to B,
//! ended by itself and does not lack a feature, that is an incompleteness by implication. A limit is not an `unknown`.

use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use strategy::Relation;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    if !hearing.accusations().is_empty() {
        return vec![];
    }
    let mut steps = vec![];
    for relation in hearing.relations() {
        let Relation::ShouldDecide(a, b) = *relation else { continue };
        for heard in hearing.heard_about(b.question).filter(|heard| heard.under_test) {
            let gave_up = heard.gave_up(b.check);
            let other = hearing.heard_about(a.question).find(|other| other.name() == heard.name());
            let decided =
                other.and_then(|other| other.answer(a.check).filter(|_| other.is_definite(a.check)));
            let Some(answer) = decided.filter(|_| gave_up) else { continue };
            let detail = format!("it says {answer} to {}", hearing.name_of(a, b));
            steps.push(Step::Accuse(Accusation {
                kind: FindingKind::IncompletenessImplication,
                culprit: Some(heard.name().to_owned()),
                evidence: vec![Evidence::new(EvidenceKind::Relation, heard.name(), detail)],
                at: b,
                truth: hearing.truth(b).map(|fact| fact.satisfiable),
            }));
        }
    }
    steps
}
