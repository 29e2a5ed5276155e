//! What is worth asking: gain per cost of every strategy, theory, session kind, solver and seed.
//!
//! In: how each unit went. Out, at the beginning of an epoch: the strategies' shares, and a [`Tilt`] by which workers
//! choose among theories, session kinds, solvers and seeds. Gain is what is *new*: a bug whose signature no earlier
//! epoch had, and, worth much less, a pattern of answers (who said what, how it ended) that the theory never had, and
//! code of an instrumented target that never ran. Cost
//! is the worker's time: asking, judging, and confirming what looks like a bug, so that an arm that meets a known bug again and
//! again pays for it. A campaign that is to have a given number of cases must not depend on the machine: there cost is
//! the number of cases, only bugs are a gain, and only the strategies' shares are learnt. Both fade with every epoch, so a strategy does not live on what it found long ago, and every way of
//! asking keeps a minimum, so nothing is given up for good.
//!
//! An arm is a strategy with a theory, a session kind and a solver with its options. There are thousands of arms and few
//! bugs, so the rate of an arm is not counted by itself: it is the product of the rates of its parts, each relative to
//! the mean. Only finished epochs count, in the order of their units, so nothing here depends on the number of workers.

use crate::harvest::{Report, pairs};
use crate::unit::Done;
use corpus::SeedId;
use serde::{Deserialize, Serialize};
use solver::SessionKind;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What a new bug and a new pattern of answers are worth. There are some hundred
/// patterns to be found: with more for each, a strategy that meets many theories would look as good as one that finds bugs.
const BUG: f64 = 1.0;
const PATTERN: f64 = 0.005;

/// What a block of an instrumented target that never ran before is worth. z3 has 1.7 million, of which the first few hundred
/// formulas run 260,000: with more, they would outweigh all bugs for as long as they are remembered.
const BLOCK: f64 = 0.0001;

/// What every way of asking is credited with in advance, both as found and as expected, in bugs.
const HOPE: f64 = 0.3;

/// How much of the past counts after each epoch. A worker does one in some ten seconds and finds a bug in one of four: half of
/// what was learnt must last for minutes.
const FADES: f64 = 0.97;

/// This share of the cost is divided equally, whatever is found.
const FLOOR: f64 = 0.3;

/// Units of an arm that promises little are done at least once in so many.
const RAREST: f64 = 4.0;

/// How far the rate of a session kind or a solver may move its share.
const MOST: f64 = 4.0;

/// After this many cases that all ended at the limit, a seed gets more time; after so many more it is left.
const STARVED: f64 = 8.0;
const HOPELESS: f64 = 32.0;

/// One case and what came of it, as far as the schedule is concerned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub theory: String,
    pub session: Option<SessionKind>,
    /// The solver that was asked first.
    pub solver: String,
    pub seeds: Vec<SeedId>,
    /// Seconds of the worker.
    pub seconds: f64,
    /// Signatures of what was found, before triage.
    pub bugs: Vec<String>,
    /// Who said what.
    pub pattern: String,
    /// Blocks of an instrumented target that ran.
    pub blocks: Vec<u32>,
    /// No solver answered within the limit.
    pub limited: bool,
}

impl Asked {
    pub fn of(done: &Done, bugs: Vec<String>) -> Asked {
        let theory = theory(&done.script);
        let first = done.tests.first();
        Asked {
            pattern: pattern(&done.tests),
            theory,
            session: first.map(|test| test.session),
            solver: first.map_or_else(String::new, |test| test.target.to_string()),
            seeds: done.recipe.seeds.clone(),
            seconds: done.seconds,
            bugs,
            blocks: done.trace.iter().flat_map(|trace| trace.rows.iter().map(|row| row.1)).collect(),
            limited: !done.tests.is_empty() && done.tests.iter().all(|test| test.timeout),
        }
    }
}

/// Who answered what and how it ended: each solver with each of its answers, once. How many answers there were, in which
/// order, and with which options says nothing about the solver: scripts with many check-sats would always show something
/// new.
fn pattern(tests: &[store::Test]) -> String {
    let words = tests.iter().flat_map(|test| {
        let solver = test.target.split(' ').next().unwrap_or("");
        let answers = test.answers.iter().map(move |answer| format!("{solver} {answer:?}"));
        answers.chain(std::iter::once(format!("{solver} {}", test.ended)))
    });
    words.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

/// Something that a case showed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum News {
    Bug(String),
    /// Of a theory.
    Pattern(String, String),
    Block(u32),
}

