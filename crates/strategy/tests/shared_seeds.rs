//! Seeds whose terms are small as a graph and huge when written out: a chain of lets in which each name is used twice.
//! Strategies, printing and everything that walks terms must see the graph.
#![allow(clippy::unwrap_used, reason = "a test")]

use corpus::{Origin, Seed};
use std::time::{Duration, Instant};
use strategy::registry::STRATEGIES;
use strategy::{Bank, CampaignKey, Settings, Stamp};

/// A term with `levels` lets, each the double of the one before.
fn chain(levels: usize, first: &str, double: &str) -> String {
    let mut text = String::new();
    for n in 1..=levels {
        let (before, op) = (if n == 1 { first.to_owned() } else { format!("v{}", n - 1) }, double);
        text += &format!("(let ((v{n} ({op} {before} {before}))) ");
    }
    text + &format!("(= v{levels} {first})") + &")".repeat(levels)
}

#[test]
fn a_seed_of_two_to_the_sixty_nodes_written_out_makes_cases_or_none_and_soon() {
    let scripts = [
        format!("(declare-const x Int)(assert {})(check-sat)", chain(60, "x", "+")),
        format!("(declare-const p Bool)(assert {})(check-sat)", chain(60, "p", "and")),
        format!("(declare-const b (_ BitVec 8))(assert {})(check-sat)", chain(60, "b", "bvadd")),
        format!("(declare-const s String)(assert {})(check-sat)", chain(60, "s", "str.++")),
        format!(
            "(declare-const x Real)(declare-const y Real)(assert (< y x))(assert {})(check-sat)",
            chain(60, "x", "*")
        ),
    ];
    for script in scripts {
        let seed =
            Seed::new("chain.smt2".into(), Origin::Embedded, script.clone().into_bytes().into()).unwrap();
        let (bank, rejected) = Bank::new([seed]);
        assert!(rejected.is_empty(), "{}", rejected[0].why);
        for strategy in STRATEGIES.iter().filter(|strategy| strategy.name != "enumerate") {
            let began = Instant::now();
            let (key, settings) = (CampaignKey("k".into()), Settings::default());
            let Ok(source) = (strategy.begin)(&bank, &settings) else { continue };
            for unit in 0..4 {
                let stamp = Stamp { strategy: strategy.name, settings: &settings, key: &key, unit };
                let Ok(mut dialogue) = source.unit(unit, stamp.rng()) else { continue };
                for draft in std::iter::from_fn(|| dialogue.next(None)).take(4) {
                    let length = draft.script().len();
                    assert!(
                        length < 1 << 20,
                        "{}: {length} bytes from {} of\n{script}",
                        strategy.name,
                        script.len()
                    );
                }
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{}: {:?}", strategy.name, began.elapsed());
        }
    }
}
