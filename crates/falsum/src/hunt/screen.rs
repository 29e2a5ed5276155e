//! What a person sees while a hunt runs.
//!
//! On a terminal a few lines are painted over and over; otherwise a plain line now and then. The lines themselves
//! are made by a pure function, so they can be tested without a terminal.

use super::tally::Tally;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};

/// How often a terminal is repainted, and how often a plain line is written.
const REPAINT: Duration = Duration::from_millis(250);
const PLAIN: Duration = Duration::from_secs(10);

/// What the screen shows besides the totals.
pub struct Facts<'a> {
    pub key: &'a str,
    pub workers: usize,
    pub elapsed: Duration,
    pub in_solvers: f64,
    /// The last bug, with how long ago it was found.
    pub last: Option<(&'a str, Duration)>,
    pub seeds: usize,
    /// Something that keeps the hunt from going on, such as a full disk.
    pub trouble: Option<&'a str>,
}

/// Paints, or not.
pub struct Screen {
    terminal: bool,
    quiet: bool,
    painted: usize,
    last: Option<Instant>,
}

impl Screen {
    pub fn new(quiet: bool) -> Screen {
        Screen { terminal: std::io::stderr().is_terminal(), quiet, painted: 0, last: None }
    }

    /// Shows the state if it is time to.
    pub fn show(&mut self, tally: &Tally, facts: &Facts<'_>) {
        let due = if self.terminal { REPAINT } else { PLAIN };
        if self.quiet || self.last.is_some_and(|last| last.elapsed() < due) {
            return;
        }
        self.last = Some(Instant::now());
        let mut err = std::io::stderr().lock();
        if self.terminal {
            let lines = lines(tally, facts);
            let mut text =
                if self.painted > 0 { format!("\x1b[{}A\x1b[J", self.painted) } else { String::new() };
            // A line that is too long is cut at the edge: one that wraps would be painted over only in part.
            text.push_str("\x1b[?7l");
            lines.iter().for_each(|line| writeln!(text, "{line}").unwrap_or(()));
            text.push_str("\x1b[?7h");
            self.painted = lines.len();
            let _ = err.write_all(text.as_bytes());
        } else {
            let _ = writeln!(err, "{}", plain(tally, facts));
        }
    }

    /// Writes a line that stays, above the painted part.
    pub fn say(&mut self, line: &str) {
        if self.quiet {
            return;
        }
        let mut err = std::io::stderr().lock();
        if self.painted > 0 {
            let _ = write!(err, "\x1b[{}A\x1b[J", self.painted);
            self.painted = 0;
        }
        let _ = writeln!(err, "{line}");
    }
}

/// One line for logs.
pub fn plain(tally: &Tally, facts: &Facts<'_>) -> String {
    format!(
        "{}  cases {}  {:.0}/s  tests {}  in solvers {:.0} %  findings {}  bugs {}",
        clock(facts.elapsed),
        thousands(tally.cases),
        per_second(tally.cases, facts.elapsed),
        thousands(tally.tests),
        facts.in_solvers * 100.0,
        tally.findings,
        tally.bugs,
    )
}

/// Bugs by the release that fixed them, in a line; `None` if none was bisected.
pub fn classes(fixing: &BTreeMap<String, u64>) -> Option<String> {
    if fixing.is_empty() {
        return None;
    }
    let each: Vec<String> = fixing.iter().map(|(release, bugs)| format!("{release} ({bugs})")).collect();
    let word = if fixing.len() == 1 { "class" } else { "classes" };
    Some(format!("fixing releases  {} distinct {word}: {}", fixing.len(), each.join(", ")))
}

/// The painted lines.
pub fn lines(tally: &Tally, facts: &Facts<'_>) -> Vec<String> {
    let mut out = vec![format!(
        "falsum hunt ⊥  {}  key {}  {} worker{}   cases {}   {:.0}/s   in solvers {:.0} %",
        clock(facts.elapsed),
        facts.key,
        facts.workers,
        if facts.workers == 1 { "" } else { "s" },
        thousands(tally.cases),
        per_second(tally.cases, facts.elapsed),
        facts.in_solvers * 100.0,
    )];
    out.extend(table(tally, facts));
    match facts.last {
        Some((what, ago)) => out.push(format!("last bug  {} ago  {what}", clock(ago))),
        None => out.push("no bug yet".into()),
    }
    out.push(why_quiet(tally, facts));
    out
}

