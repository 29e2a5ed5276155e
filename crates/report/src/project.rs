//! What each solver project asks of a report. The facts are data (`projects.toml`).

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Project {
    /// Where issues go.
    pub tracker: String,
    /// The page for a new issue.
    pub new: String,
    /// What to do before sending.
    pub before: Vec<String>,
    /// The fields of the issue form in its order; without any, those of `USUAL`.
    #[serde(default)]
    pub form: Vec<Field>,
}

/// A field: its label, what fills it, and its name in a link (empty if it has none).
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Field(pub String, pub Part, pub String);

/// The parts of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    /// One word for the kind of defect, from the project's list.
    Category,
    /// What is wrong, in a sentence.
    Claim,
    /// The file.
    Formula,
    /// The command and its output.
    Observed,
    Expected,
    /// The evidence, other solvers, releases, how it was found.
    Context,
    /// The options of the command.
    Options,
    Version,
    /// Operating system and processor.
    Platform,
    /// How the solver was used.
    Interface,
    Installation,
    /// What the program prints about its build.
    Build,
    /// Since when.
    Regression,
}

/// The form of a project that has none.
static USUAL: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let field = |label: &str, part| Field(label.to_owned(), part, String::new());
    vec![
        field("Input", Part::Formula),
        field("Observed", Part::Observed),
        field("Expected", Part::Expected),
        field("Why", Part::Context),
        field("Version", Part::Version),
        field("Platform", Part::Platform),
        field("Installation", Part::Installation),
    ]
});

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

/// The fields of a report to a solver's project, in order.
pub(crate) fn form(solver: &str) -> &'static [Field] {
    match project(solver) {
        Some(project) if !project.form.is_empty() => &project.form,
        _ => &USUAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_project_says_where_issues_go_and_its_form_shows_formula_command_and_version() {
        assert!(PROJECTS.len() >= 6, "projects.toml is readable");
        for (name, project) in PROJECTS.iter() {
            assert!(
                project.tracker.starts_with("https://") && project.new.starts_with(&project.tracker),
                "{name}"
            );
            assert!(!project.before.is_empty(), "{name}");
            for part in [Part::Formula, Part::Observed, Part::Expected, Part::Context, Part::Version] {
                assert_eq!(form(name).iter().filter(|field| field.1 == part).count(), 1, "{name} {part:?}");
            }
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
