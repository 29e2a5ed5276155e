//! The evaluator: the value of a term in a model.
//!
//! In: a pool of terms and a model. Out: values, or unknown with a reason. The logic is three-valued: an operator with
//! an unknown argument is unknown, but `and`, `or`, `=>` and `ite` are decided as soon as they can be. Every value
//! that is returned holds for all choices at the open points, because every step is monotone. Therefore values of
//! finished terms can be cached, and no verdict depends on a hidden choice.
//!
//! The evaluator must never guess: a limit that is reached, a quantifier that is not exhausted, a function that the
//! model leaves out and a point that the standard leaves open are unknown. `check` then looks for values at the open
//! points that make all assertions true.
//!
//! `machine` runs terms on an explicit stack with `call` and `memory`, `table` binds the rows of the theory tables to
//! functions, `point` keeps the open points, `equal` decides `=`, `domain` has the sizes and members of sorts, `map`
//! makes and applies arrays and functions, `cost` has the cost of operations on large values, `quantifier` and `check`
//! do what their names say; the others are one file per theory.

/// Evaluation functions that need only their arguments: `pure! { name(Variant(x), …) => result }`.
macro_rules! pure {
    ($($name:ident($($variant:ident($x:ident)),+) => $result:expr;)+) => { $(
        fn $name(_: &mut Cx<'_, '_>, args: &[Value]) -> Outcome {
            match args {
                [$(Value::$variant($x)),+] => Ok(Value::from($result)),
                _ => Err(Unknown::Generic),
            }
        }
    )+ };
}

/// As `pure!`, for results that may be unknown: the body has the context `cx` and all arguments `args`.
macro_rules! with_context {
    ($($name:ident($cx:ident, $args:ident, $($variant:ident($x:ident)),+) => $outcome:expr;)+) => { $(
        fn $name($cx: &mut Cx<'_, '_>, $args: &[Value]) -> Outcome {
            match $args {
                [$(Value::$variant($x)),+] => $outcome,
                _ => Err(Unknown::Generic),
            }
        }
    )+ };
}

mod arith;
mod array;
mod bag;
mod bitvec;
mod call;
mod candidates;
pub mod check;
mod cost;
mod datatype;
mod domain;
pub(crate) use candidates::extremes;
pub(crate) use domain::{MAX_MEMBERS, SetForm, set_form};
mod equal;
mod field;
mod float;
mod function;
mod literal;
mod logic;
mod machine;
mod map;
mod memory;
mod order;
mod point;
mod quantifier;
mod relation;
mod seq;
mod set;
mod single;
mod string;
mod table;
mod transcendental;
mod trial;

pub use check::{Assertion, Report, Truth, Verdict, check};
pub use point::{Family, Point, PointId};
pub use single::Operation;
pub use table::{has_function, unevaluated};

use crate::budget::{Budget, Exhausted};
use crate::model::Model;
use crate::value::Value;
use crate::value::regex::RegexPool;
pub(crate) use equal::mentions_stranger;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{DeclId, IndicesId, Kind, Pool, TermId};
use smtlib::theory::OpId;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A value, or why there is none.
pub type Outcome = Result<Value, Unknown>;

/// Why a term has no known value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Unknown {
    #[error("it depends on a point that is left open")]
    Open(PointId),
    #[error("a quantifier ranges over too much")]
    Quantifier,
    #[error("too many steps")]
    Fuel,
    #[error("too much time")]
    Time,
    #[error("nested too deeply")]
    TooDeep,
    #[error("a value is too large")]
    TooLarge,
    #[error("algebraic numbers beyond the limit")]
    TooHard,
    #[error("intervals do not decide it")]
    Undecided,
    #[error("a regular expression needs too many steps")]
    Regex,
    #[error("equality of functions is not decided")]
    Function,
    #[error("it depends on an arbitrary value")]
    Generic,
    #[error("no evaluation for this operator")]
    NotEvaluated(OpId),
    #[error("the result depends on the order of elements")]
    Order,
    #[error("no value of this sort is known")]
    NoValue(SortId),
    #[error("the model gives only an approximation")]
    Opaque(DeclId),
    #[error("infinite values are not evaluated")]
    Coinductive,
    #[error("no order with the chosen pairs was found")]
    NoOrder,
}

impl From<Exhausted> for Unknown {
    fn from(exhausted: Exhausted) -> Unknown {
        match exhausted {
            Exhausted::Steps => Unknown::Fuel,
            Exhausted::Bytes => Unknown::TooLarge,
            Exhausted::Time => Unknown::Time,
        }
    }
}

