//! The grid of releases × formulas, from the first query to the document that reports draw.
//!
//! In: releases, grammars, how many formulas, one limit. Each (formula, release) runs once, or as often as
//! wanted, under the largest timeout;
//! the result for every smaller one follows from the measured time. The work is ordered so that the grid is complete
//! for a small number of formulas before it grows: a run that is stopped at any time has comparable columns. `ask` does
//! a block, `doubt` finds suspicions and checks them in fresh processes. Only the dispatcher writes the grid; workers
//! only send blocks. An accusation that no fresh process reproduced must never be counted.

mod ask;
mod doubt;

use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::interrupt::Interrupts;
use crate::listen::CampaignEnd;
use crate::spread::spread;
use dashu_int::UBig;
use oracle::Pace;
use solver::{QueryLimits, SessionKind, Target};
use std::path::PathBuf;
use std::time::Duration;
use store::{Axis, Cell, Grid};
use strategy::enumerate::{Enumeration, Layout, catalog};

/// What to measure, and how.
pub struct Measurement {
    pub releases: Vec<Target>,
    pub theories: Vec<&'static catalog::Embedded>,
    pub take: u64,
    /// The index of the first formula of each grammar.
    pub from: UBig,
    /// How many variables each class of a grammar has; `None`: as usual.
    pub variables: Option<usize>,
    /// How often every formula runs on every release; times are means.
    pub repetitions: u32,
    /// The largest timeout, as processor time.
    pub limit: Duration,
    pub memory: u64,
    pub session: SessionKind,
    /// One formula in this many runs in a fresh process as well.
    pub fresh_every: u64,
    pub workers: usize,
    pub out: PathBuf,
    /// Receives progress messages.
    pub progress: Box<dyn Fn(&str) + Send + Sync>,
    /// How long to go on.
    pub time: Option<Duration>,
}

impl Measurement {
    /// A text that says how cells are measured; a grid that was measured differently is another grid.
    fn terms(&self) -> String {
        let mut terms =
            format!("{} sessions, {} s of processor time", self.session.name(), self.limit.as_secs_f64());
        if self.from != UBig::ZERO {
            terms += &format!(", from formula {}", self.from);
        }
        if let Some(variables) = self.variables {
            terms += &format!(", {variables} variables");
        }
        if self.repetitions > 1 {
            terms += &format!(", means of {} runs", self.repetitions);
        }
        terms
    }

    /// The limit is processor time, so that a busy machine changes no figure; wall time only ends a query that hangs.
    pub fn limits(&self) -> QueryLimits {
        let wall = self.limit * 100 + Duration::from_secs(60);
        QueryLimits { wall, cpu: Some(self.limit), memory: Some(self.memory) }
    }
}

/// One grammar and its formulas.
pub struct Theory {
    pub name: &'static str,
    pub axis: Axis,
    pub formulas: Vec<Box<str>>,
}

/// Formulas of one theory for one release, done by one worker as one job.
#[derive(Clone, Debug)]
pub struct Block {
    pub theory: usize,
    pub release: usize,
    pub fresh: bool,
    pub numbers: Vec<u64>,
}

/// How many formulas a block has: a kill loses at most this many per worker.
const BLOCK: usize = 50;

/// The grid is complete at each of these numbers before it grows to the next.
const STAGES: [u64; 12] =
    [100, 250, 500, 1_000, 1_500, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 1_000_000];

/// A run of the grid.
pub struct Evolution {
    pub setup: Measurement,
    pub theories: Vec<Theory>,
    pub releases: Vec<Axis>,
    pub grid: Grid,
    interrupts: Interrupts,
    clock: Clock,
    cancel: run::Cancel,
    asked: u64,
}

