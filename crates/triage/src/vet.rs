//! Vetting a seed: solvers run on it as it is before it is used.
//!
//! A seed on which solvers already disagree or crash, or about which one of them is wrong, is a finding and not used:
//! every mutant of it would show the same bug again. In: a seed and a panel. Out: whether it may be used, and if not
//! the entry for the quarantine and the findings. The answers are those of fresh processes, repeated before a solver is
//! accused; a seed that only contradicts its label, with no certificate for either, is quarantined and accuses no
//! solver.

use crate::confirm::{Confirmed, Repetitions, confirm};
use crate::inquiry::{Inquiry, Panel, Plan, inquire};
use corpus::quarantine::{Entry, Opinion, Reason, judge};
use corpus::{Seed, Status};
use oracle::{Accusation, Heard, Verdict};
use smtlib::Parsed;
use solver::{Answer, Ended};
use strategy::{Case, seeds::claims};

/// The result of vetting.
#[derive(Debug, Default)]
pub struct Vetted {
    /// Why the seed is quarantined, if it is.
    pub entry: Option<Entry>,
    /// Confirmed in fresh processes.
    pub findings: Vec<Accusation>,
}

/// Runs all solvers on a seed. A seed that cannot be read is not judged here; the users of seeds report it.
pub fn vet(panel: &Panel, seed: &Seed, plan: &Plan) -> Vetted {
    let Ok(script) = Parsed::read(&*seed.text) else { return Vetted::default() };
    let case = Case::of_script(script).expecting(claims(seed));
    let first = inquire(panel, &case, plan);
    let answers = |inquiry: &Inquiry| opinions(&inquiry.heard);
    if first.verdict.findings().is_empty() && judge(seed, &answers(&first)).is_none() {
        return Vetted::default();
    }
    let again = confirm(panel, &case, plan, Repetitions::default());
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

fn opinions(heard: &[Heard]) -> Vec<Opinion> {
    let status = |answer: Option<Answer>| match answer {
        Some(Answer::Sat) => Status::Sat,
        Some(Answer::Unsat) => Status::Unsat,
        Some(Answer::Unknown) | None => Status::Unknown,
    };
    let whole = heard.iter().filter(|heard| heard.reply.question == 0);
    whole
        .map(|heard| Opinion {
            target: heard.name().to_owned(),
            answers: heard.reply.checks.iter().map(|check| status(check.answer)).collect(),
            crash: match &heard.reply.ended {
                Ended::Crash { signal, message, wrapped: false } => {
                    let signal = signal.map_or_else(String::new, |signal| format!("signal {signal} "));
                    Some(format!("{signal}{message}").trim().to_owned())
                }
                _ => None,
            },
        })
        .collect()
}
