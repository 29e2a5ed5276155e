//! The progress display of a campaign: a listener to its events.
//!
//! On a terminal a few lines are repainted continuously (`frame`), at any size, and typed keys do not disturb them
//! (`terminal`); otherwise a plain line is printed now and then. Lines that stay are written above the painted part: one
//! per bug, when it is found and again when triage knows what it is. The commands to go on with come once, at the end.

mod frame;
mod line;
mod terminal;

use campaign::Listener;
use frame::{Seen, frame};
use line::{Line, Tone};
use smtlib::shown;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use store::{BugId, Event, FindingId, Stamped, Standing, Store, Summary};

/// How often a terminal is repainted, and how often a plain line is written.
const REPAINT: Duration = Duration::from_millis(250);
const PLAIN: Duration = Duration::from_secs(10);

/// How many bugs the last page lists.
const LISTED: usize = 10;

/// Whether to paint, and what was painted.
pub struct Screen {
    terminal: bool,
    quiet: bool,
    /// The widths of the painted lines.
    painted: Vec<usize>,
    last: Option<Instant>,
    /// The campaign folder, as the user named it.
    folder: PathBuf,
    seen: Seen,
    /// Bugs whose line has been written: further samples of them are only counted.
    told: BTreeSet<BugId>,
    /// Commands for the bugs of this run, by their first finding.
    follow_up: BTreeMap<FindingId, Vec<String>>,
    /// The state of the campaign at the last event.
    standing: Standing,
}

impl Screen {
    pub fn new(quiet: bool, folder: PathBuf) -> Screen {
        let terminal = std::io::stderr().is_terminal();
        if terminal && !quiet {
            terminal::silence_keys();
        }
        Screen {
            terminal,
            quiet,
            painted: vec![],
            last: None,
            folder,
            seen: Seen::default(),
            told: BTreeSet::new(),
            follow_up: BTreeMap::new(),
            standing: Standing::default(),
        }
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
            let (width, height) = terminal::size();
            let lines = frame(&self.standing, &self.seen, width, height);
            let mut text = self.erasure(width);
            // A character in the last column must not move the cursor to the next line.
            text.push_str("\x1b[?7l");
            for line in &lines {
                text += &line.shown(width, crate::paint::is_coloured(&std::io::stderr()));
                text.push_str("\r\n");
            }
            text.push_str("\x1b[?7h");
            self.painted = lines.iter().map(|line| line.plain().chars().count().min(width)).collect();
            let _ = err.write_all(text.as_bytes());
        } else {
            let _ = writeln!(err, "{}", log_line(&self.standing));
        }
    }

    /// What removes the painted lines. A terminal that became narrower has wrapped them.
    fn erasure(&self, width: usize) -> String {
        let rows: usize = self.painted.iter().map(|length| length.div_ceil(width.max(1)).max(1)).sum();
        if rows > 0 { format!("\x1b[{rows}A\r\x1b[J") } else { String::new() }
    }

    /// Writes a line that stays, above the painted part, unless the user wants quiet.
    fn say(&mut self, line: &str) {
        self.say_line(&Tone::Plain.line(line));
    }

    fn say_line(&mut self, line: &Line) {
        if !self.quiet {
            self.insist(line);
        }
    }

    /// Writes a line that the user must see.
    fn insist(&mut self, line: &Line) {
        let mut err = std::io::stderr().lock();
        let erasure = if self.terminal { self.erasure(terminal::size().0) } else { String::new() };
        self.painted.clear();
        let coloured = crate::paint::is_coloured(&std::io::stderr());
        // It contains names and messages from files and solvers, which were escaped before they were coloured.
        let _ = writeln!(err, "{erasure}{}", line.shown(usize::MAX, coloured));
    }

    /// The title of a bug, with the facts that triage found, if its folder can be read.
    fn facts_of(&self, bug: &BugId) -> Option<(String, String)> {
        let options = report::Options { only: Some(bug.as_str().to_owned()), ..report::Options::default() };
        let report = report::Report::read(&Store::read(&self.folder).ok()?, &options).ok()?;
        let bug = report.bugs.first()?;
        Some((report::escaped(&bug.title.replace('`', "")), facts(bug)))
    }

    fn bug(&mut self, kind: oracle::FindingKind, culprits: &[String]) {
        let who = if culprits.is_empty() { "some solver".into() } else { culprits.join(", ") };
        let what = format!("{} by {}", kind.word(), shown::text(&who));
        self.say_line(&Tone::Wrong.line("new bug  ").and(Tone::Plain, what.clone()));
        self.seen.last_bug = Some(what);
    }

    fn triaged(&mut self, bug: &BugId, bytes: (u64, u64), change: i64) {
        if change < 0 {
            self.seen.merged += 1;
        }
        if !self.told.insert(bug.clone()) {
            return;
        }
        let same = if change > 0 { " · another bug than it seemed" } else { "" };
        let Some((title, facts)) = self.facts_of(bug) else { return };
        let size = format!(" · {} to {} bytes", thousands(bytes.0), thousands(bytes.1));
        self.say_line(
            &Tone::Strong.line(format!("triaged  {title}")).and(Tone::Dim, format!("{size}{facts}{same}")),
        );
        self.seen.last_bug = Some(title);
    }

    fn end(&mut self, summary: &Summary) {
        self.standing.summary = summary.clone();
        terminal::restore();
        if !self.quiet {
            let tables = [frame::strategies(&self.standing), frame::targets(&self.standing)];
            tables.concat().iter().for_each(|line| self.say_line(line));
            // An enumeration is a list of units: nothing says how its workers divide their time.
            if self.standing.elapsed > 0.0 {
                self.say(&log_line(&self.standing));
                self.say(&frame::division(&self.standing));
            }
        }
        if let Some(line) = classes(&self.standing.fixing_releases) {
            self.say(&line);
        }
        if let Some(count) = summary.verdicts.get("flaky").filter(|count| **count > 0 && !self.quiet) {
            let place = shown::path(&self.folder.join("flaky"));
            self.say(&format!("not confirmed  {count}, kept with what was seen in {place}"));
        }
        if summary.progress.bugs > 0 {
            self.list();
        }
    }

    /// The bugs, worst first, and what to do next.
    fn list(&mut self) -> Option<()> {
        let report =
            report::Report::read(&Store::read(&self.folder).ok()?, &report::Options::default()).ok()?;
        self.say("");
        for bug in report.bugs.iter().take(LISTED) {
            let title = report::escaped(&bug.title.replace('`', ""));
            let line = Tone::Wrong.line(format!("{:>3}. ", bug.rank)).and(Tone::Plain, title);
            let place = self.folder.join("findings").join(&bug.finding);
            let rest = format!("{} · {} · {}", facts(bug), bug.id, shown::path(&place));
            self.say_line(&line.and(Tone::Dim, rest));
        }
        if let Some(more) = report.bugs.len().checked_sub(LISTED).filter(|more| *more > 0) {
            self.say(&format!("     and {more} more"));
        }
        self.say("");
        // Commands can be pasted in any folder.
        let folder = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let first = report.bugs.iter().find(|bug| bug.demonstration().is_some());
        let about = first.or(report.bugs.first()).map(|bug| bug.finding.as_str());
        let mut commands = std::mem::take(&mut self.follow_up);
        commands.retain(|finding, _| Some(finding.as_str()) == about);
        let commands: Vec<String> = commands.into_values().flatten().collect();
        if let Some(bug) = first {
            let draft = folder.join("findings").join(&bug.finding).join("REPORT.md");
            self.say(&format!("next  read the draft of the worst one: {}", shown::path(&draft)));
        } else if commands.is_empty() {
            self.say("next");
        } else {
            self.say("next  the verdict and its evidence, a smaller formula, the report:");
        }
        for command in commands.iter().filter(|command| first.is_none() || is_check(command)) {
            self.say(&format!("      {command}"));
        }
        let folder = shown::word(folder);
        if first.is_some() {
            self.say(&format!("      falsum report {folder} --format issues     all drafts, by project"));
            self.say(&format!("      falsum report {folder} --format html --open"));
        }
        Some(())
    }
}

