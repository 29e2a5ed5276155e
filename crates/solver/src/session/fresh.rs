//! `fresh`: one process per case, exactly as a user would run it.
//!
//! The script is written to a file and the solver's program reads it. A process that reads a file cannot be sent a
//! get-model only after a sat, so what is wanted is requested after every check-sat, and the error of a solver that has
//! no model after unsat is expected. `(exit)` and what follows it are removed, so that these commands can be added;
//! nothing else in the script is changed.

use super::{
    Extras, Query, Session, fits_only, is_beyond, is_incremental, is_overridden, option_commands, permitted,
};
use crate::answer::{Check, Ended, History, Reply};
use crate::classify::{Facts, ended, file_and_line};
use crate::confine::{self, confined};
use crate::outline::{Outline, is_check};
use crate::profile::{InputBy, Profile, SessionKind};
use crate::reading::{self, Get, ReadingPlan, Step};
use crate::scratch::Scratch;
use crate::sexp::Command;
use crate::target::Target;
use std::time::Duration;

/// The prefix of a crash message that is the place where it happened.
pub const PLACE: &str = "inside ";
/// Its suffix where a pointer was used that is neither null nor valid.
pub const WILD: &str = " (wild pointer)";

/// A session that starts a process for every query.
#[derive(Clone, Debug)]
pub struct Fresh {
    target: Target,
}

/// A run that takes less is not worth a look at where its time goes.
const WORTH_A_LOOK: Duration = Duration::from_millis(800);

/// When it is looked at, and for how long at most: on a busy machine a moment comes late.
const MOMENTS: autopsy::Moments =
    autopsy::Moments { after: Duration::from_millis(400), every: Duration::from_millis(60), count: 8 };
const LOOK_FOR: Duration = Duration::from_secs(8);

