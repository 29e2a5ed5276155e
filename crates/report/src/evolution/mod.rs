//! The evolution of solvers: correctness and performance per theory and release.
//!
//! In: a grid that was filled by `falsum evolution`. Out: one document ([`Evolution`]) and that document as tables
//! (`table.rs`), CSV (`csv.rs`) and one offline page (`page.rs`, drawn by `plot.rs`), in the manner of Figures 7.9,
//! 7.11, 7.13 and 7.14 of Winterer's thesis. Only formulas that every release was given are counted, so that columns
//! can be compared; times are processor time. Bugs are those that were reproduced in a fresh process; contradictions
//! without a certificate are in a separate column and accuse no solver.

mod csv;
mod page;
mod plot;
mod table;

pub use csv::csv;
pub use page::page;
pub use table::table;

use crate::error::Result;
use serde::Serialize;
use std::collections::BTreeMap;
use store::{Axis, Cell, Grid, Trial};

/// The names on the grid's axes, and how the grid was measured.
#[derive(Clone, Debug)]
pub struct Axes {
    pub theories: Vec<(String, Axis)>,
    /// Oldest first within a solver.
    pub releases: Vec<(Release, Axis)>,
    /// In seconds, smallest first.
    pub timeouts: Vec<f64>,
    /// How cells were measured.
    pub session: String,
    pub machine: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Release {
    /// `z3@4.8.5`.
    pub name: String,
    /// `z3`.
    pub solver: String,
    /// `4.8.5`.
    pub version: String,
}

/// All figures of tables and plots.
#[derive(Clone, Debug, Serialize)]
pub struct Evolution {
    pub timeouts: Vec<f64>,
    pub session: String,
    pub machine: String,
    pub theories: Vec<Theory>,
    pub families: Vec<Family>,
}

/// Where in an enumeration the formulas are that trigger bugs: how many formulas of each theory must run until so many of
/// the triggers have been seen. A formula that triggers a bug in several releases counts for each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Triggers {
    pub count: u64,
    /// None if there are no triggers.
    pub formulas_for_80_percent: Option<u64>,
    pub formulas_for_99_percent: Option<u64>,
}

impl Triggers {
    /// From the positions of the triggers, counted from 0.
    fn of(mut positions: Vec<u64>) -> Triggers {
        positions.sort_unstable();
        let count = positions.len() as u64;
        let until = |percent: u64| {
            let needed = (count * percent).div_ceil(100);
            positions.get(needed.checked_sub(1)? as usize).map(|position| position + 1)
        };
        Triggers { count, formulas_for_80_percent: until(80), formulas_for_99_percent: until(99) }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Theory {
    pub name: String,
    /// How many formulas every release was given.
    pub formulas: u64,
    /// Of these, how many have an answer that a certificate of ours proves.
    pub certified: u64,
}

/// One solver and its releases, oldest first.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    pub solver: String,
    pub releases: Vec<Release>,
    /// By theory, then by release.
    pub figures: Vec<Vec<Figures>>,
    /// By theory, all releases together; and all theories together.
    pub triggers: Vec<Triggers>,
    pub all_triggers: Triggers,
}

/// One theory and one release.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub timeout: u64,
    /// Refused: an error, or a feature that the release lacks.
    pub rejected: u64,
    /// Ended without an answer in any other way.
    pub other: u64,
    /// Wrong answers that a certificate proves wrong.
    pub unsound: u64,
    /// Answers that the newest other solver contradicts, with no certificate for either.
    pub disagrees: u64,
    pub invalid_model: u64,
    pub crash: u64,
    /// Suspicions that were not reproduced in fresh processes, or that stay undecided.
    pub unrepeated: u64,
    /// Solved (sat or unsat) within each timeout.
    pub solved: Vec<u64>,
    /// Formulas that every release of the family solves, and the seconds that this one needs for them.
    pub joint: u64,
    pub joint_seconds: f64,
    /// Formulas per second of processor time, timeouts included.
    pub throughput: f64,
    /// Milliseconds of the median query.
    pub median_ms: f64,
    /// The same for the share that was run in fresh processes, and how many those are.
    pub fresh: u64,
    pub fresh_median_ms: f64,
    /// Solved in a fresh process within the smallest timeout.
    pub fresh_solved: u64,
}

impl Figures {
    /// All answers that are proved wrong.
    pub fn bugs(&self) -> u64 {
        self.unsound + self.invalid_model + self.crash
    }
}

