//! `triage`: from a suspicion to a bug that is worth reporting to a maintainer.
//!
//! `inquiry` runs a case on solvers in the cheapest order that settles it; `symptom` is what must show again for it to
//! be the same bug, with `site` for crashes; `confirm` repeats a suspicion in fresh processes, as a user would run it,
//! before a solver is accused; `session` makes a script of what only a long-lived process shows; `reduce` shrinks it
//! while a `goal` (or a `golden` run) holds; `mask` recognises a known bug, and `known` keeps those of a campaign;
//! `signature` identifies it; `bisect` finds the releases that have it; `demonstration` runs the command that a report
//! prints; `slow` measures time over solver seeds; `feature` finds out what a solver lacks; `instep` reduces a formula
//! together with the one that a rule makes of it; `vet` checks a seed before it is used. This crate must never report the
//! same bug twice, and never a bug that it has not seen twice.

pub mod bisect;
pub mod confirm;
pub mod demonstration;
pub mod feature;
pub mod goal;
pub mod golden;
pub mod inquiry;
pub mod instep;
pub mod known;
pub mod mask;
pub mod pair;
pub mod reduce;
pub mod session;
pub mod signature;
pub mod site;
pub mod slow;
pub mod symptom;
pub mod vet;

pub use bisect::{Bisection, bisect, halve};
pub use confirm::{
    Confirmed, Rate, Repetitions, bearing, confirm, confirm_accusations, confirm_suspicion, repeat,
};
pub use demonstration::{Demonstration, demonstrate, mark_with};
pub use goal::{Goal, Pinned};
pub use golden::{Golden, Matching};
pub use inquiry::{Inquiry, Panel, Plan, inquire, inquire_about};
pub use known::{KnownBug, KnownBugs};
pub use mask::CoreOperator;
pub use reduce::{Interesting, Reduced, reduce};
pub use signature::Signature;
pub use site::Site;
pub use symptom::{Sign, Symptom};
pub use vet::{Vetted, vet};
