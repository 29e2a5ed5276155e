//! A printed proof that a checker of the user's refuses.
//!
//! Where the user has a checker for a format that the target prints, its proofs are checked (`triage` runs it). The
//! checker's own words make a proof invalid; a checker that gives up says nothing. The answer may well be right: what is
//! wrong is the proof.

use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use solver::ProofVerdict;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for checked in hearing.proofs() {
        let ProofVerdict::Invalid(said) = &checked.verdict else { continue };
        if hearing.is_accused(&checked.target, checked.at, FindingKind::RefutationUnsound) {
            continue;
        }
        let detail = format!("the {} proof: {said}", checked.format);
        steps.push(Step::Accuse(Accusation {
            kind: FindingKind::InvalidProof,
            culprit: Some(checked.target.clone()),
            evidence: vec![Evidence::new(EvidenceKind::ProofChecker, &checked.checker, detail)],
            at: checked.at,
            truth: hearing.truth(checked.at).map(|fact| fact.satisfiable),
        }));
    }
    steps
}
