//! `smtlib`: what SMT-LIB 2.6 and 2.7 say, as a library.
//!
//! Bytes come in; typed, hash-consed terms and printed text come out. What terms mean is said by `semantics`.
//! This crate never does I/O, never spawns anything and never uses randomness.

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
pub use limits::Limits;
pub use parsed::Parsed;
pub use script::{Command, Script};
pub use sort::{Sort, SortId};
pub use term::{Pool, TermId};
