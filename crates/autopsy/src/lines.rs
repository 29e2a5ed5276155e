//! Which source lines the blocks of an instrumented program hold.
//!
//! In: a program with line tables (`-gline-tables-only` or more) and its [`BlockMap`]. Out: per block its lines, and where each
//! function is written. A block's lines are those that the table gives for the addresses from the block to the next
//! one of the program, or the end of its function: compilers put the code of a block in one piece as a rule, so a line is assigned wrongly where
//! they do not. A program without line tables has no lines. Only the places that the table recommends for breakpoints
//! count, and never line 0, which means that the compiler made the code. Lines of headers of the compiler
//! and of the system do not count, because they are not the program's.

use crate::coverage::{Block, BlockMap};
use gimli::{Dwarf, EndianSlice, LittleEndian};
use object::{Object, ObjectSection};
use std::collections::HashMap;
use std::path::Path;

/// A line: the number of its file and its number there.
pub type Line = (u32, u32);

/// The lines of a program's blocks.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    files: Vec<String>,
    /// All lines that have code in a block, rising.
    lines: Vec<Line>,
    /// The lines of block n are `of_blocks[starts[n]..starts[n + 1]]`, as numbers of `lines`.
    starts: Vec<u32>,
    of_blocks: Vec<u32>,
    /// The file in force where each block begins.
    begins: Vec<Option<u32>>,
}

/// Where compilers and systems keep their headers.
const FOREIGN: [&str; 2] = ["/usr/include/", "/usr/lib/"];

/// Whether a file is a header of the compiler or of the system.
fn is_foreign(path: &str) -> bool {
    FOREIGN.iter().any(|folder| path.starts_with(folder)) || path.contains("/include/c++/")
}

/// A row of the table: from this address on it is this line; `None` where a sequence of code ends.
type Row = (u64, Option<Line>);

type Reader<'d> = EndianSlice<'d, LittleEndian>;

impl Lines {
    /// The lines of a program; `None` if it has no line tables.
    pub fn of(program: &Path, map: &BlockMap) -> Option<Lines> {
        let data = std::fs::read(program).ok()?;
        let file = object::File::parse(&*data).ok()?;
        let section = |id: gimli::SectionId| -> Result<Reader<'_>, gimli::Error> {
            let bytes = file.section_by_name(id.name()).and_then(|section| section.data().ok());
            Ok(EndianSlice::new(bytes.unwrap_or_default(), LittleEndian))
        };
        let dwarf = Dwarf::load(section).ok()?;
        let (rows, files) = rows(&dwarf);
        (!rows.is_empty()).then(|| Lines::gather(&rows, files, map.blocks(), map.ends()))
    }

    fn gather(rows: &[Row], files: Vec<String>, blocks: &[Block], ends: &[u64]) -> Lines {
        let foreign: Vec<bool> = files.iter().map(|file| is_foreign(file)).collect();
        let is_own = |line: &Line| !foreign.get(line.0 as usize).is_some_and(|foreign| *foreign);
        let mut own: Vec<Line> = vec![];
        let (mut all, mut starts, mut begins) = (vec![], vec![0], vec![]);
        for (n, block) in blocks.iter().enumerate() {
            let next = blocks[n..].iter().find(|next| next.address > block.address);
            let of_function = ends.get(block.function as usize).copied().unwrap_or(u64::MAX);
            let end = next.map_or(u64::MAX, |next| next.address).min(of_function);
            // The row in force at the beginning, and those that begin inside.
            let first = rows.partition_point(|row| row.0 <= block.address).saturating_sub(1);
            let inside = rows[first..].iter().take_while(|row| row.0 < end);
            let until_gap = inside.take_while(|row| row.1.is_some() || row.0 <= block.address);
            begins.push(rows.get(first).and_then(|row| row.1).filter(is_own).map(|line| line.0));
            own.clear();
            own.extend(until_gap.filter_map(|row| row.1).filter(is_own));
            own.sort_unstable();
            own.dedup();
            all.extend_from_slice(&own);
            starts.push(all.len() as u32);
        }
        let mut lines = all.clone();
        lines.sort_unstable();
        lines.dedup();
        let number = |line: &Line| lines.binary_search(line).unwrap_or_default() as u32;
        let of_blocks = all.iter().map(number).collect();
        Lines { files, lines, starts, of_blocks, begins }
    }

    /// How many lines have code.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The numbers of a block's lines.
    pub fn of_block(&self, block: usize) -> &[u32] {
        match (self.starts.get(block), self.starts.get(block + 1)) {
            (Some(&from), Some(&to)) => &self.of_blocks[from as usize..to as usize],
            _ => &[],
        }
    }

    /// The file in which a block begins.
    pub fn home(&self, block: usize) -> Option<&str> {
        let file = self.begins.get(block).copied().flatten()?;
        self.files.get(file as usize).map(String::as_str)
    }

    /// The file of a line.
    pub fn file(&self, line: u32) -> &str {
        let file = self.lines.get(line as usize).map_or(usize::MAX, |line| line.0 as usize);
        self.files.get(file).map_or("", String::as_str)
    }
}

