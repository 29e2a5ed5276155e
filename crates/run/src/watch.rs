//! The clocks of a run: which limit is exceeded, and when to measure again.
//!
//! Time is monotonic. The tree is measured on a timer only (never for a run that ends within the first 50 ms), and
//! sooner when the last measurement shows that a limit is near. A limit of processor time is watched by the leader's
//! own clock, which costs two system calls and does not read /proc: reading about a process there also makes reaping it
//! more expensive. If we wake much later than requested, we were suspended (Ctrl-Z, a frozen machine): that time is
//! subtracted from the wall clock.

use crate::outcome::Why;
use crate::spec::Limits;
use crate::sys;
use crate::tree::{Tree, Weight};
use std::time::{Duration, Instant};

/// The regular interval between two measurements; also the longest sleep, so that a pause is noticed.
const REGULAR: Duration = Duration::from_millis(100);
/// The first measurement: most queries have ended by then.
const FIRST: Duration = Duration::from_millis(50);
/// The shortest interval between two measurements.
const HURRIED: Duration = Duration::from_millis(5);
/// After this long in one run or request, the descendants of every thread are searched.
const THOROUGH: Duration = Duration::from_millis(500);
/// A wake-up this much later than requested means that we were suspended, not just slow.
const SUSPENDED: Duration = Duration::from_millis(300);

/// Clocks and limits of one run, or of one request of a session.
#[derive(Debug)]
pub(crate) struct Watch {
    limits: Limits,
    started: Instant,
    deadline: Option<Instant>,
    paused: Duration,
    last_awake: Instant,
    next_look: Instant,
    /// When the leader's clock is read, if processor time is limited.
    next_clock: Option<Instant>,
    cpu_at_start: Duration,
    weight: Weight,
    peak: u64,
}

impl Watch {
    pub(crate) fn new(limits: &Limits) -> Watch {
        let now = Instant::now();
        Watch {
            limits: limits.clone(),
            started: now,
            deadline: limits.wall.and_then(|w| now.checked_add(w)),
            paused: Duration::ZERO,
            last_awake: now,
            next_look: now + FIRST,
            next_clock: first_clock(limits, now),
            cpu_at_start: Duration::ZERO,
            weight: Weight::default(),
            peak: 0,
        }
    }