impl Fresh {
    pub fn new(target: Target) -> Fresh {
        Fresh { target }
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Asks; needs no state, so several threads may share one.
    pub fn ask(&self, query: &Query<'_>) -> Reply {
        permitted(&self.target, SessionKind::Fresh, query, |query, _| self.ask_permitted(query))
    }

    /// Runs a script that has been through `permit`.
    pub(super) fn ask_permitted(&self, query: &Query<'_>) -> Reply {
        let outline = Outline::of(query.script);
        let Composed { script, plan } = compose(&self.target.profile, &outline, query.want);
        let mut reply = self.once(query, &outline, &script, &plan);
        if matches!(reply.ended, Ended::Killed { .. }) {
            // A kill from outside says nothing about the solver; one retry separates accidents from repeated kills.
            reply = self.once(query, &outline, &script, &plan);
        }
        if query.locate {
            self.locate(&outline, &script, query, &mut reply);
        }
        if query.profile && reply.cpu >= WORTH_A_LOOK {
            reply.whereabouts = self.whereabouts(&outline, &script, query);
        }
        reply.history = History::of(script);
        reply
    }

    /// The program on a script, as a command to be watched.
    fn command(&self, outline: &Outline<'_>, file: &Scratch) -> Option<std::process::Command> {
        let spec = self.spec(outline);
        let mut command = std::process::Command::new(spec.program);
        command.args(spec.args).stdin(std::process::Stdio::null());
        command.envs(spec.env.into_iter().filter_map(|(name, value)| Some((name, value?))));
        match self.target.profile.file.input {
            InputBy::Argument => drop(command.arg(file.path())),
            InputBy::Stdin => drop(command.stdin(std::fs::File::open(file.path()).ok()?)),
        }
        Some(command)
    }

    /// Runs it once more for a moment and looks what it is doing.
    fn whereabouts(&self, outline: &Outline<'_>, script: &[u8], query: &Query<'_>) -> Option<String> {
        let file = Scratch::write(script).ok()?;
        let limits = autopsy::TraceLimits {
            wall: LOOK_FOR,
            memory: query.limits.memory,
            stop: &|| query.cancel.as_ref().is_some_and(run::Cancel::is_raised),
            prepare: &|| confine::sandbox().map_or(Ok(()), |sandbox| sandbox.enter()),
        };
        let stacks = autopsy::observe(self.command(outline, &file)?, limits, MOMENTS);
        autopsy::whereabouts(&stacks, &self.target.profile.messages.plumbing)
    }

    /// For a crash without a message, uses the place where it happened as the message.
    pub(super) fn locate(&self, outline: &Outline<'_>, script: &[u8], query: &Query<'_>, reply: &mut Reply) {
        let messages = &self.target.profile.messages;
        let Ended::Crash { signal: Some(_), message, .. } = &mut reply.ended else { return };
        let says_nothing = messages.crash.iter().any(|pattern| message.contains(pattern.as_str()));
        if !message.is_empty() && (!says_nothing || file_and_line(message).is_some()) {
            return;
        }
        let Ok(file) = Scratch::write(script) else { return };
        let Some(command) = self.command(outline, &file) else { return };
        // It crashed within the limits a moment ago, so these only stop what has gone astray.
        let limits = autopsy::TraceLimits {
            wall: reply.wall * 4 + Duration::from_secs(2),
            memory: query.limits.memory,
            stop: &|| query.cancel.as_ref().is_some_and(run::Cancel::is_raised),
            prepare: &|| confine::sandbox().map_or(Ok(()), |sandbox| sandbox.enter()),
        };
        let stack = autopsy::examine(command, limits);
        let wild = stack.as_ref().is_some_and(|stack| stack.wild);
        if let Some(place) = stack.and_then(|stack| autopsy::place(&stack, &messages.plumbing)) {
            *message = format!("{PLACE}{place}{}", if wild { WILD } else { "" });
        }
    }

    fn once(&self, query: &Query<'_>, outline: &Outline<'_>, script: &[u8], plan: &ReadingPlan) -> Reply {
        let mut spec = self.spec(outline).limits(query.limits.for_run());
        spec.cancel = query.cancel.clone();
        let outcome = match self.target.profile.file.input {
            InputBy::Stdin => start(&spec, run::Input::Bytes(script)),
            InputBy::Argument => match Scratch::write(script) {
                Ok(file) => start(&spec, run::Input::Argument(file.path())),
                Err(error) => Err(format!("cannot write the script: {error}")),
            },
        };
        match outcome {
            Ok(outcome) => read_planned(&self.target.profile, plan, &outcome),
            Err(why) => unavailable(SessionKind::Fresh, outline.checks, why),
        }
    }

    fn spec(&self, outline: &Outline<'_>) -> run::Spec {
        let (program, args) = match self.target.command.split_first() {
            Some((program, args)) => (program.clone(), args),
            None => Default::default(),
        };
        confined(run::Spec::new(program).args(args).args(arguments(&self.target, outline)))
    }
}

/// The arguments after the program, without the file: those that the profile wants for such a script, then the user's
/// own.
pub(super) fn arguments<'t>(target: &'t Target, outline: &Outline<'_>) -> Vec<&'t str> {
    let file = &target.profile.file;
    let mut words: Vec<&str> = unless_given(&file.args, target).collect();
    words.extend(unless_given(&file.extra, target));
    for when in file.when.iter().filter(|when| when.applies(outline.script, target.version.as_ref())) {
        words.extend(unless_given(&when.args, target));
    }
    if is_incremental(outline) {
        words.extend(file.multi_check.iter().map(String::as_str));
    }
    words.extend(target.words());
    words
}

/// How a user runs a target on a script: the arguments without the file, and whether the script goes to its standard
/// input.
pub fn by_hand<'t>(target: &'t Target, script: &[u8]) -> (Vec<&'t str>, bool) {
    let stdin = matches!(target.profile.file.input, InputBy::Stdin);
    (arguments(target, &Outline::of(script)), stdin)
}

/// Reads a finished run of a script that was sent unchanged.
pub fn read_run(profile: &Profile, script: &[u8], outcome: &run::Outcome) -> Reply {
    let outline = Outline::of(script);
    let mut reply = read_planned(profile, &ReadingPlan::of(&outline), outcome);
    reply.history = History::of(script.to_vec());
    reply
}

