//! `falsum check`: one verdict per file, with evidence and blame. The tool to settle an argument with.
//!
//! Every solver runs in a fresh process, exactly as a user would run it. Incremental scripts are also run flattened,
//! models are evaluated, small spaces enumerated, cores solved again, and an accusation is reported only if it can be
//! reproduced. The status in a file is a claim and never evidence; a wrong status is reported. A file that cannot be
//! read is reported among the verdicts of the others and makes the exit code 2, but does not end the run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use crate::paint;
use crate::panel::SolverArgs;
use oracle::{Accusation, Evidence, EvidenceKind, Given, Heard, ModelCheck, Verdict};
use semantics::model::{Escapes, Model};
use serde::Serialize;
use smtlib::{Parsed, Script};
use std::io::Read;
use std::path::{Path, PathBuf};
use strategy::{Case, Expect, Expected, Ground, Role};
use triage::{Confirmed, Inquiry, Panel, Plan, Repetitions, inquire, repeat};

#[derive(clap::Args)]
pub struct Args {
    /// Scripts and folders with scripts to judge; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to use the scripts' own status: `info` takes it as a hint, `ignore` does not read it
    #[arg(long, default_value = "info")]
    status: Status,
    /// A model to evaluate, as a solver prints it
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Ask each solver once more with the options that make it check its own answers; a complaint that falsum does
    /// not confirm is shown beside what falsum says
    #[arg(long)]
    self_check: bool,
    #[command(flatten)]
    solvers: SolverArgs,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Status {
    Info,
    Ignore,
    Sat,
    Unsat,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let panel = args.solvers.panel(1)?;
    let model = args.model.as_deref().map(read).transpose()?;
    let (mut found, mut unread) = (false, false);
    let files = scripts(&args.files)?;
    let mut wrong_files = 0;
    for file in &files {
        match check(&args, file, model.as_deref(), &panel) {
            Ok(wrong) => {
                found |= wrong;
                wrong_files += usize::from(wrong);
            }
            Err(error) if is_unreadable(&error) => {
                unread = true;
                if args.json {
                    let object = serde_json::json!({
                        "file": file.display().to_string(), "verdict": "inconclusive", "certified": false,
                        "culprits": [], "evidence": [], "findings": [], "answers": [],
                        "error": error.to_string(),
                    });
                    println!("{object}");
                } else {
                    crate::exit::explain(&error);
                }
            }
            Err(error) => return Err(error),
        }
    }
    if files.len() != args.files.len() && !args.json {
        eprintln!("{} files, something is wrong with {wrong_files}", files.len());
    }
    Ok(match () {
        () if unread => Exit::Usage,
        () if found => Exit::Findings,
        () => Exit::Fine,
    })
}

/// The files that paths mean: a folder means the scripts in it, in order of their names.
fn scripts(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = vec![];
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let known = files.len();
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            let entries = std::fs::read_dir(&folder)
                .map_err(|error| Failure::io(smtlib::shown::path(&folder), &error))?;
            for entry in entries.flatten() {
                let found = entry.path();
                // Links are not followed: they may lead back.
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(found);
                } else if found.extension().is_some_and(|end| end == "smt2") {
                    files.push(found);
                }
            }
        }
        if files.len() == known {
            let message = format!("{} has no .smt2 file", smtlib::shown::path(path));
            return Err(Failure::usage(message).into());
        }
        files[known..].sort();
    }
    Ok(files)
}

fn is_unreadable(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Failure>().is_some_and(|failure| failure.exit == Exit::Usage)
}

/// Judges one file and prints the verdict; returns whether anything is wrong.
fn check(args: &Args, file: &Path, model: Option<&[u8]>, panel: &Panel) -> anyhow::Result<bool> {
    let script = parse(file, read(file)?)?;
    let named = args.model.as_deref().zip(model);
    let own_model = named.map(|(path, model)| check_own_model(path, model, script.script())).transpose()?;
    let mut plan = Plan::thorough(args.solvers.limits());
    plan.effort.self_checks = args.self_check;
    let expects = expects(script.script(), args.status);
    let case = Case::of_script(script).expecting(expects.clone());
    let mut judged = judge(panel, &case, &plan);
    if is_a_tie(&judged.verdict)
        && let Some(wider) = args.solvers.wider_panel(&judged.heard)?
    {
        judged = judge(&wider, &case, &plan);
    }
    let refuted = own_model.as_ref().is_some_and(|own| own.kind == EvidenceKind::RefutedModel);
    let mut report = FileReport::new(file, &judged, own_model);
    report.notes = wrong_statuses(&judged, &expects);
    report.notes.extend(judged.unconfirmed.iter().map(unconfirmed));
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print!("{}", report.text(&judged));
    }
    Ok(refuted || !judged.verdict.findings().is_empty())
}

