//! What a solver did with a formula, as far as it can be compared: which rows of its code ran, and how often.
//!
//! An instrumented target gives its rows (`file`, `row`, count). A target that is not instrumented gives none; then the
//! shape of the formula stands in for the trace: every operator with its place under its parent, counted. Similar
//! formulas lead to similar runs, so the search keeps its diversity either way; coverage is no objective then.
//!
//! [`Sketch`] is a minhash of the rows: 64 numbers whose agreement estimates the share of common rows, so that
//! comparing two traces takes 64 comparisons instead of millions.

use super::score;
use crate::Prepared;
use serde::{Deserialize, Serialize};
use smtlib::term::Kind;
use std::cmp::Ordering;

/// The rows of the target's code that ran, by file and row, each with its count. Rows rise and are distinct.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trace {
    pub rows: Vec<(u32, u32, u32)>,
}

impl Trace {
    /// Sorts the rows and adds up the counts of equal ones.
    pub fn of(rows: impl IntoIterator<Item = (u32, u32, u32)>) -> Trace {
        let mut rows: Vec<(u32, u32, u32)> = rows.into_iter().collect();
        rows.sort_unstable();
        rows.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 = kept.2.saturating_add(next.2);
            }
            same
        });
        Trace { rows }
    }

    /// The shape of a formula: operators with those above them.
    pub fn of_shape(prepared: &Prepared) -> Trace {
        let occurrences = &prepared.printed.occurrences;
        let bytes = &prepared.printed.bytes;
        let head = |n: u32| -> &[u8] {
            let Some(occurrence) = occurrences.get(n as usize) else { return b"" };
            match prepared.script.pool.kind(occurrence.term) {
                // Which constant or variable it is matters little to a solver.
                Kind::Lit(..) => b"literal",
                Kind::Var(_) => b"variable",
                Kind::Fun { .. } if occurrence.head_end == occurrence.end => b"constant",
                _ => &bytes[occurrence.head_start as usize..occurrence.head_end as usize],
            }
        };
        let rows = (0..occurrences.len() as u32).map(|n| {
            let Some(occurrence) = occurrences.get(n as usize) else { return (0, 0, 0) };
            (hash(&[head(occurrence.parent)]), hash(&[&occurrence.argument.to_le_bytes(), head(n)]), 1)
        });
        Trace::of(rows)
    }

    /// How many rows were executed, counted as often as they were.
    pub fn len(&self) -> u64 {
        self.rows.iter().map(|row| u64::from(row.2)).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Eq. 3 on whole traces. What two traces share is counted without order: for each row, the smaller count. A diff of
    /// logs, as the paper uses, can only find less.
    pub fn similarity(&self, other: &Trace) -> f64 {
        let (mut a, mut b) = (self.rows.iter().peekable(), other.rows.iter().peekable());
        let mut shared = 0;
        while let (Some(first), Some(second)) = (a.peek(), b.peek()) {
            match (first.0, first.1).cmp(&(second.0, second.1)) {
                Ordering::Less => drop(a.next()),
                Ordering::Greater => drop(b.next()),
                Ordering::Equal => {
                    shared += u64::from(first.2.min(second.2));
                    a.next();
                    b.next();
                }
            }
        }
        score::similarity(shared, self.len(), other.len())
    }

    pub fn sketch(&self) -> Sketch {
        let mut least = [u32::MAX; SKETCH];
        for &(file, row, count) in &self.rows {
            // A row that runs twice as often is another row.
            let item =
                mix(u64::from(file) << 32 | u64::from(row)) ^ u64::from(count.checked_ilog2().unwrap_or(0));
            for (n, least) in least.iter_mut().enumerate() {
                *least = (*least).min((mix(item ^ (n as u64 + 1).wrapping_mul(ODD)) >> 32) as u32);
            }
        }
        Sketch(least)
    }
}

/// How many numbers a sketch has.
const SKETCH: usize = 64;

/// A trace in 64 numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch([u32; SKETCH]);

impl Sketch {
    /// Eq. 3, estimated: the share of equal numbers estimates |A ∩ B| / |A ∪ B| = j, and Eq. 3 is 2j / (1 + j).
    pub fn similarity(&self, other: &Sketch) -> f64 {
        let equal = self.0.iter().zip(&other.0).filter(|(a, b)| a == b).count();
        let common = equal as f64 / SKETCH as f64;
        2.0 * common / (1.0 + common)
    }
}

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads the bits of a number (splitmix64).
fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(ODD);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A short hash that is the same on every machine.
fn hash(parts: &[&[u8]]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    (bytes.fold(ODD, |sum, &byte| mix(sum ^ u64::from(byte))) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::genome::prepare;

    #[test]
    fn a_trace_counts_equal_rows_together_and_is_similar_to_itself() {
        let trace = Trace::of([(1, 2, 1), (0, 9, 4), (1, 2, 2)]);
        assert_eq!(trace.rows, [(0, 9, 4), (1, 2, 3)]);
        assert!((trace.similarity(&trace) - 1.0).abs() < 1e-9);
        assert!(trace.similarity(&Trace::of([(7, 7, 1)])).abs() < 1e-9);
        let half = Trace::of([(0, 9, 2), (1, 2, 1), (5, 5, 4)]);
        assert!((trace.similarity(&half) - 6.0 / 14.0).abs() < 1e-9);
    }

    #[test]
    fn a_sketch_estimates_the_similarity_of_whole_traces() {
        for shared in [0u32, 250, 500, 750, 1000] {
            let of = |from: u32| Trace::of((from..from + 1000).map(|row| (row % 7, row, 1)));
            let (a, b) = (of(0), of(1000 - shared));
            let (exact, estimate) = (a.similarity(&b), a.sketch().similarity(&b.sketch()));
            assert!((exact - estimate).abs() < 0.17, "{exact} {estimate}");
        }
    }

    #[test]
    fn formulas_of_one_shape_have_one_trace_whatever_their_names() {
        let of = |text: &str| Trace::of_shape(&prepare(text.as_bytes().to_vec()).unwrap());
        let a = of("(declare-fun x () Int)(declare-fun y () Int)(assert (< (+ x 1) y))(check-sat)");
        let b = of("(declare-fun x () Int)(declare-fun y () Int)(assert (< (+ y 7) x))(check-sat)");
        let c = of("(declare-fun x () Int)(declare-fun y () Int)(assert (> (* y 7) x))(check-sat)");
        assert_eq!(a, b);
        assert!(a.similarity(&c) < 0.5);
    }
}
