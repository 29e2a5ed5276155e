//! The solvers of all tests: releases in one folder for a build (`$FALSUM_HOME`, or `falsum-home` under `target`), and
//! the fake one.
#![allow(dead_code, clippy::unwrap_used, reason = "a part of the tests; each file uses some of it")]

use solver::{Home, Profile, Profiles, Release, Spec, Target, install};
use std::path::{Path, PathBuf};

pub fn home() -> Home {
    let own = || Path::new(env!("CARGO_TARGET_TMPDIR")).join("../falsum-home");
    Home::at(std::env::var_os("FALSUM_HOME").map_or_else(own, PathBuf::from))
}

/// An installed release; installs it the first time.
pub fn release(spec: &str) -> Release {
    let spec = Spec::parse(spec).unwrap();
    install::add(&home(), &spec, &|_| {}).unwrap_or_else(|e| panic!("{spec}: {e}")).remove(0)
}

pub fn target(spec: &str) -> Target {
    Target::of_release(&Profiles::embedded(), &release(spec))
}

/// A fake solver that pretends to be z3.
pub fn fake(args: &[&str]) -> Target {
    let program = testkit::fake_solver();
    Target {
        name: "fake".into(),
        profile: Profile::named("z3"),
        command: vec![program.clone().into()],
        args: args.iter().map(|a| (*a).to_owned()).collect(),
        version: None,
        hash: String::new(),
        path: program,
    }
}

/// A reply for people.
pub fn show(reply: &solver::Reply) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut out = format!(
        "{} {:?} routed {:?} errors {:?}\n",
        reply.session.name(),
        reply.ended,
        reply.routed,
        reply.errors
    );
    for check in &reply.checks {
        let model = check.model.as_deref().map(text);
        out += &format!(
            "  {:?} void {:?} model {model:?} complaint {:?}\n",
            check.answer, check.void, check.complaint
        );
    }
    out + &format!(
        "stray {:?}\nstderr {:?}\nsent {:?}",
        text(&reply.stray),
        text(&reply.stderr),
        reply.history.bytes().map(|b| text(&b))
    )
}
