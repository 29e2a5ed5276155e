//! One small query before a campaign, for programs that the user named: does it answer at all?
//!
//! Installed releases were verified when they were installed. A program on the command line was not: it may be no solver,
//! it may not know an option that the user gave, or it may not read a file. Such a program would fail on every case of a
//! hunt, so it is asked once, in the way in which the hunt will ask it. In: a target. Out: nothing, or an error with what
//! was sent and what came back.
//!
//! A wrong answer is no reason to refuse a program, since finding wrong answers is the purpose of a hunt. Neither is a
//! crash or a limit: those are findings, or the machine is busy. Only a program that ends by itself without any answer is
//! refused.

use crate::answer::Ended;
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
    let reply = Pool::new(target.clone(), 0)
        .ask(&Query::new(SCRIPT.as_bytes()).limits(QueryLimits::wall(LIMIT)), SessionKind::Fresh);
    let silent = !reply.checks.iter().any(|check| check.answer.is_some());
    let by_itself =
        matches!(reply.ended, Ended::ByItself | Ended::Error(_) | Ended::Protocol(_) | Ended::Unavailable(_));
    if !silent || !by_itself {
        return Ok(());
    }
    let came = reply.ended.message().unwrap_or_default().trim();
    let came: String = if came.is_empty() { "nothing".into() } else { came.chars().take(SHOWN).collect() };
    Err(Error::NoAnswer { target: target.name.clone(), command: target.command_line("FILE"), came })
}
