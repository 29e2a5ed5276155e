//! The operations that strings and `(Seq T)` share, over plain slices.
//!
//! A string is a sequence of code points and a `Seq` value is a sequence of values; the standard
//! and the solvers give both the same operations, so they are written once, for any `T: Eq`.
//! In: slices and indices. Out: slices, vectors or positions. Indices are signed and may have any value: a negative
//! one or one past the end is never an error here; it has the meaning that the standard's total functions give it.
//! "Not found" is `None`, which the caller prints as -1.
//!
//! Operations whose result can grow (`concat`, `replace`, `replace_all`) take a maximum length and return `None`
//! beyond it: a few nested replacements can require more memory than there is. Nothing here takes quadratic time on
//! long inputs.

use super::int::Int;

/// Below this product of lengths a plain search is faster than building a failure table.
const PLAIN_SEARCH: usize = 1 << 12;

/// An index of any size clamped to `i64`: no sequence is long enough for this to make a difference.
pub fn clamp(index: &Int) -> i64 {
    let end = if index.is_negative() { i64::MIN } else { i64::MAX };
    index.to_i64().unwrap_or(end)
}

/// The index as a position strictly inside a sequence of length `len`.
pub fn inside(len: usize, index: i64) -> Option<usize> {
    usize::try_from(index).ok().filter(|&i| i < len)
}

/// `seq.extract` / `str.substr`: empty unless `0 <= start < |s|` and `0 < count`.
pub fn extract<T>(s: &[T], start: i64, count: i64) -> &[T] {
    let Some(from) = inside(s.len(), start) else {
        return &[];
    };
    let count = usize::try_from(count.max(0)).unwrap_or(usize::MAX);
    &s[from..from.saturating_add(count).min(s.len())]
}

/// `seq.at` / `str.at`: the one-element sequence at `index`, empty when out of range.
pub fn at<T>(s: &[T], index: i64) -> &[T] {
    extract(s, index, 1)
}

/// `seq.nth`: `None` where the standard leaves the value open.
pub fn nth<T>(s: &[T], index: i64) -> Option<&T> {
    inside(s.len(), index).map(|i| &s[i])
}

/// `seq.prefixof` / `str.prefixof`: does `whole` begin with `part`?
pub fn prefixof<T: Eq>(part: &[T], whole: &[T]) -> bool {
    whole.starts_with(part)
}

/// `seq.suffixof` / `str.suffixof`: does `whole` end with `part`?
pub fn suffixof<T: Eq>(part: &[T], whole: &[T]) -> bool {
    whole.ends_with(part)
}

/// `seq.contains` / `str.contains`.
pub fn contains<T: Eq>(hay: &[T], needle: &[T]) -> bool {
    find(hay, needle, 0).is_some()
}

/// The first occurrence of `needle` at or after `from`; the empty needle occurs everywhere up to
/// and including `|hay|`.
pub fn find<T: Eq>(hay: &[T], needle: &[T], from: usize) -> Option<usize> {
    let rest = hay.get(from..)?;
    if needle.is_empty() {
        return Some(from);
    }
    if let [only] = needle {
        return rest.iter().position(|item| item == only).map(|i| i + from);
    }
    if needle.len() > rest.len() {
        return None;
    }
    let found = if rest.len().saturating_mul(needle.len()) <= PLAIN_SEARCH {
        rest.windows(needle.len()).position(|w| w == needle)
    } else {
        find_by_borders(rest, needle)
    };
    found.map(|i| i + from)
}

