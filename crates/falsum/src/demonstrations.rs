//! Runs the commands of drafts that have not been run: of bugs that triage did not reach.
//!
//! Triage runs the command of each bug that it reduces. A hunt without reduction, or one that ends first, leaves bugs
//! without; they are caught up on at the end of the hunt, within a limit, and by `falsum report --format issues`. In: a
//! campaign folder and the solvers that may be run. Out: `bug.smt2` and `shown.json` in the folders of the findings. A
//! record that this user's key did not mark is as good as none: somebody else wrote it.

use smtlib::Parsed;
use solver::{Home, QueryLimits, Target};
use std::hash::{BuildHasher, Hasher};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use store::{Bug, Demonstration, View};

/// Runs what is missing, until the time is over.
pub fn catch_up(view: &View, targets: &[Target], limits: &QueryLimits, patience: Duration) {
    let began = Instant::now();
    for bug in view.bugs().unwrap_or_default() {
        if began.elapsed() > patience {
            return;
        }
        let _ = one(view, &bug, targets, limits);
    }
}

fn one(view: &View, bug: &Bug, targets: &[Target], limits: &QueryLimits) -> Option<()> {
    let id = bug.shown();
    let folder = view.folder(id);
    let recorded = view.file(id, Demonstration::FILE).ok().zip(view.file(id, Demonstration::FORMULA).ok());
    if recorded.is_some_and(|(text, formula)| Demonstration::read(&text, &formula).is_some()) {
        return None;
    }
    let meta = view.meta(id).ok()?;
    let symptom = meta.symptom.clone()?;
    let target = targets.iter().find(|target| Some(&target.name) == symptom.culprit.as_ref())?;
    let script = Parsed::read(view.file(id, "formula.smt2").ok()?).ok()?;
    let (file, shown) = triage::demonstrate(target, &script, &symptom, limits, None)?;
    write(&folder.join(Demonstration::FORMULA), &file)?;
    write(&folder.join(Demonstration::FILE), &shown.bytes(&file))
}

/// The key that marks records of commands that were run here: made at its first use, in the user's data folder. Without such
/// a folder it is one of this process alone.
pub fn key() -> [u8; 32] {
    static KEY: OnceLock<[u8; 32]> = OnceLock::new();
    *KEY.get_or_init(|| Home::from_env().ok().and_then(|home| stored(home.root())).unwrap_or_else(random))
}

fn stored(root: &Path) -> Option<[u8; 32]> {
    let path = root.join("own.key");
    let known = || {
        let mut key = [0; 32];
        std::fs::File::open(&path).and_then(|mut file| file.read_exact(&mut key)).is_ok().then_some(key)
    };
    known().or_else(|| {
        // Written under a private name first: another process sees a whole key or none, and the first one counts.
        std::fs::create_dir_all(root).ok()?;
        let draft = root.join(format!(".own.key-{}", std::process::id()));
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&draft)
            .ok()?;
        let linked = file.write_all(&random()).and_then(|()| std::fs::hard_link(&draft, &path));
        let _ = std::fs::remove_file(&draft);
        linked.ok().and_then(|()| known()).or_else(known)
    })
}

/// Random bytes of the system; hashes with random keys where it has none to read.
fn random() -> [u8; 32] {
    let mut key = [0; 32];
    let read = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut key));
    if read.is_err() {
        for part in key.chunks_mut(8) {
            part.copy_from_slice(&std::hash::RandomState::new().build_hasher().finish().to_le_bytes());
        }
    }
    key
}

/// The folder may come from another user: nothing is written through a link or into a pipe.
pub fn write(path: &Path, bytes: &[u8]) -> Option<()> {
    let folder = path.parent()?;
    if !folder.is_dir() || folder.is_symlink() {
        return None;
    }
    store::write_file(path, bytes).ok()
}
