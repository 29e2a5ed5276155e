//! Slowness is measured again before a solver is accused of it.
//!
//! A limit may be hit because the machine is busy, or because a solver was unlucky with its random choices. So the
//! accused is run in a fresh process with several solver seeds at ten times the limit at which it looked slow, and
//! the witness directly after each run, under the same conditions. Processor time is compared, not wall time; a run
//! that got little of its core says nothing and is repeated once. It is slow only if it is slow with every seed, against
//! the witness's worst time. The first run that is not ends it, so that most false suspicions cost one run. The last run
//! is looked at to see where the time goes.
//!
//! In: an accusation about time and the inquiry that showed it. Out: the accusation with what was measured, and the
//! replies; or how often it showed.

use crate::confirm::Rate;
use crate::inquiry::{Inquiry, Panel};
use oracle::{Accusation, Evidence, EvidenceKind, FindingKind, Pace};
use solver::{Answer, Pool, Query, QueryLimits, Reply, SessionKind};
use std::time::Duration;

/// With how many solver seeds it is measured.
pub const SEEDS: u64 = 3;

/// How many times the limit at which it looked slow.
const PATIENCE: u32 = 10;

/// No run of the accused takes more processor time than this, whatever the limit was.
const MOST: Duration = Duration::from_secs(60);

/// On a busy machine processor time passes slowly; a run waits so much longer for it.
const BUSY: u32 = 6;

/// What was measured.
pub struct Measured {
    pub accusation: Accusation,
    pub replies: Vec<Reply>,
}

/// The limits under which suspected slowness is measured.
pub fn limits(seen: &QueryLimits) -> QueryLimits {
    let seen_cpu = seen.cpu.unwrap_or(seen.wall).min(seen.wall);
    let cpu = (seen_cpu * PATIENCE).clamp(Pace::USUAL.floor * 2, MOST);
    QueryLimits { wall: cpu * BUSY, cpu: Some(cpu), memory: seen.memory }
}

/// How much processor time a measurement takes at most.
pub fn longest(seen: &QueryLimits) -> Duration {
    limits(seen).cpu.unwrap_or(MOST) * SEEDS as u32
}

/// Measures over solver seeds; `Err` says how often it showed.
pub fn measure(
    panel: &Panel,
    accusation: &Accusation,
    inquiry: &Inquiry,
    seen: &QueryLimits,
    cancel: Option<&run::Cancel>,
) -> Result<Measured, Rate> {
    let nothing = Rate { shown: 0, runs: 0 };
    let find = |name: Option<&str>| name.and_then(|name| panel.find(name));
    let accused = find(accusation.culprit.as_deref()).ok_or(nothing)?;
    let witness = find(accusation.evidence.first().map(|evidence| evidence.by.as_str())).ok_or(nothing)?;
    let question = inquiry.case.questions.get(accusation.at.question).ok_or(nothing)?;
    let measuring = Measuring { accused, witness, limits: limits(seen), cancel };
    let mut pairs: Vec<(Reply, Reply)> = vec![];
    for seed in 1..=SEEDS {
        let last = seed == SEEDS;
        let pair = measuring.pair(question.script.text(), seed, last);
        let (slow, fast) = pair.ok_or(Rate { shown: pairs.len(), runs: pairs.len() + 1 })?;
        pairs.push((slow, fast));
    }
    Ok(evidence(accusation, pairs))
}

struct Measuring<'a> {
    accused: &'a Pool,
    witness: &'a Pool,
    limits: QueryLimits,
    cancel: Option<&'a run::Cancel>,
}

