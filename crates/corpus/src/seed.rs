//! A seed and all claims about it.
//!
//! In: bytes and their origin. Out: [`Seed`], identified by the hash of its bytes, with one [`SeedCheck`] per `check-sat`
//! in the script. A check holds *claims*, not a status: if a folder says sat and the script unsat, both are recorded.
//! [`SeedCheck::status`] is known only when all claims agree. It must never drop a claim or its source.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::outline::{Malformed, SeedOutline};

/// What a check-sat should answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Sat,
    Unsat,
    Unknown,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => "unknown",
        })
    }
}

impl FromStr for Status {
    type Err = ();

    fn from_str(s: &str) -> Result<Self, ()> {
        match s {
            "sat" => Ok(Status::Sat),
            "unsat" => Ok(Status::Unsat),
            "unknown" => Ok(Status::Unknown),
            _ => Err(()),
        }
    }
}

/// The source of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatusSource {
    /// The file was in a folder called `sat` or `unsat`.
    Folder,
    /// `(set-info :status …)` before the check-sat.
    SetInfo,
    /// A leading `; EXPECT: …` comment, as cvc5's regression files have them.
    Expect,
    /// These targets were asked, and agreed.
    SolverConfirmed(Vec<String>),
    /// An argument in prose.
    Construction(String),
}

/// One claim about one check-sat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    pub status: Status,
    pub source: StatusSource,
}

/// All claims about one check-sat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedCheck {
    pub claims: Vec<Claim>,
}

impl SeedCheck {
    /// The status on which all informative claims agree; `Unknown` if there are none or they contradict each other.
    pub fn status(&self) -> Status {
        let mut known = self.informative();
        match known.next() {
            Some(first) if known.all(|s| s == first) => first,
            _ => Status::Unknown,
        }
    }

    /// Whether two claims contradict each other.
    pub fn conflict(&self) -> bool {
        let mut known = self.informative();
        known.next().is_some_and(|first| known.any(|s| s != first))
    }

    fn informative(&self) -> impl Iterator<Item = Status> + '_ {
        self.claims.iter().map(|c| c.status).filter(|s| *s != Status::Unknown)
    }

    /// Records a claim unless an equal one is already there.
    pub fn add(&mut self, claim: Claim) {
        if !self.claims.contains(&claim) {
            self.claims.push(claim);
        }
    }
}

/// The hash of a seed's bytes, used as its name wherever the name must not contain special characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeedId([u8; 32]);

impl SeedId {
    pub fn of(text: &[u8]) -> SeedId {
        SeedId(*blake3::hash(text).as_bytes())
    }

    /// Twelve hex digits, enough to distinguish the seeds of one corpus on a screen.
    pub fn short(&self) -> String {
        let mut hex = self.to_string();
        hex.truncate(12);
        hex
    }
}

impl fmt::Display for SeedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for SeedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SeedId({})", self.short())
    }
}

impl FromStr for SeedId {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let hash = blake3::Hash::from_hex(s).map_err(|e| format!("`{s}` is not a seed id: {e}"))?;
        Ok(SeedId(*hash.as_bytes()))
    }
}

impl Serialize for SeedId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SeedId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hex = String::deserialize(deserializer)?;
        hex.parse().map_err(serde::de::Error::custom)
    }
}

/// Where a seed's bytes came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Embedded in the program.
    Embedded,
    /// Read from this file.
    File(PathBuf),
    /// Copied into a collection from this file.
    Imported { collection: String, from: PathBuf },
}

/// A script from a corpus, with the claims about it.
#[derive(Clone, Debug)]
pub struct Seed {
    pub id: SeedId,
    /// For people: the path below the scanned root, or the embedded name. Never used as a file name.
    pub name: String,
    pub origin: Origin,
    pub text: Cow<'static, [u8]>,
    /// The argument of `set-logic`, if there is one.
    pub logic: Option<String>,
    /// One per check-sat, in script order.
    pub checks: Vec<SeedCheck>,
    /// The leading comment lines without their semicolons, including `EXPECT:` and `COMMAND-LINE:`.
    pub header: Vec<String>,
}

impl Seed {
    /// Reads the logic and the statuses in the script. A script without a check-sat gives a seed without checks.
    pub fn new(name: String, origin: Origin, text: Cow<'static, [u8]>) -> Result<Seed, Malformed> {
        let outline = SeedOutline::of(&text)?;
        let mut checks = vec![SeedCheck::default(); outline.checks.len()];
        for (check, said) in checks.iter_mut().zip(&outline.checks) {
            if let Some(status) = *said {
                check.add(Claim { status, source: StatusSource::SetInfo });
            }
        }
        let expected = outline.expectations();
        if expected.len() == checks.len() {
            for (check, status) in checks.iter_mut().zip(expected) {
                check.add(Claim { status, source: StatusSource::Expect });
            }
        }
        Ok(Seed {
            id: SeedId::of(&text),
            name,
            origin,
            text,
            logic: outline.logic,
            checks,
            header: outline.header,
        })
    }

    /// Adds the claim of the folder. It concerns only scripts with exactly one check-sat; for a longer script it is
    /// not clear which answer the folder means.
    pub fn claim_by_folder(&mut self, path: &Path) {
        let parent = path.parent().and_then(Path::file_name).and_then(|n| n.to_str());
        let Some(status) = parent.and_then(|n| n.parse().ok()).filter(|s| *s != Status::Unknown) else {
            return;
        };
        if let [check] = self.checks.as_mut_slice() {
            check.add(Claim { status, source: StatusSource::Folder });
        }
    }

    /// Adds the claims of another copy of the same script.
    pub fn merge_claims(&mut self, others: &[SeedCheck]) {
        for (mine, theirs) in self.checks.iter_mut().zip(others) {
            theirs.claims.iter().for_each(|claim| mine.add(claim.clone()));
        }
    }

    /// The agreed status per check-sat.
    pub fn statuses(&self) -> impl Iterator<Item = Status> + '_ {
        self.checks.iter().map(SeedCheck::status)
    }

    /// The agreed status of a script with one check-sat.
    pub fn status(&self) -> Status {
        match self.checks.as_slice() {
            [only] => only.status(),
            _ => Status::Unknown,
        }
    }

    /// Whether any claims about any check-sat contradict each other.
    pub fn conflict(&self) -> bool {
        self.checks.iter().any(SeedCheck::conflict)
    }

    /// Values of the leading comments `; KEY: value`.
    pub fn header_values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.header.iter().filter_map(move |line| line.strip_prefix(key)?.strip_prefix(':').map(str::trim))
    }

    /// The options in the file's `; COMMAND-LINE:` comments.
    pub fn command_line(&self) -> Vec<&str> {
        self.header_values("COMMAND-LINE").flat_map(str::split_whitespace).collect()
    }
}
