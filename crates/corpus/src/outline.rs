//! What a script says about itself, without parsing its terms.
//!
//! In: bytes. Out: logic, one entry per check-sat with the status announced before it, leading comments, and the
//! top-level forms as slices. One pass, no recursion, no copies of terms: a corpus of thousands of files is outlined
//! in milliseconds, and a script that only one solver's parser accepts can still be a seed.
//! It must never fail on anything but unbalanced text, and never look inside strings, quoted symbols or comments.

use crate::seed::Status;

/// Text that cannot be cut into top-level forms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {offset}")]
pub struct Malformed {
    pub what: &'static str,
    pub offset: usize,
}

/// The outside of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub logic: Option<String>,
    /// Per check-sat: the status set since the previous one.
    pub checks: Vec<Option<Status>>,
    /// Leading comment lines without semicolons and blanks around.
    pub header: Vec<String>,
}

impl Outline {
    pub fn of(text: &[u8]) -> Result<Outline, Malformed> {
        let mut outline = Outline { header: leading_comments(text), ..Outline::default() };
        let mut announced = None;
        for form in Forms::new(text) {
            let mut words = Tokens::new(form?);
            match words.next() {
                Some(b"set-logic") => {
                    outline.logic = words.next().map(|w| String::from_utf8_lossy(w).into_owned())
                }
                Some(b"set-info") if words.next() == Some(b":status") => {
                    announced = words.next().and_then(|w| std::str::from_utf8(w).ok()?.parse().ok());
                }
                Some(b"check-sat" | b"check-sat-assuming" | b"check-sat-using") => {
                    outline.checks.push(announced.take());
                }
                Some(b"exit") => break,
                _ => {}
            }
        }
        Ok(outline)
    }

    /// The answers that `; EXPECT:` lines promise, in order.
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

/// The top-level forms of a script, each a slice from its opening to its closing parenthesis.
pub struct Forms<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Forms<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Forms { text, at: 0 }
    }

    fn stop(&mut self, what: &'static str, offset: usize) -> Option<Result<&'a [u8], Malformed>> {
        self.at = self.text.len();
        Some(Err(Malformed { what, offset }))
    }
}

impl<'a> Iterator for Forms<'a> {
    type Item = Result<&'a [u8], Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut depth = 0usize;
        let mut start = self.at;
        while self.at < self.text.len() {
            let here = self.at;
            let Some(end) = lexeme_end(self.text, here) else {
                return self.stop("unterminated literal", here);
            };
            self.at = end;
            match self.text[here] {
                b'(' => {
                    if depth == 0 {
                        start = here;
                    }
                    depth += 1;
                }
                b')' if depth == 0 => return self.stop("unmatched `)`", here),
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(Ok(&self.text[start..end]));
                    }
                }
                b';' | b' ' | b'\t' | b'\r' | b'\n' => {}
                _ if depth == 0 => return self.stop("text outside parentheses", here),
                _ => {}
            }
        }
        if depth > 0 { self.stop("unclosed `(`", start) } else { None }
    }
}

/// Atoms of a form in order, parentheses, blanks and comments left out.
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Tokens { text, at: 0 }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        while self.at < self.text.len() {
            let here = self.at;
            self.at = lexeme_end(self.text, here).unwrap_or(self.text.len());
            if !matches!(self.text[here], b'(' | b')' | b';' | b' ' | b'\t' | b'\r' | b'\n') {
                return Some(&self.text[here..self.at]);
            }
        }
        None
    }
}

/// Where the lexeme that begins at `at` ends; `None` if a string or quoted symbol is never closed.
fn lexeme_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at + 1..];
    let until = |stop: u8| rest.iter().position(|b| *b == stop).map(|n| at + 2 + n);
    match text[at] {
        b';' => Some(until(b'\n').unwrap_or(text.len())),
        b'|' => until(b'|'),
        // A doubled quote inside a string reads as two adjacent strings here, which ends at the same place.
        b'"' => until(b'"'),
        b'(' | b')' | b' ' | b'\t' | b'\r' | b'\n' => Some(at + 1),
        _ => {
            let ends = |b: &u8| matches!(b, b'(' | b')' | b';' | b'"' | b'|' | b' ' | b'\t' | b'\r' | b'\n');
            Some(rest.iter().position(ends).map_or(text.len(), |n| at + 1 + n))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_belong_to_the_check_sat_that_follows() {
        let text =
            b"; EXPECT: sat\n;  note\n(set-logic QF_LIA)(set-info :status sat)(check-sat)(check-sat)\n\
                     (set-info :status unsat) (push 1) (check-sat-assuming (p)) (exit) (check-sat)";
        let outline = Outline::of(text).unwrap();
        assert_eq!(outline.logic.as_deref(), Some("QF_LIA"));
        assert_eq!(outline.checks, [Some(Status::Sat), None, Some(Status::Unsat)]);
        assert_eq!(outline.header, ["EXPECT: sat", "note"]);
        assert_eq!(outline.expectations(), [Status::Sat]);
    }

    #[test]
    fn parentheses_in_literals_and_comments_do_not_count() {
        let text = br#"(assert (= |a)(| "(""(" )) ; ))
            (check-sat)"#;
        assert_eq!(Forms::new(text).filter_map(Result::ok).count(), 2);
        assert_eq!(Outline::of(text).unwrap().checks.len(), 1);
    }

    #[test]
    fn unbalanced_text_is_refused_with_its_place() {
        assert_eq!(Outline::of(b"(check-sat").unwrap_err(), Malformed { what: "unclosed `(`", offset: 0 });
        assert_eq!(Outline::of(b"(check-sat))").unwrap_err().offset, 11);
        assert_eq!(Outline::of(b"(echo \"x)").unwrap_err().what, "unterminated literal");
        assert_eq!(Outline::of(b"sat (check-sat)").unwrap_err().what, "text outside parentheses");
    }

    #[test]
    fn a_million_nested_parentheses_are_no_trouble() {
        let mut text = vec![b'('; 1_000_000];
        text.extend(vec![b')'; 1_000_000]);
        assert_eq!(Forms::new(&text).filter_map(Result::ok).count(), 1);
    }
}
