//! Makes a script of a bug that showed only in a long-lived process.
//!
//! A process that has answered many cases may be wrong about the next one, and right about the same case in a fresh
//! process. Its input is recorded (`History`), so it can be sent again, as one incremental script, to a fresh process:
//! if that shows the same answer or crash, the script is the trigger and any user can run it. The last cases are tried
//! first, twice as many each time, and then cases are dropped while the last answer stays the same: half of them, a
//! quarter, and so on down to single ones, since a session has hundreds of cases and few are needed.
//!
//! A case that the solver gave up at its own short limit has no such limit in a fresh process, where it goes on and uses up
//! the time of the replay. So such cases are left out at first, and only if that shows nothing they are replayed too, but
//! for those that do not end.
//!
//! In: the accusation and the replies. Out: a script whose last check-sat is the one in question, or nothing, and then
//! the suspicion stays unconfirmed. The oracle judges the script again; nothing here accuses a solver.

use crate::confirm::bearing;
use crate::inquiry::{Inquiry, Panel, Plan};
use crate::symptom::{Sign, Symptom};
use oracle::Accusation;
use smtlib::Parsed;
use solver::outline::{Outline, levels};
use solver::{Pool, Query, QueryLimits, Reply, SessionKind};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The input of a session that shows an accusation in a fresh process.
pub struct Recovered {
    pub script: Parsed,
    /// Earlier cases that it needs.
    pub before: usize,
}

/// The time limit for finding a shorter prefix.
const PATIENCE: Duration = Duration::from_secs(2);

/// Processor time of a replay: so much, and so much for each earlier case. In the session a case had a short limit of the
/// solver's own, which a fresh process does not have.
const REPLAY: Duration = Duration::from_millis(150);
const REPLAY_CASE: Duration = Duration::from_millis(6);

/// Looks for the part of a session that shows the accusation again.
pub fn recover(panel: &Panel, accusation: &Accusation, inquiry: &Inquiry, plan: &Plan) -> Option<Recovered> {
    let (heard, symptom) = bearing(accusation, &inquiry.heard).find_map(|heard| {
        let symptom = Symptom::of(accusation, heard, &inquiry.case.questions)?;
        // Only the last check-sat of a case is the last of its session.
        let last = symptom.locates() || symptom.check + 1 == heard.reply.checks.len();
        (heard.reply.session.is_live() && last).then_some((heard, symptom))
    })?;
    let history = heard.reply.history.bytes()?;
    let session = Session::read(&history, heard.reply.session, heard.reply.history.given_up())?;
    let search = Search { pool: panel.find(heard.name())?, plan, session: &session, symptom };
    let needed = search.shortest()?;
    let text = search.without_questions(&needed);
    Some(Recovered { script: Parsed::read(text).ok()?, before: needed.len() })
}

/// The input of a session, split into cases.
struct Session<'a> {
    preamble: &'a [u8],
    /// Finished cases, each with the commands that remove it from the process.
    cases: Vec<&'a [u8]>,
    /// Those that the solver gave up at its own limit.
    given_up: Vec<usize>,
    /// The case in question.
    last: &'a [u8],
    /// A case alone is what a fresh process was given already.
    alone_is_fresh: bool,
}

