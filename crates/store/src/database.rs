//! Opening `falsum.db`: the settings, and how we check that it is ours and undamaged.
//!
//! Write-ahead logging lets readers read while the one writer writes. Commits are not synced one by one: a kill loses
//! none of them, a power cut may lose the last ones, and those units are then done again (findings are synced as
//! folders before their row is written). On a network file system there is a rollback journal instead.

use crate::error::{Error, Result};
use crate::filesystem;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) const NAME: &str = "falsum.db";
const SCHEMA: &str = include_str!("schema.sql");
/// "fals" in ASCII: distinguishes our databases from others.
const APPLICATION: i32 = 0x6661_6c73;
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn path(dir: &Path) -> PathBuf {
    dir.join(NAME)
}

/// The path with a suffix; it need not be valid text.
pub(crate) fn with(path: &Path, ending: &str) -> PathBuf {
    let mut whole = path.as_os_str().to_owned();
    whole.push(ending);
    whole.into()
}

/// Makes a new, empty database.
pub(crate) fn create(dir: &Path) -> Result<Connection> {
    let mut db = Connection::open(path(dir))?;
    configure(&db, filesystem::network(dir).is_some())?;
    let tx = db.transaction()?;
    tx.execute_batch(SCHEMA)?;
    tx.pragma_update(None, "application_id", APPLICATION)?;
    tx.pragma_update(None, "user_version", crate::FORMAT)?;
    set_meta(&tx, "format", &crate::FORMAT.to_string())?;
    tx.commit()?;
    Ok(db)
}

/// Opens a database for writing after checking every page of it.
pub(crate) fn open(dir: &Path) -> Result<Connection> {
    let path = path(dir);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    whole_pages(&path)?;
    let db = guarded(Connection::open_with_flags(&path, flags)?)?;
    identify(&db, &path)?;
    configure(&db, filesystem::network(dir).is_some())?;
    let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict != "ok" {
        return Err(Error::damaged(&path, verdict.lines().next().unwrap_or("quick_check failed")));
    }
    Ok(db)
}

/// Opens a database for reading, also while another process writes it.
pub(crate) fn open_to_read(dir: &Path) -> Result<Connection> {
    let path = path(dir);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let db = guarded(Connection::open_with_flags(&path, flags)?)?;
    db.busy_timeout(PATIENCE)?;
    let probe =
        |db: &Connection| db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
    match probe(&db) {
        // In a folder that we may not write there is no index of the log: read the file as it is.
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if matches!(failure.code, rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly) =>
        {
            let db = guarded(Connection::open_with_flags(immutable(&path), flags)?)?;
            probe(&db)?;
            Ok(db)
        }
        result => {
            result?;
            ours(&db, &path)?;
            Ok(db)
        }
    }
}

/// Refuses a database that is not falsum's; SQLite accepts an empty file as one.
fn ours(db: &Connection, path: &Path) -> Result<()> {
    let application: i32 = db.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    match () {
        () if application == APPLICATION => Ok(()),
        () if std::fs::metadata(path).is_ok_and(|found| found.len() == 0) => {
            Err(Error::damaged(path, "it is empty"))
        }
        () => Err(Error::damaged(path, "not a database of falsum")),
    }
}

/// Another user may have made the database: actions in its schema (triggers, views in place of tables) are disabled,
/// and it cannot make SQLite write outside its tables.
pub(crate) fn guarded(db: Connection) -> Result<Connection> {
    use rusqlite::config::DbConfig;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    for act in [
        DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER,
        DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW,
    ] {
        db.set_db_config(act, false)?;
    }
    Ok(db)
}

fn immutable(path: &Path) -> String {
    let name: String = path.to_string_lossy().chars().fold(String::new(), |mut uri, c| {
        match c {
            '%' => uri.push_str("%25"),
            '?' => uri.push_str("%3f"),
            '#' => uri.push_str("%23"),
            c => uri.push(c),
        }
        uri
    });
    format!("file:{name}?immutable=1")
}

/// `shared`: several machines see the file, so there is no write-ahead log.
fn configure(db: &Connection, shared: bool) -> Result<()> {
    db.busy_timeout(PATIENCE)?;
    db.set_prepared_statement_cache_capacity(64);
    let mode = if shared { "TRUNCATE" } else { "WAL" };
    db.pragma_update_and_check(None, "journal_mode", mode, |_| Ok(()))?;
    db.execute_batch(
        "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;
         PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;",
    )?;
    Ok(())
}

/// SQLite does not notice an incomplete page at the end. If there is a log beside it, the log has that page.
fn whole_pages(path: &Path) -> Result<()> {
    const LEAST_PAGE: u64 = 512;
    let length = std::fs::metadata(path).map_err(|error| Error::io(path, error))?.len();
    let log = with(path, "-wal");
    let logged = std::fs::metadata(log).is_ok_and(|log| log.len() > 0);
    if length % LEAST_PAGE != 0 && !logged {
        return Err(Error::damaged(path, "its last page is incomplete"));
    }
    Ok(())
}

/// Refuses a database that is not ours or newer than this falsum.
fn identify(db: &Connection, path: &Path) -> Result<()> {
    ours(db, path)?;
    // The format is stored twice, so that a flipped bit is not taken for a newer falsum.
    let found: u32 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let again = meta(db, "format").ok().flatten().and_then(|format| format.parse().ok());
    match (found, again) {
        (crate::FORMAT, Some(crate::FORMAT)) => Ok(()),
        (found, again) if found > crate::FORMAT && again.is_none_or(|again| again == found) => {
            Err(Error::Newer { path: path.to_owned(), found, known: crate::FORMAT })
        }
        (found, _) => Err(Error::damaged(path, format!("it claims format {found}"))),
    }
}

/// An entry of the table `meta`.
pub(crate) fn meta(db: &Connection, name: &str) -> Result<Option<String>> {
    use rusqlite::OptionalExtension;
    let mut find = db.prepare_cached("SELECT value FROM meta WHERE name = ?1")?;
    Ok(find.query_row([name], |row| row.get(0)).optional()?)
}

pub(crate) fn set_meta(db: &Connection, name: &str, value: &str) -> Result<()> {
    let mut set = db.prepare_cached("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?;
    set.execute((name, value))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_several_machines_see_has_no_write_ahead_log_and_is_read_while_it_is_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let writer = create(dir.path()).expect("created");
        configure(&writer, true).expect("configured");
        set_meta(&writer, "a", "b").expect("set");
        assert!(!with(&path(dir.path()), "-wal").exists());
        let reader = open_to_read(dir.path()).expect("opened");
        assert_eq!(meta(&reader, "a").expect("read").as_deref(), Some("b"));
        set_meta(&writer, "a", "c").expect("set");
        assert_eq!(meta(&reader, "a").expect("read").as_deref(), Some("c"));
    }
}
