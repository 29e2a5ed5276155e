//! Makes test cases.
//!
//! One technique per module, named by what it does. A technique is a pure function of its
//! inputs (seeds or a grammar, a configuration, a key or an index) and never touches a solver,
//! the clock, the file system or unseeded randomness: whoever has the recipe rebuilds the same
//! bytes. Everything that is data (grammars, operator classes) is a text file beside the
//! sources, embedded in the binary and replaceable by the caller.

pub mod enumerate;
