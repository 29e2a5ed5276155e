//! Writes the bytes of a mutant: the seed's bytes with some ranges replaced.
//!
//! Edits refer to the *original* text and never overlap. So a chain of mutations is a growing list of edits, and no
//! occurrence has to be located again.

/// One replaced range.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    pub start: u32,
    pub end: u32,
    pub text: &'a [u8],
}

/// Writes the text with the edits applied. They may be in any order but must not overlap. Of two insertions at one
/// place, the one that comes first in the list is written first.
pub fn splice(bytes: &[u8], edits: &mut [Edit<'_>]) -> Vec<u8> {
    edits.sort_by_key(|edit| edit.start);
    let grown: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut out = Vec::with_capacity(bytes.len() + grown);
    let mut at = 0;
    for edit in edits.iter() {
        debug_assert!(edit.start as usize >= at, "edits overlap");
        out.extend_from_slice(&bytes[at..edit.start as usize]);
        out.extend_from_slice(edit.text);
        at = edit.end as usize;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_in_the_order_of_their_places() {
        let mut edits = [
            Edit { start: 4, end: 5, text: b"XY" },
            Edit { start: 0, end: 1, text: b"" },
            Edit { start: 2, end: 2, text: b"-" },
        ];
        assert_eq!(splice(b"abcdef", &mut edits), b"b-cdXYf");
    }
}
