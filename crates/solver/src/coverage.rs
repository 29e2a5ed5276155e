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
use autopsy::coverage::BlockMap;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The runtime, to be compiled and linked with a solver.
pub const RUNTIME: &str = include_str!("../coverage/runtime.c");

/// The variable that names the file to count in.
const VARIABLE: &str = "FALSUM_COVERAGE";

/// How a table begins, and how long its head is.
const MAGIC: u64 = 0x3176_6f63_6d75_736c;
const HEAD: u64 = 16;

/// A target that counts its blocks.
#[derive(Clone, Debug)]
pub struct Instrumented {
    target: Target,
    map: Arc<BlockMap>,
}

/// A block that ran: its function, its number in the program, and how often.
pub type Hit = (u32, u32, u32);

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

    /// The blocks that run on a script, by function and block; nothing if the run cannot be started or the script may
    /// not be sent.
    pub fn hits(&self, script: &[u8], limits: &QueryLimits) -> Vec<Hit> {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        let permitted = permit(&self.target.profile, script);
        if permitted.refused.is_some() {
            return vec![];
        }
        let Ok(folder) = writable() else { return vec![] };
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let table = folder.join(format!("coverage-{}-{serial}", std::process::id()));
        let hits = self.run(&permitted.script, limits, &table);
        // A table that cannot be removed goes with its folder.
        let _ = std::fs::remove_file(&table);
        hits.unwrap_or_default()
    }

    fn run(&self, script: &[u8], limits: &QueryLimits, table: &Path) -> Option<Vec<Hit>> {
        let (program, own) = self.target.command.split_first()?;
        let (args, by_stdin) = by_hand(&self.target, script);
        let spec = run::Spec::new(program).args(own).args(args).env(VARIABLE, table).limits(limits.for_run());
        let spec = confined(spec);
        if by_stdin {
            run::once(&spec, run::Input::Bytes(script)).ok()?;
        } else {
            let file = Scratch::write(script).ok()?;
            run::once(&spec, run::Input::Argument(file.path())).ok()?;
        }
        self.read(table).ok()
    }

    /// The counters of all blocks that are not zero. Only the part of the file that has blocks is read.
    fn read(&self, table: &Path) -> std::io::Result<Vec<Hit>> {
        let file = std::fs::File::open(table)?;
        let mut head = [0; HEAD as usize];
        file.read_exact_at(&mut head, 0)?;
        let (Some(first), Some(last)) = (self.map.places().next(), self.map.places().last()) else {
            return Ok(vec![]);
        };
        if head[..8] != MAGIC.to_le_bytes() {
            return Ok(vec![]);
        }
        let counter = |place: u64| place >> 2;
        let mut counts = vec![0; ((counter(last) - counter(first) + 1) * 4) as usize];
        file.read_exact_at(&mut counts, HEAD + counter(first) * 4)?;
        let hit = |(block, (place, function)): (usize, (u64, u32))| {
            let at = ((counter(place) - counter(first)) * 4) as usize;
            let count = u32::from_le_bytes(counts[at..at + 4].try_into().ok()?);
            (count > 0).then_some((function, block as u32, count))
        };
        let mut hits: Vec<Hit> =
            self.map.places().zip(self.map.blocks()).enumerate().filter_map(hit).collect();
        hits.sort_unstable();
        Ok(hits)
    }
}
