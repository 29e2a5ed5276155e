//! The interface of strategies: a strategy begins once with a bank of seeds, then makes units of drafts.
//!
//! [`Strategy`] is a row in the registry: a name, a one-line description, the essay and `begin`. [`Source`] is a
//! strategy that has begun; all workers share it. A unit is a [`Dialogue`]: it yields drafts one by one and may use
//! the outcome of the last one (for example, a chain that continues from a mutant that was decided). A strategy that
//! does not use outcomes implements [`Propose`], a single function, and is wrapped in [`Plain`].
//!
//! Determinism. A unit is a pure function of the source, its number, its random numbers, the facts it is given and the
//! epochs it has learnt from. Solvers' answers depend on time and load. Therefore the campaign writes every fact that
//! a dialogue was given into the recipe, and keeps the outcomes of every epoch that a source learnt from. Replay,
//! resume and runs with other numbers of workers use these records and never ask a solver to rebuild a case.

use crate::case::{Draft, Facts};
use crate::evolve::trace::Trace;
use crate::{Bank, Rng, Settings};
use corpus::SeedId;
use serde::{Deserialize, Serialize};

/// A technique that makes test cases.
pub struct Strategy {
    /// The name by which users and recipes call it.
    pub name: &'static str,
    /// One line for `falsum strategy list`.
    pub about: &'static str,
    /// The text of its file, which opens with its documentation.
    pub source: &'static str,
    /// Prepares for a bank of seeds.
    pub begin: Begin,
}

/// How a strategy begins.
pub type Begin = fn(&Bank, &Settings) -> Result<Box<dyn Source>, Skip>;

impl Strategy {
    /// The essay that its file opens with.
    pub fn page(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
    }
}

/// A strategy that has begun.
pub trait Source: Send + Sync {
    /// How many cases a unit has at most.
    fn unit_len(&self) -> u64 {
        1
    }

    /// Begins a unit, or says why it has no case.
    fn unit(&self, unit: u64, rng: Rng) -> Result<Box<dyn Dialogue + '_>, Skip>;

    /// How many units an epoch has, if it learns.
    fn epoch_len(&self) -> u64 {
        64
    }

    /// Whether it measures solvers: its cases run on all of them, in fresh processes, with the whole limit.
    fn measures(&self) -> bool {
        false
    }

    /// Whether it learns from finished epochs. If so, its next epoch begins when the last one has ended.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from an epoch: its outcomes in the order of their units and steps.
    fn learn(&mut self, _epoch: &[Outcome]) {}
}

/// One unit of work.
pub trait Dialogue {
    /// The next draft; `last` is the outcome of the previous one, if the dialogue uses outcomes.
    fn next(&mut self, last: Option<&Facts>) -> Option<Draft>;

    /// Whether it uses the outcomes of its drafts.
    fn listens(&self) -> bool {
        true
    }
}

/// The outcome of a case, for strategies that learn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub unit: u64,
    pub step: u64,
    pub facts: Facts,
    /// Whether something was found.
    pub finding: bool,
    /// Processor seconds by target.
    pub cpu: Vec<(String, f64)>,
    /// The formula's text, so that no case has to be made again to learn from it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub script: String,
    /// What the first target did, if it is instrumented.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// A strategy whose units do not depend on answers.
pub trait Propose: Send + Sync {
    /// How many cases a unit has at most.
    fn unit_len(&self) -> u64 {
        1
    }

    /// Makes the drafts of one unit, or says why there are none.
    fn propose(&self, unit: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip>;
}

/// Turns a [`Propose`] into a source.
pub struct Plain<P>(pub P);

impl<P: Propose> Source for Plain<P> {
    fn unit_len(&self) -> u64 {
        self.0.unit_len()
    }

    fn unit(&self, unit: u64, mut rng: Rng) -> Result<Box<dyn Dialogue + '_>, Skip> {
        Ok(Box::new(Monologue(self.0.propose(unit, &mut rng)?.into_iter())))
    }
}

/// Drafts that have been made already.
struct Monologue(std::vec::IntoIter<Draft>);

impl Dialogue for Monologue {
    fn next(&mut self, _: Option<&Facts>) -> Option<Draft> {
        self.0.next()
    }

    fn listens(&self) -> bool {
        false
    }
}

/// The drafts of a unit without asking any solver: a dialogue that uses outcomes gets none.
pub fn unheard(source: &dyn Source, unit: u64, rng: Rng) -> Result<Vec<Draft>, Skip> {
    let mut dialogue = source.unit(unit, rng)?;
    Ok(std::iter::from_fn(|| dialogue.next(None)).collect())
}

/// Why there is no case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Skip {
    /// No seed of the bank can be used by the strategy.
    #[error("no seed can be used: {0}")]
    NoSeed(&'static str),
    /// The chosen seed has nothing to change.
    #[error("nothing to do on seed {seed}: {why}")]
    NothingToDo { seed: SeedId, why: &'static str },
    /// A setting of the user cannot be used.
    #[error("{0}")]
    Setting(String),
}
