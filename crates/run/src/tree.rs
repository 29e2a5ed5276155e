//! One process tree: which processes belong to it, their resource use, and their end.
//!
//! falsum runs many trees at once in one process, so it must be decided exactly to which tree an orphan belongs. A
//! process belongs to a tree if it is a descendant of the leader; or if we have adopted it (child subreaper) and it has
//! the tree's nonce in its environment, is in the leader's process group or session, or was seen under the leader
//! before. No other process is ever signalled.
//!
//! After a leader has ended, every survivor is below some process that we adopted, so the list of our adopted children
//! (one small file) is complete, and costs microseconds when empty.

use crate::cgroup::Group;
use crate::proc_files::{self, Stat};
use crate::spawn::{NONCE_VARIABLE, owner_nonce};
use crate::sys;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Held for reading from before a spawn until the leader is registered; held for writing by the reaper of
/// unknown zombies, so that it can never take a leader that died before it was registered.
pub(crate) static SPAWNING: RwLock<()> = RwLock::new(());

static LEADERS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn leaders() -> MutexGuard<'static, BTreeSet<i32>> {
    LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Declares a child as one that other code waits for by pid: not an orphan, never to be reaped here.
pub(crate) fn register(pid: i32) {
    leaders().insert(pid);
}

pub(crate) fn unregister(pid: i32) {
    leaders().remove(&pid);
}

/// The maximal number of processes that are moved into a cgroup one by one.
const MOVABLE: usize = 4;

/// The resource use of a tree at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    /// Processor time of the leader alone, without children.
    pub(crate) leader_cpu: Duration,
    /// Processor time of all other processes, as far as it can be read.
    pub(crate) other_cpu: Duration,
    pub(crate) memory: u64,
    pub(crate) processes: u32,
    pub(crate) threads: u32,
}

/// The tree below one leader.
#[derive(Debug)]
pub(crate) struct Tree {
    leader: i32,
    /// `FALSUM_RUN=...`, as it is in the environment.
    nonce: Vec<u8>,
    /// Descendants seen so far, by pid and start time, so that they are recognised after they escape.
    seen: BTreeMap<i32, u64>,
    /// Processor time of orphans that we reaped ourselves.
    reaped_cpu: Duration,
    /// At the last scan, a living process that we have adopted was not claimed by this tree.
    met_strangers: bool,
    /// At the last scan, one of them might have been in the middle of an exec, with no environment to read yet; or one
    /// of ours had just died, and may have left children to us.
    undecided: bool,
    /// Children of every thread of the leader count, not only of the first. Reading about a thread makes its end, and
    /// the reaping of the leader, cost milliseconds, so only long runs are scanned this way; a process that a thread
    /// has left behind in a short run is still found when it is orphaned.
    closely: bool,
    /// The leader is dead: its descendants are orphaned.
    headless: bool,
    /// The cgroup of the tree, once it is worthwhile.
    group: Option<Group>,
}

impl Tree {
    pub(crate) fn new(leader: i32, nonce: Vec<u8>) -> Tree {
        Tree {
            leader,
            nonce,
            seen: BTreeMap::new(),
            reaped_cpu: Duration::ZERO,
            met_strangers: false,
            undecided: false,
            closely: false,
            headless: false,
            group: None,
        }
    }

    pub(crate) fn leader(&self) -> i32 {
        self.leader
    }

    pub(crate) fn look_closer(&mut self) {
        self.closely = true;
    }

    /// To be called once the leader is dead.
    pub(crate) fn behead(&mut self) {
        self.headless = true;
    }

    pub(crate) fn reaped_cpu(&self) -> Duration {
        self.reaped_cpu
    }

