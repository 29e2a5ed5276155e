//! The commands: one file each, owning its flags (`Args`) and its `run`.
//!
//! To add one: write `command/NAME.rs` with a `clap::Args` struct and `run(args) -> anyhow::Result<Exit>`,
//! then add one variant and one arm here.

use crate::exit::Exit;

/// What falsum can do.
#[derive(clap::Subcommand)]
pub enum Command {}

/// Runs one command.
pub fn run(command: Command) -> anyhow::Result<Exit> {
    match command {}
}
