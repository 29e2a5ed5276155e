//! Goals: what must stay wrong while a script shrinks.
//!
//! A goal looks at the input once and *pins* what it sees: the kind, the culprit, the wrong answer or the crash
//! site. A candidate that shows another bug, or the same kind in another solver, does not hold. For wrong answers
//! the truth is established anew for each candidate: the culprit is asked first (most candidates end there), then
//! the others until the oracle has a certificate.
//!
//! Where a long-lived session shows the same thing it serves as a sieve, since it answers in a fraction of the
//! time; whatever passes the sieve is still asked fresh. A last reduction without the sieve (`fresh_only`) finds
//! what the sieve held back.

use crate::bisect::Symptom;
use crate::inquiry::{Panel, Plan, Statement, inquire};
use crate::reduce::Check;
use crate::signature::{crash_site, is_place, is_placeless};
use oracle::{Config, Finding, Judge, Kind, Opinion};
use smtlib::Script;
use solver::{Answer, Ended, Limits, Pool, Query, Reply, Target, Want};
use std::time::Duration;
use strategy::Expectation;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A wrong answer.
    Wrong,
    Crash,
    InvalidModel,
    /// No answer where somebody has one.
    Unknown,
    /// Far slower than somebody else.
    Slow,
    /// Two solvers contradict each other; no truth is sought.
    Disagree,
}

impl Goal {
    pub const ALL: [(&'static str, Goal); 6] = [
        ("wrong", Goal::Wrong),
        ("crash", Goal::Crash),
        ("invalid-model", Goal::InvalidModel),
        ("unknown", Goal::Unknown),
        ("slow", Goal::Slow),
        ("disagree", Goal::Disagree),
    ];

    pub fn from_word(word: &str) -> Option<Goal> {
        Goal::ALL.iter().find(|(name, _)| *name == word).map(|&(_, goal)| goal)
    }

    /// The goal that fits a kind of finding.
    pub fn of_kind(kind: Kind) -> Option<Goal> {
        Some(match kind {
            Kind::RefutationUnsound | Kind::SolutionUnsound => Goal::Wrong,
            Kind::Inconsistent => Goal::Disagree,
            Kind::Crash => Goal::Crash,
            Kind::InvalidModel => Goal::InvalidModel,
            Kind::IncompletenessRegression | Kind::IncompletenessImplication => Goal::Unknown,
            Kind::PerformanceRegression | Kind::Performance => Goal::Slow,
            Kind::InvalidCore | Kind::InvalidProof | Kind::RejectsValidInput => return None,
        })
    }
}

#[derive(Debug, thiserror::Error)]
pub enum GoalError {
    #[error("the script is not well-typed: {0}")]
    Script(#[from] smtlib::Error),
    #[error("the input does not show it: {0}")]
    NotShown(String),
}

/// What is pinned.
#[derive(Clone, Debug, PartialEq)]
enum Pin {
    /// A finding of this kind against the culprit, who gives this answer.
    Finding {
        kind: Kind,
        answer: Answer,
    },
    Crash {
        site: String,
        signal: Option<i32>,
    },
    /// The culprit says unknown, the witness decides.
    Unknown {
        witness: Option<usize>,
    },
    /// The culprit takes at least this long and this many times longer than the witness.
    Slow {
        seconds: f64,
        witness: Option<usize>,
        ratio: f64,
    },
    /// The culprit gives one answer, the witness the other.
    Disagree {
        witness: usize,
        answer: Answer,
    },
}

/// A goal pinned to what the input shows.
pub struct Pinned<'p> {
    panel: &'p Panel,
    /// Index into everybody, targets first.
    culprit: usize,
    /// The others, the best witness first.
    others: Vec<usize>,
    pin: Pin,
    limits: Limits,
    /// The culprit with fewer options, once some have turned out to be needless.
    lighter: Option<Pool>,
    /// Ask a long-lived session first.
    sieve: bool,
    cancel: Option<run::Cancel>,
}

/// How many solver seeds a slow case is judged by.
const SEEDS: u64 = 3;

impl<'p> Pinned<'p> {
    /// Looks at the input and pins what it shows. Without a goal, the worst finding decides.
    pub fn observe(
        panel: &'p Panel,
        goal: Option<Goal>,
        text: &[u8],
        limits: &Limits,
        cancel: Option<run::Cancel>,
    ) -> Result<Pinned<'p>, GoalError> {
        let script = Script::parse(text)?;
        let base = Pinned {
            panel,
            culprit: 0,
            others: vec![],
            pin: Pin::Unknown { witness: None },
            limits: limits.clone(),
            lighter: None,
            sieve: false,
            cancel,
        };
        match goal {
            Some(Goal::Unknown) => base.observe_unknown(text),
            Some(Goal::Slow) => base.observe_slow(text),
            Some(Goal::Disagree) => base.observe_disagreement(text),
            wanted => base.observe_finding(wanted, text, script),
        }
    }

