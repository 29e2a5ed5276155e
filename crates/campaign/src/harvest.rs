//! What a shard found out in an epoch, in the form in which shards tell each other and in which it is stored.
//!
//! In: the cases of an epoch, by unit. Out: a [`Report`], which is small: costs are added up per arm, and of what the
//! cases showed only what this shard has not reported before. A campaign on one machine is a campaign of one shard and
//! takes the same way, so how an epoch is divided makes no difference to what is learnt from it.

use crate::learned::{Asked, News};
use corpus::SeedId;
use serde::{Deserialize, Serialize};
use solver::SessionKind;
use std::collections::{BTreeMap, BTreeSet};

/// The cases of an epoch by strategy and unit.
pub type Harvested = BTreeMap<(usize, u64), Vec<Asked>>;

/// What a shard has reported already, by strategy.
pub type Reported = BTreeSet<(usize, News)>;

/// An epoch of one shard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub epoch: usize,
    pub shard: u64,
    /// How many units each strategy did.
    pub units: Vec<u64>,
    pub arms: Vec<Arm>,
    /// Empty if cases are the cost: seeds are weighed by their time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<SeedCost>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Told>,
}

/// The cost of one way of asking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    pub strategy: usize,
    pub theory: String,
    pub session: Option<SessionKind>,
    pub solver: String,
    pub cases: u64,
    pub seconds: f64,
}

/// The cost of a seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedCost {
    pub seed: SeedId,
    pub seconds: f64,
    /// Its last cases in a row that ended at the limit.
    pub limited: f64,
    /// Whether all of them did.
    pub always: bool,
}

/// A case that showed something that its strategy had not shown before in this shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told {
    pub strategy: usize,
    pub unit: u64,
    pub step: usize,
    pub theory: String,
    pub session: Option<SessionKind>,
    pub solver: String,
    pub seeds: Vec<SeedId>,
    pub news: Vec<News>,
}

impl Report {
    /// Of an epoch's cases. `by_time` means that cost is time: then arms, seeds and patterns of answers matter, else
    /// only strategies and bugs, and the report does not depend on the machine.
    pub fn of(
        epoch: usize,
        shard: u64,
        strategies: usize,
        cases: &Harvested,
        by_time: bool,
        reported: &mut Reported,
    ) -> Report {
        let mut units = vec![0; strategies];
        cases.keys().for_each(|&(strategy, _)| units[strategy] += 1);
        let (arms, seeds) = (arms(cases, by_time), if by_time { seeds(cases) } else { vec![] });
        let told = told(cases, by_time, reported);
        Report { epoch, shard, units, arms, seeds, told }
    }

    /// What it adds to what the shard has reported.
    pub fn remember(&self, reported: &mut Reported) {
        let told =
            self.told.iter().flat_map(|told| told.news.iter().map(|news| (told.strategy, news.clone())));
        reported.extend(told);
    }

    /// The signatures of its findings, by strategy.
    pub fn signatures(&self) -> impl Iterator<Item = (usize, &String)> {
        let news = self.told.iter().flat_map(|told| told.news.iter().map(|news| (told.strategy, news)));
        news.filter_map(|(strategy, news)| match news {
            News::Bug(signature) => Some((strategy, signature)),
            News::Pattern(..) | News::Block(_) => None,
        })
    }
}

fn arms(cases: &Harvested, by_time: bool) -> Vec<Arm> {
    let mut sums: BTreeMap<(usize, String, Option<&str>, String), Arm> = BTreeMap::new();
    for (&(strategy, _), cases) in cases {
        for asked in cases {
            let theory = if by_time { asked.theory.clone() } else { String::new() };
            let solver = if by_time { asked.solver.clone() } else { String::new() };
            let session = asked.session.filter(|_| by_time);
            let key = (strategy, theory.clone(), session.map(SessionKind::name), solver.clone());
            let arm = Arm { strategy, theory, session, solver, cases: 0, seconds: 0.0 };
            let arm = sums.entry(key).or_insert(arm);
            arm.cases += 1;
            arm.seconds += if by_time { asked.seconds } else { 0.0 };
        }
    }
    sums.into_values().collect()
}

