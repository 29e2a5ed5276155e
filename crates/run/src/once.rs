//! One process from start to end.
//!
//! In: the script on standard input (or as a file). Out: the streams, bounded, and the outcome: why it ended and how it
//! exited. The whole cost on top of `posix_spawn` and `wait` is a handful of system calls; nothing sleeps and /proc is
//! not read for a process that ends within 50 ms, except one small file at the end that shows whether it left orphans.

use crate::capture::Capture;
use crate::error::Error;
use crate::outcome::{Outcome, Why};
use crate::running::{Feed, Running};
use crate::spec::{Input, Spec};
use std::time::{Duration, Instant};

/// The first output is a good moment to measure the memory of a process (it still runs, and most of its work is done),
/// but the measurement costs 90 microseconds: not for one that has hardly begun.
const NOTEWORTHY: Duration = Duration::from_millis(50);

/// Runs a process to its end, or to the first limit it exceeds.
pub fn once(spec: &Spec, input: Input<'_>) -> Result<Outcome, Error> {
    let started = Instant::now();
    let running = Running::start(spec, &input)?;
    let bytes = if let Input::Bytes(bytes) = input { bytes } else { &[] };
    Ok(to_the_end(running, bytes, started))
}

/// Feeds a process that has started and waits for its end, or for the first limit it passes.
pub(crate) fn to_the_end(mut running: Running, bytes: &[u8], started: Instant) -> Outcome {
    let (head, tail) = (running.watch.limits().head, running.watch.limits().tail);
    let mut stdout = Capture::new(head, tail);
    let mut feed = Feed { bytes, close: true };
    running.feed(&mut feed);
    let why = loop {
        let before = stdout.total();
        running.turn(&mut feed, &mut |new| stdout.push(new), Duration::MAX);
        let first_output = before == 0 && stdout.total() > 0;
        if first_output && !running.exited && started.elapsed() > NOTEWORTHY {
            running.note_memory();
        }
        if running.exited {
            break Why::ByItself;
        }
        if let Some(why) = running.over() {
            break why;
        }
    };
    let ended = running.end(why, &mut |new| stdout.push(new));
    let paused = running.watch.paused();
    Outcome {
        why,
        exit: ended.exit,
        wrapper_signal: ended.exit.wrapper_signal(),
        stdout: stdout.finish(),
        stderr: running.take_stderr(),
        wall: started.elapsed().saturating_sub(paused),
        paused,
        cpu: ended.cpu,
        peak_memory: ended.peak,
        leak: ended.leak,
        containment: running.leader.containment(),
    }
}
