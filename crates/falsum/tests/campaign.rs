//! A campaign is a function of its key: the number of workers, shards and interruptions do not change its cases.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod machine;

use machine::{fake_z3, falsum_in, home, solvers};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Runs a short hunt with z3 over bit-vector seeds, which it decides quickly.
fn hunt(folder: &Path, out: &str, extra: &[&str]) -> serde_json::Value {
    hunt_with("z3@5.4.0", folder, out, extra)
}

fn hunt_with(solver: &str, folder: &Path, out: &str, extra: &[&str]) -> serde_json::Value {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV");
    let seeds = seeds.display().to_string();
    let mut args =
        vec!["hunt", &seeds, "--strategy", "seeds,opswap", "--schedule", "fixed", "--key", "k", "--json"];
    args.extend(["-s", solver, "--no-reduce", "--session", "scoped", "--out", out]);
    args.extend(extra);
    let output = falsum_in(folder, &args);
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(text.lines().last().unwrap_or("null"))
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Strategy, unit, step, hash and verdict of every case in a folder, by unit.
fn cases(folder: &Path, out: &str) -> Rows {
    let mut rows = Rows::new();
    for row in store::Store::read(&folder.join(out)).unwrap().cases().unwrap() {
        let unit = rows.entry((row.strategy.to_string(), row.unit)).or_default();
        unit.push((row.step, format!("{:?}", row.hash), row.verdict.to_string()));
        unit.sort();
    }
    rows
}

type Rows = BTreeMap<(String, u64), Vec<(u64, String, String)>>;

/// The same cases with the same verdicts, as far as both campaigns came. A verdict that a limit influenced is marked
/// and not compared, because it depends on the load of the machine.
fn assert_same(one: &Rows, other: &Rows, least: usize) {
    let (mut cases, mut limited) = (0, 0);
    for (unit, rows) in one {
        let Some(others) = other.get(unit) else { continue };
        assert_eq!(rows.len(), others.len(), "{unit:?}");
        for (a, b) in rows.iter().zip(others) {
            assert_eq!((a.0, &a.1), (b.0, &b.1), "{unit:?}: another case");
            cases += 1;
            if [&a.2, &b.2].iter().any(|verdict| *verdict == "limited") {
                limited += 1;
            } else {
                assert_eq!(a.2, b.2, "{unit:?}: another verdict");
            }
        }
    }
    assert!(cases >= least, "only {cases} in common");
    println!("{cases} cases in common, {limited} of them ran into a limit in one of the two");
}

/// One, two and eight workers, and two shards merged.
fn assert_a_function_of_the_key(solver: &str, folder: &Path) -> Rows {
    hunt_with(solver, folder, "one", &["-j", "1", "--cases", "120"]);
    let one = cases(folder, "one");
    for (out, workers) in [("two", "2"), ("eight", "8")] {
        hunt_with(solver, folder, out, &["-j", workers, "--cases", "120"]);
        let many = cases(folder, out);
        assert_eq!(one.keys().collect::<Vec<_>>(), many.keys().collect::<Vec<_>>());
        assert_same(&one, &many, 100);
    }
    // The budget is the campaign's: each shard does its part of it.
    hunt_with(solver, folder, "even", &["--shard", "0/2", "--cases", "120"]);
    hunt_with(solver, folder, "odd", &["--shard", "1/2", "--cases", "120"]);
    let merged = falsum_in(folder, &["merge", "even", "odd", "--out", "merged"]);
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    let merged = cases(folder, "merged");
    assert!(merged.keys().any(|(_, unit)| unit % 2 == 0) && merged.keys().any(|(_, unit)| unit % 2 == 1));
    assert_eq!(one.keys().collect::<Vec<_>>(), merged.keys().collect::<Vec<_>>());
    assert_same(&one, &merged, 100);
    // The merged campaign can be resumed; what it has counts for the budget.
    hunt_with(solver, folder, "merged", &["--cases", "120", "--resume"]);
    assert_eq!(cases(folder, "merged").len(), one.len());
    hunt_with(solver, folder, "merged", &["--cases", "180", "--resume"]);
    let more = cases(folder, "merged");
    let count = |rows: &Rows| rows.values().map(Vec::len).sum::<usize>();
    assert!(count(&more) > count(&merged) + 40, "{} then {}", count(&merged), count(&more));
    assert_nothing_twice(&more);
    one
}

#[test]
fn any_number_of_workers_and_shards_makes_the_same_cases_with_the_same_verdicts() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    assert_a_function_of_the_key("z3@5.4.0", folder.path());
}

