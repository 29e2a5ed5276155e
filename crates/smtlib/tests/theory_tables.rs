//! The theory tables as data: every file in the folder is embedded, no row shadows another, and every row either
//! evaluates or says why it does not. What solvers accept is not tested here; it is recorded in the tables.

use smtlib::theory::{self, Assoc};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_table_in_the_folder_is_embedded() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/theories");
    let on_disk: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".smt"))
        .collect();
    let embedded: BTreeSet<String> = theory::FILES.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(on_disk, embedded);
}

#[test]
fn no_row_repeats_an_earlier_one() {
    let mut seen = BTreeMap::new();
    for row in theory::rows() {
        let rank = format!(
            "{} {:?} {:?} {:?} {:?} {:?} {}",
            row.name, row.indices, row.args, row.guard, row.assoc, row.min, row.qualified
        );
        // z3's and cvc5's set.singleton differ only in the result.
        let key = format!("{rank} {:?}", row.result);
        if let Some(other) = seen.insert(key, row.theory) {
            panic!("`{}` of {} is already in {other}", row.name, row.theory);
        }
    }
}

#[test]
fn rows_without_evaluation_are_free_functions_or_marked() {
    let silent = ["SpecialRelations", "Separation"];
    for row in theory::rows() {
        let excused = silent.contains(&row.theory) || !row.mutable;
        assert!(row.eval.is_some() || excused, "`{}` of {} has no :eval", row.name, row.theory);
    }
}

#[test]
fn only_known_solvers_and_standards_are_named() {
    let solvers = ["z3", "cvc5", "bitwuzla", "yices", "mathsat"];
    let standards = ["2.0", "2.5", "2.6", "2.7"];
    for row in theory::rows() {
        for solver in row.by.iter().flatten() {
            assert!(solvers.contains(solver), "`{}`: who is {solver}?", row.name);
        }
        if let Some(since) = row.since {
            assert!(standards.contains(&since), "`{}`: which standard is {since}?", row.name);
        }
        assert!(
            row.since.is_some() || row.by.is_some(),
            "`{}`: neither in a standard nor in any solver",
            row.name
        );
    }
}

#[test]
fn associative_rows_show_their_binary_rank() {
    for row in theory::rows() {
        let binary = matches!(row.assoc, Assoc::Left | Assoc::Right | Assoc::Chainable | Assoc::Pairwise);
        assert!(!binary || row.args.len() == 2, "`{}` must show two arguments", row.name);
    }
}
