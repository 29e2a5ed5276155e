//! `falsum cluster slurm`: a campaign as a Slurm job array.
//!
//! Writes the job script, submits it (`sbatch --array`), watches (`squeue`; `sacct` or `scontrol` for why one died), starts
//! lost shards again once and those that ended early as often as they make progress, and merges shards as they end.
//! Slurm requeues what it preempts; before a time limit it sends SIGTERM, so that shards save and end. The watcher may be
//! stopped and started again with the same folder, from any place: the script and the options of sbatch are those of the
//! first submission. It must never pass anything through a shell but the script that it prints with `--dry-run`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use super::shard::{Outcome, ShardResult};
use super::started::Runs;
use super::watch::{Memory, Seen, Todo, decide};
use super::{Common, complete, install, shard_folder, with_workers, word};
use crate::exit::{Exit, Failure};
use crate::panel::duration;
use serde::{Deserialize, Serialize};
use smtlib::shown;
use solver::Home;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use store::Beat;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    common: Common,
    /// The campaign folder, which all machines see. A folder that holds a campaign is watched again
    #[arg(long, default_value = "falsum-cluster", value_name = "DIR")]
    out: PathBuf,
    /// The time limit of one job; shards that have not ended by then are saved and started again
    #[arg(long, value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    /// Cores per shard, which is also its number of workers
    #[arg(long, default_value_t = 1, value_name = "N")]
    cpus: u64,
    /// At most so many shards at the same time
    #[arg(long, value_name = "N")]
    at_once: Option<u64>,
    /// How long before the time limit shards are told to end
    #[arg(long, default_value = "60s", value_parser = duration, value_name = "TIME")]
    notice: Duration,
    /// A further option of sbatch, as one word: `--sbatch=--partition=night`
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// The program on the machines, if it is not at the same path there
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// How often to look
    #[arg(long, default_value = "10s", value_parser = duration, value_name = "TIME")]
    every: Duration,
    /// Submit and do not watch
    #[arg(long)]
    no_watch: bool,
    /// Print the script and the command and submit nothing
    #[arg(long)]
    dry_run: bool,
}

/// The record of a campaign in its folder: what another run of the watcher needs.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Record {
    shards: u64,
    hunt: Vec<String>,
    /// How a part of the shards is submitted, but for the array and the script.
    sbatch: Vec<String>,
    /// At most so many at the same time.
    #[serde(default)]
    at_once: Option<u64>,
    /// The job arrays that were submitted.
    jobs: Vec<String>,
    memory: BTreeMap<u64, Memory>,
}

const RECORD: &str = "cluster.json";
const SCRIPT: &str = "job.sh";
const MERGED: &str = "merged";

impl Record {
    fn read(out: &Path) -> anyhow::Result<Option<Record>> {
        let path = out.join(RECORD);
        if !path.exists() {
            return Ok(None);
        }
        let wrong = |error| Failure::usage(format!("{}: {error}", shown::path(&path)));
        Ok(Some(serde_json::from_slice(&store::read_file(&path)?).map_err(wrong)?))
    }

    fn write(&self, out: &Path) -> anyhow::Result<()> {
        let private = out.join(".cluster.json");
        store::write_file(&private, &serde_json::to_vec_pretty(self)?)?;
        Ok(std::fs::rename(private, out.join(RECORD))?)
    }
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let out = absolute(&args.out)?;
    let before = Record::read(&out)?;
    let is_new = before.is_none();
    let mut record = match before {
        Some(record) => going_on(record, &args, &out)?,
        None => Record {
            shards: args.common.shards,
            hunt: complete(&args.common)?,
            sbatch: sbatch(&args, &out),
            at_once: args.at_once,
            ..Record::default()
        },
    };
    let script = script(&args, &out, &record.hunt)?;
    let all: BTreeSet<u64> = (0..record.shards).collect();
    if args.dry_run {
        print!("{script}");
        println!("# {}", command_line(&submission(&record, &out, &all)));
        return Ok(Exit::Fine);
    }
    let home = Home::from_env().map_err(crate::command::solver_failure)?;
    if !is_new {
        refuse_strangers(&home, &record, &out)?;
    }
    install(&record.hunt)?;
    for folder in ["logs", "exchange", store::SHARDS] {
        std::fs::create_dir_all(out.join(folder))?;
    }
    // The first script stands: relative paths in it are those of the folder in which the campaign was started.
    if is_new {
        store::write_file(&out.join(SCRIPT), script.as_bytes())?;
        runs(&record, &out, script.as_bytes()).remember(&home)?;
    }
    if record.jobs.is_empty() {
        all.iter().for_each(|&index| drop(std::fs::create_dir_all(shard_folder(&out, index))));
        let job = submit(&record, &out, &all)?;
        record.jobs.push(job);
        record.write(&out)?;
        eprintln!(
            "submitted   job {} with {} in {}",
            record.jobs[0],
            report::count(record.shards, "shard"),
            shown::path(&out)
        );
    }
    if args.no_watch {
        eprintln!("            falsum status {} shows how it stands", word(&out));
        return Ok(Exit::Fine);
    }
    watch(args.every, &out, &mut record)
}

