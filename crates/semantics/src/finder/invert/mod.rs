//! Inverts one operation: finds values of an argument for which the operation has a given result.
//!
//! In: the operation, its current arguments, the position of one of them and the wanted result. Out: values for that
//! argument, likely ones first; empty if none is known. They need not be exact: an addition of floats is inverted by
//! subtracting. There is one file per kind of value.

mod bits;
mod collection;
mod float;
mod map;
mod number;
mod word;

pub(super) use bits::product as factors;

use super::candidates::Candidates;
use super::chance::Chance;
use super::weight;
use crate::eval::{Evaluator, Operation};
use crate::value::Value;
use smtlib::sort::SortId;
use smtlib::term::{Index, Role};

/// Values for an argument, and the steps it took to find them.
pub(super) type Answer = (Vec<Value>, u64);

/// A question about one argument.
pub(super) struct Ask<'q> {
    pub operation: Operation,
    pub args: &'q [Value],
    pub at: usize,
    pub target: &'q Value,
    /// The sort of the argument in question.
    pub sort: SortId,
}

/// What the inversions need: the evaluator, the candidates and the random numbers.
pub(super) struct Tools<'t, 'e, 'p> {
    pub eval: &'e mut Evaluator<'p>,
    pub candidates: &'t mut Candidates,
    pub chance: &'t mut Chance,
    /// Steps that the inversion used beyond the usual.
    pub spent: u64,
}

impl Tools<'_, '_, '_> {
    /// A few values of a sort.
    fn some(&mut self, sort: SortId, count: usize) -> Vec<Value> {
        let known = self.candidates.of(self.eval, sort);
        (0..count).filter_map(|_| self.chance.pick(&known).cloned()).collect()
    }
}

pub(super) fn argument<'p>(
    ask: &Ask<'_>,
    eval: &mut Evaluator<'p>,
    candidates: &mut Candidates,
    chance: &mut Chance,
) -> Answer {
    if weight::is_too_much(ask.args.iter().chain([ask.target])) {
        return (vec![], 0);
    }
    let spent = ask.args.iter().map(weight::steps).sum();
    let mut tools = Tools { eval, candidates, chance, spent };
    let mut found = match ask.operation {
        Operation::Operator(op, indices) => {
            let name = op.row().eval.unwrap_or("");
            let indices: Vec<u64> = tools
                .eval
                .pool()
                .index_list(indices)
                .iter()
                .filter_map(|index| if let Index::Num(n) = index { Some(*n) } else { None })
                .collect();
            by_name(name, &indices, ask, &mut tools)
        }
        Operation::Structure(_) | Operation::Tester(_) | Operation::Updater(_) => structure(ask, &mut tools),
        Operation::Function(_) => vec![],
    };
    if found.is_empty() {
        found = tools.some(ask.sort, 2);
    }
    (found, tools.spent)
}

fn by_name(name: &str, indices: &[u64], ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    match name.split('_').next() {
        Some("int" | "real") => number::argument(name, ask, tools),
        Some("bv") => bits::argument(name, indices, ask),
        Some("fp") => float::argument(name, ask, tools),
        Some("str" | "seq" | "char") => word::argument(name, ask, tools),
        Some("set" | "bag") => collection::argument(name, ask, tools),
        Some("array" | "fun") => map::argument(name, ask, tools),
        Some("tuple" | "nullable") => map::structured(name, indices, ask, tools),
        _ => vec![],
    }
}

/// Constructors, selectors, testers and updaters.
fn structure(ask: &Ask<'_>, tools: &mut Tools<'_, '_, '_>) -> Vec<Value> {
    let pool = tools.eval.pool();
    match (ask.operation, ask.target) {
        (Operation::Tester(constructor), Value::Bool(truth)) => {
            let known = tools.candidates.of(tools.eval, ask.sort);
            let made = |value: &&Value| matches!(value, Value::Datatype(data) if (data.constructor() == constructor) == *truth);
            known.iter().filter(made).take(3).cloned().collect()
        }
        (Operation::Structure(decl), target) => match pool.decl(decl).role {
            Role::Constructor { .. } => match target {
                Value::Datatype(data) if data.constructor() == decl => {
                    data.args().get(ask.at).cloned().into_iter().collect()
                }
                _ => vec![],
            },
            Role::Selector { constructor, field, .. } => {
                with_field(ask, tools, constructor, field as usize, target)
            }
            _ => vec![],
        },
        (Operation::Updater(_), target) if ask.at == 0 => vec![target.clone()],
        (Operation::Updater(selector), Value::Datatype(data)) => match pool.decl(selector).role {
            Role::Selector { field, .. } => data.args().get(field as usize).cloned().into_iter().collect(),
            _ => vec![],
        },
        _ => vec![],
    }
}

/// Values of a datatype with one field given: the current value changed, or others of that constructor.
fn with_field(
    ask: &Ask<'_>,
    tools: &mut Tools<'_, '_, '_>,
    constructor: smtlib::term::DeclId,
    field: usize,
    target: &Value,
) -> Vec<Value> {
    let mut bases: Vec<Value> = vec![ask.args[0].clone()];
    let known = tools.candidates.of(tools.eval, ask.sort);
    bases.extend(known.iter().cloned());
    let mut found = vec![];
    for base in bases {
        if let Value::Datatype(data) = base
            && data.constructor() == constructor
            && field < data.args().len()
        {
            let mut args = data.args().to_vec();
            args[field] = target.clone();
            found.push(Value::datatype(constructor, args));
        }
        if found.len() == 2 {
            break;
        }
    }
    found
}
