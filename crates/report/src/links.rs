//! Links of a draft, as text: a search for duplicates, and a new issue that is already filled in.
//!
//! Nothing is opened or sent by falsum. A link that a browser or a server would cut is worse than none, so fields are left
//! out from the end until it fits.

use crate::document::{BugReport, Report};
use crate::draft::part as text_of;
use crate::project::{Field, Part, Project, form};
use store::Demonstration;

/// The longest link that browsers and GitHub take.
const LONGEST: usize = 7_000;

/// The issues of the project that mention what the bug is about.
pub(crate) fn search(project: &Project, bug: &BugReport) -> String {
    let words: Vec<&str> = bug.subject.iter().map(String::as_str).take(2).collect();
    let kind = match bug.kind {
        oracle::FindingKind::Crash => "crash",
        oracle::FindingKind::InvalidModel => "invalid model",
        kind if kind.is_slowness() => "performance",
        kind if kind.is_soundness() => "soundness",
        _ => "unknown",
    };
    let query = format!("is:issue {kind} {}", words.join(" "));
    format!("{}?q={}", project.tracker, encoded(query.trim()))
}

/// A new issue with title and fields.
pub(crate) fn new_issue(
    project: &Project,
    report: &Report,
    bug: &BugReport,
    shown: &Demonstration,
) -> String {
    let start = if project.new.contains('?') { '&' } else { '?' };
    let mut link = format!("{}{start}title={}", project.new, encoded(&bug.title.replace('`', "")));
    let fields = form(&bug.solver);
    let named = fields.iter().filter(|field| !field.2.is_empty());
    let value = |field: &Field| match field.1 {
        // A field of its own is shown as code by the form.
        Part::Formula => bug.formula.clone(),
        part => text_of(report, bug, shown, part),
    };
    let mut more: Vec<String> =
        named.map(|field| format!("&{}={}", field.2, encoded(value(field).trim()))).collect();
    if more.is_empty() {
        let text =
            |field: &Field| format!("**{}**\n{}\n\n", field.0, text_of(report, bug, shown, field.1).trim());
        more.push(format!("&body={}", encoded(&fields.iter().map(text).collect::<String>())));
    }
    for field in more {
        if link.len() + field.len() <= LONGEST {
            link += &field;
        }
    }
    link
}

/// A value in a query of a link.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            // Two hyphens would end the comment that the link is in.
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_cannot_be_left_and_cannot_end_a_comment() {
        assert_eq!(encoded("a b-->&c=(é)\n"), "a+b%2D%2D%3E%26c%3D%28%C3%A9%29%0A");
    }
}
