//! Exact decisions for linear arithmetic with quantifiers, without a solver and without a model.
//!
//! In: a script and one of its checks. Out: sat, unsat, or unknown with the reason, within a budget. The assertions
//! may nest quantifiers over `Bool`, `Int` and `Real` in any way and combine linear terms with all of Core, `div`,
//! `mod` and `divisible` by constants, `abs`, `to_real`, `to_int` and `is_int`. Free constants are the outermost
//! existential variables. Free functions, other theories, products of variables, and divisions whose divisor may be
//! zero give unknown.
//!
//! How: `read` makes formulas in negation normal form (`formula`, `number`, `linear`), simplified by the formulas
//! around them (`bounds`). `eliminate` removes quantifiers, innermost first, by the test points of `points`: virtual
//! substitution for reals, Cooper's method for integers. `search` looks for a solution of the remaining formula.
//! `roots` is used by the evaluator: under a model, a variable may also occur in polynomials.
//!
//! Why it can be trusted. Each step replaces a formula by an equivalent one; the arguments are at the head of
//! `points.rs` and `eliminate.rs`. For sat there is a second check: the solution that was found is written as a model
//! and given to the evaluator, which shares only numbers with this module. If the evaluator cannot decide it (a
//! quantifier is too large for it), the verdict says so and relies on the elimination alone. If the evaluator
//! disagrees, the verdict is unknown.
//!
//! Integers and reals may be mixed, as long as an integer variable that must be removed shares no term with a real
//! variable that is still there; otherwise the answer is unknown.

mod bounds;
mod eliminate;
mod formula;
mod linear;
mod number;
mod points;
mod read;
mod roots;
mod search;

pub use eliminate::{Method, Removal};

use crate::budget::{Budget, Exhausted};
use crate::eval;
use crate::model::{Escapes, Model};
use crate::value::rational::Rat;
use eliminate::Eliminator;
use formula::{F, FALSE, Formulas, Node, Quantifier, Sort, Step, TRUE};
use hashbrown::HashMap;
use linear::Var;
pub(crate) use read::Outside;
use read::Reader;
pub(crate) use roots::samples;
use rustc_hash::FxBuildHasher;
use search::Solution;
use smtlib::script::Script;
use smtlib::sort::SortId;
use smtlib::symbol::{Symbol, write_name};
use smtlib::term::{DeclId, Pool, TermId};
use std::fmt::Write;

/// The verdict on the assertions in force at a check.
#[derive(Clone, Debug)]
pub enum Decision {
    Sat(Box<Proof>),
    Unsat(Explanation),
    Unknown(Reason),
}

/// Why a formula is satisfiable.
#[derive(Clone, Debug)]
pub struct Proof {
    /// A model that the evaluator has confirmed. Without one the decision relies on the elimination.
    pub witness: Option<Witness>,
    pub explanation: Explanation,
}

#[derive(Clone, Debug)]
pub struct Witness {
    pub model: Model,
    /// The same as SMT-LIB text.
    pub text: String,
}

/// How a decision was reached, for people: the removed variables in order, as far as they were recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    pub removals: Vec<Removal>,
    /// Number of steps of the budget that were used.
    pub steps: u64,
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "Decided by quantifier elimination in {} steps. Variables removed, innermost first:",
            self.steps
        )?;
        for removal in &self.removals {
            writeln!(f, "  {removal}")?;
        }
        Ok(())
    }
}

/// Why the verdict is unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("{0} is beyond linear arithmetic")]
    Unsupported(String),
    #[error("a product or quotient of variables")]
    NotLinear,
    #[error("a division by zero")]
    UnderSpecified,
    #[error("an integer variable shares a term with a real one")]
    Mixed,
    #[error("nested too deeply")]
    TooDeep,
    #[error("a variable has too many values to try")]
    TooManyPoints,
    #[error("no value was found for a variable that has one")]
    NoSample,
    #[error("the evaluator rejects the solution")]
    Rejected,
    #[error("{0}")]
    Exhausted(#[from] Exhausted),
}

/// Decides the assertions in force at the given check-sat (counted from 0). The script's pool grows by the model.
pub fn decide(script: &mut Script, check: usize, budget: &Budget) -> Decision {
    let terms: Vec<TermId> = script.in_force(check).into_iter().map(|(_, term)| term).collect();
    let given = budget.steps_left();
    // An unknown command may assert something, and a recursive definition may have no solution at all.
    if script.understood_checks() < script.checks().min(check + 1) || script.is_recursive() {
        return Decision::Unknown(Reason::Unsupported("a recursive definition or an unknown command".into()));
    }
    match decide_terms(&script.pool, &terms, budget) {
        Err(reason) => Decision::Unknown(reason),
        Ok((None, removals)) => Decision::Unsat(Explanation { removals, steps: given - budget.steps_left() }),
        Ok((Some(values), removals)) => {
            let explanation = Explanation { removals, steps: given - budget.steps_left() };
            match confirm(script, check, &values, budget) {
                Ok(witness) => Decision::Sat(Box::new(Proof { witness, explanation })),
                Err(reason) => Decision::Unknown(reason),
            }
        }
    }
}

type Values = Vec<(DeclId, Sort, Rat)>;