impl Evolution {
    /// Reads a grid. For a theory, only the first formulas are counted, up to the number that every release has.
    pub fn read(grid: &Grid, axes: &Axes) -> Result<Evolution> {
        let mut families: Vec<Family> = vec![];
        for (release, _) in &axes.releases {
            match families.iter_mut().find(|family| family.solver == release.solver) {
                Some(family) => family.releases.push(release.clone()),
                None => families.push(Family {
                    solver: release.solver.clone(),
                    releases: vec![release.clone()],
                    figures: vec![],
                    triggers: vec![],
                    all_triggers: Triggers::default(),
                }),
            }
        }
        let mut theories = vec![];
        let mut positions: Vec<Vec<u64>> = vec![vec![]; families.len()];
        for (name, theory) in &axes.theories {
            let read = Rows::read(grid, axes, *theory)?;
            for (family, all) in families.iter_mut().zip(&mut positions) {
                family.figures.push(read.figures(&family.solver, &axes.timeouts));
                let own = read.triggers(&family.solver);
                all.extend(&own);
                family.triggers.push(Triggers::of(own));
            }
            let certified = read.certified();
            theories.push(Theory { name: name.clone(), formulas: read.formulas, certified });
        }
        for (family, all) in families.iter_mut().zip(positions) {
            family.all_triggers = Triggers::of(all);
        }
        Ok(Evolution {
            timeouts: axes.timeouts.clone(),
            session: axes.session.clone(),
            machine: axes.machine.clone(),
            theories,
            families,
        })
    }

    /// Sums over all theories, per release of a family.
    pub fn totals(&self, family: &Family) -> Vec<Figures> {
        let mut totals = vec![Figures::default(); family.releases.len()];
        for row in &family.figures {
            for (total, figures) in totals.iter_mut().zip(row) {
                total.add(figures);
            }
        }
        totals
    }
}

impl Figures {
    /// Adds counts and times; rates and medians are not changed, because they cannot be added.
    fn add(&mut self, other: &Figures) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.timeout += other.timeout;
        self.rejected += other.rejected;
        self.other += other.other;
        self.unsound += other.unsound;
        self.disagrees += other.disagrees;
        self.invalid_model += other.invalid_model;
        self.crash += other.crash;
        self.unrepeated += other.unrepeated;
        self.solved.resize(other.solved.len(), 0);
        for (mine, theirs) in self.solved.iter_mut().zip(&other.solved) {
            *mine += theirs;
        }
        self.joint += other.joint;
        self.joint_seconds += other.joint_seconds;
        self.fresh += other.fresh;
        self.fresh_solved += other.fresh_solved;
    }
}

/// One theory's cells, limited to the formulas that every release has.
struct Rows<'a> {
    axes: &'a Axes,
    formulas: u64,
    cells: Vec<Vec<Cell>>,
    fresh: Vec<Vec<Cell>>,
    trials: Vec<Vec<Trial>>,
    exact: BTreeMap<u64, bool>,
}

