//! `reduced.json`: the results on the reduced form of a finding.
//!
//! A report must not argue about one formula and show another. So once a finding is reduced, all solvers are run on the
//! reduced form, and the evidence, the answers and the affected releases are stored beside it. All of it was observed
//! by triage; nothing is inferred here, and a finding without this file is reported with the results on the original.

use crate::inside::Inside;
use oracle::{Accusation, Evidence};
use serde::{Deserialize, Serialize};
use solver::Reply;

/// Output is cut after this many bytes.
const MOST_OUTPUT: usize = 16 << 10;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reduction {
    /// Which check-sat of the reduced form.
    pub check: usize,
    /// The right answer, where it is known.
    pub truth: Option<bool>,
    pub evidence: Vec<Evidence>,
    pub answers: Vec<Said>,
    /// The options of the culprit's command line that it needs.
    #[serde(default)]
    pub options: Vec<String>,
    /// With how many solver seeds it shows, and how many were tried.
    pub seeds: (u64, u64),
    /// The operator that the bug is about, if the reduction was complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// The releases that were run, oldest first, with the result of each.
    pub releases: Vec<ReleaseRow>,
    /// Whether every release between the first and the last bad one is bad.
    pub monotone: bool,
}

/// The answer of one target to the reduced form, as text.
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
    /// What a target printed; without the models that only we requested, unless a model is what is wrong.
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

    /// From an accusation that was reproduced on the reduced form.
    pub fn of(accusation: &Accusation, replies: &[Reply]) -> Reduction {
        let models = accusation.kind == oracle::FindingKind::InvalidModel;
        Reduction {
            check: accusation.at.check,
            truth: accusation.truth,
            evidence: accusation.evidence.clone(),
            answers: replies.iter().map(|reply| Said::of(reply, models)).collect(),
            options: vec![],
            seeds: (0, 0),
            operator: None,
            releases: vec![],
            monotone: true,
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// The contents of the file in a folder, if it can be read.
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
    use oracle::{EvidenceKind, FindingKind};

    #[test]
    fn results_on_the_reduced_form_are_read_back_from_their_file() {
        let accusation = Accusation {
            kind: FindingKind::InvalidModel,
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
