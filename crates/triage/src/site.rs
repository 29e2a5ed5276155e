//! The site of a crash: what two crashes must have in common to be one bug.
//!
//! The innermost functions of the stack if they are known, else the file and line of a failed assertion, else the
//! message without the parts that change from run to run, else only the signal.

use serde::{Deserialize, Serialize};
use solver::{Ended, Reply};

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// A text for messages and signatures; the same for every run of the same bug.
    pub name: String,
    pub signal: Option<i32>,
}

impl Site {
    /// The site of a crash; `None` if the run did not crash.
    pub fn of(ended: &Ended) -> Option<Site> {
        match ended {
            Ended::Crash { signal, message, .. } => {
                Some(Site { name: crash_site(message, *signal), signal: *signal })
            }
            _ => None,
        }
    }

    /// Whether it consists of the functions in which it happened.
    pub fn is_stack(&self) -> bool {
        is_stack(&self.name)
    }

    /// Whether it does not say where the crash happened.
    pub fn is_placeless(&self) -> bool {
        self.name == "crash" || self.name.starts_with("signal ")
    }

    /// Whether a reply died at this site. If the stack was not examined, the signal must match.
    pub fn is_where(&self, reply: &Reply) -> bool {
        let Some(now) = Site::of(&reply.ended) else { return false };
        let only_signal = self.is_placeless() || (self.is_stack() && !now.is_stack());
        if only_signal { now.signal == self.signal } else { now.name == self.name }
    }
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// Where a crash happened, as far as its message says.
pub fn crash_site(message: &str, signal: Option<i32>) -> String {
    let lines = || message.lines().map(str::trim).filter(|line| !line.is_empty());
    if let Some(place) = lines().find(|line| is_stack(line)) {
        return place.to_owned();
    }
    if let Some(site) = lines().find_map(solver::file_and_line) {
        return site;
    }
    let text = lines().next().map(normalised).unwrap_or_default();
    match (text.is_empty(), signal) {
        (true, Some(signal)) => format!("signal {signal}"),
        (true, None) => "crash".into(),
        (false, _) => text,
    }
}

fn is_stack(site: &str) -> bool {
    site.starts_with(solver::PLACE)
}

/// A message without addresses, numbers and quoted names.
pub fn normalised(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = after_quoted(&out, rest) {
            out.push('#');
            rest = after;
        } else if let Some(hex) = rest.strip_prefix("0x") {
            out.push('#');
            rest = hex.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        } else if c.is_ascii_digit() {
            out.push('#');
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out.truncate(out.char_indices().nth(160).map_or(out.len(), |(at, _)| at));
    out
}

/// The rest after a quoted name, if one begins here. An apostrophe inside a word does not begin one.
fn after_quoted<'a>(before: &str, rest: &'a str) -> Option<&'a str> {
    let open = rest.chars().next().filter(|c| "'`\"".contains(*c))?;
    let close = if open == '`' { &['`', '\''][..] } else { std::slice::from_ref(&open) };
    let (_, after) = rest[1..].split_once(close)?;
    let in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    (!in_word(before.chars().last()) && !in_word(after.chars().next())).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_identified_by_its_file_and_line_wherever_it_was_built() {
        let a =
            crash_site("Fatal failure within f() at /home/a/cvc5/src/theory/x.cpp:17\nCheck failed", None);
        let b = crash_site("Fatal failure within f() at ../src/theory/x.cpp:17", Some(6));
        assert_eq!((a.as_str(), b.as_str()), ("x.cpp:17", "x.cpp:17"));
    }

    #[test]
    fn a_crash_without_a_site_is_identified_by_its_message_without_numbers() {
        assert_eq!(crash_site("bad index 17 at 0x7ffe12", None), crash_site("bad index 4 at 0xdead", None));
        assert_eq!(crash_site("no sort 'U'", None), crash_site("no sort 'V'", None));
        assert_ne!(crash_site("it doesn't end", None), crash_site("it doesn't begin", None));
        assert_eq!(crash_site("", Some(11)), "signal 11");
    }
}
