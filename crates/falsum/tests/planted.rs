//! Solvers that are wrong on purpose, beside real ones: every kind of bug is found, the right culprit is named, and
//! no other solver is ever accused.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod machine;

use machine::{fake_z3, falsum_in, path_of, solvers};
use std::path::Path;

const SAT: &str = "(declare-const x (_ BitVec 8))\n(assert (= (bvadd x #x01) #x00))\n(check-sat)\n";
const UNSAT: &str = "(declare-const x (_ BitVec 8))\n(assert (= (bvadd x #x01) x))\n(check-sat)\n";
const CORE: &str = "(declare-const x (_ BitVec 8))\n(assert (! (= (bvadd x #x01) #x00) :named a))\n\
    (assert (! (= x #x01) :named b))\n(assert (! (= x x) :named c))\n(check-sat)\n";
const INCREMENTAL: &str = "(declare-const x (_ BitVec 8))\n(push 1)\n(assert (= (bvadd x #x01) #x00))\n(check-sat)\n(pop 1)\n(check-sat)\n";

/// The verdict and the culprits of `falsum check` on a script, with a planted solver beside two real ones.
fn verdict(name: &str, script: &str, wrong: &str, when: &str) -> (String, Vec<String>) {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("case.smt2"), script).unwrap();
    let fake = testkit::fake_solver();
    let real = path_of("z3@5.4.0");
    let planted =
        format!("planted={} --real '{real} -in' --wrong {wrong} --wrong-when {when}", fake.display());
    let args = [
        "check",
        "case.smt2",
        "--json",
        "--status",
        "ignore",
        "-s",
        &planted,
        "-r",
        "z3@5.4.0",
        "-r",
        "cvc5@1.4.2",
    ];
    let output = falsum_in(folder.path(), &args);
    let text = String::from_utf8(output.stdout).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{name}: {error}: {text} {}", String::from_utf8_lossy(&output.stderr))
    });
    let culprits =
        json["culprits"].as_array().unwrap().iter().map(|c| c.as_str().unwrap().to_owned()).collect();
    // The verdict on the file as a whole is that of its worst finding.
    assert_eq!(json["certified"], true, "{name}: {text}");
    if let Some(worst) = json["findings"].as_array().unwrap().first() {
        assert_eq!((&worst["kind"], &worst["certified"]), (&json["verdict"], &true.into()), "{name}: {text}");
    }
    (json["verdict"].as_str().unwrap().to_owned(), culprits)
}

#[test]
fn every_planted_kind_is_found_and_the_planted_solver_is_named() {
    let planted = vec!["planted".to_owned()];
    for (name, script, wrong, kind) in [
        ("a flipped sat", SAT, "flip", "refutation-unsound"),
        ("a flipped unsat", UNSAT, "flip", "solution-unsound"),
        ("a wrong model", SAT, "model", "invalid-model"),
        ("a wrong core", CORE, "core", "invalid-core"),
        ("a crash", SAT, "crash", "crash"),
        ("wrong only when incremental", INCREMENTAL, "incremental-only", "refutation-unsound"),
    ] {
        assert_eq!(verdict(name, script, wrong, "bvadd"), (kind.to_owned(), planted.clone()), "{name}");
    }
}

#[test]
fn a_solver_that_is_right_is_not_accused() {
    for script in [SAT, UNSAT, CORE, INCREMENTAL] {
        let (verdict, culprits) = verdict("right", script, "flip", "no-such-operator");
        assert_eq!((verdict.as_str(), culprits), ("fine", vec![]), "{script}");
    }
}

/// A kind of planted bug, where it is planted, and how a hunt must report it.
struct Planted {
    wrong: &'static str,
    /// The text of a context in which the solver is wrong.
    when: &'static str,
    /// Folders of the embedded seeds in which that occurs.
    seeds: &'static [&'static str],
    /// What it may be accused of; empty if no solver may be accused.
    kinds: &'static [&'static str],
}

