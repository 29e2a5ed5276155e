//! The folder of installed releases, and the record of each.
//!
//! ```text
//! $FALSUM_HOME/releases/z3-5.4.0/release.toml   name, version, origin, hash, how to run it
//! $FALSUM_HOME/releases/z3-5.4.0/z3             the program, or a wrapper that starts it
//! $FALSUM_HOME/instrumented/z3-5.4.0/           the same for a release that was built with coverage
//! ```
//!
//! An instrumented release is a copy of a plain one for another purpose, so it is only found by those who ask for it:
//! no list of releases, no newest release and no range has it.
//!
//! A release folder appears by one rename and is never changed afterwards, so a reader needs no lock. A folder
//! without a readable record is reported as broken and never used.

use crate::catalogue::PackageKind;
use crate::error::{Error, Result};
use crate::spec::{COVERAGE, Program};
use crate::version::Version;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Where installed releases are kept.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
}

/// What `release.toml` says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The solver's name in the catalogue.
    pub name: String,
    pub version: String,
    /// Its origin, as text: `pip z3-solver==5.4.0.0`.
    pub origin: String,
    /// BLAKE3 of all files that take part when it runs.
    pub hash: String,
    pub kind: PackageKind,
    /// The program for other users: the solver itself or the wrapper.
    pub program: String,
    /// It was built to count which of its code runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub coverage: bool,
    /// The package file it came in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wheel: Option<String>,
    /// The interpreter the wheel was made for, for `kind = "python"`.
    pub python: Option<String>,
    /// The falsum that installed it, for `kind = "cvc5-library"`.
    pub driver: Option<String>,
}

/// An installed release.
#[derive(Clone, Debug)]
pub struct Release {
    pub record: Record,
    pub version: Version,
    pub folder: PathBuf,
}

/// A release folder that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub folder: PathBuf,
    pub why: String,
}

pub(crate) const RECORD: &str = "release.toml";
/// Folder inside a release with cvc5's libraries.
pub(crate) const LIBRARIES: &str = "lib";
/// Folder inside a release with an unpacked Python wheel.
pub(crate) const MODULE: &str = "module";
/// File inside a release with the Python runner.
pub(crate) const RUNNER: &str = "runner.py";

impl Home {
    /// A home at a given folder.
    pub fn at(root: impl Into<PathBuf>) -> Home {
        Home { root: root.into() }
    }

    /// `$FALSUM_HOME`, else `$XDG_DATA_HOME/falsum`, else `~/.local/share/falsum`.
    pub fn from_env() -> Result<Home> {
        let var = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let root = var("FALSUM_HOME")
            .or_else(|| var("XDG_DATA_HOME").filter(|p| p.is_absolute()).map(|p| p.join("falsum")))
            .or_else(|| var("HOME").map(|p| p.join(".local/share/falsum")))
            .ok_or(Error::NoHome)?;
        let root = std::path::absolute(&root).map_err(Error::io("cannot use", root))?;
        Ok(Home { root })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn releases_folder(&self) -> PathBuf {
        self.root.join("releases")
    }

    /// Where a release is, or would be.
    pub fn folder_of(&self, solver: &str, version: &Version) -> PathBuf {
        self.releases_folder().join(format!("{solver}-{version}"))
    }

    /// All usable releases, by name and then oldest first; and the folders that are not usable.
    pub fn releases(&self) -> (Vec<Release>, Vec<Broken>) {
        good_and_broken(&self.releases_folder())
    }

    /// Installed releases of one solver, oldest first.
    pub fn releases_of(&self, solver: &str) -> Vec<Release> {
        self.releases().0.into_iter().filter(|r| r.record.name == solver).collect()
    }

    /// Where an instrumented release is, or would be.
    pub fn instrumented_folder_of(&self, solver: &str, version: &Version) -> PathBuf {
        self.root.join("instrumented").join(format!("{solver}-{version}"))
    }

    /// All instrumented releases, by name and then oldest first.
    pub fn instrumented(&self) -> Vec<Release> {
        good_and_broken(&self.root.join("instrumented")).0
    }

    /// The releases that a SPEC's solver and range select, oldest first: instrumented ones if it asks for them.
    pub fn chosen(&self, program: &Program) -> Vec<Release> {
        let Program::Release { solver, want, coverage, .. } = program else { return vec![] };
        let mut all = if *coverage { self.instrumented() } else { self.releases().0 };
        all.retain(|release| release.record.name == *solver);
        want.choose(all, |release| &release.version)
    }

    /// The newest installed release of every solver.
    pub fn newest_of_each(&self) -> Vec<Release> {
        let mut newest: Vec<Release> = Vec::new();
        for release in self.releases().0 {
            match newest.last_mut() {
                Some(last) if last.record.name == release.record.name => *last = release,
                _ => newest.push(release),
            }
        }
        newest
    }

    /// Deletes a release: first hidden by a rename, then deleted from the disk.
    pub fn remove(&self, release: &Release) -> Result<()> {
        let trash = self.root.join("tmp").join(format!("removed-{}-{}", release.label(), std::process::id()));
        std::fs::create_dir_all(self.root.join("tmp"))
            .map_err(Error::io("cannot create", self.root.join("tmp")))?;
        std::fs::rename(&release.folder, &trash).map_err(Error::io("cannot remove", &release.folder))?;
        std::fs::remove_dir_all(&trash).map_err(Error::io("cannot remove", &trash))
    }
}

/// The usable releases in a folder, by name and then oldest first; and the folders that are not usable.
fn good_and_broken(folder: &Path) -> (Vec<Release>, Vec<Broken>) {
    let (mut good, mut broken) = (Vec::new(), Vec::new());
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for folder in entries.map(|e| e.path()).filter(|p| p.is_dir()) {
        match Release::open(&folder) {
            Ok(release) => good.push(release),
            Err(why) => broken.push(Broken { folder, why: why.to_string() }),
        }
    }
    good.sort_by(|a, b| (&a.record.name, &a.version).cmp(&(&b.record.name, &b.version)));
    broken.sort_by(|a, b| a.folder.cmp(&b.folder));
    (good, broken)
}

impl Release {
    /// Reads a release folder.
    pub fn open(folder: &Path) -> Result<Release> {
        let path = folder.join(RECORD);
        let text = std::fs::read_to_string(&path).map_err(Error::io("cannot read", &path))?;
        let bad = |detail: String| Error::Malformed { path: path.clone(), detail };
        let record: Record = toml::from_str(&text).map_err(|e| bad(e.message().to_owned()))?;
        let version = Version::parse(&record.version).ok_or_else(|| bad("it has no version".into()))?;
        let release = Release { record, version, folder: folder.to_owned() };
        if !release.program().is_file() {
            return Err(bad(format!("{} is missing", release.program().display())));
        }
        Ok(release)
    }

