//! A process that runs: one `poll` over its pidfd, its pipes and the cancel bell, and its orderly end.
//!
//! The caller's thread does all the work: it sleeps in `poll` until there is something to do, so there is no thread per
//! pipe, no polling interval and no way for a full pipe to block both sides. A caller of [`Running::turn`] in a loop
//! writes, reads and watches at once.

use crate::capture::{Capture, Captured};
use crate::error::Error;
use crate::outcome::{Exit, Leak, Why};
use crate::proc_files;
use crate::spawn::{Leader, Pipes, spawn};
use crate::spec::{Cancel, Input, Limits, Spec};
use crate::sys;
use crate::tree;
use crate::watch::Watch;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::Signal;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// Bytes read at once: the default capacity of a pipe.
const READ_ROOM: usize = 64 << 10;
/// How long a killed tree may take to disappear before it is reported as uncontained.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes on their way to standard input.
pub(crate) struct Feed<'a> {
    pub(crate) bytes: &'a [u8],
    /// Close the pipe after the last byte.
    pub(crate) close: bool,
}

/// A leader with its pipes and clocks.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) leader: Leader,
    pub(crate) watch: Watch,
    stderr: Capture,
    /// The leader has exited (and waits to be reaped).
    pub(crate) exited: bool,
    /// Bytes of both streams since the start of the run or request.
    pub(crate) printed: u64,
    stdin: Option<OwnedFd>,
    out_pipe: Option<OwnedFd>,
    err_pipe: Option<OwnedFd>,
    pub(crate) cancel: Option<Cancel>,
    buffer: Vec<u8>,
    ended: bool,
}

impl Running {
    pub(crate) fn start(spec: &Spec, input: &Input<'_>) -> Result<Running, Error> {
        let (leader, pipes) = spawn(spec, input)?;
        Ok(Running::of(leader, pipes, &spec.limits, spec.cancel.clone()))
    }

    /// A leader that runs already.
    pub(crate) fn of(leader: Leader, pipes: Pipes, limits: &Limits, cancel: Option<Cancel>) -> Running {
        Running {
            leader,
            watch: Watch::new(limits),
            stderr: Capture::new(limits.head, limits.tail),
            exited: false,
            printed: 0,
            stdin: pipes.stdin,
            out_pipe: Some(pipes.stdout),
            err_pipe: Some(pipes.stderr),
            cancel,
            buffer: vec![0; READ_ROOM],
            ended: false,
        }
    }

    /// Which limit is exceeded, if any.
    pub(crate) fn over(&mut self) -> Option<Why> {
        if self.cancel.as_ref().is_some_and(Cancel::is_raised) {
            Some(Why::Cancelled)
        } else if self.printed > self.watch.limits().output {
            Some(Why::Output)
        } else {
            self.watch.check(Instant::now(), &mut self.leader.tree)
        }
    }

    /// Sleeps until something happens or `at_most` has passed; then writes and reads what is ready.
    pub(crate) fn turn(&mut self, feed: &mut Feed<'_>, out: &mut dyn FnMut(&[u8]), at_most: Duration) {
        let nap = self.watch.nap(Instant::now()).min(at_most);
        let ready = self.wait(!feed.bytes.is_empty(), nap);
        self.watch.woke(Instant::now(), nap);
        if ready.feed {
            self.feed(feed);
        }
        if ready.err {
            self.drain_err();
        }
        if ready.out {
            self.drain_out(out);
        }
        self.exited |= ready.exit;
    }

