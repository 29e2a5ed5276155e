//! Scanning: hostile folders cause no hang, the order is that of names, claims keep their source and their conflicts.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, Instant};

use corpus::quarantine::{Opinion, Reason, judge};
use corpus::{Claim, Quarantine, Scan, ScanLimits, SkipReason, Status, StatusSource, scan};

const SAT: &str = "(set-logic QF_LIA)(set-info :status sat)(declare-const x Int)(assert (> x 0))(check-sat)";

fn scan_one(path: &Path) -> Scan {
    scan(&[path], &ScanLimits::default(), &Quarantine::default())
}

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn reason_for<'a>(scan: &'a Scan, name: &str) -> &'a SkipReason {
    let skipped = scan.skipped.iter().find(|s| s.path.ends_with(name));
    &skipped.unwrap_or_else(|| panic!("{name} was not skipped: {:?}", scan.skipped)).reason
}

#[test]
fn a_hostile_folder_is_walked_without_hanging_and_every_skip_has_its_reason() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    put(at, "good.smt2", SAT);
    put(at, "-rf.smt2", &SAT.replace("> x 0", "> x 1"));
    put(at, "$(touch pwned).smt2", &SAT.replace("> x 0", "> x 2"));
    put(at, "notes.txt", "not a seed");
    put(at, ".git/hidden.smt2", SAT);
    put(at, "open.smt2", "(assert true");
    put(at, "silent.smt2", "(set-logic ALL)(assert true)");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, at.join("pipe.smt2"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at.join("socket.smt2")).unwrap();
    symlink("/dev/zero", at.join("zero.smt2")).unwrap();
    symlink("loop.smt2", at.join("loop.smt2")).unwrap();
    symlink("nowhere", at.join("broken.smt2")).unwrap();
    fs::create_dir(at.join("sub")).unwrap();
    symlink("..", at.join("sub/up")).unwrap();
    let huge = fs::File::create(at.join("huge.smt2")).unwrap();
    huge.set_len(1 << 40).unwrap_or_else(|_| huge.set_len(1 << 32).unwrap());

    let begun = Instant::now();
    let found = scan_one(at);
    assert!(begun.elapsed() < Duration::from_secs(5));

    let names: Vec<_> = found.seeds.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["$(touch pwned).smt2", "-rf.smt2", "good.smt2"]);
    assert_eq!(*reason_for(&found, "pipe.smt2"), SkipReason::NotRegular("FIFO"));
    assert_eq!(*reason_for(&found, "socket.smt2"), SkipReason::NotRegular("socket"));
    assert_eq!(*reason_for(&found, "zero.smt2"), SkipReason::NotRegular("device"));
    assert_eq!(*reason_for(&found, "loop.smt2"), SkipReason::LinkLoop);
    assert_eq!(*reason_for(&found, "broken.smt2"), SkipReason::BrokenLink);
    assert_eq!(*reason_for(&found, "sub/up"), SkipReason::LinkLoop);
    assert!(matches!(reason_for(&found, "huge.smt2"), SkipReason::TooLarge { .. }));
    assert_eq!(*reason_for(&found, "notes.txt"), SkipReason::NotSmt2);
    assert_eq!(*reason_for(&found, ".git"), SkipReason::Hidden);
    assert!(matches!(reason_for(&found, "open.smt2"), SkipReason::NotAScript(_)));
    assert_eq!(*reason_for(&found, "silent.smt2"), SkipReason::AsksNothing);
    assert!(!at.join("pwned").exists());
}

#[test]
fn links_between_folders_do_not_multiply_seeds() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "a/x.smt2", SAT);
    for link in ["b", "c", "d"] {
        symlink("a", dir.path().join(link)).unwrap();
    }
    let found = scan_one(dir.path());
    assert_eq!(found.seeds.len(), 1);
    assert_eq!(found.skipped.iter().filter(|s| matches!(s.reason, SkipReason::SameFolder(_))).count(), 3);
}

#[test]
fn an_unreadable_file_and_a_missing_root_are_reported_not_fatal() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "secret.smt2", SAT);
    fs::set_permissions(dir.path().join("secret.smt2"), fs::Permissions::from_mode(0o0)).unwrap();
    let found =
        scan(&[dir.path(), Path::new("/no/such/folder")], &ScanLimits::default(), &Quarantine::default());
    assert!(matches!(reason_for(&found, "folder"), SkipReason::Unreadable(_)));
    let privileged = fs::read(dir.path().join("secret.smt2")).is_ok();
    assert_eq!(found.seeds.len(), usize::from(privileged), "{:?}", found.skipped);
}

#[test]
fn the_order_depends_on_names_and_not_on_creation() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let names = ["z/1.smt2", "a/2.smt2", "m.smt2", "a/1.smt2", "B.smt2"];
    for (i, name) in names.iter().enumerate() {
        put(one.path(), name, &SAT.replace("> x 0", &format!("> x {i}")));
    }
    for (i, name) in names.iter().enumerate().rev() {
        put(two.path(), name, &SAT.replace("> x 0", &format!("> x {i}")));
    }
    let list = |at: &Path| scan_one(at).seeds.into_iter().map(|s| (s.name, s.id)).collect::<Vec<_>>();
    assert_eq!(list(one.path()), list(two.path()));
    let order: Vec<_> = list(one.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(order, ["B.smt2", "a/1.smt2", "a/2.smt2", "m.smt2", "z/1.smt2"]);
}

