//! Every formula of a range put to every solver, and the sentence that is true afterwards.
//!
//! The dispatcher deals blocks to workers and is alone to write the campaign folder; `judge` asks and judges one
//! formula; `guarantee` says what was covered. What each formula brought is counted together with its block, in one
//! transaction, so that a killed run that goes on counts nothing twice and nothing never. A last block that is short is
//! kept under a name of its own with its length: a run that goes further does the rest of it. When a solver falls out,
//! the run stops, since the sentence is about all of them.

mod guarantee;
mod judge;

pub use guarantee::{Guarantee, Scope};

use crate::exit::Exit;
use crate::hunt::work::{Done, Judged};
use crate::hunt::{Ledger, Setup, interrupts, store_failure};
use crate::spread::spread;
use judge::{Share, judge};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use store::{Ranges, Store};
use strategy::enumerate::cases::{BLOCK, Block, Enumerate};

/// The names under which the folder keeps whole blocks and short last ones.
const WHOLE: &str = "enumerate";
const SHORT: &str = "enumerate.short";

/// How far to go, and who does it.
pub struct Budget {
    pub workers: usize,
    pub shard: (u64, u64),
    pub time: Option<Duration>,
    pub quiet: bool,
}

/// What the folder has: of each lane the blocks that are done, and those of which only the beginning is.
struct Before(Vec<(Ranges, Ranges)>);

impl Before {
    fn read(dir: &Path) -> anyhow::Result<Before> {
        let view = Store::read(dir).map_err(store_failure)?;
        let done = |name, lane| view.cursor(name, lane).map_err(store_failure);
        let lane = |lane| Ok((done(WHOLE, lane)?, done(SHORT, lane)?));
        Ok(Before((0..view.campaign().lanes).map(lane).collect::<anyhow::Result<_>>()?))
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

/// The unit that stands for the first `len` formulas of a block. It belongs to the same lane as the block.
fn short_unit(block: u64, len: u64, lanes: u64) -> u64 {
    (block / lanes)
        .saturating_mul(BLOCK)
        .saturating_add(len)
        .saturating_mul(lanes)
        .saturating_add(block % lanes)
}

/// What came of one block.
struct Judgements {
    unit: u64,
    block: Result<Block, String>,
    done: Vec<(Done, Share)>,
    /// The user wanted it to end at once.
    cut: bool,
}

/// Does all blocks of this shard that the folder does not have.
pub fn enumerate(
    setup: &Setup,
    range: &Enumerate,
    budget: &Budget,
    dir: &Path,
    mut ledger: Ledger,
) -> anyhow::Result<Exit> {
    let interrupts = interrupts()?;
    let began = Instant::now();
    let over = || budget.time.is_some_and(|time| began.elapsed() >= time);
    let lost = || setup.panel.disabled().next().is_some();
    let stop = || interrupts.load(Ordering::SeqCst) > 0 || over() || lost();
    let before = Before::read(dir)?;
    let all = (budget.shard.0..range.blocks()).step_by(usize::try_from(budget.shard.1)?);
    let units = all.map(|unit| (unit, before.done(unit))).filter(|(unit, done)| *done < range.len_of(*unit));
    let at_once = || interrupts.load(Ordering::SeqCst) > 1;
    let work = |_: &mut (), (unit, done): (u64, u64)| judgements(setup, range, unit, done, &at_once);
    let mut teller = Teller::new(budget, range, &before);
    spread(budget.workers, units, &stop, work, |judged: Judgements| teller.take(setup, &mut ledger, judged))?;
    let exit = teller.exit(&interrupts, tell_lost(setup, &mut ledger));
    ledger.finish(&teller.tally.summary(began.elapsed(), 0.0))?;
    Ok(exit)
}

/// Says which solvers fell out, and why; tells whether there are any.
#[allow(clippy::print_stderr, reason = "the user must know why it ends")]
fn tell_lost(setup: &Setup, ledger: &mut Ledger) -> bool {
    let mut lost = false;
    for (name, why) in setup.panel.disabled() {
        lost = true;
        let line = format!("{name} is asked no more: {why}");
        ledger.note(&line);
        eprintln!(
            "{line}\n  = hint: what was not put to all solvers is not counted; put it right and go on with --resume"
        );
    }
    lost
}

/// Judges what is left of a block.
fn judgements(
    setup: &Setup,
    range: &Enumerate,
    unit: u64,
    done: u64,
    at_once: &impl Fn() -> bool,
) -> Judgements {
    let block = range.rest_of_block(unit, done).map_err(|error| error.to_string());
    let cases = block.as_ref().map(|block| block.cases.clone()).unwrap_or_default();
    let done = cases.into_iter().map_while(|case| (!at_once()).then(|| judge(setup, case))).collect();
    Judgements { unit, block, done, cut: at_once() }
}

/// Takes results, keeps them, speaks.
struct Teller<'a> {
    budget: &'a Budget,
    range: &'a Enumerate,
    /// Into how many lanes the folder deals its blocks.
    lanes: u64,
    tally: crate::hunt::tally::Tally,
    done: u64,
    said: Instant,
    began: Instant,
}

impl Teller<'_> {
    fn new<'a>(budget: &'a Budget, range: &'a Enumerate, before: &Before) -> Teller<'a> {
        let (now, lanes, done) = (Instant::now(), before.lanes(), before.blocks());
        Teller { budget, range, lanes, tally: Default::default(), done, said: now, began: now }
    }

