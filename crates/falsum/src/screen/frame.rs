//! The lines of one frame: a pure function of the campaign's state and the size of the terminal.
//!
//! Lines come in order of importance, and as many as fit are shown: where the hunt is, what it has found, what is being
//! triaged; then, with more room, strategies and targets. All numbers come from the campaign's one set of counters.

use super::line::{Line, Tone};
use super::{clock, per_second, percent, seconds, thousands};
use smtlib::shown;
use std::time::Duration;
use store::{Division, Standing};

/// After this long without a new bug the screen says why it is quiet.
const QUIET: Duration = Duration::from_secs(30);

/// What the screen knows besides the campaign's state.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The title of the last new bug.
    pub last_bug: Option<String>,
    /// New bugs that turned out to be known ones.
    pub merged: u64,
}

/// The lines that fit into a terminal; the last row stays free for the cursor.
pub fn frame(standing: &Standing, seen: &Seen, width: usize, height: usize) -> Vec<Line> {
    let room = height.saturating_sub(1).max(1);
    let mut lines = vec![phase(standing, width), found(standing, seen), work(standing)];
    lines.push(triage(standing));
    lines.push(Tone::Dim.line(division(standing)));
    lines.truncate(room);
    let rest = room - lines.len();
    let (strategies, targets) = (strategies(standing), targets(standing));
    // Targets say more about a hunt that goes wrong, so they come first where there is not room for both.
    if rest > targets.len() {
        lines.push(Line::default());
        lines.extend(targets);
    }
    let rest = room.saturating_sub(lines.len());
    if rest > strategies.len() {
        lines.push(Line::default());
        lines.extend(strategies);
    } else if rest > 3 {
        lines.push(Line::default());
        let left_out = strategies.len() - (rest - 2);
        lines.extend(strategies.into_iter().take(rest - 2));
        lines.push(Tone::Dim.line(format!("… {left_out} more strategies: falsum status")));
    }
    if lines.len() < room {
        lines.extend(quiet(standing));
    }
    lines
}

/// Where the hunt is, and how long it goes on.
fn phase(standing: &Standing, width: usize) -> Line {
    let left = standing.left.filter(|left| *left > 0.0);
    let (word, rest) = match (standing.triage_only, left) {
        (true, _) => ("triage", "the hunt is over".to_owned()),
        (false, Some(left)) => ("hunting", format!("{} left", clock(seconds(left)))),
        (false, None) => ("hunting", String::new()),
    };
    let name = if width < 60 { "⊥ " } else { "falsum ⊥ " };
    let line = Tone::Strong.line(format!("{name}{word} {}", clock(seconds(standing.elapsed))));
    let line = if rest.is_empty() { line } else { line.and(Tone::Plain, format!(" · {rest}")) };
    let workers = if standing.workers == 1 { "worker" } else { "workers" };
    line.and(Tone::Dim, format!(" · key {} · {} {workers}", standing.key, standing.workers))
}

/// What was found, and when the last new bug came.
fn found(standing: &Standing, seen: &Seen) -> Line {
    let progress = &standing.summary.progress;
    let (bugs, findings) = (progress.bugs, progress.findings);
    if bugs == 0 {
        return Tone::Plain.line("no bug yet");
    }
    let mut line = Tone::Wrong.line(format!("{bugs} bug{}", if bugs == 1 { "" } else { "s" }));
    if seen.merged > 0 {
        line = line.and(Tone::Dim, format!(" ({} more merged)", seen.merged));
    }
    line = line.and(Tone::Dim, format!(" in {} findings", thousands(findings)));
    if let Some(ago) = standing.since_bug {
        line = line.and(Tone::Plain, format!(" · last {} ago", clock(seconds(ago))));
    }
    match &seen.last_bug {
        Some(title) => line.and(Tone::Plain, format!(": {title}")),
        None => line,
    }
}

fn work(standing: &Standing) -> Line {
    let progress = &standing.summary.progress;
    let text = format!(
        "cases {} · {:.0}/s · tests {} · in solvers {:.0} %",
        thousands(progress.cases),
        per_second(progress.cases, standing),
        thousands(progress.tests),
        standing.in_solvers * 100.0,
    );
    Tone::Plain.line(text).and(Tone::Dim, format!(" · seeds {}", thousands(standing.seeds as u64)))
}

/// What the workers' time went to.
pub fn division(standing: &Standing) -> String {
    let Division { asking, confirming, waiting, triage } = standing.division;
    let of_time = |share: f64| format!("{:.0} %", share * 100.0);
    format!(
        "workers: new cases {} · confirming {} · waiting {} · triage beside them {}",
        of_time(asking),
        of_time(confirming),
        of_time(waiting),
        of_time(triage),
    )
}