#[test]
fn a_folder_that_contradicts_the_script_is_recorded_and_not_resolved() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "QF_LIA/unsat/a.smt2", SAT);
    let found = scan_one(dir.path());
    let [seed] = found.seeds.as_slice() else { panic!("{found:?}") };
    assert!(seed.conflict());
    assert_eq!(seed.status(), Status::Unknown);
    let said = Claim { status: Status::Sat, source: StatusSource::SetInfo };
    let lay = Claim { status: Status::Unsat, source: StatusSource::Folder };
    assert_eq!(seed.checks[0].claims, [said, lay]);
    assert_eq!(judge(seed, &[]).map(|e| e.reason), Some(Reason::ClaimsConflict));
}

#[test]
fn copies_in_two_folders_are_one_seed_with_the_claims_of_both() {
    let dir = tempfile::tempdir().unwrap();
    let silent = SAT.replace("(set-info :status sat)", "");
    put(dir.path(), "sat/a.smt2", &silent);
    put(dir.path(), "unsat/b.smt2", &silent);
    let found = scan_one(dir.path());
    assert_eq!(found.seeds.len(), 1);
    assert!(found.seeds[0].conflict());
    assert_eq!(*reason_for(&found, "b.smt2"), SkipReason::Duplicate("sat/a.smt2".into()));
}

#[test]
fn a_folder_says_nothing_about_a_script_with_several_check_sats() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "sat/a.smt2", "(set-logic ALL)(check-sat)(assert false)(check-sat)");
    let found = scan_one(dir.path());
    assert!(found.seeds[0].checks.iter().all(|c| c.claims.is_empty()));
}

#[test]
fn expectations_and_options_in_leading_comments_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    put(
        dir.path(),
        "r.smt2",
        "; COMMAND-LINE: --fp-exp -q\n; EXPECT: sat\n; EXPECT: unsat\n(check-sat)(check-sat)",
    );
    let found = scan_one(dir.path());
    let seed = &found.seeds[0];
    assert_eq!(seed.command_line(), ["--fp-exp", "-q"]);
    assert_eq!(seed.statuses().collect::<Vec<_>>(), [Status::Sat, Status::Unsat]);
    assert_eq!(seed.checks[0].claims[0].source, StatusSource::Expect);
}

#[test]
fn a_confirmation_written_in_a_file_of_the_user_is_not_trusted() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "r.smt2", &format!("; CONFIRMED: z3@9 cvc5@9\n; WHY: trust me\n{SAT}"));
    let found = scan_one(dir.path());
    assert!(found.seeds[0].checks[0].claims.iter().all(|c| c.source == StatusSource::SetInfo));
}

#[test]
fn the_total_limit_stops_reading() {
    let dir = tempfile::tempdir().unwrap();
    for i in 0..10 {
        put(dir.path(), &format!("{i}.smt2"), &SAT.replace("> x 0", &format!("> x {i}")));
    }
    let limits = ScanLimits { total_bytes: 3 * SAT.len() as u64, ..ScanLimits::default() };
    let found = scan(&[dir.path()], &limits, &Quarantine::default());
    assert_eq!((found.seeds.len(), found.skipped.len()), (3, 7));
}

#[test]
fn a_quarantined_seed_is_left_out_with_its_reason_and_the_file_survives_damage() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "seeds/a.smt2", SAT);
    let file = dir.path().join("quarantine.jsonl");
    let seed = scan_one(&dir.path().join("seeds")).seeds.remove(0);
    let opinion =
        |target: &str, status| Opinion { target: target.into(), answers: vec![status], crash: None };
    let fine = [opinion("z3", Status::Sat), opinion("cvc5", Status::Unknown)];
    assert_eq!(judge(&seed, &fine), None);
    let wrong = judge(&seed, &[opinion("z3", Status::Unsat)]).map(|e| e.reason);
    assert_eq!(wrong, Some(Reason::AgainstStatus));
    let entry = judge(&seed, &[opinion("z3", Status::Sat), opinion("cvc5", Status::Unsat)]).unwrap();
    assert_eq!(entry.reason, Reason::Disagree);

    Quarantine::append(&file, &entry).unwrap();
    let mut text = fs::read_to_string(&file).unwrap();
    text.push_str("{\"seed\": \"cut sho");
    fs::write(&file, text).unwrap();
    let (quarantine, bad) = Quarantine::load(&file).unwrap();
    assert_eq!((quarantine.len(), bad.len(), bad[0].number), (1, 1, 2));
    assert_eq!(quarantine.get(&seed.id), Some(&entry));
    let found = scan(&[dir.path().join("seeds")], &ScanLimits::default(), &quarantine);
    assert!(found.seeds.is_empty());
    assert_eq!(*reason_for(&found, "a.smt2"), SkipReason::Quarantined("solvers disagree".into()));
}

#[test]
fn a_crash_is_sufficient_for_quarantine() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "a.smt2", SAT);
    let seed = scan_one(dir.path()).seeds.remove(0);
    let crashed = Opinion { target: "z3".into(), answers: vec![], crash: Some("SIGSEGV".into()) };
    assert_eq!(judge(&seed, &[crashed]).map(|e| e.reason), Some(Reason::Crash));
}
