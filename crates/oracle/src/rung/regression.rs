//! A newer release that gives up where an older one of the same solver decides (Winterer's thesis, Definition 6.2.1).
//!
//! Both were asked the same question with the same options, and the newer one said `unknown` and ended by itself: a
//! limit is no `unknown` (being slower is for the rung `slow`). Whether it gave up for want of a feature is found out
//! before a solver is accused (`triage::feature`). Looked for only where nothing worse was found, and one per case.

use crate::hearing::Hearing;
use crate::ladder::Step;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use solver::Answer;
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    if !hearing.effort.regressions || !hearing.accusations().is_empty() {
        return vec![];
    }
    hearing.considered().into_iter().find_map(|at| regression(hearing, at)).into_iter().collect()
}

fn regression(hearing: &Hearing, at: At) -> Option<Step> {
    for newer in hearing.heard_about(at.question).filter(|heard| heard.under_test && heard.gave_up(at.check))
    {
        let decides = |older: &&crate::Heard| older.is_older_than(newer) && older.is_definite(at.check);
        let Some(older) = hearing.heard_about(at.question).find(decides) else { continue };
        let answer = older.answer(at.check).map_or("", Answer::word);
        let detail = format!("{answer} in {:.3} s", older.reply.cpu.as_secs_f64());
        return Some(Step::Accuse(Accusation {
            kind: FindingKind::IncompletenessRegression,
            culprit: Some(newer.name().to_owned()),
            evidence: vec![Evidence::new(EvidenceKind::Release, older.name(), detail)],
            at,
            truth: hearing.truth(at).map(|fact| fact.satisfiable),
        }));
    }
    None
}
