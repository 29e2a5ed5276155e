//! Sessions: one interface for queries, whichever process answers.
//!
//! A [`Query`] is a script and what is wanted of its answers; a [`Reply`](crate::Reply) is what came back. Four
//! kinds of session answer it: `fresh` (one process per case, exactly what a user types), `forked` (a copy of a warm
//! process per case), `reset` and `scoped` (one process for many cases; see `live`).
//! `route` decides which kinds a script can be asked in, and `pool` keeps live processes and replaces them.
//!
//! A session must never lose a case and never attribute output to the wrong one.

mod forked;
mod fresh;
mod held;
mod hosts;
mod live;
mod pool;
mod printed;
mod route;

pub use fresh::{Fresh, PLACE, WILD, by_hand, read_run};
pub use held::keep_at_most;
pub use live::Live;
pub use pool::{Pool, waited};
pub use printed::{FILE, Printed, Ran, build_of, installed_as};
pub use route::{Routed, route};

use crate::answer::{Answer, Ended, Reply};
use crate::outline::Outline;
use crate::permit;
use crate::profile::{Profile, SessionKind};
use crate::sexp::Command;
use crate::target::Target;
use std::time::Duration;

/// What is requested besides the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// A model after every sat.
    pub model: bool,
    /// A core after every unsat.
    pub core: bool,
    /// A proof after every unsat.
    pub proof: bool,
    /// The reason after every unknown.
    pub reason: bool,
}

/// How much one query may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryLimits {
    pub wall: Duration,
    pub cpu: Option<Duration>,
    /// Bytes of resident memory of the process tree.
    pub memory: Option<u64>,
}

impl Default for QueryLimits {
    fn default() -> QueryLimits {
        QueryLimits { wall: Duration::from_secs(5), cpu: None, memory: Some(2 << 30) }
    }
}

impl Extras {
    /// The same without a model where the script turns models off.
    fn fitting(self, outline: &Outline<'_>) -> Extras {
        Extras { model: self.model && !outline.wants_no_models(), ..self }
    }
}

impl QueryLimits {
    /// Only a wall limit, and the default memory limit.
    pub fn wall(wall: Duration) -> QueryLimits {
        QueryLimits { wall, ..QueryLimits::default() }
    }

    pub(crate) fn for_run(&self) -> run::Limits {
        run::Limits { wall: Some(self.wall), cpu: self.cpu, memory: self.memory, ..run::Limits::default() }
    }
}

/// One case to run.
#[derive(Clone, Debug)]
pub struct Query<'a> {
    pub script: &'a [u8],
    pub want: Extras,
    pub limits: QueryLimits,
    /// After this long in one check-sat the solver gives up by itself and continues to live, where its profile says
    /// how. Only used for live processes: giving up is cheap there, and a new process would cost more than the answer.
    pub soft: Option<Duration>,
    /// A crash without a message is run a second time, to find where it happened; only in a fresh process.
    pub locate: bool,
    /// What takes long is run a second time, to see where the time goes; only in a fresh process.
    pub profile: bool,
    /// Ends the query early when raised.
    pub cancel: Option<run::Cancel>,
}

impl<'a> Query<'a> {
    /// Only the answers, under default limits.
    pub fn new(script: &'a [u8]) -> Query<'a> {
        Query {
            script,
            want: Extras::default(),
            limits: QueryLimits::default(),
            soft: None,
            locate: false,
            profile: false,
            cancel: None,
        }
    }

    pub fn want(mut self, want: Extras) -> Query<'a> {
        self.want = want;
        self
    }

    pub fn limits(mut self, limits: QueryLimits) -> Query<'a> {
        self.limits = limits;
        self
    }

    /// The solver's own limit per check-sat in whole milliseconds, if it supports one.
    fn soft_for(&self, profile: &Profile) -> Option<u64> {
        let soft = self.soft.filter(|_| !profile.options.time_soft.is_empty())?;
        Some(u64::try_from(soft.as_millis()).unwrap_or(u64::MAX).max(1))
    }
}

/// Something that answers queries.
pub trait Session {
    /// Runs one case; always returns, within the limits and a moment.
    fn ask(&mut self, query: &Query<'_>) -> Reply;
}

/// Runs the part of a script that may be sent; a script that may not be sent at all gets a reply that says why. Every
/// query to a solver goes through here.
fn permitted(
    target: &Target,
    kind: SessionKind,
    query: &Query<'_>,
    ask: impl FnOnce(&Query<'_>, &Outline<'_>) -> Reply,
) -> Reply {
    let outline = Outline::of(query.script);
    let permitted = permit::outlined(&target.profile, &outline);
    if let Some(why) = permitted.refused {
        let mut reply = fresh::unavailable(kind, outline.checks, String::new());
        reply.ended = Ended::Unsupported(format!("not sent to the solver: {why}"));
        return reply;
    }
    if permitted.left_out.is_empty() {
        return ask(query, &outline);
    }
    let query = Query { script: &permitted.script, ..query.clone() };
    let mut reply = ask(&query, &Outline::of(&permitted.script));
    reply.left_out = permitted.left_out;
    reply
}

/// Options that must be enabled for the requests, as commands for the head of a script.
fn option_commands(profile: &Profile, want: Extras) -> Vec<&str> {
    let options = &profile.options;
    let wanted = [(want.model, &options.model), (want.core, &options.core), (want.proof, &options.proof)];
    wanted
        .into_iter()
        .filter(|(on, _)| *on)
        .filter_map(|(_, o)| o.as_deref())
        .filter(|o| o.starts_with('('))
        .collect()
}

/// Whether a command of the script sets an option that [`option_commands`] sets already.
fn is_overridden(command: &Command<'_>, heads: &[&str]) -> bool {
    if command.name != b"set-option" {
        return false;
    }
    let Some(name) = crate::outline::option_name(command) else { return false };
    heads.iter().any(|head| {
        let head = crate::sexp::commands(head.as_bytes()).unwrap_or_default();
        head.first().and_then(crate::outline::option_name) == Some(name)
    })
}

/// Whether a command of a script requests something that the solver does not have, or sets the option for it. Such a
/// command is not sent: it has no influence on any answer.
fn is_beyond(profile: &Profile, command: &Command<'_>) -> bool {
    let option = || crate::outline::option_name(command).filter(|_| command.name == b"set-option");
    let lacks = |name: &[u8], needs: &[u8], own: &Option<String>| {
        own.is_none() && (command.name == name || option() == Some(needs))
    };
    let options = &profile.options;
    lacks(b"get-unsat-assumptions", b"produce-unsat-assumptions", &options.assumptions)
        || lacks(b"get-assignment", b"produce-assignments", &options.assignment)
        || lacks(b"get-interpolant", b"produce-interpolants", &options.interpolant)
}

/// Whether a command is a request of a script's own that fits only one answer.
fn fits_only(command: &Command<'_>) -> Option<Answer> {
    match command.name {
        b"get-value" | b"get-assignment" => Some(Answer::Sat),
        b"get-unsat-assumptions" => Some(Answer::Unsat),
        _ => None,
    }
}

/// Whether a script needs the solver's incremental mode.
fn is_incremental(outline: &Outline<'_>) -> bool {
    outline.checks > 1 || outline.has(b"push") || outline.has(b"check-sat-assuming")
}