/// The campaign that a folder holds, if the arguments are not those of another.
fn going_on(record: Record, args: &Args, out: &Path) -> Result<Record, Failure> {
    if !record.hunt.starts_with(&args.common.hunt) {
        let message = format!("{} holds a campaign with other arguments", shown::path(out));
        return Err(Failure::usage(message).hint("leave out what is after `--`, or use another --out"));
    }
    if record.shards != args.common.shards {
        let message = format!("{} holds a campaign of {} shards", shown::path(out), record.shards);
        return Err(Failure::usage(message).hint(format!("--shards {}, or another --out", record.shards)));
    }
    Ok(record)
}

fn runs<'a>(record: &'a Record, out: &'a Path, script: &'a [u8]) -> Runs<'a> {
    Runs { out, hunt: &record.hunt, sbatch: &record.sbatch, script }
}

/// Refuses to run what a folder names, unless this user's falsum wrote it there.
fn refuse_strangers(home: &Home, record: &Record, out: &Path) -> anyhow::Result<()> {
    let script = store::read_file(&out.join(SCRIPT))?;
    if runs(record, out, &script).are_remembered(home) {
        return Ok(());
    }
    let message =
        format!("the campaign in {} was not started by this falsum, or was changed", shown::path(out));
    let hint = "what it would run is in cluster.json and job.sh; falsum status and falsum merge read it without that";
    Err(Failure::usage(message).hint(hint).into())
}

fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).map_err(|error| Failure::io(shown::path(path), &error).into())
}

/// The job script. A shard replaces the shell, so that Slurm's signals reach it.
fn script(args: &Args, out: &Path, hunt: &[String]) -> anyhow::Result<String> {
    let program = match &args.program {
        Some(program) => program.clone(),
        None => std::env::current_exe()?,
    };
    let hunt = with_workers(hunt, args.cpus)?;
    let words: Vec<String> = hunt.iter().map(word).collect();
    let here = std::env::current_dir()?;
    // For clusters whose jobs do not inherit the environment (`--export=NONE`).
    let home = std::env::var_os("FALSUM_HOME").map(|home| format!("export FALSUM_HOME={}\n", word(home)));
    Ok(format!(
        "#!/bin/sh\n# One shard of a falsum campaign; written by falsum cluster slurm.\n\
         export FALSUM_CAMPAIGN={}\nexport FALSUM_SHARDS={}\n{}cd {} || exit 2\n\
         exec {} cluster shard -- {}\n",
        word(out),
        args.common.shards,
        home.unwrap_or_default(),
        word(here),
        word(program),
        words.join(" ")
    ))
}

/// How shards are submitted, but for which ones.
fn sbatch(args: &Args, out: &Path) -> Vec<String> {
    let mut words = vec![
        "sbatch".to_owned(),
        "--parsable".to_owned(),
        "--job-name=falsum".to_owned(),
        "--requeue".to_owned(),
        format!("--signal=B:TERM@{}", args.notice.as_secs()),
        "--open-mode=append".to_owned(),
        format!("--output={}", out.join("logs").join("%a.log").display()),
        format!("--cpus-per-task={}", args.cpus),
    ];
    words.extend(args.time.map(|time| format!("--time={}", time.as_secs().div_ceil(60))));
    words.extend(args.sbatch.iter().cloned());
    words
}

/// The command that submits some of the shards.
fn submission(record: &Record, out: &Path, shards: &BTreeSet<u64>) -> Vec<String> {
    let most = record.at_once.map(|most| format!("%{most}")).unwrap_or_default();
    let mut words = record.sbatch.clone();
    words.push(format!("--array={}{most}", ranges(shards)));
    words.push(out.join(SCRIPT).display().to_string());
    words
}

