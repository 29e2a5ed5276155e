//! Issue drafts: one folder per project, in it one folder per bug with its draft and its formula, and an index.
//!
//! Only bugs that are proved and not known, and whose command shows them, get a draft. The index says which to send this
//! week, which a newer release has fixed already, and which have no draft.

use crate::document::{Due, Report};
use crate::draft::draft;
use crate::markdown::ranked;
use crate::plain::code;
use crate::text::agenda;
use std::collections::BTreeMap;

/// Relative paths and what to write there.
pub fn issues(report: &Report) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut list = String::new();
    for bug in report.bugs.iter().filter(|bug| bug.due.is_new() && bug.demonstration().is_some()) {
        let base = format!("{}/{:02}-{}", bug.solver, bug.rank, bug.id);
        let with = bug.with.as_ref().map_or(String::new(), |other| format!(", with {other} in one report"));
        list += &format!(
            "- {}: [{}]({base}/REPORT.md), [formula]({base}/bug.smt2): {}{with}\n",
            bug.due.word(),
            bug.id,
            bug.title
        );
        // The draft and its command speak of `bug.smt2` in the folder of the draft.
        files.insert(format!("{base}/REPORT.md"), draft(report, bug));
        files.insert(format!("{base}/bug.smt2"), bug.formula.clone());
    }
    for bug in report.bugs.iter().filter(|bug| bug.due == Due::Unshown) {
        let why = match &bug.shown {
            Some(shown) => format!("{} does not show it", code(&shown.command)),
            None => "its command has not been run".to_owned(),
        };
        list += &format!("- no draft: {}, findings/{}: {why}\n", bug.id, bug.finding);
    }
    let index = format!("# Issue drafts\n\n{}\n\n{}{list}", agenda(report), ranked(report));
    files.insert("INDEX.md".to_owned(), index);
    files
}
