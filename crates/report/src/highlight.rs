//! A formula with its parts marked for the page: commands, literals, comments.
//!
//! In: a script as text, possibly damaged. Out: pieces in order, which together are the text again. It only looks at
//! characters and never fails.

/// What a piece of a script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The word after an opening parenthesis at the beginning of a command.
    Command,
    /// A number, a string, a bit-vector.
    Literal,
    Comment,
    Other,
}

impl Piece {
    /// The class in the style sheet.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Piece::Command => "c",
            Piece::Literal => "l",
            Piece::Comment => "n",
            Piece::Other => "",
        }
    }
}

/// The pieces of a script.
pub(crate) fn pieces(text: &str) -> Vec<(Piece, &str)> {
    let mut out: Vec<(Piece, &str)> = vec![];
    let (mut rest, mut depth, mut before) = (text, 0usize, ' ');
    while let Some(first) = rest.chars().next() {
        let (piece, length) = match first {
            ';' => (Piece::Comment, rest.find('\n').unwrap_or(rest.len())),
            '"' => (Piece::Literal, quoted(rest, '"')),
            '|' => (Piece::Other, quoted(rest, '|')),
            '#' => (Piece::Literal, word(&rest[1..]) + 1),
            '0'..='9' if !is_word(before) => (Piece::Literal, word(rest)),
            c if is_word(c) && depth == 1 && before == '(' => (Piece::Command, word(rest)),
            c if is_word(c) => (Piece::Other, word(rest)),
            c => (Piece::Other, c.len_utf8()),
        };
        match first {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let (part, after) = rest.split_at(length);
        before = part.chars().next_back().unwrap_or(' ');
        match out.last_mut() {
            Some((last, joined)) if *last == piece && piece == Piece::Other => {
                let start = joined.as_ptr() as usize - text.as_ptr() as usize;
                *joined = &text[start..start + joined.len() + part.len()];
            }
            _ => out.push((piece, part)),
        }
        rest = after;
    }
    out
}

fn is_word(c: char) -> bool {
    !c.is_whitespace() && !"()\"|;".contains(c)
}

/// The length of the word at the beginning.
fn word(text: &str) -> usize {
    text.find(|c: char| !is_word(c)).unwrap_or(text.len())
}

/// The length of a quoted text, with its quotes; to the end if it is not closed.
fn quoted(text: &str, quote: char) -> usize {
    text[1..].find(quote).map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_literals_and_comments_are_marked_and_nothing_is_lost() {
        let text = "; why\n(assert (= x1 \"a;b\" #x0f 12 |assert (|))\n(check-sat)";
        let all = pieces(text);
        assert_eq!(all.iter().map(|(_, part)| *part).collect::<String>(), text);
        let of = |piece| all.iter().filter(|(p, _)| *p == piece).map(|(_, part)| *part).collect::<Vec<_>>();
        assert_eq!(of(Piece::Command), ["assert", "check-sat"]);
        assert_eq!(of(Piece::Literal), ["\"a;b\"", "#x0f", "12"]);
        assert_eq!(of(Piece::Comment), ["; why"]);
        for damaged in ["(", "\"", "|", "#", ")))", "(assert \"", "é(ü"] {
            assert_eq!(pieces(damaged).iter().map(|(_, part)| *part).collect::<String>(), damaged);
        }
    }
}
