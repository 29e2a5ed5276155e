//! Fuzzing of what makes cases: seeds from strangers, and recipes from another user's campaign.
//!
//! Whatever the seed and whatever the recipe says, a strategy comes back soon, with cases that type-check or with none.
#![allow(clippy::unwrap_used, reason = "a test")]

use corpus::{Origin, Seed};
use std::time::Duration;
use strategy::registry::STRATEGIES;
use strategy::{Bank, CampaignKey, Case, Draft, Recipe, Settings, Stamp, Strategy};
use testkit::Fuzz;

const WORDS: &[&str] = &[
    "(assert",
    "(check-sat)",
    "true",
    "false",
    "=",
    "distinct",
    "and",
    "or",
    "not",
    "ite",
    "let",
    "forall",
    "exists",
    "+",
    "-",
    "*",
    "div",
    "mod",
    "<",
    "bvadd",
    "concat",
    "#b01",
    "str.++",
    "\"a\"",
    "select",
    "store",
    "(push 1)",
    "(pop 1)",
    "(declare-const z Int)",
    "(set-logic QF_LIA)",
    "(set-info :status sat)",
    "Int",
    "Bool",
    "x",
    "y",
];

/// The first cases of the first units.
fn drafts(strategy: &'static Strategy, bank: &Bank, settings: &Settings, units: &[u64]) -> Vec<Draft> {
    let key = CampaignKey("fuzz".into());
    let Ok(source) = (strategy.begin)(bank, settings) else { return vec![] };
    let mut all = vec![];
    for &unit in units {
        let stamp = Stamp { strategy: strategy.name, settings, key: &key, unit };
        let Ok(mut dialogue) = source.unit(unit, stamp.rng()) else { continue };
        all.extend(std::iter::from_fn(|| dialogue.next(None)).take(6));
    }
    all
}

#[test]
fn propose() {
    let seeds = corpus::embedded().map(|seed| seed.text.to_vec()).filter(|text| text.len() < 1200).collect();
    let fuzz = Fuzz { name: "propose", seeds, dictionary: WORDS, most: Duration::from_secs(60) };
    fuzz.run(|input| {
        let seed = Seed::new("fuzz.smt2".into(), Origin::Embedded, input.to_vec().into());
        let Ok(seed) = seed else { return "is no script".into() };
        let (bank, rejected) = Bank::new([seed]);
        if !rejected.is_empty() || bank.is_empty() {
            return "is no seed".into();
        }
        let mut made = vec![];
        for strategy in STRATEGIES.iter().filter(|strategy| strategy.name != "enumerate") {
            let drafts = drafts(strategy, &bank, &Settings::default(), &[0, 1]);
            made.push(drafts.len().min(3));
            for draft in drafts {
                let text = String::from_utf8_lossy(draft.script()).into_owned();
                if let Err(invalid) = Case::new(draft, Recipe::default()) {
                    panic!("{}: {}\n{text}", strategy.name, invalid.why);
                }
            }
        }
        format!("{made:?}")
    });
}

#[test]
fn recipes() {
    let (bank, _) = Bank::new(corpus::embedded().filter(|seed| seed.text.len() < 400).take(30));
    let recipe = |strategy: &&Strategy| {
        let seeds = bank.seeds().iter().take(2).map(|prepared| prepared.seed.id).collect();
        let recipe =
            Recipe { strategy: strategy.name.into(), seeds, key: "k".into(), unit: 3, ..Recipe::default() };
        let mut text = serde_json::to_value(&recipe).unwrap();
        text["settings"] = serde_json::to_value(Settings::default()).unwrap();
        serde_json::to_vec(&text).unwrap()
    };
    let words: Vec<String> = STRATEGIES.iter().map(|strategy| format!("\"{}\"", strategy.name)).collect();
    let words: Vec<&str> =
        words.iter().map(String::as_str).chain(["null", "[]", "{}", "true", "\"bv\"", "-1"]).collect();
    let seeds = STRATEGIES.iter().map(recipe).collect();
    let fuzz = Fuzz { name: "recipes", seeds, dictionary: &words, most: Duration::from_secs(60) };
    fuzz.run(|input| {
        let Ok(recipe) = serde_json::from_slice::<Recipe>(input) else { return "is no recipe".into() };
        let Some(strategy) = strategy::registry::find(&recipe.strategy) else { return "no strategy".into() };
        let drafts = drafts(strategy, &bank, &recipe.settings, &[recipe.unit]);
        format!("{} {}", strategy.name, drafts.len())
    });
}
