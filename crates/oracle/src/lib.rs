//! `oracle`: who is wrong, and why that is certain.
//!
//! A case and the answers of solvers come in; a verdict with evidence goes out. The oracle asks nobody: it is a
//! pure function, and where more answers would help it says which question to put (`question.rs`). It must never
//! accuse without evidence, and never call unsound what rests on an under-specified operator, an unsupported
//! feature or a script that solvers read differently.
//!
//! The ladder, strongest evidence first: a model that our evaluator confirms (`certify.rs`), exact enumeration of
//! a small space, a by-construction expectation, a solver that contradicts itself, a majority. `ambiguous.rs` is
//! the filter for scripts whose meaning differs between solvers; `judge.rs` climbs the ladder.

mod ambiguous;
mod certify;
mod judge;
pub mod question;
mod verdict;

pub use ambiguous::{Ambiguity, ambiguities};
pub use certify::{Certificate, ModelCheck, check_model, decide, notation};
pub use judge::{Config, Judge, OWN_CONTRADICTION, Opinion};
pub use verdict::{Evidence, EvidenceKind, Finding, Kind, Verdict, severity};
