//! What a campaign is: everything that determines its cases, and everything needed to understand its findings.
//!
//! Written once as `campaign.toml`, and a second time inside the database, so that each can be checked against the
//! other. What determines the cases (key, strategies, seeds, shard) may not change between two runs in one folder;
//! targets and limits may, because the same cases run on a newer solver are still the same cases.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The maximal number of shards, more than there will be machines.
const MOST_LANES: u64 = 1 << 20;

/// One campaign, or one shard of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Campaign {
    /// Version of the folder; [`crate::FORMAT`] in a folder that this falsum makes.
    pub format: u32,
    /// The campaign key: all choices of all strategies follow from it.
    pub key: String,
    pub strategies: Vec<String>,
    /// How strategies share the time.
    pub schedule: String,
    /// Session kinds in use.
    pub session: String,
    /// Fingerprint of the seeds, in their order.
    pub seeds: String,
    /// The version of falsum that started it.
    pub falsum: String,
    /// When, in seconds since 1970.
    pub started: u64,
    pub shard: Shard,
    /// The number of lanes over which the units are distributed: the number of shards, also after a merge.
    pub lanes: u64,
    pub limits: RecordedLimits,
    /// The settings of each strategy that differ from the defaults, as JSON.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    #[serde(default)]
    pub targets: Vec<TargetRecord>,
    #[serde(default)]
    pub references: Vec<TargetRecord>,
}

/// A target at the start of the campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetRecord {
    pub name: String,
    pub version: String,
    pub hash: String,
    pub command: Vec<String>,
}

/// The limits of one query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedLimits {
    /// The first, short limit.
    pub short_ms: u64,
    /// The full limit.
    pub full_ms: u64,
    pub memory_bytes: u64,
}

/// Shard `index` of `count`, counted from 0: the units whose number is `index` modulo `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    pub index: u64,
    pub count: u64,
}

impl Shard {
    /// The whole campaign.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    pub fn owns(self, unit: u64) -> bool {
        unit % self.count == self.index
    }

    /// The `n`-th unit of this shard.
    pub fn unit(self, n: u64) -> u64 {
        n * self.count + self.index
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// How two campaigns differ in what determines their cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `key`, `strategies`, `seeds`, `settings` or `shard`.
    pub what: &'static str,
    pub stored: String,
    pub wanted: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} differ: the folder has `{}`, now it is `{}`", self.what, self.stored, self.wanted)
    }
}

impl Campaign {
    /// A campaign with only what determines its cases; the caller fills in the rest.
    pub fn new(key: impl Into<String>, strategies: Vec<String>, seeds: impl Into<String>) -> Campaign {
        Campaign {
            format: crate::FORMAT,
            key: key.into(),
            strategies,
            schedule: String::new(),
            session: String::new(),
            seeds: seeds.into(),
            falsum: env!("CARGO_PKG_VERSION").to_owned(),
            started: crate::event::now_ms() / 1000,
            shard: Shard::WHOLE,
            lanes: 1,
            limits: RecordedLimits::default(),
            settings: BTreeMap::new(),
            targets: Vec::new(),
            references: Vec::new(),
        }
    }

    /// What `campaign.toml` records, whatever the state of the database.
    pub fn read(dir: &std::path::Path) -> crate::Result<Campaign> {
        crate::rebuild::read_campaign(dir)
    }

    /// The campaign, if its numbers are valid: it may have been read from another user's file.
    pub(crate) fn sound(self) -> Result<Campaign, &'static str> {
        let Shard { index, count } = self.shard;
        let fits = index < count && (1..=MOST_LANES).contains(&self.lanes) && count <= self.lanes;
        if fits { Ok(self) } else { Err("its shard numbers are invalid") }
    }

    /// The same campaign, restricted to one shard.
    pub fn sharded(mut self, shard: Shard) -> Campaign {
        self.lanes = shard.count;
        self.shard = shard;
        self
    }

    /// The first difference that makes this another campaign, or another shard of it. A merged campaign is the whole
    /// one; it keeps its lanes.
    pub fn difference(&self, wanted: &Campaign) -> Option<Difference> {
        self.difference_of_cases(wanted).or_else(|| {
            (self.shard != wanted.shard).then(|| Difference {
                what: "shards",
                stored: self.shard.to_string(),
                wanted: wanted.shard.to_string(),
            })
        })
    }

    /// The first difference that makes this another campaign, ignoring the shard.
    pub(crate) fn difference_of_cases(&self, wanted: &Campaign) -> Option<Difference> {
        let pairs = [
            ("keys", self.key.clone(), wanted.key.clone()),
            ("strategies", self.strategies.join(","), wanted.strategies.join(",")),
            ("seeds", self.seeds.clone(), wanted.seeds.clone()),
            ("settings", format!("{:?}", self.settings), format!("{:?}", wanted.settings)),
        ];
        pairs
            .into_iter()
            .find(|(_, stored, wanted)| stored != wanted)
            .map(|(what, stored, wanted)| Difference { what, stored, wanted })
    }

    /// A description of what changed among the targets: the cases stay the same, the answers may not.
    pub fn changed_targets(&self, now: &Campaign) -> Vec<String> {
        let describe = |t: &TargetRecord| format!("{} {} ({})", t.name, t.version, t.hash);
        let mut changes = Vec::new();
        for (role, before, after) in
            [("target", &self.targets, &now.targets), ("reference", &self.references, &now.references)]
        {
            let gone = before.iter().filter(|t| !after.contains(t));
            changes.extend(gone.map(|t| format!("{role} {} is no longer used", describe(t))));
            let come = after.iter().filter(|t| !before.contains(t));
            changes.extend(come.map(|t| format!("{role} {} is new", describe(t))));
        }
        changes
    }
}
