//! The blocks of an instrumented program: where they are, and which function each belongs to.
//!
//! In: a program that was built with `-fsanitize-coverage=trace-pc` and linked with falsum's coverage runtime. Out: a
//! [`BlockMap`]: every place that marks a block, with its function. A block is marked by a call of the runtime, so all
//! blocks are found by looking for such calls in the code; this is what makes "of how many" known. Only x86-64, whose
//! direct calls can be recognised by their bytes; elsewhere a program counts as not instrumented.

use crate::names::{demangled, symbols};
use object::{Architecture, Object, ObjectSection, ObjectSegment, ObjectSymbol, ReadCache, SectionKind};
use std::fs::File;
use std::path::Path;

/// The marker of the runtime.
const RUNTIME: &str = "falsum_coverage_runtime";

/// The functions that mark a block.
const MARKS: [&str; 2] = ["__sanitizer_cov_trace_pc", "__sanitizer_cov_trace_pc_guard"];

/// Where the blocks of a program are.
#[derive(Clone, Debug, Default)]
pub struct BlockMap {
    /// Places after the calls that mark blocks, relative to the beginning of the program, rising; each with the number
    /// of its function.
    blocks: Vec<(u64, u32)>,
    functions: Vec<String>,
}

impl BlockMap {
    /// The blocks of a program; `None` if it is not instrumented.
    pub fn of(program: &Path) -> Option<BlockMap> {
        let cache = ReadCache::new(File::open(program).ok()?);
        let file = object::File::parse(&cache).ok()?;
        if file.architecture() != Architecture::X86_64 {
            return None;
        }
        let address = |name: &str| {
            let found = file.symbols().chain(file.dynamic_symbols()).find(|symbol| symbol.name() == Ok(name));
            found.map(|symbol| symbol.address())
        };
        address(RUNTIME)?;
        let marks: Vec<u64> = MARKS.iter().filter_map(|name| address(name)).collect();
        let base = file.segments().map(|segment| segment.address()).min()? & !0xfff;
        let named = symbols(program.to_str()?)?;
        let mut map = BlockMap::default();
        let mut last: Option<usize> = None;
        for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
            let Ok(code) = section.data() else { continue };
            for place in calls(code, section.address(), &marks) {
                let after = named.partition_point(|(range, _)| range.start < place);
                let Some(symbol) = after.checked_sub(1) else { continue };
                // The place after the last call of a function may be its end.
                if !named[symbol].0.contains(&(place - 1)) {
                    continue;
                }
                if last != Some(symbol) {
                    map.functions.push(demangled(&named[symbol].1));
                    last = Some(symbol);
                }
                map.blocks.push((place - base, map.functions.len() as u32 - 1));
            }
        }
        map.blocks.sort_unstable();
        (!map.blocks.is_empty()).then_some(map)
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The functions that have blocks, by number.
    pub fn functions(&self) -> &[String] {
        &self.functions
    }

    /// The function of every block, by the block's number.
    pub fn blocks(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().map(|(_, function)| *function)
    }

    /// The place of every block, rising, relative to the beginning of the program.
    pub fn places(&self) -> impl Iterator<Item = u64> + '_ {
        self.blocks.iter().map(|(place, _)| *place)
    }
}

/// The places after direct calls of one of these addresses.
fn calls(code: &[u8], address: u64, marks: &[u64]) -> Vec<u64> {
    const CALL: u8 = 0xe8;
    let mut places = vec![];
    for (at, window) in code.windows(5).enumerate() {
        let &[CALL, a, b, c, d] = window else { continue };
        let after = address + at as u64 + 5;
        let to = after.wrapping_add_signed(i64::from(i32::from_le_bytes([a, b, c, d])));
        if marks.contains(&to) {
            places.push(after);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direct_calls_are_found_by_their_bytes() {
        // nop; call 0x1010 (from 0x1001, so 0xa after 0x1006); nop
        let code = [0x90, 0xe8, 0x0a, 0, 0, 0, 0x90, 0xe8, 0x01, 0, 0, 0];
        assert_eq!(calls(&code, 0x1000, &[0x1010]), [0x1006]);
        assert!(calls(&code, 0x1000, &[0x2000]).is_empty());
    }

    #[test]
    fn a_program_without_the_runtime_is_not_instrumented() {
        assert!(BlockMap::of(Path::new("/proc/self/exe")).is_none());
        assert!(BlockMap::of(Path::new("/nowhere")).is_none());
    }
}