/// `0-3,7`.
fn ranges(shards: &BTreeSet<u64>) -> String {
    let mut runs: Vec<(u64, u64)> = vec![];
    for &shard in shards {
        match runs.last_mut() {
            Some(run) if run.1 + 1 == shard => run.1 = shard,
            _ => runs.push((shard, shard)),
        }
    }
    let text = |(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(text).collect::<Vec<_>>().join(",")
}

fn command_line(words: &[String]) -> String {
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Runs a program of Slurm; its output, or what it says is wrong.
fn slurm(words: &[String]) -> Result<String, String> {
    let program =
        solver::discover::lookup(&words[0]).ok_or_else(|| format!("{} is not installed", words[0]))?;
    let run = Command::new(program).args(&words[1..]).stdin(Stdio::null()).output();
    let run = run.map_err(|error| format!("{}: {error}", words[0]))?;
    if run.status.success() {
        Ok(String::from_utf8_lossy(&run.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&run.stderr).trim().to_owned())
    }
}

/// Submits some of the shards; returns the id of the array. A shard removes its old result itself when it starts.
fn submit(record: &Record, out: &Path, shards: &BTreeSet<u64>) -> Result<String, Failure> {
    let words = submission(record, out, shards);
    let said = slurm(&words).map_err(|why| {
        Failure::usage(format!("Slurm does not take the job: {}", shown::text(&why)))
            .hint(format!("the command was: {}", command_line(&words)))
    })?;
    // `1234` or `1234;cluster`.
    let id = said.trim().split(';').next().unwrap_or_default().to_owned();
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Failure::usage(format!("sbatch printed no job id: {}", shown::text(&said))));
    }
    Ok(id)
}

/// The shards that Slurm still has, or `None` if it cannot be asked now.
fn queued(jobs: &[String]) -> Option<BTreeSet<u64>> {
    let words = ["squeue", "--noheader", "--array", "--format=%K %T", "--jobs"].map(str::to_owned);
    let mut all = BTreeSet::new();
    for job in jobs {
        match slurm(&[&words[..], std::slice::from_ref(job)].concat()) {
            Ok(said) => all.extend(said.lines().filter_map(queued_shard)),
            // Slurm forgets jobs some minutes after their end.
            Err(why) if why.contains("Invalid job id") => {}
            Err(_) => return None,
        }
    }
    Some(all)
}

/// The shard of a line of squeue, unless it has ended.
fn queued_shard(line: &str) -> Option<u64> {
    let (index, state) = line.trim().split_once(' ')?;
    let over = [
        "COMPLETED",
        "FAILED",
        "CANCELLED",
        "TIMEOUT",
        "NODE_FAIL",
        "BOOT_FAIL",
        "DEADLINE",
        "OUT_OF_MEMORY",
        "PREEMPTED",
    ];
    index.parse().ok().filter(|_| !over.contains(&state.trim()))
}

/// Why a shard's last job ended, as far as Slurm knows: accounting may be absent, and not every array has every shard.
fn why(jobs: &[String], shard: u64) -> String {
    let found = jobs.iter().rev().find_map(|job| why_of(&format!("{job}_{shard}")));
    found.unwrap_or_else(|| "Slurm does not know why".to_owned())
}

fn why_of(id: &str) -> Option<String> {
    let ask = |words: &[&str]| {
        slurm(&words.iter().chain([&id]).map(|&word| word.to_owned()).collect::<Vec<_>>()).ok()
    };
    let format = "--format=State,ExitCode";
    let said = ask(&["sacct", "--noheader", "--parsable2", "--allocations", format, "--jobs"]);
    if let Some(line) = said.as_deref().and_then(|said| said.lines().next_back()) {
        return Some(format!("sacct: {}", shown::text(line)));
    }
    let said = ask(&["scontrol", "--oneliner", "show", "job"])?;
    let of = |name: &str| said.split_whitespace().find(|word| word.starts_with(name)).unwrap_or_default();
    Some(shown::text(&format!("{} {}", of("JobState="), of("ExitCode="))))
}

/// Looks at the shards until all are done or given up.
fn watch(every: Duration, out: &Path, record: &mut Record) -> anyhow::Result<Exit> {
    let mut pace = Pace::default();
    loop {
        if let Some(queued) = queued(&record.jobs) {
            let seen = (0..record.shards).map(|shard| (shard, look(out, shard, queued.contains(&shard))));
            let before = record.memory.clone();
            let todo = decide(&seen.collect(), &mut record.memory);
            start(out, record, &todo, &before)?;
            if todo.over {
                return finish(every, out, record);
            }
            if pace.is_due() {
                let began = Instant::now();
                merge(out, record, &todo.merge)?;
                pace.took(began.elapsed());
            }
        }
        std::thread::sleep(every);
    }
}

/// A merge copies all that was merged before, so it may take a tenth of the time, and the last one has no limit.
#[derive(Default)]
struct Pace {
    next: Option<Instant>,
}

impl Pace {
    fn is_due(&self) -> bool {
        self.next.is_none_or(|next| next <= Instant::now())
    }

    fn took(&mut self, time: Duration) {
        self.next = Some(Instant::now() + time * 9);
    }
}

