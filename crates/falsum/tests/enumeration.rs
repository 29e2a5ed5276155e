//! Enumeration with solving, the evolution grid and the gate, with a solver that is wrong on purpose beside real ones:
//! only that solver is accused, no work is repeated, and the closing statement is true.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, path_of, solvers};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// A real z3 that is wrong wherever a script holds this text.
fn planted(wrong: &str, when: &str) -> String {
    solvers();
    let (fake, real) = (testkit::fake_solver(), path_of("z3@5.4.0"));
    format!("planted={} --real '{real} -in' --wrong {wrong} --wrong-when {when}", fake.display())
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

fn enumerate(folder: &Path, more: &[&str]) -> Output {
    let args =
        ["enumerate", "--grammar", "Bitvectors", "--timeout", "10s", "-j", "2", "--json", "--out", "out"];
    falsum_in(folder, &[&args[..], more].concat())
}

#[test]
fn enumeration_accuses_only_the_wrong_solver_and_resumes_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = planted("flip", "'bvult a'");
    let solvers = ["-s", wrong.as_str(), "-s", "z3@5.4.0", "-r", "cvc5@1.4.2"];
    let part = enumerate(folder.path(), &[&solvers[..], &["--take", "32"]].concat());
    assert_eq!((json(&part)["cases"].as_u64(), json(&part)["whole"].as_bool()), (Some(32), Some(true)));
    let rest = enumerate(folder.path(), &[&solvers[..], &["--take", "96", "--resume"]].concat());
    let found = json(&rest);
    assert_eq!(found["cases"].as_u64(), Some(96), "{}", said(&rest));
    let by = ["answered_by_all", "answered_by_some", "answered_by_one", "answered_by_none"];
    assert_eq!(by.iter().map(|name| found[name].as_u64().unwrap()).sum::<u64>(), 96);
    assert!(found["sentence"].as_str().unwrap().starts_with("Bitvectors: "), "{found}");
    let status = json(&falsum_in(folder.path(), &["status", "out", "--json"]));
    for bug in status["bug_list"].as_array().unwrap() {
        assert_eq!(bug["culprits"], serde_json::json!(["planted"]), "{bug}");
    }
    let wrong = found["bugs"].as_u64().unwrap() > 0;
    assert_eq!(rest.status.code(), Some(if wrong { 10 } else { 0 }));
    assert!(wrong, "the first 96 formulas hold the planted operator: {found}");
    let reports = std::fs::read_dir(folder.path().join("out/findings")).unwrap();
    assert!(reports.map(|entry| entry.unwrap().path()).any(|path| path.join("REPORT.md").exists()));
}

#[test]
fn shards_do_different_formulas_and_together_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut cases = 0;
    for shard in ["0/3", "1/3", "2/3"] {
        solvers();
        let out = format!("out{}", &shard[..1]);
        let args =
            ["enumerate", "--grammar", "Core", "--take", "80", "--json", "--out", &out, "--shard", shard];
        let part = falsum_in(folder.path(), &[&args[..], &["-s", "z3@5.4.0"]].concat());
        assert_eq!(
            (part.status.code(), json(&part)["whole"].as_bool()),
            (Some(0), Some(false)),
            "{}",
            said(&part)
        );
        assert_eq!(json(&part)["certified"], json(&part)["cases"], "Core is small enough to be certain");
        cases += json(&part)["cases"].as_u64().unwrap();
    }
    assert_eq!(cases, 80);
    // Merged they are the whole, and can be resumed.
    let merged = falsum_in(folder.path(), &["merge", "out0", "out1", "out2", "--out", "all"]);
    assert!(merged.status.success(), "{}", said(&merged));
    for (take, cases) in [("80", 80), ("200", 200)] {
        let args = ["enumerate", "--grammar", "Core", "--take", take, "--json", "--out", "all", "--resume"];
        let whole = falsum_in(folder.path(), &[&args[..], &["-s", "z3@5.4.0"]].concat());
        assert_eq!(json(&whole)["cases"].as_u64(), Some(cases), "{}", said(&whole));
        assert_eq!(json(&whole)["whole"].as_bool(), Some(true));
    }
}

