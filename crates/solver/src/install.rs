//! Installs releases: resolve, download, unpack into a temporary folder, verify, publish by one rename.
//!
//! A killed install leaves nothing behind that could be used: all work happens in `tmp/NAME-VERSION`, which is
//! deleted by the next process that holds that release's lock. Two installs of one release wait for each other; the
//! second finds the work done. An installed release is never downloaded again and needs no network. The hash of the
//! unpacked files is compared with the recorded one (`lock`) before any of them runs.

use crate::catalogue::{self, Entry, Offer};
use crate::error::{Error, Result};
use crate::home::{Home, RECORD, Record, Release, driver, hash_of};
use crate::lock;
use crate::pip::Pip;
use crate::spec::{Program, Spec};
use crate::unpack::{Wheel, sync_folders, unpack, write_synced};
use crate::verify;
use crate::version::{Version, VersionRange};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The progress of an installation; for the caller to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The package index is being queried.
    Resolving {
        solver: String,
    },
    /// The index cannot be reached; the built-in table or the installed releases are used.
    Offline {
        solver: String,
    },
    Downloading {
        release: String,
        package: String,
    },
    /// CMake looks at the source and the compiler.
    Configuring {
        release: String,
        compiler: PathBuf,
    },
    /// So many steps of the build are done, of those that were not done before.
    Building {
        release: String,
        done: usize,
        all: usize,
    },
    Verifying {
        release: String,
    },
    /// Done now.
    Installed {
        release: String,
    },
    /// Was there before.
    Present {
        release: String,
    },
}

/// Where progress goes.
pub type Say<'a> = &'a dyn Fn(Progress);

/// Installs what a SPEC such as `z3`, `z3@4.8.6` or `z3@4.8.5..4.12` selects; returns the releases, oldest first.
pub fn add(home: &Home, spec: &Spec, say: Say<'_>) -> Result<Vec<Release>> {
    let Program::Release { solver, want, .. } = &spec.program else {
        return Err(Error::UnknownSolver { name: spec.to_string() });
    };
    let entry = catalogue::get(solver).ok_or_else(|| Error::UnknownSolver { name: solver.clone() })?;
    if entry.package.is_none() {
        return Err(Error::NotPackaged { name: solver.clone() });
    }
    if let Some(release) = present(home, solver, want) {
        lock::check(home, &release.record)?;
        say(Progress::Present { release: release.label() });
        return Ok(vec![release]);
    }
    let found = offers(home, solver, entry, want, say)?;
    found.iter().map(|offer| install(home, solver, entry, offer, say)).collect()
}

/// Installs the newest z3 and cvc5 if no release of any solver is installed; returns all installed releases.
pub fn ensure_default(home: &Home, say: Say<'_>) -> Result<Vec<Release>> {
    let there = home.newest_of_each();
    if !there.is_empty() {
        return Ok(there);
    }
    for name in ["z3", "cvc5"] {
        add(home, &Spec::parse(name)?, say)?;
    }
    Ok(home.newest_of_each())
}

/// The releases of one solver that can be installed.
#[derive(Clone, Debug)]
pub struct Available {
    pub solver: &'static str,
    /// Newest first.
    pub offers: Vec<Offer>,
    /// The list comes from the package index; otherwise it is the built-in one.
    pub from_index: bool,
}

/// Releases that can be installed, newest first, and whether the list comes from the package index.
pub fn available(solver: &str) -> Result<(Vec<Offer>, bool)> {
    let entry = catalogue::get(solver).ok_or_else(|| Error::UnknownSolver { name: solver.to_owned() })?;
    Ok(offers_of(Pip::find().ok().as_ref(), entry))
}

