//! A hunt from the first unit to the last event.
//!
//! The desk of a hunt owns the state and emits all events; workers only take units and send results (`dispatch`). It
//! hands out units in an order that does not depend on the workers, counts, records, emits events, and stops when a
//! budget is spent or the user interrupts. Strategies that learn get the outcomes of an epoch when all its units are
//! done. Triage of what was found goes on beside it, and for a limited time after it.

use crate::assignment::{Assignment, Budget};
use crate::clock::Clock;
use crate::course::{Course, Next};
use crate::dispatch::{Desk, Patience, Turn, dispatch, serve};
use crate::error::{Error, Result};
use crate::interrupt::Interrupts;
use crate::learned::Asked;
use crate::ledger::{Kept, Ledger};
use crate::listen::CampaignEnd;
use crate::queue::{Queue, Triaged};
use crate::schedule::Unit;
use crate::spending::{Pace, Work};
use crate::triage_only;
use crate::unit::{Done, Worked, work};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::{Division, Event, Standing, Summary, TargetStatus, Units};
use strategy::Outcome;

/// How long triage may continue after a hunt without a time limit: at least this long, and a share of a long hunt.
const TRIAGE: Duration = Duration::from_secs(90);
const TRIAGE_SHARE: u32 = 5;

/// How many findings may be queued for triage before the hunt pauses.
const MOST_WAITING: usize = 256;

/// A worker's stack: evaluation and printing never recurse on depth, but strategies may.
const STACK: usize = 256 << 20;

/// How often listeners receive the state of the campaign.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// Runs the campaign to its end.
pub fn hunt(assignment: Arc<Assignment>, budget: &Budget, mut ledger: Ledger) -> Result<CampaignEnd> {
    let interrupts = ledger.interrupts();
    let (jobs, job_source) = channel::<Unit>();
    let (result_sink, results) = channel::<(Unit, Worked)>();
    let job_source = Arc::new(Mutex::new(job_source));
    let clock = Clock::begin(budget.time, &interrupts, &assignment.cancel)?;
    let mut handles = vec![];
    for n in 0..budget.workers {
        match worker(n, (&assignment, &clock), &job_source, &result_sink) {
            Ok(handle) => handles.push(handle),
            // Out of threads: fewer workers make the same cases, only later.
            Err(error) if n > 0 => {
                let text = format!("{n} of {} workers: no further thread ({error})", budget.workers);
                ledger.say(Event::Note { text })?;
                break;
            }
            Err(error) => return Err(Error::machine("no thread for a worker")(error)),
        }
    }
    drop(result_sink);
    triage_only::remember_in(ledger.dir()?, &assignment.panel.known)?;
    let pace = Pace::new(budget.triage_share, budget.workers);
    let mut queue = if budget.reduce { Some(Queue::begin(&assignment, &clock, pace)?) } else { None };
    if let Some(queue) = &mut queue {
        ledger.untriaged()?.into_iter().for_each(|job| queue.push(job));
    }
    let patience = Some(Patience::new(&interrupts, &assignment.cancel));
    let mut desk = Hunt::new(&assignment, budget, &mut ledger, (interrupts.clone(), clock), queue)?;
    let outcome = dispatch(&mut desk, budget.workers, patience, (&jobs, &results));
    drop(jobs);
    // Workers that still compute when the campaign has to end are not waited for.
    let idle = matches!(outcome, Ok(0));
    let outcome = outcome.and_then(|_| desk.end());
    for handle in handles {
        if idle || handle.is_finished() {
            let _ = handle.join();
        }
    }
    outcome
}

type Results = Sender<(Unit, Worked)>;

