//! The output of the drop-in tools: dated lines on stderr, more in a rolling log file, a summary at the end.
//!
//! The lines are yinyang's, because scripts search for them. Times are UTC. If the log file cannot be written, the run
//! continues without it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use report::Moment;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The maximal size of a log file, and how many there are.
const LONGEST: u64 = 1 << 20;
const FILES: u32 = 5;

pub struct Log {
    quiet: bool,
    file: Option<(PathBuf, File, u64)>,
}

impl Log {
    /// A log named as yinyang names it; without a folder nothing is written.
    pub fn new(folder: Option<&Path>, tool: &str, name: &str, quiet: bool) -> Log {
        let file = folder.and_then(|folder| {
            let moment = now();
            let Moment { year, month, day, minute, second, .. } = moment;
            let time = format!("{year}-{month:02}-{day:02}-{minute:02}:{second:02}-{}", half(moment));
            let path = folder.join(format!("{tool}-{time}-{name}.log"));
            Some((path.clone(), File::create(path).ok()?, 0))
        });
        Log { quiet, file }
    }

    /// A line for the terminal and the file.
    pub fn info(&mut self, message: &str) {
        if !self.quiet {
            eprintln!("{} {message}", stamp());
        }
        self.debug(message);
    }

    /// A line about a bug, highlighted on a terminal.
    pub fn bug(&mut self, message: &str) {
        self.info(&crate::paint::wrong(&std::io::stderr(), message));
    }

    /// A line for the file only.
    pub fn debug(&mut self, message: &str) {
        let Some((path, file, length)) = &mut self.file else { return };
        let line = format!("{} {message}\n", stamp());
        *length += line.len() as u64;
        if file.write_all(line.as_bytes()).is_err() {
            self.file = None;
        } else if *length > LONGEST {
            let path = path.clone();
            self.file = roll(&path).map(|file| (path, file, 0));
        }
    }
}

/// Rotates the old files and begins a new one.
fn roll(path: &Path) -> Option<File> {
    let numbered = |n: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{n}"));
        PathBuf::from(name)
    };
    for n in (1..FILES).rev() {
        let _ = std::fs::rename(numbered(n), numbered(n + 1));
    }
    std::fs::rename(path, numbered(1)).ok()?;
    File::create(path).ok()
}

/// `[2026/11/15 11:07:39 AM]`
fn stamp() -> String {
    let moment = now();
    let Moment { year, month, day, minute, second, .. } = moment;
    let hour = match moment.hour % 12 {
        0 => 12,
        hour => hour,
    };
    format!("[{year}/{month:02}/{day:02} {hour:02}:{minute:02}:{second:02} {}]", half(moment))
}

fn now() -> Moment {
    Moment::at(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

fn half(moment: Moment) -> &'static str {
    if moment.hour < 12 { "AM" } else { "PM" }
}

/// What yinyang counts.
#[derive(Debug)]
pub struct Statistic {
    started: Instant,
    last_bar: Instant,
    bars: u64,
    pub seeds: u64,
    pub invalid_seeds: u64,
    pub mutants: u64,
    pub bugs: u64,
    pub calls: u64,
    pub effective: u64,
}

impl Statistic {
    pub fn new() -> Statistic {
        let now = Instant::now();
        Statistic {
            started: now,
            last_bar: now,
            bars: 0,
            seeds: 0,
            invalid_seeds: 0,
            mutants: 0,
            bugs: 0,
            calls: 0,
            effective: 0,
        }
    }

    /// The status line when it is due: after one second, then every two.
    pub fn bar_if_due(&mut self) -> Option<String> {
        let wait = Duration::from_secs(if self.bars == 0 { 1 } else { 2 });
        if self.last_bar.elapsed() < wait {
            return None;
        }
        self.last_bar = Instant::now();
        self.bars += 1;
        Some(self.bar(self.started.elapsed().as_secs_f64()))
    }

    fn bar(&self, seconds: f64) -> String {
        let per_second = |count: u64| count as f64 / seconds.max(0.001);
        let efficiency = match self.calls {
            0 => "NaN".to_owned(),
            calls => format!("{:.1}%", self.effective as f64 * 100.0 / calls as f64),
        };
        format!(
            "Performed {} solver calls ({:.1} calls/s, eff: {efficiency}, {:.1} mutants/s)",
            self.calls,
            per_second(self.calls),
            per_second(self.mutants)
        )
    }

    /// The two lines at the end, with the backspaces that yinyang prints before them.
    pub fn summary(&self) -> String {
        format!(
            "\x08\x08{} seeds processed, {} valid, {} invalid \n{} bug triggers found",
            self.seeds,
            self.seeds - self.invalid_seeds,
            self.invalid_seeds,
            self.bugs
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_line_is_yinyangs() {
        let statistic = Statistic { calls: 36, effective: 32, mutants: 18, ..Statistic::new() };
        let bar = statistic.bar(1.0);
        assert_eq!(bar, "Performed 36 solver calls (36.0 calls/s, eff: 88.9%, 18.0 mutants/s)");
    }
}
