//! `evolution.db`: a grid of releases × formulas that only ever grows.
//!
//! In: the answer of one release to one formula, once. Out: all of them, for tables and plots. A cell is stored under
//! the release's name *and* the hash of the program, and the grid as a whole under the limits and the kind of session
//! it was measured with, so that results that cannot be compared are never mixed; a release that was replaced under the
//! same name loses its cells. Adding a release later runs only that release, and a killed run resumes where it stopped:
//! cells are committed in blocks, each block in one transaction.

use crate::error::{Error, Result};
use crate::lock::Lock;
use rusqlite::{Connection, OptionalExtension};
use std::path::{Path, PathBuf};

const NAME: &str = "evolution.db";

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS release (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, hash TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS theory (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, hash TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cell (
  theory INTEGER NOT NULL, release INTEGER NOT NULL, number INTEGER NOT NULL, fresh INTEGER NOT NULL,
  answer TEXT NOT NULL, ended TEXT NOT NULL, model TEXT NOT NULL, cpu INTEGER NOT NULL, wall INTEGER NOT NULL,
  PRIMARY KEY (theory, release, fresh, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS truth (
  theory INTEGER NOT NULL, number INTEGER NOT NULL, satisfiable INTEGER, PRIMARY KEY (theory, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS trial (
  theory INTEGER NOT NULL, release INTEGER NOT NULL, number INTEGER NOT NULL, verdict TEXT NOT NULL,
  certified INTEGER NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (theory, release, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS settled (
  theory INTEGER NOT NULL, release INTEGER NOT NULL, upto INTEGER NOT NULL,
  PRIMARY KEY (theory, release)) WITHOUT ROWID;
";

/// The answer of one release to one formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The formula's index in its grammar.
    pub number: u64,
    /// `sat`, `unsat`, `unknown`, or empty.
    pub answer: String,
    /// How the run ended: `ended`, `cpu`, `wall`, `memory`, `crash`, `error`, ….
    pub ended: String,
    /// The result of evaluating the model: `confirmed`, `refuted`, `open` (true or false only for some interpretation
    /// of what the standard leaves open), `undecided`, or empty without a model.
    pub model: String,
    /// Processor time, in microseconds.
    pub cpu: u64,
    pub wall: u64,
}

impl Cell {
    pub fn is_definite(&self) -> bool {
        matches!(self.answer.as_str(), "sat" | "unsat")
    }
}

/// The result of checking a suspicion in fresh processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    pub number: u64,
    /// A kind of finding, or `not-confirmed`, or `doubtful` with the reason in `detail`.
    pub verdict: String,
    /// Whether a certificate of ours supports it, not only another solver's answer.
    pub certified: bool,
    pub detail: String,
}

/// A release or a theory of this grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Axis(i64);

/// The grid, open for reading and writing by one process.
#[derive(Debug)]
pub struct Grid {
    db: Connection,
    _lock: Lock,
}

impl Grid {
    /// Opens or creates the grid in a folder. `terms` says how its cells are measured; a grid that was measured
    /// differently is refused.
    pub fn open(dir: &Path, terms: &str) -> Result<Grid> {
        std::fs::create_dir_all(dir).map_err(|error| Error::io(dir, error))?;
        let lock = Lock::take(dir)?;
        let db = Connection::open(path(dir))?;
        db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
        db.execute_batch(SCHEMA)?;
        let known: Option<String> =
            db.query_row("SELECT value FROM meta WHERE name = 'terms'", [], |row| row.get(0)).optional()?;
        match known {
            Some(known) if known != terms => {
                return Err(Error::Unknown(format!(
                    "{} was measured with {known}, not with {terms}",
                    smtlib::shown::path(&path(dir))
                )));
            }
            Some(_) => {}
            None => {
                db.execute("INSERT INTO meta VALUES ('terms', ?1)", [terms])?;
            }
        }
        Ok(Grid { db, _lock: lock })
    }

    /// The release of this name; cells of another binary of that name are deleted.
    pub fn release(&mut self, name: &str, hash: &str) -> Result<Axis> {
        self.axis("release", name, hash)
    }

    /// The theory of this name; cells of another grammar of that name are deleted.
    pub fn theory(&mut self, name: &str, hash: &str) -> Result<Axis> {
        self.axis("theory", name, hash)
    }

    fn axis(&mut self, table: &str, name: &str, hash: &str) -> Result<Axis> {
        let tx = self.db.transaction()?;
        let known: Option<(i64, String)> = tx
            .query_row(&format!("SELECT id, hash FROM {table} WHERE name = ?1"), [name], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        let id = match known {
            Some((id, known)) if known == hash => id,
            Some((id, _)) => {
                tx.execute(&format!("UPDATE {table} SET hash = ?1 WHERE id = ?2"), (hash, id))?;
                for cells in ["cell", "trial", "settled"] {
                    tx.execute(&format!("DELETE FROM {cells} WHERE {table} = ?1"), [id])?;
                }
                if table == "theory" {
                    tx.execute("DELETE FROM truth WHERE theory = ?1", [id])?;
                }
                id
            }
            None => {
                tx.execute(&format!("INSERT INTO {table} (name, hash) VALUES (?1, ?2)"), (name, hash))?;
                tx.last_insert_rowid()
            }
        };
        tx.commit()?;
        Ok(Axis(id))
    }

    /// The cells of one theory and release, by number.
    pub fn cells(&self, theory: Axis, release: Axis, fresh: bool) -> Result<Vec<Cell>> {
        let mut find = self.db.prepare_cached(
            "SELECT number, answer, ended, model, cpu, wall FROM cell
             WHERE theory = ?1 AND release = ?2 AND fresh = ?3 ORDER BY number",
        )?;
        let rows = find.query_map((theory.0, release.0, fresh), |row| {
            Ok(Cell {
                number: row.get::<_, i64>(0)? as u64,
                answer: row.get(1)?,
                ended: row.get(2)?,
                model: row.get(3)?,
                cpu: row.get::<_, i64>(4)? as u64,
                wall: row.get::<_, i64>(5)? as u64,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Stores a block of cells, all or none.
    pub fn keep(&mut self, theory: Axis, release: Axis, fresh: bool, cells: &[Cell]) -> Result<()> {
        let tx = self.db.transaction()?;
        {
            let mut put =
                tx.prepare_cached("INSERT OR REPLACE INTO cell VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?;
            for cell in cells {
                put.execute((
                    theory.0,
                    release.0,
                    cell.number as i64,
                    fresh,
                    &cell.answer,
                    &cell.ended,
                    &cell.model,
                    cell.cpu as i64,
                    cell.wall as i64,
                ))?;
            }
        }
        Ok(tx.commit()?)
    }

    /// The results of exhaustive search on formulas: `None` where it did not decide.
    pub fn truths(&self, theory: Axis) -> Result<Vec<(u64, Option<bool>)>> {
        let mut find = self
            .db
            .prepare_cached("SELECT number, satisfiable FROM truth WHERE theory = ?1 ORDER BY number")?;
        let rows = find.query_map([theory.0], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub fn keep_truths(&mut self, theory: Axis, truths: &[(u64, Option<bool>)]) -> Result<()> {
        let tx = self.db.transaction()?;
        for (number, satisfiable) in truths {
            let row = (theory.0, *number as i64, *satisfiable);
            tx.execute("INSERT OR REPLACE INTO truth VALUES (?1, ?2, ?3)", row)?;
        }
        Ok(tx.commit()?)
    }

    /// The number of formulas, from the first, for which all suspicions about a release have been checked.
    pub fn settled(&self, theory: Axis, release: Axis) -> Result<u64> {
        let mut find =
            self.db.prepare_cached("SELECT upto FROM settled WHERE theory = ?1 AND release = ?2")?;
        let upto = find.query_row((theory.0, release.0), |row| row.get::<_, i64>(0)).optional()?;
        Ok(upto.unwrap_or(0) as u64)
    }

    /// All suspicions about these releases have been checked.
    pub fn settle(&mut self, theory: Axis, releases: &[Axis], upto: u64) -> Result<()> {
        let tx = self.db.transaction()?;
        for release in releases {
            tx.execute(
                "INSERT INTO settled VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET upto = max(upto, excluded.upto)",
                (theory.0, release.0, upto as i64),
            )?;
        }
        Ok(tx.commit()?)
    }

    pub fn trials(&self, theory: Axis, release: Axis) -> Result<Vec<Trial>> {
        let mut find = self.db.prepare_cached(
            "SELECT number, verdict, certified, detail FROM trial WHERE theory = ?1 AND release = ?2 ORDER BY number",
        )?;
        let rows = find.query_map((theory.0, release.0), |row| {
            Ok(Trial {
                number: row.get::<_, i64>(0)? as u64,
                verdict: row.get(1)?,
                certified: row.get(2)?,
                detail: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub fn keep_trial(&mut self, theory: Axis, release: Axis, trial: &Trial) -> Result<()> {
        let row = (theory.0, release.0, trial.number as i64, &trial.verdict, trial.certified, &trial.detail);
        self.db.execute("INSERT OR REPLACE INTO trial VALUES (?1, ?2, ?3, ?4, ?5, ?6)", row)?;
        Ok(())
    }
}

fn path(dir: &Path) -> PathBuf {
    dir.join(NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(number: u64) -> Cell {
        Cell {
            number,
            answer: "sat".into(),
            ended: "ended".into(),
            model: "confirmed".into(),
            cpu: 1200 + number,
            wall: 1300,
        }
    }

    #[test]
    fn stored_cells_survive_reopening_and_other_releases_are_unchanged() {
        let dir = tempfile::tempdir().expect("a folder");
        {
            let mut grid = Grid::open(dir.path(), "reset, 2 s").expect("a grid");
            let (ints, z3) =
                (grid.theory("Ints", "g").expect("t"), grid.release("z3@4.8.5", "h").expect("r"));
            grid.keep(ints, z3, false, &[cell(1), cell(0)]).expect("kept");
            let trial = Trial { number: 1, verdict: "crash".into(), certified: true, detail: "x".into() };
            grid.keep_trial(ints, z3, &trial).expect("kept");
            grid.keep_truths(ints, &[(0, Some(true)), (1, None)]).expect("kept");
            grid.settle(ints, &[z3], 2).expect("kept");
            grid.settle(ints, &[z3], 1).expect("kept");
            assert!(matches!(Grid::open(dir.path(), "reset, 2 s"), Err(Error::Locked { .. })));
        }
        let mut grid = Grid::open(dir.path(), "reset, 2 s").expect("the grid again");
        let (ints, z3) = (grid.theory("Ints", "g").expect("t"), grid.release("z3@4.8.5", "h").expect("r"));
        let other = grid.release("z3@4.8.6", "h").expect("r");
        assert_eq!(grid.cells(ints, z3, false).expect("cells"), [cell(0), cell(1)]);
        assert_eq!(grid.trials(ints, z3).expect("trials").len(), 1);
        assert_eq!(grid.truths(ints).expect("truths"), [(0, Some(true)), (1, None)]);
        assert_eq!(
            [grid.settled(ints, z3).expect("settled"), grid.settled(ints, other).expect("settled")],
            [2, 0]
        );
        assert!(grid.cells(ints, other, false).expect("cells").is_empty());
        assert!(grid.cells(ints, z3, true).expect("cells").is_empty());
    }

    #[test]
    fn another_binary_or_other_terms_never_inherit_results() {
        let dir = tempfile::tempdir().expect("a folder");
        {
            let mut grid = Grid::open(dir.path(), "reset, 2 s").expect("a grid");
            let (ints, z3) =
                (grid.theory("Ints", "g").expect("t"), grid.release("z3@4.8.5", "h").expect("r"));
            grid.keep(ints, z3, false, &[cell(0)]).expect("kept");
            let replaced = grid.release("z3@4.8.5", "another").expect("r");
            assert!(grid.cells(ints, replaced, false).expect("cells").is_empty());
        }
        assert!(Grid::open(dir.path(), "fresh, 2 s").is_err());
    }
}