/// Starts one worker; retries for a while if the machine is short of threads.
fn worker(
    n: usize,
    (assignment, clock): (&Arc<Assignment>, &Clock),
    source: &Arc<Mutex<Receiver<Unit>>>,
    sink: &Results,
) -> std::io::Result<std::thread::JoinHandle<()>> {
    let mut pause = Duration::from_millis(20);
    loop {
        let (assignment, source, sink) = (Arc::clone(assignment), Arc::clone(source), sink.clone());
        let clock = clock.clone();
        let thread = std::thread::Builder::new().name(format!("worker {n}")).stack_size(STACK);
        let work = move |unit| {
            let worked = assignment.spending.during(Work::Units, || work(&assignment, unit, &clock));
            (unit, worked)
        };
        match thread.spawn(move || serve(&source, &sink, work)) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock && pause.as_millis() < 500 => {
                std::thread::sleep(pause);
            }
            outcome => return outcome,
        }
        pause *= 2;
    }
}

/// The epochs of one strategy that learns.
struct Lessons {
    /// How many units an epoch has.
    len: u64,
    /// How many epochs it has learnt from.
    learnt: u64,
    /// Outcomes of the current epoch, by unit.
    outcomes: Units,
}

impl Lessons {
    /// The units of the current epoch.
    fn units(&self) -> std::ops::Range<u64> {
        self.learnt * self.len..(self.learnt + 1) * self.len
    }
}

/// The desk of a hunt.
struct Hunt<'a> {
    assignment: &'a Assignment,
    budget: &'a Budget,
    ledger: &'a mut Ledger,
    course: Course,
    lessons: BTreeMap<usize, Lessons>,
    interrupts: Interrupts,
    clock: Clock,
    /// Units that are being worked on.
    in_flight: usize,
    /// An upper bound on the cases of the units so far, of all shards and runs.
    promised: u64,
    last_bug: Option<Instant>,
    queue: Option<Queue>,
    last_told: Option<Instant>,
    summary: Summary,
    fixing_releases: BTreeMap<String, u64>,
    /// How long this process had waited for solvers when the campaign began.
    waited_before: Duration,
    /// When the workers stopped.
    hunted: Option<Duration>,
}

