//! `reset` and `scoped`: one process, many cases.
//!
//! The process reads commands from a pipe. A case is sent in parts, each ending with a check-sat and an echo of a nonce
//! that never occurs twice; the output up to that nonce belongs to that part and to nothing else. So a model is only
//! requested after a sat, and no answer can be attributed to the next case. When a case is done the process is sent
//! `(reset)`, or `(pop n)` down to where the case began, and an echo of another nonce. The caller does not wait for
//! that; but before the next case that nonce must have arrived, with no other output before it. A process that prints
//! anything else, dies or is slow is replaced, and the next case goes to the new one.
//!
//! Scoped processes have models enabled or disabled from the start and run in the widest logic of the solver; `route`
//! sends scripts that depend on the logic elsewhere.

use super::fresh::{push_line, unavailable, unless_given};
use super::hosts::{Beginning, Hosts};
use super::{Extras, Query, Session, fits_only, is_beyond, is_overridden, option_commands, permitted};
use crate::answer::{Answer, Ended, History, Reply};
use crate::classify::{Facts, ended};
use crate::confine::confined;
use crate::outline::{Outline, argument, is_check, levels, option_name};
use crate::profile::SessionKind;
use crate::reading::{Get, Reading, ReadingPlan, Step};
use crate::sexp::Command;
use crate::target::Target;
use run::{Cut, Interactive, until_line};
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A session with a process that is reused.
#[derive(Debug)]
pub struct Live {
    target: Target,
    kind: SessionKind,
    process: Option<Process>,
    /// Where a new process is copied from, if it need not be started.
    hosts: Option<Arc<Hosts>>,
    /// Every process that was started complained about its settings.
    unfit: bool,
}

/// Why there is no process.
enum NoProcess {
    Failed(String),
    /// It does not take the settings: this is what it says.
    Refused(String),
}

/// The process, and what it was made for.
#[derive(Debug)]
struct Process {
    child: Interactive,
    served: u32,
    shape: Shape,
    /// The nonce after which it has dropped the last case.
    clean: Option<String>,
    /// What it printed instead of dropping it.
    complaint: Vec<u8>,
    history: History,
}

/// Settings that are decided when a process starts and hold until it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Unsat cores are on.
    cores: bool,
    /// Models are off.
    without_models: bool,
    /// The one logic it serves; any if none.
    logic: Option<Vec<u8>>,
    /// Milliseconds after which it gives up a check-sat by itself.
    soft: Option<u64>,
}

impl Shape {
    /// What a query needs of a process of that kind.
    pub(super) fn of(target: &Target, kind: SessionKind, query: &Query<'_>, outline: &Outline<'_>) -> Shape {
        let scoped = kind == SessionKind::Scoped;
        let per_logic = scoped && target.profile.session.scoped_per_logic;
        Shape {
            cores: scoped && query.want.core,
            without_models: scoped && outline.wants_no_models(),
            logic: outline.logic.filter(|_| per_logic).map(<[u8]>::to_vec),
            soft: query.soft_for(&target.profile),
        }
    }
}

/// How long starting up or dropping a case may take before the process is replaced.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a process is started before it counts as one that does not start.
const STARTS: u32 = 4;

impl Live {
    /// `kind` is reset or scoped; the profile must support it.
    pub fn new(target: Target, kind: SessionKind) -> Live {
        Live { target, kind, process: None, hosts: None, unfit: false }
    }

    /// One whose processes are copies where that is possible: to replace one costs little then.
    pub(super) fn copied(target: Target, kind: SessionKind, hosts: Arc<Hosts>) -> Live {
        Live { target, kind, process: None, hosts: Some(hosts), unfit: false }
    }

    /// Whether its process is the one that was sent this.
    pub(super) fn has_history(&self, history: &History) -> bool {
        self.process.as_ref().is_some_and(|process| process.history.is_of_the_same(history))
    }

    pub fn kind(&self) -> SessionKind {
        self.kind
    }

    /// Whether no process takes the settings that the last query needs.
    pub(super) fn is_unfit(&self) -> bool {
        self.unfit
    }