/// All rows of all tables by address, and the files.
fn rows(dwarf: &Dwarf<Reader<'_>>) -> (Vec<Row>, Vec<String>) {
    let (mut all, mut files) = (vec![], Files::default());
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        // A unit that cannot be read has no lines; the others have theirs.
        let Ok(unit) = dwarf.unit(header) else { continue };
        let Some(program) = unit.line_program.clone() else { continue };
        let mut known: HashMap<u64, u32> = HashMap::new();
        let mut table = program.rows();
        while let Ok(Some((header, row))) = table.next_row() {
            if row.end_sequence() {
                all.push((row.address(), None));
                continue;
            }
            let Some(line) = row.line().filter(|_| row.is_stmt()) else { continue };
            let file = *known.entry(row.file_index()).or_insert_with(|| {
                let path = row.file(header).and_then(|file| path(dwarf, &unit, header, file));
                files.number(path.unwrap_or_default())
            });
            all.push((row.address(), Some((file, line.get() as u32))));
        }
    }
    // Where one sequence ends and the next begins at the same address, the beginning counts.
    all.sort_by_key(|row: &Row| (row.0, row.1.is_some()));
    (all, files.names)
}

#[derive(Default)]
struct Files {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Files {
    fn number(&mut self, name: String) -> u32 {
        let next = self.names.len() as u32;
        *self.numbers.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            next
        })
    }
}

fn path<'d>(
    dwarf: &Dwarf<Reader<'d>>,
    unit: &gimli::Unit<Reader<'d>>,
    header: &gimli::LineProgramHeader<Reader<'d>>,
    file: &gimli::FileEntry<Reader<'d>>,
) -> Option<String> {
    let text = |value| dwarf.attr_string(unit, value).ok().map(|text| text.to_string_lossy().into_owned());
    let name = text(file.path_name())?;
    // Number 0 is the folder in which the compiler ran.
    match file.directory(header).filter(|_| file.directory_index() > 0).and_then(text) {
        Some(folder) if !name.starts_with('/') => Some(format!("{folder}/{name}")),
        _ => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_line_in_force_where_it_begins_and_those_up_to_the_next_block() {
        let rows = [
            (0x10, Some((0, 1))),
            (0x18, Some((0, 2))),
            (0x20, Some((0, 3))),
            (0x28, Some((0, 2))),
            (0x30, None),
            (0x40, Some((1, 9))),
            (0x50, None),
        ];
        let block = |address, function| Block { address, function, counter: 0 };
        // Two blocks may have one address. What stands at 0x28 is another function's, which has no blocks.
        let blocks = [block(0x1a, 0), block(0x22, 0), block(0x22, 0), block(0x44, 1)];
        let lines = Lines::gather(&rows, vec!["a/x.c".into(), "y.c".into()], &blocks, &[0x28, 0x50]);
        let own = |n| lines.of_block(n).iter().map(|&l| lines.lines[l as usize]).collect::<Vec<_>>();
        assert_eq!(own(0), [(0, 2), (0, 3)]);
        assert_eq!(own(1), [(0, 3)]);
        assert_eq!(own(2), own(1));
        assert_eq!(own(3), [(1, 9)]);
        assert_eq!((lines.len(), lines.file(0), lines.file(2)), (3, "a/x.c", "y.c"));
        assert!(lines.of_block(4).is_empty() && lines.file(7).is_empty());
        assert_eq!((lines.home(1), lines.home(3), lines.home(4)), (Some("a/x.c"), Some("y.c"), None));
        let headers = vec!["/usr/lib/llvm/include/c++/v1/vector".into(), "y.c".into()];
        let lines = Lines::gather(&rows, headers, &blocks, &[0x28, 0x50]);
        assert_eq!((lines.len(), lines.home(0), lines.home(3)), (1, None, Some("y.c")));
        assert!(lines.of_block(0).is_empty());
    }
}
