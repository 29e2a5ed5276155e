//! Which strategy does the next unit.
//!
//! Every strategy counts its own units, so unit `u` of a strategy is the same case whatever the others do. *Fixed*
//! gives equal shares in turn. *Yield* is a simple bandit: time is divided into epochs of a fixed number of units, and
//! the shares of an epoch follow how many different findings each strategy had up to two epochs earlier, with a minimum
//! for every strategy. *Learned* shares cost by what is new per cost, fading with time, and also says how units are asked
//! (`learned.rs`). Only finished epochs count, and it does not matter which strategy found something first, so the
//! shares do not depend on the number of workers.
//!
//! The order of units is that of the whole campaign: every shard walks it, and a run that goes on walks it again from
//! the beginning, leaving out what is done. The [`Planner`] walks; it asks for the [`Settled`] shares of an epoch
//! ([`Planner::wants`]) and gives a [`Report`] of every epoch that has ended. A [`Chooser`] makes shares from reports.

use crate::harvest::{Harvested, Report, Reported};
use crate::learned::{Asked, Learner, Tilt};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Units per epoch, where the user names no number.
pub const EPOCH: u64 = 256;

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

/// How the units of an epoch are shared, and how they are asked. All shards follow the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// Units per strategy.
    pub shares: Vec<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tilt: Option<Tilt>,
    /// Shards whose reports were not there in time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<u64>,
}

/// Makes shares from the reports of all shards.
pub struct Chooser {
    schedule: Schedule,
    len: u64,
    by_time: bool,
    learner: Learner,
    /// The signatures of each strategy's findings.
    found: Vec<BTreeSet<String>>,
    /// Reports that were not taken in yet, by epoch and shard.
    waiting: BTreeMap<(usize, u64), Report>,
    /// What was taken in.
    taken: BTreeSet<(usize, u64)>,
}

impl Chooser {
    pub fn new(schedule: Schedule, strategies: usize, len: u64, by_time: bool) -> Chooser {
        let learner = Learner::new(strategies, by_time);
        let (found, waiting, taken) = (vec![BTreeSet::new(); strategies], BTreeMap::new(), BTreeSet::new());
        Chooser { schedule, len, by_time, learner, found, waiting, taken }
    }

    /// Hears reports; one that it has heard is ignored, and one about other strategies too.
    pub fn hear(&mut self, reports: Vec<Report>) {
        let strategies = self.found.len();
        for report in reports {
            let fits = report.units.len() == strategies
                && report.arms.iter().all(|arm| arm.strategy < strategies)
                && report.told.iter().all(|told| told.strategy < strategies);
            let key = (report.epoch, report.shard);
            if fits && !self.taken.contains(&key) {
                self.waiting.entry(key).or_insert(report);
            }
        }
    }

    /// Which of this many shards have not reported an epoch.
    pub fn missing(&self, epoch: usize, shards: u64) -> Vec<u64> {
        let there = |shard: &u64| {
            self.waiting.contains_key(&(epoch, *shard)) || self.taken.contains(&(epoch, *shard))
        };
        (0..shards).filter(|shard| !there(shard)).collect()
    }

    /// The shares of an epoch, from what was heard about the epochs up to two before it.
    pub fn choose(&mut self, epoch: usize, missing: Vec<u64>) -> Settled {
        while let Some(&(first, _)) = self.waiting.keys().next().filter(|(first, _)| first + 2 <= epoch) {
            let later = self.waiting.split_off(&(first + 1, 0));
            let reports: Vec<Report> = std::mem::replace(&mut self.waiting, later).into_values().collect();
            self.taken.extend(reports.iter().map(|report| (report.epoch, report.shard)));
            for (strategy, signature) in reports.iter().flat_map(Report::signatures) {
                self.found[strategy].insert(signature.clone());
            }
            if self.schedule.learns() {
                self.learner.learn(&reports);
            }
        }
        match self.schedule.learns() {
            true => {
                let tilt = self.by_time.then(|| self.learner.tilt());
                Settled { shares: self.learner.shares(self.len), tilt, missing }
            }
            false => Settled { shares: self.by_yield(), tilt: None, missing },
        }
    }

    /// The shares that follow from all findings.
    fn by_yield(&self) -> Vec<u64> {
        let count = self.found.len() as u64;
        let bugs: Vec<u64> = self.found.iter().map(|found| found.len() as u64).collect();
        let total: u64 = bugs.iter().sum();
        if total == 0 {
            return vec![(self.len / count).max(1); count as usize];
        }
        let floor = self.len * FLOOR_PERCENT / 100 / count;
        let free = self.len - floor * count;
        bugs.iter().map(|bugs| floor + free * bugs / total).collect()
    }
}

