//! Goals: what must stay wrong while a script shrinks.
//!
//! A goal examines the input once and *pins* what it sees: the symptom of the culprit, and the evidence that it is
//! wrong. A candidate that shows another bug, or the same kind in another solver, does not hold. For wrong answers the
//! truth is established again for each candidate: the culprit is run first (most candidates end there), then the others
//! until the oracle has a certificate.
//!
//! Corrupt memory may be noticed as a null pointer too, which has a place. A script that is minimal for that place is
//! reduced once more (`deeper`), and now corruption counts as well. Every part of a minimal script is needed for its crash,
//! so a smaller script made of its parts that corrupts memory shows the cause, and not another bug.

use crate::confirm::{self, Confirmed};
use crate::inquiry::{Inquiry, Panel, Plan, inquire};
use crate::reduce::{Interesting, Options, ReduceError, Reduced, reduce};
use crate::site::Site;
use crate::symptom::{Sign, Symptom};
use oracle::{Accusation, Effort, FindingKind, Hearing, Pace};
use smtlib::Parsed;
use solver::{Answer, Extras, Pool, Query, QueryLimits, Reply, SessionKind, Target};
use std::time::Duration;
use strategy::{Case, Role};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A wrong answer.
    Wrong,
    Crash,
    InvalidModel,
    InvalidValue,
    InvalidCore,
    /// No answer where another solver has one.
    Unknown,
    /// Far slower than another solver.
    Slow,
    /// Two solvers contradict each other; no truth is sought.
    Disagree,
    /// It refuses what the standard allows.
    Rejects,
}

impl Goal {
    pub const ALL: [(&'static str, Goal); 9] = [
        ("wrong", Goal::Wrong),
        ("crash", Goal::Crash),
        ("invalid-model", Goal::InvalidModel),
        ("invalid-value", Goal::InvalidValue),
        ("invalid-core", Goal::InvalidCore),
        ("unknown", Goal::Unknown),
        ("slow", Goal::Slow),
        ("disagree", Goal::Disagree),
        ("rejects", Goal::Rejects),
    ];

    pub fn word(self) -> &'static str {
        Goal::ALL.iter().find(|(_, goal)| *goal == self).map_or("", |(word, _)| word)
    }

    pub fn from_word(word: &str) -> Option<Goal> {
        Goal::ALL.iter().find(|(name, _)| *name == word).map(|&(_, goal)| goal)
    }