    fn wait(&self, hungry: bool, nap: Duration) -> Ready {
        // A missing descriptor is replaced by the pidfd without events, so that the array has a
        // fixed shape and nothing is allocated.
        let pidfd = self.leader.pidfd.as_fd();
        fn entry<'a>(fd: Option<BorrowedFd<'a>>, absent: BorrowedFd<'a>, flags: PollFlags) -> PollFd<'a> {
            match fd {
                Some(fd) => PollFd::from_borrowed_fd(fd, flags),
                None => PollFd::from_borrowed_fd(absent, PollFlags::empty()),
            }
        }
        let stdin = self.stdin.as_ref().filter(|_| hungry).map(AsFd::as_fd);
        let bell = self.cancel.as_ref().filter(|c| !c.is_raised()).map(Cancel::bell);
        let mut fds = [
            entry((!self.exited).then_some(pidfd), pidfd, PollFlags::IN),
            entry(stdin, pidfd, PollFlags::OUT),
            entry(self.out_pipe.as_ref().map(AsFd::as_fd), pidfd, PollFlags::IN),
            entry(self.err_pipe.as_ref().map(AsFd::as_fd), pidfd, PollFlags::IN),
            entry(bell, pidfd, PollFlags::IN),
        ];
        let timeout = Timespec { tv_sec: nap.as_secs() as i64, tv_nsec: nap.subsec_nanos().into() };
        // An interrupted or failed poll found nothing; the clocks are checked and the loop continues.
        let found = poll(&mut fds, Some(&timeout)).unwrap_or(0) > 0;
        let happened = |slot: usize| found && !fds[slot].revents().is_empty();
        Ready { exit: happened(0), feed: happened(1), out: happened(2), err: happened(3) }
    }

