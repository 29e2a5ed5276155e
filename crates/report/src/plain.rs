//! Text of solvers and formulas, escaped for each place where it is shown.
//!
//! A formula may hold any byte. Control characters never reach a terminal or an XML parser; Markdown gets a fence
//! longer than any run of backquotes inside; the shell gets single quotes.

/// One line without control characters, cut after `most` characters.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut out: String =
        text.chars().take(most).map(|c| if is_unsafe(c) { ' ' } else { c }).collect::<String>();
    if text.chars().nth(most).is_some() {
        out.push('…');
    }
    out.trim().to_owned()
}

/// Several lines without other control characters, which a terminal would interpret.
pub fn lines(text: &str) -> String {
    let show = |c: char| if is_unsafe(c) && c != '\n' && c != '\t' { '\u{FFFD}' } else { c };
    text.replace("\r\n", "\n").chars().map(show).collect()
}

/// Control characters, the two code points that XML forbids, and those that change the direction of writing.
fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A fenced block of Markdown that the text cannot close.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let text = lines(text);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// A code span of Markdown that the text cannot close.
pub(crate) fn code(text: &str) -> String {
    let text = line(text, 400);
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Untrusted text in a paragraph or a table of Markdown: it cannot make a link, a tag, a mention or a column.
pub(crate) fn prose(text: &str) -> String {
    let mut out = String::new();
    for c in line(text, 2_000).chars() {
        if "\\`*_[]<>|#@&~".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text and attribute values of XML.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in lines(text).chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&apos;",
            c => out.push(c),
        }
    }
    out
}

/// A word of a shell command.
pub(crate) fn shell(word: &str) -> String {
    smtlib::shown::word(word)
}

/// `1402` → `1,402`.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 hit`, `2 hits`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_the_place_where_it_is_shown() {
        assert_eq!(line("a\u{1b}[31m\nb", 100), "a [31m b");
        assert_eq!(line("abc", 2), "ab…");
        assert_eq!(lines("a\u{1b}[2Jb\r\nc\u{202e}d\u{9b}1m"), "a\u{FFFD}[2Jb\nc\u{FFFD}d\u{FFFD}1m");
        assert_eq!(fenced("smt2", "a\n```\nb\n"), "````smt2\na\n```\nb\n````\n");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(prose("<b> [x](y) @who"), r"\<b\> \[x\](y) \@who");
        assert_eq!(xml("<a b=\"\u{1}&\">"), "&lt;a b=&quot;\u{FFFD}&amp;&quot;&gt;");
        assert_eq!(shell("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(
            (thousands(999), thousands(1_402), thousands(1_234_567)),
            ("999".into(), "1,402".into(), "1,234,567".into())
        );
    }
}