impl<'a> Rows<'a> {
    fn read(grid: &Grid, axes: &'a Axes, theory: Axis) -> Result<Rows<'a>> {
        let (mut cells, mut fresh, mut trials, mut settled) = (vec![], vec![], vec![], u64::MAX);
        for (_, release) in &axes.releases {
            cells.push(grid.cells(theory, *release, false)?);
            fresh.push(grid.cells(theory, *release, true)?);
            trials.push(grid.trials(theory, *release)?);
            settled = settled.min(grid.settled(theory, *release)?);
        }
        let whole = |row: &Vec<Cell>| {
            let gap = row.iter().enumerate().find(|(at, cell)| cell.number != *at as u64);
            gap.map_or(row.len(), |(at, _)| at) as u64
        };
        let truths = grid.truths(theory)?;
        let formulas = cells.iter().map(whole).min().unwrap_or(0).min(settled);
        for row in cells.iter_mut().chain(&mut fresh) {
            row.retain(|cell| cell.number < formulas);
        }
        for row in &mut trials {
            row.retain(|trial| trial.number < formulas);
        }
        let exact = truths.into_iter().filter_map(|(n, truth)| Some((n, truth?))).collect();
        Ok(Rows { axes, formulas, cells, fresh, trials, exact })
    }

    /// How many formulas are decided by a confirmed model or by enumeration.
    fn certified(&self) -> u64 {
        let by_model = |number: &u64| self.cells.iter().any(|row| row[*number as usize].model == "confirmed");
        (0..self.formulas).filter(|number| self.exact.contains_key(number) || by_model(number)).count() as u64
    }

    /// The positions of the formulas that trigger bugs, once for every release of a solver that they trigger one in.
    fn triggers(&self, solver: &str) -> Vec<u64> {
        let own =
            self.axes.releases.iter().zip(&self.trials).filter(|((release, _), _)| release.solver == solver);
        let all = own.flat_map(|(_, trials)| trials);
        all.filter(|trial| is_bug(trial)).map(|trial| trial.number).collect()
    }

    fn figures(&self, solver: &str, timeouts: &[f64]) -> Vec<Figures> {
        let members: Vec<usize> =
            (0..self.cells.len()).filter(|&release| self.axes.releases[release].0.solver == solver).collect();
        let joint: Vec<usize> = (0..self.formulas as usize)
            .filter(|&number| members.iter().all(|&release| self.cells[release][number].is_definite()))
            .collect();
        members.iter().map(|&release| self.of_release(release, &joint, timeouts)).collect()
    }

    fn of_release(&self, release: usize, joint: &[usize], timeouts: &[f64]) -> Figures {
        let (cells, fresh) = (&self.cells[release], &self.fresh[release]);
        let mut figures = Figures { joint: joint.len() as u64, ..Figures::default() };
        for cell in cells {
            *figures.outcome(cell) += 1;
        }
        for trial in &self.trials[release] {
            match trial.verdict.as_str() {
                "refutation-unsound" | "solution-unsound" if trial.certified => figures.unsound += 1,
                "invalid-model" => figures.invalid_model += 1,
                "crash" => figures.crash += 1,
                "inconsistent" => figures.disagrees += 1,
                _ => figures.unrepeated += 1,
            }
        }
        let seconds = |cell: &Cell| cell.cpu as f64 / 1e6;
        let within = |cells: &[Cell], limit: f64| {
            cells.iter().filter(|cell| cell.is_definite() && seconds(cell) <= limit).count() as u64
        };
        figures.solved = timeouts.iter().map(|&limit| within(cells, limit)).collect();
        figures.joint_seconds = joint.iter().map(|&number| seconds(&cells[number])).sum();
        let total: f64 = cells.iter().map(seconds).sum();
        figures.throughput = if total > 0.0 { cells.len() as f64 / total } else { 0.0 };
        figures.median_ms = median(cells.iter().map(|cell| cell.cpu)) / 1e3;
        figures.fresh = fresh.len() as u64;
        figures.fresh_median_ms = median(fresh.iter().map(|cell| cell.cpu)) / 1e3;
        figures.fresh_solved = timeouts.first().map_or(0, |&limit| within(fresh, limit));
        figures
    }
}

impl Figures {
    fn outcome(&mut self, cell: &Cell) -> &mut u64 {
        match (cell.answer.as_str(), cell.ended.as_str()) {
            ("sat", _) => &mut self.sat,
            ("unsat", _) => &mut self.unsat,
            ("unknown", _) => &mut self.unknown,
            (_, "cpu" | "wall") => &mut self.timeout,
            (_, "error" | "unsupported") => &mut self.rejected,
            _ => &mut self.other,
        }
    }
}

/// Whether a trial counts as a bug, as in [`Figures::bugs`].
fn is_bug(trial: &Trial) -> bool {
    match trial.verdict.as_str() {
        "refutation-unsound" | "solution-unsound" => trial.certified,
        "invalid-model" | "crash" => true,
        _ => false,
    }
}

fn median(values: impl Iterator<Item = u64>) -> f64 {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2] as f64,
        n => (values[n / 2 - 1] + values[n / 2]) as f64 / 2.0,
    }
}

