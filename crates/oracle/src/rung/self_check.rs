//! A solver that checks its own answer and complains: a suspicion, not a proof.
//!
//! On a share of the cases targets are asked once more with the arguments of their profile that make them check models,
//! cores or proofs (`triage`). Such checks give false alarms, so a complaint convicts no solver by itself. If our evaluator
//! refutes the model that was printed with the complaint, that is an invalid model, with the complaint as a further
//! piece of evidence; if the model, the core or the answer is convicted by another rung, nothing is added. Otherwise the
//! complaint is kept as unconfirmed, with both sides: what the solver says of itself, and what we say.

use crate::certify::ModelCheck;
use crate::hearing::{Complaint, Hearing};
use crate::ladder::Step;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let complaints = hearing.complaints().to_vec();
    complaints.iter().filter_map(|complaint| look(hearing, complaint)).collect()
}

fn look(hearing: &Hearing, complaint: &Complaint) -> Option<Step> {
    let at = At { question: 0, check: complaint.check };
    let accused = |kind| hearing.is_accused(&complaint.target, at, kind);
    let unsound = [FindingKind::SolutionUnsound, FindingKind::RefutationUnsound];
    if accused(complaint.kind) || unsound.into_iter().any(accused) {
        return None;
    }
    let own = Evidence::new(EvidenceKind::SelfCheck, &complaint.target, complaint.message.clone());
    let accuse = |evidence: Vec<Evidence>| Accusation {
        kind: complaint.kind,
        culprit: Some(complaint.target.clone()),
        evidence,
        at,
        truth: hearing.truth(at).map(|fact| fact.satisfiable),
    };
    let ours = match &complaint.model {
        Some(ModelCheck::Refuted { detail }) if hearing.is_plain(complaint) => {
            let refuted = Evidence::new(EvidenceKind::RefutedModel, "falsum", detail.clone());
            return Some(Step::Accuse(accuse(vec![refuted, own])));
        }
        Some(ModelCheck::Refuted { detail }) => {
            format!("false, but the script may be read in two ways: {detail}")
        }
        Some(ModelCheck::Confirmed { detail, .. }) => detail.clone(),
        Some(ModelCheck::Undecided(why)) => format!("undecided: {why}"),
        None => match hearing.truth(at) {
            Some(fact) => format!("{} is certain: {}", word(fact.satisfiable), fact.evidence.detail),
            None => "nothing is certain about it".to_owned(),
        },
    };
    let ours = Evidence::new(EvidenceKind::Evaluation, "falsum", ours);
    Some(Step::Unconfirmed(accuse(vec![own, ours])))
}

fn word(satisfiable: bool) -> &'static str {
    if satisfiable { "sat" } else { "unsat" }
}
