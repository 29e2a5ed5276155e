//! Where a process died, or where it spends its time.
//!
//! A solver that dies of a signal often prints no message. Its trigger says little about such a crash: one bug has a
//! hundred triggers, and they look different. The stack at the moment of the signal is what a maintainer asks for
//! first, and it is nearly the same for all triggers of a bug.
//!
//! In: a command that crashes. Out: the functions that were active, innermost first. The process is started once more
//! under `ptrace`, without address randomisation, and examined when the fatal signal arrives; the tables that C++
//! exceptions need (`.eh_frame`) are enough to walk the stack, and no debug information or debugger is needed. Where
//! tracing is forbidden, or the second run does not crash, the answer is `None`; only the place is missing then.
//!
//! A process that does not end is stopped and looked at several times (`observe`); what the stacks have in common is
//! where it spends its time.
//!
//! `trace` watches the process, `walk` reads its stack, `names` turns addresses into functions, `place` makes of them
//! the one line that is the same for every trigger. `coverage` and `lines` read where the blocks of an instrumented program
//! are.

pub mod coverage;
pub mod lines;
mod names;
mod place;
mod trace;
mod walk;

pub use place::{Stack, place, whereabouts};
pub use trace::{Moments, TraceLimits, is_allowed};

use std::process::Command;

/// Runs a command that crashes and returns where; `None` if that cannot be found out.
pub fn examine(command: Command, limits: TraceLimits<'_>) -> Option<Stack> {
    trace::until_death(command, limits, walk::stack_of)
}

/// Runs a command and says what it was doing at several moments; nothing if that cannot be seen.
pub fn observe(command: Command, limits: TraceLimits<'_>, moments: Moments) -> Vec<Stack> {
    trace::at_moments(command, limits, moments, walk::stack_of)
}
