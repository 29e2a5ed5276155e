//! Solvers accept the mutants of seeds that they accept: fewer than one in a hundred may be rejected, per strategy.
//!
//! A rejection is an error or an unsupported feature where the seed itself has none. `FALSUM_TEST_CASES` sets how many
//! mutants per strategy, `FALSUM_TEST_KEY` which, `FALSUM_TEST_SEEDS` a folder of seeds beside the embedded ones,
//! `FALSUM_TEST_STRATEGY` a single strategy. It prints every kind of rejection with an example, so that the causes can
//! be fixed.

#![allow(clippy::print_stdout, reason = "a test that prints what it saw")]

mod home;

use home::target;
use solver::{Ended, Pool, Query, QueryLimits, SessionKind};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use strategy::{Bank, CampaignKey, Rng, Settings, Strategy, registry, unheard};

const SOLVERS: [&str; 2] = ["z3@5.4.0", "cvc5@1.4.2"];

fn bank() -> Bank {
    let mut seeds: Vec<corpus::Seed> = corpus::embedded().collect();
    if let Some(folder) = std::env::var_os("FALSUM_TEST_SEEDS") {
        let limits = corpus::ScanLimits::default();
        seeds.extend(corpus::scan(&[folder], &limits, &corpus::Quarantine::default()).seeds);
    }
    Bank::new(seeds).0
}

/// The message of a rejection; `None` if the script was accepted, with any result. A session is fast; what it rejects,
/// a fresh process must reject too. The limit is on processor time, which does not depend on the load of the machine.
fn refusal(pool: &Pool, script: &[u8]) -> Option<String> {
    let limits = QueryLimits {
        wall: Duration::from_secs(60),
        cpu: Some(Duration::from_millis(150)),
        ..QueryLimits::default()
    };
    let refused = |kind| match pool.ask(&Query::new(script).limits(limits.clone()), kind).ended {
        Ended::Error(message) | Ended::Unsupported(message) => Some(message),
        _ => None,
    };
    refused(SessionKind::Reset).and_then(|_| refused(SessionKind::Fresh))
}

/// Messages that differ only in names and numbers are one cause.
fn cause(message: &str) -> String {
    let words = message.split_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.take(14).collect::<Vec<_>>().join(" ")
}

#[derive(Default)]
struct Tally {
    asked: usize,
    refused: usize,
    causes: BTreeMap<String, (usize, String)>,
}

fn measure(strategy: &Strategy, bank: &Bank, count: usize, pool: &Pool) -> Tally {
    let key = CampaignKey(std::env::var("FALSUM_TEST_KEY").unwrap_or_else(|_| "acceptance".into()));
    let source = (strategy.begin)(bank, &Settings::default()).expect("the strategy begins");
    let mut taken: HashMap<corpus::SeedId, bool> = HashMap::new();
    let mut tally = Tally::default();
    let mut unit = 0;
    while tally.asked < count && unit < 20 * count as u64 {
        let drafts = unheard(&*source, unit, Rng::of(&key, strategy.name, unit)).unwrap_or_default();
        unit += 1;
        // One case of each chain, sometimes early, sometimes late, so that many seeds are used.
        let Some(draft) = drafts.get(unit as usize % drafts.len().max(1)) else { continue };
        let all_taken = draft.seeds.iter().all(|id| {
            let text = || bank.find(id).map(|prepared| prepared.seed.text.to_vec()).unwrap_or_default();
            *taken.entry(*id).or_insert_with(|| refusal(pool, &text()).is_none())
        });
        if !all_taken {
            continue;
        }
        tally.asked += 1;
        if let Some(message) = refusal(pool, draft.script()) {
            tally.refused += 1;
            let example = format!("{message}\n{}", draft.rules.join("\n"));
            tally.causes.entry(cause(&message)).or_insert((0, example)).0 += 1;
        }
    }
    tally
}

#[test]
#[ignore = "runs two solvers thousands of times"]
fn solvers_accept_the_mutants_of_seeds_they_accept() {
    let count = std::env::var("FALSUM_TEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let bank = bank();
    let mut too_many = vec![];
    let only = std::env::var("FALSUM_TEST_STRATEGY").ok();
    for strategy in registry::STRATEGIES {
        if only.as_deref().is_some_and(|only| only != strategy.name) {
            continue;
        }
        for solver in SOLVERS {
            let tally = measure(strategy, &bank, count, &Pool::new(target(solver), 1));
            let Tally { asked, refused, causes } = &tally;
            let share = 100.0 * *refused as f64 / (*asked).max(1) as f64;
            println!("{} {solver}: {refused} of {asked} rejected ({share:.2} %)", strategy.name);
            for (count, example) in causes.values() {
                println!("  {count} × {}", example.replace('\n', "\n      "));
            }
            if share >= 1.0 {
                too_many.push(format!("{} {solver} {share:.2} %", strategy.name));
            }
        }
    }
    assert!(too_many.is_empty(), "{too_many:?}");
}
