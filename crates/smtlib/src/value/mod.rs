//! Values: what a closed term of each sort can mean, exactly.
//!
//! One file per kind of value; each knows only numbers, bits or characters and nothing of terms.

pub mod bitvec;
pub mod float;
pub mod int;
pub mod rational;
pub mod sequence;
pub mod text;
