//! Releases are really installed, really answer, and are really removed. Needs pip and a network the first time; the
//! folder under `target` keeps them for the next run.
#![allow(clippy::unwrap_used, reason = "a test")]

mod home;

use home::{home, release};
use solver::install::{self, Progress};
use solver::{Error, Home, Profiles, Spec, Target};
use std::sync::Mutex;

#[test]
fn z3_and_cvc5_install_verify_and_are_listed_with_their_hash() {
    for spec in ["z3@4.8.9", "z3@5.4.0", "cvc5@1.4.2"] {
        let release = release(spec);
        assert_eq!(release.label(), spec);
        assert_eq!(release.current_hash().unwrap(), release.record.hash, "{spec}");
        assert!(release.program().is_file());
        let target = Target::of_release(&Profiles::embedded(), &release);
        let version = target.profile.version_of(&target.command).unwrap();
        assert_eq!(version, release.version, "{spec} says it is something else");
        assert!(target.is_unchanged());
    }
}

#[test]
fn an_installed_release_needs_neither_pip_nor_network() {
    let release = release("z3@5.4.0");
    let said = Mutex::new(Vec::new());
    let again =
        install::add(&home(), &Spec::parse("z3@5.4.0").unwrap(), &|p| said.lock().unwrap().push(p)).unwrap();
    assert_eq!(again[0].folder, release.folder);
    assert_eq!(*said.lock().unwrap(), [Progress::Present { release: "z3@5.4.0".into() }]);
}

#[test]
fn a_release_that_does_not_exist_is_refused_and_the_nearest_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let error =
        install::add(&Home::at(folder.path()), &Spec::parse("z3@4.99.1").unwrap(), &|_| {}).unwrap_err();
    assert!(matches!(&error, Error::NoSuchVersion { .. } | Error::Offline { .. }), "{error}");
    assert!(error.hint().is_some());
    assert!(!folder.path().join("releases").exists());
}

#[test]
fn an_incomplete_installation_is_not_a_release_and_does_not_block_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let fake = Home::at(folder.path());
    let half = folder.path().join("releases/z3-9.9.9");
    std::fs::create_dir_all(&half).unwrap();
    std::fs::write(half.join("z3"), "half").unwrap();
    let (good, broken) = fake.releases();
    assert!(good.is_empty());
    assert_eq!(broken.len(), 1);
    assert!(fake.newest_of_each().is_empty());
}

