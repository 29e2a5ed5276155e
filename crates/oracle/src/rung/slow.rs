//! A target that takes far longer than another solver, or than an older release of its own.
//!
//! Both were asked the same question in the same kind of session, the other one decided it, and the target decided it
//! in `Pace::factor` times the processor time, or ran into a time limit after twice as much. That is a suspicion: it is
//! measured at ten times the limit before it is a finding (`triage::slow`). A target that gives up by itself
//! is not slow (that is incompleteness), and a script with several check-sats is not looked at, since the time is that
//! of the whole. Looked for only where nothing worse was found; an older release is preferred as the witness.

use crate::hearing::{Heard, Hearing};
use crate::ladder::Step;
use crate::pace::Pace;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use solver::{Answer, Ended};
use std::time::Duration;
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let Some(pace) = hearing.effort.pace.filter(|_| hearing.accusations().is_empty()) else { return vec![] };
    let mut steps: Vec<Step> = vec![];
    for at in hearing.considered() {
        if hearing.script(at.question).checks() > 1 {
            continue;
        }
        for slow in hearing.heard_about(at.question).filter(|heard| heard.under_test && is_late(heard)) {
            let named = |step: &Step| matches!(step, Step::Accuse(a) if a.accuses(slow.name()));
            if !steps.iter().any(named) {
                steps.extend(slowness(hearing, at, slow, pace));
            }
        }
    }
    steps
}

/// Whether it took its time: it decided, or time ran out.
fn is_late(heard: &Heard) -> bool {
    matches!(heard.reply.ended, Ended::Wall | Ended::Cpu) || heard.is_definite(0)
}

/// The time that it took, as far as it is known: of a process that computed all the time on a busy machine and was ended
/// by the wall clock, the wall time. The measurement that follows counts processor time alone.
fn spent(heard: &Heard) -> Duration {
    let starved = heard.reply.ended == Ended::Wall && heard.reply.cpu * BUSY >= heard.reply.wall;
    if starved { heard.reply.wall } else { heard.reply.cpu }
}

/// A process that had less than one part in so many of a core was waiting for something else.
const BUSY: u32 = 30;

fn slowness(hearing: &Hearing, at: At, slow: &Heard, pace: Pace) -> Option<Step> {
    // How long it would have taken without the limit is not known; twice as long is worth a measurement.
    let pace = if slow.is_definite(at.check) { pace } else { Pace { factor: 2, ..pace } };
    let faster = |other: &&Heard| {
        other.name() != slow.name()
            && other.reply.session == slow.reply.session
            && other.reply.ended == Ended::ByItself
            && other.is_definite(at.check)
            && pace.is_slow(spent(slow), other.reply.cpu)
    };
    let others = || hearing.heard_about(at.question).filter(faster);
    let older = others().find(|other| other.is_older_than(slow));
    let stranger = others().filter(|other| other.solver() != slow.solver()).min_by_key(|o| o.reply.cpu);
    let (kind, other) = match (older, stranger) {
        (Some(older), _) => (FindingKind::PerformanceRegression, older),
        (None, stranger) => (FindingKind::Performance, stranger?),
    };
    let answer = other.answer(at.check).map_or("", Answer::word);
    let (fast, slow_time) = (other.reply.cpu.as_secs_f64(), slow.reply.cpu.as_secs_f64());
    let detail = format!("{answer} in {fast:.3} s of processor time; {} took {slow_time:.3} s", slow.name());
    Some(Step::Accuse(Accusation {
        kind,
        culprit: Some(slow.name().to_owned()),
        evidence: vec![Evidence::new(EvidenceKind::Time, other.name(), detail)],
        at,
        truth: hearing.truth(at).map(|fact| fact.satisfiable),
    }))
}
