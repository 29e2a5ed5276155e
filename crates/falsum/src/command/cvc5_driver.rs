//! `falsum cvc5-driver --lib DIR -- ARGS`: cvc5 as a program, from the libraries in its wheel. Hidden.
//!
//! falsum starts itself this way for every cvc5 query, and so do the wrappers in the release folders. All work is
//! done by `solver::cvc5`; this file only passes the arguments on.

use crate::exit::{Exit, Failure};
use std::ffi::OsString;
use std::path::PathBuf;

/// Flags of the driver; everything after `--` is cvc5's.
#[derive(clap::Args)]
pub struct Args {
    /// Folder with libcvc5 and libcvc5parser
    #[arg(long)]
    lib: PathBuf,
    /// What to pass to cvc5
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Never returns if the library loads.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let error = solver::cvc5::main(&args.lib, &args.args);
    Err(Failure { exit: Exit::NoSolver, message: error.to_string(), hint: error.hint() }.into())
}
