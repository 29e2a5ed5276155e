//! What a whole campaign does when solvers, the terminal or the machine fail; and that the table in
//! docs/guarantees/reliability.md names tests that exist.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, home};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn seeds() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV").display().to_string()
}

/// A hunt with fake solvers that has begun: its folder is there.
fn begin(folder: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_falsum"));
    command.args([
        "hunt",
        &seeds(),
        "--strategy",
        "seeds,opswap",
        "--schedule",
        "fixed",
        "--no-reduce",
        "--out",
        "out",
    ]);
    command.args(args).current_dir(folder).env("FALSUM_HOME", home());
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while !folder.join("out/events.jsonl").exists() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn copy_of_the_fake(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::copy(testkit::fake_solver(), &path).unwrap();
    path
}

#[test]
fn a_solver_replaced_in_a_campaign_is_disabled_with_the_reason_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let alpha = copy_of_the_fake(folder.path(), "alpha");
    let beta = copy_of_the_fake(folder.path(), "beta");
    let [first, second] =
        [("a", &alpha), ("b", &beta)].map(|(n, p)| format!("{n}={} --answer unknown", p.display()));
    let hunt = begin(folder.path(), &["-s", &first, "-s", &second, "--for", "4s", "-j", "2"]);
    let other = folder.path().join("other");
    std::fs::copy("/bin/true", &other).unwrap();
    std::fs::rename(&other, &alpha).unwrap();
    let output = hunt.wait_with_output().unwrap();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("a has been disabled: ") && said.contains("was replaced while it was in use"),
        "{said}"
    );
    assert!(!said.contains("b has been disabled"), "{said}");
    let events = std::fs::read_to_string(folder.path().join("out/events.jsonl")).unwrap();
    assert!(events.contains("\"event\":\"target-disabled\",\"target\":\"a\""), "the record does not have it");
    let campaign = std::fs::read_to_string(folder.path().join("out/campaign.toml")).unwrap();
    assert!(campaign.matches("hash = ").count() >= 2, "{campaign}");
}

#[test]
fn a_campaign_whose_only_solver_is_gone_ends_with_the_code_for_no_solver() {
    let folder = tempfile::tempdir().unwrap();
    let only = copy_of_the_fake(folder.path(), "only");
    let spec = format!("only={} --answer unknown", only.display());
    let hunt = begin(folder.path(), &["-s", &spec, "--for", "60s"]);
    std::fs::remove_file(&only).unwrap();
    let output = hunt.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(12), "{}", text(&output));
    assert!(text(&output).contains("is gone"), "{}", text(&output));
}

#[test]
fn a_hangup_saves_and_stops_and_the_campaign_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!("fake={} --answer unknown", testkit::fake_solver().display());
    let hunt = begin(folder.path(), &["-s", &spec, "--for", "60s"]);
    signal(&hunt, "-HUP");
    let output = hunt.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output));
    let again = begin(folder.path(), &["-s", &spec, "--cases", "5", "--resume"]).wait_with_output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", text(&again));
}

#[test]
fn a_closed_pipe_ends_a_hunt_in_order_and_every_other_command_silently() {
    let folder = tempfile::tempdir().unwrap();
    // It says unsat to everything, so there are findings, and lines for the reader, all the time.
    let spec = format!("liar={} --answer unsat", testkit::fake_solver().display());
    let mut hunt = begin(folder.path(), &["-s", &spec, "--for", "60s", "--json"]);
    let mut lines = BufReader::new(hunt.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.starts_with('{'), "{first}");
    drop(lines);
    let output = hunt.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output));
    assert!(!text(&output).contains("panicked"), "{}", text(&output));
    let resumed = falsum_in(folder.path(), &["status", "out"]);
    assert!(resumed.status.success(), "{}", text(&resumed));

    let mut list = Command::new(env!("CARGO_BIN_EXE_falsum"));
    list.args(["corpus", "list"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut list = list.spawn().unwrap();
    let mut one = [0u8];
    list.stdout.take().unwrap().read_exact(&mut one).unwrap();
    let output = list.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", text(&output));
}

#[test]
fn with_too_few_threads_a_hunt_uses_fewer_workers_and_does_not_fail() {
    let folder = tempfile::tempdir().unwrap();
    // A worker reserves 256 MB of address space for its stack: not all of 60 fit into 8 GB.
    let line = format!(
        "ulimit -v 8000000; exec '{}' hunt '{}' --strategy seeds --no-reduce --out out -j 60 --cases 30 -s 'fake={} --answer unknown'",
        env!("CARGO_BIN_EXE_falsum"),
        seeds(),
        testkit::fake_solver().display()
    );
    let output = Command::new("sh")
        .args(["-c", &line])
        .current_dir(folder.path())
        .env("FALSUM_HOME", home())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("of 60 workers: no further thread"), "{}", text(&output));
}

