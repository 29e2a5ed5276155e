//! The campaign folder as the dispatcher sees it, and the counters of the campaign.
//!
//! Converts the workers' results into the store's types, commits in batches, and waits when the disk is full: a finding
//! is never dropped, and a campaign that cannot continue reports it and stops with everything acknowledged on disk.
//! Every event that the store writes into `events.jsonl` is passed to the listeners, once and with the same number.

use crate::assignment::{Assignment, Budget};
use crate::error::{Error, Result};
use crate::focus::Focus;
use crate::interrupt::Interrupts;
use crate::listen::Listener;
use crate::pair::Beside;
use crate::queue::{Job, Learnt};
use crate::unit::{Done, Judged, Unconfirmed};
use oracle::Accusation;
use smtlib::Parsed;
use solver::Target;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};
use store::{
    Added, Batch, Beat, BugId, BugUpdate, Campaign, Counters, Event, FindingId, Invocation, NewFinding,
    Reduction, Shard, Stamped, Store, Summary, TargetRecord, UnitDone, Units,
};
use strategy::{Outcome, Role};
use triage::{Demonstration, Goal, Inquiry, Symptom};

/// How long finished units may wait before they are committed, and how many.
const COMMIT_EVERY: Duration = Duration::from_millis(500);
const COMMIT_UNITS: usize = 2_000;

/// The reduced form of the formula that the solver decides, of a finding about two.
const REDUCED_BESIDE: &str = "reduced-before.smt2";

/// How often a run describes itself for other machines.
const BEAT_EVERY: Duration = Duration::from_secs(5);

/// How long to wait for space on the disk.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Ledger {
    store: Option<Store>,
    batch: Batch,
    since: Instant,
    counters: Counters,
    listeners: Vec<Box<dyn Listener>>,
    /// The last description of itself, and when it was written.
    beaten: Option<(Instant, Beat)>,
    /// Disabled targets that were reported.
    disabled: HashSet<String>,
    interrupts: Interrupts,
}

/// A finding that was stored.
pub struct Kept {
    pub added: Added,
    /// Its signature before triage.
    pub signature: String,
    /// Its triage job; further hits of a flood have none.
    pub job: Option<Job>,
}

impl Ledger {
    pub fn open(
        dir: &Path,
        resume: bool,
        assignment: &Assignment,
        budget: &Budget,
        listeners: Vec<Box<dyn Listener>>,
    ) -> Result<Ledger> {
        // From here on an interrupt saves: whoever sees the folder may send one.
        let interrupts = Interrupts::listen()?;
        let campaign = campaign(assignment, budget);
        let options = store::Options { record: budget.record, ..store::Options::default() };
        let store = if resume {
            Store::resume_with(dir, Some(&campaign), options)?
        } else {
            Store::create_with(dir, &campaign, options)?
        };
        Ledger::over(store, listeners, interrupts)
    }

    /// Goes on with the campaign of a folder, whatever its strategies and solvers are: for commands that add to it.
    pub fn reopen(dir: &Path, listeners: Vec<Box<dyn Listener>>) -> Result<Ledger> {
        let interrupts = Interrupts::listen()?;
        Ledger::over(Store::resume(dir)?, listeners, interrupts)
    }

    fn over(store: Store, listeners: Vec<Box<dyn Listener>>, interrupts: Interrupts) -> Result<Ledger> {
        let mut ledger = Ledger {
            batch: Batch::default(),
            since: Instant::now(),
            counters: store.counters(),
            store: Some(store),
            listeners,
            beaten: None,
            disabled: HashSet::new(),
            interrupts,
        };
        ledger.pass_on()?;
        Ok(ledger)
    }

    fn store(&mut self) -> Result<&mut Store> {
        self.store.as_mut().ok_or(Error::Closed)
    }

    /// The interrupts since the folder was opened.
    pub fn interrupts(&self) -> Interrupts {
        self.interrupts.clone()
    }

    /// The campaign folder.
    pub fn dir(&self) -> Result<&Path> {
        self.store.as_ref().map(Store::dir).ok_or(Error::Closed)
    }