/// The results of one epoch in this shard.
#[derive(Clone, Debug, Default)]
struct Harvest {
    /// Units handed out, per strategy.
    given: Vec<u64>,
    /// Units handed out and not finished.
    open: u64,
    /// Cases of this shard's units.
    cases: Harvested,
}

/// How many epochs may be shorter than the others.
const SHORT: usize = 6;

/// Hands out units.
pub struct Planner {
    schedule: Schedule,
    len: u64,
    by_time: bool,
    shard: u64,
    /// The next unit of each strategy.
    next: Vec<u64>,
    given: u64,
    /// Epochs that have begun and were not reported.
    harvests: BTreeMap<usize, Harvest>,
    /// The shares of the current epoch, in units.
    shares: Vec<u64>,
    /// The last epoch whose shares are known.
    settled: usize,
    /// Of strategies that learn: the first unit that must wait until the epoch before it is learnt.
    held: Vec<Option<u64>>,
    reported: Reported,
}

/// One unit of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unit {
    pub strategy: usize,
    pub unit: u64,
    pub epoch: usize,
}

impl Planner {
    /// For a shard of a campaign with so many strategies and units per epoch. `by_time`: a clock may decide what is
    /// done; otherwise a strategy that must wait is waited for, and the order of units depends on nothing else.
    pub fn new(schedule: Schedule, strategies: usize, len: u64, by_time: bool, shard: u64) -> Planner {
        let len = len.max(strategies as u64);
        Planner {
            schedule,
            len,
            by_time,
            shard,
            next: vec![0; strategies],
            given: 0,
            harvests: BTreeMap::new(),
            shares: vec![(len / strategies as u64).max(1); strategies],
            settled: 1,
            held: vec![None; strategies],
            reported: Reported::new(),
        }
    }

    /// Repeats what this shard reported in earlier runs.
    pub fn remember(&mut self, reports: &[Report]) {
        reports.iter().for_each(|report| report.remember(&mut self.reported));
    }

    /// How many units an epoch has. A schedule that learns begins with short ones: two of an eighth, two of a quarter and two
    /// of half the length, so that a hunt of minutes learns too.
    fn size(&self, epoch: usize) -> u64 {
        let halvings = if self.schedule.learns() { 3_usize.saturating_sub(epoch / 2) } else { 0 };
        (self.len >> halvings).max(self.next.len() as u64)
    }

    /// The number of units before an epoch.
    fn begins(&self, epoch: usize) -> u64 {
        (0..epoch.min(SHORT)).map(|n| self.size(n)).sum::<u64>()
            + epoch.saturating_sub(SHORT) as u64 * self.len
    }

    /// The epoch of the next unit.
    fn epoch(&self) -> usize {
        let short = (0..SHORT).find(|&epoch| self.given < self.begins(epoch + 1));
        short.unwrap_or_else(|| SHORT + ((self.given - self.begins(SHORT)) / self.len) as usize)
    }

    /// The epoch whose shares must be settled before the next unit.
    pub fn wants(&self) -> Option<usize> {
        let epoch = self.epoch();
        (self.schedule != Schedule::Fixed && epoch > self.settled).then_some(epoch)
    }

    /// Sets the shares of the epoch that is wanted.
    pub fn settle(&mut self, epoch: usize, settled: &Settled) {
        // A file of another campaign cannot make us count beyond our strategies.
        if settled.shares.len() == self.next.len() {
            self.shares.clone_from(&settled.shares);
        }
        self.settled = epoch;
    }

    /// From this unit on a strategy waits; `None` removes the limit.
    pub fn hold(&mut self, strategy: usize, from: Option<u64>) {
        self.held[strategy] = from;
    }

    fn may(&self, strategy: usize) -> bool {
        self.held[strategy].is_none_or(|from| self.next[strategy] < from)
    }

