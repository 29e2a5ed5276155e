//! What showed only in a long-lived process, made a script of its own.
//!
//! A process that has answered many cases may be wrong about the next one, and right about the same case asked
//! fresh. What it was sent is kept (`History`), so it can be sent again, as one incremental script, to a fresh process:
//! if that shows the same answer or crash, the script is the trigger and everybody can run it. The shortest run-up is
//! looked for first, then earlier cases are dropped one by one while the end stays the same.
//!
//! In: the finding and what was said. Out: a script whose last check-sat is the one in question, or nothing, and then
//! the suspicion stays what it was. The oracle judges the script anew; nothing here accuses anybody.

use crate::inquiry::{Panel, Plan, Statement};
use oracle::{Finding, Kind};
use smtlib::Script;
use solver::outline::{Outline, levels};
use solver::{Answer, Ended, Pool, Query, Reply};
use std::time::{Duration, Instant};

/// A session's text that shows a finding in a fresh process.
pub struct Recovered {
    pub text: Vec<u8>,
    pub script: Script,
    /// Earlier cases that it needs.
    pub before: usize,
}

/// How long to look for a shorter run-up.
const PATIENCE: Duration = Duration::from_secs(10);

/// Looks for the part of a session that shows the finding again.
pub fn recover(panel: &Panel, finding: &Finding, statements: &[Statement], plan: &Plan) -> Option<Recovered> {
    let statement = statements.iter().find(|statement| {
        statement.reply.kind != solver::Kind::Fresh
            && finding.culprits.contains(&statement.target)
            && Sign::of(finding, statement).is_some()
    })?;
    let sign = Sign::of(finding, statement)?;
    let history = statement.reply.history.bytes()?;
    let session = Session::read(&history, statement.reply.kind)?;
    let search = Search { pool: panel.find(&statement.target)?, plan, session: &session, sign };
    let needed = search.shortest()?;
    let text = search.without_questions(session.text(&needed));
    let script = Script::parse(&text).ok()?;
    Some(Recovered { text, script, before: needed.len() })
}

/// What must show at the end.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Crash,
    Says(Answer),
}

impl Sign {
    fn of(finding: &Finding, statement: &Statement) -> Option<Sign> {
        let crashed = matches!(statement.reply.ended, Ended::Crash { .. });
        match finding.kind {
            Kind::Crash => crashed.then_some(Sign::Crash),
            kind => {
                let check = if statement.flattened.is_some() { 0 } else { finding.check };
                // Only the last check-sat of a case is the last of its session.
                if check + 1 != statement.reply.checks.len() {
                    return None;
                }
                match (kind, statement.reply.checks[check].answer?) {
                    (Kind::SolutionUnsound | Kind::InvalidModel, Answer::Unsat) => None,
                    (Kind::RefutationUnsound, Answer::Sat) => None,
                    (_, answer) => Some(Sign::Says(answer)),
                }
            }
        }
    }

    fn shows(self, reply: &Reply) -> bool {
        match self {
            Sign::Crash => matches!(reply.ended, Ended::Crash { .. }),
            Sign::Says(answer) => reply.answer() == Some(answer),
        }
    }
}

/// The text of a session, cut into cases.
struct Session<'a> {
    preamble: &'a [u8],
    /// Finished cases, each with what makes it forgotten.
    cases: Vec<&'a [u8]>,
    /// The case in question.
    last: &'a [u8],
    /// A case asked alone is what a fresh process was asked already.
    alone_is_fresh: bool,
}

