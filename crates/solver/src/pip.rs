//! The package client: queries `python3 -m pip` for versions and wheels, and translates its errors.
//!
//! In: a package name and version. Out: a list of versions, or the path of a downloaded file. pip's messages are only
//! used to distinguish "no such version", "no network" and other failures; nothing that pip downloads is executed here.
//! The interpreter runs isolated and in another folder, so that no file of the current folder takes part.

use crate::error::{Error, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A Python that has pip.
#[derive(Clone, Debug)]
pub struct Pip {
    python: PathBuf,
}

impl Pip {
    /// `$FALSUM_PYTHON`, else `python3`, else `python`, whichever runs first.
    pub fn find() -> Result<Pip> {
        let named = std::env::var_os("FALSUM_PYTHON").filter(|v| !v.is_empty()).map(PathBuf::from);
        let candidates = named.map_or_else(|| vec!["python3".into(), "python".into()], |p| vec![p]);
        for python in candidates.iter().filter_map(|name| located(name)) {
            let Ok(output) = call(&python, &["-c", "import sys; print(sys.executable)"]) else { continue };
            if output.exit.is_success() {
                let path = output.stdout.text().trim().to_owned();
                let python = if path.is_empty() { python } else { PathBuf::from(path) };
                return Pip { python }.checked();
            }
        }
        Err(Error::PythonMissing)
    }

    fn checked(self) -> Result<Pip> {
        let works = call(&self.python, &["-m", "pip", "--version"]).is_ok_and(|o| o.exit.is_success());
        let missing = || Error::PipMissing { python: self.python.display().to_string() };
        if works { Ok(self) } else { Err(missing()) }
    }

    /// The interpreter; wheels with compiled modules run only under the one that downloaded them.
    pub fn python(&self) -> &Path {
        &self.python
    }

    /// All versions of a package, newest first.
    pub fn versions(&self, package: &str) -> Result<Vec<String>> {
        let output = self.pip(package, &["index", "versions", package])?;
        let text = String::from_utf8_lossy(&output);
        let line = text.lines().find_map(|l| l.trim().strip_prefix("Available versions:"));
        let versions: Vec<String> = line
            .unwrap_or_default()
            .split(',')
            .map(|v| v.trim().to_owned())
            .filter(|v| !v.is_empty())
            .collect();
        if versions.is_empty() {
            let detail = "pip lists no versions of it".to_owned();
            return Err(Error::Download { package: package.to_owned(), detail });
        }
        Ok(versions)
    }

    /// Downloads one wheel into an empty folder and returns its path.
    pub fn download(&self, package: &str, version: &str, into: &Path) -> Result<PathBuf> {
        let pinned = format!("{package}=={version}");
        let dest = into.to_string_lossy();
        self.pip(&pinned, &["download", "-q", "--no-deps", "--only-binary=:all:", "--dest", &dest, &pinned])?;
        let entries = std::fs::read_dir(into).map_err(Error::io("cannot read", into))?;
        let mut wheels =
            entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "whl"));
        wheels.next().ok_or(Error::Contents { package: pinned, wanted: "a wheel".into() })
    }

    /// Downloads one source distribution into an empty folder and returns its path. pip runs its build scripts as far as
    /// its metadata need them.
    pub fn download_source(&self, package: &str, version: &str, into: &Path) -> Result<PathBuf> {
        let pinned = format!("{package}=={version}");
        let dest = into.to_string_lossy();
        let source = format!("--no-binary={package}");
        self.pip(&pinned, &["download", "-q", "--no-deps", &source, "--dest", &dest, &pinned])?;
        let entries = std::fs::read_dir(into).map_err(Error::io("cannot read", into))?;
        let mut archives =
            entries.flatten().map(|e| e.path()).filter(|p| p.to_string_lossy().ends_with(".tar.gz"));
        archives.next().ok_or(Error::Contents { package: pinned, wanted: "a source archive".into() })
    }

    /// Unpacks an archive; entries that leave the folder are refused.
    pub fn unpack(&self, archive: &Path, into: &Path) -> Result<()> {
        const UNPACK: &str = "import sys, tarfile\n\
            kind = {'filter': 'data'} if hasattr(tarfile, 'data_filter') else {}\n\
            tarfile.open(sys.argv[1]).extractall(sys.argv[2], **kind)";
        let (file, folder) = (archive.to_string_lossy(), into.to_string_lossy());
        let done = call(&self.python, &["-c", UNPACK, &file, &folder]);
        let why = match done {
            Ok(done) if done.exit.is_success() => return Ok(()),
            Ok(done) => last_line(&done.stderr.text()),
            Err(error) => error.to_string(),
        };
        Err(Error::Malformed { path: archive.to_owned(), detail: why })
    }

    /// Installs packages, and nothing that they depend on, into a folder of their own.
    pub fn install_into(&self, packages: &[&str], folder: &Path) -> Result<()> {
        let folder = folder.to_string_lossy();
        let mut args =
            vec!["install", "-q", "--no-deps", "--only-binary=:all:", "--upgrade", "--target", &folder];
        args.extend(packages);
        self.pip(&packages.join(" and "), &args).map(drop)
    }

    fn pip(&self, package: &str, args: &[&str]) -> Result<Vec<u8>> {
        let mut all = vec!["-m", "pip", "--disable-pip-version-check", "--no-input"];
        all.extend(args);
        let output = call(&self.python, &all)
            .map_err(|e| Error::Download { package: package.to_owned(), detail: e.to_string() })?;
        if output.exit.is_success() {
            return Ok(output.stdout.bytes().into_owned());
        }
        Err(explain(package, &output.stderr.text()))
    }
}

