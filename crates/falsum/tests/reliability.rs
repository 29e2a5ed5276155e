//! What a whole campaign does when solvers, the terminal or the machine fail; and that the table in
//! docs/reliability.md names tests that exist.

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
    let output =
        falsum_in(folder.path(), &["check", "sat.smt2", "--json", "--sandbox", "off", "-s", &flaky("check")]);
    let said: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)));
    assert_eq!(said["verdict"], "inconclusive", "{said}");
    assert!(said["why"].to_string().contains("flaky"), "{said}");
    assert_eq!(output.status.code(), Some(0));

    // It counts its runs in a file, which the sandbox would not let it write.
    let flaky = flaky("hunt");
    let args = ["-s", &flaky, "--sandbox", "off", "--session", "fresh", "--cases", "40", "-j", "1"];
    let hunt = begin(folder.path(), &args);
    let output = hunt.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let events = std::fs::read_to_string(folder.path().join("out/events.jsonl")).unwrap();
    assert!(events.contains("flaky in "), "{events}");
}

/// `| 14 | … | `file::test`, … |`: every test named in the table must be a function of that file.
#[test]
fn the_reliability_table_names_tests_that_exist_for_every_row() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/reliability.md")).unwrap();
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
    let mine = (1..=19).chain([23, 28, 32, 35, 36, 37, 38, 39, 40, 41, 45, 46]);
    let missing: Vec<u32> = mine.filter(|row| !rows.contains(row)).collect();
    assert!(missing.is_empty(), "rows without tests: {missing:?}");
}
