//! One small query before a campaign, for what the user named: does it answer at all?
//!
//! Installed releases were verified when they were installed. A program on the command line was not, nor were the options
//! of a release: it may be no solver, it may not know an option that the user gave, or it may not read a file. Such a program would fail on every case of a
//! hunt, so it is asked once, in the way in which the hunt will ask it. In: a target. Out: nothing, or an error with what
//! was sent and what came back.
//!
//! A wrong answer is no reason to refuse a program, since finding wrong answers is the purpose of a hunt. Neither is a
//! crash or a limit: those are findings, or the machine is busy. Only a program that ends by itself without any answer is
//! refused, and one that says it lacks something if it answers without its options.

use crate::answer::{Ended, Reply};
use crate::error::{Error, Result};
use crate::session::{Pool, Query, QueryLimits};
use crate::{SessionKind, Target};
use std::time::Duration;

/// What is sent: plain bit-vectors, which nearly every solver has.
pub const SCRIPT: &str =
    "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (= (bvmul x #x03) #x09))\n(check-sat)\n";

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(5);

/// As much of the output as a message shows.
const SHOWN: usize = 300;

/// Asks a program once; an error if it ends without an answer.
pub fn probe(target: &Target) -> Result<()> {
    let reply = ask(target);
    let silent = !is_answered(&reply);
    let refuses = match reply.ended {
        Ended::ByItself | Ended::Error(_) | Ended::Protocol(_) | Ended::Unavailable(_) => true,
        // A solver may lack bit-vectors; a mistyped option of cvc5 is reported in the same words.
        Ended::Unsupported(_) if !target.args.is_empty() => {
            answers(&Target { args: vec![], ..target.clone() })
        }
        _ => false,
    };
    if !silent || !refuses {
        return Ok(());
    }
    Err(Error::NoAnswer {
        target: target.name.clone(),
        command: target.command_line("FILE"),
        came: came(&reply),
    })
}

/// What came back: the complaint that was recognised, else the beginning of the output.
fn came(reply: &Reply) -> String {
    let complaint = match &reply.ended {
        Ended::ByItself | Ended::Protocol(_) => None,
        ended => ended.message(),
    };
    let printed = [&reply.stdout()[..], &reply.stderr[..]].concat();
    let printed = String::from_utf8_lossy(&printed).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = complaint.map_or(printed, |complaint| complaint.trim().to_owned());
    if text.is_empty() { "nothing".into() } else { text.chars().take(SHOWN).collect() }
}

/// The script on one line, for a message.
pub(crate) fn sent() -> String {
    SCRIPT.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ask(target: &Target) -> Reply {
    Pool::new(target.clone(), 0)
        .ask(&Query::new(SCRIPT.as_bytes()).limits(QueryLimits::wall(LIMIT)), SessionKind::Fresh)
}

fn is_answered(reply: &Reply) -> bool {
    reply.checks.iter().any(|check| check.answer.is_some())
}

fn answers(target: &Target) -> bool {
    is_answered(&ask(target))
}
