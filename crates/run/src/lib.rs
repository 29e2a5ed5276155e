//! `run`: runs a process under limits; it does not depend on SMT.
//!
//! A [`Spec`] (program, arguments, limits) and bytes for its standard input come in; an [`Outcome`] goes
//! out that keeps *why it ended* ([`Why`]: by itself, or which limit) apart from *how it exited*
//! ([`Exit`]: a code or a signal). There are three ways in:
//!
//! - [`once`]: one process from birth to death, the way a user would type it;
//! - [`Host`]: a process that has got as far as its input, of which copies are made that run like started ones;
//! - [`Interactive`]: a long-lived process that is asked many times, each request under its own limits.
//!
//! This crate must never leak a process, block on a pipe, buffer without bound, or panic because the machine is out of
//! a resource. It does not interpret answers; callers read the bytes.
//!
//! How the pieces fit: `spawn` starts a leader in its own process group with a nonce in its environment;
//! `running` multiplexes its pipes and its pidfd in one `poll`, with no helper thread and no sleep;
//! `watch` keeps the clocks and decides which limit is exceeded; `tree` reads /proc to find, measure, kill and
//! reap every descendant, including those that forked twice and left the group; `guard` makes sure that
//! the trees die when we are killed ourselves; `sandbox` prevents processes from writing where they should not; `once`
//! and `interactive` are thin loops on top.
//!
//! Rejected: a PID namespace per run. The solver would be process 1 of it, and process 1 does not die of
//! signals it raises itself: `abort()` would show as a segmentation fault, and every crash would be
//! misclassed. An init shim in between would cost a second process per query.

mod capture;
mod cgroup;
mod error;
mod guard;
mod host;
mod interactive;
mod once;
mod outcome;
mod proc_files;
mod running;
mod sandbox;
mod spawn;
mod spec;
mod sys;
mod tree;
mod watch;

pub use capture::Captured;
pub use cgroup::has_cgroups;
pub use error::{Error, Resource};
pub use host::{Copied, Host, Opening, Original, library};
pub use interactive::{Cut, Interactive, Reply, until_line};
pub use once::once;
pub use outcome::{Containment, Exit, Leak, Outcome, Why};
pub use sandbox::{Held, Level, Sandbox, held};
pub use spawn::{NONCE_VARIABLE, owner_nonce, prepare};
pub use spec::{Cancel, Input, Limits, Spec};
pub use sys::used_cpu;
