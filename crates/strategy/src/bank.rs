//! The seeds of a campaign, parsed once and shared by all workers.
//!
//! A prepared seed has its typed script and its printed text with the place of every term, so that mutators can
//! splice bytes. A seed that does not parse is not prepared; the caller is told why and goes on without it.

use corpus::{Seed, SeedId};
use smtlib::Script;
use smtlib::printer::{Format, Printed, print_mapped};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A seed ready for use.
pub struct Prepared {
    pub seed: Seed,
    pub script: Script,
    /// Faithfully printed, with the place of every term occurrence.
    pub printed: Printed,
}

/// All prepared seeds, in a fixed order.
#[derive(Clone, Default)]
pub struct Bank {
    seeds: Vec<Arc<Prepared>>,
    identity: u64,
}

/// A seed that could not be prepared.
#[derive(Debug)]
pub struct Rejected {
    pub id: SeedId,
    pub name: String,
    /// The rendered parse error.
    pub why: String,
}

impl Bank {
    /// Parses and prints all seeds; the order of the bank is the order of the ids, so it does not depend on
    /// how the seeds were found.
    pub fn new(seeds: impl IntoIterator<Item = Seed>) -> (Bank, Vec<Rejected>) {
        let mut prepared = vec![];
        let mut rejected = vec![];
        for seed in seeds {
            match Script::parse(&seed.text) {
                Ok(script) => {
                    let printed = print_mapped(&script, Format::Faithful);
                    prepared.push(Arc::new(Prepared { seed, script, printed }));
                }
                Err(error) => {
                    let why = error.render(&seed.name, &seed.text);
                    rejected.push(Rejected { id: seed.id, name: seed.name, why });
                }
            }
        }
        prepared.sort_by_key(|prepared| prepared.seed.id);
        prepared.dedup_by_key(|prepared| prepared.seed.id);
        static MADE: AtomicU64 = AtomicU64::new(1);
        let identity = MADE.fetch_add(1, Ordering::Relaxed);
        (Bank { seeds: prepared, identity }, rejected)
    }

    /// A number that only this bank and its copies have in this process, for what strategies derive from a bank once.
    /// It must never influence a choice.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    pub fn seeds(&self) -> &[Arc<Prepared>] {
        &self.seeds
    }

    pub fn len(&self) -> usize {
        self.seeds.len()
    }

    pub fn is_empty(&self) -> bool {
        self.seeds.is_empty()
    }

    pub fn find(&self, id: &SeedId) -> Option<&Arc<Prepared>> {
        let at = self.seeds.binary_search_by_key(id, |prepared| prepared.seed.id).ok()?;
        Some(&self.seeds[at])
    }
}
