//! String literals: from the bytes between the quotes to code points, and back.
//!
//! The standard has exactly two escapes, `\uXXXX` and `\u{X…}` (one to five digits, at most 0x2FFFF), plus `""` for a
//! quote. Any other text that begins with a backslash is ordinary text. Old z3 releases (4.8.x) read C escapes
//! instead. The two readings disagree on the same bytes, so they are two functions, and the caller must choose one.
//!
//! Bytes above 0x7E are not allowed by the standard; solvers handle them in different ways (z3: each byte is a
//! character; cvc5: error). `parse` decodes UTF-8 so that text is preserved by printing, and `is_standard` lets a
//! caller exclude such scripts from accusations. Printing produces only printable ASCII, and parsing the printed text
//! gives the same code points.

use std::fmt::Write;

/// The greatest code point of the theory: planes 0, 1 and 2 of Unicode.
pub const MAX_CHAR: u32 = 0x2_FFFF;

/// Reads the body of a literal (without the outer quotes) as defined by SMT-LIB 2.6.
pub fn parse(body: &[u8]) -> Vec<u32> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(&first) = rest.first() {
        let (code, used) = match first {
            b'\\' => unicode_escape(rest).unwrap_or((u32::from(b'\\'), 1)),
            b'"' if rest.get(1) == Some(&b'"') => (u32::from(b'"'), 2),
            0x80.. => utf8(rest).unwrap_or((u32::from(first), 1)),
            _ => (u32::from(first), 1),
        };
        out.push(code);
        rest = &rest[used..];
    }
    out
}

/// Reads the body of a literal as z3 4.8.x did: `\xNN`, one to three octal digits, the C letters, `\u{…}`, and a
/// backslash before any other character means that character. Raw bytes are separate characters; there is no UTF-8.
pub fn parse_legacy(body: &[u8]) -> Vec<u32> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(&first) = rest.first() {
        let (code, used) = match first {
            b'\\' => legacy_escape(rest),
            b'"' if rest.get(1) == Some(&b'"') => (u32::from(b'"'), 2),
            _ => (u32::from(first), 1),
        };
        out.push(code);
        rest = &rest[used..];
    }
    out
}

/// Whether the standard defines this literal body: printable ASCII only.
pub fn is_standard(body: &[u8]) -> bool {
    body.iter().all(|b| (0x20..=0x7E).contains(b))
}

/// Whether some text begins like a standard escape but is not one, such as `\u{110000}` or `\u12`. In the standard it
/// is ordinary text; solvers reject it, truncate it or read it as a character.
pub fn has_malformed_escape(body: &[u8]) -> bool {
    (0..body.len()).any(|at| body[at..].starts_with(b"\\u") && unicode_escape(&body[at..]).is_none())
}

/// Writes the literal, quotes included.
pub fn write_literal(codes: &[u32], out: &mut impl Write) -> std::fmt::Result {
    out.write_char('"')?;
    for (i, &code) in codes.iter().enumerate() {
        match char::from_u32(code) {
            Some('"') => out.write_str("\"\"")?,
            // Only a following `u` can turn a backslash into an escape.
            Some('\\') if codes.get(i + 1) == Some(&u32::from(b'u')) => out.write_str("\\u{5c}")?,
            Some(c @ ' '..='~') => out.write_char(c)?,
            _ => write!(out, "\\u{{{code:x}}}")?,
        }
    }
    out.write_char('"')
}

/// The literal, quotes included, for z3 4.8.x; `None` if a character does not fit in a byte, because those releases
/// have only byte characters.
pub fn to_legacy_literal(codes: &[u32]) -> Option<String> {
    let mut out = String::from("\"");
    for &code in codes {
        match u8::try_from(code).ok()? {
            b'"' => out.push_str("\"\""),
            b'\\' => out.push_str("\\\\"),
            byte @ 0x20..=0x7E => out.push(char::from(byte)),
            byte => write!(out, "\\x{byte:02x}").ok()?,
        }
    }
    out.push('"');
    Some(out)
}

/// The code point and length of a standard escape at the start of `s`, which begins with `\`.
fn unicode_escape(s: &[u8]) -> Option<(u32, usize)> {
    match s {
        [b'\\', b'u', b'{', rest @ ..] => {
            let digits = rest.iter().take(6).position(|&b| b == b'}')?;
            let code = hex(&rest[..digits], 1..=5)?;
            (code <= MAX_CHAR).then_some((code, digits + 4))
        }
        [b'\\', b'u', rest @ ..] => Some((hex(rest.get(..4)?, 4..=4)?, 6)),
        _ => None,
    }
}

/// Reads a C-like escape. It never fails, because an unknown escape means the character itself. A single backslash at
/// the end means itself.
fn legacy_escape(s: &[u8]) -> (u32, usize) {
    let Some(&letter) = s.get(1) else {
        return (u32::from(b'\\'), 1);
    };
    if letter == b'x'
        && let Some(code) = s.get(2..4).and_then(|d| hex(d, 2..=2))
    {
        return (code, 4);
    }
    let octal = s[1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
    if octal > 0 {
        let code = s[1..=octal].iter().fold(0, |n, b| n * 8 + u32::from(b - b'0'));
        return (code & 0xFF, octal + 1);
    }
    if s[1..].starts_with(b"u{")
        && let Some(found) = unicode_escape(s)
    {
        return found;
    }
    let code = match letter {
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => 0x09,
        b'n' => 0x0A,
        b'v' => 0x0B,
        b'f' => 0x0C,
        b'r' => 0x0D,
        other => other,
    };
    (u32::from(code), 2)
}

fn hex(digits: &[u8], count: std::ops::RangeInclusive<usize>) -> Option<u32> {
    if !count.contains(&digits.len()) {
        return None;
    }
    digits.iter().try_fold(0, |n, &b| Some(n * 16 + char::from(b).to_digit(16)?))
}

/// One UTF-8 encoded character of the theory's range (planes 0 to 2).
fn utf8(s: &[u8]) -> Option<(u32, usize)> {
    let length = match s.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let code = u32::from(std::str::from_utf8(s.get(..length)?).ok()?.chars().next()?);
    (code <= MAX_CHAR).then_some((code, length))
}
