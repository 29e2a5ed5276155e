//! The report as one offline page: no request, no colour needed, and complete without its one script, which adds buttons
//! for copying.
//!
//! All text from solvers and formulas passes through maud's escaping. A content security policy in the page forbids
//! everything but its own style sheet and, by its hash, this one script, so that even a mistake here could not load or
//! run anything. Meaning is in words; colour and dark mode only help. In print, every fold is open where the browser
//! allows it.

use crate::document::{Answered, BugReport, NOT_WRONG, Report, accused};
use crate::highlight::pieces;
use crate::plain::{count, line, lines, thousands};
use crate::text::{agenda, classes};
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};
use smtlib::shown;
use std::path::{Path, PathBuf};
use store::TheoryStatus;

const STYLE: &str = include_str!("../style.css");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const COPY: &str = include_str!("../copy.js");
/// SHA-256 of the script, which a test computes.
const COPY_HASH: &str = "0hrHNBa6njmOa9pITXRhTc4krm+RStNg3gXr4M/7/S8=";

/// Where the campaign folder is, as seen from the page: links and commands name its files.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The absolute path of the folder; without it, commands are for a shell in that folder.
    pub folder: Option<PathBuf>,
    /// Whether the page is not in the folder, so that its links need the whole path.
    pub elsewhere: bool,
}

impl Place {
    /// A file of a finding, for a link.
    fn link(&self, finding: &str, name: &str) -> String {
        let inside = format!("findings/{finding}/{name}");
        match self.folder.as_deref().filter(|_| self.elsewhere) {
            Some(folder) => format!("file://{}/{inside}", encoded(&folder.to_string_lossy())),
            None => inside,
        }
    }

    /// A file of a finding, for a command.
    fn word(&self, finding: &str, name: &str) -> String {
        let inside = Path::new("findings").join(finding).join(name);
        shown::word(self.folder.as_deref().unwrap_or(Path::new("")).join(inside))
    }
}

/// A path in a link.
fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let parts = path.bytes().map(|byte| match byte {
        byte if plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    parts.collect()
}

/// A page in the campaign folder.
pub fn html(report: &Report) -> String {
    html_at(report, &Place::default())
}

pub fn html_at(report: &Report, place: &Place) -> String {
    let body = markup! {
        (head(report))
        main {
            (overview(report))
            @for bug in &report.bugs { (one(bug, place)) }
            (strategies(report))
            @if !report.summary.theories.is_empty() { (theories(report)) }
            (targets(report))
            (problems(report))
        }
    };
    let title = markup! { "falsum report " (line(&report.key, 60)) };
    scripted(&title, STYLE, &body, &report.falsum, true)
}

/// A self-contained page: it loads and runs nothing, and names the version of falsum that made it.
pub(crate) fn page(title: &Markup, style: &str, body: &Markup, falsum: &str) -> String {
    scripted(title, style, body, falsum, false)
}

/// The same; `copies` adds buttons for copying.
fn scripted(title: &Markup, style: &str, body: &Markup, falsum: &str, copies: bool) -> String {
    let policy = match copies {
        true => format!("{POLICY}; script-src 'sha256-{COPY_HASH}'"),
        false => POLICY.to_owned(),
    };
    let runs = if copies { "and runs only what copies text" } else { "and runs nothing" };
    let page = markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body {
                (body)
                footer { "Made by falsum " (falsum) ". This page loads nothing " (runs) "." }
                @if copies { script { (PreEscaped(COPY)) } }
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

fn one(bug: &BugReport, place: &Place) -> Markup {
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
                p.facts { (size(bug)) " Files: " (files(bug, place)) }
            }
            (answers(bug))
            (evidence(bug))
            (facts(bug, place))
        }
    }
}

/// A formula with its commands, literals and comments marked.
fn formula(text: &str) -> Markup {
    markup! {
        div.box { pre.formula tabindex="0" { code { @for (piece, part) in pieces(text) {
            @if piece.class().is_empty() { (part) } @else { span class=(piece.class()) { (part) } }
        } } } }
    }
}

