//! Logic, statuses and comments of a script, found without parsing its terms.
//!
//! In: bytes. Out: logic, one entry per check-sat with the status set before it, and the leading comments. It makes
//! one pass over the tokens, without recursion and without copying terms. So a corpus of thousands of files is
//! outlined in milliseconds, and a script that only one solver's parser accepts can still be a seed. It must fail only
//! on text that is not a sequence of lists, and must never count parentheses inside strings, quoted symbols or
//! comments (the tokens are `smtlib`'s).

use smtlib::lexer::{Lexer, TokenKind};

use crate::seed::Status;

/// Text that cannot be split into top-level commands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {offset}")]
pub struct Malformed {
    pub what: String,
    pub offset: usize,
}

/// What can be read from a script without parsing its terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeedOutline {
    /// The logic of the first `set-logic`; a script may set another after `(reset)`.
    pub logic: Option<String>,
    /// Per check-sat: the status set since the previous one.
    pub checks: Vec<Option<Status>>,
    /// Leading comment lines without semicolons and surrounding blanks.
    pub header: Vec<String>,
}

impl SeedOutline {
    pub fn of(text: &[u8]) -> Result<SeedOutline, Malformed> {
        let mut outline = SeedOutline { header: leading_comments(text), ..SeedOutline::default() };
        let mut announced = None;
        let mut commands = Commands::new(text);
        while let Some(words) = commands.next()? {
            let word = |n: usize| words.get(n).copied().unwrap_or(b"");
            match word(0) {
                b"set-logic" if outline.logic.is_none() => {
                    outline.logic = Some(String::from_utf8_lossy(word(1)).into_owned());
                }
                b"set-info" if word(1) == b":status" => {
                    announced = std::str::from_utf8(word(2)).ok().and_then(|w| w.parse().ok());
                }
                b"check-sat" | b"check-sat-assuming" | b"check-sat-using" => {
                    outline.checks.push(announced.take())
                }
                b"exit" => break,
                _ => {}
            }
        }
        Ok(outline)
    }

    /// The answers given by `; EXPECT:` lines, in order.
    pub fn expectations(&self) -> Vec<Status> {
        let values = self.header.iter().filter_map(|line| line.strip_prefix("EXPECT:"));
        values.filter_map(|value| value.trim().parse().ok()).collect()
    }
}

fn leading_comments(text: &[u8]) -> Vec<String> {
    let lines = text.split(|b| *b == b'\n').map(|line| String::from_utf8_lossy(line));
    let heading =
        lines.map(|line| line.trim().to_owned()).take_while(|line| line.is_empty() || line.starts_with(';'));
    heading
        .filter(|line| !line.is_empty())
        .map(|line| line.trim_start_matches(';').trim().to_owned())
        .collect()
}

/// The commands of a script, each as its first few words.
struct Commands<'a> {
    lexer: Lexer<'a>,
}

/// No relevant command needs more words than `(set-info :status sat)`.
const WORDS: usize = 3;

impl<'a> Commands<'a> {
    fn new(text: &'a [u8]) -> Self {
        Commands { lexer: Lexer::new(text) }
    }

    /// The first words of the next command; `None` at the end of the text.
    fn next(&mut self) -> Result<Option<Vec<&'a [u8]>>, Malformed> {
        let (mut depth, mut start, mut words) = (0usize, 0, Vec::with_capacity(WORDS));
        loop {
            let token = self.lexer.next_token().map_err(|e| malformed(&e.kind.to_string(), e.span.start))?;
            match token.kind {
                TokenKind::Open => {
                    start = if depth == 0 { token.span.start } else { start };
                    depth += 1;
                }
                TokenKind::End if depth == 0 => return Ok(None),
                TokenKind::End => return Err(malformed("unclosed `(`", start)),
                _ if depth == 0 => return Err(malformed("text outside a command", token.span.start)),
                TokenKind::Close => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(Some(words));
                    }
                }
                _ if words.len() < WORDS => words.push(&self.lexer.source()[token.span.range()]),
                _ => {}
            }
        }
    }
}

fn malformed(what: &str, offset: u32) -> Malformed {
    Malformed { what: what.to_owned(), offset: offset as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_belong_to_the_check_sat_that_follows() {
        let text =
            b"; EXPECT: sat\n;  note\n(set-logic QF_LIA)(set-info :status sat)(check-sat)(check-sat)\n\
                     (set-info :status unsat) (push 1) (check-sat-assuming (p)) (exit) (check-sat)";
        let outline = SeedOutline::of(text).unwrap();
        assert_eq!(outline.logic.as_deref(), Some("QF_LIA"));
        assert_eq!(outline.checks, [Some(Status::Sat), None, Some(Status::Unsat)]);
        assert_eq!(outline.header, ["EXPECT: sat", "note"]);
        assert_eq!(outline.expectations(), [Status::Sat]);
    }

    #[test]
    fn parentheses_in_literals_and_comments_do_not_count() {
        let text = b"(assert (= |a)(| \"(\"\"(\" )) ; ))\n(check-sat)";
        assert_eq!(SeedOutline::of(text).unwrap().checks.len(), 1);
    }

    #[test]
    fn text_that_is_not_a_sequence_of_commands_is_refused_with_its_position() {
        assert_eq!(SeedOutline::of(b" (check-sat").unwrap_err(), malformed("unclosed `(`", 1));
        assert_eq!(SeedOutline::of(b"(check-sat))").unwrap_err().offset, 11);
        assert_eq!(SeedOutline::of(b"(echo \"x)").unwrap_err().offset, 6);
        assert_eq!(SeedOutline::of(b"sat (check-sat)").unwrap_err(), malformed("text outside a command", 0));
    }

    #[test]
    fn a_million_nested_parentheses_are_outlined() {
        let mut text = vec![b'('; 1_000_000];
        text.extend(vec![b')'; 1_000_000]);
        text.extend(b"(check-sat)");
        assert_eq!(SeedOutline::of(&text).unwrap().checks.len(), 1);
    }
}
