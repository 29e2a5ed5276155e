//! The document: everything a report says, gathered once from a campaign folder.
//!
//! Every format is a function of this, and `--format json` is this. Fields may be added; renaming or removing one needs
//! a new `SCHEMA`. Bugs are ranked worst first; those in exotic extensions come after them, and known ones last.

use crate::date::date;
use crate::error::Result;
use crate::known::Known;
use crate::plain::{line, shell};
use crate::project::solver;
use crate::tables::Tables;
use crate::title::{subject, title};
use oracle::rank::Rank;
use oracle::{Evidence, EvidenceKind, FindingKind};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use store::{
    Bug, Demonstration, Flaky, Inside, Invocation, Meta, Problem, Rate, Reduction, ReleaseRow, Summary,
    TargetRecord, View,
};

/// Version of the JSON document.
pub const SCHEMA: u32 = 1;
/// A formula is cut after this many bytes; the file itself is in the folder.
const MOST_FORMULA: usize = 64 << 10;
/// A solver's output is cut after this many bytes.
const MOST_OUTPUT: usize = 4 << 10;

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many reports one project gets per week.
    pub quota: usize,
    pub known: Known,
    /// Gather only this bug, by its id.
    pub only: Option<String>,
}

impl Default for Options {
    /// Three per week: what cvc5's developers ask of a team.
    fn default() -> Options {
        Options { quota: 3, known: Known::default(), only: None }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub schema: u32,
    /// The version of falsum that ran the campaign.
    pub falsum: String,
    /// The campaign key.
    pub key: String,
    pub shard: String,
    /// When the campaign began, in UTC.
    pub started: String,
    /// Whether it was still running.
    pub running: bool,
    pub summary: Summary,
    pub targets: Vec<TargetRecord>,
    pub references: Vec<TargetRecord>,
    /// Where it ran: operating system and processor.
    pub machine: String,
    pub quota: usize,
    /// Bugs by the release that fixed them. Bugs that one release fixed may be the same bug, so the number of classes
    /// is a certain lower bound for the number of bugs.
    pub fixing_releases: BTreeMap<String, u64>,
    /// Worst first; those that need options of the solver after all others.
    pub bugs: Vec<BugReport>,
    /// The bugs counted by kind, logic, options and release.
    pub tables: Tables,
    /// What showed only in some runs, or only in a session: no solver is accused of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flaky: Vec<Flaky>,
    /// Failures of falsum itself.
    pub panics: u64,
    /// Problems found in the folder.
    pub problems: Vec<Problem>,
}

/// When to send a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Due {
    /// Within this week's quota of its project.
    Now,
    /// The quota is used up by worse bugs.
    Later,
    /// A newer release is right: useful for users of the old one, not worth an issue.
    Fixed,
    /// It is on the list of known issues.
    Known,
    /// Only a vote supports it: no solver is accused.
    Unproven,
    /// The command that a draft would show has not been run, or does not show it.
    Unshown,
}

impl Due {
    /// Whether it is proved and not known, so that a gate fails. A bug that the newest release has fixed is new in a
    /// build that still has it.
    pub fn is_new(self) -> bool {
        matches!(self, Due::Now | Due::Later | Due::Fixed | Due::Unshown)
    }