    /// What is pinned, for a person.
    pub fn describe(&self) -> String {
        let culprit = self.name(self.culprit);
        match &self.pin {
            Pin::Finding { kind, answer } => format!("{culprit} {} ({})", kind.meaning(), answer.word()),
            Pin::Crash { site, .. } if is_place(site) => format!("{culprit} crashes {site}"),
            Pin::Crash { site, .. } => format!("{culprit} crashes at {site}"),
            Pin::Unknown { .. } => format!("{culprit} says unknown"),
            Pin::Slow { seconds, ratio, .. } => {
                format!("{culprit} takes {seconds:.2} s or more, {ratio:.1} times the best of the others")
            }
            Pin::Disagree { witness, answer } => {
                format!("{culprit} says {}, {} the opposite", answer.word(), self.name(*witness))
            }
        }
    }

    pub fn culprit(&self) -> &str {
        self.name(self.culprit)
    }

    /// The kind that is pinned, if it is one of the oracle's.
    pub fn kind(&self) -> Option<Kind> {
        match self.pin {
            Pin::Finding { kind, .. } => Some(kind),
            Pin::Crash { .. } => Some(Kind::Crash),
            Pin::Disagree { .. } => Some(Kind::Inconsistent),
            Pin::Unknown { .. } | Pin::Slow { .. } => None,
        }
    }

    /// Whether a long-lived session helps.
    pub fn has_sieve(&self) -> bool {
        self.sieve
    }

