//! Our own refutations: why a small formula has no model, without a solver.
//!
//! In: a script and one of its checks. Out: a `Refutation`, or the reason why none was found. A refutation is a list
//! of lemmas, each of them true by itself, that together with the assertions are propositionally contradictory. It is
//! readable evidence that can be checked independently: ask a solver about each lemma, then check the rest
//! propositionally, ignoring the meaning of the atoms.
//!
//! How: assertions are brought into plain form (`plain`) and their Boolean skeleton (`skeleton`) is given to a small
//! propositional solver (`sat`). As long as it finds an assignment, lemmas that exclude it are needed: congruence
//! closure (`congruence`) and exact linear arithmetic (`arith`, `simplex`) consider the atoms that the assignment
//! needs and answer with a clause; closed terms are evaluated by the evaluator; and ground terms are matched against a
//! table of lemma schemas (`schema`), the axioms of datatypes (`datatype`), words as bits (`words`) and quantifiers
//! (`quantifier`). When the clauses have no assignment left, the lemmas that are not needed are dropped (`minimise`)
//! and the propositional refutation is checked again by other code (`proof`).
//!
//! It must never be wrong. So every step is one of: an equivalent form of an assertion; a definition of a fresh symbol
//! (the witness of an existential statement, always `(=> (exists ((x S)) P) P[c])`, at most one per c); a lemma that
//! is valid by itself. Operators that are under-specified at some points are ordinary functions here, which holds in
//! every model. If a limit is reached there is no refutation. This module never claims satisfiability.

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
    /// As it is in the script.
    pub term: TermId,
    /// In plain form, which the refutation uses; equivalent to `term`.
    pub plain: TermId,
}

/// A formula that is true, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// The name of its schema.
    pub schema: &'static str,
    /// One sentence for people.
    pub why: String,
    pub term: TermId,
    pub status: Status,
}

/// In which sense a lemma is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// In every model.
    Valid,
    /// It defines a fresh symbol, or repeats a definition of the script: every model can be extended so that it holds.
    Definition,
}

/// Why there is no refutation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("{0} is beyond our refutations")]
    Unsupported(&'static str),
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// An assignment remains that no lemma excludes.
    #[error("no contradiction was found")]
    Survives,
    /// It could not be written as evidence.
    #[error("the refutation is too long to be written")]
    TooLong,
    /// The propositional refutation did not pass its check. It is not used.
    #[error("the propositional refutation could not be checked")]
    Unchecked,
}

/// The search has one part in this many of the steps; the rest is kept for making the refutation short and for checking
/// it, so that what was found is not given up for want of a few steps.
const SEARCH: u64 = 4;

/// Tries to refute the assertions in force at the given check-sat (counted from 0). The script's pool grows.
pub fn refute(script: &mut Script, check: usize, budget: &Budget) -> Result<Refutation, Reason> {
    found(script, check, budget, Length::Short)
}

/// The same where no accusation will show the lemmas: it is checked as well, but may list more than are needed.
pub fn refute_at_any_length(
    script: &mut Script,
    check: usize,
    budget: &Budget,
) -> Result<Refutation, Reason> {
    found(script, check, budget, Length::Any)
}

/// How many lemmas there may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// As few as the budget allows.
    Short,
    /// Those that the propositional solver named.
    Any,
}

fn found(script: &mut Script, check: usize, budget: &Budget, length: Length) -> Result<Refutation, Reason> {
    if check >= script.understood_checks() {
        return Err(Reason::Unsupported("a check after an unknown command"));
    }
    let given = budget.steps_left() / SEARCH;
    let search = budget.part(given);
    let mut engine = engine::Engine::new(script, &search);
    let found = engine.assert(check).and_then(|()| engine.run());
    budget.settle(given, &search);
    found?;
    minimise::minimise(engine, budget, length)
}

/// The instances of the lemma schemas and axioms that follow at once from the ground terms of a check, needed or not.
/// `refute` begins with them; callers use this function to check the table.
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

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: u64 = 10_000_000;

    /// Three pigeons in two holes: some clauses must be learned. And something with a witness.
    const PIGEONS: &str = "(declare-fun in (Int Int) Bool)
        (assert (and (or (in 1 1) (in 1 2)) (or (in 2 1) (in 2 2)) (or (in 3 1) (in 3 2))))
        (assert (not (or (and (in 1 1) (in 2 1)) (and (in 1 1) (in 3 1)) (and (in 2 1) (in 3 1)))))
        (assert (not (or (and (in 1 2) (in 2 2)) (and (in 1 2) (in 3 2)) (and (in 2 2) (in 3 2)))))(check-sat)";
    const WITNESS: &str = "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (not (p x))))
        (assert (exists ((y Int)) (p y)))(check-sat)";

    #[test]
    fn making_it_short_and_checking_it_are_paid_for_by_the_caller() {
        let mut script = Script::parse(PIGEONS.as_bytes()).unwrap();
        let search = Budget::new(STEPS, 1 << 28);
        let mut engine = engine::Engine::new(&mut script, &search);
        engine.assert(0).and_then(|()| engine.run()).unwrap();
        let (whole, searched) = (Budget::new(STEPS, 1 << 28), STEPS - search.steps_left());
        refute(&mut Script::parse(PIGEONS.as_bytes()).unwrap(), 0, &whole).unwrap();
        assert!(STEPS - whole.steps_left() > searched, "{searched}");
    }

    #[test]
    fn a_refutation_whose_terms_are_too_long_to_be_written_is_given_up_at_once() {
        // Every level writes the one below it twice; the refutation needs the whole of it, without its lets.
        let levels = 60;
        let mut text =
            String::from("(declare-fun f (Int Int) Int)(declare-const x Int)(assert (let ((v0 (f x x)))");
        (1..levels).for_each(|n| text += &format!("(let ((v{n} (f v{} v{})))", n - 1, n - 1));
        text += &format!("(not (= v{0} (f v{1} v{1})))", levels - 1, levels - 2);
        text += &")".repeat(levels);
        text += ")(check-sat)";
        let mut script = Script::parse(text.as_bytes()).unwrap();
        match refute(&mut script, 0, &Budget::new(STEPS, 1 << 28)) {
            Ok(refutation) => assert!(refutation.text(&script).len() < 10_000_000),
            Err(reason) => assert!(matches!(reason, Reason::TooLong | Reason::Survives), "{reason}"),
        }
    }

    #[test]
    fn names_that_we_make_are_not_the_scripts_own() {
        let mut script = Script::parse(WITNESS.as_bytes()).unwrap();
        let before = script.pool.decls.len();
        let refutation = refute(&mut script, 0, &Budget::new(STEPS, 1 << 28)).unwrap();
        assert!(!refutation.symbols.is_empty());
        assert!(script.pool.decls[before..].iter().all(|decl| decl.of_model));
    }
}
