//! The title of a bug: what is wrong, the operators, and the solver.
//!
//! A maintainer decides by the title who should handle it, so it names the operators that the reduced formula is about.
//! Connectives and comparisons, which are in every formula, are named only if there is nothing else.

use crate::document::BugReport;
use crate::plain::line;
use oracle::FindingKind;
use smtlib::term::{Kind as Node, TermId};

/// Operators that say little about a formula.
const EVERYWHERE: &[&str] =
    &["and", "or", "not", "=>", "xor", "=", "distinct", "ite", "<", "<=", ">", ">=", "+", "-", "*"];

/// The maximal number of operators in a title.
const MOST: usize = 3;

/// One line.
pub(crate) fn title(bug: &BugReport) -> String {
    let what = match bug.kind {
        FindingKind::RefutationUnsound => "Wrong `unsat`",
        FindingKind::SolutionUnsound => "Wrong `sat`",
        FindingKind::InvalidModel => "Invalid model",
        FindingKind::InvalidValue => "Value that contradicts the model",
        FindingKind::InvalidCore => "Unsat core that is satisfiable",
        FindingKind::InvalidInterpolant => "Interpolant that is none",
        FindingKind::InvalidProof => "Proof that does not check",
        FindingKind::Crash => "Crash",
        FindingKind::Inconsistent => "Contradicting answers",
        FindingKind::IncompletenessRegression => "`unknown` where an older release decides",
        FindingKind::IncompletenessImplication => {
            "`unknown` on a formula whose answer follows from one it decides"
        }
        FindingKind::PerformanceRegression => "Much slower than an older release",
        FindingKind::Performance => "Much slower than another solver",
        FindingKind::RejectsValidInput => "Rejects a script that the standard allows",
    };
    // Of the functions in which a crash happened the innermost is enough here.
    let ending = bug.ending().filter(|_| bug.kind == FindingKind::Crash);
    let crash = ending.map(|ending| format!(" ({})", ending.split(", from ").next().unwrap_or_default()));
    let about = match bug.subject[..] {
        [] => String::new(),
        ref operators => format!(" with `{}`", operators.join("`, `")),
    };
    let who = if bug.culprits.is_empty() { "some solver".to_owned() } else { bug.culprits.join(", ") };
    line(&format!("{what}{}{about} ({who})", crash.unwrap_or_default()), 200)
}

/// The operators that a formula is about, in order of the text.
pub(crate) fn subject(formula: &[u8]) -> Vec<String> {
    let Ok(script) = smtlib::Script::parse(formula) else { return vec![] };
    let mut all: Vec<&'static str> = vec![];
    for term in (0..script.pool.len() as u32).rev().map(TermId) {
        if let (Node::Op { op, .. }, false) = (script.pool.kind(term), script.pool.args(term).is_empty())
            && !all.contains(&op.row().name)
        {
            all.push(op.row().name);
        }
    }
    let telling: Vec<_> = all.iter().copied().filter(|name| !EVERYWHERE.contains(name)).collect();
    let mut chosen = if telling.is_empty() { all } else { telling };
    chosen.truncate(MOST);
    chosen.into_iter().map(str::to_owned).collect()
}
