//! Decides how a run ended, from the wait status, the limits, the messages and the reading, in that order.
//!
//! In: what `run` observed, what `reading` found, and the profile's message patterns. Out: one [`Ended`]. Why it ended
//! is not the same as how it exited: a solver that we killed at a limit did not crash, and a kill from outside says
//! nothing about the solver. Patterns are only searched in standard error, stray lines and error messages, so a model
//! value that contains "Exception" is just a value.
//!
//! Some messages mean a crash from any program, even after an answer: those of the `generic` profile and those of
//! sanitizers. Developers test builds with sanitizers; some of these let the solver continue and answer, and a report
//! may be truncated before its summary. A memory leak at the end is not a crash.

use crate::answer::Ended;
use crate::profile::{Messages, Profile};
use crate::reading::Reading;
use run::{Exit, Outcome, Why};

/// What decides how a run ended.
pub(crate) struct Facts<'a> {
    pub outcome: Option<&'a Outcome>,
    pub stderr: &'a [u8],
    pub reading: &'a Reading,
    pub messages: &'a Messages,
}

/// How it ended.
pub(crate) fn ended(facts: &Facts<'_>) -> Ended {
    if let Some(ended) = facts.outcome.and_then(limit) {
        return ended;
    }
    let lines = Lines::of(facts);
    if lines.is_short_of_memory() {
        return Ended::Memory;
    }
    // Some builds abort when they meet a feature they lack: not a crash to report.
    if let Some(message) = lines.find(&facts.messages.lacking) {
        return Ended::Unsupported(message);
    }
    if let Some(ended) = facts.outcome.and_then(|o| signal(o, &lines, facts.messages)) {
        return ended;
    }
    let said = |patterns: &[String]| lines.find(patterns);
    let messages = facts.messages;
    if let Some(message) = lines.confession(messages) {
        return Ended::Crash { signal: None, message, wrapped: false };
    }
    let missing = facts.reading.checks.iter().any(|c| c.answer.is_none());
    if missing && said(&messages.memory).is_some() {
        return Ended::Memory;
    }
    if let Some(message) = lines.usage(facts) {
        return Ended::Error(message);
    }
    if missing && facts.reading.taint.is_none() && said(&messages.time).is_some() {
        return Ended::Wall;
    }
    if let Some(message) = &facts.reading.taint {
        return refusal(message, messages);
    }
    if let Some(trouble) = &facts.reading.trouble {
        return without_answers(facts, &lines, trouble);
    }
    if facts.reading.unfinished {
        return Ended::Protocol("the output stops in the middle of a response".into());
    }
    Ended::ByItself
}

fn limit(outcome: &Outcome) -> Option<Ended> {
    match outcome.why {
        Why::ByItself => None,
        Why::Wall => Some(Ended::Wall),
        Why::Cpu => Some(Ended::Cpu),
        Why::Memory => Some(Ended::Memory),
        Why::Output => {
            Some(Ended::Flood(format!("{} bytes of output", outcome.stdout.total + outcome.stderr.total)))
        }
        Why::Processes => Some(Ended::Flood("too many processes".into())),
        Why::Cancelled => Some(Ended::Cancelled),
    }
}

fn signal(outcome: &Outcome, lines: &Lines<'_>, messages: &Messages) -> Option<Ended> {
    let message = || lines.confession(messages).or_else(|| lines.last_words()).unwrap_or_default();
    if outcome.killed_from_outside() {
        // A solver that runs out of memory often kills itself in a way that looks like this.
        let out_of_memory = lines.find(&messages.memory).is_some();
        let signal = match outcome.exit {
            Exit::Signal(n) => n,
            _ => outcome.wrapper_signal.unwrap_or(0),
        };
        return Some(if out_of_memory { Ended::Memory } else { Ended::Killed { signal } });
    }
    if let Some(signal) = outcome.crash_signal() {
        if lines.sanitizer().is_none()
            && lines.find(&messages.assertion).is_none()
            && lines.find(&messages.memory).is_some()
        {
            return Some(Ended::Memory);
        }
        return Some(Ended::Crash { signal: Some(signal), message: message(), wrapped: false });
    }
    let wrapped = outcome.wrapper_signal.filter(|s| CRASHES.contains(s))?;
    Some(Ended::Crash { signal: Some(wrapped), message: message(), wrapped: true })
}

/// Signals that mean a crash when a wrapper's exit code names them: QUIT, ILL, TRAP, ABRT, BUS, FPE, SEGV, SYS.
const CRASHES: [i32; 8] = [3, 4, 5, 6, 7, 8, 11, 31];

fn refusal(message: &str, messages: &Messages) -> Ended {
    let lacks = message == "unsupported" || messages.unsupported.iter().any(|p| message.contains(p.as_str()));
    if lacks { Ended::Unsupported(message.to_owned()) } else { Ended::Error(message.to_owned()) }
}

