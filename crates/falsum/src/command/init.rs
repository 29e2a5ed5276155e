//! `falsum init`: writes a `falsum.toml` with every flag of every command as a comment, made of the flags' own definitions.
#![allow(clippy::print_stderr, reason = "a command prints to the user")]

use crate::config::FILE;
use crate::exit::{Exit, Failure};
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::path::Path;

#[derive(clap::Args)]
pub struct Args {
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

const HEAD: &str = "\
# falsum.toml: flags you do not want to type. One table per command, one key per long flag.
# What you type on the command line wins. Every flag is here, with its default where it has one; take away the first #.
# Programs and options of solvers are used after `falsum allow`. Paths are relative to the folder of this file.
";

/// Commands without flags that are worth keeping in a file.
const LEFT_OUT: [&str; 6] = ["init", "allow", "doctor", "help", "completions", "man"];

/// The whole file: a table per command, in it every flag as a comment.
fn template(cli: &Command) -> String {
    let mut out = HEAD.to_owned();
    let visible = |one: &&Command| !one.is_hide_set() && !LEFT_OUT.contains(&one.get_name());
    for command in cli.get_subcommands().filter(visible) {
        let mut inner = command.get_subcommands().filter(visible).peekable();
        if inner.peek().is_none() {
            out += &table(command.get_name(), command);
        }
        for inner in inner {
            out += &table(&format!("{}.{}", command.get_name(), inner.get_name()), inner);
        }
    }
    out
}

fn table(name: &str, command: &Command) -> String {
    let flags: Vec<String> = command.get_arguments().filter_map(flag).collect();
    if flags.is_empty() { String::new() } else { format!("\n[{name}]\n{}", flags.concat()) }
}

/// A flag: what it does, and its default.
fn flag(arg: &Arg) -> Option<String> {
    let long = arg.get_long().filter(|long| !["help", "version", "json"].contains(long))?;
    if arg.is_hide_set() || arg.is_global_set() {
        return None;
    }
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let names: Vec<String> =
        arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
    let defaults = arg.get_default_values();
    let value = match (arg.get_action(), defaults) {
        (ArgAction::SetTrue, _) => "false".to_owned(),
        (_, []) if matches!(arg.get_action(), ArgAction::Append) => format!("[\"{}\"]", names.join(" ")),
        (_, []) => format!("\"{}\"", names.join(" ")),
        (_, [one]) => format!("\"{}\"", one.to_string_lossy()),
        (_, many) => format!("{many:?}"),
    };
    let without = if defaults.is_empty() && value != "false" { "   # no default" } else { "" };
    Some(format!("# {help}\n# {long} = {value}{without}\n"))
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    if Path::new(FILE).exists() && !args.force {
        return Err(Failure::usage(format!("{FILE} already exists")).hint("--force overwrites it").into());
    }
    std::fs::write(FILE, template(&crate::Cli::command()))
        .map_err(|error| Failure::usage(format!("{FILE}: {error}")))?;
    eprintln!("wrote {FILE}");
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_every_flag_and_each_line_without_its_comment_is_valid() {
        let mut cli = crate::Cli::command();
        cli.build();
        let text = template(&cli);
        for part in [
            "[hunt]",
            "[corpus.import]",
            "# timeout = \"5s\"",
            "# quiet = false",
            "# key = \"K\"   # no default",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        let settings = text.lines().filter_map(|line| line.strip_prefix("# "));
        let settings = settings.filter(|line| line.split(" = ").next().is_some_and(|key| !key.contains(' ')));
        for line in settings.filter(|line| line.contains(" = ")) {
            assert!(line.parse::<toml::Table>().is_ok(), "{line}");
        }
        assert!(text.parse::<toml::Table>().is_ok());
    }
}
