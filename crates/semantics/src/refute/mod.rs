//! Our own refutations: why a small formula has no model, with no solver.
//!
//! A script and one of its checks come in. Either a `Refutation` comes out: lemmas, each of them true by itself, that
//! together with the assertions are propositionally contradictory; or the reason why none was found. A refutation is
//! evidence that a person can read and anybody can check: put each lemma to a solver, then forget what the atoms mean.
//!
//! How: assertions are brought into plain form (`plain`) and their Boolean skeleton (`skeleton`) is given to a small
//! propositional solver (`sat`). As long as it finds an assignment, something must be said against it: congruence
//! closure (`congruence`) and exact linear arithmetic (`arith`, `simplex`) look at the atoms that the assignment needs
//! and answer with a clause; closed terms are evaluated by the evaluator; and ground terms are matched against a table
//! of lemma schemas (`schema`), the axioms of datatypes (`datatype`), words as bits (`words`) and quantifiers (`quantifier`). When the clauses
//! have no assignment left, the lemmas that are not needed are dropped (`minimise`) and the propositional refutation is
//! checked again by other code (`proof`).
//!
//! It must never be wrong. So every step is one of: an equivalent form of an assertion; a definition of a fresh symbol
//! (the witness of an existential statement, always `(=> (exists ((x S)) P) P[c])`, at most one per c); a lemma that is
//! valid by itself. Operators that are left open somewhere are functions like any other here, which every model obeys.
//! A limit that is reached gives no answer. Nothing is said about satisfiability, ever.

mod arith;
mod build;
mod congruence;
mod datatype;
mod engine;
mod minimise;
mod plain;
mod polynomial;
mod proof;
mod quantifier;
mod refine;
mod sat;
pub mod schema;
mod simplex;
mod skeleton;
mod words;

use crate::budget::{Budget, Exhausted};
use smtlib::printer::term_text;
use smtlib::script::Script;
use smtlib::term::{DeclId, TermId};

/// Why a formula has no model.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The assertions that are needed.
    pub assertions: Vec<Premise>,
    /// The lemmas that are needed, shortest first.
    pub lemmas: Vec<Lemma>,
    /// Fresh symbols that lemmas mention: witnesses, and arbitrary elements of sorts.
    pub symbols: Vec<DeclId>,
    /// How many clauses the propositional refutation learns on its way; none if propagation suffices.
    pub learned: usize,
}

/// An assertion of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The command that asserts it, or the check itself for an assumption.
    pub command: usize,
    /// As the script has it.
    pub term: TermId,
    /// In plain form, which is what the refutation is about; equivalent to `term`.
    pub plain: TermId,
}

/// A formula that is true, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// The name of its schema.
    pub schema: &'static str,
    /// One sentence for a person.
    pub why: String,
    pub term: TermId,
    pub status: Status,
}

/// In which sense a lemma is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// In every model.
    Valid,
    /// It says what a fresh symbol stands for, or what the script defines: every model has one in which it holds.
    Definition,
}

/// Why there is no refutation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("{0} is beyond our refutations")]
    Unsupported(&'static str),
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// All lemmas that were thought of leave an assignment.
    #[error("no contradiction was found")]
    Survives,
    /// The propositional refutation did not pass its check. It is not used.
    #[error("the propositional refutation could not be checked")]
    Unchecked,
}

/// Tries to refute the assertions in force at the given check-sat (counted from 0). The script's pool grows.
pub fn refute(script: &mut Script, check: usize, budget: &Budget) -> Result<Refutation, Reason> {
    if check >= script.understood_checks() {
        return Err(Reason::Unsupported("what comes behind an unknown command"));
    }
    let mut engine = engine::Engine::new(script, budget);
    engine.assert(check)?;
    engine.run()?;
    minimise::minimise(engine)
}

/// The instances of the lemma schemas and axioms that the ground terms of a check give at once, needed or not: what
/// `refute` begins with, for whoever wants to have the table checked.
pub fn lemmas(script: &mut Script, check: usize, budget: &Budget) -> Result<Vec<Lemma>, Reason> {
    let mut engine = engine::Engine::new(script, budget);
    engine.assert(check)?;
    engine.evaluate()?;
    let mut before = usize::MAX;
    while engine.lemmas.len() != before {
        before = engine.lemmas.len();
        engine.instantiate(0)?;
    }
    Ok(engine.lemmas)
}

impl Refutation {
    /// The refutation as text: one line per assertion and lemma.
    pub fn text(&self, script: &Script) -> String {
        let mut text = String::new();
        for premise in &self.assertions {
            text.push_str(&format!("asserted: {}\n", term_text(&script.pool, premise.plain)));
        }
        for lemma in &self.lemmas {
            let term = term_text(&script.pool, lemma.term);
            text.push_str(&format!("{}: {term}\n    {}\n", lemma.schema, lemma.why));
        }
        text
    }
}
