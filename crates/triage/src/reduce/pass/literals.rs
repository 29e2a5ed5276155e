//! Literals: smaller numbers, shorter strings, simpler bit patterns.

use crate::reduce::edit::Edit;
use crate::reduce::snapshot::Snapshot;
use smtlib::term::{Kind, Lit};

/// Replaces every literal by simpler ones, simplest first.
pub fn shrink(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for at in 0..snapshot.places.len() {
        let Kind::Lit(lit, symbol) = snapshot.kind(at) else { continue };
        let text = snapshot.pool().bytes(symbol);
        let simpler = match lit {
            Lit::Numeral => numerals(text),
            Lit::Decimal => decimals(text),
            Lit::String => strings(text),
            Lit::Hex => patterns(b"#x", text.get(2..).unwrap_or_default(), b"0123456789abcdef"),
            Lit::Binary => patterns(b"#b", text.get(2..).unwrap_or_default(), b"01"),
            Lit::BvDecimal => bit_vectors(snapshot, at, text),
            _ => vec![],
        };
        let now = snapshot.bytes(at);
        for other in simpler.into_iter().filter(|other| other != now) {
            edits.push(Edit::replace(snapshot.range(at), other));
        }
    }
    edits
}

fn numerals(text: &[u8]) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = [&b"0"[..], b"1", b"2"].iter().map(|t| t.to_vec()).collect();
    if let Some(value) = std::str::from_utf8(text).ok().and_then(|t| t.parse::<u64>().ok()) {
        let smaller = [value / 16, value / 2, value.saturating_sub(1)];
        all.extend(smaller.iter().map(|value| value.to_string().into_bytes()));
    } else {
        all.push(text[..text.len() / 2].to_vec());
        all.push(text[..text.len() - 1].to_vec());
    }
    all
}

fn decimals(text: &[u8]) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = [&b"0.0"[..], b"1.0", b"2.0", b"0.5"].iter().map(|t| t.to_vec()).collect();
    if let Some(dot) = text.iter().position(|&b| b == b'.') {
        let (whole, part) = (&text[..dot], &text[dot + 1..]);
        all.push([whole, b".0"].concat());
        all.push([whole, b".5"].concat());
        if part.len() > 1 {
            all.push([whole, b".", &part[..1]].concat());
            all.push([whole, b".", &part[..part.len() / 2]].concat());
        }
        all.extend(numerals(whole).into_iter().map(|whole| [&whole[..], b".", part].concat()));
    }
    all
}

/// How many single characters of a string are tried.
const CHARACTERS: usize = 40;

fn strings(text: &[u8]) -> Vec<Vec<u8>> {
    let pieces = characters(text);
    let join = |pieces: &[&[u8]]| [b"\"", &pieces.concat()[..], b"\""].concat();
    let half = pieces.len() / 2;
    let mut all = vec![join(&[]), join(&pieces[..half]), join(&pieces[half..])];
    for n in 0..pieces.len().min(CHARACTERS) {
        let mut rest = pieces.clone();
        rest.remove(n);
        all.push(join(&rest));
    }
    for simple in [&b"0"[..], b"a"] {
        for n in 0..pieces.len().min(CHARACTERS) {
            let mut other = pieces.clone();
            other[n] = simple;
            all.push(join(&other));
        }
    }
    all
}

/// The characters of a string as written: escapes and doubled quotes are not split.
fn characters(text: &[u8]) -> Vec<&[u8]> {
    let mut pieces = vec![];
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest {
            [b'"', b'"', ..] => 2,
            [b'\\', b'u', b'{', ..] => rest.iter().position(|&b| b == b'}').map_or(1, |n| n + 1),
            [b'\\', b'u', ..] if rest.len() >= 6 => 6,
            [b'\\', b'x', ..] if rest.len() >= 4 => 4,
            [first, ..] if *first >= 0x80 => 1 + rest[1..].iter().take_while(|&&b| b & 0xC0 == 0x80).count(),
            _ => 1,
        };
        pieces.push(&rest[..length]);
        at += length;
    }
    pieces
}

/// All zeros, zeros but for the last digit, all ones, and single digits cleared.
fn patterns(prefix: &[u8], digits: &[u8], alphabet: &[u8]) -> Vec<Vec<u8>> {
    let Some((&last, &top)) = digits.last().zip(alphabet.last()) else { return vec![] };
    let mut all = vec![vec![b'0'; digits.len()]];
    for low in [b'1', last] {
        let mut one = vec![b'0'; digits.len()];
        one[digits.len() - 1] = low;
        all.push(one);
    }
    all.push(vec![top; digits.len()]);
    for n in 0..digits.len() {
        let mut other = digits.to_vec();
        other[n] = b'0';
        all.push(other);
    }
    all.into_iter().map(|digits| [prefix, &digits[..]].concat()).collect()
}

fn bit_vectors(snapshot: &Snapshot, at: usize, text: &[u8]) -> Vec<Vec<u8>> {
    let smtlib::Sort::BitVec(width) = snapshot.pool().sort(snapshot.sort(at)) else { return vec![] };
    let all = numerals(text).into_iter();
    all.map(|value| [b"(_ bv", &value[..], b" ", width.to_string().as_bytes(), b")"].concat()).collect()
}
