//! The answers that fusion expects are those of two real solvers.
//!
//! Needs installed releases (`falsum solvers add z3 cvc5`), so it is run on request:
//! `cargo test -p falsum --test fusion_expectations_hold_on_real_solvers -- --ignored --nocapture`.
//! `FALSUM_CASES` sets how many (20,000), `FALSUM_CORPUS` names a folder of further seeds, `FALSUM_KEY` is the campaign
//! key, `FALSUM_SOLVERS` the solvers, `FALSUM_OUT` a folder for the formulas that contradict. Contradictions that
//! docs/guarantees/findings.md describes as bugs of a solver, or that come from wrong labels, are excluded by the quarantine.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that reports")]

use corpus::{Quarantine, ScanLimits, Seed};
use solver::{Answer, Ended, Home, Pool, Profiles, Query, QueryLimits, SessionKind, Spec, Target};
use std::collections::BTreeMap;
use std::time::Duration;
use strategy::fusion::{Fusing, Fusion};
use strategy::{Bank, CampaignKey, Draft, Expect, Expected, Propose, Rng};

/// Seeds whose labels are wrong, with the reason; cases built on them would be wrong, too.
const WRONG_LABELS: &[&str] = &[];

fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

fn bank() -> Bank {
    let mut seeds: Vec<Seed> = corpus::embedded().collect();
    if let Some(folder) = std::env::var_os("FALSUM_CORPUS") {
        let limits = ScanLimits { file_bytes: 20_000, ..ScanLimits::default() };
        seeds.extend(corpus::scan(&[folder], &limits, &Quarantine::default()).seeds);
    }
    seeds.retain(|seed| !WRONG_LABELS.iter().any(|wrong| seed.name.ends_with(wrong)));
    Bank::new(seeds).0
}

fn pool(spec: &str) -> Pool {
    let home = Home::from_env().unwrap();
    let target =
        Target::resolve(&home, &Profiles::embedded(), &Spec::parse(spec).unwrap()).unwrap().remove(0);
    Pool::new(target, 4)
}

fn contradicts(expected: Expected, answer: Option<Answer>) -> bool {
    matches!((expected, answer), (Expected::Sat, Some(Answer::Unsat)) | (Expected::Unsat, Some(Answer::Sat)))
}

fn expect(draft: &Draft) -> &Expect {
    draft.questions[0].expect(0).unwrap()
}

/// Runs in a scoped session with a short limit; a contradiction must be reproduced in a fresh process.
fn ask(pool: &Pool, case: &Draft, limits: &QueryLimits, tally: &mut BTreeMap<String, u64>) -> bool {
    let query = Query::new(case.script()).limits(limits.clone());
    let reply = pool.ask(&query, SessionKind::Scoped);
    let answer = reply.checks.first().and_then(|check| check.answer);
    let outcome = match (&reply.ended, answer) {
        (_, Some(answer)) => answer.word().to_owned(),
        (Ended::Error(message) | Ended::Unsupported(message), _) => {
            let short: String = message.lines().next().unwrap_or_default().chars().take(90).collect();
            format!("{}: {short}", reply.ended.word())
        }
        (ended, _) => ended.word().to_owned(),
    };
    *tally.entry(format!("{} {outcome}", pool.target().name)).or_default() += 1;
    if !contradicts(expect(case).answer, answer) {
        return false;
    }
    let fresh = pool.ask(
        &Query::new(case.script()).limits(QueryLimits::wall(Duration::from_secs(20))),
        SessionKind::Fresh,
    );
    contradicts(expect(case).answer, fresh.checks.first().and_then(|check| check.answer))
}

fn keep(case: &Draft, unit: u64, solver: &str) {
    eprintln!("unit {unit}: {solver} contradicts: {}\n  {:?}", expect(case).ground.because(), case.rules);
    if let Some(folder) = std::env::var_os("FALSUM_OUT") {
        std::fs::create_dir_all(&folder).unwrap();
        let name = format!("{unit}-{}.smt2", solver.replace(['@', ' '], "-"));
        let mut text =
            format!("; expected {:?}: {}\n", expect(case).answer, expect(case).ground.because()).into_bytes();
        text.extend_from_slice(case.script());
        std::fs::write(std::path::Path::new(&folder).join(name), text).unwrap();
    }
}

#[test]
#[ignore = "runs real solvers for many minutes"]
fn no_expectation_is_contradicted() {
    let cases: u64 = setting("FALSUM_CASES", "20000").parse().unwrap();
    let first: u64 = setting("FALSUM_FIRST", "0").parse().unwrap();
    // Processor time: a loaded machine does not distort it.
    let cpu = Some(Duration::from_millis(setting("FALSUM_CPU_MS", "100").parse().unwrap()));
    let limits = QueryLimits { wall: Duration::from_secs(30), cpu, ..QueryLimits::default() };
    let key = CampaignKey(setting("FALSUM_KEY", "expectations"));
    let bank = bank();
    let solvers = setting("FALSUM_SOLVERS", "z3@5.4.0;cvc5@1.4.2");
    let pools: Vec<Pool> = solvers.split(';').map(pool).collect();
    let fusing = Fusing::new(Fusion::default(), &bank);
    let mut tally = BTreeMap::new();
    let mut contradicted = 0;
    for unit in first..first + cases {
        for case in fusing.propose(unit, &mut Rng::of(&key, "fusion", unit)).unwrap_or_default() {
            for pool in &pools {
                if ask(pool, &case, &limits, &mut tally) {
                    keep(&case, unit, &pool.target().name);
                    contradicted += 1;
                }
            }
        }
        if (unit + 1) % 500 == 0 {
            eprintln!("{} cases", unit + 1 - first);
        }
    }
    for (outcome, count) in &tally {
        eprintln!("{count:>8}  {outcome}");
    }
    assert_eq!(contradicted, 0);
}
