//! `weaken`: make a formula weaker or stronger, step by step.
//!
//! Idea. A solver that decides a formula should also decide one that is slightly weaker or stronger, and its answer
//! must not contradict the first: a weakened formula stays satisfiable, a strengthened one stays unsatisfiable. So
//! each case is a pair, the formula and the previous step, and the pair is the oracle: no other solver and no known
//! status is needed.
//! From: chapter 6 (Janus) of Winterer, "Solidifying Modern SMT Solvers" (2024).
//! Expectation: the weaker formula is sat if the stronger one is sat; the same answer after an equivalence; the seed's
//! claims, if the chain preserves them (as claims); and a solver that decides one formula should decide the other,
//! where the step makes the problem easier: weaker than a satisfiable one, stronger than an unsatisfiable one.
//! Sound because: each rule of `rules.txt` is an implication or an equivalence that holds for all values of its
//! variables (`verify` tests them in the evaluator; solvers prove them in the tests). Parity extends it to the whole
//! formula (`parity.rs`): assertions are positive, `not`, premises, `re.comp` and similar operators reverse, and where
//! parity is unknown only equivalences are used. Terms for a rule's variables are in scope at the place, so both
//! formulas have the same symbols. (Definition 6.3.1 requires equal free variables; a symbol that only one formula
//! mentions makes no difference, because every sort has a value.) With several check-sats, the assertions of each are
//! weakened in the same way.
//! Cost: typing the rules for a seed's sorts, once; then per mutant a few matches and one splice of bytes and nodes.
//! Differs from the thesis: every theory; corrected rules (head of `rules.txt`); terms, sets and languages inside
//! formulas have parity too; a unit is one chain, and `iterations` restarts it from the seed (in the thesis: 25 of
//! 300).

pub mod again;
pub mod chain;
pub mod formula;
pub mod ground;
pub mod heads;
pub mod matching;
pub mod parity;
pub mod rules;
pub mod step;
pub mod verify;
pub mod writing;

use crate::mutant::PerSeed;
use crate::{AimBy, Bank, Dialogue, Draft, Facts, Rng, Settings, Skip, Source, Strategy};
use chain::Chain;
use ground::Ground;
use rules::Rules;
use std::sync::Arc;
use step::Stepper;

/// The settings of `weaken`.
#[derive(Clone, Debug)]
pub struct Config {
    /// Number of changes before the chain restarts from the seed.
    pub steps: u32,
    /// Number of cases in a unit.
    pub iterations: u32,
    pub rules: Arc<Rules>,
    pub aim_by: Option<AimBy>,
    /// Changes from one case to the next.
    pub every: u32,
}

pub const STRATEGY: Strategy = Strategy {
    name: "weaken",
    about: "weaken and strengthen formulas by rules of implication",
    source: include_str!("mod.rs"),
    begin: |bank, settings| Ok(Box::new(Weaken::new(bank, Config::of(settings)?))),
};

impl Config {
    pub fn of(settings: &Settings) -> Result<Config, Skip> {
        let rules = match &settings.rules {
            Some(text) => Rules::read(text).map(Arc::new),
            None => Rules::embedded(),
        };
        let steps = settings.steps.unwrap_or(25).max(1);
        Ok(Config {
            steps,
            iterations: settings.iterations.unwrap_or(steps).max(1),
            rules: rules
                .map_err(|error| error.to_string())
                .and_then(|rules| rules.restricted(&settings.rule_set))
                .map_err(Skip::Setting)?,
            aim_by: settings.aim_by,
            every: settings.every.unwrap_or(1).max(1),
        })
    }
}

/// The strategy after `begin`.
pub struct Weaken {
    config: Config,
    known: PerSeed<Ground>,
}

impl Weaken {
    pub fn new(bank: &Bank, config: Config) -> Weaken {
        Weaken { config, known: PerSeed::new(bank) }
    }
}

impl Source for Weaken {
    fn unit_len(&self) -> u64 {
        u64::from(self.config.iterations)
    }

    fn unit(&self, _: u64, mut rng: Rng) -> Result<Box<dyn Dialogue + '_>, Skip> {
        let (prepared, ground) =
            self.known.draw(&mut rng, |prepared| Ground::of(prepared, &self.config.rules))?;
        let nothing = |why| Err(Skip::NothingToDo { seed: prepared.seed.id, why });
        if ground.checks == 0 {
            return nothing("it has no check-sat");
        }
        if ground.instances.is_empty() {
            return nothing("no rule applies");
        }
        let chain = Chain::new(prepared, ground, self.config.aim_by, &mut rng);
        if chain.lacks_claim() {
            return nothing("no source claims its answer");
        }
        Ok(Box::new(Unit {
            config: &self.config,
            chain,
            stepper: Stepper::new(prepared, ground, &self.config.rules),
            left: self.config.iterations,
            rng,
        }))
    }
}

/// The chains of one unit, one after the other.
struct Unit<'a> {
    config: &'a Config,
    chain: Chain<'a>,
    stepper: Stepper<'a>,
    /// Number of cases that remain.
    left: u32,
    rng: Rng,
}

impl Dialogue for Unit<'_> {
    fn next(&mut self, last: Option<&Facts>) -> Option<Draft> {
        if let Some(facts) = last
            && !self.chain.hear(facts)
        {
            return None;
        }
        if let Some(opening) = self.chain.opening() {
            return Some(opening);
        }
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        if self.chain.len() as u32 >= self.config.steps {
            let (prepared, ground) = (self.stepper.prepared, self.stepper.ground);
            self.chain = self.chain.restarted(prepared, ground, &mut self.rng);
        }
        let (stepper, rng) = (&mut self.stepper, &mut self.rng);
        let every = self.config.every;
        let draft = self
            .chain
            .advance(|formula, aim| (0..every).map_while(|_| stepper.step(formula, aim, rng)).collect());
        let last = self.chain.last();
        draft.map(|draft| Draft {
            last: last.map(|(rule, forward)| self.config.rules.used(rule, forward)),
            ..draft
        })
    }
}
