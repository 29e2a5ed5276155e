//! Collections: seeds copied into falsum's home, named by hash, with their provenance in a file beside them.
//!
//! In: a scan, or a collection's folder. Out: `<home>/corpus/<collection>/<id>.smt2` and `provenance.jsonl`, one line
//! per seed: where it came from and all claims made about it there, because the folder names behind some of those
//! claims are lost by copying. Importing twice adds nothing. It must never use the name of an imported file as a file
//! name in our folder, and never leave a partly written seed (it writes to a temporary file and renames it).

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::quarantine::Quarantine;
use crate::scan::{Scan, ScanLimits, SkipReason, Skipped, scan};
use crate::seed::{Origin, Seed, SeedCheck, SeedId};

const PROVENANCE: &str = "provenance.jsonl";
const QUARANTINE: &str = "quarantine.jsonl";

/// One line of `provenance.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub seed: SeedId,
    pub name: String,
    pub from: PathBuf,
    pub logic: Option<String>,
    pub checks: Vec<SeedCheck>,
}

/// The result of an import.
#[derive(Debug, Default)]
pub struct Imported {
    pub added: usize,
    pub already: usize,
    pub conflicts: Vec<String>,
    pub skipped: Vec<Skipped>,
}

/// The folder of a collection below falsum's home.
pub fn folder(home: &Path, collection: &str) -> Result<PathBuf, Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let starts_well = collection.starts_with(|c: char| c.is_ascii_alphanumeric());
    if starts_well && collection.chars().all(plain) && collection.len() <= 100 {
        Ok(home.join("corpus").join(collection))
    } else {
        Err(Error::CollectionName(collection.to_owned()))
    }
}

/// The file with the quarantined seeds of a collection.
pub fn quarantine_file(home: &Path, collection: &str) -> Result<PathBuf, Error> {
    Ok(folder(home, collection)?.join(QUARANTINE))
}

/// Copies the seeds of a scan into a collection.
pub fn import(scan: Scan, home: &Path, collection: &str) -> Result<Imported, Error> {
    let into = folder(home, collection)?;
    fs::create_dir_all(&into).map_err(|source| Error::Write { path: into.clone(), source })?;
    let known = records(&into.join(PROVENANCE))?;
    let mut done = Imported { skipped: scan.skipped, ..Imported::default() };
    for seed in &scan.seeds {
        if seed.conflict() {
            done.conflicts.push(seed.name.clone());
        }
        // The record is written first: a seed without a record would lose its claims, while a record without a seed is
        // unused.
        let record = record(seed);
        if !known.get(&seed.id).is_some_and(|earlier| earlier.iter().any(|r| r.checks == record.checks)) {
            append(&into.join(PROVENANCE), &record)?;
        }
        let target = into.join(format!("{}.smt2", seed.id));
        if target.exists() {
            done.already += 1;
        } else {
            place(&target, &seed.text).map_err(|source| Error::Write { path: target.clone(), source })?;
            done.added += 1;
        }
    }
    Ok(done)
}

/// Names of the collections that exist, sorted.
pub fn collections(home: &Path) -> Result<Vec<String>, Error> {
    let root = home.join("corpus");
    let entries = match fs::read_dir(&root) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(Error::Read { path: root, source }),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|source| Error::Read { path: root.clone(), source })?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && folder(home, &name).is_ok() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Reads a collection, with the claims its seeds had when they were imported. A file whose text does not match its
/// name any longer is left out.
pub fn load(
    home: &Path,
    collection: &str,
    limits: &ScanLimits,
    quarantine: &Quarantine,
) -> Result<Scan, Error> {
    let at = folder(home, collection)?;
    let records = records(&at.join(PROVENANCE))?;
    let found = scan(&[&at], limits, quarantine);
    let mut out = Scan { seeds: Vec::new(), skipped: found.skipped };
    out.skipped.retain(|s| s.path.file_name().is_none_or(|n| n != PROVENANCE && n != QUARANTINE));
    for mut seed in found.seeds {
        let Origin::File(path) = &seed.origin else { continue };
        if path.file_stem().is_none_or(|stem| *stem != *seed.id.to_string()) {
            let reason = SkipReason::Unreadable("its text does not match its name".into());
            out.skipped.push(Skipped { path: path.clone(), reason });
            continue;
        }
        let made = records.get(&seed.id).map_or(&[][..], Vec::as_slice);
        if let Some(first) = made.first() {
            seed.name.clone_from(&first.name);
            seed.origin = Origin::Imported { collection: collection.to_owned(), from: first.from.clone() };
        }
        made.iter().for_each(|record| seed.merge_claims(&record.checks));
        out.seeds.push(seed);
    }
    Ok(out)
}

fn record(seed: &Seed) -> Record {
    let from = match &seed.origin {
        Origin::File(path) => fs::canonicalize(path).unwrap_or_else(|_| path.clone()),
        Origin::Imported { from, .. } => from.clone(),
        Origin::Embedded => PathBuf::from(&seed.name),
    };
    Record {
        seed: seed.id,
        name: seed.name.clone(),
        from,
        logic: seed.logic.clone(),
        checks: seed.checks.clone(),
    }
}

/// The readable records by seed. A line that was cut short by a crash does not affect the others.
fn records(path: &Path) -> Result<BTreeMap<SeedId, Vec<Record>>, Error> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(Error::Read { path: path.to_owned(), source }),
    };
    let mut by_seed: BTreeMap<SeedId, Vec<Record>> = BTreeMap::new();
    for record in bytes.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice::<Record>(line).ok())
    {
        by_seed.entry(record.seed).or_default().push(record);
    }
    Ok(by_seed)
}

fn append(path: &Path, record: &Record) -> Result<(), Error> {
    let mut line = serde_json::to_string(record)?;
    line.push('\n');
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut f| f.write_all(line.as_bytes()));
    written.map_err(|source| Error::Write { path: path.to_owned(), source })
}

fn place(target: &Path, text: &[u8]) -> io::Result<()> {
    let aside = target.with_extension("part");
    let mut file = fs::File::create(&aside)?;
    file.write_all(text)?;
    file.sync_all()?;
    fs::rename(&aside, target)
}