impl Evolution {
    /// Opens the grid and makes the formulas.
    pub fn open(setup: Measurement) -> Result<Evolution> {
        let mut grid = Grid::open(&setup.out, &setup.terms())?;
        let mut theories = vec![];
        for embedded in &setup.theories {
            let axis = grid.theory(embedded.name, &identity(embedded)?)?;
            let formulas = formulas(embedded, setup.variables, &setup.from, setup.take)?;
            theories.push(Theory { name: embedded.name, axis, formulas });
        }
        let mut releases = vec![];
        for target in &setup.releases {
            releases.push(grid.release(&target.name, &target.hash)?);
        }
        let (interrupts, cancel) = (Interrupts::listen()?, run::Cancel::new()?);
        let clock = Clock::begin(setup.time, &interrupts, &cancel)?;
        Ok(Evolution { setup, theories, releases, grid, interrupts, clock, cancel, asked: 0 })
    }

    /// Fills the grid, stage by stage; `each` is called whenever a stage is complete.
    pub fn run<E: From<Error>>(
        &mut self,
        mut each: impl FnMut(&Evolution) -> std::result::Result<(), E>,
    ) -> std::result::Result<CampaignEnd, E> {
        let mut stages: Vec<u64> = STAGES.into_iter().filter(|&stage| stage < self.setup.take).collect();
        stages.push(self.setup.take);
        for stage in stages {
            for theory in 0..self.theories.len() {
                let blocks = self.missing(theory, stage)?;
                self.ask(blocks)?;
                if !self.is_stopped() {
                    doubt::settle(self, theory, stage)?;
                }
                if self.is_stopped() {
                    each(self)?;
                    return Ok(if self.interrupts.stop() {
                        CampaignEnd::Interrupted
                    } else {
                        CampaignEnd::Fine
                    });
                }
                self.say(&format!("{} of {}", stage, self.theories[theory].name));
            }
            each(self)?;
        }
        Ok(CampaignEnd::Fine)
    }

    pub fn is_stopped(&self) -> bool {
        self.interrupts.stop() || self.clock.is_over()
    }

    fn say(&self, what: &str) {
        let seconds = self.clock.elapsed().as_secs();
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        (self.setup.progress)(&format!("{minutes:>3}:{seconds:02}  {what}: {} queries so far", self.asked));
    }

    /// Blocks of a theory that are not in the grid yet, releases one after the other.
    fn missing(&self, theory: usize, upto: u64) -> Result<Vec<Block>> {
        let upto = upto.min(self.theories[theory].formulas.len() as u64);
        let mut blocks = vec![];
        for release in 0..self.releases.len() {
            for fresh in [false, true] {
                let known = self.cells(theory, release, fresh)?;
                let mut known = known.iter().map(|cell| cell.number).peekable();
                let wanted = |number: &u64| !fresh || number.is_multiple_of(self.setup.fresh_every.max(1));
                let mut numbers = vec![];
                for number in (0..upto).filter(wanted) {
                    while known.next_if(|&there| there < number).is_some() {}
                    if known.peek() != Some(&number) {
                        numbers.push(number);
                    }
                }
                let skip = fresh && self.setup.fresh_every == 0;
                for numbers in numbers.chunks(BLOCK).filter(|_| !skip) {
                    blocks.push(Block { theory, release, fresh, numbers: numbers.to_vec() });
                }
            }
        }
        Ok(blocks)
    }

    fn ask(&mut self, blocks: Vec<Block>) -> Result<()> {
        let (setup, theories, releases) = (&self.setup, &self.theories, &self.releases);
        let (grid, asked, interrupts) = (&mut self.grid, &mut self.asked, &self.interrupts);
        let (clock, cancel) = (&self.clock, &self.cancel);
        let stop = || interrupts.stop() || clock.is_over();
        let work = |state: &mut ask::Hand, block: Block| {
            let cells = ask::block(state, setup, &theories[block.theory], &block, (clock, cancel));
            (block, cells)
        };
        type Asked = (Block, std::result::Result<Vec<Cell>, String>);
        spread(setup.workers, blocks, &stop, work, |(block, cells): Asked| {
            let target = || setup.releases[block.release].name.clone();
            let cells = cells.map_err(|why| Error::Unavailable { target: target(), why })?;
            *asked += cells.len() as u64;
            let (theory, release) = (theories[block.theory].axis, releases[block.release]);
            Ok(grid.keep(theory, release, block.fresh, &cells)?)
        })
    }

