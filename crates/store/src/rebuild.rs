//! `campaign.toml` and `falsum.db`: opening them, and repairing them when one is damaged.
//!
//! A damaged file is moved aside as `NAME.corrupt-N`, never deleted. The campaign is stored in both, so each can be
//! restored from the other. Counters, cursors and cases are restored from the old database if their checksum matches;
//! otherwise the hunt starts over from the first unit. Since findings are named by content and stored in folders, none
//! is lost or duplicated by that.

use crate::campaign::Campaign;
use crate::commit;
use crate::database;
use crate::disk::{Files, free_name};
use crate::error::{Error, Problem, Result};
use crate::inside;
use crate::reconcile::Opened;
use crate::state::State;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const CAMPAIGN: &str = "campaign.toml";

/// Opens the database of a folder whose lock we hold.
pub(crate) fn open(
    dir: &Path,
    files: &Files,
    wanted: Option<&Campaign>,
    resumed: bool,
) -> Result<(Vec<Problem>, Opened)> {
    let mut problems = Vec::new();
    let written = read_campaign(dir);
    if let Err(error @ Error::Newer { .. }) = written {
        return Err(error);
    }
    let found = if database::path(dir).exists() {
        look(dir).map(Some)
    } else {
        if resumed {
            problems.push(Problem::new(database::NAME, "it is missing", "rebuilt from the findings"));
        }
        Ok(None)
    };
    let (state, db, stored) = match found {
        Ok(Some((state, db, stored))) => (state, Some(db), Some(stored)),
        Ok(None) => (State::default(), None, None),
        Err(error) if is_damage(&error) => (State::default(), None, aside_campaign(dir)),
        Err(error) => return Err(error),
    };
    let damaged = db.is_none() && database::path(dir).exists();
    let campaign = agree(dir, files, written, stored, &mut problems)?;
    // Refuse before anything is moved.
    if let Some(difference) = wanted.and_then(|wanted| campaign.difference(wanted)) {
        return Err(Error::Differs(difference));
    }
    let rebuilt = db.is_none();
    let (state, db) = match db {
        Some(db) => (state, db),
        None if damaged => rebuild(dir, &mut problems)?,
        None => (State::default(), database::create(dir)?),
    };
    let mut state = state;
    if rebuilt {
        let tx = Transaction::new_unchecked(&db, TransactionBehavior::Immediate)?;
        let text = crate::bug::json(&campaign);
        database::set_meta(&tx, "campaign.seal", &seal(&text))?;
        database::set_meta(&tx, "campaign", &text)?;
        state.save(&tx)?;
        tx.commit()?;
    }
    Ok((problems, Opened { db, state, campaign, rebuilt: rebuilt && resumed }))
}

/// Opens a database and reads everything in it that has to be right.
fn look(dir: &Path) -> Result<(State, Connection, Campaign)> {
    let db = database::open(dir)?;
    let state = State::load_sealed(&db)?;
    let campaign = stored_campaign(&db)?;
    crate::bug::all(&db)?;
    crate::finding::all(&db)?;
    Ok((state, db, campaign))
}

/// The campaign as the database has it.
pub(crate) fn stored_campaign(db: &Connection) -> Result<Campaign> {
    let text = database::meta(db, "campaign")?.unwrap_or_default();
    if database::meta(db, "campaign.seal")? != Some(seal(&text)) {
        return Err(Error::damaged(Path::new(database::NAME), "the campaign does not match its checksum"));
    }
    let campaign: Campaign = crate::bug::parse(&text)?;
    campaign.sound().map_err(|why| Error::damaged(Path::new(database::NAME), why))
}

/// The campaign in a database that is otherwise damaged.
fn aside_campaign(dir: &Path) -> Option<Campaign> {
    stored_campaign(&database::open_to_read(dir).ok()?).ok()
}

