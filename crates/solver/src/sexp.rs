//! S-expressions as bytes: where one ends, and what is inside it. Nothing is copied, nothing recurses.
//!
//! It is used for two very different texts: scripts, to split them into commands, and the output of solvers, which may
//! be truncated, may contain any byte, and may be a million parentheses deep. So the functions here work on byte
//! ranges, handle strings (`"a""b"`), quoted symbols (`|a b|`) and comments, and return [`None`] for anything that
//! does not close. They never interpret a token; that is done by `smtlib`.

use std::ops::Range;

/// The first position at or after `at` that is neither blank nor inside a comment.
pub fn skip_blank(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => at += 1,
            b';' => at = line_end(text, at),
            _ => break,
        }
    }
    at
}

/// The position of the next line feed, or the end.
pub fn line_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| at + n)
}

/// The end of the expression that starts at `at` (which must not be blank); `None` if it does not close.
pub fn end_of(text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = at;
    loop {
        at = match *text.get(at)? {
            b'(' => {
                depth += 1;
                at + 1
            }
            b')' => {
                depth = depth.checked_sub(1)?;
                at + 1
            }
            b'"' => string_end(text, at)?,
            b'|' => quoted_end(text, at)?,
            _ => atom_end(text, at),
        };
        if depth == 0 {
            return Some(at);
        }
        at = skip_blank(text, at);
    }
}

fn string_end(text: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        at += text.get(at..)?.iter().position(|&b| b == b'"')? + 1;
        if text.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

fn quoted_end(text: &[u8], open: usize) -> Option<usize> {
    text[open + 1..].iter().position(|&b| b == b'|').map(|n| open + n + 2)
}

fn atom_end(text: &[u8], at: usize) -> usize {
    let stops = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b'"' | b'|' | b';' | 0x0b);
    text[at..].iter().position(stops).map_or(text.len(), |n| at + n).max(at + 1)
}

/// The elements of the list `text`, outermost level only; empty if it is not a list.
pub fn elements(text: &[u8]) -> Elements<'_> {
    let inside = text.first() == Some(&b'(') && text.last() == Some(&b')');
    let body = if inside { &text[1..text.len() - 1] } else { &[][..] };
    Elements { body, at: 0 }
}

/// Iterator of [`elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    body: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = skip_blank(self.body, self.at);
        let end = end_of(self.body, start)?;
        self.at = end;
        Some(&self.body[start..end])
    }
}

/// All atoms of a text in order, at any depth: symbols, keywords, numbers, strings.
pub fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at = skip_blank(text, at);
            let start = at;
            at = match *text.get(at)? {
                b'(' | b')' => {
                    at += 1;
                    continue;
                }
                b'"' => string_end(text, at)?,
                b'|' => quoted_end(text, at)?,
                _ => atom_end(text, at),
            };
            return Some(&text[start..at]);
        }
    })
}

/// The contents of a string literal with `""` undone; `None` if `text` is not one.
pub fn unquote(text: &[u8]) -> Option<Vec<u8>> {
    let inner = text.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let mut out = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().peekable();
    while let Some(&b) = bytes.next() {
        out.push(b);
        if b == b'"' {
            bytes.next_if_eq(&&b'"');
        }
    }
    Some(out)
}

/// A top-level command of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// Its position.
    pub range: Range<usize>,
    /// All of it, from `(` to `)`.
    pub text: &'a [u8],
    /// Its head, e.g. `check-sat`.
    pub name: &'a [u8],
}

/// The commands of a script; `Err` has the position of the first incomplete command.
pub fn commands(script: &[u8]) -> Result<Vec<Command<'_>>, usize> {
    let mut found = Vec::new();
    let mut at = skip_blank(script, 0);
    while at < script.len() {
        if script[at] != b'(' {
            return Err(at);
        }
        let end = end_of(script, at).ok_or(at)?;
        let text = &script[at..end];
        let name = elements(text).next().unwrap_or_default();
        found.push(Command { range: at..end, text, name });
        at = skip_blank(script, end);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(script: &str) -> Result<Vec<String>, usize> {
        commands(script.as_bytes())
            .map(|all| all.iter().map(|c| String::from_utf8_lossy(c.name).into_owned()).collect())
    }

    #[test]
    fn a_script_is_split_where_commands_end_and_nowhere_else() {
        let script =
            "; (exit)\n(set-info :source |a ) ( b|)(assert (= x \"a\"\") (\"))\n(check-sat) ; (exit)";
        assert_eq!(names(script).unwrap(), ["set-info", "assert", "check-sat"]);
        assert_eq!(names("").unwrap(), [""; 0]);
        assert_eq!(names("(check-sat)(assert (= x 1)").unwrap_err(), 11);
        assert_eq!(names("(check-sat) sat").unwrap_err(), 12);
        assert_eq!(names("(a))").unwrap_err(), 3);
        assert_eq!(names("(echo \"x)").unwrap_err(), 0);
    }

    #[test]
    fn a_million_parentheses_neither_recurse_nor_take_long() {
        let n = 1_000_000;
        let deep = [vec![b'('; n], vec![b')'; n]].concat();
        assert_eq!(end_of(&deep, 0), Some(2 * n));
        assert_eq!(end_of(&deep[..2 * n - 1], 0), None);
    }

    #[test]
    fn elements_of_a_list_are_complete_expressions() {
        let list = br#"(error "a ""quoted"" ) word" |x y| (f 1))"#;
        let all: Vec<_> = elements(list).map(|e| String::from_utf8_lossy(e).into_owned()).collect();
        assert_eq!(all, ["error", r#""a ""quoted"" ) word""#, "|x y|", "(f 1)"]);
        assert_eq!(unquote(all[1].as_bytes()).unwrap(), br#"a "quoted" ) word"#);
        assert_eq!(elements(b"sat").count(), 0);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_accepted() {
        let odd = b"(echo \"\xff\x00\x1b\")";
        assert_eq!(end_of(odd, 0), Some(odd.len()));
    }
}