    pub fn cells(&self, theory: usize, release: usize, fresh: bool) -> Result<Vec<Cell>> {
        let (theory, release) = (self.theories[theory].axis, self.releases[release]);
        Ok(self.grid.cells(theory, release, fresh)?)
    }

    /// Formulas on which a release gives up or takes far longer than another one, as (theory, release, number): per theory
    /// and release the first of those on which an older release of the same solver does better, then the others.
    pub fn outdone(&self, wanted: impl Fn(&usize) -> bool, most: usize) -> Result<Vec<(usize, usize, u64)>> {
        let mut all = vec![];
        for theory in 0..self.theories.len() {
            let cells: Vec<Vec<Cell>> = (0..self.releases.len())
                .map(|release| self.cells(theory, release, false))
                .collect::<Result<_>>()?;
            for release in (0..self.releases.len()).filter(&wanted) {
                let mut found: Vec<(bool, u64)> = vec![];
                for (other, theirs) in cells.iter().enumerate().filter(|(other, _)| *other != release) {
                    let (mine, yours) = (&self.setup.releases[release], &self.setup.releases[other]);
                    let own = mine.profile.name == yours.profile.name;
                    let numbers = better(&cells[release], theirs, own && yours.version < mine.version);
                    found.extend(numbers.into_iter().map(|number| (!own, number)));
                }
                found.sort_unstable();
                found.dedup_by_key(|(_, number)| *number);
                all.extend(found.into_iter().take(most).map(|(_, number)| (theory, release, number)));
            }
        }
        Ok(all)
    }

    /// The newest release of every solver, as positions.
    pub fn newest(&self) -> Vec<usize> {
        let mut newest: Vec<usize> = vec![];
        for (at, target) in self.setup.releases.iter().enumerate() {
            let solver = |other: &usize| self.setup.releases[*other].profile.name == target.profile.name;
            match newest.iter_mut().find(|other| solver(other)) {
                Some(other) if self.setup.releases[*other].version < target.version => *other = at,
                Some(_) => {}
                None => newest.push(at),
            }
        }
        newest
    }
}

/// Formulas that others decide and this one gives up on, if they are older releases of it, or is far slower on.
fn better(mine: &[Cell], theirs: &[Cell], older: bool) -> Vec<u64> {
    let mut theirs = theirs.iter().peekable();
    let mut found = vec![];
    for cell in mine {
        while theirs.next_if(|other| other.number < cell.number).is_some() {}
        let Some(other) = theirs.peek().filter(|other| other.number == cell.number && other.is_definite())
        else {
            continue;
        };
        let gave_up = older && cell.answer == "unknown" && cell.ended == "ended";
        let late = cell.is_definite() || matches!(cell.ended.as_str(), "cpu" | "wall");
        let (slow, fast) = (Duration::from_micros(cell.cpu), Duration::from_micros(other.cpu));
        if gave_up || (late && Pace::USUAL.is_slow(slow, fast)) {
            found.push(cell.number);
        }
    }
    found
}

/// What identifies a formula by its number: the grammar, and the order in which it is enumerated.
fn identity(embedded: &catalog::Embedded) -> Result<String> {
    let mut hash = blake3::Hasher::new();
    hash.update(embedded.text.as_bytes()).update(embedded.classes.as_bytes());
    for formula in formulas(embedded, None, &UBig::ZERO, 50)? {
        hash.update(formula.as_bytes());
    }
    Ok(hash.finalize().to_hex()[..16].to_owned())
}

/// The first formulas of a grammar.
fn formulas(
    embedded: &catalog::Embedded,
    variables: Option<usize>,
    from: &UBig,
    take: u64,
) -> Result<Vec<Box<str>>> {
    let explain = |error: strategy::enumerate::GrammarError| Error::Grammar {
        grammar: embedded.name.to_owned(),
        why: error.to_string(),
    };
    let grammar = embedded.grammar(variables).map_err(explain)?;
    let mut enumeration = Enumeration::new(&grammar, Layout::Lines).map_err(explain)?;
    let mut all = vec![];
    let each = |formula: strategy::enumerate::Formula<'_>| {
        all.push(formula.text.into());
        true
    };
    enumeration.walk(from, take, None, each).map_err(explain)?;
    Ok(all)
}
