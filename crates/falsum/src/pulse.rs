//! A sign of life on a terminal while a command works and has nothing to say.
//!
//! Every second the time so far is written at the beginning of the current line and the cursor goes back, so that the next
//! line that is printed takes its place. Without a terminal nothing is written.

use crate::screen::clock;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Writes until it is dropped.
pub struct Pulse {
    over: Arc<AtomicBool>,
}

impl Pulse {
    pub fn begin() -> Pulse {
        let over = Arc::new(AtomicBool::new(!std::io::stderr().is_terminal()));
        let (ended, began) = (Arc::clone(&over), Instant::now());
        let beat = move || {
            while !ended.load(Ordering::SeqCst) {
                let _ = write!(std::io::stderr(), "\r    … {}\r", clock(began.elapsed()));
                std::thread::sleep(Duration::from_secs(1));
            }
        };
        let started = std::thread::Builder::new().name("pulse".into()).spawn(beat);
        over.fetch_or(started.is_err(), Ordering::SeqCst);
        Pulse { over }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        if !self.over.swap(true, Ordering::SeqCst) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// The text in lines of at most `width` characters, broken at blanks; a longer word has a line of its own.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.len() - 1;
        let fits = lines[line].chars().count() + 1 + word.chars().count() <= width;
        match (lines[line].is_empty(), fits) {
            (true, _) => lines[line].push_str(word),
            (false, true) => lines[line] += &format!(" {word}"),
            (false, false) => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrapped("incomprehensible a", 4), ["incomprehensible", "a"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
