//! `falsum cluster slurm`: a campaign as a Slurm job array.
//!
//! Writes the job script, submits it (`sbatch --array`), watches (`squeue`; `sacct` or `scontrol` for why one died), starts
//! lost shards again once and those that ended early as often as they make progress, and merges shards as they end.
//! Slurm requeues what it preempts; before a time limit it sends SIGTERM, so that shards save and end. The watcher may be
//! stopped and started again with the same folder. It must never pass anything through a shell but the script that it
//! prints with `--dry-run`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use super::shard::{Outcome, ShardResult};
use super::watch::{Memory, Seen, Todo, decide};
use super::{Common, complete, install, shard_folder, word};
use crate::exit::{Exit, Failure};
use crate::panel::duration;
use serde::{Deserialize, Serialize};
use smtlib::shown;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
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
    /// The job arrays that were submitted.
    jobs: Vec<String>,
    memory: BTreeMap<u64, Memory>,
}

const RECORD: &str = "cluster.json";
const SCRIPT: &str = "job.sh";

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
    let hunt = match &before {
        Some(record) if args.common.hunt.is_empty() => record.hunt.clone(),
        Some(record) if record.hunt.starts_with(&args.common.hunt) => record.hunt.clone(),
        Some(_) => {
            let message = format!("{} holds a campaign with other arguments", shown::path(&out));
            return Err(Failure::usage(message)
                .hint("leave out what is after `--`, or use another --out")
                .into());
        }
        None => complete(&args.common)?,
    };
    let script = script(&args, &out, &hunt)?;
    let all: BTreeSet<u64> = (0..args.common.shards).collect();
    if args.dry_run {
        print!("{script}");
        println!("# {}", command_line(&sbatch(&args, &out, &all)));
        return Ok(Exit::Fine);
    }
    install(&hunt)?;
    for folder in ["logs", "exchange", store::SHARDS] {
        std::fs::create_dir_all(out.join(folder))?;
    }
    store::write_file(&out.join(SCRIPT), script.as_bytes())?;
    let mut record = before.unwrap_or(Record { shards: args.common.shards, hunt, ..Record::default() });
    if record.shards != args.common.shards {
        let message = format!("{} holds a campaign of {} shards", shown::path(&out), record.shards);
        return Err(Failure::usage(message).into());
    }
    if record.jobs.is_empty() {
        all.iter().for_each(|&index| drop(std::fs::create_dir_all(shard_folder(&out, index))));
        record.jobs.push(submit(&args, &out, &all)?);
        record.write(&out)?;
        eprintln!(
            "submitted   job {} with {} in {}",
            record.jobs[0],
            report::count(args.common.shards, "shard"),
            shown::path(&out)
        );
    }
    if args.no_watch {
        eprintln!("            falsum status {} shows how it stands", word(&out));
        return Ok(Exit::Fine);
    }
    watch(&args, &out, &mut record)
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
    let mut words: Vec<String> = hunt.iter().map(word).collect();
    if !hunt.iter().any(|word| word == "-j" || word.starts_with("--jobs")) {
        words.extend(["-j".to_owned(), args.cpus.to_string()]);
    }
    let here = std::env::current_dir()?;
    Ok(format!(
        "#!/bin/sh\n# One shard of a falsum campaign; written by falsum cluster slurm.\n\
         export FALSUM_CAMPAIGN={}\nexport FALSUM_SHARDS={}\ncd {} || exit 2\n\
         exec {} cluster shard -- {}\n",
        word(out),
        args.common.shards,
        word(here),
        word(program),
        words.join(" ")
    ))
}

/// The command that submits some of the shards.
fn sbatch(args: &Args, out: &Path, shards: &BTreeSet<u64>) -> Vec<String> {
    let most = args.at_once.map(|most| format!("%{most}")).unwrap_or_default();
    let mut words = vec![
        "sbatch".to_owned(),
        "--parsable".to_owned(),
        "--job-name=falsum".to_owned(),
        format!("--array={}{most}", ranges(shards)),
        "--requeue".to_owned(),
        format!("--signal=B:TERM@{}", args.notice.as_secs()),
        "--open-mode=append".to_owned(),
        format!("--output={}", out.join("logs").join("%a.log").display()),
        format!("--cpus-per-task={}", args.cpus),
    ];
    words.extend(args.time.map(|time| format!("--time={}", time.as_secs().div_ceil(60))));
    words.extend(args.sbatch.iter().cloned());
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

/// Submits some of the shards; returns the id of the array.
fn submit(args: &Args, out: &Path, shards: &BTreeSet<u64>) -> anyhow::Result<String> {
    shards.iter().for_each(|&shard| ShardResult::forget(&shard_folder(out, shard)));
    let words = sbatch(args, out, shards);
    let said = slurm(&words).map_err(|why| {
        Failure::usage(format!("Slurm does not take the job: {}", shown::text(&why)))
            .hint(format!("the command was: {}", command_line(&words)))
    })?;
    // `1234` or `1234;cluster`.
    let id = said.trim().split(';').next().unwrap_or_default().to_owned();
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Failure::usage(format!("sbatch printed no job id: {}", shown::text(&said))).into());
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
    ];
    index.parse().ok().filter(|_| !over.contains(&state.trim()))
}

