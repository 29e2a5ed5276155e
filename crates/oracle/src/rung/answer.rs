//! An answer against a fact: refutation-unsound or solution-unsound.
//!
//! Whoever says the opposite of what is certain is wrong, unless the script means something else to that solver
//! (`ambiguous.rs`). Each culprit is accused for itself, of the question on which it said so; of the formula first,
//! and not once more for the same assertions asked another way.

use crate::certify::Certificate;
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::rung::vote;
use crate::verdict::{Accusation, Kind};
use solver::Answer;
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    let mut accused: Vec<(At, String)> = vec![];
    for at in hearing.considered() {
        if let Some(fact) = hearing.truth(at).cloned() {
            against(hearing, at, &fact, &mut accused, &mut steps);
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
        true => (Answer::Unsat, Kind::RefutationUnsound),
        false => (Answer::Sat, Kind::SolutionUnsound),
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
