//! The `falsum` binary: flags in, one command run, one exit code out.
//!
//! Each command lives in its own file under `command/` and owns its flags. This file only maps the command
//! line to a command and its outcome to an exit code. It must never hold logic that a library crate should own.

mod command;
mod exit;
mod panel;

use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

/// Finds, proves, shrinks and reports bugs in SMT solvers.
#[derive(Parser)]
#[command(name = "falsum", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: command::Command,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Fine };
            let _ = error.print();
            return code.into();
        }
    };
    match command::run(cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => exit::explain(&error).into(),
    }
}
