//! `triage`: from a suspicion to a bug that a maintainer wants to hear about.
//!
//! `inquiry` puts a case to solvers in the cheapest order that settles it; `symptom` is what must show again for it to
//! be the same bug, with `site` for crashes; `confirm` repeats what looks wrong in fresh processes, as a user would run
//! it, before anybody is accused; `session` makes a script of what only a long-lived process shows; `reduce` shrinks it
//! while a `goal` (or a `golden` run) holds; `mask` recognises a known bug; `signature` names it; `bisect` says which
//! releases have it; `vet` asks about a seed before it is used. This crate must never report the same bug twice, and
//! never what it has not seen twice.

pub mod bisect;
pub mod confirm;
pub mod goal;
pub mod golden;
pub mod inquiry;
pub mod mask;
pub mod pair;
pub mod reduce;
pub mod session;
pub mod signature;
pub mod site;
pub mod symptom;
pub mod vet;

pub use bisect::{Bisection, bisect, halve};
pub use confirm::{Confirmed, Rate, Repetitions, bearing, confirm, repeat};
pub use goal::{Goal, Pinned};
pub use golden::{Golden, Matching};
pub use inquiry::{Inquiry, Panel, Plan, inquire};
pub use mask::CoreOperator;
pub use reduce::{Check, Reduced, reduce};
pub use signature::Signature;
pub use site::Site;
pub use symptom::{Sign, Symptom};
pub use vet::{Vetted, vet};
