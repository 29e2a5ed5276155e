//! Bisection over releases: which are bad, since when, until when.
//!
//! Installed releases are few and each runs in milliseconds, so all of them are run (`bisect`): that also shows whether
//! the bad releases have a gap, which a binary search would hide. Where each release must be installed first, `halve`
//! runs as few as it can and assumes that the bug was introduced once and fixed once. A release is bad only by
//! evidence: it contradicts a known answer, crashes, or gives a model that our evaluator refutes.

use crate::symptom::Symptom;
use serde::Serialize;
use smtlib::Parsed;
use solver::{Ended, Pool, Query, QueryLimits, SessionKind, Target};
use std::collections::BTreeMap;

/// One release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    pub release: String,
    /// One word per check-sat, joined by blanks; `none` where there is no answer.
    pub answer: String,
    pub ended: String,
    /// Whether it answered everything, so that not being bad means being right.
    #[serde(skip)]
    pub decides: bool,
    pub bad: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bisection {
    /// Oldest first.
    pub releases: Vec<Row>,
    pub first_bad: Option<String>,
    pub last_bad: Option<String>,
    /// The first release after the last bad one that answers and does not show the bug.
    pub fixed_in: Option<String>,
    /// Whether all releases between the first and the last bad one that answered are bad.
    pub monotone: bool,
}

/// Runs every release, oldest first, in fresh processes.
pub fn bisect(releases: &[Target], script: &Parsed, symptom: &Symptom, limits: &QueryLimits) -> Bisection {
    let mut ordered: Vec<&Target> = releases.iter().collect();
    ordered.sort_by(|a, b| a.version.cmp(&b.version).then_with(|| a.name.cmp(&b.name)));
    Bisection::of(ordered.into_iter().map(|target| ask(target, script, symptom, limits)).collect())
}

/// Runs one release in a fresh process.
pub fn ask(target: &Target, script: &Parsed, symptom: &Symptom, limits: &QueryLimits) -> Row {
    let query = Query::new(script.text()).limits(limits.clone()).want(symptom.wants());
    let reply = Pool::new(target.clone(), 0).ask(&query, SessionKind::Fresh);
    Row {
        release: target.name.clone(),
        answer: reply.words(),
        ended: reply.ended.word().into(),
        decides: reply.ended == Ended::ByItself && !reply.checks.is_empty() && reply.is_complete(),
        bad: symptom.shows(&reply, script, target) == Some(true),
    }
}

/// Finds the first and last bad release, running as few as it can. There are `count` of them, numbered oldest first;
/// the results of some are `known`, and at least one of those must be bad. A release that cannot be run (for example
/// because it cannot be installed) does not decide.
pub fn halve(count: usize, known: BTreeMap<usize, Row>, ask: impl FnMut(usize) -> Row) -> Bisection {
    let mut asked = Asked { rows: known, ask };
    let is_bad = |(&n, row): (&usize, &Row)| row.bad.then_some(n);
    let is_good = |(&n, row): (&usize, &Row)| (!row.bad && row.decides).then_some(n);
    if asked.rows.iter().any(|(_, row)| row.bad) {
        asked.row(count.saturating_sub(1));
        let last = asked.rows.iter().rev().find_map(is_bad).unwrap_or(0);
        if let Some(good) = asked.rows.range(last..).find_map(is_good) {
            asked.narrow(last, good);
        }
        asked.row(0);
        let first = asked.rows.iter().find_map(is_bad).unwrap_or(0);
        if let Some(good) = asked.rows.range(..first).rev().find_map(is_good) {
            asked.narrow(first, good);
        }
    }
    Bisection::of(asked.rows.into_values().collect())
}

struct Asked<F> {
    rows: BTreeMap<usize, Row>,
    ask: F,
}

impl<F: FnMut(usize) -> Row> Asked<F> {
    fn row(&mut self, n: usize) -> &Row {
        let Asked { rows, ask } = self;
        rows.entry(n).or_insert_with(|| ask(n))
    }

    /// Binary search between a bad release and a good one, in either direction. A release that does not decide gives no
    /// information, so its neighbours are run instead.
    fn narrow(&mut self, mut bad: usize, mut good: usize) {
        while bad.abs_diff(good) > 1 {
            let (low, high) = (bad.min(good), bad.max(good));
            let middle = (low + high) / 2;
            let mut at = None;
            for n in (middle..high).chain((low + 1..middle).rev()) {
                let row = self.row(n);
                if row.bad || row.decides {
                    at = Some((n, row.bad));
                    break;
                }
            }
            match at {
                Some((n, true)) => bad = n,
                Some((n, false)) => good = n,
                None => return,
            }
        }
    }
}

impl Bisection {
    /// The release that fixed it, or that none did: two bugs of one class may be one (Dewey's way of counting unique
    /// bugs). `None` if no release shows it.
    pub fn class(&self) -> Option<&str> {
        self.first_bad.as_ref()?;
        Some(self.fixed_in.as_deref().unwrap_or("not fixed"))
    }

    /// From the result of each release, oldest first.
    pub fn of(releases: Vec<Row>) -> Bisection {
        let first = releases.iter().position(|row| row.bad);
        let last = releases.iter().rposition(|row| row.bad);
        let name = |n: usize| releases[n].release.clone();
        let fixed = last
            .and_then(|last| (last + 1..releases.len()).find(|&n| !releases[n].bad && releases[n].decides));
        let between = first.zip(last).map_or(&releases[..0], |(first, last)| &releases[first..=last]);
        let monotone = between.iter().all(|row| row.bad || !row.decides || row.answer.contains("unknown"));
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
            decides: word != "t",
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
        assert!(Bisection::of(rows("b t b")).monotone, "no answer does not mean that the release is good");
    }

    #[test]
    fn binary_search_finds_the_same_ends_with_few_runs() {
        let all = rows(&format!("{}{}{}", "g ".repeat(9), "b ".repeat(17), ["g"; 20].join(" ")));
        let mut questions = 0;
        let known = BTreeMap::from([(12, all[12].clone())]);
        let result = halve(all.len(), known, |n| {
            questions += 1;
            all[n].clone()
        });
        let whole = Bisection::of(all);
        assert_eq!((&result.first_bad, &result.fixed_in), (&whole.first_bad, &whole.fixed_in));
        assert_eq!(result.last_bad, whole.last_bad);
        assert!(questions <= 12, "{questions} questions about 46 releases");
    }

    #[test]
    fn binary_search_runs_the_neighbours_of_a_release_that_does_not_decide() {
        for (text, first, fixed) in
            [("t b t t g", "s@2", Some("s@5")), ("g t t b b", "s@4", None), ("b b b t g", "s@1", Some("s@5"))]
        {
            let all = rows(text);
            let bad = all.iter().position(|row| row.bad).unwrap();
            let known = BTreeMap::from([(bad, all[bad].clone())]);
            let result = halve(all.len(), known, |n| all[n].clone());
            assert_eq!(
                (result.first_bad.as_deref(), result.fixed_in.as_deref()),
                (Some(first), fixed),
                "{text}"
            );
        }
    }

    #[test]
    fn without_a_bad_release_the_bisection_is_empty() {
        let result = Bisection::of(rows("g g"));
        assert_eq!((result.first_bad, result.last_bad, result.fixed_in), (None, None, None));
    }
}
