//! Answers: the result of each check-sat, and how the run ended. Plain data.
//!
//! An [`Answer`] exists only if the solver printed it as a response to that check-sat and nothing before it made it
//! void. "No answer" is never a kind of answer: it is `None`, with the reason beside it.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A solver's answer to one check-sat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Sat,
    Unsat,
    Unknown,
}

impl Answer {
    /// From the exact word.
    pub fn from_word(word: &[u8]) -> Option<Answer> {
        match word {
            b"sat" => Some(Answer::Sat),
            b"unsat" => Some(Answer::Unsat),
            b"unknown" => Some(Answer::Unknown),
            _ => None,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown => "unknown",
        }
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// Bytes that a solver printed, as text: what is not UTF-8 is replaced.
mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&String::from_utf8_lossy(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        Ok(String::deserialize(deserializer)?.into_bytes())
    }

    pub mod maybe {
        use super::*;

        pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
            match bytes {
                Some(bytes) => serializer.serialize_some(&String::from_utf8_lossy(bytes)),
                None => serializer.serialize_none(),
            }
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Vec<u8>>, D::Error> {
            Ok(Option::<String>::deserialize(d)?.map(String::into_bytes))
        }
    }
}

/// One check-sat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Check {
    pub answer: Option<Answer>,
    /// Why an answer that was printed does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
    /// The response to get-model, as printed.
    #[serde(with = "text::maybe", skip_serializing_if = "Option::is_none")]
    pub model: Option<Vec<u8>>,
    /// The response to get-unsat-core, as printed.
    #[serde(with = "text::maybe", skip_serializing_if = "Option::is_none")]
    pub core: Option<Vec<u8>>,
    /// The response to get-proof, as printed.
    #[serde(with = "text::maybe", skip_serializing_if = "Option::is_none")]
    pub proof: Option<Vec<u8>>,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The message with which a get-model, get-unsat-core or get-value after the right answer failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complaint: Option<String>,
    /// The response to get-unsat-assumptions, as printed.
    #[serde(with = "text::maybe", skip_serializing_if = "Option::is_none")]
    pub assumptions: Option<Vec<u8>>,
    /// Responses to the script's own get-value, get-info, … after this check. Older records have texts without numbers
    /// under the field's own name; they are not read.
    #[serde(rename = "requested", skip_serializing_if = "Vec::is_empty")]
    pub responses: Vec<Response>,
}

/// The response to a request of the script's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The number of the request since its check-sat.
    pub number: usize,
    #[serde(with = "text")]
    pub text: Vec<u8>,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    #[default]
    /// By itself, with complete output.
    ByItself,
    /// The limit on wall time, ours or the solver's own.
    Wall,
    /// The limit on processor time.
    Cpu,
    /// The limit on memory, ours or the solver's own.
    Memory,
    /// It printed or forked without bound.
    Flood(String),
    /// falsum cancelled it.
    Cancelled,
    /// Another process killed it (most often the kernel, out of memory): says nothing about the solver.
    Killed { signal: i32 },
    /// A signal of its own or a failed assertion. `wrapped`: only a wrapper's exit code says so.
    Crash { signal: Option<i32>, message: String, wrapped: bool },
    /// It rejected the script.
    Error(String),
    /// It rejected the script because it lacks a feature.
    Unsupported(String),
    /// Its output cannot be matched with the queries.
    Protocol(String),
    /// It could not be started.
    Unavailable(String),
}

impl Ended {
    /// One word, as reports and the JSON output use it.
    pub fn word(&self) -> &'static str {
        match self {
            Ended::ByItself => "ended",
            Ended::Wall => "wall",
            Ended::Cpu => "cpu",
            Ended::Memory => "memory",
            Ended::Flood(_) => "flood",
            Ended::Cancelled => "cancelled",
            Ended::Killed { .. } => "killed",
            Ended::Crash { .. } => "crash",
            Ended::Error(_) => "error",
            Ended::Unsupported(_) => "unsupported",
            Ended::Protocol(_) => "protocol",
            Ended::Unavailable(_) => "unavailable",
        }
    }

    /// Its message.
    pub fn message(&self) -> Option<&str> {
        match self {
            Ended::Flood(m)
            | Ended::Error(m)
            | Ended::Unsupported(m)
            | Ended::Protocol(m)
            | Ended::Unavailable(m) => Some(m),
            Ended::Crash { message, .. } => Some(message),
            _ => None,
        }
    }

    /// Whether the solver ran into a limit.
    pub fn is_limit(&self) -> bool {
        matches!(self, Ended::Wall | Ended::Cpu | Ended::Memory)
    }
}

