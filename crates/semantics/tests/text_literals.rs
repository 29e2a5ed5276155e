//! String literals: the meaning of each escape, in the standard and in old z3; printing and parsing are inverse.
#![allow(clippy::unwrap_used)]

use semantics::value::text::{MAX_CHAR, Text};

fn codes(body: &str) -> Vec<u32> {
    Text::parse(body.as_bytes()).codes().to_vec()
}

fn plain(body: &str) -> Vec<u32> {
    body.bytes().map(u32::from).collect()
}

/// The body between the quotes of a printed literal.
fn body(literal: &str) -> &[u8] {
    literal.strip_prefix('"').and_then(|s| s.strip_suffix('"')).unwrap().as_bytes()
}

#[test]
fn the_standards_escapes_are_read() {
    assert_eq!(codes(r"\u003A"), [0x3A]);
    assert_eq!(codes(r"\u{3a}"), [0x3A]);
    assert_eq!(codes(r"\u{0003A}"), [0x3A]);
    assert_eq!(codes(r"\u{2FFFF}"), [MAX_CHAR]);
    assert_eq!(codes(r"\ud800"), [0xD800]);
    assert_eq!(codes(r"a\u02C1"), [0x61, 0x2C1]);
    assert_eq!(codes(r"\u02C1a"), [0x2C1, 0x61]);
    assert_eq!(codes(r"\u{2C}1a"), [0x2C, 0x31, 0x61]);
    assert_eq!(codes(r"\\u0041"), [0x5C, 0x41]);
    assert_eq!(codes(r#"a""b"#), [0x61, 0x22, 0x62]);
}

#[test]
fn everything_else_with_a_backslash_is_ordinary_text() {
    for no in [
        r"\u2CA",
        r"\u2CXA",
        r"\u{ACG}A",
        r"\u{}",
        r"\u{30000}",
        r"\u{000041}",
        r"\u{41",
        r"\u",
        r"\",
        r"\u{",
        r"\x41",
        r"\n",
        r"\t",
        r"\101",
        r"\U0041",
        r"\u{ 41}",
        r"\u{+41}",
        r"\u+041",
    ] {
        assert_eq!(codes(no), plain(no), "{no}");
    }
}

#[test]
fn raw_bytes_are_utf8_or_else_latin1() {
    assert_eq!(codes("é€𝄞"), [0xE9, 0x20AC, 0x1D11E]);
    assert_eq!(Text::parse(b"\xE9z").codes(), [0xE9, 0x7A]);
    assert_eq!(Text::parse(b"\xC3").codes(), [0xC3]);
    assert_eq!(Text::parse(b"\xC0\x80").codes(), [0xC0, 0x80]);
    // A surrogate encoded in UTF-8 and a plane-16 character are not characters here.
    assert_eq!(Text::parse(b"\xED\xA0\x80").codes(), [0xED, 0xA0, 0x80]);
    assert_eq!(Text::parse("\u{10FFFF}".as_bytes()), Text::from("\u{10FFFF}"));
    assert_eq!(Text::from("\u{10FFFF}").len(), 4);
    assert!(
        smtlib::escape::is_standard(br"a\u{e9}~")
            && !smtlib::escape::is_standard("é".as_bytes())
            && !smtlib::escape::is_standard(b"\t")
    );
}

#[test]
fn old_z3_read_c_escapes() {
    let legacy = |s: &str| Text::parse_legacy(s.as_bytes()).codes().to_vec();
    assert_eq!(legacy(r"\x41\x4a"), [0x41, 0x4A]);
    assert_eq!(legacy(r"\x4"), [0x78, 0x34]);
    assert_eq!(legacy(r"\0\18\1011"), [0, 1, 0x38, 0x41, 0x31]);
    assert_eq!(legacy(r"\777"), [0xFF]);
    assert_eq!(legacy(r"\a\b\t\n\v\f\r"), [7, 8, 9, 10, 11, 12, 13]);
    // `\e` is disabled in the source of those releases.
    assert_eq!(legacy(r"\e\q\\"), [0x65, 0x71, 0x5C]);
    assert_eq!(legacy(r"\u{41}"), [0x41]);
    assert_eq!(legacy(r"a\"), [0x61, 0x5C]);
    assert_eq!(Text::parse_legacy("é".as_bytes()).codes(), [0xC3, 0xA9]);
}

#[test]
fn printing_escapes_what_needs_it_and_nothing_else() {
    let printed = |codes: &[u32]| Text::try_from_codes(codes.to_vec()).unwrap().to_string();
    assert_eq!(printed(&[0x61, 0x22, 0x62]), r#""a""b""#);
    assert_eq!(printed(&[0x1F, 0x20, 0x7E, 0x7F]), r#""\u{1f} ~\u{7f}""#);
    assert_eq!(printed(&[MAX_CHAR, 0, 0xD800]), r#""\u{2ffff}\u{0}\u{d800}""#);
    assert_eq!(printed(&plain(r"\u{41}")), r#""\u{5c}u{41}""#);
    assert_eq!(printed(&plain(r"\x41\")), r#""\x41\""#);
}

#[test]
fn every_character_is_preserved_by_printing_and_parsing() {
    for code in 0..=MAX_CHAR {
        let text = Text::try_from_codes(vec![code]).unwrap();
        let literal = text.to_string();
        assert!(smtlib::escape::is_standard(body(&literal)));
        assert_eq!(Text::parse(body(&literal)), text);
    }
}

#[test]
fn every_short_string_over_the_special_characters_is_preserved_by_both_spellings() {
    let alphabet: Vec<u32> = plain(r#"\u{}"x41n"#).into_iter().chain([0, 0x7F, 0xE9]).collect();
    let mut all: Vec<Vec<u32>> = vec![vec![]];
    for _ in 0..4 {
        all = all.iter().flat_map(|w| alphabet.iter().map(|&c| [w.as_slice(), &[c]].concat())).collect();
        for word in &all {
            let text = Text::try_from_codes(word.clone()).unwrap();
            assert_eq!(Text::parse(body(&text.to_string())), text, "{text}");
            let legacy = text.to_legacy_literal().unwrap();
            assert_eq!(Text::parse_legacy(body(&legacy)), text, "{legacy}");
        }
    }
    assert_eq!(Text::from("€").to_legacy_literal(), None);
}
