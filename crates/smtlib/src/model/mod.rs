//! Models as solvers print them: what a model says about every symbol of a script.
//!
//! Text of a solver and a script come in; a `Model` comes out: one definition per declared function, as a typed
//! term over the script's own pool, which the evaluator then evaluates. Functions that exist only in the model
//! (z3's `k!0`) become defined functions of the pool, elements of a sort's universe become abstract literals,
//! so the evaluator needs no special case for either.
//!
//! It must never guess: a body of the wrong sort or a name that nobody declared is an error with a place, and
//! what is skipped is noted.

use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{DeclId, TermId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// What a model says about one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub vars: Vec<(Symbol, SortId)>,
    pub body: TermId,
}

/// A model of a script.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The functions that the script declares.
    pub functions: HashMap<DeclId, Definition, FxBuildHasher>,
    /// What a solver chose where an operator is under-specified, under the solver's own name for it (`/0`,
    /// `div0`, `seq.nth_u`, …), in the order of the text.
    pub under: Vec<(String, Definition)>,
    /// The elements of declared sorts, where the model lists them all, as `Lit::Abstract` terms.
    pub universe: HashMap<SortId, Vec<TermId>, FxBuildHasher>,
    /// What was skipped, and why.
    pub notes: Vec<String>,
}
