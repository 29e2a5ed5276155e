//! The seeds of a campaign, parsed once and shared by all workers.
//!
//! A prepared seed has its typed script and its printed text with the place of every term, so that mutators can splice
//! bytes. The printed text makes no claim about its answer: the seed's status and the comments about it are left out,
//! because they do not hold for a mutant (z3 even reports an error if its answer differs from `:status`). A seed that
//! does not parse is not prepared; the caller gets the reason and continues without it.

use corpus::{Seed, SeedId, Status};
use semantics::Budget;
use semantics::finder::{Found, find};
use smtlib::printer::{Format, Printed, print, print_mapped};
use smtlib::sort::SortId;
use smtlib::symbol::write_name;
use smtlib::{Command, Script};
use std::sync::{Arc, OnceLock};

/// A seed ready for use.
pub struct Prepared {
    pub seed: Seed,
    /// Without the claims that the seed makes about its answer.
    pub script: Script,
    /// Faithfully printed, with the place of every term occurrence.
    pub printed: Printed,
    /// A model of our own, looked for when it is first wanted.
    model: OnceLock<Option<Arc<str>>>,
}

/// Steps for the model of one seed.
const MODEL_STEPS: u64 = 50_000;
const MODEL_BYTES: u64 = 64 << 20;

impl Prepared {
    pub(crate) fn new(seed: Seed, script: Script, printed: Printed) -> Prepared {
        Prepared { seed, script, printed, model: OnceLock::new() }
    }

    /// A model of the seed that our evaluator has confirmed, as text, if the finder has one within a small budget: a
    /// pure function of the seed. A search for a model of a mutant begins there.
    pub fn model(&self) -> Option<&Arc<str>> {
        let wanted = || self.seed.status() != Status::Unsat && self.script.checks() == 1;
        self.model.get_or_init(|| wanted().then(|| searched(&mut self.script.clone())).flatten()).as_ref()
    }

    /// A model of the seed in which no number is 0, if one is found: many functions do not invert at 0.
    pub fn model_without_zeros(&self) -> Option<Arc<str>> {
        self.model()?;
        let bytes = &self.printed.bytes;
        let check = bytes.windows(10).rposition(|word| word == b"(check-sat")?;
        let mut text = bytes[..check].to_vec();
        for decl in self.script.pool.decls.iter().filter(|decl| decl.params.is_empty()) {
            let zero = match decl.result {
                SortId::INT => "0",
                SortId::REAL => "0.0",
                _ => continue,
            };
            text.extend_from_slice(b"(assert (distinct ");
            write_name(&mut text, self.script.pool.bytes(decl.name));
            text.extend_from_slice(format!(" {zero}))\n").as_bytes());
        }
        text.extend_from_slice(&bytes[check..]);
        searched(&mut Script::parse(&text).ok()?)
    }
}

/// A model that our finder finds within a small budget.
fn searched(script: &mut Script) -> Option<Arc<str>> {
    match find(script, 0, &[], &Budget::new(MODEL_STEPS, MODEL_BYTES)) {
        Found::Model(witness) => Some(witness.text.into()),
        Found::Unknown(_) => None,
    }
}

/// All prepared seeds, in a fixed order. Cheap to copy.
#[derive(Clone, Default)]
pub struct Bank {
    seeds: Arc<[Arc<Prepared>]>,
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
            match Script::parse(&seed.text).and_then(without_the_unreachable) {
                Ok(mut script) => {
                    disclaim(&mut script);
                    let printed = print_mapped(&script, Format::Faithful);
                    prepared.push(Arc::new(Prepared::new(seed, script, printed)));
                }
                Err(error) => {
                    let why = error.render(&seed.name, &seed.text);
                    rejected.push(Rejected { id: seed.id, name: seed.name, why });
                }
            }
        }
        prepared.sort_by_key(|prepared| prepared.seed.id);
        prepared.dedup_by_key(|prepared| prepared.seed.id);
        (Bank { seeds: prepared.into() }, rejected)
    }

    /// The bank with only some of its seeds, in the same order.
    pub fn only(&self, keep: impl Fn(&Prepared) -> bool) -> Bank {
        Bank { seeds: self.seeds.iter().filter(|seed| keep(seed)).cloned().collect() }
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

/// Removes what follows `(exit)`: no solver reads it, and its check-sats have no answers.
fn without_the_unreachable(mut script: Script) -> Result<Script, smtlib::Error> {
    let exit = script.commands.iter().position(|command| matches!(command, Command::Exit));
    match exit {
        Some(exit) if exit + 1 < script.commands.len() => {
            script.commands.truncate(exit + 1);
            Script::parse(&print(&script, Format::Faithful))
        }
        _ => Ok(script),
    }
}

/// Removes what the script says about its own answer; options for solvers stay.
fn disclaim(script: &mut Script) {
    let unknown = script.pool.symbol(b"unknown");
    for command in &mut script.commands {
        if let Command::SetInfo(key, value) = command
            && script.pool.bytes(*key) == b":status"
        {
            *value = unknown;
        }
    }
    let is_option = |line: &&[u8]| line.trim_ascii_start().starts_with(b"; COMMAND-LINE:");
    script.head =
        script.head.split_inclusive(|&byte| byte == b'\n').filter(is_option).flatten().copied().collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use corpus::Origin;

    #[test]
    fn the_text_of_a_prepared_seed_claims_nothing_about_its_answer() {
        let text =
            b"; EXPECT: unsat\n; COMMAND-LINE: -i\n(set-info :status unsat)\n(assert false)\n(check-sat)\n";
        let seed = Seed::new("s".into(), Origin::Embedded, text[..].into()).unwrap();
        let (bank, rejected) = Bank::new([seed]);
        assert!(rejected.is_empty());
        let printed = String::from_utf8(bank.seeds()[0].printed.bytes.clone()).unwrap();
        assert_eq!(printed, "; COMMAND-LINE: -i\n(set-info :status unknown)\n(assert false)\n(check-sat)\n");
        assert_eq!(bank.seeds()[0].seed.status(), corpus::Status::Unsat);
    }

    #[test]
    fn what_follows_an_exit_is_no_part_of_a_prepared_seed() {
        let text = b"(declare-const x Int)(assert (> x 0))(check-sat)(exit)(declare-const y Int)(check-sat)";
        let seed = Seed::new("s".into(), Origin::Embedded, text[..].into()).unwrap();
        let (bank, rejected) = Bank::new([seed]);
        assert!(rejected.is_empty());
        let prepared = &bank.seeds()[0];
        assert_eq!((prepared.script.checks(), prepared.seed.checks.len()), (1, 1));
        assert_eq!(prepared.script.pool.decls.len(), 1);
    }
}
