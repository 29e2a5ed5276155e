//! `falsum init`: writes a commented `falsum.toml` as a starting point.
#![allow(clippy::print_stderr, reason = "a command prints to the user")]

use crate::config::FILE;
use crate::exit::{Exit, Failure};
use std::path::Path;

#[derive(clap::Args)]
pub struct Args {
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

const TEMPLATE: &str = r#"# falsum.toml: flags you do not want to type. One table per command, one key per long flag.
# What you type on the command line wins. `falsum help hunt` explains every flag.

[hunt]
# The solvers under test, and second opinions. Releases (z3@5.4.0) or command lines ("./build/z3 model_validate=true");
# a file with command lines is used after `falsum allow`.
# solver = ["z3", "cvc5"]
# reference = ["bitwuzla"]

# The same key gives the same cases.
# key = "nightly"

# How long one query may take, and how much memory a solver may use.
# timeout = "5s"
# memory = "2G"

# How solvers are kept between cases: fresh, reset, scoped or mixed.
# session = "mixed"

# The campaign folder.
# out = "falsum-out"

[check]
# reference = ["z3", "cvc5"]
"#;

pub fn run(args: Args) -> anyhow::Result<Exit> {
    if Path::new(FILE).exists() && !args.force {
        return Err(Failure::usage(format!("{FILE} already exists")).hint("--force overwrites it").into());
    }
    std::fs::write(FILE, TEMPLATE).map_err(|error| Failure::usage(format!("{FILE}: {error}")))?;
    eprintln!("wrote {FILE}");
    Ok(Exit::Fine)
}
