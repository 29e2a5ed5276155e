//! Seeing it again before saying it.
//!
//! A suspicion may come from a long-lived session, a short limit or a solver that rolls dice. It becomes a finding
//! only if fresh processes under the full limit show the same kind with the same culprit, every time. What shows
//! only sometimes is flaky, is kept apart and is never called unsound.

use crate::inquiry::{Inquiry, Panel, Plan, inquire};
use oracle::{Finding, Verdict};
use smtlib::Script;
use solver::Kind;
use strategy::Expectation;

/// What became of a suspicion.
pub enum Confirmed {
    /// Every fresh run shows it.
    Yes(Inquiry),
    /// Some fresh runs show it: how many, of how many.
    Flaky { shown: usize, runs: usize, inquiry: Inquiry },
    /// The first fresh run does not show it.
    No(Inquiry),
}

/// Asks again in fresh processes, `runs` times.
pub fn confirm(
    panel: &Panel,
    text: &[u8],
    script: &Script,
    expectation: &Expectation,
    plan: &Plan,
    runs: usize,
) -> Confirmed {
    let fresh = Plan { kind: Kind::Fresh, ask_all: true, ..plan.clone() };
    let first = inquire(panel, text, script.clone(), expectation.clone(), &fresh);
    if first.verdict.findings().is_empty() {
        return Confirmed::No(first);
    }
    let again = |_: &usize| {
        let inquiry = inquire(panel, text, script.clone(), expectation.clone(), &fresh);
        same_accusation(&first.verdict, &inquiry.verdict)
    };
    let shown = 1 + (1..runs).filter(again).count();
    if shown >= runs { Confirmed::Yes(first) } else { Confirmed::Flaky { shown, runs, inquiry: first } }
}

/// Whether two verdicts accuse the same targets of the same thing.
pub fn same_accusation(a: &Verdict, b: &Verdict) -> bool {
    match (a.findings().first(), b.findings().first()) {
        (Some(a), Some(b)) => same_finding(a, b),
        _ => false,
    }
}

fn same_finding(a: &Finding, b: &Finding) -> bool {
    a.kind == b.kind && a.culprits == b.culprits
}