impl Asked {
    /// What the case showed. Patterns depend on time.
    pub fn news(&self, by_time: bool) -> impl Iterator<Item = News> + '_ {
        let bugs = self.bugs.iter().map(|bug| News::Bug(bug.clone()));
        let pattern = by_time.then(|| News::Pattern(self.theory.clone(), self.pattern.clone()));
        let blocks = self.blocks.iter().map(|&block| News::Block(block));
        bugs.chain(pattern).chain(blocks)
    }
}

impl News {
    /// What it is worth if it is new.
    fn worth(&self) -> f64 {
        match self {
            News::Bug(_) => BUG,
            News::Pattern(..) => PATTERN,
            News::Block(_) => BLOCK,
        }
    }
}

/// The theory of a script: the logic that it sets.
pub fn theory(script: &[u8]) -> String {
    const SET: &[u8] = b"(set-logic ";
    let at = script.windows(SET.len()).position(|window| window == SET);
    let rest = at.map_or(&b""[..], |at| &script[at + SET.len()..]);
    String::from_utf8_lossy(rest.split(|&byte| byte == b')').next().unwrap_or(b"").trim_ascii()).into_owned()
}

/// Fading sums of one way of asking.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    gain: f64,
    cost: f64,
    units: f64,
}

impl Rate {
    fn fade(&mut self) {
        self.gain *= FADES;
        self.cost *= FADES;
        self.units *= FADES;
    }

    fn add(&mut self, gain: f64, cost: f64) {
        self.gain += gain;
        self.cost += cost;
    }
}

/// How good a part of an arm is, relative to the mean of its kind: what it gained, of what it would have gained at the mean
/// rate, both with the same amount added. So an arm of which nothing could be expected yet is as good as the others,
/// however cheap or dear it was, and one that was asked for long without a gain is not.
fn relative<'r>(own: Rate, all: impl Iterator<Item = &'r Rate>) -> f64 {
    let (gain, cost) = all.fold((0.0, 0.0), |(gain, cost), rate| (gain + rate.gain, cost + rate.cost));
    if gain <= 0.0 || cost <= 0.0 {
        return 1.0;
    }
    (own.gain + HOPE) / (own.cost * gain / cost + HOPE)
}

/// What is known about a seed.
#[derive(Clone, Copy, Debug, Default)]
struct SeedRate {
    rate: Rate,
    /// Cases in a row that ended at the limit.
    limited: f64,
}

/// How a unit is to be asked in this epoch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tilt {
    /// Units of a strategy on a theory that are done: this share of them.
    #[serde(with = "pairs")]
    theories: BTreeMap<(usize, String), f64>,
    #[serde(with = "pairs")]
    seeds: BTreeMap<SeedId, f64>,
    /// Seeds whose mutants need more time.
    patient: BTreeSet<SeedId>,
    sessions: BTreeMap<String, f64>,
    solvers: BTreeMap<String, f64>,
}

impl Tilt {
    /// Whether a unit is done: units of arms and seeds that promise little are left out at random.
    pub fn has_turn(&self, strategy: usize, script: &[u8], seeds: &[SeedId], unit: u64) -> bool {
        let of_theory = self.theories.get(&(strategy, theory(script))).copied().unwrap_or(1.0);
        let of_seeds = seeds.iter().filter_map(|seed| self.seeds.get(seed)).copied().fold(1.0, f64::min);
        let share = (of_theory * of_seeds).clamp(1.0 / RAREST / RAREST, 1.0);
        let mixed = unit.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        (mixed as f64) < share * f64::from(1 << 24)
    }

    /// Whether cases of these seeds get the second limit more often.
    pub fn is_patient(&self, seeds: &[SeedId]) -> bool {
        seeds.iter().any(|seed| self.patient.contains(seed))
    }

    /// How often a session kind is used, relative to its usual share.
    pub fn session(&self, session: SessionKind) -> f64 {
        self.sessions.get(session.name()).copied().unwrap_or(1.0)
    }

