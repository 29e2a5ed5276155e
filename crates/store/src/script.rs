//! `run.sh`: reproduces a finding for a person who has the solvers but not falsum.
//!
//! Whatever a target's name or path contains, it is passed to the shell in single quotes or not at all.

use oracle::Accusation;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// How one target was called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    pub target: String,
    /// Program and arguments; the argument `{file}` is replaced by the formula.
    pub argv: Vec<String>,
    /// Whether the formula goes to its standard input.
    pub stdin: bool,
    /// The time limit in seconds, then and in the script.
    pub seconds: u64,
}

/// The placeholder for the formula.
const FILE: &str = "{file}";

pub(crate) fn run_sh(finding: &Accusation, commands: &[Invocation]) -> String {
    let mut text = String::from("#!/bin/sh\n");
    let who = finding.culprit.as_deref().unwrap_or("a solver");
    let _ = writeln!(text, "# {}: {} {}.", finding.kind.word(), one_line(who), finding.kind.meaning());
    if let Some(sat) = finding.truth {
        let right = if sat { "sat" } else { "unsat" };
        let _ = writeln!(text, "# The right answer to check-sat number {} is {right}.", finding.at.check + 1);
    }
    for evidence in &finding.evidence {
        let (by, detail) = (one_line(&evidence.by), one_line(&evidence.detail));
        let _ = writeln!(text, "# Evidence ({}, by {by}): {detail}", evidence.kind.word());
    }
    text.push_str(
        "# Runs every solver on bug.smt2 (reduced, with the options and requests that it needs), on formula.smt2 if\n\
         # there is none, or on the file given as argument.\n",
    );
    text.push_str("here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd)\nfile=\"$here/formula.smt2\"\n");
    text.push_str("if [ -f \"$here/bug.smt2\" ]; then file=\"$here/bug.smt2\"; fi\n");
    text.push_str("if [ $# -gt 0 ]; then file=$1; fi\n");
    for command in commands {
        let _ = write!(text, "\nprintf '%s\\n' {}\n", quoted(&format!("== {}", command.target)));
        text.push_str(&line(command));
        text.push_str("\necho \"(exit code $?)\"\n");
    }
    text
}

fn line(command: &Invocation) -> String {
    let mut words = Vec::new();
    if command.seconds > 0 {
        words.push(format!("timeout {}", command.seconds));
    }
    words.extend(command.argv.iter().map(|argument| match argument.as_str() {
        FILE => "\"$file\"".to_owned(),
        argument => quoted(argument),
    }));
    if command.stdin {
        words.push("< \"$file\"".to_owned());
    }
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@".contains(c);
    if !word.is_empty() && word.chars().all(simple) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Text for a comment: no line ends and no control characters, so that it cannot end the comment.
fn one_line(text: &str) -> String {
    let cut: String = text.chars().take(500).collect();
    cut.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oracle::{Evidence, EvidenceKind, FindingKind};
    use std::process::Command;

    #[test]
    fn hostile_names_do_not_reach_the_shell() {
        let dir = tempfile::tempdir().expect("a folder");
        let finding = Accusation {
            kind: FindingKind::Crash,
            culprit: Some("x\ntouch owned1".into()),
            evidence: vec![Evidence::new(EvidenceKind::Exit, "$(touch owned2)", "a\r\ntouch owned3")],
            at: strategy::At { question: 0, check: 0 },
            truth: None,
        };
        let command = Invocation {
            target: "'; touch owned4; '".into(),
            argv: vec!["echo".into(), "$(touch owned5)".into(), "a'b".into(), "{file}".into()],
            ..Invocation::default()
        };
        std::fs::write(dir.path().join("run.sh"), run_sh(&finding, &[command])).expect("written");
        let run =
            Command::new("sh").arg("run.sh").arg("-rf.smt2").current_dir(dir.path()).output().expect("runs");
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        assert_eq!(said, "== '; touch owned4; '\n$(touch owned5) a'b -rf.smt2\n(exit code 0)\n");
        assert_eq!(std::fs::read_dir(dir.path()).expect("listed").count(), 1, "nothing but run.sh");
    }
}
