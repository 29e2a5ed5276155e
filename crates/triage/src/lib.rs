//! `triage`: from a suspicion to a bug that a maintainer wants to hear about.
//!
//! `inquiry` puts a case to solvers in the cheapest order that settles it; `confirm` repeats what looks wrong in
//! fresh processes, as a user would run it, before anybody is accused. This crate must never report the same bug
//! twice, and never what it has not seen twice.

pub mod confirm;
pub mod inquiry;

pub use confirm::{Confirmed, confirm};
pub use inquiry::{Inquiry, Panel, Plan, Statement, inquire};
