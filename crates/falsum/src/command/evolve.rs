//! `falsum evolve`: breed formulas that make a solver slow.
//!
//! A hunt with the one strategy `evolve`, under the names that a search has: a target, references, generations. Every flag
//! of `hunt` works here too. `falsum generations` shows how the search went.

use super::hunt;
use crate::exit::Exit;

// Groups are named after their types, and `hunt::Args` has this one's name.
#[derive(clap::Args)]
#[group(skip)]
pub struct Args {
    /// The solver to make slow, written like a solver of `hunt`; the fastest reference is what it is compared with
    #[arg(long, value_name = "SPEC")]
    target: Option<String>,
    /// Stop after so many generations
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000), conflicts_with = "cases", value_name = "N")]
    generations: Option<u64>,
    #[command(flatten)]
    hunt: hunt::Args,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let Args { target, generations, hunt } = args;
    hunt::run(hunt.breeding(target, generations)?)
}
