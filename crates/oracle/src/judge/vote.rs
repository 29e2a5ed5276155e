//! Answers against answers, where nothing is certain.
//!
//! The last rungs of the ladder: a target that contradicts itself is accused of that; of two camps the smaller one
//! is, if the larger has two different solvers or the label on its side; a release that stands alone between its
//! predecessors and successors is too. If none of this tells who is wrong, the finding accuses nobody; if the
//! difference may come from an open point or from how a solver reads the script, it is a doubt and no finding. A
//! vote is never a certificate, and the evidence says that it is only a vote.

use super::{Heard, Judge, is_definite};
use crate::ambiguous::is_divergent;
use crate::certify::ModelCheck;
use crate::verdict::{Evidence, EvidenceKind, Finding, Kind};
use solver::Answer;
use strategy::Expected;

impl Judge {
    /// Who else agrees, as supporting evidence.
    pub(super) fn votes(&self, check: usize, satisfiable: bool) -> Option<Evidence> {
        let right = if satisfiable { Answer::Sat } else { Answer::Unsat };
        let names = self.names(check, right);
        (!names.is_empty()).then(|| {
            Evidence::new(EvidenceKind::Majority, names.join(", "), format!("also say {}", right.word()))
        })
    }

    /// The targets that gave an answer and whose reading of the script is not in doubt.
    pub(super) fn names(&self, check: usize, answer: Answer) -> Vec<String> {
        let mut names: Vec<String> = vec![];
        for heard in &self.heard {
            if heard.answers[check] == Some(answer)
                && self.ambiguity(heard).is_none()
                && !names.contains(&heard.name)
            {
                names.push(heard.name.clone());
            }
        }
        names
    }

    pub(super) fn against_each_other(
        &self,
        check: usize,
        findings: &mut Vec<Finding>,
        doubts: &mut Vec<String>,
    ) {
        let (sat, unsat) = (self.names(check, Answer::Sat), self.names(check, Answer::Unsat));
        if let Some(doubt) = self.hidden_disagreement(check) {
            doubts.push(doubt);
        }
        if sat.is_empty() || unsat.is_empty() {
            self.against_label(check, &sat, &unsat, doubts);
            return;
        }
        let both: Vec<String> = sat.iter().filter(|name| unsat.contains(name)).cloned().collect();
        if !both.is_empty() {
            let detail = "answers sat and unsat to the same assertions, asked in different ways".to_owned();
            let evidence = both
                .iter()
                .map(|name| Evidence::new(EvidenceKind::SelfContradiction, name, &detail))
                .collect();
            findings.push(Finding { kind: Kind::Inconsistent, culprits: both, evidence, check, truth: None });
            return;
        }
        let refuted = |name: &String| {
            self.heard
                .iter()
                .any(|h| h.name == *name && matches!(h.models[check], Some(ModelCheck::Refuted { .. })))
        };
        if sat.iter().all(refuted) {
            // The refuted models carry the accusation.
            return;
        }
        let vote = format!("sat: {}; unsat: {}", sat.join(", "), unsat.join(", "));
        if self.script.is_recursive() {
            // A definition that never ends may have no meaning or many; solvers ask their users for one that ends.
            doubts.push(format!(
                "a recursive definition may not end, and nothing certifies an answer ({vote})"
            ));
            return;
        }
        let culprits = self.minority(check, &sat, &unsat);
        if culprits != sat && is_divergent(&self.script) {
            // Who fixes an open point says unsat where others may fill it in; only `sat` can be outvoted there.
            doubts.push(format!("an operator is under-specified and nothing certifies an answer ({vote})"));
            return;
        }
        if culprits.is_empty()
            && let Some((culprits, evidence)) = self.outlier(&sat, &unsat)
        {
            let vote = Evidence::new(EvidenceKind::Majority, "falsum", format!("only a vote: {vote}"));
            let evidence = vec![evidence, vote];
            findings.push(Finding { kind: Kind::Inconsistent, culprits, evidence, check, truth: None });
            return;
        }
        let evidence = vec![Evidence::new(EvidenceKind::Majority, "falsum", format!("only a vote: {vote}"))];
        findings.push(Finding { kind: Kind::Inconsistent, culprits, evidence, check, truth: None });
    }