    /// Descendants of the leader and orphans of the tree with their own descendants; not the leader.
    /// Dead ones that we have adopted are reaped on the way.
    pub(crate) fn others(&mut self) -> Vec<(i32, Stat)> {
        let own = std::process::id() as i32;
        let mut found: Vec<(i32, Stat)> = Vec::new();
        let mut have = BTreeSet::from([self.leader]);
        let mut open = match (self.headless, self.closely) {
            (true, _) => Vec::new(),
            (false, true) => proc_files::children(self.leader),
            (false, false) => proc_files::first_children(self.leader),
        };
        open.extend(self.orphans());
        open.extend(self.group.iter().flat_map(Group::members));
        while let Some(pid) = open.pop() {
            if !have.insert(pid) {
                continue;
            }
            let Some(stat) = proc_files::stat(pid) else { continue };
            self.seen.insert(pid, stat.start);
            // A process that has died since the list of orphans was made is ours to reap, not a child's.
            if stat.is_dead() && (stat.parent != own || self.bury(pid)) {
                continue;
            }
            open.extend(proc_files::children(pid));
            found.push((pid, stat));
        }
        found
    }

    /// Reaps an adopted child that is dead; returns whether it is gone. It is not while one of its threads is still
    /// exiting. Its children were adopted after our scan, so after a reap another scan is needed.
    fn bury(&mut self, pid: i32) -> bool {
        let Ok(reaped) = sys::reap(pid, false) else { return true };
        self.reaped_cpu += reaped.map_or(Duration::ZERO, |r| r.cpu);
        self.undecided |= reaped.is_some();
        reaped.is_some()
    }

    /// The adopted orphans of this tree that are alive. Reaps the dead.
    pub(crate) fn orphans(&mut self) -> Vec<i32> {
        (self.met_strangers, self.undecided) = (false, false);
        let adopted = proc_files::adopted();
        if adopted.is_empty() {
            return adopted;
        }
        let strangers: Vec<i32> = {
            let leaders = leaders();
            adopted.into_iter().filter(|p| !leaders.contains(p)).collect()
        };
        let own = std::process::id() as i32;
        let mut alive = Vec::new();
        let mut unknown_dead = false;
        for pid in strangers {
            let Some(stat) = proc_files::stat(pid).filter(|s| s.parent == own) else { continue };
            let claimed = self.owns(pid, &stat);
            match (claimed, stat.is_dead()) {
                (Some(true), false) => alive.push(pid),
                (Some(true), true) => {
                    if !self.bury(pid) {
                        alive.push(pid);
                    }
                }
                (_, true) => unknown_dead = true,
                (_, false) => {
                    self.met_strangers = true;
                    self.undecided |= claimed.is_none();
                }
            }
        }
        if unknown_dead {
            reap_unknown_zombies();
        }
        alive
    }

    /// Whether scanning again in a moment may show more of the tree.
    pub(crate) fn is_undecided(&self) -> bool {
        self.undecided
    }

    /// Orphans that may have come from this tree but have no mark of any: they left group and session, cleared their
    /// environment, and were never seen under the leader. They are reported, not killed, since they might as well be
    /// the daemon of another program that we started. To be called while the leader is dead but not reaped.
    pub(crate) fn strangers(&self) -> Vec<i32> {
        if !self.met_strangers {
            return Vec::new();
        }
        let own = std::process::id() as i32;
        let (Some(own_stat), Some(leader)) = (proc_files::stat(own), proc_files::stat(self.leader)) else {
            return Vec::new();
        };
        let marked = format!("{NONCE_VARIABLE}={}", owner_nonce());
        let unclaimed = |pid: &i32| {
            proc_files::stat(*pid).is_some_and(|s| {
                s.parent == own
                    && !s.is_dead()
                    && s.group != own_stat.group
                    && s.start >= leader.start
                    && !leaders().contains(pid)
                    && proc_files::environment_has(*pid, marked.as_bytes(), false) != Some(true)
            })
        };
        proc_files::adopted().into_iter().filter(unclaimed).collect()
    }

    /// Whether an adopted process belongs to this tree; `None` if that cannot be decided (yet).
    fn owns(&self, pid: i32, stat: &Stat) -> Option<bool> {
        if self.seen.get(&pid) == Some(&stat.start) || [stat.group, stat.session].contains(&self.leader) {
            return Some(true);
        }
        if let Some(marked) = proc_files::environment_has(pid, &self.nonce, true) {
            return Some(marked);
        }
        // A process that is older than the leader is not below it.
        let older = proc_files::stat(self.leader).is_some_and(|l| stat.start < l.start);
        if older { Some(false) } else { None }
    }

