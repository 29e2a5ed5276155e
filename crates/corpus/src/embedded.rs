//! The seeds that are embedded in the program.
//!
//! In: the table that `build.rs` made of `seeds/`. Out: the same [`Seed`]s in the same order on every machine, with no
//! file read at run time. Their statuses are claims like any others: the script's own `set-info`, plus the solvers
//! named in its `; CONFIRMED:` line, plus the argument of its `; WHY:` line where only one solver knows the theory.
//! Those two lines are accepted as claims only here, because a test checks them only for the embedded seeds.

use std::borrow::Cow;
use std::path::Path;

use crate::seed::{Claim, Origin, Seed, StatusSource};

include!(concat!(env!("OUT_DIR"), "/embedded_files.rs"));

/// Every embedded seed, sorted by name.
pub fn embedded() -> impl Iterator<Item = Seed> {
    FILES.iter().filter_map(|(name, text)| seed(name, text))
}

/// The number of seeds, without building them.
pub fn count() -> usize {
    FILES.len()
}

fn seed(name: &str, text: &'static str) -> Option<Seed> {
    let mut seed = Seed::new(name.to_owned(), Origin::Embedded, Cow::Borrowed(text.as_bytes())).ok()?;
    seed.claim_by_folder(Path::new(name));
    let confirmed: Vec<String> =
        seed.header_values("CONFIRMED").flat_map(str::split_whitespace).map(str::to_owned).collect();
    let why = seed.header_values("WHY").collect::<Vec<_>>().join(" ");
    for check in &mut seed.checks {
        let status = check.status();
        if !confirmed.is_empty() {
            check.add(Claim { status, source: StatusSource::SolverConfirmed(confirmed.clone()) });
        }
        if !why.is_empty() {
            check.add(Claim { status, source: StatusSource::Construction(why.clone()) });
        }
    }
    Some(seed)
}