    /// The next unit, in an order that depends only on settled shares. `None`: wait for results first.
    pub fn next_unit(&mut self) -> Option<Unit> {
        if self.wants().is_some() {
            return None;
        }
        let epoch = self.epoch();
        let strategies = self.next.len();
        let harvest = self.harvests.entry(epoch).or_default();
        harvest.given.resize(strategies, 0);
        let strategy = match self.schedule {
            Schedule::Fixed => self.in_turn()?,
            Schedule::Yield | Schedule::Learned | Schedule::Coverage => self.by_share(epoch)?,
        };
        let unit = self.next[strategy];
        self.next[strategy] += 1;
        self.given += 1;
        if let Some(harvest) = self.harvests.get_mut(&epoch) {
            harvest.given[strategy] += 1;
            harvest.open += 1;
        }
        Some(Unit { strategy, unit, epoch })
    }

    fn in_turn(&self) -> Option<usize> {
        let count = self.next.len() as u64;
        let turn = self.given % count;
        let mut all = (0..count).map(|n| ((turn + n) % count) as usize);
        if self.by_time { all.find(|&s| self.may(s)) } else { all.next().filter(|&s| self.may(s)) }
    }

    /// Spreads the shares evenly over an epoch: chooses the strategy that is furthest behind its share.
    fn by_share(&self, epoch: usize) -> Option<usize> {
        let given = &self.harvests.get(&epoch)?.given;
        let used = |s: usize| given[s] * self.len / self.shares[s].max(1);
        let all = (0..self.next.len()).filter(|&s| !self.by_time || self.may(s));
        all.min_by_key(|&s| (used(s), s)).filter(|&s| self.may(s))
    }

    /// Counts a finished unit: `None` if another shard does it.
    pub fn finished(&mut self, unit: Unit, asked: Option<Vec<Asked>>) {
        let Some(harvest) = self.harvests.get_mut(&unit.epoch) else { return };
        harvest.open = harvest.open.saturating_sub(1);
        if let Some(asked) = asked.filter(|_| self.schedule != Schedule::Fixed) {
            harvest.cases.insert((unit.strategy, unit.unit), asked);
        }
    }

    /// The report of the oldest epoch that was not reported, if it has ended.
    pub fn ended(&mut self) -> Option<Report> {
        let (&epoch, harvest) = self.harvests.first_key_value()?;
        if harvest.open > 0 || self.given < self.begins(epoch + 1) {
            return None;
        }
        let cases = self.harvests.remove(&epoch)?.cases;
        let strategies = self.next.len();
        let by_time = self.by_time && self.schedule.learns();
        Some(Report::of(epoch, self.shard, strategies, &cases, by_time, &mut self.reported))
    }

