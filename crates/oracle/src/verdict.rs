//! The types and words of a verdict. Scripts and reports rely on the spelling of kinds and evidence.

use serde::{Deserialize, Serialize};
use strategy::At;

/// What is wrong. The order is that of severity, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Said unsat, is sat.
    RefutationUnsound,
    /// Said sat, is unsat.
    SolutionUnsound,
    InvalidModel,
    /// A value of a term that its own model contradicts.
    InvalidValue,
    InvalidCore,
    InvalidProof,
    InvalidInterpolant,
    Crash,
    /// Answers contradict each other and no certificate decides which solver is wrong.
    Inconsistent,
    /// An older release decides it, a newer one does not.
    IncompletenessRegression,
    /// A formula it decides implies the answer that it does not give.
    IncompletenessImplication,
    PerformanceRegression,
    Performance,
    RejectsValidInput,
}

impl FindingKind {
    pub const ALL: [FindingKind; 14] = [
        FindingKind::RefutationUnsound,
        FindingKind::SolutionUnsound,
        FindingKind::InvalidModel,
        FindingKind::InvalidValue,
        FindingKind::InvalidCore,
        FindingKind::InvalidProof,
        FindingKind::InvalidInterpolant,
        FindingKind::Crash,
        FindingKind::Inconsistent,
        FindingKind::IncompletenessRegression,
        FindingKind::IncompletenessImplication,
        FindingKind::PerformanceRegression,
        FindingKind::Performance,
        FindingKind::RejectsValidInput,
    ];

    pub fn word(self) -> &'static str {
        match self {
            FindingKind::RefutationUnsound => "refutation-unsound",
            FindingKind::SolutionUnsound => "solution-unsound",
            FindingKind::InvalidModel => "invalid-model",
            FindingKind::InvalidValue => "invalid-value",
            FindingKind::InvalidCore => "invalid-core",
            FindingKind::InvalidProof => "invalid-proof",
            FindingKind::InvalidInterpolant => "invalid-interpolant",
            FindingKind::Crash => "crash",
            FindingKind::Inconsistent => "inconsistent",
            FindingKind::IncompletenessRegression => "incompleteness-regression",
            FindingKind::IncompletenessImplication => "incompleteness-implication",
            FindingKind::PerformanceRegression => "performance-regression",
            FindingKind::Performance => "performance",
            FindingKind::RejectsValidInput => "rejects-valid-input",
        }
    }

    /// Whether it is about time: measured, not argued, so it never stands among wrong answers.
    pub fn is_slowness(self) -> bool {
        matches!(self, FindingKind::PerformanceRegression | FindingKind::Performance)
    }

    /// Whether it is about an answer that is missing.
    pub fn is_incompleteness(self) -> bool {
        matches!(self, FindingKind::IncompletenessRegression | FindingKind::IncompletenessImplication)
    }

    /// Whether something that was said or done is wrong, and not only slow, undecided or refused.
    pub fn is_soundness(self) -> bool {
        !(self.is_slowness() || self.is_incompleteness() || self == FindingKind::RejectsValidInput)
    }

    pub fn from_word(word: &str) -> Option<FindingKind> {
        FindingKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// A description for users.
    pub fn meaning(self) -> &'static str {
        match self {
            FindingKind::RefutationUnsound => "says unsat, but the formula is satisfiable",
            FindingKind::SolutionUnsound => "says sat, but the formula is unsatisfiable",
            FindingKind::InvalidModel => "says sat with a model that does not satisfy the formula",
            FindingKind::InvalidValue => "gives a value that its own model contradicts",
            FindingKind::InvalidCore => "gives an unsat core that is satisfiable",
            FindingKind::InvalidProof => "gives a proof that does not check",
            FindingKind::InvalidInterpolant => "gives an interpolant that is none",
            FindingKind::Crash => "crashes",
            FindingKind::Inconsistent => "answers contradict each other",
            FindingKind::IncompletenessRegression => "says unknown where an older release decides",
            FindingKind::IncompletenessImplication => {
                "says unknown on a formula whose answer follows from one it decides"
            }
            FindingKind::PerformanceRegression => "is far slower than an older release",
            FindingKind::Performance => "is far slower than another solver",
            FindingKind::RejectsValidInput => "rejects a script that the standard allows",
        }
    }
}

