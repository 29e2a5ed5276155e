//! Seeing it again before saying it.
//!
//! A suspicion may come from a long-lived session, a short limit or a solver that rolls dice. It becomes a finding
//! only if a fresh process under the full limit shows the same kind with the same culprit, and if the accused then
//! repeat what they said in every further fresh process. A solver that changes its mind is flaky: that is kept apart
//! with its rate and never called unsound. A repetition that runs into a limit says nothing, so it is not counted.
//!
//! The whole panel is asked once. Evidence that needs no trust in a solver does not change when it is asked again, so
//! only the accused are; a vote is repeated by all voters.

use crate::inquiry::{Inquiry, Panel, Plan, Statement, core_names, inquire};
use oracle::{EvidenceKind, Finding, Kind, ModelCheck, Verdict, notation, question};
use smtlib::Script;
use solver::{Answer, Ended, Query, Reply, Want};
use std::time::{Duration, Instant};
use strategy::Expectation;

/// What became of a suspicion.
pub enum Confirmed {
    /// Every fresh run shows it. Findings that some runs do not show are left out.
    Yes(Inquiry),
    /// Some fresh runs show it: how many, of how many.
    Flaky { shown: usize, runs: usize, inquiry: Inquiry },
    /// The first fresh run does not show it.
    No(Inquiry),
}

/// How often to look.
#[derive(Clone, Copy, Debug)]
pub struct Repetitions {
    /// Fresh runs in all that must show it.
    pub least: usize,
    /// Fresh runs in all that are made while they are quick: a coin falls on one side this often by chance in one
    /// of 2^most cases.
    pub most: usize,
    /// What is quick.
    pub patience: Duration,
}

impl Default for Repetitions {
    fn default() -> Repetitions {
        Repetitions { least: 3, most: 14, patience: Duration::from_secs(10) }
    }
}

/// Asks again in fresh processes.
pub fn confirm(
    panel: &Panel,
    text: &[u8],
    script: &Script,
    expectation: &Expectation,
    plan: &Plan,
    repetitions: Repetitions,
) -> Confirmed {
    let fresh = Plan { kind: solver::Kind::Fresh, ask_all: true, ..plan.clone() };
    let first = inquire(panel, text, script.clone(), expectation.clone(), &fresh);
    if first.verdict.findings().is_empty() {
        return Confirmed::No(first);
    }
    let accusation = |finding: &Finding| format!("{} {}", finding.kind.word(), finding.culprits.join(" "));
    let accusation = first.verdict.findings().first().map(accusation).unwrap_or_default();
    if panel.is_familiar(&accusation) {
        let fewer = Repetitions { most: repetitions.most.min(repetitions.least * 2), ..repetitions };
        return repeat(panel, text, script, &fresh, first, fewer);
    }
    let confirmed = repeat(panel, text, script, &fresh, first, repetitions);
    if matches!(confirmed, Confirmed::Yes(_)) {
        panel.was_steady(accusation);
    }
    confirmed
}

/// Repeats what an inquiry in fresh processes has shown.
pub fn repeat(
    panel: &Panel,
    text: &[u8],
    script: &Script,
    plan: &Plan,
    first: Inquiry,
    repetitions: Repetitions,
) -> Confirmed {
    let repeating = Repeating { panel, text, script, plan };
    let mut counts = vec![(1, 1); first.verdict.findings().len()];
    let began = Instant::now();
    for _ in 1..repetitions.most {
        let settled = counts.iter().all(|&(shown, runs)| shown < runs || runs >= repetitions.least);
        let patience = repetitions.patience * if settled { 1 } else { 3 };
        if began.elapsed() > patience {
            break;
        }
        for (finding, (shown, runs)) in first.verdict.findings().iter().zip(&mut counts) {
            // One miss is enough: nobody is accused of what he says sometimes.
            if shown == runs
                && let Some(again) = repeating.shows_again(finding, &first.statements)
            {
                *runs += 1;
                *shown += usize::from(again);
            }
        }
    }
    // On a busy machine limits may leave fewer runs than were wanted; what is said was seen twice all the same.
    let steady = |&(shown, runs): &(usize, usize)| shown == runs && runs >= repetitions.least.min(2);
    if !counts.iter().any(steady) {
        let (shown, runs) = counts[0];
        return Confirmed::Flaky { shown, runs, inquiry: first };
    }
    let kept = first.verdict.findings().iter().zip(&counts);
    let kept = kept.filter(|(_, count)| steady(count)).map(|(finding, _)| finding.clone()).collect();
    Confirmed::Yes(Inquiry { verdict: Verdict::Findings(kept), ..first })
}