/// A solver that is wrong about half the formulas and never slow: verdicts of several kinds, no limits.
#[test]
fn the_cases_and_findings_of_a_wrong_solver_do_not_depend_on_workers_and_shards_either() {
    let folder = tempfile::tempdir().unwrap();
    let solver = format!("liar={} --instant unsat", fake_z3(folder.path()).display());
    let rows = assert_a_function_of_the_key(&solver, folder.path());
    let verdicts: BTreeSet<&String> = rows.values().flatten().map(|row| &row.2).collect();
    assert!(verdicts.contains(&"refutation-unsound".to_owned()) && verdicts.len() >= 2, "{verdicts:?}");
}

#[test]
fn a_campaign_resumes_where_it_stopped_repeats_no_unit_and_ends_where_it_would_have_ended() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    hunt(folder.path(), "whole", &["-j", "2", "--cases", "120"]);
    hunt(folder.path(), "parts", &["-j", "2", "--cases", "60"]);
    let first = cases(folder.path(), "parts").len();
    hunt(folder.path(), "parts", &["-j", "2", "--cases", "120", "--resume"]);
    let (whole, all) = (cases(folder.path(), "whole"), cases(folder.path(), "parts"));
    assert!(all.len() > first);
    assert_eq!(scripts(&whole), scripts(&all));
    assert_nothing_twice(&all);
}

/// Four seeds about which everything is decided at once.
fn small_seeds(folder: &Path) -> PathBuf {
    let seeds = folder.join("seeds");
    std::fs::create_dir(&seeds).unwrap();
    for (n, operator) in ["bvult", "bvule", "bvsge", "="].iter().enumerate() {
        let declared = "(set-logic QF_BV)(declare-const a (_ BitVec 4))";
        let text = format!("{declared}(assert ({operator} a #x{n}))(check-sat)");
        std::fs::write(seeds.join(format!("{n}.smt2")), text).unwrap();
    }
    seeds
}