/// Generous: a slow connection may need minutes for 40 MB, but a client that hangs must not hang falsum forever.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// Isolated (`-I`: the current folder, PYTHON* variables and the user's own packages are not used) and in a folder
/// without other files: a `pip.py` beside a user's formulas must not run.
fn call(python: &Path, args: &[&str]) -> Result<run::Outcome, run::Error> {
    let mut spec = run::Spec::new(python).arg("-I").args(args).wall(PATIENCE);
    spec.cwd = Some(PathBuf::from("/"));
    run::once(&spec, run::Input::Nothing)
}

/// The file that a name or path refers to: a name is only searched in the absolute folders of PATH.
fn located(python: &Path) -> Option<PathBuf> {
    match python.to_str() {
        Some(name) if !name.contains('/') => crate::discover::lookup(name),
        _ => std::path::absolute(python).ok(),
    }
}

/// Classifies pip's error message.
fn explain(package: &str, stderr: &str) -> Error {
    let says = |words: &[&str]| words.iter().any(|w| stderr.contains(w));
    let package = package.to_owned();
    let network = [
        "NewConnectionError",
        "Failed to establish a new connection",
        "Temporary failure in name resolution",
        "Max retries exceeded",
        "Connection refused",
        "Network is unreachable",
        "ProxyError",
        "ReadTimeoutError",
        "ConnectTimeoutError",
    ];
    // In quiet mode pip does not say why it found nothing at all; every package of the catalogue has releases.
    if says(&network) || says(&["(from versions: none)"]) {
        return Error::Offline { package, detail: last_line(stderr) };
    }
    if says(&["No matching distribution", "Could not find a version"]) {
        let Some((name, version)) = package.split_once("==") else {
            return Error::Offline { package, detail: last_line(stderr) };
        };
        return Error::NoSuchVersion { name: name.into(), version: version.into(), near: vec![] };
    }
    Error::Download { package, detail: last_line(stderr) }
}

fn last_line(text: &str) -> String {
    text.lines().rev().map(str::trim).find(|l| !l.is_empty()).unwrap_or("pip printed nothing").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_version_and_a_missing_network_are_distinguished() {
        let gone = "ERROR: Could not find a version that satisfies the requirement z3-solver==9.9 (from versions: 1)\n\
                    ERROR: No matching distribution found for z3-solver==9.9\n";
        assert!(
            matches!(explain("z3-solver==9.9", gone), Error::NoSuchVersion { version, .. } if version == "9.9")
        );
        let offline = "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)'\n\
                       ERROR: Could not find a version that satisfies the requirement z3-solver (from versions: none)\n";
        assert!(matches!(explain("z3-solver", offline), Error::Offline { .. }));
        let quiet = "ERROR: Could not find a version that satisfies the requirement z3-solver==4.8.10.0 (from versions: none)\n";
        assert!(matches!(explain("z3-solver==4.8.10.0", quiet), Error::Offline { .. }));
        let index = "ERROR: No matching distribution found for z3-solver\n";
        assert!(matches!(explain("z3-solver", index), Error::Offline { .. }));
        assert!(
            matches!(explain("x", "disk full\n\n"), Error::Download { detail, .. } if detail == "disk full")
        );
    }
}