/// Smaller is worse.
pub fn severity(kind: FindingKind) -> usize {
    FindingKind::ALL.iter().position(|&other| other == kind).unwrap_or(FindingKind::ALL.len())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// A model under which our evaluator finds every assertion true.
    Model,
    /// A model under which our evaluator finds an assertion false.
    RefutedModel,
    /// The formula has no free symbol, and our evaluator decides it.
    Evaluation,
    /// All assignments were tried.
    Enumeration,
    /// Linear arithmetic, decided by eliminating its variables one after the other.
    Elimination,
    /// Lemmas, each valid by itself, that rule out every assignment.
    Refutation,
    /// The way the formula was made.
    Construction,
    /// A core that was solved again.
    Core,
    /// The solver's own answer to a related formula.
    Relation,
    /// The solver contradicts itself.
    SelfContradiction,
    /// Another release of the same solver.
    Release,
    /// How the process ended.
    Exit,
    /// Processor time, measured with several solver seeds beside another solver's.
    Time,
    /// Another solver takes the script.
    Accepted,
    /// The solver's own check of its answer complains.
    SelfCheck,
    /// A proof checker refuses the proof.
    ProofChecker,
    /// The label of a benchmark: a claim of another party.
    Status,
    /// Only a vote; the weakest.
    Majority,
}

impl EvidenceKind {
    pub fn word(self) -> &'static str {
        match self {
            EvidenceKind::Model => "model",
            EvidenceKind::RefutedModel => "refuted-model",
            EvidenceKind::Evaluation => "evaluation",
            EvidenceKind::Enumeration => "enumeration",
            EvidenceKind::Elimination => "elimination",
            EvidenceKind::Refutation => "refutation",
            EvidenceKind::Construction => "construction",
            EvidenceKind::Core => "core",
            EvidenceKind::Relation => "relation",
            EvidenceKind::SelfContradiction => "self-contradiction",
            EvidenceKind::Release => "release",
            EvidenceKind::Exit => "exit",
            EvidenceKind::Time => "time",
            EvidenceKind::Accepted => "accepted",
            EvidenceKind::SelfCheck => "self-check",
            EvidenceKind::ProofChecker => "proof-checker",
            EvidenceKind::Status => "status",
            EvidenceKind::Majority => "majority",
        }
    }
}

impl EvidenceKind {
    /// What it is and how strong, for users.
    pub fn meaning(self) -> &'static str {
        match self {
            EvidenceKind::Model => {
                "a model that falsum's own evaluator confirms; no trust in a solver is needed"
            }
            EvidenceKind::RefutedModel => "falsum's own evaluator refutes the model",
            EvidenceKind::Evaluation => {
                "falsum's own evaluator decides the formula; no trust in a solver is needed"
            }
            EvidenceKind::Enumeration => "all assignments were tried; no trust in a solver is needed",
            EvidenceKind::Elimination => {
                "linear arithmetic, decided by elimination; no trust in a solver is needed"
            }
            EvidenceKind::Refutation => {
                "lemmas that can be checked one by one contradict the assertions; no trust in a solver is needed"
            }
            EvidenceKind::Construction => "by construction",
            EvidenceKind::Core => "a core solved again",
            EvidenceKind::Relation => "its own answer to a related formula",
            EvidenceKind::SelfContradiction => "it contradicts itself",
            EvidenceKind::Release => "another release",
            EvidenceKind::Exit => "how the process ended",
            EvidenceKind::Time => "processor time, measured",
            EvidenceKind::Accepted => "another solver takes the script",
            EvidenceKind::SelfCheck => "the solver's own check of its answer complains, which proves nothing",
            EvidenceKind::ProofChecker => "a proof checker that the user has refuses the proof",
            EvidenceKind::Status => "the script's label",
            EvidenceKind::Majority => "a vote, the weakest evidence",
        }
    }

    /// Whether it shows that a solver is wrong without trust in another solver or in a label.
    pub fn is_certain(self) -> bool {
        use EvidenceKind::{Accepted, Majority, Release, SelfCheck, Status, Time};
        !matches!(self, Release | Time | Accepted | SelfCheck | Status | Majority)
    }
}