    /// The goal that fits a kind of finding.
    pub fn of_kind(kind: FindingKind) -> Option<Goal> {
        Some(match kind {
            FindingKind::RefutationUnsound | FindingKind::SolutionUnsound => Goal::Wrong,
            FindingKind::Inconsistent => Goal::Disagree,
            FindingKind::Crash => Goal::Crash,
            FindingKind::InvalidModel => Goal::InvalidModel,
            FindingKind::InvalidValue => Goal::InvalidValue,
            FindingKind::InvalidCore => Goal::InvalidCore,
            FindingKind::IncompletenessRegression | FindingKind::IncompletenessImplication => Goal::Unknown,
            FindingKind::PerformanceRegression | FindingKind::Performance => Goal::Slow,
            FindingKind::RejectsValidInput => Goal::Rejects,
            FindingKind::InvalidProof | FindingKind::InvalidInterpolant => return None,
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

/// What shows that the culprit is wrong, besides its symptom.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Proof {
    /// The oracle accuses it of the kind of its symptom.
    Oracle,
    /// The symptom is proof enough.
    Itself,
    /// This solver decides what the culprit does not.
    Decides(usize),
    /// This solver gives the opposite answer.
    Contradicts(usize),
    /// This one decides it in a small part of the processor time.
    Faster(usize),
}

/// A goal pinned to what the input shows.
pub struct Pinned<'p> {
    panel: &'p Panel,
    /// Index into all solvers, targets first.
    culprit: usize,
    /// The others, the best witness first.
    others: Vec<usize>,
    symptom: Symptom,
    proof: Proof,
    limits: QueryLimits,
    /// The limits of one check of a reduction.
    brief: QueryLimits,
    /// The culprit with fewer options, once some were found to be unnecessary.
    lighter: Option<Pool>,
    /// Corruption counts as the pinned crash.
    deeper: bool,
    cancel: Option<run::Cancel>,
}

/// What every candidate may take, however quickly the input showed it.
const BRIEF: Duration = Duration::from_millis(60);

/// On a busy machine processor time passes slowly; a run waits so much longer for it.
const BUSY: u32 = 8;

impl<'p> Pinned<'p> {
    /// Examines the input and pins what it shows. Without a goal, the worst finding decides.
    pub fn observe(
        panel: &'p Panel,
        goal: Option<Goal>,
        text: &[u8],
        limits: &QueryLimits,
        cancel: Option<run::Cancel>,
    ) -> Result<Pinned<'p>, GoalError> {
        let script = Parsed::read(text)?;
        let base = Pinned::blank(panel, limits, cancel);
        match goal {
            Some(Goal::Unknown) => base.observe_unknown(&script),
            Some(Goal::Slow) => base.observe_slow(&script),
            Some(Goal::Disagree) => base.observe_disagreement(&script),
            wanted => base.observe_finding(wanted, script),
        }
    }

    /// The same for a symptom that was seen before: its culprit, and no other.
    pub fn observe_again(
        panel: &'p Panel,
        symptom: &Symptom,
        text: &[u8],
        limits: &QueryLimits,
        cancel: Option<run::Cancel>,
    ) -> Result<Pinned<'p>, GoalError> {
        let script = Parsed::read(text)?;
        let base = Pinned { symptom: symptom.clone(), ..Pinned::blank(panel, limits, cancel) };
        match Goal::of_kind(symptom.kind) {
            Some(Goal::Unknown) => base.observe_unknown(&script),
            Some(Goal::Slow) => base.observe_slow(&script),
            Some(Goal::Disagree) => base.observe_disagreement(&script),
            wanted => base.observe_finding(wanted, script),
        }
    }

    /// Nothing pinned yet.
    fn blank(panel: &'p Panel, limits: &QueryLimits, cancel: Option<run::Cancel>) -> Pinned<'p> {
        let (kind, sign) = (FindingKind::IncompletenessRegression, Sign::Undecided);
        Pinned {
            panel,
            culprit: 0,
            others: vec![],
            symptom: Symptom { kind, culprit: None, role: Role::Formula, check: 0, sign },
            proof: Proof::Itself,
            limits: limits.clone(),
            brief: limits.clone(),
            lighter: None,
            deeper: false,
            cancel,
        }
    }

    /// A description of what is pinned.
    pub fn describe(&self) -> String {
        let culprit = self.name(self.culprit);
        match (&self.proof, &self.symptom.sign) {
            (Proof::Oracle, Sign::Says(answer)) => {
                format!("{culprit} {} ({answer})", self.symptom.kind.meaning())
            }
            (Proof::Oracle, _) => format!("{culprit} {}", self.symptom.kind.meaning()),
            (_, Sign::Dies(site)) if site.is_stack() => format!("{culprit} crashes {site}"),
            (_, Sign::Dies(site)) => format!("{culprit} crashes at {site}"),
            (Proof::Faster(witness), Sign::Slower { pace, .. }) => format!(
                "{culprit} takes {:.1} s of processor time or more, {} less than a part in {}",
                pace.floor.as_secs_f64(),
                self.name(*witness),
                pace.factor
            ),
            (Proof::Contradicts(witness), Sign::Says(answer)) => {
                format!("{culprit} says {answer}, {} the opposite", self.name(*witness))
            }
            _ => format!("{culprit} says unknown"),
        }
    }

    pub fn culprit(&self) -> &str {
        self.name(self.culprit)
    }

    /// What the culprit must show.
    pub fn symptom(&self) -> &Symptom {
        &self.symptom
    }

    pub fn kind(&self) -> FindingKind {
        self.symptom.kind
    }

    /// Reduces a script, and then once more towards the cause of its crash.
    pub fn reduce(&mut self, text: &[u8], options: &Options<'_>) -> Result<Reduced, ReduceError> {
        let reduced = match reduce(text, self, options) {
            // Corrupt memory is noticed elsewhere as soon as a blank moves.
            Err(ReduceError::NotInteresting) if self.go_deeper() => return reduce(text, self, options),
            other => other?,
        };
        if !self.go_deeper() || reduced.interrupted {
            return Ok(reduced);
        }
        Ok(reduce(&reduced.text, self, options)?.after(&reduced))
    }

    /// From now on a corruption of memory counts as well, if it can be the cause of the pinned crash; whether it can.
    pub fn go_deeper(&mut self) -> bool {
        self.deeper =
            matches!(&self.symptom.sign, Sign::Dies(site) if site.is_memory_fault() && !site.corruption);
        self.deeper
    }

    /// The same goal without the options of the culprit that it does not need, and with the shortest tactic.
    pub fn without_needless_options(mut self, text: &[u8]) -> Pinned<'p> {
        for n in (0..self.accused().args.len()).rev() {
            let mut fewer = self.accused().args.clone();
            fewer.remove(n);
            self.try_options(fewer, text);
        }
        for n in 0..self.accused().args.len() {
            let shorter = |pinned: &Pinned<'_>| solver::options::simpler(&pinned.accused().args[n]);
            let mut left = shorter(&self);
            while let Some(simpler) = left.pop() {
                let mut other = self.accused().args.clone();
                other[n] = simpler;
                if self.try_options(other, text) {
                    left = shorter(&self);
                }
            }
        }
        self
    }

