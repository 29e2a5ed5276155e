//! Values as SMT-LIB text, as evidence that a user or a solver can read.
//!
//! In: a value, its sort and the pool with the names. Out: a term. If the standard has no notation for the sort, that
//! of the solver that has the sort is used. Pending pieces are kept on the heap, so lists of any length can be
//! printed. The few values that have no term at all (a real known only by an enclosure), and those whose text would be
//! too long to read, are shown as text that no solver accepts.

use super::{ArrayValue, Base, Closure, Code, Value};
use smtlib::printer::sort_text;
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::write_name;
use smtlib::term::Pool;
use std::fmt::Write;

/// Maximum length of the text of a value, in bytes.
const MAX_TEXT: usize = 1 << 24;

/// The maximal length of a value in a model of our own, and of such a model, in bytes. A longer one is no evidence that
/// anybody reads, and writing and reading it again would be work that no budget counts.
const LONGEST_IN_MODEL: usize = 1 << 18;
pub(crate) const LONGEST_MODEL: usize = 1 << 21;

/// The value as a term. A value of few nodes can have a text of any length, because its nodes are shared.
pub fn value_text(pool: &Pool, sort: SortId, value: &Value) -> String {
    let text = text_within(pool, sort, value, MAX_TEXT);
    text.unwrap_or_else(|| format!("(too long to print: {} parts)", value.weight()))
}

/// The value as a term, if it is short enough to be a part of a model.
pub(crate) fn model_text(pool: &Pool, sort: SortId, value: &Value) -> Option<String> {
    text_within(pool, sort, value, LONGEST_IN_MODEL)
}

fn text_within(pool: &Pool, sort: SortId, value: &Value, most: usize) -> Option<String> {
    // Every part has at least one character.
    if value.weight() > most as u64 {
        return None;
    }
    let mut shower = Shower { pool, out: String::new(), pieces: vec![Piece::Value(value, Some(sort))] };
    while let Some(piece) = shower.pieces.pop() {
        if shower.out.len() > most {
            return None;
        }
        match piece {
            Piece::Text(text) => shower.out.push_str(text),
            Piece::Owned(text) => shower.out.push_str(&text),
            Piece::Value(value, sort) => shower.value(value, sort),
        }
    }
    Some(shower.out)
}

