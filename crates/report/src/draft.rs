//! The draft of an issue, in the order in which a maintainer reads it.
//!
//! The order: what is wrong in one sentence, the file, the command, the actual output, the expected output, the
//! evidence, the affected releases, how it was found. What the project asks of reporters comes first, in a comment that
//! is not displayed. A claim that rests on a vote says so.

use crate::document::{Answered, BugReport, Report};
use crate::plain::{code, fenced, line, prose, thousands};
use crate::project::project;
use oracle::{Evidence, EvidenceKind, FindingKind};

/// The Markdown of one bug.
pub fn draft(report: &Report, bug: &BugReport) -> String {
    let mut out = format!("# {}\n\n", heading(&bug.title));
    out += &before_sending(bug);
    out += &format!("**{}**\n\n", claim(bug));
    if bug.formula.is_empty() {
        out += "The formula's folder is damaged; the database has no copy of it.\n\n";
    } else {
        out += &format!("`bug.smt2`:\n\n{}\n", fenced("smt2", &bug.formula));
    }
    out += "## Observed\n\n";
    for answer in bug.accused().chain(bug.answers.iter().filter(|_| bug.culprits.is_empty())) {
        out += &observed(bug, answer);
    }
    out += &format!("## Expected\n\n{}\n\n", expected(bug));
    out += &why(bug);
    out += &others(bug);
    out += &environment(report, bug);
    out
}

/// A title may contain code spans that we made; everything else in it is escaped.
fn heading(title: &str) -> String {
    title.replace('<', "\\<")
}

fn before_sending(bug: &BugReport) -> String {
    let Some(project) = project(&bug.solver) else { return String::new() };
    let mut out = format!("<!-- Not part of the issue. Send to {}\n", project.tracker);
    if let Some(fixed) = &bug.fixed_in {
        out += &format!("  - It is fixed in {}: do not send it unless it reappears.\n", line(fixed, 60));
    }
    for wish in &project.before {
        out += &format!("  - {wish}\n");
    }
    out + "-->\n\n"
}

fn claim(bug: &BugReport) -> String {
    let who = if bug.culprits.is_empty() { "A solver".to_owned() } else { prose(&bug.culprits.join(", ")) };
    if bug.kind == FindingKind::Inconsistent {
        return if bug.culprits.len() == 1 {
            format!("{who} gives answers that contradict other solvers.")
        } else {
            format!("The answers of {who} contradict each other.")
        };
    }
    format!("{who} {}.", bug.kind.meaning())
}

fn observed(bug: &BugReport, answer: &Answered) -> String {
    let mut out = String::new();
    let command = if answer.command.is_empty() { &answer.target } else { &answer.command };
    out += &format!("{} ({}) gives\n\n", code(command), prose(&answer.target));
    let said = [answer.stdout.trim_end(), answer.stderr.trim_end()];
    let said = said.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("\n");
    let said = if said.is_empty() { format!("(no output; {})", answer.ended) } else { said };
    out += &fenced("", &said);
    if !bug.seen {
        out += "\n(recorded on the formula before reduction)\n";
    }
    if bug.kind == FindingKind::Crash {
        out += &format!("\nIt ends with {}.\n", prose(&bug.ending().unwrap_or_else(|| "a crash".into())));
    }
    out + "\n"
}

fn expected(bug: &BugReport) -> String {
    let which = if bug.check > 1 { format!(" to check-sat number {}", bug.check) } else { String::new() };
    match (bug.kind, bug.expected) {
        (FindingKind::InvalidModel, Some("unsat")) => format!("`unsat`{which}."),
        (FindingKind::InvalidModel, Some(_)) => {
            format!("`sat`{which}, with a model that satisfies every assertion.")
        }
        (FindingKind::InvalidModel, None) => {
            format!("A model that satisfies every assertion, or not `sat`{which}.")
        }
        (FindingKind::Crash, Some(right)) => format!("No crash; the right answer{which} is `{right}`."),
        (FindingKind::Crash, None) => "No crash.".to_owned(),
        (_, Some(right)) => format!("`{right}`{which}."),
        (FindingKind::RejectsValidInput, None) => "The script is accepted.".to_owned(),
        (kind, None) if kind.is_slowness() => "An answer in a comparable time.".to_owned(),
        (kind, None) if kind.is_incompleteness() => format!("An answer{which}."),
        (_, None) => format!("All solvers give the same answer{which}."),
    }
}

fn why(bug: &BugReport) -> String {
    let mut out = "## Why\n\n".to_owned();
    for evidence in &bug.evidence {
        out += &format!("- {}\n", argument(evidence));
    }
    if bug.evidence.is_empty() {
        out += "- No evidence is recorded.\n";
    }
    if !bug.is_proven() && bug.kind.is_soundness() {
        out += "\nThis is not a proof: only other solvers' answers or a label support it.\n";
    }
    if !bug.seen {
        let (from, to) = (thousands(bug.original_bytes), thousands(bug.bytes));
        out += &format!(
            "\nThe evidence is about the formula before reduction from {from} to {to} bytes; \
             `{}` reproduces it for the file above.\n",
            bug.check_command()
        );
    }
    out + "\n"
}

