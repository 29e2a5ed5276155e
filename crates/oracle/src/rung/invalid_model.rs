//! A model that does not satisfy the formula.
//!
//! The evaluator finds the assertions false under the printed model, for every interpretation of what the model or the
//! standard leaves open; one consistent choice at the open points that makes them true is enough for the model to be
//! right. A solver is not accused if it may interpret the script differently, or if it is already accused of the wrong
//! `sat` itself.

use crate::certify::ModelCheck;
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::rung::vote;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use solver::Answer;
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    let mut accused: Vec<(At, String)> = vec![];
    for at in hearing.considered() {
        for heard in hearing.heard_about(at.question) {
            let Some(ModelCheck::Refuted { detail }) = heard.model(at.check) else { continue };
            let name = heard.name().to_owned();
            let entry = (hearing.class_of(at), name.clone());
            if hearing.is_accused(&name, at, FindingKind::SolutionUnsound) || accused.contains(&entry) {
                continue;
            }
            if let Some(why) = hearing.excuse_for_model(at, heard) {
                steps.push(Step::Doubt(format!("the model of {name} fails, but {why}")));
            } else {
                accused.push(entry);
                let mut evidence = vec![Evidence::new(EvidenceKind::RefutedModel, "falsum", detail.clone())];
                let unsat = vote::names(hearing, at, Answer::Unsat);
                if !unsat.is_empty() {
                    evidence.push(Evidence::new(EvidenceKind::Majority, unsat.join(", "), "say unsat"));
                }
                let truth = hearing.truth(at).map(|fact| fact.satisfiable);
                let kind = FindingKind::InvalidModel;
                steps.push(Step::Accuse(Accusation { kind, culprit: Some(name), evidence, at, truth }));
            }
        }
    }
    steps
}