    /// The problems of the folder, and how they were repaired.
    pub fn problems(&self) -> &[store::Problem] {
        self.store.as_ref().map_or(&[], Store::problems)
    }

    // Events.

    /// Passes on the events that the store has written.
    fn pass_on(&mut self) -> Result<()> {
        for event in self.store()?.drain_events() {
            self.listeners.iter_mut().for_each(|listener| listener.hear(&event));
        }
        Ok(())
    }

    /// Emits an event that is stored; if a full disk loses it, nothing else is lost.
    pub fn say(&mut self, event: Event) -> Result<()> {
        let _ = self.store()?.say(event);
        self.pass_on()
    }

    /// Emits an event that is not stored.
    pub fn tell(&mut self, event: Event) {
        let event = Stamped::now(event);
        self.listeners.iter_mut().for_each(|listener| listener.hear(&event));
    }

    /// Writes how the campaign stands into the file that other machines read, if it is due or the run has ended. If it
    /// cannot be written, only that is lost.
    pub fn beat(&mut self, ended: Option<&str>) -> Result<()> {
        if ended.is_none() && self.beaten.as_ref().is_some_and(|(when, _)| when.elapsed() < BEAT_EVERY) {
            return Ok(());
        }
        let progress = self.summary()?.progress;
        let store = self.store()?;
        let shard = store.campaign().shard;
        let beat = Beat::new(shard, progress, &store.bugs()?, ended.map(str::to_owned));
        let dir = store.dir().to_owned();
        let before = self.beaten.take().map(|(_, beat)| beat);
        self.beaten = beat.write(&dir, before.as_ref()).ok().map(|beat| (Instant::now(), beat));
        Ok(())
    }

    /// Whether a listener has closed: the hunt saves and stops.
    pub fn is_deserted(&self) -> bool {
        self.listeners.iter().any(|listener| listener.is_gone())
    }

    // Units.

    pub fn is_done(&self, strategy: &str, unit: u64) -> bool {
        self.store.as_ref().is_some_and(|store| store.is_done(strategy, unit))
    }

    /// Takes a finished unit; commits now and then.
    pub fn record(&mut self, strategy: &'static str, unit: u64, done: &[Done]) -> Result<()> {
        let cases = done.iter().map(Done::record).collect();
        let done = UnitDone { strategy: strategy.into(), unit, cases, skipped: done.is_empty() };
        self.counters.count(&done);
        self.batch.units.push(done);
        if self.batch.units.len() >= COMMIT_UNITS { self.flush() } else { self.flush_if_due() }
    }

    /// Increases a counter of the command, together with the unit that is recorded next.
    pub fn count(&mut self, name: &'static str, by: u64) {
        if by > 0 {
            self.batch.counts.push((name.into(), by));
        }
    }

