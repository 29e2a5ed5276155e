//! How many workers there are: as many as were wanted, unless files run out.
//!
//! A solver process that is held costs four descriptors (its three pipes and a handle), one that is being started some
//! more. A campaign that runs out of them gets errors instead of answers, so the need is counted before it begins: first
//! fewer processes are kept idle, then there are fewer workers, and that is said. What is left over is the number of
//! processes that all pools together may keep (`solver::keep_at_most`): there is a pool for every set of options too.
//! Fewer workers make the same cases, only later.

use crate::spread::cores;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors of the campaign itself: terminal, database, journal, lock, reports, signals, switches, and some to spare.
const OWN: usize = 32;

/// What a thread that runs a solver needs at most: a process that is started has both ends of its pipes open for a
/// moment, and /proc is read beside it.
const ASKING: usize = 12;

/// What an idle process holds.
const IDLE: usize = 4;

/// More than this is of no use to us.
const ENOUGH: u64 = 1 << 16;

/// A case needs a process with models or without, with cores or without, with a short limit or a long one, scoped or reset.
/// One of each uncommon shape is kept; if two workers need it at the same time, one more is started.
const SHAPES: usize = 7;

/// Who does the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crew {
    pub workers: usize,
    /// Idle processes that are kept of each solver.
    pub idle: usize,
    /// Why there are fewer workers than were wanted.
    pub short: Option<String>,
}

impl Crew {
    /// As many workers as were wanted, or one per core, for this many solvers; as far as files suffice.
    pub fn muster(wanted: Option<usize>, solvers: usize) -> Crew {
        let limit = getrlimit(Resource::Nofile).current;
        let limit = limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let crew = Crew::within(wanted.unwrap_or_else(cores).max(1), solvers.max(1), limit);
        solver::keep_at_most(crew.kept_within(limit));
        crew
    }

    /// How many processes may be kept: as many as descriptors are left when everybody works.
    fn kept_within(&self, limit: usize) -> usize {
        limit.saturating_sub(OWN + (self.workers + 1) * ASKING) / IDLE
    }

    fn within(wanted: usize, solvers: usize, limit: usize) -> Crew {
        // Triage has a thread of its own.
        let need = |workers: usize, idle: usize| OWN + (workers + 1) * ASKING + solvers * idle * IDLE;
        let fits = |(workers, idle): &(usize, usize)| need(*workers, *idle) <= limit;
        let ample = (wanted, wanted + SHAPES);
        let fewer = (1..=wanted).rev().map(|workers| (workers, workers));
        let (workers, idle) = std::iter::once(ample).chain(fewer).find(fits).unwrap_or((1, 0));
        let short = (workers < wanted || idle == 0).then(|| {
            let count =
                if wanted == 1 { "1 worker".into() } else { format!("{workers} of {wanted} workers") };
            format!("{count}, since no more than {limit} files may be open (ulimit -n)")
        });
        Crew { workers, idle, short }
    }
}

/// Raises the limit on open files as far as we may. Called once, before anything is started.
pub fn raise_descriptors() {
    let now = getrlimit(Resource::Nofile);
    let most = now.maximum.unwrap_or(ENOUGH).min(ENOUGH);
    if now.current.is_some_and(|current| current < most) {
        // What is not allowed is done without: the need is counted.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: now.maximum });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_files_enough_everybody_works_and_keeps_a_process_of_every_shape() {
        let crew = Crew::within(16, 2, 1024);
        assert_eq!(crew, Crew { workers: 16, idle: 23, short: None });
    }

    #[test]
    fn short_of_files_there_are_first_fewer_idle_processes_and_then_fewer_workers() {
        assert_eq!(Crew::within(16, 2, 400), Crew { workers: 16, idle: 16, short: None });
        let few = Crew::within(16, 1, 64);
        assert_eq!((few.workers, few.idle), (1, 1));
        assert!(
            few.short.as_ref().is_some_and(|said| said.starts_with("1 of 16 workers") && said.contains("64"))
        );
        assert_eq!(few.kept_within(64), 2, "of all solvers and all sets of options together");
        let none = Crew::within(1, 8, 20);
        assert_eq!(none.kept_within(20), 0);
        assert_eq!((none.workers, none.idle), (1, 0));
        assert!(none.short.is_some_and(|said| said.contains("20 files")));
    }
}