fn seeds(cases: &Harvested) -> Vec<SeedCost> {
    let mut all: BTreeMap<SeedId, SeedCost> = BTreeMap::new();
    for asked in cases.values().flatten() {
        for &seed in &asked.seeds {
            let known =
                all.entry(seed).or_insert(SeedCost { seed, seconds: 0.0, limited: 0.0, always: true });
            known.seconds += asked.seconds;
            known.always &= asked.limited;
            known.limited = if asked.limited { known.limited + 1.0 } else { 0.0 };
        }
    }
    all.into_values().collect()
}

fn told(cases: &Harvested, by_time: bool, reported: &mut Reported) -> Vec<Told> {
    let mut all = vec![];
    for (&(strategy, unit), cases) in cases {
        for (step, asked) in cases.iter().enumerate() {
            let news = asked.news(by_time).filter(|news| reported.insert((strategy, news.clone())));
            let news: Vec<News> = news.collect();
            if news.is_empty() {
                continue;
            }
            let (theory, session, solver) = (asked.theory.clone(), asked.session, asked.solver.clone());
            let seeds = if by_time { asked.seeds.clone() } else { vec![] };
            all.push(Told { strategy, unit, step, theory, session, solver, seeds, news });
        }
    }
    all
}

/// Maps whose keys are no strings, as lists of pairs.
pub mod pairs {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    pub fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(map)
    }

    pub fn deserialize<'de, K, V, D>(from: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::<(K, V)>::deserialize(from)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::Learner;

    fn asked(bug: Option<&str>) -> Asked {
        Asked { bugs: bug.iter().map(|bug| (*bug).to_owned()).collect(), ..Asked::default() }
    }

    /// Unit `n` of two strategies: the first finds the same bug again and again, the second many.
    fn unit(strategy: usize, unit: u64) -> Vec<Asked> {
        let found = if strategy == 0 { "a".to_owned() } else { format!("{}", unit / 3) };
        vec![asked(None), asked(unit.is_multiple_of(2).then_some(found.as_str()))]
    }

    #[test]
    fn an_epoch_teaches_the_same_however_it_is_divided_into_shards() {
        let epoch = |n: u64| (n * 40..n * 40 + 40).flat_map(|u| [((0, u), unit(0, u)), ((1, u), unit(1, u))]);
        let learn = |shards: u64| {
            let mut learner = Learner::new(2, false);
            let mut reported = vec![Reported::new(); shards as usize];
            for n in 0..5 {
                let of = |shard: u64| epoch(n).filter(|((_, unit), _)| unit % shards == shard).collect();
                let reports: Vec<Report> = (0..shards)
                    .map(|s| Report::of(n as usize, s, 2, &of(s), false, &mut reported[s as usize]))
                    .collect();
                learner.learn(&reports);
            }
            learner.shares(256)
        };
        assert_eq!(learn(1), learn(3));
        assert_eq!(learn(1), learn(7));
        assert_ne!(learn(1), [128, 128]);
    }

    #[test]
    fn a_report_survives_the_file_and_says_a_bug_once() {
        let cases: Harvested = (0..10).map(|u| ((0, u), unit(0, u))).collect();
        let mut reported = Reported::new();
        let first = Report::of(0, 2, 1, &cases, true, &mut reported);
        assert_eq!(first.signatures().count(), 1);
        let text = serde_json::to_string(&first).expect("text");
        assert_eq!(serde_json::from_str::<Report>(&text).expect("read"), first);
        let second = Report::of(1, 2, 1, &cases, true, &mut reported);
        assert!(second.told.is_empty() && second.arms == first.arms);
        let mut again = Reported::new();
        first.remember(&mut again);
        assert_eq!(again, reported);
    }
}