    /// Answers that differ only because of how a solver reads the script.
    fn hidden_disagreement(&self, check: usize) -> Option<String> {
        let read_apart =
            |heard: &&Heard| is_definite(&heard.answers[check]) && self.ambiguity(heard).is_some();
        let heard = self.heard.iter().find(read_apart)?;
        let others = |other: &Heard| {
            is_definite(&other.answers[check]) && other.answers[check] != heard.answers[check]
        };
        let why = self.ambiguity(heard)?;
        self.heard.iter().any(others).then(|| format!("{} differs, but {why}", heard.name))
    }

    /// The losing side of a vote, if the winning side has at least two voters from different solvers or one voter
    /// and the label, and the losing side has fewer.
    fn minority(&self, check: usize, sat: &[String], unsat: &[String]) -> Vec<String> {
        let weight = |names: &[String], label: Expected| {
            let mut solvers: Vec<&str> =
                self.heard.iter().filter(|h| names.contains(&h.name)).map(|h| h.solver.as_str()).collect();
            solvers.sort_unstable();
            solvers.dedup();
            let labelled = self.expectation.of(check) == label;
            (names.len() + usize::from(labelled), solvers.len() + usize::from(labelled))
        };
        let (sat_weight, unsat_weight) = (weight(sat, Expected::Sat), weight(unsat, Expected::Unsat));
        let wins = |a: (usize, usize), b: (usize, usize)| a.0 > b.0 && a.1 >= 2;
        match () {
            () if wins(sat_weight, unsat_weight) => unsat.to_vec(),
            () if wins(unsat_weight, sat_weight) => sat.to_vec(),
            () => vec![],
        }
    }

    /// A release that contradicts the releases of its own solver before and after it (or itself without its options),
    /// at least three of them, while no other solver sides with it: its answer came and went.
    fn outlier(&self, sat: &[String], unsat: &[String]) -> Option<(Vec<String>, Evidence)> {
        let of = |names: &[String]| -> Vec<&Heard> {
            let mut seen: Vec<&Heard> = vec![];
            for heard in self.heard.iter().filter(|heard| names.contains(&heard.name)) {
                if !seen.iter().any(|other| other.name == heard.name) {
                    seen.push(heard);
                }
            }
            seen
        };
        let (sat, unsat) = (of(sat), of(unsat));
        let is_alone = |few: &[&Heard], many: &[&Heard]| {
            let solver = &few[0].solver;
            let own: Vec<&&Heard> = many.iter().filter(|heard| heard.solver == *solver).collect();
            few.iter().all(|heard| heard.solver == *solver && heard.version.is_some())
                && own.len() >= 3
                && own.len() > few.len()
                && few.iter().all(|one| {
                    own.iter().any(|other| other.version.is_some() && other.version <= one.version)
                })
                && few.iter().all(|one| own.iter().any(|other| other.version >= one.version))
        };
        let (few, many) = match () {
            () if is_alone(&sat, &unsat) => (sat, unsat),
            () if is_alone(&unsat, &sat) => (unsat, sat),
            () => return None,
        };
        let names = |all: &[&Heard]| all.iter().map(|heard| heard.name.clone()).collect::<Vec<_>>();
        let detail = "releases before and after it, or itself without these options, say the opposite";
        Some((names(&few), Evidence::new(EvidenceKind::Release, names(&many).join(", "), detail)))
    }

    fn against_label(&self, check: usize, sat: &[String], unsat: &[String], doubts: &mut Vec<String>) {
        let contradicting = match self.expectation.of(check) {
            Expected::Sat => unsat,
            Expected::Unsat => sat,
            Expected::Any => return,
        };
        if !contradicting.is_empty() {
            let who = contradicting.join(" and ");
            doubts.push(format!("{who} contradicts the script's own status, and nothing certifies either"));
        }
    }
}
