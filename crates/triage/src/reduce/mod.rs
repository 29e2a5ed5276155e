//! `reduce`: finds the smallest script that still shows the bug.
//!
//! In: a script and a check. Out: the smallest script found for which the check holds. The reducer works on typed
//! terms: every candidate is well-typed, deviates from the standard only where the input does, and is smaller than the
//! best so far (fewer bytes; of as many bytes, the one that sorts first). Passes propose edits (`pass/`), the search
//! decides which can be made (`search.rs`), and rounds of passes are repeated until a whole round changes nothing.
//!
//! The result and the number of checks depend only on the input and the check, not on the number of workers. Every better script is reported at
//! once, so an interrupted reduction loses nothing. It must never return a script that was not checked.

mod ahead;
pub(crate) mod edit;
mod lets;
mod pass;
mod search;
pub(crate) mod snapshot;

use ahead::{Ahead, Closing};
use search::{Groups, Search};
use serde::Serialize;
use snapshot::Snapshot;

/// What must stay true of the script.
pub trait Interesting: Sync {
    fn holds(&self, text: &[u8]) -> bool;
}

impl<F: Fn(&[u8]) -> bool + Sync> Interesting for F {
    fn holds(&self, text: &[u8]) -> bool {
        self(text)
    }
}

/// A step towards the result.
pub struct Improvement<'a> {
    pub text: &'a [u8],
    pub checks: u64,
    pub seconds: f64,
}

/// How to reduce.
pub struct Options<'a> {
    /// How many checks may run at the same time.
    pub workers: usize,
    /// Called often; once it returns true, the best so far is the result.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called with every better script, on the caller's thread.
    pub improved: &'a (dyn Fn(&Improvement<'_>) + Sync),
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { workers: 1, stop: &|| false, improved: &|_| {} }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    pub bytes_before: usize,
    pub bytes_after: usize,
    pub nodes_before: usize,
    pub nodes_after: usize,
    pub checks: u64,
    pub seconds: f64,
}

#[derive(Debug)]
pub struct Reduced {
    pub text: Vec<u8>,
    pub stats: Stats,
    /// Whether it was stopped before it was complete.
    pub interrupted: bool,
}

impl Reduced {
    /// As one reduction with the one before it.
    pub fn after(self, first: &Reduced) -> Reduced {
        let stats = Stats {
            bytes_before: first.stats.bytes_before,
            nodes_before: first.stats.nodes_before,
            checks: first.stats.checks + self.stats.checks,
            seconds: first.stats.seconds + self.stats.seconds,
            ..self.stats
        };
        Reduced { stats, ..self }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    #[error("the script is not well-typed: {0}")]
    Script(#[from] smtlib::Error),
    #[error("the check does not hold for the input itself")]
    NotInteresting,
    #[error("the script does not print back as itself")]
    Unprintable,
}

/// Shrinks a script while the check holds.
pub fn reduce(input: &[u8], check: &dyn Interesting, options: &Options<'_>) -> Result<Reduced, ReduceError> {
    let ahead = Ahead::new(check, options.workers);
    std::thread::scope(|scope| {
        let _closing = Closing(&ahead);
        (0..ahead.threads()).for_each(|_| drop(scope.spawn(|| ahead.work())));
        reduce_with(input, &ahead, options)
    })
}

fn reduce_with(input: &[u8], ahead: &Ahead<'_>, options: &Options<'_>) -> Result<Reduced, ReduceError> {
    let started = std::time::Instant::now();
    smtlib::Script::parse(input)?;
    let first = Snapshot::read(input).ok_or(ReduceError::Unprintable)?;
    let nodes_before = first.nodes();
    let mut search = Search::new(ahead, options, &first);
    if !search.begins_tidy(input) {
        if search.holds_at_any_size(&first.text).is_none() {
            return Err(ReduceError::NotInteresting);
        }
        if let Some(canonical) = Snapshot::read_canonical(input) {
            search.offer(&canonical.text);
        }
        search.tidy_up();
    }
    pass::first(&mut search);
    rounds(&mut search);
    pass::detours(&mut search, rounds);
    search.prefer(&first);
    let nodes_after = search.snapshot().map_or(0, |snapshot| snapshot.nodes());
    let stats = Stats {
        bytes_before: input.len(),
        bytes_after: search.best().len(),
        nodes_before,
        nodes_after,
        checks: search.checks(),
        seconds: started.elapsed().as_secs_f64(),
    };
    Ok(Reduced { text: search.best().to_vec(), stats, interrupted: search.is_stopped() })
}

/// Coarse rounds while they make progress, then fine ones until nothing changes. Edits that change every text come
/// before edits of single terms, which would otherwise have to be tried again.
fn rounds(search: &mut Search<'_>) {
    pass::commands(search, Groups::Halving);
    pass::narrow(search);
    pass::settle(search);
    loop {
        let before = search.best().len();
        pass::coarse(search, Groups::Halving);
        // An empty script ends it too, since it cannot become a tenth smaller.
        if search.is_stopped() || search.best().len() * 10 >= before * 9 {
            break;
        }
    }
    pass::narrow(search);
    loop {
        let before = search.best().to_vec();
        pass::coarse(search, Groups::Single);
        pass::fine(search);
        if search.is_stopped() || search.best() == before {
            return;
        }
    }
}
