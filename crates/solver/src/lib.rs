//! `solver`: which solvers exist, how to start them, how to query them, and what exactly they answered.
//!
//! In: a SPEC from a user, scripts as bytes. Out: installed releases, and answers per check-sat with how the run
//! ended. Releases: `catalogue` (what exists) → `pip` → `unpack` → `verify` → `install` → `home`; `instrument` builds one that counts its code. `cvc5` hosts the
//! library that cvc5's wheels contain. Queries: `spec` → `target` → `session` (`route`, `fresh`, `live`, `pool`) →
//! `reading` → `classify` → `answer`.
//!
//! It must never guess an answer from a substring, print anything, or run a command through a shell. Unsafe code
//! is in `cvc5/library.rs` alone.

mod answer;
pub mod catalogue;
mod checker;
mod classify;
pub mod confine;
pub mod coverage;
pub mod cvc5;
mod dialect;
pub mod discover;
pub mod doctor;
mod error;
pub mod home;
mod identity;
pub mod install;
pub mod instrument;
pub mod lock;
pub mod options;
pub mod outline;
pub mod permit;
mod pip;
pub mod probe;
pub mod profile;
pub mod reading;
mod scratch;
pub mod session;
pub mod sexp;
pub mod spec;
mod target;
mod unpack;
pub mod verify;
pub mod version;

pub use answer::{Answer, Check, Ended, History, Reply, Response};
pub use checker::{Checker, CheckerProfile, ProofVerdict};
pub use classify::file_and_line;
pub use error::{Error, Result};
pub use home::{Home, Release, this_program_hosts};
pub use profile::{Profile, Profiles, SessionKind};
pub use scratch::{Scratch, clear as clear_scratch, private_in};
pub use session::{Extras, PLACE, Pool, Query, QueryLimits, Session, WILD, by_hand, keep_at_most, waited};
pub use spec::Spec;
pub use target::{Target, solver_of};
pub use version::Version;
