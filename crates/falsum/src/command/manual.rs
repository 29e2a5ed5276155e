//! `falsum completions` and `falsum man`: generated from the definition of the flags.
#![allow(clippy::print_stdout, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use clap::CommandFactory;

#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell to complete for
    shell: clap_complete::Shell,
}

#[derive(clap::Args)]
pub struct ManArgs {
    /// The page of one command; without it, falsum's own page
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut text = vec![];
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "falsum", &mut text);
    print!("{}", String::from_utf8_lossy(&text));
    Ok(Exit::Fine)
}

pub fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    let mut command = crate::Cli::command();
    // Fills in the full names of the commands: `falsum-hunt`.
    command.build();
    if let Some(name) = &args.command {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| {
            Failure::usage(format!("there is no command `{name}`")).hint("falsum help lists the commands")
        })?;
    }
    let mut text = vec![];
    clap_mangen::Man::new(command).render(&mut text)?;
    print!("{}", String::from_utf8_lossy(&text));
    Ok(Exit::Fine)
}