    /// Keeps these options for the culprit if they show it too.
    fn try_options(&mut self, args: Vec<String>, text: &[u8]) -> bool {
        let lighter = Target { args, ..self.accused().clone() };
        let before = self.lighter.replace(Pool::new(lighter, 1));
        let holds = self.holds(text);
        if !holds {
            self.lighter = before;
        }
        holds
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

    fn position(&self, name: &str) -> Option<usize> {
        (0..self.count()).find(|&n| self.name(n) == name)
    }

    /// In a copy of a started process, if there is one; the last check of a reduction (`examine`) starts processes.
    fn fresh(&self, n: usize, text: &[u8]) -> Reply {
        let want = Extras { model: self.proof == Proof::Oracle, ..self.symptom.wants() };
        let mut query = Query::new(text).limits(self.brief.clone()).want(want);
        query.cancel = self.cancel.clone();
        query.locate = self.symptom.locates();
        self.pool(n).ask(&query, SessionKind::Forked)
    }

    fn plan(&self) -> Plan {
        let plan = Plan::thorough(self.limits.clone());
        match self.symptom.kind {
            FindingKind::InvalidCore => Plan { effort: Effort { alone: false, ..plan.effort }, ..plan },
            _ => plan.as_asked(),
        }
    }

    fn observe_finding(mut self, wanted: Option<Goal>, script: Parsed) -> Result<Pinned<'p>, GoalError> {
        if wanted == Some(Goal::InvalidCore) {
            self.symptom.kind = FindingKind::InvalidCore;
        }
        let inquiry = inquire(self.panel, &Case::of_script(script.clone()), &self.plan());
        let fits = |kind: FindingKind| match wanted {
            None => Goal::of_kind(kind).is_some(),
            // A vote is accepted as the truth only if there is nothing better and the user asked for it.
            Some(Goal::Wrong) => {
                matches!(
                    kind,
                    FindingKind::RefutationUnsound | FindingKind::SolutionUnsound | FindingKind::Inconsistent
                )
            }
            Some(goal) => Goal::of_kind(kind) == Some(goal),
        };
        let found = inquiry.verdict.findings().iter().find_map(|accusation| {
            let culprit = self.position(accusation.culprit.as_deref()?)?;
            fits(accusation.kind).then_some((accusation, culprit))
        });
        let Some((accusation, culprit)) = found else {
            let shown = GoalError::NotShown(format!("the verdict is {}", inquiry.verdict.word()));
            // Where nothing says who is wrong, the answers may still contradict each other.
            return match wanted {
                None | Some(Goal::Wrong) if self.symptom.culprit.is_none() => {
                    self.observe_disagreement(&script).map_err(|_| shown)
                }
                _ => Err(shown),
            };
        };
        let witness = accusation.evidence.first().and_then(|evidence| self.position(&evidence.by));
        let Some((symptom, reply)) = confirm::symptom(accusation, &inquiry) else {
            return Err(GoalError::NotShown("the culprit did not answer".into()));
        };
        self.proof = if symptom.locates() { Proof::Itself } else { Proof::Oracle };
        self.symptom = symptom;
        self.culprit = culprit;
        self.others = (0..self.count()).filter(|&n| n != culprit).collect();
        self.others.sort_by_key(|&n| Some(n) != witness);
        self.tighten(reply.wall, inquiry.heard.iter().map(|heard| &heard.reply));
        Ok(self)
    }