#[test]
fn two_installations_of_one_release_at_once_do_the_work_once() {
    let z3 = release("z3@4.8.9");
    let folder = tempfile::tempdir().unwrap();
    // What the first of two would have published is there when the second gets the lock.
    let copy = Home::at(folder.path());
    std::fs::create_dir_all(folder.path().join("releases/z3-4.8.9")).unwrap();
    for file in ["release.toml", "z3"] {
        std::fs::copy(z3.folder.join(file), folder.path().join("releases/z3-4.8.9").join(file)).unwrap();
    }
    let spec = Spec::parse("z3@4.8.9").unwrap();
    let all: Vec<_> = std::thread::scope(|s| {
        let threads: Vec<_> =
            (0..2).map(|_| s.spawn(|| install::add(&copy, &spec, &|_| {}).unwrap())).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(all.iter().all(|r| r[0].label() == "z3@4.8.9"));
    copy.remove(&all[0][0]).unwrap();
    assert!(copy.releases().0.is_empty());
    assert!(Target::resolve(&copy, &Profiles::embedded(), &Spec::parse("z3@4.8.9").unwrap()).is_err());
}

#[test]
fn a_release_whose_program_was_replaced_is_noticed() {
    let z3 = release("z3@4.8.9");
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("releases/z3-4.8.9");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::copy(z3.folder.join("release.toml"), place.join("release.toml")).unwrap();
    std::fs::write(place.join("z3"), "#!/bin/sh\necho sat\n").unwrap();
    let copy = Home::at(folder.path()).releases().0.remove(0);
    assert_ne!(copy.current_hash().unwrap(), copy.record.hash);
    assert!(!Target::of_release(&Profiles::embedded(), &copy).is_unchanged());
}

#[test]
fn the_newest_of_each_solver_is_chosen_and_ranges_give_all() {
    for spec in ["z3@4.8.9", "z3@5.4.0"] {
        release(spec);
    }
    let profiles = Profiles::embedded();
    let names = |spec: &str| {
        let targets = Target::resolve(&home(), &profiles, &Spec::parse(spec).unwrap()).unwrap();
        targets.into_iter().map(|t| t.name).collect::<Vec<_>>()
    };
    assert_eq!(names("z3"), ["z3@5.4.0"]);
    assert_eq!(names("mine=z3@4.8.9 model_validate=true"), ["mine"]);
    assert_eq!(names("z3@5.4.0 smt.random_seed=3"), ["z3@5.4.0 smt.random_seed=3"]);
    let range = names("z3@4.8.9..5.4");
    assert!(range.len() >= 2 && range.first().unwrap() == "z3@4.8.9" && range.last().unwrap() == "z3@5.4.0");
}

/// A home of its own with a copy of a small release.
fn copied(spec: &str) -> (tempfile::TempDir, Home, std::path::PathBuf) {
    let (release, folder) = (release(spec), tempfile::tempdir().unwrap());
    let copy = folder.path().join("releases").join(release.folder.file_name().unwrap());
    std::fs::create_dir_all(&copy).unwrap();
    for file in ["release.toml", &release.record.program] {
        std::fs::copy(release.folder.join(file), copy.join(file)).unwrap();
    }
    let home = Home::at(folder.path());
    let program = copy.join(&release.record.program);
    (folder, home, program)
}

fn ask(home: &Home, spec: &str) -> solver::Reply {
    let target = Target::resolve(home, &Profiles::embedded(), &Spec::parse(spec).unwrap()).unwrap().remove(0);
    solver::Pool::new(target, 1).ask(&solver::Query::new(b"(check-sat)"), solver::SessionKind::Fresh)
}

#[test]
fn a_release_that_changed_on_disk_is_noticed_at_use_whatever_its_size_and_time() {
    let (_folder, home, program) = copied("z3@4.8.9");
    assert_eq!(ask(&home, "z3@4.8.9").answer(), Some(solver::Answer::Sat));
    assert_eq!(
        ask(&home, "z3@4.8.9").answer(),
        Some(solver::Answer::Sat),
        "and with the note of the first time"
    );
    let before = program.metadata().unwrap();
    let lie = b"#!/bin/sh\necho unsat\nexit\n";
    let mut bytes = vec![b'#'; before.len() as usize];
    bytes[..lie.len()].copy_from_slice(lie);
    std::fs::write(&program, bytes).unwrap();
    let times = std::fs::FileTimes::new().set_modified(before.modified().unwrap());
    std::fs::File::options().write(true).open(&program).unwrap().set_times(times).unwrap();
    let after = program.metadata().unwrap();
    assert_eq!((before.len(), before.modified().unwrap()), (after.len(), after.modified().unwrap()));
    let reply = ask(&home, "z3@4.8.9");
    assert!(
        matches!(&reply.ended, solver::Ended::Unavailable(why) if why.contains("not what was installed"))
    );
    assert_eq!(reply.answer(), None);
}

#[test]
fn a_release_that_contradicts_its_record_is_refused() {
    let (folder, home, _) = copied("z3@4.8.9");
    let spec = Spec::parse("z3@4.8.9").unwrap();
    let lock = folder.path().join("falsum.lock");
    assert_eq!(solver::lock::write_project(&home, &lock).unwrap(), 1);
    assert_eq!(solver::lock::write_project(&home, &lock).unwrap(), 1);
    install::add(&home, &spec, &|_| {}).unwrap();
    let text = std::fs::read_to_string(&lock).unwrap();
    let hash = text.lines().find_map(|line| line.strip_prefix("hash = ")).unwrap();
    let other = text.replace(hash, &format!("\"{}\"", "0".repeat(64)));
    std::fs::write(folder.path().join("known.toml"), &other).unwrap();
    assert!(matches!(install::add(&home, &spec, &|_| {}), Err(Error::HashDiffers { .. })));
    std::fs::write(&lock, other).unwrap();
    assert!(matches!(solver::lock::write_project(&home, &lock), Err(Error::HashDiffers { .. })));
}
