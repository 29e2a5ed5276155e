//! `oracle`: decides which solver is wrong, with evidence.
//!
//! In: a case and the replies of solvers. Out: a verdict with evidence. The oracle runs no solver: where one more
//! answer would help, it returns the question and which solvers should answer it. It must never accuse without
//! evidence, and never call a solver unsound because of an under-specified operator, an unsupported feature or a script
//! that solvers interpret differently.
//!
//! A [`Hearing`] collects questions, replies and facts. The ladder (`ladder.rs`) is a table of rungs, one file each:
//! some establish facts, some accuse, some ask for more. `certify.rs` computes certificates, `question.rs` makes
//! further questions of the same case, `values.rs` compares values with models, `ambiguous.rs` is the filter for scripts whose meaning differs between solvers,
//! `verdict.rs` has the types and words of verdicts.

mod ambiguous;
mod certify;
pub mod dialect;
mod effort;
mod hearing;
mod ladder;
mod pace;
pub mod question;
pub mod rank;
mod rung;
mod subterms;
mod values;
mod verdict;

pub use ambiguous::{Ambiguity, ambiguities};
pub use certify::{Certificate, Given, ModelCheck, check_model, decide, notation};
pub use effort::{Effort, Searched};
pub use hearing::{Ask, Complaint, Heard, Hearing, ProofChecked, Whom};
pub use ladder::{LADDER, Rung, Step};
pub use pace::Pace;
pub use rung::unsat_core::core_names;
pub use subterms::subterms;
pub use values::contradiction;
pub use verdict::{Accusation, Evidence, EvidenceKind, FindingKind, Verdict, severity};
