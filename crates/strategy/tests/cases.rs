//! The guarantees of every strategy about its drafts, and what a recipe preserves of them.

#![allow(clippy::unwrap_used)]

use corpus::Seed;
use smtlib::Script;
use strategy::{
    At, Bank, CampaignKey, Case, Draft, Facts, Recipe, Relation, Rng, Role, Settings, Source, Stamp,
    Strategy, registry, unheard,
};

/// A part of the embedded seeds, so that preparing is fast.
fn bank() -> Bank {
    let seeds: Vec<Seed> = corpus::embedded().step_by(7).collect();
    Bank::new(seeds).0
}

fn begin(strategy: &Strategy, bank: &Bank) -> Box<dyn Source> {
    (strategy.begin)(bank, &Settings::default()).unwrap()
}

fn drafts(source: &dyn Source, strategy: &Strategy, unit: u64) -> Vec<Draft> {
    unheard(source, unit, Rng::of(&CampaignKey("cases".into()), strategy.name, unit)).unwrap_or_default()
}

/// The drafts of the first units of every strategy.
fn each(mut see: impl FnMut(&Strategy, u64, &Draft)) {
    let bank = bank();
    for strategy in registry::STRATEGIES {
        let source = begin(strategy, &bank);
        let mut seen = 0;
        for unit in 0..60 {
            for draft in drafts(&*source, strategy, unit) {
                see(strategy, unit, &draft);
                seen += 1;
            }
        }
        assert!(seen > 0, "{} makes no case of these seeds", strategy.name);
    }
}

#[test]
fn the_first_question_of_a_draft_is_the_formula_and_no_other_is() {
    each(|strategy, unit, draft| {
        let roles: Vec<&Role> = draft.questions.iter().map(|question| &question.role).collect();
        assert_eq!(roles[0], &Role::Formula, "{} unit {unit}", strategy.name);
        assert!(!roles[1..].contains(&&Role::Formula), "{} unit {unit}: {roles:?}", strategy.name);
    });
}

#[test]
fn a_relation_refers_to_existing_check_sats() {
    each(|strategy, unit, draft| {
        let checks: Vec<usize> = draft
            .questions
            .iter()
            .map(|question| Script::parse(&question.script).unwrap().checks())
            .collect();
        for relation in &draft.relations {
            let (Relation::SameAnswer(a, b) | Relation::SatImplies(a, b) | Relation::ShouldDecide(a, b)) =
                relation;
            for At { question, check } in [a, b] {
                let there = checks.get(*question).is_some_and(|checks| check < checks);
                assert!(there, "{} unit {unit}: {relation:?} of {checks:?}", strategy.name);
            }
            assert_ne!(a, b, "{} unit {unit}", strategy.name);
        }
    });
}

#[test]
fn an_expectation_refers_to_an_existing_check_sat() {
    each(|strategy, unit, draft| {
        for question in &draft.questions {
            let checks = Script::parse(&question.script).unwrap().checks();
            assert!(question.expects.len() <= checks, "{} unit {unit}", strategy.name);
            for expect in question.expects.iter().flatten() {
                assert!(!expect.ground.because().is_empty(), "{} unit {unit}", strategy.name);
            }
        }
    });
}

#[test]
fn a_unit_has_no_more_drafts_than_its_source_promises() {
    let bank = bank();
    for strategy in registry::STRATEGIES {
        let source = begin(strategy, &bank);
        for unit in 0..20 {
            let made = drafts(&*source, strategy, unit).len() as u64;
            assert!(made <= source.unit_len(), "{}: {made} of {}", strategy.name, source.unit_len());
        }
    }
}

#[test]
fn the_seeds_of_a_draft_are_seeds_of_the_bank() {
    let known: Vec<_> = corpus::embedded().step_by(7).map(|seed| seed.id).collect();
    each(|strategy, unit, draft| {
        assert!(draft.seeds.iter().all(|seed| known.contains(seed)), "{} unit {unit}", strategy.name);
    });
}

#[test]
fn another_preparation_of_the_same_seeds_makes_the_same_drafts() {
    let (first, second) = (bank(), bank());
    for strategy in registry::STRATEGIES {
        let (a, b) = (begin(strategy, &first), begin(strategy, &second));
        for unit in [3, 17, 1_000_003] {
            assert_eq!(
                drafts(&*a, strategy, unit),
                drafts(&*b, strategy, unit),
                "{} unit {unit}",
                strategy.name
            );
        }
    }
}

#[test]
fn a_recipe_read_from_its_record_has_everything_of_the_draft() {
    let (key, settings) = (CampaignKey("k".into()), Settings { steps: Some(3), ..Settings::default() });
    each(|strategy, unit, draft| {
        let stamp = Stamp { strategy: strategy.name, settings: &settings, key: &key, unit };
        let recipe = Recipe { told: vec![Facts::default()], ..stamp.recipe(draft, 2) };
        let text = serde_json::to_string(&recipe).unwrap();
        assert_eq!(serde_json::from_str::<Recipe>(&text).unwrap(), recipe, "{text}");
        assert_eq!((&recipe.rules, &recipe.seeds), (&draft.rules, &draft.seeds));
        assert_eq!(recipe.step, draft.step.unwrap_or(2));
        assert_eq!(recipe.settings, settings);
    });
}

#[test]
fn default_settings_are_not_written_to_a_recipe() {
    let text = serde_json::to_string(&Recipe::default()).unwrap();
    assert!(!text.contains("settings") && !text.contains("told"), "{text}");
    assert!(Settings::default().is_usual());
    assert!(!Settings { concat_only: true, ..Settings::default() }.is_usual());
}

#[test]
fn an_ill_typed_draft_is_rejected_with_the_position_of_the_mistake() {
    let draft = Draft::of(b"(assert (+ 1 true))(check-sat)".to_vec()).rules(["a rule".to_owned()]);
    let recipe = Recipe { strategy: "s".into(), ..Recipe::default() };
    let invalid = Case::new(draft, recipe.clone()).unwrap_err();
    assert!(invalid.why.contains("case:1:"), "{}", invalid.why);
    assert_eq!(invalid.recipe, recipe, "the recipe identifies the strategy to fix");
    let mut draft = Draft::of(b"(check-sat)".to_vec());
    draft.ask(Role::Before, b"(assert nothing)(check-sat)".to_vec());
    assert!(Case::new(draft, Recipe::default()).is_err(), "every question is checked");
}

#[test]
fn different_units_and_keys_give_different_random_numbers_and_equal_ones_equal_numbers() {
    let draw = |key: &str, strategy: &str, unit| {
        let mut rng = Rng::of(&CampaignKey(key.into()), strategy, unit);
        (0..4).map(|_| rng.below(1 << 30)).collect::<Vec<_>>()
    };
    assert_eq!(draw("a", "s", 1), draw("a", "s", 1));
    for other in [draw("b", "s", 1), draw("a", "t", 1), draw("a", "s", 2)] {
        assert_ne!(draw("a", "s", 1), other);
    }
}
