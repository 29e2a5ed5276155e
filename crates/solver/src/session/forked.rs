//! `forked`: fresh behaviour at session speed. Each case gets a copy of a process that has just been started.
//!
//! The process that is copied is the solver's own program, called exactly as a fresh one would be, stopped where it reads
//! its input (`run::Host`). There are two places to stop. A *primed* process has read the options and the logic that the
//! script begins with, which are its first commands in a fresh process too, and one command that changes nothing (`prime`
//! in the profile), so that the solver's tables are made; the copy reads the rest. A *plain* one has read nothing, serves
//! every script with the same arguments, and saves only the start of the program. Nothing is shared between cases but
//! memory that none of them has written to.
//!
//! In the rest of a primed script, blanks stand where options and logic stood, so that lines keep their numbers in messages;
//! only columns of the first line differ. A script that sets an option or a logic later on, or that cannot be read, is
//! not divided and goes to a plain copy. Where there is no host at all (`hosts.rs`), a process is started.

use super::fresh::{Composed, Fresh, read_planned};
use super::hosts::{Beginning, Hosts};
use super::{Query, fresh};
use crate::answer::{Ended, History, Reply};
use crate::outline::Outline;
use crate::profile::{InputBy, Profile, SessionKind};
use crate::target::Target;

/// What must follow the last command of a beginning, so that a solver that reads in blocks gets to the end of it.
const BLOCK: usize = 8192;

/// Asks a script that has been through `permit` in a copy; in a process of its own if there is nothing to copy.
pub(super) fn ask(hosts: &Hosts, fresh: &Fresh, query: &Query<'_>) -> Reply {
    let outline = Outline::of(query.script);
    let composed = fresh::compose(&fresh.target().profile, &outline, query.want);
    let Some(mut reply) = once(hosts, fresh.target(), query, &outline, &composed) else {
        return routed(fresh, query, "there is no process to copy");
    };
    if matches!(reply.ended, Ended::Killed { .. }) {
        return routed(fresh, query, "the copy was killed");
    }
    if query.locate {
        fresh.locate(&outline, &composed.script, query, &mut reply);
    }
    reply.session = SessionKind::Forked;
    reply.history = History::of(composed.script);
    reply
}

fn routed(fresh: &Fresh, query: &Query<'_>, why: &'static str) -> Reply {
    Reply { routed: Some(why), ..fresh.ask_permitted(query) }
}

/// The reply of a primed copy, or of a plain one.
fn once(
    hosts: &Hosts,
    target: &Target,
    query: &Query<'_>,
    outline: &Outline<'_>,
    composed: &Composed,
) -> Option<Reply> {
    let limits = query.limits.for_run();
    let copy =
        |beginning: &Beginning, text: &[u8]| hosts.copy(beginning, text, &limits, query.cancel.as_ref());
    let plain = Beginning {
        args: fresh::arguments(target, outline).into_iter().map(Into::into).collect(),
        by_argument: target.profile.file.input == InputBy::Argument,
        text: vec![],
        answer: vec![],
    };
    let primed = primed(&target.profile, &plain, &composed.script);
    let copied = primed.and_then(|(beginning, rest)| copy(&beginning, &rest));
    let copied = copied.or_else(|| copy(&plain, &composed.script))?;
    Some(read_planned(&target.profile, &composed.plan, &copied.finish()))
}

/// How a process for this script begins if it is primed, and what is left for the copy to read.
fn primed(profile: &Profile, plain: &Beginning, script: &[u8]) -> Option<(Beginning, Vec<u8>)> {
    let prime = profile.session.prime.as_ref()?;
    let (mut text, rest) = split(script)?;
    text.extend_from_slice(prime.as_bytes());
    text.resize(text.len().next_multiple_of(BLOCK).max(BLOCK), b' ');
    Some((Beginning { text, answer: answer_to_prime(profile), ..plain.clone() }, rest))
}

fn answer_to_prime(profile: &Profile) -> Vec<u8> {
    [profile.session.primed.as_bytes(), b"\n"].concat()
}

/// The options and the logic at the head of a script, and the script with blanks in their place. `None` if some come
/// later, or if it is not a sequence of commands.
fn split(script: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let commands = crate::sexp::commands(script).ok()?;
    let is_setting = |name: &[u8]| matches!(name, b"set-option" | b"set-logic");
    let head = commands.iter().take_while(|c| is_setting(c.name) || c.name == b"set-info").count();
    if commands[head..].iter().any(|command| is_setting(command.name)) {
        return None;
    }
    let (mut beginning, mut rest) = (vec![], script.to_vec());
    for command in commands[..head].iter().filter(|command| is_setting(command.name)) {
        beginning.extend_from_slice(command.text);
        rest[command.range.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    Some((beginning, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(script: &str) -> Option<(String, String)> {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        split(script.as_bytes()).map(|(beginning, rest)| (text(beginning), text(rest)))
    }

    #[test]
    fn options_and_logic_go_ahead_and_lines_keep_their_numbers() {
        let script =
            "; x\n(set-option :a true)\n(set-info :status\n sat)\n(set-logic\nQF_LIA)(assert true)\n";
        let (beginning, rest) = halves(script).unwrap();
        assert_eq!(beginning, "(set-option :a true)(set-logic\nQF_LIA)");
        let blank = " ".repeat(20);
        assert_eq!(
            rest,
            format!("; x\n{blank}\n(set-info :status\n sat)\n          \n       (assert true)\n")
        );
        assert_eq!(halves("(check-sat)"), Some((String::new(), "(check-sat)".to_owned())));
    }

    #[test]
    fn a_script_that_sets_something_late_cannot_be_divided() {
        assert_eq!(halves("(declare-const x Int)(set-option :a true)"), None);
        assert_eq!(halves("(echo \"a\")(set-logic QF_LIA)"), None);
        assert_eq!(halves("(set-logic QF_LIA"), None);
    }
}
