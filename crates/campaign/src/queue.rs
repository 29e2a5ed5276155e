//! Triage during the hunt: each new finding is reduced, confirmed, bisected and given its signature.
//!
//! Each thread takes one finding at a time and limits its time, and all together take a bounded share (`spending`), so a
//! flood of bugs cannot take the machine from the hunt; when the hunt is over, more threads help. A finding gets at most
//! half of the time that the campaign has left. The reduced form is run on all solvers once more, so that a report is about the formula that it shows; then on the
//! installed releases of the culprit. Last, the command that the report prints is run as it is printed. The results go back to the
//! dispatcher, the only writer. The next finding is always one of the kind, culprit and place of a crash of which fewest have
//! been triaged, so that a rare bug does not wait behind a flood of another. Two bugs whose reduced forms have one signature become one; a hit that a known bug
//! explains (see `triage::mask`) is not reduced at all.

use crate::assignment::Assignment;
use crate::caught::caught;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::pair::{Beside, Pair};
use crate::spending::{Pace, Work};
use oracle::FindingKind;
use smtlib::Parsed;
use solver::{Home, Profiles, QueryLimits, Reply, Target};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::{FindingId, Reduction, ReleaseRow, View};
use strategy::Role;
use triage::goal::Pinned;
use triage::reduce::{Improvement, Options, Reduced, Stats};
use triage::signature::exact;
use triage::{Bisection, CoreOperator, Demonstration, KnownBug, Panel, Sign, Symptom, demonstrate};

/// The time limit for one finding, and the part of it for bisection.
const PATIENCE: Duration = Duration::from_secs(30);
const FOR_RELEASES: Duration = Duration::from_secs(15);

/// Where a check takes as long as what is slow about it.
const FOR_SLOWNESS: Duration = Duration::from_secs(90);

/// Between two looks at whether triage may go on.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// With how many solver seeds the reduced form is tried.
const SEEDS: u64 = 5;

/// A triage thread's stack: evaluation and printing never recurse on depth, but reductions may.
const STACK: usize = 256 << 20;

/// A finding in the triage queue.
#[derive(Clone, Debug)]
pub struct Job {
    pub id: FindingId,
    pub symptom: Symptom,
    pub script: Vec<u8>,
    /// The formula beside it, where the finding is about both.
    pub beside: Option<Beside>,
}

impl Job {
    /// The job for a stored finding, as it was found. `None` if it has no symptom to look for.
    pub fn read(view: &View, id: &FindingId) -> Result<Option<Job>> {
        let meta = view.meta(id)?;
        let script = view.file(id, "formula.smt2")?;
        let before = view.partners(&meta)?.into_iter().find(|(role, _)| *role == Role::Before);
        let beside = before.and_then(|(_, before)| Beside::of(meta.kind, before, &meta.recipe));
        Ok(meta.symptom.map(|symptom| Job { id: id.clone(), symptom, script, beside }))
    }
}

/// What triage learnt about a finding.
pub struct Learnt {
    pub id: FindingId,
    pub reduced: Vec<u8>,
    /// The formula beside it, reduced in step.
    pub beside: Option<Vec<u8>>,
    pub stats: Stats,
    pub signature: String,
    /// The answers to the reduced form; `None` if it did not show the bug again.
    pub seen: Option<Reduction>,
    pub releases: Option<Bisection>,
    /// The file and the record of the command that a report prints.
    pub shown: Option<(Vec<u8>, Demonstration)>,
    /// Whether time ran out before the reduction was complete.
    pub cut_short: bool,
    /// The culprit with the options that are needed, where it has needless ones.
    pub culprit: Option<String>,
}

/// The result of a job.
pub enum Triaged {
    New(Box<Learnt>),
    /// A hit of a known bug.
    Known {
        id: FindingId,
        signature: String,
    },
    /// The bug does not show any more.
    Gone(FindingId),
    /// We panicked; only this finding is lost.
    OurBug {
        job: Box<Job>,
        said: String,
    },
}

impl Triaged {
    /// The finding that it is about.
    pub fn id(&self) -> &FindingId {
        match self {
            Triaged::New(learnt) => &learnt.id,
            Triaged::Known { id, .. } | Triaged::Gone(id) => id,
            Triaged::OurBug { job, .. } => &job.id,
        }
    }
}

