//! Which strategy does the next unit.
//!
//! Every strategy counts its own units, so unit `u` of a strategy is the same case whatever the others do. *Fixed*
//! gives equal shares in turn. *Yield* is a simple bandit: time is divided into epochs of a fixed number of units, and
//! the shares of an epoch follow how many different findings each strategy had up to two epochs earlier, with a minimum
//! for every strategy. *Learned* shares cost by what is new per cost, fading with time, and also says how units are asked
//! (`learned.rs`). Only finished epochs count, and it does not matter which strategy found something first, so the
//! shares do not depend on the number of workers.

use crate::learned::{Asked, Learner, Tilt};
use std::collections::{BTreeMap, BTreeSet};

/// Units per epoch.
const EPOCH: u64 = 256;

/// Every strategy keeps at least this share of an epoch, in percent, divided by the number of strategies.
const FLOOR_PERCENT: u64 = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Equal shares, in turn
    Fixed,
    /// Shares by what each strategy finds
    Yield,
    /// Shares by what is new per cost
    Learned,
    /// The same, with new code of an instrumented target
    Coverage,
}

impl Schedule {
    pub const ALL: [(&'static str, Schedule); 4] = [
        ("fixed", Schedule::Fixed),
        ("yield", Schedule::Yield),
        ("learned", Schedule::Learned),
        ("coverage", Schedule::Coverage),
    ];

    /// Whether it learns what is worth asking.
    fn learns(self) -> bool {
        matches!(self, Schedule::Learned | Schedule::Coverage)
    }

    pub fn word(self) -> &'static str {
        Schedule::ALL.iter().find(|(_, schedule)| *schedule == self).map_or("", |(word, _)| word)
    }
}

/// The results of a strategy in one epoch.
#[derive(Clone, Debug, Default)]
struct Harvest {
    /// Units handed out.
    given: u64,
    /// Units handed out and not finished.
    open: u64,
    /// The signatures of its findings.
    signatures: BTreeSet<String>,
    /// Its cases by unit, if they are learnt from.
    asked: BTreeMap<u64, Vec<Asked>>,
}

/// Hands out units.
pub struct Planner {
    schedule: Schedule,
    /// The next unit of each strategy.
    next: Vec<u64>,
    given: u64,
    /// Per epoch and strategy.
    harvests: Vec<Vec<Harvest>>,
    /// The shares of the current epoch, in units.
    shares: Vec<u64>,
    /// Of strategies that learn: the first unit that must wait until the epoch before it is learnt.
    held: Vec<Option<u64>>,
    learner: Learner,
    /// How the next epochs are asked, until it is taken.
    tilt: Option<(usize, Tilt)>,
}

/// One unit of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub strategy: usize,
    pub unit: u64,
    pub epoch: usize,
}

impl Planner {
    /// Begins, or resumes, at these units.
    pub fn new(schedule: Schedule, next: Vec<u64>) -> Planner {
        let count = next.len();
        let (shares, held) = (vec![EPOCH / count as u64; count], vec![None; count]);
        let learner = Learner::new(count, true);
        Planner { schedule, next, given: 0, harvests: vec![], shares, held, learner, tilt: None }
    }

    /// The same, where cost is the number of cases and not their time, so that no clock decides what is done.
    pub fn by_cases(mut self) -> Planner {
        self.learner = Learner::new(self.next.len(), false);
        self
    }

    /// How an epoch that has just begun is asked, once.
    pub fn take_tilt(&mut self) -> Option<(usize, Tilt)> {
        self.tilt.take()
    }

    /// From this unit on a strategy waits; `None` removes the limit.
    pub fn hold(&mut self, strategy: usize, from: Option<u64>) {
        self.held[strategy] = from;
    }

    fn may(&self, strategy: usize) -> bool {
        self.held[strategy].is_none_or(|from| self.next[strategy] < from)
    }

    /// The next unit, in an order that depends only on finished epochs. `None`: wait for results first.
    pub fn next_unit(&mut self) -> Option<Unit> {
        let count = self.next.len() as u64;
        let epoch = (self.given / EPOCH) as usize;
        if self.given.is_multiple_of(EPOCH) && !self.begin_epoch(epoch) {
            return None;
        }
        let strategy = match self.schedule {
            Schedule::Fixed => {
                let turn = self.given % count;
                (0..count).map(|n| ((turn + n) % count) as usize).find(|&s| self.may(s))?
            }
            Schedule::Yield | Schedule::Learned | Schedule::Coverage => self.by_share(epoch)?,
        };
        let unit = self.next[strategy];
        self.next[strategy] += 1;
        self.given += 1;
        let harvest = &mut self.harvests[epoch][strategy];
        harvest.given += 1;
        harvest.open += 1;
        Some(Unit { strategy, unit, epoch })
    }

    /// Sets the shares of an epoch; the epoch before the last must be finished.
    fn begin_epoch(&mut self, epoch: usize) -> bool {
        if self.harvests.len() <= epoch {
            if self.schedule != Schedule::Fixed && epoch >= 2 {
                if self.harvests[epoch - 2].iter().any(|harvest| harvest.open > 0) {
                    return false;
                }
                if self.schedule.learns() {
                    self.learn(epoch);
                } else {
                    self.shares = self.shares_after(epoch - 2);
                }
            }
            self.harvests.push(vec![Harvest::default(); self.next.len()]);
        }
        true
    }

