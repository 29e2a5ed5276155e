//! An answer that contradicts a fact: refutation-unsound or solution-unsound.
//!
//! A solver whose answer contradicts a fact is wrong, unless it may interpret the script differently (`ambiguous.rs`) or
//! the fact depends on a choice that solvers make differently. Each culprit is accused separately, on the question that it
//! answered wrongly; on the formula first, and not again for the same assertions in another script.

use crate::certify::Certificate;
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::rung::vote;
use crate::verdict::{Accusation, FindingKind};
use solver::Answer;
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    let mut accused: Vec<(At, String)> = vec![];
    for at in hearing.considered() {
        match hearing.truth(at).cloned() {
            Some(fact) if !fact.chosen => {
                against(hearing, at, &fact, &mut accused, &mut steps);
            }
            Some(_) if hearing.has_answer(at, Answer::Unsat) => {
                let why = "there is a model, but it needs a choice where an operator is under-specified";
                steps.push(Step::Doubt(why.into()));
            }
            _ => {}
        }
    }
    steps
}

fn against(
    hearing: &Hearing,
    at: At,
    fact: &Certificate,
    accused: &mut Vec<(At, String)>,
    steps: &mut Vec<Step>,
) {
    let (wrong, kind) = match fact.satisfiable {
        true => (Answer::Unsat, FindingKind::RefutationUnsound),
        false => (Answer::Sat, FindingKind::SolutionUnsound),
    };
    let class = hearing.class_of(at);
    for heard in hearing.heard_about(at.question).filter(|heard| heard.answer(at.check) == Some(wrong)) {
        if let Some(why) = hearing.excuse(at, heard) {
            steps.push(Step::Doubt(format!("{} differs, but {why}", heard.name())));
            continue;
        }
        let entry = (class, heard.name().to_owned());
        if accused.contains(&entry) {
            continue;
        }
        accused.push(entry);
        let mut evidence = vec![fact.evidence.clone()];
        evidence.extend(vote::agreeing(hearing, at, fact.satisfiable));
        let (culprit, truth) = (Some(heard.name().to_owned()), Some(fact.satisfiable));
        steps.push(Step::Accuse(Accusation { kind, culprit, evidence, at, truth }));
    }
}
