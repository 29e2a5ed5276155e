//! All strategies by name, with their usual settings.
//!
//! To add one: write its file, then one line here.

use crate::Strategy;
use crate::classes::Classes;
use crate::fusion::{self, Function, Functions, Fusion};
use crate::opswap::{self, Opswap};
use crate::regrow::signatures::Signatures;
use crate::regrow::{self, Regrow};

/// What a user may set; strategies that have no use for a setting ignore it.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Operator classes instead of those that follow from the tables.
    pub classes: Option<Classes>,
    /// Operators to grow instead of all that the tables have.
    pub signatures: Option<Signatures>,
    /// Fusion functions instead of the embedded ones.
    pub functions: Option<Vec<Function>>,
    /// Put seeds together and fuse nothing.
    pub concat_only: bool,
}

/// A strategy with the text of its file, whose opening is its documentation.
struct Entry {
    source: &'static str,
    make: fn(&Settings) -> Box<dyn Strategy>,
}

const ENTRIES: &[Entry] = &[
    Entry { source: include_str!("seeds.rs"), make: |_| Box::new(crate::seeds::Seeds) },
    Entry { source: include_str!("fusion/mod.rs"), make: |settings| Box::new(fusion(settings)) },
    Entry { source: include_str!("opswap.rs"), make: |settings| Box::new(opswap(settings)) },
    Entry { source: include_str!("regrow/mod.rs"), make: |settings| Box::new(regrow(settings)) },
];

fn opswap(settings: &Settings) -> Opswap {
    Opswap::new(opswap::Config { classes: settings.classes.clone(), ..opswap::Config::default() })
}

fn regrow(settings: &Settings) -> Regrow {
    Regrow::new(regrow::Config { signatures: settings.signatures.clone(), ..regrow::Config::default() })
}

fn fusion(settings: &Settings) -> Fusion {
    let config = fusion::Config { concat_only: settings.concat_only, ..fusion::Config::default() };
    let functions = settings.functions.clone().unwrap_or_else(|| Functions::embedded().functions);
    Fusion::new(config, functions)
}

/// Every strategy, in the order in which they are shown.
pub fn all() -> Vec<Box<dyn Strategy>> {
    ENTRIES.iter().map(|entry| (entry.make)(&Settings::default())).collect()
}

/// The strategy of this name with its usual settings.
pub fn find(name: &str) -> Option<Box<dyn Strategy>> {
    find_with(name, &Settings::default())
}

/// The strategy of this name with the user's settings.
pub fn find_with(name: &str, settings: &Settings) -> Option<Box<dyn Strategy>> {
    ENTRIES.iter().map(|entry| (entry.make)(settings)).find(|strategy| strategy.name() == name)
}

/// The page about a strategy: the essay that its file opens with.
pub fn page(name: &str) -> Option<String> {
    let entry = ENTRIES.iter().find(|entry| (entry.make)(&Settings::default()).name() == name)?;
    let lines = entry.source.lines().map_while(|line| line.strip_prefix("//!"));
    Some(lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_is_found_by_its_name_and_no_two_share_one() {
        let names: Vec<_> = all().iter().map(|strategy| strategy.name()).collect();
        for (n, name) in names.iter().enumerate() {
            assert!(find(name).is_some_and(|found| found.name() == *name));
            assert!(!names[..n].contains(name));
        }
        assert!(find("nothing").is_none());
    }

    #[test]
    fn every_strategy_has_a_page_that_begins_with_its_name() {
        for strategy in all() {
            let page = page(strategy.name()).unwrap();
            assert!(page.starts_with(&format!("`{}`: ", strategy.name())), "{page}");
        }
    }
}
