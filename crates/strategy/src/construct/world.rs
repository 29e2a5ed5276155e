//! Worlds: models that are chosen before the formula exists.
//!
//! A world gives every constant of a stage a value from the pools, and every function a table that grows while the
//! function is applied. For new arguments, the function gets a value chosen at that moment, up to a maximum number of
//! entries; after that it returns its default. An entry never changes, so a function has one value for equal
//! arguments, whatever the order of applications.

use super::claim::is_writable;
use super::stage::{Declared, Stage};
use crate::Rng;
use semantics::value::Value;
use semantics::value::show::value_text;
use std::fmt::Write;

/// Maximum number of entries in a function's table.
const ENTRIES: usize = 4;

#[derive(Clone)]
pub struct World {
    /// Per constant: which value of its sort.
    chosen: Vec<usize>,
    tables: Vec<Table>,
}

#[derive(Clone)]
struct Table {
    default: usize,
    entries: Vec<(Vec<Value>, usize)>,
}

impl World {
    pub fn choose(stage: &Stage, rng: &mut Rng) -> World {
        let mut pick = |declared: &Declared| rng.below(stage.literals(declared.result).len().max(1));
        World {
            chosen: stage.constants.iter().map(&mut pick).collect(),
            tables: stage.functions.iter().map(|f| Table { default: pick(f), entries: vec![] }).collect(),
        }
    }

    /// The same world, but for the value of one constant.
    pub fn with(&self, constant: usize, value: usize) -> World {
        let mut world = self.clone();
        world.chosen[constant] = value;
        world
    }

    /// Equations that say what the functions give where they were applied. `None` if one was applied so often that some
    /// values are defaults, or a value cannot be written.
    pub fn points(&self, stage: &Stage) -> Option<Vec<String>> {
        let mut found = vec![];
        for (function, table) in stage.functions.iter().zip(&self.tables) {
            if table.entries.len() >= ENTRIES {
                return None;
            }
            for (args, value) in &table.entries {
                let mut text = format!("(= ({}", function.name);
                for (arg, &param) in args.iter().zip(&function.params) {
                    let arg = is_writable(arg).then(|| value_text(&stage.pool, param, arg))?;
                    let _ = write!(text, " {arg}");
                }
                let _ = write!(text, ") {})", stage.literals(function.result)[*value].text);
                found.push(text);
            }
        }
        Some(found)
    }

    /// The value of a constant.
    pub fn constant<'s>(&self, stage: &'s Stage, number: usize) -> Option<&'s Value> {
        let sort = stage.constants[number].result;
        Some(&stage.literals(sort).get(self.chosen[number])?.value)
    }

    /// The value of a function at these arguments. It is chosen now if there is none yet.
    pub fn apply(&mut self, stage: &Stage, number: usize, args: &[Value], rng: &mut Rng) -> Option<Value> {
        let literals = stage.literals(stage.functions[number].result);
        let table = &mut self.tables[number];
        let known = table.entries.iter().find(|(at, _)| at == args).map(|(_, value)| *value);
        let value = match known {
            Some(value) => value,
            None if table.entries.len() < ENTRIES => {
                let value = rng.below(literals.len().max(1));
                table.entries.push((args.to_vec(), value));
                value
            }
            None => table.default,
        };
        Some(literals.get(value)?.value.clone())
    }

    /// The world as SMT-LIB text, in the form of a response to `get-model`.
    pub fn text(&self, stage: &Stage) -> String {
        let mut out = String::from("(\n");
        for (constant, &chosen) in stage.constants.iter().zip(&self.chosen) {
            let sort = smtlib::printer::sort_text(&stage.pool, constant.result);
            let value = &stage.literals(constant.result)[chosen].text;
            let _ = writeln!(out, "(define-fun {} () {sort} {value})", constant.name);
        }
        for (function, table) in stage.functions.iter().zip(&self.tables) {
            table.write(stage, function, &mut out);
        }
        out.push(')');
        out
    }
}

impl Table {
    fn write(&self, stage: &Stage, function: &Declared, out: &mut String) {
        let sort_text = |sort| smtlib::printer::sort_text(&stage.pool, sort);
        let _ = write!(out, "(define-fun {} (", function.name);
        for (n, &param) in function.params.iter().enumerate() {
            let _ = write!(out, "(x!{n} {})", sort_text(param));
        }
        let _ = write!(out, ") {} ", sort_text(function.result));
        let literals = stage.literals(function.result);
        for (args, value) in &self.entries {
            out.push_str("(ite (and true");
            for (n, (arg, &param)) in args.iter().zip(&function.params).enumerate() {
                let _ = write!(out, " (= x!{n} {})", value_text(&stage.pool, param, arg));
            }
            let _ = write!(out, ") {} ", literals[*value].text);
        }
        out.push_str(&literals[self.default].text);
        out.extend(std::iter::repeat_n(')', self.entries.len() + 1));
        out.push('\n');
    }
}
