//! Vetting a seed: put to the solvers as it is before anything is made of it.
//!
//! A seed on which solvers already disagree or crash, or about which one of them is wrong, is a finding and no seed:
//! every mutant of it would show the same bug again. In: a seed and a panel. Out: whether it may be used, and if not
//! the entry for the quarantine and what was found. The answers are those of fresh processes, repeated before anybody
//! is accused; a seed that only contradicts its label, with nothing to certify either, is left out and accuses nobody.

use crate::confirm::{Confirmed, Repetitions, confirm};
use crate::inquiry::{Inquiry, Panel, Plan, Statement, inquire};
use corpus::quarantine::{Entry, Opinion, Reason, judge};
use corpus::{Seed, Status};
use oracle::{Finding, Verdict};
use smtlib::Script;
use solver::{Answer, Ended};
use strategy::{Expectation, Expected};

/// What came of it.
#[derive(Debug, Default)]
pub struct Vetted {
    /// Why the seed is left out, if it is.
    pub entry: Option<Entry>,
    /// Confirmed in fresh processes.
    pub findings: Vec<Finding>,
}

/// Asks everybody about a seed. One that cannot be read is nobody's fault and is left to those who use seeds.
pub fn vet(panel: &Panel, seed: &Seed, plan: &Plan) -> Vetted {
    let Ok(script) = Script::parse(&seed.text) else { return Vetted::default() };
    let expectation = expectation(seed);
    let first = inquire(panel, &seed.text, script.clone(), expectation.clone(), plan);
    let answers = |inquiry: &Inquiry| opinions(&inquiry.statements);
    if first.verdict.findings().is_empty() && judge(seed, &answers(&first)).is_none() {
        return Vetted::default();
    }
    let again = confirm(panel, &seed.text, &script, &expectation, plan, Repetitions::default());
    let (inquiry, findings) = match again {
        Confirmed::Yes(inquiry) => {
            let findings = inquiry.verdict.findings().to_vec();
            (inquiry, findings)
        }
        Confirmed::Flaky { inquiry, .. } => {
            (Inquiry { verdict: Verdict::Fine { certified: false }, ..inquiry }, vec![])
        }
        Confirmed::No(inquiry) => (inquiry, vec![]),
    };
    let opinions = answers(&inquiry);
    let wrong = || Entry {
        seed: seed.id,
        name: seed.name.clone(),
        reason: Reason::Wrong,
        evidence: opinions.clone(),
    };
    let entry = judge(seed, &opinions).or_else(|| (!findings.is_empty()).then(wrong));
    Vetted { entry, findings }
}

/// What the seed claims is somebody's word.
fn expectation(seed: &Seed) -> Expectation {
    let checks: Vec<Expected> =
        if seed.conflict() { vec![] } else { seed.statuses().map(Into::into).collect() };
    Expectation { checks, because: format!("the seed `{}` says so", seed.name), by_status: true }
}

fn opinions(statements: &[Statement]) -> Vec<Opinion> {
    let status = |answer: Option<Answer>| match answer {
        Some(Answer::Sat) => Status::Sat,
        Some(Answer::Unsat) => Status::Unsat,
        Some(Answer::Unknown) | None => Status::Unknown,
    };
    let whole = statements.iter().filter(|statement| statement.flattened.is_none());
    whole
        .map(|statement| Opinion {
            target: statement.target.clone(),
            answers: statement.reply.checks.iter().map(|check| status(check.answer)).collect(),
            crash: match &statement.reply.ended {
                Ended::Crash { signal, message, wrapped: false } => {
                    let signal = signal.map_or_else(String::new, |signal| format!("signal {signal} "));
                    Some(format!("{signal}{message}").trim().to_owned())
                }
                _ => None,
            },
        })
        .collect()
}