impl<'a> Session<'a> {
    fn read(history: &'a [u8], kind: solver::Kind) -> Option<Session<'a>> {
        let outline = Outline::of(history);
        let at = |text: &[u8]| text.as_ptr() as usize - history.as_ptr() as usize;
        let scoped = kind == solver::Kind::Scoped;
        let (mut begin, mut depth, mut started) = (0, 0u32, !scoped);
        let mut session = Session { preamble: &[], cases: vec![], last: &[], alone_is_fresh: !scoped };
        for command in &outline.commands {
            let end = at(command.text) + command.text.len();
            match command.name {
                b"push" if !started => {
                    started = true;
                    begin = at(command.text);
                    session.preamble = &history[..begin];
                    depth = levels(command);
                }
                b"push" => depth += levels(command),
                b"pop" => {
                    depth = depth.saturating_sub(levels(command));
                    if scoped && depth == 0 {
                        session.cases.push(&history[begin..end]);
                        begin = end;
                    }
                }
                b"reset" if !scoped => {
                    session.cases.push(&history[begin..end]);
                    begin = end;
                }
                _ => {}
            }
        }
        session.last = &history[begin..];
        (started && !outline.malformed).then_some(session)
    }

    /// The session with these cases only.
    fn text(&self, cases: &[usize]) -> Vec<u8> {
        let mut text = self.preamble.to_vec();
        for &case in cases {
            text.extend_from_slice(self.cases[case]);
            text.push(b'\n');
        }
        text.extend_from_slice(self.last);
        text
    }
}

struct Search<'a> {
    pool: &'a Pool,
    plan: &'a Plan,
    session: &'a Session<'a>,
    sign: Sign,
}

impl Search<'_> {
    fn shows(&self, text: &[u8]) -> bool {
        let mut query = Query::new(text).limits(self.plan.limits.clone());
        query.cancel = self.plan.cancel.clone();
        self.sign.shows(&self.pool.ask(&query, solver::Kind::Fresh))
    }

    /// The cases that must come before, few of them.
    fn shortest(&self) -> Option<Vec<usize>> {
        let count = self.session.cases.len();
        let began = Instant::now();
        let mut back = usize::from(self.session.alone_is_fresh);
        let mut needed = loop {
            let suffix: Vec<usize> = (count.saturating_sub(back)..count).collect();
            if self.shows(&self.session.text(&suffix)) {
                break suffix;
            }
            if back >= count || began.elapsed() > PATIENCE {
                return None;
            }
            back = (back * 2).max(1);
        };
        for case in needed.clone() {
            if began.elapsed() > PATIENCE {
                break;
            }
            let fewer: Vec<usize> = needed.iter().copied().filter(|&other| other != case).collect();
            let trivial = fewer.is_empty() && self.session.alone_is_fresh;
            if !trivial && self.shows(&self.session.text(&fewer)) {
                needed = fewer;
            }
        }
        Some(needed)
    }

    /// Leaves out what a session asks after its answers, if that does not matter.
    fn without_questions(&self, text: Vec<u8>) -> Vec<u8> {
        let mut plain = vec![];
        for command in &Outline::of(&text).commands {
            if !command.name.starts_with(b"get-") {
                plain.extend_from_slice(command.text);
                plain.push(b'\n');
            }
        }
        if self.shows(&plain) { plain } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scoped_session_is_cut_at_the_pops_that_end_cases() {
        let text = b"(set-logic ALL)\n(push 1)(push 1)(check-sat)(pop 1)(check-sat)(pop 1)(push 1)(assert true)(check-sat)";
        let session = Session::read(text, solver::Kind::Scoped).unwrap();
        assert_eq!(session.preamble, b"(set-logic ALL)\n");
        assert_eq!(session.cases, [&b"(push 1)(push 1)(check-sat)(pop 1)(check-sat)(pop 1)"[..]]);
        assert_eq!(session.last, b"(push 1)(assert true)(check-sat)");
        assert_eq!(session.text(&[]), b"(set-logic ALL)\n(push 1)(assert true)(check-sat)");
    }

    #[test]
    fn a_reset_session_is_cut_at_the_resets_and_its_last_case_alone_shows_nothing_new() {
        let session =
            Session::read(b"(check-sat)(reset)(assert true)(check-sat)", solver::Kind::Reset).unwrap();
        assert_eq!(session.cases, [&b"(check-sat)(reset)"[..]]);
        assert!(session.alone_is_fresh && session.last == b"(assert true)(check-sat)");
    }
}
