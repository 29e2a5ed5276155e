//! Walks files and folders that a user names, and reads them safely.
//!
//! In: paths and limits. Out: regular files, in an order that depends on names only, and every other path *with the
//! reason* why it is left out. Any folder may be hostile. FIFOs, devices, links to `/dev/zero`, link loops and huge
//! files are recognised from their metadata before anything is opened. The file is opened without blocking and checked
//! again, in case it was replaced in between, and reading stops at the limit in case it grows. It must never hang,
//! never follow a link twice into the same folder, never use a file's name as anything but a path.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::scan::{ScanLimits, SkipReason, Skipped};

/// A regular file that was found; nothing of it has been read.
#[derive(Debug, Clone)]
pub struct Found {
    pub path: PathBuf,
    /// The path under which the user named it or a folder above it.
    pub root: Arc<Path>,
    pub bytes: u64,
}

impl Found {
    /// Whether the user named this file itself.
    pub fn is_named(&self) -> bool {
        *self.path == *self.root
    }

    /// The path below the root; the path itself for a file that the user named.
    pub fn name(&self) -> &Path {
        self.path.strip_prefix(&self.root).ok().filter(|p| !p.as_os_str().is_empty()).unwrap_or(&self.path)
    }

    /// The file's contents, if the file has not been replaced since.
    pub fn read(&self, limit: u64) -> Result<Vec<u8>, SkipReason> {
        let file = open(&self.path)?;
        let mut text = Vec::with_capacity(usize::try_from(self.bytes.min(limit)).unwrap_or(0));
        let read = file.take(limit.saturating_add(1)).read_to_end(&mut text);
        let bytes = read.map_err(|e| SkipReason::Unreadable(e.to_string()))? as u64;
        if bytes > limit { Err(SkipReason::TooLarge { bytes, limit }) } else { Ok(text) }
    }
}

/// Files and folders in the order given, each folder in the order of names. A file named explicitly may have any
/// extension; within folders only `.smt2` files are returned.
pub fn walk<P: AsRef<Path>>(paths: &[P], limits: &ScanLimits) -> Walk {
    let roots = paths.iter().rev().map(|path| {
        let root: Arc<Path> = path.as_ref().into();
        Step { path: root.to_path_buf(), root, depth: 0 }
    });
    Walk { limits: *limits, pending: roots.collect(), folders: BTreeMap::new() }
}

/// An ongoing walk.
pub struct Walk {
    limits: ScanLimits,
    /// Paths still to visit. The last one is next, so folders are pushed in reverse order.
    pending: Vec<Step>,
    /// Folders entered so far, by device and inode. Reaching one again is a loop or a repetition.
    folders: BTreeMap<(u64, u64), PathBuf>,
}

struct Step {
    path: PathBuf,
    root: Arc<Path>,
    depth: usize,
}

/// What a path turned out to be.
enum Visited {
    File(u64),
    Folder(Vec<PathBuf>),
}

impl Iterator for Walk {
    type Item = Result<Found, Skipped>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(Step { path, root, depth }) = self.pending.pop() {
            match self.visit(&path, depth) {
                Ok(Visited::File(bytes)) => return Some(Ok(Found { path, root, bytes })),
                Ok(Visited::Folder(inside)) => {
                    let step = |path| Step { path, root: root.clone(), depth: depth + 1 };
                    self.pending.extend(inside.into_iter().rev().map(step));
                }
                Err(reason) => return Some(Err(Skipped { path, reason })),
            }
        }
        None
    }
}

impl Walk {
    fn visit(&mut self, path: &Path, depth: usize) -> Result<Visited, SkipReason> {
        if depth > 0 && path.file_name().is_some_and(|n| n.as_encoded_bytes().starts_with(b".")) {
            return Err(SkipReason::Hidden);
        }
        let meta = fs::metadata(path).map_err(|e| lookup_failure(path, &e))?;
        if meta.is_dir() {
            return self.enter(path, &meta, depth).map(Visited::Folder);
        }
        if !meta.is_file() {
            return Err(SkipReason::NotRegular(kind_of(&meta)));
        }
        if depth > 0 && path.extension().is_none_or(|e| e != "smt2") {
            return Err(SkipReason::NotSmt2);
        }
        let limit = self.limits.file_bytes;
        if meta.len() > limit {
            return Err(SkipReason::TooLarge { bytes: meta.len(), limit });
        }
        Ok(Visited::File(meta.len()))
    }

    fn enter(&mut self, path: &Path, meta: &Metadata, depth: usize) -> Result<Vec<PathBuf>, SkipReason> {
        if depth > self.limits.depth {
            return Err(SkipReason::TooDeep { limit: self.limits.depth });
        }
        if let Some(earlier) = self.folders.get(&(meta.dev(), meta.ino())) {
            let inside = path
                .canonicalize()
                .is_ok_and(|real| path.ancestors().skip(1).any(|a| a == real || same(a, meta)));
            return Err(if inside { SkipReason::LinkLoop } else { SkipReason::SameFolder(earlier.clone()) });
        }
        self.folders.insert((meta.dev(), meta.ino()), path.to_owned());
        let listing = fs::read_dir(path)
            .and_then(|entries| entries.map(|e| Ok(e?.path())).collect::<io::Result<Vec<_>>>());
        let mut inside = listing.map_err(|e| SkipReason::Unreadable(e.to_string()))?;
        inside.sort();
        Ok(inside)
    }
}

/// Opens without blocking, in case a FIFO has replaced the file, and checks the type again.
fn open(path: &Path) -> Result<File, SkipReason> {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path);
    let file = file.map_err(|e| SkipReason::Unreadable(e.to_string()))?;
    let meta = file.metadata().map_err(|e| SkipReason::Unreadable(e.to_string()))?;
    if meta.is_file() { Ok(file) } else { Err(SkipReason::NotRegular(kind_of(&meta))) }
}

fn lookup_failure(path: &Path, error: &io::Error) -> SkipReason {
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        SkipReason::LinkLoop
    } else if error.kind() == io::ErrorKind::NotFound && path.is_symlink() {
        SkipReason::BrokenLink
    } else {
        SkipReason::Unreadable(error.to_string())
    }
}

fn same(path: &Path, meta: &Metadata) -> bool {
    fs::metadata(path).is_ok_and(|m| (m.dev(), m.ino()) == (meta.dev(), meta.ino()))
}

fn kind_of(meta: &Metadata) -> &'static str {
    let kind = meta.file_type();
    if kind.is_fifo() {
        "FIFO"
    } else if kind.is_socket() {
        "socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "device"
    } else {
        "special file"
    }
}