/// The files of a bug beside the page, as links.
fn files(bug: &BugReport, place: &Place) -> Markup {
    let shown = bug.shown.as_ref().map(|_| "bug.smt2");
    let reduced = bug.reduced.then_some("reduced.smt2");
    let all = [shown, reduced, Some("formula.smt2"), Some("REPORT.md"), Some("run.sh")];
    markup! {
        @for (n, name) in all.into_iter().flatten().enumerate() {
            @if n > 0 { ", " }
            a href=(place.link(&bug.finding, name)) { code { (name) } }
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
            div.wide { table.cards {
                thead { tr { th { "target" } th { "answer" } th { "ended" } th.number { "seconds" } th { "command" } } }
                tbody { @for answer in &bug.answers { tr.wrong[answer.culprit] {
                    td { (line(&answer.target, 120)) @if answer.culprit { " " strong { "(" (accused(bug.kind)) ")" } } }
                    td data-name="answer" { (line(&answer.answer, 120)) }
                    td data-name="ended" { (line(&answer.ended, 120)) }
                    td.number data-name="seconds" { (format!("{:.3}", answer.seconds)) }
                    td data-name="command" { code { (line(&answer.command, 300)) } }
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

fn facts(bug: &BugReport, place: &Place) -> Markup {
    let origin = &bug.origin;
    markup! {
        dl.facts {
            @if let Some(affected) = bug.affected() { dt { "Affected" } dd { (line(&affected, 200)) } }
            // Only where this user ran it: the run.sh of a stranger's folder may hold anything.
            @if let Some(shown) = bug.demonstration() {
                dt { "Try it" } dd { code.copy { "sh " (line(&place.word(&bug.finding, "run.sh"), 5000)) } }
                dt { "Shown by" } dd { code { (line(&shown.command, 300)) } }
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
                    th { "strategy" } th.number { "cases" } th.number { "valid" } th.number { "accused" }
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

/// How much of what solvers said falsum's own evidence decides.
fn theories(report: &Report) -> Markup {
    let share = |row: &TheoryStatus| {
        row.certified_percent().map_or_else(|| "-".to_owned(), |share| format!("{share:.1} %"))
    };
    markup! {
        section {
            h2 { "Theories" }
            div.wide { table {
                thead { tr {
                    th { "theory" } th.number { "cases" } th.number { "answered" } th.number { "certified" }
                    th.number { "share of the answered" }
                } }
                tbody { @for (name, row) in &report.summary.theories { tr {
                    td { (line(name, 60)) }
                    @for count in [row.cases, row.answered, row.certified] { td.number { (thousands(count)) } }
                    td.number { (share(row)) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_hash_of_the_script() {
        let program = "import base64, hashlib, sys; print(base64.b64encode(hashlib.sha256(sys.argv[1].encode()).digest()).decode())";
        let run =
            std::process::Command::new("python3").args(["-c", program, COPY]).output().expect("python3");
        assert_eq!(String::from_utf8_lossy(&run.stdout).trim(), COPY_HASH);
        assert!(!COPY.contains("</") && !COPY.contains("<!--"), "it ends its own element");
    }

    #[test]
    fn links_and_commands_of_a_page_name_the_files_of_the_campaign_wherever_the_page_is() {
        let (folder, name) = (Some(PathBuf::from("/a b/c'd")), "run.sh");
        let here = Place { folder: folder.clone(), elsewhere: false };
        let there = Place { folder, elsewhere: true };
        assert_eq!(Place::default().word("f-1", name), "findings/f-1/run.sh");
        assert_eq!(here.link("f-1", name), "findings/f-1/run.sh");
        assert_eq!(there.link("f-1", name), "file:///a%20b/c%27d/findings/f-1/run.sh");
        assert_eq!(here.word("f-1", name), there.word("f-1", name));
        assert!(here.word("f-1", name).contains("/a b/c"), "{}", here.word("f-1", name));
    }
}
