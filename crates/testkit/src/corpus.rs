//! The corpus of real formulas that some tests and benches need: beside the repository, or in `$FALSUM_CORPUS`.

use std::path::{Path, PathBuf};

/// The corpus folder, if there is one.
pub fn corpus_folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("FALSUM_CORPUS").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// The corpus folder for a test that checks nothing without one.
///
/// # Panics
/// In CI, if there is none.
pub fn corpus() -> Option<PathBuf> {
    let folder = corpus_folder();
    if folder.is_none() {
        crate::skip("no corpus beside the repository: set FALSUM_CORPUS");
    }
    folder
}

/// Every `.smt2` file in a folder and the folders below it, by name.
///
/// # Panics
/// If a folder cannot be read.
pub fn scripts_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![];
    add_scripts(folder, &mut found);
    found
}

fn add_scripts(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_scripts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "smt2") {
            found.push(path);
        }
    }
}
