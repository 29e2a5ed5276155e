//! Answers against answers, where nothing is certain.
//!
//! The last resort: a target that contradicts itself is accused of that; of two groups the smaller one is accused, if
//! the larger has two different solvers or the label on its side; so is a release whose older and newer releases agree
//! against it. If none of this decides which solver is wrong, the accusation names no culprit; if the difference may
//! come from an open point or from how a solver interprets the script, it is a doubt and not an accusation. A vote is
//! never a certificate, and the evidence says that it is only a vote.

use crate::ambiguous::is_divergent;
use crate::certify::ModelCheck;
use crate::hearing::{Heard, Hearing};
use crate::ladder::Step;
use crate::verdict::{Accusation, Evidence, EvidenceKind, FindingKind};
use solver::Answer;
use strategy::At;

pub fn climb(hearing: &mut Hearing) -> Vec<Step> {
    let mut steps = vec![];
    for at in hearing.considered() {
        let settled = hearing.truth(at).is_some_and(|fact| !fact.chosen);
        if !settled && hearing.class_of(at) == at {
            compare(hearing, at, &mut steps);
        }
    }
    steps
}

/// Which other targets agree with what is certain, as supporting evidence.
pub fn agreeing(hearing: &Hearing, at: At, satisfiable: bool) -> Option<Evidence> {
    let right = if satisfiable { Answer::Sat } else { Answer::Unsat };
    let names = names(hearing, at, right);
    let detail = format!("also say {right}");
    (!names.is_empty()).then(|| Evidence::new(EvidenceKind::Majority, names.join(", "), detail))
}

/// The targets that answered the same assertions and whose interpretation of the script is not in doubt.
pub fn names(hearing: &Hearing, at: At, answer: Answer) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for (member, heard) in hearing.heard_in_class(at) {
        if heard.answer(member.check) == Some(answer)
            && hearing.ambiguity(member.question, heard).is_none()
            && !names.iter().any(|name| name == heard.name())
        {
            names.push(heard.name().to_owned());
        }
    }
    names
}

fn compare(hearing: &Hearing, at: At, steps: &mut Vec<Step>) {
    let (sat, unsat) = (names(hearing, at, Answer::Sat), names(hearing, at, Answer::Unsat));
    steps.extend(hidden_disagreement(hearing, at).map(Step::Doubt));
    if sat.is_empty() || unsat.is_empty() {
        steps.extend(against_label(hearing, at, &sat, &unsat).map(Step::Doubt));
        return;
    }
    let mut accuse = |culprits: &[String], evidence: Vec<Evidence>| {
        let none = [None];
        let each: Vec<Option<String>> = culprits.iter().cloned().map(Some).collect();
        for culprit in if each.is_empty() { &none[..] } else { &each } {
            let (kind, culprit, evidence) = (FindingKind::Inconsistent, culprit.clone(), evidence.clone());
            steps.push(Step::Accuse(Accusation { kind, culprit, evidence, at, truth: None }));
        }
    };
    let both: Vec<String> = sat.iter().filter(|name| unsat.contains(name)).cloned().collect();
    if !both.is_empty() {
        let detail = "answers sat and unsat to the same assertions in different scripts";
        for name in both {
            let evidence = Evidence::new(EvidenceKind::SelfContradiction, &name, detail);
            accuse(std::slice::from_ref(&name), vec![evidence]);
        }
        return;
    }
    let refuted = |name: &String| {
        let is = |(member, heard): (At, &Heard)| {
            heard.name() == name && matches!(heard.model(member.check), Some(ModelCheck::Refuted { .. }))
        };
        hearing.heard_in_class(at).any(is)
    };
    if sat.iter().all(refuted) {
        // The refuted models are the evidence of the accusation.
        return;
    }
    let vote = format!("sat: {}; unsat: {}", sat.join(", "), unsat.join(", "));
    if hearing.script(at.question).may_lack_functions() {
        // A definition that does not terminate may have no meaning or many; solvers require users to write terminating
        // ones.
        let why = format!("a recursive definition may not end, and nothing certifies an answer ({vote})");
        steps.push(Step::Doubt(why));
        return;
    }
    let culprits = minority(hearing, at, &sat, &unsat);
    if culprits != sat && is_divergent(hearing.script(at.question)) {
        // A solver that fixes an open point says unsat where others may choose; only `sat` can be outvoted there.
        let why = format!("an operator is under-specified and nothing certifies an answer ({vote})");
        steps.push(Step::Doubt(why));
        return;
    }
    let only_a_vote = Evidence::new(EvidenceKind::Majority, "falsum", format!("only a vote: {vote}"));
    match outlier(hearing, at, &sat, &unsat).filter(|_| culprits.is_empty()) {
        Some((culprits, evidence)) => accuse(&culprits, vec![evidence, only_a_vote]),
        None => accuse(&culprits, vec![only_a_vote]),
    }
}

