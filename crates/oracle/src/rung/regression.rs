//! A newer release that says unknown, or runs out of time, where an older one of the same solver decides.
//!
//! Both ran on the same question with the same options. Running out of time counts only if the older release took
//! a twentieth of it. Reported only where nothing worse was found, and once per case.

use crate::hearing::{Heard, Hearing};
use crate::ladder::Step;
use crate::verdict::{Accusation, Evidence, EvidenceKind, Kind};
use solver::{Answer, Ended};
use strategy::At;

/// How many times faster the older release must be.
const FACTOR: f64 = 20.0;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    if !hearing.effort.regressions || !hearing.accusations().is_empty() {
        return vec![];
    }
    hearing.considered().into_iter().find_map(|at| regression(hearing, at)).into_iter().collect()
}

fn regression(hearing: &Hearing, at: At) -> Option<Step> {
    for newer in hearing.heard_about(at.question).filter(|heard| heard.under_test) {
        let answer = newer.answer(at.check);
        let gave_up = answer == Some(Answer::Unknown) && newer.reply.ended == Ended::ByItself;
        let too_slow = answer.is_none() && matches!(newer.reply.ended, Ended::Wall | Ended::Cpu);
        if !(gave_up || too_slow) {
            continue;
        }
        let seconds = |heard: &Heard| heard.reply.wall.as_secs_f64();
        let older = hearing.heard_about(at.question).find(|older| {
            older.is_older_than(newer)
                && older.is_definite(at.check)
                && (gave_up || seconds(older) * FACTOR < seconds(newer))
        });
        let Some(older) = older else { continue };
        let answer = older.answer(at.check).map_or("", Answer::word);
        let detail = format!("{answer} in {:.3} s", seconds(older));
        return Some(Step::Accuse(Accusation {
            kind: if gave_up { Kind::IncompletenessRegression } else { Kind::PerformanceRegression },
            culprit: Some(newer.name().to_owned()),
            evidence: vec![Evidence::new(EvidenceKind::Release, older.name(), detail)],
            at,
            truth: hearing.truth(at).map(|fact| fact.satisfiable),
        }));
    }
    None
}
