//! The blocks of an instrumented program: where they are, which function each belongs to, and where each is counted.
//!
//! In: a program that was built for falsum's coverage runtime and linked with it. Out: a [`BlockMap`]: every block with its
//! function and the number of its counter. This is what makes "of how many" known. There are two ways to find the blocks.
//! clang's counters come with a table of addresses (`pc-table`), a row per counter. With `trace-pc` a block is marked by a
//! call of the runtime, so all blocks are found by looking for such calls in the code; only on x86-64, whose direct calls
//! can be recognised by their bytes. Elsewhere such a program counts as not instrumented.

use crate::names::{Symbols, demangled, symbols};
use object::read::elf::ElfFile64;
use object::{
    Architecture, Object, ObjectSection, ObjectSegment, ObjectSymbol, ObjectSymbolTable, ReadCache,
    SectionKind,
};
use std::fs::File;
use std::path::Path;

/// The marker of the runtime.
const RUNTIME: &str = "falsum_coverage_runtime";

/// The functions that mark a block.
const MARKS: [&str; 2] = ["__sanitizer_cov_trace_pc", "__sanitizer_cov_trace_pc_guard"];

/// The section with clang's table: for every counter the address of its block and whether a function begins there.
const TABLE: &str = "__sancov_pcs";
const ROW: u64 = 16;

/// A place in the code that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// Its address as the program's file has it.
    pub address: u64,
    /// The number of its function.
    pub function: u32,
    /// The number of its counter in the file that the runtime makes.
    pub counter: u32,
}

/// Where the blocks of a program are.
#[derive(Clone, Debug, Default)]
pub struct BlockMap {
    /// By address.
    blocks: Vec<Block>,
    functions: Vec<String>,
    /// Where the code of each function ends.
    ends: Vec<u64>,
}

type Elf<'a> = ElfFile64<'a, object::Endianness, &'a ReadCache<File>>;

impl BlockMap {
    /// The blocks of a program; `None` if it is not instrumented.
    pub fn of(program: &Path) -> Option<BlockMap> {
        let cache = ReadCache::new(File::open(program).ok()?);
        let file = Elf::parse(&cache).ok()?;
        address_of(&file, RUNTIME)?;
        let named = symbols(program.to_str()?)?;
        let mut found = table(&file).or_else(|| marked(&file))?;
        found.sort_unstable();
        let mut map = BlockMap::default();
        let mut last: Option<usize> = None;
        for (address, counter) in found {
            let Some(symbol) = function_at(&named, address) else { continue };
            if last != Some(symbol) {
                map.functions.push(demangled(&named[symbol].1));
                map.ends.push(named[symbol].0.end);
                last = Some(symbol);
            }
            map.blocks.push(Block { address, function: map.functions.len() as u32 - 1, counter });
        }
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

    /// Where the code of each function ends, by number.
    pub fn ends(&self) -> &[u64] {
        &self.ends
    }

    /// All blocks, by address.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

fn address_of(file: &Elf<'_>, name: &str) -> Option<u64> {
    let found = file.symbols().chain(file.dynamic_symbols()).find(|symbol| symbol.name() == Ok(name));
    found.map(|symbol| symbol.address())
}

/// The symbol around an address.
fn function_at(named: &Symbols, address: u64) -> Option<usize> {
    let symbol = named.partition_point(|(range, _)| range.start <= address).checked_sub(1)?;
    named[symbol].0.contains(&address).then_some(symbol)
}

/// Addresses and counters by clang's table. In a program that can be loaded anywhere the addresses are not in the table
/// but in the relocations that fill it in. A block that the compiler removed has no address that is in a function.
fn table(file: &Elf<'_>) -> Option<Vec<(u64, u32)>> {
    let section = file.section_by_name(TABLE)?;
    let (from, data) = (section.address(), section.data().ok()?);
    let word = |row: &[u8]| Some(u64::from_le_bytes(row.get(..8)?.try_into().ok()?));
    let mut addresses: Vec<u64> = data.chunks(ROW as usize).filter_map(word).collect();
    for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
        let Some(offset) = at.checked_sub(from).filter(|offset| offset % ROW == 0) else { continue };
        let base = match relocation.target() {
            object::RelocationTarget::Symbol(symbol) => file
                .dynamic_symbol_table()
                .and_then(|all| all.symbol_by_index(symbol).ok())
                .map(|s| s.address()),
            _ => Some(0),
        };
        if let (Some(row), Some(base)) = (addresses.get_mut((offset / ROW) as usize), base) {
            *row = base.wrapping_add_signed(relocation.addend());
        }
    }
    Some(addresses.into_iter().zip(0..).collect())
}

/// Addresses and counters by the calls that mark blocks.
fn marked(file: &Elf<'_>) -> Option<Vec<(u64, u32)>> {
    if file.architecture() != Architecture::X86_64 {
        return None;
    }
    let marks: Vec<u64> = MARKS.iter().filter_map(|name| address_of(file, name)).collect();
    let base = file.segments().map(|segment| segment.address()).min()? & !0xfff;
    let mut found = vec![];
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let Ok(code) = section.data() else { continue };
        for after in calls(code, section.address(), &marks) {
            // The runtime counts at the address after the call; the block is where the call is.
            found.push((after - CALL_LENGTH, ((after - base) >> 2) as u32));
        }
    }
    Some(found)
}

/// The length of a direct call.
const CALL_LENGTH: u64 = 5;

/// The places after direct calls of one of these addresses.
fn calls(code: &[u8], address: u64, marks: &[u64]) -> Vec<u64> {
    const CALL: u8 = 0xe8;
    let mut places = vec![];
    for (at, window) in code.windows(5).enumerate() {
        let &[CALL, a, b, c, d] = window else { continue };
        let after = address + at as u64 + CALL_LENGTH;
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
