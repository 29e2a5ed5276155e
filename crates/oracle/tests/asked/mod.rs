//! Many scripts run on a solver in as few processes as possible: for tests that compare thousands of answers.
#![allow(dead_code, clippy::unwrap_used, reason = "a part of the tests; each file uses some of it")]

use run::Input;

/// A solver and what a script for it must begin with; options do not survive a reset.
pub struct Asked {
    pub name: &'static str,
    pub program: run::Spec,
    pub preamble: &'static str,
}

/// How every script begins.
pub const LOGIC: &str = "(set-logic ALL)\n";

impl Asked {
    /// The answers to many scripts, in as few processes as are needed.
    pub fn answers(&self, scoped: bool, scripts: &[String]) -> Vec<String> {
        let mut answers = vec![];
        while answers.len() < scripts.len() {
            let rest = &scripts[answers.len()..];
            let told = self.one_process(rest, scoped && scripts.len() > 1);
            let died = told.len() < rest.len() && !told.last().is_some_and(|a| a.starts_with("(error"));
            answers.extend(told);
            if died {
                answers.push("silence".to_owned());
            }
        }
        answers
    }

    /// The answers to the first of these scripts: to all of them, unless the process ended before.
    fn one_process(&self, scripts: &[String], scoped: bool) -> Vec<String> {
        let input = self.session(scripts, scoped);
        let outcome = run::once(&self.program, Input::Bytes(input.as_bytes())).unwrap();
        let text = outcome.stdout.text();
        let mut answers = vec![];
        let mut current = "silence".to_owned();
        for line in text.lines() {
            let plain = line.trim_matches('"');
            if plain.strip_prefix("end ").is_some_and(|n| n.parse() == Ok(answers.len())) {
                answers.push(std::mem::replace(&mut current, "silence".to_owned()));
                // What comes after an error in the same process is void (docs/guarantees/brute.md).
                if answers.last().is_some_and(|answer| answer.starts_with("(error")) {
                    break;
                }
            } else if line.starts_with("(error") || current == "silence" {
                current = line.to_owned();
            }
        }
        answers
    }

    /// The input of one process.
    pub fn session(&self, scripts: &[String], scoped: bool) -> String {
        let mut input = if scoped { format!("{}{LOGIC}", self.preamble) } else { String::new() };
        for (n, script) in scripts.iter().enumerate() {
            let end = format!("(echo \"end {n}\")\n");
            input += &match script.strip_prefix(LOGIC) {
                Some(rest) if scoped => format!("(push 1)\n{rest}(pop 1)\n{end}"),
                _ => format!("{}{script}(reset)\n{end}", self.preamble),
            };
        }
        input
    }
}