impl Measuring<'_> {
    /// One run of each; `None` if that is not slow.
    fn pair(&self, script: &[u8], seed: u64, look: bool) -> Option<(Reply, Reply)> {
        let (target, commands) = self.accused.target().with_seed(seed);
        let seeded = [commands.join("\n").as_bytes(), b"\n", script].concat();
        let pool = Pool::new(target, 0);
        for _ in 0..2 {
            // The quick one first: it is most likely to end the matter.
            let fast = self.ask(self.witness, script, false);
            if !is_decided(&fast) || fast.cpu * Pace::USUAL.factor > self.limits.cpu.unwrap_or(MOST) {
                return None;
            }
            let mut slow = self.ask(&pool, &seeded, look);
            slow.target.clone_from(&self.accused.target().name);
            let starved = slow.answer().is_none() && slow.cpu < Pace::USUAL.floor;
            if starved && slow.ended.is_limit() {
                continue;
            }
            let late = is_decided(&slow) || slow.ended.is_limit();
            return (late && Pace::USUAL.is_slow(slow.cpu, fast.cpu)).then_some((slow, fast));
        }
        None
    }

    fn ask(&self, pool: &Pool, script: &[u8], look: bool) -> Reply {
        let mut query = Query::new(script).limits(self.limits.clone());
        query.cancel = self.cancel.cloned();
        query.profile = look;
        pool.ask(&query, SessionKind::Fresh)
    }
}

fn is_decided(reply: &Reply) -> bool {
    matches!(reply.answer(), Some(Answer::Sat | Answer::Unsat))
}

/// The accusation with what was measured.
fn evidence(accusation: &Accusation, pairs: Vec<(Reply, Reply)>) -> Measured {
    let said = |reply: &Reply| reply.answer().map_or("no answer", Answer::word);
    let times = |side: fn(&(Reply, Reply)) -> &Reply| -> Vec<f64> {
        pairs.iter().map(|pair| side(pair).cpu.as_secs_f64()).collect()
    };
    let (slow, fast) = (times(|pair| &pair.0), times(|pair| &pair.1));
    let shown = |all: &[f64]| all.iter().map(|time| format!("{time:.3}")).collect::<Vec<_>>().join(", ");
    let answers: Vec<&str> = pairs.iter().map(|(slow, _)| said(slow)).collect();
    let share = pairs.iter().map(|(slow, _)| slow.cpu.as_secs_f64() / slow.wall.as_secs_f64().max(1e-3));
    let share = share.fold(1.0_f64, f64::min);
    let witness = accusation.evidence.first().map_or("", |evidence| evidence.by.as_str());
    let detail = format!(
        "{} in {} s of processor time; {} with solver seeds 1 to {}: {} after {} s; it had at least {:.0} % of a core",
        pairs.first().map_or("", |(_, fast)| said(fast)),
        shown(&fast),
        accusation.culprit.as_deref().unwrap_or_default(),
        pairs.len(),
        answers.join(", "),
        shown(&slow),
        share.min(1.0) * 100.0,
    );
    let mut all = vec![Evidence::new(EvidenceKind::Time, witness, detail)];
    if let Some(place) = pairs.last().and_then(|(slow, _)| slow.whereabouts.as_ref()) {
        let culprit = accusation.culprit.as_deref().unwrap_or_default();
        all.push(Evidence::new(EvidenceKind::Time, culprit, format!("most of the time in {place}")));
    }
    if accusation.kind == FindingKind::PerformanceRegression {
        all.push(Evidence::new(EvidenceKind::Release, witness, "an older release of the same solver"));
    }
    let question = accusation.at.question;
    let replies = pairs.into_iter().next_back().map_or(vec![], |(slow, fast)| vec![slow, fast]);
    let replies = replies.into_iter().map(|reply| Reply { question, ..reply }).collect();
    Measured { accusation: Accusation { evidence: all, ..accusation.clone() }, replies }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowness_is_measured_at_ten_times_the_limit_that_it_ran_into() {
        let seen = |millis| {
            let limits = QueryLimits { cpu: Some(Duration::from_millis(millis)), ..QueryLimits::default() };
            super::limits(&limits).cpu.unwrap()
        };
        assert_eq!(seen(500), Duration::from_secs(5));
        assert_eq!(seen(50), Pace::USUAL.floor * 2, "never less than shows slowness at all");
        assert_eq!(limits(&QueryLimits::wall(Duration::from_secs(5))).cpu, Some(Duration::from_secs(50)));
        assert_eq!(limits(&QueryLimits::wall(Duration::from_secs(100))).cpu, Some(MOST));
    }
}
