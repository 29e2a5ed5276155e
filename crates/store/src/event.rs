//! Events: what happened, in order, for the screen, the log and users' scripts.
//!
//! One JSON object per line: `{"v":1,"n":17,"t":1760000000.123,"event":"finding",…}`. `v` is the version of the stream,
//! `n` counts the events of one process, `t` is seconds since 1970. A reader must skip events that it does not know.
//! Names and fields may be added, never changed.

use crate::bug::BugId;
use crate::finding::FindingId;
use crate::status::{Progress, Standing, Summary};
use oracle::FindingKind;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Version of the stream.
pub const VERSION: u32 = 1;

/// An event and when it happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamped {
    pub v: u32,
    #[serde(default)]
    pub n: u64,
    pub t: f64,
    #[serde(flatten)]
    pub event: Event,
}

impl Stamped {
    /// The event with the current time.
    pub fn now(event: Event) -> Stamped {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        Stamped { v: VERSION, n, t: now_ms() as f64 / 1000.0, event }
    }

    /// The line of the stream, with its newline.
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A campaign starts or is resumed.
    CampaignStarted {
        key: String,
        strategies: Vec<String>,
        targets: Vec<String>,
        shard: String,
        falsum: String,
        resumed: bool,
    },
    /// A finding was written to its folder.
    Finding {
        id: FindingId,
        bug: BugId,
        kind: FindingKind,
        culprits: Vec<String>,
        strategy: String,
        /// Whether its bug is new.
        #[serde(default)]
        new_bug: bool,
        /// How it is stored: `folder`, `row`, `counted`, or `before` if it was there already.
        #[serde(default)]
        kept: String,
    },
    /// A bug was seen for the first time.
    Bug {
        id: BugId,
        kind: FindingKind,
        culprits: Vec<String>,
        finding: FindingId,
        signature: String,
        /// Commands to paste: check, reduce, report.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        follow_up: Vec<String>,
    },
    /// A finding is queued for triage or being triaged.
    TriageBegan { finding: FindingId },
    /// A finding was reduced and got its signature.
    TriageEnded {
        finding: FindingId,
        bug: BugId,
        bytes_before: u64,
        bytes_after: u64,
        /// The release that fixed it, `not fixed`, or nothing if it was not bisected.
        fixed_in: Option<String>,
        /// The change in the number of bugs: one more, the same, or fewer.
        bugs_change: i64,
    },
    /// A finding is a hit of a known bug.
    Masked { finding: FindingId, bug: BugId },
    /// A target was disabled.
    TargetDisabled { target: String, reason: String },
    /// A seed is no longer used.
    SeedQuarantined { seed: String, reason: String },
    /// A suspicion that did not show again often enough to accuse a solver of it.
    Unconfirmed { strategy: String, unit: u64, kind: String, how: String },
    /// A strategy made a case that is not well-typed; it was not run.
    IllTyped { strategy: String, unit: u64, why: String },
    /// Falsum itself failed on a case.
    Panic { id: String, place: String, message: String },
    /// The state of the campaign in a few numbers.
    Progress(Progress),
    /// The state of the campaign, for live displays; never stored.
    Standing(Box<Standing>),
    /// The last event of a run.
    Summary(Summary),
    /// Other information for the user.
    Note { text: String },
    /// An event of a later version.
    #[serde(other)]
    Unknown,
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