/// The queue, as the dispatcher sees it.
pub struct Queue {
    jobs: Sender<Job>,
    results: Receiver<Triaged>,
    waiting: usize,
    shared: Arc<Shared>,
}

impl Queue {
    pub fn begin(assignment: &Arc<Assignment>, clock: &Clock, pace: Pace) -> Result<Queue> {
        let (jobs, arrivals) = channel();
        let (exits, results) = channel();
        let (arrivals, threads) = (Mutex::new(Arrivals::of(arrivals)), pace.threads());
        let (assignment, clock, cancel) = (Arc::clone(assignment), clock.clone(), run::Cancel::new()?);
        let now = Mutex::default();
        let shared = Arc::new(Shared { assignment, clock, cancel, arrivals, exits, now, pace });
        let queue = Queue { jobs, results, waiting: 0, shared };
        queue.add_thread()?;
        // With fewer threads, triage only takes longer.
        (1..threads).for_each(|_| drop(queue.add_thread()));
        Ok(queue)
    }

    /// Lets triage take as much time as it needs, or bounds it again.
    pub fn set_free(&self, free: bool) {
        self.shared.pace.set_free(free);
    }

    /// Starts one more triage thread.
    pub fn add_thread(&self) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        let thread = std::thread::Builder::new().name("triage".into()).stack_size(STACK);
        thread.spawn(move || shared.serve()).map(|_| ()).map_err(Error::machine("no thread for triage"))
    }

    pub fn push(&mut self, job: Job) {
        if self.jobs.send(job).is_ok() {
            self.waiting += 1;
        }
    }

    /// Cancels the running jobs; their results are meaningless then.
    pub fn cancel(&self) {
        self.shared.cancel.raise();
    }

    /// How many jobs are queued or running.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// The running jobs, one text each, the oldest first.
    pub fn now(&self) -> Vec<String> {
        let now = self.shared.now.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = now.iter().map(|(id, (step, since))| (since.elapsed(), id, step)).collect();
        all.sort_by_key(|(since, ..)| std::cmp::Reverse(*since));
        all.into_iter().map(|(since, id, step)| format!("{id} {step}, {} s", since.as_secs())).collect()
    }

    pub fn is_idle(&self) -> bool {
        self.waiting == 0
    }

    /// One result, if there is one within the time.
    pub fn next(&mut self, wait: Duration) -> Option<Triaged> {
        let result = self.results.recv_timeout(wait).ok()?;
        self.waiting -= 1;
        Some(result)
    }
}

/// Findings that no thread has taken yet.
struct Arrivals {
    source: Receiver<Job>,
    waiting: Vec<Job>,
    /// How many of each sort were taken.
    taken: BTreeMap<Sort, u64>,
}

/// What is known of a finding before triage: its kind, its culprit, and where it crashed.
type Sort = (FindingKind, Option<String>, Option<String>);

impl Arrivals {
    fn of(source: Receiver<Job>) -> Arrivals {
        Arrivals { source, waiting: vec![], taken: BTreeMap::new() }
    }

    /// One of the sort of which fewest were taken, the oldest of these. Waits for one; `None` if there will be none.
    fn next(&mut self) -> Option<Job> {
        if self.waiting.is_empty() {
            self.waiting.push(self.source.recv().ok()?);
        }
        self.waiting.extend(self.source.try_iter());
        let taken = |at: &usize| self.taken.get(&sort(&self.waiting[*at])).copied().unwrap_or(0);
        let at = (0..self.waiting.len()).min_by_key(taken)?;
        let job = self.waiting.remove(at);
        *self.taken.entry(sort(&job)).or_default() += 1;
        Some(job)
    }
}

fn sort(job: &Job) -> Sort {
    let place = match &job.symptom.sign {
        Sign::Dies(site) => Some(site.name.clone()),
        _ => None,
    };
    (job.symptom.kind, job.symptom.culprit.clone(), place)
}

/// What triage threads share.
struct Shared {
    assignment: Arc<Assignment>,
    clock: Clock,
    /// Ends triage; the workers' own switch ends the hunt, which comes earlier.
    cancel: run::Cancel,
    arrivals: Mutex<Arrivals>,
    exits: Sender<Triaged>,
    /// The running jobs: the finding, the step, and since when.
    now: Mutex<BTreeMap<FindingId, (String, Instant)>>,
    pace: Pace,
}

fn span(releases: &Bisection) -> (Option<String>, Option<String>) {
    (releases.first_bad.clone(), releases.fixed_in.clone())
}

