//! Confirmation: a suspicion must be reproduced before it is reported.
//!
//! A suspicion may come from a long-lived session, a short limit or a solver with random behaviour. It becomes a
//! finding only if a fresh process under the full limit shows the same kind with the same culprit, and if the accused
//! solver then repeats it in every further fresh process. A solver whose answers vary is flaky: the suspicion is stored
//! as unconfirmed with its rate, and the solver is never called unsound. A run that ends at a limit is not counted.
//!
//! How often. A solver that shows it in nine of ten runs shows it in all of k runs with probability 0.9^k, so 66 runs
//! bring the chance of calling it deterministic below one in a thousand. That many are made while they are quick. The
//! finding keeps how many there were and the report says it; with fewer, it is not called deterministic. After a miss the
//! share is measured in a few more runs.
//!
//! The whole panel is run once: the solvers on which an accusation rests under the full limit, the others, whose answers
//! are only shown beside it, under a short one. Evidence that does not rely on a solver does not change when it is repeated, so only
//! the accused solver is run again; a vote is repeated by all voters. What looks like a bug that was triaged before
//! (`known.rs`) is run once, on the solvers on which the accusation rests, and not repeated: it will be counted. Before all
//! this the accused solver alone is asked: what only a session shows is not shown by asking the others.
//!
//! All these runs start a process. Copies of one process (`forked`) have the same addresses, so repeating a run in copies
//! would not show whether the bug depends on them.

use crate::inquiry::{Inquiry, Panel, Plan, inquire, inquire_about};
use crate::known::KnownBugs;
use crate::slow;
use crate::symptom::Symptom;
use oracle::{Accusation, Heard, Verdict};
use serde::{Deserialize, Serialize};
use solver::{Query, Reply, SessionKind};
use std::cell::RefCell;
use std::time::{Duration, Instant};
use strategy::{Case, Question};

/// The result of confirming a suspicion.
#[derive(Debug)]
pub enum Confirmed {
    /// Every fresh run shows it. Accusations that some runs do not show are left out.
    Yes(Inquiry),
    /// Some fresh runs show it.
    Flaky { rate: Rate, inquiry: Inquiry },
    /// The first fresh run does not show it.
    No(Inquiry),
}

/// In how many of how many fresh runs something showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    pub shown: usize,
    pub runs: usize,
}

impl Rate {
    /// Something that shows in nine of ten runs shows in all of so many with a probability below one in a thousand.
    pub const ENOUGH: usize = 66;

    /// Whether every run showed it.
    pub fn is_steady(self) -> bool {
        self.shown == self.runs
    }

    /// Whether it may be called deterministic.
    pub fn is_deterministic(self) -> bool {
        self.is_steady() && self.runs >= Rate::ENOUGH
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} fresh runs", self.shown, self.runs)?;
        if self.is_steady() { f.write_str(", the others ran into a limit") } else { Ok(()) }
    }
}

/// How often to repeat.
#[derive(Clone, Copy, Debug)]
pub struct Repetitions {
    /// Fresh runs in total that must show it.
    pub least: usize,
    /// Fresh runs in total that are made while they are quick.
    pub most: usize,
    /// Fresh runs that measure the share of an accusation that does not always show.
    pub share: usize,
    /// The time for all repetitions together; six times as much until the required runs are made.
    pub patience: Duration,
}

impl Default for Repetitions {
    fn default() -> Repetitions {
        Repetitions { least: 3, most: Rate::ENOUGH, share: 20, patience: Duration::from_secs(2) }
    }
}

/// Runs a suspicion again: once if known bugs explain it, else like [`confirm`].
pub fn confirm_suspicion(
    panel: &Panel,
    known: &KnownBugs,
    suspicion: &Inquiry,
    case: &Case,
    plan: &Plan,
    repetitions: Repetitions,
) -> Confirmed {
    let flaky = |accusation: &Accusation| panel.is_flaky(&name(accusation));
    let suspected = suspicion.verdict.findings();
    if is_gone(panel, suspicion, plan) {
        let why = "the accused solver does not do it again in a fresh process";
        return Confirmed::No(suspicion.clone_as(Verdict::Inconclusive(why.into())));
    }
    if is_explained(known, suspicion) && !suspected.iter().any(flaky) {
        let fresh = Plan { session: SessionKind::Fresh, ask_all: false, ..plan.clone() };
        let again = inquire_about(panel, case, &fresh, suspected);
        if let Some(again) = again.filter(|again| is_explained(known, again)) {
            let rates = vec![Rate { shown: 1, runs: 1 }; again.verdict.findings().len()];
            return Confirmed::Yes(Inquiry { rates, ..again });
        }
    }
    confirm_accusations(panel, suspected, case, plan, repetitions)
}

