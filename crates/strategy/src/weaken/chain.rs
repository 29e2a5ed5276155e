//! A chain of cases from one seed: each formula is slightly weaker than the last one, or slightly stronger.
//!
//! The chain keeps the formula and the previous step, makes a case with relations from the pair, and continues from a
//! formula that some solver decided. The strategy makes the changes.

use super::formula::Formula;
use super::ground::Ground;
use super::step::{Change, Effect};
use crate::mutant::logic::Reach;
use crate::seeds::claims;
use crate::{AimBy, At, Draft, Expect, Expected, Facts, Ground as Because, Prepared, Relation, Rng, Role};
use corpus::Status;

/// Why a claim about the seed is also a claim about the formula.
const KEPT: &str = ", and every step since preserves it";

/// A formula in a chain.
pub struct Chain<'a> {
    prepared: &'a Prepared,
    ground: &'a Ground,
    /// Weaker or stronger.
    aim: Effect,
    /// The seed's claims, as long as the chain preserves them.
    claims: Vec<Option<Expect>>,
    /// What is known about the check-sats of the current formula.
    answers: Vec<Status>,
    /// What solvers said to the seed, if it was asked.
    seed: Vec<Status>,
    formula: Formula,
    reach: Reach,
    before: Formula,
    before_reach: Reach,
    /// What was changed, case by case.
    rules: Vec<String>,
    /// The only rule of the last case, by number, and whether it was used from left to right.
    last: Option<(u32, bool)>,
    aim_by: Option<AimBy>,
    /// The seed itself was asked, or need not be.
    is_asked: bool,
}

