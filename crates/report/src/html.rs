//! The report as one offline page: no script, no request, no colour needed. A click on a command selects all of it, which
//! is what a button for copying would need a script for.
//!
//! All text from solvers and formulas passes through maud's escaping. A content security policy in the page forbids
//! everything but its own style sheet, so that even a mistake here could not load or run anything. Meaning is in words;
//! colour and dark mode only help. In print, every fold is open where the browser allows it.

use crate::document::{Answered, BugReport, NOT_WRONG, Report, accused};
use crate::highlight::pieces;
use crate::plain::{count, line, lines, thousands};
use crate::text::{agenda, classes};
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

const STYLE: &str = include_str!("../style.css");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

pub fn html(report: &Report) -> String {
    let body = markup! {
        (head(report))
        main {
            (overview(report))
            @for bug in &report.bugs { (one(bug)) }
            (strategies(report))
            (targets(report))
            (problems(report))
        }
    };
    page(&markup! { "falsum report " (line(&report.key, 60)) }, STYLE, &body, &report.falsum)
}

/// A self-contained page: it loads and runs nothing, and names the version of falsum that made it.
pub(crate) fn page(title: &Markup, style: &str, body: &Markup, falsum: &str) -> String {
    let page = markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body {
                (body)
                footer { "Made by falsum " (falsum) ". This page loads nothing and runs nothing." }
            }
        }
    };
    page.into_string()
}

fn head(report: &Report) -> Markup {
    let progress = &report.summary.progress;
    let numbers = [
        (thousands(report.bugs.len() as u64), "bugs"),
        (thousands(progress.findings), "findings"),
        (thousands(progress.cases), "cases"),
        (thousands(progress.tests), "tests"),
        (format!("{:.0}", progress.tests_per_s), "tests per second"),
    ];
    markup! {
        header {
            h1 { "falsum report" }
            p { "Campaign " code { (line(&report.key, 60)) } ", begun " (report.started)
                @if report.running { ", still hunting" } ", on " (report.machine) "." }
            dl.numbers {
                @for (number, name) in numbers { div { dt { (name) } dd { (number) } } }
            }
        }
    }
}

fn overview(report: &Report) -> Markup {
    markup! {
        section {
            h2 { "Bugs, worst first" }
            @if report.bugs.is_empty() {
                p { "None: no answer of a target was proved wrong." }
            } @else {
                p { (agenda(report)) "." }
                @if let Some(classes) = classes(report) { p { (classes) "." } }
                @let (wrong, other) = report.lists();
                @if !wrong.is_empty() { (ranked(&wrong)) }
                @if !other.is_empty() { h3 { (NOT_WRONG) } (ranked(&other)) }
            }
        }
    }
}

fn ranked(bugs: &[&BugReport]) -> Markup {
    markup! {
        div.wide { table.cards {
            thead { tr {
                th.number { "rank" } th { "bug" } th { "kind" } th.number { "bytes" }
                th.number { "hits" } th { "affected" } th { "send" }
            } }
            tbody { @for bug in bugs { tr {
                td.number data-name="rank" { (bug.rank) }
                td { a href=(format!("#{}", bug.id)) { (line(&bug.title.replace('`', ""), 160)) } }
                td data-name="kind" { (bug.kind.word()) }
                td.number data-name="bytes" { (thousands(bug.bytes)) }
                td.number data-name="hits" { (thousands(bug.hits)) }
                td data-name="affected" { (line(&bug.affected().unwrap_or_else(|| "not bisected".into()), 120)) }
                td data-name="send" { (bug.due.word()) }
            } } }
        } }
    }
}

fn one(bug: &BugReport) -> Markup {
    let grave = if bug.kind <= oracle::FindingKind::Crash { "bug grave" } else { "bug" };
    markup! {
        article class=(grave) id=(bug.id) {
            h3 { span.rank { (bug.rank) "." } " " (line(&bug.title.replace('`', ""), 200)) }
            p.facts {
                strong { (bug.kind.word()) } " · " (count(bug.hits, "hit")) " · first " (bug.first)
                " · send: " (bug.due.word())
                @if let Some(known) = &bug.known { " (" (line(known, 200)) ")" }
            }
            @if bug.formula.is_empty() {
                p { "The folder of its finding is damaged; there is no formula to show." }
            } @else {
                (formula(&lines(&bug.formula)))
                p.facts { (size(bug)) " Files: " (files(bug)) }
            }
            (answers(bug))
            (evidence(bug))
            (facts(bug))
        }
    }
}

/// A formula with its commands, literals and comments marked.
fn formula(text: &str) -> Markup {
    markup! {
        pre.formula tabindex="0" { code { @for (piece, part) in pieces(text) {
            @if piece.class().is_empty() { (part) } @else { span class=(piece.class()) { (part) } }
        } } }
    }
}

/// The files of a bug beside the page, as links.
fn files(bug: &BugReport) -> Markup {
    let shown = bug.shown.as_ref().map(|_| "bug.smt2");
    let reduced = bug.reduced.then_some("reduced.smt2");
    let all = [shown, reduced, Some("formula.smt2"), Some("REPORT.md"), Some("run.sh")];
    markup! {
        @for (n, name) in all.into_iter().flatten().enumerate() {
            @if n > 0 { ", " }
            a href=(format!("findings/{}/{name}", bug.finding)) { code { (name) } }
        }
    }
}

