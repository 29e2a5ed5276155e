//! The progress display of a campaign: a listener to its events.
//!
//! On a terminal a few lines are repainted continuously; otherwise a plain line is printed now and then. A pure
//! function makes the lines, so they can be tested without a terminal. All numbers come from the campaign's one set of
//! counters.

use campaign::Listener;
use smtlib::shown;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use store::{Event, Stamped, Standing, Summary};

/// How often a terminal is repainted, and how often a plain line is written.
const REPAINT: Duration = Duration::from_millis(250);
const PLAIN: Duration = Duration::from_secs(10);

/// Whether to paint.
pub struct Screen {
    terminal: bool,
    quiet: bool,
    painted: usize,
    last: Option<Instant>,
    /// The campaign folder, as the user named it.
    folder: PathBuf,
    /// The last bug, for the painted lines.
    last_bug: Option<String>,
    /// The state of the campaign at the last event.
    standing: Standing,
}

impl Screen {
    pub fn new(quiet: bool, folder: PathBuf) -> Screen {
        let terminal = std::io::stderr().is_terminal();
        let (last_bug, standing) = (None, Standing::default());
        Screen { terminal, quiet, painted: 0, last: None, folder, last_bug, standing }
    }

    /// Shows the state if it is due.
    fn show(&mut self) {
        let due = if self.terminal { REPAINT } else { PLAIN };
        if self.quiet || self.last.is_some_and(|last| last.elapsed() < due) {
            return;
        }
        self.last = Some(Instant::now());
        let mut err = std::io::stderr().lock();
        if self.terminal {
            let lines = lines(&self.standing, self.last_bug.as_deref());
            let mut text =
                if self.painted > 0 { format!("\x1b[{}A\x1b[J", self.painted) } else { String::new() };
            // A line that is too long is cut at the edge: a wrapped line would be overpainted only in part.
            text.push_str("\x1b[?7l");
            lines.iter().for_each(|line| writeln!(text, "{line}").unwrap_or(()));
            text.push_str("\x1b[?7h");
            self.painted = lines.len();
            let _ = err.write_all(text.as_bytes());
        } else {
            let _ = writeln!(err, "{}", log_line(&self.standing));
        }
    }

    /// Writes a line that stays, above the painted part, unless the user wants quiet.
    fn say(&mut self, line: &str) {
        if !self.quiet {
            self.insist(line);
        }
    }

    /// Writes a line that the user must see.
    fn insist(&mut self, line: &str) {
        let mut err = std::io::stderr().lock();
        if self.painted > 0 {
            let _ = write!(err, "\x1b[{}A\x1b[J", self.painted);
            self.painted = 0;
        }
        // It contains names and messages from files and solvers.
        let _ = writeln!(err, "{}", report::escaped(line));
    }

    fn bug(&mut self, kind: oracle::FindingKind, culprits: &[String], finding: &str, follow_up: &[String]) {
        let folder = self.folder.join("findings").join(finding);
        let who = if culprits.is_empty() { "some solver".into() } else { culprits.join(", ") };
        let line = format!("{}  {}  ({})", kind.word(), shown::text(&who), shown::path(&folder));
        self.say(&format!("bug  {line}"));
        for command in follow_up {
            self.say(&format!("     {command}"));
        }
        self.last_bug = Some(line);
    }

    fn end(&mut self, summary: &Summary) {
        self.standing.summary = summary.clone();
        for line in table(&self.standing) {
            self.say(&line);
        }
        self.say(&log_line(&self.standing));
        if let Some(line) = classes(&self.standing.fixing_releases) {
            self.say(&line);
        }
    }
}

impl Listener for Screen {
    fn hear(&mut self, event: &Stamped) {
        match &event.event {
            Event::Standing(standing) => {
                self.standing = (**standing).clone();
                self.show();
            }
            // A bug to which triage only assigned its final signature has been shown already.
            Event::Bug { kind, culprits, finding, follow_up, .. } if !follow_up.is_empty() => {
                self.bug(*kind, culprits, finding.as_str(), follow_up);
            }
            Event::TriageEnded { finding, bytes_before, bytes_after, fixed_in, bugs_change, .. } => {
                let same = match bugs_change {
                    ..0 => ", a known bug",
                    0 => "",
                    1.. => ", another bug",
                };
                let fixed = match fixed_in.as_deref() {
                    Some("not fixed") => ", not fixed".into(),
                    Some(release) => format!(", fixed in {release}"),
                    None => String::new(),
                };
                self.say(&format!("reduced  {finding}  {bytes_before} to {bytes_after} bytes{fixed}{same}"));
            }
            Event::TargetDisabled { target, reason } => {
                self.insist(&format!("{} has been disabled: {}", shown::text(target), shown::text(reason)));
            }
            Event::Panic { id, place, message } => {
                self.insist(&format!(
                    "bug in falsum itself ({place}, panics/{id}): {}",
                    shown::text(message)
                ));
            }
            Event::Note { text } => self.say(&shown::text(text)),
            Event::Summary(summary) => self.end(summary),
            _ => {}
        }
    }
}