/// Runs a case that is said to show these accusations, and repeats what it shows.
pub fn confirm_accusations(
    panel: &Panel,
    suspected: &[Accusation],
    case: &Case,
    plan: &Plan,
    repetitions: Repetitions,
) -> Confirmed {
    // What solvers on which nothing rests say is shown beside the first findings of a kind.
    let ask_all = !suspected.iter().all(|accusation| panel.is_familiar(&name(accusation)));
    let fresh = Plan { session: SessionKind::Fresh, ask_all, ..plan.clone() };
    match inquire_about(panel, case, &fresh, suspected) {
        Some(first) => often_enough(panel, &fresh, first, repetitions),
        None => confirm(panel, case, plan, repetitions),
    }
}

/// Whether a fresh process of each accused solver behaves differently, or needs so much longer that it meets the limit: then
/// no other solver need be run. Asked about wrong answers, models, cores and crashes, whose symptom is the culprit's alone.
fn is_gone(panel: &Panel, suspicion: &Inquiry, plan: &Plan) -> bool {
    let repeating = Repeating::new(panel, plan, &suspicion.case.questions);
    suspicion.verdict.findings().iter().all(|accusation| {
        let own = accusation.culprit.is_some() && !accusation.is_only_a_vote();
        let can_be_repeated = || symptom(accusation, suspicion).is_some();
        let again = || repeating.shows_again(accusation, &suspicion.heard, 0);
        own && accusation.kind.is_soundness() && can_be_repeated() && again() != Some(true)
    })
}

/// What identifies accusations of one kind: the kind and the culprit.
fn name(accusation: &Accusation) -> String {
    format!("{} {}", accusation.kind.word(), accusation.culprit.as_deref().unwrap_or_default())
}

/// Whether everything that was found looks like bugs that were triaged.
fn is_explained(known: &KnownBugs, inquiry: &Inquiry) -> bool {
    let explained = |accusation: &Accusation| {
        symptom(accusation, inquiry).is_some_and(|(symptom, reply)| {
            let script = inquiry.case.questions.get(reply.question).map(|question| question.script.text());
            script.is_some_and(|script| known.explain(&symptom, script))
        })
    };
    let found = inquiry.verdict.findings();
    !found.is_empty() && found.iter().all(explained)
}

/// Runs the panel again in fresh processes.
pub fn confirm(panel: &Panel, case: &Case, plan: &Plan, repetitions: Repetitions) -> Confirmed {
    let fresh = Plan { session: SessionKind::Fresh, ask_all: true, ..plan.clone() };
    let first = inquire(panel, case, &fresh);
    often_enough(panel, &fresh, first, repetitions)
}

/// Repeats what a first fresh run has shown, less often if all accusations like it are familiar. Each accusation is credited
/// for itself: one that showed every time says nothing about another solver beside it.
fn often_enough(panel: &Panel, fresh: &Plan, first: Inquiry, repetitions: Repetitions) -> Confirmed {
    let names: Vec<String> = first.verdict.findings().iter().map(name).collect();
    if names.is_empty() {
        return Confirmed::No(first);
    }
    let fewer = Repetitions { most: repetitions.most.min(repetitions.least), ..repetitions };
    let familiar = names.iter().all(|name| panel.is_familiar(name));
    let confirmed = repeat(panel, fresh, first, if familiar { fewer } else { repetitions });
    let kept: Vec<String> = match &confirmed {
        Confirmed::Yes(inquiry) => inquiry.verdict.findings().iter().map(name).collect(),
        // Limits, and no miss, left too few runs: that says nothing about the solver.
        Confirmed::Flaky { rate, .. } if rate.is_steady() => return confirmed,
        Confirmed::Flaky { .. } => vec![],
        Confirmed::No(_) => return confirmed,
    };
    for name in names {
        if kept.contains(&name) { panel.was_steady(name) } else { panel.was_flaky(name) }
    }
    confirmed
}