impl<'a> Session<'a> {
    fn read(history: &'a [u8], kind: SessionKind, given_up: &[usize]) -> Option<Session<'a>> {
        let outline = Outline::of(history);
        let at = |text: &[u8]| text.as_ptr() as usize - history.as_ptr() as usize;
        let scoped = kind == SessionKind::Scoped;
        let (mut begin, mut depth, mut started) = (0, 0u32, !scoped);
        let mut session =
            Session { preamble: &[], cases: vec![], given_up: vec![], last: &[], alone_is_fresh: !scoped };
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
                        session.add(history, begin..end, given_up);
                        begin = end;
                    }
                }
                b"reset" if !scoped => {
                    session.add(history, begin..end, given_up);
                    begin = end;
                }
                _ => {}
            }
        }
        session.last = &history[begin..];
        (started && !outline.malformed).then_some(session)
    }

    /// Adds a finished case.
    fn add(&mut self, history: &'a [u8], range: Range<usize>, given_up: &[usize]) {
        if given_up.iter().any(|&behind| range.start < behind && behind <= range.end) {
            self.given_up.push(self.cases.len());
        }
        self.cases.push(&history[range]);
    }

    /// The case, of these, that has the check-sat after so many others.
    fn case_of(&self, cases: &[usize], mut checks: usize) -> Option<usize> {
        cases.iter().copied().find(|&case| {
            let own = Outline::of(self.cases[case]).checks;
            let within = checks < own;
            checks = checks.saturating_sub(own);
            within
        })
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
    symptom: Symptom,
}

impl Search<'_> {
    /// Whether the session with these earlier cases shows it.
    fn shows(&self, cases: &[usize]) -> bool {
        self.replay(&self.session.text(cases), cases.len()).0
    }

    /// Whether a session of so many earlier cases shows it, and how many check-sats of it were answered if it ran into the
    /// limit.
    fn replay(&self, text: &[u8], cases: usize) -> (bool, Option<usize>) {
        let most = &self.plan.limits;
        let cpu = REPLAY + REPLAY_CASE * u32::try_from(cases).unwrap_or(u32::MAX);
        let cpu = most.cpu.unwrap_or(most.wall).min(cpu);
        let mut query = Query::new(text).limits(QueryLimits { cpu: Some(cpu), ..most.clone() });
        query.cancel = self.plan.cancel.clone();
        let reply = self.pool.ask(&query, SessionKind::Forked);
        let answered = reply.checks.iter().take_while(|check| check.answer.is_some()).count();
        (self.ends_with(&reply), reply.ended.is_limit().then_some(answered))
    }

    /// Whether the last reply of a session is the same as before. Models are not requested here, so the answer must be
    /// enough; the oracle judges the recovered script.
    fn ends_with(&self, reply: &Reply) -> bool {
        match &self.symptom.sign {
            Sign::Dies(site) => site.is_where(reply),
            Sign::Says(answer) => reply.answer() == Some(*answer),
            Sign::ModelFails | Sign::ValueFails => reply.answer() == Some(solver::Answer::Sat),
            Sign::Undecided => reply.answer() == Some(solver::Answer::Unknown),
            // The session's own requests are sent again with it.
            Sign::CoreHolds(_) | Sign::AssumptionsHold(_) => {
                let last = reply.checks.len().checked_sub(1);
                last.is_some_and(|check| self.symptom.has_core(reply, check))
            }
            Sign::Slower { .. } | Sign::Refuses(_) => false,
        }
    }

    /// A small set of earlier cases that are needed.
    fn shortest(&self) -> Option<Vec<usize>> {
        let began = Instant::now();
        let is_over = || began.elapsed() > PATIENCE;
        let given_up = &self.session.given_up;
        let again = || if given_up.is_empty() { None } else { self.last_ones(&[], &is_over) };
        let needed = self.last_ones(given_up, &is_over).or_else(again)?;
        Some(without_unneeded(needed, &|fewer| self.shows(fewer), &is_over))
    }

    /// The last cases, as few as show it, without these and without those that do not end.
    fn last_ones(&self, left_out: &[usize], is_over: &dyn Fn() -> bool) -> Option<Vec<usize>> {
        let count = self.session.cases.len();
        let mut back = usize::from(self.session.alone_is_fresh);
        let (mut endless, mut tried) = (left_out.to_vec(), None);
        while !is_over() {
            let from = count.saturating_sub(back);
            let suffix: Vec<usize> = (from..count).filter(|case| !endless.contains(case)).collect();
            let known = tried.as_ref() == Some(&suffix) || (suffix.is_empty() && self.session.alone_is_fresh);
            let (shows, answered) =
                if known { (false, None) } else { self.replay(&self.session.text(&suffix), suffix.len()) };
            let stuck = answered.and_then(|answered| self.session.case_of(&suffix, answered));
            match stuck {
                _ if shows => return Some(suffix),
                // The solver gave this case up after a short limit of its own, and goes on with it here.
                Some(case) => endless.push(case),
                None if back >= count => return None,
                None => back = (back * 2).max(1),
            }
            tried = Some(suffix);
        }
        None
    }

    /// Removes the requests after the answers of a session, if they do not matter.
    fn without_questions(&self, cases: &[usize]) -> Vec<u8> {
        let text = self.session.text(cases);
        let mut plain = vec![];
        for command in &Outline::of(&text).commands {
            if !command.name.starts_with(b"get-") {
                plain.extend_from_slice(command.text);
                plain.push(b'\n');
            }
        }
        if self.replay(&plain, cases.len()).0 { plain } else { text }
    }
}

