//! SARIF 2.1.0, for code-scanning pages: one rule per kind, one result per bug, at the formula's file.
//!
//! Known bugs are results with an accepted suppression; bugs that only a vote supports are notes. The bug's id is the
//! fingerprint, so that the same bug of two campaigns is one alert.

use crate::document::{BugReport, Due, Report};
use crate::error::Result;
use crate::plain::lines;
use oracle::FindingKind;
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub fn sarif(report: &Report) -> Result<String> {
    let rules: Vec<Value> = FindingKind::ALL.iter().map(|&kind| rule(kind)).collect();
    let results: Vec<Value> = report.bugs.iter().map(result).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "falsum",
                "semanticVersion": report.falsum,
                "informationUri": "https://github.com/falsum/falsum",
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "CAMPAIGN": { "description": { "text": "The campaign folder." } } },
            "invocations": [{
                "executionSuccessful": true,
                "startTimeUtc": report.started,
                "toolExecutionNotifications": report.problems.iter().map(|problem| json!({
                    "level": "warning", "message": { "text": lines(&problem.to_string()) },
                })).collect::<Vec<_>>(),
            }],
            "results": results,
        }],
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn level(kind: FindingKind) -> &'static str {
    if kind <= FindingKind::Crash { "error" } else { "warning" }
}

fn rule(kind: FindingKind) -> Value {
    json!({
        "id": kind.word(),
        "shortDescription": { "text": format!("A solver {}.", meaning(kind)) },
        "defaultConfiguration": { "level": level(kind) },
    })
}

fn meaning(kind: FindingKind) -> String {
    match kind {
        FindingKind::Inconsistent => "gives an answer that contradicts another".to_owned(),
        kind => kind.meaning().to_owned(),
    }
}

fn result(bug: &BugReport) -> Value {
    let mut message = format!("{}.", bug.title);
    for evidence in &bug.evidence {
        message +=
            &format!(" Evidence ({}, by {}): {}.", evidence.kind.word(), evidence.by, evidence.brief());
    }
    let file = if bug.reduced { "reduced.smt2" } else { "formula.smt2" };
    let level = if bug.due == Due::Unproven { "note" } else { level(bug.kind) };
    let suppressions: Vec<Value> = bug
        .known
        .iter()
        .map(|known| json!({ "kind": "external", "status": "accepted", "justification": lines(known) }))
        .collect();
    json!({
        "ruleId": bug.kind.word(),
        "ruleIndex": oracle::severity(bug.kind),
        "level": level,
        "rank": 100.0 - 8.0 * oracle::severity(bug.kind) as f64,
        "message": { "text": lines(&message) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": format!("findings/{}/{file}", bug.finding), "uriBaseId": "CAMPAIGN" },
            "region": { "startLine": 1, "snippet": { "text": lines(&bug.formula) } },
        }}],
        "partialFingerprints": { "falsumBug/v1": bug.id },
        "occurrenceCount": bug.hits.max(1),
        "suppressions": suppressions,
        "properties": {
            "culprits": bug.culprits, "expected": bug.expected, "due": bug.due,
            "firstBad": bug.first_bad, "lastBad": bug.last_bad, "fixedIn": bug.fixed_in,
        },
    })
}