#[test]
fn adding_a_release_runs_only_that_release_and_only_the_wrong_one_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = planted("flip", "'bvult a'");
    let run = |releases: &str| {
        let args =
            ["evolution", "--grammar", "Bitvectors", "--take", "60", "--timeouts", "0.25,4", "-j", "2"];
        let more = ["--fresh-every", "30", "--out", "grid", "--json", "--releases", releases];
        falsum_in(folder.path(), &[&args[..], &more[..]].concat())
    };
    let first = run("z3@5.4.0,cvc5@1.4.2");
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    assert!(said(&first).contains("60 of Bitvectors: 124 queries"), "{}", said(&first));
    let second = run(&format!("z3@5.4.0,cvc5@1.4.2,{wrong}"));
    assert_eq!(second.status.code(), Some(10), "{}", said(&second));
    assert!(said(&second).contains("60 of Bitvectors: 62 queries"), "{}", said(&second));
    for family in json(&second)["families"].as_array().unwrap() {
        let figures = &family["figures"][0][0];
        let unsound = figures["unsound"].as_u64().unwrap();
        assert_eq!(unsound > 0, family["releases"][0]["name"] == "planted", "{figures}");
        assert_eq!((figures["invalid_model"].as_u64(), figures["crash"].as_u64()), (Some(0), Some(0)));
    }
    let page = std::fs::read_to_string(folder.path().join("grid/evolution.html")).unwrap();
    assert!(page.contains("<svg") && !page.contains("://"));
    assert!(folder.path().join("grid/evolution.csv").exists());
}

#[test]
fn the_gate_fails_for_a_new_finding_and_treats_it_as_known_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = planted("flip", "'bvult a'");
    let gate = |out: &str, more: &[&str]| {
        let args =
            ["ci", "-s", &wrong, "-r", "cvc5@1.4.2", "--for", "10m", "--enumerate-share", "100", "-j", "2"];
        let what = ["--grammar", "Bitvectors", "--take", "60", "--baseline", "known.txt", "--out", out];
        falsum_in(folder.path(), &[&args[..], &what[..], more].concat())
    };
    let red = gate("one", &["--update-baseline"]);
    assert_eq!(red.status.code(), Some(10), "{}", said(&red));
    let junit = std::fs::read_to_string(folder.path().join("one/junit.xml")).unwrap();
    assert!(junit.contains("<failure") && junit.contains("testsuite name=\"planted\""), "{junit}");
    let sarif = std::fs::read(folder.path().join("one/falsum.sarif")).unwrap();
    let sarif: Value = serde_json::from_slice(&sarif).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let again = gate("two", &[]);
    assert_eq!(again.status.code(), Some(11), "{}", said(&again));
    let junit = std::fs::read_to_string(folder.path().join("two/junit.xml")).unwrap();
    assert!(!junit.contains("<failure"), "{junit}");
}

#[test]
fn a_right_solver_passes_the_gate() {
    let folder = tempfile::tempdir().unwrap();
    solvers();
    let args = ["ci", "-s", "z3@5.4.0", "-r", "cvc5@1.4.2", "--for", "10m", "--enumerate-share", "100"];
    let green = falsum_in(folder.path(), &[&args[..], &["--grammar", "Core,Ints", "--take", "40"]].concat());
    assert_eq!(green.status.code(), Some(0), "{}", said(&green));
    assert!(said(&green).contains("0 new, 0 known"), "{}", said(&green));
}

/// An enumeration with solvers that say unknown at once.
fn quick(folder: &Path, solvers: &[&Path], more: &[&str]) -> Output {
    let specs: Vec<String> = solvers
        .iter()
        .map(|path| format!("{}={} --answer unknown", path.file_name().unwrap().display(), path.display()))
        .collect();
    let mut args = vec!["enumerate", "--grammar", "Core", "--json", "--out", "out", "-j", "1"];
    specs.iter().for_each(|spec| args.extend(["-s", spec]));
    falsum_in(folder, &[&args[..], more].concat())
}