const PLANTED: [Planted; 7] = [
    Planted {
        wrong: "flip",
        when: "bvadd",
        seeds: &["QF_BV"],
        kinds: &["refutation-unsound", "solution-unsound", "inconsistent", "invalid-model"],
    },
    Planted { wrong: "model", when: "(", seeds: &["QF_BV", "QF_LIA"], kinds: &["invalid-model"] },
    Planted { wrong: "core", when: "(", seeds: &["NAMED"], kinds: &["invalid-core"] },
    Planted { wrong: "crash", when: "bvadd", seeds: &["QF_BV"], kinds: &["crash"] },
    Planted { wrong: "hang", when: "bvadd", seeds: &["QF_BV"], kinds: &[] },
    Planted { wrong: "flaky", when: "bvadd", seeds: &["QF_BV"], kinds: &[] },
    Planted {
        wrong: "incremental-only",
        when: "(",
        seeds: &["INCREMENTAL"],
        kinds: &["refutation-unsound", "solution-unsound", "inconsistent", "invalid-model"],
    },
];

/// Scripts with named assertions, whose cores mean something.
fn named(folder: &Path) {
    for n in 0..24u32 {
        let (a, b) = (n * 7 % 97, n * 13 % 89 + 1);
        let text = format!(
            "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(declare-const y (_ BitVec 8))\n\
             (assert (! (= (bvadd x y) (_ bv{a} 8)) :named first))\n(assert (! (= x (_ bv{b} 8)) :named second))\n\
             (assert (! (= y (bvadd (_ bv{a} 8) x)) :named third))\n(check-sat)\n"
        );
        std::fs::write(folder.join(format!("named-{n}.smt2")), text).unwrap();
    }
}

/// Scripts with more than one check-sat, and every embedded seed that pushes.
fn incremental(folder: &Path) {
    let pushing =
        corpus::embedded().filter(|seed| seed.logic.as_deref() == Some("QF_BV") && seed.checks.len() > 1);
    for (n, seed) in pushing.enumerate() {
        std::fs::write(folder.join(format!("seed-{n}.smt2")), &seed.text).unwrap();
    }
    for n in 0..12 {
        let text = INCREMENTAL.replace("#x00", &format!("#x{:02x}", n * 17));
        std::fs::write(folder.join(format!("own-{n}.smt2")), format!("(set-logic QF_BV)\n{text}")).unwrap();
    }
}

/// The result of a hunt.
struct Harvest {
    cases: u64,
    findings: Vec<(String, Vec<String>)>,
    summary: serde_json::Value,
    exit: Option<i32>,
    errors: String,
}

/// A hunt with a planted solver beside two real ones, all three of them targets.
fn hunt(planted: &Planted, cases: u64, folder: &Path) -> Harvest {
    let link = fake_z3(folder);
    let real = path_of("z3@5.4.0");
    let Planted { wrong, when, .. } = planted;
    let spec =
        format!("planted={} --real '{real} -in' --wrong {wrong} --wrong-when '{when}'", link.display());
    let cases_text = cases.to_string();
    let mut args = vec!["hunt".to_owned()];
    for seeds in planted.seeds {
        let own = folder.join(seeds);
        match *seeds {
            "NAMED" | "INCREMENTAL" => {
                std::fs::create_dir(&own).unwrap();
                if *seeds == "NAMED" {
                    named(&own)
                } else {
                    incremental(&own)
                }
                args.push(own.display().to_string());
            }
            logic => args.push(format!("{}/../corpus/seeds/{logic}", env!("CARGO_MANIFEST_DIR"))),
        }
    }
    let rest =
        ["--strategy", "seeds,opswap", "--cases", &cases_text, "--key", "planted", "--out", "out", "--json"];
    args.extend(rest.map(str::to_owned));
    let solvers = ["--no-reduce", "--timeout", "4s", "-s", &spec, "-s", "z3@5.4.0", "-s", "cvc5@1.4.2"];
    args.extend(solvers.map(str::to_owned));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = falsum_in(folder, &args);
    let (events, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut findings = vec![];
    let mut summary = serde_json::Value::Null;
    for line in events.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        match event["event"].as_str() {
            Some("finding") => {
                let culprits = event["culprits"].as_array().unwrap();
                let culprits = culprits.iter().map(|c| c.as_str().unwrap().to_owned()).collect();
                findings.push((event["kind"].as_str().unwrap().to_owned(), culprits));
            }
            Some("summary") => summary = event,
            _ => {}
        }
    }
    Harvest {
        cases: summary["cases"].as_u64().unwrap_or(0),
        findings,
        summary,
        exit: output.status.code(),
        errors: errors.into_owned(),
    }
}