struct Repeating<'a> {
    panel: &'a Panel,
    text: &'a [u8],
    script: &'a Script,
    plan: &'a Plan,
}

impl Repeating<'_> {
    /// Whether everybody whom the finding rests on says the same again; `None` if a limit came first, or if it rests on
    /// nothing that could be said again.
    fn shows_again(&self, finding: &Finding, statements: &[Statement]) -> Option<bool> {
        let (mut some, mut limited) = (false, false);
        for statement in statements.iter().filter(|statement| bears_on(finding, statement)) {
            match self.says_again(finding, statement) {
                Some(false) => return Some(false),
                Some(true) => some = true,
                None => limited = true,
            }
        }
        (some && !limited).then_some(true)
    }

    fn says_again(&self, finding: &Finding, before: &Statement) -> Option<bool> {
        let pool = self.panel.find(&before.target)?;
        let flattened = before.flattened.and_then(|check| question::flatten(self.script, check));
        let text = flattened.as_deref().unwrap_or(self.text);
        let want = Want { model: true, core: finding.kind == Kind::InvalidCore, proof: false, reason: false };
        let mut query = Query::new(text).limits(self.plan.limits.clone()).want(want);
        query.cancel = self.plan.cancel.clone();
        let now = pool.ask(&query, solver::Kind::Fresh);
        if matches!(finding.kind, Kind::PerformanceRegression | Kind::Performance) {
            return Some(now.ended.is_limit());
        }
        if finding.kind == Kind::Crash {
            return match now.ended {
                Ended::Crash { .. } => Some(true),
                ref ended => (!says_nothing(ended)).then_some(false),
            };
        }
        let check = local(finding, before);
        let (was, is) = (before.reply.checks.get(check)?, now.checks.get(check)?);
        if is.answer.is_none() && says_nothing(&now.ended) {
            return None;
        }
        Some(match finding.kind {
            Kind::InvalidModel => {
                let model = is.model.as_deref().filter(|_| is.answer == Some(Answer::Sat));
                model.is_some_and(|model| {
                    let notation = notation(pool.target());
                    let checked =
                        oracle::check_model(&mut self.script.clone(), finding.check, model, notation);
                    matches!(checked, ModelCheck::Refuted { underspecified: false, .. })
                })
            }
            Kind::InvalidCore => {
                let names = |core: &Option<Vec<u8>>| core.as_deref().and_then(core_names);
                is.answer == was.answer && names(&is.core) == names(&was.core)
            }
            _ => is.answer == was.answer,
        })
    }
}

fn says_nothing(ended: &Ended) -> bool {
    ended.is_limit() || matches!(ended, Ended::Cancelled | Ended::Killed { .. } | Ended::Unavailable(_))
}

/// The index of the finding's check in a statement's reply.
fn local(finding: &Finding, statement: &Statement) -> usize {
    if statement.flattened.is_some() { 0 } else { finding.check }
}

/// Whether a statement is one that the finding accuses, or counts as a vote.
pub fn bears_on(finding: &Finding, statement: &Statement) -> bool {
    let only_votes = finding.evidence.iter().all(|evidence| evidence.kind == EvidenceKind::Majority);
    let accused = finding.culprits.contains(&statement.target);
    if !(accused || only_votes) || statement.flattened.is_some_and(|check| check != finding.check) {
        return false;
    }
    let answer = answer_of(&statement.reply, local(finding, statement));
    match finding.kind {
        Kind::Crash => matches!(statement.reply.ended, Ended::Crash { .. }),
        // Cores are not asked for in flattened questions.
        Kind::InvalidCore => statement.flattened.is_none() && answer == Some(Answer::Unsat),
        Kind::RefutationUnsound | Kind::InvalidProof => answer == Some(Answer::Unsat),
        Kind::SolutionUnsound => answer == Some(Answer::Sat),
        Kind::InvalidModel => {
            let checked = statement.models.get(finding.check).and_then(Option::as_ref);
            matches!(checked, Some(ModelCheck::Refuted { underspecified: false, .. }))
        }
        Kind::Inconsistent => matches!(answer, Some(Answer::Sat | Answer::Unsat)),
        Kind::IncompletenessRegression | Kind::IncompletenessImplication => answer == Some(Answer::Unknown),
        Kind::PerformanceRegression | Kind::Performance => statement.reply.ended.is_limit(),
        Kind::RejectsValidInput => true,
    }
}

fn answer_of(reply: &Reply, check: usize) -> Option<Answer> {
    reply.checks.get(check).and_then(|check| check.answer)
}