impl Shared {
    fn serve(&self) {
        loop {
            let next = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(job) = next else { return };
            self.wait_for_its_turn();
            let id = job.id.clone();
            self.at(&id, "is confirmed once more");
            let triage = || caught(|| self.triage(job.clone()));
            let triaged = self.assignment.spending.during(Work::Triage, triage);
            self.now.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            let triaged = triaged.unwrap_or_else(|said| Triaged::OurBug { job: Box::new(job), said });
            if self.exits.send(triaged).is_err() {
                return;
            }
        }
    }

    /// Waits while triage has had more than its share of the time.
    fn wait_for_its_turn(&self) {
        while !self.pace.is_due(self.assignment.spending.of(Work::Triage)) && !self.cancel.is_raised() {
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Records which step a job is at.
    fn at(&self, id: &FindingId, step: impl Into<String>) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let since = now.get(id).map_or_else(Instant::now, |(_, since)| *since);
        now.insert(id.clone(), (step.into(), since));
    }

    fn triage(&self, mut job: Job) -> Triaged {
        if let Some(beside) = &job.beside {
            let pair = Pair { assignment: &self.assignment, job: &job, beside };
            return pair
                .reduce()
                .map_or_else(|| Triaged::Gone(job.id.clone()), |learnt| Triaged::New(Box::new(learnt)));
        }
        for bug in &self.assignment.panel.known.resembling(&job.symptom) {
            let Some(masked) = bug.operator.mask(&job.script) else { continue };
            if self.observe(&job, &masked).is_some() {
                // The script also shows another bug: reduce that one.
                job.script = masked;
            } else if self.cancel.is_raised() {
                return Triaged::Gone(job.id);
            } else if self.has_span(&job, bug) {
                return Triaged::Known { id: job.id, signature: bug.signature.clone() };
            }
        }
        let Some(mut learnt) = self.reduce(&mut job) else { return Triaged::Gone(job.id) };
        if job.symptom.is_corruption()
            && let Some(signature) = self.assignment.panel.known.noticed_at(&job.symptom)
        {
            learnt.signature = signature;
        }
        // An incomplete reduction has no core operator yet: an operator that is not needed may be innermost.
        if let Some(operator) = CoreOperator::of(&learnt.reduced).filter(|_| !learnt.cut_short) {
            if let Some(seen) = &mut learnt.seen {
                seen.operator = Some(operator.as_str().to_owned());
            }
            let (signature, span) = (learnt.signature.clone(), learnt.releases.as_ref().map(span));
            self.assignment.panel.known.add(KnownBug { symptom: job.symptom, operator, signature, span });
        }
        Triaged::New(Box::new(learnt))
    }

    fn observe(&self, job: &Job, script: &[u8]) -> Option<Pinned<'_>> {
        let (Assignment { panel, limits, .. }, cancel) = (&*self.assignment, &self.cancel);
        let symptom = &job.symptom;
        let panel = panel.owning(symptom.culprit.as_deref());
        let pinned = Pinned::observe_again(panel, symptom, script, limits, Some(cancel.clone())).ok()?;
        let same = pinned.kind() == job.symptom.kind
            && job.symptom.culprit.as_ref().is_none_or(|culprit| culprit == pinned.culprit());
        same.then_some(pinned)
    }

    /// Whether the same releases show it, as far as they were tested: two bugs may share a core operator.
    fn has_span(&self, job: &Job, bug: &KnownBug) -> bool {
        let Some(known) = &bug.span else { return true };
        let Some(pinned) = self.observe(job, &job.script) else { return false };
        let Ok(script) = Parsed::read(job.script.as_slice()) else { return false };
        over_releases(pinned.accused(), &script, pinned.symptom(), pinned.limits())
            .is_some_and(|releases| span(&releases) == *known)
    }