    fn take(&mut self, setup: &Setup, ledger: &mut Ledger, judged: Judgements) -> anyhow::Result<()> {
        let block = judged.block.map_err(|why| anyhow::anyhow!("block {}: {why}", judged.unit))?;
        let mut counts = [0u64; Scope::COUNTS.len()];
        counts[Scope::SKIPPED] = block.skipped;
        for (done, share) in &judged.done {
            self.tally.count(done);
            self.keep(setup, ledger, done)?;
            share.add_to(&mut counts);
        }
        if judged.cut || setup.panel.disabled().next().is_some() {
            // Not everything was put to everybody: a run that goes on does this block again.
            return Ok(());
        }
        for (name, by) in Scope::COUNTS.iter().zip(counts) {
            ledger.count(name, by);
        }
        let done: Vec<Done> = judged.done.into_iter().map(|(done, _)| done).collect();
        match self.range.len_of(judged.unit) {
            BLOCK => ledger.record(WHOLE, judged.unit, &done)?,
            len => ledger.record(SHORT, short_unit(judged.unit, len, self.lanes), &done)?,
        }
        self.done += 1;
        self.progress();
        Ok(())
    }

    #[allow(clippy::print_stderr, reason = "the user waits and should know")]
    fn keep(&mut self, setup: &Setup, ledger: &mut Ledger, done: &Done) -> anyhow::Result<()> {
        let what = done.case.recipe.rules.join(", ");
        match &done.verdict {
            Judged::Findings { findings, statements, shown_by } => {
                let Some(worst) = findings.first() else { return Ok(()) };
                let case = shown_by.as_ref().unwrap_or(&done.case);
                let kept = ledger.keep(setup, case, worst, statements)?;
                self.tally.findings += u64::from(!kept.before);
                if kept.new_bug {
                    self.tally.bugs += 1;
                    let culprits = worst.culprits.join(", ");
                    eprintln!("bug  {}  {culprits}  {what}  ({})", worst.kind.word(), kept.folder.display());
                }
            }
            Judged::OurBug(message) => {
                eprintln!("our own bug on {what}: {message}");
                ledger.our_bug(&done.panic(message))?;
            }
            Judged::Inconclusive(why) if why.starts_with(oracle::OWN_CONTRADICTION) => {
                eprintln!("{what}: {why}");
                ledger.our_bug(&done.panic(why))?;
            }
            Judged::Flaky(apart) => {
                let kind = apart.suspected.first().map_or("", |finding| finding.kind.word());
                ledger.note(&format!("flaky: {what}: {kind}, {}", apart.how));
            }
            Judged::Inconclusive(_) | Judged::Fine { .. } | Judged::Invalid(_) => {}
        }
        Ok(())
    }

    #[allow(clippy::print_stderr, reason = "the user waits and should know")]
    fn progress(&mut self) {
        if self.budget.quiet || self.said.elapsed() < Duration::from_secs(10) {
            return;
        }
        self.said = Instant::now();
        let rate = self.tally.cases as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        let (first, step) = self.budget.shard;
        let blocks = self.range.blocks().saturating_sub(first).div_ceil(step);
        let (done, bugs) = (self.done, self.tally.bugs);
        eprintln!("{done} of {blocks} blocks, {} formulas, {rate:.0}/s, bugs: {bugs}", self.tally.cases);
    }

    fn exit(&self, interrupts: &Arc<AtomicUsize>, lost: bool) -> Exit {
        match () {
            () if self.tally.our_bugs > 0 => Exit::Internal,
            () if lost => Exit::NoSolver,
            () if interrupts.load(Ordering::SeqCst) > 0 => Exit::Interrupted,
            () => Exit::Fine,
        }
    }
}

/// What the folder says about the whole range, from all runs in it.
pub fn guarantee(dir: &Path, scope: Scope) -> anyhow::Result<Guarantee> {
    let view = Store::read(dir).map_err(store_failure)?;
    let status = view.status().map_err(store_failure)?;
    let mut counts = [0; Scope::COUNTS.len()];
    for (name, count) in Scope::COUNTS.iter().zip(&mut counts) {
        *count = view.count(name).map_err(store_failure)?;
    }
    Ok(Guarantee {
        scope,
        counts,
        bugs: status.bug_list.len() as u64,
        findings: status.summary.progress.findings,
    })
}
