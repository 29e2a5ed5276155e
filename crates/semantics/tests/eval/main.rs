//! The evaluator against hand-computed values, theory by theory, and its behaviour on depth, sharing, quantifiers
//! and open points.

#![allow(clippy::unwrap_used, reason = "a test")]

mod arrays;
mod borders;
mod models;
mod operators;
mod points;
mod quantifiers;
mod structure;

use semantics::eval::{Evaluator, Outcome, Report, Unknown};
use semantics::model::{Definition, Model};
use semantics::value::Value;
use semantics::value::show::value_text;
use smtlib::parser::parse_term;
use smtlib::term::{DeclId, Kind, Lit, TermId};
use smtlib::{Script, SortId};

/// A script with a model under construction.
pub struct World {
    pub script: Script,
    pub model: Model,
}

impl World {
    pub fn new(source: &str) -> World {
        let script = Script::parse(source.as_bytes())
            .unwrap_or_else(|e| panic!("{}", e.render("test", source.as_bytes())));
        World { script, model: Model::default() }
    }

    pub fn term(&mut self, text: &str) -> TermId {
        parse_term(&mut self.script, text.as_bytes())
            .unwrap_or_else(|e| panic!("{}", e.render("term", text.as_bytes())))
    }

    pub fn decl(&self, name: &str) -> DeclId {
        let pool = &self.script.pool;
        let n = pool.decls.iter().rposition(|decl| pool.name(decl.name) == name);
        DeclId(n.unwrap_or_else(|| panic!("no `{name}`")) as u32)
    }

    /// Defines a constant.
    pub fn set(mut self, name: &str, value: &str) -> World {
        let body = self.term(value);
        let decl = self.decl(name);
        self.model.functions.insert(decl, Definition { vars: vec![], body });
        self
    }

    /// Defines a function by a lambda.
    pub fn define(mut self, name: &str, lambda: &str) -> World {
        let (vars, body) = self.lambda(lambda);
        let decl = self.decl(name);
        self.model.functions.insert(decl, Definition { vars, body });
        self
    }

    /// Defines a solver's helper function by a lambda.
    pub fn under(mut self, name: &str, lambda: &str) -> World {
        let (vars, body) = self.lambda(lambda);
        self.model.under.push((name.to_owned(), Definition { vars, body }));
        self
    }

    fn lambda(&mut self, lambda: &str) -> (Vec<(smtlib::symbol::Symbol, SortId)>, TermId) {
        let term = self.term(lambda);
        let pool = &self.script.pool;
        let Kind::Quant(_, binders) = pool.kind(term) else { panic!("not a lambda: {lambda}") };
        (pool.binder_list(binders).to_vec(), pool.args(term)[0])
    }

    /// Lists all elements of a declared sort.
    pub fn universe(mut self, sort: &str, names: &[&str]) -> World {
        let sort = smtlib::parser::parse_sort(&mut self.script, sort.as_bytes()).unwrap();
        let pool = &mut self.script.pool;
        let elements = names
            .iter()
            .map(|name| {
                let symbol = pool.symbol(name.as_bytes());
                pool.term(Kind::Lit(Lit::Abstract, symbol), sort, &[])
            })
            .collect();
        self.model.universe.insert(sort, elements);
        self
    }

    pub fn eval(&mut self, text: &str) -> Outcome {
        let term = self.term(text);
        Evaluator::new(&self.script.pool, &self.model).eval_term(term)
    }

    /// The value of a term as text, or the reason why it is unknown.
    pub fn show(&mut self, text: &str) -> String {
        let term = self.term(text);
        let pool = &self.script.pool;
        match Evaluator::new(pool, &self.model).eval_term(term) {
            Ok(value) => value_text(pool, pool.sort_of(term), &value),
            Err(reason) => format!("unknown: {reason}"),
        }
    }

    pub fn check(&self) -> Report {
        semantics::eval::check(&self.script, &self.model, 0)
    }
}

pub fn show(term: &str) -> String {
    World::new("").show(term)
}

/// Asserts that each ground term has the value written beside it.
pub fn agree(pairs: &[(&str, &str)]) {
    let wrong: Vec<String> = pairs
        .iter()
        .filter_map(|(term, expected)| {
            let found = show(term);
            (found != *expected).then(|| format!("{term}\n   is {found}\n  not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

pub fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome, Err(Unknown::Open(_)))
}

pub fn truth(outcome: &Outcome) -> Option<bool> {
    outcome.as_ref().ok().and_then(Value::as_bool)
}
