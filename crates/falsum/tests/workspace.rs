//! The shape of the workspace: what depends on what, under which licences, named how, described where.
//!
//! These rules are easy to break by accident and expensive to repair later, so they are tests. With `FALSUM_BLESS=1`
//! the list in docs/guides/files.md is rewritten instead of compared.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates in the order in which a formula passes through them. `testkit` is not among them: it is for tests only.
const ORDER: [&str; 13] = [
    "smtlib",
    "semantics",
    "corpus",
    "strategy",
    "run",
    "autopsy",
    "solver",
    "oracle",
    "triage",
    "store",
    "campaign",
    "report",
    "falsum",
];

/// What may be among our dependencies: `deny.toml`, which `cargo deny` reads too.
fn rules() -> &'static toml::Table {
    static RULES: std::sync::OnceLock<toml::Table> = std::sync::OnceLock::new();
    RULES.get_or_init(|| std::fs::read_to_string(root().join("deny.toml")).unwrap().parse().unwrap())
}

/// A list of strings, or of tables of which one field is meant.
fn listed(section: &str, list: &str, field: &str) -> Vec<String> {
    let all = rules()[section][list].as_array().unwrap().iter();
    all.map(|row| row.get(field).unwrap_or(row).as_str().unwrap().to_owned()).collect()
}

