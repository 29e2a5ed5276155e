//! A printed model that our evaluator confirms proves the formula satisfiable, whichever target printed it.
//!
//! Models are evaluated once, when the reply arrives (`hearing.rs`), so that a caller can stop running solvers as soon
//! as one settles the case. A model that holds only for some interpretation of what the standard leaves open is not a
//! certificate.

use crate::certify::{Certificate, ModelCheck};
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
        if let Some(ModelCheck::Confirmed { underspecified: false, detail }) = model {
            let evidence = Evidence::new(EvidenceKind::Model, heard.name(), detail.clone());
            let at = At { question: heard.reply.question, check };
            steps.push(Step::Fact(at, Certificate { satisfiable: true, evidence }));
        }
    }
    steps
}