/// Output and plan do not match; a message on standard error or an exit code may say why.
fn without_answers(facts: &Facts<'_>, lines: &Lines<'_>, trouble: &str) -> Ended {
    if let Some(message) = lines.find(&facts.messages.unsupported) {
        return Ended::Unsupported(message);
    }
    let nothing = facts.reading.checks.iter().all(|c| c.answer.is_none() && c.void.is_none());
    match facts.outcome.map(|o| o.exit) {
        Some(Exit::Code(code)) if code != 0 && nothing => {
            Ended::Error(lines.last().unwrap_or_else(|| format!("exit code {code} without a message")))
        }
        _ => Ended::Protocol(trouble.to_owned()),
    }
}

/// The lines in which messages are searched.
struct Lines<'a> {
    /// First the messages about commands, then standard error and stray output.
    texts: Vec<std::borrow::Cow<'a, str>>,
    errors: usize,
}

impl<'a> Lines<'a> {
    fn of(facts: &Facts<'a>) -> Lines<'a> {
        let errors = facts.reading.errors.iter().map(|e| e.as_str().into());
        let texts = [facts.stderr, &facts.reading.stray].map(String::from_utf8_lossy);
        Lines { texts: errors.chain(texts).collect(), errors: facts.reading.errors.len() }
    }

    /// The first line that contains one of the patterns. z3 prints the place of an assertion in separate lines (`File:`
    /// and `Line:`), which are appended to it.
    fn find(&self, patterns: &[String]) -> Option<String> {
        let mut lines = self.texts.iter().flat_map(|t| t.lines()).map(str::trim);
        let hit = lines.find(|line| patterns.iter().any(|p| line.contains(p.as_str())))?;
        let place = (lines.next().and_then(|l| l.strip_prefix("File: ")))
            .zip(lines.next().and_then(|l| l.strip_prefix("Line: ")));
        Some(match place {
            Some((file, line)) => format!("{hit} {file}:{line}"),
            None => hit.to_owned(),
        })
    }

    /// The solver, or a sanitizer in it, reports that it is broken.
    fn confession(&self, messages: &Messages) -> Option<String> {
        let known = || self.find(&messages.assertion).or_else(|| self.find(&messages.crash));
        self.sanitizer().or_else(known).or_else(|| self.crash_of_any_solver())
    }

    /// Messages that mean a crash from any program: the crash patterns of the `generic` profile, outside messages about
    /// commands.
    fn crash_of_any_solver(&self) -> Option<String> {
        let generic = Profile::named("generic");
        let mut lines = self.texts[self.errors..].iter().flat_map(|text| text.lines()).map(str::trim);
        lines.find(|line| generic.messages.crash.iter().any(|word| line.contains(word))).map(str::to_owned)
    }

    /// A complaint about the command line, in place of any answer. What follows it may be the list of all options, in
    /// which every word can occur.
    fn usage(&self, facts: &Facts<'_>) -> Option<String> {
        let failed = matches!(facts.outcome?.exit, Exit::Code(code) if code != 0);
        let silent = facts.reading.checks.iter().all(|check| check.answer.is_none());
        let mut lines = self.texts[self.errors..].iter().flat_map(|text| text.lines()).map(str::trim);
        let complains = |line: &&str| facts.messages.usage.iter().any(|words| line.contains(words.as_str()));
        lines.find(complains).filter(|_| failed && silent).map(str::to_owned)
    }

    /// The message of a sanitizer where a plain build throws `bad_alloc`.
    fn is_short_of_memory(&self) -> bool {
        let words = [
            "Sanitizer: out-of-memory",
            "Sanitizer: allocation-size-too-big",
            "Sanitizer: rss-limit-exceeded",
        ];
        let mut lines = self.texts[self.errors..].iter().flat_map(|text| text.lines());
        lines.any(|line| words.iter().any(|word| line.contains(word)))
    }

    /// `SUMMARY: AddressSanitizer: heap-use-after-free ast.cpp:3 in f`, or UBSan's `ast.cpp:3:5: runtime error: …`, or
    /// how a report begins whose summary is missing: `==7==ERROR: AddressSanitizer: heap-use-after-free on address …`.
    fn sanitizer(&self) -> Option<String> {
        let lines = || self.texts[self.errors..].iter().flat_map(|t| t.lines()).map(str::trim);
        let other = [
            " leaked in ",
            " out-of-memory",
            " allocation-size-too-big",
            " rss-limit-exceeded",
            "detected memory leaks",
        ];
        let says =
            |line: &&str| line.contains("Sanitizer: ") && !other.iter().any(|word| line.contains(word));
        let summary = lines().filter_map(|line| line.strip_prefix("SUMMARY: ")).find(says);
        let undefined = || lines().find(|line| line.contains(": runtime error: "));
        let opening = || lines().filter(|line| line.starts_with("==")).filter(says).find_map(what_is_wrong);
        summary.or_else(undefined).or_else(opening).map(str::to_owned)
    }

    /// The last message of a solver before it crashed. A rejection of a command or a warning about it does not describe
    /// the crash: in a signature it would split one bug into several.
    fn last_words(&self) -> Option<String> {
        let mut lines = self.texts[self.errors..].iter().flat_map(|t| t.lines()).map(str::trim);
        let about_the_end =
            |line: &&str| !line.is_empty() && !line.starts_with(';') && *line != "unsupported";
        lines.rfind(about_the_end).map(str::to_owned)
    }

    fn last(&self) -> Option<String> {
        let mut lines = self.texts.iter().flat_map(|t| t.lines()).map(str::trim).filter(|l| !l.is_empty());
        lines.next_back().map(str::to_owned)
    }
}

/// The part of `==7==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x1)` that is the same in every run.
fn what_is_wrong(opening: &str) -> Option<&str> {
    let said = opening.split_once("ERROR: ").or_else(|| opening.split_once("WARNING: "))?.1;
    let end = [" on ", " (", ": attempting", " 0x"].iter().filter_map(|word| said.find(word)).min();
    Some(said[..end.unwrap_or(said.len())].trim())
}

/// `../src/smt/theory_seq.cpp:123` anywhere in a line, without the folders.
pub fn file_and_line(line: &str) -> Option<String> {
    const ENDINGS: [&str; 6] = [".cpp", ".cc", ".h", ".hpp", ".c", ".rs"];
    let words = line.split(|c: char| c.is_whitespace() || "()'\",".contains(c));
    for word in words {
        let Some((file, rest)) = word.split_once(':') else { continue };
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if ENDINGS.iter().any(|ending| file.ends_with(ending)) && !digits.is_empty() {
            let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
            return Some(format!("{name}:{digits}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sanitizer_reports_of_any_solver_mean_a_crash_except_leaks() {
        let heard =
            |said: &str| Lines { texts: vec![said.into()], errors: 0 }.confession(&Messages::default());
        let report = "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x604 at pc 0x55\n    #0 0x55 in bar \
                      a.cpp:3\n\nSUMMARY: AddressSanitizer: heap-use-after-free /src/a.cpp:3 in bar\n==7==ABORTING";
        assert_eq!(
            heard(report).as_deref(),
            Some("AddressSanitizer: heap-use-after-free /src/a.cpp:3 in bar")
        );
        let undefined = "a.cpp:4:7: runtime error: signed integer overflow: 1 + 2 cannot be represented";
        assert_eq!(heard(&format!("sat\n{undefined}\n")).as_deref(), Some(undefined));
        let cut_short = "sat\n==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000 (pc 0x55 bp 0x7f)\n    #0 0x55 in f";
        assert_eq!(heard(cut_short).as_deref(), Some("AddressSanitizer: SEGV"));
        let uninitialised = "==9==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x55 in f";
        assert_eq!(heard(uninitialised).as_deref(), Some("MemorySanitizer: use-of-uninitialized-value"));
        let leak_cut_short = "==8==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 40 byte(s)";
        assert_eq!(heard(leak_cut_short), None);
        let leak = "==8==ERROR: LeakSanitizer: detected memory leaks\nSUMMARY: AddressSanitizer: 40 byte(s) leaked in 1 \
                    allocation(s).";
        assert_eq!(heard(leak), None);
    }

    #[test]
    fn some_messages_mean_a_crash_from_any_solver() {
        for solver in crate::profile::Profiles::embedded().iter() {
            for said in ["CVC4 suffered a segfault.", "cvc5 suffered a segfault.", "Segmentation fault"] {
                let lines = Lines { texts: vec![format!("Looks odd\n{said}\n").into()], errors: 0 };
                assert_eq!(lines.confession(&solver.messages).as_deref(), Some(said), "{}", solver.name);
            }
        }
        // A message about a command is not about the solver itself.
        let about = Lines { texts: vec!["unknown constant stack overflow".into()], errors: 1 };
        assert_eq!(about.confession(&Messages::default()), None);
    }

    #[test]
    fn an_assertion_of_z3_is_reported_with_its_place() {
        let said = "ASSERTION VIOLATION\nFile: ../src/ast/ast.cpp\nLine: 1234\nis_app(e)\n";
        let lines = Lines { texts: vec![said.into()], errors: 0 };
        let found = lines.find(&["ASSERTION VIOLATION".to_owned()]);
        assert_eq!(found.as_deref(), Some("ASSERTION VIOLATION ../src/ast/ast.cpp:1234"));
        let lines = Lines { texts: vec!["ASSERTION VIOLATION\nabort".into()], errors: 0 };
        assert_eq!(lines.find(&["VIOLATION".to_owned()]).as_deref(), Some("ASSERTION VIOLATION"));
    }
}