impl Unknown {
    /// Whether the evaluation as a whole must end.
    fn is_final(self) -> bool {
        matches!(self, Unknown::Fuel | Unknown::Time)
    }

    /// Of two reasons, the one that can be resolved.
    fn or(self, other: Unknown) -> Unknown {
        if matches!(other, Unknown::Open(_)) && !matches!(self, Unknown::Open(_)) { other } else { self }
    }
}

/// Limits for an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct EvalLimits {
    /// Steps of the machine for one assertion.
    pub steps: u64,
    /// Bytes of all values that are made, freed ones included.
    pub bytes: u64,
    /// The time limit for everything that is evaluated together, as a last resort. It is large, because results that
    /// depend on it are not reproducible.
    pub wall: Duration,
    /// Maximum number of instances of one quantifier.
    pub instances: u64,
    /// Maximum number of attempts to fill in open points.
    pub trials: u32,
    /// Maximum number of steps of one question about a regular language.
    pub regex_steps: u64,
}

impl Default for EvalLimits {
    fn default() -> EvalLimits {
        EvalLimits::DEFAULT
    }
}

impl EvalLimits {
    pub const DEFAULT: EvalLimits = EvalLimits {
        steps: 20_000_000,
        bytes: 1 << 30,
        wall: Duration::from_secs(60),
        instances: 1 << 16,
        trials: 400,
        regex_steps: 1_000_000,
    };

    /// A budget for this many assertions, which begins now.
    fn budget(&self, assertions: u64) -> Budget {
        let budget = Budget::new(self.steps.saturating_mul(assertions), self.bytes);
        // Where steps and bytes are limit enough, the clock is not read: that would cost more than a small operation.
        let begin = (self.wall < Duration::MAX).then(Instant::now);
        match begin.and_then(|begin| begin.checked_add(self.wall)) {
            Some(deadline) => budget.with_deadline(deadline),
            None => budget,
        }
    }
}

/// How open points are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filling {
    /// All are unknown.
    None,
    /// Symbols that the model leaves out get a default value; the others are unknown.
    Missing,
    /// As `Missing`; under-specified operators get their value from the model, else a default value.
    All,
    /// Under-specified operators get their value from the model, or the one that was chosen.
    Chosen,
    /// As `Chosen`, with default values for symbols that the model leaves out.
    ChosenAndMissing,
    /// Only what has been chosen, whatever the model says about under-specified operators.
    Free,
}

type TermMap = HashMap<TermId, Outcome, FxBuildHasher>;
type CallMap = HashMap<(DeclId, Box<[Value]>), Outcome, FxBuildHasher>;

/// Evaluates terms of one pool under one model.
pub struct Evaluator<'p> {
    pool: &'p Pool,
    model: &'p Model,
    limits: EvalLimits,
    /// Per term: whether it contains a variable, whether more than one term uses it.
    facts: Vec<u8>,
    /// Where the outcome of a closed term is cached, if it is.
    slots: Vec<u32>,
    kept: Vec<(TermId, Outcome)>,
    calls: CallMap,
    trial_calls: CallMap,
    in_trial: bool,
    trial_floor: usize,
    steps: Vec<machine::Step>,
    values: Vec<Outcome>,
    bindings: Vec<machine::Binding>,
    /// Per symbol: its innermost binding.
    bound: Vec<u32>,
    frames: Vec<TermMap>,
    returns: Vec<(DeclId, Box<[Value]>)>,
    scratch: Vec<Vec<Value>>,
    /// For the term that is evaluated now.
    budget: Budget,
    /// For everything that is evaluated together.
    whole: Budget,
    depth: u32,
    recursion: u32,
    regex: RegexPool,
    points: point::Points,
    filling: Filling,
    /// The values that each arbitrary value has been compared with.
    generics: Vec<HashSet<Value, FxBuildHasher>>,
    sizes: HashMap<SortId, Option<u64>, FxBuildHasher>,
    /// Whether the number of values of a sort is known, or known to be too large to enumerate.
    sized: HashMap<SortId, bool, FxBuildHasher>,
    domains: HashMap<SortId, Option<Arc<[Value]>>, FxBuildHasher>,
    index_sorts: HashMap<SortId, Arc<[SortId]>, FxBuildHasher>,
    captures: HashMap<TermId, Arc<[Symbol]>, FxBuildHasher>,
    by_name: Option<HashMap<Symbol, Vec<DeclId>, FxBuildHasher>>,
    set_form: Option<domain::SetForm>,
    constants: HashMap<SortId, Arc<[Value]>, FxBuildHasher>,
    /// The values that a search gives to symbols; they take precedence over the model.
    assigned: HashMap<DeclId, Value, FxBuildHasher>,
}

