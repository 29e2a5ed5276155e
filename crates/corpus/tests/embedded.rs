//! The embedded seeds: enough of them, all different, every check-sat with a status and a source that confirms it.

use std::collections::BTreeSet;

use corpus::{Feature, Origin, Stats, Status, StatusSource, embedded};

#[test]
fn at_least_six_hundred_seeds_are_embedded_and_none_is_dropped() {
    let seeds: Vec<_> = embedded().collect();
    assert_eq!(seeds.len(), corpus::embedded::count(), "a seed could not be outlined");
    assert!(seeds.len() >= 600, "only {}", seeds.len());
    assert!(seeds.iter().all(|s| s.origin == Origin::Embedded));
}

#[test]
fn no_two_embedded_seeds_are_the_same_text() {
    let ids: BTreeSet<_> = embedded().map(|s| s.id).collect();
    assert_eq!(ids.len(), embedded().count());
}

#[test]
fn every_check_sat_has_one_status_and_no_conflict() {
    for seed in embedded() {
        assert!(!seed.checks.is_empty(), "{} asks nothing", seed.name);
        for check in &seed.checks {
            assert!(!check.conflict(), "{}: {:?}", seed.name, check.claims);
            assert_ne!(check.status(), Status::Unknown, "{}", seed.name);
        }
    }
}

#[test]
fn every_status_is_confirmed_by_two_solvers_or_by_one_and_an_argument() {
    for seed in embedded() {
        for check in &seed.checks {
            let solvers = check.claims.iter().find_map(|c| match &c.source {
                StatusSource::SolverConfirmed(list) => Some(list.len()),
                _ => None,
            });
            let argued = check.claims.iter().any(|c| matches!(c.source, StatusSource::Construction(_)));
            let solvers = solvers.unwrap_or(0);
            assert!(solvers >= 2 || (solvers == 1 && argued), "{} has {solvers} solvers", seed.name);
        }
    }
}

#[test]
fn every_seed_opens_with_a_line_that_says_what_it_exercises_and_stays_small() {
    for seed in embedded() {
        let opening = seed.header.first().map_or("", String::as_str);
        assert!(opening.len() >= 10 && !opening.starts_with("CONFIRMED"), "{}: `{opening}`", seed.name);
        assert!(seed.text.len() <= 3000, "{} has {} bytes", seed.name, seed.text.len());
        let folder = seed.name.split('/').next();
        assert_eq!(folder, seed.logic.as_deref(), "{} lies in the wrong folder", seed.name);
    }
}

#[test]
fn both_statuses_are_well_represented() {
    let seeds: Vec<_> = embedded().collect();
    let stats = Stats::of(&seeds);
    for status in [Status::Sat, Status::Unsat] {
        let share = 100 * stats.by_status.get(&status).copied().unwrap_or(0) / stats.checks;
        assert!(share >= 35, "{status}: {share} %");
    }
}

#[test]
fn every_feature_has_seeds_of_both_statuses() {
    let mut seen = std::collections::BTreeMap::<Feature, BTreeSet<Status>>::new();
    for seed in embedded() {
        for feature in corpus::stats::features(&seed) {
            seen.entry(feature).or_default().extend(seed.statuses());
        }
    }
    assert_eq!(seen.len(), Feature::ALL.len(), "only {:?}", seen.keys());
    for (feature, statuses) in seen {
        assert_eq!(statuses.len(), 2, "{feature} has only {statuses:?}");
    }
}

#[test]
fn the_order_is_that_of_the_names() {
    let names: Vec<_> = embedded().map(|s| s.name).collect();
    assert!(names.is_sorted());
}

#[test]
fn features_are_determined_by_words_and_not_by_comments() {
    let seed = embedded().find(|s| s.name == "ALL/sat/array-fp-index-zeros").expect("a seed of that name");
    let features = corpus::stats::features(&seed);
    for expected in [Feature::Arrays, Feature::FloatingPoint, Feature::Ints] {
        assert!(features.contains(&expected), "{expected} not in {features:?}");
    }
    assert!(!features.contains(&Feature::Strings) && !features.contains(&Feature::Quantifiers));
}

#[test]
fn every_seed_parses_type_checks_and_has_the_checks_that_its_outline_says() {
    let mut refused = Vec::new();
    for seed in embedded() {
        match smtlib::script::Script::parse(&seed.text) {
            Ok(script) => assert_eq!(script.checks(), seed.checks.len(), "{}", seed.name),
            Err(error) => refused.push(error.render(&seed.name, &seed.text)),
        }
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}
