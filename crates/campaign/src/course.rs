//! The course of one shard through its campaign: which unit comes next, and the epochs on the way.
//!
//! In: the schedule, what this shard finished, and the files in which shards tell each other what they found
//! (`store::Exchange`). Out: units, in the order of the whole campaign; the dispatcher leaves out those of other shards
//! and those that are done. The shares of an epoch are settled once for all shards: by shard 0, and if it does not, by
//! the next one a little later. Reports of the other shards are waited for, but not longer than a stated time: then the
//! shares follow from what is there, and that is recorded. A shard that was missing is not waited for again before it
//! has caught up. So shards of which only some run at a time, or one that dies, delay the others once and never stop
//! them.

use crate::assignment::Budget;
use crate::error::Result;
use crate::harvest::Report;
use crate::learned::{Asked, Tilt};
use crate::schedule::{Chooser, EPOCH, Planner, Schedule, Settled, Unit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::Exchange;

/// How the shards of a campaign keep in step.
#[derive(Clone, Debug)]
pub struct Sharing {
    /// Units of an epoch.
    pub epoch: u64,
    /// A folder that all shards see.
    pub exchange: Option<PathBuf>,
    /// How long the reports of other shards are waited for.
    pub patience: Duration,
}

impl Default for Sharing {
    fn default() -> Sharing {
        Sharing { epoch: EPOCH, exchange: None, patience: Duration::from_secs(60) }
    }
}

/// Between two looks at what other shards have written.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How much later each further shard settles an epoch that no shard before it has settled.
const STAGGER: Duration = Duration::from_secs(2);

/// The next step.
pub enum Next {
    Unit(Unit),
    /// Units of this shard must be finished first.
    Later,
    /// Other shards must report first.
    Shards,
}

pub struct Course {
    planner: Planner,
    chooser: Chooser,
    /// Not needed by a fixed schedule.
    exchange: Option<Exchange>,
    shard: (u64, u64),
    patience: Duration,
    /// What came of this shard's units in epochs that were not reported.
    notes: BTreeMap<(usize, u64), (Unit, Vec<Asked>)>,
    /// The last epoch that this shard has reported.
    reported: Option<usize>,
    /// The epoch that is wanted, since when, and when we looked last.
    wanted: Option<(usize, Instant, Option<Instant>)>,
    /// Shards that were missing when the last epoch was settled.
    missing: Vec<u64>,
    tilt: Option<(usize, Tilt)>,
    remarks: Vec<String>,
}

impl Course {
    pub fn begin(dir: &Path, strategies: usize, budget: &Budget) -> Result<Course> {
        let (schedule, by_time) = (budget.schedule, budget.cases.is_none());
        let Sharing { epoch, exchange, patience } = &budget.sharing;
        let mut planner = Planner::new(schedule, strategies, *epoch, by_time, budget.shard.0);
        let chooser = Chooser::new(schedule, strategies, (*epoch).max(strategies as u64), by_time);
        let (mut notes, mut reported, mut opened) = (BTreeMap::new(), None, None);
        if schedule != Schedule::Fixed {
            let exchange = Exchange::open(dir, exchange.as_deref(), budget.shard.0)?;
            let reports: Vec<Report> = exchange.own_reports()?;
            planner.remember(&reports);
            reported = reports.iter().map(|report| report.epoch).max();
            let old: Vec<(Unit, Vec<Asked>)> = exchange.noted()?;
            notes = old.into_iter().map(|note| ((note.0.strategy, note.0.unit), note)).collect();
            opened = Some(exchange);
        }
        let mut course = Course {
            planner,
            chooser,
            exchange: opened,
            shard: budget.shard,
            patience: *patience,
            notes,
            reported,
            wanted: None,
            missing: vec![],
            tilt: None,
            remarks: vec![],
        };
        if course.is_alone() {
            let text = "the schedule follows what this shard finds, because shards without a common --exchange folder \
                        do not know what the others find; together they are not the campaign of one machine";
            course.remarks.push(text.to_owned());
        }
        Ok(course)
    }

    /// Whether it is one of several shards and hears none of the others.
    fn is_alone(&self) -> bool {
        self.shard.1 > 1 && self.exchange.as_ref().is_some_and(|exchange| !exchange.is_shared())
    }

    pub fn planner(&mut self) -> &mut Planner {
        &mut self.planner
    }

    /// What users should know, once.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// How an epoch that has just begun is asked, once.
    pub fn take_tilt(&mut self) -> Option<(usize, Tilt)> {
        self.tilt.take()
    }

    pub fn next_unit(&mut self) -> Result<Next> {
        if let Some(epoch) = self.planner.wants() {
            match self.settle(epoch)? {
                Some(settled) => self.follow(epoch, settled),
                None if self.planner.is_open(epoch - 2) => return Ok(Next::Later),
                None => return Ok(Next::Shards),
            }
        }
        Ok(self.planner.next_unit().map_or(Next::Later, Next::Unit))
    }

    /// What holds for an epoch, if that is settled or can be settled now.
    fn settle(&mut self, epoch: usize) -> Result<Option<Settled>> {
        let Some(exchange) = &mut self.exchange else { return Ok(None) };
        let (since, looked) = match self.wanted {
            Some((wanted, since, looked)) if wanted == epoch => (since, looked),
            _ => (Instant::now(), None),
        };
        if looked.is_some_and(|looked| looked.elapsed() < LOOK_EVERY) && !self.planner.is_open(epoch - 2) {
            return Ok(None);
        }
        self.wanted = Some((epoch, since, Some(Instant::now())));
        if let Some(settled) = exchange.settled(epoch)? {
            return Ok(Some(settled));
        }
        // What was learnt in this shard comes first, and the shards before us.
        let (index, shards) = if exchange.is_shared() { self.shard } else { (0, 1) };
        let turn = if index == 0 { Duration::ZERO } else { self.patience + STAGGER * index as u32 };
        if self.planner.is_open(epoch - 2) || since.elapsed() < turn {
            return Ok(None);
        }
        self.chooser.hear(exchange.reports()?);
        let missing = if exchange.is_shared() { self.chooser.missing(epoch - 2, shards) } else { vec![] };
        let awaited = missing.iter().any(|shard| !self.missing.contains(shard));
        if awaited && since.elapsed() < self.patience {
            return Ok(None);
        }
        let chosen = self.chooser.choose(epoch, missing);
        Ok(Some(exchange.settle(epoch, &chosen)?))
    }

    fn follow(&mut self, epoch: usize, settled: Settled) {
        self.planner.settle(epoch, &settled);
        self.wanted = None;
        if settled.missing != self.missing && !settled.missing.is_empty() {
            let all: Vec<String> = settled.missing.iter().take(8).map(u64::to_string).collect();
            let more = if settled.missing.len() > 8 { ", …" } else { "" };
            let who = if settled.missing.len() == 1 { "shard" } else { "shards" };
            let text = format!(
                "the shares of epoch {epoch} do not count what {who} {}{more} found: no report in time",
                all.join(", ")
            );
            self.remarks.push(text);
        }
        self.missing = settled.missing;
        self.tilt = settled.tilt.map(|tilt| (epoch, tilt));
    }

    /// A unit of another shard, or one that an earlier run has done.
    pub fn pass(&mut self, unit: Unit, ours: bool) -> Result<()> {
        let noted = self.notes.get(&(unit.strategy, unit.unit)).map(|(_, asked)| asked.clone());
        self.planner.finished(unit, ours.then(|| noted.unwrap_or_default()));
        self.report()
    }

    /// A unit that was done. It is noted before it counts as done in the database.
    pub fn finished(&mut self, unit: Unit, asked: Vec<Asked>) -> Result<()> {
        if let Some(exchange) = &self.exchange {
            let note = (unit, asked.clone());
            exchange.note(&note)?;
            self.notes.insert((unit.strategy, unit.unit), note);
        }
        self.planner.finished(unit, Some(asked));
        self.report()
    }

    /// Reports every epoch that has ended.
    fn report(&mut self) -> Result<()> {
        while let Some(report) = self.planner.ended() {
            let Some(exchange) = &self.exchange else { continue };
            if self.reported.is_some_and(|last| report.epoch <= last) {
                continue;
            }
            exchange.report(&report)?;
            self.reported = Some(report.epoch);
            self.notes.retain(|_, (unit, _)| unit.epoch > report.epoch);
            let notes: Vec<_> = self.notes.values().collect();
            exchange.keep_notes(&notes)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(shard: (u64, u64), exchange: Option<PathBuf>, patience: Duration) -> Budget {
        Budget {
            time: None,
            cases: Some(u64::MAX),
            stop_after: None,
            workers: 1,
            schedule: Schedule::Yield,
            shard,
            reduce: false,
            record: store::Record::default(),
            triage_share: 0.0,
            sharing: Sharing { epoch: 8, exchange, patience },
        }
    }

    /// Strategy 1 finds something in every unit. `None` if other shards are waited for.
    fn step(course: &mut Course, (index, count): (u64, u64)) -> Option<(usize, u64)> {
        match course.next_unit().unwrap() {
            Next::Unit(unit) if unit.unit % count == index => {
                let bugs = (unit.strategy == 1).then(|| unit.unit.to_string()).into_iter().collect();
                course.finished(unit, vec![Asked { bugs, ..Asked::default() }]).unwrap();
                Some((unit.strategy, unit.unit))
            }
            Next::Unit(unit) => {
                course.pass(unit, false).unwrap();
                Some((unit.strategy, unit.unit))
            }
            Next::Later | Next::Shards => None,
        }
    }

    fn alone(units: usize) -> Vec<(usize, u64)> {
        let dir = tempfile::tempdir().unwrap();
        let mut course = Course::begin(dir.path(), 2, &budget((0, 1), None, Duration::ZERO)).unwrap();
        (0..units).map(|_| step(&mut course, (0, 1)).unwrap()).collect()
    }

    #[test]
    fn shards_that_share_a_folder_walk_the_campaign_of_one_machine_and_a_killed_one_goes_on_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let shared = dir.path().join("shared");
        let begin = |index: u64| {
            let own = dir.path().join(index.to_string());
            let budget = budget((index, 3), Some(shared.clone()), Duration::from_secs(60));
            Course::begin(&own, 2, &budget).unwrap()
        };
        let mut courses: Vec<Course> = (0..3).map(begin).collect();
        let mut walked: Vec<Vec<(usize, u64)>> = vec![vec![]; 3];
        let mut looks = 0;
        while walked.iter().any(|walked| walked.len() < 60) {
            for index in 0..3 {
                if walked[index].len() < 60 {
                    walked[index].extend(step(&mut courses[index], (index as u64, 3)));
                }
            }
            looks += 1;
            if looks == 20 {
                // Killed: it walks again, with what it had noted.
                courses[1] = begin(1);
                for &(strategy, unit) in &walked[1] {
                    let Next::Unit(next) = courses[1].next_unit().unwrap() else { panic!("it waits") };
                    assert_eq!((next.strategy, next.unit), (strategy, unit));
                    courses[1].pass(next, unit % 3 == 1).unwrap();
                }
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let one = alone(60);
        assert!(one[40..].iter().filter(|unit| unit.0 == 1).count() > 12, "{one:?}");
        walked.iter().for_each(|walked| assert_eq!(*walked, one));
    }

    #[test]
    fn a_shard_that_never_reports_delays_the_others_once_and_then_they_follow_what_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let patience = Duration::from_millis(300);
        let shared = Some(dir.path().join("shared"));
        let began = Instant::now();
        let mut course = Course::begin(&dir.path().join("0"), 2, &budget((0, 2), shared, patience)).unwrap();
        let mut walked = 0;
        while walked < 80 {
            walked += usize::from(step(&mut course, (0, 2)).is_some());
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(began.elapsed() >= patience);
        let remarks = course.take_remarks();
        assert_eq!(remarks.len(), 1, "{remarks:?}");
        assert!(remarks[0].contains("shard 1"), "{remarks:?}");
    }

    #[test]
    fn shards_without_a_common_folder_say_that_they_are_alone() {
        let dir = tempfile::tempdir().unwrap();
        let mut course = Course::begin(dir.path(), 2, &budget((1, 3), None, Duration::ZERO)).unwrap();
        assert!(course.take_remarks().iter().any(|remark| remark.contains("--exchange")));
        (0..40).for_each(|_| assert!(step(&mut course, (1, 3)).is_some()));
    }
}
