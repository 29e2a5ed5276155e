//! A solver that refuses a script for its words is asked in its own.
//!
//! In: targets and references that gave no answer to the formula because it is outside their language, and a
//! translation into the words of their profile (`dialect.rs`). Out: the translated script as one more question of the
//! case, put to that solver alone. Its model is put back into the original words and evaluated against the original
//! script, which alone makes a certificate; that the two scripts have the same answer is a relation like any other.

use crate::certify::{Certificate, Given, ModelCheck};
use crate::dialect;
use crate::hearing::{Ask, Hearing, Whom};
use crate::ladder::Step;
use crate::verdict::{Evidence, EvidenceKind};
use smtlib::Parsed;
use solver::{Ended, Profiles};
use strategy::{At, Question, Relation, Role};

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    if !hearing.effort.dialects || hearing.script(0).checks() != 1 {
        return vec![];
    }
    let mut steps = models(hearing);
    for solver in refusing(hearing) {
        let role = Role::Translated(solver.clone());
        if hearing.has_role(&role) || hearing.truth(At { question: 0, check: 0 }).is_some() {
            continue;
        }
        let profile = Profiles::embedded().get(&solver);
        let text = dialect::translate(&profile, hearing.script(0), hearing.text(0));
        let Some(script) = text.and_then(|text| Parsed::read(text).ok()) else { continue };
        let question = Question { role, script, expects: vec![] };
        let relation =
            |question| Relation::SameAnswer(At { question: 0, check: 0 }, At { question, check: 0 });
        steps.push(Step::Ask(Ask {
            question,
            whom: Whom::Solver(solver),
            relation: Some(Box::new(relation)),
        }));
    }
    steps
}

/// The solvers that refused the formula.
fn refusing(hearing: &Hearing) -> Vec<String> {
    let refused = hearing.heard_about(0).filter(|heard| {
        matches!(heard.reply.ended, Ended::Unsupported(_) | Ended::Error(_)) && !heard.is_definite(0)
    });
    let mut solvers: Vec<String> = refused.map(|heard| heard.solver().to_owned()).collect();
    solvers.sort_unstable();
    solvers.dedup();
    solvers
}

/// What the models of translated scripts certify about the original.
fn models(hearing: &mut Hearing) -> Vec<Step> {
    let at = At { question: 0, check: 0 };
    let mut steps = vec![];
    for (solver, name, model) in hearing.translated_models() {
        let original = dialect::back(&Profiles::embedded().get(&solver), &model);
        if let ModelCheck::Confirmed { given: Given::Nothing, detail } = hearing.check_model(at, &original) {
            let evidence =
                Evidence::new(EvidenceKind::Model, name, format!("asked in its own words: {detail}"));
            steps.push(Step::Fact(at, Certificate::new(true, evidence)));
        }
    }
    steps
}
