//! Everything that can go wrong while a solver is found, installed, loaded or run, as one typed enum.
//!
//! Each variant is a situation that a user can act on, and [`Error::hint`] says how. A message here never contains
//! a backtrace and never blames the user for a network failure.

use std::path::PathBuf;

/// Why a solver could not be found, installed, loaded or run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A SPEC on the command line could not be read.
    #[error("cannot read the solver `{spec}`: {why}")]
    BadSpec { spec: String, why: String },
    /// The name is not a solver that can be installed by name.
    #[error("there is no solver called `{name}` to install")]
    UnknownSolver { name: String },
    /// falsum knows the solver, but no package client offers it.
    #[error("`{name}` cannot be installed by name")]
    NotPackaged { name: String },
    /// Nothing installed, and nothing on PATH, matches.
    #[error("no installed release matches `{spec}`")]
    NotInstalled { spec: String },
    #[error("{path}: {why}")]
    NoProgram { path: String, why: &'static str },
    /// The program ends without an answer to a simple query.
    #[error(
        "{target} does not answer a simple query (`{command}`)\n  sent: {}\n  it printed: {came}",
        crate::probe::sent()
    )]
    NoAnswer { target: String, command: String, came: String },
    /// The package exists, but not in that version.
    #[error("there is no release {version} of {name}")]
    NoSuchVersion { name: String, version: String, near: Vec<String> },
    /// No Python interpreter was found; its package client fetches releases.
    #[error("python3 was not found; it is needed to download solver releases")]
    PythonMissing,
    /// Python is there, pip is not.
    #[error("`{python} -m pip` does not work")]
    PipMissing { python: String },
    /// pip could not reach the package index.
    #[error("cannot download {package}: the package index cannot be reached")]
    Offline { package: String, detail: String },
    /// pip failed for another reason.
    #[error("cannot download {package}: {detail}")]
    Download { package: String, detail: String },
    /// The wheel is not what the catalogue expects.
    #[error("{package} does not contain {wanted}")]
    Contents { package: String, wanted: String },
    /// It unpacks to more than any solver needs.
    #[error("{package} is refused: {why}")]
    TooLarge { package: String, why: String },
    /// A release differs from the one that was seen before under that name.
    #[error("{release} has changed: its hash is {found}, and {path} says {expected}", path = smtlib::shown::path(path))]
    HashDiffers { release: String, expected: String, found: String, path: PathBuf },
    /// The release is pinned, but not this file of it.
    #[error("{release} was downloaded as {wheel}, which is not in {path}", path = smtlib::shown::path(path))]
    OtherWheel { release: String, wheel: String, path: PathBuf },
    /// The freshly installed release gave a wrong or no answer to a trivial query.
    #[error("{release} fails its {query} query: {detail}")]
    Verification { release: String, query: &'static str, detail: String },
    /// The solver's library could not be loaded.
    #[error("cannot load the library of {path}: {detail}")]
    Library { path: PathBuf, detail: String },
    /// falsum does not know how to build it.
    #[error("`{name}` cannot be built with coverage")]
    NoSource { name: String },
    /// No compiler takes the flags of coverage.
    #[error("no C++ compiler was found that can build with coverage")]
    NoCompiler,
    /// A step of a build failed.
    #[error("{release}: {step} failed: {detail}\n  the build is in {folder}", folder = smtlib::shown::path(folder))]
    Build { release: String, step: &'static str, detail: String, folder: PathBuf },
    /// A file operation failed.
    #[error("{what} {path}: {source}", path = smtlib::shown::path(path))]
    Io { what: &'static str, path: PathBuf, source: std::io::Error },
    /// A release folder, a profile or the catalogue does not parse.
    #[error("{path} is not readable: {detail}", path = smtlib::shown::path(path))]
    Malformed { path: PathBuf, detail: String },
    /// Neither `HOME` nor `FALSUM_HOME` nor `XDG_DATA_HOME` is set.
    #[error("there is no folder for solver releases")]
    NoHome,
}

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// What a user can do about it, in one sentence.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::BadSpec { .. } => {
                Some("write `z3`, `z3@4.8.6`, `z3@4.8.5..4.12`, `\"path/to/z3 option=value\"` or `name=SPEC`".into())
            }
            Error::UnknownSolver { .. } => {
                Some("`falsum solvers list --available` shows the names; any other program works as `--solver \"path args\"`".into())
            }
            Error::NotPackaged { name } => {
                Some(format!("put it on PATH and falsum will find it, or write `--solver path/to/{name}`"))
            }
            Error::NotInstalled { spec } => {
                let first = spec.split_whitespace().next().unwrap_or("z3");
                match first.strip_suffix(crate::spec::COVERAGE) {
                    Some(plain) => Some(format!("build it with `falsum solvers add {plain} --coverage`; it takes about an hour")),
                    None => Some(format!("install it with `falsum solvers add {first}`")),
                }
            }
            Error::NoProgram { .. } => {
                Some("write the path of a solver, or a name that `falsum solvers list --available` shows".into())
            }
            Error::NoAnswer { .. } => Some(
                "run that command by hand on a small script; if it is a solver under another name, write family:PATH (as in z3:./build/solver), and check its options"
                    .into(),
            ),
            Error::NoSuchVersion { near, .. } if !near.is_empty() => {
                Some(format!("the nearest releases are {}", near.join(", ")))
            }
            Error::NoSuchVersion { name, .. } => {
                Some(format!("`falsum solvers list --available` shows the releases of {name}"))
            }
            Error::PythonMissing => Some(
                "install Python 3 with pip (Debian: `apt install python3-pip`), or put a solver on PATH and skip the download".into(),
            ),
            Error::PipMissing { python } => Some(format!(
                "install pip (`{python} -m ensurepip --user`, or `apt install python3-pip`), or put a solver on PATH"
            )),
            Error::Offline { .. } => {
                Some("check the network and try again; releases that are installed already work offline".into())
            }
            Error::Library { .. } | Error::Contents { .. } | Error::Verification { .. } => {
                Some("remove the release and add it again; if it persists, this machine may be unsupported by that wheel".into())
            }
            Error::HashDiffers { .. } => Some(
                "the package or the files were replaced; if you know why, remove the release and its entry in that file"
                    .into(),
            ),
            Error::OtherWheel { .. } => {
                Some("on a machine that you trust, add it there: falsum solvers lock".into())
            }
            Error::TooLarge { .. } => Some("no release of a solver is that large; check who publishes it".into()),
            Error::NoSource { .. } => Some(
                "z3 can; any other solver works if it is built with what `falsum coverage --runtime` prints (docs/guides/search.md)"
                    .into(),
            ),
            Error::NoCompiler => Some(
                "install clang with its C++ library (Debian: `apt install clang-19 libc++-19-dev libc++abi-19-dev`), or name a compiler in CXX"
                    .into(),
            ),
            Error::Build { detail, .. } if detail.contains("'format'") || detail.contains("format: No such") => Some(
                "this release needs a newer C++ library: install one (Debian: `apt install clang-19 libc++-19-dev libc++abi-19-dev`) and try again"
                    .into(),
            ),
            Error::Build { .. } => {
                Some("the same command continues where the build stopped; its output is in the folder's .log files".into())
            }
            Error::NoHome => Some("set FALSUM_HOME to a folder falsum may write to".into()),
            Error::Download { .. } | Error::Io { .. } | Error::Malformed { .. } => None,
        }
    }

    pub(crate) fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { what, path, source }
    }
}
