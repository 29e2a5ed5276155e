//! `campaign`: from the first unit of work to the last event.
//!
//! One dispatcher owns the state and emits all events; workers only take units and send results. In: an [`Assignment`]
//! (seeds, strategies, solvers, how to run cases) and a [`Budget`]. Out: the campaign folder and a stream of events, to
//! which the screen, `--json` and other listeners subscribe. This crate must never print, and never parse flags.
//!
//! `assignment` is the task; `course`, `schedule`, `harvest`, `learned` and `turns` choose the next unit, alone or in step with other shards; `unit` does one: make cases, run solvers,
//! judge, confirm; `queue` is triage during the hunt, `triage_only` without one; `ledger` writes the folder; `dispatch` is the loop
//! of every campaign, and `hunt` its user in a hunt; `listen` is the interface of listeners. `enumeration` covers a grammar and states what was covered; `evolution` fills a grid of
//! releases and formulas; `stability` measures whether solvers keep their answers. `pair` triages findings about two
//! formulas; `ration` limits the time for measurements; `spending` says what the time went to and bounds triage; `focus`
//! says which cases and findings count; `variation` chooses options of solvers. `spread`, `crew`, `caught`, `interrupt` and
//! `clock` are shared by
//! all of them.

pub mod assignment;
mod caught;
pub mod clock;
pub mod course;
pub mod crew;
mod dispatch;
pub mod enumeration;
mod error;
pub mod evolution;
pub mod focus;
pub mod harvest;
mod hunt;
pub mod interrupt;
pub mod learned;
mod ledger;
pub mod listen;
pub mod pair;
pub mod queue;
pub mod ration;
pub mod recheck;
pub mod schedule;
pub mod spending;
pub mod spread;
pub mod stability;
pub mod triage_only;
pub mod turns;
pub mod unit;
pub mod variation;

pub use assignment::{Assignment, Begun, Budget, Mix, Policy, TRIAGE_SHARE, VARIED_ON_REQUEST};
pub use course::Sharing;
pub use error::{Error, Result};
pub use focus::Focus;
pub use hunt::hunt;
pub use ledger::{Kept, Ledger, epoch_of, focus_of};
pub use listen::{CampaignEnd, Listener};
pub use ration::Ration;
pub use schedule::Schedule;
pub use spending::Spending;
