//! `falsum allow [FILE]`: the user's permission for a `falsum.toml` to name programs.
//!
//! Shows which flags of the file need permission and stores a hash of the file as it is now; after a change it has to
//! be allowed again. Nothing in the file is used or started here.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::allowance;
use crate::config;
use crate::exit::{Exit, Failure};
use clap::CommandFactory;
use smtlib::shown;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The configuration file; without it, the one that is used in this folder
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let file = &args.file.or_else(config::find).unwrap_or_else(|| config::FILE.into());
    let Some(text) = allowance::read(file)? else {
        let message = format!("{} does not exist", shown::path(file));
        return Err(Failure::usage(message).hint("falsum init writes one").into());
    };
    let acting = config::acting(&text, file, &crate::Cli::command())?;
    if acting.is_empty() {
        println!("{} needs no permission: it names no program", shown::path(file));
        return Ok(Exit::Fine);
    }
    allowance::give(file, &text)?;
    println!("{} may from now on, until it changes:", shown::path(file));
    for line in acting {
        println!("  {line}");
    }
    Ok(Exit::Fine)
}
