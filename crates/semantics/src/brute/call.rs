//! Operations that the evaluator computes: floats, datatypes, wide words, everything that a theory table has.
//!
//! Each call is computed once per distinct arguments and cached. Values of sorts without a machine form are interned
//! and represented by a code; codes are equal exactly if the values are.
//!
//! A call costs far more than a machine operation, so its cost is counted here and taken from the same budget
//! (`spent`). So a formula with few assignments and expensive operations is also limited.

use super::graph::CallId;
use crate::eval::{self, Evaluator, MAX_MEMBERS, Operation, SetForm, Unknown};
use crate::model::Model;
use crate::value::bitvec::BitVec;
use crate::value::float::{Float, Format};
use crate::value::int::Int;
use crate::value::{Base, Value};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smtlib::sort::{Sort, SortId};
use smtlib::term::{DeclId, Pool};

/// An operation with the sorts of its arguments and result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Call {
    pub operation: Operation,
    pub args: Box<[SortId]>,
    pub sort: SortId,
}

/// The result of one application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Code(u64),
    /// The point is under-specified.
    Open,
    /// The value is unknown, or it has no code.
    None,
}

/// The cost of a call in units of [`super::BruteLimits::work`]: for looking up its cached result, and for computing it.
const TO_REMEMBER: u64 = 32;
pub(super) const TO_COMPUTE: u64 = 512;
/// The cost of a value in the list of all values of its sort.
const TO_LIST: u64 = 64;
/// The additional cost of every step of the evaluator.
const PER_STEP: u64 = 16;
/// The number of steps that are always available for literals and the members of small sorts.
const LEAST_STEPS: u64 = 1 << 20;

type Memory = HashMap<Box<[u64]>, Answer, FxBuildHasher>;

pub(super) struct Calls<'p> {
    pool: &'p Pool,
    eval: Evaluator<'p>,
    list: Vec<Call>,
    ids: HashMap<Call, CallId, FxBuildHasher>,
    memory: Vec<Memory>,
    values: Vec<Value>,
    codes: HashMap<Value, u64, FxBuildHasher>,
    /// The limit of the work.
    work: u64,
    spent: u64,
}

