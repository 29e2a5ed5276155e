//! `falsum completions` and `falsum man`: made from the one definition of the flags.

use crate::exit::{Exit, Failure};
use clap::CommandFactory;

#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell to complete for
    shell: clap_complete::Shell,
}

pub fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "falsum", &mut std::io::stdout());
    Ok(Exit::Fine)
}

pub fn man() -> anyhow::Result<Exit> {
    let manual = clap_mangen::Man::new(crate::Cli::command());
    manual.render(&mut std::io::stdout()).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(Exit::Fine)
}
