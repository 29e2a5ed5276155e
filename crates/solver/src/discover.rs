//! Solvers on PATH: found by name, run once for their version, and not trusted further.
//!
//! In: PATH. Out: one entry per solver of the catalogue, the first on PATH, as a shell would choose. falsum's own
//! wrappers and folders are not special: if they are on PATH, they are found.

use crate::catalogue;
use crate::home::hash_file;
use crate::profile::Profile;
use crate::spec::{Program, Spec};
use crate::version::Version;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A solver on PATH.
#[derive(Clone, Debug)]
pub struct Found {
    pub solver: &'static str,
    pub path: PathBuf,
    /// The version it prints; `None` if it prints none that can be read.
    pub version: Option<Version>,
    /// BLAKE3 of the file.
    pub hash: String,
}

/// Every solver of the catalogue that is on PATH, in catalogue order.
pub fn on_path() -> Vec<Found> {
    catalogue::all().keys().filter_map(|solver| describe(solver, &lookup_solver(solver)?)).collect()
}

/// The program that a SPEC names if it is not an installed release: a path, or a name on PATH. A release number in the
/// SPEC must be the one the program reports.
pub fn find(spec: &Spec) -> Option<PathBuf> {
    match &spec.program {
        Program::Path { path, .. } if path.contains('/') => {
            is_program(Path::new(path)).then(|| PathBuf::from(path))
        }
        Program::Path { path: name, .. } => lookup(name),
        // A program on PATH is no release that was built here.
        Program::Release { coverage: true, .. } => None,
        Program::Release { solver, want, versioned, .. } => {
            let path = lookup_solver(solver)?;
            let fits = !versioned
                || describe(catalogue::canonical_name(solver)?, &path)?
                    .version
                    .is_some_and(|v| want.accepts(&v));
            fits.then_some(path)
        }
    }
}

fn lookup_solver(solver: &str) -> Option<PathBuf> {
    catalogue::get(solver)?.on_path.iter().find_map(|name| lookup(name))
}

fn describe(solver: &'static str, path: &Path) -> Option<Found> {
    let profile = Profile::named(solver);
    let version = profile.version_of(&[path.into()]);
    Some(Found { solver, path: path.to_owned(), version, hash: hash_file(path).ok()? })
}

/// The first executable file of that name on PATH.
pub fn lookup(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).filter(|d| d.is_absolute()).map(|d| d.join(name)).find(|p| is_program(p))
}

/// Why a path cannot be run; a bare name is searched on PATH.
pub fn why_no_program(path: &str) -> Option<&'static str> {
    if !path.contains('/') {
        return lookup(path).is_none().then_some("neither a solver that falsum knows nor a program on PATH");
    }
    match Path::new(path).metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Some("may not be read"),
        Err(_) => Some("no such program"),
        Ok(found) if found.is_dir() => Some("a folder, not a program"),
        Ok(_) => (!is_program(Path::new(path))).then_some("not executable"),
    }
}

pub fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}
