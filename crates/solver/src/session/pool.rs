//! The pool of one target: live processes to be reused, fresh ones for scripts that cannot share one.
//!
//! Any number of threads may run queries at once; each gets a session of its own for the length of a query. Idle
//! sessions wait in a list, most recently used last, so that a burst of work does not leave many processes behind:
//! beyond a limit the one idle for longest is ended. What a live process rejects is run again in a fresh one, and if
//! that one accepts it the live process is ended: no case is lost because of what another left behind.
//!
//! If a program is gone, cannot be executed or is not the one that the campaign began with, its target is disabled,
//! with the reason: its further answers would be those of another solver.

use super::fresh::unavailable;
use super::held::Held;
use super::hosts::Hosts;
use super::live::Shape;
use super::{Fresh, Live, Query, Routed, forked, permitted, route};
use crate::answer::{Ended, History, Reply};
use crate::dialect;
use crate::identity::Identity;
use crate::outline::Outline;
use crate::profile::SessionKind;
use crate::target::Target;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Sessions of one target.
#[derive(Debug)]
pub struct Pool {
    target: Target,
    fresh: Fresh,
    hosts: Arc<Hosts>,
    idle: Mutex<Vec<(Key, Live, Held)>>,
    cap: usize,
    /// Messages with which fresh processes have rejected scripts as live ones did: not run again.
    refusals: Mutex<BTreeSet<String>>,
    /// How often in a row live processes did not take the settings that something needs.
    unfit: Mutex<Vec<(Key, u32)>>,
    /// The rows of the profile's `lacks` that this build has shown to be true of it.
    lacking: Mutex<BTreeSet<usize>>,
    identity: Identity,
    disabled: OnceLock<String>,
}

/// What an idle session can be used for without a new process.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    kind: SessionKind,
    shape: Shape,
}

static WAITED: AtomicU64 = AtomicU64::new(0);

/// How long all threads of this process together have waited for solvers.
pub fn waited() -> Duration {
    Duration::from_micros(WAITED.load(Ordering::Relaxed))
}

/// After so many attempts in a row, of several processes each, no live process is started for the same settings: one may
/// fail because the machine is busy.
const UNFIT: u32 = 3;

/// More kinds of refusal than this are not remembered.
const MOST_REFUSALS: usize = 1000;

/// The message of a rejection without its numbers, so that the place or a count makes no difference.
fn refusal(reply: &Reply) -> Option<String> {
    match &reply.ended {
        Ended::Error(said) | Ended::Unsupported(said) => {
            Some(said.chars().filter(|c| !c.is_ascii_digit()).take(200).collect())
        }
        _ => None,
    }
}

