//! Exact verdicts on small domains, without a solver.
//!
//! In: a script and one of its checks. Out: if every relevant symbol ranges over a small finite space, sat with a
//! model or unsat; otherwise unknown with the reason. Both answers are certain: sat because the evaluator confirms the
//! model, unsat because every assignment has been tried.
//!
//! How: assertions become a graph of small operations over 64-bit codes (`lower`, `graph`). Functions, arrays and
//! under-specified points become one variable per application, with the condition that equal arguments give equal
//! values; quantifiers over finite sorts are expanded. Equations that define a variable remove it (`simplify`).
//! Conjuncts that share no variable are decided separately. While there are still too many assignments, one variable
//! after the other is set to each of its values (`search`). The remaining assignments are tried: variables are
//! assigned in an order that completes conjuncts early, a block of assignments at a time, and assignments that falsify
//! a conjunct are dropped at once (`block`). A conjunct is a straight-line program over columns of 256 assignments
//! (`column`). Operations without a machine form are computed by the evaluator, once per distinct arguments (`call`).
//!
//! A formula without free symbols is evaluated instead (`closed`). If a witness depends on a choice at an
//! under-specified point, a second search looks for one without such choices. If a formula quantifies over a declared
//! sort, models in which the sort has one, two or three elements are tried; that can only show sat.
//!
//! It must never be wrong in either direction. Anything that cannot be computed (an overflow, an under-specified point
//! of an infinite sort, a limit) poisons the assignment in which it occurs: the assignment is neither a model nor
//! refuted, and if no other assignment is a model the verdict is unknown.

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

/// Limits for one decision.
#[derive(Clone, Copy, Debug)]
pub struct BruteLimits {
    /// Number of operations on single assignments in total. A machine does some 500 million a second.
    pub work: u64,
    /// Number of nodes of the graph.
    pub nodes: usize,
    /// Number of values of one variable.
    pub domain: u64,
}

impl Default for BruteLimits {
    fn default() -> BruteLimits {
        BruteLimits { work: 1 << 31, nodes: 200_000, domain: 1 << 24 }
    }
}

/// The verdict on the assertions in force at a check.
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
    /// Whether it depends on a choice at an under-specified point.
    pub underspecified: bool,
}

/// Why the verdict is unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A construct that is not translated.
    #[error("{0} is beyond small domains")]
    Unsupported(String),
    #[error("`{0}` has no small domain")]
    Domain(String),
    #[error("the limit of work is reached")]
    Work,
    #[error("the formula is too large after expansion")]
    Nodes,
    #[error("a value could not be computed for some assignment")]
    Poisoned,
    #[error("the evaluator does not confirm the assignment found: {0}")]
    Unconfirmed(String),
}

/// A variant of the problem.
#[derive(Clone, Copy)]
struct Setting {
    limits: BruteLimits,
    /// Whether values may be chosen at under-specified points; otherwise an assignment that reaches one is not a
    /// model.
    open_points: bool,
    /// Every declared sort has exactly this many elements; a model is still a model, but `unsat` has no meaning.
    elements: Option<usize>,
}

/// Maximum number of elements that are tried for the declared sorts that a formula quantifies over.
const MOST_ELEMENTS: usize = 3;

/// Decides the assertions in force at the given check-sat (counted from 0). The script's pool grows by the model.
pub fn decide(script: &mut Script, check: usize, limits: BruteLimits) -> Verdict {
    let in_force = script.in_force(check);
    if let Some(verdict) = closed::decide(script, &in_force, limits) {
        return verdict;
    }
    let terms: Vec<TermId> = in_force.into_iter().map(|(_, term)| term).collect();
    let plain = Setting { limits, open_points: true, elements: None };
    match attempt(script, check, &terms, plain) {
        // Another witness may not depend on such a choice.
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
    let limits = BruteLimits { work: plain.limits.work / MOST_ELEMENTS as u64, ..plain.limits };
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
