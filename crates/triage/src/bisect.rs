//! Bisection over releases: which are bad, since when, until when.
//!
//! There are few releases and each is asked in milliseconds, so all of them are asked: that also shows whether a
//! bug came and went more than once, which halving would hide. A release is bad only by evidence: it contradicts
//! what is known of the formula, crashes, or gives a model that our evaluator refutes.

use oracle::{ModelCheck, check_model};
use serde::Serialize;
use smtlib::Script;
use smtlib::model::Escapes;
use solver::{Answer, Ended, Limits, Pool, Query, Reply, Target, Want};

/// What makes a release bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symptom {
    /// This answer to this check-sat.
    Answer {
        check: usize,
        wrong: Answer,
    },
    Crash,
    /// A model of this check-sat that our evaluator refutes.
    InvalidModel {
        check: usize,
    },
}

/// One release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    pub release: String,
    /// One word per check-sat, joined by blanks; `none` where there is no answer.
    pub answer: String,
    pub ended: String,
    pub bad: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bisection {
    /// Oldest first.
    pub releases: Vec<Row>,
    pub first_bad: Option<String>,
    pub last_bad: Option<String>,
    /// The first release after the last bad one that shows nothing wrong.
    pub fixed_in: Option<String>,
    /// Whether all releases between the first and the last bad one that answered are bad.
    pub monotone: bool,
}

/// Asks every release, oldest first, in fresh processes.
pub fn bisect(
    releases: &[Target],
    text: &[u8],
    script: &Script,
    symptom: &Symptom,
    limits: &Limits,
) -> Bisection {
    let mut ordered: Vec<&Target> = releases.iter().collect();
    ordered.sort_by(|a, b| a.version.cmp(&b.version).then_with(|| a.name.cmp(&b.name)));
    let ask = |target: &Target| {
        let query = Query::new(text)
            .limits(limits.clone())
            .want(Want { model: matches!(symptom, Symptom::InvalidModel { .. }), ..Want::default() });
        let reply = Pool::new(target.clone(), 0).ask(&query, solver::Kind::Fresh);
        Row {
            release: target.name.clone(),
            answer: words(&reply),
            ended: reply.ended.word().into(),
            bad: is_bad(&reply, script, symptom, oracle::escapes(target)),
        }
    };
    Bisection::of(ordered.into_iter().map(ask).collect())
}

fn is_bad(reply: &Reply, script: &Script, symptom: &Symptom, escapes: Escapes) -> bool {
    match symptom {
        Symptom::Answer { check, wrong } => {
            reply.checks.get(*check).is_some_and(|check| check.answer == Some(*wrong))
        }
        Symptom::Crash => matches!(reply.ended, Ended::Crash { .. }),
        Symptom::InvalidModel { check } => {
            let model = reply.checks.get(*check).and_then(|check| check.model.as_ref());
            model.is_some_and(|model| {
                let result = check_model(&mut script.clone(), *check, model, escapes);
                matches!(result, ModelCheck::Refuted { underspecified: false, .. })
            })
        }
    }
}

fn words(reply: &Reply) -> String {
    let words: Vec<&str> =
        reply.checks.iter().map(|check| check.answer.map_or("none", Answer::word)).collect();
    if words.is_empty() { "none".into() } else { words.join(" ") }
}

impl Bisection {
    /// From what each release did, oldest first.
    pub fn of(releases: Vec<Row>) -> Bisection {
        let first = releases.iter().position(|row| row.bad);
        let last = releases.iter().rposition(|row| row.bad);
        let decides = |row: &Row| row.ended == "ended" && !row.answer.contains("none");
        let name = |n: usize| releases[n].release.clone();
        let fixed = last
            .and_then(|last| (last + 1..releases.len()).find(|&n| !releases[n].bad && decides(&releases[n])));
        let between = first.zip(last).map_or(&releases[..0], |(first, last)| &releases[first..=last]);
        let monotone = between.iter().all(|row| row.bad || !decides(row) || row.answer.contains("unknown"));
        Bisection {
            first_bad: first.map(name),
            last_bad: last.map(name),
            fixed_in: fixed.map(name),
            monotone,
            releases,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Row> {
        let row = |(n, word): (usize, &str)| Row {
            release: format!("s@{}", n + 1),
            answer: if word == "t" { "none".into() } else { "sat".into() },
            ended: if word == "t" { "wall".into() } else { "ended".into() },
            bad: word == "b",
        };
        text.split(' ').enumerate().map(row).collect()
    }

    #[test]
    fn the_ends_of_the_bad_releases_are_found() {
        let result = Bisection::of(rows("g b b t g"));
        assert_eq!(result.first_bad.as_deref(), Some("s@2"));
        assert_eq!(result.last_bad.as_deref(), Some("s@3"));
        assert_eq!(result.fixed_in.as_deref(), Some("s@5"), "a release that ran out of time fixes nothing");
        assert!(result.monotone);
    }

    #[test]
    fn a_bug_that_comes_back_is_not_monotone() {
        let result = Bisection::of(rows("b g b"));
        assert_eq!((result.monotone, result.fixed_in), (false, None));
        assert!(Bisection::of(rows("b t b")).monotone, "no answer is no sign of health");
    }

    #[test]
    fn without_a_bad_release_there_is_nothing_to_say() {
        let result = Bisection::of(rows("g g"));
        assert_eq!((result.first_bad, result.last_bad, result.fixed_in), (None, None, None));
    }
}