    /// The same goal, asked only in fresh processes.
    pub fn fresh_only(mut self) -> Pinned<'p> {
        self.sieve = false;
        self
    }

    /// The same goal without the options of the culprit that it does not need.
    pub fn without_needless_options(mut self, text: &[u8]) -> Pinned<'p> {
        for n in (0..self.accused().args.len()).rev() {
            let mut lighter = self.accused().clone();
            lighter.args.remove(n);
            let before = self.lighter.replace(Pool::new(lighter, 1));
            if !self.holds(text) {
                self.lighter = before;
            }
        }
        self
    }

    fn pool(&self, n: usize) -> &Pool {
        if let Some(lighter) = self.lighter.as_ref().filter(|_| n == self.culprit) {
            return lighter;
        }
        let targets = self.panel.targets.len();
        if n < targets { &self.panel.targets[n] } else { &self.panel.references[n - targets] }
    }

    fn count(&self) -> usize {
        self.panel.targets.len() + self.panel.references.len()
    }

    fn name(&self, n: usize) -> &str {
        &self.pool(n).target().name
    }

    fn ask(&self, n: usize, text: &[u8], kind: solver::Kind, limits: &Limits) -> Reply {
        let model = matches!(self.pin, Pin::Finding { .. });
        let want = Want { model, ..Want::default() };
        let mut query = Query::new(text).limits(limits.clone()).want(want);
        query.cancel = self.cancel.clone();
        query.locate = matches!(self.pin, Pin::Crash { .. });
        self.pool(n).ask(&query, kind)
    }

    fn fresh(&self, n: usize, text: &[u8]) -> Reply {
        self.ask(n, text, solver::Kind::Fresh, &self.limits)
    }

    fn observe_finding(
        mut self,
        wanted: Option<Goal>,
        text: &[u8],
        script: Script,
    ) -> Result<Pinned<'p>, GoalError> {
        let plan = Plan { flatten: false, cores: false, ..Plan::thorough(self.limits.clone()) };
        let inquiry = inquire(self.panel, text, script, Expectation::any(), &plan);
        let fits = |kind: Kind| match wanted {
            None => Goal::of_kind(kind).is_some(),
            // A vote is accepted as the truth only if nothing better is at hand and the user asked for it.
            Some(Goal::Wrong) => {
                matches!(kind, Kind::RefutationUnsound | Kind::SolutionUnsound | Kind::Inconsistent)
            }
            Some(goal) => Goal::of_kind(kind) == Some(goal),
        };
        let position = |name: &str| (0..self.count()).find(|&n| self.name(n) == name);
        let found = inquiry.verdict.findings().iter().find_map(|finding| {
            let culprit = finding.culprits.iter().find_map(|name| position(name))?;
            fits(finding.kind).then_some((finding, culprit))
        });
        let Some((finding, culprit)) = found else {
            if wanted.is_none() {
                return self.observe_disagreement(text);
            }
            return Err(GoalError::NotShown(format!("the verdict is {}", inquiry.verdict.word())));
        };
        let witness = finding.evidence.first().and_then(|evidence| position(&evidence.by));
        let statement = inquiry.statements.iter().find(|s| s.target == self.name(culprit));
        let reply = statement.map(|s| &s.reply);
        self.pin = match (finding.kind, reply.map(|reply| &reply.ended)) {
            (Kind::Crash, Some(Ended::Crash { message, signal, .. })) => {
                Pin::Crash { site: crash_site(message, *signal), signal: *signal }
            }
            (kind, _) => {
                let answer = reply.and_then(|r| r.checks.get(finding.check)).and_then(|c| c.answer);
                let answer =
                    answer.ok_or_else(|| GoalError::NotShown("the culprit did not answer".into()))?;
                Pin::Finding { kind, answer }
            }
        };
        self.culprit = culprit;
        self.others = (0..self.count()).filter(|&n| n != culprit).collect();
        self.others.sort_by_key(|&n| Some(n) != witness);
        self.tighten(reply.map_or(self.limits.wall, |reply| reply.wall));
        self.sieve = self.sieve_shows(text);
        Ok(self)
    }

    /// A bug that shows in a moment is not waited for much longer.
    fn tighten(&mut self, seen: Duration) {
        let enough = seen.mul_f64(5.0) + Duration::from_millis(500);
        self.limits.wall = self.limits.wall.min(enough);
    }

    fn sieve_shows(&self, text: &[u8]) -> bool {
        let reply = self.ask(self.culprit, text, solver::Kind::Scoped, &self.limits);
        reply.kind != solver::Kind::Fresh && self.culprit_shows(&reply)
    }

    fn observe_unknown(mut self, text: &[u8]) -> Result<Pinned<'p>, GoalError> {
        let replies: Vec<Reply> = (0..self.count()).map(|n| self.fresh(n, text)).collect();
        let says = |answer| move |reply: &Reply| reply.checks.iter().any(|c| c.answer == Some(answer));
        let culprit = replies.iter().position(says(Answer::Unknown));
        self.culprit = culprit.ok_or_else(|| GoalError::NotShown("nobody says unknown".into()))?;
        let decides = |reply: &Reply| says(Answer::Sat)(reply) || says(Answer::Unsat)(reply);
        self.pin = Pin::Unknown { witness: replies.iter().position(decides) };
        Ok(self)
    }

    fn observe_disagreement(mut self, text: &[u8]) -> Result<Pinned<'p>, GoalError> {
        let replies: Vec<Reply> = (0..self.count()).map(|n| self.fresh(n, text)).collect();
        for a in 0..replies.len() {
            for b in 0..replies.len() {
                let answers = replies[a].checks.iter().zip(&replies[b].checks);
                let clash =
                    answers.filter_map(|(a, b)| a.answer.zip(b.answer)).find(|&(a, b)| opposite(a, b));
                if let Some((answer, _)) = clash {
                    self.culprit = a;
                    self.pin = Pin::Disagree { witness: b, answer };
                    self.tighten(replies[a].wall.max(replies[b].wall));
                    self.sieve = self.sieve_shows(text);
                    return Ok(self);
                }
            }
        }
        Err(GoalError::NotShown("no two answers contradict each other".into()))
    }

    fn observe_slow(mut self, text: &[u8]) -> Result<Pinned<'p>, GoalError> {
        let seconds: Vec<f64> = (0..self.count()).map(|n| self.fresh(n, text).wall.as_secs_f64()).collect();
        let slowest = |n: &usize| (seconds[*n] * 1e6) as u64;
        self.culprit = (0..self.panel.targets.len()).max_by_key(slowest).unwrap_or(0);
        let culprit = self.culprit;
        let witness = (0..self.count()).filter(|&n| n != culprit).min_by_key(slowest);
        let median = self.median_seconds(text);
        let ratio = witness.map_or(0.0, |n| median / seconds[n].max(0.001));
        if witness.is_some() && ratio < 2.0 {
            return Err(GoalError::NotShown(format!("only {ratio:.1} times slower than the best")));
        }
        self.pin = Pin::Slow { seconds: median / 2.0, witness, ratio: (ratio / 2.0).max(2.0) };
        Ok(self)
    }

    /// The culprit's median time over several solver seeds.
    fn median_seconds(&self, text: &[u8]) -> f64 {
        let mut all: Vec<f64> = (1..=SEEDS)
            .map(|seed| {
                let (target, commands) = self.pool(self.culprit).target().with_seed(seed);
                let seeded = [commands.join("\n").as_bytes(), b"\n", text].concat();
                let mut query = Query::new(&seeded).limits(self.limits.clone());
                query.cancel = self.cancel.clone();
                Pool::new(target, 0).ask(&query, solver::Kind::Fresh).wall.as_secs_f64()
            })
            .collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    }

    /// Whether the culprit says `unknown` of the first script and decides the second.
    pub fn is_undecided_beside(&self, first: &[u8], second: &[u8]) -> bool {
        let answer = |text: &[u8]| self.fresh(self.culprit, text).answer();
        answer(first) == Some(Answer::Unknown) && matches!(answer(second), Some(Answer::Sat | Answer::Unsat))
    }

    /// Whether the culprit's reply alone could be the pinned bug.
    fn culprit_shows(&self, reply: &Reply) -> bool {
        let says = |answer| reply.checks.iter().any(|check| check.answer == Some(answer));
        match &self.pin {
            Pin::Finding { answer, .. } | Pin::Disagree { answer, .. } => says(*answer),
            Pin::Unknown { .. } => says(Answer::Unknown),
            Pin::Crash { site, signal } => match &reply.ended {
                // Where it happened is seen in fresh processes only.
                Ended::Crash { signal: now, .. } if reply.kind != solver::Kind::Fresh && is_place(site) => {
                    now == signal
                }
                Ended::Crash { signal: now, .. } if is_placeless(site) => now == signal,
                Ended::Crash { message, signal, .. } => crash_site(message, *signal) == *site,
                _ => false,
            },
            Pin::Slow { .. } => true,
        }
    }

    /// Puts a script to everybody once more: the pinned accusation with the evidence for this very script, and what
    /// everybody said. `None` if it does not hold.
    pub fn examine(&self, text: &[u8]) -> Option<(Finding, Vec<Statement>)> {
        let kind = self.kind()?;
        let script = Script::parse(text).ok()?;
        let plan = Plan { flatten: false, cores: false, ..Plan::thorough(self.limits.clone()) };
        let inquiry = inquire(self.panel, text, script, Expectation::any(), &plan);
        let accuses = |f: &&Finding| f.kind == kind && f.culprits.iter().any(|name| name == self.culprit());
        let finding = inquiry.verdict.findings().iter().find(accuses)?.clone();
        Some((finding, inquiry.statements))
    }

    /// What other releases are looked at for, once a script has been examined.
    pub fn symptom(&self, finding: &Finding) -> Option<Symptom> {
        let check = finding.check;
        match &self.pin {
            Pin::Crash { .. } => Some(Symptom::Crash),
            Pin::Finding { kind: Kind::InvalidModel, .. } => Some(Symptom::InvalidModel { check }),
            Pin::Finding { answer, .. } | Pin::Disagree { answer, .. } => {
                Some(Symptom::Answer { check, wrong: *answer })
            }
            Pin::Unknown { .. } | Pin::Slow { .. } => None,
        }
    }

    /// The limits under which candidates are asked.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The solver that is accused, with the options that are left.
    pub fn accused(&self) -> &Target {
        self.pool(self.culprit).target()
    }

    /// Asks the others until the oracle is certain, and looks for the pinned accusation.
    fn is_accused(&self, text: &[u8], kind: Kind, reply: &Reply) -> bool {
        let Ok(script) = Script::parse(text) else { return false };
        let config = Config { enumerate_always: true, regressions: false, only: None };
        let mut judge = Judge::new(script, Expectation::any(), config);
        let target = self.pool(self.culprit).target();
        judge.hear(&Opinion { target, reply, first_check: 0, flattened: false, under_test: true });
        let accused = |judge: &mut Judge| {
            let verdict = judge.verdict();
            let mut findings = verdict.findings().iter();
            findings.any(|f| f.kind == kind && f.culprits.contains(&target.name))
        };
        if accused(&mut judge) {
            return true;
        }
        for &n in &self.others {
            let reply = self.fresh(n, text);
            let target = self.pool(n).target();
            judge.hear(&Opinion {
                target,
                reply: &reply,
                first_check: 0,
                flattened: false,
                under_test: false,
            });
            if accused(&mut judge) {
                return true;
            }
            if judge.is_settled() {
                return false;
            }
        }
        false
    }
}

