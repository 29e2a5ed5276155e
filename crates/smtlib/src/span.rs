//! Byte ranges in a source text, and their lines and columns.
//!
//! Everything that is parsed has its position as two byte offsets. Lines and columns are computed only when a message
//! is shown, so the parser never counts newlines.

/// A half-open byte range of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A 1-based line and column; the column counts characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// The line and column of a byte offset.
pub fn position(source: &[u8], offset: usize) -> Position {
    let offset = offset.min(source.len());
    let before = &source[..offset];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let column = String::from_utf8_lossy(&source[line_start..offset]).chars().count() + 1;
    Position { line, column }
}

/// The whole line that contains a byte offset, without its line end.
pub fn line_at(source: &[u8], offset: usize) -> &[u8] {
    let offset = offset.min(source.len());
    let start = source[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let end = source[offset..].iter().position(|&byte| byte == b'\n').map_or(source.len(), |n| offset + n);
    source[start..end].strip_suffix(b"\r").unwrap_or(&source[start..end])
}
