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
//! It must never be wrong in either direction. Whatever cannot be computed (an overflow, an open point of an
//! infinite sort, a limit) poisons the assignment it occurs in: it is neither a model nor refuted, and if no other
//! assignment is a model the verdict is unknown.

mod answer;
mod array;
mod block;
mod call;
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

/// Decides the assertions in force at the given check-sat (counted from 0). The script's pool grows by the model.
pub fn decide(script: &mut Script, check: usize, limits: Limits) -> Verdict {
    let terms: Vec<TermId> = script.in_force(check).into_iter().map(|(_, term)| term).collect();
    let elements = lower::element_names(script);
    let text = match lower::lower(&script.pool, &terms, &elements, limits) {
        Err(reason) => return Verdict::Unknown(reason),
        Ok(problem) => match search::solve(problem) {
            search::Outcome::Sat(text) => text,
            search::Outcome::Unsat => return Verdict::Unsat,
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
