//! Exit codes: the part of the contract that scripts rely on, in one place.
//!
//! A command returns `Ok(Exit)` for everything it foresaw, or an `anyhow::Error`. An error with a `Failure` in its
//! chain exits with that failure's code; any other error is our own bug and exits 1.

use campaign::CampaignEnd;
use std::fmt;
use std::io::Write;
use std::process::ExitCode;

/// How a run of falsum ended. The numbers never change their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing wrong was found.
    Fine = 0,
    /// Our own bug.
    Internal = 1,
    /// The command line or an input is wrong.
    Usage = 2,
    /// An internal error of `opfuzz`, `typefuzz` and `yinyang`, whose users expect this number.
    PeerInternal = 3,
    /// The disk is full, for the same three.
    PeerDisk = 5,
    /// There are findings.
    Findings = 10,
    /// There are findings, all of them known already.
    KnownFindings = 11,
    /// No solver can be used.
    NoSolver = 12,
    /// Another falsum is running in this campaign folder.
    Locked = 13,
    /// The disk is full and the campaign cannot continue.
    DiskFull = 14,
    /// A shard ended early and is to be started again: the number that schedulers know as a temporary failure.
    Again = 75,
    /// Wrong, for `git bisect run`.
    GitBad = 101,
    /// Cannot be decided, for `git bisect run`.
    GitSkip = 125,
    /// Interrupted by the user; state is saved.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// A foreseen failure: a message for the user, an optional hint, and the exit code.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
    pub hint: Option<String>,
}

impl Failure {
    /// A mistake in the command line or in an input.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Usage, message: message.into(), hint: None }
    }

    /// An I/O error: a full disk has its own exit code.
    pub fn io(path: impl fmt::Display, error: &std::io::Error) -> Failure {
        let exit = if error.kind() == std::io::ErrorKind::StorageFull { Exit::DiskFull } else { Exit::Usage };
        Failure { exit, message: format!("{path}: {error}"), hint: None }
    }

    /// Standard output or standard error cannot be written.
    pub fn printing(error: &std::io::Error) -> Failure {
        Failure::io("the output cannot be written", error)
    }

    /// Adds what the user can do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<CampaignEnd> for Exit {
    fn from(ended: CampaignEnd) -> Exit {
        match ended {
            CampaignEnd::Fine => Exit::Fine,
            CampaignEnd::Findings => Exit::Findings,
            CampaignEnd::OurBugs => Exit::Internal,
            CampaignEnd::Interrupted => Exit::Interrupted,
            CampaignEnd::NoSolver => Exit::NoSolver,
        }
    }
}

/// An error of a campaign or its folder as a foreseen failure with its exit code; `None` if it is a bug of ours.
fn foreseen(error: &anyhow::Error) -> Option<Failure> {
    let hinted = |exit, hint: Option<&str>| {
        Some(Failure { exit, message: error.to_string(), hint: hint.map(str::to_owned) })
    };
    let store = match error.downcast_ref::<campaign::Error>() {
        Some(campaign::Error::Store(error)) => error,
        Some(campaign::Error::Machine { why, .. }) if is_refusal(why) => {
            return hinted(Exit::Usage, Some(LIMITS));
        }
        Some(campaign::Error::Run(why)) if why.is_transient() => return hinted(Exit::Usage, Some(LIMITS)),
        Some(campaign::Error::Machine { .. } | campaign::Error::Run(_) | campaign::Error::Closed) => {
            return None;
        }
        Some(campaign::Error::Unavailable { .. }) => {
            return hinted(Exit::NoSolver, Some("run falsum doctor, or leave this release out"));
        }
        Some(campaign::Error::Strategy { .. } | campaign::Error::Grammar { .. }) => {
            return hinted(Exit::Usage, None);
        }
        None => error.downcast_ref::<store::Error>()?,
    };
    match store {
        store::Error::Locked { .. } => {
            hinted(Exit::Locked, Some("wait for it, or give another folder with --out"))
        }
        store::Error::DiskFull { .. } => {
            hinted(Exit::DiskFull, Some("free some space, then continue with --resume"))
        }
        store::Error::Exists { .. } => {
            hinted(Exit::Usage, Some("continue with --resume, or give another folder with --out"))
        }
        store::Error::Missing { .. } => hinted(Exit::Usage, Some("falsum hunt makes one")),
        store::Error::Differs(_) => {
            hinted(Exit::Usage, Some("resume with the same key, strategies, seeds, settings and shard"))
        }
        store::Error::Newer { .. } => {
            hinted(Exit::Usage, Some("use the falsum that wrote it, or a newer one"))
        }
        store::Error::Damaged { .. } => {
            hinted(Exit::Usage, Some("falsum hunt --resume repairs what can be repaired"))
        }
        store::Error::Refused { .. } => {
            let hint = "falsum does not write this: another program or person has changed the folder";
            hinted(Exit::Usage, Some(hint))
        }
        store::Error::Io { .. } | store::Error::Unknown(_) | store::Error::Merge(_) => {
            hinted(Exit::Usage, None)
        }
        store::Error::Database(_) => None,
    }
}

/// Whether another process holds the campaign folder.
pub fn is_locked(error: &anyhow::Error) -> bool {
    foreseen(error).is_some_and(|failure| failure.exit == Exit::Locked)
}

/// Prints what went wrong on stderr and returns the exit code.
pub fn explain(error: &anyhow::Error) -> Exit {
    // If standard error does not work either, the failure cannot be reported.
    // Text from files and solvers may be in it: it is escaped, so that it cannot control the terminal.
    let say = |line: String| {
        drop(writeln!(std::io::stderr(), "{}", report::escaped(&without_numbers(&line))));
    };
    let foreseen = foreseen(error);
    if let Some(failure) = error.downcast_ref::<Failure>().or(foreseen.as_ref()) {
        say(format!("error: {failure}"));
        if let Some(hint) = &failure.hint {
            say(format!("  = hint: {hint}"));
        }
        return failure.exit;
    }
    say(format!("error: {error:#}"));
    if is_disk_full(error) {
        return Exit::DiskFull;
    }
    if error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>()).any(is_refusal) {
        say(format!("  = hint: {LIMITS}"));
        return Exit::Usage;
    }
    say("  = hint: this looks like a bug in falsum itself; please report it with the command line".into());
    Exit::Internal
}

/// A message without the numbers of system errors, which say nothing that its words do not say.
fn without_numbers(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    out
}

const LIMITS: &str =
    "a limit of this shell or machine is too low (see ulimit -a); fewer workers need less: -j 1";

/// The system refused threads, processes, descriptors or memory.
fn is_refusal(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{OutOfMemory, WouldBlock};
    const TOO_MANY_FILES: [i32; 2] = [23, 24];
    matches!(error.kind(), OutOfMemory | WouldBlock)
        || error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

fn is_disk_full(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind).or(json)
    };
    error.chain().any(|cause| kind(cause) == Some(std::io::ErrorKind::StorageFull))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_numbers_of_system_errors() {
        let error = std::io::Error::from_raw_os_error(2);
        assert_eq!(
            without_numbers(&format!("a.smt2: {error}, again")),
            "a.smt2: No such file or directory, again"
        );
        assert_eq!(without_numbers("plain"), "plain");
    }
}
