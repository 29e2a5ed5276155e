//! Triage of what a campaign folder holds, without a hunt: reduce, name and bisect, each bug once.
//!
//! In: a folder, usually merged from shards, and the solvers. Out: the same folder with reduced forms, exact signatures
//! and releases. Bugs that were triaged before, in any shard, are known from the beginning ([`remember`]), so that a
//! further sample of one is recognised by masking and not reduced again. The samples of one bug are triaged one after
//! the other, different bugs at the same time. Where several machines share the work, each takes the bugs whose ids fall
//! to it.

use crate::assignment::{Assignment, Budget};
use crate::clock::Clock;
use crate::error::Result;
use crate::ledger::Ledger;
use crate::listen::CampaignEnd;
use crate::queue::{Job, Queue, Triaged};
use crate::spending::Pace;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::{BugId, Event, NewPanic, Reduction, Store, View};
use triage::{CoreOperator, KnownBug, KnownBugs};

/// Between two looks at the clock.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Adds the bugs that were triaged in this folder, or in a shard of it, to the known ones: symptom, core operator,
/// signature and releases. What cannot be read is not known.
pub fn remember(view: &View, known: &KnownBugs) -> Result<usize> {
    let mut count = 0;
    for bug in view.bugs()? {
        let Some(reduced_in) = &bug.triage.reduced_in else { continue };
        let Some(operator) = Reduction::read(&view.folder(reduced_in)).and_then(|seen| seen.operator) else {
            continue;
        };
        let Some(symptom) = view.meta(reduced_in).ok().and_then(|meta| meta.symptom) else { continue };
        let (first, fixed) = (bug.triage.first_bad.clone(), bug.triage.fixed_in.clone());
        let span = first.is_some().then_some((first, fixed));
        let operator = CoreOperator::named(operator);
        known.add(KnownBug { symptom, operator, signature: bug.signature, span });
        count += 1;
    }
    Ok(count)
}

/// The samples of one bug, in the order in which they are triaged.
pub type Samples = BTreeMap<BugId, VecDeque<Job>>;

/// The findings whose bugs were not triaged, by bug, of the bugs that fall to shard `index` of `count`.
pub fn untriaged(view: &View, (index, count): (u64, u64)) -> Result<Samples> {
    let mut all = Samples::new();
    for bug in view.bugs()?.into_iter().filter(|bug| bug.triage.reduced_bytes.is_none()) {
        let hash = blake3::hash(bug.id.as_str().as_bytes());
        let mut number = [0; 8];
        number.copy_from_slice(&hash.as_bytes()[..8]);
        if u64::from_le_bytes(number) % count == index {
            all.insert(bug.id, VecDeque::new());
        }
    }
    let mut findings = view.findings()?;
    findings.sort_by_key(|finding| (finding.bytes, finding.id.clone()));
    for finding in findings.iter().filter(|finding| view.folder(&finding.id).is_dir()) {
        let Some(samples) = all.get_mut(&finding.bug) else { continue };
        // A finding that cannot be read is reported by the store and does not end triage.
        samples.extend(Job::read(view, &finding.id).ok().flatten());
    }
    all.retain(|_, samples| !samples.is_empty());
    Ok(all)
}

/// Triages the samples until all are done, time is over or the user interrupts.
pub fn triage(
    assignment: &Arc<Assignment>,
    budget: &Budget,
    mut ledger: Ledger,
    mut samples: Samples,
) -> Result<CampaignEnd> {
    let interrupts = ledger.interrupts();
    let clock = Clock::begin(budget.time, &interrupts, &assignment.cancel)?;
    let mut queue = Queue::begin(assignment, &clock, Pace::new(1.0, budget.workers))?;
    queue.set_free(true);
    (1..budget.workers).for_each(|_| drop(queue.add_thread()));
    let mut bug_of = BTreeMap::new();
    for (bug, jobs) in &mut samples {
        bug_of.extend(jobs.iter().map(|job| (job.id.clone(), bug.clone())));
        jobs.pop_front().into_iter().for_each(|job| queue.push(job));
    }
    while !queue.is_idle() && !clock.is_over() && !interrupts.stop() {
        let Some(triaged) = queue.next(LOOK_EVERY) else { continue };
        let bug = bug_of.get(triaged.id());
        let next = bug.and_then(|bug| samples.get_mut(bug)?.pop_front());
        record(&mut ledger, triaged)?;
        next.into_iter().for_each(|job| queue.push(job));
    }
    queue.cancel();
    let left = queue.waiting() + samples.values().map(VecDeque::len).sum::<usize>();
    if left > 0 {
        let text = format!("{left} samples are not triaged yet; the same command goes on with them");
        ledger.say(Event::Note { text })?;
    }
    let findings = ledger.finish()?.progress.findings > 0;
    Ok(match () {
        () if interrupts.stop() => CampaignEnd::Interrupted,
        () if findings => CampaignEnd::Findings,
        () => CampaignEnd::Fine,
    })
}

/// Stores one result of triage.
pub(crate) fn record(ledger: &mut Ledger, triaged: Triaged) -> Result<()> {
    match triaged {
        Triaged::Gone(_) => Ok(()),
        Triaged::Known { id, signature } => ledger.masked(&id, &signature),
        Triaged::New(learnt) => ledger.reduced(&learnt),
        Triaged::OurBug { job, said } => {
            let place = format!("triage of {}", job.id);
            let new = NewPanic { place, message: said, script: Some(job.script), ..NewPanic::default() };
            ledger.our_bug(&new)
        }
    }
}

/// Opens the folder for reading and remembers its bugs.
pub(crate) fn remember_in(dir: &Path, known: &KnownBugs) -> Result<usize> {
    remember(&Store::read(dir)?, known)
}
