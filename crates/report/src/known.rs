//! The list of known issues: bugs that are not to be reported again.
//!
//! One per line: `PATTERN`, or `PATTERN => WHERE`. A pattern is the beginning of a bug's id, or a part of its
//! signature; where is an issue's address or a remark. `#` begins a comment line.

use crate::document::BugReport;
use crate::error::{Error, Result};

/// Patterns, and where each is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known(Vec<(String, String)>);

/// A pattern shorter than this would hide almost everything.
const SHORTEST: usize = 4;

impl Known {
    pub fn parse(text: &str) -> Result<Known> {
        let mut all = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (pattern, place) = line.split_once("=>").unwrap_or((line, "the list of known issues"));
            let (pattern, place) = (pattern.trim(), place.trim());
            if pattern.len() < SHORTEST {
                return Err(Error::Known { line: index + 1, why: "a pattern needs at least 4 characters" });
            }
            all.push((pattern.to_owned(), place.to_owned()));
        }
        Ok(Known(all))
    }

    /// The patterns, each with where it is known, in the order of the list.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(pattern, place)| (pattern.as_str(), place.as_str()))
    }

    /// Where a bug is known, if it is, by one of its names or by a part of its signature.
    pub fn place(&self, names: &[&str], signature: &str) -> Option<&str> {
        let named = |pattern: &str| names.iter().any(|name| name.starts_with(pattern));
        let matches = |pattern: &str| named(pattern) || signature.contains(pattern);
        self.0.iter().find(|(pattern, _)| matches(pattern)).map(|(_, place)| place.as_str())
    }
}

/// The lines that make a bug known: its id, and the less exact id that it has before triage.
pub fn lines(bug: &BugReport, place: &str) -> String {
    let coarse = bug.coarse.as_ref().filter(|coarse| **coarse != bug.id);
    [Some(&bug.id), coarse].into_iter().flatten().map(|name| line(name, place)).collect()
}

/// One line, whatever a stranger's campaign folder calls its bugs and solvers.
fn line(pattern: &str, place: &str) -> String {
    format!("{pattern} => {place}").replace(char::is_control, " ") + "\n"
}

/// A list without the lines of some patterns; comments stay.
pub fn without(text: &str, patterns: &[String]) -> String {
    let names = |line: &str| line.split_once("=>").map_or(line, |(pattern, _)| pattern).trim().to_owned();
    let kept = |line: &&str| line.trim_start().starts_with('#') || !patterns.contains(&names(line));
    text.lines().filter(kept).map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_known_by_its_id_or_by_a_part_of_its_signature() {
        let known = Known::parse("# ours\n\nb-12ab => z3#1\nassertion foo.cpp:12\n").expect("a list");
        assert_eq!(known.place(&["b-12ab34"], "x"), Some("z3#1"));
        assert_eq!(known.place(&["b-ff"], "crash assertion foo.cpp:12 z3"), Some("the list of known issues"));
        assert_eq!(known.place(&["b-ff", "b-12abcd"], ""), Some("z3#1"));
        assert_eq!(known.place(&["b-ff"], "crash"), None);
    }

    #[test]
    fn a_name_with_a_line_end_adds_no_pattern_of_its_own() {
        assert_eq!(line("b-12ab", "crash of x\nsat"), "b-12ab => crash of x sat\n");
    }

    #[test]
    fn a_removed_pattern_takes_its_line_with_it_and_nothing_else() {
        let text = "# b-12ab\nb-12ab => z3#1\nb-12abcd => z3#2\nplain\n";
        let patterns = ["b-12ab".to_owned(), "plain".to_owned()];
        assert_eq!(without(text, &patterns), "# b-12ab\nb-12abcd => z3#2\n");
    }

    #[test]
    fn a_pattern_that_hides_everything_is_refused() {
        assert!(matches!(Known::parse("ok-pattern\n=> z3#1"), Err(Error::Known { line: 2, .. })));
    }
}