/// Hunts with one planted kind and checks what is reported. `FALSUM_PLANTED_CASES=5000` is the long run over all kinds,
/// whose figures are in docs/measurements/speed.md.
fn is_found_and_no_other_solver_is_accused(wrong: &str, few: u64) {
    solvers();
    let planted = PLANTED.iter().find(|planted| planted.wrong == wrong).unwrap();
    let wanted = std::env::var("FALSUM_PLANTED_CASES").ok().and_then(|n| n.parse::<u64>().ok());
    let each = wanted.map_or(few, |all| all / PLANTED.len() as u64 + 1);
    let folder = tempfile::tempdir().unwrap();
    let harvest = hunt(planted, each, folder.path());
    assert!(harvest.cases >= each, "{wrong}: {} cases; {}", harvest.cases, harvest.errors);
    for (kind, culprits) in &harvest.findings {
        assert_eq!(culprits, &["planted"], "{wrong}: another solver is accused of {kind}");
        assert!(planted.kinds.contains(&kind.as_str()), "{wrong}: accused of {kind}");
    }
    let target = &harvest.summary["targets"]["planted"];
    let flaky: u64 =
        ["seeds", "opswap"].iter().filter_map(|s| harvest.summary["strategies"][s]["flaky"].as_u64()).sum();
    match wrong {
        "hang" => assert!(target["timeouts"].as_u64() > Some(0), "{}", harvest.summary),
        "flaky" => {
            assert!(flaky > 0, "{}", harvest.summary);
            assert!(folder.path().join("out/flaky").is_dir(), "what is flaky is kept");
        }
        _ => assert!(!harvest.findings.is_empty(), "{wrong} is not seen: {}", harvest.summary),
    }
    let expected = if harvest.findings.is_empty() { 0 } else { 10 };
    assert_eq!(harvest.exit, Some(expected), "{wrong}: {}", harvest.errors);
    println!(
        "{wrong:<17} cases {:>5}  findings {:>4}  flaky {flaky:>4}  timeouts {:>4}  others accused 0",
        harvest.cases,
        harvest.findings.len(),
        target["timeouts"]
    );
}

#[test]
fn a_hunt_finds_flipped_answers() {
    is_found_and_no_other_solver_is_accused("flip", 30);
}

#[test]
fn a_hunt_finds_wrong_models() {
    is_found_and_no_other_solver_is_accused("model", 30);
}

#[test]
fn a_hunt_finds_wrong_cores() {
    is_found_and_no_other_solver_is_accused("core", 30);
}

#[test]
fn a_hunt_finds_crashes() {
    is_found_and_no_other_solver_is_accused("crash", 30);
}

#[test]
fn a_hunt_counts_a_solver_that_hangs_as_timeouts() {
    is_found_and_no_other_solver_is_accused("hang", 40);
}

#[test]
fn a_hunt_keeps_flaky_answers_and_accuses_no_solver_of_them() {
    is_found_and_no_other_solver_is_accused("flaky", 40);
}

#[test]
fn a_hunt_finds_answers_that_are_wrong_only_in_an_incremental_script() {
    is_found_and_no_other_solver_is_accused("incremental-only", 10);
}
