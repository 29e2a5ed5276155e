//! Which flags of a `falsum.toml` need the user's permission, and where that permission is stored.
//!
//! A configuration file comes with a cloned repository, so a stranger may have written it. Most flags in it are safe:
//! times, numbers, keys, strategies, solvers by the name of a release. Some are not: a program or a command line,
//! options of a solver (they can name files to write), a path that leaves the folder, a flag that switches a
//! protection off. [`acts`] decides which; such a flag is used only after `falsum allow`, which stores a hash of the
//! file's path and text in the user's own data folder. The same text at another path needs a new permission, because
//! a command line such as `./build/z3` means another program there. This file must never start a program to find out.

use crate::exit::Failure;
use clap::{Arg, Command};
use smtlib::shown;
use solver::spec::Program;
use solver::{Home, Spec};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use toml::Value;

/// Flags that switch a protection off.
const PROTECTIONS: [&str; 2] = ["trust-options", "sandbox"];
/// The largest configuration file that is read.
const MOST: u64 = 1 << 20;

/// Why a flag of the file needs the user's permission, if it does. `folder` is where the file is.
pub fn acts(command: &Command, key: &str, value: &Value, folder: &Path) -> Option<&'static str> {
    if PROTECTIONS.contains(&key) {
        return Some("it switches a protection off");
    }
    match value {
        Value::Array(values) => values.iter().find_map(|value| acts(command, key, value, folder)),
        Value::String(text) => {
            let arg = command.get_arguments().find(|arg| arg.get_long() == Some(key));
            let names = arg.and_then(Arg::get_value_names).unwrap_or_default();
            match names.first().map(clap::builder::Str::as_str) {
                Some("PROGRAM" | "CMD") => Some("it names a program"),
                Some("SPEC") => text.split(',').find_map(more_than_a_release),
                _ => leaves(folder, text).then_some("it leaves the folder"),
            }
        }
        _ => None,
    }
}

fn more_than_a_release(spec: &str) -> Option<&'static str> {
    match Spec::parse(spec) {
        Ok(Spec { program: Program::Release { .. }, args, .. }) if args.is_empty() => None,
        Ok(Spec { program: Program::Release { .. }, .. }) => Some("it gives options to a solver"),
        _ => Some("it names a program"),
    }
}

/// Whether a path is absolute, goes up, or goes through a link.
fn leaves(folder: &Path, text: &str) -> bool {
    let mut path = folder.to_owned();
    Path::new(text).components().any(|part| match part {
        Component::CurDir => false,
        Component::Normal(name) => {
            path.push(name);
            path.is_symlink()
        }
        _ => true,
    })
}

/// The text of a configuration file; `None` if there is none.
pub fn read(file: &Path) -> Result<Option<String>, Failure> {
    let trouble = |error: &std::io::Error| Failure::io(shown::path(file), error);
    // Checked before it is opened: opening a FIFO waits for a writer.
    match std::fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(trouble(&error)),
        Ok(found) if !found.is_file() => {
            return Err(Failure::usage(format!("{} is not a file", shown::path(file))));
        }
        Ok(_) => {}
    }
    let mut text = String::new();
    let open = std::fs::File::open(file).map_err(|error| trouble(&error))?;
    open.take(MOST + 1).read_to_string(&mut text).map_err(|error| trouble(&error))?;
    if text.len() as u64 > MOST {
        return Err(Failure::usage(format!("{} has more than {MOST} bytes", shown::path(file))));
    }
    Ok(Some(text))
}

/// Whether the user has allowed this file with this text.
pub fn is_given(file: &Path, text: &str) -> bool {
    record(file, text).is_ok_and(|record| record.is_file())
}

/// Remembers that the user allows this file with this text.
pub fn give(file: &Path, text: &str) -> Result<(), Failure> {
    let record = record(file, text)?;
    let written = record.parent().map_or(Ok(()), std::fs::create_dir_all);
    written
        .and_then(|()| std::fs::write(&record, shown::path(file) + "\n"))
        .map_err(|error| Failure::io(shown::path(&record), &error))
}

/// Where the user's permission for a file is stored.
fn record(file: &Path, text: &str) -> Result<PathBuf, Failure> {
    use std::os::unix::ffi::OsStrExt;
    let home = Home::from_env().map_err(crate::command::solver_failure)?;
    let place = file.canonicalize().map_err(|error| Failure::io(shown::path(file), &error))?;
    let mut hash = blake3::Hasher::new();
    hash.update(place.as_os_str().as_bytes()).update(&[0]).update(text.as_bytes());
    Ok(home.root().join("allowed").join(hash.finalize().to_hex().as_str()))
}