/// Drops cases while the rest shows it: many at a time first.
fn without_unneeded(
    mut needed: Vec<usize>,
    shows: &dyn Fn(&[usize]) -> bool,
    is_over: &dyn Fn() -> bool,
) -> Vec<usize> {
    let mut size = needed.len().div_ceil(2);
    loop {
        let mut at = 0;
        while at < needed.len() && !is_over() {
            let end = needed.len().min(at + size);
            let fewer = [&needed[..at], &needed[end..]].concat();
            // The last case alone was tried first of all.
            if !fewer.is_empty() && shows(&fewer) {
                needed = fewer;
            } else {
                at = end;
            }
        }
        if size <= 1 || is_over() {
            return needed;
        }
        size = size.min(needed.len()).div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scoped_session_is_split_at_the_pops_that_end_cases() {
        let text = b"(set-logic ALL)\n(push 1)(push 1)(check-sat)(pop 1)(check-sat)(pop 1)(push 1)(assert true)(check-sat)";
        let session = Session::read(text, SessionKind::Scoped, &[67]).unwrap();
        assert_eq!(session.preamble, b"(set-logic ALL)\n");
        assert_eq!(session.cases, [&b"(push 1)(push 1)(check-sat)(pop 1)(check-sat)(pop 1)"[..]]);
        assert_eq!(session.last, b"(push 1)(assert true)(check-sat)");
        assert_eq!(session.given_up, [0]);
        let later = Session::read(text, SessionKind::Scoped, &[text.len()]).unwrap();
        assert!(later.given_up.is_empty(), "the last case is the one in question");
        assert_eq!(session.text(&[]), b"(set-logic ALL)\n(push 1)(assert true)(check-sat)");
        assert_eq!([0, 1, 2].map(|checks| session.case_of(&[0], checks)), [Some(0), Some(0), None]);
    }

    #[test]
    fn a_reset_session_is_split_at_the_resets_and_its_last_case_alone_is_not_tried() {
        let session =
            Session::read(b"(check-sat)(reset)(assert true)(check-sat)", SessionKind::Reset, &[]).unwrap();
        assert_eq!(session.cases, [&b"(check-sat)(reset)"[..]]);
        assert!(session.alone_is_fresh && session.last == b"(assert true)(check-sat)");
    }

    #[test]
    fn of_hundreds_of_cases_the_needed_ones_are_found_with_few_replays() {
        let replays = std::cell::Cell::new(0);
        let shows = |cases: &[usize]| {
            replays.set(replays.get() + 1);
            [17, 250].iter().all(|needed| cases.contains(needed))
        };
        assert_eq!(without_unneeded((0..300).collect(), &shows, &|| false), [17, 250]);
        assert!(replays.get() < 60, "{} replays", replays.get());
        assert_eq!(without_unneeded(vec![17, 18, 250], &shows, &|| true), [17, 18, 250], "time is over");
        assert_eq!(without_unneeded(vec![], &shows, &|| false), [0; 0]);
    }
}
