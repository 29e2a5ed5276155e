//! Edits: bytes of a text replaced by other bytes, all positions referring to the same unedited text.
//!
//! Because positions never move, any set of edits that do not overlap can be applied together, which is what delta
//! debugging needs: the text stays, the set of edits grows.

use std::collections::BTreeMap;
use std::ops::Range;

/// One change, possibly in several places, to be made completely or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    pub splices: Vec<Splice>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    pub at: Range<usize>,
    pub text: Vec<u8>,
}

/// The bytes that chosen edits change.
#[derive(Default)]
struct Taken(BTreeMap<usize, usize>);

impl Taken {
    fn is_free(&self, at: &Range<usize>) -> bool {
        let before = self.0.range(..at.start).next_back().is_none_or(|(_, &end)| end <= at.start);
        before && (at.is_empty() || self.0.range(at.start..at.end).next().is_none())
    }

    fn take(&mut self, at: &Range<usize>) {
        if !at.is_empty() {
            self.0.insert(at.start, at.end);
        }
    }
}

impl Edit {
    pub fn replace(at: Range<usize>, text: impl Into<Vec<u8>>) -> Edit {
        Edit { splices: vec![Splice { at, text: text.into() }] }
    }

    pub fn delete(at: Range<usize>) -> Edit {
        Edit::replace(at, vec![])
    }

    /// The same with one more place.
    pub fn and(mut self, at: Range<usize>, text: impl Into<Vec<u8>>) -> Edit {
        self.splices.push(Splice { at, text: text.into() });
        self
    }

    /// The text with those edits, in order, that do not overlap an earlier one.
    pub fn apply_all(text: &[u8], edits: &[Edit]) -> Vec<u8> {
        Edit::apply(text, &Edit::compatible(edits.iter()))
    }

    /// The edits, in order, that do not overlap an earlier one.
    pub fn compatible<'e>(edits: impl Iterator<Item = &'e Edit>) -> Vec<&'e Edit> {
        let (mut chosen, mut taken) = (vec![], Taken::default());
        for edit in edits {
            if edit.splices.iter().all(|splice| taken.is_free(&splice.at)) {
                edit.splices.iter().for_each(|splice| taken.take(&splice.at));
                chosen.push(edit);
            }
        }
        chosen
    }

    /// The text with edits that do not overlap.
    pub fn apply(text: &[u8], edits: &[&Edit]) -> Vec<u8> {
        let mut splices: Vec<&Splice> = edits.iter().flat_map(|edit| &edit.splices).collect();
        splices.sort_by_key(|splice| (splice.at.start, splice.at.end));
        let mut out = Vec::with_capacity(text.len());
        let mut from = 0;
        for splice in splices {
            if splice.at.start < from {
                continue;
            }
            out.extend_from_slice(&text[from..splice.at.start]);
            out.extend_from_slice(&splice.text);
            from = splice.at.end;
        }
        out.extend_from_slice(&text[from..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_that_overlap_an_earlier_one_are_skipped() {
        let edits = [Edit::replace(2..4, *b"X"), Edit::delete(3..6), Edit::replace(6..7, *b"Y")];
        assert_eq!(Edit::apply_all(b"abcdefgh", &edits), b"abXefYh");
    }

    #[test]
    fn an_edit_in_several_places_is_made_completely_or_not_at_all() {
        let first = Edit::delete(0..1);
        let second = Edit::delete(0..1).and(4..5, *b"Z");
        assert_eq!(Edit::apply_all(b"abcdef", &[first, second]), b"bcdef");
    }
}
