//! The rungs of the ladder, one file each: what it examines, what it takes as evidence, why that is right.

pub mod alone;
pub mod answer;
pub mod arithmetic;
pub mod closed;
pub mod construction;
pub mod crash;
pub mod dialect;
pub mod enumeration;
pub mod finder;
pub mod implication;
pub mod interpolant;
pub mod invalid_model;
pub mod model;
pub mod proof;
pub mod readings;
pub mod refutation;
pub mod regression;
pub mod rejects;
pub mod relation;
pub mod self_check;
pub mod single;
pub mod slow;
pub mod unsat_assumptions;
pub mod unsat_core;
pub mod value;
pub mod vote;
