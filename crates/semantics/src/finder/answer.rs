//! Writes the assignment that was found as a model in SMT-LIB text and has it confirmed by the ordinary evaluator.
//!
//! It is text because a user or a solver can check that, and because it is then read by the same parser as every
//! solver's model. The finder returns only models that the evaluator has found true.

use super::state::State;
use crate::budget::Budget;
use crate::eval::{self, EvalLimits, check::check_with};
use crate::model::{Escapes, Model};
use crate::value::show::{LONGEST_MODEL, model_text};
use crate::value::{ArrayValue, Base, Value};
use smtlib::printer::sort_text;
use smtlib::script::Script;
use smtlib::sort::SortId;
use smtlib::symbol::write_name;
use smtlib::term::{DeclId, Kind, Pool};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A model that the evaluator has confirmed.
#[derive(Clone, Debug)]
pub struct Witness {
    pub model: Model,
    /// The same as SMT-LIB text.
    pub text: String,
    /// Whether it depends on a choice at an under-specified point.
    pub underspecified: bool,
}

/// The model of the current assignment; `None` if it is too long to be read.
pub(super) fn text(state: &State<'_, '_>, model: &Model) -> Option<String> {
    let pool = state.eval.pool();
    let mut out = String::from("(\n");
    let universe: BTreeMap<&SortId, _> = model.universe.iter().collect();
    for (&sort, elements) in universe {
        for &element in elements {
            if let Kind::Lit(_, symbol) = pool.kind(element) {
                let _ = writeln!(out, "  (declare-fun {} () {})", name(pool, symbol), sort_text(pool, sort));
            }
        }
    }
    for (n, var) in state.graph.vars.iter().enumerate() {
        define(pool, var.decl, &state.assignment()[n], &mut out)?;
    }
    for &(decl, node) in &state.graph.defined {
        if let Ok(value) = state.value(node) {
            define(pool, decl, value, &mut out)?;
        }
    }
    out.push_str(")\n");
    Some(out)
}

fn name(pool: &Pool, symbol: smtlib::symbol::Symbol) -> String {
    let mut bytes = vec![];
    write_name(&mut bytes, pool.bytes(symbol));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn define(pool: &Pool, decl: DeclId, value: &Value, out: &mut String) -> Option<()> {
    let declared = pool.decl(decl);
    let _ = write!(out, "  (define-fun {} (", name(pool, declared.name));
    for (n, &sort) in declared.params.iter().enumerate() {
        let space = if n > 0 { " " } else { "" };
        let _ = write!(out, "{space}(x!{n} {})", sort_text(pool, sort));
    }
    let _ = write!(out, ") {} ", sort_text(pool, declared.result));
    match value {
        Value::Array(map) if !declared.params.is_empty() => body(pool, map, declared.result, out)?,
        _ => out.push_str(&model_text(pool, declared.result, value)?),
    }
    out.push_str(")\n");
    (out.len() <= LONGEST_MODEL).then_some(())
}

/// A map as a body with one test per place.
fn body(pool: &Pool, map: &ArrayValue, result: SortId, out: &mut String) -> Option<()> {
    let show = |sort, value| model_text(pool, sort, value);
    for (place, value) in &map.exceptions {
        let keys: &[Value] = match place {
            Value::Tuple(keys) if map.index.len() > 1 => keys,
            place => std::slice::from_ref(place),
        };
        out.push_str("(ite (and true");
        for (n, (key, &sort)) in keys.iter().zip(map.index.iter()).enumerate() {
            let _ = write!(out, " (= x!{n} {})", show(sort, key)?);
        }
        let _ = write!(out, ") {} ", show(result, value)?);
        if out.len() > LONGEST_MODEL {
            return None;
        }
    }
    if let Base::Constant(base) = &map.base {
        out.push_str(&show(result, base)?);
    }
    out.push_str(&")".repeat(map.exceptions.len()));
    Some(())
}

/// Lets the ordinary evaluator check that the text is a model.
pub(super) fn confirm(script: &mut Script, check: usize, text: String, budget: &Budget) -> Option<Witness> {
    let at = script.commands.iter().enumerate().filter(|(_, command)| command.is_check()).nth(check);
    let at = at.map_or(script.commands.len(), |(n, _)| n);
    let model = Model::parse_at(script, at, text.as_bytes(), Escapes::Standard).ok()?;
    let steps = EvalLimits::default().steps.min(budget.steps_left().max(10_000));
    let limits = EvalLimits { steps, trials: 60, ..EvalLimits::default() };
    let report = check_with(script, &model, check, limits);
    let is_true = report.overall.value == eval::Verdict::True;
    is_true.then(|| Witness { model, text, underspecified: report.overall.underspecified })
}