/// One line for logs.
pub fn log_line(standing: &Standing) -> String {
    let progress = &standing.summary.progress;
    format!(
        "{}  cases {}  {:.0}/s  tests {}  in solvers {:.0} %  findings {}  bugs {}",
        clock(seconds(standing.elapsed)),
        thousands(progress.cases),
        per_second(progress.cases, standing),
        thousands(progress.tests),
        standing.in_solvers * 100.0,
        progress.findings,
        progress.bugs,
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
fn lines(standing: &Standing, last_bug: Option<&str>) -> Vec<String> {
    let workers = standing.workers;
    let left = standing.left.filter(|left| *left > 0.0);
    let phase = match (standing.triage_only, left) {
        (true, _) => "  triage only".to_owned(),
        (false, Some(left)) => format!("  {} left", clock(seconds(left))),
        (false, None) => String::new(),
    };
    let mut out = vec![format!(
        "falsum hunt ⊥  {}{phase}  key {}  {workers} worker{}   cases {}   {:.0}/s   in solvers {:.0} %",
        clock(seconds(standing.elapsed)),
        standing.key,
        if workers == 1 { "" } else { "s" },
        thousands(standing.summary.progress.cases),
        per_second(standing.summary.progress.cases, standing),
        standing.in_solvers * 100.0,
    )];
    out.extend(table(standing));
    match (last_bug, standing.since_bug) {
        (Some(what), Some(ago)) => out.push(format!("last bug  {} ago  {what}", clock(seconds(ago)))),
        _ => out.push("no bug yet".into()),
    }
    if standing.triage > 0 {
        out.push(format!("triage  {} waiting or being reduced", standing.triage));
    }
    out.push(why_quiet(standing));
    out
}

/// The results of each strategy and the answers of each target.
fn table(standing: &Standing) -> Vec<String> {
    let mut out = vec![];
    out.push(format!(
        "{:<10} {:>9} {:>8} {:>10} {:>6} {:>9} {:>5}",
        "strategy", "cases", "valid", "certified", "t/o", "findings", "bugs"
    ));
    for (name, s) in &standing.summary.strategies {
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
    for (name, t) in &standing.summary.targets {
        out.push(format!(
            "{:<20} {:>8.0} {:>5.1} % {:>5.1} % {:>5.1} % {:>6}",
            shown::text(name),
            per_second(t.tests, standing),
            percent(t.timeouts, t.tests),
            percent(t.unknown, t.sat + t.unsat + t.unknown),
            percent(t.errors, t.tests),
            t.crashes,
        ));
    }
    out
}

/// Why nothing new has been found for a while, if so.
fn why_quiet(standing: &Standing) -> String {
    if let Some(trouble) = &standing.trouble {
        return format!("waiting because: {trouble}");
    }
    let slowest = standing.summary.targets.iter().max_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
    let slowest =
        slowest.map_or_else(String::new, |(name, _)| format!("; most time goes to {}", shown::text(name)));
    let since = seconds(standing.since_bug.unwrap_or(standing.elapsed));
    let seeds = thousands(standing.seeds as u64);
    if since < Duration::from_secs(30) {
        return format!("{seeds} seeds{slowest}");
    }
    format!("quiet because: nothing new for {}; {seeds} seeds{slowest}", clock(since))
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// Counts of the whole campaign over the whole campaign's time.
fn per_second(count: u64, standing: &Standing) -> f64 {
    let whole = standing.summary.progress.seconds.max(standing.elapsed);
    count as f64 / whole.max(1e-9)
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
        let standing = Standing {
            key: "7f3a".into(),
            workers: 2,
            elapsed: 67.0,
            in_solvers: 0.96,
            seeds: 1940,
            ..Standing::default()
        };
        let lines = lines(&standing, None);
        assert_eq!(lines[0], "falsum hunt ⊥  1m07s  key 7f3a  2 workers   cases 0   0/s   in solvers 96 %");
        assert_eq!(lines[lines.len() - 1], "quiet because: nothing new for 1m07s; 1,940 seeds");
    }
}
