//! The draft of an issue: the fields of the project's form, in its order, filled in.
//!
//! What is wrong, the file, the command, its actual output, the expected output, the evidence, the affected releases, the
//! build. The command and its output come from a run of exactly that command (`triage::demonstration`); a bug whose
//! command does not show it gets no draft, but a page that says so. What the project asks of reporters, and links that
//! search for duplicates and open a prefilled issue, come first, in a comment that is not displayed. A claim that rests
//! on a vote says so.

use crate::document::{Answered, BugReport, Report};
use crate::links::{new_issue, search};
use crate::plain::{code, fenced, line, prose, thousands};
use crate::project::{Part, form, project};
use oracle::{Evidence, EvidenceKind, FindingKind};
use store::Demonstration;

/// The Markdown of one bug: a draft if its command shows it, else what is known and why there is no draft.
pub fn draft(report: &Report, bug: &BugReport) -> String {
    let heading = format!("# {}\n\n", heading(&bug.title));
    match bug.demonstration() {
        Some(shown) => heading + &before_sending(report, bug, shown) + &body(report, bug, shown),
        None => heading + &undrafted(bug),
    }
}

/// The fields of the form.
fn body(report: &Report, bug: &BugReport, shown: &Demonstration) -> String {
    let mut out = String::new();
    let form = form(&bug.solver);
    if form.iter().all(|field| field.1 != Part::Claim) {
        out += &format!("**{}**\n\n", claim(bug));
    }
    for field in form {
        let text = part(report, bug, shown, field.1);
        if !text.trim().is_empty() {
            out += &format!("### {}\n\n{}\n\n", field.0, text.trim_end());
        }
    }
    out
}

/// The text of one field.
pub(crate) fn part(report: &Report, bug: &BugReport, shown: &Demonstration, part: Part) -> String {
    match part {
        Part::Category => category(bug.kind).to_owned(),
        Part::Claim => claim(bug),
        Part::Formula => format!("`bug.smt2`:\n\n{}", fenced("smt2", &bug.formula)),
        Part::Observed => observed(bug, shown),
        Part::Expected => expected(bug),
        Part::Context => why(bug, Some(shown)) + &others(bug) + &found(report, bug),
        Part::Options => match shown.options[..] {
            [] => "None.".to_owned(),
            ref options => format!("{}; it is not shown without them.", code(&options.join(" "))),
        },
        Part::Version => version(report, bug, shown),
        Part::Platform => platform(report, shown),
        Part::Interface => interface(bug, shown).to_owned(),
        Part::Installation => installation(report, bug, shown),
        Part::Build => build(report, bug, shown),
        Part::Regression => regression(bug),
    }
}

/// A title may contain code spans that we made; everything else in it is escaped.
fn heading(title: &str) -> String {
    title.replace('<', "\\<")
}

fn before_sending(report: &Report, bug: &BugReport, shown: &Demonstration) -> String {
    let Some(project) = project(&bug.solver) else { return String::new() };
    let mut out = format!("<!-- Not part of the issue. Send to {}\n", project.tracker);
    if let Some(fixed) = &bug.fixed_in {
        out += &format!("  - It is fixed in {}: do not send it unless it reappears.\n", line(fixed, 60));
    }
    if let Some(other) = &bug.with {
        out += &format!("  - It crashes in the same component as {other}: send them as one report.\n");
    }
    if shown.hosted {
        out += "  - It was seen with the library that falsum hosts: try the program of the same release first.\n";
    }
    for wish in &project.before {
        out += &format!("  - {wish}\n");
    }
    out += &format!("Duplicates: {}\n", search(project, bug));
    out += &format!("New issue: {}\n", new_issue(project, report, bug, shown));
    out + "-->\n\n"
}

/// What is known about a bug that has no draft.
fn undrafted(bug: &BugReport) -> String {
    let mut out = match &bug.shown {
        Some(shown) => format!(
            "There is no draft: {}, run in the folder of the formula, does not show it ({}).\n\n",
            code(&shown.command),
            shown.exit
        ),
        None => "There is no draft: the command that it would show has not been run here.\n\n".to_owned(),
    };
    out += &format!("**{}**\n\n", claim(bug));
    if bug.formula.is_empty() {
        out += "The formula's folder is damaged; the database has no copy of it.\n\n";
    } else {
        out += &format!("{}\n", fenced("smt2", &bug.formula));
    }
    out += &format!("### Expected\n\n{}\n\n### Why\n\n{}", expected(bug), why(bug, None));
    out + &others(bug)
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

/// The categories of z3's form.
fn category(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Crash => "Crash/Assertion failure",
        FindingKind::PerformanceRegression => "Performance regression",
        FindingKind::Performance | FindingKind::RejectsValidInput => "Other",
        _ => "Incorrect result (SAT/UNSAT/Unknown)",
    }
}

