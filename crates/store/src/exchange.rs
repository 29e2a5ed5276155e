//! What shards tell each other about the schedule: reports of finished epochs, and the shares that follow from them.
//!
//! In and out: files of JSON, in the folder `schedule` of the campaign and, where shards share a folder, in that one too.
//! Every shard appends to one file of its own (`000003.jsonl`, a line per epoch), so no two machines write one file. The
//! shares of an epoch are written once: a file is prepared under a private name and linked to `epoch-000007.json`, and
//! the first link wins, on a network file system too. So there are no locks between machines, a shard that dies leaves
//! nothing that others wait for, and all shards read the same shares. What this file must never do: change or delete
//! what another shard has written. Lines that are not ours or are incomplete are skipped.

use crate::disk::{Files, NO_LINK, RealDisk};
use crate::error::{Error, Result};
use crate::inside;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of the schedule in a campaign folder.
pub(crate) const SCHEDULE: &str = "schedule";
const OPEN: &str = "open.jsonl";

/// The most that is read of one shard's reports at a time.
const MOST: u64 = 64 << 20;

/// The schedule of one shard, and what it hears from the others.
pub struct Exchange {
    own: PathBuf,
    shared: Option<PathBuf>,
    index: u64,
    files: Files,
    /// How far the reports of each file were read.
    heard: BTreeMap<PathBuf, u64>,
}

impl Exchange {
    /// Of the campaign in `dir`, which is this shard; `shared` is a folder that all shards see.
    pub fn open(dir: &Path, shared: Option<&Path>, index: u64) -> Result<Exchange> {
        let own = dir.join(SCHEDULE);
        let files = Files::new(Arc::new(RealDisk));
        for folder in shared.into_iter().chain([own.as_path()]) {
            files.make_folder(folder)?;
            trim(&folder.join(report_name(index)))?;
        }
        trim(&own.join(OPEN))?;
        let shared = shared.map(Path::to_owned);
        Ok(Exchange { own, shared, index, files, heard: BTreeMap::new() })
    }

    /// Whether other shards can be heard.
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    fn folder(&self) -> &Path {
        self.shared.as_deref().unwrap_or(&self.own)
    }

    /// Appends a report of this shard. After a kill between the two files it may be said again.
    pub fn report<T: Serialize>(&self, report: &T) -> Result<()> {
        let line = line(report);
        for folder in self.shared.iter().chain([&self.own]) {
            append(&folder.join(report_name(self.index)), &line)?;
        }
        Ok(())
    }

    /// The reports of this shard in earlier runs.
    pub fn own_reports<T: DeserializeOwned>(&self) -> Result<Vec<T>> {
        Ok(read_lines(&self.own.join(report_name(self.index)), 0)?.0)
    }

    /// The reports of all shards since the last call, in no order.
    pub fn reports<T: DeserializeOwned>(&mut self) -> Result<Vec<T>> {
        let folder = self.folder().to_owned();
        let mut all = vec![];
        for entry in fs::read_dir(&folder).map_err(|error| Error::io(&folder, error))?.flatten() {
            let path = entry.path();
            if !is_report(&path) {
                continue;
            }
            let from = self.heard.get(&path).copied().unwrap_or(0);
            let (lines, end) = read_lines(&path, from)?;
            all.extend(lines);
            self.heard.insert(path, end);
        }
        Ok(all)
    }

    /// What was settled about an epoch. What another shard settled is kept in this shard's folder too.
    pub fn settled<T: Serialize + DeserializeOwned>(&self, epoch: usize) -> Result<Option<T>> {
        if let Some(settled) = stored(&self.own.join(epoch_name(epoch)))? {
            return Ok(Some(settled));
        }
        let Some(shared) = &self.shared else { return Ok(None) };
        let found: Option<T> = stored(&shared.join(epoch_name(epoch)))?;
        if let Some(found) = &found {
            self.files.replace(&self.own.join(epoch_name(epoch)), &line(found), 0o644)?;
        }
        Ok(found)
    }

    /// Settles an epoch, unless another shard was first; returns what holds.
    pub fn settle<T: Serialize + DeserializeOwned>(&self, epoch: usize, proposed: &T) -> Result<T> {
        let path = self.folder().join(epoch_name(epoch));
        let private = self.folder().join(format!(".{}-{}", epoch_name(epoch), self.index));
        self.files.write(&private, &line(proposed), 0o644)?;
        let linked = fs::hard_link(&private, &path);
        let _ = fs::remove_file(&private);
        match linked {
            // A client that repeats a request may be told that its own link exists: what counts is what is there.
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::io(&path, error)),
        }
        self.settled(epoch)?.ok_or_else(|| Error::damaged(&path, "it cannot be read back"))
    }

    /// Notes what came of a unit of an epoch that has not ended, for a run that goes on after a kill.
    pub fn note<T: Serialize>(&self, note: &T) -> Result<()> {
        append(&self.own.join(OPEN), &line(note))
    }

    /// The notes of earlier runs.
    pub fn noted<T: DeserializeOwned>(&self) -> Result<Vec<T>> {
        Ok(read_lines(&self.own.join(OPEN), 0)?.0)
    }

    /// Replaces the notes: those of ended epochs are not needed any more.
    pub fn keep_notes<T: Serialize>(&self, notes: &[T]) -> Result<()> {
        let text: Vec<u8> = notes.iter().flat_map(line).collect();
        self.files.replace(&self.own.join(OPEN), &text, 0o644)
    }
}

fn report_name(index: u64) -> String {
    format!("{index:06}.jsonl")
}

fn epoch_name(epoch: usize) -> String {
    format!("epoch-{epoch:06}.json")
}

