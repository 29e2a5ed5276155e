//! `falsum status` of a cluster campaign: which shards run, how fast each is, and which found what.
//!
//! In: the folder of `falsum cluster`, with a folder per shard. Out: a page or one JSON document. It reads only the small
//! files in which running shards describe themselves, so it may be run on any machine at any time.

use smtlib::shown;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use store::{Beat, BugLine};

/// A shard that has not been heard of for this many seconds is taken for lost.
pub const LOST: u64 = 60;

/// How a shard stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    Running,
    Ended,
    /// It neither ended nor has been heard of lately.
    Lost,
    /// It never wrote anything.
    Waiting,
}

impl State {
    pub fn of(beat: Option<&Beat>) -> State {
        match beat {
            None => State::Waiting,
            Some(beat) if beat.ended.is_some() => State::Ended,
            Some(beat) if beat.age() > LOST => State::Lost,
            Some(_) => State::Running,
        }
    }

    fn word(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Ended => "ended",
            State::Lost => "lost",
            State::Waiting => "waiting",
        }
    }
}

#[derive(serde::Serialize)]
struct ShardStatus {
    folder: String,
    state: State,
    #[serde(flatten)]
    beat: Option<Beat>,
}

#[derive(serde::Serialize)]
struct FoundBug {
    #[serde(flatten)]
    bug: BugLine,
    /// The shards that hit it.
    shards: Vec<u64>,
}

/// The document of `status --json` for a cluster campaign.
#[derive(serde::Serialize)]
pub struct ClusterStatus {
    cases: u64,
    tests: u64,
    cases_per_s: f64,
    findings: u64,
    shards: Vec<ShardStatus>,
    bug_list: Vec<FoundBug>,
}

/// The status of a folder, if it is one of a cluster campaign.
pub fn of(dir: &Path) -> Option<ClusterStatus> {
    let beats = store::beats(dir);
    (!beats.is_empty()).then(|| summary(beats))
}

fn summary(beats: Vec<(PathBuf, Option<Beat>)>) -> ClusterStatus {
    let mut bugs: BTreeMap<String, FoundBug> = BTreeMap::new();
    let (mut cases, mut tests, mut findings, mut rate) = (0, 0, 0, 0.0);
    let mut shards = vec![];
    for (path, beat) in beats {
        let state = State::of(beat.as_ref());
        if let Some(beat) = &beat {
            // Another user's files may hold any numbers.
            cases = beat.progress.cases.saturating_add(cases);
            tests = beat.progress.tests.saturating_add(tests);
            findings = beat.progress.findings.saturating_add(findings);
            rate += if state == State::Running { beat.rate } else { 0.0 };
            for bug in &beat.bugs {
                let fresh = || FoundBug { bug: BugLine { count: 0, ..bug.clone() }, shards: vec![] };
                let known = bugs.entry(bug.id.clone()).or_insert_with(fresh);
                known.bug.count = known.bug.count.saturating_add(bug.count);
                known.shards.push(beat.shard.index);
            }
        }
        let folder = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        shards.push(ShardStatus { folder, state, beat });
    }
    let mut bug_list: Vec<FoundBug> = bugs.into_values().collect();
    bug_list.sort_by(|a, b| (a.bug.kind, &a.bug.id).cmp(&(b.bug.kind, &b.bug.id)));
    ClusterStatus { cases, tests, cases_per_s: rate, findings, shards, bug_list }
}

/// How many lines of shards and of bugs a page has.
const SHOWN: usize = 40;