/// One application: what an evaluation function can use in addition to its arguments.
pub(crate) struct Cx<'a, 'p> {
    pub eval: &'a mut Evaluator<'p>,
    pub op: OpId,
    pub indices: IndicesId,
    /// The sort of the result.
    pub sort: SortId,
}

const HAS_VARIABLE: u8 = 1;
const SHARED: u8 = 2;
const NO_SLOT: u32 = u32::MAX;

impl<'p> Evaluator<'p> {
    pub fn new(pool: &'p Pool, model: &'p Model) -> Evaluator<'p> {
        Evaluator::with_limits(pool, model, EvalLimits::default())
    }

    pub fn with_limits(pool: &'p Pool, model: &'p Model, limits: EvalLimits) -> Evaluator<'p> {
        Evaluator {
            pool,
            model,
            limits,
            facts: facts(pool),
            slots: vec![NO_SLOT; pool.len()],
            kept: vec![],
            calls: CallMap::default(),
            trial_calls: CallMap::default(),
            in_trial: false,
            trial_floor: 0,
            steps: vec![],
            values: vec![],
            bindings: vec![],
            bound: vec![],
            frames: vec![TermMap::default()],
            returns: vec![],
            scratch: vec![],
            budget: limits.budget(1),
            whole: limits.budget(1),
            depth: 0,
            recursion: 0,
            regex: RegexPool::with_limit(limits.regex_steps),
            points: point::Points::default(),
            filling: Filling::None,
            generics: vec![],
            sizes: HashMap::default(),
            sized: HashMap::default(),
            domains: HashMap::default(),
            index_sorts: HashMap::default(),
            captures: HashMap::default(),
            by_name: None,
            set_form: None,
            constants: HashMap::default(),
            assigned: HashMap::default(),
        }
    }

    /// The value of a closed term. Symbols that the model leaves out have their sort's default value; under-specified
    /// operators have the model's value, else they are open.
    pub fn eval_term(&mut self, term: TermId) -> Outcome {
        self.refill(Filling::Missing);
        self.whole = self.limits.budget(1);
        self.root(term)
    }

    /// The value of a closed term, with no point filled in.
    pub fn eval_open(&mut self, term: TermId) -> Outcome {
        self.refill(Filling::None);
        self.whole = self.limits.budget(1);
        self.root(term)
    }

    pub fn pool(&self) -> &'p Pool {
        self.pool
    }

    /// An open point, for messages.
    pub fn point(&self, id: PointId) -> &Point {
        self.points.get(id)
    }
}

impl Cx<'_, '_> {
    /// The n-th index of the operator, as a number.
    fn index(&self, n: usize) -> Result<u64, Unknown> {
        match self.eval.pool.index_list(self.indices).get(n) {
            Some(smtlib::term::Index::Num(number)) => Ok(*number),
            _ => Err(Unknown::TooLarge),
        }
    }

    fn small_index(&self, n: usize) -> Result<u32, Unknown> {
        u32::try_from(self.index(n)?).map_err(|_| Unknown::TooLarge)
    }

    /// All indices, as numbers.
    fn all_indices(&self) -> Result<Vec<u64>, Unknown> {
        (0..self.eval.pool.index_list(self.indices).len()).map(|n| self.index(n)).collect()
    }

    /// The sort of the result's elements, if it is a collection.
    fn element_sort(&self) -> Option<SortId> {
        use smtlib::sort::Sort;
        match self.eval.pool.sort(self.sort) {
            Sort::Seq(e) | Sort::Set(e) | Sort::FiniteSet(e) | Sort::Bag(e) | Sort::Nullable(e) => Some(*e),
            Sort::Array(_, e) => Some(*e),
            Sort::MultiArray(sorts) | Sort::Fun(sorts) => sorts.last().copied(),
            _ => None,
        }
    }
}

/// Marks terms with variables, and terms that several others use. Arguments come before the terms that use them.
fn facts(pool: &Pool) -> Vec<u8> {
    let mut facts = vec![0u8; pool.len()];
    let mut used = vec![false; pool.len()];
    for n in 0..pool.len() {
        let term = TermId(n as u32);
        let mut own = if matches!(pool.kind(term), Kind::Var(_)) { HAS_VARIABLE } else { 0 };
        for arg in pool.args(term) {
            let arg = arg.0 as usize;
            own |= facts[arg] & HAS_VARIABLE;
            if std::mem::replace(&mut used[arg], true) {
                facts[arg] |= SHARED;
            }
        }
        facts[n] |= own;
    }
    facts
}
