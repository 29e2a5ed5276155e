//! `solver`: which solvers there are, how to start them, how to ask, and what exactly they said.
//!
//! Comes in: a SPEC from a person, scripts as bytes. Goes out: installed releases, and answers per check-sat with
//! how the run ended. Releases: `catalogue` (what exists) → `pip` → `unpack` → `verify` → `install` → `home`.
//! `cvc5` hosts the library that cvc5's wheels carry.
//!
//! It must never guess an answer from a substring, print anything, or run a command through a shell. Unsafe code
//! lives in `cvc5/library.rs` alone.

pub mod catalogue;
pub mod cvc5;
pub mod discover;
mod error;
pub mod home;
pub mod install;
mod pip;
pub mod profile;
mod scratch;
pub mod sexp;
pub mod spec;
mod unpack;
pub mod verify;
pub mod version;

pub use error::{Error, Result};
pub use home::{Home, Release};
pub use profile::{Kind, Profile, Profiles};
pub use spec::Spec;
pub use version::{Version, Want};
