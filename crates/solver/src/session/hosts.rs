//! Processes of one target that wait to be copied: what `forked` sessions and new live processes come from.
//!
//! In: how a process would be started and what it would be sent first. Out: a copy of one that has been started and sent
//! just that (`run::Host`), or nothing, and then the caller starts a process as it always could.
//!
//! A host costs about as much as a start and holds memory, so there are few, for the beginnings that are asked for most:
//! a beginning gets a host at its second use, and once there are [`MOST_HOSTS`] only by being used more than the least
//! used of them, which it replaces. Uses are halved from time to time, so that what was common an hour ago does not stay.
//! A beginning that a solver does not take (it prints something, has a second thread, is linked statically) is remembered
//! and not tried again, and a target none of whose beginnings was ever taken is given up.
//!
//! A failure of a host must never become the case's: a host that fails is dropped, and the case gets a process that is
//! started for it.

use super::held::Held;
use crate::confine::confined;
use crate::scratch;
use crate::target::Target;
use run::{Copied, Host, Interactive, Limits, Opening, Original};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How a process begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Beginning {
    /// Everything behind the program, but for the input.
    pub(super) args: Vec<OsString>,
    /// Whether the input is an argument or standard input.
    pub(super) by_argument: bool,
    /// What it reads first, and what it says to that.
    pub(super) text: Vec<u8>,
    pub(super) answer: Vec<u8>,
}

/// The hosts of one target.
#[derive(Debug)]
pub(super) struct Hosts {
    target: Target,
    slots: Mutex<Slots>,
}

#[derive(Debug)]
struct Slot {
    beginning: Beginning,
    /// How often it was asked for, halved every [`HALVING`] requests.
    uses: u32,
    state: State,
}

#[derive(Debug)]
enum State {
    /// There is no host.
    Seen,
    /// A thread is starting it.
    Starting,
    Ready(Arc<Mutex<Kept>>),
    Impossible,
}

/// A host, and the right to keep it.
#[derive(Debug)]
struct Kept {
    host: Host,
    _held: Held,
}

/// All beginnings that were asked for.
#[derive(Debug, Default)]
struct Slots {
    slots: Vec<Slot>,
    requests: u32,
    /// Hosts that have worked, and beginnings for which none did.
    worked: u32,
    failed: u32,
}

/// Hosts kept at the same time: about 30 MB each, most of it shared with the copies.
const MOST_HOSTS: usize = 5;
/// Beginnings remembered.
const MOST_SLOTS: usize = 64;
/// After so many requests all counts of uses are halved.
const HALVING: u32 = 256;
/// After so many beginnings for which there was no host, and none for which there was, no more are tried.
const ENOUGH: u32 = 3;
/// How long a host may take to get to its input.
const PATIENCE: Duration = Duration::from_secs(2);

impl Hosts {
    pub(super) fn new(target: Target) -> Hosts {
        Hosts { target, slots: Mutex::default() }
    }

    /// A copy that reads this text and ends; `None` if there is no host for such a beginning.
    pub(super) fn copy(
        &self,
        beginning: &Beginning,
        text: &[u8],
        limits: &Limits,
        cancel: Option<&run::Cancel>,
    ) -> Option<Copied> {
        self.with(beginning, cancel, |host| host.copy(text, limits, cancel))
    }

    /// A copy that answers many requests.
    pub(super) fn interactive(
        &self,
        beginning: &Beginning,
        limits: &Limits,
        cancel: Option<&run::Cancel>,
    ) -> Option<Interactive> {
        self.with(beginning, cancel, |host| host.interactive(limits, cancel))
    }

