//! Which function an address belongs to.
//!
//! In: the memory map of a process. Out: the files that are mapped there, and for an address the name of the function
//! around it, without the parts that differ from build to build: parameters, template arguments, the compiler's copies
//! (`.part.0`, `.cold`). For a file without symbols, the file's name and the offset in it, which is still the same for
//! every crash of that build.

use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, ReadCache, SymbolKind};
use std::cell::OnceCell;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex, PoisonError};

/// Prefixes of the names of files that belong to the system.
const LIBRARIES: [&str; 11] = [
    "libc.so",
    "libc-",
    "libstdc++",
    "libgcc_s",
    "libpthread",
    "libm.",
    "libm-",
    "ld-",
    "libgmp",
    "libmpfr",
    "libpython",
];

/// A file that is mapped for execution.
pub(crate) struct Image {
    pub(crate) path: String,
    /// Where it is mapped.
    pub(crate) range: Range<u64>,
    /// What is added to an address in the file to get one in memory.
    pub(crate) bias: u64,
    symbols: OnceCell<Arc<Symbols>>,
}

pub(crate) struct Images(Vec<Image>);

impl Images {
    pub(crate) fn of(thread: i32) -> Images {
        let maps = std::fs::read_to_string(format!("/proc/{thread}/maps")).unwrap_or_default();
        let mut images: Vec<Image> = vec![];
        for (range, offset, path, executable) in maps.lines().filter_map(mapping) {
            let Some(bias) = executable.then(|| bias(path, range.start, offset)).flatten() else { continue };
            match images.iter_mut().find(|image| image.path == path && image.bias == bias) {
                Some(image) => image.range.end = range.end,
                None => images.push(Image { path: path.to_owned(), range, bias, symbols: OnceCell::new() }),
            }
        }
        Images(images)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Image> {
        self.0.iter()
    }

    pub(crate) fn find(&self, address: u64) -> Option<&Image> {
        self.0.iter().find(|image| image.range.contains(&address))
    }

    /// The function around an address; `None` for functions of the system.
    pub(crate) fn name(&self, address: u64) -> Option<String> {
        let image = self.find(address)?;
        let system = LIBRARIES.iter().any(|library| image.file().starts_with(library));
        (!system).then(|| image.name(address))
    }
}

impl Image {
    /// Its name without folders.
    fn file(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    fn name(&self, address: u64) -> String {
        let place = address.wrapping_sub(self.bias);
        let symbols = self.symbols.get_or_init(|| symbols(&self.path).unwrap_or_default());
        let after = symbols.partition_point(|(range, _)| range.start <= place);
        match symbols[..after].last().filter(|(range, _)| range.contains(&place)) {
            Some((_, name)) => demangled(name),
            None => format!("{}+{place:#x}", self.file()),
        }
    }

    /// Address and contents of a section.
    pub(crate) fn section(&self, name: &str) -> Option<(Range<u64>, Vec<u8>)> {
        let cache = ReadCache::new(File::open(&self.path).ok()?);
        let file = object::File::parse(&cache).ok()?;
        let section = file.section_by_name(name)?;
        Some((section.address()..section.address() + section.size(), section.data().ok()?.to_vec()))
    }
}

/// `55d0-55d8 r-xp 00001000 fe:00 1234   /usr/bin/z3`
fn mapping(line: &str) -> Option<(Range<u64>, u64, &str, bool)> {
    let mut words = line.splitn(6, ' ');
    let (range, rights, offset) = (words.next()?, words.next()?, words.next()?);
    let path = words.nth(2)?.trim_start();
    let hex = |word: &str| u64::from_str_radix(word, 16).ok();
    let (start, end) = range.split_once('-')?;
    path.starts_with('/').then_some((hex(start)?..hex(end)?, hex(offset)?, path, rights.contains('x')))
}

/// The difference between memory and file for a part of the file that was mapped at `start`.
fn bias(path: &str, start: u64, offset: u64) -> Option<u64> {
    let cache = ReadCache::new(File::open(path).ok()?);
    let file = object::File::parse(&cache).ok()?;
    // Two segments may share a page of the file; the executed code is in one of them.
    let executable = file.segments().filter(|segment| segment.permissions().executable());
    executable.into_iter().find_map(|segment| {
        let (from, length) = segment.file_range();
        // A segment is mapped from the beginning of the page in which it begins.
        let page = from & !0xfff;
        (page..from + length).contains(&offset).then(|| {
            let address = segment.address().wrapping_sub(from).wrapping_add(offset);
            start.wrapping_sub(address)
        })
    })
}

/// Functions by address.
pub(crate) type Symbols = Vec<(Range<u64>, String)>;

/// What tells one state of a file from another without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileState {
    device: u64,
    number: u64,
    size: u64,
    changed: (i64, i64),
}

impl FileState {
    fn of(file: &File) -> Option<FileState> {
        let found = file.metadata().ok()?;
        Some(FileState {
            device: found.dev(),
            number: found.ino(),
            size: found.size(),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }
}

/// The tables that were read last, newest last: a solver that crashes often is one file, and its table takes longer to
/// read than a stack takes to walk.
static READ: Mutex<Vec<(FileState, Arc<Symbols>)>> = Mutex::new(Vec::new());

/// The most tables that are kept; a large solver's takes some ten megabytes.
const MOST_TABLES: usize = 6;

/// The functions of a file, read once as long as the file does not change.
pub(crate) fn symbols(path: &str) -> Option<Arc<Symbols>> {
    let file = File::open(path).ok()?;
    let state = FileState::of(&file)?;
    let known = |tables: &[(FileState, Arc<Symbols>)]| {
        tables.iter().find(|(own, _)| *own == state).map(|(_, table)| Arc::clone(table))
    };
    if let Some(table) = known(&READ.lock().unwrap_or_else(PoisonError::into_inner)) {
        return Some(table);
    }
    let table = Arc::new(read_symbols(file)?);
    let mut tables = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if known(&tables).is_none() {
        tables.push((state, Arc::clone(&table)));
        let old = tables.len().saturating_sub(MOST_TABLES);
        tables.drain(..old);
    }
    Some(table)
}

/// Of several names for one address the alphabetically first is taken, so that the choice is stable.
fn read_symbols(file: File) -> Option<Symbols> {
    let cache = ReadCache::new(file);
    let file = object::File::parse(&cache).ok()?;
    let mut all: Symbols = file
        .symbols()
        .chain(file.dynamic_symbols())
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0)
        .filter_map(|symbol| {
            let range = symbol.address()..symbol.address() + symbol.size();
            Some((range, symbol.name().ok()?.to_owned()))
        })
        .collect();
    all.sort_by(|a, b| (a.0.start, &a.1).cmp(&(b.0.start, &b.1)));
    all.dedup_by_key(|(range, _)| range.start);
    Some(all)
}

/// Suffixes that compilers add to the names of copies.
const COPIES: [&str; 6] = [".part.", ".constprop.", ".isra.", ".cold", ".lto_priv.", ".llvm."];

/// A function's name without the parts that differ from build to build.
pub(crate) fn demangled(symbol: &str) -> String {
    let end = COPIES.iter().filter_map(|copy| symbol.find(copy)).min().unwrap_or(symbol.len());
    let symbol = &symbol[..end];
    let rust = symbol.starts_with("_R") || (symbol.starts_with("_ZN") && symbol.contains("17h"));
    if let Some(name) = rust.then(|| rustc_demangle::try_demangle(symbol).ok()).flatten() {
        return format!("{name:#}");
    }
    let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
    let readable =
        cpp_demangle::Symbol::new(symbol).ok().and_then(|s| s.demangle_with_options(&options).ok());
    let name = without_brackets(&readable.unwrap_or_else(|| symbol.to_owned()));
    name.strip_suffix(" const").unwrap_or(&name).to_owned()
}

/// Without brackets: template arguments, and the parameters of a lambda.
fn without_brackets(name: &str) -> String {
    const ANONYMOUS: &str = "(anonymous namespace)";
    // Operator names that look like brackets, longest first.
    const OPERATORS: [&str; 13] =
        ["<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">"];
    let mut out = String::with_capacity(name.len());
    let mut depth = 0_usize;
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let operator = rest.strip_prefix("operator").and_then(|after| {
            OPERATORS
                .iter()
                .find(|operator| after.starts_with(**operator))
                .map(|o| "operator".len() + o.len())
        });
        let whole =
            operator.or_else(|| (depth == 0 && rest.starts_with(ANONYMOUS)).then_some(ANONYMOUS.len()));
        let length = whole.unwrap_or(c.len_utf8());
        match c {
            '<' | '(' if whole.is_none() => depth += 1,
            '>' | ')' if whole.is_none() => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push_str(&rest[..length]),
            _ => {}
        }
        rest = &rest[length..];
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_of_a_file_are_read_once_until_it_changes() {
        let own = std::env::current_exe().unwrap();
        let own = own.to_str().unwrap();
        let first = symbols(own).unwrap();
        assert!(!first.is_empty() && Arc::ptr_eq(&first, &symbols(own).unwrap()));
        let copy = std::env::temp_dir().join(format!("falsum-symbols-{}", std::process::id()));
        std::fs::copy("/bin/true", &copy).unwrap();
        let before = symbols(copy.to_str().unwrap()).unwrap();
        let mut bytes = std::fs::read(&copy).unwrap();
        bytes.push(0);
        std::fs::write(&copy, bytes).unwrap();
        let after = symbols(copy.to_str().unwrap()).unwrap();
        std::fs::remove_file(&copy).unwrap();
        assert!(!Arc::ptr_eq(&before, &after), "the file has changed");
    }

    #[test]
    fn names_have_no_parameters_no_template_arguments_and_no_copies() {
        assert_eq!(demangled("_ZNK11ast_manager8is_valueEP4expr"), "ast_manager::is_value");
        assert_eq!(demangled("_ZN5model8compressEb.constprop.0"), "model::compress");
        assert_eq!(demangled("_ZNSt6vectorIiSaIiEE9push_backERKi"), "std::vector::push_back");
        assert_eq!(demangled("_ZN3foo3bar17h0123456789abcdefE"), "foo::bar");
        assert_eq!(demangled("_ZlsRSoRK3foo"), "operator<<");
        assert_eq!(demangled("_RNvC7mycrate3foo"), "mycrate::foo");
        let copy = "_ZN44_$LT$a..Term$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE";
        assert_eq!(demangled(copy), "<a::Term as core::fmt::Debug>::fmt");
        assert_eq!(without_brackets("f<(anonymous namespace)::cfg>::main_loop"), "f::main_loop");
        assert_eq!(without_brackets("(anonymous namespace)::f<int>::g"), "(anonymous namespace)::f::g");
        assert_eq!(without_brackets("srt<&(operator<(A const&, A const&))>::run"), "srt::run");
        assert_eq!(without_brackets("S<T>::operator()<int>"), "S::operator()");
        assert_eq!(without_brackets("f::{lambda(int)#1}::operator()"), "f::{lambda#1}::operator()");
        assert_eq!(demangled("main"), "main");
    }

    #[test]
    fn a_line_of_the_memory_map_is_read() {
        let line = "00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/a solver";
        assert_eq!(mapping(line), Some((0x400000..0x452000, 0x1000, "/usr/bin/a solver", true)));
        assert_eq!(mapping("7ffc-7ffd rw-p 00000000 00:00 0    [stack]"), None);
    }
}