impl<'a> Hunt<'a> {
    fn new(
        assignment: &'a Assignment,
        budget: &'a Budget,
        ledger: &'a mut Ledger,
        (interrupts, clock): (Interrupts, Clock),
        queue: Option<Queue>,
    ) -> Result<Hunt<'a>> {
        let mut course = Course::begin(ledger.dir()?, assignment.strategies.len(), budget)?;
        let lessons = learn_again(assignment, ledger, &mut course)?;
        Ok(Hunt {
            assignment,
            budget,
            course,
            lessons,
            summary: ledger.summary()?,
            fixing_releases: ledger.fixing_releases()?,
            ledger,
            interrupts,
            clock,
            in_flight: 0,
            promised: 0,
            last_bug: None,
            queue,
            last_told: None,
            waited_before: solver::waited(),
            hunted: None,
        })
    }

    /// The next unit of this shard that has not been done. The units of other shards and of earlier runs count for the
    /// budget, so all shards together do what one machine would do.
    fn next_unit(&mut self, in_flight: usize) -> Result<Turn<Unit>> {
        while !self.is_over() {
            let unit = match self.course.next_unit()? {
                Next::Unit(unit) => unit,
                // Without a unit whose result could change that, there is none at all.
                Next::Later if in_flight == 0 => return Ok(Turn::End),
                Next::Later | Next::Shards => return Ok(Turn::Wait),
            };
            if let Some((epoch, tilt)) = self.course.take_tilt().filter(|_| self.budget.cases.is_none()) {
                self.assignment.tilts.set(epoch, tilt);
            }
            let (index, count) = self.budget.shard;
            let begun = &self.assignment.strategies[unit.strategy];
            self.promised += begun.unit_len();
            let ours = unit.unit % count == index;
            if ours && !self.ledger.is_done(begun.name(), unit.unit) {
                return Ok(Turn::Unit(unit));
            }
            self.course.pass(unit, ours)?;
            // A unit of another shard, or of an earlier run, whose outcomes were stored.
            if let Some(lessons) = self.lessons.get_mut(&unit.strategy) {
                lessons.outcomes.entry(unit.unit).or_default();
                self.learn_if_complete(unit.strategy)?;
            }
        }
        Ok(Turn::End)
    }

    fn is_over(&self) -> bool {
        self.is_called_off()
            || self.assignment.panel.is_exhausted()
            || self.clock.is_over()
            || self.budget.cases.is_some_and(|cases| self.promised >= cases)
            || self.budget.stop_after.is_some_and(|bugs| self.summary.progress.bugs >= bugs)
    }

    /// Reports what the schedule has to say.
    fn say_remarks(&mut self) -> Result<()> {
        for text in self.course.take_remarks() {
            self.ledger.say(Event::Note { text })?;
        }
        Ok(())
    }

    /// Whether the triage queue is full. More cases would only add triggers of bugs that are already found, and the
    /// result is to be a list of bugs, so the hunt pauses.
    fn is_flooded(&self) -> bool {
        self.queue.as_ref().is_some_and(|queue| queue.waiting() >= MOST_WAITING)
    }

    /// The user wants it to stop, or a listener has closed.
    fn is_called_off(&self) -> bool {
        self.interrupts.stop() || self.ledger.is_deserted()
    }

    /// Reports which targets gave no answer at all: a user who tests a broken build must not take silence for success.
    fn say_silent(&mut self) -> Result<bool> {
        let assignment = self.assignment;
        // Why a disabled target gives no answer has been reported.
        let pools = assignment.panel.targets.iter().filter(|pool| pool.disabled().is_none());
        let names = pools.map(|pool| pool.target().name.as_str());
        let is_silent = |name: &&str| self.summary.targets.get(*name).is_some_and(TargetStatus::is_silent);
        let silent: Vec<&str> = names.filter(is_silent).collect();
        for name in &silent {
            let text = format!("{name} never answered; falsum doctor may show why");
            self.ledger.say(Event::Note { text })?;
        }
        Ok(!silent.is_empty())
    }

    fn finish(&mut self, unit: Unit, Worked { done, cut }: Worked) -> Result<()> {
        let name = self.assignment.strategies[unit.strategy].name();
        let mut asked = vec![];
        for done in &done {
            let kept = self.ledger.take(self.assignment, done)?;
            asked.push(Asked::of(done, self.triage(kept)?));
        }
        // In a campaign that ends by the clock a unit is as long as there was time: its cases count. Otherwise what it found
        // is kept, and a resumed campaign does it again; so is a unit of a strategy that learns from whole units.
        let counts = self.assignment.turns.is_some() && !done.is_empty();
        if cut && (!counts || self.lessons.contains_key(&unit.strategy)) {
            return Ok(());
        }
        self.course.finished(unit, asked)?;
        self.learn(unit, &done)?;
        self.ledger.record(name, unit.unit, &done)
    }

    /// Queues the findings of a case for triage; returns their signatures before it.
    fn triage(&mut self, kept: Vec<Kept>) -> Result<Vec<String>> {
        if kept.is_empty() {
            return Ok(vec![]);
        }
        let mut signatures = vec![];
        for kept in kept {
            // Every sample of a coarse signature is triaged: it may turn out to be another bug.
            if let (Some(queue), Some(job)) = (&mut self.queue, kept.job) {
                queue.push(job);
            }
            if kept.added.new_bug {
                self.last_bug = Some(Instant::now());
            }
            signatures.push(kept.signature);
        }
        self.summary = self.ledger.summary()?;
        Ok(signatures)
    }

    /// Records what came of a unit of a strategy that learns. The outcomes are stored before the unit counts as done.
    fn learn(&mut self, unit: Unit, done: &[Done]) -> Result<()> {
        let Some(lessons) = self.lessons.get_mut(&unit.strategy) else { return Ok(()) };
        lessons.outcomes.insert(unit.unit, done.iter().map(Done::outcome).collect());
        let name = self.assignment.strategies[unit.strategy].name();
        self.ledger.keep_open_epoch(name, lessons.learnt, &lessons.outcomes)?;
        self.learn_if_complete(unit.strategy)
    }

    /// Passes the outcomes of an epoch to its strategy, once all units of it are done.
    fn learn_if_complete(&mut self, strategy: usize) -> Result<()> {
        let Some(lessons) = self.lessons.get_mut(&strategy) else { return Ok(()) };
        let units = lessons.units();
        if !units.clone().all(|unit| lessons.outcomes.contains_key(&unit)) {
            return Ok(());
        }
        let later = lessons.outcomes.split_off(&units.end);
        let epoch = std::mem::replace(&mut lessons.outcomes, later);
        let outcomes: Vec<Outcome> = epoch.into_values().flatten().collect();
        let begun = &self.assignment.strategies[strategy];
        self.ledger.keep_epoch(begun.name(), lessons.learnt, &outcomes)?;
        begun.source.write().unwrap_or_else(PoisonError::into_inner).learn(&outcomes);
        lessons.learnt += 1;
        self.course.planner().hold(strategy, Some(lessons.units().end));
        Ok(())
    }

    /// Takes a result of triage, if there is one within the time; returns whether there was.
    fn take_triaged(&mut self, wait: Duration) -> Result<bool> {
        match self.queue.as_mut().and_then(|queue| queue.next(wait)) {
            None => return Ok(false),
            Some(Triaged::Gone(_)) => return Ok(true),
            Some(triaged) => triage_only::record(self.ledger, triaged)?,
        }
        self.summary = self.ledger.summary()?;
        self.fixing_releases = self.ledger.fixing_releases()?;
        Ok(true)
    }

    /// After the hunt: triages the remaining findings, for a limited time.
    fn finish_triage(&mut self) -> Result<()> {
        let (began, patience) = (Instant::now(), TRIAGE.max(self.clock.elapsed() / TRIAGE_SHARE));
        let is_over =
            |clock: &Clock| clock.is_spent() || (clock.left().is_none() && began.elapsed() >= patience);
        let stays = !self.is_called_off();
        self.queue.iter().for_each(|queue| queue.set_free(true));
        if let Some(queue) = self.queue.as_ref().filter(|queue| stays && queue.waiting() > 1) {
            // The workers are idle now. If there is no further thread, triage only takes longer.
            (1..self.budget.workers).for_each(|_| drop(queue.add_thread()));
        }
        while self.queue.as_ref().is_some_and(|queue| !queue.is_idle())
            && !is_over(&self.clock)
            && !self.is_called_off()
        {
            self.take_triaged(Duration::from_millis(200))?;
            self.tell()?;
        }
        self.queue.iter().for_each(Queue::cancel);
        let left = self.queue.as_ref().map_or(0, Queue::waiting);
        if left > 0 {
            let them = if left == 1 { "1 finding is" } else { &format!("{left} findings are") };
            let text =
                format!("{them} not triaged yet and may duplicate listed bugs; --resume begins with them");
            self.ledger.say(Event::Note { text })?;
        }
        Ok(())
    }

    /// Sends the state of the campaign to listeners, if it is due.
    fn tell(&mut self) -> Result<()> {
        if self.last_told.is_some_and(|last| last.elapsed() < TELL_EVERY) {
            return Ok(());
        }
        self.last_told = Some(Instant::now());
        self.summary = self.ledger.summary()?;
        self.ledger.beat(None)?;
        let standing = self.standing();
        self.ledger.tell(Event::Standing(Box::new(standing)));
        Ok(())
    }

    fn standing(&self) -> Standing {
        let elapsed = self.clock.elapsed();
        let left = self.clock.left().map(|left| left.as_secs_f64());
        let trouble = self.is_flooded().then(|| "the triage queue is full; the hunt pauses".to_owned());
        Standing {
            key: self.assignment.key.0.clone(),
            workers: self.budget.workers,
            elapsed: elapsed.as_secs_f64(),
            left,
            in_solvers: self.in_solvers(elapsed),
            division: self.division(elapsed),
            seeds: self.assignment.bank.len(),
            since_bug: self.last_bug.map(|when| when.elapsed().as_secs_f64()),
            triage: self.queue.as_ref().map_or(0, Queue::waiting),
            triaging: self.queue.as_ref().map_or_else(Vec::new, Queue::now),
            trouble,
            triage_only: self.in_flight == 0 && self.is_over(),
            fixing_releases: self.fixing_releases.clone(),
            summary: self.summary.clone(),
        }
    }

    /// The time that all workers have had.
    fn workers_time(&self, elapsed: Duration) -> f64 {
        (self.hunted.unwrap_or(elapsed).as_secs_f64() * self.budget.workers as f64).max(1e-9)
    }

    /// The share of the workers' and triage threads' time that was spent waiting for solvers.
    fn in_solvers(&self, elapsed: Duration) -> f64 {
        let waited = solver::waited().saturating_sub(self.waited_before).as_secs_f64();
        let triage = self.assignment.spending.of(Work::Triage).as_secs_f64();
        (waited / (self.workers_time(elapsed) + triage)).clamp(0.0, 1.0)
    }

    /// What the workers did with their time, and what triage took beside them.
    fn division(&self, elapsed: Duration) -> Division {
        let whole = self.workers_time(elapsed);
        let share = |work| self.assignment.spending.of(work).as_secs_f64() / whole;
        let (units, confirming) = (share(Work::Units).min(1.0), share(Work::Confirming).min(1.0));
        let asking = (units - confirming).max(0.0);
        Division { asking, confirming, waiting: (1.0 - units).max(0.0), triage: share(Work::Triage) }
    }

    /// No worker is waited for any more: triages what is left, and says how it ended.
    fn end(&mut self) -> Result<CampaignEnd> {
        self.hunted = Some(self.clock.elapsed());
        self.say_remarks()?;
        self.finish_triage()?;
        self.ledger.flush_if_due()?;
        self.last_told = None;
        self.tell()?;
        let silent = self.say_silent()?;
        let end = match () {
            () if self.summary.verdicts.contains_key("our-bug") => CampaignEnd::OurBugs,
            () if self.is_called_off() => CampaignEnd::Interrupted,
            () if self.assignment.panel.is_exhausted() => CampaignEnd::NoSolver,
            () if self.summary.progress.findings > 0 => CampaignEnd::Findings,
            () if silent => CampaignEnd::NoSolver,
            () => CampaignEnd::Fine,
        };
        self.ledger.beat(Some(end.word()))?;
        self.ledger.finish()?;
        Ok(end)
    }
}

