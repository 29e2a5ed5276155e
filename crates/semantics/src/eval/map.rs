//! Maps: arrays and functions as values; making them canonical, applying them, tabulating bodies.
//!
//! A body that uses its arguments only in equalities is a finite table with a default, however it is written: it is
//! evaluated once with an arbitrary argument, and once for every value that the arbitrary one was compared with. That
//! turns the lambdas and `ite` chains of models into arrays whose equality can be decided. Any other body stays a
//! closure, which can be applied but rarely compared.

use super::equal::{is_plain, mentions_generic};
use super::{Evaluator, Outcome, Unknown};
use crate::value::compound::Shared;
use crate::value::{ArrayValue, Base, Closure, Code, Value};
use smtlib::sort::{Sort, SortId};
use smtlib::symbol::Symbol;
use smtlib::term::{BindersId, DeclId, Kind, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of runs of a body to tabulate it.
const MAX_TABLE: usize = 4096;

/// A body that is being tabulated.
struct Table<'c> {
    closure: &'c Closure,
    index: &'c [SortId],
    points: BTreeMap<Value, Value>,
    runs: usize,
}

impl Evaluator<'_> {
    /// A canonical map with a constant base.
    pub(crate) fn map(
        &mut self,
        index: Arc<[SortId]>,
        base: Value,
        mut exceptions: BTreeMap<Value, Value>,
    ) -> Value {
        exceptions.retain(|_, value| *value != base);
        self.settle(index, base, exceptions)
    }

    /// Chooses the base of a map whose exceptions differ from it: over a finite index space, the most frequent value.
    fn settle(
        &mut self,
        index: Arc<[SortId]>,
        mut base: Value,
        mut exceptions: BTreeMap<Value, Value>,
    ) -> Value {
        if !exceptions.is_empty()
            && let Some(count) = self.count_keys(&index)
            && exceptions.len() as u64 * 2 >= count
            && let Some(keys) = self.keys(&index)
        {
            // The budget is not checked here; the next step checks it.
            let _ = self.budget.spend(keys.len() as u64);
            let mut often: BTreeMap<&Value, u64> = BTreeMap::new();
            for value in exceptions.values() {
                *often.entry(value).or_default() += 1;
            }
            let rest = count.saturating_sub(exceptions.len() as u64);
            if rest > 0 {
                often.insert(&base, rest);
            }
            let most = often.values().copied().max().unwrap_or(0);
            let chosen = often.iter().find(|(_, n)| **n == most).map(|(value, _)| (*value).clone());
            if let Some(chosen) = chosen.filter(|chosen| *chosen != base) {
                let old = std::mem::take(&mut exceptions);
                for key in keys.iter() {
                    let value = old.get(key).unwrap_or(&base);
                    if *value != chosen {
                        exceptions.insert(key.clone(), value.clone());
                    }
                }
                base = chosen;
            }
        }
        let canonical = self.is_sized(&index);
        Value::array(ArrayValue { index, base: Base::Constant(base), exceptions, canonical })
    }

    /// The map with the value at one key changed.
    pub(crate) fn store(&mut self, array: &Shared<ArrayValue>, key: Value, value: Value) -> Outcome {
        if !is_plain(&key) {
            return Err(Unknown::Function);
        }
        let mut changed = ArrayValue::clone(array);
        let Base::Constant(base) = &changed.base else {
            changed.exceptions.insert(key, value);
            return Ok(Value::array(changed));
        };
        if *base == value {
            changed.exceptions.remove(&key);
        } else {
            changed.exceptions.insert(key, value);
        }
        let base = base.clone();
        Ok(self.settle(changed.index, base, changed.exceptions))
    }

    /// Applies a function or reads an array.
    pub(crate) fn apply_value(&mut self, function: &Value, args: Vec<Value>) -> Outcome {
        self.budget.spend(1)?;
        match function {
            Value::Array(array) => self.apply_map(array, args),
            // z3 treats a set as a map to Bool.
            Value::Set(set) => match args.as_slice() {
                [key] if is_plain(key) => Ok(Value::Bool(set.contains(key))),
                _ => Err(Unknown::Generic),
            },
            _ => Err(Unknown::Generic),
        }
    }

    fn apply_map(&mut self, array: &Shared<ArrayValue>, mut args: Vec<Value>) -> Outcome {
        let arity = array.index.len();
        if args.len() < arity {
            return self.apply_partially(array, args);
        }
        let rest = args.split_off(arity);
        let key = if arity == 1 { args.swap_remove(0) } else { Value::tuple(args) };
        let value = self.read(array, &key)?;
        if rest.is_empty() { Ok(value) } else { self.nested(|eval| eval.apply_value(&value, rest)) }
    }

    fn apply_partially(&mut self, array: &Shared<ArrayValue>, args: Vec<Value>) -> Outcome {
        let index: Arc<[SortId]> = array.index[args.len()..].into();
        let mut exceptions = BTreeMap::new();
        for (key, value) in &array.exceptions {
            let Value::Tuple(keys) = key else { return Err(Unknown::Function) };
            if !args.iter().all(is_plain) {
                return Err(Unknown::Function);
            }
            if keys.starts_with(&args) {
                let rest = &keys[args.len()..];
                let rest = if let [only] = rest { only.clone() } else { Value::tuple(rest) };
                exceptions.insert(rest, value.clone());
            }
        }
        match &array.base {
            Base::Constant(base) => Ok(self.map(index, base.clone(), exceptions)),
            Base::Closure(closure) => {
                let mut closure = closure.clone();
                closure.given.extend(args);
                let closure =
                    ArrayValue { index, base: Base::Closure(closure), exceptions, canonical: false };
                Ok(self.tabulated(closure))
            }
        }
    }

    /// The value of a map at a key (a tuple if it has several indices).
    pub(super) fn at_key(&mut self, map: &Value, key: &Value) -> Outcome {
        match map {
            Value::Array(array) => self.read(array, key),
            Value::Set(set) => Ok(Value::Bool(set.contains(key))),
            _ => Err(Unknown::Generic),
        }
    }

    fn read(&mut self, array: &ArrayValue, key: &Value) -> Outcome {
        if !array.exceptions.is_empty() {
            if is_plain(key) {
                if let Some(value) = array.exceptions.get(key) {
                    return Ok(value.clone());
                }
            } else {
                for (other, value) in &array.exceptions {
                    if self.same(key, other)? {
                        return Ok(value.clone());
                    }
                }
            }
        }
        match &array.base {
            Base::Constant(base) => Ok(base.clone()),
            Base::Closure(closure) => {
                let args: Vec<Value> = match key {
                    Value::Tuple(keys) if array.index.len() > 1 => keys.to_vec(),
                    _ => vec![key.clone()],
                };
                self.nested(|eval| eval.run_closure(closure, args))
            }
        }
    }

    fn run_closure(&mut self, closure: &Closure, args: Vec<Value>) -> Outcome {
        let mut all = closure.given.clone();
        all.extend(args);
        match &closure.code {
            Code::Function(decl) => self.call(*decl, all, self.pool.decl(*decl).result),
            Code::Operator { op, indices, result } => self.operate(*op, *indices, *result, &all),
            Code::Lambda { binders, body, captured } => {
                let vars = self.pool.binder_list(*binders);
                self.enter();
                for (name, value) in captured.iter() {
                    self.bind(*name, Ok(value.clone()));
                }
                for (&(name, _), value) in vars.iter().zip(all) {
                    self.bind(name, Ok(value));
                }
                let outcome = self.run(*body);
                self.leave(captured.len() + vars.len(), false);
                outcome
            }
        }
    }

    // Making functions.

    /// A lambda under the current bindings.
    pub(super) fn lambda(&mut self, binders: BindersId, body: TermId) -> Outcome {
        let vars = self.pool.binder_list(binders);
        let mut captured = vec![];
        for &name in self.names_in(body).iter() {
            if vars.iter().any(|(var, _)| *var == name) {
                continue;
            }
            if let Some(value) = self.lookup(name) {
                captured.push((name, value.clone()?));
            }
        }
        let index: Arc<[SortId]> = vars.iter().map(|&(_, sort)| sort).collect();
        let code = Code::Lambda { binders, body, captured: captured.into() };
        let closure = Closure { code, given: vec![] };
        let (base, exceptions) = (Base::Closure(closure), BTreeMap::new());
        Ok(self.tabulated(ArrayValue { index, base, exceptions, canonical: false }))
    }

    /// A function of the script as a value, with some arguments given.
    pub(super) fn function_value(&mut self, decl: DeclId, given: Vec<Value>, sort: SortId) -> Outcome {
        let params = &self.pool.decl(decl).params;
        let index: Arc<[SortId]> = params.get(given.len()..).ok_or(Unknown::NoValue(sort))?.into();
        let closure = Closure { code: Code::Function(decl), given };
        let (base, exceptions) = (Base::Closure(closure), BTreeMap::new());
        Ok(self.tabulated(ArrayValue { index, base, exceptions, canonical: false }))
    }

    /// The names of all variables in a term.
    fn names_in(&mut self, term: TermId) -> Arc<[Symbol]> {
        if let Some(known) = self.captures.get(&term) {
            return known.clone();
        }
        let mut names = vec![];
        let mut seen = hashbrown::HashSet::new();
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            if let Kind::Var(name) = self.pool.kind(term) {
                names.push(name);
            }
            let args = self.pool.args(term).iter().copied();
            let open = |arg: &TermId| self.facts[arg.0 as usize] & super::HAS_VARIABLE != 0;
            waiting.extend(args.filter(|arg| open(arg) && seen.insert(*arg)));
        }
        names.sort_unstable();
        names.dedup();
        let names: Arc<[Symbol]> = names.into();
        self.captures.insert(term, names.clone());
        names
    }

    // Tables from bodies.

    /// The map as a table if its body allows that, else unchanged.
    fn tabulated(&mut self, map: ArrayValue) -> Value {
        let value = Value::array(map);
        let Value::Array(map) = &value else { return value };
        let Base::Closure(closure) = &map.base else { return value };
        if !map.exceptions.is_empty() || mentions_generic(&value) {
            return value;
        }
        let table = self.nested(|eval| {
            if eval.count_keys(&map.index).is_some_and(|n| n <= 256) {
                eval.tabulate_all(closure, &map.index)
            } else {
                eval.tabulate_by_equality(closure, &map.index)
            }
        });
        table.unwrap_or(value)
    }

    fn tabulate_all(&mut self, closure: &Closure, index: &Arc<[SortId]>) -> Outcome {
        let keys = self.keys(index).ok_or(Unknown::TooLarge)?;
        let mut table = BTreeMap::new();
        for key in keys.iter() {
            let args = match key {
                Value::Tuple(keys) if index.len() > 1 => keys.to_vec(),
                _ => vec![key.clone()],
            };
            table.insert(key.clone(), self.run_closure(closure, args)?);
        }
        let base = table.values().next().cloned().ok_or(Unknown::TooLarge)?;
        Ok(self.map(index.clone(), base, table))
    }

    fn tabulate_by_equality(&mut self, closure: &Closure, index: &Arc<[SortId]>) -> Outcome {
        let mut table = Table { closure, index, points: BTreeMap::new(), runs: 0 };
        let base = self.tabulate_line(&mut table, &mut vec![None; index.len()])?;
        let points = table.points;
        Ok(self.map(index.clone(), base, points))
    }

    /// Runs the body with arbitrary values for the indices that are not fixed, then once for each value that one of
    /// them was compared with. Returns the value outside those places; lines through them must have the same value
    /// there.
    fn tabulate_line(
        &mut self,
        table: &mut Table<'_>,
        fixed: &mut Vec<Option<Value>>,
    ) -> Result<Value, Unknown> {
        table.runs += 1;
        if table.runs > MAX_TABLE {
            return Err(Unknown::TooLarge);
        }
        let mut generics = vec![];
        let mut args = vec![];
        for (n, value) in fixed.iter().enumerate() {
            args.push(match value {
                Some(value) => value.clone(),
                None => {
                    generics.push((n, self.new_generic()));
                    Value::Generic(self.generics.len() as u32 - 1)
                }
            });
        }
        let value = self.run_closure(table.closure, args);
        let mut special = vec![];
        for &(n, generic) in &generics {
            let mut met: Vec<Value> =
                std::mem::take(&mut self.generics[generic as usize]).into_iter().collect();
            met.sort();
            let size = self.size(table.index[n]);
            if met.iter().any(mentions_generic) || size.is_some_and(|size| met.len() as u64 >= size) {
                return Err(Unknown::Function);
            }
            special.push((n, met));
        }
        let value = value?;
        if mentions_generic(&value) {
            return Err(Unknown::Generic);
        }
        if generics.is_empty() {
            let mut keys: Vec<Value> = fixed.iter().flatten().cloned().collect();
            let key = if keys.len() == 1 { keys.swap_remove(0) } else { Value::tuple(keys) };
            table.points.insert(key, value.clone());
            return Ok(value);
        }
        for (n, met) in special {
            for place in met {
                fixed[n] = Some(place);
                let there = self.tabulate_line(table, fixed);
                fixed[n] = None;
                let there = there?;
                if generics.len() > 1 && there != value {
                    // The exceptions form a whole line.
                    return Err(Unknown::Function);
                }
            }
        }
        Ok(value)
    }

    pub(super) fn new_generic(&mut self) -> u32 {
        self.generics.push(hashbrown::HashSet::default());
        self.generics.len() as u32 - 1
    }

    // Functions by name.

    /// The function that an index names, such as the `f` of `(_ map f)`, given its number of arguments and its result
    /// sort.
    pub(super) fn indexed_function(
        &mut self,
        index: smtlib::term::Index,
        count: usize,
        result: SortId,
    ) -> Result<Code, Unknown> {
        use smtlib::term::{Index, IndicesId};
        let text = match index {
            Index::Fun(decl) => return Ok(Code::Function(decl)),
            Index::Op(op) => return Ok(Code::Operator { op, indices: IndicesId::NONE, result }),
            Index::Text(text) => text,
            Index::Num(_) => return Err(Unknown::Function),
        };
        let bytes = self.pool.bytes(text);
        let name = match bytes.strip_prefix(b"(") {
            Some(inner) => {
                let inner = inner.trim_ascii_start();
                let end = inner.iter().position(|b| b.is_ascii_whitespace() || *b == b'(');
                &inner[..end.unwrap_or(inner.len())]
            }
            None => bytes,
        };
        let symbol = self.pool.symbols.find(name);
        match symbol.map(|s| self.declared_as(s)).unwrap_or_default()[..] {
            [] => {}
            [decl] => {
                let declared = self.pool.decl(decl);
                let fits = declared.params.len() == count && declared.result == result;
                return if fits { Ok(Code::Function(decl)) } else { Err(Unknown::Function) };
            }
            // Overloaded, or declared again after a pop: the index does not determine which function is meant.
            _ => return Err(Unknown::Function),
        }
        let rows = smtlib::theory::lookup(name).ok_or(Unknown::Function)?;
        let fits = |op: smtlib::theory::OpId| {
            let row = op.row();
            row.takes(count) && row.indices.is_empty() && self.result_fits(&row.result, result)
        };
        let found = rows.iter().find(|(op, _)| fits(*op)).ok_or(Unknown::Function)?;
        Ok(Code::Operator { op: found.0, indices: IndicesId::NONE, result })
    }

    fn result_fits(&self, pattern: &smtlib::theory::Pat, sort: SortId) -> bool {
        use smtlib::theory::Pat;
        match pattern {
            Pat::Bool => sort == SortId::BOOL,
            Pat::Int => sort == SortId::INT,
            Pat::Real => sort == SortId::REAL,
            Pat::String => sort == SortId::STRING,
            Pat::RegLan => sort == SortId::REGLAN,
            Pat::BitVec(_) => matches!(self.pool.sort(sort), Sort::BitVec(_)),
            Pat::Float(..) => matches!(self.pool.sort(sort), Sort::Float { .. }),
            _ => true,
        }
    }

    /// The functions with this name that belong to the script or to this model, latest first.
    pub(super) fn declared_as(&mut self, name: Symbol) -> Vec<DeclId> {
        let (pool, own) = (self.pool, &self.model.auxiliary);
        let table = self.by_name.get_or_insert_with(|| {
            let mut table: hashbrown::HashMap<Symbol, Vec<DeclId>, rustc_hash::FxBuildHasher> =
                hashbrown::HashMap::default();
            for (n, decl) in pool.decls.iter().enumerate().rev() {
                let id = DeclId(n as u32);
                if !decl.of_model || own.contains(&id) {
                    table.entry(decl.name).or_default().push(id);
                }
            }
            table
        });
        table.get(&name).cloned().unwrap_or_default()
    }

    /// Applies a function named by an index.
    pub(super) fn apply_code(&mut self, code: &Code, args: Vec<Value>) -> Outcome {
        self.nested(|eval| eval.run_closure(&Closure { code: code.clone(), given: vec![] }, args))
    }
}