/// One piece of evidence in a sentence that also says whether a solver must be trusted for it.
pub(crate) fn argument(evidence: &Evidence) -> String {
    let (by, detail) = (prose(&evidence.by), code(&evidence.detail));
    match evidence.kind {
        EvidenceKind::Model => {
            format!(
                "A model ({by}) makes every assertion true, by an evaluator independent of all solvers: {detail}"
            )
        }
        EvidenceKind::RefutedModel => {
            format!("The model fails, by an evaluator independent of all solvers: {detail}")
        }
        EvidenceKind::Evaluation => {
            format!(
                "The formula has no free symbol, and an evaluator independent of all solvers decides it: {detail}"
            )
        }
        EvidenceKind::Enumeration => format!("All assignments were tried: {detail}"),
        EvidenceKind::Elimination => {
            format!("Linear arithmetic, decided by eliminating its variables: {detail}")
        }
        EvidenceKind::Refutation => {
            format!("These lemmas, each valid by itself, rule out every assignment: {detail}")
        }
        EvidenceKind::Construction => format!("The formula was built so that its answer is known: {detail}"),
        EvidenceKind::Core => format!("The core was solved again by {by}: {detail}"),
        EvidenceKind::Relation => format!("{by} answers a related formula: {detail}"),
        EvidenceKind::SelfContradiction => format!("{by} contradicts itself: {detail}"),
        EvidenceKind::Release => format!("Another release, {by}, differs: {detail}"),
        EvidenceKind::Exit => format!("How the process of {by} ended: {detail}"),
        EvidenceKind::Time => format!("Processor time, measured; {by}: {detail}"),
        EvidenceKind::Accepted => format!("{by} takes the script: {detail}"),
        EvidenceKind::SelfCheck => format!("{by}, told to check its own answer, complains: {detail}"),
        EvidenceKind::ProofChecker => format!("The proof checker {by} refuses {detail}"),
        EvidenceKind::Status => format!("The benchmark's own label, an unverified claim: {detail}"),
        EvidenceKind::Majority => format!("A vote, the weakest evidence; {by}: {detail}"),
    }
}

fn others(bug: &BugReport) -> String {
    let others: Vec<&Answered> = bug.answers.iter().filter(|answer| !answer.culprit).collect();
    if others.is_empty() || bug.culprits.is_empty() {
        return String::new();
    }
    let mut out = "## Others\n\n| target | answer | seconds |\n|---|---|---|\n".to_owned();
    for answer in others {
        out +=
            &format!("| {} | {} | {:.3} |\n", prose(&answer.target), prose(&answer.said()), answer.seconds);
    }
    out + "\n"
}

fn environment(report: &Report, bug: &BugReport) -> String {
    let mut out = "## Environment\n\n".to_owned();
    match bug.affected() {
        Some(affected) => out += &format!("- Affected: {}\n", prose(&affected)),
        None => out += "- Affected: not bisected (`falsum bisect bug.smt2`)\n",
    }
    if let Some((shown, tried)) = bug.seeds {
        out += &format!("- Solver seeds 1 to {tried}: reproduced with {shown} of {tried}\n");
    }
    if let Some(rate) = bug.rate {
        let few = if rate.is_deterministic() { "" } else { "; too few runs to call it deterministic" };
        out += &format!("- Fresh runs: it shows in {} of {}{few}\n", rate.shown, rate.runs);
    }
    if bug.seen && bug.reduced {
        let (from, to) = (thousands(bug.original_bytes), thousands(bug.bytes));
        out += &format!("- Reduced from {from} to {to} bytes; everything above is about the reduced file\n");
    }
    let all = report.targets.iter().chain(&report.references);
    for target in all.filter(|target| bug.culprits.contains(&target.name)) {
        out += &format!("- {}: version {}", prose(&target.name), prose(&target.version));
        if target.name.contains('/') {
            let program = target.command.first().map(String::as_str).unwrap_or_default();
            let hash: String = target.hash.chars().take(12).collect();
            out += &format!(", program {}, BLAKE3 {hash}", code(program));
        }
        out += "\n";
    }
    out += &format!("- Machine: {}\n", prose(&report.machine));
    if let Some(project) = project(&bug.solver) {
        out += &format!("- Build: output of `{}`\n", project.version);
    }
    out += &format!("- Try it: {}\n", code(&bug.check_command()));
    let origin = &bug.origin;
    if !origin.strategy.is_empty() {
        out += &format!(
            "- Found by falsum {} with strategy {}, campaign key {}, unit {}, step {}{}; finding {}\n",
            report.falsum,
            code(&origin.strategy),
            code(&origin.key),
            origin.unit,
            origin.step,
            if origin.seeds.is_empty() {
                String::new()
            } else {
                format!(", from seed {}", origin.seeds.join(", "))
            },
            bug.finding,
        );
    }
    out
}
