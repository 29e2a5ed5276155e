//! The campaign folder as the dispatcher sees it.
//!
//! Turns what workers bring into the store's words, commits in batches, and waits when the disk is full: a finding
//! is never dropped, and a campaign that cannot go on says so and stops with everything acknowledged on disk.

use super::aftercare::{Discharged, Patient};
use super::tally::Summary;
use super::work::{Apart, Done, Judged};
use super::{Budget, Setup};
use crate::exit::{Exit, Failure};
use oracle::{Finding, Kind};
use solver::Target;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::{
    Batch, BugId, BugUpdate, Campaign, CaseDone, CaseHash, Event, Invocation, NewFinding, Output, Reduction,
    Shard, Store, TargetRecord, Test, UnitDone,
};
use strategy::Case;
use triage::Statement;

/// How long finished units may wait before they are committed, and how many.
const COMMIT_EVERY: Duration = Duration::from_millis(500);
const COMMIT_UNITS: usize = 2_000;

/// How long to wait for room on the disk.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Ledger {
    store: Option<Store>,
    batch: Batch,
    since: Instant,
    json: bool,
    /// The reader of the events has gone away.
    unread: bool,
}

/// A finding that was kept.
pub struct Kept {
    pub id: store::FindingId,
    pub new_bug: bool,
    /// What it looks like before anybody looks closely.
    pub signature: String,
    /// Whether it is worth a closer look: hits of a flood are not.
    pub sample: bool,
    /// Whether the same formula was kept before.
    pub before: bool,
    pub folder: PathBuf,
    /// Commands to paste: reproduce, reduce, report.
    pub commands: Vec<String>,
}

impl Ledger {
    pub fn open(
        dir: &Path,
        resume: bool,
        setup: &Setup,
        budget: &Budget,
        json: bool,
    ) -> anyhow::Result<Ledger> {
        let campaign = campaign(setup, budget);
        let opened = if resume {
            Store::resume_with(dir, Some(&campaign), store::Options::default())
        } else {
            Store::create(dir, &campaign)
        };
        let store = opened.map_err(failure)?;
        warn(store.problems());
        Ok(Ledger { store: Some(store), batch: Batch::default(), since: Instant::now(), json, unread: false })
    }

    fn store(&mut self) -> anyhow::Result<&mut Store> {
        self.store.as_mut().ok_or_else(|| anyhow::anyhow!("the campaign folder is closed"))
    }

    /// The first unit of a strategy that may not be done yet.
    pub fn next_unit(&self, strategy: &str) -> u64 {
        self.store.as_ref().map_or(0, |store| store.next_unit(strategy))
    }

    pub fn is_done(&self, strategy: &str, unit: u64) -> bool {
        self.store.as_ref().is_some_and(|store| store.is_done(strategy, unit))
    }

    /// Keeps a finding on disk before anything else happens.
    pub fn keep(
        &mut self,
        setup: &Setup,
        case: &Case,
        finding: &Finding,
        statements: &[Statement],
    ) -> anyhow::Result<Kept> {
        let new = NewFinding {
            finding: finding.clone(),
            case: case.clone(),
            outputs: statements
                .iter()
                .filter(|statement| statement.flattened.is_none())
                .map(output)
                .collect(),
            signature: signature(finding, &case.script),
            commands: setup
                .panel
                .all()
                .map(|pool| invocation(pool.target(), &case.script, setup.limits.wall))
                .collect(),
        };
        let added = self.patiently(|store| store.add_finding(&new))?;
        let store = self.store()?;
        let folder = store.folder(&added.id);
        let commands = commands(store.dir(), &folder, finding, setup);
        if self.json {
            self.print(&serde_json::json!({
                "event": "finding", "id": added.id.to_string(), "bug": added.bug.to_string(), "new_bug": added.new_bug,
                "kind": finding.kind.word(), "culprits": finding.culprits, "strategy": case.recipe.strategy,
                "kept": kept_word(added.kept),
            }));
        }
        let sample = added.kept == store::Kept::Folder;
        let before = added.kept == store::Kept::Before;
        let signature = new.signature;
        Ok(Kept { id: added.id, new_bug: added.new_bug, signature, sample, before, folder, commands })
    }

