//! Checks whether a model satisfies the assertions in force at a check-sat.
//!
//! First every assertion is evaluated with all open points unknown: an assertion that is decided now does not depend
//! on them. For the others, symbols that the model leaves out get default values; then under-specified operators are
//! filled in too, by the model or by default; then a bounded search looks for a filling that makes all assertions
//! true. Each open point of a large sort also gets an arbitrary value: if the assertion is false for it, and for every
//! value that the arbitrary one was compared with, no value at all can help. So "false" is reported only if it holds
//! for every filling, and each truth value is reported together with what it depends on.

use super::{EvalLimits, Evaluator, Filling, Outcome, PointId, Unknown};
use crate::model::Model;
use crate::value::Value;
use crate::value::show::value_text;
use smtlib::script::Script;
use smtlib::term::TermId;
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    True,
    False,
    Unknown(Unknown),
}

/// A verdict and what it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    pub value: Verdict,
    /// Whether it depends on under-specified operators, which were filled in.
    pub underspecified: bool,
    /// Whether it depends on symbols that the model leaves out, which were filled in.
    pub completed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The command that asserts it; that of the check itself for an assumption.
    pub command: usize,
    pub term: TermId,
    pub truth: Truth,
}

#[derive(Clone, Debug)]
pub struct Report {
    pub assertions: Vec<Assertion>,
    /// All assertions together.
    pub overall: Truth,
    /// The values that were filled in to make them true: the point and its value, as text.
    pub choices: Vec<(String, String)>,
    /// Where they are false whatever is chosen at under-specified points: the points that they reach, as text.
    pub open: Vec<String>,
}

/// Evaluates the assertions in force at the given check-sat (counted from 0) under a model.
pub fn check(script: &Script, model: &Model, check: usize) -> Report {
    check_with(script, model, check, EvalLimits::default())
}

pub fn check_with(script: &Script, model: &Model, check: usize, limits: EvalLimits) -> Report {
    let in_force = script.in_force(check);
    Evaluator::with_limits(&script.pool, model, limits).check(&in_force)
}

/// The three outcomes of a search.
enum Found {
    True,
    False,
    Unknown(Unknown),
}

struct Hunt<'t> {
    terms: &'t [TermId],
    trials: u32,
}