pub fn page(status: &ClusterStatus) -> String {
    let mut text = String::new();
    let count = |state| status.shards.iter().filter(|shard| shard.state == state).count();
    let states = [State::Running, State::Ended, State::Lost, State::Waiting];
    let states: Vec<String> =
        states.iter().map(|&state| format!("{} {}", count(state), state.word())).collect();
    let _ = writeln!(text, "shards    {}: {}", status.shards.len(), states.join(", "));
    let _ = writeln!(
        text,
        "cases     {} ({:.1}/s now), {} tests",
        status.cases, status.cases_per_s, status.tests
    );
    let (hits, bugs) =
        (report::count(status.findings, "hit"), report::count(status.bug_list.len() as u64, "bug"));
    let _ = writeln!(text, "findings  {hits} of {bugs} (as the shards name them; a merge names them once)");
    let _ = writeln!(
        text,
        "\n{:<8} {:<8} {:>10} {:>9} {:>9} {:>6}  {:<16} heard of",
        "shard", "state", "cases", "cases/s", "findings", "bugs", "host"
    );
    for ShardStatus { folder, state, beat } in status.shards.iter().take(SHOWN) {
        let (folder, state) = (shown::text(folder), state.word());
        let Some(beat) = beat else {
            let _ = writeln!(text, "{folder:<8} {state:<8}");
            continue;
        };
        let ended = beat.ended.as_ref().map(|ended| format!(" ({})", shown::text(ended))).unwrap_or_default();
        let (p, host) = (&beat.progress, shown::text(&beat.host));
        let _ = writeln!(
            text,
            "{folder:<8} {state:<8} {:>10} {:>9.1} {:>9} {:>6}  {host:<16} {} s ago{ended}",
            p.cases,
            beat.rate,
            p.findings,
            p.bugs,
            beat.age()
        );
    }
    if status.shards.len() > SHOWN {
        let _ = writeln!(text, "and {} more (--json shows all)", status.shards.len() - SHOWN);
    }
    bugs_page(&mut text, &status.bug_list);
    text
}

fn bugs_page(text: &mut String, bugs: &[FoundBug]) {
    if bugs.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nbugs, worst first");
    for FoundBug { bug, shards } in bugs.iter().take(SHOWN) {
        let culprits = shown::text(&bug.culprits.join(", "));
        let first: Vec<String> = shards.iter().take(6).map(u64::to_string).collect();
        let more = if shards.len() > 6 { ", …" } else { "" };
        let hits = report::count(bug.count, "hit");
        let _ = writeln!(
            text,
            "  {}  {}  {culprits}  {hits} in {} ({}{more})",
            shown::text(&bug.id),
            bug.kind.word(),
            report::count(shards.len() as u64, "shard"),
            first.join(", ")
        );
    }
    if bugs.len() > SHOWN {
        let _ = writeln!(text, "  and {} more (--json shows all)", bugs.len() - SHOWN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{Progress, Shard};

    #[test]
    fn shards_that_say_anything_are_added_up_and_shown_without_control_characters() {
        let bug = |id: &str| BugLine {
            id: id.to_owned(),
            kind: oracle::FindingKind::Crash,
            culprits: vec!["z3\u{1b}]0;x\u{7}\nbugs, worst first".to_owned()],
            count: u64::MAX,
        };
        let beat = |index| Beat {
            time: if index == 0 { u64::MAX } else { 0 },
            host: "a\u{1b}[2J\nb".to_owned(),
            pid: 0,
            shard: Shard { index, count: 1 },
            ended: Some("\u{202e}".to_owned()),
            progress: Progress {
                cases: u64::MAX,
                tests: u64::MAX,
                findings: u64::MAX,
                ..Progress::default()
            },
            rate: f64::MAX,
            bugs: vec![bug("../../\u{1b}x"), bug("../../\u{1b}x")],
        };
        let beats = vec![("a\u{1b}\nb".into(), Some(beat(0))), ("c".into(), Some(beat(7)))];
        let status = summary(beats);
        assert_eq!((status.cases, status.bug_list[0].bug.count), (u64::MAX, u64::MAX));
        let page = page(&status);
        assert!(!page.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{page:?}");
        assert_eq!(page.lines().filter(|line| *line == "bugs, worst first").count(), 1, "{page}");
    }
}