    /// Keeps a reduced form, what was seen on it, and the name that follows from it.
    pub fn reduced(&mut self, learnt: &Discharged) -> anyhow::Result<()> {
        self.patiently(|store| store.attach(&learnt.id, "reduced.smt2", &learnt.reduced))?;
        if let Some(seen) = &learnt.seen {
            self.patiently(|store| store.attach(&learnt.id, Reduction::FILE, &seen.bytes()))?;
        }
        let bug = self.patiently(|store| store.resign(&learnt.id, &learnt.signature))?;
        let releases = learnt.releases.as_ref();
        let before = self.store()?.bug(&bug).map_err(failure)?.triage.reduced_bytes;
        let smallest = before.is_none_or(|before| (learnt.reduced.len() as u64) < before);
        let update = BugUpdate {
            reduced_bytes: smallest.then_some(learnt.reduced.len() as u64),
            reduced_in: smallest.then(|| learnt.id.clone()),
            first_bad: releases.and_then(|releases| releases.first_bad.clone()),
            last_bad: releases.and_then(|releases| releases.last_bad.clone()),
            fixed_in: releases.and_then(|releases| releases.fixed_in.clone()),
            known: None,
        };
        self.patiently(|store| store.update_bug(&bug, &update))?;
        self.write_reports(Some(&bug))
    }

    /// Counts a finding as a hit of a bug that is known, and keeps its folder only as one of the bug's samples.
    pub fn explained(&mut self, id: &store::FindingId, signature: &str) -> anyhow::Result<()> {
        self.patiently(|store| store.resign(id, signature))?;
        self.patiently(|store| store.slim(id)).map(|_| ())
    }

    /// How many bugs there are, and by which releases they were fixed.
    pub fn bugs(&mut self) -> anyhow::Result<(u64, BTreeMap<String, u64>)> {
        let bugs = self.store()?.bugs().map_err(failure)?;
        Ok((bugs.len() as u64, store::fixing_releases(&bugs)))
    }

    /// Findings of an earlier run, of bugs that nobody has looked at closely.
    pub fn untreated(&self) -> anyhow::Result<Vec<Patient>> {
        let Some(store) = &self.store else { return Ok(vec![]) };
        let view = Store::read(store.dir()).map_err(failure)?;
        let bugs = view.bugs().map_err(failure)?;
        let raw: HashSet<&BugId> =
            bugs.iter().filter(|bug| bug.triage.reduced_bytes.is_none()).map(|bug| &bug.id).collect();
        let findings = view.findings().map_err(failure)?;
        let kept =
            |finding: &&store::Finding| raw.contains(&finding.bug) && view.folder(&finding.id).is_dir();
        // One that cannot be read is a matter for `verify`, not a reason to end a hunt.
        Ok(findings
            .iter()
            .filter(kept)
            .filter_map(|finding| Patient::read(&view, &finding.id).ok())
            .collect())
    }

    /// Writes `REPORT.md` into the folder that stands for a bug, or for every bug.
    fn write_reports(&mut self, only: Option<&BugId>) -> anyhow::Result<()> {
        let dir = self.store()?.dir().to_owned();
        let view = Store::read(&dir).map_err(failure)?;
        let report = report::Report::read(&view, &report::Options::default())?;
        for bug in report.bugs.iter().filter(|bug| only.is_none_or(|only| only.as_str() == bug.id)) {
            let Some(id) = store::FindingId::parse(&bug.finding) else { continue };
            let text = report::draft(&report, bug);
            if self.store()?.folder(&id).is_dir() {
                self.patiently(|store| store.attach(&id, "REPORT.md", text.as_bytes()))?;
            }
        }
        Ok(())
    }