fn decide_terms(pool: &Pool, terms: &[TermId], budget: &Budget) -> Step<(Option<Values>, Vec<Removal>)> {
    let mut formulas = Formulas::new(budget);
    let mut reader = Reader::new(&mut formulas, pool, None);
    let mut parts = vec![];
    for &term in terms {
        parts.push(reader.truth(term)?.yes);
    }
    let constants = std::mem::take(&mut reader.constants);
    let whole = formulas.and(parts)?;
    let (solution, removals) = solve(&mut formulas, whole)?;
    let Some(solution) = solution else { return Ok((None, removals)) };
    let value = |x: &Var| solution.get(x).cloned().unwrap_or(Rat::ZERO);
    let values = constants.iter().map(|(decl, x)| (*decl, formulas.sort(*x), value(x))).collect();
    Ok((Some(values), removals))
}

/// A solution for the free variables of a formula, or `None` if there is provably none.
fn solve(formulas: &mut Formulas<'_>, f: F) -> Step<(Option<Solution>, Vec<Removal>)> {
    let f = formulas.simplify(f)?;
    let f = formulas.opened(f, &mut HashMap::default())?;
    let mut eliminator = Eliminator::new(formulas);
    let f = eliminator.all(f)?;
    let solution = eliminator.search(f, 0)?;
    let removals = std::mem::take(&mut eliminator.removals);
    if let Some(solution) = &solution
        && !formulas.holds_at(f, solution)?
    {
        return Err(Reason::NoSample);
    }
    Ok((solution, removals))
}

/// Decides a block of quantified variables. All other symbols in its body must have a value outside.
pub(crate) fn decide_block(
    pool: &Pool,
    exists: bool,
    vars: &[(Symbol, SortId)],
    body: TermId,
    outside: Outside<'_>,
    budget: &Budget,
) -> Result<bool, Reason> {
    let mut formulas = Formulas::new(budget);
    let quantifier = if exists { Quantifier::Exists } else { Quantifier::Forall };
    let f = Reader::new(&mut formulas, pool, Some(outside)).block(quantifier, vars, body)?.yes;
    let f = formulas.simplify(f)?;
    let f = Eliminator::new(&mut formulas).all(f)?;
    match f {
        TRUE => Ok(true),
        FALSE => Ok(false),
        _ => Err(Reason::NoSample),
    }
}

impl Formulas<'_> {
    /// Drops existential quantifiers that are only inside conjunctions and disjunctions; their variables become free.
    /// A variable is freed once: another version of its formula would need its own value, unless its definition allows
    /// only one.
    fn opened(&mut self, f: F, freed: &mut HashMap<Var, F, FxBuildHasher>) -> Step<F> {
        self.budget.spend(1)?;
        if !self.is_quantified(f) {
            return Ok(f);
        }
        let node = self.node(f);
        match &*node {
            Node::And(parts) => {
                let parts = parts.iter().map(|&part| self.opened(part, freed)).collect::<Step<_>>()?;
                self.and(parts)
            }
            Node::Or(parts) => {
                let parts = parts.iter().map(|&part| self.opened(part, freed)).collect::<Step<_>>()?;
                self.or(parts)
            }
            Node::Quantified(Quantifier::Exists, vars, body) => {
                let other = |x: &Var| freed.get(x).is_some_and(|known| known != body);
                if vars.iter().any(|x| !self.variables[x.0 as usize].defined && other(x)) {
                    return Ok(f);
                }
                freed.extend(vars.iter().map(|x| (*x, *body)));
                self.opened(*body, freed)
            }
            _ => Ok(f),
        }
    }
}

/// A model from values, if the evaluator confirms it; an error if it disagrees.
fn confirm(script: &mut Script, check: usize, values: &Values, budget: &Budget) -> Step<Option<Witness>> {
    let at = script.commands.iter().enumerate().filter(|(_, command)| command.is_check()).nth(check);
    let at = at.map_or(script.commands.len(), |(n, _)| n);
    let text = text(&script.pool, values);
    let Ok(model) = Model::parse_at(script, at, text.as_bytes(), Escapes::Standard) else { return Ok(None) };
    // A check may use five times the steps of one assertion; all together use at most the remaining steps.
    let steps = (budget.steps_left() / 5).min(eval::EvalLimits::default().steps);
    let limits = eval::EvalLimits { steps, ..eval::EvalLimits::default() };
    let report = eval::check::check_with(script, &model, check, limits);
    match report.overall.value {
        eval::Verdict::True => Ok(Some(Witness { model, text })),
        eval::Verdict::False => Err(Reason::Rejected),
        eval::Verdict::Unknown(_) => Ok(None),
    }
}

fn text(pool: &Pool, values: &Values) -> String {
    let mut out = String::from("(\n");
    for (decl, sort, value) in values {
        let mut name = vec![];
        write_name(&mut name, pool.bytes(pool.decl(*decl).name));
        let name = String::from_utf8_lossy(&name).into_owned();
        let _ = match sort {
            Sort::Bool => writeln!(out, "  (define-fun {name} () Bool {})", !value.is_zero()),
            Sort::Int => writeln!(out, "  (define-fun {name} () Int {})", value.floor().smt()),
            Sort::Real => writeln!(out, "  (define-fun {name} () Real {})", value.smt_decimal()),
        };
    }
    out.push_str(")\n");
    out
}
