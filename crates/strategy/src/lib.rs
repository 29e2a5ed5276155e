//! Makes test cases.
//!
//! One technique per module, named by what it does. A technique is a pure function of its inputs (seeds or a grammar,
//! settings, a key or an index, and the facts about earlier outcomes that it was given). It never uses a solver, the
//! clock, the file system or unseeded randomness, so the recipe is enough to rebuild the same bytes. All data
//! (grammars, operator classes, rules) are text files beside the sources, embedded in the binary and replaceable by
//! the caller.
//!
//! `case` is what every technique makes, `source` is the interface it implements, `key` provides its random numbers,
//! `bank` holds its seeds, `settings` is what a user may change, `naming` names the assertions of a case, `requests` adds requests for
//! values and unsat assumptions. Each further module is a technique. It opens with its
//! idea, its paper and the reason why its expectation is right. `registry` lists them.

pub mod bank;
pub mod case;
pub mod changes;
pub mod classes;
pub mod construct;
pub mod enumerate;
pub mod evolve;
pub mod fusion;
pub mod key;
pub mod mutant;
pub mod naming;
pub mod notation;
pub mod opswap;
pub mod registry;
pub mod regrow;
pub mod requests;
pub mod reseed;
pub mod seeds;
pub mod settings;
pub mod shapes;
pub mod skeleton;
pub mod source;
pub mod strings;
pub mod weaken;

pub use bank::{Bank, Prepared};
pub use case::{
    At, Case, Draft, Expect, Expected, Fact, Facts, Ground, Invalid, Question, Recipe, Relation, Role,
    RuleUse, Stamp,
};
pub use evolve::trace::Trace;
pub use key::{CampaignKey, Rng};
pub use settings::{AimBy, Settings};
pub use source::{Dialogue, Outcome, Plain, Propose, Skip, Source, Strategy, unheard};
