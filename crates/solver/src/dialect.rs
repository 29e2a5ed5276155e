//! Translates a script for old releases that use older names for some standard symbols.
//!
//! Only whole symbols outside strings, quoted symbols and comments are replaced, and only those that the profile
//! lists for the release. They are reserved, so they have only one meaning in a script.

use crate::target::Target;
use crate::version::VersionRange;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The script with the target's names.
pub fn translate<'s>(target: &Target, script: &'s [u8]) -> Cow<'s, [u8]> {
    let Some(version) = &target.version else { return Cow::Borrowed(script) };
    let speaks = |versions: &str| VersionRange::parse(versions).is_some_and(|range| range.accepts(version));
    match target.profile.dialects.iter().find(|dialect| speaks(&dialect.versions)) {
        Some(dialect) => rename(script, &dialect.rename),
        None => Cow::Borrowed(script),
    }
}

fn rename<'s>(script: &'s [u8], names: &BTreeMap<String, String>) -> Cow<'s, [u8]> {
    let mut out: Vec<u8> = vec![];
    let mut copied = 0;
    let mut at = 0;
    while at < script.len() {
        let end = token_end(script, at);
        let word = std::str::from_utf8(&script[at..end]).ok();
        if let Some(other) = word.and_then(|word| names.get(word)) {
            out.extend_from_slice(&script[copied..at]);
            out.extend_from_slice(other.as_bytes());
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(script);
    }
    out.extend_from_slice(&script[copied..]);
    Cow::Owned(out)
}

/// Where the token, string, quoted symbol, comment or single separator that begins here ends.
fn token_end(script: &[u8], at: usize) -> usize {
    let until =
        |stop: u8| script[at + 1..].iter().position(|&b| b == stop).map_or(script.len(), |n| at + n + 2);
    let separates = |b: u8| b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b';' | b'"' | b'|');
    match script[at] {
        b'"' => until(b'"'),
        b'|' => until(b'|'),
        b';' => until(b'\n'),
        byte if separates(byte) => at + 1,
        _ => script[at..].iter().position(|&b| separates(b)).map_or(script.len(), |n| at + n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_symbols_are_replaced() {
        let names = BTreeMap::from([("str.to_re".to_owned(), "str.to.re".to_owned())]);
        let script = br#"(assert (f (str.to_re "str.to_re ""x") |str.to_re| str.to_reX)) ; str.to_re"#;
        let wanted = br#"(assert (f (str.to.re "str.to_re ""x") |str.to_re| str.to_reX)) ; str.to_re"#;
        assert_eq!(rename(script, &names).as_ref(), wanted);
        assert!(matches!(rename(b"(assert p)", &names), Cow::Borrowed(_)));
    }
}