#[test]
fn a_larger_range_resumes_within_a_block_and_counts_every_formula_once() {
    let folder = tempfile::tempdir().unwrap();
    let fake = testkit::fake_solver();
    for (take, covered, resume) in
        [("10", 10, None), ("20", 20, Some("--resume")), ("70", 70, Some("--resume"))]
    {
        let more: Vec<&str> = ["--take", take].into_iter().chain(resume).collect();
        let output = quick(folder.path(), &[&fake], &more);
        let found = json(&output);
        assert_eq!(
            (found["cases"].as_u64(), found["whole"].as_bool()),
            (Some(covered), Some(true)),
            "{found}"
        );
        assert_eq!(found["answered_by_none"].as_u64(), Some(covered));
    }
    let less = json(&quick(folder.path(), &[&fake], &["--take", "20", "--resume"]));
    assert_eq!(less["cases"].as_u64(), Some(70), "{less}");
}

#[test]
fn a_folder_cannot_be_resumed_with_other_solvers_or_limits() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    for path in [&one, &two] {
        std::fs::copy(testkit::fake_solver(), path).unwrap();
    }
    assert_eq!(quick(folder.path(), &[&one], &["--take", "3"]).status.code(), Some(0));
    for (solvers, more) in
        [(&[two.as_path()][..], &[][..]), (&[&one], &["--timeout", "7s"]), (&[&one, &two], &[])]
    {
        let output = quick(folder.path(), solvers, &[&["--take", "6", "--resume"], more].concat());
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(
            said(&output).contains("were run on other solvers or with other limits"),
            "{}",
            said(&output)
        );
    }
    let same = quick(folder.path(), &[&one], &["--take", "6", "--resume"]);
    assert_eq!((same.status.code(), json(&same)["cases"].as_u64()), (Some(0), Some(6)));
}

#[test]
fn an_endless_range_starts_at_once_and_a_finite_language_is_covered_completely() {
    let folder = tempfile::tempdir().unwrap();
    let fake = testkit::fake_solver();
    let began = std::time::Instant::now();
    let endless = quick(folder.path(), &[&fake], &["--take", "18446744073709551615", "--for", "1s"]);
    assert_eq!(endless.status.code(), Some(0), "{}", said(&endless));
    assert!(began.elapsed().as_secs() < 30 && json(&endless)["cases"].as_u64() > Some(0));
    std::fs::write(
        folder.path().join("four.g4"),
        "grammar F; bit: 'true' | 'false'; start: '(assert (and' bit bit ')) (check-sat)';",
    )
    .unwrap();
    let spec = format!("fake={} --answer unknown", fake.display());
    let args = ["enumerate", "--grammar", "four.g4", "--take", "100", "-s", &spec, "--out", "four"];
    let output = falsum_in(folder.path(), &args);
    assert!(said(&output).contains("F: all 4 formulas up to size"), "{}", said(&output));
}

#[test]
fn a_solver_that_is_disabled_ends_the_enumeration_and_no_statement_covers_it() {
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("gone");
    std::fs::copy(testkit::fake_solver(), &gone).unwrap();
    let (gone, out) = (gone.clone(), folder.path().join("out/events.jsonl"));
    let remover = std::thread::spawn({
        let gone = gone.clone();
        move || {
            while !out.exists() {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            std::fs::remove_file(gone).unwrap();
        }
    });
    let fake = testkit::fake_solver();
    let output =
        quick(folder.path(), &[&fake, &gone], &["--take", "1000000", "--session", "fresh", "--for", "60s"]);
    remover.join().unwrap();
    assert_eq!(output.status.code(), Some(12), "{}", said(&output));
    assert!(said(&output).contains("gone has been disabled"), "{}", said(&output));
}
