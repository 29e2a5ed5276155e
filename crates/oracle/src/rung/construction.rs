//! Facts that follow from how the formula was made.
//!
//! An argument or a core is a fact unless another fact contradicts it; then one of our own parts is wrong and no solver
//! is accused. A model that the case brings is evaluated first: if it is confirmed, the formula is satisfiable by
//! evidence that needs no argument; if it is refuted, the strategy is wrong. A claim of another party is not a fact.

use crate::certify::{Certificate, Given, ModelCheck};
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};
use strategy::{At, Expect, Ground};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for at in hearing.considered() {
        if let Some(expect) = hearing.expect(at).filter(|expect| !expect.ground.is_claim()).cloned() {
            steps.extend(fact(hearing, at, &expect));
        }
    }
    steps
}

fn fact(hearing: &mut Hearing, at: At, expect: &Expect) -> Option<Step> {
    let (kind, detail) = match &expect.ground {
        Ground::Claim(_) => return None,
        Ground::Argument(why) | Ground::Core { because: why, .. } => {
            (EvidenceKind::Construction, why.clone())
        }
        Ground::Model(_) if hearing.truth(at).is_some() => return None,
        Ground::Model(model) => match hearing.check_model(at, model.as_bytes()) {
            ModelCheck::Confirmed { given: Given::Nothing, detail } => (EvidenceKind::Model, detail),
            ModelCheck::Refuted { detail } => {
                return Some(Step::OurBug(format!(
                    "the model that the formula was made around fails: {detail}"
                )));
            }
            _ => return None,
        },
    };
    let evidence = Evidence::new(kind, "falsum", detail);
    Some(Step::Fact(at, Certificate::new(expect.answer.is_sat(), evidence)))
}
