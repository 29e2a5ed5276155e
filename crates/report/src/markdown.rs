//! The whole report as one Markdown document: numbers, a ranked list, tables, then every draft.

use crate::document::{BugReport, NOT_WRONG, Report};
use crate::draft::draft;
use crate::plain::{count, prose, thousands};
use crate::text::{agenda, asides, classes, problem_line};

pub fn markdown(report: &Report) -> String {
    let progress = &report.summary.progress;
    let mut out = format!(
        "# falsum report\n\nCampaign {}, begun {}. {}, {}, {}, {}; {}.\n\n",
        prose(&report.key),
        report.started,
        count(progress.cases, "case"),
        count(progress.tests, "test"),
        count(progress.findings, "finding"),
        count(report.bugs.len() as u64, "bug"),
        agenda(report),
    );
    out += &ranked(report);
    if let Some(classes) = classes(report) {
        out += &format!("{}.\n\n", prose(&classes));
    }
    out += &strategies(report);
    out += &theories(report);
    out += &targets(report);
    for said in asides(report) {
        out += &format!("- {}\n", prose(&said));
    }
    for problem in &report.problems {
        out += &format!("- Problem: {}\n", prose(&problem_line(problem)));
    }
    for bug in &report.bugs {
        out += &format!("\n---\n\n{}", draft(report, bug));
    }
    out
}

/// The ranked list of bugs.
pub(crate) fn ranked(report: &Report) -> String {
    if report.bugs.is_empty() {
        return "No bugs.\n\n".to_owned();
    }
    let (wrong, other) = report.lists();
    let mut out = String::new();
    if !wrong.is_empty() {
        out += &table(&wrong);
    }
    if !other.is_empty() {
        out += &format!("{NOT_WRONG}:\n\n{}", table(&other));
    }
    out
}

fn table(bugs: &[&BugReport]) -> String {
    let mut out = "| rank | kind | culprit | bytes | hits | affected | send | bug |\n|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for bug in bugs {
        let send = match &bug.known {
            Some(known) => format!("known: {}", prose(known)),
            None => bug.due.word().to_owned(),
        };
        out += &format!(
            "| {} | {} | {} | {} | {} | {} | {send} | {} |\n",
            bug.rank,
            bug.kind.word(),
            prose(&bug.culprits.join(", ")),
            thousands(bug.bytes),
            thousands(bug.hits),
            prose(&bug.affected().unwrap_or_else(|| "not bisected".into())),
            bug.id,
        );
    }
    out + "\n"
}

fn strategies(report: &Report) -> String {
    let mut out =
        "| strategy | cases | valid | accused | per 1000 cases | solver seconds |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for (name, row) in &report.summary.strategies {
        out += &format!(
            "| {} | {} | {:.1} % | {} | {:.2} | {:.1} |\n",
            prose(name),
            thousands(row.cases),
            row.valid_percent,
            thousands(row.findings),
            row.yields,
            row.seconds
        );
    }
    out + "\n"
}

/// How much of what solvers said falsum's own evidence decides; nothing for a campaign that did not count it.
fn theories(report: &Report) -> String {
    if report.summary.theories.is_empty() {
        return String::new();
    }
    let mut out =
        "| theory | cases | answered | certified | share of the answered |\n|---|---|---|---|---|\n"
            .to_owned();
    for (name, row) in &report.summary.theories {
        let share = row.certified_percent().map_or_else(|| "-".to_owned(), |share| format!("{share:.1} %"));
        let counts = [row.cases, row.answered, row.certified].map(thousands);
        out += &format!("| {} | {} | {share} |\n", prose(name), counts.join(" | "));
    }
    out + "\n"
}

fn targets(report: &Report) -> String {
    let mut out = "| target | tests | sat | unsat | unknown | timeouts | crashes | valid |\n|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for (name, row) in &report.summary.target_rows() {
        let said = |word: &str| thousands(row.answers.get(word).copied().unwrap_or(0));
        out += &format!(
            "| {} | {} | {} | {} | {} | {} | {} | {:.1} % |\n",
            prose(name),
            thousands(row.tests),
            said("sat"),
            said("unsat"),
            said("unknown"),
            thousands(row.timeouts),
            thousands(row.crashes),
            row.valid_percent
        );
    }
    out + "\n"
}
