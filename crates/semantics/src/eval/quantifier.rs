//! Quantifiers, choice and comprehensions.
//!
//! A variable over a small sort gets all its values, one after the other, with an early exit. A variable over a large
//! or infinite sort gets an arbitrary value, then every value that the arbitrary one was compared with: if the body
//! uses the variable only in equalities, that covers the whole sort. Integers between bounds that the body itself
//! states are a small sort. Blocks of linear arithmetic over all numbers are decided by elimination, and a number that
//! occurs in polynomials gets the values at and between their roots (`arithmetic`). Otherwise a few likely values are
//! tried. They can refute a `forall` and satisfy an `exists`; if they do not, the answer is unknown.

use super::equal::mentions_generic;
use super::table::{Code, OPERATORS};
use super::{Evaluator, HAS_VARIABLE, Outcome, Unknown};
use crate::arithmetic;
use crate::value::Value;
use crate::value::int::Int;
use smtlib::sort::SortId;
use smtlib::symbol::Symbol;
use smtlib::term::{BindersId, Kind, Quantifier, TermId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of steps of one elimination.
const ELIMINATION_STEPS: u64 = 1_000_000;

/// Maximum number of values of a large sort that are tried because the arbitrary value was compared with them.
const MAX_MET: usize = 256;

/// One question about a body: does it have this truth value for some values of the variables?
struct Search<'v> {
    vars: &'v [(Symbol, SortId)],
    body: TermId,
    /// The truth value that ends the search: false for `forall`, true for `exists`.
    sought: bool,
    /// Number of instances that may still be made.
    left: u64,
}