/// Whether a file has the reports of a shard.
fn is_report(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".jsonl"));
    name.is_some_and(|name| name.len() >= 6 && name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a file says what was settled about an epoch.
fn is_epoch(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let number = name.and_then(|name| name.strip_prefix("epoch-")?.strip_suffix(".json"));
    number.is_some_and(|number| number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn line<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Appends and closes: readers on other machines see what was written before a file was closed.
fn append(path: &Path, bytes: &[u8]) -> Result<()> {
    let open = OpenOptions::new().append(true).create(true).custom_flags(NO_LINK).open(path);
    open.and_then(|mut file| file.write_all(bytes)).map_err(|error| Error::io(path, error))
}

/// The complete lines from a position on, and where they end.
fn read_lines<T: DeserializeOwned>(path: &Path, from: u64) -> Result<(Vec<T>, u64)> {
    if fs::symlink_metadata(path).is_err() {
        return Ok((vec![], from));
    }
    let wrong = |error| Error::io(path, error);
    let mut file = inside::open(path)?.0;
    file.seek(SeekFrom::Start(from)).map_err(wrong)?;
    let mut text = vec![];
    file.take(MOST).read_to_end(&mut text).map_err(wrong)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let lines = text[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    Ok((lines.filter_map(|line| serde_json::from_slice(line).ok()).collect(), from + whole as u64))
}

/// Removes the incomplete last line that a kill left.
fn trim(path: &Path) -> Result<()> {
    let Ok(text) = inside::read_file(path) else { return Ok(()) };
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    if whole == text.len() {
        return Ok(());
    }
    let open = OpenOptions::new().write(true).custom_flags(NO_LINK).open(path);
    open.and_then(|file: File| file.set_len(whole as u64)).map_err(|error| Error::io(path, error))
}

/// A file, if it is there and complete.
fn stored<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    Ok(serde_json::from_slice(&inside::read_file(path)?).ok())
}

/// Collects the schedules of shards in the folder of their merge. Returns whether all followed the same shares; if not,
/// only the reports are kept, and a merged campaign settles its epochs anew.
pub(crate) fn merge(dirs: &[PathBuf], to: &Path) -> Result<bool> {
    let to = to.join(SCHEDULE);
    let (mut epochs, mut same) = (BTreeMap::<PathBuf, Vec<u8>>::new(), true);
    for from in dirs.iter().map(|dir| dir.join(SCHEDULE)) {
        let Ok(entries) = fs::read_dir(&from) else { continue };
        fs::create_dir_all(&to).map_err(|error| Error::io(&to, error))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            let Some(name) = path.file_name().map(PathBuf::from) else { continue };
            if is_report(&path) {
                merge_reports(&path, &to.join(name))?;
            } else if is_epoch(&path) {
                let text = inside::read_file(&path)?;
                same &= *epochs.entry(name).or_insert_with(|| text.clone()) == text;
            }
        }
    }
    for (name, text) in epochs.iter().filter(|_| same) {
        inside::write_file(&to.join(name), text)?;
    }
    Ok(same)
}

/// The longer of two versions of a shard's reports: a folder may be merged with an older copy of itself.
fn merge_reports(from: &Path, to: &Path) -> Result<()> {
    let text = inside::read_file(from)?;
    let known = if fs::symlink_metadata(to).is_ok() { inside::read_file(to)? } else { vec![] };
    if text.len() > known.len() || (text.len() == known.len() && text > known) {
        inside::write_file(to, &text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_hear_each_other_and_the_first_to_settle_an_epoch_wins() {
        let dir = tempfile::tempdir().expect("a folder");
        let shared = dir.path().join("shared");
        let open = |index: u64| {
            let own = dir.path().join(format!("own-{index}"));
            Exchange::open(&own, Some(&shared), index).expect("opened")
        };
        let (mut a, b) = (open(0), open(1));
        a.report(&"a0").expect("said");
        b.report(&"b0").expect("said");
        let mut heard: Vec<String> = a.reports().expect("heard");
        heard.sort();
        assert_eq!(heard, ["a0", "b0"]);
        b.report(&"b1").expect("said");
        assert_eq!(a.reports::<String>().expect("heard"), ["b1"], "only what is new");
        assert_eq!(a.settled::<u64>(2).expect("read"), None);
        assert_eq!((a.settle(2, &7u64).expect("settled"), b.settle(2, &8u64).expect("settled")), (7, 7));
        // A shard that comes later follows, and its own folder then says so without the shared one.
        assert_eq!(open(2).settled::<u64>(2).expect("read"), Some(7));
        let alone = Exchange::open(&dir.path().join("own-2"), None, 2).expect("opened");
        assert_eq!(alone.settled::<u64>(2).expect("read"), Some(7));
        assert_eq!(fs::read_dir(&shared).expect("listed").count(), 3, "nothing private is left");
    }

    #[test]
    fn a_line_that_a_kill_cut_off_is_neither_read_nor_continued() {
        let dir = tempfile::tempdir().expect("a folder");
        let exchange = Exchange::open(dir.path(), None, 0).expect("opened");
        exchange.note(&1u64).expect("noted");
        append(&dir.path().join(SCHEDULE).join(OPEN), b"[1, 2").expect("torn");
        assert_eq!(exchange.noted::<u64>().expect("read"), [1]);
        let again = Exchange::open(dir.path(), None, 0).expect("opened");
        again.note(&2u64).expect("noted");
        assert_eq!(again.noted::<u64>().expect("read"), [1, 2]);
        again.keep_notes(&[2u64]).expect("kept");
        assert_eq!(again.noted::<u64>().expect("read"), [2]);
    }
}
