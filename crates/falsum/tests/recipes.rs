//! The table "Where to add what" of ARCHITECTURE.md is right: each item is in its file, is listed exactly where the
//! table says, and is mentioned nowhere else.
//!
//! Each test checks one row for all existing items of that kind. If adding a strategy needed a fourth file, the
//! existing strategies would be mentioned in that file too, and the test would fail.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names of the modules in a folder, without `mod`.
fn modules(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap().flatten();
    let name = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry.path())).filter(|name| name != "mod").collect();
    names.sort();
    names
}

/// All source files below the crates, with their text, tests of the crates left out.
fn sources() -> Vec<(String, String)> {
    let mut pending = vec![root().join("crates")];
    let mut found = vec![];
    while let Some(folder) = pending.pop() {
        for path in std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path()) {
            let relative = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                pending.push(path);
            } else if relative.ends_with(".rs") && relative.split('/').nth(2) == Some("src") {
                found.push((relative, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

/// The files that contain a text.
fn mentioning(what: &str) -> Vec<String> {
    let mut files: Vec<String> =
        sources().into_iter().filter(|(_, text)| text.contains(what)).map(|(file, _)| file).collect();
    files.sort();
    files
}

#[test]
fn every_file_that_the_table_names_exists() {
    let document = read("ARCHITECTURE.md");
    let table = document.split("## Where to add what").nth(1).expect("the section");
    let mut checked = 0;
    for word in table.split('`').skip(1).step_by(2) {
        let path = if word.starts_with("crates/") { word.to_owned() } else { format!("crates/{word}") };
        let concrete = !path.contains(|c: char| c.is_ascii_uppercase()) && path.contains('.');
        if concrete && path.contains('/') && word.contains('/') {
            assert!(root().join(&path).exists(), "{word} does not exist");
            checked += 1;
        }
    }
    assert!(checked >= 5, "only {checked} paths were found in the table");
}

#[test]
fn a_strategy_is_its_file_and_one_line_in_the_registry_and_in_the_crate() {
    let (registry, library) = (read("crates/strategy/src/registry.rs"), read("crates/strategy/src/lib.rs"));
    let lines =
        registry.lines().filter_map(|line| line.trim().strip_prefix('&')?.strip_suffix("::STRATEGY,"));
    let mut count = 0;
    for path in lines {
        let module = path.split("::").next().unwrap();
        assert_eq!(library.matches(&format!("pub mod {module};")).count(), 1, "{module} in lib.rs");
        // Commands that exist for one strategy name it: those that replace another tool, and `stability`.
        let mut listed = mentioning(&format!("{path}::STRATEGY"));
        listed.retain(|file| {
            !file.starts_with("crates/falsum/src/command/yinyang/")
                && file != "crates/campaign/src/stability.rs"
        });
        assert_eq!(listed, ["crates/strategy/src/registry.rs"], "{module} is listed in one place");
        count += 1;
    }
    assert_eq!(count, strategy::registry::STRATEGIES.len());
}

#[test]
fn a_rung_is_its_file_and_one_line_in_the_module_and_in_the_ladder() {
    let (list, ladder) = (read("crates/oracle/src/rung/mod.rs"), read("crates/oracle/src/ladder.rs"));
    for rung in modules("crates/oracle/src/rung") {
        assert_eq!(list.matches(&format!("pub mod {rung};")).count(), 1, "{rung} in rung/mod.rs");
        // A procedure may have two places: before the others, and after all of them.
        let lines = ladder.matches(&format!("climb: rung::{rung}::")).count();
        assert!((1..=2).contains(&lines), "{rung} has {lines} lines in ladder.rs");
        let mut climbs = mentioning(&format!("{rung}::climb"));
        climbs.retain(|file| file != "crates/oracle/src/ladder.rs");
        assert!(climbs.is_empty(), "{rung} is used from {climbs:?}");
    }
}

#[test]
fn a_solver_is_one_profile_and_no_line_of_code() {
    let profiles = solver::Profiles::embedded();
    for name in modules("crates/solver/profiles") {
        assert_eq!(profiles.get(&name).name, name, "{name} is found without being listed");
    }
    assert!(mentioning("profiles/z3.toml").is_empty(), "profiles are listed when the crate is built");
}

#[test]
fn an_operator_is_a_row_and_its_function() {
    let functions: String = sources()
        .into_iter()
        .filter(|(file, _)| file.starts_with("crates/semantics/src/eval/"))
        .map(|(_, text)| text)
        .collect();
    for row in smtlib::theory::rows() {
        if let Some(name) = row.eval {
            assert!(
                functions.contains(name),
                "`{}` names {name}, which is not in semantics/src/eval",
                row.name
            );
        }
    }
}

#[test]
fn a_command_is_its_file_and_its_lines_in_the_list_of_commands() {
    let list = read("crates/falsum/src/command/mod.rs");
    for command in modules("crates/falsum/src/command") {
        assert_eq!(list.matches(&format!("\nmod {command};")).count(), 1, "{command} in command/mod.rs");
    }
}

#[test]
fn a_seed_is_a_file_in_the_folder_of_its_logic_and_status() {
    let logics = std::fs::read_dir(root().join("crates/corpus/seeds")).unwrap().flatten();
    let files: usize = logics
        .flat_map(|logic| ["sat", "unsat"].map(|status| logic.path().join(status)))
        .filter_map(|folder| Some(std::fs::read_dir(folder).ok()?.flatten().count()))
        .sum();
    assert!(files > 0 && corpus::embedded().count() >= files, "{files} files");
}