    /// How often a solver is asked first, or options are used with it, relative to the others.
    pub fn solver(&self, name: &str) -> f64 {
        self.solvers.get(name).copied().unwrap_or(1.0)
    }
}

/// The tilts of epochs, for workers.
#[derive(Default)]
pub struct Tilts(Mutex<BTreeMap<usize, Arc<Tilt>>>);

impl Tilts {
    pub fn of(&self, epoch: usize) -> Option<Arc<Tilt>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&epoch).cloned()
    }

    /// Workers may still do units of the two epochs before.
    pub fn set(&self, epoch: usize, tilt: Tilt) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(epoch, Arc::new(tilt));
        all.retain(|&old, _| old + 3 > epoch);
    }
}

/// Everything that was learnt from finished epochs.
#[derive(Clone, Debug)]
pub struct Learner {
    by_time: bool,
    /// What is no news any more.
    news: BTreeSet<News>,
    strategies: Vec<Rate>,
    theories: BTreeMap<(usize, String), Rate>,
    sessions: BTreeMap<String, Rate>,
    solvers: BTreeMap<String, Rate>,
    seeds: BTreeMap<SeedId, SeedRate>,
}

impl Learner {
    /// Cost is the worker's time, or else the number of cases.
    pub fn new(strategies: usize, by_time: bool) -> Learner {
        Learner {
            by_time,
            news: BTreeSet::new(),
            strategies: vec![Rate::default(); strategies],
            theories: BTreeMap::new(),
            sessions: BTreeMap::new(),
            solvers: BTreeMap::new(),
            seeds: BTreeMap::new(),
        }
    }

    /// Takes in what all shards report about an epoch. Costs and gains are added up first and then added once, so that
    /// the result does not depend on how the epoch was divided into shards.
    pub fn learn(&mut self, epoch: &[Report]) {
        self.fade();
        let mut sums = vec![Rate::default(); self.strategies.len()];
        for report in epoch {
            for (strategy, &units) in report.units.iter().enumerate() {
                sums[strategy].units += units as f64;
            }
            for arm in &report.arms {
                let cost = if self.by_time { arm.seconds } else { arm.cases as f64 };
                sums[arm.strategy].add(0.0, cost);
                self.at_arm(arm.strategy, &arm.theory, arm.session, &arm.solver, (0.0, cost));
            }
            for seed in &report.seeds {
                let known = self.seeds.entry(seed.seed).or_default();
                known.rate.add(0.0, seed.seconds);
                known.limited = seed.limited + if seed.always { known.limited } else { 0.0 };
            }
        }
        let mut told: Vec<_> = epoch.iter().flat_map(|report| &report.told).collect();
        told.sort_by_key(|told| (told.strategy, told.unit, told.step));
        let mut credited = BTreeSet::new();
        for case in &told {
            // What is new counts once per strategy and epoch.
            let mut gain = 0.0;
            for news in &case.news {
                if !self.news.contains(news) && credited.insert((case.strategy, news)) {
                    gain += news.worth();
                }
            }
            sums[case.strategy].gain += gain;
            self.at_arm(case.strategy, &case.theory, case.session, &case.solver, (gain, 0.0));
            for seed in &case.seeds {
                self.seeds.entry(*seed).or_default().rate.add(gain, 0.0);
            }
        }
        for (rate, sum) in self.strategies.iter_mut().zip(&sums) {
            rate.add(sum.gain, sum.cost);
            rate.units += sum.units;
        }
        // Two that find the same in one epoch both found something new, whichever was first.
        self.news.extend(told.iter().flat_map(|case| case.news.iter().cloned()));
    }

    /// Adds gain and cost to the parts of an arm other than its strategy.
    fn at_arm(
        &mut self,
        strategy: usize,
        theory: &str,
        session: Option<SessionKind>,
        solver: &str,
        (gain, cost): (f64, f64),
    ) {
        self.theories.entry((strategy, theory.to_owned())).or_default().add(gain, cost);
        if let Some(session) = session {
            self.sessions.entry(session.name().to_owned()).or_default().add(gain, cost);
        }
        self.solvers.entry(solver.to_owned()).or_default().add(gain, cost);
    }

