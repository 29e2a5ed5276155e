//! Every formula of a range put to every solver, and the sentence that is true afterwards.
//!
//! The dispatcher deals blocks to workers and is alone to write the campaign folder; `judge` asks and judges one
//! formula; `guarantee` says what was covered. What each formula brought is counted together with its block, in one
//! transaction, so that a killed run that goes on counts nothing twice and nothing never.

mod guarantee;
mod judge;

pub use guarantee::{Guarantee, Scope};

use crate::exit::Exit;
use crate::hunt::work::{Done, Judged};
use crate::hunt::{Ledger, Setup, interrupts, store_failure};
use crate::spread::spread;
use judge::{Share, judge};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use store::Store;
use strategy::enumerate::cases::{Block, Enumerate};

/// How far to go, and who does it.
pub struct Budget {
    pub workers: usize,
    pub shard: (u64, u64),
    pub time: Option<Duration>,
    pub quiet: bool,
}

/// What came of one block.
struct Judgements {
    unit: u64,
    block: Result<Block, String>,
    done: Vec<(Done, Share)>,
}

/// Does all blocks of this shard that the folder does not have.
pub fn enumerate(
    setup: &Setup,
    range: &Enumerate,
    budget: &Budget,
    mut ledger: Ledger,
) -> anyhow::Result<Exit> {
    let interrupts = interrupts()?;
    let began = Instant::now();
    let over = || budget.time.is_some_and(|time| began.elapsed() >= time);
    let stop = || interrupts.load(Ordering::SeqCst) > 0 || over();
    let units: Vec<u64> = (0..range.blocks())
        .filter(|unit| unit % budget.shard.1 == budget.shard.0 && !ledger.is_done("enumerate", *unit))
        .collect();
    let work = |_: &mut (), unit: u64| judgements(setup, range, unit);
    let mut teller = Teller::new(budget, units.len());
    spread(budget.workers, units, &stop, work, |judged: Judgements| teller.take(setup, &mut ledger, judged))?;
    let exit = teller.exit(&interrupts);
    ledger.finish(&teller.tally.summary(began.elapsed(), 0.0))?;
    Ok(exit)
}

fn judgements(setup: &Setup, range: &Enumerate, unit: u64) -> Judgements {
    let block = range.block(unit).map_err(|error| error.to_string());
    let cases = block.as_ref().map(|block| block.cases.clone()).unwrap_or_default();
    let done = cases.into_iter().map(|case| judge(setup, case)).collect();
    Judgements { unit, block, done }
}

/// Takes results, keeps them, speaks.
struct Teller<'a> {
    budget: &'a Budget,
    tally: crate::hunt::tally::Tally,
    blocks: usize,
    done: usize,
    said: Instant,
    began: Instant,
}

impl Teller<'_> {
    fn new(budget: &Budget, blocks: usize) -> Teller<'_> {
        let now = Instant::now();
        Teller { budget, tally: Default::default(), blocks, done: 0, said: now, began: now }
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
        for (name, by) in Scope::COUNTS.iter().zip(counts) {
            ledger.count(name, by);
        }
        let done: Vec<Done> = judged.done.into_iter().map(|(done, _)| done).collect();
        ledger.record("enumerate", judged.unit, &done)?;
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
                if kept.new_bug {
                    self.tally.bugs += 1;
                    let culprits = worst.culprits.join(", ");
                    eprintln!("bug  {}  {culprits}  {what}  ({})", worst.kind.word(), kept.folder.display());
                }
            }
            Judged::OurBug(message) => {
                eprintln!("our own bug on {what}: {message}");
                ledger.our_bug(done, message)?;
            }
            Judged::Inconclusive(why) if why.starts_with(oracle::OWN_CONTRADICTION) => {
                eprintln!("{what}: {why}");
                ledger.our_bug(done, why)?;
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
        let (done, blocks) = (self.done, self.blocks);
        eprintln!(
            "{done} of {blocks} blocks, {} formulas, {rate:.0}/s, {} bugs",
            self.tally.cases, self.tally.bugs
        );
    }

    fn exit(&self, interrupts: &Arc<AtomicUsize>) -> Exit {
        match () {
            () if self.tally.our_bugs > 0 => Exit::Internal,
            () if interrupts.load(Ordering::SeqCst) > 0 => Exit::Interrupted,
            () => Exit::Fine,
        }
    }
}

/// What the folder says about the whole range, from all runs in it.
pub fn guarantee(dir: &std::path::Path, scope: Scope) -> anyhow::Result<Guarantee> {
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