/// `1/64 s`, `0.5 s`, `8 s`: powers of two as people write them.
pub(crate) fn seconds(limit: f64) -> String {
    let parts = (1.0 / limit).round();
    if limit < 0.1 && (parts * limit - 1.0).abs() < 1e-6 {
        format!("1/{parts} s")
    } else {
        format!("{limit} s")
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn sample() -> Evolution {
        let dir = tempfile::tempdir().expect("a folder");
        let mut grid = Grid::open(dir.path(), "terms").expect("a grid");
        let release = |name: &str| {
            let (solver, version) = name.split_once('@').expect("a release");
            Release { name: name.into(), solver: solver.into(), version: version.into() }
        };
        let names = ["z3@4.8.5", "z3@4.8.6", "cvc5@1.4.2"];
        let releases: Vec<(Release, Axis)> =
            names.iter().map(|name| (release(name), grid.release(name, "h").expect("a release"))).collect();
        let ints = grid.theory("Ints", "g").expect("a theory");
        let cell = |number, answer: &str, cpu| Cell {
            number,
            answer: answer.into(),
            ended: if answer.is_empty() { "cpu".into() } else { "ended".into() },
            model: if answer == "sat" { "confirmed".into() } else { String::new() },
            cpu,
            wall: cpu,
        };
        let rows = [
            vec![cell(0, "sat", 10_000), cell(1, "unsat", 20_000), cell(2, "", 2_000_000)],
            vec![cell(0, "unsat", 5_000), cell(1, "unsat", 30_000), cell(2, "unknown", 7_000)],
            vec![cell(0, "sat", 1_000), cell(1, "unsat", 1_000), cell(3, "sat", 1)],
        ];
        for (row, (_, axis)) in rows.iter().zip(&releases) {
            grid.keep(ints, *axis, false, row).expect("kept");
        }
        grid.keep_truths(ints, &[(0, None), (1, None), (2, None)]).expect("kept");
        let all: Vec<Axis> = releases.iter().map(|(_, axis)| *axis).collect();
        grid.settle(ints, &all, 3).expect("kept");
        grid.keep(ints, releases[0].1, true, &[cell(0, "sat", 12_000)]).expect("kept");
        let trial =
            Trial { number: 0, verdict: "refutation-unsound".into(), certified: true, detail: String::new() };
        grid.keep_trial(ints, releases[1].1, &trial).expect("kept");
        grid.keep_trial(ints, releases[1].1, &Trial { number: 2, ..trial }).expect("kept");
        let axes = Axes {
            theories: vec![("Ints".into(), ints)],
            releases,
            timeouts: vec![1.0 / 64.0, 2.0],
            session: "reset sessions".into(),
            machine: "a machine".into(),
        };
        Evolution::read(&grid, &axes).expect("a document")
    }

    #[test]
    fn only_formulas_that_every_release_was_given_are_counted() {
        let evolution = sample();
        assert_eq!((evolution.theories[0].formulas, evolution.theories[0].certified), (2, 1));
        let z3 = &evolution.families[0].figures[0];
        assert_eq!((z3[0].sat, z3[0].unsat, z3[0].timeout), (1, 1, 0));
        assert_eq!(z3[1].unsound, 1, "the trial of formula 2 is outside");
    }

    #[test]
    fn smaller_timeouts_follow_from_the_measured_time() {
        let evolution = sample();
        let z3 = &evolution.families[0].figures[0];
        assert_eq!((z3[0].solved.as_slice(), z3[1].solved.as_slice()), (&[1, 2][..], &[1, 2][..]));
        assert_eq!(z3[0].joint, 2);
        assert!((z3[0].joint_seconds - 0.03).abs() < 1e-9 && (z3[1].throughput - 2.0 / 0.035).abs() < 1e-6);
        assert_eq!((z3[0].fresh, z3[0].fresh_solved, z3[0].fresh_median_ms), (1, 1, 12.0));
    }

    #[test]
    fn triggers_say_how_many_formulas_show_most_of_them() {
        let evolution = sample();
        let z3 = &evolution.families[0];
        assert_eq!(z3.all_triggers.count, z3.figures[0].iter().map(Figures::bugs).sum::<u64>());
        assert_eq!(z3.triggers, std::slice::from_ref(&z3.all_triggers));
        assert_eq!(evolution.families[1].all_triggers, Triggers::default());
        let spread = Triggers::of((0..100).map(|n| n * 10).rev().collect());
        assert_eq!(spread.formulas_for_80_percent, Some(791));
        assert_eq!(spread.formulas_for_99_percent, Some(981));
        assert_eq!(Triggers::of(vec![4]).formulas_for_80_percent, Some(5));
    }

    #[test]
    fn times_read_as_people_write_them() {
        assert_eq!([1.0 / 64.0, 0.5, 8.0].map(seconds), ["1/64 s", "0.5 s", "8 s"]);
    }
}
