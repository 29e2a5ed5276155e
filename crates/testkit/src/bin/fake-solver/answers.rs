//! The fake solver without misbehaviour: answers by a simple rule and follows push, pop and reset.
//!
//! Answers are flushed when all input so far has been read, so a whole batch costs one write. Overhead is measured
//! against this mode.

use crate::reader::{Commands, elements, head, levels};
use crate::{Options, behave};
use std::io::{BufWriter, Read, Write};
use std::process::ExitCode;

/// The asserted text, by level.
#[derive(Debug)]
pub struct Context {
    levels: Vec<Vec<String>>,
    pub checks: u64,
    pub pushed: bool,
}

impl Default for Context {
    fn default() -> Self {
        Context { levels: vec![Vec::new()], checks: 0, pushed: false }
    }
}

impl Context {
    /// Updates the context for a command.
    pub fn follow(&mut self, command: &str) {
        match head(command) {
            "push" => {
                self.pushed = true;
                self.levels.extend(std::iter::repeat_with(Vec::new).take(levels(command)));
            }
            "pop" => self.levels.truncate(self.levels.len().saturating_sub(levels(command)).max(1)),
            "reset" => *self = Context { checks: self.checks, ..Context::default() },
            "reset-assertions" => self.levels = vec![Vec::new()],
            "check-sat" | "check-sat-assuming" | "check-sat-using" => self.checks += 1,
            "set-option" | "set-info" | "set-logic" | "echo" => {}
            _ => self.levels.last_mut().into_iter().for_each(|l| l.push(command.to_string())),
        }
    }

    /// Whether the text of the context contains `pattern`.
    pub fn holds(&self, pattern: &str) -> bool {
        self.levels.iter().flatten().any(|c| c.contains(pattern))
    }

    /// The bytes that are asserted and declared.
    pub fn size(&self) -> usize {
        self.levels.iter().flatten().map(String::len).sum()
    }
}

/// Runs a script or a session to its end.
pub fn serve(options: &Options, source: Box<dyn Read>) -> ExitCode {
    let mut commands = Commands::new(source);
    let mut out = BufWriter::with_capacity(64 << 10, std::io::stdout());
    let mut context = Context::default();
    loop {
        while let Some(command) = commands.ready() {
            if head(&command) == "exit" {
                let _ = out.flush();
                return ExitCode::SUCCESS;
            }
            context.follow(&command);
            if head(&command).starts_with("check-sat") && options.at_check == Some(context.checks) {
                let _ = out.flush();
                behave::all(&options.behave);
            }
            respond(&command, &context, options, &mut out);
        }
        if out.flush().is_err() || !commands.more() {
            return ExitCode::SUCCESS;
        }
    }
}

fn respond(command: &str, context: &Context, options: &Options, out: &mut impl Write) {
    // If the reader is gone, the next flush reports it.
    let _ = match head(command) {
        "check-sat" | "check-sat-assuming" | "check-sat-using" => {
            let rule = || if context.holds("false") { "unsat" } else { "sat" };
            writeln!(out, "{}", options.answer.as_deref().unwrap_or_else(rule))
        }
        "echo" => writeln!(out, "{}", elements(command).get(1).unwrap_or(&"").trim_matches('"')),
        "get-model" => writeln!(out, "(\n)"),
        "get-unsat-core" | "get-value" | "get-assignment" | "get-unsat-assumptions" => writeln!(out, "()"),
        "get-info" if command.contains(":version") => {
            writeln!(out, "(:version \"{}\")", env!("CARGO_PKG_VERSION"))
        }
        "get-info" if command.contains(":name") => writeln!(out, "(:name \"fake-solver\")"),
        "get-info" if command.contains(":reason-unknown") => writeln!(out, "(:reason-unknown incomplete)"),
        "get-info" | "get-option" | "get-proof" => writeln!(out, "unsupported"),
        _ => Ok(()),
    };
}
