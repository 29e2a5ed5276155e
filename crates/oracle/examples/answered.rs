//! Puts constructed formulas to solvers and counts what they say, for `docs/guides/construction.md`.
//!
//!     answered STRATEGY PARTS COUNT -s SPEC… [--limit MS] [--for SECONDS] [--session forked|scoped|reset|fresh]
//!              [--soft MS] [--batch N] [--key KEY] [--only N,N,…] [--models] [--cores] [--keep FOLDER] [--each FILE]
//!              [--reference SPEC…]
//!
//! Every formula goes to a copy of a started process (`forked`), or to one process for many formulas (`scoped`, `reset`).
//! The limit is processor time, and so is the time for each solver (`--for`). With `--soft` a solver that can give up by
//! itself does so after that time, and its process goes on. With `--batch` so many formulas are one script, each in a
//! scope of its own, and what has no answer there is asked alone: that makes many thousand formulas quick. After a batch
//! that had few answers the next ones are asked alone at once. An answer against the expectation is asked
//! again in a process of its own, with five times the limit, and written as a script to the folder of `--keep`, with what
//! was expected and what was said. `--models` evaluates the models. `--cores` compares cores with the promised ones: a
//! core that lacks a member is not unsatisfiable (`unsound-core`), one that has more is not minimal (`larger-core`). Where
//! nothing is expected, enumeration decides if it can, else all references together. `--each` writes one line per
//! check-sat.
//!
//! Out: one line per solver, with what was asked and how often each result was seen. Exit code 1 if a formula was
//! contradicted.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used, reason = "a tool for measurements")]

use oracle::{ModelCheck, check_model, core_names, decide, notation};
use smtlib::Parsed;
use solver::version::VersionRange;
use solver::{
    Answer, Ended, Extras, Home, Pool, Profiles, Query, QueryLimits, Reply, SessionKind, Spec, Target,
};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use strategy::{Bank, CampaignKey, Draft, Ground, Rng, Settings, registry, unheard};

/// A batch has the limit of this share of its formulas: most formulas of a batch need much less than their limit.
const HURRY: usize = 5;
/// After a batch of which most had no answer, so many are asked one by one.
const ALONE: usize = 4;
/// So many errors of a solver are asked again and kept; the rest is counted.
const ERRORS: usize = 20;
/// Work for the enumeration of a formula about which nothing is expected.
const WORK: u64 = 2_000_000;

#[derive(Default)]
struct Options {
    words: Vec<String>,
    solvers: Vec<String>,
    references: Vec<String>,
    flags: BTreeMap<String, String>,
}

impl Options {
    fn read() -> Options {
        let mut found = Options::default();
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "-s" => found.solvers.extend(args.next()),
                "--reference" => found.references.extend(args.next()),
                "--models" | "--cores" => drop(found.flags.insert(arg, String::new())),
                flag if flag.starts_with("--") => {
                    found.flags.insert(arg, args.next().unwrap_or_default());
                }
                _ => found.words.push(arg),
            }
        }
        found
    }

    fn flag(&self, name: &str) -> Option<&str> {
        self.flags.get(name).map(String::as_str)
    }

    fn number(&self, name: &str, default: f64) -> f64 {
        self.flag(name).and_then(|text| text.parse().ok()).unwrap_or(default)
    }

    fn desk(&self, spec: &str) -> Desk {
        let home = Home::from_env().unwrap();
        let spec = Spec::parse(spec).unwrap();
        let mut target = Target::resolve(&home, &Profiles::embedded(), &spec).unwrap().remove(0);
        let kind = match self.flag("--session").unwrap_or("forked") {
            "fresh" => SessionKind::Fresh,
            "scoped" => SessionKind::Scoped,
            "reset" => SessionKind::Reset,
            _ => SessionKind::Forked,
        };
        let (model, core) = (self.flag("--models").is_some(), self.flag("--cores").is_some());
        let limit = Duration::from_secs_f64(self.number("--limit", 1000.0) / 1000.0);
        let soft = self.flag("--soft").map(|_| Duration::from_secs_f64(self.number("--soft", 10.0) / 1000.0));
        let want = Extras { model, core, ..Extras::default() };
        let patient = Pool::new(target.clone(), 2);
        let words = target.profile.options.time_soft.iter();
        let soft_words: Vec<String> = soft
            .iter()
            .flat_map(|soft| {
                words.clone().map(move |word| word.replace("{milliseconds}", &soft.as_millis().to_string()))
            })
            .collect();
        target.args.extend(soft_words);
        Desk { pool: patient, batches: Pool::new(target, 0), kind, limit, soft, want }
    }
}

