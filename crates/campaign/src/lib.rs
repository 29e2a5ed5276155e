//! `campaign`: from the first unit of work to the last event.
//!
//! One dispatcher owns state and speech; workers only take units and send results. In: an [`Assignment`] (seeds,
//! strategies, solvers, how to ask) and a [`Budget`]. Out: the campaign folder and a stream of events, to which the
//! screen, `--json` and whoever else wants to know listen. This crate must never print, and never parse flags.
//!
//! `assignment` is what to do; `schedule` and `turns` choose the next unit; `unit` does one: make cases, ask, judge,
//! confirm; `queue` is triage beside the hunt; `ledger` keeps the folder; `dispatch` holds them together; `listen` is
//! how it speaks. `enumeration` covers a grammar and says what is true afterwards; `evolution` fills a grid of
//! releases and formulas. `spread`, `caught` and `interrupt` are what they all stand on.

pub mod assignment;
mod caught;
mod dispatch;
pub mod enumeration;
mod error;
pub mod evolution;
pub mod interrupt;
mod ledger;
pub mod listen;
pub mod queue;
pub mod schedule;
pub mod spread;
pub mod turns;
pub mod unit;

pub use assignment::{Assignment, Begun, Budget, Mix, Policy};
pub use dispatch::hunt;
pub use error::{Error, Result};
pub use ledger::{Kept, Ledger};
pub use listen::{Ended, Listener};
pub use schedule::Schedule;
