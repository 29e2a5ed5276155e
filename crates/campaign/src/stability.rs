//! How stable solvers are: the same problem in other words, again and again.
//!
//! As Mariposa (Zhou et al., FMCAD 2023) measures it: of each seed there are mutants that mean the same (assertions
//! shuffled, symbols renamed, another random seed, or everything that `reseed` can do), each is put to a solver in a
//! fresh process under one limit of processor time, and the share that is solved says what the seed is to that solver:
//! *unsolvable* (less than a part in twenty), *stable* (more than nineteen in twenty), *unstable* in between, and
//! *inconclusive* where so few mutants do not tell, by a one-sided test at five percent. Answers, `unknown`s and times
//! are counted beside it. In: seeds and solvers. Out: one row per solver and way of saying the same.

use crate::error::Result;
use crate::interrupt::Interrupts;
use crate::spread::spread;
use serde::Serialize;
use solver::{Answer, Pool, Query, QueryLimits, SessionKind};
use std::sync::Arc;
use std::time::Duration;
use strategy::reseed::{self, Move};
use strategy::{Bank, CampaignKey, Prepared, Rng, Settings, unheard};

/// What to measure.
pub struct Stability {
    pub bank: Bank,
    pub targets: Vec<Pool>,
    /// Ways of saying the same, each a name and its moves.
    pub ways: Vec<(String, Vec<Move>)>,
    /// Mutants per seed and way; the seed itself is asked too.
    pub mutants: u32,
    /// Processor time per query.
    pub limit: Duration,
    pub memory: u64,
    pub key: CampaignKey,
    pub workers: usize,
    /// When to stop beginning new seeds.
    pub time: Option<Duration>,
}

/// What a seed is to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    Unsolvable,
    Unstable,
    Stable,
    Inconclusive,
}

/// The shares between which a seed is unstable.
const SOLVABLE: f64 = 0.05;
const STABLE: f64 = 0.95;

/// The quantile of the one-sided test at five percent.
const QUANTILE: f64 = 1.645;

impl Class {
    /// From how many of how many were solved.
    pub fn of(solved: usize, all: usize) -> Class {
        if all == 0 {
            return Class::Inconclusive;
        }
        let (n, share) = (all as f64, solved as f64 / all as f64);
        // Whether the share is below (or above) a bound by more than chance.
        let z = |bound: f64| (share - bound) / (bound * (1.0 - bound) / n).sqrt();
        match () {
            () if solved == 0 || z(SOLVABLE) < -QUANTILE => Class::Unsolvable,
            () if solved == all || z(STABLE) > QUANTILE => Class::Stable,
            () if z(SOLVABLE) > QUANTILE && z(STABLE) < -QUANTILE => Class::Unstable,
            () => Class::Inconclusive,
        }
    }
}

/// What came of one solver and one way of saying the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    pub target: String,
    pub way: String,
    pub seeds: u64,
    pub unsolvable: u64,
    pub unstable: u64,
    pub stable: u64,
    pub inconclusive: u64,
    /// Queries and what was said to them.
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub none: u64,
    /// Seeds to which both sat and unsat were said.
    pub contradictions: u64,
    /// Seeds that were decided as they are, and of whose mutants some were not.
    pub lost: u64,
    /// Processor seconds of what was solved: the median, and the median over seeds of slowest over fastest.
    pub median_seconds: f64,
    pub spread: f64,
    #[serde(skip)]
    seconds: Vec<f64>,
    #[serde(skip)]
    spreads: Vec<f64>,
}

/// What one solver said to one seed and its mutants.
struct Said {
    target: usize,
    way: usize,
    answers: Vec<(Option<Answer>, f64)>,
}

impl Stability {
    /// Measures; a row per solver and way, in order.
    pub fn measure(&self, mut progress: impl FnMut(u64)) -> Result<Vec<Row>> {
        let interrupts = Interrupts::listen()?;
        let began = std::time::Instant::now();
        let stop = || interrupts.stop() || self.time.is_some_and(|time| began.elapsed() >= time);
        let blank = |target: &Pool, way: &(String, Vec<Move>)| Row {
            target: target.target().name.clone(),
            way: way.0.clone(),
            ..Row::default()
        };
        let mut rows: Vec<Row> = self
            .targets
            .iter()
            .flat_map(|target| self.ways.iter().map(move |way| blank(target, way)))
            .collect();
        let seeds = self.bank.seeds().iter().map(Arc::clone).collect::<Vec<_>>();
        let units = seeds.into_iter().flat_map(|seed| {
            (0..self.targets.len()).map(move |target| (Arc::clone(&seed), target)).collect::<Vec<_>>()
        });
        let work = |_: &mut (), (seed, target): (Arc<Prepared>, usize)| self.seed(&seed, target);
        let mut done = 0;
        spread(self.workers, units, &stop, work, |all: Vec<Said>| {
            for said in all {
                rows[said.target * self.ways.len() + said.way].count(&said.answers);
            }
            done += 1;
            progress(done);
            Ok(())
        })?;
        rows.iter_mut().for_each(Row::finish);
        Ok(rows)
    }