impl Check for Pinned<'_> {
    fn holds(&self, text: &[u8]) -> bool {
        if let Pin::Slow { seconds, witness, ratio } = &self.pin {
            let slow = self.median_seconds(text);
            let fast = witness.map(|n| self.fresh(n, text).wall.as_secs_f64().max(0.001));
            return slow >= *seconds && fast.is_none_or(|fast| slow >= fast * ratio);
        }
        if self.sieve {
            let reply = self.ask(self.culprit, text, solver::Kind::Scoped, &self.limits);
            if !self.culprit_shows(&reply) {
                return false;
            }
        }
        let reply = self.fresh(self.culprit, text);
        if !self.culprit_shows(&reply) {
            return false;
        }
        match &self.pin {
            Pin::Finding { kind, .. } => self.is_accused(text, *kind, &reply),
            Pin::Disagree { witness, .. } => {
                let other = self.fresh(*witness, text);
                let pairs = reply.checks.iter().zip(&other.checks);
                pairs.filter_map(|(a, b)| a.answer.zip(b.answer)).any(|(a, b)| opposite(a, b))
            }
            Pin::Unknown { witness: Some(witness) } => {
                let other = self.fresh(*witness, text);
                let pairs = reply.checks.iter().zip(&other.checks);
                pairs
                    .filter_map(|(a, b)| a.answer.zip(b.answer))
                    .any(|(a, b)| a == Answer::Unknown && b != Answer::Unknown)
            }
            Pin::Unknown { witness: None } | Pin::Crash { .. } | Pin::Slow { .. } => true,
        }
    }
}

fn opposite(a: Answer, b: Answer) -> bool {
    matches!((a, b), (Answer::Sat, Answer::Unsat) | (Answer::Unsat, Answer::Sat))
}
