//! Explicit limits on the input. Input over a limit gives an error with a position, never a crash.

/// Limits of what the parser accepts. The defaults admit every real benchmark we know of.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits {
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

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        ReadLimits { bytes: 512 << 20, depth: 100_000, digits: 1_000_000, width: 1 << 20, nodes: 100_000_000 }
    }
}

/// Maximum number of parts of one sort with abbreviations expanded, because printing expands them.
pub const SORT_PARTS: u32 = 1 << 16;

/// Maximum nesting of sorts with abbreviations expanded.
pub const SORT_NESTING: u32 = 1000;

/// Maximum nesting of sorts in the source. No real file has more than a dozen levels, and the sort parser is
/// recursive.
pub const SORT_DEPTH: usize = 200;