    /// One solver about one seed, in every way.
    fn seed(&self, seed: &Prepared, target: usize) -> Vec<Said> {
        let mut all = vec![];
        let own = self.ask(target, &seed.printed.bytes);
        for (way, (name, moves)) in self.ways.iter().enumerate() {
            let (bank, _) = Bank::new([seed.seed.clone()]);
            let settings = Settings {
                steps: Some(self.mutants),
                moves: moves.iter().map(|found| found.word().to_owned()).collect(),
                ..Settings::default()
            };
            let Ok(source) = (reseed::STRATEGY.begin)(&bank, &settings) else { continue };
            let rng = Rng::of(&self.key, &format!("stability {name} {}", seed.seed.id), 0);
            let Ok(drafts) = unheard(&*source, 0, rng) else { continue };
            let mut answers = vec![own];
            answers.extend(drafts.iter().map(|draft| self.ask(target, draft.script())));
            all.push(Said { target, way, answers });
        }
        all
    }

    /// The answer and the processor time. The last check-sat of a script with several speaks for all.
    fn ask(&self, target: usize, script: &[u8]) -> (Option<Answer>, f64) {
        let limits = QueryLimits { wall: self.limit * 10, cpu: Some(self.limit), memory: Some(self.memory) };
        let reply = self.targets[target].ask(&Query::new(script).limits(limits), SessionKind::Fresh);
        let whole = reply.is_complete() && !reply.checks.is_empty();
        (reply.answer().filter(|_| whole), reply.cpu.as_secs_f64())
    }
}

impl Row {
    fn count(&mut self, answers: &[(Option<Answer>, f64)]) {
        let is_solved =
            |(answer, _): &&(Option<Answer>, f64)| matches!(answer, Some(Answer::Sat | Answer::Unsat));
        let solved: Vec<f64> = answers.iter().filter(is_solved).map(|(_, seconds)| *seconds).collect();
        let of =
            |wanted: Option<Answer>| answers.iter().filter(|(answer, _)| *answer == wanted).count() as u64;
        let (sat, unsat) = (of(Some(Answer::Sat)), of(Some(Answer::Unsat)));
        self.seeds += 1;
        self.queries += answers.len() as u64;
        self.sat += sat;
        self.unsat += unsat;
        self.unknown += of(Some(Answer::Unknown));
        self.none += of(None);
        self.contradictions += u64::from(sat > 0 && unsat > 0);
        self.lost +=
            u64::from(answers.first().is_some_and(|first| is_solved(&first)) && solved.len() < answers.len());
        match Class::of(solved.len(), answers.len()) {
            Class::Unsolvable => self.unsolvable += 1,
            Class::Unstable => self.unstable += 1,
            Class::Stable => self.stable += 1,
            Class::Inconclusive => self.inconclusive += 1,
        }
        let fastest = solved.iter().copied().fold(f64::INFINITY, f64::min);
        let slowest = solved.iter().copied().fold(0.0, f64::max);
        if solved.len() > 1 {
            self.spreads.push(slowest / fastest.max(1e-3));
        }
        self.seconds.extend(solved);
    }

    fn finish(&mut self) {
        self.median_seconds = median(&mut self.seconds);
        self.spread = median(&mut self.spreads);
    }
}

/// The middle one; 0 of none.
fn median(all: &mut [f64]) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

/// The table, as Mariposa's, for people.
pub fn table(rows: &[Row]) -> String {
    let mut out = "| solver | the same, with | seeds | unsolvable | unstable | stable | inconclusive | sat | unsat | unknown | none | lost | contradictions | median s | slowest/fastest |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n".to_owned();
    for row in rows {
        let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / (row.seeds as f64).max(1.0));
        out += &format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.3} | {:.2} |\n",
            row.target,
            row.way,
            row.seeds,
            share(row.unsolvable),
            share(row.unstable),
            share(row.stable),
            share(row.inconclusive),
            row.sat,
            row.unsat,
            row.unknown,
            row.none,
            row.lost,
            row.contradictions,
            row.median_seconds,
            row.spread,
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_classed_by_the_share_of_its_mutants_that_is_solved() {
        assert_eq!(Class::of(0, 20), Class::Unsolvable);
        assert_eq!(Class::of(20, 20), Class::Stable);
        assert_eq!(Class::of(10, 20), Class::Unstable);
        assert_eq!(Class::of(19, 20), Class::Inconclusive, "one miss of twenty may be chance");
        assert_eq!(Class::of(0, 0), Class::Inconclusive);
    }

    #[test]
    fn answers_are_counted_and_contradictions_and_losses_seen() {
        let mut row = Row::default();
        let (sat, unsat, unknown) = (Some(Answer::Sat), Some(Answer::Unsat), Some(Answer::Unknown));
        row.count(&[(sat, 0.1), (sat, 0.3), (unknown, 0.2)]);
        row.count(&[(sat, 0.1), (unsat, 0.1)]);
        row.finish();
        assert_eq!((row.seeds, row.queries, row.sat, row.unsat, row.unknown), (2, 5, 3, 1, 1));
        assert_eq!((row.contradictions, row.lost, row.unstable, row.stable), (1, 1, 1, 1));
        assert!((row.spread - 3.0).abs() < 1e-9);
        assert!(table(&[row]).lines().count() == 3);
    }
}
