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
/// The values that are started or given to another program, by the names that flags give them: programs and commands, proof
/// checkers (`carcara=PATH`), libraries, images of containers, options of sbatch, command lines of the tools that falsum stands in for.
const PROGRAMS: [&str; 8] =
    ["PROGRAM", "CMD", "NAME=PATH", "IMAGE", "LIB", "OPTION", "SOLVER_CLI", "SOLVER_CLIS"];
/// Tables of options: a word for one of ours, or a file.
const OPTIONS: &str = "none|regular|all|FILE";
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
                Some(name) if PROGRAMS.contains(&name) => Some("it names a program"),
                Some(OPTIONS) => {
                    let ours = matches!(text.as_str(), "none" | "regular" | "all");
                    (!ours).then_some("it gives options to a solver")
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Values that are neither started nor opened, by the names that flags give them. A new name belongs here only if
    /// nothing acts on such a value; names of places are checked for leaving the folder in any case.
    const HARMLESS: [&str; 57] = [
        "2.5|2.6",
        "BYTES",
        "COLOR",
        "COMMAND",
        "COMMIT",
        "DIR",
        "DIR|-",
        "FILE",
        "FILE|DIR",
        "FOLDER",
        "FORMAT",
        "G",
        "GOAL",
        "HUNT",
        "I/N",
        "ID",
        "INDEX",
        "K",
        "KIND",
        "LEVEL",
        "LOGIC",
        "MOVE",
        "N",
        "NAME",
        "NAMES",
        "OPERATOR",
        "OUT",
        "P",
        "PART",
        "PATH",
        "PERCENT",
        "RANGE",
        "S",
        "SECS",
        "SEEDS",
        "SET",
        "SIZE",
        "SORTS",
        "T",
        "TERM",
        "TEXT",
        "THEORY",
        "TIME",
        "WAY",
        "WHAT",
        "WHEN",
        "WORD",
        "findings|cases|all",
        "fixed|yield|learned|coverage",
        "fresh|forked|reset|scoped|mixed",
        "fresh|reset|scoped|mixed",
        "fusion|weaken|skeleton",
        "sat|unsat",
        "sketch|full",
        "status|answer",
        "wide|deep",
        "wrong|crash|invalid-model|invalid-value|invalid-core|unknown|slow|disagree|rejects",
    ];

    fn every_flag(command: &Command, path: &str, found: &mut Vec<(String, String)>) {
        for arg in command.get_arguments().filter(|arg| arg.get_long().is_some()) {
            let takes = arg.get_action().takes_values() && arg.get_possible_values().is_empty();
            let name = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
            if takes {
                found.push((format!("{path} --{}", arg.get_long().unwrap_or("?")), name.unwrap_or_default()));
            }
        }
        for inner in command.get_subcommands() {
            every_flag(inner, &format!("{path} {}", inner.get_name()), found);
        }
    }

    #[test]
    fn every_flag_with_a_value_is_known_to_act_or_not_to_act() {
        let mut cli = crate::Cli::command();
        cli.build();
        let mut found = vec![];
        every_flag(&cli, "falsum", &mut found);
        assert!(found.len() > 150, "{}", found.len());
        let known = |name: &str| {
            PROGRAMS.contains(&name) || HARMLESS.contains(&name) || [OPTIONS, "SPEC"].contains(&name)
        };
        let unknown: Vec<_> = found.iter().filter(|(_, name)| !known(name)).collect();
        assert!(unknown.is_empty(), "in no list: {unknown:?}");
        for (flag, name) in &found {
            let starts =
                ["--program", "--build", "--script", "--checker", "--cross-check", "--image", "--sbatch"];
            let acts = starts.iter().any(|end| flag.ends_with(end));
            assert!(!acts || PROGRAMS.contains(&&**name), "{flag} {name}");
        }
    }
}