    /// For a bug that shows quickly, the time limit is lowered; that of a candidate to a few times the processor time that
    /// any solver needed for the input, since many candidates would never end.
    fn tighten<'r>(&mut self, seen: Duration, replies: impl Iterator<Item = &'r Reply>) {
        let enough = seen.mul_f64(5.0) + Duration::from_millis(500);
        self.limits.wall = self.limits.wall.min(enough);
        let ended = replies.filter(|reply| !reply.ended.is_limit());
        let cpu = ended.map(|reply| reply.cpu).max().unwrap_or_default() * 5 + BRIEF;
        let cpu = self.limits.cpu.map_or(cpu, |most| most.min(cpu));
        self.brief = QueryLimits { cpu: Some(cpu), ..self.limits.clone() };
    }

    /// Pins the culprit's answer.
    fn says(&mut self, kind: FindingKind, sign: Sign, check: usize) {
        let culprit = Some(self.name(self.culprit).to_owned());
        self.symptom = Symptom { kind, culprit, role: Role::Formula, check, sign };
    }

    fn observe_unknown(mut self, script: &Parsed) -> Result<Pinned<'p>, GoalError> {
        let replies: Vec<Reply> = (0..self.count()).map(|n| self.fresh(n, script.text())).collect();
        let unknown = |reply: &Reply| reply.checks.iter().position(|c| c.answer == Some(Answer::Unknown));
        let wanted = self.symptom.culprit.clone();
        let accusable = |n: &usize| wanted.as_deref().is_none_or(|name| name == self.name(*n));
        let culprit = (0..self.count()).filter(accusable).find(|&n| unknown(&replies[n]).is_some());
        self.culprit = culprit.ok_or_else(|| GoalError::NotShown("no solver says unknown".into()))?;
        let check = unknown(&replies[self.culprit]).unwrap_or(0);
        let decides = |&n: &usize| replies[n].answer_to(check).is_some_and(|a| a != Answer::Unknown);
        // An older release of the same solver tells more than another solver.
        let of = |n: usize| &self.pool(n).target().profile.name;
        let witness = (0..self.count()).filter(decides).min_by_key(|&n| of(n) != of(self.culprit));
        self.proof = witness.map_or(Proof::Itself, Proof::Decides);
        self.says(FindingKind::IncompletenessRegression, Sign::Undecided, check);
        Ok(self)
    }

    fn observe_disagreement(mut self, script: &Parsed) -> Result<Pinned<'p>, GoalError> {
        let replies: Vec<Reply> = (0..self.count()).map(|n| self.fresh(n, script.text())).collect();
        for a in 0..replies.len() {
            for b in 0..replies.len() {
                let checks = replies[a].checks.len();
                let clash = (0..checks).find(|&check| contradict(&replies[a], &replies[b], check));
                if let Some((check, answer)) = clash.and_then(|c| Some((c, replies[a].answer_to(c)?))) {
                    self.culprit = a;
                    self.proof = Proof::Contradicts(b);
                    self.says(FindingKind::Inconsistent, Sign::Says(answer), check);
                    self.tighten(replies[a].wall.max(replies[b].wall), replies.iter());
                    return Ok(self);
                }
            }
        }
        Err(GoalError::NotShown("no two answers contradict each other".into()))
    }

    fn observe_slow(mut self, script: &Parsed) -> Result<Pinned<'p>, GoalError> {
        let pace = Pace::USUAL;
        let wanted = self.symptom.culprit.clone();
        let replies: Vec<Reply> =
            (0..self.count()).map(|n| self.within(n, script.text(), pace.floor * 2)).collect();
        let slow = |n: &usize| {
            wanted.as_deref().is_none_or(|name| name == self.name(*n))
                && *n < self.panel.targets.len()
                && (replies[*n].ended.is_limit() || is_decided(&replies[*n]))
        };
        let culprit = (0..self.count()).filter(slow).max_by_key(|&n| replies[n].cpu);
        self.culprit = culprit.ok_or_else(|| GoalError::NotShown("no solver takes long".into()))?;
        let of = |n: usize| &self.pool(n).target().profile.name;
        let faster = |&n: &usize| {
            n != self.culprit
                && is_decided(&replies[n])
                && pace.is_slow(replies[self.culprit].cpu, replies[n].cpu)
        };
        let others = (0..self.count()).filter(faster);
        // An older release of the same solver tells more than another solver.
        let witness = others.min_by_key(|&n| (of(n) != of(self.culprit), replies[n].cpu));
        let Some(witness) = witness else {
            let said = replies[self.culprit].cpu.as_secs_f64();
            let why = format!("{} took {said:.2} s, and no solver a tenth of that", self.name(self.culprit));
            return Err(GoalError::NotShown(why));
        };
        let regression = of(witness) == of(self.culprit);
        self.proof = Proof::Faster(witness);
        let sign = Sign::Slower { pace, whereabouts: None };
        self.says(
            if regression { FindingKind::PerformanceRegression } else { FindingKind::Performance },
            sign,
            0,
        );
        Ok(self)
    }

    /// Asks within a limit of processor time.
    fn within(&self, n: usize, text: &[u8], cpu: Duration) -> Reply {
        let limits = QueryLimits { wall: cpu * BUSY, cpu: Some(cpu), memory: self.limits.memory };
        let mut query = Query::new(text).limits(limits);
        query.cancel = self.cancel.clone();
        self.pool(n).ask(&query, SessionKind::Fresh)
    }

    /// Whether the culprit is slow on a candidate: the quick one is asked first, within its small part of the time.
    fn is_slower(&self, text: &[u8], witness: usize, pace: Pace) -> bool {
        let fast = self.within(witness, text, pace.floor / pace.factor);
        if !is_decided(&fast) {
            return false;
        }
        let slow = self.within(self.culprit, text, pace.floor);
        (is_decided(&slow) || slow.ended.is_limit()) && pace.is_slow(slow.cpu, fast.cpu)
    }

    /// Whether the culprit says `unknown` to the first script and decides the second.
    pub fn is_undecided_beside(&self, first: &[u8], second: &[u8]) -> bool {
        let answer = |text: &[u8]| self.fresh(self.culprit, text).answer();
        answer(first) == Some(Answer::Unknown) && matches!(answer(second), Some(Answer::Sat | Answer::Unsat))
    }

    /// Whether the culprit's reply alone could be the pinned bug. A candidate may have other check-sats, other names in
    /// its core and another model; whether they are wrong is decided by the oracle.
    fn culprit_shows(&self, reply: &Reply, script: &Parsed) -> bool {
        let says = |answer| reply.checks.iter().any(|check| check.answer == Some(answer));
        match &self.symptom.sign {
            Sign::Says(answer) => says(*answer),
            Sign::ModelFails | Sign::ValueFails => says(Answer::Sat),
            Sign::CoreHolds(_) | Sign::AssumptionsHold(_) => says(Answer::Unsat),
            Sign::Undecided => says(Answer::Unknown),
            Sign::Slower { .. } => true,
            Sign::Dies(_) | Sign::Refuses(_) => {
                let corrupt = || Site::of(&reply.ended).is_some_and(|site| site.corruption);
                self.symptom.shows(reply, script, self.accused()) == Some(true) || (self.deeper && corrupt())
            }
        }
    }

    /// Runs all solvers on a script once more: returns the pinned accusation with the evidence for this very script,
    /// and all replies. `None` if it does not hold.
    pub fn examine(&self, text: &[u8]) -> Option<(Accusation, Inquiry)> {
        let inquiry = inquire(self.panel, &Case::of_script(Parsed::read(text).ok()?), &self.plan());
        let accuses = |a: &&Accusation| a.kind == self.kind() && a.accuses(self.culprit());
        let accusation = inquiry.verdict.findings().iter().find(accuses)?.clone();
        Some((accusation, inquiry))
    }

    /// Measures a slow script over solver seeds: the accusation with its evidence, and what was said.
    pub fn measure(&self, text: &[u8]) -> Option<(Accusation, Inquiry)> {
        let Sign::Slower { pace, .. } = &self.symptom.sign else { return None };
        let limits = QueryLimits { cpu: Some(pace.floor), ..QueryLimits::wall(pace.floor * BUSY) };
        let mut plan = Plan::thorough(limits).as_asked();
        plan.effort.pace = Some(Pace::within(pace.floor));
        plan.cancel = self.cancel.clone();
        let inquiry = inquire(self.panel, &Case::of_script(Parsed::read(text).ok()?), &plan);
        let Confirmed::Yes(inquiry) = confirm::measured(self.panel, &plan, inquiry) else { return None };
        let accuses = |a: &&Accusation| a.kind == self.kind() && a.accuses(self.culprit());
        let accusation = inquiry.verdict.findings().iter().find(accuses)?.clone();
        Some((accusation, inquiry))
    }

    /// The limits of what is run again after the reduction, other releases included.
    pub fn limits(&self) -> &QueryLimits {
        &self.limits
    }

    /// The accused solver, with the remaining options.
    pub fn accused(&self) -> &Target {
        self.pool(self.culprit).target()
    }

    /// Runs the others until the oracle is certain, and looks for the pinned accusation.
    fn is_accused(&self, script: &Parsed, reply: Reply) -> bool {
        if self.kind() == FindingKind::InvalidCore {
            return self.examine(script.text()).is_some();
        }
        let case = Case::of_script(script.clone());
        let effort = Effort { regressions: false, pace: None, ..Effort::thorough().as_asked() };
        let mut hearing = Hearing::new(&case, effort);
        let name = &self.accused().name;
        hearing.hear(self.accused(), reply, true);
        let accused = |hearing: &mut Hearing| {
            hearing.climb();
            let verdict = hearing.verdict();
            verdict.findings().iter().any(|a| a.kind == self.kind() && a.accuses(name))
        };
        if accused(&mut hearing) {
            return true;
        }
        for &n in &self.others {
            hearing.hear(self.pool(n).target(), self.fresh(n, script.text()), false);
            if accused(&mut hearing) {
                return true;
            }
            if hearing.is_settled() {
                return false;
            }
        }
        false
    }
}