pub(super) fn read_planned(profile: &Profile, plan: &ReadingPlan, outcome: &run::Outcome) -> Reply {
    let cut = outcome.stdout.is_cut();
    // Only output of a solver that ended by itself is complete; a crash may have lost responses.
    let finished = outcome.why == run::Why::ByItself && !cut && matches!(outcome.exit, run::Exit::Code(_));
    let messages = &profile.messages;
    let output = if cut { outcome.stdout.head.as_slice().into() } else { outcome.stdout.bytes() };
    let reading = reading::read(&output, plan, messages, finished);
    let stderr = outcome.stderr.bytes().into_owned();
    let ended = ended(&Facts { outcome: Some(outcome), stderr: &stderr, reading: &reading, messages });
    Reply {
        checks: reading.checks,
        ended,
        wall: outcome.wall,
        cpu: outcome.cpu,
        memory: outcome.peak_memory,
        leak: outcome.leak.clone(),
        left_out: vec![],
        errors: reading.errors,
        stray: reading.stray,
        stderr,
        ..Reply::default()
    }
}

impl Session for Fresh {
    fn ask(&mut self, query: &Query<'_>) -> Reply {
        Fresh::ask(self, query)
    }
}

/// Starts a process; waits a little and retries while the machine is out of a resource.
fn start(spec: &run::Spec, input: run::Input<'_>) -> Result<run::Outcome, String> {
    let mut pause = Duration::from_millis(20);
    loop {
        match run::once(spec, input) {
            Ok(outcome) => return Ok(outcome),
            Err(error) if error.is_transient() && pause < Duration::from_secs(2) => std::thread::sleep(pause),
            Err(error) => return Err(error.to_string()),
        }
        pause *= 2;
    }
}

/// The reply of a solver that could not be started.
pub(super) fn unavailable(kind: SessionKind, checks: usize, why: String) -> Reply {
    Reply {
        checks: vec![Check::default(); checks],
        ended: Ended::Unavailable(why),
        session: kind,
        ..Reply::default()
    }
}

/// The profile's own arguments, without those that the user gives: a second `-q` makes cvc4 print no answer at all.
pub(super) fn unless_given<'t>(args: &'t [String], target: &'t Target) -> impl Iterator<Item = &'t str> {
    args.iter().map(String::as_str).filter(|arg| !is_given(&target.args, arg))
}

/// Whether the user sets an option himself: `--strings-exp` is also set by `--no-strings-exp`.
fn is_given(args: &[String], option: &str) -> bool {
    let name = option.trim_start_matches('-');
    args.iter().any(|arg| {
        let arg = arg.trim_start_matches('-');
        let arg = arg.strip_prefix("no-").unwrap_or(arg);
        arg.split('=').next() == name.split('=').next()
    })
}

/// The text for the solver, and the responses to expect.
pub(super) struct Composed {
    pub(super) script: Vec<u8>,
    pub(super) plan: ReadingPlan,
}

pub(super) fn compose(profile: &Profile, outline: &Outline<'_>, want: Extras) -> Composed {
    let want = want.fitting(outline);
    let beyond = |c: &Command<'_>| is_beyond(profile, c);
    if outline.malformed || (want == Extras::default() && !outline.commands.iter().any(beyond)) {
        let script = if outline.malformed { outline.script.to_vec() } else { joined(outline) };
        return Composed { script, plan: ReadingPlan::of(outline) };
    }
    let heads = option_commands(profile, want);
    let mut script = Vec::with_capacity(outline.script.len() + 256);
    for head in &heads {
        push_line(&mut script, head.as_bytes());
    }
    let mut plan = ReadingPlan::default();
    let (mut adjacent, mut seen) = (false, 0);
    for command in outline.commands.iter().filter(|c| !is_overridden(c, &heads)) {
        // Where an error ends the process, requests are only possible after the last check.
        let early = profile.session.fatal_errors && seen < outline.checks;
        if is_beyond(profile, command) || (early && fits_only(command).is_some()) {
            plan.omit(command);
            continue;
        }
        push_line(&mut script, command.text);
        adjacent = plan.add(command, adjacent);
        if is_check(command) {
            seen += 1;
            if !profile.session.fatal_errors || seen == outline.checks {
                ask_more(profile, want, &mut script, &mut plan);
            }
        }
    }
    Composed { script, plan }
}

