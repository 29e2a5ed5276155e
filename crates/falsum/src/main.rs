//! The `falsum` binary: flags in, one command run, one exit code out.
//!
//! Each command lives in its own file under `command/` and owns its flags. This file only maps the command
//! line to a command and its outcome to an exit code. It must never hold logic that a library crate should own.

mod caught;
mod command;
mod config;
mod enumeration;
mod evolution;
mod exit;
mod hunt;
mod paint;
mod panel;
mod releases;
mod spread;

use clap::{CommandFactory, FromArgMatches, Parser};
use exit::Exit;
use std::process::ExitCode;

/// Finds, proves, shrinks and reports bugs in SMT solvers.
#[derive(Parser)]
#[command(name = "falsum", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: command::Command,
    /// When to use colour
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    color: paint::When,
}

/// Room for whatever still recurses on the depth of a term.
const STACK: usize = 512 << 20;

/// A reader that has seen enough (`falsum … | head`) ends the run quietly: that is no failure of ours.
fn end_quietly_when_nobody_reads() {
    let otherwise = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if message.starts_with("failed printing to stdout") && message.contains("Broken pipe") {
            std::process::exit(Exit::Fine as i32);
        }
        otherwise(panic);
    }));
}

fn main() -> ExitCode {
    end_quietly_when_nobody_reads();
    let arguments = match config::expand(std::env::args_os().collect(), config::FILE.as_ref()) {
        Ok(arguments) => arguments,
        Err(failure) => return exit::explain(&failure.into()).into(),
    };
    let parser = Cli::command().color(paint::foresee(&arguments));
    let cli = match parser.try_get_matches_from(arguments).and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Fine };
            let _ = error.print();
            return code.into();
        }
    };
    paint::choose(cli.color);
    let worker = std::thread::Builder::new().name("falsum".into()).stack_size(STACK);
    let outcome = worker.spawn(move || command::run(cli.command)).map(std::thread::JoinHandle::join);
    match outcome {
        Ok(Ok(Ok(exit))) => exit.into(),
        Ok(Ok(Err(error))) => exit::explain(&error).into(),
        Ok(Err(_panic)) => Exit::Internal.into(),
        Err(error) => exit::explain(&error.into()).into(),
    }
}
