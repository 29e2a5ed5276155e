//! `smtlib`: SMT-LIB 2.6 and 2.7 as a library.
//!
//! In: bytes. Out: typed, hash-consed terms, and printed text. The meaning of terms is in `semantics`. This crate
//! never does I/O, never starts a process and never uses randomness.

pub mod descent;
pub mod error;
pub mod escape;
pub mod free;
pub mod lexer;
pub mod limits;
pub mod logic;
pub mod parsed;
pub mod parser;
pub mod printer;
pub mod round_trip;
pub mod script;
pub mod sexp;
pub mod shown;
pub mod sort;
pub mod span;
pub mod symbol;
pub mod term;
pub mod theory;

pub use error::{Error, ErrorKind};
pub use limits::ReadLimits;
pub use parsed::Parsed;
pub use script::{Command, Script};
pub use sort::{Sort, SortId};
pub use term::{Pool, TermId};