/// What is being triaged and how far it is.
fn triage(standing: &Standing) -> Line {
    if let Some(trouble) = &standing.trouble {
        return Tone::Wrong.line(format!("waiting: {}", shown::text(trouble)));
    }
    let waiting = standing.triage.saturating_sub(standing.triaging.len());
    match standing.triaging.first() {
        None if waiting == 0 => Tone::Dim.line("nothing to triage"),
        None => Tone::Plain.line(format!("triage: {waiting} waiting")),
        Some(now) => Tone::Plain
            .line(format!("triage: {}", shown::text(now)))
            .and(Tone::Dim, if waiting > 0 { format!(" · {waiting} waiting") } else { String::new() }),
    }
}

/// The results of each strategy, by the number of cases.
pub fn strategies(standing: &Standing) -> Vec<Line> {
    let mut out = vec![Tone::Dim.line(format!(
        "{:<10} {:>9} {:>8} {:>10} {:>6} {:>9} {:>5}",
        "strategy", "cases", "valid", "certified", "t/o", "accused", "bugs"
    ))];
    for (name, s) in &standing.summary.strategies {
        let text = format!(
            "{:<10} {:>9} {:>6.1} % {:>8.0} % {:>4.0} % {:>9} {:>5}",
            name,
            thousands(s.cases),
            // Of no cases none is invalid.
            if s.cases == 0 { 100.0 } else { s.valid_percent },
            percent(s.certified, s.cases),
            percent(s.timeouts, s.tests),
            s.findings,
            s.bugs,
        );
        out.push(Tone::Plain.line(text));
    }
    out
}

/// The answers of each target.
pub fn targets(standing: &Standing) -> Vec<Line> {
    let mut out = vec![Tone::Dim.line(format!(
        "{:<20} {:>8} {:>7} {:>7} {:>7} {:>6}",
        "target", "tests/s", "t/o", "unk", "err", "crash"
    ))];
    for (name, t) in &standing.summary.target_rows() {
        let text = format!(
            "{:<20} {:>8.0} {:>5.1} % {:>5.1} % {:>5.1} % {:>6}",
            shown::text(name),
            per_second(t.tests, standing),
            percent(t.timeouts, t.tests),
            percent(t.unknown, t.sat + t.unsat + t.unknown),
            percent(t.errors, t.tests),
            t.crashes,
        );
        out.push(if t.crashes > 0 { Tone::Wrong } else { Tone::Plain }.line(text));
    }
    out
}

/// Why nothing new has been found for a while, if so.
fn quiet(standing: &Standing) -> Option<Line> {
    let since = seconds(standing.since_bug.unwrap_or(standing.elapsed));
    if since < QUIET {
        return None;
    }
    let slowest = standing.summary.targets.iter().max_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds))?;
    let text = format!("nothing new for {}; most time goes to {}", clock(since), shown::text(slowest.0));
    Some(Tone::Dim.line(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing() -> Standing {
        let mut standing = Standing {
            key: "7f3a".into(),
            workers: 2,
            elapsed: 67.0,
            left: Some(533.0),
            in_solvers: 0.96,
            seeds: 1940,
            triage: 3,
            triaging: vec!["f-0123 reducing, 539 to 173 bytes, 4s".into()],
            ..Standing::default()
        };
        standing.summary.progress.cases = 12_345;
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            let status = store::StrategyStatus { cases: 10, ..store::StrategyStatus::default() };
            standing.summary.strategies.insert(name.into(), status);
        }
        standing.summary.targets.insert("z3@5.4.0".into(), store::TargetStatus::default());
        standing
    }

    fn text(width: usize, height: usize) -> Vec<String> {
        let lines = frame(&standing(), &Seen::default(), width, height);
        lines.iter().map(|line| line.shown(width, false)).collect()
    }

    #[test]
    fn a_small_terminal_shows_what_matters_most() {
        assert_eq!(
            text(40, 5),
            [
                "⊥ hunting 1m07s · 8m53s left · key 7f3a…",
                "no bug yet",
                "cases 12,345 · 184/s · tests 0 · in sol…",
                "triage: f-0123 reducing, 539 to 173 byt…",
            ]
        );
    }

    #[test]
    fn no_size_is_exceeded_and_a_large_terminal_shows_everything() {
        for (width, height) in [(1, 1), (20, 2), (40, 5), (40, 9), (80, 12), (80, 24), (200, 60)] {
            let lines = text(width, height);
            assert!(lines.len() < height.max(2), "{} lines in {height}", lines.len());
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{lines:?}");
        }
        let all = text(200, 60).join("\n");
        for part in ["strategy", "target", "z3@5.4.0", "nothing new for 1m07s", "2 waiting"] {
            assert!(all.contains(part), "{part}\n{all}");
        }
        assert!(text(80, 14).join("\n").contains("more strategies: falsum status"));
        let mut idle = standing();
        idle.summary.strategies.insert("idle".into(), store::StrategyStatus::default());
        let rows: Vec<String> = strategies(&idle).iter().map(|line| line.shown(80, false)).collect();
        assert!(rows.iter().any(|row| row.starts_with("idle") && row.contains("100.0 %")), "{rows:?}");
    }
}