    fn fade(&mut self) {
        self.strategies.iter_mut().for_each(Rate::fade);
        self.theories.values_mut().for_each(Rate::fade);
        self.sessions.values_mut().for_each(Rate::fade);
        self.solvers.values_mut().for_each(Rate::fade);
        self.seeds.values_mut().for_each(|seed| seed.rate.fade());
    }

    /// The units of each strategy in the next epoch, of `units` together. Cost is shared by gain, so a strategy whose
    /// units are cheap gets more of them.
    pub fn shares(&self, units: u64) -> Vec<u64> {
        let count = self.strategies.len().max(1) as f64;
        // Squared: in proportion to its rate, the best of a dozen would hardly get more than the others.
        let worth: Vec<f64> =
            self.strategies.iter().map(|&rate| relative(rate, self.strategies.iter()).powi(2)).collect();
        let total: f64 = worth.iter().sum();
        let (cost, done) = self.strategies.iter().fold((0.0, 0.0), |s, r| (s.0 + r.cost, s.1 + r.units));
        let mean = if done > 0.0 && cost > 0.0 { cost / done } else { 1.0 };
        let wanted: Vec<f64> = self
            .strategies
            .iter()
            .zip(&worth)
            .map(|(rate, worth)| {
                let share = FLOOR / count + (1.0 - FLOOR) * worth / total;
                let each = (rate.cost + mean) / (rate.units + 1.0);
                share / each.max(mean / 100.0)
            })
            .collect();
        let all: f64 = wanted.iter().sum();
        wanted.iter().map(|wanted| ((units as f64 * wanted / all) as u64).max(1)).collect()
    }