impl<'p> Calls<'p> {
    /// Calls with a total limit on their work. The model only defines the elements of declared sorts.
    pub fn new(pool: &'p Pool, universe: &'p Model, work: u64) -> Calls<'p> {
        let limits =
            eval::EvalLimits { steps: (work / PER_STEP).max(LEAST_STEPS), ..eval::EvalLimits::DEFAULT };
        Calls {
            pool,
            eval: Evaluator::with_limits(pool, universe, limits),
            list: vec![],
            ids: HashMap::default(),
            memory: vec![],
            values: vec![],
            codes: HashMap::default(),
            work,
            spent: 0,
        }
    }

    pub fn pool(&self) -> &'p Pool {
        self.pool
    }

    pub fn id(&mut self, call: Call) -> CallId {
        if let Some(&id) = self.ids.get(&call) {
            return id;
        }
        let id = CallId(self.list.len() as u32);
        self.list.push(call.clone());
        self.memory.push(Memory::default());
        self.ids.insert(call, id);
        id
    }

    /// The result of a call on codes.
    pub fn ask(&mut self, id: CallId, codes: &[u64]) -> Answer {
        self.spent += TO_REMEMBER;
        if let Some(&known) = self.memory[id.0 as usize].get(codes) {
            return known;
        }
        self.spent += TO_COMPUTE;
        let call = self.list[id.0 as usize].clone();
        let args: Vec<Value> =
            codes.iter().zip(&call.args).map(|(&code, &sort)| self.value(code, sort)).collect();
        let before = self.eval.steps_left();
        let outcome = self.eval.single(call.operation, call.sort, &args);
        self.spent += (before - self.eval.steps_left()) * PER_STEP;
        let answer = match outcome {
            Ok(value) => self.code(&value, call.sort).map_or(Answer::None, Answer::Code),
            Err(Unknown::Open(_)) => Answer::Open,
            Err(_) => Answer::None,
        };
        self.memory[id.0 as usize].insert(codes.into(), answer);
        answer
    }

    /// The work done since the last call of this function.
    pub fn spent(&mut self) -> u64 {
        std::mem::take(&mut self.spent)
    }

    /// The code of a value, if it has one.
    pub fn code(&mut self, value: &Value, sort: SortId) -> Option<u64> {
        match (self.pool.sort(sort), value) {
            (Sort::Bool, Value::Bool(truth)) => return Some(u64::from(*truth)),
            (Sort::BitVec(width), Value::BitVec(bits)) if *width <= 64 => return bits.to_u64(),
            (Sort::Int, Value::Int(n)) => return n.to_i64().map(|n| n as u64),
            (Sort::Float { eb, sb }, Value::Float(float)) if eb + sb <= 64 => return float.to_word(),
            (Sort::Bool | Sort::Int, _) => return None,
            _ => {}
        }
        if matches!(value, Value::Generic(_) | Value::Enclosed(_)) {
            return None;
        }
        let as_set = self.as_set(value, sort);
        let value = as_set.as_ref().unwrap_or(value);
        if let Some(&code) = self.codes.get(value) {
            return Some(code);
        }
        let code = self.values.len() as u64;
        self.values.push(value.clone());
        self.codes.insert(value.clone(), code);
        Some(code)
    }

    /// A map that represents a set over few elements, as that set: one value must have one code.
    fn as_set(&mut self, value: &Value, sort: SortId) -> Option<Value> {
        let (Sort::Set(element), Value::Array(map)) = (self.pool.sort(sort), value) else { return None };
        if self.eval.set_form() != SetForm::Sets {
            return None;
        }
        let Base::Constant(base) = &map.base else { return None };
        let elements = self.eval.members(*element)?;
        let holds = |element: &&Value| map.exceptions.get(element).unwrap_or(base) == &Value::Bool(true);
        Some(Value::set(elements.iter().filter(holds).cloned().collect()))
    }

    pub fn value(&self, code: u64, sort: SortId) -> Value {
        match self.pool.sort(sort) {
            Sort::Bool => Value::Bool(code != 0),
            Sort::BitVec(width) if *width <= 64 => match BitVec::from_u64(*width, code) {
                Some(bits) => Value::BitVec(bits),
                None => unreachable!("sorts of the pool have widths that exist"),
            },
            Sort::Int => Value::Int(Int::from(code as i64)),
            Sort::Float { .. } if let Some(format) = self.small_format(sort) => {
                Value::Float(Float::from_word(format, code))
            }
            _ => self.values[code as usize].clone(),
        }
    }

    // What the evaluator knows about sorts.

    pub fn size(&mut self, sort: SortId) -> Option<u64> {
        self.eval.size(sort)
    }

    /// The format of floats whose codes are their bits.
    fn small_format(&self, sort: SortId) -> Option<Format> {
        match *self.pool.sort(sort) {
            Sort::Float { eb, sb } if eb + sb <= 64 => Format::new(eb, sb),
            _ => None,
        }
    }

    /// The codes of all values of a sort, if they are few and to list them is not more than all the work.
    pub fn members(&mut self, sort: SortId) -> Option<Vec<u64>> {
        let size = self.eval.size(sort).filter(|&size| size <= MAX_MEMBERS)?;
        let format = self.small_format(sort);
        let cost = if format.is_some() { size } else { size * TO_LIST };
        if cost > self.work {
            return None;
        }
        self.spent += cost;
        if let Some(format) = format {
            return Some(format.words().collect());
        }
        let members = self.eval.members(sort)?;
        members.iter().map(|value| self.code(value, sort)).collect()
    }

    pub fn default(&mut self, sort: SortId) -> Option<u64> {
        let value = self.eval.default_value(sort)?;
        self.code(&value, sort)
    }

    pub fn literal(&mut self, term: smtlib::term::TermId) -> Option<u64> {
        let value = self.eval.single_term(term).ok()?;
        self.code(&value, self.pool.sort_of(term))
    }

    pub fn text(&self, code: u64, sort: SortId) -> Option<String> {
        crate::value::show::model_text(self.pool, sort, &self.value(code, sort))
    }

    /// Whether two values of the sort are equal exactly if their codes are.
    pub fn has_plain_equality(&self, sort: SortId) -> bool {
        self.plain_equality(sort, 0)
    }

    fn plain_equality(&self, sort: SortId, depth: usize) -> bool {
        let plain = |sort: &SortId| self.plain_equality(*sort, depth + 1);
        match self.pool.sort(sort) {
            Sort::Bool
            | Sort::Int
            | Sort::BitVec(_)
            | Sort::Float { .. }
            | Sort::RoundingMode
            | Sort::String
            | Sort::Char
            | Sort::Field(_) => true,
            Sort::Seq(e) | Sort::FiniteSet(e) | Sort::Bag(e) | Sort::Nullable(e) => plain(e),
            Sort::Tuple(sorts) => sorts.iter().all(plain),
            Sort::Declared(..) => {
                let Some((datatype, args)) = self.pool.datatype(sort) else { return true };
                // Fields of a datatype may contain such a value: let the evaluator compare.
                let fields = |c: &DeclId| self.pool.decl(*c).params.to_vec();
                depth < 4
                    && args.iter().all(plain)
                    && datatype
                        .constructors
                        .iter()
                        .all(|c| fields(&c.decl).iter().all(|f| *f == sort || plain(f) || self.is_param(*f)))
            }
            // z3 treats a set as a map.
            Sort::Set(_) => false,
            Sort::Real | Sort::RegLan | Sort::Array(..) | Sort::MultiArray(_) | Sort::Fun(_) => false,
            Sort::Param(_) => false,
        }
    }

    fn is_param(&self, sort: SortId) -> bool {
        matches!(self.pool.sort(sort), Sort::Param(_))
    }
}