/// Both sides of a suspicion that accuses no solver.
fn unconfirmed(suspicion: &Accusation) -> String {
    let sides: Vec<String> =
        suspicion.evidence.iter().map(|side| format!("{}: {}", side.by, side.detail)).collect();
    format!("unconfirmed {}: {}", suspicion.kind.word(), sides.join("; "))
}

/// Messages about statuses in the script that differ from what is certified or answered.
fn wrong_statuses(judged: &Inquiry, expects: &[Option<Expect>]) -> Vec<String> {
    let word = |sat: bool| if sat { "sat" } else { "unsat" };
    let mut notes = vec![];
    for (check, expect) in expects.iter().enumerate() {
        let Some(status) = expect.as_ref().map(|expect| expect.answer.is_sat()) else { continue };
        let (truth, certain) = match &judged.verdict {
            Verdict::Fine { certified } => (answered(&judged.heard, check), *certified),
            Verdict::Findings(findings) => {
                (findings.iter().filter(|finding| finding.at.check == check).find_map(|f| f.truth), true)
            }
            Verdict::Inconclusive(_) | Verdict::OurBug(_) => (None, false),
        };
        if let Some(truth) = truth.filter(|truth| *truth != status) {
            let (status, truth, n) = (word(status), word(truth), check + 1);
            notes.push(if certain {
                format!("the status of check {n} is wrong: it says {status}, and {truth} is certified")
            } else {
                format!("the status of check {n} says {status}, but all answering solvers say {truth}; no certificate")
            });
        }
    }
    notes
}

/// The definite answer to a check; the solvers agree on it, otherwise there would be a finding.
fn answered(heard: &[Heard], check: usize) -> Option<bool> {
    let answer = |heard: &Heard| match heard.answer(check)? {
        solver::Answer::Sat => Some(true),
        solver::Answer::Unsat => Some(false),
        _ => None,
    };
    heard.iter().filter(|heard| heard.reply.question == 0).find_map(answer)
}

/// Reads a regular file, or standard input for `-`; anything else is a usage error, reported before reading.
pub fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    if file == Path::new("-") || file == Path::new("/dev/stdin") {
        let mut text = vec![];
        let read = std::io::stdin().lock().read_to_end(&mut text);
        read.map_err(|error| Failure::usage(format!("standard input: {error}")))?;
        return Ok(text);
    }
    let kind = std::fs::metadata(file)
        .map_err(|error| Failure::usage(format!("{}: {error}", smtlib::shown::path(file))))?;
    if !kind.is_file() {
        return Err(Failure::usage(format!("{}: not a regular file", smtlib::shown::path(file))).into());
    }
    std::fs::read(file)
        .map_err(|error| Failure::usage(format!("{}: {error}", smtlib::shown::path(file))).into())
}

/// Parses, or fails with the rendered message.
pub fn parse(file: &Path, text: Vec<u8>) -> anyhow::Result<Parsed> {
    Parsed::read(text.as_slice()).map_err(|error| {
        let rendered = error.render(&file.display().to_string(), &text);
        Failure::usage(rendered.trim_start_matches("error: ").trim_end()).into()
    })
}

/// What the file says about its own answers.
fn expects(script: &Script, status: Status) -> Vec<Option<Expect>> {
    let word = |status: &[u8]| match status {
        b"sat" => Some(Expected::Sat),
        b"unsat" => Some(Expected::Unsat),
        _ => None,
    };
    let answers: Vec<Option<Expected>> = match status {
        Status::Ignore => vec![],
        Status::Info => script.statuses().map(word).collect(),
        Status::Sat => vec![Some(Expected::Sat); script.checks()],
        Status::Unsat => vec![Some(Expected::Unsat); script.checks()],
    };
    let claim = || Ground::Claim("the script's status says so".into());
    let expect = |answer: Option<Expected>| answer.map(|answer| Expect { answer, ground: claim() });
    if answers.len() == script.checks() { answers.into_iter().map(expect).collect() } else { vec![] }
}

/// Runs all solvers; what looks wrong is repeated, and a solver whose answers vary is not accused.
fn judge(panel: &Panel, case: &Case, plan: &Plan) -> Inquiry {
    let first = inquire(panel, case, plan);
    if first.verdict.findings().is_empty() {
        return first;
    }
    match repeat(panel, plan, first, Repetitions::default()) {
        Confirmed::Yes(inquiry) | Confirmed::No(inquiry) => inquiry,
        Confirmed::Flaky { rate, inquiry } => {
            let why = format!("flaky: {} shown in {rate}", inquiry.verdict.word());
            Inquiry { verdict: Verdict::Inconclusive(why), ..inquiry }
        }
    }
}

/// Answers contradict each other and nothing decides which solver is wrong: more opinions may decide it.
fn is_a_tie(verdict: &Verdict) -> bool {
    let tied =
        |finding: &Accusation| finding.kind == oracle::FindingKind::Inconsistent && finding.culprit.is_none();
    verdict.findings().first().is_some_and(tied)
}