    /// `z3@5.4.0`, or `z3@5.4.0+coverage`.
    pub fn label(&self) -> String {
        let coverage = if self.record.coverage { COVERAGE } else { "" };
        format!("{}@{}{coverage}", self.record.name, self.version)
    }

    /// The file that runs it, for users and other tools.
    pub fn program(&self) -> PathBuf {
        self.folder.join(&self.record.program)
    }

    /// The command that falsum itself starts: without a wrapper's shell where possible.
    pub fn command(&self) -> Vec<OsString> {
        match self.record.kind {
            PackageKind::Executable => vec![self.program().into()],
            PackageKind::Cvc5Library => match driver() {
                Some(driver) => {
                    let lib = self.folder.join(LIBRARIES);
                    vec![driver.into(), "cvc5-driver".into(), "--lib".into(), lib.into(), "--".into()]
                }
                None => vec![self.program().into()],
            },
            PackageKind::Python => match &self.record.python {
                Some(python) => python_command(Path::new(python), &self.folder),
                None => vec![self.program().into()],
            },
        }
    }

    /// The current hash of its files; differs from the record's if files changed.
    pub fn current_hash(&self) -> Result<String> {
        hash_of(&self.folder, self.record.kind, &self.record.program)
    }

    /// Every file that takes part when it runs.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>> {
        let mut files = hashed_files(&self.folder, self.record.kind, &self.record.program)?;
        files.extend([self.program(), self.folder.join(RECORD), self.folder.join(RUNNER)]);
        files.retain(|file| file.is_file());
        files.sort();
        files.dedup();
        Ok(files)
    }
}

pub(crate) fn python_command(python: &Path, folder: &Path) -> Vec<OsString> {
    let runner = folder.join(RUNNER);
    // -I keeps the user's site and PYTHON* variables out; -S is not used because lib-dynload needs none of it.
    vec![python.into(), "-I".into(), "-S".into(), runner.into(), folder.join(MODULE).into()]
}

/// Set by falsum's own `main`: a program that was renamed (`falsum-0.1-linux`) still is falsum.
static THIS_PROGRAM_HOSTS: AtomicBool = AtomicBool::new(false);

/// Says that the running program has the command `cvc5-driver`.
pub fn this_program_hosts() {
    THIS_PROGRAM_HOSTS.store(true, Ordering::Relaxed);
}

/// The program that hosts cvc5's library: this one if it is falsum, else the one beside it (tests), else none.
pub fn driver() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("FALSUM_DRIVER").filter(|p| !p.is_empty()) {
        return Some(path.into());
    }
    let exe = std::env::current_exe().ok()?;
    if THIS_PROGRAM_HOSTS.load(Ordering::Relaxed) {
        return Some(exe);
    }
    let near = [exe.parent(), exe.parent().and_then(Path::parent)];
    let candidates = near.into_iter().flatten().flat_map(|d| [d.join("falsum"), d.join("examples/falsum")]);
    // A build folder may hold an older falsum than the tests that run in it.
    candidates.filter_map(|p| Some((p.metadata().ok()?.modified().ok()?, p))).max().map(|(_, p)| p)
}

/// BLAKE3 over the names and contents of all files that take part when it runs, in name order.
pub(crate) fn hash_of(folder: &Path, kind: PackageKind, program: &str) -> Result<String> {
    let files = hashed_files(folder, kind, program)?;
    if let [only] = &files[..] {
        return hash_file(only);
    }
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(&file);
        hasher.update(name.as_os_str().as_encoded_bytes());
        hasher.update(hash_file(&file)?.as_bytes());
    }
    Ok(hasher.finalize().to_hex().to_string())
}

fn hashed_files(folder: &Path, kind: PackageKind, program: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    match kind {
        PackageKind::Executable => files.push(folder.join(program)),
        PackageKind::Cvc5Library => collect(&folder.join(LIBRARIES), &mut files)?,
        PackageKind::Python => collect(&folder.join(MODULE), &mut files)?,
    }
    files.sort();
    Ok(files)
}

/// BLAKE3 of one file, as hex.
pub fn hash_file(path: &Path) -> Result<String> {
    let file = std::fs::File::open(path).map_err(Error::io("cannot read", path))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).map_err(Error::io("cannot read", path))?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(Error::io("cannot read", &folder))?;
        for entry in entries.flatten() {
            let path = entry.path();
            // Python writes its caches here when it may; they are not part of the release.
            match path.is_dir() {
                true if entry.file_name() != "__pycache__" => open.push(path),
                true => {}
                false => files.push(path),
            }
        }
    }
    Ok(())
}
