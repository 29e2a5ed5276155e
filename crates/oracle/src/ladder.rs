//! The ladder from replies to a verdict: a table of rungs, strongest evidence first.
//!
//! A rung examines the hearing and takes steps: it establishes a fact, accuses a target, asks for one more answer, or
//! says why it does not accuse. Rungs that establish facts come before those that use them; the vote comes last. To add
//! one: its file in `rung/`, one line there, one line here.

use crate::certify::Certificate;
use crate::hearing::{Ask, Hearing};
use crate::rung;
use crate::verdict::Accusation;
use strategy::At;

/// What a rung may do.
#[derive(Debug)]
pub enum Step {
    /// A fact about a check-sat.
    Fact(At, Certificate),
    Accuse(Accusation),
    /// A suspicion that nothing of ours confirms; it is kept, and accuses no solver.
    Unconfirmed(Accusation),
    /// One more answer would help.
    Ask(Ask),
    /// Something looks wrong, but no solver is accused, for this reason.
    Doubt(String),
    /// Two of our own arguments contradict each other.
    OurBug(String),
}

/// One kind of evidence.
pub struct Rung {
    pub name: &'static str,
    pub climb: fn(&mut Hearing) -> Vec<Step>,
}

pub const LADDER: &[Rung] = &[
    Rung { name: "crash", climb: rung::crash::climb },
    Rung { name: "construction", climb: rung::construction::climb },
    Rung { name: "model", climb: rung::model::climb },
    Rung { name: "closed", climb: rung::closed::climb },
    Rung { name: "enumeration", climb: rung::enumeration::climb },
    Rung { name: "arithmetic", climb: rung::arithmetic::climb },
    Rung { name: "single", climb: rung::single::climb },
    Rung { name: "finder", climb: rung::finder::confirm },
    Rung { name: "refutation", climb: rung::refutation::confirm },
    Rung { name: "finder against all", climb: rung::finder::oppose },
    Rung { name: "refutation against all", climb: rung::refutation::oppose },
    Rung { name: "enumeration of what is left", climb: rung::enumeration::left },
    Rung { name: "alone", climb: rung::alone::climb },
    Rung { name: "dialect", climb: rung::dialect::climb },
    Rung { name: "relation", climb: rung::relation::climb },
    Rung { name: "readings", climb: rung::readings::climb },
    Rung { name: "answer", climb: rung::answer::climb },
    Rung { name: "invalid-model", climb: rung::invalid_model::climb },
    Rung { name: "value", climb: rung::value::climb },
    Rung { name: "unsat-core", climb: rung::unsat_core::climb },
    Rung { name: "unsat-assumptions", climb: rung::unsat_assumptions::climb },
    Rung { name: "interpolant", climb: rung::interpolant::climb },
    Rung { name: "proof", climb: rung::proof::climb },
    Rung { name: "self-check", climb: rung::self_check::climb },
    Rung { name: "vote", climb: rung::vote::climb },
    Rung { name: "regression", climb: rung::regression::climb },
    Rung { name: "implication", climb: rung::implication::climb },
    Rung { name: "slow", climb: rung::slow::climb },
    Rung { name: "rejects", climb: rung::rejects::climb },
];