/// Evaluates the user's model for the first check; a text that is not a model is a usage error.
fn check_own_model(path: &Path, model: &[u8], script: &Script) -> anyhow::Result<Evidence> {
    let by = path.display().to_string();
    let first = script.commands.iter().position(|command| command.is_check());
    let command = first.unwrap_or(script.commands.len());
    Model::parse_at(&mut script.clone(), command, model, Escapes::Standard)
        .map_err(|error| Failure::usage(format!("{by}: {error}")))?;
    Ok(match oracle::check_model(&mut script.clone(), 0, model, Escapes::Standard.into()) {
        ModelCheck::Confirmed { detail, .. } => Evidence::new(EvidenceKind::Model, by, detail),
        ModelCheck::Refuted { detail } => Evidence::new(EvidenceKind::RefutedModel, by, detail),
        ModelCheck::Undecided(why) => {
            Evidence::new(EvidenceKind::Model, by, format!("could not be decided: {why}"))
        }
    })
}

/// What `--json` prints, one per file.
#[derive(Serialize)]
struct FileReport {
    file: String,
    verdict: &'static str,
    /// The verdict does not rely on trust in a solver.
    certified: bool,
    /// All accused solvers and all evidence; `findings` groups them.
    culprits: Vec<String>,
    evidence: Vec<Evidence>,
    findings: Vec<FindingReport>,
    answers: Vec<AnswerReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// Whether the first piece of evidence is about the user's own model.
    #[serde(skip)]
    own_model: bool,
}

/// One accusation.
#[derive(Serialize)]
struct FindingReport {
    kind: &'static str,
    culprits: Vec<String>,
    /// Which check-sat, counted from 1.
    check: usize,
    /// The right answer, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<&'static str>,
    certified: bool,
    evidence: Vec<Evidence>,
}

impl FindingReport {
    fn new(finding: &Accusation) -> FindingReport {
        FindingReport {
            kind: finding.kind.word(),
            culprits: finding.culprits().to_vec(),
            check: finding.at.check + 1,
            truth: finding.truth.map(|sat| if sat { "sat" } else { "unsat" }),
            certified: finding.is_certified(),
            evidence: finding.evidence.clone(),
        }
    }
}

#[derive(Serialize)]
struct AnswerReport {
    target: String,
    /// One word per check-sat, joined by blanks; `none` where there is no answer.
    answer: String,
    ended: &'static str,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flattened_check: Option<usize>,
    /// This solver was given only the assertions of an unsat core of this check.
    #[serde(skip_serializing_if = "Option::is_none")]
    core_of_check: Option<usize>,
    /// It was asked in its own words: the script that it got.
    #[serde(skip_serializing_if = "Option::is_none")]
    translated: Option<String>,
    /// What our evaluator says about its models, one word per check-sat that has one: true, false or unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    models: Vec<String>,
    /// Options of the script that were not sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    /// Processes that the solver left running.
    #[serde(skip_serializing_if = "Option::is_none")]
    leaked: Option<Leaked>,
}

/// Processes that outlived a solver.
#[derive(Serialize)]
struct Leaked {
    /// How many processes falsum had to end.
    ended: usize,
    /// Processes that falsum could not end, or could not distinguish from others.
    survivors: Vec<i32>,
    /// An unknown process still holds the solver's output open.
    output_held: bool,
}

impl Leaked {
    fn of(leak: &run::Leak) -> Option<Leaked> {
        (!leak.is_none()).then(|| Leaked {
            ended: leak.killed.len(),
            survivors: leak.survivors.clone(),
            output_held: leak.pipe_held,
        })
    }

    fn text(&self) -> String {
        match self.survivors.len() {
            0 => format!("left {} running, ended by falsum", processes(self.ended)),
            n => format!("left {} running that falsum did not end: {:?}", processes(n), self.survivors),
        }
    }
}

fn processes(count: usize) -> String {
    if count == 1 { "1 process".into() } else { format!("{count} processes") }
}

impl AnswerReport {
    fn new(heard: &Heard, case: &Case) -> AnswerReport {
        let question = &case.questions[heard.reply.question];
        AnswerReport {
            target: heard.name().to_owned(),
            answer: heard.reply.words(),
            ended: heard.reply.ended.word(),
            seconds: heard.reply.wall.as_secs_f64(),
            message: heard.reply.ended.message().map(str::to_owned),
            flattened_check: match question.role {
                Role::OneCheck(check) => Some(check),
                _ => None,
            },
            core_of_check: match question.role {
                Role::CoreOnly(check) => Some(check),
                _ => None,
            },
            translated: match &question.role {
                Role::Translated(_) => Some(String::from_utf8_lossy(question.script.text()).into_owned()),
                _ => None,
            },
            models: heard.models.iter().flatten().map(model_word).collect(),
            left_out: heard.reply.left_out.clone(),
            leaked: Leaked::of(&heard.reply.leak),
        }
    }
}

