//! Failures outside falsum: what the user sees afterwards, and the exit code. One test per incident.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::falsum_in;
use std::path::Path;
use std::process::Output;

const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.smt2"), SCRIPT).unwrap();
    folder
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a command that must end with this code; returns everything it prints.
#[track_caller]
fn ends(folder: &Path, args: &[&str], code: i32) -> String {
    let output = falsum_in(folder, args);
    assert_eq!(output.status.code(), Some(code), "{args:?} {}", said(&output));
    said(&output)
}

#[test]
fn a_reduction_to_nothing_ends() {
    let folder = folder();
    ends(folder.path(), &["reduce", "a.smt2", "--ignore-output", "-o", "b.smt2", "--", "/bin/true"], 0);
    assert_eq!(std::fs::read(folder.path().join("b.smt2")).unwrap(), b"");
}

#[test]
fn a_reduction_that_fails_leaves_an_earlier_result_alone_and_no_file_behind() {
    let folder = folder();
    let out = folder.path().join("a.reduced.smt2");
    ends(folder.path(), &["reduce", "a.smt2", "--script", "/bin/false"], 2);
    assert!(!out.exists());
    std::fs::write(&out, "precious").unwrap();
    ends(folder.path(), &["reduce", "a.smt2", "--script", "/bin/false"], 2);
    assert_eq!(std::fs::read(&out).unwrap(), b"precious");
    ends(folder.path(), &["reduce", "a.smt2", "--script", "/bin/true", "-o", "no/such/folder"], 2);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// Runs falsum with a full disk behind its standard output.
fn into_a_full_disk(folder: &Path, args: &[&str]) -> Output {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
    command.args(args).current_dir(folder).env("FALSUM_HOME", machine::home()).stdout(full).output().unwrap()
}

#[test]
fn a_full_disk_behind_the_output_is_reported_with_its_own_exit_code() {
    let folder = folder();
    for args in [
        &["parse", "a.smt2"][..],
        &["parse", "a.smt2", "--check"],
        &["corpus", "list"],
        &["solvers", "list", "--json"],
        &["strategy", "list", "--json"],
        &["generate", "a.smt2", "--strategy", "opswap"],
        &["generate", "a.smt2", "--strategy", "opswap", "--json"],
        &["enumerate", "--grammar", "Core", "--no-solve", "--out", "-"],
        &["man"],
        &["--help"],
    ] {
        let output = into_a_full_disk(folder.path(), args);
        assert_eq!(output.status.code(), Some(14), "{args:?} {}", said(&output));
        assert!(said(&output).starts_with("error: "), "{args:?} {}", said(&output));
        assert!(!said(&output).contains("panicked") && !said(&output).contains("bug in falsum"), "{args:?}");
    }
}

#[test]
fn workers_are_between_1_and_1024_for_every_command() {
    let folder = folder();
    for jobs in ["0", "1000000000000"] {
        for args in [
            &["hunt"][..],
            &["reduce", "a.smt2"],
            &["enumerate", "--grammar", "Core"],
            &["evolution"],
            &["tour"],
        ] {
            let said = ends(folder.path(), &[args, &["-j", jobs]].concat(), 2);
            assert!(said.contains("is not a number of workers"), "{args:?} {said}");
        }
    }
}

#[test]
fn a_mistake_in_the_configuration_is_reported_and_init_and_doctor_still_run() {
    let folder = folder();
    let write = |text: &str| std::fs::write(folder.path().join("falsum.toml"), text).unwrap();
    write("[generate]\nstrategy = \"no-such-strategy\"\ncases = \"many\"\n");
    let said = ends(folder.path(), &["generate", "a.smt2"], 2);
    assert!(said.contains("falsum.toml adds --cases=many --strategy=no-such-strategy"), "{said}");
    write("[generate\n");
    let said = ends(folder.path(), &["generate", "a.smt2", "--strategy", "opswap"], 2);
    assert!(said.starts_with("error: falsum.toml:1: "), "{said}");
    ends(folder.path(), &["generate", "--help"], 0);
    ends(folder.path(), &["init", "--force"], 0);
    ends(folder.path(), &["generate", "a.smt2", "--strategy", "opswap"], 0);
}

#[test]
fn named_seeds_that_do_not_exist_are_an_error() {
    let folder = folder();
    let solver = testkit::fake_solver().display().to_string();
    for args in [
        &["generate", "a.smt2", "missing", "--strategy", "opswap"][..],
        &["corpus", "list", "a.smt2", "missing"],
        &["corpus", "stats", "missing"],
        &["corpus", "import", "--no-vet", "a.smt2", "missing"],
        &["hunt", "a.smt2", "missing", "-s", &solver, "--cases", "1"],
    ] {
        let said = ends(folder.path(), args, 2);
        assert!(said.contains("missing: No such file"), "{args:?} {said}");
    }
    assert!(!folder.path().join("falsum-out").exists());
}

#[test]
fn nothing_to_verify_is_an_error_and_a_function_that_values_refute_is_wrong_even_without_a_claim() {
    let folder = folder();
    let verify = |more: &[&str], code| {
        ends(folder.path(), &[&["strategy", "verify", "--no-solvers"], more].concat(), code)
    };
    std::fs::write(folder.path().join("none.txt"), "").unwrap();
    assert!(verify(&["--functions", "none.txt"], 2).contains("no fusion function"));
    assert!(verify(&["--only", "nosuchrule"], 2).contains("nosuchrule"));
    let half = "#begin\n; half\n(declare-const x Int)(declare-const y Int)(declare-const z Int)\n\
        (assert (= z (+ (div x 2) y)))\n(assert (= x (* 2 (- z y))))\n(assert (= y (- z (div x 2))))\n#end\n";
    std::fs::write(folder.path().join("half.txt"), half).unwrap();
    let said = verify(&["--functions", "half.txt"], 10);
    assert!(said.contains("WRONG") && said.contains("1 function: ") && said.contains("; 1 wrong"), "{said}");
}

/// A solver that says `sat` and prints the model x = 1 if requested; its error messages contain colour codes.
fn one(more: &str) -> String {
    format!("one={} --answer sat {more}", testkit::fake_solver().display())
}

#[test]
fn a_file_that_cannot_be_read_is_reported_among_the_verdicts_of_the_others() {
    let folder = folder();
    std::fs::write(folder.path().join("bad.smt2"), "(assert (> true 1))").unwrap();
    let solver = one("");
    let args = ["check", "bad.smt2", "nowhere.smt2", "a.smt2", "--json", "-s", &solver];
    let output = falsum_in(folder.path(), &args);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let lines: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(
        lines[0]["error"].is_string() && lines[1]["error"].is_string() && lines[2]["verdict"].is_string()
    );
}

#[test]
fn the_users_model_decides_the_exit_code() {
    let folder = folder();
    let solver = one("");
    for (model, code) in
        [("((define-fun x () Int 1))", 0), ("((define-fun x () Int 0))", 10), ("no model", 2)]
    {
        std::fs::write(folder.path().join("m"), model).unwrap();
        ends(folder.path(), &["check", "a.smt2", "--model", "m", "-s", &solver, "--status", "ignore"], code);
    }
}

#[test]
fn a_wrong_status_is_reported() {
    machine::solvers();
    let folder = folder();
    let said = ends(folder.path(), &["check", "a.smt2", "-s", "z3@5.4.0", "--status", "unsat"], 0);
    assert!(said.contains("the status of check 1 is wrong: it says unsat, and sat is certified"), "{said}");
    let said = ends(folder.path(), &["check", "a.smt2", "-s", "z3@5.4.0", "--status", "sat"], 0);
    assert!(!said.contains("status"), "{said}");
}

#[test]
fn a_dash_means_standard_input() {
    let folder = folder();
    std::fs::write(folder.path().join("m"), "((define-fun x () Int 1))").unwrap();
    let solver = one("");
    for args in [&["eval", "-", "--model", "m"][..], &["check", "-", "-s", &solver]] {
        let script = std::fs::File::open(folder.path().join("a.smt2")).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
        command.args(args).current_dir(folder.path()).env("FALSUM_HOME", machine::home()).stdin(script);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?} {}", said(&output));
    }
}