/// A formula with its number in the series.
struct Formula {
    number: usize,
    draft: Draft,
}

fn formulas(strategy: &str, part: &str, count: usize, key: &str, only: &[usize]) -> Vec<Formula> {
    let settings = Settings { part: Some(part.to_owned()), ..Settings::default() };
    let source = (registry::find(strategy).unwrap().begin)(&Bank::default(), &settings).unwrap();
    let key = CampaignKey(key.to_owned());
    let (mut made, mut unit, mut barren, mut number) = (vec![], 0, 0, 0);
    while number < count && barren < 2_000 {
        let drafts = unheard(&*source, unit, Rng::of(&key, strategy, unit)).unwrap_or_default();
        barren = if drafts.is_empty() { barren + 1 } else { 0 };
        for draft in drafts.into_iter().take(count - number) {
            if only.is_empty() || only.contains(&number) {
                made.push(Formula { number, draft });
            }
            number += 1;
        }
        unit += 1;
    }
    made
}

/// One solver and how it is asked.
struct Desk {
    pool: Pool,
    /// The same, giving up by itself in fresh processes too.
    batches: Pool,
    kind: SessionKind,
    limit: Duration,
    /// After this long it gives up by itself.
    soft: Option<Duration>,
    want: Extras,
}

impl Desk {
    fn ask(&self, script: &[u8], kind: SessionKind, times: u32) -> Reply {
        let cpu = self.limit * times;
        let wall = cpu * 40 + Duration::from_secs(10);
        let limits = QueryLimits { wall, cpu: Some(cpu), ..QueryLimits::default() };
        let script = self.with_its_escapes(script);
        let soft = self.soft.filter(|_| kind != SessionKind::Fresh);
        self.pool.ask(&Query { soft, ..Query::new(&script).want(self.want).limits(limits) }, kind)
    }

    /// Replies to formulas that are asked in one script; none for those that have no answer there.
    fn ask_together(&self, formulas: &[Formula]) -> BTreeMap<usize, Reply> {
        let (mut heard, mut rest) = (BTreeMap::new(), formulas);
        while rest.len() > 1 {
            let limits = QueryLimits {
                wall: self.limit * 40 * rest.len() as u32 + Duration::from_secs(10),
                cpu: Some(self.limit * rest.len().div_ceil(HURRY) as u32),
                ..QueryLimits::default()
            };
            let script = self.with_its_escapes(&together(rest));
            let reply = self.batches.ask(&Query::new(&script).limits(limits), SessionKind::Fresh);
            // An error voids its answer and all that follow.
            let answered = reply.checks.iter().take_while(|check| check.answer.is_some()).count();
            for (formula, check) in rest.iter().zip(&reply.checks).take(answered) {
                let cpu = reply.cpu / answered as u32;
                let own = Reply { checks: vec![check.clone()], ended: Ended::ByItself, cpu, ..reply.clone() };
                heard.insert(formula.number, own);
            }
            if reply.ended.is_limit() {
                break;
            }
            rest = rest.get(answered + 1..).unwrap_or_default();
        }
        heard
    }

    /// z3 before 4.8.9 writes `\x09` for `\u{9}`, which it reads as the characters `u{9}`.
    fn with_its_escapes(&self, script: &[u8]) -> Vec<u8> {
        let target = self.pool.target();
        let old = VersionRange::parse("..4.8.8");
        let is_old = |version| old.as_ref().is_some_and(|old| old.accepts(version));
        if target.profile.name != "z3" || !target.version.as_ref().is_some_and(is_old) {
            return script.to_vec();
        }
        let mut text = String::from_utf8_lossy(script).into_owned();
        while let Some(at) = text.find("\\u{") {
            let end = at + text[at..].find('}').unwrap_or(2);
            let digits = format!("{:0>2}", &text[at + 3..end]);
            text.replace_range(at..=end, &format!("\\x{digits}"));
        }
        text.into_bytes()
    }