    /// Whether an epoch has begun and was not reported.
    pub fn is_open(&self, epoch: usize) -> bool {
        self.harvests.contains_key(&epoch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks a campaign of so many shards in step, for so many units; `found` says what a unit finds. Returns the order
    /// of units.
    fn walk(
        schedule: Schedule,
        shards: u64,
        units: u64,
        found: impl Fn(Unit) -> Option<String>,
    ) -> Vec<(usize, u64)> {
        let mut planners: Vec<Planner> =
            (0..shards).map(|shard| Planner::new(schedule, 2, EPOCH, false, shard)).collect();
        let mut chooser = Chooser::new(schedule, 2, EPOCH, false);
        let mut order = vec![];
        for n in 0..units {
            for (shard, planner) in planners.iter_mut().enumerate() {
                if let Some(epoch) = planner.wants() {
                    assert_eq!(chooser.missing(epoch - 2, shards), [] as [u64; 0]);
                    let settled = chooser.choose(epoch, vec![]);
                    planner.settle(epoch, &settled);
                }
                let unit = planner.next_unit().unwrap();
                let bugs = found(unit).into_iter().collect();
                let ours = unit.unit % shards == shard as u64;
                planner.finished(unit, ours.then(|| vec![Asked { bugs, ..Asked::default() }]));
                if shard == 0 {
                    order.push((unit.strategy, unit.unit));
                } else {
                    assert_eq!(order.last(), Some(&(unit.strategy, unit.unit)), "unit {n} differs");
                }
            }
            planners.iter_mut().for_each(|planner| chooser.hear(planner.ended().into_iter().collect()));
        }
        order
    }

    fn given(order: &[(usize, u64)], from: u64) -> [usize; 2] {
        let count = |strategy| order[from as usize..].iter().filter(|unit| unit.0 == strategy).count();
        [count(0), count(1)]
    }

    #[test]
    fn fixed_shares_take_turns() {
        let taken = walk(Schedule::Fixed, 1, 4, |_| None);
        assert_eq!(taken, [(0, 0), (1, 0), (0, 1), (1, 1)]);
    }

    #[test]
    fn a_strategy_that_finds_more_gets_a_larger_share_and_the_others_keep_their_minimum() {
        let found = |unit: Unit| (unit.strategy == 1).then(|| format!("{}", unit.unit));
        for schedule in [Schedule::Yield, Schedule::Learned] {
            let order = walk(schedule, 1, EPOCH * 4, found);
            let given = given(&order, EPOCH * 3);
            assert!(given[1] > given[0] * 2, "{given:?}");
            assert!(given[0] as u64 >= EPOCH / 10, "{given:?}");
        }
    }

    #[test]
    fn every_number_of_shards_walks_the_same_units_with_every_schedule() {
        let found = |unit: Unit| {
            unit.unit.is_multiple_of(3).then(|| format!("{}", unit.unit % 50 * unit.strategy as u64))
        };
        for (_, schedule) in Schedule::ALL {
            let one = walk(schedule, 1, EPOCH * 5, found);
            assert_eq!(walk(schedule, 3, EPOCH * 5, found), one);
            assert_eq!(walk(schedule, 8, EPOCH * 5, found), one);
        }
    }

    #[test]
    fn a_learned_schedule_says_how_to_ask_where_time_is_the_cost() {
        let mut chooser = Chooser::new(Schedule::Learned, 1, EPOCH, true);
        chooser.hear(vec![Report { units: vec![1], ..Report::default() }]);
        assert!(chooser.choose(2, vec![]).tilt.is_some());
        // A report about other strategies is no report of ours.
        chooser.hear(vec![Report { epoch: 1, units: vec![1, 2], ..Report::default() }]);
        assert_eq!(chooser.missing(1, 2), [0, 1]);
    }

    #[test]
    fn a_schedule_that_learns_begins_with_short_epochs() {
        let epochs = |schedule: Schedule| -> Vec<u64> {
            let mut planner = Planner::new(schedule, 2, 64, false, 0);
            (0..6)
                .map(|epoch| {
                    if let Some(wanted) = planner.wants() {
                        planner.settle(wanted, &Settled { shares: vec![1, 1], ..Settled::default() });
                    }
                    let units =
                        std::iter::from_fn(|| (planner.epoch() == epoch).then(|| planner.next_unit())?);
                    units.count() as u64
                })
                .collect()
        };
        assert_eq!(epochs(Schedule::Learned), [8, 8, 16, 16, 32, 32]);
        assert_eq!(epochs(Schedule::Yield), [64; 6]);
        let planner = Planner::new(Schedule::Learned, 2, 64, false, 0);
        assert_eq!((planner.begins(7), Planner { given: 176, ..planner }.epoch()), (176, 7));
    }

    #[test]
    fn shares_wait_for_the_epoch_before_the_last() {
        let mut planner = Planner::new(Schedule::Yield, 2, EPOCH, false, 0);
        let units: Vec<Unit> = std::iter::from_fn(|| planner.next_unit()).take(EPOCH as usize * 3).collect();
        assert_eq!(units.len() as u64, EPOCH * 2);
        assert_eq!(planner.wants(), Some(2));
        assert_eq!(planner.ended(), None);
        units.iter().for_each(|&unit| planner.finished(unit, Some(vec![])));
        assert_eq!(planner.ended().map(|report| report.epoch), Some(0));
        assert_eq!(planner.ended().map(|report| report.epoch), Some(1));
        planner.settle(2, &Settled { shares: vec![1, 255], ..Settled::default() });
        assert!(planner.next_unit().is_some());
    }

    #[test]
    fn a_strategy_that_learns_waits_for_its_epoch_and_the_others_continue_where_a_clock_may_decide() {
        let take = |planner: &mut Planner| -> Vec<(usize, u64)> {
            (0..6).filter_map(|_| planner.next_unit()).map(|u| (u.strategy, u.unit)).collect()
        };
        let mut planner = Planner::new(Schedule::Fixed, 2, EPOCH, true, 0);
        planner.hold(0, Some(2));
        assert_eq!(take(&mut planner), [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (1, 3)]);
        planner.hold(0, Some(4));
        assert_eq!(planner.next_unit().map(|u| (u.strategy, u.unit)), Some((0, 2)));
        for schedule in [Schedule::Fixed, Schedule::Yield] {
            let mut planner = Planner::new(schedule, 2, EPOCH, false, 0);
            planner.hold(0, Some(2));
            assert_eq!(take(&mut planner), [(0, 0), (1, 0), (0, 1), (1, 1)]);
        }
    }
}