    /// Measures the tree. The sum of resident memory counts pages shared after a fork several times, so when it passes
    /// `suspicious` the exact proportional memory is read instead.
    pub(crate) fn weigh(&mut self, suspicious: u64) -> Weight {
        let mut weight = Weight { other_cpu: self.reaped_cpu, ..Weight::default() };
        let others = self.others();
        if let Some(stat) = proc_files::stat(self.leader) {
            weight.leader_cpu = sys::process_cpu(self.leader).unwrap_or(stat.cpu);
            weight.other_cpu += stat.waited_cpu;
            weight.memory = stat.resident;
            weight.threads = stat.threads;
            weight.processes = u32::from(!stat.is_dead());
        }
        for (_, stat) in &others {
            weight.other_cpu += stat.cpu + stat.waited_cpu;
            weight.memory += stat.resident;
            weight.threads += stat.threads;
        }
        weight.processes += others.len() as u32;
        if weight.memory > suspicious && !others.is_empty() {
            let pids = std::iter::once(self.leader).chain(others.iter().map(|o| o.0));
            weight.memory = pids.filter_map(proc_files::proportional).sum();
        }
        weight
    }

    /// Moves a tree of several processes into a cgroup of its own, unless it is too large to be moved quickly; later
    /// descendants start in it.
    pub(crate) fn gather(&mut self) {
        if self.group.is_some() || self.seen.is_empty() {
            return;
        }
        let others = self.others();
        if others.is_empty() || others.len() > MOVABLE {
            return;
        }
        let Some(group) = Group::create() else { return };
        if group.enter(self.leader) {
            for (pid, _) in &others {
                group.enter(*pid);
            }
            self.group = Some(group);
        }
    }

    pub(crate) fn is_gathered(&self) -> bool {
        self.group.is_some()
    }

    /// Sends a signal to every process of the tree except the leader, which the caller holds by pidfd.
    pub(crate) fn signal_others(&mut self, signal: Signal) -> Vec<i32> {
        if let (Some(group), Signal::KILL) = (&self.group, signal) {
            group.kill();
        }
        let others = self.others();
        others.iter().for_each(|(pid, stat)| signal_exactly(*pid, stat.start, signal));
        others.into_iter().map(|o| o.0).collect()
    }

    /// Kills and reaps all remaining processes once the leader is dead. Returns which processes had to be killed and
    /// which are still there after `patience`.
    pub(crate) fn clear(&mut self, patience: Duration) -> (Vec<i32>, Vec<i32>) {
        let started = Instant::now();
        let mut killed = BTreeSet::new();
        let mut pause = Duration::from_micros(200);
        loop {
            let left = self.signal_others(Signal::KILL);
            killed.extend(&left);
            let waited = started.elapsed();
            let sure = !self.undecided || waited > Duration::from_millis(50);
            if (left.is_empty() && sure) || waited > patience {
                return (killed.into_iter().collect(), left);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// Signals a process only if it is still the one that was examined, so that a reused pid is never hit.
pub(crate) fn signal_exactly(pid: i32, start: u64, signal: Signal) {
    let Some(pid_checked) = Pid::from_raw(pid) else { return };
    let Ok(handle) = pidfd_open(pid_checked, PidfdFlags::empty()) else { return };
    if proc_files::stat(pid).is_some_and(|s| s.start == start) {
        // It may have died meanwhile, which is fine.
        let _ = pidfd_send_signal(&handle, signal);
    }
}

/// Reaps adopted zombies that no tree can claim (they left group and session and died unseen). A child that other code
/// of this program started and waits for is not touched: such a child is in our own process group, while everything
/// below a leader is not.
pub(crate) fn reap_unknown_zombies() {
    let own = std::process::id() as i32;
    let Some(own_stat) = proc_files::stat(own) else { return };
    let candidates: Vec<i32> = proc_files::adopted();
    if candidates.is_empty() {
        return;
    }
    let _nobody_spawns = SPAWNING.write().unwrap_or_else(PoisonError::into_inner);
    for pid in candidates {
        let Some(stat) = proc_files::stat(pid) else { continue };
        let orphan = stat.parent == own && stat.group != own_stat.group && !leaders().contains(&pid);
        if orphan && stat.is_dead() {
            let _ = sys::reap(pid, false);
        }
    }
}
