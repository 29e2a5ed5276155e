//! Colour: red for what is wrong, green for what is fine; a meaning is never carried by colour alone.
//!
//! `--color` decides; with `auto`, `NO_COLOR` and then whether the stream is a terminal. All colour codes are ours:
//! text from solvers and files is escaped first (`report::escaped`).

use std::io::IsTerminal;
use std::sync::OnceLock;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum When {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

static WHEN: OnceLock<When> = OnceLock::new();

/// What the command line says; set once.
pub fn choose(when: When) {
    let _ = WHEN.set(when);
}

/// What the command line says before it is parsed, for messages about the command line itself.
pub fn foresee(arguments: &[std::ffi::OsString]) -> clap::ColorChoice {
    let says = |word: &str| {
        let joined = format!("--color={word}");
        arguments.iter().any(|argument| argument.to_str() == Some(&joined))
            || arguments.windows(2).any(|pair| pair[0] == "--color" && pair[1].to_str() == Some(word))
    };
    match () {
        () if says("never") => clap::ColorChoice::Never,
        () if says("always") => clap::ColorChoice::Always,
        () => clap::ColorChoice::Auto,
    }
}

/// Whether this stream gets colour.
pub fn is_coloured(stream: &impl IsTerminal) -> bool {
    let wanted = || std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    match WHEN.get().copied().unwrap_or_default() {
        When::Always => true,
        When::Never => false,
        When::Auto => wanted() && stream.is_terminal(),
    }
}

fn paint(stream: &impl IsTerminal, code: &str, text: &str) -> String {
    if is_coloured(stream) { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// Text about something wrong, for this stream.
pub fn wrong(stream: &impl IsTerminal, text: &str) -> String {
    paint(stream, "1;31", text)
}

/// Text that deserves attention.
pub fn doubtful(stream: &impl IsTerminal, text: &str) -> String {
    paint(stream, "33", text)
}

/// Text about something that is fine.
pub fn fine(stream: &impl IsTerminal, text: &str) -> String {
    paint(stream, "32", text)
}