/// One reason for a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub kind: EvidenceKind,
    /// Its source: a target's name, or `falsum`.
    pub by: String,
    pub detail: String,
}

impl Evidence {
    pub fn new(kind: EvidenceKind, by: impl Into<String>, detail: impl Into<String>) -> Evidence {
        Evidence { kind, by: by.into(), detail: detail.into() }
    }

    /// The detail for a reader: each of its lines shortened. A lemma about the bits of a long word has thousands of
    /// characters that say one thing; all of them are in the JSON and in the finding's folder.
    pub fn brief(&self) -> String {
        let short = |line: &str| match line.char_indices().nth(BRIEF_LINE) {
            Some((end, _)) => format!("{}… ({} characters)", &line[..end], line.chars().count()),
            None => line.to_owned(),
        };
        self.detail.lines().map(short).collect::<Vec<_>>().join("\n")
    }
}

/// The longest line of evidence that is shown whole.
const BRIEF_LINE: usize = 360;

/// What one target is accused of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accusation {
    pub kind: FindingKind,
    /// The target that is wrong; `None` if the evidence does not say which.
    pub culprit: Option<String>,
    pub evidence: Vec<Evidence>,
    /// The check-sat on which it shows.
    pub at: At,
    /// The right answer, where it is known.
    pub truth: Option<bool>,
}

impl Accusation {
    /// The culprit as a list of none or one.
    pub fn culprits(&self) -> &[String] {
        self.culprit.as_slice()
    }

    pub fn accuses(&self, name: &str) -> bool {
        self.culprit.as_deref() == Some(name)
    }

    /// Whether only a vote supports it.
    pub fn is_only_a_vote(&self) -> bool {
        self.evidence.iter().all(|evidence| evidence.kind == EvidenceKind::Majority)
    }

    /// Whether some evidence needs no trust in another solver.
    pub fn is_certified(&self) -> bool {
        self.evidence.iter().any(|evidence| evidence.kind.is_certain())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every answer is consistent with what is known. The flag says whether a certificate backs all checks.
    Fine {
        certified: bool,
    },
    Inconclusive(String),
    /// Worst first, each with its own culprit.
    Findings(Vec<Accusation>),
    /// Our own arguments contradict each other; no solver is accused.
    OurBug(String),
}

impl Verdict {
    /// The word that `check --json` prints.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Fine { .. } => "fine",
            Verdict::Inconclusive(_) | Verdict::OurBug(_) => "inconclusive",
            Verdict::Findings(findings) => findings.first().map_or("fine", |finding| finding.kind.word()),
        }
    }

    /// Whether no trust in a solver is needed: a certificate backs every answer, or every finding.
    pub fn is_certified(&self) -> bool {
        match self {
            Verdict::Fine { certified } => *certified,
            Verdict::Inconclusive(_) | Verdict::OurBug(_) => false,
            Verdict::Findings(findings) => findings.iter().all(Accusation::is_certified),
        }
    }

    pub fn findings(&self) -> &[Accusation] {
        match self {
            Verdict::Findings(findings) => findings,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_of_evidence_are_shortened_and_say_how_long_they_are() {
        let detail = format!("asserted: p\nbits: {}", "é".repeat(5_000));
        let brief = Evidence::new(EvidenceKind::Refutation, "falsum", detail).brief();
        let lines: Vec<&str> = brief.lines().collect();
        assert_eq!(lines[0], "asserted: p");
        assert!(lines[1].ends_with("é… (5006 characters)"), "{}", lines[1]);
        assert_eq!(lines.len(), 2);
    }
}