    pub fn word(self) -> &'static str {
        match self {
            Due::Now => "now",
            Due::Later => "later",
            Due::Fixed => "fixed",
            Due::Known => "known",
            Due::Unproven => "unproven",
            Due::Unshown => "unshown",
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct BugReport {
    /// From 1.
    pub rank: usize,
    pub id: String,
    /// Its signature before triage: less exact, and the same in every run.
    #[serde(skip)]
    pub coarse: Option<String>,
    pub kind: FindingKind,
    pub title: String,
    /// The operators that the formula is about.
    pub subject: Vec<String>,
    pub culprits: Vec<String>,
    /// The project to report it to.
    pub solver: String,
    /// The logic of the formula; `none` if it sets none.
    pub logic: String,
    /// The options of the culprit's command line that it needs.
    pub options: Vec<String>,
    pub due: Due,
    /// A bug in whose component it crashes too, so that both belong into one report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
    /// Why its operators are exotic, if they are: such a bug is ranked after the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exotic: Option<&'static str>,
    /// Where it is listed as known.
    pub known: Option<String>,
    /// How often it was hit.
    pub hits: u64,
    /// When it was first hit, in UTC.
    pub first: String,
    pub signature: String,
    /// The representative finding; `findings/<id>/` beside the database.
    pub finding: String,
    /// The smallest formula there is, with the options and requests that its command needs.
    pub formula: String,
    /// Whether `formula` is a reduced form.
    pub reduced: bool,
    /// Whether evidence and answers are about `formula` itself, not about the script it was reduced from.
    pub seen: bool,
    pub bytes: u64,
    pub original_bytes: u64,
    /// Which check-sat, from 1.
    pub check: usize,
    /// `sat` or `unsat`, where that is known.
    pub expected: Option<&'static str>,
    /// What each target answered, culprits first.
    pub answers: Vec<Answered>,
    pub evidence: Vec<Evidence>,
    pub first_bad: Option<String>,
    pub last_bad: Option<String>,
    pub fixed_in: Option<String>,
    /// The releases that were tested, oldest first.
    pub releases: Vec<ReleaseRow>,
    /// Whether every release between the first and the last bad one is bad.
    pub monotone: bool,
    /// With how many solver seeds it shows, and how many were tried.
    pub seeds: Option<(u64, u64)>,
    /// In how many fresh runs the formula showed it when it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    pub origin: Origin,
    /// The command of the report and its output, if it was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Demonstration>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Answered {
    pub target: String,
    pub culprit: bool,
    pub answer: String,
    pub ended: String,
    pub seconds: f64,
    /// The command line, with `bug.smt2` for the formula.
    pub command: String,
    /// What `-s` takes to mean the target again.
    #[serde(skip)]
    pub spec: String,
    pub stdout: String,
    pub stderr: String,
}

/// How the formula was made.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Origin {
    pub strategy: String,
    pub key: String,
    pub unit: u64,
    pub step: u64,
    pub seeds: Vec<String>,
    pub rules: Vec<String>,
}

impl Answered {
    /// The answers and, if it did not exit by itself, how it ended.
    pub fn said(&self) -> String {
        let answer = self.answer.replace("none", "").trim().to_owned();
        match (answer.is_empty(), self.ended == "ended") {
            (true, true) => "no answer".to_owned(),
            (true, false) => self.ended.clone(),
            (false, true) => answer,
            (false, false) => format!("{answer}, {}", self.ended),
        }
    }
}

/// What a target that is accused of a kind is, in a word.
pub(crate) fn accused(kind: FindingKind) -> &'static str {
    match kind {
        _ if kind.is_slowness() => "slow",
        _ if kind.is_incompleteness() => "undecided",
        FindingKind::RejectsValidInput => "refuses",
        _ => "wrong",
    }
}

/// The heading of bugs that are about time, missing answers and refusals.
pub(crate) const NOT_WRONG: &str = "Not wrong, but slow, undecided or refused";

impl Report {
    /// Bugs that are wrong, and those that are not, each in order.
    pub(crate) fn lists(&self) -> (Vec<&BugReport>, Vec<&BugReport>) {
        self.bugs.iter().partition(|bug| bug.kind.is_soundness())
    }
}

impl BugReport {
    /// Takes the culprit's command and output from the run as printed.
    fn show(&mut self) {
        let Some(shown) = self.demonstration().cloned() else { return };
        if let Some(answer) = self.answers.iter_mut().find(|answer| answer.culprit) {
            answer.command = shown.command;
            answer.stdout = shown.stdout;
            answer.stderr = shown.stderr;
        }
    }

    /// How a crash ended: its signal by name and number, or its message.
    pub fn ending(&self) -> Option<String> {
        let exit = self.evidence.iter().find(|evidence| evidence.kind == EvidenceKind::Exit)?;
        let detail = line(&exit.detail, 300);
        let (number, place) = match detail.strip_prefix("signal ").map(|rest| rest.split_once(' ')) {
            Some(Some((number, place))) => (number, place),
            Some(None) => (&detail["signal ".len()..], ""),
            None => return (!detail.is_empty()).then_some(detail),
        };
        let name = match number {
            "11" => "SIGSEGV",
            "6" => "SIGABRT",
            "8" => "SIGFPE",
            "4" => "SIGILL",
            "7" => "SIGBUS",
            _ => return Some(detail),
        };
        Some(match place {
            "" => format!("{name}, signal {number}"),
            // The place where it happened, as the solver's runtime prints it.
            place if place.starts_with("inside ") => format!("{name} {place}"),
            message => format!("{name}, signal {number} {message}"),
        })
    }

    /// Whether there is evidence better than a vote.
    pub fn is_proven(&self) -> bool {
        let weak = |e: &Evidence| matches!(e.kind, EvidenceKind::Majority | EvidenceKind::Status);
        self.evidence.iter().any(|evidence| !weak(evidence))
    }

    /// The answers of the solvers that are wrong.
    pub fn accused(&self) -> impl Iterator<Item = &Answered> {
        self.answers.iter().filter(|answer| answer.culprit)
    }

