//! Sorts: narrower bit-vectors and floats, simpler sorts in place of compound ones, consistently over the script.
//!
//! A proposal changes every mention of a sort, every literal of it and the indices that go with it. Where that is
//! not enough (a `concat`, an `extract` out of range) the candidate is ill-typed and costs only a parse.

use crate::reduce::edit::Edit;
use crate::reduce::snapshot::Snapshot;
use smtlib::sort::{Sort, SortId};
use smtlib::term::{Kind, Lit};
use std::collections::BTreeSet;

/// Narrower bit-vectors and floats.
pub fn narrow(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    let widths: BTreeSet<u32> = sorts(snapshot).filter_map(|sort| width(snapshot, sort)).collect();
    for &from in widths.iter().rev() {
        for to in [1, 2, 4, 8, from / 2, from - 1] {
            if (1..from).contains(&to) {
                edits.push(change_widths(snapshot, |w| if w == from { to } else { w }));
            }
        }
    }
    if widths.len() > 1 {
        edits.push(change_widths(snapshot, |w| w.div_ceil(2)));
        edits.push(change_widths(snapshot, |w| w.div_ceil(4)));
    }
    let formats: BTreeSet<(u32, u32)> = sorts(snapshot).filter_map(|sort| format(snapshot, sort)).collect();
    for &from in formats.iter().rev() {
        for to in [(2, 3), (3, 5), (5, 11), (8, 24)] {
            if to.0 <= from.0 && to.1 <= from.1 && to != from {
                edits.push(change_format(snapshot, from, to));
            }
        }
    }
    edits
}

fn sorts(snapshot: &Snapshot) -> impl Iterator<Item = SortId> + '_ {
    let declared =
        snapshot.pool().decls.iter().flat_map(|decl| decl.params.iter().copied().chain([decl.result]));
    (0..snapshot.places.len()).map(|at| snapshot.sort(at)).chain(declared)
}

fn width(snapshot: &Snapshot, sort: SortId) -> Option<u32> {
    match snapshot.pool().sort(sort) {
        Sort::BitVec(width) => Some(*width),
        _ => None,
    }
}

fn format(snapshot: &Snapshot, sort: SortId) -> Option<(u32, u32)> {
    match snapshot.pool().sort(sort) {
        Sort::Float { eb, sb } => Some((*eb, *sb)),
        _ => None,
    }
}

/// Every bit-vector sort and literal at another width, and the indices of `extract` and its like in proportion.
fn change_widths(snapshot: &Snapshot, to: impl Fn(u32) -> u32) -> Edit {
    let mut edit = mentions(snapshot, b"(_ BitVec ", |numbers| match numbers {
        [width] => Some(vec![to(*width)]),
        _ => None,
    });
    for at in 0..snapshot.places.len() {
        if let (Kind::Lit(lit, symbol), Some(from)) = (snapshot.kind(at), width(snapshot, snapshot.sort(at)))
        {
            let text = literal(lit, snapshot.pool().bytes(symbol), from, to(from));
            if let Some(text) = text.filter(|_| to(from) != from) {
                edit = edit.and(snapshot.range(at), text);
            }
        }
        if let Some((range, text)) = indices(snapshot, at, &to) {
            edit = edit.and(range, text);
        }
    }
    edit
}

/// The head of `extract`, `zero_extend` and `sign_extend` once their argument has another width.
fn indices(
    snapshot: &Snapshot,
    at: usize,
    to: impl Fn(u32) -> u32,
) -> Option<(std::ops::Range<usize>, Vec<u8>)> {
    let Kind::Op { op, .. } = snapshot.kind(at) else { return None };
    let name = op.row().name;
    let argument = *snapshot.children(at).first()?;
    let (from, result) = (width(snapshot, snapshot.sort(argument))?, width(snapshot, snapshot.sort(at))?);
    let (new_from, new_result) = (to(from), to(result));
    if (from, result) == (new_from, new_result) {
        return None;
    }
    let place = snapshot.places[at];
    let head = place.head_start as usize..place.head_end as usize;
    let text = match name {
        "extract" => {
            let low = if new_result <= new_from { 0 } else { return None };
            format!("(_ extract {} {low})", new_result - 1)
        }
        "zero_extend" | "sign_extend" => format!("(_ {name} {})", new_result.checked_sub(new_from)?),
        _ => return None,
    };
    Some((head, text.into_bytes()))
}

/// A literal cut to its low bits.
fn literal(lit: Lit, text: &[u8], from: u32, to: u32) -> Option<Vec<u8>> {
    let bits = match lit {
        Lit::Binary => text.get(2..)?.to_vec(),
        Lit::Hex => text
            .get(2..)?
            .iter()
            .flat_map(|&digit| {
                let value = (digit as char).to_digit(16).unwrap_or(0);
                format!("{value:04b}").into_bytes()
            })
            .collect(),
        Lit::BvDecimal => {
            let value: u128 = std::str::from_utf8(text).ok()?.parse().ok()?;
            let kept = if to >= 128 { value } else { value & ((1 << to) - 1) };
            return Some(format!("(_ bv{kept} {to})").into_bytes());
        }
        _ => return None,
    };
    let low = bits.get((from.checked_sub(to)?) as usize..)?;
    if !to.is_multiple_of(4) {
        return Some([b"#b", low].concat());
    }
    let digit = |four: &[u8]| {
        let value = four.iter().fold(0, |value, &bit| value * 2 + u32::from(bit == b'1'));
        char::from_digit(value, 16).map(|c| c as u8)
    };
    let digits: Option<Vec<u8>> = low.chunks(4).map(digit).collect();
    Some([b"#x", &digits?[..]].concat())
}