    /// The result of one check-sat in a word.
    fn result(&self, formula: &Formula, reply: &Reply, check: usize, wanted: Option<bool>) -> &'static str {
        let said = reply.checks.get(check);
        match (said.and_then(|said| said.answer), wanted) {
            (Some(Answer::Sat), Some(false)) => "wrong-sat",
            (Some(Answer::Unsat), Some(true)) => "wrong-unsat",
            (Some(Answer::Unknown), _) if !reply.ended.is_limit() => "unknown",
            (Some(Answer::Sat), _) => self.model(formula, said.and_then(|said| said.model.as_deref()), check),
            (Some(Answer::Unsat), _) => core(formula, said.and_then(|said| said.core.as_deref()), check),
            _ => match &reply.ended {
                ended if ended.is_limit() => "timeout",
                Ended::Crash { .. } => "crash",
                Ended::Unsupported(_) => "unsupported",
                Ended::Killed { .. } | Ended::Unavailable(_) => "unavailable",
                _ => "error",
            },
        }
    }

    fn model(&self, formula: &Formula, model: Option<&[u8]>, check: usize) -> &'static str {
        let Some(model) = model.filter(|_| self.want.model) else { return "sat" };
        let Ok(parsed) = Parsed::read(formula.draft.script().to_vec()) else { return "sat" };
        match check_model(&mut parsed.to_script(), check, model, notation(self.pool.target())) {
            ModelCheck::Refuted { .. } => "invalid-model",
            ModelCheck::Confirmed { .. } => "sat",
            _ => "model-not-decided",
        }
    }
}

fn core(formula: &Formula, core: Option<&[u8]>, check: usize) -> &'static str {
    let expect = formula.draft.questions[0].expects.get(check).and_then(Option::as_ref);
    let Some(Ground::Core { names, .. }) = expect.map(|expect| &expect.ground) else { return "unsat" };
    let Some(core) = core.and_then(core_names) else { return "unsat" };
    let lacks = names.iter().any(|name| !core.iter().any(|own| own == name.as_bytes()));
    match core.len() > names.len() {
        _ if lacks => "unsound-core",
        true => "larger-core",
        false => "unsat",
    }
}

/// One script of many formulas, each in a scope of its own.
fn together(formulas: &[Formula]) -> Vec<u8> {
    let mut text = b"(set-logic ALL)\n".to_vec();
    for formula in formulas {
        let of_all = ["(set-logic ", "(set-option ", "(set-info ", "(exit"];
        let script = String::from_utf8_lossy(formula.draft.script());
        let own = script.lines().filter(|line| !of_all.iter().any(|head| line.starts_with(head)));
        text.extend_from_slice(b"(push 1)\n");
        own.for_each(|line| text.extend_from_slice(format!("{line}\n").as_bytes()));
        text.extend_from_slice(b"(pop 1)\n");
    }
    text
}

/// What is expected of a check-sat: its answer and why.
fn expected(formula: &Formula, reply: &Reply, check: usize, references: &[Desk]) -> Option<(bool, String)> {
    let question = &formula.draft.questions[0];
    if !question.expects.is_empty() {
        let expect = question.expects.get(check).and_then(Option::as_ref)?;
        return Some((expect.answer.is_sat(), expect.ground.because().to_owned()));
    }
    // What has no answer needs no expectation.
    reply.answer_to(check).filter(|answer| *answer != Answer::Unknown)?;
    let parsed = Parsed::read(question.script.clone()).ok()?;
    if let Some(found) = decide(&mut parsed.to_script(), check, WORK) {
        return Some((found.satisfiable, "enumeration".to_owned()));
    }
    let answers: Vec<Option<Answer>> =
        references.iter().map(|desk| desk.ask(&question.script, desk.kind, 1).answer_to(check)).collect();
    let first = answers.first().copied().flatten().filter(|answer| *answer != Answer::Unknown)?;
    let same = answers.iter().all(|answer| *answer == Some(first));
    same.then(|| (first == Answer::Sat, "all references".to_owned()))
}

