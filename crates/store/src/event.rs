//! Events: what happened, in the order in which it happened, for the screen, the log and other people's scripts.
//!
//! One JSON object per line: `{"v":1,"t":1760000000.123,"event":"finding",…}`. `v` is the version of the stream, `t`
//! seconds since 1970. A reader must skip events that it does not know. Names and fields may be added, never changed.

use crate::bug::BugId;
use crate::finding::FindingId;
use crate::status::{Progress, Summary};
use oracle::Kind;
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

/// Version of the stream.
pub const VERSION: u32 = 1;

/// An event and when it happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamped {
    pub v: u32,
    pub t: f64,
    #[serde(flatten)]
    pub event: Event,
}

impl Stamped {
    /// The event, happening now.
    pub fn now(event: Event) -> Stamped {
        Stamped { v: VERSION, t: now_ms() as f64 / 1000.0, event }
    }

    /// The line of the stream, with its newline.
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A campaign starts or goes on.
    CampaignStarted {
        key: String,
        strategies: Vec<String>,
        targets: Vec<String>,
        shard: String,
        falsum: String,
        resumed: bool,
    },
    /// A finding was written to its folder.
    Finding { id: FindingId, bug: BugId, kind: Kind, culprits: Vec<String>, strategy: String },
    /// A bug was seen for the first time.
    Bug { id: BugId, kind: Kind, culprits: Vec<String>, finding: FindingId, signature: String },
    /// A target can no longer be asked.
    TargetDisabled { target: String, reason: String },
    /// A seed is no longer used.
    SeedQuarantined { seed: String, reason: String },
    /// Falsum itself failed on a case.
    Panic { id: String, place: String, message: String },
    /// Where the campaign stands.
    Progress(Progress),
    /// The last event of a run.
    Summary(Summary),
    /// Anything else that a person may want to know.
    Note { text: String },
    /// An event of a later version.
    #[serde(other)]
    Unknown,
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