    fn reduce(&self, job: &mut Job) -> Option<Learnt> {
        let mut pinned = self.observe(job, &job.script)?.without_needless_options(&job.script);
        let began = Instant::now();
        let most = if job.symptom.kind.is_slowness() { FOR_SLOWNESS } else { PATIENCE };
        let patience = self.clock.until_spent().map_or(most, |left| most.min(left / 2));
        let stop = || began.elapsed() > patience || self.cancel.is_raised();
        let before = job.script.len();
        self.at(&job.id, format!("is reduced, {before} bytes"));
        let improved = |step: &Improvement<'_>| {
            self.at(&job.id, format!("is reduced, {before} to {} bytes", step.text.len()));
        };
        let options = Options { workers: 1, stop: &stop, improved: &improved };
        let reduced = pinned.reduce(&job.script, &options).ok()?;
        let script = Parsed::read(reduced.text.as_slice()).ok()?;
        // The reduced script may not need every option that the original needed.
        let pinned = pinned.without_needless_options(&reduced.text);
        self.at(&job.id, "is run on all solvers");
        let looked = look_again(&pinned, &script);
        // What corrupted memory on the way may be noticed as something else at last.
        let corrupts = |(_, symptom): &(Reduction, Symptom)| symptom.is_corruption();
        if looked.as_ref().is_some_and(corrupts) {
            job.symptom = job.symptom.as_corruption();
        }
        self.at(&job.id, "is run on the installed releases");
        let releases = looked
            .as_ref()
            .and_then(|(_, symptom)| over_releases(pinned.accused(), &script, symptom, pinned.limits()));
        self.at(&job.id, "gets its report");
        let shown = looked.as_ref().and_then(|(_, symptom)| {
            demonstrate(pinned.accused(), &script, symptom, pinned.limits(), Some(&self.cancel))
        });
        let culprit = looked.as_ref().and_then(|_| owner(&self.assignment.panel, pinned.accused()));
        Some(Learnt { shown, culprit, ..learn(job, reduced, &script, looked, releases) })
    }
}

/// The answers of all solvers to a reduced form, with the evidence, and the symptom to look for in other releases.
/// `None` if it did not show the bug again.
pub fn look_again(pinned: &Pinned<'_>, script: &Parsed) -> Option<(Reduction, Symptom)> {
    let (accusation, inquiry) = match pinned.kind().is_slowness() {
        true => pinned.measure(script.text())?,
        false => pinned.examine(script.text())?,
    };
    let (symptom, _) = triage::confirm::symptom(&accusation, &inquiry)?;
    let replies: Vec<Reply> = inquiry.heard.into_iter().map(|heard| heard.reply).collect();
    let replies: Vec<Reply> =
        replies.into_iter().filter(|reply| reply.question == accusation.at.question).collect();
    let mut seen = Reduction::of(&accusation, &replies);
    seen.options.clone_from(&pinned.accused().args);
    seen.seeds = match pinned.kind().is_slowness() {
        true => (triage::slow::SEEDS, triage::slow::SEEDS),
        false => over_seeds(pinned.accused(), script, &symptom, pinned.limits()),
    };
    Some((seen, symptom))
}

/// Whom a bug belongs to that showed in a target with more options than another: that other one, with the options that are
/// still needed. `None` if there is no other.
fn owner(panel: &Panel, accused: &Target) -> Option<String> {
    let plain = panel.targets.iter().map(|pool| pool.target()).find(|plain| {
        plain.path == accused.path
            && accused.name.strip_prefix(plain.name.as_str()).is_some_and(|more| more.starts_with(' '))
    })?;
    let needed: Vec<String> = accused.args.iter().filter(|arg| !plain.args.contains(arg)).cloned().collect();
    Some(if needed.is_empty() { plain.name.clone() } else { plain.with_args(&needed).name })
}

/// Everything that triage learnt about a finding.
pub fn learn(
    job: &Job,
    reduced: Reduced,
    script: &Parsed,
    looked: Option<(Reduction, Symptom)>,
    releases: Option<Bisection>,
) -> Learnt {
    let (mut seen, symptom) = looked.unzip();
    if let (Some(seen), Some(releases)) = (&mut seen, &releases) {
        seen.monotone = releases.monotone;
        seen.releases = releases.releases.iter().map(release_row).collect();
    }
    let options = seen.as_ref().map_or(&[][..], |seen: &Reduction| &seen.options);
    // A crash is named by where the reduced form crashes, slowness by where its time goes.
    let named = |symptom: &Symptom| symptom.locates() || symptom.kind.is_slowness();
    let symptom = symptom.filter(named).unwrap_or_else(|| job.symptom.clone());
    let symptom = if job.symptom.is_corruption() { symptom.as_corruption() } else { symptom };
    let signature = exact(&symptom, script, options).to_string();
    let (id, stats, cut_short) = (job.id.clone(), reduced.stats, reduced.interrupted);
    let (shown, culprit) = (None, None);
    let (reduced, beside) = (reduced.text, None);
    Learnt { id, reduced, beside, stats, signature, seen, releases, shown, cut_short, culprit }
}

