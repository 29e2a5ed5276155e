//! Every formula of a range run on every solver, and the statement about what was covered.
//!
//! Blocks are distributed to workers, and one place writes the campaign folder; each formula is run and judged as in a
//! hunt (`unit`), with a policy of its own; `guarantee` states what was covered. The counts of each formula are stored
//! together with its block, in one transaction, so that a resumed run counts every block exactly once. A last block
//! that is incomplete is stored under a separate name with its length: a run with a larger range does the rest of it.
//! When a solver is disabled, the run stops, since the statement is about all solvers.

mod guarantee;

pub use guarantee::{Guarantee, Scope};

use crate::assignment::Assignment;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::ledger::Ledger;
use crate::listen::CampaignEnd;
use crate::spread::spread;
use crate::unit::{Asked, Done, Judged, judge};
use std::path::Path;
use std::time::{Duration, Instant};
use store::{Event, Ranges, Store};
use strategy::enumerate::cases::{BLOCK, Block, Enumerate};

/// The names under which the folder stores complete blocks and incomplete last ones.
const WHOLE: &str = "enumerate";
const SHORT: &str = "enumerate.short";

/// How far to go, and with how many workers.
pub struct Extent {
    pub workers: usize,
    pub shard: (u64, u64),
    pub time: Option<Duration>,
}

/// The progress in the folder: for each lane the blocks that are done, and the incomplete ones.
struct Before(Vec<(Ranges, Ranges)>);

impl Before {
    fn read(dir: &Path) -> Result<Before> {
        let view = Store::read(dir)?;
        let done = |name, lane| view.cursor(name, lane);
        let lane = |lane| Ok((done(WHOLE, lane)?, done(SHORT, lane)?));
        Ok(Before((0..view.campaign().lanes).map(lane).collect::<Result<_>>()?))
    }

    fn lanes(&self) -> u64 {
        self.0.len() as u64
    }

    /// How many blocks are done.
    fn blocks(&self) -> u64 {
        self.0.iter().map(|(whole, _)| whole.len()).sum()
    }

    /// How many formulas of a block are done, from its first on.
    fn done(&self, block: u64) -> u64 {
        let n = block / self.lanes();
        let (whole, short) = &self.0[(block % self.lanes()) as usize];
        if whole.contains(n) {
            return BLOCK;
        }
        (1..BLOCK).rev().find(|len| short.contains(n.saturating_mul(BLOCK) + len)).unwrap_or(0)
    }
}

/// The unit that represents the first `len` formulas of a block. It belongs to the same lane as the block.
fn short_unit(block: u64, len: u64, lanes: u64) -> u64 {
    (block / lanes)
        .saturating_mul(BLOCK)
        .saturating_add(len)
        .saturating_mul(lanes)
        .saturating_add(block % lanes)
}

/// The result of one block.
struct Judgements {
    unit: u64,
    block: std::result::Result<Block, String>,
    done: Vec<Done>,
    /// There was no time for all of it.
    cut: bool,
}

/// Does all blocks of this shard that the folder does not have.
pub fn enumerate(
    assignment: &Assignment,
    range: &Enumerate,
    extent: &Extent,
    dir: &Path,
    mut ledger: Ledger,
) -> Result<CampaignEnd> {
    let interrupts = ledger.interrupts();
    let clock = Clock::begin(extent.time, &interrupts, &assignment.cancel)?;
    let lost = || assignment.panel.disabled().next().is_some();
    let stop = || interrupts.stop() || clock.is_over() || lost();
    let before = Before::read(dir)?;
    let step = usize::try_from(extent.shard.1).unwrap_or(usize::MAX);
    let all = (extent.shard.0..range.blocks()).step_by(step);
    let units = all.map(|unit| (unit, before.done(unit))).filter(|(unit, done)| *done < range.len_of(*unit));
    let work = |_: &mut (), (unit, done): (u64, u64)| judgements(assignment, range, unit, done, &clock);
    let mut keeper = Keeper::new(extent, range, &before);
    let take = |judged: Judgements| keeper.take(assignment, &mut ledger, judged);
    spread(extent.workers, units, &stop, work, take)?;
    let lost = ledger.say_disabled(assignment)?;
    if lost {
        let text =
            "formulas that did not run on all solvers are not counted; --resume continues once they work";
        ledger.say(Event::Note { text: text.into() })?;
    }
    let summary = ledger.finish()?;
    Ok(match () {
        () if summary.verdicts.contains_key("our-bug") => CampaignEnd::OurBugs,
        () if lost => CampaignEnd::NoSolver,
        () if interrupts.stop() => CampaignEnd::Interrupted,
        () => CampaignEnd::Fine,
    })
}

/// Judges the rest of a block.
fn judgements(assignment: &Assignment, range: &Enumerate, unit: u64, done: u64, clock: &Clock) -> Judgements {
    let block = range.rest_of_block(unit, done).map_err(|error| error.to_string());
    let drafts = block.as_ref().map(|block| block.drafts.clone()).unwrap_or_default();
    let stamp = assignment.strategies[0].stamp(&assignment.key, unit);
    let (wanted, mut done) = (drafts.len(), vec![]);
    for draft in drafts {
        let recipe = assignment.policy.asking(assignment, &draft, stamp.recipe(&draft, 0));
        if clock.is_closing() {
            break;
        }
        let judged = judge(assignment, draft, recipe, Asked::default());
        if assignment.cancel.is_raised() {
            // Solvers were ended: what they did not say says nothing.
            break;
        }
        done.push(judged);
    }
    let cut = done.len() < wanted;
    Judgements { unit, block, done, cut }
}

