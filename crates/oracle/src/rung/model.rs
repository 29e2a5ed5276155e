//! A printed model that our evaluator confirms proves the formula satisfiable, whichever target printed it.
//!
//! Models are evaluated once, when the reply arrives (`hearing.rs`), so that a caller can stop running solvers as soon
//! as one settles the case. A model that holds for one consistent choice at points that the standard leaves open is a
//! certificate too, and marked as such: it is no evidence against a solver that may choose differently (`answer.rs`).

use crate::certify::{Certificate, Given, ModelCheck};
use crate::hearing::{Heard, Hearing};
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    hearing.heard().iter().flat_map(facts).collect()
}

/// What the models of one reply certify.
pub fn facts(heard: &Heard) -> Vec<Step> {
    let mut steps = vec![];
    for (check, model) in heard.models.iter().enumerate() {
        let (detail, chosen) = match model {
            Some(ModelCheck::Confirmed { given: Given::Nothing, detail }) => (detail, false),
            Some(ModelCheck::Confirmed { given: Given::Choices, detail }) => (detail, true),
            _ => continue,
        };
        let evidence = Evidence::new(EvidenceKind::Model, heard.name(), detail.clone());
        let at = At { question: heard.reply.question, check };
        steps.push(Step::Fact(at, Certificate { satisfiable: true, evidence, chosen }));
    }
    steps
}