impl<'a> Chain<'a> {
    pub fn new(
        prepared: &'a Prepared,
        ground: &'a Ground,
        aim_by: Option<AimBy>,
        rng: &mut Rng,
    ) -> Chain<'a> {
        let mut claims = claims(&prepared.seed);
        claims.resize(ground.checks, None);
        if aim_by == Some(AimBy::Answer) {
            claims.fill(None);
        }
        let status = |claim: &Option<Expect>| match claim.as_ref().map(|claim| claim.answer) {
            Some(Expected::Sat) => Status::Sat,
            Some(Expected::Unsat) => Status::Unsat,
            None => Status::Unknown,
        };
        let answers: Vec<Status> = claims.iter().map(status).collect();
        let aim =
            aim_for(&answers).unwrap_or(if rng.chance(1, 2) { Effect::Weaker } else { Effect::Stronger });
        Chain {
            prepared,
            ground,
            aim,
            claims,
            seed: answers.clone(),
            answers,
            formula: ground.formula.clone(),
            reach: Reach::Inside,
            before: Formula::default(),
            before_reach: Reach::Inside,
            rules: vec![],
            last: None,
            aim_by,
            is_asked: aim_by != Some(AimBy::Answer),
        }
    }

    /// A new chain from the seed, with what solvers said to the seed if that is what counts.
    pub fn restarted(&self, prepared: &'a Prepared, ground: &'a Ground, rng: &mut Rng) -> Chain<'a> {
        let new = Chain::new(prepared, ground, self.aim_by, rng);
        match self.aim_by {
            Some(AimBy::Answer) => Chain {
                aim: self.aim,
                answers: self.seed.clone(),
                is_asked: true,
                seed: self.seed.clone(),
                ..new
            },
            _ => new,
        }
    }

    /// Uses the outcome of the last case; returns false if the chain cannot continue. A chain continues from a formula
    /// that some solver decided: from the last one, or from the one before it.
    pub fn hear(&mut self, facts: &Facts) -> bool {
        if facts.answers.is_empty() || (self.rules.is_empty() && self.aim_by != Some(AimBy::Answer)) {
            return true;
        }
        let decided =
            |question| (0..self.ground.checks).any(|check| facts.is_decided(At { question, check }));
        let question = match (decided(0), decided(1)) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => return false,
        };
        if question == 1 && !self.rules.is_empty() {
            self.formula.copy_from(&self.before);
            self.reach = self.before_reach;
            self.rules.pop();
        }
        for check in 0..self.ground.checks {
            if let Some(answer) = agreed(facts, At { question, check }) {
                self.answers[check] = answer;
            }
        }
        if self.rules.is_empty() {
            self.seed.clone_from(&self.answers);
        }
        let by_answer = self.aim_by != Some(AimBy::Status);
        if let Some(aim) = aim_for(&self.answers).filter(|&aim| by_answer && aim != self.aim) {
            self.aim = aim;
            // The seed's claims are preserved only if all steps go in one direction.
            self.claims.fill(None);
        }
        true
    }

    /// Number of cases so far.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The seed itself, where its answer decides the direction and no solver was asked yet.
    pub fn opening(&mut self) -> Option<Draft> {
        let first = !std::mem::replace(&mut self.is_asked, true);
        let script = || self.write(&self.formula, self.reach);
        first.then(|| Draft::of(script()).seeds([self.prepared.seed.id]))
    }

    /// Whether a direction is wanted that no claim gives.
    pub fn lacks_claim(&self) -> bool {
        self.aim_by == Some(AimBy::Status) && aim_for(&self.answers).is_none()
    }

    /// Goes back to the seed; what was learnt stays.
    pub fn begin_again(&mut self) {
        self.formula.copy_from(&self.ground.formula);
        self.reach = Reach::Inside;
    }

    /// Makes the changes of one more case, all in one direction, and the case itself.
    pub fn advance(&mut self, change: impl FnOnce(&mut Formula, Effect) -> Vec<Change>) -> Option<Draft> {
        self.before.copy_from(&self.formula);
        self.before_reach = self.reach;
        let changes = change(&mut self.formula, self.aim);
        let effect = changes.iter().map(|change| change.effect).find(|&effect| effect != Effect::Same);
        let effect = if changes.is_empty() { return None } else { effect.unwrap_or(Effect::Same) };
        self.reach = changes.iter().fold(self.reach, |reach, change| reach.max(change.reach));
        self.last = match &changes[..] {
            [only] => Some((only.rule, only.forward)),
            _ => None,
        };
        let texts: Vec<String> = changes.into_iter().map(|change| change.text).collect();
        let rule = if texts.len() == 1 { texts.into_iter().next()? } else { texts.join("; ") };
        self.keep_claims(effect);
        self.rules.push(rule);
        Some(self.draft(effect))
    }

    fn draft(&self, effect: Effect) -> Draft {
        let mut draft = Draft::of(self.write(&self.formula, self.reach)).seeds([self.prepared.seed.id]);
        draft.rules.extend(self.rules.iter().cloned());
        draft.ask(Role::Before, self.write(&self.before, self.before_reach));
        for check in 0..self.ground.checks {
            self.relate(&mut draft, check, effect);
        }
        draft.expecting(self.claims.clone())
    }

    fn relate(&self, draft: &mut Draft, check: usize, effect: Effect) {
        let (formula, before) = (At { question: 0, check }, At { question: 1, check });
        draft.relations.push(match effect {
            Effect::Weaker => Relation::SatImplies(before, formula),
            Effect::Stronger => Relation::SatImplies(formula, before),
            Effect::Same => Relation::SameAnswer(before, formula),
        });
        let easier = match effect {
            Effect::Same => true,
            Effect::Weaker => self.answers[check] == Status::Sat,
            Effect::Stronger => self.answers[check] == Status::Unsat,
        };
        if easier {
            draft.relations.push(Relation::ShouldDecide(before, formula));
        }
    }

    /// Drops the claims that a change does not preserve.
    fn keep_claims(&mut self, effect: Effect) {
        for claim in &mut self.claims {
            let kept = |expect: &mut Expect| match effect {
                Effect::Same => true,
                Effect::Weaker => expect.answer == Expected::Sat,
                Effect::Stronger => expect.answer == Expected::Unsat,
            };
            if !claim.as_mut().is_some_and(kept) {
                *claim = None;
            } else if let Some(Expect { ground: Because::Claim(why), .. }) = claim
                && !why.ends_with(KEPT)
            {
                why.push_str(KEPT);
            }
        }
    }

    fn write(&self, formula: &Formula, reach: Reach) -> Vec<u8> {
        self.ground.write(formula, reach)
    }

    /// The only rule of the last case, by its number, and whether it was used from left to right.
    pub fn last(&self) -> Option<(u32, bool)> {
        self.last
    }
}

/// The direction that makes the problem easier, if the answers determine it.
fn aim_for(answers: &[Status]) -> Option<Effect> {
    match (answers.contains(&Status::Sat), answers.contains(&Status::Unsat)) {
        (true, false) => Some(Effect::Weaker),
        (false, true) => Some(Effect::Stronger),
        _ => None,
    }
}

/// The definite answer to a check-sat, if all solvers that decided it agree.
fn agreed(facts: &Facts, at: At) -> Option<Status> {
    let mut answers = facts.answers.iter().filter(|fact| fact.at == at && fact.answer != Status::Unknown);
    let first = answers.next()?.answer;
    answers.all(|fact| fact.answer == first).then_some(first)
}