impl Evaluator<'_> {
    pub(super) fn quantify(
        &mut self,
        quantifier: Quantifier,
        binders: BindersId,
        args: &[TermId],
    ) -> Outcome {
        let vars = self.pool.binder_list(binders);
        match quantifier {
            Quantifier::Forall | Quantifier::Exists => {
                let sought = quantifier == Quantifier::Exists;
                let mut search = Search { vars, body: args[0], sought, left: self.limits.instances };
                if let Some(truth) = self.eliminate(&search) {
                    return Ok(Value::Bool(truth));
                }
                let found = self.explore(&mut search, 0, 1)?;
                Ok(Value::Bool(found == sought))
            }
            Quantifier::Choice => self.choice(vars, args[0]),
            Quantifier::Comprehension => self.comprehension(vars, args),
            Quantifier::Lambda => Err(Unknown::Function),
        }
    }

    /// The truth of a block of linear arithmetic in which some variable ranges over more numbers than can be tried.
    fn eliminate(&mut self, search: &Search<'_>) -> Option<bool> {
        let is_number = |sort: SortId| sort == SortId::INT || sort == SortId::REAL;
        if !search.vars.iter().all(|&(_, sort)| is_number(sort) || sort == SortId::BOOL) {
            return None;
        }
        let endless =
            |eval: &mut Self, (name, sort)| is_number(sort) && eval.range(search, name, sort).is_none();
        if !search.vars.iter().any(|&var| endless(self, var)) {
            return None;
        }
        let budget = self.budget.part(ELIMINATION_STEPS);
        let given = budget.steps_left();
        let pool = self.pool;
        let mut outside = |term| self.run(term).ok();
        let decided =
            arithmetic::decide_block(pool, search.sought, search.vars, search.body, &mut outside, &budget);
        self.budget.settle(given, &budget);
        decided.ok()
    }

    /// All relevant values of a number that occurs in polynomials.
    fn samples(&mut self, search: &Search<'_>, name: Symbol, sort: SortId) -> Option<Vec<Value>> {
        if sort != SortId::INT && sort != SortId::REAL {
            return None;
        }
        let budget = self.budget.part(ELIMINATION_STEPS);
        let given = budget.steps_left();
        let pool = self.pool;
        let mut outside = |term| self.run(term).ok();
        let samples = arithmetic::samples(pool, (name, sort), search.body, &mut outside, &budget);
        self.budget.settle(given, &budget);
        samples.ok()
    }

    /// Gives the variables from the n-th on all their values. The result is true if the sought truth value was found,
    /// and false if it provably does not occur.
    fn explore(&mut self, search: &mut Search<'_>, n: usize, made: u64) -> Result<bool, Unknown> {
        // This costs steps: with many variables, even skipping the untried instances would take too long.
        if search.left == 0 {
            return Err(Unknown::Quantifier);
        }
        let Some(&(name, sort)) = search.vars.get(n) else {
            search.left -= 1;
            self.enter();
            let outcome = self.run(search.body);
            self.leave(0, false);
            return match outcome {
                Ok(Value::Bool(b)) => Ok(b == search.sought),
                Ok(_) => Err(Unknown::Generic),
                Err(reason) => Err(reason),
            };
        };
        if let Some(values) = self.range(search, name, sort) {
            let made = made.saturating_mul(values.len() as u64);
            if made <= self.limits.instances {
                return self.try_each(search, n, made, name, &values, false);
            }
        }
        if n + 1 == search.vars.len()
            && let Some(values) = self.samples(search, name, sort)
        {
            return self.try_each(search, n, made, name, &values, false);
        }
        self.explore_large(search, n, made, name, sort)
    }

    /// Tries values in order; stops at the sought truth value. `partial` says that there are further values.
    fn try_each(
        &mut self,
        search: &mut Search<'_>,
        n: usize,
        made: u64,
        name: Symbol,
        values: &[Value],
        partial: bool,
    ) -> Result<bool, Unknown> {
        let mut unknown = partial.then_some(Unknown::Quantifier);
        for value in values {
            if search.left == 0 {
                return Err(unknown.unwrap_or(Unknown::Quantifier));
            }
            match self.with(name, value.clone(), |eval| eval.explore(search, n + 1, made)) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(reason) if reason.is_final() => return Err(reason),
                Err(reason) => unknown = Some(unknown.map_or(reason, |u| u.or(reason))),
            }
        }
        unknown.map_or(Ok(false), Err)
    }

    fn with<T>(&mut self, name: Symbol, value: Value, run: impl FnOnce(&mut Self) -> T) -> T {
        self.enter();
        self.bind(name, Ok(value));
        let result = run(self);
        self.leave(1, false);
        result
    }

    fn explore_large(
        &mut self,
        search: &mut Search<'_>,
        n: usize,
        made: u64,
        name: Symbol,
        sort: SortId,
    ) -> Result<bool, Unknown> {
        let size = self.size(sort);
        let may_be_arbitrary = size.is_some() || self.is_vast(sort);
        let mut tried = BTreeSet::new();
        let mut covered = false;
        let mut reason = Unknown::Quantifier;
        if may_be_arbitrary {
            let generic = self.new_generic();
            let outcome = self.with(name, Value::Generic(generic), |eval| eval.explore(search, n + 1, made));
            let mut met: Vec<Value> =
                std::mem::take(&mut self.generics[generic as usize]).into_iter().collect();
            met.sort();
            // The arbitrary value differs from all values that it was compared with, so the sort must have another
            // value.
            let exists = size.is_none_or(|size| (met.len() as u64) < size);
            match outcome {
                Ok(true) if exists => return Ok(true),
                Ok(true) => {}
                Ok(false) => covered = exists && met.len() <= MAX_MET,
                Err(reason) if reason.is_final() => return Err(reason),
                Err(other) => reason = other,
            }
            met.truncate(MAX_MET);
            covered &= !met.iter().any(|value| mentions_generic(value) && !value.is_generic());
            match self.try_each(search, n, made, name, &met, !covered) {
                Ok(true) => return Ok(true),
                Ok(false) => return Ok(false),
                Err(reason) if reason.is_final() => return Err(reason),
                Err(other) => reason = if covered { other } else { reason },
            }
            tried.extend(met);
        }
        let likely: Vec<Value> =
            self.candidates(sort).iter().filter(|value| !tried.contains(*value)).cloned().collect();
        match self.try_each(search, n, made, name, &likely, true) {
            Ok(true) => Ok(true),
            Err(reason) if reason.is_final() => Err(reason),
            Err(other @ Unknown::Open(_)) => Err(other),
            _ => Err(if reason == Unknown::Generic { Unknown::Quantifier } else { reason }),
        }
    }

    /// Whether a sort is known to be infinite. A declared sort has as many values as its model says.
    pub(super) fn is_infinite(&mut self, sort: SortId) -> bool {
        use smtlib::sort::Sort;
        match self.pool.sort(sort).clone() {
            Sort::Int | Sort::Real | Sort::String | Sort::RegLan | Sort::Seq(_) | Sort::Bag(_) => true,
            Sort::Array(index, element) => {
                let several = self.size(element).is_some_and(|n| n > 1) || self.is_vast(element);
                several && (self.is_infinite(element) || self.is_infinite(index))
            }
            Sort::Declared(..) => {
                self.pool.datatype(sort).is_some()
                    && self.size(sort).is_none()
                    && self.has_infinite_field(sort)
            }
            _ => false,
        }
    }

    /// Whether a sort has too many values to enumerate: infinitely many, or at least 2^60.
    pub(super) fn is_vast(&mut self, sort: SortId) -> bool {
        use smtlib::sort::Sort;
        if self.size(sort).is_some() {
            return false;
        }
        match self.pool.sort(sort).clone() {
            Sort::BitVec(_) | Sort::Float { .. } | Sort::Field(_) => true,
            Sort::Array(index, element) => {
                let known = |eval: &mut Self, s| eval.size(s).is_some_and(|n| n > 1) || eval.is_vast(s);
                self.is_vast(element) || (known(self, element) && known(self, index))
            }
            _ => self.is_infinite(sort),
        }
    }

    /// Whether a datatype is infinite because of itself or of a field, not because a size is unknown or large.
    fn has_infinite_field(&mut self, sort: SortId) -> bool {
        let Some((datatype, _)) = self.pool.datatype(sort) else { return false };
        // A codatatype may have a single value although its values are infinite.
        if datatype.coinductive {
            return false;
        }
        let constructors: Vec<_> = datatype.constructors.iter().map(|c| c.decl).collect();
        constructors.into_iter().any(|constructor| {
            self.field_sorts(constructor, sort).is_some_and(|fields| {
                fields.iter().any(|&field| {
                    field == sort
                        || matches!(
                            self.pool.sort(field),
                            smtlib::sort::Sort::Int
                                | smtlib::sort::Sort::Real
                                | smtlib::sort::Sort::String
                                | smtlib::sort::Sort::Seq(_)
                        )
                })
            })
        })
    }

    // Ranges.

    /// All relevant values of a variable, if there are few: those of its sort, or the integers between bounds outside
    /// which the body cannot have the sought truth value.
    fn range(&mut self, search: &Search<'_>, name: Symbol, sort: SortId) -> Option<Arc<[Value]>> {
        if sort != SortId::INT {
            return self.members(sort);
        }
        let (mut low, mut high): (Option<Int>, Option<Int>) = (None, None);
        for (literal, positive) in self.conditions(search.body, search.sought) {
            let Some((bound, is_upper)) = self.bound_on(literal, positive, name) else { continue };
            let best = if is_upper { &mut high } else { &mut low };
            let better = best.as_ref().is_none_or(|b| if is_upper { bound < *b } else { bound > *b });
            if better {
                *best = Some(bound);
            }
        }
        let (low, high) = (low?, high?);
        let count = &high - &low;
        if count.is_negative() {
            return Some(Arc::new([]));
        }
        let count = count.to_u64().filter(|&n| n < self.limits.instances)?;
        Some((0..=count).map(|n| Value::Int(&low + &Int::from(n))).collect())
    }

    /// Formulas, each with the truth value it must have for the body to have the sought one.
    fn conditions(&self, body: TermId, sought: bool) -> Vec<(TermId, bool)> {
        let mut found = vec![];
        let mut waiting = vec![(body, sought)];
        while let Some((term, truth)) = waiting.pop() {
            let args = self.pool.args(term);
            match self.pool.kind(term) {
                Kind::Annot(_) => waiting.push((args[0], truth)),
                Kind::Op { op, .. } => match (OPERATORS[op.0 as usize].code, truth) {
                    (Code::And, true) | (Code::Or, false) => {
                        waiting.extend(args.iter().map(|&arg| (arg, truth)));
                    }
                    (Code::Implies, false) => {
                        let last = args.len() - 1;
                        waiting.push((args[last], false));
                        waiting.extend(args[..last].iter().map(|&arg| (arg, true)));
                    }
                    _ if op.row().name == "not" => waiting.push((args[0], !truth)),
                    _ => found.push((term, truth)),
                },
                _ => {}
            }
            if found.len() > 64 {
                break;
            }
        }
        found
    }

    /// The bound that a comparison of a variable with another term gives: the bound, and whether it is upper.
    fn bound_on(&mut self, literal: TermId, truth: bool, name: Symbol) -> Option<(Int, bool)> {
        let Kind::Op { op, .. } = self.pool.kind(literal) else { return None };
        let &[a, b] = self.pool.args(literal) else { return None };
        let is_var = |term: TermId| matches!(self.pool.kind(term), Kind::Var(v) if v == name);
        let (other, var_first) = match (is_var(a), is_var(b)) {
            (true, false) => (b, true),
            (false, true) => (a, false),
            _ => return None,
        };
        let mut relation = op.row().eval?;
        if !truth {
            relation = match relation {
                "int_le" => "int_gt",
                "int_lt" => "int_ge",
                "int_ge" => "int_lt",
                "int_gt" => "int_le",
                _ => return None,
            };
        }
        // Only bounds without variables are used, because those might be bound inside.
        if self.facts[other.0 as usize] & HAS_VARIABLE != 0 {
            return None;
        }
        let Ok(Value::Int(bound)) = self.run(other) else { return None };
        let (upper, strict) = match (relation, var_first) {
            ("int_le", true) | ("int_ge", false) => (true, false),
            ("int_lt", true) | ("int_gt", false) => (true, true),
            ("int_ge", true) | ("int_le", false) => (false, false),
            ("int_gt", true) | ("int_lt", false) => (false, true),
            _ => return None,
        };
        Some(match (upper, strict) {
            (true, true) => (&bound - &Int::ONE, true),
            (false, true) => (&bound + &Int::ONE, false),
            (upper, false) => (bound, upper),
        })
    }

    // Other binders.

    /// The values of one variable that make a body true, if its sort is small.
    fn solutions(&mut self, var: (Symbol, SortId), body: TermId) -> Result<Vec<Value>, Unknown> {
        let members = self.members(var.1).ok_or(Unknown::Quantifier)?;
        let mut found = vec![];
        for value in members.iter() {
            match self.with(var.0, value.clone(), |eval| eval.run(body))? {
                Value::Bool(true) => found.push(value.clone()),
                Value::Bool(false) => {}
                _ => return Err(Unknown::Generic),
            }
        }
        Ok(found)
    }

    /// Hilbert's choice: known if exactly one value satisfies the body.
    fn choice(&mut self, vars: &[(Symbol, SortId)], body: TermId) -> Outcome {
        let &[var] = vars else { return Err(Unknown::Quantifier) };
        let mut found = self.solutions(var, body)?;
        match (found.pop(), found.is_empty()) {
            (Some(only), true) => Ok(only),
            _ => Err(Unknown::Quantifier),
        }
    }

    /// `(set.comprehension ((x S)) guard term)` over small sorts.
    fn comprehension(&mut self, vars: &[(Symbol, SortId)], args: &[TermId]) -> Outcome {
        let mut rows: Vec<Vec<Value>> = vec![vec![]];
        for &(_, sort) in vars {
            let members = self.members(sort).ok_or(Unknown::Quantifier)?;
            if rows.len() as u64 * members.len() as u64 > self.limits.instances {
                return Err(Unknown::Quantifier);
            }
            rows = rows
                .iter()
                .flat_map(|row| members.iter().map(move |v| row.iter().chain([v]).cloned().collect()))
                .collect();
        }
        let mut set = BTreeSet::new();
        for row in rows {
            self.enter();
            for (&(name, _), value) in vars.iter().zip(row) {
                self.bind(name, Ok(value));
            }
            let outcome = match self.run(args[0]) {
                Ok(Value::Bool(true)) => self.run(args[1]).map(Some),
                Ok(_) => Ok(None),
                Err(reason) => Err(reason),
            };
            self.leave(vars.len(), false);
            set.extend(outcome?);
        }
        Ok(Value::set(set))
    }
}