impl Desk for Hunt<'_> {
    type Unit = Unit;
    type Done = (Unit, Worked);

    fn next(&mut self, in_flight: usize) -> Result<Turn<Unit>> {
        if self.is_flooded() && !self.is_over() {
            return Ok(Turn::Wait);
        }
        self.next_unit(in_flight)
    }

    fn take(&mut self, (unit, worked): (Unit, Worked)) -> Result<()> {
        self.finish(unit, worked)
    }

    fn look(&mut self, in_flight: usize) -> Result<()> {
        self.in_flight = in_flight;
        self.say_remarks()?;
        self.ledger.say_disabled(self.assignment)?;
        while self.take_triaged(Duration::ZERO)? {}
        let flooded = self.is_flooded();
        self.queue.iter().for_each(|queue| queue.set_free(flooded));
        self.ledger.flush_if_due()?;
        self.tell()
    }
}

/// Repeats to strategies what they learnt in earlier runs, and blocks them until their next epoch is complete.
fn learn_again(
    assignment: &Assignment,
    ledger: &Ledger,
    course: &mut Course,
) -> Result<BTreeMap<usize, Lessons>> {
    let mut all = BTreeMap::new();
    for (n, begun) in assignment.strategies.iter().enumerate().filter(|(_, begun)| begun.learns()) {
        let epochs = ledger.epochs(begun.name())?;
        let mut source = begun.source.write().unwrap_or_else(PoisonError::into_inner);
        epochs.iter().for_each(|epoch| source.learn(epoch));
        drop(source);
        let learnt = epochs.len() as u64;
        let outcomes = ledger.open_epoch(begun.name(), learnt)?;
        let lessons = Lessons { len: begun.epoch_len(), learnt, outcomes };
        course.planner().hold(n, Some(lessons.units().end));
        all.insert(n, lessons);
    }
    Ok(all)
}
