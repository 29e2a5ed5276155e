//! Starting and resuming a campaign, and making the parts of its folder agree.
//!
//! After a kill the folder of a finding may lack its row, a row may lack its event, and a line or a folder may be
//! half-written. After worse failures anything may be damaged. All of that is found here, once, before anything new is
//! written. If a folder and a row disagree, the folder is right; a row is never deleted.

use crate::bug::{self, BugUpdate};
use crate::campaign::Campaign;
use crate::database;
use crate::disk::Files;
use crate::error::{Error, Problem, Result};
use crate::event::Event;
use crate::finding::{self, Finding, FindingId};
use crate::folder;
use crate::inside;
use crate::journal::{self, Journal};
use crate::lock::Lock;
use crate::rebuild;
use crate::state::State;
use crate::store::{Options, Said, Store, Totals};
use std::collections::BTreeMap;
use std::path::Path;

impl Store {
    pub fn create_with(dir: &Path, campaign: &Campaign, options: Options) -> Result<Store> {
        let files = Files::new(options.disk.clone());
        files.make_folder(dir)?;
        inside::own(dir)?;
        let lock = Lock::take(dir)?;
        let taken =
            [rebuild::CAMPAIGN, database::NAME, folder::FINDINGS].iter().any(|name| dir.join(name).exists());
        if taken {
            return Err(Error::Exists { dir: dir.to_owned() });
        }
        let started = rebuild::write_campaign(dir, &files, campaign)
            .and_then(|()| Store::start(dir, Some(campaign), options, files, lock, false));
        if started.is_err() {
            unmake(dir);
        }
        started
    }

    /// Resumes; refuses if `wanted` is another campaign than the folder's.
    pub fn resume_with(dir: &Path, wanted: Option<&Campaign>, options: Options) -> Result<Store> {
        if !dir.join(rebuild::CAMPAIGN).exists() && !database::path(dir).exists() {
            return Err(Error::Missing { dir: dir.to_owned() });
        }
        inside::own(dir)?;
        let files = Files::new(options.disk.clone());
        let lock = Lock::take(dir)?;
        Store::start(dir, wanted, options, files, lock, true)
    }

    fn start(
        dir: &Path,
        wanted: Option<&Campaign>,
        options: Options,
        files: Files,
        lock: Lock,
        resumed: bool,
    ) -> Result<Store> {
        files.permit(&database::path(dir), "database")?;
        let (mut problems, opened) = rebuild::open(dir, &files, wanted, resumed)?;
        files.make_folder(&dir.join(folder::FINDINGS))?;
        let (journal, torn) = Journal::open(dir)?;
        if torn > 0 {
            let what = format!("the last line was incomplete ({torn} bytes)");
            problems.push(Problem::new(journal::NAME, what, "cut off"));
        }
        let mut store = Store {
            dir: dir.to_owned(),
            files,
            db: opened.db,
            journal,
            state: opened.state,
            campaign: opened.campaign,
            options,
            problems,
            hits: BTreeMap::new(),
            totals: Totals::default(),
            follow_up: vec![],
            _lock: lock,
        };
        store.settle_findings(opened.rebuilt)?;
        store.totals = totals(&store.db)?;
        store.announce(wanted, resumed)?;
        Ok(store)
    }

    /// Makes rows, folders and events of findings agree.
    fn settle_findings(&mut self, rebuilt: bool) -> Result<()> {
        let (ids, _) = folder::list(&self.dir)?;
        let mut rows: BTreeMap<FindingId, Finding> =
            finding::all(&self.db)?.into_iter().map(|row| (row.id.clone(), row)).collect();
        let said = self.said()?;
        for id in &ids {
            match folder::read(&self.folder(id)) {
                Ok(meta) => {
                    let row = rows.remove(id);
                    self.settle_finding(&meta, row.as_ref(), &said)?;
                }
                Err(Error::Damaged { path, why }) => self.put_away(id, &path, &why)?,
                Err(Error::Refused { path, why }) => self.put_away(id, &path, why)?,
                Err(Error::Newer { found, .. }) => {
                    rows.remove(id);
                    let what = format!("has format {found}");
                    self.problems.push(Problem::new(format!("findings/{id}"), what, "not changed"));
                }
                Err(error) => return Err(error),
            }
        }
        for row in rows.into_values().filter(|row| row.kept) {
            let path = format!("findings/{}", row.id);
            let done = "the finding's recipe is still in the database";
            self.problems.push(Problem::new(path, "the folder is missing", done));
            let tx = self.begin()?;
            finding::put(&tx, &Finding { kept: false, ..row })?;
            self.end(tx)?;
        }
        if rebuilt {
            self.restore_triage()?;
        }
        self.journal.flush(&self.files)
    }

