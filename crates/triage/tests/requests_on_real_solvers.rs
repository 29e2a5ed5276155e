//! Values, labels, unsat assumptions and interpolants of real solvers agree with their models and with the truth.
//!
//! Every embedded seed is made to ask for them, as a hunt does on a share of its cases. Needs installed releases
//! (`falsum solvers add z3 z3@4.8.9 cvc5`), so it is run on request:
//! `cargo test -p triage --test requests_on_real_solvers -- --ignored --nocapture`. `FALSUM_SOLVERS` names the solvers,
//! `FALSUM_EVERY` takes one seed in so many. It prints what was asked, what came back and every accusation, which
//! must then be read: it may be a bug of a solver.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that reports")]

use oracle::FindingKind;
use smtlib::Parsed;
use solver::{Home, Profiles, QueryLimits, Spec, Target};
use std::collections::BTreeMap;
use std::time::Duration;
use strategy::Case;
use strategy::requests::Requests;
use triage::{Panel, Plan, inquire};

fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

#[test]
#[ignore = "needs installed releases and some minutes"]
fn what_real_solvers_say_besides_answers_contradicts_nothing() {
    let home = Home::from_env().unwrap();
    let target = |spec: &str| {
        Target::resolve(&home, &Profiles::embedded(), &Spec::parse(spec).unwrap()).unwrap().remove(0)
    };
    let solvers = setting("FALSUM_SOLVERS", "z3@5.4.0,z3@4.8.9,cvc5@1.4.2");
    let panel = Panel::new(solvers.split(',').map(target).collect(), vec![], 1);
    let limits =
        QueryLimits { cpu: Some(Duration::from_millis(800)), ..QueryLimits::wall(Duration::from_secs(10)) };
    let every: usize = setting("FALSUM_EVERY", "1").parse().unwrap();
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let mut accused = vec![];
    for (n, seed) in corpus::embedded().enumerate().filter(|(n, _)| n % every == 0) {
        for requests in [Requests::Values, Requests::Assumptions, Requests::Interpolant] {
            // An interpolant may take as long as it likes.
            if requests == Requests::Interpolant && n % (8 * every) != 0 {
                continue;
            }
            let named = strategy::naming::with_names(&seed.text).filter(|_| requests == Requests::Values);
            let text = requests.added_to(named.as_deref().unwrap_or(&seed.text));
            let Some(script) = text.and_then(|text| Parsed::read(text).ok()) else { continue };
            *tally.entry(format!("{requests:?} asked")).or_default() += 1;
            let mut plan = Plan::thorough(limits.clone());
            plan.effort = oracle::Effort { regressions: false, pace: None, rejections: false, ..plan.effort };
            let inquiry = inquire(&panel, &Case::of_script(script.clone()), &plan);
            for heard in inquiry.heard.iter().filter(|heard| heard.reply.question == 0) {
                let solver = heard.name();
                for check in &heard.reply.checks {
                    let responses = check.responses.len() as u64;
                    *tally.entry(format!("{requests:?} responses of {solver}")).or_default() += responses;
                    let assumptions = u64::from(check.assumptions.is_some());
                    *tally.entry(format!("{requests:?} assumptions of {solver}")).or_default() += assumptions;
                }
            }
            for finding in inquiry.verdict.findings() {
                *tally.entry(format!("{requests:?} {}", finding.kind.word())).or_default() += 1;
                let new =
                    [FindingKind::InvalidValue, FindingKind::InvalidCore, FindingKind::InvalidInterpolant];
                // Whatever it is, it must be read.
                eprintln!(
                    "{} ({requests:?}): {finding:#?}\n{}",
                    seed.name,
                    String::from_utf8_lossy(script.text())
                );
                if new.contains(&finding.kind) {
                    accused.push((seed.name.to_string(), finding.clone()));
                }
            }
        }
    }
    eprintln!("{tally:#?}");
    assert_eq!(accused, []);
}
