//! Where a process died.
//!
//! A solver that dies of a signal often leaves no word. What triggers such a crash says little: one bug has a
//! hundred triggers, and they look different. The stack at the moment of the signal says what a maintainer asks first,
//! and it is nearly the same for all triggers of a bug.
//!
//! In: a command that crashes. Out: the functions that were active, innermost first. The process is started once more
//! under `ptrace`, without address randomisation, and looked at when the fatal signal arrives; the tables that C++
//! exceptions need (`.eh_frame`) are enough to walk the stack, and no debug information or debugger is wanted. Where
//! tracing is forbidden, or the second run does not crash, the answer is `None` and nothing is lost but the place.
//!
//! `trace` watches the process, `walk` reads its stack, `names` turns addresses into functions, `place` makes of
//! them the one line that is the same for every trigger.

mod names;
mod place;
mod trace;
mod walk;

pub use place::{Stack, place};
pub use trace::{Limits, is_allowed};

use std::process::Command;

/// Runs a command that crashes and says where; `None` if that cannot be seen.
pub fn examine(command: Command, limits: Limits<'_>) -> Option<Stack> {
    trace::until_death(command, limits, walk::stack_of)
}
