//! What each solver project asks of a report. The facts are data (`projects.toml`).

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Project {
    /// Where issues go.
    pub tracker: String,
    /// The command that prints what the project wants to know about the build.
    pub version: String,
    /// What to do before sending.
    pub before: Vec<String>,
}

static PROJECTS: LazyLock<BTreeMap<String, Project>> =
    LazyLock::new(|| toml::from_str(include_str!("../projects.toml")).unwrap_or_default());

/// The solver whose project a target belongs to; `unknown` if its name does not say.
pub(crate) fn solver(target: &str) -> &str {
    match solver::solver_of(target) {
        "" => "unknown",
        solver => solver,
    }
}

/// The requirements of its project, if known.
pub(crate) fn project(solver: &str) -> Option<&'static Project> {
    PROJECTS.get(solver)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_project_says_where_issues_go_and_how_to_ask_for_the_version() {
        assert!(PROJECTS.len() >= 6, "projects.toml is readable");
        for (name, project) in PROJECTS.iter() {
            assert!(project.tracker.starts_with("https://"), "{name}");
            assert!(!project.version.is_empty() && !project.before.is_empty(), "{name}");
        }
    }

    #[test]
    fn the_solver_is_the_first_word_of_a_target() {
        assert_eq!(solver("z3@4.8.9 a=b"), "z3");
        assert_eq!(solver("cvc5-1.4.2"), "cvc5");
        assert_eq!(solver("/opt/z3"), "z3");
        assert_eq!(solver(""), "unknown");
    }
}