/// Knuth, Morris and Pratt: linear for every needle, and needs only equality.
fn find_by_borders<T: Eq>(hay: &[T], needle: &[T]) -> Option<usize> {
    // borders[i] = length of the longest proper prefix of needle[..=i] that is also its suffix.
    let mut borders = vec![0usize; needle.len()];
    let mut matched = 0;
    for i in 1..needle.len() {
        while matched > 0 && needle[i] != needle[matched] {
            matched = borders[matched - 1];
        }
        matched += usize::from(needle[i] == needle[matched]);
        borders[i] = matched;
    }
    matched = 0;
    for (i, item) in hay.iter().enumerate() {
        while matched > 0 && *item != needle[matched] {
            matched = borders[matched - 1];
        }
        matched += usize::from(*item == needle[matched]);
        if matched == needle.len() {
            return Some(i + 1 - matched);
        }
    }
    None
}

/// `seq.indexof` / `str.indexof`; `None` is -1.
pub fn indexof<T: Eq>(hay: &[T], needle: &[T], from: i64) -> Option<usize> {
    find(hay, needle, usize::try_from(from).ok()?)
}

/// `seq.last_indexof`: the last occurrence; the empty needle is found at `|hay|`. `None` is -1.
pub fn last_indexof<T: Eq>(hay: &[T], needle: &[T]) -> Option<usize> {
    if needle.is_empty() {
        return Some(hay.len());
    }
    if hay.len().saturating_mul(needle.len()) <= PLAIN_SEARCH {
        return hay.windows(needle.len()).rposition(|w| w == needle);
    }
    let back: Vec<&T> = hay.iter().rev().collect();
    let needle_back: Vec<&T> = needle.iter().rev().collect();
    let i = find(&back, &needle_back, 0)?;
    Some(hay.len() - i - needle.len())
}

/// `seq.++` / `str.++`; `None` when the result would be longer than `limit`.
pub fn concat<T: Clone>(parts: &[&[T]], limit: usize) -> Option<Vec<T>> {
    let total = parts.iter().try_fold(0usize, |sum, part| sum.checked_add(part.len()))?;
    (total <= limit).then(|| parts.concat())
}

/// `seq.replace` / `str.replace`: the first occurrence only; an empty pattern occurs at 0, so the replacement is
/// inserted at the front.
pub fn replace<T: Eq + Clone>(s: &[T], pattern: &[T], by: &[T], limit: usize) -> Option<Vec<T>> {
    match find(s, pattern, 0) {
        None => concat(&[s], limit),
        Some(i) => concat(&[&s[..i], by, &s[i + pattern.len()..]], limit),
    }
}

/// `seq.replace_all` / `str.replace_all`: left to right, without overlaps; an empty pattern
/// changes nothing.
pub fn replace_all<T: Eq + Clone>(s: &[T], pattern: &[T], by: &[T], limit: usize) -> Option<Vec<T>> {
    if pattern.is_empty() {
        return concat(&[s], limit);
    }
    let mut out = Vec::new();
    let mut done = 0;
    while let Some(i) = find(s, pattern, done) {
        append(&mut out, &s[done..i], limit)?;
        append(&mut out, by, limit)?;
        done = i + pattern.len();
    }
    append(&mut out, &s[done..], limit)?;
    Some(out)
}

/// Extends `out` unless it would then be longer than `limit`.
pub(crate) fn append<T: Clone>(out: &mut Vec<T>, more: &[T], limit: usize) -> Option<()> {
    if more.len() > limit.saturating_sub(out.len()) {
        return None;
    }
    out.extend_from_slice(more);
    Some(())
}

/// `seq.update` / `str.update` (cvc5): overwrites from `index` on with `by`, truncated at the end of `s`, so the
/// length never changes; an index out of range changes nothing.
pub fn update<T: Clone>(s: &[T], index: i64, by: &[T]) -> Vec<T> {
    let mut out = s.to_vec();
    if let Some(from) = inside(s.len(), index) {
        let count = by.len().min(s.len() - from);
        out[from..from + count].clone_from_slice(&by[..count]);
    }
    out
}

/// `seq.rev` / `str.rev`.
pub fn reversed<T: Clone>(s: &[T]) -> Vec<T> {
    s.iter().rev().cloned().collect()
}
