//! Importing: names by hash, provenance in a separate file, claims are preserved.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use corpus::import::{collections, folder, import, load};
use corpus::{Origin, Quarantine, ScanLimits, SkipReason, Status, scan};

const PLAIN: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)";

fn take(from: &Path) -> corpus::Scan {
    scan(&[from], &ScanLimits::default(), &Quarantine::default())
}

#[test]
fn a_folder_claim_survives_the_import() {
    let (from, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::create_dir(from.path().join("sat")).unwrap();
    fs::write(from.path().join("sat/-rf.smt2"), PLAIN).unwrap();
    let done = import(take(from.path()), home.path(), "mine").unwrap();
    assert_eq!((done.added, done.already), (1, 0));

    let back = load(home.path(), "mine", &ScanLimits::default(), &Quarantine::default()).unwrap();
    let [seed] = back.seeds.as_slice() else { panic!("{back:?}") };
    assert_eq!(seed.status(), Status::Sat);
    assert_eq!(seed.name, "sat/-rf.smt2");
    assert!(matches!(&seed.origin, Origin::Imported { from, .. } if from.ends_with("sat/-rf.smt2")));
    let path = home.path().join("corpus/mine").join(format!("{}.smt2", seed.id));
    assert_eq!(fs::read_to_string(path).unwrap(), PLAIN);
    assert_eq!(collections(home.path()).unwrap(), ["mine"]);
}

#[test]
fn importing_twice_adds_nothing_but_a_new_claim_is_remembered() {
    let (from, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(from.path().join("a.smt2"), PLAIN).unwrap();
    import(take(from.path()), home.path(), "mine").unwrap();
    let again = import(take(from.path()), home.path(), "mine").unwrap();
    assert_eq!((again.added, again.already), (0, 1));
    let lines = fs::read_to_string(home.path().join("corpus/mine/provenance.jsonl")).unwrap().lines().count();
    assert_eq!(lines, 1);

    fs::create_dir(from.path().join("unsat")).unwrap();
    fs::rename(from.path().join("a.smt2"), from.path().join("unsat/a.smt2")).unwrap();
    import(take(from.path()), home.path(), "mine").unwrap();
    let back = load(home.path(), "mine", &ScanLimits::default(), &Quarantine::default()).unwrap();
    assert_eq!(back.seeds[0].status(), Status::Unsat);
}

#[test]
fn a_tampered_copy_is_left_out() {
    let (from, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(from.path().join("a.smt2"), PLAIN).unwrap();
    import(take(from.path()), home.path(), "mine").unwrap();
    let id = take(from.path()).seeds[0].id;
    fs::write(home.path().join(format!("corpus/mine/{id}.smt2")), PLAIN.replace("> x 0", "< x 0")).unwrap();
    let back = load(home.path(), "mine", &ScanLimits::default(), &Quarantine::default()).unwrap();
    assert!(back.seeds.is_empty());
    assert!(matches!(back.skipped[0].reason, SkipReason::Unreadable(_)));
}

#[test]
fn a_collection_name_that_is_a_path_is_refused() {
    for name in ["", "..", "a/b", "-rf", ".hidden", "a b", "ü"] {
        assert!(folder(Path::new("/home"), name).is_err(), "{name:?} was taken");
    }
    assert!(folder(Path::new("/home"), "smtlib-2026.1").is_ok());
}