    /// Starts over for the next request of a session: new limits, clocks at zero, the peak kept.
    pub(crate) fn restart(&mut self, limits: &Limits, leader: i32) {
        let now = Instant::now();
        let last_look = self.next_look;
        if self.limits != *limits {
            self.limits = limits.clone();
        }
        self.started = now;
        self.deadline = limits.wall.and_then(|w| now.checked_add(w));
        self.paused = Duration::ZERO;
        self.last_awake = now;
        // A measurement that is due stays due, so that many short requests are measured as often as a long one.
        self.next_look = last_look.clamp(now, now + FIRST);
        self.next_clock = first_clock(limits, now);
        if limits.cpu.is_some() {
            let leader_cpu = sys::process_cpu(leader).unwrap_or(self.weight.leader_cpu);
            self.cpu_at_start = leader_cpu + self.weight.other_cpu;
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn paused(&self) -> Duration {
        self.paused
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    pub(crate) fn weight(&self) -> Weight {
        self.weight
    }

    pub(crate) fn saw_memory(&mut self, bytes: u64) {
        self.peak = self.peak.max(bytes);
    }

    /// How long to sleep at most before checking the clocks again.
    pub(crate) fn nap(&self, now: Instant) -> Duration {
        let look = self.next_look.saturating_duration_since(now);
        let until = |time: Option<Instant>| time.map_or(REGULAR, |t| t.saturating_duration_since(now));
        look.min(until(self.next_clock)).min(until(self.deadline)).min(REGULAR)
    }

    /// To be called after every sleep, with the requested time.
    pub(crate) fn woke(&mut self, now: Instant, asked: Duration) {
        let late = now.saturating_duration_since(self.last_awake).saturating_sub(asked);
        if late > SUSPENDED {
            self.paused += late;
            self.deadline = self.deadline.map(|d| d + late);
        }
        self.last_awake = now;
    }

    /// Which limit is exceeded, if any. Measures the tree when it is due.
    pub(crate) fn check(&mut self, now: Instant, tree: &mut Tree) -> Option<Why> {
        if self.next_clock.is_some_and(|due| now >= due) {
            let leader = sys::process_cpu(tree.leader()).unwrap_or_default();
            self.weight.leader_cpu = self.weight.leader_cpu.max(leader);
            if self.is_spent() {
                return Some(Why::Cpu);
            }
            self.next_clock = self.until_spent().map(|left| now + left);
        }
        if now >= self.next_look {
            if now.saturating_duration_since(self.started) >= THOROUGH {
                tree.look_closer();
            }
            self.look(now, tree);
            if let Some(why) = self.over_weight() {
                return Some(why);
            }
            tree.gather();
        }
        self.deadline.is_some_and(|d| now >= d).then_some(Why::Wall)
    }

    /// Measures the tree now.
    pub(crate) fn look(&mut self, now: Instant, tree: &mut Tree) {
        let before = self.weight;
        self.weight = tree.weigh(self.limits.memory.unwrap_or(u64::MAX));
        // Processor time that was measured once has been used, even if its process has ended.
        self.weight.leader_cpu = self.weight.leader_cpu.max(before.leader_cpu);
        self.weight.other_cpu = self.weight.other_cpu.max(before.other_cpu);
        self.saw_memory(self.weight.memory);
        self.next_look = now + self.until_next(before);
    }

    fn used_cpu(&self) -> Duration {
        (self.weight.leader_cpu + self.weight.other_cpu).saturating_sub(self.cpu_at_start)
    }

    fn is_spent(&self) -> bool {
        self.limits.cpu.is_some_and(|most| self.used_cpu() >= most)
    }

    /// How long the remaining processor time lasts at least.
    fn until_spent(&self) -> Option<Duration> {
        let left = self.limits.cpu?.saturating_sub(self.used_cpu()) / self.weight.threads.max(1);
        Some(left.clamp(HURRIED, REGULAR))
    }

    fn over_weight(&self) -> Option<Why> {
        let limits = &self.limits;
        if limits.processes.is_some_and(|most| self.weight.processes > most) {
            Some(Why::Processes)
        } else if limits.memory.is_some_and(|most| self.weight.memory > most) {
            Some(Why::Memory)
        } else if self.is_spent() {
            Some(Why::Cpu)
        } else {
            None
        }
    }

    /// The next measurement comes early enough that no limit can be exceeded by far in between.
    fn until_next(&self, before: Weight) -> Duration {
        let mut next = REGULAR;
        if self.weight.processes > 1 {
            next = next.min(self.until_spent().unwrap_or(REGULAR));
        }
        if let Some(most) = self.limits.memory {
            let growth = self.weight.memory.saturating_sub(before.memory);
            if self.weight.memory.saturating_add(growth.saturating_mul(2)) > most {
                next = next.min(HURRIED);
            }
        }
        if self.weight.processes > before.processes + 4 {
            next = next.min(HURRIED);
        }
        next.max(HURRIED)
    }
}

/// The earliest time at which a limit of processor time can be exceeded.
fn first_clock(limits: &Limits, now: Instant) -> Option<Instant> {
    limits.cpu.map(|most| now + most.clamp(HURRIED, REGULAR))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(wall_ms: u64) -> Limits {
        Limits { wall: Some(Duration::from_millis(wall_ms)), ..Limits::default() }
    }

    #[test]
    fn time_that_we_were_suspended_is_subtracted_from_the_wall_clock() {
        let mut watch = Watch::new(&limits(1000));
        let mut tree = Tree::new(i32::MAX, Vec::new());
        let start = watch.started;
        let asked = Duration::from_millis(100);
        watch.woke(start + Duration::from_millis(101), asked);
        assert_eq!(watch.paused(), Duration::ZERO);
        // Five seconds pass in a sleep of 100 ms.
        watch.woke(start + Duration::from_millis(5101), asked);
        assert_eq!(watch.paused(), Duration::from_millis(4900));
        assert_eq!(watch.check(start + Duration::from_millis(5800), &mut tree), None);
        assert_eq!(watch.check(start + Duration::from_millis(5901), &mut tree), Some(Why::Wall));
    }

    #[test]
    fn a_slow_wake_up_is_not_a_pause() {
        let mut watch = Watch::new(&limits(1000));
        let start = watch.started;
        watch.woke(start + Duration::from_millis(350), Duration::from_millis(100));
        assert_eq!(watch.paused(), Duration::ZERO);
    }

    #[test]
    fn sleeps_end_at_the_deadline_and_are_never_longer_than_the_regular_interval() {
        let watch = Watch::new(&limits(20));
        assert!(watch.nap(watch.started) <= Duration::from_millis(20));
        let endless = Watch::new(&Limits { wall: None, ..Limits::default() });
        assert!(endless.nap(endless.started) <= REGULAR);
    }
}
