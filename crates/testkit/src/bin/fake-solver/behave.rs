//! Behaviours by name: `NAME` or `NAME:NUMBER` (or `say:TEXT`, `count:FILE`).
//!
//! All names are listed here; the code is in the file of their group. A name that does not exist is an error with its
//! own exit code, so that a test with a misspelt name cannot pass.

use crate::{endings, input, output, trees};

/// Runs behaviours in order. Returns unless one of them ends the process.
pub fn all(names: &[String]) {
    for name in names {
        let (name, parameter) = name.split_once(':').unwrap_or((name, ""));
        let number = |otherwise: u64| parameter.parse::<u64>().unwrap_or(otherwise);
        match name {
            "sleep" => endings::sleep(number(30_000)),
            "kill9-self" => endings::signal_self(rustix::process::Signal::KILL),
            "term-self" => endings::signal_self(rustix::process::Signal::TERM),
            "segv" => endings::signal_self(rustix::process::Signal::SEGV),
            "stop-self" => endings::signal_self(rustix::process::Signal::STOP),
            "abort" => std::process::abort(),
            "exit" => endings::exit(number(0) as i32),
            "exit137" => endings::exit(137),
            "exit139" => endings::exit(139),
            "flaky" => endings::flaky(),
            "count" => drop(endings::count(parameter)),
            "kill9-once" if endings::count(parameter) > 1 => {}
            "kill9-once" => endings::signal_self(rustix::process::Signal::KILL),
            "alternate" => endings::alternate(parameter),
            "unsat-in-1-of-10" => endings::unsat_in(parameter, 1),
            "unsat-in-9-of-10" => endings::unsat_in(parameter, 9),
            "ignore-term" => trees::ignore_term(),
            "spin" => trees::spin(number(1)),
            "allocate" => trees::allocate(number(3000)),
            "leak-grandchild" => trees::leak_grandchild(false),
            "leak-flooding-grandchild" => trees::leak_grandchild(true),
            "double-fork" => trees::double_fork(true),
            "double-fork-without-environment" => trees::double_fork(false),
            "daemon" => trees::daemon(parameter),
            "brief-orphan" => trees::brief_orphan(),
            "fork-bomb" => trees::fork_bomb(number(200)),
            "flood-stdout" => output::flood_stdout(number(10_000)),
            "flood-stderr" => output::flood_stderr(number(100)),
            "garbage" => output::garbage(),
            "say" => output::say(&format!("{parameter}\n")),
            "error-then-sat" => output::say("(error \"line 1 column 1: unknown constant x\")\nsat\n"),
            "sat-in-echo" => output::say("; sat\nWARNING: sat\n\"sat\"\n(model\nsat\n)\nunsat\n"),
            "partial" => output::say("uns"),
            "answer-then-crash" => {
                output::say("sat\n");
                endings::signal_self(rustix::process::Signal::SEGV);
            }
            "close-stdin" => input::close(),
            "never-read-stdin" => input::never_read(number(300)),
            "print-environment" => output::environment(),
            _ => endings::exit(64),
        }
    }
}