    /// The run of the command that its draft shows, if that shows it.
    pub fn demonstration(&self) -> Option<&Demonstration> {
        self.shown.as_ref().filter(|shown| shown.shows && !self.formula.is_empty())
    }

    /// The newest tested release before the first bad one that answers and is right.
    pub fn last_good(&self) -> Option<&str> {
        let first = self.releases.iter().position(|row| row.bad)?;
        let answers = |row: &&ReleaseRow| row.answer.split(' ').all(|word| ["sat", "unsat"].contains(&word));
        self.releases[..first].iter().rev().find(answers).map(|row| row.release.as_str())
    }

    /// Where a crash happened, as a part of the solver: the class of the innermost function, or the source file.
    fn component(&self) -> Option<String> {
        let ending = self.ending().filter(|_| self.kind == FindingKind::Crash)?;
        let place = match ending.split_once("inside ") {
            Some((_, functions)) => {
                let function = functions.split([',', '(', '<']).next()?.trim();
                function.rsplit_once("::").map_or(function, |(class, _)| class)
            }
            None => ending.split([' ', ':']).find(|word| word.contains(".c") || word.contains(".h"))?,
        };
        (!place.is_empty()).then(|| place.to_owned())
    }

    /// A command that gives a verdict on `bug.smt2`.
    pub fn check_command(&self) -> String {
        let mut command = "falsum check bug.smt2".to_owned();
        for answer in &self.answers {
            command += &format!(" -s {}", shell(&answer.spec));
        }
        command
    }

    /// Which releases are affected, among those that were tested.
    pub fn affected(&self) -> Option<String> {
        let first = self.first_bad.as_deref()?;
        let last = self.last_bad.as_deref().unwrap_or(first);
        let span = if first == last { first.to_owned() } else { format!("{first} to {last}") };
        let mut text = match &self.fixed_in {
            Some(fixed) => format!("{span}; fixed in {fixed}"),
            None => format!("{span}; not fixed in any tested release"),
        };
        if !self.monotone {
            text += "; some releases in between are not affected";
        }
        if self.releases.len() > 1 {
            text += &format!(" ({} releases tested)", self.releases.len());
        }
        Some(text)
    }
}

impl Report {
    /// Gathers everything; a damaged finding becomes a problem, not a failure.
    pub fn read(view: &View, options: &Options) -> Result<Report> {
        let status = view.status()?;
        let campaign = view.campaign();
        let mut problems = status.problems;
        let mut bugs = Vec::new();
        let findings = view.findings()?;
        let wanted = |bug: &&Bug| options.only.as_ref().is_none_or(|only| bug.id.as_str() == only);
        for bug in status.bug_list.iter().filter(wanted) {
            let shown = bug.shown();
            let meta = match view.meta(shown) {
                Ok(meta) => Some(meta),
                Err(error) => {
                    let note = "the report has only what is in the database";
                    let path = format!("findings/{shown}");
                    problems.push(Problem { path, what: error.to_string(), done: note.to_owned() });
                    None
                }
            };
            // A bug's final signature follows from its reduced form, which a slow machine may not reach; the signatures
            // of its findings do not change.
            let own = findings.iter().filter(|finding| finding.bug == bug.id);
            let names: Vec<&str> =
                own.flat_map(|f| [f.coarse.as_str(), f.id.as_str()]).chain([bug.id.as_str()]).collect();
            let known = options.known.place(&names, &bug.signature);
            bugs.push(gather(bug, meta.as_ref(), view, known));
        }
        rank(&mut bugs, options.quota);
        Ok(Report {
            schema: SCHEMA,
            falsum: status.falsum,
            key: status.key,
            shard: status.shard,
            started: date(status.started),
            running: status.running,
            summary: status.summary,
            targets: campaign.targets.clone(),
            references: campaign.references.clone(),
            machine: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            quota: options.quota,
            fixing_releases: status.fixing_releases,
            tables: Tables::of(&bugs),
            bugs,
            flaky: view.flaky(),
            panics: status.panics,
            problems,
        })
    }

    /// How many bugs have this status.
    pub fn count(&self, due: Due) -> usize {
        self.bugs.iter().filter(|bug| bug.due == due).count()
    }
}

