//! Escapes file names and other foreign text for a terminal or for a shell.
//!
//! A file name may contain any byte except `/` and NUL: escape sequences that control the terminal, line ends that
//! fake a second message, marks that change the direction of writing, `$(…)`. [`path`] and [`text`] return one line in
//! which these are escaped (`\n`, `\u{1b}`, `\xff`). [`word`] returns a word of a command that a user may paste into a
//! shell; the shell turns it back into exactly the original bytes. This module is in the leftmost crate because every
//! crate has messages with names in them, and all of them use these three functions. They never read or resolve a path.

use std::ffi::OsStr;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A path in a message.
pub fn path(path: &Path) -> String {
    bytes(path.as_os_str().as_bytes())
}

/// A name, an argument or another foreign text in a message, on one line.
pub fn text(text: &str) -> String {
    bytes(text.as_bytes())
}

fn bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_obeyed(c) {
                out.extend(c.escape_default());
            } else {
                out.push(c);
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Control characters, line separators, and characters that change the direction of writing or are invisible.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// A word of a shell command. It is quoted only if necessary, and then so that the shell does not change it; control
/// characters are written as `$'\n'`, which bash, zsh and ksh read.
pub fn word(word: impl AsRef<OsStr>) -> String {
    let bytes = word.as_ref().as_bytes();
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(b);
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.is_empty() && bytes.iter().all(plain) => text.to_owned(),
        Ok(text) if !text.contains(is_obeyed) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => {
            let seen = |b: u8| (b.is_ascii_graphic() || b == b' ') && b != b'\'' && b != b'\\';
            let escape = |b: &u8| if seen(*b) { char::from(*b).to_string() } else { format!("\\{b:03o}") };
            format!("$'{}'", bytes.iter().map(escape).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_name_is_shown_on_one_line_without_control_characters() {
        assert_eq!(text("a b/ä.smt2"), "a b/ä.smt2");
        assert_eq!(text("\u{1b}[2Jx\nerror: y\t\u{9b}1m\u{202e}"), r"\u{1b}[2Jx\nerror: y\t\u{9b}1m\u{202e}");
        assert_eq!(path(Path::new(OsStr::from_bytes(b"a\xff.smt2"))), r"a\xff.smt2");
    }

    #[test]
    fn a_pasted_word_reaches_the_program_as_the_same_bytes() {
        let words: [&[u8]; 9] = [
            b"plain-1.0/x=y",
            b"",
            b"o $(touch owned)",
            b"it's `touch owned`; touch owned #",
            b"a\nb\\n\x1b[31m'",
            b"\xff7",
            b"-n",
            b"!! ~ * {a,b} \"",
            "ä\u{202e}".as_bytes(),
        ];
        let folder = std::env::temp_dir();
        for bytes in words {
            let line = word(OsStr::from_bytes(bytes));
            assert!(!line.contains(is_obeyed), "{line:?}");
            let script = format!("printf '%s' {line}");
            let run = Command::new("bash").args(["-c", &script]).current_dir(&folder).output();
            assert_eq!(run.expect("bash runs").stdout, bytes, "{line}");
        }
    }
}