fn size(bug: &BugReport) -> String {
    if bug.reduced {
        let (from, to) = (thousands(bug.original_bytes), thousands(bug.bytes));
        let about = if bug.seen { "" } else { "; answers and evidence are about the original" };
        format!("Reduced from {from} to {to} bytes{about}.")
    } else {
        format!("{} bytes, not reduced.", thousands(bug.bytes))
    }
}

fn answers(bug: &BugReport) -> Markup {
    markup! {
        @if !bug.answers.is_empty() {
            div.wide { table {
                thead { tr { th { "target" } th { "answer" } th { "ended" } th.number { "seconds" } th { "command" } } }
                tbody { @for answer in &bug.answers { tr.wrong[answer.culprit] {
                    td { (line(&answer.target, 120)) @if answer.culprit { " " strong { "(" (accused(bug.kind)) ")" } } }
                    td { (line(&answer.answer, 120)) }
                    td { (line(&answer.ended, 120)) }
                    td.number { (format!("{:.3}", answer.seconds)) }
                    td { code.copy { (line(&answer.command, 300)) } }
                } } }
            } }
            @for answer in bug.accused() { (output(answer)) }
        }
        @if let Some(expected) = bug.expected {
            p { "Right answer" @if bug.check > 1 { " to check-sat number " (bug.check) } ": " strong { (expected) } "." }
        }
    }
}

fn output(answer: &Answered) -> Markup {
    markup! {
        @for (name, text) in [("output", &answer.stdout), ("errors", &answer.stderr)] {
            @if !text.trim().is_empty() {
                details {
                    summary { (name) " of " (line(&answer.target, 120)) }
                    pre tabindex="0" { code { (lines(text)) } }
                }
            }
        }
    }
}

fn evidence(bug: &BugReport) -> Markup {
    markup! {
        h4 { "Evidence" }
        ul { @for evidence in &bug.evidence {
            li { strong { (evidence.kind.word()) } " by " (line(&evidence.by, 120)) ": " (line(&evidence.detail, 2000)) }
        } }
        @if !bug.is_proven() { p { "This is not a proof: only other solvers' answers or a label support it." } }
    }
}

fn facts(bug: &BugReport) -> Markup {
    let origin = &bug.origin;
    markup! {
        dl.facts {
            @if let Some(affected) = bug.affected() { dt { "Affected" } dd { (line(&affected, 200)) } }
            @if let Some(shown) = bug.demonstration() {
                dt { "Try it" } dd { code.copy { "cd findings/" (bug.finding) " && " (line(&shown.command, 300)) } }
            }
            @if let Some(why) = bug.exotic { dt { "Ranked last" } dd { (why) } }
            @if !origin.strategy.is_empty() {
                dt { "Made by" } dd {
                    (line(&origin.strategy, 60)) ", key " code { (line(&origin.key, 60)) } ", unit " (origin.unit)
                    ", step " (origin.step) @if !origin.seeds.is_empty() { ", seeds " (origin.seeds.join(", ")) }
                }
            }
            dt { "Signature" } dd { code { (line(&bug.signature, 300)) } }
        }
    }
}

fn strategies(report: &Report) -> Markup {
    markup! {
        section {
            h2 { "Strategies" }
            div.wide { table {
                thead { tr {
                    th { "strategy" } th.number { "cases" } th.number { "valid" } th.number { "findings" }
                    th.number { "per 1000 cases" } th.number { "solver seconds" }
                } }
                tbody { @for (name, row) in &report.summary.strategies { tr {
                    td { (line(name, 60)) } td.number { (thousands(row.cases)) }
                    td.number { (format!("{:.1} %", row.valid_percent)) } td.number { (thousands(row.findings)) }
                    td.number { (format!("{:.2}", row.yields)) } td.number { (format!("{:.1}", row.seconds)) }
                } } }
            } }
        }
    }
}

fn targets(report: &Report) -> Markup {
    markup! {
        section {
            h2 { "Targets" }
            div.wide { table {
                thead { tr {
                    th { "target" } th.number { "tests" } th.number { "sat" } th.number { "unsat" }
                    th.number { "unknown" } th.number { "timeouts" } th.number { "crashes" } th.number { "valid" }
                } }
                tbody { @for (name, row) in &report.summary.target_rows() { tr {
                    td { (line(name, 120)) } td.number { (thousands(row.tests)) }
                    @for word in ["sat", "unsat", "unknown"] {
                        td.number { (thousands(row.answers.get(word).copied().unwrap_or(0))) }
                    }
                    td.number { (thousands(row.timeouts)) } td.number { (thousands(row.crashes)) }
                    td.number { (format!("{:.1} %", row.valid_percent)) }
                } } }
            } }
        }
    }
}

fn problems(report: &Report) -> Markup {
    markup! {
        @if !report.problems.is_empty() || report.panics > 0 {
            section {
                h2 { "Problems" }
                ul {
                    @for problem in &report.problems { li { (line(&problem.to_string(), 500)) } }
                    @if report.panics > 0 { li { "falsum itself failed on " (count(report.panics, "case")) "; see panics/" } }
                }
            }
        }
    }
}