/// Three shards at a time, of which one is killed and goes on, with a schedule that follows what is found.
#[test]
fn shards_that_share_a_folder_are_the_campaign_of_one_machine_though_the_schedule_follows_their_finds() {
    let folder = tempfile::tempdir().unwrap();
    let seeds = small_seeds(folder.path());
    let schedule = "yield";
    let flags = ["--schedule", schedule, "--epoch", "4", "--cases", "120"];
    let whole = format!("{schedule}-whole");
    assert_went_on(&hunt_the_liar_with(&seeds, folder.path(), &whole, &flags).output().unwrap());
    let (exchange, out) = (format!("{schedule}-x"), |n: u64| format!("{schedule}-{n}"));
    let spawn = |n: u64| {
        let shard = format!("{n}/3");
        let more = ["--shard", &shard, "--exchange", &exchange];
        let flags = [&flags[..], &more[..]].concat();
        hunt_the_liar_with(&seeds, folder.path(), &out(n), &flags).spawn().unwrap()
    };
    let mut shards: Vec<_> = (0..3).map(spawn).collect();
    std::thread::sleep(Duration::from_millis(500));
    shards[1].kill().unwrap();
    shards[1].wait().unwrap();
    shards[1] = spawn(1);
    shards.into_iter().for_each(|shard| assert_went_on(&shard.wait_with_output().unwrap()));
    let merged = format!("{schedule}-merged");
    let names: Vec<String> = (0..3).map(out).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let done = falsum_in(folder.path(), &[&["merge"], &names[..], &["--out", &merged]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let (whole, merged) = (cases(folder.path(), &whole), cases(folder.path(), &merged));
    assert_eq!(whole.keys().collect::<Vec<_>>(), merged.keys().collect::<Vec<_>>(), "{schedule}");
    assert_same(&whole, &merged, 60);
    let of = |name: &str| whole.keys().filter(|(strategy, _)| strategy == name).count();
    assert_ne!(of("seeds"), of("opswap"), "the schedule followed nothing");
}

/// The scripts of all cases, without their verdicts.
fn scripts(rows: &Rows) -> BTreeSet<(&String, u64, u64, &String)> {
    let mut all = BTreeSet::new();
    for ((strategy, unit), rows) in rows {
        all.extend(rows.iter().map(|row| (strategy, *unit, row.0, &row.1)));
    }
    all
}

fn assert_nothing_twice(rows: &Rows) {
    for (unit, rows) in rows {
        let steps: BTreeSet<u64> = rows.iter().map(|row| row.0).collect();
        assert_eq!(steps.len(), rows.len(), "{unit:?} was done twice");
    }
}

/// A hunt that finds bugs continuously, because its solver always says unsat.
fn hunt_the_liar(folder: &Path, out: &str, extra: &[&str]) -> Command {
    hunt_the_liar_with(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV"),
        folder,
        out,
        extra,
    )
}

fn hunt_the_liar_with(seeds: &Path, folder: &Path, out: &str, extra: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_falsum"));
    command.arg("hunt").arg(seeds).args([
        "--strategy",
        "seeds,opswap",
        "--key",
        "liar",
        "--json",
        "--no-reduce",
    ]);
    command.arg("-s").arg(format!("liar={} --instant unsat", fake_z3(folder).display()));
    command.args(["--out", out, "-j", "2"]).args(extra).current_dir(folder).env("FALSUM_HOME", home());
    command.env(MARK, folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Set in the environment of every process that a test starts.
const MARK: &str = "FALSUM_TEST_MARK";

/// It ended by its budget, with or without findings.
fn assert_went_on(hunt: &Output) {
    assert!(matches!(hunt.status.code(), Some(0 | 10)), "{}", String::from_utf8_lossy(&hunt.stderr));
}

fn assert_no_process_survives(folder: &Path) {
    let alive = || testkit::processes_marked(MARK, &folder.display().to_string());
    for _ in 0..200 {
        if alive().is_empty() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("still there: {:?}", alive());
}

/// `FALSUM_KILLS=50` runs the long loop.
#[test]
fn a_hunt_that_is_killed_repeatedly_keeps_every_acknowledged_finding_exactly_once() {
    let folder = tempfile::tempdir().unwrap();
    let rounds: u64 = std::env::var("FALSUM_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let mut acknowledged = BTreeSet::new();
    let mut x = 0x2545_f491_4f6c_dd1du64;
    for round in 0..rounds {
        let resume: &[&str] = if folder.path().join("out/falsum.db").exists() { &["--resume"] } else { &[] };
        let mut child =
            hunt_the_liar(folder.path(), "out", &[&["--cases", "100000"], resume].concat()).spawn().unwrap();
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let reader =
            std::thread::spawn(move || lines.map_while(Result::ok).filter_map(|l| finding_of(&l)).collect());
        // At any moment: during the start or during the hunt.
        let longest = if round % 4 == 0 { 400 } else { 2_500 };
        std::thread::sleep(Duration::from_millis((x >> 33) % longest));
        child.kill().unwrap();
        child.wait().unwrap();
        let said: Vec<String> = reader.join().unwrap();
        acknowledged.extend(said);
        assert_no_process_survives(folder.path());
    }
    let last = hunt_the_liar(folder.path(), "out", &["--cases", "300", "--resume"]).output().unwrap();
    assert_went_on(&last);
    acknowledged.extend(String::from_utf8_lossy(&last.stdout).lines().filter_map(finding_of));
    let view = store::Store::read(&folder.path().join("out")).unwrap();
    let kept: Vec<String> = view.findings().unwrap().iter().map(|finding| finding.id.to_string()).collect();
    let distinct: BTreeSet<&String> = kept.iter().collect();
    assert_eq!(distinct.len(), kept.len(), "a finding is there twice");
    assert!(!acknowledged.is_empty());
    let lost: Vec<&String> = acknowledged.iter().filter(|id| !distinct.contains(id)).collect();
    assert!(lost.is_empty(), "{} of {} lost: {lost:?}", lost.len(), acknowledged.len());
    assert_nothing_twice(&cases(folder.path(), "out"));
    println!("{rounds} kills, {} findings acknowledged, all kept once", acknowledged.len());
}

/// The id of a finding that a line of events reports. A truncated line acknowledges nothing.
fn finding_of(line: &str) -> Option<String> {
    let event: serde_json::Value = serde_json::from_str(line).ok()?;
    // Beyond the samples of a bug only the count is stored.
    (event["event"] == "finding" && event["kept"] != "counted")
        .then(|| event["id"].as_str().unwrap().to_owned())
}

#[test]
fn a_second_hunt_names_the_process_that_holds_the_folder_and_the_lock_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = hunt_the_liar(folder.path(), "out", &["--cases", "1000000"]).spawn().unwrap();
    let pid = first.id();
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let second = hunt_the_liar(folder.path(), "out", &["--cases", "5", "--resume"]).output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(13), "{said}");
    assert!(said.contains(&pid.to_string()), "{said}");
    first.kill().unwrap();
    first.wait().unwrap();
    let third = hunt_the_liar(folder.path(), "out", &["--cases", "5", "--resume"]).output().unwrap();
    assert_went_on(&third);
}

#[test]
fn a_damaged_database_is_reported_and_rebuilt_and_the_hunt_continues() {
    let folder = tempfile::tempdir().unwrap();
    let first = hunt_the_liar(folder.path(), "out", &["--cases", "200"]).output().unwrap();
    let before: BTreeSet<String> =
        String::from_utf8_lossy(&first.stdout).lines().filter_map(finding_of).collect();
    assert!(!before.is_empty(), "{}", String::from_utf8_lossy(&first.stderr));
    let database = folder.path().join("out/falsum.db");
    let mut bytes = std::fs::read(&database).unwrap();
    let middle = bytes.len() / 2;
    bytes[100..middle].iter_mut().for_each(|byte| *byte ^= 0x5a);
    std::fs::write(&database, bytes).unwrap();
    let status = falsum_in(folder.path(), &["status", "out"]);
    assert_ne!(status.status.code(), Some(1), "{}", String::from_utf8_lossy(&status.stderr));
    let resumed = hunt_the_liar(folder.path(), "out", &["--cases", "20", "--resume"]).output().unwrap();
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert_went_on(&resumed);
    assert!(said.contains("falsum.db"), "the damage is not named: {said}");
    let kept = store::Store::read(&folder.path().join("out")).unwrap().findings().unwrap();
    let kept: BTreeSet<String> = kept.iter().map(|finding| finding.id.to_string()).collect();
    let on_disk = |id: &&String| folder.path().join("out/findings").join(id).is_dir();
    assert!(before.iter().filter(on_disk).all(|id| kept.contains(id)), "{before:?} {kept:?}");
}

#[test]
fn a_full_disk_stops_a_hunt_with_its_own_exit_code_and_everything_acknowledged_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let hunt = hunt_the_liar(folder.path(), "disk/out", &["--cases", "1000000"]);
    // The folder is copied inside the namespace that has the small disk.
    let script = "mount -t tmpfs -o size=1500k none \"$1\" || exit 77; d=$1; shift; \"$@\"; code=$?; cp -r \"$d/out\" \"$d/../kept\"; exit $code";
    let mut small = Command::new("unshare");
    small.args(["-rm", "sh", "-c", script, "sh"]).arg(&disk).arg(hunt.get_program()).args(hunt.get_args());
    small.current_dir(folder.path()).env("FALSUM_HOME", home());
    // Where mounting is not permitted, only the store's own tests with a simulated disk cover this.
    let Some(run) = testkit::mounted(small.output()) else { return };
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(14), "{said}");
    assert!(said.contains("disk"), "{said}");
    let acknowledged: BTreeSet<String> =
        String::from_utf8_lossy(&run.stdout).lines().filter_map(finding_of).collect();
    let kept = store::Store::resume(&folder.path().join("kept")).unwrap().findings().unwrap();
    let kept: BTreeSet<String> = kept.iter().map(|finding| finding.id.to_string()).collect();
    assert!(!acknowledged.is_empty() && acknowledged.is_subset(&kept), "{acknowledged:?} {kept:?}");
}

#[test]
fn a_second_hunt_in_the_same_folder_goes_on_with_it_and_other_solvers_are_refused() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    hunt(folder.path(), "out", &["--cases", "5"]);
    let before: usize = cases(folder.path(), "out").values().map(Vec::len).sum();
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV").display().to_string();
    let second = |solver: &str| {
        falsum_in(
            folder.path(),
            &["hunt", &seeds, "--cases", "50", "-s", solver, "--no-reduce", "--out", "out"],
        )
    };
    let other = second("cvc5@1.4.2");
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("--resume"));
    assert_went_on(&second("z3@5.4.0"));
    let after: usize = cases(folder.path(), "out").values().map(Vec::len).sum();
    assert!(after > before, "{before} {after}");
}

