//! Exact verdicts on small domains, with no solver.
//!
//! A script and one of its checks come in. If every symbol that matters ranges over a small finite space, sat with
//! a model or unsat comes out, both certain: sat because the evaluator confirms the model, unsat because every
//! assignment has been tried. Otherwise unknown comes out, with the reason.
//!
//! How: assertions become a graph of small operations over 64-bit codes (`lower`, `graph`). Functions, arrays and
//! under-specified points become one variable per application, with the condition that equal arguments give equal
//! values; quantifiers over finite sorts are written out. Equations that define a variable remove it (`simplify`),
//! conjuncts that share no variable are decided apart, and while that leaves too much, one variable after the
//! other is given each of its values (`search`). The rest is tried: variables are assigned in an order that
//! completes conjuncts early, a block of assignments at a time, and assignments that falsify a conjunct are
//! dropped at once (`block`). A conjunct is a straight-line program over columns of 256 assignments (`column`);
//! what is no machine operation is asked of the evaluator once per distinct arguments (`call`).
//!
//! A formula without free symbols is evaluated instead (`closed`). A witness that rests on a choice at an under-specified
//! point is looked for again without such choices. Where a formula quantifies over a declared sort, models in which the
//! sort has one, two or three elements are looked for; that can only show sat.
//!
//! It must never be wrong in either direction. Whatever cannot be computed (an overflow, an open point of an
//! infinite sort, a limit) poisons the assignment it occurs in: it is neither a model nor refuted, and if no other
//! assignment is a model the verdict is unknown.

mod answer;
mod array;
mod block;
mod call;
mod closed;
mod column;
mod graph;
mod lower;
mod native;
mod operator;
mod search;
mod simplify;

use crate::eval;
use crate::model::{Escapes, Model};
use smtlib::script::Script;
use smtlib::term::TermId;

/// What a decision may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Operations on single assignments, all together. A machine does some 500 million a second.
    pub work: u64,
    /// Nodes of the graph.
    pub nodes: usize,
    /// Values of one variable.
    pub domain: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { work: 1 << 31, nodes: 200_000, domain: 1 << 24 }
    }
}

/// What is certain about the assertions in force at a check.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Satisfiable; the evaluator has confirmed the model.
    Sat(Box<Witness>),
    Unsat,
    Unknown(Reason),
}

/// A confirmed model.
#[derive(Clone, Debug)]
pub struct Witness {
    pub model: Model,
    /// The same as SMT-LIB text.
    pub text: String,
    /// Whether it rests on a choice at an under-specified point.
    pub underspecified: bool,
}

/// Why nothing is certain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Something that is not lowered.
    #[error("{0} is beyond small domains")]
    Unsupported(String),
    #[error("`{0}` has no small domain")]
    Domain(String),
    #[error("the limit of work is reached")]
    Work,
    #[error("the formula is too large written out")]
    Nodes,
    #[error("a value could not be computed for some assignment")]
    Poisoned,
    #[error("the evaluator does not confirm the assignment found: {0}")]
    Unconfirmed(String),
}

/// How a problem is put.
#[derive(Clone, Copy)]
struct Setting {
    limits: Limits,
    /// Under-specified points may be filled in; otherwise an assignment that reaches one is no model.
    open_points: bool,
    /// Every declared sort has exactly so many elements; a model is a model, but `unsat` says nothing.
    elements: Option<usize>,
}

/// Most elements that are tried for the declared sorts that a formula quantifies over.
const MOST_ELEMENTS: usize = 3;

/// Decides the assertions in force at the given check-sat (counted from 0). The script's pool grows by the model.
pub fn decide(script: &mut Script, check: usize, limits: Limits) -> Verdict {
    let in_force = script.in_force(check);
    if let Some(verdict) = closed::decide(script, &in_force, limits) {
        return verdict;
    }
    let terms: Vec<TermId> = in_force.into_iter().map(|(_, term)| term).collect();
    let plain = Setting { limits, open_points: true, elements: None };
    match attempt(script, check, &terms, plain) {
        // Another witness may need no choice of ours.
        Verdict::Sat(witness) if witness.underspecified => {
            match attempt(script, check, &terms, Setting { open_points: false, ..plain }) {
                Verdict::Sat(certain) if !certain.underspecified => Verdict::Sat(certain),
                _ => Verdict::Sat(witness),
            }
        }
        Verdict::Unknown(reason) => {
            small_sorts(script, check, &terms, plain).map_or(Verdict::Unknown(reason), Verdict::Sat)
        }
        decided => decided,
    }
}

/// Looks for a model in which declared sorts have few elements.
fn small_sorts(script: &mut Script, check: usize, terms: &[TermId], plain: Setting) -> Option<Box<Witness>> {
    script.pool.sort_decls.iter().any(|decl| decl.datatype.is_none()).then_some(())?;
    let limits = Limits { work: plain.limits.work / MOST_ELEMENTS as u64, ..plain.limits };
    (1..=MOST_ELEMENTS).find_map(|count| {
        let setting = Setting { limits, open_points: false, elements: Some(count) };
        match attempt(script, check, terms, setting) {
            Verdict::Sat(witness) if !witness.underspecified => Some(witness),
            _ => None,
        }
    })
}

fn attempt(script: &mut Script, check: usize, terms: &[TermId], setting: Setting) -> Verdict {
    let elements = lower::element_names(script, setting.elements);
    let universe = match setting.elements {
        Some(_) => lower::universe(script, &elements),
        None => Model::default(),
    };
    let text = match lower::lower(&script.pool, terms, &elements, &universe, setting) {
        Err(reason) => return Verdict::Unknown(reason),
        Ok(problem) => match search::solve(problem) {
            search::Outcome::Sat(text) => text,
            search::Outcome::Unsat if setting.elements.is_none() && setting.open_points => {
                return Verdict::Unsat;
            }
            search::Outcome::Unsat => return Verdict::Unknown(Reason::Poisoned),
            search::Outcome::Unknown(reason) => return Verdict::Unknown(reason),
        },
    };
    confirm(script, check, text)
}

fn confirm(script: &mut Script, check: usize, text: String) -> Verdict {
    let at = script.commands.iter().enumerate().filter(|(_, command)| command.is_check()).nth(check);
    let at = at.map_or(script.commands.len(), |(n, _)| n);
    let model = match Model::parse_at(script, at, text.as_bytes(), Escapes::Standard) {
        Ok(model) => model,
        Err(error) => return Verdict::Unknown(Reason::Unconfirmed(error.to_string())),
    };
    let report = eval::check(script, &model, check);
    match report.overall.value {
        eval::Verdict::True => {
            Verdict::Sat(Box::new(Witness { model, text, underspecified: report.overall.underspecified }))
        }
        eval::Verdict::False => Verdict::Unknown(Reason::Unconfirmed("it is false".to_owned())),
        eval::Verdict::Unknown(reason) => Verdict::Unknown(Reason::Unconfirmed(reason.to_string())),
    }
}
