//! Which blocks of an instrumented solver run on a formula, and how often.
//!
//! In: a target whose program is linked with the runtime in `coverage/runtime.c`, and a script. Out: the blocks that ran.
//! The target runs once more, in a process of its own, with a file to count in; the run that is judged is never the one
//! that counts. Nothing is converted or printed per query: the file is a table of numbers, and reading it takes a few
//! milliseconds. The counts of a run that crashed or met its limit are there too. What may not be sent to a solver
//! (`permit`) is not sent here either.

use crate::confine::{confined, writable};
use crate::permit::permit;
use crate::scratch::Scratch;
use crate::session::{QueryLimits, by_hand};
use crate::target::Target;
use autopsy::coverage::{Block, BlockMap};
pub use autopsy::lines::Lines;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The runtime, to be compiled and linked with a solver.
pub const RUNTIME: &str = include_str!("../coverage/runtime.c");

/// The variable that names the file to count in.
const VARIABLE: &str = "FALSUM_COVERAGE";

/// How a table begins: with four bytes per counter after a head of two words, or with one byte per counter from where the
/// third word says.
const MAGIC_CALLS: u64 = 0x3176_6f63_6d75_736c;
const MAGIC_BYTES: u64 = 0x3276_6f63_6d75_736c;
const HEAD: u64 = 24;

/// A target that counts its blocks.
#[derive(Clone, Debug)]
pub struct Instrumented {
    target: Target,
    map: Arc<BlockMap>,
}

/// A block that ran: its function, its number in the program, and how often.
pub type Hit = (u32, u32, u32);

/// What a run showed, and its processor time.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    pub hits: Vec<Hit>,
    pub cpu: Duration,
}

impl Instrumented {
    /// The target as an instrumented one; `None` if its program does not count.
    pub fn of(target: &Target) -> Option<Instrumented> {
        let program = target.command.first()?;
        let map = Arc::new(BlockMap::of(Path::new(program))?);
        Some(Instrumented { target: target.clone(), map })
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    pub fn map(&self) -> &BlockMap {
        &self.map
    }

    /// The source lines of its blocks; `None` if it was built without line tables.
    pub fn lines(&self) -> Option<Lines> {
        Lines::of(Path::new(self.target.command.first()?), &self.map)
    }

    /// The blocks that run on a script, by function and block; nothing if the run cannot be started or the script may
    /// not be sent.
    pub fn hits(&self, script: &[u8], limits: &QueryLimits) -> Vec<Hit> {
        self.count(script, limits).hits
    }

    /// The same, and how long it took.
    pub fn count(&self, script: &[u8], limits: &QueryLimits) -> Counted {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        let permitted = permit(&self.target.profile, script);
        if permitted.refused.is_some() {
            return Counted::default();
        }
        let Ok(folder) = writable() else { return Counted::default() };
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let table = folder.join(format!("coverage-{}-{serial}", std::process::id()));
        let counted = self.run(&permitted.script, limits, &table);
        // A table that cannot be removed goes with its folder.
        let _ = std::fs::remove_file(&table);
        counted.unwrap_or_default()
    }

    fn run(&self, script: &[u8], limits: &QueryLimits, table: &Path) -> Option<Counted> {
        let (program, own) = self.target.command.split_first()?;
        let (args, by_stdin) = by_hand(&self.target, script);
        let spec = run::Spec::new(program).args(own).args(args).env(VARIABLE, table).limits(limits.for_run());
        let spec = confined(spec);
        let outcome = if by_stdin {
            run::once(&spec, run::Input::Bytes(script)).ok()?
        } else {
            let file = Scratch::write(script).ok()?;
            run::once(&spec, run::Input::Argument(file.path())).ok()?
        };
        Some(Counted { hits: self.read(table).ok()?, cpu: outcome.cpu })
    }

    /// The counters of all blocks that are not zero. Only the part of the file that has blocks is read.
    fn read(&self, table: &Path) -> std::io::Result<Vec<Hit>> {
        let file = std::fs::File::open(table)?;
        let mut head = [0; HEAD as usize];
        file.read_exact_at(&mut head, 0)?;
        let words: Vec<u64> = head.chunks(8).map(number).collect();
        let (width, from) = match words[..] {
            [MAGIC_CALLS, ..] => (4, 16),
            [MAGIC_BYTES, _, from] => (1, from),
            _ => return Ok(vec![]),
        };
        let counters = || self.map.blocks().iter().map(|block| u64::from(block.counter));
        let (Some(first), Some(last)) = (counters().min(), counters().max()) else { return Ok(vec![]) };
        let mut counts = vec![0; ((last - first + 1) * width) as usize];
        file.read_exact_at(&mut counts, from.saturating_add(first * width))?;
        let hit = |(n, block): (usize, &Block)| {
            let at = ((u64::from(block.counter) - first) * width) as usize;
            let count = number(&counts[at..at + width as usize]) as u32;
            (count > 0).then_some((block.function, n as u32, count))
        };
        let mut hits: Vec<Hit> = self.map.blocks().iter().enumerate().filter_map(hit).collect();
        hits.sort_unstable();
        Ok(hits)
    }
}

/// Bytes as a number, least first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}