impl Interesting for Pinned<'_> {
    fn holds(&self, text: &[u8]) -> bool {
        if let (Proof::Faster(witness), Sign::Slower { pace, .. }) = (self.proof, &self.symptom.sign) {
            return self.is_slower(text, witness, *pace);
        }
        let Ok(script) = Parsed::read(text) else { return false };
        let reply = self.fresh(self.culprit, text);
        if !self.culprit_shows(&reply, &script) {
            return false;
        }
        let any_check = |holds: &dyn Fn(usize) -> bool| (0..reply.checks.len()).any(holds);
        match self.proof {
            Proof::Oracle => self.is_accused(&script, reply),
            Proof::Contradicts(witness) => {
                let other = self.fresh(witness, text);
                any_check(&|check| contradict(&reply, &other, check))
            }
            Proof::Decides(witness) => {
                let other = self.fresh(witness, text);
                any_check(&|check| {
                    reply.answer_to(check) == Some(Answer::Unknown)
                        && other.answer_to(check).is_some_and(|answer| answer != Answer::Unknown)
                })
            }
            Proof::Itself | Proof::Faster(_) => true,
        }
    }
}

fn is_decided(reply: &Reply) -> bool {
    matches!(reply.answer(), Some(Answer::Sat | Answer::Unsat))
}

/// Whether two replies contradict each other about a check-sat.
fn contradict(a: &Reply, b: &Reply, check: usize) -> bool {
    matches!(
        (a.answer_to(check), b.answer_to(check)),
        (Some(Answer::Sat), Some(Answer::Unsat)) | (Some(Answer::Unsat), Some(Answer::Sat))
    )
}