/// Every mention of one float format as another, with the parts of its literals.
fn change_format(snapshot: &Snapshot, from: (u32, u32), to: (u32, u32)) -> Edit {
    let change = |numbers: &[u32]| (numbers == [from.0, from.1]).then(|| vec![to.0, to.1]);
    let mut edit = Edit::default();
    for name in ["FloatingPoint", "to_fp", "to_fp_unsigned", "+zero", "-zero", "+oo", "-oo", "NaN"] {
        edit.splices.extend(mentions(snapshot, format!("(_ {name} ").as_bytes(), change).splices);
    }
    for at in 0..snapshot.places.len() {
        let (Kind::Op { op, .. }, true) =
            (snapshot.kind(at), format(snapshot, snapshot.sort(at)) == Some(from))
        else {
            continue;
        };
        if op.row().name != "fp" {
            continue;
        }
        let widths = [(1, 1), (from.0, to.0), (from.1 - 1, to.1 - 1)];
        for (&part, (old, new)) in snapshot.children(at).iter().zip(widths) {
            if let Kind::Lit(lit, symbol) = snapshot.kind(part)
                && old != new
                && let Some(text) = literal(lit, snapshot.pool().bytes(symbol), old, new)
            {
                edit = edit.and(snapshot.range(part), text);
            }
        }
    }
    edit
}

/// Changes the numbers in every `(_ NAME n m)` of the text.
fn mentions(snapshot: &Snapshot, open: &[u8], change: impl Fn(&[u32]) -> Option<Vec<u32>>) -> Edit {
    let text = &snapshot.text;
    let mut edit = Edit::default();
    let mut at = 0;
    while let Some(found) = text[at..].windows(open.len()).position(|window| window == open) {
        let start = at + found + open.len();
        let end = start + text[start..].iter().position(|&b| b == b')').unwrap_or(0);
        let words = String::from_utf8_lossy(&text[start..end]).into_owned();
        let numbers: Option<Vec<u32>> = words.split(' ').map(|word| word.parse().ok()).collect();
        if let Some(numbers) = numbers
            && let Some(other) = change(&numbers).filter(|other| *other != numbers)
        {
            let other: Vec<String> = other.iter().map(u32::to_string).collect();
            edit = edit.and(start..end, other.join(" "));
        }
        at = end.max(start);
    }
    edit
}

/// Replaces whole sorts by simpler ones: a compound sort by a part of it, `Real` by `Int`, any sort by `Bool`.
pub fn replace(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    let present: BTreeSet<SortId> = sorts(snapshot).collect();
    for sort in present {
        let text = |sort| smtlib::printer::sort_text(snapshot.pool(), sort).into_bytes();
        let parts: Vec<Vec<u8>> = match snapshot.pool().sort(sort) {
            Sort::Array(index, element) => vec![text(*element), text(*index)],
            Sort::Seq(s) | Sort::Set(s) | Sort::FiniteSet(s) | Sort::Bag(s) => vec![text(*s)],
            Sort::Declared(_, args) => args.iter().map(|&s| text(s)).collect(),
            Sort::Real => vec![b"Int".to_vec()],
            _ => vec![],
        };
        let from = text(sort);
        let simple = [&b"Int"[..], b"Bool"].into_iter().map(<[u8]>::to_vec);
        for to in parts.into_iter().chain(simple).filter(|to| *to != from && from != b"Bool") {
            edits.push(everywhere(snapshot, &from, &to, sort));
        }
    }
    edits
}

fn everywhere(snapshot: &Snapshot, from: &[u8], to: &[u8], sort: SortId) -> Edit {
    let text = &snapshot.text;
    let mut edit = Edit::default();
    let mut at = 0;
    let borders = |b: u8| b == b'(' || b == b')' || b.is_ascii_whitespace();
    while let Some(found) = text[at..].windows(from.len()).position(|window| window == from) {
        let range = at + found..at + found + from.len();
        let before = range.start == 0 || borders(text[range.start - 1]);
        let declares =
            text[..range.start].ends_with(b"-sort ") || text[..range.start].ends_with(b"datatype ");
        if before && !declares && text.get(range.end).is_none_or(|&b| borders(b)) {
            edit = edit.and(range.clone(), to);
        }
        at = range.end;
    }
    for place in (0..snapshot.places.len()).filter(|&place| snapshot.sort(place) == sort) {
        if !matches!(snapshot.kind(place), Kind::Lit(..)) {
            continue;
        }
        let value = match to {
            b"Bool" => &b"true"[..],
            b"Int" => b"0",
            _ => continue,
        };
        let whole = snapshot.bytes(place).strip_suffix(b".0").filter(|_| to == b"Int");
        edit = edit.and(snapshot.range(place), whole.unwrap_or(value));
    }
    edit
}
