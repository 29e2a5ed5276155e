//! Listeners to a campaign besides the screen: events as JSON Lines, and REPORT.md in the folder of each bug.

use crate::demonstrations;
use campaign::Listener;
use serde::Serialize;
use solver::{QueryLimits, Target};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{Event, Stamped, Store, Summary};

/// Prints events as JSON Lines on stdout; the last one is the summary.
#[derive(Default)]
pub struct Json {
    /// The reader closed the pipe.
    gone: bool,
    fixing_releases: BTreeMap<String, u64>,
}

/// The last line: the store's summary and figures of the running process.
#[derive(Serialize)]
struct Last<'a> {
    event: &'static str,
    #[serde(flatten)]
    summary: &'a Summary,
    our_bugs: u64,
    /// Bugs by the release that fixed them; the number of classes is a certain lower bound for the number of bugs.
    fixing_releases: &'a BTreeMap<String, u64>,
    /// Processor time of falsum itself, as a share of falsum's and the solvers' together.
    outside_solvers: f64,
}

impl Json {
    /// Whole lines, each flushed: the reader may be another program. A closed pipe is not an error of ours.
    fn print(&mut self, value: &impl Serialize) {
        let line = serde_json::to_string(value).unwrap_or_default();
        let mut out = std::io::stdout().lock();
        let written = writeln!(out, "{line}").and_then(|()| out.flush());
        self.gone |= written.is_err();
    }
}

impl Listener for Json {
    fn hear(&mut self, event: &Stamped) {
        match &event.event {
            Event::Standing(standing) => self.fixing_releases.clone_from(&standing.fixing_releases),
            Event::Summary(summary) => {
                let our_bugs = summary.verdicts.get("our-bug").copied().unwrap_or(0);
                let fixing_releases = std::mem::take(&mut self.fixing_releases);
                self.print(&Last {
                    event: "summary",
                    summary,
                    our_bugs,
                    fixing_releases: &fixing_releases,
                    outside_solvers: outside_share(),
                });
            }
            _ => self.print(event),
        }
    }

    fn is_gone(&self) -> bool {
        self.gone
    }
}

/// Processor time of this process as a share of its own and its children's.
fn outside_share() -> f64 {
    let read = || -> Option<f64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |n: usize| fields.get(n)?.parse::<f64>().ok();
        let (own, children) = (ticks(11)? + ticks(12)?, ticks(13)? + ticks(14)?);
        Some(own / (own + children).max(1.0))
    };
    read().unwrap_or(0.0)
}

/// Keeps `REPORT.md` in the folder of each bug's representative finding up to date.
pub struct Drafts {
    dir: PathBuf,
    /// The solvers of the campaign, for the commands of drafts.
    targets: Vec<Target>,
    limits: QueryLimits,
}

/// How long the commands of bugs that were not triaged may take at the end of a hunt.
const CATCH_UP: Duration = Duration::from_secs(5);

impl Drafts {
    pub fn new(dir: &Path, targets: Vec<Target>, limits: QueryLimits) -> Drafts {
        Drafts { dir: dir.to_owned(), targets, limits }
    }

    /// Writes the draft of one bug, or of all. If the folder cannot be written, the writer of findings reports it.
    fn write(&self, only: Option<&store::BugId>) -> Option<()> {
        let view = Store::read(&self.dir).ok()?;
        if only.is_none() {
            demonstrations::catch_up(&view, &self.targets, &self.limits, CATCH_UP);
        }
        let options =
            report::Options { only: only.map(|bug| bug.as_str().to_owned()), ..report::Options::default() };
        let report = report::Report::read(&view, &options).ok()?;
        for bug in &report.bugs {
            let Some(id) = store::FindingId::parse(&bug.finding) else { continue };
            let file = view.folder(&id).join("REPORT.md");
            let _ = demonstrations::write(&file, report::draft(&report, bug).as_bytes());
        }
        Some(())
    }
}

impl Listener for Drafts {
    fn hear(&mut self, event: &Stamped) {
        let _ = match &event.event {
            Event::TriageEnded { bug, .. } => self.write(Some(bug)),
            Event::Summary(summary) if summary.progress.findings > 0 => self.write(None),
            _ => None,
        };
    }
}