    /// Writes as much as the pipe takes. A reader that has closed its end is not an error: it needs no further
    /// input.
    pub(crate) fn feed(&mut self, feed: &mut Feed<'_>) {
        while let (Some(pipe), false) = (&self.stdin, feed.bytes.is_empty()) {
            match rustix::io::write(pipe, feed.bytes) {
                Ok(n) => feed.bytes = &feed.bytes[n..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.stdin = None,
            }
        }
        if feed.close || self.stdin.is_none() {
            feed.bytes = &[];
            self.stdin = None;
        }
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Reads standard output once; returns whether there may be more.
    fn drain_out(&mut self, out: &mut dyn FnMut(&[u8])) -> bool {
        let Some(pipe) = &self.out_pipe else { return false };
        match read_some(pipe, &mut self.buffer) {
            Some(0) => self.out_pipe = None,
            Some(n) => {
                self.printed += n as u64;
                out(&self.buffer[..n]);
                return true;
            }
            None => {}
        }
        false
    }

    fn drain_err(&mut self) -> bool {
        let Some(pipe) = &self.err_pipe else { return false };
        match read_some(pipe, &mut self.buffer) {
            Some(0) => self.err_pipe = None,
            Some(n) => {
                self.printed += n as u64;
                self.stderr.push(&self.buffer[..n]);
                return true;
            }
            None => {}
        }
        false
    }

    /// Reads what is still in the pipes, without waiting. Bounded, since a leaked descendant may continue to write.
    pub(crate) fn drain_rest(&mut self, out: &mut dyn FnMut(&[u8])) {
        for _ in 0..32 {
            let more_out = self.drain_out(out);
            let more_err = self.drain_err();
            if !more_out && !more_err {
                return;
            }
        }
    }

    pub(crate) fn pipes_open(&self) -> bool {
        self.out_pipe.is_some() || self.err_pipe.is_some()
    }

    /// Standard error so far; later output is captured separately.
    pub(crate) fn take_stderr(&mut self) -> Captured {
        let limits = self.watch.limits();
        std::mem::replace(&mut self.stderr, Capture::new(limits.head, limits.tail)).finish()
    }

    /// Measures the memory of the leader while it can still be read.
    pub(crate) fn note_memory(&mut self) {
        if let Some(bytes) = proc_files::high_water(self.leader.pid) {
            self.watch.saw_memory(bytes);
        }
    }

    /// Ends the tree, whatever its state, and reaps everything.
    pub(crate) fn end(&mut self, why: Why, out: &mut dyn FnMut(&[u8])) -> Ended {
        self.ended = true;
        if !self.exited {
            self.stop(why, out);
        }
        self.stdin = None;
        self.drain_rest(out);
        let mut leak = self.clear(why, out);
        leak.survivors.extend(self.leader.tree.strangers());
        let reaped = if self.exited { sys::reap(self.leader.pid, true).ok().flatten() } else { None };
        tree::unregister(self.leader.pid);
        let weight = self.watch.weight();
        let seen_cpu = weight.leader_cpu + weight.other_cpu;
        let mut peak = self.watch.peak();
        let Some(reaped) = reaped else {
            return Ended { exit: Exit::Unknown, cpu: seen_cpu, peak, leak };
        };
        if reaped.max_rss > sys::own_max_rss() {
            peak = peak.max(reaped.max_rss);
        }
        let cpu = (reaped.cpu + self.leader.tree.reaped_cpu()).max(seen_cpu);
        Ended { exit: reaped.exit, cpu, peak, leak }
    }

    /// Makes the leader exit: SIGTERM first if there is time for it, then SIGKILL.
    fn stop(&mut self, why: Why, out: &mut dyn FnMut(&[u8])) {
        let grace = self.watch.limits().grace;
        if matches!(why, Why::Wall | Why::Cpu | Why::Cancelled) && !grace.is_zero() {
            self.leader.signal(Signal::TERM);
            // A stopped process receives the signal only when it is continued.
            self.leader.signal(Signal::CONT);
            self.wait_for_exit(grace, out);
        }
        if !self.exited {
            self.leader.signal(Signal::KILL);
            self.leader.tree.signal_others(Signal::KILL);
            self.wait_for_exit(PATIENCE, out);
        }
    }

    fn wait_for_exit(&mut self, at_most: Duration, out: &mut dyn FnMut(&[u8])) {
        let end = Instant::now() + at_most;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if self.exited || left.is_zero() {
                return;
            }
            let ready = self.wait(false, left);
            if ready.err {
                self.drain_err();
            }
            if ready.out {
                self.drain_out(out);
            }
            self.exited |= ready.exit;
        }
    }

    /// Handles descendants that outlived the leader. The leader is dead but not reaped, so the number of its group
    /// still belongs to us.
    fn clear(&mut self, why: Why, out: &mut dyn FnMut(&[u8])) -> Leak {
        let mut leak = Leak::default();
        if why == Why::ByItself && self.wait_for_stragglers(out) {
            return leak;
        }
        if self.exited {
            self.leader.tree.behead();
        }
        let left: Vec<i32> = match why {
            Why::ByItself => self.leader.tree.others().into_iter().map(|o| o.0).collect(),
            _ => Vec::new(),
        };
        self.leader.signal(Signal::KILL);
        let (mut killed, survivors) = self.leader.tree.clear(PATIENCE);
        killed.extend(left);
        killed.sort_unstable();
        killed.dedup();
        self.drain_rest(out);
        leak.pipe_held = why == Why::ByItself && self.pipes_open();
        if why == Why::ByItself {
            leak.killed = killed;
        }
        leak.survivors = survivors;
        if !self.exited {
            leak.survivors.push(self.leader.pid);
        }
        leak
    }

    /// Gives descendants a moment to end by themselves; returns whether none is left.
    fn wait_for_stragglers(&mut self, out: &mut dyn FnMut(&[u8])) -> bool {
        let end = Instant::now() + self.watch.limits().linger;
        loop {
            let tree = &mut self.leader.tree;
            let alone = tree.orphans().is_empty();
            let sure = !tree.is_undecided();
            let left = end.saturating_duration_since(Instant::now());
            if !self.pipes_open() && alone && (sure || left.is_zero()) {
                return true;
            }
            if left.is_zero() || self.printed > self.watch.limits().output {
                return false;
            }
            let ready = self.wait(false, left.min(Duration::from_millis(5)));
            if ready.err {
                self.drain_err();
            }
            if ready.out {
                self.drain_out(out);
            }
        }
    }
}

impl Drop for Running {
    /// A running process that is dropped is ended.
    fn drop(&mut self) {
        if !self.ended {
            self.end(Why::Cancelled, &mut |_| {});
        }
    }
}

/// `None`: nothing there now. `Some(0)`: end of file (or a broken pipe, which is as final).
fn read_some(pipe: &OwnedFd, buffer: &mut [u8]) -> Option<usize> {
    match rustix::io::read(pipe, buffer) {
        Ok(n) => Some(n),
        Err(Errno::AGAIN | Errno::INTR) => None,
        Err(_) => Some(0),
    }
}

/// How the tree ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) exit: Exit,
    pub(crate) cpu: Duration,
    pub(crate) peak: u64,
    pub(crate) leak: Leak,
}

/// What `poll` found.
#[derive(Debug, Default)]
struct Ready {
    exit: bool,
    feed: bool,
    out: bool,
    err: bool,
}
