//! The rules that strategies rely on are right: no value refutes them, and real solvers prove them.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, solvers};

#[test]
fn every_total_fusion_function_is_proved_by_a_solver_and_refuted_by_none() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    let args = ["strategy", "verify", "--strategy", "fusion", "--json", "--timeout", "4s"];
    let output = falsum_in(folder.path(), &[&args[..], &["-s", "z3@5.4.0", "-s", "cvc5@1.4.2"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let reports: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let reports = reports.as_array().unwrap();
    assert!(reports.len() >= 60, "{}", reports.len());
    let unproved: Vec<&str> = reports
        .iter()
        .filter(|report| report["claims"] == "total")
        .filter(|report| {
            let opinions = report["solvers"].as_array().unwrap();
            !opinions.iter().any(|opinion| opinion["proved"].as_u64().unwrap() > 0)
        })
        .map(|report| report["function"].as_str().unwrap())
        .collect();
    // A prime field can only be solved by a cvc5 built with a library that some releases lack.
    assert!(unproved.iter().all(|name| *name == "field-add"), "{unproved:?} {stderr}");
}

#[test]
fn a_wrong_function_in_a_users_file_is_refuted_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#begin total\n; half: wrong for odd numbers\n(declare-const x Int)(declare-const y Int)\n\
        (declare-const z Int)\n(assert (= z (+ (div x 2) y)))\n(assert (= x (* 2 (- z y))))\n\
        (assert (= y (- z (div x 2))))\n#end\n";
    std::fs::write(folder.path().join("functions.txt"), text).unwrap();
    let output =
        falsum_in(folder.path(), &["strategy", "verify", "--no-solvers", "--functions", "functions.txt"]);
    assert_eq!(output.status.code(), Some(10));
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(stdout.starts_with("WRONG half"), "{stdout}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("this should hold and does not"));
}

#[test]
fn a_class_with_a_name_that_is_not_an_operator_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("classes.txt"), "bvnot,bvneg\nbvadd,bvsubb\nabs,str.len\n").unwrap();
    let args = ["strategy", "verify", "--no-solvers", "--only", "none", "--classes", "classes.txt"];
    let output = falsum_in(folder.path(), &args);
    assert_eq!(output.status.code(), Some(10));
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(stdout.contains("WRONG bvsubb"), "{stdout}");
    assert!(stdout.contains("note  abs -> str.len"), "{stdout}");
}

#[test]
fn rules_of_implication_are_proved_and_a_wrong_one_of_the_user_is_refuted() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    let args = ["strategy", "verify", "--strategy", "weaken", "--only", "core/table-", "--timeout", "4s"];
    let output = falsum_in(folder.path(), &[&args[..], &["-s", "z3@5.4.0", "-s", "cvc5@1.4.2"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("weaken: 11 rules, 0 wrong; 11 with every instance proved"), "{stderr}");
    let wrong = "(section s (x Int) (y Int) (c Int))\n(rule shifted (<= x y) => (<= x (+ y c)))\n";
    std::fs::write(folder.path().join("rules.txt"), wrong).unwrap();
    let output = falsum_in(folder.path(), &["strategy", "verify", "--no-solvers", "--rules", "rules.txt"]);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(10), "{stdout}{stderr}");
    assert!(stdout.starts_with("WRONG s/shifted") && stderr.contains("this should hold and does not"));
}
