//! `events.jsonl`: appended in complete lines.
//!
//! An event is pending from the moment it is emitted. If the disk is full it stays in memory and is written first once
//! there is space, so the database and the stream never disagree for longer than that. A line that a kill truncated is
//! removed on the next start. A complete line is never rewritten.

use crate::disk::{Files, NO_LINK};
use crate::error::{Error, Result};
use crate::event::{Event, Stamped};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

pub(crate) const NAME: &str = "events.jsonl";

pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    /// Bytes of complete lines in the file.
    whole: u64,
    owed: Vec<u8>,
    /// Events that were emitted and not yet passed to listeners.
    unheard: Vec<Stamped>,
}

impl Journal {
    /// Opens or creates the stream; also returns how many bytes of a truncated line it removed.
    pub fn open(dir: &Path) -> Result<(Journal, u64)> {
        let path = dir.join(NAME);
        let wrong = |error| Error::io(&path, error);
        let mut open = OpenOptions::new();
        open.read(true).append(true).create(true).custom_flags(NO_LINK);
        let mut file = open.open(&path).map_err(wrong)?;
        let length = file.metadata().map_err(wrong)?.len();
        let whole = whole_lines(&mut file, length).map_err(wrong)?;
        if whole < length {
            file.set_len(whole).map_err(wrong)?;
        }
        Ok((
            Journal { file, path: path.clone(), whole, owed: Vec::new(), unheard: Vec::new() },
            length - whole,
        ))
    }

    /// Adds a pending event.
    pub fn say(&mut self, event: Event) {
        let stamped = Stamped::now(event);
        self.owed.extend_from_slice(&stamped.line());
        self.unheard.push(stamped);
    }

    /// The events that were emitted since the last call.
    pub fn drain(&mut self) -> Vec<Stamped> {
        std::mem::take(&mut self.unheard)
    }

    /// Writes the pending events.
    pub fn flush(&mut self, files: &Files) -> Result<()> {
        if self.owed.is_empty() {
            return Ok(());
        }
        match files.put(&mut self.file, &self.owed) {
            Ok(()) => {
                self.whole += self.owed.len() as u64;
                self.owed.clear();
                Ok(())
            }
            Err(error) => {
                // Some bytes may be there: no reader may see half a line.
                let _ = self.file.set_len(self.whole);
                Err(Error::io(&self.path, error))
            }
        }
    }

    /// Waits until what was written is on disk.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(|error| Error::io(&self.path, error))
    }
}

/// Where the last complete line ends.
fn whole_lines(file: &mut File, length: u64) -> std::io::Result<u64> {
    let mut end = length;
    let least = length.saturating_sub(LONGEST_LINE);
    let mut block = vec![0u8; 64 * 1024];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let block = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(block)?;
        if let Some(newline) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + newline as u64 + 1);
        }
        end = start;
        if end > 0 && end < least {
            return Err(std::io::Error::other("its last line is longer than any event"));
        }
    }
    Ok(0)
}

/// Longer lines are not read: the folder may be a stranger's.
const LONGEST_LINE: u64 = 64 << 20;

/// Reads the events of a folder, oldest first, and counts the lines that are not events.
pub(crate) fn read(dir: &Path, mut each: impl FnMut(Stamped)) -> Result<u64> {
    let path = dir.join(NAME);
    let file = match File::open(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        file => file.map_err(|error| Error::io(&path, error))?,
    };
    let (mut reader, mut line, mut bad) = (BufReader::new(file), Vec::new(), 0);
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        if read.map_err(|error| Error::io(&path, error))? == 0 {
            return Ok(bad);
        }
        if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            return Err(Error::damaged(&path, "one of its lines is longer than any event"));
        }
        match serde_json::from_slice::<Stamped>(&line) {
            Ok(event) => each(event),
            // A line without its end is being written right now.
            Err(_) if line.ends_with(b"\n") => bad += 1,
            Err(_) => {}
        }
    }
}