/// Repeats what an inquiry in fresh processes has shown. What is slow is measured instead, at ten times the limit; what
/// is undecided for want of a feature is no finding.
pub fn repeat(panel: &Panel, plan: &Plan, first: Inquiry, repetitions: Repetitions) -> Confirmed {
    if first.verdict.findings().iter().any(|accusation| accusation.kind.is_slowness()) {
        return measured(panel, plan, first);
    }
    let first = without_lacking_features(panel, first);
    if first.verdict.findings().is_empty() {
        return Confirmed::No(first);
    }
    let repeating = Repeating::new(panel, plan, &first.case.questions);
    let mut rates = vec![Rate { shown: 1, runs: 1 }; first.verdict.findings().len()];
    let began = Instant::now();
    let wants = |rate: &Rate| {
        rate.runs < if rate.is_steady() { repetitions.most } else { repetitions.share.min(repetitions.most) }
    };
    for round in 1..repetitions.most {
        let settled = rates.iter().all(|rate| rate.shown < rate.runs || rate.runs >= repetitions.least);
        let patience = repetitions.patience * if settled { 1 } else { 6 };
        if began.elapsed() > patience || !rates.iter().any(wants) {
            break;
        }
        repeating.said.borrow_mut().clear();
        let both = first.verdict.findings().iter().zip(&mut rates);
        for (accusation, rate) in in_turns(round, both.collect()) {
            if wants(rate)
                && let Some(again) = repeating.shows_again(accusation, &first.heard, round)
            {
                rate.runs += 1;
                rate.shown += usize::from(again);
            }
        }
    }
    // On a busy machine limits may leave fewer runs than wanted; a finding was still seen at least twice.
    let steady = |rate: &Rate| rate.is_steady() && rate.runs >= repetitions.least.min(2);
    if !rates.iter().any(steady) {
        let missed = rates.iter().find(|rate| !rate.is_steady());
        return Confirmed::Flaky { rate: *missed.unwrap_or(&rates[0]), inquiry: first };
    }
    // One miss is enough: a solver is not accused of an answer that it gives only sometimes.
    let kept = first.verdict.findings().iter().cloned().zip(rates).filter(|(_, rate)| steady(rate));
    let (kept, rates) = kept.unzip();
    Confirmed::Yes(Inquiry { verdict: Verdict::Findings(kept), rates, ..first })
}

/// Measures what looks slow; whatever else was found is worse and was not looked for beside it.
pub fn measured(panel: &Panel, plan: &Plan, mut first: Inquiry) -> Confirmed {
    let (mut kept, mut worst) = (vec![], Rate { shown: 0, runs: 1 });
    for accusation in first.verdict.findings() {
        match slow::measure(panel, accusation, &first, &plan.limits, plan.cancel.as_ref()) {
            Ok(measured) => kept.push(measured),
            Err(rate) => worst = rate,
        }
    }
    if kept.is_empty() {
        return match worst.shown {
            0 => Confirmed::No(Inquiry { verdict: Verdict::Inconclusive(NOT_SLOW.into()), ..first }),
            _ => Confirmed::Flaky { rate: worst, inquiry: first },
        };
    }
    for reply in kept.iter().flat_map(|measured| &measured.replies) {
        let same =
            |heard: &&mut Heard| heard.name() == reply.target && heard.reply.question == reply.question;
        if let Some(heard) = first.heard.iter_mut().find(same) {
            heard.reply = reply.clone();
        }
    }
    let kept = kept.into_iter().map(|measured| measured.accusation).collect();
    Confirmed::Yes(Inquiry { verdict: Verdict::Findings(kept), ..first })
}

/// What a suspicion of slowness comes to if the first measurement does not show it.
const NOT_SLOW: &str = "it looked slow once, and is not when it is measured";

/// Drops what a solver is accused of not deciding where it hardly supports an operator of the script.
fn without_lacking_features(panel: &Panel, inquiry: Inquiry) -> Inquiry {
    let mut why = None;
    let mut kept = inquiry.verdict.findings().to_vec();
    kept.retain(|accusation| {
        if !accusation.kind.is_incompleteness() {
            return true;
        }
        let pool = accusation.culprit.as_deref().and_then(|name| panel.find(name));
        let script = inquiry.case.questions.get(accusation.at.question).map(|q| q.script.text());
        let lacking = pool.zip(script).and_then(|(pool, script)| panel.features.lacking(pool, script));
        if let Some(operator) = &lacking {
            let who = accusation.culprit.as_deref().unwrap_or_default();
            why =
                Some(format!("{who} says unknown, but hardly supports {operator}: it says so to that alone"));
        }
        lacking.is_none()
    });
    match why {
        Some(why) if kept.is_empty() => Inquiry { verdict: Verdict::Inconclusive(why), ..inquiry },
        Some(_) => Inquiry { verdict: Verdict::Findings(kept), ..inquiry },
        None => inquiry,
    }
}