impl Evaluator<'_> {
    /// Evaluates assertions, given with the commands they come from.
    pub fn check(&mut self, in_force: &[(usize, TermId)]) -> Report {
        let plain = |value| Truth { value, underspecified: false, completed: false };
        self.points.forget_choices();
        self.refill(Filling::None);
        self.whole = self.limits.budget(5);
        let mut assertions: Vec<Assertion> = in_force
            .iter()
            .map(|&(command, term)| Assertion { command, term, truth: plain(verdict(self.root(term))) })
            .collect();
        let any_false = assertions.iter().any(|a| a.truth.value == Verdict::False);
        if !any_false {
            self.fill(&mut assertions, Filling::Missing);
        }
        if !any_false {
            self.fill(&mut assertions, Filling::All);
        }
        let mut overall = together(&assertions);
        let mut choices = vec![];
        if !any_false && overall.value != Verdict::True {
            overall = self.search(&mut assertions, &mut choices);
        }
        let fails = overall.value == Verdict::False && overall.underspecified;
        let open = if fails { self.open_texts() } else { vec![] };
        self.points.forget_choices();
        self.refill(Filling::None);
        Report { assertions, overall, choices, open }
    }

    /// Evaluates the undecided assertions with points filled in one way; keeps only those that are true.
    fn fill(&mut self, assertions: &mut [Assertion], filling: Filling) {
        let open = |a: &Assertion| matches!(a.truth.value, Verdict::Unknown(Unknown::Open(_)));
        if !assertions.iter().any(open) {
            return;
        }
        self.refill(filling);
        let mut truths = vec![];
        for assertion in assertions.iter() {
            let truth =
                if open(assertion) { verdict(self.root(assertion.term)) } else { assertion.truth.value };
            truths.push(truth);
        }
        // One filling must satisfy all assertions; otherwise it is discarded.
        if truths.contains(&Verdict::False) {
            return;
        }
        for (assertion, value) in assertions.iter_mut().zip(truths) {
            if open(assertion) && value == Verdict::True {
                let underspecified = filling == Filling::All;
                let completed = self.points.has_missing();
                assertion.truth = Truth { value, underspecified, completed };
            }
        }
    }

    /// Looks for a filling that makes all assertions true.
    fn search(&mut self, assertions: &mut [Assertion], choices: &mut Vec<(String, String)>) -> Truth {
        let others = assertions.iter().find_map(|a| match a.truth.value {
            Verdict::Unknown(reason) if !matches!(reason, Unknown::Open(_)) => Some(reason),
            _ => None,
        });
        // Everything that depends on a filling may get another one.
        let open: Vec<TermId> = assertions
            .iter()
            .filter(|a| {
                matches!(a.truth.value, Verdict::Unknown(Unknown::Open(_)))
                    || (a.truth.value == Verdict::True && (a.truth.underspecified || a.truth.completed))
            })
            .map(|a| a.term)
            .collect();
        if open.is_empty() {
            return together(assertions);
        }
        // The values of symbols that the model leaves out probably do not matter.
        let mut found = self.hunt_with(&open, Filling::ChosenAndMissing);
        if !matches!(found, Found::True) && self.points.has_missing() {
            found = self.hunt_with(&open, Filling::Chosen);
        }
        // What a solver prints about its own functions at open points is one choice of several: another is as good.
        if !matches!(found, Found::True) && !self.model.under.is_empty() {
            found = self.hunt_with(&open, Filling::Free);
        }
        let (mut underspecified, mut completed) = (false, false);
        for point in self.met_points() {
            let missing = matches!(self.points.get(point).family, super::Family::Missing(_));
            completed |= missing;
            underspecified |= !missing;
        }
        let truth = |value| Truth { value, underspecified, completed };
        match found {
            Found::True => {
                for assertion in assertions.iter_mut().filter(|a| open.contains(&a.term)) {
                    assertion.truth = truth(Verdict::True);
                }
                *choices = self.chosen_texts();
                truth(others.map_or(Verdict::True, Verdict::Unknown))
            }
            Found::False => {
                for assertion in assertions.iter_mut().filter(|a| open.contains(&a.term)) {
                    if let ([_], Verdict::Unknown(_)) = (open.as_slice(), assertion.truth.value) {
                        assertion.truth = truth(Verdict::False);
                    }
                }
                truth(Verdict::False)
            }
            Found::Unknown(reason) => truth(Verdict::Unknown(reason)),
        }
    }

    fn hunt_with(&mut self, terms: &[TermId], filling: Filling) -> Found {
        self.refill(filling);
        self.points.forget_choices();
        let mut hunt = Hunt { terms, trials: self.limits.trials };
        self.hunt(&mut hunt)
    }

    fn met_points(&self) -> Vec<PointId> {
        (0..self.points.len()).map(|n| PointId(n as u32)).collect()
    }

    /// The under-specified points that were met.
    fn open_texts(&self) -> Vec<String> {
        let points = self.met_points().into_iter().map(|point| self.points.get(point));
        let open = points.filter(|point| !matches!(point.family, super::Family::Missing(_)));
        open.map(|point| self.point_text(point)).collect()
    }

    fn chosen_texts(&self) -> Vec<(String, String)> {
        self.points
            .chosen()
            .map(|(point, value)| (self.point_text(point), value_text(self.pool, point.sort, value)))
            .collect()
    }

    /// A point as a readable term.
    pub fn point_text(&self, point: &super::Point) -> String {
        use super::Family;
        let name = match point.family {
            Family::Operator(name, _) => {
                let row = smtlib::theory::rows().iter().find(|row| row.eval == Some(name));
                row.map_or(name, |row| row.name).to_owned()
            }
            Family::Row(op, _) => op.row().name.to_owned(),
            Family::Selector(decl, _) | Family::Missing(decl) => {
                self.pool.name(self.pool.decl(decl).name).into_owned()
            }
        };
        let sorts: Vec<_> = match point.family {
            Family::Selector(decl, _) | Family::Missing(decl) => self.pool.decl(decl).params.to_vec(),
            _ => vec![],
        };
        let args: Vec<String> = point
            .args
            .iter()
            .enumerate()
            .map(|(n, arg)| value_text(self.pool, sorts.get(n).copied().unwrap_or(point.sort), arg))
            .collect();
        if args.is_empty() { name } else { format!("({name} {})", args.join(" ")) }
    }

    fn hunt(&mut self, hunt: &mut Hunt<'_>) -> Found {
        if hunt.trials == 0 || self.points.trail.len() > MAX_POINTS {
            return Found::Unknown(Unknown::Fuel);
        }
        hunt.trials -= 1;
        self.new_trial();
        let mut blocking: Option<PointId> = None;
        let mut other: Option<Unknown> = None;
        for &term in hunt.terms {
            match verdict(self.root(term)) {
                Verdict::True => {}
                Verdict::False => return Found::False,
                Verdict::Unknown(Unknown::Open(point)) => {
                    blocking.get_or_insert(point);
                }
                Verdict::Unknown(reason) => other = Some(reason),
            }
        }
        match (blocking, other) {
            (None, None) => Found::True,
            (None, Some(reason)) => Found::Unknown(reason),
            (Some(point), _) => self.branch_on(hunt, point),
        }
    }

    fn branch_on(&mut self, hunt: &mut Hunt<'_>, point: PointId) -> Found {
        let sort = self.points.get(point).sort;
        let few = match self.points.only(point) {
            Some(only) => Some(only.to_vec()),
            None => self.size(sort).filter(|&n| n <= 64).and_then(|_| self.members(sort)).map(|m| m.to_vec()),
        };
        if let Some(values) = few {
            let mut unknown = None;
            for value in values {
                match self.attempt(hunt, point, value) {
                    Found::True => return Found::True,
                    Found::False => {}
                    Found::Unknown(reason) => unknown = Some(reason),
                }
            }
            return unknown.map_or(Found::False, Found::Unknown);
        }
        self.branch_large(hunt, point)
    }

    /// A point of a large sort: tries an arbitrary value, the values that it was compared with, and a few likely
    /// values.
    fn branch_large(&mut self, hunt: &mut Hunt<'_>, point: PointId) -> Found {
        let sort = self.points.get(point).sort;
        let size = self.size(sort);
        let mut unknown = None;
        let mut queue: Vec<Value> = vec![];
        if size.is_some() || self.is_vast(sort) {
            let generic = self.new_generic();
            let mark = self.points.trail.len();
            let found = self.attempt(hunt, point, Value::Generic(generic));
            self.points.undo(mark);
            let mut met: Vec<Value> =
                std::mem::take(&mut self.generics[generic as usize]).into_iter().collect();
            met.sort();
            let covered = size.is_none_or(|size| (met.len() as u64) < size)
                && !met.iter().any(super::equal::mentions_generic);
            match found {
                Found::True | Found::False if !covered => unknown = Some(Unknown::Open(point)),
                // An arbitrary value cannot be shown as a witness, but a value that differs from all compared ones can
                // be made.
                Found::True | Found::Unknown(_) => unknown = Some(Unknown::Open(point)),
                Found::False => {}
            }
            queue.extend(met.into_iter().filter(|value| !super::equal::mentions_generic(value)));
        } else {
            unknown = Some(Unknown::Open(point));
        }
        queue.extend(self.default_value(sort));
        queue.extend(self.candidates(sort).iter().cloned());
        let mut tried = BTreeSet::new();
        for value in queue {
            if !tried.insert(value.clone()) {
                continue;
            }
            match self.attempt(hunt, point, value) {
                Found::True => return Found::True,
                Found::False => {}
                Found::Unknown(reason) => unknown = Some(reason),
            }
        }
        unknown.map_or(Found::False, Found::Unknown)
    }

    fn attempt(&mut self, hunt: &mut Hunt<'_>, point: PointId, value: Value) -> Found {
        let mark = self.points.trail.len();
        self.points.choose(point, value);
        let possible = self.leaves_an_order(point);
        let found = if possible { self.hunt(hunt) } else { Found::Unknown(Unknown::NoOrder) };
        if !matches!(found, Found::True) {
            self.points.undo(mark);
        }
        found
    }
}

/// Maximum number of points that are filled in at once.
const MAX_POINTS: usize = 64;

fn verdict(outcome: Outcome) -> Verdict {
    match outcome {
        Ok(Value::Bool(true)) => Verdict::True,
        Ok(Value::Bool(false)) => Verdict::False,
        Ok(_) => Verdict::Unknown(Unknown::Generic),
        Err(reason) => Verdict::Unknown(reason),
    }
}

/// The truth of a conjunction.
fn together(assertions: &[Assertion]) -> Truth {
    let mut all = Truth { value: Verdict::True, underspecified: false, completed: false };
    for Assertion { truth, .. } in assertions {
        match (truth.value, all.value) {
            (Verdict::False, _) => return *truth,
            (Verdict::Unknown(a), Verdict::Unknown(b)) => all.value = Verdict::Unknown(a.or(b)),
            (Verdict::Unknown(a), _) => all.value = Verdict::Unknown(a),
            (Verdict::True, _) => {}
        }
        all.underspecified |= truth.underspecified;
        all.completed |= truth.completed;
    }
    all
}
