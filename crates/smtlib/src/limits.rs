//! Explicit limits: what input may cost. Over a limit is an error with a position, never a crash.

/// Bounds on what the reader accepts. The defaults admit every real benchmark we know of.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of one script.
    pub bytes: usize,
    /// Nesting of parentheses inside one command.
    pub depth: usize,
    /// Digits of one numeral, decimal, hexadecimal or binary literal.
    pub digits: usize,
    /// Width of a bit-vector; also bounds both parameters of a floating-point format.
    pub width: u32,
    /// Distinct terms of one script.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 512 << 20, depth: 100_000, digits: 1_000_000, width: 1 << 20, nodes: 100_000_000 }
    }
}

/// Parts of one sort, abbreviations written out: printing writes them out.
pub const SORT_PARTS: u32 = 1 << 16;

/// Nesting of sorts, abbreviations written out.
pub const SORT_NESTING: u32 = 1000;

/// Nesting of sorts: no real file goes beyond a dozen, and the sort reader is recursive.
pub const SORT_DEPTH: usize = 200;