#[test]
fn a_second_tour_is_refused_with_a_hint_before_anything_is_downloaded() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("falsum-tour")).unwrap();
    std::fs::write(folder.path().join("falsum-tour/campaign.toml"), "").unwrap();
    let said = ends(folder.path(), &["tour"], 2);
    assert!(said.contains("--out OTHER") && !said.contains("--resume") && !said.contains("1/5"), "{said}");
}

#[test]
fn a_solver_that_cannot_be_run_is_refused_with_the_reason() {
    let folder = folder();
    for (solver, code, why) in [
        ("./nosuch", 12, "no such program"),
        ("/tmp", 12, "a folder, not a program"),
        ("./a.smt2", 12, "not executable"),
        ("nosuch", 12, "nor a program on PATH"),
        ("z3@5.4.0 rewriter.hi_div0=false", 2, "changes what division by zero means"),
    ] {
        let said = ends(folder.path(), &["check", "a.smt2", "-s", solver], code);
        assert!(said.contains(why), "{solver}: {said}");
    }
    let same = ["check", "a.smt2", "-s", "a=z3@5.4.0", "-r", "a=cvc5@1.4.2"];
    assert!(ends(folder.path(), &same, 2).contains("two solvers are called a"));
    assert!(
        ends(folder.path(), &["check", "a.smt2", "-s", "z3@5.4.0", "--timeout", "0"], 2)
            .contains("greater than zero")
    );
}

