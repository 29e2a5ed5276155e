//! The site of a crash: what two crashes must have in common to be one bug.
//!
//! The innermost functions of the stack if they are known, else the file and line of a failed assertion, else the
//! message without the parts that change from run to run, else only the signal.
//!
//! *Memory corruption* is the exception. If the allocator finds its lists damaged, or if a pointer is used that is neither
//! null nor valid, the mistake was made earlier and elsewhere; where it is noticed depends on what happens to lie in
//! memory. One such bug has a new place for every formula (six of z3's popped special relations). So the place is shown
//! and not compared: any fault of memory may be the same bug, and what identifies it is its trigger (`signature`).

use serde::{Deserialize, Serialize};
use solver::{Ended, Reply};

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// A text for messages and signatures; the same for every run of the same bug.
    pub name: String,
    pub signal: Option<i32>,
    /// It was noticed here that memory is corrupt.
    #[serde(default)]
    pub corruption: bool,
}

/// How messages of glibc's allocator and of its stack protector begin.
const ALLOCATOR: [&str; 12] = [
    "malloc()",
    "malloc_consolidate()",
    "calloc()",
    "realloc()",
    "free()",
    "munmap_chunk()",
    "mremap_chunk()",
    "double free or corruption",
    "corrupted size vs. prev_size",
    "corrupted double-linked list",
    "break adjusted to free malloc space",
    "*** stack smashing detected ***",
];

/// Signals of a fault of memory: SIGBUS, SIGSEGV.
const FAULTS: [i32; 2] = [7, 11];

impl Site {
    /// The site of a crash; `None` if the run did not crash.
    pub fn of(ended: &Ended) -> Option<Site> {
        match ended {
            Ended::Crash { signal, message, .. } => {
                let (name, signal) = (crash_site(message, *signal), *signal);
                let wild = || message.lines().any(|line| is_stack(line) && line.ends_with(solver::WILD));
                Some(Site { corruption: is_of_allocator(&name) || wild(), name, signal })
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

    /// Whether it is a fault of memory, which corruption may have caused. An endless recursion is none.
    pub fn is_memory_fault(&self) -> bool {
        let fault = self.signal.is_some_and(|signal| FAULTS.contains(&signal));
        let plain = self.is_placeless() || (self.is_stack() && !self.name.contains("endless recursion"));
        self.corruption || (fault && plain)
    }

    /// Whether a reply died at this site. If the stack was not examined, the signal must match. Corruption shows at any
    /// place.
    pub fn is_where(&self, reply: &Reply) -> bool {
        let Some(now) = Site::of(&reply.ended) else { return false };
        if self.corruption && now.is_memory_fault() {
            return true;
        }
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
        return place.strip_suffix(solver::WILD).unwrap_or(place).to_owned();
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

fn is_of_allocator(message: &str) -> bool {
    ALLOCATOR.iter().any(|beginning| message.starts_with(beginning))
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
    fn corrupt_memory_shows_at_any_place_and_other_crashes_only_at_theirs() {
        let reply = |signal, message: &str| {
            let ended = Ended::Crash { signal: Some(signal), message: message.into(), wrapped: false };
            Reply { ended, ..Reply::default() }
        };
        let at = |signal, message| Site::of(&reply(signal, message).ended).unwrap();
        let freed = at(6, "double free or corruption (!prev)");
        let wild = at(11, "inside f, from g (wild pointer)");
        let null = at(11, "inside f, from g");
        assert_eq!((freed.corruption, wild.corruption, null.corruption), (true, true, false));
        assert_eq!(wild.name, null.name, "the place itself is the same");
        for corrupt in [&freed, &wild] {
            assert!(corrupt.is_where(&reply(6, "malloc(): invalid size (unsorted)")));
            assert!(corrupt.is_where(&reply(11, "inside h, from g")));
            assert!(corrupt.is_where(&reply(11, "")), "its stack was not examined");
            assert!(!corrupt.is_where(&reply(6, "assertion failed at x.cpp:3")));
            assert!(!corrupt.is_where(&reply(8, "")), "a division by zero");
            assert!(!corrupt.is_where(&reply(11, "inside endless recursion of f, g")));
        }
        assert!(!null.is_where(&reply(11, "inside h, from g (wild pointer)")));
        assert!(null.is_where(&reply(11, "inside f, from g (wild pointer)")));
    }

    #[test]
    fn a_crash_without_a_site_is_identified_by_its_message_without_numbers() {
        assert_eq!(crash_site("bad index 17 at 0x7ffe12", None), crash_site("bad index 4 at 0xdead", None));
        assert_eq!(crash_site("no sort 'U'", None), crash_site("no sort 'V'", None));
        assert_ne!(crash_site("it doesn't end", None), crash_site("it doesn't begin", None));
        assert_eq!(crash_site("", Some(11)), "signal 11");
    }
}
