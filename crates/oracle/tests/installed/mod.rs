//! The newest z3 and cvc5 for tests, installed by name into one folder for all tests of a build: `$FALSUM_HOME`, or
//! `falsum-home` under `target`. A release that cannot be installed fails the test, which would test nothing without
//! it.
#![allow(dead_code, clippy::unwrap_used, reason = "a part of the tests; each file uses some of it")]

use solver::{Home, Profiles, Spec, Target, install};
use std::path::{Path, PathBuf};

pub const NEWEST: [&str; 2] = ["z3@5.4.0", "cvc5@1.4.2"];

/// An installed release; installs it the first time.
pub fn target(spec: &str) -> Target {
    let own = || Path::new(env!("CARGO_TARGET_TMPDIR")).join("../falsum-home");
    let home = Home::at(std::env::var_os("FALSUM_HOME").map_or_else(own, PathBuf::from));
    let spec = Spec::parse(spec).unwrap();
    let release = install::add(&home, &spec, &|_| {}).unwrap_or_else(|e| panic!("{spec}: {e}")).remove(0);
    Target::of_release(&Profiles::embedded(), &release)
}

/// A program with arguments of our own, for tests that write the whole input themselves.
pub fn program(spec: &str, args: &[&str]) -> run::Spec {
    let target = target(spec);
    run::Spec::new(&target.command[0]).args(&target.command[1..]).args(args)
}

/// A number from the environment.
pub fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
