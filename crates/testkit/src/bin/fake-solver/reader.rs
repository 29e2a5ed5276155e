//! Splits a byte stream into SMT-LIB commands: balanced parentheses, with strings, quoted symbols and comments
//! respected. Nothing else is parsed.

use std::io::Read;

/// Commands from a stream, one at a time.
pub struct Commands {
    source: Box<dyn Read>,
    buffer: Vec<u8>,
    start: usize,
}

impl Commands {
    pub fn new(source: Box<dyn Read>) -> Commands {
        Commands { source, buffer: Vec::new(), start: 0 }
    }

    /// A complete command that has already been read.
    pub fn ready(&mut self) -> Option<String> {
        let (from, to) = command(&self.buffer[self.start..])?;
        let text = String::from_utf8_lossy(&self.buffer[self.start + from..self.start + to]).into_owned();
        self.start += to;
        Some(text)
    }

    /// Waits for more bytes; false at the end of the input.
    pub fn more(&mut self) -> bool {
        self.buffer.drain(..self.start);
        self.start = 0;
        let mut chunk = [0u8; 16 << 10];
        match self.source.read(&mut chunk) {
            Ok(n) if n > 0 => {
                self.buffer.extend_from_slice(&chunk[..n]);
                true
            }
            _ => false,
        }
    }
}

/// Where the first complete parenthesised expression begins and ends.
fn command(text: &[u8]) -> Option<(usize, usize)> {
    let mut begin = None;
    let mut depth = 0usize;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'(' => {
                begin.get_or_insert(at);
                depth += 1;
            }
            b')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    return Some((begin?, at + 1));
                }
            }
            quote @ (b'"' | b'|') => at += 1 + text[at + 1..].iter().position(|&b| b == quote)?,
            b';' => at += text[at..].iter().position(|&b| b == b'\n')?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The word after the opening parenthesis.
pub fn head(command: &str) -> &str {
    let inside = command.trim_start_matches('(').trim_start();
    inside.split(|c: char| c.is_whitespace() || c == ')' || c == '(').next().unwrap_or("")
}

/// The number of levels of a push or pop.
pub fn levels(command: &str) -> usize {
    command.trim_matches(['(', ')']).split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// The elements of a parenthesised list, as text.
pub fn elements(list: &str) -> Vec<&str> {
    let Some(inner) = list.trim().strip_prefix('(').and_then(|l| l.strip_suffix(')')) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut rest = inner.trim_start();
    while !rest.is_empty() {
        let length = match rest.as_bytes()[0] {
            b'(' => command(rest.as_bytes()).map_or(rest.len(), |(_, end)| end),
            quote @ (b'"' | b'|') => rest[1..].find(quote as char).map_or(rest.len(), |n| n + 2),
            b';' => rest.find('\n').unwrap_or(rest.len()),
            _ => rest.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(rest.len()),
        };
        let (element, after) = rest.split_at(length.max(1));
        if !element.starts_with(';') {
            found.push(element);
        }
        rest = after.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_at_balanced_parentheses_only() {
        let text = "; (not a command)\n(assert (= s \")(\" |a)b|)) (check-sat)";
        let mut commands = Commands::new(Box::new(std::io::Cursor::new(text)));
        assert!(commands.more());
        assert_eq!(commands.ready().as_deref(), Some("(assert (= s \")(\" |a)b|))"));
        assert_eq!(commands.ready().as_deref(), Some("(check-sat)"));
        assert_eq!(commands.ready(), None);
        assert!(!commands.more());
    }

    #[test]
    fn elements_of_a_list_keep_their_own_parentheses() {
        assert_eq!(elements("(define-fun x () Int (- 1))"), ["define-fun", "x", "()", "Int", "(- 1)"]);
        assert_eq!(elements("(\"a b\" |c d| e)"), ["\"a b\"", "|c d|", "e"]);
        assert_eq!((head("( check-sat )"), levels("(push 3)"), levels("(pop)")), ("check-sat", 3, 1));
    }
}