/// Ranks bugs worst first, after them those in exotic extensions, and known ones last; then distributes each project's quota.
fn rank(bugs: &mut [BugReport], quota: usize) {
    let order = |due| due == Due::Known;
    bugs.sort_by(|a, b| {
        (order(a.due), !a.options.is_empty(), a.exotic.is_some(), a.kind, !a.is_proven(), a.bytes, &a.id).cmp(
            &(
                order(b.due),
                !b.options.is_empty(),
                b.exotic.is_some(),
                b.kind,
                !b.is_proven(),
                b.bytes,
                &b.id,
            ),
        )
    });
    let mut sent: BTreeMap<String, usize> = BTreeMap::new();
    let mut places: BTreeMap<(String, String), (Due, String)> = BTreeMap::new();
    for (index, bug) in bugs.iter_mut().enumerate() {
        bug.rank = index + 1;
        if bug.due == Due::Now {
            // Two crashes in one component are likely to have one cause.
            let place = bug.component().map(|place| (bug.solver.clone(), place));
            if let Some((due, first)) = place.as_ref().and_then(|place| places.get(place)) {
                (bug.due, bug.with) = (*due, Some(first.clone()));
                continue;
            }
            let sent = sent.entry(bug.solver.clone()).or_default();
            *sent += 1;
            if *sent > quota {
                bug.due = Due::Later;
            }
            if let Some(place) = place {
                places.insert(place, (bug.due, bug.id.clone()));
            }
        }
    }
}

fn gather(bug: &Bug, meta: Option<&Meta>, view: &View, known: Option<&str>) -> BugReport {
    let known = bug.triage.known.as_deref().or(known);
    let file = |name: &str| view.file(bug.shown(), name).ok();
    let original = meta.and_then(|_| file("formula.smt2")).unwrap_or_default();
    let reduced = meta.and_then(|_| file("reduced.smt2"));
    let formula = reduced.as_deref().unwrap_or(&original);
    let seen = reduced.as_ref().and_then(|_| Reduction::read(&view.folder(bug.shown())));
    let check = seen.as_ref().map_or_else(|| meta.map_or(0, |meta| meta.check), |seen| seen.check);
    let truth = seen.as_ref().map_or_else(|| meta.and_then(|meta| meta.truth), |seen| seen.truth);
    let evidence = seen.as_ref().map(|seen| seen.evidence.clone());
    let ran = meta.and_then(|_| file(Demonstration::FORMULA));
    let record = ran.as_ref().and_then(|_| file(Demonstration::FILE));
    let shown = record.zip(ran.as_ref()).and_then(|(text, ran)| Demonstration::read(&text, ran));
    let printed = ran.filter(|_| shown.as_ref().is_some_and(|shown| shown.shows));
    let mut report = BugReport {
        rank: 0,
        id: bug.id.to_string(),
        coarse: meta.map(|meta| meta.coarse.to_string()),
        kind: bug.kind,
        title: String::new(),
        subject: subject(formula),
        exotic: smtlib::Script::parse(formula).ok().and_then(|script| Rank::of_script(&script).1),
        with: None,
        culprits: bug.culprits.clone(),
        solver: bug.culprits.first().map_or("unknown", |name| solver(name)).to_owned(),
        logic: logic(formula),
        options: seen.as_ref().map_or_else(|| options_of(&bug.culprits), |seen| seen.options.clone()),
        due: Due::Now,
        known: known.map(str::to_owned),
        hits: bug.count,
        first: date(bug.first / 1000),
        signature: bug.signature.clone(),
        finding: bug.shown().to_string(),
        formula: cut(printed.as_deref().unwrap_or(formula), MOST_FORMULA),
        reduced: reduced.is_some(),
        seen: reduced.is_none() || seen.is_some(),
        bytes: formula.len() as u64,
        original_bytes: original.len() as u64,
        check: check + 1,
        expected: truth.map(|sat| if sat { "sat" } else { "unsat" }),
        answers: meta.map_or_else(Vec::new, |meta| answers(meta, view, seen.as_ref())),
        evidence: evidence.or_else(|| meta.map(|meta| meta.evidence.clone())).unwrap_or_default(),
        first_bad: bug.triage.first_bad.clone(),
        last_bad: bug.triage.last_bad.clone(),
        fixed_in: bug.triage.fixed_in.clone(),
        releases: seen.as_ref().map_or_else(Vec::new, |seen| seen.releases.clone()),
        monotone: seen.as_ref().is_none_or(|seen| seen.monotone),
        seeds: seen.as_ref().map(|seen| seen.seeds).filter(|seeds| seeds.1 > 0),
        rate: meta.and_then(|meta| meta.rate),
        origin: meta.map_or_else(Origin::default, origin),
        shown,
    };
    report.show();
    report.title = title(&report);
    if report.known.is_some() {
        report.due = Due::Known;
    } else if !report.is_proven() {
        report.due = Due::Unproven;
    } else if report.fixed_in.is_some() {
        report.due = Due::Fixed;
    } else if report.demonstration().is_none() {
        report.due = Due::Unshown;
    }
    report
}