pub(crate) fn release_row(row: &triage::bisect::Row) -> ReleaseRow {
    ReleaseRow { release: row.release.clone(), answer: row.answer.clone(), bad: row.bad }
}

/// The installed releases of the culprit's solver, called with the culprit's options.
pub fn releases_of(culprit: &Target) -> Vec<Target> {
    let Ok(home) = Home::from_env() else { return vec![] };
    let profiles = Profiles::embedded();
    let called = |release: &solver::Release| Target {
        args: culprit.args.clone(),
        ..Target::of_release(&profiles, release)
    };
    home.releases_of(&culprit.profile.name).iter().map(called).collect()
}

/// Asks the installed releases while there is time; those that were not asked are not in the result.
pub(crate) fn over_releases(
    culprit: &Target,
    script: &Parsed,
    symptom: &Symptom,
    limits: &QueryLimits,
) -> Option<Bisection> {
    let began = Instant::now();
    let mut releases = releases_of(culprit);
    releases.sort_by(|a, b| a.version.cmp(&b.version));
    let asked = releases.iter().take_while(|_| began.elapsed() < FOR_RELEASES);
    let rows: Vec<_> = asked.map(|target| triage::bisect::ask(target, script, symptom, limits)).collect();
    // With only half of the releases, the others would look unaffected.
    (!rows.is_empty() && rows.len() == releases.len()).then(|| Bisection::of(rows))
}

/// With how many solver seeds the culprit shows the bug.
fn over_seeds(culprit: &Target, script: &Parsed, symptom: &Symptom, limits: &QueryLimits) -> (u64, u64) {
    let shows = |seed: &u64| {
        let (target, commands) = culprit.with_seed(*seed);
        let seeded = [commands.join("\n").as_bytes(), b"\n", script.text()].concat();
        Parsed::read(seeded).is_ok_and(|seeded| triage::bisect::ask(&target, &seeded, symptom, limits).bad)
    };
    ((1..=SEEDS).filter(shows).count() as u64, SEEDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_bug_does_not_wait_behind_a_flood_of_another() {
        let (sink, source) = channel();
        let job = |id: &str, kind: FindingKind| Job {
            id: FindingId::of(kind, &[], id.as_bytes()),
            symptom: Symptom {
                kind,
                culprit: Some("z3".into()),
                role: Role::Formula,
                check: 0,
                sign: Sign::ModelFails,
            },
            script: id.as_bytes().to_vec(),
            beside: None,
        };
        for n in 0..5 {
            sink.send(job(&format!("flood {n}"), FindingKind::InvalidModel)).unwrap();
        }
        sink.send(job("rare", FindingKind::RefutationUnsound)).unwrap();
        drop(sink);
        let mut arrivals = Arrivals::of(source);
        let order: Vec<Vec<u8>> = std::iter::from_fn(|| arrivals.next()).map(|job| job.script).collect();
        assert_eq!(order.len(), 6);
        assert_eq!((&order[0][..], &order[1][..]), (&b"flood 0"[..], &b"rare"[..]));
    }

    #[test]
    fn a_bug_belongs_to_the_target_with_the_options_that_it_needs() {
        let target = |name: &str, args: &[&str]| Target {
            name: name.into(),
            profile: Profiles::embedded().get("z3"),
            command: vec![],
            args: args.iter().map(|&arg| arg.into()).collect(),
            version: None,
            hash: String::new(),
            path: "z3".into(),
        };
        let panel =
            Panel::new(vec![target("z3@5.4.0", &[]), target("z3@5.4.0 mine=1", &["mine=1"])], vec![], 1);
        let varied = "z3@5.4.0 a=1 b=2";
        assert_eq!(owner(&panel, &target(varied, &[])).as_deref(), Some("z3@5.4.0"));
        assert_eq!(owner(&panel, &target(varied, &["b=2"])).as_deref(), Some("z3@5.4.0 b=2"));
        assert_eq!(owner(&panel, &target("z3@5.4.0 mine=1", &[])).as_deref(), Some("z3@5.4.0"));
        assert_eq!(owner(&panel, &target("z3@5.4.0", &[])), None);
    }
}
