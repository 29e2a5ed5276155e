//! The report for a terminal: numbers, then the bugs, worst first, one screen each at most.

use crate::document::{BugReport, Due, NOT_WRONG, Report, accused};
use crate::plain::{count, line, lines, thousands};

/// Formulas longer than this are not printed; their path is.
const MOST_LINES: usize = 24;

pub fn text(report: &Report) -> String {
    let progress = &report.summary.progress;
    let mut out = format!(
        "falsum report ⊥  key {}  since {}{}\n{}  {}  {}  {}\n",
        line(&report.key, 40),
        report.started,
        if report.running { "  (still hunting)" } else { "" },
        count(progress.cases, "case"),
        count(progress.tests, "test"),
        count(progress.findings, "finding"),
        count(report.bugs.len() as u64, "bug"),
    );
    if report.bugs.is_empty() {
        out += "\nno bugs: no answer of a target was proved wrong.\n";
    }
    let (wrong, other) = report.lists();
    wrong.iter().for_each(|bug| out += &one(bug));
    if !other.is_empty() {
        out += &format!("\n{NOT_WRONG}:\n");
        other.iter().for_each(|bug| out += &one(bug));
    }
    if !report.bugs.is_empty() {
        out += &format!("\n{}\n", agenda(report));
    }
    if let Some(classes) = classes(report) {
        out += &format!("{classes}\n");
    }
    if report.bugs.len() > 1 {
        out += &report.tables.text();
    }
    for said in asides(report) {
        out += &format!("{}\n", line(&said, 300));
    }
    for problem in &report.problems {
        out += &format!("problem: {}\n", line(&problem_line(problem), 300));
    }
    out
}

/// What to do with the bugs this week.
pub(crate) fn agenda(report: &Report) -> String {
    format!(
        "to send this week: {} (at most {} per project); later: {}; fixed since: {}; known: {}; unproven: {}; without a draft: {}",
        report.count(Due::Now),
        report.quota,
        report.count(Due::Later),
        report.count(Due::Fixed),
        report.count(Due::Known),
        report.count(Due::Unproven),
        report.count(Due::Unshown),
    )
}

/// Bugs by the release that fixed them, in a line; `None` if none was bisected.
pub(crate) fn classes(report: &Report) -> Option<String> {
    let fixing = &report.fixing_releases;
    let each: Vec<String> =
        fixing.iter().map(|(release, bugs)| format!("{} ({bugs})", line(release, 60))).collect();
    let word = if fixing.len() == 1 { "class" } else { "classes" };
    (!each.is_empty())
        .then(|| format!("fixing releases: {} distinct {word}: {}", each.len(), each.join(", ")))
}

/// What is no bug, and worth knowing: answers that change from run to run, processes that solvers leave running.
pub(crate) fn asides(report: &Report) -> Vec<String> {
    let flaky = report.flaky.iter().map(|flaky| {
        let share = match flaky.rate.runs {
            0 => "not shown again in a fresh process".to_owned(),
            runs => format!("shown in {} of {runs} fresh runs", flaky.rate.shown),
        };
        let (who, formulas) = (flaky.suspected.join(", "), count(flaky.formulas, "formula"));
        format!("flaky, so no solver is accused: {} by {who}, {formulas}, {share}; see flaky/", flaky.kind)
    });
    let leaks = report.summary.targets.iter().filter(|(_, row)| row.leaks > 0).map(|(name, row)| {
        format!("{name} left processes running after {}; they were ended", count(row.leaks, "test"))
    });
    flaky.chain(leaks).collect()
}

pub(crate) fn problem_line(problem: &store::Problem) -> String {
    problem.to_string()
}

fn one(bug: &BugReport) -> String {
    let mut out = format!(
        "\n{}. {}  {}  {}  {}  [{}]\n",
        bug.rank,
        bug.kind.word(),
        line(&bug.culprits.join(", "), 80),
        bug.id,
        count(bug.hits, "hit"),
        bug.due.word(),
    );
    let width = bug.answers.iter().map(|answer| answer.target.chars().count()).max().unwrap_or(0);
    for answer in &bug.answers {
        let mark = if answer.culprit { format!("  ← {}", accused(bug.kind)) } else { String::new() };
        let target = line(&answer.target, 80);
        out +=
            &format!("   {target:width$}  {:<8} {:.3} s{mark}\n", line(&answer.said(), 60), answer.seconds);
    }
    for evidence in &bug.evidence {
        let detail = line(&evidence.detail, 300);
        out += &format!("   evidence: {} ({}): {detail}\n", evidence.kind.word(), line(&evidence.by, 80));
    }
    if let Some(affected) = bug.affected() {
        out += &format!("   affected: {}\n", line(&affected, 120));
    }
    if let Some(why) = bug.exotic {
        out += &format!("   ranked last: {why}\n");
    }
    if let Some(known) = &bug.known {
        out += &format!("   known: {}\n", line(known, 120));
    }
    let size = if bug.reduced {
        format!("reduced from {} to {} bytes", thousands(bug.original_bytes), thousands(bug.bytes))
    } else {
        format!("{} bytes, not reduced", thousands(bug.bytes))
    };
    out += &format!("   findings/{}: {size}\n", bug.finding);
    if bug.formula.lines().count() <= MOST_LINES {
        for row in lines(&bug.formula).lines() {
            out += &format!("     {row}\n");
        }
    }
    out
}
