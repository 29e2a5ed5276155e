//! Values: what a closed term of each sort can mean, exactly.
//!
//! One file per kind of value; each knows only numbers, bits or characters and nothing of terms.

pub mod algebraic;
pub mod bitvec;
pub mod factor;
mod fixed;
pub mod float;
pub mod int;
pub mod interval;
pub mod polynomial;
pub mod rational;
pub mod real;
pub mod regex;
pub mod sequence;
pub mod text;
pub mod transcendental;
