//! `semantics`: the exact meaning of formulas, without a solver.
//!
//! In: typed terms of `smtlib`. Out: values, models read from solvers' output, the truth of assertions, and exact
//! verdicts on small domains. This crate never does I/O, never starts a process and never uses randomness, and
//! everything in it runs within explicit limits: "too much work" is an ordinary answer.

pub mod arithmetic;
pub mod brute;
pub mod budget;
pub mod eval;
pub mod finder;
pub mod model;
pub mod refute;
pub mod value;

pub use budget::{Budget, Exhausted};