fn model_word(checked: &ModelCheck) -> String {
    match checked {
        ModelCheck::Confirmed { given: Given::Nothing, .. } => "true".into(),
        ModelCheck::Refuted { .. } => "false".into(),
        ModelCheck::Confirmed { given: Given::Choices, .. } => {
            "true with a choice where an operator is under-specified".into()
        }
        ModelCheck::Confirmed { given: Given::Definitions, .. } => {
            "true if the recursive functions exist".into()
        }
        ModelCheck::Undecided(why) => format!("unknown: {why}"),
    }
}

impl FileReport {
    fn new(file: &Path, judged: &Inquiry, own_model: Option<Evidence>) -> FileReport {
        let findings = judged.verdict.findings();
        let mut culprits: Vec<String> = vec![];
        let mut evidence: Vec<Evidence> = own_model.into_iter().collect();
        let own_model = !evidence.is_empty();
        for finding in findings {
            culprits.extend(finding.culprit.clone());
            evidence.extend(finding.evidence.iter().cloned());
        }
        let mut seen = std::collections::BTreeSet::new();
        culprits.retain(|name| seen.insert(name.clone()));
        FileReport {
            file: file.display().to_string(),
            verdict: judged.verdict.word(),
            certified: judged.verdict.is_certified(),
            culprits,
            evidence,
            findings: findings.iter().map(FindingReport::new).collect(),
            answers: judged.heard.iter().map(|heard| AnswerReport::new(heard, &judged.case)).collect(),
            why: match &judged.verdict {
                Verdict::Inconclusive(why) => Some(why.clone()),
                Verdict::OurBug(why) => Some(format!("a bug in falsum itself: {why}")),
                _ => None,
            },
            notes: vec![],
            own_model,
        }
    }

    fn text(&self, judged: &Inquiry) -> String {
        let stdout = std::io::stdout();
        let verdict = match judged.verdict {
            Verdict::Fine { .. } => paint::fine(&stdout, self.verdict),
            Verdict::Inconclusive(_) | Verdict::OurBug(_) => paint::doubtful(&stdout, self.verdict),
            Verdict::Findings(_) => paint::wrong(&stdout, self.verdict),
        };
        let mut out = String::new();
        if !self.culprits.is_empty() {
            out += &format!("   culprit: {}", self.culprits.join(", "));
        }
        out += "\n";
        let width = self.answers.iter().map(|answer| answer.target.len()).max().unwrap_or(0);
        for answer in &self.answers {
            out += &answer_line(answer, width);
        }
        if let Some(why) = &self.why {
            out += &format!("  why: {why}\n");
        }
        if let Verdict::Fine { certified } = judged.verdict {
            out += if certified {
                "  every answer is certified: no trust in a solver is needed\n"
            } else {
                "  nothing contradicts; no certificate\n"
            };
        }
        for finding in judged.verdict.findings() {
            out += &finding_text(finding);
        }
        for note in &self.notes {
            out += &format!("  {note}\n");
        }
        for evidence in self.evidence.iter().take(usize::from(self.own_model)) {
            out += &format!("  {} ({}): {}\n", evidence.kind.word(), evidence.by, evidence.brief());
        }
        // Names and messages come from files and solvers.
        format!("{}   {verdict}{}", smtlib::shown::text(&self.file), report::escaped(&out))
    }
}

fn answer_line(answer: &AnswerReport, width: usize) -> String {
    let mut line =
        format!("  {:width$}  {:<7}  {:>7.0} ms", answer.target, answer.answer, answer.seconds * 1000.0);
    if answer.ended != "ended" {
        line += &format!("   {}", answer.ended);
    }
    if let Some(message) = &answer.message {
        line += &format!(": {}", message.lines().next().unwrap_or_default());
    }
    if let Some(check) = answer.flattened_check {
        line += &format!("   (check {} alone)", check + 1);
    }
    if let Some(leaked) = &answer.leaked {
        line += &format!("   ({})", leaked.text());
    }
    if let Some(check) = answer.core_of_check {
        line += &format!("   (the core of check {} alone)", check + 1);
    }
    line + "\n"
}

fn finding_text(finding: &Accusation) -> String {
    let who = finding.culprit.as_deref().unwrap_or("some solver");
    let mut out = format!("  {who}: {} (check {})\n", finding.kind.meaning(), finding.at.check + 1);
    for evidence in &finding.evidence {
        out += &format!(
            "    evidence: {} ({})\n      {}\n",
            evidence.kind.meaning(),
            evidence.by,
            evidence.brief().replace('\n', "\n      ")
        );
    }
    out
}