fn seal(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Whether an error on opening means that the contents are not what we wrote.
fn is_damage(error: &Error) -> bool {
    use rusqlite::ErrorCode::{ConstraintViolation, SchemaChanged, TypeMismatch, Unknown};
    match error {
        Error::Damaged { .. } => true,
        // A missing table or column is reported without an error code of its own.
        Error::Database(why) => {
            matches!(
                why.sqlite_error_code(),
                Some(Unknown | SchemaChanged | TypeMismatch | ConstraintViolation)
            )
        }
        _ => false,
    }
}

/// Reads `campaign.toml`.
pub(crate) fn read_campaign(dir: &Path) -> Result<Campaign> {
    let path = dir.join(CAMPAIGN);
    let bytes = inside::read_file(&path)?;
    let text = String::from_utf8(bytes).map_err(|_| Error::damaged(&path, "it is not text"))?;
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| Error::damaged(&path, error.message()))?;
    let format = table.get("format").and_then(toml::Value::as_integer).unwrap_or(0);
    if format > i64::from(crate::FORMAT) {
        let found = u32::try_from(format).unwrap_or(u32::MAX);
        return Err(Error::Newer { path, found, known: crate::FORMAT });
    }
    let campaign: Campaign =
        table.try_into().map_err(|error: toml::de::Error| Error::damaged(&path, error.message()))?;
    campaign.sound().map_err(|why| Error::damaged(&path, why))
}

pub(crate) fn write_campaign(dir: &Path, files: &Files, campaign: &Campaign) -> Result<()> {
    let path = dir.join(CAMPAIGN);
    let text = toml::to_string(campaign).map_err(|error| Error::damaged(&path, error))?;
    let text = format!("# Written by falsum; a record, not a configuration.\n{text}");
    files.replace(&path, text.as_bytes(), 0o644)
}

/// Decides what the campaign is, from the two places where it is stored.
fn agree(
    dir: &Path,
    files: &Files,
    written: Result<Campaign>,
    stored: Option<Campaign>,
    problems: &mut Vec<Problem>,
) -> Result<Campaign> {
    let (what, stored) = match (written, stored) {
        (Ok(written), Some(stored)) if written != stored => {
            ("it disagrees with the database".to_owned(), stored)
        }
        (Ok(written), _) => return Ok(written),
        (Err(Error::Damaged { why, .. }), Some(stored)) => (why, stored),
        (Err(error), _) => return Err(error),
    };
    let path = dir.join(CAMPAIGN);
    if path.exists() {
        files.rename(&path, &free_name(&path, "corrupt"))?;
    }
    write_campaign(dir, files, &stored)?;
    problems.push(Problem::new(CAMPAIGN, what, "rewritten from the database"));
    Ok(stored)
}

/// Moves a damaged database aside and makes a new one from what can be read of it.
fn rebuild(dir: &Path, problems: &mut Vec<Problem>) -> Result<(State, Connection)> {
    let why = match look(dir) {
        Err(error) => error.to_string(),
        Ok(_) => "it could not be read".to_owned(),
    };
    let aside = move_aside(dir)?;
    let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let db = database::create(dir)?;
    let (state, saved) = salvage(&aside, &db)?;
    problems.push(Problem::new(database::NAME, why, format!("moved to {name}; {saved}")));
    Ok((state, db))
}

fn move_aside(dir: &Path) -> Result<PathBuf> {
    let path = database::path(dir);
    let aside = free_name(&path, "corrupt");
    for ending in ["-wal", "-shm", ""] {
        match fs::rename(database::with(&path, ending), database::with(&aside, ending)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io(&path, error));
            }
            _ => {}
        }
    }
    Ok(aside)
}

/// Restores counters, cursors and cases, if their checksum matches; returns a description of what was restored.
fn salvage(aside: &Path, db: &Connection) -> Result<(State, String)> {
    let nothing = "findings are kept, the hunt starts over".to_owned();
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let Ok(old) = Connection::open_with_flags(aside, flags) else { return Ok((State::default(), nothing)) };
    let old = database::guarded(old)?;
    let Ok(sealed) = State::load_sealed(&old) else { return Ok((State::default(), nothing)) };
    let mut state = sealed.clone().unsaved();
    let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
    let copied = commit::copy_rows(&old, &sealed, &tx, &mut state).or_else(|error| match error {
        error if is_damage(&error) => Ok(commit::Copied { cases: 0, broken: true }),
        error => Err(error),
    })?;
    tx.commit()?;
    let all = if copied.broken { "those that could be read" } else { "all" };
    Ok((state, format!("findings, counters and {} cases ({all}) are kept", copied.cases)))
}
