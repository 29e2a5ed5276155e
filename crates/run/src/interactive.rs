//! A long-lived process that answers many requests.
//!
//! A request sends bytes and reads bytes up to a point that the caller recognises (usually a line with a nonce that the
//! request asked to have echoed). Each request has its own limits. Writing and reading happen at the same time, so a
//! solver that prints before it has read everything cannot cause a deadlock.
//!
//! A round trip costs a write, a poll and a read; /proc is read only when a request is slow or when the last
//! measurement is older than 100 ms.
//!
//! When a limit is exceeded, the process is in an unknown state, and [`Interactive::kill`] must be called. Nothing is
//! carried over silently from one request to the next: bytes after the recognised point are at the start of the next
//! reply.

use crate::capture::{Capture, Captured};
use crate::error::Error;
use crate::outcome::{Containment, Outcome, Why};
use crate::running::{Feed, Running};
use crate::spec::{Cancel, Input, Limits, Spec};
use crate::sys;
use std::time::{Duration, Instant};

/// Where a reply ends, found in the bytes printed since the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The reply is the bytes before this point.
    pub reply: usize,
    /// The next reply begins here; what is between (the nonce) is dropped.
    pub rest: usize,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The end of the reply was recognised.
    Complete(Vec<u8>),
    /// The process ended first; this is what it printed. [`Interactive::finish`] returns how it ended.
    Ended(Vec<u8>),
    /// A limit was exceeded first; this is what it printed until then. Only [`Interactive::kill`] can follow.
    Over(Why, Vec<u8>),
}

impl Reply {
    /// The bytes, however they ended.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Reply::Complete(bytes) | Reply::Ended(bytes) | Reply::Over(_, bytes) => bytes,
        }
    }
}

/// A long-lived process.
#[derive(Debug)]
pub struct Interactive {
    running: Running,
    limits: Limits,
    /// Standard output that no reply has taken yet.
    unread: Vec<u8>,
    began: Instant,
    paused: Duration,
    over: Option<Why>,
}

impl Interactive {
    /// Starts it. The limits of the spec apply to each request without its own.
    pub fn start(spec: &Spec) -> Result<Interactive, Error> {
        let began = Instant::now();
        let running = Running::start(spec, &Input::Bytes(&[]))?;
        Ok(Interactive::of(running, spec.limits.clone(), began))
    }

    /// A process that has started already.
    pub(crate) fn of(running: Running, limits: Limits, began: Instant) -> Interactive {
        Interactive { running, limits, unread: Vec::new(), began, paused: Duration::ZERO, over: None }
    }

    /// One request under the limits of the spec.
    pub fn ask(&mut self, request: &[u8], until: impl FnMut(&[u8], usize) -> Option<Cut>) -> Reply {
        let limits = self.limits.clone();
        self.ask_within(request, until, &limits)
    }

    /// One request: sends the bytes and reads until `until` recognises the end of the reply.
    ///
    /// `until` gets all unread bytes and how many of them it has seen before. `output` in the limits bounds the memory
    /// for one reply.
    pub fn ask_within(
        &mut self,
        request: &[u8],
        mut until: impl FnMut(&[u8], usize) -> Option<Cut>,
        limits: &Limits,
    ) -> Reply {
        self.paused += self.running.watch.paused();
        self.running.watch.restart(limits, self.running.leader.pid);
        self.running.printed = self.unread.len() as u64;
        let mut feed = Feed { bytes: request, close: false };
        self.running.feed(&mut feed);
        let mut shown = 0;
        loop {
            if self.unread.len() > shown || shown == 0 {
                if let Some(cut) = until(&self.unread, shown) {
                    return Reply::Complete(self.take(cut));
                }
                shown = self.unread.len();
            }
            if self.running.exited {
                return Reply::Ended(std::mem::take(&mut self.unread));
            }
            if let Some(why) = self.running.over() {
                self.over = Some(why);
                return Reply::Over(why, std::mem::take(&mut self.unread));
            }
            let unread = &mut self.unread;
            self.running.turn(&mut feed, &mut |new| unread.extend_from_slice(new), Duration::MAX);
            if self.running.exited {
                self.running.drain_rest(&mut |new| unread.extend_from_slice(new));
            }
        }
    }

    fn take(&mut self, cut: Cut) -> Vec<u8> {
        let rest = cut.rest.clamp(cut.reply, self.unread.len());
        if rest == self.unread.len() {
            let mut reply = std::mem::take(&mut self.unread);
            reply.truncate(cut.reply);
            return reply;
        }
        let after = self.unread.split_off(rest);
        let mut reply = std::mem::replace(&mut self.unread, after);
        reply.truncate(cut.reply);
        reply
    }

    /// Requests from now on end when this switch is raised; each case may bring its own.
    pub fn cancelled_by(&mut self, cancel: Option<Cancel>) {
        self.running.cancel = cancel;
    }

    /// The leader's pid, for display only.
    pub fn pid(&self) -> i32 {
        self.running.leader.pid
    }

    /// How descendants are contained.
    pub fn containment(&self) -> Containment {
        self.running.leader.containment()
    }

    /// Whether it has been seen to exit. (A process that died since the last request is noticed at the next.)
    pub fn has_ended(&self) -> bool {
        self.running.exited
    }

