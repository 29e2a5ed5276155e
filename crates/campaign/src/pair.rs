//! Triage of a finding about two formulas: this one is not decided although that one is.
//!
//! Where one rule led from the one to the other, the decided formula is reduced and the rule makes the other of it
//! again (`triage::instep`); where several did, both are joined into one script in which a constant chooses
//! (`triage::pair`). In: a job with a formula beside it. Out: both reduced, what was seen on them, the releases
//! concerned, and a name that the rule is part of.

use crate::assignment::Assignment;
use crate::queue::{Job, Learnt, over_releases, release_row};
use oracle::{Accusation, FindingKind};
use smtlib::Parsed;
use solver::{Answer, Pool, Query, Reply, SessionKind};
use std::time::{Duration, Instant};
use store::Reduction;
use strategy::weaken::rules::Rules;
use strategy::weaken::step::Effect;
use strategy::{At, Case, Question, Recipe, Relation, Role, RuleUse};
use triage::instep::InStep;
use triage::reduce::{Options, Stats, reduce};
use triage::signature::exact;
use triage::{Inquiry, Plan, inquire};

/// The most time that one pair gets.
const PATIENCE: Duration = Duration::from_secs(60);

/// The formula beside the one that shows it.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The solver decides it.
    pub decided: Vec<u8>,
    /// The rule that leads from it to the other, if it was one.
    pub used: Option<RuleUse>,
    /// The user's rules, if they are not the embedded ones.
    rules: Option<String>,
}

impl Beside {
    /// Of a finding that is about both.
    pub fn of(kind: FindingKind, decided: Vec<u8>, recipe: &Recipe) -> Option<Beside> {
        let (used, rules) = (recipe.last.clone(), recipe.settings.rules.clone());
        (kind == FindingKind::IncompletenessImplication).then_some(Beside { decided, used, rules })
    }
}

pub struct Pair<'a> {
    pub assignment: &'a Assignment,
    pub job: &'a Job,
    pub beside: &'a Beside,
}

/// Two formulas that show it.
struct Both {
    undecided: Vec<u8>,
    decided: Vec<u8>,
    relation: Option<Relation>,
    stats: Stats,
    interrupted: bool,
}

const FORMULA: At = At { question: 0, check: 0 };
const BEFORE: At = At { question: 1, check: 0 };

