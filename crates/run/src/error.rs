//! Errors that prevent a process from being started.
//!
//! Everything that happens *after* the start is an outcome, not an error. The one distinction callers need is between
//! "this program cannot be run" (disable the target and report why) and "the machine is out of a resource" (back off
//! and retry): see [`Error::is_transient`].

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What the machine has run out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Descriptors, of this process or of the whole system.
    Descriptors,
    /// Processes or threads.
    Processes,
    /// Memory.
    Memory,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Descriptors => "descriptors",
            Resource::Processes => "processes",
            Resource::Memory => "memory",
        })
    }
}

/// Why a process could not be started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No file of that name (or, for a script, no interpreter).
    #[error("{program}: no such program\nhint: give a full path, or check PATH and the script's first line")]
    Missing {
        /// The program as requested.
        program: PathBuf,
    },
    /// The file is there but the system refuses to execute it.
    #[error(
        "{program}: cannot be executed ({source})\nhint: check its permissions and that it is built for this machine"
    )]
    NotExecutable {
        /// The program as requested.
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is being written right now (an upgrade in progress); worth a retry.
    #[error("{program}: is being replaced (text file busy)")]
    BeingReplaced {
        /// The program as requested.
        program: PathBuf,
    },
    /// The machine is out of a resource; back off and retry.
    #[error(
        "out of {resource} while starting a process ({source})\nhint: use fewer workers or raise the limit (ulimit -n, ulimit -u)"
    )]
    Exhausted {
        /// The resource.
        resource: Resource,
        /// The system's error.
        source: io::Error,
    },
    /// The file meant for standard input cannot be opened.
    #[error("{path}: cannot be opened as input ({source})")]
    Input {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The program cannot serve as the original of copies.
    #[error("{program}: cannot be copied: {why}")]
    NoOriginal {
        /// The program.
        program: PathBuf,
        /// The reason.
        why: String,
    },
    /// Any other error of the system.
    #[error("{call} failed ({source})")]
    System {
        /// The call that failed.
        call: &'static str,
        /// The system's error.
        source: io::Error,
    },
}

impl Error {
    /// Whether waiting a moment and trying again can help.
    pub fn is_transient(&self) -> bool {
        matches!(self, Error::Exhausted { .. } | Error::BeingReplaced { .. })
    }

    /// Classifies an error of the start itself.
    pub(crate) fn of_spawn(program: &Path, source: io::Error) -> Error {
        let program = program.to_path_buf();
        match source.raw_os_error() {
            Some(libc::ENOENT | libc::ENOTDIR) => Error::Missing { program },
            Some(libc::EACCES | libc::ENOEXEC | libc::EPERM | libc::EISDIR | libc::ELOOP) => {
                Error::NotExecutable { program, source }
            }
            Some(libc::ETXTBSY) => Error::BeingReplaced { program },
            _ => Error::of_call("posix_spawn", source),
        }
    }

    /// Classifies an error of any other system call.
    pub(crate) fn of_call(call: &'static str, source: io::Error) -> Error {
        let resource = match source.raw_os_error() {
            Some(libc::EMFILE | libc::ENFILE) => Resource::Descriptors,
            Some(libc::EAGAIN) => Resource::Processes,
            Some(libc::ENOMEM) => Resource::Memory,
            _ => return Error::System { call, source },
        };
        Error::Exhausted { resource, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_out_of_a_resource_is_transient_and_a_missing_program_is_not() {
        for (code, transient) in [
            (libc::EMFILE, true),
            (libc::ENFILE, true),
            (libc::EAGAIN, true),
            (libc::ENOMEM, true),
            (libc::ETXTBSY, true),
            (libc::ENOENT, false),
            (libc::EACCES, false),
            (libc::E2BIG, false),
        ] {
            let error = Error::of_spawn(Path::new("x"), io::Error::from_raw_os_error(code));
            assert_eq!(error.is_transient(), transient, "{error}");
        }
    }
}
