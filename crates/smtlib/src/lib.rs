//! `smtlib`: what SMT-LIB 2.6 and 2.7 say, as a library.
//!
//! Bytes come in; typed, hash-consed terms, printed text, values and truth come out.
//! This crate never does I/O, never spawns anything and never uses randomness.

pub mod value;