    /// Moves the folder of a finding that cannot be trusted aside.
    fn put_away(&mut self, id: &FindingId, path: &Path, why: &str) -> Result<()> {
        let name = smtlib::shown::path(path.strip_prefix(&self.dir).unwrap_or(path));
        let to = folder::quarantine(&self.dir, &self.files, id)?;
        self.problems.push(Problem::new(name, why, format!("the folder was moved to {to}")));
        Ok(())
    }

    fn settle_finding(&mut self, meta: &crate::Meta, row: Option<&Finding>, said: &Said) -> Result<()> {
        match row {
            Some(row) if row.bug != meta.bug => {
                self.move_rows(std::slice::from_ref(row), &meta.signature, false)?
            }
            Some(row) if *row == meta.row() => {}
            // There is no row, or it has no folder, or it is wrong: the folder is right.
            _ => return self.insert(&meta.row(), &meta.signature, said),
        }
        self.announce_finding(&meta.row(), &meta.signature, said);
        Ok(())
    }

    /// The findings and bugs that are in the event stream.
    fn said(&mut self) -> Result<Said> {
        let mut said = Said::new();
        let bad = journal::read(&self.dir, |stamped| {
            match stamped.event {
                Event::Finding { id, .. } => said.insert(id.0),
                Event::Bug { id, .. } => said.insert(id.0),
                _ => false,
            };
        })?;
        if bad > 0 {
            let what = format!("{bad} lines are not events");
            self.problems.push(Problem::new(journal::NAME, what, "not changed"));
        }
        Ok(said)
    }

    /// Restores what triage had learnt, from the folders of the representatives.
    fn restore_triage(&mut self) -> Result<()> {
        for mut bug in bug::all(&self.db)? {
            let path = self.folder(&bug.representative).join(bug::TRIAGE_FILE);
            let known = inside::read_file(&path).ok();
            let known = known.and_then(|text| serde_json::from_slice::<BugUpdate>(&text).ok());
            if let Some(known) = known {
                bug.learn(&known);
                let tx = self.begin()?;
                bug::put(&tx, &bug)?;
                self.end(tx)?;
            }
        }
        Ok(())
    }

    fn announce(&mut self, wanted: Option<&Campaign>, resumed: bool) -> Result<()> {
        let campaign = wanted.unwrap_or(&self.campaign).clone();
        self.journal.say(Event::CampaignStarted {
            key: campaign.key.clone(),
            strategies: campaign.strategies.clone(),
            targets: campaign.targets.iter().map(|target| target.name.clone()).collect(),
            shard: campaign.shard.to_string(),
            falsum: env!("CARGO_PKG_VERSION").to_owned(),
            resumed,
        });
        for text in self.campaign.changed_targets(&campaign) {
            self.journal.say(Event::Note { text });
        }
        for problem in &self.problems {
            self.journal.say(Event::Note { text: problem.to_string() });
        }
        self.journal.flush(&self.files)
    }
}

/// Removes all files of a campaign that could not start, so that it can be started again.
fn unmake(dir: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(database::with(&database::path(dir), ending));
    }
    let _ = std::fs::remove_file(dir.join(journal::NAME));
    let _ = std::fs::remove_dir(dir.join(folder::FINDINGS));
    let _ = std::fs::remove_file(dir.join(rebuild::CAMPAIGN));
}

/// Counts the findings and bugs.
pub(crate) fn totals(db: &rusqlite::Connection) -> Result<Totals> {
    let (bugs, findings): (i64, i64) =
        db.query_row("SELECT count(*), coalesce(sum(count), 0) FROM bugs", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let mut by_strategy = BTreeMap::new();
    let mut shown =
        db.prepare_cached("SELECT recipe FROM bugs JOIN findings ON findings.id = bugs.representative")?;
    let mut rows = shown.query([])?;
    while let Some(row) = rows.next()? {
        let recipe: strategy::Recipe = bug::parse(&row.get::<_, String>(0)?)?;
        *by_strategy.entry(recipe.strategy).or_default() += 1;
    }
    let panics: i64 = db.query_row("SELECT coalesce(sum(count), 0) FROM panics", [], |row| row.get(0))?;
    Ok(Totals { findings: findings as u64, bugs: bugs as u64, by_strategy, our_bugs: panics as u64 })
}

/// The result of `rebuild`.
pub(crate) struct Opened {
    pub db: rusqlite::Connection,
    pub state: State,
    pub campaign: Campaign,
    pub rebuilt: bool,
}
