//! The reference semantics: what operations give for constant arguments.
//!
//! In: the operations and constants of the tables, and definitions of a user who wants other meanings. Out: values, and
//! the value of every operation on them. Each operation is a defined function whose body is the term of the table, so
//! our evaluator says what it means; a definition of the same name replaces the body. That is how a solver is tested
//! that deviates from the standard on purpose:
//!
//! ```text
//! (define-fun replace ((s String) (t String) (u String)) String (ite (= t "") s (str.replace s t u)))
//! ```

use super::tables::Tables;
use semantics::eval::{EvalLimits, Evaluator, Operation};
use semantics::model::Model;
use semantics::value::Value;
use semantics::value::show::value_text;
use smtlib::{Command, Pool, Script, SortId};
use std::time::Duration;

/// What one application may cost.
const LIMITS: EvalLimits = EvalLimits {
    steps: 20_000,
    bytes: 1 << 16,
    regex_steps: 5_000,
    wall: Duration::MAX,
    ..EvalLimits::DEFAULT
};

/// A value with its text.
#[derive(Clone, Debug)]
pub struct Literal {
    pub sort: SortId,
    pub text: String,
    pub value: Value,
}

/// An operation that can be applied.
#[derive(Clone, Copy, Debug)]
pub struct Applicable {
    code: Operation,
    pub result: SortId,
}

pub struct Reference {
    pool: Pool,
    nothing: Model,
    /// By the operation's place in the tables.
    pub operations: Vec<Applicable>,
    /// By the constant's place in the tables.
    pub constants: Vec<Literal>,
    /// Whether a user has changed what operations mean.
    pub is_changed: bool,
}

impl Reference {
    pub fn new(tables: &Tables, changes: Option<&str>) -> Result<Reference, String> {
        let text = definitions(tables, changes)?;
        let mut script = Script::parse(text.as_bytes()).map_err(|error| {
            format!("the reference semantics: {}", error.render("definitions", text.as_bytes()))
        })?;
        let mut read = vec![];
        for constant in &tables.constants {
            let term = smtlib::parser::parse_term(&mut script, constant.text.as_bytes())
                .map_err(|error| error.render("constant", constant.text.as_bytes()))?;
            read.push((constant.text.clone(), term));
        }
        let nothing = Model::default();
        let mut evaluator = Evaluator::with_limits(&script.pool, &nothing, LIMITS);
        let mut constants = vec![];
        for (text, term) in read {
            let value = evaluator.eval_open(term).map_err(|_| format!("the constant {text} has no value"))?;
            constants.push(Literal { sort: script.pool.sort_of(term), text, value });
        }
        let operations = operations(&script, tables)?;
        let is_changed = changes.is_some();
        Ok(Reference { pool: script.pool, nothing, operations, constants, is_changed })
    }

    pub fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::with_limits(&self.pool, &self.nothing, LIMITS)
    }

    /// The value of an operation; `None` where it has none or costs too much.
    pub fn apply(&self, evaluator: &mut Evaluator<'_>, operation: usize, args: &[Value]) -> Option<Value> {
        let Applicable { code, result } = self.operations[operation];
        evaluator.apply_alone(code, result, args).ok()
    }

    pub fn text(&self, sort: SortId, value: &Value) -> String {
        value_text(&self.pool, sort, value)
    }

    pub fn sort_text(&self, sort: SortId) -> String {
        smtlib::printer::sort_text(&self.pool, sort)
    }
}

/// One definition per operation; those of the user replace ours.
fn definitions(tables: &Tables, changes: Option<&str>) -> Result<String, String> {
    let changes = changes.unwrap_or("");
    let changed: Vec<String> = super::tree::Tree::read(changes)
        .ok_or("a parenthesis is missing in the reference semantics")?
        .iter()
        .filter_map(|tree| tree.parts().get(1)?.as_word().map(str::to_owned))
        .collect();
    let mut text = String::from("(set-logic ALL)\n");
    for row in &tables.operations {
        // A change may use a name that ours is defined with, and must not be defined twice.
        if changed.contains(&row.name) {
            continue;
        }
        let parameters: String =
            row.parameters.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        text += &format!("(define-fun {} ({parameters}) {} {})\n", row.name, row.result, row.term.text());
    }
    Ok(text + changes)
}

fn operations(script: &Script, tables: &Tables) -> Result<Vec<Applicable>, String> {
    let find = |name: &str| {
        script.commands.iter().find_map(|command| match command {
            Command::DefineFun { decl, .. }
                if script.pool.bytes(script.pool.decl(*decl).name) == name.as_bytes() =>
            {
                Some(Applicable { code: Operation::Function(*decl), result: script.pool.decl(*decl).result })
            }
            _ => None,
        })
    };
    let of = |row: &super::tables::Operation| find(&row.name).ok_or(format!("`{}` is not defined", row.name));
    tables.operations.iter().map(of).collect()
}