enum Piece<'v> {
    Text(&'static str),
    Owned(String),
    Value(&'v Value, Option<SortId>),
}

struct Shower<'p, 'v> {
    pool: &'p Pool,
    out: String,
    pieces: Vec<Piece<'v>>,
}

impl<'v> Shower<'_, 'v> {
    fn sort_text(&self, sort: Option<SortId>) -> String {
        sort.map_or_else(|| "?".to_owned(), |sort| sort_text(self.pool, sort))
    }

    fn name(&self, symbol: smtlib::symbol::Symbol) -> String {
        let mut bytes = vec![];
        write_name(&mut bytes, self.pool.bytes(symbol));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn show(&mut self, what: impl std::fmt::Display) {
        let _ = write!(self.out, "{what}");
    }

    fn element(&self, sort: Option<SortId>) -> Option<SortId> {
        match self.pool.sort(sort?) {
            Sort::Seq(e) | Sort::Set(e) | Sort::FiniteSet(e) | Sort::Bag(e) | Sort::Nullable(e) => Some(*e),
            Sort::Array(_, e) => Some(*e),
            Sort::MultiArray(sorts) | Sort::Fun(sorts) => sorts.last().copied(),
            _ => None,
        }
    }

    fn value(&mut self, value: &'v Value, sort: Option<SortId>) {
        let is_scalar = value.node().is_none();
        match value {
            _ if is_scalar && value.weight() > MAX_TEXT as u64 / 8 => {
                self.show(format_args!("(too long to print: {} parts)", value.weight()));
            }
            Value::Bool(b) => self.show(b),
            Value::Int(n) => self.show(n.smt()),
            Value::Real(r) => self.show(r.smt()),
            Value::Enclosed(e) => match e.enclose(64) {
                Ok(interval) => self.show(format_args!("(about {:.17})", interval.lo().to_f64())),
                Err(why) => self.show(format_args!("({why})")),
            },
            Value::BitVec(b) => match b.to_hexadecimal() {
                Some(text) => self.show(text),
                None => self.show(b),
            },
            Value::Float(f) => self.show(f),
            Value::RoundingMode(mode) => self.show(mode.short()),
            Value::String(text) => self.show(text),
            Value::RegLan(regex) => self.show(regex),
            Value::Char(code) => self.show(format_args!("(_ Char {code})")),
            Value::Field(pair) => {
                let sort = self.sort_text(sort);
                self.show(format_args!("(as ff{} {sort})", pair.0));
            }
            Value::Abstract { sort, name } => {
                let sort = self.sort_text(Some(*sort));
                let name = if (name.0 as usize) < self.pool.symbols.len() {
                    self.name(*name)
                } else {
                    "@default".into()
                };
                self.show(format_args!("(as {name} {sort})"));
            }
            Value::Generic(n) => self.show(format_args!("?{n}")),
            _ => self.compound(value, sort),
        }
    }

    fn compound(&mut self, value: &'v Value, sort: Option<SortId>) {
        let element = self.element(sort);
        match value {
            Value::Array(array) => self.array(array, sort),
            Value::Seq(parts) => {
                let items = parts.iter().map(|p| vec![("(seq.unit ", p, element)]).collect();
                self.joined("seq.empty", "(seq.++ ", items, sort);
            }
            Value::Set(parts) => {
                let items = parts.iter().map(|p| vec![("(set.singleton ", p, element)]).collect();
                self.joined("set.empty", "(set.union ", items, sort);
            }
            Value::Bag(parts) => self.bag(parts, sort),
            Value::Datatype(data) => self.datatype(data, sort),
            Value::Tuple(parts) if parts.is_empty() => self.show("tuple.unit"),
            Value::Tuple(parts) => {
                let sorts: Vec<Option<SortId>> = match sort.map(|s| self.pool.sort(s)) {
                    Some(Sort::Tuple(sorts)) => sorts.iter().map(|&s| Some(s)).collect(),
                    _ => vec![None; parts.len()],
                };
                self.show("(tuple");
                self.arguments(parts, &sorts);
            }
            Value::Nullable(None) => {
                let sort = self.sort_text(sort);
                self.show(format_args!("(as nullable.null {sort})"));
            }
            Value::Nullable(Some(inner)) => {
                self.show("(nullable.some ");
                self.pieces.push(Piece::Text(")"));
                self.pieces.push(Piece::Value(inner, element));
            }
            _ => {}
        }
    }

    /// ` a b c)`
    fn arguments(&mut self, values: &'v [Value], sorts: &[Option<SortId>]) {
        self.pieces.push(Piece::Text(")"));
        for (n, value) in values.iter().enumerate().rev() {
            self.pieces.push(Piece::Value(value, sorts.get(n).copied().flatten()));
            self.pieces.push(Piece::Text(" "));
        }
    }

    fn joined(
        &mut self,
        empty: &'static str,
        join: &'static str,
        items: Vec<Vec<(&'static str, &'v Value, Option<SortId>)>>,
        sort: Option<SortId>,
    ) {
        if items.is_empty() {
            let sort = self.sort_text(sort);
            return self.show(format_args!("(as {empty} {sort})"));
        }
        let many = items.len() > 1;
        if many {
            self.show(join);
            self.pieces.push(Piece::Text(")"));
        }
        for (n, item) in items.into_iter().enumerate().rev() {
            self.pieces.push(Piece::Text(")"));
            for (text, value, sort) in item.into_iter().rev() {
                self.pieces.push(Piece::Value(value, sort));
                self.pieces.push(Piece::Text(text));
            }
            if n > 0 {
                self.pieces.push(Piece::Text(" "));
            }
        }
    }

    fn bag(&mut self, parts: &'v std::collections::BTreeMap<Value, super::int::Int>, sort: Option<SortId>) {
        let element = self.element(sort);
        if parts.is_empty() {
            let sort = self.sort_text(sort);
            return self.show(format_args!("(as bag.empty {sort})"));
        }
        if parts.len() > 1 {
            self.show("(bag.union_disjoint ");
            self.pieces.push(Piece::Text(")"));
        }
        for (n, (value, count)) in parts.iter().enumerate().rev() {
            self.pieces.push(Piece::Owned(format!(" {})", count.smt())));
            self.pieces.push(Piece::Value(value, element));
            self.pieces.push(Piece::Text(if n > 0 { " (bag " } else { "(bag " }));
        }
    }

    fn datatype(&mut self, data: &'v super::DatatypeValue, sort: Option<SortId>) {
        let pool = self.pool;
        let decl = pool.decl(data.constructor());
        let name = self.name(decl.name);
        if data.args().is_empty() {
            if decl.sort_params.is_empty() {
                return self.show(name);
            }
            let sort = self.sort_text(sort);
            return self.show(format_args!("(as {name} {sort})"));
        }
        let to = match sort.map(|s| pool.sort(s)) {
            Some(Sort::Declared(_, args)) => args.clone(),
            _ => Box::default(),
        };
        let sorts: Vec<_> =
            decl.params.iter().map(|&param| pool.instance(param, &decl.sort_params, &to)).collect();
        self.show(format_args!("({name}"));
        self.arguments(data.args(), &sorts);
    }

    fn array(&mut self, array: &'v ArrayValue, sort: Option<SortId>) {
        let element = self.element(sort);
        let is_function = matches!(sort.map(|s| self.pool.sort(s)), Some(Sort::Fun(_)));
        match &array.base {
            Base::Constant(base) if !is_function => {
                for _ in &array.exceptions {
                    self.show("(store ");
                }
                self.stores(array, element);
                let sort = self.sort_text(sort);
                self.show(format_args!("((as const {sort}) "));
                self.pieces.push(Piece::Text(")"));
                self.pieces.push(Piece::Value(base, element));
            }
            Base::Constant(base) => self.function(array, base, element),
            Base::Closure(closure) => {
                for _ in &array.exceptions {
                    self.show("(store ");
                }
                self.stores(array, element);
                self.closure(closure);
            }
        }
    }

    fn stores(&mut self, array: &'v ArrayValue, element: Option<SortId>) {
        for (key, value) in array.exceptions.iter().rev() {
            self.pieces.push(Piece::Text(")"));
            self.pieces.push(Piece::Value(value, element));
            match key {
                Value::Tuple(keys) if array.index.len() > 1 => {
                    for (n, key) in keys.iter().enumerate().rev() {
                        self.pieces.push(Piece::Text(" "));
                        self.pieces.push(Piece::Value(key, array.index.get(n).copied()));
                    }
                }
                _ => {
                    self.pieces.push(Piece::Text(" "));
                    self.pieces.push(Piece::Value(key, array.index.first().copied()));
                }
            }
            self.pieces.push(Piece::Text(" "));
        }
    }

    /// A function as a lambda with one test per exception.
    fn function(&mut self, array: &'v ArrayValue, base: &'v Value, element: Option<SortId>) {
        self.show("(lambda (");
        for (n, &sort) in array.index.iter().enumerate() {
            let sort = self.sort_text(Some(sort));
            self.show(format_args!("{}(x{n} {sort})", if n > 0 { " " } else { "" }));
        }
        self.show(") ");
        self.pieces.push(Piece::Text(")"));
        for _ in &array.exceptions {
            self.pieces.push(Piece::Text(")"));
        }
        self.pieces.push(Piece::Value(base, element));
        for (key, value) in array.exceptions.iter().rev() {
            self.pieces.push(Piece::Text(" "));
            self.pieces.push(Piece::Value(value, element));
            let keys: &[Value] = match key {
                Value::Tuple(keys) if array.index.len() > 1 => keys,
                _ => std::slice::from_ref(key),
            };
            let many = keys.len() > 1;
            self.pieces.push(Piece::Text(if many { ") " } else { " " }));
            for (n, key) in keys.iter().enumerate().rev() {
                self.pieces.push(Piece::Text(")"));
                self.pieces.push(Piece::Value(key, array.index.get(n).copied()));
                self.pieces.push(Piece::Owned(format!(" (= x{n} ")));
            }
            self.pieces.push(Piece::Text(if many { "(ite (and" } else { "(ite" }));
        }
    }

    fn closure(&mut self, closure: &Closure) {
        let given = closure.given.len();
        let text = match &closure.code {
            Code::Lambda { binders, body, .. } => {
                let vars: Vec<String> = self
                    .pool
                    .binder_list(*binders)
                    .iter()
                    .map(|&(name, sort)| format!("({} {})", self.name(name), sort_text(self.pool, sort)))
                    .collect();
                format!("(lambda ({}) {})", vars.join(" "), smtlib::printer::term_text(self.pool, *body))
            }
            Code::Function(decl) => self.name(self.pool.decl(*decl).name),
            Code::Operator { op, .. } => op.row().name.to_owned(),
        };
        self.show(text);
        if given > 0 {
            self.show(format_args!(" ; with {given} arguments given"));
        }
    }
}
