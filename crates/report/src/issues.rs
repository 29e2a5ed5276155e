//! Issue drafts: a folder with one folder per project, one draft and one formula per bug, and an index.
//!
//! Only bugs that are proved and not known get a draft. The index says which to send this week, and which a newer
//! release
//! has fixed already.

use crate::document::Report;
use crate::draft::draft;
use crate::markdown::ranked;
use crate::text::agenda;
use std::collections::BTreeMap;

/// Relative paths and what to write there.
pub fn issues(report: &Report) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut list = String::new();
    for bug in report.bugs.iter().filter(|bug| bug.due.is_new()) {
        let base = format!("{}/{:02}-{}", bug.solver, bug.rank, bug.id);
        list += &format!("- {}: [{}]({base}.md), [formula]({base}.smt2)\n", bug.due.word(), bug.id);
        files.insert(format!("{base}.md"), draft(report, bug));
        files.insert(format!("{base}.smt2"), bug.formula.clone());
    }
    let index = format!("# Issue drafts\n\n{}\n\n{}{list}", agenda(report), ranked(report));
    files.insert("INDEX.md".to_owned(), index);
    files
}