impl Pool {
    /// A pool that keeps at most `cap` idle processes.
    pub fn new(target: Target, cap: usize) -> Pool {
        let identity = Identity::of(&target);
        let fresh = Fresh::new(target.clone());
        let hosts = Arc::new(Hosts::new(target.clone()));
        let (idle, refusals) = (Mutex::new(Vec::new()), Mutex::new(BTreeSet::new()));
        let (lacking, unfit) = (Mutex::new(BTreeSet::new()), Mutex::new(Vec::new()));
        Pool {
            fresh,
            hosts,
            target,
            idle,
            cap,
            refusals,
            unfit,
            lacking,
            identity,
            disabled: OnceLock::new(),
        }
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Why this target has been disabled, if it has.
    pub fn disabled(&self) -> Option<&str> {
        self.disabled.get().map(String::as_str)
    }

    /// Asks in the given kind, or in a more isolated one if the script needs it; the reply says which.
    pub fn ask(&self, query: &Query<'_>, kind: SessionKind) -> Reply {
        let began = Instant::now();
        let reply = self.ask_translated(query, kind);
        WAITED.fetch_add(u64::try_from(began.elapsed().as_micros()).unwrap_or(0), Ordering::Relaxed);
        reply
    }

    fn ask_translated(&self, query: &Query<'_>, kind: SessionKind) -> Reply {
        let script = dialect::translate(&self.target, query.script);
        let query = &Query { script: &script, ..query.clone() };
        permitted(&self.target, kind, query, |query, outline| self.ask_permitted(query, outline, kind))
    }

    fn ask_permitted(&self, query: &Query<'_>, outline: &Outline<'_>, kind: SessionKind) -> Reply {
        if let Some(why) = self.identity.changed(&self.target) {
            let _ = self.disabled.set(why);
            self.clear();
        }
        if let Some(why) = self.disabled() {
            let reply = unavailable(kind, outline.checks, why.to_owned());
            return Reply { target: self.target.name.clone(), ..reply };
        }
        if let Some(why) = self.target.hopeless(outline).or_else(|| self.lacks(query.script)) {
            let reply = unavailable(kind, outline.checks, why.clone());
            let target = self.target.name.clone();
            return Reply { target, ended: Ended::Unsupported(why), ..reply };
        }
        let Routed { kind, why } =
            route(outline, &self.target.profile, self.target.version.as_ref(), query, kind);
        let mut reply = match kind {
            SessionKind::Fresh => self.fresh.ask_permitted(query),
            SessionKind::Forked => forked::ask(&self.hosts, &self.fresh, query),
            SessionKind::Reset | SessionKind::Scoped => self.ask_live(query, outline, kind),
        };
        reply.routed = why.or(reply.routed);
        reply.target.clone_from(&self.target.name);
        self.notice(&reply);
        reply
    }

    /// What a script needs and this build has said that it lacks.
    fn lacks(&self, script: &[u8]) -> Option<String> {
        let lacking = self.lacking.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = &self.target.profile.supports.lacks;
        let mut known = lacking.iter().filter_map(|&n| rows.get(n));
        known.find(|row| row.is_needed(script)).map(|row| row.why.clone())
    }

    /// Remembers what a reply says that this build lacks.
    fn notice(&self, reply: &Reply) {
        let (Ended::Error(said) | Ended::Unsupported(said)) = &reply.ended else { return };
        let rows = self.target.profile.supports.lacks.iter().enumerate();
        let mut lacking = self.lacking.lock().unwrap_or_else(PoisonError::into_inner);
        lacking.extend(rows.filter(|(_, row)| said.contains(&row.message)).map(|(n, _)| n));
    }

    fn ask_live(&self, query: &Query<'_>, outline: &Outline<'_>, kind: SessionKind) -> Reply {
        let key = Key { kind, shape: Shape::of(&self.target, kind, query, outline) };
        if self.unfit().iter().any(|(unfit, times)| *unfit == key && *times >= UNFIT) {
            let reply = forked::ask(&self.hosts, &self.fresh, query);
            return Reply { routed: Some("live processes do not take the settings"), ..reply };
        }
        let mut live = self
            .take(&key)
            .unwrap_or_else(|| Live::copied(self.target.clone(), kind, Arc::clone(&self.hosts)));
        let reply = live.ask_outlined(query, outline);
        self.note_fitness(&key, live.is_unfit());
        if live.is_unfit() {
            return reply;
        }
        let refusal = refusal(&reply);
        if refusal.as_ref().is_none_or(|said| self.refusals().contains(said)) {
            self.put(key, live);
            return reply;
        }
        // A refusal may be the script's fault or the remains of an earlier case's; a process without a past knows.
        let mut fresh = forked::ask(&self.hosts, &self.fresh, query);
        if let Some(said) = self::refusal(&fresh) {
            if refusal == Some(said.clone()) && self.refusals().len() < MOST_REFUSALS {
                self.refusals().insert(said);
            }
            self.put(key, live);
        }
        fresh.routed = Some("a live process rejected it");
        fresh
    }

    fn unfit(&self) -> MutexGuard<'_, Vec<(Key, u32)>> {
        self.unfit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_fitness(&self, key: &Key, is_unfit: bool) {
        let mut unfit = self.unfit();
        let at = unfit.iter().position(|(known, _)| known == key);
        match (at, is_unfit) {
            (Some(at), true) => unfit[at].1 += 1,
            (None, true) => unfit.push((key.clone(), 1)),
            (Some(at), false) => drop(unfit.remove(at)),
            (None, false) => {}
        }
    }

    fn refusals(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, key: &Key) -> Option<Live> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let at = idle.iter().rposition(|(k, ..)| k == key)?;
        Some(idle.remove(at).1)
    }

    fn put(&self, key: Key, live: Live) {
        // Without leave to keep it, it is ended.
        let Some(held) = Held::take() else { return };
        let oldest = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push((key, live, held));
            if idle.len() > self.cap { Some(idle.remove(0)) } else { None }
        };
        // Ending a process takes a moment; the lock is not held meanwhile.
        drop(oldest);
    }

    /// Ends the process that has this history, if it is idle: what it was sent before has made it go wrong, and would
    /// again.
    pub fn retire(&self, history: &History) {
        let gone: Vec<(Key, Live, Held)> = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let (gone, kept) = idle.drain(..).partition(|(_, live, _)| live.has_history(history));
            *idle = kept;
            gone
        };
        drop(gone);
    }

    /// Ends all idle processes.
    pub fn clear(&self) {
        let all = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        drop(all);
        self.hosts.clear();
    }
}
