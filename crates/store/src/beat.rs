//! `standing.json`: how a hunt stands, in one small file that other machines can read while it runs.
//!
//! A database on a network file system must not be opened by two machines at a time, so a running shard also writes a
//! summary of itself every few seconds, under a private name that it then renames: a reader sees the old one or the new
//! one. In: the counters of the store. Out: a [`Beat`]; [`beats`] reads those of all shards of a cluster folder. Nothing
//! rests on it: a missing or old file means that the shard is not heard of.

use crate::bug::Bug;
use crate::campaign::Shard;
use crate::error::{Error, Result};
use crate::event::now_ms;
use crate::inside;
use crate::status::Progress;
use oracle::FindingKind;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const NAME: &str = "standing.json";

/// The folder of the shards in the folder of a cluster campaign.
pub const SHARDS: &str = "shards";

/// What a shard says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    /// Milliseconds since 1970.
    pub time: u64,
    pub host: String,
    pub pid: u32,
    pub shard: Shard,
    /// How the run ended, if it did.
    #[serde(default)]
    pub ended: Option<String>,
    pub progress: Progress,
    /// Cases per second since the beat before.
    pub rate: f64,
    pub bugs: Vec<BugLine>,
}

/// A bug that a shard has found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BugLine {
    pub id: String,
    pub kind: FindingKind,
    pub culprits: Vec<String>,
    pub count: u64,
}

impl Beat {
    pub fn new(shard: Shard, progress: Progress, bugs: &[Bug], ended: Option<String>) -> Beat {
        let line = |bug: &Bug| BugLine {
            id: bug.id.to_string(),
            kind: bug.kind,
            culprits: bug.culprits.clone(),
            count: bug.count,
        };
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let (time, pid, bugs) = (now_ms(), std::process::id(), bugs.iter().map(line).collect());
        Beat { time, host, pid, shard, ended, progress, rate: 0.0, bugs }
    }

    /// Writes it. The rate follows from the beat before.
    pub fn write(mut self, dir: &Path, before: Option<&Beat>) -> Result<Beat> {
        if let Some(before) = before.filter(|before| before.time < self.time) {
            let cases = self.progress.cases.saturating_sub(before.progress.cases);
            self.rate = cases as f64 * 1000.0 / (self.time - before.time) as f64;
        }
        let (private, path) = (dir.join(".standing.json"), dir.join(NAME));
        inside::write_file(&private, crate::bug::json(&self).as_bytes())?;
        std::fs::rename(&private, &path).map_err(|error| Error::io(&path, error))?;
        Ok(self)
    }

    pub fn read(dir: &Path) -> Option<Beat> {
        const MOST: usize = 16 << 20;
        let text = inside::read_file(&dir.join(NAME)).ok().filter(|text| text.len() < MOST)?;
        serde_json::from_slice(&text).ok()
    }

    /// Seconds since it was written, as this machine's clock says.
    pub fn age(&self) -> u64 {
        now_ms().saturating_sub(self.time) / 1000
    }
}

/// The folders of the shards of a cluster campaign, in order; none if it is no such folder.
pub fn shard_folders(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir.join(SHARDS)).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    all.sort();
    all
}

/// What the shards of a cluster campaign say, by folder.
pub fn beats(dir: &Path) -> Vec<(PathBuf, Option<Beat>)> {
    shard_folders(dir).into_iter().map(|path| (path.clone(), Beat::read(&path))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_is_read_back_and_its_rate_is_that_since_the_beat_before() {
        let dir = tempfile::tempdir().expect("a folder");
        let shard = dir.path().join(SHARDS).join("000001");
        std::fs::create_dir_all(&shard).expect("made");
        let beat = |cases| {
            let progress = Progress { cases, ..Progress::default() };
            Beat::new(Shard { index: 1, count: 2 }, progress, &[], None)
        };
        let mut first = beat(100).write(&shard, None).expect("written");
        first.time -= 2000;
        let second = beat(400).write(&shard, Some(&first)).expect("written");
        assert!((100.0..=150.0).contains(&second.rate), "{}", second.rate);
        assert_eq!(beats(dir.path()), [(shard, Some(second))]);
    }
}
