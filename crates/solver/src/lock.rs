//! The hash of each release: recorded when a release is first installed, compared ever after.
//!
//! Two files have the same form. `known.toml` in the home folder grows by itself: a release that is removed and added
//! again must have the same hash. `falsum.lock` beside a project's files is written by `falsum solvers lock`, to be
//! committed, so that another machine installs the same bytes. Both can only make an installation fail; neither is
//! required.
//!
//! In: the record of a release, before any of its files runs. Out: nothing, or that its hash differs. A lock file may
//! come with another user's project, so it is read with a limit, and it names no path and no program.

use crate::error::{Error, Result};
use crate::home::{Home, Record};
use crate::unpack::write_synced;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file that a project commits.
pub const PROJECT: &str = "falsum.lock";
/// The file in the home folder.
const KNOWN: &str = "known.toml";
/// A larger file is not a list of hashes.
const MOST_BYTES: u64 = 1 << 20;

/// Releases and their hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    #[serde(default, rename = "release")]
    releases: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    solver: String,
    version: String,
    /// The package file; machines of other kinds get other files of the same release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wheel: Option<String>,
    hash: String,
}

impl Entry {
    fn of(record: &Record) -> Entry {
        Entry {
            solver: record.name.clone(),
            version: record.version.clone(),
            wheel: record.wheel.clone(),
            hash: record.hash.clone(),
        }
    }

    fn is_about(&self, record: &Record) -> bool {
        (&self.solver, &self.version) == (&record.name, &record.version)
    }

    /// Whether it is about the same package file, as far as that is known of both.
    fn is_same_file(&self, record: &Record) -> bool {
        self.wheel.is_none() || record.wheel.is_none() || self.wheel == record.wheel
    }
}

impl Lock {
    /// Reads a lock file; a missing one has no entries.
    pub fn read(path: &Path) -> Result<Lock> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Lock::default()),
            Err(error) => return Err(Error::io("cannot read", path)(error)),
        };
        let bad = |detail: String| Error::Malformed { path: path.to_owned(), detail };
        let mut text = String::new();
        file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(Error::io("cannot read", path))?;
        if text.len() as u64 > MOST_BYTES {
            return Err(bad("it is too large for a lock file".into()));
        }
        toml::from_str(&text).map_err(|error| bad(error.message().to_owned()))
    }

    /// Refuses a release whose hash differs from the recorded one; says where that is recorded.
    fn check(&self, record: &Record, path: &Path) -> Result<()> {
        let about: Vec<&Entry> = self.releases.iter().filter(|e| e.is_about(record)).collect();
        let release = format!("{}@{}", record.name, record.version);
        let same: Vec<&&Entry> = about.iter().filter(|e| e.is_same_file(record)).collect();
        match same.first() {
            None if about.is_empty() => Ok(()),
            None => Err(Error::OtherWheel {
                release,
                wheel: record.wheel.clone().unwrap_or_default(),
                path: path.to_owned(),
            }),
            Some(_) if same.iter().any(|e| e.hash == record.hash) => Ok(()),
            Some(entry) => Err(Error::HashDiffers {
                release,
                expected: entry.hash.clone(),
                found: record.hash.clone(),
                path: path.to_owned(),
            }),
        }
    }

    /// Records a release that is not in it yet.
    fn learn(&mut self, record: &Record) -> bool {
        let entry = Entry::of(record);
        let is_new = !self.releases.contains(&entry);
        if is_new {
            self.releases.push(entry);
            self.releases.sort();
        }
        is_new
    }

    fn write(&self, path: &Path) -> Result<()> {
        let text = toml::to_string(self)
            .map_err(|error| Error::Malformed { path: path.to_owned(), detail: error.to_string() })?;
        let about = "# The hash of each solver release (BLAKE3 of all files that take part when it runs).\n\
                     # `falsum solvers lock` writes this file, `falsum solvers add` checks it.\n\n";
        let draft = path.with_extension("new");
        write_synced(&draft, format!("{about}{text}").as_bytes())?;
        std::fs::rename(&draft, path).map_err(Error::io("cannot write", path))
    }
}

/// Refuses a release that differs from what this home or the project in the current folder has recorded.
pub(crate) fn check(home: &Home, record: &Record) -> Result<()> {
    for path in [PathBuf::from(PROJECT), known(home)] {
        Lock::read(&path)?.check(record, &path)?;
    }
    Ok(())
}

/// Records a release in the home.
pub(crate) fn learn(home: &Home, record: &Record) -> Result<()> {
    let path = known(home);
    let guard = home.root().join("locks");
    std::fs::create_dir_all(&guard).map_err(Error::io("cannot create", &guard))?;
    let guard = guard.join(KNOWN);
    let file =
        File::options().create(true).append(true).open(&guard).map_err(Error::io("cannot open", &guard))?;
    file.lock().map_err(Error::io("cannot lock", &guard))?;
    let mut lock = Lock::read(&path)?;
    if lock.learn(record) { lock.write(&path) } else { Ok(()) }
}

/// Adds all installed releases to a lock file; returns how many it has. One that contradicts the file is refused.
pub fn write_project(home: &Home, path: &Path) -> Result<usize> {
    let mut lock = Lock::read(path)?;
    for release in home.releases().0 {
        let found = release.current_hash()?;
        let record = Record { hash: found, ..release.record.clone() };
        match lock.check(&record, path) {
            // A machine of another kind adds its own package files.
            Ok(()) | Err(Error::OtherWheel { .. }) => lock.learn(&record),
            Err(error) => return Err(error),
        };
    }
    lock.write(path)?;
    Ok(lock.releases.len())
}

fn known(home: &Home) -> PathBuf {
    home.root().join(KNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::PackageKind;

    fn record(version: &str, wheel: Option<&str>, hash: &str) -> Record {
        Record {
            name: "z3".into(),
            version: version.into(),
            origin: String::new(),
            hash: hash.into(),
            kind: PackageKind::Executable,
            program: "z3".into(),
            coverage: false,
            wheel: wheel.map(str::to_owned),
            python: None,
            driver: None,
        }
    }

    #[test]
    fn a_release_with_another_hash_than_recorded_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        check(&home, &record("1.0", Some("a.whl"), "aaaa")).unwrap();
        learn(&home, &record("1.0", Some("a.whl"), "aaaa")).unwrap();
        learn(&home, &record("1.0", Some("a.whl"), "aaaa")).unwrap();
        check(&home, &record("1.0", Some("a.whl"), "aaaa")).unwrap();
        check(&home, &record("2.0", Some("a.whl"), "bbbb")).unwrap();
        let differs = check(&home, &record("1.0", Some("a.whl"), "bbbb")).unwrap_err();
        assert!(matches!(&differs, Error::HashDiffers { expected, .. } if expected == "aaaa"));
        assert!(differs.hint().is_some());
        let nameless = check(&home, &record("1.0", None, "bbbb")).unwrap_err();
        assert!(matches!(nameless, Error::HashDiffers { .. }), "a missing name does not skip the check");
        let other = check(&home, &record("1.0", Some("b.whl"), "bbbb")).unwrap_err();
        assert!(matches!(other, Error::OtherWheel { .. }));
    }

    #[test]
    fn an_invalid_lock_file_is_refused_and_a_missing_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(PROJECT);
        assert_eq!(Lock::read(&path).unwrap(), Lock::default());
        for text in ["[[release]]\nsolver = 1\n", "run = \"sh\"\n", &"#".repeat(2 << 20)] {
            std::fs::write(&path, text).unwrap();
            assert!(matches!(Lock::read(&path), Err(Error::Malformed { .. })));
        }
    }
}
