//! `oracle`: who is wrong, and why that is certain.
//!
//! A case and the replies of solvers come in; a verdict with evidence goes out. The oracle asks nobody: where one more
//! answer would help, it says which question to put to whom. It must never accuse without evidence, and never call
//! unsound what rests on an under-specified operator, an unsupported feature or a script that solvers read
//! differently.
//!
//! A [`Hearing`] collects what is asked, said and certain. The ladder (`ladder.rs`) is a table of rungs, one file
//! each: some establish facts, some accuse, some ask for more. `certify.rs` is the work behind certificates,
//! `question.rs` makes other questions of the same case, `ambiguous.rs` is the filter for scripts whose meaning
//! differs between solvers, `verdict.rs` has the words.

mod ambiguous;
mod certify;
mod effort;
mod hearing;
mod ladder;
pub mod question;
mod rung;
mod verdict;

pub use ambiguous::{Ambiguity, ambiguities};
pub use certify::{Certificate, ModelCheck, check_model, decide, notation};
pub use effort::Effort;
pub use hearing::{Ask, Heard, Hearing, Whom};
pub use ladder::{LADDER, Rung, Step};
pub use rung::unsat_core::core_names;
pub use verdict::{Accusation, Evidence, EvidenceKind, Kind, Verdict, severity};
