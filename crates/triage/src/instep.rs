//! Two formulas reduced in step: the decided one shrinks, and the rule makes the undecided one of it again.
//!
//! A solver that decides a formula and says `unknown` to what one rule makes of it is incomplete by implication
//! (Winterer's thesis, chapter 6). Reducing one of the two alone loses the relation. So, as Algorithm 7 there, only the
//! first is reduced; after every reduction the solver must still decide it, and the rule is applied again at every place
//! where it applies, until one of the results is `unknown`. A use of the rule counts only if it leads away from
//! difficulty: a weaker formula where the first is satisfiable, a stronger one where it is unsatisfiable, or the same.
//!
//! In: the decided formula, the rule, the solver. Out: the check for the reducer, and the undecided formula that goes
//! with a decided one. Must never keep a pair whose relation does not follow from the rule.

use crate::reduce::Interesting;
use solver::{Answer, Pool, Query, QueryLimits, SessionKind};
use strategy::RuleUse;
use strategy::weaken::again::{Changed, everywhere};
use strategy::weaken::rules::Rules;
use strategy::weaken::step::Effect;

/// How many results of the rule are put to the solver for one reduction.
const MOST: usize = 48;

pub struct InStep<'p> {
    pool: &'p Pool,
    limits: QueryLimits,
    rules: Rules,
    used: RuleUse,
    cancel: Option<run::Cancel>,
}

/// The formula that a rule makes undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    pub script: Vec<u8>,
    /// What the solver says to the formula that it was made of.
    pub before: Answer,
    pub effect: Effect,
}

impl<'p> InStep<'p> {
    /// `None` if there is no such rule.
    pub fn new(
        pool: &'p Pool,
        rules: &Rules,
        used: &RuleUse,
        limits: &QueryLimits,
        cancel: Option<run::Cancel>,
    ) -> Option<InStep<'p>> {
        let rules = rules.only(&used.rule)?;
        Some(InStep { pool, limits: limits.clone(), rules, used: used.clone(), cancel })
    }

    /// What the solver says `unknown` to, if it decides this formula.
    pub fn partner(&self, decided: &[u8]) -> Option<Undecided> {
        let before = self.ask(decided).filter(|answer| *answer != Answer::Unknown)?;
        let leads_away = |changed: &Changed| match changed.effect {
            Effect::Same => true,
            Effect::Weaker => before == Answer::Sat,
            Effect::Stronger => before == Answer::Unsat,
        };
        let results = everywhere(decided, &self.rules, &self.used).into_iter().filter(leads_away);
        let undecided =
            results.take(MOST).find(|changed| self.ask(&changed.script) == Some(Answer::Unknown))?;
        Some(Undecided { script: undecided.script, before, effect: undecided.effect })
    }

    /// The answer, if it was given by itself.
    fn ask(&self, script: &[u8]) -> Option<Answer> {
        if self.cancel.as_ref().is_some_and(run::Cancel::is_raised) {
            return None;
        }
        let mut query = Query::new(script).limits(self.limits.clone());
        query.cancel = self.cancel.clone();
        let reply = self.pool.ask(&query, SessionKind::Forked);
        let whole = reply.ended == solver::Ended::ByItself && reply.checks.len() == 1;
        reply.answer().filter(|_| whole)
    }
}

impl Interesting for InStep<'_> {
    fn holds(&self, decided: &[u8]) -> bool {
        self.partner(decided).is_some()
    }
}