const EMPTY_NAMES: [&str; 6] = ["util", "common", "core", "helpers", "manager", "misc"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn members(metadata: &Value) -> Vec<&Value> {
    let packages = metadata["packages"].as_array().unwrap();
    packages.iter().filter(|package| package["source"].is_null()).collect()
}

#[test]
fn cargo_run_runs_falsum() {
    let metadata = metadata();
    let defaults = metadata["workspace_default_members"].as_array().unwrap();
    assert_eq!(defaults.len(), 1, "the README's first command must not ask which binary is meant");
    assert!(defaults[0].as_str().unwrap().contains("/crates/falsum#"), "{defaults:?}");
}

#[test]
fn a_crate_depends_only_on_crates_to_its_left() {
    let metadata = metadata();
    let place = |name: &str| ORDER.iter().position(|&crate_name| crate_name == name);
    let mut wrong = vec![];
    for package in members(&metadata) {
        let name = text(package, "name");
        if name == "testkit" {
            continue;
        }
        let own = place(name).unwrap_or_else(|| panic!("`{name}` has no place in the order of crates"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = text(dependency, "name");
            let is_dev = text(dependency, "kind") == "dev";
            let local = dependency["path"].is_string();
            match place(other) {
                Some(there) if local && there >= own => wrong.push(format!("{name} → {other}")),
                None if local && other != "testkit" => wrong.push(format!("{name} → {other} (unknown)")),
                None if local && !is_dev => wrong.push(format!("{name} → {other} (for tests only)")),
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "dependencies that point right: {wrong:?}");
}

#[test]
fn every_dependency_has_a_permissive_licence() {
    let metadata = metadata();
    let mut wrong = vec![];
    for package in metadata["packages"].as_array().unwrap() {
        let licence = text(package, "license");
        if !is_permissive(licence) {
            wrong.push(format!("{} {}: `{licence}`", text(package, "name"), text(package, "version")));
        }
    }
    assert!(wrong.is_empty(), "licences that are not permissive:\n{}", wrong.join("\n"));
}

#[test]
fn an_or_needs_one_permissive_side_and_an_and_needs_both() {
    for licence in ["MIT", "MIT OR GPL-3.0", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(is_permissive(licence), "{licence}");
    }
    for licence in ["", "GPL-3.0", "LGPL-3.0-only", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND MPL-2.0"] {
        assert!(!is_permissive(licence), "{licence}");
    }
}

#[test]
fn no_dependency_is_banned_doubled_or_from_elsewhere() {
    let metadata = metadata();
    let (banned, skipped) = (listed("bans", "deny", "crate"), listed("bans", "skip", "crate"));
    let sources = listed("sources", "allow-registry", "");
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let (name, source) = (text(package, "name"), package["source"].as_str());
        assert!(!banned.iter().any(|banned| banned == name), "{name} is banned");
        let known = |source: &str| sources.iter().any(|known| source == format!("registry+{known}"));
        assert!(source.is_none_or(known), "{name} comes from {source:?}");
        versions.entry(name).or_default().insert(text(package, "version"));
    }
    let doubled =
        |(name, all): &(&&str, &BTreeSet<&str>)| all.len() > 1 && !skipped.iter().any(|skip| skip == **name);
    let doubled: Vec<_> = versions.iter().filter(doubled).collect();
    assert!(doubled.is_empty(), "more than one version: {doubled:?}");
    let needless: Vec<_> =
        skipped.iter().filter(|skip| versions.get(skip.as_str()).is_none_or(|all| all.len() < 2)).collect();
    assert!(needless.is_empty(), "deny.toml skips what is there once: {needless:?}");
}

/// Evaluates an SPDX expression; `AND` binds tighter than `OR`, and old manifests write `/` for `OR`.
fn is_permissive(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let result = any_side(&words, &mut at);
    result && at == words.len()
}

fn any_side(words: &[&str], at: &mut usize) -> bool {
    let mut result = all_sides(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        result |= all_sides(words, at);
    }
    result
}

fn all_sides(words: &[&str], at: &mut usize) -> bool {
    let mut result = one_licence(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        result &= one_licence(words, at);
    }
    result
}

fn one_licence(words: &[&str], at: &mut usize) -> bool {
    let Some(&word) = words.get(*at) else { return false };
    *at += 1;
    if word == "(" {
        let result = any_side(words, at);
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return result && closed;
    }
    let mut name = word.to_owned();
    if words.get(*at) == Some(&"WITH") {
        name = format!("{word} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
    }
    listed("licenses", "allow", "").contains(&name)
}

/// Every Rust file under `crates/*/src`, relative to the root, sorted.
fn sources() -> Vec<String> {
    let mut pending = vec![root().join("crates")];
    let mut found = vec![];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let relative = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                pending.push(path);
            } else if relative.ends_with(".rs") && relative.split('/').nth(2) == Some("src") {
                found.push(relative);
            }
        }
    }
    found.sort();
    assert!(found.len() > 50, "only {} source files: is this the right folder?", found.len());
    found
}

#[test]
fn no_crate_and_no_module_has_a_meaningless_name() {
    for package in members(&metadata()) {
        assert!(!EMPTY_NAMES.contains(&text(package, "name")), "{}", text(package, "name"));
    }
    for file in sources() {
        let empty = file.split(['/', '.']).any(|part| EMPTY_NAMES.contains(&part));
        assert!(!empty, "{file} has a name that says nothing");
    }
}

#[test]
fn every_source_file_begins_with_an_essay() {
    for file in sources() {
        let source = std::fs::read_to_string(root().join(&file)).unwrap();
        assert!(source.starts_with("//! "), "{file} does not open with `//!`");
    }
}

/// The first sentence of a file's opening, as the list shows it.
fn summary(file: &str) -> String {
    let source = std::fs::read_to_string(root().join(file)).unwrap();
    let paragraph: Vec<&str> = source
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    let paragraph = paragraph.join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    paragraph[..end].trim_end_matches('.').to_owned()
}

/// `crates/smtlib/src/a.rs` → `smtlib`.
fn crate_of(file: &str) -> &str {
    file.split('/').nth(1).unwrap()
}

/// The list with the files there are: those listed keep their place, new ones come at the end of their crate.
fn up_to_date(document: &str) -> String {
    let mut missing: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in sources() {
        missing.entry(crate_of(&file).to_owned()).or_default().insert(file);
    }
    let listed = |line: &str| -> Option<String> {
        Some(line.strip_prefix("- `")?.split('`').next()?.to_owned()).filter(|file| file.ends_with(".rs"))
    };
    let mut kept: Vec<(Option<String>, String)> = vec![];
    let mut section: Option<String> = None;
    for line in document.lines() {
        if let Some(name) = line.strip_prefix("## `").and_then(|rest| rest.strip_suffix('`')) {
            section = Some(name.to_owned());
        }
        match (&section, listed(line)) {
            (Some(name), Some(short)) => {
                let file = format!("crates/{name}/src/{short}");
                if missing.get_mut(name).is_some_and(|files| files.remove(&file)) {
                    kept.push((section.clone(), format!("- `{short}`: {}", summary(&file))));
                }
            }
            _ => kept.push((section.clone(), line.to_owned())),
        }
    }
    for (name, files) in missing.into_iter().filter(|(_, files)| !files.is_empty()) {
        let after = kept
            .iter()
            .rposition(|(section, line)| section.as_ref() == Some(&name) && !line.trim().is_empty())
            .unwrap_or_else(|| panic!("docs/guides/files.md has no section for the crate `{name}`"));
        let prefix = format!("crates/{name}/src/");
        let lines = files.iter().map(|file| {
            let short = file.strip_prefix(&prefix).unwrap();
            (Some(name.clone()), format!("- `{short}`: {}", summary(file)))
        });
        let lines: Vec<_> = lines.collect();
        kept.splice(after + 1..after + 1, lines);
    }
    kept.into_iter().map(|(_, line)| line + "\n").collect()
}

#[test]
fn docs_files_lists_every_source_file_with_its_first_sentence() {
    let path = root().join("docs/guides/files.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let expected = up_to_date(&document);
    if std::env::var_os("FALSUM_BLESS").is_some() {
        std::fs::write(&path, expected).unwrap();
        return;
    }
    let old: BTreeSet<&str> = document.lines().collect();
    let new: BTreeSet<&str> = expected.lines().collect();
    let gone: Vec<_> = old.difference(&new).collect();
    let added: Vec<_> = new.difference(&old).collect();
    assert!(
        document == expected,
        "docs/guides/files.md is out of date: run this test with FALSUM_BLESS=1\ngone: {gone:#?}\nnew: {added:#?}"
    );
}
