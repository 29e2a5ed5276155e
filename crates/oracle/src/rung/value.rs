//! A value that the solver's own model contradicts.
//!
//! Where a script asks for the values of terms or for the truth of its labels, what a solver prints must agree with the
//! model that it prints after the same check-sat, and no asserted formula may be false (`values.rs`). A solver that may
//! interpret the script differently is not accused; neither is one whose model fails or whose `sat` is wrong, since
//! that is accused already and values follow from it.

use crate::certify::ModelCheck;
use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::values::contradiction;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let considered = hearing.considered();
    considered.into_iter().flat_map(|at| look(hearing, at)).collect()
}

fn look(hearing: &Hearing, at: At) -> Vec<Step> {
    let mut steps = vec![];
    for heard in hearing.heard_about(at.question).filter(|heard| heard.under_test) {
        let name = heard.name().to_owned();
        let worse = [FindingKind::InvalidModel, FindingKind::SolutionUnsound];
        let Some(said) = heard.reply.checks.get(at.check).filter(|said| !said.responses.is_empty()) else {
            continue;
        };
        let fails = matches!(heard.model(at.check), Some(ModelCheck::Refuted { .. }));
        if fails || worse.into_iter().any(|kind| hearing.is_accused(&name, at, kind)) {
            continue;
        }
        let (script, limits) = (hearing.script(at.question), hearing.effort.eval);
        let Some(why) = contradiction(script, at.check, said, heard.notation(), limits) else { continue };
        if let Some(excuse) = hearing.ambiguity(at.question, heard) {
            steps.push(Step::Doubt(format!("{name} contradicts its model, but {excuse}")));
            continue;
        }
        steps.push(Step::Accuse(Accusation {
            kind: FindingKind::InvalidValue,
            culprit: Some(name.clone()),
            evidence: vec![Evidence::new(EvidenceKind::SelfContradiction, "falsum", why)],
            at,
            truth: hearing.truth(at).map(|fact| fact.satisfiable),
        }));
    }
    steps
}