/// The script without its exit; unchanged where possible.
fn joined(outline: &Outline<'_>) -> Vec<u8> {
    let end = outline.commands.last().map_or(0, |c| c.range.end);
    let mut script = outline.script[..end].to_vec();
    script.push(b'\n');
    script
}

fn ask_more(profile: &Profile, want: Extras, script: &mut Vec<u8>, plan: &mut ReadingPlan) {
    let options = &profile.options;
    let questions: [(bool, &[u8], Get); 4] = [
        (want.model && options.model.is_some(), b"(get-model)", Get::Model),
        (want.core && options.core.is_some(), b"(get-unsat-core)", Get::Core),
        (want.proof && options.proof.is_some(), b"(get-proof)", Get::Proof),
        (want.reason, b"(get-info :reason-unknown)", Get::Reason),
    ];
    for (_, command, what) in questions.into_iter().filter(|q| q.0) {
        push_line(script, command);
        plan.steps.push(Step::Get { what, adjacent: true });
    }
}

pub(super) fn push_line(script: &mut Vec<u8>, line: &[u8]) {
    script.extend_from_slice(line);
    script.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn composed(solver: &str, script: &str, want: Extras) -> (String, usize) {
        let outline = Outline::of(script.as_bytes());
        let Composed { script, plan } = compose(&Profile::named(solver), &outline, want);
        (String::from_utf8(script).unwrap(), plan.steps.len())
    }

    const MODEL: Extras = Extras { model: true, core: false, proof: false, reason: false };

    #[test]
    fn a_script_that_turns_models_off_is_asked_for_none() {
        let script = "(set-option :produce-models false)(assert true)(check-sat)";
        assert_eq!(composed("cvc5", script, MODEL), (format!("{script}\n"), 1));
        let both = format!("{script}(get-model)");
        assert!(composed("cvc5", &both, MODEL).0.contains(":produce-models true"), "it asks for one itself");
    }

    #[test]
    fn a_script_without_further_requests_is_sent_unchanged() {
        let script = "; hello\n(set-logic QF_LIA) (check-sat) (exit)\n(check-sat)";
        assert_eq!(
            composed("z3", script, Extras::default()),
            ("; hello\n(set-logic QF_LIA) (check-sat)\n".into(), 1)
        );
        assert_eq!(composed("z3", "(check-sat", Extras::default()).0, "(check-sat");
    }

    #[test]
    fn models_are_requested_after_every_check_and_replace_the_scripts_own_option() {
        let (text, steps) = composed("z3", "(set-option :produce-models true)(check-sat)(check-sat)", MODEL);
        let expected =
            "(set-option :produce-models true)\n(check-sat)\n(get-model)\n(check-sat)\n(get-model)\n";
        assert_eq!((text.as_str(), steps), (expected, 4));
        assert_eq!(
            composed("bitwuzla", "(check-sat)(check-sat)", MODEL).1,
            3,
            "an early error would end bitwuzla"
        );
    }

    #[test]
    fn a_request_that_a_solver_does_not_have_is_not_sent_and_the_others_keep_their_numbers() {
        let script = "(set-option :produce-assignments true)(check-sat)(get-assignment)(get-value (x))";
        let text = |solver: &str| composed(solver, script, Extras::default()).0;
        assert!(text("z3").contains("get-assignment") && text("z3").contains("produce-assignments"));
        assert_eq!(text("generic"), "(check-sat)\n(get-value (x))\n");
        let outline = Outline::of(script.as_bytes());
        let Composed { plan, .. } = compose(&Profile::named("generic"), &outline, Extras::default());
        assert_eq!(plan.steps.last(), Some(&Step::Get { what: Get::Own(1), adjacent: true }));
        let twice = "(check-sat)(get-value (x))(check-sat)(get-value (x))";
        assert_eq!(
            composed("bitwuzla", twice, MODEL).0.matches("get-value").count(),
            1,
            "an error would end it"
        );
    }

    #[test]
    fn an_option_of_the_user_replaces_the_profiles_own() {
        assert!(is_given(&["--no-strings-exp".into()], "--strings-exp"));
        assert!(is_given(&["--strings-exp=false".into()], "--strings-exp"));
        assert!(!is_given(&["--strings-fmf".into()], "--strings-exp"));
    }
}