/// Receives results and stores them.
struct Keeper<'a> {
    extent: &'a Extent,
    range: &'a Enumerate,
    /// The number of lanes over which the folder distributes its blocks.
    lanes: u64,
    done: u64,
    formulas: u64,
    said: Instant,
    began: Instant,
}

impl Keeper<'_> {
    fn new<'a>(extent: &'a Extent, range: &'a Enumerate, before: &Before) -> Keeper<'a> {
        let (now, lanes, done) = (Instant::now(), before.lanes(), before.blocks());
        Keeper { extent, range, lanes, done, formulas: 0, said: now, began: now }
    }

    fn take(&mut self, assignment: &Assignment, ledger: &mut Ledger, judged: Judgements) -> Result<()> {
        let wrong = |why| Error::Grammar { grammar: format!("block {}", judged.unit), why };
        let block = judged.block.map_err(wrong)?;
        let mut counts = [0u64; Scope::COUNTS.len()];
        counts[Scope::SKIPPED] = block.skipped;
        let asked = assignment.panel.all().count();
        for done in &judged.done {
            self.formulas += 1;
            ledger.take(assignment, done)?;
            count(done, asked, &mut counts);
        }
        if judged.cut || assignment.panel.disabled().next().is_some() {
            // Some formulas did not run on every solver: a resumed run does this block again.
            return Ok(());
        }
        for (name, by) in Scope::COUNTS.iter().zip(counts) {
            ledger.count(name, by);
        }
        match self.range.len_of(judged.unit) {
            BLOCK => ledger.record(WHOLE, judged.unit, &judged.done)?,
            len => ledger.record(SHORT, short_unit(judged.unit, len, self.lanes), &judged.done)?,
        }
        self.done += 1;
        self.progress(ledger)
    }

    fn progress(&mut self, ledger: &mut Ledger) -> Result<()> {
        if self.said.elapsed() < Duration::from_secs(10) {
            return Ok(());
        }
        self.said = Instant::now();
        let rate = self.formulas as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        let (first, step) = self.extent.shard;
        let blocks = self.range.blocks().saturating_sub(first).div_ceil(step);
        let (done, bugs) = (self.done, ledger.summary()?.progress.bugs);
        let text =
            format!("{done} of {blocks} blocks, {} formulas, {rate:.0}/s, bugs: {bugs}", self.formulas);
        ledger.tell(Event::Note { text });
        Ok(())
    }
}

/// What one formula adds to the counts of the guarantee.
fn count(done: &Done, asked: usize, counts: &mut [u64; Scope::COUNTS.len()]) {
    let answered = match done.answered {
        0 => Scope::BY_NONE,
        1 if asked > 1 => Scope::BY_ONE,
        n if n == asked => Scope::BY_ALL,
        _ => Scope::BY_SOME,
    };
    counts[answered] += 1;
    counts[Scope::FORMULAS] += 1;
    counts[Scope::CERTIFIED] += u64::from(done.is_certified());
    let doubtful = matches!(done.verdict, Judged::Inconclusive(_) | Judged::Unconfirmed(_));
    counts[Scope::INCONCLUSIVE] += u64::from(doubtful);
    counts[Scope::INVALID] += u64::from(matches!(done.verdict, Judged::Invalid(_)));
}

/// The statement about the whole range, from all runs in the folder.
pub fn guarantee(dir: &Path, scope: Scope) -> Result<Guarantee> {
    let view = Store::read(dir)?;
    let status = view.status()?;
    let mut counts = [0; Scope::COUNTS.len()];
    for (name, count) in Scope::COUNTS.iter().zip(&mut counts) {
        *count = view.count(name)?;
    }
    Ok(Guarantee {
        scope,
        counts,
        bugs: status.bug_list.len() as u64,
        findings: status.summary.progress.findings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use strategy::Recipe;

    #[test]
    fn a_formula_counts_once_as_answered_by_all_some_one_or_none() {
        let of = |answered, asked| {
            let mut counts = [0; Scope::COUNTS.len()];
            let verdict = Judged::Fine { certified: answered > 0 };
            let empty = Done::our_bug(Recipe::default(), [].into(), String::new());
            let done = Done { verdict, answered, ..empty };
            count(&done, asked, &mut counts);
            let at = [Scope::BY_ALL, Scope::BY_SOME, Scope::BY_ONE, Scope::BY_NONE].map(|n| counts[n]);
            assert_eq!((at.iter().sum::<u64>(), counts[Scope::FORMULAS]), (1, 1));
            at.iter().position(|&n| n == 1).expect("one of them")
        };
        assert_eq!([of(2, 2), of(1, 1), of(2, 3), of(1, 2), of(0, 2)], [0, 0, 1, 2, 3]);
    }
}