/// The result of one query: the one record of it, from the session to the report.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    /// Which question of its case it answers.
    pub question: usize,
    /// The target's name.
    pub target: String,
    /// One per check-sat of the script, in order.
    pub checks: Vec<Check>,
    pub ended: Ended,
    /// The session that was used, after routing.
    pub session: crate::profile::SessionKind,
    /// Why another kind was used than the requested one.
    #[serde(skip)]
    pub routed: Option<&'static str>,
    pub wall: Duration,
    pub cpu: Duration,
    /// Where the time went, if stack samples were taken: functions, innermost first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whereabouts: Option<String>,
    /// The largest resident memory seen, in bytes.
    pub memory: u64,
    /// Processes that outlived the solver, and whether they were ended.
    #[serde(skip)]
    pub leak: run::Leak,
    /// Descriptions of options of the script that were not sent; see `permit`.
    pub left_out: Vec<String>,
    /// Messages of unexpected `(error …)` responses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    /// Bytes on standard output that are not a response.
    #[serde(with = "text", skip_serializing_if = "Vec::is_empty")]
    pub stray: Vec<u8>,
    /// Standard error.
    #[serde(with = "text", skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<u8>,
    /// Everything that was sent to the process since its start; for a fresh process, the script.
    #[serde(skip)]
    pub history: History,
}

impl Reply {
    /// The answer of a script with one check-sat, or of its last one.
    pub fn answer(&self) -> Option<Answer> {
        self.checks.last().and_then(|c| c.answer)
    }

    /// The answer to one check-sat.
    pub fn answer_to(&self, check: usize) -> Option<Answer> {
        self.checks.get(check).and_then(|check| check.answer)
    }

    /// One word per check-sat, joined by blanks; `none` where there is no answer. For messages.
    pub fn words(&self) -> String {
        let words: Vec<&str> = self.checks.iter().map(|c| c.answer.map_or("none", Answer::word)).collect();
        if words.is_empty() { "none".into() } else { words.join(" ") }
    }

    /// Its output as a user would have seen it: answers with what followed each, then the rest.
    pub fn stdout(&self) -> Vec<u8> {
        let mut out = vec![];
        for check in &self.checks {
            let words = check.answer.map(|answer| answer.word().as_bytes());
            for part in [words, check.model.as_deref().or(check.core.as_deref())].into_iter().flatten() {
                out.extend_from_slice(part);
                out.push(b'\n');
            }
        }
        out.extend_from_slice(&self.stray);
        out
    }

    /// Its output without the models and cores that falsum requested.
    pub fn answers_only(&self) -> Vec<u8> {
        let answers = self.checks.iter().filter_map(|check| check.answer);
        let mut out: Vec<u8> =
            answers.flat_map(|answer| [answer.word().as_bytes(), b"\n"].concat()).collect();
        out.extend_from_slice(&self.stray);
        out
    }

    /// Whether every check-sat has an answer.
    pub fn is_complete(&self) -> bool {
        self.checks.iter().all(|c| c.answer.is_some())
    }
}

/// An append-only log shared by the replies of one process: cheap to keep, copied only when it is needed.
#[derive(Clone, Debug, Default)]
pub struct History {
    log: std::sync::Arc<std::sync::Mutex<Vec<u8>>>,
    /// Where in the log the solver gave up a check-sat at its own limit.
    given_up: Vec<usize>,
    end: usize,
    /// The log was dropped because it grew too large.
    lost: bool,
}

/// A process that has been sent more than this cannot be replayed from its history.
const HISTORY_CAP: usize = 8 << 20;

impl History {
    pub(crate) fn of(bytes: Vec<u8>) -> History {
        let end = bytes.len();
        History { log: std::sync::Arc::new(std::sync::Mutex::new(bytes)), given_up: vec![], end, lost: false }
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) {
        if self.lost || self.end + bytes.len() > HISTORY_CAP {
            self.lost = true;
            return;
        }
        if let Ok(mut log) = self.log.lock() {
            log.truncate(self.end);
            log.extend_from_slice(bytes);
            self.end = log.len();
        }
    }

    /// Notes that the solver gave up what it was sent last.
    pub(crate) fn gave_up(&mut self) {
        self.given_up.push(self.end);
    }

    /// Behind how many bytes of [`History::bytes`] the solver gave up at its own limit, in order.
    pub fn given_up(&self) -> &[usize] {
        &self.given_up
    }

    /// Whether both are of one process.
    pub(crate) fn is_of_the_same(&self, other: &History) -> bool {
        std::sync::Arc::ptr_eq(&self.log, &other.log)
    }

    /// Everything sent until this reply; `None` if it was too much to keep.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let log = self.log.lock().ok()?;
        (!self.lost).then(|| log.get(..self.end).map(<[u8]>::to_vec)).flatten()
    }
}