    /// How the next epoch is asked.
    pub fn tilt(&self) -> Tilt {
        let rarely = |worth: f64| worth.clamp(1.0 / RAREST, 1.0);
        let within = |worth: f64| worth.clamp(1.0 / MOST, MOST);
        let of_seeds: Vec<Rate> = self.seeds.values().map(|seed| seed.rate).collect();
        let theories = self.theories.iter().map(|(key, &rate)| {
            let same = self.theories.iter().filter(|(other, _)| other.0 == key.0).map(|(_, rate)| rate);
            (key.clone(), rarely(relative(rate, same)))
        });
        let seeds = self.seeds.iter().map(|(&id, seed)| {
            let left = if seed.limited >= HOPELESS { 1.0 / RAREST } else { 1.0 };
            (id, (rarely(relative(seed.rate, of_seeds.iter())) * left).max(1.0 / RAREST))
        });
        let patient = self.seeds.iter().filter(|(_, seed)| (STARVED..HOPELESS).contains(&seed.limited));
        Tilt {
            theories: theories.collect(),
            seeds: seeds.collect(),
            patient: patient.map(|(&id, _)| id).collect(),
            sessions: self
                .sessions
                .iter()
                .map(|(n, &r)| (n.clone(), within(relative(r, self.sessions.values()))))
                .collect(),
            solvers: self
                .solvers
                .iter()
                .map(|(n, &r)| (n.clone(), within(relative(r, self.solvers.values()))))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(bug: Option<&str>, seconds: f64) -> Asked {
        let bugs = bug.iter().map(|bug| (*bug).to_owned()).collect();
        Asked {
            theory: "QF_S".into(),
            pattern: "z3 sat".into(),
            solver: "z3".into(),
            bugs,
            seconds,
            ..Asked::default()
        }
    }

    /// One epoch: per strategy, the cases of its units.
    fn epoch(all: &[&[Asked]]) -> [Report; 1] {
        let units = all.iter().enumerate().flat_map(|(strategy, cases)| {
            cases.iter().enumerate().map(move |(unit, case)| ((strategy, unit as u64), vec![case.clone()]))
        });
        [Report::of(0, 0, all.len(), &units.collect(), true, &mut BTreeSet::new())]
    }

    #[test]
    fn a_strategy_that_finds_new_bugs_gets_more_and_what_it_found_long_ago_fades() {
        let mut learner = Learner::new(2, true);
        let quiet = vec![asked(None, 1.0); 10];
        let mut finds = quiet.clone();
        finds[3] = asked(Some("a"), 1.0);
        learner.learn(&epoch(&[&quiet, &finds]));
        let early = learner.shares(256);
        assert!(early[1] > early[0] * 2, "{early:?}");
        assert!(early[0] as f64 >= 256.0 * FLOOR / 2.0 * 0.8, "the other keeps its minimum: {early:?}");
        // The same bug again is nothing new.
        for _ in 0..60 {
            learner.learn(&epoch(&[&quiet, &finds]));
        }
        let late = learner.shares(256);
        assert!(late[1] < late[0] * 2, "{late:?}");
    }

    #[test]
    fn a_strategy_whose_units_cost_more_gets_fewer_of_them() {
        let mut learner = Learner::new(2, true);
        learner.learn(&epoch(&[&vec![asked(None, 0.1); 20], &vec![asked(None, 2.0); 20]]));
        let shares = learner.shares(256);
        assert!(shares[0] > shares[1] * 5, "{shares:?}");
        let mut by_cases = Learner::new(2, false);
        by_cases.learn(&epoch(&[&vec![asked(None, 0.1); 20], &vec![asked(None, 2.0); 20]]));
        assert_eq!(by_cases.shares(256), [128, 128], "time does not count there");
    }

    #[test]
    fn theories_seeds_and_solvers_without_news_are_asked_less_but_never_not_at_all() {
        let mut learner = Learner::new(1, true);
        let (dull, rich) = (SeedId::of(b"dull"), SeedId::of(b"rich"));
        for n in 0..6 {
            let old = Asked {
                seeds: vec![dull],
                theory: "QF_BV".into(),
                solver: "cvc5".into(),
                ..asked(None, 1.0)
            };
            let new = Asked { seeds: vec![rich], ..asked(Some(&format!("bug {n}")), 1.0) };
            learner.learn(&epoch(&[&[vec![old; 8], vec![new; 8]].concat()]));
        }
        let tilt = learner.tilt();
        let turns = |script: &[u8], seed| (0..4000).filter(|&u| tilt.has_turn(0, script, &[seed], u)).count();
        assert_eq!(turns(b"(set-logic QF_S)", rich), 4000);
        let few = turns(b"(set-logic QF_BV)", dull);
        assert!((200..2000).contains(&few), "{few}");
        assert!(tilt.solver("z3") > tilt.solver("cvc5") && tilt.solver("cvc5") >= 1.0 / MOST);
    }

    #[test]
    fn a_seed_whose_mutants_end_at_the_limit_gets_more_time_and_is_left_if_that_does_not_help() {
        let seed = SeedId::of(b"slow");
        let slow = Asked { seeds: vec![seed], limited: true, ..asked(None, 0.01) };
        let mut learner = Learner::new(1, true);
        learner.learn(&epoch(&[&vec![slow.clone(); 10]]));
        assert!(learner.tilt().is_patient(&[seed]));
        learner.learn(&epoch(&[&vec![slow; 30]]));
        let tilt = learner.tilt();
        assert!(!tilt.is_patient(&[seed]));
        assert!((0..1000).filter(|&unit| tilt.has_turn(0, b"", &[seed], unit)).count() < 500);
        let answered = Asked { seeds: vec![seed], ..asked(None, 0.01) };
        learner.learn(&epoch(&[&[answered]]));
        assert!(!learner.tilt().is_patient(&[seed]));
    }

    #[test]
    fn code_that_never_ran_is_a_gain_once() {
        let mut learner = Learner::new(2, true);
        let (old, new) = (asked(None, 1.0), Asked { blocks: (0..10_000).collect(), ..asked(None, 1.0) });
        learner.learn(&epoch(&[&vec![old.clone(); 4], &vec![new.clone(); 4]]));
        let early = learner.shares(256);
        assert!(early[1] > early[0] * 2, "{early:?}");
        for _ in 0..60 {
            learner.learn(&epoch(&[&vec![old.clone(); 4], &vec![new.clone(); 4]]));
        }
        let late = learner.shares(256);
        assert!(late[1] < late[0] * 2, "{late:?}");
    }

    #[test]
    fn the_theory_of_a_script_is_its_logic() {
        assert_eq!(theory(b"(set-option :x 1)\n(set-logic QF_LIA)\n(assert true)"), "QF_LIA");
        assert_eq!(theory(b"(assert true)"), "");
    }
}
