//! Paths that a campaign folder may name: files inside itself, and nothing else.
//!
//! A folder may come from a stranger. A name in it (in `meta.json`, in the database) becomes a path only as an
//! [`Inside`], which is checked when it is read: one or two plain names, never absolute, never upwards. A file is
//! opened only if it is a regular file of bounded size and not a link, so that nothing outside the folder is read or
//! written, and no pipe is waited for. A process that changes the folder at the same moment has the user's own rights;
//! this file does not protect against it.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The largest file of a finding.
const MOST_BYTES: u64 = 256 << 20;
/// The maximal number of files in the folder of a finding.
const MOST_FILES: usize = 10_000;
/// Everything at the top of a campaign folder that is read or written.
const OWN: [&str; 20] = [
    "campaign.toml",
    ".campaign.toml.new",
    "falsum.db",
    "falsum.db-wal",
    "falsum.db-shm",
    "falsum.db-journal",
    "events.jsonl",
    "lock",
    "epochs",
    "findings",
    "flaky",
    "panics",
    "quarantine",
    "issues",
    "report.html",
    "solvers.json",
    "parts",
    "schedule",
    "standing.json",
    "result.json",
];

/// The name of a file in the folder of a finding: `formula.smt2`, `outputs/z3.out`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Inside(String);

impl Inside {
    /// The name, if it can only be a file inside.
    pub fn parse(name: &str) -> Option<Inside> {
        let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\0');
        let fits = name.split('/').all(plain) && name.split('/').count() <= 2 && name.len() <= 400;
        fits.then(|| Inside(name.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Inside {
    type Error = String;

    fn try_from(name: String) -> std::result::Result<Inside, String> {
        Inside::parse(&name).ok_or_else(|| format!("{name:?} is not the name of a file in a finding"))
    }
}

impl From<Inside> for String {
    fn from(name: Inside) -> String {
        name.0
    }
}

/// `f-`, `b-` or `p-` and 16 hexadecimal digits.
pub(crate) fn is_id(name: &str, prefix: &str) -> bool {
    let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    name.strip_prefix(prefix).is_some_and(|hex| hex.len() == 16 && hex.bytes().all(digit))
}

/// Refuses a campaign folder with a link, a pipe or a device where falsum reads or writes: opening a pipe would wait.
pub(crate) fn own(dir: &Path) -> Result<()> {
    OWN.iter().map(|name| dir.join(name)).try_for_each(|path| {
        no_link(&path)?;
        match fs::symlink_metadata(&path) {
            Ok(found) if !found.is_file() && !found.is_dir() => {
                Err(Error::Refused { path, why: "it is neither a file nor a folder" })
            }
            _ => Ok(()),
        }
    })
}

pub(crate) fn no_link(path: &Path) -> Result<()> {
    if path.is_symlink() {
        Err(Error::Refused { path: path.to_owned(), why: "it is a link" })
    } else {
        Ok(())
    }
}

/// Reads a file in the folder of a finding.
pub(crate) fn read(folder: &Path, name: &Inside) -> Result<Vec<u8>> {
    no_link(folder)?;
    if let Some((parent, _)) = name.0.split_once('/') {
        no_link(&folder.join(parent))?;
    }
    read_file(&folder.join(&name.0))
}

/// Reads a regular file of bounded size.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    let (file, length) = open(path)?;
    let mut bytes = Vec::with_capacity(length as usize);
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| Error::io(path, error))?;
    Ok(bytes)
}

/// Replaces the content of a regular file, or makes one. Links and pipes are refused.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    no_link(path)?;
    // Opening a pipe would wait.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let opened = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .custom_flags(flags.bits() as i32)
        .open(path);
    let mut file = opened.map_err(|error| Error::io(path, error))?;
    if !file.metadata().is_ok_and(|found| found.is_file()) {
        return Err(Error::Refused { path: path.to_owned(), why: "it is not a file" });
    }
    file.set_len(0).and_then(|()| file.write_all(bytes)).map_err(|error| Error::io(path, error))
}

/// Opens a regular file of bounded size; also returns its length.
pub(crate) fn open(path: &Path) -> Result<(File, u64)> {
    no_link(path)?;
    // Opening a pipe would wait.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path);
    let file = opened.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::damaged(path, "it is missing"),
        _ => Error::io(path, error),
    })?;
    let found = file.metadata().map_err(|error| Error::io(path, error))?;
    match () {
        () if !found.is_file() => Err(Error::Refused { path: path.to_owned(), why: "it is not a file" }),
        () if found.len() > MOST_BYTES => {
            Err(Error::Refused { path: path.to_owned(), why: "it is too large" })
        }
        () => Ok((file, found.len())),
    }
}

