//! What a strategy makes: a script, what is known about its answer, and how to make it again.

use corpus::{SeedId, Status};
use serde::{Deserialize, Serialize};

/// A formula to ask solvers about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub script: Vec<u8>,
    pub expectation: Expectation,
    pub recipe: Recipe,
}

impl Case {
    /// Stands for a case that could not be made.
    pub fn placeholder(strategy: &str, key: &crate::CampaignKey, unit: u64) -> Case {
        let recipe = Recipe { strategy: strategy.into(), key: key.0.clone(), unit, ..Recipe::default() };
        Case { script: vec![], expectation: Expectation::any(), recipe }
    }
}

/// What the answer to one check-sat must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    Sat,
    Unsat,
    /// Anything may be right.
    Any,
}

impl From<Status> for Expected {
    fn from(status: Status) -> Expected {
        match status {
            Status::Sat => Expected::Sat,
            Status::Unsat => Expected::Unsat,
            Status::Unknown => Expected::Any,
        }
    }
}

/// What is known about the answers, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expectation {
    /// One per check-sat; checks beyond the list may have any answer.
    pub checks: Vec<Expected>,
    /// The argument, for people; empty if nothing is expected.
    pub because: String,
    /// Whether it rests on a seed's status only (someone's word), not on an argument of our own.
    pub by_status: bool,
}

impl Expectation {
    /// Any answer may be right.
    pub fn any() -> Expectation {
        Expectation::default()
    }

    /// What the n-th check-sat must answer.
    pub fn of(&self, check: usize) -> Expected {
        self.checks.get(check).copied().unwrap_or(Expected::Any)
    }
}

/// Enough to rebuild the case byte for byte, given the seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    pub strategy: String,
    pub seeds: Vec<SeedId>,
    pub key: String,
    pub unit: u64,
    /// Which case of the unit.
    pub step: u64,
    /// The rules applied, for people.
    pub rules: Vec<String>,
}