/// What each strategy brought, and what each target said.
pub fn table(tally: &Tally, facts: &Facts<'_>) -> Vec<String> {
    let mut out = vec![];
    out.push(format!(
        "{:<10} {:>9} {:>8} {:>10} {:>6} {:>9} {:>5}",
        "strategy", "cases", "valid", "certified", "t/o", "findings", "bugs"
    ));
    for (name, s) in &tally.strategies {
        out.push(format!(
            "{:<10} {:>9} {:>6.1} % {:>8.0} % {:>4.0} % {:>9} {:>5}",
            name,
            thousands(s.cases),
            s.valid_percent,
            percent(s.certified, s.cases),
            percent(s.timeouts, s.tests),
            s.findings,
            s.bugs,
        ));
    }
    out.push(format!(
        "{:<20} {:>8} {:>7} {:>7} {:>7} {:>6}",
        "target", "tests/s", "t/o", "unk", "err", "crash"
    ));
    for (name, t) in &tally.targets {
        out.push(format!(
            "{:<20} {:>8.0} {:>5.1} % {:>5.1} % {:>5.1} % {:>6}",
            name,
            per_second(t.tests, facts.elapsed),
            percent(t.timeouts, t.tests),
            percent(t.unknown, t.tests),
            percent(t.errors, t.tests),
            t.crashes,
        ));
    }
    out
}

/// Why nothing is happening, when nothing is.
fn why_quiet(tally: &Tally, facts: &Facts<'_>) -> String {
    if let Some(trouble) = facts.trouble {
        return format!("waiting because: {trouble}");
    }
    let slowest = tally.targets.iter().max_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
    let slowest = slowest.map_or_else(String::new, |(name, _)| format!("; most time goes to {name}"));
    let since = facts.last.map_or(facts.elapsed, |(_, ago)| ago);
    if since < Duration::from_secs(30) {
        return format!("{} seeds{slowest}", thousands(facts.seeds as u64));
    }
    format!(
        "quiet because: nothing new for {}; {} seeds{slowest}",
        clock(since),
        thousands(facts.seeds as u64)
    )
}

fn per_second(count: u64, elapsed: Duration) -> f64 {
    count as f64 / elapsed.as_secs_f64().max(1e-9)
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// `4m12s`.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m{s:02}s"),
        (h, m, s) => format!("{h}h{m:02}m{s:02}s"),
    }
}

/// `182,440`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_easy_to_read() {
        assert_eq!(thousands(182_440), "182,440");
        assert_eq!(thousands(7), "7");
        assert_eq!(clock(Duration::from_secs(252)), "4m12s");
        assert_eq!(clock(Duration::from_secs(3723)), "1h02m03s");
    }

    #[test]
    fn bugs_are_counted_by_the_release_that_fixed_them() {
        let fixing = BTreeMap::from([("z3@4.8.8".to_owned(), 3), ("z3, not fixed".to_owned(), 1)]);
        let line = "fixing releases  2 distinct classes: z3, not fixed (1), z3@4.8.8 (3)";
        assert_eq!(classes(&fixing).as_deref(), Some(line));
        assert_eq!(classes(&BTreeMap::new()), None);
    }

    #[test]
    fn the_screen_says_why_it_is_quiet() {
        let facts = Facts {
            key: "7f3a",
            workers: 2,
            elapsed: Duration::from_secs(67),
            in_solvers: 0.96,
            last: None,
            seeds: 1940,
            trouble: None,
        };
        let lines = lines(&Tally::default(), &facts);
        assert_eq!(lines[0], "falsum hunt ⊥  1m07s  key 7f3a  2 workers   cases 0   0/s   in solvers 96 %");
        assert_eq!(lines[lines.len() - 1], "quiet because: nothing new for 1m07s; 1,940 seeds");
    }
}