    /// Processor time of the tree so far: exact for the leader, as of the last measurement for the rest.
    pub fn cpu(&self) -> Duration {
        let weight = self.running.watch.weight();
        sys::process_cpu(self.pid()).unwrap_or(weight.leader_cpu) + weight.other_cpu
    }

    /// Resident memory of the tree now, in bytes. Reads /proc, so not for every request.
    pub fn memory(&mut self) -> u64 {
        self.running.watch.look(Instant::now(), &mut self.running.leader.tree);
        self.running.watch.weight().memory
    }

    /// The largest resident memory seen so far.
    pub fn peak_memory(&self) -> u64 {
        self.running.watch.peak()
    }

    /// Standard error since the last call.
    pub fn take_stderr(&mut self) -> Captured {
        self.running.take_stderr()
    }

    /// Closes standard input, waits for the end (under the wall limit of the spec) and returns how it ended.
    pub fn finish(mut self) -> Outcome {
        self.running.close_stdin();
        self.paused += self.running.watch.paused();
        let limits = self.limits.clone();
        self.running.watch.restart(&limits, self.running.leader.pid);
        self.running.printed = self.unread.len() as u64;
        let mut rest = self.capture_unread();
        let mut nothing = Feed { bytes: &[], close: false };
        let why = loop {
            if let Some(why) = self.over {
                break why;
            }
            if self.running.exited {
                break Why::ByItself;
            }
            self.over = self.running.over();
            if self.over.is_none() {
                self.running.turn(&mut nothing, &mut |new| rest.push(new), Duration::MAX);
            }
        };
        self.end(why, rest)
    }

    /// Ends it now. The outcome says which limit was exceeded, if any, and `Cancelled` otherwise; `ByItself` if it had
    /// ended already.
    pub fn kill(mut self) -> Outcome {
        let mut rest = self.capture_unread();
        let mut nothing = Feed { bytes: &[], close: false };
        self.running.turn(&mut nothing, &mut |new| rest.push(new), Duration::ZERO);
        let why = match self.over {
            Some(why) => why,
            None if self.running.exited => Why::ByItself,
            None => Why::Cancelled,
        };
        self.end(why, rest)
    }

    fn capture_unread(&mut self) -> Capture {
        let mut rest = Capture::new(self.limits.head, self.limits.tail);
        rest.push(&std::mem::take(&mut self.unread));
        rest
    }

    fn end(&mut self, why: Why, mut rest: Capture) -> Outcome {
        let ended = self.running.end(why, &mut |new| rest.push(new));
        let paused = self.paused + self.running.watch.paused();
        Outcome {
            why,
            exit: ended.exit,
            wrapper_signal: ended.exit.wrapper_signal(),
            stdout: rest.finish(),
            stderr: self.running.take_stderr(),
            wall: self.began.elapsed().saturating_sub(paused),
            paused,
            cpu: ended.cpu,
            peak_memory: ended.peak,
            leak: ended.leak,
            containment: self.running.leader.containment(),
        }
    }
}

/// Recognises a line that is exactly `nonce`, bare or in double quotes (solvers differ in how they echo a
/// string). The line must be complete: half a nonce, or one in the middle of other text, is not an end.
pub fn until_line(nonce: &str) -> impl FnMut(&[u8], usize) -> Option<Cut> + '_ {
    let nonce = nonce.as_bytes();
    let (mut line_start, mut scanned) = (0, 0);
    move |bytes, shown| {
        if shown == 0 {
            (line_start, scanned) = (0, 0);
        }
        // Each byte is read once: a flood without a newline must not take quadratic time.
        while let Some(length) = bytes[scanned..].iter().position(|&b| b == b'\n') {
            let end = scanned + length;
            let line = bytes[line_start..end].trim_ascii();
            let bare = line.strip_prefix(b"\"").and_then(|l| l.strip_suffix(b"\"")).unwrap_or(line);
            if bare == nonce {
                return Some(Cut { reply: line_start, rest: end + 1 });
            }
            (line_start, scanned) = (end + 1, end + 1);
        }
        scanned = bytes.len();
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(nonce: &str, chunks: &[&[u8]]) -> Option<Cut> {
        let mut until = until_line(nonce);
        let mut all = Vec::new();
        for chunk in chunks {
            let shown = all.len();
            all.extend_from_slice(chunk);
            if let Some(cut) = until(&all, shown) {
                return Some(cut);
            }
        }
        None
    }

    #[test]
    fn a_nonce_is_found_bare_quoted_and_across_chunks() {
        assert_eq!(find("n7", &[b"sat\nn7\n"]), Some(Cut { reply: 4, rest: 7 }));
        assert_eq!(find("n7", &[b"sat\n\"n7\"\nmore"]), Some(Cut { reply: 4, rest: 9 }));
        assert_eq!(find("n7", &[b"sa", b"t\nn", b"7", b"\r\n"]), Some(Cut { reply: 4, rest: 8 }));
    }

    #[test]
    fn a_nonce_inside_other_text_or_unfinished_is_not_an_end() {
        assert_eq!(find("n7", &[b"sat n7\n", b"xn7\n", b"n77\n"]), None);
        assert_eq!(find("n7", &[b"sat\nn7"]), None);
    }
}
