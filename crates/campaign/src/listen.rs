//! How a campaign speaks: typed events to whoever listens.
//!
//! The store's journal, the screen, `--json` and later a live page hear the same events, and know nothing else of the
//! campaign. Events that matter afterwards (findings, bugs, what triage learnt, disabled targets, our own failures,
//! the summary) are in `events.jsonl` too; where the campaign stands is said several times a second and kept by nobody.

use store::Stamped;

/// Somebody who wants to know.
pub trait Listener {
    fn hear(&mut self, event: &Stamped);

    /// Whether it has gone away, so that the campaign should save and stop.
    fn is_gone(&self) -> bool {
        false
    }
}

/// How a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The budget is used up, and nothing was found.
    Fine,
    Findings,
    /// Falsum itself failed on a case.
    OurBugs,
    Interrupted,
    /// No target is left that can be asked, or one never answered anything.
    NoSolver,
}