/// Programs with the names of Slurm's that run the tasks of an array here. The first job loses shard 1.
fn fake_slurm(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let (bin, jobs) = (folder.join("bin"), folder.join("jobs"));
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(&jobs).unwrap();
    let sbatch = r#"for word; do case $word in --array=*) list=${word#--array=};; esac; script=$word; done
job=$(( $(ls "$JOBS" | wc -l) + 1 )); mkdir "$JOBS/$job"
for part in $(echo "$list" | tr , ' '); do
  for task in $(seq "${part%-*}" "${part#*-}"); do
    [ "$job $task" = "1 1" ] && continue
    SLURM_ARRAY_TASK_ID=$task sh "$script" >"$JOBS/$job.$task.log" 2>&1 </dev/null & echo $! >"$JOBS/$job/$task"
  done
done
echo "$job;fake""#;
    let squeue = r#"for job; do :; done
for task in "$JOBS/$job"/*; do
  state=$(sed -n 's/^State:[[:space:]]*//p' "/proc/$(cat "$task")/status" 2>/dev/null)
  case $state in ''|Z*) ;; *) echo "${task##*/} RUNNING";; esac
done"#;
    for (name, text) in [("sbatch", sbatch), ("squeue", squeue)] {
        let path = bin.join(name);
        std::fs::write(&path, format!("#!/bin/sh\nJOBS='{}'\n{text}\n", jobs.display())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    bin
}

#[test]
fn a_job_array_that_loses_a_shard_ends_with_the_campaign_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let (seeds, bin) = (small_seeds(folder.path()), fake_slurm(folder.path()));
    let flags = ["--epoch", "8", "--cases", "60"];
    let mut whole = hunt_the_liar_with(&seeds, folder.path(), "whole", &flags);
    assert_went_on(&whole.output().unwrap());
    let liar = format!("liar={} --instant unsat", fake_z3(folder.path()).display());
    let seeds = seeds.display().to_string();
    let mut args = vec!["cluster", "slurm", "--shards", "3", "--every", "200ms", "--out", "c", "--", &seeds];
    args.extend(["--strategy", "seeds,opswap", "--key", "liar", "--no-reduce", "-s", &liar]);
    args.extend(flags);
    // The lost shard must not delay the others for a minute.
    args.extend(["--shard-patience", "1s", "-j1"]);
    let cluster_in = |place: &Path, args: &[&str]| {
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_falsum"));
        command.args(args).current_dir(place).env("FALSUM_HOME", home()).env("PATH", path);
        command.output().unwrap()
    };
    let cluster = |args: &[&str]| cluster_in(folder.path(), args);
    let dry: Vec<&str> = args
        .iter()
        .flat_map(|&word| if word == "--every" { vec!["--dry-run", word] } else { vec![word] })
        .collect();
    let printed = String::from_utf8(cluster(&dry).stdout).unwrap();
    assert!(printed.contains("cluster shard -- ") && printed.contains("--array=0-2"), "{printed}");
    assert!(!folder.path().join("c").exists(), "nothing is submitted");
    let run = cluster(&args);
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(10), "{said}");
    assert!(said.contains("lost        shard 1") && said.contains("started     shards 1 again"), "{said}");
    let (whole, merged) = (cases(folder.path(), "whole"), cases(folder.path(), "c/merged"));
    let count = |rows: &Rows| rows.values().map(Vec::len).sum::<usize>();
    // Shares that were settled without the lost shard may differ; everything else is the same.
    assert!(count(&merged) >= 60, "{}", count(&merged));
    assert_same(&whole, &merged, 40);
    let status = falsum_in(folder.path(), &["status", "c"]);
    let page = String::from_utf8(status.stdout).unwrap();
    assert!(page.contains("0 running, 3 ended, 0 lost") && page.contains("bugs, worst first"), "{page}");
    // Watched again, from another folder and without the arguments: the same script, and nothing is submitted.
    let script = std::fs::read_to_string(folder.path().join("c/job.sh")).unwrap();
    assert_eq!(script.matches("-j").count(), 1, "{script}");
    let out = folder.path().join("c").display().to_string();
    let again = cluster_in(&bin, &["cluster", "slurm", "--shards", "3", "--out", &out]);
    assert_eq!(again.status.code(), Some(10), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(std::fs::read_to_string(folder.path().join("c/job.sh")).unwrap(), script);
    assert_eq!(
        std::fs::read_dir(folder.path().join("jobs"))
            .unwrap()
            .filter(|job| job.as_ref().unwrap().path().is_dir())
            .count(),
        2
    );
    let other = cluster_in(&bin, &["cluster", "slurm", "--shards", "4", "--out", &out]);
    assert_eq!(other.status.code(), Some(2), "{}", String::from_utf8_lossy(&other.stderr));
    // A script that somebody changed is not submitted.
    std::fs::write(folder.path().join("c/job.sh"), script + "touch evil\n").unwrap();
    let changed = cluster_in(&bin, &["cluster", "slurm", "--shards", "3", "--out", &out]);
    let said = String::from_utf8_lossy(&changed.stderr).into_owned();
    assert!(changed.status.code() == Some(2) && said.contains("was not started by this falsum"), "{said}");
}