#[test]
fn a_hunt_with_a_solver_that_never_answers_does_not_exit_with_0() {
    let folder = folder();
    let hunt = ["hunt", "a.smt2", "--strategy", "seeds", "--cases", "1", "-s", "/bin/true"];
    assert!(ends(folder.path(), &hunt, 12).contains("does not answer a simple query"));
}

/// A hunt in `out` that finds something on every other formula.
fn liar_hunt(folder: &Path, extra: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV");
    command.arg("hunt").arg(seeds).args(["--strategy", "seeds,opswap", "--key", "liar", "--out", "out"]);
    command.arg("-s").arg(format!("liar={} --instant unsat", machine::fake_z3(folder).display()));
    command.args(extra).current_dir(folder).env("FALSUM_HOME", machine::home());
    command.stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    command
}

#[track_caller]
fn assert_clear(output: &Output, codes: &[i32]) {
    let code = output.status.code().unwrap_or(-1);
    let said = said(output);
    assert!(codes.contains(&code), "{code} {said}");
    assert!(!said.contains("bug in falsum") && !said.contains("panicked"), "{said}");
}

#[test]
fn an_empty_database_is_reported_as_empty_and_rebuilt() {
    let folder = folder();
    let first = liar_hunt(folder.path(), &["--cases", "40", "--no-reduce", "-j", "1"]).output().unwrap();
    assert_clear(&first, &[0, 10]);
    std::fs::write(folder.path().join("out/falsum.db"), "").unwrap();
    for args in [&["status", "out"][..], &["report", "out"], &["replay", "f-", "--out", "out"]] {
        let said = ends(folder.path(), args, 2);
        assert!(said.contains("it is empty") && said.contains("--resume"), "{args:?} {said}");
    }
    let resume = ["--cases", "20", "--no-reduce", "-j", "1", "--resume"];
    let resumed = liar_hunt(folder.path(), &resume).output().unwrap();
    assert_clear(&resumed, &[0, 10]);
    assert!(said(&resumed).contains("it is empty"), "{}", said(&resumed));
}

#[test]
fn without_a_home_folder_programs_that_the_user_names_still_run() {
    let folder = folder();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
    command.args(["check", "a.smt2", "-s"]).arg(format!("{} --answer sat", testkit::fake_solver().display()));
    for name in ["HOME", "XDG_DATA_HOME", "FALSUM_HOME"] {
        command.env_remove(name);
    }
    let output = command.current_dir(folder.path()).output().unwrap();
    assert_clear(&output, &[0]);
    // A release has to be installed somewhere, and the message says so.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
    for name in ["HOME", "XDG_DATA_HOME", "FALSUM_HOME"] {
        command.env_remove(name);
    }
    let output = command.args(["check", "a.smt2", "-s", "z3"]).current_dir(folder.path()).output().unwrap();
    assert!(said(&output).contains("FALSUM_HOME"), "{}", said(&output));
}

#[test]
fn with_little_address_space_falsum_uses_smaller_stacks_or_reports_the_limit() {
    let folder = folder();
    let fake = format!("{} --answer sat", testkit::fake_solver().display());
    for kilobytes in ["1000000", "400000", "120000", "60000"] {
        let script = "ulimit -v $1; shift; exec \"$@\"";
        let mut command = std::process::Command::new("sh");
        command.args([
            "-c",
            script,
            "sh",
            kilobytes,
            env!("CARGO_BIN_EXE_falsum"),
            "check",
            "a.smt2",
            "-s",
            &fake,
        ]);
        let output = command.current_dir(folder.path()).env("FALSUM_HOME", machine::home()).output().unwrap();
        assert_clear(&output, &[0, 2, 12]);
        assert!(output.status.code() != Some(2) || said(&output).contains("ulimit"), "{}", said(&output));
    }
}

#[test]
fn deleting_findings_during_a_hunt_loses_those_findings_and_does_not_end_the_hunt() {
    let folder = folder();
    let hunt = liar_hunt(folder.path(), &["--cases", "150", "-j", "2"]).spawn().unwrap();
    let all = folder.path().join("out/findings");
    for _ in 0..30 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let _ = std::fs::remove_dir_all(&all);
    }
    let output = hunt.wait_with_output().unwrap();
    assert_clear(&output, &[0, 10]);
}

#[test]
fn findings_of_which_a_part_is_deleted_during_a_hunt_cost_themselves_and_not_the_hunt() {
    let folder = folder();
    let hunt = liar_hunt(folder.path(), &["--for", "3s", "-j", "2"]).spawn().unwrap();
    for part in ["formula.smt2", "meta.json", "run.sh"].iter().cycle().take(30) {
        std::thread::sleep(std::time::Duration::from_millis(150));
        for entry in std::fs::read_dir(folder.path().join("out/findings")).into_iter().flatten().flatten() {
            let _ = std::fs::remove_file(entry.path().join(part));
        }
    }
    let output = hunt.wait_with_output().unwrap();
    assert_clear(&output, &[0, 10]);
}