    /// Runs a script that has been through `permit`, and whose outline is known.
    pub(super) fn ask_outlined(&mut self, query: &Query<'_>, outline: &Outline<'_>) -> Reply {
        let mut retried = false;
        loop {
            let process = match self.ready(query, outline) {
                Ok(process) => process,
                Err(no_process) => {
                    let (NoProcess::Failed(why) | NoProcess::Refused(why)) = &no_process;
                    let why = format!("it does not start as a session: {why}");
                    let mut reply = unavailable(self.kind, outline.checks, why);
                    if query.cancel.as_ref().is_some_and(run::Cancel::is_raised) {
                        reply.ended = Ended::Cancelled;
                    } else {
                        self.unfit = matches!(no_process, NoProcess::Refused(_));
                    }
                    return reply;
                }
            };
            let conversation = Conversation::new(&self.target, self.kind, process, query, outline);
            let (reply, process) = conversation.run(outline);
            self.process = process;
            // A kill from outside says nothing about the case: it gets a second process, once.
            if matches!(reply.ended, Ended::Killed { .. }) && !retried {
                retried = true;
                continue;
            }
            return reply;
        }
    }

    /// A clean process with the right settings, the old one or a new one.
    fn ready(&mut self, query: &Query<'_>, outline: &Outline<'_>) -> Result<Process, NoProcess> {
        let recycle = self.target.profile.session.recycle;
        let shape = Shape::of(&self.target, self.kind, query, outline);
        let fits = |p: &Process| (recycle == 0 || p.served < recycle) && p.shape == shape;
        if let Some(mut old) = self.process.take().filter(fits) {
            old.child.cancelled_by(query.cancel.clone());
            if old.is_clean() {
                return Ok(old);
            }
        }
        Process::start(&self.target, self.kind, shape, query.cancel.clone(), self.hosts.as_deref())
    }
}

impl Session for Live {
    fn ask(&mut self, query: &Query<'_>) -> Reply {
        let target = self.target.clone();
        permitted(&target, self.kind, query, |query, outline| self.ask_outlined(query, outline))
    }
}

impl Process {
    fn start(
        target: &Target,
        kind: SessionKind,
        shape: Shape,
        cancel: Option<run::Cancel>,
        hosts: Option<&Hosts>,
    ) -> Result<Process, NoProcess> {
        let no_program = || NoProcess::Failed("there is no program".to_owned());
        let (program, before) = target.command.split_first().ok_or_else(no_program)?;
        let args = arguments(target, &shape);
        let text = preamble(target, kind, &shape);
        let process = |child| {
            let shape = shape.clone();
            Process { child, served: 0, shape, clean: None, complaint: vec![], history: History::default() }
        };
        let limits = run::Limits { wall: Some(PATIENCE), ..run::Limits::default() };
        let beginning = beginning(target, &args, &text);
        if let Some(child) = hosts.and_then(|hosts| hosts.interactive(&beginning, &limits, cancel.as_ref())) {
            let mut process = process(child);
            process.history.append(&text);
            return Ok(process);
        }
        let spec = confined(run::Spec::new(program).args(before).args(&args).wall(PATIENCE));
        let mut tries = 0;
        loop {
            let mut child = begin(&spec).map_err(NoProcess::Failed)?;
            child.cancelled_by(cancel.clone());
            let mut process = process(child);
            process.forget(&text);
            if process.is_clean() {
                return Ok(process);
            }
            let outcome = process.child.kill();
            tries += 1;
            // On a busy machine the solver's own short limit may end even what it is sent at the start.
            if tries < STARTS && !cancel.as_ref().is_some_and(run::Cancel::is_raised) {
                continue;
            }
            let complaint = String::from_utf8_lossy(&process.complaint).into_owned();
            let said = [complaint, outcome.stdout.text(), outcome.stderr.text()].concat();
            let said: String = said.trim().chars().take(300).collect();
            return Err(if said.is_empty() { NoProcess::Failed(said) } else { NoProcess::Refused(said) });
        }
    }

    /// Sends the commands that drop the case, without waiting.
    fn forget(&mut self, text: &[u8]) {
        let nonce = new_nonce();
        let mut request = text.to_vec();
        push_line(&mut request, format!("(echo \"{nonce}\")").as_bytes());
        self.history.append(text);
        self.child.ask(&request, |_, _| Some(Cut { reply: 0, rest: 0 }));
        self.clean = Some(nonce);
    }

