//! Bugs counted as papers count them: by kind, logic, options and affected release, each per solver.
//!
//! In: the bugs of a report. Out: four tables (the counterparts of Figures 3.8, 3.10, 4.6, 4.7 and 5.6 of Winterer's
//! thesis), in the JSON document and at the end of the text. A bug with several options counts once for each of them; one
//! without options counts as `default`. A bug counts for every release that was tested and shows it.

use crate::document::BugReport;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Row, solver, number of bugs.
pub type Table = BTreeMap<String, BTreeMap<String, u64>>;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Tables {
    pub kinds: Table,
    pub logics: Table,
    pub options: Table,
    pub releases: Table,
}

impl Tables {
    pub fn of(bugs: &[BugReport]) -> Tables {
        let mut tables = Tables::default();
        for bug in bugs {
            let count = |table: &mut Table, row: &str| {
                *table.entry(row.to_owned()).or_default().entry(bug.solver.clone()).or_default() += 1;
            };
            count(&mut tables.kinds, bug.kind.word());
            count(&mut tables.logics, &bug.logic);
            match bug.options.is_empty() {
                true => count(&mut tables.options, "default"),
                false => bug.options.iter().for_each(|option| count(&mut tables.options, option)),
            }
            let bad = bug.releases.iter().filter(|row| row.bad);
            bad.for_each(|row| count(&mut tables.releases, &row.release));
        }
        tables
    }

    /// The tables as text; empty if there is nothing to count.
    pub fn text(&self) -> String {
        let named = [
            ("kind", &self.kinds),
            ("logic", &self.logics),
            ("options", &self.options),
            ("affected release", &self.releases),
        ];
        named.iter().map(|(name, table)| one(name, table)).collect()
    }
}

fn one(name: &str, table: &Table) -> String {
    if table.is_empty() {
        return String::new();
    }
    let solvers: BTreeSet<&str> = table.values().flat_map(|row| row.keys().map(String::as_str)).collect();
    let title = format!("bugs by {name}");
    let width = table.keys().map(|row| row.chars().count()).chain([title.len()]).max().unwrap_or_default();
    let mut out = format!("\n{title:width$}");
    solvers.iter().for_each(|solver| out += &format!("  {solver:>8}"));
    for (row, counts) in table {
        out += &format!("\n{row:width$}");
        for solver in &solvers {
            let number = counts.get(*solver).map_or_else(|| "-".to_owned(), u64::to_string);
            out += &format!("  {number:>8}");
        }
    }
    out + "\n"
}
