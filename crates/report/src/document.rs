//! The document: everything a report says, gathered once from a campaign folder.
//!
//! Every format is a function of this, and `--format json` is this. Fields are added, never renamed or removed,
//! without a new `SCHEMA`. Bugs are ranked worst first; those that somebody knows already come last.

use crate::date::date;
use crate::error::Result;
use crate::known::Known;
use crate::plain::{line, shell};
use crate::project::solver;
use oracle::{Evidence, EvidenceKind, Kind};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use store::{Bug, Invocation, Meta, Problem, Summary, TargetRecord, View};

/// Version of the JSON document.
pub const SCHEMA: u32 = 1;
/// More of a formula than this helps nobody in a report; the file itself is in the folder.
const MOST_FORMULA: usize = 64 << 10;
/// More of an output than this is cut.
const MOST_OUTPUT: usize = 4 << 10;

/// What the reader asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many reports one project gets in a week.
    pub quota: usize,
    pub known: Known,
}

impl Default for Options {
    /// Three a week: what cvc5's developers ask of a team.
    fn default() -> Options {
        Options { quota: 3, known: Known::default() }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub schema: u32,
    /// The falsum that hunted.
    pub falsum: String,
    /// The campaign key.
    pub key: String,
    pub shard: String,
    /// When the campaign began, in UTC.
    pub started: String,
    /// Whether it was still going on.
    pub running: bool,
    pub summary: Summary,
    pub targets: Vec<TargetRecord>,
    pub references: Vec<TargetRecord>,
    /// Where it ran: operating system and processor.
    pub machine: String,
    pub quota: usize,
    /// Worst first.
    pub bugs: Vec<BugReport>,
    /// Failures of falsum itself.
    pub panics: u64,
    /// What is not as it should be in the folder.
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
    /// Somebody knows already.
    Known,
    /// Only a vote speaks for it: nobody is accused.
    Unproven,
}

impl Due {
    pub fn word(self) -> &'static str {
        match self {
            Due::Now => "now",
            Due::Later => "later",
            Due::Known => "known",
            Due::Unproven => "unproven",
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct BugReport {
    /// From 1.
    pub rank: usize,
    pub id: String,
    pub kind: Kind,
    pub title: String,
    pub culprits: Vec<String>,
    /// Whose project to tell.
    pub solver: String,
    pub due: Due,
    /// Where it is known.
    pub known: Option<String>,
    /// How often it was hit.
    pub hits: u64,
    /// When it was first hit, in UTC.
    pub first: String,
    pub signature: String,
    /// The finding that stands for it; `findings/<id>/` beside the database.
    pub finding: String,
    /// The smallest formula there is.
    pub formula: String,
    /// Whether `formula` is a reduced form; evidence and answers are about the original.
    pub reduced: bool,
    pub bytes: u64,
    pub original_bytes: u64,
    /// Which check-sat of the original, from 1.
    pub check: usize,
    /// `sat` or `unsat`, where that is known.
    pub expected: Option<&'static str>,
    /// What each target answered, culprits first.
    pub answers: Vec<Answered>,
    pub evidence: Vec<Evidence>,
    pub first_bad: Option<String>,
    pub last_bad: Option<String>,
    pub fixed_in: Option<String>,
    pub origin: Origin,
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

impl BugReport {
    /// Whether something better than a vote speaks for it.
    pub fn is_proven(&self) -> bool {
        let weak = |e: &Evidence| matches!(e.kind, EvidenceKind::Majority | EvidenceKind::Status);
        self.evidence.iter().any(|evidence| !weak(evidence))
    }

    /// The answers of those who are wrong.
    pub fn accused(&self) -> impl Iterator<Item = &Answered> {
        self.answers.iter().filter(|answer| answer.culprit)
    }

    /// Asks for a verdict of one's own about `bug.smt2`.
    pub fn check_command(&self) -> String {
        let mut command = "falsum check bug.smt2".to_owned();
        for answer in &self.answers {
            command += &format!(" -s {}", shell(&answer.target));
        }
        command
    }

    /// Which releases are affected, as far as that was asked.
    pub fn affected(&self) -> Option<String> {
        let first = self.first_bad.as_deref()?;
        let last = self.last_bad.as_deref().unwrap_or(first);
        let span = if first == last { first.to_owned() } else { format!("{first} to {last}") };
        Some(match &self.fixed_in {
            Some(fixed) => format!("{span}; fixed in {fixed}"),
            None => format!("{span}; no later release that was asked is right"),
        })
    }
}

impl Report {
    /// Gathers everything; a damaged finding becomes a problem, not a failure.
    pub fn read(view: &View, options: &Options) -> Result<Report> {
        let status = view.status()?;
        let campaign = view.campaign();
        let mut problems = status.problems;
        let mut bugs = Vec::new();
        for bug in &status.bug_list {
            let meta = match view.meta(&bug.representative) {
                Ok(meta) => Some(meta),
                Err(error) => {
                    let note = "the report has only what the database knows";
                    let path = format!("findings/{}", bug.representative);
                    problems.push(Problem { path, what: error.to_string(), done: note.to_owned() });
                    None
                }
            };
            bugs.push(gather(bug, meta.as_ref(), &view.folder(&bug.representative), &options.known));
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
            bugs,
            panics: status.panics,
            problems,
        })
    }

    /// How many bugs are due so.
    pub fn count(&self, due: Due) -> usize {
        self.bugs.iter().filter(|bug| bug.due == due).count()
    }
}

/// Worst first, what is known last; then deals out each project's quota.
fn rank(bugs: &mut [BugReport], quota: usize) {
    let order = |due| matches!(due, Due::Known);
    bugs.sort_by(|a, b| {
        (order(a.due), a.kind, !a.is_proven(), a.bytes, &a.id).cmp(&(
            order(b.due),
            b.kind,
            !b.is_proven(),
            b.bytes,
            &b.id,
        ))
    });
    let mut sent: BTreeMap<String, usize> = BTreeMap::new();
    for (index, bug) in bugs.iter_mut().enumerate() {
        bug.rank = index + 1;
        if bug.due == Due::Now {
            let sent = sent.entry(bug.solver.clone()).or_default();
            *sent += 1;
            if *sent > quota {
                bug.due = Due::Later;
            }
        }
    }
}

fn gather(bug: &Bug, meta: Option<&Meta>, folder: &Path, known: &Known) -> BugReport {
    let known = bug.triage.known.as_deref().or_else(|| known.place(&bug.id.0, &bug.signature));
    let original = meta.and_then(|_| fs::read(folder.join("formula.smt2")).ok()).unwrap_or_default();
    let reduced = meta.and_then(|_| fs::read(folder.join("reduced.smt2")).ok());
    let formula = reduced.as_deref().unwrap_or(&original);
    let mut report = BugReport {
        rank: 0,
        id: bug.id.0.clone(),
        kind: bug.kind,
        title: String::new(),
        culprits: bug.culprits.clone(),
        solver: bug.culprits.first().map_or("unknown", |name| solver(name)).to_owned(),
        due: Due::Now,
        known: known.map(str::to_owned),
        hits: bug.count,
        first: date(bug.first / 1000),
        signature: bug.signature.clone(),
        finding: bug.representative.0.clone(),
        formula: cut(formula, MOST_FORMULA),
        reduced: reduced.is_some(),
        bytes: formula.len() as u64,
        original_bytes: original.len() as u64,
        check: meta.map_or(1, |meta| meta.check + 1),
        expected: meta.and_then(|meta| meta.truth).map(|sat| if sat { "sat" } else { "unsat" }),
        answers: meta.map_or_else(Vec::new, |meta| answers(meta, folder)),
        evidence: meta.map_or_else(Vec::new, |meta| meta.evidence.clone()),
        first_bad: bug.triage.first_bad.clone(),
        last_bad: bug.triage.last_bad.clone(),
        fixed_in: bug.triage.fixed_in.clone(),
        origin: meta.map_or_else(Origin::default, origin),
    };
    report.title = title(&report);
    if report.known.is_some() {
        report.due = Due::Known;
    } else if !report.is_proven() {
        report.due = Due::Unproven;
    }
    report
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

fn answers(meta: &Meta, folder: &Path) -> Vec<Answered> {
    let read = |name: &str| cut(&fs::read(folder.join(name)).unwrap_or_default(), MOST_OUTPUT);
    let mut answers: Vec<Answered> = meta
        .answers
        .iter()
        .map(|answer| Answered {
            target: answer.target.clone(),
            culprit: meta.culprits.contains(&answer.target),
            answer: answer.answer.clone(),
            ended: answer.ended.clone(),
            seconds: answer.micros as f64 / 1e6,
            command: meta
                .commands
                .iter()
                .find(|command| command.target == answer.target)
                .map_or_else(String::new, command),
            stdout: read(&answer.stdout),
            stderr: read(&answer.stderr),
        })
        .collect();
    answers.sort_by_key(|answer| !answer.culprit);
    answers
}

/// What a person types: the program without the folder it is installed in here.
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

/// One line that says what is wrong and how small it is.
fn title(bug: &BugReport) -> String {
    let what = match bug.kind {
        Kind::RefutationUnsound => "Wrong `unsat`",
        Kind::SolutionUnsound => "Wrong `sat`",
        Kind::InvalidModel => "Invalid model",
        Kind::InvalidCore => "Unsat core that is satisfiable",
        Kind::InvalidProof => "Proof that does not check",
        Kind::Crash => "Crash",
        Kind::Inconsistent => "Contradicting answers",
        Kind::IncompletenessRegression => "`unknown` where an older release decides",
        Kind::IncompletenessImplication => "`unknown` on a formula whose answer follows from one it decides",
        Kind::PerformanceRegression => "Much slower than an older release",
        Kind::Performance => "Much slower than another solver",
        Kind::RejectsValidInput => "Rejects a script that the standard allows",
    };
    let who = if bug.culprits.is_empty() { "some solver".to_owned() } else { bug.culprits.join(", ") };
    let size = if bug.bytes > 0 { format!(" on a formula of {} bytes", bug.bytes) } else { String::new() };
    line(&format!("{what}{size} ({who})"), 200)
}