struct Repeating<'a> {
    panel: &'a Panel,
    plan: &'a Plan,
    questions: &'a [Question],
    /// What was said in this round: two accusations may rest on one reply.
    said: RefCell<Vec<Reply>>,
}

impl<'a> Repeating<'a> {
    fn new(panel: &'a Panel, plan: &'a Plan, questions: &'a [Question]) -> Repeating<'a> {
        Repeating { panel, plan, questions, said: RefCell::default() }
    }

    /// Whether every solver on which the accusation rests gives the same reply again; `None` if a limit came first, or
    /// if it rests on nothing that can be run again.
    fn shows_again(&self, accusation: &Accusation, heard: &[Heard], round: usize) -> Option<bool> {
        let (mut some, mut limited) = (false, false);
        for before in in_turns(round, bearing(accusation, heard).collect()) {
            let Some(symptom) = Symptom::of(accusation, before, self.questions) else { continue };
            match self.ask(&symptom, before) {
                Some(false) => return Some(false),
                Some(true) => some = true,
                None => limited = true,
            }
        }
        (some && !limited).then_some(true)
    }

    fn ask(&self, symptom: &Symptom, before: &Heard) -> Option<bool> {
        let pool = self.panel.find(before.name())?;
        let script = &self.questions[before.reply.question].script;
        // With the same commands as before: requesting a model or a core may change the solver's behaviour.
        let mut want = symptom.wants();
        want.model = true;
        let mut query = Query::new(script.text()).limits(self.plan.limits.clone()).want(want);
        query.cancel = self.plan.cancel.clone();
        let same = |reply: &&Reply| {
            reply.target == before.name() && reply.question == before.reply.question && !want.core
        };
        if let Some(said) = self.said.borrow().iter().find(same) {
            return symptom.shows(said, script, pool.target());
        }
        let reply = Reply { question: before.reply.question, ..pool.ask(&query, SessionKind::Fresh) };
        let shows = symptom.shows(&reply, script, pool.target());
        if !want.core {
            self.said.borrow_mut().push(reply);
        }
        shows
    }
}

/// Forwards and backwards in turns. A solver whose answers alternate would give the same ones in every round that asks an
/// even number of questions in one order.
fn in_turns<T>(round: usize, mut all: Vec<T>) -> Vec<T> {
    if round % 2 == 1 {
        all.reverse();
    }
    all
}

/// The replies that an accusation is about: the culprit's, or those of all voters.
pub fn bearing<'h>(
    accusation: &'h Accusation,
    heard: &'h [Heard],
) -> impl Iterator<Item = &'h Heard> + use<'h> {
    let only_votes = accusation.is_only_a_vote() || accusation.kind == oracle::FindingKind::Inconsistent;
    heard.iter().filter(move |heard| {
        (accusation.accuses(heard.name()) || accusation.is_only_a_vote())
            && (only_votes || heard.reply.question == accusation.at.question)
    })
}

/// The culprit's reply that shows the accusation, and the symptom to look for.
pub fn symptom(accusation: &Accusation, inquiry: &Inquiry) -> Option<(Symptom, Reply)> {
    bearing(accusation, &inquiry.heard).find_map(|heard| {
        let symptom = Symptom::of(accusation, heard, &inquiry.case.questions)?;
        Some((symptom, heard.reply.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_alternate_differ_in_some_round_however_many_questions_a_round_asks() {
        for questions in 1..6 {
            let mut answers = [true, false].into_iter().cycle();
            let round = |number| {
                let asked = in_turns(number, (0..questions).collect::<Vec<usize>>());
                let mut heard: Vec<_> = asked.into_iter().zip(&mut answers).collect();
                heard.sort_unstable();
                heard
            };
            let rounds: Vec<_> = (0..3).map(round).collect();
            assert!(rounds[1..].iter().any(|heard| *heard != rounds[0]), "{questions} questions: {rounds:?}");
        }
    }

    #[test]
    fn what_shows_in_nine_of_ten_runs_is_called_deterministic_less_than_once_in_a_thousand() {
        let passes = |share: f64| share.powi(i32::try_from(Rate::ENOUGH).unwrap());
        assert!(passes(0.9) < 1e-3 && passes(0.1) < 1e-60);
        assert_eq!(Repetitions::default().most, Rate::ENOUGH);
        assert!(Rate { shown: 66, runs: 66 }.is_deterministic());
        for rate in [Rate { shown: 65, runs: 65 }, Rate { shown: 66, runs: 67 }, Rate::default()] {
            assert!(!rate.is_deterministic(), "{rate}");
        }
    }
}