/// Answers that differ only because of how a solver interprets the script.
fn hidden_disagreement(hearing: &Hearing, at: At) -> Option<String> {
    let (member, heard) = hearing.heard_in_class(at).find(|(member, heard)| {
        heard.is_definite(member.check) && hearing.ambiguity(member.question, heard).is_some()
    })?;
    let why = hearing.ambiguity(member.question, heard)?;
    let answer = heard.answer(member.check);
    let differs = |(member, other): (At, &Heard)| {
        other.is_definite(member.check) && other.answer(member.check) != answer
    };
    hearing.heard_in_class(at).any(differs).then(|| format!("{} differs, but {why}", heard.name()))
}

/// The losing side of a vote, if the winning side has at least two voters from different solvers or one voter
/// and the label, and the losing side has fewer.
fn minority(hearing: &Hearing, at: At, sat: &[String], unsat: &[String]) -> Vec<String> {
    let weight = |names: &[String], satisfiable: bool| {
        let heard = hearing.heard_in_class(at).filter(|(_, heard)| names.iter().any(|n| n == heard.name()));
        let mut solvers: Vec<&str> = heard.map(|(_, heard)| heard.solver()).collect();
        solvers.sort_unstable();
        solvers.dedup();
        let labelled = hearing.expect(at).is_some_and(|expect| expect.answer.is_sat() == satisfiable);
        (names.len() + usize::from(labelled), solvers.len() + usize::from(labelled))
    };
    let (sat_weight, unsat_weight) = (weight(sat, true), weight(unsat, false));
    let wins = |a: (usize, usize), b: (usize, usize)| a.0 > b.0 && a.1 >= 2;
    match () {
        () if wins(sat_weight, unsat_weight) => unsat.to_vec(),
        () if wins(unsat_weight, sat_weight) => sat.to_vec(),
        () => vec![],
    }
}

/// A release that contradicts the older and newer releases of its own solver (or itself without its options), at
/// least three of them, while no other solver agrees with it.
fn outlier(hearing: &Hearing, at: At, sat: &[String], unsat: &[String]) -> Option<(Vec<String>, Evidence)> {
    let of = |names: &[String]| -> Vec<&Heard> {
        let mut seen: Vec<&Heard> = vec![];
        for (_, heard) in hearing.heard_in_class(at) {
            if names.iter().any(|name| name == heard.name())
                && !seen.iter().any(|other| other.name() == heard.name())
            {
                seen.push(heard);
            }
        }
        seen
    };
    let (sat, unsat) = (of(sat), of(unsat));
    let is_alone = |few: &[&Heard], many: &[&Heard]| {
        let solver = few[0].solver();
        let own: Vec<&&Heard> = many.iter().filter(|heard| heard.solver() == solver).collect();
        few.iter().all(|heard| heard.solver() == solver && heard.version().is_some())
            && own.len() >= 3
            && own.len() > few.len()
            && few.iter().all(|one| {
                own.iter().any(|other| other.version().is_some() && other.version() <= one.version())
            })
            && few.iter().all(|one| own.iter().any(|other| other.version() >= one.version()))
    };
    let (few, many) = match () {
        () if is_alone(&sat, &unsat) => (sat, unsat),
        () if is_alone(&unsat, &sat) => (unsat, sat),
        () => return None,
    };
    let names = |all: &[&Heard]| all.iter().map(|heard| heard.name().to_owned()).collect::<Vec<_>>();
    let detail = "releases before and after it, or itself without these options, say the opposite";
    Some((names(&few), Evidence::new(EvidenceKind::Release, names(&many).join(", "), detail)))
}

fn against_label(hearing: &Hearing, at: At, sat: &[String], unsat: &[String]) -> Option<String> {
    let contradicting = if hearing.expect(at)?.answer.is_sat() { unsat } else { sat };
    let who = contradicting.join(" and ");
    let why = "contradicts the script's own status, and nothing certifies either";
    (!contradicting.is_empty()).then(|| format!("{who} {why}"))
}
