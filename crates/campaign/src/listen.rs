//! How a campaign reports: typed events to listeners.
//!
//! The store's journal, the screen, `--json` and later a live page receive the same events, and have no other access to
//! the campaign. Events that matter afterwards (findings, bugs, results of triage, disabled targets, our own failures,
//! the summary) are in `events.jsonl` too; the state of the campaign is sent several times per second and not stored.

use store::Stamped;

/// A consumer of events.
pub trait Listener {
    fn hear(&mut self, event: &Stamped);

    /// Whether it has closed, so that the campaign should save and stop.
    fn is_gone(&self) -> bool {
        false
    }
}

/// How a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CampaignEnd {
    /// The budget is spent, and nothing was found.
    Fine,
    Findings,
    /// Falsum itself failed on a case.
    OurBugs,
    Interrupted,
    /// All targets are disabled, or one never answered.
    NoSolver,
}

impl CampaignEnd {
    /// One word for files and screens.
    pub fn word(self) -> &'static str {
        match self {
            CampaignEnd::Fine => "fine",
            CampaignEnd::Findings => "findings",
            CampaignEnd::OurBugs => "our-bugs",
            CampaignEnd::Interrupted => "interrupted",
            CampaignEnd::NoSolver => "no-solver",
        }
    }
}