impl Pair<'_> {
    /// `None` if it does not show any more.
    pub fn reduce(&self) -> Option<Learnt> {
        let culprit = self.job.symptom.culprit.as_deref();
        let pool = self.assignment.panel.owning(culprit).find(culprit?)?;
        let both = match &self.beside.used {
            Some(used) => self.in_step(pool, used),
            None => None,
        };
        let both = both.or_else(|| self.joined(pool))?;
        let script = Parsed::read(both.undecided.as_slice()).ok()?;
        let symptom = &self.job.symptom;
        let releases = over_releases(pool.target(), &script, symptom, &self.assignment.limits);
        let mut seen = self.look_again(&both).map(|(accusation, inquiry)| {
            let replies: Vec<Reply> = inquiry.heard.into_iter().map(|heard| heard.reply).collect();
            let about = |reply: &Reply| reply.question == accusation.at.question;
            Reduction::of(&accusation, &replies.into_iter().filter(about).collect::<Vec<_>>())
        });
        if let (Some(seen), Some(releases)) = (&mut seen, &releases) {
            seen.monotone = releases.monotone;
            seen.releases = releases.releases.iter().map(release_row).collect();
        }
        let rule = self.beside.used.as_ref().map_or(String::new(), |used| format!(" by {}", used.rule));
        let name = exact(symptom, &script, &pool.target().args);
        let Assignment { limits, cancel, .. } = self.assignment;
        let shown = triage::demonstrate(pool.target(), &script, symptom, limits, Some(cancel));
        Some(Learnt {
            id: self.job.id.clone(),
            reduced: both.undecided,
            beside: Some(both.decided),
            stats: both.stats,
            signature: format!("{name}{rule}"),
            seen,
            releases,
            shown,
            cut_short: both.interrupted,
            culprit: None,
        })
    }

    /// The decided formula shrinks, and the rule makes the other of it again.
    fn in_step(&self, pool: &Pool, used: &RuleUse) -> Option<Both> {
        let own;
        let embedded;
        let rules: &Rules = match &self.beside.rules {
            Some(text) => {
                own = Rules::read(text).ok()?;
                &own
            }
            None => {
                embedded = Rules::embedded().ok()?;
                &embedded
            }
        };
        let Assignment { limits, cancel, .. } = self.assignment;
        let check = InStep::new(pool, rules, used, limits, Some(cancel.clone()))?;
        let reduced = self.shrink(&self.beside.decided, &check)?;
        let partner = check.partner(&reduced.text)?;
        let relation = match partner.effect {
            Effect::Weaker => Relation::SatImplies(BEFORE, FORMULA),
            Effect::Stronger => Relation::SatImplies(FORMULA, BEFORE),
            Effect::Same => Relation::SameAnswer(BEFORE, FORMULA),
        };
        let stats = Stats { bytes_after: partner.script.len(), ..reduced.stats };
        Some(Both {
            undecided: partner.script,
            decided: reduced.text,
            relation: Some(relation),
            stats,
            interrupted: reduced.interrupted,
        })
    }

    /// Both as one script; for steps that were made of several changes.
    fn joined(&self, pool: &Pool) -> Option<Both> {
        let joined = triage::pair::join(&self.job.script, &self.beside.decided).ok()?;
        let answer = |script: &[u8]| {
            let mut query = Query::new(script).limits(self.assignment.limits.clone());
            query.cancel = Some(self.assignment.cancel.clone());
            pool.ask(&query, SessionKind::Forked).answer()
        };
        let check = |text: &[u8]| {
            triage::pair::split(text).is_some_and(|(undecided, decided)| {
                answer(&undecided) == Some(Answer::Unknown)
                    && matches!(answer(&decided), Some(Answer::Sat | Answer::Unsat))
            })
        };
        let reduced = self.shrink(&joined, &check)?;
        let (undecided, decided) = triage::pair::split(&reduced.text)?;
        let stats =
            Stats { bytes_before: self.job.script.len(), bytes_after: undecided.len(), ..reduced.stats };
        Some(Both { undecided, decided, relation: None, stats, interrupted: reduced.interrupted })
    }

    fn shrink(&self, text: &[u8], check: &dyn triage::Interesting) -> Option<triage::Reduced> {
        let began = Instant::now();
        let stop = || began.elapsed() > PATIENCE || self.assignment.cancel.is_raised();
        reduce(text, check, &Options { workers: 1, stop: &stop, improved: &|_| {} }).ok()
    }

    /// All solvers on both reduced formulas.
    fn look_again(&self, both: &Both) -> Option<(Accusation, Inquiry)> {
        let question = |role: Role, text: &[u8]| {
            Some(Question { role, script: Parsed::read(text).ok()?, expects: vec![] })
        };
        let questions =
            vec![question(Role::Formula, &both.undecided)?, question(Role::Before, &both.decided)?];
        let relations = both.relation.into_iter().chain([Relation::ShouldDecide(BEFORE, FORMULA)]).collect();
        let case = Case { questions, relations, hints: vec![], recipe: Recipe::default() };
        let mut plan = Plan::thorough(self.assignment.limits.clone()).as_asked();
        plan.effort.regressions = false;
        plan.cancel = Some(self.assignment.cancel.clone());
        let inquiry =
            inquire(self.assignment.panel.owning(self.job.symptom.culprit.as_deref()), &case, &plan);
        let accuses = |accusation: &&Accusation| {
            accusation.kind == self.job.symptom.kind && accusation.culprit == self.job.symptom.culprit
        };
        let accusation = inquiry.verdict.findings().iter().find(accuses)?.clone();
        Some((accusation, inquiry))
    }
}