#[test]
fn a_solver_whose_answers_vary_is_never_called_unsound() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("sat.smt2");
    std::fs::write(&script, "(set-logic QF_BV)(declare-const x (_ BitVec 2))(assert (= x #b01))(check-sat)")
        .unwrap();
    let flaky = |name: &str| {
        let count = folder.path().join(name);
        format!("flaky={} --behave alternate:{}", testkit::fake_solver().display(), count.display())
    };
    // Whether the first answer is the wrong one depends on whether it was run an even number of times before.
    let judged: Vec<serde_json::Value> = (0..2)
        .map(|before| {
            for _ in 0..before {
                let count = folder.path().join("check");
                let behaviour = format!("alternate:{}", count.display());
                let mut once = Command::new(testkit::fake_solver());
                assert!(once.args(["--behave", &behaviour]).arg(&script).output().is_ok());
            }
            let args = ["check", "sat.smt2", "--json", "--sandbox", "off", "-s", &flaky("check")];
            let output = falsum_in(folder.path(), &args);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output));
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)))
        })
        .collect();
    assert!(judged.iter().all(|said| said["findings"] == serde_json::json!([])), "{judged:?}");
    let flaky_said = |said: &serde_json::Value| {
        said["verdict"] == "inconclusive" && said["why"].to_string().contains("flaky")
    };
    assert!(judged.iter().any(flaky_said), "{judged:?}");

    // It counts its runs in a file, which the sandbox would not let it write.
    let flaky = flaky("hunt");
    let args = ["-s", &flaky, "--sandbox", "off", "--session", "fresh", "--cases", "40", "-j", "1"];
    let hunt = begin(folder.path(), &args);
    let output = hunt.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let events = std::fs::read_to_string(folder.path().join("out/events.jsonl")).unwrap();
    assert!(events.contains(r#""event":"unconfirmed""#), "{events}");
}

/// The seeds of one logic that are satisfiable.
fn sat_seeds() -> String {
    format!("{}/sat", seeds())
}

#[test]
fn a_solver_that_is_wrong_in_one_or_in_nine_of_ten_runs_is_one_flaky_entry_and_no_bug() {
    for behaviour in ["unsat-in-1-of-10", "unsat-in-9-of-10"] {
        let folder = tempfile::tempdir().unwrap();
        let count = folder.path().join("count");
        let spec =
            format!("dice={} --behave {behaviour}:{}", testkit::fake_solver().display(), count.display());
        let args = ["hunt", &sat_seeds(), "--strategy", "seeds", "--no-reduce", "--out", "out", "-s", &spec];
        let more = ["--sandbox", "off", "--session", "fresh", "--cases", "16", "-j", "1"];
        let output = falsum_in(folder.path(), &[&args[..], &more].concat());
        assert_eq!(output.status.code(), Some(0), "{behaviour}: {}", text(&output));
        let report = falsum_in(folder.path(), &["report", "out", "--format", "json"]);
        let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
        assert_eq!(report["bugs"], serde_json::json!([]), "{behaviour}");
        let flaky = report["flaky"].as_array().unwrap();
        assert_eq!(flaky.len(), 1, "{behaviour}: {flaky:?}");
        let (shown, runs) =
            (flaky[0]["rate"]["shown"].as_u64().unwrap(), flaky[0]["rate"]["runs"].as_u64().unwrap());
        let share = shown as f64 / runs.max(1) as f64;
        match behaviour {
            // The first fresh run seldom shows it again; where one does, the share is small.
            "unsat-in-1-of-10" => assert!(share < 0.4, "{shown} of {runs}"),
            _ => assert!(runs >= 100 && (0.8..0.99).contains(&share), "{shown} of {runs}"),
        }
        let said = text(&falsum_in(folder.path(), &["report", "out"]));
        assert_eq!(said.matches("flaky, so no solver is accused").count(), 1, "{said}");
    }
}

#[test]
fn a_finding_keeps_in_how_many_fresh_runs_it_showed() {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!("liar={} --answer unsat", testkit::fake_solver().display());
    let args = ["hunt", &sat_seeds(), "--strategy", "seeds", "--no-reduce", "--out", "out", "-s", &spec];
    falsum_in(folder.path(), &[&args[..], &["--cases", "2", "-j", "1"]].concat());
    let report = falsum_in(folder.path(), &["report", "out", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    let rate = &report["bugs"][0]["rate"];
    assert!(rate["runs"].as_u64().is_some_and(|runs| runs >= 2) && rate["shown"] == rate["runs"], "{report}");
    let said = text(&falsum_in(folder.path(), &["report", "out", "--format", "markdown"]));
    assert!(said.contains("Fresh runs: it shows in "), "{said}");
}

#[test]
fn what_a_solver_leaves_running_is_in_the_report_of_the_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let spec =
        format!("litter={} --behave leak-grandchild --answer unknown", testkit::fake_solver().display());
    let args = ["hunt", &sat_seeds(), "--strategy", "seeds", "--no-reduce", "--out", "out", "-s", &spec];
    let output = falsum_in(
        folder.path(),
        &[&args[..], &["--session", "fresh", "--cases", "2", "-j", "1", "--key", "k"]].concat(),
    );
    let said = text(&falsum_in(folder.path(), &["report", "out"]));
    assert!(said.contains("litter left processes running after 2 tests"), "{said}\n{}", text(&output));
    let status = falsum_in(folder.path(), &["status", "out", "--json"]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(
        status["summary"]["targets"]["litter"]["leaks"]
            .as_u64()
            .or(status["targets"]["litter"]["leaks"].as_u64()),
        Some(2),
        "{status}"
    );
}

/// What `--for` may take after its time, and what a busy machine may add.
const GRACE: Duration = Duration::from_millis(10_400);
const SLACK: Duration = Duration::from_secs(20);

#[test]
fn a_hunt_ends_within_its_time_and_the_stated_grace_whatever_solvers_do() {
    // Never answers and never echoes; never reads; stops itself; lies, so that triage has more to do than time.
    let solvers =
        ["--behave sleep:60000", "--behave never-read-stdin:60000", "--behave stop-self", "--answer unsat"];
    let hunt = |args: &str| {
        let folder = tempfile::tempdir().unwrap();
        let spec = format!("bad={} {args}", testkit::fake_solver().display());
        let begun = [
            "hunt",
            &seeds(),
            "--strategy",
            "seeds,opswap",
            "--out",
            "out",
            "-s",
            &spec,
            "--for",
            "2s",
            "-j",
            "2",
        ];
        let began = Instant::now();
        let output = falsum_in(folder.path(), &begun);
        (began.elapsed(), text(&output))
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = solvers.iter().map(|args| (args, scope.spawn(|| hunt(args)))).collect();
        for (args, handle) in all {
            let (took, said) = handle.join().unwrap();
            assert!(took < Duration::from_secs(2) + GRACE + SLACK, "{args}: {took:?}\n{said}");
            assert!(!said.contains("panicked"), "{args}: {said}");
        }
    });
}

#[test]
fn time_in_which_the_hunt_was_stopped_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!("fake={} --answer unknown", testkit::fake_solver().display());
    let hunt = begin(folder.path(), &["-s", &spec, "--for", "3s", "-j", "1"]);
    let began = Instant::now();
    signal(&hunt, "-STOP");
    std::thread::sleep(Duration::from_secs(4));
    signal(&hunt, "-CONT");
    let output = hunt.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(began.elapsed() > Duration::from_millis(6_200), "{:?}", began.elapsed());
}

#[test]
fn too_few_descriptors_make_a_smaller_hunt_that_says_so_and_no_errors() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!(
        "ulimit -n 64; exec '{}' hunt '{}' --strategy seeds,opswap --schedule fixed --no-reduce --out out -j 16 --cases 60 -s 'fake={} --answer unknown'",
        env!("CARGO_BIN_EXE_falsum"),
        seeds(),
        testkit::fake_solver().display()
    );
    let mut shell = Command::new("sh");
    let output =
        shell.args(["-c", &line]).current_dir(folder.path()).env("FALSUM_HOME", home()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(
        text(&output).contains("of 16 workers, since no more than 64 files may be open"),
        "{}",
        text(&output)
    );
    let status = falsum_in(folder.path(), &["status", "out", "--json"]);
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(status.contains("\"errors\": 0") || status.contains("\"errors\":0"), "{status}");
    assert!(!status.contains("\"unavailable\""), "{status}");
}

/// Each of the sets of options that a hunt varies has processes of its own, and they were not counted.
#[test]
fn processes_kept_for_sets_of_options_do_not_use_up_the_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let options: String = (0..12).map(|n| format!("option{n} int\n")).collect();
    std::fs::write(folder.path().join("options.txt"), format!("fake\n{options}")).unwrap();
    let fake = |name: &str| format!("-s '{name}={} --answer unknown'", testkit::fake_solver().display());
    let line = format!(
        "ulimit -n 64; exec '{}' hunt '{}' --strategy seeds,opswap --schedule fixed --no-reduce --out out -j 4 --cases 120 \
         --session scoped --options options.txt {} {}",
        env!("CARGO_BIN_EXE_falsum"),
        seeds(),
        fake("one"),
        fake("two")
    );
    let mut shell = Command::new("sh");
    let output =
        shell.args(["-c", &line]).current_dir(folder.path()).env("FALSUM_HOME", home()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let status = falsum_in(folder.path(), &["status", "out", "--json"]);
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(!status.contains("\"unavailable\""), "{status}");
}

#[test]
fn the_soft_limit_on_descriptors_is_raised_as_far_as_the_hard_one() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!(
        "ulimit -Sn 64; exec '{}' hunt '{}' --strategy seeds --no-reduce --out out -j 16 --cases 20 -s 'fake={} --answer unknown'",
        env!("CARGO_BIN_EXE_falsum"),
        seeds(),
        testkit::fake_solver().display()
    );
    let mut shell = Command::new("sh");
    let output =
        shell.args(["-c", &line]).current_dir(folder.path()).env("FALSUM_HOME", home()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(!text(&output).contains("of 16 workers"), "{}", text(&output));
}

/// `| 14 | … | `file::test`, … |`: every test named in the table must be a function of that file.
#[test]
fn the_reliability_table_names_tests_that_exist_for_every_row() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/guarantees/reliability.md")).unwrap();
    let mut rows = std::collections::BTreeSet::new();
    for line in page.lines().filter(|l| l.starts_with("| ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Ok(row) = cells[1].parse::<u32>() else { continue };
        rows.insert(row);
        let names: Vec<&str> = cells[3].split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "row {row} names no test");
        for name in names {
            let (file, test) = name.split_once("::").unwrap_or_else(|| panic!("{name} has no file"));
            let text = std::fs::read_to_string(root.join("crates").join(file))
                .unwrap_or_else(|e| panic!("{file}: {e}"));
            assert!(text.contains(&format!("fn {test}(")), "row {row}: there is no {test} in {file}");
        }
    }
    // Row 30 is about the dashboard, which is not there yet.
    let missing: Vec<u32> = (1..=48).filter(|row| *row != 30 && !rows.contains(row)).collect();
    assert!(missing.is_empty(), "rows without tests: {missing:?}");
}