fn look(out: &Path, shard: u64, queued: bool) -> Seen {
    let folder = shard_folder(out, shard);
    let cases = Beat::read(&folder).map_or(0, |beat| beat.progress.cases);
    Seen { result: ShardResult::read(&folder), queued, cases }
}

/// Starts shards again. If Slurm does not take them now, the next look decides anew.
fn start(out: &Path, record: &mut Record, todo: &Todo, before: &BTreeMap<u64, Memory>) -> anyhow::Result<()> {
    for shard in &todo.lost {
        eprintln!("lost        shard {shard} ({}); it is started again", why(&record.jobs, *shard));
    }
    for (shard, why_given) in &todo.given_up {
        eprintln!("given up    shard {shard}: {why_given} ({})", why(&record.jobs, *shard));
    }
    if !todo.start.is_empty() {
        match submit(record, out, &todo.start) {
            Ok(job) => {
                eprintln!("started     shards {} again as job {job}", ranges(&todo.start));
                record.jobs.push(job);
            }
            Err(failure) => {
                eprintln!("waiting     {failure}");
                for shard in &todo.start {
                    record.memory.insert(*shard, before.get(shard).cloned().unwrap_or_default());
                }
            }
        }
    }
    // Before anything else can fail: a job that is not in the record would be started twice.
    record.write(out)
}

/// Merges shards that have ended.
fn merge(out: &Path, record: &mut Record, shards: &BTreeSet<u64>) -> anyhow::Result<()> {
    if shards.is_empty() {
        return Ok(());
    }
    let folders: Vec<PathBuf> = shards.iter().map(|&shard| shard_folder(out, shard)).collect();
    match store::merge(&folders, &out.join(MERGED)) {
        Ok(summary) => {
            let (cases, bugs) = (summary.progress.cases, summary.progress.bugs);
            eprintln!("merged      shards {}: {cases} cases, {bugs} bugs so far", ranges(shards));
            for &shard in shards {
                record.memory.entry(shard).or_default().merged = true;
            }
        }
        // The process of a shard that has just ended may hold its folder for a moment, or a user triages the merge.
        Err(store::Error::Locked { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    record.write(out)
}

fn finish(every: Duration, out: &Path, record: &mut Record) -> anyhow::Result<Exit> {
    loop {
        let done = |shard: &u64| {
            ShardResult::read(&shard_folder(out, *shard)).is_some_and(|found| found.outcome == Outcome::Done)
        };
        let open = |shard: &u64| !record.memory.get(shard).is_some_and(|memory| memory.merged);
        let left: BTreeSet<u64> = (0..record.shards).filter(open).filter(done).collect();
        if left.is_empty() {
            break;
        }
        merge(out, record, &left)?;
        if left.iter().any(|shard| !record.memory.get(shard).is_some_and(|memory| memory.merged)) {
            std::thread::sleep(every);
        }
    }
    let given_up: BTreeSet<u64> = record
        .memory
        .iter()
        .filter(|(_, memory)| memory.given_up.is_some())
        .map(|(&shard, _)| shard)
        .collect();
    // What such a shard found before it failed counts; what cannot be merged of it is said.
    for &shard in given_up.iter().filter(|&&shard| shard_folder(out, shard).join("campaign.toml").exists()) {
        if let Err(error) = merge(out, record, &BTreeSet::from([shard])) {
            eprintln!("not merged  shard {shard}: {error}");
        }
    }
    let merged = out.join(MERGED);
    let findings = match merged.exists() {
        true => store::status(&merged)?.summary.progress,
        false => store::Progress::default(),
    };
    println!(
        "{}: {}, {}, {} of {} shards",
        shown::path(&merged),
        report::count(findings.cases, "case"),
        report::count(findings.bugs, "bug"),
        record.shards as usize - given_up.len(),
        record.shards
    );
    println!(
        "falsum triage {} reduces and bisects what was not triaged; falsum report {} shows it",
        word(&merged),
        word(&merged)
    );
    Ok(match () {
        () if !given_up.is_empty() => Exit::Again,
        () if findings.findings > 0 => Exit::Findings,
        () => Exit::Fine,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_listed_as_slurm_takes_them_and_its_lines_are_read() {
        assert_eq!(ranges(&BTreeSet::from([0, 1, 2, 5, 7, 8])), "0-2,5,7-8");
        assert_eq!(queued_shard("3 PENDING"), Some(3));
        assert_eq!(queued_shard("4 RUNNING "), Some(4));
        assert_eq!(queued_shard("4 TIMEOUT"), None);
        assert_eq!(queued_shard("N/A PENDING"), None);
    }
}