/// Everything that can be installed. The client takes a second or more per package, so all are queried at once.
pub fn all_available() -> Vec<Available> {
    let pip = Pip::find().ok();
    let ask = |solver: &'static str, entry: &'static Entry| {
        let (offers, from_index) = offers_of(pip.as_ref(), entry);
        Available { solver, offers, from_index }
    };
    let packaged = catalogue::all().iter().filter(|(_, entry)| entry.package.is_some());
    std::thread::scope(|scope| {
        let asked: Vec<_> = packaged
            .map(|(name, entry)| {
                scope.spawn({
                    let ask = &ask;
                    move || ask(name, entry)
                })
            })
            .collect();
        asked.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

fn offers_of(pip: Option<&Pip>, entry: &Entry) -> (Vec<Offer>, bool) {
    let Some(package) = &entry.package else { return (vec![], true) };
    match pip.and_then(|pip| pip.versions(package).ok()) {
        Some(versions) => (entry.offers(versions.iter().map(String::as_str)), true),
        None => (entry.known_offers(), false),
    }
}

/// An exact release that is installed already.
fn present(home: &Home, solver: &str, want: &VersionRange) -> Option<Release> {
    let VersionRange::One(version) = want else { return None };
    home.releases_of(solver).into_iter().find(|r| r.version.parts() == version.parts())
}

/// The releases that a range selects, oldest first.
pub(crate) fn offers(
    home: &Home,
    solver: &str,
    entry: &Entry,
    want: &VersionRange,
    say: Say<'_>,
) -> Result<Vec<Offer>> {
    // A full release number in the table needs no query to the index.
    if let VersionRange::One(version) = want
        && let Some(offer) = entry.known_offers().into_iter().find(|o| o.version.parts() == version.parts())
    {
        return Ok(vec![offer]);
    }
    say(Progress::Resolving { solver: solver.to_owned() });
    let pip = Pip::find()?;
    let package = entry.package.as_deref().unwrap_or(solver);
    let offers = match pip.versions(package) {
        Ok(versions) => entry.offers(versions.iter().map(String::as_str)),
        Err(Error::Offline { .. }) => {
            say(Progress::Offline { solver: solver.to_owned() });
            let installed =
                home.releases_of(solver).into_iter().map(|r| as_offer(&r.version)).collect::<Vec<_>>();
            if installed.is_empty() { entry.known_offers() } else { installed }
        }
        Err(other) => return Err(other),
    };
    let chosen = want.choose(offers.clone(), |o| &o.version);
    if chosen.is_empty() {
        return Err(no_such(solver, want, &offers));
    }
    Ok(chosen)
}

fn as_offer(version: &Version) -> Offer {
    Offer { version: version.clone(), package_version: version.to_string() }
}

fn no_such(solver: &str, want: &VersionRange, offers: &[Offer]) -> Error {
    let mut near: Vec<&Offer> = offers.iter().collect();
    if let VersionRange::One(v) | VersionRange::Range(Some(v), _) | VersionRange::Range(_, Some(v)) = want {
        near.sort_by_key(|o| o.version.distance(v));
    }
    let near = near.into_iter().take(4).map(|o| o.version.to_string()).collect();
    Error::NoSuchVersion { name: solver.to_owned(), version: want.to_string(), near }
}

fn install(home: &Home, solver: &str, entry: &Entry, offer: &Offer, say: Say<'_>) -> Result<Release> {
    let target = home.folder_of(solver, &offer.version);
    let label = format!("{solver}@{}", offer.version);
    let _lock = wait_for_lock(home, &format!("{solver}-{}", offer.version))?;
    if let Ok(release) = Release::open(&target) {
        lock::check(home, &release.record)?;
        say(Progress::Present { release: label });
        return Ok(release);
    }
    let work = Workspace::create(home.root().join("tmp").join(format!("{solver}-{}", offer.version)))?;
    let pip = Pip::find()?;
    let package = entry.package.as_deref().unwrap_or(solver);
    let pinned = format!("{package}=={}", offer.package_version);
    say(Progress::Downloading { release: label.clone(), package: pinned.clone() });
    let wheel_file = pip.download(package, &offer.package_version, &work.make("wheel")?)?;
    let staged = work.make("release")?;
    let kind =
        entry.kind_of(&offer.version).ok_or_else(|| Error::UnknownSolver { name: solver.to_owned() })?;
    let driver = driver();
    let wheel = Wheel {
        file: &wheel_file,
        package: &pinned,
        solver,
        entry,
        kind,
        python: pip.python(),
        driver: driver.as_deref(),
        final_folder: &target,
    };
    let program = unpack(&wheel, &staged)?;
    let record = Record {
        name: solver.to_owned(),
        version: offer.version.to_string(),
        origin: format!("pip {pinned}"),
        hash: hash_of(&staged, kind, &program)?,
        kind,
        program,
        coverage: false,
        wheel: wheel_file.file_name().map(|name| name.to_string_lossy().into_owned()),
        python: (kind == catalogue::PackageKind::Python).then(|| pip.python().to_string_lossy().into_owned()),
        driver: driver
            .filter(|_| kind == catalogue::PackageKind::Cvc5Library)
            .map(|d| d.to_string_lossy().into_owned()),
    };
    // Before anything of it is run.
    lock::check(home, &record)?;
    lock::learn(home, &record)?;
    say(Progress::Verifying { release: label.clone() });
    write_record(&staged, &record)?;
    verify::release(&Release { record, version: offer.version.clone(), folder: staged.clone() })?;
    publish(&staged, &target)?;
    let release = Release::open(&target)?;
    say(Progress::Installed { release: label });
    Ok(release)
}

pub(crate) fn write_record(folder: &Path, record: &Record) -> Result<()> {
    let path = folder.join(RECORD);
    let text = toml::to_string(record)
        .map_err(|e| Error::Malformed { path: path.clone(), detail: e.to_string() })?;
    write_synced(&path, text.as_bytes())
}

/// Makes the release visible, completely or not at all.
pub(crate) fn publish(staged: &Path, target: &Path) -> Result<()> {
    sync_folders(staged)?;
    let parent = target.parent().unwrap_or(target);
    fs::create_dir_all(parent).map_err(Error::io("cannot create", parent))?;
    if target.exists() {
        // Only a folder that cannot be read gets here: the lock is ours and `install` has checked.
        fs::remove_dir_all(target).map_err(Error::io("cannot replace", target))?;
    }
    fs::rename(staged, target).map_err(Error::io("cannot publish", target))?;
    File::open(parent).and_then(|f| f.sync_all()).map_err(Error::io("cannot sync", parent))
}

/// Waits for the lock of one release. It ends with its process.
pub(crate) fn wait_for_lock(home: &Home, release: &str) -> Result<File> {
    let folder = home.root().join("locks");
    fs::create_dir_all(&folder).map_err(Error::io("cannot create", &folder))?;
    let path = folder.join(release);
    let file =
        File::options().create(true).append(true).open(&path).map_err(Error::io("cannot open", &path))?;
    file.lock().map_err(Error::io("cannot lock", &path))?;
    Ok(file)
}

/// A folder that is deleted in any case.
struct Workspace(PathBuf);

impl Workspace {
    fn create(path: PathBuf) -> Result<Workspace> {
        if path.exists() {
            fs::remove_dir_all(&path).map_err(Error::io("cannot clear", &path))?;
        }
        fs::create_dir_all(&path).map_err(Error::io("cannot create", &path))?;
        Ok(Workspace(path))
    }

    fn make(&self, name: &str) -> Result<PathBuf> {
        let path = self.0.join(name);
        fs::create_dir(&path).map_err(Error::io("cannot create", &path))?;
        Ok(path)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
