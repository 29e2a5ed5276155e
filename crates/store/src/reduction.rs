//! `reduced.json`: what was seen on the reduced form of a finding.
//!
//! A report must not argue about one formula and show another. So once a finding is reduced, everybody is asked about
//! the reduced form, and the evidence, the answers and the releases concerned are kept beside it. What comes in was
//! seen by triage; nothing here is guessed, and a finding without this file is reported by what was seen on the
//! original.

use crate::inside::Inside;
use oracle::{Accusation, Evidence};
use serde::{Deserialize, Serialize};
use solver::Reply;

/// More of an output than this is cut.
const MOST_OUTPUT: usize = 16 << 10;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reduction {
    /// Which check-sat of the reduced form.
    pub check: usize,
    /// What is right, where it is known.
    pub truth: Option<bool>,
    pub evidence: Vec<Evidence>,
    pub answers: Vec<Said>,
    /// The options of the culprit's command line that it needs.
    #[serde(default)]
    pub options: Vec<String>,
    /// With how many solver seeds it shows, and how many were tried.
    pub seeds: (u64, u64),
    /// The releases that were asked, oldest first, with what each did.
    pub releases: Vec<ReleaseRow>,
    /// Whether every release between the first and the last bad one is bad.
    pub monotone: bool,
}

/// What one target said about the reduced form, for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Said {
    pub target: String,
    pub answer: String,
    pub ended: String,
    pub micros: u64,
    pub stdout: String,
    pub stderr: String,
}

impl Said {
    /// What a target printed; without the models that only we asked for unless they are what is wrong.
    fn of(reply: &Reply, models: bool) -> Said {
        let stdout = if models { reply.stdout() } else { reply.answers_only() };
        Said {
            target: reply.target.clone(),
            answer: reply.words(),
            ended: reply.ended.word().to_owned(),
            micros: reply.wall.as_micros() as u64,
            stdout: cut(&stdout),
            stderr: cut(&reply.stderr),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReleaseRow {
    pub release: String,
    pub answer: String,
    pub bad: bool,
}

impl Reduction {
    /// The name of the file in a finding's folder.
    pub const FILE: &'static str = "reduced.json";

    /// Of an accusation that was seen again on the reduced form.
    pub fn of(accusation: &Accusation, replies: &[Reply]) -> Reduction {
        let models = accusation.kind == oracle::Kind::InvalidModel;
        Reduction {
            check: accusation.at.check,
            truth: accusation.truth,
            evidence: accusation.evidence.clone(),
            answers: replies.iter().map(|reply| Said::of(reply, models)).collect(),
            options: vec![],
            seeds: (0, 0),
            releases: vec![],
            monotone: true,
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// What a folder holds, if it holds one that can be read.
    pub fn read(folder: &std::path::Path) -> Option<Reduction> {
        let name = Inside::parse(Reduction::FILE)?;
        serde_json::from_slice(&crate::inside::read(folder, &name).ok()?).ok()
    }
}

fn cut(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_OUTPUT)]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oracle::{EvidenceKind, Kind};

    #[test]
    fn what_was_seen_on_the_reduced_form_comes_back_from_its_file() {
        let accusation = Accusation {
            kind: Kind::InvalidModel,
            culprit: Some("z3".into()),
            evidence: vec![Evidence::new(EvidenceKind::Model, "cvc5", "x = 1")],
            at: strategy::At { question: 0, check: 1 },
            truth: Some(true),
        };
        let reply = Reply { target: "z3".into(), stray: vec![b'x'; 100_000], ..Reply::default() };
        let reduction = Reduction::of(&accusation, &[reply]);
        assert_eq!(reduction.answers[0].stdout.len(), MOST_OUTPUT);
        let dir = tempfile::tempdir().expect("a folder");
        assert_eq!(Reduction::read(dir.path()), None);
        std::fs::write(dir.path().join(Reduction::FILE), reduction.bytes()).expect("written");
        assert_eq!(Reduction::read(dir.path()), Some(reduction));
    }
}