    fn with<T>(
        &self,
        beginning: &Beginning,
        cancel: Option<&run::Cancel>,
        act: impl FnOnce(&mut Host) -> Result<T, run::Error>,
    ) -> Option<T> {
        let host = self.find(beginning, cancel)?;
        let made = act(&mut host.lock().unwrap_or_else(PoisonError::into_inner).host);
        match made {
            Ok(copy) => Some(copy),
            // The machine is out of something: nothing is wrong with the host.
            Err(error) if error.is_transient() => None,
            Err(_) => {
                let mut slots = self.slots();
                slots.slots.retain(|slot| slot.beginning != *beginning);
                None
            }
        }
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The host for a beginning; starts one if it is worth it.
    fn find(&self, beginning: &Beginning, cancel: Option<&run::Cancel>) -> Option<Arc<Mutex<Kept>>> {
        match self.slots().request(beginning) {
            Requested::Ready(host) => return Some(host),
            Requested::None => return None,
            Requested::Start => {}
        }
        let held = Held::take();
        let may = held.is_some();
        let begun = held.and_then(|_held| Some(Kept { host: self.begin(beginning, cancel)?, _held }));
        let host = begun.map(|kept| Arc::new(Mutex::new(kept)));
        let state = match &host {
            Some(host) => State::Ready(Arc::clone(host)),
            None if !may => State::Seen,
            None if cancel.is_some_and(run::Cancel::is_raised) => State::Seen,
            None => State::Impossible,
        };
        let gone = self.slots().started(beginning, state);
        // Ending a process takes a moment; the lock is not held meanwhile.
        drop(gone);
        host
    }

    fn begin(&self, beginning: &Beginning, cancel: Option<&run::Cancel>) -> Option<Host> {
        let (program, before) = self.target.command.split_first()?;
        let library = library()?;
        let mut spec = run::Spec::new(program).args(before).args(&beginning.args).wall(PATIENCE);
        spec.cancel = cancel.cloned();
        let path = beginning.by_argument.then(input_path).transpose().ok()?;
        let original = path.as_deref().map_or(Original::Stdin, Original::Argument);
        let (text, answer) = (&beginning.text[..], &beginning.answer[..]);
        Host::start(&confined(spec), &Opening { library, original, text, answer }).ok()
    }

    /// Ends all hosts.
    pub(super) fn clear(&self) {
        let all = std::mem::take(&mut *self.slots());
        drop(all);
    }
}

/// What a request for a beginning comes to.
enum Requested {
    Ready(Arc<Mutex<Kept>>),
    /// The caller is to start a host and to say what became of it (`Slots::started`).
    Start,
    None,
}

impl Slots {
    fn request(&mut self, beginning: &Beginning) -> Requested {
        if self.worked == 0 && self.failed >= ENOUGH {
            return Requested::None;
        }
        self.requests += 1;
        if self.requests.is_multiple_of(HALVING) {
            self.slots.iter_mut().for_each(|slot| slot.uses /= 2);
        }
        let Some(at) = self.slots.iter().position(|slot| slot.beginning == *beginning) else {
            self.forget_one();
            self.slots.push(Slot { beginning: beginning.clone(), uses: 1, state: State::Seen });
            return Requested::None;
        };
        let least = self.least_used();
        let slot = &mut self.slots[at];
        slot.uses += 1;
        let worth = slot.uses >= 2 && least.is_none_or(|(_, uses)| slot.uses > uses + 1);
        match &slot.state {
            State::Ready(host) => Requested::Ready(Arc::clone(host)),
            State::Seen if worth => {
                slot.state = State::Starting;
                Requested::Start
            }
            State::Seen | State::Starting | State::Impossible => Requested::None,
        }
    }

    /// The host that is used least, and how much, if there is no room for another.
    fn least_used(&self) -> Option<(usize, u32)> {
        let ready = |slot: &Slot| matches!(slot.state, State::Ready(_) | State::Starting);
        let hosts = || self.slots.iter().enumerate().filter(|(_, slot)| ready(slot));
        if hosts().count() < MOST_HOSTS {
            return None;
        }
        hosts().map(|(at, slot)| (at, slot.uses)).min_by_key(|(_, uses)| *uses)
    }

    /// Records what became of a start; the slot that had to make room.
    fn started(&mut self, beginning: &Beginning, state: State) -> Option<Slot> {
        self.worked += u32::from(matches!(state, State::Ready(_)));
        self.failed += u32::from(matches!(state, State::Impossible));
        let slot = self.slots.iter_mut().find(|slot| slot.beginning == *beginning)?;
        slot.state = state;
        let hosts = self.slots.iter().filter(|slot| matches!(slot.state, State::Ready(_))).count();
        let (at, _) = self.least_used().filter(|_| hosts > MOST_HOSTS)?;
        Some(self.slots.remove(at))
    }

    /// Forgets the beginning without a host that was used least, if there are too many.
    fn forget_one(&mut self) {
        let without = |slot: &&Slot| matches!(slot.state, State::Seen | State::Impossible);
        let least = self.slots.iter().filter(without).map(|slot| slot.uses).min();
        if self.slots.len() >= MOST_SLOTS
            && let Some(at) = self.slots.iter().position(|slot| without(&slot) && Some(slot.uses) == least)
        {
            self.slots.remove(at);
        }
    }
}

/// The file with the library that makes programs copy themselves; `None` where there can be none.
fn library() -> Option<&'static std::path::Path> {
    static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let written = LIBRARY.get_or_init(|| {
        if run::library().is_empty() {
            return None;
        }
        let path = scratch::folder().ok()?.join("copies.so");
        std::fs::write(&path, run::library()).ok()?;
        Some(path)
    });
    written.as_deref()
}

/// A name for a host's input, in our own folder.
fn input_path() -> std::io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    Ok(scratch::folder()?.join(format!("input-{number}.smt2")))
}
