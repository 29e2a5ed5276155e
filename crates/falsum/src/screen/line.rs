//! A line of the screen: words with a colour, cut at the edge of the terminal.
//!
//! A line that is too long is cut here and not by the terminal, because a wrapped line would be painted over only in part.

/// What a part of a line means, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Strong,
    Dim,
    Wrong,
}

impl Tone {
    fn code(self) -> &'static str {
        match self {
            Tone::Plain => "",
            Tone::Strong => "1",
            Tone::Dim => "2",
            Tone::Wrong => "1;31",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Vec<(Tone, String)>);

impl Tone {
    /// A line with one part.
    pub fn line(self, text: impl Into<String>) -> Line {
        Line(vec![(self, text.into())])
    }
}

impl Line {
    pub fn and(mut self, tone: Tone, text: impl Into<String>) -> Line {
        self.0.push((tone, text.into()));
        self
    }

    /// The text without colour.
    pub fn plain(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// The line for a terminal of this width: at most so many characters, a cut one ends in `…`.
    pub fn shown(&self, width: usize, coloured: bool) -> String {
        let whole = self.plain().chars().count();
        let mut left = if whole > width { width.saturating_sub(1) } else { width };
        let mut out = String::new();
        for (tone, text) in &self.0 {
            let part: String = text.chars().take(left).collect();
            left -= part.chars().count();
            match tone.code() {
                code if coloured && !code.is_empty() && !part.is_empty() => {
                    out += &format!("\x1b[{code}m{part}\x1b[0m");
                }
                _ => out += &part,
            }
        }
        if whole > width {
            out.push('…');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_the_edge_and_colours_do_not_count() {
        let line = Tone::Strong.line("abc").and(Tone::Plain, "def");
        assert_eq!(line.shown(6, false), "abcdef");
        assert_eq!(line.shown(5, false), "abcd…");
        assert_eq!(line.shown(5, true), "\x1b[1mabc\x1b[0md…");
        assert_eq!(line.shown(2, true), "\x1b[1ma\x1b[0m…");
    }
}