fn main() -> ExitCode {
    let options = Options::read();
    let [strategy, part, count] = options.words.as_slice() else {
        eprintln!("usage: answered STRATEGY PARTS COUNT -s SPEC …");
        return ExitCode::from(2);
    };
    let time = Duration::from_secs_f64(options.number("--for", 1e7));
    let only = options.flag("--only").unwrap_or("").split(',').filter_map(|n| n.parse().ok());
    let only: Vec<usize> = only.collect();
    let references: Vec<Desk> = options.references.iter().map(|spec| options.desk(spec)).collect();
    let key = options.flag("--key").unwrap_or("falsum");
    let formulas = formulas(strategy, part, count.parse().unwrap(), key, &only);
    let mut each = options.flag("--each").map(|path| fs::File::create(path).unwrap());
    let mut contradicted = false;
    for spec in &options.solvers {
        let desk = options.desk(spec);
        let begin = Instant::now();
        let (mut counts, mut asked, mut spent) = (BTreeMap::<&str, usize>::new(), 0, Duration::ZERO);
        let batch = options.number("--batch", 1.0) as usize;
        let (mut heard, mut next_batch) = (BTreeMap::new(), 0);
        for (n, formula) in formulas.iter().enumerate() {
            if spent >= time {
                break;
            }
            if batch > 1 && n % batch == 0 && n >= next_batch {
                heard = desk.ask_together(&formulas[n..formulas.len().min(n + batch)]);
                let is_slow = heard.len() < batch / 2;
                next_batch = n + batch * if is_slow { 1 + ALONE } else { 1 };
            }
            asked += 1;
            let alone = || desk.ask(formula.draft.script(), desk.kind, 1);
            let reply = heard.remove(&formula.number).unwrap_or_else(alone);
            spent += reply.cpu;
            for check in 0..formula.draft.questions[0].expects.len().max(1) {
                let expect = expected(formula, &reply, check, &references);
                let wanted = expect.as_ref().map(|(answer, _)| *answer);
                let mut result = desk.result(formula, &reply, check, wanted);
                let is_plain =
                    matches!(result, "sat" | "unsat" | "unknown" | "timeout" | "unsupported" | "larger-core");
                let is_seen = result == "error" && counts.get("error") >= Some(&ERRORS);
                if !is_plain && !is_seen {
                    let again = desk.ask(formula.draft.script(), SessionKind::Fresh, 5);
                    let same = desk.result(formula, &again, check, wanted) == result;
                    contradicted |= result.starts_with("wrong");
                    result = match result {
                        "wrong-sat" if !same => "wrong-sat-once",
                        "wrong-unsat" if !same => "wrong-unsat-once",
                        "invalid-model" if !same => "invalid-model-once",
                        result => result,
                    };
                    let shown = if same { &again } else { &reply };
                    keep(options.flag("--keep"), formula, check, result, expect.as_ref(), shown);
                }
                *counts.entry(result).or_default() += 1;
                if let Some(file) = &mut each {
                    let (name, number) = (&desk.pool.target().name, formula.number);
                    let wanted = wanted.map_or("-", word);
                    let ms = reply.cpu.as_millis();
                    writeln!(file, "{name}\t{part}\t{number}\t{check}\t{wanted}\t{result}\t{ms}").unwrap();
                }
            }
        }
        let counts: Vec<String> = counts.iter().map(|(result, count)| format!("{result}={count}")).collect();
        let (wall, cpu) = (begin.elapsed().as_secs_f64(), spent.as_secs_f64());
        let counts = counts.join("\t");
        println!("{strategy}\t{part}\t{spec}\tasked={asked}\t{counts}\twall={wall:.1}s\tcpu={cpu:.1}s");
    }
    ExitCode::from(u8::from(contradicted))
}

fn word(satisfiable: bool) -> &'static str {
    if satisfiable { "sat" } else { "unsat" }
}

/// Writes a formula that was not answered as it should be.
fn keep(
    folder: Option<&str>,
    formula: &Formula,
    check: usize,
    result: &str,
    expect: Option<&(bool, String)>,
    shown: &Reply,
) {
    let Some(folder) = folder else { return };
    fs::create_dir_all(folder).unwrap();
    let name = shown.target.replace([' ', '/'], "_");
    let path = format!("{folder}/{result}-{name}-{}-{check}.smt2", formula.number);
    let expect = expect
        .map_or(String::new(), |(sat, why)| format!("; expected of check {check}: {}, {why}\n", word(*sat)));
    let rules = formula.draft.rules.join("; ").replace('\n', " ");
    let said = String::from_utf8_lossy(&shown.stdout()).replace('\n', "\n; ");
    let ended = format!("{} {}", shown.ended.word(), shown.ended.message().unwrap_or("")).replace('\n', " ");
    let head = format!("; {rules}\n{expect}; {} ended ({ended}) with:\n; {said}\n", shown.target);
    fs::write(path, [head.as_bytes(), formula.draft.script()].concat()).unwrap();
}