/// Copies a folder of files, with folders of files in it: everything in a finding.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut left = MOST_FILES;
    copy_level(from, to, 2, &mut left)
}

fn copy_level(from: &Path, to: &Path, depth: usize, left: &mut usize) -> Result<()> {
    no_link(from)?;
    fs::create_dir_all(to).map_err(|error| Error::io(to, error))?;
    for entry in fs::read_dir(from).map_err(|error| Error::io(from, error))? {
        let entry = entry.map_err(|error| Error::io(from, error))?;
        let (path, to): (PathBuf, PathBuf) = (entry.path(), to.join(entry.file_name()));
        let refused = |why| Err(Error::Refused { path: path.clone(), why });
        let Some(fewer) = left.checked_sub(1) else { return refused("the folder has too many files") };
        *left = fewer;
        let kind = entry.file_type().map_err(|error| Error::io(&path, error))?;
        match () {
            () if kind.is_dir() && depth > 1 => copy_level(&path, &to, depth - 1, left)?,
            () if kind.is_dir() => return refused("the folders are nested too deep for a finding"),
            () => copy_file(&path, &to)?,
        }
    }
    Ok(())
}

/// Of the permissions only "executable" is kept.
fn copy_file(from: &Path, to: &Path) -> Result<()> {
    let (file, length) = open(from)?;
    let runs = file.metadata().is_ok_and(|found| found.permissions().mode() & 0o100 != 0);
    let mode = if runs { 0o755 } else { 0o644 };
    let made = OpenOptions::new().write(true).create_new(true).mode(mode).open(to);
    let copied = made.and_then(|mut made| io::copy(&mut file.take(length), &mut made));
    copied.map(|_| ()).map_err(|error| Error::io(to, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_inside_a_finding_never_leads_outside() {
        for good in ["formula.smt2", "outputs/0-a b.out", "..."] {
            assert_eq!(Inside::parse(good).map(String::from).as_deref(), Some(good));
        }
        for bad in ["", "/etc/passwd", "../x", "a/../b", "a/..", "outputs//x", "a/b/c", "./a", "a/", "a\0"] {
            assert_eq!(Inside::parse(bad), None, "{bad:?}");
            assert!(serde_json::from_value::<Inside>(bad.into()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn links_pipes_and_deep_folders_are_neither_read_nor_copied() {
        let dir = tempfile::tempdir().expect("a folder");
        let secret = dir.path().join("secret");
        fs::write(&secret, "secret").expect("written");
        let from = dir.path().join("from");
        let fresh = || {
            let _ = fs::remove_dir_all(&from);
            let _ = fs::remove_dir_all(dir.path().join("to"));
            fs::create_dir(&from).expect("made");
        };
        let refuses = |name: &str| {
            let name = Inside::parse(name).expect("plain");
            assert!(matches!(read(&from, &name), Err(Error::Refused { .. })), "{name:?} was read");
            assert!(matches!(copy(&from, &dir.path().join("to")), Err(Error::Refused { .. })), "{name:?}");
        };
        fresh();
        std::os::unix::fs::symlink(&secret, from.join("a")).expect("linked");
        refuses("a");
        fresh();
        std::os::unix::fs::symlink(dir.path(), from.join("outputs")).expect("linked");
        refuses("outputs/secret");
        fresh();
        let made = std::process::Command::new("mkfifo").arg(from.join("pipe")).status();
        assert!(made.expect("runs").success());
        refuses("pipe");
        fresh();
        fs::create_dir_all(from.join("a/b")).expect("made");
        refuses("a/b");
        fresh();
        let large = File::create(from.join("large")).expect("made");
        large.set_len(MOST_BYTES + 1).expect("sparse");
        refuses("large");
    }

    #[test]
    fn nothing_is_written_through_a_link_or_into_a_pipe() {
        let folder = tempfile::tempdir().expect("a folder");
        let (plain, link, pipe) =
            (folder.path().join("plain"), folder.path().join("link"), folder.path().join("pipe"));
        write_file(&plain, b"longer").expect("a new file");
        write_file(&plain, b"short").expect("the same file");
        std::os::unix::fs::symlink(&plain, &link).expect("a link");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        assert!(write_file(&link, b"x").is_err() && write_file(&pipe, b"x").is_err());
        assert_eq!(read_file(&plain).expect("a file"), b"short");
        assert!(read_file(&pipe).is_err());
    }
}