    /// Takes a finished unit; commits now and then.
    pub fn record(&mut self, strategy: &'static str, unit: u64, done: &[Done]) -> anyhow::Result<()> {
        self.batch.units.push(UnitDone {
            strategy: strategy.into(),
            unit,
            cases: done.iter().map(case_done).collect(),
            skipped: done.is_empty(),
        });
        if self.batch.units.len() >= COMMIT_UNITS { self.flush() } else { self.flush_if_due() }
    }

    /// Counts something of the command's own, together with the unit that is recorded next.
    pub fn count(&mut self, name: &'static str, by: u64) {
        if by > 0 {
            self.batch.counts.push((name.into(), by));
        }
    }

    pub fn flush_if_due(&mut self) -> anyhow::Result<()> {
        if self.since.elapsed() >= COMMIT_EVERY { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.active = self.since.elapsed();
        self.since = Instant::now();
        self.patiently(|store| store.commit(&batch))
    }

    /// Repeats a call while the disk is full, up to a limit.
    fn patiently<T>(&mut self, mut call: impl FnMut(&mut Store) -> store::Result<T>) -> anyhow::Result<T> {
        let began = Instant::now();
        let mut told = false;
        loop {
            match call(self.store()?) {
                Err(error) if error.is_disk_full() && began.elapsed() < PATIENCE => {
                    if !std::mem::replace(&mut told, true) {
                        warn_of_full_disk(&error);
                    }
                    std::thread::sleep(Duration::from_millis(500));
                }
                result => return result.map_err(|error| failure(error).into()),
            }
        }
    }

    /// A line for people in the event stream; losing it to a full disk loses nothing else.
    pub fn note(&mut self, text: &str) {
        if let Some(store) = &mut self.store {
            let _ = store.say(Event::Note { text: text.to_owned() });
        }
    }

    /// Keeps a suspicion that accuses nobody, with everything needed to look at it again.
    pub fn set_apart(&mut self, done: &Done, apart: &Apart) -> anyhow::Result<()> {
        let recipe = &done.case.recipe;
        let kind = apart.suspected.first().map_or("", |finding| finding.kind.word());
        let culprits: Vec<&String> = apart.suspected.iter().flat_map(|finding| &finding.culprits).collect();
        self.note(&format!("flaky in {}, unit {}: {kind}, {}", recipe.strategy, recipe.unit, apart.how));
        let new = store::NewApart {
            script: done.case.script.clone(),
            session: apart.session.clone(),
            outputs: apart.statements.iter().filter(|s| s.flattened.is_none()).map(output).collect(),
            about: serde_json::json!({
                "kind": kind, "suspected": culprits, "how": apart.how, "recipe": recipe, "findings": apart.suspected,
            }),
        };
        self.patiently(|store| store.set_apart(&new)).map(|_| ())
    }

    /// Keeps a script on which we failed ourselves.
    pub fn our_bug(&mut self, new: &store::NewPanic) -> anyhow::Result<()> {
        self.patiently(|store| store.add_panic(new)).map(|_| ())
    }

    /// Ends without a summary: for whoever only adds to what a hunt left behind.
    pub fn close(&mut self) -> anyhow::Result<()> {
        self.write_reports(None)?;
        if let Some(store) = self.store.take() {
            store.finish().map_err(failure)?;
        }
        Ok(())
    }

    pub fn finish(&mut self, summary: &Summary<'_>) -> anyhow::Result<()> {
        self.flush()?;
        if summary.progress.findings > 0 {
            self.write_reports(None)?;
        }
        if let Some(store) = self.store.take() {
            store.finish().map_err(failure)?;
        }
        if self.json {
            self.print(&serde_json::to_value(summary)?);
        }
        Ok(())
    }

    /// Whether somebody wanted the events and is gone: the hunt saves and stops.
    pub fn is_unread(&self) -> bool {
        self.unread
    }

    /// Whole lines, each flushed: the reader may be another program. One that has gone away is no error of ours.
    fn print(&mut self, event: &serde_json::Value) {
        let mut out = std::io::stdout().lock();
        let written = writeln!(out, "{event}").and_then(|()| out.flush());
        self.unread |= written.is_err();
    }
}

/// What was wrong with the folder, and what was done about it.
#[allow(clippy::print_stderr, reason = "a command speaks to the user")]
fn warn(problems: &[store::Problem]) {
    for problem in problems {
        eprintln!("note: {problem}");
    }
}

#[allow(clippy::print_stderr, reason = "a command speaks to the user")]
fn warn_of_full_disk(error: &store::Error) {
    eprintln!("waiting {} s because: {error}", PATIENCE.as_secs());
}

/// A store's trouble as a foreseen failure with its exit code.
pub fn failure(error: store::Error) -> Failure {
    let (exit, hint) = match &error {
        store::Error::Locked { .. } => (Exit::Locked, Some("wait for it, or give another folder with --out")),
        store::Error::DiskFull { .. } => (Exit::DiskFull, Some("make room, then go on with --resume")),
        store::Error::Exists { .. } => {
            (Exit::Usage, Some("go on with --resume, or give another folder with --out"))
        }
        store::Error::Missing { .. } => (Exit::Usage, Some("falsum hunt makes one")),
        store::Error::Differs(_) => {
            (Exit::Usage, Some("resume with the same key, strategies, seeds and shard"))
        }
        store::Error::Newer { .. } => (Exit::Usage, Some("use the falsum that wrote it, or a newer one")),
        store::Error::Damaged { .. } => {
            (Exit::Usage, Some("falsum hunt --resume repairs what can be repaired"))
        }
        store::Error::Refused { .. } => (
            Exit::Usage,
            Some("falsum writes no such thing: this folder was changed or made by somebody else"),
        ),
        store::Error::Io { .. } | store::Error::Unknown(_) | store::Error::Merge(_) => (Exit::Usage, None),
        store::Error::Database(_) => (Exit::Internal, None),
    };
    Failure { exit, message: error.to_string(), hint: hint.map(str::to_owned) }
}

fn campaign(setup: &Setup, budget: &Budget) -> Campaign {
    let strategies = setup.strategies.iter().map(|strategy| strategy.name().to_owned()).collect();
    let mut campaign = Campaign::new(setup.key.0.clone(), strategies, fingerprint(setup));
    campaign.schedule = format!("{:?}", budget.schedule).to_lowercase();
    campaign.session = format!("{:?}", setup.session).to_lowercase();
    campaign.shard = Shard { index: budget.shard.0, count: budget.shard.1 };
    campaign.lanes = budget.shard.1;
    campaign.limits.full_ms = setup.limits.wall.as_millis() as u64;
    campaign.limits.memory_bytes = setup.limits.memory.unwrap_or(0);
    let records = |pools: &[solver::Pool]| pools.iter().map(|pool| record(pool.target())).collect();
    campaign.targets = records(&setup.panel.targets);
    campaign.references = records(&setup.panel.references);
    campaign
}

/// A hash over all seeds in their order.
fn fingerprint(setup: &Setup) -> String {
    let mut hasher = blake3::Hasher::new();
    for prepared in setup.bank.seeds() {
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

pub fn output(statement: &Statement) -> Output {
    let reply = &statement.reply;
    let words: Vec<&str> =
        reply.checks.iter().map(|check| check.answer.map_or("none", solver::Answer::word)).collect();
    let mut stdout = vec![];
    for check in &reply.checks {
        stdout.extend_from_slice(check.answer.map_or("", solver::Answer::word).as_bytes());
        stdout.push(b'\n');
        stdout.extend_from_slice(check.model.as_deref().or(check.core.as_deref()).unwrap_or_default());
        stdout.push(b'\n');
    }
    stdout.extend_from_slice(&reply.stray);
    Output {
        target: statement.target.clone(),
        answer: words.join(" "),
        ended: reply.ended.word().to_owned(),
        micros: reply.wall.as_micros() as u64,
        stdout,
        stderr: reply.stderr.clone(),
    }
}

/// How a finding is kept, for the event stream.
fn kept_word(kept: store::Kept) -> &'static str {
    match kept {
        store::Kept::Folder => "folder",
        store::Kept::Row => "row",
        store::Kept::Counted => "counted",
        store::Kept::Before => "before",
    }
}

fn case_done(done: &Done) -> CaseDone {
    // A limit makes a verdict depend on how busy the machine is, so it is marked.
    let limited = done.tests.iter().any(|test| matches!(test.ended, "wall" | "cpu" | "memory"));
    let verdict: &'static str = match &done.verdict {
        Judged::Fine { .. } | Judged::Inconclusive(_) if limited => "limited",
        Judged::Fine { .. } => "fine",
        Judged::Inconclusive(_) => "inconclusive",
        Judged::Findings { findings, .. } => findings.first().map_or("fine", |finding| finding.kind.word()),
        Judged::Flaky(..) => "flaky",
        Judged::Invalid(_) => "invalid",
        Judged::OurBug(_) => "our-bug",
    };
    let tests = done.tests.iter().map(|test| Test {
        target: test.target.as_str().into(),
        answers: test.answer.map(Into::into).into_iter().collect(),
        ended: test.ended.into(),
        session: test.kind.name().into(),
        micros: test.wall.as_micros() as u64,
    });
    CaseDone {
        step: done.case.recipe.step,
        hash: CaseHash::of(&done.case.script),
        verdict: verdict.into(),
        tests: tests.collect(),
    }
}

/// Three commands to paste.
fn commands(dir: &Path, folder: &Path, finding: &Finding, setup: &Setup) -> Vec<String> {
    let formula = folder.join("formula.smt2");
    let spec =
        |name: &str| setup.panel.find(name).map_or_else(|| name.to_owned(), |pool| spec_of(pool.target()));
    let culprits: Vec<String> = finding.culprits.iter().map(|name| format!("-s {}", spec(name))).collect();
    let others: Vec<String> = setup
        .panel
        .all()
        .map(|pool| &pool.target().name)
        .filter(|name| !finding.culprits.contains(name))
        .map(|name| format!("-r {}", spec(name)))
        .collect();
    let solvers = [culprits, others].concat().join(" ");
    let goal = match finding.kind {
        Kind::Crash => "crash",
        Kind::InvalidModel => "invalid-model",
        Kind::Inconsistent => "disagree",
        _ => "wrong",
    };
    vec![
        format!("falsum check {} --status ignore {solvers}", formula.display()),
        format!("falsum reduce {} --goal {goal} {solvers}", formula.display()),
        format!("falsum report {}", dir.display()),
    ]
}

/// What `-s` takes to mean this target again, quoted for a shell: an installed release by its name, anything else by
/// its command line.
fn spec_of(target: &Target) -> String {
    let solver = &target.profile.name;
    let release = target.version.as_ref().map(|version| format!("{solver}@{version}"));
    if target.args.is_empty() && release.as_ref() == Some(&target.name) {
        return target.name.clone();
    }
    let words =
        std::iter::once(target.path.to_string_lossy().into_owned()).chain(target.args.iter().cloned());
    let line: Vec<String> = words.map(|word| solver::spec::quote(&word)).collect();
    let name = if target.name.contains(' ') { String::new() } else { format!("{}=", target.name) };
    format!("\"{name}{}\"", line.join(" ").replace('"', "\\\""))
}

/// What makes two unreduced findings look like one bug.
fn signature(finding: &Finding, script: &[u8]) -> String {
    match smtlib::Script::parse(script) {
        Ok(script) => triage::signature::coarse(finding, &script).to_string(),
        Err(_) => format!("{} {}", finding.kind.word(), finding.culprits.join(" ")),
    }
}
