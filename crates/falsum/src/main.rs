//! The `falsum` binary.

fn main() {}
