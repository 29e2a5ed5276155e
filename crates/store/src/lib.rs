//! The campaign folder: the record of a hunt, readable by a person while it grows.
//!
//! ```text
//! falsum-out/
//!   campaign.toml    what is hunted, with what, under which key
//!   falsum.db        SQLite: cases, answers, counters, cursors, findings, bugs
//!   findings/<id>/   formula.smt2 run.sh outputs/ meta.json, and what triage adds later
//!   events.jsonl     what happened, one JSON object per line
//!   flaky/<id>/      suspicions that accuse no solver
//!   epochs/          outcomes from which strategies have learnt
//!   panics/<id>/     cases on which falsum itself failed
//!   quarantine/      finding folders that were damaged
//!   lock             held, with its process id in it, by the one process that writes
//! ```
//!
//! In: finished units of work, findings, events, from the one thread that owns a [`Store`]. Out: a [`View`] for
//! readers, also while the store is being written.
//!
//! It must never lose a finding that it acknowledged, never store one twice, never show something half-written and
//! never overwrite what it does not understand. Three rules ensure that:
//!
//! 1. A finding is its folder. The folder appears by one rename after everything in it is on disk; the row in the
//!    database comes second and is restored from the folder if it is missing (`reconcile.rs`).
//! 2. A unit of work is one transaction: its cases, its counters and the note that it is done. A unit that is
//!    already done is ignored, so a caller in doubt commits it again.
//! 3. Events come last and stay pending until they are written (`journal.rs`).

mod beat;
mod bug;
mod campaign;
mod commit;
mod cursor;
mod database;
mod disk;
mod epoch;
mod error;
mod event;
mod exchange;
mod filesystem;
mod finding;
mod folder;
mod grid;
mod inside;
mod journal;
mod lock;
mod merge;
mod panics;
mod part;
mod rebuild;
mod reconcile;
mod reduction;
mod sampling;
mod script;
mod state;
mod status;
mod store;
mod unconfirmed;
mod view;

pub use beat::{Beat, BugLine, SHARDS, beats, shard_folders};
pub use bug::{Bug, BugId, BugUpdate, fixing_releases};
pub use campaign::{Campaign, Difference, RecordedLimits, Shard, TargetRecord};
pub use commit::{Batch, CaseDone, CaseHash, Counters, Test, UnitDone, Word};
pub use cursor::Ranges;
pub use disk::{Disk, RealDisk};
pub use epoch::Units;
pub use error::{Error, Problem, Result};
pub use event::{Event, Stamped};
pub use exchange::Exchange;
pub use finding::{Finding, FindingId, Meta, NewFinding, Partner};
pub use grid::{Axis, Cell, Grid, Trial};
pub use inside::{Inside, read_file, write_file};
pub use merge::{merge, merge_with};
pub use panics::{NewPanic, PanicId};
pub use reduction::{Reduction, ReleaseRow, Said};
pub use script::Invocation;
pub use status::{
    Division, Progress, Standing, Status, StrategyStatus, Summary, TargetStatus, TheoryStatus, status,
};
pub use store::{Added, Kept, Options, Record, Store, Totals};
pub use triage::{Demonstration, Rate};
pub use unconfirmed::{Flaky, NewUnconfirmed};
pub use view::{CaseRow, View};

/// The version of everything in a campaign folder. A folder with a newer one is read if possible and never written.
pub const FORMAT: u32 = 2;
