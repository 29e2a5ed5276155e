//! A formula without free symbols has one model, the empty one, so evaluation gives its answer.
//!
//! Where the standard leaves an operator open, one consistent choice that makes every assertion true is enough, and a
//! formula is called false only if no choice does. A script that declares a sort is not closed: the number of elements of
//! the sort is open.

use crate::certify::{Certificate, Given, ModelCheck};
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for at in hearing.considered() {
        let open = hearing.script(at.question).declares_something();
        if hearing.truth(at).is_some() || open || !hearing.tries(at, "closed") {
            continue;
        }
        let (satisfiable, detail, chosen) = match hearing.check_model(at, b"()") {
            ModelCheck::Confirmed { given: Given::Nothing, .. } => {
                (true, "every assertion is true, and there is nothing to choose".to_owned(), false)
            }
            ModelCheck::Confirmed { given: Given::Choices, detail } => (true, detail, true),
            ModelCheck::Refuted { detail } => (false, detail, false),
            _ => continue,
        };
        let evidence = Evidence::new(EvidenceKind::Evaluation, "falsum", detail);
        steps.push(Step::Fact(at, Certificate { satisfiable, evidence, chosen }));
    }
    steps
}