#[test]
fn with_record_findings_only_cases_with_a_finding_have_a_row_and_all_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let seeds = small_seeds(folder.path());
    let hunt = |out: &str, extra: &[&str]| {
        let flags = [&["--cases", "40"], extra].concat();
        assert_went_on(&hunt_the_liar_with(&seeds, folder.path(), out, &flags).output().unwrap());
        let view = store::Store::read(&folder.path().join(out)).unwrap();
        (view.status().unwrap().summary, cases(folder.path(), out))
    };
    let ((all, rows), (few, found)) = (hunt("all", &[]), hunt("few", &["--record", "findings"]));
    assert_eq!(
        (all.progress.cases, all.verdicts, all.progress.bugs),
        (few.progress.cases, few.verdicts, few.progress.bugs)
    );
    let dull = |rows: &Rows| rows.values().flatten().filter(|row| row.2 == "fine").count();
    assert!(dull(&rows) > 0 && dull(&found) == 0 && !found.is_empty(), "{} {}", dull(&rows), dull(&found));
}

#[test]
fn a_campaign_that_ends_by_the_clock_counts_the_cases_of_a_unit_that_was_not_finished() {
    let folder = tempfile::tempdir().unwrap();
    // One unit is a hundred thousand cases.
    let endless = ["--strategy", "weaken", "--iterations", "100000", "--for", "1s", "-j", "1"];
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV").display().to_string();
    let args = [&["hunt", &seeds, "-s", "z3@5.4.0", "--key", "k", "--out", "out"][..], &endless].concat();
    let output = falsum_in(folder.path(), &args);
    assert!(matches!(output.status.code(), Some(0 | 10)), "{}", String::from_utf8_lossy(&output.stderr));
    let counted =
        store::Store::read(&folder.path().join("out")).unwrap().status().unwrap().summary.progress.cases;
    let rows: usize = cases(folder.path(), "out").values().map(Vec::len).sum();
    assert!(counted > 0 && counted == rows as u64, "{counted} and {rows}");
}

/// With a controller and two daemons of a real Slurm, one shard killed with -9 and one preempted.
#[test]
#[ignore = "installs and starts Slurm, which needs root and minutes"]
fn eight_shards_under_a_real_slurm_are_the_campaign_of_one_machine_case_for_case_and_bug_for_bug() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/slurm.sh");
    let run = Command::new("bash").arg(script).arg(env!("CARGO_BIN_EXE_falsum")).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success() && said.contains("equal, case for case and bug for bug"), "{said}");
}