fn observed(bug: &BugReport, shown: &Demonstration) -> String {
    let mut out = format!("{} prints\n\n", code(&shown.command));
    let said = [shown.stdout.trim_end(), shown.stderr.trim_end()];
    let said = said.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("\n");
    out += &fenced("", if said.is_empty() { "(nothing)" } else { &said });
    out += &format!("\nand ends with {}", prose(&shown.exit));
    if bug.kind.is_slowness() {
        out += &format!(", after {:.1} s", shown.seconds);
    }
    out += ".";
    if bug.kind == FindingKind::Crash
        && let Some(ending) = bug.ending()
    {
        out += &format!(" It is {}.", prose(&ending));
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

fn why(bug: &BugReport, shown: Option<&Demonstration>) -> String {
    let table = shown.map(|shown| &shown.subterms[..]).unwrap_or_default();
    let mut out = String::new();
    if !table.is_empty() {
        out += "The printed model makes an assertion false, by an evaluator independent of all solvers:\n\n";
        out += "| term | value under the model |\n|---|---|\n";
        for (term, value) in table {
            out += &format!("| {} | {} |\n", cell(term), cell(value));
        }
        out += "\n";
    }
    let repeats = |evidence: &&Evidence| evidence.kind == EvidenceKind::RefutedModel && !table.is_empty();
    for evidence in bug.evidence.iter().filter(|evidence| !repeats(evidence)) {
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
        out += &format!("\nThe evidence is about the formula before reduction from {from} to {to} bytes.\n");
    }
    out + "\n"
}

/// A code span in a table.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// One piece of evidence in a sentence that also says whether a solver must be trusted for it.
pub(crate) fn argument(evidence: &Evidence) -> String {
    let (by, detail) = (prose(&evidence.by), code(&evidence.brief()));
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
    let mut out = "| other solver | answer | seconds |\n|---|---|---|\n".to_owned();
    for answer in others {
        out +=
            &format!("| {} | {} | {:.3} |\n", prose(&answer.target), prose(&answer.said()), answer.seconds);
    }
    out + "\n"
}

/// The affected releases and how it was found.
fn found(report: &Report, bug: &BugReport) -> String {
    let mut out = String::new();
    if let Some(affected) = bug.affected() {
        out += &format!("- Affected: {}\n", prose(&affected));
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
        out += &format!("- Reduced from {from} to {to} bytes; everything here is about the reduced file\n");
    }
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

/// The version of the culprit, with the program where it is the user's own.
fn version(report: &Report, bug: &BugReport, shown: &Demonstration) -> String {
    let mut out = String::new();
    let all = report.targets.iter().chain(&report.references);
    for target in all.filter(|target| bug.culprits.contains(&target.name)) {
        out += &format!("{}: version {}", prose(&target.name), prose(&target.version));
        if shown.package.is_empty() {
            let program = target.command.first().map(String::as_str).unwrap_or_default();
            let hash: String = target.hash.chars().take(12).collect();
            out += &format!(", program {}, BLAKE3 {hash}", code(program));
        }
        out += "\n";
    }
    if !shown.build.is_empty() && form(&bug.solver).iter().all(|field| field.1 != Part::Build) {
        out += &format!("\n{}", fenced("", &shown.build));
    }
    out
}

fn platform(report: &Report, shown: &Demonstration) -> String {
    if shown.system.is_empty() { prose(&report.machine) } else { prose(&shown.system) }
}

fn interface(bug: &BugReport, shown: &Demonstration) -> &'static str {
    match (shown.hosted, bug.solver.as_str()) {
        (true, _) => "The library of the Python package, driven by falsum through its C interface",
        (false, "z3") => "Command line (z3 executable)",
        (false, _) => "Command line",
    }
}

fn installation(report: &Report, bug: &BugReport, shown: &Demonstration) -> String {
    if !shown.package.is_empty() {
        let hosted = if shown.hosted {
            "; the package has a library and no program, so the library was driven by falsum"
        } else {
            ""
        };
        return format!("{}{hosted}", code(&format!("pip install {}", shown.package)));
    }
    let mut all = report.targets.iter().chain(&report.references);
    let target = all.find(|target| bug.culprits.contains(&target.name));
    let program = target.and_then(|target| target.command.first()).map(String::as_str).unwrap_or_default();
    format!("A build of its own: {}", code(program))
}

fn build(report: &Report, bug: &BugReport, shown: &Demonstration) -> String {
    let mut out = installation(report, bug, shown) + "\n";
    if !shown.build.is_empty() {
        out += &format!("\n{}", fenced("", &shown.build));
    }
    out
}

fn regression(bug: &BugReport) -> String {
    match (bug.last_good(), bug.first_bad.as_deref()) {
        (Some(good), Some(bad)) => {
            format!("Yes: {} is right, {} is the first that is not.", prose(good), prose(bad))
        }
        (None, Some(bad)) => {
            format!("No older release that was tested is right; the oldest bad one is {}.", prose(bad))
        }
        _ => "Other releases were not tested.".to_owned(),
    }
}
