//! A formula without free symbols has one model, the empty one, so evaluation gives its answer.
//!
//! Only where the evaluator decides every assertion without a choice that the standard leaves open. A script that
//! declares a sort is not closed: the number of elements of the sort is open.

use crate::certify::{Certificate, ModelCheck};
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for at in hearing.considered() {
        if hearing.truth(at).is_some() || hearing.script(at.question).declares_something() {
            continue;
        }
        let (satisfiable, detail) = match hearing.check_model(at, b"()") {
            ModelCheck::Confirmed { underspecified: false, .. } => {
                (true, "every assertion is true, and there is nothing to choose".to_owned())
            }
            ModelCheck::Refuted { underspecified: false, detail } => (false, detail),
            _ => continue,
        };
        let evidence = Evidence::new(EvidenceKind::Evaluation, "falsum", detail);
        steps.push(Step::Fact(at, Certificate { satisfiable, evidence }));
    }
    steps
}
