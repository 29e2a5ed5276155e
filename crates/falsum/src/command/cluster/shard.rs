//! `falsum cluster shard`: one shard of a cluster campaign, told by the environment which one.
//!
//! In: `FALSUM_CAMPAIGN`, a folder that all machines see; `FALSUM_SHARDS`; and the number of the shard from
//! `FALSUM_SHARD`, `SLURM_ARRAY_TASK_ID` or `JOB_COMPLETION_INDEX`. Out: the folder of the shard, `result.json` in it, and
//! an exit code for schedulers: 0 the shard is done, 75 it ended early with everything saved and is to be started again,
//! any other code it cannot go on. Starting a shard that is done does nothing; starting one that was killed goes on.

use super::{Place, parse, shard_folder};
use crate::command::hunt;
use crate::exit::{Exit, Failure, is_locked};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::Beat;

#[derive(clap::Args)]
pub struct Args {
    /// Arguments of `falsum hunt`, after `--`
    #[arg(last = true, value_name = "HUNT")]
    hunt: Vec<String>,
}

/// What became of a run of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Its part of the budget is spent and its bugs are triaged as far as was asked for.
    Done,
    /// It ended early, with everything saved.
    Again,
    Failed,
}

/// The contents of `result.json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardResult {
    pub outcome: Outcome,
    /// The exit code of the hunt.
    pub code: u8,
}

const FILE: &str = "result.json";

/// How long an earlier run of the shard is waited for.
const FOR_THE_LOCK: Duration = Duration::from_secs(30);

impl ShardResult {
    pub fn read(folder: &Path) -> Option<ShardResult> {
        serde_json::from_slice(&store::read_file(&folder.join(FILE)).ok()?).ok()
    }

    fn write(self, folder: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder)?;
        let private = folder.join(".result.json");
        store::write_file(&private, &serde_json::to_vec(&self)?)?;
        Ok(std::fs::rename(private, folder.join(FILE))?)
    }

    /// Removes it, when the shard is started again.
    fn forget(folder: &Path) {
        let _ = std::fs::remove_file(folder.join(FILE));
    }
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let (campaign, place) = environment(&|name| std::env::var(name).ok())?;
    let folder = shard_folder(&campaign, place.index);
    if ShardResult::read(&folder).is_some_and(|result| result.outcome == Outcome::Done) {
        return Ok(Exit::Fine);
    }
    ShardResult::forget(&folder);
    let mut words = args.hunt.clone();
    let (out, exchange) = (folder.display().to_string(), campaign.join("exchange").display().to_string());
    let shard = format!("{}/{}", place.index, place.shards);
    words.extend(["--shard".into(), shard, "--out".into(), out, "--exchange".into(), exchange]);
    let exit = hunt_when_free(&words)?;
    let result = ShardResult { outcome: outcome(exit, Beat::read(&folder).as_ref()), code: exit as u8 };
    result.write(&folder)?;
    Ok(match result.outcome {
        Outcome::Done => Exit::Fine,
        Outcome::Again => Exit::Again,
        Outcome::Failed => exit,
    })
}

/// Hunts. A folder that is locked belongs to an earlier run of this shard, on another machine perhaps, which is about to
/// end, or whose lock a file server keeps for a while after the machine died.
fn hunt_when_free(words: &[String]) -> anyhow::Result<Exit> {
    let began = Instant::now();
    loop {
        let mut hunt = parse(words)?;
        hunt.quiet = true;
        match hunt::run(hunt) {
            Ok(exit) => return Ok(exit),
            Err(error) if is_locked(&error) && began.elapsed() < FOR_THE_LOCK => {
                std::thread::sleep(Duration::from_secs(1));
            }
            Err(error) => return Ok(crate::exit::explain(&error)),
        }
    }
}

/// What an exit of a hunt means for its shard. A hunt that met a bug of falsum's own has done its work nevertheless.
fn outcome(exit: Exit, beat: Option<&Beat>) -> Outcome {
    let ended = beat.and_then(|beat| beat.ended.as_deref());
    match exit {
        Exit::Fine | Exit::Findings | Exit::KnownFindings => Outcome::Done,
        Exit::Internal if ended == Some("our-bugs") => Outcome::Done,
        // A folder that is locked belongs to an earlier run that has not ended yet; a disk may get space.
        Exit::Interrupted | Exit::Locked | Exit::DiskFull => Outcome::Again,
        _ => Outcome::Failed,
    }
}

/// The campaign folder and the shard, as the environment says.
fn environment(get: &dyn Fn(&str) -> Option<String>) -> Result<(PathBuf, Place), Failure> {
    let wanted = "docs/guides/cluster.md lists the variables";
    let missing = |name: &str| Failure::usage(format!("{name} is not set")).hint(wanted);
    let number = |name: &str, text: String| {
        let bad = || Failure::usage(format!("{name} is `{text}`, which is not a number")).hint(wanted);
        text.trim().parse::<u64>().map_err(|_| bad())
    };
    let campaign = get("FALSUM_CAMPAIGN").ok_or_else(|| missing("FALSUM_CAMPAIGN"))?;
    let shards = get("FALSUM_SHARDS").ok_or_else(|| missing("FALSUM_SHARDS"))?;
    let shards = number("FALSUM_SHARDS", shards)?;
    let names = ["FALSUM_SHARD", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"];
    let (name, index) = names
        .iter()
        .find_map(|name| Some((*name, get(name)?)))
        .ok_or_else(|| missing("none of FALSUM_SHARD, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX"))?;
    let index = number(name, index)?;
    if index >= shards {
        return Err(Failure::usage(format!("{name} is {index}, but there are {shards} shards")).hint(wanted));
    }
    Ok((campaign.into(), Place { index, shards }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_which_shard_it_is_and_what_is_missing() {
        let with = |all: &'static [(&str, &str)]| {
            environment(&move |name| {
                all.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        let slurm = [("FALSUM_CAMPAIGN", "/c"), ("FALSUM_SHARDS", "8"), ("SLURM_ARRAY_TASK_ID", "3")];
        let slurm: &'static [(&str, &str)] = Box::leak(Box::new(slurm));
        assert_eq!(with(slurm).ok(), Some(("/c".into(), Place { index: 3, shards: 8 })));
        let wrong = |all| with(all).expect_err("refused").to_string();
        assert!(wrong(&[("FALSUM_SHARDS", "8")]).contains("FALSUM_CAMPAIGN"));
        assert!(wrong(&[("FALSUM_CAMPAIGN", "c"), ("FALSUM_SHARDS", "2")]).contains("JOB_COMPLETION_INDEX"));
        let high = &[("FALSUM_CAMPAIGN", "c"), ("FALSUM_SHARDS", "2"), ("FALSUM_SHARD", "2")];
        assert!(wrong(high).contains("there are 2 shards"));
    }

    #[test]
    fn a_shard_is_done_started_again_or_failed() {
        assert_eq!(outcome(Exit::Findings, None), Outcome::Done);
        assert_eq!(outcome(Exit::Interrupted, None), Outcome::Again);
        assert_eq!(outcome(Exit::Internal, None), Outcome::Failed);
        assert_eq!(outcome(Exit::NoSolver, None), Outcome::Failed);
    }
}