/// The logic that a formula sets.
fn logic(formula: &[u8]) -> String {
    let script = smtlib::Script::parse(formula).ok();
    let name = script.as_ref().and_then(|script| script.logic_name().map(|name| name.into_owned()));
    name.unwrap_or_else(|| "none".to_owned())
}

/// The options in the names of targets, before it is known which of them are needed.
fn options_of(culprits: &[String]) -> Vec<String> {
    let words = culprits.first().and_then(|name| solver::spec::split_words(name).ok()).unwrap_or_default();
    words.into_iter().skip(1).collect()
}

fn origin(meta: &Meta) -> Origin {
    let recipe = &meta.recipe;
    Origin {
        strategy: recipe.strategy.clone(),
        key: recipe.key.clone(),
        unit: recipe.unit,
        step: recipe.step,
        seeds: recipe.seeds.iter().map(|seed| seed.short()).collect(),
        rules: recipe.rules.clone(),
    }
}

/// What `-s` takes to mean a target again: a program of the user's own by its absolute path, anything else by its name.
fn spec(view: &View, target: &str) -> String {
    let campaign = view.campaign();
    let mut all = campaign.targets.iter().chain(&campaign.references);
    match all.find(|record| record.name == target && target.contains('/')) {
        Some(record) => record.command.iter().map(|word| shell(word)).collect::<Vec<_>>().join(" "),
        None => target.to_owned(),
    }
}

/// The answers to the reduced form where they were recorded, else to the original.
fn answers(meta: &Meta, view: &View, seen: Option<&Reduction>) -> Vec<Answered> {
    let called = |target: &str| {
        let Some(mut called) = meta.commands.iter().find(|command| command.target == target).cloned() else {
            return String::new();
        };
        // These options are enough for the culprit.
        if let (Some(seen), Some(program)) = (seen, called.argv.first().cloned())
            && meta.culprits.iter().any(|culprit| culprit == target)
        {
            let file = called.argv.iter().filter(|word| *word == "{file}").cloned().collect::<Vec<_>>();
            called.argv = [vec![program], seen.options.clone(), file].concat();
        }
        command(&called)
    };
    let mut answers = match seen {
        Some(seen) => seen.answers.iter().map(|said| told(said, called(&said.target))).collect(),
        None => recorded(meta, view, called),
    };
    for answer in &mut answers {
        answer.culprit = meta.culprits.contains(&answer.target);
        answer.spec = spec(view, &answer.target);
    }
    answers.sort_by_key(|answer: &Answered| !answer.culprit);
    answers
}

fn told(said: &store::Said, command: String) -> Answered {
    Answered {
        target: said.target.clone(),
        culprit: false,
        spec: String::new(),
        answer: said.answer.clone(),
        ended: said.ended.clone(),
        seconds: said.micros as f64 / 1e6,
        command,
        stdout: cut(said.stdout.as_bytes(), MOST_OUTPUT),
        stderr: cut(said.stderr.as_bytes(), MOST_OUTPUT),
    }
}

fn recorded(meta: &Meta, view: &View, called: impl Fn(&str) -> String) -> Vec<Answered> {
    // The names come from a file that may be another user's; the view reads only files inside the finding's folder.
    let read = |name: &Inside| cut(&view.file(&meta.id, name.as_str()).unwrap_or_default(), MOST_OUTPUT);
    let each = meta.answers.iter().map(|answer| Answered {
        target: answer.target.clone(),
        culprit: false,
        spec: String::new(),
        answer: answer.answer.clone(),
        ended: answer.ended.clone(),
        seconds: answer.micros as f64 / 1e6,
        command: called(&answer.target),
        stdout: read(&answer.stdout),
        stderr: read(&answer.stderr),
    });
    each.collect()
}

/// The command line that a user types: the program without the folder it is installed in here.
fn command(invocation: &Invocation) -> String {
    let mut words = Vec::new();
    for (index, word) in invocation.argv.iter().enumerate() {
        let program = Path::new(word).file_name().filter(|_| index == 0);
        words.push(match program {
            Some(program) => shell(&program.to_string_lossy()),
            None if word == "{file}" => "bug.smt2".to_owned(),
            None => shell(word),
        });
    }
    if invocation.stdin {
        words.push("< bug.smt2".to_owned());
    }
    words.join(" ")
}

fn cut(bytes: &[u8], most: usize) -> String {
    if bytes.len() <= most {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let head = String::from_utf8_lossy(&bytes[..most]);
    format!("{head}\n; {} more bytes are in the folder of the finding\n", bytes.len() - most)
}
