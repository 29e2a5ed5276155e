//! A crash: the evidence is how the process ended.
//!
//! Only the wait status or the solver's own message counts. A wrapper's exit code does not: a wrapper may use 139 for
//! anything. Each target is accused once per case, of the first crash that was seen.

use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use solver::Ended;
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut accused: Vec<&str> = vec![];
    let mut steps = vec![];
    for heard in hearing.heard() {
        let Ended::Crash { signal, message, wrapped: false } = &heard.reply.ended else { continue };
        if accused.contains(&heard.name()) {
            continue;
        }
        accused.push(heard.name());
        let signal = signal.map_or_else(String::new, |signal| format!("signal {signal} "));
        let detail = format!("{signal}{message}").trim().to_owned();
        let unanswered = heard.reply.checks.iter().position(|check| check.answer.is_none());
        steps.push(Step::Accuse(Accusation {
            kind: FindingKind::Crash,
            culprit: Some(heard.name().to_owned()),
            evidence: vec![Evidence::new(EvidenceKind::Exit, heard.name(), detail)],
            at: At { question: heard.reply.question, check: unanswered.unwrap_or(0) },
            truth: None,
        }));
    }
    steps
}