fn is_check(command: &str) -> bool {
    command.starts_with("falsum check")
}

/// The theory, the affected releases and whether it is to be sent.
fn facts(bug: &report::BugReport) -> String {
    let fixed = match (&bug.fixed_in, &bug.first_bad) {
        (Some(release), _) => format!(" · fixed in {}", shown::text(release)),
        (None, Some(_)) => " · not fixed".to_owned(),
        (None, None) => String::new(),
    };
    let due = match bug.due {
        report::Due::Unproven => " · only by a vote",
        report::Due::Known => " · known",
        report::Due::Unshown => " · no draft",
        _ => "",
    };
    let last = if bug.exotic.is_some() { " · exotic operators" } else { "" };
    format!("{fixed}{due}{last}")
}

impl Drop for Screen {
    fn drop(&mut self) {
        terminal::restore();
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
                self.bug(*kind, culprits);
                self.follow_up.insert(finding.clone(), follow_up.clone());
            }
            Event::TriageEnded { bug, bytes_before, bytes_after, bugs_change, .. } => {
                self.triaged(bug, (*bytes_before, *bytes_after), *bugs_change);
            }
            Event::TargetDisabled { target, reason } => {
                let text = format!("{} has been disabled: {}", shown::text(target), shown::text(reason));
                self.insist(&Tone::Wrong.line(text));
            }
            Event::Panic { id, place, message } => {
                let text = format!("bug in falsum itself ({place}, panics/{id}): {}", shown::text(message));
                self.insist(&Tone::Wrong.line(text));
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

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// Counts of the whole campaign over the whole campaign's time, which is at least a second: the first case of a hunt
/// says nothing about its rate.
fn per_second(count: u64, standing: &Standing) -> f64 {
    let whole = standing.summary.progress.seconds.max(standing.elapsed);
    count as f64 / whole.max(1.0)
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
    fn lines_that_a_narrow_terminal_has_wrapped_are_all_removed() {
        let mut screen = Screen::new(true, PathBuf::new());
        assert_eq!(screen.erasure(80), "");
        screen.painted = vec![80, 10, 0];
        assert_eq!(screen.erasure(80), "\x1b[3A\r\x1b[J");
        assert_eq!(screen.erasure(30), "\x1b[5A\r\x1b[J");
    }
}
