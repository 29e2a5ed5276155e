//! Splits a stream of bytes into complete commands as they arrive, reading each byte once.
//!
//! A session's solver must answer a command before it sees the next, so it cannot wait for the end of its input.
//! `sexp` needs the whole text; this keeps its position between chunks instead. Bytes that are not a command (a stray
//! `)`) are passed on too, so that the solver reports them.

/// Where the splitter is within the text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Plain,
    String,
    Quoted,
    Comment,
}

/// An incremental splitter.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    buffer: Vec<u8>,
    /// How much of the buffer has been read.
    seen: usize,
    depth: usize,
    state: State,
}

impl Splitter {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete command, with everything before it.
    pub(super) fn next_command(&mut self) -> Option<Vec<u8>> {
        while let Some(&byte) = self.buffer.get(self.seen) {
            self.seen += 1;
            if self.closes(byte) {
                let rest = self.buffer.split_off(self.seen);
                self.seen = 0;
                return Some(std::mem::replace(&mut self.buffer, rest));
            }
        }
        None
    }

    /// The rest at the end of the input, if it is more than blanks and comments.
    pub(super) fn rest(mut self) -> Vec<u8> {
        self.seen = self.buffer.len();
        let start = crate::sexp::skip_blank(&self.buffer, 0);
        if start == self.buffer.len() { Vec::new() } else { self.buffer }
    }

    fn closes(&mut self, byte: u8) -> bool {
        match (self.state, byte) {
            (State::Plain, b'"') => self.state = State::String,
            (State::Plain, b'|') => self.state = State::Quoted,
            (State::Plain, b';') => self.state = State::Comment,
            (State::Plain, b'(') => self.depth += 1,
            (State::Plain, b')') => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            (State::String, b'"') | (State::Quoted, b'|') | (State::Comment, b'\n') => {
                self.state = State::Plain
            }
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_come_out_as_soon_as_they_close_however_the_bytes_arrive() {
        let script = b"; (no\n(echo \"a\"\")\")(assert |)|) (check-sat)\n  ; end";
        for size in 1..script.len() {
            let mut splitter = Splitter::default();
            let mut found = Vec::new();
            for chunk in script.chunks(size) {
                splitter.push(chunk);
                found.extend(std::iter::from_fn(|| splitter.next_command()));
            }
            let texts: Vec<_> = found.iter().map(|c| String::from_utf8_lossy(c).trim().to_owned()).collect();
            assert_eq!(
                texts,
                ["; (no\n(echo \"a\"\")\")", "(assert |)|)", "(check-sat)"],
                "chunks of {size}"
            );
            assert!(splitter.rest().is_empty());
        }
    }

    #[test]
    fn an_unfinished_command_is_what_remains() {
        let mut splitter = Splitter::default();
        splitter.push(b"(a)(b (c)");
        assert_eq!(splitter.next_command().unwrap(), b"(a)");
        assert_eq!(splitter.next_command(), None);
        assert_eq!(splitter.rest(), b"(b (c)");
    }
}