    pub fn flush_if_due(&mut self) -> Result<()> {
        if self.since.elapsed() >= COMMIT_EVERY { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.active = self.since.elapsed();
        self.counters.active(batch.active);
        self.since = Instant::now();
        self.retrying(|store| store.commit(&batch))
    }

    /// The state of the campaign, including the units that are not committed yet.
    pub fn summary(&mut self) -> Result<Summary> {
        let totals = self.store()?.totals()?;
        Ok(self.counters.summary(&totals))
    }

    /// Repeats a call while the disk is full, up to a limit.
    fn retrying<T>(&mut self, mut call: impl FnMut(&mut Store) -> store::Result<T>) -> Result<T> {
        let began = Instant::now();
        let mut told = false;
        loop {
            match call(self.store()?) {
                Err(error) if error.is_disk_full() && began.elapsed() < PATIENCE => {
                    if !std::mem::replace(&mut told, true) {
                        let text = format!("waiting {} s because: {error}", PATIENCE.as_secs());
                        self.tell(Event::Note { text });
                    }
                    std::thread::sleep(Duration::from_millis(500));
                }
                result => {
                    let result = result?;
                    self.pass_on()?;
                    return Ok(result);
                }
            }
        }
    }

    // Findings.

    /// Stores what came of a case besides its counts: findings that the campaign looks for, suspicions, our own failures.
    pub fn take(&mut self, assignment: &Assignment, done: &Done) -> Result<Vec<Kept>> {
        match &done.verdict {
            Judged::Findings(inquiry) => return self.keep_findings(assignment, inquiry),
            Judged::OurBug(message) => self.our_bug(&done.panic(message))?,
            Judged::Unconfirmed(suspicion) => self.unconfirmed(done, suspicion)?,
            Judged::Invalid(why) => {
                let why = why.lines().next().unwrap_or_default().to_owned();
                let (strategy, unit) = (done.recipe.strategy.clone(), done.recipe.unit);
                self.say(Event::IllTyped { strategy, unit, why })?;
            }
            Judged::Fine { .. } | Judged::Inconclusive(_) => {}
        }
        Ok(vec![])
    }

    /// Stores every accusation of a kind that the campaign looks for.
    pub fn keep_findings(&mut self, assignment: &Assignment, inquiry: &Inquiry) -> Result<Vec<Kept>> {
        let all = inquiry.verdict.findings().iter();
        let wanted = all.filter(|accusation| assignment.focus.wants(accusation.kind));
        wanted.map(|accusation| self.keep(assignment, accusation, inquiry)).collect()
    }

    /// Reports the targets that were disabled and not reported before; returns whether any is disabled.
    pub fn say_disabled(&mut self, assignment: &Assignment) -> Result<bool> {
        let mut any = false;
        for (target, reason) in assignment.panel.disabled() {
            any = true;
            if self.disabled.insert(target.to_owned()) {
                let (target, reason) = (target.to_owned(), reason.to_owned());
                self.say(Event::TargetDisabled { target, reason })?;
            }
        }
        Ok(any)
    }

    /// Stores one accusation on disk before anything else happens.
    fn keep(&mut self, assignment: &Assignment, accusation: &Accusation, inquiry: &Inquiry) -> Result<Kept> {
        let symptom = triage::confirm::symptom(accusation, inquiry).map(|(symptom, _)| symptom);
        let script = inquiry.case.questions.get(accusation.at.question).unwrap_or(inquiry.case.formula());
        let script = script.script.clone();
        let limit = assignment.limits.wall;
        let invoke = |pool: &solver::Pool| invocation(pool.target(), script.text(), limit);
        let mut new = NewFinding {
            accusation: accusation.clone(),
            signature: signature(symptom.as_ref(), accusation, &script),
            symptom: symptom.clone(),
            rate: inquiry.rate(accusation),
            case: inquiry.case.clone(),
            replies: inquiry.heard.iter().map(|heard| heard.reply.clone()).collect(),
            commands: panel_of(assignment, accusation).all().map(invoke).collect(),
            follow_up: vec![],
        };
        let folder = self.store()?.folder(&new.id());
        new.follow_up = follow_up(self.store()?.dir(), &folder, accusation, assignment);
        let added = self.retrying(|store| store.add_finding(&new))?;
        if matches!(added.kept, store::Kept::Row | store::Kept::Counted | store::Kept::Before) {
            self.tell(Event::Finding {
                id: added.id.clone(),
                bug: added.bug.clone(),
                kind: accusation.kind,
                culprits: accusation.culprits().to_vec(),
                strategy: new.case.recipe.strategy.clone(),
                new_bug: added.new_bug,
                kept: added.kept.word().into(),
            });
        }
        let sample = added.kept == store::Kept::Folder;
        let before = new.case.questions.iter().find(|question| question.role == Role::Before);
        let before = before.map(|question| question.script.text().to_vec());
        let job = symptom.filter(|_| sample).map(|symptom| Job {
            id: added.id.clone(),
            beside: before.and_then(|before| Beside::of(symptom.kind, before, &new.case.recipe)),
            symptom,
            script: new.script().to_vec(),
        });
        Ok(Kept { added, signature: new.signature, job })
    }

    /// Stores a reduced form, the answers to it, and the signature that follows from it.
    pub fn reduced(&mut self, learnt: &Learnt) -> Result<()> {
        let kept = self.keep_reduced(learnt);
        self.unless_gone(&learnt.id, kept)
    }

    fn keep_reduced(&mut self, learnt: &Learnt) -> Result<()> {
        let before = self.store()?.totals()?.bugs;
        self.retrying(|store| store.attach(&learnt.id, "reduced.smt2", &learnt.reduced))?;
        if let Some(beside) = &learnt.beside {
            self.retrying(|store| store.attach(&learnt.id, REDUCED_BESIDE, beside))?;
        }
        if let Some(seen) = &learnt.seen {
            self.retrying(|store| store.attach(&learnt.id, Reduction::FILE, &seen.bytes()))?;
        }
        if let Some((file, shown)) = &learnt.shown {
            self.retrying(|store| store.attach(&learnt.id, Demonstration::FORMULA, file))?;
            self.retrying(|store| store.attach(&learnt.id, Demonstration::FILE, &shown.bytes(file)))?;
        }
        let bug = self.retrying(|store| store.resign(&learnt.id, &learnt.signature))?;
        let releases = learnt.releases.as_ref();
        let known = self.store()?.bug(&bug)?.triage.reduced_bytes;
        let smallest = known.is_none_or(|known| (learnt.reduced.len() as u64) < known);
        let update = BugUpdate {
            reduced_bytes: smallest.then_some(learnt.reduced.len() as u64),
            reduced_in: smallest.then(|| learnt.id.clone()),
            first_bad: releases.and_then(|releases| releases.first_bad.clone()),
            last_bad: releases.and_then(|releases| releases.last_bad.clone()),
            fixed_in: releases.and_then(|releases| releases.fixed_in.clone()),
            known: None,
            culprit: learnt.culprit.clone(),
        };
        self.retrying(|store| store.update_bug(&bug, &update))?;
        let after = self.store()?.totals()?.bugs;
        self.say(Event::TriageEnded {
            finding: learnt.id.clone(),
            bug,
            bytes_before: learnt.stats.bytes_before as u64,
            bytes_after: learnt.stats.bytes_after as u64,
            fixed_in: releases.and_then(|releases| releases.class()).map(str::to_owned),
            bugs_change: after as i64 - before as i64,
        })
    }

    /// Counts a finding as a hit of a known bug, and keeps its folder only as one of the bug's samples.
    pub fn masked(&mut self, id: &FindingId, signature: &str) -> Result<()> {
        let kept = self.keep_masked(id, signature);
        self.unless_gone(id, kept)
    }

    fn keep_masked(&mut self, id: &FindingId, signature: &str) -> Result<()> {
        let bug = self.retrying(|store| store.resign(id, signature))?;
        self.retrying(|store| store.slim(id))?;
        self.say(Event::Masked { finding: id.clone(), bug })
    }

    /// The result of a call about a finding. If it failed because the finding's folder was removed during the hunt,
    /// that is noted, and only this finding is affected; its row stays.
    fn unless_gone(&mut self, id: &FindingId, result: Result<()>) -> Result<()> {
        let damaged = matches!(result, Err(Error::Store(store::Error::Damaged { .. })));
        if result.is_ok() || (!damaged && self.store()?.folder(id).join("meta.json").is_file()) {
            return result;
        }
        let text = format!("findings/{id} was removed during the hunt; its recipe is still in the database");
        self.say(Event::Note { text })
    }

    /// Bugs by the releases that fixed them.
    pub fn fixing_releases(&mut self) -> Result<BTreeMap<String, u64>> {
        Ok(store::fixing_releases(&self.store()?.bugs()?))
    }

    /// Findings of an earlier run whose bugs were not triaged.
    pub fn untriaged(&self) -> Result<Vec<Job>> {
        let Some(store) = &self.store else { return Ok(vec![]) };
        let view = Store::read(store.dir())?;
        let bugs = view.bugs()?;
        let raw: HashSet<&BugId> =
            bugs.iter().filter(|bug| bug.triage.reduced_bytes.is_none()).map(|bug| &bug.id).collect();
        let findings = view.findings()?;
        let kept =
            |finding: &&store::Finding| raw.contains(&finding.bug) && view.folder(&finding.id).is_dir();
        // A finding that cannot be read is reported by `verify` and does not end a hunt.
        let read = |finding: &store::Finding| Job::read(&view, &finding.id).ok().flatten();
        Ok(findings.iter().filter(kept).filter_map(read).collect())
    }

    /// Stores a suspicion that accuses no solver, with everything needed to examine it again.
    pub fn unconfirmed(&mut self, done: &Done, suspicion: &Unconfirmed) -> Result<()> {
        let recipe = &done.recipe;
        let kind = suspicion.suspected.first().map_or("", |accusation| accusation.kind.word());
        let how = &suspicion.how;
        let (strategy, unit) = (recipe.strategy.to_string(), recipe.unit);
        self.say(Event::Unconfirmed { strategy, unit, kind: kind.into(), how: how.to_string() })?;
        let new = done.unconfirmed(suspicion);
        self.retrying(|store| store.keep_unconfirmed(&new)).map(|_| ())
    }

    /// Stores a script on which falsum itself failed.
    pub fn our_bug(&mut self, new: &store::NewPanic) -> Result<()> {
        self.retrying(|store| store.add_panic(new)).map(|_| ())
    }

    // Epochs.

    /// Stores what a strategy learnt from an epoch.
    pub fn keep_epoch(&mut self, strategy: &str, epoch: u64, outcomes: &[Outcome]) -> Result<()> {
        self.retrying(|store| store.keep_epoch(strategy, epoch, outcomes))
    }

    /// What a strategy learnt in earlier runs, epoch by epoch.
    pub fn epochs(&self, strategy: &str) -> Result<Vec<Vec<Outcome>>> {
        match &self.store {
            Some(store) => Ok(store.epochs(strategy)?),
            None => Err(Error::Closed),
        }
    }

    /// Stores the outcomes so far of an epoch that has not ended.
    pub fn keep_open_epoch(&mut self, strategy: &str, epoch: u64, units: &Units) -> Result<()> {
        self.retrying(|store| store.keep_open_epoch(strategy, epoch, units))
    }

    /// What is stored of an epoch that had not ended.
    pub fn open_epoch(&self, strategy: &str, epoch: u64) -> Result<Units> {
        match &self.store {
            Some(store) => Ok(store.open_epoch(strategy, epoch)?),
            None => Err(Error::Closed),
        }
    }

    /// Ends without a summary: for commands that only add to an existing campaign.
    pub fn close(&mut self) -> Result<()> {
        match self.store.take() {
            Some(store) => store.finish().map(|_| ()).map_err(Error::from),
            None => Ok(()),
        }
    }

    /// Commits everything, emits the summary, and waits until it is on disk.
    pub fn finish(&mut self) -> Result<Summary> {
        self.flush()?;
        let store = self.store.take().ok_or(Error::Closed)?;
        let (summary, events) = store.finish_with_events()?;
        for event in events {
            self.listeners.iter_mut().for_each(|listener| listener.hear(&event));
        }
        Ok(summary)
    }
}

/// The name under which a campaign's focus is stored among the settings of its strategies.
const FOCUS: &str = "focus";

/// The name under which the length of epochs is stored there, if it is not the usual one.
const EPOCH: &str = "epoch";

/// The units per epoch that a campaign was begun with.
pub fn epoch_of(campaign: &Campaign) -> u64 {
    campaign.settings.get(EPOCH).and_then(|text| text.parse().ok()).unwrap_or(crate::schedule::EPOCH)
}

/// The focus that a campaign was begun with.
pub fn focus_of(campaign: &Campaign) -> Focus {
    let text = campaign.settings.get(FOCUS);
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

fn campaign(assignment: &Assignment, budget: &Budget) -> Campaign {
    let strategies = assignment.strategies.iter().map(|begun| begun.name().to_owned()).collect();
    let mut campaign = Campaign::new(assignment.key.0.clone(), strategies, fingerprint(assignment));
    campaign.schedule = budget.schedule.word().to_owned();
    campaign.session = assignment.policy.mix.word().to_owned();
    campaign.shard = Shard { index: budget.shard.0, count: budget.shard.1 };
    campaign.lanes = budget.shard.1;
    campaign.limits.full_ms = assignment.limits.wall.as_millis() as u64;
    campaign.limits.memory_bytes = assignment.limits.memory.unwrap_or(0);
    let unusual = assignment.strategies.iter().filter(|begun| !begun.settings.is_usual());
    campaign.settings = unusual
        .map(|begun| (begun.name().to_owned(), serde_json::to_string(&begun.settings).unwrap_or_default()))
        .collect();
    if !assignment.focus.is_everything() {
        let focus = serde_json::to_string(&assignment.focus).unwrap_or_default();
        campaign.settings.insert(FOCUS.to_owned(), focus);
    }
    if budget.sharing.epoch != crate::schedule::EPOCH {
        campaign.settings.insert(EPOCH.to_owned(), budget.sharing.epoch.to_string());
    }
    let records =
        |pools: &[std::sync::Arc<solver::Pool>]| pools.iter().map(|pool| record(pool.target())).collect();
    campaign.targets = records(&assignment.panel.targets);
    campaign.references = records(&assignment.panel.references);
    campaign
}

/// A hash over all seeds in their order.
fn fingerprint(assignment: &Assignment) -> String {
    let mut hasher = blake3::Hasher::new();
    for prepared in assignment.bank.seeds() {
        hasher.update(prepared.seed.id.to_string().as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

fn record(target: &Target) -> TargetRecord {
    TargetRecord {
        name: target.name.clone(),
        version: target.version.as_ref().map(ToString::to_string).unwrap_or_default(),
        hash: target.hash.clone(),
        command: std::iter::once(target.path.to_string_lossy().into_owned())
            .chain(target.args.iter().cloned())
            .collect(),
    }
}

fn invocation(target: &Target, script: &[u8], limit: Duration) -> Invocation {
    let (arguments, stdin) = solver::by_hand(target, script);
    let mut argv = vec![target.path.to_string_lossy().into_owned()];
    argv.extend(arguments.into_iter().map(str::to_owned));
    if !stdin {
        argv.push("{file}".into());
    }
    Invocation { target: target.name.clone(), argv, stdin, seconds: limit.as_secs().max(1) }
}

/// Commands to paste, in any folder: check, reduce, report.
fn follow_up(dir: &Path, folder: &Path, accusation: &Accusation, assignment: &Assignment) -> Vec<String> {
    let panel = panel_of(assignment, accusation);
    let formula = shell(&folder.join("formula.smt2"));
    let flags = |flag: &str, accused: bool| -> String {
        let wanted = panel.all().map(solver::Pool::target).filter(|t| accusation.accuses(&t.name) == accused);
        wanted.map(|target| format!(" {flag} {}", target.spec())).collect()
    };
    let solvers = format!("{}{}", flags("-s", true), flags("-r", false));
    let mut commands = vec![format!("falsum check {formula} --status ignore{solvers}")];
    if let Some(goal) = Goal::of_kind(accusation.kind) {
        commands.push(format!("falsum reduce {formula} --goal {}{solvers}", goal.word()));
    }
    commands.push(format!("falsum report {}", shell(dir)));
    commands
}

/// The panel whose targets an accusation is about.
fn panel_of<'a>(assignment: &'a Assignment, accusation: &Accusation) -> &'a triage::Panel {
    assignment.panel.owning(accusation.culprit.as_deref())
}

/// A path as one word of a shell command, absolute if the system says where we are.
fn shell(path: &Path) -> String {
    smtlib::shown::word(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

/// The signature of an unreduced finding.
fn signature(symptom: Option<&Symptom>, accusation: &Accusation, script: &Parsed) -> String {
    match symptom {
        Some(symptom) => triage::signature::coarse(symptom, script.script()).to_string(),
        None => format!("{} {}", accusation.kind.word(), accusation.culprits().join(" ")),
    }
}