    /// Learns from the epoch before the last, and decides about this one.
    fn learn(&mut self, epoch: usize) {
        let mut units = BTreeMap::new();
        for (strategy, harvest) in self.harvests[epoch - 2].iter_mut().enumerate() {
            let asked = std::mem::take(&mut harvest.asked);
            units.extend(asked.into_iter().map(|(unit, cases)| ((strategy, unit), cases)));
        }
        self.learner.learn(&units);
        self.shares = self.learner.shares(EPOCH);
        self.tilt = Some((epoch, self.learner.tilt()));
    }

    /// The shares that follow from all findings up to an epoch.
    fn shares_after(&self, last: usize) -> Vec<u64> {
        let count = self.next.len() as u64;
        let different = |strategy: usize| -> u64 {
            let epochs = self.harvests[..=last].iter();
            let all: BTreeSet<&String> = epochs.flat_map(|epoch| &epoch[strategy].signatures).collect();
            all.len() as u64
        };
        let bugs: Vec<u64> = (0..self.next.len()).map(different).collect();
        let total: u64 = bugs.iter().sum();
        if total == 0 {
            return vec![EPOCH / count; count as usize];
        }
        let floor = EPOCH * FLOOR_PERCENT / 100 / count;
        let free = EPOCH - floor * count;
        bugs.iter().map(|bugs| floor + free * bugs / total).collect()
    }

    /// Spreads the shares evenly over an epoch: chooses the strategy that is furthest behind its share.
    fn by_share(&self, epoch: usize) -> Option<usize> {
        let used = |s: usize| self.harvests[epoch][s].given * EPOCH / self.shares[s].max(1);
        (0..self.next.len()).filter(|&s| self.may(s)).min_by_key(|&s| (used(s), s))
    }

    /// Counts a finished unit.
    pub fn finished(&mut self, unit: Unit, asked: Vec<Asked>) {
        let harvest = &mut self.harvests[unit.epoch][unit.strategy];
        harvest.open = harvest.open.saturating_sub(1);
        harvest.signatures.extend(asked.iter().flat_map(|asked| asked.bugs.iter().cloned()));
        if self.schedule.learns() {
            harvest.asked.insert(unit.unit, asked);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_shares_take_turns() {
        let mut planner = Planner::new(Schedule::Fixed, vec![0, 10]);
        let taken: Vec<(usize, u64)> =
            (0..4).filter_map(|_| planner.next_unit()).map(|u| (u.strategy, u.unit)).collect();
        assert_eq!(taken, [(0, 0), (1, 10), (0, 1), (1, 11)]);
    }

    #[test]
    fn a_strategy_that_finds_more_gets_a_larger_share_and_the_others_keep_their_minimum() {
        let mut planner = Planner::new(Schedule::Yield, vec![0, 0]);
        let mut given = [0u64; 2];
        for n in 0..EPOCH * 4 {
            let unit = planner.next_unit().unwrap();
            if n >= EPOCH * 3 {
                given[unit.strategy] += 1;
            }
            let found = (unit.strategy == 1).then(|| format!("{n}"));
            planner.finished(unit, vec![Asked { bugs: found.into_iter().collect(), ..Asked::default() }]);
        }
        assert!(given[1] > given[0] * 2, "{given:?}");
        assert!(given[0] * 100 >= EPOCH * FLOOR_PERCENT / 2 - 100, "{given:?}");
    }

    #[test]
    fn a_learned_schedule_follows_what_is_new_and_says_how_to_ask_from_the_third_epoch_on() {
        let mut planner = Planner::new(Schedule::Learned, vec![0, 0]).by_cases();
        let (mut given, mut tilts) = ([0u64; 2], vec![]);
        for n in 0..EPOCH * 4 {
            let unit = planner.next_unit().unwrap();
            tilts.extend(planner.take_tilt().map(|(epoch, _)| epoch));
            if n >= EPOCH * 3 {
                given[unit.strategy] += 1;
            }
            let found = (unit.strategy == 1).then(|| format!("{n}"));
            planner.finished(unit, vec![Asked { bugs: found.into_iter().collect(), ..Asked::default() }]);
        }
        assert!(given[1] > given[0] * 2, "{given:?}");
        assert!(given[0] >= EPOCH / 10, "{given:?}");
        assert_eq!(tilts, [2, 3]);
    }

    #[test]
    fn shares_wait_for_the_epoch_before_the_last() {
        let mut planner = Planner::new(Schedule::Yield, vec![0, 0]);
        let units: Vec<Unit> = std::iter::from_fn(|| planner.next_unit()).take(EPOCH as usize * 3).collect();
        assert_eq!(units.len() as u64, EPOCH * 2);
        units.iter().for_each(|&unit| planner.finished(unit, vec![]));
        assert!(planner.next_unit().is_some());
    }

    #[test]
    fn a_strategy_that_learns_waits_for_its_epoch_and_the_others_continue() {
        let mut planner = Planner::new(Schedule::Fixed, vec![0, 0]);
        planner.hold(0, Some(2));
        let taken: Vec<(usize, u64)> =
            (0..6).filter_map(|_| planner.next_unit()).map(|u| (u.strategy, u.unit)).collect();
        assert_eq!(taken, [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (1, 3)]);
        planner.hold(0, Some(4));
        assert_eq!(planner.next_unit().map(|u| (u.strategy, u.unit)), Some((0, 2)));
    }
}