/// Why a shard's last job ended, as far as Slurm knows: accounting may be absent.
fn why(jobs: &[String], shard: u64) -> String {
    let Some(job) = jobs.last() else { return String::new() };
    let id = format!("{job}_{shard}");
    let sacct = ["sacct", "--noheader", "--parsable2", "--allocations", "--format=State,ExitCode", "--jobs"];
    let asked = slurm(&[&sacct.map(str::to_owned)[..], std::slice::from_ref(&id)].concat());
    if let Some(line) = asked.ok().and_then(|said| said.lines().next_back().map(str::to_owned)) {
        return format!("sacct: {}", shown::text(&line));
    }
    let shown_job = slurm(
        &["scontrol", "--oneliner", "show", "job"]
            .map(str::to_owned)
            .iter()
            .cloned()
            .chain([id])
            .collect::<Vec<_>>(),
    );
    let of = |said: &str, name: &str| {
        said.split(' ').find(|word| word.starts_with(name)).map(str::to_owned).unwrap_or_default()
    };
    shown_job.map_or_else(
        |_| "Slurm does not know why".to_owned(),
        |said| shown::text(&format!("{} {}", of(&said, "JobState="), of(&said, "ExitCode="))),
    )
}

/// Looks at the shards until all are done or given up.
fn watch(args: &Args, out: &Path, record: &mut Record) -> anyhow::Result<Exit> {
    loop {
        if let Some(queued) = queued(&record.jobs) {
            let seen = (0..record.shards).map(|shard| (shard, look(out, shard, queued.contains(&shard))));
            let todo = decide(&seen.collect(), &mut record.memory);
            act(args, out, record, &todo)?;
            if todo.over {
                return finish(out, record);
            }
        }
        std::thread::sleep(args.every);
    }
}

fn look(out: &Path, shard: u64, queued: bool) -> Seen {
    let folder = shard_folder(out, shard);
    let cases = Beat::read(&folder).map_or(0, |beat| beat.progress.cases);
    Seen { result: ShardResult::read(&folder), queued, cases }
}

fn act(args: &Args, out: &Path, record: &mut Record, todo: &Todo) -> anyhow::Result<()> {
    for shard in &todo.lost {
        eprintln!("lost        shard {shard} ({}); it is started again", why(&record.jobs, *shard));
    }
    for (shard, why_given) in &todo.given_up {
        eprintln!("given up    shard {shard}: {why_given} ({})", why(&record.jobs, *shard));
    }
    if !todo.start.is_empty() {
        let job = submit(args, out, &todo.start)?;
        eprintln!("started     shards {} again as job {job}", ranges(&todo.start));
        record.jobs.push(job);
    }
    if !todo.merge.is_empty() {
        let folders: Vec<PathBuf> = todo.merge.iter().map(|&shard| shard_folder(out, shard)).collect();
        match store::merge(&folders, &out.join("merged")) {
            Ok(summary) => {
                let (cases, bugs) = (summary.progress.cases, summary.progress.bugs);
                eprintln!("merged      shards {}: {cases} cases, {bugs} bugs so far", ranges(&todo.merge));
                for &shard in &todo.merge {
                    record.memory.entry(shard).or_default().merged = true;
                }
            }
            // The process of a shard that has just ended may hold its folder for a moment.
            Err(store::Error::Locked { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    record.write(out)
}

fn finish(out: &Path, record: &mut Record) -> anyhow::Result<Exit> {
    // A merge that had to wait.
    let done = |shard: &u64| {
        ShardResult::read(&shard_folder(out, *shard)).is_some_and(|result| result.outcome == Outcome::Done)
    };
    let open = |shard: &u64| !record.memory.get(shard).is_some_and(|memory| memory.merged);
    let left: Vec<PathBuf> =
        (0..record.shards).filter(open).filter(done).map(|shard| shard_folder(out, shard)).collect();
    let merged = out.join("merged");
    if !left.is_empty() {
        store::merge(&left, &merged)?;
    }
    let given_up = record.memory.values().filter(|memory| memory.given_up.is_some()).count();
    let findings = match merged.exists() {
        true => store::status(&merged)?.summary.progress,
        false => store::Progress::default(),
    };
    println!(
        "{}: {}, {}, {} of {} shards",
        shown::path(&merged),
        report::count(findings.cases, "case"),
        report::count(findings.bugs, "bug"),
        record.shards as usize - given_up,
        record.shards
    );
    println!(
        "falsum triage {} reduces and bisects what was not triaged; falsum report {} shows it",
        word(&merged),
        word(&merged)
    );
    Ok(match () {
        () if given_up > 0 => Exit::Again,
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
