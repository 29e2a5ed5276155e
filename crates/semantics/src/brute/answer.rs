//! Writes the assignment that was found as a model in SMT-LIB text.
//!
//! It is text because a user or a solver can check that, and because it is then read by the same parser as every
//! solver's model.

use super::lower::Problem;
use super::simplify::declared;
use crate::value::Value;
use crate::value::show::LONGEST_MODEL;
use smtlib::printer::sort_text;
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::write_name;
use smtlib::term::DeclId;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The value of a function of the script at one point. Arguments beyond its parameters are indices of the array it
/// returns.
pub(super) struct Entry {
    pub decl: DeclId,
    pub args: Vec<u64>,
    pub value: u64,
}

/// The known rows below some arguments: further arguments and the value.
type Rows = Vec<(Vec<u64>, u64)>;

pub(super) fn text(problem: &mut Problem<'_>, entries: &[Entry]) -> Option<String> {
    let mut by_decl: BTreeMap<DeclId, Rows> = BTreeMap::new();
    for entry in entries {
        by_decl.entry(entry.decl).or_default().push((entry.args.clone(), entry.value));
    }
    let mut out = String::from("(\n");
    if problem.listed {
        universe(problem, &mut out);
    }
    for (decl, rows) in by_decl {
        define(problem, decl, rows, &mut out)?;
        if out.len() > LONGEST_MODEL {
            return None;
        }
    }
    out.push_str(")\n");
    Some(out)
}

/// The elements that declared sorts have.
fn universe(problem: &Problem<'_>, out: &mut String) {
    let pool = problem.calls.pool();
    let mut sorts: Vec<_> =
        problem.elements.iter().filter(|(sort, _)| pool.sort_decl(**sort).arity == 0).collect();
    sorts.sort_by_key(|(sort, _)| sort.0);
    for (&sort, names) in sorts {
        for &name in names {
            let mut line = b"  (declare-fun ".to_vec();
            write_name(&mut line, pool.bytes(name));
            line.extend(b" () ");
            write_name(&mut line, pool.bytes(pool.sort_decl(sort).name));
            let _ = writeln!(out, "{})", String::from_utf8_lossy(&line));
        }
    }
}

fn define(problem: &mut Problem<'_>, decl: DeclId, rows: Rows, out: &mut String) -> Option<()> {
    let pool = problem.calls.pool();
    let declared = pool.decl(decl);
    let mut name = vec![];
    write_name(&mut name, pool.bytes(declared.name));
    let _ = write!(out, "  (define-fun {} (", String::from_utf8_lossy(&name));
    for (n, &sort) in declared.params.iter().enumerate() {
        let _ = write!(out, "(x!{n} {})", sort_text(pool, sort));
    }
    let _ = write!(out, ") {} ", sort_text(pool, declared.result));
    let params = declared.params.to_vec();
    let mut cases: BTreeMap<Vec<u64>, Rows> = BTreeMap::new();
    for (args, value) in rows {
        let (point, rest) = args.split_at(params.len());
        cases.entry(point.to_vec()).or_default().push((rest.to_vec(), value));
    }
    if params.is_empty() {
        let rows = cases.into_values().next().unwrap_or_default();
        out.push_str(&value(problem, declared.result, &rows)?);
    } else {
        let count = cases.len();
        for (point, rows) in cases {
            out.push_str("(ite (and true");
            for (n, (&code, &sort)) in point.iter().zip(&params).enumerate() {
                let _ = write!(out, " (= x!{n} {})", problem.calls.text(code, sort)?);
            }
            let _ = write!(out, ") {} ", value(problem, declared.result, &rows)?);
        }
        out.push_str(&default(problem, declared.result)?);
        out.push_str(&")".repeat(count));
    }
    out.push_str(")\n");
    Some(())
}

/// A value, or an array that is known at some indices.
fn value(problem: &mut Problem<'_>, sort: SortId, rows: &Rows) -> Option<String> {
    // Several applications may be at one point; then they agree.
    if let Some((args, code)) = rows.first()
        && args.is_empty()
    {
        return problem.calls.text(*code, sort);
    }
    let Sort::Array(index, element) = *problem.calls.pool().sort(sort) else { return None };
    let mut cells: BTreeMap<u64, Rows> = BTreeMap::new();
    for (args, code) in rows {
        let (&first, rest) = args.split_first()?;
        cells.entry(first).or_default().push((rest.to_vec(), *code));
    }
    let mut text = default(problem, sort)?;
    for (code, rows) in cells {
        let cell = value(problem, element, &rows)?;
        text = format!("(store {text} {} {cell})", problem.calls.text(code, index)?);
    }
    Some(text)
}

/// Some value of the sort.
fn default(problem: &mut Problem<'_>, sort: SortId) -> Option<String> {
    if let Sort::Array(_, element) = *problem.calls.pool().sort(sort) {
        let element = default(problem, element)?;
        return Some(format!("((as const {}) {element})", sort_text(problem.calls.pool(), sort)));
    }
    if let Some(decl) = declared(problem, sort) {
        let name = *problem.elements.get(&decl)?.first()?;
        let code = problem.calls.code(&Value::Abstract { sort, name }, sort)?;
        return problem.calls.text(code, sort);
    }
    let code = problem.calls.default(sort)?;
    problem.calls.text(code, sort)
}
