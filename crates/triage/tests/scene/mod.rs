//! Panels of fake solvers that are wrong about one thing, for the tests of this crate.
//!
//! The fake solver says `unsat` if the script contains `false` and `sat` otherwise; with `--real` and `--wrong` it
//! wraps another fake solver and is wrong wherever the script contains a given word.

#![allow(dead_code, reason = "each test uses a part of it")]

use smtlib::Parsed;
use solver::{Profiles, QueryLimits, Target};
use std::time::Duration;
use strategy::Case;
use triage::{Panel, Plan};

/// A fake solver under a name, with its options.
pub fn fake(name: &str, args: &[&str]) -> Target {
    let mut target = Target::of_program(&Profiles::embedded(), &testkit::fake_solver()).unwrap();
    target.name = name.into();
    target.args = args.iter().map(|&arg| arg.into()).collect();
    target
}

/// A solver that is right, as long as the word `false` decides.
pub fn right(name: &str) -> Target {
    fake(name, &[])
}

/// A solver that is wrong in this way wherever the script contains the word.
pub fn wrong(name: &str, way: &str, when: &str) -> Target {
    let real = testkit::fake_solver().display().to_string();
    fake(name, &["--real", &real, "--wrong", way, "--wrong-when", when])
}

pub fn panel(targets: Vec<Target>, references: Vec<Target>) -> Panel {
    Panel::new(targets, references, 1)
}

pub fn limits() -> QueryLimits {
    QueryLimits::wall(Duration::from_secs(20))
}

pub fn plan() -> Plan {
    Plan::thorough(limits())
}

pub fn script(text: &str) -> Parsed {
    Parsed::read(text.as_bytes()).unwrap()
}

pub fn case(text: &str) -> Case {
    Case::of_script(script(text))
}