    /// Waits until the case is dropped; false if the process printed or did anything else.
    fn is_clean(&mut self) -> bool {
        let Some(nonce) = self.clean.take() else { return true };
        let blank =
            |bytes: &[u8]| bytes.split(|&b| b == b'\n').all(|l| matches!(l.trim_ascii(), b"" | b"success"));
        let limits = run::Limits { wall: Some(PATIENCE), ..run::Limits::default() };
        match self.child.ask_within(b"", until_line(&nonce), &limits) {
            run::Reply::Complete(bytes) if blank(&bytes) => true,
            reply => {
                self.complaint = reply.bytes().to_vec();
                false
            }
        }
    }
}

/// What follows the program.
fn arguments(target: &Target, shape: &Shape) -> Vec<OsString> {
    let soft = shape.soft.map(|ms| ms.to_string());
    let soft = soft.iter().flat_map(|ms| target.profile.options.time_soft.iter().map(move |o| (o, ms)));
    let soft = soft.map(|(o, ms)| o.replace("{milliseconds}", ms));
    let session = unless_given(&target.profile.session.args, target).map(str::to_owned);
    session.chain(soft).chain(target.words().map(str::to_owned)).map(OsString::from).collect()
}

/// What a new process is sent before its first case.
fn preamble(target: &Target, kind: SessionKind, shape: &Shape) -> Vec<u8> {
    let mut text = Vec::new();
    if kind != SessionKind::Scoped {
        return text;
    }
    let session = &target.profile.session;
    let want = Extras { model: !shape.without_models, core: shape.cores, ..Extras::default() };
    for option in option_commands(&target.profile, want) {
        push_line(&mut text, option.as_bytes());
    }
    if shape.without_models {
        push_line(&mut text, b"(set-option :produce-models false)");
    }
    match &shape.logic {
        Some(logic) => push_line(&mut text, &[&b"(set-logic "[..], logic, b")"].concat()),
        None => push_line(&mut text, session.preamble_scoped.as_bytes()),
    }
    if !session.warm_scoped.is_empty() {
        push_line(&mut text, session.warm_scoped.as_bytes());
    }
    text
}

/// The beginning of a process that is copied once it has echoed that it is there.
fn beginning(target: &Target, args: &[OsString], text: &[u8]) -> Beginning {
    const THERE: &str = "falsum-is-there";
    let mut text = text.to_vec();
    push_line(&mut text, format!("(echo \"{THERE}\")").as_bytes());
    let quote = if target.profile.session.echo_quotes { "\"" } else { "" };
    let answer = format!("{quote}{THERE}{quote}\n").into_bytes();
    Beginning { args: args.to_vec(), by_argument: false, text, answer }
}

/// Scopes open after a command. `route` has made sure that no script pops more than it pushed.
fn depth_after(depth: u64, command: &Command<'_>) -> u64 {
    match command.name {
        b"push" => depth + u64::from(levels(command)),
        b"pop" => depth.saturating_sub(u64::from(levels(command))),
        _ => depth,
    }
}

/// Starts a process; waits a little while the machine is out of a resource.
fn begin(spec: &run::Spec) -> Result<Interactive, String> {
    let mut pause = Duration::from_millis(20);
    loop {
        match Interactive::start(spec) {
            Ok(child) => return Ok(child),
            Err(error) if error.is_transient() && pause < Duration::from_secs(2) => std::thread::sleep(pause),
            Err(error) => return Err(error.to_string()),
        }
        pause *= 2;
    }
}

/// Unique within the process, and not predictable by a script.
fn new_nonce() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("falsum-{:x}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// One case run on one process.
struct Conversation<'a> {
    target: &'a Target,
    kind: SessionKind,
    query: &'a Query<'a>,
    /// What is requested besides answers.
    want: Extras,
    process: Process,
    reading: Reading,
    /// Commands not sent yet, and their expected responses.
    text: Vec<u8>,
    plan: ReadingPlan,
    /// Scopes that the commands gathered so far leave open, and those that have been sent.
    depth: u64,
    sent_depth: u64,
    began: Instant,
    cpu_before: Duration,
    /// The solver gave up a check-sat at its own limit.
    gave_up: bool,
}

/// How a part of the conversation went.
enum Part {
    Done,
    Ended,
    Over,
}

