//! JUnit XML, for CI systems: one suite per target, one test case per bug of it, failed unless it is known.
//!
//! A target without bugs has one test case that passed. Known bugs and bugs that only a vote supports are skipped, so
//! that they fail no build.

use crate::document::{BugReport, Report};
use crate::plain::xml;
use std::collections::{BTreeMap, BTreeSet};

/// The suite of bugs without a culprit.
const NOBODY: &str = "unattributed";

pub fn junit(report: &Report) -> String {
    let mut suites: BTreeMap<&str, Vec<&BugReport>> = BTreeMap::new();
    let targets: BTreeSet<&str> = report.targets.iter().map(|target| target.name.as_str()).collect();
    for target in targets.into_iter().chain(report.summary.targets.keys().map(String::as_str)) {
        suites.entry(target).or_default();
    }
    for bug in &report.bugs {
        for culprit in &bug.culprits {
            suites.entry(culprit).or_default().push(bug);
        }
        if bug.culprits.is_empty() {
            suites.entry(NOBODY).or_default().push(bug);
        }
    }
    let (tests, failures, skipped) = suites.values().fold((0, 0, 0), |sum, bugs| {
        let (tests, failures, skipped) = totals(bugs);
        (sum.0 + tests, sum.1 + failures, sum.2 + skipped)
    });
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    out += &format!(
        "<testsuites name=\"falsum\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{:.3}\">\n",
        report.summary.progress.seconds
    );
    for (target, bugs) in &suites {
        out += &suite(report, target, bugs);
    }
    out + "</testsuites>\n"
}

fn totals(bugs: &[&BugReport]) -> (usize, usize, usize) {
    let failures = bugs.iter().filter(|bug| bug.due.is_new()).count();
    (bugs.len().max(1), failures, bugs.len() - failures)
}

fn suite(report: &Report, target: &str, bugs: &[&BugReport]) -> String {
    let (tests, failures, skipped) = totals(bugs);
    let seconds = report.summary.targets.get(target).map_or(0.0, |status| status.seconds);
    let name = xml(target);
    // The schema wants local time without a zone.
    let started = report.started.trim_end_matches('Z');
    let mut out = format!(
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{seconds:.3}\" timestamp=\"{started}\" hostname=\"localhost\">\n"
    );
    if bugs.is_empty() {
        out += &format!("    <testcase classname=\"{name}\" name=\"no bug found\" time=\"{seconds:.3}\"/>\n");
    }
    for bug in bugs {
        out += &case(target, bug);
    }
    out + "  </testsuite>\n"
}

fn case(target: &str, bug: &BugReport) -> String {
    let seconds = bug.answers.iter().find(|a| a.target == target).map_or(0.0, |answer| answer.seconds);
    let head = format!(
        "    <testcase classname=\"{}\" name=\"{} {}\" time=\"{seconds:.3}\">\n",
        xml(target),
        bug.kind.word(),
        bug.id
    );
    let message = xml(&bug.title);
    let body = if bug.due.is_new() {
        let mut said = String::new();
        for evidence in &bug.evidence {
            said += &format!("{} ({}): {}\n", evidence.kind.word(), evidence.by, evidence.brief());
        }
        said += &format!("findings/{}\n\n{}", bug.finding, bug.formula);
        let kind = bug.kind.word();
        format!("      <failure message=\"{message}\" type=\"{kind}\">{}</failure>\n", xml(&said))
    } else {
        let why = bug.known.as_deref().map_or("only a vote".to_owned(), |known| format!("known: {known}"));
        format!("      <skipped message=\"{}; {message}\"/>\n", xml(&why))
    };
    head + &body + "    </testcase>\n"
}
