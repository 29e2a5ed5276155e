//! Interned byte strings: names, literals and opaque text become small integers.
//!
//! A `Symbol` is only meaningful together with the `Symbols` that made it. All texts are in one buffer, so interning a
//! name that is already known allocates nothing.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// An interned text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// The texts of one script.
#[derive(Clone, Default)]
pub struct Symbols {
    buffer: Vec<u8>,
    ends: Vec<u32>,
    table: HashTable<u32>,
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish()
}

impl Symbols {
    /// Allocates for this many texts with this many bytes in total.
    pub fn with_capacity(texts: usize, bytes: usize) -> Symbols {
        Symbols {
            buffer: Vec::with_capacity(bytes),
            ends: Vec::with_capacity(texts),
            table: HashTable::with_capacity(texts),
        }
    }

    /// The symbol for a text, made if it is new; the flag says whether it was.
    pub fn intern(&mut self, text: &[u8]) -> (Symbol, bool) {
        let Symbols { buffer, ends, table } = self;
        let hash_of = hash(text);
        if let Some(&found) = table.find(hash_of, |&id| slice(buffer, ends, id) == text) {
            return (Symbol(found), false);
        }
        let id = ends.len() as u32;
        buffer.extend_from_slice(text);
        ends.push(buffer.len() as u32);
        table.insert_unique(hash_of, id, |&id| hash(slice(buffer, ends, id)));
        (Symbol(id), true)
    }

    /// The symbol for a text if it exists.
    pub fn find(&self, text: &[u8]) -> Option<Symbol> {
        self.table.find(hash(text), |&id| slice(&self.buffer, &self.ends, id) == text).copied().map(Symbol)
    }

    pub fn bytes(&self, symbol: Symbol) -> &[u8] {
        slice(&self.buffer, &self.ends, symbol.0)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn slice<'a>(buffer: &'a [u8], ends: &[u32], id: u32) -> &'a [u8] {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] as usize };
    &buffer[start..ends[id as usize] as usize]
}

/// Whether a name must be written between bars: it is empty, reserved, or has a character that simple symbols lack.
pub fn needs_bars(name: &[u8]) -> bool {
    match name.first() {
        None => true,
        Some(first) if first.is_ascii_digit() => true,
        _ => !name.iter().all(|&byte| is_symbol_byte(byte)) || is_reserved(name),
    }
}

/// The characters of simple symbols: letters, digits and ~ ! @ $ % ^ & * _ - + = < > . ? /
pub fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

/// Words that a script cannot use as a name without bars.
pub fn is_reserved(name: &[u8]) -> bool {
    matches!(
        name,
        b"let"
            | b"forall"
            | b"exists"
            | b"match"
            | b"par"
            | b"!"
            | b"_"
            | b"as"
            | b"BINARY"
            | b"DECIMAL"
            | b"HEXADECIMAL"
            | b"NUMERAL"
            | b"STRING"
    )
}

/// Writes a name so that it is parsed as the same symbol.
pub fn write_name(out: &mut Vec<u8>, name: &[u8]) {
    if needs_bars(name) {
        out.push(b'|');
        out.extend_from_slice(name);
        out.push(b'|');
    } else {
        out.extend_from_slice(name);
    }
}