impl<'a> Conversation<'a> {
    fn new(
        target: &'a Target,
        kind: SessionKind,
        process: Process,
        query: &'a Query<'a>,
        outline: &Outline<'_>,
    ) -> Conversation<'a> {
        let cpu_before = process.child.cpu();
        Conversation {
            target,
            kind,
            query,
            want: query.want.fitting(outline),
            process,
            reading: Reading::default(),
            text: Vec::new(),
            plan: ReadingPlan::default(),
            depth: 0,
            sent_depth: 0,
            began: Instant::now(),
            cpu_before,
            gave_up: false,
        }
    }

    fn run(mut self, outline: &Outline<'_>) -> (Reply, Option<Process>) {
        match self.all_parts(outline) {
            Part::Done => self.finish(),
            part @ (Part::Ended | Part::Over) => (self.dead(part, outline.checks), None),
        }
    }

    fn all_parts(&mut self, outline: &Outline<'_>) -> Part {
        let heads = if self.kind == SessionKind::Reset {
            option_commands(&self.target.profile, self.want)
        } else {
            vec![]
        };
        for head in &heads {
            push_line(&mut self.text, head.as_bytes());
        }
        if self.kind == SessionKind::Scoped {
            push_line(&mut self.text, b"(push 1)");
            self.depth = 1;
        }
        let mut adjacent = false;
        for command in &outline.commands {
            if self.is_dropped(command, &heads) {
                self.plan.omit(command);
                continue;
            }
            push_line(&mut self.text, command.text);
            self.depth = depth_after(self.depth, command);
            adjacent = self.plan.add(command, adjacent);
            if !is_check(command) {
                continue;
            }
            match self.part_with_more() {
                Part::Done => {}
                other => return other,
            }
        }
        // What follows the last response has no visible effect and is not sent.
        if self.plan.steps.is_empty() { Part::Done } else { self.part() }
    }

    /// Commands that this kind of process already received in its own form, or must not receive.
    fn is_dropped(&self, command: &Command<'_>, heads: &[&str]) -> bool {
        let session = &self.target.profile.session;
        let status =
            session.drop_status && command.name == b"set-info" && argument(command) == Some(b":status");
        let print_success = command.name == b"set-option" && option_name(command) == Some(b"print-success");
        if status || print_success || is_beyond(&self.target.profile, command) {
            return true;
        }
        // Where an error ends the process, a request is sent only after the answer that it is about.
        let last = self.reading.checks.last().and_then(|check| check.answer);
        if session.fatal_errors && fits_only(command).is_some_and(|answer| last != Some(answer)) {
            return true;
        }
        if self.kind == SessionKind::Reset {
            return is_overridden(command, heads);
        }
        command.name == b"set-option" || session.drop_scoped.iter().any(|d| d.as_bytes() == command.name)
    }

    /// Sends the collected commands and reads the responses.
    fn part(&mut self) -> Part {
        let nonce = new_nonce();
        let mut request = std::mem::take(&mut self.text);
        let plan = std::mem::take(&mut self.plan);
        self.sent_depth = self.depth;
        self.process.history.append(&request);
        push_line(&mut request, format!("(echo \"{nonce}\")").as_bytes());
        let mut limits = self.query.limits.for_run();
        let elapsed = self.began.elapsed();
        limits.wall = limits.wall.map(|w| w.saturating_sub(elapsed));
        let messages = &self.target.profile.messages;
        let asked = Instant::now();
        let reply = self.process.child.ask_within(&request, until_line(&nonce), &limits);
        let (part, complete) = match &reply {
            run::Reply::Complete(_) => (Part::Done, true),
            run::Reply::Ended(_) => (Part::Ended, false),
            run::Reply::Over(..) => (Part::Over, false),
        };
        self.reading.read(reply.bytes(), &plan, messages, complete);
        self.note_soft_limit(&plan, asked.elapsed());
        part
    }

    /// An `unknown` after the solver's own limit has passed is a timeout and not an answer.
    fn note_soft_limit(&mut self, plan: &ReadingPlan, took: Duration) {
        let Some(soft) = self.process.shape.soft.map(Duration::from_millis) else { return };
        let asked = plan.steps.contains(&Step::Check);
        let last = self.reading.checks.last_mut().filter(|_| asked);
        let limit = |reason: &Option<String>| took >= soft || reason.as_deref() == Some("timeout");
        if let Some(check) = last.filter(|c| c.answer == Some(Answer::Unknown) && limit(&c.reason)) {
            check.answer = None;
            self.gave_up = true;
            self.process.history.gave_up();
        }
    }

    /// A part that ends with a check-sat, and the requests after it.
    fn part_with_more(&mut self) -> Part {
        match self.part() {
            Part::Done => self.ask_more(),
            other => other,
        }
    }

    /// Requests what is wanted after this answer.
    fn ask_more(&mut self) -> Part {
        let want = self.want;
        let options = &self.target.profile.options;
        let question: Option<(&[u8], Get)> = match self.reading.checks.last().and_then(|c| c.answer) {
            Some(Answer::Sat) if want.model && options.model.is_some() => Some((b"(get-model)", Get::Model)),
            Some(Answer::Unsat) if want.core && options.core.is_some() => {
                Some((b"(get-unsat-core)", Get::Core))
            }
            Some(Answer::Unknown) if want.reason => Some((b"(get-info :reason-unknown)", Get::Reason)),
            _ => None,
        };
        let Some((command, what)) = question else { return Part::Done };
        push_line(&mut self.text, command);
        self.plan.steps.push(Step::Get { what, adjacent: true });
        self.part()
    }

    /// The process is alive: makes it drop the case, unless it cannot be trusted any more.
    fn finish(mut self) -> (Reply, Option<Process>) {
        let wall = self.began.elapsed();
        let cpu = self.process.child.cpu().saturating_sub(self.cpu_before);
        let stderr = self.process.child.take_stderr().bytes().into_owned();
        let facts = Facts {
            outcome: None,
            stderr: &stderr,
            reading: &self.reading,
            messages: &self.target.profile.messages,
        };
        let ended = match ended(&facts) {
            Ended::ByItself if self.gave_up => Ended::Wall,
            ended => ended,
        };
        // A check that ends in an error may leave state behind: cvc5 then says sat to a script that it rejects alone.
        let refused = self.reading.checks.iter().any(|check| check.answer.is_none() && check.void.is_none());
        let spoiled = matches!(ended, Ended::Protocol(_) | Ended::Crash { .. } | Ended::Memory)
            || (self.kind == SessionKind::Scoped
                && !self.reading.errors.is_empty()
                && (refused || self.target.profile.session.fatal_errors));
        let reply = Reply {
            checks: self.reading.checks,
            ended,
            session: self.kind,
            wall,
            cpu,
            memory: self.process.child.peak_memory(),
            leak: run::Leak::default(),
            left_out: vec![],
            errors: self.reading.errors,
            stray: self.reading.stray,
            stderr,
            history: self.process.history.clone(),
            ..Reply::default()
        };
        if spoiled {
            return (reply, None);
        }
        let forget = match self.kind {
            SessionKind::Scoped => format!("(pop {})\n", self.sent_depth),
            _ => "(reset)\n".to_owned(),
        };
        self.process.served += 1;
        self.process.forget(forget.as_bytes());
        (reply, Some(self.process))
    }

    /// The process has ended or must be ended.
    fn dead(mut self, part: Part, checks: usize) -> Reply {
        let wall = self.began.elapsed();
        let early = self.process.child.take_stderr().bytes().into_owned();
        let history = self.process.history.clone();
        let child = self.process.child;
        let outcome = match part {
            Part::Ended => child.finish(),
            _ => child.kill(),
        };
        let stderr = [early, outcome.stderr.bytes().into_owned()].concat();
        self.reading.checks.resize_with(checks, Default::default);
        let messages = &self.target.profile.messages;
        let facts = Facts { outcome: Some(&outcome), stderr: &stderr, reading: &self.reading, messages };
        let mut ended = ended(&facts);
        if ended == Ended::ByItself {
            ended = Ended::Protocol(format!("the session ended before the case did ({:?})", outcome.exit));
        }
        Reply {
            checks: self.reading.checks,
            ended,
            session: self.kind,
            wall,
            cpu: outcome.cpu.saturating_sub(self.cpu_before),
            memory: outcome.peak_memory,
            leak: outcome.leak,
            left_out: vec![],
            errors: self.reading.errors,
            stray: self.reading.stray,
            stderr,
            history,
            ..Reply::default()
        }
    }
}
