//! The sandbox for all solver processes that this process starts.
//!
//! In: the level that the user chose, before any solver starts, and then every spec of a process to start. Out: the
//! spec with the sandbox on it, and with TMPDIR pointing to the one folder where a solver may write. It must never
//! weaken a requested level: the caller first checks whether the machine supports it (`run::held`).

use crate::scratch;
use run::{Level, Sandbox};
use std::sync::{Arc, OnceLock};

/// `None` means off.
static LEVEL: OnceLock<Option<Level>> = OnceLock::new();

/// Chooses the level; only the first choice counts, and only before the first solver starts.
pub fn choose(level: Option<Level>) {
    let _ = LEVEL.set(level);
}

/// The sandbox of this process; `None` if it is off or the machine has none.
pub(crate) fn sandbox() -> Option<Arc<Sandbox>> {
    static SANDBOX: OnceLock<Option<Arc<Sandbox>>> = OnceLock::new();
    let sandbox = SANDBOX.get_or_init(|| {
        let level = (*LEVEL.get_or_init(|| Some(Level::Full)))?;
        let writable = scratch::for_solvers().into_iter().collect();
        Sandbox::new(level, writable).map(Arc::new)
    });
    sandbox.clone()
}

/// The one folder where solvers of this process may write.
pub fn writable() -> std::io::Result<std::path::PathBuf> {
    scratch::for_solvers()
}

/// The spec of a solver's process, inside the sandbox.
pub fn confined(mut spec: run::Spec) -> run::Spec {
    spec.sandbox = sandbox();
    match scratch::for_solvers() {
        Ok(folder) => spec.env("TMPDIR", folder),
        Err(_) => spec,
    }
}
