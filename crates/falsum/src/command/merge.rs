//! `falsum merge DIR… --out DIR`: the shards of a campaign become one folder.
//!
//! In: campaign folders that no process is writing to. Out: a folder, complete or not created at all, and its summary.
//! A folder that holds a merge already is merged too and replaced, so shards can be added as they end, in any order and
//! more than once. The crate `store` decides which folders can be merged.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use std::path::PathBuf;

use crate::exit::Exit;
use report::count;

/// Merge the folders of shards into one
#[derive(clap::Args)]
pub struct Args {
    /// The campaign folders of the shards
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// The folder to create; if it holds a merge, the folders are added to it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print the summary as one JSON document
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let summary = store::merge(&args.dirs, &args.out)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        let progress = &summary.progress;
        println!(
            "{}: {}, {}, {} in {}, from {}",
            smtlib::shown::path(&args.out),
            count(progress.cases, "case"),
            count(progress.tests, "test"),
            count(progress.findings, "finding"),
            count(progress.bugs, "bug"),
            count(args.dirs.len() as u64, "folder")
        );
    }
    Ok(Exit::Fine)
}
